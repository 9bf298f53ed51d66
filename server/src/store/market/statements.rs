//! Statements with many rows: one costs tens of microseconds on its way to the database, whatever it writes.

use std::fmt::Write;

/// Values of a statement: what both databases take.
const MOST_VALUES: usize = 32_000;
/// Rows of a statement.
const MOST_ROWS: usize = 1_024;

/// `($1, $2), ($3, $4), …`: so many rows of so many columns.
pub(super) fn values(rows: usize, columns: usize) -> String {
    let mut text = String::with_capacity(rows * columns * 6);
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ", (" });
        for column in 0..columns {
            let comma = if column == 0 { "" } else { "," };
            let _ = write!(text, "{comma}${}", row * columns + column + 1);
        }
        text.push(')');
    }
    text
}

/// `$1, $2, …`, counted from `from`.
pub(super) fn list(count: usize, from: usize) -> String {
    let mut text = String::with_capacity(count * 6);
    for at in 0..count {
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(text, "{comma}${}", from + at);
    }
    text
}

/// Rows for one statement after another: as many as it takes, then halves, so that few different statements are prepared.
pub(super) fn batches<T>(rows: &[T], columns: usize) -> impl Iterator<Item = &[T]> {
    let mut rest = rows;
    let mut size = MOST_ROWS.min(MOST_VALUES / columns.max(1));
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        while size > rest.len() {
            size /= 2;
        }
        let (batch, more) = rest.split_at(size);
        rest = more;
        Some(batch)
    })
}

#[cfg(test)]
mod tests {
    use super::{batches, list, values};

    #[test]
    fn places_are_counted() {
        assert_eq!(values(2, 3), "($1,$2,$3), ($4,$5,$6)");
        assert_eq!(list(3, 2), "$2,$3,$4");
    }

    #[test]
    fn every_row_comes_once_and_in_order() {
        for count in [0, 1, 5, 1_023, 1_024, 3_000] {
            let rows: Vec<usize> = (0..count).collect();
            let found: Vec<usize> = batches(&rows, 2).flatten().copied().collect();
            assert_eq!(found, rows);
        }
        assert!(batches(&[0; 5_000], 16).all(|batch| batch.len() * 16 <= 32_000));
    }
}
