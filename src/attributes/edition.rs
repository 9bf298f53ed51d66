//! The edition of a printing: first, unlimited, shadowless.

use crate::attributes::label::{UNLIMITED, is_edition};
use crate::attributes::query::Query;
use crate::dictionary::PrintingWord;
use crate::parsed::{Field, PrintingReading};

/// The edition that is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edition {
    First,
    Unlimited,
    Shadowless,
    /// Of the set that has shadowless prints: `1st Edition Shadowless`.
    FirstShadowless,
}

pub(crate) const FIRST: &str = "1st edition";
pub(crate) const SHADOWLESS: &str = "shadowless";
/// Of the Japanese set of 1996, whose first prints lack the mark of the rarity: a treatment in titles,
/// an edition in labels.
pub(crate) const NO_RARITY: &str = "no rarity";

impl Edition {
    fn named(value: &str) -> Option<Edition> {
        match value {
            FIRST => Some(Edition::First),
            UNLIMITED => Some(Edition::Unlimited),
            SHADOWLESS => Some(Edition::Shadowless),
            _ => None,
        }
    }
}

/// Whether a word says an edition of its game's own, which labels have in brackets: `Normal [alpha]`.
pub(crate) fn is_own(word: &PrintingWord) -> bool {
    word.field == Field::Edition && !is_edition(&word.value)
}

/// Adds the clue of the edition that a word of a printing states.
pub(crate) fn ask(word: &PrintingWord, query: &mut Query) {
    if word.field != Field::Edition {
        return;
    }
    let stated = Edition::named(&word.value);
    // shadowless prints are unlimited as well
    match (query.edition, stated) {
        (Some(Edition::First), Some(Edition::Shadowless))
        | (Some(Edition::Shadowless), Some(Edition::First)) => {
            query.edition = Some(Edition::FirstShadowless);
        }
        (Some(Edition::First | Edition::FirstShadowless), _)
        | (Some(Edition::Shadowless), Some(Edition::Unlimited)) => {}
        (before, stated) => query.edition = stated.or(before),
    }
}

/// Writes an edition that is stated or implied; the first of a title counts, but each card of the
/// first edition of Base Set is shadowless, and each shadowless one without the stamp unlimited.
pub(crate) fn write<'t>(value: &'t str, printing: &mut PrintingReading<'t>) {
    let stated = printing.edition.get_or_insert(value.into());
    if value == FIRST && stated == SHADOWLESS || value == SHADOWLESS && stated == UNLIMITED {
        *stated = value.into();
    }
}
