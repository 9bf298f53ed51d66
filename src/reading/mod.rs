//! [`Proposal`]: a possible meaning of some bytes of a title, and its weight.

pub(crate) mod context;

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

/// So many readings are looked at one after another.
const FEW: usize = 24;

/// Whether bytes of the key are free of `chosen` (in the order of the title, without overlap). Asked
/// of places in their order.
#[inline]
pub(crate) fn free_of(chosen: &[Proposal]) -> impl FnMut(u32, u32) -> bool + '_ {
    let mut chosen = chosen.iter().peekable();
    move |at, end| {
        while chosen.next_if(|c| c.end <= at).is_some() {}
        chosen.peek().is_none_or(|c| c.at >= end)
    }
}

/// The place of the first of `chosen` (in the order of the title, without overlap) that ends after
/// key byte `at`.
// called from many places, each of which runs once a title: copies of it would have to be fetched
#[inline(never)]
pub(crate) fn first_behind(chosen: &[Proposal], at: u32) -> usize {
    // most titles have some ten: to look at all takes less than to halve them, or to guess where they
    // end
    if chosen.len() <= FEW {
        chosen.iter().filter(|c| c.end <= at).count()
    } else {
        chosen.partition_point(|c| c.end <= at)
    }
}

/// The first of `chosen` that ends after key byte `at`: if any covers this byte, it is this one.
pub(crate) fn covering(chosen: &[Proposal], at: u32) -> Option<&Proposal> {
    chosen.get(first_behind(chosen, at))
}

/// Those of `chosen` that share a byte with `at..end`.
pub(crate) fn overlapping(chosen: &[Proposal], at: u32, end: u32) -> &[Proposal] {
    let from = first_behind(chosen, at);
    let count = chosen[from..].iter().take_while(|c| c.at < end).count();
    &chosen[from..from + count]
}
