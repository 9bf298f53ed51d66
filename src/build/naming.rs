//! Splits a card's name into a core (the subject or the whole name), marks (`ex`, `Dark`, `Lv.X`,
//! `Misty's`), and the rest.
//!
//! Titles drop, add and move these parts (`Gardevoir Holo EX`, `Misty Psyduck`, `Charizard` for
//! `Charizard V`), and languages name them differently; cards that share a core meet across all of
//! that.

use crate::catalogue::Marks;
use crate::derive::head_of;
use crate::dictionary::{Dictionary, Tag, Tagged};
use crate::normalise::normalise;
use crate::sort::sort_by_key;
use crate::token::{Line, key_of, tokenize};

/// The parts of one name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Parts {
    /// Key of the subject (`charizard`, `pikachu&zekrom`) or of the whole name.
    pub core: String,
    /// The marks of the name.
    pub marks: Marks,
    /// Key of what is left: `surfing`, `giovanni`.
    pub rest: String,
}

impl Parts {
    /// Takes the marks that are a sign out of the core of a trainer or thing: `Lusamine ◇`.
    fn take_signs(&mut self, dictionary: &Dictionary, line: &Line) {
        let mut tags: Vec<Tagged> = Vec::new();
        dictionary.tag_name(line, &mut tags);
        for tag in tags {
            let sign = line.text(tag.at as usize, tag.end as usize);
            if let Tag::Affix(bit) = tag.tag
                && !sign.contains(char::is_alphanumeric)
            {
                self.core = self.core.replace(sign, "");
                self.marks = self.marks.with(bit);
            }
        }
    }
}

/// Takes `name` apart. `subjects` are the keys of the card's subjects, as the language of the
/// name has them.
#[must_use]
pub(super) fn parts(dictionary: &Dictionary, name: &str, subjects: &[String]) -> Parts {
    let mut parts = Parts::default();
    let line = tokenize(&normalise(name));
    let key = std::str::from_utf8(line.key()).unwrap_or("").to_owned();
    // the bytes of the key from the first subject to the end of the last one
    let mut found: Vec<(usize, usize)> = Vec::new();
    for one in subjects {
        let hit = key.match_indices(one.as_str()).find(|(at, hit)| {
            line.cut(*at) > crate::token::Cut::None
                && (line.cut(at + hit.len()) > crate::token::Cut::None)
        });
        match hit {
            Some((at, hit)) => found.push((at, at + hit.len())),
            None => {
                found.clear();
                break;
            }
        }
    }
    let core = match (
        found.iter().map(|f| f.0).min(),
        found.iter().map(|f| f.1).max(),
    ) {
        (Some(from), Some(to)) => (from, to),
        _ => {
            if subjects.is_empty() {
                // a trainer or item: the person in brackets is the rest; and so is what tells one
                // card of a character from another
                let (head, tail) = head_of(name);
                parts.core = key_of(head);
                parts.rest = key_of(tail);
                parts.take_signs(dictionary, &line);
                return parts;
            }
            (0, 0)
        }
    };
    let mut tags: Vec<Tagged> = Vec::new();
    dictionary.tag_name(&line, &mut tags);
    tags.retain(|t| matches!(t.tag, Tag::Affix(_)));
    // longest first, then leftmost: `delta species` over `delta`
    sort_by_key(&mut tags, |t| (std::cmp::Reverse(t.end - t.at), t.at));
    let mut used = vec![false; key.len()];
    if core.1 > core.0 {
        used[core.0..core.1].fill(true);
    }
    for tag in tags {
        let range = tag.at as usize..tag.end as usize;
        let Tag::Affix(bit) = tag.tag else { continue };
        let side = if dictionary.affixes[bit as usize].prefix {
            range.end <= core.0 || core.1 == 0
        } else {
            range.start >= core.1
        };
        if side && !used[range.clone()].contains(&true) {
            used[range].fill(true);
            parts.marks = parts.marks.with(bit);
        }
    }
    let rest: Vec<u8> = key
        .bytes()
        .zip(&used)
        .filter(|(b, used)| !**used && *b != b'&')
        .map(|(b, _)| b)
        .collect();
    let rest = String::from_utf8(rest).unwrap_or_default();
    if core.1 > core.0 {
        parts.core = subjects_core(subjects);
        parts.rest = rest;
    } else {
        parts.core = rest;
    }
    parts
}

/// The core of a card that shows `subjects`, given by their keys: in the order of the alphabet, so
/// that `A & B` and `B & A` are one.
#[must_use]
pub(super) fn subjects_core(subjects: &[String]) -> String {
    let mut sorted: Vec<&str> = subjects.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.join("&")
}
