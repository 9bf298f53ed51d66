//! Daily snapshots of an item's price, packed: a chunk holds those of [`DAYS`] days, a column after
//! another, as differences.
//!
//! A chunk is: the version; which columns there are and whether all days, and whether amounts are
//! whole cents; the days, as the first and the count where they follow each other, else as a
//! bitmap; then for each column a bitmap of the points that have it, unless all do, and the
//! differences between neighbours as zigzag varints. `low` is kept as its distance from `market`,
//! which changes less. A difference of nothing is followed by how many more of it there are: prices
//! stand still for days.

use super::money::Money;
use std::fmt;

/// Days of a chunk.
pub const DAYS: i64 = 256;
const VERSION: u8 = 1;
/// The largest amount that is packed, so that differences of differences fit 64 bits.
const MOST: i64 = 1 << 60;
const CENT: i64 = 100;

const DENSE: u8 = 1;
const CENTS: u8 = 2;
const COLUMNS: [(u8, u8); 3] = [(4, 8), (16, 32), (64, 128)];

/// A snapshot of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// The day, counted from 1970.
    pub day: i64,
    /// The market price.
    pub market: Option<Money>,
    /// The lowest price asked.
    pub low: Option<Money>,
    /// How many sell.
    pub sellers: Option<i64>,
}

/// Why a chunk cannot be unpacked: the store is damaged, or was written by a newer version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damaged {
    /// It has another version.
    Version(u8),
    /// It ends too early.
    Short,
    /// It continues after its end.
    Long,
    /// A number in it is larger than any that is written.
    Number,
    /// It has no day, or one outside its period.
    Days,
}

impl fmt::Display for Damaged {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Self::Version(found) => {
                return write!(
                    out,
                    "a chunk of price history has version {found}, this build reads {VERSION}"
                );
            }
            Self::Short => "ends too early",
            Self::Long => "goes on behind its end",
            Self::Number => "has a number that is too large",
            Self::Days => "has days outside its period",
        };
        write!(
            out,
            "a chunk of price history {what}: import the prices of that item again"
        )
    }
}

impl std::error::Error for Damaged {}

/// The chunk of a day.
#[must_use]
pub fn chunk_of(day: i64) -> i64 {
    day.div_euclid(DAYS)
}

/// Packs the points of one chunk, in ascending order. Amounts are clamped to ±2^60 ten-thousandths;
/// no import accepts larger ones.
#[must_use]
pub fn pack(points: &[Point]) -> Vec<u8> {
    debug_assert!(points.windows(2).all(|pair| pair[0].day < pair[1].day && chunk_of(pair[0].day) == chunk_of(pair[1].day)));
    let Some((first, last)) = points.first().zip(points.last()) else {
        return Vec::new();
    };
    let dense = last.day - first.day + 1 == points.len() as i64;
    let cents = points.iter().all(|point| {
        [point.market, point.low]
            .into_iter()
            .flatten()
            .all(|amount| amount.0 % CENT == 0)
    });
    let unit = if cents { CENT } else { 1 };
    let mut flags = if dense { DENSE } else { 0 } | if cents { CENTS } else { 0 };
    let columns = [0, 1, 2].map(|at| {
        points
            .iter()
            .map(|point| column(point, at, unit))
            .collect::<Vec<_>>()
    });
    for (values, (some, all)) in columns.iter().zip(COLUMNS) {
        let there = values.iter().flatten().count();
        flags |= if there == 0 { 0 } else { some } | if there == values.len() { all } else { 0 };
    }
    let mut out = Vec::with_capacity(points.len() * 4 + 8);
    out.extend([VERSION, flags]);
    let of_chunk = |point: &Point| point.day.rem_euclid(DAYS) as u8;
    if dense {
        out.extend([of_chunk(first), (points.len() - 1) as u8]);
    } else {
        bitmap(
            &mut out,
            256,
            points.iter().map(|point| usize::from(of_chunk(point))),
        );
    }
    for (values, (some, all)) in columns.iter().zip(COLUMNS) {
        if flags & some == 0 {
            continue;
        }
        if flags & all == 0 {
            bitmap(
                &mut out,
                values.len(),
                values
                    .iter()
                    .enumerate()
                    .filter(|(_, value)| value.is_some())
                    .map(|(at, _)| at),
            );
        }
        differences(&mut out, values.iter().flatten().copied());
    }
    out
}

/// Unpacks `chunk` and appends its points in ascending order.
///
/// # Errors
/// If it is not the output of [`pack`].
pub fn unpack(chunk: i64, bytes: &[u8], points: &mut Vec<Point>) -> Result<(), Damaged> {
    let mut input = Input(bytes);
    let version = input.byte()?;
    if version != VERSION {
        return Err(Damaged::Version(version));
    }
    let flags = input.byte()?;
    let begin = points.len();
    let from = chunk.checked_mul(DAYS).ok_or(Damaged::Days)?;
    let point = |of_chunk: usize| Point {
        day: from.saturating_add(of_chunk as i64),
        ..Point::default()
    };
    if flags & DENSE != 0 {
        let (first, more) = (usize::from(input.byte()?), usize::from(input.byte()?));
        if first + more >= 256 {
            return Err(Damaged::Days);
        }
        points.extend((first..=first + more).map(point));
    } else {
        points.extend(ones(input.take(32)?).map(point));
    }
    let new = &mut points[begin..];
    if new.is_empty() {
        return Err(Damaged::Days);
    }
    let unit = if flags & CENTS != 0 { CENT } else { 1 };
    for (at, (some, all)) in COLUMNS.into_iter().enumerate() {
        if flags & some == 0 {
            continue;
        }
        let mut reader = Differences { value: 0, zeros: 0 };
        if flags & all != 0 {
            for point in &mut *new {
                set(point, at, reader.next(&mut input)?, unit)?;
            }
        } else {
            let map = input.take(new.len().div_ceil(8))?;
            for of in ones(map) {
                set(
                    new.get_mut(of).ok_or(Damaged::Days)?,
                    at,
                    reader.next(&mut input)?,
                    unit,
                )?;
            }
        }
        if reader.zeros != 0 {
            return Err(Damaged::Long);
        }
    }
    if input.0.is_empty() {
        Ok(())
    } else {
        Err(Damaged::Long)
    }
}

/// Merges two ascending lists. A day of `new` replaces the same day of `old`.
#[must_use]
pub fn merge(old: &[Point], new: &[Point]) -> Vec<Point> {
    let mut merged = Vec::with_capacity(old.len() + new.len());
    let mut rest = old;
    for point in new {
        let before = rest.partition_point(|kept| kept.day < point.day);
        merged.extend_from_slice(&rest[..before]);
        rest = &rest[before..];
        if rest.first().is_some_and(|kept| kept.day == point.day) {
            rest = &rest[1..];
        }
        merged.push(*point);
    }
    merged.extend_from_slice(rest);
    merged
}

/// The value of a column as it is packed.
fn column(point: &Point, at: usize, unit: i64) -> Option<i64> {
    let amount = |money: Money| money.0.clamp(-MOST, MOST) / unit;
    match at {
        0 => point.market.map(amount),
        1 => point
            .low
            .map(|low| amount(low) - point.market.map_or(0, amount)),
        _ => point.sellers.map(|sellers| sellers.clamp(-MOST, MOST)),
    }
}

fn set(point: &mut Point, at: usize, value: i64, unit: i64) -> Result<(), Damaged> {
    let amount = |value: i64| value.checked_mul(unit).map(Money).ok_or(Damaged::Number);
    match at {
        0 => point.market = Some(amount(value)?),
        1 => {
            let market = point.market.map_or(0, |market| market.0);
            point.low = Some(Money(
                amount(value)?
                    .0
                    .checked_add(market)
                    .ok_or(Damaged::Number)?,
            ));
        }
        _ => point.sellers = Some(value),
    }
    Ok(())
}

fn bitmap(out: &mut Vec<u8>, bits: usize, ones: impl Iterator<Item = usize>) {
    let begin = out.len();
    out.resize(begin + bits.div_ceil(8), 0);
    for one in ones {
        out[begin + one / 8] |= 1 << (one % 8);
    }
}

fn ones(map: &[u8]) -> impl Iterator<Item = usize> + '_ {
    map.iter().enumerate().flat_map(|(at, byte)| {
        (0..8)
            .filter(move |bit| byte >> bit & 1 != 0)
            .map(move |bit| at * 8 + bit)
    })
}

fn differences(out: &mut Vec<u8>, values: impl Iterator<Item = i64>) {
    let (mut before, mut zeros) = (0_i64, 0_u64);
    for value in values {
        let difference = value - before;
        before = value;
        if difference == 0 {
            zeros += 1;
            continue;
        }
        end_zeros(out, &mut zeros);
        varint(
            out,
            ((difference << 1) ^ (difference >> 63)).cast_unsigned(),
        );
    }
    end_zeros(out, &mut zeros);
}

fn end_zeros(out: &mut Vec<u8>, zeros: &mut u64) {
    if *zeros > 0 {
        out.push(0);
        varint(out, *zeros - 1);
        *zeros = 0;
    }
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// What is left to read.
struct Input<'b>(&'b [u8]);

impl<'b> Input<'b> {
    fn byte(&mut self) -> Result<u8, Damaged> {
        let (first, rest) = self.0.split_first().ok_or(Damaged::Short)?;
        self.0 = rest;
        Ok(*first)
    }

    fn take(&mut self, bytes: usize) -> Result<&'b [u8], Damaged> {
        let (taken, rest) = self.0.split_at_checked(bytes).ok_or(Damaged::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<u64, Damaged> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Damaged::Number)
    }
}

/// Values out of differences.
struct Differences {
    value: i64,
    zeros: u64,
}

impl Differences {
    #[inline]
    fn next(&mut self, input: &mut Input<'_>) -> Result<i64, Damaged> {
        if self.zeros > 0 {
            self.zeros -= 1;
            return Ok(self.value);
        }
        let packed = input.varint()?;
        if packed == 0 {
            self.zeros = input.varint()?;
            return Ok(self.value);
        }
        let difference = (packed >> 1).cast_signed() ^ -(packed & 1).cast_signed();
        self.value = self.value.checked_add(difference).ok_or(Damaged::Number)?;
        Ok(self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::{DAYS, Damaged, Money, Point, merge, pack, unpack};
    use proptest::prelude::*;

    fn unpacked(chunk: i64, bytes: &[u8]) -> Result<Vec<Point>, Damaged> {
        let mut points = Vec::new();
        unpack(chunk, bytes, &mut points).map(|()| points)
    }

    fn points() -> impl Strategy<Value = Vec<Point>> {
        let amount = || {
            proptest::option::weighted(
                0.9,
                prop_oneof![0..1_000_i64, Just(500), 0..1_000_000_000_000_000_i64],
            )
        };
        let point = (
            proptest::option::weighted(
                0.8,
                (amount(), amount(), proptest::option::of(0..5_000_i64)),
            ),
            any::<bool>(),
        );
        (
            proptest::collection::vec(point, 1..=256),
            any::<bool>(),
            0..256_usize,
        )
            .prop_map(|(days, cents, at)| {
                let unit = if cents { 100 } else { 1 };
                let money = |value: Option<i64>| value.map(|value| Money(value / 100 * unit));
                let mut points: Vec<Point> = (0..DAYS)
                    .zip(days)
                    .filter_map(|(day, (value, _))| {
                        let (market, low, sellers) = value?;
                        Some(Point {
                            day: 79 * DAYS + day,
                            market: money(market),
                            low: money(low),
                            sellers,
                        })
                    })
                    .collect();
                if points.is_empty() {
                    points.push(Point {
                        day: 79 * DAYS + at as i64,
                        ..Point::default()
                    });
                }
                points
            })
    }

    proptest! {
        #[test]
        fn packed_points_round_trip(points in points()) {
            prop_assert_eq!(unpacked(79, &pack(&points)), Ok(points));
        }

        #[test]
        fn any_bytes_unpack_without_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..600), chunk in any::<i64>()) {
            if let Some(version) = bytes.first_mut() { *version = 1; }
            if let Ok(points) = unpacked(chunk, &bytes) {
                prop_assert!(points.len() <= 256 && points.windows(2).all(|pair| pair[0].day < pair[1].day));
            }
        }

        #[test]
        fn truncated_or_altered_chunks_never_panic(points in points(), at in 0..2_000_usize, bit in 0..8_u8, cut in any::<bool>()) {
            let mut bytes = pack(&points);
            let at = at % bytes.len();
            if cut {
                bytes.truncate(at);
                prop_assert!(unpacked(79, &bytes).is_err());
            } else {
                bytes[at] ^= 1_u8 << bit;
                let _ = unpacked(79, &bytes);
            }
        }

        #[test]
        fn later_point_replaces_the_same_day(old in points(), new in points()) {
            let merged = merge(&old, &new);
            prop_assert!(merged.windows(2).all(|pair| pair[0].day < pair[1].day));
            for point in &new { prop_assert!(merged.contains(point)); }
            for point in &old { prop_assert!(merged.iter().any(|kept| kept.day == point.day)); }
        }
    }

    #[test]
    fn chunk_of_steady_prices_is_small() {
        let point = |day: i64| Point {
            day,
            market: Some(Money(125_000 + (day % 7) * 100)),
            low: Some(Money(112_500 + (day % 7) * 100)),
            sellers: Some(40 + day / 10 % 3),
        };
        let year: Vec<_> = (0..256).map(point).collect();
        assert!(pack(&year).len() < 400, "{}", pack(&year).len());
        let still: Vec<_> = year
            .iter()
            .map(|at| Point {
                day: at.day,
                ..year[0]
            })
            .collect();
        assert!(pack(&still).len() < 30, "{}", pack(&still).len());
    }

    #[test]
    fn damaged_chunk_is_reported() {
        let chunk = pack(&[Point {
            day: 3,
            market: Some(Money(5)),
            low: None,
            sellers: None,
        }]);
        assert_eq!(unpacked(0, &chunk[..chunk.len() - 1]), Err(Damaged::Short));
        assert_eq!(
            unpacked(0, &[chunk.as_slice(), &[0]].concat()),
            Err(Damaged::Long)
        );
        assert_eq!(unpacked(0, &[2]), Err(Damaged::Version(2)));
        assert_eq!(unpacked(0, &[]), Err(Damaged::Short));
        assert_eq!(unpacked(0, &[1, 1, 200, 100]), Err(Damaged::Days));
    }
}
