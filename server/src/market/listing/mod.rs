//! Sold listings: what one says of its sale, which listing it is, and where its sale belongs.

mod foreign;
pub mod identity;
mod placing;
pub mod products;
pub mod words;

pub use placing::{Kept, LeftOut, Placing, Rules, grade_word};
