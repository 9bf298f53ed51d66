//! [`Store`]: the handle of an open database.

use super::connect::{self, Pools};
use super::error::StoreError;
use super::sql::Pool;
use super::usage;
use std::sync::Arc;

/// Accounts, keys, usage and the market in one of the two databases.
///
/// Every method that runs a statement fails where the database does.
#[derive(Clone, Debug)]
pub struct Store {
    pub(super) write: Pool,
    pub(super) read: Pool,
    /// [`usage::LEASE`] and [`usage::GIVE_BACK`] in the words of the database.
    pub(super) lease: Arc<str>,
    pub(super) give_back: Arc<str>,
}

impl Store {
    /// Opens the database at `address` (`sqlite:FILE`, `postgres://…`), creates it where it is a
    /// file that is missing, and brings it to the form of this build.
    ///
    /// # Errors
    /// Where the address names no database, the database does not answer, or it was written by a
    /// newer version.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        let Pools { write, read } =
            if address.starts_with("postgres:") || address.starts_with("postgresql:") {
                connect::postgres(address).await?
            } else {
                match address.strip_prefix("sqlite:") {
                    Some(file) if !file.is_empty() => {
                        connect::sqlite(file.strip_prefix("//").unwrap_or(file)).await?
                    }
                    _ => return Err(StoreError::Address(address.to_owned())),
                }
            };
        let dialect = write.dialect();
        Ok(Self {
            lease: dialect.words(usage::LEASE),
            give_back: dialect.words(usage::GIVE_BACK),
            write,
            read,
        })
    }

    /// How many statements failed.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.write.errors()
    }

    /// The kind of database, for logs: an address may hold a password.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.write.dialect().name()
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// Where it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.read.query("SELECT 1").execute().await.map(drop)
    }

    /// Ends all connections.
    pub async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }
}
