//! [`Codes`]: collector numbers that begin with the code of a set, as the games' patterns have them.

use crate::error::{Error, ErrorKind};
use regex_automata::dfa::dense::{Builder, Config};
use regex_automata::dfa::{Automaton, StartKind, sparse};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

/// The patterns of the games' `number_codes.csv` as one automaton, which a title is given from each
/// place where a number may begin.
#[derive(Clone)]
pub struct Codes {
    /// The game of each pattern: its place among the dictionary's folders.
    games: Vec<u8>,
    automaton: sparse::DFA<Vec<u8>>,
}

impl std::fmt::Debug for Codes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Codes")
            .field("games", &self.games)
            .field("bytes", &self.automaton.memory_usage())
            .finish()
    }
}

impl Codes {
    /// Compiles patterns, each given with its game.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`] if a pattern is not a regular expression.
    pub(super) fn compile(patterns: &[(u8, String)]) -> Result<Codes, Error> {
        let config = Config::new()
            .start_kind(StartKind::Anchored)
            .match_kind(MatchKind::All)
            .minimize(true);
        let text = syntax::Config::new().unicode(false).utf8(false);
        let all: Vec<&str> = patterns
            .iter()
            .map(|(_, pattern)| pattern.as_str())
            .collect();
        let refused = |what: &dyn std::fmt::Display| {
            let message = format!("number_codes.csv: {what}; correct the pattern");
            Error::new(ErrorKind::Dictionary, message)
        };
        let dense = Builder::new()
            .configure(config)
            .syntax(text)
            .build_many(&all)
            .map_err(|error| refused(&error))?;
        Ok(Codes {
            games: patterns.iter().map(|(game, _)| *game).collect(),
            automaton: dense.to_sparse().map_err(|error| refused(&error))?,
        })
    }

    /// The games that have a pattern, a bit each.
    pub(crate) fn games(&self) -> u32 {
        self.games.iter().fold(0, |games, game| games | 1 << game)
    }

    /// The end of the longest number that begins at byte `at` of a folded text, by a pattern of one
    /// of `games`, and the games that have such a pattern.
    pub(crate) fn find(&self, text: &str, at: usize, games: u32) -> Option<(usize, u32)> {
        let automaton = &self.automaton;
        let input = Input::new(text).range(at..).anchored(Anchored::Yes);
        let fitting = |state| {
            let patterns = if automaton.is_match_state(state) {
                automaton.match_len(state)
            } else {
                0
            };
            let game = |which| 1 << self.games[automaton.match_pattern(state, which).as_usize()];
            (0..patterns).map(game).fold(0, |all, one: u32| all | one) & games
        };
        let mut state = automaton.start_state_forward(&input).ok()?;
        let mut longest = None;
        for (end, &byte) in text.as_bytes().iter().enumerate().skip(at) {
            state = automaton.next_state(state, byte);
            // a match is seen one byte late
            match fitting(state) {
                0 => {}
                games => longest = Some((end, games)),
            }
            if automaton.is_dead_state(state) {
                return longest;
            }
        }
        match fitting(automaton.next_eoi_state(state)) {
            0 => longest,
            games => Some((text.len(), games)),
        }
    }
}

/// The games and the automaton's bytes.
#[cfg(feature = "compiled")]
mod compiled {
    use super::{Codes, sparse};
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    impl Serialize for Codes {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            (&self.games, self.automaton.to_bytes_little_endian()).serialize(to)
        }
    }

    impl<'de> Deserialize<'de> for Codes {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Codes, D::Error> {
            let (games, bytes) = <(Vec<u8>, Vec<u8>)>::deserialize(from)?;
            let (automaton, _) = sparse::DFA::from_bytes(&bytes).map_err(D::Error::custom)?;
            Ok(Codes {
                games,
                automaton: automaton.to_owned(),
            })
        }
    }
}
