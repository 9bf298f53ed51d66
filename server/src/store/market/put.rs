//! What a [`Loader`] writes, many rows in a statement: sales, listings under review, populations
//! and rates.

use super::folded::folded;
use super::load::Loader;
use super::records::PopulationRecord;
use super::review::{NewReview, ReviewStatus};
use super::tracked;
use crate::market::{Money, Rate};
use crate::store::StoreError;
use crate::store::bulk::{batches, rows_of_places};
use crate::store::sql::Query;

/// A sold listing that was matched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewSale {
    /// What no other sale has.
    pub fingerprint: Vec<u8>,
    /// The item that was sold.
    pub item: i64,
    /// The key of its grade; empty for a raw card.
    pub grade: String,
    /// The day of the sale.
    pub day: i64,
    /// The price.
    pub price: Money,
    /// The currency of the price.
    pub currency: String,
    /// How sure the match is, in ten-thousandths; none where a person decided.
    pub confidence: Option<i64>,
    /// The title of the listing.
    pub title: String,
    /// Where it was.
    pub url: Option<String>,
    /// Marketplace and number, where they are known.
    pub number: Option<String>,
    /// The same for listings that are alike in title and price.
    pub alike: Vec<u8>,
}

/// What a unit of a currency was worth on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateRow {
    /// The three letters of the currency.
    pub currency: String,
    /// The day.
    pub day: i64,
    /// What a unit of it was worth.
    pub usd: Rate,
}

impl Loader {
    /// Runs `head`, rows of as many values as `columns` says, and `tail`, in as many statements as
    /// it takes; answers how many rows were changed.
    pub(super) async fn put<R>(
        &mut self,
        rows: &[R],
        columns: usize,
        [head, tail]: [&str; 2],
        bind: impl for<'c> Fn(Query<'c>, &R) -> Query<'c>,
    ) -> Result<u64, StoreError> {
        let mut changed = 0;
        for rows in batches(rows, columns) {
            let sql = format!("{head} {} {tail}", rows_of_places(rows.len(), columns));
            let query = self.transaction.query_many(sql);
            changed += rows.iter().fold(query, &bind).execute().await?;
        }
        Ok(changed)
    }

    /// Adds populations, or puts them in place of those of their items.
    pub async fn put_populations(
        &mut self,
        populations: &[PopulationRecord],
    ) -> Result<(), StoreError> {
        self.note(&tracked::POPULATION, populations, |query, population| {
            query.bind(population.item)
        })
        .await?;
        self.put(
            populations,
            10,
            [
                "INSERT INTO population (item, language, total, gems, graders, confidence, \
                 score, fetched, updated, counts) VALUES",
                "ON CONFLICT (item) DO UPDATE SET language = excluded.language, \
                 total = excluded.total, gems = excluded.gems, graders = excluded.graders, \
                 confidence = excluded.confidence, score = excluded.score, \
                 fetched = excluded.fetched, updated = excluded.updated, \
                 counts = excluded.counts",
            ],
            |query, population| {
                query
                    .bind(population.item)
                    .bind(population.language.number())
                    .bind(population.total())
                    .bind(population.gems())
                    .bind(population.mask())
                    .bind(population.confidence.as_str())
                    .bind(population.score.map(|score| score.0))
                    .bind(population.fetched)
                    .bind(population.updated)
                    .bind(serde_json::to_string(&population.counts).unwrap_or_default())
            },
        )
        .await?;
        Ok(())
    }

    /// Adds sales; those whose fingerprint is there already are left out. Answers how many were
    /// added.
    pub async fn put_sales(&mut self, sales: &[NewSale]) -> Result<u64, StoreError> {
        let added = self.put(
            sales,
            11,
            [
                "INSERT INTO sales (fingerprint, item, grade, day, price, currency, confidence, \
                 title, url, number, alike) VALUES",
                "ON CONFLICT (fingerprint) DO NOTHING",
            ],
            |query, sale| {
                query
                    .bind(sale.fingerprint.as_slice())
                    .bind(sale.item)
                    .bind(sale.grade.as_str())
                    .bind(sale.day)
                    .bind(sale.price.0)
                    .bind(sale.currency.as_str())
                    .bind(sale.confidence)
                    .bind(sale.title.as_str())
                    .bind(sale.url.as_deref())
                    .bind(sale.number.as_deref())
                    .bind(sale.alike.as_slice())
            },
        )
        .await?;
        let fingerprints: Vec<&[u8]> = sales.iter().map(|sale| &*sale.fingerprint).collect();
        self.note_added(&tracked::SALES, &fingerprints).await?;
        Ok(added)
    }

    /// Adds rates, or puts them in place of those of their currency and day.
    pub async fn put_rates(&mut self, rates: &[RateRow]) -> Result<(), StoreError> {
        self.note(&tracked::RATES, rates, |query, rate| {
            query.bind(rate.currency.as_str()).bind(rate.day)
        })
        .await?;
        self.put(
            rates,
            3,
            [
                "INSERT INTO rates (currency, day, usd) VALUES",
                "ON CONFLICT (currency, day) DO UPDATE SET usd = excluded.usd",
            ],
            |query, rate| {
                query
                    .bind(rate.currency.as_str())
                    .bind(rate.day)
                    .bind(rate.usd.0)
            },
        )
        .await?;
        Ok(())
    }

    /// Adds listings that a person must look at.
    pub async fn put_reviews(&mut self, reviews: &[NewReview]) -> Result<(), StoreError> {
        self.put(
            reviews,
            16,
            [
                "INSERT INTO review (fingerprint, title, price, currency, day, url, reason, \
                 item, grade, confidence, candidates, status, made, number, alike, folded_title) VALUES",
                "ON CONFLICT (fingerprint) DO NOTHING",
            ],
            |query, review| {
                query
                    .bind(review.fingerprint.as_slice())
                    .bind(review.title.as_str())
                    .bind(review.price.0)
                    .bind(review.currency.as_str())
                    .bind(review.day)
                    .bind(review.url.as_deref())
                    .bind(review.reason.as_str())
                    .bind(review.item)
                    .bind(review.grade.as_str())
                    .bind(review.confidence)
                    .bind(serde_json::to_string(&review.candidates).unwrap_or_default())
                    .bind(ReviewStatus::Open.number())
                    .bind(review.made)
                    .bind(review.number.as_deref())
                    .bind(review.alike.as_slice())
                    .bind(folded(&review.title))
            },
        )
        .await?;
        let fingerprints: Vec<&[u8]> = reviews.iter().map(|row| &*row.fingerprint).collect();
        self.note_added(&tracked::REVIEW, &fingerprints).await?;
        Ok(())
    }
}
