//! `titledex-lab`: training, synthetic corpora, held-out figures and a synthetic market, for
//! developers of titledex.

mod catalogue;
mod corpus;
mod folds;
mod held_out;
#[cfg(feature = "market")]
mod market;
mod train;

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use titledex_command::Failure;

const EXAMPLES: &str = "\
Examples:
  titledex-lab corpus generate --seed 1 --titles 20000 -o titles.jsonl
  titledex-lab train labels.jsonl fixtures/golden/*.jsonl -o weights.csv
  titledex-lab market synthetic --seed 1 --days 30 --cards 2000 --into market/

Exit codes: 0 done, 1 a file or catalogue was refused, 2 usage";

/// Tools for developers of titledex: training, synthetic titles, held-out figures, a synthetic
/// market.
#[derive(Debug, Parser)]
#[command(
    name = "titledex-lab",
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
    /// Fit the weights of the evidence to labelled titles.
    #[command(after_help = train::HELP)]
    Train(train::Train),
    /// Score labelled titles, each answered with weights that were fitted without it.
    #[command(after_help = held_out::HELP)]
    HeldOut(held_out::HeldOut),
    /// Generate labelled titles from a catalogue, or count how real titles are written.
    #[command(subcommand, after_help = corpus::HELP)]
    Corpus(corpus::Command),
    /// Regenerate the tables of the built-in catalogue.
    #[command(subcommand)]
    Catalogue(catalogue::Command),
    /// Invent prices, sales and populations for tests and demonstrations.
    #[cfg(feature = "market")]
    #[command(subcommand)]
    Market(market::Command),
}

fn main() -> ExitCode {
    titledex_command::main("titledex-lab", run)
}

fn run(args: &Args) -> Result<bool, Failure> {
    match &args.command {
        Command::Train(args) => train::run(args)?,
        Command::HeldOut(args) => held_out::run(args)?,
        Command::Corpus(command) => corpus::run(command)?,
        Command::Catalogue(command) => catalogue::run(command)?,
        #[cfg(feature = "market")]
        Command::Market(market::Command::Synthetic(args)) => market::run(args)?,
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
