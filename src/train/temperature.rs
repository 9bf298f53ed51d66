//! Chooses the map from the model's probability to the shown one that loses least on titles that
//! the model has not seen.
//!
//! Compared are the unchanged probability, a temperature (Guo and others 2017), the logistic map of
//! Platt (1999), beta calibration (Kull and others 2017) and isotonic regression (Zadrozny and
//! Elkan 2002). A temperature, with a shift of the prior, keeps the order of all candidates and the
//! sum of their probabilities, so [`crate::score::weights::Weights`] holds one; the others show
//! what that costs.

/// The likeliest card of a title.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Top {
    /// Its probability by the model.
    pub probability: f64,
    /// Whether it is the right one.
    pub right: bool,
    /// Weight of the title.
    pub weight: f64,
}

/// The bound on certainty: without one a single wrong title would decide.
const SURE: f64 = 1e-4;
/// A weak pull to the map that changes nothing, so that a fit to few titles stays finite.
const RIDGE: f64 = 1.0;

type Map = Box<dyn Fn(f64) -> f64>;
/// Fits a map.
type Fit = fn(&[Top]) -> Map;

/// Mean log loss in nats of `map` on `tops`.
fn loss(map: &dyn Fn(f64) -> f64, tops: &[Top]) -> (f64, f64) {
    tops.iter().fold((0.0, 0.0), |(sum, weight), top| {
        let p = map(clamp(top.probability)).clamp(SURE, 1.0 - SURE);
        let log = if top.right { p.ln() } else { (1.0 - p).ln() };
        (sum - top.weight * log, weight + top.weight)
    })
}

fn clamp(p: f64) -> f64 {
    p.clamp(SURE, 1.0 - SURE)
}

/// The mean log loss of each map, by name: fitted to all parts but one and measured on that one,
/// for each part in turn.
#[must_use]
pub fn compare(parts: &[Vec<Top>]) -> Vec<(&'static str, f64)> {
    let maps: [(&'static str, Fit); 4] = [
        ("as it is", |_| Box::new(|p| p)),
        ("logistic", platt),
        ("beta", beta),
        ("isotonic", isotonic),
    ];
    let held_out = |make: Fit| {
        let (mut sum, mut weight) = (0.0, 0.0);
        for (at, part) in parts.iter().enumerate() {
            let others: Vec<Top> = parts
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != at)
                .flat_map(|(_, p)| p)
                .copied()
                .collect();
            let (s, w) = loss(&make(&others), part);
            (sum, weight) = (sum + s, weight + w);
        }
        sum / weight.max(f64::MIN_POSITIVE)
    };
    maps.iter()
        .map(|(name, make)| (*name, held_out(*make)))
        .collect()
}

/// Mean log loss of the probabilities as they are.
#[must_use]
pub fn log_loss(tops: &[Top]) -> f64 {
    let (sum, weight) = loss(&|p| p, tops);
    sum / weight.max(f64::MIN_POSITIVE)
}

/// The pull to no temperature and no shift, in nats a title: the loss is so flat that without one
/// a few titles move the shift from one end to the other.
const STEADY: f64 = 0.002;
/// The two are found one after the other, so many times.
const ROUNDS: usize = 4;

/// The temperature and the shift of the prior with the least `loss`, by golden sections.
#[must_use]
pub fn temperature(loss: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    let pulled = |ln: f64, shift: f64| loss(ln.exp(), shift) + STEADY * (ln * ln + shift * shift);
    let (mut ln, mut shift) = (0.0, 0.0);
    for _ in 0..ROUNDS {
        ln = least(0.5f64.ln(), 4f64.ln(), |ln| pulled(ln, shift));
        shift = least(-2.0, 2.0, |shift| pulled(ln, shift));
    }
    (ln.exp(), shift)
}

/// The place of the minimum of `loss` between `low` and `high`, to a hundredth.
fn least(mut low: f64, mut high: f64, loss: impl Fn(f64) -> f64) -> f64 {
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    while high - low > 0.01 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if loss(a) < loss(b) { high = b } else { low = a }
    }
    (low + high) / 2.0
}

fn logit(p: f64) -> f64 {
    (p / (1.0 - p)).ln()
}

fn squash(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn platt(tops: &[Top]) -> Map {
    let [a, c] = logistic(tops, |p| [logit(p), 1.0], [1.0, 0.0]);
    Box::new(move |p| squash(a * logit(p) + c))
}

fn beta(tops: &[Top]) -> Map {
    let [a, b, c] = logistic(tops, |p| [p.ln(), -(1.0 - p).ln(), 1.0], [1.0, 1.0, 0.0]);
    // a map that falls would turn the order round
    let (a, b) = (a.max(0.0), b.max(0.0));
    Box::new(move |p| squash(a * p.ln() - b * (1.0 - p).ln() + c))
}

/// Logistic regression on the features of each probability, pulled to `start`: damped steps up the
/// gradient.
fn logistic<const N: usize>(
    tops: &[Top],
    features: impl Fn(f64) -> [f64; N],
    start: [f64; N],
) -> [f64; N] {
    let rows: Vec<([f64; N], f64, f64)> = tops
        .iter()
        .map(|t| {
            (
                features(clamp(t.probability)),
                f64::from(u8::from(t.right)),
                t.weight,
            )
        })
        .collect();
    // an upper bound of the curvature makes every step go up (Böhning 1992)
    let bound: f64 = rows
        .iter()
        .map(|(x, _, w)| w * x.iter().map(|v| v * v).sum::<f64>())
        .sum::<f64>()
        / 4.0
        + RIDGE;
    let (mut theta, mut last) = (start, start);
    for step in 0..4000 {
        // with momentum (Nesterov)
        let push = f64::from(step) / f64::from(step + 3);
        let at: [f64; N] = std::array::from_fn(|i| theta[i] + push * (theta[i] - last[i]));
        let mut gradient: [f64; N] = std::array::from_fn(|i| RIDGE * (start[i] - at[i]));
        for (x, y, w) in &rows {
            let error = y - squash(x.iter().zip(&at).map(|(a, b)| a * b).sum());
            gradient
                .iter_mut()
                .zip(x)
                .for_each(|(g, v)| *g += w * error * v);
        }
        last = theta;
        theta = std::array::from_fn(|i| at[i] + gradient[i] / bound);
    }
    theta
}

/// Steps that never fall, by pooling neighbours that do.
fn isotonic(tops: &[Top]) -> Map {
    let mut sorted: Vec<Top> = tops.to_vec();
    sorted.sort_by(|a, b| a.probability.total_cmp(&b.probability));
    let mut blocks: Vec<(f64, f64, f64)> = Vec::new();
    for top in sorted {
        blocks.push((
            clamp(top.probability),
            top.weight * f64::from(u8::from(top.right)),
            top.weight,
        ));
        while let [.., before, last] = blocks[..] {
            if before.1 / before.2 < last.1 / last.2 {
                break;
            }
            blocks.pop();
            if let Some(block) = blocks.last_mut() {
                *block = (before.0, before.1 + last.1, before.2 + last.2);
            }
        }
    }
    Box::new(move |p| {
        let at = blocks.partition_point(|b| b.0 <= p);
        blocks.get(at.saturating_sub(1)).map_or(p, |b| b.1 / b.2)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tops whose model is too sure of itself: of those that it gives 0.9 three in four are right.
    fn too_sure() -> Vec<Top> {
        let at = |probability: f64, right: usize| {
            (0..100).map(move |i| Top {
                probability,
                right: i < right,
                weight: 1.0,
            })
        };
        at(0.9, 75).chain(at(0.5, 50)).chain(at(0.1, 25)).collect()
    }

    #[test]
    fn each_map_corrects_overconfidence() {
        let tops = too_sure();
        for make in [platt, beta, isotonic] {
            let map = make(&tops);
            assert!(
                (map(0.9) - 0.75).abs() < 0.02 && (map(0.1) - 0.25).abs() < 0.02,
                "{} {}",
                map(0.9),
                map(0.1)
            );
            assert!((map(0.5) - 0.5).abs() < 0.02);
        }
    }

    #[test]
    fn temperature_has_the_least_loss() {
        let tops = too_sure();
        let at = |t: f64, shift: f64| {
            tops.iter()
                .map(|top| Top {
                    probability: squash((logit(top.probability) + shift) / t),
                    ..*top
                })
                .collect::<Vec<_>>()
        };
        let (t, shift) = temperature(|t, shift| log_loss(&at(t, shift)));
        assert!((t - 2.0).abs() < 0.05 && shift.abs() < 0.05, "{t} {shift}");
    }

    #[test]
    fn maps_are_compared_on_unseen_titles() {
        let found = compare(&[too_sure(), too_sure()]);
        let of = |name: &str| {
            found
                .iter()
                .find(|f| f.0 == name)
                .map(|f| f.1)
                .expect("compared")
        };
        assert!(of("logistic") < of("as it is") && of("isotonic") < of("as it is"));
    }
}
