//! What loads the market, written once for both databases.

/// The type of a transaction of a database, and what it does.
macro_rules! writes {
    ($loader:ident, $database:ident, $kind:ty) => {
        /// One transaction that loads.
        #[derive(Debug)]
        pub(super) struct $loader {
            transaction: sqlx::Transaction<'static, $kind>,
        }

        /// Runs `head`, the rows and `tail`, in as many statements as it takes; tells how many rows were changed.
        macro_rules! many {
            ($self:ident, $rows:expr, $columns:literal, $head:expr, $tail:expr, |$query:ident, $row:ident| $bind:expr) => {{
                let mut changed = 0;
                for rows in batches($rows, $columns) {
                    let statement = format!("{}{}{}", $head, values(rows.len(), $columns), $tail);
                    let mut $query = sqlx::query(AssertSqlSafe(statement));
                    for $row in rows {
                        $query = $bind;
                    }
                    changed += $query.execute(&mut *$self.transaction).await?.rows_affected();
                }
                changed
            }};
        }

        impl $loader {
            pub(super) async fn begin(database: &$database) -> Result<Self, StoreError> {
                let mut transaction = database.write.begin().await?;
                // one after another
                sqlx::query("UPDATE facts SET value = value WHERE name = 'lock'").execute(&mut *transaction).await?;
                Ok(Self { transaction })
            }

            pub(super) async fn commit(self) -> Result<(), StoreError> {
                Ok(self.transaction.commit().await?)
            }

            pub(super) async fn rollback(self) -> Result<(), StoreError> {
                Ok(self.transaction.rollback().await?)
            }

            pub(super) async fn fact(&mut self, name: &str) -> Result<Option<String>, StoreError> {
                let row: Option<(String,)> =
                    sqlx::query_as("SELECT value FROM facts WHERE name = $1").bind(name).fetch_optional(&mut *self.transaction).await?;
                Ok(row.map(|(value,)| value))
            }

            pub(super) async fn set_fact(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
                sqlx::query("INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
                    .bind(name)
                    .bind(value)
                    .execute(&mut *self.transaction)
                    .await?;
                Ok(())
            }

            pub(super) async fn known_sets(&mut self) -> Result<Vec<KnownSet>, StoreError> {
                let rows: Vec<(i64, String, i64, String, String)> =
                    sqlx::query_as("SELECT key, id, language, slug, name FROM sets ORDER BY key").fetch_all(&mut *self.transaction).await?;
                let set = |(key, id, language, slug, name)| KnownSet { key, id, language: Language::of_number(language), slug, name };
                Ok(rows.into_iter().map(set).collect())
            }

            pub(super) async fn known_cards(&mut self) -> Result<Vec<KnownCard>, StoreError> {
                let rows: Vec<(i64, String, i64, i64)> =
                    sqlx::query_as("SELECT key, id, set_key, place FROM cards ORDER BY key").fetch_all(&mut *self.transaction).await?;
                Ok(rows.into_iter().map(|(key, id, set_key, place)| KnownCard { key, id, set_key, place }).collect())
            }

            pub(super) async fn known_items(&mut self) -> Result<Vec<KnownItem>, StoreError> {
                type Row = (i64, String, i64, Option<i64>, i64, Option<i64>, Option<i64>);
                let rows: Vec<Row> =
                    sqlx::query_as("SELECT key, marketplace_id, language, card, place, first_day, last_day FROM items ORDER BY key")
                        .fetch_all(&mut *self.transaction)
                        .await?;
                let item = |(key, marketplace_id, language, card, place, first_day, last_day): Row| KnownItem {
                    key,
                    marketplace_id,
                    language: Language::of_number(language),
                    card,
                    place,
                    first_day,
                    last_day,
                };
                Ok(rows.into_iter().map(item).collect())
            }

            pub(super) async fn put_sets(&mut self, sets: &[SetRecord]) -> Result<(), StoreError> {
                many!(
                    self,
                    sets,
                    13,
                    "INSERT INTO sets (key, id, language, slug, name, printed_name, code, series, released, printed_total, total, legality, \
                     images) VALUES ",
                    " ON CONFLICT (id) DO UPDATE SET name = excluded.name, printed_name = COALESCE(excluded.printed_name, sets.printed_name), \
                     code = COALESCE(excluded.code, sets.code), series = COALESCE(excluded.series, sets.series), \
                     released = COALESCE(excluded.released, sets.released), \
                     printed_total = COALESCE(excluded.printed_total, sets.printed_total), total = COALESCE(excluded.total, sets.total), \
                     legality = COALESCE(excluded.legality, sets.legality), images = COALESCE(excluded.images, sets.images)",
                    |query, set| query
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
                );
                Ok(())
            }

            pub(super) async fn put_cards(&mut self, cards: &[CardRecord]) -> Result<(), StoreError> {
                many!(
                    self,
                    cards,
                    9,
                    "INSERT INTO cards (key, id, set_key, place, language, name, printed_name, number, rarity) VALUES ",
                    " ON CONFLICT (id) DO UPDATE SET set_key = excluded.set_key, place = excluded.place, language = excluded.language, \
                     name = excluded.name, printed_name = COALESCE(excluded.printed_name, cards.printed_name), \
                     number = COALESCE(excluded.number, cards.number), rarity = COALESCE(excluded.rarity, cards.rarity)",
                    |query, card| query
                        .bind(card.key)
                        .bind(card.id.as_str())
                        .bind(card.set_key)
                        .bind(card.place)
                        .bind(card.language.number())
                        .bind(card.name.as_str())
                        .bind(card.printed_name.as_deref())
                        .bind(card.number.as_deref())
                        .bind(card.rarity.as_deref())
                );
                Ok(())
            }

            pub(super) async fn put_items(&mut self, items: &[NewItem]) -> Result<(), StoreError> {
                many!(
                    self,
                    items,
                    6,
                    "INSERT INTO items (key, marketplace_id, language, card, place, label) VALUES ",
                    " ON CONFLICT (marketplace_id) DO UPDATE SET language = excluded.language, card = excluded.card, place = excluded.place, \
                     label = excluded.label",
                    |query, item| query
                        .bind(item.key)
                        .bind(item.marketplace_id.as_str())
                        .bind(item.language.number())
                        .bind(item.card)
                        .bind(item.place)
                        .bind(item.label.as_str())
                );
                Ok(())
            }

            pub(super) async fn put_sealed(&mut self, sealed: &[NewSealed]) -> Result<(), StoreError> {
                many!(
                    self,
                    sealed,
                    6,
                    "INSERT INTO sealed (item, name, set_key, set_name, product_type, language) VALUES ",
                    " ON CONFLICT (item) DO UPDATE SET name = excluded.name, set_key = excluded.set_key, set_name = excluded.set_name, \
                     product_type = excluded.product_type, language = excluded.language",
                    |query, sealed| query
                        .bind(sealed.item)
                        .bind(sealed.name.as_str())
                        .bind(sealed.set_key)
                        .bind(sealed.set_name.as_str())
                        .bind(sealed.product_type.as_str())
                        .bind(sealed.language.number())
                );
                Ok(())
            }

            pub(super) async fn put_headlines(&mut self, prices: &[Headline]) -> Result<(), StoreError> {
                many!(
                    self,
                    prices,
                    6,
                    "UPDATE items SET market = v.column2, low = v.column3, sellers = v.column4, updated = v.column5, source = v.column6 \
                     FROM (VALUES ",
                    ") v WHERE items.key = v.column1 AND (items.updated IS NULL OR items.updated <= v.column5)",
                    |query, price| query
                        .bind(price.item)
                        .bind(price.market.map(|money| money.0))
                        .bind(price.low.map(|money| money.0))
                        .bind(price.sellers)
                        .bind(price.updated)
                        .bind(price.source.as_deref())
                );
                Ok(())
            }

            pub(super) async fn put_eur(&mut self, prices: &[Headline]) -> Result<(), StoreError> {
                many!(
                    self,
                    prices,
                    4,
                    "UPDATE items SET eur_market = v.column2, eur_low = v.column3, eur_updated = v.column4 FROM (VALUES ",
                    ") v WHERE items.key = v.column1 AND (items.eur_updated IS NULL OR items.eur_updated <= v.column4)",
                    |query, price| query
                        .bind(price.item)
                        .bind(price.market.map(|money| money.0))
                        .bind(price.low.map(|money| money.0))
                        .bind(price.updated)
                );
                Ok(())
            }

            pub(super) async fn put_spans(&mut self, spans: &[(i64, i64, i64)]) -> Result<(), StoreError> {
                many!(
                    self,
                    spans,
                    3,
                    "UPDATE items SET first_day = v.column2, last_day = v.column3 FROM (VALUES ",
                    ") v WHERE items.key = v.column1",
                    |query, span| query.bind(span.0).bind(span.1).bind(span.2)
                );
                Ok(())
            }

            pub(super) async fn put_quotes(&mut self, quotes: &[Quote]) -> Result<(), StoreError> {
                many!(
                    self,
                    quotes,
                    8,
                    "INSERT INTO quotes (item, source, condition, currency, market, low, sellers, day) VALUES ",
                    " ON CONFLICT (item, source, condition, currency) DO UPDATE SET market = excluded.market, low = excluded.low, \
                     sellers = excluded.sellers, day = excluded.day WHERE quotes.day <= excluded.day",
                    |query, quote| query
                        .bind(quote.item)
                        .bind(quote.source.as_str())
                        .bind(quote.condition.as_str())
                        .bind(quote.currency.as_str())
                        .bind(quote.market.map(|money| money.0))
                        .bind(quote.low.map(|money| money.0))
                        .bind(quote.sellers)
                        .bind(quote.day)
                );
                Ok(())
            }

            pub(super) async fn chunks(&mut self, keys: &[i64]) -> Result<Vec<(i64, Vec<u8>)>, StoreError> {
                let mut found = Vec::new();
                for keys in batches(keys, 1) {
                    let statement = format!("SELECT key, data FROM price_history WHERE key IN ({})", list(keys.len(), 1));
                    let mut query = sqlx::query_as(AssertSqlSafe(statement));
                    for key in keys {
                        query = query.bind(*key);
                    }
                    found.extend(query.fetch_all(&mut *self.transaction).await?);
                }
                Ok(found)
            }

            pub(super) async fn put_chunks(&mut self, chunks: &[(i64, Vec<u8>)]) -> Result<(), StoreError> {
                many!(
                    self,
                    chunks,
                    2,
                    "INSERT INTO price_history (key, data) VALUES ",
                    " ON CONFLICT (key) DO UPDATE SET data = excluded.data",
                    |query, chunk| query.bind(chunk.0).bind(chunk.1.as_slice())
                );
                Ok(())
            }

            pub(super) async fn population_of(&mut self, items: &[i64]) -> Result<Vec<(i64, String)>, StoreError> {
                let mut found = Vec::new();
                for items in batches(items, 1) {
                    let statement = format!("SELECT item, counts FROM population WHERE item IN ({})", list(items.len(), 1));
                    let mut query = sqlx::query_as(AssertSqlSafe(statement));
                    for item in items {
                        query = query.bind(*item);
                    }
                    found.extend(query.fetch_all(&mut *self.transaction).await?);
                }
                Ok(found)
            }

            pub(super) async fn put_populations(&mut self, populations: &[PopulationRecord]) -> Result<(), StoreError> {
                many!(
                    self,
                    populations,
                    10,
                    "INSERT INTO population (item, language, total, gems, graders, confidence, score, fetched, updated, counts) VALUES ",
                    " ON CONFLICT (item) DO UPDATE SET language = excluded.language, total = excluded.total, gems = excluded.gems, \
                     graders = excluded.graders, confidence = excluded.confidence, score = excluded.score, fetched = excluded.fetched, \
                     updated = excluded.updated, counts = excluded.counts",
                    |query, population| query
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
                );
                Ok(())
            }

            pub(super) async fn put_sales(&mut self, sales: &[NewSale]) -> Result<u64, StoreError> {
                Ok(many!(
                    self,
                    sales,
                    9,
                    "INSERT INTO sales (fingerprint, item, grade, day, price, currency, confidence, title, url) VALUES ",
                    " ON CONFLICT (fingerprint) DO NOTHING",
                    |query, sale| query
                        .bind(sale.fingerprint.as_slice())
                        .bind(sale.item)
                        .bind(sale.grade.as_str())
                        .bind(sale.day)
                        .bind(sale.price.0)
                        .bind(sale.currency.as_str())
                        .bind(sale.confidence)
                        .bind(sale.title.as_str())
                        .bind(sale.url.as_deref())
                ))
            }

            pub(super) async fn known_fingerprints(&mut self, fingerprints: &[&[u8]]) -> Result<Vec<Vec<u8>>, StoreError> {
                let mut found = Vec::new();
                for fingerprints in batches(fingerprints, 1) {
                    let count = fingerprints.len();
                    let statement = format!(
                        "SELECT fingerprint FROM sales WHERE fingerprint IN ({}) \
                         UNION SELECT fingerprint FROM review WHERE fingerprint IN ({})",
                        list(count, 1),
                        list(count, count + 1)
                    );
                    let mut query = sqlx::query_as(AssertSqlSafe(statement));
                    for fingerprint in fingerprints.iter().chain(fingerprints.iter()) {
                        query = query.bind(*fingerprint);
                    }
                    let rows: Vec<(Vec<u8>,)> = query.fetch_all(&mut *self.transaction).await?;
                    found.extend(rows.into_iter().map(|(fingerprint,)| fingerprint));
                }
                Ok(found)
            }

            pub(super) async fn put_rates(&mut self, rates: &[RateRow]) -> Result<(), StoreError> {
                many!(
                    self,
                    rates,
                    3,
                    "INSERT INTO rates (currency, day, usd) VALUES ",
                    " ON CONFLICT (currency, day) DO UPDATE SET usd = excluded.usd",
                    |query, rate| query.bind(rate.currency.as_str()).bind(rate.day).bind(rate.usd.0)
                );
                Ok(())
            }

            pub(super) async fn put_reviews(&mut self, reviews: &[NewReview]) -> Result<(), StoreError> {
                many!(
                    self,
                    reviews,
                    13,
                    "INSERT INTO review (fingerprint, title, price, currency, day, url, reason, item, grade, confidence, candidates, status, \
                     made) VALUES ",
                    " ON CONFLICT (fingerprint) DO NOTHING",
                    |query, review| query
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
                );
                Ok(())
            }
        }
    };
}

pub(super) use writes;
