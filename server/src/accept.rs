//! [`accepts`]: whether a caller wants a kind of answer, as its header `Accept` says.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT;

/// Whether the header names this kind, and not with the weight 0, which says that it is not wanted
/// (RFC 9110, 12.4.2). Ranges, as `*/*`, name none.
pub(crate) fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let values = headers.get_all(ACCEPT).iter();
    let mut named = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    named.any(|named| {
        let mut parts = named.split(';').map(str::trim);
        let is_kind = parts.next().is_some_and(|is| is.eq_ignore_ascii_case(kind));
        is_kind && !parts.any(is_zero)
    })
}

/// Whether a parameter is the weight 0: `q=0`, `q=0.000`.
fn is_zero(parameter: &str) -> bool {
    parameter.split_once('=').is_some_and(|(name, value)| {
        name.trim().eq_ignore_ascii_case("q") && value.trim().parse::<f32>() == Ok(0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::accepts;
    use axum::http::header::ACCEPT;
    use axum::http::{HeaderMap, HeaderValue};

    #[test]
    fn weight_zero_is_no_wish() {
        for (accept, wanted) in [
            ("text/html", true),
            ("application/json, TEXT/HTML;charset=utf-8;q=0.1", true),
            ("text/html;q=1.000", true),
            ("text/html;q=0", false),
            ("application/json, text/html; Q = 0.000", false),
            ("text/html;q=0, text/html", true),
            ("text/htmlx", false),
            ("*/*", false),
            ("", false),
        ] {
            let value = HeaderValue::from_static(accept);
            let headers = HeaderMap::from_iter([(ACCEPT, value)]);
            assert_eq!(accepts(&headers, "text/html"), wanted, "{accept}");
        }
        assert!(!accepts(&HeaderMap::new(), "text/html"));
    }
}
