//! Pages for people: `/` (or the playground), `/about`, `/docs`, `/dashboard`, `/review`, `/cards/…` and what they need, all out of the binary but for the
//! playground. Nothing on them comes from another origin.

use crate::app::App;
use crate::docs;
use crate::error::ApiError;
use crate::keys;
use crate::openapi::document;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use axum::routing::get;
use std::sync::{Arc, LazyLock};

/// What a page may load: its own origin's files, and nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Files: name, type, content.
const ASSETS: &[(&str, &str, &str)] = &[
    (
        "style.css",
        "text/css; charset=utf-8",
        include_str!("../../pages/style.css"),
    ),
    (
        "icon.svg",
        "image/svg+xml",
        include_str!("../../pages/icon.svg"),
    ),
    (
        "here.js",
        "text/javascript; charset=utf-8",
        include_str!("../../pages/here.js"),
    ),
    (
        "ask.js",
        "text/javascript; charset=utf-8",
        include_str!("../../pages/ask.js"),
    ),
    (
        "key.js",
        "text/javascript; charset=utf-8",
        include_str!("../../pages/key.js"),
    ),
    (
        "docs.js",
        "text/javascript; charset=utf-8",
        include_str!("../../pages/docs.js"),
    ),
    (
        "dashboard.js",
        "text/javascript; charset=utf-8",
        include_str!("../../pages/dashboard.js"),
    ),
    (
        "review.js",
        "text/javascript; charset=utf-8",
        include_str!("../../pages/review.js"),
    ),
    (
        "chart.js",
        "text/javascript; charset=utf-8",
        include_str!("../../pages/chart.js"),
    ),
];

/// What the landing page says of the playground.
const PLAYGROUND: &str = "<p>Or try it <a href=\"/\">in the playground</a>: it reads titles in your browser, and sends them nowhere.</p>";
const NO_PLAYGROUND: &str = "<p>Titles can be read in a page too, without sending them anywhere: start the service with <code>--playground \
    dist/playground</code>, the folder that <code>scripts/browser</code> makes, and the playground is served here.</p>";

/// Pages as they are served: names of files bear the hash of all files, so that they may be kept for ever.
struct Pages {
    version: String,
    landing: Bytes,
    /// The landing page beside a playground.
    about: Bytes,
    docs: Bytes,
    dashboard: Bytes,
    review: Bytes,
}

static PAGES: LazyLock<Pages> = LazyLock::new(|| {
    let all: String = ASSETS.iter().map(|(_, _, content)| *content).collect();
    let version: String = keys::hash(&all)
        .iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let page = |text: &str| Bytes::from(text.replace("{{assets}}", &format!("/assets/{version}")));
    let landing = include_str!("../../pages/landing.html");
    let docs = include_str!("../../pages/docs.html")
        .replace("{{contents}}", &docs::contents(&document().value))
        .replace("{{reference}}", &docs::reference(&document().value));
    Pages {
        landing: page(&landing.replace("{{playground}}", NO_PLAYGROUND)),
        about: page(&landing.replace("{{playground}}", PLAYGROUND)),
        docs: page(&docs),
        dashboard: page(include_str!("../../pages/dashboard.html")),
        review: page(include_str!("../../pages/review.html")),
        version,
    }
});

/// The pages' routes. They are for people: the document does not list them.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(home))
        .route(
            "/about",
            get(|State(app): State<Arc<App>>| async move { about(&app) }),
        )
        .route("/cards/{id}", get(super::card_page::show))
        .route("/docs", get(|| async { page(&PAGES.docs) }))
        .route("/dashboard", get(|| async { page(&PAGES.dashboard) }))
        .route("/review", get(|| async { page(&PAGES.review) }))
        .route("/assets/{version}/{name}", get(asset))
}

async fn home(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    app.playground
        .as_ref()
        .and_then(|playground| playground.answer("/", &headers))
        .unwrap_or_else(|| about(&app))
}

fn about(app: &App) -> Response {
    page(if app.playground.is_some() {
        &PAGES.about
    } else {
        &PAGES.landing
    })
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", operation_id = "getDocument", tag = "health",
    responses((status = 200, description = "The OpenAPI 3.1 document", body = serde_json::Value)))]
pub(super) async fn openapi(State(app): State<Arc<App>>) -> Response {
    answer(&app.document.json, "application/json", "no-cache")
}

fn answer(bytes: &Bytes, kind: &'static str, caching: &'static str) -> Response {
    let mut response = Response::new(Body::from(bytes.clone()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    response
}

fn page(bytes: &Bytes) -> Response {
    let mut response = answer(bytes, "text/html; charset=utf-8", "no-cache");
    response
        .headers_mut()
        .insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// A page made for one request: `parts` stand where the page has their names.
pub(super) fn made(text: &str, parts: &[(&str, &str)]) -> Response {
    let text = text.replace("{{assets}}", &format!("/assets/{}", PAGES.version));
    let text = parts.iter().fold(text, |text, (name, part)| {
        text.replace(&format!("{{{{{name}}}}}"), part)
    });
    page(&Bytes::from(text))
}

async fn asset(Path((version, name)): Path<(String, String)>) -> Result<Response, ApiError> {
    let found = ASSETS
        .iter()
        .find(|(known, ..)| *known == name && version == PAGES.version);
    let (_, kind, content) = found.ok_or_else(|| {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "not_found",
            "there is no such file: load the page anew",
        )
    })?;
    Ok(answer(
        &Bytes::from_static(content.as_bytes()),
        kind,
        "public, max-age=31536000, immutable",
    ))
}
