//! `titledex-lab catalogue tables`: regenerates the text tables of the built-in catalogue.

use clap::Subcommand;
use std::path::{Path, PathBuf};
use titledex::internals::build::input;
use titledex::internals::build::rows::Rows;
use titledex_command::catalogue::refused;
use titledex_command::output::write_whole;
use titledex_command::{Failure, files, say};

const TABLES_HELP: &str = "\
Example:
  titledex-lab catalogue tables --cards cards.jsonl.gz --sets sets.jsonl.gz \\
    -o embedded/tables";

/// Regenerate the tables of the built-in catalogue.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write cards.csv and sets.csv, the sorted tables from which the built-in catalogue is built.
    #[command(after_help = TABLES_HELP)]
    Tables {
        /// Cards as JSON Lines, gzip or not.
        #[arg(long, value_name = "FILE")]
        cards: PathBuf,
        /// Sets as JSON Lines, gzip or not.
        #[arg(long, value_name = "FILE")]
        sets: PathBuf,
        /// The folder to write into; it is created if it does not exist.
        #[arg(long, short, value_name = "DIR")]
        output: PathBuf,
    },
}

/// Runs one of the commands.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    let Command::Tables {
        cards,
        sets,
        output,
    } = command;
    tables(cards, sets, output)
}

fn tables(cards: &Path, sets: &Path, output: &Path) -> Result<(), Failure> {
    let mut rows = Rows::default();
    let bytes = files::read(sets)?;
    input::jsonl_sets(&files::name(sets), &bytes, &mut rows).map_err(refused)?;
    let bytes = files::read(cards)?;
    input::jsonl_cards(&files::name(cards), &bytes, &mut rows).map_err(refused)?;
    let (card_table, set_table) = input::write_tables(&rows);
    std::fs::create_dir_all(output).map_err(|error| Failure::file("make", output, &error))?;
    write_whole(&output.join("cards.csv"), &card_table)?;
    write_whole(&output.join("sets.csv"), &set_table)?;
    say(&format!(
        "{}: {} cards, {} sets",
        files::name(output),
        rows.cards.len(),
        rows.sets.len()
    ));
    Ok(())
}
