//! [`KnownPrices`]: all that is known of the prices of an item, read and written as a whole.

use super::chunks::{CHUNKS, chunk_key};
use super::load::Loader;
use super::records::{ItemRecord, Quote};
use super::source_history::{PriceSource, SourceChunk, by_source, read_item, select_item};
use super::tracked;
use crate::clock::MILLIS_A_DAY;
use crate::market::headline::headline_rank;
use crate::market::history::{chunk_of, merge, pack, unpack};
use crate::market::{Money, Point};
use crate::store::{Store, StoreError};
use sqlx::AssertSqlSafe;
use std::collections::BTreeMap;

/// What is known of the prices of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownPrices {
    /// The item with its headline prices.
    pub item: ItemRecord,
    /// The last price of each source, condition and currency.
    pub quotes: Vec<Quote>,
    /// The days of its history, rising.
    pub points: Vec<Point>,
    /// The days that each source gave, rising.
    pub by_source: BTreeMap<PriceSource, Vec<Point>>,
}

impl KnownPrices {
    /// Takes in the prices of another item. What this one has stays: a day of the history, the price
    /// of a source of that day or a later one, a marketplace's id. Of two headlines the one counts
    /// whose source comes first, then the newer.
    pub(super) fn take_in(&mut self, other: &Self, sources: &[String]) {
        self.points = merge(&other.points, &self.points);
        for (source, points) in &other.by_source {
            let own = self.by_source.entry(source.clone()).or_default();
            *own = merge(points, own);
        }
        for quote in &other.quotes {
            let own = self.quotes.iter_mut().find(|own| {
                (&own.source, &own.condition, &own.currency)
                    == (&quote.source, &quote.condition, &quote.currency)
            });
            match own {
                Some(own) if own.day >= quote.day => {}
                Some(own) => {
                    (own.market, own.low, own.sellers, own.day) =
                        (quote.market, quote.low, quote.sellers, quote.day);
                }
                None => {
                    let mut quote = quote.clone();
                    quote.item = self.item.key;
                    self.quotes.push(quote);
                }
            }
        }
        let rank = |item: &ItemRecord| {
            let rank = headline_rank(sources, item.source.as_deref(), item.condition.as_deref());
            let day = item.updated.map(|moment| moment.div_euclid(MILLIS_A_DAY));
            day.map(|day| (rank.unwrap_or(u32::MAX), -day))
        };
        let (item, theirs) = (&mut self.item, &other.item);
        let better = match (rank(item), rank(theirs)) {
            (Some(own), Some(their)) => their < own,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        if better {
            (item.market, item.low, item.sellers) = (theirs.market, theirs.low, theirs.sellers);
            item.updated = theirs.updated;
            item.source.clone_from(&theirs.source);
            item.condition.clone_from(&theirs.condition);
        }
        if theirs.eur_updated > item.eur_updated {
            (item.eur_market, item.eur_low) = (theirs.eur_market, theirs.eur_low);
            item.eur_updated = theirs.eur_updated;
        }
        item.ids.tcgplayer = item.ids.tcgplayer.or(theirs.ids.tcgplayer);
        item.ids.cardmarket = item.ids.cardmarket.or(theirs.ids.cardmarket);
    }
}

impl Loader {
    /// All that is known of the prices of an item.
    pub(super) async fn prices_of(&mut self, item: ItemRecord) -> Result<KnownPrices, StoreError> {
        let quotes = self
            .transaction
            .query(
                "SELECT item, source, condition, currency, market, low, sellers, day FROM quotes \
                 WHERE item = $1 ORDER BY source, condition, currency",
            )
            .bind(item.key)
            .all(Quote::read)
            .await?;
        let chunks = self
            .transaction
            .query("SELECT key, data FROM price_history WHERE key >= $1 AND key < $2 ORDER BY key")
            .bind(chunk_key(item.key, 0))
            .bind(chunk_key(item.key + 1, 0))
            .all(|row| Ok((row.get("key")?, row.get("data")?)))
            .await?;
        let mut points = Vec::new();
        for (key, data) in chunks {
            let (key, data): (i64, Vec<u8>) = (key, data);
            unpack(key % CHUNKS, &data, &mut points).map_err(StoreError::Damaged)?;
        }
        let chunks = self
            .transaction
            .query(AssertSqlSafe(select_item()))
            .bind(item.key)
            .all(read_item)
            .await?;
        Ok(KnownPrices {
            item,
            quotes,
            points,
            by_source: by_source(chunks).map_err(StoreError::Damaged)?,
        })
    }

    /// Writes the prices of an item where they are not as before.
    pub(super) async fn put_prices(
        &mut self,
        before: &KnownPrices,
        after: &KnownPrices,
    ) -> Result<(), StoreError> {
        let key = after.item.key;
        for quote in &before.quotes {
            let same = |other: &&Quote| {
                (&other.source, &other.condition, &other.currency)
                    == (&quote.source, &quote.condition, &quote.currency)
            };
            let kept = after.quotes.iter().find(same);
            if kept != Some(quote) {
                self.delete_quote(quote).await?;
            }
        }
        let added = |quote: &&Quote| !before.quotes.contains(quote);
        let quotes: Vec<Quote> = after.quotes.iter().filter(added).cloned().collect();
        let of_item = quotes.into_iter().map(|quote| Quote { item: key, ..quote });
        self.put_quotes(&of_item.collect::<Vec<_>>()).await?;
        let (old, new) = (chunked(&before.points), chunked(&after.points));
        for chunk in old.keys().filter(|chunk| !new.contains_key(chunk)) {
            self.delete_chunk(chunk_key(key, *chunk)).await?;
        }
        let altered = new
            .iter()
            .filter(|(chunk, points)| old.get(chunk) != Some(points));
        let packed = altered.map(|(chunk, points)| (chunk_key(key, *chunk), pack(points)));
        self.put_chunks(&packed.collect::<Vec<_>>()).await?;
        self.put_histories(before, after).await?;
        let item = ItemRecord {
            first_day: after.points.first().map(|point| point.day),
            last_day: after.points.last().map(|point| point.day),
            ..after.item.clone()
        };
        if item != before.item {
            self.put_item_prices(&item).await?;
        }
        Ok(())
    }

    /// Writes the histories by source where they are not as before.
    async fn put_histories(
        &mut self,
        before: &KnownPrices,
        after: &KnownPrices,
    ) -> Result<(), StoreError> {
        let chunks = |known: &KnownPrices| -> BTreeMap<(PriceSource, i64), Vec<Point>> {
            let of_source = |(source, points): (&PriceSource, &Vec<Point>)| {
                let source = source.clone();
                chunked(points)
                    .into_iter()
                    .map(move |(chunk, points)| ((source.clone(), chunk), points))
            };
            known.by_source.iter().flat_map(of_source).collect()
        };
        let key = |(source, chunk): &(PriceSource, i64)| SourceChunk {
            item: after.item.key,
            source: source.clone(),
            chunk: *chunk,
        };
        let (old, new) = (chunks(before), chunks(after));
        for gone in old.keys().filter(|chunk| !new.contains_key(chunk)) {
            self.delete_source_chunk(&key(gone)).await?;
        }
        let altered = new
            .iter()
            .filter(|(chunk, points)| old.get(chunk) != Some(points));
        let packed = altered.map(|(chunk, points)| (key(chunk), pack(points)));
        self.put_source_chunks(&packed.collect::<Vec<_>>()).await
    }

    async fn delete_quote(&mut self, quote: &Quote) -> Result<(), StoreError> {
        self.note_quotes(std::slice::from_ref(quote)).await?;
        self.transaction
            .query(
                "DELETE FROM quotes WHERE item = $1 AND source = $2 AND condition = $3 \
                 AND currency = $4",
            )
            .bind(quote.item)
            .bind(quote.source.as_str())
            .bind(quote.condition.as_str())
            .bind(quote.currency.as_str())
            .execute()
            .await?;
        Ok(())
    }

    async fn delete_chunk(&mut self, key: i64) -> Result<(), StoreError> {
        self.note(&tracked::PRICE_HISTORY, &[key], |query, key| {
            query.bind(*key)
        })
        .await?;
        self.transaction
            .query("DELETE FROM price_history WHERE key = $1")
            .bind(key)
            .execute()
            .await?;
        Ok(())
    }

    /// Writes the headline prices of an item, the days of its history and what marketplaces call
    /// it.
    async fn put_item_prices(&mut self, item: &ItemRecord) -> Result<(), StoreError> {
        self.note(&tracked::ITEMS, &[item.key], |query, key| query.bind(*key))
            .await?;
        let amount = |money: Option<Money>| money.map(|money| money.0);
        self.transaction
            .query(
                "UPDATE items SET market = $2, low = $3, sellers = $4, updated = $5, \
                 source = $6, headline_condition = $7, eur_market = $8, eur_low = $9, \
                 eur_updated = $10, first_day = $11, last_day = $12, tcgplayer = $13, \
                 cardmarket = $14 WHERE key = $1",
            )
            .bind(item.key)
            .bind(amount(item.market))
            .bind(amount(item.low))
            .bind(item.sellers)
            .bind(item.updated)
            .bind(item.source.as_deref())
            .bind(item.condition.as_deref())
            .bind(amount(item.eur_market))
            .bind(amount(item.eur_low))
            .bind(item.eur_updated)
            .bind(item.first_day)
            .bind(item.last_day)
            .bind(item.ids.tcgplayer.map(i64::from))
            .bind(item.ids.cardmarket.map(i64::from))
            .execute()
            .await?;
        Ok(())
    }

    /// The item with this own id.
    pub(super) async fn item_with_id(
        &mut self,
        id: &str,
    ) -> Result<Option<ItemRecord>, StoreError> {
        let sql = format!(
            "SELECT {} FROM items i WHERE i.marketplace_id = $1",
            ItemRecord::COLUMNS
        );
        self.transaction
            .query(AssertSqlSafe(sql))
            .bind(id)
            .optional(ItemRecord::read)
            .await
    }
}

/// Points by their chunk.
fn chunked(points: &[Point]) -> BTreeMap<i64, Vec<Point>> {
    let mut chunks: BTreeMap<i64, Vec<Point>> = BTreeMap::new();
    for point in points {
        chunks.entry(chunk_of(point.day)).or_default().push(*point);
    }
    chunks
}

impl Store {
    /// All that is known of the prices of the item with this own id.
    pub async fn known_prices(&self, id: &str) -> Result<Option<KnownPrices>, StoreError> {
        let sql = format!(
            "SELECT {} FROM items i WHERE i.marketplace_id = $1",
            ItemRecord::COLUMNS
        );
        let item = self
            .read
            .query(AssertSqlSafe(sql))
            .bind(id)
            .optional(ItemRecord::read)
            .await?;
        let Some(item) = item else {
            return Ok(None);
        };
        let points = self.history(&[&item], 0, i64::MAX).await?.concat();
        let chunks = self
            .read
            .query(AssertSqlSafe(select_item()))
            .bind(item.key)
            .all(read_item)
            .await?;
        Ok(Some(KnownPrices {
            by_source: by_source(chunks).map_err(StoreError::Damaged)?,
            quotes: self.quotes(&[item.key]).await?,
            points,
            item,
        }))
    }
}
