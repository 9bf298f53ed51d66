//! Calls and credits by day and endpoint, as accounts see them.

use super::bulk::{batches, rows_of_places};
use super::error::StoreError;
use super::handle::Store;
use super::sql::Row;

/// Columns of the table.
const COLUMNS: usize = 5;

/// What an account called of an endpoint on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointUsage<E = String> {
    /// Days since 1970.
    pub day: i64,
    /// Its path.
    pub endpoint: E,
    /// Calls that were answered and charged.
    pub calls: i64,
    /// Credits of these.
    pub credits: i64,
}

impl EndpointUsage {
    fn read(row: Row<'_>) -> Result<Self, sqlx::Error> {
        Ok(Self {
            day: row.get("day")?,
            endpoint: row.get("endpoint")?,
            calls: row.get("calls")?,
            credits: row.get("credits")?,
        })
    }
}

impl Store {
    /// Adds calls of an account to what is counted.
    pub async fn add_endpoint_usage(
        &self,
        account: i64,
        rows: &[EndpointUsage<&'static str>],
    ) -> Result<(), StoreError> {
        for batch in batches(rows, COLUMNS) {
            let sql = format!(
                "INSERT INTO endpoint_usage (account, day, endpoint, calls, credits) VALUES {} \
                 ON CONFLICT (account, day, endpoint) DO UPDATE SET \
                 calls = endpoint_usage.calls + excluded.calls, \
                 credits = endpoint_usage.credits + excluded.credits",
                rows_of_places(batch.len(), COLUMNS)
            );
            let query = self.write.query_many(sql);
            batch
                .iter()
                .fold(query, |query, row| {
                    query
                        .bind(account)
                        .bind(row.day)
                        .bind(row.endpoint)
                        .bind(row.calls)
                        .bind(row.credits)
                })
                .execute()
                .await?;
        }
        Ok(())
    }

    /// What an account called, from a day on, oldest first.
    pub async fn endpoint_usage_since(
        &self,
        account: i64,
        day: i64,
    ) -> Result<Vec<EndpointUsage>, StoreError> {
        self.read
            .query(
                "SELECT day, endpoint, calls, credits FROM endpoint_usage \
                 WHERE account = $1 AND day >= $2 ORDER BY day, endpoint",
            )
            .bind(account)
            .bind(day)
            .all(EndpointUsage::read)
            .await
    }
}
