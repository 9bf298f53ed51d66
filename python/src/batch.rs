//! Batches on several threads, without Python's lock: a batch is cut into pieces, whoever is free
//! takes the next.
//!
//! The threads begin and end with the call: a process that is forked, as Python's and Spark's
//! workers are, has no pool to miss.

use crate::failure::Failure;
use pyo3::prelude::*;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use titledex::Scratch;

/// More titles are in no piece: strings of an Arrow column count their bytes in 31 bits, and an
/// answer may repeat a title many times.
pub(crate) const MOST: usize = 16_384;
/// Fewer are not worth a turn.
const LEAST: usize = 256;
/// Pieces a thread, so that all end at about the same time.
const PIECES: usize = 4;
/// How often the calling thread checks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);

/// Cuts `len` titles into pieces of at most `most`, works on them on `threads` threads, and hands
/// each result to `take` with its range. Pieces arrive as they are finished, not in order. `take`
/// runs on the calling thread, which holds Python's lock; threads wait if it falls behind.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    len: usize,
    most: usize,
    threads: usize,
    work: impl Fn(&mut Scratch, Range<usize>) -> T + Sync,
    mut take: impl FnMut(Python<'_>, Range<usize>, T) -> PyResult<()> + Send,
) -> PyResult<()> {
    let size = if threads == 1 {
        most
    } else {
        (len / (threads * PIECES)).clamp(LEAST, most)
    };
    let piece = |number: usize| number * size..len.min((number + 1) * size);
    let pieces = len.div_ceil(size);
    let work = |scratch: &mut Scratch, range: Range<usize>| {
        catch_unwind(AssertUnwindSafe(|| work(scratch, range)))
            .map_err(|_| Failure::internal("a title broke the reader"))
    };
    if threads == 1 || pieces <= 1 {
        let mut scratch = Scratch::default();
        for number in 0..pieces {
            let done = py.detach(|| work(&mut scratch, piece(number)))?;
            take(py, piece(number), done)?;
            py.check_signals()?;
        }
        return Ok(());
    }
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (next, stop, work, piece) = (&next, &stop, &work, &piece);
    py.detach(|| {
        let (finish, finished) = mpsc::sync_channel(threads);
        thread::scope(|scope| {
            for _ in 0..threads.min(pieces) {
                let finish = finish.clone();
                scope.spawn(move || {
                    let mut scratch = Scratch::default();
                    while !stop.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        // Sending fails if the caller has left.
                        if number >= pieces
                            || finish
                                .send((number, work(&mut scratch, piece(number))))
                                .is_err()
                        {
                            break;
                        }
                    }
                });
            }
            drop(finish);
            let mut taken = 0;
            let ended = loop {
                let ended = match finished.recv_timeout(LOOK) {
                    Ok((number, done)) => {
                        taken += 1;
                        done.map_err(PyErr::from)
                            .and_then(|done| Python::attach(|py| take(py, piece(number), done)))
                    }
                    Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals()),
                    Err(RecvTimeoutError::Disconnected) if taken == pieces => break Ok(()),
                    Err(RecvTimeoutError::Disconnected) => {
                        Err(Failure::internal("a thread ended before its work was done").into())
                    }
                };
                if ended.is_err() {
                    break ended;
                }
            };
            stop.store(true, Ordering::Relaxed);
            // Who waits to hand over a piece is let go.
            drop(finished);
            ended
        })
    })
}
