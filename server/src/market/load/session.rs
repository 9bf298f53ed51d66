//! [`Session`]: imports for a caller without an async runtime, such as the command line.

pub use super::loading::File;
use super::{Import, Kind, Matching};
use crate::catalogue::Reader;
use crate::clock::Clock;
use crate::config::Settings;
use crate::market::seed_store::seed_store;
use crate::run::RunError;
use crate::serve::StartError;
use crate::store::{Store, StoreError};
use std::fmt;
use tokio::runtime::Runtime;

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
        let reader = Reader::open(settings.catalogue.clone(), &settings.games)
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
        import.set_games(self.reader.now().games());
        Ok(File::in_runtime(&self.runtime, import))
    }

    /// Ends all connections.
    pub fn close(self) {
        self.runtime.block_on(self.store.close());
    }
}
