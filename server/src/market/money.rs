//! [`Money`]: an amount in ten-thousandths of its currency's unit. It is read and written as
//! decimal text, without floats.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::fmt;
use std::str::FromStr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{KnownFormat, RefOr, SchemaFormat};
use utoipa::{PartialSchema, ToSchema};

/// Ten-thousandths in a unit.
pub const UNIT: i64 = 10_000;
/// Decimals that are read.
const DECIMALS: usize = 4;
/// The largest amount that is read: a hundred thousand million units. Sums of millions of them fit
/// 64 bits.
const MOST: i64 = 100_000_000_000 * UNIT;

/// An amount in ten-thousandths of its currency's unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(pub i64);

/// Why a text is not an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoneyError {
    /// It is not digits with at most one point.
    Form,
    /// It has more than four decimals.
    Decimals,
    /// It is below zero.
    Negative,
    /// It is larger than any price.
    TooLarge,
}

impl fmt::Display for MoneyError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Form => {
                "is not an amount: write digits with a point before the decimals, as 12.50"
            }
            Self::Decimals => "has more than four decimals: round it",
            Self::Negative => "is below zero: leave it empty where no price is known",
            Self::TooLarge => "is larger than 100,000,000,000: check it",
        })
    }
}

impl std::error::Error for MoneyError {}

impl FromStr for Money {
    type Err = MoneyError;

    fn from_str(text: &str) -> Result<Self, MoneyError> {
        Self::parse(text.as_bytes())
    }
}

/// Why a text is not a decimal number within the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecimalError {
    /// It is not digits with at most one point.
    Form,
    /// It has more decimals.
    Decimals,
    /// It is above the largest.
    Size,
}

/// Reads decimal text in units of its last of `places` decimals, at most `most`. Further zeros are
/// ignored.
pub(super) fn decimal(text: &[u8], places: usize, most: i64) -> Result<i64, DecimalError> {
    let point = text.iter().position(|byte| *byte == b'.');
    let (whole, decimals) = point.map_or((text, &[][..]), |at| (&text[..at], &text[at + 1..]));
    if whole.is_empty() && decimals.is_empty()
        || !whole.iter().chain(decimals).all(u8::is_ascii_digit)
    {
        return Err(DecimalError::Form);
    }
    if decimals
        .get(places..)
        .is_some_and(|rest| rest.iter().any(|digit| *digit != b'0'))
    {
        return Err(DecimalError::Decimals);
    }
    let mut number: i64 = 0;
    for digit in whole
        .iter()
        .chain(decimals.iter().chain(std::iter::repeat(&b'0')).take(places))
    {
        // ten times the largest and one digit more fit 64 bits
        number = number * 10 + i64::from(digit - b'0');
        if number > most {
            return Err(DecimalError::Size);
        }
    }
    Ok(number)
}

impl Money {
    /// Reads an amount from decimal text: `12`, `12.5`, `0.05`, `.5`.
    ///
    /// # Errors
    /// If it is not an amount, or cannot be kept exactly.
    pub fn parse(text: &[u8]) -> Result<Self, MoneyError> {
        let size = text.strip_prefix(b"-");
        let amount =
            decimal(size.unwrap_or(text), DECIMALS, MOST).map_err(|wrong| match wrong {
                DecimalError::Form => MoneyError::Form,
                DecimalError::Decimals => MoneyError::Decimals,
                DecimalError::Size => MoneyError::TooLarge,
            })?;
        match size {
            Some(_) => Err(MoneyError::Negative),
            None => Ok(Self(amount)),
        }
    }

    /// Writes it as decimal text, without trailing zeros.
    pub fn write(self, out: &mut Vec<u8>) {
        let size = self.0.unsigned_abs();
        if self.0 < 0 {
            out.push(b'-');
        }
        write_whole(size / UNIT.unsigned_abs(), out);
        let mut rest = size % UNIT.unsigned_abs();
        if rest != 0 {
            out.push(b'.');
            let mut place = UNIT.unsigned_abs() / 10;
            while rest != 0 {
                out.push(b'0' + (rest / place) as u8);
                rest %= place;
                place /= 10;
            }
        }
    }

    /// The fraction `part / whole` of it, rounded half away from zero.
    #[must_use]
    pub fn scaled(self, part: i64, whole: i64) -> Self {
        Self(divide(
            i128::from(self.0) * i128::from(part),
            i128::from(whole),
        ))
    }
}

/// Writes a whole number.
pub(crate) fn write_whole(mut number: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// A quotient, rounded half away from zero. It is 0 if the divisor is.
#[must_use]
pub fn divide(of: i128, by: i128) -> i64 {
    if by == 0 {
        return 0;
    }
    let (size, by_size) = (of.unsigned_abs(), by.unsigned_abs());
    let rounded = i64::try_from((size + by_size / 2) / by_size).unwrap_or(i64::MAX);
    if (of < 0) == (by < 0) {
        rounded
    } else {
        -rounded
    }
}

impl fmt::Display for Money {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::with_capacity(24);
        self.write(&mut text);
        // digits, a point and a sign
        out.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

/// A JSON number, written from the integer.
impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.to_string())
            .map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    }
}

/// From a JSON number or a text with one.
impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = raw.get();
        let text = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'))
            .unwrap_or(text);
        text.parse()
            .map_err(|error| serde::de::Error::custom(format_args!("{text} {error}")))
    }
}

impl PartialSchema for Money {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new()
            .schema_type(Type::Number)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Double)));
        number
            .description(Some("An amount with at most four decimals."))
            .build()
            .into()
    }
}

impl ToSchema for Money {}

#[cfg(test)]
mod tests {
    use super::{Money, MoneyError, divide};
    use proptest::prelude::*;

    #[test]
    fn decimal_text_is_kept_exactly() {
        for (text, amount) in [
            ("0", 0),
            ("12", 120_000),
            ("12.5", 125_000),
            ("0.05", 500),
            (".5", 5_000),
            ("7.", 70_000),
            ("1.00010", 10_001),
            ("007", 70_000),
        ] {
            assert_eq!(text.parse(), Ok(Money(amount)), "{text}");
        }
        assert_eq!("100000000000".parse(), Ok(Money(1_000_000_000_000_000)));
    }

    #[test]
    fn invalid_amount_is_explained() {
        for text in [
            "", ".", "1,5", "1 000", "$5", "1.2.3", "1e3", "NaN", "+1", "１",
        ] {
            assert_eq!(text.parse::<Money>(), Err(MoneyError::Form), "{text}");
        }
        assert_eq!("1.00001".parse::<Money>(), Err(MoneyError::Decimals));
        assert_eq!("-1".parse::<Money>(), Err(MoneyError::Negative));
        assert_eq!("--1".parse::<Money>(), Err(MoneyError::Form));
        for text in ["100000000000.0001", "99999999999999999999999999999999"] {
            assert_eq!(text.parse::<Money>(), Err(MoneyError::TooLarge), "{text}");
        }
    }

    /// A row may have a cell of a mebibyte.
    #[test]
    fn long_text_needs_no_deeper_stack() {
        let dashes = "-".repeat(1 << 20);
        assert_eq!(dashes.parse::<Money>(), Err(MoneyError::Form));
        assert!(serde_json::from_str::<Money>(&format!("\"{dashes}1\"")).is_err());
    }

    #[test]
    fn amounts_are_json_numbers() {
        let text = serde_json::to_string(&[
            Money(125_000),
            Money(500),
            Money(0),
            Money(10_001),
            Money(-5),
        ])
        .expect("it is JSON");
        assert_eq!(text, "[12.5,0.05,0,1.0001,-0.0005]");
        assert_eq!(
            serde_json::from_str::<Vec<Money>>("[12.50,\"0.05\",0]").ok(),
            Some(vec![Money(125_000), Money(500), Money(0)])
        );
        assert!(serde_json::from_str::<Money>("1e3").is_err());
    }

    #[test]
    fn quotients_are_rounded_half_away_from_zero() {
        assert_eq!(
            [
                divide(5, 2),
                divide(-5, 2),
                divide(4, 3),
                divide(5, 3),
                divide(1, 0)
            ],
            [3, -3, 1, 2, 0]
        );
    }

    proptest! {
        #[test]
        fn written_text_round_trips(amount in 0..=1_000_000_000_000_000_i64) {
            prop_assert_eq!(Money(amount).to_string().parse(), Ok(Money(amount)));
        }

        #[test]
        fn any_bytes_parse_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = Money::parse(&bytes);
        }
    }
}
