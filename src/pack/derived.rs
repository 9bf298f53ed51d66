//! The sections that follow from the [`Tables`]: what is sorted, counted or listed by something
//! else.

use super::tables::Tables;
use crate::catalogue::format::{CardRecord, MOST_SUBJECTS, Section, U24, pack_number};
use crate::derive::{
    by_set_and_number, column, grouped, number_postings, pairs_of, rarity_counts, total_counts,
};
use crate::sort::{first_bytes, sort_by, sort_by_key};
use zerocopy::IntoBytes;
use zerocopy::little_endian::{U32, U64};

/// Those that need nothing but the tables, in the order of the index.
pub(super) const SECTIONS: [Section; 14] = [
    Section::CardsById,
    Section::CoreCards,
    Section::CoreNumbers,
    Section::CoreTotals,
    Section::Numbers,
    Section::NumberStarts,
    Section::NumberCards,
    Section::NumberTotals,
    Section::SetCards,
    Section::SetNumbers,
    Section::Subjects,
    Section::TotalCounts,
    Section::RarityCards,
    Section::Pairs,
];

/// All of [`SECTIONS`].
pub(super) fn sections(tables: &Tables) -> [Vec<u8>; 14] {
    let (records, numbers) = (&tables.cards, tables.texts.len());
    let (starts, cards) = number_postings(records, numbers);
    let cores = core_cards(tables);
    let sets = by_set_and_number(records, tables.sets.len(), numbers);
    let total: fn(&CardRecord) -> u32 = |card| card.total.get();
    let of_cores = column(records, &cores, CardRecord::printed_number);
    let of_sets = column(records, &sets, |card| card.number.get());
    let bytes = |list: &[U24]| list.as_bytes().to_vec();
    [
        cards_by_id(tables),
        bytes(&cores),
        bytes(&of_cores),
        bytes(&column(records, &cores, total)),
        packed_numbers(tables),
        starts.as_bytes().to_vec(),
        bytes(&cards),
        bytes(&column(records, &cards, total)),
        bytes(&sets),
        bytes(&of_sets),
        subjects(tables),
        total_counts(records, numbers).as_bytes().to_vec(),
        rarity_counts(records, tables.rarities.len())
            .as_bytes()
            .to_vec(),
        bytes(&pairs_of(&tables.cores)),
    ]
}

#[inline(never)]
fn cards_by_id(tables: &Tables) -> Vec<u8> {
    let id = |card: u32| {
        tables
            .cards
            .get(card as usize)
            .map_or(&[][..], |card| tables.strings.bytes(card.id.get()))
    };
    // ids mostly begin with their set's and a dash, so that the next letters decide within a set,
    // and the first card's id between sets
    let mut sets: Vec<Vec<(u64, u32)>> = Vec::new();
    let mut at = 0;
    for set in tables.cards.chunk_by(|a, b| a.set == b.set) {
        let shared = tables
            .sets
            .get(set[0].set.get() as usize)
            .map_or(0, |set| tables.strings.bytes(set.id.get()).len() + 1);
        let cards = at..at + set.len() as u32;
        at = cards.end;
        let head = |card: u32| first_bytes(id(card).get(shared..).unwrap_or(&[]));
        let mut cards: Vec<(u64, u32)> = cards.map(|card| (head(card), card)).collect();
        sort_by(&mut cards, |a, b| {
            a.0.cmp(&b.0).then_with(|| id(a.1).cmp(id(b.1)))
        });
        sets.push(cards);
    }
    sort_by_key(&mut sets, |cards| id(cards[0].1));
    let mut all: Vec<u32> = sets.into_iter().flatten().map(|(_, card)| card).collect();
    if !all.is_sorted_by(|&a, &b| (id(a), a) <= (id(b), b)) {
        sort_by_key(&mut all, |&card| (id(card), card));
    }
    all.into_iter()
        .map(U24::new)
        .collect::<Vec<_>>()
        .as_bytes()
        .to_vec()
}

/// The core of a card with a name.
fn core_of(tables: &Tables, name: U24) -> usize {
    tables
        .names
        .get(name.get() as usize)
        .map_or(usize::MAX, |name| name.core.get() as usize)
}

#[inline(never)]
fn core_cards(tables: &Tables) -> Vec<U24> {
    let (cores, numbers) = (tables.cores.len(), tables.texts.len());
    let (_, cards) = grouped(&tables.cards, cores, numbers, |card| {
        Some((core_of(tables, card.name), card.printed_number()))
    });
    cards
}

#[inline(never)]
fn packed_numbers(tables: &Tables) -> Vec<u8> {
    let packed = |at: usize| {
        tables
            .texts
            .get(at)
            .first()
            .map_or(0, |&text| pack_number(tables.strings.get(text)))
    };
    (0..tables.texts.len())
        .map(|at| U64::new(packed(at)))
        .collect::<Vec<_>>()
        .as_bytes()
        .to_vec()
}

#[inline(never)]
fn subjects(tables: &Tables) -> Vec<u8> {
    let mut subjects = vec![U32::new(0); MOST_SUBJECTS];
    for (number, core) in (1..).zip(&tables.cores) {
        if core.subjects[1].get() == 0
            && let Some(slot) = subjects
                .get_mut(usize::from(core.subjects[0].get()))
                .filter(|_| core.subjects[0].get() != 0)
        {
            *slot = U32::new(number);
        }
    }
    subjects.as_bytes().to_vec()
}
