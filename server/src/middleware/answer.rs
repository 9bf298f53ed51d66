//! What an answer gets beside what its handler wrote: the body of a refusal, and headers.

use crate::credits::Balance;
use crate::error::ApiError;
use crate::http::{
    DAILY_LIMIT, DAILY_REMAINING, DAILY_RESET, MINUTE_LIMIT, MINUTE_REMAINING, MINUTE_RESET,
    REQUEST_ID,
};
use crate::keys;
use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, RETRY_AFTER,
    WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

/// The response says by itself what went wrong, so the middleware leaves its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Explained;

impl Explained {
    /// Whether the response says so.
    pub(crate) fn is_in(response: &Response) -> bool {
        response.extensions().get::<Self>().is_some()
    }
}

/// Writes the body of a refusal, by a handler or by axum.
pub(super) fn explain(response: &mut Response, id: Option<&str>) {
    match response.extensions_mut().remove::<ApiError>() {
        Some(error) => write_error(&error, id, response),
        None if Explained::is_in(response) => {}
        // axum refused it before a handler ran
        None if response.status().is_client_error() || response.status().is_server_error() => {
            let message =
                "the request is not understood: check its path for bytes that are not UTF-8";
            let error = ApiError::new(response.status(), "bad_request", message);
            write_error(&error, id, response);
        }
        None => {}
    }
}

/// Adds what is left of an account, as the older version writes it.
pub(super) fn add_balance(balance: &Balance, headers: &mut HeaderMap) {
    let values = [
        (DAILY_LIMIT, balance.daily_limit),
        (DAILY_REMAINING, balance.daily_remaining),
        (DAILY_RESET, balance.daily_reset),
        (MINUTE_LIMIT, balance.minute_limit),
        (MINUTE_REMAINING, balance.minute_remaining),
        (MINUTE_RESET, balance.minute_reset),
    ];
    for (name, value) in values {
        headers.insert(name, value.into());
    }
}

/// Adds security headers for browsers. A page sets its own policy and caching.
pub(super) fn secure(headers: &mut HeaderMap) {
    const NOTHING: HeaderValue =
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(NOTHING);
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}

/// Turns an answer into that of an error: body and headers.
fn write_error(error: &ApiError, id: Option<&str>, response: &mut Response) {
    *response.body_mut() = Body::from(error.json(id));
    let headers = response.headers_mut();
    headers.remove(axum::http::header::CONTENT_LENGTH);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(seconds) = error.retry_after {
        headers.insert(RETRY_AFTER, seconds.into());
    }
    if error.status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
}

/// The request id that the caller sent, if it is a short plain word and not a key. Otherwise a new
/// one.
pub(super) fn request_id(headers: &HeaderMap) -> HeaderValue {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    static PROCESS: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    let plain = |value: &&HeaderValue| {
        let bytes = value.as_bytes();
        (1..=64).contains(&bytes.len())
            && bytes
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte))
    };
    let is_key = |value: &&HeaderValue| {
        value
            .to_str()
            .is_ok_and(|text| text.contains(keys::HOLDER) || text.contains(keys::ADMIN))
    };
    if let Some(id) = headers
        .get(REQUEST_ID)
        .filter(plain)
        .filter(|value| !is_key(value))
    {
        return id.clone();
    }
    let process = PROCESS.get_or_init(|| crate::keys::random(8).unwrap_or_default());
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    short(format_args!("{process}-{number:x}")).unwrap_or(HeaderValue::from_static("-"))
}

/// The value of a header, if the text is short, as those are that each answer has.
pub(super) fn short(text: fmt::Arguments<'_>) -> Option<HeaderValue> {
    let mut room = [0; 64];
    let mut rest = &mut room[..];
    rest.write_fmt(text).ok()?;
    let length = 64 - rest.len();
    HeaderValue::from_bytes(&room[..length]).ok()
}
