//! `/metrics`: counts of what happens, for Prometheus.

use crate::app::App;
use crate::catalogue::Reader;
use crate::clock::Moment;
use crate::credits::Ledger;
use crate::market::SYNTHETIC;
use crate::market::export::storage::Storage;
use crate::market::intake::Intake;
use crate::metrics::{CONTENT_TYPE, Figure, Metrics, Snapshot};
use crate::middleware::Gate;
use crate::store::Store;
use crate::store::market::Freshness;
use axum::Router;
use axum::extract::{FromRef, State};
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the figures come from.
#[derive(Clone)]
pub(crate) struct Sources {
    metrics: Arc<Metrics>,
    gate: Arc<Gate>,
    store: Store,
    ledger: Arc<Ledger>,
    reader: Arc<Reader>,
    exports: Storage,
    intake: Arc<Intake>,
}

impl FromRef<App> for Sources {
    fn from_ref(app: &App) -> Self {
        Self {
            metrics: Arc::clone(&app.metrics),
            gate: Arc::clone(&app.gate),
            store: app.store.clone(),
            ledger: Arc::clone(&app.ledger),
            reader: Arc::clone(&app.reader),
            exports: app.exports.clone(),
            intake: Arc::clone(&app.intake),
        }
    }
}

impl Sources {
    async fn snapshot(&self) -> Snapshot {
        // if the database does not answer, other figures say so
        let synthetic = self.store.fact(SYNTHETIC).await;
        let freshness = self.store.freshness().await.unwrap_or_default();
        let counters = self.ledger.counters();
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let loaded = self.reader.now();
        let now = self.ledger.clock().now();
        let mut figures = self.intake.figures().to_vec();
        figures.extend(ages(&freshness, now));
        Snapshot {
            figures,
            places_taken: self.gate.places_taken(),
            credits_charged: read(&counters.charged),
            credits_refunded: read(&counters.refunded),
            charges_refused: read(&counters.refused),
            leases: read(&counters.leases),
            credits_leased: read(&counters.leased),
            credits_given_back: read(&counters.given_back),
            ledger_accounts: self.ledger.active(),
            store_errors: self.store.errors(),
            log_lines_dropped: crate::log::dropped(),
            exports_failed: self.exports.failures(),
            market_synthetic: synthetic.is_ok_and(|fact| fact.is_some()),
            freshness,
            catalogue_cards: loaded.cards(),
            catalogue: loaded.version.clone(),
            database: self.store.kind(),
        }
    }
}

/// How old the newest price and the oldest export file are, by the service's clock.
fn ages(freshness: &Freshness, now: Moment) -> [Figure; 2] {
    #[allow(
        clippy::cast_precision_loss,
        reason = "seconds of an age need not be exact beyond 2^53"
    )]
    let age = |since: Option<i64>| since.map_or(f64::NAN, |at| ((now.millis() - at) / 1000) as f64);
    [
        Figure {
            name: "market_newest_price_age_seconds",
            help: "How long ago the newest headline price was taken; NaN if no price is known.",
            kind: "gauge",
            value: age(freshness.newest_price),
        },
        Figure {
            name: "export_age_seconds",
            help: "How long ago the oldest of the four export files was made; NaN before the first.",
            kind: "gauge",
            value: age(freshness.oldest_export),
        },
    ]
}

/// Metrics in the text format of Prometheus.
#[utoipa::path(get, path = "/metrics", operation_id = "readMetrics", tag = "admin",
    responses((status = 200, description = "The metrics", body = String, content_type = "text/plain")))]
pub(super) async fn text(State(sources): State<Sources>) -> impl IntoResponse {
    let text = sources.metrics.text(&sources.snapshot().await);
    ([(header::CONTENT_TYPE, CONTENT_TYPE)], text)
}

/// The metrics alone, without a key, for an address that only monitoring can reach.
pub(crate) fn alone(app: App) -> Router {
    Router::new().route("/metrics", get(text)).with_state(app)
}
