//! [`Bitset`]: sorts and deduplicates numbers without comparing them.

/// A bit for each number, one for each word of those that has any, and one for each word of these:
/// five million cards take 20 words to look through.
///
/// Sorting costs some nine comparisons per card, half of which are mispredicted; a bit costs a
/// shift. Reading clears the bits, so that the next title finds the set empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bitset {
    words: Vec<u64>,
    groups: Vec<u64>,
    top: Vec<u64>,
}

impl Bitset {
    /// Sorts `numbers` and removes duplicates. Those of at least `limit` are dropped too.
    pub(crate) fn order(&mut self, numbers: &mut Vec<u32>, limit: usize) {
        let Bitset { words, groups, top } = self;
        let size = limit.div_ceil(64);
        if words.len() < size {
            words.resize(size, 0);
            groups.resize(size.div_ceil(64), 0);
            top.resize(size.div_ceil(64 * 64), 0);
        }
        for number in numbers
            .drain(..)
            .map(|number| number as usize)
            .filter(|&number| number < limit)
        {
            words[number >> 6] |= 1 << (number & 63);
            groups[number >> 12] |= 1 << (number >> 6 & 63);
            top[number >> 18] |= 1 << (number >> 12 & 63);
        }
        for (at, top) in top.iter_mut().enumerate() {
            for group in bits(at, top) {
                for word in bits(group, &mut groups[group]) {
                    numbers.extend(bits(word, &mut words[word]).map(|number| number as u32));
                }
            }
        }
    }
}

/// Clears the word at `place` and gives the numbers of its bits, ascending.
fn bits(place: usize, word: &mut u64) -> impl Iterator<Item = usize> + use<> {
    let mut left = std::mem::take(word);
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros() as usize;
        (left != 0).then(|| {
            left &= left - 1;
            place << 6 | bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bitset_sorts_and_removes_duplicates(lists in proptest::collection::vec((1u32..600_000, proptest::collection::vec(0u32..600_000, 0..200)), 1..4)) {
            let mut bitset = Bitset::default();
            // one title after another, and catalogues of other sizes
            for (limit, list) in lists {
                let mut ordered = list.clone();
                bitset.order(&mut ordered, limit as usize);
                let mut sorted: Vec<u32> = list.into_iter().filter(|&n| n < limit).collect();
                sorted.sort_unstable();
                sorted.dedup();
                prop_assert_eq!(ordered, sorted);
            }
        }
    }
}
