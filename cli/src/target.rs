//! [`Target`]: where answers are written: standard output, a file that appears when it is complete,
//! or one that a later run can resume.

use crate::input::Mark;
use crate::resume::{Checkpoints, Counts, Partial, Progress, Run, Standing};
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use titledex_command::Failure;
use titledex_command::output::{Destination, NewFile, place};

/// The destination of answers.
#[derive(Debug)]
pub(crate) enum Target {
    /// Standard output.
    Standard,
    /// A pipe or a device.
    Special(File, PathBuf),
    /// A file that is there once it is complete.
    New(NewFile, PathBuf),
    /// A file that a later run can complete.
    Resumable(Resumable),
}

/// An output whose part is kept if the run ends early.
#[derive(Debug)]
pub(crate) struct Resumable {
    file: File,
    paths: Partial,
    /// Length of the part.
    written: u64,
    checkpoints: Checkpoints,
    /// Whether the progress file stays, so that a later run knows the output for its own.
    kept: bool,
}

/// How the progress of a run is recorded.
#[derive(Clone, Debug)]
pub(crate) struct Recording {
    /// The run.
    pub(crate) run: Run,
    /// The interval.
    pub(crate) every: Duration,
    /// Whether the progress file stays when the output is complete.
    pub(crate) kept: bool,
}

impl Target {
    /// Starts the output at a destination.
    pub(crate) fn create(destination: &Destination) -> Result<Self, Failure> {
        Ok(match destination {
            Destination::Standard => Self::Standard,
            Destination::Special(path) => {
                let opened = OpenOptions::new().write(true).open(path);
                let file = opened.map_err(|error| Failure::file("write", path, &error))?;
                Self::Special(file, path.clone())
            }
            Destination::File(path) => Self::New(NewFile::create(path)?, path.clone()),
        })
    }

    /// Starts the file at `path`, or resumes it from `standing`, to which its part is truncated.
    pub(crate) fn resumable(
        path: &Path,
        standing: &Standing,
        recording: Recording,
    ) -> Result<Self, Failure> {
        let paths = Partial::of(path);
        let progress = Progress::new(recording.run, &paths);
        if *standing == Standing::default() {
            // The record before the part: a part that no record explains is not ours.
            progress.note(standing.clone(), false)?;
        }
        let open = || {
            let mut file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .open(&paths.part)?;
            file.set_len(standing.written)?;
            file.seek(SeekFrom::Start(standing.written))?;
            let synced = file.try_clone()?;
            Ok::<_, io::Error>((file, synced))
        };
        let (file, synced) = open().map_err(|error| Failure::file("write", &paths.part, &error))?;
        Ok(Self::Resumable(Resumable {
            file,
            paths,
            written: standing.written,
            checkpoints: Checkpoints::start(progress, synced, recording.every),
            kept: recording.kept,
        }))
    }

    /// Whether it is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Self::Standard) && io::stdout().is_terminal()
    }

    /// Writes `bytes`.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Standard => {
                let mut out = io::stdout().lock();
                out.write_all(bytes)?;
                Ok(out.flush()?)
            }
            Self::Special(file, path) => file
                .write_all(bytes)
                .map_err(|error| Failure::file("write", path, &error)),
            Self::New(file, path) => file
                .write_all(bytes)
                .map_err(|error| Failure::file("write", path, &error)),
            Self::Resumable(part) => {
                part.written += bytes.len() as u64;
                part.file
                    .write_all(bytes)
                    .map_err(|error| Failure::file("write", &part.paths.part, &error))
            }
        }
    }

    /// Notes that everything up to `at` is answered and written.
    pub(crate) fn hear(&mut self, at: Mark, counts: &Counts) -> Result<(), Failure> {
        let Self::Resumable(part) = self else {
            return Ok(());
        };
        let written = part.written;
        part.checkpoints.hear(|| Standing {
            at,
            written,
            counts: counts.clone(),
        })
    }

    /// Completes the output, which answers everything up to `at`.
    pub(crate) fn end(self, at: Mark, counts: &Counts) -> Result<(), Failure> {
        match self {
            Self::Standard | Self::Special(..) => Ok(()),
            Self::New(file, _) => file.complete(),
            Self::Resumable(part) => {
                let standing = Standing {
                    at,
                    written: part.written,
                    counts: counts.clone(),
                };
                let progress = part.checkpoints.end()?;
                part.file
                    .sync_all()
                    .map_err(|error| Failure::file("write", &part.paths.part, &error))?;
                progress.note(standing, true)?;
                complete(&part.file, &part.paths, part.kept)
            }
        }
    }

    /// Gives up: what cannot be resumed is removed.
    pub(crate) fn discard(&mut self) {
        if let Self::New(..) = self {
            *self = Self::Standard;
        }
    }
}

/// Puts the part of an output, which is all of it, in its place.
pub(crate) fn complete(part: &File, paths: &Partial, kept: bool) -> Result<(), Failure> {
    place(part, &paths.part, &paths.output)?;
    if kept { Ok(()) } else { paths.forget() }
}
