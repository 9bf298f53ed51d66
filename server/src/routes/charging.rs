//! Charging a request: the error if too little is left, and the answer that carries the cost.

use crate::credits::{Account, Charge, Cost, Endpoint, Ledger, Meter, Refusal, Shortage};
use crate::error::ApiError;
use crate::head;
use crate::middleware::Metered;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;
use std::io;
use std::sync::Arc;

/// Credits of a batch or cards of a set that count as one call of the minute, and the most calls of
/// one request.
const A_CALL: i64 = 10;
const MOST_CALLS: i64 = 30;

/// Headers of an ordinary answer, for which room is made at once.
const HEADERS: usize = 16;

/// The least that a request costs.
const LEAST: Cost = Cost {
    credits: 1,
    calls: 1,
};

/// The calls of the minute that a batch of `count` credits, or a set of `count` cards, counts as.
pub(super) fn calls(count: i64) -> i64 {
    ((count + A_CALL - 1) / A_CALL).clamp(1, MOST_CALLS)
}

/// Refuses a request before any work is done for it, if the account has nothing left.
///
/// # Errors
/// As [`charge`].
pub(super) async fn afford(
    ledger: &Arc<Ledger>,
    account: &Arc<Account>,
    meter: Meter,
) -> Result<(), ApiError> {
    let balance = ledger.balance(account, meter).await?;
    if balance.daily_remaining >= LEAST.credits && balance.minute_remaining >= LEAST.calls {
        return Ok(());
    }
    // what is known may be old: the ledger decides. A charge that is dropped is refunded
    charge_any(ledger, account, meter, LEAST).await.map(drop)
}

/// Charges a request of an endpoint (only as a call, if its method is HEAD), or returns the error that
/// says what is missing.
pub(super) async fn charge(
    ledger: &Arc<Ledger>,
    account: &Arc<Account>,
    endpoint: Endpoint,
    cost: Cost,
) -> Result<Charge, ApiError> {
    let charge = charge_any(ledger, account, endpoint.meter(), cost).await?;
    Ok(charge.of(endpoint))
}

/// Charges a request of v2 that costs no credits as a call of the minute.
pub(super) async fn charge_call(
    ledger: &Arc<Ledger>,
    account: &Arc<Account>,
) -> Result<Charge, ApiError> {
    let cost = Cost {
        credits: 0,
        ..LEAST
    };
    charge_any(ledger, account, Meter::V2, cost).await
}

async fn charge_any(
    ledger: &Arc<Ledger>,
    account: &Arc<Account>,
    meter: Meter,
    cost: Cost,
) -> Result<Charge, ApiError> {
    let cost = head::cost(cost);
    let refusal = match ledger.charge(account, meter, cost).await {
        Ok(charge) => return Ok(charge),
        Err(refusal) => refusal,
    };
    Err(match refusal {
        Refusal::Store(error) => ApiError::database(&error),
        Refusal::Short {
            of,
            balance,
            retry_after,
        } => {
            let (code, message) = match of {
                Shortage::Daily => (
                    "insufficient_credits",
                    format!(
                        "the request costs {} credits and {} of {} are left today: ask for less, wait until midnight UTC, or take a larger plan",
                        cost.credits, balance.daily_remaining, balance.daily_limit
                    ),
                ),
                Shortage::Minute => (
                    "minute_limit",
                    format!(
                        "the request counts as {} of {} calls a minute, and too few are left: wait {retry_after} seconds",
                        cost.calls, balance.minute_limit
                    ),
                ),
                Shortage::ExceedsPlan => (
                    "insufficient_credits",
                    format!(
                        "the request costs {} credits and {} calls, and the plan allows {} a day and {} a minute: ask for less at once",
                        cost.credits, cost.calls, balance.daily_limit, balance.minute_limit
                    ),
                ),
            };
            let error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, code, message);
            match of {
                // no wait helps
                Shortage::ExceedsPlan => error,
                Shortage::Daily | Shortage::Minute => error.retry_after(retry_after),
            }
        }
    })
}

/// An answer with its cost. From here on the charge is final.
pub(super) fn metered(
    body: impl Into<Body>,
    kind: &'static str,
    charge: Option<Charge>,
) -> Response {
    let mut response = Response::new(body.into());
    let mut headers = HeaderMap::with_capacity(HEADERS);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    *response.headers_mut() = headers;
    if let Some(charge) = charge {
        let (cost, balance) = charge.keep();
        response.extensions_mut().insert(Metered { cost, balance });
    }
    response
}

/// A value as JSON that was written before.
///
/// A `RawValue` would be checked again, which takes as long as all else of an answer. Only
/// [`written`] and [`json`] know this type.
pub(crate) struct Written(pub(crate) Vec<u8>);

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

/// Writes bytes as they are: they are JSON.
struct Verbatim;

impl Formatter for Verbatim {
    fn write_byte_array<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        value: &[u8],
    ) -> io::Result<()> {
        out.write_all(value)
    }
}

/// The JSON of a value in which bytes, such as [`Written`], are JSON.
pub(super) fn written(value: &impl Serialize, capacity: usize) -> serde_json::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(capacity);
    value.serialize(&mut serde_json::Serializer::with_formatter(
        &mut out, Verbatim,
    ))?;
    Ok(out)
}

/// A JSON answer with its cost.
///
/// # Errors
/// 500 if it cannot be written. Then nothing is charged.
pub(super) fn json(value: &impl Serialize, charge: Charge) -> Result<Response, ApiError> {
    let body = written(value, 1024).map_err(|_| ApiError::internal())?;
    Ok(metered(body, "application/json", Some(charge)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn ten_titles_count_as_one_call_up_to_thirty_calls() {
        assert_eq!(
            [0, 1, 10, 11, 26, 291, 300, 301, 5_000].map(super::calls),
            [1, 1, 1, 2, 3, 30, 30, 30, 30]
        );
    }
}
