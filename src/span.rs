//! [`Span`]: a range of bytes of the title as given.

use serde::{Deserialize, Serialize};

/// A half-open byte range into the title as given.
///
/// Both ends are on character boundaries of the title. Normalising never moves a span: it records
/// the origin of each byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from `start` to `end`, both byte offsets.
    #[must_use]
    pub fn new(start: u32, end: u32) -> Self {
        debug_assert!(start <= end);
        Self { start, end }
    }

    /// The text under the span; empty if the span does not fit `title` (it was made for another
    /// one).
    #[must_use]
    pub fn text<'t>(&self, title: &'t str) -> &'t str {
        title
            .get(self.start as usize..self.end as usize)
            .unwrap_or("")
    }

    /// Whether the two spans share a byte.
    #[must_use]
    pub fn overlaps(&self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }
}
