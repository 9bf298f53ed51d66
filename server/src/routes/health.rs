//! `/healthz` says that the process lives, `/readyz` that it can answer.

use crate::app::App;
use crate::catalogue::Reader;
use crate::clock::{Clock, Moment};
use crate::error::ApiError;
use crate::market::Day;
use crate::store::Store;
use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::StatusCode;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use utoipa::ToSchema;

/// How long the database may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// What readiness depends on.
#[derive(Clone)]
pub(super) struct Readiness {
    store: Store,
    reader: Arc<Reader>,
    stopping: Arc<AtomicBool>,
    clock: Clock,
}

impl FromRef<App> for Readiness {
    fn from_ref(app: &App) -> Self {
        Self {
            store: app.store.clone(),
            reader: Arc::clone(&app.reader),
            stopping: Arc::clone(&app.stopping),
            clock: app.ledger.clock().clone(),
        }
    }
}

/// That the process lives.
#[derive(Serialize, ToSchema)]
pub(super) struct Alive {
    /// Always `ok`.
    #[schema(examples("ok"))]
    status: &'static str,
}

/// That it can answer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Ready {
    /// Always `ready`.
    #[schema(examples("ready"))]
    status: &'static str,
    /// Name and checksum of the catalogue.
    catalogue_version: String,
    market: MarketAge,
}

/// How fresh the market is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MarketAge {
    /// The day of the newest headline price; null if no price is known.
    #[schema(required, format = Date)]
    newest_price_day: Option<String>,
    /// Seconds since the oldest of the four export files was made; null before the first.
    #[schema(required)]
    export_age_seconds: Option<i64>,
    /// Sold listings that wait for a person.
    #[schema(minimum = 0)]
    review_queue_length: i64,
}

/// Whether the process runs.
#[utoipa::path(get, path = "/healthz", operation_id = "isAlive", tag = "health",
    responses((status = 200, description = "The process runs", body = Alive)))]
pub(super) async fn alive() -> Json<Alive> {
    Json(Alive { status: "ok" })
}

/// Whether the service can answer: it is not stopping, and its database is there.
#[utoipa::path(get, path = "/readyz", operation_id = "isReady", tag = "health",
    responses((status = 200, description = "It can answer", body = Ready), (status = 503, description = "It cannot answer now")))]
pub(super) async fn ready(State(of): State<Readiness>) -> Result<Json<Ready>, ApiError> {
    let not_ready = |message: &str| {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", message).retry_after(2)
    };
    if of.stopping.load(Ordering::SeqCst) {
        return Err(not_ready("the server is stopping: ask another"));
    }
    let Ok(Ok(())) = tokio::time::timeout(PATIENCE, of.store.ping()).await else {
        return Err(not_ready("the database does not answer: see that it runs"));
    };
    if let Err(error) = of.store.probe().await {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        tracing::error!(%error, cause, "the database cannot be written");
        return Err(not_ready(
            "the database cannot be written: see that its disk has room and may be written",
        ));
    }
    let Ok(Ok(fresh)) = tokio::time::timeout(PATIENCE, of.store.freshness_lately()).await else {
        return Err(not_ready("the database does not answer: see that it runs"));
    };
    let now = of.clock.now();
    Ok(Json(Ready {
        market: MarketAge {
            newest_price_day: fresh
                .newest_price
                .map(|at| Day(Moment::from_millis(at).day()).to_string()),
            export_age_seconds: fresh.oldest_export.map(|at| (now.millis() - at) / 1000),
            review_queue_length: fresh.review,
        },
        status: "ready",
        catalogue_version: of.reader.now().version.clone(),
    }))
}
