//! The administrator's tasks on the command line.

pub mod market;

use crate::clock::{Clock, Moment};
use crate::config::Settings;
use crate::error::ApiError;
use crate::keys::NewKey;
use crate::market::export::storage::Storage;
use crate::market::export::{Dataset, export};
use crate::routes::admin::{account_closed, set_account_status};
use crate::routes::responses::{
    self, Account as ShownAccount, Audit, Key as ShownKey, Usage as ShownUsage,
};
use crate::run::RunError;
use crate::store::{AccountStatus, Actor, KeyMade, KeyRevoked, KeyToStore, LastKey, Store};
use market::MarketTask;
use serde::Serialize;
use serde_json::{Value, json};

/// A task.
#[derive(Clone, Debug)]
pub enum Task {
    /// Make an account, with a first key if one is named.
    CreateAccount {
        /// Its name.
        name: String,
        /// Its plan.
        plan: String,
        /// The name of its first key.
        key: Option<String>,
    },
    /// Show all accounts.
    ListAccounts,
    /// Show one account.
    ShowAccount {
        /// Its number.
        account: i64,
    },
    /// Put an account on another plan.
    SetPlan {
        /// Its number.
        account: i64,
        /// The plan.
        plan: String,
    },
    /// Suspend, resume or close an account.
    SetAccountStatus {
        /// Its number.
        account: i64,
        /// What it becomes.
        status: AccountStatus,
        /// Why, for the record.
        reason: Option<String>,
    },
    /// Make a key.
    CreateKey {
        /// The account, or none for an administrator's.
        account: Option<i64>,
        /// Its name.
        name: String,
        /// When it stops working: a day or a moment.
        expires: Option<String>,
    },
    /// Show what was done to accounts, keys, the catalogue and listings under review.
    ListAudit {
        /// Those after this number.
        after: i64,
        /// At most this many.
        limit: i64,
    },
    /// Show an account's keys, or the administrators'.
    ListKeys {
        /// The account.
        account: Option<i64>,
    },
    /// Revoke a key.
    RevokeKey {
        /// Its number.
        key: i64,
    },
    /// Show what each plan allows.
    ListPlans,
    /// Look at the market, correct it, or decide about listings under review.
    Market(MarketTask),
    /// Make exports now.
    Export {
        /// Which.
        datasets: Vec<Dataset>,
    },
    /// Show an account's usage.
    Usage {
        /// The account.
        account: i64,
        /// The number of days, including today.
        days: i64,
    },
}

/// Runs `task`. Its answers are JSON, one object a line.
///
/// # Errors
/// If it is refused, or the database fails.
pub fn run(settings: &Settings, task: Task) -> Result<Vec<Value>, RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(RunError::Runtime)?;
    runtime.block_on(async {
        let store = match task {
            // the first account or key may come before the service
            Task::CreateAccount { .. } | Task::CreateKey { .. } => {
                Store::open(&settings.database).await?
            }
            _ => Store::open_existing(&settings.database).await?,
        };
        let done = perform(settings, &store, task).await;
        store.close().await;
        done
    })
}

/// A refusal, in the words of the HTTP interface.
fn refused(error: ApiError) -> RunError {
    RunError::Refused(error.message)
}

fn missing(what: &str, id: i64) -> RunError {
    refused(ApiError::not_found(what, &id.to_string()))
}

async fn perform(settings: &Settings, store: &Store, task: Task) -> Result<Vec<Value>, RunError> {
    let now = Clock::System.now();
    Ok(match task {
        Task::Market(task) => market::perform(settings, store, task, now).await?,
        Task::Export { datasets } => make_exports(settings, store, datasets, now).await?,
        Task::CreateAccount { name, plan, key } => {
            create_account(settings, store, [&name, &plan], key.as_deref(), now).await?
        }
        Task::ListAccounts => store
            .accounts()
            .await?
            .iter()
            .map(|row| shown(ShownAccount::from(row)))
            .collect(),
        Task::ShowAccount { account } => {
            let row = store
                .account(account)
                .await?
                .ok_or_else(|| missing("account", account))?;
            vec![shown(ShownAccount::from(&row))]
        }
        Task::SetPlan { account, plan } => {
            vec![set_plan(settings, store, account, &plan, now).await?]
        }
        Task::SetAccountStatus {
            account,
            status,
            reason,
        } => {
            let reason = reason.as_deref().map(responses::reason).transpose();
            let reason = reason.map_err(refused)?.unwrap_or_default();
            let row =
                set_account_status(store, (account, status), reason, Actor::Operator, now).await;
            vec![shown(ShownAccount::from(&row.map_err(refused)?))]
        }
        Task::CreateKey {
            account,
            name,
            expires,
        } => {
            let expires = expires.map(|text| responses::expiry(&text, now));
            let expires = expires.transpose().map_err(refused)?;
            vec![make_key(settings, store, account, &name, expires).await?]
        }
        Task::ListAudit { after, limit } => store
            .audit(after, limit)
            .await?
            .iter()
            .map(|row| shown(Audit::from(row)))
            .collect(),
        Task::ListKeys { account } => store
            .keys(account)
            .await?
            .iter()
            .map(|row| shown(ShownKey::from(row)))
            .collect(),
        Task::RevokeKey { key } => {
            let revoked = store
                .revoke_key(key, LastKey::Revoked, Actor::Operator, now)
                .await?;
            let KeyRevoked::Revoked(row) = revoked else {
                return Err(missing("key", key));
            };
            vec![shown(ShownKey::from(&row))]
        }
        Task::ListPlans => settings
            .plans
            .iter()
            .filter_map(|plan| serde_json::to_value(plan).ok())
            .collect(),
        Task::Usage { account, days } => usage(store, account, now.day() - days + 1).await?,
    })
}

/// That there is a plan of this name.
fn known_plan(settings: &Settings, plan: &str) -> Result<(), RunError> {
    match settings.plans.get(plan) {
        Some(_) => Ok(()),
        None => Err(RunError::Refused(format!(
            "there is no plan {plan:?}: known are {}",
            settings.plans.names()
        ))),
    }
}

async fn make_exports(
    settings: &Settings,
    store: &Store,
    datasets: Vec<Dataset>,
    now: Moment,
) -> Result<Vec<Value>, RunError> {
    let storage = Storage::new(&settings.exports.storage, store);
    let mut made = Vec::new();
    for dataset in datasets {
        let row = export(store, &storage, dataset, now)
            .await
            .map_err(RunError::Export)?;
        made.push(json!({"dataset": row.dataset, "file": row.file, "records": row.records, "bytes": row.bytes}));
    }
    Ok(made)
}

/// Makes an account of a name and a plan, and its first key where that has a name.
async fn create_account(
    settings: &Settings,
    store: &Store,
    [name, plan]: [&str; 2],
    key: Option<&str>,
    now: Moment,
) -> Result<Vec<Value>, RunError> {
    known_plan(settings, plan)?;
    let name = responses::name(name).map_err(refused)?;
    if let Some(key) = key {
        responses::name(key).map_err(refused)?;
    }
    let row = store
        .create_account(name, plan, Actor::Operator, now)
        .await?;
    let row = row.ok_or_else(|| {
        RunError::Refused(format!(
            "an account is called {name:?}: choose another name"
        ))
    })?;
    let mut lines = vec![shown(ShownAccount::from(&row))];
    if let Some(key) = key {
        lines.push(make_key(settings, store, Some(row.id), key, None).await?);
    }
    Ok(lines)
}

async fn set_plan(
    settings: &Settings,
    store: &Store,
    account: i64,
    plan: &str,
    now: Moment,
) -> Result<Value, RunError> {
    known_plan(settings, plan)?;
    let row = store.set_plan(account, plan, Actor::Operator, now).await?;
    let Some(row) = row else {
        return Err(match store.account(account).await? {
            Some(_) => refused(account_closed(account)),
            None => missing("account", account),
        });
    };
    Ok(shown(ShownAccount::from(&row)))
}

/// The usage of an account since a day.
async fn usage(store: &Store, account: i64, since: i64) -> Result<Vec<Value>, RunError> {
    store
        .account(account)
        .await?
        .ok_or_else(|| missing("account", account))?;
    let usage = store.usage_since(account, since).await?;
    Ok(usage
        .iter()
        .map(|row| shown(ShownUsage::from(row)))
        .collect())
}

/// A line of output.
fn shown(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

async fn make_key(
    settings: &Settings,
    store: &Store,
    account: Option<i64>,
    name: &str,
    expires: Option<i64>,
) -> Result<Value, RunError> {
    let name = responses::name(name).map_err(refused)?;
    let new = NewKey::make(account.is_none()).map_err(|_| RunError::Random)?;
    let stored = KeyToStore {
        account,
        name,
        prefix: &new.prefix,
        hash: &new.hash,
        most_today: None,
        replaces: None,
        expires,
        by: Actor::Operator,
    };
    match store
        .create_key(stored, &settings.plans, Clock::System.now())
        .await?
    {
        KeyMade::Made(row) => {
            let mut line = shown(ShownKey::from(&row));
            line["key"] = json!(new.text);
            Ok(line)
        }
        KeyMade::TooMany(most) | KeyMade::TooManyToday(most) => Err(RunError::Refused(format!(
            "the plan allows {most} keys: revoke one, or set a larger plan"
        ))),
        KeyMade::Closed => Err(refused(account_closed(account.unwrap_or_default()))),
        KeyMade::NoAccount | KeyMade::NoKey => Err(missing("account", account.unwrap_or_default())),
    }
}
