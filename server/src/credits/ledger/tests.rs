//! Random schedules of faults against a model of the accounts.
//!
//! Two processes share a database and an account. A schedule mixes charges, refunds, give-backs,
//! full disks, lost replies, repeated
//! messages, crashes and jumps of the clock. The model counts what was answered and which
//! statements were done. The seed of a schedule
//! that fails is printed: `TITLEDEX_FAULT_SEED` runs it alone, and it is then added to `KEPT`.

use super::{Account, Charge, Clock, Cost, Ledger, Meter, Moment, Store};
use crate::plans::Plans;
use crate::store::{Actor, Fault};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// Schedules that `cargo test` runs, unless `TITLEDEX_FAULT_SCHEDULES` says otherwise.
const SCHEDULES: u64 = 300;
/// The seed of the first.
const FIRST: u64 = 20_261_121;
/// Seeds that are run each time, because they once failed.
const KEPT: [u64; 0] = [];
const STEPS: u64 = 60;
/// Credits a day.
const DAILY: i64 = 300;
const NOON: i64 = 20_000 * 86_400_000 + 43_200_000;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) % bound
    }
}

/// A process: what it holds in memory, and what the model knows of it.
struct Process {
    ledger: Arc<Ledger>,
    account: Arc<Account>,
    store: Store,
    clock: Clock,
    /// Charges of requests that are not answered yet.
    open: Vec<Charge>,
    /// Credits answered by day.
    kept: HashMap<i64, i64>,
}

impl Process {
    fn start(store: &Store, account: i64, now: Moment) -> Self {
        let mut plan = Plans::default().get("free").expect("it is there").clone();
        (plan.daily_credits, plan.minute_calls) = (DAILY as u64, 1_000_000);
        let store = store.with_own_faults();
        let clock = Clock::standing(now);
        let ledger = Ledger::with_waits(store.clone(), clock.clone(), &[]);
        Self {
            ledger: Arc::new(ledger.expect("there is chance")),
            account: Arc::new(Account::new(account, "site".to_owned(), Arc::new(plan))),
            store,
            clock,
            open: Vec::new(),
            kept: HashMap::new(),
        }
    }

    fn keep(&mut self, charge: Charge) {
        *self.kept.entry(charge.day).or_default() += charge.cost.credits;
        charge.keep();
    }

    async fn step(&mut self, random: &mut Random) {
        match random.below(20) {
            0..10 => {
                let credits = 1 + i64::try_from(random.below(30)).expect("it is small");
                let cost = Cost { credits, calls: 1 };
                let charged = self.ledger.charge(&self.account, Meter::V2, cost).await;
                let Ok(mut charge) = charged else { return };
                match random.below(6) {
                    0 => drop(charge),
                    1 => self.open.push(charge),
                    2 => {
                        charge.refund(credits / 2);
                        self.keep(charge);
                    }
                    _ => self.keep(charge),
                }
            }
            10 | 11 => {
                if let Some(charge) = self.open.pop() {
                    self.keep(charge);
                }
            }
            12 => drop(self.open.pop()),
            13 | 14 => self.ledger.return_leases(Duration::ZERO).await,
            15 => self.store.faults.record().next = Some(Fault::Full),
            16 | 17 => self.store.faults.record().next = Some(Fault::LostReply),
            18 => {
                // the last message arrives once more
                let last = self.store.faults.record().last;
                if let Some(last) = last {
                    let _ = self.store.give_back(&last).await;
                }
            }
            _ => {
                let jump = [-86_400_000, -60_000, -1, 1, 60_000, 86_400_000];
                let jump = jump[usize::try_from(random.below(6)).expect("it is small")];
                self.clock
                    .set(Moment::from_millis(self.clock.now().millis() + jump));
            }
        }
    }

    /// What the statements of this process added to what the database counts on a day.
    fn counted(&self, day: i64) -> i64 {
        let lost = self.store.faults.record().lost.get(&day).copied();
        self.held(day) + self.kept.get(&day).copied().unwrap_or(0) + lost.unwrap_or(0)
    }

    /// Leased, as the process heard, and neither answered nor given back.
    fn held(&self, day: i64) -> i64 {
        let record = self.store.faults.record();
        let given: i64 = (record.given.values())
            .filter(|(of, _)| *of == day)
            .map(|(_, credits)| credits)
            .sum();
        record.leased.get(&day).copied().unwrap_or(0)
            - given
            - self.kept.get(&day).copied().unwrap_or(0)
    }
}

const DAYS: std::ops::Range<i64> = 19_900..20_100;

/// That the database counts what the model does, and that no day was answered beyond its allowance.
async fn check(seed: u64, store: &Store, account: i64, processes: &[&Process]) {
    let rows = store.usage_since(account, 0).await.expect("it answers");
    for row in &rows {
        let answered: i64 = (processes.iter())
            .filter_map(|process| process.kept.get(&row.day))
            .sum();
        assert!(
            answered <= row.used,
            "seed {seed}: answered {answered}, {row:?}"
        );
        assert!(
            row.used <= DAILY,
            "seed {seed}: beyond the allowance: {row:?}"
        );
        let counted: i64 = processes
            .iter()
            .map(|process| process.counted(row.day))
            .sum();
        assert_eq!(row.used, counted, "seed {seed}: {row:?}");
        for process in processes {
            assert!(process.held(row.day) >= 0, "seed {seed}: {row:?}");
        }
    }
}

async fn run(seed: u64, store: &Store) {
    let mut random = Random(seed);
    let name = format!("{seed}");
    let made = store
        .create_account(&name, "free", Actor::Operator, Moment::from_millis(NOON))
        .await;
    let account = made.expect("it answers").expect("it is new").id;
    let start = || Process::start(store, account, Moment::from_millis(NOON));
    let mut live = [start(), start()];
    let mut dead: Vec<Process> = Vec::new();
    for step in 0..STEPS {
        let at = usize::try_from(random.below(2)).expect("it is small");
        if random.below(40) == 0 {
            // it is killed: nothing is given back
            dead.push(std::mem::replace(&mut live[at], start()));
        } else {
            live[at].step(&mut random).await;
        }
        if step % 8 == 0 {
            let all: Vec<&Process> = dead.iter().chain(&live).collect();
            check(seed, store, account, &all).await;
        }
    }
    // the faults end, and the processes stop as they should
    for process in &mut live {
        process.store.faults.record().next = None;
        process.open.clear();
        process.ledger.close().await;
        for day in DAYS {
            assert_eq!(
                process.held(day),
                0,
                "seed {seed}: day {day} is not given back"
            );
        }
    }
    let all: Vec<&Process> = dead.iter().chain(&live).collect();
    check(seed, store, account, &all).await;
}

fn number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(value.parse().expect("it is a number"))
}

#[tokio::test]
async fn random_faults_leave_every_account_right() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let address = format!("sqlite:{}", folder.path().join("td.db").display());
    let store = Store::open(&address).await.expect("it opens");
    if let Some(seed) = number("TITLEDEX_FAULT_SEED") {
        return run(seed, &store).await;
    }
    let schedules = number("TITLEDEX_FAULT_SCHEDULES").unwrap_or(SCHEDULES);
    for seed in KEPT.into_iter().chain(FIRST..FIRST + schedules) {
        run(seed, &store).await;
    }
    eprintln!("{schedules} schedules of {STEPS} steps, from seed {FIRST}");
}
