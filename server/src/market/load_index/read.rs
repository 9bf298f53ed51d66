//! How a [`LoadIndex`] is read from the store.

use super::{Card, Item, LoadIndex, Set};
use crate::store::StoreError;
use crate::store::market::Loader;
use std::collections::HashMap;

impl LoadIndex {
    /// Reads the sets, cards and items of the store.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read(loader: &mut Loader) -> Result<Self, StoreError> {
        // the places of the next printings, by the keys of their cards
        let mut printings: HashMap<i64, i64> = HashMap::new();
        let note = |card, place| {
            let next = printings.entry(card).or_default();
            *next = (*next).max(place + 1);
        };
        let mut known = Self::reading_items(loader, note).await?;
        known.next_card = 1;
        let keys = known.sets.iter().map(|(id, set)| (set.key, id.clone()));
        let sets: HashMap<i64, String> = keys.collect();
        loader
            .each_known_card(|card| {
                known.next_card = known.next_card.max(card.key + 1);
                let set = sets.get(&card.set_key);
                if let Some(set) = set.and_then(|id| known.sets.get_mut(id)) {
                    set.next = set.next.max(card.place + 1);
                }
                let (key, set_key, place) = (card.key, card.set_key, card.place);
                let next = printings.get(&key).copied().unwrap_or(0);
                let card_of = Card {
                    key,
                    set_key,
                    place,
                    next,
                };
                known.cards.insert(card.id, card_of);
            })
            .await?;
        Ok(known)
    }

    /// Reads the sets and items of the store without the cards, which few imports need: those of
    /// six games take as much memory again.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn read_items(loader: &mut Loader) -> Result<Self, StoreError> {
        Self::reading_items(loader, |_, _| {}).await
    }

    /// Reads sets and items, and passes on the card and the place of each printing.
    async fn reading_items(
        loader: &mut Loader,
        mut note: impl FnMut(i64, i64) + Send,
    ) -> Result<Self, StoreError> {
        let mut known = Self {
            next_set: 1,
            next_item: 1,
            ..Self::default()
        };
        for set in loader.known_sets().await? {
            known.next_set = known.next_set.max(set.key + 1);
            known.slugs.insert((set.language, set.slug.clone()));
            known.sets.insert(
                set.id,
                Set {
                    key: set.key,
                    language: set.language,
                    slug: set.slug,
                    name: set.name,
                    next: 0,
                },
            );
        }
        loader
            .each_known_item(|item| {
                if let Some(card) = item.card {
                    note(card, item.place);
                }
                known.next_item = known.next_item.max(item.key + 1);
                known.add_product(&item.marketplace_id, item.ids);
                if item.updated.is_some() {
                    let headline = (item.source.clone(), item.condition.clone());
                    known.headlines.insert(item.key, headline);
                }
                let of = Item::from(&item);
                known.items.insert(item.marketplace_id, of);
            })
            .await?;
        for (id, now) in loader.former_ids().await? {
            if let Some(item) = known.items.get(&now).copied() {
                known.items.insert(id.clone(), item);
            }
            known.former.insert(id, now);
        }
        Ok(known)
    }
}
