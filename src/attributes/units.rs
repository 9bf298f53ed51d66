//! What makes a count, a measure or a price of bare digits: the words around them
//! (`dictionaries/common/units.csv`).

use crate::dictionary::load::rows;
use crate::error::{Error, ErrorKind};
use crate::reading::context::Context;
use crate::token::{Line, key_of};
use once_cell::sync::OnceCell;
use std::collections::BTreeSet;

const COLUMNS: [&str; 4] = ["canonical", "words", "side", "note"];

/// Words and signs beside which digits number no card.
#[derive(Debug, Default)]
pub(crate) struct Units {
    before: BTreeSet<String>,
    after: BTreeSet<String>,
    /// Only if they are glued to the digits: `24h`.
    glued: BTreeSet<String>,
    /// Words for time after digits.
    times: BTreeSet<String>,
    /// Before a count of copies: `lot of 3`.
    copies_of: Phrases,
    /// After a count of copies: `3枚`.
    copies: BTreeSet<String>,
    /// After a count of cards, or a collector number: `10 cards`, `#84 cards`.
    cards: BTreeSet<String>,
}

/// Rows of words for time begin so.
const TIME: &str = "time";

static BUILTIN: OnceCell<Units> = OnceCell::new();

/// Phrases of one word or two: the last word, and the one before it.
#[derive(Debug, Default)]
pub(crate) struct Phrases(Vec<(String, String)>);

impl Phrases {
    /// Adds a phrase as a dictionary has it.
    pub(crate) fn add(&mut self, phrase: &str) {
        let (first, last) = phrase.split_once(' ').unwrap_or(("", phrase));
        self.0.push((fold(last), fold(first)));
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

    /// Whether a sign is one of them.
    fn has(&self, sign: char) -> bool {
        let mut room = [0; 4];
        let sign: &str = sign.encode_utf8(&mut room);
        self.0.iter().any(|phrase| phrase.0 == sign)
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
        let mut units = Units::default();
        for row in rows("units.csv", text, &COLUMNS)? {
            let side = match row.cell(2) {
                "before" => &mut units.before,
                "after" => &mut units.after,
                "glued" => &mut units.glued,
                "copies" => &mut units.copies,
                "cards" => &mut units.cards,
                "copies of" => {
                    row.list(1).for_each(|phrase| units.copies_of.add(phrase));
                    continue;
                }
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
            side.extend(row.list(1).map(fold));
            if row.cell(0).starts_with(TIME) && row.cell(2) == "after" {
                units.times.extend(row.list(1).map(fold));
            }
        }
        Ok(units)
    }

    /// How many words before token `index` say that it counts copies: `lot of 3`. A sign counts as
    /// none.
    pub(crate) fn copies_of(&self, context: &Context<'_>, index: usize) -> Option<usize> {
        let before = self.copies_of.before(context.line, index);
        before.or_else(|| {
            let token = context.line.tokens().get(index)?;
            let text = &context.normalised.text()[..token.norm as usize];
            let sign = text.chars().next_back()?;
            (!sign.is_alphanumeric() && self.copies_of.has(sign)).then_some(0)
        })
    }

    /// Whether token `index`, behind a fraction, makes a time of it: `24/48h`.
    pub(crate) fn is_time(&self, context: &Context<'_>, index: usize) -> bool {
        let word = context.word(index);
        let glued = context
            .line
            .tokens()
            .get(index)
            .is_some_and(|token| token.glued);
        self.times.contains(word) || glued && self.glued.contains(word)
    }

    /// Whether `word`, behind a number, says that it counts copies: `3枚`.
    pub(crate) fn are_copies(&self, word: &str) -> bool {
        self.copies.contains(word)
    }

    /// Whether `word` means several cards: `10 cards`.
    pub(crate) fn are_cards(&self, word: &str) -> bool {
        self.cards.contains(word)
    }

    /// Whether the digits of token `index` are a count, a measure or a price.
    pub(crate) fn around(&self, context: &Context<'_>, index: usize) -> bool {
        let tokens = context.line.tokens();
        let Some(token) = tokens.get(index) else {
            return false;
        };
        let text = context.normalised.text();
        // signs are no tokens: they stand in the text right beside the digits
        let sign = |at: Option<char>, side: &BTreeSet<String>| {
            at.filter(|c| !c.is_alphanumeric() && *c != ' ')
                .is_some_and(|c| side.contains(c.encode_utf8(&mut [0; 4]) as &str))
        };
        let next = context.word(index + 1);
        let before = index
            .checked_sub(1)
            .map_or("", |before| context.word(before));
        let glued = tokens.get(index + 1).is_some_and(|next| next.glued);
        sign(
            text[..token.norm as usize].chars().next_back(),
            &self.before,
        ) || sign(text[token.norm_end as usize..].chars().next(), &self.after)
            || self.after.contains(next)
            || self.copies.contains(next)
            || glued && self.glued.contains(next)
            || self.before.contains(before)
            || self.copies_of(context, index).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::Units;

    #[test]
    fn file_of_this_build_loads_and_others_are_refused_with_their_line() {
        assert!(Units::builtin().is_ok_and(|units| units.after.contains("hr")));
        let error = Units::load("canonical,words,side,note\na,A,beneath,\n");
        let error = error.expect_err("there is no such side").to_string();
        assert!(error.contains("common/units.csv:2"), "{error}");
    }
}
