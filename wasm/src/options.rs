//! The options of a call: a JavaScript object of which every property is known and has the right type.

use crate::failure::{Failure, kind};
use js_sys::{Array, Object, Reflect};
use titledex::Options;
use wasm_bindgen::{JsCast, JsValue};

/// The most cards that a caller may ask for, as on the command line: further ones have no probability worth showing.
const MOST_SUGGESTIONS: u32 = 50;

/// Reads `given`; what is not there, or `undefined`, is as the core has it.
pub(crate) fn read(given: &JsValue) -> Result<Options, Failure> {
    let mut options = Options::default();
    if given.is_undefined() {
        return Ok(options);
    }
    if !given.is_object() || Array::is_array(given) {
        return Err(Failure::bad_option(format!("the options are {}; give an object such as {{maxSuggestions: 3}}", kind(given))));
    }
    for key in Object::keys(given.unchecked_ref::<Object>()).iter() {
        let value = Reflect::get(given, &key);
        let key = key.as_string().unwrap_or_default();
        let value = value.map_err(|_| Failure::bad_option(format!("`{key}` throws when it is read; give a plain object")))?;
        let slot = match key.as_str() {
            "maxSuggestions" => {
                if !value.is_undefined() {
                    options.max_suggestions = suggestions(&value)?;
                }
                continue;
            }
            "fuzzyMatching" => &mut options.fuzzy,
            "includeConfidence" => &mut options.confidence,
            _ => {
                let known = "maxSuggestions, fuzzyMatching and includeConfidence";
                return Err(Failure::bad_option(format!("there is no option `{key}`; there are {known}")));
            }
        };
        if !value.is_undefined() {
            *slot = value.as_bool().ok_or_else(|| Failure::bad_option(format!("`{key}` is {}; give true or false", kind(&value))))?;
        }
    }
    Ok(options)
}

fn suggestions(value: &JsValue) -> Result<usize, Failure> {
    let range = format!("a whole number from 1 to {MOST_SUGGESTIONS}");
    let number = value.as_f64().ok_or_else(|| Failure::bad_option(format!("`maxSuggestions` is {}; give {range}", kind(value))))?;
    if number.fract() == 0.0 && (1.0..=f64::from(MOST_SUGGESTIONS)).contains(&number) {
        Ok(number as usize)
    } else {
        Err(Failure::bad_option(format!("`maxSuggestions` is {number}; give {range}")))
    }
}
