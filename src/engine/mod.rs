//! [`Engine`]: the stages in their order, for one title after another.

mod matcher;
mod misspelt;
mod rank;

use crate::answer::Answer;
use crate::attributes::grade::GradeReading;
use crate::attributes::hit::Hit;
use crate::attributes::number::NumberReading;
use crate::attributes::query::Query;
use crate::calibrate::Ranked;
use crate::catalogue::{Catalogue, Columns, View};
use crate::clues::misspelt::Speller;
use crate::dictionary::{Dictionary, Region, Tagged};
use crate::error::{Error, ErrorKind};
use crate::extract::Cover;
use crate::normalise::{Normalised, normalise_into};
use crate::options::{MAX_TITLE_BYTES, Options};
use crate::outcome::weights::OutcomeWeights;
use crate::parsed::Parsed;
use crate::reading::Proposal;
use crate::reading::context::Script;
use crate::retrieve::Candidates;
use crate::score::EvidenceLists;
use crate::score::art::RarityArts;
use crate::score::memory::Memory;
use crate::score::weights::Weights;
use crate::sort::sort_by;
use crate::span::Span;
use crate::spelling::Misspelt;
use crate::stats::CatalogueStats;
use crate::token::{Line, OneKey, tokenize_into};
use matcher::too_long;
use std::ops::Deref;
use std::sync::Arc;

/// A stage of the way from a title to its answer, in order.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Stage {
    /// Title → folded text.
    Normalise,
    /// Folded text → tokens and key.
    Tokenise,
    /// Key → words of the dictionaries, names and sets of the catalogue.
    Tag,
    /// Tags → the readings that explain the title best: parsing.
    Read,
    /// Readings → clues → candidate cards.
    Retrieve,
    /// Candidates → scores and probabilities, with the readings settled again.
    Score,
}

/// Memory that one title after another uses.
#[derive(Clone, Default)]
pub struct Scratch {
    pub(crate) normalised: Normalised,
    pub(crate) line: Line,
    script: Script,
    pub(crate) tags: Vec<Tagged>,
    /// What each word says beside digits.
    units: Vec<u32>,
    pub(crate) hits: Vec<Hit>,
    pub(crate) numbers: Vec<NumberReading>,
    grades: Vec<GradeReading>,
    pub(crate) proposals: Vec<Proposal>,
    pub(crate) cover: Cover,
    pub(crate) query: Query,
    pub(crate) candidates: Candidates,
    pub(crate) memory: Memory,
    ranked: Vec<Ranked>,
    evidence: EvidenceLists,
    pub(crate) misspelt: Misspelt,
    /// The key of a name that words of the title are compared with.
    one_key: OneKey,
    /// Cores of the candidates.
    pub(crate) cores: Vec<u32>,
    /// Parts of the title that nothing explains.
    unread: Vec<Span>,
    /// The ends of graders' names in the key.
    grader_ends: Vec<u32>,
    /// The places of numbers in the key.
    shapes: Vec<(usize, usize)>,
    /// The places of subjects' names in the key.
    name_starts: Vec<u32>,
    name_ends: Vec<u32>,
}

/// Reads titles and matches them with one catalogue.
///
/// It is built once, owns all that it reads, and is shared by threads (in an [`Arc`] if they
/// outlive the caller); each thread brings its own [`Scratch`].
///
/// ```
/// use titledex::{Engine, Options};
/// let engine = Engine::new(titledex_embedded::catalogue()?);
/// let answer = engine.answer("1999 Pokemon Base Set Charizard 4/102 Holo PSA 9 MINT", &Options::new());
/// assert_eq!(answer.matches[0].card_id, "base1-4");
/// assert_eq!(answer.parsed.grade.unwrap().grader, "PSA");
/// # Ok::<(), titledex::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    catalogue: Catalogue,
    dictionary: Arc<Dictionary>,
    pub(crate) weights: Weights,
    pub(crate) outcome_weights: OutcomeWeights,
    pub(crate) stats: CatalogueStats,
    pub(crate) arts: RarityArts,
    pub(crate) speller: Speller,
    /// The weights keep the directions of their features.
    bounded: bool,
    /// Every card of the catalogue is a candidate of every title.
    scanning: bool,
}

/// An engine with the columns of its catalogue at hand, for one title.
pub(crate) struct Matcher<'r, 'a> {
    engine: &'a Engine,
    pub(crate) catalogue: &'r Columns<'a>,
    /// Words may be misspelt: see [`Options::fuzzy`].
    fuzzy: bool,
}

impl Deref for Matcher<'_, '_> {
    type Target = Engine;

    #[inline]
    fn deref(&self) -> &Engine {
        self.engine
    }
}

/// Builds an [`Engine`] with the caller's vocabulary or weights.
///
/// ```
/// use titledex::{Engine, Weights};
/// let catalogue = titledex_embedded::catalogue()?;
/// let engine = Engine::builder(catalogue).weights(Weights::builtin()?).build()?;
/// assert!(engine.catalogue().card("base1-4").is_some());
/// # Ok::<(), titledex::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct EngineBuilder {
    catalogue: Catalogue,
    dictionary: Option<Arc<Dictionary>>,
    weights: Option<Weights>,
    outcome_weights: Option<OutcomeWeights>,
    games: Vec<String>,
}

impl EngineBuilder {
    /// Reads titles by `dictionary`, which engines may share, in place of the vocabulary of this
    /// build.
    pub fn dictionary(mut self, dictionary: impl Into<Arc<Dictionary>>) -> Self {
        self.dictionary = Some(dictionary.into());
        self
    }

    /// Weighs evidence by `weights` in place of those of this build.
    pub fn weights(mut self, weights: Weights) -> Self {
        self.weights = Some(weights);
        self
    }

    /// Weighs the signs of what is being sold by `weights` in place of those of this build.
    pub fn outcome_weights(mut self, weights: OutcomeWeights) -> Self {
        self.outcome_weights = Some(weights);
        self
    }

    /// Finds only cards of these games, by their ids; without it those of all games that the
    /// catalogue holds. A title that names one of the others is one of another game.
    ///
    /// ```
    /// use titledex::Engine;
    /// let catalogue = titledex_embedded::catalogue()?;
    /// assert!(Engine::builder(catalogue.clone()).games(["pokemon"]).build().is_ok());
    /// let error = Engine::builder(catalogue).games(["poker"]).build().unwrap_err();
    /// assert!(error.to_string().contains("`poker`"));
    /// # Ok::<(), titledex::Error>(())
    /// ```
    pub fn games<I: IntoIterator<Item: Into<String>>>(mut self, games: I) -> Self {
        self.games = games.into_iter().map(Into::into).collect();
        self
    }

    /// The engine.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Source`] if the catalogue holds no cards of a game that
    /// [`EngineBuilder::games`] names, and [`crate::ErrorKind::Dictionary`] if the dictionary that the
    /// index brings for a game of its own cannot be read.
    pub fn build(self) -> Result<Engine, Error> {
        let dictionary = match self.dictionary {
            Some(dictionary) => dictionary,
            None => match (
                &self.catalogue.columns().game_files()[..],
                self.catalogue.dictionary(),
            ) {
                ([], Some(given)) => Arc::clone(given),
                ([], None) => Dictionary::builtin()?,
                (own, _) => Arc::new(Dictionary::with(own.iter().copied())?),
            },
        };
        let outcome_weights = match self.outcome_weights {
            Some(weights) => weights,
            None => OutcomeWeights::builtin()?,
        };
        Engine::of(
            self.catalogue,
            dictionary,
            self.weights,
            outcome_weights,
            &self.games,
        )
    }
}

/// The bits of `games` among those of the catalogue; of all if none is given.
fn open_games(catalogue: &Columns<'_>, games: &[String]) -> Result<u32, Error> {
    if games.is_empty() {
        return Ok(u32::MAX);
    }
    games
        .iter()
        .try_fold(0, |open, game| match catalogue.game_bit(game) {
            0 => {
                let held: Vec<&str> = catalogue.game_ids().collect();
                let held = held.join(", ");
                let message =
                    format!("the catalogue has no cards of the game `{game}`; it has: {held}");
                Err(Error::new(ErrorKind::Source, message))
            }
            bit => Ok(open | bit),
        })
}

impl Engine {
    /// An engine for `catalogue`, with the vocabulary and weights of this build.
    ///
    /// # Panics
    /// If the index brings the dictionary of a game of its own and this build cannot read it: it was
    /// damaged, or built by another version. For an index that others made, use
    /// [`Engine::builder`], which returns that as an error.
    #[must_use]
    pub fn new(catalogue: Catalogue) -> Engine {
        let built = Engine::builder(catalogue).build();
        built.unwrap_or_else(|error| panic!("an engine for this catalogue: {error}"))
    }

    /// An engine with the caller's vocabulary, for a program that travels: it does not carry the files
    /// of the build, which [`EngineBuilder::build`] may need.
    ///
    /// # Errors
    /// As [`EngineBuilder::build`].
    #[doc(hidden)]
    pub fn with_dictionary(
        catalogue: Catalogue,
        dictionary: Arc<Dictionary>,
    ) -> Result<Engine, Error> {
        let outcome_weights = OutcomeWeights::builtin()?;
        Engine::of(catalogue, dictionary, None, outcome_weights, &[])
    }

    /// Begins an engine for `catalogue` with the caller's vocabulary or weights.
    pub fn builder(catalogue: Catalogue) -> EngineBuilder {
        EngineBuilder {
            catalogue,
            dictionary: None,
            weights: None,
            outcome_weights: None,
            games: Vec::new(),
        }
    }

    #[inline(never)]
    fn of(
        catalogue: Catalogue,
        dictionary: Arc<Dictionary>,
        weights: Option<Weights>,
        outcome_weights: OutcomeWeights,
        games: &[String],
    ) -> Result<Engine, Error> {
        let open_games = open_games(&catalogue.columns(), games)?;
        let weights = match weights {
            Some(weights) => weights,
            None => Weights::builtin()?,
        };
        Ok(Engine {
            bounded: weights.keep_directions(),
            weights,
            outcome_weights,
            arts: RarityArts::of(&catalogue.columns()),
            stats: CatalogueStats::of(&catalogue.columns(), &dictionary, open_games),
            dictionary,
            catalogue,
            speller: Speller::builtin()?,
            scanning: false,
        })
    }

    /// The catalogue.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The ids of the games whose cards it finds, in the order of the catalogue.
    ///
    /// ```
    /// let engine = titledex::Engine::new(titledex_embedded::catalogue()?);
    /// assert_eq!(engine.games(), ["pokemon"]);
    /// # Ok::<(), titledex::Error>(())
    /// ```
    #[must_use]
    pub fn games(&self) -> Vec<&str> {
        let catalogue = self.catalogue.columns();
        let open = |id: &&str| catalogue.game_bit(id) & self.stats.open_games != 0;
        catalogue.game_ids().filter(open).collect()
    }

    /// What the opened games call their regions, each once, ascending: `asia`, `international`.
    #[must_use]
    pub fn regions(&self) -> Vec<&str> {
        let opened = self.games();
        let games = (self.dictionary.folders.iter()).filter(|game| opened.contains(&&*game.id));
        let mut names: Vec<&str> = games
            .flat_map(|game| game.regions.iter().map(Region::name))
            .collect();
        sort_by(&mut names, Ord::cmp);
        names.dedup();
        names
    }

    /// What people call the game with this id: `Magic: The Gathering`. `None` if this build and the
    /// catalogue know no such game.
    #[must_use]
    pub fn game_name(&self, id: &str) -> Option<&str> {
        let mut known = self.dictionary.folders.iter();
        known
            .find(|game| game.id == id)
            .map(|game| game.name.as_str())
    }

    /// The fixed vocabulary.
    #[must_use]
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// Compares each title with all cards of the catalogue in place of those that are retrieved:
    /// some milliseconds a title, and the oracle that `tests/oracle.rs` holds retrieval against.
    #[doc(hidden)]
    #[must_use]
    pub fn scanning(mut self) -> Self {
        self.scanning = true;
        self
    }

    /// The names that `word`, a key, may be a misspelling of, nearest first, as the places of
    /// [`Catalogue::for_each_key`]: what benches compare.
    #[doc(hidden)]
    #[must_use]
    pub fn names_like(&self, scratch: &mut Scratch, word: &str) -> Vec<u32> {
        let catalogue = self.catalogue.columns();
        self.speller
            .search(&catalogue, (word, true), &mut scratch.misspelt);
        let found = scratch.misspelt.found.iter();
        found.map(|(place, _)| *place).collect()
    }

    /// The engine with the columns of its catalogue, for one title.
    #[inline]
    pub(crate) fn matcher<'r, 'a>(&'a self, view: &'r View<'a>) -> Matcher<'r, 'a> {
        Matcher {
            engine: self,
            catalogue: view,
            fuzzy: true,
        }
    }

    /// The same, for a title that is read with these options.
    #[inline]
    fn matcher_for<'r, 'a>(&'a self, view: &'r View<'a>, options: &Options) -> Matcher<'r, 'a> {
        Matcher {
            fuzzy: options.fuzzy,
            ..self.matcher(view)
        }
    }

    /// Reads a title and matches it.
    ///
    /// Makes a [`Scratch`] for this one title, about a fifth of the whole cost. For more titles
    /// than one, keep a scratch and call [`Engine::answer_with`].
    #[must_use]
    pub fn answer<'t>(&'t self, title: &'t str, options: &Options) -> Answer<'t> {
        self.answer_with(&mut Scratch::default(), title, options)
    }

    /// As [`Engine::answer`], with memory of the caller's.
    ///
    /// ```
    /// use titledex::{Engine, Options, Scratch};
    /// let engine = Engine::new(titledex_embedded::catalogue()?);
    /// let (mut scratch, options) = (Scratch::default(), Options::new());
    /// for (title, id) in [("Charizard 4/102", "base1-4"), ("Blastoise 2/102", "base1-2")] {
    ///     assert_eq!(engine.answer_with(&mut scratch, title, &options).matches[0].card_id, id);
    /// }
    /// # Ok::<(), titledex::Error>(())
    /// ```
    #[must_use]
    pub fn answer_with<'t>(
        &'t self,
        scratch: &mut Scratch,
        title: &'t str,
        options: &Options,
    ) -> Answer<'t> {
        if title.len() > MAX_TITLE_BYTES {
            return too_long(title);
        }
        self.matcher_for(&self.catalogue.view(), options)
            .answer(scratch, title, options)
    }

    /// Reads a title and does not match it: what the words state by themselves, in a fraction of
    /// the time of [`Engine::answer`].
    ///
    /// No card is looked for, so the reading lacks the catalogue's opinion. In [`Answer::parsed`]
    /// the card that a title means settles which of two readings of the same words is right, which
    /// of several sets of one name is meant, how a name is written in full and what kind of listing
    /// it is; here only the words decide.
    ///
    /// Makes a [`Scratch`] for this one title; [`Engine::parse_with`] takes one.
    ///
    /// ```
    /// let engine = titledex::Engine::new(titledex_embedded::catalogue()?);
    /// let parsed = engine.parse("Charizard 4/102 Holo PSA 9");
    /// assert_eq!(parsed.number.as_deref(), Some("4"));
    /// assert_eq!(parsed.grade.unwrap().grader, "PSA");
    /// # Ok::<(), titledex::Error>(())
    /// ```
    #[must_use]
    pub fn parse<'t>(&'t self, title: &'t str) -> Parsed<'t> {
        self.parse_with(&mut Scratch::default(), title)
    }

    /// As [`Engine::parse`], with memory of the caller's.
    #[must_use]
    pub fn parse_with<'t>(&'t self, scratch: &mut Scratch, title: &'t str) -> Parsed<'t> {
        if title.len() > MAX_TITLE_BYTES {
            return too_long(title).parsed;
        }
        self.matcher(&self.catalogue.view()).parse(scratch, title)
    }

    /// The evidence of every candidate of a title, by card id: what [`crate::train`] fits.
    #[cfg(feature = "train")]
    #[doc(hidden)]
    #[must_use]
    pub fn evidence(
        &self,
        scratch: &mut Scratch,
        title: &str,
        options: &Options,
    ) -> Vec<(String, Vec<(crate::score::features::Feature, f32)>)> {
        if title.len() > MAX_TITLE_BYTES {
            return Vec::new();
        }
        self.matcher_for(&self.catalogue.view(), options)
            .evidence(scratch, title)
    }

    /// The signs of what is being sold in a title, by their places, and the outcome if it is one
    /// card: what [`crate::train::outcome`] fits.
    #[cfg(feature = "train")]
    #[doc(hidden)]
    #[must_use]
    pub fn signs(
        &self,
        scratch: &mut Scratch,
        title: &str,
    ) -> Option<(Vec<f32>, crate::OutcomeType)> {
        let read = title.len() <= MAX_TITLE_BYTES;
        read.then(|| self.matcher(&self.catalogue.view()).signs(scratch, title))
    }

    /// Runs the stages of [`Engine::answer`] up to `last` and stops: what benches and profiles take
    /// the cost of a stage from.
    #[doc(hidden)]
    pub fn run_to(&self, scratch: &mut Scratch, title: &str, options: &Options, last: Stage) {
        if title.len() > MAX_TITLE_BYTES {
            return;
        }
        normalise_into(title, &mut scratch.normalised);
        if last > Stage::Normalise {
            tokenize_into(&scratch.normalised, &mut scratch.line);
        }
        if last > Stage::Tokenise {
            self.matcher_for(&self.catalogue.view(), options)
                .run(scratch, title, last);
        }
    }
}
