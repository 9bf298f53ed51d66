//! Title → [`Normalised`]: one spelling for what is written in many, with the way back to the bytes
//! of the title.
//!
//! Folded: compatibility forms (full width, half-width kana, ligatures, mathematical letters),
//! case, diacritics on Latin letters, dashes, apostrophes, slashes, spaces, HTML entities; flags are
//! their letters (`JP`). Dropped: zero-width and bidirectional marks, other emoji, trade marks. Kept:
//! `☆ ★ ◇ δ ♀ ♂ ½ †`, which are parts of names, numbers and grades.

mod decompose;
mod lower;

use crate::span::Span;
use decompose::{Decompositions, compose};
use lower::lower;

/// A title in folded form, with the place in the title that each byte came from.
#[derive(Debug, Default, Clone)]
pub struct Normalised {
    text: String,
    /// Every byte is where it was in the title, and `origins` is empty.
    plain: bool,
    /// For each byte of `text`: the character of the title that it came from, with marks that were
    /// folded into it.
    origins: Vec<Span>,
    /// For each byte of `text`: what is lost by folding.
    traits: Vec<u8>,
    /// Places of dashes that are long vowels; kept for its memory only.
    dashes: Vec<(usize, char)>,
}

/// The character was a capital letter in the title.
pub(crate) const UPPER: u8 = 1;
/// The character was hiragana in the title (folded to katakana).
pub(crate) const HIRAGANA: u8 = 2;

impl Normalised {
    /// The folded text: lower case, single forms; spaces are as in the title but of one kind.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the title that `start..end` of the folded text came from.
    ///
    /// An empty range maps to an empty span.
    #[must_use]
    pub fn span(&self, start: usize, end: usize) -> Span {
        if start >= end || end > self.text.len() {
            return Span::new(0, 0);
        }
        if self.plain {
            return Span::new(start as u32, end as u32);
        }
        match (self.origins.get(start), self.origins.get(end - 1)) {
            (Some(first), Some(last)) => Span::new(first.start, last.end.max(first.start)),
            _ => Span::new(0, 0),
        }
    }

    pub(crate) fn trait_at(&self, at: usize) -> u8 {
        self.traits.get(at).copied().unwrap_or(0)
    }

    /// For each byte of the folded text, what is lost by folding.
    pub(crate) fn traits(&self) -> &[u8] {
        &self.traits
    }

    fn clear(&mut self) {
        self.text.clear();
        self.plain = false;
        self.origins.clear();
        self.traits.clear();
    }

    fn push(&mut self, c: char, start: u32, end: u32, traits: u8) {
        self.text.push(c);
        let len = self.text.len();
        self.origins.resize(len, Span { start, end });
        self.traits.resize(len, traits);
    }

    /// Adds the bytes `from..to` of the title, which are plain.
    fn push_plain(&mut self, title: &str, from: usize, to: usize) {
        let at = self.text.len();
        self.text.push_str(&title[from..to]);
        self.text[at..].make_ascii_lowercase();
        let places = from as u32..to as u32;
        self.origins
            .extend(places.map(|start| Span::new(start, start + 1)));
        let bytes = &title.as_bytes()[from..to];
        self.traits.extend(bytes.iter().map(upper_of));
    }

    /// Extends the last character's origin to the title's byte `end` (over a mark that was
    /// dropped).
    fn extend_last(&mut self, end: u32) {
        if let Some(c) = self.text.chars().next_back() {
            let from = self.text.len() - c.len_utf8();
            for origin in &mut self.origins[from..] {
                origin.end = end;
            }
        }
    }

    /// Tries to write `mark` into the last character (kana voicing, hangul syllables).
    fn compose_last(&mut self, mark: char, end: u32) -> bool {
        let Some(last) = self.text.chars().next_back() else {
            return false;
        };
        let Some(joined) = compose(last, mark) else {
            return false;
        };
        let at = self.text.len() - last.len_utf8();
        let (start, traits) = (self.origins[at].start, self.traits[at]);
        self.text.truncate(at);
        self.origins.truncate(at);
        self.traits.truncate(at);
        self.push(joined, start, end, traits);
        true
    }
}

/// Folds `title`.
///
/// ```
/// let folded = titledex::internals::normalise::normalise("ＰＳＡ１０ Pokémon");
/// assert_eq!(folded.text(), "psa10 pokemon");
/// let span = folded.span(6, 13);
/// assert_eq!(span.text("ＰＳＡ１０ Pokémon"), "Pokémon");
/// ```
#[must_use]
pub fn normalise(title: &str) -> Normalised {
    let mut out = Normalised::default();
    normalise_into(title, &mut out);
    out
}

/// As [`normalise`], into memory that is used again.
pub fn normalise_into(title: &str, out: &mut Normalised) {
    out.clear();
    let bytes = title.as_bytes();
    if bytes.iter().fold(true, |all, &byte| all & is_plain(byte)) {
        out.plain = true;
        out.text.push_str(title);
        out.text.make_ascii_lowercase();
        out.traits.extend(bytes.iter().map(upper_of));
        return;
    }
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if is_plain(byte) {
            let run = bytes[at..]
                .iter()
                .take_while(|byte| is_plain(**byte))
                .count();
            out.push_plain(title, at, at + run);
            at += run;
        } else if byte.is_ascii() {
            let start = at as u32;
            if byte == b'&'
                && let Some((c, len)) = html_entity(&bytes[at..])
            {
                fold_char(c, start, start + len as u32, out);
                at += len;
                continue;
            }
            if byte == b'%'
                && let Some(c) = escaped(bytes, at)
            {
                out.push(c, start, start + 3, 0);
                at += 3;
                continue;
            }
            // JSON's `\/`
            if byte == b'\\' && bytes.get(at + 1) == Some(&b'/') {
                out.push('/', start, start + 2, 0);
                at += 2;
                continue;
            }
            at += 1;
            match byte {
                b'`' => out.push('\'', start, start + 1, 0),
                b'\\' => out.push('/', start, start + 1, 0),
                0..=31 | 127 => out.push(' ', start, start + 1, 0),
                _ => out.push(byte as char, start, start + 1, 0),
            }
        } else {
            // `at` is a character boundary: it only ever moves by whole characters.
            let Some(c) = title[at..].chars().next() else {
                break;
            };
            let start = at as u32;
            at += c.len_utf8();
            fold_char(c, start, at as u32, out);
        }
    }
    long_vowels(out);
}

/// Whether folding changes a byte at most from a capital to a small letter, in any context.
fn is_plain(byte: u8) -> bool {
    (b' '..=b'~').contains(&byte) && !matches!(byte, b'&' | b'`' | b'\\' | b'%')
}

/// What is lost by folding a plain byte.
fn upper_of(byte: &u8) -> u8 {
    if byte.is_ascii_uppercase() { UPPER } else { 0 }
}

/// One character of the title: what must not be decomposed, else the pieces of its decomposition.
fn fold_char(c: char, start: u32, end: u32, out: &mut Normalised) {
    match c {
        // zero width, bidirectional marks, variation selectors, soft hyphen
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{e0000}'..='\u{e007f}' => out.extend_last(end),
        '™' | '®' | '©' => out.push(' ', start, end, 0),
        '½' => out.push(c, start, end, 0),
        // the letters of a flag
        '\u{1f1e6}'..='\u{1f1ff}' => {
            let letter = u8::try_from(c as u32 - 0x1f1e6).map_or(' ', |at| char::from(b'a' + at));
            out.push(letter, start, end, UPPER);
        }
        '´' => out.push('\'', start, end, 0),
        '🔟' => {
            out.push('1', start, end, 0);
            out.push('0', start, end, 0);
        }
        // a price is one in any currency
        '£' | '€' | '¥' | '₩' | '￥' | '￡' | '₱' | '₹' | '฿' | '₫' | '₺' | '₽' => {
            out.push('$', start, end, 0)
        }
        // what decomposes into nothing else, or into what is put together again: most of Japanese,
        // Chinese and Korean
        '\u{30a1}'..='\u{30fa}' | 'ー' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => {
            out.push(c, start, end, 0)
        }
        '\u{3041}'..='\u{3096}' => out.push(katakana(c), start, end, HIRAGANA),
        // ASCII in full width
        '\u{ff01}'..='\u{ff5e}' => fold_piece(
            char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
            start,
            end,
            out,
        ),
        _ => match Decompositions::builtin().of(c) {
            [] => fold_piece(c, start, end, out),
            pieces => {
                for &piece in pieces {
                    fold_piece(piece, start, end, out);
                }
            }
        },
    }
}

/// One character of a compatibility decomposition.
fn fold_piece(c: char, start: u32, end: u32, out: &mut Normalised) {
    let one = match c {
        '’' | '‘' | 'ʼ' | '′' | '‛' | '`' => '\'',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
        '⁄' | '∕' | '⧸' | '╱' | '\\' => '/',
        '、' => ',',
        '〜' => '~',
        '【' | '〔' | '〖' | '《' | '〈' | '「' | '『' | '≪' | '«' => '[',
        '】' | '〕' | '〗' | '》' | '〉' | '」' | '』' | '≫' | '»' => ']',
        '×' | '✕' | '✖' => 'x',
        'ł' | 'Ł' => 'l',
        'ø' | 'Ø' => 'o',
        'Δ' | 'δ' | '∂' => 'δ',
        '☆' | '★' | '◇' | '♀' | '♂' | '½' | '†' => c,
        // marks on letters; Thai and other scripts keep theirs
        '\u{300}'..='\u{36f}'
        | '\u{483}'..='\u{489}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20f0}' => {
            return out.extend_last(end);
        }
        '\u{3099}' | '\u{309a}' | '\u{1161}'..='\u{11ff}' => {
            if !out.compose_last(c, end) {
                out.extend_last(end);
            }
            return;
        }
        // hiragana is read as katakana
        'ぁ'..='ゖ' | 'ゝ' | 'ゞ' => {
            return out.push(katakana(c), start, end, HIRAGANA);
        }
        'ß' | 'ẞ' | 'œ' | 'Œ' => {
            let upper = if c.is_uppercase() { UPPER } else { 0 };
            for letter in if matches!(c, 'ß' | 'ẞ') {
                ['s', 's']
            } else {
                ['o', 'e']
            } {
                out.push(letter, start, end, upper);
            }
            return;
        }
        // Thai, whose vowel and tone signs are letters of their words; the standard library looks for
        // such letters one after another
        '\u{e01}'..='\u{e4e}' => return out.push(c, start, end, 0),
        _ if c.is_whitespace() || c.is_control() => ' ',
        _ if c.is_alphanumeric() => {
            let upper = if c.is_uppercase() { UPPER } else { 0 };
            return out.push(lower(c), start, end, upper);
        }
        _ if c.is_ascii() => c,
        // emoji, dingbats and all other signs separate words and say nothing
        _ => ' ',
    };
    out.push(one, start, end, if c.is_uppercase() { UPPER } else { 0 });
}

/// A letter without its mark, or a character as it is.
pub(crate) fn unmarked(c: char) -> char {
    match Decompositions::builtin().of(c) {
        [letter] => *letter,
        _ => c,
    }
}

/// The katakana of a hiragana.
pub(crate) fn katakana(c: char) -> char {
    char::from_u32(c as u32 + 0x60).unwrap_or(c)
}

/// A dash or the kanji for one between katakana, or behind the last of a word, is the long vowel
/// that the seller had no key for.
fn long_vowels(out: &mut Normalised) {
    if out.text.is_ascii() || !out.text.contains(['-', '一']) {
        return;
    }
    let mut dashes = std::mem::take(&mut out.dashes);
    dashes.clear();
    let mut last = ['\0'; 2];
    let mut at = 0;
    // a space ends the last word
    for c in out.text.chars().chain([' ']) {
        let [before, dash] = last;
        // no long vowel follows `ン` or `ッ`: `リザードン- 旧裏`
        let ends = !matches!(before, 'ン' | 'ッ' | 'ー')
            && (!c.is_alphanumeric() || dash == '一' && c.is_ascii());
        if matches!(dash, '-' | '一') && is_katakana(before) && (is_katakana(c) || ends) {
            dashes.push((at - dash.len_utf8(), dash));
        }
        last = [dash, c];
        at += c.len_utf8();
    }
    for &(at, dash) in dashes.iter().rev() {
        let (origin, len, new) = (out.origins[at], dash.len_utf8(), 'ー'.len_utf8());
        out.text.replace_range(at..at + len, "ー");
        out.origins
            .splice(at..at + len, std::iter::repeat_n(origin, new));
        out.traits.splice(at..at + len, std::iter::repeat_n(0, new));
    }
    out.dashes = dashes;
}

/// Katakana with its long vowel mark.
pub(crate) fn is_katakana(c: char) -> bool {
    matches!(c, 'ァ'..='ヺ' | 'ー' | 'ヽ' | 'ヾ')
}

/// The character that a link or an export writes as three at byte `at`: `4%2F102`, and in a title
/// without spaces `Base%20Set`.
fn escaped(bytes: &[u8], at: usize) -> Option<char> {
    let digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    match bytes.get(at + 1..at + 3)? {
        b"2F" | b"2f" if digit(at.checked_sub(1)) && digit(Some(at + 3)) => Some('/'),
        b"20" if !bytes.contains(&b' ') => Some(' '),
        b"23" if !bytes.contains(&b' ') => Some('#'),
        b"26" if !bytes.contains(&b' ') => Some('&'),
        b"28" if !bytes.contains(&b' ') => Some('('),
        b"29" if !bytes.contains(&b' ') => Some(')'),
        _ => None,
    }
}

/// The character of an HTML entity at the start of `bytes`, and the entity's length.
fn html_entity(bytes: &[u8]) -> Option<(char, usize)> {
    const NAMED: [(&[u8], char); 16] = [
        (b"amp", '&'),
        (b"lt", '<'),
        (b"gt", '>'),
        (b"quot", '"'),
        (b"apos", '\''),
        (b"nbsp", ' '),
        (b"rsquo", '\''),
        (b"lsquo", '\''),
        (b"ndash", '-'),
        (b"mdash", '-'),
        (b"eacute", 'e'),
        (b"Eacute", 'E'),
        (b"egrave", 'e'),
        (b"agrave", 'a'),
        (b"ecirc", 'e'),
        (b"hellip", ' '),
    ];
    let semicolon = bytes.iter().take(10).position(|&b| b == b';')?;
    let body = bytes.get(1..semicolon)?;
    if let Some(digits) = body.strip_prefix(b"#") {
        let (text, radix) = match digits
            .strip_prefix(b"x")
            .or_else(|| digits.strip_prefix(b"X"))
        {
            Some(hex) => (hex, 16),
            None => (digits, 10),
        };
        let code = u32::from_str_radix(std::str::from_utf8(text).ok()?, radix).ok()?;
        return Some((char::from_u32(code)?, semicolon + 1));
    }
    NAMED
        .iter()
        .find(|(name, _)| *name == body)
        .map(|&(_, c)| (c, semicolon + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(title: &str) -> String {
        normalise(title).text().to_owned()
    }

    /// So that the short way for them is that of any letter without capitals.
    #[test]
    fn thai_consonants_are_letters_without_case() {
        for c in '\u{e01}'..='\u{e30}' {
            assert!(
                c.is_alphanumeric() && !c.is_uppercase() && c.to_lowercase().eq([c]),
                "{c:?}"
            );
        }
    }

    #[test]
    fn variants_fold_to_one_spelling() {
        for (title, want) in [
            ("Pokémon", "pokemon"),
            ("Poke\u{301}mon", "pokemon"),
            ("ＰＳＡ１０", "psa10"),
            ("Farfetch’d", "farfetch'd"),
            ("4／102 ＃4 №025", "4/102 #4 no025"),
            ("2003–2004", "2003-2004"),
            ("ﾎﾟｹﾓﾝ ｶｰﾄﾞ", "ポケモン カード"),
            ("かがやく", "カガヤク"),
            ("リザ-ドン リザ一ドン", "リザードン リザードン"),
            ("Tom &amp; Jerry&#39;s &#x41;", "tom & jerry's a"),
            ("𝗣𝗦𝗔 𝟭𝟬", "psa 10"),
            ("a\u{200b}b\u{202e}c", "abc"),
            ("Nidoran♀ ☆ ◇ δ 8½", "nidoran♀ ☆ ◇ δ 8½"),
            ("피카츄", "피카츄"),
            ("&notanentity; & x", "&notanentity; & x"),
            ("Mew%20%234%2F102", "mew #4/102"),
            ("4%2f102 at 10%20 off", "4/102 at 10%20 off"),
            (r"94\/106", "94/106"),
            ("\0\u{7}x", "  x"),
        ] {
            assert_eq!(folded(title), want, "{title:?}");
        }
    }

    #[test]
    fn every_byte_maps_to_the_title() {
        for title in [
            "ＰＳＡ１０ リザ一ドン",
            "e\u{301}\u{301}x",
            "ﾎﾟｹ&amp;ß½",
            "각 각",
        ] {
            let folded = normalise(title);
            let len = folded.text().len();
            for (at, c) in folded.text().char_indices() {
                let span = folded.span(at, at + c.len_utf8());
                assert!(
                    title.get(span.start as usize..span.end as usize).is_some(),
                    "{title:?} {at} {span:?}"
                );
            }
            assert!(folded.span(0, len).end as usize <= title.len());
        }
    }
}
