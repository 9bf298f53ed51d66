//! The condition of a raw card: `NM`, `lightly played`, `状態B`.

use super::surroundings::Surroundings;
use super::writer::Writer;
use crate::dictionary::FLAW;
use crate::parsed::{Condition, Field, Parsed};
use crate::reading::Proposal;

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
