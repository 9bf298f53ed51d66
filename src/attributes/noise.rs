//! Words that say nothing of a card: `L@@K`, `free shipping`, `ungraded`, an auction's own number,
//! words that are denied.

use super::hit::{Hit, Means};
use super::surroundings::Count;
use super::year::is_year;
use crate::dictionary::{Dictionary, PhraseKind, Position, Tag, Tagged, When};
use crate::parsed::Field;
use crate::reading::context::{Context, around, ending};
use crate::reading::{Proposal, Value};
use crate::token::{Class, Line};
use crate::word_lists::NUMBER_WORDS;

/// Confidence in words of `noise.csv`.
pub(crate) const QUALITY: f32 = 0.87;
/// Confidence in words that a negation takes back: `not the jumbo`, `no box`.
const DENIED: f32 = 1.1;
/// Confidence in `graded`, `slab` and `cert` away from a grade.
const SLAB_NOTE: f32 = 0.6;
/// Confidence in `ungraded` away from a grade.
const WISH: f32 = 0.8;
/// Confidence in an auction's own number: `Lot #214`.
const LOT_NUMBER: f32 = 1.9;
/// What begins it.
const LOT: &str = "lot";
const AUCTION: &str = "auction";
/// A negation and what it denies have at most one word of this many bytes between them: `not a`,
/// `no the`.
const SMALL_WORD: u32 = 3;

/// The field and confidence of a phrase about grades away from a grade; `None` if it means nothing
/// there.
pub(crate) fn phrase(dictionary: &Dictionary, number: u16) -> Option<(Field, f32)> {
    match dictionary.phrases.get(number as usize)? {
        (PhraseKind::SlabNote, _) => Some((Field::Noise, SLAB_NOTE)),
        (PhraseKind::Negation | PhraseKind::Wish, Position::Alone) => Some((Field::Wish, WISH)),
        _ => None,
    }
}

/// Whether the words of `tag` deny what stands behind them.
pub(crate) fn is_negation(dictionary: &Dictionary, tag: &Tagged) -> bool {
    is_before(dictionary, tag, PhraseKind::Negation)
}

/// Whether the words of `tag` are a phrase of this kind about what stands behind them.
fn is_before(dictionary: &Dictionary, tag: &Tagged, kind: PhraseKind) -> bool {
    let phrase = match tag.tag {
        Tag::Phrase(at) => dictionary.phrases.get(at as usize),
        _ => None,
    };
    tag.whole && phrase == Some(&(kind, Position::Before))
}

/// Whether a negation precedes key byte `at`, with at most one letter between, `not a reverse holo`,
/// or one small word if `word_between`, which is no number: `No.097 Topsun`.
pub(crate) fn denied(
    context: &Context<'_>,
    dictionary: &Dictionary,
    tags: &[Tagged],
    at: u32,
    word_between: bool,
) -> bool {
    let token = context.line.token_at(at as usize);
    let longest = if word_between { SMALL_WORD } else { 1 };
    let before = token
        .checked_sub(1)
        .and_then(|t| context.line.tokens().get(t))
        .filter(|t| t.end - t.at <= longest && t.class != Class::Digit);
    let negates = |to: u32| {
        let mut tags = ending(tags, to, to).iter();
        tags.any(|tag| is_negation(dictionary, tag))
    };
    negates(at) || before.is_some_and(|b| negates(b.at))
}

/// Proposes that the words of `tag`, which are denied, say nothing.
pub(crate) fn propose_denied(line: &Line, tag: &Tagged, out: &mut Vec<Proposal>) {
    let value = Value::Word(Tag::Noise);
    out.push(Proposal::new(
        line,
        (tag.at, tag.end),
        Field::Noise,
        value,
        DENIED,
    ));
}

/// Takes from hits the names and sets behind a negation, a comparison, or words that say the listing
/// is to be found by them, and tags their words as nothing: `not Charizard or Mew`, `not Revised`,
/// `like Moonbreon`, `検索用 ピカチュウ`.
pub(crate) fn deny_names(
    dictionary: &Dictionary,
    line: &Line,
    tags: &mut Vec<Tagged>,
    hits: &mut [Hit],
) {
    let mut from = 0;
    // `no` is a particle of Japanese names in Latin letters, too
    let negates = |tag: &Tagged| {
        tag.end - tag.at >= SMALL_WORD
            && (is_negation(dictionary, tag) || is_before(dictionary, tag, PhraseKind::Comparison))
    };
    // `Kingdom Come - Memorial Collection`
    let in_name = |hits: &[Hit], tag: &Tagged| {
        let longer = |hit: &Hit| hit.at < tag.at && tag.end <= hit.end;
        hits.iter()
            .any(|hit| hit.whole && hit.means.name && longer(hit))
    };
    // `non-foil Theros`: what it denies is a word of its own
    let in_word = |tags: &[Tagged], tag: &Tagged| {
        let printing = |other: &Tagged| matches!(other.tag, Tag::Printing(_));
        around(tags, tag).any(|other| other.at == tag.at && printing(other))
    };
    while let Some(negation) = tags[from..].iter().position(negates) {
        from += negation + 1;
        let tag = &tags[from - 1];
        if in_name(hits, tag) || in_word(tags, tag) {
            continue;
        }
        let mut at = tags[from - 1].end;
        while let Some(end) = last_of_name(line, hits, at) {
            let inside = |hit: &&mut Hit| at <= hit.at && hit.end <= end;
            for hit in hits.iter_mut().filter(inside) {
                hit.means = Means::default();
            }
            let place = tags.partition_point(|tag| tag.end <= end);
            let words = Tagged {
                at,
                end,
                tag: Tag::Noise,
                when: When::default(),
                whole: true,
                games: u32::MAX,
            };
            tags.insert(place, words);
            at = end;
        }
    }
}

/// The end of the name or set that begins at byte `at` of the key, or behind one small word: `or`,
/// `a`.
fn last_of_name(line: &Line, hits: &[Hit], at: u32) -> Option<u32> {
    let from = |at: u32| {
        let names = hits.iter().filter(|hit| hit.at == at && hit.whole);
        let names = names.filter(|hit| hit.means.name || hit.means.set);
        names.map(|hit| hit.end).max()
    };
    let token = line.tokens().get(line.token_at(at as usize));
    let small = token.filter(|token| token.at == at && token.end - at <= SMALL_WORD);
    from(at).or_else(|| from(small?.end))
}

/// Whether the word for a lot of an auction stands right before a number.
pub(crate) fn is_lot_number(count: &Count<'_, '_>) -> bool {
    count.before == LOT
}

/// Proposes `Lot #214`, `Lot no. 214`, the auction's own number.
pub(crate) fn propose_lot_number(count: &Count<'_, '_>, out: &mut Vec<Proposal>) {
    let index = count.index;
    let numbered = count.before == "#" || NUMBER_WORDS.contains(&count.before);
    if numbered && index >= 2 && count.context.word(index - 2) == LOT {
        count.push(Field::Noise, (index - 2, index), LOT_NUMBER, out);
    }
    // `Lot 57: …`, `Auction lot 57 - …`, at the beginning, and `Lot 31 2022 Pokemon …`
    let behind = || count.context.gap(index).trim();
    let before_year = || is_year(count.context.word(index + 1));
    if is_lot_number(count)
        && (index == 1 || index == 2 && count.context.word(0) == AUCTION)
        && (behind().starts_with([':', '-', '–', '—', '|', '.', ')']) || before_year())
    {
        count.push(Field::Noise, (0, index), LOT_NUMBER, out);
    }
    // `… PSA 10 (Lot 5)`, `… PSA 9 - Lot 217`, at the end
    let last = index + 1 == count.context.line.tokens().len();
    if last && is_lot_number(count) && index >= 2 {
        let apart = count.context.before(index - 1).trim();
        if apart.ends_with(['(', '[', '-', '–', '—', '|', '/']) {
            count.push(Field::Noise, (index - 1, index), LOT_NUMBER, out);
        }
    }
}
