//! [`LogWriter`]: log lines, written to standard error by a thread of their own.
//!
//! Every request writes a line, so whoever stops reading them must not stop the service. A line
//! goes into a bounded queue, and is dropped and counted where the queue is full or standard error
//! takes nothing: it is closed, its disk is full, or its reader stalls.

pub(crate) mod line;

use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use tracing_subscriber::fmt::MakeWriter;

/// Lines that wait to be written, about a megabyte.
const WAITING: usize = 4_096;
/// Bytes that are written at once.
const PIECE: usize = 64 * 1024;
/// How long lines are gathered before they are written, which spares a wake-up for each.
const GATHER: Duration = Duration::from_millis(10);
/// How often [`flush`] looks whether there is room in the queue.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

static QUEUE: OnceLock<SyncSender<Message>> = OnceLock::new();
static DROPPED: AtomicU64 = AtomicU64::new(0);

#[derive(Debug)]
enum Message {
    Line(Vec<u8>),
    /// Is answered once all lines before it are written or dropped.
    Flush(SyncSender<()>),
}

/// Hands each line to the thread that writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LogWriter;

impl LogWriter {
    /// A writer to standard error. The first one starts the thread.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(crate) fn start() -> io::Result<Self> {
        let (sender, receiver) = sync_channel(WAITING);
        if QUEUE.set(sender).is_ok() {
            std::thread::Builder::new()
                .name("log".to_owned())
                .spawn(move || write_lines(&receiver, &mut io::stderr()))?;
        }
        Ok(Self)
    }
}

impl Write for LogWriter {
    /// Takes a whole line, as the subscriber hands them over. Never fails and never waits.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let sent = QUEUE
            .get()
            .is_some_and(|queue| queue.try_send(Message::Line(line.to_vec())).is_ok());
        if !sent {
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'w> MakeWriter<'w> for LogWriter {
    type Writer = Self;

    fn make_writer(&'w self) -> Self {
        *self
    }
}

/// Lines that were dropped since the start.
pub(crate) fn dropped() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

/// Waits until all lines are written, but no longer than `most`.
pub(crate) fn flush(most: Duration) {
    let end = Instant::now() + most;
    let Some(queue) = QUEUE.get() else {
        return;
    };
    let (sender, receiver) = sync_channel(1);
    while queue.try_send(Message::Flush(sender.clone())).is_err() {
        if Instant::now() >= end {
            return;
        }
        std::thread::sleep(LOOK_AGAIN);
    }
    // whether it came or not, there is nothing left to wait for
    let _ = receiver.recv_timeout(end.saturating_duration_since(Instant::now()));
}

fn write_lines(queue: &Receiver<Message>, out: &mut impl Write) {
    let mut piece = Vec::with_capacity(PIECE);
    while let Ok(first) = queue.recv() {
        let mut next = Some(first);
        let (mut lines, mut waiting) = (0, Vec::new());
        while let Some(message) = next {
            match message {
                Message::Line(line) => {
                    piece.extend_from_slice(&line);
                    lines += 1;
                }
                Message::Flush(sender) => waiting.push(sender),
            }
            next = if piece.len() >= PIECE {
                None
            } else {
                queue.try_recv().ok()
            };
        }
        if out.write_all(&piece).is_err() {
            DROPPED.fetch_add(lines, Ordering::Relaxed);
        }
        piece.clear();
        for sender in &waiting {
            let _ = sender.try_send(());
        }
        if waiting.is_empty() {
            std::thread::sleep(GATHER);
        }
    }
}
