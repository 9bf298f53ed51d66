//! Who drew a card. The names are the catalogue's; they are asked for with the words of products ([`super::product::ask`]) and written as
//! those are ([`super::product::write_words`]).

/// How sure an illustrator's name is.
pub(crate) const QUALITY: f32 = 1.0;
