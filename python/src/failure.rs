//! [`Failure`]: the reason why a call failed, and the `titledex.TitledexError` for it.

use pyo3::PyErr;
use titledex::ErrorKind;

mod python {
    pyo3::import_exception!(titledex._errors, TitledexError);
}

/// A message for people and a code for programs.
#[derive(Debug)]
pub(crate) struct Failure {
    code: &'static str,
    message: String,
}

impl Failure {
    /// A failure with its code and sentence.
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    /// An argument that has the wrong type or a value that it cannot have.
    pub(crate) fn bad_argument(message: impl Into<String>) -> Self {
        Self::new("bad_argument", message)
    }

    /// A fault that cannot happen.
    pub(crate) fn internal(message: &str) -> Self {
        Self::new(
            "internal",
            format!("{message}: this is a fault of titledex, please report it"),
        )
    }

    /// The same, of the file at `path`.
    pub(crate) fn at(self, path: &std::path::Path) -> Self {
        Self {
            message: format!("{}: {}", path.display(), self.message),
            ..self
        }
    }
}

impl From<titledex::Error> for Failure {
    fn from(error: titledex::Error) -> Self {
        let code = match error.kind() {
            ErrorKind::NotAnIndex => "not_a_catalogue",
            ErrorKind::Version => "version",
            ErrorKind::Corrupt => "corrupt",
            // Nothing is built here: the catalogue lacks a game that was asked for.
            ErrorKind::Source => "bad_argument",
            // The others come from building, which is not done here, or mean that the build itself
            // is broken.
            _ => "internal",
        };
        Self::new(code, error.to_string())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        python::TitledexError::new_err((failure.code, failure.message))
    }
}
