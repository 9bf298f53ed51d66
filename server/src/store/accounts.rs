//! Accounts, and what of them and their keys changed since a process last looked.

use super::audit::{Actor, Deed, record};
use super::error::StoreError;
use super::handle::Store;
use super::keys::KeyRow;
use super::sql::{Row, Transaction};
use crate::clock::Moment;
use serde::Serialize;
use sqlx::AssertSqlSafe;

/// An account as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccountRow {
    /// Its number.
    pub id: i64,
    /// Its name, which no other account has.
    pub name: String,
    /// The name of its plan.
    pub plan: String,
    /// When it was created, in milliseconds since 1970.
    pub created: i64,
    /// When it was suspended, if it is.
    pub suspended: Option<i64>,
    /// When it was closed, if it is.
    pub closed: Option<i64>,
}

/// What changed since a process last looked.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The count of changes up to which these are all.
    pub counter: i64,
    /// Accounts that were created or changed.
    pub accounts: Vec<AccountRow>,
    /// Keys that were created or revoked.
    pub keys: Vec<KeyRow>,
}

impl AccountRow {
    pub(super) fn read(row: Row<'_>) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            plan: row.get("plan")?,
            created: row.get("created")?,
            suspended: row.get("suspended")?,
            closed: row.get("closed")?,
        })
    }
}

impl Store {
    /// Begins a transaction that changes accounts or keys. Its first statement raises the count of
    /// changes, whose lock puts such transactions one after another.
    pub(super) async fn change(&self) -> Result<(Transaction, i64), StoreError> {
        let mut change = self.write.begin().await?;
        let counter = change
            .query("UPDATE changes SET counter = counter + 1 WHERE id = 1 RETURNING counter")
            .one(|row| row.get("counter"))
            .await?;
        Ok((change, counter))
    }

    /// Creates an account; `None` where another has the name.
    pub async fn create_account(
        &self,
        name: &str,
        plan: &str,
        by: Actor,
        now: Moment,
    ) -> Result<Option<AccountRow>, StoreError> {
        let (mut change, counter) = self.change().await?;
        let account = change
            .query(
                "INSERT INTO accounts (name, plan, created, changed) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (name) DO NOTHING RETURNING id, name, plan, created, suspended, closed",
            )
            .bind(name)
            .bind(plan)
            .bind(now.millis())
            .bind(counter)
            .optional(AccountRow::read)
            .await?;
        if let Some(account) = &account {
            let deed = Deed {
                by,
                deed: "create account",
                account: Some(account.id),
                subject: None,
                detail: name,
            };
            record(&mut change, deed, now).await?;
        }
        change.commit().await?;
        Ok(account)
    }

    /// All accounts, oldest first.
    pub async fn accounts(&self) -> Result<Vec<AccountRow>, StoreError> {
        self.read
            .query("SELECT id, name, plan, created, suspended, closed FROM accounts ORDER BY id")
            .all(AccountRow::read)
            .await
    }

    /// How many accounts there are, and a page of them, oldest first.
    pub async fn page_of_accounts(
        &self,
        limit: i64,
        offset: i64,
    ) -> Result<(i64, Vec<AccountRow>), StoreError> {
        let total = self
            .read
            .query("SELECT COUNT(*) AS count FROM accounts")
            .one(|row| row.get("count"))
            .await?;
        let rows = self
            .read
            .query(
                "SELECT id, name, plan, created, suspended, closed FROM accounts \
                 ORDER BY id LIMIT $1 OFFSET $2",
            )
            .bind(limit)
            .bind(offset)
            .all(AccountRow::read)
            .await?;
        Ok((total, rows))
    }

    /// The account with this number.
    pub async fn account(&self, id: i64) -> Result<Option<AccountRow>, StoreError> {
        self.read
            .query("SELECT id, name, plan, created, suspended, closed FROM accounts WHERE id = $1")
            .bind(id)
            .optional(AccountRow::read)
            .await
    }

    /// Puts an account on another plan; `None` where there is no such account, or it is closed.
    pub async fn set_plan(
        &self,
        account: i64,
        plan: &str,
        by: Actor,
        now: Moment,
    ) -> Result<Option<AccountRow>, StoreError> {
        let (mut change, counter) = self.change().await?;
        let account = change
            .query(
                "UPDATE accounts SET plan = $2, changed = $3 WHERE id = $1 AND closed IS NULL \
                 RETURNING id, name, plan, created, suspended, closed",
            )
            .bind(account)
            .bind(plan)
            .bind(counter)
            .optional(AccountRow::read)
            .await?;
        if let Some(account) = &account {
            let deed = Deed {
                by,
                deed: "set plan",
                account: Some(account.id),
                subject: None,
                detail: plan,
            };
            record(&mut change, deed, now).await?;
        }
        change.commit().await?;
        Ok(account)
    }

    /// Accounts and keys that changed since `counter`.
    pub async fn changes(&self, since: i64) -> Result<Changes, StoreError> {
        let counter = self
            .read
            .query("SELECT counter FROM changes WHERE id = 1")
            .one(|row| row.get("counter"))
            .await?;
        if counter == since {
            return Ok(Changes {
                counter,
                ..Changes::default()
            });
        }
        // Keys before accounts: the account of each of them is then there. A process that has no
        // keys yet need not hear of revoked ones.
        let sql = format!(
            "SELECT {} FROM keys WHERE changed > $1 AND (revoked IS NULL OR $1 >= 0)",
            KeyRow::COLUMNS
        );
        let keys = self
            .read
            .query(AssertSqlSafe(sql))
            .bind(since)
            .all(KeyRow::read)
            .await?;
        let accounts = self
            .read
            .query("SELECT id, name, plan, created, suspended, closed FROM accounts WHERE changed > $1")
            .bind(since)
            .all(AccountRow::read)
            .await?;
        Ok(Changes {
            counter,
            accounts,
            keys,
        })
    }
}
