//! `/api/admin`: accounts, keys, plans and usage, with an administrator's key.

use super::shapes::{self, Account, Data, Key, KeyBody, NewKeyShown, Usage, make_key};
use crate::app::App;
use crate::body;
use crate::error::ApiError;
use crate::plans::Plan;
use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The body that makes an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AccountBody {
    /// What to call it, on one line; no two bear the same name.
    #[schema(
        min_length = 1,
        max_length = 100,
        pattern = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
    )]
    name: String,
    /// The name of one of the service's plans.
    plan: String,
}

/// The body that sets a plan.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PlanBody {
    /// The name of one of the service's plans.
    plan: String,
}

/// The catalogue after it was opened anew.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reloaded {
    /// Its name and checksum.
    catalogue_version: String,
    /// Whether it is another one than before.
    changed: bool,
}

fn known_plan(app: &App, plan: &str) -> Result<(), ApiError> {
    match app.plans.get(plan) {
        Some(_) => Ok(()),
        None => Err(ApiError::bad(
            "unknown_plan",
            format!("there is no such plan: known are {}", app.plans.names()),
        )
        .field("plan")),
    }
}

/// All accounts.
#[utoipa::path(get, path = "/api/admin/accounts", operation_id = "listAccounts", tag = "admin",
    responses((status = 200, description = "All accounts", body = Data<Vec<Account>>)))]
pub(super) async fn accounts(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Json<Data<Vec<Account>>>, ApiError> {
    body::query(request.uri(), &[])?;
    Ok(Data::<Account>::list(&app.store.accounts().await?))
}

/// Makes an account.
#[utoipa::path(post, path = "/api/admin/accounts", operation_id = "createAccount", tag = "admin",
    request_body = AccountBody,
    responses((status = 201, description = "The account", body = Data<Account>),
        (status = 409, description = "Another account bears the name")))]
pub(super) async fn create_account(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<(StatusCode, Json<Data<Account>>), ApiError> {
    let asked: AccountBody = body::asked(&app, request).await?;
    known_plan(&app, &asked.plan)?;
    let name = shapes::name(&asked.name)?;
    let Some(row) = app
        .store
        .create_account(name, &asked.plan, app.ledger.clock().now())
        .await?
    else {
        let message = "an account bears this name: choose another";
        return Err(ApiError::new(StatusCode::CONFLICT, "name_taken", message).field("name"));
    };
    app.directory.refresh().await?;
    Ok((StatusCode::CREATED, Data::of(Account::from(&row))))
}

/// One account.
#[utoipa::path(get, path = "/api/admin/accounts/{id}", operation_id = "getAnAccount", tag = "admin",
    params(("id" = i64, Path, description = "The number of the account", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The account", body = Data<Account>)))]
pub(super) async fn account(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Account>>, ApiError> {
    body::query(request.uri(), &[])?;
    let row = app
        .store
        .account(shapes::number(&id, "account")?)
        .await?
        .ok_or_else(|| ApiError::not_found("account", &id))?;
    Ok(Data::of(Account::from(&row)))
}

/// Puts an account on another plan. Keys beyond what it allows stay; no further ones are made.
#[utoipa::path(put, path = "/api/admin/accounts/{id}/plan", operation_id = "setPlan", tag = "admin",
    params(("id" = i64, Path, description = "The number of the account", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    request_body = PlanBody,
    responses((status = 200, description = "The account, on its new plan", body = Data<Account>)))]
pub(super) async fn set_plan(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Account>>, ApiError> {
    let asked: PlanBody = body::asked(&app, request).await?;
    known_plan(&app, &asked.plan)?;
    let number = shapes::number(&id, "account")?;
    let row = app
        .store
        .set_plan(number, &asked.plan)
        .await?
        .ok_or_else(|| ApiError::not_found("account", &id))?;
    app.directory.refresh().await?;
    Ok(Data::of(Account::from(&row)))
}

/// An account's keys.
#[utoipa::path(get, path = "/api/admin/accounts/{id}/keys", operation_id = "listKeysOfAccount", tag = "admin",
    params(("id" = i64, Path, description = "The number of the account", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "Its keys, those that were revoked among them", body = Data<Vec<Key>>)))]
pub(super) async fn keys(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Vec<Key>>>, ApiError> {
    body::query(request.uri(), &[])?;
    let number = shapes::number(&id, "account")?;
    app.store
        .account(number)
        .await?
        .ok_or_else(|| ApiError::not_found("account", &id))?;
    Ok(Data::<Key>::list(&app.store.keys(Some(number)).await?))
}

/// Makes a key of an account.
#[utoipa::path(post, path = "/api/admin/accounts/{id}/keys", operation_id = "createKeyOfAccount", tag = "admin",
    params(("id" = i64, Path, description = "The number of the account", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    request_body = KeyBody,
    responses((status = 201, description = "The key; its text is shown this once", body = Data<NewKeyShown>)))]
pub(super) async fn create_key(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<(StatusCode, Json<Data<NewKeyShown>>), ApiError> {
    let asked: KeyBody = body::asked(&app, request).await?;
    make_key(
        &app,
        Some(shapes::number(&id, "account")?),
        &asked.name,
        None,
    )
    .await
}

/// The administrators' keys.
#[utoipa::path(get, path = "/api/admin/keys", operation_id = "listAdminKeys", tag = "admin",
    responses((status = 200, description = "The administrators' keys, those that were revoked among them", body = Data<Vec<Key>>)))]
pub(super) async fn admin_keys(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Json<Data<Vec<Key>>>, ApiError> {
    body::query(request.uri(), &[])?;
    Ok(Data::<Key>::list(&app.store.keys(None).await?))
}

/// Makes an administrator's key.
#[utoipa::path(post, path = "/api/admin/keys", operation_id = "createAdminKey", tag = "admin",
    request_body = KeyBody,
    responses((status = 201, description = "The key; its text is shown this once", body = Data<NewKeyShown>)))]
pub(super) async fn create_admin_key(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<(StatusCode, Json<Data<NewKeyShown>>), ApiError> {
    let asked: KeyBody = body::asked(&app, request).await?;
    make_key(&app, None, &asked.name, None).await
}

/// Revokes any key.
#[utoipa::path(delete, path = "/api/admin/keys/{id}", operation_id = "revokeAnyKey", tag = "admin",
    params(("id" = i64, Path, description = "The number of the key", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The key, revoked; revoking it again changes nothing", body = Data<Key>)))]
pub(super) async fn revoke_key(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Key>>, ApiError> {
    body::query(request.uri(), &[])?;
    let number = shapes::number(&id, "key")?;
    let row = app
        .store
        .revoke_key(number, app.ledger.clock().now())
        .await?
        .ok_or_else(|| ApiError::not_found("key", &id))?;
    app.directory.refresh().await?;
    Ok(Data::of(Key::from(&row)))
}

/// An account's usage by day.
#[utoipa::path(get, path = "/api/admin/accounts/{id}/usage", operation_id = "getUsageOfAccount", tag = "admin",
    params(("id" = i64, Path, description = "The number of the account", minimum = 1, maximum = 999_999_999_999_999_999i64),
        ("days" = Option<i64>, Query, description = "Days, today the last of them; 30 where it is left out", minimum = 1, maximum = 366)),
    responses((status = 200, description = "The days on which there was usage", body = Data<Vec<Usage>>)))]
pub(super) async fn usage(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Vec<Usage>>>, ApiError> {
    let pairs = body::query(request.uri(), &["days"])?;
    let number = shapes::number(&id, "account")?;
    app.store
        .account(number)
        .await?
        .ok_or_else(|| ApiError::not_found("account", &id))?;
    let rows = app
        .store
        .usage_since(number, shapes::since(&pairs, app.ledger.clock().now())?)
        .await?;
    Ok(Data::<Usage>::list(&rows))
}

/// What each plan allows.
#[utoipa::path(get, path = "/api/admin/plans", operation_id = "listPlans", tag = "admin",
    responses((status = 200, description = "The plans, in the order of what they allow", body = Data<Vec<Plan>>)))]
pub(super) async fn plans(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Json<Data<Vec<Plan>>>, ApiError> {
    body::query(request.uri(), &[])?;
    Ok(Data::of(app.plans.iter().cloned().collect()))
}

/// Opens the catalogue anew; one that is refused changes nothing.
#[utoipa::path(post, path = "/api/admin/catalogue/reload", operation_id = "reloadCatalogue", tag = "admin",
    responses((status = 200, description = "The catalogue that now answers", body = Data<Reloaded>),
        (status = 409, description = "The catalogue is refused; the one that was there stays")))]
pub(super) async fn reload(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Json<Data<Reloaded>>, ApiError> {
    body::query(request.uri(), &[])?;
    let reading = Arc::clone(&app);
    let reloaded = tokio::task::spawn_blocking(move || reading.reader.reload())
        .await
        .map_err(|_| ApiError::internal())?;
    match reloaded {
        Ok(changed) => {
            let version = &app.reader.now().version;
            tracing::info!(version, changed, "catalogue opened anew");
            Ok(Data::of(Reloaded {
                catalogue_version: version.clone(),
                changed,
            }))
        }
        Err(error) => {
            tracing::warn!(%error, "the catalogue was refused; the one that was there stays");
            Err(ApiError::new(
                StatusCode::CONFLICT,
                "catalogue_refused",
                format!("{error}; the catalogue that was there stays"),
            ))
        }
    }
}
