//! Words of a printing: its finish and edition, which have files of their own, and its pattern,
//! size, stamps, treatment and errors.

use super::edition::{FIRST, NO_RARITY};
use super::label::Label;
use super::readings::Readings;
use super::surroundings::Surroundings;
use super::word::Word;
use super::writer::Writer;
use super::{art, edition, finish};
use crate::attributes::query::Query;
use crate::dictionary::{Dictionary, PrintingWord, Tag, Tagged, When};
use crate::parsed::Field;
use crate::reading::context::Context;
use crate::reading::{Chosen, Proposal, Value};
use crate::reference::Reference;
use crate::token::{Class, key_of};
use crate::word_lists::TREATMENTS_SECRET;
use std::borrow::Cow;

/// Confidence in words of a printing.
const QUALITY: f32 = 1.15;
/// Confidence in a pattern beside a subject, or beside a card that its number names: there `Master
/// Ball` is a pattern of its foil, by itself it is a card.
const PATTERN_BESIDE_NAME: f32 = 1.5;

/// How sure words are those of a printing.
pub(crate) fn quality(tag: &Tagged, word: &PrintingWord, around: &Surroundings<'_>) -> f32 {
    let named = || !around.name_ends.is_empty() || (around.named_apart)(tag.at, tag.end);
    if word.field == Field::Pattern && named() {
        PATTERN_BESIDE_NAME
    } else {
        QUALITY
    }
}

/// Whether a word of a printing means something else.
pub(crate) fn means_other(word: &Word<'_>, of: &PrintingWord) -> bool {
    // `Wanted: Trafalgar Law` is a wish, `Law Wanted` a poster
    if is_heading(word) {
        return true;
    }
    // `1 Ponder (LRW) 79 *F*`: a letter is a word of anything without stars or brackets
    if word.len() == 1 && !word.is_marked() {
        return true;
    }
    // elsewhere an old card is `alt` in German, but in games whose own word it is
    if word.is_short()
        && !word.tag.when.has(When::GAME)
        && art::is_said_in_letters(&of.value)
        && !word.is_upper()
    {
        return !is_said_of_name(word);
    }
    // `ホロ` is a rarity of Yu-Gi-Oh!
    let games = word.around.games;
    word.around.in_question()
        && of.field == Field::Finish
        && word.meanings().any(|own| {
            let strong = matches!(own.tag, Tag::Rarity(_)) && !own.when.has(When::WEAK);
            strong && own.games & games != 0
        })
}

/// Whether words stand before a colon at the start of a title, where those that are also for a kind of
/// listing mean that: `Wanted: …`.
fn is_heading(word: &Word<'_>) -> bool {
    let kind = |tag: &Tagged| matches!(tag.tag, Tag::Kind(_));
    let next = || word.context.line.token_at(word.end());
    word.at() == 0 && word.meanings().any(kind) && word.context.before(next()).contains(':')
}

/// Whether small letters for art stand beside a name with a mark: `Lugia V alt`, `Ho-Oh GX fa`.
fn is_said_of_name(word: &Word<'_>) -> bool {
    let affix = |tag: &Tagged| matches!(tag.tag, Tag::Affix(_));
    // `Umbreon V Evolving Skies alt`
    let beside = word.near_hit() || word.end() == word.context.line.key().len();
    let mut before = word.before(if beside { 0 } else { word.tag.at }).iter();
    // `Alt Mew VMAX`
    let begins = || {
        let named = word.around.name_starts.contains(&word.tag.end);
        word.at() == 0 && named && word.tags.iter().any(affix)
    };
    before.any(|tag| affix(tag) && tag.at < word.tag.at) || begins()
}

/// What a word of a printing means where it stands, if it is another thing than elsewhere: `初版`
/// behind a collector number is the first edition, since no card of the set of 1996, whose first
/// prints lack a mark, has a number.
pub(crate) fn meant(
    context: &Context<'_>,
    dictionary: &Dictionary,
    tag: &Tagged,
) -> Option<Tagged> {
    let Tag::Printing(word) = tag.tag else {
        return None;
    };
    if !tag.when.has(When::WEAK) || dictionary.printings[word as usize].value != NO_RARITY {
        return None;
    }
    let token = context.line.token_at(tag.at as usize);
    let is = |back: usize, so: &dyn Fn(usize) -> bool| token.checked_sub(back).is_some_and(so);
    let digits = |at: usize| context.class(at) == Some(Class::Digit);
    if !(is(1, &digits) && is(2, &|at| context.word(at) == "/") && is(3, &digits)) {
        return None;
    }
    let mut words = dictionary.printings.iter();
    let first = words.position(|word| word.value == FIRST)?;
    Some(Tagged {
        tag: Tag::Printing(first as u16),
        when: When::default(),
        ..*tag
    })
}

/// Whether a negation before the words can take them back: `not the jumbo`, `non reverse`, `not
/// rainbow`.
pub(crate) fn deniable(word: &PrintingWord) -> bool {
    use Field::{Edition, Error, Finish, Size, Stamp, Treatment};
    matches!(
        word.field,
        Edition | Error | Finish | Size | Stamp | Treatment
    )
}

/// Whether a word tells a printing from those of the same finish and edition by what stands in the
/// brackets of its label.
pub(crate) fn qualifies(word: &PrintingWord) -> bool {
    word.qualifies() || edition::is_own(word)
}

/// The words of a printing that the title states.
pub(crate) fn words<'f>(readings: &Readings<'f, '_>) -> impl Iterator<Item = &'f PrintingWord> {
    let (dictionary, chosen) = (readings.reference.dictionary, readings.chosen);
    chosen
        .iter()
        .filter(move |proposal| !is_any_stamp(chosen, proposal))
        .filter_map(|proposal| match proposal.value {
            Value::Word(Tag::Printing(at)) => dictionary.printings.get(at as usize),
            _ => None,
        })
}

/// Whether a word for a stamp means the one that other words name: `GameStop promo stamped`.
pub(crate) fn is_any_stamp(chosen: &Chosen, proposal: &Proposal) -> bool {
    let stamp = |p: &Proposal| p.field == Field::Stamp;
    proposal.weak && stamp(proposal) && chosen.of(Field::Stamp).any(|p| !p.weak)
}

/// The key of a qualifier, which [`PrintingWord::labels`] compares.
pub(crate) fn qualifier_key(qualifier: &str) -> String {
    let mut rest = qualifier;
    for word in [" stamp", " foil"] {
        while let Some(shorter) = rest.strip_suffix(word) {
            rest = shorter;
        }
    }
    key_of(rest)
}

/// Adds the clues that the words state.
pub(crate) fn ask(reference: &Reference<'_, '_>, at: u16, query: &mut Query) {
    let word = &reference.dictionary.printings[at as usize];
    let told = [Field::Stamp, Field::Treatment, Field::Pattern, Field::Error];
    if told.contains(&word.field) || edition::is_own(word) {
        let says = |label: &str| {
            let label = Label::of(label);
            label
                .qualifiers()
                .any(|part| word.labels(&qualifier_key(part)))
        };
        let stamped = reference.stats.stamped(reference.catalogue, at, says);
        // of `Finalist` and `Regional`, the prints that are called both
        let both = |label: &u32| stamped.binary_search(label).is_ok();
        if query.stamped.iter().any(both) {
            query.stamped.retain(both);
        } else {
            query.stamped.extend_from_slice(stamped);
        }
    }
    // where the title has that name itself, its word is a clue already
    let named = reference
        .stats
        .product_word(reference.catalogue, at, &word.value);
    if let Some(named) = named.filter(|named| !query.words.contains(named)) {
        query.words.push(named);
    }
    finish::ask(word, query);
    edition::ask(word, query);
    query.no_rarity |= word.value == NO_RARITY;
    if word.field == Field::Treatment {
        query.arts.ask(&word.value);
    }
    query.secret |=
        word.field == Field::Treatment && TREATMENTS_SECRET.contains(&word.value.as_str());
}

/// Writes the words with number `word` of the dictionary.
pub(crate) fn write<'t>(writer: &mut Writer<'_, '_, 't>, proposal: &Proposal, word: u16) {
    let word = &writer.dictionary().printings[word as usize];
    let foils = writer.foils && writer.game.is_none_or(|game| !game.foils_are_holos);
    let finish = finish::stated(&word.value, foils).filter(|_| word.field == Field::Finish);
    let value = finish.map_or(word.value.as_str(), |finish| finish.as_str());
    writer.chosen(word.field, value, proposal);
    if is_any_stamp(writer.readings.chosen, proposal) {
        return;
    }
    let printing = &mut writer.printing;
    let list = |list: &mut Vec<Cow<'t, str>>| {
        if !list.iter().any(|known| known == value) {
            list.push(value.into());
        }
    };
    match word.field {
        Field::Finish => {
            if let Some(finish) = finish {
                finish::write(finish, printing);
            }
        }
        Field::Edition => edition::write(value, printing),
        Field::Pattern => {
            printing.pattern.get_or_insert(value.into());
        }
        Field::Size => {
            printing.size.get_or_insert(value.into());
        }
        Field::Stamp => list(&mut printing.stamps),
        Field::Treatment => list(&mut printing.treatment),
        _ => list(&mut printing.errors),
    }
    if !word.implies.is_empty() && !finish::write_implied(&word.implies, foils, printing) {
        edition::write(&word.implies, printing);
    }
}
