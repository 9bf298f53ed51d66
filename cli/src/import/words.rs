//! How each source names things, and how we do (`data/import.csv`).

use std::collections::HashMap;
use titledex_command::Failure;

const TABLE: &str = include_str!("../../data/import.csv");

/// Our words for those of one source, by kind and their word.
pub(super) struct Words(HashMap<(String, String), String>);

impl Words {
    /// The words of a source.
    pub(super) fn of(source: &str) -> Result<Words, Failure> {
        let damaged = |error: csv::Error| Failure::new(format!("data/import.csv: {error}"));
        let mut words = HashMap::new();
        for record in csv::Reader::from_reader(TABLE.as_bytes()).records() {
            let record = record.map_err(damaged)?;
            let cell = |at: usize| record.get(at).unwrap_or_default().to_owned();
            if cell(0) == source {
                words.insert((cell(1), cell(2)), cell(3));
            }
        }
        Ok(Words(words))
    }

    /// Our word for theirs, if the table has it.
    pub(super) fn get(&self, kind: &str, theirs: &str) -> Option<&str> {
        let key = (kind.to_owned(), theirs.to_owned());
        self.0.get(&key).map(String::as_str)
    }

    /// Our word for theirs, which is the same if the table lacks it.
    pub(super) fn ours<'w>(&'w self, kind: &str, theirs: &'w str) -> &'w str {
        self.get(kind, theirs).unwrap_or(theirs)
    }

    /// Whether the table has a word.
    pub(super) fn has(&self, kind: &str, theirs: &str) -> bool {
        self.get(kind, theirs).is_some()
    }
}
