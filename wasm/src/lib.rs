//! titledex as a WebAssembly module: a catalogue's bytes and listing titles go in, the answers of
//! `titledex parse` come out.
//!
//! The npm package (`wasm/package`) wraps this module; its class `TitleDex` holds a `Reader`.
//!
//! Spans count UTF-8 bytes of `title` in the answer, as on every surface. A JavaScript string may
//! hold lone surrogates, which UTF-8 cannot express: each is read, and appears in the answer, as
//! U+FFFD, and `error` notes the first.

mod failure;
mod options;
mod reader;
mod tape;
mod title;

use failure::Failure;
use js_sys::{ArrayBuffer, JsString, Uint8Array};
use reader::Reader;
use title::Title;
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
    pub fn line(&mut self, title: &JsValue, options: &JsValue) -> Result<JsString, js_sys::Error> {
        let title = title_of(title, "title", "a string")?;
        let options = options::read(options)?;
        Ok(self.reader.line(&title, &options).into())
    }

    /// The answer to a title, for an object: the letters of its texts. Its numbers stand where
    /// `numbers` says, until the next call.
    ///
    /// # Errors
    /// As `line`.
    pub fn answer(
        &mut self,
        title: &JsValue,
        options: &JsValue,
    ) -> Result<JsString, js_sys::Error> {
        let title = title_of(title, "title", "a string")?;
        let options = options::read(options)?;
        self.reader.begin();
        self.reader.add(&title, &options);
        Ok(self.reader.tape().letters().into())
    }

    /// The answers to titles, as `answer` gives one, each behind the one before.
    ///
    /// # Errors
    /// As `line`.
    pub fn answers(
        &mut self,
        titles: Vec<JsValue>,
        options: &JsValue,
    ) -> Result<JsString, js_sys::Error> {
        let options = options::read(options)?;
        self.reader.begin();
        for title in &titles {
            let title = title_of(title, "titles", "strings alone")?;
            self.reader.add(&title, &options);
        }
        Ok(self.reader.tape().letters().into())
    }

    /// Where the numbers of the last answers begin in the module's memory, in bytes.
    #[must_use]
    pub fn numbers(&self) -> u32 {
        // an address of WebAssembly has 32 bits
        self.reader.tape().address() as u32
    }

    /// The contents of the catalogue, as JSON.
    #[must_use]
    pub fn info(&self) -> JsString {
        self.reader.info().into()
    }
}

/// The title that is an argument, which is called `name` and shall be `wanted`.
fn title_of(given: &JsValue, name: &str, wanted: &str) -> Result<Title, Failure> {
    let text = given.as_string();
    let text = text.ok_or_else(|| Failure::bad_argument(name, wanted, given))?;
    let units = || given.unchecked_ref::<JsString>().iter();
    Ok(Title::of(text, units))
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
