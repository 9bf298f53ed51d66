//! `titledex market synthetic`: an invented market, into files or into the store.

use super::args::Synthetic;
use crate::failure::Failure;
use crate::progress::Bar;
use crate::serve::{said, settings};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use titledex_server::catalogue::Reader;
use titledex_server::clock::Clock;
use titledex_server::market::Day;
use titledex_server::market::load::session::{File as Loading, Session};
use titledex_server::market::load::{Cells, Kind};
use titledex_server::market::synthetic::{Plan, generate};

/// Invents the market.
pub(crate) fn run(args: &Synthetic) -> Result<(), Failure> {
    let until = match &args.until {
        Some(text) => Day::parse(text)
            .ok_or_else(|| Failure::new(format!("--until {text}: write a day, as 2026-11-20")))?,
        None => Day(Clock::System.now().day()),
    };
    let plan = Plan {
        seed: args.seed,
        days: i64::from(args.days),
        until,
        cards: args.cards,
        printings: args.printings,
        sales: args.sales,
    };
    let settings = settings(&args.service)?;
    match &args.into {
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|error| Failure::file("make", folder, &error))?;
            let reader = Reader::open(settings.catalogue).map_err(|error| said(&error))?;
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
            let session = Session::open(settings).map_err(|error| said(&error))?;
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
            .map_err(|error| said(&error))?;
        let report = file.finish(false).map_err(|error| said(&error))?;
        if let Some(error) = report.errors.first() {
            return Err(Failure::new(format!(
                "the invented {} are not taken ({error}): report it",
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
                    session.begin(kind, 9_500).map_err(|error| said(&error))?,
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
                .map_err(|error| said(&error))?;
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

/// The name of a kind, as commands and files have it.
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

type Packed = csv::Writer<GzEncoder<BufWriter<File>>>;

/// Files of a folder, a kind each.
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
            let file =
                File::create(&path).map_err(|error| Failure::file("write", &path, &error))?;
            let packed = GzEncoder::new(BufWriter::new(file), Compression::fast());
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
        packed.finish()?.flush()?;
        writeln!(
            io::stdout(),
            "{}",
            self.folder
                .join(format!("synthetic_{}.csv.gz", name(kind)))
                .display()
        )?;
        Ok(())
    }
}

fn unwritten(error: csv::Error) -> Failure {
    Failure::new(format!("cannot write the file: {error}"))
}
