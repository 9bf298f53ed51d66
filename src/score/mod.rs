//! Candidates → [`Ranked`]: evidence added up, and turned into probabilities that leave room for "none of ours".
//!
//! A sum of log-odds against a card drawn at random (Fellegi and Sunter 1969), with the information of each agreement in place of a
//! constant, so that what is common says little.

pub mod features;
pub(crate) mod math;
pub(crate) mod query;
#[cfg(feature = "train")]
pub mod train;
pub mod weights;

use crate::catalogue::format::{CardRecord, CoreRecord, NONE16, card_flag, set_flag};
use crate::catalogue::naming::Marks;
use crate::catalogue::{Catalogue, EntryKind, NameQuality};
use crate::extract::number::NumberKind;
use crate::token::Line;
use features::Feature;
use math::{exp, information, ln};
use query::{Edition, Finish, Language, NameClue, NumberClue, Query};
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

/// Names are compared letter by letter only where they may be a misspelling: this share of letters must agree.
const FUZZY_FLOOR: f64 = 0.72;
/// Shorter words are too often like another.
const FUZZY_LETTERS: usize = 4;

impl Scorer<'_, '_> {
    /// Scores `candidates` and gives each its probability; returns that of "none of ours".
    pub(crate) fn rank(&self, candidates: &[u32], out: &mut Vec<Ranked>) -> f64 {
        out.clear();
        for &card in candidates {
            let mut sum = Sum { weights: self.weights, total: 0.0 };
            self.compare(card, &mut sum);
            out.push(Ranked { card, score: sum.total, probability: 0.0 });
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
        rest / total
    }

    /// The evidence for and against one card.
    pub(crate) fn evidence(&self, card: u32) -> Vec<(Feature, f32)> {
        let mut list = Vec::new();
        self.compare(card, &mut list);
        list
    }

    fn compare(&self, card: u32, sink: &mut impl Sink) {
        let Some(record) = self.catalogue.card_record(card) else { return };
        let Some(set) = self.catalogue.set_record(record) else { return };
        if self.query.cards.contains(&card) {
            sink.add(Feature::NicknameCard, 1.0);
        }
        let name_agrees = self.name(record, sink);
        let number = self.number(record, sink);
        let set_agrees = self.set(record, sink);
        // agreements by chance do not come together
        if name_agrees && number == Some(Feature::NumberTotalAgree) {
            sink.add(Feature::NameAndNumber, 1.0);
        }
        if number.is_some() && set_agrees {
            sink.add(if name_agrees { Feature::AllAgree } else { Feature::NumberAndSet }, 1.0);
        }
        let flags = record.flags.get();
        let released = (set.released.get() / 10_000) as i32;
        if let (false, false) = (self.query.years.is_empty(), released == 0) {
            let off = self.query.years.iter().map(|&y| (i32::from(y) - released).abs()).min().unwrap_or(0);
            match off {
                0 => sink.add(Feature::YearAgrees, 1.0),
                1 => sink.add(Feature::YearNear, 1.0),
                _ if set.flags & set_flag::PROMO != 0 => {}
                _ => sink.add(Feature::YearDiffers, 1.0),
            }
        }
        let asia = set.asia != 0;
        let japanese = asia && self.catalogue.language(record.language) == "japanese";
        match self.query.language {
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
        if !self.query.words.is_empty()
            && let Some(shared) = self.catalogue.shared_words(record, &self.query.words)
        {
            sink.add(Feature::OriginAgrees, shared);
        }
        if let Some(&(_, idf)) = self.query.artists.iter().find(|(artist, _)| record.illustrator.get() == *artist && *artist != 0) {
            sink.add(Feature::ArtistAgrees, idf);
        }
        if self.query.hp != 0 && record.hp != 0 {
            sink.add(if self.query.hp == record.hp { Feature::HpAgrees } else { Feature::HpDiffers }, 1.0);
        }
    }

    /// Evidence of the name; whether its core agrees.
    fn name(&self, record: &CardRecord, sink: &mut impl Sink) -> bool {
        let Some(name) = self.catalogue.name_record(record) else { return false };
        let Some(core) = self.catalogue.cores.get(name.core.get() as usize) else { return false };
        let card_marks = name.marks();
        let mut best: Option<(f32, &NameClue)> = None;
        for clue in self.query.names.iter().filter(|c| c.core == name.core.get()) {
            let exact = clue.name == Some(record.name.get());
            let marks = clue.marks.union(self.query.marks);
            let off = card_marks.minus(marks).count() + clue.marks.minus(card_marks).count();
            let worth = f32::from(u8::from(exact)) * 2.0 + f32::from(u8::from(clue.chosen)) * 1.5 - off as f32 * 0.5
                + (clue.end - clue.at) as f32 * 0.05;
            if best.is_none_or(|(w, _)| worth > w) {
                best = Some((worth, clue));
            }
        }
        let Some((_, clue)) = best else {
            return self.other_name(core, card_marks, sink);
        };
        let exact = clue.name == Some(record.name.get());
        sink.add(Feature::NameAgrees, if exact { clue.whole_idf } else { clue.idf });
        match clue.quality {
            NameQuality::Misspelt => sink.add(Feature::NameMisspelt, 1.0),
            NameQuality::Nickname => sink.add(Feature::NameNickname, 1.0),
            _ => {}
        }
        if !clue.chosen {
            sink.add(Feature::NameAlternative, 1.0);
        }
        let stated = clue.marks.union(self.query.marks);
        let missing = card_marks.minus(stated).minus(self.query.doubted).count();
        // some marks are a rarity of the catalogue, not a part of the name: `Mew Prime` is a `Mew`, rare as `Rare PRIME`
        let worn = card_marks.union(self.rarity_marks.get(record.rarity as usize).copied().unwrap_or_default());
        // `Crystal Golem`: a mark that no name of this core has describes the card, and contradicts none
        let known = self.core_marks.get(name.core.get() as usize).copied().unwrap_or_default();
        let extra = clue.marks.union(self.query.marks).minus(worn).common(known).count();
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
        true
    }

    /// No reading names this card's core: a part of a pair, a misspelling, or another card.
    fn other_name(&self, core: &CoreRecord, marks: Marks, sink: &mut impl Sink) -> bool {
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
                return hits == of;
            }
        }
        let key = self.catalogue.string(core.key);
        let mut like = 0.0f64;
        for &(at, end) in &self.query.unread {
            let word = self.line.text(at as usize, end as usize);
            let (a, b) = (word.chars().count(), key.chars().count());
            if a >= FUZZY_LETTERS && a.abs_diff(b) <= 2 {
                like = like.max(strsim::normalized_damerau_levenshtein(word, key));
            }
        }
        if like >= FUZZY_FLOOR {
            let cards = self.catalogue.card_count().max(1) as f32;
            let idf = information(cards, core.count.get());
            sink.add(Feature::NameFuzzy, idf * (like as f32));
            return true;
        }
        if self.query.names.iter().any(|n| n.chosen && n.species) {
            sink.add(Feature::NameDiffers, 1.0);
        } else if self.query.names.iter().any(|n| n.chosen) {
            sink.add(Feature::ThingDiffers, 1.0);
        }
        false
    }

    /// Evidence of the number; the kind of agreement, where it agrees and no total differs.
    fn number(&self, record: &CardRecord, sink: &mut impl Sink) -> Option<Feature> {
        let mut best: Option<(f32, Pieces)> = None;
        for clue in &self.query.numbers {
            let (found, len) = self.number_evidence(record, clue);
            let worth: f32 = found[..len].iter().map(|&(f, v)| self.weights.of(f) * v).sum();
            if len > 0 && best.as_ref().is_none_or(|(w, _)| worth > *w) {
                best = Some((worth, (found, len)));
            }
        }
        let (_, (found, len)) = best?;
        for &(feature, value) in &found[..len] {
            sink.add(feature, value);
        }
        match found[0].0 {
            agrees @ (Feature::NumberTotalAgree | Feature::NumberAgrees | Feature::DexAgrees | Feature::DigitsAgree) if len == 1 => {
                Some(agrees)
            }
            _ => None,
        }
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
            NumberKind::Bare => nothing,
        }
    }

    /// Evidence of the set; whether it agrees.
    fn set(&self, record: &CardRecord, sink: &mut impl Sink) -> bool {
        let mut agrees: Option<(f32, Feature, f32, bool)> = None;
        let mut differs: Option<(f32, Feature)> = None;
        let mut others = 0;
        let sets = self.catalogue.set_count().max(1) as f32;
        for clue in &self.query.sets {
            let member = self.catalogue.entries(clue.place).any(|e| e.kind() == EntryKind::Set && e.id() == u32::from(record.set.get()));
            let (yes, no) = match clue.kind {
                0..=2 => (Feature::SetAgrees, Feature::SetDiffers),
                3 => (Feature::CodeAgrees, Feature::CodeDiffers),
                _ => (Feature::FamilyAgrees, Feature::FamilyDiffers),
            };
            if member {
                let idf = information(sets, u32::from(clue.sets));
                let value = idf * if clue.chosen { 1.0 } else { 0.6 };
                let worth = self.weights.of(yes) * value;
                if agrees.is_none_or(|(w, ..)| worth > w) {
                    agrees = Some((worth, yes, value, clue.chosen));
                }
            } else if clue.chosen {
                others += u32::from(clue.kind < 3);
                let worth = self.weights.of(no);
                if differs.is_none_or(|(w, _)| worth < w) {
                    differs = Some((worth, no));
                }
            }
        }
        match (agrees, differs) {
            // words that another reading has taken do not outweigh a set that is named
            (Some((_, feature, value, chosen)), _) if chosen || differs.is_none() => {
                sink.add(feature, value);
                if others > 0 {
                    sink.add(Feature::SetAlsoNamed, others as f32);
                }
                feature != Feature::FamilyAgrees
            }
            (_, Some((_, feature))) => {
                let related = self.related(record);
                sink.add(if related { Feature::SetRelated } else { feature }, 1.0);
                related
            }
            _ => false,
        }
    }

    /// Whether a set that the title names is a part of the card's, or the card's a part of it (`swsh12` and `swsh12tg`).
    fn related(&self, record: &CardRecord) -> bool {
        let Some(set) = self.catalogue.set_record(record) else { return false };
        let id = self.catalogue.string(set.id);
        self.query.sets.iter().filter(|c| c.chosen).any(|clue| {
            self.catalogue.entries(clue.place).filter(|e| e.kind() == EntryKind::Set).any(|e| {
                let other = self.catalogue.sets.get(e.id() as usize).map_or("", |s| self.catalogue.string(s.id));
                let (short, long) = if id.len() < other.len() { (id, other) } else { (other, id) };
                long.strip_prefix(short)
                    .is_some_and(|tail| !tail.is_empty() && short.len() > 3 && tail.bytes().all(|b| b.is_ascii_alphabetic()))
            })
        })
    }
}
