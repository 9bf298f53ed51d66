//! What is answered at which path.

mod account;
mod admin;
mod bodies;
pub(crate) mod card_page;
mod charging;
mod export;
mod health;
mod market;
pub(crate) mod metrics;
pub mod pages;
pub mod parse_title;
pub(crate) mod review;
pub(crate) mod shapes;
pub mod titles;

use crate::app::App;
use crate::door;
use crate::error::ApiError;
use axum::extract::{Request, State};
use axum::http::header::ALLOW;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// What has a document: a route is added with it or not at all.
pub(crate) fn documented() -> OpenApiRouter<Arc<App>> {
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
        .routes(routes!(admin::accounts, admin::create_account))
        .routes(routes!(admin::account))
        .routes(routes!(admin::set_plan))
        .routes(routes!(admin::keys, admin::create_key))
        .routes(routes!(admin::usage))
        .routes(routes!(admin::admin_keys, admin::create_admin_key))
        .routes(routes!(admin::revoke_key))
        .routes(routes!(admin::plans))
        .routes(routes!(admin::reload))
        .routes(routes!(review::list))
        .routes(routes!(review::show))
        .routes(routes!(review::accept))
        .routes(routes!(review::reject))
}

/// The whole service.
pub fn router(app: Arc<App>) -> Router {
    Router::from(documented())
        .merge(pages::router())
        .merge(export::files())
        .fallback(other_path)
        .method_not_allowed_fallback(no_such_method)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), door::pass))
        .with_state(app)
}

/// A file of the playground, or nothing.
async fn other_path(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    let file = app
        .playground
        .as_ref()
        .and_then(|playground| playground.answer(request.uri().path(), request.headers()));
    let Some(file) = file else {
        return Err(no_such_path(&request));
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
    let path: String = request.uri().path().chars().take(128).collect();
    ApiError::new(
        StatusCode::NOT_FOUND,
        "not_found",
        format!("there is nothing at {path}: check the path and its version"),
    )
}

async fn no_such_method(request: Request) -> ApiError {
    let message = format!(
        "{} is not done here: use a method that the header Allow names",
        request.method()
    );
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        message,
    )
}
