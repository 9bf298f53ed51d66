//! [`Failure`]: the reason why a call failed, and the JavaScript `Error` for it.

use js_sys::{Array, Reflect};
use titledex::ErrorKind;
use wasm_bindgen::JsValue;

/// The reason for a refusal, in `code` of the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModuleErrorCode {
    /// The bytes are not a titledex catalogue.
    NotACatalogue,
    /// The catalogue was made by another version.
    Version,
    /// The catalogue is cut short or altered.
    Corrupt,
    /// An argument has the wrong type.
    BadArgument,
    /// An option is unknown or has a value that it cannot have.
    BadOption,
    /// A fault that cannot happen: please report it.
    Internal,
}

impl ModuleErrorCode {
    fn as_str(self) -> &'static str {
        match self {
            ModuleErrorCode::NotACatalogue => "not_a_catalogue",
            ModuleErrorCode::Version => "version",
            ModuleErrorCode::Corrupt => "corrupt",
            ModuleErrorCode::BadArgument => "bad_argument",
            ModuleErrorCode::BadOption => "bad_option",
            ModuleErrorCode::Internal => "internal",
        }
    }
}

/// A message for people and a code for programs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    code: ModuleErrorCode,
    message: String,
}

impl Failure {
    /// An option that is unknown or has a value that it cannot have.
    pub(crate) fn bad_option(message: String) -> Self {
        Self {
            code: ModuleErrorCode::BadOption,
            message,
        }
    }

    /// An argument of another type than `expected`.
    pub(crate) fn bad_argument(name: &str, expected: &str, given: &JsValue) -> Self {
        Self {
            code: ModuleErrorCode::BadArgument,
            message: format!("`{name}` is {}; give {expected}", kind(given)),
        }
    }
}

/// The type of a value, for a message.
pub(crate) fn kind(value: &JsValue) -> String {
    let name = value.js_typeof().as_string().unwrap_or_default();
    match name.as_str() {
        "undefined" => name,
        "object" if value.is_null() => "null".to_owned(),
        "object" if Array::is_array(value) => "an array".to_owned(),
        "object" => "an object".to_owned(),
        _ => format!("a {name}"),
    }
}

impl From<titledex::Error> for Failure {
    fn from(error: titledex::Error) -> Self {
        let code = match error.kind() {
            ErrorKind::NotAnIndex => ModuleErrorCode::NotACatalogue,
            ErrorKind::Version => ModuleErrorCode::Version,
            ErrorKind::Corrupt => ModuleErrorCode::Corrupt,
            // of several catalogues
            #[cfg(feature = "games")]
            ErrorKind::Duplicate | ErrorKind::TooLarge | ErrorKind::Source => {
                ModuleErrorCode::BadArgument
            }
            // The others come from building, which is not done here, or mean that the build itself
            // is broken.
            _ => ModuleErrorCode::Internal,
        };
        Self {
            code,
            message: error.to_string(),
        }
    }
}

impl From<Failure> for js_sys::Error {
    fn from(failure: Failure) -> Self {
        let error = js_sys::Error::new(&failure.message);
        // A new error takes a property; if that failed, the message would remain.
        let _ = Reflect::set(&error, &"code".into(), &failure.code.as_str().into());
        error
    }
}
