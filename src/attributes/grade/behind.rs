//! What stands behind a grade and belongs to it: its label, qualifier, subgrades and certificate.

use super::read::REACH;
use super::title::TaggedTitle;
use super::{BEST, GradeReading};
use crate::attributes::year::is_year;
use crate::dictionary::{PhraseKind, Position, Tag};
use crate::math::decimal;
use crate::token::{Class, Line, Token};
use crate::word_lists::GRADE_QUALIFIERS;

/// A label that says less than this many halves more or less than the number belongs to it.
const LABEL_OFF: u8 = 3;
/// Number of digits of a certificate.
const CERT_DIGITS: std::ops::RangeInclusive<u32> = 7..=10;

/// Whether a token behind a grade belongs to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// It does, and is read.
    Read,
    /// It does not, and nothing behind it does.
    Ends,
    /// Another step may know it.
    Unknown,
}

/// A step of reading what stands behind a grade: the title, a token, and the grade up to there.
type StepBehind = fn(&TaggedTitle<'_, '_>, usize, &mut GradeReading) -> Behind;

/// The steps, of which the first counts that knows the token.
const STEPS_BEHIND: [StepBehind; 6] = [label, qualifier, autograph, brackets, note, certificate];

/// Reads what follows the number: label, qualifier, subgrades, score, certificate.
pub(super) fn behind(title: &TaggedTitle<'_, '_>, reading: &mut GradeReading) {
    let line = title.context.line;
    for _ in 0..REACH {
        let token = line.token_at(reading.end as usize);
        let Some(this) = line.tokens().get(token) else {
            break;
        };
        if title.context.before(token).contains(['|', '=', '?']) {
            break;
        }
        if title.context.word(token) == "+" && this.glued {
            reading.end = this.end;
            continue;
        }
        let mut steps = STEPS_BEHIND.iter().map(|step| step(title, token, reading));
        if steps.find(|step| *step != Behind::Unknown) != Some(Behind::Read) {
            break;
        }
    }
    // elsewhere in the title: `cert 12345678`
    if reading.cert_at.1 == 0 {
        let cert = line
            .tokens()
            .iter()
            .find(|token| is_cert_number(line, token));
        reading.cert_at = cert.map_or((0, 0), |token| (token.at, token.end));
    }
}

/// Where the words begin that a step looks at. Characters of one script are one token, and what is
/// read may end inside it: words before that end are read already.
fn unread_from(title: &TaggedTitle<'_, '_>, token: usize, reading: &GradeReading) -> u32 {
    let token = title.context.line.tokens().get(token);
    token.map_or(reading.end, |token| token.at.max(reading.end))
}

/// The label behind a number, which it must fit.
fn label(title: &TaggedTitle<'_, '_>, token: usize, reading: &mut GradeReading) -> Behind {
    let Some(stated) = reading.value else {
        return Behind::Unknown;
    };
    let from = unread_from(title, token, reading);
    let Some(words) = title.tag_from(from, |t| matches!(t, Tag::Label(_))) else {
        return Behind::Unknown;
    };
    let Tag::Label(found) = words.tag else {
        return Behind::Ends;
    };
    let value = title.dictionary.labels[found as usize].value;
    if value.is_some_and(|value| value.halves().abs_diff(stated.halves()) > LABEL_OFF) {
        return Behind::Ends;
    }
    if reading.label.is_none() {
        (reading.label, reading.label_at) = (Some(found), (words.at, words.end));
    }
    reading.end = words.end;
    Behind::Read
}

/// A qualifier of PSA's, in brackets or in capitals: `PSA 8 (OC)`.
fn qualifier(title: &TaggedTitle<'_, '_>, token: usize, reading: &mut GradeReading) -> Behind {
    let word = title.context.word(token);
    let name = (GRADE_QUALIFIERS.iter()).find(|q| q.eq_ignore_ascii_case(word));
    let this = title.context.line.tokens().get(token);
    let Some((name, this)) = name.zip(this) else {
        return Behind::Unknown;
    };
    // `[MC312]` is a shop's code
    let of_code = title.context.glued_behind(token) == Some(Class::Digit);
    if this.depth == 0 && !this.upper || reading.value.is_none() || of_code {
        return Behind::Unknown;
    }
    (reading.qualifier, reading.qualifier_at, reading.end) =
        (Some(*name), (this.at, this.end), this.end);
    Behind::Read
}

/// The grade of a signature: `PSA 9 AUTO 10`.
fn autograph(title: &TaggedTitle<'_, '_>, token: usize, reading: &mut GradeReading) -> Behind {
    let signed = |t: Tag| matches!(t, Tag::Printing(p) if title.dictionary.printings[p as usize].value == "signed");
    let from = unread_from(title, token, reading);
    if reading.value.is_some()
        && let Some(auto) = title.tag_from(from, signed)
        && let Some((value, end)) = title.value_at(title.context.line.token_at(auto.end as usize))
    {
        (reading.autograph, reading.autograph_at, reading.end) = (Some(value), (auto.at, end), end);
        return Behind::Read;
    }
    Behind::Unknown
}

/// Subgrades or a score in brackets: `(9.5/9/10/9)`, `(985)`, but not the collector number
/// `(037/053)`.
fn brackets(title: &TaggedTitle<'_, '_>, token: usize, reading: &mut GradeReading) -> Behind {
    let line = title.context.line;
    let opens = title.context.before(token).contains(['(', '[']);
    let digits = |this: &Token| this.class == Class::Digit && this.depth > 0;
    if !opens || reading.value.is_none() || !line.tokens().get(token).is_some_and(digits) {
        return Behind::Unknown;
    }
    let inside = || {
        line.tokens()[token..]
            .iter()
            .take_while(|t| t.depth > 0 && (t.class == Class::Digit || t.class == Class::Mark))
    };
    let grade = |text: &str| {
        decimal(text).is_some_and(|v| v <= f32::from(BEST))
            && !(text.len() > 1 && text.starts_with('0'))
    };
    // `PSA 6 (1999)`, `PSA 10 (2 copies)`
    let behind = inside().count() + token;
    if is_year(title.context.word(token)) || line.tokens().get(behind).is_some_and(|t| t.depth > 0)
    {
        return Behind::Ends;
    }
    let words = || inside().map(|t| line.text(t.at as usize, t.end as usize));
    let subgrades = words()
        .filter(|w| w.bytes().any(|b| b.is_ascii_digit()))
        .all(grade);
    let Some(last) = inside()
        .last()
        .filter(|_| subgrades || words().all(|w| w != "/"))
    else {
        return Behind::Unknown;
    };
    reading.end = last.end;
    Behind::Read
}

/// Words of a slab's label, with a certificate behind them or without one: `PSA 9 cert 12345678`.
fn note(title: &TaggedTitle<'_, '_>, token: usize, reading: &mut GradeReading) -> Behind {
    let is_note = |tag: Tag| {
        use Position::{After, Alone, Either};
        let phrase = title.phrase(tag);
        matches!(phrase, Some((PhraseKind::SlabNote, After | Either | Alone)))
    };
    let from = unread_from(title, token, reading);
    let Some(note) = title.tag_from(from, is_note) else {
        return Behind::Unknown;
    };
    reading.certain = true;
    reading.end = note.end;
    let next = title.context.line.token_at(note.end as usize);
    if is_cert(title, next) {
        cert(title, next, reading);
    }
    Behind::Read
}

/// The number of a certificate, with a sign or without one.
fn certificate(title: &TaggedTitle<'_, '_>, token: usize, reading: &mut GradeReading) -> Behind {
    let sign = title.context.word(token) == "#";
    let number = if sign { token + 1 } else { token };
    if !is_cert(title, number) {
        return Behind::Unknown;
    }
    cert(title, number, reading);
    Behind::Read
}

fn is_cert(title: &TaggedTitle<'_, '_>, token: usize) -> bool {
    let line = title.context.line;
    let token = line.tokens().get(token);
    token.is_some_and(|token| is_cert_number(line, token))
}

fn is_cert_number(line: &Line, token: &Token) -> bool {
    token.class == Class::Digit
        && CERT_DIGITS.contains(&(token.end - token.at))
        && !line
            .text(token.at as usize, token.end as usize)
            .contains('.')
}

fn cert(title: &TaggedTitle<'_, '_>, token: usize, reading: &mut GradeReading) {
    if let Some(this) = title.context.line.tokens().get(token) {
        reading.cert_at = (this.at, this.end);
        reading.end = this.end;
    }
}
