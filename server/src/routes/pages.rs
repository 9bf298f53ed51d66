//! The routes of pages for people: `/` (or the playground), `/about`, `/docs`, `/dashboard`,
//! `/review`, `/search`, `/sets`, `/cards/…` and their files.

use super::{browse, card_page};
use crate::app::App;
use crate::error::ApiError;
use crate::openapi::Document;
use crate::pages::{Pages, answer};
use crate::playground::Playground;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;
use std::sync::Arc;

/// The routes of the pages. The OpenAPI document does not list them.
pub(super) fn router() -> Router<App> {
    type Site = State<Arc<Pages>>;
    Router::new()
        .route("/", get(home))
        .route("/about", get(about))
        .route("/cards/{id}", get(card_page::show))
        .route("/search", get(browse::search))
        .route("/sets", get(browse::sets))
        .route("/sets/{id}", get(browse::set))
        .route("/sitemap.xml", get(browse::sitemap))
        .route("/robots.txt", get(browse::robots))
        .route(
            "/favicon.ico",
            get(|State(pages): Site| async move { pages.icon() }),
        )
        .route(
            "/docs",
            get(|State(pages): Site| async move { pages.docs() }),
        )
        .route(
            "/dashboard",
            get(|State(pages): Site| async move { pages.dashboard() }),
        )
        .route(
            "/review",
            get(|State(pages): Site| async move { pages.review() }),
        )
        .route("/assets/{version}/{name}", get(asset))
}

async fn home(
    State(pages): State<Arc<Pages>>,
    State(playground): State<Option<Arc<Playground>>>,
    headers: HeaderMap,
) -> Response {
    match playground {
        None => pages.landing(false),
        Some(playground) => playground
            .answer("/", &headers)
            .unwrap_or_else(|| pages.landing(true)),
    }
}

async fn about(
    State(pages): State<Arc<Pages>>,
    State(playground): State<Option<Arc<Playground>>>,
) -> Response {
    pages.landing(playground.is_some())
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", operation_id = "getDocument", tag = "health",
    responses((status = 200, description = "The OpenAPI 3.1 document", body = serde_json::Value)))]
pub(super) async fn openapi(State(document): State<Arc<Document>>) -> Response {
    answer(&document.json, "application/json", "no-cache")
}

async fn asset(
    State(pages): State<Arc<Pages>>,
    Path((version, name)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    pages.asset(&version, &name).ok_or_else(|| {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "not_found",
            "there is no such file: reload the page",
        )
    })
}
