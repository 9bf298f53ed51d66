//! [`App`]: what all requests share.

use crate::auth::Directory;
use crate::catalogue::Reader;
use crate::config::Settings;
use crate::guard::PerMinute;
use crate::ledger::Ledger;
use crate::market::export::storage::Storage;
use crate::metrics::Metrics;
use crate::openapi::Document;
use crate::plans::Plans;
use crate::playground::Playground;
use crate::store::Store;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::sync::Semaphore;

/// Batches at once whose whole answer is held in memory.
pub(crate) const BATCHES: usize = 8;

/// What all requests share.
#[derive(Debug)]
pub struct App {
    /// What was chosen.
    pub settings: Settings,
    /// Accounts, keys and usage.
    pub store: Store,
    /// What each plan allows.
    pub plans: Arc<Plans>,
    /// Keys in memory.
    pub directory: Arc<Directory>,
    /// Credits.
    pub ledger: Arc<Ledger>,
    /// The engine with its catalogue.
    pub reader: Reader,
    /// What is served as `/openapi.json`.
    pub document: Document,
    /// What is served at `/`, where there is one.
    pub playground: Option<Playground>,
    /// Room for requests.
    pub requests: Semaphore,
    /// Room for batches whose whole answer is held in memory.
    pub batches: Semaphore,
    /// Wrong keys by address.
    pub wrong_keys: PerMinute<IpAddr>,
    /// Calls of `/api/v2/account` by account.
    pub account_calls: PerMinute<i64>,
    /// Pages of cards by address.
    pub card_pages: PerMinute<IpAddr>,
    /// Where the files of the daily export lie.
    pub exports: Storage,
    /// Counts of what happens.
    pub metrics: Metrics,
    /// No new work is wanted.
    pub stopping: AtomicBool,
}
