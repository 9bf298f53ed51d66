//! The cards that a query may mean, before they are compared with it.

use crate::attributes::number::NumberKind;
use crate::attributes::query::Query;
use crate::catalogue::format::{CardRecord, SetRecord};
use crate::catalogue::{EntryKind, Marks};
use crate::engine::Matcher;
use crate::retrieve::{Candidates, Part, retrieve};
use crate::stats::has_rarity;

impl Matcher<'_, '_> {
    /// Adds to `out` all cards that the query may mean: those of its names, else those of its sets
    /// or numbers, else those that its other words describe.
    pub(super) fn gather(
        &self,
        query: &Query,
        within: Option<&[u32]>,
        candidates: &mut Candidates,
    ) {
        let catalogue = self.catalogue;
        // what titles are compared with: cards of numbers with totals, of sets and numbers, of
        // nicknames, of pairs of names
        retrieve(catalogue, query, Part::All, candidates);
        let out = &mut candidates.cards;
        for name in &query.names {
            out.extend(
                catalogue
                    .cards_of_core(name.core)
                    .iter()
                    .map(|card| card.get()),
            );
        }
        // cards of several subjects, of which the query may name one: `team up pikachu`
        let subject = |core: u32| {
            catalogue
                .cores
                .get(core as usize)
                .map(|core| core.subjects[0].get())
                .filter(|&subject| subject != 0)
        };
        for name in query.names.iter().filter(|name| name.chosen) {
            let pairs = subject(name.core)
                .into_iter()
                .flat_map(|subject| catalogue.pairs_of(subject));
            for (core, _) in pairs {
                let cards = catalogue.cards_of_core(core);
                out.extend(cards.iter().map(|card| card.get()));
            }
        }
        let named = query.names.iter().any(|name| name.chosen);
        if !named {
            for number in &query.numbers {
                let Some(id) = number.number else { continue };
                let postings = catalogue.cards_of_number(id);
                match number.total.filter(|_| number.kind == NumberKind::Fraction) {
                    Some(total) => out.extend(
                        catalogue
                            .cards_of_number_and_total(id, total)
                            .iter()
                            .map(|card| card.get()),
                    ),
                    None => out.extend(postings.iter().map(|card| card.get())),
                }
            }
            for clue in query.sets.iter().filter(|set| set.chosen) {
                for entry in catalogue
                    .entries(clue.place)
                    .filter(|entry| entry.kind() == EntryKind::Set)
                {
                    let cards = catalogue
                        .sets
                        .get(entry.id() as usize)
                        .map_or(0..0, cards_of);
                    out.extend(cards);
                }
            }
        }
        if out.is_empty() && describes(query) {
            let all: Vec<std::ops::Range<u32>> = match within {
                None => std::iter::once(0..catalogue.card_count() as u32).collect(),
                Some(sets) => sets
                    .iter()
                    .filter_map(|&set| catalogue.sets.get(set as usize))
                    .map(cards_of)
                    .collect(),
            };
            let described = |card: &u32| {
                catalogue
                    .card_record(*card)
                    .is_some_and(|record| self.is_described(record, query))
            };
            out.extend(all.into_iter().flatten().filter(described));
        }
    }

    /// Whether words that name neither card nor set describe a card.
    fn is_described(&self, record: &CardRecord, query: &Query) -> bool {
        let artist = query
            .artists
            .iter()
            .any(|(artist, _)| *artist != 0 && *artist == record.illustrator.get());
        let product =
            !query.words.is_empty() && self.catalogue.shared_words(record, &query.words).is_some();
        let has = |number: u8| number != 0 && has_rarity(&query.rarities, number);
        let rarity = query.rarity && (has(record.rarity) || has(record.mark));
        let nothing = Marks::default();
        let marks = query.marks != nothing
            && self
                .catalogue
                .name_record(record)
                .is_some_and(|name| query.marks.minus(name.marks()) == nothing);
        artist || product || rarity || marks
    }
}

/// Whether the query has words that can find cards without a name.
fn describes(query: &Query) -> bool {
    let marks = query.marks != Marks::default();
    !query.artists.is_empty() || !query.words.is_empty() || query.rarity || marks
}

fn cards_of(set: &SetRecord) -> std::ops::Range<u32> {
    set.first.get()..set.first.get().saturating_add(set.count.get())
}
