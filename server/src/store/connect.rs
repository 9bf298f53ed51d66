//! Opens a database: SQLite with one connection that writes and several that read, PostgreSQL with
//! one pool for both.

use super::error::StoreError;
use super::file::{self, OpenFile};
use super::migrations;
use super::sql::{Dialect, Pool};
use sqlx::Connection;
use sqlx::postgres::PgPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use std::sync::Arc;
use std::time::Duration;

/// How long a writer of a file waits for one in another process.
const BUSY: Duration = Duration::from_secs(10);
/// Connections that read a file.
const READERS: u32 = 4;
/// Connections of one process to a server.
const CONNECTIONS: u32 = 8;
/// Rows of a file that wait for their reader. Where they are few, reader and file wake each other
/// for every handful.
const ROWS: usize = 1_024;
/// How long a request waits for one of them.
const WAIT: Duration = Duration::from_secs(5);

/// The connections of a store.
pub(super) struct Pools {
    /// For statements that change something.
    pub(super) write: Pool,
    /// For those that only read.
    pub(super) read: Pool,
}

/// Opens a file, creates it where it is missing, and brings it to the form of this build.
pub(super) async fn sqlite(file: &str) -> Result<Pools, StoreError> {
    // What is committed outlives the death of the process. `NORMAL` does not wait for the disk at
    // each commit: a computer that loses power may lose the last of them, and stays consistent.
    file::create(file)?;
    let opened = OpenFile::at(file).map_err(|error| file::refused(file, error.into()))?;
    let opened = Arc::new(opened);
    // a file that is deleted later is not made anew
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(false)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .foreign_keys(true)
        .row_buffer_size(ROWS)
        .busy_timeout(BUSY);
    // SQLite may undo a transaction by itself where a commit fails, as on a full disk. Then sqlx
    // still counts it as open, and what comes next lies in a transaction that nothing commits. Such
    // a connection is closed.
    let write = SqlitePoolOptions::new()
        .max_connections(1)
        .after_release(|connection, _| {
            Box::pin(async move {
                if connection.is_in_transaction() {
                    // until the rollback that dropping it has begun is done
                    connection.ping().await?;
                }
                Ok(!connection.is_in_transaction())
            })
        })
        .connect_with(options.clone())
        .await
        .map_err(|error| file::refused(file, error))?;
    file::warn_of_mode(file);
    migrations::of(Dialect::Sqlite).run(&write).await?;
    let read = SqlitePoolOptions::new()
        .max_connections(READERS)
        .connect_with(options.read_only(true))
        .await?;
    let errors = Arc::default();
    Ok(Pools {
        write: Pool::sqlite(write, Arc::clone(&errors), Arc::clone(&opened)),
        read: Pool::sqlite(read, errors, opened),
    })
}

/// Connects to a server, and brings the database to the form of this build.
pub(super) async fn postgres(address: &str) -> Result<Pools, StoreError> {
    let pool = PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(WAIT)
        .connect(address)
        .await?;
    migrations::of(Dialect::Postgres).run(&pool).await?;
    let pool = Pool::postgres(pool, Arc::default());
    Ok(Pools {
        read: pool.clone(),
        write: pool,
    })
}
