//! Histories of prices by source: what each source stated, whether or not it was the headline.

use super::load::Loader;
use super::tracked;
use crate::market::Point;
use crate::market::history::{Damaged, chunk_of, merge, unpack};
use crate::store::bulk::{batches, places, rows_of_places};
use crate::store::sql::{Query, Row};
use crate::store::{Store, StoreError};
use std::collections::{BTreeMap, HashMap};

/// The columns of a chunk.
const SELECT: &str = "SELECT item, source, near_mint, chunk, data FROM source_history";

/// Whose prices a history has.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PriceSource {
    /// The name of the source.
    pub name: String,
    /// Whether the prices are for Near Mint, not for no condition in particular.
    pub near_mint: bool,
}

/// A chunk of the history of one source's prices of an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceChunk {
    /// Of which item.
    pub item: i64,
    /// Whose.
    pub source: PriceSource,
    /// The number of the chunk.
    pub chunk: i64,
}

impl SourceChunk {
    fn read(row: Row<'_>) -> Result<(Self, Vec<u8>), sqlx::Error> {
        let source = PriceSource {
            name: row.get("source")?,
            near_mint: row.get::<i64>("near_mint")? != 0,
        };
        let key = Self {
            item: row.get("item")?,
            source,
            chunk: row.get("chunk")?,
        };
        Ok((key, row.get("data")?))
    }

    fn bind<'c>(&self, query: Query<'c>) -> Query<'c> {
        query
            .bind(self.item)
            .bind(self.source.name.as_str())
            .bind(i64::from(self.source.near_mint))
            .bind(self.chunk)
    }
}

/// Chunks of an item, in their order, by source.
pub(super) fn by_source(
    chunks: Vec<(SourceChunk, Vec<u8>)>,
) -> Result<BTreeMap<PriceSource, Vec<Point>>, Damaged> {
    let mut found: BTreeMap<PriceSource, Vec<Point>> = BTreeMap::new();
    for (key, data) in chunks {
        unpack(key.chunk, &data, found.entry(key.source).or_default())?;
    }
    Ok(found)
}

/// The statement for all chunks of an item.
pub(super) fn select_item() -> String {
    format!("{SELECT} WHERE item = $1 ORDER BY source, near_mint, chunk")
}

/// Reads a row of [`select_item`].
pub(super) fn read_item(row: Row<'_>) -> Result<(SourceChunk, Vec<u8>), sqlx::Error> {
    SourceChunk::read(row)
}

impl Loader {
    /// What is packed in these chunks, as far as they are there.
    pub async fn source_chunks(
        &mut self,
        keys: &[SourceChunk],
    ) -> Result<Vec<(SourceChunk, Vec<u8>)>, StoreError> {
        let mut found = Vec::new();
        for keys in batches(keys, 4) {
            let rows = rows_of_places(keys.len(), 4);
            let sql = format!("{SELECT} WHERE (item, source, near_mint, chunk) IN (VALUES {rows})");
            let query = self.transaction.query_many(sql);
            let query = keys.iter().fold(query, |query, key| key.bind(query));
            found.extend(query.all(SourceChunk::read).await?);
        }
        Ok(found)
    }

    /// Adds chunks, or puts them in place of those with their keys.
    pub async fn put_source_chunks(
        &mut self,
        chunks: &[(SourceChunk, Vec<u8>)],
    ) -> Result<(), StoreError> {
        self.note(&tracked::SOURCE_HISTORY, chunks, |query, (key, _)| {
            key.bind(query)
        })
        .await?;
        self.put(
            chunks,
            5,
            [
                "INSERT INTO source_history (item, source, near_mint, chunk, data) VALUES",
                "ON CONFLICT (item, source, near_mint, chunk) DO UPDATE SET data = excluded.data",
            ],
            |query, (key, data)| key.bind(query).bind(data.as_slice()),
        )
        .await?;
        Ok(())
    }

    pub(super) async fn delete_source_chunk(
        &mut self,
        key: &SourceChunk,
    ) -> Result<(), StoreError> {
        let noted = std::slice::from_ref(key);
        self.note(&tracked::SOURCE_HISTORY, noted, |query, key| {
            key.bind(query)
        })
        .await?;
        let query = self.transaction.query(
            "DELETE FROM source_history WHERE item = $1 AND source = $2 AND near_mint = $3 \
             AND chunk = $4",
        );
        key.bind(query).execute().await?;
        Ok(())
    }
}

impl Store {
    /// Those of these items of which a source stated prices, in no order. The source may be written
    /// in any case.
    pub async fn items_of_source(
        &self,
        items: &[i64],
        source: &str,
    ) -> Result<Vec<i64>, StoreError> {
        let mut found = Vec::new();
        for items in batches(items, 1) {
            let sql = format!(
                "SELECT DISTINCT item, source FROM source_history WHERE item IN ({})",
                places(items.len())
            );
            let query = self.read.query_many(sql).bind_all(items);
            query
                .each(|row| {
                    if row.get::<String>("source")?.eq_ignore_ascii_case(source) {
                        found.push(row.get("item")?);
                    }
                    Ok(())
                })
                .await?;
        }
        // of one source written in several ways, an item may come more than once
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The snapshots that a source gave of items from a day to a day, both included: a list for
    /// each item, in their order, days rising. The source may be written in any case. A price for
    /// Near Mint counts on the days on which the source has no other.
    ///
    /// # Errors
    /// Where the database fails, or what it holds is damaged.
    pub async fn history_of_source(
        &self,
        items: &[i64],
        source: &str,
        from: i64,
        to: i64,
    ) -> Result<Vec<Vec<Point>>, StoreError> {
        let (first, last) = (chunk_of(from), chunk_of(to));
        // those for Near Mint last
        let mut histories: HashMap<i64, [Vec<Point>; 2]> = HashMap::new();
        for items in batches(items, 1) {
            let sql = format!(
                "{SELECT} WHERE item IN ({}) AND chunk >= {first} AND chunk <= {last}",
                places(items.len())
            );
            let chunks = self.read.query_many(sql).bind_all(items);
            let mut chunks = chunks.all(SourceChunk::read).await?;
            // of a source written in several ways the last counts, by the bytes of its name: the
            // order of a database is that of its locale
            chunks.sort_unstable_by(|(one, _), (other, _)| {
                one.source
                    .cmp(&other.source)
                    .then(one.chunk.cmp(&other.chunk))
            });
            for (key, data) in chunks {
                if !key.source.name.eq_ignore_ascii_case(source) {
                    continue;
                }
                let mut points = Vec::new();
                unpack(key.chunk, &data, &mut points).map_err(StoreError::Damaged)?;
                let of_item = histories.entry(key.item).or_default();
                let known = &mut of_item[usize::from(key.source.near_mint)];
                *known = merge(known, &points);
            }
        }
        let of_item = |item: &i64| {
            let [plain, near_mint] = histories.remove(item).unwrap_or_default();
            let mut points = merge(&near_mint, &plain);
            points.retain(|point| (from..=to).contains(&point.day));
            points
        };
        Ok(items.iter().map(of_item).collect())
    }
}
