//! [`Target`]: where answers are written, standard output or a file, which a later run can resume.

use crate::resume::{Checkpoints, Counts, Progress, Run, Standing};
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use titledex_command::Failure;

/// The destination of answers.
#[derive(Debug)]
pub(crate) enum Target {
    /// Standard output.
    Standard,
    /// A file.
    File {
        /// The file.
        file: File,
        /// Its path.
        path: PathBuf,
        /// Its length.
        written: u64,
        /// Records progress, if the run can be resumed.
        checkpoints: Option<Checkpoints>,
    },
}

impl Target {
    /// Starts the file at `path`. With a `run`, progress is recorded at this interval so that the
    /// run can be resumed.
    pub(crate) fn create(path: &Path, run: Option<(Run, Duration)>) -> Result<Self, Failure> {
        let begun = run.map(|(run, every)| (Progress::new(run, path), every));
        if let Some((progress, _)) = &begun {
            // The record before the file: an interruption between the two must not leave an old
            // file that looks complete.
            progress.note(Standing::default())?;
        }
        let file = File::create(path).map_err(|error| Failure::file("write", path, &error))?;
        Self::with(file, path, 0, begun)
    }

    /// Resumes the file at `path`, truncated to what `standing` records.
    pub(crate) fn resume(
        path: &Path,
        standing: &Standing,
        (run, every): (Run, Duration),
    ) -> Result<Self, Failure> {
        let unwritable = |error| Failure::file("write", path, &error);
        let mut file = OpenOptions::new()
            .write(true)
            .open(path)
            .map_err(unwritable)?;
        file.set_len(standing.written).map_err(unwritable)?;
        file.seek(SeekFrom::Start(standing.written))
            .map_err(unwritable)?;
        Self::with(
            file,
            path,
            standing.written,
            Some((Progress::new(run, path), every)),
        )
    }

    fn with(
        file: File,
        path: &Path,
        written: u64,
        begun: Option<(Progress, Duration)>,
    ) -> Result<Self, Failure> {
        let checkpoints = match begun {
            Some((progress, every)) => {
                let synced = file
                    .try_clone()
                    .map_err(|error| Failure::file("write", path, &error))?;
                Some(Checkpoints::start(progress, synced, every))
            }
            None => None,
        };
        Ok(Self::File {
            file,
            path: path.to_owned(),
            written,
            checkpoints,
        })
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
                out.flush()?;
            }
            Self::File {
                file,
                path,
                written,
                ..
            } => {
                file.write_all(bytes)
                    .map_err(|error| Failure::file("write", path, &error))?;
                *written += bytes.len() as u64;
            }
        }
        Ok(())
    }

    /// Notes that everything up to `at` is answered and written.
    pub(crate) fn hear(&mut self, at: crate::input::Mark, counts: &Counts) -> Result<(), Failure> {
        let Self::File {
            written,
            checkpoints,
            ..
        } = self
        else {
            return Ok(());
        };
        let written = *written;
        let noted = checkpoints.as_mut().is_none_or(|noting| {
            noting.hear(|| Standing {
                at,
                written,
                counts: counts.clone(),
            })
        });
        if noted {
            return Ok(());
        }
        checkpoints
            .take()
            .map_or(Ok(()), |noting| noting.end(false))
    }

    /// Completes the output.
    pub(crate) fn end(self) -> Result<(), Failure> {
        let Self::File {
            file,
            path,
            checkpoints: Some(checkpoints),
            ..
        } = self
        else {
            return Ok(());
        };
        file.sync_all()
            .map_err(|error| Failure::file("write", &path, &error))?;
        checkpoints.end(true)
    }
}
