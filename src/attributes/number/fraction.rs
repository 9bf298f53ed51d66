//! `4/102`, `TG12/TG30`, `098/SV-P`: numbers with a total.

use super::read::{
    DIGITS_BEHIND_CODE, DIGITS_OF_TIME, MAX_NUMBERS, Short, THOUSAND, open_left, open_right,
    reading,
};
use super::said::Said;
use super::{NumberKind, NumberReading, is_printed, known_pair, unscanned_byte};
use crate::catalogue::Columns;
use crate::catalogue::format::{SetRecord, pack_number};
use crate::reading::context::Context;
use crate::token::Class;
use crate::word_lists::DRAW_COUNTERS;

/// No set has so many cards that its total has so many digits.
const DIGITS_OF_THOUSANDS: usize = 4;

/// Where a number or a total stands in the text.
type Place = (usize, usize);

/// `4/102`, `TG12/TG30`, `098/SV-P`; not dates, not grades out of ten.
pub(super) fn fraction(
    said: &Said<'_>,
    number: Place,
    total: Place,
    grader_ends: &[u32],
) -> Option<NumberReading> {
    if says_other(said, number, total) || is_code(said, number, total) {
        return None;
    }
    let (context, catalogue) = (said.context, said.reference.catalogue);
    let text = context.normalised.text();
    let mut number = (begins(said, number, total)?, number.1);
    // a letter after the number belongs to it only if the catalogue has such a number
    if text.as_bytes()[number.1 - 1].is_ascii_alphabetic()
        && catalogue
            .number(pack_number(&text[number.0..number.1]))
            .is_none()
    {
        number.1 -= 1;
    }
    let mut found = reading(context, NumberKind::Fraction, number, Some(total));
    let written = &text[total.0..total.1];
    found.total_known = catalogue.number(found.total).is_some();
    if !found.total_known
        && let Some(dashed) = with_dash(written)
        && catalogue.number(dashed).is_some()
    {
        (found.total, found.total_known) = (dashed, true);
    }
    let letters = |b: u8| b.is_ascii_alphabetic() || b == b' ';
    if (written.bytes().all(letters) || written.contains(' ')) && !found.total_known {
        return None;
    }
    // a score of TAG, or one of so many prints
    if found.total_digits == THOUSAND {
        return None;
    }
    // `24/48h`; but `097/069 HR` is a rarity, and `47/145 Stunde der Wächter` a set
    let behind = context.line.token_at(found.end as usize);
    let short = |(at, end): (u32, u32)| end - at <= DIGITS_OF_TIME;
    if short(found.number_at) && short(found.total_at) && said.is_time(behind) {
        return None;
    }
    // `PSA 9/10` is a range, `SGC 98/10` an old scale
    if grader_ends.contains(&found.at) && found.total == pack_number("10") {
        return None;
    }
    Some(found)
}

/// Whether what stands before the slash is the code of a set, and its number stands behind it:
/// `オトスパスV/S2a/045`. Letters and digits may be a number, too: `SV1/SV94`.
fn is_code(said: &Said<'_>, number: Place, total: Place) -> bool {
    let text = said.context.normalised.text();
    let before = text[..number.1].bytes().rev();
    let from = number.1 - before.take_while(u8::is_ascii_alphanumeric).count();
    let (code, total) = (&text[from..number.1], &text[total.0..total.1]);
    if code.bytes().all(|b| b.is_ascii_digit()) || !total.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    let line = said.context.line;
    let (at, end) = (line.key_at(from) as u32, line.key_at(number.1) as u32);
    let mut hits = said.hits.iter();
    // `M-Glurak EX13/108`
    let mark = || {
        let letters = code.bytes().take_while(u8::is_ascii_alphabetic).count();
        letters > 1 && said.is_mark(from, from + letters)
    };
    let printed = || {
        let catalogue = said.reference.catalogue;
        is_printed(catalogue, pack_number(code), pack_number(total))
    };
    hits.any(|hit| hit.means.set && hit.spans(at, end)) && !printed() && !mark()
}

/// Whether a fraction is no number of a card, by itself or by what stands beside it: it is a date, points
/// of attack and defence, odds, or a part of a longer word.
fn says_other(said: &Said<'_>, number: Place, total: Place) -> bool {
    let text = said.context.normalised.text();
    let bytes = text.as_bytes();
    if bytes.get(total.1) == Some(&b'/') && bytes.get(total.1 + 1).is_some_and(u8::is_ascii_digit) {
        return true;
    }
    // `2500/2100`: attack and defence
    let thousands = |(from, to): Place| {
        to - from == DIGITS_OF_THOUSANDS && bytes[from..to].iter().all(u8::is_ascii_digit)
    };
    if thousands(number) && thousands(total) || said.is_in_noise(number.0, total.1) {
        return true;
    }
    // `1/50口`, `オリパ 1/50`: odds
    let draws = |word: &&str| text[total.1..].starts_with(*word);
    if DRAW_COUNTERS.iter().any(draws) || said.repack_before(number.0) {
        return true;
    }
    let lettered = || bytes[total.0..total.1].iter().any(u8::is_ascii_alphabetic);
    let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
    !open_right(bytes, total.1) || letter(bytes.get(total.1)) && lettered()
}

/// Where the number of a fraction begins: with the letters before its digits, or behind them where
/// they form no number of the catalogue and precede it by chance, as in `psa10 4/102`. `None` if it is a
/// part of something else.
fn begins(said: &Said<'_>, number: Place, total: Place) -> Option<usize> {
    let text = said.context.normalised.text();
    let bytes = text.as_bytes();
    // what stands before it is the code of a set
    if let Some(coded) = behind_code(said, number, total) {
        return Some(coded);
    }
    let (from, to) = number;
    let before = bytes[from..to].iter();
    let letters = before.take_while(|b| !b.is_ascii_digit()).count();
    let open = open_left(bytes, from);
    if letters == 0 {
        let letter = || {
            bytes
                .get(from.wrapping_sub(1))
                .is_some_and(u8::is_ascii_alphabetic)
        };
        return (open || letter()).then_some(from);
    }
    let own = open && are_of_number(said, number, letters, total);
    Some(if own { from } else { from + letters })
}

/// Whether so many letters before the digits of a fraction are a part of its number.
fn are_of_number(said: &Said<'_>, (from, to): Place, letters: usize, total: Place) -> bool {
    let catalogue = said.reference.catalogue;
    let text = said.context.normalised.text();
    let total = &text[total.0..total.1];
    let joined: Short = text[from..to]
        .bytes()
        .filter(|byte| !matches!(byte, b'-' | b' '))
        .collect();
    let joined = joined.text();
    let spaced = joined.len() < to - from;
    let prefix = &joined[..joined.bytes().take_while(u8::is_ascii_alphabetic).count()];
    let same = total.starts_with(prefix);
    let known = catalogue.number(pack_number(joined)).is_some();
    // `TG38/TG30`, which no card has, is no number 38
    let series = same && catalogue.number(pack_number(total)).is_some();
    let printed = |total: &str| is_printed(catalogue, pack_number(joined), pack_number(total));
    // `TG 15 / 30`, of `TG30`
    let total_of_series = || {
        let total: Short = prefix.bytes().chain(total.bytes()).collect();
        printed(total.text())
    };
    // `ガブリアスex006/165`: a mark of the name, if no card has it before these numbers
    let glued = || !spaced && (!said.is_mark(from, from + letters) || printed(total));
    series || known && (same || glued() || total_of_series())
}

/// A total that ends in `p` with the dash that is missing before it: `098/SVP` or `098/SV P` for
/// `098/SV-P`.
fn with_dash(total: &str) -> Option<u64> {
    let letters = total.strip_suffix('p')?;
    if letters.is_empty() || letters.contains('-') {
        return None;
    }
    let letters = letters.bytes().filter(|byte| *byte != b' ');
    let dashed: Short = letters.chain(*b"-p").collect();
    Some(pack_number(dashed.text()))
}

/// `s12113/098`: where a number begins behind the code of a set that ends in digits, if the set has
/// such a card.
fn behind_code(said: &Said<'_>, number: Place, total: Place) -> Option<usize> {
    let end = number.1;
    // a digit at least is of the code
    if end - number.0 <= DIGITS_BEHIND_CODE {
        return None;
    }
    let text = said.context.normalised.text();
    let catalogue = said.reference.catalogue;
    let at = end.checked_sub(DIGITS_BEHIND_CODE)?;
    let before = text.get(..at)?.bytes().rev();
    let code = before.take_while(u8::is_ascii_alphanumeric).count();
    let (code, own) = (text.get(at - code..at)?, text.get(at..end)?);
    let letters = code.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if letters == 0 || letters == code.len() || !digits(&code[letters..]) || !digits(own) {
        return None;
    }
    let place = catalogue.lexicon().get(code.as_bytes())?;
    let (number, total) = (
        catalogue.number(pack_number(own))?,
        catalogue.number(pack_number(&text[total.0..total.1]))?,
    );
    let mut sets = catalogue.sets_named(place);
    let printed = |set: &SetRecord| {
        let cards = catalogue.cards_of_set_numbered(set, number).iter();
        let mut cards = cards.filter_map(|card| catalogue.card_record(card.get()));
        cards.any(|card| card.total.get() == total)
    };
    sets.any(printed).then_some(at)
}

/// `102/15` for `15/102`: the total stands first, if some card has the pair the other way round.
pub(super) fn turned(catalogue: &Columns<'_>, reading: &NumberReading) -> Option<NumberReading> {
    let turned = NumberReading {
        number: reading.total,
        total: reading.number,
        number_at: reading.total_at,
        total_at: reading.number_at,
        digits: reading.total_digits,
        total_digits: reading.digits,
        total_known: true,
        turned: true,
        ..*reading
    };
    let possible = turned.digits < turned.total_digits && turned.digits > 0;
    (possible && known_pair(catalogue, &turned)).then_some(turned)
}

/// `4/1O2`, `2/l02`: letters for digits; `28_159`: what a file's name has for a slash; if some card
/// has the number and total that are meant.
pub(super) fn scanned(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    out: &mut Vec<NumberReading>,
) {
    let text = context.normalised.text();
    let bytes = text.as_bytes();
    let like = |b: &u8| b.is_ascii_digit() || matches!(b, b'o' | b'i' | b'l');
    let marks = context
        .line
        .tokens()
        .iter()
        .filter(|token| token.class == Class::Mark);
    let slashes = marks
        .map(|mark| mark.norm as usize)
        .filter(|&at| bytes.get(at) == Some(&b'/'));
    let lines = text.match_indices('_').map(|(at, _)| at);
    for slash in slashes.chain(lines) {
        let from = slash - bytes[..slash].iter().rev().take_while(|b| like(b)).count();
        let to = slash + 1 + bytes[slash + 1..].iter().take_while(|b| like(b)).count();
        let part = &text[from..to];
        let (letters, digits) = (
            part.bytes().any(|b| b.is_ascii_alphabetic()),
            part.bytes().filter(u8::is_ascii_digit).count(),
        );
        let short = slash - from > 3 || to - slash > 4 || slash == from || to - slash < 3;
        if !letters && bytes[slash] == b'/'
            || digits < 2
            || short
            || out.len() >= MAX_NUMBERS
            || !open_left(bytes, from)
            || bytes.get(to).is_some_and(u8::is_ascii_alphanumeric)
        {
            continue;
        }
        let mut found = reading(
            context,
            NumberKind::Fraction,
            (from, slash),
            Some((slash + 1, to)),
        );
        found.total_known = true;
        // `I/28` is an Unown's
        if bytes[slash] == b'/' && known_pair(catalogue, &found) {
            continue;
        }
        let meant =
            |part: &str| pack_number(part.bytes().map(unscanned_byte).collect::<Short>().text());
        (found.number, found.total) = (meant(&text[from..slash]), meant(&text[slash + 1..to]));
        found.scanned = true;
        if known_pair(catalogue, &found) {
            // `23l/091` is no 23 with a letter behind it
            out.retain(|n| {
                n.kind != NumberKind::Fraction || n.end <= found.at || found.end <= n.at
            });
            out.push(found);
        }
    }
}
