//! [`OpenFile`]: the file of SQLite, made for its owner alone, and watched.

use sqlx::Error;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::PathBuf;

/// Makes a file that is missing so that only its owner reads it, whatever the umask. SQLite gives the
/// files beside it (`-wal`, `-shm`) the same mode.
pub(super) fn create(path: &str) -> io::Result<()> {
    let made = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    match made {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let mode = fs::metadata(path)?.permissions().mode();
            if mode & 0o007 != 0 {
                tracing::warn!(
                    path,
                    "every user of this computer may read or write the database: chmod 600 it and \
                     the files beside it (-wal, -shm)"
                );
            }
            Ok(())
        }
        Err(error) => Err(error),
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
