//! A search query → cards and sets, best first.
//!
//! A query is read as a title is, and unexplained words are completed and corrected. But it is a
//! filter too: a card is left out if it lacks what the best one shares with the query, or
//! contradicts what the best one does not. Nothing is calibrated.

mod complete;
mod fit;
mod gather;
mod products;
mod sets;
mod terms;
mod typed;

use crate::attributes::language::Language;
use crate::attributes::query::Query;
use crate::catalogue::format::SetRecord;
use crate::clues::misspelt::{compare_spellings, search_fuzzily};
use crate::engine::{Engine, Matcher, Scratch, Stage};
use crate::options::MAX_TITLE_BYTES;
use crate::sort::sort_by_cached_key;
use fit::{Fit, Typed};
pub use products::Product;
use sets::set_id_key;
use std::cmp::Reverse;

/// The bounds of a search, and the size of its result.
///
/// ```
/// let within = titledex::Within::new().sets(&["base1", "base2"]).most(20);
/// assert_eq!((within.most, within.region), (20, None));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Within<'s> {
    /// Ids of sets; `None` for all.
    pub sets: Option<&'s [&'s str]>,
    /// Cards of the region that their game calls so (`asia`); `None` for those of all regions.
    pub region: Option<&'s str>,
    /// Cards in this language, as answers write it (`japanese`); `None` for all.
    pub language: Option<&'s str>,
    /// Cards of the games with these ids; `None` for all that the engine has open.
    pub games: Option<&'s [&'s str]>,
    /// The most cards that are returned.
    pub most: usize,
}

impl<'s> Within<'s> {
    /// The most cards that are compared with a query, and so the most that are found. Of more, those
    /// are compared that come first among cards that fit alike.
    pub const MOST: usize = 8192;

    /// A thousand cards of all sets.
    #[must_use]
    pub const fn new() -> Self {
        Within {
            sets: None,
            region: None,
            language: None,
            games: None,
            most: 1000,
        }
    }

    /// Limits the search to the sets with these ids.
    #[must_use]
    pub const fn sets(mut self, ids: &'s [&'s str]) -> Self {
        self.sets = Some(ids);
        self
    }

    /// Limits the search to cards of a region, by what their game calls it ([`Engine::regions`]).
    #[must_use]
    pub const fn region(mut self, name: &'s str) -> Self {
        self.region = Some(name);
        self
    }

    /// Limits the search to cards in one language, as answers write it: those of Pokémon's
    /// region `asia` are `japanese`, `chinese`, `thai` and `indonesian`.
    #[must_use]
    pub const fn language(mut self, language: &'s str) -> Self {
        self.language = Some(language);
        self
    }

    /// Limits the search to cards of the games with these ids.
    #[must_use]
    pub const fn games(mut self, ids: &'s [&'s str]) -> Self {
        self.games = Some(ids);
        self
    }

    /// Sets the most cards that are returned.
    #[must_use]
    pub const fn most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }
}

/// [`Within`] in the numbers of a catalogue.
struct Bounds<'w> {
    sets: Option<Vec<u32>>,
    /// The games, a bit each.
    games: u32,
    /// For each game of the catalogue the place of the region; `None` where it has none of the name.
    regions: Option<Vec<Option<usize>>>,
    language: Option<&'w str>,
}

impl Default for Within<'_> {
    fn default() -> Self {
        Within::new()
    }
}

impl Engine {
    /// The ids of the cards that a query means, best first; of those that fit alike, the
    /// ones that a marketplace lists, and of these the newer ones.
    ///
    /// The query is any mixture of names, numbers, sets, grades and other words of a title, in any
    /// language that titles are read in, even misspelt or unfinished. A name by itself finds all
    /// its cards. A query without any clue to a card finds none, and one that fits more than
    /// [`Within::MOST`] the first of them.
    ///
    /// ```
    /// use titledex::{Engine, Scratch, Within};
    /// let engine = Engine::new(titledex_embedded::catalogue()?);
    /// let found = engine.search(&mut Scratch::default(), "charzard 4/102 psa 10", &Within::new());
    /// assert_eq!(found[0], "base1-4");
    /// # Ok::<(), titledex::Error>(())
    /// ```
    #[must_use]
    pub fn search<'e>(
        &'e self,
        scratch: &mut Scratch,
        query: &str,
        within: &Within<'_>,
    ) -> Vec<&'e str> {
        self.search_ranked(scratch, query, within)
            .into_iter()
            .map(|(id, _)| id)
            .collect()
    }

    /// As [`Engine::search`], with the rank of each card from 0: cards of one rank fit alike, and a
    /// caller who knows which are looked for most can order those.
    #[must_use]
    pub fn search_ranked<'e>(
        &'e self,
        scratch: &mut Scratch,
        query: &str,
        within: &Within<'_>,
    ) -> Vec<(&'e str, u32)> {
        self.matcher(&self.catalogue().view())
            .search(scratch, query, within)
    }

    /// The places in `products` of the sealed products that a query means, best first; those that
    /// fit alike keep their order. Sets, types and misspelt words are read as in titles.
    ///
    /// ```
    /// use titledex::{Engine, Product, Scratch};
    /// let engine = Engine::new(titledex_embedded::catalogue()?);
    /// let products = [
    ///     Product::new("Evolving Skies Booster Box", "Booster Box").set("swsh7", "Evolving Skies"),
    ///     Product::new("Evolving Skies Elite Trainer Box", "Elite Trainer Box").set("swsh7", "Evolving Skies"),
    /// ];
    /// assert_eq!(engine.search_products(&mut Scratch::default(), "etb evolvng skies", &products), [1]);
    /// # Ok::<(), titledex::Error>(())
    /// ```
    #[must_use]
    pub fn search_products(
        &self,
        scratch: &mut Scratch,
        query: &str,
        products: &[Product<'_>],
    ) -> Vec<usize> {
        self.matcher(&self.catalogue().view())
            .search_products(scratch, query, products)
    }

    /// Whether two spellings are of one set's id: `sv8` and `sv08`, `sv3pt5` and `sv03.5`.
    ///
    /// ```
    /// use titledex::Engine;
    /// assert!(Engine::is_same_set_id("sv3pt5", "sv03.5") && Engine::is_same_set_id("SV8", "sv08"));
    /// assert!(!Engine::is_same_set_id("sv08", "sv08.5"));
    /// ```
    #[must_use]
    pub fn is_same_set_id(one: &str, other: &str) -> bool {
        set_id_key(one) == set_id_key(other)
    }

    /// The ids of the sets that these words name: by id (`sv8` and `sv3pt5` as well
    /// as `sv08` and `sv03.5`), name in any language, alias or code, whatever their case and
    /// punctuation.
    ///
    /// ```
    /// let engine = titledex::Engine::new(titledex_embedded::catalogue()?);
    /// assert_eq!(engine.sets_named("イーブイヒーローズ"), ["asia:S6a"]);
    /// # Ok::<(), titledex::Error>(())
    /// ```
    #[must_use]
    pub fn sets_named(&self, words: &str) -> Vec<&str> {
        self.matcher(&self.catalogue().view()).sets_named(words)
    }

    /// The ids of the sets that a query means, best first: those that it names, those whose names
    /// begin with it, those whose names, series or codes have all its words, and those that it
    /// names among other words.
    #[must_use]
    pub fn search_sets<'e>(&'e self, scratch: &mut Scratch, query: &str) -> Vec<&'e str> {
        self.matcher(&self.catalogue().view())
            .search_sets(scratch, query)
    }
}

impl<'a> Matcher<'_, 'a> {
    fn search(
        &self,
        scratch: &mut Scratch,
        words: &str,
        within: &Within<'_>,
    ) -> Vec<(&'a str, u32)> {
        if words.len() > MAX_TITLE_BYTES || words.trim().is_empty() {
            return Vec::new();
        }
        let bounds = self.bounds(within);
        let sets = bounds.sets.as_deref();
        let card = self.catalogue.card_number(words.trim());
        if let Some(card) = card
            && self.lies_within(card, &bounds)
        {
            return self.found(card, 0).into_iter().collect();
        }
        self.read_query(scratch, words);
        self.read_in_capitals(scratch, words);
        let terms = self.terms(scratch);
        let whole = self.read_as_typed(scratch);
        scratch.query.marks = self.marks_apart(scratch);
        let pairs = self.pairs_named(scratch);
        let wanted = self.rarities_wanted(scratch);
        self.mend(scratch);
        self.ask_terms(&terms, &mut scratch.query);
        let Scratch {
            line,
            query,
            candidates,
            memory,
            cores,
            ..
        } = scratch;
        self.gather(query, sets, candidates);
        let cards = &mut candidates.cards;
        if !pairs.is_empty() {
            cards.clear();
            let of_pair = |&core: &u32| self.catalogue.cards_of_core(core).iter();
            cards.extend(pairs.iter().flat_map(of_pair).map(|card| card.get()));
        }
        cards.retain(|&card| self.lies_within(card, &bounds));
        cards.sort_unstable();
        cards.dedup();
        if cards.len() > Within::MOST {
            sort_by_cached_key(cards, |&card| self.newest_listed(card));
            cards.truncate(Within::MOST);
            cards.sort_unstable();
        }
        compare_spellings(self.catalogue, &self.speller, line, cards, query, cores);
        query.alone = false;
        let scorer = self.scorer(query, line);
        scorer.prepare(memory);
        let typed = Typed::of(line, query, &terms, &wanted);
        let mut pieces = Vec::new();
        let mut fits: Vec<(u32, Fit)> = Vec::with_capacity(cards.len());
        for &card in cards.iter() {
            let Some(record) = self.catalogue.card_record(card) else {
                continue;
            };
            pieces.clear();
            scorer.evidence(card, memory, &mut pieces);
            let fit = Fit::of(&pieces, query, !terms.is_empty(), |feature| {
                self.weights.of(feature)
            });
            fits.push((card, self.compare_as_typed(&typed, card, record, fit)));
        }
        if whole {
            self.keep_names(&typed, &mut fits);
        }
        self.ranked(fits, query, within.most)
    }

    /// At most so many cards that answer as well as the best, in order, with their ranks: cards that
    /// nothing tells apart share one.
    fn ranked(&self, mut fits: Vec<(u32, Fit)>, query: &Query, most: usize) -> Vec<(&'a str, u32)> {
        let Some(best) = fits
            .iter()
            .map(|(_, fit)| *fit)
            .max_by(|a, b| a.score.total_cmp(&b.score))
        else {
            return Vec::new();
        };
        fits.retain(|(_, fit)| fit.answers(&best));
        let regional_first = query.language == Language::Japanese;
        // scores that differ only by the last bits are equal
        let order = |&(card, fit): &(u32, Fit)| {
            let regional = self.is_regional(card);
            (
                -(fit.score * 64.0).round() as i32,
                regional != regional_first,
                regional && !self.is_japanese(card),
                !self.prints_total(card, query),
                self.newest_listed(card),
            )
        };
        sort_by_cached_key(&mut fits, order);
        fits.truncate(most);
        let mut rank = 0;
        let mut before = None;
        let ranked = fits.iter().filter_map(|pair| {
            let (score, region, language, total, ..) = order(pair);
            let fit = Some((score, region, language, total));
            rank += u32::from(before.is_some() && before != fit);
            before = fit;
            self.found(pair.0, rank)
        });
        ranked.collect()
    }

    fn is_japanese(&self, card: u32) -> bool {
        let language = self.catalogue.card_record(card).map(|card| card.language);
        language.is_some() && language == self.stats.japanese
    }

    /// Whether the card's set has as many cards as the query's number says, where it does: reprints
    /// in another set print the number of the first.
    fn prints_total(&self, card: u32, query: &Query) -> bool {
        let set = self
            .catalogue
            .card_record(card)
            .and_then(|card| self.catalogue.set_record(card));
        let mut totals = query
            .numbers
            .iter()
            .filter(|number| number.total_digits != 0);
        set.is_some_and(|set| totals.all(|number| number.total_digits == set.official.get()))
    }

    fn found(&self, card: u32, rank: u32) -> Option<(&'a str, u32)> {
        let record = self.catalogue.card_record(card)?;
        Some((self.catalogue.string(record.id), rank))
    }

    /// Completes and corrects the words that nothing explains.
    fn mend(&self, scratch: &mut Scratch) {
        let Scratch {
            line,
            query,
            misspelt,
            ..
        } = scratch;
        // what other readings won over is a part of what was typed: `イーブイ` of the set `イーブイヒーローズ`
        if query.names.iter().any(|name| name.chosen) || query.sets.iter().any(|set| set.chosen) {
            query.names.retain(|name| name.chosen);
        }
        let typed = std::mem::take(&mut query.unread);
        let mended = self.complete(line, &typed, query);
        query.unread = typed
            .into_iter()
            .filter(|word| !mended.contains(word))
            .collect();
        if !query.unread.is_empty() && !query.names.iter().any(|name| name.chosen && name.subject) {
            search_fuzzily(self.catalogue, &self.speller, line, query, misspelt);
            self.mend_names(line, query);
        }
        if !query.unread.is_empty() && !query.sets.iter().any(|set| set.chosen) {
            self.mend_sets(line.key(), query);
        }
    }

    /// The stages up to the candidates.
    fn read_query(&self, scratch: &mut Scratch, query: &str) {
        self.tokenise(scratch, query);
        self.run(scratch, query, Stage::Retrieve);
    }

    fn set_number(&self, id: &str) -> Option<u32> {
        (0..)
            .zip(self.catalogue.sets)
            .find(|(_, set)| self.catalogue.string(set.id) == id)
            .map(|(at, _)| at)
    }

    /// The open games of those that a search is limited to, a bit each.
    fn open_games(&self, within: &Within<'_>) -> u32 {
        let asked = within.games.map_or(u32::MAX, |ids| {
            ids.iter()
                .fold(0, |games, id| games | self.catalogue.game_bit(id))
        });
        self.stats.open_games & asked
    }

    /// The bounds of a search in the catalogue's numbers.
    fn bounds<'w>(&self, within: &Within<'w>) -> Bounds<'w> {
        let sets = |ids: &[&str]| ids.iter().filter_map(|id| self.set_number(id)).collect();
        let region = |id: &str, name: &str| self.dictionary().game(id)?.region_called(name);
        let regions = |name: &str| {
            let games = self.catalogue.game_ids();
            games.map(|id| region(id, name)).collect()
        };
        Bounds {
            sets: within.sets.map(sets),
            games: self.open_games(within),
            regions: within.region.map(regions),
            language: within.language,
        }
    }

    fn lies_within(&self, card: u32, bounds: &Bounds<'_>) -> bool {
        let Some(record) = self.catalogue.card_record(card) else {
            return false;
        };
        let of_set = |set: &SetRecord| {
            let own = |regions: &Vec<Option<usize>>| {
                regions.get(usize::from(set.game)) == Some(&Some(usize::from(set.region)))
            };
            set.game_bit() & bounds.games != 0 && bounds.regions.as_ref().is_none_or(own)
        };
        let anywhere = bounds.games == u32::MAX && bounds.regions.is_none();
        let (sets, languages) = (&bounds.sets, bounds.language);
        sets.as_ref()
            .is_none_or(|sets| sets.contains(&record.set.get()))
            && (anywhere || self.catalogue.set_record(record).is_some_and(of_set))
            && languages.is_none_or(|language| language == self.catalogue.language(record.language))
    }

    fn is_regional(&self, card: u32) -> bool {
        let record = self.catalogue.card_record(card);
        let set = record.and_then(|card| self.catalogue.set_record(card));
        set.is_some_and(SetRecord::is_regional)
    }

    /// The order of cards that fit alike: those that a marketplace lists first, and of these the newer.
    fn newest_listed(&self, card: u32) -> (bool, Reverse<u32>, u32) {
        let listed = self.catalogue.is_listed(card);
        (!listed, Reverse(self.released(card)), card)
    }

    /// The release of a card's set; 0 if it is unknown.
    fn released(&self, card: u32) -> u32 {
        let set = self
            .catalogue
            .card_record(card)
            .and_then(|card| self.catalogue.set_record(card));
        set.map_or(0, |set| set.released.get())
    }

    /// Reads a query again with the unexplained words in capitals, and keeps that reading if it
    /// explains more: titles write `SAR`, people who search write `sar`.
    fn read_in_capitals(&self, scratch: &mut Scratch, query: &str) {
        let unread = scratch.query.unread.len();
        let mut text = query.to_owned();
        for &(at, end) in &scratch.query.unread {
            let span = scratch
                .line
                .span(&scratch.normalised, at as usize, end as usize);
            if let Some(word) = text.get_mut(span.start as usize..span.end as usize) {
                word.make_ascii_uppercase();
            }
        }
        if text == query {
            return;
        }
        self.read_query(scratch, &text);
        if scratch.query.unread.len() >= unread {
            self.read_query(scratch, query);
        }
    }
}
