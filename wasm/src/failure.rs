//! [`Failure`]: why a call failed, and the JavaScript `Error` that says so.

use js_sys::Reflect;
use titledex::ErrorKind;
use wasm_bindgen::JsValue;

/// A message for people and a code for programs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    code: &'static str,
    message: String,
}

impl Failure {
    /// An option that is unknown or has a value that it cannot have.
    pub(crate) fn bad_option(message: String) -> Self {
        Self { code: "bad_option", message }
    }

    /// An argument of another type than `expected`.
    pub(crate) fn bad_argument(name: &str, expected: &str, given: &JsValue) -> Self {
        Self { code: "bad_argument", message: format!("`{name}` is {}; give {expected}", kind(given)) }
    }

    /// What cannot happen.
    pub(crate) fn internal(cause: &JsValue) -> Self {
        Self { code: "internal", message: format!("the answer is no JSON ({cause:?}): please report this") }
    }
}

/// The type of a value, for a message.
pub(crate) fn kind(value: &JsValue) -> String {
    let name = value.js_typeof().as_string().unwrap_or_default();
    match name.as_str() {
        "undefined" => name,
        "object" if value.is_null() => "null".to_owned(),
        "object" => "an object".to_owned(),
        _ => format!("a {name}"),
    }
}

impl From<titledex::Error> for Failure {
    fn from(error: titledex::Error) -> Self {
        let code = match error.kind() {
            ErrorKind::NotAnIndex => "not_an_index",
            ErrorKind::Version => "version",
            ErrorKind::Corrupt => "corrupt",
            // The others come from building, which is not done here, or mean that the build itself is broken.
            _ => "internal",
        };
        Self { code, message: error.to_string() }
    }
}

impl From<Failure> for js_sys::Error {
    fn from(failure: Failure) -> Self {
        let error = js_sys::Error::new(&failure.message);
        // A new error takes a property; were it refused, the message would still stand.
        let _ = Reflect::set(&error, &"code".into(), &failure.code.into());
        error
    }
}
