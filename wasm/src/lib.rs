//! titledex as a WebAssembly module: a catalogue's bytes and listing titles go in, the answers of
//! `titledex parse` come out.
//!
//! The npm package (`wasm/package`) wraps this module; its class `TitleDex` holds a `Reader`.
//!
//! Spans count UTF-8 bytes of `title` in the answer, as on every surface. A JavaScript string may
//! hold lone surrogates, which UTF-8 cannot express: each is read, and appears in the answer, as
//! U+FFFD.

mod failure;
mod options;
mod reader;

use failure::Failure;
use js_sys::{ArrayBuffer, JsString, Uint8Array};
use reader::Reader;
use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};

/// Reads titles and matches them with the cards of one catalogue.
///
/// It holds its own copy of the catalogue until `free()`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Dex {
    reader: Reader,
}

#[wasm_bindgen]
impl Dex {
    /// Opens a catalogue: an index that `titledex catalogue build` wrote.
    ///
    /// # Errors
    /// An `Error` with the `code` `not_a_catalogue`, `version` or `corrupt`, or `bad_argument` if
    /// they are not bytes.
    pub fn open(bytes: &JsValue) -> Result<Dex, js_sys::Error> {
        Ok(Dex {
            reader: Reader::open(bytes_of(bytes)?).map_err(Failure::from)?,
        })
    }

    /// Opens several catalogues as one, each of other cards.
    ///
    /// # Errors
    /// As `open`; and with the `code` `bad_argument` if two have the same card.
    #[cfg(feature = "games")]
    #[wasm_bindgen(js_name = openAll)]
    pub fn open_all(catalogues: Vec<JsValue>) -> Result<Dex, js_sys::Error> {
        let parts = catalogues.iter().map(bytes_of);
        let parts: Vec<Vec<u8>> = parts.collect::<Result<_, Failure>>()?;
        Ok(Dex {
            reader: Reader::open_all(parts).map_err(Failure::from)?,
        })
    }

    /// The answer to a title, as the line that `titledex parse` writes, without its end.
    ///
    /// # Errors
    /// An `Error` with the `code` `bad_option` or `bad_argument`; every string has an answer.
    pub fn parse(&mut self, title: &JsValue, options: &JsValue) -> Result<JsString, js_sys::Error> {
        let text = title
            .as_string()
            .ok_or_else(|| Failure::bad_argument("title", "a string", title))?;
        let options = options::read(options)?;
        Ok(self.reader.line(&text, &options).into())
    }

    /// The answers to titles, as the text of a JSON array: one crossing and one parse for a page of
    /// them.
    ///
    /// # Errors
    /// As `parse`.
    #[wasm_bindgen(js_name = parseBatch)]
    pub fn parse_batch(
        &mut self,
        titles: Vec<JsValue>,
        options: &JsValue,
    ) -> Result<JsString, js_sys::Error> {
        let options = options::read(options)?;
        self.reader.begin();
        for title in &titles {
            let text = title
                .as_string()
                .ok_or_else(|| Failure::bad_argument("titles", "strings alone", title))?;
            self.reader.add(&text, &options);
        }
        Ok(self.reader.end().into())
    }

    /// The contents of the catalogue, as JSON.
    #[must_use]
    pub fn info(&self) -> JsString {
        self.reader.info().into()
    }
}

/// The bytes of an argument. Copied by hand: as a `&[u8]` parameter they would lie in the module's
/// memory twice, and that memory never shrinks.
fn bytes_of(bytes: &JsValue) -> Result<Vec<u8>, Failure> {
    match (
        bytes.dyn_ref::<Uint8Array>(),
        bytes.dyn_ref::<ArrayBuffer>(),
    ) {
        (Some(view), _) => Ok(view.to_vec()),
        (_, Some(buffer)) => Ok(Uint8Array::new(buffer).to_vec()),
        _ => Err(Failure::bad_argument(
            "catalogue",
            "its bytes, or where they are",
            bytes,
        )),
    }
}
