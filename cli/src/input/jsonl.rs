//! One line of JSON Lines as a row: the title from its field, all other members byte for byte.

use super::{ROW_BYTES, Room, Row, Title, begin_member, decode, end_members};
use serde::de::{Deserializer as _, Error as _, MapAccess, Visitor};
use serde_json::Deserializer;
use serde_json::value::RawValue;
use std::fmt;

/// Shows the row in `line`, which messages call `place`; a blank line has none.
pub(super) fn row(
    (place, number): (&str, u64),
    line: Title<'_>,
    field: &str,
    room: &mut Room,
    visit: &mut impl FnMut(Row<'_>),
) {
    if line.is_cut() {
        let bad = format!(
            "{place} {number} has {} bytes and at most {ROW_BYTES} are read: shorten its other members",
            line.length
        );
        return visit(Row {
            number,
            title: Err(bad),
            carried: &[],
            altered: None,
        });
    }
    if line.bytes.iter().all(u8::is_ascii_whitespace) {
        return;
    }
    room.carried.clear();
    let (valid, bad) = decode(line.bytes);
    let mut json = Deserializer::from_str(&valid);
    let read = json
        .deserialize_any(Members {
            field,
            carried: &mut room.carried,
        })
        .and_then(|title| json.end().map(|()| title));
    let found = match read {
        Ok(title) => title,
        Err(error) => {
            // Only the column is of use: the line number is always 1 here.
            let message = error.to_string();
            let what = message.split(" at line ").next().unwrap_or_default();
            let encoding = bad.map_or_else(String::new, |at| {
                format!("not UTF-8 at byte {at}, and so read, ")
            });
            let bad = format!(
                "{place} {number}, column {}, is {encoding}not a JSON object: {what}: mend it",
                error.column()
            );
            return visit(Row {
                number,
                title: Err(bad),
                carried: &[],
                altered: None,
            });
        }
    };
    let altered =
        bad.map(|at| format!("byte {at} of {place} {number} is not UTF-8; it was read as U+FFFD"));
    end_members(&mut room.carried);
    let unescaped;
    let title = match found {
        Found::Nothing => Err(format!(
            "{place} {number} has no member `{field}`: name the member of the titles with --column"
        )),
        Found::Twice => Err(format!(
            "{place} {number} has the member `{field}` twice: leave one"
        )),
        Found::Once(raw) => match text(raw) {
            Ok(Text::Plain(text)) => Ok(Title::of(text.as_bytes())),
            Ok(Text::Unescaped(text)) => {
                unescaped = text;
                Ok(Title::of(unescaped.as_bytes()))
            }
            Err(what) => Err(format!(
                "{place} {number} has {what} as `{field}`, not text: give it a title or leave it out"
            )),
        },
    };
    visit(Row {
        number,
        title,
        carried: &room.carried,
        altered,
    });
}

/// The value of the title's field.
enum Found<'l> {
    Nothing,
    Once(&'l RawValue),
    Twice,
}

/// The text of a JSON string.
enum Text<'l> {
    Plain(&'l str),
    Unescaped(String),
}

/// The text of a JSON string, or what kind of value it is instead.
fn text(value: &RawValue) -> Result<Text<'_>, &'static str> {
    let raw = value.get();
    match raw.as_bytes().first() {
        Some(b'"') if !raw.contains('\\') => Ok(Text::Plain(&raw[1..raw.len() - 1])),
        Some(b'"') => serde_json::from_str(raw)
            .map(Text::Unescaped)
            .map_err(|_| "a text with half a surrogate pair"),
        Some(b'n') => Err("null"),
        Some(b't' | b'f') => Err("a truth value"),
        Some(b'[') => Err("a list"),
        Some(b'{') => Err("an object"),
        _ => Err("a number"),
    }
}

/// Extracts the title from an object and writes all other members, byte for byte, to `carried`.
struct Members<'f> {
    field: &'f str,
    carried: &'f mut Vec<u8>,
}

impl<'l> Visitor<'l> for Members<'_> {
    type Value = Found<'l>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut members: A) -> Result<Found<'l>, A::Error> {
        let mut found = Found::Nothing;
        while let Some((key, value)) = members.next_entry::<&'l RawValue, &'l RawValue>()? {
            let wanted = match text(key).map_err(A::Error::custom)? {
                Text::Plain(key) => key == self.field,
                Text::Unescaped(key) => key == self.field,
            };
            if wanted {
                found = if matches!(found, Found::Nothing) {
                    Found::Once(value)
                } else {
                    Found::Twice
                };
            } else {
                begin_member(self.carried);
                self.carried.extend_from_slice(key.get().as_bytes());
                self.carried.push(b':');
                self.carried.extend_from_slice(value.get().as_bytes());
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::row;
    use crate::input::{Room, Title};

    fn read(line: &str) -> Option<(Result<String, String>, String)> {
        let mut seen = None;
        row(
            ("line", 7),
            Title::of(line.as_bytes()),
            "title",
            &mut Room::default(),
            &mut |row| {
                let title = row
                    .title
                    .map(|title| String::from_utf8_lossy(title.bytes).into_owned());
                seen = Some((title, String::from_utf8_lossy(row.carried).into_owned()));
            },
        );
        seen
    }

    #[test]
    fn other_members_are_carried_byte_for_byte() {
        let (title, carried) = read(
            r#" {"a":1.50e+3, "t\u0069tle" : "x\"\u00e9","b" : {"c": [1, 2]},"a":"é\u00e9"} "#,
        )
        .expect("a row");
        assert_eq!(title.as_deref(), Ok("x\"é"));
        assert_eq!(carried, r#"{"a":1.50e+3,"b":{"c": [1, 2]},"a":"é\u00e9"}"#);
        assert_eq!(
            read(r#"{"title":"x"}"#),
            Some((Ok("x".to_owned()), String::new()))
        );
        assert_eq!(read(" \t\r"), None);
    }

    #[test]
    fn line_that_is_not_utf8_is_read_with_replacements() {
        let of = |line: &[u8]| {
            let mut seen = None;
            let mut room = Room::default();
            row(
                ("line", 7),
                Title::of(line),
                "title",
                &mut room,
                &mut |row| {
                    let title = row.title.map(|title| title.bytes.to_vec());
                    seen = Some((title, row.carried.to_vec(), row.altered));
                },
            );
            seen.expect("a row")
        };
        let altered = |at: usize| {
            Some(format!(
                "byte {at} of line 7 is not UTF-8; it was read as U+FFFD"
            ))
        };
        assert_eq!(
            of(b"{\"title\":\"a\xffb\"}"),
            (Ok("a\u{fffd}b".into()), vec![], altered(11))
        );
        assert_eq!(
            of(b"{\"a\":\"\xe9\",\"title\":\"b\"}"),
            (Ok("b".into()), "{\"a\":\"\u{fffd}\"}".into(), altered(6))
        );
        let (title, ..) = of(b"{\"title\":\xff}");
        assert!(
            title
                .expect_err("no JSON")
                .contains("is not UTF-8 at byte 9")
        );
    }

    #[test]
    fn row_without_a_title_gives_the_reason() {
        for (line, why) in [
            ("{", "line 7, column 1, is not a JSON object"),
            ("[]", "expected an object"),
            ("\"x\"", "expected an object"),
            ("{\"title\":\"x\"} {}", "trailing characters"),
            ("{\"title\":null}", "has null as `title`"),
            ("{\"title\":5}", "has a number as `title`"),
            ("{\"title\":\"\\ud800\"}", "half a surrogate pair"),
            ("{\"title\":\"a\",\"title\":\"a\"}", "twice"),
            ("{\"name\":\"a\"}", "no member `title`"),
            ("{\"title\":\"a\tb\"}", "control character"),
        ] {
            let (title, _) = read(line).expect("a row");
            let message = title.expect_err(line);
            assert!(
                message.starts_with("line 7") && message.contains(why),
                "{line}: {message}"
            );
        }
    }
}
