//! [`Error`]: an error of opening or building a catalogue. Reading a title has no error.

use std::fmt;

/// The reason why a catalogue could not be opened or built.
///
/// The message says what was met, what was expected and what to do; [`Error::kind`] is for
/// programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: Box<str>,
}

/// The kind of an [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes are not a titledex index.
    NotAnIndex,
    /// The index was written by another format version.
    Version,
    /// The index is cut short or altered.
    Corrupt,
    /// A row of the catalogue's source cannot be read; the message names line and column.
    Row,
    /// Two rows claim the same key.
    Duplicate,
    /// A dictionary file contradicts itself; the message names file and line.
    Dictionary,
    /// The source lacks a column or is in another encoding.
    Source,
    /// The catalogue has more of something than an index has numbers for.
    TooLarge,
}

impl Error {
    /// An error of `kind` with the sentence that users read.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into().into_boxed_str(),
        }
    }

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
