//! What a [`Loader`] writes, many rows in a statement.

use super::card_query::number_order;
use super::load::Loader;
use super::records::{
    CardKind, CardRecord, ItemRecord, Language, PopulationRecord, Quote, SealedRecord, SetRecord,
};
use super::review::{NewReview, ReviewStatus};
use super::tracked;
use crate::market::{Money, Rate};
use crate::store::StoreError;
use crate::store::bulk::{batches, rows_of_places};
use crate::store::sql::Query;

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

/// The statement for items without their prices and days.
const ITEMS: [&str; 2] = [
    "INSERT INTO items (key, marketplace_id, language, card, place, label, tcgplayer, cardmarket) \
     VALUES",
    "ON CONFLICT (marketplace_id) DO UPDATE SET language = excluded.language, \
     card = excluded.card, place = excluded.place, label = excluded.label, \
     tcgplayer = COALESCE(excluded.tcgplayer, items.tcgplayer), \
     cardmarket = COALESCE(excluded.cardmarket, items.cardmarket)",
];

/// Gives a row of [`ITEMS`] its values.
fn item_values<'c>(query: Query<'c>, item: &ItemRecord) -> Query<'c> {
    query
        .bind(item.key)
        .bind(item.marketplace_id.as_str())
        .bind(item.language.number())
        .bind(item.card)
        .bind(item.place)
        .bind(item.label.as_str())
        .bind(item.ids.tcgplayer.map(i64::from))
        .bind(item.ids.cardmarket.map(i64::from))
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

    /// Adds sets, or alters those with their ids; what a new row leaves out stays, and so do key
    /// and slug.
    pub async fn put_sets(&mut self, sets: &[SetRecord]) -> Result<(), StoreError> {
        self.note(&tracked::SETS, sets, |query, set| query.bind(set.key))
            .await?;
        self.put(
            sets,
            13,
            [
                "INSERT INTO sets (key, id, language, slug, name, printed_name, code, series, \
                 released, printed_total, total, legality, images) VALUES",
                "ON CONFLICT (id) DO UPDATE SET name = excluded.name, \
                 printed_name = COALESCE(excluded.printed_name, sets.printed_name), \
                 code = COALESCE(excluded.code, sets.code), series = COALESCE(excluded.series, \
                 sets.series), released = COALESCE(excluded.released, sets.released), \
                 printed_total = COALESCE(excluded.printed_total, sets.printed_total), \
                 total = COALESCE(excluded.total, sets.total), \
                 legality = COALESCE(excluded.legality, sets.legality), \
                 images = COALESCE(excluded.images, sets.images)",
            ],
            |query, set| {
                query
                    .bind(set.key)
                    .bind(set.id.as_str())
                    .bind(set.language.number())
                    .bind(set.slug.as_str())
                    .bind(set.name.as_str())
                    .bind(set.printed_name.as_deref())
                    .bind(set.code.as_deref())
                    .bind(set.series.as_deref())
                    .bind(set.released.as_deref())
                    .bind(set.printed_total)
                    .bind(set.total)
                    .bind(set.legality.as_deref())
                    .bind(set.images.as_deref())
            },
        )
        .await?;
        Ok(())
    }

    /// Gives sets, by key, their language and slug.
    pub async fn move_sets(&mut self, moved: &[(i64, Language, String)]) -> Result<(), StoreError> {
        self.put(
            moved,
            3,
            [
                "UPDATE sets SET language = v.column2, slug = v.column3 FROM (VALUES",
                ") v WHERE sets.key = v.column1",
            ],
            |query, (key, language, slug)| {
                query.bind(*key).bind(language.number()).bind(slug.as_str())
            },
        )
        .await?;
        Ok(())
    }

    /// Gives cards the form of their numbers that is sorted, where they have none yet.
    pub async fn order_numbers(&mut self) -> Result<(), StoreError> {
        let numbers: Vec<(i64, String)> = self
            .transaction
            .query(
                "SELECT key, number FROM cards WHERE number IS NOT NULL AND number_order IS NULL",
            )
            .all(|row| Ok((row.get("key")?, row.get("number")?)))
            .await?;
        self.put(
            &numbers,
            2,
            [
                "UPDATE cards SET number_order = v.column2 FROM (VALUES",
                ") v WHERE cards.key = v.column1",
            ],
            |query, (key, number)| query.bind(*key).bind(number_order(number)),
        )
        .await?;
        Ok(())
    }

    /// Gives populations the language of their items.
    pub async fn move_populations(&mut self) -> Result<(), StoreError> {
        self.transaction
            .query(
                "UPDATE population SET language = i.language FROM items i \
                 WHERE i.key = population.item AND population.language <> i.language",
            )
            .execute()
            .await?;
        Ok(())
    }

    /// Adds cards, or alters those with their ids.
    pub async fn put_cards(&mut self, cards: &[CardRecord]) -> Result<(), StoreError> {
        self.note(&tracked::CARDS, cards, |query, card| query.bind(card.key))
            .await?;
        self.put(
            cards,
            11,
            [
                "INSERT INTO cards (key, id, set_key, place, language, name, printed_name, \
                 number, rarity, kind, number_order) VALUES",
                "ON CONFLICT (id) DO UPDATE SET set_key = excluded.set_key, \
                 place = excluded.place, language = excluded.language, name = excluded.name, \
                 printed_name = COALESCE(excluded.printed_name, cards.printed_name), \
                 number = COALESCE(excluded.number, cards.number), \
                 rarity = COALESCE(excluded.rarity, cards.rarity), \
                 kind = COALESCE(excluded.kind, cards.kind), \
                 number_order = COALESCE(excluded.number_order, cards.number_order)",
            ],
            |query, card| {
                query
                    .bind(card.key)
                    .bind(card.id.as_str())
                    .bind(card.set_key)
                    .bind(card.place)
                    .bind(card.language.number())
                    .bind(card.name.as_str())
                    .bind(card.printed_name.as_deref())
                    .bind(card.number.as_deref())
                    .bind(card.rarity.as_deref())
                    .bind(card.kind.map(CardKind::name))
                    .bind(card.number.as_deref().map(number_order))
            },
        )
        .await?;
        Ok(())
    }

    /// Adds items, or alters those with their ids; prices and days are not written, and stay.
    pub async fn put_items(&mut self, items: &[ItemRecord]) -> Result<(), StoreError> {
        self.note(&tracked::ITEMS, items, |query, item| query.bind(item.key))
            .await?;
        self.put(items, 8, ITEMS, item_values).await?;
        Ok(())
    }

    /// Adds sealed products and their items, or alters those with their ids; prices and days are
    /// not written, and stay.
    pub async fn put_sealed(&mut self, sealed: &[SealedRecord]) -> Result<(), StoreError> {
        self.note(&tracked::ITEMS, sealed, |query, sealed| {
            query.bind(sealed.item.key)
        })
        .await?;
        self.note(&tracked::SEALED, sealed, |query, sealed| {
            query.bind(sealed.item.key)
        })
        .await?;
        self.put(sealed, 8, ITEMS, |query, sealed| {
            item_values(query, &sealed.item)
        })
        .await?;
        self.put(
            sealed,
            6,
            [
                "INSERT INTO sealed (item, name, set_key, set_name, product_type, language) \
                 VALUES",
                "ON CONFLICT (item) DO UPDATE SET name = excluded.name, \
                 set_key = excluded.set_key, set_name = excluded.set_name, \
                 product_type = excluded.product_type, language = excluded.language",
            ],
            |query, sealed| {
                query
                    .bind(sealed.item.key)
                    .bind(sealed.name.as_str())
                    .bind(sealed.set_key)
                    .bind(sealed.set_name.as_str())
                    .bind(sealed.product_type.as_str())
                    .bind(sealed.item.language.number())
            },
        )
        .await?;
        Ok(())
    }

    /// Sets the headline prices of items where these are not older.
    pub async fn put_headlines(&mut self, prices: &[Headline]) -> Result<(), StoreError> {
        self.note(&tracked::ITEMS, prices, |query, price| {
            query.bind(price.item)
        })
        .await?;
        self.put(
            prices,
            8,
            [
                "UPDATE items SET market = v.column2, low = v.column3, sellers = v.column4, \
                 updated = v.column5, source = v.column6, headline_condition = v.column7 \
                 FROM (VALUES",
                ") v WHERE items.key = v.column1 AND (items.updated IS NULL \
                 OR items.updated <= v.column5 OR v.column8 = 1)",
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
            15,
            [
                "INSERT INTO review (fingerprint, title, price, currency, day, url, reason, \
                 item, grade, confidence, candidates, status, made, number, alike) VALUES",
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
            },
        )
        .await?;
        let fingerprints: Vec<&[u8]> = reviews.iter().map(|row| &*row.fingerprint).collect();
        self.note_added(&tracked::REVIEW, &fingerprints).await?;
        Ok(())
    }
}
