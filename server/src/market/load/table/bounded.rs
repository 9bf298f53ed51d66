//! [`Bounded`]: an input that may have so many bytes.

use std::cell::Cell;
use std::error::Error;
use std::fmt;
use std::io::{self, Read};
use std::rc::Rc;

/// Size of the read buffer.
pub(super) const BUFFER: usize = 1 << 18;
/// Longest line of JSON Lines.
pub(super) const MOST_LINE: u64 = 1 << 20;
/// Most bytes that are read for one row of CSV: such a row, and the buffer that it ends in.
pub(super) const MOST_ROW: u64 = MOST_LINE + BUFFER as u64;

/// An input of which a row, and all rows together, may have so many bytes. A quote that is never
/// closed makes one row of all that follows, and a few megabytes of gzip hold many gigabytes.
pub(super) struct Bounded<R> {
    input: R,
    /// Bytes that may still come, and one more.
    left: u64,
    most: u64,
    /// What to do about too many.
    advice: &'static str,
    /// Bytes that the row may still take. Whoever reads rows resets it.
    row: Rc<Cell<u64>>,
}

impl<R> Bounded<R> {
    pub(super) fn of(input: R, most: u64, advice: &'static str, row: &Rc<Cell<u64>>) -> Self {
        Self {
            input,
            left: most.saturating_add(1),
            most,
            advice,
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
                    "has more than {} MiB when decompressed: {}",
                    self.most >> 20,
                    self.advice
                )
            } else {
                format!("has a row of more than {MOST_ROW} bytes: close its quotes")
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
pub(super) struct TooLong(pub(super) String);

impl TooLong {
    /// What it is, if that is why reading failed.
    pub(super) fn of(error: &io::Error) -> Option<String> {
        let inner = error.get_ref()?.downcast_ref::<Self>()?;
        Some(inner.0.clone())
    }
}

impl fmt::Display for TooLong {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl Error for TooLong {}
