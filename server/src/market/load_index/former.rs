//! Ids that cards and items had before they were merged into others.

use super::LoadIndex;
use std::borrow::Cow;

impl LoadIndex {
    /// The present own id of a printing, and whether it, or its card, was merged into another.
    #[must_use]
    pub fn present<'i>(&self, id: &'i str) -> (Cow<'i, str>, bool) {
        if let Some(now) = self.former.get(id) {
            return (Cow::Owned(now.clone()), true);
        }
        let card = id.rsplit_once(':');
        let now = card.and_then(|(card, printing)| Some((self.former.get(card)?, printing)));
        match now {
            Some((card, printing)) => (Cow::Owned(format!("{card}:{printing}")), true),
            None => (Cow::Borrowed(id), false),
        }
    }

    /// Whether the card of this id was merged into another.
    #[must_use]
    pub fn is_former(&self, card: &str) -> bool {
        self.former.contains_key(card)
    }
}
