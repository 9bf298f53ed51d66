//! [`LeaseAccount`]: the credits of an account that this process has leased.

use super::cost::{Allowance, Balance, Cost, Shortage};
use super::endpoint::{Endpoint, Tally};
use crate::clock::Moment;
use crate::store::{EndpointUsage, Lease, UsageRow};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The next lease is twice as large if one ran out faster than this; that one then lasts less than
/// a second.
const SHORT_LIVED: Duration = Duration::from_millis(500);
/// The next lease is half as large if one lasted longer than this.
const LONG_LIVED: Duration = Duration::from_secs(1);
/// The largest lease, whatever the traffic.
const LARGEST: i64 = 50_000;

/// The credits of an account that this process has leased.
///
/// Each method holds a lock for a few instructions. Only [`super::ledger::Ledger`] uses it.
#[derive(Debug, Default)]
pub(super) struct LeaseAccount {
    held: Mutex<LeaseState>,
    /// Whoever holds this may ask the database for a lease.
    pub(crate) turn: tokio::sync::Mutex<()>,
    /// Charges that may still be refunded.
    open: AtomicUsize,
    /// Calls that are not written yet.
    tally: Mutex<Tally>,
}

#[derive(Debug, Default)]
struct LeaseState {
    day: i64,
    minute: i64,
    /// Leased and not spent.
    credits: i64,
    /// Calls of `minute` that are leased and not made.
    calls: i64,
    /// Spent since the database was last told. Negative after refunds.
    spent: i64,
    /// What the database last counted as used, including what is leased here. `None` before the
    /// first answer of the day.
    used: Option<i64>,
    /// The same for the calls of `used_minute`.
    minute_used: i64,
    used_minute: i64,
    /// Sizes of the next lease.
    size: i64,
    size_calls: i64,
    filled: Option<Instant>,
    touched: Option<Instant>,
    /// The credits that waiting requests need.
    waiting: i64,
    waiting_calls: i64,
    /// The last refusal for want of credits, and for want of calls. A request without credits also
    /// asks for its call, so that both may hold at once.
    refused_day: Option<Refused>,
    refused_minute: Option<Refused>,
    /// Until then, credits leased elsewhere count as lost and nothing waits for them.
    others_lost: Option<Instant>,
    /// What remains of leases of earlier days.
    pending: Vec<PendingReturn>,
    /// The return that was sent last and not confirmed. It is sent again, with its number, before
    /// any other.
    unconfirmed: Option<(i64, PendingReturn)>,
}

/// A refusal that holds for a moment.
#[derive(Clone, Copy, Debug)]
struct Refused {
    until: Instant,
    cost: Cost,
    allowance: Allowance,
    minute: i64,
}

impl Refused {
    /// Whether it holds of a request under this allowance.
    fn holds(&self, allowance: Allowance) -> bool {
        self.allowance == allowance && self.until > Instant::now()
    }
}

/// A part of a lease that must go back to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PendingReturn {
    pub(crate) day: i64,
    pub(crate) minute: i64,
    pub(crate) credits: i64,
    pub(crate) calls: i64,
    pub(crate) spent: i64,
}

/// The lease to ask the database for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    pub(crate) need: i64,
    pub(crate) want: i64,
    pub(crate) need_calls: i64,
    pub(crate) want_calls: i64,
    pub(crate) spent: i64,
    pub(crate) day: i64,
    pub(crate) minute: i64,
}

/// The result of charging a lease account.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ChargeAttempt {
    Charged {
        balance: Balance,
        day: i64,
        minute: i64,
    },
    Refused {
        of: Shortage,
        balance: Balance,
    },
    NeedsLease,
}

impl LeaseState {
    /// Moves on to the day and minute of `now`, but never back.
    fn advance_to(&mut self, now: Moment) {
        if now.day() > self.day {
            self.move_to_pending();
            self.day = now.day();
            self.used = None;
            self.forget_refusals();
            (self.size, self.size_calls) = (0, 0);
        }
        if now.minute() > self.minute {
            self.minute = now.minute();
            self.calls = 0;
        }
    }

    /// Sets what remains of the day aside, to be returned.
    fn move_to_pending(&mut self) {
        if self.credits != 0 || self.calls != 0 || self.spent != 0 {
            self.pending.push(PendingReturn {
                day: self.day,
                minute: self.minute,
                credits: self.credits,
                calls: self.calls,
                spent: self.spent,
            });
        }
        (self.credits, self.calls, self.spent) = (0, 0, 0);
    }

    /// Takes over the database's count, if it is of the current day.
    fn update_usage(&mut self, now: Moment, row: &UsageRow) {
        self.advance_to(now);
        if row.day == self.day {
            self.used = Some(row.used);
            (self.used_minute, self.minute_used) = (row.minute, row.minute_used);
        }
    }

    fn forget_refusals(&mut self) {
        (self.refused_day, self.refused_minute) = (None, None);
    }

    /// What a request lacks, as the database said a moment ago. Where credits and calls are both too
    /// few, credits are: they come back later.
    fn known_shortage(&self, allowance: Allowance, cost: Cost) -> Option<Shortage> {
        let of_day = |refused: &Refused| cost.credits >= refused.cost.credits;
        // the database looks at credits first: whether they were enough for more is not known
        let of_minute = |refused: &Refused| {
            refused.minute == self.minute
                && cost.calls >= refused.cost.calls
                && cost.credits <= refused.cost.credits
        };
        let holds = |refused: &Refused| refused.holds(allowance);
        if self.refused_day.filter(holds).is_some_and(|of| of_day(&of)) {
            return Some(Shortage::Daily);
        }
        let minute = self.refused_minute.filter(holds);
        minute.filter(of_minute).map(|_| Shortage::Minute)
    }

    /// The credits of today, and the calls of this minute, that are on their way back. The database
    /// counts them as used until it has confirmed them.
    fn returning(&self) -> (i64, i64) {
        let unconfirmed = self.unconfirmed.iter().map(|(_, pending)| pending);
        let of_today = self.pending.iter().chain(unconfirmed);
        let of_today = of_today.filter(|pending| pending.day == self.day);
        of_today.fold((0, 0), |(credits, calls), pending| {
            let of_minute = pending.minute == self.minute;
            (
                credits + pending.credits,
                calls + if of_minute { pending.calls } else { 0 },
            )
        })
    }

    fn balance(&self, now: Moment, allowance: Allowance) -> Balance {
        let (credits, calls) = self.returning();
        let used = self.used.unwrap_or(0) - self.credits - credits;
        let minute_used = if self.used_minute == self.minute {
            self.minute_used - self.calls - calls
        } else {
            0
        };
        Balance {
            daily_limit: allowance.daily,
            daily_remaining: (allowance.daily - used).max(0),
            daily_reset: now.next_day(),
            minute_limit: allowance.minute,
            minute_remaining: (allowance.minute - minute_used).max(0),
            minute_reset: now.next_minute(),
        }
    }
}

impl LeaseAccount {
    fn held(&self) -> MutexGuard<'_, LeaseState> {
        // no change under this lock can panic half-way
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Spends from the lease.
    pub(crate) fn spend(&self, now: Moment, allowance: Allowance, cost: Cost) -> ChargeAttempt {
        let mut held = self.held();
        held.advance_to(now);
        if cost.credits <= held.credits && cost.calls <= held.calls {
            held.credits -= cost.credits;
            held.calls -= cost.calls;
            held.spent += cost.credits;
            held.touched = Some(Instant::now());
            self.open.fetch_add(1, Ordering::SeqCst);
            return ChargeAttempt::Charged {
                balance: held.balance(now, allowance),
                day: held.day,
                minute: held.minute,
            };
        }
        let too_large = cost.credits > allowance.daily || cost.calls > allowance.minute;
        if let Some(of) = held.known_shortage(allowance, cost) {
            let of = if too_large { Shortage::ExceedsPlan } else { of };
            return ChargeAttempt::Refused {
                of,
                balance: held.balance(now, allowance),
            };
        }
        if too_large && held.used.is_some() {
            return ChargeAttempt::Refused {
                of: Shortage::ExceedsPlan,
                balance: held.balance(now, allowance),
            };
        }
        ChargeAttempt::NeedsLease
    }

    /// What the account has left, if that is known.
    pub(crate) fn balance(&self, now: Moment, allowance: Allowance) -> Option<Balance> {
        let mut held = self.held();
        held.advance_to(now);
        held.used?;
        Some(held.balance(now, allowance))
    }

    /// A request waits for a lease.
    pub(crate) fn begin_waiting(&self, cost: Cost) {
        let mut held = self.held();
        held.waiting += cost.credits;
        held.waiting_calls += cost.calls;
    }

    /// A request no longer waits.
    pub(crate) fn end_waiting(&self, cost: Cost) {
        let mut held = self.held();
        held.waiting -= cost.credits;
        held.waiting_calls -= cost.calls;
    }

    /// The lease that covers `cost` and the requests that wait.
    pub(crate) fn demand(&self, now: Moment, cost: Cost) -> Demand {
        let mut held = self.held();
        held.advance_to(now);
        let lasted = held.filled.map(|filled| filled.elapsed());
        let next = |size: i64| match lasted {
            Some(lasted) if lasted < SHORT_LIVED => (size * 2).min(LARGEST),
            Some(lasted) if lasted > LONG_LIVED => size / 2,
            Some(_) => size,
            None => 0,
        };
        let need = (cost.credits - held.credits).max(0);
        let need_calls = (cost.calls - held.calls).max(0);
        let waiting = held.waiting - held.credits;
        let waiting_calls = held.waiting_calls - held.calls;
        if need > 0 {
            held.size = next(held.size).max(need);
        }
        held.size_calls = next(held.size_calls).max(need_calls);
        let want = if need > 0 { held.size.max(waiting) } else { 0 };
        let want_calls = held.size_calls.max(waiting_calls);
        Demand {
            need,
            want,
            need_calls,
            want_calls,
            spent: held.spent,
            day: held.day,
            minute: held.minute,
        }
    }

    /// Adds a lease of `day`. With it the database learned of `spent`.
    pub(crate) fn add_lease(&self, day: i64, lease: &Lease, spent: i64) {
        let mut held = self.held();
        if day != held.day {
            // midnight passed meanwhile
            held.pending.push(PendingReturn {
                day,
                minute: lease.minute,
                credits: lease.credits,
                calls: lease.calls,
                spent: 0,
            });
            return;
        }
        held.credits += lease.credits;
        if lease.minute > held.minute {
            held.minute = lease.minute;
            held.calls = 0;
        }
        if lease.minute == held.minute {
            held.calls += lease.calls;
        }
        held.spent -= spent;
        held.used = Some(lease.used);
        (held.used_minute, held.minute_used) = (lease.minute, lease.minute_used);
        held.filled = Some(Instant::now());
        held.touched = held.filled;
        held.forget_refusals();
    }

    /// Takes over the database's count, if it is of the current day.
    pub(crate) fn update_usage(&self, now: Moment, row: &UsageRow) {
        self.held().update_usage(now, row);
    }

    /// Whether another process holds leased credits that may come back.
    pub(crate) fn leased_elsewhere(&self, row: &UsageRow) -> bool {
        let held = self.held();
        let lost = held.others_lost.is_some_and(|until| until > Instant::now());
        !lost && row.leased > held.credits + held.spent
    }

    /// Stops waiting for credits leased elsewhere, for `duration`.
    pub(crate) fn count_others_as_lost(&self, duration: Duration) {
        self.held().others_lost = Some(Instant::now() + duration);
    }

    /// Refuses requests of this cost or more for `duration`.
    pub(crate) fn refuse(
        &self,
        now: Moment,
        allowance: Allowance,
        cost: Cost,
        of: Shortage,
        duration: Duration,
    ) {
        let mut held = self.held();
        held.advance_to(now);
        let refused = Some(Refused {
            until: Instant::now() + duration,
            cost,
            allowance,
            minute: held.minute,
        });
        match of {
            Shortage::Daily | Shortage::ExceedsPlan => held.refused_day = refused,
            Shortage::Minute => held.refused_minute = refused,
        }
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call whose charge is final.
    pub(crate) fn count(&self, day: i64, endpoint: Endpoint, credits: i64) {
        self.tally().count(day, endpoint, credits);
    }

    /// The calls to be written, if it is time, or `now`.
    pub(crate) fn take_counts(&self, now: bool) -> Vec<EndpointUsage<&'static str>> {
        self.tally().take(now)
    }

    /// Counts calls that could not be written.
    pub(crate) fn put_back_counts(&self, rows: &[EndpointUsage<&'static str>]) {
        self.tally().put_back(rows);
    }

    /// Notes that a charge was kept or refunded.
    pub(crate) fn end_charge(&self) {
        self.open.fetch_sub(1, Ordering::SeqCst);
    }

    /// Takes back what was charged to a request that was not answered.
    pub(crate) fn refund(&self, day: i64, minute: i64, cost: Cost) {
        let mut held = self.held();
        if day == held.day {
            held.credits += cost.credits;
            held.spent -= cost.credits;
            if minute == held.minute {
                held.calls += cost.calls;
            }
            held.forget_refusals();
        } else {
            held.pending.push(PendingReturn {
                day,
                minute,
                credits: cost.credits,
                calls: 0,
                spent: -cost.credits,
            });
        }
    }

    /// The next return with its number: one that was not confirmed first, then leases of earlier
    /// days, then today's if it was not used for `idle`. It stays until it is confirmed; `number`
    /// gives the next number.
    pub(crate) fn next_return(
        &self,
        now: Moment,
        instant: Instant,
        idle: Duration,
        number: impl FnOnce() -> i64,
    ) -> Option<(i64, PendingReturn)> {
        let mut held = self.held();
        held.advance_to(now);
        if held.unconfirmed.is_some() {
            return held.unconfirmed;
        }
        if held.pending.is_empty() {
            if held
                .touched
                .is_some_and(|touched| instant.saturating_duration_since(touched) < idle)
            {
                return None;
            }
            held.move_to_pending();
        }
        held.unconfirmed = held.pending.pop().map(|pending| (number(), pending));
        held.unconfirmed
    }

    /// The last return was counted, and this is the database's count with it.
    pub(crate) fn confirm_return(&self, now: Moment, row: &UsageRow) {
        let mut held = self.held();
        held.unconfirmed = None;
        held.update_usage(now, row);
    }

    /// Whether there is nothing to return, and nothing that may still be refunded.
    pub(crate) fn is_empty(&self) -> bool {
        let held = self.held();
        held.pending.is_empty()
            && held.unconfirmed.is_none()
            && held.credits == 0
            && held.spent == 0
            && self.open.load(Ordering::SeqCst) == 0
            && self.tally().is_empty()
    }
}

#[cfg(test)]
mod tests;
