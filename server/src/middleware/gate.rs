//! What requests are checked with, and the parts of the service that they ask for.

use crate::auth::Directory;
use crate::cors::Cors;
use crate::credits::{Ledger, Meter};
use crate::guard::PerMinute;
use crate::limits::Limits;
use crate::market::export::storage;
use crate::metrics::Metrics;
use crate::proxies::Proxies;
use crate::shares::Shares;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// What the middleware checks requests with.
#[derive(Debug)]
pub struct Gate {
    /// Which pages of other origins may read answers.
    pub cors: Cors,
    /// The trusted proxies.
    pub proxies: Proxies,
    /// What one caller may demand.
    pub limits: Limits,
    /// The keys in memory.
    pub directory: Arc<Directory>,
    /// Credits.
    pub ledger: Arc<Ledger>,
    /// Counts of what happens.
    pub metrics: Arc<Metrics>,
    /// Room for requests.
    pub requests: Semaphore,
    /// What each account may have under way.
    pub shares: Shares,
    /// Wrong keys by address.
    pub wrong_keys: PerMinute<IpAddr>,
    /// Calls of `/api/v2/account` by account.
    pub account_calls: PerMinute<i64>,
}

impl Gate {
    /// How many of the places for requests are taken.
    #[must_use]
    pub fn places_taken(&self) -> usize {
        let free = self.requests.available_permits();
        self.limits.requests.saturating_sub(free)
    }
}

/// Which part of the service a path belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    V1,
    V2,
    /// What a holder asks of the account itself, of which calls are counted apart.
    Account,
    Admin,
    /// Beneath `/api`, where nothing is.
    Nowhere,
    Metrics,
    /// The files of the export, which need no key.
    Files,
    Open,
}

impl Part {
    pub(super) fn of(path: &str) -> Self {
        let within = |root: &str| {
            path.strip_prefix(root)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if within("/api/v2/account") {
            Self::Account
        } else if within("/api/v2") {
            Self::V2
        } else if within("/api/v1") || within("/v1") {
            Self::V1
        } else if within("/api/admin") {
            Self::Admin
        } else if within("/api") {
            Self::Nowhere
        } else if path == "/metrics" {
            Self::Metrics
        } else if path.starts_with(storage::PATH) {
            Self::Files
        } else {
            Self::Open
        }
    }

    /// Whether pages of other origins may call this part.
    pub(super) fn is_for_pages(self) -> bool {
        matches!(self, Self::V1 | Self::V2 | Self::Account | Self::Files)
    }

    /// Whether its requests need a key.
    pub(super) fn needs_key(self) -> bool {
        !matches!(self, Self::Files | Self::Open)
    }

    /// The count that its requests are charged to, and refused ones are calls of.
    pub(super) fn charged_to(self) -> Option<Meter> {
        match self {
            Self::V1 => Some(Meter::V1),
            Self::V2 => Some(Meter::V2),
            Self::Account
            | Self::Admin
            | Self::Nowhere
            | Self::Metrics
            | Self::Files
            | Self::Open => None,
        }
    }
}
