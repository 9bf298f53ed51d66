//! Keys of dictionary entries.

use super::{Line, tokenize_into};
use crate::normalise::{Normalised, katakana, normalise_into, unmarked};

/// The key of a dictionary entry: as titles are keyed, so that both meet.
///
/// ```
/// assert_eq!(titledex::internals::token::key_of("Mr. Mime"), "mrmime");
/// assert_eq!(titledex::internals::token::key_of("Farfetch’d"), "farfetchd");
/// assert_eq!(titledex::internals::token::key_of("かがやくリザードン"), "カガヤクリザードン");
/// ```
#[must_use]
pub fn key_of(entry: &str) -> String {
    Keys::default().key_of(entry)
}

/// As [`key_of`] for many entries, in memory that is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    normalised: Normalised,
    line: Line,
}

impl Keys {
    /// The key of a dictionary entry.
    pub(crate) fn key_of(&mut self, entry: &str) -> String {
        let mut key = String::with_capacity(entry.len());
        self.push_key(entry, &mut key);
        key
    }

    /// Adds the key of a dictionary entry to `out`.
    pub(crate) fn push_key(&mut self, entry: &str, out: &mut String) {
        let from = out.len();
        if push_ascii_key(entry, out)
            .or_else(|| push_plain_key(entry, out))
            .is_none()
        {
            out.truncate(from);
            self.push_any_key(entry, out);
        }
    }

    fn push_any_key(&mut self, entry: &str, out: &mut String) {
        normalise_into(entry, &mut self.normalised);
        tokenize_into(&self.normalised, &mut self.line);
        out.push_str(self.line.text(0, self.line.key.len()));
    }
}

/// As [`key_of`] for one entry after the other, whose key is kept for as long as it is looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct OneKey {
    keys: Keys,
    key: String,
}

impl OneKey {
    /// The key of a dictionary entry.
    pub(crate) fn key_of(&mut self, entry: &str) -> &str {
        self.key.clear();
        self.keys.push_key(entry, &mut self.key);
        &self.key
    }
}

/// What becomes of each byte of ASCII in a key: the one that is kept, [`DROPPED`], [`POINT`], or
/// [`UNCLEAR`].
const FOLDED: [u8; 256] = {
    let mut folded = [UNCLEAR; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        folded[byte as usize] = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'/' | b'#' => {
                byte.to_ascii_lowercase()
            }
            b'.' | b',' => POINT,
            b'&' | b'`' | b'\\' => UNCLEAR,
            _ => DROPPED,
        };
        byte += 1;
    }
    folded
};
/// Not a part of keys.
const DROPPED: u8 = 0;
/// Dropped too, but not behind a digit, where it may be a decimal point.
const POINT: u8 = 1;
/// It depends on what stands around it.
const UNCLEAR: u8 = 2;

/// As [`push_plain_key`], of a short entry of ASCII, as most are: a look-up for each byte. Adds
/// nothing if it is another.
fn push_ascii_key(entry: &str, out: &mut String) -> Option<()> {
    let mut key = [0; 32];
    let mut len = 0;
    let mut digit = false;
    for &byte in entry.as_bytes() {
        let folded = FOLDED[usize::from(byte)];
        match folded {
            DROPPED => {}
            POINT if !digit => {}
            POINT | UNCLEAR => return None,
            _ => {
                *key.get_mut(len)? = folded;
                len += 1;
            }
        }
        digit = folded.is_ascii_digit();
    }
    out.push_str(std::str::from_utf8(&key[..len]).ok()?);
    Some(())
}

/// Adds the key of an entry, if each of its characters is kept, folded or dropped regardless of
/// context, as in nearly all names; else `None`.
fn push_plain_key(entry: &str, out: &mut String) -> Option<()> {
    let mut digit = false;
    let mut dashes = false;
    let mut kana = false;
    let mut characters = entry.chars();
    while let Some(c) = characters.next() {
        // ASCII in full width is as the other, but that a point between such digits is not looked
        // for
        let folded = match c {
            '\u{ff08}' | '\u{ff09}' | '［' | '］' | '「' | '」' | '・' | '’' => ' ',
            'ł' => 'l',
            'À'..='ſ' => unmarked(c).to_ascii_lowercase(),
            '\u{3041}'..='\u{3096}' => katakana(c),
            _ => c.to_ascii_lowercase(),
        };
        match folded {
            'a'..='z' | '0'..='9' | '+' | '/' | '#' => out.push(folded),
            'ß' => out.push_str("ss"),
            'α'..='δ' | '☆' | '★' | '◇' | '♂' | '♀' => out.push(folded),
            // what may be a decimal point or an entity depends on its neighbours
            '.' | ',' if digit => return None,
            '&' if matches!(characters.clone().next(), Some(' ') | None) => out.push(folded),
            '&' | '`' | '\\' => return None,
            ' '..='~' => dashes |= folded == '-',
            '\u{30a1}'..='\u{30fa}' | 'ー' => {
                out.push(folded);
                kana = true;
            }
            '一' => return None,
            '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => out.push(folded),
            // Thai, but for the sign that is two
            '\u{e01}'..='\u{e32}' | '\u{e34}'..='\u{e3a}' | '\u{e40}'..='\u{e4e}' => {
                out.push(folded);
            }
            _ => return None,
        }
        digit = folded.is_ascii_digit();
    }
    // a dash between katakana is a long vowel
    if dashes && kana { None } else { Some(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The short way to a key gives the same as the long one.
        #[test]
        fn plain_keys_equal_the_general_ones(entry in "[a-zA-Z0-9 .,'’&+/#()（）［「」α-δ★◇♂♀À-ſ\\-ー一ァ-ヺぁ-ゖ火水가-힣ก-ฺเ-๎・☆~\n]{0,12}|\\PC{0,12}") {
            for push in [push_ascii_key, push_plain_key] {
                let (mut short, mut long) = (String::new(), String::new());
                if push(&entry, &mut short).is_some() {
                    Keys::default().push_any_key(&entry, &mut long);
                    prop_assert_eq!(short, long);
                }
            }
        }
    }
}
