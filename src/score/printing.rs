//! Evidence of the printing: finishes and editions.

use super::features::Feature;
use super::{Fit, Scorer, Sink};
use crate::attributes::edition::Edition;
use crate::attributes::query::Query;
use crate::catalogue::format::{CardRecord, card_flag};
use crate::parsed::Finish;

/// How many times as much a finish speaks against a card whose set has another of its name in that
/// finish: of 1,248 sold titles of such pairs (`silver`), 889 of 1,012 of the holo card say holo, and
/// 4 of 236 of the other, which is 52 times as seldom.
const TWIN: f32 = 4.5;

/// What a title asks of the printings of a card: bits of [`card_flag`], 0 for nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Printings {
    pub(super) any: bool,
    pub(super) finish: u16,
    /// Editions, and the information in agreeing, in nats.
    pub(super) editions: [(u16, f32); 2],
}

impl Printings {
    pub(super) fn of(query: &Query) -> Printings {
        let finish = query.finish.map_or(0, |finish| match finish {
            Finish::Holo | Finish::Foil => card_flag::HOLO,
            Finish::ReverseHolo => card_flag::REVERSE,
            Finish::NonHolo | Finish::NonFoil => card_flag::NORMAL,
        });
        // few sets were printed in it: what is rarer says more
        let edition = query.edition.map_or((0, 0.0), |edition| match edition {
            Edition::First => (card_flag::FIRST, 1.5),
            Edition::Unlimited => (card_flag::FIRST, 1.0),
            Edition::Shadowless | Edition::FirstShadowless => (card_flag::SHADOWLESS, 5.0),
        });
        let no_rarity = if query.no_rarity {
            (card_flag::NO_RARITY, 5.0)
        } else {
            (0, 0.0)
        };
        Printings {
            any: finish | edition.0 | no_rarity.0 != 0,
            finish,
            editions: [edition, no_rarity],
        }
    }
}

impl Scorer<'_, '_> {
    /// Evidence of the finish and the edition, of a card of which printings are known.
    #[inline(always)]
    pub(super) fn printing(
        &self,
        record: &CardRecord,
        fit: Fit,
        printings: &Printings,
        sink: &mut impl Sink,
    ) {
        let flags = record.flags.get();
        if printings.finish != 0 {
            // sellers call many cards holo, but few a reverse holo that has none
            let differs = match printings.finish {
                card_flag::REVERSE => Feature::ReverseDiffers,
                _ => Feature::FinishDiffers,
            };
            // `Bulbasaur 151 cosmos holo`: the print with that foil, which is a reverse holo
            let called = || {
                let stamped = &self.query.stamped;
                !stamped.is_empty() && self.has_printing(record, stamped)
            };
            if flags & printings.finish != 0 || called() {
                sink.add(Feature::FinishAgrees, 1.0);
            } else if differs == Feature::FinishDiffers
                && fit.member
                && fit.bears
                && self.has_twin(record, printings)
            {
                sink.add(differs, TWIN);
            } else {
                sink.add(differs, 1.0);
            }
        }
        for (good, nats) in printings.editions {
            if flags & good != 0 {
                // `わるいカイリュー 初版` is no Dragonite, though one is known in this print
                let nats = if fit.marked { nats.min(1.0) } else { nats };
                sink.add(Feature::EditionAgrees, nats);
            } else if good != 0 {
                sink.add(Feature::EditionDiffers, if nats > 2.0 { 2.0 } else { 1.0 });
            }
        }
    }

    /// Whether another card of its name and set is printed in the finish that the title states.
    fn has_twin(&self, record: &CardRecord, printings: &Printings) -> bool {
        let name = self.catalogue.name_record(record);
        name.is_some_and(|name| {
            let (set, core) = (record.set.get(), name.core.get());
            let mut cards = self.catalogue.cards_of_set_and_core(set, core);
            cards.any(|(_, card)| card.flags.get() & printings.finish != 0)
        })
    }

    /// Whether a card has a printing with one of these labels.
    pub(super) fn has_printing(&self, record: &CardRecord, labels: &[u32]) -> bool {
        let mut printings = self.catalogue.printings(record).iter();
        printings.any(|printing| labels.contains(&printing.label.get()))
    }
}
