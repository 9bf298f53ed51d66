//! [`Rows`] → the bytes of an index.
//!
//! The same rows give the same bytes, in whatever order they come.

mod card;
mod lexicon;

use super::format::{
    ArtistRecord, CardRecord, CoreRecord, LocalName, NONE16, NameRecord, PrintingRecord, Section, SetRecord, card_flag, pack_number,
    set_flag, write,
};
use super::naming::Parts;
use super::rows::{CardRow, Printing, Rows, SetRow};
use super::vocabulary::Vocabulary;
use super::{Entry, EntryKind};
use crate::dictionary::{Dictionary, builtin};
use crate::error::{Error, ErrorKind};
use card::{card_text, date, distinct, first_name, flags, flatten, index_of, local_aliases, mark_alternates, natural, number_postings};
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

/// Whether the set's name says that its cards are promos; few sources give each card that rarity.
fn is_promo(set: &SetRow) -> bool {
    let names = set.names.iter().map(|n| &n.1).chain([&set.english]);
    names.flat_map(|name| name.split([' ', '(', ')'])).any(|word| ["Promo", "Promos", "Promotional", "プロモカード"].contains(&word))
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

    /// The cards with what other cards and the dictionaries tell of them: English names, and the numbers that are printed on reprints.
    fn completed(&self, cards: &[CardRow]) -> Vec<CardRow> {
        // a name that some card has in English is that name on all cards
        let mut twins: HashMap<&str, &str> = HashMap::new();
        for card in cards.iter().filter(|c| !c.english.is_empty() && !c.english_unsure) {
            for (_, name) in card.names.iter().filter(|n| n.0 != "en") {
                let twin = twins.entry(name).or_insert(&card.english);
                // of several English names the first in the alphabet, so that the order of the rows says nothing
                *twin = (*twin).min(&card.english);
            }
        }
        let printed: HashMap<&str, &(String, String, String)> = self.vocabulary.printed_numbers.iter().map(|p| (p.0.as_str(), p)).collect();
        let mut out = cards.to_vec();
        for card in &mut out {
            let known = if card.english.is_empty() { first_name(&card.names, "en") } else { &card.english };
            if let Some(english) = card.names.iter().filter(|n| n.0 != "en").find_map(|n| self.vocabulary.english(&n.1, known)) {
                (card.english, card.english_unsure) = (english.to_owned(), false);
            }
            if card.english.is_empty() && first_name(&card.names, "en").is_empty() {
                let twin = card.names.iter().find_map(|n| twins.get(n.1.as_str()));
                card.english = twin.map_or(String::new(), |t| (*t).to_owned());
                if twin.is_none() {
                    card.english_derived = self.derived_name(card).unwrap_or_default();
                }
            }
            // `Raikou & Suicune LEGEND`: the source has the number of the first alone
            let english = if card.english.is_empty() { first_name(&card.names, "en") } else { &card.english };
            if english.contains('&') && !card.dex.is_empty() {
                let mut dex: Vec<u16> =
                    english.split('&').filter_map(|part| self.vocabulary.species_in(part)).chain(card.dex.iter().copied()).collect();
                dex.sort_unstable();
                dex.dedup();
                card.dex = dex;
            }
            if let Some((_, number, total)) = printed.get(card.id.as_str()) {
                (card.number, card.total, card.number_unprinted) = (number.clone(), total.clone(), false);
            }
        }
        out
    }

    fn run(mut self, rows: &Rows, name: &str) -> Result<Vec<u8>, Error> {
        let rows = self.completed(&rows.cards);
        let set_numbers: HashMap<String, u32> = self.sets.iter().enumerate().map(|(i, s)| (s.id.clone(), i as u32)).collect();
        let mut cards: Vec<&CardRow> = rows.iter().collect();
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

        let mut rarities: Vec<String> =
            cards.iter().flat_map(|c| [&c.rarity, &c.mark]).cloned().collect::<BTreeSet<_>>().into_iter().collect();
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
        for (number, set) in self.sets.clone().iter().enumerate() {
            self.add_set(number as u32, set);
        }
        self.add_misspellings();
        for (number, set) in self.sets.clone().iter().enumerate() {
            let first = records.partition_point(|r| (r.set.get() as usize) < number);
            let count = records[first..].partition_point(|r| r.set.get() as usize == number);
            let unprinted = count > 0 && records[first..first + count].iter().all(|r| r.flags.get() & card_flag::UNPRINTED != 0);
            let promo = is_promo(set)
                || count > 0
                    && cards[first..first + count]
                        .iter()
                        .filter(|c| c.rarity.eq_ignore_ascii_case("promo") || c.total.contains('-'))
                        .count()
                        * 2
                        > count;
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
        self.add_nicknames(&ids, &set_numbers);
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
}
