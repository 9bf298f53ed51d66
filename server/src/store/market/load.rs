//! [`Loader`]: one transaction that loads the market, and what it reads of what is there.

use super::exports::FACT;
use super::prices::{read_chunk, select_chunks};
use super::records::{CardRecord, ItemRecord, SetRecord};
use super::rows::{language, market_ids};
use super::tracked::FACTS;
use crate::store::bulk::{batches, places};
use crate::store::sql::Transaction;
use crate::store::{Store, StoreError};

/// A transaction that loads: kept by [`Loader::commit`], undone where it is dropped.
///
/// Every method fails where the database does.
#[derive(Debug)]
pub struct Loader {
    pub(super) transaction: Transaction,
    /// The number of the change that it is, whose rows are noted.
    pub(super) change: Option<i64>,
}

impl Store {
    /// Begins to load: one transaction, which waits for others that load.
    pub async fn load(&self) -> Result<Loader, StoreError> {
        let mut transaction = self.write.begin().await?;
        // one after another
        transaction
            .query("UPDATE facts SET value = value WHERE name = 'lock'")
            .execute()
            .await?;
        Ok(Loader {
            transaction,
            change: None,
        })
    }
}

impl Loader {
    /// Keeps what was loaded; where this fails, nothing is kept.
    pub async fn commit(self) -> Result<(), StoreError> {
        self.transaction.commit().await
    }

    /// Undoes what was loaded.
    pub async fn rollback(self) -> Result<(), StoreError> {
        self.transaction.rollback().await
    }

    /// What is known of the whole market under a name.
    pub async fn fact(&mut self, name: &str) -> Result<Option<String>, StoreError> {
        self.transaction
            .query(FACT)
            .bind(name)
            .optional(|row| row.get("value"))
            .await
    }

    /// States something of the whole market.
    pub async fn set_fact(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
        self.note(&FACTS, &[name], |query, name| query.bind(*name))
            .await?;
        self.transaction
            .query(
                "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) \
                 DO UPDATE SET value = excluded.value",
            )
            .bind(name)
            .bind(value)
            .execute()
            .await?;
        Ok(())
    }

    /// All sets that are there: key, id, language, slug and name.
    pub async fn known_sets(&mut self) -> Result<Vec<SetRecord>, StoreError> {
        self.transaction
            .query("SELECT key, id, language, slug, name FROM sets ORDER BY key")
            .all(|row| {
                Ok(SetRecord {
                    key: row.get("key")?,
                    id: row.get("id")?,
                    language: language(row, "language")?,
                    slug: row.get("slug")?,
                    name: row.get("name")?,
                    ..SetRecord::default()
                })
            })
            .await
    }

    /// Passes on all cards that are there, one by one: key, id, set and place. They are too many to
    /// be collected.
    pub async fn each_known_card(
        &mut self,
        mut pass: impl FnMut(CardRecord) + Send,
    ) -> Result<(), StoreError> {
        self.transaction
            .query("SELECT key, id, set_key, place FROM cards ORDER BY key")
            .each(|row| {
                pass(CardRecord {
                    key: row.get("key")?,
                    id: row.get("id")?,
                    set_key: row.get("set_key")?,
                    place: row.get("place")?,
                    ..CardRecord::default()
                });
                Ok(())
            })
            .await
    }

    /// Passes on all items that are there, one by one, without labels and prices.
    pub async fn each_known_item(
        &mut self,
        mut pass: impl FnMut(ItemRecord) + Send,
    ) -> Result<(), StoreError> {
        self.transaction
            .query(
                "SELECT key, marketplace_id, language, card, place, first_day, last_day, \
                 updated, source, headline_condition, tcgplayer, cardmarket FROM items ORDER BY key",
            )
            .each(|row| {
                pass(ItemRecord {
                    key: row.get("key")?,
                    marketplace_id: row.get("marketplace_id")?,
                    language: language(row, "language")?,
                    card: row.get("card")?,
                    place: row.get("place")?,
                    first_day: row.get("first_day")?,
                    last_day: row.get("last_day")?,
                    ids: market_ids(row)?,
                    updated: row.get("updated")?,
                    source: row.get("source")?,
                    condition: row.get("headline_condition")?,
                    ..ItemRecord::default()
                });
                Ok(())
            })
            .await
    }

    /// What cards and items were called before they were merged, and the id that the card or the
    /// item has now.
    pub async fn former_ids(&mut self) -> Result<Vec<(String, String)>, StoreError> {
        self.transaction
            .query(
                "SELECT f.id, COALESCE(c.id, i.marketplace_id) AS now FROM former_ids f \
                 LEFT JOIN cards c ON c.key = f.card LEFT JOIN items i ON i.key = f.item \
                 WHERE c.id IS NOT NULL OR i.marketplace_id IS NOT NULL ORDER BY f.id",
            )
            .all(|row| Ok((row.get("id")?, row.get("now")?)))
            .await
    }

    /// The chunks with these keys.
    pub async fn chunks(&mut self, keys: &[i64]) -> Result<Vec<(i64, Vec<u8>)>, StoreError> {
        let mut found = Vec::new();
        for keys in batches(keys, 1) {
            let query = self.transaction.query_many(select_chunks(keys.len()));
            found.extend(query.bind_all(keys).all(read_chunk).await?);
        }
        Ok(found)
    }

    /// The names of those of these cards that are there.
    pub async fn card_names(&mut self, cards: &[i64]) -> Result<Vec<(i64, String)>, StoreError> {
        let mut found = Vec::new();
        for cards in batches(cards, 1) {
            let places = places(cards.len());
            let sql = format!("SELECT key, name FROM cards WHERE key IN ({places})");
            let query = self.transaction.query_many(sql).bind_all(cards);
            let names = query.all(|row| Ok((row.get("key")?, row.get("name")?)));
            found.extend(names.await?);
        }
        Ok(found)
    }

    /// The counts of items' populations, as JSON.
    pub async fn population_of(&mut self, items: &[i64]) -> Result<Vec<(i64, String)>, StoreError> {
        let mut found = Vec::new();
        for items in batches(items, 1) {
            let places = places(items.len());
            let sql = format!("SELECT item, counts FROM population WHERE item IN ({places})");
            let counts = self
                .transaction
                .query_many(sql)
                .bind_all(items)
                .all(|row| Ok((row.get("item")?, row.get("counts")?)));
            found.extend(counts.await?);
        }
        Ok(found)
    }
}
