//! [`Proxies`]: the trusted proxies, and the address of a caller behind them.

use crate::error::ApiError;
use axum::extract::Request;
use axum::http::header::{AUTHORIZATION, HOST, TRANSFER_ENCODING};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Version};
use ipnet::IpNet;
use std::net::IpAddr;

/// The other end of a connection. Each request over it carries this in its extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

/// The trusted proxies, and the header in which they state the caller's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proxies {
    trusted: Vec<IpNet>,
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

/// A network as 10.0.0.0/8, or a single address.
fn network(text: &str) -> Option<IpNet> {
    text.parse()
        .ok()
        .or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

impl Proxies {
    /// The trusted proxies of the configuration.
    ///
    /// # Errors
    /// A sentence that names the setting at fault.
    pub fn new(trusted: &[String], header: Option<&str>) -> Result<Self, String> {
        let mut proxies = Self::default();
        for text in trusted {
            proxies.trusted.push(network(text).ok_or_else(|| {
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

    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.trusted
            .iter()
            .any(|network| network.contains(&address))
    }

    /// The address of the caller: the peer, or behind trusted proxies the last address in their
    /// header that is not a trusted proxy.
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
            // nobody trusted wrote what precedes an invalid address
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

/// The host of a request. A user's name before it, as in `user@host`, would be a part of links.
pub(crate) fn host(text: &str) -> Option<Authority> {
    let host = text.parse::<Authority>().ok()?;
    (!host.as_str().contains('@')).then_some(host)
}

/// Refuses what a proxy and this service may understand differently.
///
/// # Errors
/// 400 with what to send.
pub(crate) fn ambiguous(request: &Request) -> Result<(), ApiError> {
    let headers = request.headers();
    let count = |name: HeaderName| headers.get_all(name).iter().count();
    let refused = |message: &str| Err(ApiError::bad("bad_request", message));
    let hosts = count(HOST);
    if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
        return refused("the request has no Host header, or several: send one");
    }
    let named = headers.get(HOST).filter(|named| !named.is_empty());
    if named.is_some_and(|named| named.to_str().ok().and_then(host).is_none()) {
        return refused("the Host header is no host: send one, as prices.example:8080");
    }
    if count(AUTHORIZATION) > 1 {
        return refused("the request has several Authorization headers: send one");
    }
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    let chunked = |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(b"chunked");
    if codings.next().is_some_and(|coding| !chunked(coding)) || codings.next().is_some() {
        return refused("the request has another transfer coding than chunked: send chunked alone");
    }
    Ok(())
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
    fn only_trusted_proxies_state_the_caller() {
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
    fn addresses_written_by_the_caller_are_ignored() {
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
    fn invalid_network_is_named_in_the_error() {
        for wrong in ["10.0.0.0/33", "ten", "::1/129", "10.0.0.0/-1"] {
            assert!(
                Proxies::new(&[wrong.to_owned()], None)
                    .expect_err("it is refused")
                    .contains(wrong)
            );
        }
        assert!(Proxies::new(&[], Some("a b")).is_err());
    }
}
