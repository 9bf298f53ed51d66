//! JSON Lines, strictly: each member is there once, and has the type that it is read as.

use super::{MOST_LINE, MOST_MARKET_ID, MOST_NUMBER, check_id, check_text, row_error, utf8};
use crate::error::{Error, ErrorKind};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// The object of a line.
pub(super) struct Object<'f> {
    file: &'f str,
    line: u64,
    members: Map<String, Value>,
}

/// Shows the object of each line in turn; blank lines have none.
///
/// # Errors
/// [`ErrorKind::Source`] for another encoding, [`ErrorKind::Row`] for a line that is no object, is
/// too long, or has a member twice; and the errors of `each`.
pub(super) fn each_object(
    file: &str,
    bytes: &[u8],
    mut each: impl FnMut(&Object<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let refused = |line: u64, column: usize, what: &str| {
        Error::new(ErrorKind::Row, format!("{file}:{line}:{column}: {what}"))
    };
    for (line, text) in (1..).zip(utf8(file, bytes)?.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        if text.len() > MOST_LINE {
            let what = format!(
                "the line has {} bytes; write at most {MOST_LINE}",
                text.len()
            );
            return Err(refused(line, 1, &what));
        }
        let Unique(value) = serde_json::from_str(text)
            .map_err(|error| refused(line, error.column().max(1), &fault_of(&error)))?;
        let Value::Object(members) = value else {
            return Err(refused(line, 1, "expected a JSON object"));
        };
        each(&Object {
            file,
            line,
            members,
        })?;
    }
    Ok(())
}

/// What is wrong with a line, without its place, whose line is always 1.
fn fault_of(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let what = message.split(" at line ").next().unwrap_or_default();
    match what {
        _ if error.is_eof() => "the line ends within its JSON; write a whole object a line",
        "expected ident" | "expected value" => "not JSON from here on; write an object a line",
        reason => reason,
    }
    .to_owned()
}

impl<'f> Object<'f> {
    /// An error about a member.
    pub(super) fn wrong(&self, member: &str, what: &str) -> Error {
        row_error(self.file, self.line, member, what)
    }

    /// An error about a second row of one key.
    pub(super) fn twice(&self, what: &str) -> Error {
        let (file, line) = (self.file, self.line);
        Error::new(
            ErrorKind::Duplicate,
            format!("{file}:{line}: column `id`: {what} is given twice"),
        )
    }

    /// The names of its members.
    pub(super) fn members(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }

    /// Whether the line has the member; `null` counts as missing.
    pub(super) fn has(&self, member: &str) -> bool {
        self.get(member).is_some()
    }

    fn get(&self, member: &str) -> Option<&Value> {
        self.members.get(member).filter(|value| !value.is_null())
    }

    /// A text; empty if it is missing.
    pub(super) fn text(&self, member: &str) -> Result<&str, Error> {
        self.get(member)
            .map_or(Ok(""), |value| self.text_in(member, value))
    }

    /// The text of a value that belongs to a member.
    pub(super) fn text_in<'v>(&self, member: &str, value: &'v Value) -> Result<&'v str, Error> {
        let Value::String(text) = value else {
            return Err(self.mistyped(member, value, "a string"));
        };
        check_text(text).map_err(|what| self.wrong(member, &what))?;
        Ok(text)
    }

    fn needed(&self, member: &str) -> Result<&str, Error> {
        match self.get(member) {
            Some(value) => self.text_in(member, value),
            None => Err(self.wrong(member, "is missing; every card and set needs it")),
        }
    }

    /// An id, which must be there.
    pub(super) fn id(&self, member: &str) -> Result<&str, Error> {
        let id = self.needed(member)?;
        check_id(id).map_err(|what| self.wrong(member, &what))?;
        Ok(id)
    }

    /// A collector number, which must be there and may be empty.
    pub(super) fn number(&self, member: &str) -> Result<&str, Error> {
        self.needed(member)?;
        self.short(member)
    }

    /// A text as short as collector numbers are; empty if it is missing.
    pub(super) fn short(&self, member: &str) -> Result<&str, Error> {
        let text = self.text(member)?;
        if text.len() > MOST_NUMBER {
            let what = format!("has {} bytes; write at most {MOST_NUMBER}", text.len());
            return Err(self.wrong(member, &what));
        }
        Ok(text)
    }

    /// A truth value; `false` if it is missing.
    pub(super) fn truth(&self, member: &str) -> Result<bool, Error> {
        match self.get(member) {
            None => Ok(false),
            Some(Value::Bool(truth)) => Ok(*truth),
            Some(value) => Err(self.mistyped(member, value, "true or false")),
        }
    }

    /// A whole number up to `most`; 0 if it is missing.
    pub(super) fn count(&self, member: &str, most: u16) -> Result<u16, Error> {
        self.get(member)
            .map_or(Ok(0), |value| self.count_in(member, value, most))
    }

    fn count_in(&self, member: &str, value: &Value, most: u16) -> Result<u16, Error> {
        let Value::Number(number) = value else {
            return Err(self.mistyped(member, value, "a number"));
        };
        let count = number.as_u64().and_then(|count| u16::try_from(count).ok());
        count
            .filter(|count| *count <= most)
            .ok_or_else(|| self.wrong(member, &format!("is not a whole number from 0 to {most}")))
    }

    /// A list of whole numbers up to `most`; empty if it is missing.
    pub(super) fn counts(&self, member: &str, most: u16) -> Result<Vec<u16>, Error> {
        let list = self.list(member)?.unwrap_or_default();
        list.iter()
            .map(|value| self.count_in(member, value, most))
            .collect()
    }

    /// A list of marketplaces' ids; empty if it is missing.
    pub(super) fn ids(&self, member: &str) -> Result<Vec<u32>, Error> {
        let list = self.list(member)?.unwrap_or_default();
        list.iter()
            .map(|value| self.market_id(member, value))
            .collect()
    }

    /// A marketplace's id among the `members` of an object in this object's `list`; 0 if it is
    /// missing.
    pub(super) fn id_in(
        &self,
        members: &Map<String, Value>,
        list: &str,
        member: &str,
    ) -> Result<u32, Error> {
        let value = members.get(member).filter(|value| !value.is_null());
        value.map_or(Ok(0), |value| {
            self.market_id(&format!("{list}.{member}"), value)
        })
    }

    fn market_id(&self, member: &str, value: &Value) -> Result<u32, Error> {
        let Value::Number(number) = value else {
            return Err(self.mistyped(member, value, "a number"));
        };
        let id = number.as_u64().and_then(|id| u32::try_from(id).ok());
        id.filter(|id| (1..=MOST_MARKET_ID).contains(id))
            .ok_or_else(|| {
                self.wrong(
                    member,
                    &format!("is not a whole number from 1 to {MOST_MARKET_ID}"),
                )
            })
    }

    /// A list, if there is one.
    pub(super) fn list(&self, member: &str) -> Result<Option<&[Value]>, Error> {
        match self.get(member) {
            None => Ok(None),
            Some(Value::Array(list)) => Ok(Some(list)),
            Some(value) => Err(self.mistyped(member, value, "a list")),
        }
    }

    /// A list of texts; empty if it is missing.
    pub(super) fn texts(&self, member: &str) -> Result<Vec<&str>, Error> {
        let list = self.list(member)?.unwrap_or_default();
        list.iter()
            .map(|value| self.text_in(member, value))
            .collect()
    }

    /// The texts of an object in this object, by name; none if it is missing.
    pub(super) fn texts_by_name(&self, member: &str) -> Result<Vec<(&str, &str)>, Error> {
        let Some(value) = self.get(member) else {
            return Ok(Vec::new());
        };
        let Value::Object(inner) = value else {
            return Err(self.mistyped(member, value, "an object"));
        };
        inner
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| {
                let text = self.text_in(&format!("{member}.{name}"), value)?;
                Ok((name.as_str(), text))
            })
            .collect()
    }

    /// Whether a member is an object.
    pub(super) fn is_object(&self, member: &str) -> bool {
        self.get(member).is_some_and(Value::is_object)
    }

    /// An error about a value of another type.
    pub(super) fn mistyped(&self, member: &str, value: &Value, expected: &str) -> Error {
        let is = match value {
            Value::Null => "null",
            Value::Bool(_) => "a truth value",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        self.wrong(member, &format!("is {is}; {expected} is expected"))
    }
}

/// A value in which no object has a member twice.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(UniqueVisitor).map(Self)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Unique(value)) = values.next_element()? {
            list.push(value);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if object.contains_key(&name) {
                return Err(A::Error::custom(format_args!(
                    "the member `{name}` is there twice; leave one"
                )));
            }
            let Unique(value) = members.next_value()?;
            object.insert(name, value);
        }
        Ok(object.into())
    }
}
