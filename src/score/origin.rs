//! Evidence of where the card is from: a campaign, a product.

use super::features::Feature;
use super::number::NumberFit;
use super::{Fit, Scorer, Sink};
use crate::catalogue::format::{CardRecord, NONE, set_flag};
use crate::stats::SetFacts;

impl Scorer<'_, '_> {
    /// Evidence of where the card is from: a campaign, a product.
    pub(super) fn origin(
        &self,
        record: &CardRecord,
        set: SetFacts,
        fit: Fit,
        sink: &mut impl Sink,
    ) {
        let shared = |words: &[u16]| self.catalogue.shared_words(record, words);
        // of a card of the set that the title names, the set's name says no more
        let of_set = || shared(&self.query.set_words).filter(|_| !fit.member);
        let words = shared(&self.query.words).into_iter();
        if let Some(shared) = words.chain(of_set()).reduce(f32::max) {
            sink.add(Feature::OriginAgrees, shared);
            return;
        }
        // `POP Series 4 promo pack`: another game has a campaign that is called so
        let strange =
            || self.query.stamped.is_empty() && set.game_bit() & self.query.campaign_games == 0;
        // a printed number with its total, or in the set that the title names, says more than what
        // sources tell of its origin; of many promos they do not tell it. The stamp may be the
        // origin: `Prerelease Promo`
        if self.query.campaign
            && !self.has_printing(record, &self.query.stamped)
            && fit.number != (NumberFit::Agrees { total: true })
            && !(fit.member && (strange() || self.states_number(record)))
        {
            let untold = set.flags & set_flag::PROMO != 0
                && !self.query.campaign_unheld
                && self.catalogue.product(record).is_empty();
            sink.add(Feature::OriginDiffers, if untold { 0.3 } else { 1.0 });
        }
    }

    /// Whether the title states the printed number of a card.
    fn states_number(&self, record: &CardRecord) -> bool {
        let printed = record.printed_number();
        let mut numbers = self.query.numbers.iter();
        printed != NONE && numbers.any(|number| number.number == Some(printed))
    }
}
