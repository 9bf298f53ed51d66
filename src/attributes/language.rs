//! The language of a card: stated, or carried by the script of the title.

use super::hit::Hit;
use super::number;
use super::word::Word;
use super::writer::Writer;
use crate::dictionary::{Dictionary, Spoken, Tag, Tagged, When};
use crate::parsed::Field;
use crate::reading::context::Context;
use crate::reading::{Chosen, Proposal, Value};
use crate::token::{Class, Line, Token};
use crate::word_lists::CHINESE_LETTERS;
use std::borrow::Cow;

/// Confidence in words for a language.
pub(crate) const QUALITY: f32 = 1.15;

const JAPANESE: &str = "japanese";
const KOREAN: &str = "korean";
const CHINESE: &str = "chinese";
const RUSSIAN: &str = "russian";
const THAI: &str = "thai";
/// The code of a language has at most so many letters.
const LETTERS_OF_CODE: u32 = 3;

/// Whether and how the title states the card's language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Language {
    /// Nothing.
    #[default]
    Unsaid,
    /// A language in which cards of first regions alone are printed, as English.
    International,
    /// Japanese.
    Japanese,
    /// Another language in which cards of a further region are printed, as Korean.
    Regional,
}

/// Whether `name` is Japanese.
pub(crate) fn is_japanese(name: &str) -> bool {
    name == JAPANESE
}

/// Whether words for a language mean something else, or less.
pub(crate) fn means_other(word: &Word<'_>) -> bool {
    // `ES4` is a seller's code
    if word.is_short() && word.is_before_digits() {
        return true;
    }
    // `from Japan` says less than `Japan`
    let says_less = |tag: &Tagged| matches!(tag.tag, Tag::Language(_)) && tag.when.has(When::WEAK);
    if !word.tag.when.has(When::WEAK) && word.longer().any(says_less) {
        return true;
    }
    // `HK$90`
    let context = word.context;
    let (_, to) = context.line.norm_range(word.at(), word.end());
    context.normalised.text().as_bytes().get(to) == Some(&b'$')
}

/// Whether words for a language lie inside those of a set or name: `Japanese Base Set` names a set
/// and a language; but letters beside `&` or digits are of a code or of a number: `FR & LG`, `DE02`,
/// `25TH`, and the letters of a code that begin a name are its own: `CHI-YU EX`.
pub(crate) fn inside_set(line: &Line, chosen: &Chosen, proposal: &Proposal) -> bool {
    let class = |token: Option<&Token>| token.map(|token| token.class);
    let beside_digits = || {
        let tokens = line.tokens();
        let first = line.token_at(proposal.at as usize);
        let next = line.token_at(proposal.end as usize);
        let glued = |at: usize| tokens.get(at).filter(|token| token.glued);
        let before = glued(first).and_then(|_| tokens.get(first.checked_sub(1)?));
        class(tokens.get(first)) == Some(Class::Latin)
            && (class(glued(next)) == Some(Class::Digit) || class(before) == Some(Class::Digit))
    };
    let around = chosen.covering(proposal.at);
    let code = |c: &Proposal| {
        c.field == Field::Name
            && c.at == proposal.at
            && proposal.end - proposal.at <= LETTERS_OF_CODE
    };
    around.is_some_and(|c| matches!(c.value, Value::Hit(_)) && proposal.inside(c) && !code(c))
        && !(line.key()[..proposal.at as usize].ends_with(b"&")
            || line.key()[proposal.end as usize..].starts_with(b"&"))
        && !beside_digits()
}

/// Whether a subject is named in letters of such a class.
fn names_in(class: Class, context: &Context<'_>, hits: &[Hit], chosen: &Chosen) -> bool {
    chosen.of(Field::Name).any(|c| match c.value {
        Value::Hit(at) => {
            let hit = &hits[at as usize];
            let first = context.class(context.line.token_at(hit.at as usize));
            hit.means.subject && first == Some(class)
        }
        _ => false,
    })
}

/// What answers and catalogues call a language of the dictionary: all Chinese is one.
pub(crate) fn public_name(language: &str) -> &str {
    if language.contains(CHINESE) {
        CHINESE
    } else {
        language
    }
}

/// The language of a card that is named in Cyrillic or Thai letters: of the languages that write so,
/// cards are printed in one.
fn of_letters(context: &Context<'_>, chosen: &Chosen) -> Option<&'static str> {
    if context.line.is_ascii() {
        return None;
    }
    chosen.of(Field::Name).find_map(|c| {
        let name = context.line.text(c.at as usize, c.end as usize);
        match name.chars().next()? {
            '\u{400}'..='\u{4ff}' => Some(RUSSIAN),
            '\u{e00}'..='\u{e7f}' => Some(THAI),
            _ => None,
        }
    })
}

/// Whether a character of Han stands elsewhere than right behind digits, where it counts or is money:
/// `Charizard 4/102 1000円`.
fn says_han(context: &Context<'_>) -> bool {
    let counts = |index| context.glued_before(index) == Some(Class::Digit);
    let mut tokens = context.line.tokens().iter().enumerate();
    tokens.any(|(index, token)| token.class == Class::Han && !counts(index))
}

/// Whether a letter of Han is one that Japanese does not write: the `戲` of `遊戲王`.
fn has_chinese_letter(context: &Context<'_>) -> bool {
    let han = |token: &&Token| token.class == Class::Han;
    let mut tokens = context.line.tokens().iter().filter(han);
    tokens.any(|token| {
        let text = context.line.text(token.at as usize, token.end as usize);
        CHINESE_LETTERS.iter().any(|letter| text.contains(letter))
    })
}

/// The language that the script of the title carries.
fn carried(context: &Context<'_>, hits: &[Hit], chosen: &Chosen) -> Option<&'static str> {
    if context.kana {
        Some(JAPANESE)
    } else if context.hangul {
        Some(KOREAN)
    } else if !context.japanese || !says_han(context) {
        of_letters(context, chosen)
    } else if names_in(Class::Han, context, hits, chosen) || has_chinese_letter(context) {
        // a Japanese name is always in kana
        Some(CHINESE)
    } else {
        Some(JAPANESE)
    }
}

/// The language clue from `stated`, or else from the script of the title: not where a title in several
/// languages names a set of a `first` region, as `Durant アイアント Journey Together`; and the language's
/// name, if it is said.
pub(crate) fn clue<'s>(
    stated: Option<&'s str>,
    dictionary: &Dictionary,
    context: &Context<'_>,
    (hits, chosen): (&[Hit], &Chosen),
    first: impl Fn() -> bool,
) -> (Language, Option<&'s str>) {
    let of = |language: &str| match dictionary.spoken(language) {
        _ if language == JAPANESE => Some(Language::Japanese),
        Spoken::First => Some(Language::International),
        Spoken::Further => Some(Language::Regional),
        Spoken::Nowhere => None,
    };
    stated
        .and_then(|language| Some((of(language)?, stated)))
        .or_else(|| {
            let carried = carried(context, hits, chosen)?;
            let first =
                context.japanese && names_in(Class::Latin, context, hits, chosen) && first();
            let clue = of(carried).filter(|_| !first)?;
            Some((clue, Some(carried)))
        })
        .unwrap_or_default()
}

/// Writes the words for the language with number `word` of the dictionary.
pub(crate) fn write_words(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, word: u16) {
    let name = writer.dictionary().languages[word as usize].as_str();
    writer.chosen(Field::Language, name, proposal);
}

/// Writes the language: stated, or carried by the script.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>) {
    let (readings, dictionary) = (writer.readings, writer.dictionary());
    let chosen = readings.chosen;
    let stated = chosen.of(Field::Language).find_map(|p| match p.value {
        Value::Word(Tag::Language(at)) if !p.weak => {
            Some(dictionary.languages[at as usize].as_str())
        }
        _ => None,
    });
    let context = &readings.context;
    let inside = || {
        readings.proposals.iter().find_map(|p| match p.value {
            Value::Word(Tag::Language(at)) if !p.weak && !p.chosen => {
                let name = dictionary.languages[at as usize].as_str();
                inside_set(context.line, chosen, p).then_some(name)
            }
            _ => None,
        })
    };
    // `TDGS-EN040`
    let of_code = || number::language_of(&readings.reference, context, writer.number?);
    let said = stated.or_else(inside).map(public_name);
    let language = said
        .or_else(of_code)
        .or_else(|| carried(context, readings.hits, chosen));
    writer.parsed.language = language.map(Cow::from);
}
