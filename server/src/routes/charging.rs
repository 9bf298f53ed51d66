//! Charging a request: the cost, what is told where too little is left, and the answer that bears it.

use crate::app::App;
use crate::door::Metered;
use crate::error::ApiError;
use crate::ledger::{Account, Charge, Cost, Meter, Refusal, Short};
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use std::io;
use std::sync::Arc;

/// What of a request counts as one call of the minute, and the most calls that a request counts as: titles of a batch, cards of a set.
const A_CALL: i64 = 10;
const MOST_CALLS: i64 = 30;

/// The calls of the minute that a request for so many titles or cards at once counts as.
pub(super) fn calls(count: i64) -> i64 {
    ((count + A_CALL - 1) / A_CALL).clamp(1, MOST_CALLS)
}

/// Charges, or says in which way too little is left.
pub(super) async fn charge(
    app: &App,
    account: &Arc<Account>,
    meter: Meter,
    cost: Cost,
) -> Result<Charge, ApiError> {
    app.ledger.charge(account, meter, cost).await.map_err(|refusal| match refusal {
        Refusal::Store(error) => ApiError::database(&error),
        Refusal::Short { of, standing, retry_after } => {
            let (code, message) = match of {
                Short::Daily => (
                    "insufficient_credits",
                    format!(
                        "the request costs {} credits and {} of {} are left today: ask for less, wait until midnight UTC, or take a larger plan",
                        cost.credits, standing.daily_remaining, standing.daily_limit
                    ),
                ),
                Short::Minute => (
                    "minute_limit",
                    format!(
                        "the request counts as {} of {} calls a minute, and too few are left: wait {retry_after} seconds",
                        cost.calls, standing.minute_limit
                    ),
                ),
                Short::Ever => (
                    "insufficient_credits",
                    format!(
                        "the request costs {} credits and {} calls, and the plan allows {} a day and {} a minute: ask for less at once",
                        cost.credits, cost.calls, standing.daily_limit, standing.minute_limit
                    ),
                ),
            };
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, code, message).retry_after(retry_after)
        }
    })
}

/// An answer with what it cost; from here on it is charged.
pub(super) fn metered(
    body: impl Into<Body>,
    kind: &'static str,
    charge: Option<Charge>,
) -> Response {
    let mut response = Response::new(body.into());
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Some(charge) = charge {
        let (cost, standing) = charge.keep();
        response.extensions_mut().insert(Metered { cost, standing });
    }
    response
}

/// JSON in which bytes are JSON that was written before: to have it read again, as a `RawValue` is, takes as long as all else of an answer.
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

/// JSON of a value whose bytes are JSON.
pub(super) fn written(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(1024);
    value.serialize(&mut Serializer::with_formatter(&mut out, Verbatim))?;
    Ok(out)
}

/// An answer of JSON with what it cost.
///
/// # Errors
/// 500 where it cannot be written, and nothing is charged.
pub(super) fn json(value: &impl Serialize, charge: Charge) -> Result<Response, ApiError> {
    let body = written(value).map_err(|_| ApiError::internal())?;
    Ok(metered(body, "application/json", Some(charge)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn ten_at_once_are_a_call_and_no_request_is_more_than_thirty() {
        assert_eq!(
            [0, 1, 10, 11, 26, 291, 300, 301, 5_000].map(super::calls),
            [1, 1, 1, 2, 3, 30, 30, 30, 30]
        );
    }
}
