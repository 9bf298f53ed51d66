//! The condition of a raw card: `NM`, `lightly played`, `状態B`.

use super::surroundings::Surroundings;
use super::word::{FEW_LETTERS, Word};
use super::writer::Writer;
use crate::dictionary::{FLAW, Tag};
use crate::parsed::{Condition, Field, Parsed};
use crate::reading::Proposal;
use crate::token::Class;

/// Confidence in words for a condition.
const QUALITY: f32 = 1.1;
/// Confidence in such words in a title that names a grader: `mint` may belong to its label.
const BESIDE_GRADER: f32 = 1.0;

pub(crate) fn quality(around: &Surroundings<'_>) -> f32 {
    if around.grader {
        BESIDE_GRADER
    } else {
        QUALITY
    }
}

/// Letters of conditions that are marks of names in Japanese.
const MARKS: [&str; 2] = ["ex", "m"];
/// What was so before, in front of a grader.
const FORMERLY: &str = "ex";
/// The damage that attacks do, in steps of ten.
const DAMAGE: std::ops::RangeInclusive<u32> = 20..=400;

/// Whether words for a condition are a code, a mark of a name or what an attack does.
pub(crate) fn means_other(word: &Word<'_>) -> bool {
    let mark = || MARKS.contains(&word.text());
    // `M412`, `4000M`: a seller's code; `リザードンex+カメックスex` joins two names
    word.len() == 1 && is_beside_digits(word)
        // in kana, `ex` and `M` are marks of names or sizes: shops write conditions in words there
        || word.context.kana && mark()
        || joins_names(word)
        || is_attack(word)
        || is_formerly(word)
        || mark() && is_mark(word)
}

/// Whether digits stand right beside one letter.
fn is_beside_digits(word: &Word<'_>) -> bool {
    let (context, token) = (word.context, word.token());
    context.glued_before(token) == Some(Class::Digit)
        || context.glued_behind(token) == Some(Class::Digit)
}

/// Whether words end with a plus between two names.
fn joins_names(word: &Word<'_>) -> bool {
    word.context.line.key().get(word.end() - 1) == Some(&b'+')
        && word.around.name_ends.contains(&word.tag.at)
        && word.around.name_starts.contains(&word.tag.end)
}

/// Whether `ex` stands before a grader: `4/102 ex PSA 8`, which it was before.
fn is_formerly(word: &Word<'_>) -> bool {
    let grader = |next: Tag| matches!(next, Tag::Grader(_));
    word.text() == FORMERLY && !word.is_upper() && word.is_before(grader)
}

/// Whether a word for a flaw says what an attack does: `200 damage`, `190DMG`; not the condition
/// behind a collector number, `4/130 damage` or `60 DMG`.
fn is_attack(word: &Word<'_>) -> bool {
    let (context, text) = (word.context, word.text());
    if text != "damage" && text != "dmg" {
        return false;
    }
    let token = word.token();
    let Some(digits) = token.checked_sub(1) else {
        return false;
    };
    let number = context.word(digits).parse().unwrap_or(0);
    let glued = context.glued_before(token).is_some();
    DAMAGE.contains(&number)
        && number.is_multiple_of(10)
        && !context.before(digits).ends_with(['/', '#'])
        && (glued || text == "damage")
}

/// Whether letters of a condition are a mark of names: before a word for cards or a product
/// (`Pokemon EX cards`, `EX Starter Box`), in a list of marks (`VMAX, GX, EX`), behind the game where
/// nobody is named (`Pokemon EX / GX bundle`), or behind a word that nothing knows, which is then a
/// name (`Gekkoga EX`).
fn is_mark(word: &Word<'_>) -> bool {
    let (context, around) = (word.context, word.around);
    let behind = word.end() < context.line.key().len();
    if behind && ["card", "cards"].contains(&context.word(context.line.token_at(word.end()))) {
        return true;
    }
    if word.is_before(|next| matches!(next, Tag::Sealed(_))) {
        return true;
    }
    let Some(before) = word.token().checked_sub(1) else {
        return false;
    };
    let mut known = false;
    for own in word.before(word.tag.at) {
        known = true;
        if matches!(own.tag, Tag::Affix(_)) && !around.name_ends.contains(&own.at)
            || behind && matches!(own.tag, Tag::Game(_)) && !around.subject
        {
            return true;
        }
    }
    let unknown = context.class(before) == Some(Class::Latin)
        && context.word(before).len() > FEW_LETTERS
        && [" ", "-", ""].contains(&context.gap(before));
    unknown && !known && !word.near_hit()
}

/// Whether one letter is the condition, and the title says another in full: the `M` of
/// `Snorlax - M 11/64 Near Mint`.
fn is_letter_beside_words(writer: &Writer<'_, '_, '_>, proposal: &Proposal) -> bool {
    let mut all = writer.readings.chosen.of(Field::Condition);
    proposal.end - proposal.at == 1 && all.any(|other| other.end - other.at > 1)
}

/// Between the ends of a range of conditions.
const TO: [&str; 2] = ["/", "-"];

/// Whether the condition is the second of a range, of which the lower one counts, as in `NM/LP`:
/// `Near Mint/LP`, `Excellent - Lightly Played`.
fn ends_range(writer: &Writer<'_, '_, '_>, proposal: &Proposal) -> bool {
    let context = &writer.readings.context;
    let token = context.line.token_at(proposal.at as usize);
    let end = match token.checked_sub(1) {
        // a slash is a token of its own
        Some(sign) if TO.contains(&context.word(sign)) => context.line.tokens()[sign].at,
        _ if TO.contains(&context.before(token).trim()) => proposal.at,
        _ => return false,
    };
    let mut all = writer.readings.chosen.of(Field::Condition);
    all.any(|other| other.end == end)
}

/// Writes the condition with number `word` of the dictionary; the first of a title counts, or the
/// lower one of a range.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, word: u16) {
    let code = writer.dictionary().conditions[word as usize].as_str();
    if code == FLAW {
        writer.chosen(Field::Noise, code, proposal);
        return;
    }
    writer.chosen(Field::Condition, code, proposal);
    if !is_letter_beside_words(writer, proposal) {
        let (held, condition) = (writer.parsed.condition, Condition::called(code));
        if held.is_none() || condition > held && ends_range(writer, proposal) {
            writer.parsed.condition = condition;
        }
    }
}

/// A graded card has no condition but its grade.
pub(crate) fn settle(parsed: &mut Parsed<'_>) {
    if parsed.grade.is_some() {
        parsed.condition = None;
    }
}
