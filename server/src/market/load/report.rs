//! [`Report`]: what became of a file's rows.

use super::cell::Wrong;
use std::fmt;

/// An invalid row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowError {
    /// Its line or number in the file.
    pub row: u64,
    /// What is wrong with which cell.
    pub wrong: Wrong,
}

impl fmt::Display for RowError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "row {}: {}", self.row, self.wrong)
    }
}

/// The result of importing a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Rows that were read.
    pub rows: u64,
    /// The number of the import, by which it can be undone.
    pub import: Option<i64>,
    /// Invalid rows that were set aside. In a strict import nothing is kept if there are any.
    pub set_aside: u64,
    /// The first of them, up to [`MOST_ERRORS`](super::MOST_ERRORS).
    pub errors: Vec<RowError>,
    /// Of sold listings: those that became sales.
    pub matched: u64,
    /// Of sold listings: those that go to review.
    pub review: u64,
    /// Of sold listings: those that were imported before.
    pub known: u64,
    /// Of sold listings: lots, which have no price for a card.
    pub lots: u64,
    /// Of sold listings: those of something other than a card.
    pub no_cards: u64,
    /// Of sold listings: those that were refunded, cancelled, returned or not paid.
    pub no_sales: u64,
}
