//! [`Source`]: the file or stream that an input reads, opened as often as needed and known again after a kill.

use super::Mark;
use crate::args::Kind;
use crate::failure::{Failure, say};
use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use xxhash_rust::xxh3::xxh3_64;

/// What of a file is hashed to know it again, beside its length and the time of its last change.
const HASHED_BYTES: u64 = 1 << 16;
/// How gzip begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// What tells one input from another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// Its length in bytes.
    pub(crate) length: u64,
    /// When it was last changed, in nanoseconds since 1970.
    pub(crate) changed: u64,
    /// XXH3 of its beginning.
    pub(crate) beginning: u64,
}

/// Where rows come from.
#[derive(Debug)]
pub(crate) enum Source {
    /// Standard input.
    Standard {
        /// Whether somebody types it.
        typed: bool,
    },
    /// A file.
    File {
        /// Its path.
        path: PathBuf,
        /// Whether it is packed with gzip.
        packed: bool,
        /// What it is known by; nothing where it is a pipe or a device, which cannot be read again.
        identity: Option<Identity>,
    },
}

impl Source {
    /// The source at `path`; standard input where there is none, or `-`.
    pub(crate) fn of(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            let typed = io::stdin().is_terminal();
            if typed {
                say(
                    "reading titles from the terminal, one a line; Ctrl-D ends, `titledex parse --help` explains",
                );
            }
            return Ok(Self::Standard { typed });
        };
        let unreadable = |error| Failure::file("read", path, &error);
        let metadata = fs::metadata(path).map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(Failure::new(format!(
                "cannot read {}: it is a folder: name a file of titles",
                path.display()
            )));
        }
        if !metadata.is_file() {
            // Not opened yet: who writes to a pipe would see it closed.
            return Ok(Self::File {
                path: path.to_owned(),
                packed: false,
                identity: None,
            });
        }
        let mut beginning = Vec::new();
        let file = File::open(path).map_err(unreadable)?;
        file.take(HASHED_BYTES)
            .read_to_end(&mut beginning)
            .map_err(unreadable)?;
        let since = metadata
            .modified()
            .ok()
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
            .unwrap_or_default();
        let identity = Identity {
            length: metadata.len(),
            changed: u64::try_from(since.as_nanos()).unwrap_or_default(),
            beginning: xxh3_64(&beginning),
        };
        Ok(Self::File {
            path: path.to_owned(),
            packed: beginning.starts_with(&GZIP),
            identity: Some(identity),
        })
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Standard { .. } => "standard input".to_owned(),
            Self::File { path, .. } => path.to_string_lossy().into_owned(),
        }
    }

    /// Its path, where it is a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Standard { .. } => None,
            Self::File { path, .. } => Some(path),
        }
    }

    /// What it is known by, where it can be read again.
    pub(crate) fn identity(&self) -> Option<&Identity> {
        match self {
            Self::Standard { .. } => None,
            Self::File { identity, .. } => identity.as_ref(),
        }
    }

    /// What its name says that it holds: lines where the name says nothing.
    pub(crate) fn kind(&self) -> Kind {
        let Some(path) = self.path() else {
            return Kind::Lines;
        };
        let extension = |path: &Path| {
            path.extension()
                .map(|end| end.to_string_lossy().to_ascii_lowercase())
        };
        let inner = match extension(path).as_deref() {
            Some("gz") => path.file_stem().and_then(|stem| extension(Path::new(stem))),
            _ => extension(path),
        };
        match inner.as_deref() {
            Some("csv") => Kind::Csv,
            Some("tsv") => Kind::Tsv,
            Some("jsonl" | "ndjson") => Kind::Jsonl,
            Some("parquet") => Kind::Parquet,
            _ => Kind::Lines,
        }
    }

    /// The number of bytes that will be read, where it is known.
    pub(crate) fn length(&self) -> Option<u64> {
        match self {
            Self::Standard { .. } => stdin_length(),
            Self::File { packed: true, .. } => None,
            Self::File { identity, .. } => identity.as_ref().map(|identity| identity.length),
        }
    }

    /// Its bytes, unpacked, from `at` on.
    pub(crate) fn open(&self, at: Mark) -> Result<Box<dyn Read + Send>, Failure> {
        let Self::File { path, packed, .. } = self else {
            return Ok(Box::new(io::stdin()));
        };
        let unreadable = |error| Failure::file("read", path, &error);
        let mut file = File::open(path).map_err(unreadable)?;
        if !packed {
            if at.bytes > 0 {
                file.seek(SeekFrom::Start(at.bytes)).map_err(unreadable)?;
            }
            return Ok(Box::new(file));
        }
        let mut unpacked = MultiGzDecoder::new(BufReader::new(file));
        // There is no way into the middle of gzip but from its beginning.
        io::copy(&mut unpacked.by_ref().take(at.bytes), &mut io::sink()).map_err(unreadable)?;
        Ok(Box::new(unpacked))
    }
}

/// Length of the file that standard input is, where it is one.
#[cfg(unix)]
fn stdin_length() -> Option<u64> {
    use std::os::fd::AsFd;
    let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    let metadata = file.metadata().ok()?;
    metadata.is_file().then_some(metadata.len())
}

/// Length of the file that standard input is: not asked for here.
#[cfg(not(unix))]
fn stdin_length() -> Option<u64> {
    None
}
