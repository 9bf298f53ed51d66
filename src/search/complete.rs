//! Unexplained words of a query → names and sets: unfinished words are completed, misspelt sets
//! corrected.

use crate::attributes::hit::{Hit, Means};
use crate::attributes::name::{self, NameClue};
use crate::attributes::query::Query;
use crate::attributes::set;
use crate::catalogue::{AliasKind, EntryKind, Marks, NameQuality};
use crate::engine::Matcher;
use crate::sort::sort_by_key;
use crate::spelling::{Spelling, allowed};
use crate::token::{Line, key_of};
use std::collections::HashSet;

/// Nodes of the lexicon that are visited beneath an unfinished word.
pub(super) const NODES: usize = 3000;
/// The most names and sets that such a word is completed to: those with the most cards.
const COMPLETIONS: usize = 24;
/// The shortest beginning of a word, in bytes: two letters of Latin, one of kana.
const LEAST: usize = 2;
/// Information in agreeing with a completed name, in nats: less than with a full name. Of two names
/// the one with more cards goes first.
const COMPLETED: f32 = 3.0;
const MORE_CARDS: f32 = 0.2;

impl<'a> Matcher<'_, 'a> {
    /// Reads unexplained words as beginnings of names and sets; returns those that are.
    pub(super) fn complete(
        &self,
        line: &Line,
        words: &[(u32, u32)],
        query: &mut Query,
    ) -> Vec<(u32, u32)> {
        let key = line.key();
        let mut mended = Vec::new();
        let mut first = 0;
        while first < words.len() {
            // `neo gen`, if `neo` was read: the word before belongs to it
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

    /// Adds the whole names and sets that begin with the words `at..end`, the first of which was
    /// read for itself; whether there are any.
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
        let kind = |place: &u32| {
            let sets = self.catalogue.entries(*place);
            sets.filter(|entry| entry.kind() == EntryKind::Set)
                .map(|entry| entry.quality())
                .min()
        };
        // a set's name before what sellers call others
        let best = places.iter().filter_map(kind).min();
        let sets: Vec<u32> = places
            .into_iter()
            .filter(|place| best.is_some() && kind(place) == best)
            .take(COMPLETIONS)
            .collect();
        if !(names.is_empty() && sets.is_empty()) {
            // what the first word was read as is a part of what was meant
            query.names.retain(|name| name.at < at || name.at >= end);
            query.sets.retain(|set| set.at < at || set.at >= end);
        }
        for &place in &names {
            let hit = Hit::whole((at, end), place, Means::SUBJECT);
            name::ask(self.catalogue, &hit, true, query);
        }
        for &place in &sets {
            let hit = Hit::whole((at, end), place, Means::SET);
            set::ask(self.catalogue, &hit, true, query);
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
        let subject = |core: u32| {
            self.catalogue
                .cores
                .get(core as usize)
                .is_some_and(|core| core.subjects[0].get() != 0)
        };
        // with a full name, the beginning of another is that of a card that has both
        let named: Vec<u32> = query
            .names
            .iter()
            .filter(|name| name.chosen && name.subject && name.name.is_some())
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
        sort_by_key(&mut cores, |&core| {
            (!subject(core), std::cmp::Reverse(cards(core)), core)
        });
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
                subject: subject(core),
                rest: false,
                chosen: true,
                idf,
                whole_idf: idf,
                at,
                end,
            });
        }
        for &place in sets.iter().take(COMPLETIONS) {
            let hit = Hit::whole((at, end), place, Means::SET);
            set::ask(self.catalogue, &hit, true, query);
        }
        !cores.is_empty() || !sets.is_empty()
    }

    /// Adds the names that all unexplained words together are spelt much like: `bosses orders`.
    pub(super) fn mend_names(&self, line: &Line, query: &mut Query) {
        let [(at, _), .., (_, end)] = query.unread[..] else {
            return;
        };
        let confusions = self.speller.confusions;
        let text = line.text(at as usize, end as usize);
        let word = Spelling::of(confusions, text);
        let most = allowed(word.len());
        let mut best: Option<(f32, u32)> = None;
        for name in self.catalogue.names {
            let key = key_of(self.catalogue.string(name.text));
            if key.len().abs_diff(text.len()) > most as usize + 1 {
                continue;
            }
            let slips = confusions.between(&word, &Spelling::of(confusions, &key), most);
            if let Some(slips) = slips
                && best.is_none_or(|(least, _)| slips < least)
                && let Some(place) = self.catalogue.lexicon().get(key.as_bytes())
            {
                best = Some((slips, place));
            }
        }
        let Some((slips, place)) = best else { return };
        let means = Means::of(self.catalogue, place, self.stats.open_games);
        let hit = Hit::whole((at, end), place, means);
        let before = query.names.len();
        name::ask(self.catalogue, &hit, true, query);
        for clue in &mut query.names[before..] {
            (clue.quality, clue.slips) = (NameQuality::Fuzzy, slips);
        }
        query.unread.clear();
    }

    /// Adds the sets whose names are spelt much like unexplained words.
    pub(super) fn mend_sets(&self, key: &[u8], query: &mut Query) {
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
            let hit = Hit::whole((at, end), place, Means::SET);
            set::ask(self.catalogue, &hit, true, query);
            query.unread.clear();
        }
    }
}
