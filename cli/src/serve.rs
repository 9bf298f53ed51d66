//! `titledex serve` and `titledex admin`: the service, and what is administered in its database.

use crate::args::{About, AboutAccount, AboutKey, AboutPlan, Admin, Serve, Service};
use crate::failure::Failure;
use crate::market::args::{Decision, Export, Exported, Review, Status};
use std::error::Error;
use std::io::{self, Write};
use titledex_server::admin::{self, Task};
use titledex_server::config::{Logs, Settings};
use titledex_server::market::export::Dataset;
use titledex_server::store::market::ReviewStatus;

/// Runs the service until it is told to stop.
pub(crate) fn run(args: &Serve) -> Result<(), Failure> {
    let mut settings = settings(&args.service)?;
    if let Some(listen) = &args.listen {
        settings.listen.clone_from(listen);
    }
    if args.metrics_listen.is_some() {
        settings.metrics_listen.clone_from(&args.metrics_listen);
    }
    if args.catalogue.is_some() {
        settings.catalogue.clone_from(&args.catalogue);
    }
    if args.playground.is_some() {
        settings.playground.clone_from(&args.playground);
    }
    if args.log_json {
        settings.logs = Logs::Json;
    }
    titledex_server::run::serve(settings).map_err(|error| said(&error))
}

/// Does one thing in the database.
pub(crate) fn admin(args: &Admin) -> Result<(), Failure> {
    let settings = settings(&args.service)?;
    let tasks = match &args.about {
        About::Account(AboutAccount::Create { name, plan, key }) => Task::CreateAccount {
            name: name.clone(),
            plan: plan.clone(),
            key: key.clone(),
        },
        About::Account(AboutAccount::List) => Task::ListAccounts,
        About::Account(AboutAccount::Show { account }) => Task::ShowAccount { account: *account },
        About::Account(AboutAccount::SetPlan { account, plan }) => Task::SetPlan {
            account: *account,
            plan: plan.clone(),
        },
        About::Key(AboutKey::Create { name, account, .. }) => Task::CreateKey {
            account: *account,
            name: name.clone(),
        },
        About::Key(AboutKey::List { account }) => Task::ListKeys { account: *account },
        About::Key(AboutKey::Revoke { key }) => Task::RevokeKey { key: *key },
        About::Plan(AboutPlan::List) => Task::ListPlans,
        About::Usage { account, days } => Task::Usage {
            account: *account,
            days: *days,
        },
    };
    print(&settings, tasks)
}

/// Shows or decides listings under review.
pub(crate) fn review(args: &Review) -> Result<(), Failure> {
    let task = match &args.what {
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
    };
    print(&settings(&args.service)?, task)
}

/// Makes exports.
pub(crate) fn export(args: &Export) -> Result<(), Failure> {
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
    print(&settings(&args.service)?, Task::Export { datasets })
}

/// Does one thing, and prints what it answers.
fn print(settings: &Settings, task: Task) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for line in admin::run(settings, task).map_err(|error| said(&error))? {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

/// The settings of the file and the database that are named.
pub(crate) fn settings(service: &Service) -> Result<Settings, Failure> {
    let mut settings = match &service.config {
        Some(path) => Settings::read(path).map_err(|error| said(&error))?,
        None => Settings::default(),
    };
    if let Some(database) = &service.database {
        settings.database.clone_from(database);
    }
    Ok(settings)
}

/// The sentence, with the cause behind it.
pub(crate) fn said(error: &dyn Error) -> Failure {
    match error.source() {
        Some(cause) => Failure::new(format!("{error} ({cause})")),
        None => Failure::new(error.to_string()),
    }
}
