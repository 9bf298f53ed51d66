//! [`Lines`]: batches of lines: each a title or, in JSON Lines, an object.

use super::{
    BATCH_BYTES, BATCH_ROWS, BUFFER_BYTES, Input, Mark, ROW_BYTES, Room, Row, Rows, TITLE_BYTES,
    Title, filled, jsonl,
};
use memchr::memchr;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use titledex_command::Failure;
use titledex_command::source::BYTE_ORDER_MARK;

/// Some consecutive lines.
#[derive(Debug, Default)]
pub(crate) struct LineBatch {
    bytes: Vec<u8>,
    /// The end of each line in `bytes`, and its length.
    lines: Vec<(usize, u64)>,
    /// Lines before this batch.
    before: u64,
    end: Mark,
    /// The fields of lines that are JSON.
    json: Option<Json>,
}

/// Lines that are JSON objects.
#[derive(Clone, Debug)]
pub(crate) struct Json {
    /// The field of the title.
    pub(crate) field: Arc<str>,
    /// What messages call an object: `line`, or `value` where they are not lines of the input.
    pub(crate) place: &'static str,
}

impl LineBatch {
    /// Its lines, numbered from 1.
    fn lines(&self) -> impl Iterator<Item = (u64, Title<'_>)> {
        let mut start = 0;
        (self.before + 1..)
            .zip(&self.lines)
            .map(move |(number, &(end, length))| {
                let bytes = &self.bytes[start..end];
                start = end;
                (number, Title { bytes, length })
            })
    }
}

impl Rows for LineBatch {
    fn each(&self, room: &mut Room, mut visit: impl FnMut(Row<'_>)) {
        for (number, line) in self.lines() {
            match &self.json {
                Some(Json { field, place }) => {
                    jsonl::row((place, number), line, field, room, &mut visit)
                }
                None => visit(Row {
                    number,
                    title: Ok(line),
                    carried: &[],
                    altered: None,
                }),
            }
        }
    }

    fn end(&self) -> Mark {
        self.end
    }
}

/// Reads batches of lines. A byte order mark before the first line is skipped: it is not part of a
/// title.
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    name: String,
    json: Option<Json>,
    at: Mark,
    failed: Option<io::Error>,
}

impl<R: Read> Lines<R> {
    /// Lines of `input`, already read up to `at` and named `name` in messages.
    ///
    /// With `json`, lines are JSON objects with the title in its field; otherwise they are titles.
    pub(crate) fn new(input: R, name: &str, json: Option<Json>, at: Mark) -> Self {
        let input = BufReader::with_capacity(BUFFER_BYTES, input);
        Self {
            input,
            name: name.to_owned(),
            json,
            at,
            failed: None,
        }
    }

    /// Adds one line to the batch; `false` if there is none.
    fn line(&mut self, batch: &mut LineBatch) -> bool {
        let kept = if self.json.is_some() {
            ROW_BYTES
        } else {
            TITLE_BYTES
        };
        let start = batch.bytes.len();
        let mut length = 0_u64;
        let mut begun = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok([]) => break,
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            };
            begun = true;
            let end = memchr(b'\n', chunk);
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let room = kept - (batch.bytes.len() - start);
            batch.bytes.extend_from_slice(&part[..part.len().min(room)]);
            length += part.len() as u64;
            let used = part.len() + usize::from(end.is_some());
            self.at.bytes += used as u64;
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !begun {
            return false;
        }
        if self.at.lines == 0 && batch.bytes.starts_with(BYTE_ORDER_MARK) {
            batch.bytes.drain(..BYTE_ORDER_MARK.len());
            length -= BYTE_ORDER_MARK.len() as u64;
        }
        let whole = (batch.bytes.len() - start) as u64 == length;
        if whole && batch.bytes[start..].last() == Some(&b'\r') {
            batch.bytes.pop();
            length -= 1;
        }
        batch.lines.push((batch.bytes.len(), length));
        self.at.lines += 1;
        self.at.rows += 1;
        true
    }
}

impl<R: Read + Send> Input for Lines<R> {
    type Batch = LineBatch;

    fn fill(&mut self, batch: &mut LineBatch) -> Result<bool, Failure> {
        batch.bytes.clear();
        batch.lines.clear();
        batch.before = self.at.lines;
        batch.json.clone_from(&self.json);
        while self.failed.is_none() && self.line(batch) {
            let full = batch.lines.len() == BATCH_ROWS || batch.bytes.len() >= BATCH_BYTES;
            if full || memchr(b'\n', self.input.buffer()).is_none() {
                break;
            }
        }
        batch.end = self.at;
        filled(!batch.lines.is_empty(), &mut self.failed, &self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::{LineBatch, Lines};
    use crate::input::{Input, Mark, TITLE_BYTES};

    fn all(input: &[u8]) -> Vec<(u64, Vec<u8>, u64)> {
        let mut lines = Lines::new(input, "memory", None, Mark::default());
        let mut batch = LineBatch::default();
        let mut out = Vec::new();
        while lines.fill(&mut batch).expect("memory") {
            out.extend(
                batch
                    .lines()
                    .map(|(number, line)| (number, line.bytes.to_vec(), line.length)),
            );
        }
        assert_eq!(batch.end.bytes, input.len() as u64);
        out
    }

    fn texts(input: &[u8]) -> Vec<Vec<u8>> {
        all(input).into_iter().map(|(_, bytes, _)| bytes).collect()
    }

    #[test]
    fn splits_at_line_ends_only() {
        assert!(texts(b"").is_empty());
        assert_eq!(texts(b"\n"), [b""]);
        assert_eq!(
            texts(b"a\n\r\n\nb\r\r\nc"),
            [&b"a"[..], b"", b"", b"b\r", b"c"]
        );
        assert_eq!(
            texts(b"a\0b\x0c\x85c\xe2\x80\xa8d\n"),
            [b"a\0b\x0c\x85c\xe2\x80\xa8d"]
        );
        assert_eq!(
            texts(b"\xef\xbb\xbfa\n\xef\xbb\xbfb"),
            [&b"a"[..], b"\xef\xbb\xbfb"]
        );
    }

    #[test]
    fn keeps_the_beginning_of_a_long_line_and_counts_it() {
        let mut input = vec![b'x'; 1 << 20];
        input.extend_from_slice(b"\r\nnext\n");
        let lines = all(&input);
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].1.len(), lines[0].2), (TITLE_BYTES, (1 << 20) + 1));
        assert_eq!(lines[1], (2, b"next".to_vec(), 4));
    }
}
