//! Hit points: `120 HP`, `HP 120`, `120 KP`, `120 PV`.

use super::surroundings::Count;
use crate::parsed::Field;
use crate::reading::Proposal;
use crate::token::Class;
use crate::word_lists::{VITALITY, VITALITY_BEFORE};

/// Hit points that cards have, in steps of ten.
const POINTS: std::ops::RangeInclusive<u32> = 30..=400;
/// Confidence in hit points with their letters after them, and with their letters before them.
const LETTERS_BEHIND: f32 = 1.6;
const LETTERS_BEFORE: f32 = 1.5;

pub(crate) fn propose(count: &Count<'_, '_>, out: &mut Vec<Proposal>) {
    let (index, number) = (count.index, count.number);
    if !POINTS.contains(&number) || !number.is_multiple_of(10) {
        return;
    }
    // `BT10-100 HP`: the end of a number with the code of a set, and a condition
    let context = count.context;
    let behind = |class: Class| index > 0 && context.class(index - 1) == Some(class);
    let of_code = context.before(index) == "-" && behind(Class::Digit)
        || count.token.glued && behind(Class::Latin);
    if VITALITY.contains(&count.after) && !of_code {
        count.push(Field::Hp, (index, index + 1), LETTERS_BEHIND, out);
    }
    if VITALITY_BEFORE.contains(&count.before) {
        count.push(Field::Hp, (index - 1, index), LETTERS_BEFORE, out);
    }
}
