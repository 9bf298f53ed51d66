//! Decides what is being sold: signs of lots, sealed products and other goods, weighed against the
//! signs of one card.

mod facts;
mod signs;

use crate::answer::OutcomeType;
use crate::attributes::language::Language;
use crate::calibrate::Ranked;
use crate::findings::Findings;
use crate::math::squash;
use crate::parsed::Kind;
use crate::score::features::Feature;
use facts::Facts;
use signs::Signs;

/// The kind of listing, and the confidence in it.
pub(crate) struct Decision {
    pub(crate) kind: Kind,
    pub(crate) outcome: OutcomeType,
    /// Probability that it is right.
    pub(crate) confidence: f64,
    /// The number of candidates, from the best on, that an ambiguous title may mean; else 0.
    pub(crate) rivals: usize,
}

/// Below this share of the probability of all cards together, the best card does not stand out from
/// a rival.
const STANDS_OUT: f64 = 0.6;
/// A card below this share of the best card's probability is not a rival.
const RIVAL: f64 = 0.25;
/// The most rivals that are distinguished.
const MAX_RIVALS: usize = 16;

/// Decides what is being sold.
pub(crate) fn decide(findings: &Findings<'_, '_>) -> Decision {
    let signs = Signs::of(&Facts::of(findings));
    let top = findings.ranked.first().map_or(0.0, |r| r.probability);
    let ours = (1.0 - findings.nil).max(LEAST_OURS);
    let second = findings.ranked.get(1).map_or(0.0, |r| r.probability);
    let ambiguous = top / ours < STANDS_OUT && second > top * RIVAL
        || contradicted(findings) && findings.nil <= REFUSE;
    let (kind, outcome, confidence) = weigh(&signs, top, findings.nil, ambiguous);
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
    }
}

/// Whether the title says that the card is Japanese, and the best candidate is not: a card that was
/// never printed so may be named by mistake, or its twin by its number.
fn contradicted(findings: &Findings<'_, '_>) -> bool {
    let differs =
        |&(feature, value): &(Feature, f32)| feature == Feature::LanguageDiffers && value >= 1.0;
    findings.query.language == Language::Japanese && findings.evidence.of(0).iter().any(differs)
}

/// Above this probability of NIL, the title is refused. Chosen on answers by weights that had not
/// seen the titles: each step of 0.05 down to a half refuses one more in three hundred of the
/// titles whose card the catalogue has, and shows a wrong card for one less in a hundred and fifty
/// of those whose card it lacks.
const REFUSE: f64 = 0.6;
/// Confidence in the outcome if a title names neither a card nor a number.
const NOTHING_NAMED: f64 = 0.6;
/// The kind of listing if no card was looked for.
pub(crate) fn kind(findings: &Findings<'_, '_>) -> Kind {
    let signs = Signs::of(&Facts::of(findings));
    // what names something of a card may be one of the catalogue's
    let nil = if signs.named { 0.0 } else { 1.0 };
    weigh(&signs, 0.0, nil, false).0
}

/// Signs below this total, in log-odds, leave a title one card.
const ONE_CARD: f32 = 1.5;
/// Factor for the confidence in a sealed product whose game is not named, when signs of other goods
/// come near.
const SEALED_OF_ANY_GAME: f64 = 0.8;
/// Signs of other things this far below the threshold are far.
const OTHER_IS_FAR: f32 = -2.0;
/// How quickly signs below the threshold fade, and where they begin to: without any sign it is not
/// a toss-up.
const FADING: f32 = 2.0;
const FADED: f32 = 1.0;
/// An ambiguous title is at least this sure to be one: the best of two cards has at most the other
/// half.
const LEAST_AMBIGUOUS: f64 = 0.5;
/// The least probability that the catalogue's cards have together, so that shares of it are
/// defined.
const LEAST_OURS: f64 = 1e-9;

/// Kind and outcome from the signs and the probabilities of the candidates.
fn weigh(signs: &Signs, top: f64, nil: f64, ambiguous: bool) -> (Kind, OutcomeType, f64) {
    let (other, sealed, lot, outside) = (
        signs.other - ONE_CARD,
        signs.sealed - ONE_CARD,
        signs.lot - ONE_CARD,
        signs.outside - ONE_CARD,
    );
    let best = other.max(sealed).max(lot).max(outside);
    if best > 0.0 {
        let confidence = squash(best);
        if best == other {
            let outcome = if signs.other_game {
                OutcomeType::OtherGame
            } else {
                OutcomeType::NotACard
            };
            return (Kind::Other, outcome, confidence);
        }
        if best == lot {
            return (Kind::Lot, OutcomeType::Lot, confidence);
        }
        if best == sealed {
            return if signs.own_game || other < OTHER_IS_FAR {
                (Kind::Sealed, OutcomeType::Sealed, confidence)
            } else {
                (
                    Kind::Sealed,
                    OutcomeType::Sealed,
                    confidence * SEALED_OF_ANY_GAME,
                )
            };
        }
        return (Kind::Single, OutcomeType::NotInCatalogue, confidence);
    }
    let single = 1.0 - squash(best * FADING - FADED);
    if nil > REFUSE {
        // a title that names nothing of a card is not out-of-catalogue
        if !signs.named {
            return if signs.lot > 0.0 || signs.own_game && signs.latin {
                (Kind::Lot, OutcomeType::Lot, NOTHING_NAMED)
            } else {
                (Kind::Other, OutcomeType::NotACard, NOTHING_NAMED)
            };
        }
        (Kind::Single, OutcomeType::NotInCatalogue, nil * single)
    } else if ambiguous {
        (
            Kind::Single,
            OutcomeType::Ambiguous,
            (1.0 - nil) * single * (1.0 - top).max(LEAST_AMBIGUOUS),
        )
    } else {
        (Kind::Single, OutcomeType::Match, top * single)
    }
}
