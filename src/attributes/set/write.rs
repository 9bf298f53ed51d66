//! The set that an answer states.

use super::FAMILY_KIND;
use super::settle::{is_beside_another, is_common};
use crate::attributes::hit::Hit;
use crate::attributes::writer::Writer;
use crate::catalogue::format::{SetRecord, pack_number, set_flag};
use crate::dictionary::{Spoken, one_slip};
use crate::parsed::{Field, SetReading};
use crate::reading::Value;
use crate::sort::sort_few;
use crate::spelling::is_cut_off;
use crate::token::key_of;
use std::borrow::Cow;

// What a set is worth as the one that is written, in bytes of its words.
/// It is the best candidate's.
const SET_OF_CARD: i32 = 100;
/// Taken off for each step from a name to a code.
const WORSE_ALIAS: i32 = 10;
/// Taken off for words that name an era as well: `Mega Evolution` beside `Pitch Black`.
const ERA_TOO: i32 = 50;
/// Confidence in a set whose name is misspelt; it has at least so many bytes and at most so many
/// words.
const MISSPELT: f32 = 0.8;
const LEAST_MISSPELT: usize = 6;
const MOST_WORDS: usize = 7;
/// Words that name this many sets name none.
const MAX_SETS: usize = 8;
/// The most alternatives that are shown.
const MAX_ALTERNATIVES: usize = 8;

/// The best candidate's set and where its name stands, if some words, not all of them explained,
/// are its name but for one slip.
fn misspelt<'t>(writer: &Writer<'_, '_, 't>) -> Option<(&'t SetRecord, (u32, u32))> {
    if !writer.fuzzy {
        return None;
    }
    let readings = writer.readings;
    let catalogue = readings.reference.catalogue;
    let line = readings.context.line;
    let record = catalogue.set_record(writer.best?)?;
    let names = [record.name, record.local_name].map(|name| key_of(catalogue.string(name)));
    let tokens = line.tokens();
    for (first, from) in tokens.iter().enumerate() {
        for to in &tokens[first..(first + MOST_WORDS).min(tokens.len())] {
            let unread = tokens[first..]
                .iter()
                .take_while(|token| token.at < to.end)
                .any(|token| readings.chosen.overlapping(token.at, token.end).is_empty());
            let text = line.text(from.at as usize, to.end as usize);
            let alike = |name: &String| {
                name.len() >= LEAST_MISSPELT && one_slip(name.as_bytes(), text.as_bytes())
                    || is_cut_off(text, name)
            };
            if unread && names.iter().any(alike) {
                return Some((record, (from.at, to.end)));
            }
        }
    }
    None
}

/// The best candidate's set and where a word of its name stands, if the title has no more of it.
fn set_of_word<'t>(writer: &Writer<'_, '_, 't>) -> Option<(&'t SetRecord, (u32, u32))> {
    let catalogue = writer.readings.reference.catalogue;
    Some((catalogue.set_record(writer.best?)?, writer.set_word?))
}

/// Whether the title states a language in which a set was not printed: `Pikachu Japanese Sword & Shield`
/// says the era, and not the English set that is called so.
fn lacks_language(writer: &Writer<'_, '_, '_>, set: &SetRecord) -> bool {
    let spoken = |language: &str| writer.dictionary().spoken(language);
    let language = writer.parsed.language.as_deref();
    !set.is_regional() && language.is_some_and(|language| spoken(language) == Spoken::Further)
}

/// A set that an answer may state, and its worth as the one that is written.
type Stated<'t> = (i32, SetReading<'t>);

/// A set by its name and id, and no other.
fn alone<'t>(writer: &Writer<'_, '_, 't>, record: &SetRecord) -> SetReading<'t> {
    let catalogue = writer.readings.reference.catalogue;
    SetReading {
        name: catalogue.string(record.name).into(),
        id: catalogue.string(record.id).into(),
        alternatives: Vec::new(),
    }
}

/// Writes the set that the words name: the best card's if it is among them.
pub(crate) fn write<'t>(writer: &mut Writer<'_, '_, 't>) {
    let readings = writer.readings;
    let chosen = readings.chosen;
    let several = chosen.of(Field::Set).nth(1).is_some();
    let mut best: Option<Stated<'t>> = None;
    for proposal in chosen.of(Field::Set) {
        let Value::Hit(at) = proposal.value else {
            continue;
        };
        let hit = &readings.hits[at as usize];
        if several
            && is_common(readings.proposals, (hit.at, hit.end))
            && is_beside_another(readings, hit)
        {
            continue;
        }
        write_words(writer, hit, writer.confidence(proposal), &mut best);
    }
    let poor = best
        .as_ref()
        .is_none_or(|(worth, _)| *worth < SET_OF_CARD / 2);
    if poor && let Some((record, span)) = misspelt(writer).or_else(|| set_of_word(writer)) {
        let set = alone(writer, record);
        let id = writer.readings.reference.catalogue.string(record.id);
        writer.push_over(Field::Set, id, span, MISSPELT);
        best = Some((SET_OF_CARD, set));
    }
    writer.parsed.set = set_of_number(writer, best.is_some()).or(best.map(|(_, set)| set));
}

/// Writes what the words of `hit` name, and takes it for `best` if it is worth more.
fn write_words<'t>(
    writer: &mut Writer<'_, '_, 't>,
    hit: &Hit,
    confidence: f32,
    best: &mut Option<Stated<'t>>,
) {
    let catalogue = writer.readings.reference.catalogue;
    let top = writer.best.map(|r| r.set.get());
    let sets = hit.sets(catalogue);
    let mut sets: Vec<(u32, u8)> = sets.map(|e| (e.id(), e.quality())).collect();
    let era = sets.iter().any(|&(_, kind)| kind == FAMILY_KIND);
    // the best card's set first, then one of the region whose language is said, then the better
    // kind of alias: `Japanese XY Promo`
    let strange = |set: u32| {
        let record = catalogue.sets.get(set as usize);
        !era && record.is_some_and(|record| lacks_language(writer, record))
    };
    let order = |&(set, kind): &(u32, u8)| (Some(set) != top, strange(set), kind, set);
    sort_few(&mut sets, |a, b| order(a) < order(b));
    let Some(&(first, kind)) = sets.first() else {
        return;
    };
    let Some(record) = catalogue.sets.get(first as usize) else {
        return;
    };
    let ours = Some(first) == top;
    if era && !ours && lacks_language(writer, record) {
        return;
    }
    let id = catalogue.string(record.id);
    writer.push(Field::Set, id, (hit.at, hit.end), confidence);
    let worth = i32::from(ours) * SET_OF_CARD
        - i32::from(kind) * WORSE_ALIAS
        - i32::from(era && !ours) * ERA_TOO
        + (hit.end - hit.at) as i32;
    let few = || sets.iter().filter(|set| set.1 < FAMILY_KIND).count() < MAX_SETS;
    let names_it = kind < FAMILY_KIND && (ours || few()) || sets.len() == 1;
    if !names_it || best.as_ref().is_some_and(|(held, _)| worth <= *held) {
        return;
    }
    // the other sets of a series are not readings of its name
    let alternatives = sets[1..]
        .iter()
        .filter(|set| kind == FAMILY_KIND || set.1 < FAMILY_KIND)
        .take(MAX_ALTERNATIVES)
        .filter_map(|&(set, _)| catalogue.sets.get(set as usize))
        .map(|set| Cow::from(catalogue.string(set.id)));
    let alternatives = alternatives.collect();
    let set = alone(writer, record);
    *best = Some((
        worth,
        SetReading {
            alternatives,
            ..set
        },
    ));
}

/// The best candidate's set, if the number or its total says it; `named`: words name a set.
fn set_of_number<'t>(writer: &Writer<'_, '_, 't>, named: bool) -> Option<SetReading<'t>> {
    let catalogue = writer.readings.reference.catalogue;
    let record = writer.best?;
    let set = catalogue.set_record(record)?;
    // `098/SV-P`: the total is the code of the set
    let letters = |text: &str| !text.is_empty() && !text.bytes().any(|b| b.is_ascii_digit());
    let total = writer.parsed.total.as_deref();
    let by_total = total.is_some_and(|total| {
        (total.contains('-') || letters(total))
            && catalogue.total_text(record).eq_ignore_ascii_case(total)
    });
    let bears = |number: u64| catalogue.packed_number(record.number.get()) == Some(number);
    // `OP05-119`, `RA01-EN008`: the code of the set that first had the card
    let by_code = || {
        let coded = writer.number.filter(|reading| reading.coded);
        coded.is_some_and(|reading| bears(reading.number))
    };
    // `SWSH020`: promos are numbered by their code
    let by_number = || {
        let number = writer.parsed.number.as_deref().unwrap_or("");
        let first = number.bytes().next();
        set.flags & set_flag::PROMO != 0
            && first.is_some_and(|byte| byte.is_ascii_alphabetic())
            && bears(pack_number(number))
    };
    (by_total || by_number() || !named && by_code()).then(|| alone(writer, set))
}
