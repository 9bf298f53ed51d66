//! [`AccountState`]: what the handlers of accounts and keys share, for holders and administrators.

use super::admin::account_closed;
use super::responses::{Data, Key, KeyBody, NewKeyShown, expiry, name};
use crate::app::App;
use crate::auth::Directory;
use crate::clock::Clock;
use crate::error::ApiError;
use crate::keys::NewKey;
use crate::limits::Limits;
use crate::plans::Plans;
use crate::store::{Actor, KeyMade, KeyToStore, Store};
use axum::Json;
use axum::extract::FromRef;
use axum::http::StatusCode;
use std::sync::Arc;

/// What the handlers of accounts and keys share.
#[derive(Clone)]
pub(crate) struct AccountState {
    pub(super) store: Store,
    pub(super) directory: Arc<Directory>,
    pub(super) plans: Arc<Plans>,
    pub(super) clock: Clock,
    pub(super) limits: Limits,
}

impl FromRef<App> for AccountState {
    fn from_ref(app: &App) -> Self {
        Self {
            store: app.store.clone(),
            directory: Arc::clone(&app.directory),
            plans: Arc::clone(&app.plans),
            clock: app.ledger.clock().clone(),
            limits: app.settings.limits,
        }
    }
}

/// For how long a key that was replaced still works, in milliseconds: a day.
pub(crate) const REPLACED: i64 = 86_400_000;

/// Makes a key. Its text appears in the answer and nowhere else.
///
/// # Errors
/// 400 if its name or its end is wrong, 403 if the plan allows no more keys, 404 if there is no such
/// account, 409 if the key that it replaces does not work or is another's, 429 if `most_today` keys were
/// made today.
pub(crate) async fn make_key(
    state: &AccountState,
    account: Option<i64>,
    asked: &KeyBody,
    most_today: Option<u64>,
    by: Actor,
) -> Result<(StatusCode, Json<Data<NewKeyShown>>), ApiError> {
    let called = name(&asked.name)?;
    let now = state.clock.now();
    let expires = asked.expires_at.as_deref().map(|text| expiry(text, now));
    let new = NewKey::make(account.is_none()).map_err(|_| ApiError::internal())?;
    let stored = KeyToStore {
        account,
        name: called,
        prefix: &new.prefix,
        hash: &new.hash,
        most_today,
        expires: expires.transpose()?,
        replaces: asked.replaces.map(|key| (key, now.millis() + REPLACED)),
        by,
    };
    match state.store.create_key(stored, &state.plans, now).await? {
        KeyMade::Made(row) => {
            // the key is stored, and its text is in this answer alone
            state.directory.try_refresh().await;
            Ok((
                StatusCode::CREATED,
                Data::of(NewKeyShown {
                    of: Key::from(&row),
                    key: new.text,
                }),
            ))
        }
        KeyMade::TooMany(most) => {
            let message = format!("the plan allows {most} keys: revoke one, or take a larger plan");
            Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "too_many_keys",
                message,
            ))
        }
        KeyMade::TooManyToday(most) => {
            let message =
                format!("{most} keys were made today, which is the limit: wait until midnight UTC");
            Err(
                ApiError::new(StatusCode::TOO_MANY_REQUESTS, "key_limit", message)
                    .retry_after(now.seconds_until(now.next_day())),
            )
        }
        KeyMade::Closed => Err(account_closed(account.unwrap_or_default())),
        // no 404: the account is there
        KeyMade::NoKey => {
            let key = asked.replaces.unwrap_or_default();
            let message = match account {
                Some(_) => format!(
                    "replaces is {key}, and the account has no such key that works: list its keys"
                ),
                None => format!(
                    "replaces is {key}, and no administrator's key that works has this number: list them"
                ),
            };
            let error = ApiError::new(StatusCode::CONFLICT, "not_replaceable", message);
            Err(error.field("replaces"))
        }
        KeyMade::NoAccount => Err(ApiError::not_found(
            "account",
            &account.unwrap_or_default().to_string(),
        )),
    }
}
