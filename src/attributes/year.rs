//! The year that a title states.

use super::surroundings::{Count, push_count};
use super::units::UnitWords;
use super::writer::Writer;
use crate::dictionary::Game;
use crate::parsed::Field;
use crate::reading::{Proposal, Value};
use crate::token::Class;
use crate::word_lists::{COPYRIGHT_HOLDERS, YEAR_COUNTERS};

/// The first cards of any game are of 1993; a title may promise next year's.
pub(super) const YEARS: std::ops::RangeInclusive<u32> = 1993..=2030;
/// Digits of a year.
pub(crate) const DIGITS: usize = 4;
/// Confidence in four digits in that range as a year.
const QUALITY: f32 = 1.6;

/// Confidence in years as those of a copyright line.
const COPYRIGHT: f32 = 1.9;
/// The most years of such a line.
const MOST_YEARS: usize = 5;

/// The last token of the years of a copyright line that begins with a year: `1995, 96, 98 Nintendo`.
/// They say when the card was drawn, not when it was printed.
fn copyright(count: &Count<'_, '_>) -> Option<usize> {
    let Count {
        context,
        index,
        number,
        ..
    } = *count;
    let mut last = index;
    let mut year = number % 100;
    while last - index < MOST_YEARS && context.word(last + 1).len() == 2 {
        match context.word(last + 1).parse::<u32>() {
            Ok(next) if next > year => year = next,
            _ => break,
        }
        last += 1;
    }
    (last > index && COPYRIGHT_HOLDERS.contains(&context.word(last + 1))).then_some(last)
}

/// Whether Latin letters are glued to both sides of the digits: `C2000SHG` is no year.
fn in_code(count: &Count<'_, '_>) -> bool {
    let (context, latin) = (count.context, Some(Class::Latin));
    context.glued_before(count.index) == latin && context.glued_behind(count.index) == latin
}

/// The years of the last century that two digits before `年` say: `96年11月号`.
const SHORT_YEARS: std::ops::RangeInclusive<u32> = 93..=99;
/// The century of those.
const CENTURY: u32 = 1900;
/// Two digits up to these are of the century after it.
const MOST_SHORT: u32 = 30;

/// Whether digits are a year.
pub(crate) fn is_year(digits: &str) -> bool {
    digits.len() == DIGITS && digits.parse().is_ok_and(|year| YEARS.contains(&year))
}

/// Whether a year is the first part of a date, in which the title says when it was written: `2024-05-01`.
fn begins_date(count: &Count<'_, '_>) -> bool {
    let (context, index) = (count.context, count.index);
    let part = |at: usize| {
        matches!(context.gap(at), "-" | ".")
            && context.class(at + 1) == Some(Class::Digit)
            && context.word(at + 1).len() <= 2
    };
    part(index) && part(index + 1)
}

/// Proposes four digits, or two behind an apostrophe, as a year.
pub(crate) fn propose(count: &Count<'_, '_>, units: &UnitWords<'_>, out: &mut Vec<Proposal>) {
    let index = count.index;
    if count.word.len() == 2
        && SHORT_YEARS.contains(&count.number)
        && YEAR_COUNTERS.contains(&count.after)
    {
        let year = (CENTURY + count.number, QUALITY);
        push_count(count.context, Field::Year, (index, index + 1), year, out);
    }
    // `Team Rocket '00`
    let before = count.context.before(index);
    let short = count.word.len() == 2 && (before == " '" || index == 0 && before == "'");
    let next = count.number <= MOST_SHORT;
    let number = CENTURY + count.number + if next { 100 } else { 0 };
    if short && YEARS.contains(&number) {
        let year = (number, QUALITY);
        push_count(count.context, Field::Year, (index, index), year, out);
    }
    if count.word.len() == 4
        && YEARS.contains(&count.number)
        && let Some(last) = copyright(count)
    {
        count.push(Field::Noise, (index, last), COPYRIGHT, out);
    } else if count.word.len() == 4
        && YEARS.contains(&count.number)
        && count.before != "#"
        && count.before != "/"
        && count.after != "/"
        && !in_code(count)
        && !units.are_of_price(index)
        && !begins_date(count)
    {
        count.push(Field::Year, (index, index), QUALITY, out);
        if YEAR_COUNTERS.contains(&count.after) {
            count.push(Field::Year, (index, index + 1), QUALITY, out);
        }
    }
}

/// Writes a year that was chosen; the first of a title counts.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>, year: u32) {
    writer.parsed.year.get_or_insert(year as u16);
}

/// If no year was chosen, writes one from inside the name of a set or an event: `McDonald's Collection
/// 2021` names a set and a year. In some games it says no year: `Core Set 2021` is of 2020.
pub(crate) fn write_of_set(writer: &mut Writer<'_, '_, '_>) {
    let only_named = |game: &Game| game.years_in_set_names;
    if writer.parsed.year.is_some() || writer.game.is_some_and(only_named) {
        return;
    }
    let readings = writer.readings;
    let inside = |p: &&Proposal| {
        p.field == Field::Year
            && readings
                .chosen
                .iter()
                .any(|c| matches!(c.field, Field::Set | Field::Stamp) && p.inside(c))
    };
    if let Some(Proposal {
        value: Value::Count(year),
        ..
    }) = readings.proposals.iter().find(inside)
    {
        writer.parsed.year = Some(*year as u16);
    }
}
