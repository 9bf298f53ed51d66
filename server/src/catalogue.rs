//! [`Reader`]: the engine with its catalogue, which may be replaced while requests run.

use crate::games::Games;
use arc_swap::ArcSwap;
use std::cell::RefCell;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use titledex::internals::dictionary::FIRST_GAME;
use titledex::{Answer, Catalogue, Engine, Options, Product, Scratch, Within};

/// The place of the checksum in the header of an index.
const CHECKSUM: std::ops::Range<usize> = 24..32;

/// Why a catalogue was refused. The previous one stays.
#[derive(Debug)]
pub enum CatalogueError {
    /// The file could not be read.
    File(PathBuf, std::io::Error),
    /// The file is not an index that this build can read.
    Index(PathBuf, titledex::Error),
    /// The built-in index is defective, or lacks a game of the settings.
    BuiltIn(titledex::Error),
}

impl fmt::Display for CatalogueError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, _) => write!(
                out,
                "cannot read the catalogue {}: check the path and its permissions",
                path.display()
            ),
            Self::Index(path, error) => write!(out, "{}: {error}", path.display()),
            Self::BuiltIn(error) => write!(out, "the built-in catalogue: {error}"),
        }
    }
}

impl std::error::Error for CatalogueError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(_, error) => Some(error),
            Self::Index(..) | Self::BuiltIn(_) => None,
        }
    }
}

/// An engine, and its version as answers state it.
pub struct Loaded {
    engine: Engine,
    /// Name and checksum of the catalogue, a word that fits a header: `default-1c2d…`; behind them
    /// the open games, where the catalogue has more.
    pub version: String,
    checksum: [u8; 8],
    games: Games,
    /// What stands around the answer to an ordinary title, once there was one.
    pub(crate) title_frame: OnceLock<Frame>,
}

/// What stands before and behind the data of an answer: the same of each ordinary title.
pub(crate) struct Frame {
    pub(crate) begin: Vec<u8>,
    pub(crate) end: Vec<u8>,
}

impl fmt::Debug for Loaded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Loaded")
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

impl Loaded {
    fn built_in(games: &[String]) -> Result<Self, titledex::Error> {
        let catalogue = titledex_embedded::catalogue_of(games)?;
        let checksum = checksum(catalogue.as_bytes());
        Self::new(catalogue, checksum, games)
    }

    fn of(index: Vec<u8>, games: &[String]) -> Result<Self, titledex::Error> {
        let checksum = checksum(&index);
        let dictionary = titledex_embedded::dictionary()?;
        let catalogue = Catalogue::open(index)?.with_dictionary(dictionary);
        Self::new(catalogue, checksum, games)
    }

    fn new(
        catalogue: Catalogue,
        checksum: [u8; 8],
        games: &[String],
    ) -> Result<Self, titledex::Error> {
        let engine = Engine::builder(catalogue)
            .games(games.iter().map(String::as_str))
            .build()?;
        let name = engine.catalogue().name();
        let words = name
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty());
        let name: Vec<_> = words.take(16).collect();
        let mut version = format!("{}-{:016x}", name.join("-"), u64::from_le_bytes(checksum));
        let games = Games::of(&engine);
        if games.open().len() < engine.catalogue().info().games.len() {
            version.push('-');
            version.push_str(&games.open().join("-"));
        }
        Ok(Self {
            engine,
            version,
            checksum,
            games,
            title_frame: OnceLock::new(),
        })
    }

    /// The games of its engine.
    pub fn games(&self) -> &Games {
        &self.games
    }

    /// What people call a game; its id where nobody has said.
    pub(crate) fn game_name<'g>(&'g self, id: &'g str) -> &'g str {
        self.engine.game_name(id).unwrap_or(id)
    }

    /// The catalogue.
    pub fn catalogue(&self) -> &Catalogue {
        self.engine.catalogue()
    }

    /// Cards of the catalogue.
    pub fn cards(&self) -> usize {
        self.catalogue().card_count()
    }
}

/// The checksum in the header of an index. Opening the index verifies it.
fn checksum(bytes: &[u8]) -> [u8; 8] {
    bytes
        .get(CHECKSUM)
        .and_then(|found| found.try_into().ok())
        .unwrap_or_default()
}

/// Reads titles with the current catalogue.
#[derive(Debug)]
pub struct Reader {
    file: Option<PathBuf>,
    /// The games whose cards are found; empty for all of the catalogue.
    games: Vec<String>,
    now: ArcSwap<Loaded>,
    /// Held while a catalogue is opened, because two at once would take twice the memory.
    opening: Mutex<()>,
}

impl Reader {
    /// Opens the catalogue in `file`, or the built-in one, for these games. Where none is given: for
    /// all that the file has, and for Pokémon of the built-in one.
    ///
    /// # Errors
    /// If it cannot be read, is not an index, or lacks one of the games.
    pub fn open(file: Option<PathBuf>, games: &[String]) -> Result<Self, CatalogueError> {
        let first = [FIRST_GAME.to_owned()];
        let games = match (&file, games) {
            (None, []) => &first[..],
            _ => games,
        };
        let loaded = match &file {
            None => Loaded::built_in(games).map_err(CatalogueError::BuiltIn)?,
            Some(path) => Loaded::of(read(path)?, games)
                .map_err(|error| CatalogueError::Index(path.clone(), error))?,
        };
        Ok(Self {
            file,
            games: games.to_vec(),
            now: ArcSwap::from_pointee(loaded),
            opening: Mutex::default(),
        })
    }

    /// The current catalogue.
    pub fn now(&self) -> Arc<Loaded> {
        self.now.load_full()
    }

    /// Reopens the catalogue and returns whether it changed. Running requests keep the one that
    /// they began with.
    ///
    /// # Errors
    /// If it cannot be read or is not an index. The previous one stays.
    pub fn reload(&self) -> Result<bool, CatalogueError> {
        let Some(path) = &self.file else {
            return Ok(false);
        };
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        // Read, not mapped, so that changing the file in place changes no answer.
        let loaded = Loaded::of(read(path)?, &self.games)
            .map_err(|error| CatalogueError::Index(path.clone(), error))?;
        if self.now.load().checksum == loaded.checksum {
            return Ok(false);
        }
        self.now.store(Arc::new(loaded));
        Ok(true)
    }
}

fn read(path: &PathBuf) -> Result<Vec<u8>, CatalogueError> {
    std::fs::read(path).map_err(|error| CatalogueError::File(path.clone(), error))
}

thread_local! {
    /// The scratch memory of this thread, and the catalogue that it was used with.
    static SCRATCH: RefCell<Option<(Box<Scratch>, [u8; 8])>> = const { RefCell::new(None) };
}

impl Loaded {
    /// Reads one title with this thread's scratch memory.
    pub fn answer<'t>(&'t self, title: &'t str, options: &Options) -> Answer<'t> {
        self.with_scratch(|engine, scratch| engine.answer_with(scratch, title, options))
    }

    /// Calls the engine with this thread's scratch memory.
    pub(crate) fn with_scratch<'t, T>(
        &'t self,
        ask: impl FnOnce(&'t Engine, &mut Scratch) -> T,
    ) -> T {
        // taken, not borrowed: if the core panics, the next title gets new memory
        let kept = SCRATCH
            .take()
            .filter(|(_, checksum)| *checksum == self.checksum);
        let mut scratch = kept.map_or_else(Box::default, |(scratch, _)| scratch);
        let answer = ask(&self.engine, &mut scratch);
        SCRATCH.set(Some((scratch, self.checksum)));
        answer
    }
}

impl Loaded {
    /// The ids of the cards that a search finds, best first, with their ranks.
    pub(crate) fn search(&self, words: &str, within: &Within<'_>) -> Vec<(String, u32)> {
        self.with_scratch(|engine, scratch| {
            engine
                .search_ranked(scratch, words, within)
                .into_iter()
                .map(|(id, rank)| (id.to_owned(), rank))
                .collect()
        })
    }

    /// The places of the sealed products that a search finds, best first.
    pub(crate) fn search_products(&self, words: &str, products: &[Product<'_>]) -> Vec<usize> {
        self.with_scratch(|engine, scratch: &mut Scratch| {
            engine.search_products(scratch, words, products)
        })
    }

    /// The ids of the sets that a search finds, best first.
    pub(crate) fn search_sets(&self, words: &str) -> Vec<String> {
        self.with_scratch(|engine, scratch: &mut Scratch| {
            engine
                .search_sets(scratch, words)
                .into_iter()
                .map(str::to_owned)
                .collect()
        })
    }

    /// The ids of the sets that words name.
    pub(crate) fn sets_named(&self, words: &str) -> Vec<String> {
        self.with_scratch(|engine, _| {
            engine
                .sets_named(words)
                .into_iter()
                .map(str::to_owned)
                .collect()
        })
    }
}
