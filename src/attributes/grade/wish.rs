//! Grades that the card does not have: hoped for, denied, remembered.

use super::GradeReading;
use super::title::TaggedTitle;
use crate::attributes::hit::Hit;
use crate::attributes::year;
use crate::dictionary::{PhraseKind, Position, Tag, Tagged};
use crate::parsed::GradeValue;
use crate::reading::context::ending;
use crate::token::Class;
use crate::word_lists::{EITHER_GRADE, GRADE_PARTICLES};

/// Signs between two grades, of which the card has neither.
const RANGES: [&str; 2] = ["-", "~"];

/// Whether the words around the grade say that the card does not have it.
pub(super) fn wished(title: &TaggedTitle<'_, '_>, reading: &GradeReading) -> bool {
    let line = title.context.line;
    let after = line.token_at(reading.value_at.1.max(reading.grader_at.1) as usize);
    let gap = title.context.before(after);
    // `PSA 10?`, `PSA?`, `PSA 10 = $150`
    let behind = gap.trim_start();
    let amount = || title.context.class(after) == Some(Class::Digit);
    if behind.starts_with('?') || behind.starts_with('=') && amount() {
        return true;
    }
    // `Gem Mint? PSA`, `10? PSA`
    let mut within = line.token_at(reading.at as usize) + 1..after;
    if within.any(|token| title.context.before(token).contains('?')) {
        return true;
    }
    // `PSA 9-10`, `PSA 9/10`, `PSA 9 or 10`, `PSA 9 to 10`
    if reading.value.is_some() {
        let next = title.context.word(after);
        let range = title.end_of_ten(reading).is_none()
            && (RANGES.contains(&gap.trim())
                && title.context.class(after) == Some(Class::Digit)
                && GradeValue::parse(next).is_some()
                || EITHER_GRADE.contains(&next)
                    && GradeValue::parse(title.context.word(after + 1)).is_some());
        // `PSA 9 - 1999`
        let year = next.len() == year::DIGITS;
        // `PSA 9 - 1st Edition`, `CGC 8 - 6/102`
        let other = title.context.class(after) == Some(Class::Digit)
            && (title.context.glued_behind(after) == Some(Class::Latin)
                || title.context.word(after + 1) == "/");
        if range && !year && !other {
            return true;
        }
    }
    if title
        .context
        .before(line.token_at(reading.at as usize))
        .contains('=')
    {
        return true;
    }
    let hopes = |t: &Tagged, sides: [Position; 2]| match title.phrase(t.tag) {
        Some((
            PhraseKind::Wish
            | PhraseKind::Negation
            | PhraseKind::Comparison
            | PhraseKind::History
            | PhraseKind::Spam
            | PhraseKind::Accessory
            | PhraseKind::Service,
            position,
        )) => sides.contains(&position),
        // `Charizard 4/102 PSA 9 case`: the slab's own
        Some((PhraseKind::SlabPart, position)) => {
            sides.contains(&position) && (reading.value.is_none() || !title.says_total())
        }
        _ => false,
    };
    // a phrase at the end of a name or a set does not count, even if it is misspelt: `Charzard ex
    // PSA 9`, `Shiny Treasure ex PSA 9`; nor does a mark of names with a capital: `Pokemon EX PSA 9`
    let named = |t: &Tagged| {
        title
            .hits
            .iter()
            .any(|h| (h.means.name || h.means.set) && h.at < t.at && t.end <= h.end)
            || title.tags.iter().any(|o| {
                matches!(o.tag, Tag::Affix(_))
                    && o.at == t.at
                    && o.end == t.end
                    && (title.is_capital(t)
                        || title.hits.iter().any(|h| h.means.subject && h.end == t.at)
                        || title.is_behind_unread(t.at))
            })
    };
    // the label of this very grade stands before it: `4/113 VG-EX PSA 4`
    let ahead = ending(title.tags, reading.at, reading.at);
    let labelled = ahead.iter().any(|t| {
        let Tag::Label(label) = t.tag else {
            return false;
        };
        let label = title.dictionary.labels.get(label as usize);
        reading.value.is_some() && label.is_some_and(|label| label.value == reading.value)
    });
    let before = !labelled
        && ahead
            .iter()
            .any(|t| hopes(t, [Position::Before, Position::Either]) && !named(t));
    let ends = [
        reading.end,
        reading.value_at.1,
        reading.grader_at.1,
        reading.label_at.1,
    ];
    // `PSA 10 Level Ball`
    let begins_name = |t: &Tagged| {
        let name = |hit: &Hit| hit.means.name && hit.at == t.at && hit.end > t.end;
        title.hits.iter().any(name)
    };
    let particle = line.tokens().get(after);
    let particle = particle.filter(|_| GRADE_PARTICLES.contains(&title.context.word(after)));
    let behind = title.tags.iter().any(|t| {
        let separate = || {
            let kind = title.phrase(t.tag).map(|(kind, _)| kind);
            let accessory = matches!(kind, Some(PhraseKind::Accessory | PhraseKind::SlabPart));
            let before = || title.context.before(line.token_at(t.at as usize));
            accessory && before().contains([',', '|', '('])
        };
        // `PSA鑑定` is a grader, and `鑑定前` denies it
        let within = reading.value.is_none()
            && t.at > reading.grader_at.0
            && t.at < reading.grader_at.1
            && t.end > reading.grader_at.1;
        // `PSA10 ケース付き` is in its case
        let longer = || {
            let over = title.tag_from(t.at, |tag| title.is_slab_note(tag));
            over.is_some_and(|over| over.end > t.end)
        };
        (ends.contains(&t.at) || particle.is_some_and(|p| p.end == t.at) || within)
            && t.at > 0
            && hopes(t, [Position::After, Position::Either])
            && !separate()
            && !longer()
            && !begins_name(t)
    });
    before || behind
}
