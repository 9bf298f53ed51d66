//! `/metrics`: counts of what happens, for Prometheus.

use crate::app::App;
use crate::market::synthetic::SOURCE;
use crate::metrics::CONTENT_TYPE;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use std::sync::Arc;

/// Counts of what happened, in the text format of Prometheus.
#[utoipa::path(get, path = "/metrics", operation_id = "readMetrics", tag = "admin",
    responses((status = 200, description = "The metrics", body = String, content_type = "text/plain")))]
pub(super) async fn text(State(app): State<Arc<App>>) -> impl IntoResponse {
    // a database that does not answer is told by other figures
    let synthetic = app
        .store
        .fact(SOURCE)
        .await
        .is_ok_and(|fact| fact.is_some());
    (
        [(header::CONTENT_TYPE, CONTENT_TYPE)],
        app.metrics.text(&app, synthetic),
    )
}

/// The metrics alone, without a key: for an address that only those who watch the service reach.
pub(crate) fn alone(app: Arc<App>) -> Router {
    Router::new().route("/metrics", get(text)).with_state(app)
}
