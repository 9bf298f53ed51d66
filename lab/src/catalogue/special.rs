//! Special prints: products of TCGplayer that are printings of cards that we have.
//!
//! A product is joined by its name, number and total. Its words in brackets say what is special
//! about it (`lab/data/special_prints.csv`); a product with other words is left out, and so is one
//! whose finish nothing states.

use super::supplement::{Record, records};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use titledex::MarketIds;
use titledex::internals::build::input::slug_of;
use titledex::internals::build::rows::{CardRow, Printing, Rows};
use titledex::internals::catalogue::format::pack_number;
use titledex::internals::token::key_of;
use titledex_command::{Failure, say};

const RULES: &str = include_str!("../../data/special_prints.csv");

/// A product, as far as it is read.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Product {
    set_name: String,
    #[serde(default)]
    printed_number: String,
    names: BTreeMap<String, String>,
    product_name: String,
    #[serde(default)]
    variants: Vec<Variant>,
    tcgplayer_ids: Vec<u32>,
}

#[derive(Debug, Deserialize)]
struct Variant {
    r#type: String,
}

/// What some words, or a whole group of products, mean.
struct Rule {
    label: String,
    finish: String,
}

/// What is special about products: by group, and by words in lower case. Words of `*` are any.
struct Rules(HashMap<(String, String), Rule>);

/// Why a product is left out.
const NO_NUMBER: &str = "without number and total";
const NO_CARD: &str = "of no card that we have";
const SEVERAL: &str = "of several cards";
const WORDS: &str = "whose words are not known";
const FINISH: &str = "whose finish nothing states";
const PLAIN: &str = "that are no special print";
const UNLABELLED: &str = "of cards whose own printings are not known";

impl Rules {
    fn load() -> Result<Rules, Failure> {
        let columns = ["group", "words", "label", "finish"];
        let rows = records("lab/data/special_prints.csv", RULES.as_bytes(), &columns)?;
        let rule = |row: Record<4>| {
            let [group, words, label, finish] = row.cells;
            ((group, words.to_lowercase()), Rule { label, finish })
        };
        Ok(Rules(rows.into_iter().map(rule).collect()))
    }

    /// The label's tails and the finish that a product's group and words state; `Err` says why it
    /// is left out.
    fn read(&self, product: &Product) -> Result<(Vec<String>, &str), &'static str> {
        let group = &product.set_name;
        let words = in_brackets(&product.product_name);
        if let Some(rule) = self.0.get(&(group.clone(), "*".to_owned())) {
            let last = words.last().ok_or(WORDS)?;
            return Ok((vec![rule.label.replace("{}", last)], &rule.finish));
        }
        let (mut tails, mut finish) = (Vec::new(), "");
        let of_group = self.0.get(&(group.clone(), String::new()));
        let number = |word: &&String| !word.bytes().all(|b| b.is_ascii_digit());
        let of_words = words.iter().filter(number).map(|word| {
            let rule = self.0.get(&(String::new(), word.clone()));
            rule.ok_or(WORDS)
        });
        for rule in of_group.map(Ok).into_iter().chain(of_words) {
            let rule = rule?;
            if !rule.label.is_empty() {
                tails.push(rule.label.clone());
            }
            if !rule.finish.is_empty() {
                finish = &rule.finish;
            }
        }
        if tails.is_empty() && finish.is_empty() {
            return Err(PLAIN);
        }
        tails.sort();
        Ok((tails, finish))
    }
}

/// The texts in round and square brackets, in lower case.
fn in_brackets(text: &str) -> Vec<String> {
    text.split(['(', '['])
        .skip(1)
        .filter_map(|rest| rest.split([')', ']']).next())
        .map(str::to_lowercase)
        .collect()
}

/// Adds the special prints of a file to the cards whose name, number and total they bear.
pub(super) fn add(file: &str, bytes: &[u8], rows: &mut Rows) -> Result<(), Failure> {
    let rules = Rules::load()?;
    let mut bearing: HashMap<(String, u64, u64), Vec<usize>> = HashMap::new();
    for (place, card) in rows.cards.iter().enumerate() {
        let english = card.names.iter().find(|(language, _)| language == "en");
        if let Some((_, name)) = english.filter(|_| card.language == "english") {
            let key = (
                key_of(name),
                pack_number(&card.number),
                pack_number(&card.total),
            );
            bearing.entry(key).or_default().push(place);
        }
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Failure::new(format!("{file}: it is not UTF-8 ({error})")))?;
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut taken, mut added) = (0, 0);
    for (line, json) in (1..).zip(text.lines()) {
        let product: Product = serde_json::from_str(json)
            .map_err(|error| Failure::new(format!("{file}:{line}: {error}")))?;
        match take(&product, &rules, &bearing, rows) {
            Ok(new) => {
                taken += 1;
                added += new;
            }
            Err(why) => *left.entry(why).or_default() += 1,
        }
    }
    let left: Vec<String> = left.iter().map(|(why, n)| format!("{n} {why}")).collect();
    say(&format!(
        "{file}: {taken} products taken, which add {added} printings; left out: {}",
        left.join(", ")
    ));
    Ok(())
}

/// Adds a product's printings to its card; how many the card lacked.
fn take(
    product: &Product,
    rules: &Rules,
    bearing: &HashMap<(String, u64, u64), Vec<usize>>,
    rows: &mut Rows,
) -> Result<usize, &'static str> {
    let (number, total) = product.printed_number.split_once('/').ok_or(NO_NUMBER)?;
    let name = product.names.get("en").map_or("", String::as_str);
    let key = (key_of(name), pack_number(number), pack_number(total));
    let card = match bearing.get(&key).map_or(&[][..], Vec::as_slice) {
        [] => return Err(NO_CARD),
        [one] => &mut rows.cards[*one],
        _ => return Err(SEVERAL),
    };
    let (tails, finish) = rules.read(product)?;
    if card.printings.iter().all(|held| held.label.is_empty()) {
        return Err(UNLABELLED);
    }
    let stated: Vec<&str> = product.variants.iter().map(|v| v.r#type.as_str()).collect();
    let finishes = match (finish, stated.as_slice()) {
        ("Normal?", _) => vec![only_if(has_finish(card, "Normal"), "Normal")?],
        ("own", _) => vec![own_finish(card).ok_or(FINISH)?],
        ("", []) => return Err(FINISH),
        ("", stated) => stated.iter().map(|text| (*text).to_owned()).collect(),
        (finish, _) => vec![finish.to_owned()],
    };
    let ids = product
        .tcgplayer_ids
        .first()
        .map_or_else(MarketIds::default, |&id| MarketIds::new(id, 0));
    let mut added = 0;
    for finish in finishes {
        let label = if tails.is_empty() {
            finish
        } else {
            format!("{finish} [{}]", tails.join(", "))
        };
        added += usize::from(add_printing(card, &label, ids));
    }
    Ok(added)
}

fn only_if(holds: bool, finish: &str) -> Result<String, &'static str> {
    if holds {
        Ok(finish.to_owned())
    } else {
        Err(FINISH)
    }
}

/// Whether the card itself, without stamp or other mark, has a finish.
fn has_finish(card: &CardRow, finish: &str) -> bool {
    card.printings.iter().any(|held| held.label == finish)
}

/// The finish of the card beside its reverse holo, if it has only one.
fn own_finish(card: &CardRow) -> Option<String> {
    match [has_finish(card, "Normal"), has_finish(card, "Holofoil")] {
        [true, false] => Some("Normal".to_owned()),
        [false, true] => Some("Holofoil".to_owned()),
        _ => None,
    }
}

/// Adds a printing with its product. One that the card has gets the product if it has no other.
fn add_printing(card: &mut CardRow, label: &str, ids: MarketIds) -> bool {
    let slug = slug_of(label);
    let held = card.printings.iter().position(|held| held.slug == slug);
    let place = held.unwrap_or_else(|| {
        card.printings.push(Printing {
            label: label.to_owned(),
            slug,
        });
        card.printings.len() - 1
    });
    if card.market_ids.len() <= place {
        card.market_ids.resize(place + 1, MarketIds::default());
    }
    let known = &mut card.market_ids[place];
    known.tcgplayer = known.tcgplayer.or(ids.tcgplayer);
    while card.market_ids.last().is_some_and(MarketIds::is_empty) {
        card.market_ids.pop();
    }
    held.is_none()
}
