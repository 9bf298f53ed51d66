//! The keys of all parts. What a part alone has for a spelling of its own is left out where a name
//! of another part is spelt so, as a builder of all rows does.

use super::Part;
use super::cards::{Cards, Moved};
use super::values::Values;
use crate::catalogue::format::{NONE, U24};
use crate::catalogue::{Entry, EntryKind, NameQuality};
use crate::pack::lexicon::Lexicon;
use crate::sort::sort_by;
use crate::token::key_of;

/// A meaning of a key in one of the parts.
struct Meaning<'p> {
    key: &'p str,
    part: usize,
    /// With the number that it has in the whole.
    entry: Entry,
    /// The key is an illustrator's family name alone.
    family: bool,
}

/// The lexicon of all parts.
pub(super) fn merged(parts: &[Part], values: &Values<'_>, cards: &Cards) -> Lexicon {
    let mut all: Vec<Meaning<'_>> = Vec::new();
    for (at, (part, moved)) in parts.iter().zip(&cards.moved).enumerate() {
        for pair in &part.lexicon.pairs {
            let (key, old) = (part.lexicon.key(pair), pair.2);
            let Some(id) = moved_id(part, old, values, moved, at) else {
                continue;
            };
            let artist = || {
                let artist = part.tables.artists.get(old.id() as usize);
                artist.map_or("", |artist| part.text(artist.name))
            };
            all.push(Meaning {
                key,
                part: at,
                entry: Entry::new(old.kind(), old.quality(), id),
                family: old.kind() == EntryKind::Artist && key_of(artist()) != key,
            });
        }
    }
    sort_by(&mut all, |a, b| {
        a.key.cmp(b.key).then(a.entry.cmp(&b.entry))
    });
    let mut lexicon = Lexicon::default();
    for group in all.chunk_by(|a, b| a.key == b.key) {
        for meaning in group.iter().filter(|meaning| stands(meaning, group)) {
            lexicon.add(meaning.key, meaning.entry);
        }
    }
    lexicon.sort();
    lexicon
}

/// The number of what an entry means, in the whole.
fn moved_id(
    part: &Part,
    entry: Entry,
    values: &Values<'_>,
    moved: &Moved,
    at: usize,
) -> Option<u32> {
    let old = entry.id() as usize;
    let id = match entry.kind() {
        EntryKind::Name => *moved.names.get(old)?,
        EntryKind::Core => *moved.cores.get(old)?,
        EntryKind::Set => *moved.sets.get(old)?,
        EntryKind::Card => *moved.cards.get(old)?,
        EntryKind::Word => u32::from(*values.words.get(at)?.get(old)?),
        EntryKind::Artist => {
            let artist = part.tables.artists.get(old)?;
            values.artists.place(part.text(artist.name)) as u32
        }
    };
    (id != NONE && id <= U24::MAX).then_some(id)
}

/// Whether a meaning stays beside those that other parts have for its key.
fn stands(meaning: &Meaning<'_>, group: &[Meaning<'_>]) -> bool {
    let entry = meaning.entry;
    let elsewhere = |is: &dyn Fn(&Meaning<'_>) -> bool| {
        let mut others = group.iter().filter(|other| other.part != meaning.part);
        others.any(is)
    };
    let named = |entry: Entry| matches!(entry.kind(), EntryKind::Name | EntryKind::Core);
    match entry.kind() {
        EntryKind::Name | EntryKind::Core => {
            let derived = |entry: Entry| {
                matches!(
                    entry.name_quality(),
                    NameQuality::Romaji | NameQuality::Misspelt
                )
            };
            let firm = |other: &Meaning<'_>| {
                named(other.entry)
                    && !derived(other.entry)
                    && other.entry.name_quality() != NameQuality::Nickname
            };
            !derived(entry) || !elsewhere(&firm)
        }
        EntryKind::Card => !elsewhere(&|other| {
            other.entry.kind() == EntryKind::Name
                && other.entry.name_quality() == NameQuality::Printed
        }),
        EntryKind::Artist if meaning.family => {
            let other = |other: &Meaning<'_>| !other.family;
            let first = group.iter().find(|other| other.family);
            !elsewhere(&other) && first.is_some_and(|first| first.entry == entry)
        }
        _ => true,
    }
}
