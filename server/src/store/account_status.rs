//! Accounts that are suspended, resumed and closed.

use super::accounts::AccountRow;
use super::audit::{Actor, Deed, record};
use super::error::StoreError;
use super::handle::Store;
use crate::clock::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Whether the keys of an account work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AccountStatus {
    /// They do.
    Active,
    /// They are refused until the account is resumed.
    Suspended,
    /// They are revoked, for good.
    Closed,
}

impl AccountStatus {
    /// The word for giving an account this status, for the record.
    fn deed(self) -> &'static str {
        match self {
            Self::Active => "resume account",
            Self::Suspended => "suspend account",
            Self::Closed => "close account",
        }
    }
}

impl AccountRow {
    /// Whether its keys work.
    #[must_use]
    pub fn status(&self) -> AccountStatus {
        match (self.closed, self.suspended) {
            (Some(_), _) => AccountStatus::Closed,
            (None, Some(_)) => AccountStatus::Suspended,
            (None, None) => AccountStatus::Active,
        }
    }
}

/// What became of a change of status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatusSet {
    /// The account as it is now.
    Done(AccountRow),
    /// There is no such account.
    NoAccount,
    /// It is closed, and stays so.
    Closed,
}

impl Store {
    /// Suspends, resumes or closes an account. Closing revokes its keys; its usage and its record
    /// stay. A status that it already has changes nothing.
    pub async fn set_account_status(
        &self,
        account: i64,
        status: AccountStatus,
        reason: &str,
        by: Actor,
        now: Moment,
    ) -> Result<StatusSet, StoreError> {
        let (mut change, counter) = self.change().await?;
        let found = change
            .query("SELECT id, name, plan, created, suspended, closed FROM accounts WHERE id = $1")
            .bind(account)
            .optional(AccountRow::read)
            .await?;
        let before = match found {
            None => return Ok(StatusSet::NoAccount),
            Some(row) if row.status() == status => return Ok(StatusSet::Done(row)),
            Some(row) if row.closed.is_some() => return Ok(StatusSet::Closed),
            Some(row) => row,
        };
        let (suspended, closed) = match status {
            AccountStatus::Active => (None, None),
            AccountStatus::Suspended => (Some(now.millis()), None),
            AccountStatus::Closed => (before.suspended, Some(now.millis())),
        };
        let row = change
            .query(
                "UPDATE accounts SET suspended = $2, closed = $3, changed = $4 WHERE id = $1 \
                 RETURNING id, name, plan, created, suspended, closed",
            )
            .bind(account)
            .bind(suspended)
            .bind(closed)
            .bind(counter)
            .one(AccountRow::read)
            .await?;
        if status == AccountStatus::Closed {
            change
                .query(
                    "UPDATE keys SET revoked = $2, changed = $3 \
                     WHERE account = $1 AND revoked IS NULL",
                )
                .bind(account)
                .bind(now.millis())
                .bind(counter)
                .execute()
                .await?;
        }
        let deed = Deed {
            by,
            deed: status.deed(),
            account: Some(account),
            subject: None,
            detail: reason,
        };
        record(&mut change, deed, now).await?;
        change.commit().await?;
        Ok(StatusSet::Done(row))
    }
}
