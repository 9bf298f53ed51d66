//! The most that a card scores which bears a name of the title, but is of none of its numbers and
//! sets.

use super::features::Feature;
use super::{Printings, Scorer};
use crate::attributes::number::NumberKind;
use crate::attributes::set::SetClue;
use crate::math::information;

/// Of cards that bear a name of the title, but are of none of its numbers and sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    /// The most that one scores which prints the total of one of the title's numbers.
    pub(crate) with_total: f32,
    /// The most that another scores.
    pub(crate) other: f32,
}

impl Scorer<'_, '_> {
    /// A bound for the scores of cards that bear one of the title's names, print a number but none of
    /// the title's nor one that ends in its digits behind letters, where the title's are fractions or
    /// stand behind a sign and are not refuted, and are of no set that it names or that is a part of
    /// one; `None` if no bound is known.
    ///
    /// Weights keep the directions of their features, so evidence against a card is at most 0. Each
    /// line below is the most that one of the parts of [`Scorer::evidence`] adds, and the number of
    /// such a card always differs.
    pub(crate) fn most_of_others(&self) -> Option<Most> {
        let query = self.query;
        let weight = |feature| self.weights.of(feature);
        let stated = |stated: bool, most: f32| if stated { most } else { 0.0 };
        // `Scorer::name`: by the clue that says most, and what remains of the name stands there
        let names = query.names.iter().map(|name| name.idf.max(name.whole_idf));
        let name =
            names.fold(0.0, f32::max) * weight(Feature::NameAgrees) + weight(Feature::RestAgrees);
        let year = weight(Feature::YearAgrees).max(weight(Feature::YearNear));
        let game = weight(Feature::GameAgrees).max(weight(Feature::GameHinted));
        let rarity = query.rarity_idf.max(query.mark_idf).max(0.0);
        let printings = Printings::of(query);
        let editions = printings.editions.iter().map(|(_, nats)| nats).sum::<f32>();
        let most = name
            + self.most_of_set()?
            + stated(!query.years.is_empty(), year)
            + stated(query.hinted, weight(Feature::LanguageHinted))
            + weight(Feature::LanguageAgrees)
            + stated(query.games | query.hinted_games != 0, game)
            + stated(query.rarity, rarity * weight(Feature::RarityAgrees))
            + stated(printings.finish != 0, weight(Feature::FinishAgrees))
            + editions * weight(Feature::EditionAgrees)
            + self.most_of_more();
        // `Case::TotalOnly`, by the total that says most, and `Case::Neither`
        let totals = query.numbers.iter().map(|number| number.idf_total * 0.2);
        let total = totals.fold(0.0, f32::max) * weight(Feature::TotalAgrees);
        let differs = weight(Feature::NumberDiffers);
        // `Case::Other`, if a number is stated without a total
        let fractions = query
            .numbers
            .iter()
            .all(|number| number.kind == NumberKind::Fraction);
        let other = stated(fractions, 0.5 * weight(Feature::TotalDiffers));
        Some(Most {
            with_total: most + differs + total,
            other: most + differs + other,
        })
    }

    /// The same of the set: `None` if no set is named that contradicts all others.
    fn most_of_set(&self) -> Option<f32> {
        let weight = |feature| self.weights.of(feature);
        // printings of others are of it, too
        if !self.query.sold.is_empty() {
            return None;
        }
        let chosen = || self.query.sets.iter().filter(|clue| clue.chosen);
        // of several sets that are named, the one that contradicts it most
        let against = |clue: &SetClue| match clue.kind {
            0..=2 => weight(Feature::SetDiffers),
            3 => weight(Feature::CodeDiffers),
            _ => weight(Feature::FamilyDiffers),
        };
        let named = chosen().filter(|clue| !clue.family);
        let differs = named.map(against).reduce(f32::min)?;
        // the era of a card may be named beside another set
        let count = self.catalogue.set_count().max(1) as f32;
        let of_era = |era: &SetClue| {
            let apart = |c: &SetClue| c.end <= era.at || era.end <= c.at;
            let also = chosen().any(|c| c.kind < 3 && !c.family && apart(c));
            let also = if also {
                weight(Feature::SetAlsoNamed)
            } else {
                0.0
            };
            let idf = information(count, u32::from(era.all)).max(0.0);
            idf * weight(Feature::FamilyAgrees) + also
        };
        let eras = chosen().filter(|clue| clue.family).map(of_era);
        Some(eras.fold(differs, f32::max))
    }
}
