//! [`Plans`]: what each plan allows. The configuration file may change it.

use crate::number::{Bound, Number, set};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a plan allows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// The name: `free`, `api`, `business`, `enterprise`.
    pub name: String,
    /// Credits a UTC day, for v2.
    pub daily_credits: u64,
    /// Calls a minute, for v2.
    pub minute_calls: u64,
    /// Requests a UTC day, for v1.
    pub v1_daily_requests: u64,
    /// Requests a minute, for v1.
    pub v1_minute_requests: u64,
    /// Keys that are not revoked; null for any number.
    #[schema(required)]
    pub keys: Option<u64>,
    /// Days of price history; null for all.
    #[schema(required)]
    pub history_days: Option<u64>,
    /// Points of a price history at most; more than 365 cost more.
    pub history_points: u64,
    /// Grading population data.
    pub population: bool,
    /// Downloads of the daily export; 0 for none.
    pub export_downloads: u64,
}

/// The changes to a plan in the configuration. What it leaves out stays.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlanSettings {
    daily_credits: Option<Number>,
    minute_calls: Option<Number>,
    v1_daily_requests: Option<Number>,
    v1_minute_requests: Option<Number>,
    /// `"unlimited"` or a number.
    keys: Option<Bound>,
    history_days: Option<Bound>,
    history_points: Option<Number>,
    population: Option<bool>,
    export_downloads: Option<Number>,
}

/// The largest number of credits or calls, because the database's integers are signed.
const MOST: i64 = 1 << 53;

/// The fewest points of a history: the first and the last.
pub(crate) const LEAST_POINTS: i64 = 2;

/// All plans, in the order of what they allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plans(Vec<Plan>);

impl Default for Plans {
    /// The table of `docs/SERVICE.md`.
    fn default() -> Self {
        let free = Plan {
            name: "free".to_owned(),
            daily_credits: 100,
            minute_calls: 60,
            v1_daily_requests: 200,
            v1_minute_requests: 60,
            keys: Some(1),
            history_days: Some(3),
            history_points: 365,
            population: false,
            export_downloads: 0,
        };
        let api = Plan {
            name: "api".to_owned(),
            daily_credits: 20_000,
            minute_calls: 300,
            v1_daily_requests: 20_000,
            keys: Some(5),
            history_days: Some(183),
            ..free.clone()
        };
        let business = Plan {
            name: "business".to_owned(),
            daily_credits: 200_000,
            minute_calls: 1_200,
            v1_daily_requests: 200_000,
            keys: None,
            history_days: None,
            history_points: 3_650,
            population: true,
            export_downloads: 2,
            ..free.clone()
        };
        let enterprise = Plan {
            name: "enterprise".to_owned(),
            daily_credits: 2_000_000,
            minute_calls: 6_000,
            keys: Some(20),
            ..business.clone()
        };
        Self(vec![free, api, business, enterprise])
    }
}

impl Plans {
    /// The plan of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Plan> {
        self.0.iter().find(|plan| plan.name == name)
    }

    /// All plans.
    pub fn iter(&self) -> impl Iterator<Item = &Plan> {
        self.0.iter()
    }

    /// The names, for messages.
    #[must_use]
    pub fn names(&self) -> String {
        self.0
            .iter()
            .map(|plan| plan.name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Where to get what some plans have, for messages.
    #[must_use]
    pub fn with(&self, has: impl Fn(&Plan) -> bool) -> String {
        let names: Vec<&str> = self
            .iter()
            .filter(|plan| has(plan))
            .map(|plan| plan.name.as_str())
            .collect();
        match names.as_slice() {
            [] => "no plan of this service has it".to_owned(),
            names => format!("take the plan {}", names.join(" or ")),
        }
    }

    /// Changes the plan `name`, or adds it with the values of the smallest plan.
    ///
    /// # Errors
    /// A sentence that names the number out of its range.
    pub fn alter(&mut self, name: &str, settings: &PlanSettings) -> Result<(), String> {
        let plan = match self.0.iter_mut().position(|plan| plan.name == name) {
            Some(at) => &mut self.0[at],
            None => {
                let new = Plan {
                    name: name.to_owned(),
                    ..self.0[0].clone()
                };
                self.0.push(new);
                let last = self.0.len() - 1;
                &mut self.0[last]
            }
        };
        let numbers = [
            (
                "daily-credits",
                settings.daily_credits,
                &mut plan.daily_credits,
            ),
            (
                "minute-calls",
                settings.minute_calls,
                &mut plan.minute_calls,
            ),
            (
                "v1-daily-requests",
                settings.v1_daily_requests,
                &mut plan.v1_daily_requests,
            ),
            (
                "v1-minute-requests",
                settings.v1_minute_requests,
                &mut plan.v1_minute_requests,
            ),
            (
                "export-downloads",
                settings.export_downloads,
                &mut plan.export_downloads,
            ),
        ];
        for (key, value, place) in numbers {
            set(place, value, &format!("plans.{name}.{key}"), 0..=MOST)?;
        }
        set(
            &mut plan.history_points,
            settings.history_points,
            &format!("plans.{name}.history-points"),
            LEAST_POINTS..=MOST,
        )?;
        for (key, value, place) in [
            ("keys", settings.keys, &mut plan.keys),
            (
                "history-days",
                settings.history_days,
                &mut plan.history_days,
            ),
        ] {
            if let Some(value) = value {
                *place = value.within(&format!("plans.{name}.{key}"), MOST)?;
            }
        }
        if let Some(population) = settings.population {
            plan.population = population;
        }
        Ok(())
    }
}
