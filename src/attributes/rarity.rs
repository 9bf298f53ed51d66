//! The rarity, as sellers name it.

use super::finish;
use super::label::each_part;
use super::mark;
use super::readings::Readings;
use super::word::Word;
use super::writer::Writer;
use crate::attributes::query::Query;
use crate::dictionary::{Dictionary, RarityWord, Tag};
use crate::math::information;
use crate::parsed::Field;
use crate::reading::context::ending;
use crate::reading::{Chosen, Proposal, Value};
use crate::reference::Reference;
use crate::stats::{PROMO, has_rarity};
use crate::token::Class;
use crate::word_lists::{
    RARITIES_PLAIN, RARITIES_PRAISE, RARITIES_VAGUE, RARITY_PARTS_NARROW, RARITY_PARTS_SECRET,
};

/// Confidence in words of a rarity; in those of three words that end in `rare` it is that of a set's
/// name, which another rarity may follow: the set `Premium Gold` in `Premium Gold Rare`.
const QUALITY: f32 = 1.1;
const LONG_QUALITY: f32 = 1.25;
const LONG: usize = 15;
/// The rarity that is most often praise.
const RARE: &str = "Rare";
/// Rarity marks, which cards of further regions have, are of at most this many letters.
const LETTERS_OF_MARK: usize = 4;
/// What the dictionary calls the lack of one.
const NONE: &str = "None";

/// The word for a foil that begins some words for how rare a card is.
const HOLO: &str = "holo";

/// Whether words for a rarity mean something else.
pub(crate) fn means_other(word: &Word<'_>) -> bool {
    if mark::is_ornament(word) || word.len() == 1 && word.ends_word() {
        // `UtR` is no `R`
        true
    } else if word.is_short() {
        // `AR1` is a seller's code, but `SAR2枚` counts cards
        !word.context.japanese && word.is_before_digits() || is_small_away(word)
    } else {
        // `Reverse Holo Rare` is a reverse holo, and rare
        ends_finish(word)
    }
}

/// Whether a rarity's letters are some word: away from names, sets and kana, `sar` in small letters is one
/// of some language, but `ScR` is a rarity.
fn is_small_away(word: &Word<'_>) -> bool {
    let context = word.context;
    let small = |at: usize| !context.line.is_upper(context.normalised, at, at + 1);
    !word.near_hit()
        && (small(word.at()) || small(word.end() - 1))
        && !word.near_number()
        && !is_beside_kana(word)
}

/// Whether kana stand next to it.
fn is_beside_kana(word: &Word<'_>) -> bool {
    let token = word.token();
    let kana = |token: Option<usize>| {
        let class = token.and_then(|token| word.context.class(token));
        matches!(class, Some(Class::Katakana | Class::Hiragana))
    };
    kana(token.checked_sub(1)) || kana(Some(token + 1))
}

/// Whether a rarity begins with the end of a longer word for a finish: of `Reverse Holo`.
fn ends_finish(word: &Word<'_>) -> bool {
    let rarity = word.tag;
    let holo = rarity.at + HOLO.len() as u32;
    word.text().starts_with(HOLO) && holo < rarity.end && {
        let mut finishes = ending(word.tags, holo, holo).iter();
        finishes.any(|tag| matches!(tag.tag, Tag::Printing(_)) && tag.at < rarity.at)
    }
}

/// Confidence in the words `text` of a rarity.
pub(crate) fn quality(text: &str) -> f32 {
    if text.len() >= LONG && text.ends_with("rare") {
        LONG_QUALITY
    } else {
        QUALITY
    }
}

/// Whether the same words were read as a rarity or treatment: `Gold Star` is a rarity and a mark of
/// the name.
pub(crate) fn also(chosen: &Chosen, proposal: &Proposal) -> bool {
    let same = |c: &Proposal| {
        c.at == proposal.at
            && c.end == proposal.end
            && matches!(c.field, Field::Rarity | Field::Treatment)
    };
    chosen.covering(proposal.at).is_some_and(same)
}

/// Whether the rarity with number `word` of the dictionary is a promo's.
pub(crate) fn is_promo(dictionary: &Dictionary, word: u16) -> bool {
    dictionary.rarities[word as usize].value == PROMO
}

/// Whether few other things than cards are said to be of the rarity with number `word` of the
/// dictionary.
pub(crate) fn is_telling(dictionary: &Dictionary, word: u16) -> bool {
    let value = dictionary.rarities[word as usize].value.as_str();
    !RARITIES_VAGUE.contains(&value) && !RARITIES_PLAIN.contains(&value)
}

/// Whether the rarity with number `word` of the dictionary says more than a treatment in the same
/// words: no secret one, whose art is all that they say, nor that of cards without a rarity, of which
/// Japan's first prints, `No Rarity`, are not.
pub(crate) fn adds_to_treatment(dictionary: &Dictionary, word: u16) -> bool {
    let value = dictionary.rarities[word as usize].value.as_str();
    value != NONE && !RARITY_PARTS_SECRET.iter().any(|part| value.contains(part))
}

/// The words for a rarity that the title states.
pub(crate) fn words<'f>(readings: &Readings<'f, '_>) -> impl Iterator<Item = &'f RarityWord> {
    let (dictionary, chosen) = (readings.reference.dictionary, readings.chosen);
    chosen.iter().filter_map(|proposal| match proposal.value {
        Value::Word(Tag::Rarity(at)) => dictionary.rarities.get(at as usize),
        _ => None,
    })
}

/// Adds the clue of the rarity with number `word` of the dictionary.
/// `text` is what the title writes.
pub(crate) fn ask(reference: &Reference<'_, '_>, word: u16, text: &str, query: &mut Query) {
    let value = reference.dictionary.rarities[word as usize].value.as_str();
    if value == PROMO {
        query.promo = true;
        return;
    }
    finish::ask_of_rarity(value, query);
    query.rarity_vague = RARITIES_VAGUE.contains(&value) && (query.rarity_vague || !query.rarity);
    query.rarity = true;
    query.rarity_words.push(word);
    query.secret |= RARITY_PARTS_SECRET.iter().any(|word| value.contains(word));
    query.arts.ask(value);
    if text.len() <= LETTERS_OF_MARK {
        let catalogue = reference.catalogue;
        let numbers =
            1..=u8::try_from(catalogue.rarity_count().saturating_sub(1)).unwrap_or(u8::MAX);
        let mark = numbers
            .into_iter()
            .find(|&number| catalogue.rarity(number).eq_ignore_ascii_case(text));
        query.mark = mark.unwrap_or(query.mark);
    }
}

/// Finds what the words for a rarity mean, in the game that the title names or in all, and computes
/// the information in agreeing with that.
pub(crate) fn weigh(reference: &Reference<'_, '_>, query: &mut Query) {
    if !query.rarity {
        return;
    }
    let (catalogue, dictionary) = (reference.catalogue, reference.dictionary);
    let game = reference.stats.folder_of_game(query.games);
    let value = |word: u16| dictionary.rarities[word as usize].value.as_str();
    let words = &query.rarity_words;
    let narrow = |&word: &u16| {
        RARITY_PARTS_NARROW
            .iter()
            .any(|part| value(word).contains(part))
    };
    let narrow = words.iter().any(narrow);
    let telling = words.iter().any(|&word| is_telling(dictionary, word));
    for &word in words {
        let praise = telling && RARITIES_PRAISE.contains(&value(word));
        if praise || narrow && RARITIES_VAGUE.contains(&value(word)) {
            continue;
        }
        let meant = reference.stats.rarities_of(word, game);
        for (all, one) in query.rarities.iter_mut().zip(meant) {
            *all |= one;
        }
        let word = (word, game);
        if let Some(rated) = (reference.stats).rated(catalogue, dictionary, word, each_part) {
            query.rated.extend_from_slice(&rated.labels);
            query.rated_cards = query.rated_cards.saturating_add(rated.cards);
        }
    }
    let cards = reference.catalogue.card_count().max(1) as f32;
    let like = reference
        .stats
        .rarity_cards
        .iter()
        .enumerate()
        .filter(|(n, _)| query.rarities[n / 64] & (1 << (n % 64)) != 0)
        .map(|(_, c)| *c)
        .fold(query.rated_cards, u32::saturating_add);
    query.rarity_idf = information(cards, like);
    // of the letters' meanings the mark is one: halfway between it and all of them
    let marked = information(cards, reference.catalogue.rarity_cards(query.mark));
    query.mark_idf = (query.rarity_idf + marked) / 2.0;
    query.mark_above = has_rarity(&reference.stats.marks_above(catalogue), query.mark);
}

/// Whether a rarity that stands behind another says more: `SAR` in `rare Mewtwo 221/172 SAR`. What is
/// common or a promo may be rare as well.
fn says_more(held: &str, value: &str) -> bool {
    let more = if held == RARE {
        value != RARE
    } else {
        RARITIES_VAGUE.contains(&held) && !RARITIES_VAGUE.contains(&value)
    };
    more && !RARITIES_PLAIN.contains(&value)
}

/// Writes the rarity with number `word` of the dictionary; the first of a title counts, unless it is
/// what sellers call anything.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, word: u16) {
    let value = writer.dictionary().rarities[word as usize].value.as_str();
    writer.chosen(Field::Rarity, value, proposal);
    let held = writer.parsed.rarity.as_deref();
    if held.is_none_or(|held| !proposal.weak && says_more(held, value)) {
        writer.parsed.rarity = Some(value.into());
    }
    finish::write_of_rarity(value, &mut writer.printing);
}
