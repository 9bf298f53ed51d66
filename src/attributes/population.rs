//! The population of a grade: `POP 12`, `pop of 12`.

use super::year::is_year;
use crate::dictionary::{Dictionary, PhraseKind, Tag, Tagged};
use crate::parsed::Field;
use crate::reading::context::Context;
use crate::reading::{Proposal, Value};
use crate::token::Class;

/// Confidence if a grader is named, or the words are long.
const QUALITY: f32 = 1.5;
/// Without a grader `POP 5` is a set.
const WITHOUT_GRADER: f32 = 0.4;
/// Words of more bytes than this are nothing else.
const SHORT: u32 = 3;

/// Whether the words of `tag` state a population.
pub(crate) fn is(dictionary: &Dictionary, tag: &Tagged) -> bool {
    matches!(tag.tag, Tag::Phrase(at) if dictionary.phrases.get(at as usize).is_some_and(|p| p.0 == PhraseKind::Population))
}

pub(crate) fn propose(
    context: &Context<'_>,
    dictionary: &Dictionary,
    tags: &[Tagged],
    grader: bool,
    out: &mut Vec<Proposal>,
) {
    let line = context.line;
    for tag in tags.iter().filter(|t| is(dictionary, t)) {
        let mut end = tag.end;
        let token = line.token_at(end as usize);
        // `Low Pop 1st Edition`, `LOW POP 2005`
        if context.class(token) == Some(Class::Digit)
            && context.word(token + 1) != "/"
            && context.glued_behind(token) != Some(Class::Latin)
            && !is_year(context.word(token))
        {
            end = line.tokens()[token].end;
        }
        let quality = if grader || end == tag.end && tag.end - tag.at > SHORT {
            QUALITY
        } else {
            WITHOUT_GRADER
        };
        out.push(Proposal::new(
            line,
            (tag.at, end),
            Field::Population,
            Value::Text,
            quality,
        ));
    }
}
