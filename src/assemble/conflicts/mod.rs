//! [`Conflict`]s: what the title states and the first card contradicts.

mod name;
mod printing;

use crate::answer::{Conflict, Match};
use crate::attributes::label::Label;
use crate::attributes::readings::Readings;
use crate::catalogue::Columns;
use crate::catalogue::format::{CardRecord, card_flag};
use crate::findings::Findings;
use crate::parsed::{Field, Finish, Parsed};
use crate::reading::Value;
use crate::score::features::Feature;
use crate::score::rarity::OF_PRAISE;
use std::borrow::Cow;

/// Hit points are kept in tens.
const TENS: u16 = 10;

/// The conflicts with the first card, each attribute once, in the order of the evidence.
pub(super) fn conflicts<'t>(
    findings: &Findings<'_, 't>,
    parsed: &Parsed<'t>,
    first: Option<&Match<'t>>,
) -> Vec<Conflict<'t>> {
    let catalogue = findings.readings.reference.catalogue;
    let ranked = findings.ranked.first();
    let (Some(first), Some(record)) = (first, ranked.and_then(|r| catalogue.card_record(r.card)))
    else {
        return Vec::new();
    };
    let mut conflicts: Vec<Conflict<'t>> = Vec::new();
    if let Some(stated) = name::stated(findings, record) {
        add(
            &mut conflicts,
            Field::Name,
            (stated.into(), first.name.clone()),
        );
    }
    let label = Label::of(first.printing.as_deref().unwrap_or_default());
    for &(feature, value) in findings.evidence.of(0) {
        // what sellers call any card contradicts none
        let praise = feature == Feature::RarityDiffers && value == OF_PRAISE;
        if !contradicts(feature) || value == 0.0 || praise {
            continue;
        }
        let field = match feature.field() {
            Field::Rarity if is_of_treatment(feature, parsed) => Field::Treatment,
            field => field,
        };
        let pair = if field == Field::Treatment {
            let held = || first.rarity.clone().unwrap_or_default();
            printing::treatment(findings, &label)
                .map(|(stated, held_there)| (stated, held_there.unwrap_or_else(held)))
        } else {
            let stated = stated(&findings.readings, parsed, field);
            stated.zip(held(catalogue, record, (first, parsed), field))
        };
        if let Some(pair) = pair {
            add(&mut conflicts, field, pair);
        }
    }
    if first.printing.is_some() {
        printing::conflicts(findings, parsed, (record, &label), &mut conflicts);
    }
    conflicts
}

/// Adds a conflict of an attribute that has none yet, if the two values differ.
fn add<'t>(
    conflicts: &mut Vec<Conflict<'t>>,
    field: Field,
    (stated, held): (Cow<'t, str>, Cow<'t, str>),
) {
    let known = conflicts.iter().any(|conflict| conflict.field == field);
    if !known && !held.is_empty() && !stated.eq_ignore_ascii_case(&held) {
        conflicts.push(Conflict {
            field,
            stated,
            held,
        });
    }
}

/// Whether a piece of evidence about rarity is one about the treatment that the title states.
fn is_of_treatment(feature: Feature, parsed: &Parsed<'_>) -> bool {
    let treated = || {
        let printing = parsed.printing.as_ref();
        printing.is_some_and(|printing| !printing.treatment.is_empty())
    };
    let by_rarity = feature == Feature::RarityDiffers && parsed.rarity.is_some();
    !by_rarity && treated()
}

/// Whether a piece of evidence says that the card has another value than the one stated. A word
/// that the card lacks contradicts nothing.
fn contradicts(feature: Feature) -> bool {
    use Feature as F;
    matches!(
        feature,
        F::NameDiffers
            | F::ThingDiffers
            | F::OnlyNameDiffers
            | F::NumberDiffers
            | F::PrefixedDiffers
            | F::BareDiffers
            | F::OnlyNumberDiffers
            | F::NumberSlip
            | F::BareSlip
            | F::TotalDiffers
            | F::TotalNear
            | F::TotalSlip
            | F::SetDiffers
            | F::CodeDiffers
            | F::OnlySetDiffers
            | F::YearDiffers
            | F::YearSlip
            | F::LanguageDiffers
            | F::RarityDiffers
            | F::SecretDiffers
            | F::AltDiffers
            | F::ArtDiffers
            | F::FinishDiffers
            | F::ReverseDiffers
            | F::HpDiffers
            | F::GameDiffers
    )
}

/// The attribute's value in the title.
fn stated<'t>(
    readings: &Readings<'_, 't>,
    parsed: &Parsed<'t>,
    field: Field,
) -> Option<Cow<'t, str>> {
    let printing = parsed.printing.as_ref();
    match field {
        Field::Name => parsed.name.clone(),
        Field::Number => parsed.number.clone(),
        Field::Total => parsed.total.clone(),
        Field::Set => parsed.set.as_ref().map(|set| set.name.clone()),
        Field::Year => parsed.year.map(|year| year.to_string().into()),
        Field::Language => parsed.language.clone(),
        Field::Rarity => parsed.rarity.clone(),
        Field::Finish => printing.and_then(|p| p.finish).map(|f| f.as_str().into()),
        Field::Game => parsed.game.clone(),
        Field::Hp => {
            let mut chosen = readings.chosen.of(Field::Hp);
            chosen.find_map(|proposal| match proposal.value {
                Value::Count(count) => Some(count.to_string().into()),
                _ => None,
            })
        }
        // no card says another value: see `held`
        _ => None,
    }
}

/// The card's value, in the words of the title where it has several.
fn held<'t>(
    catalogue: &Columns<'t>,
    record: &CardRecord,
    (first, parsed): (&Match<'t>, &Parsed<'t>),
    field: Field,
) -> Option<Cow<'t, str>> {
    match field {
        Field::Name => Some(first.name.clone()),
        Field::Number => Some(catalogue.number_text(record).into()),
        Field::Total => Some(catalogue.total_text(record).into()),
        Field::Set => Some(first.set_name.clone()),
        Field::Year => {
            let set = catalogue.set_record(record);
            let released = set.map_or(0, |set| set.released.get() / 10_000);
            let year = catalogue.product_year(record).map_or(released, u32::from);
            (year != 0).then(|| year.to_string().into())
        }
        Field::Language => Some(first.language.clone()),
        Field::Rarity => first.rarity.clone(),
        Field::Finish => {
            let stated = parsed
                .printing
                .as_ref()
                .and_then(|printing| printing.finish);
            let foils = matches!(stated, Some(Finish::Foil | Finish::NonFoil));
            Some(finishes(record, foils).into())
        }
        Field::Hp => (record.hp != 0).then(|| (u16::from(record.hp) * TENS).to_string().into()),
        Field::Game => Some(first.game.clone()),
        _ => None,
    }
}

/// The finishes that a card is known in, by the words for `foils` or for holos.
fn finishes(record: &CardRecord, foils: bool) -> String {
    let flags = record.flags.get();
    let known = [
        (card_flag::NORMAL, Finish::NonHolo),
        (card_flag::HOLO, Finish::Holo),
        (card_flag::REVERSE, Finish::ReverseHolo),
    ];
    let known = known.iter().filter(|(flag, _)| flags & flag != 0);
    let names: Vec<&str> = known
        .map(|(_, finish)| if foils { finish.as_foil() } else { *finish })
        .map(Finish::as_str)
        .collect();
    names.join(" or ")
}
