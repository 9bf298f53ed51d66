//! `titledex-server refresh`: the steps of a day at once.

use crate::service::{Service, failure};
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;
use titledex_command::Failure;

pub(crate) const HELP: &str = "\
Imports the files of the folder, as a service that watches it does, and then makes the
exports. A file is imported when it was not changed for as long as the settings say (ten
seconds); its name begins with its kind: prices-2026-11-21.csv.gz. It is moved to done or
failed in the folder, with its report beside it. docs/MARKET.md describes the rules.

Examples:
  titledex-server refresh --config /etc/titledex/titledex.toml
  titledex-server refresh inbox --database postgres://td@db/td

Exit codes: 0 done, 1 a file, an export or the database was refused, 2 usage, 3 rows were wrong";

/// The options of `titledex-server refresh`.
#[derive(Debug, Args)]
pub(crate) struct Refresh {
    /// The folder [default: `imports.watch` of the settings; without it, exports are made only].
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    service: Service,
}

/// Imports and exports; returns whether all rows were right.
pub(crate) fn run(args: &Refresh) -> Result<bool, Failure> {
    let settings = args.service.settings()?;
    let folder = args
        .folder
        .clone()
        .or_else(|| settings.imports.watch.clone());
    let done = titledex_server::refresh::run(&settings, folder.as_deref())
        .map_err(|error| failure(&error))?;
    let mut out = io::stdout().lock();
    for line in &done.lines {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    if done.failed > 0 {
        return Err(Failure::new(format!(
            "{} files were not imported: the reports in the folder failed, or the lines above, say why",
            done.failed
        )));
    }
    Ok(done.wrong == 0)
}
