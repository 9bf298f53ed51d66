//! Lines in, results out: in input order, on several threads, with bounded memory.
//!
//! One thread reads [`Batch`]es of lines, the workers turn each into a result, and the calling thread takes the results in the order in
//! which the batches were read. A batch that waits for its turn to be written holds up the reader, so what is in memory at once is
//! [`IN_FLIGHT`] batches a worker, however long the input.

use crate::failure::Failure;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use titledex::MAX_TITLE_BYTES;

/// Bytes asked of the input at once.
const BUFFER_BYTES: usize = 1 << 16;
/// Lines in a batch: enough that handing it over costs nothing beside reading it, few enough that the threads end together.
const BATCH_LINES: usize = 256;
/// A batch is full at this size too.
const BATCH_BYTES: usize = 1 << 18;
/// What is kept of one line. A title longer than [`MAX_TITLE_BYTES`] is refused anyway, so the rest is only counted.
const KEPT_BYTES: usize = 2 * MAX_TITLE_BYTES;
/// Batches read but not yet written, for each worker: one in work and some ahead, so that one slow batch starves nobody.
const IN_FLIGHT: usize = 4;

/// One line, without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'b> {
    /// Number of the line, from 1.
    pub(crate) number: u64,
    /// Its bytes, or the first of them.
    pub(crate) bytes: &'b [u8],
    /// How many it has.
    pub(crate) length: u64,
}

impl Line<'_> {
    /// Whether the line is longer than what was kept of it.
    pub(crate) fn is_cut(&self) -> bool {
        self.bytes.len() as u64 != self.length
    }
}

/// Some consecutive lines.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    bytes: Vec<u8>,
    /// Where each line ends in `bytes`, and how long it was.
    lines: Vec<(usize, u64)>,
    /// Lines before this batch.
    before: u64,
    /// Bytes of the input up to the end of this batch.
    pub(crate) consumed: u64,
}

impl Batch {
    /// A batch of titles that come from elsewhere than lines.
    pub(crate) fn of<'t>(titles: impl IntoIterator<Item = &'t [u8]>) -> Self {
        let mut batch = Self::default();
        for title in titles {
            let from = batch.bytes.len();
            batch.bytes.extend_from_slice(&title[..title.len().min(KEPT_BYTES)]);
            debug_assert!(batch.bytes.len() >= from);
            batch.lines.push((batch.bytes.len(), title.len() as u64));
        }
        batch
    }

    /// Its lines.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let mut start = 0;
        (self.before + 1..).zip(&self.lines).map(move |(number, &(end, length))| {
            let bytes = &self.bytes[start..end];
            start = end;
            Line { number, bytes, length }
        })
    }

    /// How many lines it has.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }
}

/// Reads batches of lines. A UTF-8 signature before the first line is passed over: it is no part of a title.
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    read: u64,
    consumed: u64,
    failed: Option<io::Error>,
}

impl<R: Read> Lines<R> {
    /// Lines of `input`.
    pub(crate) fn new(input: R) -> Self {
        Self { input: BufReader::with_capacity(BUFFER_BYTES, input), read: 0, consumed: 0, failed: None }
    }

    /// The next lines: at least one, and no more than are there without waiting, so that a slow writer gets its answers at once.
    ///
    /// `None` at the end. What was read before an error is handed out before the error is.
    pub(crate) fn batch(&mut self) -> io::Result<Option<Batch>> {
        let mut batch = Batch { before: self.read, ..Batch::default() };
        while self.failed.is_none() && self.line(&mut batch) {
            let full = batch.len() == BATCH_LINES || batch.bytes.len() >= BATCH_BYTES;
            if full || !self.input.buffer().contains(&b'\n') {
                break;
            }
        }
        self.read += batch.len() as u64;
        batch.consumed = self.consumed;
        match self.failed.take() {
            Some(error) if batch.len() == 0 => Err(error),
            failed => {
                self.failed = failed;
                Ok((batch.len() > 0).then_some(batch))
            }
        }
    }

    /// Adds one line to the batch; `false` where there is none.
    fn line(&mut self, batch: &mut Batch) -> bool {
        let start = batch.bytes.len();
        let mut length = 0_u64;
        let mut begun = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok([]) => break,
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            };
            begun = true;
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let room = KEPT_BYTES - (batch.bytes.len() - start);
            batch.bytes.extend_from_slice(&part[..part.len().min(room)]);
            length += part.len() as u64;
            let used = part.len() + usize::from(end.is_some());
            self.consumed += used as u64;
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !begun {
            return false;
        }
        let first = batch.before == 0 && batch.lines.is_empty();
        if first && batch.bytes.starts_with(b"\xef\xbb\xbf") {
            batch.bytes.drain(..3);
            length -= 3;
        }
        let whole = (batch.bytes.len() - start) as u64 == length;
        if whole && batch.bytes[start..].last() == Some(&b'\r') {
            batch.bytes.pop();
            length -= 1;
        }
        batch.lines.push((batch.bytes.len(), length));
        true
    }
}

/// Runs `work` over all batches on `jobs` threads and hands the results to `write` in the order of the input.
///
/// Each thread has a `State` of its own. Ends early where `write` fails; an error of reading is handed to `unreadable` after all that came
/// before it was written.
pub(crate) fn run<R, State, Done>(
    mut lines: Lines<R>,
    jobs: usize,
    work: impl Fn(&mut State, &Batch) -> Done + Sync,
    mut write: impl FnMut(Done) -> Result<(), Failure>,
    unreadable: impl FnOnce(io::Error) -> Failure,
) -> Result<(), Failure>
where
    R: Read + Send,
    State: Default,
    Done: Send,
{
    // Unbounded, but never longer than the queue of results, which the reader fills first.
    let (hand_out, queue) = mpsc::channel::<(Batch, SyncSender<Done>)>();
    let (expect, results) = mpsc::sync_channel::<Receiver<Done>>(jobs * IN_FLIGHT);
    let queue = Mutex::new(queue);
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                let mut state = State::default();
                while let Ok((batch, answer)) = next() {
                    // Fails where the writer has stopped; the reader notices and ends the queue.
                    let _ = answer.send(work(&mut state, &batch));
                }
            });
        }
        let reader = scope.spawn(move || {
            while let Some(batch) = lines.batch()? {
                let (answer, result) = mpsc::sync_channel(1);
                if expect.send(result).is_err() || hand_out.send((batch, answer)).is_err() {
                    break;
                }
            }
            Ok(())
        });
        for result in results {
            let Ok(done) = result.recv() else {
                return Err(Failure::new("a thread ended before its work was done: this is a fault of titledex, please report it"));
            };
            write(done)?;
        }
        match reader.join() {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(unreadable(error)),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Batch, KEPT_BYTES, Lines, run};
    use crate::failure::Failure;
    use std::io::{self, Read};

    fn all(input: &[u8]) -> Vec<(u64, Vec<u8>, u64)> {
        let mut lines = Lines::new(input);
        let mut out = Vec::new();
        while let Some(batch) = lines.batch().expect("memory") {
            out.extend(batch.lines().map(|line| (line.number, line.bytes.to_vec(), line.length)));
        }
        out
    }

    fn texts(input: &[u8]) -> Vec<Vec<u8>> {
        all(input).into_iter().map(|(_, bytes, _)| bytes).collect()
    }

    #[test]
    fn splits_at_line_ends_only() {
        assert!(texts(b"").is_empty());
        assert_eq!(texts(b"\n"), [b""]);
        assert_eq!(texts(b"a\n\r\n\nb\r\r\nc"), [&b"a"[..], b"", b"", b"b\r", b"c"]);
        assert_eq!(texts(b"a\0b\x0c\x85c\xe2\x80\xa8d\n"), [b"a\0b\x0c\x85c\xe2\x80\xa8d"]);
        assert_eq!(texts(b"\xef\xbb\xbfa\n\xef\xbb\xbfb"), [&b"a"[..], b"\xef\xbb\xbfb"]);
    }

    #[test]
    fn keeps_the_beginning_of_a_long_line_and_counts_it() {
        let mut input = vec![b'x'; 1 << 20];
        input.extend_from_slice(b"\r\nnext\n");
        let lines = all(&input);
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].1.len(), lines[0].2), (KEPT_BYTES, (1 << 20) + 1));
        assert_eq!(lines[1], (2, b"next".to_vec(), 4));
    }

    #[test]
    fn titles_make_a_batch_too() {
        let long = vec![b'x'; KEPT_BYTES + 1];
        let batch = Batch::of([&b"a\n"[..], b"", &long]);
        let lines: Vec<_> = batch.lines().map(|line| (line.bytes.len(), line.is_cut())).collect();
        assert_eq!(lines, [(2, false), (0, false), (KEPT_BYTES, true)]);
    }

    #[test]
    fn keeps_order_on_many_threads() {
        let input: String = (0..20_000).map(|n| format!("{n}\n")).collect();
        let mut out = Vec::new();
        let work = |_: &mut (), batch: &Batch| {
            std::thread::sleep(std::time::Duration::from_micros(batch.consumed % 700));
            batch.lines().map(|line| (line.number - 1, String::from_utf8_lossy(line.bytes).into_owned())).collect::<Vec<_>>()
        };
        let write = |done: Vec<(u64, String)>| {
            out.extend(done);
            Ok(())
        };
        run(Lines::new(input.as_bytes()), 4, work, write, Failure::from).expect("no error");
        assert_eq!(out.len(), 20_000);
        assert!(out.iter().enumerate().all(|(at, (number, text))| *number == at as u64 && *text == at.to_string()));
    }

    /// Some lines and then an error.
    struct Failing(&'static [u8]);

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() { Err(io::Error::other("gone")) } else { self.0.read(buffer) }
        }
    }

    #[test]
    fn writes_what_came_before_an_error() {
        let mut seen = 0;
        let work = |_: &mut (), batch: &Batch| batch.len();
        let write = |lines: usize| {
            seen += lines;
            Ok(())
        };
        let ended = run(Lines::new(Failing(b"a\nb\nc")), 2, work, write, Failure::from);
        assert!(matches!(ended, Err(Failure::Said(message)) if message.contains("gone")));
        assert_eq!(seen, 3);
    }

    #[test]
    fn stops_reading_when_writing_fails() {
        let endless = io::repeat(b'\n');
        let ended = run(Lines::new(endless), 2, |(): &mut (), _: &Batch| (), |()| Err(Failure::Closed), Failure::from);
        assert!(matches!(ended, Err(Failure::Closed)));
    }
}
