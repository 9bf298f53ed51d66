//! Sealed products.

use super::folded::folded;
use super::records::{ItemRecord, Language, SealedRecord};
use crate::market::Money;
use crate::store::bulk::{batches, places};
use crate::store::conditions::Conditions;
use crate::store::{Store, StoreError};
use sqlx::AssertSqlSafe;

/// What sealed products are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealedSort {
    /// The market price.
    Price,
    /// The name, by its bytes.
    Name,
    /// The release of the set.
    Released,
}

/// How sealed products are listed. Those without that by which they are sorted come last, either
/// way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealedOrder {
    /// What they are sorted by.
    pub by: SealedSort,
    /// The largest first.
    pub descending: bool,
}

impl SealedOrder {
    /// The columns to sort by, and a comma.
    fn columns(self) -> String {
        let direction = if self.descending { "DESC" } else { "ASC" };
        let column = match self.by {
            SealedSort::Price => "i.market",
            SealedSort::Name => "d.name",
            SealedSort::Released => "s.released",
        };
        format!("{column} {direction} NULLS LAST, ")
    }
}

/// Which sealed products are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SealedQuery {
    /// Of which language; of all where none is given.
    pub language: Option<Language>,
    /// Of which games, by their ids; of all where none is given.
    pub games: Option<Vec<String>>,
    /// Only this one.
    pub marketplace_id: Option<String>,
    /// Of which set, by its number here.
    pub set: Option<i64>,
    /// Of which type, without regard to case, accents and apostrophes.
    pub product_type: Option<String>,
    /// Whose market price is at least this.
    pub min_price: Option<Money>,
    /// Whose market price is at most this.
    pub max_price: Option<Money>,
    /// In which order; `None` for that in which they were imported.
    pub order: Option<SealedOrder>,
    /// At most so many.
    pub limit: i64,
    /// After so many.
    pub offset: i64,
}

/// What a search compares of a sealed product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedName {
    /// The number of its item.
    pub item: i64,
    /// Its name.
    pub name: String,
    /// Its type.
    pub product_type: String,
    /// The id of its set, if the store has it.
    pub set_id: Option<String>,
    /// The set's name.
    pub set_name: String,
}

impl SealedQuery {
    /// The products of the query as `d`, their items as `i`, their sets as `s`.
    fn from(&self) -> Conditions {
        let mut all = Conditions::new(
            "FROM sealed d JOIN items i ON i.key = d.item LEFT JOIN sets s ON s.key = d.set_key \
             WHERE TRUE",
        );
        all.add("d.language = @", self.language.map(Language::number));
        all.add_games("d.game IN (@)", self.games.as_deref());
        all.add("d.set_key = @", self.set);
        all.add_text("i.marketplace_id = @", self.marketplace_id.clone());
        let product_type = self.product_type.as_deref().map(folded);
        all.add_text("d.folded_type = @", product_type);
        all.add("i.market >= @", self.min_price.map(|price| price.0));
        all.add("i.market <= @", self.max_price.map(|price| price.0));
        all
    }
}

impl Store {
    /// How many sealed products a query has, and those of its page.
    pub async fn sealed(
        &self,
        query: &SealedQuery,
    ) -> Result<(i64, Vec<SealedRecord>), StoreError> {
        let all = query.from();
        let from = &all.text;
        let sql = format!("SELECT COUNT(*) AS count {from}");
        let count = all
            .bind(self.read.query(AssertSqlSafe(sql)))
            .one(|row| row.get("count"))
            .await?;
        let order = query.order.map_or_else(String::new, SealedOrder::columns);
        let sql = format!(
            "SELECT {}, {} {from} ORDER BY {order}d.item {}",
            ItemRecord::COLUMNS,
            SealedRecord::COLUMNS,
            all.page()
        );
        let page = all
            .bind(self.read.query(AssertSqlSafe(sql)))
            .bind(query.limit)
            .bind(query.offset)
            .all(SealedRecord::read)
            .await?;
        Ok((count, page))
    }

    /// What a search compares of all the products of a query, whatever its page, in its order.
    pub async fn sealed_names(&self, query: &SealedQuery) -> Result<Vec<SealedName>, StoreError> {
        let all = query.from();
        let order = query.order.map_or_else(String::new, SealedOrder::columns);
        let sql = format!(
            "SELECT d.item, d.name, d.product_type, s.id AS set_id, d.set_name {} \
             ORDER BY {order}d.item",
            all.text
        );
        all.bind(self.read.query(AssertSqlSafe(sql)))
            .all(|row| {
                Ok(SealedName {
                    item: row.get("item")?,
                    name: row.get("name")?,
                    product_type: row.get("product_type")?,
                    set_id: row.get("set_id")?,
                    set_name: row.get("set_name")?,
                })
            })
            .await
    }

    /// The sealed products of these items, in no order.
    pub async fn sealed_of(&self, items: &[i64]) -> Result<Vec<SealedRecord>, StoreError> {
        let mut found = Vec::with_capacity(items.len());
        for items in batches(items, 1) {
            let sql = format!(
                "SELECT {}, {} FROM sealed d JOIN items i ON i.key = d.item \
                 LEFT JOIN sets s ON s.key = d.set_key WHERE d.item IN ({})",
                ItemRecord::COLUMNS,
                SealedRecord::COLUMNS,
                places(items.len())
            );
            let query = self.read.query_many(sql).bind_all(items);
            found.extend(query.all(SealedRecord::read).await?);
        }
        Ok(found)
    }

    /// The sealed products with numbers above `after` and up to `to`.
    pub async fn sealed_between(
        &self,
        after: i64,
        to: i64,
    ) -> Result<Vec<SealedRecord>, StoreError> {
        let sql = format!(
            "SELECT {}, {} FROM sealed d JOIN items i ON i.key = d.item \
             LEFT JOIN sets s ON s.key = d.set_key WHERE d.item > $1 AND d.item <= $2 \
             ORDER BY d.item",
            ItemRecord::COLUMNS,
            SealedRecord::COLUMNS
        );
        self.read
            .query(AssertSqlSafe(sql))
            .bind(after)
            .bind(to)
            .all(SealedRecord::read)
            .await
    }
}
