//! The title of a trading card listing goes in. What is being sold and which catalogue card it is comes
//! out: readings with their bytes, an outcome with a calibrated confidence, and ranked cards with
//! the evidence for each.
//!
//! # Overview
//!
//! | type | what it is |
//! |---|---|
//! | [`Engine`] | reads and matches titles; owns its catalogue, is shared by threads, and is made by [`Engine::new`] or an [`EngineBuilder`] |
//! | [`Catalogue`] | an index of cards, opened without parsing from bytes of any kind |
//! | [`Options`], [`Scratch`] | the caller's choices for a title, and memory that is reused from title to title |
//! | [`Answer`] | the result for one title: [`Parsed`], [`Outcome`] and [`Match`]es |
//! | [`Parsed`] | the attributes that the title states, and the [`Reading`] of words, each with its [`Span`] |
//! | [`Match`] | a card that the title can be, with its [`Probability`] and its [`Evidence`] in [`LogOdds`] |
//! | [`Dictionary`], [`Weights`], [`OutcomeWeights`] | the vocabulary and the weights of the evidence, to replace those of the build |
//! | [`Error`] | an error of opening or building a catalogue; reading a title has no error |
//!
//! # Examples
//!
//! Parse: what the words state by themselves, without a card.
//!
//! ```
//! # let engine = titledex::Engine::new(titledex_embedded::catalogue()?);
//! use titledex::{Field, Finish};
//! let title = "Charizard Holo 4/102 PSA 9";
//! let parsed = engine.parse(title);
//! assert_eq!((parsed.number.as_deref(), parsed.total.as_deref()), (Some("4"), Some("102")));
//! assert_eq!(parsed.printing.unwrap().finish, Some(Finish::Holo));
//! let grade = parsed.spans.iter().find(|reading| reading.field == Field::Grade).unwrap();
//! assert_eq!(grade.span.text(title), "9");
//! # Ok::<(), titledex::Error>(())
//! ```
//!
//! Match: which card it is, and why.
//!
//! ```
//! use titledex::{Engine, Options, OutcomeType};
//!
//! let engine = Engine::new(titledex_embedded::catalogue()?);
//! let answer = engine.answer("【PSA10】ブラッキーVMAX SA s6a 095/069 イーブイヒーローズ", &Options::new());
//! assert_eq!(answer.outcome.kind, OutcomeType::Match);
//! let card = &answer.matches[0];
//! assert_eq!(card.card_id, "asia:S6a-095");
//! assert!(card.confidence.get() > 0.9 && card.evidence[0].weight.get() > 1.0);
//! # Ok::<(), titledex::Error>(())
//! ```
//!
//! Refuse: titles that are not for one card of the catalogue.
//!
//! ```
//! # let engine = titledex::Engine::new(titledex_embedded::catalogue()?);
//! use titledex::{Options, OutcomeType};
//! let outcome = |title| engine.answer(title, &Options::new()).outcome.kind;
//! assert_eq!(outcome("Pokemon Evolving Skies Booster Box Factory Sealed"), OutcomeType::Sealed);
//! assert_eq!(outcome("Yu-Gi-Oh! Blue-Eyes White Dragon LOB-001 1st Edition"), OutcomeType::OtherGame);
//! # Ok::<(), titledex::Error>(())
//! ```
//!
//! Many titles: keep a [`Scratch`], whose memory a one-shot call allocates for each title.
//!
//! ```
//! # let engine = titledex::Engine::new(titledex_embedded::catalogue()?);
//! use titledex::{Options, Scratch};
//! let (mut scratch, options) = (Scratch::default(), Options::new().max_suggestions(1));
//! let titles = ["Charizard 4/102 Base Set", "Umbreon VMAX 215/203 Evolving Skies"];
//! let ids = titles.map(|title| {
//!     let answer = engine.answer_with(&mut scratch, title, &options);
//!     answer.matches[0].card_id.to_string()
//! });
//! assert_eq!(ids, ["base1-4", "swsh7-215"]);
//! # Ok::<(), titledex::Error>(())
//! ```
//!
//! The caller's own catalogue: an index that `titledex catalogue build` wrote, opened from bytes,
//! and an engine that is shared.
//!
//! ```
//! # let folder = std::env::temp_dir();
//! # let path = folder.join(format!("titledex-{}.index", std::process::id()));
//! # std::fs::write(&path, titledex_embedded::INDEX)?;
//! use std::sync::Arc;
//! use titledex::{Catalogue, Engine};
//! let catalogue = Catalogue::open(std::fs::read(&path)?)?; // or a memory map, or `include_bytes!`
//! let engine = Arc::new(Engine::builder(catalogue).build()?);
//! let shared = Arc::clone(&engine);
//! let name = std::thread::spawn(move || shared.catalogue().card("base1-4").map(|card| card.name.to_owned()));
//! assert_eq!(name.join().unwrap().as_deref(), Some("Charizard"));
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The flow
//!
//! Text moves one way: text → normalise → tokenize → tag → extract → clues → retrieve → score →
//! calibrate → overrule → outcome → answer. [`Engine::parse`] stops before a card is looked for.
//! The crate does no I/O, reads no clock and starts no thread; the same title and the same data
//! give the same bytes on every platform.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `build` | yes | building indexes from tables, for the command |
//! | `pack` | yes | packs: indexes as they travel to a browser |
//! | `compiled` | no | dictionaries as bytes: [`Dictionary::compile`] and [`Dictionary::compiled`] |
//! | `schema` | no | `utoipa::ToSchema` for the objects of an answer |
//! | `train` | no | fitting the weights, for the project's own tools |
//!
//! `serde` is always there: an [`Answer`] writes and reads its JSON.

// The order is that of docs/DESIGN.md, which `tests/flow.rs` holds them to.

// what every stage may use
mod span;

mod error;

mod keep;

mod math;

mod short;

mod sort;

mod trie;

mod word_lists;

mod options;

mod parsed;

mod answer;

mod json;

// the stages, and the data that they read
mod normalise;

mod token;

mod dictionary;

mod catalogue;

mod stats;

mod reference;

mod spelling;

mod reading;

mod attributes;

mod extract;

mod clues;

mod retrieve;

mod score;

mod calibrate;

mod overrule;

mod findings;

mod outcome;

mod assemble;

mod engine;

mod search;

// beside the flow: packing an index for a browser, building it, and fitting the weights
#[cfg(any(feature = "build", feature = "pack"))]
mod derive;

#[cfg(feature = "pack")]
mod pack;

#[cfg(feature = "build")]
mod build;

#[cfg(feature = "train")]
mod train;

pub use answer::{
    Answer, Conflict, Evidence, LogOdds, MarketIds, Match, NameSource, Outcome, OutcomeType,
    PrintingMatch, Probability, TitleError,
};
pub use catalogue::{CardView, Catalogue, CatalogueInfo, LocalView, PrintingView};
pub use dictionary::Dictionary;
pub use engine::{Engine, EngineBuilder, Scratch};
pub use error::{Error, ErrorKind};
pub use options::{MAX_TITLE_BYTES, Options};
pub use outcome::weights::OutcomeWeights;
pub use parsed::{
    Condition, Field, Finish, Grade, GradeValue, GraderCode, Kind, Parsed, PrintingReading,
    Reading, SetReading, Unread,
};
pub use score::weights::Weights;
pub use search::{Product, Within};
pub use span::Span;

/// Internals for the workspace's own tools, benches and tests: the stages, the builder, the pack
/// and the fit.
///
/// No part of the API: any of it changes without notice. So the workspace's crates ask for exactly
/// their own version of each other.
#[doc(hidden)]
pub mod internals {
    pub use crate::engine::Stage;

    pub mod catalogue {
        //! The index: records and facts.
        pub use crate::catalogue::*;
    }
    pub mod dictionary {
        //! The vocabulary: its files and their contents.
        pub use crate::dictionary::*;
    }
    pub mod normalise {
        //! The first stage.
        pub use crate::normalise::*;
    }
    pub mod score {
        //! The features of the evidence.
        pub use crate::score::*;
    }
    pub mod token {
        //! The second stage.
        pub use crate::token::*;
    }
    pub mod trie {
        //! The double array of keys.
        pub use crate::trie::*;
    }
    #[cfg(feature = "build")]
    pub mod build {
        //! Building an index.
        pub use crate::build::*;
    }
    #[cfg(feature = "pack")]
    pub mod pack {
        //! Packing an index for a browser.
        pub use crate::pack::*;
    }
    #[cfg(feature = "train")]
    pub mod train {
        //! Fitting the weights.
        pub use crate::train::*;
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
