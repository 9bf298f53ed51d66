//! Clues → candidates, scored and in order: as many cards as can count.

use super::Matcher;
use crate::attributes::number::{NumberClue, NumberKind, Refuted};
use crate::attributes::query::Query;
use crate::calibrate::{Ranked, calibrate};
use crate::catalogue::format::SetRecord;
use crate::catalogue::{AliasKind, EntryKind};
use crate::clues::misspelt::compare_spellings;
use crate::math::exp;
use crate::retrieve::{Candidates, Part, retrieve};
use crate::score::bound::Most;
use crate::score::memory::Memory;
use crate::token::Line;
use std::ops::Range;

/// Cards that are left out may together be so likely beside the best one: half of a confidence's
/// third digit. Where the bound allows that much they are some hundred times less likely.
const NEGLIGIBLE: f64 = 5e-4;

/// The ranges of the cards of sets that a title names. Words that name more name none in particular.
pub(super) type Near = [Range<u32>; 8];

const FAMILY: u8 = AliasKind::Family as u8;

impl Matcher<'_, '_> {
    /// Collects the cards that a title is compared with.
    pub(super) fn candidates(&self, query: &Query, part: Part<'_>, out: &mut Candidates) {
        if self.scanning {
            out.left_out = 0;
            out.cards.clear();
            out.cards.extend(0..self.catalogue.card_count() as u32);
        } else {
            retrieve(self.catalogue, query, part, out);
        }
        let open = self.stats.open_games;
        if open != u32::MAX {
            out.cards.retain(|&card| {
                let record = self.catalogue.card_record(card);
                let set = record.and_then(|record| self.catalogue.set_record(record));
                set.is_some_and(|set| set.game_bit() & open != 0)
            });
        }
    }

    /// The cards that are compared first, and the most that others score: where the title states a
    /// number and a set, those that have one of them are most often so far ahead that no other
    /// counts. `None` where all are compared at once.
    pub(super) fn part<'s>(
        &self,
        line: &Line,
        query: &Query,
        near: &'s mut Near,
    ) -> Option<(&'s [Range<u32>], Most)> {
        let tells = |number: &NumberClue| {
            let kind = matches!(number.kind, NumberKind::Fraction | NumberKind::Hash);
            kind && number.refuted == Refuted::No
        };
        let number = !query.numbers.is_empty() && query.numbers.iter().all(tells);
        if !self.bounded || !number || query.set_mark.is_some() {
            return None;
        }
        let most = self.scorer(query, line).most_of_others()?;
        let mut count = 0;
        for clue in &query.sets {
            let entries = self.catalogue.entries(clue.place);
            let named = entries.filter(|e| e.kind() == EntryKind::Set && e.quality() < FAMILY);
            for set in named.map(|entry| entry.id()) {
                for &set in [set].iter().chain(self.stats.related(set)) {
                    let place = near.get_mut(count)?;
                    let record = self.catalogue.sets.get(set as usize);
                    *place = record.map_or(0..0, SetRecord::cards);
                    count += 1;
                }
            }
        }
        (count > 0).then_some((&near[..count], most))
    }

    /// Retrieves and scores the cards that fit `query`; returns the probability that the catalogue
    /// lacks the card.
    pub(super) fn rank(
        &self,
        line: &Line,
        query: &mut Query,
        candidates: &mut Candidates,
        memory: &mut Memory,
        cores: &mut Vec<u32>,
        ranked: &mut Vec<Ranked>,
    ) -> f64 {
        let mut near = Near::default();
        let first = self.part(line, query, &mut near);
        let part = first
            .as_ref()
            .map_or(Part::All, |(sets, _)| Part::Near(sets));
        let mut alone = self.score(line, query, part, (candidates, &mut *memory, &mut *cores));
        // a card that is left out is no international card that fits: its number differs
        if let Some((sets, most)) = first
            && (alone || !self.decided(query, (sets, most), candidates, memory))
        {
            alone = self.score(line, query, Part::All, (candidates, memory, cores));
        }
        let nil = calibrate(
            &self.weights,
            self.catalogue.card_count(),
            &candidates.cards,
            &memory.scores,
            ranked,
        );
        query.alone = alone;
        nil
    }

    /// Retrieves and scores a part of the cards; whether no international card fits
    /// ([`Query::alone`]).
    fn score(
        &self,
        line: &Line,
        query: &mut Query,
        part: Part<'_>,
        (candidates, memory, cores): (&mut Candidates, &mut Memory, &mut Vec<u32>),
    ) -> bool {
        self.candidates(query, part, candidates);
        if self.fuzzy {
            compare_spellings(
                self.catalogue,
                &self.speller,
                line,
                &candidates.cards,
                query,
                cores,
            );
        }
        query.alone = false;
        self.scorer(query, line).score(&candidates.cards, memory)
    }

    /// Whether the best of the cards that were scored is so far ahead that those which were left
    /// out are [`NEGLIGIBLE`] beside it.
    fn decided(
        &self,
        query: &Query,
        (sets, most): (&[Range<u32>], Most),
        candidates: &Candidates,
        memory: &Memory,
    ) -> bool {
        let Some(best) = memory.scores.iter().copied().reduce(f32::max) else {
            return false;
        };
        // each is at most as likely as its bound allows, and so many are at most so many times
        let times = |count: usize, most: f32| {
            count as f64 * exp(-f64::from(best - most) / self.weights.divisor())
        };
        let left_out = candidates.left_out;
        if times(left_out, most.with_total) <= NEGLIGIBLE {
            return true;
        }
        let others = times(left_out, most.other);
        others <= NEGLIGIBLE
            && others + times(self.with_total(query, sets), most.with_total) <= NEGLIGIBLE
    }

    /// The number of cards of the title's names that print the total of one of its numbers and are
    /// of none of these sets.
    fn with_total(&self, query: &Query, sets: &[Range<u32>]) -> usize {
        let states = |total: u32| {
            let stated = |number: &NumberClue| number.total == Some(total);
            query.numbers.iter().any(stated)
        };
        let of_core = |core: u32| {
            let cards = self.catalogue.cards_of_core(core).iter();
            cards.zip(self.catalogue.totals_of_core(core))
        };
        let cards = query.names.iter().flat_map(|name| of_core(name.core));
        let others = |card: u32| !sets.iter().any(|set| set.contains(&card));
        cards
            .filter(|(card, total)| states(total.get()) && others(card.get()))
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Stage};
    use crate::options::Options;
    use crate::score::features::FEATURES;
    use crate::{Catalogue, Scratch, Weights};
    use proptest::prelude::*;
    use std::fs;

    fn engine(weights: Option<Weights>) -> Engine {
        let catalogue = Catalogue::open(titledex_embedded::INDEX).expect("it opens");
        let builder = Engine::builder(catalogue);
        let builder = match weights {
            Some(weights) => builder.weights(weights),
            None => builder,
        };
        builder.build().expect("the engine of this build")
    }

    /// A case of the property takes one of so many parts of the titles.
    const SHARES: usize = 12;

    /// Titles of the benches: half a thousand in the mix of real ones.
    fn titles() -> Vec<String> {
        let read = |file: &str| {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/");
            fs::read_to_string([folder, file].concat()).expect("the fixture is there")
        };
        let made = read("synthetic-titles.jsonl");
        let made = made.lines().map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
            row["title"].as_str().expect("a title").to_owned()
        });
        let written = read("bench-titles.txt");
        written.lines().map(str::to_owned).chain(made).collect()
    }

    /// Holds the bound against the score of every card that is left out of these titles; their
    /// number.
    fn check(engine: &Engine, titles: impl Iterator<Item = String>) -> usize {
        let view = engine.catalogue.view();
        let matcher = engine.matcher(&view);
        let mut scratch = Scratch::default();
        let mut checked = 0;
        for title in titles {
            engine.run_to(&mut scratch, &title, &Options::new(), Stage::Retrieve);
            let mut near = Near::default();
            let Some((sets, most)) = matcher.part(&scratch.line, &scratch.query, &mut near) else {
                continue;
            };
            let kept = scratch.candidates.cards.clone();
            let Scratch {
                query,
                candidates,
                memory,
                cores,
                line,
                ..
            } = &mut scratch;
            matcher.score(line, query, Part::All, (candidates, memory, cores));
            let mut with_total = 0;
            for (card, &score) in candidates.cards.iter().zip(&memory.scores) {
                if kept.contains(card) {
                    continue;
                }
                checked += 1;
                let record = matcher
                    .catalogue
                    .card_record(*card)
                    .expect("it is retrieved");
                let total = Some(record.total.get());
                let same = query.numbers.iter().any(|number| number.total == total);
                with_total += usize::from(same);
                let most = if same { most.with_total } else { most.other };
                // sums of some ten numbers, in another order
                assert!(score <= most + 1e-3, "{title}: {score} above {most}");
            }
            assert!(with_total <= matcher.with_total(query, sets), "{title}");
        }
        checked
    }

    #[test]
    fn no_card_that_is_left_out_scores_more_than_the_bound() {
        assert!(check(&engine(None), titles().into_iter()) > 10_000);
    }

    proptest! {
        // each case is a pass over a twelfth of half a thousand titles
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.div_ceil(8)))]

        #[test]
        fn bound_holds_with_any_weights_that_keep_their_directions(
            sizes in proptest::collection::vec(0.0f32..6.0, FEATURES.len()),
            from in 0..SHARES,
        ) {
            let mut text = "feature,weight,note\nprior,8,\ntemperature,1,\n".to_owned();
            for (row, size) in FEATURES.iter().zip(sizes) {
                let sign = if row.0.speaks_for() { "" } else { "-" };
                text += &format!("{},{sign}{size:.5},\n", row.3);
            }
            let weights = Weights::load(&text).expect("the file is whole");
            check(&engine(Some(weights)), titles().into_iter().skip(from).step_by(SHARES));
        }
    }

    #[test]
    fn weights_of_this_build_keep_their_directions() {
        assert!(Weights::builtin().expect("they load").keep_directions());
    }

    #[test]
    fn cards_that_are_left_out_move_no_confidence_by_more_than_its_last_digit() {
        let (bounded, mut whole) = (engine(None), engine(None));
        whole.bounded = false;
        let options = Options::new();
        for title in titles() {
            let (ours, all) = (
                bounded.answer(&title, &options),
                whole.answer(&title, &options),
            );
            let near = |one: f32, other: f32| (one - other).abs() < 1.5e-4;
            assert_eq!(ours.outcome.kind, all.outcome.kind, "{title}");
            assert!(
                near(ours.outcome.confidence.get(), all.outcome.confidence.get()),
                "{title}"
            );
            assert_eq!(ours.matches.len(), all.matches.len(), "{title}");
            for (one, other) in ours.matches.iter().zip(&all.matches) {
                assert_eq!(one.card_id, other.card_id, "{title}");
                assert!(
                    near(one.confidence.get(), other.confidence.get()),
                    "{title}"
                );
            }
        }
    }
}
