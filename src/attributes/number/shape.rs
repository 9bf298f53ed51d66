//! The shapes of collector numbers, found in one pass over the bytes of the folded title.
//!
//! They are those of this pattern, whose alternatives are tried in order at each place from the
//! left, as regular expressions do; a test compares the two on arbitrary text. Every run of letters
//! or digits and every mark below is taken whole or not at all, so nothing is backtracked: the cost
//! of a number is proportional to its bytes.
//!
//! ```text
//!   (?:#\ ?)?((?:N[-\ #]?)?D[a-z]?)\ ?/\ ?(T)  N [a-z]{1,5}  D [0-9]{1,4}
//! | #\ ?((?:N-?)?D[a-z]?)                     T [a-z]{1,4}[0-9]{0,2}[a-z]?-p | N?-?D | [a-z]{1,4}p | play | [ptj]
//! | W?([0-9]{1,3})\ +(?:OF)\ +([0-9]{2,3})              OF the words of `of_total` in word_lists.csv
//! | ([0-9]{2,3})-([0-9]{2,3})
//! | W(D)                                      W n(?:(?:o|r|um|umber)\ ?[.:]?|\.)\ ?
//! | ([a-z]{1,5}[-\ #]?D[a-z]?)
//! | [(\[]\ ?/\ ?([0-9]{2,3})\ ?[)\]]
//! | ([a-z!?])\ ?/\ ?([0-9]{2,3})
//! ```

use crate::word_lists::OF_TOTAL;

/// Start and end, in bytes.
pub(super) type Range = (usize, usize);

/// A shape, with the places of its number and total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `4/102`, `# TG12 / TG30`, `098/SV-P`: with the letters before the number, whatever they are.
    Fraction { number: Range, total: Range },
    /// `#4`.
    Hash { number: Range },
    /// `4 of 102`, `number 4 out of 102`.
    Of { number: Range, total: Range },
    /// `016-100`.
    Dashed { number: Range, total: Range },
    /// `No.006`.
    Subject { number: Range },
    /// `SWSH020`, `xy 9`.
    Prefixed { number: Range },
    /// `(/187)`.
    Total { total: Range },
    /// `A/28`, `!/28`: the Unown of one set.
    Letter { number: Range, total: Range },
}

/// The letters and digits of one run of each at most.
const LETTERS: usize = 5;
const DIGITS: usize = 4;

/// A shape begins at most this many bytes before its first digit.
const BEFORE: usize = 9;

/// Bytes with a place.
#[derive(Clone, Copy)]
struct Text<'t>(&'t [u8]);

impl Text<'_> {
    fn is(self, at: usize, byte: u8) -> bool {
        self.0.get(at) == Some(&byte)
    }

    fn is_digit(self, at: usize) -> bool {
        self.0.get(at).is_some_and(u8::is_ascii_digit)
    }

    /// The place after one of `bytes`, or `at` itself.
    fn skip(self, at: usize, bytes: &[u8]) -> usize {
        at + usize::from(self.0.get(at).is_some_and(|byte| bytes.contains(byte)))
    }

    fn run(self, at: usize, most: usize, is: fn(&u8) -> bool) -> usize {
        self.0
            .get(at..)
            .unwrap_or(&[])
            .iter()
            .take(most)
            .take_while(|byte| is(byte))
            .count()
    }

    /// Letters from `at`, counted to one more than a number has.
    fn letters(self, at: usize) -> usize {
        self.run(at, LETTERS + 1, u8::is_ascii_lowercase)
    }

    /// Digits from `at`, counted to `most`.
    fn digits(self, at: usize, most: usize) -> usize {
        self.run(at, most, u8::is_ascii_digit)
    }

    /// The end of one to four digits at `at`.
    fn some_digits(self, at: usize) -> Option<usize> {
        Some(at + self.digits(at, DIGITS)).filter(|end| *end > at)
    }

    /// The end of a number from `at`: letters and one of `between`, digits, a letter.
    fn number(self, at: usize, between: &[u8]) -> Option<usize> {
        let letters = self.letters(at);
        if letters > LETTERS {
            return None;
        }
        let digits = match letters {
            0 => at,
            _ => self.skip(at + letters, between),
        };
        let end = self.some_digits(digits)?;
        Some(end + self.run(end, 1, u8::is_ascii_lowercase))
    }

    /// The place after the slash at `at` and the spaces around it.
    fn slash(self, at: usize) -> Option<usize> {
        let slash = self.skip(at, b" ");
        self.is(slash, b'/').then(|| self.skip(slash + 1, b" "))
    }

    /// The end of a total from `at`.
    fn total(self, at: usize) -> Option<usize> {
        let letters = self.letters(at);
        let dash = |end: usize| {
            let spaced =
                self.is(end, b' ') && !self.0.get(end + 2).is_some_and(u8::is_ascii_alphanumeric);
            self.is(end, b'-') || spaced
        };
        let promo = |end: usize| (dash(end) && self.is(end + 1, b'p')).then_some(end + 2);
        // `SV-P`, `BW-P`, `M1L-P`, `SV P`
        if (1..=LETTERS).contains(&letters) {
            let digits = self.digits(at + letters, 3);
            let end = at + letters + digits;
            let found = if digits == 0 {
                promo(end)
            } else if letters < LETTERS && digits < 3 {
                promo(end + self.run(end, 1, u8::is_ascii_lowercase))
            } else {
                None
            };
            if found.is_some() {
                return found;
            }
        }
        // `102`, `TG30`
        if letters <= LETTERS
            && let Some(end) = self.some_digits(self.skip(at + letters, b"-"))
        {
            return Some(end);
        }
        // `SVP`: the last `p` of the first five letters, but for the first of them
        if let Some(p) = (1..LETTERS.min(letters))
            .rev()
            .find(|&p| self.is(at + p, b'p'))
        {
            return Some(at + p + 1);
        }
        if self
            .0
            .get(at..)
            .is_some_and(|rest| rest.starts_with(b"play"))
        {
            return Some(at + 4);
        }
        matches!(self.0.get(at), Some(b'p' | b't' | b'j')).then_some(at + 1)
    }

    fn fraction(self, at: usize) -> Option<(Shape, usize)> {
        let number = if self.is(at, b'#') {
            self.skip(at + 1, b" ")
        } else {
            at
        };
        self.fraction_of((number, self.number(number, b"- #")?))
    }

    /// The fraction that begins with a number.
    fn fraction_of(self, number: Range) -> Option<(Shape, usize)> {
        // a fifth digit makes it no number
        let total = self.slash(number.1)?;
        let end = self.total(total)?;
        Some((
            Shape::Fraction {
                number,
                total: (total, end),
            },
            end,
        ))
    }

    /// The place behind ` of ` at `at`.
    fn of_word(self, at: usize) -> Option<usize> {
        let spaces = |at: usize| {
            Some(at + self.run(at, usize::MAX, |byte| *byte == b' ')).filter(|end| *end > at)
        };
        let word = spaces(at)?;
        let rest = &self.0[word..];
        OF_TOTAL
            .iter()
            .filter(|word| rest.starts_with(word.as_bytes()))
            .find_map(|found| spaces(word + found.len()))
    }

    fn of(self, at: usize) -> Option<(Shape, usize)> {
        let number_end = at + self.digits(at, 3);
        let total = self.of_word(number_end)?;
        let end = total + self.digits(total, 3);
        (end > total + 1).then_some((
            Shape::Of {
                number: (at, number_end),
                total: (total, end),
            },
            end,
        ))
    }

    /// Two numbers of two or three digits with a dash between them.
    fn dashed(self, at: usize) -> Option<(Shape, usize)> {
        let number = at + self.digits(at, 3);
        let total = number + 1;
        let end = total + self.digits(total, 3);
        let found = number > at + 1 && self.is(number, b'-') && end > total + 1;
        found.then_some((
            Shape::Dashed {
                number: (at, number),
                total: (total, end),
            },
            end,
        ))
    }

    fn subject(self, at: usize) -> Option<(Shape, usize)> {
        if !self.is(at, b'n') {
            return None;
        }
        let rest = self.0.get(at + 1..)?;
        let words: [&[u8]; 5] = [b"o", b"r", b"um", b"umber", b"."];
        words
            .iter()
            .filter(|word| rest.starts_with(word))
            .find_map(|word| {
                let mut number = at + 1 + word.len();
                if *word != b"." {
                    number = self.skip(self.skip(number, b" "), b".:");
                }
                let number = self.skip(number, b" ");
                let end = self.some_digits(number)?;
                let subject = Shape::Subject {
                    number: (number, end),
                };
                self.of(number).or(Some((subject, end)))
            })
    }

    fn total_alone(self, at: usize) -> Option<(Shape, usize)> {
        let total = self.slash(at + 1)?;
        let end = total + self.digits(total, 3);
        let close = self.skip(end, b" ");
        (end > total + 1 && matches!(self.0.get(close), Some(b')' | b']'))).then_some((
            Shape::Total {
                total: (total, end),
            },
            close + 1,
        ))
    }

    fn letter(self, at: usize) -> Option<(Shape, usize)> {
        let total = self.slash(at + 1)?;
        let end = total + self.digits(total, 3);
        (end > total + 1).then_some((
            Shape::Letter {
                number: (at, at + 1),
                total: (total, end),
            },
            end,
        ))
    }
}

/// The first shape from byte `from` of the folded text on: with its first byte, and one past its
/// last.
pub(super) fn find(text: &str, from: usize) -> Option<(Shape, usize, usize)> {
    let bytes = Text(text.as_bytes());
    let mut at = from;
    let mut digit = from;
    while let Some(&byte) = bytes.0.get(at) {
        // every shape has a digit, and begins no further before the first one than `number . 5`
        // does
        if at > digit || at == from {
            digit = at + bytes.0[at..].iter().position(u8::is_ascii_digit)?;
        }
        if at + BEFORE < digit {
            at = digit - BEFORE;
            continue;
        }
        let found = match byte {
            b'a'..=b'z' => {
                let end = at + bytes.run(at, usize::MAX, u8::is_ascii_lowercase);
                // where a number begins in the word: no more letters stand before its digits
                let numbered = bytes.is_digit(bytes.skip(end, b"- #"));
                let first = if numbered {
                    at.max(end.saturating_sub(LETTERS))
                } else {
                    // no number does; a letter with a total is the last one
                    end - 1
                };
                // before it only `no.`, `nr.` and `n.` begin
                let begin = bytes.0[at..first].iter().position(|byte| *byte == b'n');
                let begin = begin.map_or(first, |n| at + n);
                if begin > at {
                    at = begin;
                    continue;
                }
                let number = if numbered && at >= first {
                    bytes.number(at, b"- #")
                } else {
                    None
                };
                number
                    .and_then(|end| bytes.fraction_of((at, end)))
                    .or_else(|| bytes.subject(at))
                    .or(number.map(|end| (Shape::Prefixed { number: (at, end) }, end)))
                    .or_else(|| bytes.letter(at))
            }
            b'0'..=b'9' => {
                let end = at + bytes.run(at, usize::MAX, u8::is_ascii_digit);
                let letter = bytes.run(end, 1, u8::is_ascii_lowercase);
                let made = bytes.slash(end + letter).is_some()
                    || bytes.of_word(end).is_some()
                    || bytes.is(end, b'-') && bytes.is_digit(end + 1);
                // what stands behind the digits makes a number of the last few, or of none
                let first = if made {
                    end.saturating_sub(DIGITS).max(at)
                } else {
                    end
                };
                if first > at {
                    at = first;
                    continue;
                }
                bytes
                    .fraction(at)
                    .or_else(|| bytes.of(at))
                    .or_else(|| bytes.dashed(at))
            }
            b'#' => bytes.fraction(at).or_else(|| {
                let number = bytes.skip(at + 1, b" ");
                let end = bytes.number(number, b"-")?;
                Some((
                    Shape::Hash {
                        number: (number, end),
                    },
                    end,
                ))
            }),
            b'(' | b'[' => bytes.total_alone(at),
            b'!' | b'?' => bytes.letter(at),
            _ => None,
        };
        if let Some((shape, end)) = found {
            return Some((shape, at, end));
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;
    use std::sync::LazyLock;

    /// The pattern that the shapes are of.
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?x)
            (?:\#\ ?)?((?:[a-z]{1,5}[-\ \#]?)?[0-9]{1,4}[a-z]?)\ ?/\ ?([a-z]{1,4}[0-9]{0,2}[a-z]?-p|[a-z]{0,5}-?[0-9]{1,4}|[a-z]{1,4}p|play|[ptj])
            | \#\ ?((?:[a-z]{1,5}-?)?[0-9]{1,4}[a-z]?)
            | (?:n(?:(?:o|r|um|umber)\ ?[.:]?|\.)\ ?)?([0-9]{1,3})\ +(?:OF)\ +([0-9]{2,3})
            | ([0-9]{2,3})-([0-9]{2,3})
            | n(?:(?:o|r|um|umber)\ ?[.:]?|\.)\ ?([0-9]{1,4})
            | ([a-z]{1,5}[-\ \#]?[0-9]{1,4}[a-z]?)
            | [(\[]\ ?/\ ?([0-9]{2,3})\ ?[)\]]
            | ([a-z!?])\ ?/\ ?([0-9]{2,3})
            ";
        let of = OF_TOTAL.join("|").replace(' ', r"\ ");
        Regex::new(&pattern.replace("OF", &of)).expect("the pattern is constant")
    });

    fn by_pattern(text: &str, from: usize) -> Option<(Shape, usize, usize)> {
        let found = PATTERN.captures_at(text, from)?;
        let group = |at: usize| found.get(at).map(|group| (group.start(), group.end()));
        let whole = found.get(0)?;
        let shape = match (1..=12).map(group).collect::<Vec<_>>()[..] {
            [Some(number), Some(total), ..] => Shape::Fraction { number, total },
            [_, _, Some(number), ..] => Shape::Hash { number },
            [_, _, _, Some(number), Some(total), ..] => Shape::Of { number, total },
            [_, _, _, _, _, Some(number), Some(total), ..] => Shape::Dashed { number, total },
            [_, _, _, _, _, _, _, Some(number), ..] => Shape::Subject { number },
            [_, _, _, _, _, _, _, _, Some(number), ..] => Shape::Prefixed { number },
            [_, _, _, _, _, _, _, _, _, Some(total), ..] => Shape::Total { total },
            [.., Some(number), Some(total)] => Shape::Letter { number, total },
            _ => return None,
        };
        Some((shape, whole.start(), whole.end()))
    }

    fn check(text: &str) -> Result<(), TestCaseError> {
        for from in (0..=text.len()).filter(|&from| text.is_char_boundary(from)) {
            prop_assert_eq!(
                find(text, from),
                by_pattern(text, from),
                "{:?} from {}",
                text,
                from
            );
        }
        Ok(())
    }

    #[test]
    fn shapes_of_real_titles_are_found() {
        for text in [
            "charizard 4/102 holo",
            "tg12/tg30",
            "098/sv-p",
            "m1l-p 12/m1l-p",
            "abcde-p 1/abcde-p",
            "#4",
            "# swsh020",
            "4 of 102",
            "4  out of  102",
            "42 su 181",
            "4 de 102",
            "016-100",
            "2016-100",
            "016-1000",
            "no.006",
            "nr 23/102",
            "number: 5",
            "num5",
            "(/187)",
            "[ / 187 ]",
            "a/28",
            "?/28",
            "12345/102",
            "4/12345",
            "1/svp",
            "1/play",
            "1/t",
            "1/pppppp",
            "unown n/28",
            "casino 5",
            "no#4/102",
            "#sv#193/165",
            "piano no 12",
            "holo4/102",
            "1/ab12c-p",
            "1/ab123-p",
            "1/abcde1-p",
        ] {
            check(text).expect("as the pattern has it");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn scanner_equals_the_pattern(text in "([a-z]{0,7}|[0-9]{0,5}|[-/#() .:!?]|no|nr|umber|of|von|sur|su|de|van|out of|-p|play|é|[pntj]){0,12}") {
            check(&text)?;
        }

        #[test]
        fn scanner_equals_the_pattern_on_any_text(text in "\\PC{0,40}") {
            check(&text)?;
        }
    }
}
