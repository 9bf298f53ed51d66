//! What the words of a title say of its numbers.

use super::is_printed;
use super::read::{LONGEST, OF_TEN};
use crate::attributes::hit::{Hit, is_behind_set};
use crate::attributes::rarity;
use crate::attributes::units::{Numbered, UnitWords};
use crate::catalogue::format::{SetRecord, U24, pack_number};
use crate::dictionary::{GameKind, Tag, Tagged};
use crate::reading::context::{Context, ending, spanning};
use crate::reference::Reference;

/// The kind of packs that a shop puts together, of which a fraction is a chance.
const REPACK: &str = "repack";

/// A word for a promo has at least this many bytes; shorter ones are marks of a rarity.
const LETTERS_OF_PROMO: usize = 5;

/// The most digits of a number that begins with letters.
const MOST_BEHIND_LETTERS: usize = 3;

/// What the words of the title say of its numbers.
pub(super) struct Said<'t> {
    pub(super) context: &'t Context<'t>,
    pub(super) units: &'t UnitWords<'t>,
    /// Words of the dictionary, in the order of their ends.
    pub(super) tags: &'t [Tagged],
    /// Names and sets.
    pub(super) hits: &'t [Hit],
    /// The games of the catalogue that the title names, a bit each.
    pub(super) stated: u32,
    pub(super) reference: &'t Reference<'t, 't>,
    /// The title says Japanese, or is in Japanese.
    pub(super) japanese: bool,
    /// The title says promo.
    pub(super) promo: bool,
    /// The token of a verdict out of ten.
    pub(super) verdict: Option<usize>,
}

impl Said<'_> {
    /// Whether token `index` is a word for a game.
    pub(super) fn is_game(&self, index: usize) -> bool {
        let token = self.context.line.tokens()[index];
        let mut tags = spanning(self.tags, token.at, token.end);
        tags.any(|tag| matches!(tag.tag, Tag::Game(_)))
    }

    /// Whether a word for a promo ends at byte `at` of the key.
    pub(super) fn promo_before(&self, at: u32) -> bool {
        let mut tags = ending(self.tags, at, at).iter();
        tags.any(|tag| is_promo(self.reference, tag))
    }

    /// Whether the series of a promo, which its cards print as their total, ends before byte `start` of
    /// the folded text: `SM-P No.277`.
    pub(super) fn names_series_before(&self, start: usize) -> bool {
        let before = self.context.normalised.text()[..start].trim_end();
        let letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        let length = before.bytes().rev().take_while(letter).count();
        let series = &before[before.len() - length..];
        let known = || self.reference.catalogue.number(pack_number(series));
        length < LONGEST && series.ends_with("-p") && known().is_some()
    }

    /// Whether a word for packs of a shop's own ends before byte `start` of the folded text.
    pub(super) fn repack_before(&self, start: usize) -> bool {
        let at = self.context.line.key_at(start) as u32;
        let kinds = &self.reference.dictionary.kinds;
        let mut tags = ending(self.tags, at, at).iter();
        tags.any(|tag| matches!(tag.tag, Tag::Kind(kind) if kinds[kind as usize].0 == REPACK))
    }

    /// Whether the title says a sealed product, and no subject.
    pub(super) fn says_product_alone(&self) -> bool {
        let mut tags = self.tags.iter();
        tags.any(|tag| matches!(tag.tag, Tag::Sealed(_)))
            && !self.hits.iter().any(|hit| hit.means.subject && hit.whole)
    }

    /// Whether bytes `start..end` of the folded text end words that say nothing of a card: `Old School
    /// 93/94`.
    pub(super) fn is_in_noise(&self, start: usize, end: usize) -> bool {
        let line = self.context.line;
        let (at, end) = (line.key_at(start) as u32, line.key_at(end) as u32);
        let mut tags = ending(self.tags, end, end).iter();
        tags.any(|tag| tag.tag == Tag::Noise && tag.at < at)
    }

    /// Whether bytes `start..end` of the folded text are a mark of names or a rarity.
    pub(super) fn is_mark(&self, start: usize, end: usize) -> bool {
        let line = self.context.line;
        let (at, end) = (line.key_at(start) as u32, line.key_at(end) as u32);
        let mut tags = spanning(self.tags, at, end);
        tags.any(|tag| matches!(tag.tag, Tag::Affix(_) | Tag::Rarity(_)))
    }

    /// Whether the name or the code of a set ends right before a token.
    pub(super) fn is_behind_set(&self, token: usize) -> bool {
        is_behind_set(self.context.line, self.hits, token)
    }

    /// Whether the name of a subject ends at byte `at` of the key.
    pub(super) fn is_behind_name(&self, at: u32) -> bool {
        let mut hits = self.hits.iter();
        hits.any(|hit| hit.means.subject && hit.end == at)
    }

    /// Whether words of the dictionaries, names or sets end with bytes `at..end` of the key.
    pub(super) fn is_known(&self, at: u32, end: u32) -> bool {
        let ends = |from: u32, to: u32| from <= at && to == end;
        self.tags.iter().any(|tag| ends(tag.at, tag.end))
            || self.hits.iter().any(|hit| ends(hit.at, hit.end))
    }

    /// Whether bytes `start..end` of the folded text are a word for other goods: `PS4`.
    pub(super) fn is_goods(&self, start: usize, end: usize) -> bool {
        let line = self.context.line;
        let (at, end) = (line.key_at(start) as u32, line.key_at(end) as u32);
        let games = &self.reference.dictionary.games;
        let mut tags = spanning(self.tags, at, end);
        tags.any(|tag| match tag.tag {
            Tag::Game(game) => games[game as usize].kind == GameKind::Goods,
            _ => false,
        })
    }

    /// The token that ends at byte `end` of the folded text.
    pub(super) fn token_to(&self, end: usize) -> usize {
        let line = self.context.line;
        line.token_at(line.key_at(end - 1))
    }

    /// Whether the fraction whose first digits are token `index` numbers one of so many prints, is two
    /// years or a month of one, or a verdict.
    pub(super) fn is_no_number(&self, index: usize) -> bool {
        self.is_of_prints(index)
            || self.is_season(index)
            || self.is_of_year(index)
            || self.verdict == Some(index)
    }

    /// The token of the digits that end at byte `end` of the folded text, with a total of ten behind
    /// them, if they are a verdict: the title names a card, and none that has this number: `Lightning
    /// Bolt M11 condition 9/10`.
    pub(super) fn verdict(&self, end: usize) -> Option<usize> {
        const TEN: u32 = 10;
        let token = self.token_to(end);
        let number = self.context.word(token);
        let counts = number.parse().is_ok_and(|n: u32| (1..=TEN).contains(&n));
        let names = || self.hits.iter().any(|hit| hit.whole && hit.means.name);
        (counts && names() && !self.named_have(number, Some(OF_TEN))).then_some(token)
    }

    /// Whether a card of a name that the title has bears this number, and the total if one is given.
    pub(super) fn named_have(&self, number: &str, total: Option<&str>) -> bool {
        let catalogue = self.reference.catalogue;
        let known = |text| catalogue.number(pack_number(text));
        let (number, of) = (known(number), total.and_then(known));
        number
            .filter(|_| total.is_none() || of.is_some())
            .is_some_and(|number| {
                let mut names = self.hits.iter().filter(|hit| hit.means.name);
                names.any(|hit| hit.prints(catalogue, number, of))
            })
    }

    /// Whether what stands behind `#` is a shop's: `INV-0392`, as no number with letters has so many
    /// digits; or `R112`, a letter and a number that no card of a name in the title has.
    pub(super) fn is_stock_mark(&self, text: &str) -> bool {
        let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
        let names = || self.hits.iter().any(|hit| hit.means.name);
        let unknown = || names() && !self.named_have(text, None);
        text.bytes().any(|byte| byte.is_ascii_alphabetic())
            && (digits > MOST_BEHIND_LETTERS || digits + 1 == text.len() && unknown())
    }

    /// Whether the digits of token `index` are a year or a month, and a year follows, of which no card
    /// is: `1999/2000`, `12/2023`.
    pub(super) fn is_of_year(&self, index: usize) -> bool {
        const MONTHS: std::ops::RangeInclusive<u8> = 1..=12;
        let context = self.context;
        let year = |index: usize| {
            let word = context.word(index);
            word.len() == 4
                && begins_as_year(word.as_bytes())
                && word.bytes().all(|b| b.is_ascii_digit())
        };
        let month = || {
            context
                .word(index)
                .parse()
                .is_ok_and(|m| MONTHS.contains(&m))
        };
        context.word(index + 1) == "/"
            && year(index + 2)
            && (year(index) || month())
            && self
                .reference
                .catalogue
                .number(pack_number(context.word(index + 2)))
                .is_none()
    }

    /// Whether the digits of token `index` number one of so many prints: a word beside them says so,
    /// or one elsewhere and no card has the fraction: `Serialized Ragavan #448/500`.
    pub(super) fn is_of_prints(&self, index: usize) -> bool {
        let context = self.context;
        let catalogue = self.reference.catalogue;
        let printed = || {
            let packed = |index: usize| pack_number(context.word(index));
            is_printed(catalogue, packed(index), packed(index + 2))
        };
        self.units.are_serial(index)
            || self.units.say_serialized() && context.word(index + 1) == "/" && !printed()
    }

    /// Whether the digits of token `index` begin a season of the nineties, in a title of games that
    /// have no such card: `Old School 93/94 MTG`.
    pub(super) fn is_season(&self, index: usize) -> bool {
        const YEARS: std::ops::Range<u32> = 93..99;
        let context = self.context;
        if self.stated == 0 || context.word(index + 1) != "/" {
            return false;
        }
        let (year, next) = (context.word(index), context.word(index + 2));
        let begins = |year: u32| YEARS.contains(&year) && next.parse() == Ok(year + 1);
        year.parse().is_ok_and(begins) && !self.stated_have(year, next)
    }

    /// Whether a card of the games that the title names has this number and total.
    pub(super) fn stated_have(&self, number: &str, total: &str) -> bool {
        let catalogue = self.reference.catalogue;
        let number = catalogue.number(pack_number(number));
        let pair = number.zip(catalogue.number(pack_number(total)));
        let cards = pair.map_or(&[][..], |(number, total)| {
            catalogue.cards_of_number_and_total(number, total)
        });
        let set = |card: &U24| catalogue.set_record(catalogue.card_record(card.get())?);
        let mut sets = cards.iter().filter_map(set);
        sets.any(|set| set.game_bit() & self.stated != 0)
    }

    /// Whether a set that the title names has a card with the number at bytes `number` of the folded
    /// text; if the digits are likelier a year, one of a name that the title names.
    pub(super) fn set_has(&self, number: (usize, usize)) -> bool {
        let catalogue = self.reference.catalogue;
        let digits = &self.context.normalised.text()[number.0..number.1];
        let Some(number) = catalogue.number(pack_number(digits)) else {
            return false;
        };
        let has = |set: &SetRecord| {
            let mut cards = catalogue.cards_of_set_numbered(set, number).iter();
            cards.any(|card| !begins_as_year(digits.as_bytes()) || self.names(card.get()))
        };
        // `M21 228p`: promos of a set bear letters behind its numbers
        let lettered = digits.ends_with(|c: char| c.is_ascii_lowercase());
        let in_promos = |set: &SetRecord| {
            let first = catalogue.card_record(set.first.get());
            let related =
                first.map_or(&[][..], |card| self.reference.stats.related(card.set.get()));
            let mut related = related.iter();
            related.any(|&set| catalogue.sets.get(set as usize).is_some_and(&has))
        };
        let mut sets = self.hits.iter().filter(|hit| hit.means.set && hit.whole);
        sets.any(|hit| {
            let mut named = catalogue.sets_named(hit.place);
            named.any(|set| has(set) || lettered && in_promos(set))
        })
    }

    /// Whether a token is a word for time, and does not begin the name of a set: `73 Stunde der
    /// Wächter`.
    pub(super) fn is_time(&self, token: usize) -> bool {
        self.units.is_time(token) && !self.begins_set(token)
    }

    /// Whether a token begins the name of a set of several words.
    pub(super) fn begins_set(&self, token: usize) -> bool {
        let token = self.context.line.tokens().get(token);
        token.is_some_and(|token| {
            let longer = |hit: &Hit| hit.at == token.at && hit.end > token.end && hit.means.set;
            self.hits.iter().any(longer)
        })
    }

    /// Whether the title names a card.
    pub(super) fn names(&self, card: u32) -> bool {
        let catalogue = self.reference.catalogue;
        let core = catalogue.core_of_card(card);
        let mut names = self.hits.iter().filter(|hit| hit.means.name);
        names.any(|hit| hit.cores(catalogue).any(|named| Some(named) == core))
    }

    /// Whether bytes `from..to` of the folded text are a word of the dictionaries.
    pub(super) fn is_word(&self, (from, to): (usize, usize)) -> bool {
        let line = self.context.line;
        let (at, end) = (line.key_at(from) as u32, line.key_at(to) as u32);
        spanning(self.tags, at, end).next().is_some()
    }

    /// Whether the title names the card with these digits of a set with this code.
    pub(super) fn names_numbered(&self, code: &str, digits: &str) -> bool {
        let catalogue = self.reference.catalogue;
        let place = catalogue.lexicon().get(code.as_bytes());
        let number = catalogue.number(pack_number(digits));
        place.zip(number).is_some_and(|(place, number)| {
            catalogue.numbers_card(place, number, |card| self.names(card))
        })
    }

    /// Whether the title names a subject.
    pub(super) fn names_subject(&self) -> bool {
        self.hits.iter().any(|hit| hit.means.subject && hit.whole)
    }

    /// The end of a number that ends at byte `end` of the folded text, without the first letter of a
    /// condition that is glued to it: `#65NM`.
    pub(super) fn without_condition(&self, end: usize) -> usize {
        let bytes = self.context.normalised.text().as_bytes();
        let letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
        if !letter(end - 1) || !letter(end) {
            return end;
        }
        let at = self.context.line.key_at(end - 1) as u32;
        let condition = |tag: &Tagged| tag.at == at && matches!(tag.tag, Tag::Condition(_));
        if self.tags.iter().any(condition) {
            end - 1
        } else {
            end
        }
    }

    /// What bytes `start..end` of the folded text number, if a word beside them says so.
    pub(super) fn numbered(&self, start: usize, end: usize) -> Option<Numbered> {
        let line = self.context.line;
        let token = |at: usize| line.token_at(line.key_at(at));
        self.units.numbers((token(start), token(end - 1)))
    }
}

/// Whether a tag is a word for a promo; letters such as `P` are marks of a rarity.
pub(super) fn is_promo(reference: &Reference<'_, '_>, tag: &Tagged) -> bool {
    let long = (tag.end - tag.at) as usize >= LETTERS_OF_PROMO;
    long && matches!(tag.tag, Tag::Rarity(word) if rarity::is_promo(reference.dictionary, word))
}

/// Whether digits begin as years do; `2045` and `19`, too, which are none to `year.rs`.
fn begins_as_year(digits: &[u8]) -> bool {
    digits.starts_with(b"19") || digits.starts_with(b"20")
}
