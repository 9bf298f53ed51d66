//! [`Summary`]: what became of a file, as the service answers and keeps it.

use super::{Kind, Report};
use crate::market::day::iso;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What became of the rows of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportOutcome)]
pub enum Outcome {
    /// They are in the store.
    Imported,
    /// They were imported before, as stated; nothing was done now.
    Repeated,
    /// They were only checked.
    Checked,
    /// Nothing was kept: no row is right, or one is wrong and the import is strict, or the file
    /// cannot be read.
    Refused,
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportSummary)]
pub struct Summary {
    /// What became of its rows.
    pub outcome: Outcome,
    /// The number of the import, by which it can be undone; null where nothing was kept.
    #[schema(required)]
    pub import: Option<i64>,
    /// What the file holds.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// When it was imported.
    #[schema(format = DateTime)]
    pub at: String,
    /// Rows that were read.
    #[schema(minimum = 0)]
    pub rows: u64,
    /// Rows that are right, and kept if the outcome is `imported`.
    #[schema(minimum = 0)]
    pub right: u64,
    /// Rows that are wrong.
    #[schema(minimum = 0)]
    pub wrong: u64,
    /// What became of sold listings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sales: Option<Listings>,
    /// The first wrong rows, at most 100.
    pub errors: Vec<WrongRow>,
    /// Why the file could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What became of sold listings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportedListings)]
pub struct Listings {
    /// Those that became sales.
    #[schema(minimum = 0)]
    pub matched: u64,
    /// Those that wait for a person.
    #[schema(minimum = 0)]
    pub review: u64,
    /// Those that were imported before.
    #[schema(minimum = 0)]
    pub known: u64,
    /// Lots, which have no price for a card.
    #[schema(minimum = 0)]
    pub lots: u64,
    /// Those of something other than a card.
    #[schema(minimum = 0)]
    pub no_cards: u64,
    /// Those that were refunded, cancelled, returned or not paid.
    #[schema(minimum = 0)]
    pub no_sales: u64,
}

/// A wrong row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ImportError)]
pub struct WrongRow {
    /// Its line or number in the file.
    #[schema(minimum = 0)]
    pub row: u64,
    /// The column at fault; empty for the row as a whole.
    pub column: String,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Summary {
    /// The summary of a report. `now` is in milliseconds since 1970.
    #[must_use]
    pub fn of(kind: Kind, name: &str, report: &Report, now: i64) -> Self {
        let errors = report.errors.iter().map(|error| WrongRow {
            row: error.row,
            column: error.wrong.column.to_owned(),
            message: error.wrong.to_string(),
        });
        let sales = (kind == Kind::Sales).then_some(Listings {
            matched: report.matched,
            review: report.review,
            known: report.known,
            lots: report.lots,
            no_cards: report.no_cards,
            no_sales: report.no_sales,
        });
        Self {
            outcome: match report.import {
                Some(_) => Outcome::Imported,
                None => Outcome::Refused,
            },
            import: report.import,
            kind: kind.name().to_owned(),
            name: name.to_owned(),
            at: iso(now),
            rows: report.rows,
            right: report.rows - report.set_aside,
            wrong: report.set_aside,
            sales,
            errors: errors.collect(),
            reason: None,
        }
    }

    /// The summary of a file that could not be read.
    #[must_use]
    pub fn unread(kind: &str, name: &str, reason: String, now: i64) -> Self {
        Self {
            outcome: Outcome::Refused,
            import: None,
            kind: kind.to_owned(),
            name: name.to_owned(),
            at: iso(now),
            rows: 0,
            right: 0,
            wrong: 0,
            sales: None,
            errors: Vec::new(),
            reason: Some(reason),
        }
    }

    /// As JSON, as receipts keep it.
    #[must_use]
    pub fn json(&self) -> String {
        // a struct of numbers and texts
        serde_json::to_string(self).unwrap_or_default()
    }
}
