//! Collector numbers: `4/102`, `TG12/TG30`, `098/SV-P`, `SWSH020`, `#4`, `4 of 102`, `No.006`, and
//! a bare `4`.
//!
//! What only looks like a number (dates, odds, grade ranges, `1/1`) is left to other rules or to the
//! catalogue.

mod bare;
mod codes;
mod fraction;
mod prefixed;
mod propose;
mod read;
mod refute;
mod said;
mod settle;
mod shape;
mod write;

pub(crate) use bare::is_bracketed_number;
pub(crate) use codes::{games_by_language, is_known, language_of};
pub(crate) use propose::{ask_proposal, propose};
pub(crate) use read::{DIGITS_BEHIND_CODE, read};
pub(crate) use refute::Refuted;
pub(crate) use settle::{refutes_japanese, settle};
pub(crate) use write::write;

use super::hit::Hit;
use super::query::Query;
use crate::catalogue::Columns;
use crate::catalogue::format::U24;

/// Two shares of a whole make this: `60/40`.
const HUNDREDTHS: u16 = 100;
/// The best verdict.
const BEST_SCORE: u16 = 10;

/// The shape of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberKind {
    /// With a total: `4/102`, `4 of 102`.
    Fraction,
    /// With letters, no total: `SWSH020`, `TG12`.
    Prefixed,
    /// `#4`.
    Hash,
    /// `No.006`: a Pokédex number on old Japanese cards, else a collector number.
    Subject,
    /// Digits only.
    Bare,
    /// A total without a number: `(/187)`.
    Total,
}

/// A number that the title may state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberReading {
    pub(crate) kind: NumberKind,
    /// Packed number.
    pub(crate) number: u64,
    /// Packed total; 0 if there is none.
    pub(crate) total: u64,
    /// The number's bytes in the normalised text.
    pub(crate) number_at: (u32, u32),
    /// The total's bytes in the normalised text.
    pub(crate) total_at: (u32, u32),
    /// Bytes of the key that the reading covers.
    pub(crate) at: u32,
    pub(crate) end: u32,
    /// The digits of the number, for Pokédex numbers.
    pub(crate) digits: u16,
    /// The digits of the total; 0 if there is none.
    pub(crate) total_digits: u16,
    /// The total is one that the catalogue has.
    pub(crate) total_known: bool,
    /// It has letters for digits, as a scanner misreads them: `4/1O2`.
    pub(crate) scanned: bool,
    /// The total stands first: `102/15`.
    pub(crate) turned: bool,
    /// It begins with the code of a set, as a pattern of a game has it.
    pub(crate) coded: bool,
    /// The games of the catalogue whose cards can have it, a bit each.
    pub(crate) games: u32,
    /// The games whose pattern it has with the code of a set and no language, a bit each; where the
    /// title names some of them, those.
    pub(crate) patterns: u32,
    /// The title names them.
    pub(crate) of_stated: bool,
}

/// What a number that is read asks of the catalogue, and what the catalogue says of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberClue {
    pub(crate) kind: NumberKind,
    /// Its place among the catalogue's numbers; `None` if the catalogue has no such number.
    pub(crate) number: Option<u32>,
    pub(crate) total: Option<u32>,
    pub(crate) has_total: bool,
    pub(crate) digits: u16,
    /// The digits of the total.
    pub(crate) total_digits: u16,
    /// The games of the catalogue whose cards can have it, a bit each.
    pub(crate) games: u32,
    /// The games that have a card with it; all if the catalogue has one game.
    pub(crate) known_in: u32,
    /// The games that write their numbers so, with the code of a set, a bit each.
    pub(crate) patterns: u32,
    /// It begins with the code of a set.
    pub(crate) coded: bool,
    /// It is right next to a name or a set.
    pub(crate) beside: bool,
    /// Nothing of its own says that it is a number, neither a sign nor a total: `Promo 32`.
    pub(crate) unsigned: bool,
    /// Whether the catalogue refutes it: by the other numbers of its code, then together with the names
    /// of the title.
    pub(crate) refuted: Refuted,
    /// Information in agreeing, in nats: on number and total, on the total only, on the number
    /// only.
    pub(crate) idf_pair: f32,
    pub(crate) idf_total: f32,
    pub(crate) idf: f32,
}

impl NumberReading {
    /// Whether it is two shares of a whole: `60/40 centering`.
    pub(crate) fn is_share(&self) -> bool {
        self.kind == NumberKind::Fraction
            && self.digits + self.total_digits == HUNDREDTHS
            && (self.digits >= self.total_digits || self.turned)
    }

    /// Whether it may be a verdict of ten: `corners 9/10`.
    pub(crate) fn is_score(&self) -> bool {
        self.kind == NumberKind::Fraction && self.total_digits == BEST_SCORE
    }
}

/// The digits of a number that follow its letters or its code: `119` of `OP05-119`, which labels
/// print as `#119`.
pub(crate) fn digits_of(printed: &str) -> &str {
    let bytes = printed.as_bytes();
    let number = bytes
        .iter()
        .rposition(|&byte| byte == b'-')
        .map_or(0, |at| at + 1);
    let digits = bytes[number..].iter().position(u8::is_ascii_digit);
    digits.map_or("", |at| &printed[number + at..])
}

fn unscanned_byte(byte: u8) -> u8 {
    match byte {
        b'o' | b'O' => b'0',
        b'i' | b'l' | b'I' | b'L' => b'1',
        _ => byte,
    }
}

/// Whether some card of one of the names in the title has this number and total; some card at all,
/// if no name is read.
fn named_pair(catalogue: &Columns<'_>, hits: &[Hit], number: &NumberReading) -> bool {
    let pair = catalogue
        .number(number.number)
        .zip(catalogue.number(number.total));
    pair.is_some_and(|(n, t)| is_named(catalogue, hits, n, Some(t)))
}

/// Whether a card of one of the names in the title has a number, and the total if one is given; some
/// card at all, if no name is read.
#[inline(never)]
fn is_named(catalogue: &Columns<'_>, hits: &[Hit], number: u32, total: Option<u32>) -> bool {
    let mut named = hits.iter().filter(|hit| hit.means.subject).peekable();
    if named.peek().is_none() {
        let cards = match total {
            Some(total) => catalogue.cards_of_number_and_total(number, total),
            None => catalogue.cards_of_number(number),
        };
        return !cards.is_empty();
    }
    named.any(|hit| hit.prints(catalogue, number, total))
}

/// Whether some card has this number and total.
fn known_pair(catalogue: &Columns<'_>, number: &NumberReading) -> bool {
    is_printed(catalogue, number.number, number.total)
}

/// The same of a packed number and a packed total.
fn is_printed(catalogue: &Columns<'_>, number: u64, total: u64) -> bool {
    let pair = catalogue.number(number).zip(catalogue.number(total));
    pair.is_some_and(|(n, t)| !catalogue.cards_of_number_and_total(n, t).is_empty())
}

/// Whether a card of one of the title's names prints this number and this total.
fn is_of_names(catalogue: &Columns<'_>, query: &Query, number: u32, total: u32) -> bool {
    let mut names = query.names.iter();
    names.any(|name| catalogue.core_prints(name.core, number, Some(total)))
}

/// More cards than say anything of which games have a number.
const MANY_CARDS: usize = 64;

/// The games of the catalogue that have one of `cards`, a bit each; all if they are many, or none.
pub(crate) fn known_in(catalogue: &Columns<'_>, cards: &[U24]) -> u32 {
    if catalogue.game_count() <= 1 || cards.is_empty() || cards.len() > MANY_CARDS {
        return u32::MAX;
    }
    let set = |card: &U24| catalogue.set_record(catalogue.card_record(card.get())?);
    let sets = cards.iter().filter_map(set);
    sets.fold(0, |games, set| games | set.game_bit())
}

#[cfg(test)]
mod tests {
    use crate::catalogue::Catalogue;
    use crate::catalogue::format::{NONE, U24};

    /// [`Columns::core_prints`] says what the cards of the number and the total say.
    #[test]
    fn cards_of_a_name_print_what_the_cards_of_a_number_do() {
        let catalogue =
            Catalogue::open(titledex_embedded::INDEX).expect("the embedded catalogue opens");
        let catalogue = catalogue.columns();
        let bears = |card: &U24, core: u32| {
            let record = catalogue.card_record(card.get());
            let name = record.and_then(|record| catalogue.name_record(record));
            name.is_some_and(|name| name.core.get() == core)
        };
        let mut before = 0;
        for record in catalogue.cards.iter().filter(|r| r.number.get() != NONE) {
            // the name of this card, and that of one before it, which seldom has the same number
            let core = catalogue.name_record(record).map_or(0, |n| n.core.get());
            let (number, total) = (record.number.get(), record.total.get());
            for core in [core, before] {
                let printed = catalogue.cards_of_number(number);
                let paired = catalogue.cards_of_number_and_total(number, total);
                assert_eq!(
                    catalogue.core_prints(core, number, None),
                    printed.iter().any(|card| bears(card, core))
                );
                assert_eq!(
                    catalogue.core_prints(core, number, Some(total)),
                    paired.iter().any(|card| bears(card, core))
                );
            }
            before = core;
        }
    }
}
