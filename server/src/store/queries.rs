//! The statements, written once for both databases.

/// The statement that leases. All is decided by the row itself as it stands when its lock is held, so that no two leases together exceed
/// an allowance. A minute later than the asked one belongs to a process whose clock is ahead, and is kept.
macro_rules! lease_statement {
    ($min:literal, $max:literal) => {
        concat!(
            "UPDATE usage SET ",
            "granted = ",
            $min,
            "($7, ",
            $max,
            "($6, ($10 - used) / 2)), ",
            "granted_calls = ",
            $min,
            "($9, ",
            $max,
            "($8, ($11 - CASE WHEN minute >= $4 THEN minute_used ELSE 0 END) / 2)), ",
            "used = used + ",
            $min,
            "($7, ",
            $max,
            "($6, ($10 - used) / 2)), ",
            "leased = ",
            $max,
            "(0, leased - $5) + ",
            $min,
            "($7, ",
            $max,
            "($6, ($10 - used) / 2)), ",
            "minute_used = CASE WHEN minute >= $4 THEN minute_used ELSE 0 END + ",
            $min,
            "($9, ",
            $max,
            "($8, ($11 - CASE WHEN minute >= $4 THEN minute_used ELSE 0 END) / 2)), ",
            "minute = ",
            $max,
            "(minute, $4) ",
            "WHERE account = $1 AND meter = $2 AND day = $3 AND used + $6 <= $10 ",
            "AND CASE WHEN minute >= $4 THEN minute_used ELSE 0 END + $8 <= $11 ",
            "RETURNING granted, granted_calls, minute, used, minute_used"
        )
    };
}

/// The methods of a database that has the pools `write` and `read`.
macro_rules! queries {
    ($database:ident, $lease:expr, $max:literal) => {
        type AccountTuple = (i64, String, String, i64);
        type KeyTuple = (i64, Option<i64>, String, Vec<u8>, String, i64, Option<i64>);
        type UsageTuple = (i64, i64, i64, i64, i64, i64);

        fn account_row((id, name, plan, created): AccountTuple) -> super::AccountRow {
            super::AccountRow { id, name, plan, created }
        }

        fn key_row((id, account, prefix, hash, name, created, revoked): KeyTuple) -> super::KeyRow {
            super::KeyRow { id, account, prefix, hash, name, created, revoked }
        }

        fn usage_row((day, meter, used, leased, minute, minute_used): UsageTuple) -> super::UsageRow {
            super::UsageRow { day, meter, used, leased, minute, minute_used }
        }

        /// The first statement of each transaction that changes accounts or keys: it puts them in a row.
        const CHANGE: &str = "UPDATE changes SET counter = counter + 1 WHERE id = 1 RETURNING counter";

        impl $database {
            pub(super) async fn lease(&self, request: &super::LeaseRequest) -> Result<Option<super::Lease>, StoreError> {
                loop {
                    let row: Option<(i64, i64, i64, i64, i64)> = sqlx::query_as($lease)
                        .bind(request.account)
                        .bind(request.meter)
                        .bind(request.day)
                        .bind(request.minute)
                        .bind(request.spent)
                        .bind(request.need)
                        .bind(request.want)
                        .bind(request.need_calls)
                        .bind(request.want_calls)
                        .bind(request.daily)
                        .bind(request.per_minute)
                        .fetch_optional(&self.write)
                        .await?;
                    if let Some((credits, calls, minute, used, minute_used)) = row {
                        return Ok(Some(super::Lease { credits, calls, minute, used, minute_used }));
                    }
                    // no such row yet, or too little left
                    let made = sqlx::query(
                        "INSERT INTO usage (account, meter, day, used, leased, minute, minute_used, granted, granted_calls) \
                         VALUES ($1, $2, $3, 0, 0, 0, 0, 0, 0) ON CONFLICT (account, meter, day) DO NOTHING",
                    )
                    .bind(request.account)
                    .bind(request.meter)
                    .bind(request.day)
                    .execute(&self.write)
                    .await?;
                    if made.rows_affected() == 0 {
                        return Ok(None);
                    }
                }
            }

            pub(super) async fn give_back(&self, back: &super::GiveBack) -> Result<super::UsageRow, StoreError> {
                let row: Option<UsageTuple> = sqlx::query_as(concat!(
                    "UPDATE usage SET used = ",
                    $max,
                    "(0, used - $5), leased = ",
                    $max,
                    "(0, leased - $5 - $6), ",
                    "minute_used = CASE WHEN minute = $4 THEN ",
                    $max,
                    "(0, minute_used - $7) ELSE minute_used END ",
                    "WHERE account = $1 AND meter = $2 AND day = $3 RETURNING day, meter, used, leased, minute, minute_used"
                ))
                .bind(back.account)
                .bind(back.meter)
                .bind(back.day)
                .bind(back.minute)
                .bind(back.credits)
                .bind(back.spent)
                .bind(back.calls)
                .fetch_optional(&self.write)
                .await?;
                Ok(row.map(usage_row).unwrap_or_default())
            }

            pub(super) async fn usage_on(&self, account: i64, meter: i64, day: i64) -> Result<super::UsageRow, StoreError> {
                let row: Option<UsageTuple> = sqlx::query_as(
                    "SELECT day, meter, used, leased, minute, minute_used FROM usage WHERE account = $1 AND meter = $2 AND day = $3",
                )
                .bind(account)
                .bind(meter)
                .bind(day)
                .fetch_optional(&self.read)
                .await?;
                Ok(row.map_or(super::UsageRow { day, meter, ..super::UsageRow::default() }, usage_row))
            }

            pub(super) async fn usage_since(&self, account: i64, day: i64) -> Result<Vec<super::UsageRow>, StoreError> {
                let rows: Vec<UsageTuple> = sqlx::query_as(
                    "SELECT day, meter, used, leased, minute, minute_used FROM usage WHERE account = $1 AND day >= $2 ORDER BY day, meter",
                )
                .bind(account)
                .bind(day)
                .fetch_all(&self.read)
                .await?;
                Ok(rows.into_iter().map(usage_row).collect())
            }

            pub(super) async fn create_account(
                &self,
                name: &str,
                plan: &str,
                now: crate::clock::Moment,
            ) -> Result<Option<super::AccountRow>, StoreError> {
                let mut change = self.write.begin().await?;
                let (counter,): (i64,) = sqlx::query_as(CHANGE).fetch_one(&mut *change).await?;
                let row: Option<AccountTuple> = sqlx::query_as(
                    "INSERT INTO accounts (name, plan, created, changed) VALUES ($1, $2, $3, $4) \
                     ON CONFLICT (name) DO NOTHING RETURNING id, name, plan, created",
                )
                .bind(name)
                .bind(plan)
                .bind(now.millis())
                .bind(counter)
                .fetch_optional(&mut *change)
                .await?;
                change.commit().await?;
                Ok(row.map(account_row))
            }

            pub(super) async fn accounts(&self) -> Result<Vec<super::AccountRow>, StoreError> {
                let rows: Vec<AccountTuple> =
                    sqlx::query_as("SELECT id, name, plan, created FROM accounts ORDER BY id").fetch_all(&self.read).await?;
                Ok(rows.into_iter().map(account_row).collect())
            }

            pub(super) async fn account(&self, id: i64) -> Result<Option<super::AccountRow>, StoreError> {
                let row: Option<AccountTuple> = sqlx::query_as("SELECT id, name, plan, created FROM accounts WHERE id = $1")
                    .bind(id)
                    .fetch_optional(&self.read)
                    .await?;
                Ok(row.map(account_row))
            }

            pub(super) async fn set_plan(&self, account: i64, plan: &str) -> Result<Option<super::AccountRow>, StoreError> {
                let mut change = self.write.begin().await?;
                let (counter,): (i64,) = sqlx::query_as(CHANGE).fetch_one(&mut *change).await?;
                let row: Option<AccountTuple> =
                    sqlx::query_as("UPDATE accounts SET plan = $2, changed = $3 WHERE id = $1 RETURNING id, name, plan, created")
                        .bind(account)
                        .bind(plan)
                        .bind(counter)
                        .fetch_optional(&mut *change)
                        .await?;
                change.commit().await?;
                Ok(row.map(account_row))
            }

            pub(super) async fn create_key(
                &self,
                key: super::KeyToStore<'_>,
                plans: &crate::plans::Plans,
                now: crate::clock::Moment,
            ) -> Result<super::KeyMade, StoreError> {
                let mut change = self.write.begin().await?;
                let (counter,): (i64,) = sqlx::query_as(CHANGE).fetch_one(&mut *change).await?;
                if let Some(account) = key.account {
                    let plan: Option<(String,)> =
                        sqlx::query_as("SELECT plan FROM accounts WHERE id = $1").bind(account).fetch_optional(&mut *change).await?;
                    let Some((plan,)) = plan else { return Ok(super::KeyMade::NoAccount) };
                    // a plan that the configuration no longer has allows no further key
                    if let Some(most) = plans.get(&plan).map_or(Some(0), |plan| plan.keys) {
                        let (count,): (i64,) = sqlx::query_as("SELECT COUNT(*) FROM keys WHERE account = $1 AND revoked IS NULL")
                            .bind(account)
                            .fetch_one(&mut *change)
                            .await?;
                        if u64::try_from(count).unwrap_or(0) >= most {
                            return Ok(super::KeyMade::TooMany(most));
                        }
                    }
                }
                if let (Some(account), Some(most)) = (key.account, key.most_today) {
                    let (count,): (i64,) = sqlx::query_as("SELECT COUNT(*) FROM keys WHERE account = $1 AND created >= $2")
                        .bind(account)
                        .bind(now.day_began())
                        .fetch_one(&mut *change)
                        .await?;
                    if u64::try_from(count).unwrap_or(0) >= most {
                        return Ok(super::KeyMade::TooManyToday(most));
                    }
                }
                let row: KeyTuple = sqlx::query_as(
                    "INSERT INTO keys (account, prefix, hash, name, created, changed) VALUES ($1, $2, $3, $4, $5, $6) \
                     RETURNING id, account, prefix, hash, name, created, revoked",
                )
                .bind(key.account)
                .bind(key.prefix)
                .bind(&key.hash[..])
                .bind(key.name)
                .bind(now.millis())
                .bind(counter)
                .fetch_one(&mut *change)
                .await?;
                change.commit().await?;
                Ok(super::KeyMade::Made(key_row(row)))
            }

            pub(super) async fn create_first_admin_key(
                &self,
                key: super::KeyToStore<'_>,
                now: crate::clock::Moment,
            ) -> Result<bool, StoreError> {
                let mut change = self.write.begin().await?;
                let (counter,): (i64,) = sqlx::query_as(CHANGE).fetch_one(&mut *change).await?;
                let (count,): (i64,) =
                    sqlx::query_as("SELECT COUNT(*) FROM keys WHERE account IS NULL AND revoked IS NULL").fetch_one(&mut *change).await?;
                if count > 0 {
                    return Ok(false);
                }
                sqlx::query("INSERT INTO keys (prefix, hash, name, created, changed) VALUES ($1, $2, $3, $4, $5)")
                    .bind(key.prefix)
                    .bind(&key.hash[..])
                    .bind(key.name)
                    .bind(now.millis())
                    .bind(counter)
                    .execute(&mut *change)
                    .await?;
                change.commit().await?;
                Ok(true)
            }

            pub(super) async fn keys(&self, account: Option<i64>) -> Result<Vec<super::KeyRow>, StoreError> {
                let rows: Vec<KeyTuple> = match account {
                    Some(account) => {
                        sqlx::query_as("SELECT id, account, prefix, hash, name, created, revoked FROM keys WHERE account = $1 ORDER BY id")
                            .bind(account)
                            .fetch_all(&self.read)
                            .await?
                    }
                    None => {
                        sqlx::query_as(
                            "SELECT id, account, prefix, hash, name, created, revoked FROM keys WHERE account IS NULL ORDER BY id",
                        )
                        .fetch_all(&self.read)
                        .await?
                    }
                };
                Ok(rows.into_iter().map(key_row).collect())
            }

            pub(super) async fn key(&self, id: i64) -> Result<Option<super::KeyRow>, StoreError> {
                let row: Option<KeyTuple> =
                    sqlx::query_as("SELECT id, account, prefix, hash, name, created, revoked FROM keys WHERE id = $1")
                        .bind(id)
                        .fetch_optional(&self.read)
                        .await?;
                Ok(row.map(key_row))
            }

            pub(super) async fn revoke_key(&self, id: i64, now: crate::clock::Moment) -> Result<Option<super::KeyRow>, StoreError> {
                let mut change = self.write.begin().await?;
                let (counter,): (i64,) = sqlx::query_as(CHANGE).fetch_one(&mut *change).await?;
                let row: Option<KeyTuple> = sqlx::query_as(
                    "UPDATE keys SET revoked = COALESCE(revoked, $2), changed = $3 WHERE id = $1 \
                     RETURNING id, account, prefix, hash, name, created, revoked",
                )
                .bind(id)
                .bind(now.millis())
                .bind(counter)
                .fetch_optional(&mut *change)
                .await?;
                change.commit().await?;
                Ok(row.map(key_row))
            }

            pub(super) async fn changes(&self, since: i64) -> Result<super::Changes, StoreError> {
                let (counter,): (i64,) = sqlx::query_as("SELECT counter FROM changes WHERE id = 1").fetch_one(&self.read).await?;
                if counter == since {
                    return Ok(super::Changes { counter, ..super::Changes::default() });
                }
                // keys before accounts: the account of each of them is then there. Who knows none yet need not hear of those that were revoked.
                let keys: Vec<KeyTuple> = sqlx::query_as(
                    "SELECT id, account, prefix, hash, name, created, revoked FROM keys WHERE changed > $1 AND (revoked IS NULL OR $1 >= 0)",
                )
                .bind(since)
                .fetch_all(&self.read)
                .await?;
                let accounts: Vec<AccountTuple> = sqlx::query_as("SELECT id, name, plan, created FROM accounts WHERE changed > $1")
                    .bind(since)
                    .fetch_all(&self.read)
                    .await?;
                Ok(super::Changes {
                    counter,
                    accounts: accounts.into_iter().map(account_row).collect(),
                    keys: keys.into_iter().map(key_row).collect(),
                })
            }

            pub(super) async fn ping(&self) -> Result<(), StoreError> {
                sqlx::query("SELECT 1").execute(&self.read).await?;
                Ok(())
            }

            pub(super) async fn close(&self) {
                self.read.close().await;
                self.write.close().await;
            }
        }
    };
}

pub(super) use {lease_statement, queries};
