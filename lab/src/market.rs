//! `titledex-lab market synthetic`: an invented market, as files or in the store of the service.

use clap::{Args, Subcommand};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::error::Error;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use titledex_command::output::NewFile;
use titledex_command::progress::Bar;
use titledex_command::{Failure, files};
use titledex_server::catalogue::Reader;
use titledex_server::clock::Clock;
use titledex_server::config::Settings;
use titledex_server::market::Day;
use titledex_server::market::load::session::{File as Loading, Session};
use titledex_server::market::load::{Cells, Kind};
use titledex_server::market::synthetic::{Plan, generate};

const SYNTHETIC_HELP: &str = "\
Invents prices, their history, sold listings, populations and sealed products from a
seed, for tests, benchmarks and demonstrations. The data is marked: prices have the
source `synthetic`, and every answer of a service with such a store says so.

Examples:
  titledex-lab market synthetic --seed 1
  titledex-lab market synthetic --seed 1 --days 1096 --cards 50000 --printings 2 --into market/

Exit codes: 0 done, 1 a file or the database was refused, 2 usage";

/// Commands for the synthetic market.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Invent a market from a seed.
    #[command(after_help = SYNTHETIC_HELP)]
    Synthetic(Synthetic),
}

/// The options of `titledex-lab market synthetic`.
#[derive(Debug, Args)]
pub(crate) struct Synthetic {
    /// Seed: another number gives another market.
    #[arg(long, value_name = "NUMBER")]
    seed: u64,
    /// Days of history.
    #[arg(long, value_name = "NUMBER", default_value = "365", value_parser = clap::value_parser!(u16).range(1..=20_000))]
    days: u16,
    /// The last day [default: today].
    #[arg(long, value_name = "DAY")]
    until: Option<String>,
    /// Number of cards with a history of prices: those of a few well-known sets, then others spread
    /// over the catalogue, which all have a price of the last day [default: all].
    #[arg(long, value_name = "NUMBER")]
    cards: Option<usize>,
    /// Least number of printings of each card: missing ones are invented.
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    printings: usize,
    /// Number of sold listings.
    #[arg(long, value_name = "NUMBER", default_value = "10000")]
    sales: usize,
    /// Write files into this folder instead of the store.
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// The database, `sqlite:FILE` or `postgres://USER@HOST/DATABASE`
    /// [default: sqlite:titledex.db].
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// A file of settings, as for `titledex-server`.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The settings of the file, and the database that was named.
fn settings(args: &Synthetic) -> Result<Settings, Failure> {
    let mut settings = match &args.config {
        Some(path) => Settings::read(path).map_err(|error| failure(&error))?,
        None => Settings::default(),
    };
    if let Some(database) = &args.database {
        settings.database.clone_from(database);
    }
    // the sets that it begins with, and its figures, are those of the first game
    if settings.games.is_empty() {
        settings.games = vec![titledex::internals::build::rows::FIRST_GAME.to_owned()];
    }
    Ok(settings)
}

/// A failure with the message of an error of the service, and its cause.
fn failure(error: &dyn Error) -> Failure {
    match error.source() {
        Some(cause) => Failure::new(format!("{error} ({cause})")),
        None => Failure::new(error.to_string()),
    }
}

/// Invents the market.
pub(crate) fn run(args: &Synthetic) -> Result<(), Failure> {
    let until = match &args.until {
        Some(text) => Day::parse(text).ok_or_else(|| {
            Failure::new(format!("--until {text}: write a day such as 2026-11-20"))
        })?,
        None => Day(Clock::System.now().day()),
    };
    let plan = Plan {
        seed: args.seed,
        days: i64::from(args.days),
        until,
        cards: args.cards,
        others: true,
        printings: args.printings,
        sales: args.sales,
    };
    let settings = settings(args)?;
    match &args.into {
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|error| Failure::file("make", folder, &error))?;
            let reader = Reader::open(settings.catalogue, &settings.games)
                .map_err(|error| failure(&error))?;
            let mut files = Files {
                folder,
                open: None,
                bar: Bar::of("rows", 0, None),
                rows: 0,
            };
            generate(&plan, reader.now().catalogue(), &mut |kind, cells| {
                files.row(kind, cells)
            })?;
            files.close()
        }
        None => {
            let session = Session::open(settings).map_err(|error| failure(&error))?;
            into_store(&session, &plan)?;
            session.close();
            Ok(())
        }
    }
}

fn into_store(session: &Session, plan: &Plan) -> Result<(), Failure> {
    let mut open: Option<(Kind, Loading<'_>, u64)> = None;
    let mut bar = Bar::of("rows", 0, None);
    let mut all = 0;
    let finish = |(kind, mut file, _): (Kind, Loading<'_>, u64)| -> Result<(), Failure> {
        file.mark_synthetic(plan.seed)
            .map_err(|error| failure(&error))?;
        let report = file.finish(false).map_err(|error| failure(&error))?;
        if let Some(error) = report.errors.first() {
            return Err(Failure::new(format!(
                "the invented {} were refused ({error}): please report this",
                name(kind)
            )));
        }
        writeln!(io::stdout(), "{}: {} rows", name(kind), report.rows)?;
        Ok(())
    };
    generate(
        plan,
        session.reader.now().catalogue(),
        &mut |kind, cells| {
            if open.as_ref().is_none_or(|(before, ..)| *before != kind) {
                if let Some(done) = open.take() {
                    finish(done)?;
                }
                open = Some((
                    kind,
                    session
                        .begin(kind, 9_500)
                        .map_err(|error| failure(&error))?,
                    0,
                ));
            }
            if let Some((_, file, rows)) = &mut open {
                *rows += 1;
                all += 1;
                file.row(
                    *rows,
                    &Cells {
                        columns: kind.columns(),
                        cells,
                    },
                )
                .map_err(|error| failure(&error))?;
                if all % 4_096 == 0 {
                    bar.show(all, all);
                }
            }
            Ok::<_, Failure>(())
        },
    )?;
    bar.clear();
    open.map_or(Ok(()), finish)
}

/// The name of a kind in commands and file names.
fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Cards => "cards",
        Kind::Sets => "sets",
        Kind::Sealed => "sealed",
        Kind::Prices => "prices",
        Kind::Sales => "sales",
        Kind::Population => "population",
        Kind::Rates => "rates",
    }
}

type Packed = csv::Writer<GzEncoder<BufWriter<NewFile>>>;

/// The files of a folder, one for each kind.
struct Files<'f> {
    folder: &'f Path,
    open: Option<(Kind, Packed)>,
    bar: Bar,
    rows: u64,
}

impl Files<'_> {
    fn row(&mut self, kind: Kind, cells: &[&[u8]]) -> Result<(), Failure> {
        if self.open.as_ref().is_none_or(|(before, _)| *before != kind) {
            self.close()?;
            let path = self.folder.join(format!("synthetic_{}.csv.gz", name(kind)));
            let packed =
                GzEncoder::new(BufWriter::new(NewFile::create(&path)?), Compression::fast());
            let mut writer = csv::WriterBuilder::new()
                .buffer_capacity(1 << 18)
                .from_writer(packed);
            writer
                .write_record(kind.columns().iter().map(|column| column.name))
                .map_err(unwritten)?;
            self.open = Some((kind, writer));
        }
        if let Some((_, writer)) = &mut self.open {
            writer.write_record(cells).map_err(unwritten)?;
        }
        self.rows += 1;
        if self.rows.is_multiple_of(4_096) {
            self.bar.show(self.rows, self.rows);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), Failure> {
        self.bar.clear();
        let Some((kind, writer)) = self.open.take() else {
            return Ok(());
        };
        let packed = writer
            .into_inner()
            .map_err(|error| io::Error::other(error.to_string()))?;
        let file = packed.finish()?.into_inner();
        file.map_err(|error| Failure::from(error.into_error()))?
            .complete()?;
        writeln!(
            io::stdout(),
            "{}",
            files::name(&self.folder.join(format!("synthetic_{}.csv.gz", name(kind))))
        )?;
        Ok(())
    }
}

fn unwritten(error: csv::Error) -> Failure {
    Failure::new(format!("cannot write the file: {error}"))
}
