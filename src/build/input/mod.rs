//! Files → [`Rows`](super::rows::Rows): the price service's export CSV, our JSON Lines, and the
//! text tables of the embedded catalogue.

mod export;
mod json;
mod jsonl;
mod shared_names;
mod tables;
mod unread;
mod variants;

pub use export::export_csv;
pub use jsonl::{jsonl_cards, jsonl_sets};
pub use shared_names::{give_names, take_names};
pub use tables::{tables, write_tables};

use super::rows::is_language_code;
use crate::error::{Error, ErrorKind};

/// Languages of the name columns of the text tables, in their order. Cards of Latin America have
/// Spanish names of their own (`es-mx`) where they differ from those of Spain.
pub const NAME_LANGUAGES: [&str; 14] = [
    "en", "ja", "fr", "de", "es", "es-mx", "it", "pt", "ko", "zh-tw", "zh-cn", "th", "id", "ru",
];

/// What is wrong with a language code that [`is_code`] refuses.
const NO_CODE: &str = "is not a language code that is known, as en, ja, zh-tw";

/// Whether a source may state this language code: one of ours, one of a region of such a language
/// (`en-gb`), or one for private use (`x-phyrexian`).
fn is_code(code: &str) -> bool {
    let code = code.to_ascii_lowercase();
    code.starts_with("x-") || is_language_code(&code) || is_language_code(base(&code))
}

/// A language code without its region: `en` of `en-gb`.
fn base(code: &str) -> &str {
    code.split_once('-').map_or(code, |(language, _)| language)
}

/// The longest text of a cell or member, in bytes: two hundred times the longest that is known.
const MOST_TEXT: usize = 1 << 16;
/// The longest line of JSON Lines, in bytes.
const MOST_LINE: usize = 1 << 20;
/// The longest id, in bytes: three times the longest that is known.
const MOST_ID: usize = 256;
/// The longest collector number or total, in bytes.
const MOST_NUMBER: usize = 64;
/// The most printings of a card: fifty times the most that are known. Titles are compared with
/// each.
const MOST_PRINTINGS: usize = 1_000;
/// The most editions of a printing, each of which repeats the rest of it: twice those that are
/// known.
const MOST_EDITIONS: usize = 8;
/// The highest id of a marketplace's product that an index has room for: twenty times the highest
/// of today.
const MOST_MARKET_ID: u32 = crate::catalogue::format::NONE - 1;
/// The most hit points that an index has room for.
const MOST_HP: u16 = 2_559;

/// Refuses a text that cannot be an id: empty, too long, or with characters that are not seen.
///
/// # Errors
/// What is wrong with it, and what to do.
pub fn check_id(id: &str) -> Result<(), String> {
    if id.trim().is_empty() {
        return Err("is empty; every row needs it".to_owned());
    }
    if id.len() > MOST_ID {
        return Err(format!("has {} bytes; write at most {MOST_ID}", id.len()));
    }
    let unseen = |c: &char| {
        c.is_control()
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    match id.chars().find(unseen) {
        Some(c) => Err(unseen_character(c)),
        None => Ok(()),
    }
}

/// Refuses a text that is too long or has control characters, line breaks among them.
fn check_text(text: &str) -> Result<(), String> {
    if text.len() > MOST_TEXT {
        return Err(format!(
            "has {} bytes; write at most {MOST_TEXT}",
            text.len()
        ));
    }
    match text.chars().find(|c| c.is_control()) {
        Some(c) => Err(unseen_character(c)),
        None => Ok(()),
    }
}

fn unseen_character(c: char) -> String {
    format!(
        "has the character U+{:04X}, which is not seen; take it out",
        u32::from(c)
    )
}

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

/// The slug of a printing, from its label: `Reverse Holofoil [pokeball foil]` →
/// `:reverse-holofoil-pokeball-foil`.
#[must_use]
pub fn slug_of(label: &str) -> String {
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
