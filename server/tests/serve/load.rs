//! Callers that send without a pause.

use crate::call;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// Sends until it is stopped; counts answers and other ends of a request.
fn load(
    address: SocketAddr,
    key: &str,
    stop: &AtomicBool,
    answered: &AtomicI64,
    failed: &AtomicI64,
) {
    while !stop.load(Ordering::SeqCst) {
        match call(key).try_send(address) {
            Ok(reply) if reply.status == 200 => answered.fetch_add(1, Ordering::SeqCst),
            _ => failed.fetch_add(1, Ordering::SeqCst),
        };
    }
}

/// Runs four callers; when `enough` requests are answered, does `act`, then lets the callers go on
/// until `end`.
pub(crate) fn under_load(
    address: SocketAddr,
    key: &str,
    enough: i64,
    act: impl FnOnce(),
    end: i64,
) -> (i64, i64) {
    let (stop, answered, failed) = (AtomicBool::new(false), AtomicI64::new(0), AtomicI64::new(0));
    let wait = |until: i64| {
        while answered.load(Ordering::SeqCst) < until && failed.load(Ordering::SeqCst) == 0 {
            std::thread::yield_now();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| load(address, key, &stop, &answered, &failed));
        }
        wait(enough);
        act();
        wait(end);
        stop.store(true, Ordering::SeqCst);
    });
    (
        answered.load(Ordering::SeqCst),
        failed.load(Ordering::SeqCst),
    )
}
