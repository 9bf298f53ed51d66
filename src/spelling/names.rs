//! [`Spellings`]: the names of the catalogue that a misspelt word may mean.

use super::confusions::Confusions;
use super::letters::{Letters, Sketch, Spelling, slips};
use super::{LONGEST, SOUND, allowed};
use crate::catalogue::{AliasKind, Columns, Entry, EntryKind};
use once_cell::sync::OnceCell;

/// Shorter names are compared with nothing: a slip in them leaves too little.
const SHORTEST: usize = 4;
/// Shorter names of sets are compared with nothing: they are words that a title may well mean.
const SHORTEST_SET: usize = 8;

/// The names that misspelt words are compared with, each prepared when the first word needs it.
#[derive(Debug, Clone)]
pub(crate) struct Spellings {
    names: OnceCell<Names>,
    sets: OnceCell<Names>,
    /// Of each core of the catalogue.
    cores: Box<[OnceCell<Sketch>]>,
}

impl Spellings {
    /// An empty index for the names of `catalogue`; none is prepared yet.
    pub(crate) fn of(catalogue: &Columns<'_>) -> Spellings {
        Spellings {
            names: OnceCell::new(),
            sets: OnceCell::new(),
            cores: std::iter::repeat_with(OnceCell::new)
                .take(catalogue.cores.len())
                .collect(),
        }
    }

    /// The sketch of the name of a core.
    pub(crate) fn core(
        &self,
        catalogue: &Columns<'_>,
        confusions: &Confusions,
        core: u32,
    ) -> Option<&Sketch> {
        let record = catalogue.cores.get(core as usize)?;
        let sketch = || Sketch::of(&Spelling::of(confusions, catalogue.string(record.key)));
        self.cores
            .get(core as usize)
            .map(|cell| cell.get_or_init(sketch))
    }

    /// Finds the names that `word` may be a misspelling of.
    pub(crate) fn search(
        &self,
        catalogue: &Columns<'_>,
        confusions: &Confusions,
        word: &str,
        memory: &mut Misspelt,
    ) {
        self.names
            .get_or_init(|| {
                Names::of(catalogue, confusions, SHORTEST, &|entry| {
                    entry.kind() == EntryKind::Core
                })
            })
            .search(confusions, word, memory);
    }

    /// Finds the names of sets that `words` may be a misspelling of.
    pub(crate) fn search_sets(
        &self,
        catalogue: &Columns<'_>,
        confusions: &Confusions,
        words: &str,
        memory: &mut Misspelt,
    ) {
        self.sets
            .get_or_init(|| {
                Names::of(catalogue, confusions, SHORTEST_SET, &|entry| {
                    entry.kind() == EntryKind::Set && entry.quality() < AliasKind::Code as u8
                })
            })
            .search(confusions, words, memory);
    }
}

/// The names that misspelt words are compared with: subjects in all languages, and whole names.
#[derive(Debug, Clone, Default)]
struct Names {
    /// Each name with the place of its meanings in the lexicon.
    names: Vec<(Spelling, u32)>,
    written: Shelf,
    spoken: Shelf,
}

/// Names by length, of which only those of about a word's length can be near it.
#[derive(Debug, Clone, Default)]
struct Shelf(Vec<Length>);

/// The names of one length.
#[derive(Debug, Clone, Default)]
struct Length {
    /// Their places in [`Names::names`].
    names: Vec<u32>,
    /// For each letter, as in [`Letters::bits`], a bit for each name: set if the name has it. What
    /// does not fill the last words belongs to no name.
    letters: Vec<u64>,
}

/// Words of bits that are compared at once: 256 names.
const LANES: usize = 4;

impl Length {
    /// Number of words of each letter.
    fn words(&self) -> usize {
        self.names.len().div_ceil(64).next_multiple_of(LANES)
    }

    fn of(names: Vec<u32>, letters: impl Fn(u32) -> u64) -> Length {
        let mut length = Length {
            names,
            letters: Vec::new(),
        };
        let words = length.words();
        length.letters.resize(words * 64, 0);
        for (at, &name) in length.names.iter().enumerate() {
            for letter in bits(letters(name)) {
                length.letters[letter * words + at / 64] |= 1 << (at % 64);
            }
        }
        length
    }

    /// Adds the names to `out` that lack at most `most` of the letters of `word`.
    ///
    /// The letters that each name lacks are counted in binary, with a word for each digit of 64
    /// counts: some ten operations for a letter of 64 names.
    fn near(&self, word: u64, most: u32, out: &mut Vec<u32>) {
        let words = self.words();
        for from in (0..words).step_by(LANES) {
            let [mut ones, mut twos, mut fours] = [[0u64; LANES]; 3];
            for letter in bits(word) {
                let Some(has) = self.letters[letter * words + from..].first_chunk::<LANES>() else {
                    continue;
                };
                let counts = ones.iter_mut().zip(&mut twos).zip(&mut fours);
                for (((ones, twos), fours), has) in counts.zip(has) {
                    let lacks = !has;
                    let two = *ones & lacks;
                    *ones ^= lacks;
                    *fours |= *twos & two;
                    *twos ^= two;
                }
            }
            let counts = ones.into_iter().zip(twos).zip(fours);
            for (lane, ((ones, twos), fours)) in counts.enumerate() {
                let more = match most {
                    0 => ones | twos | fours,
                    1 => twos | fours,
                    2 => (ones & twos) | fours,
                    3 => fours,
                    _ => 0,
                };
                let names = self.names.get((from + lane) * 64..).unwrap_or(&[]);
                out.extend(bits(!more).filter_map(|bit| names.get(bit)));
            }
        }
    }
}

/// The places of the bits of a word, ascending.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

impl Shelf {
    fn of(names: &[(Spelling, u32)], letters: impl Fn(&Spelling) -> Letters) -> Shelf {
        let mut lengths: Vec<Vec<u32>> = Vec::new();
        for (at, (name, _)) in (0..).zip(names) {
            let len = letters(name).len as usize;
            lengths.resize(lengths.len().max(len + 1), Vec::new());
            lengths[len].push(at);
        }
        let bits = |at: u32| letters(&names[at as usize].0).bits;
        Shelf(
            lengths
                .into_iter()
                .map(|names| Length::of(names, bits))
                .collect(),
        )
    }

    /// Adds the names to `out` that may lie within `most` of `word`: all that do, and some that do
    /// not.
    fn near(&self, word: &Letters, most: f32, out: &mut Vec<u32>) {
        if most < 0.0 {
            return;
        }
        let slips = slips(most);
        for len in word.len.saturating_sub(slips)..=word.len + slips {
            // a slip takes away one kind of letter at most, and one that lengthens the word none
            let most = slips - len.saturating_sub(word.len);
            if let Some(length) = self.0.get(len as usize) {
                length.near(word.bits, most, out);
            }
        }
    }
}

/// Memory for [`Spellings::search`], and what it found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Misspelt {
    near: Vec<u32>,
    /// The names that the word may mean, nearest first: place in the lexicon, and slips.
    pub(crate) found: Vec<(u32, f32)>,
}

impl Names {
    /// Collects the names of `catalogue`: one walk through its lexicon.
    fn of(
        catalogue: &Columns<'_>,
        confusions: &Confusions,
        shortest: usize,
        wanted: &dyn Fn(Entry) -> bool,
    ) -> Names {
        let mut names = Vec::new();
        catalogue.lexicon().for_each(|key, place| {
            let Ok(key) = std::str::from_utf8(key) else {
                return;
            };
            if (shortest..=LONGEST).contains(&key.chars().count())
                && catalogue.entries(place).any(wanted)
            {
                names.push((Spelling::of(confusions, key), place));
            }
        });
        let (written, spoken) = (
            Shelf::of(&names, |name| name.letters),
            Shelf::of(&names, |name| name.sound),
        );
        Names {
            names,
            written,
            spoken,
        }
    }

    /// As [`Spellings::search`].
    fn search(&self, confusions: &Confusions, word: &str, memory: &mut Misspelt) {
        let Misspelt { near, found } = memory;
        near.clear();
        found.clear();
        let word = Spelling::of(confusions, word);
        let most = allowed(word.len());
        if most == 0.0 || word.len() > LONGEST {
            return;
        }
        // few of them are left to be put in order
        let bound = |at: u32| most.min(allowed(self.names[at as usize].0.len()));
        self.written.near(&word.letters, most, near);
        near.retain(|&at| {
            !word
                .letters
                .far(&self.names[at as usize].0.letters, bound(at))
        });
        let written = near.len();
        self.spoken.near(&word.sound, most - SOUND, near);
        let mut place = 0;
        near.retain(|&at| {
            place += 1;
            place <= written
                || bound(at) >= SOUND
                    && !word
                        .sound
                        .far(&self.names[at as usize].0.sound, bound(at) - SOUND)
        });
        near.sort_unstable();
        near.dedup();
        for (name, place) in near.iter().filter_map(|&at| self.names.get(at as usize)) {
            if let Some(slips) = confusions.between(&word, name, most.min(allowed(name.len()))) {
                found.push((*place, slips));
            }
        }
        found.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn no_name_is_passed_over_that_may_be_near(
            names in proptest::collection::vec("[a-f]{1,9}|[ア-ン]{1,6}", 0..150),
            word in "[a-f]{1,9}|[ア-ン]{1,6}",
            most in prop_oneof![Just(0.6f32), Just(1.0), Just(1.6), Just(2.2)],
        ) {
            let confusions = Confusions::builtin().expect("the file of this build loads");
            let names: Vec<(Spelling, u32)> = names.iter().map(|name| (Spelling::of(confusions, name), 0)).collect();
            let word = Spelling::of(confusions, &word);
            let mut near = Vec::new();
            Shelf::of(&names, |name| name.letters).near(&word.letters, most, &mut near);
            near.sort_unstable();
            let far = |at: &u32| word.letters.far(&names[*at as usize].0.letters, most);
            near.retain(|at| !far(at));
            let all: Vec<u32> = (0..names.len() as u32).filter(|at| !far(at)).collect();
            prop_assert_eq!(near, all);
        }
    }
}
