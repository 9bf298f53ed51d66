//! pokemon-tcg-data: `cards/en/*.json` and `sets/en.json`, or the answers of pokemontcg.io.

use super::elements::Element;
use super::facts::{CardFacts, Facts, SetFacts, Variant};
use super::tcgdex::printed;
use super::words::Words;
use serde::Deserialize;
use std::collections::BTreeMap;
use titledex_command::Failure;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    id: String,
    name: String,
    number: Option<String>,
    #[serde(default)]
    supertype: String,
    hp: Option<String>,
    artist: Option<String>,
    rarity: Option<String>,
    national_pokedex_numbers: Option<Vec<u16>>,
    set: Option<InSet>,
    tcgplayer: Option<Prices>,
    series: Option<String>,
    printed_total: Option<u16>,
    ptcgo_code: Option<String>,
    release_date: Option<String>,
}

#[derive(Deserialize)]
struct InSet {
    id: String,
}

#[derive(Deserialize)]
struct Prices {
    #[serde(default)]
    prices: BTreeMap<String, serde::de::IgnoredAny>,
}

/// Reads a card or a set.
pub(super) fn read(element: &Element<'_>, words: &Words, facts: &mut Facts) -> Result<(), Failure> {
    let object: Object = element.read()?;
    let names = [("en".to_owned(), object.name)].into();
    let Some(number) = object.number else {
        facts.set(SetFacts {
            place: element.place(),
            id: words.ours("set", &object.id).to_owned(),
            code: object.id.clone(),
            region: "international".to_owned(),
            names,
            serie: object.series.unwrap_or_default(),
            release_date: object.release_date.unwrap_or_default().replace('/', "-"),
            official_count: object.printed_total.unwrap_or_default(),
            abbreviation: object.ptcgo_code.unwrap_or_default(),
            ..SetFacts::default()
        });
        return Ok(());
    };
    let named = object.id.rsplit_once('-').map(|(set, _)| set.to_owned());
    let Some(set) = object.set.map(|set| set.id).or(named) else {
        return Err(Failure::new(format!(
            "{}: member `id`: `{}` names no set; expected a set, a hyphen and a number, as base1-4",
            element.place(),
            object.id
        )));
    };
    let set = words.ours("set", &set);
    let printings = object.tcgplayer.map(|sold| sold.prices).unwrap_or_default();
    let variants = printings.keys().filter_map(|price| {
        let mut ours = words.get("price", price)?.split(' ');
        Some(Variant {
            r#type: ours.next().unwrap_or_default().to_owned(),
            stamp: ours.map(str::to_owned).collect(),
            ..Variant::default()
        })
    });
    facts.card(CardFacts {
        place: element.place(),
        id: format!("{set}-{number}"),
        region: "international".to_owned(),
        set: set.to_owned(),
        number,
        names,
        category: words.ours("category", &object.supertype).to_owned(),
        dex_id: object.national_pokedex_numbers.unwrap_or_default(),
        rarity: object.rarity.unwrap_or_default(),
        variants: variants.collect(),
        illustrator: object.artist.unwrap_or_default(),
        hp: object.hp.and_then(|hp| hp.parse().ok()).unwrap_or_default(),
        ..CardFacts::default()
    });
    Ok(())
}

/// Gives the cards the counts of their sets, which other files state.
pub(super) fn complete(facts: &mut Facts) {
    let counts: BTreeMap<&String, u16> = facts
        .sets
        .iter()
        .map(|(id, set)| (id, set.official_count))
        .collect();
    for card in facts.cards.values_mut() {
        let official = counts.get(&card.set).copied().unwrap_or_default();
        (card.printed_number, card.denominator) = printed(&card.number, official);
    }
}
