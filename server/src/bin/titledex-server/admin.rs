//! `titledex-server admin`: accounts, keys, plans and usage.

use crate::service::Service;
use clap::{Args, Subcommand};
use titledex_command::Failure;
use titledex_server::admin::Task;
use titledex_server::store::AccountStatus;

pub(crate) const HELP: &str = "\
Works on the database, whether the service is running or not. Answers are JSON, one
object a line. A key is shown when it is created and never again.

Examples:
  titledex-server admin account create 'Price site' --plan api --key laptop
  titledex-server admin account suspend 1 --reason 'invoice 812 unpaid'
  titledex-server admin key create --account 1 server --expires 2030-01-31
  titledex-server admin key revoke 3
  titledex-server admin usage 1 --days 7
  titledex-server admin audit --after 120

Exit codes: 0 done, 1 refused, or the database did not answer, 2 usage";

/// The options of `titledex-server admin`.
#[derive(Debug, Args)]
pub(crate) struct Admin {
    #[command(subcommand)]
    subject: Subject,
    #[command(flatten)]
    service: Service,
}

/// What to administer.
#[derive(Debug, Subcommand)]
enum Subject {
    /// Create, list, show and change accounts.
    #[command(subcommand)]
    Account(Account),
    /// Create, list and revoke keys.
    #[command(subcommand)]
    Key(Key),
    /// List plans.
    #[command(subcommand)]
    Plan(Plan),
    /// List what was done to accounts, keys, the catalogue and listings under review, oldest first.
    Audit {
        /// Only those with larger numbers.
        #[arg(long, value_name = "NUMBER", default_value_t = 0)]
        after: i64,
        /// At most this many.
        #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(i64).range(1..=100_000))]
        limit: i64,
    },
    /// Show what an account used, by day.
    Usage {
        /// Number of the account.
        account: i64,
        /// Number of days, including today.
        #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(i64).range(1..=366))]
        days: i64,
    },
}

/// Commands for accounts.
#[derive(Debug, Subcommand)]
enum Account {
    /// Create an account.
    Create {
        /// Its name, which must be unique.
        name: String,
        /// Its plan.
        #[arg(long, default_value = "free")]
        plan: String,
        /// Also create a key with this name.
        #[arg(long, value_name = "NAME")]
        key: Option<String>,
    },
    /// List all accounts.
    List,
    /// Show one account.
    Show {
        /// Number of the account.
        account: i64,
    },
    /// Move an account to another plan.
    SetPlan {
        /// Number of the account.
        account: i64,
        /// The plan.
        plan: String,
    },
    /// Suspend an account: its keys are refused until it is resumed.
    Suspend {
        /// Number of the account.
        account: i64,
        /// Why, for the record.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Resume a suspended account: its keys work again.
    Resume {
        /// Number of the account.
        account: i64,
        /// Why, for the record.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Close an account for good: its keys are revoked, its usage and record are kept.
    Close {
        /// Number of the account.
        account: i64,
        /// Why, for the record.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
}

/// Commands for keys.
#[derive(Debug, Subcommand)]
enum Key {
    /// Create a key for an account or for an administrator.
    Create {
        /// Its name.
        name: String,
        /// Number of the account.
        #[arg(
            long,
            value_name = "NUMBER",
            required_unless_present = "admin",
            conflicts_with = "admin"
        )]
        account: Option<i64>,
        /// Create an administrator's key.
        #[arg(long)]
        admin: bool,
        /// When it stops working, in UTC: a day as 2030-01-31, from its beginning, or a moment as
        /// 2030-01-31T12:00:00Z [default: never].
        #[arg(long, value_name = "WHEN")]
        expires: Option<String>,
    },
    /// List the keys of an account, or of the administrators.
    List {
        /// Number of the account [default: the administrators].
        #[arg(long, value_name = "NUMBER")]
        account: Option<i64>,
    },
    /// Revoke a key.
    Revoke {
        /// Number of the key.
        key: i64,
    },
}

/// Commands for plans.
#[derive(Debug, Subcommand)]
enum Plan {
    /// Show what each plan allows.
    List,
}

fn status(account: i64, status: AccountStatus, reason: &Option<String>) -> Task {
    Task::SetAccountStatus {
        account,
        status,
        reason: reason.clone(),
    }
}

/// Runs one task in the database.
pub(crate) fn run(args: &Admin) -> Result<(), Failure> {
    args.service.print(match &args.subject {
        Subject::Account(Account::Create { name, plan, key }) => Task::CreateAccount {
            name: name.clone(),
            plan: plan.clone(),
            key: key.clone(),
        },
        Subject::Account(Account::List) => Task::ListAccounts,
        Subject::Account(Account::Show { account }) => Task::ShowAccount { account: *account },
        Subject::Account(Account::SetPlan { account, plan }) => Task::SetPlan {
            account: *account,
            plan: plan.clone(),
        },
        Subject::Account(Account::Suspend { account, reason }) => {
            status(*account, AccountStatus::Suspended, reason)
        }
        Subject::Account(Account::Resume { account, reason }) => {
            status(*account, AccountStatus::Active, reason)
        }
        Subject::Account(Account::Close { account, reason }) => {
            status(*account, AccountStatus::Closed, reason)
        }
        Subject::Key(Key::Create {
            name,
            account,
            expires,
            ..
        }) => Task::CreateKey {
            account: *account,
            name: name.clone(),
            expires: expires.clone(),
        },
        Subject::Key(Key::List { account }) => Task::ListKeys { account: *account },
        Subject::Key(Key::Revoke { key }) => Task::RevokeKey { key: *key },
        Subject::Plan(Plan::List) => Task::ListPlans,
        Subject::Audit { after, limit } => Task::ListAudit {
            after: *after,
            limit: *limit,
        },
        Subject::Usage { account, days } => Task::Usage {
            account: *account,
            days: *days,
        },
    })
}
