//! Which process imports files for the service, and what was imported already.

use super::load::Loader;
use crate::clock::Moment;
use crate::store::audit::{self, Deed};
use crate::store::sql::Row;
use crate::store::{Store, StoreError};

/// For how long receipts are kept, in milliseconds: thirty days, as an import can be undone.
const KEPT: i64 = 30 * 86_400_000;

/// The receipt of an import: it was made, and not undone since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptRow {
    /// The digest of what was imported.
    pub digest: Vec<u8>,
    /// What was answered, as JSON.
    pub summary: String,
}

/// An import that was undone counts as never made.
const RECEIPT: &str = "SELECT r.digest AS digest, r.summary AS summary FROM import_receipts r \
                       JOIN imports i ON i.id = r.import WHERE r.name = $1 AND i.undone IS NULL";

fn read(row: Row<'_>) -> Result<ReceiptRow, sqlx::Error> {
    Ok(ReceiptRow {
        digest: row.get("digest")?,
        summary: row.get("summary")?,
    })
}

impl Store {
    /// When the lease of another process that imports ends, if there is one. It waits for no
    /// writer.
    pub async fn import_runs(&self, holder: &str, now: Moment) -> Result<Option<i64>, StoreError> {
        self.read
            .query("SELECT ends FROM import_run WHERE id = 1 AND holder <> $1 AND ends > $2")
            .bind(holder)
            .bind(now.millis())
            .optional(|row| row.get("ends"))
            .await
    }

    /// Leases the place of the one that imports, or renews the lease: `false` where another process
    /// has it.
    pub async fn lease_import(
        &self,
        holder: &str,
        now: Moment,
        ends: Moment,
    ) -> Result<bool, StoreError> {
        let leased = self
            .write
            .query(
                "UPDATE import_run SET holder = $1, ends = $2 WHERE id = 1 \
                 AND (holder = $1 OR ends <= $3)",
            )
            .bind(holder)
            .bind(ends.millis())
            .bind(now.millis())
            .execute()
            .await?;
        Ok(leased > 0)
    }

    /// Gives the lease back.
    pub async fn end_import_lease(&self, holder: &str) -> Result<(), StoreError> {
        self.write
            .query("UPDATE import_run SET ends = 0 WHERE id = 1 AND holder = $1")
            .bind(holder)
            .execute()
            .await?;
        Ok(())
    }

    /// The receipt of this name.
    pub async fn receipt(&self, name: &str) -> Result<Option<ReceiptRow>, StoreError> {
        self.read.query(RECEIPT).bind(name).optional(read).await
    }
}

impl Loader {
    /// The receipt of this name, as the transaction sees it.
    pub async fn receipt(&mut self, name: &str) -> Result<Option<ReceiptRow>, StoreError> {
        self.transaction
            .query(RECEIPT)
            .bind(name)
            .optional(read)
            .await
    }

    /// Keeps a receipt of this import, and forgets old ones.
    pub async fn put_receipt(
        &mut self,
        name: &str,
        digest: &[u8],
        summary: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        self.transaction
            .query("DELETE FROM import_receipts WHERE made < $1")
            .bind(now - KEPT)
            .execute()
            .await?;
        self.transaction
            .query(
                "INSERT INTO import_receipts (name, digest, import, made, summary) \
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO UPDATE SET \
                 digest = excluded.digest, import = excluded.import, made = excluded.made, \
                 summary = excluded.summary",
            )
            .bind(name)
            .bind(digest)
            .bind(self.change)
            .bind(now)
            .bind(summary)
            .execute()
            .await?;
        Ok(())
    }

    /// Records who asked for the import.
    pub async fn record(&mut self, deed: Deed<'_>, now: i64) -> Result<(), StoreError> {
        audit::record(&mut self.transaction, deed, Moment::from_millis(now)).await
    }
}
