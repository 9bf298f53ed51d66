//! Values normalised as the reference does before it compares them.

use serde_json::Value;

/// How an attribute's values are normalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Norm {
    /// Upper case, without spaces, `#` and leading zeros.
    Number,
    /// Lower case, with one space for each run of spaces, dashes and underscores.
    Text,
    /// A number, or text in lower case.
    Grade,
}

/// A normalised value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Alike {
    /// A grade that is a number.
    Number(f64),
    /// Anything else.
    Text(String),
}

impl Norm {
    /// The normalised value; `None` if it states nothing.
    pub(super) fn of(self, value: &Value) -> Option<Alike> {
        if value.is_null() || value.as_str() == Some("") {
            return None;
        }
        let text = plain(value);
        Some(match self {
            Self::Number => Alike::Text(without_zeros(
                &text
                    .chars()
                    .filter(|c| !space(*c) && *c != '#')
                    .collect::<String>()
                    .to_uppercase(),
            )),
            Self::Text => Alike::Text(joined(&text).trim_matches(space).to_lowercase()),
            Self::Grade => match value
                .as_f64()
                .or_else(|| text.trim_matches(space).parse().ok())
            {
                Some(number) => Alike::Number(number),
                None => Alike::Text(text.trim_matches(space).to_lowercase()),
            },
        })
    }
}

/// White space as in Python's patterns.
fn space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Each run of digits without leading zeros; its last digit stays.
fn without_zeros(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut after_digit = false;
    for (at, c) in text.char_indices() {
        let before_digit = text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit);
        if c == '0' && !after_digit && before_digit {
            continue;
        }
        after_digit = c.is_ascii_digit();
        out.push(c);
    }
    out
}

fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        let here = space(c) || c == '_' || c == '-';
        if here && !gap {
            out.push(' ');
        } else if !here {
            out.push(c);
        }
        gap = here;
    }
    out
}

/// The value as Python's `str` writes it.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => format!(
            "[{}]",
            values.iter().map(quoted).collect::<Vec<_>>().join(", ")
        ),
        other => quoted(other),
    }
}

/// The value as Python's `repr` writes it, for what labels hold.
pub(super) fn quoted(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 1e16 => {
                format!("{float:.1}")
            }
            _ => number.to_string(),
        },
        Value::String(text) if text.contains('\'') && !text.contains('"') => format!("\"{text}\""),
        Value::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Value::Array(_) | Value::Object(_) => plain_nested(value),
    }
}

fn plain_nested(value: &Value) -> String {
    match value {
        Value::Array(_) => plain(value),
        other => other.to_string(),
    }
}

/// Whether Python takes the value as true.
pub(super) fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => !values.is_empty(),
        Value::Object(values) => !values.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Alike, Norm, plain};
    use serde_json::json;

    fn text(value: &str) -> Option<Alike> {
        Some(Alike::Text(value.to_owned()))
    }

    #[test]
    fn numbers_are_compared_without_zeros_spaces_and_signs() {
        for (given, alike) in [
            ("004", "4"),
            ("# 4", "4"),
            ("tg05", "TG5"),
            ("000", "0"),
            ("10", "10"),
            ("1000", "1000"),
            ("SV-P", "SV-P"),
            ("0a00b", "0A0B"),
            ("x00", "X0"),
        ] {
            assert_eq!(Norm::Number.of(&json!(given)), text(alike), "{given}");
        }
        assert_eq!(Norm::Number.of(&json!(1999)), text("1999"));
        assert_eq!(Norm::Number.of(&json!("")), None);
        assert_eq!(Norm::Number.of(&json!(null)), None);
        assert_eq!(Norm::Number.of(&json!(" ")), text(""));
    }

    #[test]
    fn texts_are_compared_without_case_and_dashes() {
        assert_eq!(Norm::Text.of(&json!(" Non--Holo_x ")), text("non holo x"));
        assert_eq!(Norm::Text.of(&json!("-")), text(""));
        assert_eq!(Norm::Text.of(&json!("リザードン")), text("リザードン"));
    }

    #[test]
    fn grades_are_compared_as_numbers_if_possible() {
        let nine = Some(Alike::Number(9.0));
        assert_eq!(Norm::Grade.of(&json!(9)), nine);
        assert_eq!(Norm::Grade.of(&json!(9.0)), nine);
        assert_eq!(Norm::Grade.of(&json!(" 9 ")), nine);
        assert_eq!(Norm::Grade.of(&json!("Authentic ")), text("authentic"));
        assert_eq!(Norm::Grade.of(&json!(null)), None);
    }

    #[test]
    fn values_are_written_as_python_writes_them() {
        let values = [
            json!(null),
            json!(true),
            json!(9),
            json!(9.0),
            json!(9.5),
            json!("it's"),
            json!(["it's", "a", null, 1]),
        ];
        let written = values.map(|value| plain(&value));
        assert_eq!(
            written,
            [
                "None",
                "True",
                "9",
                "9.0",
                "9.5",
                "it's",
                "[\"it's\", 'a', None, 1]"
            ]
        );
    }
}
