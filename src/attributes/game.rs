//! The game that a card belongs to.

use super::writer::Writer;
use crate::parsed::Field;
use crate::reading::Proposal;

/// Confidence in words for a game.
pub(crate) const QUALITY: f32 = 1.1;

/// Writes the words for the game with number `word` of the dictionary.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, word: u16) {
    let name = writer.dictionary().games[word as usize].name.as_str();
    writer.chosen(Field::Game, name, proposal);
}
