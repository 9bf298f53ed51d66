//! Counts, years, hit points, levels and populations: numbers that are no collector number.

use super::context::{Context, ending, longest};
use super::{Proposal, Value, weight};
use crate::dictionary::{Dictionary, PhraseKind, Tag, Tagged};
use crate::parsed::Field;
use crate::token::Class;

/// The game's first cards are of 1996; a title may promise next year's.
const YEARS: std::ops::RangeInclusive<u32> = 1995..=2030;

/// Proposes all of them.
pub(crate) fn propose(
    context: &Context<'_>,
    dictionary: &Dictionary,
    tags: &[Tagged],
    grader: bool,
    out: &mut Vec<Proposal>,
) {
    let (line, key) = (context.line, context.line.key());
    let tokens = line.tokens();
    let longest = longest(tags);
    for (index, token) in tokens.iter().enumerate() {
        let word = context.word(index);
        if token.class != Class::Digit || word.contains('.') {
            continue;
        }
        let Ok(number) = word.parse::<u32>() else {
            continue;
        };
        let (before, after) = (
            index.checked_sub(1).map_or("", |i| context.word(i)),
            context.word(index + 1),
        );
        let glued_after = tokens.get(index + 1).is_some_and(|t| t.glued);
        let mut push = |field: Field, from: usize, to: usize, quality: f32| {
            let (Some(a), Some(b)) = (tokens.get(from), tokens.get(to)) else {
                return;
            };
            let weight = weight(key, a.at as usize, b.end as usize, quality);
            out.push(Proposal {
                field,
                at: a.at,
                end: b.end,
                weight,
                value: Value::Count(number),
                chosen: false,
                weak: false,
            });
        };
        // `Lot #214`: the auction's own number
        if before == "#" && index >= 2 && context.word(index - 2) == "lot" {
            push(Field::Noise, index - 2, index, 1.9);
        }
        if word.len() == 4
            && YEARS.contains(&number)
            && before != "#"
            && before != "/"
            && after != "/"
        {
            push(Field::Year, index, index, 1.6);
            if after == "年" {
                push(Field::Year, index, index + 1, 1.6);
            }
        }
        if matches!(after, "hp" | "kp" | "pv" | "ps")
            && (30..=400).contains(&number)
            && number % 10 == 0
        {
            push(Field::Hp, index, index + 1, 1.6);
        }
        if matches!(before, "hp" | "kp") && (30..=400).contains(&number) && number % 10 == 0 {
            push(Field::Hp, index - 1, index, 1.5);
        }
        if matches!(before, "lv" | "lvl" | "level") && number <= 100 {
            push(Field::Level, index - 1, index, 1.6);
        }
        if number >= 1 && word.len() <= 4 && !(word.len() > 1 && word.starts_with('0')) {
            if before == "x"
                && index > 0
                && (token.glued || context.gap(index - 1).trim().is_empty())
                && word.len() <= 3
                && !latin_before(context, index - 1)
            {
                push(Field::Quantity, index - 1, index, 1.4);
            }
            if after == "x"
                && (glued_after || context.gap(index).trim().is_empty())
                && !latin_after(context, index + 1)
                && word.len() <= 3
            {
                push(Field::Quantity, index, index + 1, 1.3);
            }
            // one `Card` behind a number is no count: `Undaunted #84 CARD`
            if is_cards(after)
                || matches!(
                    after,
                    "枚" | "枚組"
                        | "枚セット"
                        | "piece"
                        | "pieces"
                        | "pcs"
                        | "copies"
                        | "장"
                        | "張"
                )
            {
                push(Field::Quantity, index, index + 1, 1.4);
            }
            // `6 Reverse Holo Cards`
            let finish = |at: usize| {
                let from = tokens.get(at)?.at;
                ending(tags, from, from + longest)
                    .iter()
                    .filter(|t| t.at == from && matches!(t.tag, Tag::Printing(_) | Tag::Rarity(_)))
                    .map(|t| line.token_at(t.end as usize))
                    .max()
            };
            if let Some(cards) = finish(index + 1)
                && is_cards(context.word(cards))
                && number > 1
                && before != "/"
            {
                push(Field::Quantity, index, cards, 1.4);
            }
            // `380+ cards`
            if after == "+" && is_cards(context.word(index + 2)) {
                push(Field::Quantity, index, index + 2, 1.4);
            }
            if before == "of"
                && index >= 2
                && matches!(
                    context.word(index - 2),
                    "lot" | "set" | "bundle" | "pack" | "box" | "collection"
                )
            {
                push(Field::Quantity, index - 2, index, 1.4);
            }
        }
    }
    if grader || tags.iter().any(|t| population(dictionary, t)) {
        populations(context, dictionary, tags, grader, out);
    }
}

/// More than one card, in the languages of Latin letters.
fn is_cards(word: &str) -> bool {
    matches!(word, "cards" | "karten" | "cartes" | "cartas" | "carte")
}

fn latin_before(context: &Context<'_>, token: usize) -> bool {
    token > 0
        && context.line.tokens()[token].glued
        && context.class(token - 1) == Some(Class::Latin)
}

fn latin_after(context: &Context<'_>, token: usize) -> bool {
    context
        .line
        .tokens()
        .get(token + 1)
        .is_some_and(|t| t.glued && t.class == Class::Latin)
}

fn population(dictionary: &Dictionary, tag: &Tagged) -> bool {
    matches!(tag.tag, Tag::Phrase(at) if dictionary.phrases.get(at as usize).is_some_and(|p| p.0 == PhraseKind::Population))
}

/// `POP 12`, `pop of 12`: how many there are of a grade. Without a grader `POP 5` is a set.
fn populations(
    context: &Context<'_>,
    dictionary: &Dictionary,
    tags: &[Tagged],
    grader: bool,
    out: &mut Vec<Proposal>,
) {
    let (line, key) = (context.line, context.line.key());
    for tag in tags.iter().filter(|t| population(dictionary, t)) {
        let mut end = tag.end;
        let token = line.token_at(end as usize);
        if context.class(token) == Some(Class::Digit) && context.word(token + 1) != "/" {
            end = line.tokens()[token].end;
        }
        let quality = if grader || end == tag.end && tag.end - tag.at > 3 {
            1.5
        } else {
            0.4
        };
        let weight = weight(key, tag.at as usize, end as usize, quality);
        out.push(Proposal {
            field: Field::Population,
            at: tag.at,
            end,
            weight,
            value: Value::Text,
            chosen: false,
            weak: false,
        });
    }
}
