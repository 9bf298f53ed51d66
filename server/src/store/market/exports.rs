//! What the daily export reads and keeps, written once for both databases.

/// The methods about exports of a database that has the pools `write` and `read`.
macro_rules! exports {
    ($database:ident, $row:ty) => {
        impl $database {
            pub(in crate::store) async fn last_item(&self) -> Result<i64, StoreError> {
                let (last,): (i64,) = sqlx::query_as("SELECT COALESCE(MAX(key), 0) FROM items").fetch_one(&self.read).await?;
                Ok(last)
            }

            pub(in crate::store) async fn cards_between(&self, after: i64, to: i64) -> Result<Vec<CardWithPrintings>, StoreError> {
                // each printing is a row of its own
                let statement = format!(
                    "{CARDS_FROM}items i JOIN cards c ON c.key = i.card JOIN sets s ON s.key = c.set_key \
                     WHERE i.key > $1 AND i.key <= $2 ORDER BY i.key"
                );
                let rows = sqlx::query(AssertSqlSafe(statement)).bind(after).bind(to).fetch_all(&self.read).await?;
                cards(&rows)
            }

            pub(in crate::store) async fn sealed_between(&self, after: i64, to: i64) -> Result<Vec<SealedRecord>, StoreError> {
                let rows = sqlx::query(concat!(
                    "SELECT ",
                    item_columns!(),
                    ", d.name, d.set_key, s.id, d.set_name, d.product_type FROM sealed d JOIN items i ON i.key = d.item \
                     LEFT JOIN sets s ON s.key = d.set_key WHERE d.item > $1 AND d.item <= $2 ORDER BY d.item"
                ))
                .bind(after)
                .bind(to)
                .fetch_all(&self.read)
                .await?;
                rows.iter().map(sealed_record).collect()
            }

            pub(in crate::store) async fn graded_between(
                &self,
                after: i64,
                to: i64,
                from_day: i64,
                to_day: i64,
            ) -> Result<Vec<(String, GradedSale)>, StoreError> {
                type Row = (String, i64, String, i64, i64, Option<i64>);
                let rows: Vec<Row> = sqlx::query_as(concat!(
                    "SELECT i.marketplace_id, s.item, s.grade, s.day, s.price, ",
                    usd!(),
                    " FROM sales s JOIN items i ON i.key = s.item WHERE s.item > $1 AND s.item <= $2 AND s.grade <> '' \
                     AND s.day BETWEEN $3 AND $4 ORDER BY s.item, s.grade, s.day, s.key"
                ))
                .bind(after)
                .bind(to)
                .bind(from_day)
                .bind(to_day)
                .fetch_all(&self.read)
                .await?;
                let sale = |(id, item, grade, day, price, usd): Row| {
                    Some((id, GradedSale { item, key: grade.parse().ok()?, day, price: Rate(usd?).of(Money(price)) }))
                };
                Ok(rows.into_iter().filter_map(sale).collect())
            }

            pub(in crate::store) async fn populations_between(&self, after: i64, to: i64) -> Result<Vec<PopulationRecord>, StoreError> {
                let rows = sqlx::query(
                    "SELECT p.item, i.marketplace_id, p.language, p.counts, p.confidence, p.score, p.fetched, p.updated \
                     FROM population p JOIN items i ON i.key = p.item WHERE p.item > $1 AND p.item <= $2 ORDER BY p.item",
                )
                .bind(after)
                .bind(to)
                .fetch_all(&self.read)
                .await?;
                rows.iter().map(population).collect()
            }

            pub(in crate::store) async fn export(&self, dataset: &str) -> Result<Option<ExportRow>, StoreError> {
                let row: Option<(i64, String, i64, i64)> =
                    sqlx::query_as("SELECT generated, file, bytes, records FROM exports WHERE dataset = $1")
                        .bind(dataset)
                        .fetch_optional(&self.read)
                        .await?;
                Ok(row.map(|(generated, file, bytes, records)| ExportRow { dataset: dataset.to_owned(), generated, file, bytes, records }))
            }

            pub(in crate::store) async fn put_export(&self, export: &ExportRow) -> Result<(), StoreError> {
                sqlx::query(
                    "INSERT INTO exports (dataset, generated, file, bytes, records) VALUES ($1, $2, $3, $4, $5) \
                     ON CONFLICT (dataset) DO UPDATE SET generated = excluded.generated, file = excluded.file, bytes = excluded.bytes, \
                     records = excluded.records",
                )
                .bind(export.dataset.as_str())
                .bind(export.generated)
                .bind(export.file.as_str())
                .bind(export.bytes)
                .bind(export.records)
                .execute(&self.write)
                .await?;
                Ok(())
            }

            pub(in crate::store) async fn claim_export(&self, day: i64, now: i64, lost_before: i64) -> Result<bool, StoreError> {
                let claimed = sqlx::query(
                    "UPDATE export_run SET day = $1, claimed = $2, finished = 0 \
                     WHERE id = 1 AND (day < $1 OR (finished = 0 AND claimed < $3))",
                )
                .bind(day)
                .bind(now)
                .bind(lost_before)
                .execute(&self.write)
                .await?;
                Ok(claimed.rows_affected() > 0)
            }

            pub(in crate::store) async fn finish_export(&self, day: i64) -> Result<(), StoreError> {
                sqlx::query("UPDATE export_run SET finished = 1 WHERE id = 1 AND day = $1").bind(day).execute(&self.write).await?;
                Ok(())
            }

            pub(in crate::store) async fn release_export(&self, day: i64) -> Result<(), StoreError> {
                sqlx::query("UPDATE export_run SET day = day - 1, finished = 1 WHERE id = 1 AND day = $1 AND finished = 0")
                    .bind(day)
                    .execute(&self.write)
                    .await?;
                Ok(())
            }

            pub(in crate::store) async fn export_is_made(&self, day: i64) -> Result<bool, StoreError> {
                let (of, finished): (i64, i64) =
                    sqlx::query_as("SELECT day, finished FROM export_run WHERE id = 1").fetch_one(&self.read).await?;
                Ok(of > day || of == day && finished == 1)
            }

            pub(in crate::store) async fn begin_exports(&self, day: i64) -> Result<(), StoreError> {
                sqlx::query("UPDATE export_run SET day = $1 WHERE id = 1 AND day = 0").bind(day).execute(&self.write).await?;
                Ok(())
            }

            pub(in crate::store) async fn take_download(&self, account: i64, day: i64, most: i64) -> Result<Option<i64>, StoreError> {
                let row: Option<(i64,)> = sqlx::query_as(
                    "INSERT INTO export_downloads (account, day, count) VALUES ($1, $2, 1) \
                     ON CONFLICT (account, day) DO UPDATE SET count = export_downloads.count + 1 WHERE export_downloads.count < $3 \
                     RETURNING count",
                )
                .bind(account)
                .bind(day)
                .bind(most)
                .fetch_optional(&self.write)
                .await?;
                Ok(row.map(|(count,)| count))
            }

            pub(in crate::store) async fn fact_or(&self, name: &str, value: &str) -> Result<String, StoreError> {
                sqlx::query("INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
                    .bind(name)
                    .bind(value)
                    .execute(&self.write)
                    .await?;
                let (value,): (String,) = sqlx::query_as("SELECT value FROM facts WHERE name = $1").bind(name).fetch_one(&self.write).await?;
                Ok(value)
            }
        }
    };
}

pub(super) use exports;
