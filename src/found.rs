//! [`Found`]: what the stages found in one title, for those that decide what it sells and write the answer.

use crate::calibrate::Ranked;
use crate::clues::Query;
use crate::extract::Proposal;
use crate::extract::context::Context;
use crate::extract::grade::GradeReading;
use crate::extract::lookup::Hit;
use crate::extract::number::NumberReading;
use crate::reference::Reference;
use crate::score::EvidenceLists;
use crate::score::weights::Weights;
use crate::span::Span;

/// What the stages found.
pub(crate) struct Found<'f, 't> {
    pub(crate) reference: Reference<'f, 't>,
    pub(crate) weights: &'t Weights,
    pub(crate) title: &'t str,
    pub(crate) context: Context<'f>,
    pub(crate) hits: &'f [Hit],
    pub(crate) numbers: &'f [NumberReading],
    pub(crate) grades: &'f [GradeReading],
    pub(crate) proposals: &'f [Proposal],
    /// Those that were chosen, in the order of the title.
    pub(crate) chosen: &'f [Proposal],
    /// The weight that each of those won over.
    pub(crate) rivals: &'f [f32],
    /// Parts of the title that no chosen reading explains.
    pub(crate) unread: &'f [Span],
    pub(crate) query: &'f Query,
    pub(crate) ranked: &'f [Ranked],
    /// Of those cards of `ranked` that are shown.
    pub(crate) evidence: &'f EvidenceLists,
    /// Probability that the card is none of the catalogue's.
    pub(crate) nil: f64,
}
