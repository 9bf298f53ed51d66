//! The arguments of the commands about the market.

use crate::args::Service;
use clap::{Args, ValueEnum};
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
}

/// A probability in ten-thousandths.
fn probability(text: &str) -> Result<i64, String> {
    let value: f64 = text.parse().map_err(|_| "write a number from 0 to 1".to_owned())?;
    if (0.0..=1.0).contains(&value) { Ok((value * 10_000.0).round() as i64) } else { Err("write a number from 0 to 1".to_owned()) }
}
