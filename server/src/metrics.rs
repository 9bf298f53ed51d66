//! [`Metrics`]: counts of what happens, in the text format of Prometheus.
//!
//! Counting a request takes one shared lock and a few additions. Everything else happens when the
//! text is read.

mod text;

pub use text::CONTENT_TYPE;
pub(crate) use text::{Figure, Snapshot};

use axum::http::{Method, StatusCode};
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

/// Upper bounds of the histogram's buckets, in microseconds.
const STEPS: [u64; 15] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 5_000_000, 30_000_000,
];

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
