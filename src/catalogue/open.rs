//! [`Catalogue`]: the bytes of an index, checked once and shared.

use super::format::{SECTIONS, Section, Sections};
use super::{CardView, Columns, Strings};
use crate::answer::MarketIds;
use crate::dictionary::Dictionary;
use crate::error::{Error, ErrorKind};
use std::any::Any;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Bytes of any kind that a catalogue can hold.
type Held = dyn AsRef<[u8]> + Send + Sync;

/// An index of cards.
///
/// It opens from anything that holds bytes (a `&'static [u8]`, a `Vec<u8>`, a memory map, an
/// `Arc<[u8]>`) and keeps them: nothing is copied and nothing is parsed. A clone shares the bytes
/// and costs a reference count.
///
/// Bytes that live as long as the program (`&'static [u8]`) are the quickest to read. For all
/// others each text is checked for UTF-8 when it is read.
///
/// ```no_run
/// use titledex::{Catalogue, Engine};
/// let engine = Engine::builder(Catalogue::open(std::fs::read("cards.index")?)?).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Catalogue {
    index: Arc<Opened>,
    /// What its titles are read by, if it was given a dictionary.
    dictionary: Option<Arc<Dictionary>>,
}

/// An index with a valid header and valid sections.
enum Opened {
    /// The columns were taken once.
    Static {
        bytes: &'static [u8],
        columns: Columns<'static>,
    },
    /// They are taken from the bytes for each title.
    Shared {
        bytes: Box<Held>,
        parts: [Range<usize>; SECTIONS],
    },
}

impl std::fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let info = self.info();
        f.debug_struct("Catalogue")
            .field("name", &info.name)
            .field("cards", &info.cards)
            .field("bytes", &info.bytes)
            .finish_non_exhaustive()
    }
}

fn corrupt(what: &str) -> Error {
    Error::new(
        ErrorKind::Corrupt,
        format!("{what}: rebuild the index with `titledex catalogue build`"),
    )
}

/// The columns at `parts` of `bytes`, if all of them are whole.
fn check<'a>(bytes: &'a [u8], parts: &[Range<usize>; SECTIONS]) -> Result<Columns<'a>, Error> {
    let sections = Sections::at(bytes, parts);
    std::str::from_utf8(sections.bytes(Section::About))
        .map_err(|_| corrupt("the description is not UTF-8"))?;
    let strings = simdutf8::basic::from_utf8(sections.bytes(Section::StringBytes))
        .map_err(|_| corrupt("the strings are not UTF-8"))?;
    Columns::of(&sections, Strings::Text(strings), bytes.len())
}

impl Catalogue {
    /// Opens an index and checks its header, its checksum and its sections: a fraction of a
    /// millisecond for each 5 MB.
    ///
    /// # Errors
    /// [`ErrorKind::NotAnIndex`], [`ErrorKind::Version`], [`ErrorKind::Corrupt`], with what to do.
    pub fn open(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Catalogue, Error> {
        Self::read(bytes, true)
    }

    /// As [`Catalogue::open`], without the checksum: for bytes that cannot have changed, such as
    /// those inside the program.
    ///
    /// # Errors
    /// As [`Catalogue::open`].
    pub fn open_trusted(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Catalogue, Error> {
        Self::read(bytes, false)
    }

    fn read(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        verify: bool,
    ) -> Result<Catalogue, Error> {
        let opened = match (&bytes as &dyn Any).downcast_ref::<&'static [u8]>() {
            Some(&bytes) => Self::of_static(bytes, verify)?,
            None => Self::of_shared(Box::new(bytes), verify)?,
        };
        Ok(Catalogue {
            index: Arc::new(opened),
            dictionary: None,
        })
    }

    /// The catalogue with a dictionary of this build at hand, so that an [`crate::Engine`] for it
    /// need not load one from text. An index that brings words of its own game is read by those.
    ///
    /// `titledex_embedded` gives its catalogues one, and has it for others:
    ///
    /// ```
    /// use titledex::{Catalogue, Engine};
    /// # let bytes = titledex_embedded::INDEX;
    /// let catalogue = Catalogue::open(bytes)?.with_dictionary(titledex_embedded::dictionary()?);
    /// assert!(Engine::new(catalogue).parse("Charizard PSA 9").grade.is_some());
    /// # Ok::<(), titledex::Error>(())
    /// ```
    #[must_use]
    pub fn with_dictionary(mut self, dictionary: impl Into<Arc<Dictionary>>) -> Catalogue {
        self.dictionary = Some(dictionary.into());
        self
    }

    /// The dictionary that it was given.
    pub(crate) fn dictionary(&self) -> Option<&Arc<Dictionary>> {
        self.dictionary.as_ref()
    }

    fn of_static(bytes: &'static [u8], verify: bool) -> Result<Opened, Error> {
        let parts = Sections::find(bytes, verify)?;
        let columns = check(bytes, &parts)?;
        Ok(Opened::Static { bytes, columns })
    }

    fn of_shared(bytes: Box<Held>, verify: bool) -> Result<Opened, Error> {
        let parts = Sections::find((*bytes).as_ref(), verify)?;
        check((*bytes).as_ref(), &parts)?;
        Ok(Opened::Shared { bytes, parts })
    }

    /// The borrowed view that the stages read. It is taken for each title, in a few hundred
    /// instructions at most.
    #[inline]
    pub(crate) fn view(&self) -> View<'_> {
        match &*self.index {
            Opened::Static { columns, .. } => View::Kept(columns),
            Opened::Shared { bytes, parts } => View::Made(shared(&**bytes, parts)),
        }
    }

    /// As [`Catalogue::view`], for one call.
    pub(crate) fn columns(&self) -> Columns<'_> {
        *self.view()
    }

    /// The bytes of the index.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match &*self.index {
            Opened::Static { bytes, .. } => bytes,
            Opened::Shared { bytes, .. } => (**bytes).as_ref(),
        }
    }

    /// The name that it was built with.
    #[must_use]
    pub fn name(&self) -> &str {
        self.columns().name()
    }

    /// Number of cards.
    #[must_use]
    pub fn card_count(&self) -> usize {
        self.columns().card_count()
    }

    /// Number of sets, including those without cards.
    #[must_use]
    pub fn set_count(&self) -> usize {
        self.columns().set_count()
    }

    /// Number of printings. A card whose printings are unknown counts as one.
    #[must_use]
    pub fn printing_count(&self) -> usize {
        self.columns().printing_count()
    }

    /// Facts about the index, name and value.
    #[must_use]
    pub fn describe(&self) -> Vec<(&'static str, String)> {
        self.columns().describe()
    }

    /// All that the catalogue knows of a card.
    ///
    /// ```
    /// let catalogue = titledex_embedded::catalogue()?;
    /// let card = catalogue.card("base1-4").expect("the default catalogue has it");
    /// assert_eq!((card.name, card.set_name), ("Charizard", "Base Set"));
    /// # Ok::<(), titledex::Error>(())
    /// ```
    #[must_use]
    pub fn card(&self, id: &str) -> Option<CardView<'_>> {
        self.columns().card(id)
    }

    /// The marketplace ids of the printings that a marketplace sells as this product: those that
    /// have one of the ids given. Looks at every printing that has ids, in some 0.1 ms.
    ///
    /// ```
    /// use titledex::MarketIds;
    /// let catalogue = titledex_embedded::catalogue()?;
    /// let sold = catalogue.sold_as(MarketIds::new(42382, 0));
    /// assert_eq!(sold, ["base1-4:unlimited-holofoil"]);
    /// # Ok::<(), titledex::Error>(())
    /// ```
    #[must_use]
    pub fn sold_as(&self, ids: MarketIds) -> Vec<String> {
        self.columns().sold_as(ids)
    }
}

/// The columns of a catalogue for as long as one title is read.
#[allow(
    clippy::large_enum_variant,
    reason = "it lies on the stack for one title"
)]
pub(crate) enum View<'a> {
    /// Those that the catalogue keeps.
    Kept(&'a Columns<'a>),
    /// Taken from its bytes.
    Made(Columns<'a>),
}

impl<'a> Deref for View<'a> {
    type Target = Columns<'a>;

    #[inline]
    fn deref(&self) -> &Columns<'a> {
        match self {
            View::Kept(columns) => columns,
            View::Made(columns) => columns,
        }
    }
}

/// The columns of bytes that were checked when they were opened.
#[inline(never)]
fn shared<'a>(bytes: &'a Held, parts: &[Range<usize>; SECTIONS]) -> Columns<'a> {
    let bytes = bytes.as_ref();
    let sections = Sections::at(bytes, parts);
    let strings = Strings::Bytes(sections.bytes(Section::StringBytes));
    // bytes that are others at each call hold no records, and nothing is found in them
    Columns::of(&sections, strings, bytes.len()).unwrap_or_default()
}
