//! [`Word`]: a word of the dictionary where it stands in a title, of which an attribute may say that
//! something else is meant.

use super::surroundings::Surroundings;
use crate::dictionary::{Dictionary, Tag, Tagged, When};
use crate::reading::context::{Context, around, ending, spanning};
use crate::token::Class;

/// Letters that stand for something are at most this many.
pub(super) const FEW_LETTERS: usize = 3;

/// A word of the dictionary in a title.
#[derive(Clone, Copy)]
pub(crate) struct Word<'w> {
    pub(crate) context: &'w Context<'w>,
    pub(crate) dictionary: &'w Dictionary,
    /// What it is.
    pub(crate) tag: &'w Tagged,
    /// All that the dictionary finds in the title.
    pub(crate) tags: &'w [Tagged],
    pub(crate) around: &'w Surroundings<'w>,
}

impl<'w> Word<'w> {
    /// Its first byte in the key.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.tag.at as usize
    }

    /// The end of its bytes in the key.
    #[inline]
    pub(crate) fn end(&self) -> usize {
        self.tag.end as usize
    }

    /// Its bytes in the key.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.end() - self.at()
    }

    /// As the key has it.
    pub(super) fn text(&self) -> &'w str {
        self.context.line.text(self.at(), self.end())
    }

    /// Its first token.
    pub(super) fn token(&self) -> usize {
        self.context.line.token_at(self.at())
    }

    /// Whether it is a few letters, which are also a code or a word of some language.
    pub(crate) fn is_short(&self) -> bool {
        self.len() <= FEW_LETTERS
    }

    /// Whether the title writes it in capitals.
    pub(crate) fn is_upper(&self) -> bool {
        let context = self.context;
        context
            .line
            .is_upper(context.normalised, self.at(), self.end())
    }

    /// Whether a name or a set is next to it.
    pub(crate) fn near_hit(&self) -> bool {
        (self.around.near_hit)(self.at(), self.end())
    }

    /// Whether a collector number is next to it.
    pub(crate) fn near_number(&self) -> bool {
        (self.around.near_number)(self.at(), self.end())
    }

    /// All that the dictionary says of the same letters.
    pub(super) fn meanings(&self) -> impl Iterator<Item = &'w Tagged> {
        spanning(self.tags, self.tag.at, self.tag.end)
    }

    /// The longer words that it is a part of.
    pub(super) fn longer(&self) -> impl Iterator<Item = &'w Tagged> {
        around(self.tags, self.tag)
    }

    /// The words that end right before it, or with a byte `from` on.
    pub(super) fn before(&self, from: u32) -> &'w [Tagged] {
        ending(self.tags, from, self.tag.at)
    }

    /// Whether such a word begins right behind it.
    pub(super) fn is_before(&self, such: impl Fn(Tag) -> bool) -> bool {
        let mut tags = self.tags.iter();
        tags.any(|next| next.at == self.tag.end && such(next.tag))
    }

    /// Whether letters stand right before its digits: `SL10`.
    pub(super) fn is_digits_behind_letters(&self) -> bool {
        let (context, token) = (self.context, self.token());
        context.class(token) == Some(Class::Digit)
            && context.glued_before(token) == Some(Class::Latin)
            && context.word(token - 1) != "x"
    }

    /// Whether Latin letters stand right before it: `UtR`.
    pub(super) fn ends_word(&self) -> bool {
        self.context.glued_before(self.token()) == Some(Class::Latin)
    }

    /// Whether one or two digits are glued behind its letters: three are a card's number, as in
    /// `LOB-EN001`.
    pub(super) fn is_before_digits(&self) -> bool {
        let (context, token) = (self.context, self.token());
        context.glued_behind(token) == Some(Class::Digit) && context.word(token + 1).len() <= 2
    }

    /// Whether stars or brackets stand around it: `*F*`, `[F]`.
    pub(super) fn is_marked(&self) -> bool {
        let (context, token) = (self.context, self.token());
        context.before(token).ends_with(['*', '(', '['])
            && context.before(token + 1).starts_with(['*', ')', ']'])
    }

    /// Whether it begins the title, in brackets or before a colon: `[W]`, `W:`.
    pub(super) fn is_at_head(&self) -> bool {
        self.at() == 0 && (self.is_marked() || self.context.before(1).starts_with(':'))
    }

    /// Whether it is a part of a phrase that says nothing of the card, and counts anywhere by itself.
    pub(super) fn is_in_noise(&self) -> bool {
        self.tag.when == When::default() && self.longer().any(|tag| tag.tag == Tag::Noise)
    }
}
