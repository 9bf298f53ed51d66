//! [`Ledger`]: charges credits and calls, in memory, out of leases that the database granted.
//!
//! The database counts a credit as used before it can be spent here, so whatever happens to a process, nothing that was answered is
//! uncharged; what a killed process had leased and not spent, at most about a second of its traffic, stays charged. An account's first
//! request leases its exact cost. Leases double while they last less than half a second, halve where they last more than one, and are
//! given back after a second without a request, at the end of the day, and at shutdown.

use crate::clock::{Clock, Moment};
use crate::metrics::Spent;
use crate::plans::Plan;
use crate::purse::{Purse, Spending, Want};
use crate::store::{GiveBack, LeaseRequest, Store, StoreError};
use arc_swap::ArcSwap;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{RwLock, oneshot};

/// A lease from which nothing was taken for so long goes back.
const IDLE: Duration = Duration::from_secs(1);
/// How often leases are looked through.
const SWEEP: Duration = Duration::from_millis(250);
/// How long a refused account is refused without asking the database again.
const REFUSED_FOR: Duration = Duration::from_millis(250);
/// Waits for credits that stand leased in another process: together longer than it takes until those come back.
const WAITS: [u64; 7] = [20, 40, 80, 160, 320, 480, 480];
/// How often the database is asked in a row where it refuses and then has enough: others gave back in between.
const ASKED_AT_MOST: usize = 32;
/// After waits in vain, the credits leased elsewhere are taken for those of a process that was killed.
const LOST_FOR: Duration = Duration::from_secs(60);

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

/// What is left to an account, as far as this process knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
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

/// Which allowance is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Short {
    /// The credits of the day.
    Daily,
    /// The calls of the minute.
    Minute,
    /// The request costs more calls or credits than the plan ever allows at once.
    Ever,
}

/// Why a request is not charged.
#[derive(Debug)]
pub enum Refusal {
    /// Too little is left.
    Short {
        /// Of what.
        of: Short,
        /// What is left.
        standing: Standing,
        /// Seconds until it is worth asking again.
        retry_after: i64,
    },
    /// The database failed.
    Store(StoreError),
}

/// An account with its leases, shared by all its keys.
#[derive(Debug)]
pub struct Account {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its plan, which may change while requests run.
    pub plan: ArcSwap<Plan>,
    v1: Arc<Purse>,
    v2: Arc<Purse>,
}

impl Account {
    /// An account without leases.
    #[must_use]
    pub fn new(id: i64, name: String, plan: Arc<Plan>) -> Self {
        Self {
            id,
            name,
            plan: ArcSwap::new(plan),
            v1: Arc::default(),
            v2: Arc::default(),
        }
    }

    fn purse(&self, meter: Meter) -> &Arc<Purse> {
        match meter {
            Meter::V1 => &self.v1,
            Meter::V2 => &self.v2,
        }
    }

    fn allowance(&self, meter: Meter) -> Allowance {
        meter.allowance(&self.plan.load())
    }
}

/// Credits that were charged for one request. Dropped without [`Charge::keep`], they go back: that is what happens where a handler fails,
/// panics, or its caller goes away.
#[derive(Debug)]
#[must_use = "a charge that is dropped is refunded"]
pub struct Charge {
    purse: Arc<Purse>,
    cost: Cost,
    day: i64,
    minute: i64,
    standing: Standing,
    kept: bool,
    spent: Arc<Spent>,
}

impl Charge {
    /// What was charged.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// What was left after it.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// Gives a part of the credits back.
    pub fn refund(&mut self, credits: i64) {
        let credits = credits.clamp(0, self.cost.credits);
        self.cost.credits -= credits;
        self.standing.daily_remaining += credits;
        Spent::add(&self.spent.refunded, credits);
        self.purse
            .refund(self.day, self.minute, Cost { credits, calls: 0 });
    }

    /// The answer is on its way: the credits are spent.
    pub fn keep(mut self) -> (Cost, Standing) {
        self.kept = true;
        (self.cost, self.standing)
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if !self.kept {
            Spent::add(&self.spent.refunded, self.cost.credits);
            self.purse.refund(self.day, self.minute, self.cost);
        }
        self.purse.end();
    }
}

/// Charges credits and calls.
#[derive(Debug)]
pub struct Ledger {
    store: Store,
    clock: Clock,
    /// Purses that hold something, or owe the database a word.
    active: Mutex<HashMap<(i64, i64), Arc<Purse>>>,
    /// Read while a lease is under way, whether or not its caller still waits for it.
    leasing: Arc<RwLock<()>>,
    pub(crate) spent: Arc<Spent>,
}

impl Ledger {
    /// A ledger without leases.
    #[must_use]
    pub fn new(store: Store, clock: Clock) -> Arc<Self> {
        Arc::new(Self {
            store,
            clock,
            active: Mutex::default(),
            leasing: Arc::default(),
            spent: Arc::default(),
        })
    }

    /// The time by which days and minutes are told.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Accounts that hold something, or owe the database a word.
    pub(crate) fn active(&self) -> usize {
        self.active
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    /// Charges `cost`, or tells why not. Most charges take a lock and no more; the rest ask the database once, for all that wait.
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
        if let Some(done) = self.settle(account.purse(meter), now, allowance, cost) {
            return done;
        }
        // In a task of its own: what the database grants is booked even where the caller has gone.
        let (ledger, holder) = (Arc::clone(self), Arc::clone(account));
        let purse = account.purse(meter);
        let leasing = Arc::clone(&self.leasing).read_owned().await;
        purse.wait(cost);
        let (sender, receiver) = oneshot::channel();
        tokio::spawn(async move {
            let done = ledger.lease(&holder, meter, cost).await;
            holder.purse(meter).done_waiting(cost);
            // a charge that nobody waits for is refunded here, before the lease counts as ended
            drop(sender.send(done));
            drop(leasing);
        });
        receiver.await.unwrap_or_else(|_| {
            Err(Refusal::Store(StoreError::Database(
                sqlx::Error::WorkerCrashed,
            )))
        })
    }

    /// What is left to an account, for answers that cost nothing.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn standing(&self, account: &Account, meter: Meter) -> Result<Standing, StoreError> {
        let now = self.clock.now();
        let allowance = account.allowance(meter);
        let purse = account.purse(meter);
        if let Some(standing) = purse.standing(now, allowance) {
            return Ok(standing);
        }
        let row = self
            .store
            .usage_on(account.id, meter.number(), now.day())
            .await?;
        purse.learn(now, &row);
        Ok(purse.standing(now, allowance).unwrap_or_default())
    }

    /// Leases from the database and spends `cost` of it, one request of a purse at a time.
    async fn lease(&self, account: &Account, meter: Meter, cost: Cost) -> Result<Charge, Refusal> {
        let purse = account.purse(meter);
        let _turn = purse.turn.lock().await;
        let mut waits = WAITS.iter();
        let mut asked = 0;
        loop {
            let now = self.clock.now();
            let allowance = account.allowance(meter);
            if let Some(done) = self.settle(purse, now, allowance, cost) {
                return done;
            }
            let Want {
                need,
                want,
                need_calls,
                want_calls,
                spent,
                day,
                minute,
            } = purse.want(now, cost);
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
                .insert((account.id, meter.number()), Arc::clone(purse));
            match self.store.lease(&request).await.map_err(Refusal::Store)? {
                Some(lease) => {
                    self.spent.leases.fetch_add(1, Ordering::Relaxed);
                    Spent::add(&self.spent.leased, lease.credits);
                    purse.fill(day, &lease, spent);
                }
                None => {
                    let row = self
                        .store
                        .usage_on(account.id, meter.number(), day)
                        .await
                        .map_err(Refusal::Store)?;
                    purse.learn(now, &row);
                    let daily = row.used + need > allowance.daily;
                    let calls = if row.minute >= minute {
                        row.minute_used
                    } else {
                        0
                    };
                    asked += 1;
                    // credits that came back since the statement are asked for again
                    if !daily && calls + need_calls <= allowance.minute && asked < ASKED_AT_MOST {
                        continue;
                    }
                    if daily && purse.leased_elsewhere(&row) {
                        match waits.next() {
                            Some(&millis) => {
                                tokio::time::sleep(Duration::from_millis(millis)).await;
                                continue;
                            }
                            None => purse.give_up_on_others(LOST_FOR),
                        }
                    }
                    purse.refuse(
                        now,
                        allowance,
                        cost,
                        if daily { Short::Daily } else { Short::Minute },
                        REFUSED_FOR,
                    );
                }
            }
        }
    }

    /// Gives idle leases back, for ever.
    pub async fn sweep(self: Arc<Self>) {
        loop {
            tokio::time::sleep(SWEEP).await;
            self.give_back(IDLE).await;
        }
    }

    /// Gives back all leases, those under way too: nothing may be charged afterwards.
    pub async fn close(&self) {
        let _none_under_way = self.leasing.write().await;
        self.give_back(Duration::ZERO).await;
    }

    async fn give_back(&self, idle: Duration) {
        let active: Vec<_> = {
            let active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
            active
                .iter()
                .map(|(of, purse)| (*of, Arc::clone(purse)))
                .collect()
        };
        for ((account, meter), purse) in active {
            let _turn = if idle.is_zero() {
                purse.turn.lock().await
            } else {
                let Ok(turn) = purse.turn.try_lock() else {
                    continue;
                };
                turn
            };
            let now = self.clock.now();
            while let Some(owed) = purse.take_owed(now, Instant::now(), idle) {
                let back = GiveBack {
                    account,
                    meter,
                    day: owed.day,
                    minute: owed.minute,
                    credits: owed.credits,
                    calls: owed.calls,
                    spent: owed.spent,
                };
                match self.store.give_back(&back).await {
                    Ok(row) => {
                        Spent::add(&self.spent.given_back, back.credits);
                        purse.learn(now, &row);
                    }
                    Err(error) => {
                        tracing::warn!(account, %error, "leased credits could not be given back: tried again");
                        purse.owe(owed);
                        break;
                    }
                }
            }
            if purse.is_empty() {
                let mut active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
                // between the two locks a lease may have begun
                if purse.is_empty() {
                    active.remove(&(account, meter));
                }
            }
        }
    }

    /// Spends from the lease, or refuses by what is known; `None` where the database must be asked.
    fn settle(
        &self,
        purse: &Arc<Purse>,
        now: Moment,
        allowance: Allowance,
        cost: Cost,
    ) -> Option<Result<Charge, Refusal>> {
        match purse.spend(now, allowance, cost) {
            Spending::Done {
                standing,
                day,
                minute,
            } => {
                Spent::add(&self.spent.charged, cost.credits);
                let (purse, spent) = (Arc::clone(purse), Arc::clone(&self.spent));
                Some(Ok(Charge {
                    purse,
                    cost,
                    day,
                    minute,
                    standing,
                    kept: false,
                    spent,
                }))
            }
            Spending::Refused { of, standing } => {
                self.spent.refused.fetch_add(1, Ordering::Relaxed);
                let retry_after = now.seconds_until(match of {
                    Short::Minute => standing.minute_reset,
                    Short::Daily | Short::Ever => standing.daily_reset,
                });
                Some(Err(Refusal::Short {
                    of,
                    standing,
                    retry_after,
                }))
            }
            Spending::Ask => None,
        }
    }
}
