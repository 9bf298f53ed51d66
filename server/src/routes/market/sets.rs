//! `GET /api/v2/sets`.

use super::records::SetShown;
use super::{
    GAME_PARAMETER, ListMetadata, Listed, Market, Page, SortOrder, SortSets, is_of, language,
};
use crate::auth::Holder;
use crate::credits::{Cost, Endpoint, Meter};
use crate::error::ApiError;
use crate::parameters::Parameters;
use crate::routes::charging::{afford, charge, json};
use crate::store::market::{Language, SetRecord};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::HashMap;
use utoipa::ToSchema;

/// Credits of a list of sets, however long.
const COST: i64 = 1;
/// Sets of a page: the default and the most.
const SETS: i64 = 100;
const MOST_SETS: i64 = 1_000;

/// Credits.
#[derive(Serialize, ToSchema)]
#[schema(as = SetCredits)]
pub(crate) struct Consumed {
    /// All of them.
    #[schema(minimum = 0)]
    total: i64,
}

/// What sets are sorted by, and in which order.
#[derive(Clone, Copy, Debug)]
pub(super) struct SetOrder {
    by: SortSets,
    order: SortOrder,
}

impl SetOrder {
    /// The parameters `sortBy` and `sortOrder`; by default the newest first.
    pub(super) fn of(parameters: &Parameters) -> Result<Self, ApiError> {
        let by = [SortSets::ReleaseDate, SortSets::Name]
            [parameters.word("sortBy", &["releaseDate", "name"])?];
        Ok(Self {
            by,
            order: [SortOrder::Desc, SortOrder::Asc]
                [parameters.word("sortOrder", &["desc", "asc"])?],
        })
    }

    /// Sorts sets. Those without a date come last, and equal ones keep the catalogue's order.
    pub(super) fn sort(self, sets: &mut [SetRecord]) {
        let turned = |order: Ordering| match self.order {
            SortOrder::Desc => order.reverse(),
            SortOrder::Asc => order,
        };
        match self.by {
            SortSets::Name => {
                sets.sort_by(|a, b| turned(a.name.to_lowercase().cmp(&b.name.to_lowercase())))
            }
            SortSets::ReleaseDate => sets.sort_by(|a, b| match (&a.released, &b.released) {
                (Some(a), Some(b)) => turned(a.cmp(b)),
                (a, b) => b.is_some().cmp(&a.is_some()),
            }),
        }
    }
}

/// Sets by language: that of most of their cards.
///
/// Where `search` is sent and `sortBy` is not, what fits best comes first. A request costs 1
/// credit.
#[utoipa::path(get, path = "/api/v2/sets", operation_id = "listSets", tag = "market",
    params(
        ("search" = Option<String>, Query, description = "Words of a name, series, alias or code, in any language, misspelt or incomplete; at most 20", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("series" = Option<String>, Query, description = "Sets of this series, as answers write it, in any case: `swsh`", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("sortBy" = inline(Option<SortSets>), Query, description = "What to sort by; `releaseDate` by default"),
        ("sortOrder" = inline(Option<SortOrder>), Query, description = "The order; `desc` by default"),
        ("limit" = Option<i64>, Query, description = "The most sets; 100 by default, 1,000 at most: more is cut to that", minimum = 1),
        ("offset" = Option<i64>, Query, description = "Sets to skip", minimum = 0, maximum = 1_000_000),
        ("game" = Option<String>, Query, description = GAME_PARAMETER, min_length = 1, max_length = 200),
        ("language" = Option<Language>, Query, description = "The language of the sets' cards; `english` by default"),
    ),
    responses((status = 200, description = "Sets", body = Listed<Vec<SetShown<'static>>, Consumed>)))]
pub(crate) async fn list(
    State(market): State<Market>,
    Holder { account, .. }: Holder,
    uri: Uri,
) -> Result<Response, ApiError> {
    afford(&market.ledger, &account, Meter::V2).await?;
    let parameters = Parameters::of(
        &uri,
        &[
            "search",
            "series",
            "sortBy",
            "sortOrder",
            "limit",
            "offset",
            "language",
            "game",
        ],
    )?;
    let search = parameters.search("search")?;
    let series = parameters.text("series")?.map(str::to_lowercase);
    let order = SetOrder::of(&parameters)?;
    let page = Page::within(&parameters, SETS, MOST_SETS)?;
    let language = language(&parameters)?;
    let games = market.games(&parameters).await?;
    let charge = charge(
        &market.ledger,
        &account,
        Endpoint::Sets,
        Cost {
            credits: COST,
            calls: 1,
        },
    )
    .await?;
    let mut sets = market.store.sets(Some(language)).await?;
    sets.retain(|set| is_of(games.as_deref(), &set.game));
    if let Some(series) = series {
        let same = |own: &String| own.to_lowercase() == series;
        sets.retain(|set| set.series.as_ref().is_some_and(same));
    }
    if let Some(words) = search {
        keep(&market, words, &mut sets);
    }
    if search.is_none() || parameters.any(&["sortBy", "sortOrder"]).is_some() {
        order.sort(&mut sets);
    }
    let total = i64::try_from(sets.len()).unwrap_or(i64::MAX);
    let of_page = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let data: Vec<SetShown<'_>> = sets
        .iter()
        .skip(of_page(page.offset))
        .take(of_page(page.limit))
        .map(|set| SetShown::of(set, &market))
        .collect();
    let metadata = ListMetadata::of(
        total,
        data.len(),
        page,
        Some(language),
        Consumed { total: COST },
    );
    json(&Listed { data, metadata }, charge)
}

/// Keeps the sets that words mean, best first: those that the reader finds, then those whose names
/// have all the words.
fn keep(market: &Market, words: &str, sets: &mut Vec<SetRecord>) {
    let found = market.reader.now().search_sets(words);
    let places: HashMap<&str, usize> = found
        .iter()
        .enumerate()
        .map(|(at, id)| (id.as_str(), at))
        .collect();
    let lower: Vec<String> = words
        .to_lowercase()
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let named = |set: &SetRecord| {
        let text = [
            Some(set.name.as_str()),
            set.printed_name.as_deref(),
            Some(set.slug.as_str()),
        ]
        .into_iter()
        .flatten();
        let text = text.collect::<Vec<_>>().join(" ").to_lowercase();
        lower.iter().all(|word| text.contains(word))
    };
    sets.retain(|set| places.contains_key(set.id.as_str()) || named(set));
    sets.sort_by_key(|set| places.get(set.id.as_str()).copied().unwrap_or(usize::MAX));
}

#[cfg(test)]
mod tests {
    use super::{SetOrder, SortOrder, SortSets};
    use crate::store::market::SetRecord;

    #[test]
    fn sets_without_a_date_come_last_either_way() {
        let set = |name: &str, released: Option<&str>| SetRecord {
            name: name.to_owned(),
            released: released.map(str::to_owned),
            ..SetRecord::default()
        };
        let mut sets = vec![
            set("b", None),
            set("C", Some("2001")),
            set("a", Some("1999-01-09")),
            set("d", Some("2001-05")),
        ];
        let mut names = |by, order| {
            SetOrder { by, order }.sort(&mut sets);
            sets.iter().map(|set| set.name.clone()).collect::<String>()
        };
        assert_eq!(names(SortSets::ReleaseDate, SortOrder::Desc), "dCab");
        assert_eq!(names(SortSets::ReleaseDate, SortOrder::Asc), "aCdb");
        assert_eq!(names(SortSets::Name, SortOrder::Asc), "abCd");
        assert_eq!(names(SortSets::Name, SortOrder::Desc), "dCba");
    }
}
