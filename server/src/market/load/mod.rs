//! [`Import`]: writes the rows of a file to the store, either all of them or none.
//!
//! The caller reads the file and passes its rows as cells, in the order of [`Kind::columns`]. The
//! import reports up to [`MOST_ERRORS`] invalid rows. A strict import keeps nothing of a file that
//! has any; a lenient one sets them aside. Each import has a number, by which it can be undone.

mod cards;
mod cell;
mod error;
mod keys;
mod ledger;
pub mod loading;
mod population;
mod price;
mod prices;
mod rates;
pub mod rejected;
mod report;
mod sales;
mod sealed;
pub mod session;
mod set_aside;
mod sets;
mod source_prices;
pub mod summary;
pub mod table;

use super::Companies;
use super::listing::products::Products;
use super::load_index::LoadIndex;
use crate::catalogue::Loaded;
use crate::clock::MILLIS_A_DAY;
use crate::games::Games;
use crate::store::market::{Loader, ReceiptRow};
use crate::store::{Actor, Deed, Store, StoreError};
pub use cell::{Cells, Column, Form, Wrong};
pub use error::FileError;
pub use report::{Report, RowError};
use std::fmt;
use std::sync::Arc;
use summary::Summary;
use utoipa::ToSchema;

/// The number of invalid rows after which a file is not read further.
pub const MOST_ERRORS: usize = 100;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(as = ImportKind, rename_all = "lowercase")]
pub enum Kind {
    /// Cards and their printings, in the columns of the export.
    Cards,
    /// Sets.
    Sets,
    /// Sealed products, in the columns of the export.
    Sealed,
    /// Prices of items by day.
    Prices,
    /// Sold listings.
    Sales,
    /// Populations, in the columns of the export.
    Population,
    /// What units of currencies are worth in dollars, by day.
    Rates,
}

impl Kind {
    /// All kinds, each after those that it refers to.
    pub const ALL: [Self; 7] = [
        Self::Sets,
        Self::Cards,
        Self::Sealed,
        Self::Rates,
        Self::Prices,
        Self::Population,
        Self::Sales,
    ];

    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its name: `prices`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cards => "cards",
            Self::Sets => "sets",
            Self::Sealed => "sealed",
            Self::Prices => "prices",
            Self::Sales => "sales",
            Self::Population => "population",
            Self::Rates => "rates",
        }
    }

    /// Its columns. Empty and missing cells are unknown values.
    #[must_use]
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Cards => cards::COLUMNS,
            Self::Sets => sets::COLUMNS,
            Self::Sealed => sealed::COLUMNS,
            Self::Prices => prices::COLUMNS,
            Self::Sales => sales::COLUMNS,
            Self::Population => population::COLUMNS,
            Self::Rates => rates::COLUMNS,
        }
    }

    /// Whether files of it are exported too, with cells that were made safe for spreadsheets.
    #[must_use]
    pub fn is_exported(self) -> bool {
        matches!(self, Self::Cards | Self::Sealed | Self::Population)
    }
}

/// By what an import is known if it comes again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The key or content that names it.
    pub name: String,
    /// The digest of the content.
    pub digest: Vec<u8>,
    /// Who asked for it.
    pub by: Actor,
    /// Whether one is left where rows were wrong. Without it, they get another chance.
    pub even_with_wrong_rows: bool,
}

/// How sold listings are matched.
#[derive(Clone, Debug)]
pub struct Matching {
    /// The engine that reads titles.
    pub reader: Arc<Loaded>,
    /// A match below this confidence, in ten-thousandths, goes to review.
    pub confidence: i64,
    /// Which company each grader is.
    pub companies: Companies,
}

/// The rows of one kind.
enum Rows {
    Cards(cards::Cards),
    Sets(sets::Sets),
    Sealed(sealed::Sealed),
    Prices(prices::Prices),
    Sales(Box<sales::Sales>),
    Population(population::Populations),
    Rates(rates::Rates),
}

/// One file on its way into the store.
pub struct Import {
    loader: Loader,
    known: LoadIndex,
    rows: Rows,
    report: Report,
    name: String,
    /// Whether the file is kept as a whole or not at all.
    strict: bool,
    kind: Kind,
    /// When it began, in milliseconds since 1970.
    now: i64,
    receipt: Option<Receipt>,
    /// The last invalid row.
    last_wrong: Option<(u64, Wrong)>,
}

impl fmt::Debug for Import {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Import")
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

impl Import {
    /// Begins the transaction of a file. Only sold listings need `matching`. `now` is in
    /// milliseconds since 1970.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn begin(
        store: &Store,
        kind: Kind,
        now: i64,
        matching: Option<Matching>,
    ) -> Result<Self, StoreError> {
        let mut loader = store.load().await?;
        let import = loader.begin_change(kind.name(), now).await?;
        let mut known = match kind {
            Kind::Cards => LoadIndex::read(&mut loader).await?,
            _ => LoadIndex::read_items(&mut loader).await?,
        };
        known.today = now.div_euclid(MILLIS_A_DAY);
        let rows = match (kind, matching) {
            (Kind::Cards, _) => Rows::Cards(cards::Cards::default()),
            (Kind::Sets, _) => Rows::Sets(sets::Sets::default()),
            (Kind::Sealed, _) => Rows::Sealed(sealed::Sealed::default()),
            (Kind::Prices, _) => Rows::Prices(prices::Prices::default()),
            (Kind::Population, _) => Rows::Population(population::Populations::new(now)),
            (Kind::Rates, _) => Rows::Rates(rates::Rates::default()),
            (Kind::Sales, Some(matching)) => {
                loader.identify_listings().await?;
                let products = Products::new(loader.products().await?, &matching.reader);
                Rows::Sales(Box::new(sales::Sales::new(matching, products, now)))
            }
            (Kind::Sales, None) => {
                return Err(StoreError::Database(sqlx::Error::Configuration(
                    "sales need a reader of titles".into(),
                )));
            }
        };
        Ok(Self {
            loader,
            known,
            rows,
            report: Report {
                import: Some(import),
                ..Report::default()
            },
            name: String::new(),
            strict: true,
            kind,
            now,
            receipt: None,
            last_wrong: None,
        })
    }

    /// Gives the import the name of its file.
    pub fn set_name(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// Sets invalid rows aside and keeps the others.
    pub fn set_lenient(&mut self) {
        self.strict = false;
    }

    /// The receipt that is known under this name; otherwise this import leaves one, and is
    /// recorded.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn receipt(&mut self, receipt: Receipt) -> Result<Option<ReceiptRow>, StoreError> {
        let known = self.loader.receipt(&receipt.name).await?;
        if known.is_none() {
            self.receipt = Some(receipt);
        }
        Ok(known)
    }

    /// States the source of prices whose rows name none, and whose ids those of sales are.
    pub fn set_source(&mut self, source: &str) {
        match &mut self.rows {
            Rows::Prices(prices) => prices.set_source(source),
            Rows::Sales(sales) => sales.set_source(source),
            _ => {}
        }
    }

    /// States in which order sources give the headline price.
    pub fn set_sources(&mut self, sources: &[String]) {
        self.known.set_sources(sources);
    }

    /// States which games are open. Rows of others are wrong.
    pub fn set_games(&mut self, games: &Games) {
        self.known.games.clone_from(games);
    }

    /// Takes a row. Returns `false` once too many rows were invalid to read on.
    pub fn row(&mut self, number: u64, cells: &Cells<'_>) -> bool {
        self.report.rows += 1;
        let taken = match &mut self.rows {
            Rows::Cards(rows) => rows.row(&mut self.known, cells),
            Rows::Sets(rows) => rows.row(&mut self.known, cells),
            Rows::Sealed(rows) => rows.row(&mut self.known, cells),
            Rows::Prices(rows) => rows.row(&self.known, cells),
            Rows::Sales(rows) => rows.row(&self.known, cells),
            Rows::Population(rows) => rows.row(&self.known, cells),
            Rows::Rates(rows) => rows.row(cells),
        };
        match taken {
            Ok(()) => true,
            Err(wrong) => self.note(number, wrong),
        }
    }

    /// Notes a row that could not be parsed. Returns `false` as [`Import::row`] does.
    pub fn refuse(&mut self, number: u64, wrong: Wrong) -> bool {
        self.report.rows += 1;
        self.note(number, wrong)
    }

    fn note(&mut self, number: u64, wrong: Wrong) -> bool {
        self.report.set_aside += 1;
        self.last_wrong = Some((number, wrong.clone()));
        if self.report.errors.len() < MOST_ERRORS {
            self.report.errors.push(RowError { row: number, wrong });
        }
        !self.strict || self.report.errors.len() < MOST_ERRORS
    }

    /// What is wrong with the row of this number, if it was the last one and anything is.
    #[must_use]
    pub fn wrong(&self, number: u64) -> Option<&Wrong> {
        let (last, wrong) = self.last_wrong.as_ref()?;
        (*last == number).then_some(wrong)
    }

    /// Whether the buffer should be flushed.
    #[must_use]
    pub fn is_full(&self) -> bool {
        match &self.rows {
            Rows::Cards(rows) => rows.is_full(),
            Rows::Sets(_) => false,
            Rows::Sealed(rows) => rows.is_full(),
            Rows::Prices(rows) => rows.is_full(),
            Rows::Sales(rows) => rows.is_full(),
            Rows::Population(rows) => rows.is_full(),
            Rows::Rates(rows) => rows.is_full(),
        }
    }

    /// Writes the buffer. After an invalid row it only clears it, because nothing will be kept.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn flush(&mut self) -> Result<(), StoreError> {
        let loader = &mut self.loader;
        if self.strict && !self.report.errors.is_empty() {
            match &mut self.rows {
                Rows::Cards(rows) => *rows = cards::Cards::default(),
                Rows::Sets(rows) => *rows = sets::Sets::default(),
                Rows::Sealed(rows) => *rows = sealed::Sealed::default(),
                Rows::Prices(rows) => rows.clear(),
                Rows::Sales(rows) => rows.clear(),
                Rows::Population(rows) => rows.clear(),
                Rows::Rates(rows) => *rows = rates::Rates::default(),
            }
            return Ok(());
        }
        match &mut self.rows {
            Rows::Cards(rows) => rows.flush(loader).await,
            Rows::Sets(rows) => rows.flush(loader).await,
            Rows::Sealed(rows) => rows.flush(loader).await,
            Rows::Prices(rows) => rows.flush(loader).await,
            Rows::Sales(rows) => rows.flush(loader, &mut self.report).await,
            Rows::Population(rows) => rows.flush(loader).await,
            Rows::Rates(rows) => rows.flush(loader).await,
        }
    }

    /// Marks the whole market as invented, from this seed.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn mark_synthetic(&mut self, seed: u64) -> Result<(), StoreError> {
        self.loader.set_fact("synthetic", &seed.to_string()).await
    }

    /// Writes the buffer and commits, unless no row is right, the import is strict and one is wrong,
    /// or this is a `dry` run.
    ///
    /// # Errors
    /// If the database fails. Then nothing is kept.
    pub async fn finish(mut self, dry: bool) -> Result<Report, StoreError> {
        self.flush().await?;
        let Report {
            rows, set_aside, ..
        } = self.report;
        let none_is_right = rows > 0 && set_aside == rows;
        if dry || none_is_right || self.strict && !self.report.errors.is_empty() {
            self.report.import = None;
            self.loader.rollback().await?;
        } else {
            let records = i64::try_from(rows - set_aside).unwrap_or(i64::MAX);
            self.loader.end_change(&self.name, records).await?;
            self.leave_receipt().await?;
            self.loader.commit().await?;
        }
        Ok(self.report)
    }

    /// Writes the receipt, if there is one, in the transaction of the import.
    async fn leave_receipt(&mut self) -> Result<(), StoreError> {
        let Some(receipt) = &self.receipt else {
            return Ok(());
        };
        if receipt.even_with_wrong_rows || self.report.set_aside == 0 {
            let summary = Summary::of(self.kind, &self.name, &self.report, self.now).json();
            self.loader
                .put_receipt(&receipt.name, &receipt.digest, &summary, self.now)
                .await?;
        }
        let deed = Deed {
            by: receipt.by,
            deed: "import",
            account: None,
            subject: self.report.import,
            detail: &format!("{} {}", self.kind.name(), self.name),
        };
        self.loader.record(deed, self.now).await
    }
}
