//! Recording progress while a run goes on.

use super::{Progress, Standing};
use std::fs::File;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use titledex_command::Failure;

/// Records progress at intervals, on a thread of its own so that answers do not wait for the disk.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    offer: SyncSender<Standing>,
    thread: Keeper,
    every: Duration,
    due: Instant,
}

impl Checkpoints {
    /// Records the progress of `output` at this interval.
    pub(crate) fn start(progress: Progress, output: File, every: Duration) -> Self {
        let (offer, offered) = sync_channel(0);
        let thread = thread::spawn(move || keep(progress, &output, &offered));
        Self {
            offer,
            thread: Keeper(Some(thread)),
            every,
            due: Instant::now() + every,
        }
    }

    /// Offers the current standing, and records it if the interval has passed.
    ///
    /// # Errors
    /// If progress could not be recorded.
    pub(crate) fn hear(&mut self, standing: impl FnOnce() -> Standing) -> Result<(), Failure> {
        let now = Instant::now();
        if now < self.due {
            return Ok(());
        }
        match self.offer.try_send(standing()) {
            Ok(()) => self.due = now + self.every,
            // The disk is still busy with the previous record.
            Err(TrySendError::Full(_)) => {}
            Err(TrySendError::Disconnected(_)) => return self.thread.end().map(drop),
        }
        Ok(())
    }

    /// Ends, and returns the progress file.
    ///
    /// # Errors
    /// If progress could not be recorded.
    pub(crate) fn end(self) -> Result<Progress, Failure> {
        let Self {
            offer, mut thread, ..
        } = self;
        drop(offer);
        thread.end()
    }
}

/// The thread that records progress, until it is asked how it ended.
#[derive(Debug)]
struct Keeper(Option<JoinHandle<Result<Progress, Failure>>>);

impl Keeper {
    fn end(&mut self) -> Result<Progress, Failure> {
        let ended = self.0.take().map(JoinHandle::join);
        ended.and_then(Result::ok).unwrap_or_else(|| {
            Err(Failure::new(
                "the progress of the output could not be recorded",
            ))
        })
    }
}

fn keep(
    progress: Progress,
    output: &File,
    offered: &Receiver<Standing>,
) -> Result<Progress, Failure> {
    while let Ok(standing) = offered.recv() {
        output.sync_data()?;
        progress.note(standing, false)?;
    }
    Ok(progress)
}
