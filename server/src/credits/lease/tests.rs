use super::{ChargeAttempt, LeaseAccount};
use crate::clock::Moment;
use crate::credits::cost::{Allowance, Cost};
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

/// Grants the whole demand, as a database with plenty does.
fn lease(leases: &LeaseAccount, used: &mut i64, cost: Cost) -> i64 {
    let want = leases.demand(NOON, cost);
    *used += want.want;
    let lease = Lease {
        credits: want.want,
        calls: want.want_calls,
        minute: NOON.minute(),
        used: *used,
        minute_used: *used,
    };
    leases.add_lease(want.day, &lease, want.spent);
    want.want
}

#[test]
fn first_lease_is_the_cost_and_later_leases_double() {
    let leases = LeaseAccount::default();
    let (mut used, mut sizes) = (0, Vec::new());
    for _ in 0..31 {
        if let ChargeAttempt::NeedsLease = leases.spend(NOON, PLENTY, ONE) {
            sizes.push(lease(&leases, &mut used, ONE));
            assert!(matches!(
                leases.spend(NOON, PLENTY, ONE),
                ChargeAttempt::Charged { .. }
            ));
        }
    }
    assert_eq!(sizes, [1, 2, 4, 8, 16]);
    let balance = leases
        .balance(NOON, PLENTY)
        .expect("the database was asked");
    assert_eq!(
        (balance.daily_remaining, balance.minute_remaining),
        (1_000_000 - 31, 1_000_000 - 31)
    );
}

/// A killed process leaves at most a lease charged and unanswered. At a steady rate no lease lasts
/// longer than a second, apart from the single credit that any answer needs.
#[test]
fn lease_lasts_at_most_a_second() {
    for rate in [1, 3, 10, 99, 1_000, 7_777, 20_000, 50_000] {
        let leases = LeaseAccount::default();
        let mut used = 0;
        for _ in 0..40 {
            let size = lease(&leases, &mut used, ONE);
            let lasts = Duration::from_secs_f64(
                f64::from(i32::try_from(size).expect("it is small")) / f64::from(rate),
            );
            assert!(
                size == 1 || lasts <= Duration::from_secs(1),
                "{size} at {rate} a second"
            );
            for _ in 0..size {
                assert!(matches!(
                    leases.spend(NOON, PLENTY_OF_PLENTY, ONE),
                    ChargeAttempt::Charged { .. }
                ));
            }
            assert!(matches!(
                leases.spend(NOON, PLENTY_OF_PLENTY, ONE),
                ChargeAttempt::NeedsLease
            ));
            leases.held().filled = Instant::now().checked_sub(lasts);
        }
    }
}

#[test]
fn one_lease_covers_all_waiting_requests() {
    let leases = LeaseAccount::default();
    for _ in 0..200 {
        leases.begin_waiting(ONE);
    }
    assert_eq!(lease(&leases, &mut 0, ONE), 200);
}

#[test]
fn refunded_credits_can_be_spent_again_and_leases_elsewhere_are_counted() {
    let leases = LeaseAccount::default();
    lease(&leases, &mut 0, ONE);
    let ChargeAttempt::Charged { day, minute, .. } = leases.spend(NOON, PLENTY, ONE) else {
        panic!("there is one")
    };
    assert!(matches!(
        leases.spend(NOON, PLENTY, ONE),
        ChargeAttempt::NeedsLease
    ));
    leases.refund(day, minute, ONE);
    leases.end_charge();
    assert!(matches!(
        leases.spend(NOON, PLENTY, ONE),
        ChargeAttempt::Charged { .. }
    ));
    leases.end_charge();
    let row = |leased| UsageRow {
        day,
        used: 50,
        leased,
        ..UsageRow::default()
    };
    // a credit spent here counts as leased until the database hears of it
    assert!(!leases.leased_elsewhere(&row(1)));
    assert!(leases.leased_elsewhere(&row(2)));
}

/// What goes back is left, before the database has confirmed it and after.
#[test]
fn balance_is_the_same_while_a_lease_goes_back() {
    let leases = LeaseAccount::default();
    for _ in 0..200 {
        leases.begin_waiting(ONE);
    }
    let mut used = 0;
    assert_eq!(lease(&leases, &mut used, ONE), 200);
    let spent = leases.spend(NOON, PLENTY, ONE);
    assert!(matches!(spent, ChargeAttempt::Charged { .. }));
    let left = || {
        let balance = leases.balance(NOON, PLENTY).expect("it was asked");
        (balance.daily_remaining, balance.minute_remaining)
    };
    let all_but_one = (1_000_000 - 1, 1_000_000 - 1);
    assert_eq!(left(), all_but_one);
    let idle = Instant::now() + Duration::from_secs(2);
    let back = leases.next_return(NOON, idle, Duration::from_secs(1), || 1);
    let (_, back) = back.expect("it was idle");
    assert_eq!((back.credits, back.calls, back.spent), (199, 199, 1));
    assert_eq!(left(), all_but_one);
    let row = UsageRow {
        day: back.day,
        minute: back.minute,
        used: 1,
        minute_used: 1,
        ..UsageRow::default()
    };
    leases.confirm_return(NOON, &row);
    assert_eq!(left(), all_but_one);
    // calls of a minute that is over are not left in the next
    let later = Moment::from_millis(43_200_000 + 60_000);
    let balance = leases.balance(later, PLENTY).expect("it was asked");
    assert_eq!(balance.minute_remaining, 1_000_000);
}
