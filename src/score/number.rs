//! Evidence of the number: its shape, its total, and what of it a card prints.

use super::features::Feature;
use super::query::NumberClue;
use super::{Scorer, Sink};
use crate::catalogue::format::{CardRecord, NONE, card_flag};
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
    pub(super) fn number(&self, record: &CardRecord, sink: &mut impl Sink) -> NumberFit {
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
        if number == NONE || record.flags.get() & card_flag::UNPRINTED != 0 {
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
                match (same, clue.total == Some(total) && total != NONE) {
                    (true, true) => one(Feature::NumberTotalAgree, clue.idf_pair),
                    // promos and the cards of a subset, by the count of the set: `49/53`, `H4/147`
                    (true, false) if self.official(record) == clue.total_digits && clue.total_digits != 0 => {
                        one(Feature::NumberAgrees, clue.idf)
                    }
                    (true, false) if near(self.catalogue.total_text(record), clue.total_digits) => {
                        two((Feature::NumberAgrees, clue.idf), (Feature::TotalNear, 1.0))
                    }
                    (true, false) if total == NONE => two((Feature::NumberAgrees, clue.idf), (Feature::TotalUnprinted, 1.0)),
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
                let text = self.catalogue.number_text(record);
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
}

/// Whether a total is one slip of a finger away from the one that is printed.
fn near(printed: &str, stated: u16) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    // of one digit any other is a slip away
    stated > 9 && printed.len() > 1 && digits(printed) && strsim::osa_distance(printed.trim_start_matches('0'), &stated.to_string()) == 1
}
