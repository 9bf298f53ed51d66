//! `GET /api/v2/population`: how many cards each grader gave each grade.

mod shown;

use self::shown::{COST_PER_CARD, Consumed, PopulationShown, Shown};
use super::{ListMetadata, Listed, Market, Page, conflict, language};
use crate::auth::Holder;
use crate::credits::{Account, Charge, Cost, Endpoint, Meter};
use crate::error::ApiError;
use crate::market::{Grader, Money, money, stats};
use crate::parameters::{Parameters, wrong};
use crate::routes::charging::{afford, charge, json};
use crate::store::market::{Language, PopulationQuery, PopulationRecord};
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use std::collections::HashMap;
use std::sync::Arc;

/// The most ids of a request.
const MOST_IDS: usize = 50;
/// The cost of a look-up that finds none.
const COST_WITHOUT: i64 = 1;
/// The highest rate, in per cent.
const HUNDRED: Money = Money(100 * money::UNIT);

/// What is asked for.
enum Asked {
    One(String, PopulationQuery),
    Some(Vec<String>, PopulationQuery),
    List(PopulationQuery),
}

/// Populations.
///
/// With `marketplaceId`, `data` is one population, or null where the card has none, which costs 1
/// credit; a product of which several printings have one is refused by the code
/// `several_printings`, with their ids. Else `data` is a list: of `marketplaceIds` those with data, in the order in which they
/// were sent, 2 credits for each that was asked for (a product may be several); without ids a page of all populations, 2
/// credits for each, 1 if the page is empty. The plan must open it.
#[utoipa::path(get, path = "/api/v2/population", operation_id = "listPopulations", tag = "market",
    params(
        ("marketplaceId" = Option<String>, Query, description = "One printing", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("marketplaceIds" = Option<String>, Query, description = "Up to 50 ids with commas between them", pattern = r"^[!-+\--~]{1,60}(,[!-+\--~]{1,60}){0,49}$"),
        ("language" = Option<Language>, Query, description = "The language of the cards; `english` by default. Ids are found in any"),
        ("minPopulation" = Option<i64>, Query, description = "At least so many graded cards", minimum = 0, maximum = 1_000_000_000),
        ("grader" = Option<Grader>, Query, description = "With data of this grader"),
        ("minGemRate" = Option<String>, Query, description = "At least this share of tens across graders, in per cent: a number from 0 to 100 with at most four decimals", pattern = r"^(100|[0-9]{1,2}(\.[0-9]{1,4})?)$"),
        ("limit" = Option<i64>, Query, description = "The most populations; 20 by default, 100 at most: more is cut to that", minimum = 1),
        ("offset" = Option<i64>, Query, description = "Populations to skip", minimum = 0, maximum = 1_000_000),
    ),
    responses((status = 200, description = "A population, null, or a list of them", body = Listed<Shown<'static>, Consumed>)))]
pub(crate) async fn list(
    State(market): State<Market>,
    Holder { account, .. }: Holder,
    uri: Uri,
) -> Result<Response, ApiError> {
    let plan = account.plan.load_full();
    if !plan.population {
        let message = format!(
            "the plan {} has no population data: {}",
            plan.name,
            market.plans.with(|plan| plan.population)
        );
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "plan_too_small",
            message,
        ));
    }
    afford(&market.ledger, &account, Meter::V2).await?;
    let known = [
        "marketplaceId",
        "marketplaceIds",
        "language",
        "minPopulation",
        "grader",
        "minGemRate",
        "limit",
        "offset",
    ];
    let parameters = Parameters::of(&uri, &known)?;
    let page = super::page(&parameters)?;
    let language = language(&parameters)?;
    // an id names a card of any language, unless one is sent
    let of_language = parameters.sent("language").map(|_| language);
    let request = Request {
        market: &market,
        account: &account,
        language,
        of_language,
    };
    let games = market.games(&parameters).await?;
    match asked(&parameters, games, language, page)? {
        Asked::One(id, filters) => request.one(&id, &filters).await,
        Asked::Some(ids, filters) => request.some(&ids, &filters).await,
        Asked::List(query) => request.page(&query, page).await,
    }
}

/// A request whose plan opens populations.
struct Request<'r> {
    market: &'r Market,
    account: &'r Arc<Account>,
    /// The language of a list.
    language: Language,
    /// The language of what ids name; of any where none was sent.
    of_language: Option<Language>,
}

impl Request<'_> {
    /// The population of one printing; `data` is null if it has none.
    ///
    /// # Errors
    /// 400 for a product of which several printings have one: none of them is the one meant.
    async fn one(&self, id: &str, filters: &PopulationQuery) -> Result<Response, ApiError> {
        let own = self.market.own_ids(&[id]).await?.concat();
        let found = self.with_ids(&own, filters).await?;
        if found.len() > 1 {
            return Err(several(id, &found));
        }
        let credits = if found.is_empty() {
            COST_WITHOUT
        } else {
            COST_PER_CARD
        };
        let charge = self.charge(credits).await?;
        let data = found.first().map_or(Shown::Nothing, |record| {
            Shown::One(Box::new(PopulationShown::of(record, self.market.scheme)))
        });
        let count = found.len();
        let page = Page {
            limit: 1,
            offset: 0,
        };
        let metadata = ListMetadata::of(
            i64::from(count > 0),
            count,
            page,
            self.shared_language(&found),
            Consumed::of(credits),
        );
        json(&Listed { data, metadata }, charge)
    }

    /// Those of these ids that have one, in their order.
    async fn some(&self, ids: &[String], filters: &PopulationQuery) -> Result<Response, ApiError> {
        let requested = i64::try_from(ids.len()).unwrap_or(i64::MAX);
        let credits = requested * COST_PER_CARD;
        let charge = self.charge(credits).await?;
        let called: Vec<&str> = ids.iter().map(String::as_str).collect();
        let own = self.market.own_ids(&called).await?.concat();
        let mut found = self.with_ids(&own, filters).await?;
        let places: HashMap<&str, usize> = own
            .iter()
            .enumerate()
            .map(|(at, id)| (id.as_str(), at))
            .collect();
        found.sort_by_key(|record| {
            places
                .get(record.marketplace_id.as_str())
                .copied()
                .unwrap_or(usize::MAX)
        });
        let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
        let page = Page {
            // a product may be several printings
            limit: requested.max(total),
            offset: 0,
        };
        let metadata = ListMetadata::of(
            total,
            found.len(),
            page,
            self.shared_language(&found),
            Consumed::of(credits),
        );
        let data = self.many(&found);
        json(&Listed { data, metadata }, charge)
    }

    /// A page of all.
    async fn page(&self, query: &PopulationQuery, page: Page) -> Result<Response, ApiError> {
        let (total, found) = self.market.store.populations(query).await?;
        let credits =
            (i64::try_from(found.len()).unwrap_or(i64::MAX) * COST_PER_CARD).max(COST_WITHOUT);
        let charge = self.charge(credits).await?;
        let metadata = ListMetadata::of(
            total,
            found.len(),
            page,
            Some(self.language),
            Consumed::of(credits),
        );
        let data = self.many(&found);
        json(&Listed { data, metadata }, charge)
    }

    async fn charge(&self, credits: i64) -> Result<Charge, ApiError> {
        let cost = Cost { credits, calls: 1 };
        charge(
            &self.market.ledger,
            self.account,
            Endpoint::Population,
            cost,
        )
        .await
    }

    /// The populations with these own ids that pass the filters.
    async fn with_ids(
        &self,
        own: &[String],
        filters: &PopulationQuery,
    ) -> Result<Vec<PopulationRecord>, ApiError> {
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        let mut found = self
            .market
            .store
            .populations_of(&own, filters.games.as_deref())
            .await?;
        found.retain(|record| passes(record, filters, self.of_language));
        Ok(found)
    }

    fn many<'p>(&self, found: &'p [PopulationRecord]) -> Shown<'p> {
        let shown = found
            .iter()
            .map(|record| PopulationShown::of(record, self.market.scheme));
        Shown::Many(shown.collect())
    }

    /// The language that was sent; else that of all that was found, if they share one.
    fn shared_language(&self, found: &[PopulationRecord]) -> Option<Language> {
        self.of_language
            .or_else(|| shared_language(found, self.language))
    }
}

fn asked(
    parameters: &Parameters,
    games: Option<Vec<String>>,
    language: Language,
    page: Page,
) -> Result<Asked, ApiError> {
    let grader = match parameters.sent("grader") {
        None => None,
        Some(code) => {
            let codes = Grader::ALL.map(Grader::code).join(" or ");
            Some(Grader::of_code(code).ok_or_else(|| wrong("grader", code, &codes))?)
        }
    };
    let min_total = parameters.whole("minPopulation", 0..=1_000_000_000)?;
    let min_gem_rate = parameters.decimal::<Money>(
        "minGemRate",
        "a number from 0 to 100 with at most four decimals",
    )?;
    if let Some(rate) = min_gem_rate.filter(|rate| *rate > HUNDRED) {
        return Err(ApiError::bad(
            "out_of_range",
            format!("minGemRate is {rate}: send a number from 0 to 100"),
        )
        .field("minGemRate"));
    }
    let both = ["marketplaceId", "marketplaceIds"];
    if both.iter().all(|name| parameters.sent(name).is_some()) {
        return Err(conflict(both[0], both[1]));
    }
    let query = PopulationQuery {
        games,
        language,
        grader,
        min_total,
        min_gem_rate,
        limit: page.limit,
        offset: page.offset,
    };
    if let Some(id) = parameters.text("marketplaceId")? {
        return Ok(Asked::One(id.to_owned(), query));
    }
    let Some(text) = parameters.sent("marketplaceIds") else {
        return Ok(Asked::List(query));
    };
    let mut ids: Vec<String> = Vec::new();
    for id in text.split(',').map(str::trim) {
        if id.is_empty()
            || id.chars().count() > crate::parameters::MOST_TEXT
            || id.chars().any(char::is_control)
        {
            return Err(wrong(
                "marketplaceIds",
                text,
                "ids with commas between them, none of them empty",
            ));
        }
        // a repeated id counts once
        if !ids.iter().any(|known| known == id) {
            ids.push(id.to_owned());
        }
    }
    if ids.len() > MOST_IDS {
        let message = format!(
            "marketplaceIds has {} ids: send at most {MOST_IDS}",
            ids.len()
        );
        return Err(ApiError::bad("too_many_ids", message).field("marketplaceIds"));
    }
    Ok(Asked::Some(ids, query))
}

/// A product that is several printings with populations.
fn several(id: &str, found: &[PopulationRecord]) -> ApiError {
    let ids: Vec<&str> = found
        .iter()
        .map(|record| record.marketplace_id.as_str())
        .collect();
    let message = format!(
        "marketplaceId {id} is {} printings with populations ({}): send the id of one, or marketplaceIds for all",
        ids.len(),
        ids.join(", ")
    );
    ApiError::bad("several_printings", message).field("marketplaceId")
}

/// The language of populations, if all have the same; `default` where there are none.
fn shared_language(found: &[PopulationRecord], default: Language) -> Option<Language> {
    let first = found.first().map_or(default, |record| record.language);
    found
        .iter()
        .all(|record| record.language == first)
        .then_some(first)
}

/// Whether a population passes the filters of a query. Its language, limit and offset are those of
/// a list.
fn passes(record: &PopulationRecord, query: &PopulationQuery, language: Option<Language>) -> bool {
    let combined = stats::combined(&record.counts);
    language.is_none_or(|language| record.language == language)
        && query
            .grader
            .is_none_or(|grader| record.counts.contains_key(&grader))
        && query
            .min_total
            .is_none_or(|least| combined.total() >= least)
        && query
            .min_gem_rate
            .is_none_or(|least| stats::gem_rate(&combined) >= least)
}
