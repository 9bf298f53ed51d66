//! [`Memory`]: evidence that many candidates of a title share, computed once.
//!
//! A title says the same of a name or a set for all cards that have it. Some eighty candidates have
//! a dozen different names, and all sets that the title's words do not name are treated alike.

use super::features::Feature;
use super::{Scorer, Sink, Sum};
use crate::catalogue::EntryKind;
use crate::catalogue::format::CardRecord;
use crate::normalise::{Normalised, normalise_into};
use crate::stats::has_rarity;
use crate::token::{Line, tokenize_into};

/// The most pieces of evidence that a name or a set has.
const PIECES: usize = 8;
/// In `names`: the evidence of a card that is not remembered.
const NO_NAME: usize = 0;
/// In `slots`: a set that no word of the title names.
const COMMON: u32 = 0;
/// In `slots`: named by words, but not yet needed by any card.
const UNASKED: u32 = 1;
/// In `sets`: the evidence of a common set without a series, of one with a series, and of one that
/// is not remembered.
const OTHER: usize = 2;

/// A few pieces of evidence, and their sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pieces {
    pieces: [(Feature, f32); PIECES],
    len: u8,
    /// Their sum, added in their order.
    sum: f32,
    /// Whether name or set agrees, if the title names one.
    agrees: Option<bool>,
}

impl Pieces {
    const NONE: Pieces = Pieces {
        pieces: [(Feature::NameAgrees, 0.0); PIECES],
        len: 0,
        sum: 0.0,
        agrees: None,
    };

    fn of(scorer: &Scorer<'_, '_>, compare: impl FnOnce(&mut Pieces) -> Option<bool>) -> Pieces {
        let mut pieces = Pieces::NONE;
        pieces.agrees = compare(&mut pieces);
        let mut sum = Sum {
            weights: scorer.weights,
            total: 0.0,
        };
        pieces.play(&mut sum);
        pieces.sum = sum.total;
        pieces
    }

    /// Whether name or set agrees.
    #[inline]
    pub(super) fn agrees(&self) -> Option<bool> {
        self.agrees
    }

    /// Hands all pieces on as the first ones; whether the name agrees.
    #[inline]
    pub(super) fn begin(&self, sink: &mut impl Sink) -> Option<bool> {
        sink.begin(&self.pieces[..usize::from(self.len)], self.sum);
        self.agrees
    }

    /// Hands all pieces on; whether name or set agrees.
    #[inline]
    pub(super) fn play(&self, sink: &mut impl Sink) -> Option<bool> {
        for &(feature, value) in &self.pieces[..usize::from(self.len)] {
            sink.add(feature, value);
        }
        self.agrees
    }
}

impl Sink for Pieces {
    fn add(&mut self, feature: Feature, value: f32) {
        debug_assert!(
            usize::from(self.len) < PIECES,
            "{feature:?} is one piece too many"
        );
        if let Some(place) = self.pieces.get_mut(usize::from(self.len)) {
            *place = (feature, value);
            self.len += 1;
        }
    }
}

/// Memory in which a text of the catalogue is folded as titles are.
#[derive(Clone, Debug, Default)]
pub(super) struct Folded {
    text: Normalised,
    line: Line,
}

impl Folded {
    /// Whether the key of `text` is `key`.
    pub(super) fn is(&mut self, text: &str, key: &str) -> bool {
        normalise_into(text, &mut self.text);
        tokenize_into(&self.text, &mut self.line);
        self.line.key() == key.as_bytes()
    }
}

/// The shared evidence of the candidates of one title.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    /// For each name of the catalogue, the place of its evidence in `names`; 0 if no card has
    /// needed it yet.
    name_slots: Vec<u32>,
    /// The names that have been needed.
    named: Vec<u32>,
    names: Vec<Pieces>,
    /// For each set of the catalogue: [`COMMON`], [`UNASKED`], or the place of its evidence in
    /// `sets`.
    slots: Vec<u32>,
    /// The sets that are not [`COMMON`].
    special: Vec<u32>,
    sets: Vec<Pieces>,
    /// Which of the common ones are in `sets`.
    asked: [bool; OTHER + 1],
    /// Sets that chosen words name, not only by their era.
    members: Vec<u32>,
    /// A name of a candidate that is compared with the title's words.
    pub(super) folded: Folded,
    /// The candidates' records.
    pub(super) records: Vec<CardRecord>,
    /// Their scores.
    pub(crate) scores: Vec<f32>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            name_slots: Vec::new(),
            named: Vec::new(),
            names: Vec::new(),
            slots: Vec::new(),
            special: Vec::new(),
            sets: Vec::new(),
            asked: [false; OTHER + 1],
            members: Vec::new(),
            folded: Folded::default(),
            records: Vec::new(),
            scores: Vec::new(),
        }
    }
}

impl Memory {
    /// Forgets the title before and notes which sets the clues of this one name.
    pub(super) fn prepare(&mut self, scorer: &Scorer<'_, '_>) {
        let catalogue = scorer.catalogue;
        for name in self.named.drain(..) {
            self.name_slots[name as usize] = 0;
        }
        self.name_slots.resize(catalogue.names.len(), 0);
        self.names.clear();
        self.names.push(Pieces::NONE);
        self.sets.clear();
        self.sets.resize(OTHER + 1, Pieces::NONE);
        self.asked = [false; OTHER + 1];
        self.members.clear();
        for set in self.special.drain(..) {
            self.slots[set as usize] = COMMON;
        }
        self.slots.resize(catalogue.set_count(), COMMON);
        for clue in &scorer.query.sets {
            for entry in catalogue
                .entries(clue.place)
                .filter(|e| e.kind() == EntryKind::Set)
            {
                let set = entry.id();
                self.mark(set);
                if clue.chosen {
                    if entry.quality() < crate::catalogue::AliasKind::Family as u8 {
                        self.members.push(set);
                    }
                    for &other in scorer.stats.related(set) {
                        self.mark(other);
                    }
                }
            }
        }
    }

    fn mark(&mut self, set: u32) {
        if let Some(slot) = self
            .slots
            .get_mut(set as usize)
            .filter(|slot| **slot == COMMON)
        {
            *slot = UNASKED;
            self.special.push(set);
        }
    }

    /// Finds the evidence of name and set of `record`; `series`: the set is of a series.
    #[inline]
    pub(super) fn find(
        &mut self,
        scorer: &Scorer<'_, '_>,
        record: &CardRecord,
        series: bool,
    ) -> (&Pieces, &Pieces) {
        let name = self.name(scorer, record);
        let set = self.set(scorer, record, series);
        (&self.names[name], &self.sets[set])
    }

    /// The place of the evidence of the set of `record`.
    #[inline]
    fn set(&mut self, scorer: &Scorer<'_, '_>, record: &CardRecord, series: bool) -> usize {
        let set = record.set.get() as usize;
        let place = match self.slots.get(set) {
            Some(&COMMON) => usize::from(series),
            Some(&UNASKED) => {
                self.slots[set] = self.sets.len() as u32;
                self.sets
                    .push(Pieces::of(scorer, |pieces| scorer.set(record, pieces)));
                return self.sets.len() - 1;
            }
            Some(&place) => place as usize,
            None => OTHER,
        };
        if place <= OTHER && !self.asked[place] {
            self.sets[place] = Pieces::of(scorer, |pieces| scorer.set(record, pieces));
            self.asked[place] = place != OTHER;
        }
        place
    }

    /// The place of the evidence of the name of `record`.
    #[inline]
    fn name(&mut self, scorer: &Scorer<'_, '_>, record: &CardRecord) -> usize {
        let name = record.name.get() as usize;
        // some rarities are a mark of the name, and which marks go without saying depends on the
        // cards of the set
        let member = self.members.contains(&record.set.get());
        let slot = self
            .name_slots
            .get(name)
            .filter(|_| !member && !has_rarity(&scorer.stats.marked, record.rarity));
        match slot {
            None => {
                self.names[NO_NAME] =
                    Pieces::of(scorer, |pieces| scorer.name(record, member, pieces));
                NO_NAME
            }
            Some(0) => {
                let place = self.names.len();
                self.name_slots[name] = place as u32;
                self.named.push(name as u32);
                self.names.push(Pieces::of(scorer, |pieces| {
                    scorer.name(record, false, pieces)
                }));
                place
            }
            Some(&place) => place as usize,
        }
    }
}
