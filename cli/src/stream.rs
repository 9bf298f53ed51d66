//! Batches in, results out: in input order, on several threads, with bounded memory.
//!
//! One thread fills batches, the workers turn each into a result, and the calling thread takes the
//! results in the order in which the batches were read. A batch and the memory of its result travel
//! together in a slot. There are [`IN_FLIGHT`] slots a worker, and a slot comes back to the reader
//! when its result is written: so output that is slower than input holds up the reader, and what is
//! in memory at once does not depend on the length of the input.

use crate::input::Input;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;
use titledex_command::Failure;

/// Batches read but not yet written, for each worker: one in work and some ahead, so that one slow
/// batch does not idle the others.
const IN_FLIGHT: usize = 4;

/// A batch and its result.
#[derive(Debug, Default)]
struct Slot<B, R> {
    /// How many batches were read before this one.
    number: u64,
    batch: B,
    result: R,
}

/// Runs `work` over all batches of `input` on `jobs` threads and hands batches and results to
/// `write` in the order of the input.
///
/// Each thread has its own `State`. A result still holds an earlier one when `work` is called, so
/// that its memory can be reused. Ends early if `write` fails. An error of reading is returned
/// after everything before it was written.
pub(crate) fn run<I: Input, State: Default, R: Default + Send>(
    mut input: I,
    jobs: usize,
    work: impl Fn(&mut State, &I::Batch, &mut R) + Sync,
    mut write: impl FnMut(&I::Batch, &R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let slots = jobs * IN_FLIGHT;
    let (give_back, free) = mpsc::channel::<Slot<I::Batch, R>>();
    let (hand_out, queue) = mpsc::channel::<Slot<I::Batch, R>>();
    let (finish, finished) = mpsc::channel::<Option<Slot<I::Batch, R>>>();
    for _ in 0..slots {
        give_back.send(Slot::default()).map_err(|_| broken())?;
    }
    let queue = Mutex::new(queue);
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
    let (work, next) = (&work, &next);
    thread::scope(|scope| {
        for _ in 0..jobs {
            let finish = finish.clone();
            scope.spawn(move || {
                let mut state = State::default();
                while let Ok(mut slot) = next() {
                    let done = catch_unwind(AssertUnwindSafe(|| {
                        work(&mut state, &slot.batch, &mut slot.result)
                    }));
                    let lost = done.is_err();
                    // Fails if the writer has stopped; the reader notices and ends the queue.
                    let _ = finish.send(done.is_ok().then_some(slot));
                    if lost {
                        break;
                    }
                }
            });
        }
        drop(finish);
        let reader = scope.spawn(move || {
            for number in 0.. {
                let Ok(mut slot) = free.recv() else { break };
                slot.number = number;
                if !input.fill(&mut slot.batch)? || hand_out.send(slot).is_err() {
                    break;
                }
            }
            Ok(())
        });
        // Moved in here so that leaving early drops them, which tells the reader.
        let (give_back, finished) = (give_back, finished);
        let mut waiting: Vec<Option<Slot<I::Batch, R>>> = (0..slots).map(|_| None).collect();
        let mut turn = 0;
        for slot in finished {
            let slot = slot.ok_or_else(broken)?;
            let place = |number: u64| (number % slots as u64) as usize;
            let at = place(slot.number);
            waiting[at] = Some(slot);
            while let Some(slot) = waiting[place(turn)].take() {
                write(&slot.batch, &slot.result)?;
                turn += 1;
                // Fails if the reader has finished.
                let _ = give_back.send(slot);
            }
        }
        reader.join().unwrap_or_else(|_| Err(broken()))
    })
}

fn broken() -> Failure {
    Failure::new(
        "a thread ended before its work was done: this is a bug in titledex, please report it",
    )
}

#[cfg(test)]
mod tests {
    use super::{IN_FLIGHT, run};
    use crate::input::lines::{LineBatch, Lines};
    use crate::input::{Mark, Room, Rows};
    use std::collections::HashSet;
    use std::io::{self, Read};
    use titledex_command::Failure;

    fn lines<R: Read>(input: R) -> Lines<R> {
        Lines::new(input, "memory", None, Mark::default())
    }

    fn texts(batch: &LineBatch) -> Vec<(u64, String)> {
        let mut out = Vec::new();
        batch.each(&mut Room::default(), |row| {
            let title = row.title.expect("lines are titles");
            out.push((
                row.number - 1,
                String::from_utf8_lossy(title.bytes).into_owned(),
            ));
        });
        out
    }

    #[test]
    fn order_is_kept_and_memory_reused_on_many_threads() {
        let input: String = (0..20_000).map(|n| format!("{n}\n")).collect();
        let (mut out, mut places) = (Vec::new(), HashSet::new());
        let work = |(): &mut (), batch: &LineBatch, result: &mut Vec<(u64, String)>| {
            std::thread::sleep(std::time::Duration::from_micros(batch.end().bytes % 700));
            result.clear();
            result.extend(texts(batch));
        };
        let write = |_: &LineBatch, result: &Vec<(u64, String)>| {
            out.extend_from_slice(result);
            places.insert(result.as_ptr());
            Ok(())
        };
        run(lines(input.as_bytes()), 4, work, write).expect("no error");
        assert_eq!(out.len(), 20_000);
        assert!(
            out.iter()
                .enumerate()
                .all(|(at, (number, text))| *number == at as u64 && *text == at.to_string())
        );
        assert!(
            places.len() <= 4 * IN_FLIGHT + 4,
            "{} buffers",
            places.len()
        );
    }

    /// Some lines and then an error.
    struct Failing(&'static [u8]);

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                Err(io::Error::other("gone"))
            } else {
                self.0.read(buffer)
            }
        }
    }

    #[test]
    fn rows_before_a_read_error_are_written() {
        let mut seen = 0;
        let work =
            |(): &mut (), batch: &LineBatch, result: &mut usize| *result = texts(batch).len();
        let write = |_: &LineBatch, lines: &usize| {
            seen += lines;
            Ok(())
        };
        let ended = run(lines(Failing(b"a\nb\nc")), 2, work, write);
        assert!(matches!(ended, Err(Failure::Said(message)) if message.contains("gone")));
        assert_eq!(seen, 3);
    }

    #[test]
    fn reading_stops_when_writing_fails() {
        let work = |(): &mut (), _: &LineBatch, (): &mut ()| ();
        let ended = run(lines(io::repeat(b'\n')), 2, work, |_: &LineBatch, ()| {
            Err(Failure::Closed)
        });
        assert!(matches!(ended, Err(Failure::Closed)));
    }

    #[test]
    fn panicking_worker_ends_the_run() {
        let work = |(): &mut (), batch: &LineBatch, (): &mut ()| {
            assert!(batch.end().rows < 5_000, "on purpose")
        };
        let ended = run(
            lines(io::repeat(b'\n')),
            2,
            work,
            |_: &LineBatch, ()| Ok(()),
        );
        assert!(matches!(ended, Err(Failure::Said(message)) if message.contains("a thread ended")));
    }
}
