//! The rest of the title, as far as the rules of an attribute need it.

use super::hit::{Hit, Means, is_behind_set};
use crate::dictionary::{Tag, Tagged};
use crate::parsed::Field;
use crate::reading::context::Context;
use crate::reading::{Proposal, Value};
use crate::token::Token;

/// The surroundings of a word of the dictionary.
pub(crate) struct Surroundings<'a> {
    /// The games whose own words count, a bit for each of the dictionary's folders.
    pub(crate) games: u32,
    /// A grader is named.
    pub(crate) grader: bool,
    /// Ends of subjects' names in the key.
    pub(crate) name_ends: &'a [u32],
    /// Beginnings of subjects' names in the key.
    pub(crate) name_starts: &'a [u32],
    /// A subject is named as it is printed.
    pub(crate) subject: bool,
    /// Whether a collector number is next to these bytes of the key.
    pub(crate) near_number: &'a dyn Fn(usize, usize) -> bool,
    /// Whether a name or a set is next to these bytes of the key.
    pub(crate) near_hit: &'a dyn Fn(usize, usize) -> bool,
    /// Whether a set of the games of a word is named right before it.
    pub(crate) behind_set: &'a dyn Fn(&Tagged) -> bool,
    /// Whether a word is one of a game that the catalogue lacks, in a title that names one of its own.
    pub(crate) of_other: &'a dyn Fn(Tag) -> bool,
    /// Whether words for a game are a part of a longer name of another game.
    pub(crate) part: &'a dyn Fn(&Tagged) -> bool,
    /// Whether the title's number and total are those of a card that is named apart from these bytes of
    /// the key, and of none that they name.
    pub(crate) named_apart: &'a dyn Fn(u32, u32) -> bool,
    /// What the catalogue has that is called by these bytes of the key.
    pub(crate) means: &'a dyn Fn(u32, u32) -> Means,
    /// The title says Japanese, or is in Japanese.
    pub(crate) japanese: bool,
}

impl Surroundings<'_> {
    /// Whether the title says which games' cards it may sell.
    pub(crate) fn in_question(&self) -> bool {
        self.games != u32::MAX
    }
}

/// A number of the title with its surroundings.
pub(crate) struct Count<'c, 't> {
    pub(crate) context: &'c Context<'t>,
    pub(crate) tags: &'c [Tagged],
    pub(crate) hits: &'c [Hit],
    /// Length of the longest of `tags`, if the title has a word for cards.
    pub(crate) longest: Option<u32>,
    /// The title names no card.
    pub(crate) nameless: bool,
    /// The token that may count copies of the card that is named behind it (see `quantity::before_name`).
    pub(crate) before_name: Option<usize>,
    /// The number's place among the tokens.
    pub(crate) index: usize,
    pub(crate) token: &'c Token,
    /// The number as written.
    pub(crate) word: &'t str,
    pub(crate) number: u32,
    /// The word before it and the one after it; empty if there is none.
    pub(crate) before: &'t str,
    pub(crate) after: &'t str,
}

impl Count<'_, '_> {
    /// Whether it may count cards whatever its size: the title names none, no set is called by these
    /// digits (`151`), and a space or a plus is behind them, as is not in `-10%) Pokemon cards`.
    pub(crate) fn may_count_cards(&self) -> bool {
        let (at, end) = (self.token.at, self.token.end);
        let is_set = || {
            let mut hits = self.hits.iter();
            hits.any(|hit| hit.means.set && hit.spans(at, end))
        };
        let apart = || self.context.gap(self.index) == " " || self.after == "+";
        self.nameless && apart() && !is_set()
    }

    /// Whether the name or the code of a set ends right before it.
    pub(crate) fn is_behind_set(&self) -> bool {
        is_behind_set(self.context.line, self.hits, self.index)
    }

    /// Whether the name of a grader ends right before it.
    pub(crate) fn is_behind_grader(&self) -> bool {
        let grader = |tag: &Tagged| matches!(tag.tag, Tag::Grader(_)) && tag.end == self.token.at;
        self.tags.iter().any(grader)
    }

    /// Proposes the tokens `from..=to` as this number of `field`.
    pub(crate) fn push(
        &self,
        field: Field,
        (from, to): (usize, usize),
        quality: f32,
        out: &mut Vec<Proposal>,
    ) {
        push_count(self.context, field, (from, to), (self.number, quality), out);
    }
}

/// Proposes the tokens `from..=to` as a number of `field`, with so much confidence.
pub(crate) fn push_count(
    context: &Context<'_>,
    field: Field,
    (from, to): (usize, usize),
    (number, quality): (u32, f32),
    out: &mut Vec<Proposal>,
) {
    let line = context.line;
    if let (Some(a), Some(b)) = (line.tokens().get(from), line.tokens().get(to)) {
        let place = (a.at, b.end);
        let value = Value::Count(number);
        out.push(Proposal::new(line, place, field, value, quality));
    }
}
