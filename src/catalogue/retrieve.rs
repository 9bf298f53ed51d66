//! [`Query`] → candidates: the cards that share a clue with the title, never a scan of the catalogue.

use super::format::NONE;
use super::{Catalogue, EntryKind};
use crate::extract::number::NumberKind;
use crate::score::query::{Query, pair_range};

/// Lists longer than this are cut to the cards that share a second clue.
const LONG_LIST: usize = 256;
/// More candidates than any title needs; the rarest clues come first.
pub(crate) const MAX_CANDIDATES: usize = 2048;

/// Collects the cards that share a clue with the title, ascending, each once.
pub(crate) fn retrieve(catalogue: &Catalogue<'_>, query: &Query, out: &mut Vec<u32>) {
    out.clear();
    out.extend_from_slice(&query.cards);
    // number and total name a handful of cards
    for number in &query.numbers {
        let Some(id) = number.number else { continue };
        let postings = catalogue.cards_of_number(id);
        match (number.kind, number.total) {
            (NumberKind::Fraction, Some(total)) => out.extend(pair_range(catalogue, postings, total).iter().map(|c| c.get())),
            (NumberKind::Prefixed, _) => out.extend(postings.iter().take(LONG_LIST).map(|c| c.get())),
            _ => {}
        }
    }
    // set and number name one card or two
    for clue in &query.sets {
        for entry in catalogue.entries(clue.place).filter(|e| e.kind() == EntryKind::Set) {
            let Some(set) = catalogue.sets.get(entry.id() as usize) else { continue };
            let (from, to) = (set.first.get(), set.first.get() + set.count.get());
            for number in &query.numbers {
                let Some(id) = number.number else { continue };
                let postings = catalogue.cards_of_number(id);
                if postings.len() < (to - from) as usize {
                    out.extend(postings.iter().map(|c| c.get()).filter(|c| (from..to).contains(c)));
                } else {
                    out.extend((from..to).filter(|&c| catalogue.cards.get(c as usize).is_some_and(|r| r.number.get() == id)));
                }
            }
        }
    }
    // the cards of each name; long lists only where a second clue agrees
    for (at, name) in query.names.iter().enumerate() {
        if query.names[..at].iter().any(|n| n.core == name.core) || out.len() >= MAX_CANDIDATES {
            continue;
        }
        let cards = catalogue.cards_of_core(name.core);
        let alone = query.numbers.iter().all(|n| n.kind == NumberKind::Bare) && query.sets.iter().all(|s| !s.chosen);
        let strong = cards.len() <= LONG_LIST || alone;
        for card in cards.iter().map(|c| c.get()) {
            if strong || second_clue(catalogue, query, card) {
                out.push(card);
            }
        }
    }
    // `Pikachu Zekrom GX`: a pair by its parts
    let named = |dex: u16| catalogue.core_of_species(dex).is_some_and(|c| query.names.iter().any(|n| n.core == c));
    if query.names.iter().filter(|n| n.species).any(|n| n.core != query.names[0].core) {
        // all species of a pair are named, so its first is the species of one of the names
        for name in &query.names {
            let Some(dex) = catalogue.cores.get(name.core as usize).map(|c| c.dex[0].get()).filter(|&d| d != 0) else { continue };
            for (core, pair) in catalogue.pairs_of(dex) {
                if pair.dex.iter().map(|d| d.get()).filter(|&d| d != 0).all(named) {
                    out.extend(catalogue.cards_of_core(core).iter().map(|c| c.get()));
                }
            }
        }
    }
    // a number alone, where nothing else is known
    if query.names.is_empty() && query.sets.is_empty() {
        for number in query.numbers.iter().filter(|n| matches!(n.kind, NumberKind::Fraction | NumberKind::Hash)) {
            if let Some(id) = number.number {
                out.extend(catalogue.cards_of_number(id).iter().take(LONG_LIST).map(|c| c.get()));
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out.truncate(MAX_CANDIDATES);
}

/// Whether a card of a frequent name shares a number, a set or a Pokédex number with the title, or has no number to share.
fn second_clue(catalogue: &Catalogue<'_>, query: &Query, card: u32) -> bool {
    let Some(record) = catalogue.card_record(card) else { return false };
    query.numbers.iter().any(|n| n.number == Some(record.number.get()))
        || query.sets.iter().any(|s| catalogue.set_entry(s.place, record).is_some())
        || record.number.get() == NONE
        || record.flags.get() & super::format::card_flag::UNPRINTED != 0
}
