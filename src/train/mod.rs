//! Fits the weights of the evidence to labelled titles.
//!
//! A conditional logit: over a title's candidates and NIL, the probability of the right one is a
//! softmax of the summed evidence. The penalty pulls each weight to [`Weights::neutral`], so the
//! fit depends only on the titles and not on an earlier fit. Features that the titles do not show
//! stay there, and what speaks for a card never speaks against it.

pub mod outcome;
pub mod temperature;

use crate::score::features::{FEATURES, Feature};
use crate::score::weights::Weights;
use temperature::Top;

/// The pieces of evidence of one candidate, with their values.
pub type EvidenceList = Vec<(Feature, f32)>;

/// A labelled title: the evidence of each of its candidates.
#[derive(Clone, Debug, Default)]
pub struct Example {
    /// Candidates, merged if their evidence is the same.
    groups: Vec<Group>,
    /// Whether some candidate is right.
    found: bool,
    /// Weight of the title.
    weight: f64,
    /// Added to the score of each candidate: a larger catalogue makes each card less likely.
    offset: f64,
}

/// Candidates that nothing in the title tells apart.
#[derive(Clone, Debug)]
struct Group {
    evidence: EvidenceList,
    right: bool,
    cards: f64,
}

impl Example {
    /// A title of weight `weight`: its candidates with their evidence, and whether each is right.
    /// None is right if the catalogue lacks the card.
    #[must_use]
    pub fn new(candidates: Vec<(EvidenceList, bool)>, weight: f64) -> Example {
        let found = candidates.iter().any(|c| c.1);
        let mut groups: Vec<Group> = Vec::new();
        for (evidence, right) in candidates {
            match groups
                .iter_mut()
                .find(|g| g.right == right && g.evidence == evidence)
            {
                Some(group) => group.cards += 1.0,
                None => groups.push(Group {
                    evidence,
                    right,
                    cards: 1.0,
                }),
            }
        }
        Example {
            groups,
            found,
            weight,
            offset: 0.0,
        }
    }

    /// The same title with another weight.
    #[must_use]
    pub fn weighing(self, weight: f64) -> Example {
        Example { weight, ..self }
    }

    /// The same title, answered by a catalogue of so many cards, in a fit for one of `cards`.
    #[must_use]
    pub fn among(self, own: usize, cards: usize) -> Example {
        let offset = (cards.max(1) as f64).ln() - (own.max(1) as f64).ln();
        Example { offset, ..self }
    }
}

/// Parameters of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// Steps of gradient descent.
    pub steps: usize,
    /// Strength of the pull to the neutral weights.
    pub pull: f64,
    /// The share of each title that counts with its right cards taken away, so that NIL is learnt.
    pub holes: f64,
}

impl Default for Fit {
    fn default() -> Self {
        Fit {
            steps: 500,
            pull: 0.15,
            holes: 0.07,
        }
    }
}

const COUNT: usize = FEATURES.len();

/// Figures of weights on some titles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loss {
    /// Mean negative log-likelihood, in nats a title.
    pub log_loss: f64,
    /// Share of titles whose likeliest answer is right.
    pub right: f64,
    /// Total weight of the titles.
    pub weight: f64,
}

/// Steps up a gradient (Adam, Kingma and Ba 2015), with a rate that falls to nothing.
struct Adam {
    mean: Vec<f64>,
    square: Vec<f64>,
    step: usize,
    steps: usize,
}

impl Adam {
    /// The rate of the first step.
    const RATE: f64 = 0.08;

    fn new(parameters: usize, steps: usize) -> Adam {
        Adam {
            mean: vec![0.0; parameters],
            square: vec![0.0; parameters],
            step: 0,
            steps,
        }
    }

    fn step(&mut self, theta: &mut [f64], gradient: &[f64]) {
        self.step += 1;
        let rate = Self::RATE * (1.0 - self.step as f64 / (self.steps as f64 + 1.0));
        let seen = |decay: f64| 1.0 - decay.powi(self.step as i32);
        let (of_mean, of_square) = (seen(0.9), seen(0.999));
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((theta, gradient), (mean, square)) in theta.iter_mut().zip(gradient).zip(moments) {
            *mean = 0.9 * *mean + 0.1 * gradient;
            *square = 0.999 * *square + 0.001 * gradient * gradient;
            *theta += rate * (*mean / of_mean) / ((*square / of_square).sqrt() + 1e-8);
        }
    }
}

/// Fits weights to `examples`. `cards` is the size of the catalogue.
///
/// Every step is over all titles.
#[must_use]
pub fn fit(examples: &[&Example], cards: usize, options: Fit) -> Weights {
    descend(examples, cards, options, &Weights::neutral(), &|_| true)
}

/// Fits the weights of what a title may state wrongly ([`Feature::slips`]) to `examples`; all other
/// weights stay those of `weights`.
#[must_use]
pub fn fit_slips(examples: &[&Example], cards: usize, options: Fit, weights: &Weights) -> Weights {
    descend(examples, cards, options, weights, &Feature::slips)
}

/// Fits the weights that are `free`, beginning at those of `start`, to which they are pulled.
fn descend(
    examples: &[&Example],
    cards: usize,
    options: Fit,
    start: &Weights,
    free: &dyn Fn(Feature) -> bool,
) -> Weights {
    let views = views(examples, options.holes);
    let mut theta = theta(start, cards);
    let origin = theta.clone();
    let total: f64 = views.iter().map(|v| v.weight).sum::<f64>().max(1.0);
    // the prior belongs to no feature
    let all = FEATURES.iter().all(|feature| free(feature.0));
    let moves: Vec<bool> = (FEATURES.iter().map(|feature| free(feature.0)))
        .chain([all])
        .collect();
    let mut adam = Adam::new(COUNT + 1, options.steps);
    let mut room = Vec::new();
    for _ in 0..options.steps {
        let mut gradient = vec![0.0; COUNT + 1];
        for view in &views {
            view.gradient(&theta, &mut room, &mut gradient);
        }
        for i in 0..=COUNT {
            let pulled = gradient[i] - options.pull * (theta[i] - origin[i]);
            gradient[i] = if moves[i] { pulled / total } else { 0.0 };
        }
        adam.step(&mut theta, &gradient);
        for (i, feature) in FEATURES.iter().enumerate() {
            if moves[i] && (theta[i] > 0.0) != feature.0.speaks_for() {
                theta[i] = 0.0;
            }
        }
    }
    let mut weights = start.clone();
    let scale = f64::from(start.temperature);
    for (i, feature) in FEATURES.iter().enumerate().filter(|(i, _)| moves[*i]) {
        weights.set(feature.0, (theta[i] * scale) as f32);
    }
    if all {
        weights.prior = (theta[COUNT] * scale + (cards as f64).ln()) as f32;
    }
    weights
}

/// The loss of `weights` on `examples`, with the holes that a fit makes.
#[must_use]
pub fn check(examples: &[&Example], weights: &Weights, cards: usize, holes: f64) -> Loss {
    let theta = theta(weights, cards);
    let mut loss = Loss::default();
    let mut room = Vec::new();
    for view in &views(examples, holes) {
        let none = view.probabilities(&theta, &mut room);
        let groups = view.example.groups.iter().zip(&room);
        let right: f64 = if view.found() {
            groups
                .clone()
                .filter(|(g, _)| g.right)
                .map(|(_, p)| p)
                .sum()
        } else {
            none
        };
        // of one card, not of all cards of the group
        let best = |right: bool| {
            groups
                .clone()
                .filter(|(g, _)| g.right == right)
                .map(|(g, p)| p / g.cards)
                .fold(0.0, f64::max)
        };
        let hit = if view.found() {
            best(true) > none && best(true) >= best(false)
        } else {
            none >= best(false)
        };
        loss.log_loss -= view.weight * right.max(1e-12).ln();
        loss.right += view.weight * f64::from(u8::from(hit));
        loss.weight += view.weight;
    }
    let total = loss.weight.max(f64::MIN_POSITIVE);
    Loss {
        log_loss: loss.log_loss / total,
        right: loss.right / total,
        weight: loss.weight,
    }
}

/// The likeliest card of each title by `weights`, with the holes of a fit; `None` if a title has no
/// candidate, or several right ones.
#[must_use]
pub fn tops(examples: &[&Example], weights: &Weights, cards: usize, holes: f64) -> Vec<Top> {
    let theta = theta(weights, cards);
    let mut room = Vec::new();
    let mut tops = Vec::new();
    for view in &views(examples, holes) {
        if view
            .example
            .groups
            .iter()
            .filter(|g| g.right)
            .map(|g| g.cards)
            .sum::<f64>()
            > 1.0
        {
            continue;
        }
        view.probabilities(&theta, &mut room);
        let each = view
            .example
            .groups
            .iter()
            .zip(&room)
            .map(|(g, p)| (p / g.cards, g));
        if let Some((probability, group)) = each.max_by(|a, b| a.0.total_cmp(&b.0)) {
            // of cards that nothing tells apart one is shown first, and it is right as often as any
            let right = view.found() && group.right;
            tops.push(Top {
                probability,
                right,
                weight: view.weight,
            });
        }
    }
    tops
}

/// The weights of the features and, last, the score of a candidate before any evidence, on the
/// scale of the softmax.
fn theta(weights: &Weights, cards: usize) -> Vec<f64> {
    let scale = f64::from(weights.temperature);
    let mut theta: Vec<f64> = FEATURES
        .iter()
        .map(|f| f64::from(weights.of(f.0)) / scale)
        .collect();
    theta.push((f64::from(weights.prior) - (cards as f64).ln()) / scale);
    theta
}

/// A title in a fit: whole, or with its right cards taken away.
struct View<'e> {
    example: &'e Example,
    hidden: bool,
    weight: f64,
}

fn views<'e>(examples: &[&'e Example], holes: f64) -> Vec<View<'e>> {
    let mut views = Vec::new();
    for example in examples {
        let holes = if example.found { holes } else { 0.0 };
        views.push(View {
            example,
            hidden: false,
            weight: example.weight * (1.0 - holes),
        });
        if holes > 0.0 {
            views.push(View {
                example,
                hidden: true,
                weight: example.weight * holes,
            });
        }
    }
    views
}

impl View<'_> {
    fn found(&self) -> bool {
        self.example.found && !self.hidden
    }

    /// Writes the probability of each group to `out`; returns that of NIL.
    fn probabilities(&self, theta: &[f64], out: &mut Vec<f64>) -> f64 {
        out.clear();
        out.extend(self.example.groups.iter().map(|group| {
            if self.hidden && group.right {
                return f64::NEG_INFINITY;
            }
            theta[COUNT]
                + self.example.offset
                + group.cards.ln()
                + group
                    .evidence
                    .iter()
                    .map(|&(f, v)| theta[f as usize] * f64::from(v))
                    .sum::<f64>()
        }));
        let top = out.iter().copied().fold(0.0, f64::max);
        let none = (-top).exp();
        let all: f64 = none + out.iter().map(|l| (l - top).exp()).sum::<f64>();
        out.iter_mut().for_each(|l| *l = (*l - top).exp() / all);
        none / all
    }

    /// Adds the gradient of the log-likelihood.
    fn gradient(&self, theta: &[f64], room: &mut Vec<f64>, gradient: &mut [f64]) {
        self.probabilities(theta, room);
        let groups = self.example.groups.iter().zip(room.iter());
        let right: f64 = groups
            .clone()
            .filter(|(g, _)| g.right)
            .map(|(_, p)| p)
            .sum();
        if self.found() && right <= 0.0 {
            return;
        }
        for (group, &p) in groups {
            let target = if self.found() && group.right {
                p / right
            } else {
                0.0
            };
            let push = self.weight * (target - p);
            if push.abs() < 1e-9 {
                continue;
            }
            gradient[COUNT] += push;
            for &(feature, value) in &group.evidence {
                gradient[feature as usize] += push * f64::from(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(right: bool) -> Example {
        let name = (Feature::NameAgrees, 12.0);
        let agrees = (vec![(Feature::YearAgrees, 1.0), name], right);
        let differs = (vec![(Feature::YearDiffers, 1.0), name], !right);
        Example::new(vec![agrees, differs], 1.0)
    }

    #[test]
    fn distinguishing_features_gain_weight() {
        let one = example(true);
        let all = vec![&one; 50];
        let options = Fit {
            holes: 0.0,
            ..Fit::default()
        };
        let (start, fitted) = (Weights::neutral(), fit(&all, 50_000, options));
        assert!(fitted.of(Feature::YearAgrees) > start.of(Feature::YearAgrees));
        assert!(
            check(&all, &fitted, 50_000, 0.0).log_loss < check(&all, &start, 50_000, 0.0).log_loss
        );
    }

    #[test]
    fn weights_keep_their_signs() {
        let one = example(false);
        let fitted = fit(
            &vec![&one; 50],
            50_000,
            Fit {
                holes: 0.0,
                ..Fit::default()
            },
        );
        assert!(fitted.of(Feature::YearAgrees) >= 0.0 && fitted.of(Feature::YearDiffers) <= 0.0);
    }

    #[test]
    fn indistinguishable_candidates_share_their_probability() {
        let same = || (vec![(Feature::NameAgrees, 12.0)], false);
        let right = (vec![(Feature::NameAgrees, 12.0)], true);
        let weights = Weights::neutral();
        let four = check(
            &[&Example::new(
                vec![same(), same(), same(), right.clone()],
                1.0,
            )],
            &weights,
            1,
            0.0,
        );
        let one = check(&[&Example::new(vec![right], 1.0)], &weights, 1, 0.0);
        assert!(
            (four.log_loss - one.log_loss - 4f64.ln()).abs() < 0.01,
            "{four:?} {one:?}"
        );
    }
}
