//! `titledex-server import`: files into the store of the service.

use crate::service::{Service, failure};
use clap::{Args, Subcommand, ValueEnum};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use titledex_command::progress::Bar;
use titledex_command::source::{Kind as Format, Source};
use titledex_command::{Failure, files, say};
use titledex_server::admin::Task;
use titledex_server::admin::market::MarketTask;
use titledex_server::market::load::rejected::Rejected;
use titledex_server::market::load::session::Session;
use titledex_server::market::load::table::{Bounds, Input, Renamed, Table, Words};
use titledex_server::market::load::{FileError, Kind, MOST_ERRORS, Report};
use titledex_server::store::market::Undoing;

pub(crate) const HELP: &str = "\
Files are CSV or TSV with a header, JSON Lines or Parquet, by the ending of their
name, gzip or not; Parquet only if the program was installed with
`cargo install --locked --path server --features parquet`. Each wrong row is reported
with its line, column and value, and set aside in FILE.rejected.csv with the reason;
with --strict nothing of such a file is kept. Importing a file again changes nothing.
Each import has a number: `import list` shows them, and `import undo` puts everything
that one changed back as it was, within thirty days. docs/MARKET.md lists the columns.

Examples:
  titledex-server import cards export_cards_en.csv.gz
  titledex-server import prices prices-*.csv.gz --database postgres://td@db/td
  titledex-server import sales sold.jsonl --confidence 0.98 --dry-run
  titledex-server import undo 17

Exit codes: 0 done, 1 a file or the database was refused, 2 usage, 3 rows were wrong";

/// Rows between two updates of the progress bar.
const LOOK: u64 = 1 << 12;

/// The options of `titledex-server import`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Import {
    #[command(subcommand)]
    past: Option<Past>,
    /// What the files hold.
    #[arg(value_enum, required = true)]
    kind: Option<Rows>,
    /// The files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Keep nothing of a file that has a wrong row.
    #[arg(long)]
    strict: bool,
    /// Read and check everything, but keep nothing.
    #[arg(long)]
    dry_run: bool,
    /// A column that the file calls otherwise, such as marketPrice=Preis; may be given several
    /// times.
    #[arg(long, value_name = "COLUMN=HEADER")]
    map: Vec<Renamed>,
    /// Ignore unknown columns instead of refusing the file.
    #[arg(long)]
    ignore_columns: bool,
    /// The source of prices whose rows name none, and whose ids those of sales are.
    #[arg(long)]
    source: Option<String>,
    /// Refuse a file of more than this, decompressed.
    #[arg(long, value_name = "MIB", default_value_t = 4_096)]
    max_mib: u64,
    /// Put sold listings matched with less confidence than this under review, 0 to 1.
    #[arg(long, value_name = "PROBABILITY", default_value = "0.95", value_parser = probability)]
    confidence: i64,
    #[command(flatten)]
    service: Service,
}

/// What is done with imports of before.
#[derive(Debug, Subcommand)]
enum Past {
    /// Show imports, newest first.
    List {
        /// At most this many.
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(i64).range(1..=1000))]
        limit: i64,
        /// Those before this number.
        #[arg(long, value_name = "IMPORT")]
        before: Option<i64>,
    },
    /// Put everything that an import changed back as it was.
    Undo {
        /// Its number.
        import: i64,
    },
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
    match &args.past {
        Some(Past::List { limit, before }) => {
            let before = before.unwrap_or(i64::MAX);
            let limit = *limit;
            args.service.print(Task::Market(MarketTask::ListChanges {
                before,
                limit,
                which: Undoing::Imports,
            }))?;
            return Ok(true);
        }
        Some(Past::Undo { import }) => {
            args.service.print(Task::Market(MarketTask::Undo {
                change: *import,
                which: Undoing::Imports,
            }))?;
            return Ok(true);
        }
        None => {}
    }
    let kind = match args.kind {
        Some(Rows::Cards) | None => Kind::Cards,
        Some(Rows::Sets) => Kind::Sets,
        Some(Rows::Sealed) => Kind::Sealed,
        Some(Rows::Prices) => Kind::Prices,
        Some(Rows::Sales) => Kind::Sales,
        Some(Rows::Population) => Kind::Population,
        Some(Rows::Rates) => Kind::Rates,
    };
    let mut settings = args.service.settings()?;
    let session = if args.dry_run {
        // a look makes no database, and leaves the one that is there as it is
        settings.market.fill = false;
        Session::open_existing(settings)
    } else {
        Session::open(settings)
    };
    let session = session.map_err(|error| failure(&error))?;
    let mut right = true;
    for path in &args.files {
        let found = file(&session, kind, path, args)?;
        right &= found.errors.is_empty();
        report(path, &found, args)?;
    }
    session.close();
    Ok(right)
}

fn file(session: &Session, kind: Kind, path: &Path, args: &Import) -> Result<Report, Failure> {
    let mut source = Source::of(Some(path))?;
    let input = open(&mut source, path)?;
    let mut file = session
        .begin(kind, args.confidence)
        .map_err(|error| failure(&error))?;
    file.set_name(&path.display().to_string());
    if let Some(source) = &args.source {
        file.set_source(source);
    }
    if !args.strict {
        file.set_lenient();
    }
    let bounds = Bounds {
        bytes: args.max_mib.saturating_mul(1 << 20),
        rows: u64::MAX,
    };
    let table = Table::new(kind, &args.map, bounds, Words::COMMAND);
    let aside = !args.strict && !args.dry_run;
    let mut rejected = aside.then(|| Rejected::new(rejected_path(path), kind));
    let mut bar = Bar::of("rows", 0, source.length());
    let mut count = 0;
    let read = file.read(
        &table.ignoring_columns(args.ignore_columns),
        input,
        rejected.as_mut(),
        &mut |at| {
            count += 1;
            if count % LOOK == 0 {
                bar.show(at, count);
            }
        },
    );
    read.map_err(|error| about(path, &error))?;
    bar.clear();
    if let Some(rejected) = rejected {
        rejected.finish().map_err(|error| about(path, &error))?;
    }
    file.finish(args.dry_run).map_err(|error| failure(&error))
}

/// Opens a file in the format that its name states.
fn open(source: &mut Source, path: &Path) -> Result<Input<'static>, Failure> {
    Ok(match source.kind() {
        Format::Csv => Input::Csv(source.open(0)?),
        Format::Tsv => Input::Tsv(source.open(0)?),
        Format::Jsonl => Input::Jsonl(source.open(0)?),
        Format::Parquet => {
            let file = std::fs::File::open(path);
            Input::Parquet(file.map_err(|error| Failure::file("read", path, &error))?)
        }
        Format::Lines | Format::Json => {
            return Err(Failure::new(format!(
                "{} has no known ending: name it .csv, .tsv, .jsonl or .parquet, with .gz after it if it is compressed",
                files::name(path)
            )));
        }
    })
}

/// A failure that names the file.
fn about(path: &Path, error: &FileError) -> Failure {
    match error {
        FileError::Read(error) => Failure::file("read", path, error),
        FileError::Write(path, error) => Failure::file("write", path, error),
        FileError::Store(error) => failure(error),
        _ => Failure::new(error.about(&files::name(path))),
    }
}

/// The name of the file of a file's wrong rows.
fn rejected_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".rejected.csv");
    PathBuf::from(name)
}

fn report(path: &Path, report: &Report, args: &Import) -> Result<(), Failure> {
    let dry = args.dry_run;
    let name = files::name(path);
    for error in &report.errors {
        say(&format!("{name}: {error}"));
    }
    if !args.strict && report.set_aside > 0 {
        say(&format!(
            "{name}: {} of {} rows are wrong{}",
            report.set_aside,
            report.rows,
            if dry {
                String::new()
            } else {
                format!(": they were set aside in {}", rejected_path(path).display())
            }
        ));
        if !dry && report.import.is_none() {
            return Ok(());
        }
    } else if !report.errors.is_empty() {
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
    write!(
        out,
        "{name}: {} rows {kept}",
        report.rows - report.set_aside
    )?;
    if let Some(import) = report.import {
        write!(out, " (import {import})")?;
    }
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
