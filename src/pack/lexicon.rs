//! The lexicon of an index: most of its keys follow from names, sets and illustrators; a pack tells
//! which of those there are, and the others.

use super::coder::{Coder, corrupt};
use super::columns::Column as C;
use super::guess::guess;
use super::keyed;
use super::tables::Tables;
use crate::catalogue::Entry;
use crate::catalogue::format::U24;
use crate::error::Error;
use crate::trie::{self, Columns, Trie};
use rustc_hash::FxHashMap;
use zerocopy::little_endian::U32;

/// A key, from its first to its last byte, and one of its meanings.
pub(super) type Pair = (u32, u32, Entry);

/// Keys, one after another, each with a meaning; ascending, without duplicates.
#[derive(Clone, Debug, Default)]
pub(super) struct Lexicon {
    pub(super) bytes: String,
    pub(super) pairs: Vec<Pair>,
}

impl Lexicon {
    /// The lexicon of an index.
    pub(super) fn of(trie: Trie<'_>, entries: &[U32]) -> Self {
        let mut own = Lexicon::default();
        trie.for_each(|key, place| {
            let Ok(key) = std::str::from_utf8(key) else {
                return;
            };
            let at = own.keep(key);
            for bits in entries.get(place as usize..).unwrap_or(&[]) {
                own.pairs.push((at.0, at.1, Entry::from_bits(bits.get())));
                if Entry::is_last(bits.get()) {
                    break;
                }
            }
        });
        own.sort();
        own
    }

    pub(super) fn keep(&mut self, key: &str) -> (u32, u32) {
        let from = self.bytes.len() as u32;
        self.bytes.push_str(key);
        (from, self.bytes.len() as u32)
    }

    pub(super) fn add(&mut self, key: &str, entry: Entry) {
        if !key.is_empty() {
            let at = self.keep(key);
            self.pairs.push((at.0, at.1, entry));
        }
    }

    /// Adds all of `other`.
    pub(super) fn append(&mut self, other: &Lexicon) {
        let from = self.bytes.len() as u32;
        self.bytes.push_str(&other.bytes);
        self.pairs.extend(
            other
                .pairs
                .iter()
                .map(|pair| (from + pair.0, from + pair.1, pair.2)),
        );
    }

    pub(super) fn key(&self, pair: &Pair) -> &str {
        &self.bytes[pair.0 as usize..pair.1 as usize]
    }

    /// As [`Lexicon::key`], which looks whether both ends are those of characters.
    fn bytes_of(&self, pair: &Pair) -> &[u8] {
        &self.bytes.as_bytes()[pair.0 as usize..pair.1 as usize]
    }

    pub(super) fn sort(&mut self) {
        let bytes = self.bytes.as_bytes();
        let key = |pair: &Pair| &bytes[pair.0 as usize..pair.1 as usize];
        keyed::sort(bytes, &mut self.pairs);
        self.pairs.dedup_by(|a, b| a.2 == b.2 && key(a) == key(b));
    }

    /// The trie of the keys, and the entries that they lead to.
    pub(super) fn columns(&self) -> (Columns, Vec<U32>) {
        let mut meanings = Meanings::default();
        let mut keys: Vec<(&[u8], u32)> = Vec::with_capacity(self.pairs.len());
        for group in self
            .pairs
            .chunk_by(|a, b| self.bytes_of(a) == self.bytes_of(b))
        {
            keys.push((self.bytes_of(&group[0]), meanings.place(group)));
        }
        (trie::build(&keys), meanings.entries)
    }
}

/// The meanings of keys, those of several keys once.
#[derive(Default)]
struct Meanings {
    entries: Vec<U32>,
    // most keys have one meaning
    single: FxHashMap<Entry, u32>,
    several: FxHashMap<Vec<Entry>, u32>,
}

impl Meanings {
    /// The place of the meanings of a key.
    #[inline(never)]
    fn place(&mut self, group: &[Pair]) -> u32 {
        let next = self.entries.len() as u32;
        let place = match group {
            [one] => *self.single.entry(one.2).or_insert(next),
            _ => {
                let group = group.iter().map(|pair| pair.2);
                *self.several.entry(group.collect()).or_insert(next)
            }
        };
        if place == next {
            let last = group.len() - 1;
            let bits = |(at, pair): (usize, &Pair)| U32::new(pair.2.to_bits(at == last));
            self.entries.extend(group.iter().enumerate().map(bits));
        }
        place
    }
}

/// Writes `actual`, or returns the lexicon that is read.
pub(super) fn walk(
    coder: &mut Coder<'_>,
    tables: &Tables,
    actual: &Lexicon,
) -> Result<Lexicon, Error> {
    let guessed = guess(tables)?;
    let (kept, others) = compared(coder, &guessed, actual)?;
    let others = walk_others(coder, actual, &others)?;
    Ok(merged(guessed, kept, &others))
}

/// Writes which pairs of `guessed` exist: their places, and the pairs of `actual` that were not
/// guessed.
#[inline(never)]
fn compared<'l>(
    coder: &mut Coder<'_>,
    guessed: &Lexicon,
    actual: &'l Lexicon,
) -> Result<(Vec<Pair>, Vec<&'l Pair>), Error> {
    let mut kept = Vec::with_capacity(guessed.pairs.len());
    let mut others: Vec<&Pair> = Vec::new();
    let mut rest = actual.pairs.as_slice();
    for pair in &guessed.pairs {
        let order = |one: &Pair| {
            actual
                .bytes_of(one)
                .cmp(guessed.bytes_of(pair))
                .then(one.2.cmp(&pair.2))
        };
        while let Some((one, behind)) = rest.split_first().filter(|(one, _)| order(one).is_lt()) {
            others.push(one);
            rest = behind;
        }
        let is_kept = rest.first().is_some_and(|one| order(one).is_eq());
        if is_kept {
            rest = &rest[1..];
        }
        if coder.value(
            C::LexiconKept as usize,
            u32::from(is_kept),
            &[Some(1), Some(0)],
        )? != 0
        {
            kept.push(*pair);
        }
    }
    others.extend(rest);
    Ok((kept, others))
}

/// Writes `others`, which are pairs of `actual`, or returns those that are read.
#[inline(never)]
fn walk_others(
    coder: &mut Coder<'_>,
    actual: &Lexicon,
    others: &[&Pair],
) -> Result<Lexicon, Error> {
    let reads = coder.reads();
    let mut read = Lexicon::default();
    let count = coder.rows(C::Rows as usize, others.len(), C::LexiconShared as usize)?;
    let mut before = String::new();
    for at in 0..count {
        let (key, entry) = others
            .get(at)
            .map_or(("", Entry::from_bits(0)), |pair| (actual.key(pair), pair.2));
        let shared = key
            .bytes()
            .zip(before.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        // a key is cut between characters
        let shared = (0..=shared)
            .rev()
            .find(|&at| key.is_char_boundary(at))
            .unwrap_or(0);
        let shared = coder.value(C::LexiconShared as usize, shared as u32, &[Some(0)])? as usize;
        if shared > trie::MAX_KEY || !before.is_char_boundary(shared) {
            return Err(corrupt("a key shares more than there is"));
        }
        before.truncate(shared);
        let rest = coder.text(
            C::LexiconRest as usize,
            &key.as_bytes()[if reads { 0 } else { shared }..],
        )?;
        before.push_str(std::str::from_utf8(rest).map_err(|_| corrupt("a key is not UTF-8"))?);
        let kind = coder.value(
            C::LexiconKind as usize,
            (entry.kind() as u32) << 4 | u32::from(entry.quality()),
            &[],
        )?;
        let id = coder.value(C::LexiconId as usize, entry.id(), &[])?;
        if id > U24::MAX || kind > 0x7f {
            return Err(corrupt("a number is too large"));
        }
        read.add(&before, Entry::from_bits(kind << 24 | id));
    }
    let order = |a: &Pair, b: &Pair| read.key(a).cmp(read.key(b)).then(a.2.cmp(&b.2));
    if read.pairs.is_sorted_by(|a, b| order(a, b).is_lt()) {
        Ok(read)
    } else {
        Err(corrupt("keys out of their order"))
    }
}

/// `guessed` reduced to the pairs `kept`, with those of `others` added.
#[inline(never)]
fn merged(mut guessed: Lexicon, kept: Vec<Pair>, others: &Lexicon) -> Lexicon {
    let from = guessed.bytes.len() as u32;
    guessed.bytes.push_str(&others.bytes);
    let mut whole = Vec::with_capacity(kept.len() + others.pairs.len());
    let mut rest = kept.as_slice();
    for pair in others
        .pairs
        .iter()
        .map(|pair| (from + pair.0, from + pair.1, pair.2))
    {
        let order = |one: &Pair| {
            guessed
                .bytes_of(one)
                .cmp(guessed.bytes_of(&pair))
                .then(one.2.cmp(&pair.2))
        };
        // there are about as many of both
        let before = rest.iter().take_while(|one| order(one).is_lt()).count();
        whole.extend_from_slice(&rest[..before]);
        rest = &rest[before..];
        if rest.first().is_none_or(|one| order(one).is_ne()) {
            whole.push(pair);
        }
    }
    whole.extend_from_slice(rest);
    guessed.pairs = whole;
    guessed
}
