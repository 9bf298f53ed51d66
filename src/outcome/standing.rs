//! [`Standing`]: whether one card stands out, if it is one card that is sold.

use super::class::Class;
use super::shares::Shares;
use super::signs::Signs;
use crate::attributes::language::Language;
use crate::calibrate::Ranked;
use crate::findings::Findings;
use crate::parsed::Field;
use crate::score::features::Feature;
use crate::score::language::OTHER_FURTHER_REGION;

/// Below this share of the probability of all cards together, the best card does not stand out from
/// a rival.
const STANDS_OUT: f64 = 0.6;
/// Below this share it does not stand out from all the others together.
const HALF: f64 = 0.5;
/// A card below this share of the best card's probability is not a rival.
const RIVAL: f64 = 0.25;
/// The most rivals that are distinguished, and the fewest.
const MAX_RIVALS: usize = 16;
const MIN_RIVALS: usize = 2;
/// Above this probability that the catalogue lacks the card, the title is refused whatever its cards
/// share.
const REFUSE: f64 = 0.5;
/// The least probability that the catalogue's cards have together, so that shares of it are
/// defined.
const LEAST_OURS: f64 = 1e-9;

/// How the cards that a title was compared with stand to each other, and to a card that the catalogue
/// lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// One stands out.
    Sure,
    /// Several fit equally.
    Tied,
    /// The title says that the card is of another language than the best one: one of the two is
    /// wrong.
    Contradicted,
    /// That the catalogue lacks the card is likelier than the best one.
    Absent,
    /// The title names no card.
    Unnamed,
}

/// The probabilities of one title that sells one card.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chances {
    /// The probability that the catalogue lacks the card, by what the cards were compared with.
    nil: f64,
    /// That of the best card.
    pub(super) top: f64,
    /// What those of all cards are multiplied by: what the words that speak for a card of a kind that
    /// no catalogue holds leave of them.
    pub(super) held: f64,
}

impl Chances {
    /// The chances of the candidates, and of the words for cards that no catalogue holds.
    pub(super) fn of(findings: &Findings<'_, '_>, signs: &Signs, shares: &Shares) -> Chances {
        // where no word speaks for such a card, the share that it has always says nothing
        let spoken = signs.speaks_for(Class::Outside) || shares.likeliest == Some(Class::Outside);
        Chances {
            // of what was compared with no card, the catalogue has none
            nil: findings.nil.unwrap_or(1.0),
            top: findings.ranked.first().map_or(0.0, |r| r.probability),
            held: if spoken {
                shares.single / (shares.single + shares.outside)
            } else {
                1.0
            },
        }
    }

    /// The probability that the catalogue lacks the card, whatever says so.
    pub(super) fn absent(&self) -> f64 {
        1.0 - self.ours() * self.held
    }

    /// The probability that the catalogue's cards have together, if it can hold the card.
    pub(super) fn ours(&self) -> f64 {
        (1.0 - self.nil).max(LEAST_OURS)
    }
}

impl Standing {
    /// Compares the candidates with each other.
    pub(super) fn of(findings: &Findings<'_, '_>, signs: &Signs, chances: &Chances) -> Standing {
        // `VSTAR + rainbow cards`
        let named = signs.named && !(signs.speaks_for(Class::Lot) && signs.only_marks);
        let refused = if named {
            Standing::Absent
        } else {
            Standing::Unnamed
        };
        // what is not named is not missing for words that speak of another kind of card
        let absent = if named { chances.absent() } else { chances.nil };
        let second = findings.ranked.get(1).map_or(0.0, |r| r.probability);
        let share = chances.top / chances.ours();
        if absent > REFUSE {
            refused
        } else if is_contradicted(findings) {
            Standing::Contradicted
        } else if share < STANDS_OUT && second > chances.top * RIVAL || share < HALF {
            Standing::Tied
        } else if chances.absent() >= chances.top * chances.held {
            refused
        } else {
            Standing::Sure
        }
    }

    /// The number of candidates, from the best on, that the title may mean.
    pub(super) fn rivals(self, ranked: &[Ranked]) -> usize {
        let top = ranked.first().map_or(0.0, |r| r.probability);
        let likely = |r: &&Ranked| r.probability > top * RIVAL;
        let rivals = ranked.iter().take(MAX_RIVALS).take_while(likely).count();
        match self {
            // the others are many, and none of them is likely
            Standing::Tied => rivals.max(MIN_RIVALS).min(ranked.len()),
            Standing::Contradicted => rivals,
            Standing::Sure | Standing::Absent | Standing::Unnamed => 0,
        }
    }

    /// The attribute to ask for, whatever tells the candidates apart.
    pub(super) fn asks(self) -> Option<Field> {
        match self {
            Standing::Contradicted => Some(Field::Language),
            Standing::Unnamed => Some(Field::Name),
            Standing::Sure | Standing::Tied | Standing::Absent => None,
        }
    }
}

/// Whether the title says that the card is Japanese, and the best candidate is not: a card that was
/// never printed so may be named by mistake, or its twin by its number.
fn is_contradicted(findings: &Findings<'_, '_>) -> bool {
    let differs = |&(feature, value): &(Feature, f32)| {
        feature == Feature::LanguageDiffers && value > OTHER_FURTHER_REGION
    };
    findings.query.language == Language::Japanese && findings.evidence.of(0).iter().any(differs)
}
