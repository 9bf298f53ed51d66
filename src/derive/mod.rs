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
        .any(|byte| matches!(byte, b'(' | b'&' | b'\'' | 0xe2 | 0xef))
    {
        return;
    }
    if let Some((head, _)) = name.split_once(['(', '（'])
        && !head.trim().is_empty()
    {
        found(NameQuality::Derived, head);
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
