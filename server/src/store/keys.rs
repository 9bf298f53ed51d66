//! Keys of accounts and of administrators.

use super::audit::{Actor, Deed, record};
use super::conditions::Conditions;
use super::error::StoreError;
use super::handle::Store;
use super::sql::{Row, Transaction};
use crate::clock::Moment;
use crate::keys::Hash;
use crate::plans::Plans;
use sqlx::AssertSqlSafe;

/// A key as it is stored: enough to recognise it, nothing to use it with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// Its number.
    pub id: i64,
    /// The account that it belongs to; `None` for an administrator's.
    pub account: Option<i64>,
    /// The part of it that may be shown.
    pub prefix: String,
    /// The SHA-256 of it.
    pub hash: Vec<u8>,
    /// What its holder calls it.
    pub name: String,
    /// When it was created, in milliseconds since 1970.
    pub created: i64,
    /// When it was revoked.
    pub revoked: Option<i64>,
    /// When it stops working, if it ever does.
    pub expires: Option<i64>,
}

/// What became of a key that was to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyMade {
    /// It is stored.
    Made(KeyRow),
    /// The plan allows no more than this many.
    TooMany(u64),
    /// This many were created today, which is all that may be.
    TooManyToday(u64),
    /// There is no such account.
    NoAccount,
    /// The account is closed.
    Closed,
    /// The key that it was to replace is not one of the same owner's that stand.
    NoKey,
}

/// A key to be stored.
#[derive(Clone, Copy, Debug)]
pub struct KeyToStore<'k> {
    /// The account; `None` for an administrator's key.
    pub account: Option<i64>,
    /// What its holder calls it.
    pub name: &'k str,
    /// The part that may be shown.
    pub prefix: &'k str,
    /// The SHA-256 of it.
    pub hash: &'k Hash,
    /// How many the account may create in a UTC day, counting those that were revoked since.
    pub most_today: Option<u64>,
    /// When it stops working, in milliseconds since 1970, if it ever does.
    pub expires: Option<i64>,
    /// The key of the same owner that it replaces, and when that one stops, in milliseconds since
    /// 1970.
    pub replaces: Option<(i64, i64)>,
    /// Who asked for it.
    pub by: Actor,
}

/// Whose last key is kept when keys are revoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastKey {
    /// Nobody's: whoever asks can make another.
    Revoked,
    /// That of the administrators. Keys of accounts are revoked anyway.
    KeptForAdministrators,
    /// That of an account, whose keys alone are revoked. A key counts as one to go on with if it
    /// works beyond this moment, in milliseconds since 1970.
    KeptForAccount {
        /// The account.
        account: i64,
        /// The moment.
        beyond: i64,
    },
}

/// What became of a key that was to be revoked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyRevoked {
    /// It is revoked, now or before.
    Revoked(KeyRow),
    /// There is no such key, or it is another account's.
    NoKey,
    /// It is the last one, and stays.
    Last,
}

impl KeyRow {
    /// The columns of a key.
    pub(super) const COLUMNS: &str = "id, account, prefix, hash, name, created, revoked, expires";

    /// Reads [`Self::COLUMNS`].
    pub(super) fn read(row: Row<'_>) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.get("id")?,
            account: row.get("account")?,
            prefix: row.get("prefix")?,
            hash: row.get("hash")?,
            name: row.get("name")?,
            created: row.get("created")?,
            revoked: row.get("revoked")?,
            expires: row.get("expires")?,
        })
    }
}

/// A count, the only column of a row.
fn count(row: Row<'_>) -> Result<u64, sqlx::Error> {
    row.get::<i64>("count")
        .map(|count| u64::try_from(count).unwrap_or(0))
}

/// The statement for the key with a number.
fn select_key() -> String {
    format!("SELECT {} FROM keys WHERE id = $1", KeyRow::COLUMNS)
}

/// The keys of an account, or the administrators'.
fn keys_of(account: Option<i64>) -> Conditions {
    let mut all = Conditions::new("FROM keys WHERE TRUE");
    all.add_same("account", account);
    all
}

/// Those of them that are not revoked and work beyond a moment, in milliseconds since 1970.
fn working_keys_of(account: Option<i64>, beyond: i64) -> Conditions {
    let mut all = keys_of(account);
    all.add_plain("revoked IS NULL");
    all.add("(expires IS NULL OR expires > @)", Some(beyond));
    all
}

/// How many keys these are.
async fn count_of(change: &mut Transaction, keys: &Conditions) -> Result<u64, StoreError> {
    let sql = format!("SELECT COUNT(*) AS count {}", keys.text);
    keys.bind(change.query(AssertSqlSafe(sql))).one(count).await
}

/// How many other keys the owner of a key has that work beyond a moment.
async fn other_keys(
    change: &mut Transaction,
    key: &KeyRow,
    beyond: i64,
) -> Result<u64, StoreError> {
    let mut others = working_keys_of(key.account, beyond);
    others.add("id <> @", Some(key.id));
    count_of(change, &others).await
}

impl Store {
    /// Stores a key, where the plan of its account allows one more.
    pub async fn create_key(
        &self,
        key: KeyToStore<'_>,
        plans: &Plans,
        now: Moment,
    ) -> Result<KeyMade, StoreError> {
        let (mut change, counter) = self.change().await?;
        if let Some((replaced, stops)) = key.replaces {
            let found = change
                .query(
                    "UPDATE keys SET expires = CASE WHEN expires < $2 THEN expires ELSE $2 END, \
                     replaced = 1, changed = $3 WHERE id = $1 \
                     AND account IS NOT DISTINCT FROM $4 AND revoked IS NULL AND replaced IS NULL",
                )
                .bind(replaced)
                .bind(stops)
                .bind(counter)
                .bind(key.account)
                .execute()
                .await?;
            if found == 0 {
                return Ok(KeyMade::NoKey);
            }
        }
        if let Some(account) = key.account {
            let found = change
                .query("SELECT plan, closed FROM accounts WHERE id = $1")
                .bind(account)
                .optional(|row| Ok((row.get("plan")?, row.get("closed")?)))
                .await?;
            let plan: String = match found {
                None => return Ok(KeyMade::NoAccount),
                Some((_, Some::<i64>(_))) => return Ok(KeyMade::Closed),
                Some((plan, None)) => plan,
            };
            // a plan that the configuration no longer has allows no further key
            if let Some(most) = plans.get(&plan).map_or(Some(0), |plan| plan.keys) {
                let mut standing = working_keys_of(Some(account), now.millis());
                standing.add_plain("replaced IS NULL");
                if count_of(&mut change, &standing).await? >= most {
                    return Ok(KeyMade::TooMany(most));
                }
            }
        }
        if let (Some(account), Some(most)) = (key.account, key.most_today) {
            let mut of_today = keys_of(Some(account));
            of_today.add("created >= @", Some(now.day_began()));
            if count_of(&mut change, &of_today).await? >= most {
                return Ok(KeyMade::TooManyToday(most));
            }
        }
        let sql = format!(
            "INSERT INTO keys (account, prefix, hash, name, created, changed, expires) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING {}",
            KeyRow::COLUMNS
        );
        let made = change
            .query(AssertSqlSafe(sql))
            .bind(key.account)
            .bind(key.prefix)
            .bind(&key.hash[..])
            .bind(key.name)
            .bind(now.millis())
            .bind(counter)
            .bind(key.expires)
            .one(KeyRow::read)
            .await?;
        let deed = Deed {
            by: key.by,
            deed: "create key",
            account: made.account,
            subject: Some(made.id),
            detail: key.name,
        };
        record(&mut change, deed, now).await?;
        change.commit().await?;
        Ok(KeyMade::Made(made))
    }

    /// Stores an administrator's key if no key of one works; tells whether it did.
    pub async fn create_first_admin_key(
        &self,
        key: KeyToStore<'_>,
        now: Moment,
    ) -> Result<bool, StoreError> {
        let (mut change, counter) = self.change().await?;
        let working = working_keys_of(None, now.millis());
        if count_of(&mut change, &working).await? > 0 {
            return Ok(false);
        }
        let id = change
            .query(
                "INSERT INTO keys (prefix, hash, name, created, changed) \
                 VALUES ($1, $2, $3, $4, $5) RETURNING id",
            )
            .bind(key.prefix)
            .bind(&key.hash[..])
            .bind(key.name)
            .bind(now.millis())
            .bind(counter)
            .one(|row| row.get("id"))
            .await?;
        let deed = Deed {
            by: key.by,
            deed: "create key",
            account: None,
            subject: Some(id),
            detail: key.name,
        };
        record(&mut change, deed, now).await?;
        change.commit().await?;
        Ok(true)
    }

    /// The keys of an account, or the administrators', oldest first, including revoked ones.
    pub async fn keys(&self, account: Option<i64>) -> Result<Vec<KeyRow>, StoreError> {
        let all = keys_of(account);
        let sql = format!("SELECT {} {} ORDER BY id", KeyRow::COLUMNS, all.text);
        let query = self.read.query(AssertSqlSafe(sql));
        all.bind(query).all(KeyRow::read).await
    }

    /// How many keys an account has, or the administrators, and a page of them, oldest first,
    /// including revoked ones.
    pub async fn page_of_keys(
        &self,
        account: Option<i64>,
        limit: i64,
        offset: i64,
    ) -> Result<(i64, Vec<KeyRow>), StoreError> {
        let all = keys_of(account);
        let sql = format!("SELECT COUNT(*) AS count {}", all.text);
        let total = all.bind(self.read.query(AssertSqlSafe(sql)));
        let total = total.one(|row| row.get("count")).await?;
        let sql = format!(
            "SELECT {} {} ORDER BY id {}",
            KeyRow::COLUMNS,
            all.text,
            all.page()
        );
        let page = all.bind(self.read.query(AssertSqlSafe(sql)));
        let rows = page.bind(limit).bind(offset).all(KeyRow::read).await?;
        Ok((total, rows))
    }

    /// The key with this number.
    pub async fn key(&self, id: i64) -> Result<Option<KeyRow>, StoreError> {
        let query = self.read.query(AssertSqlSafe(select_key()));
        query.bind(id).optional(KeyRow::read).await
    }

    /// Revokes a key, unless it is the last one and `last` says that it stays. One that is revoked
    /// already stays as it is.
    pub async fn revoke_key(
        &self,
        id: i64,
        last: LastKey,
        by: Actor,
        now: Moment,
    ) -> Result<KeyRevoked, StoreError> {
        let (mut change, counter) = self.change().await?;
        let key = change.query(AssertSqlSafe(select_key())).bind(id);
        let key = key.optional(KeyRow::read).await?;
        let Some(mut key) = key else {
            return Ok(KeyRevoked::NoKey);
        };
        let beyond = match last {
            LastKey::KeptForAccount { account, .. } if key.account != Some(account) => {
                return Ok(KeyRevoked::NoKey);
            }
            LastKey::KeptForAccount { beyond, .. } => Some(beyond),
            LastKey::KeptForAdministrators if key.account.is_none() => Some(now.millis()),
            LastKey::KeptForAdministrators | LastKey::Revoked => None,
        };
        if key.revoked.is_some() {
            return Ok(KeyRevoked::Revoked(key));
        }
        // the transaction is alone with the keys: of two requests that revoke the last two keys one
        // finds the other's done
        if let Some(beyond) = beyond
            && key.expires.is_none_or(|expires| expires > beyond)
            && other_keys(&mut change, &key, beyond).await? == 0
        {
            return Ok(KeyRevoked::Last);
        }
        change
            .query("UPDATE keys SET revoked = $2, changed = $3 WHERE id = $1")
            .bind(id)
            .bind(now.millis())
            .bind(counter)
            .execute()
            .await?;
        key.revoked = Some(now.millis());
        let deed = Deed {
            by,
            deed: "revoke key",
            account: key.account,
            subject: Some(key.id),
            detail: &key.name,
        };
        record(&mut change, deed, now).await?;
        change.commit().await?;
        Ok(KeyRevoked::Revoked(key))
    }
}
