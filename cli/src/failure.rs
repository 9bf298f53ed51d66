//! [`Failure`]: why a command ends early.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Whoever read the output has gone: no error, nothing to say.
    Closed,
    /// The sentence for the user: what was met, where, what to do.
    Said(String),
}

impl Failure {
    /// A failure with the sentence that the user reads.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Said(message.into())
    }

    /// A file that could not be read or written; `verb` is `read`, `write`, ….
    pub(crate) fn file(verb: &str, path: &Path, error: &io::Error) -> Self {
        let advice = match error.kind() {
            io::ErrorKind::NotFound => ": check the path",
            io::ErrorKind::PermissionDenied => ": check its permissions",
            io::ErrorKind::IsADirectory => ": name a file in it",
            _ => "",
        };
        Self::Said(format!(
            "cannot {verb} {}: {}{advice}",
            path.display(),
            sentence(error)
        ))
    }

    /// An error of the core about a file that its message does not name.
    pub(crate) fn of(path: &Path, error: &impl fmt::Display) -> Self {
        Self::Said(format!("{}: {error}", path.display()))
    }
}

/// An error of writing the output; reading has [`Failure::file`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Closed
        } else {
            Self::Said(format!("cannot write the output: {}", sentence(&error)))
        }
    }
}

/// The error without the number that Rust puts behind it: `No such file or directory`.
fn sentence(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

/// Writes one message on standard error. A closed standard error is no reason to fail.
pub(crate) fn say(message: &str) {
    let _ = writeln!(io::stderr().lock(), "titledex: {message}");
}
