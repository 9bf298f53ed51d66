//! The keys that names, sets and illustrators let one expect in a lexicon.

use super::coder::corrupt;
use super::lexicon::{Lexicon, Pair};
use super::tables::Tables;
use crate::catalogue::format::{CardRecord, NONE, U24};
use crate::catalogue::{AliasKind, Entry, EntryKind, NameQuality};
use crate::derive::aliases_of;
use crate::derive::romaji::romaji;
use crate::error::Error;
use crate::sort::sort_by_key;
use crate::token::Keys;
use rustc_hash::FxHashMap;

/// Keys that there are.
type Known<'k> = FxHashMap<&'k str, ()>;

/// Makes keys, those of strings once.
struct Maker<'t> {
    tables: &'t Tables,
    keys: Keys,
    /// Of each string.
    known: Vec<Option<(u32, u32)>>,
    /// The name that each string was last added for: cards of one name stand together, and most of
    /// their names in other languages are the same.
    named: Vec<u32>,
    out: Lexicon,
}

impl Maker<'_> {
    /// The key of a string.
    fn key(&mut self, string: U24) -> (u32, u32) {
        match self.known.get(string.get() as usize) {
            Some(Some(at)) => *at,
            Some(None) => {
                let at = self.made(self.tables.strings.get(string));
                self.known[string.get() as usize] = Some(at);
                at
            }
            None => (0, 0),
        }
    }

    /// The key of a text.
    fn made(&mut self, text: &str) -> (u32, u32) {
        let from = self.out.bytes.len() as u32;
        self.keys.push_key(text, &mut self.out.bytes);
        (from, self.out.bytes.len() as u32)
    }

    fn add(&mut self, at: (u32, u32), entry: Entry) {
        if at.0 < at.1 {
            self.out.pairs.push((at.0, at.1, entry));
        }
    }

    /// A name that cards are printed with.
    #[inline(never)]
    fn name(&mut self, string: U24, name: u32) {
        let tables = self.tables;
        if let Some(named) = self.named.get_mut(string.get() as usize)
            && std::mem::replace(named, name) == name
        {
            return;
        }
        let at = self.key(string);
        let printed = Entry::new(EntryKind::Name, NameQuality::Printed as u8, name);
        self.add(at, printed);
        aliases_of(tables.strings.get(string), |quality, alias| {
            if quality != NameQuality::Printed {
                let at = self.made(alias);
                self.add(at, Entry::new(EntryKind::Name, quality as u8, name));
            }
        });
    }
}

/// The lexicon that the tables lead one to expect.
#[inline(never)]
pub(super) fn guess(tables: &Tables) -> Result<Lexicon, Error> {
    let mut maker = Maker {
        tables,
        keys: Keys::default(),
        known: vec![None; tables.strings.len()],
        named: vec![NONE; tables.strings.len()],
        out: Lexicon::default(),
    };
    let kana = names(&mut maker)?;
    cores(&mut maker);
    subjects(&mut maker);
    sets(&mut maker);
    let kana = with_keys(&mut maker, kana);
    let Maker { out, mut keys, .. } = maker;
    let mut known: Known<'_> = FxHashMap::default();
    note(&out, &mut known);
    let drawn = artists(tables, &mut keys, &known);
    note(&drawn, &mut known);
    let latin = latin(&out, &kana, &mut keys, &known);
    drop(known);
    let mut out = out;
    out.append(&drawn);
    out.append(&latin);
    out.sort();
    Ok(out)
}

/// Notes the keys that there are.
#[inline(never)]
fn note<'l>(lexicon: &'l Lexicon, known: &mut Known<'l>) {
    known.reserve(lexicon.pairs.len());
    known.extend(lexicon.pairs.iter().map(|pair| (lexicon.key(pair), ())));
}

/// A name of cards in Japanese: its string, and the name's number in the lower half.
type Kana = u64;

/// Names of cards; those in Japanese are given back.
#[inline(never)]
fn names(maker: &mut Maker<'_>) -> Result<Vec<Kana>, Error> {
    let tables = maker.tables;
    let most = 64 * (tables.strings.text.len() + 1024);
    let mut done: FxHashMap<(u32, u32, u32), ()> = FxHashMap::default();
    let mut codes = tables.codes.iter();
    let japanese = codes.position(|&code| tables.strings.get(code) == "ja");
    let mut kana: Vec<Kana> = Vec::new();
    for card in &tables.cards {
        let bears = (card.locals.get(), card.text.get(), card.name.get());
        if done.insert(bears, ()).is_none() {
            names_of_card(maker, card, japanese, &mut kana);
            if maker.out.pairs.len() * size_of::<Entry>() > most || maker.out.bytes.len() > most {
                return Err(corrupt("more names than a catalogue has"));
            }
        }
    }
    Ok(kana)
}

/// The names of a card in all languages.
#[inline(never)]
fn names_of_card(
    maker: &mut Maker<'_>,
    card: &CardRecord,
    japanese: Option<usize>,
    kana: &mut Vec<Kana>,
) {
    let name = card.name.get();
    let locals = maker.tables.locals.get(card.locals.get() as usize);
    for string in locals.iter().map(|local| local.name).chain([card.text]) {
        maker.name(string, name);
    }
    let mut locals = locals.iter();
    let first = locals.find(|local| Some(usize::from(local.language)) == japanese);
    kana.extend(first.map(|local| u64::from(local.name.get()) << 32 | u64::from(name)));
}

/// Japanese names, each once: string, key and number.
#[inline(never)]
fn with_keys(maker: &mut Maker<'_>, mut kana: Vec<Kana>) -> Vec<(u32, (u32, u32), u32)> {
    sort_by_key(&mut kana, |name| *name);
    kana.dedup();
    let with_key = |name: Kana| {
        let string = (name >> 32) as u32;
        (string, maker.key(U24::new(string)), name as u32)
    };
    kana.into_iter().map(with_key).collect()
}

#[inline(never)]
fn cores(maker: &mut Maker<'_>) {
    for (number, core) in (0..).zip(&maker.tables.cores) {
        let at = maker.key(core.key);
        // the key of a core is a key already
        let key = maker.tables.strings.get(core.key);
        let at = if &maker.out.bytes[at.0 as usize..at.1 as usize] == key {
            at
        } else {
            maker.out.keep(key)
        };
        maker.add(
            at,
            Entry::new(EntryKind::Core, NameQuality::Derived as u8, number),
        );
    }
}

/// Guesses that a name of a plain subject also names its core.
#[inline(never)]
fn subjects(maker: &mut Maker<'_>) {
    let tables = maker.tables;
    let plain: Vec<Option<u32>> = tables
        .names
        .iter()
        .map(|name| {
            let core = tables.cores.get(name.core.get() as usize)?;
            (name.marks().0 == 0
                && name.rest.get() == 0
                && core.subjects[0].get() != 0
                && core.subjects[1].get() == 0)
                .then(|| name.core.get())
        })
        .collect();
    let core_of = |entry: Entry| {
        let named = entry.kind() == EntryKind::Name && entry.name_quality() == NameQuality::Printed;
        plain
            .get(entry.id() as usize)
            .copied()
            .flatten()
            .filter(|_| named)
    };
    let core = |pair: &Pair| {
        Some((
            pair.0,
            pair.1,
            Entry::new(
                EntryKind::Core,
                NameQuality::Printed as u8,
                core_of(pair.2)?,
            ),
        ))
    };
    let found: Vec<Pair> = maker.out.pairs.iter().filter_map(core).collect();
    maker.out.pairs.extend(found);
}

#[inline(never)]
fn sets(maker: &mut Maker<'_>) {
    let tables = maker.tables;
    for (number, set) in (0..).zip(&tables.sets) {
        let mut seen: Vec<(u32, u32)> = Vec::new();
        let names = [
            (set.name, AliasKind::Name),
            (set.local_name, AliasKind::Name),
            (set.code, AliasKind::Code),
            (set.id, AliasKind::Code),
        ];
        for (string, kind) in names {
            let at = maker.key(string);
            let bytes = &maker.out.bytes;
            let key = |at: (u32, u32)| &bytes[at.0 as usize..at.1 as usize];
            let bare = key(at).chars().nth(1).is_none()
                || key(at).bytes().all(|byte| byte.is_ascii_digit());
            let private = string == set.id && tables.strings.get(string).contains(':');
            if !bare && !private && !seen.iter().any(|&one| key(one) == key(at)) {
                seen.push(at);
                maker.add(at, Entry::new(EntryKind::Set, kind as u8, number));
            }
        }
    }
}

/// Illustrators, by their names and by family names that are not `known`.
#[inline(never)]
fn artists(tables: &Tables, keys: &mut Keys, known: &Known<'_>) -> Lexicon {
    let mut found = Lexicon::default();
    for (number, artist) in (0..).zip(&tables.artists).skip(1) {
        let name = tables.strings.get(artist.name);
        let entry = Entry::new(EntryKind::Artist, 0, number);
        let key = keys.key_of(name);
        if key.chars().nth(5).is_some() {
            found.add(&key, entry);
        }
        let family = name
            .split_whitespace()
            .last()
            .filter(|_| name.contains(' '))
            .map(|family| keys.key_of(family))
            .unwrap_or_default();
        if family.len() >= 5 && !known.contains_key(family.as_str()) {
            found.add(&family, entry);
        }
    }
    found
}

/// Japanese names in Latin letters that are not `known`: for each string its key, and a name that
/// it is.
#[inline(never)]
fn latin(
    out: &Lexicon,
    kana: &[(u32, (u32, u32), u32)],
    keys: &mut Keys,
    known: &Known<'_>,
) -> Lexicon {
    let mut spelt = Lexicon::default();
    for group in kana.chunk_by(|a, b| a.0 == b.0) {
        let (from, to) = group[0].1;
        for spelling in romaji(&out.bytes[from as usize..to as usize]) {
            let start = spelt.bytes.len();
            keys.push_key(&spelling, &mut spelt.bytes);
            let key = &spelt.bytes[start..];
            if key.len() < 4 || known.contains_key(key) {
                spelt.bytes.truncate(start);
                continue;
            }
            let at = (start as u32, spelt.bytes.len() as u32);
            spelt.pairs.extend(group.iter().map(|one| {
                (
                    at.0,
                    at.1,
                    Entry::new(EntryKind::Name, NameQuality::Romaji as u8, one.2),
                )
            }));
        }
    }
    spelt
}
