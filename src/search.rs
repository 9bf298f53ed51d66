//! What people type into a search box → cards and sets, best first.
//!
//! A query is read as a title is, with its words completed and mended where nothing explains them, but it is a filter too: a card that lacks what
//! the best one shares with the query, or contradicts what the best one does not, is no answer to it. Nothing is calibrated.

use crate::attributes::hit::{Hit, Means};
use crate::attributes::name::{self, NameClue};
use crate::attributes::number::NumberKind;
use crate::attributes::query::Query;
use crate::attributes::set;
use crate::catalogue::Marks;
use crate::catalogue::format::{CardRecord, SetRecord};
use crate::catalogue::{AliasKind, EntryKind, NameQuality};
use crate::clues::misspelt::{compare_spellings, search_fuzzily};
use crate::engine::{Engine, Matcher, Scratch, Stage};
use crate::options::{MAX_TITLE_BYTES, Options};
use crate::retrieve::{Candidates, retrieve};
use crate::score::features::Feature;
use crate::spelling::{Spelling, allowed};
use crate::stats::has_rarity;
use crate::token::{Line, key_of};
use std::collections::HashSet;

/// So many nodes of the lexicon are looked at beneath the letters of a word that is not ended.
const NODES: usize = 3000;
/// So many names and sets such a word is completed to: those of most cards.
const COMPLETIONS: usize = 24;
/// Fewer letters are no beginning of a word, in bytes: two of Latin, one of kana.
const LEAST: usize = 2;
/// What agreeing with a completed name tells, in nats: less than a name in full; of two names the one with more cards goes first.
const COMPLETED: f32 = 3.0;
const MORE_CARDS: f32 = 0.2;
/// More cards than this are not compared with a query.
const MOST_COMPARED: usize = 8192;

/// Where a search looks, and how much of it is wanted.
///
/// ```
/// let within = titledex::Within::new().sets(&["base1", "base2"]).most(20);
/// assert_eq!((within.most, within.asian), (20, None));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Within<'s> {
    /// Ids of sets; none for all.
    pub sets: Option<&'s [&'s str]>,
    /// Cards of the Asian prints, or of the international ones; none for both.
    pub asian: Option<bool>,
    /// At most so many cards.
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

    /// Cards of the sets with these ids alone.
    #[must_use]
    pub const fn sets(mut self, ids: &'s [&'s str]) -> Self {
        self.sets = Some(ids);
        self
    }

    /// Cards of the Asian prints alone, or of the international ones.
    #[must_use]
    pub const fn asian(mut self, asian: bool) -> Self {
        self.asian = Some(asian);
        self
    }

    /// At most so many cards.
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

/// What a query and a card share, and what contradicts.
#[derive(Clone, Copy, Debug, Default)]
struct Fit {
    shared: u16,
    against: u32,
    score: f32,
}

const NAME: u16 = 1;
const NUMBER: u16 = 2;
const SET: u16 = 4;
const RARITY: u16 = 8;
const PROMO: u16 = 16;
const ARTIST: u16 = 32;
const ORIGIN: u16 = 64;
const REST: u16 = 128;

impl Fit {
    fn of(pieces: &[(Feature, f32)], query: &Query, weight: impl Fn(Feature) -> f32) -> Fit {
        use Feature as F;
        // words of a set's name are words of its products' names too
        let product = !query.sets.iter().any(|set| set.chosen);
        let mut fit = Fit::default();
        for &(feature, value) in pieces {
            fit.score += weight(feature) * value;
            fit.shared |= match feature {
                F::NameAgrees | F::NameFuzzy | F::NicknameCard => NAME,
                F::NumberTotalAgree | F::NumberAgrees | F::BareAgrees | F::DexAgrees => NUMBER,
                F::SetAgrees | F::CodeAgrees | F::FamilyAgrees => SET,
                F::RarityAgrees if !query.rarity_vague => RARITY,
                F::PromoAgrees => PROMO,
                F::ArtistAgrees => ARTIST,
                F::OriginAgrees if product => ORIGIN,
                F::RestAgrees => REST,
                _ => 0,
            };
            let against = match feature {
                F::NameDiffers | F::ThingDiffers => 0,
                F::MarkExtra => 1,
                F::RestExtra => 2,
                F::NumberDiffers | F::PrefixedDiffers | F::BareDiffers => 3,
                F::TotalDiffers => 4,
                F::SetDiffers | F::CodeDiffers | F::FamilyDiffers => 5,
                F::SetAlsoNamed => 6,
                F::YearDiffers => 7,
                F::RarityDiffers if !query.rarity_vague => 8,
                F::FinishDiffers => 9,
                F::EditionDiffers => 10,
                F::SecretDiffers => 11,
                F::AltDiffers => 12,
                F::HpDiffers => 13,
                F::PromoDiffers => 14,
                F::OriginDiffers => 15,
                _ => continue,
            };
            fit.against |= 1 << against;
        }
        fit
    }

    /// Whether a card of this fit answers what the one of the best fit does.
    fn answers(&self, best: &Fit) -> bool {
        self.shared & best.shared == best.shared && self.against & !best.against == 0
    }
}

impl Engine {
    /// The ids of the cards that a query means, best first; of two that fit alike the one that was released first.
    ///
    /// The query is any mixture of names, numbers, sets, grades and other words of a title, in any language that titles are read in, misspelt
    /// or not typed to its end. Of a name alone it is all its cards. A query that says nothing of a card finds none.
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

    /// The ids of the sets that these words name: by id, name in any language, alias or code, whatever their case and punctuation.
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

    /// The ids of the sets that a query means, best first: those that it names, those whose names begin with it, those whose names, series
    /// or codes have all its words, and those that it names among other words.
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
        // scores that differ by the last bits alone are one
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

    /// The release of a card's set; what has no date comes last.
    fn released(&self, card: u32) -> u32 {
        let set = self
            .catalogue
            .card_record(card)
            .and_then(|card| self.catalogue.set_record(card));
        set.map(|set| set.released.get())
            .filter(|&date| date != 0)
            .unwrap_or(u32::MAX)
    }

    /// Reads a query again with the words in capitals that nothing explains, and keeps that where it explains more: titles write `SAR`, who searches
    /// writes `sar`.
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

    /// Takes words that nothing explains for beginnings of names and sets; returns those that are.
    fn complete(&self, line: &Line, words: &[(u32, u32)], query: &mut Query) -> Vec<(u32, u32)> {
        let key = line.key();
        let mut mended = Vec::new();
        let mut first = 0;
        while first < words.len() {
            // `neo gen`, where `neo` was read: the word before belongs to it
            let (at, end) = words[first];
            let before = line
                .token_at(at as usize)
                .checked_sub(1)
                .and_then(|token| line.tokens().get(token));
            if before.is_some_and(|token| self.complete_together(key, token.at, end, query)) {
                mended.push(words[first]);
                first += 1;
                continue;
            }
            // as many neighbours as begin something together
            let neighbours = words[first..]
                .windows(2)
                .take_while(|pair| pair[0].1 == pair[1].0)
                .count()
                + 1;
            let taken = (1..=neighbours).rev().find(|&count| {
                let (at, end) = (words[first].0, words[first + count - 1].1);
                self.complete_word(key, at, end, query)
            });
            mended.extend_from_slice(&words[first..first + taken.unwrap_or(0)]);
            first += taken.unwrap_or(1);
        }
        mended
    }

    /// Adds the whole names and sets that begin with the words `at..end`, the first of which was read for itself; whether there are any.
    fn complete_together(&self, key: &[u8], at: u32, end: u32, query: &mut Query) -> bool {
        let mut places = Vec::new();
        self.catalogue.lexicon().beneath(
            key.get(at as usize..end as usize).unwrap_or(&[]),
            NODES,
            |place| places.push(place),
        );
        let is = |place: u32, kinds: &[EntryKind]| {
            self.catalogue
                .entries(place)
                .any(|entry| kinds.contains(&entry.kind()))
        };
        let names: Vec<u32> = places
            .iter()
            .copied()
            .filter(|&place| is(place, &[EntryKind::Name]))
            .take(COMPLETIONS)
            .collect();
        let sets: Vec<u32> = places
            .into_iter()
            .filter(|&place| is(place, &[EntryKind::Set]))
            .take(COMPLETIONS)
            .collect();
        if !(names.is_empty() && sets.is_empty()) {
            // what the first word was read as is a part of what was meant
            query.names.retain(|name| name.at < at || name.at >= end);
            query.sets.retain(|set| set.at < at || set.at >= end);
        }
        for &place in &names {
            let hit = Hit {
                means: Means::SPECIES,
                ..set_hit(at, end, place)
            };
            name::ask(self.catalogue, &hit, true, query);
        }
        for &place in &sets {
            set::ask(self.catalogue, &set_hit(at, end, place), true, query);
        }
        !(names.is_empty() && sets.is_empty())
    }

    /// Adds the names and sets that begin with `at..end` of the key; whether there are any.
    fn complete_word(&self, key: &[u8], at: u32, end: u32, query: &mut Query) -> bool {
        let word = key.get(at as usize..end as usize).unwrap_or(&[]);
        if word.len() < LEAST {
            return false;
        }
        let (mut cores, mut sets): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        self.catalogue.lexicon().beneath(word, NODES, |place| {
            for entry in self.catalogue.entries(place) {
                match entry.kind() {
                    EntryKind::Core => cores.push(entry.id()),
                    EntryKind::Name => cores.extend(
                        self.catalogue
                            .names
                            .get(entry.id() as usize)
                            .map(|name| name.core.get()),
                    ),
                    EntryKind::Set
                        if entry.quality() < AliasKind::Code as u8 && word.len() > LEAST =>
                    {
                        sets.push(place)
                    }
                    _ => {}
                }
            }
        });
        let cards = |core: u32| {
            self.catalogue
                .cores
                .get(core as usize)
                .map_or(0, |core| core.count.get())
        };
        let species = |core: u32| {
            self.catalogue
                .cores
                .get(core as usize)
                .is_some_and(|core| core.dex[0].get() != 0)
        };
        // beside a name that stands there in full, the beginning of another is that of a card that has both
        let named: Vec<u32> = query
            .names
            .iter()
            .filter(|name| name.chosen && name.species && name.name.is_some())
            .map(|name| name.core)
            .collect();
        if !named.is_empty() {
            let cards = |core: u32| {
                self.catalogue
                    .cards_of_core(core)
                    .iter()
                    .map(|card| card.get())
            };
            let both: HashSet<u32> = named.into_iter().flat_map(cards).collect();
            cores.retain(|&core| cards(core).any(|card| both.contains(&card)));
        }
        cores.sort_unstable();
        cores.dedup();
        cores.sort_by_key(|&core| (!species(core), std::cmp::Reverse(cards(core)), core));
        sets.sort_unstable();
        sets.dedup();
        for &core in cores.iter().take(COMPLETIONS) {
            let idf = COMPLETED + MORE_CARDS * (cards(core).max(1) as f32).ln();
            query.names.push(NameClue {
                core,
                name: None,
                marks: Marks::default(),
                shared: Marks::default(),
                quality: NameQuality::Derived,
                slips: 0.0,
                species: species(core),
                rest: false,
                chosen: true,
                idf,
                whole_idf: idf,
                at,
                end,
            });
        }
        for &place in sets.iter().take(COMPLETIONS) {
            set::ask(self.catalogue, &set_hit(at, end, place), true, query);
        }
        !cores.is_empty() || !sets.is_empty()
    }

    /// Adds the sets whose names words that nothing explains are spelt much like.
    fn mend_sets(&self, key: &[u8], query: &mut Query) {
        let (Some(&(at, _)), Some(&(_, end))) = (query.unread.first(), query.unread.last()) else {
            return;
        };
        let Ok(text) = std::str::from_utf8(key.get(at as usize..end as usize).unwrap_or(&[]))
        else {
            return;
        };
        let word = Spelling::of(self.speller.confusions, text);
        if allowed(word.len()) == 0.0 {
            return;
        }
        let mut best: Option<(f32, String)> = None;
        for set in self.catalogue.sets {
            for text in [set.name, set.local_name] {
                let name = key_of(self.catalogue.string(text));
                let slips = self.speller.confusions.between(
                    &word,
                    &Spelling::of(self.speller.confusions, &name),
                    allowed(word.len().min(name.len())),
                );
                if let Some(slips) =
                    slips.filter(|slips| best.as_ref().is_none_or(|(least, _)| slips < least))
                {
                    best = Some((slips, name));
                }
            }
        }
        if let Some(place) =
            best.and_then(|(_, name)| self.catalogue.lexicon().get(name.as_bytes()))
        {
            set::ask(self.catalogue, &set_hit(at, end, place), true, query);
            query.unread.clear();
        }
    }

    /// Adds to `out` all cards that the query may mean: where names are read their cards, else those of sets or numbers, else those that
    /// other words describe.
    fn gather(&self, query: &Query, within: Option<&[u32]>, candidates: &mut Candidates) {
        let catalogue = self.catalogue;
        // what titles are compared with: cards of numbers with totals, of sets and numbers, of nicknames, of pairs of names
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

/// Whether the query has words by which cards can be found where it names none.
fn describes(query: &Query) -> bool {
    let marks = query.marks != Marks::default();
    !query.artists.is_empty() || !query.words.is_empty() || query.rarity || marks
}

fn cards_of(set: &SetRecord) -> std::ops::Range<u32> {
    set.first.get()..set.first.get().saturating_add(set.count.get())
}

fn set_hit(at: u32, end: u32, place: u32) -> Hit {
    Hit {
        at,
        end,
        place,
        whole: true,
        means: Means::SET,
    }
}
