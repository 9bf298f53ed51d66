//! [`Endpoint`]: what costs credits, and the [`Tally`] of calls that a process has yet to write.

use super::cost::Meter;
use crate::store::EndpointUsage;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// For how long calls are counted in memory before they are written. A killed process loses as much
/// of these counts, and nothing of what was charged.
const WRITTEN_AFTER: Duration = Duration::from_secs(2);

/// An endpoint whose calls are charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Endpoint {
    /// Titles.
    ParseTitle,
    /// Cards with their prices.
    Cards,
    /// Sets.
    Sets,
    /// Sealed products.
    Sealed,
    /// Graded populations.
    Population,
    /// Prices of version 1.
    V1Prices,
    /// Sets of version 1.
    V1Sets,
}

impl Endpoint {
    /// The count that its calls are charged to.
    #[must_use]
    pub fn meter(self) -> Meter {
        match self {
            Self::V1Prices | Self::V1Sets => Meter::V1,
            Self::ParseTitle | Self::Cards | Self::Sets | Self::Sealed | Self::Population => {
                Meter::V2
            }
        }
    }

    /// Its path, by which it is counted.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::ParseTitle => "/api/v2/parse-title",
            Self::Cards => "/api/v2/cards",
            Self::Sets => "/api/v2/sets",
            Self::Sealed => "/api/v2/sealed-products",
            Self::Population => "/api/v2/population",
            Self::V1Prices => "/api/v1/prices",
            Self::V1Sets => "/api/v1/sets",
        }
    }
}

/// Calls and credits by day and endpoint.
#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: BTreeMap<(i64, &'static str), (i64, i64)>,
    /// When the oldest of them was counted.
    began: Option<Instant>,
}

impl Tally {
    /// Counts a call.
    pub(super) fn count(&mut self, day: i64, endpoint: Endpoint, credits: i64) {
        self.add(day, endpoint.path(), 1, credits);
    }

    fn add(&mut self, day: i64, endpoint: &'static str, calls: i64, credits: i64) {
        self.began.get_or_insert_with(Instant::now);
        let count = self.counts.entry((day, endpoint)).or_default();
        count.0 += calls;
        count.1 += credits;
    }

    /// What is to be written, if it is time, or `now`.
    pub(super) fn take(&mut self, now: bool) -> Vec<EndpointUsage<&'static str>> {
        let due = |began: Instant| now || began.elapsed() >= WRITTEN_AFTER;
        if !self.began.is_some_and(due) {
            return Vec::new();
        }
        self.began = None;
        let counts = std::mem::take(&mut self.counts).into_iter();
        counts
            .map(|((day, endpoint), (calls, credits))| EndpointUsage {
                day,
                endpoint,
                calls,
                credits,
            })
            .collect()
    }

    /// Counts what could not be written.
    pub(super) fn put_back(&mut self, rows: &[EndpointUsage<&'static str>]) {
        for row in rows {
            self.add(row.day, row.endpoint, row.calls, row.credits);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{Endpoint, Tally};

    #[test]
    fn calls_are_added_up_by_day_and_endpoint_and_taken_once() {
        let mut tally = Tally::default();
        for (day, endpoint, credits) in [
            (1, Endpoint::Cards, 2),
            (1, Endpoint::ParseTitle, 1),
            (2, Endpoint::Cards, 4),
            (1, Endpoint::Cards, 3),
        ] {
            tally.count(day, endpoint, credits);
        }
        assert!(tally.take(false).is_empty(), "it is not time yet");
        let rows = tally.take(true);
        let found: Vec<_> = rows
            .iter()
            .map(|row| (row.day, row.endpoint, row.calls, row.credits))
            .collect();
        let wanted = [
            (1, "/api/v2/cards", 2, 5),
            (1, "/api/v2/parse-title", 1, 1),
            (2, "/api/v2/cards", 1, 4),
        ];
        assert_eq!(found, wanted);
        assert!(tally.is_empty() && tally.take(true).is_empty());
        tally.put_back(&rows);
        assert_eq!(tally.take(true), rows);
    }
}
