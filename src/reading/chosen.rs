//! [`Chosen`]: the readings that explain a title best.

use super::Proposal;
use crate::parsed::Field;
use std::ops::Deref;

/// The readings that were chosen, in the order of the title, without overlap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen {
    readings: Vec<Proposal>,
    /// For each byte of the key the place of the first reading that ends after it: some thirty
    /// questions of a title are answered by one look each.
    behind: Vec<u16>,
    /// A bit for each field that is read.
    fields: u64,
}

impl Deref for Chosen {
    type Target = [Proposal];

    #[inline]
    fn deref(&self) -> &[Proposal] {
        &self.readings
    }
}

impl Chosen {
    /// Takes the readings of `last_first`, from the last of the title to its first.
    pub(crate) fn collect(&mut self, last_first: impl Iterator<Item = Proposal>) {
        self.readings.clear();
        self.readings.extend(last_first);
        self.readings.reverse();
        let fields = self.readings.iter().map(|reading| bit(reading.field));
        self.fields = fields.fold(0, |fields, field| fields | field);
        // the readings that end at each byte are counted, then those before it are added: no
        // processor can guess how long each is
        let end = self.readings.last().map_or(0, |last| last.end);
        self.behind.clear();
        self.behind.resize(end as usize, 0);
        for reading in &self.readings {
            if let Some(next) = self.behind.get_mut(reading.end as usize) {
                *next = 1;
            }
        }
        let mut place = 0;
        for behind in &mut self.behind {
            place += *behind;
            *behind = place;
        }
    }

    /// Gives a reading the weight that it has now.
    pub(crate) fn weigh(&mut self, proposal: &Proposal) {
        let place = self.first_behind(proposal.at);
        if let Some(reading) = self.readings.get_mut(place) {
            reading.weight = proposal.weight;
        }
    }

    /// Whether some words are read as `field`.
    #[inline]
    pub(crate) fn has(&self, field: Field) -> bool {
        self.fields & bit(field) != 0
    }

    /// The readings of a field; most titles have none of most fields.
    #[inline]
    pub(crate) fn of(&self, field: Field) -> impl Iterator<Item = &Proposal> + Clone {
        let readings = if self.has(field) { &self[..] } else { &[] };
        readings
            .iter()
            .filter(move |reading| reading.field == field)
    }

    /// The place of the first reading that ends after key byte `at`.
    #[inline]
    pub(crate) fn first_behind(&self, at: u32) -> usize {
        let behind = self.behind.get(at as usize);
        behind.map_or(self.readings.len(), |&place| usize::from(place))
    }

    /// The first reading that ends after key byte `at`: if any covers this byte, it is this one.
    #[inline]
    pub(crate) fn covering(&self, at: u32) -> Option<&Proposal> {
        self.readings.get(self.first_behind(at))
    }

    /// The readings that share a byte with `at..end`.
    pub(crate) fn overlapping(&self, at: u32, end: u32) -> &[Proposal] {
        let from = &self.readings[self.first_behind(at)..];
        &from[..from.iter().take_while(|c| c.at < end).count()]
    }

    /// Whether bytes of the key are free of readings. Asked of places in their order.
    #[inline]
    pub(crate) fn free(&self) -> impl FnMut(u32, u32) -> bool + '_ {
        move |at, end| self.covering(at).is_none_or(|c| c.at >= end)
    }
}

/// The bit of a field among those that are read.
#[inline]
fn bit(field: Field) -> u64 {
    1 << field as u64
}

// the last field has one
const _: () = assert!((Field::Product as u32) < u64::BITS);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Value;
    use proptest::prelude::*;

    proptest! {
        /// Against all readings, one after another.
        #[test]
        fn readings_are_found_by_their_bytes(lengths in proptest::collection::vec((0u32..4, 1u32..6, any::<bool>()), 0..9)) {
            let mut readings = Vec::new();
            let mut at = 0;
            for (gap, len, set) in lengths {
                let field = if set { Field::Set } else { Field::Name };
                let reading = Proposal { field, at: at + gap, end: at + gap + len, weight: 1.0, value: Value::Text, chosen: true, weak: false };
                at = reading.end;
                readings.push(reading);
            }
            let mut chosen = Chosen::default();
            chosen.collect(readings.iter().rev().copied());
            let place = |p: &Proposal| (p.at, p.end);
            let places = |some: &mut dyn Iterator<Item = &Proposal>| some.map(place).collect::<Vec<_>>();
            prop_assert_eq!(places(&mut chosen.iter()), places(&mut readings.iter()));
            let mut free = chosen.free();
            for at in 0..at + 3 {
                prop_assert_eq!(chosen.covering(at).map(place), readings.iter().find(|p| p.end > at).map(place));
                for end in at + 1..at + 4 {
                    let over = || readings.iter().filter(|p| p.at < end && at < p.end);
                    prop_assert_eq!(places(&mut chosen.overlapping(at, end).iter()), places(&mut over()));
                    prop_assert_eq!(free(at, end), over().next().is_none());
                }
            }
            for field in [Field::Set, Field::Name, Field::Year] {
                let same = || readings.iter().filter(|p| p.field == field);
                prop_assert_eq!(chosen.has(field), same().next().is_some());
                prop_assert_eq!(places(&mut chosen.of(field)), places(&mut same()));
            }
        }
    }
}
