//! Facts that follow from names and cards, for both makers of an index: from rows, or from a pack.

mod forms;
mod lists;
pub(crate) mod romaji;

pub(crate) use lists::{
    by_set_and_number, column, grouped, number_postings, pairs_of, rarity_counts, total_counts,
};

use crate::catalogue::NameQuality;
use crate::catalogue::format::{CardRecord, card_flag};
use crate::token::key_of;
use forms::others;
use rustc_hash::FxHashMap;
use zerocopy::little_endian::U16;

/// The least bytes of a legend's own name: three kana. Shorter ones are words of many titles.
const LEAST_OWN: usize = 9;

/// The least letters of one of a character's two names by which it is called.
const LEAST_OF_CHARACTER: usize = 4;

/// Passes on the keys of a name: as printed, and as sellers shorten it.
pub(crate) fn aliases_of(name: &str, mut found: impl FnMut(NameQuality, &str)) {
    found(NameQuality::Printed, name);
    // `ラガバン` of `敏捷なこそ泥、ラガバン`: what a legend is called stands behind its title
    if let Some((_, own)) = name.rsplit_once('、')
        && own.len() >= LEAST_OWN
    {
        found(NameQuality::Derived, own);
    }
    // most names have none of the bytes that the rest looks for
    if name
        .bytes()
        .any(|byte| matches!(byte, b'(' | b'&' | b'\'' | b'-' | b'/' | 0xe2 | 0xef))
    {
        shortened(name, &mut found);
    }
    without_articles(name, &mut found);
    others(name, &mut |other| found(NameQuality::Derived, other));
}

/// Passes on a name without an article that sellers leave out, and with `&` for its `and`: `Rocket's
/// Trap`, `Lord of Pit`, `Sheoldred Apocalypse`, `Feast & Famine`.
fn without_articles(name: &str, found: &mut dyn FnMut(NameQuality, &str)) {
    // one word says too little without its article
    if let Some(rest) = name.strip_prefix("The ")
        && rest.contains(' ')
    {
        found(NameQuality::Derived, rest);
    }
    for (mark, instead) in [(", the ", " "), (" the ", " "), (" and ", " & ")] {
        if let Some((head, rest)) = split(name, mark) {
            found(NameQuality::Derived, &format!("{head}{instead}{rest}"));
        }
    }
}

/// A version of a character has at least so many bytes to be a name by itself.
const LEAST_VERSION: usize = 10;

/// Passes on a name as sellers shorten it.
fn shortened(name: &str, found: &mut dyn FnMut(NameQuality, &str)) {
    let (head, rest) = head_of(name);
    if !rest.is_empty() {
        found(NameQuality::Derived, head);
    }
    // `Hideout Defender` of `Hudson - Hideout Defender`
    if let Some((_, version)) = split(name, " - ")
        && version.contains(' ')
        && version.len() >= LEAST_VERSION
    {
        found(NameQuality::Derived, version);
    }
    // each half of a split card is a name
    if let Some((_, half)) = split(name, " // ") {
        found(NameQuality::Derived, half);
    }
    if name.contains('&') {
        found(NameQuality::Derived, &name.replace('&', " and "));
        found(NameQuality::Derived, &name.replace('&', " "));
    }
    if name.contains('＆') {
        found(NameQuality::Derived, &name.replace('＆', " "));
    }
    // `Mickey - Brave Little Tailor`, `Hook - Forceful Duelist`: one of a character's two names
    if let Some((head, version)) = split(name, " - ")
        && let Some((first, last)) = split(head, " ").filter(|(_, last)| !last.contains(' '))
    {
        for word in [first, last] {
            if word.len() >= LEAST_OF_CHARACTER {
                found(NameQuality::Derived, &format!("{word} {version}"));
            }
        }
    }
    if let Some((owner, rest)) = split(name, "'s ").or_else(|| split(name, "’s "))
        && !key_of(owner).is_empty()
    {
        found(NameQuality::Derived, &format!("{owner} {rest}"));
    }
}

/// A name up to what only tells it from others of the same character: `Elsa` of `Elsa - Spirit of
/// Winter`, `Giovanni` of `Giovanni (Full Art)`; and the rest, empty if there is none.
pub(crate) fn head_of(name: &str) -> (&str, &str) {
    // each counts where it first stands
    let mut marks = ["(", "（", " - ", " – ", " // "].map(Some);
    for at in 0..name.len() {
        if !matches!(name.as_bytes()[at], b'(' | b' ' | 0xef) {
            continue;
        }
        // a character begins with such a byte
        let (head, rest) = name.split_at(at);
        let behind = |mark: &mut Option<&str>| {
            let behind = rest.strip_prefix((*mark)?)?;
            *mark = None;
            Some(behind)
        };
        if let Some(behind) = marks.iter_mut().find_map(behind)
            && !head.trim().is_empty()
        {
            return (head, behind);
        }
    }
    (name, "")
}

/// As [`str::split_once`], which prepares a search that is longer than most names.
fn split<'n>(name: &'n str, mark: &str) -> Option<(&'n str, &'n str)> {
    let mut bytes = name.as_bytes().windows(mark.len());
    let at = bytes.position(|bytes| bytes == mark.as_bytes())?;
    Some((&name[..at], &name[at + mark.len()..]))
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_written_as_their_forms_say() {
        let rows: [(&str, &[&str]); 8] = [
            ("Number 39: Utopia", &["No.39: Utopia", "#39: Utopia"]),
            (
                "Number 11: Big Eye",
                &["No.11: Big Eye", "#11: Big Eye", "Big Eye"],
            ),
            ("Silent Magician LV8", &["Silent Magician Level 8"]),
            ("Gear LVX", &[]),
            ("D/D/D Wave King Caesar", &["DDD Wave King Caesar"]),
            ("Elemental HERO Stratos", &["E HERO Stratos"]),
            ("Evil HERO Malicious Edge", &["E HERO Malicious Edge"]),
            ("A Hero of a Kind", &[]),
        ];
        for (name, expected) in rows {
            let mut written = Vec::new();
            others(name, &mut |other| written.push(other.to_owned()));
            assert_eq!(written, expected, "{name}");
        }
    }

    proptest! {
        #[test]
        fn heads_and_parts_equal_those_of_the_library(name in "[ab(（/–\\- ]{0,12}") {
            let marks = ["(", "（", " - ", " – ", " // "];
            let first = marks
                .iter()
                .filter_map(|mark| name.split_once(mark))
                .filter(|(head, _)| !head.trim().is_empty())
                .min_by_key(|(head, _)| head.len());
            prop_assert_eq!(head_of(&name), first.unwrap_or((&name, "")));
            for mark in marks {
                prop_assert_eq!(split(&name, mark), name.split_once(mark));
            }
        }
    }
}
