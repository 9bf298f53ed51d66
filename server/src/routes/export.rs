//! `GET /api/v2/export`: the way to a file of the daily export; and the files, where this service serves them.

use crate::app::App;
use crate::auth::Caller;
use crate::body;
use crate::error::ApiError;
use crate::market::day::iso;
use crate::market::export::Dataset;
use crate::market::export::storage::{PATH, Refused, pieces};
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use std::sync::Arc;

const REMAINING: HeaderName = HeaderName::from_static("x-export-downloads-remaining");
const RESET: HeaderName = HeaderName::from_static("x-export-reset-at");
const GENERATED: HeaderName = HeaderName::from_static("x-dump-generated-at");
/// Seconds after which it is worth asking again where there is no export yet.
const NOT_READY: i64 = 3_600;

/// A file of the daily export: gzip-packed CSV, fetched by following the redirect. Costs no credits; the plan says how many a day.
#[utoipa::path(get, path = "/api/v2/export", operation_id = "getExport", tag = "export",
    params(("type" = Option<String>, Query, description = "The dataset: `cards`, `sealed`, `auction` or `population`; `cards` where it is left out",
        pattern = "^(cards|sealed|auction|population)$")),
    responses((status = 302, description = "The way to the file, without a body", headers(
        ("location" = String, description = "The address of the file, which holds for 15 minutes"),
        ("x-export-downloads-remaining" = i64, description = "Downloads left today"),
        ("x-export-reset-at" = String, description = "When they are whole again: midnight UTC"),
        ("x-dump-generated-at" = String, description = "When the file was made")))))]
pub(super) async fn redirect(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let pairs = body::query(request.uri(), &["type"])?;
    let (_, account) = caller.holder()?;
    let dataset = match pairs.iter().find(|(name, _)| name == "type") {
        None => Dataset::Cards,
        Some((_, name)) => Dataset::of_name(name).ok_or_else(|| {
            let message = "there is no such dataset: write cards, sealed, auction or population";
            ApiError::bad("invalid_value", message).field("type")
        })?,
    };
    let most = i64::try_from(account.plan.load().export_downloads).unwrap_or(i64::MAX);
    if most == 0 {
        let message =
            "the plan of this account has no daily export: it comes with the plan business";
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "plan_too_small",
            message,
        ));
    }
    let Some(file) = app.store.export(dataset.name()).await? else {
        let message = "the export was not made yet, and this was not counted: it is made every day at 06:00 UTC";
        return Err(
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "export_not_ready", message)
                .retry_after(NOT_READY),
        );
    };
    let now = app.ledger.clock().now();
    let Some(count) = app.store.take_download(account.id, now.day(), most).await? else {
        let seconds = now.seconds_until(now.next_day());
        let message = format!(
            "the {most} downloads of today are used up: wait until midnight UTC, {seconds} seconds"
        );
        return Err(
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, "download_limit", message)
                .retry_after(seconds),
        );
    };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::FOUND;
    let headers = response.headers_mut();
    let location = HeaderValue::try_from(app.exports.address(&file.file, now))
        .map_err(|_| ApiError::internal())?;
    headers.insert(LOCATION, location);
    headers.insert(REMAINING, (most - count).into());
    for (name, moment) in [(RESET, now.next_day() * 1_000), (GENERATED, file.generated)] {
        headers.insert(
            name,
            HeaderValue::try_from(iso(moment)).map_err(|_| ApiError::internal())?,
        );
    }
    Ok(response)
}

/// The files, without a key: their addresses are signed.
pub(super) fn files() -> Router<Arc<App>> {
    Router::new().route(&format!("{PATH}{{file}}"), get(file))
}

async fn file(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    let pairs = body::query(request.uri(), &["expires", "signature"])?;
    let of = |wanted: &str| {
        pairs
            .iter()
            .find(|(name, _)| name == wanted)
            .map_or("", |(_, value)| value.as_str())
    };
    let (file, length) = app
        .exports
        .open(
            &name,
            of("expires"),
            of("signature"),
            app.ledger.clock().now(),
        )
        .map_err(|refused| {
            let forbidden =
                |message| ApiError::new(StatusCode::FORBIDDEN, "wrong_signature", message);
            match refused {
                Refused::Signature => {
                    forbidden("this address is not as it was given: ask /api/v2/export for one")
                }
                Refused::Expired => {
                    forbidden("this address no longer holds: ask /api/v2/export for another")
                }
                Refused::Missing => ApiError::new(
                    StatusCode::NOT_FOUND,
                    "not_found",
                    "this file was replaced by a newer one: ask /api/v2/export for it",
                ),
            }
        })?;
    let mut response = Response::new(Body::from_stream(pieces(file)));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/gzip"));
    headers.insert(CONTENT_LENGTH, length.into());
    if let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{name}\"")) {
        headers.insert(CONTENT_DISPOSITION, value);
    }
    Ok(response)
}
