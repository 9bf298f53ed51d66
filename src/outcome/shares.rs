//! [`Shares`]: the probability of each kind of listing.

use super::class::Class;
use super::signs::Signs;
use super::weights::OutcomeWeights;
use crate::math::exp;

/// The probability of each class.
pub(super) struct Shares {
    /// Of one card that a catalogue may hold.
    pub(super) single: f64,
    /// Of one card of a kind that none holds.
    pub(super) outside: f64,
    /// The likeliest class, if it is likelier than one card.
    pub(super) likeliest: Option<Class>,
    /// Its probability.
    pub(super) share: f64,
}

impl Shares {
    /// A softmax over the classes and one card.
    pub(super) fn of(signs: &Signs, weights: &OutcomeWeights) -> Shares {
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
            outside: odds[Class::Outside as usize] / total,
            likeliest: likeliest.next().map(|(class, _)| *class),
            share: most / total,
        }
    }

    /// Those of a title that sells one card for sure.
    #[cfg(feature = "train")]
    pub(super) fn one_card() -> Shares {
        Shares {
            single: 1.0,
            outside: 0.0,
            likeliest: None,
            share: 0.0,
        }
    }
}
