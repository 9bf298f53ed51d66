//! `titledex-server market`: corrections, and `catalogue`: an index of a catalogue and of the cards
//! that only the database has.

use crate::corrections::Correction;
use crate::service::{Service, failure};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use titledex_command::catalogue::{Bound, rows_of, write_index};
use titledex_command::output::refuse_inputs;
use titledex_command::{Failure, say};
use titledex_server::catalogue::Reader;
use titledex_server::market::extend_catalogue::extend_catalogue;
use titledex_server::market::load::session::Session;

const CATALOGUE_HELP: &str = "\
Search and title reading know only the cards of an index. Cards that were imported on
top of the catalogue are found once the service uses an index that includes them: run
this after such an import, then start the service with the index, or send SIGHUP.

Examples:
  titledex-server market catalogue -o cards.index
  titledex-server market catalogue own.csv.gz -o cards.index --database postgres://td@db/td

Exit codes: 0 done, 1 a file or the database was refused, 2 usage";

/// Commands for the cards of the database.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build an index of a catalogue and of the cards that only the database has.
    #[command(after_help = CATALOGUE_HELP)]
    Catalogue(WithStore),
    #[command(flatten)]
    Correct(Correction),
}

/// The options of `titledex-server market catalogue`.
#[derive(Debug, Args)]
pub(crate) struct WithStore {
    /// Files of cards, as for `titledex catalogue build` [default: the built-in catalogue].
    #[arg(value_name = "CARDS")]
    cards: Vec<PathBuf>,
    /// Sets as JSON Lines, gzip or not.
    #[arg(long, value_name = "FILE", requires = "cards")]
    sets: Option<PathBuf>,
    /// The index to write; it is replaced whole, or left as it was.
    #[arg(long, short, value_name = "INDEX")]
    output: PathBuf,
    /// The name that `titledex catalogue info` shows [default: the file's name].
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    bound: Bound,
    #[command(flatten)]
    service: Service,
}

/// Runs a command.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Catalogue(args) => catalogue(args),
        Command::Correct(correction) => correction.run(),
    }
}

/// Writes the index.
fn catalogue(args: &WithStore) -> Result<(), Failure> {
    let mut settings = args.service.settings()?;
    let database = settings.database.strip_prefix("sqlite:").map(Path::new);
    refuse_inputs(&args.output, database)?;
    let built_in = Reader::open(None, &settings.games);
    let games = match (args.cards.is_empty(), built_in) {
        (true, Ok(reader)) => reader.now().games().open().to_vec(),
        (true, Err(error)) => return Err(failure(&error)),
        (false, _) => Vec::new(),
    };
    let mut rows = rows_of(
        &args.cards,
        args.sets.as_deref(),
        &games,
        &args.output,
        &args.bound,
    )?;
    // The index of the settings may be the one that is about to be written.
    settings.catalogue = None;
    settings.market.fill = false;
    let session = Session::open_existing(settings).map_err(|error| failure(&error))?;
    let added = session
        .wait(extend_catalogue(&session.store, &mut rows))
        .map_err(|error| failure(&error));
    session.close();
    let added = added?;
    write_index(&rows, &args.output, args.name.as_deref())?;
    say(&format!("{added} of them are cards of the store alone"));
    Ok(())
}
