//! The candidates of one title, ranked, and ranked again by misspelt names and sets where others are
//! not found.

use super::{Matcher, Scratch};
use crate::attributes::hit::{Hit, Means};
use crate::attributes::name;
use crate::attributes::number::NumberClue;
use crate::clues::in_sets::search_in_sets;
use crate::clues::misspelt::{
    Misnamed, is_beside_set, search_fuzzily, search_longer_sets, search_sets, search_whole_names,
};
use crate::clues::of_code::search_name_of_code;
use crate::extract::settle;
use crate::parsed::Field;
use crate::reading::{Proposal, Value};
use crate::retrieve::Part;

/// Above this probability of NIL, misspelt names are looked for.
const HARDLY_OURS: f64 = 0.5;
/// Above this probability of a card, misspelt names of sets are not looked for.
const DECIDED: f64 = 0.9;
/// Below this probability of the first card, names are looked for that are misspelt in any language:
/// two cards of one number and total share what there is.
const TIED: f64 = 0.6;

/// What is known of a title once its candidates are ranked by the words that are read.
struct First {
    /// Something beside a name says that this is a game of the catalogue: comparing words with all
    /// names is expensive.
    ours: bool,
    /// No candidate is likely.
    lost: bool,
    /// The first is.
    likely: bool,
    /// A subject is read.
    named: bool,
}

impl Matcher<'_, '_> {
    /// Finds and ranks the candidates, by misspelt words as well where others find none; returns the
    /// probability that the catalogue lacks the card.
    pub(super) fn search_cards(&self, scratch: &mut Scratch) -> f64 {
        let nil = self.rank_all(scratch);
        if !self.fuzzy {
            return nil;
        }
        let held = |tag| self.stats.is_held_game(tag);
        let first = First {
            ours: scratch.cover.chosen.iter().any(|p| {
                matches!(p.value, Value::Word(tag) if held(tag))
                    || matches!(p.field, Field::Number | Field::Set)
            }),
            lost: scratch.candidates.cards.is_empty() || nil > HARDLY_OURS,
            likely: (scratch.ranked.first()).is_some_and(|top| top.probability > TIED),
            named: scratch.query.names.iter().any(|n| n.subject && n.chosen),
        };
        let nil = self.rank_by_names(scratch, &first).unwrap_or(nil);
        self.rank_by_sets(scratch).unwrap_or(nil)
    }

    /// Ranks the cards that fit the clues.
    fn rank_all(&self, scratch: &mut Scratch) -> f64 {
        let Scratch {
            line,
            query,
            candidates,
            memory,
            cores,
            ranked,
            ..
        } = scratch;
        self.rank(line, query, candidates, memory, cores, ranked)
    }

    /// Adds misspelt names to the clues and ranks again; `None` if none is found.
    fn rank_by_names(&self, scratch: &mut Scratch, first: &First) -> Option<f64> {
        let Scratch {
            line, query, cores, ..
        } = scratch;
        // `Figarro Reign of Jafar`
        let only_sets = first.ours && query.only_sets_name();
        let beside = only_sets && search_in_sets(self.catalogue, &self.speller, line, query, cores);
        if beside {
            query.drop_names_in_sets();
            return Some(self.rank_all(scratch));
        }
        if let Some(name) = self.misnamed(scratch, first) {
            let nil = self.rank_all(scratch);
            // `Egyptian God Deck Slifer`: the first card is of another name
            let top = scratch.ranked.first();
            let core = top.and_then(|top| self.catalogue.core_of_card(top.card));
            if name.is_of(self.catalogue, core) {
                self.read_name(&name, scratch);
            }
            return Some(nil);
        }
        if !first.ours || !first.lost && first.likely {
            return None;
        }
        let Scratch {
            line,
            query,
            cores,
            candidates,
            misspelt,
            ..
        } = scratch;
        // where the sets alone name a card, none of theirs was found above
        let in_sets =
            !only_sets && search_in_sets(self.catalogue, &self.speller, line, query, cores);
        let known = query.names.len();
        if !in_sets && !first.named {
            search_fuzzily(self.catalogue, &self.speller, line, query, misspelt);
            if !first.lost {
                // a name that none of them bears says nothing of cards that fit otherwise
                name::keep_borne(self.catalogue, &candidates.cards, query, known);
            }
        }
        name::keep_games(&self.reference(), query, known);
        (in_sets || query.names.len() > known).then(|| self.rank_all(scratch))
    }

    /// The misspelt name of the card whose code the title states, or of one that nothing else tells.
    fn misnamed(&self, scratch: &mut Scratch, first: &First) -> Option<Misnamed> {
        let Scratch {
            line,
            query,
            ranked,
            misspelt,
            one_key,
            ..
        } = scratch;
        if query.unread.is_empty() {
            return None;
        }
        let of_code = search_name_of_code(self.catalogue, &self.speller, line, query, one_key);
        if of_code.is_some() {
            return of_code;
        }
        // `Résurretion de Chakra NUMH-FR053`: the code says another card than a word of its name
        let prints = |number: u32| {
            let top = ranked.first().filter(|_| !first.lost && first.likely);
            let card = top.and_then(|top| self.catalogue.card_record(top.card));
            card.is_some_and(|card| card.number.get() == number)
        };
        let coded =
            |clue: &NumberClue| clue.coded && clue.number.is_some_and(|number| !prints(number));
        let untold = !first.named && query.numbers.is_empty() || query.numbers.iter().any(coded);
        if !first.ours || !untold {
            return None;
        }
        search_whole_names(&self.reference(), &self.speller, line, query, misspelt)
    }

    /// Adds misspelt names of sets to the clues and ranks again; `None` if none is found.
    fn rank_by_sets(&self, scratch: &mut Scratch) -> Option<f64> {
        let Scratch {
            line,
            query,
            candidates,
            ranked,
            misspelt,
            one_key,
            ..
        } = scratch;
        let open = ranked.first().is_none_or(|top| top.probability < DECIDED);
        let unread = !query.unread.is_empty();
        let longer = !open && unread && is_beside_set(line, query);
        if (open || longer) && unread && candidates.left_out > 0 {
            // of a set that is misspelt some card may be that has none of the numbers
            self.candidates(query, Part::All, candidates);
        }
        let (catalogue, speller, cards) = (self.catalogue, &self.speller, &candidates.cards);
        let found = match (open, longer) {
            (true, _) => search_sets(catalogue, speller, line, cards, query, misspelt),
            (_, true) => {
                let memory = (misspelt, one_key);
                search_longer_sets(catalogue, speller, line, cards, query, memory)
            }
            _ => return None,
        };
        found.then(|| self.rank_all(scratch))
    }

    /// Reads words as the name that they are a misspelling of, in place of what they mean one by one.
    fn read_name(&self, name: &Misnamed, scratch: &mut Scratch) {
        let Scratch {
            line,
            hits,
            proposals,
            cover,
            ..
        } = scratch;
        let Ok(hit) = u16::try_from(hits.len()) else {
            return;
        };
        let means = Means::of(self.catalogue, name.place, u32::MAX).only_name();
        hits.push(Hit::whole(name.at, name.place, means));
        let value = Value::Hit(hit);
        proposals.push(Proposal::new(
            line,
            name.at,
            Field::Name,
            value,
            name::PRINTED,
        ));
        settle(line.key().len(), proposals, cover);
    }
}
