//! The name of a card: species, trainers and things of the catalogue. Its marks are in `mark.rs`.

use super::hit::Hit;
use super::mark;
use super::query::Query;
use super::writer::Writer;
use crate::catalogue::{Columns, EntryKind, Marks, NameQuality};
use crate::math::information;
use crate::parsed::Field;
use crate::reading::context::Context;
use crate::reading::{Proposal, Value, covering};
use std::borrow::Cow;

// How sure words are a name, by how they fit it.
/// As printed in some language.
const PRINTED: f32 = 1.3;
/// As sellers cut it, or a Japanese name in Latin letters.
const DERIVED: f32 = 1.2;
/// A nickname, or a known wrong spelling.
const NICKNAME: f32 = 1.1;
/// By edit distance.
const FUZZY: f32 = 0.8;
// How sure short words are, whatever they fit.
/// One Latin letter next to a number: an Unown.
const LETTER_BESIDE_NUMBER: f32 = 0.9;
/// One Latin letter elsewhere.
const LETTER_ALONE: f32 = 0.1;
/// A species of two Latin letters.
const TWO_LETTERS: f32 = 0.6;
// What is left of it for trainers and things, which share words with everyday titles.
/// Of up to three Latin letters.
const THING_OF_3: f32 = 0.5;
/// Of four to six Latin letters.
const THING_OF_6: f32 = 0.7;
/// Longer, or in another script.
const THING: f32 = 0.9;
/// A thing with a name of fewer bytes becomes a clue only if it was chosen.
const SHORT_THING: u32 = 5;

// Scores of a name as the one that is written, among others that the title's words may mean.
/// The whole name of the best candidate.
const CARD_ITSELF: f32 = 6.0;
/// The best candidate's core with exactly the marks that the title states.
const CARD_BY_MARKS: f32 = 5.0;
/// A core that is the best candidate's, and any core: its text with the marks that are stated.
const CORE_OF_CARD: f32 = 3.2;
const CORE: f32 = 1.2;
/// A whole name whose core is the best candidate's, and any whole name.
const NAME_OF_CARD: f32 = 3.0;
const NAME: f32 = 1.0;
/// Subtracted for each mark of a whole name: the plainer of two is meant.
const MARK: f32 = 0.1;
/// Added for a species, and for each byte.
const SPECIES: f32 = 2.0;
const BYTE: f32 = 0.01;

/// A name that the title may state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameClue {
    pub(crate) core: u32,
    /// The whole name, if the words are one.
    pub(crate) name: Option<u32>,
    pub(crate) marks: Marks,
    /// Those of them whose words may belong to the name of the set that follows:
    /// `Mewtwo EX Holon Phantoms`.
    pub(crate) shared: Marks,
    pub(crate) quality: NameQuality,
    /// Number of slips of spelling; 1 for a known misspelling.
    pub(crate) slips: f32,
    pub(crate) species: bool,
    /// The name has parts besides core and marks.
    pub(crate) rest: bool,
    /// The reading won; else it lies under another.
    pub(crate) chosen: bool,
    /// Information in agreeing with the core, in nats.
    pub(crate) idf: f32,
    /// Information in agreeing with the whole name: with all the cards that these words may name.
    pub(crate) whole_idf: f32,
    pub(crate) at: u32,
    pub(crate) end: u32,
}

/// Confidence that the words are a name: species are, but trainers and things share words with
/// everyday titles.
pub(crate) fn quality(
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
            NameQuality::Printed => PRINTED,
            NameQuality::Derived | NameQuality::Romaji => DERIVED,
            NameQuality::Nickname | NameQuality::Misspelt => NICKNAME,
            NameQuality::Fuzzy => FUZZY,
        })
        .fold(0.0, f32::max);
    let letters = text.chars().count();
    let latin = text.is_ascii();
    match (hit.means.species, latin, letters) {
        (_, true, 1) => {
            // the Unown; in Japanese titles a letter next to a number is the rarity
            if near_number(at, end) && !context.japanese {
                LETTER_BESIDE_NUMBER
            } else {
                LETTER_ALONE
            }
        }
        (true, true, 2) => TWO_LETTERS,
        (true, ..) => best,
        (false, true, 2..=3) => best * THING_OF_3,
        (false, true, 4..=6) => best * THING_OF_6,
        (false, ..) => best * THING,
    }
}

/// Adds a clue for the name that the proposal may be. Short things, and names inside a longer one,
/// count only if they were chosen.
pub(crate) fn ask_proposal(
    catalogue: &Columns<'_>,
    hit: &Hit,
    proposal: &Proposal,
    chosen: &[Proposal],
    query: &mut Query,
) {
    let inside = covering(chosen, hit.at).is_some_and(|c| {
        matches!(c.value, Value::Hit(_))
            && c.field == Field::Name
            && c.at <= hit.at
            && hit.end <= c.end
            && (c.end - c.at) > (hit.end - hit.at)
    });
    let thing = !hit.means.species && hit.end - hit.at < SHORT_THING;
    if proposal.chosen || !inside && !thing {
        ask(catalogue, hit, proposal.chosen, query);
    }
}

/// Adds clues for the names of a hit of the lexicon.
pub(crate) fn ask(catalogue: &Columns<'_>, hit: &Hit, chosen: bool, query: &mut Query) {
    let cards = catalogue.card_count().max(1) as f32;
    // a card whose French name lacks its star does not make the word mean only that card
    let named: u32 = catalogue
        .entries(hit.place)
        .map(|e| match e.kind() {
            EntryKind::Name => catalogue
                .names
                .get(e.id() as usize)
                .map_or(0, |n| n.cards.get()),
            EntryKind::Core => catalogue
                .cores
                .get(e.id() as usize)
                .map_or(0, |c| c.count.get()),
            _ => 0,
        })
        .fold(0, u32::max);
    for entry in catalogue.entries(hit.place) {
        let (core, name, marks, rest) = match entry.kind() {
            EntryKind::Name => {
                let Some(record) = catalogue.names.get(entry.id() as usize) else {
                    continue;
                };
                (
                    record.core.get(),
                    Some(entry.id()),
                    record.marks(),
                    record.rest.get() != 0,
                )
            }
            EntryKind::Core => (entry.id(), None, Marks::default(), false),
            EntryKind::Card => {
                if chosen {
                    query.cards.push(entry.id());
                }
                continue;
            }
            EntryKind::Set | EntryKind::Word | EntryKind::Artist => continue,
        };
        let Some(record) = catalogue.cores.get(core as usize) else {
            continue;
        };
        if name.is_none()
            && query
                .names
                .iter()
                .any(|n| n.at == hit.at && n.end == hit.end && n.core == core)
        {
            continue;
        }
        let idf = information(cards, record.count.get());
        query.names.push(NameClue {
            core,
            name,
            marks,
            shared: Marks::default(),
            quality: entry.name_quality(),
            slips: 1.0,
            species: record.dex[0].get() != 0,
            rest,
            chosen,
            idf,
            whole_idf: information(cards, named),
            at: hit.at,
            end: hit.end,
        });
    }
}

/// Writes the name: the card's own if the words say all of it, else what the words say.
pub(crate) fn write<'t>(writer: &mut Writer<'_, '_, 't>) {
    let readings = writer.readings;
    let chosen = readings.chosen;
    let catalogue = readings.reference.catalogue;
    let dictionary = readings.reference.dictionary;
    let card_text = writer
        .best
        .map_or("", |record| catalogue.string(record.text));
    let top = writer.best.and_then(|record| {
        catalogue
            .name_record(record)
            .map(|name| (record.name.get(), name))
    });
    let marks = mark::stated(readings.proposals, chosen);
    let mut best: Option<(f32, Cow<'t, str>)> = None;
    for proposal in chosen.iter().filter(|p| p.field == Field::Name) {
        let Value::Hit(at) = proposal.value else {
            continue;
        };
        let hit = &readings.hits[at as usize];
        let mut value: Option<(f32, Cow<'t, str>)> = None;
        for entry in catalogue.entries(hit.place) {
            let (core, own, name) = match entry.kind() {
                EntryKind::Name => {
                    let Some(record) = catalogue.names.get(entry.id() as usize) else {
                        continue;
                    };
                    (
                        record.core.get(),
                        record.marks(),
                        Some((entry.id(), record)),
                    )
                }
                EntryKind::Core => (entry.id(), Marks::default(), None),
                EntryKind::Card => {
                    let Some(name) = catalogue
                        .card_record(entry.id())
                        .and_then(|c| catalogue.name_record(c))
                    else {
                        continue;
                    };
                    (name.core.get(), name.marks(), Some((u32::MAX, name)))
                }
                EntryKind::Set | EntryKind::Word | EntryKind::Artist => continue,
            };
            let all = own.union(marks);
            let (worth, text) = match (top, name) {
                (Some((id, _)), Some((own_id, _))) if id == own_id => {
                    (CARD_ITSELF, card_text.into())
                }
                (Some((_, record)), _)
                    if record.core.get() == core
                        && record.marks() == all
                        && record.rest.get() == 0 =>
                {
                    (CARD_BY_MARKS, card_text.into())
                }
                (_, Some((_, record))) => {
                    let ours = top.is_some_and(|(_, t)| t.core.get() == core);
                    (
                        if ours { NAME_OF_CARD } else { NAME } - own.count() as f32 * MARK,
                        catalogue.string(record.text).into(),
                    )
                }
                (_, None) => {
                    let ours = top.is_some_and(|(_, t)| t.core.get() == core);
                    let text = catalogue
                        .cores
                        .get(core as usize)
                        .map_or("", |c| catalogue.string(c.text));
                    (
                        if ours { CORE_OF_CARD } else { CORE },
                        mark::decorated(dictionary, text, marks).into(),
                    )
                }
            };
            if value.as_ref().is_none_or(|(w, _)| worth > *w) {
                value = Some((worth, text));
            }
        }
        let Some((worth, text)) = value else { continue };
        let confidence = writer.confidence(proposal);
        writer.push(Field::Name, text.clone(), (hit.at, hit.end), confidence);
        let worth = worth
            + if hit.means.species { SPECIES } else { 0.0 }
            + (hit.end - hit.at) as f32 * BYTE;
        if best.as_ref().is_none_or(|(w, _)| worth > *w) {
            best = Some((worth, text));
        }
    }
    writer.parsed.name = best.map(|(_, text)| text);
    // a pair named in parts, or a misspelling that only the search found
    if writer.parsed.name.is_none() && top.is_some() && writer.best_is_named {
        writer.parsed.name = Some(card_text.into());
    }
}
