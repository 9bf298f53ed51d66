//! [`Reader`]: an engine together with the bytes that it borrows from. Nothing here knows Python.

use crate::failure::Failure;
use memmap2::Mmap;
use self_cell::self_cell;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;
use titledex::pack::{is_pack, unpack};
use titledex::{Catalogue, Engine};

/// The bytes of an index.
enum Index {
    /// Inside the module.
    Embedded,
    /// A file, mapped: processes that open it share its memory.
    Mapped(Mmap),
    /// A file, read; or made from a pack.
    Owned(Vec<u8>),
}

impl Deref for Index {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Index::Embedded => titledex_embedded::INDEX,
            Index::Mapped(mapping) => mapping,
            Index::Owned(bytes) => bytes,
        }
    }
}

self_cell!(
    struct Opened {
        owner: Index,
        #[covariant]
        dependent: Engine,
    }
);

/// An engine and the index that it reads.
pub(crate) struct Reader(Opened);

impl Reader {
    /// Opens the built-in catalogue.
    pub(crate) fn embedded() -> Result<Self, Failure> {
        Ok(Self(Opened::try_new(Index::Embedded, |bytes| {
            Engine::new(Catalogue::open_trusted(bytes)?)
        })?))
    }

    /// Opens the index or pack at `path`, mapped or read.
    pub(crate) fn open(path: &Path, mmap: bool) -> Result<Self, Failure> {
        let index = index(path, mmap)
            .map_err(|error| Failure::new("unreadable", error.to_string()).at(path))?;
        let index = if is_pack(&index) {
            Index::Owned(unpack(&index).map_err(|error| Failure::from(error).at(path))?)
        } else {
            index
        };
        let opened = Opened::try_new(index, |bytes| Engine::new(Catalogue::open(bytes)?));
        Ok(Self(opened.map_err(|error| Failure::from(error).at(path))?))
    }

    /// The engine.
    pub(crate) fn engine(&self) -> &Engine<'_> {
        self.0.borrow_dependent()
    }

    /// What the catalogue holds, as JSON.
    pub(crate) fn info(&self) -> String {
        serde_json::to_string(&self.engine().catalogue().info())
            .expect("string keys only, and memory takes it")
    }
}

fn index(path: &Path, mmap: bool) -> io::Result<Index> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other(
            "this is no regular file: name an index that `titledex catalogue build` wrote",
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
    // SAFETY: the bytes must not change while they are mapped. The mapping is private and read-only, `titledex catalogue build` renames a
    // new file over the old one, which leaves the mapped one as it was, and a process that alters an index in place breaks a rule that the
    // documentation of `Matcher` states.
    unsafe { Mmap::map(file) }
}
