//! [`Failure`]: the reason why a command ends early.

use crate::files::name;
use crate::shown;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;

/// The program that runs, as messages name it.
static PROGRAM: OnceLock<&str> = OnceLock::new();

/// The reason why a command ends early.
#[derive(Debug)]
pub enum Failure {
    /// The reader of the output closed it: not an error, and nothing to say.
    Closed,
    /// The message for the user: what was met, where, and what to do.
    Said(String),
    /// The command line cannot be meant as it is: the message says how to write it.
    Usage(String),
    /// Another run has what this one needs: the same command may succeed later.
    Busy(String),
}

impl Failure {
    /// A failure with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self::Said(message.into())
    }

    /// A command line that cannot be meant as it is.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// A file that could not be read or written; `verb` is `read`, `write` and so on.
    pub fn file(verb: &str, path: &Path, error: &io::Error) -> Self {
        let advice = match error.kind() {
            io::ErrorKind::NotFound => ": check the path",
            io::ErrorKind::PermissionDenied => ": check its permissions",
            io::ErrorKind::IsADirectory => ": name a file in it",
            io::ErrorKind::ResourceBusy => ": write to standard output (-o -) instead",
            _ => "",
        };
        Self::Said(format!(
            "cannot {verb} {}: {}{advice}",
            name(path),
            sentence(error)
        ))
    }

    /// An error about a file that its own message does not name.
    pub fn of(path: &Path, error: &impl fmt::Display) -> Self {
        Self::Said(format!("{}: {error}", name(path)))
    }
}

/// An error writing the output; for reading there is [`Failure::file`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Closed
        } else {
            Self::Said(format!("cannot write the output: {}", sentence(&error)))
        }
    }
}

/// The error without the number that Rust appends: `No such file or directory`.
fn sentence(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

/// Sets the name that [`say`] puts before messages; the first call wins.
pub(crate) fn set_program(name: &'static str) {
    let _ = PROGRAM.set(name);
}

/// Writes one message to standard error, after the program's name. What it quotes cannot act on a
/// terminal. A closed standard error is not a failure.
pub fn say(message: &str) {
    let program = PROGRAM.get().unwrap_or(&"titledex");
    let lines: Vec<String> = message.split('\n').map(shown).collect();
    let _ = writeln!(io::stderr().lock(), "{program}: {}", lines.join("\n"));
}
