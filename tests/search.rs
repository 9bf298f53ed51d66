//! Queries as people type them: `fixtures/searches.jsonl`, whose `expect` names the card that stands
//! first, or those of which one does, and what holds of all of them.

mod support;

use proptest::prelude::*;
use serde_json::Value;
use support::engine;
use titledex::{CardView, Scratch, Within};

/// Rows of the file that find their card first, and among the first five. They only rise.
const FIRST: usize = 59;
const FIRST_FIVE: usize = 59;

fn found(query: &str, region: &str) -> Vec<&'static str> {
    engine().search(
        &mut Scratch::default(),
        query,
        &Within::new().region(region),
    )
}

#[test]
fn queries_find_their_cards() {
    let (mut first, mut five, mut wrong) = (0, 0, Vec::new());
    for line in include_str!("../fixtures/searches.jsonl").lines() {
        let row: Value = serde_json::from_str(line).expect("the file is JSON Lines");
        let text = |member: &str| {
            row[member]
                .as_str()
                .unwrap_or_else(|| panic!("{member} of {line}"))
        };
        let found = found(text("query"), text("region"));
        let expected: Vec<&str> = match &row["expect"] {
            Value::Array(ids) => ids.iter().filter_map(Value::as_str).collect(),
            _ => vec![text("expect")],
        };
        assert!(!expected.is_empty(), "{line}");
        let place = found.iter().position(|id| expected.contains(id));
        first += usize::from(place == Some(0));
        five += usize::from(place.is_some_and(|place| place < 5));
        if place != Some(0) {
            wrong.push(format!(
                "{}: {place:?} of {}, {:?}",
                text("query"),
                found.len(),
                &found[..found.len().min(5)]
            ));
        }
    }
    println!("first {first}, among five {five}\n{}", wrong.join("\n"));
    assert!(
        first >= FIRST && five >= FIRST_FIVE,
        "first {first}, among five {five}:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn bare_name_finds_all_its_cards_listed_ones_and_newest_first() {
    let engine = engine();
    let all = found("charizard", "international");
    let cards: Vec<_> = all
        .iter()
        .map(|id| engine.catalogue().card(id).expect("it is there"))
        .collect();
    assert!(
        cards.len() > 60 && cards.iter().all(|card| card.name.contains("Charizard")),
        "{:?}",
        cards.len()
    );
    let plain: Vec<_> = cards
        .iter()
        .take_while(|card| card.name == "Charizard")
        .collect();
    assert!(plain.len() > 15, "{}", plain.len());
    let order = |card: &CardView<'_>| {
        let sold = card
            .printings
            .iter()
            .any(|printing| !printing.ids.is_empty());
        (sold, card.released.clone())
    };
    assert!(
        plain
            .windows(2)
            .all(|pair| order(pair[0]) >= order(pair[1])),
        "{all:?}"
    );
    // a stated mark is a filter, an unstated one is not
    let marked = found("charizard vmax", "international");
    assert!(!marked.is_empty() && marked.iter().all(|id| all.contains(id)));
    assert!(
        marked.iter().all(|id| engine
            .catalogue()
            .card(id)
            .is_some_and(|card| card.name.contains("VMAX"))),
        "{marked:?}"
    );
}

/// More cards fit than are compared: of those the newest are, and stand first.
#[test]
fn query_that_fits_thousands_of_cards_finds_the_newest() {
    let within = Within::new().most(Within::MOST);
    let ids = engine().search(&mut Scratch::default(), "common", &within);
    assert_eq!(ids.len(), Within::MOST);
    let card = |id: &str| engine().catalogue().card(id).expect("it is there");
    let first = card(ids[0]).released;
    let newest = found("common", "international")
        .into_iter()
        .chain(found("common", "asia"));
    let newest = newest.filter_map(|id| card(id).released).max();
    assert!(first.is_some() && first == newest, "{first:?} {newest:?}");
    // a set of this year, whose commons stand late in the catalogue
    assert!(first.as_deref() >= Some("2026"), "{first:?}");
}

#[test]
fn set_name_finds_all_its_cards() {
    for (query, region, set) in [
        ("evolving skies", "international", "swsh7"),
        ("イーブイヒーローズ", "asia", "asia:S6a"),
    ] {
        let all = found(query, region);
        let of_set = all
            .iter()
            .filter(|id| {
                engine()
                    .catalogue()
                    .card(id)
                    .is_some_and(|card| card.set_id == set)
            })
            .count();
        assert!(
            of_set > 60 && of_set == all.len(),
            "{query}: {of_set} of {}",
            all.len()
        );
    }
}

#[test]
fn name_that_sets_or_products_have_finds_all_its_cards() {
    let engine = engine();
    for (name, region, least) in [
        ("ピカチュウ", "asia", 200),
        ("ぴかちゅう", "asia", 200),
        ("Deoxys", "international", 19),
        ("Arceus", "international", 13),
        ("Arceus LV.X", "international", 5),
        ("N", "international", 6),
        ("Mysterious Fossil", "international", 6),
        ("ダブルターボエネルギー", "asia", 10),
    ] {
        let all = found(name, region);
        let exact = |id: &&&str| {
            let card = engine.catalogue().card(id).expect("it is there");
            card.name == name || name.starts_with('ぴ') || card.names.iter().any(|n| n.name == name)
        };
        let first = all.iter().take(least).filter(exact).count();
        assert!(first == least, "{name}: {first} of {}", all.len());
    }
}

#[test]
fn cards_of_one_rank_follow_one_another() {
    let ranked = engine().search_ranked(&mut Scratch::default(), "umbreon", &Within::new());
    assert!(ranked.len() > 20 && ranked[0].1 == 0, "{ranked:?}");
    assert!(ranked.windows(2).all(|pair| {
        let step = pair[1].1 - pair[0].1;
        step <= 1
    }));
    assert!(ranked[ranked.len() - 1].1 > 0);
}

#[test]
fn sets_are_found_by_ids_of_other_catalogues() {
    let named = |id: &str| engine().sets_named(id);
    for (spelt, id) in [
        ("sv8", "sv08"),
        ("sv3pt5", "sv03.5"),
        ("SV03.5", "sv03.5"),
        ("swsh12pt5", "swsh12.5"),
    ] {
        assert_eq!(named(spelt), [id], "{spelt}");
    }
    assert_eq!(named("sv99"), [""; 0]);
}

#[test]
fn search_is_limited_to_a_set() {
    let within = Within::new().sets(&["base2", "base3"]);
    let found = engine().search(&mut Scratch::default(), "gengar", &within);
    assert!(
        !found.is_empty() && found.iter().all(|id| id.starts_with("base3-")),
        "{found:?}"
    );
    let within = Within::new().most(3);
    assert_eq!(
        engine()
            .search(&mut Scratch::default(), "pikachu", &within)
            .len(),
        3
    );
}

#[test]
fn query_without_a_clue_finds_nothing() {
    for query in ["", " ", "psa 10", "qqqqzzzz", "…", &"x".repeat(5000)] {
        assert_eq!(
            found(query, "international"),
            Vec::<&str>::new(),
            "{query:.20}"
        );
    }
}

#[test]
fn sets_are_found_by_name_alias_and_code() {
    let engine = engine();
    for (words, set) in [
        ("Evolving Skies", "swsh7"),
        ("evolving skies", "swsh7"),
        ("evolving-skies", "swsh7"),
        ("swsh7", "swsh7"),
        ("Base Set", "base1"),
        ("s6a", "asia:S6a"),
        ("Eevee Heroes", "asia:S6a"),
        ("イーブイヒーローズ", "asia:S6a"),
        ("asia:S6a", "asia:S6a"),
    ] {
        assert!(
            engine.sets_named(words).contains(&set),
            "{words}: {:?}",
            engine.sets_named(words)
        );
        assert!(
            engine
                .search_sets(&mut Scratch::default(), words)
                .iter()
                .take(2)
                .any(|id| *id == set),
            "{words}"
        );
    }
    let first = |query: &str| {
        engine
            .search_sets(&mut Scratch::default(), query)
            .first()
            .copied()
    };
    assert_eq!(first("evolv"), Some("swsh7"));
    assert_eq!(first("evolvng skies"), Some("swsh7"));
    assert!(
        engine
            .search_sets(&mut Scratch::default(), "trainer gallery")
            .len()
            > 2
    );
    assert_eq!(
        (engine.sets_named("qqqq"), engine.sets_named("")),
        (vec![], vec![])
    );
}

proptest! {
    /// Any query gives no panic, no card twice, none outside the bounds, and the same again.
    #[test]
    fn any_text_is_a_query(query in "\\PC{0,60}|[a-z]{1,6}( [a-z0-9/#]{1,8}){0,4}|[ァ-ン]{1,8}", most in 0usize..50) {
        let within = Within::new().region("international").most(most);
        let mut scratch = Scratch::default();
        let found = engine().search(&mut scratch, &query, &within);
        prop_assert!(found.len() <= most);
        let mut once = found.clone();
        once.sort_unstable();
        once.dedup();
        prop_assert_eq!(once.len(), found.len());
        prop_assert!(found.iter().all(|id| !id.starts_with("asia:")));
        prop_assert_eq!(&engine().search(&mut scratch, &query, &within), &found);
        let _ = (engine().search_sets(&mut scratch, &query), engine().sets_named(&query));
    }
}

#[test]
fn unexplained_word_next_to_a_name_adds_no_names() {
    for (query, name) in [
        ("umbreon vmax sa", "Umbreon"),
        ("mew zz", "Mew"),
        ("gengar vmax al", "Gengar"),
    ] {
        let others: Vec<_> = found(query, "international")
            .into_iter()
            .filter(|id| {
                engine()
                    .catalogue()
                    .card(id)
                    .is_none_or(|card| !card.name.contains(name))
            })
            .collect();
        assert_eq!(others, [""; 0], "{query}");
    }
}
