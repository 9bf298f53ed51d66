//! The counts as text for Prometheus, with the figures of other parts of the service.

use super::{Metrics, STEPS};
use crate::store::market::Freshness;
use std::fmt::{Display, Write};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

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

impl Metrics {
    /// The text for Prometheus.
    #[must_use]
    pub(crate) fn text(&self, of: &Snapshot) -> String {
        let mut out = String::with_capacity(16 * 1024);
        self.write_answers(&mut out);
        let mut write = |lines: &[Line]| lines.iter().for_each(|line| line.write(&mut out));
        write(&self.requests(of));
        write(&credits(of));
        write(&failures(of));
        write(&[
            Line::gauge(
                "http_connections",
                "Connections that are open.",
                self.connections.load(Ordering::Relaxed),
            ),
            Line::gauge(
                "ledger_accounts",
                "Accounts that hold a lease.",
                of.ledger_accounts,
            ),
        ]);
        write(&market(of));
        of.figures
            .iter()
            .for_each(|figure| write(&[Line::from(figure)]));
        write(&[Line::gauge(
            "catalogue_cards",
            "Cards of the catalogue.",
            of.catalogue_cards,
        )]);
        write_build(&mut out, of);
        let uptime = self.began.elapsed().as_secs();
        Line::gauge("uptime_seconds", "Seconds since the start.", uptime).write(&mut out);
        write_memory(&mut out);
        out
    }

    /// Requests and connections, and what keeps them out.
    fn requests(&self, of: &Snapshot) -> [Line; 6] {
        let counter = |name, help, counter: &AtomicU64| {
            Line::counter(name, help, counter.load(Ordering::Relaxed))
        };
        [
            Line::gauge(
                "http_requests_in_flight",
                "Requests that are being answered.",
                self.in_flight.load(Ordering::Relaxed),
            ),
            Line::gauge(
                "http_request_places_taken",
                "Places for requests that are taken; when none is left, further requests get 503.",
                of.places_taken,
            ),
            counter(
                "http_requests_abandoned_total",
                "Requests whose caller went away before the answer.",
                &self.abandoned,
            ),
            counter(
                "http_connections_total",
                "Connections that were opened.",
                &self.accepted,
            ),
            counter(
                "http_connections_refused_total",
                "Connections that were closed because their address had too many.",
                &self.refused,
            ),
            counter(
                "wrong_keys_total",
                "Requests with a key that is unknown or malformed.",
                &self.wrong_keys,
            ),
        ]
    }

    /// How long answers took, by route, method and status.
    pub(super) fn write_answers(&self, out: &mut String) {
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

/// A figure without labels, and what it is.
struct Line {
    name: &'static str,
    help: &'static str,
    /// `counter` or `gauge`.
    kind: &'static str,
    value: String,
}

impl Line {
    fn counter(name: &'static str, help: &'static str, value: u64) -> Self {
        let (kind, value) = ("counter", value.to_string());
        Self {
            name,
            help,
            kind,
            value,
        }
    }

    fn gauge(name: &'static str, help: &'static str, value: impl Display) -> Self {
        let (kind, value) = ("gauge", value.to_string());
        Self {
            name,
            help,
            kind,
            value,
        }
    }

    fn write(&self, out: &mut String) {
        let (name, help, kind, value) = (self.name, self.help, self.kind, &self.value);
        let _ = write!(
            out,
            "# HELP titledex_{name} {help}\n# TYPE titledex_{name} {kind}\ntitledex_{name} {value}\n"
        );
    }
}

impl From<&Figure> for Line {
    fn from(figure: &Figure) -> Self {
        Self {
            name: figure.name,
            help: figure.help,
            kind: figure.kind,
            value: figure.value.to_string(),
        }
    }
}

/// Credits, and leases of them.
fn credits(of: &Snapshot) -> [Line; 6] {
    [
        Line::counter(
            "credits_charged_total",
            "Credits charged to requests, refunded ones among them.",
            of.credits_charged,
        ),
        Line::counter(
            "credits_refunded_total",
            "Credits of requests that were not answered.",
            of.credits_refunded,
        ),
        Line::counter(
            "charges_refused_total",
            "Requests for which too little was left.",
            of.charges_refused,
        ),
        Line::counter(
            "leases_total",
            "Leases that the database granted.",
            of.leases,
        ),
        Line::counter(
            "credits_leased_total",
            "Credits of those leases.",
            of.credits_leased,
        ),
        Line::counter(
            "credits_given_back_total",
            "Leased credits that went back unspent.",
            of.credits_given_back,
        ),
    ]
}

/// What failed.
fn failures(of: &Snapshot) -> [Line; 3] {
    [
        Line::counter(
            "store_errors_total",
            "Statements at which the database failed.",
            of.store_errors,
        ),
        Line::counter(
            "exports_failed_total",
            "Files of the daily export that could not be made or put into their storage.",
            of.exports_failed,
        ),
        Line::counter(
            "log_lines_dropped_total",
            "Lines of the log that standard error did not take.",
            of.log_lines_dropped,
        ),
    ]
}

/// Whether the market is real, and how fresh it is.
fn market(of: &Snapshot) -> [Line; 4] {
    let seconds = |millis: Option<i64>| millis.map_or(0, |millis| millis / 1000);
    [
        Line::gauge(
            "market_synthetic",
            "1 where the prices were invented.",
            u8::from(of.market_synthetic),
        ),
        Line::gauge(
            "market_newest_price_timestamp_seconds",
            "When the newest headline price was taken; 0 if no price is known.",
            seconds(of.freshness.newest_price),
        ),
        Line::gauge(
            "export_timestamp_seconds",
            "When the oldest of the four export files was made; 0 before the first.",
            seconds(of.freshness.oldest_export),
        ),
        Line::gauge(
            "review_queue_length",
            "Sold listings that wait for a person.",
            of.freshness.review,
        ),
    ]
}

/// What answers: the catalogue, the core and the database.
fn write_build(out: &mut String, of: &Snapshot) {
    let (catalogue, core, store) = (&of.catalogue, env!("CARGO_PKG_VERSION"), of.database);
    let labels = format!("catalogue=\"{catalogue}\",core=\"{core}\",database=\"{store}\"");
    let _ = write!(
        out,
        "# HELP titledex_info What answers.\n# TYPE titledex_info gauge\ntitledex_info{{{labels}}} 1\n"
    );
}

/// Resident memory, under the name that Prometheus knows.
fn write_memory(out: &mut String) {
    let Some(bytes) = resident() else { return };
    let name = "process_resident_memory_bytes";
    let _ = write!(
        out,
        "# HELP {name} Resident memory.\n# TYPE {name} gauge\n{name} {bytes}\n"
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
