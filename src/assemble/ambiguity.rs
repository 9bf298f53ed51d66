//! Finds what would settle an ambiguity: the fewest attributes that distinguish the cards that a
//! title fits.

use crate::catalogue::Columns;
use crate::catalogue::format::{CardRecord, card_flag};
use crate::parsed::Field;
use crate::sort::sort_by;

/// The attributes of a card that a seller can state, in the words of
/// [`crate::Outcome::ambiguous_on`], easiest first. Of equally small choices the one with the
/// earlier attributes wins.
const ATTRIBUTES: [Field; 9] = [
    Field::Set,
    Field::Language,
    Field::Number,
    Field::Name,
    Field::Printing,
    Field::Rarity,
    Field::Year,
    Field::Product,
    Field::Illustrator,
];

/// The attribute that a title `asks` for, and the fewest that tell each two of `cards` apart, as far
/// as any do.
pub(super) fn settling(catalogue: &Columns<'_>, cards: &[u32], asks: Option<Field>) -> Vec<Field> {
    let most = cards.len() * cards.len().saturating_sub(1) / 2;
    let mut pairs: Vec<u16> = Vec::with_capacity(most);
    let record = |card: &u32| catalogue.card_record(*card);
    for (at, card) in cards.iter().enumerate() {
        let Some(one) = record(card) else { continue };
        let others = cards[at + 1..].iter().filter_map(record);
        pairs.extend(others.map(|other| telling(catalogue, one, other)));
    }
    let fewest = hitting(&mut pairs);
    ATTRIBUTES
        .iter()
        .enumerate()
        .filter(|&(bit, field)| fewest & 1 << bit != 0 || asks == Some(*field))
        .map(|(_, field)| *field)
        .collect()
}

/// The attributes that tell two cards apart, a bit each.
fn telling(catalogue: &Columns<'_>, one: &CardRecord, other: &CardRecord) -> u16 {
    let year = |card: &CardRecord| {
        let set = catalogue
            .set_record(card)
            .map_or(0, |s| s.released.get() / 10_000);
        catalogue.product_year(card).map_or(set, u32::from)
    };
    // a finish distinguishes cards only if they have no finish in common
    let finishes = |card: &CardRecord| {
        card.flags.get() & (card_flag::NORMAL | card_flag::HOLO | card_flag::REVERSE)
    };
    let known = |a: u32, b: u32| a != b && a != 0 && b != 0;
    let differ = [
        one.set != other.set,
        one.language != other.language,
        one.number != other.number || one.total != other.total,
        one.name != other.name,
        finishes(one) != 0 && finishes(other) != 0 && finishes(one) & finishes(other) == 0,
        (one.rarity, one.mark) != (other.rarity, other.mark),
        known(year(one), year(other)),
        one.product != other.product,
        known(one.illustrator.get().into(), other.illustrator.get().into()),
    ];
    differ
        .iter()
        .enumerate()
        .filter(|(_, differs)| **differs)
        .fold(0, |bits, (bit, _)| bits | 1 << bit)
}

/// The smallest set of bits that has one in common with each of `pairs`, but for those that are 0;
/// of equal ones that with the lowest bits.
fn hitting(pairs: &mut Vec<u16>) -> u16 {
    pairs.retain(|&bits| bits != 0);
    sort_by(pairs, Ord::cmp);
    pairs.dedup();
    (0..=ATTRIBUTES.len())
        .find_map(|size| choose(pairs, 0, 0, size))
        .unwrap_or(0)
}

/// The first choice of `chosen` and `size` more bits from bit `from` on that has one in common with
/// each of `pairs`, lowest bits first.
fn choose(pairs: &[u16], chosen: u16, from: usize, size: usize) -> Option<u16> {
    if size == 0 {
        let hits = pairs.iter().all(|pair| pair & chosen != 0);
        return hits.then_some(chosen);
    }
    (from..ATTRIBUTES.len()).find_map(|bit| choose(pairs, chosen | 1 << bit, bit + 1, size - 1))
}

#[cfg(test)]
mod tests {
    use super::hitting;

    #[test]
    fn one_attribute_is_preferred_if_it_suffices() {
        assert_eq!(hitting(&mut vec![0b0101, 0b0110, 0b0100]), 0b0100);
        // of two that suffice, the earlier one
        assert_eq!(hitting(&mut vec![0b0110, 0b1110]), 0b0010);
    }

    #[test]
    fn two_attributes_if_one_does_not_suffice() {
        assert_eq!(hitting(&mut vec![0b0001, 0b0110, 0b1010]), 0b0011);
    }

    #[test]
    fn indistinguishable_cards_yield_no_attribute() {
        assert_eq!(hitting(&mut vec![0, 0]), 0);
    }
}
