//! titledex as a Python module: titles go in as strings or Arrow columns, answers come out as JSON
//! or as Arrow struct arrays.
//!
//! The package `titledex` (`python/titledex`) wraps this and documents it; nothing else calls it.

mod batch;
mod columns;
mod dicts;
mod failure;
mod lines;
mod reader;
mod schema;
mod titles;

use arrow_array::{Array, ArrayRef, StringArray};
use arrow_schema::{DataType, Field, FieldRef};
use columns::{Column, Detail, Takes};
use dicts::{Made, Texts};
use failure::Failure;
use lines::Lines;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use pyo3_arrow::PyChunkedArray;
use reader::Reader;
use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use titledex::{Options, Scratch};
use titles::Titles;

/// Reads titles and matches them with the cards of one catalogue. Shared by threads.
#[pyclass(frozen, module = "titledex._native")]
struct Matcher {
    reader: Reader,
    options: Options,
}

#[pymethods]
impl Matcher {
    #[new]
    fn new(
        py: Python<'_>,
        catalogue: Option<PathBuf>,
        mmap: bool,
        max_suggestions: usize,
        fuzzy: bool,
        confidence: bool,
        games: Vec<String>,
    ) -> PyResult<Self> {
        let reader = py.detach(|| match &catalogue {
            Some(path) => Reader::open(path, mmap, &games),
            None => Reader::embedded(&games),
        })?;
        Ok(Self {
            reader,
            options: Options::new()
                .max_suggestions(max_suggestions)
                .fuzzy(fuzzy)
                .confidence(confidence),
        })
    }

    /// The contents of the catalogue, as JSON.
    fn info(&self) -> String {
        self.reader.info()
    }

    /// The answers as dicts; `None` stays `None`.
    fn dicts(
        &self,
        py: Python<'_>,
        titles: &Bound<'_, PyAny>,
        threads: usize,
        brief: bool,
    ) -> PyResult<Py<PyList>> {
        let options = self.options.clone().brief(brief);
        let titles = Titles::of(titles)?;
        let answers = nones(py, titles.len())?;
        let read = |scratch: &mut Scratch, range: Range<usize>| {
            range
                .map(|at| titles.answer(at, self.reader.engine(), scratch, &options))
                .collect::<Vec<_>>()
        };
        batch::run(
            py,
            titles.len(),
            MOST_ANSWERS,
            threads,
            || Texts::of(titles.len()),
            read,
            |py, texts, range, made| {
                let answers = answers.bind(py);
                for (at, answer) in range.zip(made) {
                    if let Some(answer) = answer {
                        answers.set_item(at, answer.made(py, texts)?)?;
                    }
                }
                Ok(())
            },
        )?;
        Ok(answers)
    }

    /// The answers as JSON; `None` stays `None`.
    fn json(
        &self,
        py: Python<'_>,
        titles: &Bound<'_, PyAny>,
        threads: usize,
        brief: bool,
    ) -> PyResult<Py<PyList>> {
        let options = self.options.clone().brief(brief);
        let titles = Titles::of(titles)?;
        let answers = nones(py, titles.len())?;
        batch::run(
            py,
            titles.len(),
            MOST_ANSWERS,
            threads,
            || (),
            |scratch: &mut Scratch, range| {
                self.lines(&titles, scratch, range, &options, lines::MOST)
            },
            |py, (), range, lines| {
                let (answers, lines) = (answers.bind(py), lines?);
                for (at, line) in range.zip(lines.iter().flatten()) {
                    if let Some(line) = line {
                        answers.set_item(at, PyString::new(py, line))?;
                    }
                }
                Ok(())
            },
        )?;
        Ok(answers)
    }

    /// The answers as JSON, in chunks of an Arrow array of text, each of at most `chunk_bytes` bytes
    /// or one line. Null for a null.
    #[pyo3(signature = (titles, threads, brief, chunk_bytes = lines::MOST))]
    fn arrow_json(
        &self,
        py: Python<'_>,
        titles: &Bound<'_, PyAny>,
        threads: usize,
        brief: bool,
        chunk_bytes: usize,
    ) -> PyResult<PyChunkedArray> {
        let options = self.options.clone().brief(brief);
        let titles = Titles::of(titles)?;
        let read = |scratch: &mut Scratch, range: Range<usize>| {
            let lines = self.lines(&titles, scratch, range, &options, chunk_bytes)?;
            let array = |lines| Arc::new(lines) as ArrayRef;
            Ok(lines.into_iter().map(array).collect())
        };
        let chunks = batch::chunks(py, titles.len(), threads, read)?;
        PyChunkedArray::try_new(chunks, answer_field(DataType::Utf8))
    }

    /// The answers as chunks of an Arrow struct array. Null for a null.
    fn arrow(
        &self,
        py: Python<'_>,
        titles: &Bound<'_, PyAny>,
        threads: usize,
        brief: bool,
    ) -> PyResult<PyChunkedArray> {
        let detail = detail(brief);
        let options = self.options.clone().brief(brief);
        let titles = Titles::of(titles)?;
        let read = |scratch: &mut Scratch, range: Range<usize>| {
            let mut columns = schema::columns(detail);
            for at in range {
                columns.give(
                    titles
                        .answer(at, self.reader.engine(), scratch, &options)
                        .as_ref(),
                );
            }
            Ok(columns.finish().into_iter().collect())
        };
        let chunks = batch::chunks(py, titles.len(), threads, read)?;
        PyChunkedArray::try_new(chunks, field(detail))
    }
}

impl Matcher {
    /// The answers to a range of titles as JSON, in arrays of at most `most` bytes; null for a null.
    fn lines(
        &self,
        titles: &Titles,
        scratch: &mut Scratch,
        range: Range<usize>,
        options: &Options,
        most: usize,
    ) -> Result<Vec<StringArray>, Failure> {
        let mut lines = Lines::for_titles(range.len(), most);
        for at in range {
            let answer = titles.answer(at, self.reader.engine(), scratch, options);
            lines.push(answer.as_ref())?;
        }
        lines.finish()
    }
}

/// The most answers that wait together to become dicts or strings: one takes a few kilobytes, and what
/// is read soon after it was written is still near the processor.
const MOST_ANSWERS: usize = 256;

/// A list of Nones.
fn nones(py: Python<'_>, len: usize) -> PyResult<Py<PyList>> {
    Ok(PyList::new(py, (0..len).map(|_| py.None()))?.unbind())
}

fn detail(brief: bool) -> Detail {
    if brief { Detail::Brief } else { Detail::Full }
}

/// The field of answers as structs.
fn field(detail: Detail) -> FieldRef {
    let kind = schema::columns(detail)
        .finish()
        .map(|array| array.data_type().clone());
    answer_field(kind.unwrap_or(DataType::Null))
}

/// A field of answers, which says the version of their schema.
fn answer_field(kind: DataType) -> FieldRef {
    let version = HashMap::from([("titledex.schema".to_owned(), schema::VERSION.to_string())]);
    Arc::new(Field::new("answer", kind, true).with_metadata(version))
}

/// An array of no answers, for its type.
#[pyfunction]
fn empty(brief: bool) -> PyResult<PyChunkedArray> {
    PyChunkedArray::try_new(Vec::new(), field(detail(brief)))
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Matcher>()?;
    module.add_function(wrap_pyfunction!(empty, module)?)?;
    module.add("SCHEMA_VERSION", schema::VERSION)?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add("MAX_SUGGESTIONS", titledex::Options::MAX_SUGGESTIONS)?;
    module.add("MAX_TITLE_BYTES", titledex::MAX_TITLE_BYTES)
}
