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
use clap::error::{ContextKind, ContextValue};
use colour::Colours;
use std::process::ExitCode;
use titledex_command::{Failure, shown};

fn main() -> ExitCode {
    titledex_command::main_with_advice("titledex", title_in_place_of_command, run)
}

/// What to write where a title stands in place of a command.
fn title_in_place_of_command(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(first)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    // a command that was misspelt
    if error.get(ContextKind::SuggestedSubcommand).is_some() {
        return None;
    }
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let title: Vec<String> = words.skip(1).skip_while(|word| word != first).collect();
    let title = shown(&title.join(" ")).replace('\'', r"'\''");
    Some(format!("To read a title: titledex parse '{title}'"))
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
