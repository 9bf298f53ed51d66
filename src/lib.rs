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

// The order is that of docs/DESIGN.md, which `tests/flow.rs` holds them to.

// what every stage may use
pub mod span;

pub mod error;

mod math;

mod trie;

mod options;

pub mod parsed;

pub mod answer;

#[cfg(feature = "json")]
mod json;

// the stages, and the data that they read
pub mod normalise;

pub mod token;

pub mod dictionary;

pub mod catalogue;

mod stats;

mod reference;

mod spelling;

mod reading;

mod attributes;

mod extract;

mod clues;

mod retrieve;

pub mod score;

mod calibrate;

mod overrule;

mod findings;

mod outcome;

mod assemble;

pub mod engine;

mod search;

// beside the flow: what makes an index, carries it to a browser, and fits the weights
#[cfg(any(feature = "build", feature = "pack"))]
mod derive;

#[cfg(feature = "build")]
pub mod build;

#[cfg(feature = "pack")]
pub mod pack;

#[cfg(feature = "train")]
pub mod train;

pub use answer::{
    Answer, Evidence, Match, Outcome, OutcomeType, PrintingMatch, Probability, TitleError,
};
pub use catalogue::Catalogue;
#[doc(hidden)]
pub use engine::Stage;
pub use engine::{Engine, Scratch};
pub use error::{Error, ErrorKind};
pub use options::{MAX_TITLE_BYTES, Options};
pub use parsed::{
    Field, Grade, GradeValue, Kind, Parsed, PrintingReading, Reading, SetReading, Unread,
};
pub use search::Within;
pub use span::Span;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
