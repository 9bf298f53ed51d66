//! [`Rejected`]: the file of a file's wrong rows.

use super::set_aside::{BEFORE, BEHIND};
use super::table::Row;
use super::{FileError, Kind, Wrong};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use titledex_command::spreadsheet::defused;

/// The file of a file's wrong rows, made with the first of them.
#[derive(Debug)]
pub struct Rejected {
    path: PathBuf,
    kind: Kind,
    writer: Option<csv::Writer<File>>,
}

impl Rejected {
    /// A file at `path`, which replaces what is there once a row is wrong.
    #[must_use]
    pub fn new(path: PathBuf, kind: Kind) -> Self {
        Self {
            path,
            kind,
            writer: None,
        }
    }

    /// Adds a row: its number, what is wrong with it, and its cells; in the last column its text,
    /// where it has no cells.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, number: u64, wrong: &Wrong, row: &Row<'_>) -> Result<(), FileError> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => {
                let file = replace(&self.path).map_err(|error| failed(&self.path, error))?;
                let mut writer = csv::Writer::from_writer(file);
                let columns = self.kind.columns().iter().map(|column| column.name);
                let [row, reason] = BEFORE;
                writer
                    .write_record([row, reason].into_iter().chain(columns).chain([BEHIND]))
                    .map_err(|error| failed(&self.path, error.into()))?;
                none.insert(writer)
            }
        };
        let (number, reason) = (number.to_string(), wrong.to_string());
        let mut record: Vec<&[u8]> = vec![number.as_bytes(), reason.as_bytes()];
        let empty: &[u8] = b"";
        match row {
            Ok(cells) => record.extend(cells.cells.iter().copied().chain([empty])),
            Err(unread) => {
                record.resize(2 + self.kind.columns().len(), empty);
                record.push(unread.line);
            }
        }
        // a person opens the file, and a title may be a stranger's
        let record = record.into_iter().map(safe);
        writer
            .write_byte_record(&record.collect())
            .map_err(|error| failed(&self.path, error.into()))
    }

    /// Writes what is buffered. Returns whether there is a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<bool, FileError> {
        let Some(mut writer) = self.writer else {
            return Ok(false);
        };
        writer
            .flush()
            .and_then(|()| writer.get_ref().sync_all())
            .map_err(|error| failed(&self.path, error))?;
        Ok(true)
    }
}

/// The cell as a spreadsheet may open it. What is no UTF-8 stays so.
fn safe(cell: &[u8]) -> Cow<'_, [u8]> {
    match defused(&String::from_utf8_lossy(cell)) {
        Cow::Borrowed(_) => Cow::Borrowed(cell),
        Cow::Owned(_) => Cow::Owned([b"'", cell].concat()),
    }
}

/// A new file in the place of what is there. A link is replaced, and not followed.
fn replace(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

fn failed(path: &Path, error: io::Error) -> FileError {
    FileError::Write(path.to_owned(), error)
}
