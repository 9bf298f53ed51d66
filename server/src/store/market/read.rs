//! What is asked of the market, written once for both databases.

/// The columns of an item, in the order in which they are taken.
macro_rules! item_columns {
    () => {
        "i.key, i.marketplace_id, i.language, i.card, i.place, i.label, i.market, i.low, i.sellers, i.updated, i.source, \
         i.eur_market, i.eur_low, i.eur_updated, i.first_day, i.last_day"
    };
}

/// The columns of a set, in the order in which they are taken.
macro_rules! set_columns {
    () => {
        "key, id, language, slug, name, printed_name, code, series, released, printed_total, total, legality, images"
    };
}

/// What a unit of the currency of the sale `s` was worth on its day: a dollar's worth, the rate of the day, or the last before it that holds;
/// nothing where none is known.
macro_rules! usd {
    () => {
        "CASE WHEN s.currency = 'USD' THEN 10000000000 ELSE (SELECT r.usd FROM rates r WHERE r.currency = s.currency AND r.day <= s.day \
         AND r.day >= s.day - 7 ORDER BY r.day DESC LIMIT 1) END"
    };
}

/// The methods that read of a database that has the pool `read`.
macro_rules! reads {
    ($database:ident, $row:ty) => {
        /// Columns that are taken one after another.
        struct Columns<'r>(&'r $row, usize);

        impl<'r> Columns<'r> {
            fn next<T: sqlx::Decode<'r, <$row as sqlx::Row>::Database> + sqlx::Type<<$row as sqlx::Row>::Database>>(
                &mut self,
            ) -> Result<T, sqlx::Error> {
                self.1 += 1;
                self.0.try_get(self.1 - 1)
            }

            fn money(&mut self) -> Result<Option<Money>, sqlx::Error> {
                Ok(self.next::<Option<i64>>()?.map(Money))
            }

            fn item(&mut self) -> Result<ItemRecord, sqlx::Error> {
                Ok(ItemRecord {
                    key: self.next()?,
                    marketplace_id: self.next()?,
                    language: Language::of_number(self.next()?),
                    card: self.next()?,
                    place: self.next()?,
                    label: self.next()?,
                    market: self.money()?,
                    low: self.money()?,
                    sellers: self.next()?,
                    updated: self.next()?,
                    source: self.next()?,
                    eur_market: self.money()?,
                    eur_low: self.money()?,
                    eur_updated: self.next()?,
                    first_day: self.next()?,
                    last_day: self.next()?,
                })
            }

            fn set(&mut self) -> Result<SetRecord, sqlx::Error> {
                Ok(SetRecord {
                    key: self.next()?,
                    id: self.next()?,
                    language: Language::of_number(self.next()?),
                    slug: self.next()?,
                    name: self.next()?,
                    printed_name: self.next()?,
                    code: self.next()?,
                    series: self.next()?,
                    released: self.next()?,
                    printed_total: self.next()?,
                    total: self.next()?,
                    legality: self.next()?,
                    images: self.next()?,
                })
            }
        }

        /// Cards out of rows of a card, its set and one of its printings; a card's rows follow each other.
        fn cards(rows: &[$row]) -> Result<Vec<CardWithPrintings>, StoreError> {
            let mut cards: Vec<CardWithPrintings> = Vec::new();
            for row in rows {
                let mut columns = Columns(row, 0);
                let item = columns.item()?;
                if let Some(card) = cards.last_mut().filter(|card| Some(card.card.key) == item.card) {
                    card.printings.push(item);
                    continue;
                }
                let card = CardRecord {
                    key: columns.next()?,
                    id: columns.next()?,
                    set_key: columns.next()?,
                    place: columns.next()?,
                    language: Language::of_number(columns.next()?),
                    name: columns.next()?,
                    printed_name: columns.next()?,
                    number: columns.next()?,
                    rarity: columns.next()?,
                };
                let (set_id, set_name, set_slug) = (columns.next()?, columns.next()?, columns.next()?);
                cards.push(CardWithPrintings { card, set_id, set_name, set_slug, printings: vec![item] });
            }
            Ok(cards)
        }

        /// A card's own columns, and its set's; `picked` are the cards that are wanted.
        const CARDS_FROM: &str = concat!(
            "SELECT ",
            item_columns!(),
            ", c.key, c.id, c.set_key, c.place, c.language, c.name, c.printed_name, c.number, c.rarity, s.id, s.name, s.slug FROM "
        );

        impl $database {
            pub(in crate::store) async fn fact(&self, name: &str) -> Result<Option<String>, StoreError> {
                let row: Option<(String,)> =
                    sqlx::query_as("SELECT value FROM facts WHERE name = $1").bind(name).fetch_optional(&self.read).await?;
                Ok(row.map(|(value,)| value))
            }

            pub(in crate::store) async fn sets(&self, language: Option<Language>) -> Result<Vec<SetRecord>, StoreError> {
                let statement = concat!("SELECT ", set_columns!(), " FROM sets WHERE $1 < 0 OR language = $1 ORDER BY key");
                let rows = sqlx::query(statement).bind(language.map_or(-1, Language::number)).fetch_all(&self.read).await?;
                Ok(rows.iter().map(|row| Columns(row, 0).set()).collect::<Result<_, _>>()?)
            }

            pub(in crate::store) async fn set(&self, id: &str) -> Result<Option<SetRecord>, StoreError> {
                let statement = concat!("SELECT ", set_columns!(), " FROM sets WHERE id = $1");
                let row = sqlx::query(statement).bind(id).fetch_optional(&self.read).await?;
                Ok(row.map(|row| Columns(&row, 0).set()).transpose()?)
            }

            pub(in crate::store) async fn cards_with_ids(&self, ids: &[&str]) -> Result<Vec<CardWithPrintings>, StoreError> {
                self.cards_with("c.id", ids).await
            }

            pub(in crate::store) async fn cards_with_marketplace_ids(&self, ids: &[&str]) -> Result<Vec<CardWithPrintings>, StoreError> {
                self.cards_with("p.marketplace_id", ids).await
            }

            async fn cards_with(&self, column: &str, ids: &[&str]) -> Result<Vec<CardWithPrintings>, StoreError> {
                let mut found = Vec::with_capacity(ids.len());
                for ids in batches(ids, 1) {
                    let list = list(ids.len(), 1);
                    let picked = match column {
                        "c.id" => format!("cards c JOIN items i ON i.card = c.key JOIN sets s ON s.key = c.set_key WHERE c.id IN ({list})"),
                        _ => format!(
                            "(SELECT DISTINCT card FROM items WHERE marketplace_id IN ({list})) p JOIN cards c ON c.key = p.card \
                             JOIN items i ON i.card = c.key JOIN sets s ON s.key = c.set_key"
                        ),
                    };
                    let statement = format!("{CARDS_FROM}{picked} ORDER BY c.key, i.place");
                    let mut query = sqlx::query(AssertSqlSafe(statement));
                    for id in ids {
                        query = query.bind(*id);
                    }
                    found.extend(cards(&query.fetch_all(&self.read).await?)?);
                }
                Ok(found)
            }

            pub(in crate::store) async fn cards(&self, query: &CardQuery) -> Result<Vec<CardWithPrintings>, StoreError> {
                let (from, mut values) = query.from();
                values.extend([query.limit, query.offset]);
                let (limit, offset) = (values.len() - 1, values.len());
                // an index has each order; where a price bounds, no price is null
                let (order, outer) = match query.order {
                    CardOrder::Catalogue => ("c.set_key, c.place", "c.set_key, c.place, c.key"),
                    CardOrder::Cheapest => ("l.market ASC NULLS LAST, l.key", "(p.market IS NULL), p.market, p.lead"),
                    CardOrder::Dearest => ("l.market DESC NULLS LAST, l.key", "(p.market IS NULL), p.market DESC, p.lead"),
                };
                let columns = if query.order == CardOrder::Catalogue { "c.key" } else { "l.card AS key, l.market, l.key AS lead" };
                let statement = format!(
                    "{CARDS_FROM}(SELECT {columns} {from} ORDER BY {order} LIMIT ${limit} OFFSET ${offset}) p JOIN cards c ON c.key = p.key \
                     JOIN items i ON i.card = c.key JOIN sets s ON s.key = c.set_key ORDER BY {outer}, i.place"
                );
                let mut rows = sqlx::query(AssertSqlSafe(statement));
                for value in values {
                    rows = rows.bind(value);
                }
                cards(&rows.fetch_all(&self.read).await?)
            }

            pub(in crate::store) async fn count_cards(&self, query: &CardQuery) -> Result<i64, StoreError> {
                let (from, values) = query.from();
                let mut count = sqlx::query_as(AssertSqlSafe(format!("SELECT COUNT(*) {from}")));
                for value in values {
                    count = count.bind(value);
                }
                let (count,): (i64,) = count.fetch_one(&self.read).await?;
                Ok(count)
            }

            pub(in crate::store) async fn chunks(&self, keys: &[i64]) -> Result<Vec<(i64, Vec<u8>)>, StoreError> {
                let mut found = Vec::with_capacity(keys.len());
                for keys in batches(keys, 1) {
                    let statement = format!("SELECT key, data FROM price_history WHERE key IN ({}) ORDER BY key", list(keys.len(), 1));
                    let mut query = sqlx::query_as(AssertSqlSafe(statement));
                    for key in keys {
                        query = query.bind(*key);
                    }
                    found.extend(query.fetch_all(&self.read).await?);
                }
                Ok(found)
            }

            pub(in crate::store) async fn graded_sales(&self, items: &[i64], from: i64, to: i64) -> Result<Vec<GradedSale>, StoreError> {
                let mut found = Vec::new();
                for items in batches(items, 1) {
                    let statement = format!(
                        "SELECT s.item, s.grade, s.day, s.price, {} FROM sales s WHERE s.item IN ({}) AND s.grade <> '' \
                         AND s.day >= {} AND s.day <= {} ORDER BY s.item, s.grade, s.day, s.key",
                        usd!(),
                        list(items.len(), 1),
                        list(1, items.len() + 1),
                        list(1, items.len() + 2)
                    );
                    let mut query = sqlx::query_as(AssertSqlSafe(statement));
                    for item in items {
                        query = query.bind(*item);
                    }
                    query = query.bind(from).bind(to);
                    let rows: Vec<(i64, String, i64, i64, Option<i64>)> = query.fetch_all(&self.read).await?;
                    // a grade that this build does not know was written by a newer one
                    let sale = |(item, grade, day, price, usd): (i64, String, i64, i64, Option<i64>)| {
                        Some(GradedSale { item, key: grade.parse().ok()?, day, price: Rate(usd?).of(Money(price)) })
                    };
                    found.extend(rows.into_iter().filter_map(sale));
                }
                Ok(found)
            }

            pub(in crate::store) async fn quotes(&self, items: &[i64]) -> Result<Vec<Quote>, StoreError> {
                let mut found = Vec::new();
                for items in batches(items, 1) {
                    let statement = format!(
                        "SELECT item, source, condition, currency, market, low, sellers, day FROM quotes WHERE item IN ({}) \
                         ORDER BY item, source, condition, currency",
                        list(items.len(), 1)
                    );
                    let mut query = sqlx::query(AssertSqlSafe(statement));
                    for item in items {
                        query = query.bind(*item);
                    }
                    for row in &query.fetch_all(&self.read).await? {
                        let mut columns = Columns(row, 0);
                        found.push(Quote {
                            item: columns.next()?,
                            source: columns.next()?,
                            condition: columns.next()?,
                            currency: columns.next()?,
                            market: columns.money()?,
                            low: columns.money()?,
                            sellers: columns.next()?,
                            day: columns.next()?,
                        });
                    }
                }
                Ok(found)
            }

            pub(in crate::store) async fn populations_of(&self, marketplace_ids: &[&str]) -> Result<Vec<PopulationRecord>, StoreError> {
                let mut found = Vec::new();
                for ids in batches(marketplace_ids, 1) {
                    let statement = format!(
                        "SELECT p.item, i.marketplace_id, p.language, p.counts, p.confidence, p.score, p.fetched, p.updated \
                         FROM items i JOIN population p ON p.item = i.key WHERE i.marketplace_id IN ({})",
                        list(ids.len(), 1)
                    );
                    let mut query = sqlx::query(AssertSqlSafe(statement));
                    for id in ids {
                        query = query.bind(*id);
                    }
                    found.extend(query.fetch_all(&self.read).await?.iter().map(population).collect::<Result<Vec<_>, _>>()?);
                }
                Ok(found)
            }

            pub(in crate::store) async fn populations(&self, query: &PopulationQuery) -> Result<(i64, Vec<PopulationRecord>), StoreError> {
                let (from, mut values) = query.from();
                let mut count = sqlx::query_as(AssertSqlSafe(format!("SELECT COUNT(*) {from}")));
                for value in &values {
                    count = count.bind(*value);
                }
                let (count,): (i64,) = count.fetch_one(&self.read).await?;
                values.extend([query.limit, query.offset]);
                let statement = format!(
                    "SELECT p.item, i.marketplace_id, p.language, p.counts, p.confidence, p.score, p.fetched, p.updated \
                     FROM (SELECT p.item {from} ORDER BY p.item LIMIT ${} OFFSET ${}) o JOIN population p ON p.item = o.item \
                     JOIN items i ON i.key = o.item ORDER BY o.item",
                    values.len() - 1,
                    values.len()
                );
                let mut rows = sqlx::query(AssertSqlSafe(statement));
                for value in values {
                    rows = rows.bind(value);
                }
                let rows = rows.fetch_all(&self.read).await?;
                Ok((count, rows.iter().map(population).collect::<Result<Vec<_>, _>>()?))
            }

            pub(in crate::store) async fn sealed(&self, query: &SealedQuery) -> Result<(i64, Vec<SealedRecord>), StoreError> {
                let mut condition = "FROM sealed d JOIN items i ON i.key = d.item LEFT JOIN sets s ON s.key = d.set_key \
                     WHERE ($1 < 0 OR d.language = $1) AND ($2 < 0 OR d.set_key = $2) AND ($3 = '' OR i.marketplace_id = $3) \
                     AND ($4 = '' OR LOWER(d.product_type) = $4)"
                    .to_owned();
                for at in 0..query.words.len() {
                    let _ = write!(condition, " AND LOWER(d.name || ' ' || d.set_name || ' ' || d.product_type) LIKE ${} ESCAPE '!'", 5 + at);
                }
                let words: Vec<String> = query.words.iter().map(|word| format!("%{}%", escaped(&word.to_lowercase()))).collect();
                let product_type = query.product_type.as_deref().map(str::to_lowercase).unwrap_or_default();
                let mut count = sqlx::query_as::<_, (i64,)>(AssertSqlSafe(format!("SELECT COUNT(*) {condition}")))
                    .bind(query.language.map_or(-1, Language::number))
                    .bind(query.set.unwrap_or(-1))
                    .bind(query.marketplace_id.clone().unwrap_or_default())
                    .bind(product_type.clone());
                for word in &words {
                    count = count.bind(word.clone());
                }
                let (count,) = count.fetch_one(&self.read).await?;
                let last = 5 + words.len();
                let statement = format!(
                    concat!(
                        "SELECT ",
                        item_columns!(),
                        ", d.name, d.set_key, s.id, d.set_name, d.product_type {} ORDER BY d.item LIMIT ${} OFFSET ${}"
                    ),
                    condition,
                    last,
                    last + 1
                );
                let mut rows = sqlx::query(AssertSqlSafe(statement))
                    .bind(query.language.map_or(-1, Language::number))
                    .bind(query.set.unwrap_or(-1))
                    .bind(query.marketplace_id.clone().unwrap_or_default())
                    .bind(product_type);
                for word in words {
                    rows = rows.bind(word);
                }
                let rows = rows.bind(query.limit).bind(query.offset).fetch_all(&self.read).await?;
                let found = rows.iter().map(sealed_record).collect::<Result<Vec<_>, _>>()?;
                Ok((count, found))
            }
        }

        fn sealed_record(row: &$row) -> Result<SealedRecord, StoreError> {
            let mut columns = Columns(row, 0);
            Ok(SealedRecord {
                item: columns.item()?,
                name: columns.next()?,
                set_key: columns.next()?,
                set_id: columns.next()?,
                set_name: columns.next()?,
                product_type: columns.next()?,
            })
        }

        fn population(row: &$row) -> Result<PopulationRecord, StoreError> {
            let mut columns = Columns(row, 0);
            let (item, marketplace_id, language) = (columns.next()?, columns.next()?, Language::of_number(columns.next()?));
            let counts: String = columns.next()?;
            Ok(PopulationRecord {
                item,
                marketplace_id,
                language,
                counts: serde_json::from_str(&counts).map_err(|error| sqlx::Error::Decode(Box::new(error)))?,
                confidence: columns.next()?,
                score: columns.money()?,
                fetched: columns.next()?,
                updated: columns.next()?,
            })
        }
    };
}

/// A word in which LIKE reads nothing special, with `!` before what it would.
pub(super) fn escaped(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    for letter in word.chars() {
        if matches!(letter, '%' | '_' | '!') {
            text.push('!');
        }
        text.push(letter);
    }
    text
}

pub(super) use {item_columns, reads, set_columns, usd};

#[cfg(test)]
mod tests {
    use crate::market::rate;

    #[test]
    fn the_statement_has_the_numbers_of_rates() {
        assert!(
            usd!().contains(&format!("THEN {} ELSE", rate::UNIT))
                && usd!().contains(&format!("s.day - {} ", rate::HOLDS)),
            "{}",
            usd!()
        );
    }
}
