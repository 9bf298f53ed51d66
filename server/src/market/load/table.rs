//! [`Table`]: rows of CSV, JSON Lines and Parquet files, as cells in the order of known columns.

mod bounded;
mod members;
#[cfg(feature = "parquet")]
mod parquet;

use super::cell::{Cells, Column, Wrong};
use super::{FileError, Kind, set_aside};
use bounded::{BUFFER, Bounded, MOST_LINE, MOST_ROW, TooLong};
use members::{MOST_COLUMNS, Members};
use std::cell::Cell;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;
use std::str::FromStr;
use titledex_command::source::BYTE_ORDER_MARK;
use titledex_command::spreadsheet;

/// The cells of a row, or why it has none.
pub type Row<'r> = Result<Cells<'r>, Unread<'r>>;

/// A row that could not be divided into cells.
#[derive(Clone, Debug)]
pub struct Unread<'r> {
    /// What is wrong with it.
    pub wrong: Wrong,
    /// Its text.
    pub line: &'r [u8],
}

/// Takes a row: where it ends in the input, its line or number, and its cells. Returns whether to
/// read on.
pub type Visit<'v> = &'v mut dyn FnMut(u64, u64, Row<'_>) -> Result<bool, FileError>;

/// A header of a file that means a known column: `marketPrice=Preis`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
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

/// How the settings of an import are called where it was started, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// What renames a column: `--map`.
    pub map: &'static str,
    /// What to do about an unknown column.
    pub columns: &'static str,
    /// What to do about too many bytes.
    pub bytes: &'static str,
    /// What to do about too many rows.
    pub rows: &'static str,
}

impl Words {
    /// Those of the command line.
    pub const COMMAND: Self = Self {
        map: "--map",
        columns: "remove it or give --ignore-columns",
        bytes: "give --max-mib more, or divide it",
        rows: "divide it",
    };
    /// Those of the HTTP interface.
    pub const REQUEST: Self = Self {
        map: "map",
        columns: "remove it or send ignoreColumns=true",
        bytes: "divide it",
        rows: "divide it",
    };
    /// Those of the watched folder.
    pub const FOLDER: Self = Self {
        map: "map",
        columns: "remove it, or import the file with --ignore-columns",
        bytes: "divide it, or set imports.unpacked-mib higher",
        rows: "divide it, or set imports.rows higher",
    };
}

/// What an import reads of one file at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes, decompressed.
    pub bytes: u64,
    /// Rows.
    pub rows: u64,
}

/// An input that is open, decompressed.
pub enum Input<'i> {
    /// Comma-separated cells.
    Csv(Box<dyn Read + 'i>),
    /// Tab-separated cells.
    Tsv(Box<dyn Read + 'i>),
    /// One JSON object on each line.
    Jsonl(Box<dyn Read + 'i>),
    /// Apache Parquet, which is not read from its beginning to its end.
    Parquet(std::fs::File),
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Csv(_) => "Csv",
            Self::Tsv(_) => "Tsv",
            Self::Jsonl(_) => "Jsonl",
            Self::Parquet(_) => "Parquet",
        })
    }
}

/// How the rows of one kind are found in a file.
#[derive(Clone, Copy, Debug)]
pub struct Table<'t> {
    columns: &'static [Column],
    /// Headers of the file that mean a known column.
    map: &'t [Renamed],
    /// Ignore unknown columns.
    lax: bool,
    bounds: Bounds,
    words: Words,
    /// Whether cells of CSV may have been made safe for spreadsheets.
    exported: bool,
}

impl<'t> Table<'t> {
    /// The table of a kind in a file of at most so many bytes and rows; `map` has names of its own
    /// for columns.
    #[must_use]
    pub fn new(kind: Kind, map: &'t [Renamed], bounds: Bounds, words: Words) -> Self {
        Self {
            columns: kind.columns(),
            map,
            lax: false,
            bounds,
            words,
            exported: kind.is_exported(),
        }
    }

    /// The same table, of which unknown columns are ignored if `lax`.
    #[must_use]
    pub fn ignoring_columns(self, lax: bool) -> Self {
        Self { lax, ..self }
    }

    /// Shows each row in turn, until `visit` returns false.
    ///
    /// # Errors
    /// If the input cannot be read, is not understood, or has more than the bounds; and those of
    /// `visit`.
    pub fn each(&self, input: Input<'_>, visit: Visit<'_>) -> Result<(), FileError> {
        self.check_map()?;
        let mut rows = 0;
        let mut counted = |at: u64, number: u64, row: Row<'_>| {
            rows += 1;
            if rows > self.bounds.rows {
                return Err(FileError::TooLarge(format!(
                    "has more than {} rows: {}",
                    self.bounds.rows, self.words.rows
                )));
            }
            visit(at, number, row)
        };
        match input {
            Input::Csv(input) => self.separated(input, b',', &mut counted),
            Input::Tsv(input) => self.separated(input, b'\t', &mut counted),
            Input::Jsonl(input) => self.lines(input, &mut counted),
            #[cfg(feature = "parquet")]
            Input::Parquet(file) => parquet::rows(self, file, &mut counted),
            #[cfg(not(feature = "parquet"))]
            Input::Parquet(_) => Err(FileError::Refused(
                "is Parquet, which this program was built without: install it with `cargo install --locked --path server --features parquet`, or convert the file to CSV or JSON Lines".to_owned(),
            )),
        }
    }

    /// The names of the known columns, for messages.
    fn known(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
        names.join(", ")
    }

    /// Refuses names of the caller for columns that there are not.
    fn check_map(&self) -> Result<(), FileError> {
        let unknown = |to: &&Renamed| !self.columns.iter().any(|column| column.name == to.column);
        let Some(to) = self.map.iter().find(unknown) else {
            return Ok(());
        };
        Err(FileError::Parameter(format!(
            "{} {}={}: there is no column {:?}. Known columns are {}",
            self.words.map,
            to.column,
            to.header,
            to.column,
            self.known()
        )))
    }

    /// The place among the known columns of what a file calls so, in a header or as a member. None
    /// if it is not known.
    fn place_of(&self, name: &str) -> Option<usize> {
        let name = name.trim();
        let renamed = self.map.iter().find(|to| to.header == name);
        self.columns.iter().position(|column| match renamed {
            Some(to) => column.name == to.column,
            None => column.is(name),
        })
    }

    /// The place of each of `names` among the known columns; `None` for one that is ignored.
    fn places<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<Vec<Option<usize>>, FileError> {
        let mut places = Vec::new();
        for name in names {
            let (name, place) = (name.trim(), self.place_of(name));
            if place.is_none() && !self.lax {
                return Err(FileError::Refused(format!(
                    "has the column {name:?}, which is not known: {}. Known columns are {}",
                    self.words.columns,
                    self.known()
                )));
            }
            if place.is_some() && places.contains(&place) {
                return Err(FileError::Refused(format!(
                    "has the column {name:?} twice: remove one"
                )));
            }
            places.push(place);
        }
        match self
            .columns
            .iter()
            .enumerate()
            .find(|(at, column)| column.needed && !places.contains(&Some(*at)))
        {
            Some((_, missing)) => Err(FileError::Refused(format!(
                "has no column {:?}: add it. Known columns are {}",
                missing.name,
                self.known()
            ))),
            None => Ok(places),
        }
    }

    fn separated(
        &self,
        input: impl Read,
        separator: u8,
        visit: Visit<'_>,
    ) -> Result<(), FileError> {
        let row = Rc::new(Cell::new(MOST_ROW));
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .flexible(true)
            .buffer_capacity(BUFFER)
            .from_reader(Bounded::of(
                input,
                self.bounds.bytes,
                self.words.bytes,
                &row,
            ));
        let header = reader.headers().map_err(unreadable)?.clone();
        let places = self.places(header.iter())?;
        let is_safe = self.exported || set_aside::is_header(header.iter());
        let mut record = csv::ByteRecord::new();
        while reader.read_byte_record(&mut record).map_err(unreadable)? {
            row.set(MOST_ROW);
            let (line, byte) = record
                .position()
                .map_or((0, 0), |position| (position.line(), position.byte()));
            let more = if record.len() == places.len() {
                let mut cells: [&[u8]; MOST_COLUMNS] = [&[]; MOST_COLUMNS];
                for (cell, place) in record.iter().zip(&places) {
                    if let Some(place) = place {
                        cells[*place] = if is_safe { restored(cell) } else { cell };
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
                let unread = Unread {
                    wrong: Wrong::row(wrong_length(&header, &record)),
                    line: &joined(&record, separator),
                };
                visit(byte, line, Err(unread))?
            };
            if !more {
                break;
            }
        }
        Ok(())
    }

    fn lines(&self, input: impl Read, visit: Visit<'_>) -> Result<(), FileError> {
        let row = Rc::new(Cell::new(MOST_ROW));
        let input = Bounded::of(input, self.bounds.bytes, self.words.bytes, &row);
        let mut input = BufReader::with_capacity(BUFFER, input);
        let (mut line, mut members, mut at) = (Vec::new(), Members::new(*self), 0);
        for number in 1.. {
            line.clear();
            row.set(MOST_ROW);
            let read = input.by_ref().take(MOST_LINE).read_until(b'\n', &mut line);
            let read = read.map_err(broken)?;
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
                return Err(FileError::Refused(format!(
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
                Err(what) => {
                    let unread = Unread {
                        wrong: Wrong::row(format!("{what}: correct the line")),
                        line: text.trim_ascii_end(),
                    };
                    visit(at, number, Err(unread))?
                }
            };
            if !more {
                break;
            }
        }
        Ok(())
    }
}

/// Why a row of CSV could not be read.
fn unreadable(error: csv::Error) -> FileError {
    let what = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => broken(error),
        _ => FileError::Refused(format!("cannot be read: {what}: correct the file")),
    }
}

/// Why an input could not be read: by its bounds, by its content, or by the system.
fn broken(error: io::Error) -> FileError {
    if let Some(what) = TooLong::of(&error) {
        return FileError::TooLarge(what);
    }
    if error.raw_os_error().is_some() {
        return FileError::Read(error);
    }
    FileError::Refused(format!(
        "cannot be read: {error}: the file may be truncated or damaged, fetch it again"
    ))
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

/// The text of a row, as a file may have it.
fn joined(record: &csv::ByteRecord, separator: u8) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .from_writer(Vec::new());
    // memory takes every row
    let written = writer.write_byte_record(record).ok();
    let line = written.and_then(|()| writer.into_inner().ok());
    let mut line = line.unwrap_or_default();
    line.truncate(line.len().saturating_sub(1));
    line
}

/// The cell as it was before it was made safe for spreadsheets.
fn restored(cell: &[u8]) -> &[u8] {
    if cell.first() != Some(&b'\'') {
        return cell;
    }
    std::str::from_utf8(cell).map_or(cell, |text| spreadsheet::restored(text).as_bytes())
}
