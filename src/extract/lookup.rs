//! Names and sets of the catalogue in the title: every key of the lexicon that begins and ends on a cut.

use super::context::Context;
use super::{Proposal, Value, weight};
use crate::catalogue::{Columns, EntryKind, NameQuality};
use crate::parsed::Field;
use crate::token::Class;

/// A key of the lexicon in the title.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub(crate) at: u32,
    pub(crate) end: u32,
    /// Place of its meanings in the lexicon.
    pub(crate) place: u32,
    /// Both ends are full cuts.
    pub(crate) whole: bool,
    /// It names cards.
    pub(crate) name: bool,
    /// It names a species (not a trainer or thing).
    pub(crate) species: bool,
    /// It names sets.
    pub(crate) set: bool,
    /// It is a word of a product's name.
    pub(crate) word: bool,
    /// It names an illustrator.
    pub(crate) artist: bool,
}

/// More hits than any honest title has; a title of nothing but names stops here.
const MAX_HITS: usize = 256;

/// Finds all keys of the lexicon in the title.
pub(crate) fn look_up(catalogue: &Columns<'_>, context: &Context<'_>, hits: &mut Vec<Hit>) {
    let (line, key) = (context.line, context.line.key());
    let lexicon = catalogue.lexicon();
    for start @ (at, _) in line.starts() {
        if hits.len() >= MAX_HITS {
            break;
        }
        line.keys_from(lexicon, start, |end, whole, place| {
            // inside a run of kana, two characters are too often part of another word
            if whole || key[at..end].iter().filter(|b| (**b as i8) >= -0x40).count() >= 3 {
                hits.push(hit(catalogue, at as u32, end as u32, place, whole));
            }
        });
    }
}

/// What the key with its meanings at `place` may name.
fn hit(catalogue: &Columns<'_>, at: u32, end: u32, place: u32, whole: bool) -> Hit {
    let mut hit = Hit {
        at,
        end,
        place,
        whole,
        name: false,
        species: false,
        set: false,
        word: false,
        artist: false,
    };
    for entry in catalogue.entries(place) {
        match entry.kind() {
            EntryKind::Name | EntryKind::Core | EntryKind::Card => {
                hit.name = true;
                let core = match entry.kind() {
                    EntryKind::Core => Some(entry.id()),
                    EntryKind::Name => catalogue
                        .names
                        .get(entry.id() as usize)
                        .map(|n| n.core.get()),
                    _ => None,
                };
                hit.species |= core
                    .and_then(|c| catalogue.cores.get(c as usize))
                    .is_none_or(|c| c.dex[0].get() != 0);
            }
            EntryKind::Set => hit.set = true,
            EntryKind::Word => hit.word = true,
            EntryKind::Artist => hit.artist = true,
        }
    }
    hit
}

/// Proposes a reading for each hit: a name, a set, or both.
pub(crate) fn propose(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    hits: &[Hit],
    near_number: &dyn Fn(usize, usize) -> bool,
    out: &mut Vec<Proposal>,
) {
    let key = context.line.key();
    for (index, hit) in hits.iter().enumerate() {
        let (at, end) = (hit.at as usize, hit.end as usize);
        let mut push = |field: Field, quality: f32| {
            let quality = if hit.whole { quality } else { quality * 0.8 };
            let weight = weight(key, at, end, quality);
            out.push(Proposal {
                field,
                at: hit.at,
                end: hit.end,
                weight,
                value: Value::Hit(index as u16),
                chosen: false,
                weak: false,
            });
        };
        if hit.name {
            push(
                Field::Name,
                name_quality(catalogue, context, hit, near_number),
            );
        }
        if hit.artist {
            push(Field::Illustrator, 1.0);
        }
        if hit.word {
            push(Field::Origin, 0.6);
        }
        if hit.set {
            push(
                Field::Set,
                set_quality(catalogue, context, hit, near_number),
            );
        }
    }
}

/// How sure the words are a name: species are, trainers and things share words with everyday titles.
fn name_quality(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    hit: &Hit,
    near_number: &dyn Fn(usize, usize) -> bool,
) -> f32 {
    let (at, end) = (hit.at as usize, hit.end as usize);
    let text = context.line.text(at, end);
    let best = catalogue
        .entries(hit.place)
        .filter(|e| {
            matches!(
                e.kind(),
                EntryKind::Name | EntryKind::Core | EntryKind::Card
            )
        })
        .map(|e| match e.name_quality() {
            NameQuality::Printed => 1.3,
            NameQuality::Derived | NameQuality::Romaji => 1.2,
            NameQuality::Nickname | NameQuality::Misspelt => 1.1,
            NameQuality::Fuzzy => 0.8,
        })
        .fold(0.0, f32::max);
    let letters = text.chars().count();
    let latin = text.is_ascii();
    match (hit.species, latin, letters) {
        (_, true, 1) => {
            // the Unown; in Japanese titles a letter beside a number is the rarity
            if near_number(at, end) && !context.japanese {
                0.9
            } else {
                0.1
            }
        }
        (true, true, 2) => 0.6,
        (true, ..) => best,
        (false, true, 2..=3) => best * 0.5,
        (false, true, 4..=6) => best * 0.7,
        (false, ..) => best * 0.9,
    }
}

/// Whether a space stands inside `at..end`.
fn spaced(context: &Context<'_>, at: usize, end: usize) -> bool {
    let (first, last) = (
        context.line.token_at(at),
        context.line.token_at(end.saturating_sub(1)),
    );
    (first..last).any(|token| context.gap(token).contains(' '))
}

/// How sure the words name a set: codes are words too, and count in capitals beside a number.
fn set_quality(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    hit: &Hit,
    near_number: &dyn Fn(usize, usize) -> bool,
) -> f32 {
    let (at, end) = (hit.at as usize, hit.end as usize);
    let text = context.line.text(at, end);
    let kind = catalogue
        .entries(hit.place)
        .filter(|e| e.kind() == EntryKind::Set)
        .map(|e| e.quality())
        .min()
        .unwrap_or(4);
    let digits = text.bytes().any(|b| b.is_ascii_digit());
    let long = context
        .line
        .tokens()
        .get(context.line.token_at(at))
        .is_some_and(|t| t.class != Class::Latin)
        || text.len() > 4;
    match kind {
        0..=2 if text.is_ascii() && text.len() <= 4 && !digits => {
            if near_number(at, end) || context.line.is_upper(context.normalised, at, end) {
                0.9
            } else {
                0.7
            }
        }
        0 | 1 => 1.25,
        2 => 1.15,
        // `カードe 1ED` is no `E1`
        3 if spaced(context, at, end) => 0.2,
        3 if long || digits => 1.05,
        3 => {
            let capitals = context.line.is_upper(context.normalised, at, end);
            // all Latin letters of a Japanese title are capitals
            match (
                capitals && (!context.shouting || context.japanese),
                near_number(at, end),
            ) {
                (true, true) => 1.0,
                // shops glue the code to the name: `グレンアルマSVD`
                (true, false) if context.japanese && text.len() > 2 => 0.9,
                (true, false) => 0.45,
                (false, _) => 0.15,
            }
        }
        _ => 0.8,
    }
}
