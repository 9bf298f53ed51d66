//! [`Table`]: rows of CSV, JSON Lines and Parquet files, as cells in the order of known columns.

use serde::de::{Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::cell::Cell;
use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::rc::Rc;
use std::str::FromStr;
use titledex_command::progress::Bar;
use titledex_command::source::{BYTE_ORDER_MARK, Kind as Format, Source};
use titledex_command::{Failure, files, spreadsheet};
use titledex_server::market::load::{Cells, Column, Form, Kind, Wrong};

/// Size of the read buffer.
const BUFFER: usize = 1 << 18;
/// Longest line of JSON Lines.
const MOST_LINE: u64 = 1 << 20;
/// Most bytes that are read for one row of CSV: such a row, and the buffer that it ends in.
const MOST_ROW: u64 = MOST_LINE + BUFFER as u64;
/// No kind of file has more known columns.
pub(crate) const MOST_COLUMNS: usize = 40;
/// Rows between two updates of the progress bar.
const LOOK: u64 = 1 << 12;

/// The cells of a row, or what is wrong with it.
pub(crate) type Row<'r> = Result<Cells<'r>, Wrong>;

/// A header of a file that means a known column: `--map marketPrice=Preis`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Renamed {
    column: String,
    header: String,
}

impl FromStr for Renamed {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (column, header) = text
            .split_once('=')
            .filter(|(column, header)| !column.is_empty() && !header.is_empty())
            .ok_or("write the column, = and the file's name for it: marketPrice=Preis")?;
        Ok(Self {
            column: column.to_owned(),
            header: header.to_owned(),
        })
    }
}

/// A file whose rows have these columns.
pub(crate) struct Table<'p> {
    pub(crate) path: &'p Path,
    pub(crate) columns: &'static [Column],
    /// Headers of the file that mean a known column.
    map: &'p [Renamed],
    /// Ignore unknown columns.
    lax: bool,
    /// Most bytes of it, decompressed.
    most: u64,
    /// Whether cells of CSV may have been made safe for spreadsheets.
    exported: bool,
}

impl<'p> Table<'p> {
    /// The table of a kind in the file at `path`, of at most `mib` MiB when decompressed; `map` has
    /// names of its own for columns, `lax` ignores unknown columns.
    pub(crate) fn of(path: &'p Path, kind: Kind, map: &'p [Renamed], lax: bool, mib: u64) -> Self {
        Self {
            path,
            columns: kind.columns(),
            map,
            lax,
            most: mib.saturating_mul(1 << 20),
            exported: kind.is_exported(),
        }
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
            Format::Csv => self.separated(source.open(0)?, b',', &mut shown)?,
            Format::Tsv => self.separated(source.open(0)?, b'\t', &mut shown)?,
            Format::Jsonl => self.lines(source.open(0)?, &mut shown)?,
            #[cfg(feature = "parquet")]
            Format::Parquet => crate::parquet::rows(self, &mut shown)?,
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                return Err(
                    self.refused("is Parquet, which this program was built without: install it with `cargo install --locked --path server --features parquet`, or convert the file to CSV or JSON Lines")
                );
            }
            Format::Lines => {
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
        let unknown = |to: &&Renamed| !self.columns.iter().any(|column| column.name == to.column);
        if let Some(to) = self.map.iter().find(unknown) {
            return Err(Failure::new(format!(
                "--map {}={}: there is no column {:?}. Known columns are {}",
                to.column,
                to.header,
                to.column,
                known()
            )));
        }
        let mut places = Vec::new();
        for name in names {
            let name = name.trim();
            let renamed = self.map.iter().find(|to| to.header == name);
            let place = match renamed {
                Some(to) => self
                    .columns
                    .iter()
                    .position(|column| column.name == to.column),
                None => self.columns.iter().position(|column| column.is(name)),
            };
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
        let row = Rc::new(Cell::new(MOST_ROW));
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .flexible(true)
            .buffer_capacity(BUFFER)
            .from_reader(Bounded::of(input, self.most, &row));
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
            row.set(MOST_ROW);
            let (line, byte) = record
                .position()
                .map_or((0, 0), |position| (position.line(), position.byte()));
            let more = if record.len() == places.len() {
                let mut cells: [&[u8]; MOST_COLUMNS] = [&[]; MOST_COLUMNS];
                for (cell, place) in record.iter().zip(&places) {
                    if let Some(place) = place {
                        cells[*place] = if self.exported { restored(cell) } else { cell };
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
                let what = wrong_length(&header, &record);
                visit(byte, line, Err(Wrong::row(what)))?
            };
            if !more {
                break;
            }
        }
        Ok(())
    }

    fn unreadable(&self, error: &csv::Error) -> Failure {
        match error.kind() {
            csv::ErrorKind::Io(error) if TooLong::is(error) => {
                Failure::file("read", self.path, error)
            }
            _ => self.refused(format_args!(
                "cannot be read: {error}: the file may be truncated or damaged, fetch it again"
            )),
        }
    }

    fn lines(
        &self,
        input: impl Read,
        visit: &mut dyn FnMut(u64, u64, Row<'_>) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let row = Rc::new(Cell::new(MOST_ROW));
        let input = Bounded::of(input, self.most, &row);
        let mut input = BufReader::with_capacity(BUFFER, input);
        let (mut line, mut members, mut at) = (Vec::new(), Members::new(self.columns, self.lax), 0);
        for number in 1.. {
            line.clear();
            row.set(MOST_ROW);
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

/// What is wrong with a row of another length than the header.
fn wrong_length(header: &csv::StringRecord, record: &csv::ByteRecord) -> String {
    let (cells, columns) = (record.len(), header.len());
    let which = match header.get(cells) {
        Some(missing) => format!("{missing:?} is missing"),
        None => format!("cell {} has no column", columns + 1),
    };
    format!(
        "has {cells} cells and the header {columns}, so {which}: quote cells that contain the separator"
    )
}

/// The cell as it was before an export made it safe for spreadsheets.
fn restored(cell: &[u8]) -> &[u8] {
    if cell.first() != Some(&b'\'') {
        return cell;
    }
    std::str::from_utf8(cell).map_or(cell, |text| spreadsheet::restored(text).as_bytes())
}

/// Refuses a JSON value of another type than its column has.
fn check_form(column: Column, json: &str) -> Result<(), String> {
    let is = match json.as_bytes().first() {
        Some(b'n' | b'"') => return Ok(()),
        Some(b't' | b'f') => "a truth value",
        Some(b'[') => "a list",
        Some(b'{') => "an object",
        _ => "a number",
    };
    let expected = match column.form {
        Form::Number if is == "a number" => return Ok(()),
        Form::Object if is == "an object" => return Ok(()),
        Form::Text => "a string",
        Form::Number => "a number",
        Form::Object => "an object",
    };
    Err(format!(
        "the member {:?} is {is}, {expected} is expected",
        column.name
    ))
}

/// An input of which a row, and all rows together, may have so many bytes. A quote that is never
/// closed makes one row of all that follows, and a few megabytes of gzip hold many gigabytes.
struct Bounded<R> {
    input: R,
    /// Bytes that may still come, and one more.
    left: u64,
    most: u64,
    /// Bytes that the row may still take. Whoever reads rows resets it.
    row: Rc<Cell<u64>>,
}

impl<R> Bounded<R> {
    fn of(input: R, most: u64, row: &Rc<Cell<u64>>) -> Self {
        Self {
            input,
            left: most.saturating_add(1),
            most,
            row: Rc::clone(row),
        }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let allowed = self.left.min(self.row.get());
        if allowed == 0 {
            let what = if self.left == 0 {
                format!(
                    "it has more than {} MiB when decompressed: give --max-mib more, or divide it",
                    self.most >> 20
                )
            } else {
                format!("it has a row of more than {MOST_ROW} bytes: close its quotes")
            };
            return Err(io::Error::new(io::ErrorKind::InvalidData, TooLong(what)));
        }
        let room = buffer
            .len()
            .min(usize::try_from(allowed).unwrap_or(usize::MAX));
        let read = self.input.read(&mut buffer[..room])?;
        self.left -= read as u64;
        self.row.set(self.row.get() - read as u64);
        Ok(read)
    }
}

/// Why reading ended early.
#[derive(Debug)]
struct TooLong(String);

impl TooLong {
    fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Self>())
    }
}

impl fmt::Display for TooLong {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl Error for TooLong {}

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
            check_form(self.columns[place], value.get()).map_err(A::Error::custom)?;
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
