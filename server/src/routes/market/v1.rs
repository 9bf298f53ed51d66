//! `GET /api/v1/prices` and `GET /api/v1/sets`: the older version, in requests instead of credits.

use super::cards::in_order;
use super::records::{CardShown, Prices, SetShown};
use super::sets::SetOrder;
use super::{GAME_PARAMETER, Market, is_of};
use crate::app::App;
use crate::auth::Holder;
use crate::credits::{Cost, Endpoint, Meter};
use crate::error::ApiError;
use crate::parameters::Parameters;
use crate::routes::charging::{afford, charge, json};
use crate::routes::paging::MOST_OFFSET;
use crate::store::market::{CardWithPrintings, ItemRecord, Language, NamedCards, folded};
use axum::Router;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;
use utoipa::ToSchema;

/// Cards of a page: the default and the most.
const PAGE: i64 = 50;
const MOST_PAGE: i64 = 250;
/// What every request to v1 costs.
const REQUEST: Cost = Cost {
    credits: 1,
    calls: 1,
};

/// Which page of how many.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pages {
    /// How many cards match, whatever the page.
    #[schema(minimum = 0)]
    total: i64,
    /// How many are in `data`.
    #[schema(minimum = 0)]
    count: usize,
    /// How many may be.
    #[schema(minimum = 1)]
    limit: i64,
    /// The number of the page, from 1.
    #[schema(minimum = 1)]
    page: i64,
    /// How many pages there are.
    #[schema(minimum = 0)]
    pages: i64,
    /// Whether there are more pages.
    has_more: bool,
}

/// A page of cards.
#[derive(Serialize, ToSchema)]
pub(crate) struct PricesPage<'c> {
    /// Cards with their prices.
    data: Vec<CardShown<'c>>,
    metadata: Pages,
}

/// Cards with their prices, of every language: the English first, each language in the catalogue's
/// order.
#[utoipa::path(get, path = "/api/v1/prices", operation_id = "listPricesV1", tag = "v1",
    params(
        ("name" = Option<String>, Query, description = "A part of the name, whatever its case, accents and apostrophes", min_length = 1, max_length = 80, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("setId" = Option<String>, Query, description = "A set by its id, also as other catalogues write it: `sv8` is `sv08`", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("number" = Option<String>, Query, description = "The number within a set: `4`, or as printed `4/102`, in any case, with or without zeros before its digits", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("id" = Option<String>, Query, description = "One card, by its own id, that of one of its printings, or a marketplace's", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("game" = Option<String>, Query, description = GAME_PARAMETER, min_length = 1, max_length = 200),
        ("limit" = Option<i64>, Query, description = "Cards of a page; 50 by default, 250 at most: more is cut to that", minimum = 1),
        ("page" = Option<i64>, Query, description = "The page; 1 by default", minimum = 1, maximum = 1_000_000),
    ),
    responses((status = 200, description = "Cards", body = PricesPage<'static>)))]
pub(crate) async fn prices(
    State(market): State<Market>,
    Holder { account, .. }: Holder,
    uri: Uri,
) -> Result<Response, ApiError> {
    afford(&market.ledger, &account, Meter::V1).await?;
    let parameters = Parameters::of(
        &uri,
        &["name", "setId", "number", "id", "game", "limit", "page"],
    )?;
    let text = |name: &str| parameters.text(name).map(|text| text.map(str::to_owned));
    let limit = parameters.limit(PAGE, MOST_PAGE)?;
    let page = parameters.whole("page", 1..=MOST_OFFSET)?.unwrap_or(1);
    let own = match parameters.text("id")? {
        Some(id) => market.own_ids(&[id]).await?.concat(),
        None => Vec::new(),
    };
    let games = market.games(&parameters).await?;
    // the language is that of `set`, which v1 does not have
    let set = super::set(&market, &parameters, Language::English, games.as_deref()).await?;
    let asked = NamedCards {
        games,
        name: parameters.name("name")?.map(str::to_owned),
        set_id: set.map(|set| set.id),
        number: text("number")?,
        id: own.first().cloned().or(text("id")?),
        limit,
        offset: (page - 1) * limit,
    };
    let charge = charge(&market.ledger, &account, Endpoint::V1Prices, REQUEST).await?;
    let (total, ids) = market.store.named_cards(&asked).await?;
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let cards = in_order(market.store.cards_with_ids(&ids).await?, &ids);
    let items: Vec<(&CardWithPrintings, &ItemRecord)> = cards
        .iter()
        .filter_map(|card| Some((card, card.printing(&own)?)))
        .collect();
    let keys: Vec<i64> = items.iter().map(|(_, item)| item.key).collect();
    let quotes = market.store.quotes(&keys).await?;
    let shown = |(card, item): (_, _)| {
        CardShown::of(
            card,
            item,
            Prices::of(item, &quotes, false),
            super::records::Additions::default(),
            &market,
        )
    };
    let data: Vec<CardShown<'_>> = items.into_iter().map(shown).collect();
    let pages = (total + limit - 1) / limit;
    let metadata = Pages {
        total,
        count: data.len(),
        limit,
        page,
        pages,
        has_more: page < pages,
    };
    json(&PricesPage { data, metadata }, charge)
}

/// The same by paths without `/api`, for clients whose base address ends in `/v1`.
pub(crate) fn short() -> Router<App> {
    Router::new()
        .route("/v1/prices", get(prices))
        .route("/v1/sets", get(sets))
}

/// All sets.
#[derive(Serialize, ToSchema)]
pub(crate) struct SetsList<'s> {
    /// Sets of every language.
    data: Vec<SetShown<'s>>,
    metadata: Total,
}

/// How many there are.
#[derive(Serialize, ToSchema)]
struct Total {
    /// How many there are.
    #[schema(minimum = 0)]
    total: usize,
}

/// All sets that match, of every language.
#[utoipa::path(get, path = "/api/v1/sets", operation_id = "listSetsV1", tag = "v1",
    params(
        ("name" = Option<String>, Query, description = "A part of the name, whatever its case, accents and apostrophes", min_length = 1, max_length = 80, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("game" = Option<String>, Query, description = GAME_PARAMETER, min_length = 1, max_length = 200),
        ("sortBy" = inline(Option<super::SortSets>), Query, description = "What to sort by; `releaseDate` by default"),
        ("sortOrder" = inline(Option<super::SortOrder>), Query, description = "The order; `desc` by default"),
    ),
    responses((status = 200, description = "Sets", body = SetsList<'static>)))]
pub(crate) async fn sets(
    State(market): State<Market>,
    Holder { account, .. }: Holder,
    uri: Uri,
) -> Result<Response, ApiError> {
    afford(&market.ledger, &account, Meter::V1).await?;
    let parameters = Parameters::of(&uri, &["name", "game", "sortBy", "sortOrder"])?;
    let name = parameters.name("name")?.map(folded);
    let order = SetOrder::of(&parameters)?;
    let games = market.games(&parameters).await?;
    let charge = charge(&market.ledger, &account, Endpoint::V1Sets, REQUEST).await?;
    let mut sets = market.store.sets(None).await?;
    sets.retain(|set| is_of(games.as_deref(), &set.game));
    if let Some(name) = name {
        // of a name of which nothing is compared there is no part
        let has = |text: Option<&str>| {
            !name.is_empty() && text.is_some_and(|text| folded(text).contains(&name))
        };
        sets.retain(|set| has(Some(&set.name)) || has(set.printed_name.as_deref()));
    }
    order.sort(&mut sets);
    let metadata = Total { total: sets.len() };
    json(
        &SetsList {
            data: sets.iter().map(|set| SetShown::of(set, &market)).collect(),
            metadata,
        },
        charge,
    )
}
