//! [`Lines`]: answers as JSON, one after another in one buffer, as an Arrow array of text holds them.

use crate::failure::Failure;
use arrow_array::StringArray;
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use titledex::Answer;

/// The JSON of some answers, and nulls.
pub(crate) struct Lines {
    text: Vec<u8>,
    /// Where each line ends, with a zero before the first.
    ends: Vec<usize>,
    there: NullBufferBuilder,
}

impl Lines {
    /// No line yet; room for the ends of so many.
    pub(crate) fn for_titles(len: usize) -> Self {
        let mut ends = Vec::with_capacity(len + 1);
        ends.push(0);
        Self {
            text: Vec::new(),
            ends,
            there: NullBufferBuilder::new(len),
        }
    }

    /// Adds the line of an answer, or a null.
    pub(crate) fn push(&mut self, answer: Option<&Answer<'_>>) {
        if let Some(answer) = answer {
            answer.write_json(&mut self.text);
        }
        self.there.append(answer.is_some());
        self.ends.push(self.text.len());
    }

    /// The array of what was added.
    ///
    /// # Errors
    /// `internal`, if a line is no UTF-8 or all of them are longer than Arrow can count, which
    /// `batch::MOST` answers are not.
    pub(crate) fn finish(mut self) -> Result<StringArray, Failure> {
        let broken = |_| Failure::internal("the lines of JSON are no column of text");
        let ends = self.ends.into_iter().map(i32::try_from);
        let ends: Vec<i32> = ends
            .collect::<Result<_, _>>()
            .map_err(|_| Failure::internal("the lines of JSON are too long for a column"))?;
        let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
        StringArray::try_new(offsets, self.text.into(), self.there.finish()).map_err(broken)
    }
}
