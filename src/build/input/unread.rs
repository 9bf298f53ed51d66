//! What JSON Lines state that is not read: members that have another name here, and words that have
//! no meaning.

use super::json::Object;
use serde_json::Value;
use std::collections::BTreeMap;

/// The members of cards that are read.
pub(super) const CARD: [&str; 27] = [
    "cardmarketIds",
    "category",
    "denominator",
    "dexId",
    "dexIdInferred",
    "digital",
    "englishName",
    "englishNameMethod",
    "game",
    "hp",
    "id",
    "illustrator",
    "names",
    "number",
    "origin",
    "printedNumber",
    "product",
    "products",
    "promoTypes",
    "rarity",
    "rarityMark",
    "region",
    "set",
    "subjects",
    "tcgplayerIds",
    "treatments",
    "variants",
];
/// The members of their `variants` that are read.
pub(super) const VARIANT: [&str; 11] = [
    "cardmarketId",
    "editions",
    "foil",
    "languages",
    "looks",
    "rarity",
    "size",
    "stamp",
    "subtype",
    "tcgplayerId",
    "type",
];
/// The members of sets that are read.
pub(super) const SET: [&str; 13] = [
    "abbreviation",
    "code",
    "digital",
    "englishName",
    "game",
    "id",
    "names",
    "namesSuspect",
    "officialCount",
    "region",
    "releaseDate",
    "serie",
    "setType",
];

/// More members and words of one kind are not listed.
const MOST_LISTED: usize = 12;

/// What is not read of the lines of a file, with the number of lines.
#[derive(Default)]
pub(super) struct Unread {
    members: BTreeMap<String, usize>,
    types: BTreeMap<String, usize>,
    unnumbered: usize,
}

impl Unread {
    /// Notes the members of a line that are none of `known`.
    pub(super) fn members(&mut self, object: &Object<'_>, known: &[&str]) {
        for member in object.members().filter(|name| !known.contains(name)) {
            *self.members.entry(member.to_owned()).or_default() += 1;
        }
    }

    /// Notes the members of a card that are not read, those of its variants among them, and types of
    /// variants of which `is_type` knows none.
    pub(super) fn card(&mut self, object: &Object<'_>, is_type: impl Fn(&str) -> bool) {
        self.members(object, &CARD);
        let mut members: Vec<&str> = Vec::new();
        let mut types: Vec<&str> = Vec::new();
        let variants = object.list("variants").ok().flatten().unwrap_or_default();
        for variant in variants.iter().filter_map(Value::as_object) {
            let unknown = variant.keys().map(String::as_str);
            members.extend(unknown.filter(|name| !VARIANT.contains(name)));
            let kind = variant.get("type").and_then(Value::as_str);
            types.extend(kind.filter(|kind| !is_type(kind)));
        }
        for list in [&mut members, &mut types] {
            list.sort_unstable();
            list.dedup();
        }
        for member in members {
            let member = format!("variants.{member}");
            *self.members.entry(member).or_default() += 1;
        }
        for kind in types {
            *self.types.entry(kind.to_owned()).or_default() += 1;
        }
    }

    /// Notes a card that states no collector number.
    pub(super) fn unnumbered(&mut self) {
        self.unnumbered += 1;
    }

    /// A sentence for each kind; `types` are the types of variants that are known.
    pub(super) fn notes(self, file: &str, types: &[&str]) -> impl Iterator<Item = String> {
        let members = listed(&self.members);
        let members = members.map(|all| format!("{file}: members that are not read: {all}"));
        let types = listed(&self.types).map(|all| {
            let known = types.join(", ");
            format!("{file}: types of `variants` that become `Other`, being none of {known}: {all}")
        });
        let unnumbered = Some(lines(self.unnumbered)).filter(|_| self.unnumbered > 0);
        let unnumbered = unnumbered
            .map(|all| format!("{file}: cards without `number` and `printedNumber`: {all}"));
        [members, types, unnumbered].into_iter().flatten()
    }
}

fn lines(count: usize) -> String {
    format!("{count} {}", if count == 1 { "line" } else { "lines" })
}

/// What was counted, the most frequent first; `None` if there is nothing.
fn listed(counted: &BTreeMap<String, usize>) -> Option<String> {
    let mut all: Vec<(&String, &usize)> = counted.iter().collect();
    all.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let more = if all.len() > MOST_LISTED { ", …" } else { "" };
    let shown = all.iter().take(MOST_LISTED);
    let shown: Vec<String> = shown
        .map(|(name, count)| format!("`{name}` ({})", lines(**count)))
        .collect();
    (!shown.is_empty()).then(|| shown.join(", ") + more)
}
