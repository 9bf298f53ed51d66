//! [`Cors`]: which pages of other origins may read answers. None, where the configuration names none.

use crate::door::{COST, DAILY_REMAINING, MINUTE_REMAINING, REQUEST_ID, RESPONSE_TIME};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
    VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method};

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");
const REQUEST_HEADERS: HeaderValue =
    HeaderValue::from_static("Accept, Authorization, Content-Type, X-Request-Id");
/// Seconds for which a browser need not ask again: the longest that all of them take.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");
const BY_ORIGIN: HeaderValue = HeaderValue::from_static("Origin");

/// Origins whose pages may call v1 and v2. Keys travel in a header that a page sets itself, so no credentials of a browser are allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cors {
    origins: Vec<String>,
    exposed: Option<HeaderValue>,
}

impl Cors {
    /// Those of the configuration; `*` is all.
    ///
    /// # Errors
    /// The sentence for the user.
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
        let ours = [
            REQUEST_ID,
            RESPONSE_TIME,
            COST,
            DAILY_REMAINING,
            MINUTE_REMAINING,
        ];
        let more = [
            "x-ratelimit-daily-limit",
            "x-ratelimit-daily-reset",
            "x-ratelimit-minute-limit",
            "x-ratelimit-minute-reset",
        ];
        let names: Vec<_> = ours
            .iter()
            .map(|name| name.as_str())
            .chain(more)
            .chain(["x-catalogue-version", "retry-after"])
            .collect();
        Ok(Self {
            origins,
            exposed: HeaderValue::try_from(names.join(", ")).ok(),
        })
    }

    /// The origin of a request, where it may read the answer.
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

    /// Whether a browser asks if it may ask.
    pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
        method == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
    }

    /// Tells a browser what its page may do.
    pub(crate) fn tell(
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
    fn what_is_no_origin_is_named() {
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
                    .expect_err("it is none")
                    .contains(wrong),
                "{wrong}"
            );
        }
        assert!(Cors::new(vec!["https://shop.example:8443".to_owned(), "*".to_owned()]).is_ok());
    }
}
