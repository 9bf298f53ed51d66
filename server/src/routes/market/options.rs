//! What a query adds to the plain record: history, graded sales, prices in EUR, and over which
//! days.

use super::Market;
use super::price_history::PriceHistory;
use crate::credits::Cost;
use crate::error::ApiError;
use crate::market::Point;
use crate::parameters::Parameters;
use crate::plans::{LEAST_POINTS, Plan};
use crate::routes::charging::calls;
use crate::store::market::ItemRecord;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

/// Days of history and graded sales: the default and the most.
const DAYS: i64 = 30;
const MOST_DAYS: i64 = 3_650;
/// Points of a history: the default, where the plan allows as many, up to which they cost nothing
/// more.
const POINTS: i64 = 365;
const MOST_POINTS: i64 = 3_650;

/// What each card is shown with.
#[derive(Clone, Debug)]
pub(super) struct Extras {
    history: bool,
    pub(super) auction: bool,
    pub(super) eur: bool,
    /// The days of history: those of the query, or the fewer that the plan allows.
    history_days: i64,
    /// The days of graded sales.
    sale_days: i64,
    /// The most points of a history.
    points: i64,
    /// Whose prices the history has; those of the headline by default.
    source: Option<String>,
}

/// What is charged of an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Cards or products.
    cards: i64,
    /// Those of which there may be a history as the query wants it.
    histories: i64,
    /// What the answer costs at least.
    least: i64,
}

impl Found {
    /// The same, of an answer that costs at least so many credits.
    pub(super) fn at_least(self, least: i64) -> Self {
        Self { least, ..self }
    }
}

/// Parameters of cards; sealed products know some of them.
pub(super) const EXTRAS: [&str; 7] = [
    "includeHistory",
    "includeAuction",
    "includeBoth",
    "includeEur",
    "days",
    "maxDataPoints",
    "historySource",
];

impl Extras {
    /// # Errors
    /// 400 if a parameter is wrong, 403 if the plan does not allow as many points.
    pub(super) fn of(parameters: &Parameters, plan: &Plan) -> Result<Self, ApiError> {
        let both = parameters.flag("includeBoth")?;
        let history = parameters.flag("includeHistory")? || both;
        let auction = parameters.flag("includeAuction")? || both;
        let eur = parameters.flag("includeEur")?;
        let days = parameters.whole("days", 1..=MOST_DAYS)?.unwrap_or(DAYS);
        let allowed = i64::try_from(plan.history_points).unwrap_or(i64::MAX);
        let points = parameters
            .whole("maxDataPoints", LEAST_POINTS..=MOST_POINTS)?
            .unwrap_or(POINTS.min(allowed));
        if points > allowed {
            let message = format!(
                "maxDataPoints is {points} and the plan {} allows {allowed}: send less, or take a larger plan",
                plan.name
            );
            return Err(
                ApiError::new(StatusCode::FORBIDDEN, "plan_too_small", message)
                    .field("maxDataPoints"),
            );
        }
        let window = plan
            .history_days
            .map_or(i64::MAX, |days| i64::try_from(days).unwrap_or(i64::MAX));
        Ok(Self {
            history,
            auction,
            eur,
            history_days: days.min(window),
            sale_days: days,
            points,
            source: parameters.text("historySource")?.map(str::to_owned),
        })
    }

    /// Whether histories have more points than are free.
    fn many(&self) -> bool {
        self.history && self.points > POINTS
    }

    /// What a card costs with all that is asked for.
    pub(super) fn price(&self) -> i64 {
        1 + [self.history, self.auction, self.many(), self.eur]
            .into_iter()
            .map(i64::from)
            .sum::<i64>()
    }

    /// How many of these items are charged, and how many with a history: where the query names a
    /// source, those of which it stated a price.
    pub(super) async fn found(
        &self,
        market: &Market,
        items: &[&ItemRecord],
    ) -> Result<Found, ApiError> {
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let cards = count(items.len());
        let histories = match self.source.as_ref().filter(|_| self.history) {
            Some(source) => {
                let keys: Vec<i64> = items.iter().map(|item| item.key).collect();
                count(market.store.items_of_source(&keys, source).await?.len())
            }
            None => cards,
        };
        Ok(Found {
            cards,
            histories,
            least: 0,
        })
    }

    /// What these cards cost. `at_once` is for a whole set.
    pub(super) fn cost(&self, found: Found, at_once: bool) -> Cost {
        Cost {
            credits: self.consumed(found).total,
            calls: if at_once { calls(found.cards) } else { 1 },
        }
    }

    /// What the credits were for.
    pub(super) fn consumed(&self, found: Found) -> Consumed {
        let Found {
            cards, histories, ..
        } = found;
        let breakdown = Breakdown {
            cards,
            history: i64::from(self.history) * histories,
            auction: i64::from(self.auction) * cards,
            data_points: i64::from(self.many()) * histories,
            eur: i64::from(self.eur) * cards,
        };
        let additions = breakdown.history + breakdown.data_points;
        Consumed {
            total: (cards + additions + breakdown.auction + breakdown.eur).max(found.least),
            breakdown,
            cost_per_card: self.price(),
        }
    }

    /// The first day of sales.
    pub(super) fn sales_from(&self, today: i64) -> i64 {
        today - self.sale_days + 1
    }

    /// The history of each item, if the query asks for it.
    pub(super) async fn histories(
        &self,
        market: &Market,
        items: &[&ItemRecord],
        today: i64,
    ) -> Result<Vec<PriceHistory>, ApiError> {
        if !self.history {
            return Ok(Vec::new());
        }
        // of a window that ends today
        let from = today - self.history_days + 1;
        let store = &market.store;
        let snapshots = match &self.source {
            None => store.history(items, from, today).await?,
            Some(source) => {
                let keys: Vec<i64> = items.iter().map(|item| item.key).collect();
                store.history_of_source(&keys, source, from, today).await?
            }
        };
        let most = usize::try_from(self.points).unwrap_or(usize::MAX);
        let source = self.source.as_deref();
        let shown =
            |points: Vec<Point>| PriceHistory::of(&points, from, today, most).of_source(source);
        Ok(snapshots.into_iter().map(shown).collect())
    }
}

/// Credits.
#[derive(Serialize, ToSchema)]
#[schema(as = CardCredits)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Consumed {
    /// All of them. Of a search of sealed products at least 1, though it finds none.
    #[schema(minimum = 0)]
    total: i64,
    breakdown: Breakdown,
    /// What a card costs with all that was asked for.
    #[schema(minimum = 0)]
    cost_per_card: i64,
}

/// What the credits were for.
#[derive(Serialize, ToSchema)]
#[schema(as = CardBreakdown)]
#[serde(rename_all = "camelCase")]
struct Breakdown {
    /// Cards or products.
    #[schema(minimum = 0)]
    cards: i64,
    /// Price history.
    #[schema(minimum = 0)]
    history: i64,
    /// Graded sales.
    #[schema(minimum = 0)]
    auction: i64,
    /// More than 365 points of history.
    #[schema(minimum = 0)]
    data_points: i64,
    /// Prices in EUR.
    #[schema(minimum = 0)]
    eur: i64,
}
