//! The sections that follow from the [`Tables`]: what is sorted, counted or listed by something
//! else.

use super::tables::Tables;
use crate::catalogue::format::{
    CardRecord, MOST_SUBJECTS, NONE, Section, U24, card_flag, pack_number,
};
use crate::derive::{by_counting, by_set_and_number, column};
use crate::sort::{sort_by, sort_by_key};
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
    let (starts, cards) = number_cards(tables);
    let cores = core_cards(tables);
    let sets = by_set_and_number(&tables.cards, tables.texts.len());
    let records = &tables.cards;
    let total: fn(&CardRecord) -> u32 = |card| card.total.get();
    let of_cores = column(records, &cores, CardRecord::printed_number);
    let of_sets = column(records, &sets, |card| card.number.get());
    let bytes = |list: &[U24]| list.as_bytes().to_vec();
    // none is counted of what is not there
    let rarity = |number: u8| match number {
        0 => usize::MAX,
        _ => usize::from(number),
    };
    [
        cards_by_id(tables),
        bytes(&cores),
        bytes(&of_cores),
        bytes(&column(records, &cores, total)),
        numbers(tables),
        starts.as_bytes().to_vec(),
        bytes(&cards),
        bytes(&column(records, &cards, total)),
        bytes(&sets),
        bytes(&of_sets),
        subjects(tables),
        counts(records, tables.texts.len(), |card| {
            [card.total.get() as usize; 1]
        }),
        counts(records, tables.rarities.len(), |card| {
            [card.rarity, card.mark].map(rarity)
        }),
        pairs(tables),
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
        let head = |card: u32| letters(id(card).get(shared..).unwrap_or(&[]));
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

/// The first eight bytes as a number that sorts as they do.
fn letters(text: &[u8]) -> u64 {
    let mut letters = [0; 8];
    let length = text.len().min(8);
    letters[..length].copy_from_slice(&text[..length]);
    u64::from_be_bytes(letters)
}

/// The core of a card with a name.
fn core_of(tables: &Tables, name: U24) -> usize {
    tables
        .names
        .get(name.get() as usize)
        .map_or(usize::MAX, |name| name.core.get() as usize)
}

/// Cards by their group, below `groups`, and within a group by their order, then by number; those of
/// other groups come last. Returns the places at which each group begins and the last one ends.
fn grouped(
    tables: &Tables,
    groups: usize,
    of: impl Fn(&CardRecord) -> Option<(usize, u32)>,
) -> (Vec<u32>, Vec<U24>) {
    let mut cards: Vec<u32> = Vec::with_capacity(tables.cards.len());
    let [mut group, mut order] = [(); 2].map(|()| vec![0; tables.cards.len()]);
    for (at, card) in tables.cards.iter().enumerate() {
        if let Some(of) = of(card) {
            cards.push(at as u32);
            (group[at], order[at]) = (of.0.min(groups) as u32, of.1);
        }
    }
    // an order is that of a collector number, or none
    let (_, cards) = by_counting(&cards, &order, tables.texts.len());
    let (mut starts, cards) = by_counting(&cards, &group, groups);
    starts.truncate(groups + 1);
    (starts, cards.into_iter().map(U24::new).collect())
}

#[inline(never)]
fn core_cards(tables: &Tables) -> Vec<U24> {
    let (_, cards) = grouped(tables, tables.cores.len(), |card| {
        Some((core_of(tables, card.name), card.printed_number()))
    });
    cards
}

#[inline(never)]
fn numbers(tables: &Tables) -> Vec<u8> {
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
fn number_cards(tables: &Tables) -> (Vec<U32>, Vec<U24>) {
    let printed = |card: &CardRecord| {
        card.number.get() != NONE && card.flags.get() & card_flag::UNPRINTED == 0
    };
    let of =
        |card: &CardRecord| printed(card).then(|| (card.number.get() as usize, card.total.get()));
    let (starts, cards) = grouped(tables, tables.texts.len(), of);
    (starts.into_iter().map(U32::new).collect(), cards)
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

/// Counts each number below `most` that the records have.
#[inline(never)]
fn counts<const N: usize>(
    records: &[CardRecord],
    most: usize,
    of: impl Fn(&CardRecord) -> [usize; N],
) -> Vec<u8> {
    let mut counts = vec![U32::new(0); most];
    for number in records.iter().flat_map(of) {
        if let Some(count) = counts.get_mut(number) {
            *count += 1;
        }
    }
    counts.as_bytes().to_vec()
}

#[inline(never)]
fn pairs(tables: &Tables) -> Vec<u8> {
    let mut pairs: Vec<(u32, u32)> = (0..)
        .zip(&tables.cores)
        .filter(|(_, core)| core.subjects[1].get() != 0)
        .map(|(at, core)| (core.subjects[0].get().into(), at))
        .collect();
    sort_by_key(&mut pairs, |pair| *pair);
    pairs
        .into_iter()
        .map(|(_, core)| U24::new(core))
        .collect::<Vec<_>>()
        .as_bytes()
        .to_vec()
}
