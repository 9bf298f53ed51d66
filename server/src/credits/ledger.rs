//! [`Ledger`]: charges credits and calls in memory, from leases that the database granted.
//!
//! The database counts a credit as used when it leases it. So nothing that was answered goes
//! uncharged, whatever happens to a process. What a killed process had leased and not spent stays
//! charged: at most about a second of its traffic.
//!
//! An account's first request leases its exact cost. The next lease is twice as large if the last
//! one ran out within half a second, and half as large if it lasted more than a second. A lease is
//! returned after a second without a request, at the end of the day, and at shutdown.
//!
//! Four waits meet in [`Ledger::charge`]:
//!
//! | state | who waits for what |
//! |---|---|
//! | `turn` | requests of an account wait while one of them asks the database for a lease |
//! | `leasing` | [`Ledger::close`] waits until no lease is being requested |
//! | refused for a moment | for 250 ms after a refusal, requests as large are refused without asking the database |
//! | leased elsewhere | a request waits up to 1.6 s for credits that another process holds; then they count as lost for a minute |

use super::charge::{Account, Charge, Refusal};
use super::cost::{Allowance, Balance, Cost, CreditCounters, Meter, Shortage};
use super::lease::{ChargeAttempt, Demand, LeaseAccount};
use crate::clock::{Clock, Moment};
use crate::store::{GiveBack, LeaseRequest, Store, StoreError};
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{RwLock, oneshot};

/// A lease that was not used for this long is returned.
const IDLE: Duration = Duration::from_secs(1);
/// How often the ledger looks for idle leases.
const SWEEP: Duration = Duration::from_millis(250);
/// For how long a refusal holds without asking the database again.
const REFUSED_FOR: Duration = Duration::from_millis(250);
/// Milliseconds to wait for credits that another process has leased. Together they are longer than
/// an idle lease is kept.
const WAITS: [u64; 7] = [20, 40, 80, 160, 320, 480, 480];
/// How many times in a row a request asks the database again because credits came back between its
/// refusal and the next look.
const MAX_LEASE_ATTEMPTS: usize = 32;
/// Days for which the numbers of give-backs are kept. Nothing that is given back to an earlier day
/// can be spent.
const NUMBERS_KEPT: i64 = 2;
/// For how long credits leased elsewhere count as lost with a killed process, once waiting for them
/// was in vain.
const LOST_FOR: Duration = Duration::from_secs(60);

/// Charges credits and calls to accounts.
#[derive(Debug)]
pub struct Ledger {
    store: Store,
    clock: Clock,
    /// The accounts that hold a lease or have something to return.
    active: Mutex<HashMap<(i64, i64), Arc<LeaseAccount>>>,
    /// Locked for reading while a lease is requested, even if its caller no longer waits.
    leasing: Arc<RwLock<()>>,
    counters: Arc<CreditCounters>,
    /// A random number of this process, under which its returns are numbered.
    process: i64,
    /// Returns so far.
    returns: AtomicI64,
    /// Milliseconds to wait for credits that another process has leased.
    waits: &'static [u64],
}

impl Ledger {
    /// A ledger without leases.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn new(store: Store, clock: Clock) -> Result<Arc<Self>, getrandom::Error> {
        Ok(Arc::new(Self::with_waits(store, clock, &WAITS)?))
    }

    fn with_waits(
        store: Store,
        clock: Clock,
        waits: &'static [u64],
    ) -> Result<Self, getrandom::Error> {
        let mut process = [0; 8];
        getrandom::fill(&mut process)?;
        Ok(Self {
            store,
            clock,
            active: Mutex::default(),
            leasing: Arc::default(),
            counters: Arc::default(),
            process: i64::from_le_bytes(process),
            returns: AtomicI64::new(0),
            waits,
        })
    }

    /// The clock that days and minutes are taken from.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Totals since the start.
    pub(crate) fn counters(&self) -> &CreditCounters {
        &self.counters
    }

    /// How many accounts hold a lease, have something to return, or have a charge that may still be
    /// refunded.
    pub fn active(&self) -> usize {
        self.active
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    /// Charges `cost`, or says why it cannot. Most charges only take a lock; the others share one
    /// question to the database.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn charge(
        self: &Arc<Self>,
        account: &Arc<Account>,
        meter: Meter,
        cost: Cost,
    ) -> Result<Charge, Refusal> {
        let now = self.clock.now();
        let allowance = account.allowance(meter);
        if let Some(done) = self.charge_from_lease(account.leases(meter), now, allowance, cost) {
            return done;
        }
        // In its own task, so that a granted lease is recorded even if the caller has gone.
        let (ledger, holder) = (Arc::clone(self), Arc::clone(account));
        let leases = account.leases(meter);
        let leasing = Arc::clone(&self.leasing).read_owned().await;
        leases.begin_waiting(cost);
        let (sender, receiver) = oneshot::channel();
        tokio::spawn(async move {
            let done = ledger.lease(&holder, meter, cost).await;
            holder.leases(meter).end_waiting(cost);
            // a charge that nobody waits for is refunded here, before the lease counts as finished
            drop(sender.send(done));
            drop(leasing);
        });
        receiver.await.unwrap_or_else(|_| {
            Err(Refusal::Store(StoreError::Database(
                sqlx::Error::WorkerCrashed,
            )))
        })
    }

    /// What an account has left, for answers that cost nothing.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn balance(&self, account: &Account, meter: Meter) -> Result<Balance, StoreError> {
        let now = self.clock.now();
        let allowance = account.allowance(meter);
        let leases = account.leases(meter);
        if let Some(balance) = leases.balance(now, allowance) {
            return Ok(balance);
        }
        let row = self
            .store
            .usage_on(account.id, meter.number(), now.day())
            .await?;
        leases.update_usage(now, &row);
        Ok(leases.balance(now, allowance).unwrap_or_default())
    }

    /// Leases credits from the database and spends `cost` of them. One request of an account does
    /// so at a time.
    async fn lease(&self, account: &Account, meter: Meter, cost: Cost) -> Result<Charge, Refusal> {
        let leases = account.leases(meter);
        let _turn = leases.turn.lock().await;
        let mut waits = self.waits.iter();
        let mut asked = 0;
        loop {
            let now = self.clock.now();
            let allowance = account.allowance(meter);
            if let Some(done) = self.charge_from_lease(leases, now, allowance, cost) {
                return done;
            }
            let Demand {
                need,
                want,
                need_calls,
                want_calls,
                spent,
                day,
                minute,
            } = leases.demand(now, cost);
            let request = LeaseRequest {
                account: account.id,
                meter: meter.number(),
                day,
                minute,
                need,
                want,
                need_calls,
                want_calls,
                daily: allowance.daily,
                per_minute: allowance.minute,
                spent,
            };
            self.active
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert((account.id, meter.number()), Arc::clone(leases));
            match self.store.lease(&request).await.map_err(Refusal::Store)? {
                Some(lease) => {
                    self.counters.leases.fetch_add(1, Ordering::Relaxed);
                    CreditCounters::add(&self.counters.leased, lease.credits);
                    leases.add_lease(day, &lease, spent);
                }
                None => {
                    let row = self
                        .store
                        .usage_on(account.id, meter.number(), day)
                        .await
                        .map_err(Refusal::Store)?;
                    leases.update_usage(now, &row);
                    let daily = row.used + need > allowance.daily;
                    let calls = if row.minute >= minute {
                        row.minute_used
                    } else {
                        0
                    };
                    if !daily && calls + need_calls <= allowance.minute {
                        // another process returned credits since the statement: ask again
                        asked += 1;
                        if asked < MAX_LEASE_ATTEMPTS {
                            continue;
                        }
                        // it refuses what by its own count is left
                        return Err(Refusal::Store(StoreError::Database(
                            sqlx::Error::PoolTimedOut,
                        )));
                    }
                    if daily && leases.leased_elsewhere(&row) {
                        match waits.next() {
                            Some(&millis) => {
                                tokio::time::sleep(Duration::from_millis(millis)).await;
                                continue;
                            }
                            None => leases.count_others_as_lost(LOST_FOR),
                        }
                    }
                    leases.refuse(
                        now,
                        allowance,
                        cost,
                        if daily {
                            Shortage::Daily
                        } else {
                            Shortage::Minute
                        },
                        REFUSED_FOR,
                    );
                }
            }
        }
    }

    /// Returns idle leases, for as long as the service runs.
    pub async fn sweep(self: Arc<Self>) {
        let mut forgotten = None;
        loop {
            tokio::time::sleep(SWEEP).await;
            self.return_leases(IDLE).await;
            let before = self.clock.now().day() - NUMBERS_KEPT;
            if forgotten != Some(before) && self.store.forget_give_backs(before).await.is_ok() {
                forgotten = Some(before);
            }
        }
    }

    /// Returns all leases, including those being requested. Nothing may be charged afterwards.
    pub async fn close(&self) {
        let _none_under_way = self.leasing.write().await;
        self.return_leases(Duration::ZERO).await;
    }

    async fn return_leases(&self, idle: Duration) {
        let active: Vec<_> = {
            let active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
            active
                .iter()
                .map(|(of, leases)| (*of, Arc::clone(leases)))
                .collect()
        };
        for ((account, meter), leases) in active {
            let _turn = if idle.is_zero() {
                leases.turn.lock().await
            } else {
                let Ok(turn) = leases.turn.try_lock() else {
                    continue;
                };
                turn
            };
            let now = self.clock.now();
            while let Some((number, pending)) =
                leases.next_return(now, Instant::now(), idle, || {
                    self.returns.fetch_add(1, Ordering::Relaxed) + 1
                })
            {
                let back = GiveBack {
                    account,
                    meter,
                    day: pending.day,
                    minute: pending.minute,
                    credits: pending.credits,
                    calls: pending.calls,
                    spent: pending.spent,
                    process: self.process,
                    number,
                };
                match self.store.give_back(&back).await {
                    Ok(row) => {
                        CreditCounters::add(&self.counters.given_back, back.credits);
                        leases.confirm_return(now, &row);
                    }
                    Err(error) => {
                        tracing::warn!(account, %error, "leased credits could not be given back: tried again");
                        break;
                    }
                }
            }
            let counts = leases.take_counts(idle.is_zero());
            if let Err(error) = self.store.add_endpoint_usage(account, &counts).await {
                leases.put_back_counts(&counts);
                tracing::warn!(account, %error, "calls by endpoint could not be written: tried again");
            }
            if leases.is_empty() {
                let mut active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
                // a lease may have begun between the two locks
                if leases.is_empty() {
                    active.remove(&(account, meter));
                }
            }
        }
    }

    /// Spends from the lease, or refuses by what is known. `None` if the database must be asked.
    fn charge_from_lease(
        &self,
        leases: &Arc<LeaseAccount>,
        now: Moment,
        allowance: Allowance,
        cost: Cost,
    ) -> Option<Result<Charge, Refusal>> {
        match leases.spend(now, allowance, cost) {
            ChargeAttempt::Charged {
                balance,
                day,
                minute,
            } => {
                CreditCounters::add(&self.counters.charged, cost.credits);
                let (leases, counters) = (Arc::clone(leases), Arc::clone(&self.counters));
                Some(Ok(Charge {
                    leases,
                    cost,
                    day,
                    minute,
                    balance,
                    kept: false,
                    endpoint: None,
                    counters,
                }))
            }
            ChargeAttempt::Refused { of, balance } => {
                self.counters.refused.fetch_add(1, Ordering::Relaxed);
                let retry_after = now.seconds_until(match of {
                    Shortage::Minute => balance.minute_reset,
                    Shortage::Daily | Shortage::ExceedsPlan => balance.daily_reset,
                });
                Some(Err(Refusal::Short {
                    of,
                    balance,
                    retry_after,
                }))
            }
            ChargeAttempt::NeedsLease => None,
        }
    }
}

#[cfg(test)]
mod tests;
