//! Digits that nothing marks as a number.

use super::prefixed::behind_series;
use super::read::{DIGITS_OF_TIME, MAX_NUMBERS, THOUSAND, reading, with_ending};
use super::said::Said;
use super::{NumberKind, NumberReading};
use crate::attributes::hit::number_card_of_set;
use crate::attributes::units::{Numbered, of_thousands};
use crate::reading::context::Context;
use crate::token::Class;
use crate::word_lists::NUMBER_COUNTERS;

/// The most digits of a number without any mark.
const DIGITS_ALONE: u32 = 3;

/// How many letters a game's codes of sets have, before a dash.
const LETTERS_OF_CODE: std::ops::RangeInclusive<u32> = 3..=4;

/// Digits that no other shape has taken: `POKEMON GAME 4 CHARIZARD`.
pub(super) fn bare(said: &Said<'_>, out: &mut Vec<NumberReading>) {
    let context = said.context;
    let taken = out.len();
    for (index, token) in context.line.tokens().iter().enumerate() {
        if out.len() >= MAX_NUMBERS {
            break;
        }
        if token.class != Class::Digit {
            continue;
        }
        let len = token.end - token.at;
        let word = context.word(index).as_bytes();
        let digits = (token.norm as usize, token.norm_end as usize);
        // `SLD 2311`: sets of many products
        let of_set = len == DIGITS_ALONE + 1 && said.set_has(digits);
        if len > DIGITS_ALONE + u32::from(word.first() == Some(&b'0') || of_set)
            || word.contains(&b'.')
            || is_cents(context, index)
            || is_dotted(context, token.norm_end as usize)
            || of_thousands(context, index)
        {
            continue;
        }
        if out[..taken]
            .iter()
            .any(|n| n.kind != NumberKind::Prefixed && n.at < token.end && token.at < n.end)
        {
            continue;
        }
        let end = || with_ending(said.reference.catalogue, context.normalised.text(), digits);
        // `PSTX 140p`, `flamigo par 106`, `Azurite Sea 56 x4`: a number of the set that is named, and no
        // measure or count
        let of_named_set = || {
            let end = end();
            let named = || number_card_of_set(said.reference.catalogue, context, said.hits, index);
            let long = || len == DIGITS_ALONE || is_before_copies(context, index) || named();
            let coded = said.is_behind_set(index) && long();
            (end > digits.1 || coded) && said.set_has((digits.0, end))
        };
        // the fraction's first number, or its last
        let behind_slash = index > 1 && context.word(index - 1) == "/";
        let first = if behind_slash { index - 2 } else { index };
        if said.is_no_number(first)
            || len == DIGITS_ALONE && is_of_unknown_code(said, index)
            // `191 Hour of Devastation`
            || said.units.around(index)
                && !of_named_set()
                && !(said.units.is_price(index + 1) && said.begins_set(index + 1))
            // `9/5発売`
            || len <= DIGITS_OF_TIME
                && context.word(index + 2).len() <= DIGITS_OF_TIME as usize
                && context.word(index + 1) == "/"
                && said.is_time(index + 3)
            || of_thousand(context, index)
            || of_clock(context, index)
        {
            continue;
        }
        let glued = index > 0 && token.glued && context.class(index - 1) == Some(Class::Latin);
        if glued && !is_behind_mark(said, index, len) {
            out.extend(behind_series(
                said,
                (token.norm as usize, token.norm_end as usize),
            ));
            continue;
        }
        // `Black Star Promo 26`: digits behind the word are the promo's number
        // `イーブイ【P】{173}`: shops write numbers in braces
        let behind = context.normalised.text().get(token.norm_end as usize..);
        let braces = || {
            context.before(index).ends_with('{') && behind.is_some_and(|text| text.starts_with('}'))
        };
        // `062番`
        let counted = || word.len() == 3 && NUMBER_COUNTERS.contains(&context.word(index + 1));
        let brackets = || index == 0 && is_bracketed_number(context);
        let kind = if of_set || said.promo_before(token.at) || braces() || counted() || brackets() {
            NumberKind::Hash
        } else if said.units.numbers((index, index)) == Some(Numbered::Subject) {
            NumberKind::Subject
        } else {
            NumberKind::Bare
        };
        out.push(reading(context, kind, (digits.0, end()), None));
    }
}

/// Whether `x` and a count stand behind a token, so that the `x` does not count with it: `56 x4`.
fn is_before_copies(context: &Context<'_>, index: usize) -> bool {
    let count = context.line.tokens().get(index + 2);
    context.word(index + 1) == "x"
        && count.is_some_and(|count| count.class == Class::Digit && count.glued)
}

/// Whether a dash binds digits to capitals that mean nothing here: `LOB-066` is a card of another
/// game, or a shop's code.
fn is_of_unknown_code(said: &Said<'_>, index: usize) -> bool {
    let context = said.context;
    let Some(code) = index.checked_sub(1) else {
        return false;
    };
    context.before(index) == "-"
        && context.class(code) == Some(Class::Latin)
        && context.line.tokens().get(code).is_some_and(|token| {
            LETTERS_OF_CODE.contains(&(token.end - token.at))
                && !token.glued
                && context.is_upper(token)
                && !said.is_known(token.at, token.end)
        })
}

/// Whether three digits are glued to a mark that is glued to a name in kana: `ルガルガンGX053 SM2L`.
fn is_behind_mark(said: &Said<'_>, index: usize, digits: u32) -> bool {
    let context = said.context;
    let mark = context.line.tokens().get(index - 1);
    let glued = || context.glued_before(index - 1) == Some(Class::Katakana);
    digits == DIGITS_ALONE
        && glued()
        && mark.is_some_and(|mark| {
            said.is_mark(mark.norm as usize, mark.norm_end as usize) && said.is_behind_name(mark.at)
        })
}

/// Whether the title begins with digits in brackets that are no count: `(195) Blitzle`, `(021) Houndoom`.
#[inline(never)]
pub(crate) fn is_bracketed_number(context: &Context<'_>) -> bool {
    const MOST_COUNTED: u32 = 60;
    let word = context.word(0);
    let no_count = || word.parse().is_ok_and(|count: u32| count > MOST_COUNTED);
    context.before(0).ends_with('(')
        && context.gap(0).starts_with(')')
        && (word.starts_with('0') || no_count())
}

/// Whether a token is what stands behind the point of a price: `.99`.
fn is_cents(context: &Context<'_>, token: usize) -> bool {
    let before = context.before(token);
    let point = before.strip_suffix('.');
    point.is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', '$', '£', '€']))
}

/// Whether more digits stand behind a point at byte `end`, as in a date: `25.12.2023`.
fn is_dotted(context: &Context<'_>, end: usize) -> bool {
    let behind = &context.normalised.text().as_bytes()[end..];
    behind.first() == Some(&b'.') && behind.get(1).is_some_and(u8::is_ascii_digit)
}

/// Whether a token is a part of a time of day: `7:00`.
fn of_clock(context: &Context<'_>, token: usize) -> bool {
    let colon = |left: usize| {
        let digits = |token| context.class(token) == Some(Class::Digit);
        context.gap(left) == ":" && digits(left) && digits(left + 1)
    };
    colon(token) || token > 0 && colon(token - 1)
}

/// Whether a token is the first number of `964/1000`.
fn of_thousand(context: &Context<'_>, token: usize) -> bool {
    let number = || context.word(token + 2).parse().unwrap_or(0);
    context.word(token + 1) == "/" && number() == THOUSAND
}
