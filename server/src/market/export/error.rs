//! [`ExportError`]: why an export was not made.

use super::bucket::BucketError;
use crate::store::StoreError;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why an export was not made.
#[derive(Debug)]
pub enum ExportError {
    /// The database.
    Store(StoreError),
    /// A file could not be written.
    File(PathBuf, io::Error),
    /// A bucket, by its address, did not take the file.
    Bucket(String, BucketError),
}

impl fmt::Display for ExportError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(out),
            Self::File(path, _) => write!(
                out,
                "cannot write {}: check the folder of [exports] and its permissions",
                path.display()
            ),
            Self::Bucket(bucket, error) => {
                write!(out, "the file could not be put into {bucket}: {error}")
            }
        }
    }
}

impl std::error::Error for ExportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Store(error) => error.source(),
            Self::File(_, error) => Some(error),
            Self::Bucket(_, error) => error.source(),
        }
    }
}

impl From<StoreError> for ExportError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
