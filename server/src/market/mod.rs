//! The market: what its data is made of, apart from where it lies ([`crate::store::market`]) and
//! how it is asked for.

pub mod day;
pub mod export;
pub mod extend_catalogue;
pub mod grades;
pub(crate) mod headline;
pub mod history;
pub mod intake;
pub mod listing;
pub mod load;
pub mod load_index;
pub mod money;
pub mod rate;
pub mod seed_store;
pub mod stats;
pub mod synthetic;

pub use day::Day;
pub use grades::{Companies, Counts, Grade, GradeKey, Grader};
pub use history::Point;
pub use money::Money;
pub use rate::Rate;

/// The source of invented prices, and the name of the fact that says so of a whole store.
pub const SYNTHETIC: &str = "synthetic";
