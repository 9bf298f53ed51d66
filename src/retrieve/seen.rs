//! [`Seen`]: removes duplicates from lists of numbers without comparing them.

/// A bit for each number. Sorting costs some nine comparisons per card, half of which are
/// mispredicted; a bit costs a shift.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// All 0 between two lists.
    words: Vec<u64>,
}

impl Seen {
    /// Keeps each of `numbers` once, where it stands first. Those of at least `limit` are dropped
    /// too.
    pub(crate) fn keep_first(&mut self, numbers: &mut Vec<u32>, limit: usize) {
        let size = limit.div_ceil(64);
        if self.words.len() < size {
            self.words.resize(size, 0);
        }
        let words = &mut self.words[..size];
        let place = |number: u32| (number as usize >> 6, 1u64 << (number & 63));
        numbers.retain(|&number| {
            let (word, bit) = place(number);
            words.get_mut(word).is_some_and(|word| {
                let new = *word & bit == 0;
                *word |= bit;
                new && (number as usize) < limit
            })
        });
        for &number in numbers.iter() {
            if let Some(word) = words.get_mut(place(number).0) {
                *word = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_number_is_kept_once_where_it_stands_first(lists in proptest::collection::vec((1u32..600_000, proptest::collection::vec(0u32..600_000, 0..200)), 1..4)) {
            let mut seen = Seen::default();
            // one title after another, and catalogues of other sizes
            for (limit, list) in lists {
                let mut kept = list.clone();
                seen.keep_first(&mut kept, limit as usize);
                let mut first: Vec<u32> = Vec::new();
                for number in list {
                    if number < limit && !first.contains(&number) {
                        first.push(number);
                    }
                }
                prop_assert_eq!(kept, first);
            }
        }
    }
}
