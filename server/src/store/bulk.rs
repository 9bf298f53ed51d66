//! Statements with many values: each statement costs tens of microseconds on its way to the
//! database, whatever it writes.

/// Values of a statement: what both databases take.
const MOST_VALUES: usize = 32_000;
/// Rows of a statement.
const MOST_ROWS: usize = 1_024;

/// Places of a list of values: `?,?,?`.
pub(super) fn places(values: usize) -> String {
    let mut text = "?,".repeat(values);
    text.pop();
    text
}

/// Places of rows of values: `(?,?),(?,?)`.
pub(super) fn rows_of_places(rows: usize, columns: usize) -> String {
    let mut text = format!("({}),", places(columns)).repeat(rows);
    text.pop();
    text
}

/// Rows for one statement after another: as many as it takes, then halves, so that few different
/// statements are prepared.
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
    use super::{batches, places, rows_of_places};

    #[test]
    fn each_value_has_its_place() {
        assert_eq!(places(3), "?,?,?");
        assert_eq!(rows_of_places(2, 3), "(?,?,?),(?,?,?)");
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
