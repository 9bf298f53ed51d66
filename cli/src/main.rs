//! `titledex`: reads listing titles from the command line, explains an answer, builds catalogues and scores against labels.

mod args;
mod catalogue;
mod colour;
mod corpus;
mod explain;
mod failure;
mod files;
mod input;
#[cfg(feature = "server")]
mod market;
mod output;
mod parse;
mod progress;
mod resume;
mod score;
#[cfg(feature = "server")]
mod serve;
mod stream;
mod target;
mod text;
mod train;

use args::{Args, Command};
use clap::Parser;
use failure::{Failure, say};
use std::process::ExitCode;

/// Some input line could not be read as given.
const EXIT_LINES: u8 = 3;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return args::refuse(&error),
    };
    match run(&args) {
        Ok(code) => code,
        Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Said(message)) => {
            say(&message);
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<ExitCode, Failure> {
    let colours = colour::Colours::for_stdout(args.color);
    match &args.command {
        Command::Parse(args) => {
            let refused = parse::run(args, colours)?;
            return Ok(if refused == 0 {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(EXIT_LINES)
            });
        }
        Command::Explain(args) => {
            let as_given = explain::run(args, colours)?;
            return Ok(if as_given {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(EXIT_LINES)
            });
        }
        Command::Catalogue(command) => catalogue::run(command)?,
        Command::Score(args) => score::run(args)?,
        Command::Train(args) => train::run(args)?,
        Command::Corpus(command) => corpus::run(command)?,
        #[cfg(feature = "server")]
        Command::Serve(args) => serve::run(args)?,
        #[cfg(feature = "server")]
        Command::Admin(args) => serve::admin(args)?,
        #[cfg(feature = "server")]
        Command::Review(args) => serve::review(args)?,
        #[cfg(feature = "server")]
        Command::Export(args) => serve::export(args)?,
        #[cfg(feature = "server")]
        Command::Market(market::args::Market::Synthetic(args)) => market::synthetic::run(args)?,
        #[cfg(feature = "server")]
        Command::Market(market::args::Market::Catalogue(args)) => market::catalogue::run(args)?,
        #[cfg(feature = "server")]
        Command::Import(args) => {
            let right = market::import::run(args)?;
            return Ok(if right {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(EXIT_LINES)
            });
        }
    }
    Ok(ExitCode::SUCCESS)
}
