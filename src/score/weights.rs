//! [`Weights`]: the weight of each kind of evidence, from `dictionaries/weights.csv`.

use super::features::{FEATURES, Feature};
use crate::dictionary::load::rows;
use crate::error::{Error, ErrorKind};
use crate::math::decimal;
use once_cell::sync::OnceCell;

/// The weight of each feature, and the numbers that turn sums into probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    features: [f32; FEATURES.len()],
    /// Log-odds that a card title is of a card of the catalogue, before it is read.
    pub prior: f32,
    /// Sums are divided by it.
    pub temperature: f32,
}

/// A temperature below this would divide by nothing.
const LEAST_TEMPERATURE: f64 = 0.01;

static BUILTIN: OnceCell<Weights> = OnceCell::new();

impl Weights {
    /// The weights of this build.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`]. A test reads the file, so a released build never fails.
    pub fn builtin() -> Result<Weights, Error> {
        let load = || Weights::load(include_str!(concat!(env!("OUT_DIR"), "/weights.csv")));
        BUILTIN.get_or_try_init(load).cloned()
    }

    /// Reads weights from CSV with the columns `feature,weight,note`.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`], naming the line, if a feature is unknown, missing or not a
    /// number.
    pub fn load(text: &str) -> Result<Weights, Error> {
        let mut weights = Weights {
            features: [f32::NAN; FEATURES.len()],
            prior: f32::NAN,
            temperature: f32::NAN,
        };
        let bad = |line: u64, what: &str| {
            Error::new(
                ErrorKind::Dictionary,
                format!("dictionaries/weights.csv:{line}: {what}"),
            )
        };
        for row in rows("weights.csv", text, &["feature", "weight", "note"])? {
            let value: f32 =
                decimal(row.cell(1)).ok_or_else(|| bad(row.line, "`weight` is not a number"))?;
            match row.cell(0) {
                "prior" => weights.prior = value,
                "temperature" => weights.temperature = value,
                name => {
                    let at = FEATURES
                        .iter()
                        .position(|f| f.3 == name)
                        .ok_or_else(|| bad(row.line, "`feature` is unknown"))?;
                    weights.features[at] = value;
                }
            }
        }
        let missing = FEATURES
            .iter()
            .find(|f| weights.features[f.0 as usize].is_nan())
            .map(|f| f.3);
        if let Some(name) = missing
            .or_else(|| weights.prior.is_nan().then_some("prior"))
            .or_else(|| weights.temperature.is_nan().then_some("temperature"))
        {
            return Err(bad(1, &format!("feature `{name}` has no weight")));
        }
        Ok(weights)
    }

    /// What scores are divided by.
    pub(crate) fn divisor(&self) -> f64 {
        f64::from(self.temperature).max(LEAST_TEMPERATURE)
    }

    /// Whether what speaks for a card never speaks against it, and the reverse: then scores have
    /// bounds. A fit holds to it; weights of a caller's own need not.
    pub(crate) fn keep_directions(&self) -> bool {
        FEATURES.iter().all(|row| {
            let weight = self.of(row.0);
            if row.0.speaks_for() {
                weight >= 0.0
            } else {
                weight <= 0.0
            }
        })
    }

    /// The start of a fit, and the values that it is pulled to: a little for each agreement, more
    /// against each difference.
    #[cfg(feature = "train")]
    #[doc(hidden)]
    #[must_use]
    pub fn neutral() -> Weights {
        let mut weights = Weights {
            features: [0.0; FEATURES.len()],
            prior: 5.0,
            temperature: 1.0,
        };
        for row in &FEATURES {
            weights.set(row.0, if row.0.speaks_for() { 0.5 } else { -2.0 });
        }
        weights
    }

    /// Sets the weight of `feature`.
    #[cfg(feature = "train")]
    pub(crate) fn set(&mut self, feature: Feature, weight: f32) {
        self.features[feature as usize] = weight;
    }

    /// The file that [`Weights::load`] reads, each row with `note`.
    #[cfg(feature = "train")]
    #[doc(hidden)]
    #[must_use]
    pub fn to_csv(&self, note: &str) -> String {
        let mut rows: Vec<(&str, f32)> = FEATURES.iter().map(|f| (f.3, self.of(f.0))).collect();
        rows.extend([("prior", self.prior), ("temperature", self.temperature)]);
        rows.sort_by(|a, b| a.0.cmp(b.0));
        let body: String = rows
            .iter()
            .map(|(name, weight)| format!("{name},{weight:.3},{note}\n"))
            .collect();
        format!("feature,weight,note\n{body}")
    }

    /// The weight of `feature`.
    #[doc(hidden)]
    #[must_use]
    pub fn of(&self, feature: Feature) -> f32 {
        self.features[feature as usize]
    }
}
