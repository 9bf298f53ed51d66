//! [`Store`]: the handle of an open database.

use super::connect::{self, Pools};
use super::error::StoreError;
use super::freshness::Freshness;
use super::sql::Pool;
use super::usage;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// For how long a database that was written counts as one that can be.
const PROBED: Duration = Duration::from_secs(1);
/// How long a probe waits for others that write.
const BUSY: Duration = Duration::from_secs(1);

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
    /// When the database was last found to be writable.
    written: Arc<Mutex<Option<Instant>>>,
    /// How fresh the market was lately.
    pub(super) fresh: Arc<Mutex<Option<(Instant, Freshness)>>>,
    /// What befalls its statements in a test.
    #[cfg(test)]
    pub(crate) faults: super::faults::Faults,
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
                match file_of(address) {
                    Some(file) => connect::sqlite(file).await?,
                    None => return Err(StoreError::Address(address.to_owned())),
                }
            };
        let dialect = write.dialect();
        let store = Self {
            lease: dialect.words(usage::LEASE),
            give_back: dialect.words(usage::GIVE_BACK),
            write,
            read,
            written: Arc::default(),
            fresh: Arc::default(),
            #[cfg(test)]
            faults: super::faults::Faults::default(),
        };
        store.fold_older_rows().await?;
        Ok(store)
    }

    /// As [`Store::open`], of a database that is there: a file that is missing is not made.
    ///
    /// # Errors
    /// As [`Store::open`]; and where the file is missing.
    pub async fn open_existing(address: &str) -> Result<Self, StoreError> {
        if let Some(file) = file_of(address).filter(|file| !Path::new(file).exists()) {
            return Err(StoreError::Missing(file.to_owned()));
        }
        Self::open(address).await
    }

    /// The same database, with faults of its own.
    #[cfg(test)]
    pub(crate) fn with_own_faults(&self) -> Self {
        Self {
            faults: super::faults::Faults::default(),
            ..self.clone()
        }
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

    /// Whether the database can be written, tried at most once a second. One that is busy with
    /// another's writing counts as one that can.
    ///
    /// # Errors
    /// Where it cannot: its disk is full, or it is read-only.
    pub async fn probe(&self) -> Result<(), StoreError> {
        let Ok(mut written) = self.written.try_lock() else {
            return Ok(());
        };
        if written.is_some_and(|at| at.elapsed() < PROBED) {
            return Ok(());
        }
        let write = self
            .write
            .query("UPDATE probe SET writes = writes + 1 WHERE id = 1")
            .execute();
        if let Ok(done) = tokio::time::timeout(BUSY, write).await {
            *written = None;
            done?;
        }
        *written = Some(Instant::now());
        Ok(())
    }

    /// Ends all connections.
    pub async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }
}

/// The file that an address names.
fn file_of(address: &str) -> Option<&str> {
    let file = address.strip_prefix("sqlite:")?;
    Some(file.strip_prefix("//").unwrap_or(file)).filter(|file| !file.is_empty())
}
