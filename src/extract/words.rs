//! Words of the dictionary as readings: conditions, printings, rarities, languages, listing kinds, games, name marks, noise.

use super::context::{Context, ending};
use super::{Proposal, Value, weight};
use crate::dictionary::{Dictionary, PhraseKind, Position, Tag, Tagged, When};
use crate::parsed::Field;
use crate::token::Class;

/// What the rules of this module know of the rest of the title.
pub(crate) struct Around<'a> {
    /// A grader is named.
    pub(crate) grader: bool,
    /// Ends of species names in the key.
    pub(crate) name_ends: &'a [u32],
    /// Beginnings of species names in the key.
    pub(crate) name_starts: &'a [u32],
    /// Whether a collector number stands next to these bytes of the key.
    pub(crate) near_number: &'a dyn Fn(usize, usize) -> bool,
    /// The title says Japanese, or is in Japanese.
    pub(crate) japanese: bool,
}

/// Whether the conditions of the row hold.
pub(crate) fn counts(tag: &Tagged, around: &Around<'_>) -> bool {
    let (at, end) = (tag.at as usize, tag.end as usize);
    (!tag.when.has(When::NUMBER) || (around.near_number)(at, end))
        && (!tag.when.has(When::GRADER) || around.grader)
        && (!tag.when.has(When::JAPANESE) || around.japanese)
}

/// Whether a negation stands before key byte `at`, at most one small word between.
fn denied(context: &Context<'_>, dictionary: &Dictionary, tags: &[Tagged], at: u32) -> bool {
    let token = context.line.token_at(at as usize);
    let before = token
        .checked_sub(1)
        .and_then(|t| context.line.tokens().get(t))
        .filter(|t| t.end - t.at <= 3);
    let negates = |to: u32| {
        ending(tags, to, to).iter().any(|t| {
            t.whole
                && matches!(t.tag, Tag::Phrase(p) if dictionary.phrases.get(p as usize) == Some(&(PhraseKind::Negation, Position::Before)))
        })
    };
    negates(at) || before.is_some_and(|b| negates(b.at))
}

/// Proposes a reading for each word that counts.
pub(crate) fn propose(
    context: &Context<'_>,
    dictionary: &Dictionary,
    tags: &[Tagged],
    around: &Around<'_>,
    out: &mut Vec<Proposal>,
) {
    let key = context.line.key();
    for tag in tags {
        if !counts(tag, around) {
            continue;
        }
        let (at, end) = (tag.at as usize, tag.end as usize);
        // `not the jumbo`, `no box`
        let deniable = match tag.tag {
            Tag::Kind(_) | Tag::Sealed(_) | Tag::Game(_) => true,
            Tag::Printing(number) => matches!(
                dictionary.printings[number as usize].field,
                Field::Size | Field::Error
            ),
            _ => false,
        };
        if deniable && denied(context, dictionary, tags, tag.at) {
            let weight = weight(key, at, end, 1.1);
            out.push(Proposal {
                field: Field::Noise,
                at: tag.at,
                end: tag.end,
                weight,
                value: Value::Word(Tag::Noise),
                chosen: false,
                weak: false,
            });
            continue;
        }
        let latin_short = end - at <= 2
            && context
                .line
                .tokens()
                .get(context.line.token_at(at))
                .is_some_and(|t| t.class == Class::Latin);
        let (field, quality) = match tag.tag {
            Tag::Condition(_) => (Field::Condition, if around.grader { 1.0 } else { 1.1 }),
            // `Master Ball` beside a species is a pattern of its foil, alone it is a card
            Tag::Printing(number)
                if dictionary.printings[number as usize].field == Field::Pattern
                    && !around.name_ends.is_empty() =>
            {
                (Field::Pattern, 1.5)
            }
            Tag::Printing(number) => (dictionary.printings[number as usize].field, 1.15),
            Tag::Rarity(_) => (Field::Rarity, 1.1),
            Tag::Language(_) => (Field::Language, 1.15),
            Tag::Kind(_) | Tag::Sealed(_) => (Field::Kind, 1.1),
            Tag::Game(_) => (Field::Game, 1.1),
            Tag::Affix(bit) => {
                let prefix = dictionary.affixes[bit as usize].prefix;
                let (before, after) = (
                    around.name_starts.contains(&tag.end),
                    around.name_ends.contains(&tag.at),
                );
                // other languages put long marks on the other side: `Pikachu d'Alola`
                let beside = if end - at >= 4 {
                    before || after
                } else if prefix {
                    before
                } else {
                    after
                };
                // away from a name only words that are nothing else: `Delta Species`, `VMAX`, `LV.X`
                let long = end - at >= 4 && !dictionary.affixes[bit as usize].prefix;
                (
                    Field::Name,
                    // in Japanese titles a letter before the number is the rarity, not the `C` of `Garchomp C`
                    if end - at == 1 && around.japanese && (around.near_number)(at, end) {
                        0.9
                    } else if beside {
                        1.25
                    } else if long {
                        0.7
                    } else {
                        0.1
                    },
                )
            }
            Tag::Term(_) => (Field::Origin, 0.9),
            Tag::Noise => (Field::Noise, 0.87),
            // `graded`, `slab`, `cert` and `ungraded` away from a grade
            Tag::Phrase(number) => match dictionary.phrases.get(number as usize) {
                Some((PhraseKind::SlabNote, _)) => (Field::Noise, 0.6),
                Some((PhraseKind::Negation | PhraseKind::Wish, Position::Alone)) => {
                    (Field::Wish, 0.8)
                }
                _ => continue,
            },
            Tag::Grader(_) | Tag::Label(_) => continue,
        };
        let mut quality = if tag.when.has(When::WEAK) {
            quality * 0.6
        } else {
            quality
        };
        if !tag.whole {
            // inside a run of kana only what is long enough to be no accident
            let letters = context.line.text(at, end).chars().count();
            quality *= match letters {
                0..=1 => 0.1,
                2 => 0.7,
                _ => 0.9,
            };
        }
        // two small letters are a word of some language
        if latin_short
            && !context.line.is_upper(context.normalised, at, end)
            && !matches!(tag.tag, Tag::Affix(_))
        {
            quality *= 0.8;
        }
        let weight = weight(key, at, end, quality);
        out.push(Proposal {
            field,
            at: tag.at,
            end: tag.end,
            weight,
            value: Value::Word(tag.tag),
            chosen: false,
            weak: tag.when.has(When::WEAK),
        });
    }
}
