//! The bodies of parse-title as types: what [`super::titles`] reads, for the document, and what is written around answers.

use crate::error::ErrorBody;
use serde::Serialize;
use titledex::Answer;
use utoipa::ToSchema;

/// One title, or a batch.
#[derive(ToSchema)]
#[schema(as = ParseTitleBody)]
#[serde(untagged)]
#[allow(
    dead_code,
    reason = "the document alone is made of it: bodies are read by a reader that knows the place of each fault"
)]
pub(super) enum Asking {
    One(OneTitle),
    Many(ManyTitles),
}

/// One title.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "as above")]
pub(super) struct OneTitle {
    /// The title of a listing, at most 4,096 bytes of UTF-8.
    #[schema(min_length = 1, max_length = 4096, pattern = r"\S")]
    title: String,
    options: Option<ReadingOptions>,
}

/// A batch of titles.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "as above")]
pub(super) struct ManyTitles {
    /// Titles, as `title` each. What is no right title is answered by an error in its place, and not charged.
    #[schema(min_items = 1, max_items = 1000, value_type = Vec<serde_json::Value>)]
    titles: Vec<String>,
    options: Option<ReadingOptions>,
}

/// How titles are read.
#[derive(ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[allow(dead_code, reason = "as above")]
pub(super) struct ReadingOptions {
    /// Look for misspelt names.
    #[schema(default = true)]
    fuzzy_matching: Option<bool>,
    /// Matches at most.
    #[schema(default = 5, minimum = 1, maximum = 50)]
    max_suggestions: Option<i64>,
    /// Where false, all confidences are 0, and so is `notInCatalogue`.
    #[schema(default = true)]
    include_confidence: Option<bool>,
}

/// The answer to one title, or to a batch.
#[derive(ToSchema)]
#[schema(as = ParseTitleAnswer)]
#[serde(untagged)]
#[allow(
    dead_code,
    reason = "the document alone is made of it: answers are written by the core's own writer"
)]
pub(super) enum Answering<'t> {
    One(Box<OneAnswer<'t>>),
    Many(ManyAnswers<'t>),
}

/// The answer to one title.
#[derive(ToSchema)]
#[allow(dead_code, reason = "as above")]
pub(super) struct OneAnswer<'t> {
    /// What `titledex parse` prints for the title.
    data: Answer<'t>,
    metadata: Metadata<'t>,
}

/// The answers to a batch.
#[derive(ToSchema)]
#[allow(dead_code, reason = "as above")]
pub(super) struct ManyAnswers<'t> {
    /// An answer or an error each, in the order of the titles.
    data: Vec<Item<'t>>,
    metadata: Metadata<'t>,
}

/// What a title of a batch is answered by.
#[derive(ToSchema)]
#[schema(as = ParseTitleItem)]
#[serde(untagged)]
#[allow(dead_code, reason = "as above")]
pub(super) enum Item<'t> {
    Answer(Box<Answer<'t>>),
    Error(ErrorBody<'t>),
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
    /// Those of them that were not read.
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
