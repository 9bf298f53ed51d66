//! [`Findings`]: what the stages found in one title, for those that decide what it sells and write the answer.

use crate::attributes::query::Query;
use crate::attributes::readings::Readings;
use crate::calibrate::Ranked;
use crate::score::EvidenceLists;
use crate::score::weights::Weights;

/// What the stages found.
pub(crate) struct Findings<'f, 't, 'a> {
    pub(crate) readings: Readings<'f, 't, 'a>,
    pub(crate) query: &'f Query,
    pub(crate) weights: &'t Weights,
    /// The candidates that can be shown, best first.
    pub(crate) ranked: &'f [Ranked],
    /// Of those cards of `ranked` that are shown.
    pub(crate) evidence: &'f EvidenceLists,
    /// Probability that the card is none of the catalogue's.
    pub(crate) nil: f64,
}
