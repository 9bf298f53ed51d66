//! What a [`super::Loader`] is given, and what it tells of what is there.

use super::rows::Language;
use crate::market::Money;

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
