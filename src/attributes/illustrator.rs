//! The illustrator of a card. The names are the catalogue's. They become clues together with the
//! words of products ([`super::product::ask`]) and are written as those are
//! ([`super::product::write_words`]).

use super::hit::Hit;
use crate::reading::context::Context;

/// Confidence in an illustrator's name.
const QUALITY: f32 = 1.0;
/// In a name of one word, which mostly means something else: `dorada`, `Black`.
const ONE_WORD: f32 = 0.5;

/// Confidence that words are an illustrator's name.
pub(crate) fn quality(context: &Context<'_>, hit: &Hit) -> f32 {
    let (at, end) = (hit.at as usize, hit.end as usize);
    let one = context.line.token_at(at) == context.line.token_at(end.saturating_sub(1));
    if one && context.line.text(at, end).is_ascii() {
        ONE_WORD
    } else {
        QUALITY
    }
}
