//! Cards, sets, sealed products and populations: `/api/v2/…` and the older `/api/v1/…`.

pub(crate) mod cards;
pub(crate) mod graded;
mod options;
pub(crate) mod population;
mod price_history;
pub(crate) mod records;
mod scope;
pub(crate) mod sealed;
pub(crate) mod sets;
pub(crate) mod v1;

use crate::app::App;
use crate::catalogue::Reader;
use crate::credits::Ledger;
use crate::error::ApiError;
use crate::games::ClosedGames;
use crate::images::Images;
use crate::market::Money;
use crate::parameters::{Parameters, wrong};
use crate::plans::Plans;
use crate::routes::paging::Page;
use crate::store::Store;
use crate::store::market::{CardOrder, CardSort, Language, MarketplaceId, SetRecord};
use crate::turns::Turns;
use axum::extract::FromRef;
use axum::http::StatusCode;
use serde::Serialize;
use std::cmp::Reverse;
use std::sync::Arc;
use titledex::{Engine, Within};
use utoipa::ToSchema;

/// Cards or products of a page: the default and the most.
const PAGE: i64 = 20;
const MOST_PAGE: i64 = 100;
impl Page {
    /// That of what ids name, whatever `limit` and `offset` stand beside them.
    const FIRST: Self = Self {
        limit: PAGE,
        offset: 0,
    };
}

/// The most cards that a search finds.
const MOST_FOUND: usize = 1_000;

/// What the parameter `game` is, in the description of the interface.
const GAME_PARAMETER: &str = "Of these games alone, by their ids with commas between them: `pokemon`, \
    `onepiece`, `magic`, `yugioh`, `lorcana`, `digimon`, as far as the service has them open; all \
    of those by default";

/// What the handlers of the market share.
#[derive(Clone)]
pub(crate) struct Market {
    store: Store,
    reader: Arc<Reader>,
    closed_games: Arc<ClosedGames>,
    product_searches: Arc<Turns>,
    ledger: Arc<Ledger>,
    /// Which id stands as `marketplaceId`.
    scheme: MarketplaceId,
    /// Where pictures lie.
    images: Arc<Images>,
    /// What each plan allows.
    plans: Arc<Plans>,
}

impl FromRef<App> for Market {
    fn from_ref(app: &App) -> Self {
        Self {
            store: app.store.clone(),
            reader: Arc::clone(&app.reader),
            closed_games: Arc::clone(&app.closed_games),
            product_searches: Arc::clone(&app.product_searches),
            ledger: Arc::clone(&app.ledger),
            scheme: app.settings.market.marketplace_id,
            images: Arc::clone(&app.settings.market.images),
            plans: Arc::clone(&app.plans),
        }
    }
}

impl Market {
    /// The own ids of the items that callers call so.
    async fn own_ids(&self, called: &[&str]) -> Result<Vec<Vec<String>>, ApiError> {
        Ok(self.store.own_ids(called, self.scheme).await?)
    }

    /// The games that the parameter `game` names, else all that are open; `None` where those are
    /// all that the store has.
    ///
    /// # Errors
    /// 400 that lists the open games, if one is not among them.
    async fn games(&self, parameters: &Parameters) -> Result<Option<Vec<String>>, ApiError> {
        let loaded = self.reader.now();
        let open = loaded.games().open();
        let sent = parameters.sent("game");
        let mut games: Vec<String> = match sent {
            Some(ids) => ids.split(',').map(|id| id.trim().to_owned()).collect(),
            None => open.to_vec(),
        };
        games.sort();
        games.dedup();
        if let Some(sent) = sent
            && !games.iter().all(|game| open.contains(game))
        {
            let wanted = format!(
                "{}, one or several with commas between them",
                open.join(", ")
            );
            return Err(wrong("game", sent, &wanted));
        }
        let all = games.len() == open.len();
        let closed = self.closed_games.are_held(&self.store, &loaded).await?;
        Ok((!all || closed).then_some(games))
    }
}

/// Whether something of a game is listed where these are asked for.
fn is_of(games: Option<&[String]>, game: &str) -> bool {
    games.is_none_or(|games| games.iter().any(|asked| asked == game))
}

/// The parameter `language`; English by default.
fn language(parameters: &Parameters) -> Result<Language, ApiError> {
    Ok(Language::ALL[parameters.word("language", &Language::NAMES)?])
}

/// The parameters `limit` and `offset` of a list of cards or products.
fn page(parameters: &Parameters) -> Result<Page, ApiError> {
    Page::within(parameters, PAGE, MOST_PAGE)
}

/// What cards are sorted by.
#[derive(Clone, Copy, Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub(crate) enum SortCards {
    Price,
    Name,
    Number,
    Rarity,
    ReleaseDate,
}

impl SortCards {
    /// The parameters `sortBy` and `sortOrder` of cards.
    fn order(parameters: &Parameters) -> Result<CardOrder, ApiError> {
        // `cardNumber` is how answers call it
        let words = [
            "price",
            "name",
            "number",
            "rarity",
            "releaseDate",
            "cardNumber",
        ];
        let sort = [
            Self::Price,
            Self::Name,
            Self::Number,
            Self::Rarity,
            Self::ReleaseDate,
            Self::Number,
        ][parameters.word("sortBy", &words)?];
        let by = match sort {
            Self::Price => CardSort::Price,
            Self::Name => CardSort::Name,
            Self::Number => CardSort::Number,
            Self::Rarity => CardSort::Rarity,
            Self::ReleaseDate => CardSort::Released,
        };
        let largest_first = matches!(sort, Self::Price | Self::ReleaseDate);
        let Some(descending) = descending(parameters, largest_first)? else {
            return Ok(CardOrder::default());
        };
        Ok(CardOrder { by, descending })
    }
}

/// Whether `sortOrder` is `desc`, by default as given; `None` without `sortBy`.
///
/// # Errors
/// 400 for a `sortOrder` without `sortBy`.
fn descending(parameters: &Parameters, default: bool) -> Result<Option<bool>, ApiError> {
    let descending = parameters.word("sortOrder", &["desc", "asc"])? == 0;
    match (parameters.sent("sortBy"), parameters.sent("sortOrder")) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(ApiError::bad(
            "missing_parameter",
            "sortOrder needs sortBy: send sortBy=price",
        )
        .field("sortBy")),
        (Some(_), sent) => Ok(Some(if sent.is_some() { descending } else { default })),
    }
}

/// The parameters `minPrice` and `maxPrice`.
///
/// # Errors
/// 400 if there is no price between them.
fn price_bounds(parameters: &Parameters) -> Result<(Option<Money>, Option<Money>), ApiError> {
    let price = |name: &str| {
        parameters.decimal::<Money>(name, "a price with at most four decimals, such as 12.50")
    };
    let (least, most) = (price("minPrice")?, price("maxPrice")?);
    match (least, most) {
        (Some(least), Some(most)) if least > most => {
            let message = format!(
                "minPrice {least} is above maxPrice {most}: there is no price between them"
            );
            Err(ApiError::bad("conflicting_parameters", message).field("minPrice"))
        }
        bounds => Ok(bounds),
    }
}

/// What sets are sorted by.
#[derive(Clone, Copy, Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub(crate) enum SortSets {
    ReleaseDate,
    Name,
}

/// The order.
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
    /// The language of what is listed; left out where all were looked at.
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
        Self {
            total,
            count,
            limit: page.limit,
            offset: page.offset,
            has_more: page.has_more(count, total),
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

/// The set that `set` or `setId` names, or `None` if neither is sent. `set` is looked up in the
/// language and the games of the query.
///
/// # Errors
/// 400 if both are sent; 404 with suggestions if there is no such set.
async fn set(
    market: &Market,
    parameters: &Parameters,
    language: Language,
    games: Option<&[String]>,
) -> Result<Option<SetRecord>, ApiError> {
    let of_games = |sets: Vec<SetRecord>| -> Vec<SetRecord> {
        let sets = sets.into_iter();
        sets.filter(|set| is_of(games, &set.game)).collect()
    };
    let (named, id) = (parameters.search("set")?, parameters.search("setId")?);
    match (named, id) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(conflict("set", "setId")),
        (None, Some(id)) => {
            let known = market.store.set(id).await?;
            if let Some(known) = known.filter(|set| is_of(games, &set.game)) {
                return Ok(Some(known));
            }
            let sets = of_games(market.store.sets(None).await?);
            match spelt(&sets, id) {
                Some(at) => Ok(sets.into_iter().nth(at)),
                None => Err(unknown_set(market, "setId", id, &sets)),
            }
        }
        (Some(named), None) => {
            let sets = of_games(market.store.sets(Some(language)).await?);
            match find_set(market, &sets, named) {
                Some(at) => Ok(sets.into_iter().nth(at)),
                None => Err(unknown_set(market, "set", named, &sets)),
            }
        }
    }
}

/// The index of the set whose id is written so: `sv8` is `sv08`.
fn spelt(sets: &[SetRecord], id: &str) -> Option<usize> {
    sets.iter()
        .position(|set| Engine::is_same_set_id(&set.id, id))
}

/// The index of the set that words name: by slug, id, name or code, otherwise as titles name it.
fn find_set(market: &Market, sets: &[SetRecord], words: &str) -> Option<usize> {
    let same = |text: &str| text.to_lowercase() == words.to_lowercase();
    let by = |is: &dyn Fn(&SetRecord) -> bool| sets.iter().position(is);
    by(&|set| same(&set.slug))
        .or_else(|| by(&|set| same(&set.id)))
        .or_else(|| by(&|set| same(&set.name)))
        .or_else(|| by(&|set| set.printed_name.as_deref().is_some_and(same)))
        .or_else(|| by(&|set| set.code.as_deref().is_some_and(same)))
        .or_else(|| spelt(sets, words))
        .or_else(|| {
            let named = market.reader.now().sets_named(words);
            let mut places = (0..sets.len()).filter(|at| named.contains(&sets[*at].id));
            // words that name several, as an era's, name none of them
            places.next().filter(|_| places.next().is_none())
        })
}

fn unknown_set(market: &Market, parameter: &str, words: &str, sets: &[SetRecord]) -> ApiError {
    let reader = market.reader.now();
    let mut near: Vec<String> = reader.sets_named(words);
    if near.is_empty() {
        near = reader.search_sets(words);
    }
    let near: Vec<&str> = sets
        .iter()
        .filter(|set| near.contains(&set.id))
        .map(|set| match parameter {
            "setId" => set.id.as_str(),
            _ => set.slug.as_str(),
        })
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
        format!("{one} and {other} exclude each other: send one of them"),
    )
    .field(one)
}

/// The ids of the cards that a search finds, best first. Of those that fit alike the most expensive
/// come first, as far as the first `shown`: a page may not reach behind these.
async fn found(
    market: &Market,
    words: &str,
    language: Option<Language>,
    games: Option<&[String]>,
    set: Option<&SetRecord>,
    shown: usize,
) -> Result<Vec<String>, ApiError> {
    let games: Option<Vec<&str>> = games.map(|games| games.iter().map(String::as_str).collect());
    let sets = set.map(|set| [set.id.as_str()]);
    let mut within = Within::new().most(MOST_FOUND);
    within.language = language.map(Language::name);
    within.games = games.as_deref();
    within.sets = sets.as_ref().map(|sets| &sets[..]);
    let found = market.reader.now().search(words, &within);
    let mut found = market.store.present_ranked(found).await?;
    let last = found
        .get(shown.min(found.len()).saturating_sub(1))
        .map_or(0, |(_, rank)| *rank);
    let seen = found.partition_point(|(_, rank)| *rank <= last);
    let alike = found[..seen].windows(2).any(|pair| pair[0].1 == pair[1].1);
    if alike {
        let ids: Vec<&str> = found[..seen].iter().map(|(id, _)| id.as_str()).collect();
        let prices = market.store.leading_prices(&ids).await?;
        found[..seen].sort_by_cached_key(|(id, rank)| (*rank, Reverse(prices.get(id).copied())));
    }
    Ok(found.into_iter().map(|(id, _)| id).collect())
}
