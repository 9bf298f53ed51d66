//! [`Metrics`]: counts of what happens, in the text format of Prometheus.
//!
//! Counting a request takes one shared lock and a few additions. Everything else happens when the
//! text is read.

use crate::store::market::Freshness;
use axum::http::{Method, StatusCode};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

/// Upper bounds of the histogram's buckets, in microseconds.
const STEPS: [u64; 15] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 5_000_000, 30_000_000,
];
/// The media type of the text.
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Figures of other parts of the service at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    /// Places for requests that are taken, of those that `limits.requests` allows.
    pub(crate) places_taken: usize,
    /// Credits charged to requests, including refunded ones.
    pub(crate) credits_charged: u64,
    /// Credits of requests that were not answered.
    pub(crate) credits_refunded: u64,
    /// Requests refused for lack of credits or calls.
    pub(crate) charges_refused: u64,
    /// Leases that the database granted.
    pub(crate) leases: u64,
    /// Credits of those leases.
    pub(crate) credits_leased: u64,
    /// Leased credits that went back unspent.
    pub(crate) credits_given_back: u64,
    /// Accounts that hold a lease.
    pub(crate) ledger_accounts: usize,
    /// Statements at which the database failed.
    pub(crate) store_errors: u64,
    /// Lines of the log that were dropped.
    pub(crate) log_lines_dropped: u64,
    /// Files of the export that could not be made or stored.
    pub(crate) exports_failed: u64,
    /// Whether the prices were invented.
    pub(crate) market_synthetic: bool,
    /// How fresh the market is.
    pub(crate) freshness: Freshness,
    /// Figures of other parts.
    pub(crate) figures: Vec<Figure>,
    /// Cards of the catalogue.
    pub(crate) catalogue_cards: usize,
    /// Name and checksum of the catalogue.
    pub(crate) catalogue: String,
    /// The kind of the database.
    pub(crate) database: &'static str,
}

/// A figure for the metrics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    /// `counter` or `gauge`.
    pub(crate) kind: &'static str,
    pub(crate) value: f64,
}

/// How long answers of one kind took.
#[derive(Debug)]
struct Histogram {
    method: &'static str,
    status: StatusCode,
    steps: [AtomicU64; STEPS.len() + 1],
    micros: AtomicU64,
}

impl Histogram {
    fn count(&self, micros: u64) {
        let step = STEPS
            .iter()
            .position(|end| micros <= *end)
            .unwrap_or(STEPS.len());
        self.steps[step].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }
}

/// Counts of what happens.
#[derive(Debug)]
pub struct Metrics {
    began: Instant,
    /// By template of the path.
    answers: RwLock<HashMap<String, Vec<Histogram>>>,
    in_flight: AtomicI64,
    abandoned: AtomicU64,
    /// Connections that are open.
    pub(crate) connections: AtomicI64,
    /// Connections opened since the start.
    pub(crate) accepted: AtomicU64,
    /// Connections closed because their address had too many.
    pub(crate) refused: AtomicU64,
    /// Wrong keys.
    pub(crate) wrong_keys: AtomicU64,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            began: Instant::now(),
            answers: RwLock::default(),
            in_flight: AtomicI64::new(0),
            abandoned: AtomicU64::new(0),
            connections: AtomicI64::new(0),
            accepted: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            wrong_keys: AtomicU64::new(0),
        }
    }
}

/// A request in flight. If it is dropped before it is answered, its caller abandoned it.
#[derive(Debug)]
pub(crate) struct Flight<'m> {
    metrics: &'m Metrics,
    answered: bool,
}

impl Flight<'_> {
    /// Counts the answer.
    pub(crate) fn answered(
        mut self,
        route: &str,
        method: &'static str,
        status: StatusCode,
        took: Duration,
    ) {
        self.answered = true;
        self.metrics.count(
            route,
            method,
            status,
            u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
        );
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.metrics.in_flight.fetch_sub(1, Ordering::Relaxed);
        if !self.answered {
            self.metrics.abandoned.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// The label of a method. Callers may invent methods, so unknown ones share a label.
pub(crate) fn method_name(method: &Method) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"];
    KNOWN
        .into_iter()
        .find(|known| *known == method.as_str())
        .unwrap_or("other")
}

impl Metrics {
    /// A request begins.
    pub(crate) fn begin(&self) -> Flight<'_> {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        Flight {
            metrics: self,
            answered: false,
        }
    }

    fn count(&self, route: &str, method: &'static str, status: StatusCode, micros: u64) {
        let same = |known: &Histogram| known.method == method && known.status == status;
        {
            let answers = self.answers.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(histogram) = answers
                .get(route)
                .and_then(|kinds| kinds.iter().find(|known| same(known)))
            {
                return histogram.count(micros);
            }
        }
        let mut answers = self.answers.write().unwrap_or_else(PoisonError::into_inner);
        let kinds = answers.entry(route.to_owned()).or_default();
        let at = kinds.iter().position(same).unwrap_or_else(|| {
            kinds.push(Histogram {
                method,
                status,
                steps: Default::default(),
                micros: AtomicU64::new(0),
            });
            kinds.len() - 1
        });
        kinds[at].count(micros);
    }

    /// The text for Prometheus.
    #[must_use]
    pub(crate) fn text(&self, of: &Snapshot) -> String {
        let mut out = String::with_capacity(16 * 1024);
        self.write_answers(&mut out);
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        gauge(
            &mut out,
            "http_requests_in_flight",
            "Requests that are being answered.",
            self.in_flight.load(Ordering::Relaxed),
        );
        gauge(
            &mut out,
            "http_request_places_taken",
            "Places for requests that are taken; when none is left, further requests get 503.",
            of.places_taken,
        );
        let counters = [
            (
                "http_requests_abandoned_total",
                "Requests whose caller went away before the answer.",
                read(&self.abandoned),
            ),
            (
                "http_connections_total",
                "Connections that were opened.",
                read(&self.accepted),
            ),
            (
                "http_connections_refused_total",
                "Connections that were closed because their address had too many.",
                read(&self.refused),
            ),
            (
                "wrong_keys_total",
                "Requests with a key that is unknown or malformed.",
                read(&self.wrong_keys),
            ),
            (
                "credits_charged_total",
                "Credits charged to requests, refunded ones among them.",
                of.credits_charged,
            ),
            (
                "credits_refunded_total",
                "Credits of requests that were not answered.",
                of.credits_refunded,
            ),
            (
                "charges_refused_total",
                "Requests for which too little was left.",
                of.charges_refused,
            ),
            (
                "leases_total",
                "Leases that the database granted.",
                of.leases,
            ),
            (
                "credits_leased_total",
                "Credits of those leases.",
                of.credits_leased,
            ),
            (
                "credits_given_back_total",
                "Leased credits that went back unspent.",
                of.credits_given_back,
            ),
            (
                "store_errors_total",
                "Statements at which the database failed.",
                of.store_errors,
            ),
            (
                "exports_failed_total",
                "Files of the daily export that could not be made or put into their storage.",
                of.exports_failed,
            ),
            (
                "log_lines_dropped_total",
                "Lines of the log that standard error did not take.",
                of.log_lines_dropped,
            ),
        ];
        for (name, help, value) in counters {
            let _ = write!(
                out,
                "# HELP titledex_{name} {help}\n# TYPE titledex_{name} counter\ntitledex_{name} {value}\n"
            );
        }
        gauge(
            &mut out,
            "http_connections",
            "Connections that are open.",
            self.connections.load(Ordering::Relaxed),
        );
        gauge(
            &mut out,
            "ledger_accounts",
            "Accounts that hold a lease.",
            of.ledger_accounts,
        );
        gauge(
            &mut out,
            "market_synthetic",
            "1 where the prices were invented.",
            u8::from(of.market_synthetic),
        );
        let seconds = |millis: Option<i64>| millis.map_or(0, |millis| millis / 1000);
        gauge(
            &mut out,
            "market_newest_price_timestamp_seconds",
            "When the newest headline price was taken; 0 if no price is known.",
            seconds(of.freshness.newest_price),
        );
        gauge(
            &mut out,
            "export_timestamp_seconds",
            "When the oldest of the four export files was made; 0 before the first.",
            seconds(of.freshness.oldest_export),
        );
        gauge(
            &mut out,
            "review_queue_length",
            "Sold listings that wait for a person.",
            of.freshness.review,
        );
        for figure in &of.figures {
            let (name, help, kind, value) = (figure.name, figure.help, figure.kind, figure.value);
            let _ = write!(
                out,
                "# HELP titledex_{name} {help}\n# TYPE titledex_{name} {kind}\ntitledex_{name} {value}\n"
            );
        }
        gauge(
            &mut out,
            "catalogue_cards",
            "Cards of the catalogue.",
            of.catalogue_cards,
        );
        let (catalogue, core, store) = (&of.catalogue, env!("CARGO_PKG_VERSION"), of.database);
        let labels = format!("catalogue=\"{catalogue}\",core=\"{core}\",database=\"{store}\"");
        let _ = write!(
            out,
            "# HELP titledex_info What answers.\n# TYPE titledex_info gauge\ntitledex_info{{{labels}}} 1\n"
        );
        gauge(
            &mut out,
            "uptime_seconds",
            "Seconds since the start.",
            self.began.elapsed().as_secs(),
        );
        if let Some(bytes) = resident() {
            let name = "process_resident_memory_bytes";
            let _ = write!(
                out,
                "# HELP {name} Resident memory.\n# TYPE {name} gauge\n{name} {bytes}\n"
            );
        }
        out
    }

    fn write_answers(&self, out: &mut String) {
        let name = "titledex_http_request_duration_seconds";
        let _ = write!(
            out,
            "# HELP {name} Time from the head of a request to the head of its answer.\n# TYPE {name} histogram\n"
        );
        let answers = self.answers.read().unwrap_or_else(PoisonError::into_inner);
        let mut routes: Vec<_> = answers.iter().collect();
        routes.sort_unstable_by_key(|(route, _)| route.as_str());
        for (route, kinds) in routes {
            for kind in kinds {
                let labels = format!(
                    "route=\"{route}\",method=\"{}\",status=\"{}\"",
                    kind.method,
                    kind.status.as_u16()
                );
                let mut count = 0;
                for (step, of_step) in kind.steps.iter().enumerate() {
                    count += of_step.load(Ordering::Relaxed);
                    let _ = match STEPS.get(step) {
                        Some(end) => writeln!(
                            out,
                            "{name}_bucket{{{labels},le=\"{}\"}} {count}",
                            seconds(*end)
                        ),
                        None => writeln!(out, "{name}_bucket{{{labels},le=\"+Inf\"}} {count}"),
                    };
                }
                let sum = seconds(kind.micros.load(Ordering::Relaxed));
                let _ = write!(
                    out,
                    "{name}_sum{{{labels}}} {sum}\n{name}_count{{{labels}}} {count}\n"
                );
            }
        }
    }
}

fn gauge(out: &mut String, name: &str, help: &str, value: impl std::fmt::Display) {
    let _ = write!(
        out,
        "# HELP titledex_{name} {help}\n# TYPE titledex_{name} gauge\ntitledex_{name} {value}\n"
    );
}

#[allow(
    clippy::cast_precision_loss,
    reason = "a sum of microseconds need not be exact to the last digit"
)]
fn seconds(micros: u64) -> f64 {
    micros as f64 / 1e6
}

/// Resident bytes of this process, if the system reports them.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::Metrics;
    use axum::http::StatusCode;
    use std::time::Duration;

    #[test]
    fn histogram_buckets_are_cumulative() {
        let metrics = Metrics::default();
        for micros in [50, 100, 101, 40_000_000] {
            metrics.begin().answered(
                "/a/{id}",
                "GET",
                StatusCode::OK,
                Duration::from_micros(micros),
            );
        }
        drop(metrics.begin());
        let mut text = String::new();
        metrics.write_answers(&mut text);
        let value = |of: &str| {
            let line = text
                .lines()
                .find(|line| line.contains(of))
                .unwrap_or_else(|| panic!("no {of} in {text}"));
            line.rsplit(' ').next().unwrap_or_default().to_owned()
        };
        let steps = [
            "le=\"0.0001\"",
            "le=\"0.00025\"",
            "le=\"30\"",
            "le=\"+Inf\"",
            "_count{",
            "_sum{",
        ]
        .map(value);
        assert_eq!(steps, ["2", "3", "3", "4", "4", "40.000251"]);
        assert!(
            text.contains("route=\"/a/{id}\",method=\"GET\",status=\"200\""),
            "{text}"
        );
        assert_eq!(metrics.abandoned.into_inner(), 1);
        assert_eq!(metrics.in_flight.into_inner(), 0);
    }
}
