//! [`Memory`]: evidence that many candidates of a title share, computed once.
//!
//! A title says the same of a name or a set for all cards that have it. Some eighty candidates have
//! a dozen different names, and all sets that the title's words do not name are treated alike.

use super::features::Feature;
use super::{Fit, Scorer, Sink};
use crate::attributes::name::NameClue;
use crate::catalogue::format::{CardRecord, U24};
use crate::catalogue::{Columns, EntryKind};
use crate::stats::has_rarity;
use crate::token::OneKey;
use std::iter;

/// The most pieces of evidence that a name or a set has.
const PIECES: usize = 8;
/// In `names`: the evidence of a card that is not remembered.
const NO_NAME: u32 = 0;
/// Added to a [`Place`] in `name_slots`: of the name, cards of sets that the title names have
/// evidence of their own, and cards of a rarity that is a mark of names.
const BY_SET: u32 = 1 << 31;
const BY_RARITY: u32 = 1 << 30;
/// In `slots`: a set that no word of the title names.
const COMMON: u32 = 0;
/// In `slots`: named by words, but not yet needed by any card.
const UNASKED: u32 = 1;
/// In `sets`: the evidence of a common set without a series, of one with a series, and of one that
/// is not remembered.
const OTHER: u32 = 2;
/// As many places in `sets` are of sets that no words name.
const PLAIN: usize = 3;
/// In `common`: not yet needed by any card.
const UNKNOWN: u32 = u32::MAX;

/// The place of a name's or a set's evidence, and whether it agrees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(u32);

impl Place {
    /// The bits of the place, which counts the names and sets of a title's candidates.
    const NUMBER: u32 = (1 << 24) - 1;
    const AGREES: u32 = 1 << 24;
    const DIFFERS: u32 = 1 << 25;
    /// Of a set: chosen words name it, not only by its era.
    const MEMBER: u32 = 1 << 26;

    fn of(number: u32, pieces: &Pieces) -> Place {
        Place(match pieces.agrees {
            None => number,
            Some(true) => number | Place::AGREES,
            Some(false) => number | Place::DIFFERS,
        })
    }

    #[inline]
    pub(super) fn number(self) -> u32 {
        self.0 & Place::NUMBER
    }

    /// Whether name or set agrees; false where the title names none.
    #[inline]
    pub(super) fn agrees(self) -> bool {
        self.0 & Place::AGREES != 0
    }

    /// Whether the title names another.
    #[inline]
    pub(super) fn differs(self) -> bool {
        self.0 & Place::DIFFERS != 0
    }

    /// Whether chosen words name the set, not only by its era.
    #[inline]
    pub(super) fn is_member(self) -> bool {
        self.0 & Place::MEMBER != 0
    }
}

/// A few pieces of evidence, and their sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pieces {
    pieces: [(Feature, f32); PIECES],
    len: u8,
    /// Their sum, added in their order.
    sum: f32,
    /// Whether name or set agrees, if the title names one.
    agrees: Option<bool>,
    /// Of a name: other cards of it may differ in their evidence if the title names their set.
    pub(super) by_set: bool,
    /// Of a name: other cards of it may differ if their rarity is a mark of names.
    pub(super) by_rarity: bool,
    /// Of a name: the title states a mark that it lacks.
    pub(super) marked: bool,
}

impl Pieces {
    const NONE: Pieces = Pieces {
        pieces: [(Feature::NameAgrees, 0.0); PIECES],
        len: 0,
        sum: 0.0,
        agrees: None,
        by_set: false,
        by_rarity: false,
        marked: false,
    };

    fn of(scorer: &Scorer<'_, '_>, compare: impl FnOnce(&mut Pieces) -> Option<bool>) -> Pieces {
        let mut pieces = Pieces::NONE;
        pieces.agrees = compare(&mut pieces);
        let mut sum = scorer.nothing();
        pieces.play(&mut sum);
        pieces.sum = sum.total;
        pieces
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

/// Names of the catalogue, folded as titles are and compared with a part of one title.
#[derive(Clone, Debug, Default)]
pub(super) struct Folded {
    one_key: OneKey,
    /// The first that were compared: prints of one name share it.
    seen: Vec<(u32, bool)>,
}

/// As many names are remembered: no card has as many prints in as many languages.
const SEEN: usize = 32;

impl Folded {
    /// Whether the key of the string with this number is `key`, which is the same for all of a
    /// title.
    pub(super) fn is(&mut self, catalogue: &Columns<'_>, name: U24, key: &str) -> bool {
        let number = name.get();
        if let Some(&(_, same)) = self.seen.iter().find(|(seen, _)| *seen == number) {
            return same;
        }
        let same = self.one_key.key_of(catalogue.string(name)) == key;
        if self.seen.len() < SEEN {
            self.seen.push((number, same));
        }
        same
    }
}

/// The clues of a title for names, found by core and by name where there are many: a word of some
/// cards has hundreds of meanings, all of one core.
#[derive(Clone, Debug, Default)]
pub(super) struct NameClues {
    by_core: Chains,
    by_name: Chains,
}

/// Fewer clues are looked through.
const MANY_CLUES: usize = 16;
/// Of the clues for one core that are of other names, which say the same of a card but for how many
/// words they have, so many are compared.
const MOST_OF_CORE: usize = 64;

impl NameClues {
    fn fill(&mut self, names: &[NameClue]) {
        let many = if names.len() > MANY_CLUES { names } else { &[] };
        self.by_core.fill(many.iter().map(|clue| clue.core));
        // a clue for no name of its own is found by its core
        self.by_name
            .fill(many.iter().map(|clue| clue.name.unwrap_or(u32::MAX)));
    }

    /// The clues for the core of `name`, in their order; those for the name itself stand last once more
    /// where there are many.
    pub(super) fn of<'q>(
        &self,
        names: &'q [NameClue],
        core: u32,
        name: u32,
    ) -> impl Iterator<Item = &'q NameClue> {
        let few = if self.by_core.next.is_empty() {
            names
        } else {
            &[]
        };
        let clue = |at: u32| names.get(at as usize);
        let of_core = self.by_core.of(core).filter_map(clue);
        let of_name = self.by_name.of(name).filter_map(clue);
        let few = few.iter().filter(move |clue| clue.core == core);
        let of_core = of_core.filter(move |clue| clue.core == core);
        let of_name = of_name.filter(move |clue| clue.core == core && clue.name == Some(name));
        few.chain(of_core.take(MOST_OF_CORE)).chain(of_name)
    }
}

/// Numbers in chains by the remainders of their keys.
#[derive(Clone, Debug, Default)]
struct Chains {
    /// For each remainder by [`HEADS`] the first number; empty where there are none.
    heads: Vec<u32>,
    /// For each number the next of the same remainder.
    next: Vec<u32>,
}

const HEADS: usize = 256;
/// In [`Chains`]: none.
const END: u32 = u32::MAX;

impl Chains {
    /// Puts the places of `keys` into chains, each in ascending order.
    fn fill(&mut self, keys: impl DoubleEndedIterator<Item = u32> + ExactSizeIterator) {
        self.heads.clear();
        self.next.clear();
        if keys.len() > 0 {
            self.heads.resize(HEADS, END);
            self.next.resize(keys.len(), END);
            for (at, key) in keys.enumerate().rev() {
                let head = &mut self.heads[key as usize % HEADS];
                self.next[at] = std::mem::replace(head, at as u32);
            }
        }
    }

    /// The places of the keys with the remainder of `key`, among them its own.
    fn of(&self, key: u32) -> impl Iterator<Item = u32> {
        let head = self.heads.get(key as usize % HEADS).copied();
        let after = |at: &u32| self.next.get(*at as usize).copied();
        iter::successors(head, after).take_while(|at| *at != END)
    }
}

/// The shared evidence of the candidates of one title.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    /// For each name of the catalogue, the [`Place`] of its evidence in `names`; 0 if no card has
    /// needed it yet.
    name_slots: Vec<u32>,
    /// The names that have been needed.
    named: Vec<u32>,
    clues: NameClues,
    names: Vec<Pieces>,
    /// For each set of the catalogue: [`COMMON`], [`UNASKED`], or the [`Place`] of its evidence in
    /// `sets`.
    slots: Vec<u32>,
    /// The sets that are not [`COMMON`].
    special: Vec<u32>,
    sets: Vec<Pieces>,
    /// The [`Place`]s of the common ones, or [`UNKNOWN`].
    common: [u32; PLAIN],
    /// Sets that chosen words name, not only by their era.
    members: Vec<u32>,
    /// A name of a candidate that is compared with the title's words.
    pub(super) folded: Folded,
    /// What cards share of name, number and set together.
    pub(super) groups: Groups,
    /// The candidates' records.
    pub(super) records: Vec<CardRecord>,
    /// What their later evidence depends on.
    pub(super) fits: Vec<Fit>,
    /// Their scores.
    pub(crate) scores: Vec<f32>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            name_slots: Vec::new(),
            named: Vec::new(),
            clues: NameClues::default(),
            names: Vec::new(),
            slots: Vec::new(),
            special: Vec::new(),
            sets: Vec::new(),
            common: [UNKNOWN; PLAIN],
            members: Vec::new(),
            folded: Folded::default(),
            groups: Groups {
                keys: [0; GROUPS],
                sums: [(0.0, Fit::default()); GROUPS],
            },
            records: Vec::new(),
            fits: Vec::new(),
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
        self.clues.fill(&scorer.query.names);
        self.groups.clear();
        self.folded.seen.clear();
        self.names.clear();
        self.names.push(Pieces::NONE);
        self.sets.clear();
        self.sets.resize(PLAIN, Pieces::NONE);
        self.common = [UNKNOWN; PLAIN];
        self.members.clear();
        for set in self.special.drain(..) {
            self.slots[set as usize] = COMMON;
        }
        self.slots.resize(catalogue.set_count(), COMMON);
        for part in &scorer.query.set_parts {
            self.mark(part.set);
        }
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

    /// The evidence of a name that [`Memory::name`] has found.
    #[inline]
    pub(super) fn name_of(&self, place: Place) -> &Pieces {
        &self.names[place.number() as usize]
    }

    /// The evidence of a set that [`Memory::set`] has found.
    #[inline]
    pub(super) fn set_of(&self, place: Place) -> &Pieces {
        &self.sets[place.number() as usize]
    }

    /// The place of the evidence of the set of `record`; `series`: the set is of a series.
    #[inline(always)]
    pub(super) fn set(
        &mut self,
        scorer: &Scorer<'_, '_>,
        record: &CardRecord,
        series: bool,
    ) -> Place {
        let place = match self.slots.get(record.set.get() as usize) {
            Some(&COMMON) => match self.common[usize::from(series)] {
                UNKNOWN => u32::from(series),
                place => return Place(place),
            },
            Some(&UNASKED) => self.sets.len() as u32,
            Some(&place) => return Place(place),
            None => OTHER,
        };
        self.compare_set(scorer, record, place)
    }

    /// Compares the set of `record`, and puts its evidence at place `number`.
    #[inline(never)]
    fn compare_set(&mut self, scorer: &Scorer<'_, '_>, record: &CardRecord, number: u32) -> Place {
        let pieces = Pieces::of(scorer, |pieces| scorer.set(record, pieces));
        let mut place = Place::of(number, &pieces);
        if self.members.contains(&record.set.get()) {
            place.0 |= Place::MEMBER;
        }
        if number <= OTHER {
            self.sets[number as usize] = pieces;
            self.common[number as usize] = place.0;
        } else {
            self.slots[record.set.get() as usize] = place.0;
            self.sets.push(pieces);
        }
        place
    }

    /// The place of the evidence of the name of `record`. `member`: as [`Place::is_member`] of its
    /// set.
    #[inline(always)]
    pub(super) fn name(
        &mut self,
        scorer: &Scorer<'_, '_>,
        record: &CardRecord,
        member: bool,
    ) -> Place {
        let slot = self.name_slots.get(record.name.get() as usize).copied();
        if let Some(slot) = slot.filter(|&slot| slot != NO_NAME)
            && !(slot & BY_SET != 0 && member
                || slot & BY_RARITY != 0 && has_rarity(&scorer.stats.marked, record.rarity))
        {
            return Place(slot);
        }
        self.name_of_card(scorer, record, slot, member)
    }

    /// Compares the name of `record`, whose slot is `slot`. The place of its evidence, which other
    /// cards may not share.
    #[inline(never)]
    fn name_of_card(
        &mut self,
        scorer: &Scorer<'_, '_>,
        record: &CardRecord,
        slot: Option<u32>,
        member: bool,
    ) -> Place {
        let name = record.name.get();
        // some rarities are a mark of the name, and which marks go without saying depends on the
        // cards of the set
        let differs = |pieces: &Pieces| {
            pieces.by_set && member
                || pieces.by_rarity && has_rarity(&scorer.stats.marked, record.rarity)
        };
        let clues = &self.clues;
        let pieces = Pieces::of(scorer, |pieces| scorer.name(record, member, clues, pieces));
        if slot != Some(NO_NAME) || differs(&pieces) {
            let place = Place::of(NO_NAME, &pieces);
            self.names[NO_NAME as usize] = pieces;
            return place;
        }
        let place = Place::of(self.names.len() as u32, &pieces);
        let by_set = if pieces.by_set { BY_SET } else { 0 };
        let by_rarity = if pieces.by_rarity { BY_RARITY } else { 0 };
        self.name_slots[name as usize] = place.0 | by_set | by_rarity;
        self.named.push(name);
        self.names.push(pieces);
        place
    }
}

/// Whether the evidence at these places is that of all cards which have been given them.
#[inline]
pub(super) fn is_shared(name: Place, set: Place) -> bool {
    name.number() != NO_NAME && set.number() != OTHER
}

/// As many groups are remembered.
const GROUPS: usize = 64;

/// The sums of name, number and set that several cards share. What falls on the place of another is
/// forgotten and added up again.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// 0 for none.
    keys: [u64; GROUPS],
    sums: [(f32, Fit); GROUPS],
}

impl Groups {
    fn clear(&mut self) {
        self.keys = [0; GROUPS];
    }

    /// The place of a key: Fibonacci hashing.
    #[inline]
    fn place(key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - GROUPS.ilog2())) as usize
    }

    /// The sum of the group with this key, which is not 0.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<(f32, Fit)> {
        let place = Self::place(key);
        (self.keys[place] == key).then_some(self.sums[place])
    }

    #[inline]
    pub(super) fn keep(&mut self, key: u64, sum: f32, fit: Fit) {
        let place = Self::place(key);
        self.keys[place] = key;
        self.sums[place] = (sum, fit);
    }
}
