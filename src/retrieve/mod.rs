//! [`Query`] → candidates: the cards that share a clue with the title, never a scan of the
//! catalogue.

mod seen;

use crate::attributes::name::NameClue;
use crate::attributes::number::{NumberClue, NumberKind, digits_of};
use crate::attributes::query::Query;
use crate::catalogue::format::{NONE, SetRecord, U24, set_flag};
use crate::catalogue::{Columns, EntryKind};
use crate::keep::keep;
use seen::Seen;
use std::ops::Range;

/// Longer lists are cut to the cards that share a second clue, if the title has one that can be
/// looked up.
const LONG_LIST: usize = 256;
/// Catalogues of more cards than this for each of their games hold one of a hundred years: what a
/// title means is among more cards that share its name, and each that is compared has to be fetched
/// from memory.
const ONE_GAME: usize = 100_000;
/// In such a catalogue longer lists are cut already, if some card shares a second clue: a card that
/// shares none has number or set against it, and ranks behind those. And of the cards that share a
/// number those count that share the total, too ([`numbered`]); where a card of a name that is read
/// does, cards of other names are left out.
const SHORT_LIST: usize = 64;
/// Longer lists of a name without a second clue are cut to [`LONG_LIST`]. No name of the default
/// catalogue has as many cards (the most are some 500). A title that states only a name of this
/// many cards means none of them in particular.
const WHOLE_LIST: usize = 640;
/// Of longer lists of cards that share number and total, only [`FEW`] are compared if a subject is
/// read: they are meant only if that name is misread. The default catalogue has no longer list.
const PAIR_LIST: usize = 32;
/// Of longer lists of a name's cards without a number the rest is left out where the title states a
/// number, unless it names their set. No name of the default catalogue has as many.
const UNNUMBERED: usize = 64;
/// Cards taken of a list that is too long to say much, in addition to those that share a second
/// clue.
const FEW: usize = 8;
/// Cards of the named sets that are looked at for each card of the name, to find the cards of a
/// name in these sets; if there are more, the name's own list is walked.
const SETS_OVER_NAMES: usize = 2;
/// More candidates than any title needs; the rarest clues come first.
pub(crate) const MAX_CANDIDATES: usize = 2048;

/// The cards that a title is compared with, and memory to find those that are named twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    /// Each once.
    pub(crate) cards: Vec<u32>,
    /// At most as many cards of names were left out ([`Part::Near`]).
    pub(crate) left_out: usize,
    seen: Seen,
    /// A bit for each set of the catalogue: the title's words name it.
    named: Vec<u64>,
}

/// The cards of a name that are collected where all of them are few enough to be compared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'s> {
    All,
    /// Those that print one of the title's numbers, or the same digits with letters, or none, and
    /// those of these sets, by the ranges of their cards.
    Near(&'s [Range<u32>]),
}

/// Collects the cards that share a clue with the title.
pub(crate) fn retrieve(
    catalogue: &Columns<'_>,
    query: &Query,
    part: Part<'_>,
    candidates: &mut Candidates,
) {
    let Candidates {
        cards: out,
        left_out,
        named,
        ..
    } = candidates;
    out.clear();
    *left_out = 0;
    out.extend_from_slice(&query.cards);
    let large = catalogue.card_count() > ONE_GAME * catalogue.game_count().max(1);
    of_numbers_read(catalogue, query, large, out);
    of_sets_read(catalogue, query, out);
    *left_out = of_names_read(catalogue, query, (part, large), named, out);
    of_pairs_read(catalogue, query, out);
    if query.names.is_empty() && query.sets.is_empty() {
        of_numbers_alone(catalogue, query, out);
    }
    candidates.seen.keep_first(out, catalogue.card_count());
    if out.len() > MAX_CANDIDATES {
        out.sort_unstable();
        out.truncate(MAX_CANDIDATES);
    }
}

/// Adds the cards of numbers that say which card it is: number and total name a handful.
fn of_numbers_read(catalogue: &Columns<'_>, query: &Query, large: bool, out: &mut Vec<u32>) {
    for (at, number) in query.numbers.iter().enumerate() {
        let Some(id) = number.number else { continue };
        let same = |n: &NumberClue| {
            (n.kind, n.number, n.total) == (number.kind, number.number, number.total)
        };
        if query.numbers[..at].iter().any(same) {
            continue;
        }
        match (number.kind, number.total) {
            (NumberKind::Fraction, Some(total)) => {
                of_pair(catalogue, query, (id, total), large, out);
            }
            (NumberKind::Prefixed, _) => {
                let cards = catalogue.cards_of_number(id).iter();
                out.extend(cards.take(LONG_LIST).map(|c| c.get()));
            }
            _ => {}
        }
    }
}

/// Adds the cards of the named sets that have one of the title's numbers: one or two of each.
fn of_sets_read(catalogue: &Columns<'_>, query: &Query, out: &mut Vec<u32>) {
    let alone = out.len();
    for (at, clue) in query.sets.iter().enumerate() {
        if query.sets[..at].iter().any(|s| s.place == clue.place) {
            continue;
        }
        for set in catalogue.sets_named(clue.place) {
            of_set_and_numbers(catalogue, query, set, out);
            if set.flags & set_flag::CODED != 0 {
                of_set_and_digits(catalogue, query, set.cards(), out);
            }
        }
        // as many cards have only titles that name most sets and dozens of numbers
        if out.len() - alone >= MAX_CANDIDATES {
            break;
        }
    }
}

/// Adds the cards of each name; of long lists only those on which a second clue agrees. Returns how
/// many were left out at most.
fn of_names_read(
    catalogue: &Columns<'_>,
    query: &Query,
    (part, large): (Part<'_>, bool),
    named: &mut Vec<u64>,
    out: &mut Vec<u32>,
) -> usize {
    let mut left_out = 0;
    let alone = query.numbers.iter().all(|n| n.kind == NumberKind::Bare)
        && query.sets.iter().all(|s| !s.chosen);
    let most = match (alone, large) {
        (true, false) => WHOLE_LIST,
        (true, true) | (false, false) => LONG_LIST,
        (false, true) => SHORT_LIST,
    };
    for core in cores_of(&query.names) {
        if out.len() >= MAX_CANDIDATES {
            break;
        }
        let cards = catalogue.cards_of_core(core);
        let before = out.len();
        if cards.len() <= most {
            match part {
                Part::All => out.extend(cards.iter().map(|c| c.get())),
                Part::Near(sets) => {
                    numbered(catalogue, query, core, false, out);
                    ending(catalogue, query, core, out);
                    of_sets(cards, sets, out);
                    left_out += cards.len();
                }
            }
            continue;
        }
        of_product(catalogue, query, core, out);
        second_clue(catalogue, query, core, large, named, out);
        if alone || out.len() == before && cards.len() <= LONG_LIST {
            out.extend(cards.iter().take(LONG_LIST).map(|c| c.get()));
        }
    }
    left_out
}

/// The cores of names, each once.
fn cores_of(names: &[NameClue]) -> impl Iterator<Item = u32> {
    let first = |&at: &usize| names[..at].iter().all(|n| n.core != names[at].core);
    (0..names.len()).filter(first).map(|at| names[at].core)
}

/// Adds the cards of a pair whose parts the title names: `Pikachu Zekrom GX`.
fn of_pairs_read(catalogue: &Columns<'_>, query: &Query, out: &mut Vec<u32>) {
    let further = |n: &NameClue| n.subject && n.core != query.names[0].core;
    if !query.names.iter().any(further) {
        return;
    }
    let named = |subject: u16| {
        let core = catalogue.core_of_subject(subject);
        core.is_some_and(|core| query.names.iter().any(|n| n.core == core))
    };
    // all subjects of a pair are named, so its first is the subject of one of the names
    for core in cores_of(&query.names) {
        let subject = catalogue
            .cores
            .get(core as usize)
            .map(|c| c.subjects[0].get());
        let Some(subject) = subject.filter(|&subject| subject != 0) else {
            continue;
        };
        for (core, pair) in catalogue.pairs_of(subject) {
            let mut subjects = pair.subjects.iter().map(|d| d.get()).filter(|&d| d != 0);
            if subjects.all(named) {
                out.extend(catalogue.cards_of_core(core).iter().map(|c| c.get()));
            }
        }
    }
}

/// Adds the cards of a number by itself, where nothing else is known.
fn of_numbers_alone(catalogue: &Columns<'_>, query: &Query, out: &mut Vec<u32>) {
    let said = |n: &&NumberClue| matches!(n.kind, NumberKind::Fraction | NumberKind::Hash);
    for id in query.numbers.iter().filter(said).filter_map(|n| n.number) {
        let cards = catalogue.cards_of_number(id).iter();
        out.extend(cards.take(LONG_LIST).map(|c| c.get()));
    }
}

/// Adds the cards that share number and total: few if a subject is read, and in a `large` catalogue
/// none if it has such a card, which its name will add.
fn of_pair(
    catalogue: &Columns<'_>,
    query: &Query,
    (number, total): (u32, u32),
    large: bool,
    out: &mut Vec<u32>,
) {
    let read = || query.names.iter().filter(|n| n.chosen && n.subject);
    let prints = |n: &NameClue| catalogue.core_prints(n.core, number, Some(total));
    if large && read().any(prints) {
        return;
    }
    let pairs = catalogue.cards_of_number_and_total(number, total);
    let most = if read().next().is_none() {
        LONG_LIST
    } else if pairs.len() > PAIR_LIST {
        FEW
    } else {
        PAIR_LIST
    };
    out.extend(pairs.iter().take(most).map(|c| c.get()));
}

/// The `cards` of a set whose numbers begin with its code, and go on with digits that the title
/// states without it: `OP11 #114`.
fn of_set_and_digits(
    catalogue: &Columns<'_>,
    query: &Query,
    cards: Range<u32>,
    out: &mut Vec<u32>,
) {
    let stated = |digits: u16| {
        let plain = |kind| matches!(kind, NumberKind::Hash | NumberKind::Bare);
        let mut numbers = query.numbers.iter().filter(|number| plain(number.kind));
        numbers.any(|number| number.digits == digits && digits != 0)
    };
    if query.numbers.is_empty() {
        return;
    }
    out.extend(cards.filter(|&card| {
        let record = catalogue.card_record(card);
        let digits = record.map(|record| digits_of(catalogue.number_text(record)).parse());
        matches!(digits, Some(Ok(digits)) if stated(digits))
    }));
}

/// Adds the cards of a set that bear one of the numbers.
fn of_set_and_numbers(catalogue: &Columns<'_>, query: &Query, set: &SetRecord, out: &mut Vec<u32>) {
    for (at, number) in query.numbers.iter().enumerate() {
        let Some(id) = number.number else { continue };
        if query.numbers[..at]
            .iter()
            .any(|n| n.number == number.number)
        {
            continue;
        }
        // a number that is not printed is meant only if many cards have it
        let frequent = catalogue.cards_of_number(id).len() >= set.count.get() as usize;
        let printed = |card: &u32| {
            let record = catalogue.card_record(*card);
            frequent || record.is_some_and(|record| record.printed_number() == id)
        };
        let cards = catalogue.cards_of_set_numbered(set, id);
        out.extend(cards.iter().map(|c| c.get()).filter(printed));
    }
}

/// Adds those of `cards` that are of one of these sets.
fn of_sets(cards: &[U24], sets: &[Range<u32>], out: &mut Vec<u32>) {
    // most cards stand before the first of these sets or behind the last
    let first = sets.iter().map(|set| set.start).min().unwrap_or(0);
    let end = sets.iter().map(|set| set.end).max().unwrap_or(0);
    let from = out.len();
    out.extend(cards.iter().map(|card| card.get()));
    keep(out, from, |card| (card >= first) & (card < end));
    if sets.len() > 1 {
        keep(out, from, |card| sets.iter().any(|set| set.contains(&card)));
    }
}

/// Adds the cards of a name that share a number with the title, or have none to share. In a `large`
/// catalogue those that share the total as well stand for all that share the number, and few that
/// have none are added where the number tells the card; returns whether it does.
fn numbered(
    catalogue: &Columns<'_>,
    query: &Query,
    core: u32,
    large: bool,
    out: &mut Vec<u32>,
) -> bool {
    let mut told = false;
    for (at, number) in query.numbers.iter().enumerate() {
        let Some(id) = number.number else { continue };
        let same = |n: &NumberClue| (n.number, n.total) == (number.number, number.total);
        if query.numbers[..at].iter().any(same) {
            continue;
        }
        let (from, prints) = (out.len(), catalogue.prints_of_core(core, id));
        if let Some(total) = number.total.filter(|_| large) {
            let both = prints.clone().filter(|print| print.1 == total);
            out.extend(both.map(|print| print.0));
        }
        if out.len() == from {
            out.extend(prints.map(|print| print.0));
        }
        // `Wooper #194` of a card without a number: that of the species
        let of_subject = catalogue.core_has_subject(core, number.digits);
        told |= large && out.len() > from && number.kind != NumberKind::Bare && !of_subject;
    }
    // an unprinted number is still the source's own
    let most = if told { FEW } else { UNNUMBERED };
    let unnumbered = catalogue.cards_of_core_numbered(core, NONE).iter();
    out.extend(unnumbered.take(most).map(|card| card.get()));
    told
}

/// Adds the cards of a name whose numbers have letters and digits that the title states without
/// them: `TG04` and `#4`.
fn ending(catalogue: &Columns<'_>, query: &Query, core: u32, out: &mut Vec<u32>) {
    let plain = query.numbers.iter().filter(|n| n.kind == NumberKind::Hash);
    for clue in plain {
        let ends = |card: &(u32, u32)| catalogue.number_may_end_in(card.1, clue.digits);
        let cards = catalogue.numbers_of_core(core);
        out.extend(cards.filter(ends).map(|card| card.0));
    }
}

/// Adds the cards of a name that came with a product of which the title says a word that is also a
/// set's: `McDonald's`.
fn of_product(catalogue: &Columns<'_>, query: &Query, core: u32, out: &mut Vec<u32>) {
    if query.set_words.is_empty() {
        return;
    }
    let shares = |card: &u32| {
        let record = catalogue.card_record(*card);
        record.is_some_and(|card| catalogue.shared_words(card, &query.set_words).is_some())
    };
    let cards = catalogue.cards_of_core(core).iter().map(|c| c.get());
    out.extend(cards.filter(shares).take(LONG_LIST));
}

/// Adds the cards of a frequent name that share a number or a set with the title, or have no number
/// to share, as [`numbered`] says.
fn second_clue(
    catalogue: &Columns<'_>,
    query: &Query,
    core: u32,
    large: bool,
    sets: &mut Vec<u64>,
    out: &mut Vec<u32>,
) {
    let told = numbered(catalogue, query, core, large, out);
    // beside cards that a number tells, an era says nothing of the others
    let named = || {
        query
            .sets
            .iter()
            .filter(|s| !(told && s.family))
            .flat_map(|s| catalogue.entries(s.place))
            .filter(|e| e.kind() == EntryKind::Set)
            .map(|e| e.id())
    };
    let cards = catalogue.cards_of_core(core);
    let mut of_sets = 0usize;
    for set in named() {
        of_sets += catalogue
            .sets
            .get(set as usize)
            .map_or(0, |s| s.count.get() as usize);
    }
    if of_sets <= cards.len().saturating_mul(SETS_OVER_NAMES) {
        for set in named() {
            out.extend(
                catalogue
                    .cards_of_set_and_core(set, core)
                    .map(|(card, _)| card),
            );
        }
        return;
    }
    sets.clear();
    sets.resize(catalogue.set_count().div_ceil(64), 0);
    let place = |set: u32| (set as usize / 64, 1u64 << (set % 64));
    for set in named() {
        let (word, bit) = place(set);
        if let Some(word) = sets.get_mut(word) {
            *word |= bit;
        }
    }
    let agrees = |card: &u32| {
        let set = catalogue.card_record(*card).map(|card| card.set.get());
        set.is_some_and(|set| {
            let (word, bit) = place(set);
            sets.get(word).is_some_and(|word| word & bit != 0)
        })
    };
    out.extend(cards.iter().map(|c| c.get()).filter(agrees));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::number::Refuted;
    use crate::attributes::set::SetClue;
    use crate::catalogue::Catalogue;
    use crate::catalogue::format::CardRecord;
    use crate::catalogue::{Marks, NameQuality};

    fn embedded() -> Catalogue {
        Catalogue::open(titledex_embedded::INDEX).expect("the embedded catalogue opens")
    }

    /// The result that [`second_clue`] promises, found by looking at every card of the name.
    fn scanned(catalogue: &Columns<'_>, query: &Query, core: u32) -> Vec<u32> {
        let agrees = |card: &u32| {
            let Some(record) = catalogue.card_record(*card) else {
                return false;
            };
            query
                .numbers
                .iter()
                .any(|n| n.number == Some(record.number.get()))
                || query
                    .sets
                    .iter()
                    .any(|s| catalogue.set_entry(s.place, record).is_some())
                || record.printed_number() == NONE
        };
        let mut found: Vec<u32> = catalogue
            .cards_of_core(core)
            .iter()
            .map(|c| c.get())
            .filter(agrees)
            .collect();
        found.sort_unstable();
        found
    }

    fn number(id: u32) -> NumberClue {
        NumberClue {
            kind: NumberKind::Bare,
            number: Some(id),
            total: None,
            has_total: false,
            digits: 0,
            total_digits: 0,
            games: u32::MAX,
            known_in: u32::MAX,
            patterns: 0,
            coded: false,
            beside: false,
            unsigned: false,
            refuted: Refuted::No,
            idf_pair: 0.0,
            idf_total: 0.0,
            idf: 0.0,
        }
    }

    #[test]
    fn second_clues_equal_those_of_a_scan() {
        let catalogue = embedded();
        let catalogue = catalogue.columns();
        let set = |key: &str| {
            let place = catalogue
                .lexicon()
                .get(key.as_bytes())
                .expect("the set has this name");
            SetClue {
                place,
                kind: 0,
                family: false,
                listed: false,
                chosen: true,
                sets: 1,
                all: 1,
                at: 0,
                end: 1,
            }
        };
        let sets = [
            vec![],
            vec![set("baseset")],
            vec![set("jungle"), set("fossil")],
            vec![set("swordshield")],
        ];
        let frequent = (0..catalogue.cores.len() as u32)
            .filter(|&core| catalogue.cards_of_core(core).len() > 100);
        for core in frequent.collect::<Vec<u32>>() {
            for (at, sets) in sets.iter().enumerate() {
                let of = |card: u32| catalogue.card_record(card).map_or(NONE, |r| r.number.get());
                let cards = catalogue.cards_of_core(core);
                let mut query = Query {
                    sets: sets.clone(),
                    ..Query::default()
                };
                query.numbers = [0, at * 7, cards.len() / 2, cards.len() - 1]
                    .map(|i| number(of(cards[i].get())))
                    .to_vec();
                query.numbers.retain(|n| n.number != Some(NONE));
                let mut found = Vec::new();
                second_clue(&catalogue, &query, core, false, &mut Vec::new(), &mut found);
                found.sort_unstable();
                found.dedup();
                assert_eq!(
                    found,
                    scanned(&catalogue, &query, core),
                    "core {core}, sets {at}"
                );
            }
        }
    }

    #[test]
    fn in_a_large_catalogue_the_total_chooses_among_cards_of_a_number() {
        let catalogue = embedded();
        let catalogue = catalogue.columns();
        let (mut fewer, mut unnumbered) = (0, 0);
        for (core, record) in (0..).zip(catalogue.cores) {
            // the first card of the core that has a number and a total
            let cards = catalogue.cards_of_core(core).iter();
            let mut records = cards.filter_map(|card| catalogue.card_record(card.get()));
            let whole =
                |card: &&CardRecord| card.printed_number() != NONE && card.total.get() != NONE;
            let Some(card) = records.find(whole) else {
                continue;
            };
            let found = |total: u32, digits: u16, large: bool| {
                let clue = NumberClue {
                    kind: NumberKind::Fraction,
                    total: Some(total),
                    digits,
                    ..number(card.number.get())
                };
                let query = Query {
                    numbers: vec![clue],
                    ..Query::default()
                };
                let mut found = Vec::new();
                numbered(&catalogue, &query, core, large, &mut found);
                found
            };
            let prints = |wanted: &dyn Fn(u32) -> bool, most: usize| {
                let numbered = catalogue.prints_of_core(core, card.number.get());
                let numbered = numbered.filter(|print| wanted(print.1));
                let none = catalogue.prints_of_core(core, NONE).take(most);
                numbered
                    .chain(none)
                    .map(|print| print.0)
                    .collect::<Vec<u32>>()
            };
            let total = card.total.get();
            let same = |own| own == total;
            let any = |_| true;
            assert_eq!(found(total, 0, true), prints(&same, FEW));
            // all where no card has the total, and in a catalogue that is not large
            assert_eq!(found(NONE - 1, 0, true), prints(&any, FEW));
            assert_eq!(found(total, 0, false), prints(&any, UNNUMBERED));
            fewer += usize::from(prints(&same, 0).len() < prints(&any, 0).len());
            unnumbered += usize::from(prints(&any, FEW).len() < prints(&any, UNNUMBERED).len());
            // the number of a species says nothing of the card
            let species = record.subjects[0].get();
            let most = if species == 0 { FEW } else { UNNUMBERED };
            assert_eq!(found(total, species, true), prints(&same, most));
        }
        assert!(fewer > 100 && unnumbered > 10, "{fewer}, {unnumbered}");
    }

    #[test]
    fn in_a_large_catalogue_a_card_of_the_name_stands_for_all_of_its_number_and_total() {
        let catalogue = embedded();
        let catalogue = catalogue.columns();
        let found = |core: u32, pair: (u32, u32), large: bool| {
            let name = NameClue {
                core,
                name: None,
                marks: Marks::default(),
                shared: Marks::default(),
                quality: NameQuality::Printed,
                slips: 0.0,
                subject: true,
                rest: false,
                chosen: true,
                idf: 0.0,
                whole_idf: 0.0,
                at: 0,
                end: 1,
            };
            let query = Query {
                names: vec![name],
                ..Query::default()
            };
            let mut found = Vec::new();
            of_pair(&catalogue, &query, pair, large, &mut found);
            found
        };
        let mut shared = 0;
        for card in catalogue.cards {
            let pair = (card.printed_number(), card.total.get());
            let name = catalogue.name_record(card).expect("a name");
            let all = catalogue.cards_of_number_and_total(pair.0, pair.1);
            if pair.0 == NONE || pair.1 == NONE || all.len() < 2 {
                continue;
            }
            let all: Vec<u32> = all.iter().map(|card| card.get()).collect();
            // its name adds it, and no other of them
            assert!(found(name.core.get(), pair, true).is_empty());
            assert_eq!(found(name.core.get(), pair, false), all);
            // a name that may be misread
            let other = (0..).find(|&core| !catalogue.core_prints(core, pair.0, Some(pair.1)));
            assert_eq!(found(other.expect("another name"), pair, true), all);
            shared += 1;
        }
        assert!(shared > 1000, "{shared}");
    }

    #[test]
    fn default_catalogue_has_no_cut_list() {
        let catalogue = embedded();
        let catalogue = catalogue.columns();
        let names = (0..catalogue.cores.len() as u32)
            .map(|core| catalogue.cards_of_core(core).len())
            .max();
        assert!(names.is_some_and(|most| most <= WHOLE_LIST), "{names:?}");
        let unnumbered = (0..catalogue.cores.len() as u32)
            .map(|core| catalogue.cards_of_core_numbered(core, NONE).len())
            .max();
        assert!(
            unnumbered.is_some_and(|most| most <= UNNUMBERED),
            "{unnumbered:?}"
        );
        let of_total = |card: u32| catalogue.card_record(card).map(|r| r.total);
        for number in (0u32..)
            .take_while(|&number| !catalogue.cards_of_number(number).is_empty() || number < 5000)
        {
            let totals: Vec<_> = catalogue
                .cards_of_number(number)
                .iter()
                .map(|c| of_total(c.get()))
                .collect();
            let most = totals
                .chunk_by(|a, b| a == b)
                .filter(|list| list[0].is_some_and(|t| t.get() != NONE))
                .map(<[_]>::len)
                .max();
            assert!(most.unwrap_or(0) <= PAIR_LIST, "number {number}: {most:?}");
        }
    }
}
