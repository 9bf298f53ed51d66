//! What the words of the lexicon mean.

use super::format::{CardRecord, SetRecord};
use super::{Columns, Entry, EntryKind};
use crate::trie::Trie;

impl<'a> Columns<'a> {
    /// The lexicon: keys of names, subjects, sets and nicknames.
    pub(crate) fn lexicon(&self) -> Trie<'a> {
        self.lexicon
    }

    /// The sets that the key with value `place` may name.
    pub(crate) fn sets_named(&self, place: u32) -> impl Iterator<Item = &'a SetRecord> {
        let sets = self.sets;
        self.entries(place)
            .filter(|entry| entry.kind() == EntryKind::Set)
            .filter_map(|entry| sets.get(entry.id() as usize))
    }

    /// The meanings of the key with value `place`.
    pub(crate) fn entries(&self, place: u32) -> impl Iterator<Item = Entry> + use<'a> {
        let mut more = true;
        let from = usize::try_from(place).unwrap_or(usize::MAX);
        self.entries
            .get(from..)
            .unwrap_or(&[])
            .iter()
            .map_while(move |bits| {
                let bits = bits.get();
                let this = more.then_some(Entry::from_bits(bits));
                more = !Entry::is_last(bits);
                this
            })
    }

    /// Whether a card with this number, of a set that the words at `place` name, is `wanted`.
    pub(crate) fn numbers_card(
        &self,
        place: u32,
        number: u32,
        wanted: impl Fn(u32) -> bool,
    ) -> bool {
        self.sets_named(place).any(|set| {
            let mut cards = self.cards_of_set_numbered(set, number).iter();
            cards.any(|card| wanted(card.get()))
        })
    }

    /// For each place of a meaning whether those of a key begin there and one of them is `wanted`: one
    /// pass over all of them in their order.
    pub(crate) fn places_of(&self, wanted: impl Fn(&Entry) -> bool) -> Vec<bool> {
        let mut places = vec![false; self.entries.len()];
        let mut place = 0;
        for (at, bits) in self.entries.iter().enumerate() {
            let bits = bits.get();
            places[place] |= wanted(&Entry::from_bits(bits));
            if Entry::is_last(bits) {
                place = at + 1;
            }
        }
        places
    }

    /// How the words at `place` of the lexicon name the card's set; `None` if they do not.
    pub(crate) fn set_entry(&self, place: u32, card: &CardRecord) -> Option<Entry> {
        self.entries(place)
            .find(|e| e.kind() == EntryKind::Set && e.id() == card.set.get())
    }
}
