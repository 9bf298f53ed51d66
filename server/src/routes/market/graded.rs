//! Graded sales as they are answered: by grade, over a window of days.

use crate::market::{Day, Money, money};
use crate::store::market::GradedSale;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use utoipa::ToSchema;

/// Days that the trend looks back, whatever the window.
const TREND_DAYS: i64 = 30;

/// The sales of one grade, in USD.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GradeSales {
    /// The mean of the prices, rounded to hundredths.
    avg: Money,
    /// The median of the prices, rounded to hundredths.
    median: Money,
    /// The lowest price.
    low: Money,
    /// The highest price.
    high: Money,
    /// How many sales.
    #[schema(minimum = 1)]
    count: usize,
    /// The day of the last sale.
    last_sale: Day,
}

/// The first day of which sales are fetched, for a window that begins on a day.
pub(super) fn since(from: i64, today: i64) -> i64 {
    from.min(today - TREND_DAYS + 1)
}

/// Sales by item.
pub(super) fn by_item(sales: Vec<GradedSale>) -> HashMap<i64, Vec<GradedSale>> {
    let mut items: HashMap<i64, Vec<GradedSale>> = HashMap::new();
    for sale in sales {
        items.entry(sale.item).or_default().push(sale);
    }
    items
}

/// What one item's sales of a window come to, by grade; only grades that were sold in it.
pub(super) fn by_grade(sales: Vec<GradedSale>, from: i64, today: i64) -> BTreeMap<String, GradeSales> {
    let mut grades: BTreeMap<String, Vec<GradedSale>> = BTreeMap::new();
    for sale in sales.into_iter().filter(|sale| (from..=today).contains(&sale.day)) {
        grades.entry(sale.key.to_string()).or_default().push(sale);
    }
    grades.into_iter().filter_map(|(grade, sales)| Some((grade, GradeSales::of(&sales)?))).collect()
}

impl GradeSales {
    fn of(sales: &[GradedSale]) -> Option<Self> {
        let mut prices: Vec<i64> = sales.iter().map(|sale| sale.price.0).collect();
        prices.sort_unstable();
        let count = i128::try_from(prices.len()).ok()?;
        let sum: i128 = prices.iter().copied().map(i128::from).sum();
        let middle = prices.len() / 2;
        let median = if prices.len() % 2 == 1 {
            i128::from(*prices.get(middle)?) * 2
        } else {
            i128::from(prices.get(middle - 1)? + prices.get(middle)?)
        };
        Some(Self {
            avg: hundredths(sum, count),
            median: hundredths(median, 2),
            low: Money(*prices.first()?),
            high: Money(*prices.last()?),
            count: prices.len(),
            last_sale: Day(sales.iter().map(|sale| sale.day).max()?),
        })
    }
}

/// A quotient of amounts, rounded to hundredths of the unit.
fn hundredths(of: i128, by: i128) -> Money {
    Money(money::divide(of, by * 100) * 100)
}

#[cfg(test)]
mod tests {
    use super::by_grade;
    use crate::market::{Money, day::Day};
    use crate::store::market::GradedSale;

    /// Worked by hand: 10.00, 20.00 and 60.01 make 30.0033…, with 20 in the middle.
    #[test]
    fn mean_and_median_are_of_the_window() {
        let sale =
            |grade: &str, day, cents: i64| GradedSale { item: 1, key: grade.parse().expect("a grade"), day, price: Money(cents * 100) };
        let sales = vec![
            sale("GRADER_A_10", 100, 1_000),
            sale("GRADER_A_10", 101, 6_001),
            sale("GRADER_A_10", 103, 2_000),
            sale("GRADER_A_10", 90, 99_999),
            sale("GRADER_B_9_5", 103, 500),
            sale("GRADER_B_9_5", 100, 501),
            sale("GRADER_C_9", 99, 1),
        ];
        let grades = by_grade(sales, 100, 110);
        assert_eq!(grades.keys().collect::<Vec<_>>(), ["GRADER_A_10", "GRADER_B_9_5"]);
        let ten = &grades["GRADER_A_10"];
        assert_eq!((ten.avg, ten.median, ten.count, ten.last_sale), (Money(300_000), Money(200_000), 3, Day(103)));
        assert_eq!((ten.low, ten.high), (Money(100_000), Money(600_100)));
        // 5.005 is rounded away from zero
        assert_eq!(grades["GRADER_B_9_5"].avg, Money(50_100));
    }
}
