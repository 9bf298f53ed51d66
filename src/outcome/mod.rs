//! Decides what is being sold: one card, several, a sealed product, something else, or a card of a
//! kind that no catalogue holds.
//!
//! The signs of a title are weighed for each class against one card; a softmax over the classes
//! gives their probabilities. Those of the candidates share out what one card has.

pub(crate) mod class;
mod facts;
mod named;
mod questions;
mod signs;
mod table;
pub(crate) mod weights;
mod words;

use crate::answer::{Evidence, LogOdds, OutcomeType};
use crate::attributes::language::Language;
use crate::calibrate::Ranked;
use crate::findings::Findings;
use crate::math::exp;
use crate::options::Options;
use crate::parsed::Kind;
use crate::score::OTHER_FURTHER_REGION;
use crate::score::features::Feature;
use class::Class;
use facts::Facts;
use signs::Signs;
use weights::OutcomeWeights;

/// The kind of listing, and the confidence in it.
pub(crate) struct Decision {
    pub(crate) kind: Kind,
    pub(crate) outcome: OutcomeType,
    /// Probability that it is right.
    pub(crate) confidence: f64,
    /// The number of candidates, from the best on, that an ambiguous title may mean; else 0.
    pub(crate) rivals: usize,
    /// The signs that speak for the outcome and against it, strongest first, where it is no single
    /// card of the catalogue; none for a brief answer.
    pub(crate) evidence: Vec<Evidence>,
}

/// Below this share of the probability of all cards together, the best card does not stand out from
/// a rival.
const STANDS_OUT: f64 = 0.6;
/// Below this share it does not stand out from all the others together.
const HALF: f64 = 0.5;
/// A card below this share of the best card's probability is not a rival.
const RIVAL: f64 = 0.25;
/// The most rivals that are distinguished.
const MAX_RIVALS: usize = 16;

/// Decides what is being sold.
pub(crate) fn decide(
    findings: &Findings<'_, '_>,
    weights: &OutcomeWeights,
    options: &Options,
) -> Decision {
    let signs = Signs::of(&Facts::of(findings));
    let top = findings.ranked.first().map_or(0.0, |r| r.probability);
    let ours = (1.0 - findings.nil).max(LEAST_OURS);
    let second = findings.ranked.get(1).map_or(0.0, |r| r.probability);
    let ambiguous = top / ours < STANDS_OUT && second > top * RIVAL
        || top / ours < HALF
        || contradicted(findings) && findings.nil <= REFUSE;
    let shares = Shares::of(&signs, weights);
    let (kind, outcome, confidence) = shares.decide(&signs, top, findings.nil, ambiguous);
    let rivals = || {
        let likely = |r: &&Ranked| r.probability > top * RIVAL;
        findings
            .ranked
            .iter()
            .take(MAX_RIVALS)
            .take_while(likely)
            .count()
    };
    Decision {
        kind,
        outcome,
        confidence,
        rivals: if outcome == OutcomeType::Ambiguous {
            rivals()
        } else {
            0
        },
        evidence: shares
            .likeliest
            .filter(|_| !options.brief)
            .map_or_else(Vec::new, |class| evidence(class, &signs, weights)),
    }
}

/// The signs for and against a class, strongest first.
fn evidence(class: Class, signs: &Signs, weights: &OutcomeWeights) -> Vec<Evidence> {
    let mut evidence: Vec<Evidence> = table::SIGNS
        .iter()
        .zip(&signs.values)
        .map(|(row, value)| (row, weights.of(row.0) * value))
        .filter(|(row, weight)| row.1 == class && *weight != 0.0)
        .map(|(row, weight)| Evidence {
            field: row.3,
            weight: LogOdds::new(weight),
            note: row.5.into(),
        })
        .collect();
    Evidence::sort(&mut evidence);
    evidence
}

/// Whether the title says that the card is Japanese, and the best candidate is not: a card that was
/// never printed so may be named by mistake, or its twin by its number.
fn contradicted(findings: &Findings<'_, '_>) -> bool {
    let differs = |&(feature, value): &(Feature, f32)| {
        feature == Feature::LanguageDiffers && value > OTHER_FURTHER_REGION
    };
    findings.query.language == Language::Japanese && findings.evidence.of(0).iter().any(differs)
}

/// Above this probability of NIL, the title is refused.
const REFUSE: f64 = 0.5;
/// The kind of listing if no card was looked for.
pub(crate) fn kind(findings: &Findings<'_, '_>, weights: &OutcomeWeights) -> Kind {
    let signs = Signs::of(&Facts::of(findings));
    // what names something of a card may be one of the catalogue's
    let nil = if signs.named { 0.0 } else { 1.0 };
    Shares::of(&signs, weights)
        .decide(&signs, 0.0, nil, false)
        .0
}

/// An ambiguous title is at least this sure to be one: the best of two cards has at most the other
/// half.
const LEAST_AMBIGUOUS: f64 = 0.5;
/// The least probability that the catalogue's cards have together, so that shares of it are
/// defined.
const LEAST_OURS: f64 = 1e-9;

/// The probability of each class.
struct Shares {
    /// Of one card.
    single: f64,
    /// The likeliest class, if it is likelier than one card.
    likeliest: Option<Class>,
    /// Its probability.
    share: f64,
}

impl Shares {
    fn of(signs: &Signs, weights: &OutcomeWeights) -> Shares {
        let odds = weights
            .log_odds(&signs.values)
            .map(|odds| exp(f64::from(odds)));
        let total = 1.0 + odds.iter().sum::<f64>();
        // of equal ones the first
        let most = odds.iter().copied().fold(1.0, f64::max);
        let classes = Class::ALL.iter().zip(odds);
        let mut likeliest = classes.filter(|(_, odds)| *odds >= most && *odds > 1.0);
        Shares {
            single: 1.0 / total,
            likeliest: likeliest.next().map(|(class, _)| *class),
            share: most / total,
        }
    }

    /// Kind, outcome and its probability from the classes and the probabilities of the candidates.
    fn decide(
        &self,
        signs: &Signs,
        top: f64,
        nil: f64,
        ambiguous: bool,
    ) -> (Kind, OutcomeType, f64) {
        match self.likeliest {
            Some(Class::Lot) => return (Kind::Lot, OutcomeType::Lot, self.share),
            Some(Class::Sealed) => return (Kind::Sealed, OutcomeType::Sealed, self.share),
            Some(Class::Other) => {
                let outcome = if signs.other_game {
                    OutcomeType::OtherGame
                } else {
                    OutcomeType::NotACard
                };
                return (Kind::Other, outcome, self.share);
            }
            Some(Class::Outside) => {
                return (Kind::Single, OutcomeType::NotInCatalogue, self.share);
            }
            None => {}
        }
        let single = self.single;
        if nil > REFUSE {
            let confidence = nil * single;
            // a title that names nothing of a card is not out-of-catalogue
            let several = signs.speaks_for(Class::Lot);
            // `VSTAR + rainbow cards`
            let named = signs.named && !(several && signs.only_marks);
            if named {
                (Kind::Single, OutcomeType::NotInCatalogue, confidence)
            } else if signs.own_game && signs.one_unnamed && !several {
                // what is not named may be any card
                let outcome = if signs.unread {
                    OutcomeType::NotInCatalogue
                } else {
                    OutcomeType::Ambiguous
                };
                (Kind::Single, outcome, confidence * LEAST_AMBIGUOUS)
            } else if several || signs.own_game && signs.latin {
                (Kind::Lot, OutcomeType::Lot, confidence)
            } else {
                (Kind::Other, OutcomeType::NotACard, confidence)
            }
        } else if ambiguous {
            let confidence = (1.0 - nil) * single * (1.0 - top).max(LEAST_AMBIGUOUS);
            (Kind::Single, OutcomeType::Ambiguous, confidence)
        } else {
            (Kind::Single, OutcomeType::Match, top * single)
        }
    }
}

/// What a fit needs of a title: the values of its signs, in the order of [`Sign`](table::Sign), and
/// the outcome that it has where no class is likeliest.
#[cfg(feature = "train")]
pub(crate) fn observe(findings: &Findings<'_, '_>) -> (Vec<f32>, OutcomeType) {
    let signs = Signs::of(&Facts::of(findings));
    let top = findings.ranked.first().map_or(0.0, |r| r.probability);
    let single = Shares {
        single: 1.0,
        likeliest: None,
        share: 0.0,
    };
    let outcome = single.decide(&signs, top, findings.nil, false).1;
    (signs.values.to_vec(), outcome)
}
