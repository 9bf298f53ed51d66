//! Fits the weights of the evidence to labelled titles.
//!
//! A conditional logit: of a title's candidates and "none of ours", the probability of the right one is a softmax of the summed evidence. The
//! penalty pulls each weight to where it stood, so what the titles do not speak of stays, and what speaks for a card never speaks against it.

use super::features::{FEATURES, Feature};
use super::weights::Weights;

/// A labelled title: the evidence of each of its candidates.
#[derive(Clone, Debug, Default)]
pub struct Example {
    /// The evidence of each candidate.
    pub candidates: Vec<Vec<(Feature, f32)>>,
    /// The candidates that are right; none where the card is not among them.
    pub right: Vec<usize>,
    /// How much the title counts.
    pub weight: f64,
}

/// How the fit is made.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// Steps of gradient descent.
    pub steps: usize,
    /// Strength of the pull to the old weights.
    pub pull: f64,
    /// The share of titles whose right card is taken away, so that "none of ours" is learnt.
    pub holes: f64,
}

impl Default for Fit {
    fn default() -> Self {
        Fit { steps: 400, pull: 2.0, holes: 0.2 }
    }
}

const COUNT: usize = FEATURES.len();

/// What a fit or a check found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loss {
    /// Mean negative log-likelihood, in nats a title.
    pub log_loss: f64,
    /// Share of titles whose likeliest answer is right.
    pub right: f64,
}

/// Fits weights to `examples`, from `start`. `cards` is the size of the catalogue.
#[must_use]
pub fn fit(examples: &[Example], start: &Weights, cards: usize, options: Fit) -> Weights {
    let views = views(examples, options.holes);
    let scale = f64::from(start.temperature);
    let mut theta: Vec<f64> = FEATURES.iter().map(|f| f64::from(start.of(f.0)) / scale).collect();
    theta.push((f64::from(start.prior) - (cards as f64).ln()) / scale);
    let origin = theta.clone();
    let total: f64 = views.iter().map(|v| v.weight).sum::<f64>().max(1.0);
    let (mut mean, mut square) = (vec![0.0; COUNT + 1], vec![0.0; COUNT + 1]);
    for step in 1..=options.steps {
        let mut gradient = vec![0.0; COUNT + 1];
        for view in &views {
            view.gradient(&theta, &mut gradient);
        }
        let rate = 0.05 * (1.0 - step as f64 / (options.steps as f64 + 1.0));
        for i in 0..=COUNT {
            let pulled = gradient[i] / total - options.pull * (theta[i] - origin[i]) / total;
            mean[i] = 0.9 * mean[i] + 0.1 * pulled;
            square[i] = 0.999 * square[i] + 0.001 * pulled * pulled;
            let (m, s) = (mean[i] / (1.0 - 0.9f64.powi(step as i32)), square[i] / (1.0 - 0.999f64.powi(step as i32)));
            theta[i] += rate * m / (s.sqrt() + 1e-8);
            // what speaks for a card never speaks against it
            if i < COUNT && (theta[i] > 0.0) != FEATURES[i].0.speaks_for() {
                theta[i] = 0.0;
            }
        }
    }
    let mut weights = start.clone();
    for (i, feature) in FEATURES.iter().enumerate() {
        weights.set(feature.0, theta[i] as f32);
    }
    weights.temperature = 1.0;
    weights.prior = (theta[COUNT] + (cards as f64).ln()) as f32;
    weights
}

/// The loss of `weights` on `examples`, with the holes that a fit makes.
#[must_use]
pub fn check(examples: &[Example], weights: &Weights, cards: usize, holes: f64) -> Loss {
    let scale = f64::from(weights.temperature);
    let mut theta: Vec<f64> = FEATURES.iter().map(|f| f64::from(weights.of(f.0)) / scale).collect();
    theta.push((f64::from(weights.prior) - (cards as f64).ln()) / scale);
    let views = views(examples, holes);
    let mut loss = Loss::default();
    for view in &views {
        let (probabilities, none) = view.probabilities(&theta);
        let right: f64 = if view.right.is_empty() { none } else { view.right.iter().map(|&i| probabilities[i]).sum() };
        loss.log_loss -= view.weight * right.max(1e-12).ln();
        let best = probabilities.iter().copied().fold(0.0, f64::max);
        loss.right += view.weight
            * f64::from(u8::from(if view.right.is_empty() {
                none >= best
            } else {
                view.right.iter().any(|&i| probabilities[i] >= best && best > none)
            }));
    }
    let total = views.iter().map(|v| v.weight).sum::<f64>().max(f64::MIN_POSITIVE);
    Loss { log_loss: loss.log_loss / total, right: loss.right / total }
}

/// A title as it is fitted: whole, or with its right cards taken away.
struct View<'e> {
    example: &'e Example,
    hidden: bool,
    right: &'e [usize],
    weight: f64,
}

fn views(examples: &[Example], holes: f64) -> Vec<View<'_>> {
    let mut views = Vec::new();
    for example in examples {
        if holes > 0.0 && !example.right.is_empty() {
            views.push(View { example, hidden: false, right: &example.right, weight: example.weight * (1.0 - holes) });
            views.push(View { example, hidden: true, right: &[], weight: example.weight * holes });
        } else {
            views.push(View { example, hidden: false, right: &example.right, weight: example.weight });
        }
    }
    views
}

impl View<'_> {
    fn shown(&self, candidate: usize) -> bool {
        !self.hidden || !self.example.right.contains(&candidate)
    }

    fn probabilities(&self, theta: &[f64]) -> (Vec<f64>, f64) {
        let logits: Vec<f64> = self
            .example
            .candidates
            .iter()
            .enumerate()
            .map(|(i, evidence)| {
                if !self.shown(i) {
                    return f64::NEG_INFINITY;
                }
                theta[COUNT] + evidence.iter().map(|&(f, v)| theta[f as usize] * f64::from(v)).sum::<f64>()
            })
            .collect();
        let top = logits.iter().copied().fold(0.0, f64::max);
        let none = (-top).exp();
        let all: f64 = none + logits.iter().map(|l| (l - top).exp()).sum::<f64>();
        (logits.iter().map(|l| (l - top).exp() / all).collect(), none / all)
    }

    /// Adds the gradient of the log-likelihood.
    fn gradient(&self, theta: &[f64], gradient: &mut [f64]) {
        let (probabilities, none) = self.probabilities(theta);
        let right: f64 = self.right.iter().map(|&i| probabilities[i]).sum();
        if !self.right.is_empty() && right <= 0.0 {
            return;
        }
        let _ = none;
        for (i, evidence) in self.example.candidates.iter().enumerate() {
            let target = if self.right.contains(&i) { probabilities[i] / right } else { 0.0 };
            let push = self.weight * (target - probabilities[i]);
            if push.abs() < 1e-9 {
                continue;
            }
            gradient[COUNT] += push;
            for &(feature, value) in evidence {
                gradient[feature as usize] += push * f64::from(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_cards_apart_gains_weight() {
        let start = super::super::weights::builtin().expect("the weights of this build load").clone();
        let example = |right: bool| Example {
            candidates: vec![
                vec![(Feature::YearAgrees, 1.0), (Feature::NameAgrees, 12.0)],
                vec![(Feature::YearDiffers, 1.0), (Feature::NameAgrees, 12.0)],
            ],
            right: vec![usize::from(!right)],
            weight: 1.0,
        };
        let all = vec![example(true); 50];
        let fitted = fit(&all, &start, 50_000, Fit { holes: 0.0, ..Fit::default() });
        assert!(fitted.of(Feature::YearAgrees) / fitted.temperature > start.of(Feature::YearAgrees) / start.temperature);
        assert!(check(&all, &fitted, 50_000, 0.0).log_loss < check(&all, &start, 50_000, 0.0).log_loss);
    }
}
