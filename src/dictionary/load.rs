//! Reading the CSV files of `dictionaries/`, with errors that name file and line.

use crate::error::{Error, ErrorKind};

/// One row of a dictionary file.
pub(crate) struct Row {
    /// 1-based line in the file.
    pub(crate) line: u64,
    cells: Vec<String>,
}

impl Row {
    /// The cell of column `at`; empty if the row is shorter.
    pub(crate) fn cell(&self, at: usize) -> &str {
        self.cells.get(at).map_or("", String::as_str)
    }

    /// The entries of a list cell.
    pub(crate) fn list(&self, at: usize) -> impl Iterator<Item = &str> {
        self.cell(at)
            .split('|')
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
    }
}

/// Reads `text`, whose header must be `columns`.
///
/// # Errors
/// Of kind [`ErrorKind::Dictionary`], naming `file` and line, for another header or a malformed
/// row.
pub(crate) fn rows(file: &str, text: &str, columns: &[&str]) -> Result<Vec<Row>, Error> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(true)
        .from_reader(text.as_bytes());
    let fail = |line: u64, what: String| {
        Error::new(
            ErrorKind::Dictionary,
            format!("dictionaries/{file}:{line}: {what}"),
        )
    };
    let header = reader.headers().map_err(|e| fail(1, e.to_string()))?;
    if header.iter().collect::<Vec<_>>() != columns {
        return Err(fail(
            1,
            format!(
                "columns are `{}`, expected `{}`",
                header.iter().collect::<Vec<_>>().join(","),
                columns.join(",")
            ),
        ));
    }
    let mut out = Vec::new();
    for record in reader.records() {
        let record =
            record.map_err(|e| fail(e.position().map_or(0, csv::Position::line), e.to_string()))?;
        out.push(Row {
            line: record.position().map_or(0, csv::Position::line),
            cells: record.iter().map(str::to_owned).collect(),
        });
    }
    Ok(out)
}
