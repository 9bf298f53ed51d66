//! The quantity: `x4`, `2x`, `10枚`, `6 reverse holo cards`, `lot of 12`.

use super::surroundings::Count;
use super::units::Units;
use super::writer::Writer;
use crate::dictionary::Tag;
use crate::parsed::Field;
use crate::reading::Proposal;
use crate::reading::context::{Context, ending};
use crate::token::Class;

/// Confidence in a number with a word that counts: `x4`, `4 cards`, `lot of 4`.
const QUALITY: f32 = 1.4;
/// Confidence in `4x`, whose `x` may begin a word.
const BEFORE_X: f32 = 1.3;
/// The most digits of a count, and the most next to an `x`.
const MOST_DIGITS: usize = 4;
const MOST_DIGITS_BESIDE_X: usize = 3;

pub(crate) fn propose(count: &Count<'_, '_>, units: &Units, out: &mut Vec<Proposal>) {
    let Count {
        context,
        tags,
        index,
        token,
        word,
        number,
        before,
        after,
        ..
    } = *count;
    let (line, tokens) = (context.line, context.line.tokens());
    if number < 1 || word.len() > MOST_DIGITS || word.len() > 1 && word.starts_with('0') {
        return;
    }
    let glued_after = tokens.get(index + 1).is_some_and(|t| t.glued);
    let short = word.len() <= MOST_DIGITS_BESIDE_X;
    if before == "x"
        && index > 0
        && (token.glued || context.gap(index - 1).trim().is_empty())
        && short
        && !latin_before(context, index - 1)
        // `LV.X 104`
        && !context.before(index - 1).ends_with('.')
    {
        count.push(Field::Quantity, (index - 1, index), QUALITY, out);
    }
    if after == "x"
        && (glued_after || context.gap(index).trim().is_empty())
        && !latin_after(context, index + 1)
        // `151 x4`
        && (glued_after || !digits_after(context, index + 1))
        && short
    {
        count.push(Field::Quantity, (index, index + 1), BEFORE_X, out);
    }
    // one `Card` after a number is not a count: `Undaunted #84 CARD`
    let counted = before == "x" || !latin_before(context, index);
    if counted && units.are_cards(after) || units.are_copies(after) {
        count.push(Field::Quantity, (index, index + 1), QUALITY, out);
    }
    // `6 Reverse Holo Cards`
    let finish = |at: usize| {
        let from = tokens.get(at)?.at;
        ending(tags, from, from + count.longest)
            .iter()
            .filter(|t| t.at == from && matches!(t.tag, Tag::Printing(_) | Tag::Rarity(_)))
            .map(|t| line.token_at(t.end as usize))
            .max()
    };
    if let Some(cards) = finish(index + 1)
        && units.are_cards(context.word(cards))
        && number > 1
        && before != "/"
    {
        count.push(Field::Quantity, (index, cards), QUALITY, out);
    }
    // `380+ cards`
    if after == "+" && units.are_cards(context.word(index + 2)) {
        count.push(Field::Quantity, (index, index + 2), QUALITY, out);
    }
    if let Some(words) = units.copies_of(context, index) {
        count.push(Field::Quantity, (index - words, index), QUALITY, out);
    }
}

fn latin_before(context: &Context<'_>, token: usize) -> bool {
    token > 0
        && context.line.tokens()[token].glued
        && context.class(token - 1) == Some(Class::Latin)
}

fn digits_after(context: &Context<'_>, token: usize) -> bool {
    let next = context.line.tokens().get(token + 1);
    next.is_some_and(|t| t.glued && t.class == Class::Digit)
}

fn latin_after(context: &Context<'_>, token: usize) -> bool {
    context
        .line
        .tokens()
        .get(token + 1)
        .is_some_and(|t| t.glued && t.class == Class::Latin)
}

/// Writes a count that was chosen; the first of a title counts.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>, count: u32) {
    writer.parsed.quantity.get_or_insert(count);
}
