//! [`FileLimits`]: what one caller may demand, as the file says it.

use crate::limits::Limits;
use crate::number::{DAY, MANY, Number, set, set_time};
use serde::Deserialize;

/// The section of the TOML file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct FileLimits {
    body_bytes: Option<Number>,
    header_seconds: Option<Number>,
    request_seconds: Option<Number>,
    write_seconds: Option<Number>,
    connections: Option<Number>,
    address_connections: Option<Number>,
    requests: Option<Number>,
    account_requests: Option<Number>,
    stop_seconds: Option<Number>,
    wrong_keys: Option<Number>,
    account_calls: Option<Number>,
    keys_a_day: Option<Number>,
}

impl FileLimits {
    /// The limits, with their defaults.
    ///
    /// # Errors
    /// A sentence that names the number out of its range.
    pub(super) fn read(self) -> Result<Limits, String> {
        let mut limits = Limits::default();
        for (name, read, place) in [
            ("body-bytes", self.body_bytes, &mut limits.body_bytes),
            ("connections", self.connections, &mut limits.connections),
            (
                "address-connections",
                self.address_connections,
                &mut limits.address_connections,
            ),
            ("requests", self.requests, &mut limits.requests),
            (
                "account-requests",
                self.account_requests,
                &mut limits.account_requests,
            ),
        ] {
            set(place, read, &format!("limits.{name}"), 1..=MANY)?;
        }
        for (name, read, place) in [
            (
                "header-seconds",
                self.header_seconds,
                &mut limits.header_time,
            ),
            (
                "request-seconds",
                self.request_seconds,
                &mut limits.request_time,
            ),
            ("write-seconds", self.write_seconds, &mut limits.write_time),
            ("stop-seconds", self.stop_seconds, &mut limits.stop_time),
        ] {
            set_time(place, read, &format!("limits.{name}"), DAY)?;
        }
        // with none, a key that another process has just made is not looked for
        set(
            &mut limits.wrong_keys,
            self.wrong_keys,
            "limits.wrong-keys",
            1..=MANY,
        )?;
        set(
            &mut limits.account_calls,
            self.account_calls,
            "limits.account-calls",
            1..=MANY,
        )?;
        // with none, administrators alone make keys
        set(
            &mut limits.keys_a_day,
            self.keys_a_day,
            "limits.keys-a-day",
            0..=MANY,
        )?;
        Ok(limits)
    }
}
