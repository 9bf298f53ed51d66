//! A listing title goes in; what is being sold and which catalogue card it is comes out, ranked, with probabilities and the evidence for them.
//!
//! ```
//! use titledex::{Engine, Options, OutcomeType};
//!
//! let engine = Engine::new(titledex_embedded::catalogue()?)?;
//! let answer = engine.answer("【PSA10】ブラッキーVMAX SA s6a 095/069 イーブイヒーローズ", &Options::default());
//! assert_eq!(answer.outcome.kind, OutcomeType::Match);
//! assert_eq!(answer.matches[0].card_id, "asia:S6a-095");
//! assert_eq!(answer.parsed.language.as_deref(), Some("japanese"));
//! # Ok::<(), titledex::Error>(())
//! ```
//!
//! [`Engine`] holds a [`Catalogue`] and answers with [`Answer`]: [`Parsed`] (what the title states, with byte spans), [`Outcome`] and
//! [`Match`]es. Text moves one way: normalise → tokenize → tag → extract → parsed → retrieve → score → calibrate → outcome.
//! The crate does no I/O, reads no clock and starts no thread.

pub mod answer;
mod assemble;
pub mod catalogue;
pub mod dictionary;
pub mod engine;
pub mod error;
mod extract;
#[cfg(feature = "json")]
mod json;
pub mod normalise;
mod outcome;
pub mod parsed;
pub mod score;
pub mod span;
mod spelling;
pub mod token;
mod trie;

pub use answer::{
    Answer, Evidence, Match, Outcome, OutcomeType, PrintingMatch, Probability, TitleError,
};
pub use catalogue::Catalogue;
#[doc(hidden)]
pub use engine::Stage;
pub use engine::search::Within;
pub use engine::{Engine, MAX_TITLE_BYTES, Options, Scratch};
pub use error::{Error, ErrorKind};
pub use parsed::{
    Field, Grade, GradeValue, Kind, Parsed, PrintingReading, Reading, SetReading, Unread,
};
pub use span::Span;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
