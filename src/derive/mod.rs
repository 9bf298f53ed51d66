//! Facts that follow from names and cards, for both makers of an index: from rows, or from a pack.

pub(crate) mod romaji;

use crate::catalogue::NameQuality;
use crate::catalogue::format::{CardRecord, card_flag};
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

/// In `records`, grouped by set: flags the last card of a name and set if its illustrator differs
/// from the first's: alternate art. (A full art by a third illustrator may come between.)
pub(crate) fn mark_alternates(records: &mut [CardRecord]) {
    let mut groups: FxHashMap<u32, (u16, Option<usize>)> = FxHashMap::default();
    for set in records.chunk_by_mut(|a, b| a.set == b.set) {
        for (at, record) in set.iter().enumerate() {
            let artist = record.illustrator.get();
            let (plain, last) = groups.entry(record.name.get()).or_insert((artist, None));
            if artist != 0 && *plain != 0 && artist != *plain {
                *last = Some(at);
            }
        }
        for (_, (_, last)) in groups.drain() {
            if let Some(at) = last {
                set[at].flags = U16::new(set[at].flags.get() | card_flag::ALTERNATE);
            }
        }
    }
}
