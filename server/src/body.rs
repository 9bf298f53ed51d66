//! Bodies and query strings: read within the limits, and what is wrong with them said precisely.

use crate::app::App;
use crate::error::ApiError;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

/// Reads a body of JSON whole.
///
/// # Errors
/// 413, 415, or 400 where it does not arrive.
pub(crate) async fn read(app: &App, request: Request) -> Result<(Parts, Bytes), ApiError> {
    let (parts, body) = request.into_parts();
    is_json(&parts.headers)?;
    let most = app.settings.limits.body_bytes;
    let too_large = || {
        let message = format!("the body is larger than {most} bytes: send fewer titles at once");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", message)
    };
    let announced = parts
        .headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|bytes| bytes > most as u64) {
        return Err(too_large());
    }
    match Limited::new(body, most).collect().await {
        Ok(body) => Ok((parts, body.to_bytes())),
        Err(error) if error.downcast_ref::<LengthLimitError>().is_some() => Err(too_large()),
        Err(_) => Err(ApiError::bad(
            "body_cut_short",
            "the body did not arrive whole: send it again",
        )),
    }
}

fn is_json(headers: &HeaderMap) -> Result<(), ApiError> {
    let named = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("");
    let (kind, parameters) = named.split_once(';').unwrap_or((named, ""));
    let charset = parameters
        .split(';')
        .filter_map(|parameter| parameter.trim().split_once('='))
        .find(|(name, _)| name.eq_ignore_ascii_case("charset"));
    let utf8 =
        charset.is_none_or(|(_, value)| value.trim_matches('"').eq_ignore_ascii_case("utf-8"));
    if kind.trim().eq_ignore_ascii_case("application/json") && utf8 {
        return Ok(());
    }
    let met = if named.is_empty() {
        "there is no Content-Type".to_owned()
    } else {
        format!("the Content-Type is {named:?}")
    };
    let message = format!("{met}: send JSON in UTF-8 with Content-Type: application/json");
    Err(ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "unsupported_media_type",
        message,
    ))
}

/// What serde says about a body, as an error with its place.
pub(crate) fn json_error(error: &serde_json::Error) -> ApiError {
    let text = error.to_string();
    let said = text.split(" at line ").next().unwrap_or("").to_owned();
    let (line, column) = (error.line(), error.column().max(1));
    if error.is_data() {
        return ApiError::bad("invalid_body", format!("{said}: correct the body")).at(line, column);
    }
    let message = format!("the body is not JSON at line {line}, column {column}: {said}");
    ApiError::bad("invalid_json", message).at(line, column)
}

/// The body of a request that has no parameters: a few members, of this type.
///
/// # Errors
/// 413, 415, or 400, with the place.
pub(crate) async fn asked<T: DeserializeOwned>(app: &App, request: Request) -> Result<T, ApiError> {
    let (parts, bytes) = read(app, request).await?;
    query(&parts.uri, &[])?;
    parse(&bytes)
}

/// A member that is left out or has its type: `null` is neither.
pub(crate) fn stated<'de, T: serde::Deserialize<'de>, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    // serde would take a list of the members' values too
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        return Err(ApiError::bad("invalid_body", "the body is a list: send an object").at(1, 1));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let refused = json_error(&error);
        // serde names the member between the first backticks
        let member = refused.message.split('`').nth(1).map(str::to_owned);
        match member {
            Some(member) if refused.code == "invalid_body" => refused.field(member),
            _ => refused,
        }
    })
}

/// The parameters of a query string, where only `known` ones may stand, each once.
///
/// # Errors
/// 400 that names the parameter.
pub(crate) fn query(uri: &Uri, known: &[&str]) -> Result<Vec<(String, String)>, ApiError> {
    let Some(query) = uri.query().filter(|query| !query.is_empty()) else {
        return Ok(Vec::new());
    };
    let read = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(uri);
    let Ok(axum::extract::Query(pairs)) = read else {
        return Err(ApiError::bad(
            "invalid_query",
            format!("the query string {query:?} is not understood: write name=value&name=value"),
        ));
    };
    for (at, (name, _)) in pairs.iter().enumerate() {
        if !known.contains(&name.as_str()) {
            let hint = if known.is_empty() {
                "none is known here".to_owned()
            } else {
                format!("known are {}", known.join(", "))
            };
            let message =
                format!("unknown query parameter {name:?}: {hint}, and names are case-sensitive");
            return Err(ApiError::bad("unknown_parameter", message).field(name.as_str()));
        }
        if pairs[..at].iter().any(|(before, _)| before == name) {
            return Err(ApiError::bad(
                "duplicate_parameter",
                format!("the query parameter {name:?} stands twice: send it once"),
            )
            .field(name.as_str()));
        }
    }
    Ok(pairs)
}
