//! Fits the weights of the signs of what is being sold.
//!
//! A multinomial logit over the classes and "one card", pulled to [`OutcomeWeights::neutral`] as
//! the weights of the evidence are to theirs. Signs that the titles do not show stay there.

use super::{Adam, Fit};
use crate::answer::OutcomeType;
use crate::outcome::class::Class;
use crate::outcome::weights::OutcomeWeights;

/// One card, and the classes.
const CLASSES: usize = Class::ALL.len() + 1;
const COUNT: usize = OutcomeWeights::COUNT;

/// A labelled title: its signs, and the classes that are right.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Places of the signs that are there, with their values.
    signs: Vec<(usize, f64)>,
    /// One card first.
    right: [bool; CLASSES],
    weight: f64,
}

impl Listing {
    /// A title of weight `weight` with the signs that [`crate::Engine::signs`] found and any of the
    /// outcomes `right`; `None` if no class is right.
    #[must_use]
    pub fn new(
        (signs, single): (Vec<f32>, OutcomeType),
        right: &[OutcomeType],
        weight: f64,
    ) -> Option<Listing> {
        let mut classes = [false; CLASSES];
        // what is answered where no class is likelier than one card
        let as_single = matches!(single, OutcomeType::Lot | OutcomeType::NotACard);
        classes[0] = as_single && right.contains(&single);
        for outcome in right {
            match outcome {
                OutcomeType::Match | OutcomeType::Ambiguous => classes[0] |= !as_single,
                OutcomeType::NotInCatalogue => {
                    classes[0] |= !as_single;
                    classes[1 + Class::Outside as usize] = true;
                }
                OutcomeType::Lot => classes[1 + Class::Lot as usize] = true,
                OutcomeType::Sealed => classes[1 + Class::Sealed as usize] = true,
                OutcomeType::OtherGame | OutcomeType::NotACard => {
                    classes[1 + Class::Other as usize] = true;
                }
            }
        }
        let there = |(at, value): (usize, f32)| (value != 0.0).then_some((at, f64::from(value)));
        classes.contains(&true).then(|| Listing {
            signs: signs.into_iter().enumerate().filter_map(there).collect(),
            right: classes,
            weight,
        })
    }

    /// The same title with another weight.
    #[must_use]
    pub fn weighing(self, weight: f64) -> Listing {
        Listing { weight, ..self }
    }

    fn probabilities(&self, theta: &[f64]) -> [f64; CLASSES] {
        let mut odds = [0.0; CLASSES];
        for &(at, value) in &self.signs {
            odds[1 + OutcomeWeights::class(at) as usize] += theta[at] * value;
        }
        let most = odds.iter().copied().fold(0.0, f64::max);
        let all: f64 = odds.iter().map(|odds| (odds - most).exp()).sum();
        odds.map(|odds| (odds - most).exp() / all)
    }

    fn right(&self, probabilities: &[f64; CLASSES]) -> f64 {
        let each = probabilities.iter().zip(&self.right);
        each.filter(|(_, right)| **right).map(|(p, _)| p).sum()
    }
}

/// Fits weights to `listings`.
#[must_use]
pub fn fit(listings: &[&Listing], options: Fit) -> OutcomeWeights {
    let origin = OutcomeWeights::neutral().values();
    let mut theta = origin;
    let total: f64 = listings.iter().map(|l| l.weight).sum::<f64>().max(1.0);
    let mut adam = Adam::new(COUNT, options.steps);
    for _ in 0..options.steps {
        let mut gradient = [0.0; COUNT];
        for listing in listings {
            let found = listing.probabilities(&theta);
            let right = listing.right(&found).max(f64::MIN_POSITIVE);
            for &(at, value) in &listing.signs {
                let class = 1 + OutcomeWeights::class(at) as usize;
                let target = if listing.right[class] {
                    found[class] / right
                } else {
                    0.0
                };
                gradient[at] += listing.weight * (target - found[class]) * value;
            }
        }
        for at in 0..COUNT {
            gradient[at] = (gradient[at] - options.pull * (theta[at] - origin[at])) / total;
        }
        adam.step(&mut theta, &gradient);
        for (at, weight) in theta.iter_mut().enumerate() {
            if !OutcomeWeights::keeps_direction(at, *weight) {
                *weight = 0.0;
            }
        }
    }
    OutcomeWeights::from_values(&theta)
}

/// The mean log loss of `weights` on `listings` in nats, and the share of them whose likeliest
/// class is right.
#[must_use]
pub fn check(listings: &[&Listing], weights: &OutcomeWeights) -> (f64, f64) {
    let theta = weights.values();
    let (mut loss, mut hits, mut total) = (0.0, 0.0, f64::MIN_POSITIVE);
    for listing in listings {
        let found = listing.probabilities(&theta);
        let most = found.iter().copied().fold(0.0, f64::max);
        let hit = found
            .iter()
            .zip(&listing.right)
            .any(|(p, right)| *right && *p >= most);
        loss -= listing.weight * listing.right(&found).max(1e-12).ln();
        hits += listing.weight * f64::from(u8::from(hit));
        total += listing.weight;
    }
    (loss / total, hits / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A title with the signs at these places.
    fn listing(signs: &[usize], right: OutcomeType) -> Listing {
        let mut values = vec![0.0; COUNT];
        signs.iter().for_each(|&at| values[at] = 1.0);
        Listing::new((values, OutcomeType::Match), &[right], 1.0).expect("a class is right")
    }

    #[test]
    fn signs_gain_the_weight_that_titles_give_them() {
        let lot = listing(&[0, 3], OutcomeType::Lot);
        let card = listing(&[0, 1], OutcomeType::Match);
        let all: Vec<&Listing> = [&lot, &card].repeat(40);
        let (start, fitted) = (OutcomeWeights::neutral(), fit(&all, Fit::default()));
        let (before, after) = (check(&all, &start), check(&all, &fitted));
        assert!(after.0 < before.0 && after.1 == 1.0, "{before:?} {after:?}");
    }

    #[test]
    fn what_speaks_for_a_class_never_speaks_against_it() {
        let card = listing(&[0, 3], OutcomeType::Match);
        let fitted = fit(&[&card].repeat(80), Fit::default()).values();
        assert!(fitted[3] >= 0.0 && fitted[0] < OutcomeWeights::neutral().values()[0]);
    }

    #[test]
    fn either_outcome_of_a_label_is_right() {
        let either = [OutcomeType::Lot, OutcomeType::Sealed];
        let found = Listing::new((vec![0.0; COUNT], OutcomeType::Match), &either, 1.0)
            .expect("two classes are right");
        let probabilities = found.probabilities(&[0.0; COUNT]);
        assert!((found.right(&probabilities) - 0.4).abs() < 1e-9);
    }
}
