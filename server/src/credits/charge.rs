//! [`Account`], and the [`Charge`] of one request to it.

use super::cost::{Allowance, Balance, Cost, CreditCounters, Meter, Shortage};
use super::endpoint::Endpoint;
use super::lease::LeaseAccount;
use crate::plans::Plan;
use crate::store::StoreError;
use arc_swap::ArcSwap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Why a request is not charged.
#[derive(Debug)]
pub enum Refusal {
    /// Too little is left.
    Short {
        /// Which allowance.
        of: Shortage,
        /// What is left.
        balance: Balance,
        /// Seconds until a retry may succeed.
        retry_after: i64,
    },
    /// The database failed.
    Store(StoreError),
}

/// An account with its leases. All its keys share it.
#[derive(Debug)]
pub struct Account {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its plan; it may change while requests run.
    pub plan: ArcSwap<Plan>,
    /// Whether it is suspended; that may change too.
    pub suspended: AtomicBool,
    v1: Arc<LeaseAccount>,
    v2: Arc<LeaseAccount>,
}

impl Account {
    /// An account without leases.
    #[must_use]
    pub fn new(id: i64, name: String, plan: Arc<Plan>) -> Self {
        Self {
            id,
            name,
            plan: ArcSwap::new(plan),
            suspended: AtomicBool::new(false),
            v1: Arc::default(),
            v2: Arc::default(),
        }
    }

    pub(super) fn leases(&self, meter: Meter) -> &Arc<LeaseAccount> {
        match meter {
            Meter::V1 => &self.v1,
            Meter::V2 => &self.v2,
        }
    }

    pub(super) fn allowance(&self, meter: Meter) -> Allowance {
        meter.allowance(&self.plan.load())
    }
}

/// The credits charged for one request.
///
/// A charge that is dropped without [`Charge::keep`] is refunded. So a request whose handler fails
/// or panics, or whose caller disconnects, costs nothing.
#[derive(Debug)]
#[must_use = "a charge that is dropped is refunded"]
pub struct Charge {
    pub(super) leases: Arc<LeaseAccount>,
    pub(super) cost: Cost,
    pub(super) day: i64,
    pub(super) minute: i64,
    pub(super) balance: Balance,
    pub(super) kept: bool,
    /// What was called, where that is counted.
    pub(super) endpoint: Option<Endpoint>,
    pub(super) counters: Arc<CreditCounters>,
}

impl Charge {
    /// The charge of a call that is counted as one of `endpoint` once it is final.
    pub fn of(mut self, endpoint: Endpoint) -> Self {
        self.endpoint = Some(endpoint);
        self
    }

    /// What was charged.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// What was left after the charge.
    #[must_use]
    pub fn balance(&self) -> Balance {
        self.balance
    }

    /// Refunds a part of the credits.
    pub fn refund(&mut self, credits: i64) {
        let credits = credits.clamp(0, self.cost.credits);
        self.cost.credits -= credits;
        self.balance.daily_remaining += credits;
        CreditCounters::add(&self.counters.refunded, credits);
        self.leases
            .refund(self.day, self.minute, Cost { credits, calls: 0 });
    }

    /// Makes the charge final, once the answer is on its way.
    pub fn keep(mut self) -> (Cost, Balance) {
        self.kept = true;
        if let Some(endpoint) = self.endpoint {
            self.leases.count(self.day, endpoint, self.cost.credits);
        }
        (self.cost, self.balance)
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if !self.kept {
            CreditCounters::add(&self.counters.refunded, self.cost.credits);
            self.leases.refund(self.day, self.minute, self.cost);
        }
        self.leases.end_charge();
    }
}
