//! Rows → rows with what other rows and the dictionaries tell of them.

use super::Builder;
use super::audit::{FalseName, mended};
use super::card::first_name;
use super::rows::CardRow;
use std::borrow::Cow;
use std::collections::HashMap;

/// The English name of a card as its source gives it, or else as it is printed; empty if it has none.
fn english_of(card: &CardRow) -> &str {
    if card.english.is_empty() {
        first_name(&card.names, "en")
    } else {
        &card.english
    }
}

impl Builder<'_> {
    /// The cards with what other cards and the dictionaries tell of them: English names, whole
    /// ones where the source leaves a part out, and the numbers that are printed on reprints.
    pub(super) fn completed<'r>(&self, cards: &'r [CardRow]) -> Vec<Cow<'r, CardRow>> {
        let cards = self.mended(cards);
        // a name that some card has in English is that name on all cards
        let mut twins: HashMap<&str, &str> = HashMap::new();
        for card in cards.iter().filter(|c| !c.english_unsure) {
            let english = english_of(card);
            if english.is_empty() {
                continue;
            }
            for (_, name) in card.names.iter().filter(|n| n.0 != "en") {
                let twin = twins.entry(name).or_insert(english);
                // of several English names the first in the alphabet, so that the order of the rows
                // says nothing
                *twin = (*twin).min(english);
            }
        }
        let printed: HashMap<&str, &(String, String, String)> = self
            .vocabulary
            .printed_numbers
            .iter()
            .map(|p| (p.0.as_str(), p))
            .collect();
        let whole_names: HashMap<&str, &str> = self
            .vocabulary
            .printed_names
            .iter()
            .map(|(id, name)| (id.as_str(), name.as_str()))
            .collect();
        let mut out = cards.clone();
        for card in &mut out {
            if let Some(&whole) = whole_names.get(card.id.as_str()) {
                let names = &mut card.to_mut().names;
                names.retain(|(language, _)| language != "en");
                names.insert(0, ("en".to_owned(), whole.to_owned()));
            }
            if let Some((suffix, places)) = self.left_out(card) {
                let card = card.to_mut();
                for at in places {
                    let name = &mut card.names[at].1;
                    name.push(' ');
                    name.push_str(&suffix);
                }
            }
            let known = english_of(card);
            if let Some(english) = card
                .names
                .iter()
                .filter(|n| n.0 != "en")
                .find_map(|n| self.vocabulary.english(&n.1, known))
            {
                let card = card.to_mut();
                (card.english, card.english_unsure) = (english.to_owned(), false);
            }
            if card.english.is_empty() && first_name(&card.names, "en").is_empty() {
                let twin = card.names.iter().find_map(|n| twins.get(n.1.as_str()));
                match twin {
                    Some(twin) => card.to_mut().english = (*twin).to_owned(),
                    None => {
                        card.to_mut().english_derived = self.derived_name(card).unwrap_or_default()
                    }
                }
            }
            // `Raikou & Suicune LEGEND`: the source has only the number of the first
            let english = english_of(card);
            if english.contains('&') && !card.subjects.is_empty() {
                let mut subjects: Vec<u16> = english
                    .split('&')
                    .filter_map(|part| self.vocabulary.subject_in(part))
                    .chain(card.subjects.iter().copied())
                    .collect();
                subjects.sort_unstable();
                subjects.dedup();
                card.to_mut().subjects = subjects;
            }
            if let Some((_, number, total)) = printed.get(card.id.as_str()) {
                let card = card.to_mut();
                (card.number, card.total, card.number_unprinted) =
                    (number.clone(), total.clone(), false);
            } else if let Some((_, _, total)) = printed.get(card.set.as_str()) {
                card.to_mut().total.clone_from(total);
            }
        }
        out
    }

    /// The suffix at the end of a card's printed English name, and the places of its names in other
    /// languages of Latin script from which the source left it out: `Giratina` of `Giratina LV.X`.
    fn left_out(&self, card: &CardRow) -> Option<(String, Vec<usize>)> {
        let english = first_name(&card.names, "en");
        let marks =
            |name: &str, language: &str| self.parts_of(name, language, &card.subjects).marks;
        let ends = |bit: &u16| {
            let affix = self.dictionary.affixes.get(usize::from(*bit));
            affix.is_some_and(|affix| !affix.prefix && english.ends_with(affix.name.as_str()))
        };
        let last = marks(english, "en").bits().find(ends)?;
        let lacks = |language: &str, name: &str| {
            let latin = name.contains(|c: char| c.is_ascii_alphabetic());
            language != "en" && latin && !marks(name, language).bits().any(|bit| bit == last)
        };
        let names = card.names.iter().enumerate();
        let places: Vec<usize> = names
            .filter(|(_, (language, name))| lacks(language, name))
            .map(|(at, _)| at)
            .collect();
        let suffix = self.dictionary.affixes[usize::from(last)].name.clone();
        (!places.is_empty()).then_some((suffix, places))
    }

    /// The cards without the names that belong to other cards, and with the subjects of their own
    /// names.
    fn mended<'r>(&self, cards: &'r [CardRow]) -> Vec<Cow<'r, CardRow>> {
        let mut out: Vec<Cow<'r, CardRow>> = cards.iter().map(Cow::Borrowed).collect();
        for (place, mended) in mended(self.dictionary, self.vocabulary, cards) {
            let card = out[place].to_mut();
            let is_wrong = |language: &str, name: &str| {
                let same = |held: &FalseName| held.language == language && held.name == name;
                mended.wrong.iter().any(same)
            };
            card.names
                .retain(|(language, name)| !is_wrong(language, name));
            if is_wrong("en", &card.english) {
                card.english.clear();
                card.english_unsure = false;
            }
            if let Some(subjects) = mended.subjects {
                card.subjects = subjects;
            }
        }
        out
    }
}
