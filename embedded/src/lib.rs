//! The default catalogue of titledex: all physical cards that its sources know, inside the program.
//!
//! The cards are text in `tables/`; the build script makes the index from them.
//! `titledex-lab catalogue tables` regenerates the tables.
//!
//! The default catalogue is Pokémon's. With the feature `games` the program also carries one of all
//! games: a folder `tables/<game>/` has the packed tables of each, which
//! `titledex-lab catalogue game` regenerates.

use once_cell::sync::OnceCell;
use std::sync::Arc;
#[cfg(feature = "games")]
use titledex::internals::pack::{merge, unpack};
use titledex::{Catalogue, Dictionary, Error};

/// The id of the game of [`INDEX`].
pub const FIRST_GAME: &str = titledex::internals::dictionary::FIRST_GAME;

/// The index, as any index file.
pub static INDEX: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/default.index"));

/// The tables that it is made from, `cards.csv` and `sets.csv`, packed with gzip.
#[cfg(feature = "tables")]
pub static TABLES: [&[u8]; 2] = [
    include_bytes!(concat!(env!("OUT_DIR"), "/cards.csv.gz")),
    include_bytes!(concat!(env!("OUT_DIR"), "/sets.csv.gz")),
];

/// The index of all games, as any index file.
#[cfg(feature = "games")]
pub static ALL_GAMES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/all.index"));

/// The packed tables that it is made from beside [`TABLES`]: of each other game its id, and its
/// cards, names and sets.
#[cfg(all(feature = "tables", feature = "games"))]
pub static GAME_TABLES: &[(&str, [&[u8]; 3])] =
    &include!(concat!(env!("OUT_DIR"), "/game_tables.rs"));

/// The packs of the games beside the first, by their ids, as a browser fetches them for all
/// languages.
#[cfg(feature = "games")]
static PACKS: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// What the index of some of the games is called.
#[cfg(feature = "games")]
const SOME_NAME: &str = concat!(
    "titledex catalogue of some games, sources of ",
    env!("SOURCES")
);

/// The index in the program with the cards of these games, by their ids, in any order and however
/// often each is named; of all that it carries where none is given. That of the first game alone is
/// small.
#[must_use]
pub fn index_of<S: AsRef<str>>(games: &[S]) -> &'static [u8] {
    #[cfg(feature = "games")]
    if distinct_games(games) != [FIRST_GAME] {
        return ALL_GAMES;
    }
    let _ = games;
    INDEX
}

/// The ids of games, ascending, each once: who names one twice, or another first, means the same.
#[must_use]
pub fn distinct_games<S: AsRef<str>>(games: &[S]) -> Vec<&str> {
    let mut ids: Vec<&str> = games.iter().map(AsRef::as_ref).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The dictionary of this build, as the build script loaded it; opened at first use and shared.
///
/// # Errors
/// Never fails in a released build: a test opens it.
pub fn dictionary() -> Result<Arc<Dictionary>, Error> {
    static OPENED: OnceCell<Arc<Dictionary>> = OnceCell::new();
    let image = include_bytes!(concat!(env!("OUT_DIR"), "/dictionary"));
    let open = || Dictionary::open(image).map(Arc::new);
    OPENED.get_or_try_init(open).cloned()
}

/// Opens the catalogue of these games, by their ids, with the dictionary at hand; of all that the
/// program carries where none is given, or one that it does not carry. Neither their order nor a
/// game that is named twice makes a difference.
///
/// The index of all games and that of the first lie in the program. One of other games is made of
/// their packs, as a browser makes it, in a second or a few: answers from an index that also holds
/// other games would weigh evidence by how frequent it is among all of them.
///
/// # Errors
/// Never fails in a released build: a test opens the catalogue.
pub fn catalogue_of<S: AsRef<str>>(games: &[S]) -> Result<Catalogue, Error> {
    let catalogue = match index_of_some(games)? {
        Some(index) => Catalogue::open_trusted(index),
        None => Catalogue::open_trusted(index_of(games)),
    };
    Ok(catalogue?.with_dictionary(dictionary()?))
}

/// The index of these games; `None` if one lies in the program that is for them.
#[cfg(feature = "games")]
fn index_of_some<S: AsRef<str>>(games: &[S]) -> Result<Option<Vec<u8>>, Error> {
    let ids = distinct_games(games);
    let pack_of = |id: &str| PACKS.iter().find(|(game, _)| *game == id);
    let carried = |id: &&str| *id == FIRST_GAME || pack_of(id).is_some();
    if ids.is_empty() || ids == [FIRST_GAME] || ids.len() > PACKS.len() || !ids.iter().all(carried)
    {
        return Ok(None);
    }
    let indexes = ids.iter().map(|id| match pack_of(id) {
        Some((_, pack)) => unpack(pack),
        None => Ok(INDEX.to_vec()),
    });
    merge(indexes, SOME_NAME, Vec::new()).map(Some)
}

#[cfg(not(feature = "games"))]
fn index_of_some<S: AsRef<str>>(_: &[S]) -> Result<Option<Vec<u8>>, Error> {
    Ok(None)
}

/// Opens the catalogue of all games.
///
/// # Errors
/// Never fails in a released build: a test opens the catalogue.
#[cfg(feature = "games")]
pub fn all_games() -> Result<Catalogue, Error> {
    catalogue_of::<&str>(&[])
}

/// Opens the default catalogue.
///
/// ```
/// let catalogue = titledex_embedded::catalogue()?;
/// assert!(catalogue.card_count() > 50_000);
/// # Ok::<(), titledex::Error>(())
/// ```
///
/// # Errors
/// Never fails in a released build: a test opens the catalogue.
pub fn catalogue() -> Result<Catalogue, Error> {
    catalogue_of(&[FIRST_GAME])
}

#[cfg(all(test, feature = "games"))]
mod tests {
    use super::{FIRST_GAME, catalogue_of, index_of};

    #[test]
    fn game_that_is_named_twice_is_one_game() {
        let twice = [FIRST_GAME, FIRST_GAME];
        assert_eq!(index_of(&twice).as_ptr(), index_of(&[FIRST_GAME]).as_ptr());
        for games in [&[FIRST_GAME][..], &["onepiece"], &["digimon", FIRST_GAME]] {
            let once = catalogue_of(games).expect("it opens");
            let mut again = games.to_vec();
            again.extend(games.iter().rev());
            let again = catalogue_of(&again).expect("it opens");
            assert!(again.as_bytes() == once.as_bytes(), "{games:?}");
        }
    }
}
