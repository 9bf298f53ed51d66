//! [`Cors`]: which pages of other origins may read answers. The default is none.
//!
//! `tower-http`'s layer does not fit: it answers every `OPTIONS` request in front of the handler,
//! with or without a key, and this service refuses those that are no preflight of an allowed
//! origin.

use crate::http::{
    CATALOGUE_VERSION, COST, DAILY_LIMIT, DAILY_REMAINING, DAILY_RESET, DOWNLOADS_REMAINING,
    DOWNLOADS_RESET, EXPORT_GENERATED, MINUTE_LIMIT, MINUTE_REMAINING, MINUTE_RESET, REQUEST_ID,
    RESPONSE_TIME,
};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
    RETRY_AFTER, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");
const REQUEST_HEADERS: HeaderValue =
    HeaderValue::from_static("Accept, Authorization, Content-Type, X-Request-Id");
/// Seconds for which browsers may cache a preflight: the longest time that all of them accept.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");
const BY_ORIGIN: HeaderValue = HeaderValue::from_static("Origin");

/// Origins whose pages may call v1 and v2. Pages send keys in a header of their own, so browser
/// credentials are not allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cors {
    origins: Vec<String>,
    exposed: Option<HeaderValue>,
}

impl Cors {
    /// The origins of the configuration; `*` allows all.
    ///
    /// # Errors
    /// A sentence that names the origin at fault.
    pub fn new(origins: Vec<String>) -> Result<Self, String> {
        for origin in &origins {
            let host = origin
                .strip_prefix("https://")
                .or_else(|| origin.strip_prefix("http://"));
            let plain = host.is_some_and(|host| {
                !host.is_empty()
                    && host
                        .bytes()
                        .all(|byte| byte.is_ascii_graphic() && byte != b'/')
            });
            if origin != "*" && !plain {
                return Err(format!(
                    "cors.origins has {origin:?}: write https://shop.example without a path, or * for all"
                ));
            }
        }
        let exposed = [
            REQUEST_ID,
            RESPONSE_TIME,
            COST,
            DAILY_REMAINING,
            MINUTE_REMAINING,
            DAILY_LIMIT,
            DAILY_RESET,
            MINUTE_LIMIT,
            MINUTE_RESET,
            CATALOGUE_VERSION,
            RETRY_AFTER,
            DOWNLOADS_REMAINING,
            DOWNLOADS_RESET,
            EXPORT_GENERATED,
        ];
        let exposed: Vec<&str> = exposed.iter().map(HeaderName::as_str).collect();
        Ok(Self {
            origins,
            exposed: HeaderValue::try_from(exposed.join(", ")).ok(),
        })
    }

    /// The origin of a request, if it may read the answer.
    pub(crate) fn allowed(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        if self.origins.is_empty() {
            return None;
        }
        let origin = headers.get(ORIGIN)?;
        let known = |known: &String| {
            known == "*" || known.as_bytes().eq_ignore_ascii_case(origin.as_bytes())
        };
        self.origins.iter().any(known).then(|| origin.clone())
    }

    /// Whether a request is a browser's preflight.
    pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
        method == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
    }

    /// Adds the CORS headers of an answer.
    pub(crate) fn add_headers(
        &self,
        origin: Option<HeaderValue>,
        preflight: bool,
        headers: &mut HeaderMap,
    ) {
        if self.origins.is_empty() {
            return;
        }
        headers.append(VARY, BY_ORIGIN);
        let Some(origin) = origin else { return };
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        if preflight {
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS);
            headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
        } else if let Some(exposed) = &self.exposed {
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cors;

    #[test]
    fn invalid_origin_is_named_in_the_error() {
        for wrong in [
            "shop.example",
            "https://",
            "https://shop.example/",
            "ftp://shop.example",
            "https://a b",
            "",
        ] {
            assert!(
                Cors::new(vec![wrong.to_owned()])
                    .expect_err("it is refused")
                    .contains(wrong),
                "{wrong}"
            );
        }
        assert!(Cors::new(vec!["https://shop.example:8443".to_owned(), "*".to_owned()]).is_ok());
    }
}
