//! [`Line`](crate::token::Line) → readings: every rule proposes, and what does not fit together is
//! settled over the whole title.
//!
//! A rule proposes a [`Proposal`] with a weight and takes nothing away from another; what the title
//! rules out was dropped before, when it was tagged. [`settle`] then picks the proposals that do not
//! overlap and explain most of the title (the best cover, not the first rule). What loses stays as
//! an alternative, and once the catalogue has spoken (see `overrule.rs`) the title is settled again
//! with its opinion added.

pub(crate) mod counts;
pub(crate) mod glued;
pub(crate) mod lookup;
pub(crate) mod words;

use crate::reading::context::Context;
use crate::reading::{Chosen, Proposal};
use crate::span::Span;
use crate::token::Class;

/// Memory for [`settle`], and what it chose.
#[derive(Debug, Default, Clone)]
pub(crate) struct Cover {
    /// For each byte of the key the first of the proposals that end there, and for each proposal
    /// the next one; [`NO_PROPOSAL`] ends the chain.
    ending: Vec<u32>,
    next: Vec<u32>,
    /// Best weight up to each byte of the key, and the last proposal of that cover or
    /// [`NO_PROPOSAL`].
    best: Vec<(f32, u32)>,
    /// The proposals chosen, in the order of the title.
    pub(crate) chosen: Chosen,
    /// For each of those the weight of the strongest reading of another kind that it won over; see
    /// [`weigh_rivals`].
    pub(crate) rivals: Vec<f32>,
}

impl Cover {
    /// Takes over the weights of the proposals, of which the same are chosen as before.
    pub(crate) fn weigh(&mut self, proposals: &[Proposal]) {
        for proposal in proposals.iter().filter(|proposal| proposal.chosen) {
            self.chosen.weigh(proposal);
        }
    }
}

/// Finds the strongest reading of another kind that each chosen one won over.
pub(crate) fn weigh_rivals(proposals: &[Proposal], cover: &mut Cover) {
    let Cover { chosen, rivals, .. } = cover;
    rivals.clear();
    rivals.resize(chosen.len(), 0.0);
    for proposal in proposals.iter().filter(|p| !p.chosen && p.weight > 0.0) {
        let from = chosen.first_behind(proposal.at);
        for (winner, rival) in chosen[from..]
            .iter()
            .zip(&mut rivals[from..])
            .take_while(|(winner, _)| winner.at < proposal.end)
        {
            if winner.field != proposal.field {
                *rival = rival.max(proposal.weight);
            }
        }
    }
}

const NO_PROPOSAL: u32 = u32::MAX;

/// Chooses the proposals without overlap that have the greatest total weight.
///
/// One pass over the key, `O(bytes + proposals)`. Of equal covers the one wins whose last reading
/// is longer, then the earlier proposal, so the answer does not depend on anything but the title.
pub(crate) fn settle(len: usize, proposals: &mut [Proposal], cover: &mut Cover) {
    let Cover {
        ending,
        next,
        best,
        chosen,
        ..
    } = cover;
    ending.clear();
    ending.resize(len + 1, NO_PROPOSAL);
    next.clear();
    next.resize(proposals.len(), NO_PROPOSAL);
    let places = proposals.iter_mut().zip(next.iter_mut()).enumerate().rev();
    for (i, (p, next)) in places {
        p.chosen = false;
        // what covers nothing explains nothing
        if p.weight > 0.0 && p.at < p.end {
            *next = std::mem::replace(&mut ending[p.end as usize], i as u32);
        }
    }
    best.clear();
    best.reserve(len + 1);
    best.push((0.0, NO_PROPOSAL));
    let (mut most, mut last) = (0.0, NO_PROPOSAL);
    for &first in &ending[1..] {
        // only readings that end here are equals
        let mut at = 0;
        let mut i = first;
        while i != NO_PROPOSAL {
            let p = &proposals[i as usize];
            let total = best[p.at as usize].0 + p.weight;
            if total > most || total == most && p.at < at {
                (most, at, last) = (total, p.at, i);
            }
            i = next[i as usize];
        }
        best.push((most, last));
    }
    let mut end = len;
    chosen.collect(std::iter::from_fn(|| {
        let last = proposals.get_mut(best[end].1 as usize)?;
        last.chosen = true;
        end = last.at as usize;
        Some(*last)
    }));
}

/// Collects the words that `chosen` leaves unexplained, as parts of the title.
pub(crate) fn unexplained(context: &Context<'_>, chosen: &Chosen, out: &mut Vec<Span>) {
    out.clear();
    let (line, normalised) = (context.line, context.normalised);
    let mut free = chosen.free();
    for token in line.tokens() {
        if free(token.at, token.end) && token.class != Class::Mark {
            out.push(line.span(normalised, token.at as usize, token.end as usize));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parsed::Field;
    use crate::reading::Value;
    use proptest::prelude::*;

    fn proposal(at: u32, end: u32, weight: f32) -> Proposal {
        Proposal {
            field: Field::Name,
            at,
            end,
            weight,
            value: Value::Text,
            chosen: false,
            weak: false,
        }
    }

    #[test]
    fn heaviest_cover_wins() {
        // `base set 2` against `base set` + `2/102`
        let mut all = vec![
            proposal(0, 7, 7.0),
            proposal(0, 8, 8.0),
            proposal(7, 12, 9.0),
            proposal(20, 22, -1.0),
        ];
        settle(30, &mut all, &mut Cover::default());
        assert_eq!(
            all.iter().map(|p| p.chosen).collect::<Vec<_>>(),
            [true, false, true, false]
        );
    }

    proptest! {
        /// Against all covers that there are.
        #[test]
        fn no_cover_is_heavier(readings in proptest::collection::vec((0u32..12, 0u32..6, -2i8..9), 0..9)) {
            let proposals = readings.iter().map(|&(at, len, weight)| proposal(at, at + len, weight.into()));
            let mut all: Vec<Proposal> = proposals.collect();
            let mut cover = Cover::default();
            settle(20, &mut all, &mut cover);
            let apart = |some: &[&Proposal]| some.iter().enumerate().all(|(i, a)| some[..i].iter().all(|b| a.end <= b.at || b.end <= a.at));
            let weight = |some: &[&Proposal]| some.iter().map(|p| p.weight).sum::<f32>();
            let heaviest = (0..1u32 << all.len())
                .map(|set| all.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, p)| p).collect::<Vec<_>>())
                .filter(|some| apart(some) && some.iter().all(|p| p.at < p.end))
                .map(|some| weight(&some))
                .fold(0.0, f32::max);
            let chosen: Vec<&Proposal> = all.iter().filter(|p| p.chosen).collect();
            prop_assert!(apart(&chosen));
            prop_assert_eq!(weight(&chosen), heaviest);
            prop_assert_eq!(cover.chosen.len(), chosen.len());
            prop_assert!(cover.chosen.is_sorted_by_key(|p| p.at));
        }
    }
}
