//! [`Writer`]: writes the fields of one title, and records in [`Stated`] what it wrote.

use super::deck::{Deck, Known};
use super::label::{Name, Stated};
use super::noise::Noise;
use super::random::Random;
use super::slot::Slot;
use super::spoil;
use super::surface::is_japanese;
use super::words::{Words, alias_kind};
use titledex::internals::build::rows::language_name;
use titledex::internals::token::key_of;

/// A name of more sets than this is an era: the label does not say which set it states.
const FAMILY: usize = 3;

/// Everything that titles are generated from.
#[derive(Debug)]
pub(crate) struct Sources<'a> {
    pub(crate) noise: Noise,
    pub(crate) words: Words,
    pub(crate) deck: Deck<'a>,
    /// Whether a key is known to the catalogue in any role.
    pub(crate) catalogue: titledex::Catalogue,
}

/// Writes one title.
pub(crate) struct Writer<'s, 'a> {
    pub(crate) from: &'s Sources<'a>,
    pub(crate) group: &'s str,
    pub(crate) random: &'s mut Random,
    /// The title is written in Japanese.
    pub(crate) japanese: bool,
    /// The language of the name, as a code of the catalogue.
    pub(crate) tongue: String,
    pub(crate) stated: Stated,
}

impl Writer<'_, '_> {
    /// One value of a parameter, as often as it was counted.
    pub(crate) fn draw(&mut self, parameter: &str) -> Option<String> {
        let table = self.from.noise.table(self.group, parameter);
        self.random
            .weighted(table, |row| row.1)
            .map(|row| row.0.clone())
    }

    /// Whether a parameter counted as yes and no is yes this time.
    pub(crate) fn yes(&mut self, parameter: &str) -> bool {
        let (hits, all) = self.from.noise.share(self.group, parameter, "yes");
        self.random.chance(hits, all.max(1))
    }

    /// A word for `canonical`, as venues of the group write it, else from the dictionary in the
    /// script of the title.
    pub(crate) fn word(&mut self, file: &str, parameter: &str, canonical: &str) -> Option<String> {
        let from = self.from;
        let japanese = self.japanese;
        let seen: Vec<(&str, u64)> = from
            .noise
            .table(self.group, parameter)
            .iter()
            .filter_map(|(value, count)| {
                value
                    .split_once('|')
                    .filter(|pair| pair.0 == canonical)
                    .map(|pair| (pair.1, *count))
            })
            .filter(|(alias, _)| {
                is_japanese(alias) == japanese
                    || (japanese && alias.is_ascii() && parameter != "puff")
            })
            .filter(|(alias, _)| !from.words.is_weak(file, &key_of(alias)))
            .collect();
        if let Some(found) = self.random.weighted(&seen, |row| row.1) {
            return Some(found.0.to_owned());
        }
        let words = from.words.of(file).iter().filter(|word| {
            word.canonical == canonical && word.free && from.words.is_clear(file, &word.key)
        });
        let list: Vec<&str> = words
            .map(|word| word.alias.as_str())
            .filter(|alias| is_japanese(alias) == japanese && (japanese || alias.is_ascii()))
            .collect();
        // The first aliases of a row are the common ones.
        let common = &list[..list.len().min(3)];
        self.random.pick(common).map(|alias| (*alias).to_owned())
    }

    /// Writes a field of a card; nothing if the card has none or it would not be true.
    pub(crate) fn field(&mut self, slot: Slot, card: &Known<'_>) -> Option<String> {
        match slot {
            Slot::Year => {
                let year = card.year?;
                self.stated.year = Some(year);
                Some(year.to_string())
            }
            Slot::Game => self.word("games.csv", "game", card.facts.game),
            Slot::Set => self.set(card),
            Slot::Name => self.name(card),
            Slot::Number => self.number(
                card.facts.card.number.filter(|_| card.number.is_some())?,
                card.facts.card.total,
            ),
            Slot::Rarity => self.rarity(card),
            Slot::Finish => self.finish(card),
            Slot::Edition => self.edition(card),
            Slot::Language => self.language(card),
            Slot::Grade => self.grade(),
            Slot::Condition => self.condition(),
            Slot::Hp => self.hit_points(card.facts.card.hp?),
            Slot::Puff => self.puff(),
        }
    }

    fn set(&mut self, card: &Known<'_>) -> Option<String> {
        let facts = &card.facts;
        let kind = self.draw("set")?;
        // Latin letters end where Greek ones begin.
        let latin = |text: &str| text.chars().all(|c| c < '\u{370}' || "’–☆★δ".contains(c));
        let right_script = |text: &str| {
            !text.is_empty()
                && if self.japanese {
                    is_japanese(text) || text.is_ascii()
                } else {
                    latin(text)
                }
        };
        let aliases = self.from.words.set_aliases(facts.card.set_id);
        let mut list: Vec<&str> = aliases
            .iter()
            .filter(|alias| alias_kind(alias.1) == kind)
            .map(|alias| alias.0.as_str())
            .filter(|alias| right_script(alias))
            .collect();
        if kind == "code" && list.is_empty() {
            list.push(facts.set_code);
        }
        if self.tongue == "en" {
            // A set has names in all languages: an English title takes a plain one.
            list.retain(|alias| alias.is_ascii() || self.japanese);
        }
        let own = if self.japanese && !facts.set_local_name.is_empty() {
            facts.set_local_name
        } else {
            facts.card.set_name
        };
        let foreign = self.tongue != "en" && !self.japanese && !facts.is_regional();
        let text = if !foreign && (kind == "own name" || kind == "name" || list.is_empty()) {
            own
        } else if foreign && kind == "own name" {
            let names: Vec<&str> = aliases
                .iter()
                .filter(|alias| alias_kind(alias.1) == "name")
                .map(|alias| alias.0.as_str())
                .collect();
            self.random.pick(&names).copied().unwrap_or(own)
        } else {
            self.random.pick(&list).copied().unwrap_or(own)
        };
        // If the name drawn would state more than the set, take the set's plain name.
        for text in [text, own] {
            let sets = self.from.deck.sets_called(text);
            if right_script(text) && !self.says_more(text) && sets.contains(facts.card.set_id) {
                self.stated.family = kind == "family" || sets.len() > FAMILY;
                self.stated.sets = Some(sets.into_iter().map(str::to_owned).collect());
                return Some(text.to_owned());
            }
        }
        None
    }

    /// Whether the name of a set also states a year or a language, or is a word for something else:
    /// the label would have to know.
    fn says_more(&self, text: &str) -> bool {
        // A single letter among words is not the name of a set.
        if self.from.words.means_more(text) || text.chars().count() == 1 {
            return true;
        }
        let words = text.split(|c: char| !c.is_alphanumeric());
        let year = |word: &str| {
            word.len() == 4
                && (word.starts_with("19") || word.starts_with("20"))
                && word.bytes().all(|b| b.is_ascii_digit())
        };
        words
            .into_iter()
            .any(|word| year(word) || self.from.words.meaning("languages.csv", word).is_some())
    }

    fn name(&mut self, card: &Known<'_>) -> Option<String> {
        let facts = &card.facts;
        let text = if self.japanese {
            card.name_in("ja")?
        } else {
            card.name_in(&self.tongue)
                .filter(|_| !facts.is_regional())
                .or_else(|| card.english())?
        };
        if self.japanese != is_japanese(text) {
            return None;
        }
        self.stated.names = vec![facts.card.name.to_owned()];
        if !self.stated.names.iter().any(|known| known == text) {
            self.stated.names.push(text.to_owned());
        }
        let mut text = text.to_owned();
        // `Professor's Research (Professor Oak)`: sellers omit the bracket.
        if let Some((head, _)) = text
            .split_once(['(', '（'])
            .filter(|(head, _)| !head.trim().is_empty())
            && self.random.chance(3, 4)
        {
            text = head.trim().to_owned();
            self.stated.names.push(text.clone());
        }
        self.stated.name = Some(Name::Whole {
            key: key_of(&text),
            core: facts.core,
        });
        self.stated.japanese_script = self.japanese;
        if self.japanese {
            return Some(text);
        }
        let form = self.draw("name")?;
        match form.as_str() {
            "misspelt" => {
                let kind = self.draw("misspelling").unwrap_or_default();
                if let Some(wrong) = spoil::misspell(self.from, self.random, &text, &kind) {
                    return Some(wrong);
                }
            }
            "bare" => {
                if let Some(bare) = spoil::bare(&text) {
                    self.stated.name = Some(Name::Part { core: facts.core });
                    return Some(bare);
                }
            }
            "part" => {
                if let Some(part) = self.part(card) {
                    return Some(part);
                }
            }
            _ => {}
        }
        let words = self.draw("name words")?;
        Some(spoil::words(self.random, &text, &words))
    }

    /// Only the subject for a name with marks: any card of the subject may be meant.
    fn part(&mut self, card: &Known<'_>) -> Option<String> {
        let subjects = &self.from.words.vocabulary.subjects;
        let subject = match card.facts.subjects.as_slice() {
            [one] => *one,
            _ => return None,
        };
        let english = &subjects
            .iter()
            .find(|s| s.number == subject)?
            .names
            .iter()
            .find(|n| n.0 == "en")?
            .1;
        let name = key_of(card.facts.card.name);
        if self.tongue != "en" || name == key_of(english) || !name.contains(&key_of(english)) {
            return None;
        }
        self.stated.name = Some(Name::Part {
            core: card.facts.core,
        });
        self.stated.names.push(english.clone());
        Some(english.clone())
    }

    /// Writes a number and, if the form has one, a total.
    pub(crate) fn number(&mut self, number: &str, total: Option<&str>) -> Option<String> {
        let letters = total.is_some_and(|total| !total.bytes().any(|b| b.is_ascii_digit()));
        let mut form = self.draw("number").filter(|form| form != "other")?;
        if letters || !form.contains('n') {
            form = "n/t".to_owned();
        }
        let Some(total) = total else {
            form = if form.starts_with('#') { "#n" } else { "n" }.to_owned();
            let number = self.zeros("number zeros", number);
            self.stated.number = Some(number.clone());
            return Some(form.replace('n', &number));
        };
        let number = self.zeros("number zeros", number);
        self.stated.number = Some(number.clone());
        // The letters of the form are replaced one by one: a number may contain them.
        let mut out = String::new();
        for c in form.chars() {
            match c {
                'n' => out.push_str(&number),
                't' => {
                    let total = self.zeros("total zeros", total);
                    out.push_str(&total);
                    self.stated.total = Some(total);
                }
                c => out.push(c),
            }
        }
        Some(out)
    }

    /// A number with leading zeros added or dropped, as on the venue.
    fn zeros(&mut self, parameter: &str, number: &str) -> String {
        let bare = number.trim_start_matches('0');
        if bare.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            return number.to_owned();
        }
        match self.draw(parameter).as_deref() {
            Some("dropped") => bare.to_owned(),
            Some("added") => format!("{number:0>3}"),
            _ => number.to_owned(),
        }
    }

    fn rarity(&mut self, card: &Known<'_>) -> Option<String> {
        let own: Vec<&str> = [card.facts.card.rarity, card.facts.card.rarity_mark]
            .into_iter()
            .flatten()
            .collect();
        let from = self.from;
        let japanese = self.japanese;
        let fits = |canonical: &str| {
            from.words
                .rarities(canonical)
                .iter()
                .any(|rarity| own.contains(&rarity.as_str()))
        };
        let seen: Vec<(&str, &str, u64)> = from
            .noise
            .table(self.group, "rarity")
            .iter()
            .filter_map(|(value, count)| value.split_once('|').map(|pair| (pair.0, pair.1, *count)))
            .filter(|(canonical, alias, _)| fits(canonical) && (japanese || !is_japanese(alias)))
            .collect();
        let (canonical, alias, _) = self.random.weighted(&seen, |row| row.2)?;
        self.stated.rarities = Some(from.words.rarities(canonical).to_vec());
        let exact = |rarity: &&str| {
            rarity.eq_ignore_ascii_case(canonical) || rarity.eq_ignore_ascii_case(alias)
        };
        self.stated.rarity_exact = own.iter().any(exact);
        Some((*alias).to_owned())
    }

    fn finish(&mut self, card: &Known<'_>) -> Option<String> {
        let own = card.printings;
        let finish = match (own.holo, own.reverse) {
            (true, true) if self.random.chance(1, 2) => "reverse holo",
            (true, _) => "holo",
            (false, true) => "reverse holo",
            (false, false)
                if !own.known
                    && card
                        .facts
                        .card
                        .rarity
                        .is_some_and(|rarity| rarity.contains("Holo")) =>
            {
                "holo"
            }
            (false, false) => return None,
        };
        let word = self.word("printings.csv", "finish", finish)?;
        self.stated.finish = Some(finish.to_owned());
        Some(word)
    }

    fn edition(&mut self, card: &Known<'_>) -> Option<String> {
        let own = card.printings;
        let mut editions = Vec::new();
        if own.first {
            editions.extend(["1st edition"; 6]);
        }
        if own.shadowless {
            editions.push("shadowless");
        }
        if own.first {
            editions.push("unlimited");
        }
        let edition = *self.random.pick(&editions)?;
        let word = self.word("printings.csv", "edition", edition)?;
        self.stated.edition = Some(edition.to_owned());
        Some(word)
    }

    /// The language of the card, or one that it was printed in.
    pub(crate) fn language(&mut self, card: &Known<'_>) -> Option<String> {
        let tongue = self.tongue.clone();
        let language = match tongue.as_str() {
            _ if card.facts.is_regional() => match card.facts.card.language {
                "chinese" => return None,
                language => language,
            },
            "en" => "english",
            tongue => language_name(tongue),
        };
        let word = self.word("languages.csv", "language", language)?;
        self.stated.language = Some(language.to_owned());
        Some(word)
    }
}
