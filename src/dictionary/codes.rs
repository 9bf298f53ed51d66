//! [`Codes`]: collector numbers that begin with the code of a set, as the games' patterns have them.

use crate::error::{Error, ErrorKind};
use regex_automata::dfa::dense::{Builder, Config};
use regex_automata::dfa::{Automaton, StartKind, sparse};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

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
    /// Compiles patterns, each given with its game. Of several that a number fits, the first counts.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`] if a pattern is not a regular expression.
    pub(super) fn compile(patterns: &[(String, String)]) -> Result<Codes, Error> {
        let config = Config::new().start_kind(StartKind::Anchored).minimize(true);
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

    /// The end of the number that begins at byte `at` of a folded text, and the place of its
    /// pattern.
    pub(crate) fn find(&self, text: &str, at: usize) -> Option<(usize, usize)> {
        let input = Input::new(text).range(at..).anchored(Anchored::Yes);
        // the automaton has no byte at which it gives up
        let found = self.automaton.try_search_fwd(&input).ok()??;
        Some((found.offset(), found.pattern().as_usize()))
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
