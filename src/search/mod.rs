//! A search query → cards and sets, best first.
//!
//! A query is read as a title is, and unexplained words are completed and corrected. But it is a
//! filter too: a card is left out if it lacks what the best one shares with the query, or
//! contradicts what the best one does not. Nothing is calibrated.

mod complete;
mod fit;

use crate::attributes::number::NumberKind;
use crate::attributes::query::Query;
use crate::catalogue::Marks;
use crate::catalogue::format::{CardRecord, SetRecord};
use crate::catalogue::{AliasKind, EntryKind};
use crate::clues::misspelt::{compare_spellings, search_fuzzily};
use crate::engine::{Engine, Matcher, Scratch, Stage};
use crate::options::{MAX_TITLE_BYTES, Options};
use crate::retrieve::{Candidates, retrieve};
use crate::stats::has_rarity;
use crate::token::key_of;
use complete::NODES;
use fit::Fit;

/// More cards than this are not compared with a query.
const MOST_COMPARED: usize = 8192;

/// The bounds of a search, and the size of its result.
///
/// ```
/// let within = titledex::Within::new().sets(&["base1", "base2"]).most(20);
/// assert_eq!((within.most, within.asian), (20, None));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Within<'s> {
    /// Ids of sets; `None` for all.
    pub sets: Option<&'s [&'s str]>,
    /// Cards of the Asian prints, or of the international ones; `None` for both.
    pub asian: Option<bool>,
    /// The most cards that are returned.
    pub most: usize,
}

impl<'s> Within<'s> {
    /// A thousand cards of all sets.
    #[must_use]
    pub const fn new() -> Self {
        Within {
            sets: None,
            asian: None,
            most: 1000,
        }
    }

    /// Limits the search to the sets with these ids.
    #[must_use]
    pub const fn sets(mut self, ids: &'s [&'s str]) -> Self {
        self.sets = Some(ids);
        self
    }

    /// Limits the search to Asian prints, or to international ones.
    #[must_use]
    pub const fn asian(mut self, asian: bool) -> Self {
        self.asian = Some(asian);
        self
    }

    /// Sets the most cards that are returned.
    #[must_use]
    pub const fn most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }
}

impl Default for Within<'_> {
    fn default() -> Self {
        Within::new()
    }
}

impl Engine {
    /// The ids of the cards that a query means, best first; of two that fit alike the one that was
    /// released first.
    ///
    /// The query is any mixture of names, numbers, sets, grades and other words of a title, in any
    /// language that titles are read in, even misspelt or unfinished. A name by itself finds all
    /// its cards. A query without any clue to a card finds none.
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
        self.matcher(&self.catalogue().view())
            .search(scratch, query, within)
    }

    /// The ids of the sets that these words name: by id, name in any language, alias or code,
    /// whatever their case and punctuation.
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
    fn search(&self, scratch: &mut Scratch, query: &str, within: &Within<'_>) -> Vec<&'a str> {
        if query.len() > MAX_TITLE_BYTES || query.trim().is_empty() {
            return Vec::new();
        }
        self.read_query(scratch, query);
        self.read_in_capitals(scratch, query);
        let Scratch {
            line,
            query,
            candidates,
            memory,
            cores,
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
        if !query.unread.is_empty() && !query.names.iter().any(|name| name.chosen && name.species) {
            search_fuzzily(self.catalogue, &self.speller, line, query, misspelt);
        }
        if !query.unread.is_empty() && !query.sets.iter().any(|set| set.chosen) {
            self.mend_sets(line.key(), query);
        }
        let sets: Option<Vec<u32>> = within
            .sets
            .map(|ids| ids.iter().filter_map(|id| self.set_number(id)).collect());
        self.gather(query, sets.as_deref(), candidates);
        let cards = &mut candidates.cards;
        cards.retain(|&card| self.lies_within(card, sets.as_deref(), within.asian));
        cards.sort_unstable();
        cards.dedup();
        cards.truncate(MOST_COMPARED);
        compare_spellings(self.catalogue, &self.speller, line, cards, query, cores);
        query.alone = false;
        let scorer = self.scorer(query, line);
        scorer.prepare(memory);
        let mut pieces = Vec::new();
        let mut fits: Vec<(u32, Fit)> = Vec::with_capacity(cards.len());
        for &card in cards.iter() {
            pieces.clear();
            scorer.evidence(card, memory, &mut pieces);
            fits.push((
                card,
                Fit::of(&pieces, query, |feature| self.weights.of(feature)),
            ));
        }
        let Some(best) = fits
            .iter()
            .map(|(_, fit)| *fit)
            .max_by(|a, b| a.score.total_cmp(&b.score))
        else {
            return Vec::new();
        };
        fits.retain(|(_, fit)| fit.answers(&best));
        // scores that differ only by the last bits are equal
        let order = |&(card, fit): &(u32, Fit)| {
            (
                -(fit.score * 64.0).round() as i32,
                self.released(card),
                card,
            )
        };
        fits.sort_by_cached_key(order);
        fits.truncate(within.most);
        fits.iter()
            .filter_map(|(card, _)| self.catalogue.card_record(*card))
            .map(|card| self.catalogue.string(card.id))
            .collect()
    }

    fn sets_named(&self, words: &str) -> Vec<&'a str> {
        let id = |set: u32| {
            self.catalogue
                .sets
                .get(set as usize)
                .map(|set| self.catalogue.string(set.id))
        };
        let same = |set: &&SetRecord| {
            self.catalogue
                .string(set.id)
                .eq_ignore_ascii_case(words.trim())
        };
        if let Some(set) = self.catalogue.sets.iter().find(same) {
            return vec![self.catalogue.string(set.id)];
        }
        let key = key_of(words);
        let Some(place) = self
            .catalogue
            .lexicon()
            .get(key.as_bytes())
            .filter(|_| !key.is_empty())
        else {
            return Vec::new();
        };
        let mut sets: Vec<(u8, u32)> = self
            .catalogue
            .entries(place)
            .filter(|e| e.kind() == EntryKind::Set)
            .map(|e| (e.quality(), e.id()))
            .collect();
        sets.sort_unstable();
        // a name that one set bears in full is not the era that others belong to
        let family = AliasKind::Family as u8;
        if sets.first().is_some_and(|(kind, _)| *kind < family) {
            sets.retain(|(kind, _)| *kind < family);
        }
        sets.dedup_by_key(|(_, set)| *set);
        sets.into_iter().filter_map(|(_, set)| id(set)).collect()
    }

    fn search_sets(&self, scratch: &mut Scratch, query: &str) -> Vec<&'a str> {
        let key = key_of(query);
        if query.len() > MAX_TITLE_BYTES || key.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<&'a str> = self.sets_named(query);
        let mut tier: Vec<(u32, u32)> = Vec::new();
        let released = |set: u32| {
            self.catalogue
                .sets
                .get(set as usize)
                .map_or(0, |set| set.released.get())
        };
        let mut close = |tier: &mut Vec<(u32, u32)>| {
            tier.sort_unstable();
            for (_, set) in tier.drain(..) {
                let id = self
                    .catalogue
                    .sets
                    .get(set as usize)
                    .map_or("", |set| self.catalogue.string(set.id));
                if !id.is_empty() && !found.contains(&id) {
                    found.push(id);
                }
            }
        };
        self.catalogue
            .lexicon()
            .beneath(key.as_bytes(), NODES, |place| {
                let sets = self.catalogue.entries(place).filter(|e| {
                    e.kind() == EntryKind::Set && e.quality() < AliasKind::Family as u8
                });
                tier.extend(sets.map(|e| (released(e.id()), e.id())));
            });
        close(&mut tier);
        let words: Vec<String> = query
            .split_whitespace()
            .map(key_of)
            .filter(|word| !word.is_empty())
            .collect();
        for (at, set) in (0..).zip(self.catalogue.sets) {
            let texts = [set.id, set.code, set.name, set.local_name, set.series]
                .map(|text| key_of(self.catalogue.string(text)));
            if words
                .iter()
                .all(|word| texts.iter().any(|text| text.contains(word.as_str())))
            {
                tier.push((set.released.get(), at));
            }
        }
        close(&mut tier);
        self.read_query(scratch, query);
        let query = &mut scratch.query;
        if !query.sets.iter().any(|set| set.chosen) {
            self.mend_sets(scratch.line.key(), query);
        }
        for clue in query.sets.iter().filter(|set| set.chosen) {
            let sets = self
                .catalogue
                .entries(clue.place)
                .filter(|e| e.kind() == EntryKind::Set);
            tier.extend(sets.map(|e| (released(e.id()), e.id())));
        }
        close(&mut tier);
        found
    }

    /// The stages up to the candidates.
    fn read_query(&self, scratch: &mut Scratch, query: &str) {
        self.tokenise(scratch, query);
        self.run(scratch, query, &Options::new(), Stage::Retrieve);
    }

    fn set_number(&self, id: &str) -> Option<u32> {
        (0..)
            .zip(self.catalogue.sets)
            .find(|(_, set)| self.catalogue.string(set.id) == id)
            .map(|(at, _)| at)
    }

    fn lies_within(&self, card: u32, sets: Option<&[u32]>, asian: Option<bool>) -> bool {
        let Some(record) = self.catalogue.card_record(card) else {
            return false;
        };
        let asia = || {
            self.catalogue
                .set_record(record)
                .is_some_and(|set| set.asia != 0)
        };
        sets.is_none_or(|sets| sets.contains(&record.set.get()))
            && asian.is_none_or(|asian| asian == asia())
    }

    /// The release of a card's set; cards without a date come last.
    fn released(&self, card: u32) -> u32 {
        let set = self
            .catalogue
            .card_record(card)
            .and_then(|card| self.catalogue.set_record(card));
        set.map(|set| set.released.get())
            .filter(|&date| date != 0)
            .unwrap_or(u32::MAX)
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

    /// Adds to `out` all cards that the query may mean: those of its names, else those of its sets
    /// or numbers, else those that its other words describe.
    fn gather(&self, query: &Query, within: Option<&[u32]>, candidates: &mut Candidates) {
        let catalogue = self.catalogue;
        // what titles are compared with: cards of numbers with totals, of sets and numbers, of
        // nicknames, of pairs of names
        retrieve(catalogue, query, candidates);
        let out = &mut candidates.cards;
        for name in &query.names {
            out.extend(
                catalogue
                    .cards_of_core(name.core)
                    .iter()
                    .map(|card| card.get()),
            );
        }
        let named = query.names.iter().any(|name| name.chosen);
        if !named {
            for number in &query.numbers {
                let Some(id) = number.number else { continue };
                let postings = catalogue.cards_of_number(id);
                match number.total.filter(|_| number.kind == NumberKind::Fraction) {
                    Some(total) => out.extend(
                        catalogue
                            .of_total(postings, total)
                            .iter()
                            .map(|card| card.get()),
                    ),
                    None => out.extend(postings.iter().map(|card| card.get())),
                }
            }
            for clue in query.sets.iter().filter(|set| set.chosen) {
                for entry in catalogue
                    .entries(clue.place)
                    .filter(|entry| entry.kind() == EntryKind::Set)
                {
                    let cards = catalogue
                        .sets
                        .get(entry.id() as usize)
                        .map_or(0..0, cards_of);
                    out.extend(cards);
                }
            }
        }
        if out.is_empty() && describes(query) {
            let all: Vec<std::ops::Range<u32>> = match within {
                None => std::iter::once(0..catalogue.card_count() as u32).collect(),
                Some(sets) => sets
                    .iter()
                    .filter_map(|&set| catalogue.sets.get(set as usize))
                    .map(cards_of)
                    .collect(),
            };
            let described = |card: &u32| {
                catalogue
                    .card_record(*card)
                    .is_some_and(|record| self.is_described(record, query))
            };
            out.extend(all.into_iter().flatten().filter(described));
        }
    }

    /// Whether words that name neither card nor set describe a card.
    fn is_described(&self, record: &CardRecord, query: &Query) -> bool {
        let artist = query
            .artists
            .iter()
            .any(|(artist, _)| *artist != 0 && *artist == record.illustrator.get());
        let product =
            !query.words.is_empty() && self.catalogue.shared_words(record, &query.words).is_some();
        let has = |number: u8| number != 0 && has_rarity(&query.rarities, number);
        let rarity = query.rarity && (has(record.rarity) || has(record.mark));
        let nothing = Marks::default();
        let marks = query.marks != nothing
            && self
                .catalogue
                .name_record(record)
                .is_some_and(|name| query.marks.minus(name.marks()) == nothing);
        artist || product || rarity || marks
    }
}

/// Whether the query has words that can find cards without a name.
fn describes(query: &Query) -> bool {
    let marks = query.marks != Marks::default();
    !query.artists.is_empty() || !query.words.is_empty() || query.rarity || marks
}

fn cards_of(set: &SetRecord) -> std::ops::Range<u32> {
    set.first.get()..set.first.get().saturating_add(set.count.get())
}
