//! The command line: the commands, and the options that several of them share.

use crate::colour::When;
use crate::explain::Explain;
use crate::parse::Parse;
use crate::score::Score;
use crate::search::Search;
use crate::shell::{Completions, Man};
use crate::{catalogue, explain, parse, score, search, shell};
use clap::builder::RangedU64ValueParser;
use clap::{Parser, Subcommand};
use titledex_command::catalogue::CatalogueFile;

const EXAMPLES: &str = "\
Examples:
  titledex parse '1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT'
  titledex parse --input listings.csv --column name --output answers.jsonl
  titledex explain 'Umbreon VMAX 215/203 Evolving Skies NM'

Exit codes: 0 done, 1 file or catalogue refused, 2 usage, 3 unreadable title, 4 output in use";

/// Reads collectible-card listing titles: what is being sold, and which catalogue card it is.
#[derive(Debug, Parser)]
#[command(
    name = "titledex",
    version,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = EXAMPLES
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Colours: auto (a terminal without NO_COLOR), always or never.
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        hide_possible_values = true
    )]
    pub(crate) color: When,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Read titles and write one answer for each.
    #[command(after_help = parse::HELP)]
    Parse(Parse),
    /// Show how one title was read, which cards it can be, and why the runner-up lost.
    #[command(after_help = explain::HELP)]
    Explain(Explain),
    /// Find cards by name, number, set or artist.
    #[command(after_help = search::HELP)]
    Search(Search),
    /// Measure answers against labelled titles.
    #[command(after_help = score::HELP)]
    Score(Score),
    /// Build, inspect and pack catalogues.
    #[command(subcommand, after_help = catalogue::HELP)]
    Catalogue(catalogue::Command),
    /// Print what completes words in bash, zsh, fish, powershell or elvish.
    #[command(after_help = shell::COMPLETIONS_HELP)]
    Completions(Completions),
    /// Write the manual pages to a folder.
    #[command(after_help = shell::MAN_HELP, hide = true)]
    Man(Man),
}

/// The largest `--max-suggestions`.
const MOST_SUGGESTIONS: u64 = titledex::Options::MAX_SUGGESTIONS as u64;

/// How titles are matched with the catalogue.
#[derive(Debug, clap::Args)]
pub(crate) struct Matching {
    /// Suggest at most this many cards for a title, 1 to 50.
    #[arg(long, value_name = "N", default_value = "5", allow_negative_numbers = true, value_parser = RangedU64ValueParser::<usize>::new().range(1..=MOST_SUGGESTIONS))]
    pub(crate) max_suggestions: usize,
    /// Read names, sets and words only as spelled: none that are misspelt, cut off or sound alike,
    /// but those whose misspelling the dictionaries list. A number may still be a digit off.
    #[arg(long)]
    pub(crate) no_fuzzy: bool,
    #[command(flatten)]
    pub(crate) from: CatalogueFile,
}

impl Matching {
    /// The options of the core, with room for at least `least` cards.
    pub(crate) fn options(&self, least: usize) -> titledex::Options {
        titledex::Options::new()
            .max_suggestions(self.max_suggestions.max(least))
            .fuzzy(!self.no_fuzzy)
    }
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
