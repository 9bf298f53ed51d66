//! [`Reader`]: an engine with memory for one title after another. Nothing here knows JavaScript.

use crate::tape::Tape;
use crate::title::Title;
use once_cell::sync::OnceCell;
use std::sync::Arc;
use titledex::Dictionary;
use titledex::internals::pack::{is_pack, unpack};
use titledex::{Catalogue, Engine, Error, Options, Scratch};

/// The dictionaries of this build.
fn dictionary() -> Result<Arc<Dictionary>, Error> {
    static COMPILED: OnceCell<Arc<Dictionary>> = OnceCell::new();
    let compiled = || {
        Dictionary::compiled(include_bytes!(concat!(env!("OUT_DIR"), "/dictionary"))).map(Arc::new)
    };
    COMPILED.get_or_try_init(compiled).cloned()
}

/// An engine, the index that it reads, and memory for one title after another.
pub(crate) struct Reader {
    engine: Engine,
    scratch: Scratch,
    /// An answer as JSON; its room is kept for the next.
    line: Vec<u8>,
    /// Answers that objects are made of.
    tape: Tape,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader")
            .field("engine", &self.engine)
            .finish_non_exhaustive()
    }
}

impl Reader {
    /// Opens an index, or makes the one of a pack.
    pub(crate) fn open(bytes: Vec<u8>) -> Result<Self, Error> {
        // an index that was made here is as its checksum says
        Self::of(if is_pack(&bytes) {
            Catalogue::open_trusted(unpack(&bytes)?)
        } else {
            Catalogue::open(bytes)
        }?)
    }

    /// Opens the cards of several packs or indexes at once.
    #[cfg(feature = "games")]
    pub(crate) fn open_all(mut parts: Vec<Vec<u8>>) -> Result<Self, Error> {
        if parts.len() == 1 {
            return Self::open(parts.remove(0));
        }
        // each is let go as soon as its tables are read: memory that was taken stays taken
        let indexes = parts.into_iter().map(|bytes| {
            if is_pack(&bytes) {
                unpack(&bytes)
            } else {
                Ok(bytes)
            }
        });
        let index = titledex::internals::pack::merge(indexes, "", Vec::new())?;
        Self::of(Catalogue::open_trusted(index)?)
    }

    fn of(catalogue: Catalogue) -> Result<Self, Error> {
        Ok(Self {
            engine: Engine::with_dictionary(catalogue, dictionary()?)?,
            scratch: Scratch::default(),
            line: Vec::new(),
            tape: Tape::default(),
        })
    }

    /// The answer to a title, as JSON.
    pub(crate) fn line(&mut self, title: &Title, options: &Options) -> &str {
        let answer = title.answer(&self.engine, &mut self.scratch, options);
        self.line.clear();
        answer.write_json(&mut self.line);
        std::str::from_utf8(&self.line).expect("JSON is UTF-8")
    }

    /// Takes all answers off the tape.
    pub(crate) fn begin(&mut self) {
        self.tape.clear();
    }

    /// Adds the answer to a title to the tape.
    pub(crate) fn add(&mut self, title: &Title, options: &Options) {
        let answer = title.answer(&self.engine, &mut self.scratch, options);
        self.tape.push(&answer);
    }

    /// The answers since [`Reader::begin`].
    pub(crate) fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The contents of the catalogue, as JSON.
    pub(crate) fn info(&self) -> String {
        self.engine.catalogue().info().to_json()
    }
}

#[cfg(test)]
mod tests {
    use super::Reader;
    use titledex::ErrorKind;

    #[test]
    fn other_bytes_are_refused() {
        let kind = |bytes: &[u8]| Reader::open(bytes.to_vec()).expect_err("no index").kind();
        assert_eq!(kind(b""), ErrorKind::NotAnIndex);
        assert_eq!(kind(b"marketplaceId,name"), ErrorKind::NotAnIndex);
        assert_eq!(
            kind(b"TITLEDEX\xff\xff\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
            ErrorKind::Version
        );
    }
}
