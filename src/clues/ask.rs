//! Readings → [`Query`]: what the catalogue is asked.

use super::{Edition, Finish, Language, Query, UNREAD_WORDS};
use crate::catalogue::Marks;
use crate::catalogue::NameQuality;
use crate::dictionary::Tag;
use crate::extract::context::Context;
use crate::extract::lookup::Hit;
use crate::extract::number::{NumberKind, NumberReading};
use crate::extract::{Proposal, Value, covering};
use crate::math::information;
use crate::parsed::Field;
use crate::reference::Reference;
use crate::token::{Class, Token};

/// Whether the same words were read as a rarity or treatment.
pub(crate) fn also_rarity(chosen: &[Proposal], proposal: &Proposal) -> bool {
    let same = |c: &Proposal| {
        c.at == proposal.at
            && c.end == proposal.end
            && matches!(c.field, Field::Rarity | Field::Treatment)
    };
    covering(chosen, proposal.at).is_some_and(same)
}

/// Whether a species is named in Chinese characters alone: its Japanese name is always in kana.
pub(crate) fn names_in_chinese(context: &Context<'_>, hits: &[Hit], chosen: &[Proposal]) -> bool {
    chosen
        .iter()
        .filter(|c| c.field == Field::Name)
        .any(|c| match c.value {
            Value::Hit(at) => {
                let hit = &hits[at as usize];
                hit.species
                    && context.class(context.line.token_at(hit.at as usize)) == Some(Class::Han)
            }
            _ => false,
        })
}

/// Proposals, and those of them that were chosen → what the catalogue is asked.
pub(crate) fn ask(
    reference: &Reference<'_, '_>,
    context: &Context<'_>,
    hits: &[Hit],
    numbers: &[NumberReading],
    proposals: &[Proposal],
    chosen: &[Proposal],
    query: &mut Query,
) {
    let free = |at: u32, end: u32| covering(chosen, at).is_none_or(|c| c.at >= end);
    // `Japanese Base Set` names a set and a language
    let inside_set = |p: &Proposal| {
        covering(chosen, p.at)
            .is_some_and(|c| matches!(c.value, Value::Hit(_)) && c.at <= p.at && p.end <= c.end)
    };
    let mut language: Option<&str> = None;
    let mut stated = Marks::default();
    for proposal in proposals {
        match proposal.value {
            Value::Hit(at) if proposal.field == Field::Name => {
                let hit = &hits[at as usize];
                let inside = covering(chosen, hit.at).is_some_and(|c| {
                    matches!(c.value, Value::Hit(_))
                        && c.field == Field::Name
                        && c.at <= hit.at
                        && hit.end <= c.end
                        && (c.end - c.at) > (hit.end - hit.at)
                });
                let thing = !hit.species && hit.end - hit.at < 5;
                if proposal.chosen || !inside && !thing {
                    query.add_name(reference.catalogue, hit, proposal.chosen);
                }
            }
            Value::Hit(at) if matches!(proposal.field, Field::Origin | Field::Illustrator) => {
                // `glossy` in `non-glossy`
                let longer =
                    |c: &Proposal| matches!(c.value, Value::Hit(_)) && c.field == proposal.field;
                let other = proposals.iter().any(|c| {
                    longer(c)
                        && c.at <= proposal.at
                        && proposal.end <= c.end
                        && c.end - c.at > proposal.end - proposal.at
                });
                if !other && !hits[at as usize].name {
                    query.add_words(reference.catalogue, &hits[at as usize]);
                }
            }
            Value::Hit(at) => {
                let hit = &hits[at as usize];
                let around = covering(chosen, hit.at).filter(|c| {
                    c.field == Field::Set
                        && c.at <= hit.at
                        && hit.end <= c.end
                        && (c.end - c.at) > (hit.end - hit.at)
                });
                // `Pokemon Jungle` is the name of a Japanese set, and the game and `Jungle`
                let game = around.is_some_and(|c| {
                        c.end == hit.end
                            && proposals.iter().any(|p| {
                                p.at == c.at && p.end == hit.at && matches!(p.value, Value::Word(tag) if reference.dictionary.is_own_game(tag))
                            })
                    });
                if proposal.chosen || game || around.is_none() && proposal.weight > 0.5 {
                    query.add_set(reference.catalogue, hit, proposal.chosen || game);
                }
            }
            Value::Number(at) => {
                let number = &numbers[at as usize];
                let doubtful = number.kind == NumberKind::Prefixed
                    || number.kind != NumberKind::Bare && proposal.weight <= 0.0;
                if proposal.chosen || free(number.at, number.end) && !doubtful {
                    let beside = chosen.iter().any(|c| {
                        matches!(c.field, Field::Name | Field::Set)
                            && (c.end == number.at || c.at == number.end)
                    });
                    query.add_number(reference.catalogue, number, beside);
                }
            }
            Value::Count(count) if proposal.chosen => match proposal.field {
                Field::Year => query.years.push(count as u16),
                Field::Hp => query.hp = (count / 10) as u8,
                _ => {}
            },
            Value::Word(tag) => match (tag, proposal.chosen) {
                (Tag::Affix(bit), true) => stated = stated.with(bit),
                // `Gold Star` is a rarity and a mark of the name
                (Tag::Affix(bit), false) if also_rarity(chosen, proposal) => {
                    stated = stated.with(bit)
                }
                (Tag::Affix(bit), false) => query.doubted = query.doubted.with(bit),
                (Tag::Language(at), false) if !proposal.weak && inside_set(proposal) => {
                    language = language.or(Some(&reference.dictionary.languages[at as usize]));
                }
                (Tag::Language(at), _) if proposal.weak => {
                    query.hinted |= reference.dictionary.languages[at as usize] == "japanese";
                }
                (Tag::Language(at), true) => {
                    language = language.or(Some(&reference.dictionary.languages[at as usize]))
                }
                // which cards are promos is asked of their sets
                (Tag::Rarity(at), true)
                    if reference.dictionary.rarities[at as usize].value == "Promo" =>
                {
                    query.promo = true
                }
                (Tag::Rarity(at), true) => {
                    let vague = matches!(
                        reference.dictionary.rarities[at as usize].value.as_str(),
                        "Rare" | "Ultra Rare" | "Secret Rare" | "Holo Rare"
                    );
                    query.rarity_vague = vague && (query.rarity_vague || !query.rarity);
                    query.rarity = true;
                    for (all, one) in query
                        .rarities
                        .iter_mut()
                        .zip(reference.stats.rarity_words[at as usize])
                    {
                        *all |= one;
                    }
                    let word = reference.dictionary.rarities[at as usize].value.as_str();
                    query.secret |= word.contains("Secret")
                        || word.contains("Illustration")
                        || word.contains("Hyper")
                        || word.contains("Special Art");
                    query.alternate |= word == "Special Art";
                }
                (Tag::Printing(at), true) => {
                    let word = &reference.dictionary.printings[at as usize];
                    let value = if word.field == Field::Finish {
                        word.value.as_str()
                    } else {
                        word.implies.as_str()
                    };
                    let finish = match value {
                        "holo" => Some(Finish::Holo),
                        "reverse holo" => Some(Finish::Reverse),
                        "non-holo" => Some(Finish::Plain),
                        _ => None,
                    };
                    // `reverse holo` beats the `holo` in `holo rare`
                    if finish.is_some() && query.finish != Some(Finish::Reverse) {
                        query.finish = finish;
                    }
                    if word.field == Field::Edition {
                        let edition = match word.value.as_str() {
                            "1st edition" => Some(Edition::First),
                            "unlimited" => Some(Edition::Unlimited),
                            "shadowless" => Some(Edition::Shadowless),
                            _ => None,
                        };
                        query.edition = edition.or(query.edition);
                    }
                    query.no_rarity |= word.value == "no rarity";
                    query.alternate |= word.value == "alternate art";
                    query.secret |= word.field == Field::Treatment
                        && matches!(
                            word.value.as_str(),
                            "full art"
                                | "alternate art"
                                | "rainbow"
                                | "gold"
                                | "special illustration"
                                | "illustration rare"
                                | "gold secret"
                        );
                }
                _ => {}
            },
            _ => {}
        }
    }
    query.hinted |= query
        .names
        .iter()
        .any(|n| n.chosen && n.quality == NameQuality::Romaji);
    share_marks(proposals, hits, chosen, query);
    if query.rarity {
        let cards = reference.catalogue.card_count().max(1) as f32;
        let like = reference
            .stats
            .rarity_cards
            .iter()
            .enumerate()
            .filter(|(n, _)| query.rarities[n / 64] & (1 << (n % 64)) != 0)
            .map(|(_, c)| *c)
            .sum::<u32>();
        query.rarity_idf = information(cards, like);
    }
    query.bare_beside = query
        .numbers
        .iter()
        .all(|n| n.kind == NumberKind::Bare && n.number.is_some())
        && query.numbers.iter().any(|n| n.beside);
    query.marks = stated;
    query.doubted = query.doubted.minus(stated);
    let international = [
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
    query.language = match language {
        Some("japanese") => Language::Japanese,
        Some(l) if international.contains(&l) => Language::International,
        Some(l) if l.contains("chinese") || matches!(l, "korean" | "thai" | "indonesian") => {
            Language::OtherAsian
        }
        _ if context.kana => Language::Japanese,
        _ if context.hangul => Language::OtherAsian,
        _ if context.japanese && names_in_chinese(context, hits, chosen) => Language::OtherAsian,
        _ if context.japanese => Language::Japanese,
        _ => Language::Unsaid,
    };
    // words that nothing explains; what is glued to them is of the same word: `char1zard`
    let tokens = context.line.tokens();
    let letters = |t: &Token| {
        matches!(
            t.class,
            Class::Latin | Class::Katakana | Class::Han | Class::Hangul
        )
    };
    let mut at = 0;
    while let Some(first) = tokens.get(at).filter(|_| query.unread.len() < UNREAD_WORDS) {
        let mut end = at + 1;
        let unread = |t: &Token| free(t.at, t.end) && (letters(t) || t.class == Class::Digit);
        while unread(first) && tokens.get(end).is_some_and(|t| t.glued && unread(t)) {
            end += 1;
        }
        if tokens[at..end].iter().any(letters) && unread(first) {
            query.unread.push((first.at, tokens[end - 1].end));
        }
        at = end;
    }
}

/// Finds the marks of names whose words are the head of a set's name too: of `EX Holon Phantoms`, where `Holon Phantoms` is read, and of
/// `EX Deoxys`, where the rest is a name as well.
fn share_marks(proposals: &[Proposal], hits: &[Hit], chosen: &[Proposal], query: &mut Query) {
    for name in query
        .names
        .iter_mut()
        .filter(|n| n.chosen && n.marks != Marks::default())
    {
        let set_over = |h: &&Hit| {
            h.set
                && name.at < h.at
                && h.at < name.end
                && chosen.iter().any(|c| {
                    matches!(c.field, Field::Set | Field::Name)
                        && c.at >= name.end
                        && c.end == h.end
                })
        };
        let Some(set) = hits.iter().find(set_over) else {
            continue;
        };
        for proposal in proposals
            .iter()
            .filter(|p| p.at >= set.at && p.end <= name.end)
        {
            if let Value::Word(Tag::Affix(bit)) = proposal.value {
                name.shared = name.shared.with(bit);
            }
        }
    }
}
