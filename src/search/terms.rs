//! [`Term`]: what a word asks of the cards that a search finds, where it is more than a title's
//! word says (`dictionaries/common/search_words.csv`).

use crate::attributes::query::Query;
use crate::catalogue::Marks;
use crate::catalogue::format::{CardRecord, card_flag};
use crate::dictionary::Tag;
use crate::dictionary::load::rows;
use crate::engine::{Matcher, Scratch};
use crate::error::{Error, ErrorKind};
use crate::parsed::Field;
use crate::reading::Value;
use crate::token::key_of;
use once_cell::sync::OnceCell;

/// The most words of an alias.
const MOST_WORDS: usize = 4;
const COLUMNS: [&str; 7] = [
    "canonical",
    "aliases",
    "rarities",
    "marks",
    "cards",
    "place",
    "note",
];

/// The place of a card among those of its name in its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Any,
    /// Not the first.
    Later,
    /// The last that a hand drew which drew no other of them.
    OwnHand,
}

/// A row of the file: a card answers it by one of its rarities (at its place), by one of its marks,
/// or by being one of its cards.
#[derive(Debug)]
pub(super) struct Term {
    /// A treatment or rarity, as titles are read.
    name: String,
    /// Folded.
    aliases: Vec<String>,
    rarities: Vec<String>,
    marks: Vec<String>,
    cards: Vec<String>,
    place: Place,
}

static BUILTIN: OnceCell<Vec<Term>> = OnceCell::new();

impl Term {
    /// The rows of this build.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`]. A test reads the file, so a released build never fails.
    pub(super) fn builtin() -> Result<&'static [Term], Error> {
        let text = include_str!(concat!(env!("OUT_DIR"), "/search_words.csv"));
        BUILTIN
            .get_or_try_init(|| Term::load(text))
            .map(Vec::as_slice)
    }

    fn load(text: &str) -> Result<Vec<Term>, Error> {
        let mut terms = Vec::new();
        for row in rows("search_words.csv", text, &COLUMNS)? {
            let list = |at: usize| row.list(at).map(str::to_owned).collect();
            let place = match row.cell(5) {
                "" => Place::Any,
                "later" => Place::Later,
                "own hand" => Place::OwnHand,
                other => {
                    return Err(Error::new(
                        ErrorKind::Dictionary,
                        format!(
                            "dictionaries/common/search_words.csv:{}: `place` is `{other}`: write \
                             `later`, `own hand` or nothing",
                            row.line
                        ),
                    ));
                }
            };
            terms.push(Term {
                name: row.cell(0).to_owned(),
                aliases: row.list(1).map(key_of).collect(),
                rarities: list(2),
                marks: list(3),
                cards: list(4),
                place,
            });
        }
        Ok(terms)
    }

    /// The ids of cards that the row names.
    pub(super) fn cards(&self) -> &[String] {
        &self.cards
    }
}

impl Matcher<'_, '_> {
    /// The terms among a query's words, each once: those that no longer reading covers.
    pub(super) fn terms(&self, scratch: &Scratch) -> Vec<&'static Term> {
        let Ok(all) = Term::builtin() else {
            return Vec::new();
        };
        let (line, chosen) = (&scratch.line, &scratch.cover.chosen);
        let mut found: Vec<&'static Term> = Vec::new();
        let mut add = |term: &'static Term| {
            if !found.iter().any(|known| std::ptr::eq(*known, term)) {
                found.push(term);
            }
        };
        let tokens = line.tokens();
        for (first, from) in tokens.iter().enumerate() {
            for to in tokens[first..].iter().take(MOST_WORDS) {
                let longer = chosen.covering(from.at).is_some_and(|reading| {
                    reading.at <= from.at
                        && to.end <= reading.end
                        && reading.end - reading.at > to.end - from.at
                });
                let text = line.text(from.at as usize, to.end as usize);
                let named = all
                    .iter()
                    .find(|term| !longer && term.aliases.iter().any(|alias| alias == text));
                named.into_iter().for_each(&mut add);
            }
        }
        for reading in chosen.of(Field::Treatment) {
            if let Value::Word(Tag::Printing(word)) = reading.value {
                let value = &self.dictionary().printings[word as usize].value;
                all.iter()
                    .filter(|term| term.name == *value)
                    .for_each(&mut add);
            }
        }
        found
    }

    /// Whether a card is what a term asks for.
    pub(super) fn meets(&self, term: &Term, card: u32, record: &CardRecord) -> bool {
        let rarity = |number: u8| {
            let name = self.catalogue.rarity(number);
            number != 0 && term.rarities.iter().any(|rarity| rarity == name)
        };
        if (rarity(record.rarity) || rarity(record.mark)) && self.stands(term.place, card, record) {
            return true;
        }
        let marks = || {
            self.catalogue
                .name_record(record)
                .map_or(Marks::default(), |name| name.marks())
        };
        let marked = !term.marks.is_empty()
            && marks().bits().any(|bit| {
                let affix = self.dictionary().affixes.get(bit as usize);
                affix.is_some_and(|affix| term.marks.contains(&affix.name))
            });
        let id = self.catalogue.string(record.id);
        marked || term.cards.iter().any(|card| card == id)
    }

    /// Whether a card stands at this place among those of its name in its set.
    fn stands(&self, place: Place, card: u32, record: &CardRecord) -> bool {
        if place == Place::Any {
            return true;
        }
        let Some(name) = self.catalogue.name_record(record) else {
            return false;
        };
        let alike: Vec<(u32, u16)> = self
            .catalogue
            .cards_of_set_and_core(record.set.get(), name.core.get())
            .filter(|(_, other)| other.name.get() == record.name.get())
            .map(|(at, other)| (at, other.illustrator.get()))
            .collect();
        let later = alike.first().is_some_and(|(first, _)| *first != card);
        // the only one in its set may be the full art of a card that other sets have
        if place == Place::Later {
            return later || alike.len() == 1;
        }
        if record.illustrator.get() == 0 {
            return later && alike.last().is_some_and(|(last, _)| *last == card);
        }
        let by = |hand: u16| alike.iter().filter(|(_, other)| *other == hand).count();
        let own = alike.iter().skip(1).rev().find(|(_, hand)| by(*hand) == 1);
        match own {
            Some((own, _)) => *own == card,
            None => record.flags.get() & card_flag::ALTERNATE != 0,
        }
    }

    /// Adds the cards that the terms name to `query`.
    pub(super) fn ask_terms(&self, terms: &[&Term], query: &mut Query) {
        let ids = terms.iter().flat_map(|term| term.cards());
        query
            .cards
            .extend(ids.filter_map(|id| self.catalogue.card_number(id)));
    }
}

#[cfg(test)]
mod tests {
    use super::Term;

    #[test]
    fn file_of_this_build_loads_and_others_are_refused_with_their_line() {
        assert!(Term::builtin().is_ok_and(|terms| !terms.is_empty()));
        let text = "canonical,aliases,rarities,marks,cards,place,note\na,A,,,,nowhere,\n";
        let error = Term::load(text).expect_err("there is no such place");
        assert!(error.to_string().contains("search_words.csv:2"), "{error}");
    }
}
