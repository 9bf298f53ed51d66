//! [`Game`]: what a folder of `dictionaries/` says of its game as a whole.

use super::FIRST_GAME;
use super::load::{choices, rows};
use crate::error::{Error, ErrorKind};
#[cfg(feature = "compiled")]
use serde::{Deserialize, Serialize};

/// The games of one dictionary are bits of a `u32`; this is the bit of none of them and so the most
/// that there can be.
pub(super) const MOST_GAMES: usize = 32;

/// A region of a game: prints that are numbered separately from those of other regions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub struct Region {
    /// What it is called: by us first, then by sources.
    pub names: Vec<String>,
    /// The languages that its cards are printed in, as answers write them: its own first.
    pub languages: Vec<String>,
}

impl Region {
    /// What we call it.
    #[must_use]
    pub fn name(&self) -> &str {
        self.names.first().map_or(INTERNATIONAL, String::as_str)
    }

    /// Its own language, that of cards of which nothing else is known.
    #[must_use]
    pub fn language(&self) -> &str {
        self.languages.first().map_or(ENGLISH, String::as_str)
    }
}

/// The places of regions in an index are bytes.
const MOST_REGIONS: usize = 256;
/// What we call the region of a game that names none.
const INTERNATIONAL: &str = "international";
/// The language of a region that names none.
const ENGLISH: &str = "english";

/// A kind of cards that says more than that it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub enum Category {
    /// They show a subject, even if their source does not say which.
    Subject,
    /// They pay for others, as energies do.
    Resource,
}

/// Where cards are printed in a language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub enum Spoken {
    /// Nowhere, as far as the games say.
    #[default]
    Nowhere,
    /// In the first region of a game, and in no other.
    First,
    /// In a further region of a game.
    Further,
}

/// A card game: the rows of `game.csv` in its folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub struct Game {
    /// Its id, which is the name of the folder.
    pub id: String,
    /// Its name as people write it.
    pub name: String,
    /// The regions that number its cards separately, at least one. An index has their places here.
    #[cfg_attr(feature = "compiled", serde(skip))]
    pub regions: Vec<Region>,
    /// What its sources call kinds of cards, where the kind says more.
    #[cfg_attr(feature = "compiled", serde(skip))]
    pub categories: Vec<(String, Category)>,
    /// Its cards keep their number when they are printed again in another set.
    pub reprints_keep_number: bool,
    /// Ids of sets whose cards bear the number and the mark of the set from which they are printed again.
    pub copies: Vec<String>,
    /// The product of a card says how it differs from the plain print of its set, which has none.
    pub products_are_looks: bool,
    /// Its foils are called holo, whatever a title calls them.
    pub foils_are_holos: bool,
    /// A year in the name of one of its sets is no more than a part of the name.
    pub years_in_set_names: bool,
    /// Sets are called after cards in them: what names both means the card.
    pub sets_after_cards: bool,
    /// What stands behind the comma of a name is a title that sellers leave out: `Ragavan` for
    /// `Ragavan, Nimble Pilferer`.
    pub titles_behind_comma: bool,
    /// Prints in Simplified Chinese are cards apart, and not those that other Chinese prints are.
    pub simplified_apart: bool,
    /// As many copies of a card as a deck may have, where that is not four: what a playset is.
    pub playset: Option<u32>,
    /// Letters of a number code that say the card's language: `jp` of `CHIM-JP049`.
    pub code_languages: Vec<(String, String)>,
    /// Beginnings of number codes that prints of one language have, up to the digits, and what the
    /// catalogue has for them: `lob-` for `ldd-f`.
    pub code_sets: Vec<(String, String)>,
    /// What some number codes begin with and titles leave out: `rd/` of `RD/KP01-JP001`.
    pub code_prefixes: Vec<String>,
    /// Letters that stand behind a number code may be the card's rarity: `TID/S53-E011SSP`.
    pub rarity_behind_code: bool,
}

/// The members beside [`SWITCHES`].
const MEMBERS: [&str; 10] = [
    "name",
    "first region",
    "region",
    "category",
    "ids",
    "copies",
    "playset",
    "code prefix",
    "code language",
    "code set",
];

/// The rows of `game.csv` that only turn something on: member, the value that it must have, and what
/// it turns on.
type Switch = (&'static str, &'static str, fn(&mut Game));
const SWITCHES: [Switch; 8] = [
    ("reprints", "keep number", |game| {
        game.reprints_keep_number = true;
    }),
    ("products", "looks", |game| game.products_are_looks = true),
    ("foils", "holo", |game| game.foils_are_holos = true),
    ("years", "in set names", |game| {
        game.years_in_set_names = true;
    }),
    ("sets", "called after cards", |game| {
        game.sets_after_cards = true;
    }),
    ("names", "title behind comma", |game| {
        game.titles_behind_comma = true;
    }),
    ("simplified", "cards apart", |game| {
        game.simplified_apart = true;
    }),
    ("code ending", "rarity", |game| {
        game.rarity_behind_code = true;
    }),
];

impl Game {
    /// Reads the rows of `game.csv` into the game with this id.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`], naming file and line.
    pub(super) fn read(id: &str, file: &str, text: &str) -> Result<Game, Error> {
        let mut game = Game {
            id: id.to_owned(),
            ..Game::default()
        };
        let mut first = None;
        for row in rows(file, text, &["member", "value", "meaning", "note"])? {
            let bad = |what: &str| {
                let message = format!("dictionaries/{file}:{}: {what}", row.line);
                Err(Error::new(ErrorKind::Dictionary, message))
            };
            let (value, meaning) = (row.cell(1).to_owned(), row.cell(2).to_owned());
            if value.is_empty() {
                return bad("`value` is empty");
            }
            match row.cell(0) {
                "name" => game.name = value,
                member @ ("first region" | "region") => {
                    let region = Region {
                        names: row.list(1).map(str::to_owned).collect(),
                        languages: row.list(2).map(str::to_owned).collect(),
                    };
                    if region.languages.is_empty() {
                        return bad(
                            "`meaning` is empty; write the region's languages, its own first",
                        );
                    }
                    let mut known = game.regions.iter().chain(&first);
                    if known.any(|known| known.names.iter().any(|name| region.names.contains(name)))
                    {
                        return bad("another region is called so");
                    }
                    match member {
                        "region" => game.regions.push(region),
                        _ if first.is_some() => return bad("there is a first region already"),
                        _ => first = Some(region),
                    }
                }
                "category" => {
                    let category = match meaning.as_str() {
                        "subject" => Category::Subject,
                        "resource" => Category::Resource,
                        _ => return bad("the `meaning` of a category is `subject` or `resource`"),
                    };
                    game.categories.push((value, category));
                }
                // the build script has read it
                "ids" if value == "plain" && id == FIRST_GAME => {}
                "ids" => {
                    return bad("the ids of one game stand plain, those of this build's first");
                }
                "copies" if value.is_empty() => {
                    return bad("`value` is empty; write the ids of the sets");
                }
                "copies" => game.copies.extend(row.list(1).map(str::to_owned)),
                "playset" => match value.parse() {
                    Ok(copies @ 1..) => game.playset = Some(copies),
                    _ => return bad("the `value` of `playset` is a number of copies"),
                },
                "code prefix" => game.code_prefixes.push(value.to_lowercase()),
                "code language" if meaning.is_empty() => {
                    return bad("`meaning` is empty; write the language that the letters say");
                }
                "code set" if meaning.is_empty() => {
                    return bad("`meaning` is empty; write the code of the set");
                }
                "code set" => {
                    for printed in row.list(1) {
                        let ours = row.list(2).map(|set| format!("{}-", set.to_lowercase()));
                        let printed = printed.to_lowercase();
                        game.code_sets
                            .extend(ours.map(|set| (printed.clone(), set)));
                    }
                }
                "code language" => game.code_languages.push((value.to_lowercase(), meaning)),
                member => match SWITCHES.iter().find(|switch| switch.0 == member) {
                    Some((_, of, turn_on)) if value == *of => turn_on(&mut game),
                    Some((_, of, _)) => {
                        return bad(&format!("the `value` of `{member}` is `{of}`"));
                    }
                    None => {
                        let switches = SWITCHES.iter().map(|(member, ..)| *member);
                        let words = choices(MEMBERS.into_iter().chain(switches));
                        return bad(&format!("`member` is `{member}`: {words}"));
                    }
                },
            }
        }
        let first = first.unwrap_or_else(|| Region {
            names: vec![INTERNATIONAL.to_owned()],
            languages: Vec::new(),
        });
        game.regions.insert(0, first);
        if game.regions.len() > MOST_REGIONS {
            let message = format!("dictionaries/{file}: a game has at most {MOST_REGIONS} regions");
            return Err(Error::new(ErrorKind::Dictionary, message));
        }
        if game.name.is_empty() {
            let message = format!("dictionaries/{file}: no row gives the `name` of the game");
            return Err(Error::new(ErrorKind::Dictionary, message));
        }
        Ok(game)
    }

    /// The place of the region that the game calls `name`; the first if `name` is empty.
    #[must_use]
    pub fn region_called(&self, name: &str) -> Option<usize> {
        if name.is_empty() {
            return Some(0);
        }
        let called = |region: &Region| region.names.iter().any(|known| known == name);
        self.regions.iter().position(called)
    }

    /// The place of the first region whose cards are printed in `language`; the first of all if
    /// none is.
    #[must_use]
    pub fn region_of(&self, language: &str) -> usize {
        let spoken = |region: &Region| region.languages.iter().any(|known| known == language);
        self.regions.iter().position(spoken).unwrap_or(0)
    }

    /// What a card is whose source states this category.
    #[must_use]
    pub fn category(&self, name: &str) -> Option<Category> {
        let mut known = self.categories.iter();
        known.find(|known| known.0 == name).map(|known| known.1)
    }

    /// The letters of `part` that say a language, and the language; the longest that fits before
    /// a digit or further letters of the number.
    pub(crate) fn code_language(&self, part: &str) -> Option<(usize, &str)> {
        let fits = |(letters, _): &&(String, String)| part.starts_with(letters.as_str());
        self.code_languages
            .iter()
            .filter(fits)
            .max_by_key(|(letters, _)| letters.len())
            .map(|(letters, language)| (letters.len(), language.as_str()))
    }

    /// What numbers of the catalogue begin with where a print's begins with `printed`: `lob-` for
    /// `ldd-f`.
    pub(crate) fn sets_of_code(&self, printed: &str) -> impl Iterator<Item = &str> {
        let codes = self.code_sets.iter();
        codes.filter_map(move |(code, ours)| (code == printed).then_some(ours.as_str()))
    }
}
