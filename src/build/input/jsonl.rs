//! Our JSON Lines.

use super::{NAME_LANGUAGES, row_error, slug_of, utf8};
use crate::answer::MarketIds;
use crate::build::rows::{CardRow, Printing, Rows, SetRow, language_name};
use crate::error::{Error, ErrorKind};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// One JSON object a line, with its line number.
fn json_lines(
    file: &str,
    bytes: &[u8],
    mut each: impl FnMut(u64, &Map<String, Value>) -> Result<(), Error>,
) -> Result<(), Error> {
    for (index, text) in utf8(file, bytes)?.lines().enumerate() {
        let line = index as u64 + 1;
        if text.trim().is_empty() {
            continue;
        }
        let value: Value = serde_json::from_str(text).map_err(|e| {
            Error::new(ErrorKind::Row, format!("{file}:{line}:{}: {e}", e.column()))
        })?;
        let Value::Object(object) = value else {
            return Err(Error::new(
                ErrorKind::Row,
                format!("{file}:{line}:1: expected a JSON object"),
            ));
        };
        each(line, &object)?;
    }
    Ok(())
}

fn text<'v>(object: &'v Map<String, Value>, key: &str) -> &'v str {
    object.get(key).and_then(Value::as_str).unwrap_or("")
}

fn needed<'v>(
    file: &str,
    line: u64,
    object: &'v Map<String, Value>,
    key: &str,
) -> Result<&'v str, Error> {
    match object.get(key) {
        Some(Value::String(value)) => Ok(value),
        Some(_) => Err(row_error(file, line, key, "is not a string")),
        None => Err(row_error(
            file,
            line,
            key,
            "is missing; every card and set needs it",
        )),
    }
}

fn names(object: &Map<String, Value>) -> Vec<(String, String)> {
    let Some(Value::Object(names)) = object.get("names") else {
        return Vec::new();
    };
    let get = |language: &str| {
        names
            .get(language)
            .and_then(Value::as_str)
            .filter(|n| !n.is_empty())
    };
    NAME_LANGUAGES
        .iter()
        .filter_map(|&l| get(l).map(|n| (l.to_owned(), n.to_owned())))
        .collect()
}

/// Reads cards as JSON Lines in the schema of our catalogue; digital cards are left out.
///
/// # Errors
/// [`ErrorKind::Source`], [`ErrorKind::Row`] or [`ErrorKind::Duplicate`], naming file, line and
/// column.
pub fn jsonl_cards(file: &str, bytes: &[u8], rows: &mut Rows) -> Result<(), Error> {
    let mut seen: HashSet<String> = rows.cards.iter().map(|c| c.id.clone()).collect();
    json_lines(file, bytes, |line, object| {
        let id = needed(file, line, object, "id")?.to_owned();
        if object
            .get("digital")
            .and_then(Value::as_bool)
            .unwrap_or(false)
        {
            return Ok(());
        }
        if !seen.insert(id.clone()) {
            return Err(Error::new(
                ErrorKind::Duplicate,
                format!("{file}:{line}: column `id`: card `{id}` is given twice"),
            ));
        }
        let asia = text(object, "region") == "asia";
        let mut names = names(object);
        if asia {
            names.sort_by_key(|n| (n.0 != "ja", n.0 == "en"));
        }
        let english = text(object, "englishName");
        if names.is_empty() && english.is_empty() {
            return Err(row_error(
                file,
                line,
                "names",
                "is missing; a card needs a name in some language",
            ));
        }
        let local = names.first().map_or("ja", |n| n.0.as_str());
        let language = if asia {
            language_name(if local == "en" { "ja" } else { local })
        } else {
            "english"
        }
        .to_owned();
        let number = needed(file, line, object, "number")?;
        let printed = text(object, "printedNumber");
        let denominator = text(object, "denominator");
        let dex = |key: &str| {
            object
                .get(key)
                .and_then(Value::as_array)
                .map(|list| numbers(list))
                .unwrap_or_default()
        };
        let mut species = dex("dexId");
        if species.is_empty() {
            species = dex("dexIdInferred");
        }
        let no_print = printed.is_empty() && !number.is_empty();
        let (printings, mut market_ids) = variants(
            object.get("variants"),
            if asia && (object.contains_key("origin") || names.len() > 1) {
                ":card"
            } else {
                ":unspecified"
            },
        );
        let of_card = |key: &str| object.get(key).and_then(Value::as_array);
        share_ids(of_card("tcgplayerIds"), &mut market_ids, |ids| {
            &mut ids.tcgplayer
        });
        share_ids(of_card("cardmarketIds"), &mut market_ids, |ids| {
            &mut ids.cardmarket
        });
        while market_ids.last().is_some_and(MarketIds::is_empty) {
            market_ids.pop();
        }
        rows.cards.push(CardRow {
            printings,
            market_ids,
            id,
            set: needed(file, line, object, "set")?.to_owned(),
            number: if printed.is_empty() {
                number
            } else {
                printed.split('/').next().unwrap_or(number)
            }
            .to_owned(),
            total: if printed.contains('/') {
                denominator.to_owned()
            } else {
                String::new()
            },
            number_unprinted: no_print && asia,
            names,
            english: english.to_owned(),
            english_unsure: text(object, "englishNameMethod").ends_with("(unsure)"),
            english_derived: String::new(),
            language,
            category: text(object, "category").to_owned(),
            dex: species,
            rarity: text(object, "rarity").to_owned(),
            mark: text(object, "rarityMark").to_owned(),
            hp: object
                .get("hp")
                .and_then(Value::as_u64)
                .and_then(|hp| u16::try_from(hp).ok())
                .unwrap_or(0),
            illustrator: text(object, "illustrator").to_owned(),
            product: text(object, "product").to_owned(),
        });
        Ok(())
    })
}

fn numbers(list: &[Value]) -> Vec<u16> {
    let mut out: Vec<u16> = list
        .iter()
        .filter_map(Value::as_u64)
        .filter_map(|n| u16::try_from(n).ok())
        .filter(|&n| n > 0)
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// The printings of a card, labelled as the price service's export labels them, and what
/// marketplaces call each.
///
/// As many ids as printings. Variants that differ in nothing that a label says are one printing,
/// which keeps the ids of the first that has any.
fn variants(value: Option<&Value>, unknown: &str) -> (Vec<Printing>, Vec<MarketIds>) {
    let Some(Value::Array(list)) = value else {
        let unlabelled = Printing {
            label: String::new(),
            slug: unknown.to_owned(),
        };
        return (vec![unlabelled], vec![MarketIds::default()]);
    };
    let ids_of = |variant: &Value| {
        let id = |key: &str| {
            let id = variant.get(key).and_then(Value::as_u64);
            id.and_then(|id| u32::try_from(id).ok()).unwrap_or(0)
        };
        MarketIds::new(id("tcgplayerId"), id("cardmarketId"))
    };
    let strings = |variant: &Value, key: &str| -> Vec<String> {
        match variant.get(key) {
            Some(Value::String(one)) => vec![one.clone()],
            Some(Value::Array(many)) => many
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            _ => Vec::new(),
        }
    };
    let first = |variant: &Value| strings(variant, "stamp").iter().any(|s| s == "1st-edition");
    let has_first = list.iter().any(first);
    let reverse = |variant: &Value| {
        strings(variant, "type")
            .first()
            .is_some_and(|t| t == "reverse")
    };
    // in 2004-2006 every reverse holo bears the set's logo: it is a stamp only if a reverse without
    // it exists
    let plain_reverse = list
        .iter()
        .any(|v| reverse(v) && strings(v, "stamp").is_empty());
    let mut out: Vec<Printing> = Vec::new();
    let mut ids: Vec<MarketIds> = Vec::new();
    for variant in list {
        let mut tail: Vec<String> = Vec::new();
        let subtype = strings(variant, "subtype").pop().unwrap_or_default();
        let mut stamps = strings(variant, "stamp");
        stamps.retain(|s| {
            s != "1st-edition" && (s != "set-logo" || !reverse(variant) || plain_reverse)
        });
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
        tail.extend(
            strings(variant, "foil")
                .iter()
                .map(|f| format!("{} foil", spaced(f))),
        );
        tail.extend(
            strings(variant, "size")
                .iter()
                .filter(|s| *s != "standard")
                .map(|s| spaced(s)),
        );
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
        match out.iter().position(|p| p.slug == slug) {
            Some(same) if ids[same].is_empty() => ids[same] = ids_of(variant),
            Some(_) => {}
            None => {
                out.push(Printing { label, slug });
                ids.push(ids_of(variant));
            }
        }
    }
    (out, ids)
}

/// Gives a marketplace's ids of a card to those of its printings that have none.
///
/// A source often knows the product that a marketplace sells the card as, and not which printings
/// it is. An id is given only where that leaves no choice: to all printings if none has an id of
/// its own and the card has one, or to the only printing that has none if one id is left over.
fn share_ids(
    of_card: Option<&Vec<Value>>,
    printings: &mut [MarketIds],
    of: fn(&mut MarketIds) -> &mut Option<u32>,
) {
    let mut left: Vec<u32> = of_card
        .into_iter()
        .flatten()
        .filter_map(Value::as_u64)
        .filter_map(|id| u32::try_from(id).ok())
        .filter(|&id| id != 0)
        .collect();
    let own: Vec<u32> = printings.iter_mut().filter_map(|ids| *of(ids)).collect();
    left.retain(|id| !own.contains(id));
    let without = printings.len() - own.len();
    if let [id] = left[..]
        && (own.is_empty() || without == 1)
    {
        for ids in printings {
            of(ids).get_or_insert(id);
        }
    }
}

/// Reads sets as JSON Lines in the schema of our catalogue; digital sets are left out.
///
/// # Errors
/// As [`jsonl_cards`].
pub fn jsonl_sets(file: &str, bytes: &[u8], rows: &mut Rows) -> Result<(), Error> {
    let mut seen: HashSet<String> = rows.sets.iter().map(|s| s.id.clone()).collect();
    json_lines(file, bytes, |line, object| {
        let id = needed(file, line, object, "id")?.to_owned();
        if object
            .get("digital")
            .and_then(Value::as_bool)
            .unwrap_or(false)
        {
            return Ok(());
        }
        if !seen.insert(id.clone()) {
            return Err(Error::new(
                ErrorKind::Duplicate,
                format!("{file}:{line}: column `id`: set `{id}` is given twice"),
            ));
        }
        let suspect: Vec<&str> = match object.get("namesSuspect") {
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let mut names = names(object);
        names.retain(|n| !suspect.contains(&n.0.as_str()));
        let released = match object.get("releaseDate") {
            Some(Value::String(date)) => date.clone(),
            Some(Value::Object(dates)) => ["en", "ja"]
                .iter()
                .find_map(|l| dates.get(*l).and_then(Value::as_str))
                .or_else(|| dates.values().find_map(Value::as_str))
                .unwrap_or("")
                .to_owned(),
            _ => String::new(),
        };
        let abbreviation = object.get("abbreviation").and_then(Value::as_object);
        let abbreviation = abbreviation
            .and_then(|a| {
                ["official", "tcgOnline"]
                    .iter()
                    .find_map(|k| a.get(*k).and_then(Value::as_str))
            })
            .unwrap_or("");
        rows.sets.push(SetRow {
            code: text(object, "code").to_owned(),
            region: text(object, "region").to_owned(),
            series: text(object, "serie").to_owned(),
            names,
            english: text(object, "englishName").to_owned(),
            abbreviation: abbreviation.to_owned(),
            released,
            official: object
                .get("officialCount")
                .and_then(Value::as_u64)
                .and_then(|n| u16::try_from(n).ok())
                .unwrap_or(0),
            id,
        });
        Ok(())
    })
}
