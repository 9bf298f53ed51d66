//! The input of the builder: [`CardRow`] and [`SetRow`], from whatever file.

use crate::answer::MarketIds;
use crate::build::vocabulary::{FILES as VOCABULARY_FILES, is_file as is_vocabulary_file};
pub use crate::dictionary::FIRST_GAME;
use crate::dictionary::load::choices;
use crate::dictionary::{Dictionary, FILES, Game, is_file as is_dictionary_file};
use crate::error::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// One card: set + collector number (+ region), with its printings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CardRow {
    /// Unique id; the part of a `marketplaceId` before the colon.
    pub id: String,
    /// Id of its set.
    pub set: String,
    /// Collector number without the total, as printed: `4`, `TG12`, `098`. Empty if none is printed
    /// or known.
    pub number: String,
    /// The text after the slash: `102`, `TG30`, `SV-P`; empty if there is none.
    pub total: String,
    /// The number is the source's own order and is not printed on the card (old Japanese sets).
    pub number_unprinted: bool,
    /// Names by language code, the card's own language first.
    pub names: Vec<(String, String)>,
    /// English name of a card that is printed in another language, if other sources have one.
    pub english: String,
    /// The English name is only a candidate.
    pub english_unsure: bool,
    /// If there is no English name, one made of subjects and marks when an index is built. Sources
    /// leave it empty.
    pub english_derived: String,
    /// `english`, `japanese`, `chinese`, …: the language of the region whose print it is.
    pub language: String,
    /// What its source calls its kind: `Trainer`, `Energy`, …
    pub category: String,
    /// What it shows: numbers of its game's `subjects.csv`.
    pub subjects: Vec<u16>,
    /// Rarity as the source names it.
    pub rarity: String,
    /// Rarity mark as printed on Japanese cards (`SAR`, `UR`).
    pub mark: String,
    /// Hit points; 0 if unknown.
    pub hp: u16,
    /// The illustrator.
    pub illustrator: String,
    /// The deck, box, magazine or campaign that it came with.
    pub product: String,
    /// Its printings: label (`1st Edition Holofoil`) and id (`base1-4:1st-edition-holofoil`). Empty
    /// if the source gives none.
    pub printings: Vec<Printing>,
    /// What marketplaces call each of them, in their order; shorter where none of the last is sold.
    pub market_ids: Vec<MarketIds>,
    /// The id of its game, for a set that only cards name; empty for [`FIRST_GAME`].
    pub game: String,
}

impl CardRow {
    /// The id of the game that it states.
    #[must_use]
    pub fn game(&self) -> &str {
        game_or_first(&self.game)
    }
}

/// The id of a game, of which an empty one means the first.
pub(super) fn game_or_first(id: &str) -> &str {
    if id.is_empty() { FIRST_GAME } else { id }
}

/// One printing of a card: one row of a price list.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Printing {
    /// `Normal`, `Reverse Holofoil`, `1st Edition Holofoil [galaxy foil]` …; empty if the source
    /// gives none.
    pub label: String,
    /// The part of its `marketplaceId` after the card's id, with the colon; or the whole id if it
    /// does not begin with the card's.
    pub slug: String,
}

/// One set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SetRow {
    /// Unique id.
    pub id: String,
    /// Short code (`swsh7`, `SV2a`), as sellers write it.
    pub code: String,
    /// Its region, by a name that its game has for it; empty for the region that prints cards in
    /// the language of its first card.
    pub region: String,
    /// Series (`swsh`, `SV`).
    pub series: String,
    /// Names by language code.
    pub names: Vec<(String, String)>,
    /// English name of a set that is printed in another language.
    pub english: String,
    /// Abbreviation printed or used by sellers (`EVS`).
    pub abbreviation: String,
    /// Release as `yyyy-mm-dd`, `yyyy-mm` or `yyyy`; empty if unknown.
    pub released: String,
    /// The count printed on its cards; 0 if there is none.
    pub official: u16,
    /// The id of its game; empty for [`FIRST_GAME`].
    pub game: String,
    /// Its source says that its cards are promos.
    pub promos: bool,
}

impl SetRow {
    /// The id of its game.
    #[must_use]
    pub fn game(&self) -> &str {
        game_or_first(&self.game)
    }
}

/// A set's or card's file with its rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    /// All cards.
    pub cards: Vec<CardRow>,
    /// All sets; sets that only cards name are made from them.
    pub sets: Vec<SetRow>,
    /// A file of sets was read: a card of a set that it lacks is refused.
    pub sets_given: bool,
    /// Games of the caller's own, beside those that this build knows.
    pub games: Vec<Game>,
    /// The files of their dictionaries, name (`swu/game.csv`) and text.
    pub game_files: Vec<(String, String)>,
    /// What files state that is not read, a sentence for each kind.
    pub notes: Vec<String>,
}

impl Rows {
    /// Makes a game of the caller's own known, before its cards are read. `files` are the files of
    /// its dictionary, named by themselves (`game.csv`), with their text.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`] if a file contradicts itself or is none that a game can have, if
    /// there is no `game.csv`, or if the game is built in. The message names the file as
    /// `dictionaries/<id>/<file>`.
    pub fn add_game(&mut self, id: &str, files: &[(String, String)]) -> Result<(), Error> {
        let refused = |what: String| Err(Error::new(ErrorKind::Dictionary, what));
        if Dictionary::builtin()?
            .folders
            .iter()
            .any(|game| game.id == id)
        {
            return refused(format!("dictionaries/{id}: the game is built in"));
        }
        if !files.iter().any(|(name, _)| name == "game.csv") {
            return refused(format!("dictionaries/{id}/game.csv: is missing"));
        }
        for (name, text) in files {
            if !is_dictionary_file(name) && !is_vocabulary_file(name) {
                let known = choices(game_files());
                return refused(format!(
                    "dictionaries/{id}/{name}: no game of your own has such a file: {known}"
                ));
            }
            if text.contains('\0') {
                return refused(format!("dictionaries/{id}/{name}: has a zero byte"));
            }
        }
        let files = files.iter();
        self.game_files
            .extend(files.map(|(name, text)| (format!("{id}/{name}"), text.clone())));
        let dictionary = self.dictionary()?;
        let own = dictionary.folders.iter().filter(|game| game.id == id);
        self.games.extend(own.cloned());
        Ok(())
    }

    /// The dictionary of this build, with those of the caller's own games.
    ///
    /// # Errors
    /// As [`Dictionary::with`].
    pub(super) fn dictionary(&self) -> Result<Arc<Dictionary>, Error> {
        if self.game_files.is_empty() {
            return Dictionary::builtin();
        }
        let files = self.game_files.iter();
        let files = files.map(|(name, text)| (name.as_str(), text.as_str()));
        Dictionary::with(files).map(Arc::new)
    }

    /// Adds the rows of another catalogue.
    pub fn extend(&mut self, other: Rows) {
        self.cards.extend(other.cards);
        self.sets.extend(other.sets);
        self.sets_given |= other.sets_given;
        self.games.extend(other.games);
        self.game_files.extend(other.game_files);
        self.notes.extend(other.notes);
    }

    /// The game of each card: that of its set.
    fn games_of_cards(&self) -> impl Iterator<Item = &str> {
        let of_set: HashMap<&str, &str> = self
            .sets
            .iter()
            .map(|set| (set.id.as_str(), set.game()))
            .collect();
        self.cards.iter().map(move |card| {
            let of_set = of_set.get(card.set.as_str()).copied();
            of_set.unwrap_or(card.game())
        })
    }

    /// The ids of the games of all sets and cards.
    pub(super) fn games(&self) -> BTreeSet<&str> {
        let of_sets = self.sets.iter().map(SetRow::game);
        of_sets.chain(self.games_of_cards()).collect()
    }

    /// The rows of each game, by its id, without the files of dictionaries.
    pub(super) fn by_game(&self) -> BTreeMap<&str, Rows> {
        let mut games: BTreeMap<&str, Rows> = BTreeMap::new();
        for set in &self.sets {
            let rows = games.entry(set.game()).or_default();
            rows.sets.push(set.clone());
        }
        for (card, game) in self.cards.iter().zip(self.games_of_cards()) {
            games.entry(game).or_default().cards.push(card.clone());
        }
        games
    }

    /// The ids of all sets, if a file of sets was read.
    pub(super) fn known_sets(&self) -> Option<HashSet<String>> {
        self.sets_given
            .then(|| self.sets.iter().map(|set| set.id.clone()).collect())
    }
}

/// The files that the folder of a caller's game may hold.
fn game_files() -> BTreeSet<&'static str> {
    let files = FILES.iter().chain(VOCABULARY_FILES);
    files
        .filter_map(|(path, _)| path.rsplit('/').next())
        .collect()
}

/// The languages that cards can be in, as answers write them.
pub const LANGUAGES: [&str; 14] = [
    "english",
    "japanese",
    "german",
    "french",
    "italian",
    "spanish",
    "portuguese",
    "korean",
    "chinese",
    "thai",
    "indonesian",
    "dutch",
    "polish",
    "russian",
];

/// Whether a language code is known.
#[must_use]
pub fn is_language_code(code: &str) -> bool {
    LANGUAGES.contains(&language_name(code)) && !LANGUAGES.contains(&code)
}

/// The language that a language code names, as answers write it.
#[must_use]
pub fn language_name(code: &str) -> &str {
    match code {
        "en" => "english",
        "ja" => "japanese",
        "de" => "german",
        "fr" => "french",
        "it" => "italian",
        "es" | "es-mx" => "spanish",
        "pt" | "pt-br" => "portuguese",
        "ko" => "korean",
        "zh-tw" | "zh-cn" | "zh-hk" => "chinese",
        "th" => "thai",
        "id" => "indonesian",
        "nl" => "dutch",
        "pl" => "polish",
        "ru" => "russian",
        other => other,
    }
}

/// The code of a language of [`LANGUAGES`], of whose codes this is the one that most names have.
pub(super) fn language_code(language: &str) -> &str {
    match language {
        "english" => "en",
        "japanese" => "ja",
        "german" => "de",
        "french" => "fr",
        "italian" => "it",
        "spanish" => "es",
        "portuguese" => "pt",
        "korean" => "ko",
        "chinese" => "zh-tw",
        "thai" => "th",
        "indonesian" => "id",
        "dutch" => "nl",
        "polish" => "pl",
        "russian" => "ru",
        other => other,
    }
}

/// Whether names in a language of [`LANGUAGES`] are written in Latin letters.
pub(super) fn is_latin(language: &str) -> bool {
    !matches!(
        language,
        "japanese" | "korean" | "chinese" | "thai" | "russian"
    )
}
