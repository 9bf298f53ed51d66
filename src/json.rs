//! [`Answer::write_json`]: the line that every surface writes.
//!
//! The bytes of `serde_json`, in less time: names of members are written without a look at their
//! letters, texts are searched for what needs an escape eight bytes at a time, and decimals of four
//! digits, some fifty in an answer, are integers, as are hundredths. Other decimals, which no engine's
//! answer has, are written with nine digits, of which the same number is read.

use crate::answer::Answer;
use serde::ser::{self, Impossible, Serialize, Serializer};
use std::fmt::{self, Display};

impl Answer<'_> {
    /// Adds the answer to `out` as JSON on one line, without a line break: of an answer of an engine
    /// the bytes that `serde_json::to_writer` writes, in less time.
    ///
    /// ```
    /// # let engine = titledex::Engine::new(titledex_embedded::catalogue()?);
    /// let mut line = Vec::new();
    /// engine.answer("Glurak 4/102", &titledex::Options::new()).write_json(&mut line);
    /// assert!(line.starts_with(br#"{"title":"Glurak 4/102","#));
    /// # Ok::<(), titledex::Error>(())
    /// ```
    pub fn write_json(&self, out: &mut Vec<u8>) {
        write(self, out);
    }
}

/// Adds a value to `out` that has texts, numbers, lists and members only.
pub(crate) fn write(value: &impl Serialize, out: &mut Vec<u8>) {
    value
        .serialize(Json(out))
        .expect("the value is of a kind that answers have");
}

/// A value of a kind that no answer has.
#[derive(Debug)]
struct Unknown;

impl Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of a kind that no answer has")
    }
}

impl std::error::Error for Unknown {}

impl ser::Error for Unknown {
    fn custom<T: Display>(_: T) -> Self {
        Unknown
    }
}

/// Writes a value to the end of the text.
struct Json<'o>(&'o mut Vec<u8>);

/// Writes the members of an object or the elements of a list.
struct Members<'o> {
    out: &'o mut Vec<u8>,
    first: bool,
    close: u8,
}

impl<'o> Members<'o> {
    #[inline]
    fn open(out: &'o mut Vec<u8>, open: u8, close: u8) -> Self {
        out.push(open);
        Members {
            out,
            first: true,
            close,
        }
    }

    #[inline]
    fn comma(&mut self) {
        if !self.first {
            self.out.push(b',');
        }
        self.first = false;
    }

    /// Writes a member, whose name needs no escape.
    #[inline]
    fn member<T: ?Sized + Serialize>(&mut self, name: &str, value: &T) -> Result<(), Unknown> {
        member(self.out, self.first, name);
        self.first = false;
        value.serialize(Json(self.out))
    }

    #[inline]
    fn close(self) -> Result<(), Unknown> {
        self.out.push(self.close);
        Ok(())
    }
}

/// The longest name of a member that is written at once.
const LONGEST_NAME: usize = 28;

/// Writes the name of a member, and before it what parts it from the one before.
///
/// Names are constants, so what is put together here is known to the compiler, and one copy of a
/// known size remains.
#[inline(always)]
fn member(out: &mut Vec<u8>, first: bool, name: &str) {
    let mut text = [0; LONGEST_NAME + 4];
    let end = name.len() + 2;
    match text.get_mut(2..end) {
        Some(place) if name.len() <= LONGEST_NAME => {
            place.copy_from_slice(name.as_bytes());
            (text[0], text[1], text[end], text[end + 1]) = (b',', b'"', b'"', b':');
            out.extend_from_slice(&text[usize::from(first)..end + 2]);
        }
        _ => long_member(out, first, name),
    }
}

#[cold]
fn long_member(out: &mut Vec<u8>, first: bool, name: &str) {
    if !first {
        out.push(b',');
    }
    plain(out, name);
    out.push(b':');
}

/// Fewer than eight bytes as one word, the first in its lowest byte, and 0 behind them.
#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    let wide = |part: &[u8; 4]| u64::from(u32::from_le_bytes(*part));
    match (bytes.first_chunk(), bytes.last_chunk()) {
        // two halves that overlap
        (Some(first), Some(last)) => wide(first) | wide(last) << (8 * (bytes.len() - 4)),
        _ => match *bytes {
            [a] => u64::from(a),
            [a, b] => u64::from_le_bytes([a, b, 0, 0, 0, 0, 0, 0]),
            [a, b, c] => u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0]),
            _ => 0,
        },
    }
}

/// Adds fewer than eight bytes, as one word, with their quotation marks to the end. Most texts are so
/// short that a call which copies any number of bytes costs more than copies of a known size, which
/// overlap or are cut.
#[inline(always)]
fn short(out: &mut Vec<u8>, word: u64, len: usize) {
    let mut text = [b'"'; 10];
    let marks = each(b'"') << (8 * len);
    text[1..9].copy_from_slice(&(word | marks).to_le_bytes());
    add(out, &text, len + 2);
}

/// Adds so many bytes, of which these are the first and the last, with their quotation marks.
#[inline(always)]
fn twice<const SIZE: usize, const ROOM: usize>(
    out: &mut Vec<u8>,
    (first, last): (&[u8; SIZE], &[u8; SIZE]),
    len: usize,
) {
    let (mut text, end) = ([b'"'; ROOM], len + 1);
    text[1..=SIZE].copy_from_slice(first);
    text[end - SIZE..end].copy_from_slice(last);
    add(out, &text, end + 1);
}

/// The first bytes of a text and its last, so many each.
#[inline(always)]
fn ends<const SIZE: usize>(bytes: &[u8]) -> Option<(&[u8; SIZE], &[u8; SIZE])> {
    bytes.first_chunk().zip(bytes.last_chunk())
}

/// Adds any number of bytes with their quotation marks.
#[inline(never)]
fn long(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    out.extend_from_slice(bytes);
    out.push(b'"');
}

/// Adds the first bytes of an array to the end.
#[inline(always)]
fn add<const ROOM: usize>(out: &mut Vec<u8>, text: &[u8; ROOM], len: usize) {
    let end = out.len() + len;
    out.extend_from_slice(text);
    out.truncate(end);
}

/// The most that [`add`] adds.
const ROOM: usize = 32 + 2;

/// Whether [`add`] finds room. A function that asks first, and has another make the room, calls
/// nothing itself: it need not save registers, which takes as long as a short text.
#[inline(always)]
fn has_room(out: &Vec<u8>) -> bool {
    out.capacity() - out.len() >= ROOM
}

/// Makes room, and goes on.
#[cold]
#[inline(never)]
fn in_new_room<T>(out: &mut Vec<u8>, value: T, write: fn(&mut Vec<u8>, T)) {
    out.reserve(ROOM);
    write(out, value);
}

/// A byte in each of eight.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// Not 0 if one of eight bytes is a quotation mark, a backslash or a control character.
#[inline(always)]
fn special(eight: [u8; 8]) -> u64 {
    let word = u64::from_ne_bytes(eight);
    // what is less than the subtrahend borrows its highest bit, where the byte does not have it; the
    // highest bits of both marks are 0, and leave that of the byte as it is
    let control = word.wrapping_sub(each(0x20));
    let quote = (word ^ each(b'"')).wrapping_sub(each(1));
    let backslash = (word ^ each(b'\\')).wrapping_sub(each(1));
    (control | quote | backslash) & !word & each(0x80)
}

/// Not 0 if one of the bytes of a text is special, but for those behind the last eight.
#[inline(always)]
fn special_of(text: &[u8]) -> u64 {
    let (eights, _) = text.as_chunks();
    eights
        .iter()
        .fold(0, |found, &eight| found | special(eight))
}

/// Writes a text that needs no escape, with its quotation marks.
#[inline(never)]
fn plain(out: &mut Vec<u8>, text: &str) {
    if !has_room(out) {
        return in_new_room(out, text, plain);
    }
    let bytes = text.as_bytes();
    match (bytes.len(), ends(bytes), ends(bytes)) {
        (len @ 0..8, ..) => short(out, word(bytes), len),
        (len @ 8..16, Some(ends), _) => twice::<8, { 16 + 2 }>(out, ends, len),
        (len @ 16..=32, _, Some(ends)) => twice::<16, { 32 + 2 }>(out, ends, len),
        _ => long(out, bytes),
    }
}

/// Writes a text with its quotation marks.
#[inline(never)]
fn text(out: &mut Vec<u8>, value: &str) {
    if !has_room(out) {
        return in_new_room(out, value, text);
    }
    let bytes = value.as_bytes();
    match bytes.len() {
        len @ 0..8 => {
            let word = word(bytes);
            // spaces behind the text are as plain as any
            if special((word | each(b' ') << (8 * len)).to_le_bytes()) == 0 {
                return short(out, word, len);
            }
        }
        len @ 8..16 => {
            if let Some((first, last)) = ends(bytes)
                && special(*first) | special(*last) == 0
            {
                return twice::<8, { 16 + 2 }>(out, (first, last), len);
            }
        }
        len @ 16..=32 => {
            if let Some((first, last)) = ends::<16>(bytes)
                && special_of(first) | special_of(last) == 0
            {
                return twice::<16, { 32 + 2 }>(out, (first, last), len);
            }
        }
        _ => return long_text(out, bytes),
    }
    escaped(out, bytes);
}

/// Writes a text of at least eight bytes. A function of its own, so that shorter ones need not save
/// the registers that it takes.
#[inline(never)]
fn long_text(out: &mut Vec<u8>, text: &[u8]) {
    // the rest with some of the bytes before
    let last = text.last_chunk().map_or(1, |&last| special(last));
    if special_of(text) | last == 0 {
        long(out, text);
    } else {
        escaped(out, text);
    }
}

#[cold]
fn escaped(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    for &byte in text {
        let short = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0c => b'f',
            b'\r' => b'r',
            0..0x20 => {
                let digit = b"0123456789abcdef";
                out.extend_from_slice(b"\\u00");
                out.extend([digit[usize::from(byte >> 4)], digit[usize::from(byte & 15)]]);
                continue;
            }
            _ => {
                out.push(byte);
                continue;
            }
        };
        out.extend([b'\\', short]);
    }
    out.push(b'"');
}

/// Writes a whole number, in most cases a place in a title, of at most three digits.
fn whole(out: &mut Vec<u8>, number: u64) {
    if number < 1000 {
        if !has_room(out) {
            return in_new_room(out, number, whole);
        }
        let number = number as u32;
        let hundreds = number / 100;
        let text = hundreds | digits(number - 100 * hundreds) << 8 | 0x30_3030;
        let none = usize::from(number < 100) + usize::from(number < 10);
        let text = text >> (8 * none);
        add(out, &text.to_le_bytes(), 3 - none);
        return;
    }
    long_number(out, number);
}

/// Writes any whole number.
#[inline(never)]
fn long_number(out: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut from = digits.len();
    loop {
        from -= 1;
        digits[from] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[from..]);
}

/// The largest value that is written in ten-thousandths. Below it no two numbers with so few digits
/// are the same `f32`, so no shorter form exists.
const MOST: f64 = 99.0;

/// The two digits of a number below 100, the first in the lowest byte.
#[inline(always)]
fn digits(number: u32) -> u32 {
    let tens = (number * 103) >> 10;
    tens | (number - 10 * tens) << 8
}

/// Writes a decimal, in most cases a confidence of four digits or a weight of two.
fn decimal(out: &mut Vec<u8>, value: f32) {
    if !has_room(out) {
        return in_new_room(out, value, decimal);
    }
    // the nearest whole number, of what is not negative
    let scaled = f64::from(value.abs()) * 10_000.0 + 0.5;
    let number = scaled as u32;
    if (f64::from(number) / 10_000.0) as f32 != value.abs() || scaled > MOST * 10_000.0 {
        return long_decimal(out, value);
    }
    let (whole, rest) = (number / 10_000, number % 10_000);
    let (before, after) = (digits(whole), digits(rest / 100) | digits(rest % 100) << 16);
    // zeros at the end are not written, but for the first
    let end = 8 - (after.leading_zeros() / 8).min(3) as usize;
    let digits = u64::from(before) << 8 | u64::from(after) << 32;
    let marks = each(b'0') ^ u64::from(b'.' ^ b'0') << 24;
    let mut text = (digits | marks).to_le_bytes();
    let mut from = if whole < 10 { 2 } else { 1 };
    if value.is_sign_negative() {
        from -= 1;
        text[from] = b'-';
    }
    let text = u64::from_le_bytes(text) >> (8 * from);
    add(out, &text.to_le_bytes(), end - from);
}

/// The largest weight that is written in hundredths, as [`MOST`] of ten-thousandths: a title of
/// nothing but words for one thing has one of thousands.
const MOST_OF_HUNDREDTHS: f64 = 80_000.0;

/// Writes any other decimal: in hundredths, with nine digits, which tell each `f32` from all others,
/// or as `null` if it is not a number.
#[cold]
#[inline(never)]
fn long_decimal(out: &mut Vec<u8>, value: f32) {
    if !value.is_finite() {
        return out.extend_from_slice(b"null");
    }
    if value.is_sign_negative() {
        out.push(b'-');
    }
    let scaled = f64::from(value.abs()) * 100.0 + 0.5;
    let number = scaled as u64;
    if (number as f64 / 100.0) as f32 == value.abs() && scaled < MOST_OF_HUNDREDTHS * 100.0 {
        long_number(out, number / 100);
        let [tenths, hundredths] = [number / 10 % 10, number % 10].map(|digit| b'0' + digit as u8);
        out.extend_from_slice(&[b'.', tenths, hundredths]);
        // a zero at the end is not written, but for the first
        out.truncate(out.len() - usize::from(hundredths == b'0'));
        return;
    }
    // its first digit before the point; 0 is written in ten-thousandths
    let (mut rest, mut tens) = (f64::from(value.abs()), 0i32);
    while rest >= 10.0 {
        (rest, tens) = (rest / 10.0, tens + 1);
    }
    while rest < 1.0 {
        (rest, tens) = (rest * 10.0, tens - 1);
    }
    // as a whole number with eight more digits
    long_number(out, (rest * 1e8 + 0.5) as u64);
    out.push(b'e');
    let tens = tens - 8;
    if tens < 0 {
        out.push(b'-');
    }
    long_number(out, tens.unsigned_abs().into());
}

/// Methods for values of kinds that no answer has.
macro_rules! unknown {
    ($($name:ident($kind:ty)),* $(,)?) => {
        $(fn $name(self, _: $kind) -> Result<(), Unknown> {
            Err(Unknown)
        })*
    };
}

impl<'o> Serializer for Json<'o> {
    type Ok = ();
    type Error = Unknown;
    type SerializeSeq = Members<'o>;
    type SerializeMap = Members<'o>;
    type SerializeStruct = Members<'o>;
    type SerializeTuple = Impossible<(), Unknown>;
    type SerializeTupleStruct = Impossible<(), Unknown>;
    type SerializeTupleVariant = Impossible<(), Unknown>;
    type SerializeStructVariant = Impossible<(), Unknown>;

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Unknown> {
        text(self.0, value);
        Ok(())
    }

    fn serialize_bool(self, value: bool) -> Result<(), Unknown> {
        self.0
            .extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_u8(self, value: u8) -> Result<(), Unknown> {
        self.serialize_u64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<(), Unknown> {
        self.serialize_u64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<(), Unknown> {
        self.serialize_u64(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Unknown> {
        whole(self.0, value);
        Ok(())
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<(), Unknown> {
        decimal(self.0, value);
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Unknown> {
        self.0.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Unknown> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Unknown> {
        value.serialize(self)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Unknown> {
        plain(self.0, variant);
        Ok(())
    }

    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Unknown> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Members<'o>, Unknown> {
        Ok(Members::open(self.0, b'[', b']'))
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Members<'o>, Unknown> {
        Ok(Members::open(self.0, b'{', b'}'))
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'o>, Unknown> {
        Ok(Members::open(self.0, b'{', b'}'))
    }

    unknown! {
        serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64),
        serialize_f64(f64), serialize_char(char), serialize_bytes(&[u8]),
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Unknown> {
        Err(Unknown)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Unknown> {
        Err(Unknown)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Unknown> {
        Err(Unknown)
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Unknown> {
        Err(Unknown)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unknown> {
        Err(Unknown)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unknown> {
        Err(Unknown)
    }
}

impl ser::SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = Unknown;

    #[inline]
    fn serialize_field<T: ?Sized + Serialize>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Unknown> {
        self.member(key, value)
    }

    #[inline]
    fn end(self) -> Result<(), Unknown> {
        self.close()
    }
}

/// Structs with a member whose own members are among theirs.
impl ser::SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Unknown;

    #[inline]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Unknown> {
        self.comma();
        key.serialize(Json(self.out))
    }

    #[inline]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Unknown> {
        self.out.push(b':');
        value.serialize(Json(self.out))
    }

    #[inline]
    fn end(self) -> Result<(), Unknown> {
        self.close()
    }
}

impl ser::SerializeSeq for Members<'_> {
    type Ok = ();
    type Error = Unknown;

    #[inline]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Unknown> {
        self.comma();
        value.serialize(Json(self.out))
    }

    #[inline]
    fn end(self) -> Result<(), Unknown> {
        self.close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn both(value: impl Serialize) -> (Vec<u8>, String) {
        let mut out = Vec::new();
        value
            .serialize(Json(&mut out))
            .expect("it is of a kind that answers have");
        let serde = serde_json::to_string(&value).expect("it is JSON");
        (out, serde)
    }

    #[test]
    fn short_decimals_are_written_as_by_serde() {
        for number in -989_999i32..=989_999 {
            let (ours, serde) = both((f64::from(number) / 10_000.0) as f32);
            assert_eq!(ours, serde.as_bytes(), "{number}");
        }
        assert_eq!(both(-0.0f32).0, both(-0.0f32).1.as_bytes());
        for number in (-7_999_999i32..8_000_000).step_by(7) {
            let (ours, serde) = both((f64::from(number) / 100.0) as f32);
            assert_eq!(ours, serde.as_bytes(), "{number}");
        }
    }

    #[test]
    fn every_byte_is_escaped_as_by_serde_in_every_place() {
        for byte in 0..=char::from(127) as u8 {
            for place in 0..20 {
                let mut letters = vec!['é'; 20];
                letters[place] = char::from(byte);
                let (ours, serde) = both(letters.into_iter().collect::<String>());
                assert_eq!(ours, serde.as_bytes(), "{byte} at {place}");
            }
        }
    }

    proptest! {
        #[test]
        fn whole_numbers_are_written_as_by_serde(whole in any::<u64>()) {
            let (ours, serde) = both(whole);
            prop_assert_eq!(ours, serde.into_bytes());
        }

        #[test]
        fn any_decimal_is_read_as_it_was(bits in any::<u32>()) {
            let value = f32::from_bits(bits);
            let ours = both(value).0;
            let read: Option<f32> = serde_json::from_slice(&ours).expect("it is JSON");
            prop_assert_eq!(read, Some(value).filter(|value| value.is_finite()));
        }

        #[test]
        fn texts_and_lists_are_written_as_by_serde(
            lists in proptest::collection::btree_map("\\PC*", proptest::collection::vec(any::<Option<String>>(), 0..4), 0..4),
        ) {
            let lists: BTreeMap<String, Vec<Option<String>>> = lists;
            let (ours, serde) = both(&lists);
            prop_assert_eq!(ours, serde.into_bytes());
        }
    }
}
