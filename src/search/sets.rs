//! A query → sets.

use super::complete::NODES;
use crate::catalogue::format::SetRecord;
use crate::catalogue::{AliasKind, Entry, EntryKind};
use crate::dictionary::load::rows;
use crate::engine::{Matcher, Scratch};
use crate::error::Error;
use crate::options::MAX_TITLE_BYTES;
use crate::token::key_of;
use once_cell::sync::OnceCell;
use std::collections::HashMap;

impl<'a> Matcher<'_, 'a> {
    /// The sets that the words at a place of the lexicon name, without families of sets.
    pub(super) fn sets_at(&self, place: u32) -> impl Iterator<Item = Entry> + 'a {
        self.catalogue.entries(place).filter(|entry| {
            entry.kind() == EntryKind::Set && entry.quality() < AliasKind::Family as u8
        })
    }

    pub(super) fn sets_named(&self, words: &str) -> Vec<&'a str> {
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
        if let Some(set) = self.set_spelt(words) {
            return id(set).into_iter().collect();
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
        let mut sets: Vec<(u32, u32)> = self
            .catalogue
            .entries(place)
            .filter(|e| e.kind() == EntryKind::Set)
            .map(|e| (e.quality().into(), e.id()))
            .collect();
        sets.sort_unstable();
        // a name that one set bears in full is not the era that others belong to
        let family = AliasKind::Family as u32;
        if sets.first().is_some_and(|(kind, _)| *kind < family) {
            sets.retain(|(kind, _)| *kind < family);
        }
        sets.dedup_by_key(|(_, set)| *set);
        sets.into_iter().filter_map(|(_, set)| id(set)).collect()
    }

    pub(super) fn search_sets(&self, scratch: &mut Scratch, query: &str) -> Vec<&'a str> {
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
                tier.extend(self.sets_at(place).map(|e| (released(e.id()), e.id())));
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

    /// The set whose id these words spell in another way.
    pub(super) fn set_spelt(&self, words: &str) -> Option<u32> {
        let key = set_id_key(words);
        if !key.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        (0..)
            .zip(self.catalogue.sets)
            .find(|(_, set)| set_id_key(self.catalogue.string(set.id)) == key)
            .map(|(at, _)| at)
    }
}

const COLUMNS: [&str; 3] = ["canonical", "spellings", "note"];

/// What other catalogues call the sets of each game: name and text of the files.
const FILES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/search.rs"));

/// What other catalogues call sets, where no rule makes one of the other, by its spelling.
static SPELLINGS: OnceCell<HashMap<String, String>> = OnceCell::new();

fn spellings(files: &[(&str, &str)]) -> Result<HashMap<String, String>, Error> {
    let mut spellings = HashMap::default();
    for (file, text) in files {
        for row in rows(file, text, &COLUMNS)? {
            let spelt = row.list(1).map(|id| (spelling(id), spelling(row.cell(0))));
            spellings.extend(spelt);
        }
    }
    Ok(spellings)
}

/// The form in which all spellings of a set's id agree: `sv03.5`, `sv3pt5` and `SV3.5` are one, so
/// are `swsh12.5gg` and `swsh12pt5gg`, and by `set_ids.csv` of their game `swsh4.5` and `swsh45`.
pub(super) fn set_id_key(id: &str) -> String {
    let key = spelling(id);
    // a test reads the file, so a released build never fails
    let known = SPELLINGS.get_or_try_init(|| spellings(FILES));
    known
        .ok()
        .and_then(|known| known.get(&key).cloned())
        .unwrap_or(key)
}

/// An id without what spellings differ in by rule.
fn spelling(id: &str) -> String {
    let id = id.trim().to_ascii_lowercase();
    let mut key = String::with_capacity(id.len());
    let mut rest = id.as_str();
    while let Some(letter) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let after_digit = key.ends_with(|c: char| c.is_ascii_digit());
        if digits > 0 {
            let number = rest[..digits].trim_start_matches('0');
            key.push_str(if number.is_empty() { "0" } else { number });
            rest = &rest[digits..];
        } else if let Some(part) = rest
            .strip_prefix("pt")
            .filter(|part| after_digit && part.starts_with(|c: char| c.is_ascii_digit()))
        {
            key.push('.');
            rest = part;
        } else {
            key.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::{FILES, set_id_key, spellings};

    #[test]
    fn spellings_of_other_catalogues_are_one_id() {
        let known = spellings(FILES).expect("the files are right");
        let lines = FILES.iter().map(|(_, text)| text.lines().count() - 1);
        assert_eq!(known.len(), lines.sum::<usize>());
        // a spelling names one set, and never another's id
        assert!(known.values().all(|id| !known.contains_key(id)));
        for (spelt, id) in [
            ("swsh45", "swsh4.5"),
            ("SWSH45SV", "swsh4.5sv"),
            ("rsv10pt5", "sv10.5w"),
            ("sm115", "sm115"),
            ("sv3pt5", "sv03.5"),
        ] {
            assert_eq!(set_id_key(spelt), set_id_key(id));
        }
        assert_ne!(set_id_key("swsh4"), set_id_key("swsh45"));
    }
}
