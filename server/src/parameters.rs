//! [`Parameters`]: a query string as typed values. Errors name the parameter and the values that it
//! takes.

use crate::body;
use crate::error::ApiError;
use axum::http::Uri;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The most characters of a search, a name or an id.
pub(crate) const MOST_TEXT: usize = 200;

/// The most characters of a part of a name. No name is longer.
pub(crate) const MOST_NAME: usize = 80;
/// The most words of a search. Each is looked for by itself.
pub(crate) const MOST_WORDS: usize = 20;

/// The parameters of a request. Each is known and was sent once.
#[derive(Debug)]
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Reads the query string. Only `known` parameters are allowed, each once.
    ///
    /// # Errors
    /// 400 that names the parameter.
    pub(crate) fn of(uri: &Uri, known: &[&str]) -> Result<Self, ApiError> {
        Ok(Self(body::query(uri, known)?))
    }

    /// The value as it was sent.
    pub(crate) fn sent(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Words.
    ///
    /// # Errors
    /// 400 if they are blank, too long, or have control characters.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, ApiError> {
        let Some(text) = self.sent(name) else {
            return Ok(None);
        };
        let given = text.chars().count();
        let what = if text.trim().is_empty() {
            format!("{name} is blank: send 1 to {MOST_TEXT} characters, or leave it out")
        } else if given > MOST_TEXT {
            format!("{name} is {given} characters long: send at most {MOST_TEXT}")
        } else if let Some(control) = text.chars().find(|letter| letter.is_control()) {
            let number = u32::from(control);
            format!("{name} has the control character U+{number:04X}: take it out")
        } else {
            return Ok(Some(text.trim()));
        };
        Err(ApiError::bad("invalid_value", what).field(name))
    }

    /// The words of a search.
    ///
    /// # Errors
    /// As [`Parameters::text`], and 400 if there are more than [`MOST_WORDS`].
    pub(crate) fn search(&self, name: &str) -> Result<Option<&str>, ApiError> {
        let text = self.text(name)?;
        let words = text.map_or(0, |text| text.split_whitespace().count());
        if words > MOST_WORDS {
            let message = format!("{name} has {words} words: send at most {MOST_WORDS} of them");
            return Err(ApiError::bad("invalid_value", message).field(name));
        }
        Ok(text)
    }

    /// A part of a name, of at most [`MOST_NAME`] characters.
    ///
    /// # Errors
    /// As [`Parameters::text`], and 400 if it is longer.
    pub(crate) fn name(&self, name: &str) -> Result<Option<&str>, ApiError> {
        let text = self.text(name)?;
        let given = text.map_or(0, |text| text.chars().count());
        if given > MOST_NAME {
            let message =
                format!("{name} is {given} characters long: send 1 to {MOST_NAME} of them");
            return Err(ApiError::bad("invalid_value", message).field(name));
        }
        Ok(text)
    }

    /// A whole number.
    ///
    /// # Errors
    /// 400 if it is none, or outside `bounds`.
    pub(crate) fn whole(
        &self,
        name: &str,
        bounds: RangeInclusive<i64>,
    ) -> Result<Option<i64>, ApiError> {
        let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (least, most) = (*bounds.start(), *bounds.end());
        let wanted = format!("a whole number from {least} to {most}");
        let Some(text) = self.sent(name) else {
            return Ok(None);
        };
        let digits = text.strip_prefix('-').unwrap_or(text);
        if !plain(digits) {
            return Err(wrong(name, text, &wanted));
        }
        match text.parse().ok().filter(|number| bounds.contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(ApiError::bad(
                "out_of_range",
                format!("{name} is {}: send {wanted}", shown(text)),
            )
            .field(name)),
        }
    }

    /// The most rows of a page: from 1, and never more than `most`, whatever is asked for.
    ///
    /// # Errors
    /// 400 if it is not a number from 1, or none of 64 bits, as the OpenAPI document has it.
    pub(crate) fn limit(&self, default: i64, most: i64) -> Result<i64, ApiError> {
        let Some(text) = self.sent("limit") else {
            return Ok(default);
        };
        let number = text.strip_prefix('-').unwrap_or(text);
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if let Ok(limit @ 1..) = text.parse::<i64>()
            && is_number
        {
            return Ok(limit.min(most));
        }
        let message = format!(
            "limit is {}: send a whole number from 1 to {most}; a larger one counts as {most}",
            shown(text)
        );
        let code = if is_number {
            "out_of_range"
        } else {
            "invalid_value"
        };
        Err(ApiError::bad(code, message).field("limit"))
    }

    /// `true` or `false`, in any case, or `1` or `0`; `false` by default.
    ///
    /// # Errors
    /// 400 for any other word.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, ApiError> {
        match self.sent(name) {
            None | Some("0") => Ok(false),
            Some("1") => Ok(true),
            Some(text) if text.eq_ignore_ascii_case("false") => Ok(false),
            Some(text) if text.eq_ignore_ascii_case("true") => Ok(true),
            Some(text) => Err(wrong(name, text, "true or false")),
        }
    }

    /// One of several words, as its index. The first one is the default.
    ///
    /// # Errors
    /// 400 for any other word.
    pub(crate) fn word(&self, name: &str, words: &[&str]) -> Result<usize, ApiError> {
        match self.sent(name) {
            None => Ok(0),
            Some(text) => words
                .iter()
                .position(|word| *word == text)
                .ok_or_else(|| wrong(name, text, &words.join(" or "))),
        }
    }

    /// A decimal number without sign or exponent, as `T` reads it.
    ///
    /// # Errors
    /// 400 if it is none.
    pub(crate) fn decimal<T: FromStr>(
        &self,
        name: &str,
        wanted: &str,
    ) -> Result<Option<T>, ApiError> {
        let Some(text) = self.sent(name) else {
            return Ok(None);
        };
        let plain = text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
            && text.bytes().any(|byte| byte.is_ascii_digit());
        text.parse()
            .ok()
            .filter(|_| plain)
            .map(Some)
            .ok_or_else(|| wrong(name, text, wanted))
    }

    /// The first of `names` that was sent.
    pub(crate) fn any(&self, names: &[&'static str]) -> Option<&'static str> {
        names.iter().copied().find(|name| self.sent(name).is_some())
    }
}

/// The error of an invalid value.
pub(crate) fn wrong(name: &str, text: &str, wanted: &str) -> ApiError {
    ApiError::bad(
        "invalid_value",
        format!("{name} is {}: send {wanted}", shown(text)),
    )
    .field(name)
}

/// The beginning of a value, for a message.
fn shown(text: &str) -> impl Display {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("{short:?}")
}

#[cfg(test)]
mod tests {
    use super::Parameters;
    use crate::error::ApiError;

    fn read<T>(
        query: &str,
        read: impl FnOnce(&Parameters) -> Result<T, ApiError>,
    ) -> Result<T, (&'static str, String)> {
        let uri = format!("/?{query}").parse().expect("it is a URI");
        let parameters =
            Parameters::of(&uri, &["a", "b"]).map_err(|error| (error.code, error.message))?;
        read(&parameters).map_err(|error| {
            assert_eq!(error.field.as_deref(), Some("a"));
            (error.code, error.message)
        })
    }

    #[test]
    fn whole_numbers_are_validated() {
        let whole = |query: &str| read(query, |parameters| parameters.whole("a", 1..=100));
        assert_eq!(whole("b=1"), Ok(None));
        assert_eq!(whole("a=007"), Ok(Some(7)));
        for (text, code) in [
            ("", "invalid_value"),
            ("x", "invalid_value"),
            ("1.5", "invalid_value"),
            ("%2B1", "invalid_value"),
            ("1e2", "invalid_value"),
            ("%EF%BC%91", "invalid_value"),
            ("0", "out_of_range"),
            ("-3", "out_of_range"),
            ("101", "out_of_range"),
            ("99999999999999999999", "out_of_range"),
        ] {
            let (met, message) = whole(&format!("a={text}")).expect_err("it is refused");
            assert_eq!(met, code, "{text}");
            assert!(message.contains("1 to 100"), "{message}");
        }
    }

    #[test]
    fn text_is_refused_for_one_reason() {
        let text = |query: &str| {
            read(query, |parameters| {
                let text = parameters.text("a")?;
                Ok(text.map(str::to_owned))
            })
        };
        assert_eq!(text("a=%20Mew%20"), Ok(Some("Mew".to_owned())));
        let long = "x".repeat(201);
        for (value, expected) in [
            ("", "a is blank: send 1 to 200 characters, or leave it out"),
            (
                "%20",
                "a is blank: send 1 to 200 characters, or leave it out",
            ),
            (&long, "a is 201 characters long: send at most 200"),
            ("%00", "a has the control character U+0000: take it out"),
            ("Mew%1B", "a has the control character U+001B: take it out"),
        ] {
            let (code, message) = text(&format!("a={value}")).expect_err("it is refused");
            assert_eq!((code, message.as_str()), ("invalid_value", expected));
        }
    }

    #[test]
    fn limit_is_cut_to_the_most() {
        let limit = |query: &str| {
            let uri = format!("/?{query}").parse().expect("it is a URI");
            let parameters = Parameters::of(&uri, &["limit"]).map_err(|error| error.code)?;
            parameters.limit(20, 100).map_err(|error| {
                let bounds = "a whole number from 1 to 100; a larger one counts as 100";
                assert!(error.message.contains(bounds), "{}", error.message);
                error.code
            })
        };
        assert_eq!(limit(""), Ok(20));
        assert_eq!(limit("limit=7"), Ok(7));
        assert_eq!(limit("limit=500"), Ok(100));
        assert_eq!(limit("limit=007"), Ok(7));
        assert_eq!(limit("limit=9223372036854775807"), Ok(100));
        assert_eq!(limit("limit=9223372036854775808"), Err("out_of_range"));
        assert_eq!(limit("limit=0"), Err("out_of_range"));
        assert_eq!(limit("limit=-1"), Err("out_of_range"));
        assert_eq!(limit("limit=-99999999999999999999"), Err("out_of_range"));
        assert_eq!(limit("limit="), Err("invalid_value"));
        assert_eq!(limit("limit=-"), Err("invalid_value"));
        assert_eq!(limit("limit=many"), Err("invalid_value"));
    }

    #[test]
    fn flags_and_words_are_validated() {
        for (query, flag) in [
            ("a=true", true),
            ("a=True", true),
            ("a=1", true),
            ("a=False", false),
            ("a=0", false),
            ("", false),
        ] {
            let read = read(query, |parameters| parameters.flag("a"));
            assert_eq!(read, Ok(flag), "{query}");
        }
        for query in ["a=yes", "a=", "a=2"] {
            let refused = read(query, |parameters| parameters.flag("a"));
            assert_eq!(
                refused.expect_err("it is refused").0,
                "invalid_value",
                "{query}"
            );
        }
        assert_eq!(
            read("a=desc", |parameters| parameters
                .word("a", &["asc", "desc"])),
            Ok(1)
        );
        let (_, message) = read("a=down", |parameters| {
            parameters.word("a", &["asc", "desc"])
        })
        .expect_err("it is refused");
        assert!(message.contains("asc or desc"), "{message}");
    }

    #[test]
    fn words_of_a_search_are_bounded() {
        let search = |words: usize| {
            read(
                &format!("a={}", vec!["x"; words].join("%20")),
                |parameters| parameters.search("a").map(|_| ()),
            )
        };
        assert_eq!(search(20), Ok(()));
        let (code, message) = search(21).expect_err("it is refused");
        assert_eq!(code, "invalid_value");
        assert!(message.contains("at most 20"), "{message}");
    }

    #[test]
    fn texts_are_validated() {
        assert_eq!(
            read("a=%20mew%20", |parameters| parameters
                .text("a")
                .map(|text| text.map(str::to_owned))),
            Ok(Some("mew".to_owned()))
        );
        for query in ["a=", "a=%20", "a=x%00y", &format!("a={}", "x".repeat(201))] {
            assert_eq!(
                read(query, |parameters| parameters.text("a").map(|_| ()))
                    .expect_err("it is refused")
                    .0,
                "invalid_value",
                "{query}"
            );
        }
    }
}
