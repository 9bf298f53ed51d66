//! [`Table`]: rows of CSV, JSON Lines and Parquet files, as cells in the order of known columns.

use serde::de::{Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use titledex_command::progress::Bar;
use titledex_command::source::{BYTE_ORDER_MARK, Kind as Form, Source};
use titledex_command::{Failure, files};
use titledex_server::market::load::{Cells, Column, Wrong};

/// Size of the read buffer.
const BUFFER: usize = 1 << 18;
/// Longest line of JSON Lines.
const MOST_LINE: u64 = 1 << 20;
/// No kind of file has more known columns.
pub(crate) const MOST_COLUMNS: usize = 32;
/// Rows between two updates of the progress bar.
const LOOK: u64 = 1 << 12;

/// The cells of a row, or what is wrong with it.
pub(crate) type Row<'r> = Result<Cells<'r>, Wrong>;

/// A file whose rows have these columns.
pub(crate) struct Table<'p> {
    pub(crate) path: &'p Path,
    pub(crate) columns: &'static [Column],
    /// Ignore unknown columns.
    lax: bool,
}

impl<'p> Table<'p> {
    /// The table in the file at `path`; `lax` ignores unknown columns.
    pub(crate) fn of(path: &'p Path, columns: &'static [Column], lax: bool) -> Self {
        Self { path, columns, lax }
    }

    /// Shows each row in turn, with its line or number, until `visit` returns false.
    pub(crate) fn each(
        &self,
        visit: &mut dyn FnMut(u64, Row<'_>) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let source = Source::of(Some(self.path))?;
        let mut bar = Bar::of("rows", 0, source.length());
        let mut count = 0;
        let mut shown = |at: u64, number: u64, row: Row<'_>| {
            count += 1;
            if count % LOOK == 0 {
                bar.show(at, count);
            }
            visit(number, row)
        };
        match source.kind() {
            Form::Csv => self.separated(source.open(0)?, b',', &mut shown)?,
            Form::Tsv => self.separated(source.open(0)?, b'\t', &mut shown)?,
            Form::Jsonl => self.lines(source.open(0)?, &mut shown)?,
            #[cfg(feature = "parquet")]
            Form::Parquet => crate::parquet::rows(self, &mut shown)?,
            #[cfg(not(feature = "parquet"))]
            Form::Parquet => {
                return Err(
                    self.refused("is Parquet, which this program was built without: install it with `cargo install --locked --path server --features parquet`, or convert the file to CSV or JSON Lines")
                );
            }
            Form::Lines => {
                return Err(self.refused("has no known ending: name it .csv, .tsv, .jsonl or .parquet, with .gz after it if it is compressed"));
            }
        }
        bar.clear();
        Ok(())
    }

    /// A failure that names the file.
    pub(crate) fn refused(&self, what: impl fmt::Display) -> Failure {
        Failure::new(format!("{} {what}", files::name(self.path)))
    }

    /// The place of each of `names` among the known columns; `None` for one that is ignored.
    pub(crate) fn places<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<Vec<Option<usize>>, Failure> {
        let known = || {
            self.columns
                .iter()
                .map(|column| column.name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let mut places = Vec::new();
        for name in names {
            let name = name.trim();
            let place = self.columns.iter().position(|column| column.name == name);
            if place.is_none() && !self.lax {
                return Err(self.refused(format_args!(
                    "has the column {name:?}, which is not known: remove it or give --ignore-columns. Known columns are {}",
                    known()
                )));
            }
            if place.is_some() && places.contains(&place) {
                return Err(self.refused(format_args!("has the column {name:?} twice: remove one")));
            }
            places.push(place);
        }
        match self
            .columns
            .iter()
            .enumerate()
            .find(|(at, column)| column.needed && !places.contains(&Some(*at)))
        {
            Some((_, missing)) => Err(self.refused(format_args!(
                "has no column {:?}: add it. Known columns are {}",
                missing.name,
                known()
            ))),
            None => Ok(places),
        }
    }

    fn separated(
        &self,
        input: impl Read,
        separator: u8,
        visit: &mut dyn FnMut(u64, u64, Row<'_>) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .flexible(true)
            .buffer_capacity(BUFFER)
            .from_reader(input);
        let header = reader
            .headers()
            .map_err(|error| self.unreadable(&error))?
            .clone();
        let places = self.places(header.iter())?;
        let mut record = csv::ByteRecord::new();
        while reader
            .read_byte_record(&mut record)
            .map_err(|error| self.unreadable(&error))?
        {
            let (line, byte) = record
                .position()
                .map_or((0, 0), |position| (position.line(), position.byte()));
            let more = if record.len() == places.len() {
                let mut cells: [&[u8]; MOST_COLUMNS] = [&[]; MOST_COLUMNS];
                for (cell, place) in record.iter().zip(&places) {
                    if let Some(place) = place {
                        cells[*place] = cell;
                    }
                }
                visit(
                    byte,
                    line,
                    Ok(Cells {
                        columns: self.columns,
                        cells: &cells[..self.columns.len()],
                    }),
                )?
            } else {
                let what = format!(
                    "has {} cells and the header {}: quote cells that contain the separator",
                    record.len(),
                    places.len()
                );
                visit(byte, line, Err(Wrong::row(what)))?
            };
            if !more {
                break;
            }
        }
        Ok(())
    }

    fn unreadable(&self, error: &csv::Error) -> Failure {
        self.refused(format_args!(
            "cannot be read: {error}: the file may be truncated or damaged, fetch it again"
        ))
    }

    fn lines(
        &self,
        input: impl Read,
        visit: &mut dyn FnMut(u64, u64, Row<'_>) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let mut input = BufReader::with_capacity(BUFFER, input);
        let (mut line, mut members, mut at) = (Vec::new(), Members::new(self.columns, self.lax), 0);
        for number in 1.. {
            line.clear();
            let read = input.by_ref().take(MOST_LINE).read_until(b'\n', &mut line);
            let read = read.map_err(|error| Failure::file("read", self.path, &error))?;
            if read == 0 {
                break;
            }
            let text = if number == 1 {
                line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line)
            } else {
                &line
            };
            at += read as u64;
            if text.trim_ascii().is_empty() {
                continue;
            }
            if read as u64 == MOST_LINE {
                return Err(self.refused(format_args!(
                    "has a line {number} of more than {MOST_LINE} bytes: write one object a line"
                )));
            }
            let more = match members.read(text) {
                Ok(()) => visit(
                    at,
                    number,
                    Ok(Cells {
                        columns: self.columns,
                        cells: &members.cells()[..self.columns.len()],
                    }),
                )?,
                Err(what) => visit(
                    at,
                    number,
                    Err(Wrong::row(format!("{what}: correct the line"))),
                )?,
            };
            if !more {
                break;
            }
        }
        Ok(())
    }
}

/// The members of a JSON object, as cells.
struct Members {
    columns: &'static [Column],
    lax: bool,
    /// The text of all members, concatenated.
    text: Vec<u8>,
    spans: [(usize, usize); MOST_COLUMNS],
}

impl Members {
    fn new(columns: &'static [Column], lax: bool) -> Self {
        Self {
            columns,
            lax,
            text: Vec::new(),
            spans: [(0, 0); MOST_COLUMNS],
        }
    }

    fn read(&mut self, line: &[u8]) -> Result<(), String> {
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

    fn cells(&self) -> [&[u8]; MOST_COLUMNS] {
        self.spans
            .map(|(from, to)| self.text.get(from..to).unwrap_or_default())
    }
}

impl<'de> Visitor<'de> for &mut Members {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut seen = 0_u32;
        while let Some((name, value)) = members.next_entry::<Cow<'_, str>, &RawValue>()? {
            let Some(place) = self.columns.iter().position(|column| column.name == name) else {
                if self.lax {
                    continue;
                }
                return Err(A::Error::custom(format_args!(
                    "the member {name:?} is not known, remove it or give --ignore-columns"
                )));
            };
            if seen & 1 << place != 0 {
                return Err(A::Error::custom(format_args!(
                    "the member {name:?} is there twice"
                )));
            }
            seen |= 1 << place;
            let from = self.text.len();
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
