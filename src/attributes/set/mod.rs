//! The set of a card, by name, nickname, code or era.

mod propose;
mod settle;
mod write;

pub(crate) use propose::{
    NearCode, is_code_of_total, is_held, is_in_full, is_of_other_total, quality, rule_out_amounts,
};
pub(crate) use settle::{
    ask, ask_printings, ask_proposal, drop_code, is_first, is_regional, keep_copies, keep_own,
    lacks_names, mark,
};
pub(crate) use write::write;

use crate::catalogue::{AliasKind, Columns, EntryKind};

/// The fewest letters of a code that is read in small letters or without words about sets.
pub(crate) const LEAST_CODE: usize = 3;
const FAMILY_KIND: u8 = AliasKind::Family as u8;

/// Sets that some words may name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetClue {
    /// Place of the entries in the lexicon.
    pub(crate) place: u32,
    /// The best kind of alias among them: [`crate::catalogue::AliasKind`].
    pub(crate) kind: u8,
    /// Some of them only by their era: the words contradict no set of it.
    pub(crate) family: bool,
    /// The era is told set by set, those without a series too: any other set is of another.
    pub(crate) listed: bool,
    pub(crate) chosen: bool,
    /// Number of sets of that kind or better, and of any kind.
    pub(crate) sets: u16,
    pub(crate) all: u16,
    pub(crate) at: u32,
    pub(crate) end: u32,
}

impl SetClue {
    /// Whether the title names a set by these words, and not only its era.
    pub(crate) fn is_named(&self) -> bool {
        self.chosen && !self.family
    }

    /// The sets.
    pub(crate) fn ids<'c>(&self, catalogue: &'c Columns<'_>) -> impl Iterator<Item = u32> + 'c {
        let entries = catalogue.entries(self.place);
        let sets = entries.filter(|entry| entry.kind() == EntryKind::Set);
        sets.map(|entry| entry.id())
    }

    /// Whether `set` is one of them.
    fn may_be(&self, catalogue: &Columns<'_>, set: u32) -> bool {
        self.ids(catalogue).any(|own| own == set)
    }
}

/// A set of whose name a word of the title is a part: `Masquerade`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetPart {
    pub(crate) set: u32,
    /// The information in agreeing, in nats.
    pub(crate) nats: f32,
    pub(crate) at: u32,
    pub(crate) end: u32,
}
