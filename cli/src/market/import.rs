//! `titledex import`: files into the market of the service.

use super::args::{Import, Rows};
use super::table::Table;
use crate::failure::{Failure, say};
use crate::serve::{said, settings};
use std::io::{self, Write};
use std::path::Path;
use titledex_server::market::load::session::Session;
use titledex_server::market::load::{Kind, MOST_ERRORS, Report};

/// Imports each file in turn; tells whether all rows were right.
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
    let session = Session::open(settings(&args.service)?).map_err(|error| said(&error))?;
    let mut right = true;
    for path in &args.files {
        let report = file(&session, kind, path, args)?;
        right &= report.errors.is_empty();
        tell(path, &report, args.dry_run)?;
    }
    session.close();
    Ok(right)
}

fn file(session: &Session, kind: Kind, path: &Path, args: &Import) -> Result<Report, Failure> {
    let mut file = session
        .begin(kind, args.confidence)
        .map_err(|error| said(&error))?;
    Table::of(path, kind.columns(), args.ignore_columns).each(&mut |number, row| match row {
        Ok(cells) => file.row(number, &cells).map_err(|error| said(&error)),
        Err(wrong) => Ok(file.refuse(number, wrong)),
    })?;
    file.finish(args.dry_run).map_err(|error| said(&error))
}

fn tell(path: &Path, report: &Report, dry: bool) -> Result<(), Failure> {
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
    if report.matched + report.review + report.known + report.lots + report.no_cards > 0 {
        let Report {
            matched,
            review,
            known,
            lots,
            no_cards,
            ..
        } = report;
        write!(
            out,
            ": {matched} sales, {review} to review, {known} known before, {lots} lots and {no_cards} that are no cards left out"
        )?;
    }
    writeln!(out)?;
    Ok(out.flush()?)
}
