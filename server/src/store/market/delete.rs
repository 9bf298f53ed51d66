//! Sales and populations that are removed one by one, each as a change that can be undone.

use super::folded::folded;
use super::journal::DeedKind;
use super::load::Loader;
use super::records::PopulationRecord;
use super::review::ReviewStatus;
use super::tracked;
use crate::clock::Moment;
use crate::market::{Grader, Money};
use crate::store::bulk::places;
use crate::store::sql::Row;
use crate::store::{Actor, Deed, Store, StoreError};
use sqlx::AssertSqlSafe;

/// The reason of a listing whose sale an administrator removed.
const DELETED: &str = "deleted";

/// A sale, as an administrator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaleRow {
    /// Its number.
    pub id: i64,
    /// The own id of what was sold.
    pub marketplace_id: String,
    /// The key of its grade; empty for a raw card.
    pub grade: String,
    /// The day.
    pub day: i64,
    /// The price.
    pub price: Money,
    /// Its currency.
    pub currency: String,
    /// How sure the match is, in ten-thousandths; none where a person decided.
    pub confidence: Option<i64>,
    /// The title of the listing.
    pub title: String,
    /// Where it was.
    pub url: Option<String>,
}

impl SaleRow {
    fn read(row: Row<'_>) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.get("key")?,
            marketplace_id: row.get("marketplace_id")?,
            grade: row.get("grade")?,
            day: row.get("day")?,
            price: Money(row.get("price")?),
            currency: row.get("currency")?,
            confidence: row.get("confidence")?,
            title: row.get("title")?,
            url: row.get("url")?,
        })
    }
}

/// Sales `s` with their items `i`, to be read by [`SaleRow::read`].
const SELECT: &str = "SELECT s.key, i.marketplace_id, s.grade, s.day, s.price, s.currency, \
                      s.confidence, s.title, s.url FROM sales s JOIN items i ON i.key = s.item";

/// What became of a removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deleted {
    /// It is removed; the number of the change.
    Done(i64),
    /// There is nothing to remove.
    Nothing,
    /// The price that is known is of this day.
    OtherDay(i64),
}

impl Loader {
    async fn delete_sale_row(&mut self, sale: i64, now: Moment) -> Result<(), StoreError> {
        self.note(&tracked::SALES, &[sale], |query, sale| query.bind(*sale))
            .await?;
        let listing: Option<i64> = self
            .transaction
            .query("SELECT r.id FROM review r JOIN sales s ON s.fingerprint = r.fingerprint WHERE s.key = $1")
            .bind(sale)
            .optional(|row| row.get("id"))
            .await?;
        let change = self.change;
        let decided = ReviewStatus::Rejected.number();
        // the listing stays known, so that a later file does not count it again
        match listing {
            Some(listing) => {
                self.note(&tracked::REVIEW, &[listing], |query, id| query.bind(*id))
                    .await?;
                self.transaction
                    .query(
                        "UPDATE review SET status = $2, decided = $3, decision = $4 WHERE id = $1",
                    )
                    .bind(listing)
                    .bind(decided)
                    .bind(now.millis())
                    .bind(change)
                    .execute()
                    .await?;
            }
            None => {
                let title: String = self
                    .transaction
                    .query("SELECT title FROM sales WHERE key = $1")
                    .bind(sale)
                    .one(|row| row.get("title"))
                    .await?;
                let added: i64 = self
                    .transaction
                    .query(
                        "INSERT INTO review (fingerprint, title, price, currency, day, url, \
                         reason, item, grade, confidence, candidates, status, made, decided, \
                         decision, number, alike, folded_title) SELECT fingerprint, title, price, currency, \
                         day, url, $2, item, grade, confidence, '[]', $3, $4, $4, $5, number, \
                         alike, $6 FROM sales WHERE key = $1 RETURNING id",
                    )
                    .bind(sale)
                    .bind(DELETED)
                    .bind(decided)
                    .bind(now.millis())
                    .bind(change)
                    .bind(folded(&title))
                    .one(|row| row.get("id"))
                    .await?;
                self.note_new(&tracked::REVIEW, &[added]).await?;
            }
        }
        self.transaction
            .query("DELETE FROM sales WHERE key = $1")
            .bind(sale)
            .execute()
            .await?;
        Ok(())
    }
}

impl Store {
    /// Sales of the items with these own ids, with numbers above `after`, oldest import first.
    pub async fn sales_of(
        &self,
        own: &[String],
        after: i64,
        limit: i64,
    ) -> Result<Vec<SaleRow>, StoreError> {
        if own.is_empty() {
            return Ok(Vec::new());
        }
        let of = places(own.len());
        let sql = format!(
            "{SELECT} WHERE i.marketplace_id IN ({of}) AND s.key > ? ORDER BY s.key LIMIT {limit}"
        );
        let query = self.read.query_many(sql).bind_all(own).bind(after);
        query.all(SaleRow::read).await
    }

    /// Removes a sale; it as it was, and the number of the change. Its listing stays known as one
    /// that is no sale, so that a later file does not count it again.
    pub async fn delete_sale(
        &self,
        id: i64,
        by: Actor,
        now: Moment,
    ) -> Result<Option<(SaleRow, i64)>, StoreError> {
        let mut loader = self.load().await?;
        let sale = loader
            .transaction
            .query(AssertSqlSafe(format!("{SELECT} WHERE s.key = $1")))
            .bind(id)
            .optional(SaleRow::read)
            .await?;
        let Some(sale) = sale else {
            return Ok(None);
        };
        let kind = DeedKind::DeleteSale;
        let change = loader.begin_change(kind.name(), now.millis()).await?;
        loader.delete_sale_row(id, now).await?;
        let deed = Deed {
            by,
            deed: kind.name(),
            account: None,
            subject: Some(change),
            detail: &format!("{id} of {} {}", sale.marketplace_id, sale.grade),
        };
        loader.end_deed(deed, 1, now).await?;
        Ok(Some((sale, change)))
    }

    /// Removes what a grader counted of the item with this own id, or what all did.
    pub async fn delete_population(
        &self,
        id: &str,
        grader: Option<Grader>,
        by: Actor,
        now: Moment,
    ) -> Result<Deleted, StoreError> {
        let mut loader = self.load().await?;
        let sql = format!(
            "SELECT {} FROM population p JOIN items i ON i.key = p.item WHERE i.marketplace_id = $1",
            PopulationRecord::COLUMNS
        );
        let found = loader
            .transaction
            .query(AssertSqlSafe(sql))
            .bind(id)
            .optional(PopulationRecord::read)
            .await?;
        let Some(mut record) = found else {
            return Ok(Deleted::Nothing);
        };
        let kind = DeedKind::DeletePopulation;
        let change = loader.begin_change(kind.name(), now.millis()).await?;
        match grader {
            Some(grader) if record.counts.remove(&grader).is_none() => {
                return Ok(Deleted::Nothing);
            }
            Some(_) => {}
            None => record.counts.clear(),
        }
        if record.counts.is_empty() {
            loader.remove_population(record.item).await?;
        } else {
            loader.put_populations(&[record]).await?;
        }
        let detail = match grader {
            Some(grader) => format!("{id} {}", grader.code()),
            None => id.to_owned(),
        };
        let deed = Deed {
            by,
            deed: kind.name(),
            account: None,
            subject: Some(change),
            detail: &detail,
        };
        loader.end_deed(deed, 1, now).await?;
        Ok(Deleted::Done(change))
    }
}
