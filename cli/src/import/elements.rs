//! The objects of a JSON file, one at a time: those of its list, the object that it is, or one on
//! each line. Only the object that is shown is in memory.

use std::io::BufRead;
use std::path::Path;
use titledex_command::{Failure, files};

/// The longest object, in bytes: four times the longest set that is known.
const MOST_OBJECT: usize = 16 << 20;

/// An object of a file as text, and where it begins.
pub(super) struct Element<'f> {
    file: &'f str,
    line: u64,
    text: &'f [u8],
}

impl Element<'_> {
    /// Reads it as `T`.
    ///
    /// # Errors
    /// If it is not one; the message names file, line and column.
    pub(super) fn read<T: serde::de::DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_slice(self.text).map_err(|error| {
            let message = error.to_string();
            let what = message.split(" at line ").next().unwrap_or_default();
            let line = self.line + (error.line() as u64).saturating_sub(1);
            Failure::new(format!("{}:{line}:{}: {what}", self.file, error.column()))
        })
    }

    /// Where it begins, for a message.
    pub(super) fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

/// Shows each object of a file.
///
/// # Errors
/// If the file cannot be read or is no list of objects; and the errors of `each`.
pub(super) fn each(
    path: &Path,
    mut each: impl FnMut(&Element<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let file = files::name(path);
    let mut input = files::stream(path)?;
    let mut found = Finder::new(&file);
    loop {
        let chunk = input
            .fill_buf()
            .map_err(|error| Failure::file("read", path, &error))?;
        if chunk.is_empty() {
            return found.end();
        }
        let length = chunk.len();
        for &byte in chunk {
            if let Some(line) = found.take(byte)? {
                each(&Element {
                    file: &file,
                    line,
                    text: &found.text,
                })?;
                found.text.clear();
            }
        }
        input.consume(length);
    }
}

/// Finds the objects in bytes that come one by one.
struct Finder<'f> {
    file: &'f str,
    /// The object so far.
    text: Vec<u8>,
    /// How many brackets are open in it.
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The line of the byte that comes next, and of the object's beginning.
    line: u64,
    begins: u64,
    /// Whether the list around the objects was opened, and closed.
    opened: bool,
    closed: bool,
    any: bool,
}

impl<'f> Finder<'f> {
    fn new(file: &'f str) -> Self {
        Finder {
            file,
            text: Vec::new(),
            depth: 0,
            in_string: false,
            escaped: false,
            line: 1,
            begins: 1,
            opened: false,
            closed: false,
            any: false,
        }
    }

    fn refused(&self, what: &str) -> Failure {
        Failure::new(format!("{}:{}: {what}", self.file, self.line))
    }

    /// Takes the next byte; the line in which an object begins that it completes.
    fn take(&mut self, byte: u8) -> Result<Option<u64>, Failure> {
        if byte == b'\n' {
            self.line += 1;
        }
        if self.depth == 0 {
            return self.between(byte).map(|()| None);
        }
        if self.text.len() == MOST_OBJECT {
            let what = format!(
                "the object that begins in line {} has more than {MOST_OBJECT} bytes: this is no file of cards",
                self.begins
            );
            return Err(self.refused(&what));
        }
        self.text.push(byte);
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return Ok(None);
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth -= 1,
            _ => {}
        }
        Ok((self.depth == 0).then_some(self.begins))
    }

    /// Takes a byte that belongs to no object.
    fn between(&mut self, byte: u8) -> Result<(), Failure> {
        match byte {
            // the mark of UTF-8 may come first
            b' ' | b'\t' | b'\r' | b'\n' => {}
            0xef | 0xbb | 0xbf if !self.any && !self.opened => {}
            b'{' if !self.closed => {
                (self.begins, self.depth, self.any) = (self.line, 1, true);
                self.text.push(byte);
            }
            b',' if self.opened && self.any && !self.closed => {}
            b'[' if !self.opened && !self.any => self.opened = true,
            b']' if self.opened && !self.closed => self.closed = true,
            _ => {
                let what = format!(
                    "met `{}`; expected a JSON list of objects, or objects",
                    char::from(byte).escape_default()
                );
                return Err(self.refused(&what));
            }
        }
        Ok(())
    }

    /// The file ends.
    fn end(&self) -> Result<(), Failure> {
        if self.depth > 0 || self.opened && !self.closed {
            return Err(self.refused("the file is cut short: fetch it again"));
        }
        Ok(())
    }
}
