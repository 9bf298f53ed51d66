//! [`Strings`]: all strings of an index, each once.

use super::{WIDE, within};
use crate::catalogue::format::{NONE, U24};
use crate::error::Error;
use std::collections::HashMap;
use zerocopy::little_endian::U32;

/// Strings, each once; number 0 is the empty one.
pub(super) struct Strings {
    numbers: HashMap<Box<str>, U24>,
    /// All strings, one after another, and the place at which each begins.
    bytes: String,
    starts: Vec<U32>,
}

impl Strings {
    pub(super) fn new() -> Self {
        let mut strings = Strings {
            numbers: HashMap::new(),
            bytes: String::new(),
            starts: Vec::new(),
        };
        strings.get("");
        strings
    }

    /// The number of `text`, given at first sight. How many there are is looked at when all are
    /// known: until then those that do not fit have the last number.
    pub(super) fn get(&mut self, text: &str) -> U24 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = U24::new((self.starts.len() as u32).min(NONE));
        self.starts.push(U32::new(self.bytes.len() as u32));
        self.bytes.push_str(text);
        self.numbers.insert(text.into(), number);
        number
    }

    /// The bytes of all strings, and the places at which each begins and the last ends.
    ///
    /// # Errors
    /// [`crate::ErrorKind::TooLarge`] if they are more than the format has numbers for.
    pub(super) fn columns(mut self) -> Result<(Vec<U32>, String), Error> {
        within("strings", self.starts.len(), WIDE)?;
        within("bytes of strings", self.bytes.len(), u32::MAX as usize)?;
        self.starts.push(U32::new(self.bytes.len() as u32));
        Ok((self.starts, self.bytes))
    }
}
