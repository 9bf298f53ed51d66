//! [`Memory`]: evidence that many candidates of a title share, worked out once.
//!
//! What a title says of a name or a set is the same for all cards that have it. Of some eighty candidates a dozen names are different, and all
//! sets but those that the title's words name fare alike.

use super::features::Feature;
use super::{Scorer, Sink};
use crate::catalogue::EntryKind;
use crate::catalogue::format::CardRecord;

/// The most pieces of evidence that a name or a set has.
const PIECES: usize = 8;
/// How many names are remembered at once; a power of two.
const NAMES: usize = 64;
/// A set that no word of the title names.
const COMMON: u32 = 0;
/// One that words name, and that no card has asked for yet.
const UNASKED: u32 = 1;

/// A few pieces of evidence, and what they come to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pieces {
    pieces: [(Feature, f32); PIECES],
    len: u8,
    /// Whether name or set agrees, where the title names one.
    agrees: Option<bool>,
}

impl Pieces {
    const NONE: Pieces = Pieces { pieces: [(Feature::NameAgrees, 0.0); PIECES], len: 0, agrees: None };

    fn of(compare: impl FnOnce(&mut Pieces) -> Option<bool>) -> Pieces {
        let mut pieces = Pieces::NONE;
        pieces.agrees = compare(&mut pieces);
        pieces
    }

    /// Hands all pieces on.
    fn play(&self, sink: &mut impl Sink) -> Option<bool> {
        for &(feature, value) in &self.pieces[..usize::from(self.len)] {
            sink.add(feature, value);
        }
        self.agrees
    }
}

impl Sink for Pieces {
    fn add(&mut self, feature: Feature, value: f32) {
        debug_assert!(usize::from(self.len) < PIECES, "{feature:?} is one piece too many");
        if let Some(place) = self.pieces.get_mut(usize::from(self.len)) {
            *place = (feature, value);
            self.len += 1;
        }
    }
}

/// What the candidates of one title have been found to share.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    /// By name and rarity, [`key`]: 0 is none.
    name_keys: [u64; NAMES],
    names: Vec<Pieces>,
    /// For each set of the catalogue: [`COMMON`], [`UNASKED`], or the place of its evidence in `sets`, and 2.
    slots: Vec<u32>,
    /// The sets that are not [`COMMON`].
    special: Vec<u32>,
    sets: Vec<Pieces>,
    /// Evidence of a common set, without a series and with one.
    common: [Option<Pieces>; 2],
    /// Sets that chosen words name, not by their era alone.
    members: Vec<u32>,
    /// The candidates' records.
    pub(super) records: Vec<CardRecord>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            name_keys: [0; NAMES],
            names: vec![Pieces::NONE; NAMES],
            slots: Vec::new(),
            special: Vec::new(),
            sets: Vec::new(),
            common: [None; 2],
            members: Vec::new(),
            records: Vec::new(),
        }
    }
}

/// What the evidence of a name depends on where the title does not name the card's set.
fn key(record: &CardRecord) -> u64 {
    1 << 63 | u64::from(record.name.get()) << 8 | u64::from(record.rarity)
}

impl Memory {
    /// Forgets the title before and notes which sets the clues of this one name.
    pub(super) fn prepare(&mut self, scorer: &Scorer<'_, '_>) {
        let catalogue = scorer.catalogue;
        self.name_keys = [0; NAMES];
        self.sets.clear();
        self.members.clear();
        self.common = [None; 2];
        for set in self.special.drain(..) {
            self.slots[set as usize] = COMMON;
        }
        self.slots.resize(catalogue.set_count(), COMMON);
        for clue in &scorer.query.sets {
            for entry in catalogue.entries(clue.place).filter(|e| e.kind() == EntryKind::Set) {
                let set = entry.id();
                self.mark(set);
                if clue.chosen {
                    if entry.quality() < crate::catalogue::AliasKind::Family as u8 {
                        self.members.push(set);
                    }
                    for &other in scorer.known.related(set) {
                        self.mark(other);
                    }
                }
            }
        }
    }

    fn mark(&mut self, set: u32) {
        if let Some(slot) = self.slots.get_mut(set as usize).filter(|slot| **slot == COMMON) {
            *slot = UNASKED;
            self.special.push(set);
        }
    }

    /// Evidence of the set of `record`.
    pub(super) fn set(&mut self, scorer: &Scorer<'_, '_>, record: &CardRecord, series: bool, sink: &mut impl Sink) -> Option<bool> {
        let compare = || Pieces::of(|pieces| scorer.set(record, pieces));
        match self.slots.get(record.set.get() as usize) {
            None => scorer.set(record, sink),
            Some(&COMMON) => self.common[usize::from(series)].get_or_insert_with(compare).play(sink),
            Some(&UNASKED) => {
                self.slots[record.set.get() as usize] = self.sets.len() as u32 + UNASKED + 1;
                self.sets.push(compare());
                self.sets[self.sets.len() - 1].play(sink)
            }
            Some(&place) => self.sets[(place - UNASKED - 1) as usize].play(sink),
        }
    }

    /// Evidence of the name of `record`.
    pub(super) fn name(&mut self, scorer: &Scorer<'_, '_>, record: &CardRecord, sink: &mut impl Sink) -> Option<bool> {
        // which marks go without saying is asked of the cards of the set
        if self.members.contains(&record.set.get()) {
            return scorer.name(record, true, sink);
        }
        let key = key(record);
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize % NAMES;
        if self.name_keys[place] != key {
            self.name_keys[place] = key;
            self.names[place] = Pieces::of(|pieces| scorer.name(record, false, pieces));
        }
        self.names[place].play(sink)
    }
}
