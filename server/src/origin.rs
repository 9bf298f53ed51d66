//! [`Origin`]: the address at which a caller reaches the service, for links to itself.

use crate::app::App;
use crate::proxies::{Peer, Proxies, host};
use axum::extract::FromRequestParts;
use axum::http::header::HOST;
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, Uri};
use std::convert::Infallible;
use std::net::IpAddr;

/// By which scheme a caller reached the proxy before this service.
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The address at which a caller reaches the service: as the settings say, else as the request does.
pub(crate) struct Origin {
    /// Scheme and host, without a slash at the end; `None` if nothing names a host.
    pub(crate) address: Option<String>,
    /// Whether a setting says so. Otherwise the caller does, and the next one may say something
    /// else: what has the address must not be kept for others.
    pub(crate) is_set: bool,
}

impl FromRequestParts<App> for Origin {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let base = &app.settings.exports.storage.base_url;
        if !base.is_empty() {
            return Ok(Self {
                address: Some(base.clone()),
                is_set: true,
            });
        }
        let peer = parts.extensions.get::<Peer>().map(|peer| peer.0);
        let proxies = &app.settings.proxies;
        Ok(Self {
            address: named(proxies, peer, &parts.uri, &parts.headers),
            is_set: false,
        })
    }
}

/// Scheme and host as the request names them. Only a trusted proxy says that the scheme is HTTPS.
fn named(
    proxies: &Proxies,
    peer: Option<IpAddr>,
    uri: &Uri,
    headers: &HeaderMap,
) -> Option<String> {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = host(text(&HOST).or(uri.authority().map(Authority::as_str))?)?;
    let secure = peer.is_some_and(|peer| proxies.trusts(peer))
        && text(&FORWARDED_PROTO).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"));
    let scheme = if secure { "https" } else { "http" };
    Some(format!("{scheme}://{host}"))
}

#[cfg(test)]
mod tests {
    use super::named;
    use crate::proxies::Proxies;
    use axum::http::{HeaderMap, HeaderValue, Uri};

    #[test]
    fn only_trusted_proxies_state_the_scheme_and_only_hosts_are_linked_to() {
        let trusted = Proxies::new(&["10.0.0.0/8".to_owned()], None).expect("it is right");
        for (peer, host, proto, wanted) in [
            ("10.1.2.3", "a.example", "https", Some("https://a.example")),
            ("10.1.2.3", "a.example", "HTTPS", Some("https://a.example")),
            ("10.1.2.3", "a.example", "http", Some("http://a.example")),
            ("10.1.2.3", "a.example", "gopher", Some("http://a.example")),
            ("192.0.2.1", "a.example", "https", Some("http://a.example")),
            ("192.0.2.1", "[::1]:8080", "", Some("http://[::1]:8080")),
            ("192.0.2.1", "evil\"<x>", "", None),
            ("192.0.2.1", "a.example/path", "", None),
            ("192.0.2.1", "user@a.example", "", None),
            ("192.0.2.1", "", "", None),
        ] {
            let mut headers = HeaderMap::new();
            let value = |text: &str| HeaderValue::try_from(text).expect("it is a value");
            headers.insert("host", value(host));
            headers.insert("x-forwarded-proto", value(proto));
            let peer = peer.parse().expect("it is an address");
            let uri = Uri::from_static("/robots.txt");
            let found = named(&trusted, Some(peer), &uri, &headers);
            assert_eq!(found.as_deref(), wanted, "{peer} {host:?} {proto}");
        }
    }
}
