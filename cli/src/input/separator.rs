//! [`separator`]: what separates the cells of CSV, by its header.

use titledex_command::source::BYTE_ORDER_MARK;

/// Separators that a header is looked at with.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// What separates the cells of an input that begins so: `usual`, unless another separator gives the
/// header the column `title`, or more cells where none does.
pub(crate) fn separator(beginning: &[u8], usual: u8, title: &str) -> u8 {
    let text = beginning.strip_prefix(BYTE_ORDER_MARK).unwrap_or(beginning);
    let header = |separator: u8| {
        let mut reader = ::csv::ReaderBuilder::new()
            .has_headers(false)
            .delimiter(separator)
            .from_reader(text);
        let mut header = ::csv::ByteRecord::new();
        // the beginning is in memory, and text that is not UTF-8 is read as well
        let _ = reader.read_byte_record(&mut header);
        header
    };
    let worth = |separator: u8| {
        let header = header(separator);
        let named = header
            .iter()
            .any(|cell| cell.eq_ignore_ascii_case(title.as_bytes()));
        (named, header.len())
    };
    let others = SEPARATORS.into_iter().filter(|other| *other != usual);
    others.fold(usual, |best, other| {
        if worth(other) > worth(best) && !worth(best).0 {
            other
        } else {
            best
        }
    })
}

#[cfg(test)]
mod tests {
    use super::separator;

    #[test]
    fn separator_is_the_one_that_gives_the_column() {
        for (header, expected) in [
            ("id,title", b','),
            ("id;title;a,b,c,d\nx", b';'),
            ("\u{feff}id\ttitle", b'\t'),
            ("\"a,b\"|title", b'|'),
            ("title", b','),
            ("titel;preis", b';'),
            ("a;b,c;d", b';'),
            ("", b','),
        ] {
            let found = separator(header.as_bytes(), b',', "title");
            assert_eq!(char::from(found), char::from(expected), "{header}");
        }
        assert_eq!(separator(b"a,b\ttitle", b'\t', "title"), b'\t');
    }
}
