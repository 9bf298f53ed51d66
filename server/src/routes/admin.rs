//! `/api/admin`: accounts, keys, plans and usage, with an administrator's key.

use super::account_state::{AccountState, make_key};
use super::paging::{Page, Paged};
use super::responses::{self, Account, Data, Key, KeyBody, NewKeyShown, Usage};
use crate::auth::Administrator;
use crate::body;
use crate::catalogue::Reader;
use crate::clock::Moment;
use crate::error::ApiError;
use crate::plans::Plan;
use crate::store::{AccountRow, AccountStatus, Actor, Deed, LastKey, StatusSet, Store};
use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, Uri};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The body that makes an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AccountBody {
    /// Its name, on one line. No two accounts have the same one.
    #[schema(
        min_length = 1,
        max_length = 100,
        pattern = r"^[^\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*[^\s\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb][^\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*$"
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

/// The body that suspends, resumes or closes an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct StatusBody {
    /// `suspended`: its keys get 403 until it is `active` again. `closed`: its keys are revoked, and
    /// it stays closed; name, usage and record are kept.
    status: AccountStatus,
    /// Why, for the record of what administrators did; on one line.
    #[serde(default, deserialize_with = "body::stated")]
    #[schema(
        min_length = 1,
        max_length = 100,
        pattern = r"^[^\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*[^\s\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb][^\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*$"
    )]
    reason: Option<String>,
}

/// The catalogue after reloading.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reloaded {
    /// Its name and checksum.
    catalogue_version: String,
    /// Whether it differs from the previous one.
    changed: bool,
}

fn known_plan(state: &AccountState, plan: &str) -> Result<(), ApiError> {
    match state.plans.get(plan) {
        Some(_) => Ok(()),
        None => Err(ApiError::bad(
            "unknown_plan",
            format!("there is no such plan: known are {}", state.plans.names()),
        )
        .field("plan")),
    }
}

/// All accounts, oldest first, in pages.
#[utoipa::path(get, path = "/api/admin/accounts", operation_id = "listAccounts", tag = "admin",
    params(
        ("limit" = Option<i64>, Query, description = "The most accounts; 1,000 by default and at most: more is cut to that", minimum = 1),
        ("offset" = Option<i64>, Query, description = "Accounts to skip", minimum = 0, maximum = 1_000_000)),
    responses((status = 200, description = "A page of the accounts", body = Paged<Account>)))]
pub(super) async fn accounts(
    State(state): State<AccountState>,
    uri: Uri,
) -> Result<Json<Paged<Account>>, ApiError> {
    let page = Page::of_rows(&uri)?;
    let (total, rows) = state
        .store
        .page_of_accounts(page.limit, page.offset)
        .await?;
    Ok(page.list(total, &rows))
}

/// Makes an account.
#[utoipa::path(post, path = "/api/admin/accounts", operation_id = "createAccount", tag = "admin",
    request_body = AccountBody,
    responses((status = 201, description = "The account", body = Data<Account>),
        (status = 409, description = "Another account has the name")))]
pub(super) async fn create_account(
    State(state): State<AccountState>,
    Administrator(by): Administrator,
    request: Request,
) -> Result<(StatusCode, Json<Data<Account>>), ApiError> {
    let asked: AccountBody = body::of(state.limits.body_bytes, request).await?;
    known_plan(&state, &asked.plan)?;
    let name = responses::name(&asked.name)?;
    let Some(row) = state
        .store
        .create_account(name, &asked.plan, by, state.clock.now())
        .await?
    else {
        let message = "an account already has this name: choose another";
        return Err(ApiError::new(StatusCode::CONFLICT, "name_taken", message).field("name"));
    };
    state.directory.try_refresh().await;
    Ok((StatusCode::CREATED, Data::of(Account::from(&row))))
}

/// One account.
#[utoipa::path(get, path = "/api/admin/accounts/{id}", operation_id = "getAnAccount", tag = "admin",
    params(("id" = i64, Path, description = "The number of the account", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The account", body = Data<Account>)))]
pub(super) async fn account(
    State(state): State<AccountState>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Account>>, ApiError> {
    body::query(request.uri(), &[])?;
    let row = state
        .store
        .account(responses::number(&id, "account")?)
        .await?
        .ok_or_else(|| ApiError::not_found("account", &id))?;
    Ok(Data::of(Account::from(&row)))
}

/// Moves an account to another plan. Keys beyond its limit stay, but no further ones are made.
#[utoipa::path(put, path = "/api/admin/accounts/{id}/plan", operation_id = "setPlan", tag = "admin",
    params(("id" = i64, Path, description = "The number of the account", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    request_body = PlanBody,
    responses((status = 200, description = "The account, on its new plan", body = Data<Account>),
        (status = 409, description = "It is closed")))]
pub(super) async fn set_plan(
    State(state): State<AccountState>,
    Administrator(by): Administrator,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Account>>, ApiError> {
    let asked: PlanBody = body::of(state.limits.body_bytes, request).await?;
    known_plan(&state, &asked.plan)?;
    let number = responses::number(&id, "account")?;
    let row = state
        .store
        .set_plan(number, &asked.plan, by, state.clock.now())
        .await?;
    let Some(row) = row else {
        return Err(match state.store.account(number).await? {
            Some(_) => account_closed(number),
            None => ApiError::not_found("account", &id),
        });
    };
    state.directory.refresh().await?;
    Ok(Data::of(Account::from(&row)))
}

/// Suspends, resumes or closes an account. What its requests under way were charged stays charged,
/// and unspent leases go back as ever.
#[utoipa::path(put, path = "/api/admin/accounts/{id}/status", operation_id = "setAccountStatus", tag = "admin",
    params(("id" = i64, Path, description = "The number of the account", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    request_body = StatusBody,
    responses((status = 200, description = "The account; a status that it has already changes nothing", body = Data<Account>),
        (status = 409, description = "It is closed, and stays so")))]
pub(super) async fn set_status(
    State(state): State<AccountState>,
    Administrator(by): Administrator,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Account>>, ApiError> {
    let asked: StatusBody = body::of(state.limits.body_bytes, request).await?;
    let number = responses::number(&id, "account")?;
    let reason = asked.reason.as_deref().map(responses::reason);
    let row = set_account_status(
        &state.store,
        (number, asked.status),
        reason.transpose()?.unwrap_or_default(),
        by,
        state.clock.now(),
    )
    .await?;
    state.directory.refresh().await?;
    Ok(Data::of(Account::from(&row)))
}

/// Gives an account a status.
///
/// # Errors
/// 404 if there is no such account, 409 if it is closed.
pub(crate) async fn set_account_status(
    store: &Store,
    (account, status): (i64, AccountStatus),
    reason: &str,
    by: Actor,
    now: Moment,
) -> Result<AccountRow, ApiError> {
    match store
        .set_account_status(account, status, reason, by, now)
        .await?
    {
        StatusSet::Done(row) => Ok(row),
        StatusSet::NoAccount => Err(ApiError::not_found("account", &account.to_string())),
        StatusSet::Closed => Err(account_closed(account)),
    }
}

/// 409: an account that is closed is not changed any more.
pub(crate) fn account_closed(account: i64) -> ApiError {
    let message = format!("account {account} is closed, and stays so: make another");
    ApiError::new(StatusCode::CONFLICT, "account_closed", message)
}

/// An account's keys, oldest first, in pages.
#[utoipa::path(get, path = "/api/admin/accounts/{id}/keys", operation_id = "listKeysOfAccount", tag = "admin",
    params(("id" = i64, Path, description = "The number of the account", minimum = 1, maximum = 999_999_999_999_999_999i64),
        ("limit" = Option<i64>, Query, description = "The most keys; 1,000 by default and at most: more is cut to that", minimum = 1),
        ("offset" = Option<i64>, Query, description = "Keys to skip", minimum = 0, maximum = 1_000_000)),
    responses((status = 200, description = "A page of its keys, including revoked ones", body = Paged<Key>)))]
pub(super) async fn keys(
    State(state): State<AccountState>,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Json<Paged<Key>>, ApiError> {
    let page = Page::of_rows(&uri)?;
    let number = responses::number(&id, "account")?;
    state
        .store
        .account(number)
        .await?
        .ok_or_else(|| ApiError::not_found("account", &id))?;
    let (total, rows) = state
        .store
        .page_of_keys(Some(number), page.limit, page.offset)
        .await?;
    Ok(page.list(total, &rows))
}

/// Makes a key of an account.
#[utoipa::path(post, path = "/api/admin/accounts/{id}/keys", operation_id = "createKeyOfAccount", tag = "admin",
    params(("id" = i64, Path, description = "The number of the account", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    request_body = KeyBody,
    responses((status = 201, description = "The key; its text is shown this once", body = Data<NewKeyShown>),
        (status = 409, description = "The account is closed, or `replaces` is no key of it that works")))]
pub(super) async fn create_key(
    State(state): State<AccountState>,
    Administrator(by): Administrator,
    Path(id): Path<String>,
    request: Request,
) -> Result<(StatusCode, Json<Data<NewKeyShown>>), ApiError> {
    let asked: KeyBody = body::of(state.limits.body_bytes, request).await?;
    make_key(
        &state,
        Some(responses::number(&id, "account")?),
        &asked,
        None,
        by,
    )
    .await
}

/// The administrators' keys, oldest first, in pages.
#[utoipa::path(get, path = "/api/admin/keys", operation_id = "listAdminKeys", tag = "admin",
    params(
        ("limit" = Option<i64>, Query, description = "The most keys; 1,000 by default and at most: more is cut to that", minimum = 1),
        ("offset" = Option<i64>, Query, description = "Keys to skip", minimum = 0, maximum = 1_000_000)),
    responses((status = 200, description = "A page of the administrators' keys, including revoked ones", body = Paged<Key>)))]
pub(super) async fn admin_keys(
    State(state): State<AccountState>,
    uri: Uri,
) -> Result<Json<Paged<Key>>, ApiError> {
    let page = Page::of_rows(&uri)?;
    let (total, rows) = state
        .store
        .page_of_keys(None, page.limit, page.offset)
        .await?;
    Ok(page.list(total, &rows))
}

/// Makes an administrator's key.
#[utoipa::path(post, path = "/api/admin/keys", operation_id = "createAdminKey", tag = "admin",
    request_body = KeyBody,
    responses((status = 201, description = "The key; its text is shown this once", body = Data<NewKeyShown>),
        (status = 409, description = "`replaces` is no administrator's key that works")))]
pub(super) async fn create_admin_key(
    State(state): State<AccountState>,
    Administrator(by): Administrator,
    request: Request,
) -> Result<(StatusCode, Json<Data<NewKeyShown>>), ApiError> {
    let asked: KeyBody = body::of(state.limits.body_bytes, request).await?;
    make_key(&state, None, &asked, None, by).await
}

/// Revokes any key but the last administrator's that works.
#[utoipa::path(delete, path = "/api/admin/keys/{id}", operation_id = "revokeAnyKey", tag = "admin",
    params(("id" = i64, Path, description = "The number of the key", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The key, revoked; revoking it again changes nothing", body = Data<Key>),
        (status = 409, description = "It is the last administrator's key that works")))]
pub(super) async fn revoke_key(
    State(state): State<AccountState>,
    Administrator(by): Administrator,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Key>>, ApiError> {
    body::query(request.uri(), &[])?;
    let number = responses::number(&id, "key")?;
    let (store, now) = (&state.store, state.clock.now());
    let revoked = store
        .revoke_key(number, LastKey::KeptForAdministrators, by, now)
        .await?;
    let row = responses::revoked(
        revoked,
        &id,
        "this is the last administrator's key that works: make another first, or revoke this one by titledex-server admin key revoke",
    )?;
    state.directory.refresh().await?;
    Ok(Data::of(Key::from(&row)))
}

/// An account's usage by day.
#[utoipa::path(get, path = "/api/admin/accounts/{id}/usage", operation_id = "getUsageOfAccount", tag = "admin",
    params(("id" = i64, Path, description = "The number of the account", minimum = 1, maximum = 999_999_999_999_999_999i64),
        ("days" = Option<i64>, Query, description = "Days, up to and including today; 30 by default", minimum = 1, maximum = 366)),
    responses((status = 200, description = "The days on which there was usage", body = Data<Vec<Usage>>)))]
pub(super) async fn usage(
    State(state): State<AccountState>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Vec<Usage>>>, ApiError> {
    let pairs = body::query(request.uri(), &["days"])?;
    let number = responses::number(&id, "account")?;
    state
        .store
        .account(number)
        .await?
        .ok_or_else(|| ApiError::not_found("account", &id))?;
    let rows = state
        .store
        .usage_since(number, responses::since(&pairs, state.clock.now())?)
        .await?;
    Ok(Data::<Usage>::list(&rows))
}

/// What each plan allows.
#[utoipa::path(get, path = "/api/admin/plans", operation_id = "listPlans", tag = "admin",
    responses((status = 200, description = "The plans, from the smallest to the largest", body = Data<Vec<Plan>>)))]
pub(super) async fn plans(
    State(state): State<AccountState>,
    request: Request,
) -> Result<Json<Data<Vec<Plan>>>, ApiError> {
    body::query(request.uri(), &[])?;
    Ok(Data::of(state.plans.iter().cloned().collect()))
}

/// Reloads the catalogue. One that is refused changes nothing.
#[utoipa::path(post, path = "/api/admin/catalogue/reload", operation_id = "reloadCatalogue", tag = "admin",
    responses((status = 200, description = "The current catalogue", body = Data<Reloaded>),
        (status = 409, description = "The catalogue is refused; the previous one stays")))]
pub(super) async fn reload(
    State(reader): State<Arc<Reader>>,
    State(state): State<AccountState>,
    Administrator(by): Administrator,
    request: Request,
) -> Result<Json<Data<Reloaded>>, ApiError> {
    body::query(request.uri(), &[])?;
    let reading = Arc::clone(&reader);
    let reloaded = tokio::task::spawn_blocking(move || reading.reload())
        .await
        .map_err(|_| ApiError::internal())?;
    match reloaded {
        Ok(changed) => {
            let version = &reader.now().version;
            tracing::info!(version, changed, "catalogue reloaded");
            let deed = Deed {
                by,
                deed: "reload catalogue",
                account: None,
                subject: None,
                detail: version,
            };
            state.store.record(deed, state.clock.now()).await?;
            Ok(Data::of(Reloaded {
                catalogue_version: version.clone(),
                changed,
            }))
        }
        Err(error) => {
            tracing::warn!(%error, "the catalogue was refused; the previous one stays");
            Err(ApiError::new(
                StatusCode::CONFLICT,
                "catalogue_refused",
                format!("{error}; the previous catalogue stays"),
            ))
        }
    }
}
