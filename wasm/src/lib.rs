//! titledex as a WebAssembly module: an index file's bytes and listing titles go in, the answers of `titledex parse` come out.
//!
//! ```js
//! const titledex = TitleDex.open(new Uint8Array(await (await fetch("titledex.index")).arrayBuffer()));
//! const answer = titledex.parse("1999 Pokemon Base Set Charizard 4/102 Holo PSA 9");
//! answer.matches[0].cardId; // "base1-4"
//! titledex.free();
//! ```
//!
//! Spans count UTF-8 bytes of `title` in the answer, as on every surface. A JavaScript string may hold lone surrogates, which no UTF-8
//! has: each is read, and stands in the answer, as U+FFFD.

mod failure;
mod options;
mod reader;

use failure::Failure;
use js_sys::{ArrayBuffer, JSON, Uint8Array};
use reader::Reader;
use serde::Serialize;
use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};

/// The types that the methods take, as TypeScript has them.
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What a caller may choose for a title. */
export interface ParseOptions {
  /** At most this many cards, 1 to 50; 5 where it is not given. */
  maxSuggestions?: number;
  /** Look for misspelt names where no name is read; true where it is not given. */
  fuzzyMatching?: boolean;
  /** Give probabilities, else they are 0; true where it is not given. */
  includeConfidence?: boolean;
}

/** What a catalogue holds. */
export interface CatalogueInfo {
  name: string;
  /** Version of the index format. */
  format: number;
  cards: number;
  sets: number;
  printings: number;
  /** Size of the index. */
  bytes: number;
}

/** Why a call failed, in `code` of the `Error` that it throws. */
export type ErrorCode = "not_an_index" | "version" | "corrupt" | "bad_argument" | "bad_option" | "internal";
"#;

/// Reads titles and matches them with the cards of one index.
///
/// It holds its own copy of the index until `free()`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct TitleDex {
    reader: Reader,
}

#[wasm_bindgen]
impl TitleDex {
    /// Opens an index that `titledex catalogue build` wrote, and checks its checksum; copies the bytes.
    ///
    /// # Errors
    /// An `Error` with the `code` `not_an_index`, `version` or `corrupt`, or `bad_argument` for what are no bytes.
    pub fn open(#[wasm_bindgen(unchecked_param_type = "Uint8Array | ArrayBuffer")] bytes: &JsValue) -> Result<TitleDex, js_sys::Error> {
        // Copied by hand: as a `&[u8]` parameter the index would lie in the module's memory twice, and that memory never shrinks.
        let bytes = match (bytes.dyn_ref::<Uint8Array>(), bytes.dyn_ref::<ArrayBuffer>()) {
            (Some(view), _) => view.to_vec(),
            (_, Some(buffer)) => Uint8Array::new(buffer).to_vec(),
            _ => return Err(Failure::bad_argument("bytes", "a Uint8Array", bytes).into()),
        };
        Ok(TitleDex { reader: Reader::open(bytes).map_err(Failure::from)? })
    }

    /// The answer to a title, as an object.
    ///
    /// # Errors
    /// An `Error` with the `code` `bad_option` or `bad_argument`; every string has an answer.
    pub fn parse(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] title: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "ParseOptions")] options: &JsValue,
    ) -> Result<JsValue, js_sys::Error> {
        object(&self.parse_json(title, options)?)
    }

    /// The answer to a title, as the line that `titledex parse` writes, without its end.
    ///
    /// # Errors
    /// As `parse`.
    #[wasm_bindgen(js_name = parseJson)]
    pub fn parse_json(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] title: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "ParseOptions")] options: &JsValue,
    ) -> Result<String, js_sys::Error> {
        let text = title.as_string().ok_or_else(|| Failure::bad_argument("title", "a string", title))?;
        let options = options::read(options)?;
        Ok(self.reader.line(&text, &options))
    }

    /// What the catalogue holds.
    ///
    /// # Errors
    /// None.
    #[wasm_bindgen(js_name = catalogueInfo, unchecked_return_type = "CatalogueInfo")]
    pub fn catalogue_info(&self) -> Result<JsValue, js_sys::Error> {
        object(&json(&self.reader.info()))
    }
}

/// `value` as JSON.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("string keys only, and memory takes it")
}

/// The object that JSON text of ours stands for. One parse by the engine of the page costs less than a call across for each field.
fn object(text: &str) -> Result<JsValue, js_sys::Error> {
    JSON::parse(text).map_err(|error| Failure::internal(&error).into())
}
