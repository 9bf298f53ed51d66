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
pub use key::key_of;
pub(crate) use key::{Keys, OneKey};

use crate::normalise::{HIRAGANA, Normalised, UPPER, is_katakana};
use crate::span::Span;
use crate::trie::Trie;
use std::ops::Range;

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
    /// The bytes of the key at which a word may begin.
    starts: Vec<(u32, Cut)>,
    /// Some character of the key is not of ASCII.
    wide: bool,
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

/// Words of fewer bytes, and such whose last is shorter, have no plural: with an `s` they are others
/// (`Charizard Vs Lugia`).
const LEAST_PLURAL: usize = 8;
const LEAST_LAST: usize = 4;

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

    /// Whether all characters of the key are of ASCII.
    pub(crate) fn is_ascii(&self) -> bool {
        !self.wide
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
        while self.wide && to < normalised.text().len() && !normalised.text().is_char_boundary(to) {
            to += 1;
        }
        normalised.span(from, to)
    }

    /// The bytes of the key at which a word may begin, and how cleanly each is separated from the
    /// word before.
    pub(crate) fn starts(&self) -> impl Iterator<Item = (usize, Cut)> {
        self.starts.iter().map(|&(at, cut)| (at as usize, cut))
    }

    /// The keys of `trie` that begin at one of [`Line::starts`] and end on a cut, or where `ends`
    /// says so: their ends, whether both cuts are full, and the value.
    #[inline]
    pub(crate) fn keys_from(
        &self,
        trie: Trie<'_>,
        (at, left): (usize, Cut),
        ends: impl Fn(usize) -> bool,
    ) -> impl Iterator<Item = (usize, bool, u32)> {
        let keys = trie.walk(self.key().get(at..).unwrap_or(&[]));
        keys.filter_map(move |(len, value)| {
            let place = self.places.get(at + len);
            let mut cuts = place.map_or(CUT, |place| place.cuts);
            if cuts == 0 && ends(at + len) {
                cuts = CUT;
            }
            let whole = left == Cut::Full && cuts & CUT != 0;
            (cuts != 0).then_some((at + len, whole, value))
        })
    }

    /// Whether `at..end` are several words, the last of which stands in the plural.
    pub(crate) fn is_plural(&self, at: usize, end: usize) -> bool {
        if end - at < LEAST_PLURAL || self.key().get(end) != Some(&b's') {
            return false;
        }
        let last = |token: &Token| at < token.at as usize && end - token.at as usize >= LEAST_LAST;
        let ends = self.cut(end) == Cut::None && self.cut(end + 1) == Cut::Full;
        ends && self.tokens.get(self.token_at(end)).is_some_and(last)
    }

    /// The byte of the key for byte `norm` of the normalised text, or the next one after it.
    #[must_use]
    pub fn key_at(&self, norm: usize) -> usize {
        self.places
            .partition_point(|place| (place.norm as usize) < norm)
    }

    /// Where `part`, which is not empty, stands in the key.
    pub(crate) fn places_of<'l>(&'l self, part: &'l [u8]) -> impl Iterator<Item = usize> + 'l {
        // of most places the first byte decides
        let here = move |window: &[u8]| window.first() == part.first() && window == part;
        let windows = self.key().windows(part.len().max(1)).enumerate();
        windows.filter_map(move |(at, window)| here(window).then_some(at))
    }

    /// Cuts the token that byte `at` of the key is inside of: words may end and begin there.
    pub(crate) fn split(&mut self, at: usize) {
        let index = self.token_at(at);
        if self.tokens.len() >= MAX_TOKENS || self.cut(at) == Cut::Full {
            return;
        }
        let (Some(token), Some(place)) = (self.tokens.get_mut(index), self.places.get_mut(at))
        else {
            return;
        };
        place.cuts |= CUT;
        let behind = Token {
            at: at as u32,
            norm: place.norm,
            glued: true,
            ..*token
        };
        (token.end, token.norm_end) = (behind.at, behind.norm);
        self.tokens.insert(index + 1, behind);
        for place in &mut self.places[at..] {
            place.token += 1;
        }
        let start = self.starts.partition_point(|start| start.0 < behind.at);
        self.starts.insert(start, (behind.at, Cut::Full));
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
    line.starts.clear();
    line.wide = false;
    let text = normalised.text();
    let bytes = text.as_bytes();
    // what follows may belong to the last token
    let mut open = false;
    let mut glued = false;
    let mut depth = 0u8;
    let mut upper_before = false;
    let mut next = 0;
    while let Some(&byte) = bytes.get(next) {
        let at = next;
        // most of most titles: spaces, and runs of plain letters or digits, which are taken at once
        if byte == b' ' {
            (open, glued, next) = (false, false, at + 1);
            continue;
        }
        let run = match byte {
            b'a'..=b'z' => Some((Class::Latin, Run::letters(bytes, normalised.traits(), at))),
            b'0'..=b'9' => Some((Class::Digit, Run::digits(bytes, at))),
            _ => None,
        };
        if let Some((class, run)) = run {
            let camel = class == Class::Latin && run.begins_upper && !upper_before;
            let continues = open && !camel && line.tokens.last().is_some_and(|t| t.class == class);
            next = run.end;
            if !continues && !line.begin(at, class, glued, depth) {
                break;
            }
            line.push_run(text, at..next, if continues { 0 } else { CUT });
            if let Some(token) = line.tokens.last_mut() {
                token.upper &= class == Class::Digit || run.ends_upper;
            }
            upper_before = run.ends_upper || class != Class::Latin;
            (open, glued) = (true, true);
            continue;
        }
        // `at` is a character boundary: it only ever moves by whole characters
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        next = at + c.len_utf8();
        let traits = normalised.trait_at(at);
        let upper = traits & UPPER != 0;
        let before = line.tokens.last().filter(|_| open);
        let class = match class_of(c, traits, before) {
            Some(class) => class,
            // an apostrophe inside a word and a point inside a number do not cut
            None if c == '\'' && between(bytes, at, u8::is_ascii_alphabetic) => continue,
            None if matches!(c, '.' | ',') && decimal(bytes, at) => {
                line.push('.', at, 0);
                continue;
            }
            None => {
                (open, glued) = (false, false);
                match c {
                    '(' | '[' | '{' => depth = depth.saturating_add(1),
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                continue;
            }
        };
        let camel = class == Class::Latin && upper && !upper_before;
        let continues =
            class != Class::Mark && !camel && before.is_some_and(|token| token.class == class);
        if !continues && !line.begin(at, class, glued, depth) {
            break;
        }
        let apart = class.unspaced() && !begins_no_word(c);
        let cut = if continues { 0 } else { CUT } | if apart { CHAR } else { 0 };
        line.push(c, at, cut);
        upper_before = upper || class != Class::Latin;
        (open, glued) = (true, true);
    }
}

/// Whether a kana, which is folded to katakana, begins no word, so that none ends before it: `ホロ` is
/// no word of `ホロン`.
fn begins_no_word(c: char) -> bool {
    const SMALL: [char; 9] = ['ッ', 'ャ', 'ュ', 'ョ', 'ァ', 'ィ', 'ゥ', 'ェ', 'ォ'];
    c == 'ン' || SMALL.contains(&c)
}

/// A run of plain letters or digits. Of letters the first are capitals in the title, if any are.
struct Run {
    /// One past its last byte.
    end: usize,
    /// Its first letter is a capital in the title, and so are its last one and all before.
    begins_upper: bool,
    ends_upper: bool,
}

impl Run {
    /// The letters from `at` to the last small one, or to before a capital that follows one.
    #[inline]
    fn letters(bytes: &[u8], traits: &[u8], at: usize) -> Run {
        let first = traits[at] & UPPER;
        let (mut last, mut end) = (first, at + 1);
        for (byte, traits) in bytes[at + 1..].iter().zip(&traits[at + 1..]) {
            let upper = traits & UPPER;
            if !byte.is_ascii_lowercase() || upper > last {
                break;
            }
            (last, end) = (upper, end + 1);
        }
        Run {
            end,
            begins_upper: first != 0,
            ends_upper: last != 0,
        }
    }

    /// The digits from `at`.
    #[inline]
    fn digits(bytes: &[u8], at: usize) -> Run {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit());
        Run {
            end: at + digits.count(),
            begins_upper: false,
            ends_upper: false,
        }
    }
}

impl Line {
    /// Opens a token, with which a word may begin, at byte `norm` of the normalised text; `false` if
    /// there are too many.
    fn begin(&mut self, norm: usize, class: Class, glued: bool, depth: u8) -> bool {
        let room = self.tokens.len() < MAX_TOKENS - 1;
        if room {
            self.starts.push((self.key.len() as u32, Cut::Full));
            self.tokens.push(Token {
                at: self.key.len() as u32,
                end: 0,
                norm: norm as u32,
                norm_end: 0,
                class,
                glued,
                depth,
                upper: true,
            });
        }
        room
    }

    /// Adds the bytes `from` of the normalised text, of characters of ASCII, to the last token.
    #[inline(always)]
    fn push_run(&mut self, text: &str, from: Range<usize>, cuts: u8) {
        let token = self.tokens.len().saturating_sub(1) as u16;
        let (first, norms) = (self.places.len(), from.start as u32..from.end as u32);
        self.key.push_str(&text[from]);
        self.places.extend(norms.clone().map(|norm| Place {
            norm,
            token,
            cuts: 0,
        }));
        self.places[first].cuts = cuts;
        self.extend_last(norms.end);
    }

    /// Adds a character at byte `norm` of the normalised text to the last token.
    fn push(&mut self, c: char, norm: usize, cuts: u8) {
        let token = self.tokens.len().saturating_sub(1) as u16;
        if cuts == CHAR {
            self.starts.push((self.key.len() as u32, Cut::Weak));
        }
        self.key.push(c);
        self.wide |= !c.is_ascii();
        for byte in 0..c.len_utf8() {
            self.places.push(Place {
                norm: (norm + byte) as u32,
                token,
                cuts: if byte == 0 { cuts } else { 0 },
            });
        }
        self.extend_last((norm + c.len_utf8()) as u32);
    }

    /// The last token ends where the key ends, and at byte `norm` of the normalised text.
    #[inline]
    fn extend_last(&mut self, norm: u32) {
        let end = self.key.len() as u32;
        if let Some(token) = self.tokens.last_mut() {
            (token.end, token.norm_end) = (end, norm);
        }
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
    // `Blink,C17,11,NM`: cells of a table, the first of which is the code of a set; but `BGS9,5`
    let letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
    let half = behind == 1 && matches!(bytes[at + 1], b'0' | b'5');
    let cells = bytes[at] == b',' && at > before && letter(at - before - 1) && !half;
    // `9.5.` and `1.2.3` are not decimals
    let dotted = bytes.get(at + 1 + behind).is_some_and(|&b| b == b'.')
        && bytes.get(at + 2 + behind).is_some_and(u8::is_ascii_digit)
        || at > before && bytes.get(at - before - 1).is_some_and(|&b| b == b'.');
    alone && !dotted && !cells
}
