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
        serde_json::to_writer(&mut out, &object).map_err(bad)?;
        out.push(b'\n');
    }
    Ok(out)
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

/// The printings of a card whose source says how each looks in words of its own, as we write them:
/// those of a shop's products if there are any (`treatment`, `set`, `finish`, with the shop's ids by
/// the product's name), else those whose type is a look. `None` if there is nothing to change.
fn printings(object: &Map<String, Value>) -> Option<Value> {
    let text = |of: &Value, member: &str| of.get(member)?.as_str().map(str::to_owned);
    let own = object.get("set")?.as_str()?;
    // `PRB-01` is the set PRB01; `OP15-EB04` are two, and `OP05 PRE` is sold before the set
    let code = |set: &str| match set.split_once('-') {
        Some((letters, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            [letters, digits].concat()
        }
        _ => set.to_owned(),
    };
    let mut all: Vec<(bool, usize, Value)> = Vec::new();
    let mut add = |kind: &str, looks: Vec<String>, elsewhere: bool, id: Option<&Value>| {
        let printing = json!({"type": kind, "looks": looks, "tcgplayerId": id});
        all.push((elsewhere, looks.len(), printing));
    };
    if let Some(products) = object.get("products").and_then(Value::as_array) {
        let ids = object.get("tcgplayerIdsByName");
        for product in products {
            let treatment = text(product, "treatment").unwrap_or_default();
            let mut looks: Vec<String> = treatment.split(" + ").map(str::to_owned).collect();
            looks.retain(|look| look != PLAIN);
            let set = code(&text(product, "set").unwrap_or_default());
            let elsewhere = set.split('-').all(|code| code != own);
            if elsewhere && set != PROMOS {
                looks.push(set);
            }
            let kind = text(product, "finish").unwrap_or_else(|| "other".to_owned());
            let id = text(product, "name").and_then(|name| ids?.get(name));
            add(&kind.to_lowercase(), looks, elsewhere, id);
        }
        let listed = |look: &str| {
            let treatments = products.iter().filter_map(|p| text(p, "treatment"));
            treatments
                .into_iter()
                .any(|all| all.split(" + ").any(|one| one == look))
        };
        let variants = object.get("variants").and_then(Value::as_array);
        for variant in variants.into_iter().flatten() {
            let kind = text(variant, "type").unwrap_or_default();
            let look = LOOKS.iter().find(|(known, _)| *known == kind);
            if let Some((_, look)) = look.filter(|(_, look)| !listed(look)) {
                let set = text(variant, "product").unwrap_or_default();
                let elsewhere = set != own;
                let place = Some(set).filter(|_| elsewhere);
                let looks = std::iter::once((*look).to_owned()).chain(place);
                add("other", looks.collect(), elsewhere, None);
            }
        }
    } else {
        // of a `DON!!` card the source has the product
        let product = object.get("productCode").and_then(Value::as_str);
        let product: Vec<String> = product.map(code).into_iter().collect();
        for variant in object.get("variants")?.as_array()? {
            let kind = text(variant, "type")?;
            match kind.as_str() {
                "Normal" | "Foil" => add(&kind.to_lowercase(), product.clone(), false, None),
                PLAIN => add("other", product.clone(), false, None),
                look if look.starts_with(char::is_uppercase) => {
                    let looks = std::iter::once(kind).chain(product.clone());
                    add("other", looks.collect(), false, None);
                }
                // in our words already
                _ => return None,
            }
        }
    }
    // what a title that says nothing of it means stands first
    all.sort_by_key(|printing| (printing.0, printing.1));
    Some(all.into_iter().map(|printing| printing.2).collect())
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
