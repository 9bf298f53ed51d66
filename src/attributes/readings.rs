//! [`Readings`]: all readings of one title.

use super::grade::GradeReading;
use super::hit::Hit;
use super::number::NumberReading;
use crate::reading::context::Context;
use crate::reading::{Chosen, Proposal};
use crate::reference::Reference;
use crate::span::Span;

/// All readings of one title.
#[derive(Clone, Copy)]
pub(crate) struct Readings<'f, 't> {
    pub(crate) reference: Reference<'f, 't>,
    pub(crate) title: &'t str,
    pub(crate) context: Context<'f>,
    pub(crate) hits: &'f [Hit],
    pub(crate) numbers: &'f [NumberReading],
    pub(crate) grades: &'f [GradeReading],
    pub(crate) proposals: &'f [Proposal],
    /// Those that were chosen, in the order of the title.
    pub(crate) chosen: &'f Chosen,
    /// The weight that each of those won over.
    pub(crate) rivals: &'f [f32],
    /// Parts of the title that no chosen reading explains.
    pub(crate) unread: &'f [Span],
}
