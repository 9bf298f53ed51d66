//! [`Options`]: the caller's options, and the limit of a title.

/// Titles longer than this are not read: no marketplace allows a tenth of it.
pub const MAX_TITLE_BYTES: usize = 4096;

/// Options for reading a title.
///
/// ```
/// let options = titledex::Options::new().max_suggestions(3).fuzzy(false);
/// assert!(options.confidence && options.max_suggestions == 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The most matches that are returned.
    pub max_suggestions: usize,
    /// Look for misspelt names if no name is read.
    pub fuzzy: bool,
    /// Give probabilities; else they are 0.
    pub confidence: bool,
}

impl Options {
    /// Five matches, misspelt names and probabilities.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            max_suggestions: 5,
            fuzzy: true,
            confidence: true,
        }
    }

    /// Sets the most matches that are returned.
    #[must_use]
    pub const fn max_suggestions(mut self, most: usize) -> Self {
        self.max_suggestions = most;
        self
    }

    /// Sets whether to look for misspelt names if no name is read.
    #[must_use]
    pub const fn fuzzy(mut self, fuzzy: bool) -> Self {
        self.fuzzy = fuzzy;
        self
    }

    /// Sets whether to give probabilities.
    #[must_use]
    pub const fn confidence(mut self, confidence: bool) -> Self {
        self.confidence = confidence;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}
