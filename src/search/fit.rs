//! [`Fit`]: the agreement of a card with a query.

use crate::attributes::query::Query;
use crate::score::features::Feature;

/// How a query and a card agree and contradict each other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fit {
    pub(super) shared: u16,
    pub(super) against: u32,
    pub(super) score: f32,
}

pub(super) const NAME: u16 = 1;
pub(super) const NUMBER: u16 = 2;
pub(super) const SET: u16 = 4;
pub(super) const RARITY: u16 = 8;
pub(super) const PROMO: u16 = 16;
pub(super) const ARTIST: u16 = 32;
pub(super) const ORIGIN: u16 = 64;
pub(super) const REST: u16 = 128;

impl Fit {
    /// The fit of a card with this evidence.
    pub(super) fn of(
        pieces: &[(Feature, f32)],
        query: &Query,
        weight: impl Fn(Feature) -> f32,
    ) -> Fit {
        use Feature as F;
        // words of a set's name are words of its products' names too
        let product = !query.sets.iter().any(|set| set.chosen);
        let mut fit = Fit::default();
        for &(feature, value) in pieces {
            fit.score += weight(feature) * value;
            fit.shared |= match feature {
                F::NameAgrees | F::NameFuzzy | F::NicknameCard => NAME,
                F::NumberTotalAgree | F::NumberAgrees | F::BareAgrees | F::DexAgrees => NUMBER,
                F::SetAgrees | F::CodeAgrees | F::FamilyAgrees => SET,
                F::RarityAgrees if !query.rarity_vague => RARITY,
                F::PromoAgrees => PROMO,
                F::ArtistAgrees => ARTIST,
                F::OriginAgrees if product => ORIGIN,
                F::RestAgrees => REST,
                _ => 0,
            };
            let against = match feature {
                F::NameDiffers | F::ThingDiffers => 0,
                F::MarkExtra => 1,
                F::RestExtra => 2,
                F::NumberDiffers | F::PrefixedDiffers | F::BareDiffers => 3,
                F::TotalDiffers => 4,
                F::SetDiffers | F::CodeDiffers | F::FamilyDiffers => 5,
                F::SetAlsoNamed => 6,
                F::YearDiffers => 7,
                F::RarityDiffers if !query.rarity_vague => 8,
                F::FinishDiffers => 9,
                F::EditionDiffers => 10,
                F::SecretDiffers => 11,
                F::AltDiffers => 12,
                F::HpDiffers => 13,
                F::PromoDiffers => 14,
                F::OriginDiffers => 15,
                _ => continue,
            };
            fit.against |= 1 << against;
        }
        fit
    }

    /// Whether a card of this fit answers the query as the best fit does.
    pub(super) fn answers(&self, best: &Fit) -> bool {
        self.shared & best.shared == best.shared && self.against & !best.against == 0
    }
}
