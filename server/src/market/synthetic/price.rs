//! Starting prices of the invented market: rarity, age, subject and printing stand to each other as
//! in real ones, so that a demonstration can be believed.

use super::Random;
use titledex::internals::catalogue::facts::CardFacts;

/// The least and the most that a card of a rarity costs, in cents. Rarity marks are compared as a
/// whole.
const MARKS: [(&str, [i64; 2]); 14] = [
    ("c", [4, 15]),
    ("u", [8, 30]),
    ("r", [20, 150]),
    ("rr", [40, 400]),
    ("rrr", [80, 500]),
    ("s", [100, 800]),
    ("ar", [150, 1_500]),
    ("chr", [150, 1_000]),
    ("sr", [200, 2_500]),
    ("ssr", [200, 2_500]),
    ("ur", [300, 3_000]),
    ("csr", [500, 4_000]),
    ("hr", [800, 8_000]),
    ("sar", [1_500, 15_000]),
];
/// The same for rarities in words: the first that is contained counts.
const WORDS: [(&str, [i64; 2]); 21] = [
    ("special illustration", [1_500, 15_000]),
    ("special art", [1_500, 15_000]),
    ("secret", [1_000, 12_000]),
    ("hyper", [500, 4_000]),
    ("character super", [500, 4_000]),
    ("character", [150, 1_000]),
    ("illustration", [200, 2_500]),
    ("art rare", [150, 1_500]),
    ("ultra", [150, 1_500]),
    ("mythic", [100, 3_000]),
    ("lv.x", [150, 1_500]),
    ("prime", [100, 1_000]),
    ("vmax", [100, 700]),
    ("shiny", [150, 1_200]),
    ("triple", [80, 500]),
    ("double", [40, 400]),
    ("holo", [60, 500]),
    ("promo", [100, 1_000]),
    ("uncommon", [8, 30]),
    ("common", [4, 15]),
    ("rare", [20, 250]),
];
/// A card whose rarity is unknown.
const UNKNOWN: [i64; 2] = [10, 300];
/// Up to which year a card was released, and what its age multiplies its price by, in tenths.
const AGES: [(u16, i64); 4] = [(2000, 120), (2003, 80), (2010, 30), (2016, 15)];
/// Names that collectors pay more for, and how many times more.
const FAVOURITES: [(&str, i64); 10] = [
    ("charizard", 8),
    ("umbreon", 5),
    ("lugia", 4),
    ("pikachu", 3),
    ("gengar", 3),
    ("rayquaza", 3),
    ("mew", 3),
    ("blastoise", 3),
    ("eevee", 2),
    ("venusaur", 2),
];
/// What the words of a printing multiply its price by, in tenths: of each group the first that is
/// contained.
const PRINTINGS: [&[(&str, i64)]; 2] = [
    &[("1st edition", 60), ("shadowless", 30)],
    &[("masterball", 60), ("reverse", 15), ("holofoil", 20)],
];
/// The highest price of an ungraded card, in cents. Its most expensive grade costs forty times that.
const MOST: i64 = 500_000;

/// What an ordinary printing of a card costs, in cents.
pub(super) fn of_card(random: &mut Random, facts: &CardFacts<'_>) -> i64 {
    let card = &facts.card;
    let rarity = card.rarity.unwrap_or_default().to_lowercase();
    let marked = MARKS.iter().find(|(mark, _)| *mark == rarity);
    let named = || WORDS.iter().find(|(word, _)| rarity.contains(word));
    let [least, most] = marked.or_else(named).map_or(UNKNOWN, |(_, range)| *range);
    // most of them near the least
    let place = random.below(101);
    let cents = least + (most - least) * place * place * place / 1_000_000;
    let name = card.name.to_lowercase();
    let loved = FAVOURITES.iter().find(|(word, _)| name.contains(word));
    let cents = cents * loved.map_or(1, |(_, times)| *times);
    let released = card.released.as_deref();
    let year = released.and_then(|date| date.get(..4)?.parse().ok());
    (cents * of_age(year) / 10).clamp(1, MOST)
}

/// What the year of a release multiplies prices by, in tenths.
pub(super) fn of_age(year: Option<u16>) -> i64 {
    let age = AGES
        .iter()
        .find(|(until, _)| year.is_some_and(|year| year <= *until));
    age.map_or(10, |(_, tenths)| *tenths)
}

/// What a printing with this label costs, in cents, where an ordinary one costs `cents`.
pub(super) fn of_printing(random: &mut Random, cents: i64, label: &str) -> i64 {
    let label = label.to_lowercase();
    let times = PRINTINGS.iter().map(|group| {
        let word = group.iter().find(|(word, _)| label.contains(word));
        word.map_or(10, |(_, tenths)| *tenths)
    });
    let cents = times.fold(cents, |cents, tenths| cents * tenths / 10);
    (cents * (90 + random.below(21)) / 100).clamp(1, MOST)
}

#[cfg(test)]
mod tests {
    use super::super::Random;
    use super::{of_age, of_card, of_printing};

    #[test]
    fn prices_stand_to_each_other_as_in_a_market() {
        let catalogue = titledex_embedded::catalogue().expect("it opens");
        let cost = |id: &str, label: &str| {
            let facts = catalogue.facts().find(|facts| facts.card.id == id);
            let facts = facts.unwrap_or_else(|| panic!("there is no {id}"));
            // the middle of some seeds: one draw says little
            let mut costs: Vec<i64> = (0..31)
                .map(|seed| {
                    let mut random = Random::of(seed, 1);
                    let cents = of_card(&mut random, &facts);
                    of_printing(&mut random, cents, label)
                })
                .collect();
            costs.sort_unstable();
            costs[costs.len() / 2]
        };
        let unlimited = cost("base1-4", "Unlimited Holofoil");
        assert!(cost("base1-4", "Shadowless Holofoil") > 2 * unlimited);
        assert!(cost("base1-4", "1st Edition Holofoil") > 4 * unlimited);
        assert!(unlimited > 2 * cost("base1-1", "Unlimited Holofoil"));
        assert!(unlimited > 20 * cost("base1-96", "Unlimited"));
        assert!(cost("swsh7-215", "Holofoil") > 20 * cost("swsh7-1", "Normal"));
    }

    #[test]
    fn old_sets_cost_more() {
        let ages = [Some(1999), Some(2002), Some(2023), None].map(of_age);
        assert_eq!(ages, [120, 80, 10, 10]);
    }
}
