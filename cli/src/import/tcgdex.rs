//! TCGdex: the compiled `cards.json` and `sets.json` of each language, or the answers of its API.

use super::elements::Element;
use super::facts::{CardFacts, Facts, SetFacts, Variant};
use super::words::Words;
use serde::Deserialize;
use std::path::Path;
use titledex::internals::build::rows::{FIRST_GAME, language_name};
use titledex::internals::dictionary::Region;
use titledex_command::Failure;
use titledex_command::catalogue::refused;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    id: String,
    name: String,
    local_id: Option<Local>,
    set: Option<Set>,
    #[serde(default)]
    category: String,
    rarity: Option<String>,
    illustrator: Option<String>,
    dex_id: Option<Vec<u16>>,
    hp: Option<u16>,
    variants: Option<Flags>,
    #[serde(rename = "variants_detailed")]
    detailed: Option<Vec<Detailed>>,
    card_count: Option<Count>,
    release_date: Option<String>,
    serie: Option<Serie>,
    abbreviation: Option<Abbreviation>,
}

/// A number within a set, which may be written without quotes.
#[derive(Deserialize)]
#[serde(untagged)]
enum Local {
    Text(String),
    Number(u32),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Set {
    id: String,
    name: Option<String>,
    card_count: Option<Count>,
    serie: Option<Serie>,
}

#[derive(Deserialize)]
struct Count {
    #[serde(default)]
    official: u16,
}

#[derive(Deserialize)]
struct Serie {
    id: String,
}

#[derive(Deserialize)]
struct Abbreviation {
    official: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Flags {
    #[serde(default)]
    normal: bool,
    #[serde(default)]
    reverse: bool,
    #[serde(default)]
    holo: bool,
    #[serde(default)]
    first_edition: bool,
}

#[derive(Deserialize)]
struct Detailed {
    r#type: String,
    subtype: Option<String>,
    stamp: Option<Vec<String>>,
    foil: Option<String>,
    size: Option<String>,
}

/// The language of a file: the last part of its path that is one.
pub(super) fn language_of(path: &Path, words: &Words) -> Option<String> {
    let parts = path.iter().rev().filter_map(|part| part.to_str());
    let mut parts = parts.map(|part| part.split('.').next().unwrap_or(part));
    parts
        .find(|part| words.has("language", part))
        .map(str::to_owned)
}

/// Reads a card or a set in `language`.
pub(super) fn read(
    element: &Element<'_>,
    language: &str,
    words: &Words,
    facts: &mut Facts,
) -> Result<(), Failure> {
    let object: Object = element.read()?;
    let dictionary = titledex_embedded::dictionary().map_err(refused)?;
    let game = dictionary.game(FIRST_GAME);
    let place = game.map_or(0, |game| game.region_of(language_name(language)));
    let region = game.and_then(|game| game.regions.get(place));
    let region = region.map_or("", Region::name);
    // sets and cards of further regions have the region before their ids
    let further = place > 0;
    let digital =
        |serie: Option<&Serie>| serie.is_some_and(|serie| words.has("digital series", &serie.id));
    let scoped = |id: &str| {
        if further {
            format!("{region}:{id}")
        } else {
            id.to_owned()
        }
    };
    let code = match words.get("language", language) {
        Some(ours) if !ours.is_empty() => ours,
        _ => language,
    };
    let names = [(code.to_owned(), object.name)].into();
    let Some(local) = object.local_id else {
        if digital(object.serie.as_ref()) {
            facts.leave("digital sets left out");
            return Ok(());
        }
        facts.set(SetFacts {
            place: element.place(),
            id: scoped(&object.id),
            code: object.id,
            region: region.to_owned(),
            names,
            serie: object.serie.map(|serie| serie.id).unwrap_or_default(),
            release_date: object.release_date.unwrap_or_default(),
            official_count: object.card_count.map_or(0, |count| count.official),
            abbreviation: object
                .abbreviation
                .and_then(|a| a.official)
                .unwrap_or_default(),
            ..SetFacts::default()
        });
        return Ok(());
    };
    let Some(set) = object.set else {
        // a set lists its cards by id and name alone
        facts.leave("cards without their set left out: give cards.json, or a card's own file");
        return Ok(());
    };
    if digital(set.serie.as_ref()) {
        facts.leave("digital cards left out");
        return Ok(());
    }
    let number = match local {
        Local::Text(text) => text,
        Local::Number(number) => number.to_string(),
    };
    let official = set.card_count.map_or(0, |count| count.official);
    if let Some(name) = set.name {
        facts.set(SetFacts {
            place: element.place(),
            id: scoped(&set.id),
            code: set.id.clone(),
            region: region.to_owned(),
            names: [(code.to_owned(), name)].into(),
            official_count: official,
            ..SetFacts::default()
        });
    }
    let (printed_number, denominator) = printed(&number, official);
    // other languages' files translate the words for printings
    let original = further || language == "en";
    let variants = match (object.detailed, object.variants) {
        _ if !original => Vec::new(),
        (Some(list), _) => list.into_iter().map(detailed).collect(),
        (None, Some(flags)) => flagged(&flags),
        (None, None) => Vec::new(),
    };
    facts.card(CardFacts {
        place: element.place(),
        id: scoped(&object.id),
        region: region.to_owned(),
        set: scoped(&set.id),
        number,
        printed_number,
        denominator,
        names,
        category: if original {
            object.category
        } else {
            String::new()
        },
        dex_id: object.dex_id.unwrap_or_default(),
        rarity: object.rarity.filter(|_| original).unwrap_or_default(),
        variants: if unknown(&variants) {
            Vec::new()
        } else {
            variants
        },
        illustrator: object.illustrator.unwrap_or_default(),
        hp: object.hp.unwrap_or_default(),
        ..CardFacts::default()
    });
    Ok(())
}

/// The number as it is printed, and the count behind it: as wide as the number, where that begins
/// with a zero. A number with letters has a count of its own, which the source does not state.
pub(super) fn printed(number: &str, official: u16) -> (String, String) {
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if official == 0 || !digits {
        return (number.to_owned(), String::new());
    }
    let width = if number.starts_with('0') {
        number.len()
    } else {
        0
    };
    let total = format!("{official:0width$}");
    (format!("{number}/{total}"), total)
}

fn detailed(variant: Detailed) -> Variant {
    let standard = |size: &String| size != "standard";
    Variant {
        r#type: variant.r#type,
        subtype: variant.subtype.unwrap_or_default(),
        stamp: variant.stamp.unwrap_or_default(),
        foil: variant.foil.into_iter().collect(),
        size: variant.size.filter(standard).into_iter().collect(),
    }
}

fn flagged(flags: &Flags) -> Vec<Variant> {
    let types = [
        (flags.normal, "normal"),
        (flags.reverse, "reverse"),
        (flags.holo, "holo"),
    ];
    let stated = types.into_iter().filter(|(there, _)| *there);
    let plain: Vec<Variant> = stated
        .map(|(_, r#type)| Variant {
            r#type: r#type.to_owned(),
            ..Variant::default()
        })
        .collect();
    let first = |variant: &Variant| Variant {
        stamp: vec!["1st-edition".to_owned()],
        ..variant.clone()
    };
    let mut all = plain.clone();
    if flags.first_edition {
        all.extend(plain.iter().filter(|v| v.r#type != "reverse").map(first));
    }
    all
}

/// Whether printings are those that the compiler writes where nothing is known: one of each.
fn unknown(variants: &[Variant]) -> bool {
    let plain = |variant: &Variant| {
        let Variant {
            subtype,
            stamp,
            foil,
            size,
            ..
        } = variant;
        subtype.is_empty() && stamp.is_empty() && foil.is_empty() && size.is_empty()
    };
    let mut types: Vec<&str> = variants.iter().map(|v| v.r#type.as_str()).collect();
    types.sort_unstable();
    types == ["holo", "normal", "reverse"] && variants.iter().all(plain)
}
