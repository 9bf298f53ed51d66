//! The lexicon of an index: most of its keys follow from names, sets and illustrators; a pack tells which of those there are, and the others.

use super::coder::{Coder, Map, corrupt};
use super::model::Column as C;
use super::tables::Tables;
use crate::catalogue::alike::aliases_of;
use crate::catalogue::format::{CardRecord, U24};
use crate::catalogue::romaji::romaji;
use crate::catalogue::{AliasKind, Entry, EntryKind, NameQuality};
use crate::error::Error;
use crate::token::key_of;
use crate::trie::{self, Columns, Trie};
use zerocopy::little_endian::U32;

/// Keys, one after another, each with what it stands for; ascending, and each pair once.
#[derive(Clone, Debug, Default)]
pub(super) struct Lexicon {
    bytes: String,
    /// Start and end of the key, and the entry.
    pairs: Vec<(u32, u32, Entry)>,
}

impl Lexicon {
    /// The lexicon of an index.
    pub(super) fn of(trie: Trie<'_>, entries: &[U32]) -> Self {
        let mut own = Lexicon::default();
        trie.for_each(|key, place| {
            let Ok(key) = std::str::from_utf8(key) else { return };
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

    fn keep(&mut self, key: &str) -> (u32, u32) {
        let from = self.bytes.len() as u32;
        self.bytes.push_str(key);
        (from, self.bytes.len() as u32)
    }

    fn add(&mut self, key: &str, entry: Entry) {
        if !key.is_empty() {
            let at = self.keep(key);
            self.pairs.push((at.0, at.1, entry));
        }
    }

    fn key(&self, pair: &(u32, u32, Entry)) -> &str {
        &self.bytes[pair.0 as usize..pair.1 as usize]
    }

    fn sort(&mut self) {
        let bytes = self.bytes.as_bytes();
        let key = |pair: &(u32, u32, Entry)| &bytes[pair.0 as usize..pair.1 as usize];
        let first = |key: &[u8]| {
            let mut word = [0; 8];
            let length = key.len().min(8);
            word[..length].copy_from_slice(&key[..length]);
            u64::from_be_bytes(word)
        };
        // the first letters decide most comparisons; what was sorted before is a run that the stable sort finds
        let mut all: Vec<(u64, (u32, u32, Entry))> = self.pairs.iter().map(|pair| (first(key(pair)), *pair)).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| key(&a.1).cmp(key(&b.1))).then(a.1.2.cmp(&b.1.2)));
        all.dedup_by(|a, b| a.0 == b.0 && a.1.2 == b.1.2 && key(&a.1) == key(&b.1));
        self.pairs.clear();
        self.pairs.extend(all.into_iter().map(|one| one.1));
    }

    fn has(&self, key: &str) -> bool {
        self.pairs.binary_search_by(|pair| self.key(pair).cmp(key)).is_ok()
    }

    /// The trie of the keys, and the entries that they lead to.
    pub(super) fn columns(&self) -> (Columns, Vec<U32>) {
        let mut entries: Vec<U32> = Vec::new();
        let mut places: Map<Vec<Entry>, u32> = Map::default();
        let mut keys: Vec<(&str, u32)> = Vec::with_capacity(self.pairs.len());
        for group in self.pairs.chunk_by(|a, b| self.key(a) == self.key(b)) {
            let list: Vec<Entry> = group.iter().map(|pair| pair.2).collect();
            let place = *places.entry(list).or_insert_with_key(|list| {
                let place = entries.len() as u32;
                entries.extend(list.iter().enumerate().map(|(i, entry)| U32::new(entry.to_bits(i + 1 == list.len()))));
                place
            });
            keys.push((self.key(&group[0]), place));
        }
        (trie::build(&keys), entries)
    }
}

/// Tells `actual`, or gives back what was told.
pub(super) fn walk(coder: &mut Coder<'_>, tables: &Tables, actual: &Lexicon) -> Result<Lexicon, Error> {
    let guessed = guess(tables)?;
    let reads = coder.reads();
    let mut whole = Lexicon { bytes: guessed.bytes.clone(), pairs: Vec::with_capacity(guessed.pairs.len()) };
    let mut told: Vec<&(u32, u32, Entry)> = Vec::new();
    let mut rest = actual.pairs.as_slice();
    for pair in &guessed.pairs {
        let order = |one: &(u32, u32, Entry)| actual.key(one).cmp(guessed.key(pair)).then(one.2.cmp(&pair.2));
        while let Some((one, others)) = rest.split_first().filter(|(one, _)| order(one).is_lt()) {
            told.push(one);
            rest = others;
        }
        let kept = rest.first().is_some_and(|one| order(one).is_eq());
        if kept {
            rest = &rest[1..];
        }
        if coder.value(C::LexiconKept as usize, u32::from(kept), &[Some(1), Some(0)])? != 0 {
            whole.pairs.push(*pair);
        }
    }
    told.extend(rest);
    let count = coder.rows(C::Rows as usize, told.len(), C::LexiconShared as usize)?;
    let mut before = String::new();
    for at in 0..count {
        let (key, entry) = told.get(at).map_or(("", Entry::from_bits(0)), |pair| (actual.key(pair), pair.2));
        let shared = key.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
        // a key is cut between characters
        let shared = (0..=shared).rev().find(|&at| key.is_char_boundary(at)).unwrap_or(0);
        let shared = coder.value(C::LexiconShared as usize, shared as u32, &[Some(0)])? as usize;
        let head =
            before.get(..shared).filter(|_| shared <= trie::MAX_KEY).ok_or_else(|| corrupt("a key shares more than there is"))?.to_owned();
        let rest = coder.text(C::LexiconRest as usize, &key.as_bytes()[if reads { 0 } else { shared }..])?;
        before = head + std::str::from_utf8(rest).map_err(|_| corrupt("a key is not UTF-8"))?;
        let kind = coder.value(C::LexiconKind as usize, (entry.kind() as u32) << 4 | u32::from(entry.quality()), &[])?;
        let id = coder.value(C::LexiconId as usize, entry.id(), &[])?;
        if id > U24::MAX || kind > 0x7f {
            return Err(corrupt("a number is too large"));
        }
        whole.add(&before, Entry::from_bits(kind << 24 | id));
    }
    if reads {
        whole.sort();
    }
    Ok(whole)
}

/// The keys of strings, each made once.
struct Keys<'t> {
    tables: &'t Tables,
    known: Vec<Option<(u32, u32)>>,
}

impl Keys<'_> {
    fn of(&mut self, out: &mut Lexicon, string: U24) -> (u32, u32) {
        let Some(slot) = self.known.get_mut(string.get() as usize) else { return (0, 0) };
        *slot.get_or_insert_with(|| {
            let key = key_of(self.tables.strings.get(string));
            out.keep(&key)
        })
    }
}

/// What the tables let one expect.
fn guess(tables: &Tables) -> Result<Lexicon, Error> {
    let mut out = Lexicon::default();
    let mut keys = Keys { tables, known: vec![None; tables.strings.len()] };
    let most = 64 * (tables.strings.bytes.len() + 1024);
    let mut done: Map<(u32, u32, u32), ()> = Map::default();
    let japanese = tables.codes.iter().position(|&code| tables.strings.get(code) == "ja");
    let mut latin: Vec<(U24, u32)> = Vec::new();
    for card in &tables.cards {
        if done.insert((card.locals.get(), card.text.get(), card.name.get()), ()).is_some() {
            continue;
        }
        let locals = tables.locals.get(card.locals.get() as usize);
        latin.extend(
            locals.iter().filter(|local| Some(usize::from(local.language)) == japanese).take(1).map(|local| (local.name, card.name.get())),
        );
        for string in locals.iter().map(|local| local.name).chain([card.text]) {
            add_name(&mut out, &mut keys, string, card);
        }
        if out.pairs.len() * size_of::<Entry>() > most || out.bytes.len() > most {
            return Err(corrupt("more names than a catalogue has"));
        }
    }
    out.pairs.retain(|pair| pair.0 < pair.1);
    for (number, core) in (0..).zip(&tables.cores) {
        let at = keys.of(&mut out, core.key);
        // the key of a core is a key already
        let key = tables.strings.get(core.key);
        let at = if &out.bytes[at.0 as usize..at.1 as usize] == key { at } else { out.keep(key) };
        out.pairs.push((at.0, at.1, Entry::new(EntryKind::Core, NameQuality::Derived as u8, number)));
    }
    species(tables, &mut out);
    sets(tables, &mut out);
    out.pairs.retain(|pair| pair.0 < pair.1);
    out.sort();
    artists(tables, &mut out);
    latin.sort_unstable_by_key(|one| (one.0.get(), one.1));
    latin.dedup_by_key(|one| (one.0.get(), one.1));
    let mut spelt = Lexicon::default();
    let mut before: (U24, Vec<String>) = (U24::default(), Vec::new());
    for (string, name) in latin {
        if before.0 != string {
            let at = keys.of(&mut out, string);
            let all = romaji(&out.bytes[at.0 as usize..at.1 as usize]).into_iter();
            before = (string, all.map(|spelling| key_of(&spelling)).filter(|key| key.len() >= 4 && !out.has(key)).collect());
        }
        for key in &before.1 {
            spelt.add(key, Entry::new(EntryKind::Name, NameQuality::Romaji as u8, name));
        }
    }
    for pair in &spelt.pairs {
        out.add(spelt.key(pair), pair.2);
    }
    out.sort();
    Ok(out)
}

fn add_name(out: &mut Lexicon, keys: &mut Keys<'_>, string: U24, card: &CardRecord) {
    let tables = keys.tables;
    let at = keys.of(out, string);
    out.pairs.push((at.0, at.1, Entry::new(EntryKind::Name, NameQuality::Printed as u8, card.name.get())));
    aliases_of(tables.strings.get(string), |quality, alias| {
        if quality != NameQuality::Printed {
            out.add(&key_of(alias), Entry::new(EntryKind::Name, quality as u8, card.name.get()));
        }
    });
}

/// What names a plain species names its core too.
fn species(tables: &Tables, out: &mut Lexicon) {
    let plain = |entry: Entry| {
        let name = tables
            .names
            .get(entry.id() as usize)
            .filter(|_| entry.kind() == EntryKind::Name && entry.name_quality() == NameQuality::Printed)?;
        let core = tables.cores.get(name.core.get() as usize)?;
        (name.marks().0 == 0 && name.rest.get() == 0 && core.dex[0].get() != 0 && core.dex[1].get() == 0).then(|| name.core.get())
    };
    let found: Vec<(u32, u32, Entry)> = out
        .pairs
        .iter()
        .filter_map(|pair| Some((pair.0, pair.1, Entry::new(EntryKind::Core, NameQuality::Printed as u8, plain(pair.2)?))))
        .collect();
    out.pairs.extend(found);
}

fn sets(tables: &Tables, out: &mut Lexicon) {
    for (number, set) in (0..).zip(&tables.sets) {
        let mut seen: Vec<String> = Vec::new();
        let names =
            [(set.name, AliasKind::Name), (set.local_name, AliasKind::Name), (set.code, AliasKind::Code), (set.id, AliasKind::Code)];
        for (string, kind) in names {
            let text = tables.strings.get(string);
            let key = key_of(text);
            let bare = key.chars().count() < 2 || key.bytes().all(|byte| byte.is_ascii_digit());
            let private = string == set.id && text.contains(':');
            if !bare && !private && !seen.contains(&key) {
                out.add(&key, Entry::new(EntryKind::Set, kind as u8, number));
                seen.push(key);
            }
        }
    }
}

fn artists(tables: &Tables, out: &mut Lexicon) {
    let mut found = Lexicon::default();
    for (number, artist) in (0..).zip(&tables.artists).skip(1) {
        let name = tables.strings.get(artist.name);
        let entry = Entry::new(EntryKind::Artist, 0, number);
        let key = key_of(name);
        if key.chars().count() >= 6 {
            found.add(&key, entry);
        }
        let family = name.split_whitespace().last().filter(|_| name.contains(' ')).map(key_of).unwrap_or_default();
        if family.len() >= 5 && !out.has(&family) {
            found.add(&family, entry);
        }
    }
    for pair in &found.pairs {
        out.add(found.key(pair), pair.2);
    }
    out.sort();
}
