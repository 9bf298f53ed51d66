//! Packs: an index as it travels to a browser.
//!
//! An index is made to be read in place, so much of it follows from the rest: postings, counts, the
//! keys of the lexicon and their trie. A pack holds the part that does not follow, in columns that
//! compress well. [`unpack`] makes the same index again, and its checksum confirms it. A pack is
//! not compressed itself: that is the transfer's work (`Content-Encoding: br`).
//!
//! A browser compiles what runs long in the midst of it, on the cores that it runs on, and a
//! function with a long loop gains nothing from that. So each loop over all cards or names is a
//! small function of its own (`inline(never)`): it ends before it counts as long, or is compiled in
//! no time.
//!
//! ```
//! use titledex::internals::pack::{pack, unpack};
//! let packed = pack(titledex_embedded::INDEX)?;
//! assert!(packed.len() * 2 < titledex_embedded::INDEX.len());
//! assert!(unpack(&packed)? == titledex_embedded::INDEX);
//! # Ok::<(), titledex::Error>(())
//! ```

mod coder;
mod columns;
mod derived;
mod guess;
mod keyed;
mod lexicon;
mod merge;
mod model;
mod printed;
mod strings;
mod tables;

use crate::catalogue::format::{FORMAT, Section, Sections, write};
use crate::error::{Error, ErrorKind};
use crate::sort::sort_by_key;
use crate::trie::Trie;
use coder::{Coder, corrupt};
use columns::{COLUMNS, Column};
use lexicon::Lexicon;
pub use merge::merge;

use tables::Tables;
use zerocopy::IntoBytes;
use zerocopy::little_endian::U32;

/// First bytes of every pack.
pub const MAGIC: [u8; 8] = *b"TITLPACK";
/// The version of packs that this build reads and writes. A pack has the index format too.
pub const VERSION: u32 = 1;

/// The head of a pack: magic, version, index format, checksum of the index.
const HEAD: usize = 24;
/// Bytes of an index that hold the checksum of all after its header.
const CHECKSUM: std::ops::Range<usize> = 24..32;

/// Whether `bytes` have the header of a pack.
#[must_use]
pub fn is_pack(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The pack of an index: some 0.3 s for 50,000 cards.
///
/// # Errors
/// Those of [`crate::Catalogue::open`], and [`ErrorKind::Source`] if a text holds the character
/// U+0000.
pub fn pack(index: &[u8]) -> Result<Vec<u8>, Error> {
    let sections = Sections::read(index, true)?;
    if !sections.bytes(Section::GameFiles).is_empty() {
        return Err(Error::new(
            ErrorKind::Source,
            "the catalogue brings the dictionary of a game of its own, which a browser's module \
             cannot read: give browsers the games that are built in",
        ));
    }
    let mut tables = Tables::of(&sections)?;
    let trie = Trie::new(
        sections.bytes(Section::LexiconLabels),
        sections.records(Section::LexiconLinks)?,
        sections.bytes(Section::LexiconTails),
    );
    let lexicon = Lexicon::of(trie, sections.records::<U32>(Section::Entries)?);
    let mut coder = Coder::writing(COLUMNS);
    model::walk(&mut coder, &mut tables)?;
    tables = Tables::of(&sections)?;
    lexicon::walk(&mut coder, &tables, &lexicon)?;
    let mut raw = 0;
    for (section, made) in derived::SECTIONS
        .into_iter()
        .zip(derived::sections(&tables))
    {
        write_section(&mut coder, &mut raw, made, sections.bytes(section))?;
    }
    for (section, bytes) in lexicon_sections(&lexicon) {
        write_section(&mut coder, &mut raw, bytes, sections.bytes(section))?;
    }
    let mut out = Vec::new();
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&FORMAT.to_le_bytes());
    out.extend_from_slice(&index[CHECKSUM]);
    coder.finish(&mut out);
    if unpack(&out)? == index {
        return Ok(out);
    }
    Err(Error::new(
        ErrorKind::Corrupt,
        "this index was not written by `titledex catalogue build`: build it again",
    ))
}

/// The index that was packed.
///
/// # Errors
/// [`ErrorKind::NotAnIndex`], [`ErrorKind::Version`] or [`ErrorKind::Corrupt`], with what to do.
pub fn unpack(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    if !is_pack(bytes) {
        return Err(Error::new(
            ErrorKind::NotAnIndex,
            "this is not a titledex pack: write one with `titledex catalogue pack`",
        ));
    }
    let (head, columns) = bytes
        .split_at_checked(HEAD)
        .ok_or_else(|| corrupt("it ends within its head"))?;
    let number = |at: usize| {
        head[at..at + 4]
            .iter()
            .rev()
            .fold(0u32, |number, &byte| number << 8 | u32::from(byte))
    };
    if (number(8), number(12)) != (VERSION, FORMAT) {
        let message = format!(
            "pack version {} of index format {}, this build reads {VERSION} of {FORMAT}: write it again with `titledex catalogue pack`",
            number(8),
            number(12)
        );
        return Err(Error::new(ErrorKind::Version, message));
    }
    let mut coder = Coder::reading(columns, COLUMNS)?;
    let mut tables = Tables::default();
    model::walk(&mut coder, &mut tables)?;
    let lexicon = lexicon::walk(&mut coder, &tables, &Lexicon::default())?;
    let mut raw = 0;
    let mut parts: Vec<(Section, Vec<u8>)> = Vec::new();
    for (section, made) in derived::SECTIONS
        .into_iter()
        .zip(derived::sections(&tables))
    {
        parts.push((section, read_section(&mut coder, &mut raw, made)?));
    }
    let made = lexicon_sections(&lexicon);
    drop(lexicon);
    for (section, bytes) in made {
        parts.push((section, read_section(&mut coder, &mut raw, bytes)?));
    }
    parts.extend(tables.into_sections());
    sort_by_key(&mut parts, |part| part.0 as u32);
    let index = write(&parts);
    if index[CHECKSUM] == head[16..24] {
        Ok(index)
    } else {
        Err(corrupt("it does not fit its checksum"))
    }
}

fn lexicon_sections(lexicon: &Lexicon) -> [(Section, Vec<u8>); 4] {
    let (trie, entries) = lexicon.columns();
    [
        (Section::LexiconLabels, trie.labels),
        (Section::LexiconLinks, trie.links.as_bytes().to_vec()),
        (Section::LexiconTails, trie.tails),
        (Section::Entries, entries.as_bytes().to_vec()),
    ]
}

/// Tells whether a section is as it was made, and if not, what it is.
fn write_section(
    coder: &mut Coder<'_>,
    raw: &mut usize,
    made: Vec<u8>,
    actual: &[u8],
) -> Result<(), Error> {
    let same = made == actual;
    coder.value(
        Column::Derived as usize,
        u32::from(same),
        &[Some(1), Some(0)],
    )?;
    if !same {
        coder.bytes(Column::Raw as usize + *raw, actual);
        *raw += 1;
    }
    Ok(())
}

fn read_section(coder: &mut Coder<'_>, raw: &mut usize, made: Vec<u8>) -> Result<Vec<u8>, Error> {
    if coder.value(Column::Derived as usize, 0, &[Some(1), Some(0)])? != 0 {
        return Ok(made);
    }
    let bytes = coder.bytes(Column::Raw as usize + *raw, &[]).to_vec();
    *raw += 1;
    Ok(bytes)
}
