//! Answers are compressed for callers that ask for it.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{Extensions, HeaderMap, StatusCode, Version};
use axum::response::Response;
use std::convert::Infallible;
use tower::{Layer, ServiceExt};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};

/// Smaller answers fit one packet anyway.
const LEAST: u16 = 1024;

type Worth = And<SizeAbove, fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool>;

/// What is worth compressing: JSON that is not small.
fn worth() -> Worth {
    let json: fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool = is_json;
    SizeAbove::new(LEAST).and(json)
}

fn is_json(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/json"))
}

/// Answers a request by `router`, compressed where the caller asks for that.
///
/// Other answers do not pass the compressor: its body holds the state of an encoder, 12 KB that
/// would be moved several times for each of them.
pub(crate) async fn answer(router: Router, request: Request) -> Result<Response, Infallible> {
    if request.headers().contains_key(ACCEPT_ENCODING) {
        return Box::pin(compressed(router, request)).await;
    }
    let mut answer = router.oneshot(request).await?;
    // caches must know that another caller may get it compressed
    if !answer.headers().contains_key(CONTENT_ENCODING) && worth().should_compress(&answer) {
        answer.headers_mut().append(VARY, ACCEPT_ENCODING.into());
    }
    Ok(answer)
}

/// Compresses by gzip or brotli where `Accept-Encoding` has one of them, as quickly as each can:
/// prices repeat themselves, and slower settings save little more.
async fn compressed(router: Router, request: Request) -> Result<Response, Infallible> {
    let layer = CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(worth());
    let answer = layer.layer(router).oneshot(request).await?;
    Ok(answer.map(Body::new))
}
