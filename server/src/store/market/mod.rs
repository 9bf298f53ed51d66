//! The market in the store: sets, cards, prices and their history, graded sales, populations and sealed products.
//!
//! Reading is methods of [`Store`]; what loads is a [`Loader`], one transaction. Both run the same statements on both databases.

mod exports;
mod listing;
mod read;
mod review;
pub mod rows;
mod statements;
mod write;
mod write_rows;

use super::postgres::Postgres;
use super::sqlite::Sqlite;
use super::{Database, Store, StoreError, ask};
use crate::clock::Moment;
use crate::market::Point;
use crate::market::history::{chunk_of, unpack};
pub use listing::NamedCards;
pub use rows::*;
use std::sync::atomic::Ordering;
pub use write_rows::*;

/// A chunk's key is its item's times this, and the number of the chunk.
const CHUNKS: i64 = 1 << 16;

/// The key of an item's chunk.
#[must_use]
pub fn chunk_key(item: i64, chunk: i64) -> i64 {
    item * CHUNKS + chunk
}

/// The methods of SQLite.
mod sqlite {
    use super::exports::exports;
    use super::listing::listings;
    use super::read::{escaped, item_columns, reads, set_columns, usd};
    use super::review::reviews;
    use super::statements::batches;
    use super::statements::question::{list, values};
    use super::write::writes;
    use super::*;
    use crate::market::{Money, Rate};
    use sqlx::{AssertSqlSafe, Row};
    use std::fmt::Write;

    reads!(Sqlite, sqlx::sqlite::SqliteRow);
    listings!(Sqlite);
    exports!(Sqlite, sqlx::sqlite::SqliteRow);
    reviews!(Sqlite, sqlx::sqlite::SqliteRow);
    writes!(SqliteLoader, Sqlite, sqlx::Sqlite);
}

/// The methods of PostgreSQL.
mod postgres {
    use super::exports::exports;
    use super::listing::listings;
    use super::read::{escaped, item_columns, reads, set_columns, usd};
    use super::review::reviews;
    use super::statements::batches;
    use super::statements::dollar::{list, values};
    use super::write::writes;
    use super::*;
    use crate::market::{Money, Rate};
    use sqlx::{AssertSqlSafe, Row};
    use std::fmt::Write;

    reads!(Postgres, sqlx::postgres::PgRow);
    listings!(Postgres);
    exports!(Postgres, sqlx::postgres::PgRow);
    reviews!(Postgres, sqlx::postgres::PgRow);
    writes!(PostgresLoader, Postgres, sqlx::Postgres);
}

impl Store {
    /// What is known of the whole market under a name: `catalogue`, `synthetic`.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn fact(&self, name: &str) -> Result<Option<String>, StoreError> {
        ask!(self, store => store.fact(name))
    }

    /// All sets, of one tree or both, in the catalogue's order.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn sets(&self, language: Option<Language>) -> Result<Vec<SetRecord>, StoreError> {
        ask!(self, store => store.sets(language))
    }

    /// The set that has this id, of either tree.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn set(&self, id: &str) -> Result<Option<SetRecord>, StoreError> {
        ask!(self, store => store.set(id))
    }

    /// The cards with these ids (`base1-4`) and their printings, in the catalogue's order; those that are not there are left out.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn cards_with_ids(&self, ids: &[&str]) -> Result<Vec<CardWithPrintings>, StoreError> {
        ask!(self, store => store.cards_with_ids(ids))
    }

    /// The cards of which one of these is a printing (`base1-4:unlimited-holofoil`), with all their printings, each card once.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn cards_with_marketplace_ids(
        &self,
        ids: &[&str],
    ) -> Result<Vec<CardWithPrintings>, StoreError> {
        ask!(self, store => store.cards_with_marketplace_ids(ids))
    }

    /// The cards of a query, in its order.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn cards(&self, query: &CardQuery) -> Result<Vec<CardWithPrintings>, StoreError> {
        ask!(self, store => store.cards(query))
    }

    /// How many cards a query has, whatever its limit.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn count_cards(&self, query: &CardQuery) -> Result<i64, StoreError> {
        ask!(self, store => store.count_cards(query))
    }

    /// The snapshots of items from a day to a day, both included: a list for each item, in their order, days rising.
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
        let mut chunks: Vec<(i64, Vec<u8>)> = ask!(self, store => store.chunks(&keys))?;
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

    /// Sales of graded cards from a day to a day, both included, by item, grade and day. Those in other currencies count by the
    /// rate of their day, or the last before it that still holds; those without a rate are left out.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn graded_sales(
        &self,
        items: &[i64],
        from: i64,
        to: i64,
    ) -> Result<Vec<GradedSale>, StoreError> {
        ask!(self, store => store.graded_sales(items, from, to))
    }

    /// Prices of items by source and condition, items rising.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn quotes(&self, items: &[i64]) -> Result<Vec<Quote>, StoreError> {
        let mut quotes = ask!(self, store => store.quotes(items))?;
        quotes.sort_by_key(|quote| quote.item);
        Ok(quotes)
    }

    /// The populations of these items, in no order; those without data are left out.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn populations_of(
        &self,
        marketplace_ids: &[&str],
    ) -> Result<Vec<PopulationRecord>, StoreError> {
        ask!(self, store => store.populations_of(marketplace_ids))
    }

    /// How many populations a query has, and those of its page, in the catalogue's order.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn populations(
        &self,
        query: &PopulationQuery,
    ) -> Result<(i64, Vec<PopulationRecord>), StoreError> {
        ask!(self, store => store.populations(query))
    }

    /// How many sealed products a query has, and those of its page.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn sealed(
        &self,
        query: &SealedQuery,
    ) -> Result<(i64, Vec<SealedRecord>), StoreError> {
        ask!(self, store => store.sealed(query))
    }

    /// How many cards the older version lists, and the ids of those of its page, in the catalogue's order.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn named_cards(&self, asked: &NamedCards) -> Result<(i64, Vec<String>), StoreError> {
        ask!(self, store => store.named_cards(asked))
    }

    /// Sales without a grade of items, in USD as [`Store::graded_sales`] has them: item, day and price, the newest first.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn plain_sales(
        &self,
        items: &[i64],
        from: i64,
        to: i64,
    ) -> Result<Vec<(i64, i64, i64)>, StoreError> {
        ask!(self, store => store.plain_sales(items, from, to))
    }

    /// How many listings have this status, and those with a number above `after`, oldest first.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn reviews(
        &self,
        status: ReviewStatus,
        after: i64,
        limit: i64,
    ) -> Result<(i64, Vec<ReviewRow>), StoreError> {
        ask!(self, store => store.reviews(status, after, limit))
    }

    /// The listing under review with this number.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn review(&self, id: i64) -> Result<Option<ReviewRow>, StoreError> {
        ask!(self, store => store.review(id))
    }

    /// Decides about a listing under review: what is accepted becomes a sale, in the same transaction.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn decide(
        &self,
        id: i64,
        verdict: &Verdict,
        now: Moment,
    ) -> Result<Decided, StoreError> {
        ask!(self, store => store.decide(id, verdict, now.millis()))
    }

    /// The number of the last item.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn last_item(&self) -> Result<i64, StoreError> {
        ask!(self, store => store.last_item())
    }

    /// The printings with numbers above `after` and up to `to`, each with its card.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn cards_between(
        &self,
        after: i64,
        to: i64,
    ) -> Result<Vec<CardWithPrintings>, StoreError> {
        ask!(self, store => store.cards_between(after, to))
    }

    /// The sealed products with numbers above `after` and up to `to`.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn sealed_between(
        &self,
        after: i64,
        to: i64,
    ) -> Result<Vec<SealedRecord>, StoreError> {
        ask!(self, store => store.sealed_between(after, to))
    }

    /// The graded sales, as [`Store::graded_sales`] has them, of items with numbers above `after` and up to `to`, from a day to a day, by item, grade and day.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn graded_between(
        &self,
        after: i64,
        to: i64,
        from_day: i64,
        to_day: i64,
    ) -> Result<Vec<(String, GradedSale)>, StoreError> {
        ask!(self, store => store.graded_between(after, to, from_day, to_day))
    }

    /// The populations of items with numbers above `after` and up to `to`.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn populations_between(
        &self,
        after: i64,
        to: i64,
    ) -> Result<Vec<PopulationRecord>, StoreError> {
        ask!(self, store => store.populations_between(after, to))
    }

    /// The file of a dataset that stands.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn export(&self, dataset: &str) -> Result<Option<ExportRow>, StoreError> {
        ask!(self, store => store.export(dataset))
    }

    /// Puts a file in the place of the one before it.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn put_export(&self, export: &ExportRow) -> Result<(), StoreError> {
        ask!(self, store => store.put_export(export))
    }

    /// Claims the export of a day: `false` where another process has it or it is made. A claim from before `lost_before` that was not
    /// finished is taken for that of a process that died.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn claim_export(
        &self,
        day: i64,
        now: Moment,
        lost_before: Moment,
    ) -> Result<bool, StoreError> {
        ask!(self, store => store.claim_export(day, now.millis(), lost_before.millis()))
    }

    /// The export of the day is made.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn finish_export(&self, day: i64) -> Result<(), StoreError> {
        ask!(self, store => store.finish_export(day))
    }

    /// The export of the day could not be made: another process, or this one later, may claim it.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn release_export(&self, day: i64) -> Result<(), StoreError> {
        ask!(self, store => store.release_export(day))
    }

    /// Whether the export of the day is made.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn export_is_made(&self, day: i64) -> Result<bool, StoreError> {
        ask!(self, store => store.export_is_made(day))
    }

    /// Where there was no export yet, the first is the one after this day's.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn begin_exports(&self, day: i64) -> Result<(), StoreError> {
        ask!(self, store => store.begin_exports(day))
    }

    /// Counts a download of an account on a day, at most so many; the count with it, none where it is not allowed.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn take_download(
        &self,
        account: i64,
        day: i64,
        most: i64,
    ) -> Result<Option<i64>, StoreError> {
        ask!(self, store => store.take_download(account, day, most))
    }

    /// What is known under a name; `value` where nothing was.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn fact_or(&self, name: &str, value: &str) -> Result<String, StoreError> {
        ask!(self, store => store.fact_or(name, value))
    }

    /// Begins to load: one transaction, which waits for others that load.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn load(&self) -> Result<Loader, StoreError> {
        let begun = match &self.database {
            Database::Sqlite(store) => sqlite::SqliteLoader::begin(store)
                .await
                .map(Transaction::Sqlite),
            Database::Postgres(store) => postgres::PostgresLoader::begin(store)
                .await
                .map(Transaction::Postgres),
        };
        if begun.is_err() {
            self.errors.fetch_add(1, Ordering::Relaxed);
        }
        begun.map(|transaction| Loader { transaction })
    }
}

/// A transaction that loads: kept by [`Loader::commit`], undone where it is dropped.
#[derive(Debug)]
pub struct Loader {
    transaction: Transaction,
}

#[derive(Debug)]
enum Transaction {
    Sqlite(sqlite::SqliteLoader),
    Postgres(postgres::PostgresLoader),
}

/// Methods of a [`Loader`] that are those of whichever transaction it is.
macro_rules! passed_on {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        impl Loader {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// Where the database fails.
                pub async fn $name(&mut self, $($argument: $kind),*) -> Result<$answer, StoreError> {
                    match &mut self.transaction {
                        Transaction::Sqlite(loader) => loader.$name($($argument),*).await,
                        Transaction::Postgres(loader) => loader.$name($($argument),*).await,
                    }
                }
            )*
        }
    };
}

passed_on! {
    /// What is known of the whole market under a name.
    fact(name: &str) -> Option<String>;
    /// States something of the whole market.
    set_fact(name: &str, value: &str) -> ();
    /// All sets that are there.
    known_sets() -> Vec<KnownSet>;
    /// All cards that are there.
    known_cards() -> Vec<KnownCard>;
    /// All items that are there.
    known_items() -> Vec<KnownItem>;
    /// Adds sets, or alters those with their ids; what a new row leaves out stays, and so do key and slug.
    put_sets(sets: &[SetRecord]) -> ();
    /// Adds cards, or alters those with their ids.
    put_cards(cards: &[CardRecord]) -> ();
    /// Adds items, or alters those with their ids; prices stay.
    put_items(items: &[NewItem]) -> ();
    /// Adds what is known of sealed products, or alters it.
    put_sealed(sealed: &[NewSealed]) -> ();
    /// Sets the headline prices of items where these are not older.
    put_headlines(prices: &[Headline]) -> ();
    /// Sets the prices in EUR of items where these are not older.
    put_eur(prices: &[Headline]) -> ();
    /// Sets item, first and last day of histories.
    put_spans(spans: &[(i64, i64, i64)]) -> ();
    /// Sets prices by source and condition where these are not older.
    put_quotes(quotes: &[Quote]) -> ();
    /// The chunks with these keys.
    chunks(keys: &[i64]) -> Vec<(i64, Vec<u8>)>;
    /// Adds chunks, or puts them in place of those with their keys.
    put_chunks(chunks: &[(i64, Vec<u8>)]) -> ();
    /// The counts of items' populations, as JSON.
    population_of(items: &[i64]) -> Vec<(i64, String)>;
    /// Adds populations, or puts them in place of those of their items.
    put_populations(populations: &[PopulationRecord]) -> ();
    /// Adds sales; those whose fingerprint is there already are left out. Tells how many were added.
    put_sales(sales: &[NewSale]) -> u64;
    /// Those of these fingerprints that a sale or a listing under review has.
    known_fingerprints(fingerprints: &[&[u8]]) -> Vec<Vec<u8>>;
    /// Adds rates, or puts them in place of those of their currency and day.
    put_rates(rates: &[RateRow]) -> ();
    /// Adds listings that a person must look at.
    put_reviews(reviews: &[NewReview]) -> ();
}

impl Loader {
    /// Keeps what was loaded.
    ///
    /// # Errors
    /// Where the database fails: nothing is kept.
    pub async fn commit(self) -> Result<(), StoreError> {
        match self.transaction {
            Transaction::Sqlite(loader) => loader.commit().await,
            Transaction::Postgres(loader) => loader.commit().await,
        }
    }

    /// Undoes what was loaded.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn rollback(self) -> Result<(), StoreError> {
        match self.transaction {
            Transaction::Sqlite(loader) => loader.rollback().await,
            Transaction::Postgres(loader) => loader.rollback().await,
        }
    }
}
