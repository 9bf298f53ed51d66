//! [`Entry`]: the meaning of a key of the lexicon.

use super::format::NameRecord;

/// The meaning of a key of the lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum EntryKind {
    /// A whole card name.
    Name = 0,
    /// A core: a subject, or a name, without marks.
    Core = 1,
    /// A set.
    Set = 2,
    /// One card, by nickname.
    Card = 3,
    /// A word of a product's name: deck, box, magazine, campaign.
    Word = 4,
    /// An illustrator.
    Artist = 5,
}

/// The kind of an alias of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum AliasKind {
    /// Its name in some language.
    Name = 0,
    /// As a grading label writes it.
    Label = 1,
    /// The name that sellers and collectors use.
    Nickname = 2,
    /// A code of a few letters, which may be a word.
    Code = 3,
    /// A name of several sets or an era.
    Family = 4,
}

impl AliasKind {
    /// The kind with number `number`.
    #[must_use]
    pub fn from_number(number: u8) -> AliasKind {
        match number {
            0 => AliasKind::Name,
            1 => AliasKind::Label,
            2 => AliasKind::Nickname,
            3 => AliasKind::Code,
            _ => AliasKind::Family,
        }
    }
}

/// How well a key fits a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum NameQuality {
    /// As printed in some language.
    Printed = 0,
    /// As sellers cut it.
    Derived = 1,
    /// A known wrong spelling.
    Misspelt = 2,
    /// A nickname.
    Nickname = 3,
    /// Found by edit distance.
    Fuzzy = 4,
    /// A Japanese name in Latin letters.
    Romaji = 5,
}

impl NameQuality {
    fn from_number(number: u8) -> NameQuality {
        match number {
            0 => NameQuality::Printed,
            1 => NameQuality::Derived,
            2 => NameQuality::Misspelt,
            3 => NameQuality::Nickname,
            5 => NameQuality::Romaji,
            _ => NameQuality::Fuzzy,
        }
    }
}

/// One meaning of a key of the lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry(pub(super) u32);

impl Entry {
    /// The bit of the last entry of a key.
    pub(super) const LAST: u32 = 1 << 31;

    /// An entry; `id` has 24 bits.
    #[must_use]
    pub fn new(kind: EntryKind, quality: u8, id: u32) -> Entry {
        debug_assert!(id < 1 << 24 && quality < 16);
        Entry((kind as u32) << 28 | u32::from(quality & 15) << 24 | (id & 0xff_ffff))
    }

    /// The thing that it means.
    #[must_use]
    #[inline]
    pub fn kind(self) -> EntryKind {
        match self.0 >> 28 & 7 {
            0 => EntryKind::Name,
            1 => EntryKind::Core,
            2 => EntryKind::Set,
            3 => EntryKind::Card,
            4 => EntryKind::Word,
            _ => EntryKind::Artist,
        }
    }

    /// How well it fits: [`NameQuality`], or the kind of a set's alias.
    #[must_use]
    #[inline]
    pub fn quality(self) -> u8 {
        (self.0 >> 24 & 15) as u8
    }

    /// As the quality of a name.
    #[must_use]
    pub fn name_quality(self) -> NameQuality {
        NameQuality::from_number(self.quality())
    }

    /// Number of the name, core, set or card.
    #[must_use]
    #[inline]
    pub fn id(self) -> u32 {
        self.0 & 0xff_ffff
    }

    /// The core of the names that it stands for; `None` if it stands for something else.
    pub(crate) fn core(self, names: &[NameRecord]) -> Option<u32> {
        match self.kind() {
            EntryKind::Core => Some(self.id()),
            EntryKind::Name => Some(names.get(self.id() as usize)?.core.get()),
            _ => None,
        }
    }

    /// The entry of `bits`.
    #[inline]
    pub(crate) fn from_bits(bits: u32) -> Entry {
        Entry(bits & !Entry::LAST)
    }

    /// Whether the entry of `bits` is the last of its key.
    #[inline]
    pub(crate) fn is_last(bits: u32) -> bool {
        bits & Entry::LAST != 0
    }

    #[cfg(any(feature = "build", feature = "pack"))]
    pub(crate) fn to_bits(self, last: bool) -> u32 {
        self.0 | if last { Entry::LAST } else { 0 }
    }
}
