//! Readings → [`Query`]: what the catalogue is asked.

use super::Engine;
use crate::catalogue::NameQuality;
use crate::catalogue::naming::Marks;
use crate::dictionary::Tag;
use crate::extract::context::Context;
use crate::extract::lookup::Hit;
use crate::extract::number::{NumberKind, NumberReading};
use crate::extract::{Proposal, Value};
use crate::parsed::Field;
use crate::score::math::information;
use crate::score::query::{Edition, Finish, Language, Query};
use crate::token::{Class, Line};
use fst::automaton::Levenshtein;
use fst::{IntoStreamer, Streamer};

/// Whether the same words were read as a rarity or treatment.
pub(crate) fn also_rarity(chosen: &[&Proposal], proposal: &Proposal) -> bool {
    let same = |c: &&&Proposal| c.at == proposal.at && c.end == proposal.end && matches!(c.field, Field::Rarity | Field::Treatment);
    chosen.iter().any(|c| same(&c))
}

/// Whether a species is named in Chinese characters alone: its Japanese name is always in kana.
pub(crate) fn names_in_chinese(context: &Context<'_>, hits: &[Hit], chosen: &[&Proposal]) -> bool {
    chosen.iter().filter(|c| c.field == Field::Name).any(|c| match c.value {
        Value::Hit(at) => {
            let hit = &hits[at as usize];
            hit.species && context.class(context.line.token_at(hit.at as usize)) == Some(Class::Han)
        }
        _ => false,
    })
}

impl Engine<'_> {
    /// Proposals → what the catalogue is asked.
    pub(super) fn ask(&self, context: &Context<'_>, hits: &[Hit], numbers: &[NumberReading], proposals: &[Proposal], query: &mut Query) {
        let chosen: Vec<&Proposal> = proposals.iter().filter(|p| p.chosen).collect();
        let free = |at: u32, end: u32| !chosen.iter().any(|c| c.at < end && at < c.end);
        // `Japanese Base Set` names a set and a language
        let inside_set = |p: &Proposal| chosen.iter().any(|c| matches!(c.value, Value::Hit(_)) && c.at <= p.at && p.end <= c.end);
        let mut languages: Vec<&str> = Vec::new();
        let mut stated = Marks::default();
        for proposal in proposals {
            match proposal.value {
                Value::Hit(at) if proposal.field == Field::Name => {
                    let hit = &hits[at as usize];
                    let inside = chosen.iter().any(|c| {
                        matches!(c.value, Value::Hit(_))
                            && c.field == Field::Name
                            && c.at <= hit.at
                            && hit.end <= c.end
                            && (c.end - c.at) > (hit.end - hit.at)
                    });
                    let thing = !hit.species && hit.end - hit.at < 5;
                    if proposal.chosen || !inside && !thing {
                        query.add_name(&self.catalogue, hit, proposal.chosen);
                    }
                }
                Value::Hit(at) if matches!(proposal.field, Field::Origin | Field::Illustrator) => {
                    let other = chosen.iter().any(|c| c.field == proposal.field && c.at <= proposal.at && proposal.end < c.end);
                    if !other && !hits[at as usize].name {
                        query.add_words(&self.catalogue, &hits[at as usize]);
                    }
                }
                Value::Hit(at) => {
                    let hit = &hits[at as usize];
                    let around = chosen
                        .iter()
                        .find(|c| c.field == Field::Set && c.at <= hit.at && hit.end <= c.end && (c.end - c.at) > (hit.end - hit.at));
                    // `Pokemon Jungle` is the name of a Japanese set, and the game and `Jungle`
                    let game = around.is_some_and(|c| {
                        c.end == hit.end
                            && proposals.iter().any(|p| {
                                p.at == c.at && p.end == hit.at && matches!(p.value, Value::Word(tag) if self.dictionary.is_own_game(tag))
                            })
                    });
                    if proposal.chosen || game || around.is_none() && proposal.weight > 0.5 {
                        query.add_set(&self.catalogue, hit, proposal.chosen || game);
                    }
                }
                Value::Number(at) => {
                    let number = &numbers[at as usize];
                    if proposal.chosen || free(number.at, number.end) && number.kind != NumberKind::Prefixed {
                        query.add_number(&self.catalogue, number);
                    }
                }
                Value::Count(count) if proposal.chosen => match proposal.field {
                    Field::Year => query.years.push(count as u16),
                    Field::Hp => query.hp = (count / 10) as u8,
                    _ => {}
                },
                Value::Word(tag) => match (tag, proposal.chosen) {
                    (Tag::Affix(bit), true) => stated = stated.with(bit),
                    // `Gold Star` is a rarity and a mark of the name
                    (Tag::Affix(bit), false) if also_rarity(&chosen, proposal) => stated = stated.with(bit),
                    (Tag::Affix(bit), false) => query.doubted = query.doubted.with(bit),
                    (Tag::Language(at), false) if !proposal.weak && inside_set(proposal) => {
                        languages.push(&self.dictionary.languages[at as usize])
                    }
                    (Tag::Language(at), true) if !proposal.weak => languages.push(&self.dictionary.languages[at as usize]),
                    // which cards are promos is asked of their sets
                    (Tag::Rarity(at), true) if self.dictionary.rarities[at as usize].value == "Promo" => query.promo = true,
                    (Tag::Rarity(at), true) => {
                        let vague = matches!(
                            self.dictionary.rarities[at as usize].value.as_str(),
                            "Rare" | "Ultra Rare" | "Secret Rare" | "Holo Rare"
                        );
                        query.rarity_vague = vague && (query.rarity_vague || !query.rarity);
                        query.rarity = true;
                        for (all, one) in query.rarities.iter_mut().zip(self.rarities[at as usize]) {
                            *all |= one;
                        }
                        let word = self.dictionary.rarities[at as usize].value.as_str();
                        query.secret |= word.contains("Secret")
                            || word.contains("Illustration")
                            || word.contains("Hyper")
                            || word.contains("Special Art");
                        query.alternate |= word == "Special Art";
                    }
                    (Tag::Printing(at), true) => {
                        let word = &self.dictionary.printings[at as usize];
                        let value = if word.field == Field::Finish { word.value.as_str() } else { word.implies.as_str() };
                        let finish = match value {
                            "holo" => Some(Finish::Holo),
                            "reverse holo" => Some(Finish::Reverse),
                            "non-holo" => Some(Finish::Plain),
                            _ => None,
                        };
                        // `reverse holo` beats the `holo` in `holo rare`
                        if finish.is_some() && query.finish != Some(Finish::Reverse) {
                            query.finish = finish;
                        }
                        if word.field == Field::Edition {
                            let edition = match word.value.as_str() {
                                "1st edition" => Some(Edition::First),
                                "unlimited" => Some(Edition::Unlimited),
                                "shadowless" => Some(Edition::Shadowless),
                                _ => None,
                            };
                            query.edition = edition.or(query.edition);
                        }
                        query.no_rarity |= word.value == "no rarity";
                        query.alternate |= word.value == "alternate art";
                        query.secret |= word.field == Field::Treatment
                            && matches!(
                                word.value.as_str(),
                                "full art"
                                    | "alternate art"
                                    | "rainbow"
                                    | "gold"
                                    | "special illustration"
                                    | "illustration rare"
                                    | "gold secret"
                            );
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        if query.rarity {
            let cards = self.catalogue.card_count().max(1) as f32;
            let like = self
                .rarity_cards
                .iter()
                .enumerate()
                .filter(|(n, _)| query.rarities[n / 64] & (1 << (n % 64)) != 0)
                .map(|(_, c)| *c)
                .sum::<u32>();
            query.rarity_idf = information(cards, like);
        }
        query.marks = stated;
        query.doubted = query.doubted.minus(stated);
        let international = ["english", "german", "french", "italian", "spanish", "portuguese", "dutch", "polish", "russian"];
        query.language = match languages.first() {
            Some(&"japanese") => Language::Japanese,
            Some(l) if international.contains(l) => Language::International,
            Some(l) if l.contains("chinese") || matches!(*l, "korean" | "thai" | "indonesian") => Language::OtherAsian,
            _ if context.kana => Language::Japanese,
            _ if context.hangul => Language::OtherAsian,
            _ if context.japanese && names_in_chinese(context, hits, &chosen) => Language::OtherAsian,
            _ if context.japanese => Language::Japanese,
            _ => Language::Unsaid,
        };
        // words that nothing explains, and pairs of them: `dark charizrd`
        for token in context.line.tokens() {
            let letters = matches!(token.class, Class::Latin | Class::Katakana | Class::Han | Class::Hangul);
            if letters && query.unread.len() < 12 && free(token.at, token.end) {
                query.unread.push((token.at, token.end));
            }
        }
    }

    /// Names within one edit of words that nothing explains.
    pub(super) fn search_fuzzily(&self, line: &Line, query: &mut Query) {
        let unread = query.unread.clone();
        for (at, end) in unread.into_iter().take(4) {
            let word = line.text(at as usize, end as usize);
            let letters = word.chars().count();
            let ascii = word.is_ascii();
            if letters < if ascii { 5 } else { 4 } || letters > 24 {
                continue;
            }
            let Ok(automaton) = Levenshtein::new(word, 1) else { continue };
            let mut stream = self.catalogue.lexicon().search(automaton).into_stream();
            let mut found = 0;
            while let Some((key, place)) = stream.next() {
                // the first letter of a word is hardly ever wrong
                if key.first() != line.key().get(at as usize) || found >= 8 {
                    continue;
                }
                let hit = Hit { at, end, place, whole: true, name: true, species: true, set: false, word: false, artist: false };
                let before = query.names.len();
                query.add_name(&self.catalogue, &hit, true);
                for clue in &mut query.names[before..] {
                    clue.quality = NameQuality::Misspelt;
                }
                found += usize::from(query.names.len() > before);
            }
        }
    }
}
