//! What requests cost, what plans allow, and what is left.

use crate::plans::Plan;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which count a request is charged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meter {
    /// Requests to v1.
    V1,
    /// Credits of v2.
    V2,
}

impl Meter {
    /// Its number in the database.
    #[must_use]
    pub fn number(self) -> i64 {
        match self {
            Self::V1 => 1,
            Self::V2 => 2,
        }
    }

    /// What a plan allows: credits a day and calls a minute.
    #[must_use]
    pub fn allowance(self, plan: &Plan) -> Allowance {
        let (daily, minute) = match self {
            Self::V1 => (plan.v1_daily_requests, plan.v1_minute_requests),
            Self::V2 => (plan.daily_credits, plan.minute_calls),
        };
        Allowance {
            daily: i64::try_from(daily).unwrap_or(i64::MAX),
            minute: i64::try_from(minute).unwrap_or(i64::MAX),
        }
    }
}

/// What a plan allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Credits a UTC day.
    pub daily: i64,
    /// Calls a minute.
    pub minute: i64,
}

/// What a request costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Credits of the day.
    pub credits: i64,
    /// Calls of the minute.
    pub calls: i64,
}

/// What an account has left, as far as this process knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// Credits a day.
    pub daily_limit: i64,
    /// Credits left today.
    pub daily_remaining: i64,
    /// The second in which the next day begins.
    pub daily_reset: i64,
    /// Calls a minute.
    pub minute_limit: i64,
    /// Calls left in this minute.
    pub minute_remaining: i64,
    /// The second in which the next minute begins.
    pub minute_reset: i64,
}

/// Which allowance does not cover a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// The credits of the day.
    Daily,
    /// The calls of the minute.
    Minute,
    /// The request costs more calls or credits than the plan allows at any time.
    ExceedsPlan,
}

/// Totals of what the ledger did since the start.
#[derive(Debug, Default)]
pub(crate) struct CreditCounters {
    pub(crate) charged: AtomicU64,
    pub(crate) refunded: AtomicU64,
    pub(crate) leases: AtomicU64,
    pub(crate) leased: AtomicU64,
    pub(crate) given_back: AtomicU64,
    pub(crate) refused: AtomicU64,
}

impl CreditCounters {
    /// Adds credits to a counter. Negative amounts do not occur; they would count as 0.
    pub(crate) fn add(counter: &AtomicU64, credits: i64) {
        counter.fetch_add(u64::try_from(credits).unwrap_or(0), Ordering::Relaxed);
    }
}
