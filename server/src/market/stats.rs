//! The statistics of graded sales and populations. `docs/METHODS.md` has the formulas and their
//! sources.
//!
//! Everything is computed in integers, so that the same sales give the same answer everywhere:
//! prices are [`Money`], shares are per cents in ten-thousandths.

use super::grades::{Counts, Grade, Grader};
use super::money::{Money, UNIT, divide};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Days in which a sale's weight halves.
pub const HALF_LIFE: i64 = 14;
/// A sale is an outlier beyond this many standard deviations, estimated by the median absolute
/// deviation.
const DEVIATIONS: i128 = 3;
/// The factor from median absolute deviation to standard deviation of normal values, in
/// ten-thousandths.
const CONSISTENT: i128 = 14_826;
/// The deviation counts as at least this part of the median, so that sales at one price do not make
/// the next one an outlier.
const LEAST_DEVIATION: i64 = 20;
/// Fewer sales than this have no outliers.
const ENOUGH: usize = 3;
/// Days whose sales tell which of the last two weeks are outliers, however many days are asked for.
const RECENT: i64 = 30;

/// A sale: its day and price.
pub type Sale = (i64, Money);

/// How far a price may be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Few or old sales, or widely scattered ones.
    Low,
    /// Some sales, not far apart.
    Medium,
    /// Many sales, close together, some of them of the last 30 days.
    High,
}

impl Confidence {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// A summary of the sales of a grade within a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many there were.
    pub count: i64,
    /// Their mean.
    pub average: Money,
    /// Their median.
    pub median: Money,
    /// The median without outliers, recent sales weighing more.
    pub smart: Money,
    /// How far that may be trusted.
    pub confidence: Confidence,
    /// The median of the last seven days without outliers, whatever the window.
    pub week: Option<Money>,
    /// How much that is above the median of the seven days before, in per cent.
    pub trend: Option<Money>,
    /// Sales a week.
    pub velocity: Money,
}

/// The first day of the sales that a [`summary`] from `from` to `today` needs.
#[must_use]
pub fn first_day(from: i64, today: i64) -> i64 {
    from.min(today - RECENT + 1)
}

/// Sums up the sales of one item and grade from `from` to `today`, both included. The two weeks and
/// their trend are of the sales from [`first_day`] on, so that they are the same for every `from`.
/// `None` without sales.
#[must_use]
pub fn summary(sales: &[Sale], from: i64, today: i64) -> Option<Summary> {
    let all = sales;
    let sales = between(all, from, today);
    let prices: Vec<Money> = sales.iter().map(|(_, price)| *price).collect();
    let middle = median(&prices)?;
    let count = i64::try_from(sales.len()).unwrap_or(i64::MAX);
    let sum: i128 = prices.iter().map(|price| i128::from(price.0)).sum();
    let kept = without_outliers(&sales);
    let recent = without_outliers(&between(all, today - RECENT + 1, today));
    let within = |first: i64, last: i64| -> Vec<Money> {
        recent
            .iter()
            .filter(|(day, _)| (first..=last).contains(day))
            .map(|(_, price)| *price)
            .collect()
    };
    let (week, before) = (
        median(&within(today - 6, today)),
        median(&within(today - 13, today - 7)),
    );
    let trend = week.zip(before).filter(|(_, before)| before.0 > 0);
    Some(Summary {
        count,
        average: Money(divide(sum, i128::from(count))),
        median: middle,
        smart: weighted_median(&kept, today).unwrap_or(middle),
        confidence: confidence(&kept, today),
        week,
        trend: trend.map(|(week, before)| {
            Money(divide(
                i128::from(week.0 - before.0) * 100 * i128::from(UNIT),
                i128::from(before.0),
            ))
        }),
        velocity: Money(divide(
            i128::from(count) * 7 * i128::from(UNIT),
            i128::from(today - from + 1),
        )),
    })
}

/// The sales from a day to a day, by price.
fn between(sales: &[Sale], from: i64, to: i64) -> Vec<Sale> {
    let mut sales: Vec<Sale> = sales
        .iter()
        .copied()
        .filter(|(day, _)| (from..=to).contains(day))
        .collect();
    sales.sort_unstable_by_key(|(day, price)| (*price, *day));
    sales
}

/// The median of ascending prices: for an even number, the mean of the two in the middle.
#[must_use]
pub fn median(prices: &[Money]) -> Option<Money> {
    let upper = prices.get(prices.len() / 2)?;
    if prices.len() % 2 == 1 {
        return Some(*upper);
    }
    let lower = prices.get(prices.len() / 2 - 1)?;
    Some(Money(divide(i128::from(lower.0) + i128::from(upper.0), 2)))
}

/// The median absolute deviation from `middle`, at least a part of it.
fn deviation(prices: &[Money], middle: Money) -> Money {
    let mut distances: Vec<Money> = prices
        .iter()
        .map(|price| Money((price.0 - middle.0).abs()))
        .collect();
    distances.sort_unstable();
    median(&distances)
        .unwrap_or_default()
        .max(Money(middle.0 / LEAST_DEVIATION))
}

/// Sales by price without outliers.
fn without_outliers(sales: &[Sale]) -> Vec<Sale> {
    let prices: Vec<Money> = sales.iter().map(|(_, price)| *price).collect();
    let Some(middle) = median(&prices).filter(|_| sales.len() >= ENOUGH) else {
        return sales.to_vec();
    };
    let most = DEVIATIONS * CONSISTENT * i128::from(deviation(&prices, middle).0);
    sales
        .iter()
        .copied()
        .filter(|(_, price)| i128::from((price.0 - middle.0).abs()) * 10_000 <= most)
        .collect()
}

/// The weighted median of sales that are sorted by price.
fn weighted_median(sales: &[Sale], today: i64) -> Option<Money> {
    let weights: Vec<u128> = sales.iter().map(|(day, _)| weight(today - day)).collect();
    let total: u128 = weights.iter().sum();
    let mut below = 0;
    for (at, weight) in weights.iter().enumerate() {
        below += weight;
        if below * 2 == total {
            let upper = sales.get(at + 1).map_or(sales[at].1, |sale| sale.1);
            return Some(Money(divide(
                i128::from(sales[at].1.0) + i128::from(upper.0),
                2,
            )));
        }
        if below * 2 > total {
            return Some(sales[at].1);
        }
    }
    None
}

/// The weight of a sale this many days ago. It halves every [`HALF_LIFE`] days and never reaches 0.
fn weight(age: i64) -> u128 {
    /// 2^(60 - n/14), rounded.
    const OF_DAY: [u128; HALF_LIFE as usize] = [
        1_152_921_504_606_846_976,
        1_097_229_807_736_047_014,
        1_044_228_289_761_169_999,
        993_787_002_002_274_313,
        945_782_272_930_519_389,
        900_096_404_951_342_247,
        856_617_385_834_476_290,
        815_238_614_083_298_888,
        775_858_637_570_170_606,
        738_380_904_796_954_379,
        702_713_528_170_857_249,
        668_769_058_715_196_344,
        636_464_271_662_726_834,
        605_719_962_405_851_381,
    ];
    let age = age.max(0);
    let halvings = u32::try_from(age / HALF_LIFE).unwrap_or(u32::MAX);
    let of_day = usize::try_from(age % HALF_LIFE)
        .ok()
        .and_then(|day| OF_DAY.get(day))
        .copied()
        .unwrap_or(1);
    of_day.checked_shr(halvings).unwrap_or(0).max(1)
}

/// High: ten sales or more, a deviation of at most 15 % of the median, and a sale in the last 30
/// days. Medium: four or more and 35 %.
fn confidence(kept: &[Sale], today: i64) -> Confidence {
    let prices: Vec<Money> = kept.iter().map(|(_, price)| *price).collect();
    let Some(middle) = median(&prices) else {
        return Confidence::Low;
    };
    let mut distances: Vec<Money> = prices
        .iter()
        .map(|price| Money((price.0 - middle.0).abs()))
        .collect();
    distances.sort_unstable();
    let spread = i128::from(median(&distances).unwrap_or_default().0) * CONSISTENT;
    let within = |per_cent: i128| spread * 100 <= per_cent * 10_000 * i128::from(middle.0);
    let recent = kept.iter().any(|(day, _)| today - day < 30);
    match kept.len() {
        10.. if recent && within(15) => Confidence::High,
        4.. if within(35) => Confidence::Medium,
        _ => Confidence::Low,
    }
}

/// The share of `part` in `whole` in per cent, with four decimals. It is 0 if both are.
#[must_use]
pub fn per_cent(part: i64, whole: i64) -> Money {
    Money(divide(
        i128::from(part) * 100 * i128::from(UNIT),
        i128::from(whole),
    ))
}

/// The share of tens, pristine and perfect ones among them, in per cent.
#[must_use]
pub fn gem_rate(counts: &Counts) -> Money {
    per_cent(counts.gems(), counts.total())
}

/// How many cards have each grade across all graders.
#[must_use]
pub fn combined(counts: &BTreeMap<Grader, Counts>) -> Counts {
    let mut all = Counts::default();
    for (grade, count) in counts.values().flat_map(|counts| &counts.0) {
        *all.0.entry(*grade).or_default() += count;
    }
    all
}

/// The per cent of all graded cards that have a higher grade, for each grade with a number that
/// there is. Pristine lies above 10, Perfect above Pristine; authentic and qualified cards have no
/// place in the order and count in the whole alone.
#[must_use]
pub fn percent_higher(combined: &Counts) -> BTreeMap<Grade, Money> {
    let whole = combined.total();
    let mut higher = 0;
    let mut shares = BTreeMap::new();
    for (grade, count) in combined.0.iter().rev() {
        if matches!(grade, Grade::Authentic | Grade::Qualified) {
            continue;
        }
        shares.insert(*grade, per_cent(higher, whole));
        higher += count;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::{
        Confidence, Counts, Grade, Grader, Money, combined, first_day, gem_rate, median, per_cent,
        percent_higher, summary, weight,
    };
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn money(text: &str) -> Money {
        text.parse().expect("it is an amount")
    }

    fn sales(rows: &[(i64, &str)]) -> Vec<(i64, Money)> {
        rows.iter()
            .map(|(day, price)| (*day, money(price)))
            .collect()
    }

    /// The example of `docs/METHODS.md`, by hand. Prices 95 98 100 102 104 110 400: median 102;
    /// distances 7 4 2 0 2 8 298, in order 0 2 2 4 7 8 298: deviation 4, but at least 102/20 = 5.1;
    /// the bound is 3 · 1.4826 · 5.1 = 22.68, so 400 goes. Of the six left the days 100 100 99 98
    /// 86 72 have ages 0 0 1 2 14 28, prices 104 100 110 98 102 95; by price the weights are 95:
    /// 0.25, 98: 0.906, 100: 1, 102: 0.5, 104: 1, 110: 0.952, in all 4.608: half is 2.304, reached
    /// at 102 (2.656).
    #[test]
    fn summary_matches_the_worked_example() {
        let rows = sales(&[
            (72, "95"),
            (98, "98"),
            (100, "100"),
            (86, "102"),
            (100, "104"),
            (99, "110"),
            (97, "400"),
        ]);
        let found = summary(&rows, 71, 100).expect("there are sales");
        assert_eq!(
            (found.count, found.median, found.smart),
            (7, money("102"), money("102"))
        );
        // 1009 / 7 = 144.142857…
        assert_eq!(found.average, money("144.1429"));
        // the last seven days without the outlier: 98 100 104 110; none in the seven before (87 to
        // 93)
        assert_eq!((found.week, found.trend), (Some(money("102")), None));
        // 7 sales in 30 days: 7 · 7 / 30
        assert_eq!(found.velocity, money("1.6333"));
        // six kept, about their median 101 distances 1 1 3 3 6 9: 3 · 1.4826 is 4.4 % of it, but
        // ten sales would be needed for more
        assert_eq!(found.confidence, Confidence::Medium);
    }

    #[test]
    fn trend_compares_the_last_two_weeks() {
        let found = summary(
            &sales(&[(88, "10"), (90, "10"), (95, "12"), (100, "13")]),
            71,
            100,
        )
        .expect("there are sales");
        // 12.5 over 10
        assert_eq!(
            (found.week, found.trend),
            (Some(money("12.5")), Some(money("25")))
        );
        let found = summary(&sales(&[(88, "30"), (95, "10")]), 71, 100).expect("there are sales");
        assert_eq!(found.trend, Some(Money(-666_667)));
    }

    /// One sale far above the others: whether it is an outlier is told by 30 days, not by the few of
    /// the window.
    #[test]
    fn week_and_trend_do_not_depend_on_the_window() {
        let rows = sales(&[
            (75, "100"),
            (80, "100"),
            (88, "80"),
            (91, "84"),
            (95, "103"),
            (98, "105"),
            (100, "400"),
        ]);
        let weeks = |from: i64| {
            let found = summary(&rows, from, 100).expect("there are sales");
            (found.week, found.trend)
        };
        let expected = (Some(money("104")), Some(money("26.8293")));
        for from in [100, 98, 94, 87, 71, 1] {
            assert_eq!(weeks(from), expected, "from {from}");
        }
        assert_eq!((first_day(98, 100), first_day(1, 100)), (71, 1));
    }

    #[test]
    fn sales_outside_the_window_do_not_count() {
        assert_eq!(summary(&sales(&[(70, "1"), (101, "1")]), 71, 100), None);
        assert_eq!(
            summary(
                &sales(&[(70, "1"), (71, "5"), (100, "7"), (101, "1")]),
                71,
                100
            )
            .map(|found| found.median),
            Some(money("6"))
        );
    }

    #[test]
    fn many_close_recent_sales_have_high_confidence() {
        let rows: Vec<_> = (0..12)
            .map(|day| (89 + day, Money(1_000_000 + day * 1_000)))
            .collect();
        assert_eq!(
            summary(&rows, 71, 100).map(|found| found.confidence),
            Some(Confidence::High)
        );
        assert_eq!(
            summary(&rows, 1, 200).map(|found| found.confidence),
            Some(Confidence::Medium)
        );
        assert_eq!(
            summary(&rows[..2], 71, 100).map(|found| found.confidence),
            Some(Confidence::Low)
        );
    }

    #[test]
    fn weights_halve_in_fourteen_days() {
        assert_eq!(weight(14) * 2, weight(0));
        assert_eq!(weight(28) * 4, weight(0));
        assert!((0..400).all(|age| weight(age + 1) < weight(age)));
        assert_eq!(weight(100_000), 1);
        // 2^(-1/14) = 0.951695…
        assert_eq!(weight(1) * 1_000_000 / weight(0), 951_695);
    }

    /// 3 of 20 are tens; above a 9 are the three tens and two 9.5: 25 %.
    #[test]
    fn population_shares_match_the_worked_example() {
        let a = Counts(BTreeMap::from([
            (Grade::Authentic, 2),
            (Grade::Halves(18), 8),
            (Grade::Halves(20), 2),
        ]));
        let b = Counts(BTreeMap::from([
            (Grade::Halves(18), 5),
            (Grade::Halves(19), 2),
            (Grade::Perfect, 1),
        ]));
        let all = combined(&BTreeMap::from([(Grader::A, a.clone()), (Grader::B, b)]));
        assert_eq!((all.total(), all.gems()), (20, 3));
        assert_eq!(
            (gem_rate(&all), gem_rate(&a)),
            (money("15"), money("16.6667"))
        );
        let higher = percent_higher(&all);
        let shares: Vec<_> = higher
            .iter()
            .map(|(grade, share)| (grade.column(), share.to_string()))
            .collect();
        let by_hand = [("g9", "25"), ("g9_5", "15"), ("g10", "5"), ("perfect", "0")];
        assert_eq!(
            shares,
            by_hand.map(|(grade, share)| (grade.to_owned(), share.to_owned()))
        );
        assert_eq!(per_cent(0, 0), Money(0));
    }

    proptest! {
        #[test]
        fn smart_price_lies_between_lowest_and_highest(
            rows in proptest::collection::vec((0..120_i64, 1..10_000_000_000_i64), 1..60), from in 0..60_i64
        ) {
            let rows: Vec<_> = rows.into_iter().map(|(day, price)| (day, Money(price))).collect();
            let mut inside: Vec<_> = rows.iter().filter(|(day, _)| (from..=100).contains(day)).map(|(_, price)| *price).collect();
            inside.sort_unstable();
            let found = summary(&rows, from, 100);
            prop_assert_eq!(found.is_some(), !inside.is_empty());
            if let (Some(found), Some((least, most))) = (found, inside.first().zip(inside.last())) {
                for price in [found.average, found.median, found.smart, found.week.unwrap_or(found.smart)] {
                    prop_assert!(*least <= price && price <= *most);
                }
                prop_assert_eq!(Some(found.median), median(&inside));
            }
        }

        #[test]
        fn one_outlier_among_ten_sales_changes_nothing(price in 1_000..1_000_000_i64, absurd in 100..10_000_i64) {
            let mut rows: Vec<_> = (0..10).map(|day| (91 + day, Money(price * 100 + day))).collect();
            let without = summary(&rows, 71, 100).map(|found| found.smart);
            rows.push((100, Money(price * 100 * absurd)));
            prop_assert_eq!(summary(&rows, 71, 100).map(|found| found.smart), without);
        }
    }
}
