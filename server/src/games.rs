//! [`Games`]: which games are open, and of which game an id is.

use crate::catalogue::Loaded;
use crate::store::{Store, StoreError};
use arc_swap::ArcSwapOption;
use std::sync::Arc;
use titledex::Engine;
use titledex::internals::build::rows::FIRST_GAME;

/// The games of a catalogue. By default none is known, and whatever there is counts as open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// Those whose cards are found, in the catalogue's order.
    open: Vec<String>,
    /// All whose ids are recognised.
    known: Vec<String>,
}

impl Games {
    /// The games of an engine: those that it has open, and those that its dictionary describes.
    #[must_use]
    pub fn of(engine: &Engine) -> Self {
        let known = engine.dictionary().folders.iter();
        Self {
            open: engine.games().into_iter().map(str::to_owned).collect(),
            known: known.map(|game| game.id.clone()).collect(),
        }
    }

    /// The ids of those that are open.
    #[must_use]
    pub fn open(&self) -> &[String] {
        &self.open
    }

    /// Whether the game with this id is open.
    #[must_use]
    pub fn is_open(&self, game: &str) -> bool {
        self.open.is_empty() || self.open.iter().any(|open| open == game)
    }

    /// The game of the set, card or item with this id, which stands before its first colon. Ids of
    /// the first game have none before them.
    #[must_use]
    pub fn of_id<'i>(&self, id: &'i str) -> &'i str {
        id.split_once(':')
            .map(|(game, _)| game)
            .filter(|game| self.known.iter().any(|known| known == game))
            .unwrap_or(FIRST_GAME)
    }

    /// The game of an id.
    ///
    /// # Errors
    /// What is wrong with the id of a game that is not open, and what to do.
    pub fn open_of<'i>(&self, id: &'i str) -> Result<&'i str, String> {
        let game = self.of_id(id);
        if self.is_open(game) {
            return Ok(game);
        }
        Err(format!(
            "is of the game {game}, which is not open: open are {}; add it to the setting games",
            self.open.join(", ")
        ))
    }

    /// Whether an id names a card and no printing of it, as far as its game's name tells:
    /// `magic:10e-1` has a colon, but nothing behind that of its game.
    #[must_use]
    pub fn is_prefix(&self, card: &str) -> bool {
        self.known.iter().any(|known| known == card)
    }
}

/// Whether the store has sets of games that are not open: a start with more games left them. Looked
/// up once for each catalogue that is opened.
#[derive(Debug, Default)]
pub struct ClosedGames(ArcSwapOption<(String, bool)>);

impl ClosedGames {
    /// Whether it has.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn are_held(&self, store: &Store, loaded: &Loaded) -> Result<bool, StoreError> {
        if let Some(known) = &*self.0.load()
            && known.0 == loaded.version
        {
            return Ok(known.1);
        }
        let open = loaded.games().open();
        let held = !open.is_empty() && store.has_games_beside(open).await?;
        self.0.store(Some(Arc::new((loaded.version.clone(), held))));
        Ok(held)
    }
}

#[cfg(test)]
mod tests {
    use super::Games;

    #[test]
    fn ids_name_their_game_and_the_first_needs_none() {
        let games = Games {
            open: vec!["pokemon".to_owned(), "magic".to_owned()],
            known: ["pokemon", "magic", "yugioh"].map(str::to_owned).to_vec(),
        };
        for (id, game) in [
            ("base1-4", "pokemon"),
            ("base1-4:unlimited-holofoil", "pokemon"),
            ("asia:S6a-095", "pokemon"),
            ("own:1:plain", "pokemon"),
            ("magic:10e-1", "magic"),
            ("magic:10e-1:foil", "magic"),
        ] {
            assert_eq!(games.open_of(id), Ok(game), "{id}");
        }
        let refused = games.open_of("yugioh:LOB-001").expect_err("it is closed");
        assert!(
            refused.contains("yugioh") && refused.contains("pokemon, magic"),
            "{refused}"
        );
        assert!(games.is_prefix("magic") && !games.is_prefix("magic:10e-1"));
        assert!(Games::default().open_of("yugioh:LOB-001").is_ok());
    }
}
