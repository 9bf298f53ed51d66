//! Changes of the market with a number (imports, and what administrators do), and the rows that each
//! changed as they were before it.

use super::load::Loader;
use super::tracked::{ALL, Tracked};
use crate::clock::Moment;
use crate::store::audit::record;
use crate::store::bulk::{batches, places, rows_of_places};
use crate::store::sql::{Query, Row};
use crate::store::{Deed, Store, StoreError};
use sqlx::AssertSqlSafe;

/// For how long a change can be undone, in milliseconds: thirty days.
const KEPT: i64 = 30 * 86_400_000;

/// What an administrator does to the market.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeedKind {
    /// Listings under review become sales.
    Accept,
    /// Listings under review are no sales.
    Reject,
    /// A sale is removed.
    DeleteSale,
    /// A price is removed.
    DeletePrice,
    /// A population is removed.
    DeletePopulation,
    /// A card becomes another.
    Merge,
}

impl DeedKind {
    /// All of them.
    pub(super) const ALL: [Self; 6] = [
        Self::Accept,
        Self::Reject,
        Self::DeleteSale,
        Self::DeletePrice,
        Self::DeletePopulation,
        Self::Merge,
    ];

    /// Its name, beside those of imports: `delete sale`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::DeleteSale => "delete sale",
            Self::DeletePrice => "delete price",
            Self::DeletePopulation => "delete population",
            Self::Merge => "merge",
        }
    }

    /// Whether an import can be undone although this deed changed rows that the import added: the
    /// deed left nothing of them elsewhere.
    pub(super) fn vanishes(self) -> bool {
        self != Self::Merge
    }
}

/// An import, or what an administrator did to the market.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeRow {
    /// Its number.
    pub id: i64,
    /// What it was: of an import what it held (`prices`), else `accept`, `reject`, `delete sale`,
    /// `delete price`, `delete population` or `merge`.
    pub kind: String,
    /// The name of the file, or what was changed.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub made: i64,
    /// The rows of the file, or how many were changed.
    pub records: i64,
    /// When it was undone, in milliseconds since 1970.
    pub undone: Option<i64>,
    /// What its rows were before is no longer kept.
    pub forgotten: bool,
}

impl ChangeRow {
    /// What was done, unless it is an import.
    #[must_use]
    pub fn deed(&self) -> Option<DeedKind> {
        let mut all = DeedKind::ALL.into_iter();
        all.find(|kind| kind.name() == self.kind)
    }
}

impl ChangeRow {
    pub(super) fn read(row: Row<'_>) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.get("id")?,
            kind: row.get("kind")?,
            name: row.get("name")?,
            made: row.get("made")?,
            records: row.get("records")?,
            undone: row.get("undone")?,
            forgotten: row.get::<i64>("forgotten")? != 0,
        })
    }
}

/// Changes, to be read by [`ChangeRow::read`].
pub(super) const SELECT: &str =
    "SELECT id, kind, name, made, records, undone, forgotten FROM imports";

impl Loader {
    /// Begins to note what this change does. `now` is in milliseconds since 1970.
    pub async fn begin_change(&mut self, kind: &str, now: i64) -> Result<i64, StoreError> {
        let old = self
            .transaction
            .query(
                "UPDATE imports SET forgotten = 1 WHERE made < $1 AND forgotten = 0 RETURNING id",
            )
            .bind(now - KEPT)
            .all(|row| row.get::<i64>("id"))
            .await?;
        for old in batches(&old, 1) {
            for tracked in ALL {
                let sql = format!(
                    "DELETE FROM undo_{} WHERE batch IN ({})",
                    tracked.table,
                    places(old.len())
                );
                let query = self.transaction.query_many(sql);
                query.bind_all(old).execute().await?;
            }
        }
        let id = self
            .transaction
            .query(
                "INSERT INTO imports (kind, name, made, records, forgotten) \
                 VALUES ($1, '', $2, 0, 0) RETURNING id",
            )
            .bind(kind)
            .bind(now)
            .one(|row| row.get("id"))
            .await?;
        self.change = Some(id);
        Ok(id)
    }

    /// Gives the change its name and the count of its rows.
    pub async fn end_change(&mut self, name: &str, records: i64) -> Result<(), StoreError> {
        self.transaction
            .query("UPDATE imports SET name = $2, records = $3 WHERE id = $1")
            .bind(self.change)
            .bind(name)
            .bind(records)
            .execute()
            .await?;
        Ok(())
    }

    /// Ends an administrator's deed: names its change, records it, and keeps it.
    pub(super) async fn end_deed(
        mut self,
        deed: Deed<'_>,
        records: i64,
        now: Moment,
    ) -> Result<(), StoreError> {
        self.end_change(deed.detail, records).await?;
        record(&mut self.transaction, deed, now).await?;
        self.commit().await
    }

    pub(super) async fn run(&mut self, sql: String) -> Result<u64, StoreError> {
        self.transaction.query(AssertSqlSafe(sql)).execute().await
    }

    /// Notes what rows are before this change alters or removes them. The first time counts.
    pub(super) async fn note<R>(
        &mut self,
        tracked: &Tracked,
        rows: &[R],
        bind: impl for<'c> Fn(Query<'c>, &R) -> Query<'c>,
    ) -> Result<(), StoreError> {
        let Some(change) = self.change else {
            return Ok(());
        };
        let (table, keys, kept) = (tracked.table, tracked.keys.join(", "), tracked.kept());
        for rows in batches(rows, tracked.keys.len()) {
            let values = rows_of_places(rows.len(), tracked.keys.len());
            let sql = format!(
                "INSERT INTO undo_{table} (batch, existed, {kept}) \
                 SELECT {change}, 1, {kept} FROM {table} \
                 WHERE ({keys}) IN (VALUES {values}) ON CONFLICT DO NOTHING"
            );
            let query = self.transaction.query_many(sql);
            rows.iter().fold(query, &bind).execute().await?;
            let row = format!("({change}, 0, {}),", places(tracked.keys.len()));
            let mut rows_added = row.repeat(rows.len());
            rows_added.pop();
            let sql = format!(
                "INSERT INTO undo_{table} (batch, existed, {keys}) VALUES {rows_added} \
                 ON CONFLICT DO NOTHING"
            );
            let query = self.transaction.query_many(sql);
            rows.iter().fold(query, &bind).execute().await?;
        }
        Ok(())
    }

    /// Notes rows that this change has added to a table with one key.
    pub(super) async fn note_new(
        &mut self,
        tracked: &Tracked,
        keys: &[i64],
    ) -> Result<(), StoreError> {
        let Some(change) = self.change else {
            return Ok(());
        };
        let (table, key) = (tracked.table, tracked.keys.join(", "));
        for keys in batches(keys, 1) {
            let mut rows = format!("({change}, 0, ?),").repeat(keys.len());
            rows.pop();
            let sql = format!(
                "INSERT INTO undo_{table} (batch, existed, {key}) VALUES {rows} \
                 ON CONFLICT DO NOTHING"
            );
            self.transaction
                .query_many(sql)
                .bind_all(keys)
                .execute()
                .await?;
        }
        Ok(())
    }

    /// Notes rows that this change has added, found by their fingerprints.
    pub(super) async fn note_added(
        &mut self,
        tracked: &Tracked,
        fingerprints: &[&[u8]],
    ) -> Result<(), StoreError> {
        let Some(change) = self.change else {
            return Ok(());
        };
        let (table, keys) = (tracked.table, tracked.keys.join(", "));
        for fingerprints in batches(fingerprints, 1) {
            let sql = format!(
                "INSERT INTO undo_{table} (batch, existed, {keys}) SELECT {change}, 0, {keys} \
                 FROM {table} WHERE fingerprint IN ({}) ON CONFLICT DO NOTHING",
                places(fingerprints.len())
            );
            let query = self.transaction.query_many(sql);
            query.bind_all(fingerprints).execute().await?;
        }
        Ok(())
    }
}

impl Store {
    /// The imports with numbers below `before`, newest first.
    pub async fn imports(&self, before: i64, limit: i64) -> Result<Vec<ChangeRow>, StoreError> {
        let deeds = DeedKind::ALL.map(|kind| format!("'{}'", kind.name()));
        let imports = format!("AND kind NOT IN ({})", deeds.join(", "));
        self.changes_that(&imports, before, limit).await
    }

    /// The imports and deeds with numbers below `before`, newest first.
    pub async fn changes_before(
        &self,
        before: i64,
        limit: i64,
    ) -> Result<Vec<ChangeRow>, StoreError> {
        self.changes_that("", before, limit).await
    }

    async fn changes_that(
        &self,
        condition: &str,
        before: i64,
        limit: i64,
    ) -> Result<Vec<ChangeRow>, StoreError> {
        self.read
            .query(AssertSqlSafe(format!(
                "{SELECT} WHERE id < $1 {condition} ORDER BY id DESC LIMIT $2"
            )))
            .bind(before)
            .bind(limit)
            .all(ChangeRow::read)
            .await
    }
}
