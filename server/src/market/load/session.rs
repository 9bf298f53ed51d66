//! [`Session`]: imports for a caller without an async runtime, such as the command line.

use super::rejected::Rejected;
use super::table::{Input, Table};
use super::{Cells, FileError, Import, Kind, Matching, Report, Wrong};
use crate::catalogue::Reader;
use crate::clock::Clock;
use crate::config::Settings;
use crate::market::seed_store::seed_store;
use crate::run::RunError;
use crate::serve::StartError;
use crate::store::{Store, StoreError};
use std::fmt;
use tokio::runtime::{Handle, Runtime};

/// An open store, seeded with the sets and cards of the catalogue.
pub struct Session {
    runtime: Runtime,
    /// The store.
    pub store: Store,
    /// The catalogue.
    pub reader: Reader,
    settings: Settings,
}

impl fmt::Debug for Session {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Session")
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}

impl Session {
    /// Opens the store and the catalogue, and seeds the store.
    ///
    /// # Errors
    /// If one of them fails.
    pub fn open(settings: Settings) -> Result<Self, RunError> {
        Self::begin_session(settings, false)
    }

    /// As [`Session::open`], of a store that is there: a file that is missing is not made.
    ///
    /// # Errors
    /// As [`Session::open`]; and where the file is missing.
    pub fn open_existing(settings: Settings) -> Result<Self, RunError> {
        Self::begin_session(settings, true)
    }

    fn begin_session(settings: Settings, existing: bool) -> Result<Self, RunError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(RunError::Runtime)?;
        let reader = Reader::open(settings.catalogue.clone())
            .map_err(|error| RunError::Start(StartError::Catalogue(error)))?;
        let store = runtime.block_on(async {
            let store = if existing {
                Store::open_existing(&settings.database).await?
            } else {
                Store::open(&settings.database).await?
            };
            if settings.market.fill {
                seed_store(&store, &reader.now()).await?;
            }
            Ok::<_, StoreError>(store)
        })?;
        Ok(Self {
            runtime,
            store,
            reader,
            settings,
        })
    }

    /// Runs a future to its end.
    pub fn wait<T>(&self, what: impl Future<Output = T>) -> T {
        self.runtime.block_on(what)
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Begins a file. Sold listings match from `confidence` on, in ten-thousandths.
    ///
    /// # Errors
    /// If the database fails.
    pub fn begin(&self, kind: Kind, confidence: i64) -> Result<File<'_>, RunError> {
        let matching = (kind == Kind::Sales).then(|| Matching {
            reader: self.reader.now(),
            confidence,
            companies: self.settings.market.companies.clone(),
        });
        let now = Clock::System.now().millis();
        let mut import = self
            .runtime
            .block_on(Import::begin(&self.store, kind, now, matching))?;
        import.set_sources(&self.settings.market.sources);
        Ok(File {
            waiting: Waiting::Runtime(&self.runtime),
            import: Some(import),
        })
    }

    /// Ends all connections.
    pub fn close(self) {
        self.runtime.block_on(self.store.close());
    }
}

/// What a thread that may block waits with.
#[derive(Clone, Debug)]
enum Waiting<'s> {
    /// A runtime of its own.
    Runtime(&'s Runtime),
    /// One that other threads drive.
    Handle(Handle),
}

impl Waiting<'_> {
    fn block_on<T>(&self, what: impl Future<Output = T>) -> T {
        match self {
            Self::Runtime(runtime) => runtime.block_on(what),
            Self::Handle(handle) => handle.block_on(what),
        }
    }

    fn enter(&self) -> tokio::runtime::EnterGuard<'_> {
        match self {
            Self::Runtime(runtime) => runtime.enter(),
            Self::Handle(handle) => handle.enter(),
        }
    }
}

/// A file on its way into the store.
#[derive(Debug)]
pub struct File<'s> {
    waiting: Waiting<'s>,
    /// Until it is finished.
    import: Option<Import>,
}

impl File<'_> {
    /// A file on a thread that may block, beside a runtime that other threads drive.
    #[must_use]
    pub fn on(handle: Handle, import: Import) -> File<'static> {
        File {
            waiting: Waiting::Handle(handle),
            import: Some(import),
        }
    }

    /// Takes all rows of an input, and adds those that are wrong to `rejected`. `shown` learns
    /// where each row ends.
    ///
    /// # Errors
    /// If the input cannot be read to its end, or the database fails.
    pub fn read(
        &mut self,
        table: &Table<'_>,
        input: Input<'_>,
        mut rejected: Option<&mut Rejected>,
        shown: &mut dyn FnMut(u64),
    ) -> Result<(), FileError> {
        table.each(input, &mut |at, number, row| {
            shown(at);
            let cells = row.as_ref().ok().copied();
            let more = match row {
                Ok(cells) => self.row(number, &cells)?,
                Err(wrong) => self.refuse(number, wrong),
            };
            if let (Some(rejected), Some(wrong)) = (&mut rejected, self.wrong(number)) {
                rejected.add(number, wrong, cells.as_ref())?;
            }
            Ok(more)
        })
    }

    /// Takes a row, and writes the buffer when it is full. Returns `false` once too many rows were
    /// invalid to read on.
    ///
    /// # Errors
    /// If the database fails.
    pub fn row(&mut self, number: u64, cells: &Cells<'_>) -> Result<bool, StoreError> {
        let Some(import) = &mut self.import else {
            return Ok(false);
        };
        let more = import.row(number, cells);
        if import.is_full() {
            self.waiting.block_on(import.flush())?;
        }
        Ok(more)
    }

    /// Notes a row that could not be parsed. Returns `false` as [`File::row`] does.
    pub fn refuse(&mut self, number: u64, wrong: Wrong) -> bool {
        self.import
            .as_mut()
            .is_some_and(|import| import.refuse(number, wrong))
    }

    /// Gives the import the name of its file.
    pub fn set_name(&mut self, name: &str) {
        if let Some(import) = &mut self.import {
            import.set_name(name);
        }
    }

    /// Sets invalid rows aside and keeps the others.
    pub fn set_lenient(&mut self) {
        if let Some(import) = &mut self.import {
            import.set_lenient();
        }
    }

    /// What is wrong with the row of this number, if anything is.
    pub fn wrong(&self, number: u64) -> Option<&Wrong> {
        self.import.as_ref()?.wrong(number)
    }

    /// Marks the whole market as invented, from this seed.
    ///
    /// # Errors
    /// If the database fails.
    pub fn mark_synthetic(&mut self, seed: u64) -> Result<(), StoreError> {
        let Some(import) = &mut self.import else {
            return Ok(());
        };
        self.waiting.block_on(import.mark_synthetic(seed))
    }

    /// Commits the file, unless a row was invalid or this is a `dry` run.
    ///
    /// # Errors
    /// If the database fails. Then nothing is kept.
    pub fn finish(mut self, dry: bool) -> Result<Report, StoreError> {
        let Some(import) = self.import.take() else {
            return Ok(Report::default());
        };
        self.waiting.block_on(import.finish(dry))
    }
}

/// An unfinished file is rolled back. The runtime returns its connection to the pool.
impl Drop for File<'_> {
    fn drop(&mut self) {
        let _entered = self.waiting.enter();
        self.import = None;
    }
}
