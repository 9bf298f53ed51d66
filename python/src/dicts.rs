//! Answers as Python has them: what `json.loads` makes of the line of JSON, in the same order and
//! with the same numbers, without the line.

use crate::columns::decimal;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString};
use std::borrow::Cow;
use titledex::GradeValue;

/// Longer texts are titles and the like, which hardly recur.
const LONGEST: usize = 48;
/// The most texts that are kept.
const PLACES: usize = 4096;
/// Texts in a typical answer: a few titles need no more places than they can fill.
const AN_ANSWER: usize = 16;

/// Texts that were made lately: notes, sets, rarities come again with every other title, and a
/// string that Python has costs no memory.
pub(crate) struct Texts(Vec<Option<(Box<str>, Py<PyString>)>>);

impl Texts {
    /// An empty cache, with places for the texts of this many answers.
    pub(crate) fn of(answers: usize) -> Self {
        Self(
            (0..answers.clamp(1, PLACES / AN_ANSWER) * AN_ANSWER)
                .map(|_| None)
                .collect(),
        )
    }

    fn get<'py>(&mut self, py: Python<'py>, text: &str) -> Bound<'py, PyString> {
        if text.len() > LONGEST {
            return PyString::new(py, text);
        }
        let places = self.0.len();
        let place = &mut self.0[place(text) % places];
        match place {
            Some((held, made)) if **held == *text => made.bind(py).clone(),
            _ => {
                let made = PyString::new(py, text);
                *place = Some((text.into(), made.clone().unbind()));
                made
            }
        }
    }
}

/// Hash of a text, taken over words of eight bytes. Its remainder is the text's place.
fn place(text: &str) -> usize {
    let mut hash = text.len() as u64;
    for piece in text.as_bytes().chunks(8) {
        let mut word = [0; 8];
        word[..piece.len()].copy_from_slice(piece);
        hash = (hash ^ u64::from_le_bytes(word))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29);
    }
    hash as usize
}

/// A value that becomes a Python object.
pub(crate) trait Made {
    /// The object.
    fn made<'py>(self, py: Python<'py>, texts: &mut Texts) -> PyResult<Bound<'py, PyAny>>;
}

impl Made for &str {
    fn made<'py>(self, py: Python<'py>, texts: &mut Texts) -> PyResult<Bound<'py, PyAny>> {
        Ok(texts.get(py, self).into_any())
    }
}

impl Made for &titledex::Field {
    fn made<'py>(self, py: Python<'py>, texts: &mut Texts) -> PyResult<Bound<'py, PyAny>> {
        self.as_str().made(py, texts)
    }
}

impl Made for &Cow<'_, str> {
    fn made<'py>(self, py: Python<'py>, texts: &mut Texts) -> PyResult<Bound<'py, PyAny>> {
        (**self).made(py, texts)
    }
}

impl Made for f32 {
    fn made<'py>(self, py: Python<'py>, _: &mut Texts) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyFloat::new(py, decimal(self)).into_any())
    }
}

impl Made for bool {
    fn made<'py>(self, py: Python<'py>, _: &mut Texts) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyBool::new(py, self).to_owned().into_any())
    }
}

impl Made for u32 {
    fn made<'py>(self, py: Python<'py>, _: &mut Texts) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyInt::new(py, self).into_any())
    }
}

impl Made for GradeValue {
    fn made<'py>(self, py: Python<'py>, texts: &mut Texts) -> PyResult<Bound<'py, PyAny>> {
        let halves = self.halves();
        if halves.is_multiple_of(2) {
            u32::from(halves / 2).made(py, texts)
        } else {
            (f32::from(halves) / 2.0).made(py, texts)
        }
    }
}

impl<'v, V> Made for &'v [V]
where
    &'v V: Made,
{
    fn made<'py>(self, py: Python<'py>, texts: &mut Texts) -> PyResult<Bound<'py, PyAny>> {
        let items = self
            .iter()
            .map(|item| item.made(py, texts))
            .collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(py, items)?.into_any())
    }
}
