//! [`Reference`]: the data that every title is compared with.

use crate::catalogue::Columns;
use crate::dictionary::Dictionary;
use crate::stats::CatalogueStats;

/// The data that the stages from the clues on share: it is the same for every title.
#[derive(Clone, Copy)]
pub(crate) struct Reference<'r, 'a> {
    pub(crate) catalogue: &'r Columns<'a>,
    pub(crate) dictionary: &'a Dictionary,
    pub(crate) stats: &'a CatalogueStats,
}
