//! Imports prices by day: headline prices with their history, EUR prices, and prices by source and
//! condition.
//!
//! A row in USD may be a headline price: the item's price, and a day of its history. Of several
//! sources the first in the order of the settings gives it, and the newest day of that source; a
//! price for Near Mint gives it where there is no other. A row with a source or a condition is also
//! kept under that source, condition and currency; what may be a headline also in the history of its
//! source.

use super::cell::{Cells, Column, Wrong, needed, optional};
use super::keys::{self, Keys};
use super::price::{Price, PriceColumns};
use super::source_prices::SourcePrices;
use crate::market::history::{chunk_of, merge, pack, unpack};
use crate::market::load_index::{Item, LoadIndex};
use crate::market::{Point, SYNTHETIC};
use crate::store::StoreError;
use crate::store::market::{Headline, Loader, Quote, chunk_key};
use std::collections::HashMap;
use std::sync::Arc;

/// The columns of price files.
pub(super) const COLUMNS: &[Column] = &[
    keys::OWN,
    needed("date").or(&[
        "day",
        "updated",
        "updatedAt",
        "updated_at",
        "lastPriceUpdate",
    ]),
    optional("marketPrice")
        .or(&["market_price", "market", "price"])
        .number(),
    optional("lowPrice").or(&["low_price", "low"]).number(),
    optional("sellers").number(),
    optional("source"),
    optional("condition"),
    optional("currency"),
    keys::TCGPLAYER,
    keys::CARDMARKET,
    keys::PRINTING,
];

/// The columns that name an item.
const KEYS: Keys = Keys {
    own: 0,
    tcgplayer: 8,
    cardmarket: 9,
    printing: 10,
};

/// The columns that state the price.
const PRICE: PriceColumns = PriceColumns {
    market: 2,
    low: 3,
    sellers: 4,
    moment: 1,
};

/// Snapshots buffered before they are written: twenty days of a hundred thousand items, 128 MB.
const HELD: usize = 1 << 21;
/// Chunks that are read, merged and written at once.
pub(super) const CHUNKS: usize = 1 << 13;
/// The prices not yet written.
#[derive(Debug, Default)]
pub(super) struct Prices {
    points: Vec<(i64, Point)>,
    headlines: HashMap<i64, Headline>,
    eur: HashMap<i64, Headline>,
    quotes: HashMap<(i64, u32, u32, bool), Quote>,
    by_source: SourcePrices,
    /// Sources and conditions by number.
    words: HashMap<String, u32>,
    /// Ranks of the headlines that changed.
    ranks: HashMap<i64, u32>,
    /// First and last days of the histories that changed.
    spans: HashMap<i64, Option<(i64, i64)>>,
    /// They come from columns of an export, which names no sources.
    of_export: bool,
    /// The source of rows that name none.
    source: Option<Arc<str>>,
    /// The item of the previous row, because rows of an item are usually adjacent.
    before: Option<([String; 4], Item)>,
}

impl Prices {
    /// Those in the columns of an export: one that is the headline price says nothing new.
    pub(super) fn of_export() -> Self {
        Self {
            of_export: true,
            ..Self::default()
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.points.len() + self.by_source.len() >= HELD || self.quotes.len() >= HELD / 8
    }

    /// States the source of rows that name none.
    pub(super) fn set_source(&mut self, source: &str) {
        self.source = Some(source.into());
    }

    pub(super) fn clear(&mut self) {
        let (before, ranks) = (self.before.take(), std::mem::take(&mut self.ranks));
        *self = Self {
            source: self.source.take(),
            before,
            ranks,
            ..Self::default()
        };
    }

    pub(super) fn row(&mut self, known: &LoadIndex, cells: &Cells<'_>) -> Result<(), Wrong> {
        let texts = KEYS.texts(cells)?;
        let item = match &self.before {
            Some((before, item)) if *before == texts => *item,
            _ => {
                let item = KEYS.item(known, cells)?;
                self.before = Some((texts.map(str::to_owned), item));
                item
            }
        };
        let default = self.source.clone();
        let source = cells.text(5)?.or(default.as_deref());
        let condition = cells.text(6)?;
        let eur = match cells.text(7)? {
            None | Some("USD") => false,
            Some("EUR") => true,
            Some(_) => {
                return Err(cells.wrong(
                    7,
                    "is not a currency that prices are kept in: write USD or EUR",
                ));
            }
        };
        let Some(price) = PRICE.read(cells, known.today)? else {
            return Err(cells.wrong(
                2,
                "is empty, and lowPrice too: write one of them or leave the row out",
            ));
        };
        let price = Price {
            source,
            condition,
            ..price
        };
        let mut outranked = false;
        if eur {
            if condition.is_none() {
                self.eur(item.key, price);
            }
        } else if let Some(rank) = known.rank(source, condition) {
            outranked = !self.headline(item, price, rank);
            if let Some(source) = source {
                let near_mint = condition.is_some();
                self.by_source
                    .add(item.key, source, near_mint, price.point());
            }
        }
        if source.is_some() || condition.is_some() || outranked {
            self.quote(
                item.key,
                price,
                source.unwrap_or_default(),
                condition.unwrap_or_default(),
                eur,
            );
        }
        Ok(())
    }

    /// Takes a headline price and a day of history, unless the headline is of a source that comes
    /// first. Returns whether it did.
    fn headline(&mut self, item: Item, price: Price<'_>, rank: u32) -> bool {
        let standing = self.ranks.get(&item.key).copied().unwrap_or(item.rank);
        if rank > standing {
            return false;
        }
        self.ranks.insert(item.key, rank);
        self.points.push((item.key, price.point()));
        self.spans.entry(item.key).or_insert(item.span);
        newest(&mut self.headlines, item.key, price, rank < standing);
        true
    }

    /// Takes the price in the columns of an export: one of an item's, of no source.
    pub(super) fn restate(&mut self, known: &LoadIndex, id: &str, price: Option<Price<'_>>) {
        let rank = known.rank(None, None);
        if let (Some(price), Some(item), Some(rank)) = (price, known.item(id), rank) {
            self.headline(*item, price, rank);
        }
    }

    fn eur(&mut self, item: i64, price: Price<'_>) {
        newest(&mut self.eur, item, price, false);
    }

    fn quote(&mut self, item: i64, price: Price<'_>, source: &str, condition: &str, eur: bool) {
        let mut word = |text: &str| match self.words.get(text) {
            Some(word) => *word,
            None => {
                let word = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
                self.words.insert(text.to_owned(), word);
                word
            }
        };
        let key = (item, word(source), word(condition), eur);
        let day = price.day();
        let quote = self.quotes.entry(key).or_insert_with(|| Quote {
            item,
            source: source.to_owned(),
            condition: condition.to_owned(),
            currency: if eur { "EUR" } else { "USD" }.to_owned(),
            day: i64::MIN,
            ..Quote::default()
        });
        if quote.day <= day {
            (quote.market, quote.low, quote.sellers, quote.day) =
                (price.market, price.low, price.sellers, day);
        }
    }

    pub(super) async fn flush(&mut self, loader: &mut Loader) -> Result<(), StoreError> {
        let by_item = |prices: &mut HashMap<i64, Headline>| {
            let mut prices: Vec<_> = prices.drain().map(|(_, price)| price).collect();
            prices.sort_unstable_by_key(|price| price.item);
            prices
        };
        // files of an invented market mark the store as well
        if self.words.contains_key(SYNTHETIC) && loader.fact(SYNTHETIC).await?.is_none() {
            loader.set_fact(SYNTHETIC, "prices").await?;
        }
        let headlines = by_item(&mut self.headlines);
        if self.of_export {
            loader.restate_headlines(&headlines).await?;
        } else {
            loader.put_headlines(&headlines).await?;
        }
        loader.put_eur(&by_item(&mut self.eur)).await?;
        let mut quotes: Vec<_> = self.quotes.drain().map(|(_, quote)| quote).collect();
        quotes.sort_unstable_by(|one, other| {
            (one.item, &one.source, &one.condition).cmp(&(
                other.item,
                &other.source,
                &other.condition,
            ))
        });
        loader.put_quotes(&quotes).await?;
        self.by_source.flush(loader).await?;
        self.history(loader).await
    }

    async fn history(&mut self, loader: &mut Loader) -> Result<(), StoreError> {
        // stable: of two prices of a day, the later row wins
        self.points.sort_by_key(|(item, point)| (*item, point.day));
        let mut groups: Vec<&[(i64, Point)]> = self
            .points
            .chunk_by(|one, other| one.0 == other.0 && chunk_of(one.1.day) == chunk_of(other.1.day))
            .collect();
        let key = |group: &[(i64, Point)]| {
            group
                .first()
                .map_or(0, |(item, point)| chunk_key(*item, chunk_of(point.day)))
        };
        let mut spans = Vec::new();
        for groups in groups.chunks_mut(CHUNKS) {
            let written = |group: &&[(i64, Point)]| {
                let (item, point) = group.first()?;
                let (first, last) = (*self.spans.get(item)?)?;
                let chunk = chunk_of(point.day);
                (chunk_of(first) <= chunk && chunk <= chunk_of(last)).then(|| key(group))
            };
            let keys: Vec<i64> = groups.iter().filter_map(written).collect();
            let there: HashMap<i64, Vec<u8>> = loader.chunks(&keys).await?.into_iter().collect();
            let mut chunks = Vec::with_capacity(groups.len());
            let mut old = Vec::new();
            for group in groups {
                let new = last_of_each_day(group);
                let key = key(group);
                let packed = match there.get(&key) {
                    Some(data) => {
                        old.clear();
                        let chunk = group.first().map_or(0, |(_, point)| chunk_of(point.day));
                        unpack(chunk, data, &mut old).map_err(StoreError::Damaged)?;
                        pack(&merge(&old, &new))
                    }
                    None => pack(&new),
                };
                chunks.push((key, packed));
            }
            loader.put_chunks(&chunks).await?;
        }
        for of_item in self.points.chunk_by(|one, other| one.0 == other.0) {
            if let Some(((item, first), (_, last))) = of_item.first().zip(of_item.last()) {
                let before = self.spans.get(item).copied().flatten();
                let (from, to) = before.map_or((first.day, last.day), |(from, to)| {
                    (from.min(first.day), to.max(last.day))
                });
                if before != Some((from, to)) {
                    self.spans.insert(*item, Some((from, to)));
                    spans.push((*item, from, to));
                }
            }
        }
        loader.put_spans(&spans).await?;
        self.points.clear();
        Ok(())
    }
}

/// The last point of each day, of points in the order of their days.
pub(super) fn last_of_each_day<K>(points: &[(K, Point)]) -> Vec<Point> {
    let mut last: Vec<Point> = Vec::with_capacity(points.len());
    for (_, point) in points {
        match last.last_mut() {
            Some(before) if before.day == point.day => *before = *point,
            _ => last.push(*point),
        }
    }
    last
}

/// Keeps the newest price of an item. Of two of the same moment, the later row wins; one of a source
/// that outranks the others wins whatever its moment.
fn newest(prices: &mut HashMap<i64, Headline>, item: i64, price: Price<'_>, outranks: bool) {
    let kept = prices.entry(item).or_insert_with(|| Headline {
        item,
        updated: i64::MIN,
        ..Headline::default()
    });
    if kept.updated <= price.moment || outranks {
        kept.outranks |= outranks;
        (kept.market, kept.low, kept.sellers, kept.updated) =
            (price.market, price.low, price.sellers, price.moment);
        if kept.source.as_deref() != price.source {
            kept.source = price.source.map(str::to_owned);
        }
        if kept.condition.as_deref() != price.condition {
            kept.condition = price.condition.map(str::to_owned);
        }
    }
}
