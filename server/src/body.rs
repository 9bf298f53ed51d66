//! Reads bodies and query strings within the limits, and reports precisely what is wrong with them.

use crate::error::ApiError;
use crate::http::CODES;
use crate::shares::{Share, needs_room};
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Unexpected, Visitor};
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;
use tokio::time::timeout;

/// The most bytes of a refused body that are read on, for how long, and how long a client may pause
/// between them.
const MOST_DISCARDED: usize = 32 * 1024 * 1024;
const DISCARDING: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(500);

/// Reads a body of JSON whole.
///
/// # Errors
/// 413, 415, or 400 if it does not arrive.
pub(crate) async fn read(most: usize, request: Request) -> Result<(Parts, Bytes), ApiError> {
    let (mut parts, body) = request.into_parts();
    is_json(&parts.headers)?;
    is_uncompressed(&parts.headers)?;
    let too_large = || {
        let message = format!("the body is larger than {most} bytes: send fewer titles at once");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", message)
    };
    let announced = parts
        .headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|bytes| bytes > most as u64) {
        // who waits for leave to send it sends nothing
        if !parts.headers.contains_key(EXPECT) {
            Box::pin(discard(body)).await;
        }
        return Err(too_large());
    }
    let bytes = announced.and_then(|bytes| usize::try_from(bytes).ok());
    let bytes = bytes.unwrap_or(most);
    if needs_room(bytes)
        && let Some(share) = parts.extensions.get::<Share>().cloned()
    {
        let room = Box::pin(share.room(bytes)).await;
        // it is taken for as long as the request is known
        parts
            .extensions
            .insert(room.ok_or_else(ApiError::internal)?);
    }
    let mut body = body;
    match Limited::new(&mut body, most).collect().await {
        Ok(body) => Ok((parts, body.to_bytes())),
        Err(error) if error.downcast_ref::<LengthLimitError>().is_some() => {
            Box::pin(discard(body)).await;
            Err(too_large())
        }
        Err(_) => Err(ApiError::bad(
            "body_cut_short",
            "the body did not arrive whole: send it again",
        )),
    }
}

/// Reads on a body that is refused, within bounds: a client that is still sending sees a broken
/// connection otherwise, and not the answer.
pub(crate) async fn discard(mut body: Body) {
    let all = async {
        let mut left = MOST_DISCARDED;
        while left > 0
            && let Ok(Some(Ok(frame))) = timeout(PAUSE, body.frame()).await
        {
            left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
        }
    };
    // what does not come in time is not waited for
    let _ = timeout(DISCARDING, all).await;
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

/// The coding that the Content-Encoding announces, in lower case; `None` if the body is as it is.
pub(crate) fn coding(headers: &HeaderMap) -> Option<String> {
    let codings = headers.get_all(CONTENT_ENCODING).iter();
    let named: Vec<String> = codings
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
        .map(|coding| String::from_utf8_lossy(coding).trim().to_ascii_lowercase())
        .filter(|coding| !matches!(coding.as_str(), "" | "identity"))
        .collect();
    (!named.is_empty()).then(|| named.join(", "))
}

fn is_uncompressed(headers: &HeaderMap) -> Result<(), ApiError> {
    match coding(headers) {
        None => Ok(()),
        Some(coding) => {
            let message = format!("the Content-Encoding is {coding:?}: send the body uncompressed");
            Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                message,
            ))
        }
    }
}

/// Line and column, from 1, of the byte at a place.
pub(crate) fn place(body: &[u8], at: usize) -> (usize, usize) {
    let before = body.get(..at).unwrap_or_default();
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    let column = 1 + before.iter().rev().take_while(|b| **b != b'\n').count();
    (line, column)
}

/// What is wrong with a body, apart from the code that the endpoint gives it.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The body is not JSON.
    Syntax(ApiError),
    /// A member is not known.
    Unknown {
        field: String,
        /// The names that are known.
        known: String,
        at: (usize, usize),
    },
    /// A member appears twice.
    Twice { field: String, at: (usize, usize) },
    /// An error that its reader gave a code.
    Coded {
        code: &'static str,
        field: String,
        message: String,
        at: (usize, usize),
    },
    /// Any other fault, in serde's words.
    Other {
        field: Option<String>,
        message: String,
        at: (usize, usize),
    },
}

impl Fault {
    /// A body that is not UTF-8 from `at` on.
    fn not_utf8(body: &[u8], at: usize) -> Self {
        let (line, column) = place(body, at);
        let message =
            format!("the body is not UTF-8 at line {line}, column {column}: send JSON in UTF-8");
        Self::Syntax(ApiError::bad("invalid_json", message).at(line, column))
    }

    fn of(error: &serde_path_to_error::Error<serde_json::Error>) -> Self {
        let (path, error) = (error.path().to_string(), error.inner());
        let text = error.to_string();
        let said = text
            .rsplit_once(" at line ")
            .map_or(&*text, |(said, _)| said);
        let at = (error.line(), error.column().max(1));
        if !error.is_data() {
            let (line, column) = at;
            let message = format!("the body is not JSON at line {line}, column {column}: {said}");
            return Self::Syntax(ApiError::bad("invalid_json", message).at(line, column));
        }
        // `.` is the body as a whole
        let path = (path != ".").then_some(path);
        let within = |name: &str| match &path {
            Some(path) => format!("{path}.{name}"),
            None => name.to_owned(),
        };
        // serde writes names between backticks
        let named = |rest: &str| rest.split('`').next().unwrap_or_default().to_owned();
        if said.starts_with("unknown field `") {
            let known = said.rsplit_once("expected ").map_or("", |(_, known)| known);
            return Self::Unknown {
                field: path.unwrap_or_default(),
                known: known.trim_start_matches("one of ").replace('`', ""),
                at,
            };
        }
        if let Some(rest) = said.strip_prefix("duplicate field `") {
            return Self::Twice {
                field: within(&named(rest)),
                at,
            };
        }
        let coded = said.split_once(": ").and_then(|(code, message)| {
            let (_, code, _) = CODES.iter().find(|(_, known, _)| *known == code)?;
            Some((*code, message.to_owned()))
        });
        if let Some((code, message)) = coded {
            return Self::Coded {
                code,
                field: path.unwrap_or_default(),
                message,
                at,
            };
        }
        let field = match said.strip_prefix("missing field `") {
            Some(rest) => Some(within(&named(rest))),
            None => path,
        };
        Self::Other {
            field,
            message: said.to_owned(),
            at,
        }
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        let (field, message, at) = match fault {
            Fault::Syntax(refused) => return refused,
            Fault::Coded {
                field, message, at, ..
            } => (Some(field), message, at),
            Fault::Unknown { field, known, at } => {
                let message = format!("unknown field `{field}`, known are {known}");
                (Some(field), message, at)
            }
            Fault::Twice { field, at } => {
                let message = format!("duplicate field `{field}`");
                (Some(field), message, at)
            }
            Fault::Other { field, message, at } => (field, message, at),
        };
        let refused =
            Self::bad("invalid_body", format!("{message}: correct the body")).at(at.0, at.1);
        match field {
            Some(field) => refused.field(field),
            None => refused,
        }
    }
}

/// Reads a body that must be an object; `expecting` describes it.
///
/// # Errors
/// What is wrong, with the member at fault and its place.
pub(crate) fn read_object<'b, T: Deserialize<'b>>(
    body: &'b [u8],
    expecting: &'static str,
) -> Result<T, Fault> {
    // at once for the whole body: serde skips what nobody reads without looking at its characters
    let body =
        std::str::from_utf8(body).map_err(|error| Fault::not_utf8(body, error.valid_up_to()))?;
    let mut json = serde_json::Deserializer::from_str(body);
    let mut track = serde_path_to_error::Track::new();
    let read = object(
        serde_path_to_error::Deserializer::new(&mut json, &mut track),
        expecting,
    );
    let read = read.and_then(|read| json.end().map(|()| read));
    read.map_err(|error| Fault::of(&serde_path_to_error::Error::new(track.path(), error)))
}

/// Reads an object. A derived struct would also take a list of its members' values.
///
/// # Errors
/// If it has another type, or a member is at fault.
pub(crate) fn object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
    expecting: &'static str,
) -> Result<T, D::Error> {
    struct Object<T>(&'static str, PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
        type Value = T;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str(self.0)
        }

        fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(members))
        }
    }
    from.deserialize_map(Object(expecting, PhantomData))
}

/// The body of a request without parameters: an object with a few members.
///
/// # Errors
/// 413, 415, or 400 with the place.
pub(crate) async fn of<T: DeserializeOwned>(most: usize, request: Request) -> Result<T, ApiError> {
    query(request.uri(), &[])?;
    with_query(most, request).await
}

/// The body of a request whose parameters are read elsewhere.
///
/// # Errors
/// 413, 415, or 400 with the place.
pub(crate) async fn with_query<T: DeserializeOwned>(
    most: usize,
    request: Request,
) -> Result<T, ApiError> {
    let (_, bytes) = read(most, request).await?;
    Ok(read_object(&bytes, "an object")?)
}

/// A member that may be left out, but may not be null.
pub(crate) fn stated<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Reads a whole number. `5.0` is one, as in JSON Schema.
pub(crate) struct Whole;

impl Visitor<'_> for Whole {
    type Value = i64;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a whole number")
    }

    fn visit_i64<E>(self, number: i64) -> Result<i64, E> {
        Ok(number)
    }

    fn visit_u64<E>(self, number: u64) -> Result<i64, E> {
        Ok(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<i64, E> {
        if number.fract() == 0.0 {
            // a number that does not fit becomes the largest or smallest, which is out of range
            Ok(number as i64)
        } else {
            Err(E::invalid_type(Unexpected::Float(number), &self))
        }
    }
}

/// A member that is a whole number and may be left out, but may not be null.
pub(crate) fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    from.deserialize_any(Whole).map(Some)
}

/// Whether the bytes that a query string encodes are UTF-8. Its reader would replace those that are
/// not, and look for something else than was meant.
fn encodes_utf8(query: &str) -> bool {
    let digit = |at: Option<&u8>| char::from(*at?).to_digit(16);
    let (mut bytes, mut rest) = (Vec::with_capacity(query.len()), query.as_bytes());
    while let [first, after @ ..] = rest {
        let pair = digit(after.first()).zip(digit(after.get(1)));
        match pair.filter(|_| *first == b'%') {
            Some((high, low)) => {
                bytes.extend(u8::try_from(high * 16 + low));
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    std::str::from_utf8(&bytes).is_ok()
}

/// The parameters of a query string. Only `known` ones are allowed, each once.
///
/// # Errors
/// 400 that names the parameter.
pub(crate) fn query(uri: &Uri, known: &[&str]) -> Result<Vec<(String, String)>, ApiError> {
    let Some(query) = uri.query().filter(|query| !query.is_empty()) else {
        return Ok(Vec::new());
    };
    if !encodes_utf8(query) {
        let message = "the query string has bytes that are not UTF-8: percent-encode text as UTF-8";
        return Err(ApiError::bad("invalid_query", message));
    }
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
                format!("the query parameter {name:?} appears twice: send it once"),
            )
            .field(name.as_str()));
        }
    }
    Ok(pairs)
}
