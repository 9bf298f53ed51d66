//! Numbers other than collector numbers: counts, years, hit points, levels, populations.

use crate::attributes::hit::{Hit, number_card_of_set};
use crate::attributes::surroundings::Count;
use crate::attributes::units::UnitWords;
use crate::attributes::{hp, level, noise, population, quantity, year};
use crate::dictionary::{Tag, Tagged};
use crate::reading::Proposal;
use crate::reading::context::{Context, longest};
use crate::reference::Reference;
use crate::token::Class;

/// A shorter name of a thing is a word of anything.
const LEAST_NAME: u32 = 4;

/// Proposes all of them. `before_name`: see [`quantity::before_name`].
pub(crate) fn propose(
    context: &Context<'_>,
    units: &UnitWords<'_>,
    reference: &Reference<'_, '_>,
    (tags, hits, grader): (&[Tagged], &[Hit], bool),
    before_name: Option<usize>,
    out: &mut Vec<Proposal>,
) {
    let begins = |at: u32| {
        let named = |hit: &Hit| {
            hit.means.subject || hit.means.name && hit.whole && hit.end - hit.at >= LEAST_NAME
        };
        hits.iter().any(|hit| hit.at == at && named(hit))
            || tags
                .iter()
                .any(|tag| matches!(tag.tag, Tag::Grader(_)) && tag.at == at)
    };
    let longest = units.any_cards().then(|| longest(tags));
    let names = |hit: &Hit| hit.means.subject || hit.means.name && hit.end - hit.at >= LEAST_NAME;
    let nameless = longest.is_some() && !hits.iter().any(names);
    let spelt = units.any_spelt();
    for (index, token) in context.line.tokens().iter().enumerate() {
        if spelt && matches!(token.class, Class::Latin | Class::Han) {
            quantity::propose_spelt(context, index, units, &begins, out);
        }
        if token.class != Class::Digit {
            continue;
        }
        let word = context.word(index);
        let Ok(number) = word.parse::<u32>() else {
            continue;
        };
        let count = Count {
            context,
            tags,
            hits,
            longest,
            nameless,
            before_name,
            index,
            token,
            word,
            number,
            before: index.checked_sub(1).map_or("", |i| context.word(i)),
            after: context.word(index + 1),
        };
        // `nymble par 14`, `Ledian (LOT 65)`
        if (units.copies_of(index).is_some() || noise::is_lot_number(&count))
            && number_card_of_set(reference.catalogue, context, hits, index)
        {
            continue;
        }
        quantity::propose_thousands(&count, units, out);
        noise::propose_lot_number(&count, out);
        // `ships up to 20 cards`, `seller since 2008`
        let limit = units.is_limit(index);
        if !limit {
            year::propose(&count, units, out);
        }
        // `1HP030` is a number of a game whose cards have none
        if reference.stats.hit_points {
            hp::propose(&count, out);
        }
        level::propose(&count, out);
        if !limit {
            quantity::propose(&count, units, &begins, out);
            let says_lot = |tag| reference.dictionary.says_lot(tag);
            quantity::propose_of_lot(&count, &says_lot, out);
        }
    }
    let dictionary = reference.dictionary;
    if grader || tags.iter().any(|t| population::is(dictionary, t)) {
        population::propose(context, dictionary, tags, grader, out);
    }
}
