//! `/api/v2/account`: what a holder sees and does with one of the account's own keys.

use super::account_state::{AccountState, REPLACED, make_key};
use super::responses::{self, Data, EndpointCalls, Key, KeyBody, NewKeyShown, Usage};
use crate::auth::Holder;
use crate::body;
use crate::credits::{Ledger, Meter};
use crate::error::ApiError;
use crate::market::day::iso;
use crate::plans::Plan;
use crate::store::{Actor, LastKey};
use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, Uri};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// An account as its holder sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OwnAccount {
    /// Its number.
    id: i64,
    /// Its name.
    name: String,
    /// Its plan.
    plan: Plan,
    /// The number of the key that was used.
    key_id: i64,
    /// Credits of the UTC day.
    daily: Allowance,
    /// Calls of the minute.
    minute: Allowance,
}

/// An allowance and what is left of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Allowance {
    /// What the plan allows.
    #[schema(minimum = 0)]
    limit: i64,
    /// What is left.
    #[schema(minimum = 0)]
    remaining: i64,
    /// When it starts again.
    #[schema(format = DateTime)]
    reset_at: String,
}

/// The account, its plan and what is left.
#[utoipa::path(get, path = "/api/v2/account", operation_id = "getAccount", tag = "account",
    responses((status = 200, description = "The account", body = Data<OwnAccount>)))]
pub(super) async fn show(
    State(ledger): State<Arc<Ledger>>,
    Holder { key, account }: Holder,
    uri: Uri,
) -> Result<Json<Data<OwnAccount>>, ApiError> {
    body::query(&uri, &[])?;
    let balance = ledger.balance(&account, Meter::V2).await?;
    let allowance = |limit, remaining, reset: i64| Allowance {
        limit,
        remaining,
        reset_at: iso(reset * 1000),
    };
    Ok(Data::of(OwnAccount {
        id: account.id,
        name: account.name.clone(),
        plan: Plan::clone(&account.plan.load()),
        key_id: key,
        daily: allowance(
            balance.daily_limit,
            balance.daily_remaining,
            balance.daily_reset,
        ),
        minute: allowance(
            balance.minute_limit,
            balance.minute_remaining,
            balance.minute_reset,
        ),
    }))
}

/// The account's keys.
#[utoipa::path(get, path = "/api/v2/account/keys", operation_id = "listKeys", tag = "account",
    responses((status = 200, description = "The keys, including revoked ones", body = Data<Vec<Key>>)))]
pub(super) async fn keys(
    State(state): State<AccountState>,
    Holder { account, .. }: Holder,
    uri: Uri,
) -> Result<Json<Data<Vec<Key>>>, ApiError> {
    body::query(&uri, &[])?;
    let rows = state.store.keys(Some(account.id)).await?;
    Ok(Data::<Key>::list(&rows))
}

/// Makes a key; one that replaces another may be made where the plan allows no further key.
#[utoipa::path(post, path = "/api/v2/account/keys", operation_id = "createKey", tag = "account",
    request_body = KeyBody,
    responses((status = 201, description = "The key; its text is shown this once", body = Data<NewKeyShown>), (status = 409, description = "`replaces` is no key of the account that works")))]
pub(super) async fn create_key(
    State(state): State<AccountState>,
    Holder { key, account }: Holder,
    request: Request,
) -> Result<(StatusCode, Json<Data<NewKeyShown>>), ApiError> {
    let asked: KeyBody = body::of(state.limits.body_bytes, request).await?;
    make_key(
        &state,
        Some(account.id),
        &asked,
        Some(state.limits.keys_a_day),
        Actor::Key(key),
    )
    .await
}

/// Revokes one of the account's keys; the key of the request is allowed too, unless it is the last.
#[utoipa::path(delete, path = "/api/v2/account/keys/{id}", operation_id = "revokeKey", tag = "account",
    params(("id" = i64, Path, description = "The number of the key", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The key, revoked; revoking it again changes nothing", body = Data<Key>), (status = 409, description = "It is the account's last key")))]
pub(super) async fn revoke_key(
    State(state): State<AccountState>,
    Holder { key, account }: Holder,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Json<Data<Key>>, ApiError> {
    body::query(&uri, &[])?;
    let number = responses::number(&id, "key")?;
    let now = state.clock.now();
    let last = LastKey::KeptForAccount {
        account: account.id,
        // one that was replaced or expires soon is no key to go on with
        beyond: now.millis() + REPLACED,
    };
    let store = &state.store;
    let revoked = store.revoke_key(number, last, Actor::Key(key), now).await?;
    let row = responses::revoked(
        revoked,
        &id,
        "this is the account's last key: make one that replaces it (\"replaces\"), or ask the administrator to close the account",
    )?;
    state.directory.refresh().await?;
    Ok(Data::of(Key::from(&row)))
}

/// The account's usage by day.
#[utoipa::path(get, path = "/api/v2/account/usage", operation_id = "getUsage", tag = "account",
    params(("days" = Option<i64>, Query, description = "Days, up to and including today; 30 by default", minimum = 1, maximum = 366)),
    responses((status = 200, description = "The days on which there was usage", body = Data<Vec<Usage>>)))]
pub(super) async fn usage(
    State(state): State<AccountState>,
    Holder { account, .. }: Holder,
    uri: Uri,
) -> Result<Json<Data<Vec<Usage>>>, ApiError> {
    let pairs = body::query(&uri, &["days"])?;
    let rows = state
        .store
        .usage_since(account.id, responses::since(&pairs, state.clock.now())?)
        .await?;
    Ok(Data::<Usage>::list(&rows))
}

/// The account's calls by day and endpoint. They are counted apart from credits, some seconds late:
/// what is charged is what `usage` says.
#[utoipa::path(get, path = "/api/v2/account/usage/endpoints", operation_id = "getUsageByEndpoint", tag = "account",
    params(("days" = Option<i64>, Query, description = "Days, up to and including today; 30 by default", minimum = 1, maximum = 366)),
    responses((status = 200, description = "The endpoints that were called, oldest day first", body = Data<Vec<EndpointCalls>>)))]
pub(super) async fn endpoint_usage(
    State(state): State<AccountState>,
    Holder { account, .. }: Holder,
    uri: Uri,
) -> Result<Json<Data<Vec<EndpointCalls>>>, ApiError> {
    let pairs = body::query(&uri, &["days"])?;
    let rows = state
        .store
        .endpoint_usage_since(account.id, responses::since(&pairs, state.clock.now())?)
        .await?;
    Ok(Data::<EndpointCalls>::list(&rows))
}
