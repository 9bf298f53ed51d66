//! Prices and their history, and sales in USD.

use super::chunks::{CHUNKS, chunk_key};
use super::records::{GradedSale, ItemRecord, Quote};
use crate::market::history::{chunk_of, unpack};
use crate::market::{Money, Point, Rate};
use crate::store::bulk::{batches, places};
use crate::store::sql::Row;
use crate::store::{Store, StoreError};
use sqlx::AssertSqlSafe;

/// What a unit of the currency of the sale `s` was worth on its day: a dollar's worth, the rate of
/// the day, or the last before it that still holds; null where none is known.
const USD: &str = "CASE WHEN s.currency = 'USD' THEN 10000000000 ELSE (SELECT r.usd FROM rates r \
                   WHERE r.currency = s.currency AND r.day <= s.day AND r.day >= s.day - 7 \
                   ORDER BY r.day DESC LIMIT 1) END AS usd";

/// A sale `s`, and what a unit of its currency was worth.
struct Sale {
    item: i64,
    grade: String,
    day: i64,
    price: i64,
    usd: Option<i64>,
}

impl Sale {
    fn read(row: Row<'_>) -> Result<Self, sqlx::Error> {
        Ok(Self {
            item: row.get("item")?,
            grade: row.get("grade")?,
            day: row.get("day")?,
            price: row.get("price")?,
            usd: row.get("usd")?,
        })
    }

    /// The price in USD, where the rate is known.
    fn in_usd(&self) -> Option<Money> {
        Some(Rate(self.usd?).of(Money(self.price)))
    }

    /// The sale of a graded card. A grade that this build does not know was written by a newer one.
    fn graded(&self) -> Option<GradedSale> {
        Some(GradedSale {
            item: self.item,
            key: self.grade.parse().ok()?,
            day: self.day,
            price: self.in_usd()?,
        })
    }
}

/// The statement for so many chunks of histories.
pub(super) fn select_chunks(count: usize) -> String {
    format!(
        "SELECT key, data FROM price_history WHERE key IN ({})",
        places(count)
    )
}

/// Reads a row of [`select_chunks`]: the key and what is packed.
pub(super) fn read_chunk(row: Row<'_>) -> Result<(i64, Vec<u8>), sqlx::Error> {
    Ok((row.get("key")?, row.get("data")?))
}

impl Store {
    /// The snapshots of items from a day to a day, both included: a list for each item, in their
    /// order, days rising.
    ///
    /// # Errors
    /// Where the database fails, or what it holds is damaged.
    pub async fn history(
        &self,
        items: &[&ItemRecord],
        from: i64,
        to: i64,
    ) -> Result<Vec<Vec<Point>>, StoreError> {
        let mut keys = Vec::new();
        for item in items {
            let (Some(first), Some(last)) = (item.first_day, item.last_day) else {
                continue;
            };
            let (first, last) = (first.max(from), last.min(to));
            if first <= last {
                keys.extend(
                    (chunk_of(first)..=chunk_of(last)).map(|chunk| chunk_key(item.key, chunk)),
                );
            }
        }
        keys.sort_unstable();
        keys.dedup();
        let mut chunks = self.chunks(&keys).await?;
        chunks.sort_unstable_by_key(|(key, _)| *key);
        let mut histories = Vec::with_capacity(items.len());
        for item in items {
            let begin = chunks.partition_point(|(key, _)| *key < chunk_key(item.key, 0));
            let mut points = Vec::new();
            for (key, data) in chunks[begin..]
                .iter()
                .take_while(|(key, _)| key / CHUNKS == item.key)
            {
                unpack(key % CHUNKS, data, &mut points).map_err(StoreError::Damaged)?;
            }
            points.retain(|point| (from..=to).contains(&point.day));
            histories.push(points);
        }
        Ok(histories)
    }

    async fn chunks(&self, keys: &[i64]) -> Result<Vec<(i64, Vec<u8>)>, StoreError> {
        let mut found = Vec::with_capacity(keys.len());
        for keys in batches(keys, 1) {
            let query = self.read.query_many(select_chunks(keys.len()));
            found.extend(query.bind_all(keys).all(read_chunk).await?);
        }
        Ok(found)
    }

    /// Prices of items by source, condition and currency, items rising. Texts are compared by their
    /// bytes: the order of a database is that of its locale.
    pub async fn quotes(&self, items: &[i64]) -> Result<Vec<Quote>, StoreError> {
        let mut found = Vec::new();
        for items in batches(items, 1) {
            let sql = format!(
                "SELECT item, source, condition, currency, market, low, sellers, day FROM quotes \
                 WHERE item IN ({})",
                places(items.len())
            );
            let quotes = self.read.query_many(sql).bind_all(items).all(Quote::read);
            found.extend(quotes.await?);
        }
        found.sort_unstable_by(|one, other| by_name(one).cmp(&by_name(other)));
        Ok(found)
    }

    /// Sales of graded cards from a day to a day, both included, by item, grade and day. Those in
    /// other currencies count by the rate of their day, or the last before it that still holds;
    /// those without a rate are left out.
    pub async fn graded_sales(
        &self,
        items: &[i64],
        from: i64,
        to: i64,
    ) -> Result<Vec<GradedSale>, StoreError> {
        let of_items =
            "s.grade <> '' AND s.day >= ? AND s.day <= ? ORDER BY s.item, s.grade, s.day, s.key";
        let sales = self.sales(items, from, to, of_items).await?;
        Ok(sales.iter().filter_map(Sale::graded).collect())
    }

    /// Sales without a grade of items, in USD as [`Store::graded_sales`] has them: item, day and
    /// price, the newest first.
    pub async fn plain_sales(
        &self,
        items: &[i64],
        from: i64,
        to: i64,
    ) -> Result<Vec<(i64, i64, i64)>, StoreError> {
        let of_items = "s.grade = '' AND s.day >= ? AND s.day <= ? \
                        ORDER BY s.day DESC, s.key DESC";
        let sales = self.sales(items, from, to, of_items).await?;
        let plain = |sale: &Sale| Some((sale.item, sale.day, sale.in_usd()?.0));
        Ok(sales.iter().filter_map(plain).collect())
    }

    /// Sales of items that fit a condition on their grade and days, in its order.
    async fn sales(
        &self,
        items: &[i64],
        from: i64,
        to: i64,
        condition: &str,
    ) -> Result<Vec<Sale>, StoreError> {
        let mut found = Vec::new();
        for items in batches(items, 1) {
            let sql = format!(
                "SELECT s.item, s.grade, s.day, s.price, {USD} FROM sales s WHERE s.item IN ({}) \
                 AND {condition}",
                places(items.len())
            );
            let sales = self
                .read
                .query_many(sql)
                .bind_all(items)
                .bind(from)
                .bind(to)
                .all(Sale::read);
            found.extend(sales.await?);
        }
        Ok(found)
    }

    /// The graded sales, as [`Store::graded_sales`] has them, of items with numbers above `after`
    /// and up to `to`, from a day to a day, by item, grade and day, each with its item's id.
    pub async fn graded_between(
        &self,
        after: i64,
        to: i64,
        from_day: i64,
        to_day: i64,
    ) -> Result<Vec<(String, GradedSale)>, StoreError> {
        let sql = format!(
            "SELECT i.marketplace_id, s.item, s.grade, s.day, s.price, {USD} FROM sales s \
             JOIN items i ON i.key = s.item WHERE s.item > $1 AND s.item <= $2 AND s.grade <> '' \
             AND s.day BETWEEN $3 AND $4 ORDER BY s.item, s.grade, s.day, s.key"
        );
        let sales: Vec<(String, Sale)> = self
            .read
            .query(AssertSqlSafe(sql))
            .bind(after)
            .bind(to)
            .bind(from_day)
            .bind(to_day)
            .all(|row| Ok((row.get("marketplace_id")?, Sale::read(row)?)))
            .await?;
        let graded = |(id, sale): (String, Sale)| Some((id, sale.graded()?));
        Ok(sales.into_iter().filter_map(graded).collect())
    }
}

/// What the prices of items are ordered by.
fn by_name(quote: &Quote) -> (i64, [&str; 3]) {
    let texts = [&quote.source, &quote.condition, &quote.currency];
    (quote.item, texts.map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::USD;
    use crate::market::rate;

    #[test]
    fn the_statement_has_the_numbers_of_rates() {
        assert!(
            USD.contains(&format!("THEN {} ELSE", rate::UNIT))
                && USD.contains(&format!("s.day - {} ", rate::HOLDS)),
            "{USD}"
        );
    }
}
