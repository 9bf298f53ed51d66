//! Sorts that are small in code: [`sort_few`] for lists of a few, [`sort_in_place`] for lists of a
//! title that may be longer, [`sort_by`] for lists that no title waits for.
//!
//! The standard library's sort comes with ten kilobytes of code for each type and each order. Used for
//! every list it was half a megabyte of the command and an eighth of what compiling the core took, and
//! a browser fetched it.

use std::cmp::Ordering;

/// The longest list that is sorted by insertion.
const FEW: usize = 64;

/// Sorts a list of a few, in which equals keep their order, by insertion.
///
/// The standard library's sort does the same with as many as twenty.
pub(crate) fn sort_few<T>(list: &mut [T], before: impl Fn(&T, &T) -> bool) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && before(&list[at], &list[at - 1]) {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Sorts a list in which no two are equal, or it does not matter in which order equals stand, without
/// memory of its own: by insertion, and longer lists as a heap.
pub(crate) fn sort_in_place<T>(list: &mut [T], before: impl Fn(&T, &T) -> bool) {
    if list.len() <= FEW {
        return sort_few(list, before);
    }
    // the last of the first `len` elements is at the top, and each stands behind its two children
    let sink = |list: &mut [T], mut at: usize, len: usize| {
        loop {
            let left = 2 * at + 1;
            let Some(mut child) = Some(left).filter(|&left| left < len) else {
                return;
            };
            if left + 1 < len && before(&list[left], &list[left + 1]) {
                child = left + 1;
            }
            if !before(&list[at], &list[child]) {
                return;
            }
            list.swap(at, child);
            at = child;
        }
    };
    let len = list.len();
    for at in (0..len / 2).rev() {
        sink(list, at, len);
    }
    for end in (1..len).rev() {
        list.swap(0, end);
        sink(list, 0, end);
    }
}

/// Sorts a list in which equals keep their order, as [`slice::sort_by`] does. It sorts the places,
/// by one code for all types, and then moves each element once; a few it sorts where they lie.
pub(crate) fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if list.len() <= FEW {
        return sort_few(list, |a, b| compare(a, b).is_lt());
    }
    let places = places(list.len(), &|a, b| compare(&list[a], &list[b]));
    arrange(list, places);
}

/// As [`slice::sort_by_key`].
pub(crate) fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// As [`slice::sort_by_cached_key`].
pub(crate) fn sort_by_cached_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    let keys: Vec<K> = list.iter().map(key).collect();
    let places = places(keys.len(), &|a, b| keys[a].cmp(&keys[b]));
    arrange(list, places);
}

/// The first eight bytes as a number that sorts as they do, with zeros behind fewer.
pub(crate) fn first_bytes(text: &[u8]) -> u64 {
    if let Some(first) = text.first_chunk() {
        return u64::from_be_bytes(*first);
    }
    let mut first = [0; 8];
    first[..text.len()].copy_from_slice(text);
    u64::from_be_bytes(first)
}

/// The places of a list of `len` elements in the order of the elements, of equals the first first:
/// runs that are twice as long each time are merged.
fn places(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..len).collect();
    let mut room = places.clone();
    let mut run = 1;
    while run < len {
        let pairs = places.chunks(2 * run);
        for (from, to) in pairs.zip(room.chunks_mut(2 * run)) {
            let (first, second) = from.split_at(run.min(from.len()));
            merge(first, second, to, compare);
        }
        std::mem::swap(&mut places, &mut room);
        run *= 2;
    }
    places
}

/// Merges two runs of places into one that is as long as both.
fn merge<'p>(
    mut first: &'p [usize],
    mut second: &'p [usize],
    to: &mut [usize],
    compare: &dyn Fn(usize, usize) -> Ordering,
) {
    for to in to {
        let run = match (first.first(), second.first()) {
            (Some(&a), Some(&b)) if compare(b, a).is_lt() => &mut second,
            (Some(_), _) => &mut first,
            (None, _) => &mut second,
        };
        if let Some((&next, rest)) = run.split_first() {
            (*to, *run) = (next, rest);
        }
    }
}

/// Puts into each place of the list the element that lies at `places` of it.
fn arrange<T>(list: &mut [T], mut places: Vec<usize>) {
    for first in 0..list.len() {
        // places that wait for each other's elements form a circle, which ends where it began
        let mut at = first;
        loop {
            let from = std::mem::replace(&mut places[at], at);
            if from == first {
                break;
            }
            list.swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lists() -> impl Strategy<Value = Vec<(u8, u8)>> {
        proptest::collection::vec((0u8..6, any::<u8>()), 0..200)
    }

    proptest! {
        #[test]
        fn lists_are_sorted_as_by_the_standard_library(list in lists()) {
            let mut all = list.clone();
            all.sort_unstable();
            let mut heap = list.clone();
            sort_in_place(&mut heap, |a, b| a < b);
            prop_assert_eq!(&heap, &all);
            let mut stable = list.clone();
            stable.sort_by_key(|one| one.0);
            let sorted = |sort: fn(&mut [(u8, u8)])| {
                let mut list = list.clone();
                sort(&mut list);
                list
            };
            prop_assert_eq!(&sorted(|list| sort_few(list, |a, b| a.0 < b.0)), &stable);
            prop_assert_eq!(&sorted(|list| sort_by_key(list, |one| one.0)), &stable);
            prop_assert_eq!(&sorted(|list| sort_by_cached_key(list, |one| one.0)), &stable);
        }
    }
}
