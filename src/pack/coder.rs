//! [`Coder`]: columns of numbers that are written and read by the same walk over the records.
//!
//! The first of a number's predictions that hits is written, as one byte. Only a number that none
//! of them hits is written out, in a column for each of its bytes. Right predictions cost next to
//! nothing once the pack is compressed; wrong ones cost bytes but lose nothing.

use crate::error::{Error, ErrorKind};

/// Says that the pack is damaged.
pub(super) fn corrupt(what: &str) -> Error {
    Error::new(
        ErrorKind::Corrupt,
        format!(
            "the pack is cut short or altered ({what}): fetch it again, or write it with `titledex catalogue pack`"
        ),
    )
}

/// The last value met under each number below a bound; numbers above it are not kept.
pub(super) struct Latest<T>(Vec<Option<T>>);

impl<T: Copy> Latest<T> {
    /// Remembers for the numbers below `most`.
    pub(super) fn below(most: usize) -> Self {
        Latest(vec![None; most])
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> Option<T> {
        self.0.get(number as usize).copied().flatten()
    }

    #[inline]
    pub(super) fn set(&mut self, number: u32, value: T) {
        if let Some(slot) = self.0.get_mut(number as usize) {
            *slot = Some(value);
        }
    }
}

/// Columns that are being written, or read from a pack.
pub(super) enum Coder<'p> {
    Write(Vec<Written>),
    Read(Vec<Read<'p>>),
}

/// A column that is being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    codes: Vec<u8>,
    missed: Vec<u32>,
    text: Vec<u8>,
}

/// A column of a pack.
#[derive(Clone, Debug, Default)]
pub(super) struct Read<'p> {
    codes: &'p [u8],
    planes: Vec<&'p [u8]>,
    text: &'p [u8],
    next_code: usize,
    next_missed: usize,
}

impl<'p> Coder<'p> {
    /// Columns to write into.
    pub(super) fn writing(columns: usize) -> Self {
        Coder::Write(vec![Written::default(); columns])
    }

    /// The columns of the bytes that [`Coder::finish`] gave.
    pub(super) fn reading(mut bytes: &'p [u8], columns: usize) -> Result<Self, Error> {
        let mut all = Vec::with_capacity(columns);
        for _ in 0..columns {
            let [codes, missed, planes, text] = [
                length(&mut bytes)?,
                length(&mut bytes)?,
                length(&mut bytes)?,
                length(&mut bytes)?,
            ];
            if planes > 4 || planes == 0 && missed > 0 {
                return Err(corrupt("a column is too wide"));
            }
            let codes = part(&mut bytes, codes)?;
            let planes = (0..planes)
                .map(|_| part(&mut bytes, missed))
                .collect::<Result<_, _>>()?;
            all.push(Read {
                codes,
                planes,
                text: part(&mut bytes, text)?,
                next_code: 0,
                next_missed: 0,
            });
        }
        if bytes.is_empty() {
            Ok(Coder::Read(all))
        } else {
            Err(corrupt("bytes follow the last column"))
        }
    }

    /// Whether it reads, not writes.
    pub(super) fn reads(&self) -> bool {
        matches!(self, Coder::Read(_))
    }

    /// Writes `value`, or reads the one in its place.
    #[inline]
    pub(super) fn value(
        &mut self,
        column: usize,
        value: u32,
        predicted: &[Option<u32>],
    ) -> Result<u32, Error> {
        match self {
            Coder::Write(all) => {
                let own = &mut all[column];
                if !predicted.is_empty() {
                    let hit = predicted.iter().position(|p| *p == Some(value));
                    own.codes.push(hit.unwrap_or(predicted.len()) as u8);
                    if hit.is_some() {
                        return Ok(value);
                    }
                }
                own.missed.push(value);
                Ok(value)
            }
            Coder::Read(all) => {
                let own = &mut all[column];
                if !predicted.is_empty() {
                    let code = usize::from(
                        *own.codes
                            .get(own.next_code)
                            .ok_or_else(|| corrupt("a column ends early"))?,
                    );
                    own.next_code += 1;
                    if let Some(hit) = predicted.get(code) {
                        return hit.ok_or_else(|| corrupt("a prediction that there is not"));
                    }
                }
                let at = own.next_missed;
                own.next_missed += 1;
                let mut value = 0;
                for (shift, plane) in own.planes.iter().enumerate() {
                    value |= u32::from(
                        *plane
                            .get(at)
                            .ok_or_else(|| corrupt("a column ends early"))?,
                    ) << (8 * shift);
                }
                if own.planes.is_empty() {
                    Err(corrupt("a column ends early"))
                } else {
                    Ok(value)
                }
            }
        }
    }

    /// As [`Coder::value`], with an error if the value does not fit a narrower type.
    #[inline]
    pub(super) fn narrow<T: Copy + Into<u32> + TryFrom<u32>>(
        &mut self,
        column: usize,
        value: T,
        predicted: &[Option<T>],
    ) -> Result<T, Error> {
        let mut wide = [None; 4];
        for (slot, one) in wide.iter_mut().zip(predicted) {
            *slot = one.map(Into::into);
        }
        let value = self.value(column, value.into(), &wide[..predicted.len()])?;
        T::try_from(value).map_err(|_| corrupt("a number is too large"))
    }

    /// The number of rows of a table with one number per row in `column`: at most what that column
    /// can hold.
    pub(super) fn rows(
        &mut self,
        counts: usize,
        rows: usize,
        column: usize,
    ) -> Result<usize, Error> {
        let rows = self.value(counts, rows as u32, &[])? as usize;
        match self {
            Coder::Read(all)
                if rows
                    > all[column]
                        .codes
                        .len()
                        .max(all[column].planes.first().map_or(0, |plane| plane.len())) =>
            {
                Err(corrupt("more rows than there are bytes"))
            }
            _ => Ok(rows),
        }
    }

    /// A text terminated by a zero. Writing fails if the text holds one.
    pub(super) fn text<'t>(&mut self, column: usize, text: &'t [u8]) -> Result<&'t [u8], Error>
    where
        'p: 't,
    {
        match self {
            Coder::Write(all) => {
                if text.contains(&0) {
                    return Err(Error::new(
                        ErrorKind::Source,
                        "a text of the catalogue holds the character U+0000, which no pack can carry",
                    ));
                }
                all[column].text.extend_from_slice(text);
                all[column].text.push(0);
                Ok(text)
            }
            Coder::Read(all) => {
                let own = &mut all[column];
                let end = own
                    .text
                    .iter()
                    .position(|&byte| byte == 0)
                    .ok_or_else(|| corrupt("a text has no end"))?;
                let (text, rest) = own.text.split_at(end);
                own.text = &rest[1..];
                Ok(text)
            }
        }
    }

    /// The bytes of text left in the columns from `first` on.
    pub(super) fn text_bytes(&self, first: usize) -> usize {
        match self {
            Coder::Write(all) => all[first..].iter().map(|column| column.text.len()).sum(),
            Coder::Read(all) => all[first..].iter().map(|column| column.text.len()).sum(),
        }
    }

    /// Bytes of any kind, the whole column.
    pub(super) fn bytes<'t>(&mut self, column: usize, bytes: &'t [u8]) -> &'t [u8]
    where
        'p: 't,
    {
        match self {
            Coder::Write(all) => {
                all[column].text = bytes.to_vec();
                bytes
            }
            Coder::Read(all) => std::mem::take(&mut all[column].text),
        }
    }

    /// The bytes of all columns.
    pub(super) fn finish(&self, out: &mut Vec<u8>) {
        let Coder::Write(all) = self else { return };
        for column in all {
            let most = column.missed.iter().copied().max();
            let planes = most.map_or(0, |most| (4 - most.leading_zeros() as usize / 8).max(1));
            for number in [
                column.codes.len(),
                column.missed.len(),
                planes,
                column.text.len(),
            ] {
                write_length(out, number);
            }
            out.extend_from_slice(&column.codes);
            for plane in 0..planes {
                out.extend(
                    column
                        .missed
                        .iter()
                        .map(|value| (value >> (8 * plane)) as u8),
                );
            }
            out.extend_from_slice(&column.text);
        }
    }
}

fn write_length(out: &mut Vec<u8>, mut length: usize) {
    while length >= 128 {
        out.push(length as u8 | 128);
        length >>= 7;
    }
    out.push(length as u8);
}

fn length(bytes: &mut &[u8]) -> Result<usize, Error> {
    let mut length = 0;
    for shift in (0..28).step_by(7) {
        let (&byte, rest) = bytes
            .split_first()
            .ok_or_else(|| corrupt("it ends within a length"))?;
        *bytes = rest;
        length |= usize::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(length);
        }
    }
    Err(corrupt("a length is too large"))
}

fn part<'p>(bytes: &mut &'p [u8], length: usize) -> Result<&'p [u8], Error> {
    let (part, rest) = bytes
        .split_at_checked(length)
        .ok_or_else(|| corrupt("it ends within a column"))?;
    *bytes = rest;
    Ok(part)
}
