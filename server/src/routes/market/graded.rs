//! Graded sales as they are answered: by grade, over a window of days. What is computed is
//! [`crate::market::stats`]'s.

use crate::market::stats::{Confidence, Sale, Summary, summary};
use crate::market::{Day, GradeKey, Money};
use crate::store::market::GradedSale;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use utoipa::ToSchema;

/// The sales of one grade within the window, in USD.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GradeSales {
    /// Their mean.
    pub(crate) avg: Money,
    /// Their median.
    median: Money,
    /// The lowest.
    low: Money,
    /// The highest.
    high: Money,
    /// How many there are.
    #[schema(minimum = 1)]
    pub(crate) sales_count: i64,
    /// The day of the last one.
    pub(crate) last_sale: Day,
    /// The median without outliers, recent sales weighing more.
    pub(crate) smart_market_price: Money,
    /// How far that may be trusted.
    pub(crate) smart_market_confidence: Confidence,
    /// The median of the last seven days without outliers, whatever `days` is; null where nothing
    /// was sold in them.
    #[schema(required)]
    #[serde(rename = "marketPrice7Day")]
    market_price_week: Option<Money>,
    /// How much that is above the seven days before, in per cent; null where one of the two is not
    /// known.
    #[schema(required)]
    market_trend: Option<Money>,
    /// Sales a week.
    sales_velocity_weekly: Money,
}

/// Sales by item.
pub(crate) fn by_item(sales: Vec<GradedSale>) -> HashMap<i64, Vec<GradedSale>> {
    let mut items: HashMap<i64, Vec<GradedSale>> = HashMap::new();
    for sale in sales {
        items.entry(sale.item).or_default().push(sale);
    }
    items
}

/// Sums up the sales of one item by grade, of which those from [`crate::market::stats::first_day`]
/// on are there. Only grades that were sold within the window appear.
pub(crate) fn by_grade(
    sales: &[GradedSale],
    from: i64,
    today: i64,
) -> BTreeMap<GradeKey, GradeSales> {
    let mut grades: BTreeMap<GradeKey, Vec<Sale>> = BTreeMap::new();
    for sale in sales {
        grades
            .entry(sale.key)
            .or_default()
            .push((sale.day, sale.price));
    }
    let shown = |(key, mut sales): (GradeKey, Vec<Sale>)| {
        let summary = summary(&sales, from, today)?;
        sales.retain(|(day, _)| (from..=today).contains(day));
        Some((key, GradeSales::of(&sales, &summary)?))
    };
    grades.into_iter().filter_map(shown).collect()
}

/// Like [`by_grade`], with the names of grades.
pub(super) fn by_name(sales: &[GradedSale], from: i64, today: i64) -> BTreeMap<String, GradeSales> {
    by_grade(sales, from, today)
        .into_iter()
        .map(|(key, sales)| (key.to_string(), sales))
        .collect()
}

impl GradeSales {
    fn of(sales: &[Sale], summary: &Summary) -> Option<Self> {
        let prices = || sales.iter().map(|(_, price)| *price);
        Some(Self {
            avg: summary.average,
            median: summary.median,
            low: prices().min()?,
            high: prices().max()?,
            sales_count: summary.count,
            last_sale: Day(sales.iter().map(|(day, _)| *day).max()?),
            smart_market_price: summary.smart,
            smart_market_confidence: summary.confidence,
            market_price_week: summary.week,
            market_trend: summary.trend,
            sales_velocity_weekly: summary.velocity,
        })
    }
}
