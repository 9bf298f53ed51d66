//! Sets that words name → clues, and what the clues of a title say together.

use super::SetClue;
use crate::attributes::art::Art;
use crate::attributes::hit::Hit;
use crate::attributes::label::each_part;
use crate::attributes::name::{LONG_THING, NameClue};
use crate::attributes::number::{NumberClue, NumberKind};
use crate::attributes::query::Query;
use crate::attributes::readings::Readings;
use crate::catalogue::format::{CardRecord, NameRecord, SetRecord, set_flag};
use crate::catalogue::{AliasKind, Columns, NameQuality};
use crate::dictionary::Tag;
use crate::parsed::Field;
use crate::reading::{Chosen, Proposal, Value};
use crate::reference::Reference;
use crate::stats::CatalogueStats;

/// A proposal above this weight becomes a clue even if it was not chosen, unless a longer set lies
/// around it.
const ASKED_UNCHOSEN: f32 = 0.5;

/// Adds the printings of the sets that the title names, of games whose cards keep their numbers.
pub(crate) fn ask_printings(reference: &Reference<'_, '_>, query: &mut Query) {
    let catalogue = reference.catalogue;
    for clue in query.sets.iter().filter(|clue| clue.is_named()) {
        for id in clue.ids(catalogue) {
            let set = catalogue.sets.get(id as usize);
            if set.is_some_and(|set| set.flags & set_flag::REPRINTED != 0) {
                query
                    .sold
                    .extend(reference.stats.sold_in(catalogue, id, each_part));
            }
        }
    }
}

/// Whether the words that were read as sets, and as no era, name sets of the further regions alone, or
/// a code among them names such a set and all other words do as well: `SV2a 055/165 Pokemon 151`.
pub(crate) fn is_regional(catalogue: &Columns<'_>, query: &Query) -> bool {
    let named = || query.sets.iter().filter(|set| set.is_named());
    let regional = |set: &&SetClue| catalogue.sets_named(set.place).all(SetRecord::is_regional);
    let of_all = |code: &SetClue| {
        let shares = |other: &SetClue| other.ids(catalogue).any(|set| code.may_be(catalogue, set));
        named().all(|other| regional(&other) || shares(other))
    };
    let mut codes = named().filter(|set| set.kind == AliasKind::Code as u8);
    named().next().is_some()
        && (named().all(|set| regional(&set)) || codes.any(|code| regional(&code) && of_all(code)))
}

/// Whether the words that were read as sets, and as no era, name sets of the first region alone.
pub(crate) fn is_first(catalogue: &Columns<'_>, query: &Query) -> bool {
    let mut named = query.sets.iter().filter(|set| set.is_named()).peekable();
    let first = |set: &SetRecord| !set.is_regional();
    named.peek().is_some() && named.all(|set| catalogue.sets_named(set.place).all(first))
}

/// Whether the title must err in the set: it states no number, or one without a total that a card of
/// its names has, the catalogue holds all cards of the sets that the words name, and none of them
/// bears a name of the title.
pub(crate) fn lacks_names(reference: &Reference<'_, '_>, query: &Query) -> bool {
    let (catalogue, stats) = (reference.catalogue, reference.stats);
    let printed = |name: &NameClue| {
        let long = name.subject || name.end - name.at >= LONG_THING;
        name.chosen && name.quality == NameQuality::Printed && long
    };
    let is_of_names = |clue: &NumberClue| {
        let plain = matches!(clue.kind, NumberKind::Hash | NumberKind::Bare);
        let mut names = query.names.iter();
        let printed = |number| names.any(|name| catalogue.core_prints(name.core, number, None));
        plain && clue.number.is_some_and(printed)
    };
    let mut clues = (query.sets.iter())
        .filter(|clue| clue.is_named())
        .peekable();
    if query.set_mark.is_some()
        || !query.numbers.iter().all(is_of_names)
        || clues.peek().is_none()
        || !query.names.iter().any(printed)
    {
        return false;
    }
    let whole = |set: u32| {
        let set = catalogue.sets.get(set as usize);
        let counts = set.map(|set| (set.count.get(), u32::from(set.official.get())));
        counts.is_some_and(|(held, printed)| printed > 0 && held >= printed)
    };
    // `Misty's Gyarados` is no `Gyarados`
    let bears = |name: &NameClue, record: &CardRecord| {
        let marks = catalogue.name_record(record).map(NameRecord::marks);
        name.name.is_none() || marks.is_some_and(|marks| name.marks.minus(marks).is_empty())
    };
    let holds = |set: u32| {
        let mut names = query.names.iter().filter(|name| name.chosen);
        names.any(|name| {
            let mut cards = catalogue.cards_of_set_and_core(set, name.core);
            cards.any(|(_, record)| bears(name, record))
        })
    };
    let lacks = |set: u32| {
        let mut parts = stats.related(set).iter();
        whole(set) && !holds(set) && !parts.any(|&part| holds(part))
    };
    clues.all(|clue| clue.ids(catalogue).all(lacks))
}

/// Adds clues for the sets that the proposal may name, if it was chosen or no longer set lies
/// around it.
pub(crate) fn ask_proposal(
    catalogue: &Columns<'_>,
    stats: &CatalogueStats,
    hit: &Hit,
    proposal: &Proposal,
    (proposals, chosen): (&[Proposal], &Chosen),
    query: &mut Query,
) {
    let around = chosen.covering(hit.at).filter(|c| {
        c.field == Field::Set
            && c.at <= hit.at
            && hit.end <= c.end
            && (c.end - c.at) > (hit.end - hit.at)
    });
    // `Pokemon Jungle` is the name of a Japanese set, and the game and `Jungle`
    let game = around.is_some_and(|c| {
        c.end == hit.end
            && proposals.iter().any(|p| {
                // `Commander` of `Commander Legends` only hints at the game
                !p.weak
                    && p.at == c.at
                    && p.end == hit.at
                    && matches!(p.value, Value::Word(tag) if stats.is_held_game(tag))
            })
    });
    let unchosen = || {
        around.is_none()
            && proposal.weight > ASKED_UNCHOSEN
            && !counts_otherwise(catalogue, hit, chosen, query)
    };
    if proposal.chosen || game || unchosen() {
        ask(catalogue, hit, proposal.chosen || game, query);
    }
}

/// Whether words are read as a count that names no set: `70 HP` are hit points, and no `Holon Phantoms`;
/// `PSA 10 POP 1` counts slabs, but not beside the total of such a set: `PSA 10 POP 5 Pikachu 13/17`.
fn counts_otherwise(catalogue: &Columns<'_>, hit: &Hit, chosen: &Chosen, query: &Query) -> bool {
    let Some(reading) = chosen.covering(hit.at).filter(|c| c.at <= hit.at) else {
        return false;
    };
    let graded = || {
        let before = hit.at.checked_sub(1).and_then(|at| chosen.covering(at));
        before.is_some_and(|c| c.field == Field::Grade)
    };
    let of_total = |set: &SetRecord| {
        let official = set.official.get();
        official > 0
            && query
                .numbers
                .iter()
                .any(|clue| clue.total_digits == official)
    };
    match reading.field {
        Field::Hp => true,
        Field::Population => graded() && !catalogue.sets_named(hit.place).any(of_total),
        _ => false,
    }
}

/// Whether words that name a set are what is sold as well, or nothing: `拡張パック`.
pub(super) fn is_common(proposals: &[Proposal], (at, end): (u32, u32)) -> bool {
    let mut same = proposals.iter().filter(|p| (p.at, p.end) == (at, end));
    same.any(|p| matches!(p.value, Value::Word(tag) if tag.is_of_listing()))
}

/// Whether some words that were read as a set, and may name `hit` no more than an era of other sets,
/// stand beside it: `スカーレット&バイオレット` beside `拡張パック`.
pub(super) fn is_beside_another(readings: &Readings<'_, '_>, hit: &Hit) -> bool {
    let catalogue = readings.reference.catalogue;
    let mut others = readings
        .chosen
        .of(Field::Set)
        .filter_map(|p| match p.value {
            Value::Hit(at) if p.at != hit.at => readings.hits.get(at as usize),
            _ => None,
        });
    others.any(|other| {
        let mut sets = other.sets(catalogue).map(|entry| entry.id());
        let shared = sets.any(|set| hit.sets(catalogue).any(|own| own.id() == set));
        !shared && !is_common(readings.proposals, (other.at, other.end))
    })
}

/// Where a title names a set, drops what it names by words that are also what is sold, or nothing:
/// `拡張パック第4弾 闇、そして光へ` is the fourth expansion of a series, and none of those called so.
pub(crate) fn keep_own(readings: &Readings<'_, '_>, query: &mut Query) {
    let (proposals, chosen) = (readings.proposals, readings.chosen);
    if chosen.of(Field::Set).nth(1).is_none() {
        return;
    }
    let common = |clue: &SetClue| is_common(proposals, (clue.at, clue.end));
    let own = |clue: &SetClue| clue.is_named() && !common(clue);
    let named = query.sets.iter().any(own);
    let other = |clue: &SetClue| {
        let mut hits = readings.hits.iter();
        let hit = hits.find(|hit| hit.means.set && hit.spans(clue.at, clue.end));
        hit.is_some_and(|hit| is_beside_another(readings, hit))
    };
    query
        .sets
        .retain(|clue| !common(clue) || !named && !other(clue));
}

/// Where a title names a set whose cards bear the number and the mark of another, drops those:
/// `Lightning Bolt The List M10-146`.
pub(crate) fn keep_copies(catalogue: &Columns<'_>, query: &mut Query) {
    let copies = |clue: &SetClue| {
        let mut sets = clue.ids(catalogue);
        let copies = |set: u32| {
            let set = catalogue.sets.get(set as usize);
            set.is_some_and(|set| set.flags & set_flag::COPIES != 0)
        };
        clue.is_named() && sets.all(copies)
    };
    if query.sets.iter().any(copies) {
        query.sets.retain(copies);
        query.numbers.clear();
    }
}

/// Drops a code of several sets where the name of one of them is read as well: `XY7 SR Bandit Ring`.
pub(crate) fn drop_code(catalogue: &Columns<'_>, query: &mut Query) {
    let code = AliasKind::Code as u8;
    let sets = &query.sets;
    let dropped = sets.iter().position(|clue| {
        let settles = |name: &SetClue| {
            let names = name.is_named() && name.kind < code && name.sets < clue.sets;
            names && name.ids(catalogue).all(|set| clue.may_be(catalogue, set))
        };
        clue.kind == code && clue.sets > 1 && sets.iter().any(settles)
    });
    if let Some(at) = dropped {
        query.sets.remove(at);
        query.regional_set = is_regional(catalogue, query);
    }
}

/// The letters of an era and a space before the words of a set: `EX Delta Species`.
const ERA: u32 = 3;

/// Finds the mark that the words of a set are as well: `Delta Species`. Where another set is named
/// they are nothing but the mark, which is returned.
pub(crate) fn mark(proposals: &[Proposal], chosen: &Chosen, query: &mut Query) -> Option<u16> {
    let sets = || chosen.of(Field::Set);
    let mark = |set: &Proposal| {
        let same = |p: &&Proposal| p.end == set.end && set.at.abs_diff(p.at) <= ERA;
        proposals.iter().filter(same).find_map(|p| match p.value {
            Value::Word(Tag::Affix(mark)) => Some(mark),
            _ => None,
        })
    };
    let (set, found) = sets().find_map(|set| Some((set, mark(set)?)))?;
    match sets().count() {
        1 => {
            query.set_mark = Some(found);
            None
        }
        2 => {
            let words = (set.at, set.end);
            query.sets.retain(|clue| (clue.at, clue.end) != words);
            Some(found)
        }
        _ => None,
    }
}

/// Adds clues for the sets that a hit may name.
pub(crate) fn ask(catalogue: &Columns<'_>, hit: &Hit, chosen: bool, query: &mut Query) {
    let family = AliasKind::Family as u8;
    let (mut named, mut all, mut kind, mut listed) = (0u16, 0u16, family, false);
    for entry in hit.sets(catalogue) {
        let set = catalogue.sets.get(entry.id() as usize);
        // `Radiant Collection`: a part of other sets, and by itself of no card
        if chosen && set.is_some_and(|set| set.count.get() == 0) && entry.quality() < family {
            query.arts.add(Art::Collected);
        }
        listed |= entry.quality() == family
            && set.is_some_and(|set| catalogue.string(set.series).is_empty());
        named = named.saturating_add(u16::from(entry.quality() < family));
        all = all.saturating_add(1);
        kind = kind.min(entry.quality());
    }
    let sets = if named == 0 { all } else { named };
    query.sets.push(SetClue {
        place: hit.place,
        kind,
        family: named < all,
        listed,
        chosen,
        sets,
        all,
        at: hit.at,
        end: hit.end,
    });
}
