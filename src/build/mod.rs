//! [`Rows`] → the bytes of an index.
//!
//! The same rows give the same bytes, in whatever order they come.

mod card;
pub mod input;
mod lexicon;
mod naming;
pub mod rows;
mod select;
pub mod vocabulary;

pub use select::Selection;

use crate::catalogue::format::{
    ArtistRecord, CardRecord, CoreRecord, LocalName, NONE, NameRecord, PrintingRecord, Section,
    SetRecord, U24, card_flag, set_flag, write,
};
use crate::catalogue::{Entry, EntryKind};
use crate::derive::mark_alternates;
use crate::dictionary::Dictionary;
use crate::error::{Error, ErrorKind};
use card::{
    Numbers, card_text, date, distinct, first_name, flags, flatten, index_of, local_aliases,
    natural, number_postings,
};
use naming::Parts;
use rows::{CardRow, Printing, Rows, SetRow};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use vocabulary::Vocabulary;
use zerocopy::IntoBytes;
use zerocopy::little_endian::{U16, U32, U64};

/// Builds an index of `rows` with the vocabulary of this build (`dictionaries/`). `name` is what `catalogue info` shows.
///
/// # Errors
/// [`ErrorKind::Duplicate`] where two cards have one id, [`ErrorKind::Source`] where there is no card at all.
pub fn build(rows: &Rows, name: &str) -> Result<Vec<u8>, Error> {
    build_with(
        rows,
        name,
        &*Dictionary::builtin()?,
        &Vocabulary::builtin()?,
    )
}

/// As [`build`], of the cards that are selected alone.
///
/// # Errors
/// As [`build`].
pub fn build_selected(rows: &Rows, name: &str, selection: &Selection) -> Result<Vec<u8>, Error> {
    build_with(
        &selection.of(rows),
        name,
        &*Dictionary::builtin()?,
        &selection.vocabulary(Vocabulary::builtin()?),
    )
}

/// As [`build`], with vocabulary of one's own.
///
/// # Errors
/// As [`build`].
pub fn build_with(
    rows: &Rows,
    name: &str,
    dictionary: &Dictionary,
    vocabulary: &Vocabulary,
) -> Result<Vec<u8>, Error> {
    if rows.cards.is_empty() {
        return Err(Error::new(
            ErrorKind::Source,
            "the catalogue has no cards: give at least one file with cards",
        ));
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
        let region = if card.language == "english" {
            "international"
        } else {
            "asia"
        };
        sets.push(SetRow {
            id: id.to_owned(),
            code: id.to_owned(),
            region: region.into(),
            ..SetRow::default()
        });
    }
    sets.sort_by(|a, b| {
        (&a.region, &a.released, &a.id)
            .cmp(&(&b.region, &b.released, &b.id))
            .reverse()
    });
    sets.reverse();
    if let Some(twin) = sets.windows(2).find(|w| w[0].id == w[1].id) {
        return Err(Error::new(
            ErrorKind::Duplicate,
            format!("set `{}` is given twice", twin[0].id),
        ));
    }
    Builder::new(dictionary, vocabulary, sets).run(rows, name)
}

/// Strings, each once; number 0 is the empty one.
struct Strings {
    numbers: HashMap<Box<str>, U24>,
    /// All of them, one after another, and where each begins.
    bytes: String,
    starts: Vec<U32>,
}

impl Strings {
    fn new() -> Self {
        let mut strings = Strings {
            numbers: HashMap::new(),
            bytes: String::new(),
            starts: Vec::new(),
        };
        strings.get("");
        strings
    }

    /// The number of `text`, given at first sight. How many there are is looked at when all are known: until then those that do not fit
    /// have the last number.
    fn get(&mut self, text: &str) -> U24 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = U24::new((self.starts.len() as u32).min(NONE));
        self.starts.push(U32::new(self.bytes.len() as u32));
        self.bytes.push_str(text);
        self.numbers.insert(text.into(), number);
        number
    }
}

/// How many of a thing the format has numbers for, by the width of the number; the highest stands for nothing.
const BYTE: usize = u8::MAX as usize;
const SHORT: usize = u16::MAX as usize;
const WIDE: usize = NONE as usize;

/// Refuses a catalogue that has more of `what` than the format has numbers for.
fn within(what: &str, count: usize, most: usize) -> Result<(), Error> {
    if count <= most {
        return Ok(());
    }
    let message = format!(
        "the catalogue has {count} {what}, an index holds at most {most}: divide it into several catalogues"
    );
    Err(Error::new(ErrorKind::TooLarge, message))
}

/// Whether the set's name says that its cards are promos; few sources give each card that rarity.
fn is_promo(set: &SetRow) -> bool {
    let names = set.names.iter().map(|n| &n.1).chain([&set.english]);
    names
        .flat_map(|name| name.split([' ', '(', ')']))
        .any(|word| ["Promo", "Promos", "Promotional", "プロモカード"].contains(&word))
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
    fn completed<'r>(&self, cards: &'r [CardRow]) -> Vec<Cow<'r, CardRow>> {
        // a name that some card has in English is that name on all cards
        let mut twins: HashMap<&str, &str> = HashMap::new();
        for card in cards
            .iter()
            .filter(|c| !c.english.is_empty() && !c.english_unsure)
        {
            for (_, name) in card.names.iter().filter(|n| n.0 != "en") {
                let twin = twins.entry(name).or_insert(&card.english);
                // of several English names the first in the alphabet, so that the order of the rows says nothing
                *twin = (*twin).min(&card.english);
            }
        }
        let printed: HashMap<&str, &(String, String, String)> = self
            .vocabulary
            .printed_numbers
            .iter()
            .map(|p| (p.0.as_str(), p))
            .collect();
        let mut out: Vec<Cow<'r, CardRow>> = cards.iter().map(Cow::Borrowed).collect();
        for card in &mut out {
            let known = if card.english.is_empty() {
                first_name(&card.names, "en")
            } else {
                &card.english
            };
            if let Some(english) = card
                .names
                .iter()
                .filter(|n| n.0 != "en")
                .find_map(|n| self.vocabulary.english(&n.1, known))
            {
                let card = card.to_mut();
                (card.english, card.english_unsure) = (english.to_owned(), false);
            }
            if card.english.is_empty() && first_name(&card.names, "en").is_empty() {
                let twin = card.names.iter().find_map(|n| twins.get(n.1.as_str()));
                match twin {
                    Some(twin) => card.to_mut().english = (*twin).to_owned(),
                    None => {
                        card.to_mut().english_derived = self.derived_name(card).unwrap_or_default()
                    }
                }
            }
            // `Raikou & Suicune LEGEND`: the source has the number of the first alone
            let english = if card.english.is_empty() {
                first_name(&card.names, "en")
            } else {
                &card.english
            };
            if english.contains('&') && !card.dex.is_empty() {
                let mut dex: Vec<u16> = english
                    .split('&')
                    .filter_map(|part| self.vocabulary.species_in(part))
                    .chain(card.dex.iter().copied())
                    .collect();
                dex.sort_unstable();
                dex.dedup();
                card.to_mut().dex = dex;
            }
            if let Some((_, number, total)) = printed.get(card.id.as_str()) {
                let card = card.to_mut();
                (card.number, card.total, card.number_unprinted) =
                    (number.clone(), total.clone(), false);
            }
        }
        out
    }

    fn run(mut self, rows: &Rows, name: &str) -> Result<Vec<u8>, Error> {
        let rows = self.completed(&rows.cards);
        let set_numbers: HashMap<String, u32> = self
            .sets
            .iter()
            .enumerate()
            .map(|(i, s)| (s.id.clone(), i as u32))
            .collect();
        let mut cards: Vec<&CardRow> = rows.iter().map(Cow::as_ref).collect();
        cards.sort_by_cached_key(|&c| {
            (
                set_numbers.get(&c.set).copied().unwrap_or(u32::MAX),
                natural(&c.number),
                c.id.as_str(),
            )
        });
        let mut ids: Vec<(&str, u32)> = cards
            .iter()
            .enumerate()
            .map(|(i, c)| (c.id.as_str(), i as u32))
            .collect();
        ids.sort_unstable();
        if let Some(twin) = ids.windows(2).find(|w| w[0].0 == w[1].0) {
            return Err(Error::new(
                ErrorKind::Duplicate,
                format!("card `{}` is given twice", twin[0].0),
            ));
        }

        within("cards", cards.len(), WIDE)?;
        within("sets", self.sets.len(), WIDE)?;
        let numbers = Numbers::of(
            cards
                .iter()
                .flat_map(|c| [c.number.as_str(), c.total.as_str()]),
        )?;

        let rarities = distinct(
            "rarities and rarity marks",
            BYTE,
            cards
                .iter()
                .flat_map(|c| [c.rarity.as_str(), c.mark.as_str()]),
        )?;
        let languages = distinct("languages", BYTE, cards.iter().map(|c| c.language.as_str()))?;
        let codes = distinct(
            "language codes",
            BYTE,
            cards.iter().flat_map(|c| &c.names).map(|n| n.0.as_str()),
        )?;
        let products = distinct("products", SHORT, cards.iter().map(|c| c.product.as_str()))?;
        let artists = distinct(
            "illustrators",
            SHORT,
            cards.iter().map(|c| c.illustrator.as_str()),
        )?;
        let mut printing_lists: Vec<&[Printing]> = vec![&[]];
        let mut printing_numbers: HashMap<&[Printing], u32> = HashMap::from([(&[][..], 0)]);
        let mut local_lists: Vec<&[(String, String)]> = vec![&[]];
        let mut local_numbers: HashMap<&[(String, String)], u32> = HashMap::from([(&[][..], 0)]);
        // cards that share a name come by the thousand: what follows from it is worked out once
        let mut known_names = HashMap::new();
        let mut aliased: HashSet<(u32, &str, u32)> = HashSet::new();

        let mut records: Vec<CardRecord> = Vec::with_capacity(cards.len());
        let mut set_records: Vec<SetRecord> = Vec::with_capacity(self.sets.len());
        let mut card_names: Vec<u32> = Vec::with_capacity(cards.len());
        for (index, card) in cards.iter().enumerate() {
            let name_number = self.name_of(card, &mut known_names);
            card_names.push(name_number);
            let printings = *printing_numbers.entry(&card.printings).or_insert_with(|| {
                printing_lists.push(&card.printings);
                (printing_lists.len() - 1) as u32
            });
            let locals = *local_numbers.entry(&card.names).or_insert_with(|| {
                local_lists.push(&card.names);
                (local_lists.len() - 1) as u32
            });
            if aliased.insert((locals, &card.english, name_number)) {
                for (quality, alias) in local_aliases(card) {
                    self.lexicon_add(
                        &alias,
                        Entry::new(EntryKind::Name, quality as u8, name_number),
                    );
                }
            }
            let (number, number_text) = numbers.of_text(&card.number);
            let (total, total_text) = numbers.of_text(&card.total);
            records.push(CardRecord {
                id: self.strings.get(&card.id),
                name: U24::new(name_number),
                locals: U24::new(locals),
                text: self.strings.get(card_text(card)),
                set: U24::new(set_numbers.get(&card.set).copied().unwrap_or(NONE)),
                number: U24::new(number),
                total: U24::new(total),
                product: U16::new(index_of(&products, &card.product) as u16),
                illustrator: U16::new(index_of(&artists, &card.illustrator) as u16),
                // more of them are refused below
                printings: U16::new(printings as u16),
                flags: U16::new(flags(card)),
                number_text,
                total_text,
                hp: u8::try_from(card.hp / 10).unwrap_or(0),
                rarity: index_of(&rarities, &card.rarity) as u8,
                mark: index_of(&rarities, &card.mark) as u8,
                language: index_of(&languages, &card.language) as u8,
            });
            debug_assert_eq!(records.len(), index + 1);
        }
        within("different lists of printings", printing_lists.len(), SHORT)?;
        within("different lists of local names", local_lists.len(), WIDE)?;

        mark_alternates(&mut records);
        // cores and their cards
        let mut core_cards: Vec<Vec<u32>> = vec![Vec::new(); self.cores.len()];
        let mut name_counts = vec![0u32; self.names.len()];
        let name_cores: Vec<u32> = self
            .names
            .iter()
            .map(|(parts, _)| self.cores[&parts.core].0)
            .collect();
        for (card, &name) in card_names.iter().enumerate() {
            name_counts[name as usize] += 1;
            core_cards[name_cores[name as usize] as usize].push(card as u32);
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
            let unprinted = count > 0
                && records[first..first + count]
                    .iter()
                    .all(|r| r.flags.get() & card_flag::UNPRINTED != 0);
            let promo = is_promo(set)
                || count > 0
                    && cards[first..first + count]
                        .iter()
                        .filter(|c| c.rarity.eq_ignore_ascii_case("promo") || c.total.contains('-'))
                        .count()
                        * 2
                        > count;
            let english = [&set.english, first_name(&set.names, "en")]
                .into_iter()
                .find(|n| !n.is_empty())
                .cloned();
            let local = set
                .names
                .iter()
                .map(|n| &n.1)
                .find(|n| !n.is_empty())
                .cloned()
                .unwrap_or_default();
            set_records.push(SetRecord {
                id: self.strings.get(&set.id),
                code: self.strings.get(&set.code),
                name: self
                    .strings
                    .get(english.as_deref().unwrap_or(if local.is_empty() {
                        &set.id
                    } else {
                        &local
                    })),
                local_name: self.strings.get(first_name(&set.names, "ja")),
                series: self.strings.get(&set.series),
                first: U24::new(first as u32),
                count: U24::new(count as u32),
                released: U32::new(date(&set.released)),
                official: U16::new(set.official),
                asia: u8::from(set.region == "asia"),
                flags: if unprinted { set_flag::UNPRINTED } else { 0 }
                    | if promo { set_flag::PROMO } else { 0 },
            });
        }

        let mut core_records = vec![CoreRecord::default(); self.cores.len()];
        let mut postings: Vec<U24> = Vec::with_capacity(records.len());
        let mut species: Vec<U32> = vec![U32::new(0); 2048];
        let mut by_number: Vec<(String, u32, Vec<u16>)> = self
            .cores
            .iter()
            .map(|(key, (number, dex))| (key.clone(), *number, dex.iter().copied().collect()))
            .collect();
        by_number.sort_by_key(|c| c.1);
        let species_names = self.species_names();
        for (key, number, dex) in by_number {
            let list = &mut core_cards[number as usize];
            // by number, so that those of one number are found in a long list by bisection
            list.sort_by_key(|&card| (records[card as usize].printed_number(), card));
            let mut record = CoreRecord {
                key: self.strings.get(&key),
                text: self
                    .strings
                    .get(&self.core_text(&species_names, &key, number)),
                first: U24::new(postings.len() as u32),
                count: U24::new(list.len() as u32),
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
            postings.extend(list.iter().map(|&card| U24::new(card)));
        }
        let name_records: Vec<NameRecord> = self
            .names
            .iter()
            .zip(name_counts.iter().zip(&name_cores))
            .map(|((parts, text), (&count, &core))| NameRecord {
                text: self.strings.get(text),
                core: U24::new(core),
                rest: self.strings.get(&parts.rest),
                marks: [
                    U64::new(parts.marks.0 as u64),
                    U64::new((parts.marks.0 >> 64) as u64),
                ],
                cards: U24::new(count),
            })
            .collect();

        let products = self.add_words(&cards, &products)?;
        let artist_records: Vec<ArtistRecord> = self.add_artists(&cards, &artists);
        self.add_nicknames(&ids, &set_numbers);
        let mut total_counts = vec![U32::new(0); numbers.packed.len()];
        for record in &records {
            if let Some(count) = total_counts.get_mut(record.total.get() as usize) {
                *count += 1;
            }
        }
        let mut rarity_cards = vec![U32::new(0); rarities.len()];
        for number in records
            .iter()
            .flat_map(|r| [r.rarity, r.mark])
            .filter(|&number| number != 0)
        {
            rarity_cards[number as usize] += 1;
        }
        let mut pairs: Vec<u32> = (0..)
            .zip(&core_records)
            .filter(|(_, c)| c.dex[1].get() != 0)
            .map(|(core, _)| core)
            .collect();
        pairs.sort_by_key(|&core| core_records[core as usize].dex[0].get());
        let pairs: Vec<U24> = pairs.into_iter().map(U24::new).collect();
        let (number_starts, number_cards) = number_postings(numbers.packed.len(), &records);
        let (printing_starts, printing_records) = flatten(&printing_lists, |p| PrintingRecord {
            label: self.strings.get(&p.label),
            slug: self.strings.get(&p.slug),
        });
        let (local_starts, local_records) = flatten(&local_lists, |(language, name)| LocalName {
            language: index_of(&codes, language) as u8,
            name: self.strings.get(name),
        });
        let (text_starts, number_texts) = flatten(&numbers.texts, |text| self.strings.get(text));
        let mut strings_of = |list: &[&str]| -> Vec<U24> {
            list.iter().map(|text| self.strings.get(text)).collect()
        };
        let (rarity_strings, language_strings, code_strings) = (
            strings_of(&rarities),
            strings_of(&languages),
            strings_of(&codes),
        );
        let cards_by_id: Vec<U24> = ids.iter().map(|&(_, card)| U24::new(card)).collect();
        let (lexicon, entries) = self.lexicon_columns();
        let printing_count: usize = cards.iter().map(|c| c.printings.len().max(1)).sum();
        let about = format!(
            "name={name}\ncards={}\nsets={}\nprintings={printing_count}\n",
            records.len(),
            set_records.len()
        );

        within("strings", self.strings.starts.len(), WIDE)?;
        within(
            "bytes of strings",
            self.strings.bytes.len(),
            u32::MAX as usize,
        )?;
        let Strings {
            bytes: string_bytes,
            starts: mut string_starts,
            ..
        } = self.strings;
        string_starts.push(U32::new(string_bytes.len() as u32));

        let packed: Vec<U64> = numbers.packed.iter().map(|&n| U64::new(n)).collect();
        let bytes = |records: &[U32]| records.as_bytes().to_vec();
        let numbered = |records: &[U24]| records.as_bytes().to_vec();
        Ok(write(&[
            (Section::About, about.into_bytes()),
            (Section::StringStarts, bytes(&string_starts)),
            (Section::StringBytes, string_bytes.into_bytes()),
            (Section::Sets, set_records.as_bytes().to_vec()),
            (Section::Cards, records.as_bytes().to_vec()),
            (Section::CardsById, numbered(&cards_by_id)),
            (Section::Names, name_records.as_bytes().to_vec()),
            (Section::Cores, core_records.as_bytes().to_vec()),
            (Section::CoreCards, numbered(&postings)),
            (Section::Numbers, packed.as_bytes().to_vec()),
            (Section::NumberStarts, bytes(&number_starts)),
            (Section::NumberCards, numbered(&number_cards)),
            (Section::LocalStarts, bytes(&local_starts)),
            (Section::LocalNames, local_records.as_bytes().to_vec()),
            (Section::PrintingStarts, bytes(&printing_starts)),
            (Section::Printings, printing_records.as_bytes().to_vec()),
            (Section::Rarities, numbered(&rarity_strings)),
            (Section::Languages, numbered(&language_strings)),
            (Section::LexiconLabels, lexicon.labels),
            (Section::LexiconLinks, lexicon.links.as_bytes().to_vec()),
            (Section::LexiconTails, lexicon.tails),
            (Section::Entries, bytes(&entries)),
            (Section::Species, bytes(&species)),
            (Section::Products, products.records.as_bytes().to_vec()),
            (Section::ProductWords, products.words.as_bytes().to_vec()),
            (Section::WordCards, bytes(&products.cards)),
            (Section::Artists, artist_records.as_bytes().to_vec()),
            (Section::TotalCounts, bytes(&total_counts)),
            (Section::NumberTextStarts, bytes(&text_starts)),
            (Section::NumberTexts, numbered(&number_texts)),
            (Section::LanguageCodes, numbered(&code_strings)),
            (Section::RarityCards, bytes(&rarity_cards)),
            (Section::Pairs, numbered(&pairs)),
        ]))
    }
}
