//! Reading the CSV files of `dictionaries/`, with errors that name file and line.
//!
//! The reader is our own: the module of browsers reads three such files, and the crate that reads
//! all of CSV would be a fiftieth of it.

use crate::error::{Error, ErrorKind};
use std::borrow::Cow;

/// Room is made at once for as many cells of a row: few files have more columns.
const USUAL_COLUMNS: usize = 8;

/// One row of a dictionary file.
pub(crate) struct Row<'t> {
    /// 1-based line in the file.
    pub(crate) line: u64,
    cells: Vec<Cow<'t, str>>,
}

impl Row<'_> {
    /// The cell of column `at`; empty if the row is shorter.
    pub(crate) fn cell(&self, at: usize) -> &str {
        self.cells.get(at).map_or("", Cow::as_ref)
    }

    /// The entries of a list cell.
    pub(crate) fn list(&self, at: usize) -> impl Iterator<Item = &str> {
        self.cell(at)
            .split('|')
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
    }

    /// The aliases of list cell `at` as titles write them; see [`spellings`].
    pub(crate) fn spelled(&self, at: usize, with: usize) -> impl Iterator<Item = String> {
        let with: Vec<&str> = self.list(with).collect();
        self.list(at).flat_map(move |alias| spellings(alias, &with))
    }
}

/// How titles write an alias that counts only beside one of the words `with`: before it, behind it,
/// or where `…` stands in them. By itself if there are none.
///
/// ```
/// # use titledex::internals::dictionary::spellings;
/// assert_eq!(spellings("Ace", &["DON!! … Gold"]), ["DON!! Ace Gold"]);
/// assert_eq!(spellings("Ace", &["DON!!"]), ["Ace DON!!", "DON!! Ace"]);
/// ```
pub fn spellings(alias: &str, with: &[&str]) -> Vec<String> {
    if with.is_empty() {
        return vec![alias.to_owned()];
    }
    let beside = |word: &&str| match word.split_once('…') {
        Some((before, behind)) => vec![format!("{before}{alias}{behind}")],
        None => vec![format!("{alias} {word}"), format!("{word} {alias}")],
    };
    with.iter().flat_map(beside).collect()
}

/// The words that a cell may hold, as messages list them: ``write `before`, `after` or nothing``.
pub(crate) fn choices<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let quoted = |word: &str| match word {
        "" => "nothing".to_owned(),
        word => format!("`{word}`"),
    };
    let mut words: Vec<String> = words.into_iter().map(quoted).collect();
    let last = words.pop().unwrap_or_default();
    match words.as_slice() {
        [] => format!("write {last}"),
        words => format!("write {} or {last}", words.join(", ")),
    }
}

/// Reads `text`, whose header must be `columns`.
///
/// # Errors
/// Of kind [`ErrorKind::Dictionary`], naming `file` and line, for another header or a malformed
/// row.
pub(crate) fn rows<'t>(file: &str, text: &'t str, columns: &[&str]) -> Result<Vec<Row<'t>>, Error> {
    let fail = |line: u64, what: &str| {
        Error::new(
            ErrorKind::Dictionary,
            format!("dictionaries/{file}:{line}: {what}"),
        )
    };
    let mut reader = Reader {
        rest: text.strip_prefix('\u{feff}').unwrap_or(text),
        line: 1,
    };
    let mut next = || {
        let open = |line| fail(line, "a quotation mark has no other");
        reader.row().map_err(open)
    };
    let header = next()?.map_or_else(Vec::new, |row| row.cells);
    if header != columns {
        let (are, expected) = (header.join(","), columns.join(","));
        let what = format!("columns are `{are}`, expected `{expected}`");
        return Err(fail(1, &what));
    }
    let mut rows = Vec::new();
    while let Some(row) = next()? {
        if row.cells.len() != columns.len() {
            let what = format!("{} cells, expected {}", row.cells.len(), columns.len());
            return Err(fail(row.line, &what));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// What is left of a CSV file (RFC 4180).
struct Reader<'t> {
    rest: &'t str,
    /// 1-based.
    line: u64,
}

impl<'t> Reader<'t> {
    /// The next row, without empty lines; `None` at the end.
    ///
    /// # Errors
    /// The line of a quotation mark that opens a cell which none closes.
    fn row(&mut self) -> Result<Option<Row<'t>>, u64> {
        while let Some(rest) = self.rest.strip_prefix(['\r', '\n']) {
            self.line += u64::from(self.rest.starts_with('\n'));
            self.rest = rest;
        }
        if self.rest.is_empty() {
            return Ok(None);
        }
        let mut row = Row {
            line: self.line,
            cells: Vec::with_capacity(USUAL_COLUMNS),
        };
        loop {
            let cell = self.cell()?;
            row.cells.push(cell);
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None => return Ok(Some(row)),
            }
        }
    }

    /// The next cell, up to a comma or the end of a line.
    fn cell(&mut self) -> Result<Cow<'t, str>, u64> {
        let mut cell = Cow::Borrowed("");
        if let Some(mut quoted) = self.rest.strip_prefix('"') {
            let first = self.line;
            loop {
                let (part, rest) = quoted.split_once('"').ok_or(first)?;
                self.line += part.bytes().filter(|&byte| byte == b'\n').count() as u64;
                add(&mut cell, part);
                // two of them are one of the cell
                match rest.strip_prefix('"') {
                    Some(rest) => quoted = rest,
                    None => {
                        self.rest = rest;
                        break;
                    }
                }
                add(&mut cell, "\"");
            }
        }
        let ends = |byte: u8| matches!(byte, b',' | b'\r' | b'\n');
        let end = self.rest.bytes().position(ends);
        let (part, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        add(&mut cell, part);
        self.rest = rest;
        Ok(cell)
    }
}

/// Adds a part to a cell, which is borrowed while it has one part.
fn add<'t>(cell: &mut Cow<'t, str>, part: &'t str) {
    if cell.is_empty() {
        *cell = Cow::Borrowed(part);
    } else if !part.is_empty() {
        cell.to_mut().push_str(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cells(text: &str) -> Result<Vec<(u64, Vec<String>)>, String> {
        let rows = rows("a.csv", text, &["a", "b"]).map_err(|error| error.to_string())?;
        let owned = |cell: Cow<'_, str>| cell.into_owned();
        let row = |row: Row<'_>| (row.line, row.cells.into_iter().map(owned).collect());
        Ok(rows.into_iter().map(row).collect())
    }

    #[test]
    fn rows_know_their_lines() {
        let text = "\u{feff}a,b\r\n1,\"x, \"\"y\"\"\nz\"\r\n\r\n2,\n";
        let rows = cells(text).expect("it is well formed");
        let row = |line: u64, a: &str, b: &str| (line, vec![a.to_owned(), b.to_owned()]);
        assert_eq!(rows, [row(2, "1", "x, \"y\"\nz"), row(5, "2", "")]);
    }

    #[test]
    fn malformed_rows_are_refused_with_their_line() {
        for (text, error) in [
            ("a,b\n1,2\n\n1,2,3\n", "a.csv:4: 3 cells, expected 2"),
            ("a,b\n1,\"2\n", "a.csv:2: a quotation mark has no other"),
            ("a,c\n", "a.csv:1: columns are `a,c`, expected `a,b`"),
            ("", "a.csv:1: columns are ``, expected `a,b`"),
        ] {
            let found = cells(text).expect_err(text);
            assert!(found.contains(error), "{found}");
        }
    }

    proptest! {
        #[test]
        fn any_cells_are_read_as_they_were_written(rows in proptest::collection::vec(("[ -~é\r\n]{0,9}", "[ -~é\r\n]{0,9}"), 0..5)) {
            let mut text = String::from("a,b\n");
            for (a, b) in &rows {
                let cell = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
                text += &format!("{},{}\n", cell(a), cell(b));
            }
            let found = cells(&text).expect("it is well formed");
            let found: Vec<(String, String)> = found
                .into_iter()
                .map(|(_, cells)| (cells[0].clone(), cells[1].clone()))
                .collect();
            prop_assert_eq!(found, rows);
        }
    }
}
