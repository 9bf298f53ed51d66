//! [`Titles`]: titles from Python, in a list of strings or in Arrow columns, without a copy.

use crate::failure::Failure;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString, PyTuple};
use pyo3_arrow::PyChunkedArray;
use pyo3_arrow::input::AnyArray;
use std::collections::HashMap;
use titledex::{Answer, Engine, Options, Scratch, TitleError};

/// Titles, each there or null.
pub(crate) enum Titles {
    /// Python's own strings.
    Strings(Vec<Option<Held>>),
    /// Arrow arrays, each with the number of titles before it; and the titles that are not UTF-8.
    Columns {
        chunks: Vec<(usize, Chunk)>,
        len: usize,
        mended: HashMap<usize, Mended>,
    },
}

/// A Python string.
pub(crate) enum Held {
    /// As it is.
    Whole(PyBackedStr),
    /// It has surrogates, which UTF-8 has not.
    Mended(Mended),
}

/// Input that was not valid text: its reading as text, and the byte of the first fault.
pub(crate) struct Mended(String, Option<usize>);

/// An array of bytes. Titles from Arrow are taken as bytes, not as text, because no producer is
/// held to UTF-8 (Spark's strings may hold anything); reading them as such costs no copy.
pub(crate) enum Chunk {
    Binary(BinaryArray),
    Large(LargeBinaryArray),
    View(BinaryViewArray),
    /// Values that rows share, by their places among them: categories.
    Shared {
        places: Vec<usize>,
        nulls: Option<NullBuffer>,
        values: Box<Chunk>,
    },
    /// This many nulls.
    Nulls(usize),
}

impl Chunk {
    fn of(array: &ArrayRef) -> Result<Self, Failure> {
        Ok(match array.data_type() {
            DataType::Utf8 => Chunk::Binary(array.as_string::<i32>().clone().into()),
            DataType::LargeUtf8 => Chunk::Large(array.as_string::<i64>().clone().into()),
            DataType::Utf8View => Chunk::View(array.as_string_view().clone().to_binary_view()),
            DataType::Binary => Chunk::Binary(array.as_binary::<i32>().clone()),
            DataType::LargeBinary => Chunk::Large(array.as_binary::<i64>().clone()),
            DataType::BinaryView => Chunk::View(array.as_binary_view().clone()),
            DataType::Null => Chunk::Nulls(array.len()),
            DataType::Dictionary(..) => {
                let shared = array.as_any_dictionary();
                if shared.values().is_empty() {
                    return Ok(Chunk::Nulls(array.len()));
                }
                Chunk::Shared {
                    places: shared.normalized_keys(),
                    nulls: shared.keys().nulls().cloned(),
                    values: Box::new(Chunk::of(shared.values())?),
                }
            }
            other => {
                let known = "Utf8, LargeUtf8, Utf8View, one of the three kinds of bytes, or categories of them";
                return Err(Failure::bad_argument(format!(
                    "the titles are an Arrow column of {other}; cast it to {known}"
                )));
            }
        })
    }

    fn len(&self) -> usize {
        match self {
            Chunk::Binary(array) => array.len(),
            Chunk::Large(array) => array.len(),
            Chunk::View(array) => array.len(),
            Chunk::Shared { places, .. } => places.len(),
            Chunk::Nulls(len) => *len,
        }
    }

    fn get(&self, at: usize) -> Option<&[u8]> {
        match self {
            Chunk::Binary(array) => array.is_valid(at).then(|| array.value(at)),
            Chunk::Large(array) => array.is_valid(at).then(|| array.value(at)),
            Chunk::View(array) => array.is_valid(at).then(|| array.value(at)),
            Chunk::Shared {
                places,
                nulls,
                values,
            } => {
                let is_there = nulls.as_ref().is_none_or(|nulls| nulls.is_valid(at));
                is_there.then(|| values.get(places[at])).flatten()
            }
            Chunk::Nulls(_) => None,
        }
    }
}

impl Held {
    /// Holds a string of Python's.
    pub(crate) fn of(text: &Bound<'_, PyString>) -> PyResult<Self> {
        if text.to_str().is_ok() {
            return Ok(Held::Whole(text.extract()?));
        }
        let units: Bound<'_, PyBytes> = text
            .call_method1("encode", ("utf-16-le", "surrogatepass"))?
            .cast_into()?;
        let units = units
            .as_bytes()
            .chunks_exact(2)
            .map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
        let mut mended = String::new();
        let mut first = None;
        for unit in char::decode_utf16(units) {
            first = first.or_else(|| unit.is_err().then_some(mended.len()));
            mended.push(unit.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        // A surrogate pair is one character, not a fault.
        Ok(Held::Mended(Mended(mended, first)))
    }

    /// The text, and the first byte that was not valid text.
    fn read(&self) -> (&str, Option<usize>) {
        match self {
            Held::Whole(text) => (text, None),
            Held::Mended(Mended(text, at)) => (text, *at),
        }
    }
}

impl Titles {
    /// The titles in a list or tuple of `str` and `None`, or in anything that exports an Arrow
    /// array or a stream of them.
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(list) = given.cast::<PyList>() {
            return Self::strings(list.iter(), list.len());
        }
        if let Ok(tuple) = given.cast::<PyTuple>() {
            return Self::strings(tuple.iter(), tuple.len());
        }
        if !given.hasattr("__arrow_c_array__")? && !given.hasattr("__arrow_c_stream__")? {
            let kind = given.get_type().name()?;
            let known = "a list of str, or a pyarrow Array, a polars or pandas Series";
            return Err(
                Failure::bad_argument(format!("`titles` is of type {kind}; give {known}")).into(),
            );
        }
        let chunked = match chunked(given) {
            Ok(chunked) => chunked,
            // Ctrl-C
            Err(error) if !error.is_instance_of::<PyException>(given.py()) => return Err(error),
            Err(error) => return Self::values(given, &error),
        };
        let mut len = 0;
        let mut chunks = Vec::new();
        for array in chunked.chunks() {
            let chunk = Chunk::of(array)?;
            let before = len;
            len += chunk.len();
            if len > before {
                chunks.push((before, chunk));
            }
        }
        let mended = given.py().detach(|| mended(&chunks));
        Ok(Titles::Columns {
            chunks,
            len,
            mended,
        })
    }

    /// The titles of a column that Arrow cannot take for `reason`: objects of pandas among which are
    /// surrogates, or what is no text; nulls of Polars that have no type.
    fn values(given: &Bound<'_, PyAny>, reason: &PyErr) -> PyResult<Self> {
        let refused = |reason: &PyErr| {
            let message =
                format!("`titles` cannot be read as a column: {reason}; give a list of str");
            Failure::bad_argument(message)
        };
        let given = ["tolist", "to_list"]
            .into_iter()
            .find(|name| given.hasattr(*name).unwrap_or(false))
            .ok_or_else(|| refused(reason))
            .map(|name| given.call_method0(name))?
            .map_err(|error| refused(&error))?;
        let list = given.cast::<PyList>().map_err(|_| refused(reason))?;
        let known = list.iter().map(|item| {
            if is_missing(&item) {
                item.py().None().into_bound(item.py())
            } else {
                item
            }
        });
        Self::strings(known, list.len())
    }

    fn strings<'py>(items: impl Iterator<Item = Bound<'py, PyAny>>, len: usize) -> PyResult<Self> {
        let mut strings = Vec::with_capacity(len);
        for (at, item) in items.enumerate() {
            strings.push(if item.is_none() {
                None
            } else {
                let text = item.cast::<PyString>().map_err(|_| {
                    let kind = item
                        .get_type()
                        .name()
                        .map_or_else(|_| "something else".to_owned(), |name| name.to_string());
                    Failure::bad_argument(format!("title {at} is of type {kind}; give str or None"))
                })?;
                Some(Held::of(text)?)
            });
        }
        Ok(Titles::Strings(strings))
    }

    /// Number of titles.
    pub(crate) fn len(&self) -> usize {
        match self {
            Titles::Strings(strings) => strings.len(),
            Titles::Columns { len, .. } => *len,
        }
    }

    /// The title at `at` and its first byte that is not valid text; `None` for a null.
    fn get(&self, at: usize) -> Option<(&str, Option<usize>)> {
        match self {
            Titles::Strings(strings) => strings[at].as_ref().map(Held::read),
            Titles::Columns { chunks, mended, .. } => {
                let (before, chunk) =
                    &chunks[chunks.partition_point(|(before, _)| *before <= at) - 1];
                let bytes = chunk.get(at - before)?;
                Some(
                    std::str::from_utf8(bytes)
                        .map_or_else(|_| (&*mended[&at].0, mended[&at].1), |text| (text, None)),
                )
            }
        }
    }

    /// The answer to the title at `at`; `None` for a null.
    pub(crate) fn answer<'t>(
        &'t self,
        at: usize,
        engine: &'t Engine,
        scratch: &mut Scratch,
        options: &Options,
    ) -> Option<Answer<'t>> {
        let (text, bad) = self.get(at)?;
        let mut answer = engine.answer_with(scratch, text, options);
        if let (None, Some(at)) = (&answer.error, bad) {
            answer.error = Some(TitleError::new(
                "invalid_utf8",
                format!("byte {at} is not UTF-8; it was read as U+FFFD"),
            ));
        }
        Some(answer)
    }
}

/// The chunks of an object that exports Arrow's columns.
fn chunked(given: &Bound<'_, PyAny>) -> PyResult<PyChunkedArray> {
    Ok(given.extract::<AnyArray>()?.into_chunked_array()?)
}

/// Whether pandas takes an object for a missing value: NaN, `NA` or `NaT`.
fn is_missing(item: &Bound<'_, PyAny>) -> bool {
    let kind = item.get_type();
    let named = |name: &str| kind.name().is_ok_and(|own| own == name);
    let number = item.cast::<PyFloat>();
    number.is_ok_and(|number| number.value().is_nan()) || named("NAType") || named("NaTType")
}

/// The titles that are not UTF-8: found beforehand, so that answers may borrow from what they are
/// read as.
fn mended(chunks: &[(usize, Chunk)]) -> HashMap<usize, Mended> {
    let titles = chunks.iter().flat_map(|(before, chunk)| {
        (0..chunk.len()).map(move |at| (before + at, chunk.get(at).unwrap_or_default()))
    });
    let faulty = titles.filter_map(|(at, bytes)| {
        let error = std::str::from_utf8(bytes).err()?;
        Some((
            at,
            Mended(
                String::from_utf8_lossy(bytes).into_owned(),
                Some(error.valid_up_to()),
            ),
        ))
    });
    faulty.collect()
}
