//! The arguments of the commands about the market.

use crate::args::Service;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

pub(crate) const IMPORT_HELP: &str = "\
Files are CSV or TSV with a header, JSON Lines or Parquet by the end of their name,
packed with gzip or not. Each is taken whole or not at all: what is wrong with a row
is said with its line, column and value, and nothing of that file is kept. A file
may come again: it changes nothing. docs/MARKET.md has the columns.

Examples:
  titledex import cards export_cards_en.csv.gz
  titledex import prices prices-*.csv.gz --database postgres://td@db/td
  titledex import sales sold.jsonl --confidence 0.98 --dry-run

Exit codes:
  0 done  1 a file or the database was refused  2 usage  3 rows were wrong";

/// `titledex import`.
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// What the files hold.
    #[arg(value_enum)]
    pub(crate) kind: Rows,
    /// The files.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Read and check everything, and keep nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Pass over columns that are not known, instead of refusing the file.
    #[arg(long)]
    pub(crate) ignore_columns: bool,
    /// Sold listings that are less sure than this are put before a person, 0 to 1.
    #[arg(long, value_name = "PROBABILITY", default_value = "0.95", value_parser = probability)]
    pub(crate) confidence: i64,
    /// Where they go.
    #[command(flatten)]
    pub(crate) service: Service,
}

/// What files hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rows {
    /// Cards and their printings, in the columns of the export.
    Cards,
    /// Sets.
    Sets,
    /// Sealed products, in the columns of the export.
    Sealed,
    /// Prices by day.
    Prices,
    /// Sold listings: title, price, currency, date, url.
    Sales,
    /// Populations, in the columns of the export.
    Population,
    /// What units of currencies are worth in US dollars, by day.
    Rates,
}

/// A probability in ten-thousandths.
fn probability(text: &str) -> Result<i64, String> {
    let value: f64 = text
        .parse()
        .map_err(|_| "write a number from 0 to 1".to_owned())?;
    if (0.0..=1.0).contains(&value) {
        Ok((value * 10_000.0).round() as i64)
    } else {
        Err("write a number from 0 to 1".to_owned())
    }
}

pub(crate) const SYNTHETIC_HELP: &str = "\
Invents prices, history, sold listings, populations and sealed products from a seed,
for tests, benches and demonstrations. It is marked: prices have the source
`synthetic`, and every answer of a service with such a store says so.

Examples:
  titledex market synthetic --seed 1
  titledex market synthetic --seed 1 --days 1096 --cards 50000 --printings 2 --into market/";

/// What about the market.
#[derive(Debug, Subcommand)]
pub(crate) enum Market {
    /// Invent a market, from a seed.
    #[command(after_help = SYNTHETIC_HELP)]
    Synthetic(Synthetic),
    /// Make an index of a catalogue and of the cards that the store has beside it.
    #[command(after_help = CATALOGUE_HELP)]
    Catalogue(WithStore),
}

pub(crate) const CATALOGUE_HELP: &str = "\
Search and the reading of titles know the cards of an index. Cards that were imported
beside the catalogue are found once the service serves an index that has them too:
make it after such an import, then start the service with it, or send SIGHUP.

Examples:
  titledex market catalogue -o cards.index && titledex serve --catalogue cards.index
  titledex market catalogue own.csv.gz -o cards.index --database postgres://td@db/td";

/// `titledex market catalogue`.
#[derive(Debug, Args)]
pub(crate) struct WithStore {
    /// Files of cards, as for `catalogue build`; the built-in catalogue where none is given.
    #[arg(value_name = "CARDS")]
    pub(crate) cards: Vec<PathBuf>,
    /// Sets as JSON Lines, packed or not.
    #[arg(long, value_name = "FILE", requires = "cards")]
    pub(crate) sets: Option<PathBuf>,
    /// The index to write; it is replaced whole, or left as it was.
    #[arg(long, short, value_name = "INDEX")]
    pub(crate) output: PathBuf,
    /// What `catalogue info` calls it; the file's name where not given.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Where the store is.
    #[command(flatten)]
    pub(crate) service: Service,
}

/// `titledex market synthetic`.
#[derive(Debug, Args)]
pub(crate) struct Synthetic {
    /// Another number gives another market.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: u64,
    /// Days of history.
    #[arg(long, value_name = "NUMBER", default_value = "365", value_parser = clap::value_parser!(u16).range(1..=20_000))]
    pub(crate) days: u16,
    /// The last day; today where none is given.
    #[arg(long, value_name = "DAY")]
    pub(crate) until: Option<String>,
    /// Cards that have prices, spread over the catalogue; all where none is given.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) cards: Option<usize>,
    /// Each card gets at least so many printings: those that it lacks are invented.
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    pub(crate) printings: usize,
    /// Sold listings.
    #[arg(long, value_name = "NUMBER", default_value = "10000")]
    pub(crate) sales: usize,
    /// Write files into this folder, instead of the store.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) into: Option<PathBuf>,
    /// Where it goes.
    #[command(flatten)]
    pub(crate) service: Service,
}

pub(crate) const REVIEW_HELP: &str = "\
Sold listings that were not matched surely enough wait here for a person. Answers are
JSON, an object a line. The page /review of the service shows the same.

Examples:
  titledex review list --limit 5
  titledex review accept 7 --card base1-4:unlimited-holofoil --grade GRADER_A_10
  titledex review reject 8";

/// `titledex review`.
#[derive(Debug, Args)]
pub(crate) struct Review {
    /// What to do.
    #[command(subcommand)]
    pub(crate) what: Decision,
    /// Where it is.
    #[command(flatten)]
    pub(crate) service: Service,
}

/// What to do with listings under review.
#[derive(Debug, Subcommand)]
pub(crate) enum Decision {
    /// Show listings, oldest first.
    List {
        /// What became of them.
        #[arg(long, value_enum, default_value = "open")]
        status: Status,
        /// At most so many.
        #[arg(long, value_name = "NUMBER", default_value = "50", value_parser = clap::value_parser!(i64).range(1..))]
        limit: i64,
        /// Those behind this number.
        #[arg(long, value_name = "NUMBER", default_value = "0")]
        after: i64,
    },
    /// Show one listing.
    Show {
        /// Its number.
        listing: i64,
    },
    /// Make a sale of a listing.
    Accept {
        /// Its number.
        listing: i64,
        /// What was sold, by its marketplaceId; the best guess where it is left out.
        #[arg(long, value_name = "ID")]
        card: Option<String>,
        /// Its grade, or '' for a raw card; as read where it is left out.
        #[arg(long, value_name = "GRADE")]
        grade: Option<String>,
    },
    /// Put a listing aside: it is no sale of a card.
    Reject {
        /// Its number.
        listing: i64,
    },
}

/// What became of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Status {
    /// Nobody looked yet.
    Open,
    /// It became a sale.
    Accepted,
    /// It is no sale of a card.
    Rejected,
}

pub(crate) const EXPORT_HELP: &str = "\
Makes the files that /api/v2/export leads to, as the service does every day at 06:00
UTC: gzip-packed CSV in the folder of the settings. The file before stays in place
until the new one is whole.

Examples:
  titledex export
  titledex export cards population --config td.toml";

/// `titledex export`.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Which datasets; all where none is named.
    #[arg(value_enum, value_name = "DATASET")]
    pub(crate) datasets: Vec<Exported>,
    /// Where they are.
    #[command(flatten)]
    pub(crate) service: Service,
}

/// A dataset of the export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Exported {
    /// Printings of cards with their prices.
    Cards,
    /// Sealed products with their prices.
    Sealed,
    /// Graded sales, summed up.
    Auction,
    /// Populations by grader.
    Population,
}
