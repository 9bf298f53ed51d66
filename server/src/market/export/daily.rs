//! Makes all exports every day at 06:00 UTC, in one of the processes that share a database.

use super::dataset::Dataset;
use super::make::export;
use super::storage::Storage;
use crate::clock::{Clock, Moment};
use crate::market::intake::watch::Watch;
use crate::store::{Store, StoreError};
use std::sync::Arc;
use std::time::Duration;

/// The time of the export, in milliseconds since midnight UTC.
const HOUR: i64 = 6 * 3_600_000;
/// How often the clock is read.
const LOOK: Duration = Duration::from_millis(250);
/// After this time, an unfinished claim counts as that of a process that died.
const LOST: i64 = 30 * 60_000;
/// The delay before a retry after a failure of the database or the storage. It doubles each time.
const AGAIN: Duration = Duration::from_secs(10);
const AGAIN_AT_MOST: Duration = Duration::from_secs(600);

/// The day whose export is due: today from 06:00 on, yesterday before that.
fn due(now: Moment) -> i64 {
    Moment::from_millis(now.millis() - HOUR).day()
}

/// Schedules the first export for the next 06:00, if there was none before.
///
/// # Errors
/// If the database fails.
pub async fn begin(store: &Store, clock: &Clock) -> Result<(), StoreError> {
    store.begin_exports(due(clock.now())).await
}

/// Makes exports when they are due, for as long as the service runs. A service that was down at
/// 06:00 makes them when it is back. What is complete in a watched folder is imported before.
pub async fn keep(store: Store, storage: Storage, clock: Clock, watch: Option<Arc<Watch>>) {
    let (mut made, mut again) = (None, AGAIN);
    loop {
        let now = clock.now();
        let day = due(now);
        if made == Some(day) {
            tokio::time::sleep(LOOK).await;
            continue;
        }
        if let Some(watch) = &watch {
            watch.drain().await;
        }
        match step(&store, &storage, &clock, day).await {
            // made, here or elsewhere
            Ok(true) => (made, again) = (Some(day), AGAIN),
            // another process has claimed it, and may have died
            Ok(false) => tokio::time::sleep(LOOK).await,
            Err(()) => {
                tokio::time::sleep(again).await;
                again = (again * 2).min(AGAIN_AT_MOST);
            }
        }
    }
}

/// Makes the exports of a day, unless another process does. Returns whether they are made.
async fn step(store: &Store, storage: &Storage, clock: &Clock, day: i64) -> Result<bool, ()> {
    let failed = |error: StoreError| tracing::warn!(%error, "the state of the exports could not be read or written: tried again");
    let now = clock.now();
    if !store
        .claim_export(day, now, Moment::from_millis(now.millis() - LOST))
        .await
        .map_err(failed)?
    {
        return store.export_is_made(day).await.map_err(failed);
    }
    for dataset in Dataset::ALL {
        match export(store, storage, dataset, clock.now()).await {
            Ok(row) => tracing::info!(
                dataset = row.dataset,
                records = row.records,
                bytes = row.bytes,
                "exported"
            ),
            Err(error) => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                tracing::error!(%error, cause, dataset = dataset.name(), "the export failed: tried again");
                store.release_export(day).await.map_err(failed)?;
                return Err(());
            }
        }
    }
    store.finish_export(day).await.map_err(failed)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::{Moment, due};

    #[test]
    fn export_day_begins_at_six() {
        assert_eq!(due(Moment::from_millis(86_400_000 + 6 * 3_600_000)), 1);
        assert_eq!(due(Moment::from_millis(86_400_000 + 6 * 3_600_000 - 1)), 0);
    }
}
