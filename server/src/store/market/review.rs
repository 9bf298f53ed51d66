//! Listings that a person must look at: listed, shown and decided.

use super::records::json;
use crate::clock::Moment;
use crate::market::Money;
use crate::store::audit::record;
use crate::store::sql::Row;
use crate::store::{Actor, Deed, Store, StoreError};
use serde::{Deserialize, Serialize};
use sqlx::AssertSqlSafe;
use utoipa::ToSchema;

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

/// Listings under review as `r`, with the id of their item.
const SELECT: &str = "SELECT r.id, r.fingerprint, r.title, r.price, r.currency, r.day, r.url, \
                      r.reason, r.item, r.grade, r.confidence, r.candidates, r.made, \
                      r.number, r.alike, i.marketplace_id, r.status, r.decided FROM review r \
                      LEFT JOIN items i ON i.key = r.item";

impl ReviewRow {
    /// Reads a row of [`SELECT`].
    fn read(row: Row<'_>) -> Result<Self, sqlx::Error> {
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
            status: ReviewStatus::of_number(row.get("status")?),
            decided: row.get("decided")?,
        })
    }
}

impl Store {
    /// How many listings have this status, and those with a number above `after`, oldest first.
    pub async fn reviews(
        &self,
        status: ReviewStatus,
        after: i64,
        limit: i64,
    ) -> Result<(i64, Vec<ReviewRow>), StoreError> {
        let count = self
            .read
            .query("SELECT COUNT(*) AS count FROM review WHERE status = $1")
            .bind(status.number())
            .one(|row| row.get("count"))
            .await?;
        let sql = format!("{SELECT} WHERE r.status = $1 AND r.id > $2 ORDER BY r.id LIMIT $3");
        let page = self
            .read
            .query(AssertSqlSafe(sql))
            .bind(status.number())
            .bind(after)
            .bind(limit)
            .all(ReviewRow::read)
            .await?;
        Ok((count, page))
    }

    /// The listing under review with this number.
    pub async fn review(&self, id: i64) -> Result<Option<ReviewRow>, StoreError> {
        self.read
            .query(AssertSqlSafe(format!("{SELECT} WHERE r.id = $1")))
            .bind(id)
            .optional(ReviewRow::read)
            .await
    }

    /// Decides about a listing under review: what is accepted becomes a sale, in the same
    /// transaction.
    pub async fn decide(
        &self,
        id: i64,
        verdict: &Verdict,
        by: Actor,
        now: Moment,
    ) -> Result<Decided, StoreError> {
        let mut change = self.write.begin().await?;
        // takes the row's lock
        let status: Option<i64> = change
            .query("UPDATE review SET status = status WHERE id = $1 RETURNING status")
            .bind(id)
            .optional(|row| row.get("status"))
            .await?;
        let Some(status) = status else {
            return Ok(Decided::NoListing);
        };
        let wanted = match verdict {
            Verdict::Accept { .. } => ReviewStatus::Accepted,
            Verdict::Reject => ReviewStatus::Rejected,
        };
        if status != ReviewStatus::Open.number() {
            return Ok(Decided::Already(ReviewStatus::of_number(status)));
        }
        if let Verdict::Accept {
            marketplace_id,
            grade,
        } = verdict
        {
            let item: Option<i64> = change
                .query("SELECT key FROM items WHERE marketplace_id = $1")
                .bind(marketplace_id.as_str())
                .optional(|row| row.get("key"))
                .await?;
            let Some(item) = item else {
                return Ok(Decided::NoItem);
            };
            change
                .query("UPDATE review SET item = $2, grade = $3 WHERE id = $1")
                .bind(id)
                .bind(item)
                .bind(grade.as_str())
                .execute()
                .await?;
            change
                .query(
                    "INSERT INTO sales (fingerprint, item, grade, day, price, currency, title, \
                     url, number, alike) SELECT fingerprint, item, grade, day, price, currency, \
                     title, url, number, alike FROM review WHERE id = $1 ON CONFLICT (fingerprint) DO NOTHING",
                )
                .bind(id)
                .execute()
                .await?;
        }
        change
            .query("UPDATE review SET status = $2, decided = $3 WHERE id = $1")
            .bind(id)
            .bind(wanted.number())
            .bind(now.millis())
            .execute()
            .await?;
        let row = change
            .query(AssertSqlSafe(format!("{SELECT} WHERE r.id = $1")))
            .bind(id)
            .one(ReviewRow::read)
            .await?;
        let (deed, detail) = match verdict {
            Verdict::Accept { marketplace_id, .. } => ("accept listing", marketplace_id.as_str()),
            Verdict::Reject => ("reject listing", ""),
        };
        let deed = Deed {
            by,
            deed,
            account: None,
            subject: Some(id),
            detail,
        };
        record(&mut change, deed, now).await?;
        change.commit().await?;
        Ok(Decided::Done(Box::new(row)))
    }
}
