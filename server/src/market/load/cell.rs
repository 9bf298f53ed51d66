//! [`Cells`]: the cells of a row, as typed values.

use crate::market::{Money, day};
use crate::store::market::Language;
use std::fmt;
use titledex::internals::build::input::check_id;

/// The most characters of a cell that a message shows.
const SHOWN: usize = 60;
/// The longest text that a cell may have, in bytes.
const MOST_TEXT: usize = 4_096;

/// A column of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in the header.
    pub name: &'static str,
    /// A file without it is refused.
    pub needed: bool,
    /// Other names that files give it.
    pub aliases: &'static [&'static str],
    /// How JSON states its values.
    pub form: Form,
}

/// How JSON states the values of a column. `null` is an empty cell in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As a string.
    Text,
    /// As a number, or as a string of its digits.
    Number,
    /// As an object, or as a string that holds one.
    Object,
    /// As a string, or as a whole number: what others number is no amount.
    Id,
    /// As a number or a truth value, or as a string of either.
    Offer,
}

impl Column {
    /// The same column, whose values JSON states so.
    pub(super) const fn form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    /// The same column, with numbers.
    pub(super) const fn number(self) -> Self {
        self.form(Form::Number)
    }

    /// The same column, which files also call one of these.
    pub(super) const fn or(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// Whether a header means this column.
    #[must_use]
    pub fn is(&self, header: &str) -> bool {
        self.name == header || self.aliases.contains(&header)
    }
}

/// A column that a file must have.
pub(super) const fn needed(name: &'static str) -> Column {
    Column {
        name,
        needed: true,
        aliases: &[],
        form: Form::Text,
    }
}

/// A column that a file may have.
pub(super) const fn optional(name: &'static str) -> Column {
    Column {
        name,
        needed: false,
        aliases: &[],
        form: Form::Text,
    }
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The column at fault; empty for the row as a whole.
    pub column: &'static str,
    /// The beginning of its text.
    pub value: String,
    /// What is wrong with it, and what to do.
    pub what: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.column.is_empty() {
            return out.write_str(&self.what);
        }
        let mut shown: String = self.value.chars().take(SHOWN).collect();
        if shown.len() < self.value.len() {
            shown.push('…');
        }
        write!(out, "{} {shown:?} {}", self.column, self.what)
    }
}

impl Wrong {
    /// An error of the row as a whole.
    pub fn row(what: impl Into<String>) -> Self {
        Self {
            column: "",
            value: String::new(),
            what: what.into(),
        }
    }
}

/// The cells of a row, in the order of the columns. An empty cell is an unknown value.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'c> {
    /// The columns.
    pub columns: &'static [Column],
    /// A cell for each.
    pub cells: &'c [&'c [u8]],
}

impl<'c> Cells<'c> {
    fn bytes(&self, at: usize) -> &'c [u8] {
        self.cells.get(at).copied().unwrap_or_default().trim_ascii()
    }

    /// What is wrong with a cell.
    pub(super) fn wrong(&self, at: usize, what: impl Into<String>) -> Wrong {
        let value = String::from_utf8_lossy(self.bytes(at)).into_owned();
        Wrong {
            column: self.columns.get(at).map_or("", |column| column.name),
            value,
            what: what.into(),
        }
    }

    /// Text, if there is any.
    pub(super) fn text(&self, at: usize) -> Result<Option<&'c str>, Wrong> {
        let bytes = self.bytes(at);
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.len() > MOST_TEXT {
            return Err(self.wrong(
                at,
                format!("has {} bytes: write at most {MOST_TEXT}", bytes.len()),
            ));
        }
        let text = std::str::from_utf8(bytes)
            .map_err(|_| self.wrong(at, "is not UTF-8: save the file as UTF-8"))?;
        if text.contains('\0') {
            return Err(self.wrong(at, "has a character of number zero: take it out"));
        }
        Ok(Some(text))
    }

    /// Text that must be there.
    pub(super) fn needed(&self, at: usize) -> Result<&'c str, Wrong> {
        self.text(at)?
            .ok_or_else(|| self.wrong(at, "is empty: fill it in or leave the row out"))
    }

    /// An id that a row may bring into the store.
    pub(super) fn id(&self, at: usize) -> Result<&'c str, Wrong> {
        let id = self.needed(at)?;
        check_id(id).map_err(|what| self.wrong(at, what))?;
        Ok(id)
    }

    /// An amount, if there is one.
    pub(super) fn money(&self, at: usize) -> Result<Option<Money>, Wrong> {
        let Some(text) = self.text(at)? else {
            return Ok(None);
        };
        Money::parse(text.as_bytes())
            .map(Some)
            .map_err(|error| self.wrong(at, error.to_string()))
    }

    /// A count, if there is one.
    pub(super) fn count(&self, at: usize) -> Result<Option<i64>, Wrong> {
        let bytes = self.bytes(at);
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.len() > 9 || !bytes.iter().all(u8::is_ascii_digit) {
            return Err(self.wrong(at, "is not a count: write digits, at most 999999999"));
        }
        Ok(Some(bytes.iter().fold(0, |count, digit| {
            count * 10 + i64::from(digit - b'0')
        })))
    }

    /// A moment in milliseconds since 1970, if there is one. A day counts as its first moment.
    pub(super) fn moment(&self, at: usize) -> Result<Option<i64>, Wrong> {
        let Some(text) = self.text(at)? else {
            return Ok(None);
        };
        let wrong = || {
            self.wrong(
                at,
                "is not a day or moment in UTC from 1970-01-01 on: write 2026-11-20 or 2026-11-20T06:00:00Z",
            )
        };
        day::moment(text).map(Some).ok_or_else(wrong)
    }

    /// The three letters of a currency, if there are any.
    pub(super) fn currency(&self, at: usize) -> Result<Option<&'c str>, Wrong> {
        let is_one =
            |text: &&str| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        match self.text(at)? {
            Some(text) if !is_one(&text) => {
                Err(self.wrong(at, "is not a currency: write its three letters, as USD"))
            }
            currency => Ok(currency),
        }
    }

    /// A language that the catalogue has.
    pub(super) fn language(&self, at: usize) -> Result<Language, Wrong> {
        Language::of_name(self.needed(at)?).ok_or_else(|| {
            let names = Language::NAMES.join(", ");
            self.wrong(at, format!("is not a language: write one of {names}"))
        })
    }

    /// A JSON object, if there is one.
    pub(super) fn object(&self, at: usize) -> Result<Option<&'c str>, Wrong> {
        let Some(text) = self.text(at)? else {
            return Ok(None);
        };
        match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text) {
            Ok(_) => Ok(Some(text)),
            Err(error) => Err(self.wrong(
                at,
                format!("is not a JSON object ({error}): write one or leave it empty"),
            )),
        }
    }
}
