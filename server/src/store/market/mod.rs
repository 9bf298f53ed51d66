//! The market in the store: sets, cards, prices and their history, graded sales, populations and
//! sealed products.
//!
//! Reading is methods of [`Store`](super::Store); what loads is a [`Loader`], one transaction.

mod called;
mod catalogue;
mod chunks;
mod exports;
mod intake;
mod journal;
mod load;
mod population;
mod prices;
mod put;
mod records;
mod review;
mod sealed;
mod sold;

pub use super::freshness::Freshness;
pub use called::MarketplaceId;
pub use catalogue::{CardOrder, CardQuery, NamedCards};
pub use chunks::chunk_key;
pub use exports::{ExportAddress, ExportRow};
pub use intake::ReceiptRow;
pub use journal::{ImportRow, Undone};
pub use load::Loader;
pub use population::PopulationQuery;
pub use put::{Headline, NewSale, RateRow};
pub use records::{
    CardRecord, CardWithPrintings, GradedSale, ItemRecord, Language, PopulationRecord, Quote,
    SealedRecord, SetRecord,
};
pub use review::{Candidate, Decided, NewReview, ReviewRow, ReviewStatus, Verdict};
pub use sealed::SealedQuery;
pub use sold::{KnownListing, ListingKey};
