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

/// `4/102`, `TG12/TG30`, `098/SV-P`; not dates, not grades out of ten.
pub(super) fn fraction(
    said: &Said<'_>,
    mut number: (usize, usize),
    total: (usize, usize),
    grader_ends: &[u32],
) -> Option<NumberReading> {
    let (context, catalogue) = (said.context, said.reference.catalogue);
    let text = context.normalised.text();
    let bytes = text.as_bytes();
    if bytes.get(total.1) == Some(&b'/') && bytes.get(total.1 + 1).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    // `2500/2100`: attack and defence
    let thousands = |(from, to): (usize, usize)| {
        to - from == DIGITS_OF_THOUSANDS && bytes[from..to].iter().all(u8::is_ascii_digit)
    };
    if thousands(number) && thousands(total) {
        return None;
    }
    if said.is_in_noise(number.0, total.1) {
        return None;
    }
    // `1/50口`, `オリパ 1/50`: odds
    let draws = |word: &&str| text[total.1..].starts_with(*word);
    if DRAW_COUNTERS.iter().any(draws) || said.repack_before(number.0) {
        return None;
    }
    if !open_right(bytes, total.1)
        || bytes.get(total.1).is_some_and(u8::is_ascii_alphabetic)
            && text[total.0..total.1]
                .bytes()
                .any(|b| b.is_ascii_alphabetic())
    {
        return None;
    }
    let coded = behind_code(said, number, total);
    number.0 = coded.unwrap_or(number.0);
    // letters that form no number of the catalogue precede it by chance: `holo 4/102`,
    // `psa10 4/102`
    let letters = text[number.0..number.1]
        .bytes()
        .take_while(|b| !b.is_ascii_digit())
        .count();
    if coded.is_some() {
        // what stands before it is the code of a set
    } else if letters > 0 {
        let joined: Short = text[number.0..number.1]
            .bytes()
            .filter(|byte| !matches!(byte, b'-' | b' '))
            .collect();
        let joined = joined.text();
        let spaced = joined.len() < number.1 - number.0;
        let prefix = &joined[..joined.bytes().take_while(u8::is_ascii_alphabetic).count()];
        let same = text[total.0..total.1].starts_with(prefix);
        let known = catalogue.number(pack_number(joined)).is_some();
        // `TG38/TG30`, which no card has, is no number 38
        let series = same
            && catalogue
                .number(pack_number(&text[total.0..total.1]))
                .is_some();
        let printed = |total: &str| is_printed(catalogue, pack_number(joined), pack_number(total));
        // `TG 15 / 30`, of `TG30`
        let total_of_series = || {
            let total: Short = prefix
                .bytes()
                .chain(text[total.0..total.1].bytes())
                .collect();
            printed(total.text())
        };
        // `ガブリアスex006/165`: a mark of the name, if no card has it before these numbers
        let glued = || {
            !spaced
                && (!said.is_mark(number.0, number.0 + letters) || printed(&text[total.0..total.1]))
        };
        let belongs = series || known && (same || glued() || total_of_series());
        if !open_left(bytes, number.0) || !belongs {
            number.0 += letters;
            if number.0 > 0 && bytes[number.0 - 1].is_ascii_digit() {
                return None;
            }
        }
    } else if !open_left(bytes, number.0)
        && !bytes
            .get(number.0.wrapping_sub(1))
            .is_some_and(u8::is_ascii_alphabetic)
    {
        return None;
    }
    // a letter after the number belongs to it only if the catalogue has such a number
    if bytes[number.1 - 1].is_ascii_alphabetic()
        && catalogue
            .number(pack_number(&text[number.0..number.1]))
            .is_none()
    {
        number.1 -= 1;
    }
    let mut found = reading(context, NumberKind::Fraction, number, Some(total));
    let written = &text[total.0..total.1];
    found.total_known = catalogue.number(found.total).is_some();
    if !found.total_known && written.len() >= 2 && written.ends_with('p') && !written.contains('-')
    {
        // `098/SVP` or `098/SV P` for `098/SV-P`
        let dashed = pack_number(
            written
                .bytes()
                .take(written.len() - 1)
                .filter(|byte| *byte != b' ')
                .chain(*b"-p")
                .collect::<Short>()
                .text(),
        );
        if catalogue.number(dashed).is_some() {
            (found.total, found.total_known) = (dashed, true);
        }
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

/// `s12113/098`: where a number begins behind the code of a set that ends in digits, if the set has
/// such a card.
fn behind_code(said: &Said<'_>, number: (usize, usize), total: (usize, usize)) -> Option<usize> {
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
