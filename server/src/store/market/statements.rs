//! Statements with many rows: one costs tens of microseconds on its way to the database, whatever it writes.

/// Values of a statement: what both databases take.
const MOST_VALUES: usize = 32_000;
/// Rows of a statement.
const MOST_ROWS: usize = 1_024;

/// How a database writes the places of values. A statement has the one form alone: SQLite looks a numbered place up among all others, at
/// each of thousands of values, and finds the next of those without a number at once.
macro_rules! places {
    ($name:ident, $doc:literal, $write:expr) => {
        #[doc = $doc]
        pub(super) mod $name {
            #[allow(unused_imports, reason = "one of the two writes no number")]
            use std::fmt::Write;

            /// So many rows of so many columns, counted from 1.
            pub(in super::super) fn values(rows: usize, columns: usize) -> String {
                let mut text = String::with_capacity(rows * columns * 6);
                for row in 0..rows {
                    text.push_str(if row == 0 { "(" } else { ", (" });
                    text.push_str(&list(columns, row * columns + 1));
                    text.push(')');
                }
                text
            }

            /// So many values, counted from `from`.
            pub(in super::super) fn list(count: usize, from: usize) -> String {
                let write: fn(&mut String, usize) = $write;
                let mut text = String::with_capacity(count * 6);
                for at in 0..count {
                    if at > 0 {
                        text.push(',');
                    }
                    write(&mut text, from + at);
                }
                text
            }
        }
    };
}

places!(dollar, "`$1`, as PostgreSQL has it.", |text, place| {
    let _ = write!(text, "${place}");
});
places!(
    question,
    "`?`, as SQLite has it: values come in the order of the text.",
    |text, _| text.push('?')
);

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
    use super::{batches, dollar, question};

    #[test]
    fn places_are_counted() {
        assert_eq!(dollar::values(2, 3), "($1,$2,$3), ($4,$5,$6)");
        assert_eq!(question::values(2, 3), "(?,?,?), (?,?,?)");
        assert_eq!(
            (dollar::list(3, 2), question::list(3, 2)),
            ("$2,$3,$4".to_owned(), "?,?,?".to_owned())
        );
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
