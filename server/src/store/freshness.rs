//! [`Freshness`]: how fresh the market is.

/// How fresh the market is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freshness {
    /// When the newest headline price was taken, in milliseconds since 1970.
    pub newest_price: Option<i64>,
    /// When the oldest of the export files was made.
    pub oldest_export: Option<i64>,
    /// How many listings wait for a person.
    pub review: i64,
}
