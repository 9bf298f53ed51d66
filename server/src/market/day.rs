//! [`Day`]: a UTC day, counted from 1970.

use crate::clock::MILLIS_A_DAY;
use jiff::Span;
use jiff::civil::{Date, Time, date};
use serde::{Serialize, Serializer};
use std::fmt;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{KnownFormat, RefOr, SchemaFormat};
use utoipa::{PartialSchema, ToSchema};

const EPOCH: Date = date(1970, 1, 1);

/// A UTC day, counted from 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i64);

impl Day {
    /// The day of a moment in milliseconds since 1970.
    #[must_use]
    pub fn of_millis(millis: i64) -> Self {
        Self(millis.div_euclid(MILLIS_A_DAY))
    }

    /// Year, month and day of the month. Days outside the years -9999 to 9999 count as the nearest
    /// one inside.
    #[must_use]
    pub fn civil(self) -> (i64, i64, i64) {
        let nearest = if self.0 < 0 { Date::MIN } else { Date::MAX };
        let days = Span::new().try_days(self.0);
        let date = days.and_then(|days| EPOCH.checked_add(days));
        let date = date.unwrap_or(nearest);
        (date.year().into(), date.month().into(), date.day().into())
    }

    /// The day that ISO 8601 text states: `2026-11-20`, or a moment of it in UTC,
    /// `2026-11-20T06:00:00Z`. Years from 1970 to 9999.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        moment(text).map(Self::of_millis)
    }
}

/// The milliseconds since 1970 of an ISO 8601 day or moment in UTC.
///
/// `jiff` would also take other offsets and forms, which files of rows must not have. So the text
/// is taken apart here, and `jiff` says which days there are.
#[must_use]
pub fn moment(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| {
        let digits = bytes
            .get(from..to)
            .filter(|digits| digits.iter().all(u8::is_ascii_digit))?;
        Some(
            digits
                .iter()
                .fold(0_i16, |sum, digit| sum * 10 + i16::from(digit - b'0')),
        )
    };
    let two = |from: usize| number(from, from + 2).and_then(|number| i8::try_from(number).ok());
    let is = |at: usize, byte: u8| bytes.get(at).is_some_and(|found| *found == byte);
    let year = number(0, 4).filter(|year| *year >= 1970)?;
    let date = Date::new(year, two(5)?, two(8)?).ok()?;
    if !(is(4, b'-') && is(7, b'-')) {
        return None;
    }
    let days = EPOCH.until(date).ok()?.get_days();
    let began = i64::from(days) * MILLIS_A_DAY;
    if bytes.len() == 10 {
        return Some(began);
    }
    let (hour, minute) = (two(11)?, two(14)?);
    if !((is(10, b'T') || is(10, b' ')) && is(13, b':')) {
        return None;
    }
    let (mut second, mut millis, mut at) = (0, 0, 16);
    if is(16, b':') {
        second = two(17)?;
        at = 19;
        if is(19, b'.') {
            let decimals = bytes
                .get(20..)?
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            if decimals == 0 {
                return None;
            }
            // further decimals are cut off
            millis = bytes[20..20 + decimals.min(3)]
                .iter()
                .fold((0, 100), |(sum, by), digit| {
                    (sum + i64::from(digit - b'0') * by, by / 10)
                })
                .0;
            at = 20 + decimals;
        }
    }
    let time = Time::new(hour, minute, second, 0).ok()?;
    let [hour, minute, second] = [time.hour(), time.minute(), time.second()].map(i64::from);
    matches!(bytes.get(at..), Some(b"" | b"Z" | b"+00:00" | b"+00"))
        .then_some(began + ((hour * 60 + minute) * 60 + second) * 1_000 + millis)
}

/// A moment in milliseconds since 1970 as ISO 8601 in UTC, to the second: `2026-11-20T06:00:00Z`.
#[must_use]
pub fn iso(millis: i64) -> String {
    let of_day = millis.rem_euclid(MILLIS_A_DAY) / 1_000;
    format!(
        "{}T{:02}:{:02}:{:02}Z",
        Day::of_millis(millis),
        of_day / 3_600,
        of_day / 60 % 60,
        of_day % 60
    )
}

/// ISO 8601: `2026-11-20`.
impl fmt::Display for Day {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(out, "{year:04}-{month:02}-{day:02}")
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl PartialSchema for Day {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Date)))
            .build()
            .into()
    }
}

impl ToSchema for Day {}

#[cfg(test)]
mod tests {
    use super::{Day, iso, moment};
    use proptest::prelude::*;

    #[test]
    fn iso_days_and_moments_are_parsed() {
        assert_eq!(Day::parse("1970-01-01"), Some(Day(0)));
        assert_eq!(Day::parse("2024-02-29"), Some(Day(19_782)));
        assert_eq!(
            moment("2024-10-04T05:06:07Z"),
            Some(20_000 * 86_400_000 + (5 * 3600 + 6 * 60 + 7) * 1000)
        );
        assert_eq!(moment("1970-01-01 00:00"), Some(0));
        // later than the last timestamp of jiff
        assert_eq!(
            moment("9999-12-31T23:59:59.999Z"),
            Some(253_402_300_799_999)
        );
        assert_eq!(iso(253_402_300_799_999), "9999-12-31T23:59:59Z");
        assert_eq!(moment("1970-01-01T00:00:01.25+00:00"), Some(1_250));
        for wrong in [
            "",
            "2023-02-29",
            "2024-13-01",
            "2024-1-1",
            "1969-12-31",
            "2024-10-04T25:00Z",
            "2024-10-04T05:06:07+02:00",
            "04/10/2024",
            "2024-10-04T",
            "2024-10-04T05:06:07.Z",
        ] {
            assert_eq!(moment(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn days_and_moments_are_formatted() {
        assert_eq!(Day(0).to_string(), "1970-01-01");
        assert_eq!(Day(19_782).to_string(), "2024-02-29");
        assert_eq!(Day(20_514).to_string(), "2026-03-02");
        assert_eq!(iso(1_709_251_199_999), "2024-02-29T23:59:59Z");
    }

    proptest! {
        #[test]
        fn written_text_round_trips(second in 0..250_000_000_000_i64) {
            let (millis, day) = (second * 1_000, Day::of_millis(second * 1_000));
            prop_assert_eq!(moment(&iso(millis)), Some(millis));
            prop_assert_eq!(Day::parse(&day.to_string()), Some(day));
        }

        #[test]
        fn any_text_parses_without_panic(text in ".{0,40}") {
            let _ = moment(&text);
        }
    }
}
