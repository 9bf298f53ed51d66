//! What further sources add to the first: cards and sets that it lacks, printings, illustrators.

use serde_json::Value;
use std::collections::HashMap;
use titledex::internals::build::input::slug_of;
use titledex::internals::build::name_subjects;
use titledex::internals::build::rows::{CardRow, Printing, Rows, SetRow};
use titledex_command::{Failure, say};

/// How the source of Simplified Chinese cards names series, rarities and marks, and how we do.
const CHINESE: &str = include_str!("../../data/chinese.csv");
/// How many contradictions a report shows.
const SHOWN: usize = 5;

/// What they call something, by kind and their word.
struct Words(HashMap<(String, String), String>);

impl Words {
    fn load() -> Result<Words, Failure> {
        let mut words = HashMap::new();
        for row in records(
            "lab/data/chinese.csv",
            CHINESE.as_bytes(),
            &["kind", "theirs", "ours"],
        )? {
            let [kind, theirs, ours] = row.cells.map(|cell| cell.to_owned());
            words.insert((kind, theirs), ours);
        }
        Ok(Words(words))
    }

    /// Our word for theirs, which stays if it has no other.
    fn ours(&self, kind: &str, word: &mut String) {
        if let Some(ours) = self.0.get(&(kind.to_owned(), word.clone())) {
            word.clone_from(ours);
        }
    }
}

/// A file of JSON Lines without the spaces and tabs that a source left around its texts. A line that
/// is no JSON stays, for the reader to refuse.
pub(super) fn trimmed(bytes: &[u8]) -> Vec<u8> {
    fn trim(value: &mut Value) {
        match value {
            Value::String(text) if text.trim().len() < text.len() => *text = text.trim().to_owned(),
            Value::Array(list) => list.iter_mut().for_each(trim),
            Value::Object(members) => members.values_mut().for_each(trim),
            _ => {}
        }
    }
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match serde_json::from_slice::<Value>(line) {
            Ok(mut value) => {
                trim(&mut value);
                out.extend_from_slice(value.to_string().as_bytes());
                out.push(b'\n');
            }
            Err(_) => out.extend_from_slice(line),
        }
    }
    out
}

/// Adds the sets that `rows` lacks; those that it has get the names that they lack.
pub(super) fn add_sets(file: &str, rows: &mut Rows, more: Vec<SetRow>) -> Result<(), Failure> {
    let words = Words::load()?;
    let places: HashMap<String, usize> = places(rows.sets.iter().map(|set| set.id.as_str()));
    let (mut added, mut held) = (0, 0);
    for mut set in more {
        words.ours("series", &mut set.series);
        let Some(&place) = places.get(&set.id.to_lowercase()) else {
            added += 1;
            rows.sets.push(set);
            continue;
        };
        held += 1;
        let ours = &mut rows.sets[place];
        for (language, name) in set.names {
            if !ours.names.iter().any(|(held, _)| *held == language) {
                ours.names.push((language, name));
            }
        }
    }
    say(&format!("{file}: {added} sets added, {held} held already"));
    Ok(())
}

/// Adds the cards that `rows` lacks. A card that it has keeps what it says, and an English name
/// that is only a candidate becomes the one of this source.
pub(super) fn add_cards(
    file: &str,
    rows: &mut Rows,
    mut more: Vec<CardRow>,
) -> Result<(), Failure> {
    let words = Words::load()?;
    let places = places(rows.cards.iter().map(|card| card.id.as_str()));
    let sets: HashMap<String, u16> = rows
        .sets
        .iter()
        .map(|set| (set.id.clone(), set.official))
        .collect();
    name_subjects(&mut more);
    let (mut added, mut held) = (0, 0);
    let mut differ = Vec::new();
    for mut card in more {
        if let Some(&place) = places.get(&card.id.to_lowercase()) {
            held += 1;
            let ours = &mut rows.cards[place];
            if ours.english_unsure && !card.english.is_empty() {
                ours.english = card.english;
                ours.english_unsure = false;
            } else if ours.number != card.number || ours.names.first() != card.names.first() {
                differ.push(ours.id.clone());
            }
            continue;
        }
        let Some(&official) = sets.get(&card.set) else {
            return Err(Failure::new(format!(
                "{file}: card `{}`: its set `{}` is in no file of sets; add it there",
                card.id, card.set
            )));
        };
        words.ours("mark", &mut card.mark);
        words.ours("rarity", &mut card.rarity);
        print_number(&mut card, official);
        added += 1;
        rows.cards.push(card);
    }
    say(&format!(
        "{file}: {added} cards added, {held} held already{}",
        contradictions(&differ)
    ));
    Ok(())
}

/// The number of a card whose source gives it as it is printed, without the total: a number of
/// three digits has the count of its set behind it.
fn print_number(card: &mut CardRow, official: u16) {
    if !card.number_unprinted {
        return;
    }
    card.number_unprinted = false;
    let digits = card.number.len() == 3 && card.number.bytes().all(|b| b.is_ascii_digit());
    if digits && official > 0 {
        card.total = format!("{official:03}");
    }
}

/// Gives printings to the cards that have none.
pub(super) fn fill_printings(file: &str, bytes: &[u8], rows: &mut Rows) -> Result<(), Failure> {
    fill(file, bytes, "printings", rows, |card, text| {
        if card.printings.iter().any(|held| !held.label.is_empty()) {
            return false;
        }
        card.printings = text
            .split(';')
            .map(|label| Printing {
                label: label.to_owned(),
                slug: slug_of(label),
            })
            .collect();
        // the product that a marketplace sells the card as is all of its printings
        let ids = card.market_ids.first().copied().unwrap_or_default();
        card.market_ids = if ids.is_empty() {
            Vec::new()
        } else {
            vec![ids; card.printings.len()]
        };
        true
    })
}

/// Gives illustrators to the cards that have none.
pub(super) fn fill_illustrators(file: &str, bytes: &[u8], rows: &mut Rows) -> Result<(), Failure> {
    fill(file, bytes, "illustrator", rows, |card, text| {
        if !card.illustrator.is_empty() {
            return false;
        }
        text.clone_into(&mut card.illustrator);
        true
    })
}

/// The products of cards of which the sources name none.
const PRODUCTS: &str = include_str!("../../data/products.csv");

/// Gives cards without one the product they came with.
pub(super) fn fill_products(rows: &mut Rows) -> Result<(), Failure> {
    let file = "lab/data/products.csv";
    fill(file, PRODUCTS.as_bytes(), "product", rows, |card, text| {
        if !card.product.is_empty() {
            return false;
        }
        text.clone_into(&mut card.product);
        true
    })
}

/// Names of sets that a source cut down to the card in them, and what the sets are called.
const SET_NAMES: &str = include_str!("../../data/set_names.csv");

/// Gives sets the names that a source cut. One that the source gives otherwise is left alone.
pub(super) fn mend_set_names(rows: &mut Rows) -> Result<(), Failure> {
    let file = "lab/data/set_names.csv";
    let places = places(rows.sets.iter().map(|set| set.id.as_str()));
    let (mut mended, mut differ) = (0, Vec::new());
    for row in records(
        file,
        SET_NAMES.as_bytes(),
        &["id", "language", "theirs", "ours"],
    )? {
        let [id, language, theirs, ours] = row.cells.each_ref().map(String::as_str);
        let set = places.get(&id.to_lowercase()).map(|&at| &mut rows.sets[at]);
        let name = set.and_then(|set| {
            let mut names = set.names.iter_mut();
            names.find(|(held, name)| held == language && name == theirs)
        });
        match name {
            Some((_, name)) => {
                ours.clone_into(name);
                mended += 1;
            }
            None => differ.push(id.to_owned()),
        }
    }
    say(&format!(
        "{file}: {mended} names mended{}",
        contradictions(&differ)
    ));
    Ok(())
}

/// Gives each card of a file what the file's `column` says, where `take` takes it. A card of
/// another name is left alone.
fn fill(
    file: &str,
    bytes: &[u8],
    column: &str,
    rows: &mut Rows,
    take: impl Fn(&mut CardRow, &str) -> bool,
) -> Result<(), Failure> {
    let places = places(rows.cards.iter().map(|card| card.id.as_str()));
    let (mut filled, mut held, mut unknown) = (0, 0, 0);
    let mut differ = Vec::new();
    for row in records(file, bytes, &["id", "name", column])? {
        let [id, name, text] = row.cells.each_ref().map(String::as_str);
        let Some(&place) = places.get(&id.to_lowercase()) else {
            unknown += 1;
            continue;
        };
        let card = &mut rows.cards[place];
        let printed = card.names.iter().find(|(language, _)| language == "en");
        let english = printed.map_or(card.english.as_str(), |(_, held)| held);
        if english != name {
            differ.push(card.id.clone());
        } else if take(card, text) {
            filled += 1;
        } else {
            held += 1;
        }
    }
    say(&format!(
        "{file}: {column} of {filled} cards added, {held} held already, {unknown} of unknown cards{}",
        contradictions(&differ)
    ));
    Ok(())
}

/// The places of ids, which are unique whatever their case.
fn places<'t>(ids: impl Iterator<Item = &'t str>) -> HashMap<String, usize> {
    ids.enumerate()
        .map(|(at, id)| (id.to_lowercase(), at))
        .collect()
}

/// A tail for a report: how many rows differ, and the first of them.
fn contradictions(ids: &[String]) -> String {
    if ids.is_empty() {
        return String::new();
    }
    let more = if ids.len() > SHOWN { " …" } else { "" };
    format!(
        "; {} contradict and are left as they were: {}{more}",
        ids.len(),
        ids[..ids.len().min(SHOWN)].join(" ")
    )
}

/// A row of a CSV file, its cells in the order of the columns that were asked for.
pub(super) struct Record<const N: usize> {
    pub(super) cells: [String; N],
}

/// The rows of a CSV file that has `columns`.
pub(super) fn records<const N: usize>(
    file: &str,
    bytes: &[u8],
    columns: &[&str; N],
) -> Result<Vec<Record<N>>, Failure> {
    let bad = |error: csv::Error| Failure::new(format!("{file}: {error}"));
    let mut reader = csv::ReaderBuilder::new().from_reader(bytes);
    let header = reader.headers().map_err(bad)?.clone();
    let mut places = [0; N];
    for (place, column) in places.iter_mut().zip(columns) {
        *place = header
            .iter()
            .position(|held| held == *column)
            .ok_or_else(|| Failure::new(format!("{file}:1: column `{column}` is missing")))?;
    }
    reader
        .records()
        .map(|record| {
            let record = record.map_err(bad)?;
            let cells = places.map(|place| record.get(place).unwrap_or_default().to_owned());
            Ok(Record { cells })
        })
        .collect()
}
