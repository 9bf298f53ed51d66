//! [`Normalised`] → [`Line`]: the tokens of a title, and the title as one *key* in which names are
//! looked up.
//!
//! Word boundaries in titles are unreliable: `PSA10鑑定`, `リザードンex`, `Darkcharizard`, `Mr.Mime`,
//! `Ho-Oh`, `1stEd`, `4/102Holo`. So a title is cut at every possible boundary (spaces, marks, a
//! change of script or class, `aB`), and every dictionary is searched in the *key*: the title
//! without spaces and punctuation. A match begins and ends on a cut, but may run over cuts inside:
//! `Mr. Mime`, `Mr.Mime` and `MrMime` are one key, and stay one reading.

mod class;
mod key;
#[cfg(test)]
mod tests;

pub use class::Class;
pub(crate) use key::Keys;
pub use key::key_of;

use crate::normalise::{HIRAGANA, Normalised, UPPER, is_katakana};
use crate::span::Span;
use crate::trie::Trie;

/// A run of one class, without a cut inside.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// First byte in the key.
    pub at: u32,
    /// One past the last byte in the key.
    pub end: u32,
    /// First byte in the normalised text.
    pub norm: u32,
    /// One past the last byte in the normalised text.
    pub norm_end: u32,
    /// Class of its characters.
    pub class: Class,
    /// No space or punctuation before it: it is glued to the token before.
    pub glued: bool,
    /// Number of open brackets around it.
    pub depth: u8,
    /// All its letters are capitals in the title.
    pub upper: bool,
}

/// The tokens of a title and its key, with the ways back to text and title.
#[derive(Debug, Default, Clone)]
pub struct Line {
    tokens: Vec<Token>,
    key: String,
    /// For each byte of the key.
    places: Vec<Place>,
}

/// The place of a byte of the key in the title.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Its place in the normalised text.
    norm: u32,
    /// The token it is in.
    token: u16,
    /// [`CUT`] and [`CHAR`] bits.
    cuts: u8,
}

/// A token begins here.
const CUT: u8 = 1;
/// A character of an unspaced script begins here.
const CHAR: u8 = 2;

/// Titles have far fewer tokens; what is longer is refused before it comes here
/// ([`crate::options::MAX_TITLE_BYTES`]).
const MAX_TOKENS: usize = u16::MAX as usize;

/// How cleanly a place in the key separates words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cut {
    /// Inside a word.
    None,
    /// Between two characters of one run of an unspaced script.
    Weak,
    /// Between two tokens, or at either end.
    Full,
}

impl Line {
    /// The tokens, in order.
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The title without spaces and punctuation, in which all dictionaries are searched.
    #[must_use]
    pub fn key(&self) -> &[u8] {
        self.key.as_bytes()
    }

    /// How cleanly words are separated at byte `at` of the key.
    #[must_use]
    pub fn cut(&self, at: usize) -> Cut {
        match self.places.get(at).map(|place| place.cuts) {
            None => Cut::Full,
            Some(bits) if bits & CUT != 0 => Cut::Full,
            Some(bits) if bits & CHAR != 0 => Cut::Weak,
            Some(_) => Cut::None,
        }
    }

    /// Index of the token that byte `at` of the key is in; the number of tokens for the end.
    #[must_use]
    pub fn token_at(&self, at: usize) -> usize {
        self.places
            .get(at)
            .map_or(self.tokens.len(), |place| usize::from(place.token))
    }

    /// The text of the bytes `at..end` of the key.
    #[must_use]
    pub fn text(&self, at: usize, end: usize) -> &str {
        self.key.get(at..end).unwrap_or("")
    }

    /// The bytes of the normalised text for `at..end` of the key.
    #[must_use]
    pub fn norm_range(&self, at: usize, end: usize) -> (usize, usize) {
        let Some(from) = self.places.get(at).map(|place| place.norm) else {
            return (0, 0);
        };
        let to = end
            .checked_sub(1)
            .and_then(|last| self.places.get(last))
            .map_or(from, |place| place.norm + 1);
        (from as usize, to.max(from) as usize)
    }

    /// The bytes of the title for `at..end` of the key.
    #[must_use]
    pub fn span(&self, normalised: &Normalised, at: usize, end: usize) -> Span {
        let (from, mut to) = self.norm_range(at, end);
        // the key holds every byte of a character: the end is rounded up to one by its first byte
        while to < normalised.text().len() && !normalised.text().is_char_boundary(to) {
            to += 1;
        }
        normalised.span(from, to)
    }

    /// The bytes of the key at which a word may begin, and how cleanly each is separated from the
    /// word before.
    pub(crate) fn starts(&self) -> impl Iterator<Item = (usize, Cut)> {
        let cut = |cuts: u8| {
            if cuts & CUT != 0 {
                Cut::Full
            } else {
                Cut::Weak
            }
        };
        self.places
            .iter()
            .enumerate()
            .filter(|(_, place)| place.cuts != 0)
            .map(move |(at, place)| (at, cut(place.cuts)))
    }

    /// Finds the keys of `trie` that begin at one of [`Line::starts`] and end on a cut. Passes on
    /// their ends, whether both cuts are full, and the value.
    #[inline]
    pub(crate) fn keys_from(
        &self,
        trie: Trie<'_>,
        (at, left): (usize, Cut),
        mut found: impl FnMut(usize, bool, u32),
    ) {
        trie.walk(self.key().get(at..).unwrap_or(&[]), |len, value| {
            let right = self.cut(at + len);
            if right != Cut::None {
                found(at + len, left == Cut::Full && right == Cut::Full, value);
            }
        });
    }

    /// The byte of the key for byte `norm` of the normalised text, or the next one after it.
    #[must_use]
    pub fn key_at(&self, norm: usize) -> usize {
        self.places
            .partition_point(|place| (place.norm as usize) < norm)
    }

    /// Whether the letters of `at..end` are capitals in the title (true if there is no letter).
    #[must_use]
    pub fn is_upper(&self, normalised: &Normalised, at: usize, end: usize) -> bool {
        let end = end.min(self.key.len());
        let bytes = self
            .key
            .as_bytes()
            .get(at..end)
            .unwrap_or(&[])
            .iter()
            .zip(&self.places[at.min(end)..end]);
        bytes.fold(true, |all, (byte, place)| {
            all && (!byte.is_ascii_alphabetic()
                || normalised.trait_at(place.norm as usize) & UPPER != 0)
        })
    }
}

/// Cuts `normalised` into tokens.
///
/// ```
/// use titledex::internals::{normalise::normalise, token::tokenize};
/// let line = tokenize(&normalise("PSA10鑑定 Mr. Mime 4/102Holo"));
/// let words: Vec<_> = line.tokens().iter().map(|t| line.text(t.at as usize, t.end as usize)).collect();
/// assert_eq!(words, ["psa", "10", "鑑定", "mr", "mime", "4", "/", "102", "holo"]);
/// ```
#[must_use]
pub fn tokenize(normalised: &Normalised) -> Line {
    let mut line = Line::default();
    tokenize_into(normalised, &mut line);
    line
}

/// As [`tokenize`], into memory that is used again.
pub fn tokenize_into(normalised: &Normalised, line: &mut Line) {
    line.tokens.clear();
    line.key.clear();
    line.places.clear();
    let text = normalised.text();
    let bytes = text.as_bytes();
    let mut open: Option<Token> = None;
    let mut glued = false;
    let mut depth = 0u8;
    let mut upper_before = false;
    let mut next = 0;
    while let Some(&byte) = bytes.get(next) {
        let at = next;
        // runs of plain letters or digits, most of most titles, are taken at once
        if byte.is_ascii_lowercase() || byte.is_ascii_digit() {
            let class = if byte.is_ascii_digit() {
                Class::Digit
            } else {
                Class::Latin
            };
            let upper = normalised.trait_at(at) & UPPER != 0;
            let camel = class == Class::Latin && upper && !upper_before;
            let mut run = Run {
                end: at + 1,
                upper,
                all_upper: upper,
            };
            match class {
                Class::Digit => {
                    run.end += bytes[at + 1..]
                        .iter()
                        .take_while(|byte| byte.is_ascii_digit())
                        .count()
                }
                _ => run.letters(bytes, normalised),
            }
            next = run.end;
            let continues = open.as_ref().is_some_and(|t| t.class == class && !camel);
            if !continues
                && !begin(
                    line,
                    &mut open,
                    Token {
                        glued,
                        ..Token::at(line.key.len(), at, class, depth)
                    },
                )
            {
                break;
            }
            let token = line.tokens.len() as u16;
            let first = line.places.len();
            line.key.push_str(&text[at..next]);
            line.places
                .extend((at as u32..next as u32).map(|norm| Place {
                    norm,
                    token,
                    cuts: 0,
                }));
            if !continues {
                line.places[first].cuts = CUT;
            }
            if let Some(token) = &mut open {
                (token.end, token.norm_end) = (line.key.len() as u32, next as u32);
                token.upper &= class == Class::Digit || run.all_upper;
            }
            upper_before = run.upper || class != Class::Latin;
            glued = true;
            continue;
        }
        // `at` is a character boundary: it only ever moves by whole characters
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        next = at + c.len_utf8();
        let traits = normalised.trait_at(at);
        let upper = traits & UPPER != 0;
        let class = match class_of(c, traits, open.as_ref()) {
            Some(class) => class,
            // an apostrophe inside a word and a point inside a number do not cut
            None if c == '\'' && between(bytes, at, u8::is_ascii_alphabetic) => continue,
            None if matches!(c, '.' | ',') && decimal(bytes, at) => {
                push(line, '.', at, 0);
                if let Some(token) = &mut open {
                    token.end = line.key.len() as u32;
                    token.norm_end = at as u32 + 1;
                }
                continue;
            }
            None => {
                close(line, &mut open);
                glued = false;
                match c {
                    '(' | '[' | '{' => depth = depth.saturating_add(1),
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                continue;
            }
        };
        let camel = class == Class::Latin && upper && !upper_before;
        let continues = open
            .as_ref()
            .is_some_and(|t| t.class == class && class != Class::Mark && !camel);
        if !continues
            && !begin(
                line,
                &mut open,
                Token {
                    glued,
                    ..Token::at(line.key.len(), at, class, depth)
                },
            )
        {
            break;
        }
        let cut = if !continues { CUT } else { 0 } | if class.unspaced() { CHAR } else { 0 };
        push(line, c, at, cut);
        if let Some(token) = &mut open {
            (token.end, token.norm_end) = (line.key.len() as u32, next as u32);
        }
        upper_before = upper || class != Class::Latin;
        glued = true;
    }
    close(line, &mut open);
}

/// A run of plain letters.
struct Run {
    /// One past its last byte.
    end: usize,
    /// Its last letter is a capital in the title.
    upper: bool,
    /// All its letters are.
    all_upper: bool,
}

impl Run {
    /// Advances to the last small letter, or to before a capital that follows one.
    fn letters(&mut self, bytes: &[u8], normalised: &Normalised) {
        while bytes.get(self.end).is_some_and(u8::is_ascii_lowercase) {
            let upper = normalised.trait_at(self.end) & UPPER != 0;
            if upper && !self.upper {
                break;
            }
            self.upper = upper;
            self.all_upper &= upper;
            self.end += 1;
        }
    }
}

impl Token {
    /// A token that begins at these bytes of key and normalised text.
    fn at(at: usize, norm: usize, class: Class, depth: u8) -> Token {
        Token {
            at: at as u32,
            end: 0,
            norm: norm as u32,
            norm_end: 0,
            class,
            glued: false,
            depth,
            upper: true,
        }
    }
}

/// Closes the open token and opens another; `false` if there are too many.
fn begin(line: &mut Line, open: &mut Option<Token>, token: Token) -> bool {
    close(line, open);
    let room = line.tokens.len() < MAX_TOKENS - 1;
    if room {
        *open = Some(token);
    }
    room
}

/// Adds a character at byte `norm` of the normalised text to the key.
fn push(line: &mut Line, c: char, norm: usize, cuts: u8) {
    let token = line.tokens.len() as u16;
    line.key.push(c);
    line.places.push(Place {
        norm: norm as u32,
        token,
        cuts,
    });
    for byte in 1..c.len_utf8() {
        line.places.push(Place {
            norm: (norm + byte) as u32,
            token,
            cuts: 0,
        });
    }
}

fn close(line: &mut Line, open: &mut Option<Token>) {
    if let Some(token) = open.take() {
        line.tokens.push(token);
    }
}

fn class_of(c: char, traits: u8, open: Option<&Token>) -> Option<Class> {
    Some(match c {
        'a'..='z' => Class::Latin,
        '0'..='9' => Class::Digit,
        '&' | '+' | '/' | '#' | '☆' | '★' | '◇' | '♀' | '♂' | '½' | '†' => Class::Mark,
        'ー' => match open {
            Some(t) if matches!(t.class, Class::Hiragana | Class::Katakana) => t.class,
            _ => Class::Katakana,
        },
        _ if c.is_ascii() => return None,
        _ if is_katakana(c) && traits & HIRAGANA != 0 => Class::Hiragana,
        _ if is_katakana(c) => Class::Katakana,
        '\u{3400}'..='\u{9fff}' | '々' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => {
            Class::Han
        }
        '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' => Class::Hangul,
        '\u{e00}'..='\u{e7f}' => Class::Other,
        'δ' => Class::Latin,
        _ if c.is_alphabetic() && (c as u32) < 0x250 => Class::Latin,
        _ if c.is_alphanumeric() => Class::Other,
        _ => return None,
    })
}

fn between(bytes: &[u8], at: usize, is: fn(&u8) -> bool) -> bool {
    at.checked_sub(1).and_then(|i| bytes.get(i)).is_some_and(is)
        && bytes.get(at + 1).is_some_and(is)
}

/// Whether the point or comma at `at` is a decimal one: digits around it, one or two after it, and
/// no thousands.
fn decimal(bytes: &[u8], at: usize) -> bool {
    if !between(bytes, at, u8::is_ascii_digit) {
        return false;
    }
    let behind = bytes[at + 1..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    let before = bytes[..at]
        .iter()
        .rev()
        .take_while(|b| b.is_ascii_digit())
        .count();
    let alone = before <= 2 && behind <= 2;
    // `9.5.` and `1.2.3` are not decimals
    let dotted = bytes.get(at + 1 + behind).is_some_and(|&b| b == b'.')
        && bytes.get(at + 2 + behind).is_some_and(u8::is_ascii_digit)
        || at > before && bytes.get(at - before - 1).is_some_and(|&b| b == b'.');
    alone && !dotted
}
