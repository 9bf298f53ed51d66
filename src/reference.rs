//! [`Reference`]: what every title is compared with.

use crate::catalogue::Catalogue;
use crate::dictionary::Dictionary;
use crate::stats::CatalogueStats;

/// The data that the stages from the clues on share: it is the same for every title.
#[derive(Clone, Copy)]
pub(crate) struct Reference<'r, 'a> {
    pub(crate) catalogue: &'r Catalogue<'a>,
    pub(crate) dictionary: &'r Dictionary,
    pub(crate) stats: &'r CatalogueStats,
}
