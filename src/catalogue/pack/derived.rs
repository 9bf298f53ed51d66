//! The sections that follow from the [`Tables`]: what is sorted, counted or listed by something else.

use super::tables::Tables;
use crate::catalogue::format::{CardRecord, NONE, Section, U24, card_flag, pack_number};
use zerocopy::IntoBytes;
use zerocopy::little_endian::{U32, U64};

/// Those that need nothing but the tables, in the order of the index.
pub(super) const SECTIONS: [Section; 9] = [
    Section::CardsById,
    Section::CoreCards,
    Section::Numbers,
    Section::NumberStarts,
    Section::NumberCards,
    Section::Species,
    Section::TotalCounts,
    Section::RarityCards,
    Section::Pairs,
];

/// All of [`SECTIONS`].
pub(super) fn sections(tables: &Tables) -> [Vec<u8>; 9] {
    let (starts, cards) = number_cards(tables);
    let of = |card: &CardRecord| [usize::from(card.rarity), usize::from(card.mark)];
    [
        cards_by_id(tables),
        core_cards(tables),
        numbers(tables),
        starts.as_bytes().to_vec(),
        cards.as_bytes().to_vec(),
        species(tables),
        counts(tables.texts.len(), tables.cards.iter().map(|card| card.total.get() as usize)),
        counts(tables.rarities.len(), tables.cards.iter().flat_map(of).filter(|&number| number != 0)),
        pairs(tables),
    ]
}

fn cards_by_id(tables: &Tables) -> Vec<u8> {
    let mut ids: Vec<(&[u8], u32)> = (0..).zip(&tables.cards).map(|(at, card)| (tables.strings.bytes(card.id.get()), at)).collect();
    // within a set they mostly lie in their order already
    ids.sort();
    ids.into_iter().map(|(_, card)| U24::new(card)).collect::<Vec<_>>().as_bytes().to_vec()
}

/// The core of a card with a name.
fn core_of(tables: &Tables, name: U24) -> usize {
    tables.names.get(name.get() as usize).map_or(usize::MAX, |name| name.core.get() as usize)
}

fn core_cards(tables: &Tables) -> Vec<u8> {
    let mut lists: Vec<(usize, u32, u32)> =
        (0..).zip(&tables.cards).map(|(at, card)| (core_of(tables, card.name), card.printed_number(), at)).collect();
    lists.sort_unstable();
    lists.into_iter().map(|(_, _, card)| U24::new(card)).collect::<Vec<_>>().as_bytes().to_vec()
}

fn numbers(tables: &Tables) -> Vec<u8> {
    let packed = |at: usize| tables.texts.get(at).first().map_or(0, |&text| pack_number(tables.strings.get(text)));
    (0..tables.texts.len()).map(|at| U64::new(packed(at))).collect::<Vec<_>>().as_bytes().to_vec()
}

fn number_cards(tables: &Tables) -> (Vec<U32>, Vec<U24>) {
    let printed = tables.cards.iter().enumerate();
    let printed = printed.filter(|(_, card)| card.number.get() != NONE && card.flags.get() & card_flag::UNPRINTED == 0);
    let mut all: Vec<(u32, u32, u32)> = printed.map(|(at, card)| (card.number.get(), card.total.get(), at as u32)).collect();
    all.sort_unstable();
    let starts = (0..=tables.texts.len() as u32).map(|number| U32::new(all.partition_point(|one| one.0 < number) as u32)).collect();
    (starts, all.into_iter().map(|(_, _, card)| U24::new(card)).collect())
}

fn species(tables: &Tables) -> Vec<u8> {
    let mut species = vec![U32::new(0); 2048];
    for (number, core) in (1..).zip(&tables.cores) {
        if core.dex[1].get() == 0
            && let Some(slot) = species.get_mut(usize::from(core.dex[0].get())).filter(|_| core.dex[0].get() != 0)
        {
            *slot = U32::new(number);
        }
    }
    species.as_bytes().to_vec()
}

/// How often each number below `most` is among `numbers`.
fn counts(most: usize, numbers: impl Iterator<Item = usize>) -> Vec<u8> {
    let mut counts = vec![U32::new(0); most];
    for number in numbers {
        if let Some(count) = counts.get_mut(number) {
            *count += 1;
        }
    }
    counts.as_bytes().to_vec()
}

fn pairs(tables: &Tables) -> Vec<u8> {
    let mut pairs: Vec<(u16, u32)> =
        (0..).zip(&tables.cores).filter(|(_, core)| core.dex[1].get() != 0).map(|(at, core)| (core.dex[0].get(), at)).collect();
    pairs.sort_unstable();
    pairs.into_iter().map(|(_, core)| U24::new(core)).collect::<Vec<_>>().as_bytes().to_vec()
}
