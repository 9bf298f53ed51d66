//! Collector numbers: `4/102`, `TG12/TG30`, `098/SV-P`, `SWSH020`, `#4`, `4 of 102`, `No.006`, and
//! a bare `4`.
//!
//! Shapes: `domain` knowledge of the cards, eras in `docs/DESIGN.md`. What only looks like a number
//! (dates, odds, grade ranges, `1/1`) is left to other rules or to the catalogue.

mod read;
mod shape;

pub(crate) use read::{language_of, read};

use super::query::Query;
use super::writer::Writer;
use crate::catalogue::Columns;
use crate::catalogue::format::{U24, card_flag, pack_number};
use crate::math::information;
use crate::parsed::Field;
use crate::reading::context::Context;
use crate::reading::{Proposal, Value, covering};
use std::borrow::Cow;

// How sure a shape is a collector number.
/// With a total that the catalogue has, and with another.
const KNOWN_FRACTION: f32 = 2.0;
const FRACTION: f32 = 1.5;
/// With a total of ten or of one digit, if some card has it: `4/10`.
const SMALL_FRACTION: f32 = 0.8;
/// `10/10`, `1/1`, `1/2`: a count or a verdict.
const COUNT: f32 = 0.1;
/// With letters, as the catalogue has it; the same next to a number with a total.
const PREFIXED: f32 = 1.1;
const PREFIXED_BESIDE_FRACTION: f32 = 0.5;
/// `#4`; the same next to a number with a total.
const HASH: f32 = 1.8;
const HASH_BESIDE_FRACTION: f32 = 0.8;
/// `No.006`.
const DEX: f32 = 1.2;
/// Digits only.
const BARE: f32 = 0.1;
/// `(/187)`.
const TOTAL: f32 = 1.5;

/// Confidence in a Pokédex number. It is chosen if nothing else is a number.
const DEX_CONFIDENCE: f32 = 0.9;
/// Bonus for agreeing with the best candidate when one of several numbers is written. A shape is
/// worth at most 3.
const AGREES: i32 = 4;

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
    Dex,
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
    /// It begins with the code of a set, as a pattern of a game has it.
    pub(crate) coded: bool,
    /// The games of the catalogue whose cards can have it, a bit each.
    pub(crate) games: u32,
}

/// A number that the title may state.
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
    /// It is right next to a name or a set.
    pub(crate) beside: bool,
    /// Information in agreeing, in nats: on number and total, on the total only, on the number
    /// only.
    pub(crate) idf_pair: f32,
    pub(crate) idf_total: f32,
    pub(crate) idf: f32,
}

/// The digits of a number that follow its letters or its code: `119` of `OP05-119`, which labels
/// print as `#119`.
pub(crate) fn digits_of(printed: &str) -> &str {
    let number = printed
        .rsplit_once('-')
        .map_or(printed, |(_, number)| number);
    number.trim_start_matches(|c: char| !c.is_ascii_digit())
}

/// The digits that a scanner misreads as these letters.
pub(crate) fn unscanned(text: &str) -> String {
    text.chars()
        .map(|c| u8::try_from(c).map_or(c, |byte| unscanned_byte(byte).into()))
        .collect()
}

fn unscanned_byte(byte: u8) -> u8 {
    match byte {
        b'o' | b'O' => b'0',
        b'i' | b'l' | b'I' | b'L' => b'1',
        _ => byte,
    }
}

/// Whether some card has this number and total.
fn known_pair(catalogue: &Columns<'_>, number: &NumberReading) -> bool {
    let pair = catalogue
        .number(number.number)
        .zip(catalogue.number(number.total));
    pair.is_some_and(|(n, t)| {
        !catalogue
            .of_total(catalogue.cards_of_number(n), t)
            .is_empty()
    })
}

/// Proposes the readings.
pub(crate) fn propose(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    numbers: &[NumberReading],
    out: &mut Vec<Proposal>,
) {
    let key = context.line.key();
    let fractions = numbers.iter().any(|n| n.kind == NumberKind::Fraction);
    for (index, number) in numbers.iter().enumerate() {
        if number.end <= number.at {
            continue;
        }
        let same = number.total != 0 && number.number == number.total && number.digits <= 3;
        let short = number.total == pack_number("10") || number.total_at.1 - number.total_at.0 == 1;
        let small = same || number.kind == NumberKind::Fraction && short;
        let quality = match number.kind {
            // `10/10`, `1/1`, `1/2`: a count or a verdict, unless a card has it
            // `1/2 price`: the few sets of so few cards print `001/002`
            NumberKind::Fraction
                if (1..10).contains(&number.total_digits)
                    && number.total_at.1 - number.total_at.0 == 1 =>
            {
                COUNT
            }
            NumberKind::Fraction if small && !known_pair(catalogue, number) => COUNT,
            NumberKind::Fraction if small => SMALL_FRACTION,
            NumberKind::Fraction if number.total_known => KNOWN_FRACTION,
            NumberKind::Fraction => FRACTION,
            NumberKind::Prefixed if fractions => PREFIXED_BESIDE_FRACTION,
            NumberKind::Prefixed => PREFIXED,
            NumberKind::Hash if fractions => HASH_BESIDE_FRACTION,
            NumberKind::Hash => HASH,
            NumberKind::Dex => DEX,
            NumberKind::Bare => BARE,
            NumberKind::Total => TOTAL,
        };
        out.push(Proposal::new(
            key,
            (number.at, number.end),
            Field::Number,
            Value::Number(index as u16),
            quality,
        ));
    }
}

/// Asks for a number that was chosen, or that lies free and is not doubtful.
pub(crate) fn ask_proposal(
    catalogue: &Columns<'_>,
    number: &NumberReading,
    proposal: &Proposal,
    chosen: &[Proposal],
    query: &mut Query,
) {
    let doubtful = number.kind == NumberKind::Prefixed
        || number.kind != NumberKind::Bare && proposal.weight <= 0.0;
    let free = || covering(chosen, number.at).is_none_or(|c| c.at >= number.end);
    if proposal.chosen || free() && !doubtful {
        let beside = chosen.iter().any(|c| {
            matches!(c.field, Field::Name | Field::Set)
                && (c.end == number.at || c.at == number.end)
        });
        ask(catalogue, number, beside, query);
    }
}

/// Finds out whether all numbers are bare digits, and whether some are next to a name or a set.
pub(crate) fn settle(query: &mut Query) {
    let bare = |n: &NumberClue| n.kind == NumberKind::Bare && n.number.is_some();
    query.bare_beside = query.numbers.iter().all(bare) && query.numbers.iter().any(|n| n.beside);
}

/// More cards than say anything of which games have a number.
const MANY_CARDS: usize = 64;

/// The games of the catalogue that have one of `cards`, a bit each; all if they are many, or none.
fn known_in(catalogue: &Columns<'_>, cards: &[U24]) -> u32 {
    if catalogue.game_count() <= 1 || cards.is_empty() || cards.len() > MANY_CARDS {
        return u32::MAX;
    }
    let set = |card: &U24| catalogue.set_record(catalogue.card_record(card.get())?);
    let sets = cards.iter().filter_map(set);
    sets.fold(0, |games, set| games | set.game_bit())
}

/// Adds the clue of a number.
fn ask(catalogue: &Columns<'_>, reading: &NumberReading, beside: bool, query: &mut Query) {
    let cards = catalogue.card_count().max(1) as f32;
    let number = catalogue.number(reading.number);
    let total = (reading.total != 0)
        .then(|| catalogue.number(reading.total))
        .flatten();
    let postings = number.map_or(&[][..], |n| catalogue.cards_of_number(n));
    let pairs = total.map_or(0, |t| catalogue.of_total(postings, t).len());
    query.numbers.push(NumberClue {
        kind: reading.kind,
        number,
        total,
        has_total: reading.total != 0,
        digits: reading.digits,
        total_digits: reading.total_digits,
        games: reading.games,
        known_in: known_in(catalogue, postings),
        beside,
        idf_pair: information(cards, pairs as u32),
        idf_total: information(cards, total.map_or(1, |t| catalogue.total_count(t))),
        idf: information(cards, postings.len() as u32),
    });
}

/// The number: the one that the best card agrees with, else the best shape.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>) {
    let readings = writer.readings;
    let chosen = readings.chosen;
    let catalogue = readings.reference.catalogue;
    let text = readings.context.normalised.text();
    let top = writer
        .best
        .map(|r| (r.number.get(), r.flags.get() & card_flag::UNPRINTED != 0));
    let mut best: Option<(i32, usize)> = None;
    for proposal in chosen {
        let Value::Number(at) = proposal.value else {
            continue;
        };
        let reading = &readings.numbers[at as usize];
        let agrees =
            top.is_some_and(|(number, _)| catalogue.number(reading.number) == Some(number));
        let unprinted = top.is_some_and(|(_, unprinted)| unprinted);
        if reading.kind == NumberKind::Dex && (unprinted || top.is_none()) {
            writer.push(
                Field::DexNumber,
                reading.digits.to_string(),
                (reading.at, reading.end),
                DEX_CONFIDENCE,
            );
            continue;
        }
        let worth = i32::from(agrees) * AGREES
            + match reading.kind {
                NumberKind::Fraction => 3,
                NumberKind::Hash | NumberKind::Prefixed => 2,
                NumberKind::Dex => 1,
                NumberKind::Bare | NumberKind::Total => 0,
            };
        if best.is_none_or(|(w, _)| worth > w) {
            best = Some((worth, at as usize));
        }
        let confidence = writer.confidence(proposal);
        let value = text
            .get(reading.number_at.0 as usize..reading.number_at.1 as usize)
            .unwrap_or("")
            .to_uppercase();
        let value = if reading.scanned {
            unscanned(&value)
        } else {
            value
        };
        writer.push(Field::Number, value, (reading.at, reading.end), confidence);
    }
    if let Some((_, at)) = best {
        let reading = &readings.numbers[at];
        let slice = |(from, to): (u32, u32)| {
            let part = text.get(from as usize..to as usize).unwrap_or("").trim();
            let mut written = String::with_capacity(part.len());
            part.chars()
                .filter(|c| *c != ' ')
                .for_each(|c| written.extend(c.to_uppercase()));
            if reading.scanned {
                unscanned(&written)
            } else {
                written
            }
        };
        writer.parsed.number = Some(slice(reading.number_at))
            .filter(|n| !n.is_empty())
            .map(Cow::from);
        writer.parsed.total = Some(slice(reading.total_at))
            .filter(|t| !t.is_empty())
            .map(Cow::from);
    }
}
