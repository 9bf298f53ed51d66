//! Grades that the card does not have: hoped for, denied, remembered.

use super::GradeReading;
use super::title::TaggedTitle;
use crate::attributes::hit::Hit;
use crate::attributes::year;
use crate::dictionary::{PhraseKind, Position, Tag, Tagged};
use crate::parsed::GradeValue;
use crate::reading::context::ending;
use crate::token::Class;
use crate::word_lists::{ARTICLES, EITHER_GRADE, GRADE_PARTICLES};

/// Signs between two grades, of which the card has neither.
const RANGES: [&str; 2] = ["-", "~"];

/// Whether the words around the grade say that the card does not have it.
pub(super) fn wished(title: &TaggedTitle<'_, '_>, reading: &GradeReading) -> bool {
    let context = title.context;
    let first = context.line.token_at(reading.at as usize);
    let after = context
        .line
        .token_at(reading.value_at.1.max(reading.grader_at.1) as usize);
    // `PSA 10?`, `PSA?`, `PSA 10 = $150`
    let behind = context.before(after).trim_start();
    let amount = || context.class(after) == Some(Class::Digit);
    // `Gem Mint? PSA`, `10? PSA`
    let asked = || (first + 1..after).any(|token| context.before(token).contains('?'));
    behind.starts_with('?')
        || behind.starts_with('=') && amount()
        || asked()
        || is_either(title, reading, after)
        || context.before(first).contains('=')
        || is_denied_before(title, reading)
        || is_denied_behind(title, reading, after)
}

/// Whether it is one grade or another: `PSA 9-10`, `PSA 9/10`, `PSA 9 or 10`, `PSA 9 to 10`.
/// `after`: the token behind it.
fn is_either(title: &TaggedTitle<'_, '_>, reading: &GradeReading, after: usize) -> bool {
    if reading.value.is_none() {
        return false;
    }
    let context = title.context;
    let next = context.word(after);
    let digits = context.class(after) == Some(Class::Digit);
    let range = title.end_of_ten(reading).is_none()
        && (RANGES.contains(&context.before(after).trim())
            && digits
            && GradeValue::parse(next).is_some()
            || EITHER_GRADE.contains(&next)
                && GradeValue::parse(context.word(after + 1)).is_some());
    // `PSA 9 - 1999`
    let year = next.len() == year::DIGITS;
    // `PSA 9 - 1st Edition`, `CGC 8 - 6/102`
    let other = digits
        && (context.glued_behind(after) == Some(Class::Latin) || context.word(after + 1) == "/");
    range && !year && !other
}

/// Whether words on one of these sides of a grade deny it.
fn denies(
    title: &TaggedTitle<'_, '_>,
    reading: &GradeReading,
    tag: Tag,
    sides: [Position; 2],
) -> bool {
    match title.phrase(tag) {
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
    }
}

/// Whether words right before a grade deny it.
fn is_denied_before(title: &TaggedTitle<'_, '_>, reading: &GradeReading) -> bool {
    let line = title.context.line;
    let before = line.token_at(reading.at as usize).checked_sub(1);
    let article = before.filter(|&before| ARTICLES.contains(&title.context.word(before)));
    // `not a PSA 10`
    let article = article.map_or(&[][..], |article| {
        let at = line.tokens()[article].at;
        ending(title.tags, at, at)
    });
    let ahead = ending(title.tags, reading.at, reading.at);
    // the label of this very grade stands before it: `4/113 VG-EX PSA 4`
    let is_label = |t: &Tagged| {
        let Tag::Label(label) = t.tag else {
            return false;
        };
        let label = title.dictionary.labels.get(label as usize);
        reading.value.is_some() && label.is_some_and(|label| label.value == reading.value)
    };
    // a phrase at the end of a name or a set does not count, even if it is misspelt: `Charzard ex
    // PSA 9`, `Shiny Treasure ex PSA 9`; nor does a mark of names with a capital: `Pokemon EX PSA 9`
    let of_name = |t: &Tagged| {
        let longer = |hit: &Hit| hit.at < t.at && t.end <= hit.end;
        let is_mark = |o: &Tagged| {
            matches!(o.tag, Tag::Affix(_))
                && o.at == t.at
                && o.end == t.end
                && (title.is_capital(t)
                    || title.hits.iter().any(|h| h.means.subject && h.end == t.at)
                    || title.is_behind_unread(t.at))
        };
        let named = |hit: &Hit| (hit.means.name || hit.means.set) && longer(hit);
        title.hits.iter().any(named) || title.tags.iter().any(is_mark)
    };
    let sides = [Position::Before, Position::Either];
    !ahead.iter().any(is_label)
        && (ahead.iter().chain(article))
            .any(|t| denies(title, reading, t.tag, sides) && !of_name(t))
}

/// Whether words right behind a grade, or behind one of its parts, deny it. `after`: the token behind
/// it.
fn is_denied_behind(title: &TaggedTitle<'_, '_>, reading: &GradeReading, after: usize) -> bool {
    let ends = [
        reading.end,
        reading.value_at.1,
        reading.grader_at.1,
        reading.label_at.1,
    ];
    let line = title.context.line;
    let particle = line.tokens().get(after);
    let particle = particle.filter(|_| GRADE_PARTICLES.contains(&title.context.word(after)));
    // `PSA鑑定` is a grader, and `鑑定前` denies it
    let within = |t: &Tagged| {
        reading.value.is_none()
            && t.at > reading.grader_at.0
            && t.at < reading.grader_at.1
            && t.end > reading.grader_at.1
    };
    // `PSA 10, case`
    let separate = |t: &Tagged| {
        let kind = title.phrase(t.tag).map(|(kind, _)| kind);
        let accessory = matches!(kind, Some(PhraseKind::Accessory | PhraseKind::SlabPart));
        let before = || title.context.before(line.token_at(t.at as usize));
        accessory && before().contains([',', '|', '('])
    };
    // `PSA10 ケース付き` is in its case
    let has_longer = |t: &Tagged| {
        let over = title.tag_from(t.at, |tag| title.is_slab_note(tag));
        over.is_some_and(|over| over.end > t.end)
    };
    // `PSA 10 Level Ball`
    let begins_name = |t: &Tagged| {
        let name = |hit: &Hit| hit.means.name && hit.at == t.at && hit.end > t.end;
        title.hits.iter().any(name)
    };
    let sides = [Position::After, Position::Either];
    title.tags.iter().any(|t| {
        (ends.contains(&t.at) || particle.is_some_and(|p| p.end == t.at) || within(t))
            && t.at > 0
            && denies(title, reading, t.tag, sides)
            && !separate(t)
            && !has_longer(t)
            && !begins_name(t)
    })
}
