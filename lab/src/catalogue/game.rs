//! The packed tables of a game other than Pokémon.

use flate2::{Compression, GzBuilder};
use serde_json::{Map, Value};
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
        serde_json::to_writer(&mut out, &object).map_err(bad)?;
        out.push(b'\n');
    }
    Ok(out)
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
