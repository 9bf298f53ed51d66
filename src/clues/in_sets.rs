//! Words beside the names of sets → the names of cards of these sets that they may be misspellings
//! of.

use super::misspelt::{PHRASES, SHORTEST_IN_SET, Speller, ask_misspelt, gather, phrases};
use crate::attributes::query::Query;
use crate::catalogue::Columns;
use crate::short::Short;
use crate::spelling::{Spelling, allowed};
use crate::token::Line;

/// Words before and behind a misspelt one that are compared together with it: of a long name most
/// words may be right.
const AROUND_OF_NAME: [(usize, usize); 21] = [
    (0, 0),
    (0, 1),
    (1, 0),
    (0, 2),
    (1, 1),
    (2, 0),
    (0, 3),
    (1, 2),
    (2, 1),
    (3, 0),
    (0, 4),
    (1, 3),
    (2, 2),
    (3, 1),
    (4, 0),
    (0, 5),
    (1, 4),
    (2, 3),
    (3, 2),
    (4, 1),
    (5, 0),
];
/// Words that name more sets than this name none in particular.
const FEW_SETS: usize = 4;

/// Longer names are not compared as a whole, in bytes of their key.
const LONGEST_NAME: usize = 96;

/// The name of a card of the sets that the title names, which words that nothing explains may be a
/// misspelling of; whether there is one. A set has so few names that shorter phrases are compared.
pub(crate) fn search_in_sets(
    catalogue: &Columns<'_>,
    speller: &Speller,
    line: &Line,
    query: &mut Query,
    cores: &mut Vec<u32>,
) -> bool {
    if query.unread.is_empty() {
        return false;
    }
    let cards = || {
        let named = query.sets.iter().filter(|set| set.is_named());
        let sets = named.flat_map(|set| set.ids(catalogue));
        sets.take(FEW_SETS)
            .flat_map(|set| catalogue.cards_of_set(set))
    };
    gather(catalogue, cards(), &[], cores);
    if cores.is_empty() {
        return false;
    }
    let mut nearest = Nearest::of(speller, line, query);
    for &core in cores.iter() {
        let phrases = nearest.phrases().map(|(phrase, _)| phrase);
        if let Some(name) = speller.near(catalogue, core, phrases) {
            let key = || Some(catalogue.string(catalogue.cores.get(core as usize)?.key));
            nearest.compare(speller, &name, || {
                catalogue.lexicon().get(key()?.as_bytes())
            });
        }
    }
    // `Kuzo - Wanted Llama`: more of the name is right than of the part that others share
    let mut before = None;
    for card in cards() {
        let name = catalogue.name_record(card);
        let again = before.replace(card.name.get()) == Some(card.name.get());
        let Some(name) = name.filter(|name| !again && name.rest.get() != 0) else {
            continue;
        };
        let Some(core) = catalogue.cores.get(name.core.get() as usize) else {
            continue;
        };
        let parts = [catalogue.string(core.key), catalogue.string(name.rest)];
        if parts.iter().map(|part| part.len()).sum::<usize>() > LONGEST_NAME {
            continue;
        }
        let key = Short::<LONGEST_NAME>::of(parts);
        let spelling = Spelling::of(speller.confusions, key.text());
        nearest.compare(speller, &spelling, || {
            catalogue.lexicon().get(key.text().as_bytes())
        });
    }
    let found = nearest
        .found
        .or_else(|| begun_or_ended(catalogue, line, query, cores));
    if let Some(found) = found {
        // `Donald Duck - Sleepwaker`: the shorter name is part of the phrase
        let (at, end) = found.at;
        query
            .names
            .retain(|name| name.at < at || end < name.end || (name.at, name.end) == (at, end));
        ask_misspelt(catalogue, found.at, (found.place, found.slips), query);
    }
    found.is_some()
}

/// What leaving out the rest of a name counts, in slips.
const PART: f32 = 1.0;

/// The only one of the names `cores` that begins or ends with a word that nothing explains: in a set
/// that is named, `Diabellstar` is `Diabellstar the Black Witch`.
fn begun_or_ended(
    catalogue: &Columns<'_>,
    line: &Line,
    query: &Query,
    cores: &[u32],
) -> Option<Found> {
    let keys = || {
        let core = |&core: &u32| catalogue.cores.get(core as usize);
        let keys = cores.iter().filter_map(core);
        keys.map(|core| catalogue.string(core.key))
    };
    let mut words = query.unread.iter().take(PHRASES);
    words.find_map(|&at| {
        let word = line.text(at.0 as usize, at.1 as usize);
        if word.len() < SHORTEST_IN_SET || !word.is_ascii() {
            return None;
        }
        let mut bearing = keys().filter(|key| key.starts_with(word) || key.ends_with(word));
        let key = bearing.next().filter(|_| bearing.next().is_none())?;
        Some(Found {
            right: word.len() as f32,
            slips: PART,
            at,
            place: catalogue.lexicon().get(key.as_bytes())?,
        })
    })
}

/// The phrases of a title that may be a misspelt name of the sets that it names, and the name that is
/// nearest to one of them.
struct Nearest {
    phrases: [Option<(Spelling, (u32, u32))>; PHRASES * AROUND_OF_NAME.len()],
    found: Option<Found>,
}

/// A name that a phrase is near to.
#[derive(Clone, Copy)]
struct Found {
    /// Number of letters that are right.
    right: f32,
    slips: f32,
    /// Where the phrase stands in the key.
    at: (u32, u32),
    /// The place of the name in the lexicon.
    place: u32,
}

impl Nearest {
    /// The phrases around the words that nothing explains, but for words of the sets: most of a long
    /// name may be right, as in `Abbot of Kerall Keep`.
    fn of(speller: &Speller, line: &Line, query: &Query) -> Nearest {
        let of_set = |at: u32, end: u32| {
            let mut sets = query.sets.iter().filter(|set| set.is_named());
            sets.any(|set| at < set.end && set.at < end)
        };
        let words = 0..query.unread.len().min(PHRASES);
        let around = words
            .flat_map(|word| phrases(line, &query.unread, word, &AROUND_OF_NAME, SHORTEST_IN_SET));
        let mut phrases = [None; PHRASES * AROUND_OF_NAME.len()];
        for (slot, (at, end)) in phrases.iter_mut().zip(around) {
            let text = line.text(at as usize, end as usize);
            if !of_set(at, end) && allowed(text.chars().count()) > 0.0 {
                *slot = Some((Spelling::of(speller.confusions, text), (at, end)));
            }
        }
        Nearest {
            phrases,
            found: None,
        }
    }

    fn phrases(&self) -> impl Iterator<Item = &(Spelling, (u32, u32))> {
        self.phrases.iter().flatten()
    }

    /// Keeps `name`, whose place in the lexicon is asked for then, if more of it is right than of the
    /// one found before.
    fn compare(&mut self, speller: &Speller, name: &Spelling, place: impl Fn() -> Option<u32>) {
        let mut found = self.found;
        for (phrase, at) in self.phrases() {
            let Some(slips) = speller.slips(phrase, name) else {
                continue;
            };
            let right = name.len() as f32 - slips;
            if found.is_none_or(|found| right > found.right)
                && let Some(place) = place()
            {
                found = Some(Found {
                    right,
                    slips,
                    at: *at,
                    place,
                });
            }
        }
        self.found = found;
    }
}
