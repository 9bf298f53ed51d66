//! Lists of cards, by what they print, and counts of them. A browser makes them again: its makers are
//! functions of their own, as in `pack`.

use crate::catalogue::format::{CardRecord, CoreRecord, NONE, U24};
use crate::sort::sort_by_key;
use zerocopy::little_endian::U32;

/// Sorts `places` by their keys, of which those from `most` on count as `most`: in three passes, in
/// which equals keep their order. It returns for each key how many keys are below it, and at last
/// how many there are.
#[inline(never)]
fn by_counting(places: &[u32], keys: &[u32], most: usize) -> (Vec<u32>, Vec<u32>) {
    let key = |place: u32| {
        let key = keys.get(place as usize);
        key.map_or(most, |&key| most.min(key as usize))
    };
    let mut below = vec![0; most + 2];
    for &place in places {
        below[key(place) + 1] += 1;
    }
    for at in 0..=most {
        below[at + 1] += below[at];
    }
    let mut next = below.clone();
    let mut sorted = vec![0; places.len()];
    for &place in places {
        let at = &mut next[key(place)];
        sorted[*at as usize] = place;
        *at += 1;
    }
    (below, sorted)
}

/// Cards by their group, below `groups`, and within a group by their order, which is a number below
/// `numbers` or none, then as they lie in `records`; those of other groups come last. Returns the
/// places at which each group begins and the last one ends.
pub(crate) fn grouped(
    records: &[CardRecord],
    groups: usize,
    numbers: usize,
    of: impl Fn(&CardRecord) -> Option<(usize, u32)>,
) -> (Vec<u32>, Vec<U24>) {
    let mut cards: Vec<u32> = Vec::with_capacity(records.len());
    let [mut group, mut order] = [(); 2].map(|()| vec![0; records.len()]);
    for (at, card) in records.iter().enumerate() {
        if let Some(of) = of(card) {
            cards.push(at as u32);
            (group[at], order[at]) = (of.0.min(groups) as u32, of.1);
        }
    }
    let (_, cards) = by_counting(&cards, &order, numbers);
    let (mut starts, cards) = by_counting(&cards, &group, groups);
    starts.truncate(groups + 1);
    (starts, cards.into_iter().map(U24::new).collect())
}

/// The cards that print each of so many `numbers`, by their totals.
#[inline(never)]
pub(crate) fn number_postings(records: &[CardRecord], numbers: usize) -> (Vec<U32>, Vec<U24>) {
    let of = |card: &CardRecord| {
        let printed = Some(card.printed_number()).filter(|&number| number != NONE);
        Some((printed? as usize, card.total.get()))
    };
    let (starts, cards) = grouped(records, numbers, numbers, of);
    (starts.into_iter().map(U32::new).collect(), cards)
}

/// The cards of each of so many `sets` by their numbers, one set's behind the other's.
#[inline(never)]
pub(crate) fn by_set_and_number(records: &[CardRecord], sets: usize, numbers: usize) -> Vec<U24> {
    let of = |card: &CardRecord| Some((card.set.get() as usize, card.number.get()));
    grouped(records, sets, numbers, of).1
}

/// What each of `cards` prints, in their order: the column that a list of cards is searched by.
#[inline(never)]
pub(crate) fn column(
    records: &[CardRecord],
    cards: &[U24],
    printed: fn(&CardRecord) -> u32,
) -> Vec<U24> {
    let record = |card: &U24| records.get(card.get() as usize);
    let printed = |card| U24::new(record(card).map_or(NONE, printed));
    cards.iter().map(printed).collect()
}

/// Number of cards with each total, of `count` numbers.
#[inline(never)]
pub(crate) fn total_counts(records: &[CardRecord], count: usize) -> Vec<U32> {
    counts(records.iter().map(|card| card.total.get()), count)
}

/// Number of cards with each of `count` rarities, as rarity or as mark.
#[inline(never)]
pub(crate) fn rarity_counts(records: &[CardRecord], count: usize) -> Vec<U32> {
    let rarities = records.iter().flat_map(|card| [card.rarity, card.mark]);
    counts(rarities.filter(|&rarity| rarity != 0).map(u32::from), count)
}

/// How often each number below `count` is among `numbers`.
fn counts(numbers: impl Iterator<Item = u32>, count: usize) -> Vec<U32> {
    let mut counts = vec![U32::new(0); count];
    for number in numbers {
        if let Some(count) = counts.get_mut(number as usize) {
            *count += 1;
        }
    }
    counts
}

/// The cores of several subjects, by the first.
#[inline(never)]
pub(crate) fn pairs_of(cores: &[CoreRecord]) -> Vec<U24> {
    let mut pairs: Vec<u32> = (0..)
        .zip(cores)
        .filter(|(_, core)| core.subjects[1].get() != 0)
        .map(|(core, _)| core)
        .collect();
    sort_by_key(&mut pairs, |&core| cores[core as usize].subjects[0].get());
    pairs.into_iter().map(U24::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_are_counted_as_they_are_sorted(keys in proptest::collection::vec(0u32..9, 0..60), most in 0usize..9) {
            let places: Vec<u32> = (0..keys.len() as u32).filter(|place| place % 5 != 1).collect();
            let key = |place: &u32| most.min(keys[*place as usize] as usize);
            let mut expected = places.clone();
            expected.sort_by_key(key);
            let (below, sorted) = by_counting(&places, &keys, most);
            for (number, &below) in below.iter().enumerate() {
                let fewer = places.iter().filter(|place| key(place) < number).count();
                prop_assert_eq!(below as usize, fewer);
            }
            prop_assert_eq!(sorted, expected);
        }
    }
}
