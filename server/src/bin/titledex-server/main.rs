//! `titledex-server`: the HTTP service of titledex, and what its operator does in its database.

mod admin;
mod corrections;
mod export;
mod import;
mod market;
mod refresh;
mod review;
mod serve;
mod service;

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use titledex_command::Failure;

const EXAMPLES: &str = "\
Examples:
  titledex-server serve --listen 127.0.0.1:8080 --database sqlite:titledex.db
  titledex-server admin account create 'Price site' --plan api --key laptop
  titledex-server import prices prices.csv.gz

Exit codes: 0 done, 1 refused or failed, 2 usage, 3 rows of an import were wrong";

/// The HTTP service of titledex: parse-title, prices and populations, with accounts and credits.
#[derive(Debug, Parser)]
#[command(
    name = "titledex-server",
    version,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = EXAMPLES
)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
enum Command {
    /// Answer requests over HTTP.
    #[command(after_help = serve::HELP)]
    Serve(serve::Serve),
    /// Manage accounts, keys and plans, and show usage.
    #[command(after_help = admin::HELP)]
    Admin(admin::Admin),
    /// Load cards, prices, sales and populations into the database.
    #[command(after_help = import::HELP)]
    Import(import::Import),
    /// Decide on sold listings that were matched with too little confidence.
    #[command(after_help = review::HELP)]
    Review(review::Review),
    /// Write the files of the daily export now.
    #[command(after_help = export::HELP)]
    Export(export::Export),
    /// Import the files of a folder, then make the exports: the steps of a day.
    #[command(after_help = refresh::HELP)]
    Refresh(refresh::Refresh),
    /// Correct prices, sales and cards, undo changes, and put imported cards into an index.
    #[command(subcommand)]
    Market(market::Command),
}

fn main() -> ExitCode {
    titledex_command::main("titledex-server", run)
}

/// Runs the command; returns whether every row of an import was right.
fn run(args: &Args) -> Result<bool, Failure> {
    match &args.command {
        Command::Serve(args) => serve::run(args)?,
        Command::Admin(args) => admin::run(args)?,
        Command::Import(args) => return import::run(args),
        Command::Review(args) => review::run(args)?,
        Command::Export(args) => export::run(args)?,
        Command::Refresh(args) => return refresh::run(args),
        Command::Market(command) => market::run(command)?,
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::Args;
    use clap::CommandFactory;

    #[test]
    fn command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
