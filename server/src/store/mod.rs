//! [`Store`]: accounts, keys, usage and the market in SQLite or PostgreSQL.
//!
//! Each statement is written once, in the method that runs it. What differs between the databases
//! is in `sql` (places and words of a statement), `connect` (pools) and `migrations` (types).

mod accounts;
mod bulk;
mod connect;
pub mod market;
mod migrations;
mod sql;
mod usage;

pub use accounts::{AccountRow, Changes, KeyMade, KeyRow, KeyToStore};
use connect::Pools;
use sql::Pool;
use std::fmt;
use std::sync::Arc;
pub use usage::{GiveBack, Lease, LeaseRequest, UsageRow};

/// Why something could not be stored or read.
#[derive(Debug)]
pub enum StoreError {
    /// The address names no database that is spoken here.
    Address(String),
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
            Self::Address(_) => None,
            Self::Database(error) => Some(error),
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

/// Accounts, keys, usage and the market in one of the two databases.
///
/// Every method that runs a statement fails where the database does.
#[derive(Clone, Debug)]
pub struct Store {
    write: Pool,
    read: Pool,
    /// [`usage::LEASE`] and [`usage::GIVE_BACK`] in the words of the database.
    lease: Arc<str>,
    give_back: Arc<str>,
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
