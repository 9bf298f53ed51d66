//! Listings that a person must look at: filtered, listed and shown.

use super::folded::containing;
use super::rows::json;
use crate::market::Money;
use crate::store::conditions::Conditions;
use crate::store::sql::{Query, Row};
use crate::store::{Store, StoreError};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;
use utoipa::ToSchema;

/// Bytes of a snapshot's id: it is compared with one other.
const SNAPSHOT: usize = 8;

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
    /// Marketplace and number, where they are known.
    pub number: Option<String>,
    /// The same for listings that are alike in title and price.
    pub alike: Vec<u8>,
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
    /// The name of that where it is a sealed product.
    pub product: Option<String>,
    /// What became of it.
    pub status: ReviewStatus,
    /// When.
    pub decided: Option<i64>,
    /// The number of the change that decided.
    pub decision: Option<i64>,
}

/// The most listings that one call decides about.
pub const MOST_DECIDED: i64 = 1_000;

/// What a listing seems to sell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ListingKind {
    /// A card.
    Single,
    /// A sealed product.
    Sealed,
}

/// Which listings under review: those for which all holds that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewFilter {
    /// What became of them.
    pub status: ReviewStatus,
    /// Why they are there.
    pub reason: Option<String>,
    /// The id of the set of the best guess.
    pub set: Option<String>,
    /// What stands in their titles, without regard to case, accents and apostrophes.
    pub words: Option<String>,
    /// What they seem to sell.
    pub kind: Option<ListingKind>,
    /// At least this was paid, in the listing's currency.
    pub min_price: Option<Money>,
    /// At most this was paid, in the listing's currency.
    pub max_price: Option<Money>,
    /// The listing's currency.
    pub currency: Option<String>,
    /// The best guess is at least as sure.
    pub min_confidence: Option<Money>,
    /// The best guess is at most as sure.
    pub max_confidence: Option<Money>,
    /// The change that decided about them.
    pub decision: Option<i64>,
}

impl ReviewFilter {
    /// That a listing under review `r` is one of this filter, with a number above `after`.
    pub(super) fn fitting(&self, after: i64) -> Conditions {
        let amount = |money: Option<Money>| money.map(|money| money.0);
        let mut all = Conditions::new("TRUE");
        all.add("r.status = @", Some(self.status.number()));
        all.add("r.id > @", Some(after).filter(|id| *id > 0));
        all.add_text("r.reason = @", self.reason.clone());
        all.add_text("r.currency = @", self.currency.clone());
        all.add("r.price >= @", amount(self.min_price));
        all.add("r.price <= @", amount(self.max_price));
        all.add("r.confidence >= @", amount(self.min_confidence));
        all.add("r.confidence <= @", amount(self.max_confidence));
        all.add("r.decision = @", self.decision);
        all.add_text(
            "r.item IN (SELECT i.key FROM items i JOIN cards c ON c.key = i.card JOIN sets s \
             ON s.key = c.set_key WHERE s.id = @ UNION ALL SELECT d.item FROM sealed d \
             JOIN sets s ON s.key = d.set_key WHERE s.id = @)",
            self.set.clone(),
        );
        let words = self.words.as_deref().map(containing);
        all.add_pattern("r.folded_title LIKE @ ESCAPE '!'", words);
        let sealed = "(r.reason = 'sealed' OR r.item IN (SELECT item FROM sealed))";
        match self.kind {
            None => {}
            Some(ListingKind::Sealed) => all.add_plain(sealed),
            Some(ListingKind::Single) => all.add_plain(&format!("NOT {sealed}")),
        }
        all
    }
}

/// A page of the listings of a filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewPage {
    /// How many fit, of all pages.
    pub total: i64,
    /// Those of the page, oldest first.
    pub rows: Vec<ReviewRow>,
    /// What a call that decides about all of them would decide about.
    pub snapshot: Snapshot,
}

/// The listings of a filter at a moment, oldest first, up to [`MOST_DECIDED`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// How many.
    pub count: i64,
    /// The same as long as they are the same listings, with the same prices and guesses.
    pub id: String,
}

/// A listing of a snapshot.
#[derive(Clone, Debug)]
pub(super) struct Snapped {
    pub(super) id: i64,
    pub(super) item: Option<i64>,
}

/// The statement for the listings of a snapshot.
pub(super) fn select_snapped(fitting: &Conditions) -> String {
    format!(
        "SELECT r.id, r.item, r.grade, r.price, r.currency, r.day FROM review r WHERE {} \
         ORDER BY r.id LIMIT {MOST_DECIDED}",
        fitting.text
    )
}

/// Runs a statement of [`select_snapped`].
pub(super) async fn snapped(
    query: Query<'_>,
    fitting: &Conditions,
) -> Result<(Vec<Snapped>, Snapshot), StoreError> {
    let (mut rows, mut hash) = (Vec::new(), Sha256::new());
    fitting
        .bind(query)
        .each(|row| {
            let snapped = Snapped {
                id: row.get("id")?,
                item: row.get("item")?,
            };
            let (price, day): (i64, i64) = (row.get("price")?, row.get("day")?);
            for number in [snapped.id, snapped.item.unwrap_or(-1), price, day] {
                hash.update(number.to_le_bytes());
            }
            for text in ["grade", "currency"] {
                hash.update(row.get::<String>(text)?);
                hash.update([0]);
            }
            rows.push(snapped);
            Ok(())
        })
        .await?;
    let id = hash.finalize()[..SNAPSHOT]
        .iter()
        .fold(String::new(), |id, byte| id + &format!("{byte:02x}"));
    let snapshot = Snapshot {
        count: i64::try_from(rows.len()).unwrap_or(i64::MAX),
        id,
    };
    Ok((rows, snapshot))
}

/// Listings under review as `r`, with the id of their item.
pub(super) const SELECT: &str = "SELECT r.id, r.fingerprint, r.title, r.price, r.currency, r.day, r.url, \
                      r.reason, r.item, r.grade, r.confidence, r.candidates, r.made, \
                      r.number, r.alike, i.marketplace_id, d.name AS product, r.status, r.decided, \
                      r.decision FROM review r LEFT JOIN items i ON i.key = r.item \
                      LEFT JOIN sealed d ON d.item = r.item";

impl ReviewRow {
    /// Reads a row of [`SELECT`].
    pub(super) fn read(row: Row<'_>) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.get("id")?,
            listing: NewReview {
                fingerprint: row.get("fingerprint")?,
                title: row.get("title")?,
                price: Money(row.get("price")?),
                currency: row.get("currency")?,
                day: row.get("day")?,
                url: row.get("url")?,
                reason: row.get("reason")?,
                item: row.get("item")?,
                grade: row.get("grade")?,
                confidence: row.get("confidence")?,
                candidates: json(row, "candidates")?,
                made: row.get("made")?,
                number: row.get("number")?,
                alike: row.get::<Option<Vec<u8>>>("alike")?.unwrap_or_default(),
            },
            marketplace_id: row.get("marketplace_id")?,
            product: row.get("product")?,
            status: ReviewStatus::of_number(row.get("status")?),
            decided: row.get("decided")?,
            decision: row.get("decision")?,
        })
    }
}

impl Store {
    /// The listings of a filter with numbers above `after`, oldest first, at most `limit`.
    pub async fn reviews(
        &self,
        filter: &ReviewFilter,
        after: i64,
        limit: i64,
    ) -> Result<ReviewPage, StoreError> {
        let all = filter.fitting(0);
        let sql = format!("SELECT COUNT(*) AS count FROM review r WHERE {}", all.text);
        let total = all
            .bind(self.read.query(AssertSqlSafe(sql)))
            .one(|row| row.get("count"))
            .await?;
        let sql = AssertSqlSafe(select_snapped(&all));
        let (_, snapshot) = snapped(self.read.query(sql), &all).await?;
        let page = filter.fitting(after);
        let sql = format!("{SELECT} WHERE {} ORDER BY r.id LIMIT {limit}", page.text);
        let rows = page
            .bind(self.read.query(AssertSqlSafe(sql)))
            .all(ReviewRow::read)
            .await?;
        Ok(ReviewPage {
            total,
            rows,
            snapshot,
        })
    }

    /// The listing under review with this number.
    pub async fn review(&self, id: i64) -> Result<Option<ReviewRow>, StoreError> {
        self.read
            .query(AssertSqlSafe(format!("{SELECT} WHERE r.id = $1")))
            .bind(id)
            .optional(ReviewRow::read)
            .await
    }
}
