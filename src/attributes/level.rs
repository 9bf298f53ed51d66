//! The level of a card's subject: `Lv. 12`.

use super::surroundings::Count;
use crate::parsed::Field;
use crate::reading::Proposal;
use crate::word_lists::LEVELS;

/// The highest level.
const HIGHEST: u32 = 100;
/// Confidence in a number after a word for a level.
const QUALITY: f32 = 1.6;

pub(crate) fn propose(count: &Count<'_, '_>, out: &mut Vec<Proposal>) {
    if LEVELS.contains(&count.before) && count.number <= HIGHEST {
        count.push(Field::Level, (count.index - 1, count.index), QUALITY, out);
    }
}
