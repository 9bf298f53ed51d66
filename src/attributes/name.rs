//! The name of a card: subjects, trainers and things of the catalogue. Its marks are in `mark.rs`.

use super::hit::Hit;
use super::mark;
use super::number::NumberReading;
use super::query::Query;
use super::writer::Writer;
use crate::catalogue::format::{NameRecord, SetRecord};
use crate::catalogue::{AliasKind, Columns, Entry, EntryKind, Marks, NameQuality};
use crate::math::information;
use crate::parsed::Field;
use crate::reading::context::Context;
use crate::reading::{Chosen, Proposal, Value};
use crate::reference::Reference;
use crate::token::Class;
use std::borrow::Cow;

// How sure words are a name, by how they fit it.
/// As printed in some language.
pub(crate) const PRINTED: f32 = 1.3;
/// As sellers cut it, or a Japanese name in Latin letters.
const DERIVED: f32 = 1.2;
/// A nickname, or a known wrong spelling.
const NICKNAME: f32 = 1.1;
/// By edit distance.
const FUZZY: f32 = 0.8;
// How sure short words are, whatever they fit.
/// One Latin letter next to a number: an Unown.
const LETTER_BESIDE_NUMBER: f32 = 0.9;
/// A capital by itself at the start of a title: the trainer N.
const LETTER_IN_FRONT: f32 = 0.9;
/// One Latin letter elsewhere.
const LETTER_ALONE: f32 = 0.1;
/// A subject of two Latin letters.
const TWO_LETTERS: f32 = 0.6;
/// A set is worth so much more than a subject of its name that gives way to it.
const YIELDED: f32 = 0.5;
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
/// Added for a subject, and for each byte.
const SUBJECT: f32 = 2.0;
const BYTE: f32 = 0.01;

/// The whole name of a trainer or a thing of so many bytes means nothing else: `Lysandre Labs`.
/// Shorter ones are words of products, too: `Surprise Box`.
pub(crate) const LONG_THING: u32 = 12;

/// More meanings of names than any honest title has.
const MAX_MEANINGS: usize = 1024;

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
    pub(crate) subject: bool,
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

/// Confidence that the words are a name: subjects are, but trainers and things share words with
/// everyday titles.
pub(crate) fn quality(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    hit: &Hit,
    hits: &[Hit],
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
            NameQuality::Nickname if is_of_names(hit, hits) || holds_names(hit, hits) => PRINTED,
            NameQuality::Derived | NameQuality::Romaji => DERIVED,
            NameQuality::Nickname | NameQuality::Misspelt => NICKNAME,
            NameQuality::Fuzzy => FUZZY,
        })
        .fold(0.0, f32::max);
    let latin = text.is_ascii();
    let letters = if latin {
        text.len()
    } else {
        text.chars().count()
    };
    match (hit.means.subject, latin, letters) {
        (_, true, 1) => {
            // the Unown; in Japanese titles a letter next to a number is the rarity
            if (near_number(at, end) || is_beside_its_set(catalogue, hit, hits))
                && !context.japanese
            {
                LETTER_BESIDE_NUMBER
            } else if at == 0 && !hit.means.subject && is_first_word(context) {
                LETTER_IN_FRONT
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

/// Whether the words begin with a name and end with another, which mean less than both: `Nami DON!!
/// Card`.
fn is_of_names(hit: &Hit, hits: &[Hit]) -> bool {
    let begins = |part: &&Hit| part.means.name && part.at == hit.at && part.end < hit.end;
    let mut firsts = hits.iter().filter(begins);
    firsts.any(|first| {
        let mut others = hits.iter();
        others.any(|last| last.means.name && last.end == hit.end && first.end <= last.at)
    })
}

/// Whether such words stand at an end of the words of a hit: `Gold DON!! Katakuri`.
fn holds_names(hit: &Hit, hits: &[Hit]) -> bool {
    let held = |part: &&Hit| {
        let (begins, ends) = (part.at == hit.at, part.end == hit.end);
        part.means.name && begins != ends && part.at >= hit.at && part.end <= hit.end
    };
    let mut parts = hits.iter().filter(held);
    parts.any(|part| is_of_names(part, hits))
}

/// Whether words beside those of a hit name a set that has a card of its name: `N (Noble Victories)`.
fn is_beside_its_set(catalogue: &Columns<'_>, hit: &Hit, hits: &[Hit]) -> bool {
    let beside = |set: &&Hit| set.means.set && (set.at == hit.end || set.end == hit.at);
    let has = |core: u32, set: &Hit| {
        let mut cards = catalogue.cards_of_core(core).iter().map(|card| card.get());
        cards.any(|card| {
            catalogue
                .sets_named(set.place)
                .any(|set| set.cards().contains(&card))
        })
    };
    let mut sets = hits.iter().filter(beside);
    sets.any(|set| hit.cores(catalogue).any(|core| has(core, set)))
}

/// Whether the first token is a word in capitals before a space and another word: `N SR BW2`.
fn is_first_word(context: &Context<'_>) -> bool {
    let line = context.line;
    let first = line.tokens().first().map_or(0, |token| token.end as usize);
    context.before(0).is_empty()
        && context.gap(0) == " "
        && context.class(1) == Some(Class::Latin)
        && line.is_upper(context.normalised, 0, first)
}

/// Adds a clue for the name that the proposal may be. Short things, and names inside a longer one,
/// count only if they were chosen.
pub(crate) fn ask_proposal(
    catalogue: &Columns<'_>,
    (hit, hits): (&Hit, &[Hit]),
    proposal: &Proposal,
    chosen: &Chosen,
    query: &mut Query,
) {
    let inside = chosen.covering(hit.at).is_some_and(|c| {
        matches!(c.value, Value::Hit(_))
            && c.field == Field::Name
            && c.at <= hit.at
            && hit.end <= c.end
            && (c.end - c.at) > (hit.end - hit.at)
    });
    let thing = !hit.means.subject && hit.end - hit.at < SHORT_THING;
    // `Deoxys` of `Shroomish Deoxys`, or of `EX Deoxys Staryu`, was read as the set, and
    // `The Vine` of `Jasmine Attack of the Vine` in it
    let set = chosen
        .covering(hit.at)
        .is_some_and(|c| c.field == Field::Set && proposal.inside(c));
    let other = || {
        let mut names = chosen.of(Field::Name);
        names.any(|c| matches!(c.value, Value::Hit(_)))
    };
    if set && other() {
        return;
    }
    // `Crystal Charizard`: a nickname of one card is read as the name and its mark
    let over = chosen.overlapping(hit.at, hit.end);
    let spelled = !over.is_empty()
        && over
            .iter()
            .all(|c| c.field == Field::Name && c.inside(proposal));
    if !proposal.chosen && spelled {
        let cards = catalogue.entries(hit.place);
        let cards = cards.filter(|e| e.kind() == EntryKind::Card);
        query.cards.extend(cards.map(|e| e.id()));
    }
    // `OP01-002 Trafalgar Law Red Leader`: another leader of the character has the number
    let of_code = || {
        query.numbers.iter().any(|number| number.coded)
            && !thing
            && is_character_of_nickname(catalogue, hit, hits, chosen)
    };
    if proposal.chosen || !inside && !thing || inside && of_code() {
        ask(catalogue, hit, proposal.chosen, query);
    }
}

/// Whether words are the whole name of the cards that longer words around them call by a nickname.
fn is_character_of_nickname(
    catalogue: &Columns<'_>,
    hit: &Hit,
    hits: &[Hit],
    chosen: &Chosen,
) -> bool {
    let around = chosen
        .covering(hit.at)
        .and_then(|c| hits.iter().find(|outer| outer.spans(c.at, c.end)));
    let Some(around) = around.filter(|around| around.end - around.at > hit.end - hit.at) else {
        return false;
    };
    let bears = |entry: Entry| {
        let core = catalogue.core_of_card(entry.id());
        entry.kind() == EntryKind::Card && hit.cores(catalogue).any(|named| Some(named) == core)
    };
    hit.whole && catalogue.entries(around.place).any(bears)
}

/// Drops the clues from `from` on whose name no card of the games bears which the title names.
pub(crate) fn keep_games(reference: &Reference<'_, '_>, query: &mut Query, from: usize) {
    let (catalogue, stats, games) = (reference.catalogue, reference.stats, query.games);
    if games == 0 {
        return;
    }
    let ours = |clue: &NameClue| stats.games_of_core(catalogue, clue.core) & games != 0;
    keep(query, from, ours);
}

/// Where two names stand side by side, of which one means a single card's and the other the character on
/// it, the other says no more: `Tempestuous Lion Scar` is Scar - Tempestuous Lion, and no other Scar.
pub(crate) fn join_parts(query: &mut Query) {
    let span = |clue: &NameClue| (clue.at, clue.end);
    let groups = || query.names.chunk_by(|one, next| span(one) == span(next));
    let whole = |group: &&[NameClue]| {
        let name = group[0].name;
        let alone = || group.iter().all(|clue| clue.name == name);
        group[0].chosen && group[0].rest && name.is_some() && alone()
    };
    let joined = groups().filter(whole).find_map(|whole| {
        let (core, name) = (whole[0].core, whole[0].name);
        let part = |group: &&[NameClue]| {
            let ((at, end), (from, to)) = (span(&group[0]), span(&whole[0]));
            let less = |clue: &NameClue| clue.core == core && clue.name != name;
            (at == to || end == from) && group.iter().any(less)
        };
        groups().find(part).map(|part| (span(&part[0]), name))
    });
    if let Some((part, name)) = joined {
        keep(query, 0, |clue| span(clue) != part || clue.name == name);
    }
}

/// Drops the clues from `from` on whose name none of `cards` bears.
pub(crate) fn keep_borne(catalogue: &Columns<'_>, cards: &[u32], query: &mut Query, from: usize) {
    let borne = |clue: &NameClue| {
        let bears = |card: &u32| {
            let record = catalogue.card_record(*card);
            let name = record.and_then(|record| catalogue.name_record(record));
            name.is_some_and(|name| name.core.get() == clue.core)
        };
        cards.iter().any(bears)
    };
    keep(query, from, borne);
}

/// Drops the clues from `from` on that are not to be `kept`.
fn keep(query: &mut Query, from: usize, kept: impl Fn(&NameClue) -> bool) {
    let mut at = 0;
    query.names.retain(|clue| {
        at += 1;
        at <= from || kept(clue)
    });
}

/// A printed name of fewer bytes is a word of some language.
const SHORTEST_SUBJECT: u32 = 3;

/// Whether the words are a subject as it is printed.
pub(crate) fn is_printed_subject(catalogue: &Columns<'_>, hit: &Hit) -> bool {
    let printed = || {
        let mut entries = catalogue.entries(hit.place);
        entries.any(|e| {
            matches!(e.kind(), EntryKind::Name | EntryKind::Core)
                && e.name_quality() == NameQuality::Printed
        })
    };
    hit.means.subject && hit.whole && hit.end - hit.at >= SHORTEST_SUBJECT && printed()
}

/// Whether a trainer or thing has a card in a set that the words name: `Buffer Piece` in *Arceus*.
fn is_of_set(catalogue: &Columns<'_>, words: &Hit, core: Option<u32>) -> bool {
    let sets = || {
        let sets = words.sets(catalogue);
        sets.filter(|set| set.quality() < AliasKind::Code as u8)
    };
    let cards = core
        .into_iter()
        .flat_map(|core| catalogue.cards_of_core(core));
    cards
        .filter_map(|card| catalogue.card_record(card.get()))
        .any(|card| sets().any(|set| set.id() == card.set.get()))
}

/// Gives way where the words of a subject that is read name a set as well, and another subject, or
/// a thing of that set, is read: `Deoxys` of `Shroomish Deoxys`; where those of a thing do, and a name
/// is read that the set has: `Egghead` of `Zoro Egghead`; or where they are the name of a set
/// that has a card with the number, which the subject has not, or its code in capitals: `54/107 Deoxys`,
/// `MEW EN 068/165`. Whether some reading gained weight.
pub(crate) fn yields(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    (hits, stated): (&[Hit], &[NumberReading]),
    chosen: &Chosen,
    proposals: &mut [Proposal],
) -> bool {
    let names = || {
        chosen.of(Field::Name).filter_map(|c| match c.value {
            Value::Hit(at) => Some((c, at, hits[at as usize])),
            _ => None,
        })
    };
    let core = |hit: &Hit| {
        let mut entries = catalogue.entries(hit.place);
        entries.find_map(|entry| catalogue.core_of_entry(entry))
    };
    let subject = |hit: &Hit| {
        core(hit)
            .and_then(|core| catalogue.cores.get(core as usize))
            .map_or(0, |core| core.subjects[0].get())
    };
    // some card shows both: `Rayquaza & Deoxys LEGEND`
    let paired = |one: u16, other: u16| {
        let pairs = catalogue.pairs_of(one).chain(catalogue.pairs_of(other));
        let both = |shown: &[u16]| shown.contains(&one) && shown.contains(&other);
        pairs
            .into_iter()
            .any(|(_, core)| both(&core.subjects.map(|d| d.get())))
    };
    // several cards with their numbers
    let mut numbers = chosen.of(Field::Number);
    let number = numbers.next();
    if numbers.next().is_some() {
        return false;
    }
    let number = number.and_then(|p| match p.value {
        Value::Number(at) => stated.get(at as usize),
        _ => None,
    });
    // whether the set has the card of the number and its total, and the subject has none; `None` if
    // the catalogue does not know them
    let numbers_set = |hit: &Hit| {
        let number = number.filter(|number| number.total_known)?;
        let total = catalogue.number(number.total)?;
        let (number, core) = (catalogue.number(number.number)?, core(hit)?);
        let mut sets = hit.sets(catalogue);
        let prints = |set: &SetRecord| {
            let cards = catalogue.cards_of_set_numbered(set, number).iter();
            let mut cards = cards.filter_map(|card| catalogue.card_record(card.get()));
            cards.any(|card| card.total.get() == total)
        };
        let known = sets.any(|set| catalogue.sets.get(set.id() as usize).is_some_and(prints));
        Some(known && !catalogue.core_prints(core, number, Some(total)))
    };
    // `Wolf of Friendship` beside `MetalGarurumon`, which that deck has
    let names_set = |hit: &Hit| {
        let thing = |other: &Hit| !other.means.set && is_of_set(catalogue, hit, core(other));
        !hit.means.subject && names().any(|(_, _, other)| thing(&other))
    };
    let mut gained = false;
    for (name, at, hit) in names().filter(|(_, _, hit)| hit.means.set) {
        if !hit.means.subject {
            if names_set(&hit) {
                gained |= prefer_set(proposals, at, name.weight + YIELDED);
            }
            continue;
        }
        let mut sets = hit.sets(catalogue);
        let code = sets.all(|set| set.quality() >= AliasKind::Code as u8);
        let (from, to) = (hit.at as usize, hit.end as usize);
        let capitals = || context.line.is_upper(context.normalised, from, to);
        let upper = || !context.shouting && capitals();
        let own = subject(&hit);
        let other = names().any(
            |(_, _, other)| match (other.means.subject, other.means.set) {
                (true, false) => {
                    let theirs = subject(&other);
                    theirs != 0 && theirs != own && !paired(own, theirs)
                }
                (false, false) => is_of_set(catalogue, &hit, core(&other)),
                _ => false,
            },
        );
        let numbered = || (!code || capitals()) && numbers_set(&hit) == Some(true);
        if (!other || code && !upper()) && !numbered() {
            continue;
        }
        gained |= prefer_set(proposals, at, name.weight + YIELDED);
    }
    gained
}

/// Gives the reading of a hit as a set at least this weight. Whether it gained any.
fn prefer_set(proposals: &mut [Proposal], hit: u16, weight: f32) -> bool {
    let mut gained = false;
    for set in proposals.iter_mut() {
        if set.field == Field::Set && set.value == Value::Hit(hit) && set.weight < weight {
            (set.weight, gained) = (weight, true);
        }
    }
    gained
}

/// Gives way where the words of a thing are part of a rarity's, a finish's or a stamp's, and another
/// name is read: `Collector` of `Kewl Tune Cue Collector Rare`, `Foil` of `Fury Foil`. Whether some
/// reading gained weight.
pub(crate) fn yields_to_print(hits: &[Hit], chosen: &Chosen, proposals: &mut [Proposal]) -> bool {
    if chosen.of(Field::Name).nth(1).is_none() {
        return false;
    }
    let is_thing = |name: &Proposal| match name.value {
        Value::Hit(at) => !hits[at as usize].means.subject,
        _ => false,
    };
    let mut gained = false;
    let prints = proposals.iter_mut().filter(|p| match p.field {
        Field::Finish => !p.chosen,
        Field::Rarity | Field::Stamp => !p.chosen && !p.weak,
        _ => false,
    });
    for print in prints {
        let mut names = chosen.of(Field::Name);
        if names.any(|name| print.at <= name.at && name.end <= print.end && is_thing(name)) {
            let read = chosen.iter();
            let read = read.filter(|read| read.at < print.end && print.at < read.end);
            let weight = read.map(|read| read.weight).sum::<f32>() + YIELDED;
            if print.weight < weight {
                (print.weight, gained) = (weight, true);
            }
        }
    }
    gained
}

/// Whether the title's number and total are those of a card that is named apart from these bytes of the
/// key, and of none that they name.
pub(crate) fn is_numbered_apart(
    catalogue: &Columns<'_>,
    (hits, numbers): (&[Hit], &[NumberReading]),
    (at, end): (u32, u32),
) -> bool {
    let known = |number| catalogue.number(number);
    let prints = |hit: &Hit, number: &NumberReading| {
        let digits = known(number.number);
        digits.is_some_and(|digits| hit.prints(catalogue, digits, known(number.total)))
    };
    let full = || numbers.iter().filter(|number| number.total_known);
    let named = |hit: &Hit| hit.means.name && full().any(|number| prints(hit, number));
    let mut apart = hits.iter().filter(|hit| hit.is_apart(at, end));
    let mut within = hits.iter().filter(|hit| hit.spans(at, end));
    full().next().is_some() && apart.any(named) && !within.any(named)
}

/// Adds clues for the names of a hit of the lexicon.
pub(crate) fn ask(catalogue: &Columns<'_>, hit: &Hit, chosen: bool, query: &mut Query) {
    if is_repeated(catalogue, hit, query) {
        return;
    }
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
        if query.names.len() + query.cards.len() >= MAX_MEANINGS {
            return;
        }
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
            subject: record.subjects[0].get() != 0,
            rest,
            chosen,
            idf,
            whole_idf: information(cards, named),
            at: hit.at,
            end: hit.end,
        });
    }
}

/// Whether words with many meanings have been asked for twice already: each of these is compared with
/// all others.
fn is_repeated(catalogue: &Columns<'_>, hit: &Hit, query: &Query) -> bool {
    const MANY: usize = 16;
    const TWICE: usize = 2;
    if catalogue.entries(hit.place).nth(MANY).is_none() {
        return false;
    }
    let Some(core) = hit.cores(catalogue).next() else {
        return false;
    };
    query.names.iter().filter(|name| name.core == core).count() >= TWICE
}

/// Finds a whole name that says more than its subject and its marks: `トウホクのピカチュウ`. The
/// catalogue calls all such cards by the subject, and only what is printed tells them apart.
pub(crate) fn whole(
    reference: &Reference<'_, '_>,
    hits: &[Hit],
    chosen: &Chosen,
    query: &mut Query,
) {
    let catalogue = reference.catalogue;
    let plain = |clue: &&NameClue| {
        clue.chosen
            && clue.subject
            && clue.quality == NameQuality::Printed
            && clue.marks == Marks::default()
            && !clue.rest
            && clue.name.is_some()
    };
    let longer = |clue: &&NameClue| {
        let inside = |hit: &&Hit| {
            let (at, end) = (hit.at >= clue.at, hit.end <= clue.end);
            at && end && hit.end - hit.at < clue.end - clue.at
        };
        let mut subject = hits.iter().filter(|h| h.means.subject).filter(inside);
        subject.any(|hit| {
            let mut entries = catalogue.entries(hit.place);
            entries.any(|e| {
                let printed = e.name_quality() == NameQuality::Printed;
                e.kind() == EntryKind::Core && e.id() == clue.core && printed
            })
        })
    };
    let is_read = |clue: &&NameClue| {
        chosen
            .covering(clue.at)
            .is_some_and(|c| (c.at, c.end) == (clue.at, clue.end))
    };
    query.printed = query
        .names
        .iter()
        .filter(plain)
        .filter(is_read)
        .find(longer)
        .map(|clue| (clue.at, clue.end));
}

/// Whether a card shows several subjects, and the title names each by itself: `ピカチュウとプリンとピッピ`.
fn are_all_named(writer: &Writer<'_, '_, '_>, core: u32) -> bool {
    let readings = writer.readings;
    let catalogue = readings.reference.catalogue;
    let Some(shown) = catalogue.cores.get(core as usize).map(|core| core.subjects) else {
        return false;
    };
    if shown[1].get() == 0 {
        return false;
    }
    let named = |proposal: &Proposal, subject: u16| {
        let Value::Hit(at) = proposal.value else {
            return false;
        };
        let mut entries = catalogue.entries(readings.hits[at as usize].place);
        entries.any(|entry| {
            let core = match entry.kind() {
                EntryKind::Core => Some(entry.id()),
                EntryKind::Name => {
                    let name = catalogue.names.get(entry.id() as usize);
                    name.map(|name| name.core.get())
                }
                _ => None,
            };
            let core = core.and_then(|core| catalogue.cores.get(core as usize));
            core.is_some_and(|core| core.subjects[0].get() == subject)
        })
    };
    let names = || readings.chosen.of(Field::Name);
    let mut subjects = shown.iter().map(|subject| subject.get());
    subjects.all(|subject| subject == 0 || names().any(|name| named(name, subject)))
        && names().nth(1).is_some()
}

/// Writes the name: the card's own if the words say all of it, else what the words say.
pub(crate) fn write<'t>(writer: &mut Writer<'_, '_, 't>) {
    let readings = writer.readings;
    let catalogue = readings.reference.catalogue;
    let card = writer.best.and_then(|record| {
        let name = catalogue.name_record(record)?;
        Some(CardName {
            id: record.name.get(),
            name,
            text: catalogue.string(record.text),
        })
    });
    let marks = mark::stated(readings.proposals, readings.chosen);
    let mut best: Option<(f32, Cow<'t, str>)> = None;
    for proposal in readings.chosen.of(Field::Name) {
        let Value::Hit(at) = proposal.value else {
            continue;
        };
        let hit = &readings.hits[at as usize];
        let mut value: Option<(f32, Cow<'t, str>)> = None;
        for entry in catalogue.entries(hit.place) {
            let Some((worth, text)) = said(&readings.reference, &entry, marks, card.as_ref())
            else {
                continue;
            };
            // of names worth the same the plainest, whatever their order in the index
            let plainer = |than: &str| (text.len(), &*text) < (than.len(), than);
            if value
                .as_ref()
                .is_none_or(|(w, than)| worth > *w || worth == *w && plainer(than))
            {
                value = Some((worth, text));
            }
        }
        let Some((worth, text)) = value else { continue };
        let confidence = writer.confidence(proposal);
        writer.push(Field::Name, text.clone(), (hit.at, hit.end), confidence);
        let worth = worth
            + if hit.means.subject { SUBJECT } else { 0.0 }
            + (hit.end - hit.at) as f32 * BYTE;
        if best.as_ref().is_none_or(|(w, _)| worth > *w) {
            best = Some((worth, text));
        }
    }
    writer.parsed.name = best.map(|(_, text)| text);
    if let Some(card) = card {
        // a pair named in parts, or a misspelling that only the search found
        let found = writer.parsed.name.is_none() && writer.best_is_named;
        if found || are_all_named(writer, card.name.core.get()) {
            writer.parsed.name = Some(card.text.into());
        }
    }
}

/// The name of the best card.
struct CardName<'c, 'a> {
    id: u32,
    name: &'c NameRecord,
    /// As the card prints it.
    text: &'a str,
}

/// What an entry of the lexicon says as a name, and its worth; `None` if it is no name. `marks`: those
/// that the title states.
fn said<'a>(
    reference: &Reference<'_, 'a>,
    entry: &Entry,
    marks: Marks,
    card: Option<&CardName<'_, 'a>>,
) -> Option<(f32, Cow<'a, str>)> {
    let catalogue = reference.catalogue;
    let (core, name) = match entry.kind() {
        EntryKind::Name => {
            let record = catalogue.names.get(entry.id() as usize)?;
            (record.core.get(), Some((entry.id(), record)))
        }
        EntryKind::Core => (entry.id(), None),
        EntryKind::Card => {
            let name = catalogue.name_record(catalogue.card_record(entry.id())?)?;
            (name.core.get(), Some((u32::MAX, name)))
        }
        EntryKind::Set | EntryKind::Word | EntryKind::Artist => return None,
    };
    let own = name.map_or(Marks::default(), |(_, name)| name.marks());
    let ours = card.filter(|card| card.name.core.get() == core);
    if let (Some(card), Some((id, _))) = (card, name)
        && id == card.id
    {
        return Some((CARD_ITSELF, card.text.into()));
    }
    if let Some(card) = ours
        && card.name.marks() == own.union(marks)
        && card.name.rest.get() == 0
    {
        return Some((CARD_BY_MARKS, card.text.into()));
    }
    Some(match name {
        Some((_, record)) => {
            let worth = if ours.is_some() { NAME_OF_CARD } else { NAME };
            let text = catalogue.string(record.text);
            (worth - own.count() as f32 * MARK, text.into())
        }
        None => {
            let worth = if ours.is_some() { CORE_OF_CARD } else { CORE };
            let core = catalogue.cores.get(core as usize);
            let text = core.map_or("", |core| catalogue.string(core.text));
            let decorated = mark::decorated(reference.dictionary, text, marks);
            (worth, decorated.into())
        }
    })
}
