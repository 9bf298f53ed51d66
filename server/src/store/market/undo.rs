//! Changes that are undone: every row is put back as it was.

use super::journal::{ChangeRow, DeedKind, SELECT};
use super::load::Loader;
use super::tracked::{ALL, REFERENCES, Tracked};
use crate::clock::Moment;
use crate::store::audit::record;
use crate::store::{Actor, Deed, Store, StoreError};
use sqlx::AssertSqlSafe;
use std::collections::BTreeSet;
use std::fmt;

/// What became of an undoing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undone {
    /// All is as it was before the change.
    Done(ChangeRow),
    /// There is no such change, or it is not of the kind that was to be undone.
    NoChange,
    /// It was undone before.
    Already,
    /// What its rows were before is no longer kept.
    Forgotten,
    /// These later changes altered rows of it, newest first.
    Later(Vec<i64>),
    /// Rows that it added are referred to by rows of this table.
    Used(&'static str),
}

/// Which changes may be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undoing {
    /// Any.
    Any,
    /// Imports.
    Imports,
    /// Decisions about listings under review.
    Decisions,
}

impl Undoing {
    fn allows(self, change: &ChangeRow) -> bool {
        match (self, change.deed()) {
            (Self::Any, _) | (Self::Imports, None) => true,
            (Self::Decisions, Some(deed)) => matches!(deed, DeedKind::Accept | DeedKind::Reject),
            _ => false,
        }
    }
}

impl fmt::Display for Undone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done(change) => write!(out, "change {} was undone", change.id),
            Self::NoChange => out.write_str("there is no such change: list them"),
            Self::Already => out.write_str("it was undone before"),
            Self::Forgotten => {
                out.write_str("it is too old: what its rows were before is kept for thirty days")
            }
            Self::Later(later) => {
                let later: Vec<String> = later.iter().map(ToString::to_string).collect();
                write!(
                    out,
                    "later changes altered the same rows: undo {} first, in this order, and make \
                     them again afterwards where they are still wanted",
                    later.join(", ")
                )
            }
            Self::Used(table) => write!(
                out,
                "rows of {table} refer to what it added: undo what made them first"
            ),
        }
    }
}

/// Conditions that the keys of two tables agree.
fn same(tracked: &Tracked, one: &str, other: &str) -> String {
    let same = |key: &&str| format!("{one}.{key} = {other}.{key}");
    let all: Vec<String> = tracked.keys.iter().map(same).collect();
    all.join(" AND ")
}

/// The deeds that do not keep an import from being undone, where they changed rows that it added.
fn vanishing() -> String {
    let deeds = DeedKind::ALL.into_iter().filter(|deed| deed.vanishes());
    let names: Vec<String> = deeds.map(|deed| format!("'{}'", deed.name())).collect();
    format!(
        "SELECT id FROM imports WHERE kind IN ({})",
        names.join(", ")
    )
}

impl Loader {
    /// The later changes that altered rows of this one.
    async fn later(&mut self, change: i64) -> Result<BTreeSet<i64>, StoreError> {
        let mut later = BTreeSet::new();
        let vanishing = vanishing();
        for tracked in ALL {
            let table = tracked.table;
            let sql = format!(
                "SELECT DISTINCT l.batch AS batch FROM undo_{table} o JOIN undo_{table} l \
                 ON l.batch > o.batch AND {} WHERE o.batch = {change} \
                 AND (o.existed = 1 OR l.batch NOT IN ({vanishing}))",
                same(tracked, "o", "l")
            );
            let found = self.transaction.query(AssertSqlSafe(sql));
            later.extend(found.all(|row| row.get::<i64>("batch")).await?);
        }
        Ok(later)
    }

    /// A table that has rows which are not of this change and refer to rows that it added.
    async fn used(&mut self, change: i64) -> Result<Option<&'static str>, StoreError> {
        for (tracked, column, parent) in REFERENCES {
            let (table, parent_key) = (tracked.table, parent.keys[0]);
            let sql = format!(
                "SELECT COUNT(*) AS count FROM {table} t JOIN undo_{} p ON p.{parent_key} = \
                 t.{column} AND p.batch = {change} AND p.existed = 0 WHERE NOT EXISTS (SELECT 1 \
                 FROM undo_{table} o WHERE o.batch = {change} AND {})",
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

    async fn restore(&mut self, change: i64) -> Result<(), StoreError> {
        // a listing that it sent to review may have been accepted since
        let accepted = format!(
            "fingerprint IN (SELECT r.fingerprint FROM review r JOIN undo_review u ON u.id = r.id \
             WHERE u.batch = {change} AND u.existed = 0)"
        );
        self.run(format!(
            "DELETE FROM undo_sales WHERE batch > {change} \
             AND key IN (SELECT key FROM sales WHERE {accepted})"
        ))
        .await?;
        self.run(format!("DELETE FROM sales WHERE {accepted}"))
            .await?;
        for tracked in ALL.iter().rev() {
            let table = tracked.table;
            // what later deeds would put back is gone with what this change added
            for (table, and) in [
                (format!("undo_{table}"), format!("batch > {change} AND ")),
                (table.to_owned(), String::new()),
            ] {
                self.run(format!(
                    "DELETE FROM {table} WHERE {and}EXISTS (SELECT 1 FROM undo_{} u \
                     WHERE u.batch = {change} AND u.existed = 0 AND {})",
                    tracked.table,
                    same(tracked, "u", &table)
                ))
                .await?;
            }
        }
        let overriding = self.transaction.overriding();
        for tracked in ALL {
            let (table, kept) = (tracked.table, tracked.kept());
            let firm = tracked
                .firm
                .iter()
                .map(|column| format!("{column} = COALESCE(u.{column}, {table}.{column})"));
            let others = tracked.columns.iter();
            let set: Vec<String> = firm
                .chain(others.map(|column| format!("{column} = u.{column}")))
                .collect();
            self.run(format!(
                "UPDATE {table} SET {} FROM undo_{table} u WHERE u.batch = {change} \
                 AND u.existed = 1 AND {}",
                set.join(", "),
                same(tracked, "u", table)
            ))
            .await?;
            // rows that it removed, once what has their place is back where it was
            self.run(format!(
                "INSERT INTO {table} ({kept}) {overriding} SELECT {kept} FROM undo_{table} u \
                 WHERE u.batch = {change} AND u.existed = 1 \
                 AND NOT EXISTS (SELECT 1 FROM {table} t WHERE {})",
                same(tracked, "u", "t")
            ))
            .await?;
        }
        for tracked in ALL {
            let table = tracked.table;
            self.run(format!("DELETE FROM undo_{table} WHERE batch = {change}"))
                .await?;
        }
        Ok(())
    }
}

impl Store {
    /// Puts everything that a change altered back as it was, and records who did.
    pub async fn undo(
        &self,
        id: i64,
        which: Undoing,
        by: Actor,
        now: Moment,
    ) -> Result<Undone, StoreError> {
        let mut loader = self.load().await?;
        let select = format!("{SELECT} WHERE id = $1");
        let found = loader
            .transaction
            .query(AssertSqlSafe(select.clone()))
            .bind(id)
            .optional(ChangeRow::read)
            .await?;
        let refused = match found {
            None => Some(Undone::NoChange),
            Some(change) if !which.allows(&change) => Some(Undone::NoChange),
            Some(change) if change.undone.is_some() => Some(Undone::Already),
            Some(change) if change.forgotten => Some(Undone::Forgotten),
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
            .bind(now.millis())
            .execute()
            .await?;
        let row = loader
            .transaction
            .query(AssertSqlSafe(select))
            .bind(id)
            .one(ChangeRow::read)
            .await?;
        let deed = Deed {
            by,
            deed: "undo change",
            account: None,
            subject: Some(id),
            detail: &row.kind,
        };
        record(&mut loader.transaction, deed, now).await?;
        loader.commit().await?;
        Ok(Undone::Done(row))
    }
}
