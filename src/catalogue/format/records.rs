//! The records of an index: sets, cards, names and what belongs to them.

#[cfg(doc)]
use super::Section;
use super::{NONE, U24};
use crate::answer::MarketIds;
use crate::catalogue::Marks;
use std::ops::Range;
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A set.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct SetRecord {
    /// Its id (string).
    pub id: U24,
    /// Its code (string).
    pub code: U24,
    /// Its name, English if one is known (string).
    pub name: U24,
    /// Its name as printed (string).
    pub local_name: U24,
    /// Its series (string).
    pub series: U24,
    /// First card.
    pub first: U24,
    /// Number of its cards.
    pub count: U24,
    /// Release as yyyymmdd; missing parts are 0.
    pub released: U32,
    /// Count printed on its cards; 0 if there is none.
    pub official: U16,
    /// Its region, among those of its game; 0 is the first.
    pub region: u8,
    /// Bits of [`set_flag`].
    pub flags: u8,
    /// Its game, among [`Section::Games`].
    pub game: u8,
}

impl SetRecord {
    /// Whether it is of another region than the first of its game: cards of such sets are numbered
    /// separately, and an English title that means one says so.
    #[must_use]
    #[inline]
    pub fn is_regional(&self) -> bool {
        self.region != 0
    }

    /// The range of its cards.
    pub(crate) fn cards(&self) -> Range<u32> {
        self.first.get()..self.first.get() + self.count.get()
    }

    /// The bit of its game among those of the catalogue.
    #[must_use]
    pub fn game_bit(&self) -> u32 {
        1u32.checked_shl(u32::from(self.game)).unwrap_or(0)
    }
}

/// Bits of [`SetRecord::flags`].
pub mod set_flag {
    /// The numbers of its cards are not printed on them.
    pub const UNPRINTED: u8 = 1;
    /// Its cards are promos.
    pub const PROMO: u8 = 2;
    /// Its cards are printed in Japanese and other languages too, and are the same cards there.
    pub const JAPANESE_TOO: u8 = 4;
    /// Its cards are printed again in other sets, with the number that they have here.
    pub const REPRINTED: u8 = 8;
    /// The numbers of its cards begin with its code.
    pub const CODED: u8 = 16;
    /// Its cards bear the number and the mark of the set from which they are printed again.
    pub const COPIES: u8 = 32;
}

/// A card.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct CardRecord {
    /// Its id (string).
    pub id: U24,
    /// Its name.
    pub name: U24,
    /// Its names as printed, by language.
    pub locals: U24,
    /// Its name, English if one is known (string).
    pub text: U24,
    /// Its set.
    pub set: U24,
    /// Its number, among [`Section::Numbers`].
    pub number: U24,
    /// Its total, among [`Section::Numbers`].
    pub total: U24,
    /// The product it came with, among [`Section::Products`]; 0 if none.
    pub product: U16,
    /// The illustrator, among [`Section::Artists`]; 0 if unknown.
    pub illustrator: U16,
    /// Its printings.
    pub printings: U16,
    /// Bits of [`card_flag`].
    pub flags: U16,
    /// The printed spelling of its number, among the spellings of that number.
    pub number_text: u8,
    /// The printed spelling of its total, among the spellings of that number.
    pub total_text: u8,
    /// Hit points / 10.
    pub hp: u8,
    /// Rarity, among [`Section::Rarities`].
    pub rarity: u8,
    /// Rarity mark, among [`Section::Rarities`].
    pub mark: u8,
    /// Language, among [`Section::Languages`].
    pub language: u8,
}

impl CardRecord {
    /// The number that is printed on it, among [`Section::Numbers`]; [`NONE`] if there is none.
    #[must_use]
    #[inline]
    pub fn printed_number(&self) -> u32 {
        if self.flags.get() & card_flag::UNPRINTED == 0 {
            self.number.get()
        } else {
            NONE
        }
    }
}

/// Bits of [`CardRecord::flags`].
pub mod card_flag {
    /// Printings are known.
    pub const PRINTINGS: u16 = 1;
    /// Exists without foil.
    pub const NORMAL: u16 = 2;
    /// Exists as holo.
    pub const HOLO: u16 = 4;
    /// Exists as reverse holo.
    pub const REVERSE: u16 = 8;
    /// Exists as 1st edition.
    pub const FIRST: u16 = 16;
    /// Exists as shadowless.
    pub const SHADOWLESS: u16 = 32;
    /// Exists without rarity mark.
    pub const NO_RARITY: u16 = 64;
    /// Another card of its set bears its name.
    pub const REPEATED: u16 = 128;
    /// Its number is above the total.
    pub const ABOVE: u16 = 256;
    /// It shows a subject.
    pub const SUBJECT: u16 = 512;
    /// It pays for other cards, as an energy does.
    pub const RESOURCE: u16 = 1024;
    /// Its English name is only a candidate.
    pub const UNSURE: u16 = 2048;
    /// Its number is not printed.
    pub const UNPRINTED: u16 = 4096;
    /// The last of its name and set that another hand drew than the first: alternate art.
    pub const ALTERNATE: u16 = 8192;
    /// Its English name is made of its subject and its marks.
    pub const DERIVED: u16 = 16384;
}

/// A name that cards share, whatever the language.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct NameRecord {
    /// Canonical form, English if one is known (string).
    pub text: U24,
    /// Its core.
    pub core: U24,
    /// The remainder of the name (string; 0 if nothing remains).
    pub rest: U24,
    /// Its marks, the lower half first.
    pub marks: [U64; 2],
    /// Number of cards that bear it.
    pub cards: U24,
}

impl NameRecord {
    /// Its marks.
    #[must_use]
    pub fn marks(&self) -> Marks {
        Marks(u128::from(self.marks[0].get()) | u128::from(self.marks[1].get()) << 64)
    }
}

/// The part that names share across marks and owners: a subject, or a whole name.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct CoreRecord {
    /// Its key (string).
    pub key: U24,
    /// Its name as people write it, English if one is known (string).
    pub text: U24,
    /// First of its cards in [`Section::CoreCards`].
    pub first: U24,
    /// Number of its cards.
    pub count: U24,
    /// Numbers of the subjects; 0 for an unused place.
    pub subjects: [U16; 3],
}

/// A name as printed in one language.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct LocalName {
    /// The language code, among [`Section::LanguageCodes`].
    pub language: u8,
    /// The name (string).
    pub name: U24,
}

/// A printing.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct PrintingRecord {
    /// Its label (string).
    pub label: U24,
    /// The part of its own id after the card's id (string).
    pub slug: U24,
}

/// What marketplaces call a printing. Printings that none sells have no record.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct MarketRecord {
    /// The card.
    pub card: U24,
    /// The printing's place among the card's.
    pub printing: u8,
    /// Its product at TCGplayer; 0 if unknown.
    pub tcgplayer: U24,
    /// Its product at Cardmarket; 0 if unknown.
    pub cardmarket: U24,
}

impl MarketRecord {
    /// The ids.
    #[must_use]
    pub fn ids(&self) -> MarketIds {
        MarketIds::new(self.tcgplayer.get(), self.cardmarket.get())
    }

    /// The ids of a printing of `card`, of which the first of `records` is the first.
    pub(crate) fn ids_of(records: &[MarketRecord], card: u32, printing: usize) -> MarketIds {
        let mut own = records
            .iter()
            .take_while(|record| record.card.get() == card);
        own.find(|record| usize::from(record.printing) == printing)
            .map_or_else(MarketIds::default, MarketRecord::ids)
    }
}

/// A product that cards came with.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct ProductRecord {
    /// Its name (string).
    pub text: U24,
    /// First of its words in [`Section::ProductWords`].
    pub first: U32,
    /// Number of its words.
    pub count: U16,
    /// The year that it states; 0 if it states none.
    pub year: U16,
}

/// An illustrator.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct ArtistRecord {
    /// The name (string).
    pub name: U24,
    /// Number of cards that they drew.
    pub cards: U24,
}
