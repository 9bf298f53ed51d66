//! [`OutcomeWeights`]: the weight of each sign, from `dictionaries/outcome_weights.csv`.

use super::class::Class;
#[cfg(feature = "train")]
use super::table::Start;
use super::table::{CLASSES, COUNT, SIGNS, Sign};
use crate::dictionary::load::rows;
use crate::error::{Error, ErrorKind};
use crate::math::decimal;
use once_cell::sync::OnceCell;

/// The weight of each sign of what is being sold, in log-odds against one card.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeWeights([f32; COUNT]);

static BUILTIN: OnceCell<OutcomeWeights> = OnceCell::new();

impl OutcomeWeights {
    /// The weights of this build.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`]. A test reads the file, so a released build never fails.
    pub fn builtin() -> Result<OutcomeWeights, Error> {
        let load = || {
            OutcomeWeights::load(include_str!(concat!(
                env!("OUT_DIR"),
                "/outcome_weights.csv"
            )))
        };
        BUILTIN.get_or_try_init(load).cloned()
    }

    /// Reads weights from CSV with the columns `sign,weight,note`.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`], naming the line, if a sign is unknown, missing or not a number.
    pub fn load(text: &str) -> Result<OutcomeWeights, Error> {
        let mut weights = [f32::NAN; COUNT];
        let bad = |line: u64, what: &str| {
            Error::new(
                ErrorKind::Dictionary,
                format!("dictionaries/outcome_weights.csv:{line}: {what}"),
            )
        };
        for row in rows("outcome_weights.csv", text, &["sign", "weight", "note"])? {
            let at = SIGNS
                .iter()
                .position(|sign| sign.4 == row.cell(0))
                .ok_or_else(|| bad(row.line, "`sign` is unknown"))?;
            weights[at] =
                decimal(row.cell(1)).ok_or_else(|| bad(row.line, "`weight` is not a number"))?;
        }
        match SIGNS.iter().zip(&weights).find(|(_, w)| !w.is_finite()) {
            Some((sign, _)) => Err(bad(1, &format!("sign `{}` has no weight", sign.4))),
            None => Ok(OutcomeWeights(weights)),
        }
    }

    /// The start of a fit, and the values that it is pulled to.
    #[cfg(feature = "train")]
    #[doc(hidden)]
    #[must_use]
    pub fn neutral() -> OutcomeWeights {
        OutcomeWeights(SIGNS.map(|sign| sign.2.weight()))
    }

    /// The weight of `sign`.
    pub(crate) fn of(&self, sign: Sign) -> f32 {
        self.0[sign as usize]
    }

    /// The log-odds of each class against one card.
    pub(super) fn log_odds(&self, values: &[f32; COUNT]) -> [f32; Class::ALL.len()] {
        let mut odds = [0.0; Class::ALL.len()];
        for ((class, weight), value) in CLASSES.iter().zip(&self.0).zip(values) {
            odds[*class as usize] += weight * value;
        }
        odds
    }
}

#[cfg(feature = "train")]
impl OutcomeWeights {
    /// The number of signs.
    pub(crate) const COUNT: usize = COUNT;

    /// The weights by the places of the signs.
    pub(crate) fn from_values(values: &[f64; COUNT]) -> OutcomeWeights {
        OutcomeWeights(values.map(|value| value as f32))
    }

    /// The weights as a fit takes them.
    pub(crate) fn values(&self) -> [f64; COUNT] {
        self.0.map(f64::from)
    }

    /// The class of the sign at a place.
    pub(crate) fn class(at: usize) -> Class {
        SIGNS[at].1
    }

    /// Whether a weight keeps the direction of the sign at a place: what speaks for a class never
    /// speaks against it.
    pub(crate) fn keeps_direction(at: usize, weight: f64) -> bool {
        match SIGNS[at].2 {
            Start::Always => true,
            Start::Strong | Start::Middle | Start::Weak => weight >= 0.0,
            Start::Against | Start::StrongAgainst => weight <= 0.0,
        }
    }

    /// The file that [`OutcomeWeights::load`] reads, each row with what the sign is.
    #[doc(hidden)]
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut rows: Vec<(&str, f32, &str)> = SIGNS
            .iter()
            .zip(&self.0)
            .map(|(sign, weight)| (sign.4, *weight, sign.5))
            .collect();
        rows.sort_by(|a, b| a.0.cmp(b.0));
        let body: String = rows
            .iter()
            .map(|(name, weight, note)| {
                let quote = if note.contains(',') { "\"" } else { "" };
                format!("{name},{weight:.3},{quote}{note}{quote}\n")
            })
            .collect();
        format!("sign,weight,note\n{body}")
    }
}
