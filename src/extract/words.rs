//! Words of the dictionary as readings: the rules common to all. The confidence in words of one
//! attribute, and when they mean something else, is in that attribute's file.

use crate::attributes::surroundings::Surroundings;
use crate::attributes::word::Word;
use crate::attributes::{condition, game, kind, language, mark, noise, printing, product, rarity};
use crate::dictionary::{Dictionary, Tag, Tagged, When};
use crate::parsed::Field;
use crate::reading::context::Context;
use crate::reading::{Proposal, Value};
use crate::token::{Class, Line};

/// Factor for a word that the dictionary marks as weak.
const WEAK: f32 = 0.6;
/// Factor inside a run of one script, by the word's letters: only a long word is unlikely to be an
/// accident.
const ONE_LETTER_IN_RUN: f32 = 0.1;
const TWO_LETTERS_IN_RUN: f32 = 0.7;
const MORE_LETTERS_IN_RUN: f32 = 0.9;
/// Factor for two small Latin letters, which are a word of some language.
const TWO_SMALL_LETTERS: f32 = 0.8;

/// Whether a word begins or ends a title without capitals, and counts no money: `mew ex sar jp`, and
/// not `mew ex 350 kr`.
fn ends_small(word: &Word<'_>) -> bool {
    let context = word.context;
    let before = context.line.token_at(word.at()).checked_sub(1);
    (word.at() == 0 || word.end() == context.line.key().len())
        && before.and_then(|before| context.class(before)) != Some(Class::Digit)
        && context.is_small()
}

/// Whether the conditions of the row hold.
fn counts(word: &Word<'_>) -> bool {
    let (tag, around) = (word.tag, word.around);
    if tag.games & around.games == 0 || means_other(word) {
        return false;
    }
    let marked = || match tag.tag {
        // `mew ex jp`, `mew ex rh`: in small letters such a code stands beside what it is said of
        Tag::Language(_) | Tag::Printing(_) if tag.when.has(When::NUMBER) => {
            word.is_upper() || word.near_hit() || ends_small(word)
        }
        // `フカマル S`: in a Japanese title behind a name, too
        Tag::Rarity(_) if word.is_short() => {
            word.context.kana && around.name_ends.contains(&tag.at)
        }
        _ => false,
    };
    let numbered = || marked() || word.near_number();
    (!tag.when.has(When::NUMBER) || numbered())
        && (!tag.when.has(When::GAME) || around.in_question() || numbered())
        && (!tag.when.has(When::GRADER) || around.grader)
        && (!tag.when.has(When::JAPANESE) || around.japanese)
}

/// Whether what stands around words says that they mean something else.
fn means_other(word: &Word<'_>) -> bool {
    match word.tag.tag {
        Tag::Affix(_) => mark::means_other(word),
        Tag::Rarity(_) => rarity::means_other(word),
        Tag::Printing(of) => printing::means_other(word, &word.dictionary.printings[of as usize]),
        Tag::Condition(_) => condition::means_other(word),
        Tag::Language(_) => language::means_other(word),
        Tag::Kind(_) => kind::means_other(word),
        Tag::Sealed(_) => kind::product_means_other(word),
        Tag::Game(_) => game::means_other(word),
        Tag::Term(_) | Tag::Noise | Tag::Phrase(_) | Tag::Grader(_) | Tag::Label(_) => false,
    }
}

/// The attribute of a word, and the confidence in it; `None` if it has none by itself.
fn reading(
    line: &Line,
    dictionary: &Dictionary,
    tag: &Tagged,
    around: &Surroundings<'_>,
) -> Option<(Field, f32)> {
    Some(match tag.tag {
        Tag::Condition(_) => (Field::Condition, condition::quality(around)),
        Tag::Printing(number) => {
            let word = &dictionary.printings[number as usize];
            (word.field, printing::quality(tag, word, around))
        }
        Tag::Rarity(_) => (
            Field::Rarity,
            rarity::quality(line.text(tag.at as usize, tag.end as usize)),
        ),
        Tag::Language(_) => (Field::Language, language::QUALITY),
        Tag::Kind(_) | Tag::Sealed(_) => (Field::Kind, kind::QUALITY),
        Tag::Game(_) => (Field::Game, game::QUALITY),
        Tag::Affix(mark) => (Field::Name, mark::quality(dictionary, tag, mark, around)),
        Tag::Term(_) => (Field::Origin, product::TERM),
        Tag::Noise => (Field::Noise, noise::QUALITY),
        // `graded`, `slab`, `cert` and `ungraded` away from a grade
        Tag::Phrase(number) => noise::phrase(dictionary, number)?,
        Tag::Grader(_) | Tag::Label(_) => return None,
    })
}

/// Whether a negation before the word can take it back: `not the jumbo`, `no box`.
fn deniable(dictionary: &Dictionary, tag: Tag) -> bool {
    match tag {
        Tag::Kind(_)
        | Tag::Sealed(_)
        | Tag::Game(_)
        | Tag::Language(_)
        | Tag::Rarity(_)
        | Tag::Condition(_) => true,
        Tag::Printing(number) => printing::deniable(&dictionary.printings[number as usize]),
        _ => false,
    }
}

/// Proposes a reading for each word that counts.
pub(crate) fn propose(
    context: &Context<'_>,
    dictionary: &Dictionary,
    tags: &[Tagged],
    around: &Surroundings<'_>,
    out: &mut Vec<Proposal>,
) {
    let line = context.line;
    let negations = tags.iter().any(|tag| noise::is_negation(dictionary, tag));
    for tag in tags {
        let other = printing::meant(context, dictionary, tag);
        let tag = other.as_ref().unwrap_or(tag);
        let word = Word {
            context,
            dictionary,
            tag,
            tags,
            around,
        };
        if !counts(&word) {
            continue;
        }
        // `no. 150 Japanese`: languages, finishes and editions are denied by the word before
        // them alone
        let goods = match tag.tag {
            Tag::Kind(_) | Tag::Sealed(_) | Tag::Game(_) => true,
            Tag::Printing(at) => {
                let field = dictionary.printings[at as usize].field;
                matches!(field, Field::Size | Field::Error)
            }
            _ => false,
        };
        if negations
            && deniable(dictionary, tag.tag)
            && noise::denied(context, dictionary, tags, tag.at, goods)
        {
            noise::propose_denied(line, tag, out);
            continue;
        }
        let Some((field, quality)) = reading(line, dictionary, tag, around) else {
            continue;
        };
        let weak = tag.when.has(When::WEAK);
        let of_card = || around.subject || (around.named_apart)(tag.at, tag.end);
        let sure = !weak || field == Field::Pattern && of_card();
        let quality = quality_in_title(context, tag, if sure { quality } else { quality * WEAK });
        let value = Value::Word(tag.tag);
        let mut proposal = Proposal::new(line, (tag.at, tag.end), field, value, quality);
        proposal.weak = weak;
        out.push(proposal);
    }
}

/// Whether a word that is a part of a run begins in one kana and ends in the other: the `リバース` of
/// `よりバースト`.
fn joins_kana(context: &Context<'_>, at: usize, end: usize) -> bool {
    let class = |at: usize| context.class(context.line.token_at(at));
    let kana = (class(at), class(end - 1));
    matches!(
        kana,
        (Some(Class::Hiragana), Some(Class::Katakana))
            | (Some(Class::Katakana), Some(Class::Hiragana))
    )
}

/// Adjusts `quality` by how the word is written in the title.
fn quality_in_title(context: &Context<'_>, tag: &Tagged, mut quality: f32) -> f32 {
    let (at, end) = (tag.at as usize, tag.end as usize);
    if !tag.whole {
        let letters = context.line.text(at, end).chars().count();
        quality *= match letters {
            _ if joins_kana(context, at, end) => 0.0,
            0..=1 => ONE_LETTER_IN_RUN,
            2 => TWO_LETTERS_IN_RUN,
            _ => MORE_LETTERS_IN_RUN,
        };
    }
    let latin_short = end - at <= 2
        && context
            .line
            .tokens()
            .get(context.line.token_at(at))
            .is_some_and(|t| t.class == Class::Latin);
    if latin_short
        && !context.line.is_upper(context.normalised, at, end)
        && !matches!(tag.tag, Tag::Affix(_))
    {
        quality *= TWO_SMALL_LETTERS;
    }
    quality
}
