//! Cards and sets as they are written: the members of our JSON Lines that a source states.

use serde::Serialize;
use std::collections::BTreeMap;
use titledex_command::Failure;

/// A card. Members without a value are not written.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardFacts {
    /// Where the source states it, for messages.
    #[serde(skip)]
    pub(super) place: String,
    pub(super) id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) game: String,
    pub(super) region: String,
    pub(super) set: String,
    pub(super) number: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) printed_number: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) denominator: String,
    pub(super) names: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) category: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) dex_id: Vec<u16>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) rarity: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) variants: Vec<Variant>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) illustrator: String,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) hp: u16,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tcgplayer_ids: Vec<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) cardmarket_ids: Vec<u32>,
}

fn is_zero(value: &u16) -> bool {
    *value == 0
}

/// A printing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Variant {
    pub(super) r#type: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) subtype: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) stamp: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) foil: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) size: Vec<String>,
}

/// A set.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetFacts {
    #[serde(skip)]
    pub(super) place: String,
    pub(super) id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) game: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) code: String,
    pub(super) region: String,
    pub(super) names: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) serie: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) release_date: String,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) official_count: u16,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) abbreviation: String,
}

/// What was read of a source, by id. What several files state of one card or set becomes one.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) cards: BTreeMap<String, CardFacts>,
    pub(super) sets: BTreeMap<String, SetFacts>,
    /// What was left out or mended, and how often.
    pub(super) left: BTreeMap<&'static str, usize>,
}

impl Facts {
    /// Adds a card, or its names and what else is new to the card of that id.
    pub(super) fn card(&mut self, card: CardFacts) {
        use std::collections::btree_map::Entry;
        match self.cards.entry(card.id.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(card);
            }
            Entry::Occupied(mut entry) => {
                let held = entry.get_mut();
                held.names.extend(card.names);
                for variant in card.variants {
                    if !held.variants.contains(&variant) {
                        held.variants.push(variant);
                    }
                }
                if held.denominator.is_empty() && !card.denominator.is_empty() {
                    held.printed_number = card.printed_number;
                    held.denominator = card.denominator;
                }
                for (held, new) in [
                    (&mut held.category, card.category),
                    (&mut held.rarity, card.rarity),
                    (&mut held.illustrator, card.illustrator),
                ] {
                    if held.is_empty() {
                        *held = new;
                    }
                }
                if held.dex_id.is_empty() {
                    held.dex_id = card.dex_id;
                }
                if held.hp == 0 {
                    held.hp = card.hp;
                }
            }
        }
    }

    /// Adds a set, or its names to the set of that id; the earliest date and a known count stay.
    pub(super) fn set(&mut self, set: SetFacts) {
        use std::collections::btree_map::Entry;
        match self.sets.entry(set.id.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(set);
            }
            Entry::Occupied(mut entry) => {
                let held = entry.get_mut();
                held.names.extend(set.names);
                held.official_count = held.official_count.max(set.official_count);
                let earlier = held.release_date.is_empty() || set.release_date < held.release_date;
                if earlier && !set.release_date.is_empty() {
                    held.release_date = set.release_date;
                }
                for (held, new) in [
                    (&mut held.serie, set.serie),
                    (&mut held.abbreviation, set.abbreviation),
                ] {
                    if held.is_empty() {
                        *held = new;
                    }
                }
            }
        }
    }

    /// Adds the sets that only cards name, so that the cards can be read together with the sets.
    pub(super) fn name_sets(&mut self) {
        for card in self.cards.values() {
            if !self.sets.contains_key(&card.set) {
                let set = SetFacts {
                    place: card.place.clone(),
                    id: card.set.clone(),
                    game: card.game.clone(),
                    code: card.set.rsplit(':').next().unwrap_or_default().to_owned(),
                    region: card.region.clone(),
                    ..SetFacts::default()
                };
                self.sets.insert(set.id.clone(), set);
            }
        }
    }

    /// Takes the characters that are not seen out of all texts, which sources have by mistake.
    pub(super) fn clean(&mut self) {
        fn cleaned(text: &mut String) -> bool {
            let seen = text.trim();
            if seen.len() == text.len() && !text.chars().any(char::is_control) {
                return false;
            }
            let words: Vec<&str> = seen.split(|c: char| c.is_control() || c == ' ').collect();
            *text = words
                .into_iter()
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" ");
            true
        }
        let mut count = 0;
        for card in self.cards.values_mut() {
            let own = [&mut card.rarity, &mut card.illustrator, &mut card.category];
            let texts = card.names.values_mut().chain(own);
            count += texts.map(cleaned).filter(|changed| *changed).count();
        }
        for set in self.sets.values_mut() {
            let texts = set
                .names
                .values_mut()
                .chain([&mut set.serie, &mut set.abbreviation]);
            count += texts.map(cleaned).filter(|changed| *changed).count();
        }
        if count > 0 {
            *self
                .left
                .entry("texts cleaned of characters that are not seen")
                .or_default() += count;
        }
    }

    /// Counts something that was left out.
    pub(super) fn leave(&mut self, what: &'static str) {
        *self.left.entry(what).or_default() += 1;
    }
}

/// Rows as JSON Lines.
pub(super) fn lines<'r, T: Serialize + 'r>(
    rows: impl Iterator<Item = &'r T>,
) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    for row in rows {
        let written = serde_json::to_writer(&mut out, row);
        written.map_err(|error| Failure::new(format!("the rows cannot be written: {error}")))?;
        out.push(b'\n');
    }
    Ok(out)
}
