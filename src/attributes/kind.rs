//! Words for what is sold other than one card: lots, sealed products, accessories.

use super::writer::Writer;
use crate::parsed::Field;
use crate::reading::Proposal;

/// Confidence in such words.
pub(crate) const QUALITY: f32 = 1.1;

/// The kind of a playset, and the number of its copies.
const PLAYSET: &str = "playset";
const COPIES_OF_PLAYSET: u32 = 4;

/// Writes the kind with number `word` of the dictionary, and a count inside its words: `2枚セット`,
/// `Lot of 4`.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, word: u16) {
    let kind = writer.dictionary().kinds[word as usize].0.as_str();
    writer.chosen(Field::Kind, kind, proposal);
    let line = writer.readings.context.line;
    let count: String = line
        .text(proposal.at as usize, proposal.end as usize)
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    let count = count.parse::<u32>().ok();
    let count = count.or((kind == PLAYSET).then_some(COPIES_OF_PLAYSET));
    writer.parsed.quantity = writer.parsed.quantity.or(count);
}

/// Writes the sealed product with number `word` of the dictionary.
pub(crate) fn write_sealed(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, word: u16) {
    let product = writer.dictionary().sealed[word as usize].as_str();
    writer.chosen(Field::Kind, product, proposal);
}
