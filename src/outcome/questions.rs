//! What the signs ask of the [`Facts`] of a title: whether it names one card or thing, what its counts
//! count, and what stands beside its words.

use super::facts::{CERTAIN, Facts, PACK};
use crate::attributes::companion::{Companions, is_given, is_use};
use crate::attributes::game;
use crate::attributes::kind::counts_others;
use crate::attributes::name::NameClue;
use crate::attributes::number::{DIGITS_BEHIND_CODE, NumberKind, NumberReading};
use crate::attributes::units::Units;
use crate::catalogue::{Marks, NameQuality};
use crate::dictionary::{GameKind, Tag};
use crate::parsed::Field;
use crate::reading::{Proposal, Value};
use crate::token::{Class, Line, Token};
use crate::word_lists::{
    AND_SO_ON, CARDS, DRAW_COUNTERS, GOODS_EXTRA, JOINING, KIND_COUNTERS, ONE_CARD,
    PRODUCTS_NAMED_AFTER_CARDS, PRODUCTS_PUT_TOGETHER,
};

/// A count above this is more than the copies of one card that are sold together.
pub(super) const FEW: u32 = 4;
/// More copies of one card than this are seldom sold: a lot then only begins with it.
pub(super) const MOST_COPIES: u32 = 12;
/// A candidate more likely than this is likely.
pub(super) const LIKELY: f64 = 0.5;
/// Words that nothing explains are a name if they are more than this share of the title.
pub(super) const A_NAME: f32 = 0.1;
/// More words than these are no name of a card.
const WORDS_OF_NAME: usize = 4;
/// Of all cards of a name, one that is this likely is the only one meant.
const MOST_OF_NAME: f64 = 0.8;
/// A word in capitals of at most so many letters is short for a name.
const MOST_INITIALS: usize = 3;
/// No deck that is played has fewer cards.
const LEAST_OF_DECK: u32 = 40;
/// Ends of words that are no plurals.
const ENDS_OF_NAMES: [&str; 3] = ["us", "os", "is"];
/// The kind of a product that is a deck.
pub(super) const DECK: &str = "theme_deck";
/// The kind of listing of which nothing is missing.
const COMPLETE: &str = "near_complete";

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

    /// Whether a number begins with the code of a set.
    pub(super) fn any_coded(&self) -> bool {
        self.numbers.iter().any(|number| number.coded)
    }

    /// Whether the best candidate has the number of the title, and one with the code of a set is stated.
    pub(super) fn code_agrees(&self) -> bool {
        self.number_agrees && self.any_coded()
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

    /// Whether a number is a part of a name that is read: `X4-31 Rover`.
    pub(super) fn is_in_name(&self, number: &NumberReading) -> bool {
        let around = self.chosen.covering(number.at);
        around.is_some_and(|c| c.field == Field::Name && number.end <= c.end)
    }

    /// Whether a number is where a shop keeps the card of another one that has the code of a set: a letter
    /// and a digit before the dash, of no name in the title: `IGAS-EN012 loc B3-14`.
    fn is_shelf_mark(&self, number: &NumberReading) -> bool {
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
    fn word(&self, token: usize) -> &str {
        let token = self.line.tokens().get(token);
        token.map_or("", |token| {
            self.line.text(token.at as usize, token.end as usize)
        })
    }

    /// Whether a word or sign that joins stands right before this byte of the key.
    fn is_joined(&self, at: u32) -> bool {
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

    /// Whether the title counts more cards than are copies of one.
    pub(super) fn counts_many(&self) -> bool {
        self.has_count(|_, count| count > MOST_COPIES)
    }

    /// Whether the last word that is read is a box called after a card, but for the card in it, and no
    /// number stands before it: `Paldea Partners Tin Quaquaval ex`, `Mega Charizard Y ex UPC`.
    pub(super) fn ends_with_box(&self) -> bool {
        let within = |p: &&Proposal| !matches!(p.field, Field::Name | Field::Noise);
        let named = self
            .chosen
            .iter()
            .rfind(within)
            .is_some_and(|p| match p.value {
                Value::Word(Tag::Sealed(at)) => {
                    PRODUCTS_NAMED_AFTER_CARDS.contains(&&*self.dictionary.sealed[at as usize])
                        && !self.beside(p, Companions::yield_card)
                }
                _ => false,
            });
        named && !self.numbered
    }

    /// Whether the words before or after goods or a product say so of it.
    pub(super) fn beside(
        &self,
        goods: &Proposal,
        so: impl Fn(&Companions, &Line, usize, usize) -> bool,
    ) -> bool {
        // `with free Pokemon sticker`, `from a Lost Origin booster pack`, `from trainer kit half deck`
        let mut before = self.chosen.iter().filter(|p| p.end == goods.at);
        let before = before.find(|p| match p.value {
            Value::Word(Tag::Sealed(_)) => true,
            _ => matches!(p.field, Field::Game | Field::Set),
        });
        let at = before.map_or(goods.at, |before| before.at);
        let first = self.line.token_at(at as usize);
        let last = self.line.token_at((goods.end as usize).saturating_sub(1));
        // a test reads the file: see `Companions::builtin`
        Companions::builtin().is_ok_and(|words| so(words, self.line, first, last))
    }

    /// Whether a count of many cards that the goods come with stands behind them, or words for cards
    /// that fill them: `binder full of cards`, `binder of old vintage cards`.
    pub(super) fn holds_cards(&self, goods: &Proposal) -> bool {
        let full = |p: &Proposal| match p.value {
            Value::Word(Tag::Kind(at)) => {
                p.at == goods.end && !p.weak && self.dictionary.kinds[at as usize].0 == LOT
            }
            _ => false,
        };
        if self.chosen.iter().any(full) || self.are_of_cards(goods) {
            return true;
        }
        // one word stands between
        let next = self.line.token_at(goods.end as usize) + 1;
        let behind = |p: &Proposal| p.at > goods.end && self.line.token_at(p.at as usize) == next;
        self.has_count(|p, count| count > FEW && behind(p) && self.beside(p, Companions::accompany))
    }

    /// Whether `of` stands behind the goods, and a few words on cards: `album of 90s holo cards`.
    fn are_of_cards(&self, goods: &Proposal) -> bool {
        let word = |token: &Token| self.line.text(token.at as usize, token.end as usize);
        let next = self.line.token_at(goods.end as usize);
        let mut behind = self.line.tokens().get(next..).unwrap_or_default().iter();
        behind
            .next()
            .is_some_and(|of| of.at == goods.end && word(of) == OF)
            && behind.take(FEW_WORDS).any(|token| is_cards(word(token)))
    }

    /// Whether words that may mean a product stand beside a count of more cards than are copies, and
    /// nothing else says that it is sealed: `Deck 60 cards`, `Pack 30 cartas`, `Binder Collection 25
    /// cards`.
    pub(super) fn is_put_together(&self, product: &Proposal, word: u16) -> bool {
        let kind = self.dictionary.sealed[usize::from(word)].as_str();
        // of the others only weak words are said of cards of one's own choice
        let any_words = [COLLECTION, BUNDLE].contains(&kind);
        if !PRODUCTS_PUT_TOGETHER.contains(&kind) || !product.weak && !any_words {
            return false;
        }
        let counted = |p: &Proposal, count: u32| {
            let beside = p.at == product.end || p.end == product.at;
            // `Deck Yugioh 40 carte`
            let whole = || kind == DECK && count >= LEAST_OF_DECK;
            (beside || whole()) && count > MOST_COPIES && !self.counted_with_x(p)
        };
        // `65pcs Deck Sleeves`
        let other = |p: &Proposal| match p.value {
            Value::Word(Tag::Sealed(_)) => p.at != product.at,
            Value::Word(Tag::Kind(_)) => p.at == product.end,
            _ => false,
        };
        self.has_count(counted) && !self.chosen.iter().any(other)
    }

    /// Whether words for a bundle stand beside several names, and for no bundle of boosters: `A and B
    /// bundle`.
    pub(super) fn bundles_names(&self, product: &Proposal, word: u16) -> bool {
        let text = self.line.text(product.at as usize, product.end as usize);
        self.dictionary.sealed[usize::from(word)] == BUNDLE
            && !text.contains(BOOSTER)
            && self.chosen.of(Field::Name).nth(1).is_some()
            && !self.chosen.has(Field::Set)
    }

    /// Whether words are the whole name of a card.
    pub(super) fn names_whole_card(&self) -> bool {
        let mut names = self.names.iter();
        names.any(|name| name.name.is_some() && name.quality == NameQuality::Printed)
    }

    /// Whether words inside a name may mean what is sold: `Surprise Box`.
    pub(super) fn name_may_be_product(&self) -> bool {
        self.proposals.iter().any(|p| {
            matches!(p.value, Value::Word(Tag::Kind(_) | Tag::Sealed(_)))
                && self.chosen.of(Field::Name).any(|name| p.inside(name))
        })
    }

    /// The words for a deck inside those that name a game.
    pub(super) fn deck_in(&self, game: &Proposal) -> Option<&Proposal> {
        self.proposals.iter().find(|p| match p.value {
            Value::Word(Tag::Sealed(at)) => {
                self.dictionary.sealed[at as usize] == DECK && p.inside(game)
            }
            _ => false,
        })
    }

    /// Whether words stand between brackets.
    pub(super) fn is_in_brackets(&self, words: &Proposal) -> bool {
        let token = self.line.token_at(words.at as usize);
        self.line
            .tokens()
            .get(token)
            .is_some_and(|token| token.depth > 0)
    }

    /// Whether the title says that a deck is sold, in words that somebody's own may be called by.
    pub(super) fn sells_deck(&self) -> bool {
        self.chosen.iter().any(|p| match p.value {
            Value::Word(Tag::Sealed(at)) => self.dictionary.sealed[at as usize] == DECK && p.weak,
            Value::Word(Tag::Game(_)) => self.deck_in(p).is_some_and(|deck| deck.weak),
            _ => false,
        })
    }

    /// Whether words that may mean a deck are all that the title says beside one name of several cards:
    /// it is called after one of its cards.
    pub(super) fn is_deck_of_name(&self, deck: &Proposal) -> bool {
        const OF_CARD: [Field; 6] = [
            Field::Number,
            Field::Set,
            Field::Finish,
            Field::Pattern,
            Field::Quantity,
            Field::Year,
        ];
        let of_card = self.graded || self.condition || self.rarity;
        let complete = |p: &Proposal| match p.value {
            Value::Word(Tag::Kind(at)) => self.dictionary.kinds[at as usize].0 == COMPLETE,
            _ => false,
        };
        let other = |p: &Proposal| match p.value {
            Value::Word(Tag::Sealed(_)) => p.at != deck.at,
            // `deck complet`, `deck with sleeves`
            Value::Word(Tag::Kind(_)) => !complete(p) && !self.beside(p, Companions::accompany),
            _ => false,
        };
        let used = || {
            let mut names = self.chosen.of(Field::Name);
            is_use(self.line, deck.at) || names.any(|name| is_use(self.line, name.at))
        };
        deck.weak
            && (self.unread <= A_NAME || self.chosen.iter().any(complete))
            && self.any_name
            && self.one_at_most()
            && !self.one_known_print()
            && !of_card
            && !OF_CARD.iter().any(|&field| self.chosen.has(field))
            && !self.chosen.iter().any(other)
            && !used()
    }

    /// Whether words for a product are `set` right behind the name of the set that the one card is of.
    pub(super) fn is_set_of_name(&self, product: &Proposal) -> bool {
        let text = self.line.text(product.at as usize, product.end as usize);
        let behind = |set: &Proposal| set.end == product.at;
        text == SET && self.placed && self.one_card() && self.chosen.of(Field::Set).any(behind)
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

    /// Whether words mean a graded pack of the set that is named right before them: `Jungle Pack 1st
    /// Edition-Scyther Foil PSA 8`.
    pub(super) fn is_graded_pack(&self, product: &Proposal, word: u16) -> bool {
        let before = |p: &Proposal| p.end == product.at && PACK_OF.contains(&p.field);
        self.grades > 0
            && self.set
            && !self.numbered
            && self.dictionary.sealed[usize::from(word)] == PACK
            && (!product.weak || self.chosen.iter().any(before))
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

/// The kind of words for pictures, which are said of a card's, too: `Japanese print`.
const ART: &str = "art_print";

/// The kind of products that are collections.
const COLLECTION: &str = "premium_collection";
/// The kind of words for a bundle, and the word for what most of them are of.
const BUNDLE: &str = "booster_bundle";
const BOOSTER: &str = "booster";

/// What is said right before a pack.
const PACK_OF: [Field; 2] = [Field::Set, Field::Edition];

/// The kind of words for several cards of any sort: `Bulk`, `full of cards`.
const LOT: &str = "lot";

/// A title without a name that has so many marks of names lists kinds of cards.
const MARKS_OF_LIST: u32 = 3;

/// Whether the title lists marks of names: `Various Pokemon Cards - V, VMAX, GX`.
pub(super) fn lists_marks(facts: &Facts<'_>) -> bool {
    let marks = facts.proposals.iter().filter_map(|p| match p.value {
        Value::Word(Tag::Affix(mark)) => Some(mark),
        _ => None,
    });
    let marks = marks.fold(0u64, |marks, mark| marks | 1 << (mark % 64));
    marks.count_ones() >= MARKS_OF_LIST
}

/// Whether a title without a number names three cards or more of one game by names that many of its
/// cards bear, and that are no subjects': `Luffy leader + Zoro leader + Law leader`.
pub(super) fn lists_names(facts: &Facts<'_>, numbers: usize) -> bool {
    if numbers != 0 || facts.numbered || facts.chosen.of(Field::Name).nth(LEAST_NAMES - 1).is_none()
    {
        return false;
    }
    let mut cores: Vec<u32> = Vec::new();
    for name in facts.names.iter().filter(|name| name.chosen) {
        if name.subject {
            return false;
        }
        let apart = facts.names.iter().all(|other| {
            !other.chosen || other.core == name.core || other.end <= name.at || name.end <= other.at
        });
        let cards = (facts.catalogue.cores.get(name.core as usize)).map_or(0, |c| c.count.get());
        if apart && cards >= LEAST_OF_NAME && !cores.contains(&name.core) {
            cores.push(name.core);
        }
    }
    let games = |core: &u32| facts.stats.games_of_core(facts.catalogue, *core);
    cores.len() >= LEAST_NAMES && cores.iter().fold(u32::MAX, |all, core| all & games(core)) != 0
}

/// The fewest names that are a list.
const LEAST_NAMES: usize = 3;
/// The fewest cards whose name is no everyday word by chance.
const LEAST_OF_NAME: u32 = 8;

/// Between goods and what fills them, and so many words that say of what kind this is.
const OF: &str = "of";
const FEW_WORDS: usize = 4;

/// A product, or cards, as keys have it.
pub(super) const SET: &str = "set";

/// Whether a word means one card.
fn is_one_card(word: &str) -> bool {
    ONE_CARD.contains(&word)
}

/// Whether a word means several cards.
pub(super) fn is_cards(word: &str) -> bool {
    CARDS.contains(&word)
}

/// Whether the title has such a word.
pub(super) fn says(facts: &Facts<'_>, is_such: impl Fn(&str) -> bool) -> bool {
    let mut tokens = facts.line.tokens().iter();
    tokens.any(|token| is_such(facts.line.text(token.at as usize, token.end as usize)))
}

/// Whether the title says that cards are sold, in a word that is not a game's name: `Paradox Rift cards`,
/// `Raw Card`; and in the plural in any: `Pokemon Cards`.
pub(super) fn says_cards(facts: &Facts<'_>) -> bool {
    let line = facts.line;
    let word = |token: &Token| line.text(token.at as usize, token.end as usize);
    let of_game = |at: u32| {
        let around = facts.chosen.covering(at).filter(|p| p.at <= at);
        around.is_some_and(|p| matches!(p.field, Field::Game | Field::Set))
    };
    let mut tokens = line.tokens().iter();
    tokens.any(|token| {
        let word = word(token);
        is_cards(word) || is_one_card(word) && !of_game(token.at)
    })
}

/// Whether a name, what it names called a card, is joined to another: `Cynthia Trainer Card & Riolu Card`.
pub(super) fn joins_cards(facts: &Facts<'_>) -> bool {
    let mut names = facts.chosen.of(Field::Name);
    let first = names.next();
    let called = |word: &str| is_one_card(word) || is_cards(word);
    first.is_some_and(|first| {
        names.any(|name| {
            let token = facts.line.token_at(name.at as usize);
            first.end < name.at
                && token > 2
                && facts.is_joined(name.at)
                && called(facts.word(token - 2))
        })
    })
}

/// Whether a subject is named twice, and a word or sign joins the two: `Radiant Venusaur & Venusaur V`.
pub(super) fn joins_twice(facts: &Facts<'_>) -> bool {
    let named = || {
        facts
            .names
            .iter()
            .filter(|name| name.chosen && name.subject)
    };
    let joins = |at: u32, end: u32| {
        at < end && JOINING.contains(&facts.line.text(at as usize, end as usize))
    };
    named().any(|a| {
        let mut others = named().filter(|b| a.core == b.core);
        others.any(|b| joins(a.end, b.at))
    })
}

/// Whether a sign joins two numbers with their totals, and nothing else stands between: `6/165 + 9/165`.
pub(super) fn joins_numbers(facts: &Facts<'_>) -> bool {
    let full = |n: &&NumberReading| {
        n.kind == NumberKind::Fraction && n.total_known && !n.is_share() && !n.is_score()
    };
    let numbers = || facts.numbers.iter().filter(full);
    numbers().any(|a| {
        numbers().any(|b| {
            let between = || facts.line.text(a.end as usize, b.at as usize);
            a.end < b.at && a.number != b.number && JOINING.contains(&between())
        })
    })
}

/// Whether a subject is named again right behind a word or sign that joins.
pub(super) fn names_again(facts: &Facts<'_>) -> bool {
    let mut named = facts.names.iter().filter(|n| n.chosen && n.subject);
    named.any(|again| {
        let mut all = facts.names.iter();
        facts.is_joined(again.at)
            && all.any(|n| n.chosen && n.core == again.core && n.end < again.at)
    })
}

/// Whether a title that names no card says `card`, a grade, one rarity or words that nothing explains,
/// none of which is a number or several things: `Pokemon Card - Yorunozu - Speed Wing`, `Pokemon Holo
/// Card`, `Fblthp Mirrodin MTG`.
pub(super) fn is_one_unnamed(facts: &Facts<'_>) -> bool {
    if facts.any_name || facts.numbered || !facts.latin {
        return false;
    }
    let words = || {
        let tokens = facts.line.tokens().iter();
        tokens.map(|t| (t, facts.line.text(t.at as usize, t.end as usize)))
    };
    let read = |at: u32| facts.chosen.iter().any(|p| p.at <= at && at < p.end);
    let card = says(facts, is_one_card);
    // `Trainer Card - Doku Gas`: beside the singular, a name ends so; but `WTS Pokemon card`
    let several = |(token, word): (&Token, &str)| {
        // `DRS RTR MTG`
        let initials = !card && token.upper && word.len() <= MOST_INITIALS;
        let ends_so = (!card || token.at == 0) && !initials && is_plural(token, word);
        is_cards(word) || !read(token.at) && (token.class == Class::Digit || ends_so)
    };
    // a rarity without a name may be of several cards: `2013 Pokemon Promos`
    let one = || {
        let mut rarities = facts.chosen.of(Field::Rarity);
        facts.unread > 0.0 && rarities.next().is_some() && rarities.next().is_none()
            || facts.grades > 0
            || card
            || facts.unread > A_NAME
                && words().filter(|(t, _)| !read(t.at)).count() <= WORDS_OF_NAME
    };
    one() && !words().any(several)
}

/// Whether a word ends as the name of several things does, and not as `Neos`, `Magus` or `Father's`.
fn is_plural(token: &Token, word: &str) -> bool {
    // the key has no apostrophe
    let owns = || token.norm_end - token.norm > token.end - token.at;
    word.ends_with('s') && !ENDS_OF_NAMES.iter().any(|end| word.ends_with(end)) && !owns()
}

/// Whether each of two names has a count of its own before it or behind it, or a condition or a price
/// behind it: `1x Mindsparker 1x Swat Away`, `Mindsparker x3 + Swat Away x3`, `Mindsparker NM, Swat
/// Away LP`.
pub(super) fn states_each(facts: &Facts<'_>) -> bool {
    let each = |says: &dyn Fn(&Proposal) -> bool| {
        let mut names = facts.chosen.of(Field::Name).filter(|name| says(name));
        names.nth(1).is_some()
    };
    let counted = |beside: fn(&Proposal, &Proposal) -> bool| {
        each(&|name| facts.has_count(|count, _| beside(count, name) && facts.counted_with_x(count)))
    };
    let rated = |name: &Proposal| {
        let mut conditions = facts.chosen.of(Field::Condition);
        conditions.any(|condition| condition.at == name.end)
    };
    facts.priced
        || each(&rated)
        || counted(|count, name| count.end == name.at)
        || counted(|count, name| name.end == count.at)
}

/// Whether words join two marks that make two cards of one name: `Leafeon V + VMAX`.
pub(super) fn joins_marks(facts: &Facts<'_>) -> bool {
    if facts.chosen.of(Field::Name).nth(1).is_none() {
        return false;
    }
    // those that make another card, and were read in a name
    let read = |mark: &Proposal| {
        let name = facts.chosen.covering(mark.at);
        name.is_some_and(|name| name.field == Field::Name && mark.inside(name))
    };
    let marks = || {
        facts.proposals.iter().filter_map(|p| match p.value {
            Value::Word(Tag::Affix(mark)) => {
                let mark = Marks::default().with(mark);
                let essential = mark.minus(facts.stats.essential).is_empty();
                (essential && read(p)).then_some((p, mark))
            }
            _ => None,
        })
    };
    let joined = |(a, mark): (&Proposal, Marks), (b, other): (&Proposal, Marks)| {
        mark != other && a.end < b.at && {
            let between = facts.line.text(a.end as usize, b.at as usize);
            facts.joins > 0 || JOINING.contains(&between)
        }
    };
    marks().any(|a| marks().any(|b| joined(a, b)))
}

/// Whether a subject is named twice, with two marks that make two cards: `Eevee V, Eevee VMAX`.
pub(super) fn names_two_cards(facts: &Facts<'_>) -> bool {
    let essential = facts.stats.essential;
    let marked = || facts.names.iter().filter(|name| name.subject);
    let own = |name: &NameClue| name.marks.common(essential);
    let apart = |a: &NameClue, b: &NameClue| {
        let (mark, other) = (own(a), own(b));
        a.core == b.core && a.end <= b.at && mark != other && !mark.is_empty() && !other.is_empty()
    };
    marked().any(|a| marked().any(|b| apart(a, b)))
}

/// Whether words for a sealed product are part of the name of a set that is read.
pub(super) fn is_product_of_set(facts: &Facts<'_>) -> bool {
    is_in_set(facts, |product, _| !product.weak)
}

/// Whether a Japanese title has the name of a set that is a product before the only name that it has.
pub(super) fn is_product_before_name(facts: &Facts<'_>) -> bool {
    let mut names = facts.chosen.of(Field::Name);
    let Some(name) = names.next().filter(|_| !facts.latin) else {
        return false;
    };
    names.next().is_none() && is_in_set(facts, |product, set| !product.weak && set.end <= name.at)
}

/// Whether words that may mean a sealed product begin the name of a set that is read, and say more
/// than it.
pub(super) fn is_pack_of_set(facts: &Facts<'_>) -> bool {
    is_in_set(facts, |product, set| {
        product.weak && product.at == set.at && product.end < set.end
    })
}

/// Whether words for a product are such a part of the name of a set that is read.
fn is_in_set(facts: &Facts<'_>, part: impl Fn(&Proposal, &Proposal) -> bool) -> bool {
    let sets = || facts.chosen.of(Field::Set);
    let product = |p: &&Proposal| matches!(p.value, Value::Word(Tag::Sealed(_)));
    let mut products = facts.proposals.iter().filter(product);
    products.any(|product| sets().any(|set| product.inside(set) && part(product, set)))
}

/// The code of a set has at most so many letters and digits: `SV11W`.
const LETTERS_OF_CODE: u32 = 5;

/// Counts the different numbers with totals in a title that the catalogue has, those with the code
/// of a set, and of several subjects those with a sign, right behind a name or behind the code of its
/// set: `Mew #8, Abra #63`, `Kubfu 093, Porygon2 117`, `Mew (MEW 8), Abra (MEW 63)`. Those with
/// letters count where a card of a name in the title has them, or of its set: `SWSH159 SWSH160`,
/// `Galarian Gallery GG35 GG36`.
pub(super) fn different_numbers(facts: &Facts<'_>) -> usize {
    let behind_name = |n: &NumberReading| {
        let mut names = facts.chosen.of(Field::Name);
        // `Inteleon SSH 58, Drizzile SSH 56`
        let mut sets = facts.chosen.of(Field::Set);
        let code = sets.find(|set| set.end == n.at && set.end - set.at <= LETTERS_OF_CODE);
        let at = code.map_or(n.at, |code| code.at);
        let behind = names.any(|name| name.end == n.at || name.end == at);
        // `Jynx ex 151` is a set
        let otherwise = |c: &Proposal| c.field != Field::Number && c.at < n.end && n.at < c.end;
        behind && !facts.chosen.iter().any(otherwise)
    };
    let numbered = |n: &NumberReading| {
        n.kind == NumberKind::Fraction && n.total_known && !n.is_share() && !n.is_score()
    };
    // beside a card's number, `9/10` is a verdict
    let scored = facts.numbers.iter().any(numbered);
    let fractions = || {
        facts.numbers.iter().filter(|n| match n.kind {
            NumberKind::Fraction if n.is_score() => n.total_known && !scored || n.coded,
            NumberKind::Fraction => numbered(n) || n.coded,
            NumberKind::Hash => n.coded || facts.all_subjects > 1 || facts.part,
            NumberKind::Bare => facts.all_subjects > 1 && behind_name(n),
            NumberKind::Prefixed => (n.coded || facts.is_of_title(n)) && !facts.is_in_name(n),
            _ => n.coded,
        })
    };
    let fractions = || fractions().filter(|n| !facts.is_shelf_mark(n));
    // `#4` and `4/102` are one
    let same = |a: &NumberReading, b: &NumberReading| {
        a.number == b.number && (a.total == b.total || a.kind != b.kind)
    };
    fractions()
        .enumerate()
        .filter(|(at, n)| {
            !fractions()
                .take(*at)
                .any(|before| same(before, n) || before.at < n.end && n.at < before.end)
        })
        .count()
}
