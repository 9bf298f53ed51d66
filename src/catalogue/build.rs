//! [`Rows`] → the bytes of an index.
//!
//! The same rows give the same bytes, in whatever order they come.

use super::format::{
    ArtistRecord, CardRecord, CoreRecord, LocalName, NONE16, NameRecord, PrintingRecord, ProductRecord, Section, SetRecord, card_flag, pack_number, set_flag, write,
};
use super::naming::{Parts, parts};
use super::rows::{CardRow, Printing, Rows, SetRow};
use super::vocabulary::{AliasKind, Vocabulary};
use super::{Entry, EntryKind, NameQuality};
use super::romaji::romaji;
use crate::dictionary::{Dictionary, builtin};
use crate::error::{Error, ErrorKind};
use crate::token::{Class, key_of};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use zerocopy::IntoBytes;
use zerocopy::little_endian::{U16, U32, U64};

/// Builds an index of `rows` with the vocabulary of this build (`dictionaries/`). `name` is what `catalogue info` shows.
///
/// # Errors
/// [`ErrorKind::Duplicate`] where two cards have one id, [`ErrorKind::Source`] where there is no card at all.
pub fn build(rows: &Rows, name: &str) -> Result<Vec<u8>, Error> {
    build_with(rows, name, builtin()?, &Vocabulary::builtin()?)
}

/// As [`build`], with vocabulary of one's own.
///
/// # Errors
/// As [`build`].
pub fn build_with(rows: &Rows, name: &str, dictionary: &Dictionary, vocabulary: &Vocabulary) -> Result<Vec<u8>, Error> {
    if rows.cards.is_empty() {
        return Err(Error::new(ErrorKind::Source, "the catalogue has no cards: give at least one file with cards"));
    }
    let mut sets: Vec<SetRow> = rows.sets.clone();
    let known: BTreeSet<&str> = rows.sets.iter().map(|s| s.id.as_str()).collect();
    let mut missing: BTreeMap<&str, &CardRow> = BTreeMap::new();
    for card in &rows.cards {
        if !known.contains(card.set.as_str()) {
            missing.entry(&card.set).or_insert(card);
        }
    }
    for (id, card) in missing {
        let region = if card.language == "english" { "international" } else { "asia" };
        sets.push(SetRow { id: id.to_owned(), code: id.to_owned(), region: region.into(), ..SetRow::default() });
    }
    sets.sort_by(|a, b| (&a.region, &a.released, &a.id).cmp(&(&b.region, &b.released, &b.id)).reverse());
    sets.reverse();
    if let Some(twin) = sets.windows(2).find(|w| w[0].id == w[1].id) {
        return Err(Error::new(ErrorKind::Duplicate, format!("set `{}` is given twice", twin[0].id)));
    }
    Builder::new(dictionary, vocabulary, sets).run(rows, name)
}

/// Strings, each once; number 0 is the empty one.
struct Strings {
    numbers: HashMap<String, u32>,
    list: Vec<String>,
}

impl Strings {
    fn new() -> Self {
        let mut strings = Strings { numbers: HashMap::new(), list: Vec::new() };
        strings.get("");
        strings
    }

    fn get(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.list.len() as u32;
        self.list.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

struct Builder<'v> {
    dictionary: &'v Dictionary,
    vocabulary: &'v Vocabulary,
    sets: Vec<SetRow>,
    strings: Strings,
    lexicon: BTreeMap<String, BTreeSet<Entry>>,
    cores: BTreeMap<String, (u32, BTreeSet<u16>)>,
    names: Vec<(Parts, String)>,
    name_numbers: HashMap<Parts, u32>,
    /// For each core: the name of it with the least beside the core.
    plain_names: HashMap<u32, u32>,
}

impl<'v> Builder<'v> {
    fn new(dictionary: &'v Dictionary, vocabulary: &'v Vocabulary, sets: Vec<SetRow>) -> Self {
        Builder {
            dictionary,
            vocabulary,
            sets,
            strings: Strings::new(),
            lexicon: BTreeMap::new(),
            cores: BTreeMap::new(),
            names: Vec::new(),
            name_numbers: HashMap::new(),
            plain_names: HashMap::new(),
        }
    }

    fn run(mut self, rows: &Rows, name: &str) -> Result<Vec<u8>, Error> {
        let printed: HashMap<&str, &(String, String, String)> = self.vocabulary.printed_numbers.iter().map(|p| (p.0.as_str(), p)).collect();
        let rows = &Rows {
            sets: Vec::new(),
            cards: rows
                .cards
                .iter()
                .map(|card| match printed.get(card.id.as_str()) {
                    Some((_, number, total)) => CardRow { number: number.clone(), total: total.clone(), number_unprinted: false, ..card.clone() },
                    None => card.clone(),
                })
                .collect(),
        };
        let set_numbers: HashMap<String, u32> = self.sets.iter().enumerate().map(|(i, s)| (s.id.clone(), i as u32)).collect();
        let mut cards: Vec<&CardRow> = rows.cards.iter().collect();
        cards.sort_by_key(|c| (set_numbers.get(&c.set).copied().unwrap_or(u32::MAX), natural(&c.number), c.id.clone()));
        let mut ids: Vec<(&str, u32)> = cards.iter().enumerate().map(|(i, c)| (c.id.as_str(), i as u32)).collect();
        ids.sort_unstable();
        if let Some(twin) = ids.windows(2).find(|w| w[0].0 == w[1].0) {
            return Err(Error::new(ErrorKind::Duplicate, format!("card `{}` is given twice", twin[0].0)));
        }

        let numbers: BTreeSet<u64> =
            cards.iter().flat_map(|c| [c.number.as_str(), c.total.as_str()]).filter(|t| !t.is_empty()).map(pack_number).collect();
        let numbers: Vec<u64> = numbers.into_iter().collect();
        let number_of = |text: &str| match text {
            "" => NONE16,
            text => numbers.binary_search(&pack_number(text)).map_or(NONE16, |i| i as u16),
        };
        if numbers.len() >= NONE16 as usize || self.sets.len() >= NONE16 as usize {
            return Err(Error::new(ErrorKind::Source, "a catalogue holds at most 65,534 sets and as many different numbers"));
        }

        let mut rarities: Vec<String> = cards.iter().flat_map(|c| [&c.rarity, &c.mark]).cloned().collect::<BTreeSet<_>>().into_iter().collect();
        rarities.truncate(255);
        let mut languages: Vec<String> = cards.iter().map(|c| c.language.clone()).collect::<BTreeSet<_>>().into_iter().collect();
        languages.truncate(255);
        let place = |list: &[String], value: &str| list.iter().position(|v| v == value).unwrap_or(0) as u8;

        let products: Vec<&str> = distinct(cards.iter().map(|c| c.product.as_str()));
        let artists: Vec<&str> = distinct(cards.iter().map(|c| c.illustrator.as_str()));
        let mut printing_lists: Vec<Vec<Printing>> = vec![Vec::new()];
        let mut printing_numbers: HashMap<Vec<Printing>, u16> = HashMap::from([(Vec::new(), 0)]);
        let mut local_lists: Vec<Vec<(String, String)>> = vec![Vec::new()];
        let mut local_numbers: HashMap<Vec<(String, String)>, u32> = HashMap::from([(Vec::new(), 0)]);

        let mut records: Vec<CardRecord> = Vec::with_capacity(cards.len());
        let mut set_records: Vec<SetRecord> = Vec::with_capacity(self.sets.len());
        let mut card_names: Vec<u32> = Vec::with_capacity(cards.len());
        for (index, card) in cards.iter().enumerate() {
            let name_number = self.name_of(card);
            card_names.push(name_number);
            let printings = *printing_numbers.entry(card.printings.clone()).or_insert_with(|| {
                printing_lists.push(card.printings.clone());
                (printing_lists.len() - 1) as u16
            });
            let locals = *local_numbers.entry(card.names.clone()).or_insert_with(|| {
                local_lists.push(card.names.clone());
                (local_lists.len() - 1) as u32
            });
            for (quality, alias) in local_aliases(card) {
                self.lexicon_add(&alias, Entry::new(EntryKind::Name, quality as u8, name_number));
            }
            records.push(CardRecord {
                id: U32::new(self.strings.get(&card.id)),
                name: U32::new(name_number),
                locals: U32::new(locals),
                number_text: U32::new(self.strings.get(&card.number)),
                total_text: U32::new(self.strings.get(&card.total)),
                text: U32::new(self.strings.get(card_text(card))),
                product: U16::new(index_of(&products, &card.product)),
                illustrator: U16::new(index_of(&artists, &card.illustrator)),
                printings: U16::new(printings),
                set: U16::new(set_numbers.get(&card.set).map_or(NONE16, |&s| s as u16)),
                number: U16::new(number_of(&card.number)),
                total: U16::new(number_of(&card.total)),
                flags: U16::new(flags(card)),
                hp: u8::try_from(card.hp / 10).unwrap_or(0),
                rarity: place(&rarities, &card.rarity),
                mark: place(&rarities, &card.mark),
                language: place(&languages, &card.language),
            });
            debug_assert_eq!(records.len(), index + 1);
        }
        if printing_lists.len() >= NONE16 as usize {
            return Err(Error::new(ErrorKind::Source, "a catalogue holds at most 65,534 different lists of printings"));
        }

        mark_alternates(&mut records);
        // cores and their cards
        let mut core_cards: Vec<Vec<u32>> = vec![Vec::new(); self.cores.len()];
        let mut name_counts = vec![0u32; self.names.len()];
        for (card, &name) in card_names.iter().enumerate() {
            name_counts[name as usize] += 1;
            core_cards[self.cores[&self.names[name as usize].0.core].0 as usize].push(card as u32);
        }
        self.add_species();
        self.add_romaji(&cards, &card_names);
        self.add_nicknames(&ids, &set_numbers);
        for (number, set) in self.sets.clone().iter().enumerate() {
            self.add_set(number as u32, set);
        }
        self.add_misspellings();
        for (number, set) in self.sets.clone().iter().enumerate() {
            let first = records.partition_point(|r| (r.set.get() as usize) < number);
            let count = records[first..].partition_point(|r| r.set.get() as usize == number);
            let unprinted = count > 0 && records[first..first + count].iter().all(|r| r.flags.get() & card_flag::UNPRINTED != 0);
            let promo = set.official == 0
                && count > 0
                && cards[first..first + count].iter().filter(|c| c.rarity.eq_ignore_ascii_case("promo") || c.total.contains('-')).count() * 2 > count;
            let english = [&set.english, first_name(&set.names, "en")].into_iter().find(|n| !n.is_empty()).cloned();
            let local = set.names.iter().map(|n| &n.1).find(|n| !n.is_empty()).cloned().unwrap_or_default();
            set_records.push(SetRecord {
                id: U32::new(self.strings.get(&set.id)),
                code: U32::new(self.strings.get(&set.code)),
                name: U32::new(self.strings.get(english.as_deref().unwrap_or(if local.is_empty() { &set.id } else { &local }))),
                local_name: U32::new(self.strings.get(first_name(&set.names, "ja"))),
                series: U32::new(self.strings.get(&set.series)),
                first: U32::new(first as u32),
                count: U32::new(count as u32),
                released: U32::new(date(&set.released)),
                official: U16::new(set.official),
                asia: u8::from(set.region == "asia"),
                flags: if unprinted { set_flag::UNPRINTED } else { 0 } | if promo { set_flag::PROMO } else { 0 },
            });
        }

        let mut core_records = vec![CoreRecord::default(); self.cores.len()];
        let mut postings: Vec<U32> = Vec::with_capacity(records.len());
        let mut species: Vec<U32> = vec![U32::new(0); 2048];
        let cores: Vec<(String, u32, Vec<u16>)> =
            self.cores.iter().map(|(key, (number, dex))| (key.clone(), *number, dex.iter().copied().collect())).collect();
        let mut by_number = cores.clone();
        by_number.sort_by_key(|c| c.1);
        for (key, number, dex) in by_number {
            let list = &core_cards[number as usize];
            let mut record = CoreRecord {
                key: U32::new(self.strings.get(&key)),
                text: U32::new(self.strings.get(&self.core_text(&key, number))),
                first: U32::new(postings.len() as u32),
                count: U32::new(list.len() as u32),
                common: u8::from(dex.is_empty() && self.vocabulary.is_common(&key)),
                ..CoreRecord::default()
            };
            for (slot, one) in record.dex.iter_mut().zip(&dex) {
                *slot = U16::new(*one);
            }
            if let [one] = dex[..]
                && let Some(slot) = species.get_mut(one as usize)
            {
                *slot = U32::new(number + 1);
            }
            core_records[number as usize] = record;
            postings.extend(list.iter().map(|&card| U32::new(card)));
        }
        let name_records: Vec<NameRecord> = self
            .names
            .iter()
            .zip(&name_counts)
            .map(|((parts, text), &count)| NameRecord {
                text: U32::new(self.strings.get(text)),
                core: U32::new(self.cores[&parts.core].0),
                rest: U32::new(self.strings.get(&parts.rest)),
                marks: [U64::new(parts.marks.0 as u64), U64::new((parts.marks.0 >> 64) as u64)],
                cards: U32::new(count),
            })
            .collect();

        let (product_records, product_words, word_cards) = self.add_words(&cards, &products);
        let artist_records: Vec<ArtistRecord> = self.add_artists(&cards, &artists);
        let mut total_counts = vec![U32::new(0); numbers.len()];
        for record in &records {
            if let Some(count) = total_counts.get_mut(record.total.get() as usize) {
                *count += 1;
            }
        }
        let (number_starts, number_cards) = number_postings(&numbers, &records);
        let (printing_starts, printing_records) = flatten(&printing_lists, |p| PrintingRecord {
            label: U32::new(self.strings.get(&p.label)),
            slug: U32::new(self.strings.get(&p.slug)),
        });
        let (local_starts, local_records) = flatten(&local_lists, |(language, name)| LocalName {
            language: U32::new(self.strings.get(language)),
            name: U32::new(self.strings.get(name)),
        });
        let rarity_strings: Vec<U32> = rarities.iter().map(|r| U32::new(self.strings.get(r))).collect();
        let language_strings: Vec<U32> = languages.iter().map(|l| U32::new(self.strings.get(l))).collect();
        let cards_by_id: Vec<U32> = ids.iter().map(|&(_, card)| U32::new(card)).collect();
        let (lexicon, entries) = self.lexicon_bytes()?;
        let printing_count: usize = cards.iter().map(|c| c.printings.len().max(1)).sum();
        let about = format!("name={name}\ncards={}\nsets={}\nprintings={printing_count}\n", records.len(), set_records.len());

        let mut string_starts: Vec<U32> = Vec::with_capacity(self.strings.list.len() + 1);
        let mut string_bytes: Vec<u8> = Vec::new();
        for text in &self.strings.list {
            string_starts.push(U32::new(string_bytes.len() as u32));
            string_bytes.extend_from_slice(text.as_bytes());
        }
        string_starts.push(U32::new(string_bytes.len() as u32));

        let packed: Vec<U64> = numbers.iter().map(|&n| U64::new(n)).collect();
        let bytes = |records: &[U32]| records.as_bytes().to_vec();
        Ok(write(&[
            (Section::About, about.into_bytes()),
            (Section::StringStarts, bytes(&string_starts)),
            (Section::StringBytes, string_bytes),
            (Section::Sets, set_records.as_bytes().to_vec()),
            (Section::Cards, records.as_bytes().to_vec()),
            (Section::CardsById, bytes(&cards_by_id)),
            (Section::Names, name_records.as_bytes().to_vec()),
            (Section::Cores, core_records.as_bytes().to_vec()),
            (Section::CoreCards, bytes(&postings)),
            (Section::Numbers, packed.as_bytes().to_vec()),
            (Section::NumberStarts, bytes(&number_starts)),
            (Section::NumberCards, bytes(&number_cards)),
            (Section::LocalStarts, bytes(&local_starts)),
            (Section::LocalNames, local_records.as_bytes().to_vec()),
            (Section::PrintingStarts, bytes(&printing_starts)),
            (Section::Printings, printing_records.as_bytes().to_vec()),
            (Section::Rarities, bytes(&rarity_strings)),
            (Section::Languages, bytes(&language_strings)),
            (Section::Lexicon, lexicon),
            (Section::Entries, bytes(&entries)),
            (Section::Species, bytes(&species)),
            (Section::Products, product_records.as_bytes().to_vec()),
            (Section::ProductWords, product_words.as_bytes().to_vec()),
            (Section::WordCards, bytes(&word_cards)),
            (Section::Artists, artist_records.as_bytes().to_vec()),
            (Section::TotalCounts, bytes(&total_counts)),
        ]))
    }

    /// The number of the card's name, made at first sight.
    fn name_of(&mut self, card: &CardRow) -> u32 {
        let english = if card.english.is_empty() { first_name(&card.names, "en") } else { &card.english };
        let (text, language) = if english.is_empty() {
            card.names.first().map_or((card.id.clone(), "en".to_owned()), |n| (n.1.clone(), n.0.clone()))
        } else {
            (english.clone(), "en".to_owned())
        };
        let mut found = self.parts_of(&text, &language, &card.dex);
        // an English name that is a species of another card's dex number (forms, typing slips) still has its species as core
        if found.core.is_empty() {
            found.core = key_of(&text);
        }
        if found.core.is_empty() {
            found.core.clone_from(&card.id);
        }
        let dex: BTreeSet<u16> = card.dex.iter().copied().collect();
        let next = self.cores.len() as u32;
        let core = self.cores.entry(found.core.clone()).or_insert((next, BTreeSet::new()));
        if core.1.is_empty() {
            core.1 = dex;
        }
        let core_number = core.0;
        if let Some(&number) = self.name_numbers.get(&found) {
            return number;
        }
        let number = self.names.len() as u32;
        let beside = |p: &Parts| p.marks.count() as usize + p.rest.len();
        let plain = self.plain_names.entry(core_number).or_insert(number);
        if beside(&found) < self.names.get(*plain as usize).map_or(usize::MAX, |n| beside(&n.0)) {
            *plain = number;
        }
        self.names.push((found.clone(), text.clone()));
        self.name_numbers.insert(found, number);
        self.lexicon_add(&text, Entry::new(EntryKind::Name, NameQuality::Printed as u8, number));
        number
    }

    /// How people write a core: the species' English name, else the name with the fewest parts beside it.
    fn core_text(&self, key: &str, number: u32) -> String {
        if let Some(species) = self.vocabulary.species.iter().find(|s| s.key == key) {
            return species.names.first().map(|n| n.1.clone()).unwrap_or_default();
        }
        self.plain_names.get(&number).map(|&name| self.names[name as usize].1.clone()).unwrap_or_else(|| key.to_owned())
    }

    fn parts_of(&self, text: &str, language: &str, dex: &[u16]) -> Parts {
        let species: Vec<String> = dex.iter().filter_map(|&d| self.vocabulary.species_key(d, language)).collect();
        let mut found = parts(self.dictionary, text, &species);
        if language != "en" && !species.is_empty() && found.core == super::naming::species_core(&species) {
            let english: Vec<String> = dex.iter().filter_map(|&d| self.vocabulary.species_key(d, "en")).collect();
            found.core = super::naming::species_core(&english);
        }
        found
    }

    fn lexicon_add(&mut self, alias: &str, entry: Entry) {
        let key = key_of(alias);
        if !key.is_empty() {
            self.lexicon.entry(key).or_default().insert(entry);
        }
    }

    /// Species in every language lead to the core.
    fn add_species(&mut self) {
        let mut found: Vec<(String, Entry)> = Vec::new();
        for species in &self.vocabulary.species {
            let Some(&(core, _)) = self.cores.get(&species.key) else { continue };
            for (language, name) in &species.names {
                // romaji are words of other languages (`Thunder`, `Hunter`), names of languages less often
                let quality = if *language == "romaji" { NameQuality::Derived } else { NameQuality::Printed };
                found.push((name.clone(), Entry::new(EntryKind::Core, quality as u8, core)));
            }
            if let Some((_, ja)) = species.names.iter().find(|n| n.0 == "ja") {
                for spelling in romaji(&key_of(ja)) {
                    found.push((spelling, Entry::new(EntryKind::Core, NameQuality::Derived as u8, core)));
                }
            }
        }
        // trainers and things lead to theirs by the name itself
        let by_key: Vec<(String, u32)> = self.cores.iter().map(|(key, (number, _))| (key.clone(), *number)).collect();
        for (key, number) in by_key {
            self.lexicon.entry(key).or_default().insert(Entry::new(EntryKind::Core, NameQuality::Derived as u8, number));
        }
        for (alias, entry) in found {
            let key = key_of(&alias);
            // a derived spelling never takes a name from another card
            let taken = entry.quality() != NameQuality::Printed as u8
                && self.lexicon.get(&key).is_some_and(|e| e.iter().any(|e| matches!(e.kind(), EntryKind::Name | EntryKind::Core)));
            if !taken && !key.is_empty() {
                self.lexicon.entry(key).or_default().insert(entry);
            }
        }
    }

    /// Japanese names of trainers, things and owners' Pokémon as they are written in Latin letters.
    fn add_romaji(&mut self, cards: &[&CardRow], names: &[u32]) {
        let mut done: BTreeSet<(&str, u32)> = BTreeSet::new();
        for (card, &name) in cards.iter().zip(names) {
            let Some((_, ja)) = card.names.iter().find(|n| n.0 == "ja") else { continue };
            if !done.insert((ja, name)) {
                continue;
            }
            for spelling in romaji(&key_of(ja)) {
                let key = key_of(&spelling);
                if key.len() >= 4 && !self.lexicon.contains_key(&key) {
                    self.lexicon.entry(key).or_default().insert(Entry::new(EntryKind::Name, NameQuality::Derived as u8, name));
                }
            }
        }
    }

    fn add_nicknames(&mut self, ids: &[(&str, u32)], sets: &HashMap<String, u32>) {
        for nickname in &self.vocabulary.nicknames {
            if nickname.number.is_empty() {
                let key = key_of(&nickname.name);
                let entries: Vec<Entry> = self.lexicon.get(&key).into_iter().flatten().copied().collect();
                for alias in &nickname.aliases {
                    for entry in entries.iter().filter(|e| matches!(e.kind(), EntryKind::Core | EntryKind::Name)) {
                        self.lexicon_add(alias, Entry::new(entry.kind(), NameQuality::Nickname as u8, entry.id()));
                    }
                }
                continue;
            }
            if !sets.contains_key(&nickname.set) {
                continue;
            }
            let id = format!("{}-{}", nickname.set, nickname.number);
            if let Ok(at) = ids.binary_search_by(|probe| probe.0.cmp(id.as_str())) {
                for alias in &nickname.aliases {
                    self.lexicon_add(alias, Entry::new(EntryKind::Card, NameQuality::Nickname as u8, ids[at].1));
                }
            }
        }
    }

    /// Words of product names that tell products apart: not too frequent, and no species.
    fn add_words(&mut self, cards: &[&CardRow], products: &[&str]) -> (Vec<ProductRecord>, Vec<U16>, Vec<U32>) {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        let of: Vec<Vec<String>> = products.iter().map(|p| product_words(p)).collect();
        for card in cards {
            for word in &of[index_of(products, &card.product) as usize] {
                *counts.entry(word.clone()).or_default() += 1;
            }
        }
        counts.retain(|word, &mut n| {
            let name = self.lexicon.get(word).is_some_and(|e| e.iter().any(|e| matches!(e.kind(), EntryKind::Core | EntryKind::Name)));
            !name && (n as usize) * 40 < cards.len().max(2000)
        });
        let words: Vec<(&String, &u32)> = counts.iter().take(NONE16 as usize).collect();
        let mut flat = Vec::new();
        let records = products
            .iter()
            .zip(&of)
            .map(|(text, own)| {
                let first = flat.len();
                flat.extend(own.iter().filter_map(|w| words.binary_search_by(|p| p.0.cmp(w)).ok()).map(|w| U16::new(w as u16)));
                let count = U16::new((flat.len() - first) as u16);
                ProductRecord { text: U32::new(self.strings.get(text)), first: U32::new(first as u32), count }
            })
            .collect();
        for (number, (word, _)) in words.iter().enumerate() {
            self.lexicon.entry((*word).clone()).or_default().insert(Entry::new(EntryKind::Word, 0, number as u32));
        }
        (records, flat, words.iter().map(|(_, n)| U32::new(**n)).collect())
    }

    /// Illustrators by full name, and by the family name where it is long enough to be no other word.
    fn add_artists(&mut self, cards: &[&CardRow], artists: &[&str]) -> Vec<ArtistRecord> {
        let mut records: Vec<ArtistRecord> =
            artists.iter().map(|name| ArtistRecord { name: U32::new(self.strings.get(name)), cards: U32::new(0) }).collect();
        for card in cards {
            records[index_of(artists, &card.illustrator) as usize].cards += 1;
        }
        for (number, name) in artists.iter().enumerate().skip(1) {
            let entry = Entry::new(EntryKind::Artist, 0, number as u32);
            if key_of(name).chars().count() >= 6 {
                self.lexicon_add(name, entry);
            }
            let family = name.split_whitespace().last().filter(|_| name.contains(' ')).map(key_of).unwrap_or_default();
            if family.len() >= 5 && !self.lexicon.contains_key(&family) {
                self.lexicon.entry(family).or_default().insert(entry);
            }
        }
        records
    }

    fn add_set(&mut self, number: u32, set: &SetRow) {
        let mut add = |alias: &str, kind: AliasKind| {
            let key = key_of(alias);
            // a bare number or letter names no set
            if key.chars().count() >= 2 && !key.bytes().all(|b| b.is_ascii_digit()) {
                let entries = self.lexicon.entry(key).or_default();
                let same = entries.iter().find(|e| e.kind() == EntryKind::Set && e.id() == number).copied();
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
        for (_, name) in &set.names {
            add(name, AliasKind::Name);
        }
        add(&set.english, AliasKind::Name);
        for code in [&set.code, &set.abbreviation] {
            add(code, AliasKind::Code);
        }
        if !set.id.contains(':') {
            add(&set.id, AliasKind::Code);
        }
        for (alias, kind) in self.vocabulary.set_aliases.get(&set.id).into_iter().flatten() {
            add(alias, *kind);
        }
    }

    /// Wrong spellings lead where the right one leads, unless they are a name themselves.
    fn add_misspellings(&mut self) {
        let mut found: Vec<(String, Vec<Entry>)> = Vec::new();
        for (right, wrong) in &self.vocabulary.misspellings {
            let Some(entries) = self.lexicon.get(&key_of(right)) else { continue };
            for alias in wrong {
                let key = key_of(alias);
                let taken = self.lexicon.get(&key).is_some_and(|e| e.iter().any(|e| matches!(e.kind(), EntryKind::Name | EntryKind::Core)));
                if !taken && !key.is_empty() {
                    let moved = entries.iter().map(|e| match e.kind() {
                        EntryKind::Name | EntryKind::Core => Entry::new(e.kind(), NameQuality::Misspelt as u8, e.id()),
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

    fn lexicon_bytes(&self) -> Result<(Vec<u8>, Vec<U32>), Error> {
        let fail = |e: fst::Error| Error::new(ErrorKind::Source, format!("the lexicon cannot be written: {e}"));
        let mut builder = fst::MapBuilder::memory();
        let mut entries: Vec<U32> = Vec::new();
        let mut places: HashMap<Vec<Entry>, u64> = HashMap::new();
        for (key, values) in &self.lexicon {
            let list: Vec<Entry> = values.iter().copied().collect();
            let place = *places.entry(list.clone()).or_insert_with(|| {
                let place = entries.len() as u64;
                entries.extend(list.iter().enumerate().map(|(i, e)| U32::new(e.to_bits(i + 1 == list.len()))));
                place
            });
            builder.insert(key, place).map_err(fail)?;
        }
        Ok((builder.into_inner().map_err(fail)?, entries))
    }
}

/// All names of a card as they are looked up: as printed in each language, and as sellers cut them.
fn local_aliases(card: &CardRow) -> Vec<(NameQuality, String)> {
    let mut out = Vec::new();
    let all = card.names.iter().map(|n| n.1.as_str()).chain([card.english.as_str()]).filter(|n| !n.is_empty());
    for name in all {
        out.push((NameQuality::Printed, name.to_owned()));
        if let Some((head, _)) = name.split_once(['(', '（'])
            && !head.trim().is_empty()
        {
            out.push((NameQuality::Derived, head.to_owned()));
        }
        if name.contains('&') {
            out.push((NameQuality::Derived, name.replace('&', " and ")));
            out.push((NameQuality::Derived, name.replace('&', " ")));
        }
        if name.contains('＆') {
            out.push((NameQuality::Derived, name.replace('＆', " ")));
        }
        if let Some((owner, rest)) = name.split_once("'s ").or_else(|| name.split_once("’s "))
            && !key_of(owner).is_empty()
        {
            out.push((NameQuality::Derived, format!("{owner} {rest}")));
        }
    }
    out
}

fn first_name<'n>(names: &'n [(String, String)], language: &str) -> &'n String {
    static EMPTY: String = String::new();
    names.iter().find(|n| n.0 == language).map_or(&EMPTY, |n| &n.1)
}

/// Flags cards that another hand drew than the first card of the same name and set.
fn mark_alternates(records: &mut [CardRecord]) {
    let mut first: HashMap<(u16, u32), u16> = HashMap::new();
    for record in records {
        let artist = record.illustrator.get();
        let plain = *first.entry((record.set.get(), record.name.get())).or_insert(artist);
        if artist != 0 && plain != 0 && artist != plain {
            record.flags = U16::new(record.flags.get() | card_flag::ALTERNATE);
        }
    }
}

/// The name that people read: English where one is known, else as printed.
fn card_text(card: &CardRow) -> &str {
    let english = first_name(&card.names, "en");
    [&card.english, english].into_iter().find(|n| !n.is_empty()).or_else(|| card.names.first().map(|n| &n.1)).map_or("", String::as_str)
}

/// All different texts in their order, the empty one first.
fn distinct<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut all: Vec<&str> = texts.chain([""]).collect::<BTreeSet<_>>().into_iter().collect();
    all.truncate(NONE16 as usize);
    all
}

/// Place of `text` in a list made by [`distinct`]; 0 where it was cut off.
fn index_of(list: &[&str], text: &str) -> u16 {
    list.binary_search(&text).map_or(0, |i| i as u16)
}

/// The words of a product's name that may stand in a title: long Latin words, and runs of kana or kanji.
fn product_words(product: &str) -> Vec<String> {
    let line = crate::token::tokenize(&crate::normalise::normalise(product));
    let mut words: Vec<String> = line
        .tokens()
        .iter()
        .filter(|t| matches!(t.class, Class::Latin | Class::Katakana | Class::Han))
        .map(|t| line.text(t.at as usize, t.end as usize).to_owned())
        .filter(|w| w.chars().count() >= if w.is_ascii() { 5 } else { 3 })
        .collect();
    words.sort();
    words.dedup();
    words
}

fn flags(card: &CardRow) -> u16 {
    let mut flags = 0;
    if !card.printings.is_empty() && card.printings.iter().any(|p| !p.label.is_empty()) {
        flags |= card_flag::PRINTINGS;
    }
    for printing in &card.printings {
        let (head, tail) = printing.label.split_once('[').unwrap_or((&printing.label, ""));
        flags |= match head.trim() {
            head if head.starts_with("Reverse") => card_flag::REVERSE,
            head if head.ends_with("Holofoil") => card_flag::HOLO,
            "" => 0,
            _ => card_flag::NORMAL,
        };
        for (word, flag) in [("1st Edition", card_flag::FIRST), ("Shadowless", card_flag::SHADOWLESS)] {
            if head.contains(word) {
                flags |= flag;
            }
        }
        if tail.contains("no rarity") || tail.contains("no-rarity") {
            flags |= card_flag::NO_RARITY;
        }
        if tail.contains("jumbo") {
            flags |= card_flag::JUMBO;
        }
    }
    if let (Ok(number), Ok(total)) = (card.number.parse::<u32>(), card.total.parse::<u32>())
        && number > total
    {
        flags |= card_flag::ABOVE;
    }
    if !card.dex.is_empty() || card.category == "Pokemon" {
        flags |= card_flag::POKEMON;
    }
    if card.category.contains("Energy") {
        flags |= card_flag::ENERGY;
    }
    if card.english_unsure {
        flags |= card_flag::UNSURE;
    }
    if card.number_unprinted {
        flags |= card_flag::UNPRINTED;
    }
    flags
}

/// `yyyy-mm-dd` as yyyymmdd; missing parts are 0.
fn date(text: &str) -> u32 {
    let mut parts = text.split(['-', '/', '.']).map(|p| p.parse::<u32>().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    next() * 10_000 + next().min(12) * 100 + next().min(31)
}

/// Numbers in the order that people count: `2` before `10`, `TG1` after `999`.
fn natural(number: &str) -> (bool, String, u32, String) {
    let digits = number.find(|c: char| c.is_ascii_digit()).unwrap_or(number.len());
    let (prefix, rest) = number.split_at(digits);
    let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    (!prefix.is_empty() || rest.is_empty(), prefix.to_owned(), rest[..len].parse().unwrap_or(0), rest[len..].to_owned())
}

fn number_postings(numbers: &[u64], records: &[CardRecord]) -> (Vec<U32>, Vec<U32>) {
    let mut lists: Vec<Vec<(u16, u32)>> = vec![Vec::new(); numbers.len()];
    for (card, record) in records.iter().enumerate() {
        if record.number.get() != NONE16 && record.flags.get() & card_flag::UNPRINTED == 0 {
            lists[record.number.get() as usize].push((record.total.get(), card as u32));
        }
    }
    for list in &mut lists {
        list.sort_unstable();
    }
    flatten(&lists, |&(_, card)| U32::new(card))
}

/// Lists as one list with the place where each begins.
fn flatten<T, R>(lists: &[Vec<T>], mut record: impl FnMut(&T) -> R) -> (Vec<U32>, Vec<R>) {
    let mut starts = Vec::with_capacity(lists.len() + 1);
    let mut all = Vec::new();
    for list in lists {
        starts.push(U32::new(all.len() as u32));
        all.extend(list.iter().map(&mut record));
    }
    starts.push(U32::new(all.len() as u32));
    (starts, all)
}

