//! What makes a count, a measure or a price of bare digits: the words around them
//! (`dictionaries/common/units.csv`).

use crate::dictionary::load::rows;
use crate::error::{Error, ErrorKind};
use crate::reading::context::Context;
use crate::token::{Line, key_of};
use once_cell::sync::OnceCell;
use std::collections::BTreeMap;

const COLUMNS: [&str; 4] = ["canonical", "words", "side", "note"];

// What a word or sign beside digits says: bits.
/// Before digits, after them, or glued to their end, it makes no collector number of them.
const BEFORE: u8 = 1;
const AFTER: u8 = 2;
const GLUED: u8 = 4;
/// After digits it is a time.
const TIME: u8 = 8;
/// After digits it counts copies: `3枚`.
const COPIES: u8 = 16;
/// After a count of cards, or a collector number: `10 cards`, `#84 cards`.
const CARDS: u8 = 32;
/// Before digits it counts copies, or ends a phrase that does: `qty 3`, `lot of 3`.
const COPIES_OF: u8 = 64;

/// Rows of words for time begin so.
const TIMES: &str = "time";

/// Words and signs beside which digits number no card.
#[derive(Debug)]
pub(crate) struct Units {
    words: BTreeMap<String, u8>,
    /// For each first byte, a bit for each length of words that begin with it, so that most words of
    /// titles are ruled out at once.
    lengths: [u64; 256],
    /// The words before a count of copies.
    copies_of: Phrases,
}

static BUILTIN: OnceCell<Units> = OnceCell::new();

/// Phrases of one word or two: the last word, and the one before it.
#[derive(Debug, Default)]
pub(crate) struct Phrases(Vec<(String, String)>);

impl Phrases {
    /// Adds a phrase as a dictionary has it; returns its last word.
    pub(crate) fn add(&mut self, phrase: &str) -> String {
        let (first, last) = phrase.split_once(' ').unwrap_or(("", phrase));
        let last = fold(last);
        self.0.push((last.clone(), fold(first)));
        last
    }

    /// How many words before token `index` are a phrase.
    pub(crate) fn before(&self, line: &Line, index: usize) -> Option<usize> {
        let word = |back: usize| {
            let token = index.checked_sub(back).and_then(|at| line.tokens().get(at));
            token.map_or("", |token| line.text(token.at as usize, token.end as usize))
        };
        let (last, first) = (word(1), word(2));
        let mut phrases = self.0.iter().filter(|phrase| phrase.0 == last);
        phrases.find_map(|phrase| match phrase.1.as_str() {
            "" => Some(1),
            before => (before == first).then_some(2),
        })
    }
}

/// A word as titles have it, or a sign, which is no part of a key.
fn fold(word: &str) -> String {
    let key = key_of(word);
    if key.is_empty() { word.to_owned() } else { key }
}

impl Units {
    /// The words of this build.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`]. A test reads the file, so a released build never fails.
    pub(crate) fn builtin() -> Result<&'static Units, Error> {
        BUILTIN.get_or_try_init(|| Units::load(include_str!("../../dictionaries/common/units.csv")))
    }

    fn load(text: &str) -> Result<Units, Error> {
        let mut units = Units {
            words: BTreeMap::new(),
            lengths: [0; 256],
            copies_of: Phrases::default(),
        };
        for row in rows("units.csv", text, &COLUMNS)? {
            let time = row.cell(0).starts_with(TIMES);
            let says = match row.cell(2) {
                "before" => BEFORE,
                "after" if time => AFTER | TIME,
                "after" => AFTER,
                "glued" => GLUED,
                "copies" => COPIES,
                "cards" => CARDS,
                "copies of" => COPIES_OF,
                other => {
                    return Err(Error::new(
                        ErrorKind::Dictionary,
                        format!(
                            "dictionaries/common/units.csv:{}: `side` is `{other}`: write `before`, \
                             `after`, `glued`, `copies of`, `copies` or `cards`",
                            row.line
                        ),
                    ));
                }
            };
            for word in row.list(1) {
                let word = if says == COPIES_OF {
                    units.copies_of.add(word)
                } else {
                    fold(word)
                };
                if let Some(first) = word.bytes().next() {
                    units.lengths[usize::from(first)] |= 1 << (word.len() % 64);
                }
                *units.words.entry(word).or_default() |= says;
            }
        }
        Ok(units)
    }

    /// What a word says; 0 if the file does not have it.
    fn says(&self, word: &str) -> u8 {
        let Some(first) = word.bytes().next() else {
            return 0;
        };
        if self.lengths[usize::from(first)] >> (word.len() % 64) & 1 == 0 {
            return 0;
        }
        self.words.get(word).copied().unwrap_or(0)
    }

    /// What a sign says. Signs are no tokens: they stand in the text right beside the digits.
    fn sign_says(&self, sign: Option<char>) -> u8 {
        let sign = sign.filter(|sign| !sign.is_alphanumeric() && *sign != ' ');
        sign.map_or(0, |sign| self.says(sign.encode_utf8(&mut [0; 4])))
    }

    /// How many words before token `index` say that it counts copies: `lot of 3`. A sign counts as
    /// none.
    pub(crate) fn copies_of(&self, context: &Context<'_>, index: usize) -> Option<usize> {
        let word = index.checked_sub(1).map_or("", |last| context.word(last));
        let phrase = (self.says(word) & COPIES_OF != 0)
            .then(|| self.copies_of.before(context.line, index))
            .flatten();
        phrase.or_else(|| {
            let token = context.line.tokens().get(index)?;
            let before = &context.normalised.text()[..token.norm as usize];
            (self.sign_says(before.chars().next_back()) & COPIES_OF != 0).then_some(0)
        })
    }

    /// Whether token `index`, behind a fraction, makes a time of it: `24/48h`.
    pub(crate) fn is_time(&self, context: &Context<'_>, index: usize) -> bool {
        let Some(token) = context.line.tokens().get(index) else {
            return false;
        };
        let says = self.says(context.word(index));
        says & TIME != 0 || token.glued && says & GLUED != 0
    }

    /// Whether `word`, behind a number, says that it counts copies: `3枚`.
    pub(crate) fn are_copies(&self, word: &str) -> bool {
        self.says(word) & COPIES != 0
    }

    /// Whether `word` means several cards: `10 cards`.
    pub(crate) fn are_cards(&self, word: &str) -> bool {
        self.says(word) & CARDS != 0
    }

    /// Whether the digits of token `index` are a count, a measure or a price.
    pub(crate) fn around(&self, context: &Context<'_>, index: usize) -> bool {
        let tokens = context.line.tokens();
        let Some(token) = tokens.get(index) else {
            return false;
        };
        let text = context.normalised.text();
        let before = index.checked_sub(1).map_or("", |at| context.word(at));
        let before =
            self.says(before) | self.sign_says(text[..token.norm as usize].chars().next_back());
        let glued = tokens.get(index + 1).is_some_and(|next| next.glued);
        let after = self.says(context.word(index + 1));
        let sign = self.sign_says(text[token.norm_end as usize..].chars().next());
        before & BEFORE != 0
            || (after | sign) & (AFTER | COPIES) != 0
            || glued && after & GLUED != 0
            || before & COPIES_OF != 0 && self.copies_of(context, index).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{TIME, Units};

    #[test]
    fn file_of_this_build_loads_and_others_are_refused_with_their_line() {
        assert!(Units::builtin().is_ok_and(|units| units.says("hr") & TIME != 0));
        let error = Units::load("canonical,words,side,note\na,A,beneath,\n");
        let error = error.expect_err("there is no such side").to_string();
        assert!(error.contains("common/units.csv:2"), "{error}");
    }
}
