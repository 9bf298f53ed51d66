//! The readings that lost → [`Parsed::alternatives`](crate::Parsed::alternatives).

use crate::attributes::readings::Readings;
use crate::attributes::writer::{Writer, rounded};
use crate::catalogue::EntryKind;
use crate::dictionary::Tag;
use crate::math::squash;
use crate::parsed::{Field, GradeValue, Reading};
use crate::reading::{Proposal, Value};
use crate::sort::sort_by_key;
use std::borrow::Cow;

/// No more readings that lost are shown than this.
const MAX_ALTERNATIVES: usize = 24;
/// Readings of less weight than this are not shown, in bytes explained.
const LEAST_WEIGHT: f32 = 0.5;

/// The readings that lost, but for those that lie inside a chosen one of their own kind.
pub(super) fn alternatives<'t>(writer: &Writer<'_, '_, 't>) -> Vec<Reading<'t>> {
    let readings = writer.readings;
    let chosen = readings.chosen;
    let shown = |p: &&Proposal| {
        !p.chosen && p.weight > LEAST_WEIGHT && !matches!(p.field, Field::Noise | Field::Origin)
    };
    // each with the strongest reading that it lost to
    let mut losers: Vec<(&Proposal, f32)> = Vec::with_capacity(readings.proposals.len());
    losers.extend(readings.proposals.iter().filter(shown).filter_map(|p| {
        let over = chosen.overlapping(p.at, p.end);
        let inside = over.iter().any(|c| c.field == p.field && p.inside(c));
        let rival = || over.iter().map(|c| c.weight).fold(0.0f32, f32::max);
        (!inside).then(|| (p, rival()))
    }));
    sort_by_key(&mut losers, |(p, _)| (p.at, p.end, p.field));
    losers.dedup_by_key(|(p, _)| (p.at, p.end, p.field));
    let alternatives = losers.into_iter().take(MAX_ALTERNATIVES).map(|(p, rival)| {
        let confidence = rounded(squash(p.weight - rival) as f32);
        writer.reading(p.field, value_of(readings, p), (p.at, p.end), confidence)
    });
    alternatives.collect()
}

/// The value that a reading that lost would have had.
fn value_of<'t>(readings: &Readings<'_, 't>, proposal: &Proposal) -> Cow<'t, str> {
    let catalogue = readings.reference.catalogue;
    let dictionary = readings.reference.dictionary;
    match proposal.value {
        Value::Hit(at) => {
            let hit = &readings.hits[at as usize];
            let named = |kind: EntryKind| {
                matches!(kind, EntryKind::Name | EntryKind::Core | EntryKind::Card)
            };
            let mut entries = catalogue.entries(hit.place);
            let entry = match proposal.field {
                Field::Set => hit.sets(catalogue).next(),
                Field::Name => entries.find(|entry| named(entry.kind())),
                _ => None,
            };
            let text = entry.and_then(|e| match e.kind() {
                EntryKind::Set => catalogue
                    .sets
                    .get(e.id() as usize)
                    .map(|s| catalogue.string(s.id)),
                EntryKind::Name => catalogue
                    .names
                    .get(e.id() as usize)
                    .map(|n| catalogue.string(n.text)),
                EntryKind::Core => catalogue
                    .cores
                    .get(e.id() as usize)
                    .map(|c| catalogue.string(c.text)),
                EntryKind::Card => catalogue
                    .card_record(e.id())
                    .map(|c| catalogue.string(c.id)),
                EntryKind::Word | EntryKind::Artist => None,
            });
            // illustrators and words of products, as where they are read
            let words = || {
                let line = readings.context.line;
                line.text(proposal.at as usize, proposal.end as usize)
            };
            text.map_or_else(|| words().to_owned().into(), Cow::from)
        }
        Value::Word(tag) => match tag {
            Tag::Condition(n) => dictionary.conditions[n as usize].as_str().into(),
            Tag::Printing(n) => dictionary.printings[n as usize].value.as_str().into(),
            Tag::Rarity(n) => dictionary.rarities[n as usize].value.as_str().into(),
            Tag::Language(n) => dictionary.languages[n as usize].as_str().into(),
            Tag::Kind(n) => dictionary.kinds[n as usize].0.as_str().into(),
            Tag::Sealed(n) => dictionary.sealed[n as usize].as_str().into(),
            Tag::Game(n) => dictionary.games[n as usize].name.as_str().into(),
            Tag::Affix(n) => dictionary.affixes[n as usize].name.as_str().into(),
            Tag::Term(n) => dictionary.terms[n as usize].as_str().into(),
            Tag::Grader(n) => dictionary.graders[n as usize].name.as_str().into(),
            Tag::Label(_) | Tag::Phrase(_) | Tag::Noise => "".into(),
        },
        Value::Number(at) => {
            let (from, to) = readings.numbers[at as usize].number_at;
            let text = readings.context.normalised.text();
            let text = text.get(from as usize..to as usize).unwrap_or("");
            text.to_ascii_uppercase().into()
        }
        Value::Grade(at) => readings.grades[at as usize]
            .value
            .map_or("".into(), GradeValue::text),
        Value::Count(count) => count.to_string().into(),
        Value::Text => proposal.field.as_str().into(),
    }
}
