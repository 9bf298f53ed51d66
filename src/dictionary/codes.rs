//! [`Codes`]: collector numbers that begin with the code of a set, as the games' patterns have them.

use super::pattern::{Automaton, MOST_STATES, Pattern};
use crate::error::Error;
#[cfg(feature = "compiled")]
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The patterns of the games' `number_codes.csv` as one automaton, which a title is given from each
/// place where a number may begin.
///
/// A step is one look-up in a table: most words of a title lead nowhere after some bytes.
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
    /// Compiles patterns.
    ///
    /// # Errors
    /// [`crate::error::ErrorKind::Dictionary`] if a pattern is not a regular expression, looks at
    /// what stands around it, or does not fit its example.
    pub(super) fn compile(patterns: &[Pattern]) -> Result<Codes, Error> {
        let Some(last) = patterns.last() else {
            return Ok(Codes::default());
        };
        let automaton = Automaton::of(patterns)?;
        for (number, pattern) in patterns.iter().enumerate() {
            let bytes = pattern.example.bytes();
            let end = bytes.fold(automaton.start(), |at, byte| automaton.step(&at, byte));
            if !automaton.ends(&end).any(|which| which == number) {
                return Err(pattern.bad("the pattern does not fit its `example`"));
            }
        }
        let games: Vec<u32> = patterns.iter().map(|pattern| 1 << pattern.game).collect();
        Codes::tabulate(&automaton, &games).ok_or_else(|| last.large())
    }

    /// The table of an automaton, each pattern of which is of one of `games`; `None` if it has more
    /// than [`MOST_STATES`].
    fn tabulate(automaton: &Automaton, games: &[u32]) -> Option<Codes> {
        let (classes, bytes) = automaton.classes();
        // each state of the table is some of the automaton's; of none of them nothing is left
        let mut states = vec![Vec::new(), automaton.start()];
        let mut places = BTreeMap::new();
        places.insert(Vec::new(), DEAD);
        places.insert(automaton.start(), START);
        let mut rows: Vec<Vec<u16>> = Vec::new();
        while let Some(state) = states.get(rows.len()).cloned() {
            if states.len() > MOST_STATES {
                return None;
            }
            let mut row = Vec::with_capacity(bytes.len());
            for &byte in &bytes {
                let next = automaton.step(&state, byte);
                let new = states.len() as u16;
                row.push(*places.entry(next).or_insert_with_key(|next| {
                    states.push(next.clone());
                    new
                }));
            }
            rows.push(row);
        }
        let ends = states.iter().map(|state| {
            let games = automaton.ends(state).map(|which| games[which]);
            games.fold(0, |all, one| all | one)
        });
        let (next, ends) = merge(&rows, &ends.collect::<Vec<u32>>());
        Some(Codes {
            games: games.iter().fold(0, |all, one| all | one),
            classes,
            width: bytes.len() as u16,
            next,
            ends,
        })
    }

    /// The games that have a pattern, a bit each.
    pub(crate) fn games(&self) -> u32 {
        self.games
    }

    /// Whether `text`, in small letters, is a number by a pattern of one of `games`.
    #[cfg(feature = "build")]
    pub(crate) fn fit(&self, text: &str, games: u32) -> bool {
        let found = self.find(text, 0, games);
        found.is_some_and(|(end, _)| end == text.len())
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

/// The table without states from which the same is found as from one before: their rows, one
/// behind the other, and their ends.
///
/// All states with the same ends are one at first, and those are parted of which some class of
/// bytes leads to states that are parted, until none is (Moore 1956).
fn merge(rows: &[Vec<u16>], ends: &[u32]) -> (Vec<u16>, Vec<u32>) {
    let mut groups: Vec<u16> = vec![0; rows.len()];
    let mut count = 0;
    loop {
        let mut known: BTreeMap<(u32, u16, Vec<u16>), u16> = BTreeMap::new();
        let mut firsts = Vec::new();
        let mut parted = Vec::with_capacity(rows.len());
        for (state, row) in rows.iter().enumerate() {
            let leads = row.iter().map(|&next| groups[usize::from(next)]);
            let key = (ends[state], groups[state], leads.collect());
            let new = known.len() as u16;
            parted.push(*known.entry(key).or_insert_with(|| {
                firsts.push(state);
                new
            }));
        }
        groups = parted;
        if known.len() == count {
            let next = firsts.iter().flat_map(|&first| &rows[first]);
            let next = next.map(|&next| groups[usize::from(next)]).collect();
            return (next, firsts.iter().map(|&first| ends[first]).collect());
        }
        count = known.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::bytes::Regex;
    use std::sync::LazyLock;

    const PATTERNS: [(u8, &str, &str); 4] = [
        (0, "(?:op|st)[- ]?[0-9]{2}-[0-9]{3}", "op01-025"),
        (1, "[a-z0-9]{3,4}-(?:en|e)?[0-9]{2,3}", "lob-en001"),
        (1, "p-[0-9]{3}", "p-001"),
        (3, "st[0-9]{1,2}-[0-9]{2}", "st1-01"),
    ];

    fn pattern((game, text, example): (u8, &str, &str)) -> Pattern {
        Pattern {
            game,
            text: text.to_owned(),
            example: example.to_owned(),
            place: format!("{game}/number_codes.csv:2"),
        }
    }

    static CODES: LazyLock<Codes> = LazyLock::new(|| {
        Codes::compile(&PATTERNS.map(pattern)).expect("they are regular expressions")
    });

    /// The same patterns, each of a whole text.
    static WHOLE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
        let whole = |(_, pattern, _)| Regex::new(&format!("^(?-u:{pattern})$")).expect("a pattern");
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
                .fold(0, |all, ((game, ..), _)| all | 1 << game);
            Some((end, found & games)).filter(|(_, games)| *games != 0)
        })
    }

    #[test]
    fn states_from_which_the_same_is_found_are_one() {
        // `ab`, `cb` and `d`: from `a` and `c` the same is found
        let rows = [[0, 0, 0], [2, 3, 4], [0, 4, 0], [0, 4, 0], [0, 0, 0]];
        let (next, ends) = merge(&rows.map(Vec::from), &[0, 0, 0, 0, 1]);
        assert_eq!(next, [0, 0, 0, 2, 2, 3, 0, 3, 0, 0, 0, 0]);
        assert_eq!(ends, [0, 0, 0, 1]);
    }

    #[test]
    fn example_is_held_against_its_own_pattern() {
        let mut patterns = PATTERNS.map(pattern);
        // the number of another pattern of the game
        patterns[2].example = "lob-en001".to_owned();
        let error = Codes::compile(&patterns).expect_err("`p-[0-9]{3}` is not its pattern");
        assert!(
            error
                .to_string()
                .contains("1/number_codes.csv:2: the pattern"),
            "{error}"
        );
    }

    #[test]
    fn table_that_would_be_large_is_refused() {
        let mut patterns = PATTERNS.map(pattern);
        // after each `a`, which of the last twenty were `a` is a state
        patterns[3].text = "[ab]*a[ab]{20}".to_owned();
        patterns[3].example = "a".repeat(21);
        let error = Codes::compile(&patterns)
            .err()
            .map(|error| error.to_string());
        let error = error.expect("a million states are refused");
        assert!(error.contains("3/number_codes.csv:2: "), "{error}");
        assert!(error.contains("more than 4096 states"), "{error}");
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
