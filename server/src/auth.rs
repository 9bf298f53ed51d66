//! [`Directory`]: all keys in memory, so that identifying a caller needs no database query.
//!
//! A key that is revoked, or whose account is suspended, stops working at once in the process that
//! did it, and within [`REFRESH`] in the others. They ask for the count of changes that often, and read what changed.

use crate::clock::Moment;
use crate::credits::Account;
use crate::error::ApiError;
use crate::keys::{self, Hash};
use crate::plans::{Plan, Plans};
use crate::store::{Actor, Changes, Store, StoreError};
use arc_swap::ArcSwap;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a process looks for changes by others.
pub const REFRESH: Duration = Duration::from_secs(1);
/// An unknown key makes a process look at once, but not more often than this. All unknown keys wait
/// for the same look, so guessing keys does not load the database.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// What the caller with an expired key is told.
pub(crate) const EXPIRED: &str = "this API key has expired: make another";
/// What the holder of a suspended account is told.
pub(crate) const SUSPENDED: &str =
    "this account is suspended: ask whoever runs the service to resume it";

/// A caller whose key is known.
#[derive(Clone, Debug)]
pub enum Caller {
    /// The holder of an account.
    Holder {
        /// The number of the key.
        key: i64,
        /// The account.
        account: Arc<Account>,
    },
    /// An administrator.
    Admin {
        /// The number of the key.
        key: i64,
    },
}

/// The holder who sent a request, as handlers take it.
pub struct Holder {
    /// The number of the key.
    pub key: i64,
    /// The account.
    pub account: Arc<Account>,
}

impl<S: Sync> FromRequestParts<S> for Holder {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        match parts.extensions.get() {
            Some(Caller::Holder { key, account }) => Ok(Self {
                key: *key,
                account: Arc::clone(account),
            }),
            // the middleware admits nobody else to a holder's route
            _ => Err(ApiError::internal()),
        }
    }
}

/// The administrator who sent a request, as handlers take it.
pub struct Administrator(pub Actor);

impl<S: Sync> FromRequestParts<S> for Administrator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        match parts.extensions.get() {
            Some(Caller::Admin { key }) => Ok(Self(Actor::Key(*key))),
            // the middleware admits nobody else to an administrator's route
            _ => Err(ApiError::internal()),
        }
    }
}

/// Whose a key is.
#[derive(Clone, Debug)]
pub enum Identity {
    /// It works.
    Caller(Caller),
    /// It worked until it expired.
    Expired,
    /// It is a key of an account that is suspended.
    Suspended,
    /// There is no such key.
    Unknown,
}

#[derive(Debug)]
struct Known {
    id: i64,
    /// When it stops working, in milliseconds since 1970.
    expires: Option<i64>,
    hash: Hash,
    account: Option<Arc<Account>>,
}

/// All keys that are not revoked, with their accounts; expired ones too.
#[derive(Debug)]
pub struct Directory {
    store: Store,
    plans: Arc<Plans>,
    keys: ArcSwap<HashMap<String, Arc<Known>>>,
    accounts: Mutex<HashMap<i64, Arc<Account>>>,
    /// The count of changes that is known, and when the database was last asked for it.
    seen: tokio::sync::Mutex<(i64, Option<Instant>)>,
}

impl Directory {
    /// Reads all keys.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn open(store: Store, plans: Arc<Plans>) -> Result<Arc<Self>, StoreError> {
        let seen = tokio::sync::Mutex::new((-1, None));
        let directory = Self {
            store,
            plans,
            keys: ArcSwap::default(),
            accounts: Mutex::default(),
            seen,
        };
        directory.refresh().await?;
        Ok(Arc::new(directory))
    }

    /// Whose `key` is. `None` if only the database can tell.
    pub fn known(&self, key: &str, now: Moment) -> Option<Identity> {
        let Some(prefix) = keys::prefix(key) else {
            return Some(Identity::Unknown);
        };
        self.keys
            .load()
            .get(prefix)
            .map(|known| Self::check(known, key, now))
    }

    /// Whose `key` is.
    pub async fn identify(&self, key: &str, now: Moment) -> Identity {
        if let Some(found) = self.known(key, now) {
            return found;
        }
        // another process may just have made it
        let came = Instant::now();
        {
            let mut seen = self.seen.lock().await;
            // one look that begins after they came serves all that wait here
            if seen.1.is_none_or(|looked| looked < came) {
                if let Some(looked) = seen.1 {
                    tokio::time::sleep(LOOK_AGAIN.saturating_sub(looked.elapsed())).await;
                }
                if let Err(error) = self.read_changes(&mut seen).await {
                    tracing::warn!(%error, "keys could not be read again");
                }
            }
        }
        self.known(key, now).unwrap_or(Identity::Unknown)
    }

    fn check(known: &Known, key: &str, now: Moment) -> Identity {
        if !keys::same(&known.hash, &keys::hash(key))
            || key.starts_with(keys::ADMIN) != known.account.is_none()
        {
            return Identity::Unknown;
        }
        if known.expires.is_some_and(|expires| expires <= now.millis()) {
            return Identity::Expired;
        }
        let suspended = |account: &Arc<Account>| account.suspended.load(Ordering::Relaxed);
        if known.account.as_ref().is_some_and(suspended) {
            return Identity::Suspended;
        }
        Identity::Caller(match &known.account {
            Some(account) => Caller::Holder {
                key: known.id,
                account: Arc::clone(account),
            },
            None => Caller::Admin { key: known.id },
        })
    }

    /// The account with this number.
    pub fn account(&self, id: i64) -> Option<Arc<Account>> {
        self.accounts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&id)
            .cloned()
    }

    /// Reads what changed since the last time.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn refresh(&self) -> Result<(), StoreError> {
        let mut seen = self.seen.lock().await;
        self.read_changes(&mut seen).await
    }

    /// As [`Directory::refresh`], but a failure is only logged: the next read, or a request with a key
    /// that is not known, reads what this one missed.
    pub async fn try_refresh(&self) {
        if let Err(error) = self.refresh().await {
            tracing::warn!(%error, "keys could not be read again");
        }
    }

    /// Keeps reading changes, for as long as the service runs.
    pub async fn watch(self: Arc<Self>) {
        loop {
            tokio::time::sleep(REFRESH).await;
            self.try_refresh().await;
        }
    }

    async fn read_changes(&self, seen: &mut (i64, Option<Instant>)) -> Result<(), StoreError> {
        // also if it fails, so that an unavailable database is not asked more often
        seen.1 = Some(Instant::now());
        let changes = self.store.changes(seen.0).await?;
        if changes.counter != seen.0 {
            self.apply(&changes);
        }
        seen.0 = changes.counter;
        Ok(())
    }

    fn apply(&self, changes: &Changes) {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        for row in &changes.accounts {
            let plan = self.plan(&row.plan);
            let account = accounts.entry(row.id).or_insert_with(|| {
                Arc::new(Account::new(row.id, row.name.clone(), Arc::clone(&plan)))
            });
            account.plan.store(plan);
            let suspended = row.suspended.is_some();
            account.suspended.store(suspended, Ordering::Relaxed);
        }
        if changes.keys.is_empty() {
            return;
        }
        let mut keys = HashMap::clone(&self.keys.load());
        for row in &changes.keys {
            let account = row.account.and_then(|id| accounts.get(&id)).cloned();
            let known = row.revoked.is_none() && (row.account.is_none() || account.is_some());
            match Hash::try_from(row.hash.as_slice()) {
                Ok(hash) if known => {
                    keys.insert(
                        row.prefix.clone(),
                        Arc::new(Known {
                            id: row.id,
                            expires: row.expires,
                            hash,
                            account,
                        }),
                    );
                }
                _ => {
                    keys.remove(&row.prefix);
                }
            }
        }
        self.keys.store(Arc::new(keys));
    }

    /// The plan of this name. A plan that the configuration lacks allows nothing.
    fn plan(&self, name: &str) -> Arc<Plan> {
        if let Some(plan) = self.plans.get(name) {
            return Arc::new(plan.clone());
        }
        tracing::error!(
            plan = name,
            "an account has a plan that the configuration lacks: its requests are refused"
        );
        Arc::new(Plan {
            name: name.to_owned(),
            daily_credits: 0,
            minute_calls: 0,
            v1_daily_requests: 0,
            v1_minute_requests: 0,
            keys: Some(0),
            history_points: 0,
            history_days: Some(0),
            population: false,
            export_downloads: 0,
        })
    }
}
