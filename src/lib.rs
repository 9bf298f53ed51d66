//! titledex
pub mod answer;
pub mod catalogue;
pub mod dictionary;
pub mod error;
pub mod normalise;
pub mod parsed;
pub mod span;
pub mod token;
pub use answer::*;
pub use catalogue::Catalogue;
pub use error::{Error, ErrorKind};
pub use parsed::*;
pub use span::Span;
pub mod engine { pub const MAX_TITLE_BYTES: usize = 4096; }
