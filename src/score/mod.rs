//! Candidates → [`Ranked`]: evidence added up, and turned into probabilities that leave room for "none of ours".
//!
//! A sum of log-odds against a card drawn at random (Fellegi and Sunter 1969), with the information of each agreement in place of a
//! constant, so that what is common says little.

#[cfg(feature = "train")]
pub mod calibrate;
pub mod features;
pub(crate) mod math;
pub(crate) mod query;
#[cfg(feature = "train")]
pub mod train;
pub mod weights;

use crate::catalogue::format::{CardRecord, CoreRecord, NONE16, NameRecord, SetRecord, card_flag, set_flag};
use crate::catalogue::naming::Marks;
use crate::catalogue::{Catalogue, EntryKind, NameQuality};
use crate::extract::number::NumberKind;
use crate::token::Line;
use features::Feature;
use math::{exp, information, ln};
use query::{Edition, Finish, Language, NameClue, NumberClue, Query, SetClue};
use weights::Weights;

/// A candidate with its score in log-odds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ranked {
    pub(crate) card: u32,
    pub(crate) score: f32,
    pub(crate) probability: f64,
}

/// Receives each piece of evidence.
trait Sink {
    fn add(&mut self, feature: Feature, value: f32);
}

struct Sum<'w> {
    weights: &'w Weights,
    total: f32,
}

impl Sink for Sum<'_> {
    fn add(&mut self, feature: Feature, value: f32) {
        self.total += self.weights.of(feature) * value;
    }
}

impl Sink for Vec<(Feature, f32)> {
    fn add(&mut self, feature: Feature, value: f32) {
        self.push((feature, value));
    }
}

/// How the numbers of a title and a card fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberFit {
    /// One of them has none, or the title's is too vague to say.
    Silent,
    /// The same; with the total or without one.
    Agrees { total: bool },
    /// The same number beside another total.
    TotalOff,
    /// Another number.
    Differs,
}

/// At most two pieces of evidence, and how many they are.
type Pieces = ([(Feature, f32); 2], usize);

/// Compares titles with cards.
pub(crate) struct Scorer<'s, 'a> {
    pub(crate) catalogue: &'s Catalogue<'a>,
    pub(crate) weights: &'s Weights,
    pub(crate) query: &'s Query,
    pub(crate) line: &'s Line,
    /// For each rarity of the catalogue: the name marks that it stands for.
    pub(crate) rarity_marks: &'s [Marks],
    /// For each core: the marks that its names have.
    pub(crate) core_marks: &'s [Marks],
}

/// A set that is a part of the one named agrees by so much of what the named one does.
const RELATED: f32 = 0.9;
/// Promos of one set appear so many years before and after the one date that it has.
const PROMO_YEARS: std::ops::RangeInclusive<i32> = -3..=5;

impl Scorer<'_, '_> {
    /// Scores `candidates` and gives each its probability. Returns that of "none of ours", and whether no international card fits
    /// ([`Query::alone`]).
    pub(crate) fn rank(&self, candidates: &[u32], out: &mut Vec<Ranked>) -> (f64, bool) {
        out.clear();
        let mut alone = self.query.language == Language::Unsaid;
        for &card in candidates {
            let mut sum = Sum { weights: self.weights, total: 0.0 };
            alone &= !self.compare(card, &mut sum);
            out.push(Ranked { card, score: sum.total, probability: 0.0 });
        }
        if alone {
            let more = self.weights.of(Feature::LanguageAlone) - self.weights.of(Feature::LanguageUnsaid);
            let asia = |card| self.catalogue.card_record(card).and_then(|c| self.catalogue.set_record(c)).is_some_and(|s| s.asia != 0);
            out.iter_mut().filter(|r| asia(r.card)).for_each(|r| r.score += more);
        }
        // equal scores in the order of the catalogue, so that the answer depends on nothing else
        out.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.card.cmp(&b.card)));
        let base = ln(self.catalogue.card_count().max(1) as f64) - f64::from(self.weights.prior);
        let temperature = f64::from(self.weights.temperature).max(0.01);
        let logit = |score: f32| (f64::from(score) - base) / temperature;
        // the score of "none of ours" is 0: the prior says what that is worth
        let top = out.first().map_or(0.0, |r| logit(r.score).max(0.0));
        let rest = exp(-top);
        let total: f64 = rest + out.iter().map(|r| exp(logit(r.score) - top)).sum::<f64>();
        for ranked in out.iter_mut() {
            ranked.probability = exp(logit(ranked.score) - top) / total;
        }
        (rest / total, alone)
    }

    /// The evidence for and against one card.
    pub(crate) fn evidence(&self, card: u32) -> Vec<(Feature, f32)> {
        let mut list = Vec::new();
        self.compare(card, &mut list);
        list
    }

    /// Adds the evidence; whether it is an international card that what the title states fits.
    fn compare(&self, card: u32, sink: &mut impl Sink) -> bool {
        let Some(record) = self.catalogue.card_record(card) else { return false };
        let Some(set) = self.catalogue.set_record(record) else { return false };
        if self.query.cards.contains(&card) {
            sink.add(Feature::NicknameCard, 1.0);
        }
        let name = self.name(record, sink);
        let number = self.number(record, sink);
        let named_set = self.set(record, sink);
        // agreements by chance do not come together, and neither do differences where all else agrees
        let together = match (name, number, named_set) {
            (Some(true), NumberFit::Agrees { .. }, Some(true)) => Some(Feature::AllAgree),
            (Some(true), NumberFit::TotalOff, Some(true)) => Some(Feature::AllButTotal),
            (Some(true), NumberFit::Agrees { .. }, Some(false)) => Some(Feature::OnlySetDiffers),
            (Some(true), NumberFit::Differs, Some(true)) => Some(Feature::OnlyNumberDiffers),
            (Some(false), NumberFit::Agrees { .. }, Some(true)) => Some(Feature::OnlyNameDiffers),
            (None, NumberFit::Agrees { .. }, Some(true)) => Some(Feature::NumberAndSet),
            _ => None,
        };
        if name == Some(true) && number == (NumberFit::Agrees { total: true }) {
            sink.add(Feature::NameAndNumber, 1.0);
        }
        if let Some(feature) = together {
            sink.add(feature, 1.0);
        }
        let flags = record.flags.get();
        self.year(record, set, sink);
        let asia = set.asia != 0;
        let japanese = asia && self.catalogue.language(record.language) == "japanese";
        if self.query.hinted && asia && self.query.language == Language::Unsaid {
            sink.add(Feature::LanguageHinted, 1.0);
        }
        match self.query.language {
            Language::Unsaid if asia && self.query.alone => sink.add(Feature::LanguageAlone, 1.0),
            Language::Unsaid if asia => sink.add(Feature::LanguageUnsaid, 1.0),
            Language::Unsaid => {}
            Language::International => sink.add(if asia { Feature::LanguageDiffers } else { Feature::LanguageAgrees }, 1.0),
            Language::Japanese if japanese => sink.add(Feature::LanguageAgrees, 1.0),
            Language::Japanese => sink.add(Feature::LanguageDiffers, if asia { 0.6 } else { 1.0 }),
            Language::OtherAsian => sink.add(if asia { Feature::LanguageAgrees } else { Feature::LanguageDiffers }, 1.0),
        }
        if self.query.rarity {
            let has = |number: u8| number != 0 && self.query.rarities[number as usize / 64] & (1 << (number % 64)) != 0;
            if has(record.rarity) || has(record.mark) {
                sink.add(Feature::RarityAgrees, self.query.rarity_idf);
            } else if !self.catalogue.rarity(record.rarity).is_empty() || !self.catalogue.rarity(record.mark).is_empty() {
                // sellers call anything rare or ultra rare
                sink.add(Feature::RarityDiffers, if self.query.rarity_vague { 0.2 } else { 1.0 });
            }
        }
        if flags & card_flag::PRINTINGS != 0 {
            if let Some(finish) = self.query.finish {
                let good = match finish {
                    Finish::Holo => card_flag::HOLO,
                    Finish::Reverse => card_flag::REVERSE,
                    Finish::Plain => card_flag::NORMAL,
                };
                sink.add(if flags & good != 0 { Feature::FinishAgrees } else { Feature::FinishDiffers }, 1.0);
            }
            // few sets were printed in it: what is rarer says more
            let edition = self.query.edition.map(|edition| match edition {
                Edition::First => (card_flag::FIRST, 1.5),
                Edition::Unlimited => (card_flag::FIRST, 1.0),
                Edition::Shadowless => (card_flag::SHADOWLESS, 5.0),
            });
            let no_rarity = self.query.no_rarity.then_some((card_flag::NO_RARITY, 5.0));
            for (good, nats) in edition.into_iter().chain(no_rarity) {
                if flags & good != 0 {
                    sink.add(Feature::EditionAgrees, nats);
                } else {
                    sink.add(Feature::EditionDiffers, if nats > 2.0 { 2.0 } else { 1.0 });
                }
            }
        }
        if self.query.secret {
            let special = flags & card_flag::ABOVE != 0;
            sink.add(if special { Feature::SecretAgrees } else { Feature::SecretDiffers }, 1.0);
        }
        if self.query.alternate && record.illustrator.get() != 0 {
            sink.add(if flags & card_flag::ALTERNATE != 0 { Feature::AltAgrees } else { Feature::AltDiffers }, 1.0);
        }
        if self.query.promo {
            let promo = set.flags & set_flag::PROMO != 0 || self.catalogue.rarity(record.rarity).eq_ignore_ascii_case("promo");
            sink.add(if promo { Feature::PromoAgrees } else { Feature::PromoDiffers }, 1.0);
        }
        if !self.query.words.is_empty() {
            match self.catalogue.shared_words(record, &self.query.words) {
                Some(shared) => sink.add(Feature::OriginAgrees, shared),
                // a printed number says more than what sources tell of its origin
                // of many promos sources do not tell the origin
                None if self.query.campaign && number != (NumberFit::Agrees { total: true }) => {
                    let untold = set.flags & set_flag::PROMO != 0 && self.catalogue.product(record).is_empty();
                    sink.add(Feature::OriginDiffers, if untold { 0.3 } else { 1.0 });
                }
                None => {}
            }
        }
        if let Some(&(_, idf)) = self.query.artists.iter().find(|(artist, _)| record.illustrator.get() == *artist && *artist != 0) {
            sink.add(Feature::ArtistAgrees, idf);
        }
        if self.query.hp != 0 && record.hp != 0 {
            sink.add(if self.query.hp == record.hp { Feature::HpAgrees } else { Feature::HpDiffers }, 1.0);
        }
        let named = name == Some(true) || name.is_none() && matches!(number, NumberFit::Agrees { .. });
        !asia && named && !matches!(number, NumberFit::Differs | NumberFit::TotalOff) && named_set != Some(false)
    }

    /// Evidence of the year: of the product that the card came with, else of its set's release.
    fn year(&self, record: &CardRecord, set: &SetRecord, sink: &mut impl Sink) {
        if self.query.years.is_empty() {
            return;
        }
        let promo = set.flags & set_flag::PROMO != 0;
        let released = (set.released.get() / 10_000) as i32;
        let (year, span) = match self.catalogue.product_year(record) {
            Some(year) => (i32::from(year), 0..=0),
            None if released == 0 => return,
            // promos come out over years under one date
            None if promo => (released, PROMO_YEARS),
            None => (released, 0..=0),
        };
        let off = |y: &u16| {
            let late = i32::from(*y) - year;
            (late - span.end()).max(span.start() - late).max(0)
        };
        // sellers take the year of the copyright, or of another printing, for that of the set
        match self.query.years.iter().map(off).min() {
            Some(0) if !span.contains(&1) => sink.add(Feature::YearAgrees, 1.0),
            Some(0) => sink.add(Feature::YearNear, 1.0),
            Some(1) if !span.contains(&1) => sink.add(Feature::YearNear, 1.0),
            Some(2) => sink.add(Feature::YearDiffers, 0.6),
            _ => sink.add(Feature::YearDiffers, 1.0),
        }
    }

    /// Evidence of the name; whether its core agrees, where the title names one.
    fn name(&self, record: &CardRecord, sink: &mut impl Sink) -> Option<bool> {
        let name = self.catalogue.name_record(record)?;
        let core = self.catalogue.cores.get(name.core.get() as usize)?;
        let card_marks = name.marks();
        let mut best: Option<(f32, &NameClue)> = None;
        for clue in self.query.names.iter().filter(|c| c.core == name.core.get()) {
            let exact = clue.name == Some(record.name.get());
            let marks = clue.marks.union(self.query.marks);
            let off = card_marks.minus(marks).count() + clue.marks.minus(clue.shared).minus(card_marks).count();
            let worth = f32::from(u8::from(exact)) * 2.0 + f32::from(u8::from(clue.chosen)) * 1.5 - off as f32 * 0.5
                + (clue.end - clue.at) as f32 * 0.05;
            if best.is_none_or(|(w, _)| worth > w) {
                best = Some((worth, clue));
            }
        }
        let Some((_, clue)) = best else {
            return self.other_name(name.core.get(), core, card_marks, sink);
        };
        let exact = clue.name == Some(record.name.get());
        sink.add(Feature::NameAgrees, if exact { clue.whole_idf } else { clue.idf });
        match clue.quality {
            NameQuality::Misspelt | NameQuality::Fuzzy => sink.add(Feature::NameMisspelt, clue.slips),
            NameQuality::Nickname => sink.add(Feature::NameNickname, 1.0),
            _ => {}
        }
        if !clue.chosen {
            sink.add(Feature::NameAlternative, 1.0);
        }
        let stated = clue.marks.union(self.query.marks);
        let missing = card_marks.minus(stated).minus(self.query.doubted);
        let missing = if missing == Marks::default() { 0 } else { missing.minus(self.implied_marks(record, name)).count() };
        // some marks are a rarity of the catalogue, not a part of the name: `Mew Prime` is a `Mew`, rare as `Rare PRIME`
        let worn = card_marks.union(self.rarity_marks.get(record.rarity as usize).copied().unwrap_or_default());
        // `Crystal Golem`: a mark that no name of this core has describes the card, and contradicts none
        let known = self.core_marks.get(name.core.get() as usize).copied().unwrap_or_default();
        let extra = clue.marks.minus(clue.shared).union(self.query.marks).minus(worn).common(known).count();
        if missing > 0 {
            sink.add(Feature::MarkMissing, missing as f32);
        }
        if extra > 0 {
            sink.add(Feature::MarkExtra, extra as f32);
        }
        let doubted = self.query.doubted.minus(card_marks).count();
        if doubted > 0 {
            sink.add(Feature::MarkDoubted, doubted as f32);
        }
        if name.rest.get() != 0 && !exact {
            let rest = self.catalogue.string(name.rest).as_bytes();
            let stands = rest.len() > 2 && self.line.key().windows(rest.len()).any(|w| w == rest);
            sink.add(if stands { Feature::RestAgrees } else { Feature::RestMissing }, 1.0);
        } else if !exact && clue.rest {
            sink.add(Feature::RestExtra, 1.0);
        }
        Some(true)
    }

    /// The marks that go without saying: where the title names the card's set, those that all its cards of that core have.
    fn implied_marks(&self, record: &CardRecord, name: &NameRecord) -> Marks {
        let set = u32::from(record.set.get());
        let member = |c: &SetClue| self.catalogue.entries(c.place).any(|e| e.kind() == EntryKind::Set && e.id() == set && e.quality() < 4);
        if !self.query.sets.iter().any(|c| c.chosen && member(c)) {
            return Marks::default();
        }
        let twins = self.catalogue.cards_of_core(name.core.get()).iter().filter_map(|c| self.catalogue.card_record(c.get()));
        let marks = twins.filter(|c| c.set == record.set).filter_map(|c| self.catalogue.name_record(c)).map(NameRecord::marks);
        marks.reduce(Marks::common).unwrap_or_default()
    }

    /// No reading names this card's core: a part of a pair, a misspelling, or another card.
    fn other_name(&self, number: u32, core: &CoreRecord, marks: Marks, sink: &mut impl Sink) -> Option<bool> {
        let pair = core.dex[1].get() != 0;
        if pair {
            let named = |dex: u16| self.catalogue.core_of_species(dex).is_some_and(|c| self.query.names.iter().any(|n| n.core == c));
            let all = core.dex.iter().map(|d| d.get()).filter(|&d| d != 0);
            let (hits, of) = all.fold((0, 0), |(h, n), d| (h + u32::from(named(d)), n + 1));
            if hits > 0 {
                let cards = self.catalogue.card_count().max(1) as f32;
                let idf = information(cards, core.count.get());
                sink.add(if hits == of { Feature::NameAgrees } else { Feature::NamePart }, idf);
                let extra = self.query.marks.minus(marks).count();
                if extra > 0 {
                    sink.add(Feature::MarkExtra, extra as f32);
                }
                return (hits == of).then_some(true);
            }
        }
        if let Ok(at) = self.query.alike.binary_search_by_key(&number, |a| a.0) {
            let cards = self.catalogue.card_count().max(1) as f32;
            sink.add(Feature::NameFuzzy, information(cards, core.count.get()) * self.query.alike[at].1);
            return Some(true);
        }
        if self.query.names.iter().any(|n| n.chosen && n.species) {
            sink.add(Feature::NameDiffers, 1.0);
            return Some(false);
        }
        if self.query.names.iter().any(|n| n.chosen) {
            sink.add(Feature::ThingDiffers, 1.0);
        }
        None
    }

    /// Evidence of the number, and whether it agrees.
    fn number(&self, record: &CardRecord, sink: &mut impl Sink) -> NumberFit {
        let mut best: Option<(f32, Pieces)> = None;
        for clue in &self.query.numbers {
            let (found, len) = self.number_evidence(record, clue);
            let worth: f32 = found[..len].iter().map(|&(f, v)| self.weights.of(f) * v).sum();
            if len > 0 && best.as_ref().is_none_or(|(w, _)| worth > *w) {
                best = Some((worth, (found, len)));
            }
        }
        let Some((_, (found, len))) = best else { return NumberFit::Silent };
        let found = &found[..len];
        for &(feature, value) in found {
            sink.add(feature, value);
        }
        let any = |what: &[Feature]| found.iter().any(|(f, _)| what.contains(f));
        if any(&[Feature::NumberDiffers, Feature::PrefixedDiffers, Feature::DexDiffers, Feature::BareDiffers]) {
            NumberFit::Differs
        } else if any(&[Feature::TotalDiffers, Feature::TotalNear]) {
            NumberFit::TotalOff
        } else if len == 1 && any(&[Feature::NumberTotalAgree, Feature::NumberAgrees, Feature::DexAgrees, Feature::DigitsAgree]) {
            NumberFit::Agrees { total: any(&[Feature::NumberTotalAgree]) }
        } else {
            NumberFit::Silent
        }
    }

    /// The count that the cards of its set print; 0 where they print none.
    fn official(&self, record: &CardRecord) -> u16 {
        self.catalogue.set_record(record).map_or(0, |s| s.official.get())
    }

    /// At most two pieces of evidence of one number.
    fn number_evidence(&self, record: &CardRecord, clue: &NumberClue) -> Pieces {
        let one = |feature: Feature, value: f32| ([(feature, value), (feature, 0.0)], 1);
        let two = |a: (Feature, f32), b: (Feature, f32)| ([a, b], 2);
        let nothing = ([(Feature::NumberAgrees, 0.0); 2], 0);
        let name = self.catalogue.name_record(record);
        let dex = name.and_then(|n| self.catalogue.cores.get(n.core.get() as usize)).map_or([0; 3], |c| c.dex.map(|d| d.get()));
        let is_dex = clue.digits != 0 && dex.contains(&clue.digits);
        let number = record.number.get();
        if number == NONE16 || record.flags.get() & card_flag::UNPRINTED != 0 {
            return match clue.kind {
                _ if is_dex && !clue.has_total => one(Feature::DexAgrees, 1.0),
                NumberKind::Fraction => one(Feature::NumberUnprinted, 1.0),
                NumberKind::Bare | NumberKind::Total => nothing,
                NumberKind::Prefixed => one(Feature::PrefixedDiffers, 1.0),
                NumberKind::Hash | NumberKind::Dex => one(Feature::DexDiffers, 1.0),
            };
        }
        let same = clue.number == Some(number);
        match clue.kind {
            NumberKind::Fraction => {
                let total = record.total.get();
                match (same, clue.total == Some(total) && total != NONE16) {
                    (true, true) => one(Feature::NumberTotalAgree, clue.idf_pair),
                    // promos and the cards of a subset, by the count of the set: `49/53`, `H4/147`
                    (true, false) if self.official(record) == clue.total_digits && clue.total_digits != 0 => {
                        one(Feature::NumberAgrees, clue.idf)
                    }
                    (true, false) if near(self.catalogue.string(record.total_text), clue.total_digits) => {
                        two((Feature::NumberAgrees, clue.idf), (Feature::TotalNear, 1.0))
                    }
                    (true, false) if total == NONE16 => two((Feature::NumberAgrees, clue.idf), (Feature::TotalUnprinted, 1.0)),
                    (true, false) => two((Feature::NumberAgrees, clue.idf), (Feature::TotalDiffers, 1.0)),
                    // most cards of a set share its total: beside another number it says little
                    (false, true) => two((Feature::TotalAgrees, clue.idf_total * 0.2), (Feature::NumberDiffers, 1.0)),
                    (false, false) => two((Feature::NumberDiffers, 1.0), (Feature::TotalDiffers, 0.5)),
                }
            }
            NumberKind::Prefixed if same => one(Feature::NumberAgrees, clue.idf),
            NumberKind::Prefixed => one(Feature::PrefixedDiffers, 1.0),
            NumberKind::Hash | NumberKind::Dex if same => one(Feature::NumberAgrees, clue.idf),
            NumberKind::Hash | NumberKind::Dex => {
                let text = self.catalogue.string(record.number_text);
                let letters = text.bytes().take_while(|b| !b.is_ascii_digit()).count();
                if letters > 0 && text[letters..].parse::<u16>() == Ok(clue.digits) {
                    one(Feature::DigitsAgree, clue.idf)
                } else if clue.kind == NumberKind::Dex && is_dex {
                    one(Feature::DexAgrees, 0.5)
                } else {
                    one(Feature::NumberDiffers, 1.0)
                }
            }
            NumberKind::Total if clue.total == Some(record.total.get()) => one(Feature::TotalAgrees, clue.idf_total),
            NumberKind::Total => one(Feature::TotalDiffers, 1.0),
            NumberKind::Bare if same => one(Feature::BareAgrees, clue.idf),
            NumberKind::Bare if self.query.bare_beside && clue.beside && !is_dex => one(Feature::BareDiffers, 1.0),
            NumberKind::Bare => nothing,
        }
    }

    /// Evidence of the set; whether it agrees, where the title names one.
    fn set(&self, record: &CardRecord, sink: &mut impl Sink) -> Option<bool> {
        let mut agrees: Option<(f32, Feature, f32, &SetClue)> = None;
        let mut differs: Option<(f32, Feature)> = None;
        let sets = self.catalogue.set_count().max(1) as f32;
        for clue in &self.query.sets {
            let member = self.catalogue.entries(clue.place).find(|e| e.kind() == EntryKind::Set && e.id() == u32::from(record.set.get()));
            if let Some(entry) = member {
                let (feature, count) = match entry.quality() {
                    0..=2 => (Feature::SetAgrees, clue.sets),
                    3 => (Feature::CodeAgrees, clue.sets),
                    _ => (Feature::FamilyAgrees, clue.all),
                };
                let value = information(sets, u32::from(count)) * if clue.chosen { 1.0 } else { 0.6 };
                let worth = self.weights.of(feature) * value;
                if agrees.as_ref().is_none_or(|(w, ..)| worth > *w) {
                    agrees = Some((worth, feature, value, clue));
                }
            } else if clue.chosen && !(clue.family && self.set_series(record).is_empty()) {
                let feature = match clue.kind {
                    _ if clue.family => Feature::FamilyDiffers,
                    0..=2 => Feature::SetDiffers,
                    3 => Feature::CodeDiffers,
                    _ => Feature::FamilyDiffers,
                };
                let worth = self.weights.of(feature);
                if differs.is_none_or(|(w, _)| worth < w) {
                    differs = Some((worth, feature));
                }
            }
        }
        match (agrees, differs) {
            // words that another reading has taken do not outweigh a set that is named
            (Some((_, feature, value, clue)), _) if clue.chosen || differs.is_none() => {
                sink.add(feature, value);
                // the same words may name several: only others contradict
                let named = |c: &&SetClue| c.chosen && c.kind < 3 && !c.family && (c.end <= clue.at || clue.end <= c.at);
                let member = |c: &SetClue| {
                    self.catalogue.entries(c.place).any(|e| e.kind() == EntryKind::Set && e.id() == u32::from(record.set.get()))
                };
                let others = self.query.sets.iter().filter(named).filter(|c| !member(c)).count();
                if others > 0 {
                    sink.add(Feature::SetAlsoNamed, others as f32);
                }
                (feature != Feature::FamilyAgrees).then_some(true)
            }
            (_, Some((_, feature))) => {
                if let Some(value) = self.related(record) {
                    sink.add(Feature::SetAgrees, value * RELATED);
                    return Some(true);
                }
                sink.add(feature, 1.0);
                Some(false)
            }
            _ => None,
        }
    }

    /// The series of the card's set; empty where the source has none.
    fn set_series(&self, record: &CardRecord) -> &str {
        self.catalogue.set_record(record).map_or("", |s| self.catalogue.string(s.series))
    }

    /// Information of agreeing with a set that is a part of the card's, or that the card's is a part of (`swsh12` and `swsh12tg`).
    fn related(&self, record: &CardRecord) -> Option<f32> {
        let set = self.catalogue.set_record(record)?;
        let id = self.catalogue.string(set.id);
        let sets = self.catalogue.set_count().max(1) as f32;
        let clue = self.query.sets.iter().filter(|c| c.chosen).find(|clue| {
            self.catalogue.entries(clue.place).filter(|e| e.kind() == EntryKind::Set).any(|e| {
                let other = self.catalogue.sets.get(e.id() as usize).map_or("", |s| self.catalogue.string(s.id));
                let (short, long) = if id.len() < other.len() { (id, other) } else { (other, id) };
                long.strip_prefix(short)
                    .is_some_and(|tail| !tail.is_empty() && short.len() > 3 && tail.bytes().all(|b| b.is_ascii_alphabetic()))
            })
        })?;
        Some(information(sets, u32::from(clue.sets)))
    }
}

/// Whether a total is one slip of a finger away from the one that is printed.
fn near(printed: &str, stated: u16) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    // of one digit any other is a slip away
    stated > 9 && printed.len() > 1 && digits(printed) && strsim::osa_distance(printed.trim_start_matches('0'), &stated.to_string()) == 1
}
