//! The options of a call: a JavaScript object of which every property is known and has the right
//! type.

use crate::failure::{Failure, kind};
use js_sys::{Array, Object, Reflect};
use titledex::Options;
use wasm_bindgen::{JsCast, JsValue};

/// Options for reading a title.
// The shape is the one in TypeScript (tests/types.rs). It is read property by property, so that an
// error names the property.
#[derive(Debug, Default)]
pub(crate) struct ParseOptions {
    /// At most this many cards, 1 to 50; 5 by default.
    pub(crate) max_suggestions: Option<u32>,
    /// Look for misspelt names, sets and words; true by default.
    pub(crate) fuzzy_matching: Option<bool>,
    /// Give probabilities, else they are 0; true by default.
    pub(crate) include_confidence: Option<bool>,
    /// Leave out how the title was read and weighed: spans, alternatives, unread words, printings
    /// other than the likeliest and evidence are empty; false by default.
    pub(crate) brief: Option<bool>,
}

impl From<ParseOptions> for Options {
    fn from(given: ParseOptions) -> Self {
        let mut options = Options::default();
        options.max_suggestions = given
            .max_suggestions
            .map_or(options.max_suggestions, |most| most as usize);
        options.fuzzy = given.fuzzy_matching.unwrap_or(options.fuzzy);
        options.confidence = given.include_confidence.unwrap_or(options.confidence);
        options.brief = given.brief.unwrap_or(options.brief);
        options
    }
}

/// Reads `given`; what is not there, or `undefined`, is as the core has it.
pub(crate) fn read(given: &JsValue) -> Result<Options, Failure> {
    let mut options = ParseOptions::default();
    if given.is_undefined() {
        return Ok(options.into());
    }
    if !given.is_object() || Array::is_array(given) {
        return Err(Failure::bad_option(format!(
            "the options are {}; give an object such as {{maxSuggestions: 3}}",
            kind(given)
        )));
    }
    for key in Object::keys(given.unchecked_ref::<Object>()).iter() {
        let value = Reflect::get(given, &key);
        let key = key.as_string().unwrap_or_default();
        let value = value.map_err(|_| {
            Failure::bad_option(format!(
                "`{key}` throws when it is read; give a plain object"
            ))
        })?;
        let slot = match key.as_str() {
            "maxSuggestions" => {
                options.max_suggestions = if value.is_undefined() {
                    None
                } else {
                    Some(suggestions(&value)?)
                };
                continue;
            }
            "fuzzyMatching" => &mut options.fuzzy_matching,
            "includeConfidence" => &mut options.include_confidence,
            "brief" => &mut options.brief,
            _ => {
                let known = "maxSuggestions, fuzzyMatching, includeConfidence and brief";
                return Err(Failure::bad_option(format!(
                    "there is no option `{key}`; there are {known}"
                )));
            }
        };
        if !value.is_undefined() {
            let given = value.as_bool();
            *slot = Some(given.ok_or_else(|| {
                Failure::bad_option(format!("`{key}` is {}; give true or false", kind(&value)))
            })?);
        }
    }
    Ok(options.into())
}

fn suggestions(value: &JsValue) -> Result<u32, Failure> {
    let range = format!("a whole number from 1 to {}", Options::MAX_SUGGESTIONS);
    let number = value.as_f64().ok_or_else(|| {
        Failure::bad_option(format!("`maxSuggestions` is {}; give {range}", kind(value)))
    })?;
    if number.fract() == 0.0 && (1..=Options::MAX_SUGGESTIONS).contains(&(number as usize)) {
        Ok(number as u32)
    } else {
        // as JavaScript writes it: the code that writes floats would be in the module for this alone
        let number = js_sys::Number::from(number).to_string_with_radix(10);
        let number = number.map(String::from).unwrap_or_default();
        Err(Failure::bad_option(format!(
            "`maxSuggestions` is {number}; give {range}"
        )))
    }
}
