//! [`Codes`]: collector numbers that begin with the code of a set, as the games' patterns have them.

use crate::error::{Error, ErrorKind};
use regex_automata::dfa::dense::{Builder, Config};
use regex_automata::dfa::{Automaton, StartKind, sparse};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

/// The patterns of `number_codes.csv` as one automaton, which a title is given from each place
/// where a number may begin.
#[derive(Clone)]
pub struct Codes {
    /// The game of each pattern.
    games: Vec<String>,
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
    pub(super) fn compile(patterns: &[(String, String)]) -> Result<Codes, Error> {
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
            let message = format!("dictionaries/number_codes.csv: {what}; correct the pattern");
            Error::new(ErrorKind::Dictionary, message)
        };
        let dense = Builder::new()
            .configure(config)
            .syntax(text)
            .build_many(&all)
            .map_err(|error| refused(&error))?;
        Ok(Codes {
            games: patterns.iter().map(|(game, _)| game.clone()).collect(),
            automaton: dense.to_sparse().map_err(|error| refused(&error))?,
        })
    }

    /// The game of each pattern.
    pub(crate) fn games(&self) -> &[String] {
        &self.games
    }

    /// The end of the longest number that begins at byte `at` of a folded text, by a pattern that is
    /// `held`.
    pub(crate) fn find(
        &self,
        text: &str,
        at: usize,
        held: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let automaton = &self.automaton;
        let input = Input::new(text).range(at..).anchored(Anchored::Yes);
        let fits = |state| {
            automaton.is_match_state(state)
                && (0..automaton.match_len(state))
                    .any(|which| held(automaton.match_pattern(state, which).as_usize()))
        };
        let mut state = automaton.start_state_forward(&input).ok()?;
        let mut longest = None;
        for (end, &byte) in text.as_bytes().iter().enumerate().skip(at) {
            state = automaton.next_state(state, byte);
            // a match is seen one byte late
            if fits(state) {
                longest = Some(end);
            }
            if automaton.is_dead_state(state) {
                return longest;
            }
        }
        if fits(automaton.next_eoi_state(state)) {
            longest = Some(text.len());
        }
        longest
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
            let (games, bytes) = <(Vec<String>, Vec<u8>)>::deserialize(from)?;
            let (automaton, _) = sparse::DFA::from_bytes(&bytes).map_err(D::Error::custom)?;
            Ok(Codes {
                games,
                automaton: automaton.to_owned(),
            })
        }
    }
}
