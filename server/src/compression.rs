//! Answers are compressed for callers that ask for it.

use axum::http::header::CONTENT_TYPE;
use axum::http::{Extensions, HeaderMap, StatusCode, Version};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};

/// Smaller answers fit one packet anyway.
const LEAST: u16 = 1024;

type Worth = And<SizeAbove, fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool>;

/// Compresses JSON by gzip or brotli where `Accept-Encoding` has one of them, as quickly as each
/// can: prices repeat themselves, and slower settings save little more.
pub(crate) fn compression() -> CompressionLayer<Worth> {
    let json: fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool = is_json;
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(LEAST).and(json))
}

fn is_json(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/json"))
}
