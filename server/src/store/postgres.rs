//! PostgreSQL: a server that several processes may share.

use super::StoreError;
use super::queries::{lease_statement, queries};
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use std::time::Duration;

/// Connections of one process.
const CONNECTIONS: u32 = 8;
/// How long a request waits for one of them.
const WAIT: Duration = Duration::from_secs(5);

/// A database on a server.
#[derive(Clone, Debug)]
pub(super) struct Postgres {
    pub(super) write: PgPool,
    pub(super) read: PgPool,
}

impl Postgres {
    /// Connects, and brings the database to the form of this build.
    pub(super) async fn open(address: &str) -> Result<Self, StoreError> {
        let write = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(WAIT)
            .connect(address)
            .await?;
        sqlx::migrate!("./migrations/postgres").run(&write).await?;
        Ok(Self {
            read: write.clone(),
            write,
        })
    }
}

queries!(Postgres, lease_statement!("LEAST", "GREATEST"), "GREATEST");
