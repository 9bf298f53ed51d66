//! [`Rows`] → the bytes of an index.
//!
//! The same rows give the same bytes, in whatever order they come. Each game is built by itself,
//! and an index of several is those of its games merged: so a browser that merges packs reads
//! titles with the same bytes as the command.

mod audit;
mod card;
mod complete;
pub mod input;
mod lexicon;
mod names;
mod naming;
mod records;
pub mod rows;
mod select;
mod strings;
pub mod vocabulary;

pub use audit::{Contradictions, FalseName, contradictions};
pub use select::Selection;

use crate::catalogue::Entry;
use crate::catalogue::format::{
    ArtistRecord, CardRecord, LocalName, NONE, PrintingRecord, Section, U24, write,
};
use crate::derive::{
    by_set_and_number, column, mark_prints, number_postings, rarity_counts, total_counts,
};
use crate::dictionary::{Dictionary, Game, Region};
use crate::error::{Error, ErrorKind};
use crate::pack::merge;
use crate::sort::sort_by;
use card::{flatten, index_of};
use naming::Parts;
use records::{Values, ids_of, in_order, market_records};
use rows::{CardRow, FIRST_GAME, Rows, SetRow};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use strings::Strings;
use vocabulary::Vocabulary;
use zerocopy::IntoBytes;
use zerocopy::little_endian::{U32, U64};

/// Builds an index of `rows` with the vocabulary of this build (`dictionaries/`). `name` is what
/// `catalogue info` shows. Names and subjects that
/// [`contradictions`] finds are mended.
///
/// # Errors
/// [`ErrorKind::Duplicate`] if two cards have one id, [`ErrorKind::Source`] if there is no card at
/// all.
pub fn build(rows: &Rows, name: &str) -> Result<Vec<u8>, Error> {
    if rows.game_files.is_empty() {
        let dictionary = Dictionary::builtin()?;
        return build_with(rows, name, &dictionary, &*Vocabulary::builtin()?);
    }
    let own = || {
        let files = rows.game_files.iter();
        files.map(|(name, text)| (name.as_str(), text.as_str()))
    };
    let dictionary = Dictionary::with(own())?;
    let known = |file: &&(&str, &str)| vocabulary::is_file(file.0);
    let files = vocabulary::FILES.iter().copied();
    let files: Vec<(&str, &str)> = files.chain(own().filter(|file| known(&file))).collect();
    build_with(rows, name, &dictionary, &Vocabulary::load(&files)?)
}

/// Gives cards whose source names no subjects those that their names are made of: `Umbreon ex` is an
/// Umbreon, since subject and marks are all of its name, and `Umbreon Spirit Link` is not.
///
/// Without the dictionaries nothing is done, and [`build`] says what is wrong with them.
pub fn name_subjects(cards: &mut [CardRow]) {
    let (Ok(dictionary), Ok(vocabulary)) = (Dictionary::builtin(), Vocabulary::builtin()) else {
        return;
    };
    let games: BTreeSet<&str> = vocabulary
        .subjects
        .iter()
        .map(|s| s.game.as_str())
        .collect();
    for game in games {
        let own = vocabulary.of_game(game);
        let of_game = cards.iter_mut().filter(|card| card.game() == game);
        for card in of_game.filter(|card| card.subjects.is_empty()) {
            let english = ("en", card.english.as_str());
            let names = card.names.iter();
            let names = names.map(|(code, name)| (code.as_str(), name.as_str()));
            let mut found = std::iter::once(english)
                .chain(names)
                .map(|(code, name)| subjects_named(&dictionary, &own, name, code));
            if let Some(subjects) = found.find(|subjects| !subjects.is_empty()) {
                card.subjects = subjects;
            }
        }
    }
}

/// The subjects that a name in `language` is made of, several with `&` between them; none if one of
/// its parts has other words beside subjects and marks.
fn subjects_named(
    dictionary: &Dictionary,
    vocabulary: &Vocabulary,
    name: &str,
    language: &str,
) -> Vec<u16> {
    let of_part = |part: &str| {
        let within = vocabulary.subjects_within(part, language);
        within.into_iter().find(|&subject| {
            let key = vocabulary.subject_key(subject, language);
            let parts = naming::parts(dictionary, part, key.as_slice());
            Some(&parts.core) == key.as_ref() && parts.rest.is_empty()
        })
    };
    name.split(['&', '＆'])
        .map(of_part)
        .collect::<Option<Vec<u16>>>()
        .unwrap_or_default()
}

/// As [`build`], of the selected cards only.
///
/// # Errors
/// As [`build`].
pub fn build_selected(rows: &Rows, name: &str, selection: &Selection) -> Result<Vec<u8>, Error> {
    if selection.is_all() {
        return build(rows, name);
    }
    build_with(
        &selection.of(rows),
        name,
        &*Dictionary::builtin()?,
        &selection.vocabulary((*Vocabulary::builtin()?).clone()),
    )
}

/// As [`build`], with the caller's vocabulary.
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
    if rows.games().len() < 2 {
        return build_game(rows, name, dictionary, vocabulary);
    }
    let games = rows.by_game().into_values();
    merge(
        games.map(|rows| build_game(&rows, name, dictionary, vocabulary)),
        name,
        game_files(&rows.game_files),
    )
}

/// The index of rows of one game.
fn build_game(
    rows: &Rows,
    name: &str,
    dictionary: &Dictionary,
    vocabulary: &Vocabulary,
) -> Result<Vec<u8>, Error> {
    let id = rows.games().into_iter().next().unwrap_or(FIRST_GAME);
    let game = dictionary.game(id).ok_or_else(|| {
        let message = format!("the game `{id}` is not known: give the folder of its dictionary");
        Error::new(ErrorKind::Source, message)
    })?;
    let mut sets: Vec<SetRow> = rows.sets.clone();
    let known: BTreeSet<&str> = rows.sets.iter().map(|s| s.id.as_str()).collect();
    let mut first: BTreeMap<&str, &CardRow> = BTreeMap::new();
    for card in &rows.cards {
        first.entry(&card.set).or_insert(card);
    }
    for (id, card) in first.iter().filter(|(id, _)| !known.contains(*id)) {
        // the game stands before the ids of its sets, not in what sellers write
        let own = id.strip_prefix(card.game.as_str());
        let own = own.and_then(|rest| rest.strip_prefix(':')).unwrap_or(id);
        sets.push(SetRow {
            id: (*id).to_owned(),
            code: own.to_owned(),
            game: card.game.clone(),
            ..SetRow::default()
        });
    }
    for set in &mut sets {
        set.region = region(set, first.get(set.id.as_str()).copied(), game)?;
    }
    let place = |set: &SetRow| game.region_called(&set.region) == Some(0);
    sort_by(&mut sets, |a, b| {
        (place(a), &a.released, &a.id)
            .cmp(&(place(b), &b.released, &b.id))
            .reverse()
    });
    sets.reverse();
    if let Some(twin) = sets.windows(2).find(|w| w[0].id == w[1].id) {
        return Err(Error::new(
            ErrorKind::Duplicate,
            format!("set `{}` is given twice", twin[0].id),
        ));
    }
    Builder::new(dictionary, &vocabulary.of_game(id), game, sets).run(rows, name)
}

/// What `game` calls the region of a set, by what the row calls it, or by the language of its first
/// card.
fn region(set: &SetRow, first: Option<&CardRow>, game: &Game) -> Result<String, Error> {
    let place = match first {
        Some(card) if set.region.is_empty() => Some(game.region_of(&card.language)),
        _ => game.region_called(&set.region),
    };
    let region = place.and_then(|place| game.regions.get(place));
    region
        .map(|region| region.name().to_owned())
        .ok_or_else(|| {
            let names: Vec<&str> = game.regions.iter().map(Region::name).collect();
            let (id, names) = (&set.id, names.join(", "));
            let message = format!(
                "set `{id}`: the region `{}` is not one of: {names}",
                set.region
            );
            Error::new(ErrorKind::Source, message)
        })
}

/// The highest number of each width that the format has. The highest itself means "nothing".
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

/// The files of a game's dictionary that an index carries: those that titles are read by.
fn game_files(files: &[(String, String)]) -> Vec<u8> {
    let read = files
        .iter()
        .filter(|(name, _)| crate::dictionary::is_file(name));
    read.flat_map(|(name, text)| [name, text])
        .flat_map(|text| text.bytes().chain([0]))
        .collect()
}

struct Builder<'v> {
    dictionary: &'v Dictionary,
    vocabulary: &'v Vocabulary,
    /// The game of all cards.
    game: &'v Game,
    sets: Vec<SetRow>,
    /// The place of each set among them.
    set_numbers: HashMap<String, u32>,
    strings: Strings,
    lexicon: BTreeMap<String, BTreeSet<Entry>>,
    cores: BTreeMap<String, (u32, BTreeSet<u16>)>,
    names: Vec<(Parts, String)>,
    name_numbers: HashMap<Parts, u32>,
    /// For each core, its name with the fewest other parts.
    plain_names: HashMap<u32, u32>,
}

impl<'v> Builder<'v> {
    fn new(
        dictionary: &'v Dictionary,
        vocabulary: &'v Vocabulary,
        game: &'v Game,
        sets: Vec<SetRow>,
    ) -> Self {
        Builder {
            dictionary,
            vocabulary,
            game,
            set_numbers: (0..)
                .zip(&sets)
                .map(|(number, set)| (set.id.clone(), number))
                .collect(),
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
        let rows_files = &rows.game_files;
        let rows = self.completed(&rows.cards);
        let cards = in_order(rows.iter().map(Cow::as_ref), &self.set_numbers);
        let ids = ids_of(&cards)?;
        within("cards", cards.len(), WIDE)?;
        within("sets", self.sets.len(), WIDE)?;
        let values = Values::of(&cards)?;
        // strings are numbered as they are met: the order of what follows is the order in the index
        let (mut records, card_names, lists) = self.card_records(&cards, &values)?;
        mark_prints(&mut records);
        let mut postings = self.postings(&card_names);
        self.add_subjects();
        self.add_romaji(&cards, &card_names);
        self.add_characters(&cards, &card_names);
        for (number, set) in self.sets.clone().iter().enumerate() {
            self.add_set(number as u32, set);
        }
        self.drop_ids_that_name_others();
        self.add_misspellings();
        let games = self.games()?;
        let set_records = self.set_records(&cards, &records, &games);
        let cores = self.core_records(&records, &mut postings);
        let name_records = self.name_records(&postings);
        let products = self.add_words(&cards, &values.products)?;
        let artist_records: Vec<ArtistRecord> = self.add_artists(&cards, &values.artists);
        let set_numbers = std::mem::take(&mut self.set_numbers);
        self.add_nicknames(&ids, &set_numbers);
        let total_counts = total_counts(&records, values.numbers.packed.len());
        let rarity_cards = rarity_counts(&records, values.rarities.len());
        let (number_starts, number_cards) = number_postings(&records, values.numbers.packed.len());
        let total = |card: &CardRecord| card.total.get();
        let core_numbers = column(&records, &cores.cards, CardRecord::printed_number);
        let core_totals = column(&records, &cores.cards, total);
        let number_totals = column(&records, &number_cards, total);
        let set_cards = by_set_and_number(&records, set_records.len(), values.numbers.packed.len());
        let numbers_of_sets = column(&records, &set_cards, |card| card.number.get());
        let (printing_starts, printing_records) =
            flatten(&lists.printings.all, |p| PrintingRecord {
                label: self.strings.get(&p.label),
                slug: self.strings.get(&p.slug),
            });
        let (local_starts, local_records) =
            flatten(&lists.locals.all, |(language, name)| LocalName {
                language: index_of(&values.codes, language) as u8,
                name: self.strings.get(name),
            });
        let texts = &values.numbers.texts;
        let (text_starts, number_texts) = flatten(texts, |text| self.strings.get(text));
        let mut strings_of = |list: &[&str]| -> Vec<U24> {
            list.iter().map(|text| self.strings.get(text)).collect()
        };
        let rarity_strings = strings_of(&values.rarities);
        let language_strings = strings_of(&values.languages);
        let code_strings = strings_of(&values.codes);
        let game_strings: Vec<&str> = games.iter().map(String::as_str).collect();
        let game_strings = strings_of(&game_strings);
        let market_ids = market_records(&cards)?;
        let cards_by_id: Vec<U24> = ids.iter().map(|&(_, card)| U24::new(card)).collect();
        let (lexicon, entries) = self.lexicon_columns();
        let printing_count: usize = cards.iter().map(|c| c.printings.len().max(1)).sum();
        let about = format!(
            "name={name}\ncards={}\nsets={}\nprintings={printing_count}\n",
            records.len(),
            set_records.len()
        );
        let (string_starts, string_bytes) = self.strings.columns()?;
        let packed: Vec<U64> = values.numbers.packed.iter().map(|&n| U64::new(n)).collect();
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
            (Section::Cores, cores.records.as_bytes().to_vec()),
            (Section::CoreCards, numbered(&cores.cards)),
            (Section::CoreNumbers, numbered(&core_numbers)),
            (Section::CoreTotals, numbered(&core_totals)),
            (Section::Numbers, packed.as_bytes().to_vec()),
            (Section::NumberStarts, bytes(&number_starts)),
            (Section::NumberCards, numbered(&number_cards)),
            (Section::NumberTotals, numbered(&number_totals)),
            (Section::SetCards, numbered(&set_cards)),
            (Section::SetNumbers, numbered(&numbers_of_sets)),
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
            (Section::Subjects, bytes(&cores.subjects)),
            (Section::Products, products.records.as_bytes().to_vec()),
            (Section::ProductWords, products.words.as_bytes().to_vec()),
            (Section::WordCards, bytes(&products.cards)),
            (Section::Artists, artist_records.as_bytes().to_vec()),
            (Section::TotalCounts, bytes(&total_counts)),
            (Section::NumberTextStarts, bytes(&text_starts)),
            (Section::NumberTexts, numbered(&number_texts)),
            (Section::LanguageCodes, numbered(&code_strings)),
            (Section::RarityCards, bytes(&rarity_cards)),
            (Section::Pairs, numbered(&cores.pairs)),
            (Section::MarketIds, market_ids.as_bytes().to_vec()),
            (Section::Games, numbered(&game_strings)),
            (Section::GameFiles, game_files(rows_files)),
        ]))
    }
}
