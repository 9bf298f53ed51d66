//! [`Findings`]: the results of the stages for one title, which decide the outcome and the answer.

use crate::attributes::query::Query;
use crate::attributes::readings::Readings;
use crate::calibrate::Ranked;
use crate::score::EvidenceLists;
use crate::score::weights::Weights;

/// All findings of the stages.
pub(crate) struct Findings<'f, 't> {
    pub(crate) readings: Readings<'f, 't>,
    pub(crate) query: &'f Query,
    pub(crate) weights: &'t Weights,
    /// The candidates that can be shown, best first.
    pub(crate) ranked: &'f [Ranked],
    /// Of those cards of `ranked` that are shown.
    pub(crate) evidence: &'f EvidenceLists,
    /// Probability that the catalogue lacks the card; `None` if the title was compared with no card.
    pub(crate) nil: Option<f64>,
}
