//! [`Tape`]: an answer as numbers and letters, of which `wasm/package/src/objects.ts` makes an object
//! in less time than `JSON.parse` takes for its text.
//!
//! The numbers are the answer's values in the order of JSON, without names: both sides know the
//! types. Of a text the number of its letters in UTF-16 stands among them; its letters stand behind
//! those of the text before. Members that may be left out are preceded by a number whose bits tell
//! which are there, the first member's lowest; a list is preceded by its length.

use serde::ser::{self, Impossible, Serialize, Serializer};
use std::fmt;
use titledex::Answer;

/// A decimal in ten-thousandths: confidences have four digits, weights two. From 1,024 on an `f32`
/// tells ten-thousandths apart no longer, hundredths it does up to 80,000; a title of nothing but
/// words for one thing has a weight of thousands. Not inlined: it is the same code in each of the
/// places that have a decimal, and a module travels.
#[inline(never)]
fn parts(value: f32) -> i32 {
    let (scale, rest) = match value.abs() < 1_000.0 {
        true => (10_000.0, 1),
        false => (100.0, 100),
    };
    let scaled = f64::from(value) * scale;
    ((scaled + 0.5f64.copysign(scaled)) as i32).saturating_mul(rest)
}

/// Answers as numbers and letters.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    numbers: Vec<i32>,
    letters: String,
}

impl Tape {
    /// Takes all answers away; the room is kept.
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.letters.clear();
    }

    /// Adds an answer.
    pub(crate) fn push(&mut self, answer: &Answer<'_>) {
        answer
            .serialize(Writer(self))
            .expect("an answer has texts, numbers, lists and members only");
    }

    /// The letters of all texts.
    pub(crate) fn letters(&self) -> &str {
        &self.letters
    }

    /// Where the numbers begin in memory, in bytes.
    pub(crate) fn address(&self) -> usize {
        self.numbers.as_ptr().addr()
    }

    fn text(&mut self, text: &str) {
        self.letters.push_str(text);
        let letters = match text.is_ascii() {
            true => text.len(),
            false => text.encode_utf16().count(),
        };
        self.numbers.push(letters as i32);
    }
}

/// Writes a value to the end of a tape.
struct Writer<'t>(&'t mut Tape);

impl Writer<'_> {
    fn number(self, number: i32) -> fmt::Result {
        self.0.numbers.push(number);
        Ok(())
    }
}

/// Methods for values of kinds that no answer has.
macro_rules! unknown {
    ($($name:ident($($kind:ty),*) -> $made:ty;)*) => {
        $(fn $name(self, $(_: $kind),*) -> Result<$made, fmt::Error> {
            Err(fmt::Error)
        })*
    };
}

impl<'t> Serializer for Writer<'t> {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = Self;
    type SerializeMap = Self;
    type SerializeStruct = Members<'t>;
    type SerializeTuple = Impossible<(), fmt::Error>;
    type SerializeTupleStruct = Impossible<(), fmt::Error>;
    type SerializeTupleVariant = Impossible<(), fmt::Error>;
    type SerializeStructVariant = Impossible<(), fmt::Error>;

    fn serialize_str(self, value: &str) -> fmt::Result {
        self.0.text(value);
        Ok(())
    }

    fn serialize_bool(self, value: bool) -> fmt::Result {
        self.number(value.into())
    }

    /// A grade, of which half ones are decimals.
    fn serialize_u8(self, value: u8) -> fmt::Result {
        self.serialize_f32(value.into())
    }

    fn serialize_u16(self, value: u16) -> fmt::Result {
        self.number(value.into())
    }

    fn serialize_u32(self, value: u32) -> fmt::Result {
        self.number(value.cast_signed())
    }

    fn serialize_f32(self, value: f32) -> fmt::Result {
        self.number(parts(value))
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, place: u32, _: &'static str) -> fmt::Result {
        self.number(place.cast_signed())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self, fmt::Error> {
        let len = len.ok_or(fmt::Error)?;
        self.0.numbers.push(len as i32);
        Ok(self)
    }

    /// A struct with a member whose own members are among its: none of them is left out.
    fn serialize_map(self, _: Option<usize>) -> Result<Self, fmt::Error> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'t>, fmt::Error> {
        let place = self.0.numbers.len();
        self.0.numbers.push(0);
        Ok(Members {
            tape: self.0,
            place,
            bit: 1,
        })
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> fmt::Result {
        Err(fmt::Error)
    }

    unknown! {
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_u64(u64) -> ();
        serialize_f64(f64) -> ();
        serialize_char(char) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }
}

impl ser::SerializeSeq for Writer<'_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> fmt::Result {
        value.serialize(Writer(self.0))
    }

    fn end(self) -> fmt::Result {
        Ok(())
    }
}

impl ser::SerializeMap for Writer<'_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, _: &T) -> fmt::Result {
        Ok(())
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> fmt::Result {
        value.serialize(Writer(self.0))
    }

    fn end(self) -> fmt::Result {
        Ok(())
    }
}

/// Writes the members of a struct.
struct Members<'t> {
    tape: &'t mut Tape,
    /// Where the number stands whose bits tell which members are there.
    place: usize,
    /// The bit of the next member.
    bit: i32,
}

impl ser::SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_field<T: ?Sized + Serialize>(
        &mut self,
        _: &'static str,
        value: &T,
    ) -> fmt::Result {
        self.tape.numbers[self.place] |= self.bit;
        self.bit <<= 1;
        value.serialize(Writer(self.tape))
    }

    fn skip_field(&mut self, _: &'static str) -> fmt::Result {
        self.bit <<= 1;
        Ok(())
    }

    fn end(self) -> fmt::Result {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::parts;

    /// The number that `decimal` of `wasm/package/src/tape.ts` makes is that of the shortest digits of
    /// the `f32`, as JSON has them.
    #[test]
    fn decimals_are_read_as_their_digits_in_json() {
        let same = |value: f32| {
            let digits = format!("{value}").parse::<f64>();
            assert_eq!(Ok(f64::from(parts(value)) / 10_000.0), digits);
        };
        for number in -989_999i32..=989_999 {
            same((f64::from(number) / 10_000.0) as f32);
        }
        for number in (-7_999_999i32..8_000_000).step_by(7) {
            same((f64::from(number) / 100.0) as f32);
        }
    }
}
