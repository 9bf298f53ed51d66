//! The routes: which handler answers which path.

mod account;
mod account_state;
pub(crate) mod admin;
mod bodies;
mod browse;
pub(crate) mod card_page;
mod charging;
mod export;
mod health;
mod import;
mod market;
pub(crate) mod market_changes;
pub(crate) mod market_shown;
pub(crate) mod metrics;
mod pages;
mod paging;
pub mod parse_title;
pub(crate) mod responses;
pub(crate) mod review;
pub(crate) mod review_bulk;
mod review_help;
pub(crate) mod site;
pub mod titles;

use crate::app::App;
use crate::error::ApiError;
use crate::middleware::GateLayer;
use crate::playground::Playground;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::ALLOW;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use site::{Site, wants_page};
use std::sync::Arc;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Characters of a path that an answer repeats.
const MOST_SHOWN: usize = 128;

/// The routes of the OpenAPI document. A route is added with its description or not at all.
fn documented() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(pages::openapi))
        .routes(routes!(metrics::text))
        .routes(routes!(parse_title::answer))
        .routes(routes!(market::cards::list))
        .routes(routes!(market::sets::list))
        .routes(routes!(market::sealed::list))
        .routes(routes!(market::population::list))
        .routes(routes!(market::v1::prices))
        .routes(routes!(market::v1::sets))
        .routes(routes!(export::redirect))
        .routes(routes!(account::show))
        .routes(routes!(account::keys, account::create_key))
        .routes(routes!(account::revoke_key))
        .routes(routes!(account::usage))
        .routes(routes!(account::endpoint_usage))
        .routes(routes!(admin::accounts, admin::create_account))
        .routes(routes!(admin::account))
        .routes(routes!(admin::set_plan))
        .routes(routes!(admin::set_status))
        .routes(routes!(admin::keys, admin::create_key))
        .routes(routes!(admin::usage))
        .routes(routes!(admin::admin_keys, admin::create_admin_key))
        .routes(routes!(admin::revoke_key))
        .routes(routes!(admin::plans))
        .routes(routes!(admin::reload))
        .routes(routes!(import::import))
        .routes(routes!(review::list))
        .routes(routes!(review::show))
        .routes(routes!(review_help::reading))
        .routes(routes!(review_help::cards))
        .routes(routes!(review::accept))
        .routes(routes!(review::reject))
        .routes(routes!(review_bulk::accept))
        .routes(routes!(review_bulk::reject))
        .routes(routes!(market_changes::changes))
        .routes(routes!(market_changes::undo))
        .routes(routes!(market_changes::sales))
        .routes(routes!(market_changes::delete_sale))
        .routes(routes!(
            market_changes::prices,
            market_changes::delete_price
        ))
        .routes(routes!(market_changes::delete_population))
        .routes(routes!(market_changes::merge_cards))
}

/// The OpenAPI description of the handlers, before [`crate::openapi::Document`] completes it.
#[must_use]
pub fn api() -> OpenApi {
    documented().into_openapi()
}

/// The whole service.
pub fn router(app: App) -> Router {
    let gate = Arc::clone(&app.gate);
    Router::from(documented())
        .merge(pages::router())
        .merge(export::files())
        .merge(market::v1::short())
        .fallback(other_path)
        .method_not_allowed_fallback(no_such_method)
        .layer(GateLayer(gate))
        .with_state(app)
}

/// A file of the playground, or 404: a page to browsers, JSON to others.
async fn other_path(
    State(playground): State<Option<Arc<Playground>>>,
    State(site): State<Site>,
    request: Request,
) -> Result<Response, ApiError> {
    let file = playground
        .as_ref()
        .and_then(|playground| playground.answer(request.uri().path(), request.headers()));
    let Some(file) = file else {
        let error = no_such_path(&request);
        let for_people =
            wants_page(request.headers()) && !request.uri().path().starts_with("/api/");
        return if for_people {
            let path: String = request.uri().path().chars().take(MOST_SHOWN).collect();
            let message = format!("There is nothing at {path}. Search for a card or a set:");
            Ok(site.failure(&site::missing(&message)))
        } else {
            Err(error)
        };
    };
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(file);
    }
    let mut refused = no_such_method(request).await.into_response();
    refused
        .headers_mut()
        .insert(ALLOW, HeaderValue::from_static("GET,HEAD"));
    Ok(refused)
}

fn no_such_path(request: &Request) -> ApiError {
    let path: String = request.uri().path().chars().take(MOST_SHOWN).collect();
    ApiError::new(
        StatusCode::NOT_FOUND,
        "not_found",
        format!("there is nothing at {path}: check the path and its version"),
    )
}

async fn no_such_method(request: Request) -> ApiError {
    let message = format!(
        "{} is not allowed here: use a method that the header Allow names",
        request.method()
    );
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        message,
    )
}
