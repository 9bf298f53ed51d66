//! [`StoreError`]: why something could not be stored or read.

use std::fmt;

/// Why something could not be stored or read.
#[derive(Debug)]
pub enum StoreError {
    /// The address names no database that is spoken here.
    Address(String),
    /// The file is missing, and the task does not make one.
    Missing(String),
    /// The file cannot be the database, for the reason in this sentence, and what the system said.
    File(String, Option<sqlx::Error>),
    /// The database did not do what it was asked.
    Database(sqlx::Error),
    /// The database could not be brought to the form of this build.
    Migration(sqlx::migrate::MigrateError),
    /// A price history in it cannot be read.
    Damaged(crate::market::history::Damaged),
}

impl fmt::Display for StoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => {
                write!(out, "--database {address}: write sqlite:FILE or postgres://USER@HOST/DATABASE")
            }
            Self::Missing(file) => {
                write!(out, "there is no database {file}: check --database, or start the service once to make it")
            }
            Self::File(reason, _) => out.write_str(reason),
            Self::Database(_) => out.write_str("the database did not answer as it should: see that it runs and that its address is right"),
            Self::Migration(_) => out.write_str(
                "the database could not be brought to the form of this version: start the version that wrote it, or a newer one",
            ),
            Self::Damaged(_) => out.write_str("a price history in the database is damaged"),
        }
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Address(_) | Self::Missing(_) | Self::File(_, None) => None,
            Self::File(_, Some(error)) | Self::Database(error) => Some(error),
            Self::Migration(error) => Some(error),
            Self::Damaged(error) => Some(error),
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        Self::Migration(error)
    }
}
