//! Sold listings, as an import finds and corrects them.

use super::load::Loader;
use super::review::ReviewStatus;
use super::tracked;
use crate::market::Money;
use crate::market::listing::identity::{alike, fingerprint, listing_number};
use crate::market::listing::products::Product;
use crate::store::StoreError;
use crate::store::bulk::{batches, places, rows_of_places};
use crate::store::sql::Row;
use std::collections::BTreeMap;

/// Where a listing is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListingKey {
    /// Among the sales.
    Sale(i64),
    /// Among the listings for review.
    Review(i64),
}

impl ListingKey {
    /// Its table, and the column of its key.
    fn table(self) -> [&'static str; 2] {
        match self {
            Self::Sale(_) => SALES,
            Self::Review(_) => REVIEW,
        }
    }

    fn key(self) -> i64 {
        match self {
            Self::Sale(key) | Self::Review(key) => key,
        }
    }
}

/// The tables of listings, and their keys.
const SALES: [&str; 2] = ["sales", "key"];
const REVIEW: [&str; 2] = ["review", "id"];

/// A listing that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownListing {
    /// Where it is stored, if it is.
    pub key: Option<ListingKey>,
    /// Marketplace and number, where they are known.
    pub number: Option<String>,
    /// The same for listings that are alike in title and price.
    pub alike: Vec<u8>,
    /// The day of the sale.
    pub day: i64,
    /// The price.
    pub price: Money,
    /// Its currency.
    pub currency: String,
    /// Its title.
    pub title: String,
    /// The item that it is of, as far as that is known.
    pub item: Option<i64>,
    /// The key of its grade; empty for a raw card.
    pub grade: String,
}

impl KnownListing {
    /// What no other listing has.
    #[must_use]
    pub fn fingerprint(&self) -> Vec<u8> {
        fingerprint(self.number.as_deref(), &self.alike, self.day)
    }

    fn read(row: Row<'_>, key: ListingKey) -> Result<Self, sqlx::Error> {
        Ok(Self {
            key: Some(key),
            number: row.get("number")?,
            alike: row.get::<Option<Vec<u8>>>("alike")?.unwrap_or_default(),
            day: row.get("day")?,
            price: Money(row.get("price")?),
            currency: row.get("currency")?,
            title: row.get("title")?,
            item: row.get("item")?,
            grade: row.get("grade")?,
        })
    }
}

impl Loader {
    /// The sealed products of the store.
    pub async fn products(&mut self) -> Result<Vec<Product>, StoreError> {
        self.transaction
            .query(
                "SELECT d.item, d.name, d.set_name, d.product_type, d.language, s.id AS set_id \
                 FROM sealed d LEFT JOIN sets s ON s.key = d.set_key ORDER BY d.item",
            )
            .all(|row| {
                Ok(Product {
                    item: row.get("item")?,
                    name: row.get("name")?,
                    set_id: row.get("set_id")?,
                    set_name: row.get("set_name")?,
                    product_type: row.get("product_type")?,
                    language: super::rows::language(row, "language")?.name(),
                })
            })
            .await
    }

    /// Gives the listings of older versions their numbers and likenesses.
    pub async fn identify_listings(&mut self) -> Result<(), StoreError> {
        for [table, key] in [SALES, REVIEW] {
            let sql = format!(
                "SELECT {key} AS key, title, price, currency, url FROM {table} WHERE alike IS NULL"
            );
            let rows: Vec<(i64, Option<String>, Vec<u8>)> = self
                .transaction
                .query_many(sql)
                .all(|row| {
                    let title: String = row.get("title")?;
                    let currency: String = row.get("currency")?;
                    let url: Option<String> = row.get("url")?;
                    Ok((
                        row.get("key")?,
                        url.as_deref().and_then(listing_number),
                        alike(&title, Money(row.get("price")?), &currency),
                    ))
                })
                .await?;
            for rows in batches(&rows, 3) {
                let sql = format!(
                    "UPDATE {table} SET number = v.column2, alike = v.column3 FROM (VALUES {}) v \
                     WHERE {table}.{key} = v.column1",
                    rows_of_places(rows.len(), 3)
                );
                let query = rows
                    .iter()
                    .fold(self.transaction.query_many(sql), |query, row| {
                        query
                            .bind(row.0)
                            .bind(row.1.as_deref())
                            .bind(row.2.as_slice())
                    });
                query.execute().await?;
            }
        }
        Ok(())
    }

    /// The sales and listings for review that have one of these numbers or likenesses, oldest
    /// first.
    pub async fn known_listings(
        &mut self,
        numbers: &[&str],
        likenesses: &[&[u8]],
    ) -> Result<Vec<KnownListing>, StoreError> {
        let mut found = BTreeMap::new();
        for (table, of) in [
            (SALES, ListingKey::Sale as fn(i64) -> ListingKey),
            (REVIEW, ListingKey::Review),
        ] {
            let select = |column: &str, count: usize| {
                let [table, key] = table;
                format!(
                    "SELECT {key} AS key, number, alike, day, price, currency, title, item, grade \
                     FROM {table} WHERE {column} IN ({})",
                    places(count)
                )
            };
            for numbers in batches(numbers, 1) {
                let query = self.transaction.query_many(select("number", numbers.len()));
                let query = query.bind_all(numbers);
                let rows = query.all(|row| KnownListing::read(row, of(row.get("key")?)));
                found.extend(
                    rows.await?
                        .into_iter()
                        .map(|listing| (listing.key, listing)),
                );
            }
            for likenesses in batches(likenesses, 1) {
                let sql = select("alike", likenesses.len());
                let query = self.transaction.query_many(sql).bind_all(likenesses);
                let rows = query.all(|row| KnownListing::read(row, of(row.get("key")?)));
                found.extend(
                    rows.await?
                        .into_iter()
                        .map(|listing| (listing.key, listing)),
                );
            }
        }
        Ok(found.into_values().collect())
    }

    /// Corrects price, day and number of listings.
    pub async fn correct_listings(&mut self, listings: &[KnownListing]) -> Result<(), StoreError> {
        let keys: Vec<ListingKey> = listings.iter().filter_map(|listing| listing.key).collect();
        self.note_listings(&keys).await?;
        for listing in listings {
            let Some(key) = listing.key else { continue };
            let [table, column] = key.table();
            let sql = format!(
                "UPDATE {table} SET number = ?, alike = ?, day = ?, price = ?, currency = ?, \
                 fingerprint = ? WHERE {column} = ?"
            );
            self.transaction
                .query_many(sql)
                .bind(listing.number.as_deref())
                .bind(listing.alike.as_slice())
                .bind(listing.day)
                .bind(listing.price.0)
                .bind(listing.currency.as_str())
                .bind(listing.fingerprint())
                .bind(key.key())
                .execute()
                .await?;
        }
        Ok(())
    }

    async fn note_listings(&mut self, listings: &[ListingKey]) -> Result<(), StoreError> {
        let (sales, reviews): (Vec<ListingKey>, Vec<ListingKey>) = listings
            .iter()
            .partition(|listing| matches!(listing, ListingKey::Sale(_)));
        self.note(&tracked::SALES, &sales, |query, sale| {
            query.bind(sale.key())
        })
        .await?;
        self.note(&tracked::REVIEW, &reviews, |query, row| {
            query.bind(row.key())
        })
        .await
    }

    /// Rejects listings for review that this import has added, by fingerprint.
    pub async fn reject_added(
        &mut self,
        fingerprints: &[Vec<u8>],
        now: i64,
    ) -> Result<(), StoreError> {
        for fingerprint in fingerprints {
            self.transaction
                .query("UPDATE review SET status = $2, decided = $3 WHERE fingerprint = $1")
                .bind(fingerprint.as_slice())
                .bind(ReviewStatus::Rejected.number())
                .bind(now)
                .execute()
                .await?;
        }
        Ok(())
    }

    /// Takes back sales, and rejects listings for review, of which it is known that nothing was
    /// sold.
    pub async fn withdraw_listings(
        &mut self,
        listings: &[ListingKey],
        now: i64,
    ) -> Result<(), StoreError> {
        self.note_listings(listings).await?;
        for listing in listings {
            let done = match listing {
                ListingKey::Sale(key) => self
                    .transaction
                    .query("DELETE FROM sales WHERE key = $1")
                    .bind(*key)
                    .execute(),
                ListingKey::Review(id) => self
                    .transaction
                    .query(
                        "UPDATE review SET status = $2, decided = $3 WHERE id = $1 AND status = $4",
                    )
                    .bind(*id)
                    .bind(ReviewStatus::Rejected.number())
                    .bind(now)
                    .bind(ReviewStatus::Open.number())
                    .execute(),
            };
            done.await?;
        }
        Ok(())
    }
}
