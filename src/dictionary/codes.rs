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
use std::collections::BTreeMap;
use std::fmt::Display;

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
    /// Compiles patterns.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`] if a pattern is not a regular expression, looks at what stands
    /// around it, or does not fit its example.
    pub(super) fn compile(patterns: &[Pattern]) -> Result<Codes, Error> {
        let Some(last) = patterns.last() else {
            return Ok(Codes::default());
        };
        let (automaton, start) = automaton(patterns)?;
        for (number, pattern) in patterns.iter().enumerate() {
            let bytes = pattern.example.as_bytes();
            let end = bytes
                .iter()
                .fold(start, |state, &byte| automaton.next_state(state, byte));
            let end = automaton.next_eoi_state(end);
            let matches = matches_of(&automaton, end);
            if !matches.into_iter().any(|which| which == number) {
                return Err(pattern.bad("the pattern does not fit its `example`"));
            }
        }
        let games: Vec<u32> = patterns.iter().map(|pattern| 1 << pattern.game).collect();
        Codes::tabulate(&automaton, start, &games)
            .ok_or_else(|| last.bad("the patterns up to it have too many states"))
    }

    /// The table of an automaton, each pattern of which is of one of `games`; `None` if it has more
    /// states than are numbered.
    fn tabulate(automaton: &DFA<Vec<u32>>, start: StateID, games: &[u32]) -> Option<Codes> {
        let mut states = vec![StateID::ZERO, start];
        let mut places = BTreeMap::new();
        places.insert(start, START);
        let mut rows: Vec<[u16; 256]> = vec![[DEAD; 256]];
        let mut ends = vec![0];
        while let Some(&state) = states.get(rows.len()) {
            let mut row = [DEAD; 256];
            // most bytes lead where their neighbour leads
            let mut last = (StateID::ZERO, DEAD);
            for (byte, to) in (0..=u8::MAX).zip(&mut row) {
                let next = automaton.next_state(state, byte);
                if next != last.0 && !automaton.is_dead_state(next) {
                    let new = u16::try_from(states.len()).ok()?;
                    let place = *places.entry(next).or_insert_with(|| {
                        states.push(next);
                        new
                    });
                    last = (next, place);
                }
                *to = if next == last.0 { last.1 } else { DEAD };
            }
            rows.push(row);
            let matches = matches_of(automaton, automaton.next_eoi_state(state));
            let games = matches.into_iter().map(|which| games[which]);
            ends.push(games.fold(0, |all, one| all | one));
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
        let narrow = |row: &[u16; 256]| columns.iter().map(|&at| row[at]).collect();
        let rows: Vec<Vec<u16>> = rows.iter().map(narrow).collect();
        let (next, ends) = merge(&rows, &ends);
        Some(Codes {
            games: games.iter().fold(0, |all, one| all | one),
            classes,
            width: columns.len() as u16,
            next,
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

/// A row of a game's `number_codes.csv`.
pub(super) struct Pattern {
    /// The game's place among those of the dictionary.
    pub(super) game: u8,
    /// The regular expression.
    pub(super) text: String,
    /// A number that it is the pattern of, in small letters.
    pub(super) example: String,
    /// File and line.
    pub(super) place: String,
}

impl Pattern {
    fn bad(&self, what: impl Display) -> Error {
        let place = &self.place;
        Error::new(ErrorKind::Dictionary, format!("{place}: {what}"))
    }

    /// # Errors
    /// If it is not a regular expression, or looks at what stands around it.
    fn check(&self, config: &syntax::Config) -> Result<(), Error> {
        let refused = |what: &dyn Display| self.bad(format!("{what}; correct the pattern"));
        let parsed = syntax::parse_with(&self.text, config).map_err(|error| refused(&error))?;
        if parsed.properties().look_set().is_empty() {
            return Ok(());
        }
        let text = &self.text;
        Err(refused(&format!("`{text}` looks at what stands around it")))
    }
}

/// The automaton of some patterns, and its state before a title's first byte.
fn automaton(patterns: &[Pattern]) -> Result<(DFA<Vec<u32>>, StateID), Error> {
    // without its own `minimize`, which takes most of the time: see `merge`
    let config = Config::new()
        .start_kind(StartKind::Anchored)
        .match_kind(MatchKind::All);
    let syntax = syntax::Config::new().unicode(false).utf8(false);
    patterns
        .iter()
        .try_for_each(|pattern| pattern.check(&syntax))?;
    let refused = |what: &dyn Display| {
        let message = format!("number_codes.csv: {what}; correct the patterns");
        Error::new(ErrorKind::Dictionary, message)
    };
    let texts: Vec<&str> = patterns
        .iter()
        .map(|pattern| pattern.text.as_str())
        .collect();
    let automaton = Builder::new()
        .configure(config)
        .syntax(syntax)
        .build_many(&texts)
        .map_err(|error| refused(&error))?;
    let start = automaton
        .start_state_forward(&Input::new("").anchored(Anchored::Yes))
        .map_err(|error| refused(&error))?;
    Ok((automaton, start))
}

/// The patterns that end where the automaton, which sees a match one byte late, has come to
/// `state`.
fn matches_of(automaton: &DFA<Vec<u32>>, state: StateID) -> Vec<usize> {
    if !automaton.is_match_state(state) {
        return Vec::new();
    }
    let matches = 0..automaton.match_len(state);
    let which = |at| automaton.match_pattern(state, at).as_usize();
    matches.map(which).collect()
}

/// The table without states from which the same is found as from one before: their rows, one
/// behind the other, and their ends.
///
/// All states with the same ends are one at first, and those are parted of which some class of
/// bytes leads to states that are parted, until none is (Moore 1956). `regex-automata` does the
/// same byte by byte, and takes longer than everything else that loads the dictionaries.
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
    fn patterns_that_look_around_are_refused() {
        for pattern in ["op[0-9]$", "^op", r"op\b", "op("] {
            let error = Codes::compile(&[self::pattern((7, pattern, "op1"))]).expect_err(pattern);
            let text = error.to_string();
            assert!(text.contains("7/number_codes.csv:2: "), "{text}");
            assert!(text.contains("correct the pattern"), "{text}");
        }
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
