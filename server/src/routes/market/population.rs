//! `GET /api/v2/population`: how many cards each grader gave each grade.

use super::{ListMetadata, Listed, Market, Page, conflict, language};
use crate::auth::Holder;
use crate::credits::{Cost, Endpoint, Meter};
use crate::error::ApiError;
use crate::market::day::iso;
use crate::market::{Counts, Grade, Grader, Money, money, stats};
use crate::parameters::{Parameters, wrong};
use crate::routes::charging::{afford, charge, json};
use crate::store::market::{Language, MarketplaceId, PopulationQuery, PopulationRecord};
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use titledex::MarketIds;
use utoipa::ToSchema;

/// The most ids of a request.
const MOST_IDS: usize = 50;
/// The cost of a card with its population, and of a look-up that finds none.
const COST_PER_CARD: i64 = 2;
const COST_WITHOUT: i64 = 1;
/// The highest rate, in per cent.
const HUNDRED: Money = Money(100 * money::UNIT);

/// How many cards of a printing were graded how.
#[derive(Serialize, ToSchema)]
#[schema(as = Population)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PopulationShown<'p> {
    /// The printing's id.
    marketplace_id: Cow<'p, str>,
    /// What marketplaces call it; left out where none is known.
    #[serde(skip_serializing_if = "MarketIds::is_empty")]
    ids: MarketIds,
    /// By grader; only those with data.
    #[schema(value_type = BTreeMap<Grader, GraderPopulation>)]
    population_by_grader: BTreeMap<Grader, GraderPopulation<'p>>,
    /// Graded cards across all graders.
    #[schema(minimum = 0)]
    total_population: i64,
    /// Tens across all graders, pristine and perfect ones among them.
    #[schema(minimum = 0)]
    total_gems: i64,
    /// The share of tens, in per cent.
    #[schema(minimum = 0, maximum = 100)]
    combined_gem_rate: Money,
    /// The graders with data.
    graders_tracked: Vec<Grader>,
    /// Cards of each grade across graders: `g8`, `g9_5`, `g10`, `pristine`, `perfect`.
    combined_totals: BTreeMap<GradeName, i64>,
    /// For each of those grades the share of all graded cards that have a higher one, in per cent.
    percent_higher: BTreeMap<GradeName, Money>,
    /// How sure it is that the provider of the data means this card: `high`, `medium` or `low`.
    match_confidence: &'p str,
    /// How closely the provider's card is this one, from 0 to 1; null where it is not known.
    #[schema(required, minimum = 0, maximum = 1)]
    match_score: Option<Money>,
    /// When it was fetched from the provider; null where it is not known.
    #[schema(required, format = DateTime)]
    last_fetched_date: Option<String>,
    /// When it was stored.
    #[schema(format = DateTime)]
    updated_at: String,
}

/// What one grader graded. A grade without data is left out.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GraderPopulation<'p> {
    /// Cards by grade: `g1` to `g10`; `g1_5` to `g9_5` of B and C; `pristine` and `perfect` of B;
    /// `auth` and `qualifiers` of A.
    #[serde(flatten)]
    #[schema(value_type = BTreeMap<String, i64>)]
    counts: &'p Counts,
    /// All of them.
    #[schema(minimum = 0)]
    total_population: i64,
    /// The share of tens, pristine and perfect ones among them, in per cent.
    #[schema(minimum = 0, maximum = 100)]
    gem_rate: Money,
}

/// A grade as the name of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ToSchema)]
#[schema(value_type = String)]
pub(crate) struct GradeName(Grade);

impl Serialize for GradeName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0.column())
    }
}

impl<'p> PopulationShown<'p> {
    fn of(record: &'p PopulationRecord, scheme: MarketplaceId) -> Self {
        let combined = stats::combined(&record.counts);
        let numbered = combined
            .0
            .iter()
            .filter(|(grade, _)| !matches!(grade, Grade::Authentic | Grade::Qualified));
        let of = |(grader, counts): (&Grader, &'p Counts)| {
            (
                *grader,
                GraderPopulation {
                    counts,
                    total_population: counts.total(),
                    gem_rate: stats::gem_rate(counts),
                },
            )
        };
        Self {
            marketplace_id: scheme.shown(&record.marketplace_id, record.ids),
            ids: record.ids,
            population_by_grader: record.counts.iter().map(of).collect(),
            total_population: combined.total(),
            total_gems: combined.gems(),
            combined_gem_rate: stats::gem_rate(&combined),
            graders_tracked: record.counts.keys().copied().collect(),
            combined_totals: numbered
                .map(|(grade, count)| (GradeName(*grade), *count))
                .collect(),
            percent_higher: stats::percent_higher(&combined)
                .into_iter()
                .map(|(grade, share)| (GradeName(grade), share))
                .collect(),
            match_confidence: &record.confidence,
            match_score: record.score,
            last_fetched_date: record.fetched.map(iso),
            updated_at: iso(record.updated),
        }
    }
}

/// Credits.
#[derive(Serialize, ToSchema)]
#[schema(as = PopulationCredits)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Consumed {
    /// All of them.
    #[schema(minimum = 0)]
    total: i64,
    breakdown: Breakdown,
    /// What a card with its population costs.
    #[schema(minimum = 0)]
    cost_per_card: i64,
}

/// What the credits were for.
#[derive(Serialize, ToSchema)]
#[schema(as = PopulationBreakdown)]
struct Breakdown {
    /// Cards.
    #[schema(minimum = 0)]
    cards: i64,
    /// Their populations.
    #[schema(minimum = 0)]
    population: i64,
}

impl Consumed {
    fn of(total: i64) -> Self {
        let population = total / COST_PER_CARD;
        Self {
            total,
            breakdown: Breakdown {
                cards: total - population,
                population,
            },
            cost_per_card: COST_PER_CARD,
        }
    }
}

/// One population, none, or a list.
#[derive(Serialize, ToSchema)]
#[schema(as = Populations)]
#[serde(untagged)]
pub(crate) enum Shown<'p> {
    One(Box<PopulationShown<'p>>),
    Many(Vec<PopulationShown<'p>>),
    /// The card has no data.
    Nothing,
}

/// What is asked for.
enum Asked {
    One(String, PopulationQuery),
    Some(Vec<String>, PopulationQuery),
    List(PopulationQuery),
}

/// Populations.
///
/// With `marketplaceId`, `data` is one population, or null where the card has none, which costs 1
/// credit. Else `data` is a list: of `marketplaceIds` those with data, in the order in which they
/// were sent, 2 credits for each that was asked for; without ids a page of all populations, 2
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
    match asked(&parameters, language, page)? {
        Asked::One(id, filters) => {
            let own = market.own_ids(&[&id]).await?.concat();
            let own: Vec<&str> = own.iter().map(String::as_str).collect();
            let mut found = market.store.populations_of(&own).await?;
            found.retain(|record| passes(record, &filters, of_language));
            let credits = if found.is_empty() {
                COST_WITHOUT
            } else {
                COST_PER_CARD
            };
            let charge = charge(
                &market.ledger,
                &account,
                Endpoint::Population,
                Cost { credits, calls: 1 },
            )
            .await?;
            let data = found.first().map_or(Shown::Nothing, |record| {
                Shown::One(Box::new(PopulationShown::of(record, market.scheme)))
            });
            let count = found.len();
            let page = Page {
                limit: 1,
                offset: 0,
            };
            let metadata = ListMetadata::of(
                if count == 0 { 0 } else { 1 },
                count,
                page,
                of_language.or_else(|| shared_language(&found, language)),
                Consumed::of(credits),
            );
            json(&Listed { data, metadata }, charge)
        }
        Asked::Some(ids, filters) => {
            let requested = i64::try_from(ids.len()).unwrap_or(i64::MAX);
            let charge = charge(
                &market.ledger,
                &account,
                Endpoint::Population,
                Cost {
                    credits: requested * COST_PER_CARD,
                    calls: 1,
                },
            )
            .await?;
            let called: Vec<&str> = ids.iter().map(String::as_str).collect();
            let own = market.own_ids(&called).await?.concat();
            let wanted: Vec<&str> = own.iter().map(String::as_str).collect();
            let mut found = market.store.populations_of(&wanted).await?;
            found.retain(|record| passes(record, &filters, of_language));
            let places: HashMap<&str, usize> = wanted
                .iter()
                .enumerate()
                .map(|(at, id)| (*id, at))
                .collect();
            found.sort_by_key(|record| {
                places
                    .get(record.marketplace_id.as_str())
                    .copied()
                    .unwrap_or(usize::MAX)
            });
            let data = Shown::Many(
                found
                    .iter()
                    .map(|record| PopulationShown::of(record, market.scheme))
                    .collect(),
            );
            let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
            let page = Page {
                limit: requested,
                offset: 0,
            };
            let metadata = ListMetadata::of(
                total,
                found.len(),
                page,
                of_language.or_else(|| shared_language(&found, language)),
                Consumed::of(requested * COST_PER_CARD),
            );
            json(&Listed { data, metadata }, charge)
        }
        Asked::List(query) => {
            let (total, found) = market.store.populations(&query).await?;
            let credits =
                (i64::try_from(found.len()).unwrap_or(i64::MAX) * COST_PER_CARD).max(COST_WITHOUT);
            let charge = charge(
                &market.ledger,
                &account,
                Endpoint::Population,
                Cost { credits, calls: 1 },
            )
            .await?;
            let data = Shown::Many(
                found
                    .iter()
                    .map(|record| PopulationShown::of(record, market.scheme))
                    .collect(),
            );
            let metadata = ListMetadata::of(
                total,
                found.len(),
                page,
                Some(language),
                Consumed::of(credits),
            );
            json(&Listed { data, metadata }, charge)
        }
    }
}

fn asked(parameters: &Parameters, language: Language, page: Page) -> Result<Asked, ApiError> {
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

/// Whether a population passes the filters of a query. Its tree, limit and offset are those of a
/// list.
/// The language of populations, if all have the same; `default` where there are none.
fn shared_language(found: &[PopulationRecord], default: Language) -> Option<Language> {
    let first = found.first().map_or(default, |record| record.language);
    found
        .iter()
        .all(|record| record.language == first)
        .then_some(first)
}

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

#[cfg(test)]
mod tests {
    use super::PopulationShown;
    use crate::market::{Counts, Grader};
    use crate::store::market::{MarketplaceId, PopulationRecord};
    use serde_json::json;
    use std::collections::BTreeMap;

    /// Worked by hand: 40 cards, 8 of them tens; 2 are authentic, so 38 have a number.
    #[test]
    fn totals_rates_and_shares_match_the_worked_example() {
        let counts = |text: &str| serde_json::from_str::<Counts>(text).expect("they are counts");
        let record = PopulationRecord {
            marketplace_id: "base1-4:card".to_owned(),
            counts: BTreeMap::from([
                (Grader::A, counts(r#"{"auth":2,"g8":10,"g9":12,"g10":5}"#)),
                (
                    Grader::B,
                    counts(r#"{"g9":2,"g9_5":6,"g10":1,"pristine":1,"perfect":1}"#),
                ),
            ]),
            confidence: "high".to_owned(),
            ..PopulationRecord::default()
        };
        let shown = serde_json::to_value(PopulationShown::of(&record, MarketplaceId::Own))
            .expect("it is JSON");
        assert_eq!(shown["totalPopulation"], 40);
        assert_eq!(shown["totalGems"], 8);
        assert_eq!(shown["combinedGemRate"], json!(20));
        assert_eq!(shown["gradersTracked"], json!(["GRADER_A", "GRADER_B"]));
        assert_eq!(
            shown["combinedTotals"],
            json!({"g8": 10, "g9": 14, "g9_5": 6, "g10": 6, "pristine": 1, "perfect": 1})
        );
        // higher than 8: 28 of 40; than 9: 14; than 9.5: 8; than 10: 2; than pristine: 1; than
        // perfect: none
        assert_eq!(
            shown["percentHigher"],
            json!({"g8": 70, "g9": 35, "g9_5": 20, "g10": 5, "pristine": 2.5, "perfect": 0})
        );
        assert_eq!(
            shown["populationByGrader"]["GRADER_A"],
            json!({"auth": 2, "g8": 10, "g9": 12, "g10": 5, "totalPopulation": 29, "gemRate": 17.2414})
        );
        assert_eq!(
            shown["populationByGrader"]["GRADER_B"]["gemRate"],
            json!(27.2727)
        );
        assert!(shown["matchScore"].is_null() && shown["lastFetchedDate"].is_null());
    }
}
