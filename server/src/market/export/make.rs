//! [`export`]: makes one dataset, page by page.

use super::dataset::Dataset;
use super::error::ExportError;
use super::files::part_name;
use super::rows::Dump;
use super::storage::Storage;
use crate::clock::Moment;
use crate::store::Store;
use crate::store::market::ExportRow;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{DirBuilder, File};
use std::io::{BufWriter, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// Items of a page.
const PAGE: i64 = 4_096;

/// Makes a dataset of the store as of `now` and replaces the previous one. A caller gets either the
/// whole old file or the new one.
///
/// # Errors
/// If it cannot be made. The previous one stays.
pub async fn export(
    store: &Store,
    storage: &Storage,
    dataset: Dataset,
    now: Moment,
) -> Result<ExportRow, ExportError> {
    let file = format!("{}-{}.csv.gz", dataset.name(), now.millis());
    let folder = storage.folder();
    // for their owner alone, whatever the umask
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| ExportError::File(folder.to_owned(), error))?;
    let part = folder.join(part_name(&file));
    let written = write(store, storage, dataset, now, &part).await;
    let put = match written {
        Ok((records, bytes)) => storage
            .put(&part, &file, now)
            .await
            .map(|()| (records, bytes)),
        Err(error) => Err(error),
    };
    if put.is_err() {
        storage.failed();
        let _ = std::fs::remove_file(&part);
    }
    let (records, bytes) = put?;
    let before = store.export(dataset.name()).await?;
    let row = ExportRow {
        dataset: dataset.name().to_owned(),
        generated: now.millis(),
        file,
        bytes,
        records,
    };
    store.put_export(&row).await?;
    storage
        .sweep(
            dataset,
            [
                Some(row.file.as_str()),
                before.as_ref().map(|before| before.file.as_str()),
            ],
            now,
        )
        .await;
    Ok(row)
}

/// Writes the rows of a dataset to a new file. Returns the number of rows and of bytes.
async fn write(
    store: &Store,
    storage: &Storage,
    dataset: Dataset,
    now: Moment,
    path: &Path,
) -> Result<(i64, i64), ExportError> {
    let failed = |error| ExportError::File(path.to_owned(), error);
    let file = File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .map_err(failed)?;
    let packed = GzEncoder::new(BufWriter::new(file), Compression::default());
    let mut dump = Dump::begin(dataset, packed, storage.csv_safe()).map_err(failed)?;
    let last = store.last_item().await?;
    let mut after = 0;
    while after < last {
        dump.page(store, after, after + PAGE, now)
            .await?
            .map_err(failed)?;
        after += PAGE;
        // let other requests run
        tokio::task::yield_now().await;
    }
    let (records, packed) = dump.finish().map_err(failed)?;
    let mut file = packed.finish().map_err(failed)?;
    file.flush().map_err(failed)?;
    let file = file
        .into_inner()
        .map_err(|error| failed(error.into_error()))?;
    file.sync_all().map_err(failed)?;
    let bytes = file.metadata().map_err(failed)?.len();
    Ok((records, i64::try_from(bytes).unwrap_or(i64::MAX)))
}
