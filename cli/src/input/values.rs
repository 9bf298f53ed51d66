//! [`Values`]: the values of a JSON array, or JSON values one after the other, as JSON Lines.

use super::BUFFER_BYTES;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// Reads JSON values that may span lines, and gives each a line of its own.
///
/// Line breaks between tokens become spaces, and all else stays as it is. A text that is a value by
/// itself becomes an object with that text in the field of the titles. Whether a value is right is
/// for the reader of the lines to say: only quotes and brackets are followed here.
pub(crate) struct Values<R> {
    input: BufReader<R>,
    /// What is put before a text: `{"title":`.
    before: Vec<u8>,
    /// The lines, of which `given` bytes are read.
    lines: Vec<u8>,
    given: usize,
    at: Place,
    /// How many brackets of the value are open.
    depth: usize,
    /// Whether an array is around the values, and open.
    array: Option<bool>,
    /// An error, which belongs after the lines.
    failed: Option<io::Error>,
}

/// The place in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Before the first value.
    Start,
    /// Between values.
    Between,
    /// In a value, outside of a text.
    Value,
    /// In a text, after a backslash or not; `alone` if it is the value.
    Text { alone: bool, escaped: bool },
}

impl<R: Read> Values<R> {
    /// The values of `input`; `field` is that of the titles.
    pub(crate) fn new(input: R, field: &str) -> Self {
        let key = serde_json::Value::from(field);
        Self {
            input: BufReader::with_capacity(BUFFER_BYTES, input),
            before: format!("{{{key}:").into_bytes(),
            lines: Vec::new(),
            given: 0,
            at: Place::Start,
            depth: 0,
            array: None,
            failed: None,
        }
    }

    /// Takes one byte of the input.
    fn take(&mut self, byte: u8) -> io::Result<()> {
        match self.at {
            Place::Text { alone, escaped } => {
                // a line break in a text is wrong JSON, and stays so without breaking the line
                let kept = if matches!(byte, b'\n' | b'\r') {
                    1
                } else {
                    byte
                };
                self.lines.push(kept);
                self.at = match byte {
                    b'"' if !escaped && alone => {
                        self.lines.extend_from_slice(b"}\n");
                        Place::Between
                    }
                    b'"' if !escaped => Place::Value,
                    _ => Place::Text {
                        alone,
                        escaped: byte == b'\\' && !escaped,
                    },
                };
            }
            Place::Value => self.take_of_value(byte),
            Place::Start | Place::Between => return self.take_between(byte),
        }
        Ok(())
    }

    fn take_of_value(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.at = Place::Text {
                    alone: false,
                    escaped: false,
                };
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' if self.depth > 1 => self.depth -= 1,
            b'}' | b']' if self.depth == 1 => {
                self.depth = 0;
                self.at = Place::Between;
                self.lines.extend_from_slice(&[byte, b'\n']);
                return;
            }
            // a number or a word ends where nothing of it can follow
            b',' | b']' | b' ' | b'\t' | b'\n' | b'\r' if self.depth == 0 => {
                self.at = Place::Between;
                self.lines.push(b'\n');
                if byte == b']' {
                    self.array = self.array.map(|_| false);
                }
                return;
            }
            b'\n' | b'\r' => {
                self.lines.push(b' ');
                return;
            }
            _ => {}
        }
        self.lines.push(byte);
    }

    fn take_between(&mut self, byte: u8) -> io::Result<()> {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => return Ok(()),
            _ if self.array == Some(false) => {
                let more = "there is more after the end of the JSON array: leave it out";
                return Err(io::Error::new(ErrorKind::InvalidData, more));
            }
            b'[' if self.at == Place::Start => {
                self.array = Some(true);
                self.at = Place::Between;
                return Ok(());
            }
            b',' if self.array.is_some() => return Ok(()),
            b']' if self.array.is_some() => {
                self.array = Some(false);
                return Ok(());
            }
            b'"' => {
                self.lines.extend_from_slice(&self.before);
                self.lines.push(byte);
                self.at = Place::Text {
                    alone: true,
                    escaped: false,
                };
                return Ok(());
            }
            b'{' | b'[' => self.depth = 1,
            _ => {}
        }
        self.at = Place::Value;
        self.lines.push(byte);
        Ok(())
    }
}

impl<R: Read> Read for Values<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.lines.len() {
            self.lines.clear();
            self.given = 0;
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            let chunk = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                chunk => chunk?.to_vec(),
            };
            if chunk.is_empty() {
                let number = self.at == Place::Value && self.depth == 0;
                let open =
                    self.array == Some(true) || !matches!(self.at, Place::Start | Place::Between);
                if open && !(number && self.array.is_none()) {
                    let open = "the JSON ends inside a value or an array: it may be cut short";
                    return Err(io::Error::new(ErrorKind::UnexpectedEof, open));
                }
                return Ok(0);
            }
            self.input.consume(chunk.len());
            self.failed = chunk.into_iter().try_for_each(|byte| self.take(byte)).err();
        }
        let lines = &self.lines[self.given..];
        let size = lines.len().min(buffer.len());
        buffer[..size].copy_from_slice(&lines[..size]);
        self.given += size;
        Ok(size)
    }
}

#[cfg(test)]
mod tests {
    use super::Values;
    use std::io::Read;

    /// The lines, read in pieces of any size, and the error at their end.
    fn read(json: &str) -> (String, Option<String>) {
        let mut values = Values::new(json.as_bytes(), "title");
        let (mut lines, mut piece) = (Vec::new(), [0; 3]);
        loop {
            match values.read(&mut piece) {
                Ok(0) => return (String::from_utf8(lines).expect("UTF-8"), None),
                Ok(size) => lines.extend_from_slice(&piece[..size]),
                Err(error) => {
                    let lines = String::from_utf8(lines).expect("UTF-8");
                    return (lines, Some(error.to_string()));
                }
            }
        }
    }

    #[test]
    fn values_become_lines_and_stay_as_they_are() {
        for (json, lines) in [
            ("[]", ""),
            ("", ""),
            (
                " [ {\"a\":1.50} , {\"b\":[1,{}]}\n]\n",
                "{\"a\":1.50}\n{\"b\":[1,{}]}\n",
            ),
            (
                "[{\n  \"a\": 1,\r\n  \"b\": \"x,]}\\\"\"\n}]",
                "{   \"a\": 1,    \"b\": \"x,]}\\\"\" }\n",
            ),
            (
                "[\"a\\\"[\", \"\"]",
                "{\"title\":\"a\\\"[\"}\n{\"title\":\"\"}\n",
            ),
            ("[1, null,[2]]", "1\nnull\n[2]\n"),
            ("{\n\"a\":1}{\"b\":2}\n\n3", "{ \"a\":1}\n{\"b\":2}\n3"),
        ] {
            assert_eq!(read(json), (lines.to_owned(), None), "{json}");
        }
    }

    #[test]
    fn wrong_ends_are_errors() {
        for (json, why) in [
            ("[{\"a\":1}", "cut short"),
            ("[{\"a\":", "cut short"),
            ("[\"a", "cut short"),
            ("{\"a\":1", "cut short"),
            ("[{}] x", "after the end"),
            ("[{}],", "after the end"),
        ] {
            let error = read(json).1.unwrap_or_default();
            assert!(error.contains(why), "{json}: {error}");
        }
        assert_eq!(read("[{\"a\":1}] x").0, "{\"a\":1}\n");
    }
}
