//! Usage of an account's day: credits are leased, spent, and given back.

use super::error::StoreError;
use super::handle::Store;
use super::sql::Row;
use serde::Serialize;
use sqlx::AssertSqlSafe;
use std::sync::Arc;

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

/// What is requested of an account's day, all at once or not at all.
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
    /// The minute, later than the requested one where another process is ahead.
    pub minute: i64,
    /// What the day counts as used, with this lease.
    pub used: i64,
    /// What the minute counts as used, with this lease.
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

/// Leases. All is decided by the row itself as it is when its lock is held, so that no two leases
/// together exceed an allowance. A minute later than the requested one belongs to a process whose
/// clock is ahead, and is kept.
pub(super) const LEASE: &str = "\
    UPDATE usage SET \
    granted = LEAST($7, GREATEST($6, ($10 - used) / 2)), \
    granted_calls = LEAST($9, GREATEST($8, ($11 - CASE WHEN minute >= $4 THEN minute_used ELSE 0 END) / 2)), \
    used = used + LEAST($7, GREATEST($6, ($10 - used) / 2)), \
    leased = GREATEST(0, leased - $5) + LEAST($7, GREATEST($6, ($10 - used) / 2)), \
    minute_used = CASE WHEN minute >= $4 THEN minute_used ELSE 0 END \
    + LEAST($9, GREATEST($8, ($11 - CASE WHEN minute >= $4 THEN minute_used ELSE 0 END) / 2)), \
    minute = GREATEST(minute, $4) \
    WHERE account = $1 AND meter = $2 AND day = $3 AND used + $6 <= $10 \
    AND CASE WHEN minute >= $4 THEN minute_used ELSE 0 END + $8 <= $11 \
    RETURNING granted, granted_calls, minute, used, minute_used";

/// Gives back.
pub(super) const GIVE_BACK: &str = "\
    UPDATE usage SET \
    used = GREATEST(0, used - $5), \
    leased = GREATEST(0, leased - $5 - $6), \
    minute_used = CASE WHEN minute = $4 THEN GREATEST(0, minute_used - $7) ELSE minute_used END \
    WHERE account = $1 AND meter = $2 AND day = $3 \
    RETURNING day, meter, used, leased, minute, minute_used";

impl UsageRow {
    fn read(row: Row<'_>) -> Result<Self, sqlx::Error> {
        Ok(Self {
            day: row.get("day")?,
            meter: row.get("meter")?,
            used: row.get("used")?,
            leased: row.get("leased")?,
            minute: row.get("minute")?,
            minute_used: row.get("minute_used")?,
        })
    }
}

impl Lease {
    fn read(row: Row<'_>) -> Result<Self, sqlx::Error> {
        Ok(Self {
            credits: row.get("granted")?,
            calls: row.get("granted_calls")?,
            minute: row.get("minute")?,
            used: row.get("used")?,
            minute_used: row.get("minute_used")?,
        })
    }
}

impl Store {
    /// Takes credits and calls of an account's day: at least what is needed, at most what is
    /// wanted, and of what lies between at most half of what is left. `None` where the plan's
    /// allowance leaves less than is needed.
    pub async fn lease(&self, request: &LeaseRequest) -> Result<Option<Lease>, StoreError> {
        loop {
            let lease = self
                .write
                .query(AssertSqlSafe(Arc::clone(&self.lease)))
                .bind(request.account)
                .bind(request.meter)
                .bind(request.day)
                .bind(request.minute)
                .bind(request.spent)
                .bind(request.need)
                .bind(request.want)
                .bind(request.need_calls)
                .bind(request.want_calls)
                .bind(request.daily)
                .bind(request.per_minute)
                .optional(Lease::read)
                .await?;
            if lease.is_some() {
                return Ok(lease);
            }
            // no such row yet, or too little left
            let made = self
                .write
                .query(
                    "INSERT INTO usage (account, meter, day, used, leased, minute, minute_used, \
                     granted, granted_calls) VALUES ($1, $2, $3, 0, 0, 0, 0, 0, 0) ON CONFLICT \
                     (account, meter, day) DO NOTHING",
                )
                .bind(request.account)
                .bind(request.meter)
                .bind(request.day)
                .execute()
                .await?;
            if made == 0 {
                return Ok(None);
            }
        }
    }

    /// Gives back what a process did not spend; answers what then counts as used.
    pub async fn give_back(&self, back: &GiveBack) -> Result<UsageRow, StoreError> {
        let row = self
            .write
            .query(AssertSqlSafe(Arc::clone(&self.give_back)))
            .bind(back.account)
            .bind(back.meter)
            .bind(back.day)
            .bind(back.minute)
            .bind(back.credits)
            .bind(back.spent)
            .bind(back.calls)
            .optional(UsageRow::read)
            .await?;
        Ok(row.unwrap_or_default())
    }

    /// What an account used on a day.
    pub async fn usage_on(
        &self,
        account: i64,
        meter: i64,
        day: i64,
    ) -> Result<UsageRow, StoreError> {
        let row = self
            .read
            .query(
                "SELECT day, meter, used, leased, minute, minute_used FROM usage \
                 WHERE account = $1 AND meter = $2 AND day = $3",
            )
            .bind(account)
            .bind(meter)
            .bind(day)
            .optional(UsageRow::read)
            .await?;
        Ok(row.unwrap_or(UsageRow {
            day,
            meter,
            ..UsageRow::default()
        }))
    }

    /// What an account used, from a day on, oldest first.
    pub async fn usage_since(&self, account: i64, day: i64) -> Result<Vec<UsageRow>, StoreError> {
        self.read
            .query(
                "SELECT day, meter, used, leased, minute, minute_used FROM usage \
                 WHERE account = $1 AND day >= $2 ORDER BY day, meter",
            )
            .bind(account)
            .bind(day)
            .all(UsageRow::read)
            .await
    }
}
