//! [`Purse`]: what a process holds of an account's credits.

use crate::clock::Moment;
use crate::ledger::{Allowance, Cost, Short, Standing};
use crate::store::{Lease, UsageRow};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A lease that lasts less than this is followed by one of twice the size: that one lasts less than a second.
const SHORT_LIVED: Duration = Duration::from_millis(500);
/// A lease that lasts longer than this is followed by one of half the size.
const LONG_LIVED: Duration = Duration::from_secs(1);
/// No lease is larger, whatever the traffic.
const LARGEST: i64 = 50_000;

/// What a process holds of an account's credits. Its methods take a lock for a few instructions; only [`crate::ledger::Ledger`] uses it.
#[derive(Debug, Default)]
pub struct Purse {
    held: Mutex<Held>,
    /// Who holds this may ask the database.
    pub(crate) turn: tokio::sync::Mutex<()>,
    /// Charges that may still be refunded.
    open: AtomicUsize,
}

#[derive(Debug, Default)]
struct Held {
    day: i64,
    minute: i64,
    /// Leased and not spent.
    credits: i64,
    /// Leased and not made, of `minute`.
    calls: i64,
    /// Spent since the database was last told; below 0 after refunds.
    spent: i64,
    /// What the database had as used when it last answered, with what is held here; `None` where it was not asked today.
    used: Option<i64>,
    /// The same of `used_minute`.
    minute_used: i64,
    used_minute: i64,
    /// Sizes of the next lease.
    size: i64,
    size_calls: i64,
    filled: Option<Instant>,
    touched: Option<Instant>,
    /// What requests wait for.
    waiting: i64,
    waiting_calls: i64,
    refused: Option<Refused>,
    /// Until when credits that are leased elsewhere are not waited for.
    others_lost: Option<Instant>,
    /// What is left of leases of earlier days.
    owed: Vec<Owed>,
}

/// A refusal that holds for a moment.
#[derive(Clone, Copy, Debug)]
struct Refused {
    until: Instant,
    of: Short,
    cost: Cost,
    allowance: Allowance,
    minute: i64,
}

/// What is to be given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owed {
    pub(crate) day: i64,
    pub(crate) minute: i64,
    pub(crate) credits: i64,
    pub(crate) calls: i64,
    pub(crate) spent: i64,
}

/// What is to be asked of the database.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Want {
    pub(crate) need: i64,
    pub(crate) want: i64,
    pub(crate) need_calls: i64,
    pub(crate) want_calls: i64,
    pub(crate) spent: i64,
    pub(crate) day: i64,
    pub(crate) minute: i64,
}

/// What became of a charge.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spending {
    Done {
        standing: Standing,
        day: i64,
        minute: i64,
    },
    Refused {
        of: Short,
        standing: Standing,
    },
    Ask,
}

impl Held {
    /// Goes on to the day and minute of `now`. A clock that goes back is not followed.
    fn turn_to(&mut self, now: Moment) {
        if now.day() > self.day {
            self.put_aside();
            self.day = now.day();
            self.used = None;
            self.refused = None;
            (self.size, self.size_calls) = (0, 0);
        }
        if now.minute() > self.minute {
            self.minute = now.minute();
            self.calls = 0;
        }
    }

    /// What the day leaves, to be given back.
    fn put_aside(&mut self) {
        if self.credits != 0 || self.calls != 0 || self.spent != 0 {
            self.owed.push(Owed {
                day: self.day,
                minute: self.minute,
                credits: self.credits,
                calls: self.calls,
                spent: self.spent,
            });
        }
        (self.credits, self.calls, self.spent) = (0, 0, 0);
    }

    fn standing(&self, now: Moment, allowance: Allowance) -> Standing {
        let used = self.used.unwrap_or(0) - self.credits;
        let minute_used = if self.used_minute == self.minute {
            self.minute_used - self.calls
        } else {
            0
        };
        Standing {
            daily_limit: allowance.daily,
            daily_remaining: (allowance.daily - used).max(0),
            daily_reset: now.next_day(),
            minute_limit: allowance.minute,
            minute_remaining: (allowance.minute - minute_used).max(0),
            minute_reset: now.next_minute(),
        }
    }
}

impl Purse {
    fn held(&self) -> MutexGuard<'_, Held> {
        // nothing between lock and unlock can panic half-way
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Spends from what is held.
    pub(crate) fn spend(&self, now: Moment, allowance: Allowance, cost: Cost) -> Spending {
        let mut held = self.held();
        held.turn_to(now);
        if cost.credits <= held.credits && cost.calls <= held.calls {
            held.credits -= cost.credits;
            held.calls -= cost.calls;
            held.spent += cost.credits;
            held.touched = Some(Instant::now());
            self.open.fetch_add(1, Ordering::SeqCst);
            return Spending::Done {
                standing: held.standing(now, allowance),
                day: held.day,
                minute: held.minute,
            };
        }
        let too_large = cost.credits > allowance.daily || cost.calls > allowance.minute;
        if let Some(refused) = held.refused.filter(|refused| {
            refused.allowance == allowance
                && match refused.of {
                    Short::Minute => {
                        refused.minute == held.minute && cost.calls >= refused.cost.calls
                    }
                    Short::Daily | Short::Ever => cost.credits >= refused.cost.credits,
                }
        }) {
            if refused.until > Instant::now() {
                let of = if too_large { Short::Ever } else { refused.of };
                return Spending::Refused {
                    of,
                    standing: held.standing(now, allowance),
                };
            }
            held.refused = None;
        }
        if too_large && held.used.is_some() {
            return Spending::Refused {
                of: Short::Ever,
                standing: held.standing(now, allowance),
            };
        }
        Spending::Ask
    }

    /// What is left, where it is known.
    pub(crate) fn standing(&self, now: Moment, allowance: Allowance) -> Option<Standing> {
        let mut held = self.held();
        held.turn_to(now);
        held.used?;
        Some(held.standing(now, allowance))
    }

    /// A request waits for a lease.
    pub(crate) fn wait(&self, cost: Cost) {
        let mut held = self.held();
        held.waiting += cost.credits;
        held.waiting_calls += cost.calls;
    }

    /// A request waits no more.
    pub(crate) fn done_waiting(&self, cost: Cost) {
        let mut held = self.held();
        held.waiting -= cost.credits;
        held.waiting_calls -= cost.calls;
    }

    /// What to ask the database for, so that `cost` and what waits can be spent.
    pub(crate) fn want(&self, now: Moment, cost: Cost) -> Want {
        let mut held = self.held();
        held.turn_to(now);
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
        Want {
            need,
            want,
            need_calls,
            want_calls,
            spent: held.spent,
            day: held.day,
            minute: held.minute,
        }
    }

    /// Books a lease of `day`; the database knows of `spent` since.
    pub(crate) fn fill(&self, day: i64, lease: &Lease, spent: i64) {
        let mut held = self.held();
        if day != held.day {
            // midnight passed while the database was asked
            held.owed.push(Owed {
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
        held.refused = None;
    }

    /// Books what the database has, where it is of the day at hand.
    pub(crate) fn learn(&self, now: Moment, row: &UsageRow) {
        let mut held = self.held();
        held.turn_to(now);
        if row.day == held.day {
            held.used = Some(row.used);
            (held.used_minute, held.minute_used) = (row.minute, row.minute_used);
        }
    }

    /// Whether some of what is used stands leased elsewhere and may come back.
    pub(crate) fn leased_elsewhere(&self, row: &UsageRow) -> bool {
        let held = self.held();
        let lost = held.others_lost.is_some_and(|until| until > Instant::now());
        !lost && row.leased > held.credits + held.spent
    }

    /// What is leased elsewhere did not come back.
    pub(crate) fn give_up_on_others(&self, duration: Duration) {
        self.held().others_lost = Some(Instant::now() + duration);
    }

    /// Refuses requests of this cost or more for a moment.
    pub(crate) fn refuse(
        &self,
        now: Moment,
        allowance: Allowance,
        cost: Cost,
        of: Short,
        duration: Duration,
    ) {
        let mut held = self.held();
        held.turn_to(now);
        held.refused = Some(Refused {
            until: Instant::now() + duration,
            of,
            cost,
            allowance,
            minute: held.minute,
        });
    }

    /// A charge that was spent or refunded is over.
    pub(crate) fn end(&self) {
        self.open.fetch_sub(1, Ordering::SeqCst);
    }

    /// Puts back what was spent on a request that was not answered.
    pub(crate) fn refund(&self, day: i64, minute: i64, cost: Cost) {
        let mut held = self.held();
        if day == held.day {
            held.credits += cost.credits;
            held.spent -= cost.credits;
            if minute == held.minute {
                held.calls += cost.calls;
            }
            held.refused = None;
        } else {
            held.owed.push(Owed {
                day,
                minute,
                credits: cost.credits,
                calls: 0,
                spent: -cost.credits,
            });
        }
    }

    /// The next thing to give back: leases of earlier days, then today's where nothing was spent of it for `idle`.
    pub(crate) fn take_owed(&self, now: Moment, instant: Instant, idle: Duration) -> Option<Owed> {
        let mut held = self.held();
        held.turn_to(now);
        if let Some(owed) = held.owed.pop() {
            return Some(owed);
        }
        if held
            .touched
            .is_some_and(|touched| instant.saturating_duration_since(touched) < idle)
        {
            return None;
        }
        held.put_aside();
        held.owed.pop()
    }

    /// Keeps what could not be given back.
    pub(crate) fn owe(&self, owed: Owed) {
        self.held().owed.push(owed);
    }

    /// Whether there is nothing to give back.
    pub(crate) fn is_empty(&self) -> bool {
        let held = self.held();
        held.owed.is_empty()
            && held.credits == 0
            && held.spent == 0
            && self.open.load(Ordering::SeqCst) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Purse, Spending};
    use crate::clock::Moment;
    use crate::ledger::{Allowance, Cost};
    use crate::store::{Lease, UsageRow};
    use std::time::{Duration, Instant};

    const NOON: Moment = Moment::from_millis(43_200_000);
    const PLENTY: Allowance = Allowance {
        daily: 1_000_000,
        minute: 1_000_000,
    };
    const PLENTY_OF_PLENTY: Allowance = Allowance {
        daily: 1 << 40,
        minute: 1 << 40,
    };
    const ONE: Cost = Cost {
        credits: 1,
        calls: 1,
    };

    /// Leases what the purse wants, as a database with plenty does.
    fn lease(purse: &Purse, used: &mut i64, cost: Cost) -> i64 {
        let want = purse.want(NOON, cost);
        *used += want.want;
        let lease = Lease {
            credits: want.want,
            calls: want.want_calls,
            minute: NOON.minute(),
            used: *used,
            minute_used: *used,
        };
        purse.fill(want.day, &lease, want.spent);
        want.want
    }

    #[test]
    fn the_first_lease_is_the_cost_and_the_next_ones_double() {
        let purse = Purse::default();
        let (mut used, mut sizes) = (0, Vec::new());
        for _ in 0..31 {
            if let Spending::Ask = purse.spend(NOON, PLENTY, ONE) {
                sizes.push(lease(&purse, &mut used, ONE));
                assert!(matches!(
                    purse.spend(NOON, PLENTY, ONE),
                    Spending::Done { .. }
                ));
            }
        }
        assert_eq!(sizes, [1, 2, 4, 8, 16]);
        let standing = purse
            .standing(NOON, PLENTY)
            .expect("the database was asked");
        assert_eq!(
            (standing.daily_remaining, standing.minute_remaining),
            (1_000_000 - 31, 1_000_000 - 31)
        );
    }

    /// What a killed process leaves charged and unanswered is at most a lease. At a steady rate none lasts longer than a second, but for the
    /// one credit without which nothing is answered.
    #[test]
    fn a_lease_is_at_most_a_second_of_charges() {
        for rate in [1, 3, 10, 99, 1_000, 7_777, 20_000, 50_000] {
            let purse = Purse::default();
            let mut used = 0;
            for _ in 0..40 {
                let size = lease(&purse, &mut used, ONE);
                let lasts = Duration::from_secs_f64(
                    f64::from(i32::try_from(size).expect("it is small")) / f64::from(rate),
                );
                assert!(
                    size == 1 || lasts <= Duration::from_secs(1),
                    "{size} at {rate} a second"
                );
                for _ in 0..size {
                    assert!(matches!(
                        purse.spend(NOON, PLENTY_OF_PLENTY, ONE),
                        Spending::Done { .. }
                    ));
                }
                assert!(matches!(
                    purse.spend(NOON, PLENTY_OF_PLENTY, ONE),
                    Spending::Ask
                ));
                purse.held().filled = Instant::now().checked_sub(lasts);
            }
        }
    }

    #[test]
    fn what_waits_is_leased_at_once() {
        let purse = Purse::default();
        for _ in 0..200 {
            purse.wait(ONE);
        }
        assert_eq!(lease(&purse, &mut 0, ONE), 200);
    }

    #[test]
    fn a_refund_can_be_spent_again_and_credits_elsewhere_are_seen() {
        let purse = Purse::default();
        lease(&purse, &mut 0, ONE);
        let Spending::Done { day, minute, .. } = purse.spend(NOON, PLENTY, ONE) else {
            panic!("there is one")
        };
        assert!(matches!(purse.spend(NOON, PLENTY, ONE), Spending::Ask));
        purse.refund(day, minute, ONE);
        purse.end();
        assert!(matches!(
            purse.spend(NOON, PLENTY, ONE),
            Spending::Done { .. }
        ));
        purse.end();
        let row = |leased| UsageRow {
            day,
            used: 50,
            leased,
            ..UsageRow::default()
        };
        // one that was leased here and spent since is told as leased until the database hears of it
        assert!(!purse.leased_elsewhere(&row(1)));
        assert!(purse.leased_elsewhere(&row(2)));
    }
}
