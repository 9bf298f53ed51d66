//! What a [`super::Loader`] is given, and what it tells of what is there.

use super::rows::Language;
use crate::market::{Money, Rate};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A set that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSet {
    /// Its number here.
    pub key: i64,
    /// Its id.
    pub id: String,
    /// Its tree.
    pub language: Language,
    /// Its name as paths have it.
    pub slug: String,
    /// Its name.
    pub name: String,
}

/// A card that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownCard {
    /// Its number here.
    pub key: i64,
    /// Its id.
    pub id: String,
    /// The number of its set here.
    pub set_key: i64,
    /// Its order within the set.
    pub place: i64,
}

/// An item that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownItem {
    /// Its number here.
    pub key: i64,
    /// Its id.
    pub marketplace_id: String,
    /// Its tree.
    pub language: Language,
    /// The number of its card here; none for a sealed product.
    pub card: Option<i64>,
    /// Its order among the printings of its card.
    pub place: i64,
    /// The first day of its history.
    pub first_day: Option<i64>,
    /// The last day of its history.
    pub last_day: Option<i64>,
}

/// An item without its prices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewItem {
    /// Its number here.
    pub key: i64,
    /// Its id.
    pub marketplace_id: String,
    /// Its tree.
    pub language: Language,
    /// The number of its card here; none for a sealed product.
    pub card: Option<i64>,
    /// Its order among the printings of its card.
    pub place: i64,
    /// Its label.
    pub label: String,
}

/// A sealed product without its prices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewSealed {
    /// The number of its item.
    pub item: i64,
    /// Its name.
    pub name: String,
    /// The number of its set here.
    pub set_key: Option<i64>,
    /// The name of its set.
    pub set_name: String,
    /// What it is.
    pub product_type: String,
    /// Its tree.
    pub language: Language,
}

/// A headline price.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headline {
    /// Of which item.
    pub item: i64,
    /// The market price.
    pub market: Option<Money>,
    /// The lowest price asked.
    pub low: Option<Money>,
    /// How many sell.
    pub sellers: Option<i64>,
    /// When it was taken, in milliseconds since 1970.
    pub updated: i64,
    /// Whose it is.
    pub source: Option<String>,
}

/// A sold listing that was matched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewSale {
    /// What no other sale has.
    pub fingerprint: Vec<u8>,
    /// The item that was sold.
    pub item: i64,
    /// The key of its grade; empty for a raw card.
    pub grade: String,
    /// The day of the sale.
    pub day: i64,
    /// The price.
    pub price: Money,
    /// The currency of the price.
    pub currency: String,
    /// How sure the match is, in ten-thousandths; none where a person decided.
    pub confidence: Option<i64>,
    /// The title of the listing.
    pub title: String,
    /// Where it was.
    pub url: Option<String>,
}

/// What a unit of a currency was worth on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateRow {
    /// The three letters of the currency.
    pub currency: String,
    /// The day.
    pub day: i64,
    /// What a unit of it was worth.
    pub usd: Rate,
}

/// A card that a listing may be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// Its printing that fits best.
    pub marketplace_id: String,
    /// Its name.
    pub name: String,
    /// Its set.
    pub set_name: String,
    /// Its number as printed.
    pub card_number: String,
    /// The probability that it is this one.
    pub confidence: Money,
}

/// A sold listing that a person must look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewReview {
    /// What no other listing has.
    pub fingerprint: Vec<u8>,
    /// The title.
    pub title: String,
    /// The price.
    pub price: Money,
    /// Its currency.
    pub currency: String,
    /// The day of the sale.
    pub day: i64,
    /// Where it was.
    pub url: Option<String>,
    /// Why: an outcome of the core, `low_confidence` or `not_in_store`.
    pub reason: String,
    /// The best guess that is in the store.
    pub item: Option<i64>,
    /// The key of its grade; empty for a raw card.
    pub grade: String,
    /// How sure the best guess is, in ten-thousandths.
    pub confidence: Option<i64>,
    /// The cards that it may be, best first.
    pub candidates: Vec<Candidate>,
    /// When it came here, in milliseconds since 1970.
    pub made: i64,
}

/// What became of a listing that a person must look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReviewStatus {
    /// Nobody looked yet.
    #[default]
    Open,
    /// It became a sale.
    Accepted,
    /// It is no sale of a card.
    Rejected,
}

impl ReviewStatus {
    /// Its number in the database.
    #[must_use]
    pub fn number(self) -> i64 {
        self as i64
    }

    /// The status of a number.
    #[must_use]
    pub fn of_number(number: i64) -> Self {
        match number {
            1 => Self::Accepted,
            2 => Self::Rejected,
            _ => Self::Open,
        }
    }
}

/// A listing that a person must look at, or did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewRow {
    /// Its number.
    pub id: i64,
    /// What it is.
    pub listing: NewReview,
    /// The id of the best guess, or of what it was accepted as.
    pub marketplace_id: Option<String>,
    /// What became of it.
    pub status: ReviewStatus,
    /// When.
    pub decided: Option<i64>,
}

/// What a person decided about a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is a sale of this item in this grade; empty for a raw card or a sealed product.
    Accept {
        /// The item.
        marketplace_id: String,
        /// The key of the grade.
        grade: String,
    },
    /// It is no sale of a card.
    Reject,
}

/// What became of a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// It stands.
    Done(Box<ReviewRow>),
    /// There is no such listing.
    NoListing,
    /// There is no such item.
    NoItem,
    /// Another verdict stands.
    Already(ReviewStatus),
}

/// A file of the daily export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportRow {
    /// Its dataset.
    pub dataset: String,
    /// When it was made, in milliseconds since 1970.
    pub generated: i64,
    /// Its name in the storage.
    pub file: String,
    /// Its size, packed.
    pub bytes: i64,
    /// Its rows, without the header.
    pub records: i64,
}
