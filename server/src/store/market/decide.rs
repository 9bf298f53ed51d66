//! Decisions about listings under review, one by one and in bulk. Each is a change that can be
//! undone.

use super::journal::DeedKind;
use super::load::Loader;
use super::review::{
    ReviewFilter, ReviewRow, ReviewStatus, SELECT, Snapped, Snapshot, select_snapped, snapped,
};
use super::tracked;
use crate::clock::Moment;
use crate::store::bulk::{batches, places};
use crate::store::{Actor, Deed, Store, StoreError};
use sqlx::AssertSqlSafe;

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

/// What a person decided about all listings of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BulkVerdict {
    /// Each is a sale.
    Accept {
        /// Of this item; each of its best guess by default.
        marketplace_id: Option<String>,
        /// In this grade; each in the one that was read by default.
        grade: Option<String>,
    },
    /// None is a sale of a card.
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

/// What became of a verdict about all listings of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BulkDecided {
    /// It stands.
    Done {
        /// The number of the change, by which it can be undone; none if nothing was decided.
        change: Option<i64>,
        /// How many were decided.
        decided: i64,
        /// How many were left because no item is known for them.
        skipped: i64,
    },
    /// There is no such item.
    NoItem,
    /// Other listings fit by now: these.
    Changed(Snapshot),
}

impl Loader {
    async fn item_called(&mut self, id: &str) -> Result<Option<i64>, StoreError> {
        self.transaction
            .query("SELECT key FROM items WHERE marketplace_id = $1")
            .bind(id)
            .optional(|row| row.get("key"))
            .await
    }

    /// Makes sales of open listings, of this item and grade where they are given.
    async fn accept(
        &mut self,
        ids: &[i64],
        item: Option<i64>,
        grade: Option<&str>,
    ) -> Result<(), StoreError> {
        let of_ids = format!("WHERE id IN ({})", places(ids.len()));
        let sql = format!(
            "UPDATE review SET item = COALESCE(?, item), grade = COALESCE(?, grade) {of_ids}"
        );
        let query = self.transaction.query_many(sql).bind(item).bind(grade);
        query.bind_all(ids).execute().await?;
        let sql = format!(
            "INSERT INTO sales (fingerprint, item, grade, day, price, currency, title, url, \
             number, alike) SELECT fingerprint, item, grade, day, price, currency, title, url, \
             number, alike FROM review {of_ids} ON CONFLICT (fingerprint) DO NOTHING RETURNING key"
        );
        let query = self.transaction.query_many(sql).bind_all(ids);
        let added: Vec<i64> = query.all(|row| row.get("key")).await?;
        self.note_new(&tracked::SALES, &added).await
    }

    /// Gives listings a status and the number of this change.
    async fn settle(
        &mut self,
        ids: &[i64],
        status: ReviewStatus,
        now: Moment,
    ) -> Result<(), StoreError> {
        let sql = format!(
            "UPDATE review SET status = ?, decided = ?, decision = ? WHERE id IN ({})",
            places(ids.len())
        );
        let change = self.change;
        self.transaction
            .query_many(sql)
            .bind(status.number())
            .bind(now.millis())
            .bind(change)
            .bind_all(ids)
            .execute()
            .await?;
        Ok(())
    }

    async fn note_reviews(&mut self, ids: &[i64]) -> Result<(), StoreError> {
        self.note(&tracked::REVIEW, ids, |query, id| query.bind(*id))
            .await
    }
}

impl Store {
    /// Decides about a listing under review: what is accepted becomes a sale, in the same
    /// transaction.
    pub async fn decide(
        &self,
        id: i64,
        verdict: &Verdict,
        by: Actor,
        now: Moment,
    ) -> Result<Decided, StoreError> {
        let mut loader = self.load().await?;
        let status: Option<i64> = loader
            .transaction
            .query("SELECT status FROM review WHERE id = $1")
            .bind(id)
            .optional(|row| row.get("status"))
            .await?;
        let Some(status) = status else {
            return Ok(Decided::NoListing);
        };
        if status != ReviewStatus::Open.number() {
            return Ok(Decided::Already(ReviewStatus::of_number(status)));
        }
        let (status, kind, word, detail) = match verdict {
            Verdict::Accept { marketplace_id, .. } => (
                ReviewStatus::Accepted,
                DeedKind::Accept,
                "accept listing",
                marketplace_id.as_str(),
            ),
            Verdict::Reject => (
                ReviewStatus::Rejected,
                DeedKind::Reject,
                "reject listing",
                "",
            ),
        };
        loader.begin_change(kind.name(), now.millis()).await?;
        loader.note_reviews(&[id]).await?;
        if let Verdict::Accept {
            marketplace_id,
            grade,
        } = verdict
        {
            let Some(item) = loader.item_called(marketplace_id).await? else {
                return Ok(Decided::NoItem);
            };
            loader.accept(&[id], Some(item), Some(grade)).await?;
        }
        loader.settle(&[id], status, now).await?;
        let row = loader
            .transaction
            .query(AssertSqlSafe(format!("{SELECT} WHERE r.id = $1")))
            .bind(id)
            .one(ReviewRow::read)
            .await?;
        let deed = Deed {
            by,
            deed: word,
            account: None,
            subject: Some(id),
            detail,
        };
        loader.end_deed(deed, 1, now).await?;
        Ok(Decided::Done(Box::new(row)))
    }

    /// Decides about all open listings of a filter, up to
    /// [`MOST_DECIDED`](super::MOST_DECIDED), if they are those of the snapshot with this id.
    pub async fn decide_all(
        &self,
        filter: &ReviewFilter,
        verdict: &BulkVerdict,
        snapshot: &str,
        by: Actor,
        now: Moment,
    ) -> Result<BulkDecided, StoreError> {
        let mut loader = self.load().await?;
        let fitting = filter.fitting(0);
        let sql = AssertSqlSafe(select_snapped(&fitting));
        let (rows, found) = snapped(loader.transaction.query(sql), &fitting).await?;
        if found.id != snapshot {
            return Ok(BulkDecided::Changed(found));
        }
        let (kind, word) = match verdict {
            BulkVerdict::Accept { .. } => (DeedKind::Accept, "accept listings"),
            BulkVerdict::Reject => (DeedKind::Reject, "reject listings"),
        };
        let (mut item, mut grade_given) = (None, None);
        if let BulkVerdict::Accept {
            marketplace_id,
            grade,
        } = verdict
        {
            if let Some(id) = marketplace_id {
                item = loader.item_called(id).await?;
                if item.is_none() {
                    return Ok(BulkDecided::NoItem);
                }
            }
            grade_given = grade.as_deref();
        }
        let can = |row: &&Snapped| kind == DeedKind::Reject || item.or(row.item).is_some();
        let ids: Vec<i64> = rows.iter().filter(can).map(|row| row.id).collect();
        let decided = i64::try_from(ids.len()).unwrap_or(i64::MAX);
        let skipped = found.count - decided;
        if ids.is_empty() {
            return Ok(BulkDecided::Done {
                change: None,
                decided,
                skipped,
            });
        }
        let change = loader.begin_change(kind.name(), now.millis()).await?;
        loader.note_reviews(&ids).await?;
        for ids in batches(&ids, 1) {
            if kind == DeedKind::Accept {
                loader.accept(ids, item, grade_given).await?;
                loader.settle(ids, ReviewStatus::Accepted, now).await?;
            } else {
                loader.settle(ids, ReviewStatus::Rejected, now).await?;
            }
        }
        let deed = Deed {
            by,
            deed: word,
            account: None,
            subject: Some(change),
            detail: &format!("{decided} listings"),
        };
        loader.end_deed(deed, decided, now).await?;
        Ok(BulkDecided::Done {
            change: Some(change),
            decided,
            skipped,
        })
    }
}
