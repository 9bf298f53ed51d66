//! Names, sets, nicknames, products and illustrators → the keys that titles are searched for.

use super::Builder;
use super::card::{index_of, product_words, product_year, without_umlauts};
use super::{SHORT, within};
use crate::build::rows::{CardRow, SetRow};
use crate::build::vocabulary::ProductWord;
use crate::catalogue::format::{ArtistRecord, ProductRecord, U24};
use crate::catalogue::{AliasKind, Entry, EntryKind, NameQuality};
use crate::derive::romaji::romaji;
use crate::error::Error;
use crate::token::key_of;
use crate::trie::{self, Columns};
use crate::word_lists::{DECK_PRODUCTS, LEFT_OUT, LEFT_OUT_ARTICLES};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use zerocopy::little_endian::{U16, U32};

/// A set that is called by a number has so many digits: more are a year, fewer a count.
const DIGITS_OF_NAME: usize = 3;

/// What stands between a character and what it owns.
const OWNS: [&str; 3] = ["'s ", "’s ", "の"];

/// The products that cards came with.
pub(super) struct Products {
    pub(super) records: Vec<ProductRecord>,
    /// The words of each, one product's after another's.
    pub(super) words: Vec<U16>,
    /// For each word: how many cards came with a product that has it.
    pub(super) cards: Vec<U32>,
}

/// The large kana that sellers write for a small one: `シヤワーズ`.
fn large_kana(c: char) -> char {
    match c {
        'ァ' | 'ィ' | 'ゥ' | 'ェ' | 'ォ' | 'ッ' | 'ャ' | 'ュ' | 'ョ' => {
            char::from_u32(c as u32 + 1).unwrap_or(c)
        }
        _ => c,
    }
}

impl<'v> Builder<'v> {
    pub(super) fn lexicon_add(&mut self, alias: &str, entry: Entry) {
        let key = key_of(alias);
        if !key.is_empty() {
            self.lexicon.entry(key).or_default().insert(entry);
        }
    }

    /// Subjects in every language lead to the core.
    pub(super) fn add_subjects(&mut self) {
        let mut found: Vec<(String, Entry)> = Vec::new();
        for subject in &self.vocabulary.subjects {
            let Some(&(core, _)) = self.cores.get(&subject.key) else {
                continue;
            };
            for (language, name) in &subject.names {
                // romaji are words of other languages (`Thunder`, `Hunter`), names of languages
                // less often
                let quality = if *language == "romaji" {
                    NameQuality::Romaji
                } else {
                    NameQuality::Printed
                };
                let entry = Entry::new(EntryKind::Core, quality as u8, core);
                found.push((name.clone(), entry));
                if *language == "de" {
                    found.extend(without_umlauts(name).map(|written| (written, entry)));
                }
            }
            if let Some((_, ja)) = subject.names.iter().find(|n| n.0 == "ja") {
                for spelling in romaji(&key_of(ja)) {
                    found.push((
                        spelling,
                        Entry::new(EntryKind::Core, NameQuality::Romaji as u8, core),
                    ));
                }
                let large: String = ja.chars().map(large_kana).collect();
                if large != *ja {
                    let entry = Entry::new(EntryKind::Core, NameQuality::Derived as u8, core);
                    found.push((large, entry));
                }
            }
        }
        // trainers and things lead to theirs by the name itself, but where a part of it is an
        // everyday word: `Will` of `Will, Scholar of Frost`
        let named =
            |key: &String| self.lexicon.contains_key(key) || !self.vocabulary.is_common(key);
        let by_key: Vec<(String, u32)> = self
            .cores
            .iter()
            .filter(|(key, _)| named(key))
            .map(|(key, (number, _))| (key.clone(), *number))
            .collect();
        for (key, number) in by_key {
            self.lexicon.entry(key).or_default().insert(Entry::new(
                EntryKind::Core,
                NameQuality::Derived as u8,
                number,
            ));
        }
        for (alias, entry) in found {
            let key = key_of(&alias);
            // a derived spelling never takes a name from another card
            let taken = entry.quality() != NameQuality::Printed as u8
                && self.lexicon.get(&key).is_some_and(|e| {
                    e.iter()
                        .any(|e| matches!(e.kind(), EntryKind::Name | EntryKind::Core))
                });
            let common =
                entry.quality() != NameQuality::Printed as u8 && self.vocabulary.is_common(&key);
            if !taken && !common && !key.is_empty() {
                self.lexicon.entry(key).or_default().insert(entry);
            }
        }
    }

    /// Japanese names of trainers, things and subjects with an owner as they are written in Latin letters.
    pub(super) fn add_romaji(&mut self, cards: &[&CardRow], names: &[u32]) {
        let mut done: BTreeSet<(&str, u32)> = BTreeSet::new();
        for (card, &name) in cards.iter().zip(names) {
            let Some((_, ja)) = card.names.iter().find(|n| n.0 == "ja") else {
                continue;
            };
            if !done.insert((ja, name)) {
                continue;
            }
            for spelling in romaji(&key_of(ja)) {
                let key = key_of(&spelling);
                if key.len() >= 4
                    && !self.lexicon.contains_key(&key)
                    && !self.vocabulary.is_common(&key)
                {
                    self.lexicon.entry(key).or_default().insert(Entry::new(
                        EntryKind::Name,
                        NameQuality::Romaji as u8,
                        name,
                    ));
                }
            }
        }
    }

    /// In a game whose cards show subjects, the cards of things that a character owns are called after
    /// the character where a card bears that name alone: `Misty` is `Misty's Vitality`, too.
    pub(super) fn add_characters(&mut self, cards: &[&CardRow], names: &[u32]) {
        if self.vocabulary.subjects.is_empty() {
            return;
        }
        let printed =
            |e: &Entry| e.kind() == EntryKind::Name && e.name_quality() == NameQuality::Printed;
        let mut found: BTreeSet<(String, u32)> = BTreeSet::new();
        for (card, &name) in cards.iter().zip(names) {
            if !card.subjects.is_empty() {
                continue;
            }
            for (_, whole) in &card.names {
                let owner = OWNS.iter().find_map(|owns| whole.split_once(owns));
                let Some((owner, _)) = owner else { continue };
                let key = key_of(owner);
                let alone = self.lexicon.get(&key);
                if alone.is_some_and(|e| e.iter().any(printed)) {
                    found.insert((key, name));
                }
            }
        }
        for (key, name) in found {
            let entry = Entry::new(EntryKind::Name, NameQuality::Derived as u8, name);
            self.lexicon.entry(key).or_default().insert(entry);
        }
    }

    pub(super) fn add_nicknames(&mut self, ids: &[(&str, u32)], sets: &HashMap<String, u32>) {
        for nickname in &self.vocabulary.nicknames {
            if nickname.number.is_empty() {
                let keys = nickname.name.split('|').map(key_of);
                let entries: Vec<Entry> = keys
                    .filter_map(|key| self.lexicon.get(&key))
                    .flatten()
                    .copied()
                    .collect();
                for alias in &nickname.aliases {
                    for entry in entries.iter().filter(|e| {
                        matches!(
                            e.kind(),
                            EntryKind::Core | EntryKind::Name | EntryKind::Artist
                        )
                    }) {
                        self.lexicon_add(
                            alias,
                            Entry::new(entry.kind(), NameQuality::Nickname as u8, entry.id()),
                        );
                    }
                }
                continue;
            }
            let places = nickname.set.split('|').zip(nickname.number.split('|'));
            for (set, number) in places.filter(|(set, _)| sets.contains_key(*set)) {
                let id = format!("{set}-{number}");
                if let Ok(at) = ids.binary_search_by(|probe| probe.0.cmp(id.as_str())) {
                    self.add_nicknames_of_card(&nickname.aliases, ids[at].1);
                }
            }
        }
    }

    /// Adds nicknames of one card, or of one of several: what is printed on a card is a name, and names all
    /// cards that bear it.
    fn add_nicknames_of_card(&mut self, aliases: &[String], card: u32) {
        let printed =
            |e: &Entry| e.kind() == EntryKind::Name && e.name_quality() == NameQuality::Printed;
        for alias in aliases {
            let entries = self.lexicon.get(&key_of(alias));
            if !entries.is_some_and(|entries| entries.iter().any(printed)) {
                let entry = Entry::new(EntryKind::Card, NameQuality::Nickname as u8, card);
                self.lexicon_add(alias, entry);
            }
        }
    }

    /// Words of product names that tell products apart: those that the dictionary knows, and others
    /// that are not too frequent, and no subject.
    pub(super) fn add_words(
        &mut self,
        cards: &[&CardRow],
        products: &[&str],
    ) -> Result<Products, Error> {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        let known = &self.vocabulary.product_words;
        let of: Vec<Vec<String>> = products.iter().map(|p| product_words(p, known)).collect();
        let mut held = vec![0u32; products.len()];
        for card in cards {
            held[index_of(products, &card.product)] += 1;
        }
        for (words, cards) in of.iter().zip(held).filter(|(_, cards)| *cards > 0) {
            for word in words {
                *counts.entry(word.clone()).or_default() += cards;
            }
        }
        counts.retain(|word, &mut n| {
            let name = self.lexicon.get(word).is_some_and(|e| {
                e.iter()
                    .any(|e| matches!(e.kind(), EntryKind::Core | EntryKind::Name))
            });
            let known = known.iter().any(|w| w.word == *word);
            let rare = (n as usize) * 40 < cards.len().max(2000);
            (known || !name && rare) && !self.vocabulary.is_common(word)
        });
        // of a campaign that no card has the catalogue lacks the cards: all others contradict it
        let ours = |word: &&ProductWord| {
            let keys = word.aliases.iter().chain([&word.word]);
            let free = keys.into_iter().all(|key| !self.lexicon.contains_key(key));
            free && self.sets.iter().any(|set| set.game() == word.game)
        };
        for campaign in known.iter().filter(|word| word.campaign).filter(ours) {
            counts.entry(campaign.word.clone()).or_default();
        }
        within("words of products", counts.len(), SHORT)?;
        let words: Vec<(&String, &u32)> = counts.iter().collect();
        let mut flat = Vec::new();
        let records = products
            .iter()
            .zip(&of)
            .map(|(text, own)| {
                let first = flat.len();
                flat.extend(
                    own.iter()
                        .filter_map(|w| words.binary_search_by(|p| p.0.cmp(w)).ok())
                        .map(|w| U16::new(w as u16)),
                );
                let count = U16::new((flat.len() - first) as u16);
                ProductRecord {
                    text: self.strings.get(text),
                    first: U32::new(first as u32),
                    count,
                    year: U16::new(product_year(text)),
                }
            })
            .collect();
        for (number, (word, _)) in words.iter().enumerate() {
            // the dictionary's words name a campaign: a card without one contradicts them
            let campaign = known.iter().any(|w| w.word == **word && w.campaign);
            let entry = Entry::new(EntryKind::Word, u8::from(campaign), number as u32);
            self.lexicon
                .entry((*word).clone())
                .or_default()
                .insert(entry);
            for found in known.iter().filter(|w| w.word == **word) {
                for alias in &found.aliases {
                    self.lexicon.entry(alias.clone()).or_default().insert(entry);
                }
            }
        }
        Ok(Products {
            records,
            words: flat,
            cards: words.iter().map(|(_, n)| U32::new(**n)).collect(),
        })
    }

    /// Adds illustrators by full name, and by the family name if it is long enough not to be
    /// another word.
    pub(super) fn add_artists(
        &mut self,
        cards: &[&CardRow],
        artists: &[&str],
    ) -> Vec<ArtistRecord> {
        let mut records: Vec<ArtistRecord> = artists
            .iter()
            .map(|name| ArtistRecord {
                name: self.strings.get(name),
                cards: U24::default(),
            })
            .collect();
        for card in cards {
            let drawn = &mut records[index_of(artists, &card.illustrator)].cards;
            *drawn = U24::new(drawn.get() + 1);
        }
        for (number, name) in artists.iter().enumerate().skip(1) {
            let entry = Entry::new(EntryKind::Artist, 0, number as u32);
            if key_of(name).chars().count() >= 6 {
                self.lexicon_add(name, entry);
            }
            let family = name
                .split_whitespace()
                .last()
                .filter(|_| name.contains(' '))
                .map(key_of)
                .unwrap_or_default();
            if family.len() >= 5 && !self.lexicon.contains_key(&family) {
                self.lexicon.entry(family).or_default().insert(entry);
            }
        }
        records
    }

    /// Drops ids of sets that are what people call another set: `base2` is the id of Jungle, and
    /// `Base 2` is Base Set 2.
    pub(super) fn drop_ids_that_name_others(&mut self) {
        for (number, set) in self.sets.iter().enumerate() {
            let Some(entries) = self.lexicon.get_mut(&key_of(&set.id)) else {
                continue;
            };
            let of_set = |entry: &&Entry| entry.kind() == EntryKind::Set;
            let named = |entry: &Entry| entry.quality() <= AliasKind::Nickname as u8;
            let own = |entry: &&Entry| entry.id() == number as u32 && !named(entry);
            let own = entries.iter().filter(of_set).find(own).copied();
            let others = entries.iter().filter(of_set).any(named);
            if let (Some(own), true) = (own, others) {
                entries.remove(&own);
            }
        }
    }

    pub(super) fn add_set<'s>(&mut self, number: u32, set: &'s SetRow) {
        // `Uta` is a person before it is her starter deck
        let after_card = |name: &str| {
            let entries = self.lexicon.get(&key_of(name));
            let card = |e: &Entry| matches!(e.kind(), EntryKind::Core | EntryKind::Name);
            self.game.sets_after_cards && entries.is_some_and(|e| e.iter().any(card))
        };
        let common = |name: &str| self.vocabulary.is_common(&key_of(name));
        let own: Vec<&(String, String)> = (set.names.iter())
            .filter(|(_, name)| !common(name) && !after_card(name))
            .collect();
        let unless_card = |name: &'s str| if after_card(name) { "" } else { name };
        let codes = [&set.code, &set.abbreviation].map(|code| unless_card(code));
        let english = unless_card(&set.english);
        let mut add_one = |alias: &str, kind: AliasKind| {
            let key = key_of(alias);
            // a letter names no set, and a number only where it is a set's name: `151`
            let digits = key.bytes().all(|b| b.is_ascii_digit());
            let named = key.len() == DIGITS_OF_NAME && kind == AliasKind::Name;
            if key.chars().count() >= 2 && (!digits || named) {
                let entries = self.lexicon.entry(key).or_default();
                let same = entries
                    .iter()
                    .find(|e| e.kind() == EntryKind::Set && e.id() == number)
                    .copied();
                match same {
                    Some(known) if known.quality() <= kind as u8 => {}
                    Some(known) => {
                        entries.remove(&known);
                        entries.insert(Entry::new(EntryKind::Set, kind as u8, number));
                    }
                    None => {
                        entries.insert(Entry::new(EntryKind::Set, kind as u8, number));
                    }
                }
            }
        };
        let mut add = |alias: &str, kind: AliasKind| {
            add_one(alias, kind);
            if matches!(kind, AliasKind::Name | AliasKind::Label)
                && let Some(turned) = turned_deck(alias)
            {
                add_one(&turned, AliasKind::Nickname);
            }
        };
        for (language, name) in own {
            add(name, AliasKind::Name);
            if language == "en" {
                add(&without(name, LEFT_OUT_ARTICLES), AliasKind::Nickname);
                add(&without(name, LEFT_OUT), AliasKind::Nickname);
            }
            // `Duelist Genesis`; but not `List`
            let rest = name.strip_prefix("The ").filter(|rest| rest.contains(' '));
            add(rest.unwrap_or_default(), AliasKind::Nickname);
        }
        add(english, AliasKind::Name);
        for code in codes {
            add(code, AliasKind::Code);
        }
        if !set.id.contains(':') {
            add(&set.id, AliasKind::Code);
        }
        // what holds for every set of a series is stored once, under the series
        let series = format!("series:{}", set.series);
        for (alias, kind) in [&set.id, &series]
            .into_iter()
            .flat_map(|id| self.vocabulary.set_aliases.get(id))
            .flatten()
        {
            add(alias, *kind);
        }
    }

    /// Adds misspellings with the entries of the right spelling, unless they are names themselves.
    pub(super) fn add_misspellings(&mut self) {
        let mut found: Vec<(String, Vec<Entry>)> = Vec::new();
        for (right, wrong) in &self.vocabulary.misspellings {
            let Some(entries) = self.lexicon.get(&key_of(right)) else {
                continue;
            };
            for alias in wrong {
                let key = key_of(alias);
                let taken = self.lexicon.get(&key).is_some_and(|e| {
                    e.iter()
                        .any(|e| matches!(e.kind(), EntryKind::Name | EntryKind::Core))
                });
                if !taken && !key.is_empty() {
                    let moved = entries.iter().map(|e| match e.kind() {
                        EntryKind::Name | EntryKind::Core => {
                            Entry::new(e.kind(), NameQuality::Misspelt as u8, e.id())
                        }
                        _ => *e,
                    });
                    found.push((key, moved.collect()));
                }
            }
        }
        for (key, entries) in found {
            self.lexicon.entry(key).or_default().extend(entries);
        }
    }

    /// The lexicon, and the entries that its keys lead to.
    pub(super) fn lexicon_columns(&self) -> (Columns, Vec<U32>) {
        let mut entries: Vec<U32> = Vec::new();
        let mut places: HashMap<Vec<Entry>, u32> = HashMap::new();
        let mut keys: Vec<(&str, u32)> = Vec::with_capacity(self.lexicon.len());
        // a key longer than any word of a title would never be found
        for (key, values) in self
            .lexicon
            .iter()
            .filter(|(key, _)| key.len() <= trie::MAX_KEY)
        {
            let list: Vec<Entry> = values.iter().copied().collect();
            let place = *places.entry(list).or_insert_with_key(|list| {
                let place = entries.len() as u32;
                entries.extend(
                    list.iter()
                        .enumerate()
                        .map(|(i, e)| U32::new(e.to_bits(i + 1 == list.len()))),
                );
                place
            });
            keys.push((key, place));
        }
        (trie::build(&keys), entries)
    }
}

/// The name of a set without its small words has at least so many letters.
const LEAST_WITHOUT: usize = 12;

/// A name without such words: `Emperors New World` for `Emperors in the New World`. Empty if it has
/// none, or is short without them.
fn without(name: &str, words: &[&str]) -> String {
    let small = |word: &str| words.iter().any(|small| word.eq_ignore_ascii_case(small));
    let mut rest = String::with_capacity(name.len());
    for word in name.split(' ').filter(|word| !small(word)) {
        rest.push_str(word);
        rest.push(' ');
    }
    let rest = rest.trim_end();
    let letters = rest.chars().filter(|c| c.is_alphabetic()).count();
    if rest.len() == name.len() || letters < LEAST_WITHOUT || !rest.contains(' ') {
        return String::new();
    }
    rest.to_owned()
}

/// The name of a deck turned round: `Worst Generation Starter Deck` for `Starter Deck 2: Worst
/// Generation`, and `Structure Deck Zombie World` for `Zombie World Structure Deck`.
fn turned_deck(name: &str) -> Option<String> {
    DECK_PRODUCTS.iter().find_map(|deck| {
        let (name, turned) = if let Some(rest) = name.strip_prefix(deck) {
            let name = rest.split_once(": ").map_or(rest, |(_, name)| name).trim();
            (name, format!("{name} {deck}"))
        } else {
            let name = name.strip_suffix(deck)?.trim();
            (name, format!("{deck} {name}"))
        };
        name.starts_with(char::is_alphabetic).then_some(turned)
    })
}
