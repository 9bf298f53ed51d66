//! [`Codes`]: collector numbers that begin with the code of a set, as the games' patterns have them.

use crate::error::{Error, ErrorKind};
use regex_automata::dfa::Automaton;
use regex_automata::dfa::StartKind;
use regex_automata::dfa::dense::{Builder, Config, DFA};
use regex_automata::util::primitives::StateID;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};
#[cfg(feature = "compiled")]
use serde::{Deserialize, Serialize};

/// The patterns of the games' `number_codes.csv` as one automaton, which a title is given from each
/// place where a number may begin.
///
/// The table is our own: most words of a title lead nowhere after some bytes, and a step is one
/// look-up in place of the search that a sparse automaton of `regex-automata` needs. A program that
/// has the table needs nothing of that crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub struct Codes {
    /// The games that have a pattern, a bit each.
    games: u32,
    /// For each byte its class: bytes of one class lead from each state to the same.
    classes: Vec<u8>,
    /// Number of classes.
    width: u16,
    /// For each state and class the next state; [`DEAD`] leads nowhere.
    next: Vec<u16>,
    /// For each state the games that have a pattern which ends there, a bit each.
    ends: Vec<u32>,
}

const DEAD: u16 = 0;
const START: u16 = 1;

impl Codes {
    /// Compiles patterns, each given with its game.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`] if a pattern is not a regular expression, or looks at what stands
    /// around it.
    pub(super) fn compile(patterns: &[(u8, String)]) -> Result<Codes, Error> {
        if patterns.is_empty() {
            return Ok(Codes::default());
        }
        let config = Config::new()
            .start_kind(StartKind::Anchored)
            .match_kind(MatchKind::All)
            .minimize(true);
        let text = syntax::Config::new().unicode(false).utf8(false);
        let refused = |what: &dyn std::fmt::Display| {
            let message = format!("number_codes.csv: {what}; correct the pattern");
            Error::new(ErrorKind::Dictionary, message)
        };
        for (_, pattern) in patterns {
            let parsed = syntax::parse_with(pattern, &text).map_err(|error| refused(&error))?;
            if !parsed.properties().look_set().is_empty() {
                let what = format!("`{pattern}` looks at what stands around it");
                return Err(refused(&what));
            }
        }
        let all: Vec<&str> = patterns
            .iter()
            .map(|(_, pattern)| pattern.as_str())
            .collect();
        let automaton = Builder::new()
            .configure(config)
            .syntax(text)
            .build_many(&all)
            .map_err(|error| refused(&error))?;
        let start = automaton
            .start_state_forward(&Input::new("").anchored(Anchored::Yes))
            .map_err(|error| refused(&error))?;
        let games: Vec<u32> = patterns.iter().map(|(game, _)| 1 << game).collect();
        Codes::tabulate(&automaton, start, &games)
            .ok_or_else(|| refused(&"the patterns have too many states"))
    }

    /// The table of an automaton, each pattern of which is of one of `games`; `None` if it has more
    /// states than are numbered.
    fn tabulate(automaton: &DFA<Vec<u32>>, start: StateID, games: &[u32]) -> Option<Codes> {
        let mut states = vec![StateID::ZERO, start];
        let mut rows: Vec<[u16; 256]> = vec![[DEAD; 256]];
        let mut ends = vec![0];
        while let Some(&state) = states.get(rows.len()) {
            let mut row = [DEAD; 256];
            // most bytes lead where their neighbour leads
            let mut last = (StateID::ZERO, DEAD);
            for (byte, to) in (0..=u8::MAX).zip(&mut row) {
                let next = automaton.next_state(state, byte);
                if next != last.0 && !automaton.is_dead_state(next) {
                    let known = states.iter().skip(1).position(|&state| state == next);
                    let place = u16::try_from(known.map_or(states.len(), |at| at + 1)).ok()?;
                    if known.is_none() {
                        states.push(next);
                    }
                    last = (next, place);
                }
                *to = if next == last.0 { last.1 } else { DEAD };
            }
            rows.push(row);
            // a match is seen one byte late
            let last = automaton.next_eoi_state(state);
            let patterns = if automaton.is_match_state(last) {
                automaton.match_len(last)
            } else {
                0
            };
            let game = |which| games[automaton.match_pattern(last, which).as_usize()];
            ends.push((0..patterns).map(game).fold(0, |all, one| all | one));
        }
        // bytes with the same column are of one class
        let same = |a: usize, b: usize| rows.iter().all(|row| row[a] == row[b]);
        let mut columns: Vec<usize> = Vec::new();
        let mut classes = Vec::with_capacity(256);
        for byte in 0..256 {
            let class = columns.iter().position(|&column| same(column, byte));
            classes.push(class.unwrap_or(columns.len()) as u8);
            if class.is_none() {
                columns.push(byte);
            }
        }
        let next = rows
            .iter()
            .flat_map(|row| columns.iter().map(|&at| row[at]));
        Some(Codes {
            games: games.iter().fold(0, |all, one| all | one),
            classes,
            width: columns.len() as u16,
            next: next.collect(),
            ends,
        })
    }

    /// The games that have a pattern, a bit each.
    pub(crate) fn games(&self) -> u32 {
        self.games
    }

    /// The end of the longest number that begins at byte `at` of a folded text, by a pattern of one
    /// of `games`, and the games that have such a pattern.
    pub(crate) fn find(&self, text: &str, at: usize, games: u32) -> Option<(usize, u32)> {
        let mut state = START;
        let mut longest = None;
        for (end, &byte) in (at + 1..).zip(text.as_bytes().get(at..)?) {
            let class = *self.classes.get(usize::from(byte))?;
            let place = usize::from(state) * usize::from(self.width) + usize::from(class);
            state = self.next.get(place).copied().unwrap_or(DEAD);
            if state == DEAD {
                break;
            }
            match self
                .ends
                .get(usize::from(state))
                .map_or(0, |&ends| ends & games)
            {
                0 => {}
                games => longest = Some((end, games)),
            }
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::bytes::Regex;
    use std::sync::LazyLock;

    const PATTERNS: [(u8, &str); 4] = [
        (0, "(?:op|st)[- ]?[0-9]{2}-[0-9]{3}"),
        (1, "[a-z0-9]{3,4}-(?:en|e)?[0-9]{2,3}"),
        (1, "p-[0-9]{3}"),
        (3, "st[0-9]{1,2}-[0-9]{2}"),
    ];

    static CODES: LazyLock<Codes> = LazyLock::new(|| {
        let patterns = PATTERNS.map(|(game, pattern)| (game, pattern.to_owned()));
        Codes::compile(&patterns).expect("they are regular expressions")
    });

    /// The same patterns, each of a whole text.
    static WHOLE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
        let whole = |(_, pattern)| Regex::new(&format!("^(?-u:{pattern})$")).expect("a pattern");
        PATTERNS.into_iter().map(whole).collect()
    });

    /// The longest match, prefix by prefix.
    fn slowly(text: &str, at: usize, games: u32) -> Option<(usize, u32)> {
        (at + 1..=text.len()).rev().find_map(|end| {
            let part = &text.as_bytes()[at..end];
            let found = PATTERNS
                .iter()
                .zip(WHOLE.iter())
                .filter(|(_, whole)| whole.is_match(part))
                .fold(0, |all, ((game, _), _)| all | 1 << game);
            Some((end, found & games)).filter(|(_, games)| *games != 0)
        })
    }

    #[test]
    fn patterns_that_look_around_are_refused() {
        for pattern in ["op[0-9]$", "^op", r"op\b", "op("] {
            let error = Codes::compile(&[(0, pattern.to_owned())]).expect_err(pattern);
            assert!(error.to_string().contains("correct the pattern"), "{error}");
        }
    }

    #[test]
    fn no_patterns_find_nothing() {
        let codes = Codes::compile(&[]).expect("nothing is wrong with it");
        assert_eq!(codes.find("op01-025", 0, u32::MAX), None);
    }

    proptest! {
        #[test]
        fn longest_code_is_that_of_the_expressions(text in "(?:[opste0-4 -]|en|é){0,14}", at in 0usize..4, games in 0u32..16) {
            prop_assume!(text.is_char_boundary(at));
            prop_assert_eq!(CODES.find(&text, at, games), slowly(&text, at, games));
        }
    }
}
