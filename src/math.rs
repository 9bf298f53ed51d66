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

/// Log-odds → probability.
pub(crate) fn squash(x: f32) -> f64 {
    1.0 / (1.0 + libm::exp(-f64::from(x)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
