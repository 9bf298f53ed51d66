//! What the daily export keeps: its files, who makes it, downloads; and facts of the whole market.

use crate::clock::Moment;
use crate::store::freshness::Freshness;
use crate::store::{Store, StoreError};
use std::time::{Duration, Instant};

/// A file of the daily export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportRow {
    /// Its dataset.
    pub dataset: String,
    /// When it was made, in milliseconds since 1970.
    pub generated: i64,
    /// Its name in the storage.
    pub file: String,
    /// Its size, packed.
    pub bytes: i64,
    /// Its rows, without the header.
    pub records: i64,
}

/// An address of a file of the export that was handed out, without what one needs to use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportAddress {
    /// The SHA-256 of its token.
    pub hash: [u8; 32],
    /// The name of the file.
    pub file: String,
    /// The second, since 1970, from which it no longer holds.
    pub expires: i64,
}

/// Seconds for which an expired address is known as one.
const FORGOTTEN: i64 = 86_400;

/// What is known under a name.
pub(super) const FACT: &str = "SELECT value FROM facts WHERE name = $1";

/// For how long it counts as known, so that health checks cost the database little.
const LATELY: Duration = Duration::from_secs(1);

impl Store {
    /// How fresh the market was within the last second.
    pub async fn freshness_lately(&self) -> Result<Freshness, StoreError> {
        let mut known = self.fresh.lock().await;
        if let Some((at, freshness)) = *known
            && at.elapsed() < LATELY
        {
            return Ok(freshness);
        }
        let freshness = self.freshness().await?;
        *known = Some((Instant::now(), freshness));
        Ok(freshness)
    }

    /// How fresh the market is.
    pub async fn freshness(&self) -> Result<Freshness, StoreError> {
        self.read
            .query(
                "SELECT (SELECT MAX(updated) FROM items) AS newest_price, \
                 (SELECT MIN(generated) FROM exports) AS oldest_export, \
                 (SELECT COUNT(*) FROM review WHERE status = 0) AS review",
            )
            .one(|row| {
                Ok(Freshness {
                    newest_price: row.get("newest_price")?,
                    oldest_export: row.get("oldest_export")?,
                    review: row.get("review")?,
                })
            })
            .await
    }

    /// The current file of a dataset.
    pub async fn export(&self, dataset: &str) -> Result<Option<ExportRow>, StoreError> {
        self.read
            .query(
                "SELECT dataset, generated, file, bytes, records FROM exports WHERE dataset = $1",
            )
            .bind(dataset)
            .optional(|row| {
                Ok(ExportRow {
                    dataset: row.get("dataset")?,
                    generated: row.get("generated")?,
                    file: row.get("file")?,
                    bytes: row.get("bytes")?,
                    records: row.get("records")?,
                })
            })
            .await
    }

    /// Replaces the file of a dataset.
    pub async fn put_export(&self, export: &ExportRow) -> Result<(), StoreError> {
        self.write
            .query(
                "INSERT INTO exports (dataset, generated, file, bytes, records) \
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT (dataset) \
                 DO UPDATE SET generated = excluded.generated, file = excluded.file, \
                 bytes = excluded.bytes, records = excluded.records",
            )
            .bind(export.dataset.as_str())
            .bind(export.generated)
            .bind(export.file.as_str())
            .bind(export.bytes)
            .bind(export.records)
            .execute()
            .await?;
        Ok(())
    }

    /// Claims the export of a day: `false` where another process has it or it is made. A claim from
    /// before `lost_before` that was not finished counts as that of a process that died.
    pub async fn claim_export(
        &self,
        day: i64,
        now: Moment,
        lost_before: Moment,
    ) -> Result<bool, StoreError> {
        let claimed = self
            .write
            .query(
                "UPDATE export_run SET day = $1, claimed = $2, finished = 0 WHERE id = 1 \
                 AND (day < $1 OR (finished = 0 AND claimed < $3))",
            )
            .bind(day)
            .bind(now.millis())
            .bind(lost_before.millis())
            .execute()
            .await?;
        Ok(claimed > 0)
    }

    /// The export of the day is made.
    pub async fn finish_export(&self, day: i64) -> Result<(), StoreError> {
        self.write
            .query("UPDATE export_run SET finished = 1 WHERE id = 1 AND day = $1")
            .bind(day)
            .execute()
            .await?;
        Ok(())
    }

    /// The export of the day could not be made: another process, or this one later, may claim it.
    pub async fn release_export(&self, day: i64) -> Result<(), StoreError> {
        self.write
            .query(
                "UPDATE export_run SET day = day - 1, finished = 1 WHERE id = 1 AND day = $1 \
                 AND finished = 0",
            )
            .bind(day)
            .execute()
            .await?;
        Ok(())
    }

    /// Whether the export of the day is made.
    pub async fn export_is_made(&self, day: i64) -> Result<bool, StoreError> {
        let (of, finished): (i64, i64) = self
            .read
            .query("SELECT day, finished FROM export_run WHERE id = 1")
            .one(|row| Ok((row.get("day")?, row.get("finished")?)))
            .await?;
        Ok(of > day || of == day && finished == 1)
    }

    /// Where there was no export yet, the first is the one after this day's.
    pub async fn begin_exports(&self, day: i64) -> Result<(), StoreError> {
        self.write
            .query("UPDATE export_run SET day = $1 WHERE id = 1 AND day = 0")
            .bind(day)
            .execute()
            .await?;
        Ok(())
    }

    /// The downloads that an account has taken on a day.
    pub async fn downloads_taken(&self, account: i64, day: i64) -> Result<i64, StoreError> {
        let count = self
            .read
            .query("SELECT count FROM export_downloads WHERE account = $1 AND day = $2")
            .bind(account)
            .bind(day)
            .optional(|row| row.get("count"))
            .await?;
        Ok(count.unwrap_or(0))
    }

    /// Counts a download of an account on a day, up to `most`, and keeps the address that is handed
    /// out for it: the count with it, `None` where it is not allowed.
    pub async fn take_download(
        &self,
        account: i64,
        day: i64,
        most: i64,
        address: Option<&ExportAddress>,
    ) -> Result<Option<i64>, StoreError> {
        let mut change = self.write.begin().await?;
        let count = change
            .query(
                "INSERT INTO export_downloads (account, day, count) VALUES ($1, $2, 1) \
                 ON CONFLICT (account, day) DO UPDATE SET count = export_downloads.count + 1 \
                 WHERE export_downloads.count < $3 RETURNING count",
            )
            .bind(account)
            .bind(day)
            .bind(most)
            .optional(|row| row.get("count"))
            .await?;
        if let (Some(_), Some(address)) = (count, address) {
            change
                .query("DELETE FROM export_addresses WHERE expires < $1")
                .bind(address.expires - FORGOTTEN)
                .execute()
                .await?;
            change
                .query("INSERT INTO export_addresses (hash, file, expires) VALUES ($1, $2, $3)")
                .bind(&address.hash[..])
                .bind(address.file.as_str())
                .bind(address.expires)
                .execute()
                .await?;
        }
        change.commit().await?;
        Ok(count)
    }

    /// The address that was handed out with this hash: its file, and when it expires.
    pub async fn export_address(
        &self,
        hash: &[u8; 32],
    ) -> Result<Option<(String, i64)>, StoreError> {
        self.read
            .query("SELECT file, expires FROM export_addresses WHERE hash = $1")
            .bind(&hash[..])
            .optional(|row| Ok((row.get("file")?, row.get("expires")?)))
            .await
    }

    /// What is known of the whole market under a name: `catalogue`, `synthetic`.
    pub async fn fact(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.read
            .query(FACT)
            .bind(name)
            .optional(|row| row.get("value"))
            .await
    }
}
