//! The daily export: four datasets as gzip-packed CSV, made of the store page by page, put where they are fetched by signed addresses.

pub mod bucket;
pub mod daily;
mod rows;
pub mod storage;

use crate::clock::Moment;
use crate::store::market::ExportRow;
use crate::store::{Store, StoreError};
use bucket::BucketError;
use flate2::Compression;
use flate2::write::GzEncoder;
use rows::Dump;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use storage::Storage;

/// Items of a page.
const PAGE: i64 = 4_096;

/// A dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dataset {
    /// Printings of cards with their prices.
    Cards,
    /// Sealed products with their prices.
    Sealed,
    /// Graded sales, summed up.
    Auction,
    /// Populations by grader.
    Population,
}

impl Dataset {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Cards, Self::Sealed, Self::Auction, Self::Population];

    /// Its name: `cards`, `sealed`, `auction`, `population`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cards => "cards",
            Self::Sealed => "sealed",
            Self::Auction => "auction",
            Self::Population => "population",
        }
    }

    /// The dataset of a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dataset| dataset.name() == name)
    }
}

/// Why an export was not made.
#[derive(Debug)]
pub enum ExportError {
    /// The database.
    Store(StoreError),
    /// A file could not be written.
    File(PathBuf, io::Error),
    /// A bucket, by its address, did not take the file.
    Bucket(String, BucketError),
}

impl fmt::Display for ExportError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(out),
            Self::File(path, _) => write!(
                out,
                "cannot write {}: check the folder of [exports] and its permissions",
                path.display()
            ),
            Self::Bucket(bucket, error) => {
                write!(out, "the file could not be put into {bucket}: {error}")
            }
        }
    }
}

impl std::error::Error for ExportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Store(error) => error.source(),
            Self::File(_, error) => Some(error),
            Self::Bucket(_, error) => error.source(),
        }
    }
}

impl From<StoreError> for ExportError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Makes a dataset of the store as it is at `now`, and puts it in the place of the one before: whoever asks gets the old file whole or
/// the new one.
///
/// # Errors
/// Where it cannot be made: the one before stays.
pub async fn export(
    store: &Store,
    storage: &Storage,
    dataset: Dataset,
    now: Moment,
) -> Result<ExportRow, ExportError> {
    let file = format!("{}-{}.csv.gz", dataset.name(), now.millis());
    let folder = storage.folder();
    std::fs::create_dir_all(folder).map_err(|error| ExportError::File(folder.to_owned(), error))?;
    let part = folder.join(format!(".{file}.{}.part", std::process::id()));
    let written = write(store, dataset, now, &part).await;
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

/// Writes the rows of a dataset to a file that must not be there; tells how many there are, and its bytes.
async fn write(
    store: &Store,
    dataset: Dataset,
    now: Moment,
    path: &Path,
) -> Result<(i64, i64), ExportError> {
    let failed = |error| ExportError::File(path.to_owned(), error);
    let file = File::create_new(path).map_err(failed)?;
    let packed = GzEncoder::new(BufWriter::new(file), Compression::default());
    let mut dump = Dump::begin(dataset, packed).map_err(failed)?;
    let last = store.last_item().await?;
    let mut after = 0;
    while after < last {
        dump.page(store, after, after + PAGE, now)
            .await?
            .map_err(failed)?;
        after += PAGE;
        // others run too
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
