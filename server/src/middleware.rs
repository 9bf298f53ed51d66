//! The middleware that every request passes, before and after its handler.
//!
//! Before: the request gets its id, its key is checked, and it gets a place within the limits.
//! After: the answer gets its headers (time, cost, what is left) and an error gets its body. A
//! handler that panics answers 500; its charge is dropped, which refunds it.

use crate::auth::{Caller, Directory, EXPIRED, Identity, SUSPENDED};
use crate::cors::Cors;
use crate::credits::{Account, Balance, Cost, Ledger, Meter};
use crate::error::ApiError;
use crate::guard::{self, Attempt, PerMinute};
use crate::head::for_head;
use crate::http::{
    COST, DAILY_LIMIT, DAILY_REMAINING, DAILY_RESET, MINUTE_LIMIT, MINUTE_REMAINING, MINUTE_RESET,
    REQUEST_ID, RESPONSE_TIME,
};
use crate::keys;
use crate::limits::Limits;
use crate::metrics::{Metrics, method_name};
use crate::proxies::{self, Peer, Proxies};
use crate::shares::{self, Shares};
use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
    RETRY_AFTER, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;
use tokio::sync::Semaphore;
use tower::{Layer, Service};

/// What a handler charged. It travels in the extensions of the answer.
#[derive(Clone, Copy, Debug)]
pub struct Metered {
    /// The cost.
    pub cost: Cost,
    /// What was left.
    pub balance: Balance,
}

/// What the middleware checks requests with.
#[derive(Debug)]
pub struct Gate {
    /// Which pages of other origins may read answers.
    pub cors: Cors,
    /// The trusted proxies.
    pub proxies: Proxies,
    /// What one caller may demand.
    pub limits: Limits,
    /// The keys in memory.
    pub directory: Arc<Directory>,
    /// Credits.
    pub ledger: Arc<Ledger>,
    /// Counts of what happens.
    pub metrics: Arc<Metrics>,
    /// Room for requests.
    pub requests: Semaphore,
    /// What each account may have under way.
    pub shares: Shares,
    /// Wrong keys by address.
    pub wrong_keys: PerMinute<IpAddr>,
    /// Calls of `/api/v2/account` by account.
    pub account_calls: PerMinute<i64>,
}

impl Gate {
    /// How many of the places for requests are taken.
    #[must_use]
    pub fn places_taken(&self) -> usize {
        let free = self.requests.available_permits();
        self.limits.requests.saturating_sub(free)
    }
}

/// Which part of the service a path belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    V1,
    V2,
    Admin,
    /// Beneath `/api`, where nothing is.
    Nowhere,
    Metrics,
    Open,
}

impl Part {
    fn of(path: &str) -> Self {
        let within = |root: &str| {
            path.strip_prefix(root)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if within("/api/v2") {
            Self::V2
        } else if within("/api/v1") || within("/v1") {
            Self::V1
        } else if within("/api/admin") {
            Self::Admin
        } else if within("/api") {
            Self::Nowhere
        } else if path == "/metrics" {
            Self::Metrics
        } else {
            Self::Open
        }
    }

    /// Whether pages of other origins may call this part.
    fn is_for_pages(self) -> bool {
        matches!(self, Self::V1 | Self::V2)
    }
}

/// Lets requests pass a [`Gate`] on their way to handlers. `axum::middleware::from_fn` would copy
/// each request and its future once more.
#[derive(Clone, Debug)]
pub struct GateLayer(pub Arc<Gate>);

impl<H> Layer<H> for GateLayer {
    type Service = Gated<H>;

    fn layer(&self, handler: H) -> Gated<H> {
        let gate = Arc::clone(&self.0);
        Gated { gate, handler }
    }
}

/// A handler behind a [`Gate`].
#[derive(Clone, Debug)]
pub struct Gated<H> {
    gate: Arc<Gate>,
    handler: H,
}

impl<H: Handler> Service<Request> for Gated<H> {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.handler.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        // the one that is ready answers, and its copy may become ready for the next request
        let next = self.handler.clone();
        let handler = std::mem::replace(&mut self.handler, next);
        let gate = Arc::clone(&self.gate);
        Box::pin(async move { Ok(pass(&gate, request, handler).await) })
    }
}

/// What answers a request that has passed.
pub trait Handler:
    Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + 'static
{
}

impl<H> Handler for H where
    H: Service<Request, Response = Response, Error = Infallible, Future: Send>
        + Clone
        + Send
        + 'static
{
}

/// Checks a request, runs its handler, and completes the answer. Its future is copied to the heap
/// for each request: what is seldom awaited and large is boxed.
async fn pass(gate: &Gate, mut request: Request, handler: impl Handler) -> Response {
    let began = Instant::now();
    let flight = gate.metrics.begin();
    let id = request_id(request.headers());
    let part = Part::of(request.uri().path());
    let origin = if part.is_for_pages() {
        gate.cors.allowed(request.headers())
    } else {
        None
    };
    let preflight = origin.is_some() && Cors::is_preflight(request.method(), request.headers());
    let (mut account, mut prefix) = (None, None);
    let mut refused = proxies::ambiguous(&request).err();
    if refused.is_none() && part != Part::Open && !preflight {
        let asking = Asking {
            path: request.uri().path(),
            headers: request.headers(),
            peer: peer(&request),
        };
        match admit(gate, part, asking).await {
            Ok(caller) => {
                if let Caller::Holder { account: of, .. } = &caller {
                    account = Some(Arc::clone(of));
                }
                prefix = sent_key(request.headers())
                    .and_then(keys::prefix)
                    .map(str::to_owned);
                request.extensions_mut().insert(caller);
            }
            Err(error) => refused = Some(error),
        }
    }
    let method = method_name(request.method());
    let path = request.extensions().get::<MatchedPath>().cloned();
    let mut response = match refused {
        Some(error) => error.into_response(),
        None if preflight => StatusCode::NO_CONTENT.into_response(),
        None => {
            let account = account.as_ref().map(|account| account.id);
            if request.method() == Method::HEAD {
                for_head(run(gate, part, account, request, handler)).await
            } else {
                run(gate, part, account, request, handler).await
            }
        }
    };
    match response.extensions_mut().remove::<ApiError>() {
        Some(error) => write_error(&error, id.to_str().ok(), &mut response),
        None if crate::routes::site::Explained::is_in(&response) => {}
        // axum refused it before a handler ran
        None if response.status().is_client_error() || response.status().is_server_error() => {
            let message =
                "the request is not understood: check its path for bytes that are not UTF-8";
            let error = ApiError::new(response.status(), "bad_request", message);
            write_error(&error, id.to_str().ok(), &mut response);
        }
        None => {}
    }
    match part {
        Part::V2 => {
            let (cost, balance) = metered(gate, account.as_deref(), Meter::V2, &mut response).await;
            let headers = response.headers_mut();
            headers.insert(COST, cost.credits.into());
            headers.insert(DAILY_REMAINING, balance.daily_remaining.into());
            headers.insert(MINUTE_REMAINING, balance.minute_remaining.into());
        }
        Part::V1 => {
            let (_, balance) = metered(gate, account.as_deref(), Meter::V1, &mut response).await;
            let headers = response.headers_mut();
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
        Part::Admin | Part::Nowhere | Part::Metrics | Part::Open => {}
    }
    secure(response.headers_mut());
    if part.is_for_pages() {
        gate.cors
            .add_headers(origin, preflight, response.headers_mut());
    }
    let took = began.elapsed();
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    if let Some(value) = short(format_args!("{}.{:03}", micros / 1000, micros % 1000)) {
        response.headers_mut().insert(RESPONSE_TIME, value);
    }
    let (status, route) = (
        response.status(),
        path.as_ref().map_or("none", MatchedPath::as_str),
    );
    let account = account.map(|account| account.id);
    let request = id.to_str().unwrap_or("");
    // the route, never the path, which may hold anything
    tracing::info!(
        request,
        method,
        route,
        status = status.as_u16(),
        micros,
        account,
        key = prefix,
        "answered"
    );
    flight.answered(route, method, status, took);
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// What a caller is identified by.
#[derive(Clone, Copy)]
struct Asking<'r> {
    path: &'r str,
    headers: &'r HeaderMap,
    peer: IpAddr,
}

/// The address of the other end of the connection.
fn peer(request: &Request) -> IpAddr {
    request
        .extensions()
        .get::<Peer>()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0)
}

/// The caller, if they may call this part.
async fn admit(gate: &Gate, part: Part, asking: Asking<'_>) -> Result<Caller, ApiError> {
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
        (Caller::Admin { .. }, Part::V1 | Part::V2) => Err(forbidden(
            "this is an administrator's key, which has no credits: use a key of an account",
        )),
        (Caller::Holder { .. }, Part::Admin | Part::Metrics) => Err(forbidden(
            "this needs an administrator's key: an account's own keys are at /api/v2/account",
        )),
        (Caller::Holder { account, .. }, Part::V2)
            if asking.path.starts_with("/api/v2/account") =>
        {
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
fn sent_key(headers: &HeaderMap) -> Option<&str> {
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

/// Runs the handler within the limits of time and concurrency.
async fn run(
    gate: &Gate,
    part: Part,
    account: Option<i64>,
    request: Request,
    handler: impl Handler,
) -> Response {
    let time = gate.limits.time(request.uri().path());
    let answered = within_limits(gate, part, account, request, handler);
    match tokio::time::timeout(time, answered).await {
        Ok(response) => response,
        Err(_) => {
            let message = "the request took too long, its body's arrival included; nothing was charged: send it again, or a smaller one";
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "timeout", message)
                .retry_after(1)
                .into_response()
        }
    }
}

/// Runs the handler once the account has a share for it.
async fn within_limits(
    gate: &Gate,
    part: Part,
    account: Option<i64>,
    mut request: Request,
    mut handler: impl Handler,
) -> Response {
    // an account that has much under way waits for itself, before it takes a place that others need
    let share = match account {
        Some(account) => gate.shares.enter(account).await,
        None => None,
    };
    if let Some(share) = &share {
        request.extensions_mut().insert(share.clone());
    }
    // a busy server still answers health checks
    let _permit = if matches!(part, Part::Open | Part::Metrics) {
        None
    } else {
        match gate.requests.try_acquire() {
            Ok(permit) => Some(permit),
            Err(_) => {
                let message = "the server has too many requests at once; nothing was charged: try again in a second";
                return ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", message)
                    .retry_after(1)
                    .into_response();
            }
        }
    };
    let handled = AssertUnwindSafe(async move { handler.call(request).await }).catch_unwind();
    match (handled.await, share) {
        (Ok(Ok(response)), Some(share)) => shares::until_written(response, share).await,
        (Ok(Ok(response)), None) => response,
        (Err(_panic), _) => ApiError::internal().into_response(),
    }
}

/// The cost and balance that the answer states. Both are zero for unknown callers.
async fn metered(
    gate: &Gate,
    account: Option<&Account>,
    meter: Meter,
    response: &mut Response,
) -> (Cost, Balance) {
    if let Some(metered) = response.extensions_mut().remove::<Metered>() {
        return (metered.cost, metered.balance);
    }
    let free = Cost {
        credits: 0,
        calls: 0,
    };
    match account {
        Some(account) => {
            let balance = Box::pin(gate.ledger.balance(account, meter)).await;
            (free, balance.unwrap_or_default())
        }
        None => (free, Balance::default()),
    }
}

/// Adds security headers for browsers. A page sets its own policy and caching.
fn secure(headers: &mut HeaderMap) {
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
fn request_id(headers: &HeaderMap) -> HeaderValue {
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
fn short(text: fmt::Arguments<'_>) -> Option<HeaderValue> {
    let mut room = [0; 64];
    let mut rest = &mut room[..];
    rest.write_fmt(text).ok()?;
    let length = 64 - rest.len();
    HeaderValue::from_bytes(&room[..length]).ok()
}
