//! [`Members`]: a line of JSON Lines as the cells of a row.

use super::Table;
use crate::market::load::cell::Form;
use serde::de::{Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// No kind of file has more known columns.
pub(super) const MOST_COLUMNS: usize = 40;

/// The members of a JSON object, as cells.
pub(super) struct Members<'t> {
    table: Table<'t>,
    /// The text of all members, concatenated.
    text: Vec<u8>,
    spans: [(usize, usize); MOST_COLUMNS],
}

impl<'t> Members<'t> {
    pub(super) fn new(table: Table<'t>) -> Self {
        Self {
            table,
            text: Vec::new(),
            spans: [(0, 0); MOST_COLUMNS],
        }
    }

    pub(super) fn read(&mut self, line: &[u8]) -> Result<(), String> {
        self.text.clear();
        self.spans = [(0, 0); MOST_COLUMNS];
        let mut reader = serde_json::Deserializer::from_slice(line);
        serde::Deserializer::deserialize_map(&mut reader, &mut *self)
            .and_then(|()| reader.end())
            .map_err(|error| {
                error
                    .to_string()
                    .split(" at line ")
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            })
    }

    pub(super) fn cells(&self) -> [&[u8]; MOST_COLUMNS] {
        self.spans
            .map(|(from, to)| self.text.get(from..to).unwrap_or_default())
    }
}

impl<'de> Visitor<'de> for &mut Members<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        // a bit for each of the columns
        let mut seen = 0_u64;
        while let Some((name, value)) = members.next_entry::<Cow<'_, str>, &RawValue>()? {
            let Some(place) = self.table.place_of(&name) else {
                if self.table.lax {
                    continue;
                }
                return Err(A::Error::custom(format_args!(
                    "the member {name:?} is not known, {}",
                    self.table.words.columns
                )));
            };
            if seen & 1 << place != 0 {
                return Err(A::Error::custom(format_args!(
                    "the member {name:?} is there twice"
                )));
            }
            seen |= 1 << place;
            let from = self.text.len();
            let form = self.table.columns[place].form;
            check_form(form, &name, value.get()).map_err(A::Error::custom)?;
            match value.get() {
                "null" => {}
                raw if raw.starts_with('"') => {
                    let text: Cow<'_, str> = serde_json::from_str(raw).map_err(A::Error::custom)?;
                    self.text.extend_from_slice(text.as_bytes());
                }
                raw => self.text.extend_from_slice(raw.as_bytes()),
            }
            self.spans[place] = (from, self.text.len());
        }
        Ok(())
    }
}

/// Refuses a JSON value of another type than its column has.
fn check_form(form: Form, name: &str, json: &str) -> Result<(), String> {
    let is = match json.as_bytes().first() {
        Some(b'n' | b'"') => return Ok(()),
        Some(b't' | b'f') => "a truth value",
        Some(b'[') => "a list",
        Some(b'{') => "an object",
        _ => "a number",
    };
    let expected = match form {
        Form::Number if is == "a number" => return Ok(()),
        Form::Object if is == "an object" => return Ok(()),
        Form::Id if json.bytes().all(|byte| byte.is_ascii_digit()) => return Ok(()),
        Form::Offer if is == "a number" || is == "a truth value" => return Ok(()),
        Form::Text => "a string",
        Form::Number => "a number",
        Form::Object => "an object",
        Form::Id => "a string or a whole number",
        Form::Offer => "an amount or true",
    };
    Err(format!(
        "the member {name:?} is {is}, {expected} is expected"
    ))
}

#[cfg(test)]
mod tests {
    use super::Members;
    use crate::market::load::table::{Bounds, Table, Words};
    use crate::market::load::{Column, Kind};

    #[test]
    fn a_line_may_have_every_column_of_its_kind_once() {
        for kind in Kind::ALL {
            let columns = kind.columns();
            let named = |column: &Column| format!("{:?}:null", column.name);
            let all: Vec<String> = columns.iter().map(named).collect();
            let bounds = Bounds { bytes: 0, rows: 0 };
            let mut members = Members::new(Table::new(kind, &[], bounds, Words::COMMAND));
            let line = format!("{{{}}}", all.join(","));
            assert_eq!(members.read(line.as_bytes()), Ok(()), "{}", kind.name());
            for column in columns {
                let twice = format!("{{{},{}}}", all.join(","), named(column));
                let refused = members.read(twice.as_bytes());
                let said = refused.expect_err("it is there twice");
                assert!(said.contains(column.name), "{}: {said}", kind.name());
            }
        }
    }
}
