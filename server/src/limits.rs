//! [`Limits`]: what one caller may demand.

use std::time::Duration;

/// What one caller may demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a body.
    pub body_bytes: usize,
    /// Time in which the head of a request must arrive.
    pub header_time: Duration,
    /// Time in which a request must be answered, including the arrival of its body. For a stream:
    /// until it begins.
    pub request_time: Duration,
    /// The same for a request that imports a file.
    pub import_time: Duration,
    /// Write timeout: how long an answer may wait until its caller reads more of it.
    pub write_time: Duration,
    /// Connections at once.
    pub connections: usize,
    /// Connections at once of one address, or of a /64 of IPv6.
    pub address_connections: usize,
    /// Requests at once.
    pub requests: usize,
    /// Requests at once of one account. Further ones wait.
    pub account_requests: usize,
    /// Time that requests have to finish when the service stops.
    pub stop_time: Duration,
    /// Wrong keys that an address may send in a minute.
    pub wrong_keys: u32,
    /// Calls of `/api/v2/account` that an account may make in a minute.
    pub account_calls: u32,
    /// Keys that an account may make in a UTC day.
    pub keys_a_day: u64,
}

/// Where files are sent that are imported.
const IMPORTS: &str = "/api/admin/import/";

impl Limits {
    /// Time in which a request of this path must be answered. A file may be large; for how long its
    /// sender may pause is bounded where it arrives.
    pub(crate) fn time(&self, path: &str) -> Duration {
        if path.starts_with(IMPORTS) {
            self.import_time
        } else {
            self.request_time
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1024 * 1024,
            header_time: Duration::from_secs(10),
            request_time: Duration::from_secs(30),
            import_time: Duration::from_secs(600),
            write_time: Duration::from_secs(30),
            connections: 10_000,
            address_connections: 256,
            requests: 1_024,
            account_requests: 32,
            stop_time: Duration::from_secs(30),
            wrong_keys: 60,
            account_calls: 120,
            keys_a_day: 50,
        }
    }
}
