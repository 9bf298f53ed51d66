//! The marketplaces' ids of cards.

use super::Columns;
use super::format::MarketRecord;
use crate::answer::MarketIds;

impl<'a> Columns<'a> {
    /// What marketplaces call the printing of a card at this place among its printings.
    pub(crate) fn market_ids(&self, card: u32, printing: usize) -> MarketIds {
        let [sold] = self.sold([card]);
        MarketRecord::ids_of(sold, card, printing)
    }

    /// For each of `cards` the records of what marketplaces call printings, from its first on.
    ///
    /// They are searched for side by side: each step of a search waits for memory, and so all wait
    /// together.
    pub(crate) fn sold<const CARDS: usize>(
        &self,
        cards: [u32; CARDS],
    ) -> [&'a [MarketRecord]; CARDS] {
        let records = self.market_ids;
        let mut from = [0; CARDS];
        let mut left = records.len();
        while left > 0 {
            let half = left.div_ceil(2);
            for (from, card) in from.iter_mut().zip(cards) {
                let before = records.get(*from + half - 1);
                let before = before.map_or(u32::MAX, |record| record.card.get());
                *from += half * usize::from(before < card);
            }
            left -= half;
        }
        from.map(|from| records.get(from..).unwrap_or(&[]))
    }

    /// Whether a marketplace has an id for some printing of a card.
    pub(crate) fn is_listed(&self, card: u32) -> bool {
        let own = |m: &MarketRecord| m.card.get().cmp(&card);
        self.market_ids.binary_search_by(own).is_ok()
    }
}
