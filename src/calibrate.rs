//! Scores → probabilities of the candidates, and of "not in the catalogue" (NIL).

use crate::math::{exp, ln, tiny_exp};
use crate::score::weights::Weights;
use crate::sort::sort_in_place;

/// A candidate with its score in log-odds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ranked {
    pub(crate) card: u32,
    pub(crate) score: f32,
    pub(crate) probability: f64,
}

/// Candidates less likely than the best by these factors, as natural logarithms, are not shown: the
/// least probability that is shown is a ten-thousandth, the least share of a rival a quarter.
const SHOWN: f32 = 9.3;
const RIVAL: f32 = 1.5;
/// As many scores are compared at once.
const LANES: usize = 8;

/// The probability that the catalogue lacks the card of a title that says nothing of it.
pub(crate) fn unasked(weights: &Weights) -> f64 {
    1.0 / (1.0 + exp(f64::from(weights.prior)))
}

/// Gives those of `candidates` that can be shown their probabilities, best first. Returns the
/// probability that the catalogue, which has `cards` cards, lacks the card.
pub(crate) fn calibrate(
    weights: &Weights,
    cards: usize,
    candidates: &[u32],
    scores: &[f32],
    out: &mut Vec<Ranked>,
) -> f64 {
    out.clear();
    let base = ln(cards.max(1) as f64) - f64::from(weights.prior);
    let temperature = weights.divisor();
    let logit = |score: f32| (f64::from(score) - base) / temperature;
    // the score of "not in the catalogue" is 0: the prior says what that is worth
    let most = scores.iter().copied().reduce(f32::max);
    let best = most.map_or(0.0, logit);
    let top = best.max(0.0);
    let rest = exp(-top);
    let mut total = rest;
    let behind = {
        let (most, scale, below) = (
            most.unwrap_or(0.0),
            1.0 / temperature as f32,
            (top - best) as f32,
        );
        move |score: f32| (most - score) * scale + below
    };
    let shown = SHOWN.max((top - best) as f32 + RIVAL);
    let mut far = [0f64; LANES];
    for (candidates, scores) in candidates.chunks(LANES).zip(scores.chunks(LANES)) {
        // of a short chunk the rest is as good as the best, so that it adds nothing
        let mut lanes = [most.unwrap_or(0.0); LANES];
        lanes[..scores.len()].copy_from_slice(scores);
        let lanes = lanes.map(behind);
        // most candidates cannot be shown: a few operations for all of a chunk at once
        let terms = lanes.map(|behind| {
            let term = tiny_exp(-behind);
            if behind >= shown { term } else { 0.0 }
        });
        for (far, term) in far.iter_mut().zip(terms) {
            *far += f64::from(term);
        }
        for ((&card, &score), behind) in candidates.iter().zip(scores).zip(lanes) {
            if behind < shown {
                let probability = exp(logit(score) - top);
                total += probability;
                out.push(Ranked {
                    card,
                    score,
                    probability,
                });
            }
        }
    }
    total += far.iter().sum::<f64>();
    for ranked in out.iter_mut() {
        ranked.probability /= total;
    }
    // equal scores in the order of the catalogue, so that the answer depends on nothing else
    sort_in_place(out, |a, b| {
        (b.score.total_cmp(&a.score).then(a.card.cmp(&b.card))).is_lt()
    });
    rest / total
}
