//! Scryfall: a bulk file (`default_cards`, `all_cards`), or cards of its API.

use super::elements::Element;
use super::facts::{CardFacts, Facts, SetFacts, Variant};
use super::words::Words;
use serde::Deserialize;
use titledex_command::Failure;

const GAME: &str = "magic";

#[derive(Deserialize)]
struct Object {
    name: String,
    printed_name: Option<String>,
    lang: String,
    set: String,
    set_name: String,
    #[serde(default)]
    released_at: String,
    collector_number: String,
    #[serde(default)]
    rarity: String,
    #[serde(default)]
    finishes: Vec<String>,
    artist: Option<String>,
    #[serde(default)]
    digital: bool,
    type_line: Option<String>,
    tcgplayer_id: Option<u32>,
    cardmarket_id: Option<u32>,
}

/// Reads a card, and its set with it.
pub(super) fn read(element: &Element<'_>, words: &Words, facts: &mut Facts) -> Result<(), Failure> {
    let object: Object = element.read()?;
    if object.digital {
        facts.leave("digital cards left out");
        return Ok(());
    }
    let mut names = std::collections::BTreeMap::from([("en".to_owned(), object.name)]);
    let language = words.ours("language", &object.lang);
    if let Some(printed) = object.printed_name.filter(|_| !language.is_empty()) {
        names.insert(language.to_owned(), printed);
    }
    let variants = object.finishes.into_iter().map(|finish| Variant {
        r#type: finish,
        ..Variant::default()
    });
    facts.set(SetFacts {
        place: element.place(),
        id: object.set.clone(),
        game: GAME.to_owned(),
        code: object.set.to_uppercase(),
        region: "international".to_owned(),
        names: [("en".to_owned(), object.set_name)].into(),
        release_date: object.released_at,
        ..SetFacts::default()
    });
    // `Creature — Bird`
    let category = object.type_line.unwrap_or_default();
    let category = category.split(" —").next().unwrap_or_default();
    facts.card(CardFacts {
        place: element.place(),
        id: format!("{}-{}", object.set, object.collector_number),
        game: GAME.to_owned(),
        region: "international".to_owned(),
        set: object.set,
        number: object.collector_number.clone(),
        printed_number: object.collector_number,
        names,
        category: category
            .split(' ')
            .next_back()
            .unwrap_or_default()
            .to_owned(),
        rarity: object.rarity,
        variants: variants.collect(),
        illustrator: object.artist.unwrap_or_default(),
        tcgplayer_ids: object.tcgplayer_id.into_iter().collect(),
        cardmarket_ids: object.cardmarket_id.into_iter().collect(),
        ..CardFacts::default()
    });
    Ok(())
}
