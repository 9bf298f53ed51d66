//! [`Deck`]: the cards of a catalogue by name, number, total, set and subject, for the generator to
//! draw from. Nothing here reads titles.

use super::words::Words;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use titledex::Catalogue;
use titledex::internals::catalogue::facts::CardFacts;
use titledex::internals::catalogue::format::{card_flag, pack_number};
use titledex::internals::token::key_of;

/// A card, with what comparisons need computed once.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    /// The catalogue's facts about it.
    pub(crate) facts: CardFacts<'a>,
    /// Keys of its names in all languages, and of their parts before a bracket.
    pub(crate) keys: Vec<String>,
    /// Its number, normalised; `None` if none is printed.
    pub(crate) number: Option<u64>,
    /// Its total, normalised.
    pub(crate) total: Option<u64>,
    /// The year of its set.
    pub(crate) year: Option<u16>,
    /// Its printings.
    pub(crate) printings: Printings,
}

/// The printings of a card, as far as they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Printings {
    /// The source lists them.
    pub(crate) known: bool,
    /// One is a 1st edition; another is always unlimited, then.
    pub(crate) first: bool,
    /// One is shadowless.
    pub(crate) shadowless: bool,
    /// One is holo.
    pub(crate) holo: bool,
    /// One is reverse holo.
    pub(crate) reverse: bool,
}

impl Printings {
    fn of(facts: &CardFacts<'_>) -> Printings {
        let has = |flag: u16| facts.flags & flag != 0;
        Printings {
            known: has(card_flag::PRINTINGS),
            first: has(card_flag::FIRST),
            shadowless: has(card_flag::SHADOWLESS),
            holo: has(card_flag::HOLO),
            reverse: has(card_flag::REVERSE),
        }
    }
}

impl Known<'_> {
    /// The name in a language.
    pub(crate) fn name_in(&self, language: &str) -> Option<&str> {
        self.facts
            .card
            .names
            .iter()
            .find(|local| local.language == language)
            .map(|local| local.name)
    }

    /// The English name, if it is certain.
    pub(crate) fn english(&self) -> Option<&str> {
        let name = self.facts.card.name;
        (self.facts.name_sure
            && name.bytes().any(|b| b.is_ascii_alphabetic())
            && !super::surface::is_japanese(name))
        .then_some(name)
    }
}

/// The key of a name of ASCII.
#[derive(Debug)]
pub(crate) struct PlainKey {
    pub(crate) key: String,
    /// Its [`letters`].
    pub(crate) letters: u32,
}

/// The letters of a key, one bit each.
pub(crate) fn letters(key: &str) -> u32 {
    key.bytes()
        .filter(u8::is_ascii_lowercase)
        .fold(0, |bits, b| bits | 1 << (b - b'a'))
}

/// The cards of a catalogue.
#[derive(Debug)]
pub(crate) struct Deck<'a> {
    /// The games that they are of.
    pub(crate) games: BTreeSet<&'a str>,
    /// The cards in the order of the index.
    pub(crate) cards: Vec<Known<'a>>,
    by_name: FxHashMap<String, Vec<u32>>,
    /// The keys of names of ASCII, by length.
    plain_keys: Vec<Vec<PlainKey>>,
    by_number: FxHashMap<u64, Vec<u32>>,
    by_core: FxHashMap<u32, Vec<u32>>,
    by_set: FxHashMap<&'a str, Vec<u32>>,
    set_owners: FxHashMap<String, BTreeSet<&'a str>>,
    by_total: FxHashMap<u64, Vec<u32>>,
}

impl<'a> Deck<'a> {
    /// The cards of a catalogue that are of one of `games`; all if none is given.
    pub(crate) fn new(catalogue: &'a Catalogue, words: &Words, games: &[String]) -> Self {
        let mut deck = Self {
            games: BTreeSet::new(),
            cards: Vec::with_capacity(catalogue.card_count()),
            by_name: FxHashMap::default(),
            plain_keys: Vec::new(),
            by_number: FxHashMap::default(),
            by_core: FxHashMap::default(),
            by_set: FxHashMap::default(),
            set_owners: FxHashMap::default(),
            by_total: FxHashMap::default(),
        };
        let wanted =
            |facts: &CardFacts<'_>| games.is_empty() || games.iter().any(|game| game == facts.game);
        for (at, facts) in (0u32..).zip(catalogue.facts().filter(wanted)) {
            deck.games.insert(facts.game);
            let known = known(facts);
            for key in &known.keys {
                deck.by_name.entry(key.clone()).or_default().push(at);
            }
            if let Some(number) = known.number {
                deck.by_number.entry(number).or_default().push(at);
            }
            if let Some(total) = known.total {
                deck.by_total.entry(total).or_default().push(at);
            }
            deck.by_core.entry(known.facts.core).or_default().push(at);
            let set = known.facts.card.set_id;
            let cards = deck.by_set.entry(set).or_default();
            if cards.is_empty() {
                let own = [
                    known.facts.card.set_name,
                    known.facts.set_code,
                    known.facts.set_local_name,
                ];
                let aliases = words.set_aliases(set).iter().map(|alias| alias.0.as_str());
                for key in own
                    .into_iter()
                    .chain(aliases)
                    .map(key_of)
                    .filter(|key| !key.is_empty())
                {
                    deck.set_owners.entry(key).or_default().insert(set);
                }
            }
            cards.push(at);
            deck.cards.push(known);
        }
        deck.add_subsets();
        for key in deck.by_name.keys().filter(|key| key.is_ascii()) {
            let lengths = deck.plain_keys.len().max(key.len() + 1);
            deck.plain_keys.resize_with(lengths, Vec::new);
            deck.plain_keys[key.len()].push(PlainKey {
                key: key.clone(),
                letters: letters(key),
            });
        }
        deck
    }

    /// The name of a set also means its subset: `Lost Origin` includes the cards of
    /// `Lost Origin Trainer Gallery`.
    fn add_subsets(&mut self) {
        let first = |cards: &Vec<u32>| {
            cards
                .first()
                .and_then(|at| self.cards.get(*at as usize))
                .map(|card| key_of(card.facts.card.set_name))
        };
        let names: Vec<(&'a str, String)> = self
            .by_set
            .iter()
            .filter_map(|(set, cards)| Some((*set, first(cards)?)))
            .collect();
        let mut subsets: FxHashMap<&'a str, Vec<&'a str>> = FxHashMap::default();
        for (set, name) in &names {
            // `swsh11tg` of `swsh11`; two sets with the same name cannot be distinguished.
            let of = |(other, longer): &&(&'a str, String)| {
                let letters = other.strip_prefix(set).is_some_and(|rest| {
                    !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_lowercase())
                });
                other != set
                    && !name.is_empty()
                    && (letters
                        || longer == name
                        || longer.starts_with(name.as_str()) && other.starts_with(set))
            };
            let found = names.iter().filter(of).map(|other| other.0).collect();
            subsets.insert(set, found);
        }
        for owners in self.set_owners.values_mut() {
            let more: Vec<&'a str> = owners
                .iter()
                .filter_map(|set| subsets.get(set))
                .flatten()
                .copied()
                .collect();
            owners.extend(more);
        }
    }

    /// The cards with a name.
    pub(crate) fn named(&self, key: &str) -> &[u32] {
        self.by_name.get(key).map_or(&[], Vec::as_slice)
    }

    /// The cards with a number.
    pub(crate) fn numbered(&self, number: u64) -> &[u32] {
        self.by_number.get(&number).map_or(&[], Vec::as_slice)
    }

    /// The cards of a subject, trainer or item.
    pub(crate) fn of_core(&self, core: u32) -> &[u32] {
        self.by_core.get(&core).map_or(&[], Vec::as_slice)
    }

    /// The sets with cards that `text` names.
    pub(crate) fn sets_called(&self, text: &str) -> BTreeSet<&'a str> {
        self.set_owners
            .get(&key_of(text))
            .cloned()
            .unwrap_or_default()
    }

    /// The cards with a total.
    pub(crate) fn of_total(&self, total: u64) -> &[u32] {
        self.by_total.get(&total).map_or(&[], Vec::as_slice)
    }

    /// The keys of names of ASCII that have this length.
    pub(crate) fn plain_keys(&self, length: usize) -> &[PlainKey] {
        self.plain_keys.get(length).map_or(&[], Vec::as_slice)
    }
}

fn known(facts: CardFacts<'_>) -> Known<'_> {
    let card = &facts.card;
    let mut keys: Vec<String> = Vec::new();
    for name in card.names.iter().map(|local| local.name).chain([card.name]) {
        keys.push(key_of(name));
        let bracket = ['(', '（', '['].iter().filter_map(|&sign| name.find(sign));
        if let Some(at) = bracket.min() {
            keys.push(key_of(&name[..at]));
        }
    }
    keys.retain(|key| !key.is_empty());
    keys.sort_unstable();
    keys.dedup();
    let printed = facts.number_printed;
    Known {
        number: card.number.filter(|_| printed).map(pack_number),
        total: card.total.filter(|_| printed).map(pack_number),
        year: card
            .released
            .as_deref()
            .and_then(|date| date.get(..4))
            .and_then(|year| year.parse().ok()),
        printings: Printings::of(&facts),
        keys,
        facts,
    }
}
