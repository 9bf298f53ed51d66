//! [`FileError`]: why a file was not imported.

use crate::store::StoreError;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a file was not imported. Nothing of it was kept.
///
/// [`FileError::about`] makes a sentence of it that names the file.
#[derive(Debug)]
pub enum FileError {
    /// It has more bytes or rows than are read; what follows its name.
    TooLarge(String),
    /// What it has is not understood; what follows its name.
    Refused(String),
    /// A parameter of the import is wrong; a sentence.
    Parameter(String),
    /// It could not be read.
    Read(io::Error),
    /// The file of its wrong rows could not be written.
    Write(PathBuf, io::Error),
    /// The database.
    Store(StoreError),
}

impl FileError {
    /// The error of the file that is called `name`.
    #[must_use]
    pub fn about(&self, name: &str) -> String {
        match self {
            Self::TooLarge(what) => format!("cannot read {name}: it {what}"),
            Self::Refused(what) => format!("{name} {what}"),
            Self::Parameter(sentence) => sentence.clone(),
            Self::Read(error) => {
                format!("cannot read {name}: {error}: check the path and its permissions")
            }
            Self::Write(path, error) => format!(
                "cannot write {}: {error}: check the folder's permissions and room",
                path.display()
            ),
            Self::Store(error) => error.to_string(),
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.about("the file"))
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Store(error) => error.source(),
            _ => None,
        }
    }
}

impl From<StoreError> for FileError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
