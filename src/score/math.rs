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

/// Log-odds → probability.
pub(crate) fn squash(x: f32) -> f64 {
    1.0 / (1.0 + libm::exp(-f64::from(x)))
}
