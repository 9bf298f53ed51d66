//! `titledex-server export`: the files of the daily export.

use crate::service::Service;
use clap::{Args, ValueEnum};
use titledex_command::Failure;
use titledex_server::admin::Task;
use titledex_server::market::export::Dataset;

pub(crate) const HELP: &str = "\
Writes the files behind /api/v2/export, as the service does every day at 06:00 UTC:
CSV compressed with gzip, in the folder or bucket of the settings. The previous file
stays in place until the new one is complete.

Examples:
  titledex-server export
  titledex-server export cards population --config td.toml

Exit codes: 0 done, 1 refused, or the database did not answer, 2 usage";

/// The options of `titledex-server export`.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Which datasets [default: all].
    #[arg(value_enum, value_name = "DATASET")]
    datasets: Vec<Exported>,
    #[command(flatten)]
    service: Service,
}

/// A dataset of the export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Exported {
    /// Printings of cards with their prices.
    Cards,
    /// Sealed products with their prices.
    Sealed,
    /// Summaries of graded sales.
    Auction,
    /// Populations by grader.
    Population,
}

/// Writes the files.
pub(crate) fn run(args: &Export) -> Result<(), Failure> {
    let datasets = match args.datasets.as_slice() {
        [] => Dataset::ALL.to_vec(),
        named => named
            .iter()
            .map(|named| match named {
                Exported::Cards => Dataset::Cards,
                Exported::Sealed => Dataset::Sealed,
                Exported::Auction => Dataset::Auction,
                Exported::Population => Dataset::Population,
            })
            .collect(),
    };
    args.service.print(Task::Export { datasets })
}
