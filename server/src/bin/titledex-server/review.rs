//! `titledex-server review`: sold listings that wait for a decision.

use crate::service::Service;
use clap::{Args, Subcommand, ValueEnum};
use titledex_command::Failure;
use titledex_server::admin::Task;
use titledex_server::admin::market::MarketTask;
use titledex_server::market::Money;
use titledex_server::store::market::{
    BulkVerdict, ListingKind, ReviewFilter, ReviewStatus, Undoing,
};

pub(crate) const HELP: &str = "\
Sold listings that were matched with too little confidence wait here for a person.
Answers are JSON, one object a line. The service's page /review shows the same.

Examples:
  titledex-server review list --limit 5
  titledex-server review accept 7 --card base1-4:unlimited-holofoil --grade GRADER_A_10
  titledex-server review reject 8
  titledex-server review list --reason low_confidence --max-price 20
  titledex-server review reject-all --reason other_goods --expect 37
  titledex-server review undo 12

A decision has the number of a change (`change`), by which it can be undone within thirty
days. `accept-all` and `reject-all` decide about at most 1,000 listings, and about none if
their count is not the expected one.

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
        /// Only listings about which the change of this number decided.
        #[arg(long, value_name = "CHANGE")]
        change: Option<i64>,
        #[command(flatten)]
        filter: Filter,
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
    /// Record all open listings that fit as sales, each of its best guess.
    AcceptAll {
        #[command(flatten)]
        filter: Filter,
        /// How many fit.
        #[arg(long, value_name = "COUNT")]
        expect: u32,
        /// The marketplaceId of what was sold in all of them [default: each one's best guess].
        #[arg(long, value_name = "ID")]
        card: Option<String>,
        /// The grade of all of them, or '' for raw cards [default: as read].
        #[arg(long, value_name = "GRADE")]
        grade: Option<String>,
    },
    /// Dismiss all open listings that fit.
    RejectAll {
        #[command(flatten)]
        filter: Filter,
        /// How many fit.
        #[arg(long, value_name = "COUNT")]
        expect: u32,
    },
    /// Take a decision back: its listings wait again, and their sales are gone.
    Undo {
        /// Number of the change that decided.
        change: i64,
    },
}

/// Which listings.
#[derive(Debug, Args)]
struct Filter {
    /// Why they wait, such as low_confidence.
    #[arg(long)]
    reason: Option<String>,
    /// The id of the set of the best guess.
    #[arg(long, value_name = "SET")]
    set: Option<String>,
    /// Words of their titles.
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,
    /// What they seem to sell.
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// The listing's currency.
    #[arg(long)]
    currency: Option<String>,
    /// At least this was paid, in the listing's currency.
    #[arg(long, value_name = "AMOUNT", value_parser = amount)]
    min_price: Option<Money>,
    /// At most this was paid, in the listing's currency.
    #[arg(long, value_name = "AMOUNT", value_parser = amount)]
    max_price: Option<Money>,
    /// The best guess is at least as sure, from 0 to 1.
    #[arg(long, value_name = "PROBABILITY", value_parser = amount)]
    min_confidence: Option<Money>,
    /// The best guess is at most as sure, from 0 to 1.
    #[arg(long, value_name = "PROBABILITY", value_parser = amount)]
    max_confidence: Option<Money>,
}

/// What a listing seems to sell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A card.
    Single,
    /// A sealed product.
    Sealed,
}

fn amount(text: &str) -> Result<Money, String> {
    text.parse()
        .map_err(|_| "write a number with at most four decimals".to_owned())
}

impl Filter {
    fn of(&self) -> ReviewFilter {
        ReviewFilter {
            status: ReviewStatus::Open,
            reason: self.reason.clone(),
            set: self.set.clone(),
            words: self.search.clone(),
            kind: self.kind.map(|kind| match kind {
                Kind::Single => ListingKind::Single,
                Kind::Sealed => ListingKind::Sealed,
            }),
            min_price: self.min_price,
            max_price: self.max_price,
            currency: self.currency.clone(),
            min_confidence: self.min_confidence,
            max_confidence: self.max_confidence,
            decision: None,
        }
    }
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
    args.service.print(Task::Market(match &args.what {
        Decision::List {
            status,
            change,
            filter,
            limit,
            after,
        } => {
            let status = match status {
                Status::Open => ReviewStatus::Open,
                Status::Accepted => ReviewStatus::Accepted,
                Status::Rejected => ReviewStatus::Rejected,
            };
            MarketTask::ListReview {
                filter: ReviewFilter {
                    status,
                    decision: *change,
                    ..filter.of()
                },
                after: *after,
                limit: *limit,
            }
        }
        Decision::Show { listing } => MarketTask::ShowReview { id: *listing },
        Decision::Accept {
            listing,
            card,
            grade,
        } => MarketTask::AcceptReview {
            id: *listing,
            marketplace_id: card.clone(),
            grade: grade.clone(),
        },
        Decision::Reject { listing } => MarketTask::RejectReview { id: *listing },
        Decision::AcceptAll {
            filter,
            expect,
            card,
            grade,
        } => MarketTask::DecideAll {
            filter: filter.of(),
            verdict: BulkVerdict::Accept {
                marketplace_id: card.clone(),
                grade: grade.clone(),
            },
            expect: i64::from(*expect),
        },
        Decision::RejectAll { filter, expect } => MarketTask::DecideAll {
            filter: filter.of(),
            verdict: BulkVerdict::Reject,
            expect: i64::from(*expect),
        },
        Decision::Undo { change } => MarketTask::Undo {
            change: *change,
            which: Undoing::Decisions,
        },
    }))
}
