//! Tags → [`GradeReading`]s.

use super::title::TaggedTitle;
use super::wish::wished;
use super::{BEST, GradeReading};
use crate::attributes::hit::Hit;
use crate::attributes::year::is_year;
use crate::dictionary::{PhraseKind, Position, Tag, Tagged};
use crate::parsed::GradeValue;
use crate::reading::context::{ending, longest};
use crate::token::{Class, Line, Token};
use crate::word_lists::{GRADE_AT, GRADE_QUALIFIERS, GRADED_BY};

/// The most words between a grader and its number.
const REACH: usize = 6;
/// The most words before a grader that are its grade: label and number.
const REACH_BACK: usize = 3;
/// A label that says less than this many halves more or less than the number belongs to it.
const LABEL_OFF: u8 = 3;
/// A label by itself before a grader has at least this many letters: `GEM` belongs to `GEM MINT`.
const LETTERS_OF_LABEL: usize = 4;
/// The name of a set that ends in a digit has at least so many bytes: `Base Set 2`, and not `Set 2`.
const LEAST_SET: u32 = 7;
/// Halves of the least grade that begins a title: a smaller number is a count.
const LEAST_FIRST: u8 = 16;
/// Number of digits of a certificate.
const CERT_DIGITS: std::ops::RangeInclusive<u32> = 7..=10;
/// A grader of so few letters is one word.
const SHORT_GRADER: usize = 4;
/// Brackets that end something.
const CLOSING: [char; 6] = [')', ']', '}', '】', '》', '〕'];
/// More graders than any honest title names.
const MAX_GRADES: usize = 16;

/// Finds all grades, real and wished for.
pub(crate) fn read(title: &TaggedTitle<'_, '_>, out: &mut Vec<GradeReading>) {
    // `GEM MINT READY STOCK`: what ends the words begins others
    let cut = |words: &Tagged| {
        let over = |t: &Tagged| words.at < t.at && t.at < words.end && words.end < t.end;
        title
            .tags
            .iter()
            .any(|t| over(t) && title.is_slab_note(t.tag))
    };
    let alone = title.tags.iter().find_map(|t| match title.phrase(t.tag) {
        Some((PhraseKind::Wish | PhraseKind::Negation | PhraseKind::History, Position::Alone)) => {
            Some(*t).filter(|t| !cut(t))
        }
        _ => None,
    });
    let mut covered = 0;
    let mut denied_to = u32::MAX;
    let longest = longest(title.tags);
    for tag in title.tags {
        let Tag::Grader(grader) = tag.tag else {
            continue;
        };
        if !title.is_grader(tag) {
            continue;
        }
        if out.len() >= MAX_GRADES {
            break;
        }
        let mut over = ending(title.tags, tag.end, tag.at + longest)
            .iter()
            .filter(|o| title.is_grader(o));
        let mut shorter = || over.any(|o| o.at <= tag.at && o.end - o.at > tag.end - tag.at);
        // `AR S12a` and `【AR】s12a` are no `ARS`
        let (from, to) = title
            .context
            .line
            .norm_range(tag.at as usize, tag.end as usize);
        let text = title.context.normalised.text().get(from..to).unwrap_or("");
        if text.len() <= SHORT_GRADER && text.contains(' ') || text.contains(CLOSING) {
            continue;
        }
        if tag.at < covered || shorter() || title.inside_longer(tag.at, tag.end, longest) {
            continue;
        }
        let mut reading = GradeReading {
            grader,
            grader_at: (tag.at, tag.end),
            at: tag.at,
            end: tag.end,
            ..GradeReading::default()
        };
        forward(title, &mut reading);
        if reading.value.is_none() && reading.label.is_none() {
            backward(title, &mut reading, covered);
        }
        behind(title, &mut reading);
        let denied_before = reading.at == denied_to;
        reading.wish = denied_before || wished(title, &reading);
        if let Some(alone) = alone
            && reading
                .label
                .is_none_or(|_| alone.at >= reading.at && alone.at < reading.end)
            && reading.cert_at.1 == 0
            && !(alone.at >= reading.grader_at.0 && alone.end <= reading.grader_at.1)
        {
            reading.wish = true;
        }
        if reading.wish {
            denied_to = reading.end;
        }
        if reading.value.is_none()
            && let Some(label) = reading.label
        {
            reading.value = title.dictionary.labels[label as usize].value;
        }
        covered = reading.end;
        out.push(reading);
    }
    if let [reading] = &mut out[..]
        && reading.value.is_none()
        && reading.label.is_none()
        && !reading.wish
    {
        apart(title, reading);
    }
    // `NM/M PSA/CGC ready`: a condition, and who may grade the card
    let joined = |pair: &[GradeReading]| {
        let line = title.context.line;
        let mark = |token: &usize| title.context.class(*token) == Some(Class::Mark);
        let behind = line.token_at(pair[0].end as usize);
        let next = (behind..).find(|token| !mark(token)).unwrap_or(behind);
        let labelled = pair[0].label.is_some() && pair[0].label_at.1 <= pair[0].grader_at.0;
        labelled
            && pair[0].value_at.1 == 0
            && pair[1].value.is_none()
            && pair[1].label.is_none()
            && line
                .tokens()
                .get(next)
                .is_some_and(|token| token.at == pair[1].at)
    };
    if let Some(first) = out.windows(2).position(joined) {
        for reading in &mut out[first..] {
            if reading.value_at.1 == 0 {
                (reading.at, reading.wish) = (reading.grader_at.0, true);
                (reading.label, reading.label_at, reading.value) = (None, (0, 0), None);
            }
        }
    }
    // several graders and no number: words for the search engine
    let bare = |r: &GradeReading| r.value.is_none() && r.label.is_none() && !r.certain;
    let named = out.iter().filter(|r| bare(r)).count();
    let real = out.iter().any(|r| !r.wish && !bare(r));
    for reading in out.iter_mut() {
        if bare(reading) && (named > 1 || real) {
            reading.wish = true;
        }
    }
}

/// Reads on from the grader: label words and fillers, then the number.
fn forward(title: &TaggedTitle<'_, '_>, reading: &mut GradeReading) {
    let line = title.context.line;
    if let Some((value, at)) = joined(title, reading.end) {
        (reading.value, reading.value_at, reading.end) = (Some(value), at, at.1);
        return;
    }
    let mut at = reading.end;
    let mut old: Option<(GradeValue, (u32, u32))> = None;
    for _ in 0..REACH {
        let token = line.token_at(at as usize);
        let Some(this) = line.tokens().get(token) else {
            break;
        };
        let gap = title.context.before(token);
        // `;PSA;7`: columns of a table
        let column =
            || gap == ";" && title.context.before(line.token_at(reading.at as usize)) == ";";
        if token > 0 && (gap.contains(['|', '=', '~']) || gap.contains(';') && !column()) {
            break;
        }
        if let Some((value, end)) = title.value_at(token) {
            (reading.value, reading.value_at, reading.end) = (Some(value), (this.at, end), end);
            break;
        }
        // the old scale of SGC: `98 GEM 10`, or only `88`
        let points = &title.dictionary.graders[reading.grader as usize].points;
        if this.class == Class::Digit && !points.is_empty() && old.is_none() {
            let stated = title.context.word(token).parse::<u8>();
            let scale = points.iter().find(|(points, _)| stated == Ok(*points));
            let Some((_, halves)) = scale else { break };
            old = Some((GradeValue::from_halves(*halves), (this.at, this.end)));
            at = this.end;
            reading.end = at;
            continue;
        }
        if let Some(label) = title.tag_from(at, |t| matches!(t, Tag::Label(_))) {
            // `à faire grader PSA, NM` says the condition
            let apart = title.context.before(token).contains(',');
            if apart && title.value_at(line.token_at(label.end as usize)).is_none() {
                break;
            }
            if let (None, Tag::Label(word)) = (reading.label, label.tag) {
                (reading.label, reading.label_at, reading.end) =
                    (Some(word), (label.at, label.end), label.end);
            }
            at = label.end;
            continue;
        }
        // `PSA 10` of `CGC PSA 10 Mint` is a grade
        let other =
            |t: &Tagged| t.at == at && matches!(t.tag, Tag::Grader(g) if g != reading.grader);
        let filler = title.tag_from(at, |t| match t {
            Tag::Noise => !title.tags.iter().any(other),
            Tag::Phrase(_) => title.is_slab_note(t),
            Tag::Grader(_) => title.tags.iter().any(|o| {
                o.at == at
                    && o.tag == t
                    && reading.grader
                        == match t {
                            Tag::Grader(g) => g,
                            _ => u16::MAX,
                        }
            }),
            _ => false,
        });
        // `PSA graded a 10`
        if filler.is_none() && reading.certain && GRADE_AT.contains(&title.context.word(token)) {
            at = this.end;
            continue;
        }
        if let Some(filler) = filler {
            if matches!(filler.tag, Tag::Phrase(_)) {
                reading.certain = true;
            }
            at = filler.end;
            continue;
        }
        break;
    }
    if let (None, Some((value, at))) = (reading.value, old) {
        (reading.value, reading.value_at) = (Some(value), at);
    }
    reading.end = title.end_of_ten(reading).unwrap_or(reading.end);
}

/// The grade that a sign joins to a grader, which ends at byte `end` of the key, and its place:
/// `PSA#9`, `PSA/10`, `PSA=10`.
fn joined(title: &TaggedTitle<'_, '_>, end: u32) -> Option<(GradeValue, (u32, u32))> {
    let context = title.context;
    let first = context.line.token_at(end as usize);
    let glued = |token: usize| context.line.tokens().get(token).is_some_and(|t| t.glued);
    let number = match context.word(first) {
        "#" | "/" if glued(first) && glued(first + 1) => first + 1,
        _ if context.before(first) == "=" => first,
        _ => return None,
    };
    let this = context.line.tokens().get(number)?;
    let whole = context.word(number + 1) != "/" && this.class == Class::Digit;
    let (value, end) = title.value_behind_sign(number).filter(|_| whole)?;
    Some((value, (this.at, end)))
}

/// Reads back from the grader: `GEM MINT 10 PSA`, `10 GEM MT BGS`, `gradée 9 PSA`.
fn backward(title: &TaggedTitle<'_, '_>, reading: &mut GradeReading, covered: u32) {
    let line = title.context.line;
    let mut at = reading.at;
    let mut value = out_of_ten(title, at);
    let mut label = None;
    let mut by = false;
    at = value.map_or(at, |(_, from, _)| from);
    for _ in 0..=REACH_BACK {
        if at <= covered {
            break;
        }
        let token = line.token_at(at as usize - 1);
        let Some(this) = line.tokens().get(token) else {
            break;
        };
        // `graded 9 by PSA`
        if at == reading.at && GRADED_BY.contains(&title.context.word(token)) {
            by = true;
            at = this.at;
            continue;
        }
        if value.is_none()
            && let Some((found, end)) = title.value_at(token)
            && end == at
        {
            value = Some((found, this.at, end));
            at = this.at;
            continue;
        }
        match title.tag_to(at, |t| matches!(t, Tag::Label(_))) {
            Some(found) if label.is_none() => {
                label = Some(found);
                at = found.at;
            }
            _ => break,
        }
    }
    if let (Some((found, from, to)), None) = (value, label)
        && (by || is_graded(title, from) || is_last_grade(title, reading, (found, from)))
    {
        (reading.value, reading.value_at) = (Some(found), (from, to));
        reading.at = reading.at.min(from);
        return;
    }
    let Some(word) = label else { return };
    let Tag::Label(number) = word.tag else { return };
    if let Some((found, from, to)) = value {
        (reading.value, reading.value_at) = (Some(found), (from, to));
        reading.at = reading.at.min(from);
    } else if word.end != reading.at
        || title.dictionary.labels[number as usize].name.len() < LETTERS_OF_LABEL
    {
        return;
    }
    (reading.label, reading.label_at) = (Some(number), (word.at, word.end));
    reading.at = reading.at.min(word.at);
}

/// The grade of `gradée 9/10` that ends at byte `end` of the key, and its place.
fn out_of_ten(title: &TaggedTitle<'_, '_>, end: u32) -> Option<(GradeValue, u32, u32)> {
    let context = title.context;
    let last = context.line.token_at(end.checked_sub(1)? as usize);
    if context.word(last) != "10" || context.word(last.checked_sub(1)?) != "/" {
        return None;
    }
    let first = last.checked_sub(2)?;
    let (value, _) = title.value_at(first)?;
    let from = context.line.tokens().get(first)?.at;
    is_graded(title, from).then_some((value, from, end))
}

/// Reads the grade of the only grader, whose number stands elsewhere: behind a word for slabs, as in
/// `Grade: 9 Grader: PSA`, or behind a label: `PSA Cert 81234567 … MINT 9`. Without a certificate, the
/// label is one of two words that mean the number: `PSA Blastoise 2/102 … GEM MT 10`. An edition between
/// the two is no part of the grade: `PSA 1st Edition 9`; and a half ends the title: `BGS 1st Ed … 9.5`.
fn apart(title: &TaggedTitle<'_, '_>, reading: &mut GradeReading) {
    let line = title.context.line;
    for tag in title.tags {
        let note = title.is_slab_note(tag.tag);
        let is_label = |t: Tag| matches!(t, Tag::Label(_));
        let label = match tag.tag {
            Tag::Label(_) => Some(*tag),
            _ if note => title.tag_from(tag.end, is_label),
            _ => continue,
        };
        let at = label.map_or(tag.end, |label| label.end);
        let token = line.token_at(at as usize);
        if let Some((value, end)) = title.value_at(token) {
            if !note && reading.cert_at.1 == 0 && !says_grade(title, tag, value) {
                continue;
            }
            (reading.value, reading.value_at) = (Some(value), (line.tokens()[token].at, end));
            if let Some((word, Tag::Label(number))) = label.map(|label| (label, label.tag)) {
                (reading.label, reading.label_at) = (Some(number), (word.at, word.end));
            }
            return;
        }
    }
    let behind_edition = title.edition_from(reading.end);
    let behind_edition = behind_edition.map(|edition| line.token_at(edition.end as usize));
    let digits = |token: &usize| title.context.class(*token) == Some(Class::Digit);
    let (token, found) = match behind_edition.filter(digits) {
        Some(token) => (token, title.value_at(token)),
        None => {
            let last = line.tokens().len() - 1;
            let value = title.value_at(last);
            (last, value.filter(|(value, _)| value.halves() % 2 == 1))
        }
    };
    if let Some((value, end)) = found {
        (reading.value, reading.value_at) = (Some(value), (line.tokens()[token].at, end));
    }
}

/// Whether a label by itself says that the number behind it is a grade: it is one of two words, and
/// means this number.
fn says_grade(title: &TaggedTitle<'_, '_>, tag: &Tagged, value: GradeValue) -> bool {
    let line = title.context.line;
    let words = line.token_at(tag.end as usize) - line.token_at(tag.at as usize);
    matches!(tag.tag, Tag::Label(label)
        if words > 1 && title.dictionary.labels[label as usize].value == Some(value))
}

/// Whether words before the number at byte `at` of the key say that it is a grade: `nota 9 PSA`,
/// `gradée à 9 chez PSA`.
fn is_graded(title: &TaggedTitle<'_, '_>, at: u32) -> bool {
    let token = title.context.line.token_at(at as usize);
    let before = token.checked_sub(1);
    let between = before.filter(|&before| GRADE_AT.contains(&title.context.word(before)));
    let end = between.map_or(at, |between| title.context.line.tokens()[between].at);
    let note = |tag| title.is_slab_note(tag);
    title.tag_to(end, note).is_some()
}

/// Whether the number `value` at byte `at` stands right before a grader, which ends the title or is
/// followed by words alone, and behind a name, a set or a fraction: `Togepi Obsidian Flames 9 PSA`,
/// `Arcanine 028/192 9 PSA`; is a half; or begins a title in which a name or set follows the grader:
/// `10 PSA Jynx`.
fn is_last_grade(
    title: &TaggedTitle<'_, '_>,
    reading: &GradeReading,
    (value, at): (GradeValue, u32),
) -> bool {
    let line = title.context.line;
    let (token, next) = (
        line.token_at(at as usize),
        line.token_at(reading.grader_at.1 as usize),
    );
    let digits = |token: &Token| token.class == Class::Digit;
    // `#H8 PSA`
    let glued = |token: &Token| token.glued;
    // `Base Set 2 PSA`: its digit is a part of the set
    let part = |hit: &Hit| hit.at < at && at < hit.end && hit.end - hit.at >= LEAST_SET;
    if title.hits.iter().any(part)
        || line.tokens().get(next).is_some_and(digits)
        || line.tokens().get(token).is_some_and(glued)
    {
        return false;
    }
    let word = |back: usize| token.checked_sub(back).map(|at| title.context.word(at));
    let fraction = || word(2) == Some("/") && title.context.class(token - 1) == Some(Class::Digit);
    let half = || value.halves() % 2 == 1;
    // `2 PSA Charizard` are two slabs
    let first = || token == 0 && value.halves() >= LEAST_FIRST;
    let followed = || title.hits.iter().any(|hit| hit.at == reading.grader_at.1);
    title.hits.iter().any(|hit| hit.end == at) || fraction() || half() || first() && followed()
}

/// Reads what follows the number: label, qualifier, subgrades, score, certificate.
fn behind(title: &TaggedTitle<'_, '_>, reading: &mut GradeReading) {
    let line = title.context.line;
    for _ in 0..REACH {
        let token = line.token_at(reading.end as usize);
        let Some(this) = line.tokens().get(token) else {
            break;
        };
        // characters of one script are one token, and what is read may end inside it: words before
        // that end are read already
        let from = this.at.max(reading.end);
        let gap = title.context.before(token);
        if gap.contains(['|', '=', '?']) {
            break;
        }
        let word = title.context.word(token);
        if word == "+" && this.glued {
            reading.end = this.end;
            continue;
        }
        if reading.value.is_some()
            && let Some(label) = title.tag_from(from, |t| matches!(t, Tag::Label(_)))
        {
            let Tag::Label(found) = label.tag else { break };
            let fits = title.dictionary.labels[found as usize]
                .value
                .is_none_or(|v| {
                    reading
                        .value
                        .is_none_or(|stated| v.halves().abs_diff(stated.halves()) <= LABEL_OFF)
                });
            if reading.label.is_none() && fits {
                (reading.label, reading.label_at) = (Some(found), (label.at, label.end));
            } else if !fits {
                break;
            }
            reading.end = label.end;
            continue;
        }
        if let Some(name) = (GRADE_QUALIFIERS.iter()).find(|q| q.eq_ignore_ascii_case(word))
            && (this.depth > 0 || this.upper)
            && reading.value.is_some()
            // `[MC312]` is a shop's code
            && title.context.glued_behind(token) != Some(Class::Digit)
        {
            (reading.qualifier, reading.qualifier_at, reading.end) =
                (Some(*name), (this.at, this.end), this.end);
            continue;
        }
        // `PSA 9 AUTO 10`: the signature has a grade of its own
        let signed = |t: Tag| matches!(t, Tag::Printing(p) if title.dictionary.printings[p as usize].value == "signed");
        if reading.value.is_some()
            && let Some(auto) = title.tag_from(from, signed)
            && let Some((value, end)) = title.value_at(line.token_at(auto.end as usize))
        {
            (reading.autograph, reading.autograph_at, reading.end) =
                (Some(value), (auto.at, end), end);
            continue;
        }
        // subgrades or a score in brackets
        if this.class == Class::Digit
            && this.depth > 0
            && reading.value.is_some()
            && gap.contains(['(', '['])
        {
            let inside = || {
                line.tokens()[token..].iter().take_while(|t| {
                    t.depth > 0 && (t.class == Class::Digit || t.class == Class::Mark)
                })
            };
            // `(037/053)` is a collector number, `(9.5/9/10/9)` are subgrades, `(985)` is a score
            let grade = |text: &str| {
                text.parse::<f32>().is_ok_and(|v| v <= f32::from(BEST))
                    && !(text.len() > 1 && text.starts_with('0'))
            };
            // `PSA 6 (1999)`, `PSA 10 (2 copies)`
            let behind = inside().count() + token;
            if is_year(word) || line.tokens().get(behind).is_some_and(|t| t.depth > 0) {
                break;
            }
            let words = || inside().map(|t| line.text(t.at as usize, t.end as usize));
            let subgrades = words()
                .filter(|w| w.bytes().any(|b| b.is_ascii_digit()))
                .all(grade);
            if let Some(last) = inside()
                .last()
                .filter(|_| subgrades || words().all(|w| w != "/"))
            {
                reading.end = last.end;
                continue;
            }
        }
        if let Some(note) = title.tag_from(from, |t| {
            matches!(
                title.phrase(t),
                Some((
                    PhraseKind::SlabNote,
                    Position::After | Position::Either | Position::Alone
                ))
            )
        }) {
            reading.certain = true;
            let next = line.token_at(note.end as usize);
            reading.end = note.end;
            if is_cert(title, next) {
                cert(title, next, reading);
            }
            continue;
        }
        if is_cert(title, token) || word == "#" && is_cert(title, token + 1) {
            cert(title, if word == "#" { token + 1 } else { token }, reading);
            continue;
        }
        break;
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
