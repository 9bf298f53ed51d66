//! `titledex-server review`: sold listings that wait for a decision.

use crate::service::Service;
use clap::{Args, Subcommand, ValueEnum};
use titledex_command::Failure;
use titledex_server::admin::Task;
use titledex_server::store::market::ReviewStatus;

pub(crate) const HELP: &str = "\
Sold listings that were matched with too little confidence wait here for a person.
Answers are JSON, one object a line. The service's page /review shows the same.

Examples:
  titledex-server review list --limit 5
  titledex-server review accept 7 --card base1-4:unlimited-holofoil --grade GRADER_A_10
  titledex-server review reject 8

Exit codes: 0 done, 1 refused, or the database did not answer, 2 usage";

/// The options of `titledex-server review`.
#[derive(Debug, Args)]
pub(crate) struct Review {
    #[command(subcommand)]
    what: Decision,
    #[command(flatten)]
    service: Service,
}

/// What to do with listings under review.
#[derive(Debug, Subcommand)]
enum Decision {
    /// List listings, oldest first.
    List {
        /// Only listings with this status.
        #[arg(long, value_enum, default_value = "open")]
        status: Status,
        /// Maximum number of listings.
        #[arg(long, value_name = "NUMBER", default_value = "50", value_parser = clap::value_parser!(i64).range(1..))]
        limit: i64,
        /// Only listings after this number.
        #[arg(long, value_name = "NUMBER", default_value = "0")]
        after: i64,
    },
    /// Show one listing.
    Show {
        /// Number of the listing.
        listing: i64,
    },
    /// Record a listing as a sale.
    Accept {
        /// Number of the listing.
        listing: i64,
        /// The marketplaceId of what was sold [default: the best guess].
        #[arg(long, value_name = "ID")]
        card: Option<String>,
        /// Its grade, or '' for a raw card [default: as read].
        #[arg(long, value_name = "GRADE")]
        grade: Option<String>,
    },
    /// Dismiss a listing: it is not the sale of a card.
    Reject {
        /// Number of the listing.
        listing: i64,
    },
}

/// The status of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Status {
    /// Not decided yet.
    Open,
    /// Recorded as a sale.
    Accepted,
    /// Not the sale of a card.
    Rejected,
}

/// Shows or decides listings under review.
pub(crate) fn run(args: &Review) -> Result<(), Failure> {
    args.service.print(match &args.what {
        Decision::List {
            status,
            limit,
            after,
        } => {
            let status = match status {
                Status::Open => ReviewStatus::Open,
                Status::Accepted => ReviewStatus::Accepted,
                Status::Rejected => ReviewStatus::Rejected,
            };
            Task::ListReview {
                status,
                after: *after,
                limit: *limit,
            }
        }
        Decision::Show { listing } => Task::ShowReview { id: *listing },
        Decision::Accept {
            listing,
            card,
            grade,
        } => Task::AcceptReview {
            id: *listing,
            marketplace_id: card.clone(),
            grade: grade.clone(),
        },
        Decision::Reject { listing } => Task::RejectReview { id: *listing },
    })
}
