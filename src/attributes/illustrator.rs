//! The illustrator of a card. The names are the catalogue's. They become clues together with the
//! words of products ([`super::product::ask`]) and are written as those are
//! ([`super::product::write_words`]).

/// Confidence in an illustrator's name.
pub(crate) const QUALITY: f32 = 1.0;
