//! [`PerMinute`]: counts what each caller does in the current minute.

use crate::clock::Moment;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

/// Callers counted at once, in about 10 MB. Further callers are refused until the minute ends.
const MOST: usize = 100_000;

/// Counts by caller, which restart every minute.
#[derive(Debug)]
pub struct PerMinute<K> {
    allowed: u32,
    counts: Mutex<(i64, HashMap<K, u32>)>,
}

/// The result of one more attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// It is within the limit.
    Allowed,
    /// It is the first beyond the limit.
    First,
    /// It is beyond the limit, like others before.
    Refused,
}

impl<K: Eq + Hash> PerMinute<K> {
    /// Counts with a limit for each caller.
    #[must_use]
    pub fn new(allowed: u32) -> Self {
        Self {
            allowed,
            counts: Mutex::default(),
        }
    }

    /// Whether `caller` has used up the minute.
    pub fn is_used_up(&self, caller: &K, now: Moment) -> bool {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.0 == now.minute()
            && counts
                .1
                .get(caller)
                .map_or(counts.1.len() >= MOST, |count| *count >= self.allowed)
    }

    /// Counts one more.
    pub fn count(&self, caller: K, now: Moment) -> Attempt {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.0 != now.minute() {
            *counts = (now.minute(), HashMap::new());
        }
        if counts.1.len() >= MOST && !counts.1.contains_key(&caller) {
            return Attempt::Refused;
        }
        let count = counts.1.entry(caller).or_default();
        *count = count.saturating_add(1);
        match (*count).checked_sub(self.allowed) {
            None | Some(0) => Attempt::Allowed,
            Some(1) => Attempt::First,
            Some(_) => Attempt::Refused,
        }
    }
}

/// The address that attempts are counted by. A subscriber has a whole /64 of IPv6, so that is one
/// address.
#[must_use]
pub fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(
            address.to_bits() & !(u128::from(u64::MAX)),
        )),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::{Attempt, MOST, PerMinute, counted};
    use crate::clock::Moment;

    const NOON: Moment = Moment::from_millis(43_200_000);

    #[test]
    fn limit_holds_for_one_minute() {
        let counts = PerMinute::new(2);
        let all: Vec<_> = (0..4).map(|_| counts.count("a", NOON)).collect();
        assert_eq!(
            all,
            [
                Attempt::Allowed,
                Attempt::Allowed,
                Attempt::First,
                Attempt::Refused
            ]
        );
        assert!(counts.is_used_up(&"a", NOON) && !counts.is_used_up(&"b", NOON));
        let later = Moment::from_millis(NOON.millis() + 60_000);
        assert!(!counts.is_used_up(&"a", later));
        assert_eq!(counts.count("a", later), Attempt::Allowed);
    }

    #[test]
    fn number_of_counted_callers_is_bounded() {
        let counts = PerMinute::new(1);
        for caller in 0..MOST {
            assert_eq!(counts.count(caller, NOON), Attempt::Allowed);
        }
        assert_eq!(counts.count(MOST, NOON), Attempt::Refused);
        assert!(counts.is_used_up(&MOST, NOON));
        assert_eq!(
            counts.counts.lock().expect("no thread panicked").1.len(),
            MOST
        );
    }

    #[test]
    fn ipv6_network_counts_as_one_address() {
        let address = |text: &str| counted(text.parse().expect("it is one"));
        assert_eq!(address("2001:db8:1:2:3::4"), address("2001:db8:1:2:ffff::"));
        assert_ne!(address("2001:db8:1:2::"), address("2001:db8:1:3::"));
        assert_eq!(address("::ffff:192.0.2.1"), address("192.0.2.1"));
    }
}
