//! Populations as they are answered, and what they cost.

use crate::market::day::iso;
use crate::market::{Counts, Grade, Grader, Money, stats};
use crate::store::market::{MarketplaceId, PopulationRecord};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use titledex::MarketIds;
use utoipa::ToSchema;

/// The cost of a card with its population.
pub(super) const COST_PER_CARD: i64 = 2;

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
    pub(super) fn of(record: &'p PopulationRecord, scheme: MarketplaceId) -> Self {
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
    pub(super) fn of(total: i64) -> Self {
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
