//! The record of what was done to accounts, keys, the catalogue and listings under review, and by
//! whom.

use super::error::StoreError;
use super::handle::Store;
use super::sql::{Row, Transaction};
use crate::clock::Moment;

/// Who asked for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// Whoever runs commands on the database, or starts the service.
    Operator,
    /// The caller with the key of this number.
    Key(i64),
}

/// A change, to be recorded.
#[derive(Clone, Copy, Debug)]
pub struct Deed<'d> {
    /// Who asked for it.
    pub by: Actor,
    /// What was done: `create account`, `set plan`, `create key`, `revoke key`, …
    pub deed: &'static str,
    /// The account that it concerns.
    pub account: Option<i64>,
    /// The number of the key or listing.
    pub subject: Option<i64>,
    /// The name, plan or version that was given.
    pub detail: &'d str,
}

/// A change as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRow {
    /// Its number. Later changes have larger ones.
    pub id: i64,
    /// When it was made, in milliseconds since 1970.
    pub moment: i64,
    /// Who asked for it.
    pub by: Actor,
    /// What was done.
    pub deed: String,
    /// The account that it concerns.
    pub account: Option<i64>,
    /// The number of the key or listing.
    pub subject: Option<i64>,
    /// The name, plan or version that was given.
    pub detail: String,
}

impl AuditRow {
    fn read(row: Row<'_>) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.get("id")?,
            moment: row.get("moment")?,
            by: row
                .get::<Option<i64>>("by_key")?
                .map_or(Actor::Operator, Actor::Key),
            deed: row.get("deed")?,
            account: row.get("account")?,
            subject: row.get("subject")?,
            detail: row.get("detail")?,
        })
    }
}

/// Records a change in the transaction that makes it.
pub(super) async fn record(
    change: &mut Transaction,
    deed: Deed<'_>,
    now: Moment,
) -> Result<(), StoreError> {
    let by = match deed.by {
        Actor::Operator => None,
        Actor::Key(key) => Some(key),
    };
    change
        .query(
            "INSERT INTO audit (moment, by_key, deed, account, subject, detail) \
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(now.millis())
        .bind(by)
        .bind(deed.deed)
        .bind(deed.account)
        .bind(deed.subject)
        .bind(deed.detail)
        .execute()
        .await?;
    Ok(())
}

impl Store {
    /// Records a change that was made already.
    pub async fn record(&self, deed: Deed<'_>, now: Moment) -> Result<(), StoreError> {
        let mut change = self.write.begin().await?;
        record(&mut change, deed, now).await?;
        change.commit().await
    }

    /// The changes with numbers above `after`, oldest first, at most `limit`.
    pub async fn audit(&self, after: i64, limit: i64) -> Result<Vec<AuditRow>, StoreError> {
        self.read
            .query(
                "SELECT id, moment, by_key, deed, account, subject, detail FROM audit \
                 WHERE id > $1 ORDER BY id LIMIT $2",
            )
            .bind(after)
            .bind(limit)
            .all(AuditRow::read)
            .await
    }
}
