//! The market in the store: sets, cards, prices and their history, graded sales, populations and
//! sealed products.
//!
//! Reading is methods of [`Store`](super::Store); what loads is a [`Loader`], one transaction.

mod called;
mod card_query;
mod catalogue;
mod chunks;
mod decide;
mod delete;
mod delete_price;
mod exports;
mod folded;
mod intake;
mod journal;
mod known_prices;
mod load;
mod merge;
mod population;
mod prices;
mod put;
mod put_catalogue;
mod put_prices;
mod records;
mod review;
mod rows;
mod sealed;
mod sold;
mod source_history;
mod tracked;
mod undo;

pub use super::freshness::Freshness;
pub use called::MarketplaceId;
pub use card_query::{CardOrder, CardQuery, CardSort};
pub use catalogue::NamedCards;
pub use chunks::chunk_key;
pub use decide::{BulkDecided, BulkVerdict, Decided, Verdict};
pub use delete::{Deleted, SaleRow};
pub use delete_price::{PriceName, QuoteName};
pub use exports::{ExportAddress, ExportRow};
pub(crate) use folded::folded;
pub use intake::ReceiptRow;
pub use journal::{ChangeRow, DeedKind};
pub use known_prices::KnownPrices;
pub use load::Loader;
pub use merge::{Merge, MergeReport, Merged};
pub use population::PopulationQuery;
pub use put::{NewSale, RateRow};
pub use put_prices::Headline;
pub use records::{
    CardKind, CardRecord, CardWithPrintings, GradedSale, ItemRecord, Language, PopulationRecord,
    Quote, SealedRecord, SetRecord,
};
pub use review::{
    Candidate, ListingKind, MOST_DECIDED, NewReview, ReviewFilter, ReviewPage, ReviewRow,
    ReviewStatus, Snapshot,
};
pub use sealed::{SealedName, SealedOrder, SealedQuery, SealedSort};
pub use sold::{KnownListing, ListingKey};
pub use source_history::{PriceSource, SourceChunk};
pub use undo::{Undoing, Undone};
