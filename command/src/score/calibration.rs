//! How well confidences agree with how often the first card is right.
//!
//! A point is the confidence of a first card, and whether the card is right.

/// Bins of equal size for the calibration error.
const BINS: usize = 10;

/// Expected calibration error over bins of equal size.
pub(super) fn calibration_error(points: &[(f64, bool)]) -> Option<f64> {
    if points.is_empty() {
        return None;
    }
    let mut points = points.to_vec();
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let total = points.len();
    let bins = (0..BINS)
        .map(|bin| &points[bin * total / BINS..(bin + 1) * total / BINS])
        .filter(|bin| !bin.is_empty());
    let error = |bin: &[(f64, bool)]| {
        let size = bin.len() as f64;
        let confidence = bin.iter().map(|point| point.0).sum::<f64>() / size;
        let right = bin.iter().filter(|point| point.1).count() as f64 / size;
        (confidence - right).abs() * size / total as f64
    };
    Some(bins.map(error).sum())
}

/// Mean squared difference between confidence and outcome.
pub(super) fn brier(points: &[(f64, bool)]) -> Option<f64> {
    let sum: f64 = points
        .iter()
        .map(|(confidence, right)| (confidence - f64::from(u8::from(*right))).powi(2))
        .sum();
    (!points.is_empty()).then(|| sum / points.len() as f64)
}

/// How often a right answer has a higher confidence than a wrong one; ties count half.
pub(super) fn auroc(points: &[(f64, bool)]) -> Option<f64> {
    let right = points.iter().filter(|point| point.1).count();
    let wrong = points.len() - right;
    if right == 0 || wrong == 0 {
        return None;
    }
    let mut ranked = points.to_vec();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut rank_sum = 0.0;
    let mut before = 0;
    for tied in ranked.chunk_by(|a, b| a.0 == b.0) {
        let mean_rank = (2 * before + tied.len() + 1) as f64 / 2.0;
        rank_sum += tied.iter().filter(|point| point.1).count() as f64 * mean_rank;
        before += tied.len();
    }
    let right = right as f64;
    Some((rank_sum - right * (right + 1.0) / 2.0) / (right * wrong as f64))
}

#[cfg(test)]
mod tests {
    use super::{auroc, brier, calibration_error};

    fn close(one: Option<f64>, other: f64) {
        assert!(
            one.is_some_and(|one| (one - other).abs() < 1e-12),
            "{one:?} is not {other}"
        );
    }

    #[test]
    fn calibration_figures_are_those_counted_by_hand() {
        let points = [(0.9, true), (0.9, false), (0.1, false), (0.4, true)];
        // ten bins over four points: each has its own
        close(calibration_error(&points), (0.1 + 0.9 + 0.1 + 0.6) / 4.0);
        close(brier(&points), (0.01 + 0.81 + 0.01 + 0.36) / 4.0);
        // right 0.9 beats 0.1 and ties 0.9; right 0.4 beats 0.1 and loses to 0.9
        close(auroc(&points), (1.0 + 0.5 + 1.0 + 0.0) / 4.0);
        assert_eq!(calibration_error(&[]), None);
        assert_eq!(brier(&[]), None);
        assert_eq!(auroc(&[(0.5, true)]), None);
    }
}
