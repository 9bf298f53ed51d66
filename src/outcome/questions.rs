//! What the signs ask of the [`Facts`] of a title: whether it names one card or thing, and what stands
//! beside its words. What it counts, holds and lists is asked in files of their own.

use super::facts::{CERTAIN, Facts};
use super::lists::{different_numbers, says_cards};
use super::products::ART;
use crate::attributes::companion::Companions;
use crate::attributes::game;
use crate::attributes::number::{DIGITS_BEHIND_CODE, NumberReading};
use crate::catalogue::NameQuality;
use crate::dictionary::{GameKind, Tag};
use crate::parsed::Field;
use crate::reading::{Proposal, Value};
use crate::token::{Class, Line, Token};
use crate::word_lists::{GOODS_EXTRA, GOODS_GIVEN, JOINING};

/// A candidate more likely than this is likely.
pub(super) const LIKELY: f64 = 0.5;
/// Words that nothing explains are a name if they are more than this share of the title.
pub(super) const A_NAME: f32 = 0.1;
/// The most words and names between goods and the word that says that they come with a card.
const MOST_BETWEEN: usize = 4;
/// Of all cards of a name, one that is this likely is the only one meant.
const MOST_OF_NAME: f64 = 0.8;

impl Facts<'_> {
    /// Whether the title names one card, as far as it names any: no second number, no second
    /// subject, and a name that the catalogue confirms.
    pub(super) fn one_card(&self) -> bool {
        self.one_name() && (self.solid || self.top > CERTAIN || self.set)
    }

    /// Whether the title names cards of one name, and at most one number.
    pub(super) fn one_name(&self) -> bool {
        (self.solid || self.name > LIKELY) && self.one_at_most()
    }

    /// Whether it names no second subject, number or rarity.
    pub(super) fn one_at_most(&self) -> bool {
        self.subjects == 0
            && !self.part
            && self.all_subjects <= 1
            && different_numbers(self) <= 1
            && (self.solid || !self.rarities)
    }

    /// Whether the title names one print of one name, in whatever set, and no slab: `ビクティニ
    /// マスターボールミラー`.
    pub(super) fn one_print(&self) -> bool {
        let pattern = self.chosen.has(Field::Pattern) && self.grades == 0;
        pattern && self.all_subjects == 1 && self.one_at_most()
    }

    /// Whether it names the only print that is known of a name.
    pub(super) fn one_known_print(&self) -> bool {
        self.one_name() && self.top > LIKELY && self.top > MOST_OF_NAME * self.name
    }

    /// Whether the title names one trainer or thing, of which players buy copies of any print.
    pub(super) fn one_thing(&self) -> bool {
        self.one_name() && self.named && self.all_subjects == 0
    }

    /// Whether the title says that cards are from a set: `All Mew cards from Fusion Strike`.
    pub(super) fn are_from_set(&self) -> bool {
        let mut sets = self.chosen.of(Field::Set);
        sets.any(|set| self.beside(set, Companions::yield_card)) && says_cards(self)
    }

    /// Whether the name of another game stands before all words for this one.
    pub(super) fn other_in_front(&self) -> bool {
        game::in_front(self.dictionary, self.stats, self.chosen, self.proposals).is_some()
    }

    /// Whether words are a part of the name of another game or of a team: `Orlando Magic`.
    pub(super) fn is_of_other(&self, words: &Proposal) -> bool {
        let around = self.chosen.covering(words.at);
        around.is_some_and(|c| match c.value {
            Value::Word(tag @ Tag::Game(at)) => {
                let goods = self.dictionary.games[at as usize].kind == GameKind::Goods;
                words.inside(c) && !goods && !self.stats.is_held_game(tag)
            }
            _ => false,
        })
    }

    /// Whether a word that may name another game of cards is read, and not only one of a sport or a brand.
    pub(super) fn hints_at_game(&self) -> bool {
        let mut words = self.chosen.of(Field::Game);
        words.any(|p| match p.value {
            Value::Word(tag @ Tag::Game(at)) => {
                let game = self.dictionary.games[usize::from(at)].kind == GameKind::Game;
                game && !self.stats.is_held_game(tag)
            }
            _ => false,
        })
    }

    /// Whether a number of another game's card is read, by its pattern: `SOR-003`.
    pub(super) fn has_number_of_other(&self) -> bool {
        let number = |p: &Proposal| {
            let text = self.line.text(p.at as usize, p.end as usize).as_bytes();
            text.len() > DIGITS_BEHIND_CODE
                && text[text.len() - DIGITS_BEHIND_CODE..]
                    .iter()
                    .all(u8::is_ascii_digit)
        };
        let other = |p: &Proposal| match p.value {
            Value::Word(tag) => !self.stats.is_held_game(tag),
            _ => false,
        };
        let mut games = self.chosen.of(Field::Game).filter(|p| !p.weak);
        games.any(|p| other(p) && number(p))
    }

    /// Whether words begin a number that a game shares with one of which the catalogue has no card, where the
    /// title names that one and not the card: `EB01-014 Gouf Gundam Card Game`.
    pub(super) fn is_in_code_of_other(&self, words: &Proposal) -> bool {
        !self.solid
            && game::other(self.dictionary, self.stats, self.chosen).is_some()
            && game::begins_number(self.line, self.chosen, words)
    }

    /// Whether a number begins with the code of a set.
    pub(super) fn any_coded(&self) -> bool {
        self.numbers.iter().any(|number| number.coded)
    }

    /// Whether the best candidate has the number of the title, and one with the code of a set is stated.
    pub(super) fn code_agrees(&self) -> bool {
        self.number_agrees && self.any_coded()
    }

    /// Whether a number is a part of a name that is read: `X4-31 Rover`.
    pub(super) fn is_in_name(&self, number: &NumberReading) -> bool {
        let around = self.chosen.covering(number.at);
        around.is_some_and(|c| c.field == Field::Name && number.end <= c.end)
    }

    /// Whether a number is where a shop keeps the card of another one that has the code of a set: a letter
    /// and a digit before the dash, of no name in the title: `IGAS-EN012 loc B3-14`.
    pub(super) fn is_shelf_mark(&self, number: &NumberReading) -> bool {
        let first = self.line.token_at(number.at as usize);
        let behind = self.line.token_at((number.end as usize).saturating_sub(1)) + 1;
        let classes = |[letter, row, place]: &[Token; 3]| {
            let one = letter.end - letter.at == 1 && letter.class == Class::Latin;
            one && row.class == Class::Digit && place.class == Class::Digit
        };
        let tokens = self.line.tokens().get(first..behind).unwrap_or_default();
        let other = |other: &NumberReading| other.coded && other.at != number.at;
        number.coded
            && <&[Token; 3]>::try_from(tokens).is_ok_and(classes)
            && self.solid
            && self.code_agrees()
            && self.numbers.iter().any(other)
            && !self.is_of_title(number)
    }

    /// The word of a token, as keys have it; empty if there is none.
    pub(super) fn word(&self, token: usize) -> &str {
        let token = self.line.tokens().get(token);
        token.map_or("", |token| {
            self.line.text(token.at as usize, token.end as usize)
        })
    }

    /// Whether a word or sign that joins stands right before this byte of the key.
    pub(super) fn is_joined(&self, at: u32) -> bool {
        let before = self.line.token_at(at as usize).checked_sub(1);
        before.is_some_and(|before| JOINING.contains(&self.word(before)))
    }

    /// Whether a number ends the title, apart from names and other numbers, and nothing joins it to
    /// them: `Gyarados 7/130 Base Set 2 Pokemon TCG 6/102`.
    pub(super) fn trails(&self, number: &NumberReading) -> bool {
        let beside =
            |p: &Proposal| p.end == number.at && matches!(p.field, Field::Name | Field::Number);
        number.end as usize == self.line.key().len()
            && !self.is_joined(number.at)
            && !self.chosen.iter().any(beside)
    }

    /// Whether a word for a lot is a part of these words: `lot of 2`.
    pub(super) fn says_lot(&self, words: &Proposal) -> bool {
        let within = |p: &&Proposal| words.at <= p.at && p.end <= words.end;
        let mut parts = self.proposals.iter().filter(within);
        parts.any(|p| match p.value {
            Value::Word(tag) => self.dictionary.says_lot(tag),
            _ => false,
        })
    }

    /// Whether the words before or after goods or a product say so of it.
    // a dozen rules ask it: inlined in each it would make the browser's module larger
    #[inline(never)]
    pub(super) fn beside(
        &self,
        goods: &Proposal,
        so: fn(&Companions, &Line, usize, usize) -> bool,
    ) -> bool {
        // a test reads the file: see `Companions::builtin`
        let Ok(words) = Companions::builtin() else {
            return false;
        };
        let first = |at: u32| self.line.token_at(at as usize);
        let last = first(goods.end.saturating_sub(1));
        let said = |first: usize| so(words, self.line, first, last);
        let mut at = goods.at;
        for _ in 0..MOST_BETWEEN {
            if said(first(at)) {
                return true;
            }
            // `with free Pokemon sticker`, `from a Lost Origin booster pack`, `from trainer kit half deck`,
            // `in Dragon Shield sleeve`, `in 35pt toploader`, `from a 2003 tin`
            let mut before = self.chosen.iter().filter(|p| p.end == at);
            let between = before.find(|p| match p.value {
                Value::Word(Tag::Sealed(_) | Tag::Noise) => true,
                Value::Word(Tag::Kind(kind)) => {
                    let kind = self.dictionary.kinds.get(usize::from(kind));
                    kind.is_some_and(|(kind, _)| GOODS_GIVEN.contains(&kind.as_str()))
                }
                _ => matches!(p.field, Field::Game | Field::Set | Field::Year),
            });
            let Some(between) = between else {
                return false;
            };
            // `in toploader case`
            if between.field == Field::Noise && said(first(between.at) + 1) {
                return true;
            }
            at = between.at;
        }
        false
    }

    /// Whether words are the whole name of a card.
    pub(super) fn names_whole_card(&self) -> bool {
        let mut names = self.names.iter();
        names.any(|name| name.name.is_some() && name.quality == NameQuality::Printed)
    }

    /// Whether words stand between brackets.
    pub(super) fn is_in_brackets(&self, words: &Proposal) -> bool {
        let token = self.line.token_at(words.at as usize);
        self.line
            .tokens()
            .get(token)
            .is_some_and(|token| token.depth > 0)
    }

    /// Whether the title ends in these words.
    pub(super) fn ends(&self, words: &Proposal) -> bool {
        words.end as usize == self.line.key().len()
    }

    /// Whether words for goods that come with cards, too, are what is sold: they stand beside the name of a
    /// card or end the title, and it states no number, grade, condition or print of a card: `Celebrations
    /// Pikachu pin`.
    pub(super) fn is_head(&self, words: &Proposal, kind: &str) -> bool {
        const OF_CARD: [Field; 5] = [
            Field::Finish,
            Field::Edition,
            Field::Pattern,
            Field::Treatment,
            Field::Quantity,
        ];
        let beside_name = || {
            let mut names = self.chosen.of(Field::Name);
            names.any(|name| name.end == words.at || name.at == words.end)
        };
        GOODS_EXTRA.contains(&kind)
            && kind != ART
            && self.set
            && self.named
            && !(self.numbered || self.graded || self.condition || self.rarity)
            && !OF_CARD.iter().any(|&field| self.chosen.has(field))
            && self.unread <= A_NAME
            && (self.ends(words) || beside_name())
            && !self.beside(words, Companions::accompany)
    }

    /// Whether words say where one card is from.
    pub(super) fn is_from(&self, words: &Proposal) -> bool {
        let first = self.line.token_at(words.at as usize);
        // a test reads the file: see `Companions::builtin`
        Companions::builtin().is_ok_and(|companions| companions.are_whence(self.line, first))
    }
}

/// The kind of words for several cards of any sort: `Bulk`, `full of cards`.
pub(super) const LOT: &str = "lot";

/// A product, or cards, as keys have it.
pub(super) const SET: &str = "set";
