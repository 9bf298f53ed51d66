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
    /// Look for names, sets and words that are misspelt, cut off, or only sound alike. Without it
    /// each is read only as it is spelled, with the misspellings that the dictionaries list; a
    /// collector number may be a digit off in either case.
    pub fuzzy: bool,
    /// Give probabilities; else they are 0.
    pub confidence: bool,
    /// Leave out how the title was read and weighed: [`Parsed::spans`], [`Parsed::alternatives`]
    /// and [`Parsed::unread`], [`Match::printings`] and all evidence are empty. All else is as
    /// without it, in less time.
    ///
    /// [`Parsed::spans`]: crate::Parsed::spans
    /// [`Parsed::alternatives`]: crate::Parsed::alternatives
    /// [`Parsed::unread`]: crate::Parsed::unread
    /// [`Match::printings`]: crate::Match::printings
    pub brief: bool,
}

impl Options {
    /// The most matches that a caller of the command, the service, the browser or Python may ask
    /// for: further ones have no probability worth showing. [`Options::max_suggestions`] itself
    /// takes any number.
    pub const MAX_SUGGESTIONS: usize = 50;

    /// Five matches, misspelt words, probabilities, and all that is known of an answer.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            max_suggestions: 5,
            fuzzy: true,
            confidence: true,
            brief: false,
        }
    }

    /// Sets the most matches that are returned.
    #[must_use]
    pub const fn max_suggestions(mut self, most: usize) -> Self {
        self.max_suggestions = most;
        self
    }

    /// Sets whether to look for misspelt names, sets and words: see [`Options::fuzzy`].
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

    /// Sets whether to leave out how the title was read and weighed: see [`Options::brief`].
    ///
    /// ```
    /// # let engine = titledex::Engine::new(titledex_embedded::catalogue()?);
    /// let brief = titledex::Options::new().brief(true);
    /// let answer = engine.answer("Charizard 4/102 Base Set PSA 9", &brief);
    /// assert_eq!(answer.matches[0].card_id, "base1-4");
    /// assert!(answer.parsed.spans.is_empty() && answer.matches[0].evidence.is_empty());
    /// # Ok::<(), titledex::Error>(())
    /// ```
    #[must_use]
    pub const fn brief(mut self, brief: bool) -> Self {
        self.brief = brief;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}
