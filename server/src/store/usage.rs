//! Usage of an account's day: credits are leased, spent, and given back.

use super::error::StoreError;
use super::handle::Store;
use super::sql::{Dialect, Query, Row};
use serde::Serialize;
use sqlx::AssertSqlSafe;
use std::sync::Arc;
use std::time::Duration;

/// How long the database may take to lease or to take back: after it the reply counts as lost.
const LOST: Duration = Duration::from_secs(15);

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
    /// The number of the process, drawn at its start.
    pub process: i64,
    /// The number of this give-back, larger than those of earlier ones of the process. It is counted
    /// once, however often it is sent; of one account the next is sent when this one is confirmed.
    pub number: i64,
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

/// Notes the number of a give-back: no row where it was counted before.
pub(super) const NUMBER: &str = "\
    INSERT INTO give_backs (account, meter, day, process, number) VALUES ($1, $2, $3, $4, $5) \
    ON CONFLICT (account, meter, day, process) DO UPDATE SET number = excluded.number \
    WHERE give_backs.number < excluded.number";

/// Gives back what was not counted before. PostgreSQL does it in one statement, so that a process
/// that is cut off leaves no transaction open that would hold the row.
pub(super) const GIVE_BACK_NUMBERED: &str = "\
    WITH fresh AS (INSERT INTO give_backs (account, meter, day, process, number) \
    VALUES ($1, $2, $3, $8, $9) ON CONFLICT (account, meter, day, process) \
    DO UPDATE SET number = excluded.number WHERE give_backs.number < excluded.number \
    RETURNING number) \
    UPDATE usage SET \
    used = GREATEST(0, used - $5), \
    leased = GREATEST(0, leased - $5 - $6), \
    minute_used = CASE WHEN minute = $4 THEN GREATEST(0, minute_used - $7) ELSE minute_used END \
    WHERE account = $1 AND meter = $2 AND day = $3 AND EXISTS (SELECT 1 FROM fresh) \
    RETURNING day, meter, used, leased, minute, minute_used";

/// Gives back, in a transaction after [`NUMBER`].
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

/// The values of [`GIVE_BACK`].
fn bind<'q>(statement: Query<'q>, back: &GiveBack) -> Query<'q> {
    statement
        .bind(back.account)
        .bind(back.meter)
        .bind(back.day)
        .bind(back.minute)
        .bind(back.credits)
        .bind(back.spent)
        .bind(back.calls)
}

/// What comes in time, or that it was lost.
async fn in_time<T>(reply: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    tokio::time::timeout(LOST, reply)
        .await
        .unwrap_or_else(|_| Err(StoreError::Database(sqlx::Error::PoolTimedOut)))
}

impl Store {
    /// Takes credits and calls of an account's day: at least what is needed, at most what is
    /// wanted, and of what lies between at most half of what is left. `None` where the plan's
    /// allowance leaves less than is needed.
    pub async fn lease(&self, request: &LeaseRequest) -> Result<Option<Lease>, StoreError> {
        #[cfg(test)]
        self.faults.before()?;
        let lease = in_time(self.lease_or_make_row(request)).await?;
        #[cfg(test)]
        self.faults.leased(request.day, lease.as_ref())?;
        Ok(lease)
    }

    async fn lease_or_make_row(&self, request: &LeaseRequest) -> Result<Option<Lease>, StoreError> {
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

    /// Gives back what a process did not spend, once for each number; answers what then counts as
    /// used.
    pub async fn give_back(&self, back: &GiveBack) -> Result<UsageRow, StoreError> {
        #[cfg(test)]
        self.faults.before()?;
        let given = in_time(async {
            match self.write.dialect() {
                Dialect::Sqlite => self.give_back_in_transaction(back).await,
                Dialect::Postgres => {
                    bind(self.write.query(GIVE_BACK_NUMBERED), back)
                        .bind(back.process)
                        .bind(back.number)
                        .optional(UsageRow::read)
                        .await
                }
            }
        });
        let given = given.await?;
        #[cfg(test)]
        self.faults.given(back)?;
        match given {
            Some(row) => Ok(row),
            // counted before
            None => self.usage_on(back.account, back.meter, back.day).await,
        }
    }

    async fn give_back_in_transaction(
        &self,
        back: &GiveBack,
    ) -> Result<Option<UsageRow>, StoreError> {
        let mut change = self.write.begin().await?;
        let fresh = change
            .query(NUMBER)
            .bind(back.account)
            .bind(back.meter)
            .bind(back.day)
            .bind(back.process)
            .bind(back.number)
            .execute()
            .await?;
        if fresh == 0 {
            change.rollback().await?;
            return Ok(None);
        }
        let statement = change.query(AssertSqlSafe(Arc::clone(&self.give_back)));
        let row = bind(statement, back).optional(UsageRow::read).await?;
        change.commit().await?;
        Ok(row)
    }

    /// Forgets the numbers of give-backs of days before this one.
    pub async fn forget_give_backs(&self, before: i64) -> Result<(), StoreError> {
        self.write
            .query("DELETE FROM give_backs WHERE day < $1")
            .bind(before)
            .execute()
            .await
            .map(drop)
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
