//! Input: titles and the columns next to them, from lines, CSV, JSON Lines and Parquet.
//!
//! An [`Input`] fills batches on the reading thread and does only what must happen in order:
//! finding where rows end. Workers then extract the rows of a batch ([`Rows::each`]). Batches are
//! reused, so that memory does not grow with the input.

pub(crate) mod csv;
pub(crate) mod jsonl;
pub(crate) mod lines;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
pub(crate) mod separator;
pub(crate) mod values;

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io;
use std::path::Path;
use titledex::MAX_TITLE_BYTES;
use titledex_command::Failure;

/// Size of the read buffer.
const BUFFER_BYTES: usize = 1 << 16;
/// Rows in a batch: enough to make the handover cheap, few enough that the threads finish together.
const BATCH_ROWS: usize = 256;
/// A batch is also full at this size.
const BATCH_BYTES: usize = 1 << 18;
/// How much of a title is kept. One longer than [`MAX_TITLE_BYTES`] is refused anyway, so the rest
/// is only counted.
const TITLE_BYTES: usize = 2 * MAX_TITLE_BYTES;
/// How much of a row of CSV or JSON Lines is read: far more than exports have, and little memory.
const ROW_BYTES: usize = 1 << 20;

/// How far an input has been read. Another process can resume reading from here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// Bytes of the decompressed input; 0 for Parquet.
    pub(crate) bytes: u64,
    /// Lines of the input; 0 for Parquet.
    pub(crate) lines: u64,
    /// Rows of the input.
    pub(crate) rows: u64,
}

/// A source of batches.
pub(crate) trait Input: Send {
    /// The batches that it fills.
    type Batch: Rows;

    /// Refills `batch` with at least one row, and with no more rows than are available without
    /// waiting, so that a slow writer gets its answers at once. `false` at the end. Rows before an
    /// error are returned before the error.
    fn fill(&mut self, batch: &mut Self::Batch) -> Result<bool, Failure>;
}

/// Some consecutive rows of an input.
pub(crate) trait Rows: Default + Send {
    /// Shows each row in turn. The content of `room` is overwritten.
    fn each(&self, room: &mut Room, visit: impl FnMut(Row<'_>));

    /// The position in the input after these rows.
    fn end(&self) -> Mark;
}

/// Scratch memory for extracting rows, kept from batch to batch.
#[derive(Debug, Default)]
pub(crate) struct Room {
    carried: Vec<u8>,
}

/// One row.
#[derive(Debug)]
pub(crate) struct Row<'b> {
    /// Its number from 1: of its line, or of the row if rows are not lines.
    pub(crate) number: u64,
    /// Its title, or why there is none.
    pub(crate) title: Result<Title<'b>, String>,
    /// The other columns as one JSON object; empty if there are none.
    pub(crate) carried: &'b [u8],
    /// The value that is carried differently from how it was given, with the reason.
    pub(crate) altered: Option<String>,
}

/// A title as given: it may be too long, or not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Title<'b> {
    /// Its bytes, or its first bytes if it is too long.
    pub(crate) bytes: &'b [u8],
    /// Its whole length in bytes.
    pub(crate) length: u64,
}

impl<'b> Title<'b> {
    /// A title of these bytes; if they are too many, only the first are kept.
    pub(crate) fn of(bytes: &'b [u8]) -> Self {
        Self {
            bytes: &bytes[..bytes.len().min(TITLE_BYTES)],
            length: bytes.len() as u64,
        }
    }

    /// Whether only a part of it was kept.
    pub(crate) fn is_cut(&self) -> bool {
        self.bytes.len() as u64 != self.length
    }
}

/// Bytes as text, and the position of the first that is not UTF-8.
pub(crate) fn decode(bytes: &[u8]) -> (Cow<'_, str>, Option<usize>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), None),
        Err(error) => (String::from_utf8_lossy(bytes), Some(error.valid_up_to())),
    }
}

/// Writes `{` or `,`, whichever begins the next member of `object`.
fn begin_member(object: &mut Vec<u8>) {
    object.push(if object.is_empty() { b'{' } else { b',' });
}

/// Closes the object, if it has members.
fn end_members(object: &mut Vec<u8>) {
    if !object.is_empty() {
        object.push(b'}');
    }
}

/// The names of `columns`; a repeated name gets a number, so that no value hides another.
fn distinct<'c>(columns: impl Iterator<Item = &'c str>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for column in columns {
        let mut name = column.to_owned();
        let mut number = 1;
        while seen.contains(&name) {
            number += 1;
            name = format!("{column}.{number}");
        }
        seen.push(name);
    }
    seen
}

/// The distinct names of `columns` as JSON keys with colons.
fn json_keys<'c>(columns: impl Iterator<Item = &'c str>) -> Vec<Box<str>> {
    let key = |name: String| format!("{}:", serde_json::Value::from(name)).into();
    distinct(columns).into_iter().map(key).collect()
}

/// The place of the only column named `wanted`, else of the only one that differs from it in case
/// alone: `Title` in what a marketplace exports.
fn find_column<'c>(
    columns: impl Iterator<Item = &'c str> + Clone,
    wanted: &str,
    file: &str,
) -> Result<usize, Failure> {
    let first_two = |same: fn(&str, &str) -> bool| {
        let mut found = columns.clone().enumerate();
        let mut next = || found.find(|(_, name)| same(name, wanted)).map(|(at, _)| at);
        (next(), next())
    };
    let found = match first_two(|name, wanted| name == wanted) {
        (None, _) => first_two(str::eq_ignore_ascii_case),
        exact => exact,
    };
    match found {
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

/// Whether a batch was filled; rows read before an error are returned before the error.
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
    use titledex_command::Failure;

    #[test]
    fn repeated_column_names_stay_distinct() {
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
    fn missing_column_is_reported_with_the_existing_ones() {
        let of = |columns: &[&str]| find_column(columns.iter().copied(), "title", "x.csv");
        let message = |columns: &[&str]| match of(columns) {
            Err(Failure::Said(message)) => message,
            other => panic!("{other:?}"),
        };
        assert!(matches!(of(&["a", "title"]), Ok(1)));
        assert!(message(&["a", "Titel"]).contains("it has `a`, `Titel`"));
        assert!(matches!(of(&["a", "Title"]), Ok(1)));
        assert!(matches!(of(&["Title", "title"]), Ok(1)));
        assert!(message(&["Title", "TITLE"]).contains("more than one"));
        assert!(message(&["title", "title"]).contains("more than one"));
        assert!(message(&["c"; 20]).contains("8 more"));
    }
}
