//! [`OpenFile`]: the file of SQLite, made for its owner alone, and watched.

use super::error::StoreError;
use sqlx::Error;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Why a file is not opened, as a sentence that names it and what to do.
///
/// The file itself is not looked into: POSIX drops the locks that a process has on a file as soon as
/// it closes any handle of it, those of SQLite among them.
fn unfit(path: &str) -> Option<String> {
    let folder = Path::new(path).parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Some(format!(
            "{path} is a folder: name a file in it, as sqlite:{}/titledex.db",
            path.trim_end_matches('/')
        )),
        Ok(found) if !found.is_file() => Some(format!("{path} is no file: name another")),
        Ok(_) => None,
        Err(_) if folder.is_some_and(|folder| !folder.is_dir()) => {
            let folder = folder.unwrap_or(Path::new("")).display();
            Some(format!(
                "there is no folder {folder} for the database {path}: make it first"
            ))
        }
        Err(_) => None,
    }
}

/// Makes a file that is missing so that only its owner reads it, whatever the umask. SQLite gives the
/// files beside it (`-wal`, `-shm`) the same mode.
///
/// # Errors
/// Where it cannot be made, or is no file.
pub(super) fn create(path: &str) -> Result<(), StoreError> {
    if let Some(reason) = unfit(path) {
        return Err(StoreError::File(reason, None));
    }
    let made = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    match made {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(refused(path, error.into())),
    }
}

/// The error of a file that SQLite does not open.
pub(super) fn refused(path: &str, error: Error) -> StoreError {
    /// What SQLite says of a file that it may not write, cannot open, or that has another header.
    const READ_ONLY: i32 = 8;
    const CANNOT_OPEN: i32 = 14;
    const OTHER_HEADER: i32 = 26;
    let code = error.as_database_error().and_then(|said| said.code());
    // an extended code has the plain one in its lowest byte
    let code = code.and_then(|code| Some(code.parse::<i32>().ok()? & 0xff));
    let reason = match code {
        Some(OTHER_HEADER) => {
            format!("{path} is no SQLite database: name another file, or move this one away")
        }
        Some(READ_ONLY | CANNOT_OPEN) | None => format!(
            "the database {path} cannot be opened: see that this user may read and write it and its folder"
        ),
        Some(_) => return error.into(),
    };
    StoreError::File(reason, Some(error))
}

/// Warns where others may read or write a database.
pub(super) fn warn_of_mode(path: &str) {
    if fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o007 != 0) {
        tracing::warn!(
            path,
            "every user of this computer may read or write the database: chmod 600 it and the files \
             beside it (-wal, -shm)"
        );
    }
}

/// A file by its path, and what it was when it was opened.
#[derive(Debug)]
pub(super) struct OpenFile {
    path: PathBuf,
    /// Device and inode.
    opened: (u64, u64),
}

impl OpenFile {
    /// The file at `path` as it is now.
    pub(super) fn at(path: &str) -> io::Result<Self> {
        let path = PathBuf::from(path);
        let file = fs::metadata(&path)?;
        Ok(Self {
            opened: (file.dev(), file.ino()),
            path,
        })
    }

    /// That it was neither deleted nor replaced: what is written to an unlinked file is lost.
    pub(super) fn check(&self) -> Result<(), Error> {
        let now = fs::metadata(&self.path).map(|file| (file.dev(), file.ino()));
        if now.is_ok_and(|now| now == self.opened) {
            return Ok(());
        }
        Err(Error::Io(io::Error::new(
            io::ErrorKind::NotFound,
            format!(
                "{} was deleted or replaced while it was open: stop the service, put the file back, \
                 and start again",
                self.path.display()
            ),
        )))
    }
}
