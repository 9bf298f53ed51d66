//! [`Reader`]: an engine together with the bytes that it borrows from. Nothing here knows JavaScript.

use self_cell::self_cell;
use serde::Serialize;
use titledex::catalogue::format::FORMAT;
use titledex::{Catalogue, Engine, Error, Options, Scratch};

self_cell!(
    struct Opened {
        owner: Vec<u8>,
        #[covariant]
        dependent: Engine,
    }

    impl {Debug}
);

/// An engine, the index that it reads, and memory for one title after another.
pub(crate) struct Reader {
    opened: Opened,
    scratch: Scratch,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("engine", self.opened.borrow_dependent()).finish_non_exhaustive()
    }
}

/// What a catalogue holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Info<'a> {
    name: &'a str,
    format: u32,
    cards: usize,
    sets: usize,
    printings: usize,
    bytes: usize,
}

impl Reader {
    /// Opens an index.
    pub(crate) fn open(bytes: Vec<u8>) -> Result<Self, Error> {
        let opened = Opened::try_new(bytes, |bytes| Engine::new(Catalogue::open(bytes)?))?;
        Ok(Self { opened, scratch: Scratch::default() })
    }

    /// The answer to a title, as JSON.
    pub(crate) fn line(&mut self, title: &str, options: &Options) -> String {
        let Self { opened, scratch } = self;
        crate::json(&opened.borrow_dependent().answer_with(scratch, title, options))
    }

    /// What the catalogue holds.
    pub(crate) fn info(&self) -> Info<'_> {
        let catalogue = self.opened.borrow_dependent().catalogue();
        Info {
            name: catalogue.name(),
            format: FORMAT,
            cards: catalogue.card_count(),
            sets: catalogue.set_count(),
            printings: catalogue.printing_count(),
            bytes: self.opened.borrow_owner().len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reader;
    use titledex::ErrorKind;

    #[test]
    fn refuses_what_is_no_index() {
        let kind = |bytes: &[u8]| Reader::open(bytes.to_vec()).expect_err("no index").kind();
        assert_eq!(kind(b""), ErrorKind::NotAnIndex);
        assert_eq!(kind(b"marketplaceId,name"), ErrorKind::NotAnIndex);
        assert_eq!(kind(b"TITLEDEX\xff\xff\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), ErrorKind::Version);
    }
}
