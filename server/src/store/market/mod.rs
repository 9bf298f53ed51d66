//! The market in the store: sets, cards, prices and their history, graded sales, populations and
//! sealed products.
//!
//! Reading is methods of [`Store`](super::Store); what loads is a [`Loader`], one transaction.

mod catalogue;
mod exports;
mod load;
mod population;
mod prices;
mod put;
mod records;
mod review;
mod sealed;

pub use catalogue::{CardOrder, CardQuery, NamedCards};
pub use exports::ExportRow;
pub use load::Loader;
pub use population::PopulationQuery;
pub use put::{Headline, NewSale, RateRow};
pub use records::{
    CardRecord, CardWithPrintings, GradedSale, ItemRecord, Language, PopulationRecord, Quote,
    SealedRecord, SetRecord,
};
pub use review::{Candidate, Decided, NewReview, ReviewRow, ReviewStatus, Verdict};
pub use sealed::SealedQuery;

/// A chunk's key is its item's times this, and the number of the chunk.
const CHUNKS: i64 = 1 << 16;

/// The key of an item's chunk.
#[must_use]
pub fn chunk_key(item: i64, chunk: i64) -> i64 {
    item * CHUNKS + chunk
}
