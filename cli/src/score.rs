//! `titledex score`: answers against labelled titles.

use clap::Args;
use std::path::PathBuf;
use titledex_command::catalogue::{CatalogueFile, engine};
use titledex_command::score::{
    ReportOptions, answer_titles, read_answers, read_labels, report, report_unknown_cards,
};
use titledex_command::{Failure, output};

pub(crate) const HELP: &str = "\
Labels are JSON Lines, gzip or not: `title`, `outcome`, `cards`, and the attributes
to judge. Without PREDICTIONS the titles of the labels are parsed now; with it, the
answers of `titledex parse` are read from that file and joined by exact title.

Examples:
  titledex score dev.jsonl --slice venue --slice script --errors 20
  titledex score labels.jsonl predictions.jsonl --json

Exit codes: 0 done, 1 a file or catalogue was refused, 2 usage";

/// The options of `titledex score`.
#[derive(Debug, Args)]
pub(crate) struct Score {
    /// Labelled titles.
    #[arg(value_name = "LABELS")]
    labels: PathBuf,
    /// Answers of `titledex parse` to the same titles [default: parse the titles now].
    #[arg(value_name = "PREDICTIONS", conflicts_with = "catalogue")]
    predictions: Option<PathBuf>,
    /// Also write the answers to this file, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    #[command(flatten)]
    report: ReportOptions,
    #[command(flatten)]
    from: CatalogueFile,
}

/// Scores the answers and prints the figures.
pub(crate) fn run(args: &Score) -> Result<(), Failure> {
    if let Some(output) = &args.answers {
        let catalogue = args.from.catalogue.as_deref();
        output::refuse_inputs(output, catalogue.into_iter().chain([args.labels.as_path()]))?;
    }
    let labels = read_labels(&args.labels)?;
    let answers = match &args.predictions {
        Some(path) => read_answers(path, &labels)?,
        None => {
            let engine = engine(&args.from)?;
            report_unknown_cards(&labels, engine.catalogue());
            answer_titles(&labels, |_| &engine, args.answers.as_deref())?
        }
    };
    report(&labels, &answers, &args.report)
}
