//! Opens the files beside an output, whose names anybody can tell beforehand: a link that lies there
//! leads to another file, which is never written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// A new file in the place of what is at `path`.
pub(crate) fn new(options: &OpenOptions, path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => options.clone().create_new(true).open(path),
    }
}

/// Opens the file at `path`, or makes it; refuses a symbolic link.
pub(super) fn or_new(options: &OpenOptions, path: &Path) -> io::Result<File> {
    loop {
        match options.clone().create_new(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made,
        }
        match existing(options, path) {
            // whoever made it has removed it meanwhile
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            opened => return opened,
        }
    }
}

/// The file at `path`, unless that is a link. Nothing of it is altered.
///
/// # Errors
/// `NotFound` also where it was replaced meanwhile.
pub(crate) fn existing(options: &OpenOptions, path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::Error::other("it is a link to another file: remove it"));
    }
    let file = options.open(path)?;
    // a link may have stood there meanwhile
    if is_at(&file, path) {
        Ok(file)
    } else {
        let why = "another program replaced it: try again";
        Err(io::Error::new(ErrorKind::NotFound, why))
    }
}

/// Whether the open `file` is what is at `path`, and no link leads there.
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(opened), Ok(there)) = (file.metadata(), fs::symlink_metadata(path)) else {
        return false;
    };
    #[cfg(unix)]
    return titledex_command::output::same_file(&opened, &there);
    // Elsewhere a file that is open keeps its name.
    #[cfg(not(unix))]
    return opened.is_file() && there.is_file();
}
