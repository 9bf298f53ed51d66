//! `titledex-lab catalogue tables`: regenerates the text tables of the built-in catalogue.

mod game;
mod special;
mod supplement;

use clap::{Args, Subcommand};
use std::path::PathBuf;
use titledex::internals::build::input;
use titledex::internals::build::rows::Rows;
use titledex_command::catalogue::{refused, report_contradictions};
use titledex_command::output::write_whole;
use titledex_command::{Failure, files, say};

const TABLES_HELP: &str = "\
The first file of cards and the first of sets are the catalogue. What further files
repeat is left as it is, and their differences are reported. No id of a card changes.

Example:
  titledex-lab catalogue tables --cards cards.jsonl.gz --sets sets.jsonl.gz \\
    --printings printings.csv -o embedded/tables";

const GAME_HELP: &str = "\
Example:
  titledex-lab catalogue game --cards magic/cards.jsonl.gz --sets magic/sets.jsonl.gz \\
    -o embedded/tables/magic";

/// Regenerate the tables of the built-in catalogue.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write cards.csv and sets.csv, the sorted tables from which the built-in catalogue is built.
    #[command(after_help = TABLES_HELP)]
    Tables(Tables),
    /// Write the packed tables of another game: cards, sets, and the names that prints share.
    #[command(after_help = GAME_HELP)]
    Game {
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

/// What the tables are made of.
#[derive(Debug, Args)]
pub(crate) struct Tables {
    /// Cards as JSON Lines, gzip or not; further files add what the first lacks.
    #[arg(long, value_name = "FILE", required = true)]
    cards: Vec<PathBuf>,
    /// Sets as JSON Lines, gzip or not; further files add what the first lacks.
    #[arg(long, value_name = "FILE", required = true)]
    sets: Vec<PathBuf>,
    /// Printings of cards that have none: CSV with the columns id, name, printings.
    #[arg(long, value_name = "FILE")]
    printings: Option<PathBuf>,
    /// Illustrators of cards that have none: CSV with the columns id, name, illustrator.
    #[arg(long, value_name = "FILE")]
    illustrators: Option<PathBuf>,
    /// Products of TCGplayer that are special prints of cards, as JSON Lines.
    #[arg(long, value_name = "FILE")]
    special_prints: Option<PathBuf>,
    /// The folder to write into; it is created if it does not exist.
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
}

/// Runs one of the commands.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Tables(args) => tables(args),
        Command::Game {
            cards,
            sets,
            output,
        } => game::tables(cards, sets, output),
    }
}

fn tables(args: &Tables) -> Result<(), Failure> {
    let mut rows = Rows::default();
    for (at, path) in args.sets.iter().enumerate() {
        let bytes = files::read(path)?;
        let name = files::name(path);
        if at == 0 {
            input::jsonl_sets(&name, &bytes, &mut rows).map_err(refused)?;
        } else {
            let mut more = Rows::default();
            input::jsonl_sets(&name, &supplement::trimmed(&bytes), &mut more).map_err(refused)?;
            supplement::add_sets(&name, &mut rows, more.sets)?;
        }
    }
    for (at, path) in args.cards.iter().enumerate() {
        let bytes = files::read(path)?;
        let name = files::name(path);
        if at == 0 {
            input::jsonl_cards(&name, &bytes, &mut rows).map_err(refused)?;
        } else {
            let mut more = Rows::default();
            input::jsonl_cards(&name, &supplement::trimmed(&bytes), &mut more).map_err(refused)?;
            supplement::add_cards(&name, &mut rows, more.cards)?;
        }
    }
    if let Some(path) = &args.printings {
        supplement::fill_printings(&files::name(path), &files::read(path)?, &mut rows)?;
    }
    if let Some(path) = &args.illustrators {
        supplement::fill_illustrators(&files::name(path), &files::read(path)?, &mut rows)?;
    }
    if let Some(path) = &args.special_prints {
        special::add(&files::name(path), &files::read(path)?, &mut rows)?;
    }
    supplement::fill_products(&mut rows)?;
    supplement::mend_set_names(&mut rows)?;
    report_contradictions(&rows)?;
    let (card_table, set_table) = input::write_tables(&rows);
    let output = &args.output;
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
