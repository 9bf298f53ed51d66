//! [`thin`]: reduces a price history to fewer points that keep its shape.
//!
//! Largest-Triangle-Three-Buckets (Steinarsson 2013): of each stretch of days the point that makes
//! the largest triangle with the one kept before and the mean of the stretch behind. First and last
//! point stay, and so do the lowest and the highest. Triangles are compared in whole numbers, so
//! the choice is the same everywhere.

/// The places of the points that are kept, ascending: all where there are at most `most`, else
/// exactly `most`, or two where `most` is less.
///
/// `points` are day and price, ascending by day.
pub(crate) fn thin(points: &[(i64, i64)], most: usize) -> Vec<usize> {
    let last = match points.len() {
        count if count <= most.max(2) => return (0..count).collect(),
        count => count - 1,
    };
    // ties go to the earlier point
    let lowest = (0..=last).min_by_key(|&at| points[at].1).unwrap_or(0);
    let highest = (0..=last).rev().max_by_key(|&at| points[at].1).unwrap_or(0);
    let mut kept = vec![0];
    let mut extremes: Vec<usize> = [lowest, highest]
        .into_iter()
        .filter(|at| !(at == &0 || at == &last))
        .collect();
    extremes.sort_unstable();
    extremes.dedup();
    extremes.truncate(most.saturating_sub(2));
    let buckets = most.saturating_sub(2 + extremes.len());
    // what is between first and last, but for the extremes, is dealt out evenly
    let between: Vec<usize> = (1..last).filter(|at| !extremes.contains(at)).collect();
    let bounds = |bucket: usize| bucket * between.len() / buckets.max(1);
    let mut before = 0;
    for bucket in 0..buckets {
        let members = &between[bounds(bucket)..bounds(bucket + 1)];
        let behind = if bucket + 1 < buckets {
            &between[bounds(bucket + 1)..bounds(bucket + 2)]
        } else {
            &[last][..]
        };
        let (days, prices) = behind.iter().fold((0, 0), |(days, prices), &at| {
            (
                days + i128::from(points[at].0),
                prices + i128::from(points[at].1),
            )
        });
        let size = |at: usize| {
            triangle(
                points[before],
                points[at],
                (days, prices, behind.len() as i128),
            )
        };
        // buckets are never empty: fewer than points between
        let Some(&chosen) = members.iter().rev().max_by_key(|&&at| size(at)) else {
            continue;
        };
        kept.push(chosen);
        before = chosen;
    }
    kept.extend(extremes);
    kept.push(last);
    kept.sort_unstable();
    kept
}

/// Twice the area of the triangle of `a`, `b` and the mean of others, times how many those are:
/// their days, prices and count, summed up.
fn triangle(a: (i64, i64), b: (i64, i64), (days, prices, count): (i128, i128, i128)) -> u128 {
    let wide = |(day, price): (i64, i64)| (i128::from(day), i128::from(price));
    let (a, b) = (wide(a), wide(b));
    ((b.0 - a.0) * (prices - a.1 * count) - (days - a.0 * count) * (b.1 - a.1)).unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::thin;
    use proptest::prelude::*;

    #[test]
    fn few_points_are_not_thinned() {
        assert_eq!(thin(&[], 5), Vec::<usize>::new());
        assert_eq!(thin(&[(1, 5), (2, 6), (3, 7)], 3), [0, 1, 2]);
    }

    /// Worked by hand: a flat year with one spike and one dip.
    #[test]
    fn spike_and_dip_survive_thinning() {
        let mut points: Vec<(i64, i64)> = (0..365).map(|day| (day, 1000)).collect();
        points[100].1 = 5000;
        points[200].1 = 10;
        let kept = thin(&points, 6);
        assert_eq!(kept.len(), 6);
        assert!(
            [0, 100, 200, 364].iter().all(|at| kept.contains(at)),
            "{kept:?}"
        );
    }

    /// Two peaks that are not the highest are kept before what lies on the lines between.
    #[test]
    fn corners_are_kept_before_points_on_lines() {
        let corners: [(i64, i64); 6] = [
            (0, 0),
            (20, 1000),
            (40, 100),
            (60, 800),
            (80, 200),
            (100, 900),
        ];
        let on_lines = |day: i64| {
            let at = corners
                .windows(2)
                .find(|pair| (pair[0].0..=pair[1].0).contains(&day))
                .expect("it is between two");
            at[0].1 + (at[1].1 - at[0].1) * (day - at[0].0) / (at[1].0 - at[0].0)
        };
        let points: Vec<(i64, i64)> = (0..=100).map(|day| (day, on_lines(day))).collect();
        let kept: Vec<i64> = thin(&points, 8)
            .into_iter()
            .map(|at| points[at].0)
            .collect();
        for (day, _) in corners {
            assert!(
                kept.iter().any(|at| (at - day).abs() <= 2),
                "{day} of {kept:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn first_last_and_extremes_stay(prices in proptest::collection::vec(0i64..1_000_000_000_000, 0..400), gaps in proptest::collection::vec(1i64..40, 400), most in 0usize..420) {
            let mut day = 0;
            let points: Vec<(i64, i64)> = prices.iter().zip(&gaps).map(|(price, gap)| { day += gap; (day, *price) }).collect();
            let kept = thin(&points, most);
            prop_assert_eq!(kept.len(), points.len().min(most.max(2)));
            prop_assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert_eq!(&kept, &thin(&points, most));
            if let Some(last) = points.len().checked_sub(1) {
                prop_assert!(kept.contains(&0) && kept.contains(&last));
            }
            if most >= 4 {
                let of = |kept: &[usize]| (kept.iter().map(|&at| points[at].1).min(), kept.iter().map(|&at| points[at].1).max());
                prop_assert_eq!(of(&kept), of(&(0..points.len()).collect::<Vec<_>>()));
            }
        }
    }
}
