//! [`Class`]: scripts and kinds of characters.

/// The class that the characters of a token share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Latin letters (folded).
    Latin,
    /// Digits, with a point or comma between digits.
    Digit,
    /// Hiragana, folded to katakana.
    Hiragana,
    /// Katakana.
    Katakana,
    /// Chinese characters.
    Han,
    /// Korean syllables.
    Hangul,
    /// Letters of other scripts.
    Other,
    /// One of the marks that occur in names and numbers: `& + / # ☆ ★ ◇ ♀ ♂ ½ †`.
    Mark,
}

impl Class {
    /// Scripts that are written without spaces: a name may begin and end at any character.
    #[must_use]
    #[inline]
    pub fn unspaced(self) -> bool {
        matches!(
            self,
            Class::Hiragana | Class::Katakana | Class::Han | Class::Hangul | Class::Other
        )
    }
}
