//! [`Trie`]: a static dictionary of keys, walked byte by byte from any place of a text.
//!
//! A double array (Aoe 1989): the child of a node by byte `b` lies at `base ^ b` and has `b` as its
//! label. No two nodes have one base, so a label that fits is the child's. A key that shares no
//! further byte with another ends in a tail that is compared at once. Labels and links are columns
//! of their own: most walks end on a label that does not fit, and labels are a byte each.
//!
//! The columns are plain little-endian bytes, so a trie can lie in an index and is read in place.

use crate::keep::keep;
use std::collections::VecDeque;
use zerocopy::IntoBytes;
use zerocopy::little_endian::U32;

/// The link leads to a tail.
const TAIL: u32 = 1 << 31;
/// The node ends a key; its value is at the place of its child by byte 0.
const ENDS: u32 = 1 << 30;
/// The rest of a link: a base, or a place among the tails.
const PLACE: u32 = ENDS - 1;

/// No node.
const NOBODY: u32 = u32::MAX;

/// A trie, borrowed from the bytes of [`Columns`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Trie<'a> {
    labels: &'a [u8],
    links: &'a [U32],
    tails: &'a [u8],
}

/// The columns of a [`Trie`].
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// For each cell the byte that leads to it; 0 for an empty one.
    pub(crate) labels: Vec<u8>,
    /// For each cell its base, with flags; for one that ends a key its value.
    pub(crate) links: Vec<U32>,
    /// For each tail: its length in a byte, its bytes, the key's value in four.
    pub(crate) tails: Vec<u8>,
}

impl Columns {
    /// The trie that reads them.
    pub fn trie(&self) -> Trie<'_> {
        Trie {
            labels: &self.labels,
            links: &self.links,
            tails: &self.tails,
        }
    }
}

impl<'a> Trie<'a> {
    /// A trie of columns that lie somewhere. Any bytes are safe to walk; only those of [`build`]
    /// are of use.
    pub(crate) fn new(labels: &'a [u8], links: &'a [U32], tails: &'a [u8]) -> Self {
        Trie {
            labels,
            links,
            tails,
        }
    }

    /// The length and value of each key that `text` begins with, the shortest first.
    #[inline]
    pub fn walk<'t>(self, text: &'t [u8]) -> Walk<'a, 't> {
        // each cell has both: it need not be looked up twice whether it is there
        let cells = self.labels.len().min(self.links.len());
        let (labels, links) = (&self.labels[..cells], &self.links[..cells]);
        Walk {
            trie: Trie {
                labels,
                links,
                ..self
            },
            text,
            at: 0,
            link: self.links.first().map_or(0, |root| root.get()),
        }
    }

    /// The value of `key`.
    pub(crate) fn get(&self, key: &[u8]) -> Option<u32> {
        let mut whole = self.walk(key).filter(|(len, _)| *len == key.len());
        whole.next().map(|(_, value)| value)
    }

    /// All keys with their values, in no order that means anything.
    pub(crate) fn for_each(&self, found: impl FnMut(&[u8], u32)) {
        self.for_each_of(|_| true, found);
    }

    /// The keys whose values are `wanted`, in no order that means anything: only of these the way
    /// back to the root is walked.
    pub(crate) fn for_each_of(
        &self,
        wanted: impl Fn(u32) -> bool,
        mut found: impl FnMut(&[u8], u32),
    ) {
        let cells = self.labels.len().min(self.links.len());
        let (labels, links) = (&self.labels[..cells], &self.links[..cells]);
        let used = |cell: usize| (cell == 0) | (labels[cell] != 0);
        // which cells are nodes cannot be guessed, so the others are noted, too, in a place that is
        // dropped
        let mut parents = vec![NOBODY; cells + 1];
        for (cell, link) in links.iter().enumerate() {
            let node = used(cell) & (link.get() & TAIL == 0);
            let base = if node {
                (link.get() & PLACE) as usize
            } else {
                cells
            };
            parents[base.min(cells)] = cell as u32;
        }
        parents.truncate(cells);
        let mut key: Vec<u8> = Vec::new();
        let mut ends: Vec<u32> = Vec::new();
        for block in (0..cells).step_by(BLOCK) {
            ends.clear();
            ends.extend(block as u32..(block + BLOCK).min(cells) as u32);
            keep(&mut ends, 0, |cell| {
                used(cell as usize) & (links[cell as usize].get() & (TAIL | ENDS) != 0)
            });
            for &cell in &ends {
                let link = &links[cell as usize];
                let ending = if link.get() & TAIL == 0 {
                    let value = self.links.get((link.get() & PLACE) as usize);
                    Some((&[][..], value.map_or(0, |value| value.get())))
                } else {
                    self.tail(link.get())
                };
                if let Some((tail, value)) = ending.filter(|(_, value)| wanted(*value)) {
                    self.way(cell as usize, &parents, &mut key);
                    key.extend_from_slice(tail);
                    found(&key, value);
                }
            }
        }
    }

    /// Writes the bytes that lead to a cell. `parents`: the node whose children are under each base,
    /// which is the way from a cell back to its parent.
    fn way(&self, cell: usize, parents: &[u32], key: &mut Vec<u8>) {
        key.clear();
        let mut at = cell;
        // links that were altered may run in circles
        while at != 0 && key.len() < MAX_KEY {
            let label = self.labels.get(at).copied().unwrap_or(0);
            key.push(label);
            at = parents
                .get(at ^ usize::from(label))
                .map_or(NOBODY, |&parent| parent) as usize;
        }
        key.reverse();
    }

    /// Calls `found` with the value of each key that begins with `text`, the shortest first, and
    /// stops after visiting `most` nodes.
    pub(crate) fn beneath(&self, text: &[u8], most: usize, mut found: impl FnMut(u32)) {
        let mut link = self.links.first().map_or(0, |root| root.get());
        for (at, &byte) in text.iter().enumerate() {
            let Some(child) = self.child(link, byte) else {
                return;
            };
            link = child;
            if link & TAIL != 0 {
                if let Some((_, value)) = self
                    .tail(link)
                    .filter(|(tail, _)| tail.starts_with(&text[at + 1..]))
                {
                    found(value);
                }
                return;
            }
        }
        // links that were altered may run in circles: the bound ends those too
        let mut waiting = VecDeque::from([link]);
        for _ in 0..most {
            let Some(link) = waiting.pop_front() else {
                return;
            };
            if link & TAIL != 0 {
                if let Some((_, value)) = self.tail(link) {
                    found(value);
                }
                continue;
            }
            let base = (link & PLACE) as usize;
            if link & ENDS != 0 {
                found(self.links.get(base).map_or(0, |value| value.get()));
            }
            let children = (1..=u8::MAX).map(|byte| (base ^ usize::from(byte), byte));
            let there = children.filter(|(cell, byte)| self.labels.get(*cell) == Some(byte));
            waiting.extend(
                there
                    .filter_map(|(cell, _)| self.links.get(cell))
                    .map(|link| link.get()),
            );
        }
    }

    /// Number of keys.
    pub(crate) fn keys(&self) -> usize {
        let mut keys = 0;
        self.for_each(|_, _| keys += 1);
        keys
    }

    /// Size of its columns in bytes.
    pub fn size(&self) -> usize {
        self.labels.len() + size_of_val(self.links) + self.tails.len()
    }

    /// The link of the child by `byte` of the node that `link` leads to.
    #[inline]
    fn child(&self, link: u32, byte: u8) -> Option<u32> {
        let cell = (link & PLACE) as usize ^ usize::from(byte);
        if self.labels.get(cell) != Some(&byte) || byte == 0 {
            return None;
        }
        Some(self.links.get(cell).map_or(0, |link| link.get()))
    }

    fn tail(&self, link: u32) -> Option<(&'a [u8], u32)> {
        let (&len, rest) = self.tails.get((link & PLACE) as usize..)?.split_first()?;
        let (tail, rest) = rest.split_at_checked(usize::from(len))?;
        Some((tail, u32::from_le_bytes(*rest.first_chunk()?)))
    }
}

/// A walk of a [`Trie`] along a text; see [`Trie::walk`].
#[derive(Clone, Debug)]
pub struct Walk<'a, 't> {
    trie: Trie<'a>,
    /// Empty after a tail.
    text: &'t [u8],
    /// The bytes that were walked, and the link that they lead to.
    at: usize,
    link: u32,
}

impl Iterator for Walk<'_, '_> {
    type Item = (usize, u32);

    #[inline]
    fn next(&mut self) -> Option<(usize, u32)> {
        while let Some(&byte) = self.text.get(self.at) {
            self.link = self.trie.child(self.link, byte)?;
            self.at += 1;
            if self.link & TAIL != 0 {
                let rest = &std::mem::take(&mut self.text)[self.at..];
                let (tail, value) = self.trie.tail(self.link)?;
                return rest
                    .starts_with(tail)
                    .then_some((self.at + tail.len(), value));
            }
            if self.link & ENDS != 0 {
                let value = self.trie.links.get((self.link & PLACE) as usize);
                return Some((self.at, value.map_or(0, |value| value.get())));
            }
        }
        None
    }
}

/// Cells searched at a time.
const BLOCK: usize = 1024;

/// The longest key, in bytes. No word of a title is longer.
pub(crate) const MAX_KEY: usize = 250;

/// Builds a trie of `keys`, which are sorted and different. Keys that are empty, hold a byte 0 or
/// are longer than `MAX_KEY` are left out.
pub fn build<K: AsRef<[u8]>>(keys: &[(K, u32)]) -> Columns {
    let keys: Vec<(&[u8], u32)> = keys
        .iter()
        .map(|(key, value)| (key.as_ref(), *value))
        .filter(|(key, _)| !key.is_empty() && key.len() <= MAX_KEY && !key.contains(&0))
        .collect();
    let mut builder = Builder::default();
    builder.grow();
    builder.take(0);
    builder.node(0, &keys, 0);
    builder.columns
}

/// Places nodes. Free cells are a ring, so that only they are tried.
#[derive(Default)]
struct Builder {
    columns: Columns,
    used: Vec<bool>,
    /// Bases that some node has.
    bases: Vec<bool>,
    /// The free cell after and before each free cell.
    next: Vec<u32>,
    before: Vec<u32>,
    /// The first of the free cells.
    free: Option<u32>,
    /// The labels of a node; kept for its memory only.
    labels: Vec<u8>,
}

/// The free cells that are tried for a node before new ones are appended: more would pack closer
/// and build slower.
const TRIES: usize = 64;

impl Builder {
    /// Adds a block of 256 free cells: a base and a byte lead to any place in the base's own block.
    fn grow(&mut self) {
        let from = self.used.len() as u32;
        let to = from + 256;
        self.columns.labels.resize(to as usize, 0);
        self.columns.links.resize(to as usize, U32::new(0));
        self.used.resize(to as usize, false);
        self.bases.resize(to as usize, false);
        // the new block follows the ring's last cell
        self.next.extend(from + 1..=to);
        self.before
            .extend((from..to).map(|cell| cell.wrapping_sub(1)));
        let first = self.free.unwrap_or(from);
        let last = if self.free.is_some() {
            self.before[first as usize]
        } else {
            to - 1
        };
        if self.free.is_some() {
            self.next[last as usize] = from;
            self.before[from as usize] = last;
        }
        self.next[to as usize - 1] = first;
        self.before[first as usize] = to - 1;
        self.free = Some(first);
    }

    fn take(&mut self, cell: usize) {
        self.used[cell] = true;
        let (before, next) = (self.before[cell], self.next[cell]);
        self.next[before as usize] = next;
        self.before[next as usize] = before;
        if self.free == Some(cell as u32) {
            self.free = Some(next).filter(|&next| next != cell as u32);
        }
    }

    /// A base under which the cells of all `labels` are free.
    fn base(&mut self, labels: &[u8]) -> usize {
        let fits = |builder: &Self, base: usize| {
            !builder.bases[base]
                && labels
                    .iter()
                    .all(|&label| !builder.used[base ^ usize::from(label)])
        };
        let mut cell = self.free;
        for _ in 0..TRIES {
            let Some(at) = cell else { break };
            let base = at as usize ^ usize::from(labels[0]);
            if fits(self, base) {
                return base;
            }
            cell = Some(self.next[at as usize]).filter(|&next| Some(next) != self.free);
        }
        let base = self.used.len();
        self.grow();
        // what was tried in vain is tried last from now on
        self.free = Some(base as u32);
        base
    }

    /// Writes the node in `cell`, whose keys share their first `depth` bytes.
    fn node(&mut self, cell: usize, keys: &[(&[u8], u32)], depth: usize) {
        if let [(key, value)] = keys
            && depth > 0
        {
            let tail = &key[depth..];
            let place = self.columns.tails.len() as u32;
            self.columns.tails.push(tail.len() as u8);
            self.columns.tails.extend_from_slice(tail);
            self.columns
                .tails
                .extend_from_slice(U32::new(*value).as_bytes());
            self.columns.links[cell] = U32::new(place | TAIL);
            return;
        }
        let (ends, keys) = match keys.split_first() {
            Some(((key, value), rest)) if key.len() == depth => (Some(*value), rest),
            _ => (None, keys),
        };
        let mut labels = std::mem::take(&mut self.labels);
        labels.clear();
        labels.extend(ends.map(|_| 0));
        for (key, _) in keys {
            if labels.last() != Some(&key[depth]) {
                labels.push(key[depth]);
            }
        }
        if labels.is_empty() {
            return;
        }
        let base = self.base(&labels);
        self.bases[base] = true;
        for &label in &labels {
            self.take(base ^ usize::from(label));
            self.columns.labels[base ^ usize::from(label)] = label;
        }
        self.labels = labels;
        self.columns.links[cell] = U32::new(base as u32 | if ends.is_some() { ENDS } else { 0 });
        if let Some(value) = ends {
            self.columns.links[base] = U32::new(value);
        }
        for group in keys.chunk_by(|a, b| a.0[depth] == b.0[depth]) {
            self.node(base ^ usize::from(group[0].0[depth]), group, depth + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn found(trie: &Trie<'_>, text: &[u8]) -> Vec<(usize, u32)> {
        trie.walk(text).collect()
    }

    #[test]
    fn keys_inside_keys_are_found() {
        let keys: Vec<(&str, u32)> = vec![
            ("base", 1),
            ("baseset", 2),
            ("baseset2", 3),
            ("basket", 4),
            ("x", 5),
        ];
        let columns = build(&keys);
        let trie = columns.trie();
        assert_eq!(found(&trie, b"baseset2holo"), [(4, 1), (7, 2), (8, 3)]);
        assert_eq!(found(&trie, b"xy"), [(1, 5)]);
        assert_eq!(found(&trie, b"bas"), []);
        assert_eq!(
            (trie.get(b"basket"), trie.get(b"bask"), trie.get(b"")),
            (Some(4), None, None)
        );
    }

    #[test]
    fn empty_trie_finds_nothing() {
        let columns = build::<&str>(&[]);
        assert_eq!(found(&columns.trie(), b"abc"), []);
        assert_eq!(found(&Trie::default(), b"abc"), []);
    }

    proptest! {
        /// Against a map of the same keys: what is found, and what all keys are.
        #[test]
        fn trie_equals_a_map(keys in proptest::collection::btree_map("[a-d]{1,6}|[ア-ウ]{1,4}", 0u32..9, 0..60), text in "[a-dア-ウ]{0,12}") {
            let sorted: Vec<(&str, u32)> = keys.iter().map(|(k, v)| (k.as_str(), *v)).collect();
            let columns = build(&sorted);
            let trie = columns.trie();
            let want: Vec<(usize, u32)> =
                (1..=text.len()).filter(|&len| text.is_char_boundary(len)).filter_map(|len| Some((len, *keys.get(&text[..len])?))).collect();
            prop_assert_eq!(found(&trie, text.as_bytes()), want);
            let mut all = BTreeMap::new();
            trie.for_each(|key, value| { all.insert(String::from_utf8(key.to_vec()).expect("a key"), value); });
            prop_assert_eq!(&all, &keys);
            let mut begun = Vec::new();
            trie.beneath(text.as_bytes(), 1000, |value| begun.push(value));
            let mut want: Vec<u32> = keys.iter().filter(|(key, _)| key.starts_with(&text)).map(|(_, value)| *value).collect();
            begun.sort_unstable();
            want.sort_unstable();
            prop_assert_eq!(begun, want);
        }

        /// Walking ends without a panic on any bytes of a damaged index.
        #[test]
        fn any_bytes_are_safe(labels in proptest::collection::vec(any::<u8>(), 0..600), links in proptest::collection::vec(any::<u32>(), 0..600), tails in proptest::collection::vec(any::<u8>(), 0..50), text in "[a-f]{0,12}") {
            let links: Vec<U32> = links.into_iter().map(|link| U32::new(link & (TAIL | ENDS | 1023))).collect();
            let trie = Trie::new(&labels, &links, &tails);
            let _ = (found(&trie, text.as_bytes()), trie.keys());
            trie.beneath(text.as_bytes(), 100, |_| ());
        }
    }
}
