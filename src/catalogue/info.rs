//! [`CatalogueInfo`]: what a catalogue holds, as the browser module and the wheel tell it.

use super::Catalogue;
use super::format::FORMAT;
use serde::Serialize;

/// What a catalogue holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CatalogueInfo<'a> {
    /// What it was called when it was built.
    pub name: &'a str,
    /// Version of the index format.
    pub format: u32,
    /// How many cards it has.
    pub cards: usize,
    /// How many sets.
    pub sets: usize,
    /// How many printings; a card whose printings are unknown counts as one.
    pub printings: usize,
    /// Size of the index in memory.
    pub bytes: usize,
}

impl Catalogue {
    /// What it holds.
    #[must_use]
    pub fn info(&self) -> CatalogueInfo<'_> {
        let columns = self.columns();
        CatalogueInfo {
            name: columns.name(),
            format: FORMAT,
            cards: columns.card_count(),
            sets: columns.set_count(),
            printings: columns.printing_count(),
            bytes: columns.bytes,
        }
    }
}
