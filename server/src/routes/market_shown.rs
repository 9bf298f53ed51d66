//! Changes, sales and prices as JSON, as administrators see them.

use crate::market::day::iso;
use crate::market::{Day, Money, Point};
use crate::store::market::{ChangeRow, KnownPrices, Quote, SaleRow};
use serde::Serialize;
use utoipa::ToSchema;

/// An import, or what an administrator did to the market.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Change {
    /// Its number, by which it can be undone.
    id: i64,
    /// What an import held (`prices`), or `accept`, `reject`, `delete sale`, `delete price`,
    /// `delete population` or `merge`.
    kind: String,
    /// The name of the file, or what was changed.
    name: String,
    /// The rows of the file, or how many were changed.
    records: i64,
    /// When it was made.
    #[schema(format = DateTime)]
    made_at: String,
    /// When it was undone; null unless it was.
    #[schema(format = DateTime, required)]
    undone_at: Option<String>,
    /// Whether it can still be undone, if no later change builds on it: for thirty days.
    undoable: bool,
}

impl From<&ChangeRow> for Change {
    fn from(row: &ChangeRow) -> Self {
        Self {
            id: row.id,
            kind: row.kind.clone(),
            name: row.name.clone(),
            records: row.records,
            made_at: iso(row.made),
            undone_at: row.undone.map(iso),
            undoable: row.undone.is_none() && !row.forgotten,
        }
    }
}

/// The change that a request made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Changed {
    /// Its number, by which it can be undone.
    pub(crate) change: i64,
}

/// A sale.
#[derive(Serialize, ToSchema)]
#[schema(as = StoredSale)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Sale {
    /// Its number.
    id: i64,
    /// The own id of what was sold.
    marketplace_id: String,
    /// The grade; null for a raw card or a sealed product.
    #[schema(required)]
    grade: Option<String>,
    /// The day.
    #[schema(format = Date)]
    date: String,
    /// What was paid.
    price: Money,
    /// In which currency.
    currency: String,
    /// How sure the match is; null where a person decided.
    #[schema(required)]
    confidence: Option<Money>,
    /// The title of the listing.
    title: String,
    /// Its address.
    #[schema(required)]
    url: Option<String>,
}

impl From<&SaleRow> for Sale {
    fn from(row: &SaleRow) -> Self {
        Self {
            id: row.id,
            marketplace_id: row.marketplace_id.clone(),
            grade: Some(row.grade.clone()).filter(|grade| !grade.is_empty()),
            date: Day(row.day).to_string(),
            price: row.price,
            currency: row.currency.clone(),
            confidence: row.confidence.map(Money),
            title: row.title.clone(),
            url: row.url.clone(),
        }
    }
}

/// A price of an item.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KnownPrice {
    /// Its day.
    #[schema(format = Date)]
    date: String,
    /// Its source; null where it is not known.
    #[schema(required)]
    source: Option<String>,
    /// The condition that it is for; null for none in particular.
    #[schema(required)]
    condition: Option<String>,
    /// Its currency.
    currency: String,
    /// The market price.
    #[schema(required)]
    market: Option<Money>,
    /// The lowest price asked.
    #[schema(required)]
    low: Option<Money>,
}

fn word(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

impl From<&Quote> for KnownPrice {
    fn from(quote: &Quote) -> Self {
        Self {
            date: Day(quote.day).to_string(),
            source: word(&quote.source),
            condition: word(&quote.condition),
            currency: quote.currency.clone(),
            market: quote.market,
            low: quote.low,
        }
    }
}

/// A day of a price history.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KnownDay {
    /// The day.
    #[schema(format = Date)]
    date: String,
    /// The market price in USD.
    #[schema(required)]
    market: Option<Money>,
    /// The lowest price asked in USD.
    #[schema(required)]
    low: Option<Money>,
}

impl From<&Point> for KnownDay {
    fn from(point: &Point) -> Self {
        Self {
            date: Day(point.day).to_string(),
            market: point.market,
            low: point.low,
        }
    }
}

/// All that is known of the prices of an item.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ItemPrices {
    /// Its own id.
    marketplace_id: String,
    /// The headline price in USD; null where none is known.
    #[schema(required)]
    headline: Option<KnownPrice>,
    /// The price in EUR; null where none is known.
    #[schema(required)]
    eur: Option<KnownPrice>,
    /// The last price of each source, condition and currency.
    sources: Vec<KnownPrice>,
    /// All days of its history.
    history: Vec<KnownDay>,
}

impl From<&KnownPrices> for ItemPrices {
    fn from(known: &KnownPrices) -> Self {
        let item = &known.item;
        let price = |updated: Option<i64>, currency: &str, market, low| {
            updated.map(|moment| KnownPrice {
                date: Day::of_millis(moment).to_string(),
                source: item.source.clone().filter(|_| currency == "USD"),
                condition: item.condition.clone().filter(|_| currency == "USD"),
                currency: currency.to_owned(),
                market,
                low,
            })
        };
        Self {
            marketplace_id: item.marketplace_id.clone(),
            headline: price(item.updated, "USD", item.market, item.low),
            eur: price(item.eur_updated, "EUR", item.eur_market, item.eur_low),
            sources: known.quotes.iter().map(KnownPrice::from).collect(),
            history: known.points.iter().map(KnownDay::from).collect(),
        }
    }
}
