//! What a [`Loader`] writes of prices and their history.

use super::load::Loader;
use super::records::Quote;
use super::tracked;
use crate::market::Money;
use crate::store::StoreError;

/// A headline price.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headline {
    /// Of which item.
    pub item: i64,
    /// The market price.
    pub market: Option<Money>,
    /// The lowest price asked.
    pub low: Option<Money>,
    /// How many sell.
    pub sellers: Option<i64>,
    /// When it was taken, in milliseconds since 1970.
    pub updated: i64,
    /// Whose it is.
    pub source: Option<String>,
    /// The condition that it is for, where no other price is known.
    pub condition: Option<String>,
    /// It counts even if it is older, because its source comes first.
    pub outranks: bool,
}

impl Loader {
    /// Sets the headline prices of items where these are not older.
    pub async fn put_headlines(&mut self, prices: &[Headline]) -> Result<(), StoreError> {
        self.write_headlines(prices, "").await
    }

    /// As [`Loader::put_headlines`], of prices that may have been exported, so that their sources are
    /// not known: one that is the headline price, to the second, leaves it as it is.
    pub async fn restate_headlines(&mut self, prices: &[Headline]) -> Result<(), StoreError> {
        let is_other = "AND (items.updated IS NULL OR items.updated / 1000 <> v.column5 / 1000 \
             OR COALESCE(items.market, -1) <> COALESCE(v.column2, -1) \
             OR COALESCE(items.low, -1) <> COALESCE(v.column3, -1) \
             OR COALESCE(items.sellers, -1) <> COALESCE(v.column4, -1))";
        self.write_headlines(prices, is_other).await
    }

    async fn write_headlines(&mut self, prices: &[Headline], and: &str) -> Result<(), StoreError> {
        self.note(&tracked::ITEMS, prices, |query, price| {
            query.bind(price.item)
        })
        .await?;
        let tail = format!(
            ") v WHERE items.key = v.column1 AND (items.updated IS NULL \
             OR items.updated <= v.column5 OR v.column8 = 1) {and}"
        );
        self.put(
            prices,
            8,
            [
                "UPDATE items SET market = v.column2, low = v.column3, sellers = v.column4, \
                 updated = v.column5, source = v.column6, headline_condition = v.column7 \
                 FROM (VALUES",
                &tail,
            ],
            |query, price| {
                query
                    .bind(price.item)
                    .bind(price.market.map(|money| money.0))
                    .bind(price.low.map(|money| money.0))
                    .bind(price.sellers)
                    .bind(price.updated)
                    .bind(price.source.as_deref())
                    .bind(price.condition.as_deref())
                    .bind(i64::from(price.outranks))
            },
        )
        .await?;
        Ok(())
    }

    /// Sets the prices in EUR of items where these are not older.
    pub async fn put_eur(&mut self, prices: &[Headline]) -> Result<(), StoreError> {
        self.note(&tracked::ITEMS, prices, |query, price| {
            query.bind(price.item)
        })
        .await?;
        self.put(
            prices,
            4,
            [
                "UPDATE items SET eur_market = v.column2, eur_low = v.column3, \
                 eur_updated = v.column4 FROM (VALUES",
                ") v WHERE items.key = v.column1 \
                 AND (items.eur_updated IS NULL OR items.eur_updated <= v.column4)",
            ],
            |query, price| {
                query
                    .bind(price.item)
                    .bind(price.market.map(|money| money.0))
                    .bind(price.low.map(|money| money.0))
                    .bind(price.updated)
            },
        )
        .await?;
        Ok(())
    }

    /// Sets item, first and last day of histories.
    pub async fn put_spans(&mut self, spans: &[(i64, i64, i64)]) -> Result<(), StoreError> {
        self.note(&tracked::ITEMS, spans, |query, span| query.bind(span.0))
            .await?;
        self.put(
            spans,
            3,
            [
                "UPDATE items SET first_day = v.column2, last_day = v.column3 FROM (VALUES",
                ") v WHERE items.key = v.column1",
            ],
            |query, span| query.bind(span.0).bind(span.1).bind(span.2),
        )
        .await?;
        Ok(())
    }

    /// Keeps these prices by source and condition as they were before the change.
    pub(super) async fn note_quotes(&mut self, quotes: &[Quote]) -> Result<(), StoreError> {
        self.note(&tracked::QUOTES, quotes, |query, quote| {
            query
                .bind(quote.item)
                .bind(quote.source.as_str())
                .bind(quote.condition.as_str())
                .bind(quote.currency.as_str())
        })
        .await
    }

    /// Sets prices by source and condition where these are not older.
    pub async fn put_quotes(&mut self, quotes: &[Quote]) -> Result<(), StoreError> {
        self.note_quotes(quotes).await?;
        self.put(
            quotes,
            8,
            [
                "INSERT INTO quotes (item, source, condition, currency, market, low, sellers, \
                 day) VALUES",
                "ON CONFLICT (item, source, condition, currency) \
                 DO UPDATE SET market = excluded.market, low = excluded.low, \
                 sellers = excluded.sellers, day = excluded.day \
                 WHERE quotes.day <= excluded.day",
            ],
            |query, quote| {
                query
                    .bind(quote.item)
                    .bind(quote.source.as_str())
                    .bind(quote.condition.as_str())
                    .bind(quote.currency.as_str())
                    .bind(quote.market.map(|money| money.0))
                    .bind(quote.low.map(|money| money.0))
                    .bind(quote.sellers)
                    .bind(quote.day)
            },
        )
        .await?;
        Ok(())
    }

    /// Adds chunks, or puts them in place of those with their keys.
    pub async fn put_chunks(&mut self, chunks: &[(i64, Vec<u8>)]) -> Result<(), StoreError> {
        self.note(&tracked::PRICE_HISTORY, chunks, |query, chunk| {
            query.bind(chunk.0)
        })
        .await?;
        self.put(
            chunks,
            2,
            [
                "INSERT INTO price_history (key, data) VALUES",
                "ON CONFLICT (key) DO UPDATE SET data = excluded.data",
            ],
            |query, chunk| query.bind(chunk.0).bind(chunk.1.as_slice()),
        )
        .await?;
        Ok(())
    }
}
