//! Evidence of the number: its shape, its total, and what of it a card prints.

use super::features::Feature;
use super::query::NumberClue;
use super::{Scorer, Sink};
use crate::catalogue::format::{CardRecord, NONE16, SetRecord, card_flag};
use crate::extract::number::NumberKind;

/// How the numbers of a title and a card fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberFit {
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

impl Scorer<'_, '_> {
    /// Evidence of the number, and whether it agrees.
    pub(super) fn number(&self, record: &CardRecord, set: &SetRecord, sink: &mut impl Sink) -> NumberFit {
        let mut best: Option<(f32, Pieces)> = None;
        for clue in &self.query.numbers {
            let (found, len) = self.number_evidence(record, set, clue);
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

    /// At most two pieces of evidence of one number.
    fn number_evidence(&self, record: &CardRecord, set: &SetRecord, clue: &NumberClue) -> Pieces {
        let one = |feature: Feature, value: f32| ([(feature, value), (feature, 0.0)], 1);
        let two = |a: (Feature, f32), b: (Feature, f32)| ([a, b], 2);
        let nothing = ([(Feature::NumberAgrees, 0.0); 2], 0);
        let is_dex = || {
            let core = self.catalogue.name_record(record).and_then(|n| self.catalogue.cores.get(n.core.get() as usize));
            clue.digits != 0 && core.is_some_and(|c| c.dex.iter().any(|d| d.get() == clue.digits))
        };
        let number = record.number.get();
        if number == NONE16 || record.flags.get() & card_flag::UNPRINTED != 0 {
            return match clue.kind {
                _ if !clue.has_total && is_dex() => one(Feature::DexAgrees, 1.0),
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
                    (true, false) if set.official.get() == clue.total_digits && clue.total_digits != 0 => {
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
                } else if clue.kind == NumberKind::Dex && is_dex() {
                    one(Feature::DexAgrees, 0.5)
                } else {
                    one(Feature::NumberDiffers, 1.0)
                }
            }
            NumberKind::Total if clue.total == Some(record.total.get()) => one(Feature::TotalAgrees, clue.idf_total),
            NumberKind::Total => one(Feature::TotalDiffers, 1.0),
            NumberKind::Bare if same => one(Feature::BareAgrees, clue.idf),
            NumberKind::Bare if self.query.bare_beside && clue.beside && !is_dex() => one(Feature::BareDiffers, 1.0),
            NumberKind::Bare => nothing,
        }
    }
}

/// Whether a total is one slip of a finger away from the one that is printed.
fn near(printed: &str, stated: u16) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    // of one digit any other is a slip away
    stated > 9 && printed.len() > 1 && digits(printed) && strsim::osa_distance(printed.trim_start_matches('0'), &stated.to_string()) == 1
}
