//! What a [`Loader`] writes of sets, cards, items and sealed products.

use super::card_query::number_order;
use super::folded::folded;
use super::load::Loader;
use super::records::{CardKind, CardRecord, ItemRecord, Language, SealedRecord, SetRecord};
use super::tracked;
use crate::store::StoreError;
use crate::store::sql::Query;

/// The statement for items without their prices and days.
const ITEMS: [&str; 2] = [
    "INSERT INTO items (key, marketplace_id, language, card, place, label, tcgplayer, cardmarket) \
     VALUES",
    "ON CONFLICT (marketplace_id) DO UPDATE SET language = excluded.language, \
     card = excluded.card, place = excluded.place, label = excluded.label, \
     tcgplayer = COALESCE(excluded.tcgplayer, items.tcgplayer), \
     cardmarket = COALESCE(excluded.cardmarket, items.cardmarket)",
];

/// Gives a row of [`ITEMS`] its values.
fn item_values<'c>(query: Query<'c>, item: &ItemRecord) -> Query<'c> {
    query
        .bind(item.key)
        .bind(item.marketplace_id.as_str())
        .bind(item.language.number())
        .bind(item.card)
        .bind(item.place)
        .bind(item.label.as_str())
        .bind(item.ids.tcgplayer.map(i64::from))
        .bind(item.ids.cardmarket.map(i64::from))
}

impl Loader {
    /// Adds sets, or alters those with their ids; what a new row leaves out stays, and so do key
    /// and slug.
    pub async fn put_sets(&mut self, sets: &[SetRecord]) -> Result<(), StoreError> {
        self.note(&tracked::SETS, sets, |query, set| query.bind(set.key))
            .await?;
        self.put(
            sets,
            14,
            [
                "INSERT INTO sets (key, id, game, language, slug, name, printed_name, code, series, \
                 released, printed_total, total, legality, images) VALUES",
                "ON CONFLICT (id) DO UPDATE SET game = excluded.game, name = excluded.name, \
                 printed_name = COALESCE(excluded.printed_name, sets.printed_name), \
                 code = COALESCE(excluded.code, sets.code), series = COALESCE(excluded.series, \
                 sets.series), released = COALESCE(excluded.released, sets.released), \
                 printed_total = COALESCE(excluded.printed_total, sets.printed_total), \
                 total = COALESCE(excluded.total, sets.total), \
                 legality = COALESCE(excluded.legality, sets.legality), \
                 images = COALESCE(excluded.images, sets.images)",
            ],
            |query, set| {
                query
                    .bind(set.key)
                    .bind(set.id.as_str())
                    .bind(set.game.as_str())
                    .bind(set.language.number())
                    .bind(set.slug.as_str())
                    .bind(set.name.as_str())
                    .bind(set.printed_name.as_deref())
                    .bind(set.code.as_deref())
                    .bind(set.series.as_deref())
                    .bind(set.released.as_deref())
                    .bind(set.printed_total)
                    .bind(set.total)
                    .bind(set.legality.as_deref())
                    .bind(set.images.as_deref())
            },
        )
        .await?;
        Ok(())
    }

    /// Gives sets, by key, their language and slug.
    pub async fn move_sets(&mut self, moved: &[(i64, Language, String)]) -> Result<(), StoreError> {
        self.put(
            moved,
            3,
            [
                "UPDATE sets SET language = v.column2, slug = v.column3 FROM (VALUES",
                ") v WHERE sets.key = v.column1",
            ],
            |query, (key, language, slug)| {
                query.bind(*key).bind(language.number()).bind(slug.as_str())
            },
        )
        .await?;
        Ok(())
    }

    /// Gives cards the form of their numbers that is sorted, where they have none yet.
    pub async fn order_numbers(&mut self) -> Result<(), StoreError> {
        let numbers: Vec<(i64, String)> = self
            .transaction
            .query(
                "SELECT key, number FROM cards WHERE number IS NOT NULL AND number_order IS NULL",
            )
            .all(|row| Ok((row.get("key")?, row.get("number")?)))
            .await?;
        self.put(
            &numbers,
            2,
            [
                "UPDATE cards SET number_order = v.column2 FROM (VALUES",
                ") v WHERE cards.key = v.column1",
            ],
            |query, (key, number)| query.bind(*key).bind(number_order(number)),
        )
        .await?;
        Ok(())
    }

    /// Gives populations the language of their items.
    pub async fn move_populations(&mut self) -> Result<(), StoreError> {
        self.transaction
            .query(
                "UPDATE population SET language = i.language FROM items i \
                 WHERE i.key = population.item AND population.language <> i.language",
            )
            .execute()
            .await?;
        Ok(())
    }

    /// Adds cards, or alters those with their ids.
    pub async fn put_cards(&mut self, cards: &[CardRecord]) -> Result<(), StoreError> {
        self.note(&tracked::CARDS, cards, |query, card| query.bind(card.key))
            .await?;
        self.put(
            cards,
            14,
            [
                "INSERT INTO cards (key, id, set_key, place, language, name, printed_name, \
                 number, rarity, kind, number_order, folded_name, folded_printed, folded_rarity) \
                 VALUES",
                "ON CONFLICT (id) DO UPDATE SET set_key = excluded.set_key, \
                 place = excluded.place, language = excluded.language, name = excluded.name, \
                 printed_name = COALESCE(excluded.printed_name, cards.printed_name), \
                 number = COALESCE(excluded.number, cards.number), \
                 rarity = COALESCE(excluded.rarity, cards.rarity), \
                 kind = COALESCE(excluded.kind, cards.kind), \
                 number_order = COALESCE(excluded.number_order, cards.number_order), \
                 folded_name = excluded.folded_name, \
                 folded_printed = COALESCE(excluded.folded_printed, cards.folded_printed), \
                 folded_rarity = COALESCE(excluded.folded_rarity, cards.folded_rarity)",
            ],
            |query, card| {
                query
                    .bind(card.key)
                    .bind(card.id.as_str())
                    .bind(card.set_key)
                    .bind(card.place)
                    .bind(card.language.number())
                    .bind(card.name.as_str())
                    .bind(card.printed_name.as_deref())
                    .bind(card.number.as_deref())
                    .bind(card.rarity.as_deref())
                    .bind(card.kind.map(CardKind::name))
                    .bind(card.number.as_deref().map(number_order))
                    .bind(folded(&card.name))
                    .bind(card.printed_name.as_deref().map(folded))
                    .bind(card.rarity.as_deref().map(folded))
            },
        )
        .await?;
        Ok(())
    }

    /// Adds items, or alters those with their ids; prices and days are not written, and stay.
    pub async fn put_items(&mut self, items: &[ItemRecord]) -> Result<(), StoreError> {
        self.note(&tracked::ITEMS, items, |query, item| query.bind(item.key))
            .await?;
        self.put(items, 8, ITEMS, item_values).await?;
        Ok(())
    }

    /// Adds sealed products and their items, or alters those with their ids; prices and days are
    /// not written, and stay.
    pub async fn put_sealed(&mut self, sealed: &[SealedRecord]) -> Result<(), StoreError> {
        self.note(&tracked::ITEMS, sealed, |query, sealed| {
            query.bind(sealed.item.key)
        })
        .await?;
        self.note(&tracked::SEALED, sealed, |query, sealed| {
            query.bind(sealed.item.key)
        })
        .await?;
        self.put(sealed, 8, ITEMS, |query, sealed| {
            item_values(query, &sealed.item)
        })
        .await?;
        self.put(
            sealed,
            8,
            [
                "INSERT INTO sealed (item, name, set_key, set_name, game, product_type, language, \
                 folded_type) VALUES",
                "ON CONFLICT (item) DO UPDATE SET name = excluded.name, \
                 set_key = excluded.set_key, set_name = excluded.set_name, \
                 game = excluded.game, product_type = excluded.product_type, \
                 language = excluded.language, folded_type = excluded.folded_type",
            ],
            |query, sealed| {
                query
                    .bind(sealed.item.key)
                    .bind(sealed.name.as_str())
                    .bind(sealed.set_key)
                    .bind(sealed.set_name.as_str())
                    .bind(sealed.game.as_str())
                    .bind(sealed.product_type.as_str())
                    .bind(sealed.item.language.number())
                    .bind(folded(&sealed.product_type))
            },
        )
        .await?;
        Ok(())
    }
}
