//! The finish of a printing: holo, reverse holo or neither.

use crate::attributes::query::Query;
use crate::dictionary::PrintingWord;
use crate::parsed::{Field, PrintingReading};

const HOLO: &str = "holo";
const REVERSE_HOLO: &str = "reverse holo";
const NON_HOLO: &str = "non-holo";
/// Rarities whose names begin so are holo.
const HOLO_RARITY: &str = "Holo Rare";

/// What finish is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    Holo,
    Reverse,
    Plain,
}

impl Finish {
    fn named(value: &str) -> Option<Finish> {
        match value {
            HOLO => Some(Finish::Holo),
            REVERSE_HOLO => Some(Finish::Reverse),
            NON_HOLO => Some(Finish::Plain),
            _ => None,
        }
    }
}

/// Asks for the finish that a word of a printing states or implies.
pub(crate) fn ask(word: &PrintingWord, query: &mut Query) {
    let value = if word.field == Field::Finish {
        &word.value
    } else {
        &word.implies
    };
    let finish = Finish::named(value);
    // `reverse holo` beats the `holo` in `holo rare`
    if finish.is_some() && query.finish != Some(Finish::Reverse) {
        query.finish = finish;
    }
}

/// Writes a finish that is stated: `reverse holo` and `non-holo` say more than a `holo` beside them.
pub(crate) fn write<'t>(value: &'t str, printing: &mut PrintingReading<'t>) {
    if printing.finish.is_none() || printing.finish == Some(HOLO) {
        printing.finish = Some(value);
    }
}

/// Writes the finish that another word of a printing implies; whether it implies one.
pub(crate) fn write_implied<'t>(implied: &'t str, printing: &mut PrintingReading<'t>) -> bool {
    let is = Finish::named(implied).is_some();
    if is {
        printing.finish.get_or_insert(implied);
    }
    is
}

/// Writes the finish that a rarity implies.
pub(crate) fn write_of_rarity(rarity: &str, printing: &mut PrintingReading<'_>) {
    if rarity.starts_with(HOLO_RARITY) && printing.finish.is_none() {
        printing.finish = Some(HOLO);
    }
}
