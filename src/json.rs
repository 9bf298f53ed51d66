//! [`Answer::write_json`]: the line that every surface writes.

use crate::answer::Answer;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use std::io;

impl Answer<'_> {
    /// Adds the answer to `out` as JSON on one line, without a line break: the bytes that
    /// `serde_json::to_writer` writes, in less time.
    ///
    /// ```
    /// # let engine = titledex::Engine::new(titledex_embedded::catalogue()?);
    /// let mut line = Vec::new();
    /// engine.answer("Glurak 4/102", &titledex::Options::new()).write_json(&mut line);
    /// assert!(line.starts_with(br#"{"title":"Glurak 4/102","#));
    /// # Ok::<(), titledex::Error>(())
    /// ```
    pub fn write_json(&self, out: &mut Vec<u8>) {
        self.serialize(&mut Serializer::with_formatter(out, ShortDecimals))
            .expect("an answer has string keys only, and memory takes it");
    }
}

/// Compact JSON whose decimals are mostly short: confidences of four digits and weights of two,
/// some fifty in an answer.
struct ShortDecimals;

/// The largest value that is written in ten-thousandths. Below it no two numbers with so few digits
/// are the same `f32`, so no shorter form exists.
const MOST: f64 = 99.0;

impl Formatter for ShortDecimals {
    fn write_f32<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        let scaled = (f64::from(value.abs()) * 10_000.0).round();
        if (scaled / 10_000.0) as f32 != value.abs() || scaled > MOST * 10_000.0 {
            return CompactFormatter.write_f32(writer, value);
        }
        let number = scaled as u32;
        let (whole, rest) = (number / 10_000, number % 10_000);
        let digit = |of: u32| b'0' + (of % 10) as u8;
        let text = [
            b'-',
            digit(whole / 10),
            digit(whole),
            b'.',
            digit(rest / 1000),
            digit(rest / 100),
            digit(rest / 10),
            digit(rest),
        ];
        let mut end = text.len();
        while end > 5 && text[end - 1] == b'0' {
            end -= 1;
        }
        if value.is_sign_negative() {
            writer.write_all(&text[..1])?;
        }
        writer.write_all(&text[if whole < 10 { 2 } else { 1 }..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn both(value: f32) -> (Vec<u8>, String) {
        let mut out = Vec::new();
        value
            .serialize(&mut Serializer::with_formatter(&mut out, ShortDecimals))
            .expect("a number is JSON");
        (
            out,
            serde_json::to_string(&value).expect("a number is JSON"),
        )
    }

    #[test]
    fn short_decimals_are_written_as_by_serde() {
        for number in -1_000_000i32..=1_000_000 {
            let (ours, serde) = both((f64::from(number) / 10_000.0) as f32);
            assert_eq!(ours, serde.as_bytes(), "{number}");
        }
        assert_eq!(both(-0.0).0, both(-0.0).1.as_bytes());
    }

    proptest! {
        #[test]
        fn numbers_are_written_as_by_serde(bits in any::<u32>()) {
            let (ours, serde) = both(f32::from_bits(bits));
            prop_assert_eq!(ours, serde.into_bytes());
        }
    }
}
