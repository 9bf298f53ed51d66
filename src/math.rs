//! Logarithms and exponentials that are the same on every platform: those of the system differ in
//! the last digit, and a last digit decides ties.

/// Information, in nats, of agreeing on a value that `count` of `of` have.
// it is called from many places, once for each title: a copy of the logarithm in each would have to be
// fetched from memory
#[inline(never)]
pub(crate) fn information(of: f32, count: u32) -> f32 {
    libm::logf(of / count.max(1) as f32)
}

/// Natural logarithm.
pub(crate) fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Exponential.
pub(crate) fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Exponential of what is at most 0, to five digits and in lanes: for terms so small that their sum
/// adds nothing to the seventh digit.
///
/// 2 to the whole part goes into the exponent, 2 to the rest is a polynomial (Taylor, fifth
/// degree). Sums and products only, so it is the same on every platform.
pub(crate) fn tiny_exp(x: f32) -> f32 {
    // of a number that is added to it, a small one keeps its whole part, in the lowest bits
    const WHOLE: f32 = 1.5 * (1 << (f32::MANTISSA_DIGITS - 1)) as f32;
    let least = if x < -80.0 { -80.0 } else { x };
    let scaled = least * std::f32::consts::LOG2_E;
    let shifted = scaled + WHOLE;
    let rest = (scaled - (shifted - WHOLE)) * std::f32::consts::LN_2;
    let power = 1.0
        + rest
            * (1.0
                + rest
                    * (1.0 / 2.0
                        + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest * (1.0 / 120.0)))));
    let one = 1f32.to_bits();
    power * f32::from_bits((shifted.to_bits() << (f32::MANTISSA_DIGITS - 1)).wrapping_add(one))
}

/// A decimal number of at most seven digits, as `f32::from_str` reads it: `9.5`, `-0.742`.
///
/// That function brings ten kilobytes of powers of five into a browser's module. Two numbers that a
/// float has exactly, of which one is divided by the other, give the float nearest to the decimal.
pub(crate) fn decimal(text: &str) -> Option<f32> {
    const MOST_DIGITS: usize = 7;
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, part) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    if !(1..=MOST_DIGITS).contains(&(whole.len() + part.len())) {
        return None;
    }
    let (mut digits, mut power) = (0u32, 1u32);
    for byte in whole.bytes().chain(part.bytes()) {
        digits = 10 * digits + char::from(byte).to_digit(10)?;
    }
    for _ in part.bytes() {
        power *= 10;
    }
    let value = digits as f32 / power as f32;
    Some(if negative { -value } else { value })
}

/// Log-odds → probability.
pub(crate) fn squash(x: f32) -> f64 {
    1.0 / (1.0 + libm::exp(-f64::from(x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_those_of_the_standard_library() {
        for number in (0..10_000_000u32).step_by(37) {
            let places = number as usize % 8;
            let digits = format!("{number:0places$}");
            let (whole, part) = digits.split_at(digits.len() - places.min(digits.len()));
            for text in [format!("{whole}.{part}"), format!("-{whole}.{part}")] {
                assert_eq!(decimal(&text), text.parse().ok(), "{text}");
            }
        }
        for text in ["10", "0", ".5", "5.", "-3"] {
            assert_eq!(decimal(text), text.parse().ok(), "{text}");
        }
        for text in [
            "", ".", "-", "--1", "1.2.3", "+1", "1e3", "inf", "NaN", " 1", "12345678", "é",
        ] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn quick_exponential_has_five_digits() {
        for step in 0..7000 {
            let x = -f64::from(step) / 10.0;
            let (tiny, right) = (f64::from(tiny_exp(x as f32)), exp(x.max(-80.0)));
            assert!(
                (tiny - right).abs() <= right * 1e-5,
                "{x}: {tiny} for {right}"
            );
        }
    }
}
