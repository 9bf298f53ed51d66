//! What people call the series of sets, which the catalogue has ids of (`swsh`). The names are data:
//! `pages/series.json`, by game.

use std::collections::HashMap;
use std::sync::LazyLock;

type Names = HashMap<String, HashMap<String, String>>;

// a test reads the file
static NAMES: LazyLock<Names> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../pages/series.json")).unwrap_or_default()
});

/// The name of a series of a game; its id where no name is known.
pub(crate) fn name<'s>(game: &str, id: &'s str) -> &'s str {
    let named = NAMES.get(game).and_then(|names| names.get(id));
    named.map_or(id, String::as_str)
}

#[cfg(test)]
mod tests {
    use super::{NAMES, name};
    use std::collections::BTreeSet;
    use titledex_embedded::catalogue;

    #[test]
    fn every_series_of_pokemon_has_a_name() {
        assert_eq!(name("pokemon", "swsh"), "Sword & Shield");
        assert_eq!(name("magic", "Core Set"), "Core Set");
        let catalogue = catalogue().expect("it is built in");
        let sets = catalogue.sets().filter(|set| set.game == "pokemon");
        let unnamed: BTreeSet<&str> = sets
            .map(|set| set.series)
            .filter(|id| !id.is_empty() && !NAMES["pokemon"].contains_key(*id))
            .collect();
        assert!(unnamed.is_empty(), "{unnamed:?}");
    }
}
