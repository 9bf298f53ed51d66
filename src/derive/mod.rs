//! Facts that follow from names and cards, for both makers of an index: from rows, or from a pack.

pub(crate) mod romaji;

use crate::catalogue::NameQuality;
use crate::catalogue::format::{CardRecord, NONE, U24, card_flag};
use crate::sort::sort_by_key;
use crate::token::key_of;
use rustc_hash::FxHashMap;
use zerocopy::little_endian::U16;

/// Passes on the keys of a name: as printed, and as sellers shorten it.
pub(crate) fn aliases_of(name: &str, mut found: impl FnMut(NameQuality, &str)) {
    found(NameQuality::Printed, name);
    // most names have none of the bytes that the rest looks for
    if !name
        .bytes()
        .any(|byte| matches!(byte, b'(' | b'&' | b'\'' | b'-' | b'/' | 0xe2 | 0xef))
    {
        return;
    }
    let (head, rest) = head_of(name);
    if !rest.is_empty() {
        found(NameQuality::Derived, head);
    }
    // each half of a split card is a name
    if let Some((_, half)) = name.split_once(" // ") {
        found(NameQuality::Derived, half);
    }
    if name.contains('&') {
        found(NameQuality::Derived, &name.replace('&', " and "));
        found(NameQuality::Derived, &name.replace('&', " "));
    }
    if name.contains('＆') {
        found(NameQuality::Derived, &name.replace('＆', " "));
    }
    if let Some((owner, rest)) = name.split_once("'s ").or_else(|| name.split_once("’s "))
        && !key_of(owner).is_empty()
    {
        found(NameQuality::Derived, &format!("{owner} {rest}"));
    }
}

/// A name up to what only tells it from others of the same character: `Elsa` of `Elsa - Spirit of
/// Winter`, `Giovanni` of `Giovanni (Full Art)`; and the rest, empty if there is none.
pub(crate) fn head_of(name: &str) -> (&str, &str) {
    let marks = ["(", "（", " - ", " – ", " // "];
    let first = marks
        .iter()
        .filter_map(|mark| name.split_once(mark))
        .filter(|(head, _)| !head.trim().is_empty())
        .min_by_key(|(head, _)| head.len());
    first.unwrap_or((name, ""))
}

/// In `records`, grouped by set: flags the cards whose name another of their set bears, and of these
/// the last one if its illustrator differs from the first's: alternate art. (A full art by a third
/// illustrator may come between.)
pub(crate) fn mark_prints(records: &mut [CardRecord]) {
    let mut groups: FxHashMap<u32, Prints> = FxHashMap::default();
    for set in records.chunk_by_mut(|a, b| a.set == b.set) {
        for (at, record) in set.iter().enumerate() {
            let artist = record.illustrator.get();
            let prints = groups.entry(record.name.get()).or_insert(Prints {
                plain: artist,
                other: None,
                count: 0,
            });
            prints.count += 1;
            if artist != 0 && prints.plain != 0 && artist != prints.plain {
                prints.other = Some(at);
            }
        }
        for (at, record) in set.iter_mut().enumerate() {
            let prints = groups.get(&record.name.get());
            let mut flags = record.flags.get();
            if prints.is_some_and(|prints| prints.count > 1) {
                flags |= card_flag::REPEATED;
            }
            if prints.is_some_and(|prints| prints.other == Some(at)) {
                flags |= card_flag::ALTERNATE;
            }
            record.flags = U16::new(flags);
        }
        groups.clear();
    }
}

/// The cards of one name and set.
struct Prints {
    /// The illustrator of the first.
    plain: u16,
    /// The place of the last one by another illustrator.
    other: Option<usize>,
    count: usize,
}

/// What each of `cards` prints, in their order: the column that a list of cards is searched by.
pub(crate) fn column(
    records: &[CardRecord],
    cards: &[U24],
    printed: impl Fn(&CardRecord) -> u32,
) -> Vec<U24> {
    let record = |card: &U24| records.get(card.get() as usize);
    let printed = |card| U24::new(record(card).map_or(NONE, &printed));
    cards.iter().map(printed).collect()
}

/// The cards of each set by their numbers, one set's behind the other's, as they lie in `records`.
pub(crate) fn by_set_and_number(records: &[CardRecord]) -> Vec<U24> {
    let mut cards: Vec<U24> = (0..records.len() as u32).map(U24::new).collect();
    let number = |card: &U24| {
        records
            .get(card.get() as usize)
            .map(|card| card.number.get())
    };
    let mut first = 0;
    for set in records.chunk_by(|a, b| a.set == b.set) {
        let end = first + set.len();
        sort_by_key(&mut cards[first..end], number);
        first = end;
    }
    cards
}
