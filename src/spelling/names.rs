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
                Names::of(catalogue, confusions, SHORTEST, |entry| {
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
                Names::of(catalogue, confusions, SHORTEST_SET, |entry| {
                    entry.kind() == EntryKind::Set && entry.quality() < AliasKind::Code as u8
                })
            })
            .search(confusions, words, memory);
    }
}

/// The names that misspelt words are compared with: species in all languages, trainers and things.
#[derive(Debug, Clone, Default)]
struct Names {
    /// Each name with the place of its meanings in the lexicon.
    names: Vec<(Spelling, u32)>,
    written: Shelf,
    spoken: Shelf,
}

/// Names by length: those that can be near a word lie together, and a few bits each separate them
/// from the rest.
#[derive(Debug, Clone, Default)]
struct Shelf {
    /// [`Letters::folded`] of each name.
    bits: Vec<u32>,
    /// Its place in [`Names::names`].
    names: Vec<u32>,
    /// The place at which the names of each length begin.
    starts: Vec<u32>,
}

/// Names that are compared at once.
const LANES: usize = 16;

impl Shelf {
    fn of(names: &[(Spelling, u32)], letters: impl Fn(&Spelling) -> Letters) -> Shelf {
        let mut shelf = Shelf::default();
        let mut sorted: Vec<(u32, u32, u32)> = (0..)
            .zip(names)
            .map(|(at, (name, _))| (letters(name).len, letters(name).folded(), at))
            .collect();
        sorted.sort_unstable();
        for (len, bits, at) in sorted {
            shelf.starts.resize(
                shelf.starts.len().max(len as usize + 1),
                shelf.bits.len() as u32,
            );
            shelf.bits.push(bits);
            shelf.names.push(at);
        }
        shelf
    }

    /// Adds the names to `out` that may lie within `most` of `word`: all that do, and some that do
    /// not.
    fn near(&self, word: &Letters, most: f32, out: &mut Vec<u32>) {
        if most < 0.0 {
            return;
        }
        let start = |len: u32| {
            self.starts
                .get(len as usize)
                .map_or(self.bits.len(), |&start| start as usize)
        };
        let range = start(word.len.saturating_sub(slips(most)))..start(word.len + slips(most) + 1);
        let (bits, limit) = (word.folded(), 2 * slips(most));
        let mut at = range.start;
        for lanes in self.bits[range].chunks(LANES) {
            let least = lanes
                .iter()
                .map(|name| (name ^ bits).count_ones())
                .fold(u32::MAX, u32::min);
            if least <= limit {
                let near = lanes
                    .iter()
                    .zip(&self.names[at..])
                    .filter(|(name, _)| (*name ^ bits).count_ones() <= limit);
                out.extend(near.map(|(_, name)| *name));
            }
            at += lanes.len();
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
        wanted: impl Fn(Entry) -> bool,
    ) -> Names {
        let mut names = Vec::new();
        catalogue.lexicon().for_each(|key, place| {
            let Ok(key) = std::str::from_utf8(key) else {
                return;
            };
            if (shortest..=LONGEST).contains(&key.chars().count())
                && catalogue.entries(place).any(&wanted)
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
