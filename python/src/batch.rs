//! Batches on several threads: a batch is cut into pieces, whoever is free takes the next. Titles are
//! read without Python's lock; each thread then makes the objects of its piece, while the others read
//! on.
//!
//! The threads begin and end with the call: a process that is forked, as Python's and Spark's
//! workers are, has no pool to miss.

use crate::failure::Failure;
use arrow_array::ArrayRef;
use pyo3::prelude::*;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use titledex::Scratch;

/// More titles are in no piece: strings of an Arrow column count their bytes in 31 bits, which is
/// 131,072 for each, and an answer may repeat a title many times. A member of the struct has 25,000
/// at most (`spans[].value`, of titles made to be long in it); a whole line of JSON has more, so
/// [`crate::lines::Lines`] counts its bytes.
pub(crate) const MOST: usize = 16_384;
/// Fewer are not worth a turn.
const LEAST: usize = 256;
/// Pieces a thread, so that all end at about the same time.
const PIECES: usize = 4;
/// How often the calling thread checks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);

/// The Arrow arrays that `read` makes of each piece, in the order of the titles.
pub(crate) fn chunks(
    py: Python<'_>,
    len: usize,
    threads: usize,
    read: impl Fn(&mut Scratch, Range<usize>) -> Result<Vec<ArrayRef>, Failure> + Sync,
) -> PyResult<Vec<ArrayRef>> {
    let chunks = Mutex::new(Vec::new());
    run(
        py,
        len,
        MOST,
        threads,
        || (),
        read,
        |_, (), range, made| {
            let made = made?;
            let mut chunks = chunks.lock().unwrap_or_else(PoisonError::into_inner);
            chunks.push((range.start, made));
            Ok(())
        },
    )?;
    let mut chunks = chunks.into_inner().unwrap_or_else(PoisonError::into_inner);
    chunks.sort_unstable_by_key(|(start, _)| *start);
    Ok(chunks.into_iter().flat_map(|(_, made)| made).collect())
}

/// Cuts `len` titles into pieces of at most `most` and works on them on `threads` threads, each of
/// which keeps what `keep` begins with. `read` reads the titles of a piece without Python's lock;
/// `hand_over` then makes Python's objects of them, or puts them aside, with the lock. Pieces are
/// finished in no order.
pub(crate) fn run<K, T: Send>(
    py: Python<'_>,
    len: usize,
    most: usize,
    threads: usize,
    keep: impl Fn() -> K + Sync,
    read: impl Fn(&mut Scratch, Range<usize>) -> T + Sync,
    hand_over: impl Fn(Python<'_>, &mut K, Range<usize>, T) -> PyResult<()> + Sync,
) -> PyResult<()> {
    let size = if threads == 1 {
        most
    } else {
        (len / (threads * PIECES)).clamp(LEAST, most)
    };
    let piece = |number: usize| number * size..len.min((number + 1) * size);
    let pieces = len.div_ceil(size);
    let read = |scratch: &mut Scratch, range: Range<usize>| {
        catch_unwind(AssertUnwindSafe(|| read(scratch, range)))
            .map_err(|_| Failure::internal("a title broke the reader"))
    };
    if threads == 1 || pieces <= 1 {
        let (mut scratch, mut kept) = (Scratch::default(), keep());
        for number in 0..pieces {
            let done = py.detach(|| read(&mut scratch, piece(number)))?;
            hand_over(py, &mut kept, piece(number), done)?;
            py.check_signals()?;
        }
        return Ok(());
    }
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (next, stop, piece) = (&next, &stop, &piece);
    let (keep, read, hand_over) = (&keep, &read, &hand_over);
    py.detach(|| {
        let (finish, finished) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..threads.min(pieces) {
                let finish = finish.clone();
                scope.spawn(move || {
                    let (mut scratch, mut kept) = (Scratch::default(), keep());
                    while !stop.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= pieces {
                            break;
                        }
                        let done = read(&mut scratch, piece(number)).map_err(PyErr::from);
                        let ended = done.and_then(|done| {
                            Python::attach(|py| hand_over(py, &mut kept, piece(number), done))
                        });
                        // Sending fails if the caller has left.
                        if finish.send(ended).is_err() {
                            break;
                        }
                    }
                    // objects of Python are let go with its lock
                    Python::attach(|_| drop(kept));
                });
            }
            drop(finish);
            let (mut ended, mut looked) = (0, Instant::now());
            let result = loop {
                let result = match finished.recv_timeout(LOOK) {
                    Ok(result) => {
                        ended += 1;
                        result
                    }
                    Err(RecvTimeoutError::Timeout) => Ok(()),
                    Err(RecvTimeoutError::Disconnected) if ended == pieces => break Ok(()),
                    Err(RecvTimeoutError::Disconnected) => {
                        Err(Failure::internal("a thread ended before its work was done").into())
                    }
                };
                let result = result.and_then(|()| {
                    if looked.elapsed() < LOOK {
                        return Ok(());
                    }
                    looked = Instant::now();
                    Python::attach(|py| py.check_signals())
                });
                if result.is_err() {
                    break result;
                }
            };
            stop.store(true, Ordering::Relaxed);
            drop(finished);
            result
        })
    })
}
