//! Lists of words that rules ask for by their names (`dictionaries/*/word_lists.csv`), as the build
//! script writes them.

// two of them are for the building of an index
#![cfg_attr(not(feature = "build"), allow(dead_code))]

/// Words by the id of the game whose folder has them, `""` for those of all games.
pub(crate) type ByGame = &'static [(&'static str, &'static [&'static str])];

/// Whether a list has `word`, among the words of all games or of this one.
pub(crate) fn has(list: ByGame, game: &str, word: &str) -> bool {
    let mut own = list.iter().filter(|(of, _)| of.is_empty() || *of == game);
    own.any(|(_, words)| words.contains(&word))
}

include!(concat!(env!("OUT_DIR"), "/word_lists.rs"));
