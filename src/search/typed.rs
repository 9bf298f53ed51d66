//! What people type and titles do not say: a name by itself, a set that is a number, a promo's
//! number in two words.

use crate::attributes::hit::{Hit, Means};
use crate::attributes::name;
use crate::attributes::number::{NumberClue, NumberKind, Refuted};
use crate::attributes::set;
use crate::catalogue::format::{SetRecord, pack_number};
use crate::catalogue::{AliasKind, EntryKind, Marks};
use crate::dictionary::Tag;
use crate::engine::{Matcher, Scratch};
use crate::math::information;
use crate::parsed::Field;
use crate::token::{Class, key_of};

/// Digits of a set's name that are no number of a card: fewer are, more are a year.
const SET_DIGITS: usize = 3;

/// A nickname lies around the name that was read.
fn around(outer: &Hit, at: u32, end: u32) -> bool {
    outer.at <= at && end <= outer.end && outer.end - outer.at > end - at
}

impl Matcher<'_, '_> {
    /// Corrects what was read of `scratch`'s query as a title; whether the whole query is a name.
    pub(super) fn read_as_typed(&self, scratch: &mut Scratch) -> bool {
        if self.read_whole_name(scratch) {
            return true;
        }
        self.read_single_names(scratch);
        self.prefer_names(scratch);
        self.read_nicknames(scratch);
        self.read_sets_of_digits(scratch);
        self.join_numbers(scratch);
        false
    }

    /// A query that is a name and nothing else means the cards of that name, even if a set, a
    /// product or a rarity is named so too.
    fn read_whole_name(&self, scratch: &mut Scratch) -> bool {
        let key = scratch.line.key();
        let end = key.len() as u32;
        let Some(place) = self.catalogue.lexicon().get(key) else {
            return false;
        };
        let means = Means::of(self.catalogue, place, self.stats.open_games);
        let named = |kind: EntryKind| matches!(kind, EntryKind::Name | EntryKind::Core);
        if !self.catalogue.entries(place).any(|e| named(e.kind())) {
            return false;
        }
        let query = &mut scratch.query;
        let (cards, language) = (std::mem::take(&mut query.cards), query.language);
        query.clear();
        (query.cards, query.language) = (cards, language);
        let hit = Hit::whole((0, end), place, means);
        name::ask(self.catalogue, &hit, true, query);
        true
    }

    /// Names of letters that are too few to be read in a title: `N`.
    fn read_single_names(&self, scratch: &mut Scratch) {
        let query = &mut scratch.query;
        if query.names.iter().any(|name| name.chosen) {
            return;
        }
        let mut first = 0;
        while first < query.unread.len() {
            let (at, end) = query.unread[first];
            let text = scratch.line.text(at as usize, end as usize);
            let place = self.catalogue.lexicon().get(text.as_bytes());
            let means = |place| Means::of(self.catalogue, place, self.stats.open_games);
            let hit = place.map(|place| Hit::whole((at, end), place, means(place)));
            match hit.filter(|hit| hit.means.name) {
                Some(hit) => {
                    query
                        .names
                        .retain(|name| (name.at, name.end) != (hit.at, hit.end));
                    name::ask(self.catalogue, &hit, true, query);
                    query.unread.remove(first);
                }
                None => first += 1,
            }
        }
    }

    /// Sets and products whose words are those of a name: the name is meant, unless another name
    /// is next to it.
    fn prefer_names(&self, scratch: &mut Scratch) {
        let query = &mut scratch.query;
        if !query.names.iter().any(|name| name.chosen) {
            let (sets, line) = (&query.sets, &scratch.line);
            for name in query.names.iter_mut().filter(|name| name.subject) {
                // `mew 151`: a name, and another name of the set
                let means = |set: &set::SetClue| {
                    (set.at, set.end) == (name.at, name.end)
                        || set.at == name.at && name.end < set.end && {
                            let rest = line.text(name.end as usize, set.end as usize);
                            !self.sets_of_digits(rest).is_empty()
                        }
                };
                name.chosen = sets.iter().any(|set| set.chosen && means(set));
            }
        }
        let names: Vec<(u32, u32)> = query
            .names
            .iter()
            .filter(|name| name.chosen)
            .map(|name| (name.at, name.end))
            .collect();
        query.sets.retain(|set| {
            let inside = |&(at, end): &(u32, u32)| at <= set.at && set.end <= end;
            let apart = |&(at, end): &(u32, u32)| end <= set.at || set.end <= at;
            !names.iter().any(inside)
                || names
                    .iter()
                    .all(|name| apart(name) || *name == (set.at, set.end))
                    && names.iter().any(apart)
        });
        let free = |hit: &&Hit| {
            hit.means.word
                && !names
                    .iter()
                    .any(|&(at, end)| at <= hit.at && hit.end <= end)
        };
        let mut words: Vec<u16> = Vec::new();
        for hit in scratch.hits.iter().filter(free) {
            let entries = self.catalogue.entries(hit.place);
            words.extend(
                entries
                    .filter(|entry| entry.kind() == EntryKind::Word)
                    .map(|entry| entry.id() as u16),
            );
        }
        query.words.retain(|word| words.contains(word));
        query.campaign &= !query.words.is_empty();
    }

    /// Nicknames that lie around the name that was read: `crystal charizard`.
    fn read_nicknames(&self, scratch: &mut Scratch) {
        let query = &mut scratch.query;
        for hit in scratch.hits.iter().filter(|hit| hit.whole) {
            let named = query
                .names
                .iter()
                .any(|name| name.chosen && around(hit, name.at, name.end));
            let cards = self
                .catalogue
                .entries(hit.place)
                .filter(|entry| named && entry.kind() == EntryKind::Card)
                .map(|entry| entry.id());
            query.cards.extend(cards);
        }
    }

    /// Digits that are a set's name or id: `151`, `sv01`, and `sv8` for `sv08`.
    pub(super) fn read_sets_of_digits(&self, scratch: &mut Scratch) {
        let Scratch {
            line,
            query,
            cover,
            numbers,
            ..
        } = scratch;
        let tokens = line.tokens();
        for first in 0..tokens.len() {
            let at = tokens[first].at;
            // the longest run of tokens without a space that is a set
            let glued = tokens[first + 1..].iter().take_while(|token| token.glued);
            let ends: Vec<u32> = std::iter::once(&tokens[first])
                .chain(glued)
                .map(|token| token.end)
                .collect();
            if tokens[first].glued && first > 0 {
                continue;
            }
            let named = ends.iter().rev().map(|&end| {
                let text = line.text(at as usize, end as usize);
                (end, self.sets_of_digits(text))
            });
            let Some((end, places)) = named.into_iter().find(|(_, places)| !places.is_empty())
            else {
                continue;
            };
            let over = cover.chosen.covering(at).filter(|reading| reading.at < end);
            let taken = over.is_some_and(|reading| {
                !matches!(reading.field, Field::Number | Field::Set | Field::Quantity)
                    || reading.field == Field::Set && reading.at < at
            });
            let fraction = numbers
                .iter()
                .any(|number| number.total != 0 && number.at < end && at < number.end);
            let known = query
                .sets
                .iter()
                .any(|set| set.chosen && set.at <= at && end <= set.end);
            if taken || fraction || known {
                continue;
            }
            let text = line.text(at as usize, end as usize);
            let number = self.catalogue.number(pack_number(text));
            let letters = text.bytes().any(|byte| byte.is_ascii_alphabetic());
            let has = |name: &name::NameClue| {
                number.is_some_and(|number| {
                    !self
                        .catalogue
                        .cards_of_core_numbered(name.core, number)
                        .is_empty()
                })
            };
            // `charizard sv49` is a number
            if letters && query.names.iter().any(|name| name.chosen && has(name)) {
                continue;
            }
            query
                .numbers
                .retain(|clue| clue.number.is_none() || clue.number != number || clue.has_total);
            query.unread.retain(|&(from, to)| to <= at || end <= from);
            query.sets.retain(|set| set.end <= at || end <= set.at);
            for place in places {
                let hit = Hit::whole((at, end), place, Means::SET);
                set::ask(self.catalogue, &hit, true, query);
            }
        }
    }

    /// The places in the lexicon of the sets that a text with digits names, or whose ids it spells.
    fn sets_of_digits(&self, text: &str) -> Vec<u32> {
        if !text.bytes().any(|byte| byte.is_ascii_digit()) {
            return Vec::new();
        }
        let lexicon = self.catalogue.lexicon();
        let is_set = |place: &u32| self.sets_at(*place).next().is_some();
        if let Some(place) = lexicon.get(text.as_bytes()).filter(is_set) {
            return vec![place];
        }
        let place = |set: &SetRecord| {
            let texts = [set.name, set.local_name, set.id, set.code];
            texts.into_iter().find_map(|text| {
                lexicon
                    .get(key_of(self.catalogue.string(text)).as_bytes())
                    .filter(is_set)
            })
        };
        let sets = self.catalogue.sets;
        if text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
            let set = self.set_spelt(text).and_then(|set| sets.get(set as usize));
            return set.and_then(place).into_iter().collect();
        }
        // `151`, and `ポケモンカード151`: three digits that end a set's name
        let ends = |set: &&SetRecord| {
            [set.name, set.local_name].into_iter().any(|name| {
                let before = self.catalogue.string(name).strip_suffix(text);
                before.is_some_and(|before| !before.ends_with(|c: char| c.is_ascii_digit()))
            })
        };
        if text.len() != SET_DIGITS {
            return Vec::new();
        }
        let mut places: Vec<u32> = sets.iter().filter(ends).filter_map(place).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// A number of letters and digits in two words: `swsh 261`.
    fn join_numbers(&self, scratch: &mut Scratch) {
        let Scratch { line, query, .. } = scratch;
        for pair in line.tokens().windows(2) {
            let [letters, digits] = pair else { continue };
            if letters.class != Class::Latin || digits.class != Class::Digit || digits.glued {
                continue;
            }
            let word = line.text(letters.at as usize, letters.end as usize);
            let figure = line.text(digits.at as usize, digits.end as usize);
            let joined = pack_number(&format!("{word}{figure}"));
            let Some(number) = self.catalogue.number(joined) else {
                continue;
            };
            let whole = |at: u32, end: u32| at < letters.end && letters.at < end;
            let named = query.names.iter().any(|n| n.chosen && whole(n.at, n.end));
            let set = query
                .sets
                .iter()
                .any(|s| s.chosen && s.kind < AliasKind::Family as u8 && whole(s.at, s.end));
            if named || set {
                continue;
            }
            let bare = self.catalogue.number(pack_number(figure));
            query
                .numbers
                .retain(|clue| clue.has_total || clue.number != bare);
            query.sets.retain(|s| !whole(s.at, s.end));
            query
                .unread
                .retain(|&(at, end)| !whole(at, end) && (end <= digits.at || digits.end <= at));
            let cards = self.catalogue.cards_of_number(number).len() as u32;
            let all = self.catalogue.card_count().max(1) as f32;
            query.numbers.push(NumberClue {
                refuted: Refuted::No,
                kind: NumberKind::Prefixed,
                number: Some(number),
                total: None,
                has_total: false,
                digits: figure.parse().unwrap_or(0),
                total_digits: 0,
                games: u32::MAX,
                known_in: u32::MAX,
                patterns: 0,
                coded: false,
                beside: true,
                unsigned: false,
                idf_pair: 0.0,
                idf_total: 0.0,
                idf: information(all, cards),
            });
        }
    }

    /// The cores that have all the subjects that the query names, where it names several: `latias
    /// latios gx`.
    pub(super) fn pairs_named(&self, scratch: &Scratch) -> Vec<u32> {
        let mut cores: Vec<u32> = scratch
            .query
            .names
            .iter()
            .filter(|name| name.chosen && name.subject)
            .map(|name| name.core)
            .collect();
        cores.sort_unstable();
        cores.dedup();
        let subjects_of = |core: u32| {
            self.catalogue
                .cores
                .get(core as usize)
                .map_or([0; 3], |core| core.subjects.map(|subject| subject.get()))
        };
        let singles: Vec<u16> = cores
            .iter()
            .map(|&core| subjects_of(core))
            .filter(|subjects| subjects[0] != 0 && subjects[1] == 0)
            .map(|subjects| subjects[0])
            .collect();
        if singles.len() < 2 {
            return Vec::new();
        }
        let named = |pair: &u32| {
            let subjects = subjects_of(*pair);
            singles.iter().all(|one| subjects.contains(one))
        };
        singles
            .iter()
            .flat_map(|&subject| self.catalogue.pairs_of(subject))
            .map(|(core, _)| core)
            .filter(named)
            .collect()
    }

    /// The marks that are stated, next to the name or away from it.
    pub(super) fn marks_apart(&self, scratch: &Scratch) -> Marks {
        let (query, chosen) = (&scratch.query, &scratch.cover.chosen);
        let apart = scratch.tags.iter().filter(|tag| {
            tag.whole
                && tag.end - tag.at > 1
                && chosen
                    .covering(tag.at)
                    .is_none_or(|reading| reading.at >= tag.end)
        });
        apart.fold(query.marks, |marks, tag| match tag.tag {
            Tag::Affix(bit) => marks.with(bit),
            _ => marks,
        })
    }
}
