//! SQLite: one file beside the process, one connection that writes, several that read.

use super::StoreError;
use super::queries::{lease_statement, queries};
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use std::time::Duration;

/// How long a writer waits for one in another process.
const BUSY: Duration = Duration::from_secs(10);
/// Connections that read.
const READERS: u32 = 4;

/// A database in a file.
#[derive(Clone, Debug)]
pub(super) struct Sqlite {
    pub(super) write: SqlitePool,
    pub(super) read: SqlitePool,
}

impl Sqlite {
    /// Opens the file, makes it where it is not there, and brings it to the form of this build.
    pub(super) async fn open(file: &str) -> Result<Self, StoreError> {
        // What is committed outlives the death of the process. `NORMAL` does not wait for the disk at each commit: a computer that loses
        // power may lose the last of them, and stays consistent.
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Normal)
            .foreign_keys(true)
            .busy_timeout(BUSY);
        let write = SqlitePoolOptions::new()
            .max_connections(1)
            .connect_with(options.clone())
            .await?;
        sqlx::migrate!("./migrations/sqlite").run(&write).await?;
        let read = SqlitePoolOptions::new()
            .max_connections(READERS)
            .connect_with(options.read_only(true))
            .await?;
        Ok(Self { write, read })
    }
}

queries!(Sqlite, lease_statement!("MIN", "MAX"), "MAX");
