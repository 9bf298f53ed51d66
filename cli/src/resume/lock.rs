//! [`Lock`]: one run at a time writes an output.

use super::{Partial, open};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use titledex_command::Failure;
use titledex_command::files;

/// The lock on an output, held until it is dropped or the process ends.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock on the output of `paths`.
    ///
    /// # Errors
    /// [`Failure::Busy`] if another process holds it.
    pub(crate) fn take(paths: &Partial) -> Result<Self, Failure> {
        let path = paths.lock.clone();
        let mut options = OpenOptions::new();
        options.write(true);
        let failed = |error: &io::Error| Failure::file("lock", &path, error);
        loop {
            let file = open::or_new(&options, &path).map_err(|error| failed(&error))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Failure::Busy(format!(
                        "another run writes {} now: wait for its end, or give -o another name",
                        files::name(&paths.output)
                    )));
                }
                // a file system without locks
                Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(failed(&error)),
            }
            // The run that held it may have removed the file after it was opened here: then the
            // lock is on a file that nobody else meets.
            if open::is_at(&file, &path) {
                return Ok(Self { file, path });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Before it is released, so that it is this run's. A file that stays holds up nobody, and
        // one with content is somebody's own.
        if self.file.metadata().is_ok_and(|file| file.len() == 0) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Lock, Partial};
    use std::fs;
    use titledex_command::Failure;

    #[test]
    fn lock_is_held_by_one_and_leaves_no_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let paths = Partial::of(&folder.path().join("out.jsonl"));
        let other = Partial::of(&folder.path().join("out.csv"));
        let held = Lock::take(&paths).expect("it is free");
        let message = match Lock::take(&paths) {
            Err(Failure::Busy(message)) => message,
            taken => panic!("{taken:?}"),
        };
        assert!(message.contains("another run writes") && message.contains("out.jsonl"));
        drop(Lock::take(&other).expect("another output is free"));
        drop(held);
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
        // one that a killed run left
        fs::write(&paths.lock, "").expect("writable");
        drop(Lock::take(&paths).expect("nobody holds it"));
    }
}
