//! [`run`]: the steps of a day at once: the files of a folder are imported, then the exports are
//! made. Statistics are computed when they are asked for, so they are never behind.

use crate::catalogue::Reader;
use crate::clock::Clock;
use crate::config::Settings;
use crate::market::export::storage::Storage;
use crate::market::export::{Dataset, export};
use crate::market::intake::Intake;
use crate::market::intake::watch::Watch;
use crate::market::seed_store::seed_store;
use crate::run::RunError;
use crate::serve::StartError;
use crate::store::Store;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// What was done.
#[derive(Debug)]
pub struct Refreshed {
    /// The files and the exports, one object each.
    pub lines: Vec<Value>,
    /// Files that were not imported.
    pub failed: usize,
    /// Rows of the others that were wrong.
    pub wrong: u64,
}

/// Imports the files of `folder`, if there is one, and makes the exports.
///
/// # Errors
/// If the database, the catalogue, the folder or an export fails.
pub fn run(settings: &Settings, folder: Option<&Path>) -> Result<Refreshed, RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(RunError::Runtime)?;
    runtime.block_on(async {
        let store = Store::open_existing(&settings.database).await?;
        let done = refresh(settings, &store, folder).await;
        store.close().await;
        done
    })
}

async fn refresh(
    settings: &Settings,
    store: &Store,
    folder: Option<&Path>,
) -> Result<Refreshed, RunError> {
    let mut refreshed = Refreshed {
        lines: Vec::new(),
        failed: 0,
        wrong: 0,
    };
    if let Some(folder) = folder {
        let reader = Reader::open(settings.catalogue.clone(), &settings.games)
            .map_err(|error| RunError::Start(StartError::Catalogue(error)))?;
        if settings.market.fill {
            seed_store(store, &reader.now()).await?;
        }
        let intake = Intake::new(settings, store, Arc::new(reader), Clock::System)
            .map_err(|_| RunError::Random)?;
        let watch = Arc::new(Watch::new(intake, folder));
        let round = watch.once().await;
        for (name, why) in &round.refused {
            let line = json!({"name": name, "outcome": "refused", "reason": why});
            refreshed.lines.push(line);
        }
        refreshed.failed += round.refused.len() + round.stay.len() + round.left;
        for summary in &round.taken {
            refreshed.failed += usize::from(summary.right == 0 && summary.import.is_none());
            refreshed.wrong += summary.wrong;
            refreshed
                .lines
                .push(serde_json::to_value(summary).unwrap_or_default());
        }
        if round.failed {
            return Err(RunError::Refused(format!(
                "the files of {} could not be imported: {}",
                folder.display(),
                watch.complaint()
            )));
        }
    }
    let storage = Storage::new(&settings.exports.storage, store);
    for dataset in Dataset::ALL {
        let row = export(store, &storage, dataset, Clock::System.now())
            .await
            .map_err(RunError::Export)?;
        refreshed.lines.push(json!({"dataset": row.dataset, "file": row.file, "records": row.records, "bytes": row.bytes}));
    }
    Ok(refreshed)
}
