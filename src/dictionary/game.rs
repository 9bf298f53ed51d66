//! [`Game`]: what a folder of `dictionaries/` says of its game as a whole.

use super::load::rows;
use crate::error::{Error, ErrorKind};
#[cfg(feature = "compiled")]
use serde::{Deserialize, Serialize};

/// The games of one dictionary are bits of a `u32`; this is the bit of none of them and so the most
/// that there can be.
pub(super) const MOST_GAMES: usize = 32;

/// A card game: the rows of `game.csv` in its folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub struct Game {
    /// Its id, which is the name of the folder.
    pub id: String,
    /// Its name as people write it.
    pub name: String,
    /// What its sources call the regions that number cards separately, and whether the region is
    /// the Asian one.
    pub regions: Vec<(String, bool)>,
    /// Its cards keep their number when they are printed again in another set.
    pub reprints_keep_number: bool,
    /// Letters of a number code that say the card's language: `jp` of `CHIM-JP049`.
    pub code_languages: Vec<(String, String)>,
}

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
                "region" => match meaning.as_str() {
                    "international" => game.regions.push((value, false)),
                    "asia" => game.regions.push((value, true)),
                    _ => return bad("the `meaning` of a region is `international` or `asia`"),
                },
                "reprints" if value == "keep number" => game.reprints_keep_number = true,
                "reprints" => return bad("the `value` of `reprints` is `keep number`"),
                "code language" if meaning.is_empty() => {
                    return bad("`meaning` is empty; write the language that the letters say");
                }
                "code language" => game.code_languages.push((value.to_lowercase(), meaning)),
                _ => return bad("`member` is `name`, `region`, `reprints` or `code language`"),
            }
        }
        if game.name.is_empty() {
            let message = format!("dictionaries/{file}: no row gives the `name` of the game");
            return Err(Error::new(ErrorKind::Dictionary, message));
        }
        Ok(game)
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
}
