//! The market in the store: sets, cards, prices and their history, graded sales, populations and
//! sealed products.
//!
//! Reading is methods of [`Store`](super::Store); what loads is a [`Loader`], one transaction.

mod called;
mod card_query;
mod catalogue;
mod chunks;
mod exports;
mod journal;
mod load;
mod population;
mod prices;
mod put;
mod records;
mod review;
mod sealed;
mod sold;

pub use called::MarketplaceId;
pub use card_query::{CardOrder, CardQuery, CardSort};
pub use catalogue::NamedCards;
pub use chunks::chunk_key;
pub use exports::{ExportAddress, ExportRow, Freshness};
pub use journal::{ImportRow, Undone};
pub use load::Loader;
pub use population::PopulationQuery;
pub use put::{Headline, NewSale, RateRow};
pub use records::{
    CardKind, CardRecord, CardWithPrintings, GradedSale, ItemRecord, Language, PopulationRecord,
    Quote, SealedRecord, SetRecord,
};
pub use review::{Candidate, Decided, NewReview, ReviewRow, ReviewStatus, Verdict};
pub use sealed::{SealedOrder, SealedQuery, SealedSort};
pub use sold::{KnownListing, ListingKey};
