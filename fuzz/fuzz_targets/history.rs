//! Any bytes as a chunk of price history, and a valid chunk with changed bytes: an error, or points
//! whose days ascend within the chunk, which pack and unpack to themselves.

#![no_main]

use history::{DAYS, Point, pack, unpack};
use libfuzzer_sys::fuzz_target;

/// The server's codec, with the one type that it needs.
#[path = "../../server/src/market/history.rs"]
#[allow(dead_code, unreachable_pub)]
mod history;

/// An amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(pub i64);

const CHUNK: i64 = 80;

fn check(bytes: &[u8]) {
    let mut points = Vec::new();
    if unpack(CHUNK, bytes, &mut points).is_err() {
        return;
    }
    assert!(points.windows(2).all(|pair| pair[0].day < pair[1].day));
    assert!(
        points
            .iter()
            .all(|point| point.day.div_euclid(DAYS) == CHUNK)
    );
    let kept = |money: Option<Money>| money.is_none_or(|money| money.0.abs() < 1 << 58);
    if points.iter().all(|point| {
        kept(point.market)
            && kept(point.low)
            && point.sellers.is_none_or(|count| count.abs() < 1 << 58)
    }) {
        let mut again = Vec::new();
        unpack(CHUNK, &pack(&points), &mut again).expect("what is packed unpacks");
        assert_eq!(again, points);
    }
}

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&[&[1], bytes].concat());
    let point = |at: i64| Point {
        day: CHUNK * DAYS + at,
        market: Some(Money(at * 4_700)),
        low: (at % 3 > 0).then_some(Money(at * 4_000)),
        sellers: Some(at),
    };
    let mut altered = pack(&(0..200).map(point).collect::<Vec<_>>());
    for change in bytes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % altered.len();
        altered[place] ^= change[2];
    }
    check(&altered);
});
