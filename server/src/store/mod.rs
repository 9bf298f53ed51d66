//! [`Store`]: accounts, keys and usage in SQLite or PostgreSQL.
//!
//! Both run the same statements ([`queries`]); only connecting, the migrations and the words for "smaller" and "larger" differ.

pub mod market;
mod postgres;
mod queries;
mod sqlite;

use crate::clock::Moment;
use crate::keys::Hash;
use crate::plans::Plans;
use postgres::Postgres;
use serde::Serialize;
use sqlite::Sqlite;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Why something could not be stored or read.
#[derive(Debug)]
pub enum StoreError {
    /// The address names no database that is spoken here.
    Address(String),
    /// The database did not do what it was asked.
    Database(sqlx::Error),
    /// The database could not be brought to the form of this build.
    Migration(sqlx::migrate::MigrateError),
    /// A price history in it cannot be read.
    Damaged(crate::market::history::Damaged),
}

impl fmt::Display for StoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => {
                write!(out, "--database {address}: write sqlite:FILE or postgres://USER@HOST/DATABASE")
            }
            Self::Database(_) => out.write_str("the database did not answer as it should: see that it runs and that its address is right"),
            Self::Migration(_) => out.write_str(
                "the database could not be brought to the form of this version: start the version that wrote it, or a newer one",
            ),
            Self::Damaged(_) => out.write_str("a price history in the database is damaged"),
        }
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Address(_) => None,
            Self::Database(error) => Some(error),
            Self::Migration(error) => Some(error),
            Self::Damaged(error) => Some(error),
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        Self::Migration(error)
    }
}

/// An account as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccountRow {
    /// Its number.
    pub id: i64,
    /// Its name; no two bear the same.
    pub name: String,
    /// The name of its plan.
    pub plan: String,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
}

/// A key as it is stored: enough to know it again, nothing to use it with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// Its number.
    pub id: i64,
    /// The account that it belongs to; none for an administrator's.
    pub account: Option<i64>,
    /// The part of it that may be shown.
    pub prefix: String,
    /// The SHA-256 of it.
    pub hash: Vec<u8>,
    /// What its holder calls it.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// When it was revoked.
    pub revoked: Option<i64>,
}

/// What an account used on a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UsageRow {
    /// Days since 1970.
    pub day: i64,
    /// Which count it is: 2 for v2, 1 for v1.
    pub meter: i64,
    /// Credits charged.
    pub used: i64,
    /// Of those: held by processes that had not spent them when they last wrote.
    pub leased: i64,
    /// The last minute with a call, since 1970.
    pub minute: i64,
    /// Calls charged in that minute.
    pub minute_used: i64,
}

/// What is asked of an account's day, all at once or not at all.
#[derive(Clone, Copy, Debug)]
pub struct LeaseRequest {
    /// Whose.
    pub account: i64,
    /// Which count.
    pub meter: i64,
    /// Of which day.
    pub day: i64,
    /// Of which minute.
    pub minute: i64,
    /// Credits without which the request cannot be answered.
    pub need: i64,
    /// Credits that would be welcome.
    pub want: i64,
    /// Calls without which the request cannot be answered.
    pub need_calls: i64,
    /// Calls that would be welcome.
    pub want_calls: i64,
    /// Credits that the plan allows in a day.
    pub daily: i64,
    /// Calls that the plan allows in a minute.
    pub per_minute: i64,
    /// Credits spent of earlier leases since the last writing.
    pub spent: i64,
}

/// What was leased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Credits.
    pub credits: i64,
    /// Calls, of the minute below.
    pub calls: i64,
    /// The minute, later than asked where another process is ahead.
    pub minute: i64,
    /// What stands as used on the day, with this lease.
    pub used: i64,
    /// What stands as used in the minute, with this lease.
    pub minute_used: i64,
}

/// What a process gives back of its leases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GiveBack {
    /// Whose.
    pub account: i64,
    /// Which count.
    pub meter: i64,
    /// Of which day.
    pub day: i64,
    /// Of which minute.
    pub minute: i64,
    /// Credits that were not spent.
    pub credits: i64,
    /// Calls that were not made.
    pub calls: i64,
    /// Credits spent since the last writing.
    pub spent: i64,
}

/// What became of a key that was to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyMade {
    /// It is stored.
    Made(KeyRow),
    /// The plan allows no more than this many.
    TooMany(u64),
    /// So many were made today, which is all that may be.
    TooManyToday(u64),
    /// There is no such account.
    NoAccount,
}

/// A key to be stored.
#[derive(Clone, Copy, Debug)]
pub struct KeyToStore<'k> {
    /// The account, or none for an administrator's.
    pub account: Option<i64>,
    /// What its holder calls it.
    pub name: &'k str,
    /// The part that may be shown.
    pub prefix: &'k str,
    /// The SHA-256 of it.
    pub hash: &'k Hash,
    /// How many the account may make in a UTC day, those that are revoked since among them.
    pub most_today: Option<u64>,
}

/// What changed since a process last looked.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The count of changes up to which these are all.
    pub counter: i64,
    /// Accounts that were made or changed.
    pub accounts: Vec<AccountRow>,
    /// Keys that were made or revoked.
    pub keys: Vec<KeyRow>,
}

/// Accounts, keys and usage in one of the two databases.
#[derive(Clone, Debug)]
pub struct Store {
    database: Database,
    errors: Arc<AtomicU64>,
}

/// One of the two databases.
#[derive(Clone, Debug)]
enum Database {
    /// A file.
    Sqlite(Sqlite),
    /// A server, which several processes may share.
    Postgres(Postgres),
}

/// Asks whichever database it is, and counts where it fails.
macro_rules! ask {
    ($self:ident, $store:ident => $ask:expr) => {{
        let asked = match &$self.database {
            Database::Sqlite($store) => $ask.await,
            Database::Postgres($store) => $ask.await,
        };
        if asked.is_err() {
            $self.errors.fetch_add(1, Ordering::Relaxed);
        }
        asked
    }};
}
use ask;

impl Store {
    /// Opens the database at `address` (`sqlite:FILE`, `postgres://…`), makes it where it is a file that is not there, and brings it to the
    /// form of this build.
    ///
    /// # Errors
    /// Where the address is none, the database does not answer, or it was written by a newer version.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        if address.starts_with("postgres:") || address.starts_with("postgresql:") {
            return Ok(Self::of(Database::Postgres(Postgres::open(address).await?)));
        }
        match address.strip_prefix("sqlite:") {
            Some(file) if !file.is_empty() => Ok(Self::of(Database::Sqlite(
                Sqlite::open(file.strip_prefix("//").unwrap_or(file)).await?,
            ))),
            _ => Err(StoreError::Address(address.to_owned())),
        }
    }

    fn of(database: Database) -> Self {
        Self {
            database,
            errors: Arc::default(),
        }
    }

    /// Statements at which the database failed.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }

    /// Its kind, for logs: an address may hold a password.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self.database {
            Database::Sqlite(_) => "sqlite",
            Database::Postgres(_) => "postgres",
        }
    }

    /// Takes credits and calls of an account's day: at least what is needed, at most what is wanted, and of what lies between at most half
    /// of what is left. `None` where the plan's allowance leaves less than is needed.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn lease(&self, request: &LeaseRequest) -> Result<Option<Lease>, StoreError> {
        ask!(self, store => store.lease(request))
    }

    /// Gives back what a process did not spend; tells what then stands as used.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn give_back(&self, back: &GiveBack) -> Result<UsageRow, StoreError> {
        ask!(self, store => store.give_back(back))
    }

    /// What an account used on a day.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn usage_on(
        &self,
        account: i64,
        meter: i64,
        day: i64,
    ) -> Result<UsageRow, StoreError> {
        ask!(self, store => store.usage_on(account, meter, day))
    }

    /// What an account used, from a day on, oldest first.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn usage_since(&self, account: i64, day: i64) -> Result<Vec<UsageRow>, StoreError> {
        ask!(self, store => store.usage_since(account, day))
    }

    /// Makes an account; `None` where one bears the name.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn create_account(
        &self,
        name: &str,
        plan: &str,
        now: Moment,
    ) -> Result<Option<AccountRow>, StoreError> {
        ask!(self, store => store.create_account(name, plan, now))
    }

    /// All accounts, oldest first.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn accounts(&self) -> Result<Vec<AccountRow>, StoreError> {
        ask!(self, store => store.accounts())
    }

    /// The account with this number.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn account(&self, id: i64) -> Result<Option<AccountRow>, StoreError> {
        ask!(self, store => store.account(id))
    }

    /// Puts an account on another plan; `None` where there is no such account.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn set_plan(
        &self,
        account: i64,
        plan: &str,
    ) -> Result<Option<AccountRow>, StoreError> {
        ask!(self, store => store.set_plan(account, plan))
    }

    /// Stores a key, where the plan of its account allows one more.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn create_key(
        &self,
        key: KeyToStore<'_>,
        plans: &Plans,
        now: Moment,
    ) -> Result<KeyMade, StoreError> {
        ask!(self, store => store.create_key(key, plans, now))
    }

    /// Stores an administrator's key if there is none that is not revoked; tells whether it did.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn create_first_admin_key(
        &self,
        key: KeyToStore<'_>,
        now: Moment,
    ) -> Result<bool, StoreError> {
        ask!(self, store => store.create_first_admin_key(key, now))
    }

    /// The keys of an account, or the administrators', oldest first, revoked ones too.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn keys(&self, account: Option<i64>) -> Result<Vec<KeyRow>, StoreError> {
        ask!(self, store => store.keys(account))
    }

    /// The key with this number.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn key(&self, id: i64) -> Result<Option<KeyRow>, StoreError> {
        ask!(self, store => store.key(id))
    }

    /// Revokes a key; the row as it then stands, `None` where there is no such key. One that is revoked stays as it is.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn revoke_key(&self, id: i64, now: Moment) -> Result<Option<KeyRow>, StoreError> {
        ask!(self, store => store.revoke_key(id, now))
    }

    /// Accounts and keys that changed since `counter`.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn changes(&self, counter: i64) -> Result<Changes, StoreError> {
        ask!(self, store => store.changes(counter))
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// Where it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        ask!(self, store => store.ping())
    }

    /// Ends all connections.
    pub async fn close(&self) {
        match &self.database {
            Database::Sqlite(store) => store.close().await,
            Database::Postgres(store) => store.close().await,
        }
    }
}
