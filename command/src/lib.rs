//! Shared by the programs `titledex`, `titledex-server` and `titledex-lab`.
//!
//! [`main`] reads the command line and turns a [`Failure`] into a message and an exit code.
//! [`catalogue`] opens and builds catalogues, [`files`] and [`source`] read files, [`output`]
//! writes them, [`spreadsheet`] makes cells safe, [`progress`] draws a bar, [`score`] compares
//! answers with labels.

pub mod catalogue;
mod failure;
pub mod files;
pub mod output;
pub mod progress;
pub mod score;
mod shown;
pub mod source;
pub mod spreadsheet;

pub use failure::{Failure, say};
pub use shown::{shown, visible};

use clap::Parser;
use std::io::{self, Write};
use std::process::ExitCode;

/// Exit code of a run that finished, but met rows that it could not read as given.
pub const EXIT_ROWS: u8 = 3;
/// Exit code of a command line that was not understood.
const EXIT_USAGE: u8 = 2;
/// Exit code of a run that another one keeps from its work.
const EXIT_BUSY: u8 = 4;

/// Runs the program called `name`: reads its arguments, calls `run`, and reports a failure on
/// standard error.
///
/// `run` returns whether every row could be read as given; if not, the exit code is [`EXIT_ROWS`].
pub fn main<A: Parser>(
    name: &'static str,
    run: impl FnOnce(&A) -> Result<bool, Failure>,
) -> ExitCode {
    main_with_advice(name, |_| None, run)
}

/// As [`main`]; `advice` is what a usage error ends with, where there is any.
pub fn main_with_advice<A: Parser>(
    name: &'static str,
    advice: impl FnOnce(&clap::Error) -> Option<String>,
    run: impl FnOnce(&A) -> Result<bool, Failure>,
) -> ExitCode {
    failure::set_program(name);
    let arguments = match A::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error, advice(&error)),
    };
    match run(&arguments) {
        Ok(true) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(EXIT_ROWS),
        Err(Failure::Said(message)) => {
            say(&message);
            ExitCode::FAILURE
        }
        Err(Failure::Usage(message)) => {
            say(&message);
            ExitCode::from(EXIT_USAGE)
        }
        Err(Failure::Busy(message)) => {
            say(&message);
            ExitCode::from(EXIT_BUSY)
        }
    }
}

/// Prints what clap has to say: help and version on standard output (exit code 0), a usage error on
/// standard error (exit code 2), with the advice.
fn refuse(error: &clap::Error, advice: Option<String>) -> ExitCode {
    if !error.use_stderr() {
        // Fails if the reader of the output has gone, which is not an error.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let advice = advice.map_or_else(String::new, |advice| format!("{advice}\n"));
    let text = format!("{error}{advice}");
    match text.strip_prefix("error: ") {
        Some(message) => say(message.trim_end()),
        None => drop(io::stderr().lock().write_all(text.as_bytes())),
    }
    ExitCode::from(EXIT_USAGE)
}
