//! The finish of a printing: holo, reverse holo or neither.

use super::writer::Writer;
use crate::attributes::query::Query;
use crate::dictionary::{PrintingWord, Tag};
use crate::parsed::{Field, Finish, PrintingReading};
use crate::reading::{Proposal, Value};

/// Prefix of the rarities that are holo.
const HOLO_RARITY: &str = "Holo Rare";

/// Adds the clue of the finish that a word of a printing states or implies.
pub(crate) fn ask(word: &PrintingWord, query: &mut Query) {
    let value = if word.field == Field::Finish {
        &word.value
    } else {
        &word.implies
    };
    let finish = Finish::called(value).map(Finish::as_holo);
    // `reverse holo` beats the `holo` in `holo rare`
    if finish.is_some() && query.finish != Some(Finish::ReverseHolo) {
        query.finish = finish;
    }
}

/// Adds the clue of the finish that a rarity implies, if no word says another.
pub(crate) fn ask_of_rarity(rarity: &str, query: &mut Query) {
    if rarity == HOLO_RARITY && query.finish.is_none() {
        query.finish = Some(Finish::Holo);
    }
}

/// The finish that a title states by this value: that of a foil is holo, but in titles of games
/// whose `foils` are not called so.
pub(crate) fn stated(value: &str, foils: bool) -> Option<Finish> {
    let finish = Finish::called(value)?;
    Some(if foils { finish } else { finish.as_holo() })
}

/// Writes a stated finish. `reverse holo` and `non-holo` are more precise than a `holo` in the same
/// title.
pub(crate) fn write(finish: Finish, printing: &mut PrintingReading<'_>) {
    if matches!(printing.finish, None | Some(Finish::Holo | Finish::Foil)) {
        printing.finish = Some(finish);
    }
}

/// Writes the finish that another word of a printing implies; whether it implies one.
pub(crate) fn write_implied(
    implied: &str,
    foils: bool,
    printing: &mut PrintingReading<'_>,
) -> bool {
    let Some(finish) = Finish::called(implied) else {
        return false;
    };
    let finish = if foils { finish.as_foil() } else { finish };
    printing.finish.get_or_insert(finish);
    true
}

/// Writes the finish that a part of other words for a print or a rarity says, if no words say another:
/// `Crystal Holo`, `Secret Holo`.
pub(crate) fn write_of_part(writer: &mut Writer<'_, '_, '_>) {
    if writer.printing.finish.is_some() {
        return;
    }
    let (readings, foils) = (writer.readings, writer.foils);
    let of_print = |p: &Proposal| {
        let fields = [
            Field::Rarity,
            Field::Treatment,
            Field::Stamp,
            Field::Pattern,
        ];
        let around = readings.chosen.covering(p.at);
        around.is_some_and(|c| fields.contains(&c.field) && p.inside(c))
    };
    let finish = readings.proposals.iter().find_map(|p| match p.value {
        Value::Word(Tag::Printing(at)) if p.field == Field::Finish && !p.weak && of_print(p) => {
            stated(
                &readings.reference.dictionary.printings[at as usize].value,
                foils,
            )
        }
        _ => None,
    });
    writer.printing.finish = finish.filter(|finish| *finish != Finish::NonHolo);
}

/// Writes the finish that a rarity implies.
pub(crate) fn write_of_rarity(rarity: &str, printing: &mut PrintingReading<'_>) {
    if rarity.starts_with(HOLO_RARITY) && printing.finish.is_none() {
        printing.finish = Some(Finish::Holo);
    }
}
