//! [`Asked`]: the body of parse-title, read strictly. An error names the member at fault and its
//! place.

use crate::body::{self, Fault};
use crate::error::ApiError;
use crate::misspelt;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use titledex::{MAX_TITLE_BYTES, Options, TitleError};
use utoipa::ToSchema;

/// Titles in one request.
pub const MOST_TITLES: usize = 1_000;

/// A title, or what is wrong with it.
pub type Title<'b> = Result<Cow<'b, str>, ApiError>;

/// One title, or a batch.
#[derive(Debug, ToSchema)]
#[schema(as = ParseTitleBody)]
#[serde(untagged)]
pub enum Asked<'b> {
    /// One title.
    One(OneTitle<'b>),
    /// A batch.
    Many(ManyTitles<'b>),
}

/// One title.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OneTitle<'b> {
    /// The title of a listing, at most 4,096 bytes of UTF-8.
    #[schema(min_length = 1, max_length = 4096, pattern = r"\S", value_type = String)]
    pub title: Cow<'b, str>,
    /// How titles are read. Members that are not known are ignored, unless they are known ones in
    /// another spelling; null is the same as none.
    #[schema(value_type = Option<ReadingOptions>)]
    pub options: Options,
}

/// A batch of titles.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ManyTitles<'b> {
    /// Titles, each as `title`. An invalid title gets an error in its place and is not charged.
    #[schema(min_items = 1, max_items = 1000, value_type = Vec<serde_json::Value>)]
    pub titles: Vec<Title<'b>>,
    /// How titles are read. Members that are not known are ignored, unless they are known ones in
    /// another spelling; null is the same as none.
    #[schema(value_type = Option<ReadingOptions>)]
    pub options: Options,
}

/// How titles are read. Members that are not known are ignored, unless they are known ones in
/// another spelling; null is the default.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReadingOptions {
    /// Look for misspelt names, sets and words.
    #[schema(default = true)]
    fuzzy_matching: Option<bool>,
    /// The most matches.
    #[serde(default, deserialize_with = "suggestions")]
    #[schema(default = 5, minimum = 1, maximum = 50)]
    max_suggestions: Option<i64>,
    /// If false, all confidences and `notInCatalogue` are 0.
    #[schema(default = true)]
    include_confidence: Option<bool>,
    /// If true, answers leave out how the title was read and weighed: spans, alternatives, unread
    /// words, printings other than the likeliest and evidence are empty.
    #[schema(default = false)]
    brief: Option<bool>,
}

impl From<ReadingOptions> for Options {
    fn from(read: ReadingOptions) -> Self {
        let mut options = Self::default();
        options.fuzzy = read.fuzzy_matching.unwrap_or(options.fuzzy);
        options.confidence = read.include_confidence.unwrap_or(options.confidence);
        options.brief = read.brief.unwrap_or(options.brief);
        if let Some(most) = read
            .max_suggestions
            .and_then(|most| usize::try_from(most).ok())
        {
            options.max_suggestions = most;
        }
        options
    }
}

/// The members of a body, before it is known whether it is one title or a batch.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Members<'b> {
    #[serde(borrow, default, deserialize_with = "body::stated")]
    title: Option<Text<'b>>,
    #[serde(borrow, default, deserialize_with = "batch")]
    titles: Option<Items<'b>>,
    #[serde(default, deserialize_with = "options")]
    options: ReadingOptions,
}

/// The items of a batch.
struct Items<'b> {
    /// `None` for one that is no string.
    titles: Vec<Option<Cow<'b, str>>>,
    /// The first that looks like a string but is not valid: it has half of a surrogate pair.
    broken: Option<Broken<'b>>,
}

/// An item that is not JSON, though what is around it is.
struct Broken<'b> {
    index: usize,
    text: &'b str,
    error: serde_json::Error,
}

impl Broken<'_> {
    fn refused(&self, body: &[u8]) -> ApiError {
        let said = self.error.to_string();
        let said = said.split(" at line ").next().unwrap_or_default();
        let before = self.text.as_ptr().addr() - body.as_ptr().addr();
        let (line, column) = body::place(body, before + self.error.column().max(1) - 1);
        let message = format!("the body is not JSON at line {line}, column {column}: {said}");
        ApiError::bad("invalid_json", message)
            .field(format!("titles[{}]", self.index))
            .at(line, column)
    }
}

/// A string, borrowed if it has no escapes.
#[derive(Deserialize)]
struct Text<'b>(#[serde(borrow)] Cow<'b, str>);

/// Reads a body.
///
/// # Errors
/// 400 with code, field and place.
pub fn read(body: &[u8]) -> Result<Asked<'_>, ApiError> {
    let members: Members<'_> =
        body::read_object(body, "an object with a title").map_err(|fault| fault.in_title_body())?;
    let options = Options::from(members.options);
    match (members.title, members.titles) {
        (Some(_), Some(_)) => Err(ApiError::bad(
            "title_and_titles",
            "the body has both title and titles: send one of them",
        )
        .field("titles")),
        (None, None) => Err(ApiError::bad(
            "missing_title",
            "the body has no title: send {\"title\": \"…\"}",
        )
        .field("title")),
        (Some(Text(title)), None) => Ok(Asked::One(OneTitle {
            title: check(title, "title")?,
            options,
        })),
        (
            None,
            Some(Items {
                broken: Some(broken),
                ..
            }),
        ) => Err(broken.refused(body)),
        (None, Some(Items { titles, .. })) if titles.is_empty() => Err(ApiError::bad(
            "empty_titles",
            format!("titles is empty: send 1 to {MOST_TITLES}"),
        )
        .field("titles")),
        (None, Some(Items { titles, .. })) => {
            let titles = titles.into_iter().enumerate().map(|(at, title)| {
                let field = || format!("titles[{at}]");
                match title {
                    Some(title) if is_right(&title) => Ok(title),
                    Some(title) => check(title, &field()),
                    None => Err(ApiError::bad(
                        "wrong_type",
                        "this title is not a string: send text",
                    )
                    .field(field())),
                }
            });
            let titles = titles.collect();
            Ok(Asked::Many(ManyTitles { titles, options }))
        }
    }
}

fn is_right(title: &str) -> bool {
    title.len() <= MAX_TITLE_BYTES && !title.trim().is_empty()
}

fn check<'b>(title: Cow<'b, str>, field: &str) -> Title<'b> {
    if is_right(&title) {
        return Ok(title);
    }
    if title.len() > MAX_TITLE_BYTES {
        return Err(ApiError::bad(
            "title_too_long",
            TitleError::too_long(title.len() as u64).message,
        )
        .field(field));
    }
    Err(ApiError::bad(
        "empty_title",
        "the title is empty: send the text of a listing's title",
    )
    .field(field))
}

impl Fault {
    /// The error of a body of titles.
    fn in_title_body(self) -> ApiError {
        match self {
            Self::Syntax(refused) => refused,
            Self::Unknown { field, known, at } => {
                let field: String = field.chars().take(64).collect();
                let message = format!(
                    "unknown member {field:?}: known are {known}, and names are case-sensitive"
                );
                ApiError::bad("unknown_option", message)
                    .field(field)
                    .at(at.0, at.1)
            }
            Self::Twice { field, at } => {
                let message = format!("{field:?} appears twice: send it once");
                ApiError::bad("duplicate_member", message)
                    .field(field)
                    .at(at.0, at.1)
            }
            Self::Coded {
                code,
                field,
                message,
                at,
            } => ApiError::bad(code, message).field(field).at(at.0, at.1),
            Self::Other { field, message, at } => {
                let message = message
                    .replace("invalid type: ", "the type is wrong: ")
                    .replace("invalid value: ", "the value is wrong: ");
                let refused = ApiError::bad("wrong_type", format!("{message}: correct the body"));
                match field {
                    Some(field) => refused.field(field),
                    None => refused,
                }
                .at(at.0, at.1)
            }
        }
    }
}

/// Options, or null for the default ones.
fn options<'b, D: Deserializer<'b>>(from: D) -> Result<ReadingOptions, D::Error> {
    from.deserialize_option(Nullable)
}

struct Nullable;

impl<'b> Visitor<'b> for Nullable {
    type Value = ReadingOptions;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<ReadingOptions, E> {
        Ok(ReadingOptions::default())
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<ReadingOptions, E> {
        Ok(ReadingOptions::default())
    }

    fn visit_some<D: Deserializer<'b>>(self, from: D) -> Result<ReadingOptions, D::Error> {
        from.deserialize_map(self)
    }

    fn visit_map<A: MapAccess<'b>>(self, members: A) -> Result<ReadingOptions, A::Error> {
        ReadingOptions::deserialize(misspelt::Members(members))
    }
}

/// `maxSuggestions`: a whole number within bounds, or null.
fn suggestions<'b, D: Deserializer<'b>>(from: D) -> Result<Option<i64>, D::Error> {
    struct Number(i64);
    impl<'b> Deserialize<'b> for Number {
        fn deserialize<D: Deserializer<'b>>(from: D) -> Result<Self, D::Error> {
            from.deserialize_any(body::Whole).map(Self)
        }
    }
    let Some(Number(most)) = Option::deserialize(from)? else {
        return Ok(None);
    };
    if usize::try_from(most).is_ok_and(|most| (1..=Options::MAX_SUGGESTIONS).contains(&most)) {
        return Ok(Some(most));
    }
    // a number that is far outside was rounded when it was read, so it is not repeated
    let outside = if most < 1 { "too small" } else { "too large" };
    Err(D::Error::custom(format_args!(
        "out_of_range: options.maxSuggestions is {outside}: send a whole number from 1 to {}",
        Options::MAX_SUGGESTIONS
    )))
}

/// The titles of a batch. An item that is no string becomes `None`, so that only it is refused.
fn batch<'b, D: Deserializer<'b>>(from: D) -> Result<Option<Items<'b>>, D::Error> {
    struct Batch;
    impl<'b> Visitor<'b> for Batch {
        type Value = Items<'b>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("an array of strings")
        }

        fn visit_seq<A: SeqAccess<'b>>(self, mut items: A) -> Result<Self::Value, A::Error> {
            let mut titles = Vec::new();
            let mut broken = None;
            while let Some(item) = items.next_element::<&RawValue>()? {
                if titles.len() == MOST_TITLES {
                    return Err(A::Error::custom(format_args!(
                        "too_many_titles: more than {MOST_TITLES} titles: send them in several requests"
                    )));
                }
                titles.push(if item.get().starts_with('"') {
                    match serde_json::from_str(item.get()) {
                        Ok(Text(title)) => Some(title),
                        Err(error) => {
                            let (index, text) = (titles.len(), item.get());
                            broken.get_or_insert(Broken { index, text, error });
                            None
                        }
                    }
                } else {
                    None
                });
            }
            Ok(Items { titles, broken })
        }
    }
    from.deserialize_seq(Batch).map(Some)
}
