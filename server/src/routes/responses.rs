//! Accounts, keys and usage as JSON, the same for holders and administrators.

use crate::clock::Moment;
use crate::error::ApiError;
use crate::keys::{ADMIN, HOLDER};
use crate::market::day::{Day, iso, moment};
use crate::store::{
    AccountRow, AccountStatus, Actor, AuditRow, EndpointUsage, KeyRevoked, KeyRow, UsageRow,
};
use axum::Json;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use titledex_command::visible;
use utoipa::ToSchema;

/// The most characters of a name.
const MOST_NAME: usize = 100;
/// Days of usage shown by default.
const DAYS: i64 = 30;

/// The body that makes a key.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct KeyBody {
    /// Its name, on one line.
    #[schema(
        min_length = 1,
        max_length = 100,
        pattern = r"^[^\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*[^\s\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb][^\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*$"
    )]
    pub(crate) name: String,
    /// When it stops working: a day in UTC, from its beginning, or a moment. Never by default.
    #[serde(default, deserialize_with = "crate::body::stated")]
    #[schema(format = DateTime)]
    pub(crate) expires_at: Option<String>,
    /// The number of the key that it replaces, which works for another day: one of the same account,
    /// or for an administrator's key another administrator's.
    #[serde(default, deserialize_with = "crate::body::whole")]
    #[schema(minimum = 1, maximum = 999_999_999_999_999_999i64)]
    pub(crate) replaces: Option<i64>,
}

/// The key that was revoked.
///
/// # Errors
/// 404 if no key has this `id`; 409, with the message `last`, if the last key would be lost.
pub(super) fn revoked(revoked: KeyRevoked, id: &str, last: &str) -> Result<KeyRow, ApiError> {
    match revoked {
        KeyRevoked::Revoked(row) => Ok(row),
        KeyRevoked::NoKey => Err(ApiError::not_found("key", id)),
        KeyRevoked::Last => Err(ApiError::new(StatusCode::CONFLICT, "last_key", last)),
    }
}

/// When a key expires, in milliseconds since 1970.
///
/// # Errors
/// 400 if it is no moment, or has passed.
pub(crate) fn expiry(text: &str, now: Moment) -> Result<i64, ApiError> {
    let shown: String = text.chars().take(40).collect();
    let refused = |what: &str| {
        let message = format!(
            "{shown:?} {what}: write a day as 2030-01-31, or a moment as 2030-01-31T12:00:00Z, in UTC"
        );
        Err(ApiError::bad("invalid_value", message).field("expiresAt"))
    };
    match moment(text) {
        None => refused("is no moment"),
        Some(millis) if millis <= now.millis() => refused("has passed"),
        Some(millis) => Ok(millis),
    }
}

/// A name without surrounding blanks.
///
/// # Errors
/// 400 if it is empty, too long or has characters that nobody sees, as an id of an import may not:
/// one that turns the direction of writing makes two names look alike.
pub(crate) fn name(text: &str) -> Result<&str, ApiError> {
    let name = text.trim();
    let unseen = |c: char| visible(c).is_some_and(|shown| shown != c);
    if name.is_empty() || text.chars().count() > MOST_NAME || text.chars().any(unseen) {
        let message = format!(
            "a name has 1 to {MOST_NAME} characters on one line, all of them visible: send another"
        );
        return Err(ApiError::bad("invalid_name", message).field("name"));
    }
    Ok(name)
}

/// A reason without surrounding blanks.
///
/// # Errors
/// As [`name`].
pub(crate) fn reason(text: &str) -> Result<&str, ApiError> {
    name(text).map_err(|_| {
        let message = format!(
            "a reason has 1 to {MOST_NAME} characters on one line, all of them visible: send another"
        );
        ApiError::bad("invalid_body", message).field("reason")
    })
}

/// A number in a path.
///
/// # Errors
/// 404 if it is none: there is nothing of that name.
pub(crate) fn number(text: &str, what: &str) -> Result<i64, ApiError> {
    let plain = text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    let shown: String = text.chars().take(32).collect();
    text.parse()
        .ok()
        .filter(|_| plain)
        .ok_or_else(|| ApiError::not_found(what, &shown))
}

/// The first day of the window that the parameter `days` gives.
///
/// # Errors
/// 400 if it is not a number of days.
pub(crate) fn since(pairs: &[(String, String)], now: Moment) -> Result<i64, ApiError> {
    let days = match pairs.iter().find(|(name, _)| name == "days") {
        None => DAYS,
        Some((_, text)) => text
            .parse()
            .ok()
            .filter(|days| (1..=366).contains(days))
            .ok_or_else(|| {
                ApiError::bad(
                    "out_of_range",
                    "days is a number from 1 to 366: send another",
                )
                .field("days")
            })?,
    };
    Ok(now.day() - days + 1)
}

/// An account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Account {
    /// Its number.
    id: i64,
    /// Its name. No two accounts have the same one.
    name: String,
    /// The name of its plan.
    plan: String,
    /// When it was made.
    #[schema(format = DateTime)]
    created_at: String,
    /// Whether its keys work.
    status: AccountStatus,
    /// When it was suspended; null unless it is, or was when it was closed.
    #[schema(format = DateTime, required)]
    suspended_at: Option<String>,
    /// When it was closed; null unless it is.
    #[schema(format = DateTime, required)]
    closed_at: Option<String>,
}

impl From<&AccountRow> for Account {
    fn from(row: &AccountRow) -> Self {
        Self {
            id: row.id,
            name: row.name.clone(),
            plan: row.plan.clone(),
            created_at: iso(row.created),
            status: row.status(),
            suspended_at: row.suspended.map(iso),
            closed_at: row.closed.map(iso),
        }
    }
}

/// A key, without its secret.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Key {
    /// Its number.
    id: i64,
    /// What its holder calls it.
    name: String,
    /// The beginning of its text: enough to recognise it, useless without the rest.
    prefix: String,
    /// When it was made.
    #[schema(format = DateTime)]
    created_at: String,
    /// When it was revoked; null while it is valid.
    #[schema(format = DateTime, required)]
    revoked_at: Option<String>,
    /// When it stops working; null if it never does.
    #[schema(format = DateTime, required)]
    expires_at: Option<String>,
}

impl From<&KeyRow> for Key {
    fn from(row: &KeyRow) -> Self {
        let prefix = format!(
            "{}{}",
            if row.account.is_none() { ADMIN } else { HOLDER },
            row.prefix
        );
        Self {
            id: row.id,
            name: row.name.clone(),
            prefix,
            created_at: iso(row.created),
            revoked_at: row.revoked.map(iso),
            expires_at: row.expires.map(iso),
        }
    }
}

/// A key that was made, with its secret.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewKeyShown {
    #[serde(flatten)]
    pub(super) of: Key,
    /// The key itself: its only copy, shown this once.
    pub(super) key: String,
}

/// A change to accounts, keys, the catalogue or listings under review.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Audit<'r> {
    id: i64,
    at: String,
    /// The number of the key that asked; null for the command line.
    by_key: Option<i64>,
    deed: &'r str,
    account: Option<i64>,
    /// The number of the key or listing.
    subject: Option<i64>,
    detail: &'r str,
}

impl<'r> From<&'r AuditRow> for Audit<'r> {
    fn from(row: &'r AuditRow) -> Self {
        Self {
            id: row.id,
            at: iso(row.moment),
            by_key: match row.by {
                Actor::Operator => None,
                Actor::Key(key) => Some(key),
            },
            deed: &row.deed,
            account: row.account,
            subject: row.subject,
            detail: &row.detail,
        }
    }
}

/// What an account used on a day.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Usage {
    /// The UTC day.
    #[schema(format = Date)]
    date: String,
    /// The version whose credits these are.
    version: Version,
    /// Credits that requests consumed (v1: requests).
    #[schema(minimum = 0)]
    credits_used: i64,
    /// Credits that a server has leased and not spent; most of them are returned.
    #[schema(minimum = 0)]
    credits_reserved: i64,
}

/// A version of the interface.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Version {
    V1,
    V2,
}

impl From<&UsageRow> for Usage {
    fn from(row: &UsageRow) -> Self {
        let version = if row.meter == 1 {
            Version::V1
        } else {
            Version::V2
        };
        Self {
            date: Day(row.day).to_string(),
            version,
            credits_used: row.used - row.leased,
            credits_reserved: row.leased,
        }
    }
}

/// Calls of an endpoint on a day.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EndpointCalls {
    /// The UTC day.
    #[schema(format = Date)]
    date: String,
    /// Its path.
    endpoint: String,
    /// Calls that were answered.
    #[schema(minimum = 0)]
    calls: i64,
    /// Credits that they consumed (v1: requests).
    #[schema(minimum = 0)]
    credits_used: i64,
}

impl From<&EndpointUsage> for EndpointCalls {
    fn from(row: &EndpointUsage) -> Self {
        Self {
            date: Day(row.day).to_string(),
            endpoint: row.endpoint.clone(),
            calls: row.calls,
            credits_used: row.credits,
        }
    }
}

/// The shape of all answers except streams and errors: an object with `data`.
#[derive(Serialize, ToSchema)]
pub(crate) struct Data<T> {
    /// The result.
    pub(crate) data: T,
}

impl<T> Data<T> {
    /// As JSON.
    pub(crate) fn of(data: T) -> Json<Self> {
        Json(Self { data })
    }

    /// Rows as JSON.
    pub(crate) fn list<R>(rows: &[R]) -> Json<Data<Vec<T>>>
    where
        T: for<'r> From<&'r R>,
    {
        Data::of(rows.iter().map(T::from).collect())
    }
}
