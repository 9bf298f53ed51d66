//! The packed tables of a game other than Pokémon.

use flate2::{Compression, GzBuilder};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::Path;
use titledex::internals::build::input;
use titledex::internals::build::rows::Rows;
use titledex_command::catalogue::refused;
use titledex_command::output::write_whole;
use titledex_command::{Failure, files, say};

/// Writes the tables of a game whose names are shared by many prints.
pub(super) fn tables(cards: &Path, sets: &Path, output: &Path) -> Result<(), Failure> {
    let mut rows = Rows::default();
    let bytes = cleaned(sets)?;
    input::jsonl_sets(&files::name(sets), &bytes, &mut rows).map_err(refused)?;
    let bytes = cleaned(cards)?;
    input::jsonl_cards(&files::name(cards), &bytes, &mut rows).map_err(refused)?;
    let count = rows.cards.len();
    let names = input::take_names(&mut rows);
    let (card_table, set_table) = input::write_tables(&rows);
    std::fs::create_dir_all(output).map_err(|error| Failure::file("make", output, &error))?;
    for (name, table) in [("cards", card_table), ("names", names), ("sets", set_table)] {
        // no time and no name in it, so that the same tables are the same bytes
        let mut packed = GzBuilder::new().write(Vec::new(), Compression::best());
        let written = packed.write_all(&table).and_then(|()| packed.finish());
        let path = output.join(format!("{name}.csv.gz"));
        let packed = written.map_err(|error| Failure::file("pack", &path, &error))?;
        write_whole(&path, &packed)?;
    }
    say(&format!(
        "{}: {count} cards, {} sets",
        files::name(output),
        rows.sets.len()
    ));
    Ok(())
}

/// The lines of a source's file in the form that catalogues are built from: without control
/// characters, with the id of the game (of `yugioh-rush` too it is `yugioh`), and with what is sold
/// on Magic Online marked as digital.
fn cleaned(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = files::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut out = Vec::with_capacity(bytes.len());
    for (number, line) in (1..).zip(text.lines()) {
        let bad = |error: serde_json::Error| {
            Failure::new(format!("{}:{number}: {error}", files::name(path)))
        };
        let mut object: Map<String, Value> = serde_json::from_str(line).map_err(bad)?;
        object.values_mut().for_each(without_controls);
        if let Some(Value::String(game)) = object.get_mut("game")
            && let Some(dash) = game.find('-')
        {
            game.truncate(dash);
        }
        let online = |object: &Map<String, Value>| {
            let name = object
                .get("names")
                .and_then(|names| names.get("en")?.as_str());
            name.is_some_and(|name| name.contains("Magic Online"))
                || object.get("set").is_some_and(|set| set == "prm")
        };
        if online(&object) {
            object.insert("digital".to_owned(), Value::Bool(true));
        }
        if let Some(printings) = printings(&object) {
            object.insert("variants".to_owned(), printings);
        }
        if let Some(Value::Array(variants)) = object.get_mut("variants") {
            name_reprints(variants);
        }
        if let Some(treatments) = treatments(&object) {
            object.insert("treatments".to_owned(), treatments);
        }
        for (member, value) in behind_words(&object).into_iter().flatten() {
            object.insert(member.to_owned(), value);
        }
        serde_json::to_writer(&mut out, &object).map_err(bad)?;
        out.push(b'\n');
    }
    Ok(out)
}

/// The frame of 1997, which newer sets print beside their own, and what the source says of all such
/// prints.
const RETRO_FRAME: &str = "1997";
const BESIDE: &str = "boosterfun";

/// The treatments of a Magic card with those that the source says by its frame and its printings.
/// `None` if there are none.
fn treatments(object: &Map<String, Value>) -> Option<Value> {
    let list = |member: &str| object.get(member).and_then(Value::as_array);
    let says =
        |member: &str, word: &str| list(member).is_some_and(|all| all.iter().any(|v| v == word));
    let retro = object
        .get("frame")
        .is_some_and(|frame| frame == RETRO_FRAME)
        && says("promoTypes", BESIDE);
    // a plain card that is etched, too, is a plain card
    let plain = !retro && list("treatments").is_none();
    let mut printings = list("variants").into_iter().flatten();
    let is_etched = |print: &Value| text(print, "type") == "etched";
    let etched = if plain {
        list("variants").is_some_and(|all| !all.is_empty()) && printings.all(is_etched)
    } else {
        printings.any(is_etched)
    };
    let found = [("retro", retro), ("etched", etched)];
    let lacking: Vec<Value> = (found.into_iter())
        .filter(|(word, holds)| *holds && !says("treatments", word))
        .map(|(word, _)| Value::from(word))
        .collect();
    let known = list("treatments").into_iter().flatten().cloned();
    (!lacking.is_empty()).then(|| known.chain(lacking).collect())
}

/// Number and total of a card whose source has words before the printed number: `1TFC EN 6/P1`.
fn behind_words(object: &Map<String, Value>) -> Option<[(&'static str, Value); 2]> {
    let (number, total) = object.get("printedNumber")?.as_str()?.split_once('/')?;
    let (_, number) = number.rsplit_once(' ')?;
    let printed = format!("{number}/{total}");
    Some([
        ("printedNumber", printed.into()),
        ("denominator", total.into()),
    ])
}

/// What a source writes for a print that differs in nothing, and for promos' sets, which say no
/// more than what the print is called.
const PLAIN: &str = "Regular";
const PROMOS: &str = "OP-PR";
/// Types of prints that the shop's list lacks in places, and what it calls them.
const LOOKS: [(&str, &str); 3] = [
    ("Manga Art", "Manga"),
    ("Special Card", "SP"),
    ("Treasure Rare", "TR"),
];

/// The text of a member; empty if it has none.
fn text<'v>(of: &'v Value, member: &str) -> &'v str {
    of.get(member).and_then(Value::as_str).unwrap_or_default()
}

/// The set of a product by its id: `PRB-01` is PRB01; `OP15-EB04` are two, and `OP05 PRE` is sold
/// before the set.
fn set_id(code: &str) -> String {
    match code.split_once('-') {
        Some((letters, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            [letters, digits].concat()
        }
        _ => code.to_owned(),
    }
}

/// A printing as we write it.
struct Print<'v> {
    finish: String,
    looks: Vec<String>,
    /// It is sold in another set than the card's.
    elsewhere: bool,
    tcgplayer: Option<&'v Value>,
}

/// The printings of a card whose source says how each looks in words of its own, as we write them:
/// those of a shop's products if there are any, else those whose type is a look. `None` if there is
/// nothing to change.
fn printings(object: &Map<String, Value>) -> Option<Value> {
    let mut all = match object.get("products").and_then(Value::as_array) {
        Some(products) => of_products(object, products)?,
        None => of_types(object)?,
    };
    // what a title that says nothing of it means stands first
    all.sort_by_key(|print| (print.elsewhere, print.looks.len()));
    let written = all.into_iter().map(
        |print| json!({"type": print.finish, "looks": print.looks, "tcgplayerId": print.tcgplayer}),
    );
    Some(written.collect())
}

/// Those of a shop's products (`treatment`, `set`, `finish`, with the shop's ids by the product's
/// name), and of what that list lacks.
fn of_products<'v>(
    object: &'v Map<String, Value>,
    products: &'v [Value],
) -> Option<Vec<Print<'v>>> {
    let own = object.get("set")?.as_str()?;
    let ids = object.get("tcgplayerIdsByName");
    let of_product = |product: &'v Value| {
        let treatments = text(product, "treatment").split(" + ");
        let mut looks: Vec<String> = treatments.map(str::to_owned).collect();
        looks.retain(|look| look != PLAIN);
        let set = set_id(text(product, "set"));
        let elsewhere = set.split('-').all(|code| code != own);
        if elsewhere && set != PROMOS {
            looks.push(set);
        }
        let finish = product.get("finish").and_then(Value::as_str);
        Print {
            finish: finish.unwrap_or("other").to_lowercase(),
            looks,
            elsewhere,
            tcgplayer: ids.and_then(|ids| ids.get(text(product, "name"))),
        }
    };
    let listed = |look: &str| {
        let mut treatments = products.iter().map(|product| text(product, "treatment"));
        treatments.any(|all| all.split(" + ").any(|one| one == look))
    };
    let of_variant = |variant: &Value| {
        let (_, look) = LOOKS
            .iter()
            .find(|(kind, look)| *kind == text(variant, "type") && !listed(look))?;
        let set = text(variant, "product");
        let place = Some(set).filter(|set| *set != own);
        let looks = std::iter::once(*look).chain(place);
        Some(Print {
            finish: "other".to_owned(),
            looks: looks.map(str::to_owned).collect(),
            elsewhere: place.is_some(),
            tcgplayer: None,
        })
    };
    let variants = object.get("variants").and_then(Value::as_array);
    let lacking = variants.into_iter().flatten().filter_map(of_variant);
    Some(products.iter().map(of_product).chain(lacking).collect())
}

/// Those whose type is a look; of a `DON!!` card the source has the product. `None` if the types
/// are in our words.
fn of_types(object: &Map<String, Value>) -> Option<Vec<Print<'_>>> {
    let product = object.get("productCode").and_then(Value::as_str);
    let of_variant = |variant: &Value| {
        let kind = variant.get("type")?.as_str()?;
        let (finish, look) = match kind {
            "Normal" | "Foil" => (kind.to_lowercase(), None),
            PLAIN => ("other".to_owned(), None),
            look if look.starts_with(char::is_uppercase) => ("other".to_owned(), Some(look)),
            _ => return None,
        };
        let look = look.map(str::to_owned);
        Some(Print {
            finish,
            looks: look.into_iter().chain(product.map(set_id)).collect(),
            elsewhere: false,
            tcgplayer: None,
        })
    };
    object
        .get("variants")?
        .as_array()?
        .iter()
        .map(of_variant)
        .collect()
}

/// Gives each printing of a product that is another's reprint the words that say so as its look:
/// of `Metal Raiders (25th Anniversary Edition)` beside `Metal Raiders` those in brackets.
fn name_reprints(variants: &mut [Value]) {
    let products = variants.iter().map(|variant| text(variant, "product"));
    let products: Vec<String> = products.map(str::to_owned).collect();
    let look = |product: &str| {
        let (first, words) = product.strip_suffix(')')?.split_once(" (")?;
        products
            .iter()
            .any(|p| p == first)
            .then(|| words.to_owned())
    };
    for (variant, product) in variants.iter_mut().zip(&products) {
        if let (Some(look), Value::Object(members)) = (look(product), variant) {
            members.insert("looks".to_owned(), json!([look]));
        }
    }
}

/// Takes control characters out of all texts of a value.
fn without_controls(value: &mut Value) {
    match value {
        Value::String(text) if text.contains(char::is_control) => {
            let spaced = text.replace('\n', " ");
            *text = spaced.replace(char::is_control, "");
        }
        Value::Array(list) => list.iter_mut().for_each(without_controls),
        Value::Object(members) => members.values_mut().for_each(without_controls),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::name_reprints;
    use serde_json::json;

    #[test]
    fn a_reprint_is_told_by_the_words_behind_its_product() {
        let mut variants = [
            json!({"product": "Metal Raiders"}),
            json!({"product": "Metal Raiders (25th Anniversary Edition)"}),
            json!({"product": "Promos (Europe)"}),
        ];
        name_reprints(&mut variants);
        assert_eq!(variants[0].get("looks"), None);
        assert_eq!(variants[1]["looks"], json!(["25th Anniversary Edition"]));
        // nothing that it reprints
        assert_eq!(variants[2].get("looks"), None);
    }
}
