//! [`SourcePrices`]: the prices of each source by day, until they are written.

use super::prices::{CHUNKS, last_of_each_day};
use crate::market::Point;
use crate::market::history::{chunk_of, merge, pack, unpack};
use crate::store::StoreError;
use crate::store::market::{Loader, PriceSource, SourceChunk};
use std::collections::HashMap;

/// An item's prices of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Series {
    item: i64,
    /// The source by number.
    source: usize,
    near_mint: bool,
}

/// The prices of each source that are not yet written.
#[derive(Debug, Default)]
pub(super) struct SourcePrices {
    points: Vec<(Series, Point)>,
    names: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl SourcePrices {
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// Adds the price of a day.
    pub(super) fn add(&mut self, item: i64, source: &str, near_mint: bool, point: Point) {
        let source = match self.numbers.get(source) {
            Some(number) => *number,
            None => {
                let number = self.names.len();
                self.names.push(source.to_owned());
                self.numbers.insert(source.to_owned(), number);
                number
            }
        };
        let series = Series {
            item,
            source,
            near_mint,
        };
        self.points.push((series, point));
    }

    fn key(&self, series: Series, day: i64) -> SourceChunk {
        SourceChunk {
            item: series.item,
            source: PriceSource {
                name: self.names[series.source].clone(),
                near_mint: series.near_mint,
            },
            chunk: chunk_of(day),
        }
    }

    pub(super) async fn flush(&mut self, loader: &mut Loader) -> Result<(), StoreError> {
        // stable: of two prices of a day, the later row wins
        self.points
            .sort_by_key(|(series, point)| (*series, point.day));
        let groups: Vec<&[(Series, Point)]> = self
            .points
            .chunk_by(|one, other| one.0 == other.0 && chunk_of(one.1.day) == chunk_of(other.1.day))
            .collect();
        for groups in groups.chunks(CHUNKS) {
            let key = |group: &&[(Series, Point)]| {
                let (series, point) = group[0];
                self.key(series, point.day)
            };
            let keys: Vec<SourceChunk> = groups.iter().map(key).collect();
            let there = loader.source_chunks(&keys).await?;
            let there: HashMap<SourceChunk, Vec<u8>> = there.into_iter().collect();
            let mut chunks = Vec::with_capacity(groups.len());
            for (group, key) in groups.iter().zip(keys) {
                let new = last_of_each_day(group);
                let packed = match there.get(&key) {
                    Some(data) => {
                        let mut old = Vec::new();
                        unpack(key.chunk, data, &mut old).map_err(StoreError::Damaged)?;
                        pack(&merge(&old, &new))
                    }
                    None => pack(&new),
                };
                chunks.push((key, packed));
            }
            loader.put_source_chunks(&chunks).await?;
        }
        *self = Self::default();
        Ok(())
    }
}
