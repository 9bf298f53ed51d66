//! [`Records`]: batches of CSV records under a header (RFC 4180: quoted cells may contain line
//! breaks).
//!
//! `csv-core` finds the cells. Records are collected here rather than by the crate `csv`, because
//! an unclosed quote makes one record of everything that follows, and only [`ROW_BYTES`] of it may
//! be kept in memory.

use super::{
    BATCH_BYTES, BATCH_ROWS, BUFFER_BYTES, Input, Mark, ROW_BYTES, Room, Row, Rows, Title, filled,
};
use super::{begin_member, distinct, end_members, find_column, json_keys};
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use memchr::{memchr, memchr_iter};
use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use titledex_command::Failure;
use titledex_command::source::BYTE_ORDER_MARK;

/// Most cells of a record.
const MAX_CELLS: usize = 1 << 14;

/// The columns that the header names.
#[derive(Debug)]
struct Header {
    /// The place of the title among them.
    title: usize,
    /// The name of each as a JSON key.
    keys: Vec<Box<str>>,
}

/// A record in a batch.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// Number of cells of the batch up to its end.
    cells: usize,
    /// The line where it begins.
    line: u64,
    whole: Whole,
}

/// Whether a record was read completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whole {
    Yes,
    /// It is longer than [`ROW_BYTES`], or has more cells than [`MAX_CELLS`].
    TooLong,
    /// The input ended between quotes.
    Unclosed,
}

/// Some consecutive records.
#[derive(Debug, Default)]
pub(crate) struct RecordBatch {
    bytes: Vec<u8>,
    /// The end of each cell in `bytes`.
    cells: Vec<usize>,
    records: Vec<Record>,
    /// Records before this batch.
    before: u64,
    end: Mark,
    header: Option<Arc<Header>>,
}

impl Rows for RecordBatch {
    fn each(&self, room: &mut Room, mut visit: impl FnMut(Row<'_>)) {
        let Some(header) = &self.header else { return };
        let mut from = 0;
        let mut cells_before = 0;
        for (number, record) in (self.before + 1..).zip(&self.records) {
            let ends = &self.cells[cells_before..record.cells];
            cells_before = record.cells;
            let start = from;
            from = ends.last().copied().unwrap_or(from);
            let place = || format!("row {number}, which begins in line {}, ", record.line);
            let bad = match record.whole {
                Whole::TooLong => Some(format!(
                    "{}has more than {ROW_BYTES} bytes or {MAX_CELLS} cells: close its quotes, or shorten its other columns",
                    place()
                )),
                Whole::Unclosed => Some(format!(
                    "{}has a quote that is never closed, and all after it is inside: close it",
                    place()
                )),
                Whole::Yes if ends.len() != header.keys.len() => {
                    let (has, columns) = (ends.len(), header.keys.len());
                    let advice = "quote cells that hold a separator, or mend the row";
                    Some(format!(
                        "{}has {has} cells and the header {columns}: {advice}",
                        place()
                    ))
                }
                Whole::Yes => None,
            };
            if let Some(bad) = bad {
                visit(Row {
                    number,
                    title: Err(bad),
                    carried: &[],
                    altered: None,
                });
                continue;
            }
            room.carried.clear();
            let mut title: &[u8] = &[];
            let mut altered = None;
            let mut start = start;
            for (column, (key, &end)) in header.keys.iter().zip(ends).enumerate() {
                let cell = &self.bytes[start..end];
                start = end;
                if column == header.title {
                    title = cell;
                    continue;
                }
                begin_member(&mut room.carried);
                room.carried.extend_from_slice(key.as_bytes());
                let text = String::from_utf8_lossy(cell);
                if let Cow::Owned(_) = text {
                    altered = Some(format!(
                        "{}is not UTF-8 in column {}; it was carried with U+FFFD",
                        place(),
                        column + 1
                    ));
                }
                serde_json::to_writer(&mut room.carried, text.as_ref())
                    .expect("text is JSON, and memory takes it");
            }
            end_members(&mut room.carried);
            visit(Row {
                number,
                title: Ok(Title::of(title)),
                carried: &room.carried,
                altered,
            });
        }
    }

    fn end(&self) -> Mark {
        self.end
    }
}

/// Reads batches of records.
pub(crate) struct Records<R> {
    /// What was read to look for a byte order mark, and the rest.
    input: BufReader<Chain<Cursor<Vec<u8>>, R>>,
    name: String,
    header: Arc<Header>,
    columns: Vec<String>,
    parser: Parser,
    failed: Option<io::Error>,
}

/// Finds one record after another, and holds the current one.
struct Parser {
    reader: Reader,
    /// The cells of the record, concatenated: the first `used` of these bytes.
    bytes: Vec<u8>,
    used: usize,
    /// The end of each cell: the first `cells` of these.
    ends: Vec<usize>,
    cells: usize,
    at: Mark,
}

impl Parser {
    /// Reads the next record from `input`; `None` if there is none.
    fn next(&mut self, input: &mut impl BufRead) -> io::Result<Option<Record>> {
        (self.used, self.cells) = (0, 0);
        let mut record = Record {
            cells: 0,
            line: 0,
            whole: Whole::Yes,
        };
        let mut begun = false;
        loop {
            let chunk = match input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            let ended = chunk.is_empty();
            if !begun {
                // Between records: line breaks, or the second half of one.
                let blank = chunk
                    .iter()
                    .take_while(|byte| matches!(byte, b'\r' | b'\n'))
                    .count();
                if blank > 0 {
                    self.at.lines += memchr_iter(b'\n', &chunk[..blank]).count() as u64;
                    self.at.bytes += blank as u64;
                    input.consume(blank);
                    continue;
                }
                if ended {
                    return Ok(None);
                }
                begun = true;
                record.line = self.at.lines + 1;
                self.reader.set_line(self.at.lines);
            }
            // A line break after the last record ends it; inside quotes it is part of a cell, and
            // the record is not complete.
            let part = if ended { &b"\n"[..] } else { chunk };
            let (bytes, ends) = (&mut self.bytes[self.used..], &mut self.ends[self.cells..]);
            let (found, read, written, cells) = self.reader.read_record(part, bytes, ends);
            self.used += written;
            self.cells += cells;
            if !ended {
                self.at.bytes += read as u64;
                self.at.lines = self.reader.line();
                input.consume(read);
            }
            match found {
                ReadRecordResult::Record => break,
                ReadRecordResult::OutputFull if self.bytes.len() < ROW_BYTES => {
                    self.bytes.resize(2 * self.bytes.len(), 0)
                }
                ReadRecordResult::OutputEndsFull if self.ends.len() < MAX_CELLS => {
                    self.ends.resize(2 * self.ends.len(), 0)
                }
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    record.whole = Whole::TooLong;
                    (self.used, self.cells) = (0, 0);
                }
                ReadRecordResult::InputEmpty | ReadRecordResult::End if ended => {
                    record.whole = Whole::Unclosed;
                    break;
                }
                ReadRecordResult::InputEmpty | ReadRecordResult::End => {}
            }
        }
        self.at.rows += 1;
        if record.whole != Whole::Yes {
            (self.used, self.cells) = (0, 0);
        }
        Ok(Some(record))
    }

    /// The cells of the current record.
    fn cells(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends[..self.cells].iter().map(move |&end| {
            let cell = &self.bytes[start..end];
            start = end;
            cell
        })
    }
}

impl<R: Read> Records<R> {
    /// Records of `input`, named `name` in messages. The first row is the header; `title` names the
    /// column of titles.
    pub(crate) fn open(
        mut input: R,
        name: &str,
        separator: u8,
        title: &str,
    ) -> Result<Self, Failure> {
        let unreadable = |error: io::Error| Failure::file("read", Path::new(name), &error);
        // a pipe may give less than the mark at once
        let mut start = Vec::new();
        let mark = BYTE_ORDER_MARK.len() as u64;
        input
            .by_ref()
            .take(mark)
            .read_to_end(&mut start)
            .map_err(unreadable)?;
        let mut at = Mark::default();
        if start == BYTE_ORDER_MARK {
            start.clear();
            at.bytes = mark;
        }
        let mut input = BufReader::with_capacity(BUFFER_BYTES, Cursor::new(start).chain(input));
        let mut reader = ReaderBuilder::new().delimiter(separator).build();
        // from now on it looks for no mark, which it would find at the start of a piece alone
        let _ = reader.read_record(b"\n", &mut [0; 8], &mut [0; 8]);
        let mut parser = Parser {
            reader,
            bytes: vec![0; 1 << 10],
            used: 0,
            ends: vec![0; 1 << 5],
            cells: 0,
            at,
        };
        let record = parser.next(&mut input).map_err(unreadable)?;
        let Some(record) = record else {
            return Err(Failure::new(format!(
                "{name} is empty: CSV begins with a header that names the columns, `{title}` among them"
            )));
        };
        if record.whole != Whole::Yes {
            return Err(Failure::new(format!(
                "{name} has no header that ends: close the quotes in its first row"
            )));
        }
        let columns: Vec<String> = parser
            .cells()
            .map(|cell| String::from_utf8_lossy(cell).into_owned())
            .collect();
        let names = || columns.iter().map(String::as_str);
        let header = Arc::new(Header {
            title: find_column(names(), title, name)?,
            keys: json_keys(names()),
        });
        parser.at.rows = 0;
        Ok(Self {
            input,
            name: name.to_owned(),
            header,
            columns,
            parser,
            failed: None,
        })
    }

    /// Resumes in `input`, the same input already read up to `at`.
    pub(crate) fn resume(&mut self, input: R, at: Mark) {
        self.input = BufReader::with_capacity(BUFFER_BYTES, Cursor::default().chain(input));
        self.parser.at = at;
    }

    /// The names of the other columns, which differ.
    pub(crate) fn carried(&self) -> Vec<String> {
        let mut columns = distinct(self.columns.iter().map(String::as_str));
        columns.remove(self.header.title);
        columns
    }
}

impl<R: Read + Send> Input for Records<R> {
    type Batch = RecordBatch;

    fn fill(&mut self, batch: &mut RecordBatch) -> Result<bool, Failure> {
        batch.bytes.clear();
        batch.cells.clear();
        batch.records.clear();
        batch.before = self.parser.at.rows;
        batch.header.get_or_insert_with(|| Arc::clone(&self.header));
        while self.failed.is_none() {
            match self.parser.next(&mut self.input) {
                Ok(Some(record)) => {
                    let start = batch.bytes.len();
                    batch
                        .bytes
                        .extend_from_slice(&self.parser.bytes[..self.parser.used]);
                    batch.cells.extend(
                        self.parser.ends[..self.parser.cells]
                            .iter()
                            .map(|end| start + end),
                    );
                    batch.records.push(Record {
                        cells: batch.cells.len(),
                        ..record
                    });
                }
                Ok(None) => break,
                Err(error) => self.failed = Some(error),
            }
            let full = batch.records.len() == BATCH_ROWS || batch.bytes.len() >= BATCH_BYTES;
            // The second half of a line break may still be there: it does not promise a record.
            let rest = self.input.buffer().trim_ascii_start();
            if full || memchr(b'\n', rest).is_none() {
                break;
            }
        }
        batch.end = self.parser.at;
        filled(!batch.records.is_empty(), &mut self.failed, &self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::{RecordBatch, Records};
    use crate::input::{Input, Room, Rows};
    use std::io::Read;

    /// Input in pieces of a few bytes, as from a slow pipe.
    struct Drops<'i>(&'i [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let size = self.1.min(buffer.len());
            self.0.read(&mut buffer[..size])
        }
    }

    fn rows(input: &str, piece: usize) -> Vec<(Result<String, String>, String)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut records = Records::open(Drops(input.as_bytes(), piece), "memory", b',', "title")
            .expect("a header");
        let (mut batch, mut out) = (RecordBatch::default(), Vec::new());
        while records.fill(&mut batch).expect("memory") {
            batch.each(&mut Room::default(), |row| {
                out.push((row.title.map(|title| text(title.bytes)), text(row.carried)))
            });
        }
        assert_eq!(batch.end.bytes, input.len() as u64);
        out
    }

    #[test]
    fn cells_may_hold_quotes_separators_and_line_ends() {
        let input = "\u{feff}id,title,note\r\n1,\"a, \"\"b\"\"\",\"x\ny\"\r\n\r\n2,,\n3,last,é";
        for piece in [3, 7, 1 << 10] {
            let rows = rows(input, piece);
            assert_eq!(
                rows[0],
                (
                    Ok("a, \"b\"".to_owned()),
                    r#"{"id":"1","note":"x\ny"}"#.to_owned()
                ),
                "{piece}"
            );
            assert_eq!(
                rows[1],
                (Ok(String::new()), r#"{"id":"2","note":""}"#.to_owned())
            );
            assert_eq!(
                rows[2],
                (Ok("last".to_owned()), r#"{"id":"3","note":"é"}"#.to_owned())
            );
            assert_eq!(rows.len(), 3);
        }
    }

    #[test]
    fn row_that_does_not_fit_the_header_gives_its_line() {
        let rows = rows(
            "title,a\n\"x\ny\",1\n\ntoo,many,cells\nfew\nz,2\nopen,\"never\nclosed,1\n",
            5,
        );
        let bad: Vec<_> = rows
            .iter()
            .map(|(title, _)| title.as_ref().err().map(String::as_str).unwrap_or_default())
            .collect();
        assert_eq!(rows.len(), 5);
        assert!(
            bad[1].starts_with("row 2, which begins in line 5, has 3 cells and the header 2"),
            "{}",
            bad[1]
        );
        assert!(
            bad[2].starts_with("row 3, which begins in line 6, has 1 cells"),
            "{}",
            bad[2]
        );
        assert_eq!(rows[3].0.as_deref(), Ok("z"));
        assert!(
            bad[4].starts_with("row 5, which begins in line 8, has a quote that is never closed"),
            "{}",
            bad[4]
        );
    }

    #[test]
    fn a_long_row_is_passed_over_and_the_next_is_read() {
        let long = "y".repeat(3 << 20);
        let commas = ",".repeat(1 << 16);
        let rows = rows(
            &format!("title,a\n\"{long}\",1\n{commas}\nnext,2\n"),
            1 << 12,
        );
        assert!(
            rows[0]
                .0
                .as_ref()
                .is_err_and(|bad| bad.contains("1048576 bytes"))
        );
        assert!(
            rows[1]
                .0
                .as_ref()
                .is_err_and(|bad| bad.contains("16384 cells"))
        );
        assert_eq!(rows[2], (Ok("next".to_owned()), r#"{"a":"2"}"#.to_owned()));
    }
}
