//! [`Number`]: a whole number of the settings file, whose range is checked where its name is known.

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The most that is counted of anything at once: more than a computer has room for.
pub(crate) const MANY: i64 = 1 << 30;
/// Seconds of a day, the longest time that is waited for anything.
pub(crate) const DAY: i64 = 86_400;

/// A whole number of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(i64);

impl Number {
    /// The number, if it lies in the range.
    ///
    /// # Errors
    /// A sentence that names the setting and the range.
    pub(crate) fn within(self, name: &str, range: RangeInclusive<i64>) -> Result<i64, String> {
        let Self(number) = self;
        if range.contains(&number) {
            return Ok(number);
        }
        let (least, most) = range.into_inner();
        Err(format!(
            "{name} is {number}: write a number from {least} to {most}"
        ))
    }
}

/// Puts a number of the file, if it has one, in the place of the default.
///
/// # Errors
/// As [`Number::within`].
pub(crate) fn set<T: TryFrom<i64>>(
    place: &mut T,
    read: Option<Number>,
    name: &str,
    range: RangeInclusive<i64>,
) -> Result<(), String> {
    if let Some(read) = read {
        let number = read.within(name, range)?;
        // a range lies within its type
        *place =
            T::try_from(number).map_err(|_| format!("{name} is {number}: write a smaller one"))?;
    }
    Ok(())
}

/// As [`set`], of a time in seconds, from one to `most`.
///
/// # Errors
/// As [`Number::within`].
pub(crate) fn set_time(
    place: &mut Duration,
    read: Option<Number>,
    name: &str,
    most: i64,
) -> Result<(), String> {
    let mut seconds = place.as_secs();
    set(&mut seconds, read, name, 1..=most)?;
    *place = Duration::from_secs(seconds);
    Ok(())
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Whole;
        impl Visitor<'_> for Whole {
            type Value = Number;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a whole number")
            }

            fn visit_i64<E>(self, number: i64) -> Result<Number, E> {
                Ok(Number(number))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Number, E> {
                let too_large = |_| E::invalid_value(Unexpected::Unsigned(number), &self);
                i64::try_from(number).map(Number).map_err(too_large)
            }
        }
        from.deserialize_i64(Whole)
    }
}

/// A number or `"unlimited"`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound {
    Number(Number),
    Unlimited,
}

impl Bound {
    /// The number, from 0 to `most`, or `None` for any.
    ///
    /// # Errors
    /// As [`Number::within`].
    pub(crate) fn within(self, name: &str, most: i64) -> Result<Option<u64>, String> {
        match self {
            Self::Unlimited => Ok(None),
            Self::Number(number) => {
                let mut within = 0;
                set(&mut within, Some(number), name, 0..=most)?;
                Ok(Some(within))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct NumberOrWord;
        impl Visitor<'_> for NumberOrWord {
            type Value = Bound;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a number, or \"unlimited\"")
            }

            fn visit_i64<E>(self, number: i64) -> Result<Bound, E> {
                Ok(Bound::Number(Number(number)))
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Bound, E> {
                match word {
                    "unlimited" => Ok(Bound::Unlimited),
                    other => Err(E::invalid_value(Unexpected::Str(other), &self)),
                }
            }
        }
        from.deserialize_any(NumberOrWord)
    }
}
