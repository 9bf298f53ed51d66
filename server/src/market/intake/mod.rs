//! [`Intake`]: the imports that the service makes by itself, of files that are sent to it or lie in
//! a watched folder.
//!
//! One runs at a time, on any process that shares the database: a lease in the database says whose
//! turn it is. That a file is imported once does not rest on the lease: its receipt is written in
//! the transaction of the import.

mod folder;
pub mod watch;

use crate::catalogue::Reader;
use crate::clock::{Clock, Moment};
use crate::config::{Imports, Market, Settings};
use crate::market::load::loading::File as Loading;
use crate::market::load::rejected::Rejected;
use crate::market::load::summary::{Outcome, Summary};
use crate::market::load::table::{Bounds, Input, Renamed, Table, Words};
use crate::market::load::{FileError, Import, Kind, Matching, Receipt};
use crate::metrics::Figure;
use crate::store::{Store, StoreError};
use flate2::read::MultiGzDecoder;
use folder::Stamp;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use titledex_command::source::Kind as Format;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use tokio::task::JoinHandle;

/// For how long a lease holds, in milliseconds, and how often it is renewed.
const LEASE: i64 = 60_000;
const RENEW: Duration = Duration::from_secs(15);
/// Bodies that may arrive at once.
const ARRIVING: usize = 4;
/// A match of a sold listing below this, in ten-thousandths, goes to review.
pub const CONFIDENCE: i64 = 9_500;

/// How a file is imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Keep nothing of a file that has a wrong row.
    pub strict: bool,
    /// Check only.
    pub dry: bool,
    /// Ignore unknown columns.
    pub lax: bool,
    /// Columns that the file calls otherwise.
    pub map: Vec<Renamed>,
    /// A match of a sold listing below this, in ten-thousandths, goes to review.
    pub confidence: i64,
    /// The source of prices whose rows name none, and whose ids those of sales are.
    pub source: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            strict: false,
            dry: false,
            lax: false,
            map: Vec::new(),
            confidence: CONFIDENCE,
            source: None,
        }
    }
}

/// A file to import.
#[derive(Debug)]
pub struct Job {
    /// What it holds.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// How its rows are written.
    pub format: Format,
    /// How it is imported.
    pub options: Options,
    /// By what it is known if it comes again. A dry run leaves none.
    pub receipt: Receipt,
    /// What settings are called.
    pub words: Words,
    /// Where its wrong rows are written.
    pub rejected: Option<PathBuf>,
    /// What the file is while it is not changed.
    stamp: Option<Stamp>,
}

impl Job {
    /// A file that nobody else can change.
    #[must_use]
    pub fn new(
        kind: Kind,
        format: Format,
        name: String,
        options: Options,
        receipt: Receipt,
    ) -> Self {
        Self {
            kind,
            name,
            format,
            options,
            receipt,
            words: Words::REQUEST,
            rejected: None,
            stamp: None,
        }
    }
}

/// Why a file was not imported.
#[derive(Debug)]
pub enum IntakeError {
    /// Another import runs, here or in another process.
    Busy,
    /// The key came with another content before.
    KeyReused,
    /// The file was changed while it was read.
    Changed,
    /// The file or the database.
    File(FileError),
}

impl From<FileError> for IntakeError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<StoreError> for IntakeError {
    fn from(error: StoreError) -> Self {
        Self::File(error.into())
    }
}

/// Counts of what happened since the start.
#[derive(Debug, Default)]
struct Counts {
    imported: AtomicU64,
    repeated: AtomicU64,
    refused: AtomicU64,
    /// Files of the watched folder that wait, and those that cannot be imported where they are.
    waiting: AtomicU64,
    stuck: AtomicU64,
    /// Failures at the watched folder: permissions, a full disk.
    folder_errors: AtomicU64,
}

/// What imports files for the service.
#[derive(Debug)]
pub struct Intake {
    store: Store,
    reader: Arc<Reader>,
    clock: Clock,
    market: Market,
    settings: Imports,
    /// The name of this process among those that share the database.
    holder: String,
    place: Arc<Semaphore>,
    arriving: Semaphore,
    counts: Counts,
}

/// The place of the one that imports, until it is given back.
struct Held {
    intake: Arc<Intake>,
    renewing: JoinHandle<()>,
    _place: OwnedSemaphorePermit,
}

impl Held {
    async fn release(self) {
        self.renewing.abort();
        // a lease that is not given back ends by itself
        let ended = self.intake.store.end_import_lease(&self.intake.holder);
        if let Err(error) = ended.await {
            tracing::warn!(%error, "the lease of the import could not be given back: it ends by itself");
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.renewing.abort();
    }
}

impl Intake {
    /// What imports into this store.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn new(
        settings: &Settings,
        store: &Store,
        reader: Arc<Reader>,
        clock: Clock,
    ) -> Result<Arc<Self>, getrandom::Error> {
        Ok(Arc::new(Self {
            store: store.clone(),
            reader,
            clock,
            market: settings.market.clone(),
            settings: settings.imports.clone(),
            holder: crate::keys::random(16)?,
            place: Arc::new(Semaphore::new(1)),
            arriving: Semaphore::new(ARRIVING),
            counts: Counts::default(),
        }))
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Imports {
        &self.settings
    }

    /// A place for a body that arrives, if one is free.
    pub(crate) fn arrive(&self) -> Option<SemaphorePermit<'_>> {
        self.arriving.try_acquire().ok()
    }

    /// That no import runs at this moment, on any process.
    ///
    /// # Errors
    /// If one does, or the database fails.
    pub async fn check_free(&self) -> Result<(), IntakeError> {
        let now = self.clock.now();
        if self.place.available_permits() == 0
            || self.store.import_runs(&self.holder, now).await?.is_some()
        {
            return Err(IntakeError::Busy);
        }
        Ok(())
    }

    /// Imports an open file, on a thread of its own. It goes on if the caller does not wait.
    ///
    /// # Errors
    /// If another import runs, the file is refused, or the database fails.
    pub async fn import(self: &Arc<Self>, job: Job, file: File) -> Result<Summary, IntakeError> {
        let held = self.claim().await?;
        let (intake, handle) = (Arc::clone(self), Handle::current());
        let done = tokio::task::spawn_blocking(move || {
            let done = intake.run(&handle, &job, file);
            handle.block_on(held.release());
            done
        });
        match done.await {
            Ok(done) => done,
            Err(error) => {
                tracing::error!(%error, "an import failed");
                Err(FileError::Read(io::Error::other("the import failed")).into())
            }
        }
    }

    /// Takes the place of the one that imports.
    async fn claim(self: &Arc<Self>) -> Result<Held, IntakeError> {
        self.check_free().await?;
        let place = Arc::clone(&self.place).try_acquire_owned();
        let place = place.map_err(|_| IntakeError::Busy)?;
        if !self.renew().await? {
            return Err(IntakeError::Busy);
        }
        let intake = Arc::clone(self);
        let renewing = tokio::spawn(async move {
            loop {
                tokio::time::sleep(RENEW).await;
                // SQLite has one writer, which is the import itself: it waits, as would others
                if let Err(error) = intake.renew().await {
                    tracing::warn!(%error, "the lease of the import could not be renewed");
                }
            }
        });
        Ok(Held {
            intake: Arc::clone(self),
            renewing,
            _place: place,
        })
    }

    async fn renew(&self) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let ends = Moment::from_millis(now.millis() + LEASE);
        self.store.lease_import(&self.holder, now, ends).await
    }

    /// Imports an open file, on a thread that may block, and counts what became of it.
    fn run(&self, handle: &Handle, job: &Job, file: File) -> Result<Summary, IntakeError> {
        let done = self.load(handle, job, file);
        let counter = match &done {
            Ok(summary) => match summary.outcome {
                Outcome::Imported => Some(&self.counts.imported),
                Outcome::Repeated => Some(&self.counts.repeated),
                Outcome::Refused => Some(&self.counts.refused),
                Outcome::Checked => None,
            },
            Err(IntakeError::File(error)) if !matches!(error, FileError::Store(_)) => {
                Some(&self.counts.refused)
            }
            Err(_) => None,
        };
        if let Some(counter) = counter {
            counter.fetch_add(1, Ordering::Relaxed);
        }
        done
    }

    fn load(&self, handle: &Handle, job: &Job, file: File) -> Result<Summary, IntakeError> {
        let (options, receipt) = (&job.options, &job.receipt);
        if !options.dry
            && let Some(known) = handle.block_on(self.store.receipt(&receipt.name))?
        {
            return repeated(&known.digest, &known.summary, receipt);
        }
        let now = self.clock.now().millis();
        let matching = (job.kind == Kind::Sales).then(|| Matching {
            reader: self.reader.now(),
            confidence: options.confidence,
            companies: self.market.companies.clone(),
        });
        let begun = Import::begin(&self.store, job.kind, now, matching);
        let mut import = handle.block_on(begun)?;
        import.set_sources(&self.market.sources);
        import.set_games(self.reader.now().games());
        import.set_name(&job.name);
        if let Some(source) = &options.source {
            import.set_source(source);
        }
        if !options.strict {
            import.set_lenient();
        }
        // a process whose lease ended meanwhile may have been first
        let known = if options.dry {
            None
        } else {
            handle.block_on(import.receipt(receipt.clone()))?
        };
        let mut loading = Loading::on(handle.clone(), import);
        if let Some(known) = known {
            return repeated(&known.digest, &known.summary, receipt);
        }
        let bounds = Bounds {
            bytes: self.settings.unpacked_bytes,
            rows: self.settings.rows,
        };
        let table = Table::new(job.kind, &options.map, bounds, job.words);
        let again = file.try_clone().map_err(FileError::Read)?;
        let input = open(job.format, file).map_err(FileError::Read)?;
        let aside = job
            .rejected
            .as_ref()
            .filter(|_| !options.strict && !options.dry);
        let mut rejected = aside.map(|path| Rejected::new(path.clone(), job.kind));
        loading.read(
            &table.ignoring_columns(options.lax),
            input,
            rejected.as_mut(),
            &mut |_| {},
        )?;
        if let Some(rejected) = rejected {
            rejected.finish()?;
        }
        if let Some(stamp) = &job.stamp
            && Stamp::of(&again.metadata().map_err(FileError::Read)?) != *stamp
        {
            return Err(IntakeError::Changed);
        }
        let report = loading.finish(options.dry)?;
        let mut summary = Summary::of(job.kind, &job.name, &report, now);
        if options.dry && (!options.strict || summary.wrong == 0) {
            summary.outcome = Outcome::Checked;
        }
        Ok(summary)
    }

    /// Figures for the metrics.
    pub(crate) fn figures(&self) -> [Figure; 6] {
        let counts = &self.counts;
        let figure = |name, kind, help, counter: &AtomicU64| Figure {
            name,
            help,
            kind,
            value: f64::from(u32::try_from(counter.load(Ordering::Relaxed)).unwrap_or(u32::MAX)),
        };
        [
            figure(
                "imports_total",
                "counter",
                "Files that the service imported.",
                &counts.imported,
            ),
            figure(
                "imports_repeated_total",
                "counter",
                "Files that came again after they were imported.",
                &counts.repeated,
            ),
            figure(
                "imports_refused_total",
                "counter",
                "Files of which nothing was kept.",
                &counts.refused,
            ),
            figure(
                "watched_files_waiting",
                "gauge",
                "Files of the watched folder that are not imported yet.",
                &counts.waiting,
            ),
            figure(
                "watched_files_stuck",
                "gauge",
                "Entries of the watched folder that are not imported: the log says why.",
                &counts.stuck,
            ),
            figure(
                "watched_folder_errors_total",
                "counter",
                "Failures to read the watched folder, or to move its files.",
                &counts.folder_errors,
            ),
        ]
    }
}

/// The answer to a file that was imported before.
fn repeated(digest: &[u8], summary: &str, receipt: &Receipt) -> Result<Summary, IntakeError> {
    if digest != receipt.digest {
        return Err(IntakeError::KeyReused);
    }
    let mut summary: Summary =
        serde_json::from_str(summary).map_err(|error| FileError::Read(io::Error::other(error)))?;
    summary.outcome = Outcome::Repeated;
    Ok(summary)
}

/// The rows of an open file, decompressed if its content is gzip.
fn open(format: Format, file: File) -> io::Result<Input<'static>> {
    if format == Format::Parquet {
        return Ok(Input::Parquet(file));
    }
    let mut beginning = [0; 2];
    let packed = file.read_at(&mut beginning, 0)? == 2 && beginning == [0x1f, 0x8b];
    let rows: Box<dyn Read> = if packed {
        Box::new(MultiGzDecoder::new(BufReader::new(file)))
    } else {
        Box::new(file)
    };
    Ok(match format {
        Format::Tsv => Input::Tsv(rows),
        Format::Jsonl => Input::Jsonl(rows),
        _ => Input::Csv(rows),
    })
}
