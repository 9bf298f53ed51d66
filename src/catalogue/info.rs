//! [`CatalogueInfo`]: a summary of a catalogue, for the browser module and the wheel.

use super::Catalogue;
use super::format::FORMAT;
use crate::json::write;
use serde::Serialize;

/// The contents of a catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CatalogueInfo<'a> {
    /// The name that it was built with.
    pub name: &'a str,
    /// Version of the index format.
    pub format: u32,
    /// Number of cards.
    pub cards: usize,
    /// Number of sets.
    pub sets: usize,
    /// The ids of its games.
    pub games: Vec<&'a str>,
    /// Number of printings. A card whose printings are unknown counts as one.
    pub printings: usize,
    /// Size of the index in memory.
    pub bytes: usize,
}

impl CatalogueInfo<'_> {
    /// The same as JSON, on one line.
    ///
    /// ```
    /// let json = titledex_embedded::catalogue()?.info().to_json();
    /// assert!(json.starts_with(r#"{"name":""#) && json.contains(r#""games":["pokemon"]"#));
    /// # Ok::<(), titledex::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = Vec::new();
        write(self, &mut json);
        String::from_utf8(json).expect("JSON of texts is UTF-8")
    }
}

impl Catalogue {
    /// Summary of the contents.
    #[must_use]
    pub fn info(&self) -> CatalogueInfo<'_> {
        let columns = self.columns();
        CatalogueInfo {
            name: columns.name(),
            format: FORMAT,
            cards: columns.card_count(),
            sets: columns.set_count(),
            games: columns.game_ids().collect(),
            printings: columns.printing_count(),
            bytes: columns.bytes,
        }
    }
}
