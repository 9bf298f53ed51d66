//! [`Catalogue`]: an index of cards, opened without parsing from bytes of any kind.

mod entry;
pub mod facts;
pub mod format;
mod info;
mod lexicon;
mod market;
mod marks;
mod open;
mod postings;
mod products;
mod view;

pub use entry::{AliasKind, Entry, EntryKind, NameQuality};
pub use info::CatalogueInfo;
pub use marks::Marks;
pub use open::Catalogue;
pub(crate) use open::View;
pub use view::{CardView, LocalView, PrintingView};

use crate::error::Error;
use crate::trie::Trie;
use format::{
    ArtistRecord, CardRecord, CoreRecord, LocalName, MarketRecord, NONE, NameRecord,
    PrintingRecord, ProductRecord, Section, Sections, SetRecord, U24, may_end_in,
};
use std::ops::Range;
use zerocopy::little_endian::{U16, U32, U64};

/// The columns of an open index, borrowed from its bytes: what the stages read.
/// [`Catalogue::columns`] makes it for one title or call.
#[derive(Clone, Copy, Default)]
pub(crate) struct Columns<'a> {
    about: &'a [u8],
    game_files: &'a [u8],
    string_starts: &'a [U32],
    strings: Strings<'a>,
    pub(crate) sets: &'a [SetRecord],
    pub(crate) cards: &'a [CardRecord],
    cards_by_id: &'a [U24],
    pub(crate) names: &'a [NameRecord],
    pub(crate) cores: &'a [CoreRecord],
    core_cards: &'a [U24],
    core_numbers: &'a [U24],
    core_totals: &'a [U24],
    numbers: &'a [U64],
    number_starts: &'a [U32],
    number_cards: &'a [U24],
    number_totals: &'a [U24],
    set_cards: &'a [U24],
    set_numbers: &'a [U24],
    local_starts: &'a [U32],
    local_names: &'a [LocalName],
    printing_starts: &'a [U32],
    printings: &'a [PrintingRecord],
    rarities: &'a [U24],
    languages: &'a [U24],
    lexicon: Trie<'a>,
    entries: &'a [U32],
    subjects: &'a [U32],
    products: &'a [ProductRecord],
    product_words: &'a [U16],
    word_cards: &'a [U32],
    artists: &'a [ArtistRecord],
    total_counts: &'a [U32],
    number_text_starts: &'a [U32],
    number_texts: &'a [U24],
    language_codes: &'a [U24],
    rarity_cards: &'a [U32],
    pairs: &'a [U24],
    market_ids: &'a [MarketRecord],
    games: &'a [U24],
    bytes: usize,
}

/// The strings of an index.
#[derive(Clone, Copy)]
enum Strings<'a> {
    /// Known to be UTF-8 as a whole: of bytes that are borrowed for as long as the program runs.
    Text(&'a str),
    /// Bytes that a caller holds. Each string is checked when it is read, because a borrowed `str`
    /// cannot be kept next to its owner.
    Bytes(&'a [u8]),
}

impl Default for Strings<'_> {
    fn default() -> Self {
        Strings::Text("")
    }
}

impl<'a> Strings<'a> {
    /// The string in `range`; empty if there is none.
    #[inline]
    fn get(self, range: Range<usize>) -> &'a str {
        match self {
            Strings::Text(text) => text.get(range).unwrap_or(""),
            Strings::Bytes(bytes) => checked(bytes, range),
        }
    }

    fn len(self) -> usize {
        match self {
            Strings::Text(text) => text.len(),
            Strings::Bytes(bytes) => bytes.len(),
        }
    }
}

/// The string in `range` of bytes that may be anything. A function of its own, so that reading a
/// known text stays small.
#[inline(never)]
fn checked(bytes: &[u8], range: Range<usize>) -> &str {
    bytes
        .get(range)
        .and_then(|bytes| std::str::from_utf8(bytes).ok())
        .unwrap_or("")
}

impl std::fmt::Debug for Columns<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Columns")
            .field("about", &self.about())
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl<'a> Columns<'a> {
    /// The columns that lie in `sections`, of an index of `bytes` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::error::ErrorKind::Corrupt) if a section ends inside a record.
    fn of(
        sections: &Sections<'a>,
        strings: Strings<'a>,
        bytes: usize,
    ) -> Result<Columns<'a>, Error> {
        Ok(Columns {
            about: sections.bytes(Section::About),
            game_files: sections.bytes(Section::GameFiles),
            string_starts: sections.records(Section::StringStarts)?,
            strings,
            sets: sections.records(Section::Sets)?,
            cards: sections.records(Section::Cards)?,
            cards_by_id: sections.records(Section::CardsById)?,
            names: sections.records(Section::Names)?,
            cores: sections.records(Section::Cores)?,
            core_cards: sections.records(Section::CoreCards)?,
            core_numbers: sections.records(Section::CoreNumbers)?,
            core_totals: sections.records(Section::CoreTotals)?,
            numbers: sections.records(Section::Numbers)?,
            number_starts: sections.records(Section::NumberStarts)?,
            number_cards: sections.records(Section::NumberCards)?,
            number_totals: sections.records(Section::NumberTotals)?,
            set_cards: sections.records(Section::SetCards)?,
            set_numbers: sections.records(Section::SetNumbers)?,
            local_starts: sections.records(Section::LocalStarts)?,
            local_names: sections.records(Section::LocalNames)?,
            printing_starts: sections.records(Section::PrintingStarts)?,
            printings: sections.records(Section::Printings)?,
            rarities: sections.records(Section::Rarities)?,
            languages: sections.records(Section::Languages)?,
            lexicon: Trie::new(
                sections.bytes(Section::LexiconLabels),
                sections.records(Section::LexiconLinks)?,
                sections.bytes(Section::LexiconTails),
            ),
            entries: sections.records(Section::Entries)?,
            subjects: sections.records(Section::Subjects)?,
            products: sections.records(Section::Products)?,
            product_words: sections.records(Section::ProductWords)?,
            word_cards: sections.records(Section::WordCards)?,
            artists: sections.records(Section::Artists)?,
            total_counts: sections.records(Section::TotalCounts)?,
            number_text_starts: sections.records(Section::NumberTextStarts)?,
            number_texts: sections.records(Section::NumberTexts)?,
            language_codes: sections.records(Section::LanguageCodes)?,
            rarity_cards: sections.records(Section::RarityCards)?,
            pairs: sections.records(Section::Pairs)?,
            market_ids: sections.records(Section::MarketIds)?,
            games: sections.records(Section::Games)?,
            bytes,
        })
    }

    /// The files of the dictionary of a game that is not built in: name and text. What is not UTF-8
    /// is left out.
    pub(crate) fn game_files(&self) -> Vec<(&'a str, &'a str)> {
        let text = std::str::from_utf8(self.game_files).unwrap_or("");
        let mut parts = text.split_terminator('\0');
        std::iter::from_fn(|| parts.next().zip(parts.next())).collect()
    }

    /// The description: lines of `key=value`.
    fn about(&self) -> &'a str {
        std::str::from_utf8(self.about).unwrap_or("")
    }

    /// The name that it was built with.
    pub(crate) fn name(&self) -> &'a str {
        self.about()
            .lines()
            .find_map(|line| line.strip_prefix("name="))
            .unwrap_or("")
    }

    /// Number of cards.
    pub(crate) fn card_count(&self) -> usize {
        self.cards.len()
    }

    /// Number of sets, including those without cards.
    pub(crate) fn set_count(&self) -> usize {
        self.sets.len()
    }

    /// Number of printings. A card whose printings are unknown counts as one.
    pub(crate) fn printing_count(&self) -> usize {
        self.about()
            .lines()
            .find_map(|line| line.strip_prefix("printings="))
            .and_then(|n| n.parse().ok())
            .unwrap_or(0)
    }

    /// A string by its number; empty for a number that is not there.
    #[must_use]
    // called from many places, each of which runs once a title: copies of it would have to be fetched
    #[inline(never)]
    pub(crate) fn string(&self, number: U24) -> &'a str {
        let at = number.get() as usize;
        match (self.string_starts.get(at), self.string_starts.get(at + 1)) {
            (Some(from), Some(to)) => self.strings.get(from.get() as usize..to.get() as usize),
            _ => "",
        }
    }

    /// The number of a card as printed; empty if it has none.
    pub(crate) fn number_text(&self, card: &CardRecord) -> &'a str {
        self.spelling(card.number, card.number_text)
    }

    /// The total of a card as printed; empty if it has none.
    pub(crate) fn total_text(&self, card: &CardRecord) -> &'a str {
        self.spelling(card.total, card.total_text)
    }

    /// One of the spellings of a collector number.
    fn spelling(&self, number: U24, which: u8) -> &'a str {
        if number.get() == NONE {
            return "";
        }
        slice(
            self.number_text_starts,
            self.number_texts,
            number.get() as usize,
        )
        .get(which as usize)
        .map_or("", |&s| self.string(s))
    }

    /// A card by its number.
    #[must_use]
    pub(crate) fn card_record(&self, card: u32) -> Option<&'a CardRecord> {
        self.cards.get(card as usize)
    }

    pub(crate) fn name_record(&self, card: &CardRecord) -> Option<&'a NameRecord> {
        self.names.get(card.name.get() as usize)
    }

    /// The core of the names that an entry stands for, or of the card that it calls by a nickname.
    pub(crate) fn core_of_entry(&self, entry: Entry) -> Option<u32> {
        match entry.kind() {
            EntryKind::Card => self.core_of_card(entry.id()),
            _ => entry.core(self.names),
        }
    }

    /// The core of the name of the card with this number.
    pub(crate) fn core_of_card(&self, card: u32) -> Option<u32> {
        let name = self.name_record(self.card_record(card)?)?;
        Some(name.core.get())
    }

    /// Whether digits are the number of a subject of a card.
    pub(crate) fn is_subject(&self, card: &CardRecord, digits: u16) -> bool {
        let name = self.name_record(card);
        name.is_some_and(|name| self.core_has_subject(name.core.get(), digits))
    }

    /// Whether digits are the number of a subject of a core.
    pub(crate) fn core_has_subject(&self, core: u32, digits: u16) -> bool {
        let core = self.cores.get(core as usize);
        digits != 0 && core.is_some_and(|core| core.subjects.iter().any(|own| own.get() == digits))
    }

    pub(crate) fn set_record(&self, card: &CardRecord) -> Option<&'a SetRecord> {
        self.sets.get(card.set.get() as usize)
    }

    /// The id of the game that a set is of.
    pub(crate) fn game(&self, set: &SetRecord) -> &'a str {
        self.games
            .get(usize::from(set.game))
            .map_or("", |&game| self.string(game))
    }

    /// Number of its games.
    pub(crate) fn game_count(&self) -> usize {
        self.games.len()
    }

    /// The ids of its games.
    pub(crate) fn game_ids(&self) -> impl Iterator<Item = &'a str> {
        self.games.iter().map(|&game| self.string(game))
    }

    /// All its games, a bit each.
    pub(crate) fn all_games(&self) -> u32 {
        self.game_ids().fold(0, |all, id| all | self.game_bit(id))
    }

    /// The bit of the game with this id among those of the catalogue; 0 if no set is of it.
    pub(crate) fn game_bit(&self, id: &str) -> u32 {
        let place = self.games.iter().position(|&game| self.string(game) == id);
        place
            .and_then(|place| 1u32.checked_shl(place as u32))
            .unwrap_or(0)
    }

    pub(crate) fn rarity(&self, number: u8) -> &'a str {
        self.rarities
            .get(number as usize)
            .map_or("", |&s| self.string(s))
    }

    pub(crate) fn rarity_count(&self) -> usize {
        self.rarities.len()
    }

    /// Number of cards with a rarity, as rarity or as mark; 0 for the number that means "none".
    pub(crate) fn rarity_cards(&self, number: u8) -> u32 {
        self.rarity_cards
            .get(number as usize)
            .map_or(0, |n| n.get())
    }

    /// The cores of cards with several subjects of which `subject` is the first.
    pub(crate) fn pairs_of(
        &self,
        subject: u16,
    ) -> impl Iterator<Item = (u32, &'a CoreRecord)> + 'a {
        let (pairs, cores) = (self.pairs, self.cores);
        let first = move |core: &U24| {
            cores
                .get(core.get() as usize)
                .map_or(0, |c| c.subjects[0].get())
        };
        let from = pairs.partition_point(|core| first(core) < subject);
        let found = pairs
            .get(from..)
            .unwrap_or(&[])
            .iter()
            .take_while(move |core| first(core) == subject);
        found.filter_map(move |core| Some((core.get(), cores.get(core.get() as usize)?)))
    }

    pub(crate) fn language_count(&self) -> usize {
        self.languages.len()
    }

    pub(crate) fn language(&self, number: u8) -> &'a str {
        self.languages
            .get(number as usize)
            .map_or("", |&s| self.string(s))
    }

    /// The number of a language, by its name.
    pub(crate) fn language_number(&self, name: &str) -> Option<u8> {
        let mut numbers = (0..=u8::MAX).take(self.language_count());
        numbers.find(|&number| self.language(number) == name)
    }

    fn language_code(&self, number: u8) -> &'a str {
        self.language_codes
            .get(number as usize)
            .map_or("", |&s| self.string(s))
    }

    /// The place of a packed number or total among all.
    pub(crate) fn number(&self, packed: u64) -> Option<u32> {
        self.numbers
            .binary_search_by(|probe| probe.get().cmp(&packed))
            .ok()
            .map(|at| at as u32)
    }

    /// The packed form of a number or total, by its place among all.
    pub(crate) fn packed_number(&self, number: u32) -> Option<u64> {
        self.numbers.get(number as usize).map(|packed| packed.get())
    }

    /// Whether a number may end in these digits: [`may_end_in`].
    pub(crate) fn number_may_end_in(&self, number: u32, digits: u16) -> bool {
        let packed = self.packed_number(number);
        packed.is_some_and(|packed| may_end_in(packed, digits))
    }

    pub(crate) fn locals(&self, card: &CardRecord) -> &'a [LocalName] {
        slice(
            self.local_starts,
            self.local_names,
            card.locals.get() as usize,
        )
    }

    pub(crate) fn printings(&self, card: &CardRecord) -> &'a [PrintingRecord] {
        slice(
            self.printing_starts,
            self.printings,
            card.printings.get() as usize,
        )
    }

    /// The number of the card with an id.
    pub(crate) fn card_number(&self, id: &str) -> Option<u32> {
        let at = self
            .cards_by_id
            .binary_search_by(|probe| {
                self.card_record(probe.get())
                    .map_or("", |card| self.string(card.id))
                    .cmp(id)
            })
            .ok()?;
        self.cards_by_id.get(at).map(|n| n.get())
    }

    /// Number of cards that an illustrator drew.
    pub(crate) fn artist_count(&self, artist: u16) -> u32 {
        self.artists
            .get(artist as usize)
            .map_or(0, |a| a.cards.get())
    }

    /// Number of cards with a total.
    pub(crate) fn total_count(&self, total: u32) -> u32 {
        self.total_counts.get(total as usize).map_or(0, |n| n.get())
    }
}

fn slice<'a, T>(starts: &'a [U32], all: &'a [T], at: usize) -> &'a [T] {
    match (starts.get(at), starts.get(at + 1)) {
        (Some(from), Some(to)) => all
            .get(from.get() as usize..to.get() as usize)
            .unwrap_or(&[]),
        _ => &[],
    }
}
