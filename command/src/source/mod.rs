//! [`Source`]: the file or stream that titles or rows are read from, and how to recognise it in a
//! later run.

mod coding;
mod kind;

pub use kind::Kind;

use crate::{Failure, files, output, say};
use coding::Coding;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use xxhash_rust::xxh3::xxh3_64;

/// How much of a file is hashed to recognise it, besides its length and modification time.
const HASHED_BYTES: u64 = 1 << 16;
/// The most that is read of a stream to know what it holds: far more than a header has.
const LOOKED_BYTES: usize = 1 << 16;
/// Codings within each other that are undone: UTF-16 in gzip, and no bomb of many layers.
const MOST_CODINGS: usize = 2;
/// The byte order mark that some programs write before UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

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
pub struct Source {
    place: Place,
    /// The codings of its bytes, the outer first.
    codings: Vec<Coding>,
    /// The first of its decoded bytes: a line or more, or as many as are looked at.
    beginning: Vec<u8>,
    /// All of them, of what can be read once only.
    stream: Option<Box<dyn Read + Send>>,
}

/// The place of a source.
#[derive(Debug)]
enum Place {
    Standard {
        /// Whether it is a terminal.
        typed: bool,
    },
    File {
        path: PathBuf,
        /// `None` for a pipe or a device, which cannot be read twice.
        identity: Option<Identity>,
    },
}

impl Source {
    /// The source at `path`; standard input if there is no path or it is `-`. Waits for the first
    /// line, which shows what the source holds.
    ///
    /// # Errors
    /// If the file does not exist, cannot be read, is a folder, or is of a kind that holds no rows.
    pub fn of(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            let typed = io::stdin().is_terminal();
            if typed {
                say(
                    "reading titles from the terminal, one a line; Ctrl-D ends, `titledex parse --help` explains",
                );
            }
            return Self::once(Place::Standard { typed }, Box::new(io::stdin()));
        };
        let unreadable = |error| Failure::file("read", path, &error);
        let metadata = fs::metadata(path).map_err(|error| {
            if path.to_string_lossy().contains("://") {
                Failure::new(format!(
                    "cannot read {}: it is an address: download it, and name the file",
                    files::name(path)
                ))
            } else {
                unreadable(error)
            }
        })?;
        if metadata.is_dir() {
            return Err(Failure::new(format!(
                "cannot read {}: it is a folder: name a file in it",
                files::name(path)
            )));
        }
        let file = File::open(path).map_err(unreadable)?;
        let place = |identity| Place::File {
            path: path.to_owned(),
            identity,
        };
        if !metadata.is_file() {
            return Self::once(place(None), Box::new(file));
        }
        let mut beginning = Vec::new();
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
        let (name, mut codings) = (files::name(path), Vec::new());
        while let Some(coding) = next_coding(&beginning, &name, &codings)? {
            let inner = Box::new(io::Cursor::new(beginning));
            let mut decoded = coding.decoded(inner).map_err(unreadable)?;
            // the first bytes of gzip data end in the middle: what they give is what counts
            (beginning, _) = look(&mut decoded);
            codings.push(coding);
        }
        Ok(Self {
            place: place(Some(identity)),
            codings,
            beginning,
            stream: None,
        })
    }

    /// A source that can be read once, and whose first bytes are kept.
    fn once(place: Place, mut input: Box<dyn Read + Send>) -> Result<Self, Failure> {
        let (beginning, end) = look(&mut input);
        let mut source = Self {
            place,
            codings: Vec::new(),
            stream: Some(resumed(&beginning, end, input)),
            beginning,
        };
        let name = source.name();
        let unreadable = |error| Failure::file("read", Path::new(&name), &error);
        while let Some(coding) = next_coding(&source.beginning, &name, &source.codings)? {
            let stream = source
                .stream
                .take()
                .unwrap_or_else(|| Box::new(io::empty()));
            let mut decoded = coding.decoded(stream).map_err(unreadable)?;
            let (beginning, end) = look(&mut decoded);
            source.stream = Some(resumed(&beginning, end, decoded));
            source.beginning = beginning;
            source.codings.push(coding);
        }
        Ok(source)
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match &self.place {
            Place::Standard { .. } => "standard input".to_owned(),
            Place::File { path, .. } => files::name(path),
        }
    }

    /// Its path, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::Standard { .. } => None,
            Place::File { path, .. } => Some(path),
        }
    }

    /// Its identity, if it can be read again.
    pub fn identity(&self) -> Option<&Identity> {
        match &self.place {
            Place::Standard { .. } => None,
            Place::File { identity, .. } => identity.as_ref(),
        }
    }

    /// Whether it is typed into a terminal.
    pub fn is_typed(&self) -> bool {
        matches!(self.place, Place::Standard { typed: true })
    }

    /// The first of its decoded bytes, at least a line of them if that is not too long.
    pub fn beginning(&self) -> &[u8] {
        &self.beginning
    }

    /// What its name says that it holds; [`Kind::Lines`] if the name does not say.
    pub fn kind(&self) -> Kind {
        self.path().and_then(Kind::named).unwrap_or(Kind::Lines)
    }

    /// What it holds, by its name and, where that does not say, by its beginning; `column` is that
    /// of the titles.
    pub fn holds(&self, column: &str) -> Kind {
        let seen = Kind::of_beginning(&self.beginning, column);
        match (self.path().and_then(Kind::named), seen) {
            // no line of JSON Lines begins an array
            (Some(Kind::Jsonl), Some(Kind::Json)) => Kind::Json,
            (Some(named), _) => named,
            (None, seen) => seen.unwrap_or(Kind::Lines),
        }
    }

    /// How many bytes will be read, if known.
    pub fn length(&self) -> Option<u64> {
        if !self.codings.is_empty() {
            return None;
        }
        match &self.place {
            Place::Standard { .. } => stdin_length(),
            Place::File { identity, .. } => identity.as_ref().map(|identity| identity.length),
        }
    }

    /// Its decoded bytes from `offset` on. What can be read once only is given whole, and once.
    ///
    /// # Errors
    /// If it cannot be opened or read.
    pub fn open(&mut self, offset: u64) -> Result<Box<dyn Read + Send>, Failure> {
        if let Some(stream) = self.stream.take() {
            return Ok(stream);
        }
        let Place::File { path, .. } = &self.place else {
            return Ok(Box::new(io::empty()));
        };
        let unreadable = |error| Failure::file("read", path, &error);
        let mut file = File::open(path).map_err(unreadable)?;
        if self.codings.is_empty() {
            if offset > 0 {
                file.seek(SeekFrom::Start(offset)).map_err(unreadable)?;
            }
            return Ok(Box::new(file));
        }
        let mut decoded: Box<dyn Read + Send> = Box::new(file);
        for coding in &self.codings {
            decoded = coding.decoded(decoded).map_err(unreadable)?;
        }
        // it can only be decoded from the beginning
        io::copy(&mut decoded.by_ref().take(offset), &mut io::sink()).map_err(unreadable)?;
        Ok(decoded)
    }
}

/// The coding of what begins so, inside of the codings that are known; `None` if it is plain. Text
/// is the last: what it decodes to is not coded again.
fn next_coding(beginning: &[u8], name: &str, known: &[Coding]) -> Result<Option<Coding>, Failure> {
    let text = matches!(known.last(), Some(Coding::Utf16 { .. } | Coding::Returns));
    if known.len() == MOST_CODINGS || text {
        return Ok(None);
    }
    let coding = Coding::of(beginning, name)?;
    Ok(Some(coding).filter(|coding| *coding != Coding::Plain))
}

/// How a look at the beginning of a stream ended.
enum End {
    /// There may be more.
    Open,
    /// With the stream.
    Closed,
    /// With an error, which belongs after what was read.
    Failed(io::Error),
}

/// Reads until there is a line, or as much as is looked at.
fn look(input: &mut dyn Read) -> (Vec<u8>, End) {
    let mut beginning = Vec::new();
    let mut buffer = [0; 1 << 13];
    while beginning.len() < LOOKED_BYTES {
        match input.read(&mut buffer) {
            Ok(0) => return (beginning, End::Closed),
            Ok(read) => {
                beginning.extend_from_slice(&buffer[..read]);
                if buffer[..read].contains(&b'\n') {
                    break;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (beginning, End::Failed(error)),
        }
    }
    (beginning, End::Open)
}

/// The stream as it was before a look at its beginning.
fn resumed(beginning: &[u8], end: End, rest: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
    let first = io::Cursor::new(beginning.to_vec());
    match end {
        End::Open => Box::new(first.chain(rest)),
        // a terminal that has ended would ask again
        End::Closed => Box::new(first),
        End::Failed(error) => Box::new(first.chain(Failing(Some(error)))),
    }
}

/// An error that a stream has met.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
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
