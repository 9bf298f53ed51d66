//! [`Counts`]: what became of the titles of a run.

use serde::{Deserialize, Serialize};
use titledex::Answer;

/// How many titles were answered, and how many of them could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// All titles.
    pub(crate) answers: u64,
    /// Those that could not be read as given.
    pub(crate) refused: u64,
    /// The position of the first of these, and the code of its error.
    pub(crate) first_refused: Option<(u64, String)>,
    /// Those that were written: the rest was not asked for.
    pub(crate) written: u64,
    /// Titles that are empty, and the position of the first.
    pub(crate) empty: u64,
    pub(crate) first_empty: Option<u64>,
}

impl Counts {
    /// Counts the answer to the row `number`.
    pub(crate) fn count(&mut self, number: u64, answer: &Answer<'_>) {
        self.answers += 1;
        if let Some(error) = &answer.error {
            self.refused += 1;
            self.first_refused
                .get_or_insert_with(|| (number, error.code.to_string()));
        } else if answer.title.trim().is_empty() {
            self.empty += 1;
            self.first_empty.get_or_insert(number);
        }
    }

    /// Adds the counts of a later batch.
    pub(crate) fn add(&mut self, later: &Self) {
        self.answers += later.answers;
        self.refused += later.refused;
        self.written += later.written;
        self.empty += later.empty;
        self.first_empty = self.first_empty.or(later.first_empty);
        if self.first_refused.is_none() {
            self.first_refused.clone_from(&later.first_refused);
        }
    }
}
