//! Runs the program `titledex-lab`.

mod catalogue;
mod corpus;
#[cfg(feature = "market")]
mod market;
mod support;
mod usage;
