//! [`NumberReading`]s → proposals, and for those that are chosen, clues.

use super::settle::ask;
use super::{NumberKind, NumberReading, is_named, known_in, known_pair, named_pair};
use crate::attributes::hit::Hit;
use crate::attributes::query::Query;
use crate::catalogue::format::pack_number;
use crate::catalogue::{AliasKind, Columns, Entry};
use crate::parsed::Field;
use crate::reading::context::Context;
use crate::reading::{Chosen, Proposal, Value};

// How sure a shape is a collector number.
/// With a total that the catalogue has, and with another.
const KNOWN_FRACTION: f32 = 2.0;
const FRACTION: f32 = 1.5;
/// With the total first, if a card of the name has it so.
const TURNED_FRACTION: f32 = 2.2;
/// With a total of ten or of one digit, if some card of the name has it: `4/10`.
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
const SUBJECT: f32 = 1.2;
/// Digits only.
const BARE: f32 = 0.1;
/// `(/187)`.
const TOTAL: f32 = 1.5;

/// Proposes the readings.
pub(crate) fn propose(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    (numbers, hits): (&[NumberReading], &[Hit]),
    out: &mut Vec<Proposal>,
) {
    let fractions = numbers.iter().any(|n| n.kind == NumberKind::Fraction);
    let code_of_name = fractions && numbers.iter().any(|n| is_code_of_name(catalogue, hits, n));
    for (index, number) in numbers.iter().enumerate() {
        if number.end <= number.at {
            continue;
        }
        let named = |spans: fn(&Hit, &NumberReading) -> bool| {
            let name = |hit: &&Hit| hit.means.name && hit.whole;
            hits.iter().filter(name).any(|hit| spans(hit, number))
        };
        let is_part = match number.kind {
            // `Crawling Dragon #2`, `#17 Leviathan Dragon`
            NumberKind::Hash => named(|hit, n| {
                hit.at < n.at && hit.end == n.end || hit.at == n.at && hit.end > n.end
            }),
            // `No. 101: Silent Honor ARK`
            NumberKind::Subject => named(|hit, n| hit.at == n.at && hit.end > n.end),
            NumberKind::Fraction => is_in_code(catalogue, (numbers, hits), number),
            NumberKind::Prefixed | NumberKind::Bare | NumberKind::Total => false,
        };
        if is_part {
            continue;
        }
        let same = number.total != 0 && number.number == number.total && number.digits <= 3;
        let short = || {
            number.total_at.1 - number.total_at.0 == 1
                || number.total_digits == 10 && number.total == pack_number("10")
        };
        let small = same || number.is_share() || number.kind == NumberKind::Fraction && short();
        let quality = match number.kind {
            // `102/15`
            NumberKind::Fraction if number.turned => {
                let named = hits.iter().any(|hit| hit.means.subject);
                let written = NumberReading {
                    number: number.total,
                    total: number.number,
                    ..*number
                };
                if !named
                    || named_pair(catalogue, hits, &written)
                    || !named_pair(catalogue, hits, number)
                {
                    continue;
                }
                TURNED_FRACTION
            }
            // `10/10`, `1/1`, `1/2`: a count or a verdict, unless a card has it
            // `1/2 price`: the few sets of so few cards print `001/002`
            NumberKind::Fraction
                if (1..10).contains(&number.total_digits)
                    && number.total_at.1 - number.total_at.0 == 1 =>
            {
                COUNT
            }
            NumberKind::Fraction if small && !named_pair(catalogue, hits, number) => COUNT,
            // `until 31/12`, `listed 12/03`
            NumberKind::Fraction
                if is_day(number)
                    && !known_pair(catalogue, number)
                    && (is_month(context, number) || !named_digits(catalogue, hits, number)) =>
            {
                COUNT
            }
            // `Card 7 of 20 Zoro OP01-001`
            NumberKind::Fraction if code_of_name && !named_pair(catalogue, hits, number) => COUNT,
            NumberKind::Fraction if small => SMALL_FRACTION,
            NumberKind::Fraction if number.total_known => KNOWN_FRACTION,
            NumberKind::Fraction => FRACTION,
            // `Statitik SL11`: the code of a set, and another card's number
            NumberKind::Prefixed
                if ends_name(hits, number)
                    || !named_number(catalogue, hits, number)
                    || is_of_other_game(catalogue, hits, number) =>
            {
                COUNT
            }
            NumberKind::Prefixed if fractions && !code_of_name => PREFIXED_BESIDE_FRACTION,
            NumberKind::Prefixed => PREFIXED,
            NumberKind::Hash if fractions => HASH_BESIDE_FRACTION,
            NumberKind::Hash => HASH,
            NumberKind::Subject => SUBJECT,
            NumberKind::Bare => BARE,
            NumberKind::Total => TOTAL,
        };
        out.push(Proposal::new(
            context.line,
            (number.at, number.end),
            Field::Number,
            Value::Number(index as u16),
            quality,
        ));
    }
}

/// Whether the code of a set and the digits before a slash are the number of a card by themselves, and
/// no card of the title's names has the total: `OP01 025/121`.
fn is_in_code(
    catalogue: &Columns<'_>,
    (numbers, hits): (&[NumberReading], &[Hit]),
    fraction: &NumberReading,
) -> bool {
    let whole = |number: &NumberReading| {
        number.coded
            && number.at < fraction.at
            && (fraction.at..=fraction.end).contains(&number.end)
            && catalogue.number(number.number).is_some()
    };
    let pair = || {
        let number = catalogue.number(fraction.number);
        number.zip(catalogue.number(fraction.total))
    };
    let of_names = |(number, total)| {
        let mut named = hits.iter().filter(|hit| hit.means.name);
        named.any(|hit| hit.prints(catalogue, number, Some(total)))
    };
    numbers.iter().any(whole) && !pair().is_some_and(of_names)
}

/// Whether a number with the code of a set is that of a card of one of the names in the title.
fn is_code_of_name(catalogue: &Columns<'_>, hits: &[Hit], number: &NumberReading) -> bool {
    let place = || catalogue.number(number.number);
    let prints = |place: u32| {
        let mut names = hits.iter().filter(|hit| hit.means.name && hit.whole);
        names.any(|hit| hit.prints(catalogue, place, None))
    };
    number.coded && place().is_some_and(prints)
}

/// Asks for a number that was chosen, or that lies free and is not doubtful.
pub(crate) fn ask_proposal(
    catalogue: &Columns<'_>,
    number: &NumberReading,
    proposal: &Proposal,
    chosen: &Chosen,
    query: &mut Query,
) {
    let doubtful = number.kind == NumberKind::Prefixed
        || number.kind != NumberKind::Bare && proposal.weight <= 0.0;
    let free = || {
        chosen
            .covering(number.at)
            .is_none_or(|c| c.at >= number.end)
    };
    if proposal.chosen || free() && !doubtful {
        // `Reverse Holo 61 Pokemon Delta Species`
        let beside = chosen.iter().any(|c| {
            use Field::{Edition, Finish, Game, Name, Set};
            matches!(c.field, Name | Set | Finish | Edition | Game)
                && (c.end == number.at || c.at == number.end)
        });
        ask(catalogue, number, beside, query);
    }
}

/// Whether a number is not the code of a set, or a card of one of the names in the title has it. The
/// code of a set that other words name as well is no number; `XY` of `XY01` is no other word.
fn named_number(catalogue: &Columns<'_>, hits: &[Hit], number: &NumberReading) -> bool {
    let same = |hit: &Hit| hit.spans(number.at, number.end);
    let Some(code) = hits.iter().find(|hit| hit.means.set && same(hit)) else {
        return true;
    };
    let sets = |hit: &Hit| hit.sets(catalogue);
    let by_other_words = |hit: &Hit| {
        let named = |entry: Entry| {
            entry.quality() < AliasKind::Code as u8
                && sets(code).any(|other| other.id() == entry.id())
        };
        hit.means.set && hit.is_apart(number.at, number.end) && sets(hit).any(named)
    };
    // `Idol of Obivion C19`: cards of another set are numbered like codes
    let printed = |number: u32| {
        let mut names = hits.iter().filter(|hit| hit.means.name && !same(hit));
        names.any(|hit| hit.prints(catalogue, number, None))
    };
    !hits.iter().any(by_other_words) && catalogue.number(number.number).is_some_and(printed)
}

/// Whether the letters of a number are the code of a set, digits behind which number its cards, and
/// only other games have such a number, none of them of the title's names: `Delcatty LM 4`, where
/// Digimon has a card `LM-004`; but `Eevee/Snorlax GX SM169` is of the game of the two, whichever card
/// bears both, and `MP18-EN016` says its language, as numbers of its game alone do. Nor is the code of
/// a set of the games that the title names a number of another: `Digimon EX5 booster display`.
fn is_of_other_game(catalogue: &Columns<'_>, hits: &[Hit], number: &NumberReading) -> bool {
    let begins = |hit: &&Hit| hit.means.set && hit.at == number.at && hit.end <= number.end;
    let mut codes = hits.iter().filter(begins).peekable();
    if codes.peek().is_none() {
        return false;
    }
    let place = catalogue.number(number.number);
    if number.coded && number.games != u32::MAX && place.is_some() {
        return false;
    }
    let games = place.map_or(number.games, |n| {
        known_in(catalogue, catalogue.cards_of_number(n))
    });
    let elsewhere = |hit: &Hit| {
        let mut sets = catalogue.sets_named(hit.place);
        sets.any(|set| set.game_bit() & games == 0)
    };
    codes.any(|hit| {
        if hit.end == number.end {
            hit.games & games == 0
        } else {
            elsewhere(hit)
                && !is_subject_of(catalogue, hits, games)
                && !named_digits(catalogue, hits, number)
        }
    })
}

/// Whether the title names a subject of one of these games.
fn is_subject_of(catalogue: &Columns<'_>, hits: &[Hit], games: u32) -> bool {
    let of_games = |core: u32| {
        let card = catalogue.cards_of_core(core).first();
        let card = card.and_then(|card| catalogue.card_record(card.get()));
        let set = card.and_then(|card| catalogue.set_record(card));
        set.is_some_and(|set| set.game_bit() & games != 0)
    };
    let mut subjects = hits.iter().filter(|hit| hit.means.subject && hit.whole);
    games != u32::MAX && subjects.any(|hit| hit.cores(catalogue).any(of_games))
}

/// Whether the letters of a number are the end of a name: `Meloetta ex 047`, where a set of another
/// game numbers its cards `EX-47`.
fn ends_name(hits: &[Hit], number: &NumberReading) -> bool {
    let within = |hit: &Hit| hit.at < number.at && number.at < hit.end && hit.end < number.end;
    hits.iter().any(|hit| hit.means.subject && within(hit))
}

/// Whether a fraction may be a day and a month: `31/12`. A number above so small a total is no card's.
fn is_day(number: &NumberReading) -> bool {
    const DAYS: std::ops::RangeInclusive<u16> = 1..=31;
    const MONTHS: std::ops::RangeInclusive<u16> = 1..=12;
    DAYS.contains(&number.digits)
        && MONTHS.contains(&number.total_digits)
        && number.digits > number.total_digits
}

/// Whether the total of a fraction is a month in two digits, as no card prints one: `12/03`.
fn is_month(context: &Context<'_>, number: &NumberReading) -> bool {
    let (from, to) = number.total_at;
    let text = context.normalised.text();
    let total = text.get(from as usize..to as usize).unwrap_or("");
    total.len() == 2 && total.starts_with('0')
}

/// Whether a card of one of the names in the title has this number, whatever its total.
fn named_digits(catalogue: &Columns<'_>, hits: &[Hit], number: &NumberReading) -> bool {
    let place = catalogue.number(number.number);
    place.is_some_and(|n| is_named(catalogue, hits, n, None))
}
