//! `titledex-server serve`: the service, until it is told to stop.

use crate::service::{Service, failure};
use clap::Args;
use std::path::PathBuf;
use titledex_command::Failure;
use titledex_server::config::Logs;

pub(crate) const HELP: &str = "\
If the database does not exist, it is created, and the first administrator's key is
printed on standard output, once. Logs go to standard error; RUST_LOG filters them.
SIGTERM and Ctrl-C stop the service after the requests in flight are answered; SIGHUP
reloads the catalogue. docs/SERVICE.md describes endpoints, plans and settings.

Examples:
  titledex-server serve
  titledex-server serve --listen 0.0.0.0:8080 --database postgres://td@db/td --config td.toml

Exit codes: 0 stopped on request, 1 it could not start, 2 usage";

/// The options of `titledex-server serve`.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Address and port to listen on [default: 127.0.0.1:8080].
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Address and port where /metrics needs no key [default: none].
    #[arg(long, value_name = "ADDRESS")]
    metrics_listen: Option<String>,
    /// Use this index, built by `titledex catalogue build`, instead of the built-in catalogue.
    #[arg(long, value_name = "FILE")]
    catalogue: Option<PathBuf>,
    /// Serve the built playground in this folder at / [default: none].
    #[arg(long, value_name = "FOLDER")]
    playground: Option<PathBuf>,
    /// Write logs as JSON, one object a line.
    #[arg(long)]
    log_json: bool,
    #[command(flatten)]
    service: Service,
}

/// Runs the service until it is told to stop.
pub(crate) fn run(args: &Serve) -> Result<(), Failure> {
    let mut settings = args.service.settings()?;
    if let Some(listen) = &args.listen {
        settings.listen.clone_from(listen);
    }
    if args.metrics_listen.is_some() {
        settings.metrics_listen.clone_from(&args.metrics_listen);
    }
    if args.catalogue.is_some() {
        settings.catalogue.clone_from(&args.catalogue);
    }
    if args.playground.is_some() {
        settings.playground.clone_from(&args.playground);
    }
    if args.log_json {
        settings.logs = Logs::Json;
    }
    titledex_server::run::serve(settings).map_err(|error| failure(&error))
}
