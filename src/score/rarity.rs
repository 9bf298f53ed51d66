//! Evidence of the rarity.

use super::features::Feature;
use super::{Scorer, Sink};
use crate::catalogue::format::{CardRecord, NameRecord, card_flag};
use crate::stats::{SetFacts, has_rarity};

/// How much a rarity that sellers call any card speaks against one of another.
pub(crate) const OF_PRAISE: f32 = 0.2;

impl Scorer<'_, '_> {
    /// Evidence of the rarity, which the title states.
    #[inline(always)]
    pub(super) fn rarity(&self, record: &CardRecord, set: SetFacts, sink: &mut impl Sink) {
        let flags = record.flags.get();
        let regional = set.is_regional();
        let has = |number: u8| {
            number != 0
                && has_rarity(&self.query.rarities, number)
                && self.rarity_is_of_game(set, number)
        };
        // the letters of a mark mean that mark alone, where the card's is known
        let exact = regional && self.query.mark != 0 && record.mark != 0;
        let rated = self.is_rated(record);
        if exact && record.mark == self.query.mark {
            sink.add(Feature::RarityAgrees, self.query.mark_idf);
        } else if !exact && (has(record.rarity) || has(record.mark) || rated == Some(true)) {
            sink.add(Feature::RarityAgrees, self.query.rarity_idf);
        } else if (has_rarity(&self.stats.rarities, record.rarity)
            || has_rarity(&self.stats.rarities, record.mark)
            || rated == Some(false))
            && !self.bears_rarity(record)
        {
            // sellers call anything rare or ultra rare
            sink.add(
                Feature::RarityDiffers,
                if self.query.rarity_vague && !exact {
                    OF_PRAISE
                } else {
                    1.0
                },
            );
        } else if self.query.mark_above
            && regional
            && (record.rarity, record.mark) == (0, 0)
            && flags & card_flag::ABOVE == 0
        {
            // a card of a deck whose rarities no source has
            sink.add(Feature::RarityDiffers, 1.0);
        }
    }

    /// Whether words of the title for a rarity mean that of this number in the game of a set: `SEC`
    /// is a Super Rare of one game, and none of another.
    fn rarity_is_of_game(&self, set: SetFacts, number: u8) -> bool {
        let folder = self.stats.folder_of_game(set.game_bit());
        let mut words = self.query.rarity_words.iter();
        folder.is_none()
            || words.any(|&word| has_rarity(&self.stats.rarities_of(word, folder), number))
    }

    /// Whether the words for a rarity are a mark of the card's name: `Gold Star` of `Umbreon ★`, which
    /// catalogues call rare, or something else.
    fn bears_rarity(&self, record: &CardRecord) -> bool {
        let marks = || self.catalogue.name_record(record).map(NameRecord::marks);
        let rated = self.query.rated_marks;
        !rated.is_empty() && marks().is_some_and(|marks| !marks.common(rated).is_empty())
    }

    /// Whether a card has a printing of a rarity that the title states; `None` if the labels of its
    /// printings tell no rarity.
    fn is_rated(&self, record: &CardRecord) -> Option<bool> {
        if self.query.rated.is_empty() {
            return None;
        }
        let mut printings = self.catalogue.printings(record).iter();
        let told = printings.any(|printing| self.stats.tells_rarity(printing.label.get()));
        told.then(|| self.has_printing(record, &self.query.rated))
    }
}
