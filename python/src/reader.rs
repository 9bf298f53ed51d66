//! [`Reader`]: an engine for a catalogue of any kind. Nothing here knows Python.

use crate::failure::Failure;
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;
use titledex::internals::pack::{is_pack, unpack};
use titledex::{Catalogue, Engine};

/// The bytes of an index file.
enum Index {
    /// Mapped: processes that open it share its memory.
    Mapped(Mmap),
    /// Read; or made from a pack.
    Owned(Vec<u8>),
}

impl AsRef<[u8]> for Index {
    fn as_ref(&self) -> &[u8] {
        match self {
            Index::Mapped(mapping) => mapping,
            Index::Owned(bytes) => bytes,
        }
    }
}

/// An engine and the index that it reads.
pub(crate) struct Reader(Engine);

impl Reader {
    /// Opens the built-in catalogue, for these games; for all if none is given.
    pub(crate) fn embedded(games: &[String]) -> Result<Self, Failure> {
        Self::of(titledex_embedded::catalogue_of(games)?, games)
    }

    fn of(catalogue: Catalogue, games: &[String]) -> Result<Self, Failure> {
        let games = games.iter().map(String::as_str);
        Ok(Self(Engine::builder(catalogue).games(games).build()?))
    }

    /// Opens the index or pack at `path`, mapped or read.
    pub(crate) fn open(path: &Path, mmap: bool, games: &[String]) -> Result<Self, Failure> {
        let index = index(path, mmap)
            .map_err(|error| Failure::new("unreadable", error.to_string()).at(path))?;
        let index = if is_pack(index.as_ref()) {
            Index::Owned(unpack(index.as_ref()).map_err(|error| Failure::from(error).at(path))?)
        } else {
            index
        };
        let catalogue = Catalogue::open(index).map_err(|error| Failure::from(error).at(path))?;
        Self::of(
            catalogue.with_dictionary(titledex_embedded::dictionary()?),
            games,
        )
    }

    /// The engine.
    pub(crate) fn engine(&self) -> &Engine {
        &self.0
    }

    /// The contents of the catalogue, as JSON.
    pub(crate) fn info(&self) -> String {
        self.engine().catalogue().info().to_json()
    }
}

fn index(path: &Path, mmap: bool) -> io::Result<Index> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other(
            "this is not a regular file: name an index that `titledex catalogue build` wrote",
        ));
    }
    if mmap {
        map(&file).map(Index::Mapped)
    } else {
        std::fs::read(path).map(Index::Owned)
    }
}

#[allow(
    unsafe_code,
    reason = "mapping a file is unsafe in every crate that offers it"
)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes must not change while they are mapped. The mapping is private and
    // read-only, `titledex catalogue build` renames a new file over the old one, which leaves the
    // mapped one as it was, and a process that alters an index in place breaks a rule that the
    // documentation of `Matcher` states.
    unsafe { Mmap::map(file) }
}
