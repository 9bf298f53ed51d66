//! The middleware that every request passes, before and after its handler.
//!
//! Before: the request gets its id, its key is checked, and it gets a place within the limits.
//! After: the answer gets its headers (time, cost, what is left) and an error gets its body. A
//! handler that panics answers 500; its charge is dropped, which refunds it.

mod admit;
mod answer;
mod gate;

pub(crate) use answer::Explained;
pub use gate::Gate;

use self::admit::{Asking, admit, peer, sent_key};
use self::answer::{add_balance, explain, request_id, secure, short};
use self::gate::Part;
use crate::auth::Caller;
use crate::cors::Cors;
use crate::credits::{Account, Balance, Cost, Meter};
use crate::error::ApiError;
use crate::head::for_head;
use crate::http::{COST, DAILY_REMAINING, MINUTE_REMAINING, REQUEST_ID, RESPONSE_TIME};
use crate::keys;
use crate::metrics::method_name;
use crate::proxies;
use crate::shares;
use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use std::convert::Infallible;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;
use tower::{Layer, Service};

/// What a refused request costs.
const REFUSED: Cost = Cost {
    credits: 0,
    calls: 1,
};

/// What a request was charged. It travels in the extensions of the answer.
#[derive(Clone, Copy, Debug)]
pub struct Metered {
    /// The cost.
    pub cost: Cost,
    /// What was left.
    pub balance: Balance,
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
    if refused.is_none() && part.needs_key() && !preflight {
        let asking = Asking {
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
    explain(&mut response, id.to_str().ok());
    if let (Some(account), Some(meter)) = (&account, part.charged_to())
        && response.status().is_client_error()
    {
        // seldom, and large
        Box::pin(count_refused(gate, account, meter, &mut response)).await;
    }
    match part {
        Part::V2 | Part::Account => {
            let (cost, balance) = metered(gate, account.as_deref(), Meter::V2, &mut response).await;
            let headers = response.headers_mut();
            headers.insert(COST, cost.credits.into());
            headers.insert(DAILY_REMAINING, balance.daily_remaining.into());
            headers.insert(MINUTE_REMAINING, balance.minute_remaining.into());
        }
        Part::V1 => {
            let (_, balance) = metered(gate, account.as_deref(), Meter::V1, &mut response).await;
            add_balance(&balance, response.headers_mut());
        }
        Part::Admin | Part::Nowhere | Part::Metrics | Part::Files | Part::Open => {}
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
    let _permit = if matches!(part, Part::Open | Part::Files | Part::Metrics) {
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

/// Counts a refused request as a call of the minute: what it cost to refuse it is bounded as that of
/// an answer is. It costs no credits.
async fn count_refused(gate: &Gate, account: &Arc<Account>, meter: Meter, response: &mut Response) {
    let left = gate.ledger.balance(account, meter).await;
    if left.is_ok_and(|left| left.minute_remaining >= REFUSED.calls)
        && let Ok(counted) = gate.ledger.charge(account, meter, REFUSED).await
    {
        let (cost, balance) = counted.keep();
        response.extensions_mut().insert(Metered { cost, balance });
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
