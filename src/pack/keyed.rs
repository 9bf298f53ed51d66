//! Keys in their order, by a quicksort that looks at eight bytes of them at a time (Bentley and
//! Sedgewick 1997): most keys are told apart by their first.

use super::lexicon::Pair;
use crate::sort::{first_bytes, sort_by, sort_few};

/// So few are sorted by insertion.
const FEW: usize = 16;
/// Bytes of a key that are looked at together.
const WORD: usize = size_of::<u64>();

/// A pair, by its place, with the bytes of its key that are being compared.
#[derive(Clone, Copy)]
struct Keyed {
    word: u64,
    place: u32,
}

/// Sorts `pairs` by their keys in `bytes`, and those of one key by what they mean.
pub(super) fn sort(bytes: &[u8], pairs: &mut Vec<Pair>) {
    let halvings = pairs.len().checked_ilog2().unwrap_or(0);
    sort_within(bytes, pairs, 2 * halvings);
}

fn sort_within(bytes: &[u8], pairs: &mut Vec<Pair>, most: u32) {
    let keys = Keys { bytes, pairs };
    let begun = |(place, pair)| Keyed {
        word: first_bytes(keys.rest(pair, 0)),
        place,
    };
    let mut all: Vec<Keyed> = (0..).zip(pairs.iter()).map(begun).collect();
    keys.sort(&mut all, 0, most);
    *pairs = all.iter().map(|one| pairs[one.place as usize]).collect();
}

/// The keys of pairs.
#[derive(Clone, Copy)]
struct Keys<'k> {
    bytes: &'k [u8],
    pairs: &'k [Pair],
}

impl<'k> Keys<'k> {
    /// The bytes of a key from `depth` on.
    fn rest(self, pair: &Pair, depth: usize) -> &'k [u8] {
        let rest = pair.0 as usize + depth..pair.1 as usize;
        self.bytes.get(rest).unwrap_or(&[])
    }

    fn pair(self, one: &Keyed) -> &'k Pair {
        &self.pairs[one.place as usize]
    }

    /// Sorts keys that share their first `depth` bytes; their words are the bytes after those. The
    /// list is split at most `most` times. What is still unsorted then was split badly and goes to
    /// the merge sort, which has no bad case.
    fn sort(self, mut all: &mut [Keyed], mut depth: usize, mut most: u32) {
        loop {
            let compare = |a: &Keyed, b: &Keyed| {
                let [one, other] = [a, b].map(|one| self.pair(one));
                let rest = |pair| self.rest(pair, depth);
                let words = a.word.cmp(&b.word);
                words
                    .then_with(|| rest(one).cmp(rest(other)))
                    .then_with(|| one.2.cmp(&other.2))
            };
            if all.len() <= FEW {
                return sort_few(all, |a, b| compare(a, b).is_lt());
            }
            if most == 0 {
                return sort_by(all, compare);
            }
            most -= 1;
            let pivot = middle([0, all.len() / 2, all.len() - 1].map(|at| all[at].word));
            let below = partition(all, |one| one.word < pivot);
            let (before, rest) = all.split_at_mut(below);
            let same = partition(rest, |one| one.word == pivot);
            let (same, behind) = rest.split_at_mut(same);
            self.sort(before, depth, most);
            self.sort(behind, depth, most);
            // the keys that end here come first
            let ends = |one: &Keyed| self.rest(self.pair(one), depth).len() <= WORD;
            let ended = partition(same, ends);
            let (ended, longer) = same.split_at_mut(ended);
            sort_by(ended, compare);
            depth += WORD;
            for one in &mut *longer {
                one.word = first_bytes(self.rest(self.pair(one), depth));
            }
            all = longer;
        }
    }
}

fn middle([a, b, c]: [u64; 3]) -> u64 {
    a.max(b).min(a.min(b).max(c))
}

/// Moves those that are `first` to the front; their number.
fn partition(all: &mut [Keyed], first: impl Fn(&Keyed) -> bool) -> usize {
    let mut end = 0;
    for at in 0..all.len() {
        // both are below the length
        let is_first = first(&all[at]);
        all.swap(at, end);
        end += usize::from(is_first);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Entry;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pairs_are_sorted_as_by_the_standard_library(
            keys in proptest::collection::vec(("[ab\u{0}ア]{0,4}|[ab]{9,20}", 0u32..900), 0..400),
            long in 0usize..300,
            most in 0u32..12,
        ) {
            let mut bytes = String::new();
            let mut pairs: Vec<Pair> = Vec::new();
            let shared = "x".repeat(long);
            for (key, id) in &keys {
                let from = bytes.len() as u32;
                if id % 3 == 0 {
                    bytes.push_str(&shared);
                }
                bytes.push_str(key);
                pairs.push((from, bytes.len() as u32, Entry::from_bits(id * 0x0002_0101)));
            }
            let key = |pair: &Pair| &bytes[pair.0 as usize..pair.1 as usize];
            let shown = |pairs: &[Pair]| -> Vec<(String, Entry)> {
                pairs.iter().map(|pair| (key(pair).to_owned(), pair.2)).collect()
            };
            let mut expected = shown(&pairs);
            expected.sort();
            let mut within = pairs.clone();
            sort(bytes.as_bytes(), &mut pairs);
            prop_assert_eq!(&shown(&pairs), &expected);
            sort_within(bytes.as_bytes(), &mut within, most);
            prop_assert_eq!(shown(&within), expected);
        }
    }
}
