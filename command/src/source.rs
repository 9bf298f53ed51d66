//! [`Source`]: the file or stream that titles or rows are read from, and how to recognise it in a
//! later run.

use crate::{Failure, files, output, say};
use clap::ValueEnum;
use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use xxhash_rust::xxh3::xxh3_64;

/// How much of a file is hashed to recognise it, besides its length and modification time.
const HASHED_BYTES: u64 = 1 << 16;
/// The first bytes of gzip data.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The byte order mark that some programs write before UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// How the rows of an input are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// One title on each line.
    Lines,
    /// Comma-separated cells, with a header.
    Csv,
    /// Tab-separated cells, with a header.
    Tsv,
    /// One JSON object on each line.
    Jsonl,
    /// Apache Parquet.
    Parquet,
}

/// The properties that distinguish one input file from another, or from an older version of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Its length in bytes.
    pub length: u64,
    /// Modification time in nanoseconds since 1970.
    pub changed: u64,
    /// XXH3 hash of its first 64 KiB.
    pub beginning: u64,
}

/// Where rows come from.
#[derive(Debug)]
pub enum Source {
    /// Standard input.
    Standard {
        /// Whether it is a terminal.
        typed: bool,
    },
    /// A file.
    File {
        /// Its path.
        path: PathBuf,
        /// Whether it is gzip.
        packed: bool,
        /// Its identity; `None` for a pipe or a device, which cannot be read twice.
        identity: Option<Identity>,
    },
}

impl Source {
    /// The source at `path`; standard input if there is none, or it is `-`.
    ///
    /// # Errors
    /// If the file does not exist, cannot be read, or is a folder.
    pub fn of(path: Option<&Path>) -> Result<Self, Failure> {
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
                files::name(path)
            )));
        }
        if !metadata.is_file() {
            // Do not open a pipe yet: its writer would see it closed.
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

    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Self::Standard { .. } => "standard input".to_owned(),
            Self::File { path, .. } => files::name(path),
        }
    }

    /// Its path, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Standard { .. } => None,
            Self::File { path, .. } => Some(path),
        }
    }

    /// Its identity, if it can be read again.
    pub fn identity(&self) -> Option<&Identity> {
        match self {
            Self::Standard { .. } => None,
            Self::File { identity, .. } => identity.as_ref(),
        }
    }

    /// What its name says that it holds; [`Kind::Lines`] if the name does not say.
    pub fn kind(&self) -> Kind {
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

    /// How many bytes will be read, if known.
    pub fn length(&self) -> Option<u64> {
        match self {
            Self::Standard { .. } => stdin_length(),
            Self::File { packed: true, .. } => None,
            Self::File { identity, .. } => identity.as_ref().map(|identity| identity.length),
        }
    }

    /// Its decompressed bytes from `offset` on.
    ///
    /// # Errors
    /// If it cannot be opened or read.
    pub fn open(&self, offset: u64) -> Result<Box<dyn Read + Send>, Failure> {
        let Self::File { path, packed, .. } = self else {
            return Ok(Box::new(io::stdin()));
        };
        let unreadable = |error| Failure::file("read", path, &error);
        let mut file = File::open(path).map_err(unreadable)?;
        if !packed {
            if offset > 0 {
                file.seek(SeekFrom::Start(offset)).map_err(unreadable)?;
            }
            return Ok(Box::new(file));
        }
        let mut unpacked = MultiGzDecoder::new(BufReader::new(file));
        // Gzip data can only be read from the beginning.
        io::copy(&mut unpacked.by_ref().take(offset), &mut io::sink()).map_err(unreadable)?;
        Ok(Box::new(unpacked))
    }
}

/// Length of the file that standard input is redirected from, if any.
fn stdin_length() -> Option<u64> {
    let metadata = output::standard_input()?;
    metadata.is_file().then_some(metadata.len())
}

/// XXH3 hash of the 64 KiB of a file that end at `end`, or of all before that.
///
/// # Errors
/// If it is shorter, or cannot be read.
pub fn hash_before(path: &Path, end: u64) -> io::Result<u64> {
    let length = end.min(HASHED_BYTES);
    let mut block = vec![0; usize::try_from(length).unwrap_or_default()];
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(end - length))?;
    file.read_exact(&mut block)?;
    Ok(xxh3_64(&block))
}
