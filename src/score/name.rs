//! Evidence of the name: core, marks and rest.

use super::features::Feature;
use super::memory::{NameClues, Pieces};
use super::{Scorer, Sink};
use crate::attributes::name::NameClue;
use crate::catalogue::format::{CardRecord, CoreRecord, NameRecord};
use crate::catalogue::{Marks, NameQuality};
use crate::math::information;

// Of several clues of one core the one counts that fits the card best.
/// It is the card's whole name.
const EXACT: f32 = 2.0;
/// Its reading was chosen.
const CHOSEN: f32 = 1.5;
/// Taken off for each mark that the card lacks or has more.
const MARK_OFF: f32 = 0.5;
/// Added for each byte of its words.
const BYTE: f32 = 0.05;

/// How much of a part of a name is missing in a title whose letters cannot write it.
const REST_IN_KANA: f32 = 0.3;
/// The same of a name whose beginning no other name has.
const REST_OF_ONE: f32 = 0.4;
/// The same of a name whose beginning is the whole name of other cards.
const REST_OF_OTHERS: f32 = 0.25;

/// Whether the words of `clue` are the whole name of a card as well: some are called `Stardust Dragon`,
/// and others `Stardust Dragon - Victim Sanctuary`.
fn is_whole_name_at(other: &NameClue, clue: &NameClue) -> bool {
    (other.at, other.end) == (clue.at, clue.end)
        && other.quality == NameQuality::Printed
        && other.name.is_some()
}

impl Scorer<'_, '_> {
    /// Evidence of the name, and whether its core agrees, if the title names one.
    ///
    /// `member`: the title names the card's set. Notes whether the evidence holds for other cards of
    /// the name.
    pub(super) fn name(
        &self,
        record: &CardRecord,
        member: bool,
        clues: &NameClues,
        sink: &mut Pieces,
    ) -> Option<bool> {
        let name = self.catalogue.name_record(record)?;
        let core = self.catalogue.cores.get(name.core.get() as usize)?;
        let card_marks = name.marks();
        let worth = |clue: &NameClue| {
            let exact = clue.name == Some(record.name.get());
            let marks = clue.marks.union(self.query.marks);
            let off = card_marks.minus(marks).count()
                + clue.marks.minus(clue.shared).minus(card_marks).count();
            f32::from(u8::from(exact)) * EXACT + f32::from(u8::from(clue.chosen)) * CHOSEN
                - off as f32 * MARK_OFF
                + (clue.end - clue.at) as f32 * BYTE
        };
        let of_core = || clues.of(&self.query.names, name.core.get(), record.name.get());
        // of those that are worth as much the first
        let better = |best, clue| {
            if worth(clue) > worth(best) {
                clue
            } else {
                best
            }
        };
        let Some(clue) = of_core().reduce(better) else {
            return self.other_name(name.core.get(), core, card_marks, sink);
        };
        let exact = clue.name == Some(record.name.get());
        sink.add(
            Feature::NameAgrees,
            if exact { clue.whole_idf } else { clue.idf },
        );
        match clue.quality {
            NameQuality::Misspelt | NameQuality::Fuzzy => {
                sink.add(Feature::NameMisspelt, clue.slips)
            }
            NameQuality::Nickname => sink.add(Feature::NameNickname, 1.0),
            _ => {}
        }
        if !clue.chosen {
            sink.add(Feature::NameAlternative, 1.0);
        }
        let stated = clue.marks.union(self.query.marks);
        if !stated
            .union(self.query.doubted)
            .union(card_marks)
            .is_empty()
        {
            self.marks(record, name, clue, member, sink);
        }
        if name.rest.get() != 0 && !exact {
            let rest = self.catalogue.string(name.rest).as_bytes();
            let stands = rest.len() > 2 && self.line.places_of(rest).next().is_some();
            match stands {
                true => sink.add(Feature::RestAgrees, 1.0),
                // a title in Latin letters says it in words of its own, or not at all
                false if !rest.is_ascii() && self.line.key().is_ascii() => {
                    sink.add(Feature::RestMissing, REST_IN_KANA);
                }
                false if self.is_only_name(record, name) => {
                    sink.add(Feature::RestMissing, REST_OF_ONE);
                }
                false => sink.add(Feature::RestMissing, 1.0),
            }
        } else if !exact && clue.rest {
            sink.add(Feature::RestExtra, 1.0);
        } else if exact
            && clue.quality == NameQuality::Derived
            && self
                .query
                .names
                .iter()
                .any(|other| is_whole_name_at(other, clue))
        {
            sink.add(Feature::RestMissing, REST_OF_OTHERS);
        }
        Some(true)
    }

    /// Whether no card of the core that `record` is of has another name: sellers say no more of `Nibiru,
    /// the Primal Being` than `Nibiru`.
    fn is_only_name(&self, record: &CardRecord, name: &NameRecord) -> bool {
        let cards = self.catalogue.cards_of_core(name.core.get());
        let mut records = cards
            .iter()
            .filter_map(|card| self.catalogue.card_record(card.get()));
        records.all(|card| card.name.get() == record.name.get())
    }

    /// Evidence of the marks that the title states with a name, which is the card's, or that the card
    /// has.
    fn marks(
        &self,
        record: &CardRecord,
        name: &NameRecord,
        clue: &NameClue,
        member: bool,
        sink: &mut Pieces,
    ) {
        let card_marks = name.marks();
        let stated = clue.marks.union(self.query.marks);
        // `Rocket's Tyranitar` may be Team Rocket's
        let shortened = card_marks.minus(stated).common(self.query.whole);
        let missing = card_marks
            .minus(stated)
            .minus(self.query.doubted)
            .minus(shortened);
        let lacking = missing.count();
        sink.by_set = lacking > 0;
        // `Crystal Golem`: a mark that no name of this core has describes the card, but contradicts
        // none
        let known = self.stats.core_marks.get(name.core.get());
        let mut missing = missing;
        if lacking > 0 {
            if member {
                missing = missing.minus(self.implied_marks(record, name));
                // `Flareon Delta Species`: the words of the set say the mark
                let said = self.query.set_mark;
                missing = said.map_or(missing, |mark| missing.minus(Marks::default().with(mark)));
            }
            let said = stated.common(known);
            if !said.is_empty() && said.minus(card_marks).is_empty() {
                let core = name.core.get();
                let implied = self.stats.core_marks.implied(self.catalogue, core, said);
                missing = missing.minus(implied);
            }
        }
        let missing = missing.count();
        let (short, whole) = (self.query.short, self.query.whole);
        let mut strange = clue.marks.minus(clue.shared).union(self.query.marks);
        if !shortened.is_empty() || short.common(known).is_empty() {
            strange = strange.minus(short).union(whole);
        }
        // no card is called `Swampert VMAX`: who says it means no plain Swampert
        let telling = known.union(self.stats.essential);
        let strange = strange.minus(card_marks).common(telling);
        sink.by_rarity = !strange.is_empty();
        // some marks are a rarity of the catalogue, not a part of the name: `Mew Prime` is a `Mew`,
        // rare as `Rare PRIME`
        let rarity_marks = || {
            let marks = self.stats.rarity_marks.get(record.rarity as usize);
            marks.copied().unwrap_or_default()
        };
        // an owner counts twice: `Erika's Bulbasaur` is no other Bulbasaur
        let extra = if strange.is_empty() {
            0
        } else {
            strange.minus(rarity_marks()).count() + strange.common(self.stats.owners).count()
        };
        // `Gardevoir GX` of a set whose Gardevoir is an ex: one wrong mark, not two
        let slips = if member && lacking > 0 && extra > 0 {
            let stated = stated.minus(card_marks).minus(rarity_marks()).common(known);
            let twins = self
                .catalogue
                .cards_of_set_and_core(record.set.get(), name.core.get());
            let bears = |marks: Marks| marks.common(stated) != Marks::default();
            let held = twins
                .filter_map(|(_, twin)| self.catalogue.name_record(twin))
                .any(|twin| bears(twin.marks()));
            if held { 0 } else { lacking.min(extra) }
        } else {
            0
        };
        if slips > 0 {
            sink.add(Feature::MarkSlip, slips as f32);
        }
        let missing = missing.saturating_sub(slips);
        if missing > 0 {
            sink.add(Feature::MarkMissing, missing as f32);
        }
        if extra > slips {
            sink.add(Feature::MarkExtra, (extra - slips) as f32);
            sink.marked = true;
        }
        let doubted = self.query.doubted.minus(card_marks).count() + shortened.count();
        if doubted > 0 {
            sink.add(Feature::MarkDoubted, doubted as f32);
        }
    }

    /// The marks that go without saying if the title names the card's set: those that all its cards
    /// of that core have.
    fn implied_marks(&self, record: &CardRecord, name: &NameRecord) -> Marks {
        let twins = self
            .catalogue
            .cards_of_set_and_core(record.set.get(), name.core.get());
        let marks = twins
            .filter_map(|(_, c)| self.catalogue.name_record(c))
            .map(NameRecord::marks);
        marks.reduce(Marks::common).unwrap_or_default()
    }

    /// No reading names this card's core: a part of a pair, a misspelling, or another card.
    fn other_name(
        &self,
        number: u32,
        core: &CoreRecord,
        marks: Marks,
        sink: &mut impl Sink,
    ) -> Option<bool> {
        let idf = || information(self.catalogue.card_count().max(1) as f32, core.count.get());
        let pair = core.subjects[1].get() != 0;
        if pair {
            let named = |subject: u16| {
                self.catalogue
                    .core_of_subject(subject)
                    .is_some_and(|c| self.query.names.iter().any(|n| n.core == c))
            };
            let all = core.subjects.iter().map(|d| d.get()).filter(|&d| d != 0);
            let (hits, of) = all.fold((0, 0), |(h, n), d| (h + u32::from(named(d)), n + 1));
            if hits > 0 {
                sink.add(
                    if hits == of {
                        Feature::NameAgrees
                    } else {
                        Feature::NamePart
                    },
                    idf(),
                );
                let known = self.stats.core_marks.get(number);
                let telling = known.union(self.stats.essential);
                let extra = self.query.marks.minus(marks).common(telling).count();
                if extra > 0 {
                    sink.add(Feature::MarkExtra, extra as f32);
                }
                return (hits == of).then_some(true);
            }
        }
        if let Ok(at) = self.query.alike.binary_search_by_key(&number, |a| a.0) {
            sink.add(Feature::NameFuzzy, idf() * self.query.alike[at].1);
            return Some(true);
        }
        if self.query.names.iter().any(|n| n.chosen && n.subject) {
            sink.add(Feature::NameDiffers, 1.0);
            return Some(false);
        }
        // `Azamina SUDA-EN070`, which is `Azamina Aphes`
        let key = self.catalogue.string(core.key);
        let holds = |n: &NameClue| {
            let words = self.line.text(n.at as usize, n.end as usize);
            key.contains(words)
        };
        let mut chosen = self.query.names.iter().filter(|n| n.chosen);
        if chosen.any(|n| !holds(n)) {
            sink.add(Feature::ThingDiffers, 1.0);
        }
        None
    }
}
