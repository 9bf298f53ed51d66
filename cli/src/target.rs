//! [`Target`]: where answers go, standard output or a file whose writing can be taken up again.

use crate::failure::Failure;
use crate::resume::{Checkpoints, Counts, Progress, Run, Standing};
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where answers go.
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
        /// What notes how far it is, where a run can be taken up again.
        checkpoints: Option<Checkpoints>,
    },
}

impl Target {
    /// The file at `path`, from its beginning; with a `run`, one that can be taken up again, and progress is noted each so often.
    pub(crate) fn create(path: &Path, run: Option<(Run, Duration)>) -> Result<Self, Failure> {
        let begun = run.map(|(run, every)| (Progress::new(run, path), every));
        if let Some((progress, _)) = &begun {
            // First the note and then the file: a kill between the two must not leave an old file that looks finished.
            progress.note(Standing::default())?;
        }
        let file = File::create(path).map_err(|error| Failure::file("write", path, &error))?;
        Self::with(file, path, 0, begun)
    }

    /// The file at `path`, cut to what `standing` tells of, for `run` to go on.
    pub(crate) fn go_on(
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

    /// Whether a person reads along.
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

    /// Hears that all that is written answers the input up to here.
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

    /// Ends: all is written.
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
