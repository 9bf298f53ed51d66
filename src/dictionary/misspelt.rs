//! Misspelt words of the dictionary: `Borderles`, `Ulitmate Rare`, `frist edition`.

use crate::sort::sort_by;
use crate::token::{Class, Token};

/// Whether `a` becomes `b` by replacing, inserting, deleting or swapping one byte.
pub(crate) fn one_slip(a: &[u8], b: &[u8]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let same = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    match long.len() - short.len() {
        0 if same == long.len() => false,
        0 if short[same + 1..] == long[same + 1..] => true,
        0 => {
            let swapped = short.get(same + 1) == Some(&long[same])
                && long.get(same + 1) == Some(&short[same]);
            swapped && short[same + 2..] == long[same + 2..]
        }
        1 => short[same..] == long[same + 1..],
        _ => false,
    }
}

/// Words of at least so many letters are told from a slip of them, and those for a language.
pub(super) const SHORTEST: usize = 7;
pub(super) const SHORTEST_LANGUAGE: usize = 6;
/// A word without a meaning of fewer letters is no slip.
const SHORTEST_TOKEN: usize = 5;
/// Words before the one without a meaning that one alias may have, and words behind it: `Quarter
/// Centry Secret Rare`.
const BEFORE: usize = 2;
const BEHIND: usize = 3;

/// Only so many tokens of a title are looked at: those with a bit of their own below the last.
pub(crate) const MOST_TOKENS: usize = 63;

/// Letters that a word may begin with.
const LETTERS: usize = 26;

/// Words that may be misspelt, by their first letters, which hardly ever are, and by their lengths.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    letters: Vec<u8>,
    words: Vec<Word>,
    /// Where the words begin that have each first letter, and where the last ones end.
    first: [u32; LETTERS + 1],
}

/// A word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Word {
    first: u8,
    length: u8,
    second: u8,
    last: u8,
    /// Where its letters begin.
    at: u32,
    /// Its number among the aliases of the dictionary.
    alias: u32,
}

impl Vocabulary {
    /// Adds a word of Latin letters; others, and those that are short of `shortest`, are passed over.
    pub(crate) fn add(&mut self, (key, shortest): (&[u8], usize), alias: u32) {
        let (Ok(length), [first, second, .., last]) = (u8::try_from(key.len()), key) else {
            return;
        };
        if key.len() >= shortest && key.iter().all(u8::is_ascii_lowercase) {
            self.words.push(Word {
                first: *first,
                length,
                second: *second,
                last: *last,
                at: self.letters.len() as u32,
                alias,
            });
            self.letters.extend_from_slice(key);
        }
    }

    /// Puts the words in order.
    pub(crate) fn finish(&mut self) {
        sort_by(&mut self.words, Word::cmp);
        for (letter, begin) in (b'a'..).zip(&mut self.first) {
            *begin = self.words.partition_point(|word| word.first < letter) as u32;
        }
    }

    /// The words with this first letter.
    fn of(&self, letter: u8) -> &[Word] {
        let letter = usize::from(letter.wrapping_sub(b'a'));
        let Some(&[from, to]) = self.first.get(letter..letter + 2) else {
            return &[];
        };
        &self.words[from as usize..to as usize]
    }

    /// The numbers of the words that become `key` by one slip.
    pub(crate) fn near<'v>(&'v self, key: &'v [u8]) -> impl Iterator<Item = u32> + use<'v> {
        let length = |word: &Word| usize::from(word.length);
        let words = match key {
            [first, _, ..] => self.of(*first),
            _ => &[],
        };
        let from = words.partition_point(|word| length(word) + 1 < key.len());
        let words = words[from..]
            .iter()
            .take_while(move |word| length(word) <= key.len() + 1);
        let found = words.filter(move |word| {
            // `GERMA 66`: a letter less leaves too little of a short word
            let long = length(word) >= SHORTEST || key.len() >= length(word);
            // before a slip all letters are the same, or behind it
            let may_be = long && (word.second == key[1] || word.last == key[key.len() - 1]);
            let at = word.at as usize;
            may_be && one_slip(&self.letters[at..at + length(word)], key)
        });
        found.map(|word| word.alias)
    }

    /// The first words from token `from` on that are misspelt: their bytes of `key`, and the token
    /// behind them. One of them is not `known`, a bit for each token; of several the longest count.
    pub(crate) fn find(
        &self,
        (tokens, key): (&[Token], &[u8]),
        from: usize,
        known: u64,
    ) -> Option<((u32, u32), usize)> {
        let latin = |token: &&Token| token.class == Class::Latin;
        (from..tokens.len().min(MOST_TOKENS)).find_map(|place| {
            let token = &tokens[place];
            let long = (token.end - token.at) as usize >= SHORTEST_TOKEN;
            if known & (1 << place) != 0 || !long || !latin(&token) {
                return None;
            }
            let before = tokens[from..place].iter().rev().take(BEFORE);
            let before = before.take_while(latin).count();
            let behind = tokens[place + 1..].iter().take(BEHIND);
            let behind = behind.take_while(latin).count();
            let mut spans = (place - before..=place).flat_map(|first| {
                (place..=place + behind)
                    .rev()
                    .map(move |last| (first, last))
            });
            spans.find_map(|(first, last)| {
                let (at, end) = (tokens[first].at, tokens[last].end);
                self.near(key.get(at as usize..end as usize)?).next()?;
                Some(((at, end), last + 1))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn one_slip_means_distance_one(a in "[0-3]{0,5}", b in "[0-3]{0,5}") {
            prop_assert_eq!(one_slip(a.as_bytes(), b.as_bytes()), strsim::osa_distance(&a, &b) == 1);
        }
    }

    #[test]
    fn words_are_found_by_one_slip() {
        let mut words = Vocabulary::default();
        for (alias, word) in ["borderless", "ultimaterare", "foil", "ultrarare"]
            .iter()
            .enumerate()
        {
            words.add((word.as_bytes(), SHORTEST), alias as u32);
        }
        words.finish();
        for (key, alias) in [
            ("borderles", Some(0)),
            ("bordreless", Some(0)),
            ("borderless", None),
            ("orderless", None),
            ("ulitmaterare", Some(1)),
            ("utlrarare", Some(3)),
            ("foill", None),
            ("ultrrare", Some(3)),
            ("", None),
        ] {
            assert_eq!(words.near(key.as_bytes()).next(), alias, "{key}");
        }
    }
}
