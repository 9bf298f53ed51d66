//! [`Proxies`]: whose word is taken for where a caller is.

use axum::http::{HeaderMap, HeaderName};
use std::net::IpAddr;

/// The other end of a connection, beside each request that comes over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

/// The proxies before the service, and the header in which they say who asked them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proxies {
    trusted: Vec<Network>,
    header: HeaderName,
}

impl Default for Proxies {
    fn default() -> Self {
        Self {
            trusted: Vec::new(),
            header: HeaderName::from_static("x-forwarded-for"),
        }
    }
}

/// Addresses that begin alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    fn parse(text: &str) -> Option<Self> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse().ok()?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(most);
        (bits <= most).then_some(Self { address, bits })
    }

    fn has(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(a), IpAddr::V4(b)) => {
                (a.to_bits() ^ b.to_bits())
                    .checked_shr(32 - self.bits)
                    .unwrap_or(0)
                    == 0
            }
            (IpAddr::V6(a), IpAddr::V6(b)) => {
                (a.to_bits() ^ b.to_bits())
                    .checked_shr(128 - self.bits)
                    .unwrap_or(0)
                    == 0
            }
            _ => false,
        }
    }
}

impl Proxies {
    /// Those of the configuration.
    ///
    /// # Errors
    /// The sentence for the user.
    pub fn new(trusted: &[String], header: Option<&str>) -> Result<Self, String> {
        let mut proxies = Self::default();
        for text in trusted {
            let network = Network::parse(text);
            proxies.trusted.push(network.ok_or_else(|| {
                format!("proxies.trusted has {text:?}: write an address or a network, 10.0.0.0/8")
            })?);
        }
        if let Some(text) = header {
            let named = HeaderName::try_from(text);
            proxies.header = named
                .map_err(|_| format!("proxies.header is {text:?}: write the name of a header"))?;
        }
        Ok(proxies)
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|network| network.has(address))
    }

    /// Who asked: the peer, or where that is a trusted proxy, the last address in its header that is none.
    #[must_use]
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.trusts(peer) {
            return peer;
        }
        let mut client = peer;
        let lines = headers
            .get_all(&self.header)
            .iter()
            .rev()
            .filter_map(|line| line.to_str().ok());
        for text in lines.flat_map(|line| line.rsplit(',')) {
            // what stands before a word that is no address was written by nobody we trust
            let Ok(address) = text.trim().parse() else {
                break;
            };
            client = address;
            if !self.trusts(address) {
                break;
            }
        }
        client
    }
}

#[cfg(test)]
mod tests {
    use super::Proxies;
    use axum::http::HeaderMap;
    use std::net::IpAddr;

    fn client(trusted: &[&str], peer: &str, lines: &[&str]) -> String {
        let trusted: Vec<_> = trusted.iter().map(ToString::to_string).collect();
        let proxies = Proxies::new(&trusted, None).expect("they are right");
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("x-forwarded-for", line.parse().expect("it is a value"));
        }
        proxies
            .client(peer.parse::<IpAddr>().expect("it is an address"), &headers)
            .to_string()
    }

    #[test]
    fn only_a_trusted_proxy_says_who_asked() {
        assert_eq!(client(&[], "192.0.2.1", &["198.51.100.7"]), "192.0.2.1");
        assert_eq!(
            client(&["10.0.0.0/8"], "192.0.2.1", &["198.51.100.7"]),
            "192.0.2.1"
        );
        assert_eq!(
            client(&["10.0.0.0/8"], "10.1.2.3", &["198.51.100.7"]),
            "198.51.100.7"
        );
        assert_eq!(client(&["10.0.0.0/8"], "10.1.2.3", &[]), "10.1.2.3");
        assert_eq!(
            client(&["::1", "0.0.0.0/0"], "::1", &["2001:db8::1"]),
            "2001:db8::1"
        );
    }

    #[test]
    fn what_a_caller_writes_itself_is_passed_over() {
        let trusted = ["10.0.0.0/8", "192.0.2.9"];
        assert_eq!(
            client(&trusted, "10.1.2.3", &["1.1.1.1, 198.51.100.7, 192.0.2.9"]),
            "198.51.100.7"
        );
        assert_eq!(
            client(&trusted, "10.1.2.3", &["1.1.1.1", "198.51.100.7"]),
            "198.51.100.7"
        );
        assert_eq!(
            client(&trusted, "10.1.2.3", &["1.1.1.1, nonsense, 10.9.9.9"]),
            "10.9.9.9"
        );
    }

    #[test]
    fn what_is_no_network_is_named() {
        for wrong in ["10.0.0.0/33", "ten", "::1/129", "10.0.0.0/-1"] {
            assert!(
                Proxies::new(&[wrong.to_owned()], None)
                    .expect_err("it is none")
                    .contains(wrong)
            );
        }
        assert!(Proxies::new(&[], Some("a b")).is_err());
    }
}
