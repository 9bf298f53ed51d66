//! [`CatalogueStats`]: figures of a catalogue that scoring needs for every candidate, computed
//! once.

mod games;
mod labels;
mod marks;
mod sets;

use crate::catalogue::format::{CardRecord, U24};
use crate::catalogue::{Columns, Marks};
use crate::dictionary::{Dictionary, GameKind};
use crate::token::key_of;
use labels::Rated;
use marks::{CoreMarks, marks_that, rarity_marks};
use once_cell::sync::OnceCell;
use sets::{by_total, related};

pub(crate) use sets::{SetFacts, are_promos, is_part};

/// The rarity of promos, which are recognised by their set. It is in the names of some others.
pub(crate) const PROMO: &str = "Promo";

/// Whether a rarity of the catalogue is that of promos, as sources write it.
pub(crate) fn is_of_promos(rarity: &str) -> bool {
    rarity.eq_ignore_ascii_case(PROMO)
}

/// A set of rarity numbers, a bit each.
pub(crate) type Rarities = [u64; 4];

/// Whether `rarities` has `number`.
pub(crate) fn has_rarity(rarities: &Rarities, number: u8) -> bool {
    rarities[usize::from(number) / 64] & 1 << (number % 64) != 0
}

/// Facts of a catalogue in the form in which candidates are compared.
#[derive(Clone, Debug)]
pub(crate) struct CatalogueStats {
    /// The number of Japanese among the languages.
    pub(crate) japanese: Option<u8>,
    /// The games of [`Dictionary::folders`] that the catalogue holds, a bit each.
    pub(crate) folders: u32,
    /// Those of them whose numbers begin with the code of a set.
    pub(crate) codes: u32,
    /// Those of them behind whose codes a rarity may stand.
    pub(crate) rated_codes: u32,
    /// The games of the catalogue whose cards' products say how a print looks, a bit each.
    pub(crate) looks: u32,
    /// Those whose prints in Simplified Chinese are cards apart.
    pub(crate) simplified_apart: u32,
    /// Some card has hit points.
    pub(crate) hit_points: bool,
    /// For each game of the dictionary's folders, its bit among those of the catalogue; 0 if the
    /// catalogue has no card of it.
    folder_games: Vec<u32>,
    /// For each game word of the dictionary, the bit of its game among those of the catalogue; 0 if
    /// it names no game that the catalogue holds.
    word_games: Vec<u32>,
    /// The games of the catalogue whose cards a title may mean, a bit each.
    pub(crate) open_games: u32,
    /// They are more than one.
    pub(crate) several_games: bool,
    /// For each rarity word of the dictionary, the rarities of the catalogue that it may mean: in any
    /// game, and if several are opened in that of each folder.
    rarity_words: Vec<Vec<Rarities>>,
    /// The rarities that have a name.
    pub(crate) rarities: Rarities,
    /// The rarities that are called promo.
    pub(crate) promos: Rarities,
    /// The rarities that are a mark of the name.
    pub(crate) marked: Rarities,
    /// Number of cards of each rarity, as rarity or as mark.
    pub(crate) rarity_cards: Vec<u32>,
    /// For each rarity, the name marks that it means.
    pub(crate) rarity_marks: Vec<Marks>,
    /// The marks that the names of a core have.
    pub(crate) core_marks: CoreMarks,
    /// The marks that make another card of a name that has none.
    pub(crate) essential: Marks,
    /// The marks that say whose card it is.
    pub(crate) owners: Marks,
    /// For each core the games that have a card of it; made at the first title that asks, of a
    /// catalogue of several games.
    core_games: OnceCell<Vec<u32>>,
    /// For each word of products the games that have a card with it, all if none has; made at the
    /// first title that says one of a campaign, of a catalogue of several games.
    campaign_games: OnceCell<Vec<u32>>,
    /// The most cards that a core has.
    pub(crate) most_cards: u32,
    /// For each set: those that are a part of it, or that it is a part of.
    related: Vec<Vec<u32>>,
    sets: Vec<SetFacts>,
    /// The sets by the total that their cards print, each with its number, ascending.
    by_total: Vec<(u32, u32)>,
    /// For each set, whether a card of it is known in two languages; made at the first title in a
    /// language such as Korean.
    abroad: OnceCell<Vec<bool>>,
    /// The labels of printings, each once; made at the first title that states a stamp or a rarity.
    labels: OnceCell<Vec<U24>>,
    /// For each printing word of the dictionary, the labels that say it; made when it is first
    /// stated.
    stamped: Vec<OnceCell<Vec<u32>>>,
    /// For each printing word of the dictionary the word of products that has its name; looked up
    /// when it is first stated.
    worded: Vec<OnceCell<Option<u16>>>,
    /// For each rarity word of the dictionary, the printings of such a rarity; made when it is
    /// first stated.
    rated: Vec<Vec<OnceCell<Rated>>>,
    /// The labels that tell a rarity, ascending; made with the first of them.
    telling: OnceCell<Vec<u32>>,
    /// See [`CatalogueStats::marks_above`].
    above: OnceCell<Rarities>,
    /// Sets of games whose cards keep their numbers, each with the labels of printings that say it,
    /// ascending; made at the first title that names such a set.
    sold_in: OnceCell<Vec<(u32, u32)>>,
}

impl CatalogueStats {
    /// Whether a card of this set is known in two languages of its region.
    pub(crate) fn is_known_abroad(&self, catalogue: &Columns<'_>, set: u32) -> bool {
        let all = self.abroad.get_or_init(|| {
            let mut all = vec![false; catalogue.sets.len()];
            for card in catalogue.cards {
                if let Some(set) = all.get_mut(card.set.get() as usize) {
                    *set |= catalogue.locals(card).len() > 1;
                }
            }
            all
        });
        all.get(set as usize).is_some_and(|abroad| *abroad)
    }

    /// Reads them from `catalogue`, of whose games those of `open_games` are open.
    pub(crate) fn of(
        catalogue: &Columns<'_>,
        dictionary: &Dictionary,
        open_games: u32,
    ) -> CatalogueStats {
        let open = |id: &str| catalogue.game_bit(id) & open_games;
        let several_games = (catalogue.all_games() & open_games).count_ones() > 1;
        let mut stats = CatalogueStats {
            japanese: catalogue.language_number("japanese"),
            folders: 0,
            codes: 0,
            rated_codes: 0,
            looks: 0,
            simplified_apart: 0,
            hit_points: catalogue.cards.iter().any(|card| card.hp != 0),
            folder_games: dictionary
                .folders
                .iter()
                .map(|game| open(&game.id))
                .collect(),
            word_games: dictionary
                .games
                .iter()
                .map(|word| match word.kind {
                    GameKind::Game => open(&word.name),
                    _ => 0,
                })
                .collect(),
            open_games,
            several_games,
            rarity_words: rarity_words(catalogue, dictionary, several_games),
            rarities: [0; 4],
            promos: [0; 4],
            marked: [0; 4],
            rarity_cards: (0..catalogue.rarity_count().min(256))
                .map(|n| catalogue.rarity_cards(n as u8))
                .collect(),
            rarity_marks: Vec::new(),
            abroad: OnceCell::new(),
            labels: OnceCell::new(),
            stamped: vec![OnceCell::new(); dictionary.printings.len()],
            worded: vec![OnceCell::new(); dictionary.printings.len()],
            rated: vec![
                vec![OnceCell::new(); dictionary.rarities.len()];
                dictionary.folders.len() + 1
            ],
            telling: OnceCell::new(),
            above: OnceCell::new(),
            sold_in: OnceCell::new(),
            core_marks: CoreMarks::of(catalogue),
            essential: marks_that(dictionary, |mark| mark.essential),
            owners: marks_that(dictionary, |mark| mark.owner),
            core_games: OnceCell::new(),
            campaign_games: OnceCell::new(),
            most_cards: catalogue
                .cores
                .iter()
                .map(|core| core.count.get())
                .max()
                .unwrap_or(0),
            related: related(catalogue),
            sets: catalogue
                .sets
                .iter()
                .map(|set| SetFacts::of(catalogue, set))
                .collect(),
            by_total: by_total(catalogue),
        };
        for (folder, _) in (0..).zip(&stats.folder_games).filter(|(_, bit)| **bit != 0) {
            stats.folders |= 1 << folder;
        }
        stats.codes = dictionary.codes.games() & stats.folders;
        let rated = (0..).zip(&dictionary.folders);
        stats.rated_codes = rated
            .filter(|(_, game)| game.rarity_behind_code)
            .fold(0, |games, (folder, _)| games | 1 << folder)
            & stats.codes;
        for (game, bit) in dictionary.folders.iter().zip(&stats.folder_games) {
            stats.looks |= if game.products_are_looks { *bit } else { 0 };
            stats.simplified_apart |= if game.simplified_apart { *bit } else { 0 };
        }
        let affixes: Vec<String> = dictionary
            .affixes
            .iter()
            .map(|affix| key_of(&affix.name))
            .collect();
        for number in 0..stats.rarity_cards.len() {
            let name = catalogue.rarity(number as u8);
            let bit = 1 << (number % 64);
            stats.rarities[number / 64] |= if name.is_empty() { 0 } else { bit };
            stats.promos[number / 64] |= if is_of_promos(name) { bit } else { 0 };
            let marks = rarity_marks(&affixes, name);
            stats.marked[number / 64] |= if marks == Marks::default() { 0 } else { bit };
            stats.rarity_marks.push(marks);
        }
        stats
    }

    /// The rarities of the catalogue that word `word` of the dictionary means in `game`, as
    /// [`RarityWord::names`](crate::dictionary::RarityWord::names) has it.
    pub(crate) fn rarities_of(&self, word: u16, game: Option<usize>) -> Rarities {
        let meant = in_game(&self.rarity_words, word, game);
        meant.copied().unwrap_or_default()
    }

    /// The facts of a card's set.
    #[inline]
    pub(crate) fn set_of(&self, card: &CardRecord) -> Option<SetFacts> {
        self.sets.get(card.set.get() as usize).copied()
    }

    /// The sets whose cards print this total, ascending.
    pub(crate) fn sets_of_total(&self, total: u16) -> impl Iterator<Item = u32> + Clone {
        let total = u32::from(total);
        let from = self.by_total.partition_point(|(other, _)| *other < total);
        let sets = self.by_total[from..].iter();
        sets.take_while(move |(other, _)| *other == total)
            .map(|(_, set)| *set)
    }

    /// The sets that are a part of `set`, or that it is a part of.
    pub(crate) fn related(&self, set: u32) -> &[u32] {
        self.related.get(set as usize).map_or(&[], Vec::as_slice)
    }
}

/// What a list has of a rarity word in a game: it has one list of all words for any game, and then
/// one for the game of each folder.
fn in_game<T>(lists: &[Vec<T>], word: u16, game: Option<usize>) -> Option<&T> {
    let words = lists.get(game.map_or(0, |game| game + 1))?;
    words.get(usize::from(word))
}

/// For each rarity word of the dictionary the rarities of the catalogue that bear one of its names:
/// in any game, and if `several` are opened in that of each folder.
fn rarity_words(
    catalogue: &Columns<'_>,
    dictionary: &Dictionary,
    several: bool,
) -> Vec<Vec<Rarities>> {
    let count = catalogue.rarity_count().min(256);
    let names: Vec<&str> = (0..count).map(|n| catalogue.rarity(n as u8)).collect();
    let folders = (0..dictionary.folders.len()).filter(|_| several).map(Some);
    let in_game = |folder: Option<usize>| {
        let words = dictionary.rarities.iter().map(|word| {
            let mut bits: Rarities = [0; 4];
            for (number, _) in
                (names.iter().enumerate()).filter(|(_, name)| word.names(name, folder))
            {
                bits[number / 64] |= 1 << (number % 64);
            }
            bits
        });
        words.collect()
    };
    std::iter::once(None).chain(folders).map(in_game).collect()
}
