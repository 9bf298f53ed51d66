//! The language of a card: stated, or carried by the script of the title.

use super::hit::Hit;
use super::writer::Writer;
use crate::dictionary::Tag;
use crate::parsed::Field;
use crate::reading::context::Context;
use crate::reading::{Proposal, Value, covering};
use crate::token::Class;
use std::borrow::Cow;

/// Confidence in words for a language.
pub(crate) const QUALITY: f32 = 1.15;

const JAPANESE: &str = "japanese";
const KOREAN: &str = "korean";
const CHINESE: &str = "chinese";
/// Languages of the international prints.
const INTERNATIONAL: [&str; 9] = [
    "english",
    "german",
    "french",
    "italian",
    "spanish",
    "portuguese",
    "dutch",
    "polish",
    "russian",
];
/// Other languages of Asian prints, besides Chinese.
const OTHER_ASIAN: [&str; 3] = [KOREAN, "thai", "indonesian"];

/// Whether and how the title states the card's language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Language {
    /// Nothing.
    #[default]
    Unsaid,
    /// A language of the international prints.
    International,
    /// Japanese.
    Japanese,
    /// Korean, Chinese, Thai or Indonesian.
    Regional,
}

/// Whether `name` is Japanese.
pub(crate) fn is_japanese(name: &str) -> bool {
    name == JAPANESE
}

/// Whether words for a language lie inside those of a set or name: `Japanese Base Set` names a set
/// and a language.
pub(crate) fn inside_set(chosen: &[Proposal], proposal: &Proposal) -> bool {
    covering(chosen, proposal.at)
        .is_some_and(|c| matches!(c.value, Value::Hit(_)) && proposal.inside(c))
}

/// Whether a subject is named only in Chinese characters. Its Japanese name is always in kana.
fn names_in_chinese(context: &Context<'_>, hits: &[Hit], chosen: &[Proposal]) -> bool {
    chosen
        .iter()
        .filter(|c| c.field == Field::Name)
        .any(|c| match c.value {
            Value::Hit(at) => {
                let hit = &hits[at as usize];
                let class = context.class(context.line.token_at(hit.at as usize));
                hit.means.subject && class == Some(Class::Han)
            }
            _ => false,
        })
}

/// The language clue from `stated`, or else from the script of the title.
pub(crate) fn clue(
    stated: Option<&str>,
    context: &Context<'_>,
    hits: &[Hit],
    chosen: &[Proposal],
) -> Language {
    match stated {
        Some(JAPANESE) => Language::Japanese,
        Some(l) if INTERNATIONAL.contains(&l) => Language::International,
        Some(l) if l.contains(CHINESE) || OTHER_ASIAN.contains(&l) => Language::Regional,
        _ if context.kana => Language::Japanese,
        _ if context.hangul => Language::Regional,
        _ if context.japanese && names_in_chinese(context, hits, chosen) => Language::Regional,
        _ if context.japanese => Language::Japanese,
        _ => Language::Unsaid,
    }
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
    let stated = chosen.iter().find_map(|p| match p.value {
        Value::Word(Tag::Language(at)) if !p.weak => {
            Some(dictionary.languages[at as usize].as_str())
        }
        _ => None,
    });
    let inside = || {
        readings.proposals.iter().find_map(|p| match p.value {
            Value::Word(Tag::Language(at)) if !p.weak && !p.chosen => {
                let hit = chosen
                    .iter()
                    .any(|c| matches!(c.value, Value::Hit(_)) && p.inside(c));
                hit.then_some(dictionary.languages[at as usize].as_str())
            }
            _ => None,
        })
    };
    let context = &readings.context;
    let language = match stated.or_else(inside) {
        Some(language) if language.contains(CHINESE) => Some(CHINESE),
        Some(language) => Some(language),
        None if context.kana => Some(JAPANESE),
        None if context.hangul => Some(KOREAN),
        None if context.japanese && names_in_chinese(context, readings.hits, chosen) => {
            Some(CHINESE)
        }
        None if context.japanese => Some(JAPANESE),
        None => None,
    };
    writer.parsed.language = language.map(Cow::from);
}
