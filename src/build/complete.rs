//! Rows → rows with what other rows and the dictionaries tell of them.

use super::Builder;
use super::card::first_name;
use super::rows::CardRow;
use crate::token::key_of;
use std::borrow::Cow;
use std::collections::HashMap;

impl Builder<'_> {
    /// The cards with what other cards and the dictionaries tell of them: English names, and the
    /// numbers that are printed on reprints.
    pub(super) fn completed<'r>(&self, cards: &'r [CardRow]) -> Vec<Cow<'r, CardRow>> {
        // a name that some card has in English is that name on all cards
        let mut twins: HashMap<&str, &str> = HashMap::new();
        for card in cards
            .iter()
            .filter(|c| !c.english.is_empty() && !c.english_unsure)
        {
            for (_, name) in card.names.iter().filter(|n| n.0 != "en") {
                let twin = twins.entry(name).or_insert(&card.english);
                // of several English names the first in the alphabet, so that the order of the rows
                // says nothing
                *twin = (*twin).min(&card.english);
            }
        }
        let printed: HashMap<&str, &(String, String, String)> = self
            .vocabulary
            .printed_numbers
            .iter()
            .map(|p| (p.0.as_str(), p))
            .collect();
        let mut out: Vec<Cow<'r, CardRow>> = cards.iter().map(Cow::Borrowed).collect();
        for card in &mut out {
            if card.names.iter().any(|name| self.is_of_another(card, name)) {
                let kept = card
                    .names
                    .iter()
                    .filter(|name| !self.is_of_another(card, name));
                let kept: Vec<(String, String)> = kept.cloned().collect();
                // a card keeps some name, however doubtful
                if !kept.is_empty() {
                    card.to_mut().names = kept;
                }
            }
            let known = if card.english.is_empty() {
                first_name(&card.names, "en")
            } else {
                &card.english
            };
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
            let english = if card.english.is_empty() {
                first_name(&card.names, "en")
            } else {
                &card.english
            };
            if english.contains('&') && !card.dex.is_empty() {
                let mut dex: Vec<u16> = english
                    .split('&')
                    .filter_map(|part| self.vocabulary.species_in(part))
                    .chain(card.dex.iter().copied())
                    .collect();
                dex.sort_unstable();
                dex.dedup();
                card.to_mut().dex = dex;
            }
            if let Some((_, number, total)) = printed.get(card.id.as_str()) {
                let card = card.to_mut();
                (card.number, card.total, card.number_unprinted) =
                    (number.clone(), total.clone(), false);
            }
        }
        out
    }

    /// Whether a name is that of another species than the card shows: sources give the cards of one
    /// country's numbers the names of another's.
    fn is_of_another(&self, card: &CardRow, (language, name): &(String, String)) -> bool {
        let key = key_of(name);
        let own: Vec<String> = card
            .dex
            .iter()
            .filter_map(|&dex| self.vocabulary.species_key(dex, language))
            .collect();
        if own.is_empty() || own.iter().any(|species| key.contains(species.as_str())) {
            return false;
        }
        !self.vocabulary.species_within(name, language).is_empty()
    }
}
