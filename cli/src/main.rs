//! `titledex`: reads listing titles, explains an answer, searches and builds catalogues, and scores
//! answers against labels.

mod args;
mod catalogue;
mod colour;
mod counts;
mod explain;
mod import;
mod input;
mod output;
mod parse;
mod resume;
mod score;
mod search;
mod shell;
mod slip;
mod stream;
mod table;
mod target;
mod text;

use args::{Args, Command};
use colour::Colours;
use std::process::ExitCode;
use titledex_command::Failure;

fn main() -> ExitCode {
    titledex_command::main("titledex", run)
}

/// Runs the command; returns whether every title could be read as given.
fn run(args: &Args) -> Result<bool, Failure> {
    let colours = Colours::for_stdout(args.color);
    match &args.command {
        Command::Parse(args) => return Ok(parse::run(args, colours)? == 0),
        Command::Explain(args) => return explain::run(args, colours),
        Command::Search(args) => search::run(args, colours)?,
        Command::Score(args) => score::run(args)?,
        Command::Catalogue(command) => catalogue::run(command)?,
        Command::Completions(args) => shell::completions(args)?,
        Command::Man(args) => shell::man(args)?,
    }
    Ok(true)
}
