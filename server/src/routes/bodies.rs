//! The answers of parse-title.

use super::charging::Written;
use crate::error::{ApiError, ErrorBody};
use serde::Serialize;
use titledex::Answer;
use utoipa::ToSchema;

/// The answer to one title, or to a batch.
#[derive(Serialize, ToSchema)]
#[schema(as = ParseTitleAnswer)]
#[serde(untagged)]
pub(super) enum Answering<'t> {
    One(OneAnswer<'t>),
    Many(ManyAnswers<'t>),
}

/// The answer to one title.
#[derive(Serialize, ToSchema)]
pub(super) struct OneAnswer<'t> {
    /// What `titledex parse` prints for the title.
    #[schema(value_type = Answer<'static>)]
    pub(super) data: Written,
    pub(super) metadata: Metadata<'t>,
}

/// The answers to a batch.
#[derive(Serialize, ToSchema)]
pub(super) struct ManyAnswers<'t> {
    /// An answer or an error each, in the order of the titles.
    #[schema(value_type = Vec<Item<'static>>)]
    pub(super) data: Written,
    pub(super) metadata: Metadata<'t>,
}

/// What a title of a batch is answered by.
#[derive(ToSchema)]
#[schema(as = ParseTitleItem)]
#[serde(untagged)]
pub(super) enum Item<'t> {
    Answer(Box<Answer<'t>>),
    Error(ErrorBody<'t>),
}

impl<'t> Item<'t> {
    /// The item of a title that was refused.
    pub(super) fn refused(error: &'t ApiError) -> Self {
        Self::Error(error.body(None))
    }

    /// Writes the item by the core's own writer, which is faster than serde's.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Answer(answer) => answer.write_json(out),
            // writing to memory does not fail
            Self::Error(error) => drop(serde_json::to_writer(out, error)),
        }
    }
}

/// What answered, and what it cost.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Metadata<'t> {
    /// Name and checksum of the catalogue.
    pub(super) catalogue_version: &'t str,
    /// Version of the reader.
    pub(super) core_version: &'static str,
    /// Titles of the batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) count: Option<usize>,
    /// How many of them were not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) errors: Option<usize>,
    pub(super) api_calls_consumed: Consumed,
}

/// Credits.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Consumed {
    /// All of them.
    #[schema(minimum = 0)]
    pub(super) total: i64,
    pub(super) breakdown: Breakdown,
    /// What a title costs.
    #[schema(minimum = 0)]
    pub(super) cost_per_title: i64,
}

/// What the credits were for.
#[derive(Serialize, ToSchema)]
pub(super) struct Breakdown {
    /// Titles that were read.
    #[schema(minimum = 0)]
    pub(super) titles: i64,
}
