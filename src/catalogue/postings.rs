//! The cards of a name, a set or a number, from the lists of the index.

use super::format::{CardRecord, SetRecord, U24};
use super::{Columns, slice};
use std::ops::Range;

impl<'a> Columns<'a> {
    /// The places of a core's cards in [`Section::CoreCards`](super::format::Section::CoreCards).
    fn places_of_core(&self, core: u32) -> Range<usize> {
        self.cores.get(core as usize).map_or(0..0, |core| {
            let from = core.first.get() as usize;
            from..from.saturating_add(core.count.get() as usize)
        })
    }

    /// The cards of a core, by number, then card; those without a printed number last.
    pub(crate) fn cards_of_core(&self, core: u32) -> &'a [U24] {
        let places = self.places_of_core(core);
        self.core_cards.get(places).unwrap_or(&[])
    }

    /// The totals of [`Columns::cards_of_core`].
    pub(crate) fn totals_of_core(&self, core: u32) -> &'a [U24] {
        let places = self.places_of_core(core);
        self.core_totals.get(places).unwrap_or(&[])
    }

    /// The places among [`Columns::cards_of_core`] of those that print this number.
    fn places_of_core_numbered(&self, core: u32, number: u32) -> Range<usize> {
        let places = self.places_of_core(core);
        equal(self.core_numbers.get(places).unwrap_or(&[]), number)
    }

    /// The cards of a core that print this number, or that print none ([`NONE`](super::format::NONE)).
    pub(crate) fn cards_of_core_numbered(&self, core: u32, number: u32) -> &'a [U24] {
        let prints = self.places_of_core_numbered(core, number);
        self.cards_of_core(core).get(prints).unwrap_or(&[])
    }

    /// The same, each with the total that it prints, or [`NONE`](super::format::NONE).
    pub(crate) fn prints_of_core(
        &self,
        core: u32,
        number: u32,
    ) -> impl Iterator<Item = (u32, u32)> + Clone + 'a {
        let prints = self.places_of_core_numbered(core, number);
        let cards = self.cards_of_core(core).get(prints.clone()).unwrap_or(&[]);
        let totals = self.totals_of_core(core).get(prints).unwrap_or(&[]);
        let get = |(card, total): (&U24, &U24)| (card.get(), total.get());
        cards.iter().zip(totals).map(get)
    }

    /// Whether a card of a core prints this number, with this total if one is given: a look at few
    /// cards, however many print the number.
    pub(crate) fn core_prints(&self, core: u32, number: u32, total: Option<u32>) -> bool {
        let mut prints = self.prints_of_core(core, number);
        prints.any(|(_, own)| total.is_none_or(|total| own == total))
    }

    /// The cards of a core, each with the number that it prints, or [`NONE`](super::format::NONE).
    pub(crate) fn numbers_of_core(&self, core: u32) -> impl Iterator<Item = (u32, u32)> + 'a {
        let places = self.places_of_core(core);
        let numbers = self.core_numbers.get(places.clone()).unwrap_or(&[]);
        let cards = self.core_cards.get(places).unwrap_or(&[]);
        let get = |(card, number): (&U24, &U24)| (card.get(), number.get());
        cards.iter().zip(numbers).map(get)
    }

    /// The cards of a set that have this number, printed or not.
    pub(crate) fn cards_of_set_numbered(&self, set: &SetRecord, number: u32) -> &'a [U24] {
        let cards = set.cards();
        let places = cards.start as usize..cards.end as usize;
        let numbers = self.set_numbers.get(places.clone()).unwrap_or(&[]);
        let cards = self.set_cards.get(places).unwrap_or(&[]);
        cards.get(equal(numbers, number)).unwrap_or(&[])
    }

    /// The cards of a set.
    pub(crate) fn cards_of_set(&self, set: u32) -> &'a [CardRecord] {
        let range = self.sets.get(set as usize).map_or(0..0, |set| {
            let first = set.first.get() as usize;
            let end = first + set.count.get() as usize;
            first..end.min(self.cards.len())
        });
        self.cards.get(range).unwrap_or(&[])
    }

    /// The cards of a set, one after another, that are of a core.
    pub(crate) fn cards_of_set_and_core(
        &self,
        set: u32,
        core: u32,
    ) -> impl Iterator<Item = (u32, &'a CardRecord)> + 'a {
        let names = self.names;
        let of_core = move |card: &CardRecord| {
            names
                .get(card.name.get() as usize)
                .is_some_and(|n| n.core.get() == core)
        };
        let first = self.sets.get(set as usize).map_or(0, |s| s.first.get());
        (first..)
            .zip(self.cards_of_set(set))
            .filter(move |(_, record)| of_core(record))
    }

    /// Whether some card of a set is of a core.
    pub(crate) fn has_core(&self, set: u32, core: u32) -> bool {
        self.cards_of_set_and_core(set, core).next().is_some()
    }

    /// The cards with a number, by total, then card.
    pub(crate) fn cards_of_number(&self, number: u32) -> &'a [U24] {
        slice(self.number_starts, self.number_cards, number as usize)
    }

    /// The cards with a number that have a total.
    pub(crate) fn cards_of_number_and_total(&self, number: u32, total: u32) -> &'a [U24] {
        let totals = slice(self.number_starts, self.number_totals, number as usize);
        let cards = self.cards_of_number(number);
        cards.get(equal(totals, total)).unwrap_or(&[])
    }

    /// The core of a subject.
    pub(crate) fn core_of_subject(&self, subject: u16) -> Option<u32> {
        self.subjects
            .get(subject as usize)
            .and_then(|core| core.get().checked_sub(1))
    }
}

/// The places of `value` in an ascending column: few, so that their end is near their beginning.
fn equal(column: &[U24], value: u32) -> Range<usize> {
    let from = column.partition_point(|one| one.get() < value);
    let rest = &column[from..];
    let mut end = 1;
    while rest.get(end).is_some_and(|one| one.get() == value) {
        end *= 2;
    }
    let near = rest.get(..end).unwrap_or(rest);
    from..from + near.partition_point(|one| one.get() == value)
}
