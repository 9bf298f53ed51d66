//! `titledex-lab held-out`: the figures of `titledex score` for titles that the weights have not
//! seen.

use crate::folds::{fold, weights_of_folds};
use clap::Args;
use std::path::PathBuf;
use titledex::Engine;
use titledex_command::Failure;
use titledex_command::catalogue::{CatalogueFile, open, refused};
use titledex_command::score::{ReportOptions, answer_titles, read_labels, report};

pub(crate) const HELP: &str = "\
Labels are those of `titledex score`, and so are the figures.

Example:
  titledex-lab train labels.jsonl --held-out target/held-out -o weights.csv
  titledex-lab held-out labels.jsonl --weights target/held-out --slice venue

Exit codes: 0 done, 1 a file or catalogue was refused, 2 usage";

/// The options of `titledex-lab held-out`.
#[derive(Debug, Args)]
pub(crate) struct HeldOut {
    /// Labelled titles.
    #[arg(value_name = "LABELS")]
    labels: PathBuf,
    /// The folder of weights that `titledex-lab train --held-out` wrote.
    #[arg(long, value_name = "DIR")]
    weights: PathBuf,
    /// Also write the answers to this file, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    #[command(flatten)]
    report: ReportOptions,
    #[command(flatten)]
    from: CatalogueFile,
}

/// Answers each title with the weights of its fold, and prints the figures.
pub(crate) fn run(args: &HeldOut) -> Result<(), Failure> {
    let labels = read_labels(&args.labels)?;
    let catalogue = open(&args.from.or_first_game())?;
    let engines: Vec<Engine> = weights_of_folds(&args.weights)?
        .into_iter()
        .map(|(weights, outcome)| {
            let builder = Engine::builder(catalogue.clone()).weights(weights);
            match outcome {
                Some(outcome) => builder.outcome_weights(outcome).build(),
                None => builder.build(),
            }
        })
        .collect::<Result<_, _>>()
        .map_err(refused)?;
    let folds = engines.len() as u64;
    let answers = answer_titles(
        &labels,
        |title| &engines[fold(title, folds) as usize],
        args.answers.as_deref(),
    )?;
    report(&labels, &answers, &args.report)
}
