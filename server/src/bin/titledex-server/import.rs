//! `titledex-server import`: files into the store of the service.

use crate::service::{Service, failure};
use crate::table::Table;
use clap::{Args, ValueEnum};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use titledex_command::{Failure, say};
use titledex_server::market::load::session::Session;
use titledex_server::market::load::{Kind, MOST_ERRORS, Report};

pub(crate) const HELP: &str = "\
Files are CSV or TSV with a header, JSON Lines or Parquet, by the ending of their
name, gzip or not; Parquet only if the program was installed with
`cargo install --locked --path server --features parquet`. A file is imported whole
or not at all: each wrong row is reported with its line, column and value, and then
nothing of that file is kept. Importing a file again changes nothing. docs/MARKET.md
lists the columns.

Examples:
  titledex-server import cards export_cards_en.csv.gz
  titledex-server import prices prices-*.csv.gz --database postgres://td@db/td
  titledex-server import sales sold.jsonl --confidence 0.98 --dry-run

Exit codes: 0 done, 1 a file or the database was refused, 2 usage, 3 rows were wrong";

/// The options of `titledex-server import`.
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// What the files hold.
    #[arg(value_enum)]
    kind: Rows,
    /// The files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read and check everything, but keep nothing.
    #[arg(long)]
    dry_run: bool,
    /// Ignore unknown columns instead of refusing the file.
    #[arg(long)]
    ignore_columns: bool,
    /// Put sold listings matched with less confidence than this under review, 0 to 1.
    #[arg(long, value_name = "PROBABILITY", default_value = "0.95", value_parser = probability)]
    confidence: i64,
    #[command(flatten)]
    service: Service,
}

/// What files hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rows {
    /// Cards and their printings, with the columns of the export.
    Cards,
    /// Sets.
    Sets,
    /// Sealed products, with the columns of the export.
    Sealed,
    /// Prices by day.
    Prices,
    /// Sold listings: title, price, currency, date, url.
    Sales,
    /// Populations, with the columns of the export.
    Population,
    /// Exchange rates to US dollars, by day.
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

/// Imports each file in turn; returns whether all rows were right.
pub(crate) fn run(args: &Import) -> Result<bool, Failure> {
    let kind = match args.kind {
        Rows::Cards => Kind::Cards,
        Rows::Sets => Kind::Sets,
        Rows::Sealed => Kind::Sealed,
        Rows::Prices => Kind::Prices,
        Rows::Sales => Kind::Sales,
        Rows::Population => Kind::Population,
        Rows::Rates => Kind::Rates,
    };
    let session = Session::open(args.service.settings()?).map_err(|error| failure(&error))?;
    let mut right = true;
    for path in &args.files {
        let found = file(&session, kind, path, args)?;
        right &= found.errors.is_empty();
        report(path, &found, args.dry_run)?;
    }
    session.close();
    Ok(right)
}

fn file(session: &Session, kind: Kind, path: &Path, args: &Import) -> Result<Report, Failure> {
    let mut file = session
        .begin(kind, args.confidence)
        .map_err(|error| failure(&error))?;
    Table::of(path, kind.columns(), args.ignore_columns).each(&mut |number, row| match row {
        Ok(cells) => file.row(number, &cells).map_err(|error| failure(&error)),
        Err(wrong) => Ok(file.refuse(number, wrong)),
    })?;
    file.finish(args.dry_run).map_err(|error| failure(&error))
}

fn report(path: &Path, report: &Report, dry: bool) -> Result<(), Failure> {
    let name = path.display();
    for error in &report.errors {
        say(&format!("{name}: {error}"));
    }
    if !report.errors.is_empty() {
        let more = if report.errors.len() == MOST_ERRORS {
            " or more"
        } else {
            ""
        };
        say(&format!(
            "{name}: {}{more} of {} rows are wrong: nothing of the file was kept",
            report.errors.len(),
            report.rows
        ));
        return Ok(());
    }
    let mut out = io::stdout().lock();
    let kept = if dry {
        "checked, nothing kept"
    } else {
        "imported"
    };
    write!(out, "{name}: {} rows {kept}", report.rows)?;
    if report.matched
        + report.review
        + report.known
        + report.lots
        + report.no_cards
        + report.no_sales
        > 0
    {
        let Report {
            matched,
            review,
            known,
            lots,
            no_cards,
            no_sales,
            ..
        } = report;
        write!(
            out,
            ": {matched} sales, {review} to review, {known} known before, {lots} lots, {no_cards} that are no cards and {no_sales} refunded or unpaid left out"
        )?;
    }
    writeln!(out)?;
    Ok(out.flush()?)
}
