//! [`Rate`]: the value of a unit of a currency in US dollars, exactly as it was imported.

use super::money::{DecimalError, Money, decimal, divide};
use std::fmt;
use std::str::FromStr;

/// Parts of a dollar that a rate counts.
pub const UNIT: i64 = 10_000_000_000;
/// Decimals that are read.
const DECIMALS: usize = 10;
/// The largest rate that is read: no unit of a currency is worth a thousandth of it.
const MOST: i64 = 10_000 * UNIT;
/// A rate holds for its day and this many days after it, or until the next one, because weekends
/// and holidays have no rates.
pub const HOLDS: i64 = 7;

/// The value of a unit of a currency, in parts of a US dollar. It is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(pub i64);

impl Rate {
    /// The rate of the dollar itself.
    pub const DOLLAR: Self = Self(UNIT);

    /// An amount of the currency in dollars, rounded half away from zero to ten-thousandths.
    #[must_use]
    pub fn of(self, amount: Money) -> Money {
        Money(divide(
            i128::from(amount.0) * i128::from(self.0),
            i128::from(UNIT),
        ))
    }
}

/// Why a text is not a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateError {
    /// It is not digits with at most one point.
    Form,
    /// It has more than ten decimals.
    Decimals,
    /// It is zero, or larger than any rate.
    Size,
}

impl fmt::Display for RateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Form => "is not a rate: write the dollars that a unit is worth, digits with a point before the decimals, as 1.0834",
            Self::Decimals => "has more than ten decimals: round it",
            Self::Size => "is zero or above 10,000: write the dollars that a unit of the currency is worth",
        })
    }
}

impl std::error::Error for RateError {}

impl FromStr for Rate {
    type Err = RateError;

    /// `1.0834`, `0.0067`, `.0067`.
    fn from_str(text: &str) -> Result<Self, RateError> {
        let rate = decimal(text.as_bytes(), DECIMALS, MOST).map_err(|wrong| match wrong {
            DecimalError::Form => RateError::Form,
            DecimalError::Decimals => RateError::Decimals,
            DecimalError::Size => RateError::Size,
        })?;
        if rate == 0 {
            Err(RateError::Size)
        } else {
            Ok(Self(rate))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Money, Rate, RateError};
    use proptest::prelude::*;

    fn rate(text: &str) -> Rate {
        text.parse().expect("it is a rate")
    }

    #[test]
    fn amounts_are_converted_exactly() {
        // 12,345 yen at 0.0067 dollars are 82.7115; at 0.00673321, 83.12147745
        assert_eq!(rate("0.0067").of(Money(123_450_000)), Money(827_115));
        assert_eq!(rate("0.00673321").of(Money(123_450_000)), Money(831_215));
        assert_eq!(rate("1.08345").of(Money(100_000)), Money(108_345));
        assert_eq!(Rate::DOLLAR.of(Money(7)), Money(7));
    }

    #[test]
    fn invalid_rate_is_explained() {
        assert_eq!(rate("1.50"), rate("1.5"));
        assert_eq!(rate(".0067000000000"), rate("0.0067"));
        for text in ["", ".", "1,5", "-1", "+1", "1e3", "1.2.3", "１"] {
            assert_eq!(text.parse::<Rate>(), Err(RateError::Form), "{text}");
        }
        assert_eq!("0.00000000001".parse::<Rate>(), Err(RateError::Decimals));
        for text in ["0", "0.0", "10000.1", "99999999999999999999999"] {
            assert_eq!(text.parse::<Rate>(), Err(RateError::Size), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_positive_rate_or_an_error(text in "[0-9.]{0,30}|.{0,20}", amount in 0..=1_000_000_000_000_000_i64) {
            if let Ok(rate) = text.parse::<Rate>() {
                prop_assert!(rate.0 > 0 && rate.of(Money(amount)).0 >= 0);
            }
        }
    }
}
