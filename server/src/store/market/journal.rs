//! Imports with a number, and the rows that each changed as they were before it, so that it can be
//! undone.

use super::load::Loader;
use crate::store::bulk::{batches, places, rows_of_places};
use crate::store::sql::{Query, Row};
use crate::store::{Store, StoreError};
use serde::Serialize;
use sqlx::AssertSqlSafe;
use std::collections::BTreeSet;
use std::fmt::Write;

/// For how long an import can be undone, in milliseconds: thirty days.
const KEPT: i64 = 30 * 86_400_000;

/// A table that imports change.
#[derive(Debug)]
pub(super) struct Tracked {
    table: &'static str,
    keys: &'static [&'static str],
    /// The columns that an import may alter.
    columns: &'static [&'static str],
}

pub(super) const FACTS: Tracked = Tracked {
    table: "facts",
    keys: &["name"],
    columns: &["value"],
};
pub(super) const SETS: Tracked = Tracked {
    table: "sets",
    keys: &["key"],
    columns: &[
        "name",
        "printed_name",
        "code",
        "series",
        "released",
        "printed_total",
        "total",
        "legality",
        "images",
    ],
};
pub(super) const CARDS: Tracked = Tracked {
    table: "cards",
    keys: &["key"],
    columns: &[
        "set_key",
        "place",
        "language",
        "name",
        "printed_name",
        "number",
        "rarity",
        "kind",
        "number_order",
    ],
};
pub(super) const ITEMS: Tracked = Tracked {
    table: "items",
    keys: &["key"],
    columns: &[
        "language",
        "card",
        "place",
        "label",
        "market",
        "low",
        "sellers",
        "updated",
        "source",
        "headline_condition",
        "eur_market",
        "eur_low",
        "eur_updated",
        "first_day",
        "last_day",
        "tcgplayer",
        "cardmarket",
    ],
};
pub(super) const SEALED: Tracked = Tracked {
    table: "sealed",
    keys: &["item"],
    columns: &["name", "set_key", "set_name", "product_type", "language"],
};
pub(super) const RATES: Tracked = Tracked {
    table: "rates",
    keys: &["currency", "day"],
    columns: &["usd"],
};
pub(super) const PRICE_HISTORY: Tracked = Tracked {
    table: "price_history",
    keys: &["key"],
    columns: &["data"],
};
pub(super) const QUOTES: Tracked = Tracked {
    table: "quotes",
    keys: &["item", "source", "condition", "currency"],
    columns: &["market", "low", "sellers", "day"],
};
pub(super) const POPULATION: Tracked = Tracked {
    table: "population",
    keys: &["item"],
    columns: &[
        "language",
        "total",
        "gems",
        "graders",
        "confidence",
        "score",
        "fetched",
        "updated",
        "counts",
    ],
};
pub(super) const REVIEW: Tracked = Tracked {
    table: "review",
    keys: &["id"],
    columns: &[
        "fingerprint",
        "item",
        "grade",
        "day",
        "price",
        "currency",
        "status",
        "decided",
        "number",
        "alike",
    ],
};
pub(super) const SALES: Tracked = Tracked {
    table: "sales",
    keys: &["key"],
    columns: &[
        "fingerprint",
        "item",
        "grade",
        "day",
        "price",
        "currency",
        "confidence",
        "title",
        "url",
        "number",
        "alike",
    ],
};

/// All of them, each after those that it refers to.
const ALL: [&Tracked; 11] = [
    &FACTS,
    &SETS,
    &CARDS,
    &ITEMS,
    &SEALED,
    &RATES,
    &PRICE_HISTORY,
    &QUOTES,
    &POPULATION,
    &REVIEW,
    &SALES,
];

/// Columns that refer to a row which an import may have added: table, its key, column, and the
/// table that it refers to.
const REFERENCES: [(&Tracked, &str, &Tracked); 8] = [
    (&CARDS, "set_key", &SETS),
    (&ITEMS, "card", &CARDS),
    (&SEALED, "item", &ITEMS),
    (&SEALED, "set_key", &SETS),
    (&QUOTES, "item", &ITEMS),
    (&POPULATION, "item", &ITEMS),
    (&REVIEW, "item", &ITEMS),
    (&SALES, "item", &ITEMS),
];

/// An import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportRow {
    /// Its number.
    pub id: i64,
    /// What it held: `prices`.
    pub kind: String,
    /// The name of the file.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub made: i64,
    /// The rows of the file.
    pub records: i64,
    /// When it was undone.
    pub undone: Option<i64>,
    /// What its rows were before is no longer kept.
    pub forgotten: bool,
}

impl ImportRow {
    fn read(row: Row<'_>) -> Result<Self, sqlx::Error> {
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

/// What became of an undoing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undone {
    /// All is as it was before the import.
    Done(ImportRow),
    /// There is no such import.
    NoImport,
    /// It was undone before.
    Already,
    /// What its rows were before is no longer kept.
    Forgotten,
    /// These later imports changed rows of it, newest first.
    Later(Vec<i64>),
    /// Rows that it added are referred to by rows of this table.
    Used(&'static str),
}

const SELECT: &str = "SELECT id, kind, name, made, records, undone, forgotten FROM imports";

/// Conditions that the keys of two tables agree.
fn same(tracked: &Tracked, one: &str, other: &str) -> String {
    let same = |key: &&str| format!("{one}.{key} = {other}.{key}");
    let all: Vec<String> = tracked.keys.iter().map(same).collect();
    all.join(" AND ")
}

impl Loader {
    /// Begins to note what this import changes. `now` is in milliseconds since 1970.
    pub async fn begin_import(&mut self, kind: &str, now: i64) -> Result<i64, StoreError> {
        let old = format!("SELECT id FROM imports WHERE made < {}", now - KEPT);
        for tracked in ALL {
            let sql = format!("DELETE FROM undo_{} WHERE batch IN ({old})", tracked.table);
            self.run(sql).await?;
        }
        self.run(format!(
            "UPDATE imports SET forgotten = 1 WHERE made < {}",
            now - KEPT
        ))
        .await?;
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
        self.import = Some(id);
        Ok(id)
    }

    /// Gives the import the name of its file and the count of its rows.
    pub async fn end_import(&mut self, name: &str, records: i64) -> Result<(), StoreError> {
        self.transaction
            .query("UPDATE imports SET name = $2, records = $3 WHERE id = $1")
            .bind(self.import)
            .bind(name)
            .bind(records)
            .execute()
            .await?;
        Ok(())
    }

    async fn run(&mut self, sql: String) -> Result<u64, StoreError> {
        self.transaction.query(AssertSqlSafe(sql)).execute().await
    }

    /// Notes what rows are before this import changes them. The first time counts.
    pub(super) async fn note<R>(
        &mut self,
        tracked: &Tracked,
        rows: &[R],
        bind: impl for<'c> Fn(Query<'c>, &R) -> Query<'c>,
    ) -> Result<(), StoreError> {
        let Some(import) = self.import else {
            return Ok(());
        };
        let (table, keys) = (tracked.table, tracked.keys.join(", "));
        let columns = tracked.columns.join(", ");
        for rows in batches(rows, tracked.keys.len()) {
            let values = rows_of_places(rows.len(), tracked.keys.len());
            let sql = format!(
                "INSERT INTO undo_{table} (batch, existed, {keys}, {columns}) \
                 SELECT {import}, 1, {keys}, {columns} FROM {table} \
                 WHERE ({keys}) IN (VALUES {values}) ON CONFLICT DO NOTHING"
            );
            let query = self.transaction.query_many(sql);
            rows.iter().fold(query, &bind).execute().await?;
            let row = format!("({import}, 0, {}),", places(tracked.keys.len()));
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

    /// Notes rows that this import has added, found by their fingerprints.
    pub(super) async fn note_added(
        &mut self,
        tracked: &Tracked,
        fingerprints: &[&[u8]],
    ) -> Result<(), StoreError> {
        let Some(import) = self.import else {
            return Ok(());
        };
        let (table, keys) = (tracked.table, tracked.keys.join(", "));
        for fingerprints in batches(fingerprints, 1) {
            let sql = format!(
                "INSERT INTO undo_{table} (batch, existed, {keys}) SELECT {import}, 0, {keys} \
                 FROM {table} WHERE fingerprint IN ({}) ON CONFLICT DO NOTHING",
                places(fingerprints.len())
            );
            let query = self.transaction.query_many(sql);
            query.bind_all(fingerprints).execute().await?;
        }
        Ok(())
    }

    /// The later imports that changed rows of this one.
    async fn later(&mut self, import: i64) -> Result<BTreeSet<i64>, StoreError> {
        let mut later = BTreeSet::new();
        for tracked in ALL {
            let table = tracked.table;
            let sql = format!(
                "SELECT DISTINCT l.batch AS batch FROM undo_{table} o JOIN undo_{table} l \
                 ON l.batch > o.batch AND {} WHERE o.batch = {import}",
                same(tracked, "o", "l")
            );
            let found = self.transaction.query(AssertSqlSafe(sql));
            later.extend(found.all(|row| row.get::<i64>("batch")).await?);
        }
        Ok(later)
    }

    /// A table that has rows which are not of this import and refer to rows that it added.
    async fn used(&mut self, import: i64) -> Result<Option<&'static str>, StoreError> {
        for (tracked, column, parent) in REFERENCES {
            let (table, parent_key) = (tracked.table, parent.keys[0]);
            let sql = format!(
                "SELECT COUNT(*) AS count FROM {table} t JOIN undo_{} p ON p.{parent_key} = \
                 t.{column} AND p.batch = {import} AND p.existed = 0 WHERE NOT EXISTS (SELECT 1 \
                 FROM undo_{table} o WHERE o.batch = {import} AND {})",
                parent.table,
                same(tracked, "o", "t")
            );
            let count = self.transaction.query(AssertSqlSafe(sql));
            if count.one(|row| row.get::<i64>("count")).await? > 0 {
                return Ok(Some(table));
            }
        }
        Ok(None)
    }

    async fn restore(&mut self, import: i64) -> Result<(), StoreError> {
        // a listing that it sent to review may have been accepted since
        self.run(format!(
            "DELETE FROM sales WHERE fingerprint IN (SELECT r.fingerprint FROM review r \
             JOIN undo_review u ON u.id = r.id WHERE u.batch = {import} AND u.existed = 0)"
        ))
        .await?;
        for tracked in ALL.iter().rev() {
            let table = tracked.table;
            self.run(format!(
                "DELETE FROM {table} WHERE EXISTS (SELECT 1 FROM undo_{table} u \
                 WHERE u.batch = {import} AND u.existed = 0 AND {})",
                same(tracked, "u", table)
            ))
            .await?;
        }
        for tracked in ALL {
            let table = tracked.table;
            let mut set = String::new();
            for column in tracked.columns {
                // writing to a string cannot fail
                let _ = write!(set, "{column} = u.{column}, ");
            }
            let set = set.trim_end_matches(", ");
            let same = same(tracked, "u", table);
            self.run(format!(
                "UPDATE {table} SET {set} FROM undo_{table} u WHERE u.batch = {import} \
                 AND u.existed = 1 AND {same}"
            ))
            .await?;
        }
        // sales that it took back
        let (keys, columns) = (SALES.keys.join(", "), SALES.columns.join(", "));
        let overriding = self.transaction.overriding();
        self.run(format!(
            "INSERT INTO sales ({keys}, {columns}) {overriding} SELECT {keys}, {columns} \
             FROM undo_sales u WHERE u.batch = {import} AND u.existed = 1 \
             AND NOT EXISTS (SELECT 1 FROM sales s WHERE s.key = u.key)"
        ))
        .await?;
        for tracked in ALL {
            let table = tracked.table;
            self.run(format!("DELETE FROM undo_{table} WHERE batch = {import}"))
                .await?;
        }
        Ok(())
    }
}

impl Store {
    /// The imports with numbers below `before`, newest first.
    pub async fn imports(&self, before: i64, limit: i64) -> Result<Vec<ImportRow>, StoreError> {
        self.read
            .query(AssertSqlSafe(format!(
                "{SELECT} WHERE id < $1 ORDER BY id DESC LIMIT $2"
            )))
            .bind(before)
            .bind(limit)
            .all(ImportRow::read)
            .await
    }

    /// Puts everything that an import changed back as it was. `now` is in milliseconds since 1970.
    pub async fn undo_import(&self, id: i64, now: i64) -> Result<Undone, StoreError> {
        let mut loader = self.load().await?;
        let select = format!("{SELECT} WHERE id = $1");
        let found = loader
            .transaction
            .query(AssertSqlSafe(select.clone()))
            .bind(id)
            .optional(ImportRow::read)
            .await?;
        let refused = match found {
            None => Some(Undone::NoImport),
            Some(import) if import.undone.is_some() => Some(Undone::Already),
            Some(import) if import.forgotten => Some(Undone::Forgotten),
            Some(_) => {
                let later = loader.later(id).await?;
                if later.is_empty() {
                    loader.used(id).await?.map(Undone::Used)
                } else {
                    Some(Undone::Later(later.into_iter().rev().collect()))
                }
            }
        };
        if let Some(refused) = refused {
            loader.rollback().await?;
            return Ok(refused);
        }
        loader.restore(id).await?;
        loader
            .transaction
            .query("UPDATE imports SET undone = $2 WHERE id = $1")
            .bind(id)
            .bind(now)
            .execute()
            .await?;
        let row = loader
            .transaction
            .query(AssertSqlSafe(select))
            .bind(id)
            .one(ImportRow::read)
            .await?;
        loader.commit().await?;
        Ok(Undone::Done(row))
    }
}
