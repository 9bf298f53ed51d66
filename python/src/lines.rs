//! [`Lines`]: answers as JSON, one after another in one buffer, as Arrow arrays of text hold them.

use crate::failure::Failure;
use arrow_array::StringArray;
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use titledex::Answer;

/// Bytes of an array's lines: Arrow counts them in 31 bits, and what reads arrays (Spark, a file of
/// Parquet) may add to them.
pub(crate) const MOST: usize = 1 << 30;

/// The JSON of some answers, and nulls.
pub(crate) struct Lines {
    /// The array that would have more bytes ends before the line that is too much.
    most: usize,
    ended: Vec<StringArray>,
    text: Vec<u8>,
    /// Where each line of `text` ends, with a zero before the first.
    ends: Vec<usize>,
    there: NullBufferBuilder,
}

impl Lines {
    /// No line yet; room for the ends of so many, in arrays of at most `most` bytes.
    pub(crate) fn for_titles(len: usize, most: usize) -> Self {
        let mut ends = Vec::with_capacity(len + 1);
        ends.push(0);
        Self {
            most,
            ended: Vec::new(),
            text: Vec::new(),
            ends,
            there: NullBufferBuilder::new(len),
        }
    }

    /// Adds the line of an answer, or a null.
    ///
    /// # Errors
    /// As [`Lines::finish`].
    pub(crate) fn push(&mut self, answer: Option<&Answer<'_>>) -> Result<(), Failure> {
        if let Some(answer) = answer {
            let before = self.text.len();
            answer.write_json(&mut self.text);
            if self.text.len() > self.most && self.ends.len() > 1 {
                let line = self.text.split_off(before);
                self.end_array()?;
                self.text = line;
            }
        }
        self.there.append(answer.is_some());
        self.ends.push(self.text.len());
        Ok(())
    }

    /// The arrays of what was added, in its order.
    ///
    /// # Errors
    /// `internal`, if a line is no UTF-8, or so long that Arrow cannot count it: a title that is
    /// read has at most [`titledex::MAX_TITLE_BYTES`], and its answer some forty times as many.
    pub(crate) fn finish(mut self) -> Result<Vec<StringArray>, Failure> {
        if self.ends.len() > 1 {
            self.end_array()?;
        }
        Ok(self.ended)
    }

    /// Makes an array of the lines since the last one.
    fn end_array(&mut self) -> Result<(), Failure> {
        let text = std::mem::take(&mut self.text);
        let ends: Result<Vec<i32>, _> = self.ends.iter().map(|end| i32::try_from(*end)).collect();
        self.ends.truncate(1);
        let ends =
            ends.map_err(|_| Failure::internal("a line of JSON is too long for a column"))?;
        let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
        let array = StringArray::try_new(offsets, text.into(), self.there.finish())
            .map_err(|_| Failure::internal("the lines of JSON are no column of text"))?;
        self.ended.push(array);
        Ok(())
    }
}
