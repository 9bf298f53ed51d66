//! Tables out of files: rows of CSV, JSON Lines and Parquet as cells in the order of columns that are known beforehand.

use crate::args::Kind as Form;
use crate::failure::Failure;
use crate::input::source::Source;
use crate::input::{Mark, SIGNATURE};
use crate::progress::Bar;
use serde::de::{Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use titledex_server::market::load::{Cells, Column, Wrong};

/// Bytes asked of a file at once.
const BUFFER: usize = 1 << 18;
/// What is read of one line of JSON.
const MOST_LINE: u64 = 1 << 20;
/// No file has more columns that are known.
const MOST_COLUMNS: usize = 32;
/// Rows between two looks at the clock.
const LOOK: u64 = 1 << 12;

/// A row that could be taken apart, or what is wrong with it.
pub(super) type Row<'r> = Result<Cells<'r>, Wrong>;

/// A file with rows of these columns.
pub(super) struct Table<'p> {
    path: &'p Path,
    columns: &'static [Column],
    /// Columns that are not known are passed over.
    lax: bool,
}

impl<'p> Table<'p> {
    pub(super) fn of(path: &'p Path, columns: &'static [Column], lax: bool) -> Self {
        Self { path, columns, lax }
    }

    /// Shows each row in turn, with its line or number, until `visit` says that it is enough.
    pub(super) fn each(
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
            Form::Csv => self.separated(source.open(Mark::default())?, b',', &mut shown)?,
            Form::Tsv => self.separated(source.open(Mark::default())?, b'\t', &mut shown)?,
            Form::Jsonl => self.lines(source.open(Mark::default())?, &mut shown)?,
            #[cfg(feature = "columnar")]
            Form::Parquet => columnar::rows(self, &mut shown)?,
            #[cfg(not(feature = "columnar"))]
            Form::Parquet => {
                return Err(
                    self.refused("is Parquet, which this build does not read: write it as CSV")
                );
            }
            Form::Lines => {
                return Err(self.refused("has no known ending: call it .csv, .tsv, .jsonl or .parquet, with .gz where it is packed"));
            }
        }
        bar.clear();
        Ok(())
    }

    fn refused(&self, what: impl fmt::Display) -> Failure {
        Failure::new(format!("{} {what}", self.path.display()))
    }

    /// Where each column of `names` goes; none for one that is passed over.
    fn places<'n>(
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
                    "has the column {name:?}, which is not known: take it out or give --ignore-columns. Known are {}",
                    known()
                )));
            }
            if place.is_some() && places.contains(&place) {
                return Err(self.refused(format_args!("has the column {name:?} twice: leave one")));
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
                "has no column {:?}: add it. Known are {}",
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
                    "has {} cells and the header {}: quote cells that hold the separator",
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
            "cannot be read: {error}: the file may be cut short or damaged, fetch it again"
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
                line.strip_prefix(SIGNATURE).unwrap_or(&line)
            } else {
                &line
            };
            at += read as u64;
            if text.trim_ascii().is_empty() {
                continue;
            }
            if read as u64 == MOST_LINE {
                return Err(self.refused(format_args!(
                    "has a line {number} of more than {MOST_LINE} bytes: write an object a line"
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
                    Err(Wrong::row(format!("{what}: mend the line"))),
                )?,
            };
            if !more {
                break;
            }
        }
        Ok(())
    }
}

/// The members of an object, as cells.
struct Members {
    columns: &'static [Column],
    lax: bool,
    /// The text of all, one behind another.
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
                    "the member {name:?} is not known, take it out or give --ignore-columns"
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

#[cfg(feature = "columnar")]
mod columnar {
    //! Rows of Parquet: each column as text, whatever its type.

    use super::{Cells, Failure, MOST_COLUMNS, Row, Table};
    use arrow_array::cast::AsArray;
    use arrow_array::{Array, StringArray};
    use arrow_cast::cast;
    use arrow_schema::DataType;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use std::fs::File;

    const BATCH: usize = 4_096;

    pub(super) fn rows(
        table: &Table<'_>,
        visit: &mut dyn FnMut(u64, u64, Row<'_>) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let refused = |error: &dyn std::fmt::Display| {
            table.refused(format_args!(
                "cannot be read as Parquet: {error}: write it anew"
            ))
        };
        let file =
            File::open(table.path).map_err(|error| Failure::file("read", table.path, &error))?;
        let builder =
            ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| refused(&error))?;
        let schema = builder.schema().clone();
        let places = table.places(schema.fields().iter().map(|field| field.name().as_str()))?;
        let mut number = 0;
        for batch in builder
            .with_batch_size(BATCH)
            .build()
            .map_err(|error| refused(&error))?
        {
            let batch = batch.map_err(|error| refused(&error))?;
            let mut columns: [Option<StringArray>; MOST_COLUMNS] = [const { None }; MOST_COLUMNS];
            for (column, place) in batch.columns().iter().zip(&places) {
                if let Some(place) = place {
                    let text = cast(column, &DataType::Utf8).map_err(|error| refused(&error))?;
                    columns[*place] = text.as_string_opt().cloned();
                }
            }
            for row in 0..batch.num_rows() {
                number += 1;
                let mut cells: [&[u8]; MOST_COLUMNS] = [&[]; MOST_COLUMNS];
                for (cell, column) in cells.iter_mut().zip(&columns) {
                    if let Some(column) = column.as_ref().filter(|column| !column.is_null(row)) {
                        *cell = column.value(row).as_bytes();
                    }
                }
                let cells = Cells {
                    columns: table.columns,
                    cells: &cells[..table.columns.len()],
                };
                if !visit(number, number, Ok(cells))? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
