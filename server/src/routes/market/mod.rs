//! What is known of cards, sets, sealed products and populations: `/api/v2/…` and the older `/api/v1/…`.

pub(crate) mod cards;
pub(crate) mod graded;
mod options;
pub(crate) mod population;
pub(crate) mod records;
pub(crate) mod sealed;
pub(crate) mod sets;
pub(crate) mod v1;

use crate::app::App;
use crate::error::ApiError;
use crate::parameters::Parameters;
use crate::store::market::{Language, SetRecord};
use axum::http::StatusCode;
use serde::Serialize;
use titledex::{Scratch, Within};
use utoipa::ToSchema;

/// Cards or products of a page, where the query does not say, and at most.
const PAGE: i64 = 20;
const MOST_PAGE: i64 = 100;
/// No query has an offset beyond this.
const MOST_OFFSET: i64 = 1_000_000;
/// Cards that a search finds at most.
const MOST_FOUND: usize = 1_000;

/// The parameter `language`; English where it is left out.
fn language(parameters: &Parameters) -> Result<Language, ApiError> {
    let languages = [Language::English, Language::Japanese];
    Ok(languages[parameters.word("language", &["english", "japanese"])?])
}

/// A part of a list.
#[derive(Clone, Copy, Debug)]
struct Page {
    limit: i64,
    offset: i64,
}

impl Page {
    fn of(parameters: &Parameters) -> Result<Self, ApiError> {
        let limit = parameters.whole("limit", 1..=MOST_PAGE)?.unwrap_or(PAGE);
        Ok(Self {
            limit,
            offset: parameters.whole("offset", 0..=MOST_OFFSET)?.unwrap_or(0),
        })
    }
}

/// By what cards are sorted.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(
    dead_code,
    reason = "the document alone is made of it: words are read by `Parameters::word`"
)]
pub(crate) enum SortByPrice {
    Price,
}

/// By what sets are sorted.
#[derive(Clone, Copy, Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub(crate) enum SortSets {
    ReleaseDate,
    Name,
}

/// In which order.
#[derive(Clone, Copy, Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub(crate) enum SortOrder {
    Desc,
    Asc,
}

/// What a list has, and what it cost.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListMetadata<C> {
    /// How many match, whatever the page.
    #[schema(minimum = 0)]
    total: i64,
    /// How many are in `data`.
    #[schema(minimum = 0)]
    count: usize,
    /// How many may be.
    #[schema(minimum = 1)]
    limit: i64,
    /// How many were passed over.
    #[schema(minimum = 0)]
    offset: i64,
    /// Whether there are more behind these.
    has_more: bool,
    /// The tree of the catalogue; left out where both were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<Language>,
    /// What it cost.
    api_calls_consumed: C,
}

impl<C> ListMetadata<C> {
    fn of(
        total: i64,
        count: usize,
        page: Page,
        language: Option<Language>,
        api_calls_consumed: C,
    ) -> Self {
        let has_more = page.offset + i64::try_from(count).unwrap_or(i64::MAX) < total;
        Self {
            total,
            count,
            limit: page.limit,
            offset: page.offset,
            has_more,
            language,
            api_calls_consumed,
        }
    }
}

/// A list with what is known of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Listed<T, C> {
    /// What matches, one page of it.
    pub(crate) data: T,
    pub(crate) metadata: ListMetadata<C>,
}

/// The set that `set` or `setId` names; none where neither is sent. Its tree is the query's.
///
/// # Errors
/// 400 where both are sent; 404 where there is no such set, with those that may be meant.
async fn set(
    app: &App,
    parameters: &Parameters,
    language: Language,
) -> Result<Option<SetRecord>, ApiError> {
    let (named, id) = (parameters.text("set")?, parameters.text("setId")?);
    match (named, id) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(conflict("set", "setId")),
        (None, Some(id)) => {
            let known = app.store.set(id).await?;
            known
                .map(Some)
                .ok_or_else(|| unknown_set(app, "setId", id, &[]))
        }
        (Some(named), None) => {
            let sets = app.store.sets(Some(language)).await?;
            match find_set(app, &sets, named) {
                Some(at) => Ok(sets.into_iter().nth(at)),
                None => Err(unknown_set(app, "set", named, &sets)),
            }
        }
    }
}

/// The place of the set that words name: by slug, id, name or code, else as titles name it.
fn find_set(app: &App, sets: &[SetRecord], words: &str) -> Option<usize> {
    let same = |text: &str| text.to_lowercase() == words.to_lowercase();
    let by = |is: &dyn Fn(&SetRecord) -> bool| sets.iter().position(is);
    by(&|set| same(&set.slug))
        .or_else(|| by(&|set| same(&set.id)))
        .or_else(|| by(&|set| same(&set.name)))
        .or_else(|| by(&|set| set.printed_name.as_deref().is_some_and(same)))
        .or_else(|| by(&|set| set.code.as_deref().is_some_and(same)))
        .or_else(|| {
            app.reader
                .now()
                .sets_named(words)
                .into_iter()
                .find_map(|id| by(&|set| set.id == id))
        })
}

fn unknown_set(app: &App, parameter: &str, words: &str, sets: &[SetRecord]) -> ApiError {
    let near: Vec<String> = app.reader.now().search_sets(words);
    let near: Vec<&str> = sets
        .iter()
        .filter(|set| near.contains(&set.id))
        .map(|set| set.slug.as_str())
        .take(3)
        .collect();
    let hint = if near.is_empty() {
        "/api/v2/sets lists them".to_owned()
    } else {
        format!("perhaps {}", near.join(", "))
    };
    let words: String = words.chars().take(40).collect();
    ApiError::new(
        StatusCode::NOT_FOUND,
        "unknown_set",
        format!("there is no set {words:?}: {hint}"),
    )
    .field(parameter)
}

fn conflict(one: &str, other: &str) -> ApiError {
    ApiError::bad(
        "conflicting_parameters",
        format!("{one} and {other} stand together: send one of them"),
    )
    .field(one)
}

/// The ids of the cards that a search means, best first.
fn found(app: &App, words: &str, language: Language, set: Option<&SetRecord>) -> Vec<String> {
    let sets = set.map(|set| [set.id.as_str()]);
    let mut within = Within::new()
        .asian(language == Language::Japanese)
        .most(MOST_FOUND);
    within.sets = sets.as_ref().map(|sets| &sets[..]);
    app.reader.now().search(words, &within)
}

impl crate::catalogue::Loaded {
    /// The ids of the cards that a search means, best first.
    pub(crate) fn search(&self, words: &str, within: &Within<'_>) -> Vec<String> {
        self.with_scratch(|engine, scratch| {
            engine
                .search(scratch, words, within)
                .into_iter()
                .map(str::to_owned)
                .collect()
        })
    }

    /// The ids of the sets that a search means, best first.
    pub(crate) fn search_sets(&self, words: &str) -> Vec<String> {
        self.with_scratch(|engine, scratch: &mut Scratch| {
            engine
                .search_sets(scratch, words)
                .into_iter()
                .map(str::to_owned)
                .collect()
        })
    }

    /// The ids of the sets that words name.
    pub(crate) fn sets_named(&self, words: &str) -> Vec<String> {
        self.with_scratch(|engine, _| {
            engine
                .sets_named(words)
                .into_iter()
                .map(str::to_owned)
                .collect()
        })
    }
}
