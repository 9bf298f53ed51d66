//! `GET /api/v2/export` redirects to a file of the daily export. This service also serves the
//! files, unless there is a bucket.

use crate::app::App;
use crate::auth::Holder;
use crate::body;
use crate::clock::{Clock, Moment};
use crate::credits::{Charge, Ledger};
use crate::error::ApiError;
use crate::http::{DOWNLOADS_REMAINING, DOWNLOADS_RESET, EXPORT_GENERATED};
use crate::market::day::iso;
use crate::market::export::storage::{PATH, Refused, Storage};
use crate::market::export::{Dataset, pieces};
use crate::middleware::Metered;
use crate::origin::Origin;
use crate::plans::Plans;
use crate::routes::charging::charge_call;
use crate::store::Store;
use axum::Router;
use axum::body::Body;
use axum::extract::{FromRef, Path, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;
use std::sync::Arc;

/// The `Retry-After` of an export that was not made yet, in seconds.
const NOT_READY: i64 = 3_600;

/// What the redirect needs.
#[derive(Clone)]
pub(super) struct Exports {
    store: Store,
    files: Storage,
    clock: Clock,
    plans: Arc<Plans>,
    ledger: Arc<Ledger>,
}

impl FromRef<App> for Exports {
    fn from_ref(app: &App) -> Self {
        Self {
            store: app.store.clone(),
            files: app.exports.clone(),
            clock: app.ledger.clock().clone(),
            plans: Arc::clone(&app.plans),
            ledger: Arc::clone(&app.ledger),
        }
    }
}

/// A file of the daily export: gzip-packed CSV, fetched by following the redirect.
///
/// It costs no credits, and is a call of the minute; the plan says how many a day. HEAD counts as
/// none of them, and gets no address.
#[utoipa::path(get, path = "/api/v2/export", operation_id = "getExport", tag = "export",
    params(("type" = Option<String>, Query, description = "The dataset: `cards`, `sealed`, `auction` or `population`; `cards` by default",
        pattern = "^(cards|sealed|auction|population)$")),
    responses((status = 302, description = "A redirect to the file, without a body", headers(
        ("location" = String, description = "The address of the file, which holds for 15 minutes"),
        ("x-export-downloads-remaining" = i64, description = "Downloads left today"),
        ("x-export-reset-at" = String, description = "When they start again: midnight UTC"),
        ("x-dump-generated-at" = String, description = "When the file was made")))))]
pub(super) async fn redirect(
    State(from): State<Exports>,
    Holder { account, .. }: Holder,
    origin: Origin,
    method: Method,
    uri: Uri,
) -> Result<Response, ApiError> {
    let Exports {
        store,
        files,
        clock,
        plans,
        ledger,
    } = from;
    let pairs = body::query(&uri, &["type"])?;
    let dataset = match pairs.iter().find(|(name, _)| name == "type") {
        None => Dataset::Cards,
        Some((_, name)) => Dataset::of_name(name).ok_or_else(|| {
            let message = "there is no such dataset: write cards, sealed, auction or population";
            ApiError::bad("invalid_value", message).field("type")
        })?,
    };
    let most = i64::try_from(account.plan.load().export_downloads).unwrap_or(i64::MAX);
    if most == 0 {
        let message = format!(
            "the plan of this account has no daily export: {}",
            plans.with(|plan| plan.export_downloads > 0)
        );
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "plan_too_small",
            message,
        ));
    }
    // before the database is asked; what is refused from here on is counted as that, and not twice
    let call = charge_call(&ledger, &account).await?;
    let Some(file) = store.export(dataset.name()).await? else {
        let message = "the export was not made yet, and this was not counted: it is made every day at 06:00 UTC";
        return Err(
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "export_not_ready", message)
                .retry_after(NOT_READY),
        );
    };
    let now = clock.now();
    if method == Method::HEAD {
        let count = store.downloads_taken(account.id, now.day()).await?;
        if count >= most {
            return Err(used_up(most, now));
        }
        return answer(call, most - count, now, file.generated, None);
    }
    let (address, stored) = files
        .address(&file.file, now)
        .map_err(|_| ApiError::internal())?;
    // clients that follow the header by hand cannot resolve a path
    let address = match origin.address.filter(|_| address.starts_with('/')) {
        Some(origin) => format!("{origin}{address}"),
        None => address,
    };
    let count = store
        .take_download(account.id, now.day(), most, stored.as_ref())
        .await?
        .ok_or_else(|| used_up(most, now))?;
    answer(call, most - count, now, file.generated, Some(address))
}

/// Today's downloads are taken.
fn used_up(most: i64, now: Moment) -> ApiError {
    let seconds = now.seconds_until(now.next_day());
    let message = format!(
        "the {most} downloads of today are used up: wait until midnight UTC, {seconds} seconds"
    );
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "download_limit", message).retry_after(seconds)
}

/// The redirect, and the call that it counts as; without an address for HEAD, which takes no
/// download.
fn answer(
    call: Charge,
    remaining: i64,
    now: Moment,
    generated: i64,
    address: Option<String>,
) -> Result<Response, ApiError> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::FOUND;
    let (cost, balance) = call.keep();
    response.extensions_mut().insert(Metered { cost, balance });
    let headers = response.headers_mut();
    if let Some(address) = address {
        let location = HeaderValue::try_from(address).map_err(|_| ApiError::internal())?;
        headers.insert(LOCATION, location);
    }
    headers.insert(DOWNLOADS_REMAINING, remaining.into());
    for (name, moment) in [
        (DOWNLOADS_RESET, now.next_day() * 1_000),
        (EXPORT_GENERATED, generated),
    ] {
        headers.insert(
            name,
            HeaderValue::try_from(iso(moment)).map_err(|_| ApiError::internal())?,
        );
    }
    Ok(response)
}

/// The files. They need no key, because nobody can guess their addresses.
pub(super) fn files() -> Router<App> {
    Router::new().route(&format!("{PATH}{{file}}"), get(file))
}

async fn file(
    State(exports): State<Storage>,
    State(clock): State<Clock>,
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
    let (file, length) = exports
        .open(&name, of("expires"), of("signature"), clock.now())
        .await?
        .map_err(|refused| {
            let forbidden =
                |message| ApiError::new(StatusCode::FORBIDDEN, "wrong_signature", message);
            match refused {
                Refused::Signature => {
                    forbidden("this address was altered: ask /api/v2/export for a new one")
                }
                Refused::Expired => {
                    forbidden("this address has expired: ask /api/v2/export for a new one")
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
