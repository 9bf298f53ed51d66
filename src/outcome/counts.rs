//! What the counts of a title count: copies of one card, cards of several, draws, kinds.

use super::facts::Facts;
use super::questions::{LOT, SET};
use crate::attributes::companion::is_given;
use crate::attributes::kind::counts_others;
use crate::attributes::name::NameClue;
use crate::attributes::units::Units;
use crate::dictionary::Tag;
use crate::parsed::Field;
use crate::reading::{Proposal, Value};
use crate::word_lists::{AND_SO_ON, DRAW_COUNTERS, KIND_COUNTERS};

/// A count above this is more than the copies of one card that are sold together.
pub(super) const FEW: u32 = 4;
/// More copies of one card than this are seldom sold: a lot then only begins with it.
pub(super) const MOST_COPIES: u32 = 12;

impl Facts<'_> {
    /// Whether `count` is of copies of what the title names: `x4`, `3枚`; or of cards that are given
    /// with it.
    pub(super) fn are_copies(&self, words: &Proposal, count: u32) -> bool {
        let few = count <= FEW;
        if self.counts_lot(words) && self.are_from_set() || self.is_one_of_each(count) {
            return false;
        }
        if few && !self.counts_kinds(words) && (self.one_known_print() || self.one_thing()) {
            return true;
        }
        // `バニプッチ AR 6枚 ホワイトフレア`
        let more = || count <= MOST_COPIES && self.counts_alone();
        self.one_card()
            && (self.solid
                || few
                || self.counted_with_x(words)
                || (self.rarity || self.counts_in_letters(words)) && more())
            || self.one_thing() && more()
            || self.one_name()
                && (few && self.counts_alone() && !self.counts_different(words)
                    || is_given(self.line, words.at))
    }

    /// Whether a year begins the season of a sport: `2023-24`.
    pub(super) fn is_season(&self, words: &Proposal, year: u32) -> bool {
        const YEARS: std::ops::Range<u32> = 2001..2099;
        let token = self.line.token_at(words.at as usize);
        let next = self.line.tokens().get(token + 1);
        YEARS.contains(&year)
            && words.end - words.at == 4
            && next.is_some_and(|next| {
                let text = self.line.text(next.at as usize, next.end as usize);
                let between = self.line.tokens()[token].norm + 5 == next.norm;
                between && text.len() == 2 && text.parse() == Ok((year + 1) % 100)
            })
    }

    /// Whether the title has one count, and no word for several cards beside it: `3種セット`.
    pub(super) fn counts_alone(&self) -> bool {
        let several = |p: &Proposal| match p.value {
            Value::Word(tag) => self.dictionary.says_lot(tag),
            _ => false,
        };
        self.chosen.of(Field::Quantity).nth(1).is_none() && !self.chosen.iter().any(several)
    }

    /// Whether the title has such a count.
    pub(super) fn has_count(&self, such: impl Fn(&Proposal, u32) -> bool) -> bool {
        let mut counts = self.chosen.of(Field::Quantity);
        counts.any(|p| matches!(p.value, Value::Count(count) if such(p, count)))
    }

    /// Whether the title counts copies, and no more than are sold together.
    pub(super) fn copies(&self) -> bool {
        // `10枚セット まとめ売り`
        let counted = |p: &Proposal| match p.value {
            Value::Word(Tag::Kind(at)) => {
                let kind = self.dictionary.kinds[at as usize].0.as_str();
                kind == "multi_card" && self.counts_copies(p, MOST_COPIES)
            }
            _ => false,
        };
        self.has_count(|p, count| (2..=MOST_COPIES).contains(&count) && !self.counts_kinds(p))
            || self.chosen.iter().any(counted)
    }

    /// Whether the title counts more cards than are copies of one.
    pub(super) fn counts_many(&self) -> bool {
        self.has_count(|_, count| count > MOST_COPIES)
    }

    /// Whether words are, or end, a count of chances: `1口`.
    pub(super) fn counts_draws(&self, words: &Proposal) -> bool {
        let key = self.line.key();
        let (at, end) = (words.at as usize, words.end as usize);
        let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        let text = self.line.text(at, end);
        DRAW_COUNTERS.iter().any(|word| text.ends_with(word))
            && (digit(key.get(at)) || digit(key[..at].last()))
    }

    /// Whether words contain a number: `2枚セット`.
    pub(super) fn counts(&self, words: &Proposal) -> bool {
        let text = self.line.text(words.at as usize, words.end as usize);
        text.bytes().any(|byte| byte.is_ascii_digit()) && !self.counts_others(words)
    }

    /// Whether words count different cards: `2種`.
    fn counts_kinds(&self, words: &Proposal) -> bool {
        let text = self.line.text(words.at as usize, words.end as usize);
        KIND_COUNTERS.iter().any(|word| text.contains(word))
    }

    /// Whether words count cards of which the title names some only: `など4枚`, `他3枚`.
    fn counts_others(&self, words: &Proposal) -> bool {
        let text = self.line.text(words.at as usize, words.end as usize);
        AND_SO_ON.iter().any(|word| text.starts_with(word)) || counts_others(text)
    }

    /// Whether words contain a count of copies, at most `most`: `2枚まとめ`, and not `2種セット`.
    pub(super) fn counts_copies(&self, words: &Proposal, most: u32) -> bool {
        let copies = |p: &Proposal| match p.value {
            Value::Count(count) => {
                let copies = (2..=most).contains(&count) && !self.is_one_of_each(count);
                p.field == Field::Quantity && copies
            }
            _ => false,
        };
        let mut counts = self.proposals.iter().filter(|p| p.inside(words));
        counts.any(copies) && !self.counts_others(words) && !self.counts_kinds(words)
    }

    /// Whether a count is of as many cards as the title names: `ナンジャモ ミモザ 2枚セット`.
    fn is_one_of_each(&self, count: u32) -> bool {
        let names = || self.chosen.of(Field::Name);
        let of_best = |p: &Proposal| {
            let here = |n: &&NameClue| n.at < p.end && p.at < n.end;
            self.names
                .iter()
                .filter(here)
                .any(|n| Some(n.core) == self.core)
        };
        // `Simba - Rightful Heir` is one card
        let begins = |p: &&Proposal| {
            !of_best(p) || !names().any(|before| before.end == p.at && of_best(before))
        };
        let named = || names().filter(begins).count();
        count > 1 && self.all_subjects != 1 && usize::try_from(count) == Ok(named())
    }

    /// Whether a count is one of a lot: `Lot of 12`.
    pub(super) fn counts_lot(&self, count: &Proposal) -> bool {
        self.counts_by(count, LOT)
    }

    /// Whether a count is one of a set, which has no card twice: `set of 3`.
    fn counts_different(&self, count: &Proposal) -> bool {
        self.counts_by(count, SET)
    }

    /// Whether a count begins with a word.
    fn counts_by(&self, count: &Proposal, word: &str) -> bool {
        let text = self.line.text(count.at as usize, count.end as usize);
        text.starts_with(word)
    }

    /// Whether a Latin word for copies ends a count, or a number in letters is one by itself: `six
    /// copies`, `a dozen`.
    fn counts_in_letters(&self, count: &Proposal) -> bool {
        let last = self.line.token_at((count.end as usize).saturating_sub(1));
        let word = self.word(last);
        let letters = word.bytes().all(|byte| byte.is_ascii_lowercase());
        let alone = last == self.line.token_at(count.at as usize);
        // a test reads the file: see `Units::builtin`
        letters && alone
            || word.is_ascii() && Units::builtin().is_ok_and(|units| units.mean_copies(word))
    }

    /// Whether a count is written with an `x`: `x4`, `4x`.
    pub(super) fn counted_with_x(&self, count: &Proposal) -> bool {
        let text = self.line.text(count.at as usize, count.end as usize);
        text.starts_with('x') || text.ends_with('x')
    }
}
