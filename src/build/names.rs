//! Names of cards → numbered names and cores, and English names for cards whose source has none.

use super::Builder;
use super::card::first_name;
use crate::build::naming::{Parts, parts, subjects_core};
use crate::build::rows::CardRow;
use crate::catalogue::{Entry, EntryKind, NameQuality};
use crate::token::key_of;
use std::collections::{BTreeSet, HashMap};

/// A name as a card has it, with what decides how it is taken apart: its language, and the subjects
/// on the card.
pub(super) type Written<'r> = (&'r str, &'r str, &'r [u16]);

impl<'v> Builder<'v> {
    /// The number of the card's name, made at first sight. `known` holds those that were made.
    pub(super) fn name_of<'r>(
        &mut self,
        card: &'r CardRow,
        known: &mut HashMap<Written<'r>, u32>,
    ) -> u32 {
        let english = if card.english.is_empty() {
            first_name(&card.names, "en")
        } else {
            &card.english
        };
        let (text, language) = if english.is_empty() {
            card.names
                .first()
                .map_or((card.id.as_str(), "en"), |n| (n.1.as_str(), n.0.as_str()))
        } else {
            (english.as_str(), "en")
        };
        if let Some(&number) = known.get(&(text, language, &card.subjects)) {
            return number;
        }
        let mut found = self.parts_of(text, language, &card.subjects);
        // an English name that is a subject of another card (forms, typing slips) still has that
        // subject as core
        if found.core.is_empty() {
            found.core = key_of(text);
        }
        // a name of only signs is the card's own
        if found.core.is_empty() {
            found.core.clone_from(&card.id);
        } else {
            let number = self.number_name(card, text, found);
            known.insert((text, language, &card.subjects), number);
            return number;
        }
        self.number_name(card, text, found)
    }

    fn number_name(&mut self, card: &CardRow, text: &str, found: Parts) -> u32 {
        let subjects: BTreeSet<u16> = card.subjects.iter().copied().collect();
        let next = self.cores.len() as u32;
        let core = self
            .cores
            .entry(found.core.clone())
            .or_insert((next, BTreeSet::new()));
        if core.1.is_empty() {
            core.1 = subjects;
        }
        let core_number = core.0;
        if let Some(&number) = self.name_numbers.get(&found) {
            return number;
        }
        let number = self.names.len() as u32;
        let beside = |p: &Parts| p.marks.count() as usize + p.rest.len();
        let plain = self.plain_names.entry(core_number).or_insert(number);
        if beside(&found)
            < self
                .names
                .get(*plain as usize)
                .map_or(usize::MAX, |n| beside(&n.0))
        {
            *plain = number;
        }
        let shown = if card.english_derived.is_empty() {
            text
        } else {
            &card.english_derived
        };
        self.names.push((found.clone(), shown.to_owned()));
        self.name_numbers.insert(found, number);
        self.lexicon_add(
            text,
            Entry::new(EntryKind::Name, NameQuality::Printed as u8, number),
        );
        number
    }

    /// The English name of a card whose source has none: its subjects, with the marks of its printed
    /// name.
    pub(super) fn derived_name(&self, card: &CardRow) -> Option<String> {
        let (language, printed) = card.names.first()?;
        let english: Vec<&str> = card
            .subjects
            .iter()
            .map(|&subject| {
                self.vocabulary
                    .subjects
                    .iter()
                    .find(|s| s.number == subject)
                    .and_then(|s| s.names.first())
                    .map(|n| n.1.as_str())
            })
            .collect::<Option<_>>()?;
        if english.is_empty() {
            return None;
        }
        let marks = self.parts_of(printed, language, &card.subjects).marks;
        let of = |prefix: bool| {
            let affixes = marks
                .bits()
                .filter_map(|bit| self.dictionary.affixes.get(bit as usize));
            affixes
                .filter(|a| a.prefix == prefix)
                .map(|a| a.name.clone())
                .collect::<Vec<String>>()
        };
        let words: Vec<String> = of(true)
            .into_iter()
            .chain([english.join(" & ")])
            .chain(of(false))
            .collect();
        Some(words.join(" "))
    }

    /// The English name of each subject, by its key.
    pub(super) fn subject_names(&self) -> HashMap<&'v str, &'v str> {
        // of two subjects with one key the first, so from the last
        let subjects = self.vocabulary.subjects.iter().rev();
        subjects
            .map(|s| (s.key.as_str(), s.names.first().map_or("", |n| n.1.as_str())))
            .collect()
    }

    /// How people write a core: the subject's English name, else the name with the fewest other
    /// parts.
    pub(super) fn core_text(
        &self,
        subjects: &HashMap<&str, &str>,
        key: &str,
        number: u32,
    ) -> String {
        if let Some(&name) = subjects.get(key) {
            return name.to_owned();
        }
        self.plain_names
            .get(&number)
            .map(|&name| self.names[name as usize].1.clone())
            .unwrap_or_else(|| key.to_owned())
    }

    pub(super) fn parts_of(&self, text: &str, language: &str, subjects: &[u16]) -> Parts {
        let keys: Vec<String> = subjects
            .iter()
            .filter_map(|&d| self.vocabulary.subject_key(d, language))
            .collect();
        let (name, title) = match text.split_once(", ") {
            Some(cut) if self.game.titles_behind_comma && keys.is_empty() => cut,
            _ => (text, ""),
        };
        let mut found = parts(self.dictionary, name, &keys);
        found.rest.push_str(&key_of(title));
        if language != "en" && !keys.is_empty() && found.core == subjects_core(&keys) {
            let english: Vec<String> = subjects
                .iter()
                .filter_map(|&d| self.vocabulary.subject_key(d, "en"))
                .collect();
            found.core = subjects_core(&english);
        }
        found
    }
}
