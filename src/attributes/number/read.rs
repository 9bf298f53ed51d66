//! Text → [`NumberReading`]s.

use super::bare::bare;
use super::codes::{codes, in_code};
use super::fraction::{fraction, scanned, turned};
use super::prefixed::{prefixed, run_on};
use super::said::{Said, is_promo};
use super::shape::{self, Range, Shape};
use super::{NumberKind, NumberReading, known_pair, named_pair};
use crate::attributes::hit::Hit;
use crate::attributes::language;
use crate::attributes::units::{Numbered, UnitWords};
use crate::catalogue::Columns;
use crate::catalogue::format::pack_number;
use crate::dictionary::{Tag, Tagged};
use crate::reading::context::Context;
use crate::reference::Reference;
use crate::token::{Class, Token};

/// More than any honest title has.
pub(super) const MAX_NUMBERS: usize = 48;

/// The digits of a number that follows the code of a set: `SVP085`, `OBF 223`.
pub(crate) const DIGITS_BEHIND_CODE: usize = 3;
/// The total of a verdict.
pub(super) const OF_TEN: &str = "10";
/// `#2021` and more digits are a year or an auction's number.
const DIGITS_BEHIND_HASH: usize = 3;

/// Finds all number shapes. `grader_ends` holds the key positions at which a grader's name ends,
/// `tags` the words of the dictionary, `hits` those of the catalogue, `stated` the games of the
/// catalogue that they name.
pub(crate) fn read(
    reference: &Reference<'_, '_>,
    context: &Context<'_>,
    units: &UnitWords<'_>,
    (tags, hits, stated): (&[Tagged], &[Hit], u32),
    grader_ends: &[u32],
    out: &mut Vec<NumberReading>,
) {
    let catalogue = reference.catalogue;
    let says = |tag: &Tagged| matches!(tag.tag, Tag::Language(at) if language::is_japanese(&reference.dictionary.languages[at as usize]));
    let mut said = Said {
        context,
        units,
        tags,
        hits,
        stated,
        reference,
        japanese: context.japanese || tags.iter().any(says),
        promo: tags.iter().any(|tag| is_promo(reference, tag)),
        verdict: None,
    };
    if reference.stats.codes != 0 {
        codes(&said, out);
    }
    let text = context.normalised.text();
    let mut from = 0;
    let mut judged = false;
    while from < text.len() && out.len() < MAX_NUMBERS {
        let Some((shape, start, end)) = shape::find(text, from) else {
            break;
        };
        // the first of a title alone, for each asks all names
        if let Shape::Fraction { number, total } = shape
            && !judged
            && &text[total.0..total.1] == OF_TEN
        {
            judged = true;
            said.verdict = said.verdict(number.1);
        }
        let behind = end.max(start + 1);
        from = match shape {
            Shape::Fraction { number, total } => {
                with_total(&said, (number, total), grader_ends, out).unwrap_or(behind)
            }
            Shape::Hash { number } => behind_hash(&said, start, number, out).unwrap_or(behind),
            Shape::Of { number, total } => {
                out.extend(count_of(&said, number, total));
                behind
            }
            Shape::Dashed { number, total } => dashed(&said, number, total, out).unwrap_or(behind),
            Shape::Subject { number } => of_subject(&said, start, number, out).unwrap_or(behind),
            Shape::Letter { number, total } => match of_letter(&said, number, total) {
                Some(reading) => {
                    out.push(reading);
                    behind
                }
                None => number.1,
            },
            Shape::Total { total } => {
                out.push(total_alone(&said, start, total));
                behind
            }
            Shape::Prefixed { number } => match prefixed(catalogue, &said, number) {
                Some(reading) => {
                    out.push(reading);
                    run_on(catalogue, context, &reading, out).unwrap_or(behind)
                }
                // `holo4/102`, `mew#4`: letters that belong to no number hide one
                None => text[number.0..]
                    .find(|c: char| c.is_ascii_digit() || c == '#')
                    .map_or(end, |digit| number.0 + digit.max(1)),
            },
        };
    }
    scanned(catalogue, context, out);
    if !out.iter().any(|number| number.kind == NumberKind::Fraction) {
        side_by_side(&said, grader_ends, out);
    }
    bare(&said, out);
}

/// Reads a number before a slash and its total. Returns where to go on if that is not behind both.
fn with_total(
    said: &Said<'_>,
    (number, total): (Range, Range),
    grader_ends: &[u32],
    out: &mut Vec<NumberReading>,
) -> Option<usize> {
    let catalogue = said.reference.catalogue;
    // `OP11-018/OP11-114`
    let in_codes = in_code(out, number.0) && in_code(out, total.0);
    if in_codes || said.is_no_number(said.token_to(number.1)) {
        return None;
    }
    if let Some(reading) = fraction(said, number, total, grader_ends) {
        out.push(reading);
        out.extend(turned(catalogue, &reading));
        return None;
    }
    // the part before the slash may still be a number with letters
    out.extend(prefixed(catalogue, said, number));
    Some(number.1)
}

/// Reads the number behind a `#` at byte `start`. Returns where to go on if that is not behind it.
fn behind_hash(
    said: &Said<'_>,
    start: usize,
    number: Range,
    out: &mut Vec<NumberReading>,
) -> Option<usize> {
    let context = said.context;
    let text = context.normalised.text();
    // `#10 of 99`
    if matches!(shape::find(text, number.0), Some((Shape::Of { .. }, at, _)) if at == number.0) {
        return Some(number.0);
    }
    // `#EB01-007` is read as a code, and `#6ED` is the code of a set
    if in_code(out, number.0) || is_code_of_set(said, number.0) {
        return None;
    }
    let number = (
        number.0,
        with_ending(said.reference.catalogue, text, number),
    );
    let number = (number.0, said.without_condition(number.1));
    let written = &text[number.0..number.1];
    if said.is_stock_mark(written) {
        return None;
    }
    // `#DMU107`: the code of a set, and a number
    let catalogue = said.reference.catalogue;
    if written.starts_with(|first: char| first.is_ascii_alphabetic())
        && catalogue.number(pack_number(written)).is_none()
        && let Some(reading) = prefixed(catalogue, said, number)
    {
        out.push(reading);
        return None;
    }
    let long = written.len() > DIGITS_BEHIND_HASH && written.bytes().all(|b| b.is_ascii_digit());
    if !open_right(text.as_bytes(), number.1) || long && !said.set_has(number) {
        return None;
    }
    let kind = match said.numbered(start, number.1) {
        None => NumberKind::Hash,
        Some(Numbered::Subject) => NumberKind::Subject,
        Some(Numbered::Goods) => return None,
    };
    out.push(NumberReading {
        at: context.line.key_at(start) as u32,
        ..reading(context, kind, number, None)
    });
    None
}

/// Reads two numbers side by side, without a slash or glued to each other, of which a card of a name in
/// the title has the second as its total: `Snorlax 11 64`, `Gumshoos 110:132`, `Exeggcute 192191`.
#[inline(never)]
fn side_by_side(said: &Said<'_>, grader_ends: &[u32], out: &mut Vec<NumberReading>) {
    let (context, catalogue) = (said.context, said.reference.catalogue);
    let digits = |token: &&Token| token.class == Class::Digit;
    if !said.hits.iter().any(|hit| hit.means.name && hit.whole) {
        return;
    }
    let tokens = context.line.tokens();
    for (index, token) in tokens.iter().enumerate() {
        let length = (token.norm_end - token.norm) as usize;
        let (number, total) = if !digits(&token) {
            continue;
        } else if length == 2 * DIGITS_BEHIND_CODE {
            let half = token.norm + DIGITS_BEHIND_CODE as u32;
            ((token.norm, half), (half, token.norm_end))
        } else {
            let apart = matches!(context.gap(index), " " | ":");
            let Some(next) = tokens.get(index + 1).filter(digits).filter(|_| apart) else {
                continue;
            };
            ((token.norm, token.norm_end), (next.norm, next.norm_end))
        };
        let range = |(from, to): (u32, u32)| (from as usize, to as usize);
        let (number, total) = (range(number), range(total));
        let lengths = [number, total].map(|(from, to)| to - from);
        // `PSA 10 64`
        let graded = grader_ends.contains(&token.at);
        let bytes = context.normalised.text().as_bytes();
        let whole = open_left(bytes, number.0)
            && !token.glued
            && ends_word(context.normalised.text(), total.1);
        if graded
            || !whole
            || said.units.around(index + 1)
            || lengths[0] > DIGITS_BEHIND_CODE
            || !(2..=DIGITS_BEHIND_CODE).contains(&lengths[1])
            || context.word(index + 2) == "/"
        {
            continue;
        }
        let found = reading(context, NumberKind::Fraction, number, Some(total));
        // the two halves of a LEGEND: `89 90`
        if found.digits + 1 != found.total_digits && is_pair_of_name(catalogue, said.hits, &found) {
            out.retain(|other| other.end <= found.at || found.end <= other.at);
            out.push(NumberReading {
                total_known: true,
                ..found
            });
            return;
        }
    }
}

/// Whether a card of a name in the title bears a number and its total.
fn is_pair_of_name(catalogue: &Columns<'_>, hits: &[Hit], number: &NumberReading) -> bool {
    let pair = catalogue
        .number(number.number)
        .zip(catalogue.number(number.total));
    pair.is_some_and(|(number, total)| {
        let mut names = hits.iter().filter(|hit| hit.means.name && hit.whole);
        names.any(|hit| hit.prints(catalogue, number, Some(total)))
    })
}

/// `4 of 102`; but not `listing 3 of 20`.
fn count_of(said: &Said<'_>, number: Range, total: Range) -> Option<NumberReading> {
    let bytes = said.context.normalised.text().as_bytes();
    let listed = said.numbered(number.0, total.1) == Some(Numbered::Goods);
    if listed || !open_left(bytes, number.0) || !open_right(bytes, total.1) {
        return None;
    }
    let mut found = reading(said.context, NumberKind::Fraction, number, Some(total));
    found.total_known = said.reference.catalogue.number(found.total).is_some();
    Some(found)
}

/// Reads `016-100`, of a card of that name. Returns where to go on if that is not behind it.
fn dashed(
    said: &Said<'_>,
    number: Range,
    total: Range,
    out: &mut Vec<NumberReading>,
) -> Option<usize> {
    // `OP 10-075` is read as a code
    if in_code(out, number.0) {
        return None;
    }
    let text = said.context.normalised.text();
    let bytes = text.as_bytes();
    let open = open_left(bytes, number.0) && !behind_dash(bytes, number.0);
    let reading = reading(said.context, NumberKind::Fraction, number, Some(total));
    let named = || named_pair(said.reference.catalogue, said.hits, &reading);
    if !open || !ends_word(text, total.1) || !named() {
        return Some(number.1);
    }
    out.push(NumberReading {
        total_known: true,
        ..reading
    });
    None
}

/// Whether the digits at byte `start` begin a word with letters that is the code of a set.
fn is_code_of_set(said: &Said<'_>, start: usize) -> bool {
    let (line, text) = (said.context.line, said.context.normalised.text());
    let word = &text[start..];
    let end = word.find(|c: char| !c.is_ascii_alphanumeric());
    let word = &word[..end.unwrap_or(word.len())];
    let (at, end) = (line.key_at(start), line.key_at(start + word.len()));
    let code = |hit: &Hit| hit.means.set && (hit.at as usize, hit.end as usize) == (at, end);
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.contains(|c: char| c.is_ascii_alphabetic())
        && said.hits.iter().any(code)
}

/// Reads `No.006`, which begins at byte `start`. Returns where to go on if that is not behind it.
fn of_subject(
    said: &Said<'_>,
    start: usize,
    number: Range,
    out: &mut Vec<NumberReading>,
) -> Option<usize> {
    let context = said.context;
    let bytes = context.normalised.text().as_bytes();
    if bytes.get(number.1) == Some(&b'/') {
        // `Nr. 23/102`
        return Some(number.0);
    }
    if !open_left(bytes, start) {
        return Some(start + 1);
    }
    // `item no. 5521`
    let of_goods = || said.numbered(start, number.1) == Some(Numbered::Goods);
    if open_right(bytes, number.1) && !of_goods() {
        let at = context.line.key_at(start) as u32;
        // `SM-P No.277`
        let kind = if said.names_series_before(start) {
            NumberKind::Hash
        } else {
            NumberKind::Subject
        };
        out.push(NumberReading {
            at,
            ..reading(context, kind, number, None)
        });
    }
    None
}

/// `A/28`: the Unown of one set are numbered by letters.
fn of_letter(said: &Said<'_>, number: Range, total: Range) -> Option<NumberReading> {
    let bytes = said.context.normalised.text().as_bytes();
    let mut found = reading(said.context, NumberKind::Fraction, number, Some(total));
    found.total_known = true;
    let open = open_left(bytes, number.0) && open_right(bytes, total.1);
    (open && known_pair(said.reference.catalogue, &found)).then_some(found)
}

/// `(/187)`, whose sign stands at byte `start`.
fn total_alone(said: &Said<'_>, start: usize, total: Range) -> NumberReading {
    let context = said.context;
    let number = (total.0, total.0);
    let found = reading(context, NumberKind::Total, number, Some(total));
    NumberReading {
        number: 0,
        digits: 0,
        at: context.line.key_at(start) as u32,
        total_known: said.reference.catalogue.number(found.total).is_some(),
        ..found
    }
}

/// Whether no letter or digit stands at byte `end`.
pub(super) fn ends_word(text: &str, end: usize) -> bool {
    let behind = text.as_bytes().get(end);
    !behind.is_some_and(u8::is_ascii_alphanumeric)
}

/// A number rewritten in a buffer of its own.
pub(super) type Short = crate::short::Short<LONGEST>;

/// No shape has a longer number or total, and longer codes are not read: of the games that are built
/// in the longest has 13 bytes, and a dash may be added.
pub(super) const LONGEST: usize = 16;

/// Whether byte `at` is not preceded by anything that would continue a number. A point behind a
/// letter ends a word: `n.078/198`.
pub(super) fn open_left(bytes: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| bytes.get(at));
    match before(1) {
        Some(b'.') => before(2).is_some_and(u8::is_ascii_alphabetic),
        before => before.is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'/'),
    }
}

/// Whether byte `at` follows a dash that joins it to a letter or digit: the `P` of `XY-P 213`.
pub(super) fn behind_dash(bytes: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| bytes.get(at));
    before(1) == Some(&b'-') && before(2).is_some_and(u8::is_ascii_alphanumeric)
}

/// Whether byte `at` does not continue a number.
pub(super) fn open_right(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        None => true,
        Some(b'/' | b'.' | b',' | b'%') => {
            !bytes.get(at + 1).is_some_and(u8::is_ascii_digit) && bytes.get(at) != Some(&b'%')
        }
        Some(b) => !b.is_ascii_digit(),
    }
}

pub(super) fn reading(
    context: &Context<'_>,
    kind: NumberKind,
    number: (usize, usize),
    total: Option<(usize, usize)>,
) -> NumberReading {
    let text = context.normalised.text();
    let space = text.as_bytes()[number.0..number.1].first() == Some(&b' ');
    let number = (number.0 + usize::from(space), number.1);
    let packed = |(from, to): (usize, usize)| pack_undashed(&text[from..to]);
    let digits = |(from, to): (usize, usize)| {
        let bytes = text[from..to].bytes().filter(u8::is_ascii_digit);
        bytes.fold(0u16, |n, b| {
            n.saturating_mul(10).saturating_add(u16::from(b - b'0'))
        })
    };
    let end = total.map_or(number.1, |t| t.1);
    NumberReading {
        kind,
        number: packed(number),
        total: total.map_or(0, |(from, to)| pack_number(&text[from..to])),
        number_at: (number.0 as u32, number.1 as u32),
        total_at: total.map_or((0, 0), |t| (t.0 as u32, t.1 as u32)),
        at: context.line.key_at(number.0) as u32,
        end: context.line.key_at(end) as u32,
        digits: digits(number),
        total_digits: total.map_or(0, digits),
        total_known: false,
        scanned: false,
        turned: false,
        coded: false,
        games: u32::MAX,
        patterns: 0,
        of_stated: false,
    }
}

/// No set has so many cards: what is of so many is a score, or a serial number.
pub(super) const THOUSAND: u16 = 1000;

/// The most digits of a day, a month or a count of hours.
pub(super) const DIGITS_OF_TIME: u32 = 2;

/// The end of a number with the letters or the mark that follow it, if the catalogue has such a
/// number: `45a`, `236★`, `288†`, `236s★`.
pub(super) fn with_ending(catalogue: &Columns<'_>, text: &str, number: (usize, usize)) -> usize {
    let behind = text.get(number.1..).unwrap_or("");
    let part = |c: &char| c.is_ascii_lowercase() || matches!(c, '★' | '☆' | '†');
    let mut end = number.1;
    let mut longest = end;
    for c in behind.chars().take_while(part) {
        end += c.len_utf8();
        if end - number.0 >= LONGEST {
            break;
        }
        let word = |c: char| c.is_ascii_alphanumeric();
        let closed = !c.is_ascii_lowercase() || !text[end..].starts_with(word);
        let packed = || pack_number(&text[number.0..end]);
        if closed && catalogue.number(packed()).is_some() {
            longest = end;
        }
    }
    longest
}

/// A number as the catalogue packs it, without dashes, since sellers put them anywhere.
pub(super) fn pack_undashed(text: &str) -> u64 {
    if text.as_bytes().contains(&b'-') {
        pack_number(
            text.bytes()
                .filter(|byte| *byte != b'-')
                .collect::<Short>()
                .text(),
        )
    } else {
        pack_number(text)
    }
}
