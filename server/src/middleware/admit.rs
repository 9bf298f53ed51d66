//! Who calls, and whether they may.

use super::gate::{Gate, Part};
use crate::auth::{Caller, EXPIRED, Identity, SUSPENDED};
use crate::error::ApiError;
use crate::guard::{self, Attempt};
use crate::proxies::Peer;
use axum::extract::Request;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::Ordering;

/// What a caller is identified by.
#[derive(Clone, Copy)]
pub(super) struct Asking<'r> {
    pub(super) headers: &'r HeaderMap,
    pub(super) peer: IpAddr,
}

/// The address of the other end of the connection.
pub(super) fn peer(request: &Request) -> IpAddr {
    request
        .extensions()
        .get::<Peer>()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0)
}

/// The caller, if they may call this part.
pub(super) async fn admit(gate: &Gate, part: Part, asking: Asking<'_>) -> Result<Caller, ApiError> {
    let headers = asking.headers;
    let unknown = |code, message: &str| ApiError::new(StatusCode::UNAUTHORIZED, code, message);
    if !headers.contains_key(AUTHORIZATION) {
        return Err(unknown(
            "missing_key",
            "send your API key with the request: Authorization: Bearer <API_KEY>",
        ));
    }
    let key = sent_key(headers);
    let now = gate.ledger.clock().now();
    let identity = match key {
        None => Identity::Unknown,
        Some(key) => match gate.directory.known(key, now) {
            Some(known) => known,
            // an address that guesses keys causes no database query
            None if gate
                .wrong_keys
                .is_used_up(&caller_address(gate, asking), now) =>
            {
                Identity::Unknown
            }
            // seldom, and large: see `pass`
            None => Box::pin(gate.directory.identify(key, now)).await,
        },
    };
    let caller = match identity {
        Identity::Caller(caller) => caller,
        // whoever sends it had the whole key: that is no guess
        Identity::Expired => return Err(unknown("expired_key", EXPIRED)),
        Identity::Suspended => {
            let (status, code) = (StatusCode::FORBIDDEN, "account_suspended");
            return Err(ApiError::new(status, code, SUSPENDED));
        }
        Identity::Unknown => {
            guess(gate, asking)?;
            return Err(match key {
                None => unknown(
                    "malformed_authorization",
                    "the Authorization header is not understood: write Authorization: Bearer <API_KEY>",
                ),
                Some(_) => unknown(
                    "invalid_key",
                    "this API key is unknown or was revoked: check it, or make another",
                ),
            });
        }
    };
    let forbidden = |message: &str| ApiError::new(StatusCode::FORBIDDEN, "wrong_role", message);
    match (&caller, part) {
        (Caller::Admin { .. }, Part::V1 | Part::V2 | Part::Account) => Err(forbidden(
            "this is an administrator's key, which has no credits: use a key of an account",
        )),
        (Caller::Holder { .. }, Part::Admin | Part::Metrics) => Err(forbidden(
            "this needs an administrator's key: an account's own keys are at /api/v2/account",
        )),
        (Caller::Holder { account, .. }, Part::Account) => {
            match gate.account_calls.count(account.id, now) {
                Attempt::Allowed => Ok(caller),
                Attempt::First | Attempt::Refused => {
                    let most = gate.limits.account_calls;
                    let seconds = now.seconds_until(now.next_minute());
                    let message = format!(
                        "{most} calls a minute may read an account: wait {seconds} seconds"
                    );
                    Err(
                        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "account_limit", message)
                            .retry_after(seconds),
                    )
                }
            }
        }
        _ => Ok(caller),
    }
}

/// The key of a request, unchecked.
pub(super) fn sent_key(headers: &HeaderMap) -> Option<&str> {
    let (scheme, key) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

/// The address that wrong keys are counted by.
fn caller_address(gate: &Gate, asking: Asking<'_>) -> IpAddr {
    guard::counted(gate.proxies.client(asking.peer, asking.headers))
}

/// Counts a wrong key.
///
/// # Errors
/// 429 if the address sent too many. Valid keys still pass: nobody guesses 256 bits, and whoever
/// shares an address with somebody who tries is not locked out.
fn guess(gate: &Gate, asking: Asking<'_>) -> Result<(), ApiError> {
    let (address, now) = (caller_address(gate, asking), gate.ledger.clock().now());
    gate.metrics.wrong_keys.fetch_add(1, Ordering::Relaxed);
    match gate.wrong_keys.count(address, now) {
        Attempt::Allowed => return Ok(()),
        Attempt::First => {
            tracing::warn!(%address, "too many wrong keys from one address: it waits until the next minute")
        }
        Attempt::Refused => {}
    }
    let seconds = now.seconds_until(now.next_minute());
    let message = format!(
        "too many wrong API keys came from this address: check the key, and wait {seconds} seconds"
    );
    Err(ApiError::new(
        StatusCode::TOO_MANY_REQUESTS,
        "too_many_wrong_keys",
        message,
    )
    .retry_after(seconds))
}
