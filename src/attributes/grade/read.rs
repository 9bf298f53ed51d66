//! Tags → [`GradeReading`]s.

use super::behind::behind;
use super::title::TaggedTitle;
use super::wish::wished;
use super::{GradeReading, LETTERS_APART};
use crate::attributes::hit::Hit;
use crate::attributes::mark::is_affix;
use crate::dictionary::{PhraseKind, Position, Tag, Tagged};
use crate::parsed::GradeValue;
use crate::reading::context::{ending, longest};
use crate::token::{Class, Token};
use crate::word_lists::{EITHER_GRADE, GRADE_AT, GRADED_BY};

/// The most words between a grader and its number.
pub(super) const REACH: usize = 6;
/// The most words before a grader that are its grade: label and number.
const REACH_BACK: usize = 3;
/// A label by itself before a grader has at least this many letters: `GEM` belongs to `GEM MINT`.
const LETTERS_OF_LABEL: usize = 4;
/// The name of a set that ends in a digit has at least so many bytes: `Base Set 2`, and not `Set 2`.
const LEAST_SET: u32 = 7;
/// Halves of the least grade that begins a title: a smaller number is a count.
const LEAST_FIRST: u8 = 16;
/// Halves of the least grade that ends a title: a smaller number is a count.
const LEAST_AT_END: u8 = 10;
/// A grader of so few letters is one word.
const SHORT_GRADER: usize = 4;
/// Brackets that end something.
const CLOSING: [char; 6] = [')', ']', '}', '】', '》', '〕'];
/// More graders than any honest title names.
const MAX_GRADES: usize = 16;

/// Finds all grades, real and wished for.
pub(crate) fn read(title: &TaggedTitle<'_, '_>, out: &mut Vec<GradeReading>) {
    let alone = denial_alone(title);
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
        let named_longer =
            || has_longer(title, tag, longest) || title.inside_longer(tag.at, tag.end, longest);
        if is_torn(title, tag) || tag.at < covered || named_longer() {
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
        // `WarGreymon ACE`: the end of a name that the catalogue has without it
        if reading.value.is_none() && reading.label.is_none() && is_behind_name(title, tag) {
            continue;
        }
        let denied_before = reading.at == denied_to || is_other_grade(title, &reading, denied_to);
        reading.wish = denied_before
            || wished(title, &reading)
            || alone.is_some_and(|words| denies(words, &reading));
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
    give_labels_to_conditions(title, out);
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

/// Whether a grader's name stands right behind the name of a card, as a word of its game that says nothing.
fn is_behind_name(title: &TaggedTitle<'_, '_>, tag: &Tagged) -> bool {
    let noise = |t: &Tagged| (t.at, t.end, t.tag) == (tag.at, tag.end, Tag::Noise);
    let named = |hit: &Hit| hit.end == tag.at && hit.whole && (hit.means.name || hit.means.subject);
    title.tags.iter().any(noise) && title.hits.iter().any(named)
}

/// Whether a grade is the other one of two, of which the first, that ends at byte `denied_to` of the key,
/// is denied: `could grade PSA 9 or PSA 10`.
fn is_other_grade(title: &TaggedTitle<'_, '_>, reading: &GradeReading, denied_to: u32) -> bool {
    let line = title.context.line;
    let between = line.token_at(reading.at as usize).checked_sub(1);
    between.is_some_and(|between| {
        let token = line.tokens()[between];
        token.at == denied_to && EITHER_GRADE.contains(&title.context.word(between))
    })
}

/// Words that deny a grade wherever they stand.
fn denial_alone(title: &TaggedTitle<'_, '_>) -> Option<Tagged> {
    // `GEM MINT READY STOCK`: what ends the words begins others
    let cut = |words: &Tagged| {
        let over = |t: &Tagged| words.at < t.at && t.at < words.end && words.end < t.end;
        title
            .tags
            .iter()
            .any(|t| over(t) && title.is_slab_note(t.tag))
    };
    title.tags.iter().find_map(|t| match title.phrase(t.tag) {
        Some((PhraseKind::Wish | PhraseKind::Negation | PhraseKind::History, Position::Alone)) => {
            Some(*t).filter(|t| !cut(t))
        }
        _ => None,
    })
}

/// Whether words that deny a grade wherever they stand deny this one: they are its label, if it has
/// one, and no part of its grader's name; a slab with a certificate is not denied.
fn denies(words: Tagged, reading: &GradeReading) -> bool {
    let within = || words.at >= reading.at && words.at < reading.end;
    let of_grader = words.at >= reading.grader_at.0 && words.end <= reading.grader_at.1;
    (reading.label.is_none() || within()) && reading.cert_at.1 == 0 && !of_grader
}

/// Whether a grader's short name is made of letters that a space or a bracket parts: `AR S12a` and
/// `【AR】s12a` are no `ARS`.
fn is_torn(title: &TaggedTitle<'_, '_>, tag: &Tagged) -> bool {
    let context = title.context;
    let (from, to) = (context.line).norm_range(tag.at as usize, tag.end as usize);
    let text = context.normalised.text().get(from..to).unwrap_or("");
    text.len() <= SHORT_GRADER && text.contains(' ') || text.contains(CLOSING)
}

/// Whether a longer name of a grader ends where this one does.
fn has_longer(title: &TaggedTitle<'_, '_>, tag: &Tagged, longest: u32) -> bool {
    ending(title.tags, tag.end, tag.at + longest)
        .iter()
        .filter(|other| title.is_grader(other))
        .any(|other| other.at <= tag.at && other.end - other.at > tag.end - tag.at)
}

/// Takes the label from graders that are only named: `NM/M PSA/CGC ready` states a condition, and who
/// may grade the card.
fn give_labels_to_conditions(title: &TaggedTitle<'_, '_>, out: &mut [GradeReading]) {
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
    let Some(first) = out.windows(2).position(joined) else {
        return;
    };
    for reading in &mut out[first..] {
        if reading.value_at.1 == 0 {
            (reading.at, reading.wish) = (reading.grader_at.0, true);
            (reading.label, reading.label_at, reading.value) = (None, (0, 0), None);
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
/// `Grade: 9 Grader: PSA`, or beside a label: `PSA Cert 81234567 … MINT 9`. Without a certificate, the
/// label means the number: `PSA Blastoise 2/102 … GEM MT 10`, `BGS Sableye 35/90 9 Mint`. An edition
/// between the two is no part of the grade: `PSA 1st Edition 9`; and a half ends the title, or a whole
/// grade one with a collector number: `BGS 1st Ed … 9.5`, `CGC Eevee 51/64 9`.
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
        if let (Some(value), Tag::Label(number)) = (value_before_label(title, tag), tag.tag) {
            (reading.value, reading.value_at) = (Some(value.0), value.1);
            (reading.label, reading.label_at) = (Some(number), (tag.at, tag.end));
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
            let ends = |value: &(GradeValue, u32)| {
                value.0.halves() % 2 == 1 || is_grade_at_end(title, last, value.0)
            };
            (last, value.filter(ends))
        }
    };
    if let Some((value, end)) = found {
        (reading.value, reading.value_at) = (Some(value), (line.tokens()[token].at, end));
    }
}

/// Whether a label by itself says that the number beside it is a grade: it means this number, and is
/// no mark of a name: `MINT 9`, and not the `EX 5` of a Pokémon-EX.
fn says_grade(title: &TaggedTitle<'_, '_>, tag: &Tagged, value: GradeValue) -> bool {
    let line = title.context.line;
    let words = line.token_at(tag.end as usize) - line.token_at(tag.at as usize);
    let clear = || {
        let long = tag.end - tag.at >= LETTERS_APART || title.is_upper(tag);
        long && !is_affix(title.tags, (tag.at as usize, tag.end as usize))
    };
    matches!(tag.tag, Tag::Label(label)
        if title.dictionary.labels[label as usize].value == Some(value) && (words > 1 || clear()))
}

/// The grade right before a label that means it, in a title with a collector number, and its place:
/// `35/90 9 Mint`.
fn value_before_label(
    title: &TaggedTitle<'_, '_>,
    label: &Tagged,
) -> Option<(GradeValue, (u32, u32))> {
    let line = title.context.line;
    let token = line.token_at(label.at as usize).checked_sub(1)?;
    let this = line
        .tokens()
        .get(token)
        .filter(|t| t.class == Class::Digit)?;
    let (value, end) = title.value_at(token).filter(|&(_, end)| end == label.at)?;
    let said = says_grade(title, label, value) && title.says_number();
    (said && is_free(title, token)).then_some((value, (this.at, end)))
}

/// Whether a whole number that ends a title with another collector number is the grade: `PSA Sableye
/// Undaunted 35/90 9`.
fn is_grade_at_end(title: &TaggedTitle<'_, '_>, last: usize, value: GradeValue) -> bool {
    value.halves() >= LEAST_AT_END && title.says_total() && is_free(title, last)
}

/// Whether digits are neither glued to a word, nor a count, nor a part of a set's name: `Base Set 2`.
fn is_free(title: &TaggedTitle<'_, '_>, token: usize) -> bool {
    let this = title.context.line.tokens()[token];
    let part = |hit: &Hit| hit.at < this.end && this.at < hit.end;
    let copies = || token > 0 && title.context.word(token - 1) == "x";
    !this.glued && !copies() && !title.units.around(token) && !title.hits.iter().any(part)
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
