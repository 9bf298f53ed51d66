//! `/api/v2/account`: what a holder sees and does with one of the account's own keys.

use super::shapes::{self, Data, Key, KeyBody, NewKeyShown, Usage, make_key};
use crate::app::App;
use crate::auth::Caller;
use crate::body;
use crate::error::ApiError;
use crate::ledger::Meter;
use crate::market::day::iso;
use crate::plans::Plan;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
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
    /// When it is whole again.
    #[schema(format = DateTime)]
    reset_at: String,
}

/// The account, its plan and what is left.
#[utoipa::path(get, path = "/api/v2/account", operation_id = "getAccount", tag = "account",
    responses((status = 200, description = "The account", body = Data<OwnAccount>)))]
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Json<Data<OwnAccount>>, ApiError> {
    body::query(request.uri(), &[])?;
    let (key, account) = caller.holder()?;
    let standing = app.ledger.standing(&account, Meter::V2).await?;
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
            standing.daily_limit,
            standing.daily_remaining,
            standing.daily_reset,
        ),
        minute: allowance(
            standing.minute_limit,
            standing.minute_remaining,
            standing.minute_reset,
        ),
    }))
}

/// The account's keys.
#[utoipa::path(get, path = "/api/v2/account/keys", operation_id = "listKeys", tag = "account",
    responses((status = 200, description = "The keys, those that were revoked among them", body = Data<Vec<Key>>)))]
pub(super) async fn keys(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Json<Data<Vec<Key>>>, ApiError> {
    body::query(request.uri(), &[])?;
    let (_, account) = caller.holder()?;
    let rows = app.store.keys(Some(account.id)).await?;
    Ok(Data::<Key>::list(&rows))
}

/// Makes a key.
#[utoipa::path(post, path = "/api/v2/account/keys", operation_id = "createKey", tag = "account",
    request_body = KeyBody,
    responses((status = 201, description = "The key; its text is shown this once", body = Data<NewKeyShown>)))]
pub(super) async fn create_key(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<(StatusCode, Json<Data<NewKeyShown>>), ApiError> {
    let (_, account) = caller.holder()?;
    let asked: KeyBody = body::asked(&app, request).await?;
    make_key(
        &app,
        Some(account.id),
        &asked.name,
        Some(app.settings.limits.keys_a_day),
    )
    .await
}

/// Revokes one of the account's keys, the one that is used among them.
#[utoipa::path(delete, path = "/api/v2/account/keys/{id}", operation_id = "revokeKey", tag = "account",
    params(("id" = i64, Path, description = "The number of the key", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The key, revoked; revoking it again changes nothing", body = Data<Key>)))]
pub(super) async fn revoke_key(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Key>>, ApiError> {
    body::query(request.uri(), &[])?;
    let (_, account) = caller.holder()?;
    let number = shapes::number(&id, "key")?;
    // another account's key is not there
    app.store
        .key(number)
        .await?
        .filter(|row| row.account == Some(account.id))
        .ok_or_else(|| ApiError::not_found("key", &id))?;
    let row = app
        .store
        .revoke_key(number, app.ledger.clock().now())
        .await?
        .ok_or_else(|| ApiError::not_found("key", &id))?;
    app.directory.refresh().await?;
    Ok(Data::of(Key::from(&row)))
}

/// The account's usage by day.
#[utoipa::path(get, path = "/api/v2/account/usage", operation_id = "getUsage", tag = "account",
    params(("days" = Option<i64>, Query, description = "Days, today the last of them; 30 where it is left out", minimum = 1, maximum = 366)),
    responses((status = 200, description = "The days on which there was usage", body = Data<Vec<Usage>>)))]
pub(super) async fn usage(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Json<Data<Vec<Usage>>>, ApiError> {
    let (_, account) = caller.holder()?;
    let pairs = body::query(request.uri(), &["days"])?;
    let rows = app
        .store
        .usage_since(account.id, shapes::since(&pairs, app.ledger.clock().now())?)
        .await?;
    Ok(Data::<Usage>::list(&rows))
}
