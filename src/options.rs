//! [`Options`]: what a caller may choose, and the limit of a title.

/// Titles longer than this are not read: no marketplace allows a tenth of it.
pub const MAX_TITLE_BYTES: usize = 4096;

/// What a caller may choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// At most so many matches.
    pub max_suggestions: usize,
    /// Look for misspelt names where no name is read.
    pub fuzzy: bool,
    /// Give probabilities; else they are 0.
    pub confidence: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_suggestions: 5,
            fuzzy: true,
            confidence: true,
        }
    }
}
