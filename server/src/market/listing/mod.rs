//! Sold listings: what one says of its sale, which listing it is, and where its sale belongs.

mod foreign;
mod identity;
mod placing;
mod products;
mod words;

pub use identity::{Identity, alike, listing_number};
pub use placing::{Kept, LeftOut, Placing, Rules, grade_word};
pub use products::{Product, Products};
pub use words::{Outcome, Said, Status, status, words_of};
