//! The index file: one header, a table of sections, and columns that are read in place.
//!
//! ```text
//! magic "TITLEDEX"  format u32  sections u32  length u64  checksum u64 (XXH3 of all that follows the header)
//! sections × (id u32, reserved u32, offset u64, length u64)
//! section bytes …
//! ```
//!
//! All integers are little-endian and unaligned, so the bytes may come from a file map, from the
//! binary or from a network buffer, on any platform, without a copy.

mod records;

pub use records::{
    ArtistRecord, CardRecord, CoreRecord, LocalName, MarketRecord, NameRecord, PrintingRecord,
    ProductRecord, SetRecord, card_flag, set_flag,
};

use crate::error::{Error, ErrorKind};
use std::ops::Range;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// First bytes of every index.
pub const MAGIC: [u8; 8] = *b"TITLEDEX";
/// The format that this build reads and writes. Any change of a record or section raises it.
pub const FORMAT: u32 = 7;
/// The numbers of a game's subjects are below this.
pub const MOST_SUBJECTS: usize = 2048;
/// Number of a number, total or set that is not there.
pub const NONE: u32 = U24::MAX;

/// The number of a card, set, name, core, string or collector number: three bytes, little-endian,
/// unaligned.
///
/// A byte less than a `u32` for each mention of a card, and room for 16.7 million of each: three
/// times the five million cards of all card games together.
///
/// ```
/// use titledex::internals::catalogue::format::U24;
/// assert_eq!(U24::new(70_000).get(), 70_000);
/// ```
#[derive(
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Hash,
    FromBytes,
    IntoBytes,
    Immutable,
    KnownLayout,
    Unaligned,
)]
#[repr(transparent)]
pub struct U24([u8; 3]);

impl U24 {
    /// The largest value. It is not an id and means "nothing".
    pub const MAX: u32 = 0xff_ffff;

    /// `value`, which is at most [`U24::MAX`]: a catalogue that has more of anything is refused
    /// when its index is built.
    #[must_use]
    pub const fn new(value: u32) -> U24 {
        debug_assert!(value <= U24::MAX);
        let [a, b, c, _] = value.to_le_bytes();
        U24([a, b, c])
    }

    /// As an integer.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u32 {
        let [a, b, c] = self.0;
        u32::from_le_bytes([a, b, c, 0])
    }
}

impl std::fmt::Debug for U24 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}

/// Sections, by the number they have in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Section {
    /// `key=value` lines about the catalogue.
    About = 1,
    /// Start of each string in [`Section::StringBytes`], and the end of the last.
    StringStarts,
    /// All strings, UTF-8, without separators.
    StringBytes,
    /// [`SetRecord`]s.
    Sets,
    /// [`CardRecord`]s, grouped by set.
    Cards,
    /// Card numbers in the order of their ids' bytes.
    CardsById,
    /// [`NameRecord`]s.
    Names,
    /// [`CoreRecord`]s.
    Cores,
    /// Cards of each core, by number, then card; those without a printed number last.
    CoreCards,
    /// The number that each card of [`Section::CoreCards`] prints; [`NONE`] for none.
    CoreNumbers,
    /// The total that each card of [`Section::CoreCards`] prints; [`NONE`] for none.
    CoreTotals,
    /// Collector numbers and totals, packed by [`pack_number`], ascending.
    Numbers,
    /// Start of each number's cards in [`Section::NumberCards`], and the end of the last.
    NumberStarts,
    /// Cards of each number, by total, then card.
    NumberCards,
    /// The total of each card of [`Section::NumberCards`]; [`NONE`] for none.
    NumberTotals,
    /// Cards of each set, by number, then card: those of a set lie where they lie in
    /// [`Section::Cards`].
    SetCards,
    /// The number of each card of [`Section::SetCards`]; [`NONE`] for none.
    SetNumbers,
    /// Start of each tuple of local names in [`Section::LocalNames`], and the end of the last.
    LocalStarts,
    /// [`LocalName`]s.
    LocalNames,
    /// Start of each list of printings in [`Section::Printings`], and the end of the last.
    PrintingStarts,
    /// [`PrintingRecord`]s.
    Printings,
    /// The strings of rarity numbers.
    Rarities,
    /// The strings of language numbers.
    Languages,
    /// The lexicon, a trie from keys to places in [`Section::Entries`]: the byte that leads to each
    /// cell.
    LexiconLabels,
    /// The base of each cell: where its children begin.
    LexiconLinks,
    /// The rest of each key whose further bytes no other key shares, with its value.
    LexiconTails,
    /// The meanings of the lexicon's keys, as [`super::Entry`].
    Entries,
    /// The core of each subject, by its number: core + 1, or 0.
    Subjects,
    /// [`ProductRecord`]s.
    Products,
    /// Words of each product, by number.
    ProductWords,
    /// For each word, the number of cards that came with a product that has it.
    WordCards,
    /// [`ArtistRecord`]s.
    Artists,
    /// For each number of [`Section::Numbers`], the number of cards with that total.
    TotalCounts,
    /// Start of each number's spellings in [`Section::NumberTexts`], and the end of the last.
    NumberTextStarts,
    /// The spellings (strings) of each number of [`Section::Numbers`]: `4`, `004`.
    NumberTexts,
    /// The strings of the language codes of local names.
    LanguageCodes,
    /// Number of cards with each rarity, as rarity or as mark; 0 for the first, which means "none".
    RarityCards,
    /// Cores of cards with several subjects, by the first.
    Pairs,
    /// [`MarketRecord`]s, by card, then printing.
    MarketIds,
    /// The ids (strings) of the games that its sets are of.
    Games,
    /// The dictionary of a game that is not built in: the name and the text of each file, each with
    /// a zero byte after it.
    GameFiles,
}

/// Number of sections.
pub const SECTIONS: usize = Section::GameFiles as usize;

#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    magic: [u8; 8],
    format: U32,
    sections: U32,
    length: U64,
    checksum: U64,
}

#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Place {
    id: U32,
    reserved: U32,
    offset: U64,
    length: U64,
}

/// Packs a number or total as printed into eight bytes that compare and match: capitals, no zeros
/// before the first other digit.
///
/// `TG05` and `tg5` are one, so are `004` and `4`. A dash stays between two digits (`OP05-119`) and
/// where no digit follows (`S-P`). What is longer than eight bytes is folded by a hash.
///
/// ```
/// use titledex::internals::catalogue::format::pack_number;
/// assert_eq!(pack_number("TG05"), pack_number("tg5"));
/// assert_eq!(pack_number("004"), pack_number("4"));
/// assert_ne!(pack_number("40"), pack_number("4"));
/// assert_ne!(pack_number("SV-P"), pack_number("SVP"));
/// assert_eq!(pack_number("LOB-EN001"), pack_number("LOBEN001"));
/// assert_ne!(pack_number("OP01-025"), pack_number("OP12-005"));
/// assert_ne!(pack_number("RD/5TH1-100"), pack_number("RD/5TH1-010"));
/// ```
#[must_use]
pub fn pack_number(text: &str) -> u64 {
    let mut packed = [0u8; 8];
    let (mut len, mut last) = (0, 0);
    let mut overflow: u64 = 0xcbf2_9ce4_8422_2325;
    let bytes = text.as_bytes();
    for (i, &byte) in bytes.iter().enumerate() {
        if byte.is_ascii_whitespace() || byte == b'#' {
            continue;
        }
        if byte == b'-' {
            let digit = |at: Option<&u8>| at.is_some_and(u8::is_ascii_digit);
            let between =
                digit(i.checked_sub(1).and_then(|at| bytes.get(at))) && digit(bytes.get(i + 1));
            if !between && bytes[i..].iter().any(u8::is_ascii_digit) {
                continue;
            }
        }
        let behind_digit = i > 0 && bytes[i - 1].is_ascii_digit() && u8::is_ascii_digit(&last);
        if byte == b'0' && !behind_digit && bytes.get(i + 1).is_some_and(u8::is_ascii_digit) {
            continue;
        }
        let byte = byte.to_ascii_uppercase();
        if len < 8 {
            packed[len] = byte;
        }
        (len, last) = (len + 1, byte);
        overflow = (overflow ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    if len > 8 {
        overflow | 1 << 63
    } else {
        u64::from_be_bytes(packed)
    }
}

/// Whether a number may end in these digits, by its packed form ([`pack_number`]), which says so
/// without a look at its text: that keeps the last digits of a number, but for zeros before them, and
/// what stands before them is no digit. What is too long is folded, and may.
pub(crate) fn may_end_in(packed: u64, digits: u16) -> bool {
    if packed >> 63 != 0 {
        return true;
    }
    // the text's last byte in the lowest place; in a damaged index the number may be empty
    let mut text = packed
        .checked_shr(packed.trailing_zeros() & !7)
        .unwrap_or(0);
    let mut left = digits;
    loop {
        if text as u8 != b'0' + (left % 10) as u8 {
            return false;
        }
        (text, left) = (text >> 8, left / 10);
        if left == 0 {
            return !(text as u8).is_ascii_digit();
        }
    }
}

/// Writes an index of `sections`, which must hold every [`Section`] once, in order.
#[must_use]
pub fn write(sections: &[(Section, Vec<u8>)]) -> Vec<u8> {
    let head = size_of::<Header>();
    let table = sections.len() * size_of::<Place>();
    let length = head + table + sections.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
    let mut out = Vec::with_capacity(length);
    out.resize(head, 0);
    let mut offset = head + table;
    for (section, bytes) in sections {
        let place = Place {
            id: U32::new(*section as u32),
            reserved: U32::new(0),
            offset: U64::new(offset as u64),
            length: U64::new(bytes.len() as u64),
        };
        out.extend_from_slice(place.as_bytes());
        offset += bytes.len();
    }
    for (_, bytes) in sections {
        out.extend_from_slice(bytes);
    }
    let header = Header {
        magic: MAGIC,
        format: U32::new(FORMAT),
        sections: U32::new(sections.len() as u32),
        length: U64::new(length as u64),
        checksum: U64::new(xxhash_rust::xxh3::xxh3_64(&out[head..])),
    };
    out[..head].copy_from_slice(header.as_bytes());
    out
}

/// The sections of an index whose header, length and (if `verify`) checksum are right.
#[derive(Clone, Copy, Debug)]
pub struct Sections<'a> {
    parts: [&'a [u8]; SECTIONS],
}

impl<'a> Sections<'a> {
    /// Reads the table of sections.
    ///
    /// # Errors
    /// [`ErrorKind::NotAnIndex`], [`ErrorKind::Version`] or [`ErrorKind::Corrupt`].
    pub fn read(bytes: &'a [u8], verify: bool) -> Result<Sections<'a>, Error> {
        Ok(Self::at(bytes, &Self::find(bytes, verify)?))
    }

    /// Finds the sections of an index, and checks its header, its length and (if `verify`) its
    /// checksum.
    ///
    /// # Errors
    /// As [`Sections::read`].
    pub(crate) fn find(bytes: &[u8], verify: bool) -> Result<[Range<usize>; SECTIONS], Error> {
        let not = || {
            Error::new(
                ErrorKind::NotAnIndex,
                "this is not a titledex index: build one with `titledex catalogue build`",
            )
        };
        let corrupt = |what: String| {
            Error::new(
                ErrorKind::Corrupt,
                format!("{what}: rebuild the index with `titledex catalogue build`"),
            )
        };
        if bytes.get(..8) != Some(&MAGIC) {
            return Err(not());
        }
        let (header, rest) = Header::ref_from_prefix(bytes)
            .map_err(|_| corrupt("the index ends inside its header".into()))?;
        if header.format.get() != FORMAT {
            let message = format!(
                "index format {}, this build reads {FORMAT}: rebuild the index with `titledex catalogue build`",
                header.format.get()
            );
            return Err(Error::new(ErrorKind::Version, message));
        }
        if header.length.get() != bytes.len() as u64 {
            return Err(corrupt(format!(
                "the index has {} bytes, its header says {}",
                bytes.len(),
                header.length.get()
            )));
        }
        if verify && header.checksum.get() != xxhash_rust::xxh3::xxh3_64(rest) {
            return Err(corrupt(
                "the index does not fit its checksum (altered or damaged)".into(),
            ));
        }
        let count = header.sections.get() as usize;
        if count != SECTIONS {
            return Err(corrupt(format!(
                "the index says that it has {count} sections, not {SECTIONS}"
            )));
        }
        let (places, _) = <[Place]>::ref_from_prefix_with_elems(rest, count)
            .map_err(|_| corrupt("the table of sections is cut short".into()))?;
        let mut parts: [Range<usize>; SECTIONS] = std::array::from_fn(|_| 0..0);
        for (slot, place) in places.iter().enumerate() {
            if place.id.get() as usize != slot + 1 {
                return Err(corrupt(format!(
                    "section {} is in the place of section {}",
                    place.id.get(),
                    slot + 1
                )));
            }
            parts[slot] = usize::try_from(place.offset.get())
                .ok()
                .zip(usize::try_from(place.length.get()).ok())
                .and_then(|(from, len)| Some(from..from.checked_add(len)?))
                .filter(|range| range.end <= bytes.len())
                .ok_or_else(|| {
                    corrupt(format!("section {} lies outside the index", place.id.get()))
                })?;
        }
        Ok(parts)
    }

    /// Sections that were found before, by their ranges of `bytes`; empty if a range does not fit.
    #[inline]
    pub(crate) fn at(bytes: &'a [u8], ranges: &[Range<usize>; SECTIONS]) -> Sections<'a> {
        Sections {
            parts: std::array::from_fn(|slot| bytes.get(ranges[slot].clone()).unwrap_or(&[])),
        }
    }

    /// The bytes of a section.
    #[must_use]
    #[inline]
    pub fn bytes(&self, section: Section) -> &'a [u8] {
        self.parts[section as usize - 1]
    }

    /// A section as records.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] if its length is not a multiple of the record's.
    pub fn records<T: FromBytes + Immutable + KnownLayout + Unaligned>(
        &self,
        section: Section,
    ) -> Result<&'a [T], Error> {
        <[T]>::ref_from_bytes(self.bytes(section)).map_err(|_| {
            Error::new(
                ErrorKind::Corrupt,
                format!("section {section:?} is cut inside a record: rebuild the index with `titledex catalogue build`"),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn u24_round_trips() {
        for value in [0, 1, 255, 256, 65_535, 65_536, U24::MAX] {
            assert_eq!(U24::new(value).get(), value);
        }
        assert_eq!(U24::new(0x03_02_01).as_bytes(), [1, 2, 3]);
    }

    #[test]
    fn records_have_the_widths_that_the_documents_state() {
        assert_eq!(
            (
                size_of::<U24>(),
                size_of::<CardRecord>(),
                size_of::<LocalName>(),
                size_of::<MarketRecord>()
            ),
            (3, 35, 4, 10)
        );
    }

    /// A damaged index may hold an empty number.
    #[test]
    fn an_empty_number_ends_in_no_digits() {
        assert!(!may_end_in(0, 0) && !may_end_in(0, 4));
    }

    proptest! {
        #[test]
        fn numbers_that_end_in_the_digits_may_end_in_them(
            head in "[A-Za-z]{0,4}|[A-Z]{2}[0-9]{2}-|[0-9]-|#|[A-Z]-|",
            zeros in "0{0,2}",
            digits in 0u16..2000,
            other in 0u16..2000,
        ) {
            let packed = pack_number(&format!("{head}{zeros}{digits}"));
            prop_assert!(may_end_in(packed, digits));
            let folded = packed >> 63 != 0;
            prop_assert!(other == digits || folded || !may_end_in(packed, other));
        }
    }
}
