//! [`Proposal`]: a possible meaning of some bytes of a title, and its weight.

mod chosen;
pub(crate) mod context;

pub(crate) use chosen::Chosen;

use crate::dictionary::Tag;
use crate::parsed::Field;
use crate::token::Line;

/// A possible meaning of some bytes of the key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proposal {
    /// The attribute.
    pub(crate) field: Field,
    /// First byte in the key.
    pub(crate) at: u32,
    /// One past the last byte in the key.
    pub(crate) end: u32,
    /// How much it explains; see [`weight`].
    pub(crate) weight: f32,
    /// The value.
    pub(crate) value: Value,
    /// Whether `settle` chose it.
    pub(crate) chosen: bool,
    /// The dictionary calls it a hint.
    pub(crate) weak: bool,
}

impl Proposal {
    /// A proposal that `at..end` of the key means `value`, with confidence `quality` in that kind;
    /// see [`weight`].
    #[inline]
    pub(crate) fn new(
        line: &Line,
        (at, end): (u32, u32),
        field: Field,
        value: Value,
        quality: f32,
    ) -> Proposal {
        Proposal {
            field,
            at,
            end,
            weight: weight(line, at as usize, end as usize, quality),
            value,
            chosen: false,
            weak: false,
        }
    }

    /// Whether it lies inside `other`.
    #[inline]
    pub(crate) fn inside(&self, other: &Proposal) -> bool {
        other.at <= self.at && self.end <= other.end
    }
}

/// The value of a proposal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    /// A word of the dictionary.
    Word(Tag),
    /// Names or sets of the catalogue: an index into `Hit`s.
    Hit(u16),
    /// An index into `NumberReading`s.
    Number(u16),
    /// An index into `GradeReading`s.
    Grade(u16),
    /// A year, hit points, a level or a count.
    Count(u32),
    /// The text itself.
    Text,
}

/// The cost of one more reading, in bytes: of two covers with equal weight the one with fewer,
/// longer readings wins.
const READING_COST: f32 = 0.6;
/// The weight of a byte of a character outside ASCII, relative to one of ASCII: three bytes count
/// as two.
const WIDE_BYTE: f32 = 2.0 / 3.0;

/// The weight of a reading of `len` bytes with confidence `quality`: 1 is a word that is hardly
/// ever anything else.
///
/// Weights of neighbours add up, so they are in bytes explained. Characters of other scripts are
/// three bytes; they are counted as two.
#[inline]
pub(crate) fn weight(line: &Line, at: usize, end: usize, quality: f32) -> f32 {
    let ascii = if line.is_ascii() {
        end - at
    } else {
        let bytes = line.key().get(at..end).unwrap_or(&[]);
        bytes.iter().filter(|byte| byte.is_ascii()).count()
    };
    let wide = (end - at - ascii) as f32 * WIDE_BYTE;
    quality * (ascii as f32 + wide) - READING_COST
}
