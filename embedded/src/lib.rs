//! The default catalogue of titledex: all physical cards that its sources know, inside the program.
//!
//! The cards are text in `tables/`; the build script makes the index from them.
//! `titledex-lab catalogue tables` regenerates the tables.
//!
//! The default catalogue is Pokémon's. With the feature `games` the program also carries one of six
//! games, made from the packed tables in `tables/<game>/`, which `titledex-lab catalogue game`
//! regenerates.

use once_cell::sync::OnceCell;
use std::sync::Arc;
use titledex::{Catalogue, Dictionary, Error};

/// The id of the game of [`INDEX`].
pub const FIRST_GAME: &str = titledex::internals::dictionary::FIRST_GAME;

/// The files of a game's folder.
#[cfg(all(feature = "tables", feature = "games"))]
macro_rules! packed_tables {
    ($game:literal) => {
        [
            include_bytes!(concat!("../tables/", $game, "/cards.csv.gz")),
            include_bytes!(concat!("../tables/", $game, "/names.csv.gz")),
            include_bytes!(concat!("../tables/", $game, "/sets.csv.gz")),
        ]
    };
}

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
pub static GAME_TABLES: [(&str, [&[u8]; 3]); 5] = [
    ("digimon", packed_tables!("digimon")),
    ("lorcana", packed_tables!("lorcana")),
    ("magic", packed_tables!("magic")),
    ("onepiece", packed_tables!("onepiece")),
    ("yugioh", packed_tables!("yugioh")),
];

/// The index in the program with the cards of these games, by their ids; of all that it carries
/// where none is given. That of the first game alone is small.
#[must_use]
pub fn index_of<S: AsRef<str>>(games: &[S]) -> &'static [u8] {
    #[cfg(feature = "games")]
    if !matches!(games, [game] if game.as_ref() == FIRST_GAME) {
        return ALL_GAMES;
    }
    let _ = games;
    INDEX
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

/// Opens the catalogue of [`index_of`], with the dictionary at hand.
///
/// # Errors
/// Never fails in a released build: a test opens the catalogue.
pub fn catalogue_of<S: AsRef<str>>(games: &[S]) -> Result<Catalogue, Error> {
    Ok(Catalogue::open_trusted(index_of(games))?.with_dictionary(dictionary()?))
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
