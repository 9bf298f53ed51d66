//! Sealed products.

use super::records::{ItemRecord, Language, SealedRecord};
use crate::store::sql::Query;
use crate::store::{Store, StoreError};
use sqlx::AssertSqlSafe;

/// Which sealed products are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SealedQuery {
    /// Of which tree; of both where none is given.
    pub language: Option<Language>,
    /// Only this one.
    pub marketplace_id: Option<String>,
    /// Of which set, by its number here.
    pub set: Option<i64>,
    /// Of which type, without regard to case.
    pub product_type: Option<String>,
    /// At most so many.
    pub limit: i64,
    /// After so many.
    pub offset: i64,
}

impl SealedQuery {
    /// The products of the query as `d`, their items as `i`, their sets as `s`.
    fn from(&self) -> String {
        "FROM sealed d JOIN items i ON i.key = d.item \
                        LEFT JOIN sets s ON s.key = d.set_key WHERE ($1 < 0 OR d.language = $1) \
                        AND ($2 < 0 OR d.set_key = $2) AND ($3 = '' OR i.marketplace_id = $3) \
                        AND ($4 = '' OR LOWER(d.product_type) = $4)"
            .to_owned()
    }

    /// Gives the places of [`Self::from`] their values.
    fn bind<'c>(&self, query: Query<'c>) -> Query<'c> {
        let product_type = self.product_type.as_deref().map(str::to_lowercase);
        query
            .bind(self.language.map_or(-1, Language::number))
            .bind(self.set.unwrap_or(-1))
            .bind(self.marketplace_id.as_deref().unwrap_or_default())
            .bind(product_type.unwrap_or_default())
    }
}

impl Store {
    /// How many sealed products a query has, and those of its page.
    pub async fn sealed(
        &self,
        query: &SealedQuery,
    ) -> Result<(i64, Vec<SealedRecord>), StoreError> {
        let from = query.from();
        let sql = format!("SELECT COUNT(*) AS count {from}");
        let count = query
            .bind(self.read.query(AssertSqlSafe(sql)))
            .one(|row| row.get("count"))
            .await?;
        let limit = 5;
        let sql = format!(
            "SELECT {}, {} {from} ORDER BY d.item LIMIT ${limit} OFFSET ${}",
            ItemRecord::COLUMNS,
            SealedRecord::COLUMNS,
            limit + 1
        );
        let page = query
            .bind(self.read.query(AssertSqlSafe(sql)))
            .bind(query.limit)
            .bind(query.offset)
            .all(SealedRecord::read)
            .await?;
        Ok((count, page))
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
