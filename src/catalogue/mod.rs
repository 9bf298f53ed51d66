//! [`Catalogue`]: an index of cards, opened without parsing from bytes of any kind.

mod entry;
pub mod facts;
pub mod format;
mod info;
mod marks;
mod open;
mod view;

pub use entry::{AliasKind, Entry, EntryKind, NameQuality};
pub use info::CatalogueInfo;
pub use marks::Marks;
pub use open::Catalogue;
pub(crate) use open::View;
pub use view::{CardView, LocalView, PrintingView};

use crate::answer::MarketIds;
use crate::error::Error;
use crate::math::information;
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
    /// [`ErrorKind::Corrupt`] if a section ends inside a record.
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

    /// The places of a core's cards in [`Section::CoreCards`].
    fn places_of_core(&self, core: u32) -> Range<usize> {
        self.cores.get(core as usize).map_or(0..0, |core| {
            let from = core.first.get() as usize;
            from..from.saturating_add(core.count.get() as usize)
        })
    }

    /// The cards of a core, by number, then card; those without a printed number last.
    pub(crate) fn cards_of_core(&self, core: u32) -> &'a [U24] {
        let places = self.places_of_core(core);
        self.core_cards.get(places).unwrap_or(&[])
    }

    /// The totals of [`Columns::cards_of_core`].
    pub(crate) fn totals_of_core(&self, core: u32) -> &'a [U24] {
        let places = self.places_of_core(core);
        self.core_totals.get(places).unwrap_or(&[])
    }

    /// The places among [`Columns::cards_of_core`] of those that print this number.
    fn places_of_core_numbered(&self, core: u32, number: u32) -> Range<usize> {
        let places = self.places_of_core(core);
        equal(self.core_numbers.get(places).unwrap_or(&[]), number)
    }

    /// The cards of a core that print this number, or that print none ([`format::NONE`]).
    pub(crate) fn cards_of_core_numbered(&self, core: u32, number: u32) -> &'a [U24] {
        let prints = self.places_of_core_numbered(core, number);
        self.cards_of_core(core).get(prints).unwrap_or(&[])
    }

    /// The same, each with the total that it prints, or [`format::NONE`].
    pub(crate) fn prints_of_core(
        &self,
        core: u32,
        number: u32,
    ) -> impl Iterator<Item = (u32, u32)> + Clone + 'a {
        let prints = self.places_of_core_numbered(core, number);
        let cards = self.cards_of_core(core).get(prints.clone()).unwrap_or(&[]);
        let totals = self.totals_of_core(core).get(prints).unwrap_or(&[]);
        let get = |(card, total): (&U24, &U24)| (card.get(), total.get());
        cards.iter().zip(totals).map(get)
    }

    /// Whether a card of a core prints this number, with this total if one is given: a look at few
    /// cards, however many print the number.
    pub(crate) fn core_prints(&self, core: u32, number: u32, total: Option<u32>) -> bool {
        let mut prints = self.prints_of_core(core, number);
        prints.any(|(_, own)| total.is_none_or(|total| own == total))
    }

    /// The cards of a core, each with the number that it prints, or [`format::NONE`].
    pub(crate) fn numbers_of_core(&self, core: u32) -> impl Iterator<Item = (u32, u32)> + 'a {
        let places = self.places_of_core(core);
        let numbers = self.core_numbers.get(places.clone()).unwrap_or(&[]);
        let cards = self.core_cards.get(places).unwrap_or(&[]);
        let get = |(card, number): (&U24, &U24)| (card.get(), number.get());
        cards.iter().zip(numbers).map(get)
    }

    /// The cards of a set that have this number, printed or not.
    pub(crate) fn cards_of_set_numbered(&self, set: &SetRecord, number: u32) -> &'a [U24] {
        let cards = set.cards();
        let places = cards.start as usize..cards.end as usize;
        let numbers = self.set_numbers.get(places.clone()).unwrap_or(&[]);
        let cards = self.set_cards.get(places).unwrap_or(&[]);
        cards.get(equal(numbers, number)).unwrap_or(&[])
    }

    /// The cards of a set.
    pub(crate) fn cards_of_set(&self, set: u32) -> &'a [CardRecord] {
        let range = self.sets.get(set as usize).map_or(0..0, |set| {
            let first = set.first.get() as usize;
            let end = first + set.count.get() as usize;
            first..end.min(self.cards.len())
        });
        self.cards.get(range).unwrap_or(&[])
    }

    /// The cards of a set, one after another, that are of a core.
    pub(crate) fn cards_of_set_and_core(
        &self,
        set: u32,
        core: u32,
    ) -> impl Iterator<Item = (u32, &'a CardRecord)> + 'a {
        let names = self.names;
        let of_core = move |card: &CardRecord| {
            names
                .get(card.name.get() as usize)
                .is_some_and(|n| n.core.get() == core)
        };
        let first = self.sets.get(set as usize).map_or(0, |s| s.first.get());
        (first..)
            .zip(self.cards_of_set(set))
            .filter(move |(_, record)| of_core(record))
    }

    /// Whether some card of a set is of a core.
    pub(crate) fn has_core(&self, set: u32, core: u32) -> bool {
        self.cards_of_set_and_core(set, core).next().is_some()
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

    /// The cards with a number, by total, then card.
    pub(crate) fn cards_of_number(&self, number: u32) -> &'a [U24] {
        slice(self.number_starts, self.number_cards, number as usize)
    }

    /// The cards with a number that have a total.
    pub(crate) fn cards_of_number_and_total(&self, number: u32, total: u32) -> &'a [U24] {
        let totals = slice(self.number_starts, self.number_totals, number as usize);
        let cards = self.cards_of_number(number);
        cards.get(equal(totals, total)).unwrap_or(&[])
    }

    /// The core of a subject.
    pub(crate) fn core_of_subject(&self, subject: u16) -> Option<u32> {
        self.subjects
            .get(subject as usize)
            .and_then(|core| core.get().checked_sub(1))
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

    /// What marketplaces call the printing of a card at this place among its printings.
    pub(crate) fn market_ids(&self, card: u32, printing: usize) -> MarketIds {
        let [sold] = self.sold([card]);
        MarketRecord::ids_of(sold, card, printing)
    }

    /// For each of `cards` the records of what marketplaces call printings, from its first on.
    ///
    /// They are searched for side by side: each step of a search waits for memory, and so all wait
    /// together.
    pub(crate) fn sold<const CARDS: usize>(
        &self,
        cards: [u32; CARDS],
    ) -> [&'a [MarketRecord]; CARDS] {
        let records = self.market_ids;
        let mut from = [0; CARDS];
        let mut left = records.len();
        while left > 0 {
            let half = left.div_ceil(2);
            for (from, card) in from.iter_mut().zip(cards) {
                let before = records.get(*from + half - 1);
                let before = before.map_or(u32::MAX, |record| record.card.get());
                *from += half * usize::from(before < card);
            }
            left -= half;
        }
        from.map(|from| records.get(from..).unwrap_or(&[]))
    }

    /// Whether a marketplace has an id for some printing of a card.
    pub(crate) fn is_listed(&self, card: u32) -> bool {
        let own = |m: &MarketRecord| m.card.get().cmp(&card);
        self.market_ids.binary_search_by(own).is_ok()
    }

    /// The lexicon: keys of names, subjects, sets and nicknames.
    pub(crate) fn lexicon(&self) -> Trie<'a> {
        self.lexicon
    }

    /// The sets that the key with value `place` may name.
    pub(crate) fn sets_named(&self, place: u32) -> impl Iterator<Item = &'a SetRecord> {
        let sets = self.sets;
        self.entries(place)
            .filter(|entry| entry.kind() == EntryKind::Set)
            .filter_map(|entry| sets.get(entry.id() as usize))
    }

    /// The meanings of the key with value `place`.
    pub(crate) fn entries(&self, place: u32) -> impl Iterator<Item = Entry> + use<'a> {
        let mut more = true;
        let from = usize::try_from(place).unwrap_or(usize::MAX);
        self.entries
            .get(from..)
            .unwrap_or(&[])
            .iter()
            .map_while(move |bits| {
                let bits = bits.get();
                let this = more.then_some(Entry::from_bits(bits));
                more = !Entry::is_last(bits);
                this
            })
    }

    /// For each place of a meaning whether those of a key begin there and one of them is `wanted`: one
    /// pass over all of them in their order.
    pub(crate) fn places_of(&self, wanted: impl Fn(&Entry) -> bool) -> Vec<bool> {
        let mut places = vec![false; self.entries.len()];
        let mut place = 0;
        for (at, bits) in self.entries.iter().enumerate() {
            let bits = bits.get();
            places[place] |= wanted(&Entry::from_bits(bits));
            if Entry::is_last(bits) {
                place = at + 1;
            }
        }
        places
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

    /// Information, in nats, of the words that the product of `card` shares with `words`; `None` if
    /// it shares none.
    #[inline]
    pub(crate) fn shared_words(&self, card: &CardRecord, words: &[u16]) -> Option<f32> {
        // most cards came with no product, and most titles say no word of one
        if card.product.get() == 0 || words.is_empty() {
            return None;
        }
        self.shared_of_product(card, words)
    }

    fn shared_of_product(&self, card: &CardRecord, words: &[u16]) -> Option<f32> {
        let own = self.product_words(card).iter().map(|word| word.get());
        own.filter(|word| words.contains(word))
            .map(|word| self.word_information(word))
            .reduce(f32::max)
    }

    /// The words of the product that a card came with, and the information of each, in nats.
    pub(crate) fn words_of_product(&self, card: &CardRecord) -> impl Iterator<Item = (u16, f32)> {
        let own = self.product_words(card).iter().map(|word| word.get());
        own.map(|word| (word, self.word_information(word)))
    }

    /// The words of the product that a card came with.
    fn product_words(&self, card: &CardRecord) -> &'a [U16] {
        let product = self.products.get(card.product.get() as usize);
        let own = product.and_then(|product| {
            let from = product.first.get() as usize;
            self.product_words
                .get(from..from + product.count.get() as usize)
        });
        own.unwrap_or(&[])
    }

    /// Whether no card came with a product that has the word: a campaign whose cards are lacking.
    pub(crate) fn is_unheld_word(&self, word: u16) -> bool {
        let bear = self.word_cards.get(usize::from(word));
        bear.is_some_and(|cards| cards.get() == 0)
    }

    /// The information of a word of products, in nats.
    fn word_information(&self, word: u16) -> f32 {
        let bear = self.word_cards.get(usize::from(word));
        let cards = self.card_count().max(1) as f32;
        information(cards, bear.map_or(1, |cards| cards.get()))
    }

    /// How the words at `place` of the lexicon name the card's set; `None` if they do not.
    pub(crate) fn set_entry(&self, place: u32, card: &CardRecord) -> Option<Entry> {
        self.entries(place)
            .find(|e| e.kind() == EntryKind::Set && e.id() == card.set.get())
    }

    /// The product that a card came with; empty if none is known.
    pub(crate) fn product(&self, card: &CardRecord) -> &'a str {
        self.products
            .get(card.product.get() as usize)
            .map_or("", |p| self.string(p.text))
    }

    /// The names of all products, by number.
    pub(crate) fn product_names(&self) -> impl Iterator<Item = &'a str> {
        let products = self.products.iter();
        products.map(|product| self.string(product.text))
    }

    /// The year in the name of the product that a card came with.
    pub(crate) fn product_year(&self, card: &CardRecord) -> Option<u16> {
        let product = usize::from(card.product.get());
        if product == 0 {
            return None;
        }
        let product = self.products.get(product);
        product.map(|p| p.year.get()).filter(|&year| year != 0)
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

/// The places of `value` in an ascending column: few, so that their end is near their beginning.
fn equal(column: &[U24], value: u32) -> Range<usize> {
    let from = column.partition_point(|one| one.get() < value);
    let rest = &column[from..];
    let mut end = 1;
    while rest.get(end).is_some_and(|one| one.get() == value) {
        end *= 2;
    }
    let near = rest.get(..end).unwrap_or(rest);
    from..from + near.partition_point(|one| one.get() == value)
}

fn slice<'a, T>(starts: &'a [U32], all: &'a [T], at: usize) -> &'a [T] {
    match (starts.get(at), starts.get(at + 1)) {
        (Some(from), Some(to)) => all
            .get(from.get() as usize..to.get() as usize)
            .unwrap_or(&[]),
        _ => &[],
    }
}
