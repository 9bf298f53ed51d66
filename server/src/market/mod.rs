//! The market: what its data is made of, apart from where it lies ([`crate::store::market`]) and how it is asked for.

pub mod beside;
pub mod day;
pub mod export;
pub mod fill;
pub mod grades;
pub mod history;
pub mod known;
pub mod load;
pub mod money;
pub mod rate;
pub mod stats;
pub mod synthetic;

pub use day::Day;
pub use grades::{Companies, Counts, Grade, GradeKey, Grader};
pub use history::Point;
pub use money::Money;
pub use rate::Rate;
