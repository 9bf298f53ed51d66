//! YGOJSON: its individual files, `cards/*.json` and `sets/*.json`. A set says which cards it has,
//! and with which codes in which part of the world.

use super::elements::Element;
use super::facts::{CardFacts, Facts, SetFacts};
use super::words::Words;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use titledex::internals::build::input::check_id;
use titledex_command::Failure;

const GAME: &str = "yugioh";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    id: String,
    text: Option<BTreeMap<String, Text>>,
    #[serde(default)]
    card_type: String,
    name: Option<BTreeMap<String, String>>,
    #[serde(default)]
    locales: BTreeMap<String, Locale>,
    contents: Option<Vec<Content>>,
}

#[derive(Deserialize)]
struct Text {
    name: String,
}

#[derive(Deserialize)]
struct Locale {
    language: String,
    prefix: Option<String>,
    #[serde(default)]
    date: String,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    locales: Vec<String>,
    #[serde(default)]
    cards: Vec<Printing>,
}

#[derive(Deserialize)]
struct Printing {
    card: String,
    suffix: Option<String>,
    #[serde(default)]
    rarity: String,
}

/// The cards and sets of a source, which know each other by id alone.
#[derive(Default)]
pub(super) struct Files {
    /// Names and category of each card.
    cards: HashMap<String, (BTreeMap<String, String>, String)>,
    sets: Vec<(String, Object)>,
}

impl Files {
    /// Reads a card or a set.
    pub(super) fn read(&mut self, element: &Element<'_>, words: &Words) -> Result<(), Failure> {
        let mut object: Object = element.read()?;
        match (object.text.take(), &object.contents) {
            (Some(text), _) => {
                let names = text
                    .into_iter()
                    .map(|(language, text)| (language, text.name));
                let category = words.ours("category", &object.card_type).to_owned();
                self.cards.insert(object.id, (ours(names, words), category));
                Ok(())
            }
            (None, Some(_)) => {
                self.sets.push((element.place(), object));
                Ok(())
            }
            (None, None) => Err(Failure::new(format!(
                "{}: neither a card (`text`) nor a set (`contents`): give the folders cards and sets",
                element.place()
            ))),
        }
    }

    /// Joins sets with their cards.
    pub(super) fn join(self, words: &Words, facts: &mut Facts) -> Result<(), Failure> {
        for (place, set) in &self.sets {
            let names = set.name.clone().unwrap_or_default();
            let names = ours(names.into_iter(), words);
            for content in set.contents.iter().flatten() {
                let everywhere = set.locales.keys();
                let locales: Vec<&String> = if content.locales.is_empty() {
                    everywhere.collect()
                } else {
                    content.locales.iter().collect()
                };
                for id in locales {
                    let Some(locale) = set.locales.get(id) else {
                        facts.leave("contents of places that their set does not have, left out");
                        continue;
                    };
                    let at = Place {
                        place,
                        region: region(place, id, words)?,
                        locale,
                        names: &names,
                    };
                    self.cards_of(content, &at, words, facts)?;
                }
            }
        }
        Ok(())
    }

    /// The cards of a set, and the set by the code that they bear.
    fn cards_of(
        &self,
        content: &Content,
        at: &Place<'_>,
        words: &Words,
        facts: &mut Facts,
    ) -> Result<(), Failure> {
        // the letters behind the hyphen say the language: `LOB-EN`
        let prefix = at.locale.prefix.as_deref().unwrap_or_default();
        let Some((code, letters)) = prefix.split_once('-').filter(|(code, _)| !code.is_empty())
        else {
            facts.leave("contents of sets whose cards bear no code, left out");
            return Ok(());
        };
        if check_id(prefix).is_err() {
            facts.leave("contents of sets whose code has characters that are not seen, left out");
            return Ok(());
        }
        let scoped = |id: &str| match at.region {
            "ocg" => format!("ocg:{id}"),
            _ => id.to_owned(),
        };
        facts.set(SetFacts {
            place: at.place.to_owned(),
            id: scoped(code),
            game: GAME.to_owned(),
            code: code.to_owned(),
            region: at.region.to_owned(),
            names: at.names.clone(),
            release_date: at.locale.date.clone(),
            ..SetFacts::default()
        });
        let language = words.ours("language", &at.locale.language);
        for printing in &content.cards {
            let Some(number) = &printing.suffix else {
                facts.leave("cards without a code, left out");
                continue;
            };
            let Some((names, category)) = self.cards.get(&printing.card) else {
                facts.leave("cards that no file describes, left out");
                continue;
            };
            if check_id(number).is_err() {
                facts.leave("codes with characters that are not seen, left out");
                continue;
            }
            let printed = format!("{prefix}{number}");
            let english = letters.is_empty() || language == "en";
            let id = scoped(&format!("{code}-{number}"));
            if facts.cards.contains_key(&id) && !english {
                continue;
            }
            facts.card(CardFacts {
                place: at.place.to_owned(),
                id,
                game: GAME.to_owned(),
                region: at.region.to_owned(),
                set: scoped(code),
                number: number.clone(),
                printed_number: printed,
                names: names.clone(),
                category: category.clone(),
                rarity: printing.rarity.clone(),
                ..CardFacts::default()
            });
        }
        Ok(())
    }
}

/// A set in one part of the world.
struct Place<'s> {
    place: &'s str,
    region: &'s str,
    locale: &'s Locale,
    names: &'s BTreeMap<String, String>,
}

/// Names by our language codes; those in a language that is not ours are left out.
fn ours(names: impl Iterator<Item = (String, String)>, words: &Words) -> BTreeMap<String, String> {
    names
        .map(|(language, name)| (words.ours("language", &language).to_owned(), name))
        .filter(|(language, _)| !language.is_empty())
        .collect()
}

fn region<'w>(place: &str, locale: &str, words: &'w Words) -> Result<&'w str, Failure> {
    words.get("locale", locale).ok_or_else(|| {
        Failure::new(format!(
            "{place}: locale `{locale}` is unknown; add it to cli/data/import.csv"
        ))
    })
}
