//! Logarithms and exponentials that are the same on every platform: those of the system differ in the last digit, and a last digit decides ties.

/// Information, in nats, of agreeing on a value that `count` of `of` have.
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

/// Exponential of what is at most 0, to seven digits: for terms of a sum that are far below its last digit that is shown.
///
/// 2 to the whole part goes into the exponent, 2 to the rest is a polynomial (Taylor, seventh degree). Sums and products only, so it is the
/// same on every platform.
pub(crate) fn small_exp(x: f64) -> f64 {
    let scaled = x.max(-700.0) * std::f64::consts::LOG2_E;
    let whole = (scaled - 0.5) as i64;
    let rest = (scaled - whole as f64) * std::f64::consts::LN_2;
    let power = 1.0
        + rest
            * (1.0
                + rest
                    * (1.0 / 2.0 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest * (1.0 / 720.0 + rest / 5040.0))))));
    power * f64::from_bits(((whole + 1023) as u64) << 52)
}

/// As [`small_exp`], to five digits and in lanes: for terms so small that their sum adds nothing to the seventh digit.
pub(crate) fn tiny_exp(x: f32) -> f32 {
    let scaled = x.max(-80.0) * std::f32::consts::LOG2_E;
    let whole = (scaled - 0.5) as i32;
    let rest = (scaled - whole as f32) * std::f32::consts::LN_2;
    let power = 1.0 + rest * (1.0 + rest * (1.0 / 2.0 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest / 120.0))));
    power * f32::from_bits(((whole + 127) as u32) << 23)
}

/// Log-odds → probability.
pub(crate) fn squash(x: f32) -> f64 {
    1.0 / (1.0 + libm::exp(-f64::from(x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_exponentials_have_their_digits() {
        for step in 0..7000 {
            let x = -f64::from(step) / 10.0;
            let (small, right) = (small_exp(x), exp(x));
            assert!((small - right).abs() <= right * 1e-7, "{x}: {small} for {right}");
            let (tiny, shown) = (f64::from(tiny_exp(x as f32)), exp(x.max(-80.0)));
            assert!((tiny - shown).abs() <= shown * 1e-5, "{x}: {tiny} for {shown}");
        }
    }
}
