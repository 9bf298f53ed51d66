//! [`merge`]: one index of several, each of other cards.
//!
//! The builder makes an index of several games so, and a browser that fetches a pack for each game
//! does the same, so that the cards of all compete. What an index counts and sorts is counted and
//! sorted anew; what a builder tells from the rows of a game alone (English names, frequent words
//! of products) is as it was.

mod cards;
mod lexicon;
mod values;

use super::derived;
use super::lexicon::Lexicon;
use super::lexicon_sections;
use super::tables::{Strings, Tables};
use crate::catalogue::format::{NONE, Section, Sections, U24, write};
use crate::error::{Error, ErrorKind};
use crate::sort::{sort_by_cached_key, sort_by_key};
use crate::trie::Trie;
use cards::Cards;
use rustc_hash::FxHashMap;
use values::Values;
use zerocopy::little_endian::U32;

/// An index that is merged.
pub(super) struct Part {
    tables: Tables,
    lexicon: Lexicon,
}

impl Part {
    fn of(index: &[u8]) -> Result<Part, Error> {
        let sections = Sections::read(index, true)?;
        if !sections.bytes(Section::GameFiles).is_empty() {
            return Err(Error::new(
                ErrorKind::Source,
                "a catalogue with a game of its own cannot be merged: build one of all cards",
            ));
        }
        let trie = Trie::new(
            sections.bytes(Section::LexiconLabels),
            sections.records(Section::LexiconLinks)?,
            sections.bytes(Section::LexiconTails),
        );
        Ok(Part {
            tables: Tables::of(&sections)?,
            lexicon: Lexicon::of(trie, sections.records::<U32>(Section::Entries)?),
        })
    }

    /// A string of it.
    fn text(&self, number: U24) -> &str {
        self.tables.strings.get(number)
    }

    /// The ids of its games.
    fn games(&self) -> Vec<String> {
        let games = self.tables.games.iter();
        games.map(|&game| self.text(game).to_owned()).collect()
    }

    /// What its description says under a name.
    fn about(&self, name: &str) -> &str {
        let about = std::str::from_utf8(&self.tables.about).unwrap_or("");
        let mut lines = about.lines().filter_map(|line| line.split_once('='));
        lines
            .find(|(member, _)| *member == name)
            .map_or("", |(_, value)| value)
    }
}

/// The index of the cards of all `indexes`. It shows `name`, or their names where that is empty,
/// and carries `game_files`, the dictionary of games that are not built in.
///
/// # Errors
/// Those of `indexes` and of [`crate::Catalogue::open`]; [`ErrorKind::Duplicate`] if two have the
/// same set or card, [`ErrorKind::TooLarge`] if together they have more than an index has numbers
/// for, and [`ErrorKind::Source`] if `indexes` is empty, or if an index carries a dictionary of its
/// own for a game.
pub fn merge(
    indexes: impl IntoIterator<Item = Result<Vec<u8>, Error>>,
    name: &str,
    game_files: Vec<u8>,
) -> Result<Vec<u8>, Error> {
    let mut parts: Vec<Part> = indexes
        .into_iter()
        .map(|index| Part::of(&index?))
        .collect::<Result<_, _>>()?;
    // the order in which they come says nothing
    sort_by_cached_key(&mut parts, Part::games);
    if parts.is_empty() {
        return Err(Error::new(
            ErrorKind::Source,
            "there is no catalogue: give at least one",
        ));
    }
    let mut texts = Texts::new();
    let values = Values::of(&parts)?;
    let cards = Cards::of(&parts, &values, &mut texts)?;
    let lexicon = lexicon::merged(&parts, &values, &cards);
    let names: Vec<&str> = match name {
        "" => parts.iter().map(|part| part.about("name")).collect(),
        name => vec![name],
    };
    let printings: usize = parts
        .iter()
        .filter_map(|part| part.about("printings").parse::<usize>().ok())
        .sum();
    let about = format!(
        "name={}\ncards={}\nsets={}\nprintings={printings}\n",
        names.join(" + "),
        cards.records.len(),
        cards.sets.len()
    );
    let (products, product_words) = values.products(&parts, &mut texts);
    let artists = values.artists(&parts, &mut texts);
    let number_texts = values.number_texts(&mut texts);
    let mut of_texts =
        |all: &[&str]| -> Vec<U24> { all.iter().map(|text| texts.get(text)).collect() };
    let rarities = of_texts(&values.rarities.all);
    let languages = of_texts(&values.languages.all);
    let codes = of_texts(&values.codes.all);
    let games = of_texts(&values.games.all);
    let tables = Tables {
        about: about.into_bytes(),
        sets: cards.sets,
        cards: cards.records,
        names: cards.names,
        cores: cards.cores,
        locals: cards.locals,
        printings: cards.printings,
        texts: number_texts,
        rarities,
        languages,
        codes,
        games,
        products,
        product_words,
        word_cards: values.word_cards,
        artists,
        market_ids: cards.market_ids,
        strings: texts.finish()?,
    };
    let mut sections: Vec<(Section, Vec<u8>)> = derived::SECTIONS
        .into_iter()
        .zip(derived::sections(&tables))
        .collect();
    sections.extend(lexicon_sections(&lexicon));
    sections.extend(tables.into_sections());
    sections.retain(|section| section.0 != Section::GameFiles);
    sections.push((Section::GameFiles, game_files));
    sort_by_key(&mut sections, |section| section.0 as u32);
    Ok(write(&sections))
}

/// Refuses more of `what` than an index has numbers for.
fn within(what: &str, count: usize, most: usize) -> Result<(), Error> {
    if count <= most {
        return Ok(());
    }
    let message = format!(
        "the catalogues have {count} {what} together, an index holds at most {most}: open fewer"
    );
    Err(Error::new(ErrorKind::TooLarge, message))
}

/// All strings of the index that is made, each once; number 0 is the empty one.
pub(super) struct Texts {
    numbers: FxHashMap<Box<str>, u32>,
    strings: Strings,
}

impl Texts {
    fn new() -> Self {
        let mut texts = Texts {
            numbers: FxHashMap::default(),
            strings: Strings::default(),
        };
        texts.get("");
        texts
    }

    /// The number of a text, given at first sight; how many there are is looked at in the end.
    fn get(&mut self, text: &str) -> U24 {
        if let Some(&number) = self.numbers.get(text) {
            return U24::new(number);
        }
        let number = (self.strings.starts.len() as u32).min(NONE);
        self.strings
            .starts
            .push(U32::new(self.strings.text.len() as u32));
        self.strings.text.push_str(text);
        self.numbers.insert(text.into(), number);
        U24::new(number)
    }

    /// The text of a number.
    fn of(&self, number: U24) -> &str {
        let at = number.get() as usize;
        let from = self
            .strings
            .starts
            .get(at)
            .map(|start| start.get() as usize);
        let to = self
            .strings
            .starts
            .get(at + 1)
            .map(|start| start.get() as usize);
        let to = to.unwrap_or(self.strings.text.len());
        from.and_then(|from| self.strings.text.get(from..to))
            .unwrap_or("")
    }

    fn finish(mut self) -> Result<Strings, Error> {
        within("different texts", self.strings.starts.len(), NONE as usize)?;
        let end = self.strings.text.len();
        within("bytes of text", end, u32::MAX as usize)?;
        self.strings.starts.push(U32::new(end as u32));
        Ok(self.strings)
    }
}

/// Texts that cards share, sorted.
pub(super) struct Shared<'p> {
    pub(super) all: Vec<&'p str>,
}

impl<'p> Shared<'p> {
    fn of(what: &str, most: usize, texts: impl Iterator<Item = &'p str>) -> Result<Self, Error> {
        // cards of one set share most: what the one before has needs no place
        let mut all: Vec<&str> = texts.collect();
        all.dedup();
        all.sort_unstable();
        all.dedup();
        within(what, all.len(), most)?;
        Ok(Shared { all })
    }

    /// The place of a text; 0 for one that is not there.
    pub(super) fn place(&self, text: &str) -> usize {
        self.all.binary_search(&text).unwrap_or(0)
    }
}
