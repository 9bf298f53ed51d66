//! [`Connections`]: how many connections each address has open.

use crate::clock::Moment;
use crate::guard::{Attempt, PerMinute, counted};
use crate::proxies::Proxies;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// How many connections each address has open. All addresses of a /64 of IPv6 count as one, and
/// trusted proxies are not counted.
#[derive(Debug)]
pub(crate) struct Connections {
    most: usize,
    proxies: Proxies,
    open: Mutex<HashMap<IpAddr, usize>>,
    /// Addresses that were logged in this minute.
    logged: PerMinute<IpAddr>,
}

/// A connection that is counted until this is dropped.
#[derive(Debug)]
pub(crate) struct Counted(Option<(IpAddr, Arc<Connections>)>);

impl Connections {
    pub(crate) fn new(most: usize, proxies: Proxies) -> Arc<Self> {
        Arc::new(Self {
            most,
            proxies,
            open: Mutex::default(),
            logged: PerMinute::new(0),
        })
    }

    /// Counts one more of `peer`, or returns `None` if it has as many as it may.
    pub(crate) fn open(self: &Arc<Self>, peer: IpAddr) -> Option<Counted> {
        if self.proxies.trusts(peer) {
            return Some(Counted(None));
        }
        let address = counted(peer);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Counted(Some((address, Arc::clone(self)))))
    }

    /// Logs, once a minute, that an address was refused.
    pub(crate) fn log_refused(&self, peer: IpAddr, now: Moment) {
        let address = counted(peer);
        if self.logged.count(address, now) == Attempt::First {
            let most = self.most;
            tracing::warn!(
                %address,
                most,
                "too many connections from one address: further ones are closed; if it is a proxy, name it in proxies.trusted"
            );
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let Some((address, connections)) = self.0.take() else {
            return;
        };
        let mut open = connections
            .open
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Connections;
    use crate::proxies::Proxies;
    use std::net::IpAddr;

    #[test]
    fn connections_of_an_address_are_bounded_and_given_back() {
        let proxies = Proxies::new(&["10.0.0.0/8".to_owned()], None).expect("it is right");
        let connections = Connections::new(2, proxies);
        let open = |text: &str| connections.open(text.parse::<IpAddr>().expect("it is one"));
        let first = open("192.0.2.1");
        let _second = open("192.0.2.1");
        assert!(open("192.0.2.1").is_none() && open("::ffff:192.0.2.1").is_none());
        drop(first);
        let _third = open("192.0.2.1").expect("one is free");
        assert!(open("192.0.2.1").is_none());
        let _network = [open("2001:db8::1"), open("2001:db8::2")];
        assert!(open("2001:db8::3").is_none() && open("2001:db8:0:1::3").is_some());
        let proxy: Vec<_> = (0..9).filter_map(|_| open("10.1.2.3")).collect();
        assert_eq!(proxy.len(), 9);
        drop((proxy, _second, _third, _network));
        assert!(connections.open.lock().expect("it is free").is_empty());
    }
}
