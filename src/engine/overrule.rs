//! What the catalogue says back: its opinion of the readings, and the facts by which the kind of listing is decided.

use super::{Found, Matcher};
use crate::catalogue::format::card_flag;
use crate::catalogue::{AliasKind, EntryKind};
use crate::dictionary::Tag;
use crate::extract::lookup::Hit;
use crate::extract::number::{NumberKind, NumberReading};
use crate::extract::{Proposal, Value};
use crate::outcome::Facts;
use crate::parsed::Field;
use crate::score::features::Feature;

/// Different species, by Pokédex number, as many as any title names.
#[derive(Default)]
struct Species {
    seen: [u16; 32],
    count: usize,
}

impl Species {
    /// Adds one; 0 is none.
    fn add(&mut self, dex: u16) {
        if dex != 0
            && !self.seen[..self.count].contains(&dex)
            && let Some(place) = self.seen.get_mut(self.count)
        {
            *place = dex;
            self.count += 1;
        }
    }
}

impl Matcher<'_> {
    /// Adds the catalogue's opinion to the readings: what agrees with the best candidate gains, what contradicts it loses.
    pub(super) fn overrule(
        &self,
        card: u32,
        hits: &[Hit],
        numbers: &[NumberReading],
        proposals: &mut [Proposal],
    ) {
        let Some(record) = self.catalogue.card_record(card) else {
            return;
        };
        let Some(name) = self.catalogue.name_record(record) else {
            return;
        };
        let (number, total) = (record.number.get(), record.total.get());
        for proposal in proposals.iter_mut() {
            let gain = match proposal.value {
                Value::Hit(at) if proposal.field == Field::Name => {
                    let entries = self.catalogue.entries(hits[at as usize].place);
                    entries
                        .map(|e| match e.kind() {
                            EntryKind::Name if e.id() == record.name.get() => 3.5,
                            EntryKind::Name => {
                                let other = self.catalogue.names.get(e.id() as usize);
                                match other {
                                    Some(o) if o.core == name.core => {
                                        if o.marks().minus(name.marks()).count() > 0 {
                                            -2.0
                                        } else {
                                            2.0
                                        }
                                    }
                                    _ => 0.0,
                                }
                            }
                            EntryKind::Core if e.id() == name.core.get() => 2.0,
                            EntryKind::Card if e.id() == card => 4.0,
                            _ => 0.0,
                        })
                        .fold(None, |best: Option<f32>, gain| {
                            Some(best.map_or(gain, |b| {
                                if gain.abs() > b.abs() || gain > b {
                                    gain
                                } else {
                                    b
                                }
                            }))
                        })
                        .unwrap_or(0.0)
                }
                Value::Hit(_) if proposal.field != Field::Set => 0.0,
                Value::Hit(at) => {
                    match self.catalogue.set_entry(hits[at as usize].place, record) {
                        // `Sword & Shield` is the series, `Sword & Shield Promo` the set
                        Some(entry) if entry.quality() == AliasKind::Family as u8 => 1.0,
                        // a word of two letters does not buy a set for all that
                        Some(_) => 3.0f32.min((proposal.end - proposal.at) as f32 * 0.6),
                        None => -0.5,
                    }
                }
                Value::Number(at) => {
                    let reading = &numbers[at as usize];
                    let same = self.catalogue.number(reading.number) == Some(number);
                    match reading.kind {
                        NumberKind::Fraction
                            if same
                                && (reading.total != 0
                                    && self.catalogue.number(reading.total) == Some(total)) =>
                        {
                            4.0
                        }
                        NumberKind::Fraction if same => 2.0,
                        _ if same => 3.0,
                        _ => 0.0,
                    }
                }
                Value::Word(Tag::Affix(bit)) => {
                    if name.marks().0 >> bit.min(127) & 1 == 1 {
                        1.5
                    } else {
                        -1.0
                    }
                }
                _ => 0.0,
            };
            proposal.weight += gain;
        }
    }

    pub(crate) fn facts<'f>(&'f self, found: &Found<'f, '_>, unread: f32) -> Facts<'f> {
        let top = found.ranked.first();
        let record = top.and_then(|t| self.catalogue.card_record(t.card));
        // a card of several species explains them only where it is likely itself
        let dex = record
            .filter(|_| top.is_some_and(|t| t.probability > 0.3))
            .and_then(|r| self.catalogue.name_record(r))
            .and_then(|n| self.catalogue.cores.get(n.core.get() as usize))
            .map_or([0; 3], |c| c.dex.map(|d| d.get()));
        let core = record
            .and_then(|r| self.catalogue.name_record(r))
            .map(|n| n.core.get());
        let (mut others, mut all) = (Species::default(), Species::default());
        let mut name_species = |named: u32| {
            let one = self
                .catalogue
                .cores
                .get(named as usize)
                .map_or(0, |c| c.dex[0].get());
            all.add(one);
            if Some(named) != core && !dex.contains(&one) {
                others.add(one);
            }
        };
        for clue in found.query.names.iter().filter(|n| n.chosen && n.species) {
            // the catalogue may have overruled the reading since it was asked
            if found
                .chosen
                .iter()
                .any(|p| p.field == Field::Name && p.at == clue.at && p.end == clue.end)
            {
                name_species(clue.core);
            }
        }
        for record in found
            .query
            .cards
            .iter()
            .filter_map(|&c| self.catalogue.card_record(c))
        {
            if let Some(name) = self.catalogue.name_record(record) {
                name_species(name.core.get());
            }
        }
        let solid = top.is_some_and(|t| {
            t.probability > 0.5 && {
                let evidence = found.evidence.of(0);
                let name = evidence.iter().any(|(f, _)| {
                    matches!(
                        f,
                        Feature::NameAgrees | Feature::NicknameCard | Feature::NameFuzzy
                    )
                });
                let set = evidence
                    .iter()
                    .any(|(f, _)| matches!(f, Feature::SetAgrees | Feature::CodeAgrees));
                let number = set && evidence.iter().any(|(f, _)| *f == Feature::BareAgrees)
                    || evidence.iter().any(|(f, _)| {
                        matches!(
                            f,
                            Feature::NumberTotalAgree
                                | Feature::NumberAgrees
                                | Feature::DexAgrees
                                | Feature::NicknameCard
                        )
                    });
                // a number and a word that is a name somewhere are no card of this game without a sign of it
                let own = found.chosen.iter().any(|p| match p.value {
                    Value::Word(tag) => self.dictionary.is_own_game(tag),
                    // numbers with letters are read where the catalogue has them
                    Value::Number(n) => {
                        found.numbers[n as usize].total_known
                            || found.numbers[n as usize].kind == NumberKind::Prefixed
                    }
                    _ => p.field == Field::Set,
                });
                name && number && own
            }
        });
        let fields = found
            .chosen
            .iter()
            .fold(0u64, |fields, p| fields | 1 << p.field as u64);
        let chosen = |field: Field| fields >> field as u64 & 1 == 1;
        Facts {
            dictionary: &self.dictionary,
            proposals: found.proposals,
            chosen: found.chosen,
            numbers: found.numbers,
            species: others.count,
            all_species: all.count,
            set: chosen(Field::Set),
            graded: chosen(Field::Grade),
            condition: chosen(Field::Condition),
            rarity: chosen(Field::Rarity),
            top: top.map_or(0.0, |t| t.probability),
            solid,
            grades: found.grades.iter().filter(|g| g.value.is_some()).count(),
            // a trainer or a thing names a card only where the catalogue agrees
            named: found.query.names.iter().any(|n| n.chosen && (n.species || top.is_some_and(|t| t.probability > 0.4)))
                || !found.query.cards.is_empty(),
            latin: !found.context.japanese && !found.context.hangul,
            own_script: found.chosen.iter().any(|p| {
                let text = || found.context.line.text(p.at as usize, p.end as usize);
                p.field == Field::Name && !text().is_ascii() && text().chars().count() > 2
            }),
            any_name: chosen(Field::Name),
            numbered: found
                .chosen
                .iter()
                .any(|p| matches!(p.value, Value::Number(n) if found.numbers[n as usize].kind != NumberKind::Bare)),
            fraction: found.chosen.iter().any(|p| matches!(p.value, Value::Number(n) if found.numbers[n as usize].total_known)),
            jumbo: record.is_some_and(|r| {
                let product = self.catalogue.product(r);
                r.flags.get() & card_flag::JUMBO != 0 || product.to_lowercase().contains("jumbo") || product.contains("ジャンボ")
            }),
            unread,
        }
    }
}
