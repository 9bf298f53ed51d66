//! [`Clock`]: the time, with its UTC day and minute. Tests set a clock of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

const MILLIS_A_SECOND: i64 = 1_000;
const MILLIS_A_MINUTE: i64 = 60 * MILLIS_A_SECOND;
/// Milliseconds in a day.
pub(crate) const MILLIS_A_DAY: i64 = 24 * 60 * MILLIS_A_MINUTE;

/// A moment: milliseconds since 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

impl Moment {
    /// The moment this many milliseconds after the beginning of 1970.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub fn millis(self) -> i64 {
        self.0
    }

    /// Days since 1970.
    #[must_use]
    pub fn day(self) -> i64 {
        self.0.div_euclid(MILLIS_A_DAY)
    }

    /// Minutes since 1970.
    #[must_use]
    pub fn minute(self) -> i64 {
        self.0.div_euclid(MILLIS_A_MINUTE)
    }

    /// The millisecond, since 1970, in which this UTC day began.
    #[must_use]
    pub fn day_began(self) -> i64 {
        self.day() * MILLIS_A_DAY
    }

    /// The second, since 1970, in which the next UTC day begins.
    #[must_use]
    pub fn next_day(self) -> i64 {
        (self.day() + 1) * (MILLIS_A_DAY / MILLIS_A_SECOND)
    }

    /// The second, since 1970, in which the next minute begins.
    #[must_use]
    pub fn next_minute(self) -> i64 {
        (self.minute() + 1) * (MILLIS_A_MINUTE / MILLIS_A_SECOND)
    }

    /// Whole seconds until `second`, rounded up and at least one, for `Retry-After`.
    #[must_use]
    pub fn seconds_until(self, second: i64) -> i64 {
        (second - self.0.div_euclid(MILLIS_A_SECOND)).max(1)
    }
}

/// The source of the time.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The system clock.
    #[default]
    System,
    /// A clock that stands still until it is set.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands still at `moment`.
    #[must_use]
    pub fn standing(moment: Moment) -> Self {
        Self::Set(Arc::new(AtomicI64::new(moment.0)))
    }

    /// Sets a clock that stands still. The system clock ignores it.
    pub fn set(&self, moment: Moment) {
        if let Self::Set(millis) = self {
            millis.store(moment.0, Ordering::SeqCst);
        }
    }

    /// The current time.
    #[must_use]
    pub fn now(&self) -> Moment {
        match self {
            Self::System => {
                let since = SystemTime::now()
                    .duration_since(UNIX_EPOCH)
                    .unwrap_or_default();
                Moment(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
            }
            Self::Set(millis) => Moment(millis.load(Ordering::SeqCst)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Moment;

    #[test]
    fn day_ends_at_midnight_utc() {
        let late = Moment::from_millis(86_400_000 - 1);
        assert_eq!(
            (
                late.day(),
                late.minute(),
                late.next_day(),
                late.next_minute()
            ),
            (0, 1439, 86_400, 86_400)
        );
        assert_eq!(late.seconds_until(late.next_day()), 1);
        assert_eq!(Moment::from_millis(86_400_000).day(), 1);
        assert_eq!(Moment::from_millis(0).seconds_until(86_400), 86_400);
    }
}
