//! [`Pattern`]: how collector numbers are written, of a game's `number_codes.csv`, and
//! [`Automaton`], which many patterns become.

use crate::error::{Error, ErrorKind};
use crate::sort::sort_few;
use std::collections::BTreeMap;
use std::fmt::Display;

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
    pub(super) fn bad(&self, what: impl Display) -> Error {
        let place = &self.place;
        Error::new(ErrorKind::Dictionary, format!("{place}: {what}"))
    }

    /// That it needs too many states, with those before it.
    pub(super) fn large(&self) -> Error {
        self.bad(format!(
            "the patterns up to it need more than {MOST_STATES} states; correct the pattern"
        ))
    }
}

/// Bytes of which one stands at a place.
type Bytes = Box<[bool; 256]>;

/// What a pattern is made of.
enum Part {
    /// One of these bytes.
    Byte(Bytes),
    /// All of them, one behind the other.
    All(Vec<Part>),
    /// One of them.
    Either(Vec<Part>),
    /// The part so many times: at least, and at most.
    Times(Box<Part>, u8, Option<u8>),
}

/// Groups within groups of a pattern, at most.
const DEEPEST: u8 = 32;

/// States of an automaton, and of its table, at most: of 255 digits there is one each.
pub(super) const MOST_STATES: usize = 1 << 12;

/// A pattern as it is read: what is left of it.
struct Reader<'p> {
    left: &'p [u8],
    depth: u8,
}

impl Reader<'_> {
    /// Whether `byte` comes next, which it then is behind.
    fn passes(&mut self, byte: u8) -> bool {
        let rest = self.left.strip_prefix(&[byte]);
        self.left = rest.unwrap_or(self.left);
        rest.is_some()
    }

    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.left.split_first()?;
        self.left = rest;
        Some(first)
    }

    /// Parts between `|`, up to a closing bracket or the end.
    fn either(&mut self) -> Result<Part, String> {
        let mut parts = Vec::new();
        loop {
            let mut all = Vec::new();
            while !matches!(self.left.first(), None | Some(b'|' | b')')) {
                let part = self.part()?;
                all.push(self.times(part)?);
            }
            parts.push(Part::All(all));
            if !self.passes(b'|') {
                return Ok(Part::Either(parts));
            }
        }
    }

    /// A part without its count.
    fn part(&mut self) -> Result<Part, String> {
        let byte = self.next().unwrap_or_default();
        Ok(match byte {
            b'(' => {
                if self.left.starts_with(b"?") && !self.left.starts_with(b"?:") {
                    return Err("of groups that begin with `(?`, only `(?:` is known".to_owned());
                }
                self.left = self.left.strip_prefix(b"?:").unwrap_or(self.left);
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(format!("more than {DEEPEST} groups lie in each other"));
                }
                let part = self.either()?;
                self.depth -= 1;
                if !self.passes(b')') {
                    return Err("a `(` is not closed".to_owned());
                }
                part
            }
            b'[' => Part::Byte(self.class()?),
            b'\\' => Part::Byte(self.escaped()?),
            b'^' | b'$' => {
                let byte = char::from(byte);
                return Err(format!("`{byte}` looks at what stands around a number"));
            }
            b'*' | b'+' | b'?' | b'{' => {
                let byte = char::from(byte);
                return Err(format!("nothing stands before `{byte}`, or another count"));
            }
            b'.' => Part::Byte(bytes(|byte| byte != b'\n')),
            byte => Part::Byte(bytes(|other| other == byte)),
        })
    }

    /// The part with the count behind it, if there is one.
    fn times(&mut self, part: Part) -> Result<Part, String> {
        let (least, most) = if self.passes(b'?') {
            (0, Some(1))
        } else if self.passes(b'*') {
            (0, None)
        } else if self.passes(b'+') {
            (1, None)
        } else if self.passes(b'{') {
            let least = self.number()?;
            let most = match (self.passes(b','), self.left.first()) {
                (false, _) => Some(least),
                (true, Some(b'}')) => None,
                (true, _) => Some(self.number()?),
            };
            if !self.passes(b'}') || most.is_some_and(|most| most < least) {
                return Err("a count is `{2}`, `{2,}` or `{2,3}`".to_owned());
            }
            (least, most)
        } else {
            return Ok(part);
        };
        Ok(Part::Times(Box::new(part), least, most))
    }

    fn number(&mut self) -> Result<u8, String> {
        let digits = self.left.iter().take_while(|byte| byte.is_ascii_digit());
        let (digits, rest) = self.left.split_at(digits.count());
        self.left = rest;
        let number = std::str::from_utf8(digits).ok().map(str::parse);
        number
            .and_then(Result::ok)
            .ok_or_else(|| format!("a count is a number up to {}", u8::MAX))
    }

    /// What stands behind `\`.
    fn escaped(&mut self) -> Result<Bytes, String> {
        match self.next() {
            Some(b'd') => Ok(bytes(|byte| byte.is_ascii_digit())),
            Some(sign) if sign.is_ascii_punctuation() => Ok(bytes(|byte| byte == sign)),
            _ => Err("behind `\\` only `d` and signs are known".to_owned()),
        }
    }

    /// The bytes of a class, behind its `[`.
    fn class(&mut self) -> Result<Bytes, String> {
        let others = self.passes(b'^');
        let mut any = bytes(|_| false);
        let mut first = true;
        while first || !self.passes(b']') {
            first = false;
            match self.next() {
                Some(b'\\') => {
                    let more = self.escaped()?;
                    any.iter_mut().zip(*more).for_each(|(any, one)| *any |= one);
                }
                None | Some(b'[' | b']' | b'&' | b'~' | 0x80..) => {
                    return Err("a class of bytes is as `[a-z0-9]`, in ASCII".to_owned());
                }
                Some(from) => {
                    let to = match self.left {
                        [b'-', to, ..] if *to != b']' => {
                            self.left = &self.left[2..];
                            *to
                        }
                        _ => from,
                    };
                    if to < from || !to.is_ascii() || matches!(to, b'[' | b'\\') {
                        return Err("a range is from one letter or digit to another".to_owned());
                    }
                    any[usize::from(from)..=usize::from(to)].fill(true);
                }
            }
        }
        any.iter_mut().for_each(|any| *any ^= others);
        Ok(any)
    }
}

fn bytes(which: impl Fn(u8) -> bool) -> Bytes {
    Box::new(std::array::from_fn(|byte| which(byte as u8)))
}

/// A state of an [`Automaton`].
enum State {
    /// One of the bytes leads to the next state.
    Byte(Bytes, u16),
    /// It is all of these at once.
    Either(Vec<u16>),
    /// A number ends that is of this pattern.
    End(u16),
}

/// All patterns at once. It may be in several states: see [`Automaton::start`].
#[derive(Default)]
pub(super) struct Automaton {
    states: Vec<State>,
    starts: Vec<u16>,
    /// Parts that were added.
    added: usize,
}

impl Automaton {
    /// The automaton of some patterns.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`] if a pattern is not a regular expression as
    /// `dictionaries/README.md` has them, or needs too many states.
    pub(super) fn of(patterns: &[Pattern]) -> Result<Automaton, Error> {
        let mut automaton = Automaton::default();
        for (number, pattern) in (0..).zip(patterns) {
            let refused = |what| pattern.bad(format!("{what}; correct the pattern"));
            let mut reader = Reader {
                left: pattern.text.as_bytes(),
                depth: 0,
            };
            let part = reader.either().map_err(refused)?;
            if !reader.left.is_empty() {
                return Err(refused("a `)` closes nothing".to_owned()));
            }
            let end = automaton.push(State::End(number));
            let start = end.and_then(|end| automaton.add(&part, end));
            automaton.starts.push(start.ok_or_else(|| pattern.large())?);
        }
        Ok(automaton)
    }

    /// Adds a state; `None` if there are too many.
    fn push(&mut self, state: State) -> Option<u16> {
        let place = self.states.len();
        self.states.push(state);
        u16::try_from(place).ok().filter(|_| place < MOST_STATES)
    }

    /// Adds the states of a part, and returns the first of them, or what is behind it where it
    /// needs none. What leads to `next` behind the part is added last.
    fn add(&mut self, part: &Part, next: u16) -> Option<u16> {
        self.added += 1;
        if self.added > MOST_STATES {
            return None;
        }
        match part {
            Part::Byte(bytes) => self.push(State::Byte(bytes.clone(), next)),
            Part::All(parts) => parts
                .iter()
                .rev()
                .try_fold(next, |next, part| self.add(part, next)),
            Part::Either(parts) => {
                let firsts: Option<_> = parts.iter().map(|part| self.add(part, next)).collect();
                self.push(State::Either(firsts?))
            }
            Part::Times(part, least, most) => {
                let mut first = next;
                match most {
                    Some(most) => {
                        for _ in *least..*most {
                            let one = self.add(part, first)?;
                            first = self.push(State::Either(vec![one, next]))?;
                        }
                    }
                    None => {
                        first = self.push(State::Either(vec![next]))?;
                        let one = self.add(part, first)?;
                        self.states[usize::from(first)] = State::Either(vec![one, next]);
                    }
                }
                (0..*least).try_fold(first, |next, _| self.add(part, next))
            }
        }
    }

    /// For each byte its class: bytes of one class lead from each state to the same. Then a byte of
    /// each class.
    pub(super) fn classes(&self) -> (Vec<u8>, Vec<u8>) {
        let mut known = BTreeMap::new();
        let mut firsts = Vec::new();
        let class = |byte: u8| {
            let leads = self.states.iter().map(|state| match state {
                State::Byte(bytes, _) => bytes[usize::from(byte)],
                _ => false,
            });
            *known
                .entry(leads.collect::<Vec<bool>>())
                .or_insert_with(|| {
                    firsts.push(byte);
                    // there are as many at most as there are bytes
                    (firsts.len() - 1) as u8
                })
        };
        ((0..=u8::MAX).map(class).collect(), firsts)
    }

    /// The states, in order, in which it is before a number.
    pub(super) fn start(&self) -> Vec<u16> {
        self.reached(self.starts.clone())
    }

    /// The states, in order, in which it is after a byte.
    pub(super) fn step(&self, states: &[u16], byte: u8) -> Vec<u16> {
        let next = states.iter().filter_map(|&state| match self.state(state) {
            State::Byte(bytes, next) if bytes[usize::from(byte)] => Some(*next),
            _ => None,
        });
        self.reached(next.collect())
    }

    /// The patterns of which a number ends in one of these states.
    pub(super) fn ends<'s>(&'s self, states: &'s [u16]) -> impl Iterator<Item = usize> + 's {
        states.iter().filter_map(|&state| match self.state(state) {
            State::End(pattern) => Some(usize::from(*pattern)),
            _ => None,
        })
    }

    fn state(&self, place: u16) -> &State {
        // all places are of states that were pushed
        &self.states[usize::from(place)]
    }

    /// These states, and those that they are at once, but no [`State::Either`] itself.
    fn reached(&self, mut open: Vec<u16>) -> Vec<u16> {
        let mut reached = Vec::new();
        let mut seen = vec![false; self.states.len()];
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut seen[usize::from(state)], true) {
                continue;
            }
            match self.state(state) {
                State::Either(all) => open.extend(all),
                _ => reached.push(state),
            }
        }
        sort_few(&mut reached, |a, b| a < b);
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::bytes::RegexBuilder;

    fn compiled(text: &str) -> Result<Automaton, Error> {
        Automaton::of(&[Pattern {
            game: 0,
            text: text.to_owned(),
            example: String::new(),
            place: "number_codes.csv:2".to_owned(),
        }])
    }

    fn is_whole(automaton: &Automaton, text: &str) -> bool {
        let end = text
            .bytes()
            .fold(automaton.start(), |at, byte| automaton.step(&at, byte));
        automaton.ends(&end).count() == 1
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for (pattern, what) in [
            ("op[0-9]$", "`$` looks at what stands around"),
            ("^op", "`^` looks at what stands around"),
            (r"op\b", "behind `\\`"),
            (r"op\", "behind `\\`"),
            ("op(", "a `(` is not closed"),
            ("op)", "a `)` closes nothing"),
            ("(?i:op)", "only `(?:` is known"),
            ("op[", "a class"),
            ("op[]", "a class"),
            ("op[é]", "a class"),
            ("op[9-0]", "a range"),
            ("op[a-é]", "a range"),
            ("+", "nothing stands before `+`"),
            ("a|?", "nothing stands before `?`"),
            ("op{2}{3}", "nothing stands before `{`"),
            ("op[0-9]{3,2}", "a count is"),
            ("op[0-9]{2", "a count is"),
            ("op[0-9]{}", "a count is a number up to 255"),
            ("op[0-9]{,2}", "a count is a number up to 255"),
            ("op[0-9]{256}", "a count is a number up to 255"),
            ("(?:(?:[0-9]{255}){255}){255}", "more than 4096 states"),
            ("(?:(?:(?:){255}){255}){255}", "more than 4096 states"),
            (&"(".repeat(100_000), "groups lie in each other"),
        ] {
            let error = compiled(pattern).err().expect(pattern).to_string();
            assert!(error.contains("number_codes.csv:2: "), "{error}");
            assert!(error.contains(what), "{error}");
            assert!(error.contains("correct the pattern"), "{error}");
        }
    }

    /// Any pattern of what is known.
    fn pattern() -> impl Strategy<Value = String> {
        let one = prop::sample::select(vec![
            "a", "b1", "é", ".", "-", r"\-", r"\d", "[ab]", "[a-c1]", "[^a]", "[- ]", r"[\d\]]",
        ]);
        one.prop_map(str::to_owned)
            .prop_recursive(4, 12, 3, |inner| {
                let count = prop::sample::select(vec!["?", "*", "+", "{2}", "{1,}", "{0,2}"]);
                prop_oneof![
                    prop::collection::vec(inner.clone(), 2..4).prop_map(|all| all.concat()),
                    prop::collection::vec(inner.clone(), 1..3)
                        .prop_map(|any| format!("(?:{})", any.join("|"))),
                    inner.clone().prop_map(|part| format!("({part}|)")),
                    (inner, count).prop_map(|(part, count)| format!("(?:{part}){count}")),
                ]
            })
    }

    proptest! {
        #[test]
        fn pattern_is_of_what_its_expression_is_of(pattern in pattern(), texts in prop::collection::vec("[abc1é -]{0,6}", 16)) {
            let automaton = compiled(&pattern).expect("it is of what is known");
            let whole = format!("^(?:{pattern})$");
            let regex = RegexBuilder::new(&whole).unicode(false).build().expect("a regular expression");
            for text in texts {
                prop_assert_eq!(is_whole(&automaton, &text), regex.is_match(text.as_bytes()), "{}", text);
            }
        }

        #[test]
        fn any_text_is_a_pattern_or_refused(text in r"[ab19(){}\[\]?*+|.,^\\-]{0,20}|\PC{0,20}") {
            let _ = compiled(&text);
        }
    }
}
