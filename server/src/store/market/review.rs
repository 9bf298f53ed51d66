//! Listings that a person must look at: listed, shown and decided, written once for both databases.

/// The methods about reviews of a database that has the pools `write` and `read`.
macro_rules! reviews {
    ($database:ident, $row:ty) => {
        const REVIEWS: &str = "SELECT r.id, r.fingerprint, r.title, r.price, r.currency, r.day, r.url, r.reason, r.item, r.grade, \
                               r.confidence, r.candidates, r.made, i.marketplace_id, r.status, r.decided \
                               FROM review r LEFT JOIN items i ON i.key = r.item ";

        fn review(row: &$row) -> Result<ReviewRow, StoreError> {
            let mut columns = Columns(row, 0);
            let id = columns.next()?;
            let listing = NewReview {
                fingerprint: columns.next()?,
                title: columns.next()?,
                price: Money(columns.next()?),
                currency: columns.next()?,
                day: columns.next()?,
                url: columns.next()?,
                reason: columns.next()?,
                item: columns.next()?,
                grade: columns.next()?,
                confidence: columns.next()?,
                candidates: {
                    let text: String = columns.next()?;
                    serde_json::from_str(&text).map_err(|error| sqlx::Error::Decode(Box::new(error)))?
                },
                made: columns.next()?,
            };
            let marketplace_id = columns.next()?;
            let status = ReviewStatus::of_number(columns.next()?);
            Ok(ReviewRow { id, listing, marketplace_id, status, decided: columns.next()? })
        }

        impl $database {
            pub(in crate::store) async fn reviews(
                &self,
                status: ReviewStatus,
                after: i64,
                limit: i64,
            ) -> Result<(i64, Vec<ReviewRow>), StoreError> {
                let (count,): (i64,) =
                    sqlx::query_as("SELECT COUNT(*) FROM review WHERE status = $1").bind(status.number()).fetch_one(&self.read).await?;
                let rows = sqlx::query(AssertSqlSafe(format!("{REVIEWS}WHERE r.status = $1 AND r.id > $2 ORDER BY r.id LIMIT $3")))
                    .bind(status.number())
                    .bind(after)
                    .bind(limit)
                    .fetch_all(&self.read)
                    .await?;
                Ok((count, rows.iter().map(review).collect::<Result<Vec<_>, _>>()?))
            }

            pub(in crate::store) async fn review(&self, id: i64) -> Result<Option<ReviewRow>, StoreError> {
                let row = sqlx::query(AssertSqlSafe(format!("{REVIEWS}WHERE r.id = $1"))).bind(id).fetch_optional(&self.read).await?;
                row.as_ref().map(review).transpose()
            }

            pub(in crate::store) async fn decide(&self, id: i64, verdict: &Verdict, now: i64) -> Result<Decided, StoreError> {
                let mut change = self.write.begin().await?;
                // takes the row's lock
                let row: Option<(i64,)> = sqlx::query_as("UPDATE review SET status = status WHERE id = $1 RETURNING status")
                    .bind(id)
                    .fetch_optional(&mut *change)
                    .await?;
                let Some((status,)) = row else { return Ok(Decided::NoListing) };
                let wanted = match verdict {
                    Verdict::Accept { .. } => ReviewStatus::Accepted,
                    Verdict::Reject => ReviewStatus::Rejected,
                };
                if status != ReviewStatus::Open.number() {
                    return Ok(Decided::Already(ReviewStatus::of_number(status)));
                }
                if let Verdict::Accept { marketplace_id, grade } = verdict {
                    let item: Option<(i64,)> = sqlx::query_as("SELECT key FROM items WHERE marketplace_id = $1")
                        .bind(marketplace_id.as_str())
                        .fetch_optional(&mut *change)
                        .await?;
                    let Some((item,)) = item else { return Ok(Decided::NoItem) };
                    sqlx::query("UPDATE review SET item = $2, grade = $3 WHERE id = $1")
                        .bind(id)
                        .bind(item)
                        .bind(grade.as_str())
                        .execute(&mut *change)
                        .await?;
                    sqlx::query(
                        "INSERT INTO sales (fingerprint, item, grade, day, price, currency, title, url) \
                         SELECT fingerprint, item, grade, day, price, currency, title, url FROM review WHERE id = $1 \
                         ON CONFLICT (fingerprint) DO NOTHING",
                    )
                    .bind(id)
                    .execute(&mut *change)
                    .await?;
                }
                sqlx::query("UPDATE review SET status = $2, decided = $3 WHERE id = $1")
                    .bind(id)
                    .bind(wanted.number())
                    .bind(now)
                    .execute(&mut *change)
                    .await?;
                let row = sqlx::query(AssertSqlSafe(format!("{REVIEWS}WHERE r.id = $1"))).bind(id).fetch_one(&mut *change).await?;
                let row = review(&row)?;
                change.commit().await?;
                Ok(Decided::Done(Box::new(row)))
            }
        }
    };
}

pub(super) use reviews;
