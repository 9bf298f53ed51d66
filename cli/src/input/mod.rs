//! Rows in: titles, and the columns beside them, from lines, CSV, JSON Lines and Parquet.
//!
//! An [`Input`] fills batches on the reading thread and does there only what must happen in order: finding where rows end. Workers then
//! take the rows out of a batch ([`Rows::each`]). Batches are filled again and again, so that memory stays as it is however long the
//! input.

pub(crate) mod csv;
pub(crate) mod jsonl;
pub(crate) mod lines;
#[cfg(feature = "columnar")]
pub(crate) mod parquet;
pub(crate) mod source;

use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use titledex::MAX_TITLE_BYTES;

/// Bytes asked of a file at once.
const BUFFER_BYTES: usize = 1 << 16;
/// Rows in a batch: enough that handing it over costs nothing beside reading it, few enough that the threads end together.
const BATCH_ROWS: usize = 256;
/// A batch is full at this size too.
const BATCH_BYTES: usize = 1 << 18;
/// What is kept of one title. One longer than [`MAX_TITLE_BYTES`] is refused anyway, so the rest is only counted.
const TITLE_BYTES: usize = 2 * MAX_TITLE_BYTES;
/// What is read of one row of CSV or JSON Lines: far more than an export has, and little beside what may be in memory.
const ROW_BYTES: usize = 1 << 20;

/// What some programs put before UTF-8.
pub(crate) const SIGNATURE: &[u8] = b"\xef\xbb\xbf";

/// How far an input has been read. Reading goes on from here in another process as if it had never ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// Bytes of the input, unpacked; nothing for Parquet.
    pub(crate) bytes: u64,
    /// Lines of the input; nothing for Parquet.
    pub(crate) lines: u64,
    /// Rows of the input.
    pub(crate) rows: u64,
}

/// What fills batches.
pub(crate) trait Input: Send {
    /// What it fills.
    type Batch: Rows;

    /// Fills `batch` anew: with at least one row, and with no more than are there without waiting, so that a slow writer gets its
    /// answers at once. `false` at the end. What came before an error is handed out before the error is.
    fn fill(&mut self, batch: &mut Self::Batch) -> Result<bool, Failure>;
}

/// Some consecutive rows of an input.
pub(crate) trait Rows: Default + Send {
    /// Shows each row in turn. What `room` holds is overwritten.
    fn each(&self, room: &mut Room, visit: impl FnMut(Row<'_>));

    /// Where the input stands after these rows.
    fn end(&self) -> Mark;
}

/// Memory that taking rows out of batches needs, kept from batch to batch.
#[derive(Debug, Default)]
pub(crate) struct Room {
    carried: Vec<u8>,
}

/// One row.
#[derive(Debug)]
pub(crate) struct Row<'b> {
    /// Where it stands, from 1: the number of its line, or of the row where rows are no lines.
    pub(crate) number: u64,
    /// Its title, or why it has none.
    pub(crate) title: Result<Title<'b>, String>,
    /// The other columns as one JSON object; empty where there are none.
    pub(crate) carried: &'b [u8],
    /// What is carried otherwise than it was given, and why.
    pub(crate) altered: Option<String>,
}

/// A title as it was given, which need be neither UTF-8 nor short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Title<'b> {
    /// Its bytes, or the first of them.
    pub(crate) bytes: &'b [u8],
    /// How many it has.
    pub(crate) length: u64,
}

impl<'b> Title<'b> {
    /// A title of which all is there; what is too long to be read is not kept.
    pub(crate) fn of(bytes: &'b [u8]) -> Self {
        Self {
            bytes: &bytes[..bytes.len().min(TITLE_BYTES)],
            length: bytes.len() as u64,
        }
    }

    /// Whether it is longer than what was kept of it.
    pub(crate) fn is_cut(&self) -> bool {
        self.bytes.len() as u64 != self.length
    }
}

/// Writes `"key":` or `,"key":` behind the members that `object` has so far; the first one opens it.
fn begin_member(object: &mut Vec<u8>) {
    object.push(if object.is_empty() { b'{' } else { b',' });
}

/// Closes the object, where it has members.
fn end_members(object: &mut Vec<u8>) {
    if !object.is_empty() {
        object.push(b'}');
    }
}

/// The names of `columns`, each as a JSON key with its colon; a name that stood before gets a number, so that no value hides another.
fn json_keys<'c>(columns: impl Iterator<Item = &'c str>) -> Vec<Box<str>> {
    let mut seen: Vec<String> = Vec::new();
    columns
        .map(|column| {
            let mut name = column.to_owned();
            let mut number = 1;
            while seen.contains(&name) {
                number += 1;
                name = format!("{column}.{number}");
            }
            let key = format!("{}:", serde_json::Value::from(name.as_str())).into();
            seen.push(name);
            key
        })
        .collect()
}

/// Where the one column called `wanted` stands.
fn find_column<'c>(
    columns: impl Iterator<Item = &'c str> + Clone,
    wanted: &str,
    file: &str,
) -> Result<usize, Failure> {
    let mut found = columns
        .clone()
        .enumerate()
        .filter(|(_, name)| *name == wanted)
        .map(|(at, _)| at);
    match (found.next(), found.next()) {
        (Some(at), None) => Ok(at),
        (Some(_), Some(_)) => Err(Failure::new(format!(
            "{file} has more than one column `{wanted}`: rename them, or name another with --column"
        ))),
        (None, _) => {
            const SHOWN: usize = 12;
            let mut names: Vec<_> = columns
                .clone()
                .take(SHOWN)
                .map(|name| format!("`{name}`"))
                .collect();
            let more = columns.count().saturating_sub(SHOWN);
            if more > 0 {
                names.push(format!("{more} more"));
            }
            let has = if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            };
            Err(Failure::new(format!(
                "{file} has no column `{wanted}` (it has {has}): name the column of the titles with --column"
            )))
        }
    }
}

/// Whether a batch was filled: what was read before an error is handed out before the error is.
fn filled(any: bool, failed: &mut Option<io::Error>, name: &str) -> Result<bool, Failure> {
    if any {
        return Ok(true);
    }
    failed.take().map_or(Ok(false), |error| {
        Err(Failure::file("read", Path::new(name), &error))
    })
}

#[cfg(test)]
mod tests {
    use super::{find_column, json_keys};
    use crate::failure::Failure;

    #[test]
    fn no_column_hides_another() {
        let keys = json_keys(["a", "b\"", "a", "a.2", "a"].into_iter());
        assert_eq!(
            keys.iter().map(AsRef::as_ref).collect::<Vec<_>>(),
            [
                r#""a":"#,
                r#""b\"":"#,
                r#""a.2":"#,
                r#""a.2.2":"#,
                r#""a.3":"#
            ]
        );
    }

    #[test]
    fn a_column_is_found_or_the_message_names_those_there_are() {
        let of = |columns: &[&str]| find_column(columns.iter().copied(), "title", "x.csv");
        let message = |columns: &[&str]| match of(columns) {
            Err(Failure::Said(message)) => message,
            other => panic!("{other:?}"),
        };
        assert!(matches!(of(&["a", "title"]), Ok(1)));
        assert!(message(&["a", "Title"]).contains("it has `a`, `Title`"));
        assert!(message(&["title", "title"]).contains("more than one"));
        assert!(message(&["c"; 20]).contains("8 more"));
    }
}
