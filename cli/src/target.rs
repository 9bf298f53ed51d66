//! [`Target`]: where answers are written: standard output, a file that appears when it is complete,
//! or one that a later run can resume.

use crate::counts::Counts;
use crate::input::Mark;
#[cfg(feature = "parquet")]
use crate::output::parquet::Table;
use crate::resume::{Checkpoints, Partial, Progress, Run, Standing, open};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use titledex_command::Failure;
use titledex_command::output::{Destination, NewFile, options_for, place};

/// The destination of answers.
pub(crate) enum Target {
    /// Standard output, a pipe, or a file that is there once it is complete.
    Whole(Whole, PathBuf),
    /// The same, compressed by gzip.
    Packed(GzEncoder<Whole>, PathBuf),
    /// The same, as Parquet.
    #[cfg(feature = "parquet")]
    Parquet(Box<Table>),
    /// A file that a later run can complete.
    Resumable(Resumable),
}

/// An output that no later run can complete.
#[derive(Debug)]
pub(crate) enum Whole {
    /// Standard output.
    Standard,
    /// A pipe or a device.
    Special(File),
    /// A file that is there once it is complete.
    New(NewFile),
}

impl Whole {
    /// Starts the output at a destination.
    pub(crate) fn create(destination: &Destination) -> Result<Self, Failure> {
        Ok(match destination {
            Destination::Standard => Self::Standard,
            Destination::Special(path) => {
                let opened = OpenOptions::new().write(true).open(path);
                Self::Special(opened.map_err(|error| Failure::file("write", path, &error))?)
            }
            Destination::File(path) => Self::New(NewFile::create(path)?),
        })
    }

    /// Puts a file in its place.
    pub(crate) fn complete(self) -> Result<(), Failure> {
        match self {
            Self::Standard | Self::Special(_) => Ok(()),
            Self::New(file) => file.complete(),
        }
    }

    /// What a failure to write to it is.
    fn failed(&self, path: &Path, error: io::Error) -> Failure {
        match self {
            Self::Standard => error.into(),
            Self::Special(_) | Self::New(_) => Failure::file("write", path, &error),
        }
    }
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard => io::stdout().write(bytes),
            Self::Special(file) => file.write(bytes),
            Self::New(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard => io::stdout().flush(),
            Self::Special(file) => file.flush(),
            Self::New(file) => file.flush(),
        }
    }
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
    /// Starts the output at a destination, compressed by gzip or not.
    pub(crate) fn create(destination: &Destination, packed: bool) -> Result<Self, Failure> {
        let (whole, path) = (Whole::create(destination)?, path_of(destination));
        Ok(if packed {
            Self::Packed(GzEncoder::new(whole, Compression::default()), path)
        } else {
            Self::Whole(whole, path)
        })
    }

    /// Starts a Parquet file with these columns.
    #[cfg(feature = "parquet")]
    pub(crate) fn parquet(
        destination: &Destination,
        schema: arrow_schema::SchemaRef,
    ) -> Result<Self, Failure> {
        let whole = Whole::create(destination)?;
        let table = Table::create(whole, &path_of(destination), schema)?;
        Ok(Self::Parquet(Box::new(table)))
    }

    /// Starts the file at `path`, or resumes it from `standing`, to which its part is truncated.
    pub(crate) fn resumable(
        path: &Path,
        standing: &Standing,
        recording: Recording,
    ) -> Result<Self, Failure> {
        let paths = Partial::of(path);
        let progress = Progress::new(recording.run, &paths);
        let is_new = *standing == Standing::default();
        if is_new {
            // The record before the part: a part that no record explains is not ours.
            progress.note(standing.clone(), false)?;
        }
        let begin = || {
            let options = options_for(path);
            let mut file = if is_new {
                open::new(&options, &paths.part)?
            } else {
                open::existing(&options, &paths.part)?
            };
            file.set_len(standing.written)?;
            file.seek(SeekFrom::Start(standing.written))?;
            let synced = file.try_clone()?;
            Ok::<_, io::Error>((file, synced))
        };
        let (file, synced) =
            begin().map_err(|error| Failure::file("write", &paths.part, &error))?;
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
        matches!(self, Self::Whole(Whole::Standard, _)) && io::stdout().is_terminal()
    }

    /// Writes `bytes`.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Whole(Whole::Standard, _) => {
                let mut out = io::stdout().lock();
                out.write_all(bytes)?;
                Ok(out.flush()?)
            }
            Self::Whole(whole, path) => whole
                .write_all(bytes)
                .map_err(|error| whole.failed(path, error)),
            Self::Packed(packer, path) => packer
                .write_all(bytes)
                .map_err(|error| packer.get_ref().failed(path, error)),
            #[cfg(feature = "parquet")]
            Self::Parquet(table) => table.write(bytes),
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
            Self::Whole(whole, _) => whole.complete(),
            Self::Packed(packer, path) => packer
                .finish()
                .map_err(|error| Failure::file("write", &path, &error))?
                .complete(),
            #[cfg(feature = "parquet")]
            Self::Parquet(table) => table.end(),
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
        if !matches!(self, Self::Resumable(_)) {
            *self = Self::Whole(Whole::Standard, PathBuf::from("-"));
        }
    }
}

/// The path of a destination.
fn path_of(destination: &Destination) -> PathBuf {
    match destination {
        Destination::Standard => PathBuf::from("-"),
        Destination::Special(path) | Destination::File(path) => path.clone(),
    }
}

/// Puts the part of an output, which is all of it, in its place.
pub(crate) fn complete(part: &File, paths: &Partial, kept: bool) -> Result<(), Failure> {
    place(part, &paths.part, &paths.output)?;
    if kept { Ok(()) } else { paths.forget() }
}
