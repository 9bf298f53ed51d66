//! Files → [`Rows`]: the price service's export CSV, our JSON Lines, and the text tables of the embedded catalogue.

use super::rows::{CardRow, Printing, Rows, SetRow};
use crate::error::{Error, ErrorKind};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Languages of the name columns of the text tables, in their order.
pub const NAME_LANGUAGES: [&str; 12] = ["en", "ja", "fr", "de", "es", "it", "pt", "ko", "zh-tw", "zh-cn", "th", "id"];
/// Columns of the price service's export that a catalogue needs; others may stand beside them.
const EXPORT_COLUMNS: [&str; 8] = ["marketplaceId", "name", "setName", "setId", "cardNumber", "rarity", "language", "printing"];

/// The line that a record of `text` begins in. The csv crate's own count is one short where lines end in CRLF: it takes the position
/// before the line feed that ends the record before. Reads all before the record: for messages only.
fn line_of(text: &str, position: Option<&csv::Position>) -> u64 {
    let at = position.map_or(0, |p| usize::try_from(p.byte()).unwrap_or(usize::MAX)).min(text.len());
    let begins = text.as_bytes()[at..].iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
    1 + text.as_bytes()[..at + begins].iter().filter(|&&b| b == b'\n').count() as u64
}

fn row_error(file: &str, line: u64, column: &str, what: &str) -> Error {
    Error::new(ErrorKind::Row, format!("{file}:{line}: column `{column}`: {what}"))
}

/// The text of a file that must be UTF-8.
fn utf8<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, Error> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Error::new(ErrorKind::Source, format!("{file}:1:1: the file is UTF-16; convert it to UTF-8")));
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|e| {
        let good = &bytes[..e.valid_up_to()];
        let line = 1 + good.iter().filter(|&&b| b == b'\n').count();
        let column = 1 + good.iter().rev().take_while(|&&b| b != b'\n').count();
        Error::new(ErrorKind::Source, format!("{file}:{line}:{column}: byte {:#04x} is not UTF-8; convert the file to UTF-8", bytes[e.valid_up_to()]))
    })
}

/// Reads the price service's export: a row is a printing, rows of one set, number, name and language are one card.
///
/// # Errors
/// [`ErrorKind::Source`] for a missing column or another encoding, [`ErrorKind::Row`] for a row without id, name or set,
/// [`ErrorKind::Duplicate`] for a `marketplaceId` that is given twice; each names file and line.
pub fn export_csv(file: &str, bytes: &[u8], rows: &mut Rows) -> Result<(), Error> {
    let text = utf8(file, bytes)?;
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let csv_error = |e: csv::Error| {
        let line = line_of(text, e.position());
        Error::new(ErrorKind::Row, format!("{file}:{line}: {e}"))
    };
    let header: Vec<String> = reader.headers().map_err(csv_error)?.iter().map(|h| h.trim().to_owned()).collect();
    let mut at = HashMap::new();
    for column in EXPORT_COLUMNS {
        let place = header.iter().position(|h| h == column).ok_or_else(|| {
            let message = format!("{file}:1: column `{column}` is missing; the export has {}", EXPORT_COLUMNS.join(", "));
            Error::new(ErrorKind::Source, message)
        })?;
        at.insert(column, place);
    }
    let mut cards: HashMap<(String, String, String, String), usize> = HashMap::new();
    let mut seen: HashSet<String> = HashSet::new();
    let mut ids: HashSet<String> = rows.cards.iter().map(|c| c.id.clone()).collect();
    let mut sets: BTreeMap<String, SetRow> = BTreeMap::new();
    for record in reader.records() {
        let record = record.map_err(csv_error)?;
        let line = || line_of(text, record.position());
        let cell = |column: &str| at.get(column).and_then(|&i| record.get(i)).unwrap_or("").trim();
        for column in ["marketplaceId", "name", "setId"] {
            if cell(column).is_empty() {
                return Err(row_error(file, line(), column, "is empty; every row needs it"));
            }
        }
        let marketplace = cell("marketplaceId");
        if !seen.insert(marketplace.to_owned()) {
            let message = format!("{file}:{}: column `marketplaceId`: `{marketplace}` is given twice", line());
            return Err(Error::new(ErrorKind::Duplicate, message));
        }
        let language = match cell("language").to_lowercase() {
            l if l.is_empty() => "english".to_owned(),
            l => l,
        };
        let key = (cell("setId").to_owned(), cell("cardNumber").to_owned(), cell("name").to_owned(), language.clone());
        let (id, slug) = match marketplace.rfind(':') {
            Some(colon) if colon > 0 && !marketplace[..colon].is_empty() && colon + 1 < marketplace.len() => {
                (marketplace[..colon].to_owned(), marketplace[colon..].to_owned())
            }
            _ => (marketplace.to_owned(), String::new()),
        };
        let card = match cards.get(&key) {
            Some(&card) => card,
            None => {
                if !ids.insert(id.clone()) {
                    let message = format!("{file}:{}: column `marketplaceId`: card `{id}` has two names, numbers or sets", line());
                    return Err(Error::new(ErrorKind::Duplicate, message));
                }
                let (number, total) = cell("cardNumber").split_once('/').unwrap_or((cell("cardNumber"), ""));
                let code = if language == "japanese" { "ja" } else { "en" };
                let english = if language != "english" && cell("name").is_ascii() { cell("name") } else { "" };
                rows.cards.push(CardRow {
                    id: id.clone(),
                    set: key.0.clone(),
                    number: number.trim().to_owned(),
                    total: total.trim().to_owned(),
                    names: vec![(code.to_owned(), cell("name").to_owned())],
                    english: english.to_owned(),
                    language: language.clone(),
                    rarity: cell("rarity").to_owned(),
                    ..CardRow::default()
                });
                cards.insert(key.clone(), rows.cards.len() - 1);
                let region = if language == "english" { "international" } else { "asia" };
                sets.entry(key.0.clone()).or_insert_with(|| SetRow {
                    id: key.0.clone(),
                    code: key.0.rsplit(':').next().unwrap_or("").to_owned(),
                    region: region.to_owned(),
                    names: vec![(code.to_owned(), cell("setName").to_owned())].into_iter().filter(|n| !n.1.is_empty()).collect(),
                    ..SetRow::default()
                });
                rows.cards.len() - 1
            }
        };
        let slug = if slug.is_empty() || rows.cards[card].id != id { marketplace.to_owned() } else { slug };
        rows.cards[card].printings.push(Printing { label: cell("printing").to_owned(), slug });
    }
    let known: HashSet<String> = rows.sets.iter().map(|s| s.id.clone()).collect();
    rows.sets.extend(sets.into_values().filter(|s| !known.contains(&s.id)));
    Ok(())
}

/// One JSON object a line, with its line number.
fn json_lines(file: &str, bytes: &[u8], mut each: impl FnMut(u64, &Map<String, Value>) -> Result<(), Error>) -> Result<(), Error> {
    for (index, text) in utf8(file, bytes)?.lines().enumerate() {
        let line = index as u64 + 1;
        if text.trim().is_empty() {
            continue;
        }
        let value: Value = serde_json::from_str(text)
            .map_err(|e| Error::new(ErrorKind::Row, format!("{file}:{line}:{}: {e}", e.column())))?;
        let Value::Object(object) = value else {
            return Err(Error::new(ErrorKind::Row, format!("{file}:{line}:1: expected a JSON object")));
        };
        each(line, &object)?;
    }
    Ok(())
}

fn text<'v>(object: &'v Map<String, Value>, key: &str) -> &'v str {
    object.get(key).and_then(Value::as_str).unwrap_or("")
}

fn needed<'v>(file: &str, line: u64, object: &'v Map<String, Value>, key: &str) -> Result<&'v str, Error> {
    match object.get(key) {
        Some(Value::String(value)) => Ok(value),
        Some(_) => Err(row_error(file, line, key, "is no string")),
        None => Err(row_error(file, line, key, "is missing; every card and set needs it")),
    }
}

fn names(object: &Map<String, Value>) -> Vec<(String, String)> {
    let Some(Value::Object(names)) = object.get("names") else { return Vec::new() };
    let get = |language: &str| names.get(language).and_then(Value::as_str).filter(|n| !n.is_empty());
    NAME_LANGUAGES.iter().filter_map(|&l| get(l).map(|n| (l.to_owned(), n.to_owned()))).collect()
}

/// Reads cards as JSON Lines in the schema of our catalogue; digital cards are left out.
///
/// # Errors
/// [`ErrorKind::Source`], [`ErrorKind::Row`] or [`ErrorKind::Duplicate`], naming file, line and column.
pub fn jsonl_cards(file: &str, bytes: &[u8], rows: &mut Rows) -> Result<(), Error> {
    let mut seen: HashSet<String> = rows.cards.iter().map(|c| c.id.clone()).collect();
    json_lines(file, bytes, |line, object| {
        let id = needed(file, line, object, "id")?.to_owned();
        if object.get("digital").and_then(Value::as_bool).unwrap_or(false) {
            return Ok(());
        }
        if !seen.insert(id.clone()) {
            return Err(Error::new(ErrorKind::Duplicate, format!("{file}:{line}: column `id`: card `{id}` is given twice")));
        }
        let asia = text(object, "region") == "asia";
        let mut names = names(object);
        if asia {
            names.sort_by_key(|n| (n.0 != "ja", n.0 == "en"));
        }
        let english = text(object, "englishName");
        if names.is_empty() && english.is_empty() {
            return Err(row_error(file, line, "names", "is missing; a card needs a name in some language"));
        }
        let local = names.first().map_or("ja", |n| n.0.as_str());
        let language = if asia { super::rows::language_name(if local == "en" { "ja" } else { local }) } else { "english" }.to_owned();
        let number = needed(file, line, object, "number")?;
        let printed = text(object, "printedNumber");
        let denominator = text(object, "denominator");
        let dex = |key: &str| object.get(key).and_then(Value::as_array).map(|list| numbers(list)).unwrap_or_default();
        let mut species = dex("dexId");
        if species.is_empty() {
            species = dex("dexIdInferred");
        }
        let no_print = printed.is_empty() && !number.is_empty();
        rows.cards.push(CardRow {
            printings: variants(object.get("variants"), if asia && (object.contains_key("origin") || names.len() > 1) { ":card" } else { ":unspecified" }),
            id,
            set: needed(file, line, object, "set")?.to_owned(),
            number: if printed.is_empty() { number } else { printed.split('/').next().unwrap_or(number) }.to_owned(),
            total: if printed.contains('/') { denominator.to_owned() } else { String::new() },
            number_unprinted: no_print && asia,
            names,
            english: english.to_owned(),
            english_unsure: text(object, "englishNameMethod").ends_with("(unsure)"),
            language,
            category: text(object, "category").to_owned(),
            dex: species,
            rarity: text(object, "rarity").to_owned(),
            mark: text(object, "rarityMark").to_owned(),
            hp: object.get("hp").and_then(Value::as_u64).and_then(|hp| u16::try_from(hp).ok()).unwrap_or(0),
            illustrator: text(object, "illustrator").to_owned(),
            product: text(object, "product").to_owned(),
        });
        Ok(())
    })
}

fn numbers(list: &[Value]) -> Vec<u16> {
    let mut out: Vec<u16> = list.iter().filter_map(Value::as_u64).filter_map(|n| u16::try_from(n).ok()).filter(|&n| n > 0).collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// The printings of a card, labelled as the price service's export labels them.
fn variants(value: Option<&Value>, unknown: &str) -> Vec<Printing> {
    let Some(Value::Array(list)) = value else {
        return vec![Printing { label: String::new(), slug: unknown.to_owned() }];
    };
    let strings = |variant: &Value, key: &str| -> Vec<String> {
        match variant.get(key) {
            Some(Value::String(one)) => vec![one.clone()],
            Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    };
    let first = |variant: &Value| strings(variant, "stamp").iter().any(|s| s == "1st-edition");
    let has_first = list.iter().any(first);
    let reverse = |variant: &Value| strings(variant, "type").first().is_some_and(|t| t == "reverse");
    // 2004-2006 every reverse holo bears the set's logo: it is a stamp only where a reverse without it exists
    let plain_reverse = list.iter().any(|v| reverse(v) && strings(v, "stamp").is_empty());
    let mut out: Vec<Printing> = Vec::new();
    for variant in list {
        let mut tail: Vec<String> = Vec::new();
        let subtype = strings(variant, "subtype").pop().unwrap_or_default();
        let mut stamps = strings(variant, "stamp");
        stamps.retain(|s| s != "1st-edition" && (s != "set-logo" || !reverse(variant) || plain_reverse));
        stamps.sort();
        let edition = match subtype.as_str() {
            _ if first(variant) => "1st Edition",
            "shadowless" => "Shadowless",
            "unlimited" => "Unlimited",
            "" if has_first && stamps.is_empty() => "Unlimited",
            _ => "",
        };
        let spaced = |text: &str| text.replace('-', " ");
        if !matches!(subtype.as_str(), "" | "unlimited" | "shadowless") {
            tail.push(spaced(&subtype));
        }
        tail.extend(stamps.iter().map(|s| format!("{} stamp", spaced(s))));
        tail.extend(strings(variant, "foil").iter().map(|f| format!("{} foil", spaced(f))));
        tail.extend(strings(variant, "size").iter().filter(|s| *s != "standard").map(|s| spaced(s)));
        let kind = match strings(variant, "type").first().map(String::as_str) {
            Some("holo") => "Holofoil",
            Some("reverse") => "Reverse Holofoil",
            Some("normal") | None => "Normal",
            Some("metal") => "Metal",
            Some("lenticular") => "Lenticular",
            Some(_) => "Other",
        };
        let mut label = match (edition, kind) {
            ("", kind) => kind.to_owned(),
            (edition, "Normal") => edition.to_owned(),
            (edition, kind) => format!("{edition} {kind}"),
        };
        if !tail.is_empty() {
            label = format!("{label} [{}]", tail.join(", "));
        }
        let slug = slug_of(&label);
        if !out.iter().any(|p| p.slug == slug) {
            out.push(Printing { label, slug });
        }
    }
    out
}

/// `Reverse Holofoil [pokeball foil]` → `:reverse-holofoil-pokeball-foil`.
fn slug_of(label: &str) -> String {
    let mut slug = String::from(":");
    for c in label.chars() {
        if c.is_alphanumeric() {
            slug.extend(c.to_lowercase());
        } else if !slug.ends_with(['-', ':']) {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// Reads sets as JSON Lines in the schema of our catalogue; digital sets are left out.
///
/// # Errors
/// As [`jsonl_cards`].
pub fn jsonl_sets(file: &str, bytes: &[u8], rows: &mut Rows) -> Result<(), Error> {
    let mut seen: HashSet<String> = rows.sets.iter().map(|s| s.id.clone()).collect();
    json_lines(file, bytes, |line, object| {
        let id = needed(file, line, object, "id")?.to_owned();
        if object.get("digital").and_then(Value::as_bool).unwrap_or(false) {
            return Ok(());
        }
        if !seen.insert(id.clone()) {
            return Err(Error::new(ErrorKind::Duplicate, format!("{file}:{line}: column `id`: set `{id}` is given twice")));
        }
        let suspect: Vec<&str> = match object.get("namesSuspect") {
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let mut names = names(object);
        names.retain(|n| !suspect.contains(&n.0.as_str()));
        let released = match object.get("releaseDate") {
            Some(Value::String(date)) => date.clone(),
            Some(Value::Object(dates)) => {
                ["en", "ja"].iter().find_map(|l| dates.get(*l).and_then(Value::as_str)).or_else(|| dates.values().find_map(Value::as_str)).unwrap_or("").to_owned()
            }
            _ => String::new(),
        };
        let abbreviation = object.get("abbreviation").and_then(Value::as_object);
        let abbreviation =
            abbreviation.and_then(|a| ["official", "tcgOnline"].iter().find_map(|k| a.get(*k).and_then(Value::as_str))).unwrap_or("");
        rows.sets.push(SetRow {
            code: text(object, "code").to_owned(),
            region: text(object, "region").to_owned(),
            series: text(object, "serie").to_owned(),
            names,
            english: text(object, "englishName").to_owned(),
            abbreviation: abbreviation.to_owned(),
            released,
            official: object.get("officialCount").and_then(Value::as_u64).and_then(|n| u16::try_from(n).ok()).unwrap_or(0),
            id,
        });
        Ok(())
    })
}

const CARD_COLUMNS: [&str; 15] = [
    "set", "id", "number", "total", "flags", "language", "category", "dex", "rarity", "mark", "hp", "illustrator", "product", "english", "printings",
];
const SET_COLUMNS: [&str; 8] = ["id", "code", "region", "series", "released", "official", "abbreviation", "english"];

/// Writes the text tables of the embedded catalogue, `cards.csv` and `sets.csv`: sorted, one card or set a line.
///
/// `id` is left empty where it is set + `-` + number; `flags` has `x` for a number that is not printed and `?` for an English name that is
/// only a candidate; `printings` are labels separated by `|`, with their slug after `=` where it is not made from the label.
#[must_use]
pub fn write_tables(rows: &Rows) -> (Vec<u8>, Vec<u8>) {
    let line = |cells: &[String]| -> Vec<u8> {
        let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
        // writing to memory cannot fail, and every row has as many cells as the header
        let _ = writer.write_record(cells);
        writer.into_inner().unwrap_or_default()
    };
    let head = |columns: &[&str]| -> Vec<String> {
        columns.iter().map(|c| (*c).to_owned()).chain(NAME_LANGUAGES.iter().map(|l| format!("name_{l}"))).collect()
    };
    let named = |names: &[(String, String)]| -> Vec<String> {
        NAME_LANGUAGES.iter().map(|l| names.iter().find(|n| n.0 == *l).map_or(String::new(), |n| n.1.clone())).collect()
    };
    let mut cards: Vec<&CardRow> = rows.cards.iter().collect();
    cards.sort_by(|a, b| (&a.set, &a.id).cmp(&(&b.set, &b.id)));
    let mut card_table = line(&head(&CARD_COLUMNS));
    for card in cards {
        let flags = format!("{}{}", if card.number_unprinted { "x" } else { "" }, if card.english_unsure { "?" } else { "" });
        let printings: Vec<String> = card
            .printings
            .iter()
            .map(|p| if slug_of(&p.label) == p.slug { p.label.clone() } else { format!("{}={}", p.label, p.slug) })
            .collect();
        let made = format!("{}-{}", card.set, card.number);
        let mut cells = vec![
            card.set.clone(),
            if made == card.id { String::new() } else { card.id.clone() },
            card.number.clone(),
            card.total.clone(),
            flags,
            card.language.clone(),
            card.category.clone(),
            card.dex.iter().map(u16::to_string).collect::<Vec<_>>().join("|"),
            card.rarity.clone(),
            card.mark.clone(),
            if card.hp == 0 { String::new() } else { card.hp.to_string() },
            card.illustrator.clone(),
            card.product.clone(),
            card.english.clone(),
            printings.join("|"),
        ];
        cells.extend(named(&card.names));
        card_table.extend(line(&cells));
    }
    let mut sets: Vec<&SetRow> = rows.sets.iter().collect();
    sets.sort_by(|a, b| a.id.cmp(&b.id));
    let mut set_table = line(&head(&SET_COLUMNS));
    for set in sets {
        let mut cells = vec![
            set.id.clone(),
            set.code.clone(),
            set.region.clone(),
            set.series.clone(),
            set.released.clone(),
            set.official.to_string(),
            set.abbreviation.clone(),
            set.english.clone(),
        ];
        cells.extend(named(&set.names));
        set_table.extend(line(&cells));
    }
    (card_table, set_table)
}

/// Reads the text tables that [`write_tables`] writes, each given as file name and bytes.
///
/// # Errors
/// As [`export_csv`].
pub fn tables(cards: (&str, &[u8]), sets: (&str, &[u8])) -> Result<Rows, Error> {
    let mut rows = Rows::default();
    each_row(sets.0, sets.1, &SET_COLUMNS, |line, cell, names| {
        rows.sets.push(SetRow {
            id: cell("id"),
            code: cell("code"),
            region: cell("region"),
            series: cell("series"),
            released: cell("released"),
            official: cell("official").parse().map_err(|_| row_error(sets.0, line, "official", "is no number"))?,
            abbreviation: cell("abbreviation"),
            english: cell("english"),
            names,
        });
        Ok(())
    })?;
    each_row(cards.0, cards.1, &CARD_COLUMNS, |line, cell, mut names| {
        let number = cell("number");
        let id = match cell("id") {
            id if id.is_empty() => format!("{}-{number}", cell("set")),
            id => id,
        };
        let asia = cell("language") != "english";
        if asia {
            names.sort_by_key(|n| (n.0 != "ja", n.0 == "en"));
        }
        let number_of = |text: &str, column: &str| match text {
            "" => Ok(0),
            text => text.parse::<u16>().map_err(|_| row_error(cards.0, line, column, "is no number")),
        };
        rows.cards.push(CardRow {
            id,
            set: cell("set"),
            number,
            total: cell("total"),
            number_unprinted: cell("flags").contains('x'),
            english_unsure: cell("flags").contains('?'),
            names,
            english: cell("english"),
            language: cell("language"),
            category: cell("category"),
            dex: cell("dex").split('|').filter(|d| !d.is_empty()).map(|d| number_of(d, "dex")).collect::<Result<_, _>>()?,
            rarity: cell("rarity"),
            mark: cell("mark"),
            hp: number_of(&cell("hp"), "hp")?,
            illustrator: cell("illustrator"),
            product: cell("product"),
            printings: cell("printings")
                .split('|')
                .map(|p| match p.split_once('=') {
                    Some((label, slug)) => Printing { label: label.to_owned(), slug: slug.to_owned() },
                    None => Printing { label: p.to_owned(), slug: slug_of(p) },
                })
                .collect(),
        });
        Ok(())
    })?;
    Ok(rows)
}

/// Calls `each` with line, cells by column, and names by language.
fn each_row(
    file: &str,
    bytes: &[u8],
    columns: &[&str],
    mut each: impl FnMut(u64, &dyn Fn(&str) -> String, Vec<(String, String)>) -> Result<(), Error>,
) -> Result<(), Error> {
    let text = utf8(file, bytes)?;
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let csv_error = |e: csv::Error| Error::new(ErrorKind::Row, format!("{file}:{}: {e}", e.position().map_or(0, csv::Position::line)));
    let header: Vec<String> = reader.headers().map_err(csv_error)?.iter().map(str::to_owned).collect();
    for column in columns {
        if !header.iter().any(|h| h == column) {
            return Err(Error::new(ErrorKind::Source, format!("{file}:1: column `{column}` is missing")));
        }
    }
    for record in reader.records() {
        let record = record.map_err(csv_error)?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |column: &str| header.iter().position(|h| h == column).and_then(|i| record.get(i)).unwrap_or("").to_owned();
        let names = NAME_LANGUAGES
            .iter()
            .map(|l| ((*l).to_owned(), cell(&format!("name_{l}"))))
            .filter(|n| !n.1.is_empty())
            .collect();
        each(line, &cell, names)?;
    }
    Ok(())
}
