//! Files → [`Rows`](super::rows::Rows): the price service's export CSV, our JSON Lines, and the
//! text tables of the embedded catalogue.

mod export;
mod jsonl;
mod tables;

pub use export::export_csv;
pub use jsonl::{jsonl_cards, jsonl_sets};
pub use tables::{tables, write_tables};

use crate::error::{Error, ErrorKind};

/// Languages of the name columns of the text tables, in their order.
pub const NAME_LANGUAGES: [&str; 12] = [
    "en", "ja", "fr", "de", "es", "it", "pt", "ko", "zh-tw", "zh-cn", "th", "id",
];

/// The line that a record of `text` begins in. The csv crate's own count is one too low if lines
/// end in CRLF: it takes the position before the line feed that ends the record before. This counts
/// from the beginning, so it is only for messages.
fn line_of(text: &str, position: Option<&csv::Position>) -> u64 {
    let at = position
        .map_or(0, |p| usize::try_from(p.byte()).unwrap_or(usize::MAX))
        .min(text.len());
    let begins = text.as_bytes()[at..]
        .iter()
        .take_while(|b| matches!(b, b'\r' | b'\n'))
        .count();
    1 + text.as_bytes()[..at + begins]
        .iter()
        .filter(|&&b| b == b'\n')
        .count() as u64
}

fn row_error(file: &str, line: u64, column: &str, what: &str) -> Error {
    Error::new(
        ErrorKind::Row,
        format!("{file}:{line}: column `{column}`: {what}"),
    )
}

/// The text of a file that must be UTF-8.
fn utf8<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, Error> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Error::new(
            ErrorKind::Source,
            format!("{file}:1:1: the file is UTF-16; convert it to UTF-8"),
        ));
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|e| {
        let good = &bytes[..e.valid_up_to()];
        let line = 1 + good.iter().filter(|&&b| b == b'\n').count();
        let column = 1 + good.iter().rev().take_while(|&&b| b != b'\n').count();
        Error::new(
            ErrorKind::Source,
            format!(
                "{file}:{line}:{column}: byte {:#04x} is not UTF-8; convert the file to UTF-8",
                bytes[e.valid_up_to()]
            ),
        )
    })
}

/// `Reverse Holofoil [pokeball foil]` → `:reverse-holofoil-pokeball-foil`.
fn slug_of(label: &str) -> String {
    let mut slug = String::from(":");
    for c in label.chars() {
        if c.is_alphanumeric() {
            slug.extend(c.to_lowercase());
        } else if !slug.ends_with(['-', ':']) {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}
