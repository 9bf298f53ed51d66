//! [`Engine`]: the stages in their order, for one title after another.

use crate::answer::{Answer, Outcome, OutcomeType, Probability, TitleError};
use crate::assemble;
use crate::attributes::grade::{self, GradeReading, TaggedTitle};
use crate::attributes::hit::Hit;
use crate::attributes::language;
use crate::attributes::number::{self, NumberKind, NumberReading};
use crate::attributes::query::Query;
use crate::attributes::readings::Readings;
use crate::attributes::surroundings::Surroundings;
use crate::calibrate::{Ranked, calibrate};
use crate::catalogue::{Catalogue, Columns, View};
use crate::clues::ask;
use crate::clues::misspelt::{Speller, compare_spellings, search_fuzzily};
use crate::dictionary::{Dictionary, Tag, Tagged};
use crate::error::Error;
use crate::extract::{Cover, counts, lookup, settle, unexplained, weigh_rivals, words};
use crate::findings::Findings;
use crate::normalise::{Normalised, normalise_into};
use crate::options::{MAX_TITLE_BYTES, Options};
use crate::outcome::{decide, kind};
use crate::overrule::overrule;
use crate::parsed::{Field, Kind, Parsed};
use crate::reading::context::Context;
use crate::reading::{Proposal, Value};
use crate::reference::Reference;
use crate::retrieve::{Candidates, retrieve};
use crate::score::memory::Memory;
use crate::score::weights::Weights;
use crate::score::{EvidenceLists, Scorer};
use crate::span::Span;
use crate::spelling::Misspelt;
use crate::stats::CatalogueStats;
use crate::token::{Line, tokenize_into};
use std::ops::Deref;
use std::sync::Arc;

/// Misspelt names are looked for where "not in the catalogue" is more probable than this.
const HARDLY_OURS: f64 = 0.5;
/// A candidate more likely than this has an opinion of the readings.
const HAS_OPINION: f64 = 0.4;
/// So much of a title that is too long stands in its answer.
const SHOWN_BYTES: usize = 256;

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
    /// Tags → the readings that explain the title best: what is meant by parsing.
    Read,
    /// Readings → clues → candidate cards.
    Retrieve,
    /// Candidates → scores and probabilities, and the readings settled anew.
    Score,
}

/// Memory that one title after another uses.
#[derive(Clone, Default)]
pub struct Scratch {
    pub(crate) normalised: Normalised,
    pub(crate) line: Line,
    tags: Vec<Tagged>,
    hits: Vec<Hit>,
    numbers: Vec<NumberReading>,
    grades: Vec<GradeReading>,
    proposals: Vec<Proposal>,
    cover: Cover,
    pub(crate) query: Query,
    pub(crate) candidates: Candidates,
    pub(crate) memory: Memory,
    ranked: Vec<Ranked>,
    evidence: EvidenceLists,
    pub(crate) misspelt: Misspelt,
    /// Cores of the candidates.
    pub(crate) cores: Vec<u32>,
    /// Parts of the title that nothing explains.
    unread: Vec<Span>,
    /// Where names of graders end in the key.
    grader_ends: Vec<u32>,
    /// Where numbers stand in the key.
    shapes: Vec<(usize, usize)>,
    /// Where names of species begin and end in the key.
    name_starts: Vec<u32>,
    name_ends: Vec<u32>,
}

/// Reads titles and matches them with one catalogue.
///
/// Built once, owns all that it reads, and is shared by threads (in an [`Arc`] where they outlive the caller); each thread brings its own
/// [`Scratch`].
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
    stats: CatalogueStats,
    pub(crate) speller: Speller,
    /// Every card of the catalogue is a candidate of every title.
    scanning: bool,
}

/// An engine with the columns of its catalogue at hand, for one title.
pub(crate) struct Matcher<'r, 'a> {
    engine: &'a Engine,
    pub(crate) catalogue: &'r Columns<'a>,
}

impl Deref for Matcher<'_, '_> {
    type Target = Engine;

    #[inline]
    fn deref(&self) -> &Engine {
        self.engine
    }
}

/// Makes an [`Engine`] with a vocabulary or weights of one's own.
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
}

impl EngineBuilder {
    /// Reads titles by `dictionary`, which engines may share, in place of the vocabulary of this build.
    #[inline]
    pub fn dictionary(mut self, dictionary: impl Into<Arc<Dictionary>>) -> Self {
        self.dictionary = Some(dictionary.into());
        self
    }

    /// Weighs evidence by `weights` in place of those of this build.
    pub fn weights(mut self, weights: Weights) -> Self {
        self.weights = Some(weights);
        self
    }

    /// The engine.
    ///
    /// # Errors
    /// Of kind [`crate::ErrorKind::Dictionary`] where a file of this build contradicts itself; a released build has none.
    #[inline]
    pub fn build(self) -> Result<Engine, Error> {
        // inlined, so that a program which brings its dictionary does not carry that of the build
        let dictionary = match self.dictionary {
            Some(dictionary) => dictionary,
            None => Dictionary::builtin()?,
        };
        Engine::of(self.catalogue, dictionary, self.weights)
    }
}

impl Engine {
    /// An engine for `catalogue`, with the vocabulary and weights of this build.
    #[must_use]
    pub fn new(catalogue: Catalogue) -> Engine {
        Engine::builder(catalogue)
            .build()
            .expect("the vocabulary and weights of a build load: a test reads every file of them")
    }

    /// Begins an engine for `catalogue` with a vocabulary or weights of one's own.
    #[inline]
    pub fn builder(catalogue: Catalogue) -> EngineBuilder {
        EngineBuilder {
            catalogue,
            dictionary: None,
            weights: None,
        }
    }

    #[inline(never)]
    fn of(
        catalogue: Catalogue,
        dictionary: Arc<Dictionary>,
        weights: Option<Weights>,
    ) -> Result<Engine, Error> {
        let weights = match weights {
            Some(weights) => weights,
            None => Weights::builtin()?,
        };
        Ok(Engine {
            weights,
            stats: CatalogueStats::of(&catalogue.columns(), &dictionary),
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

    /// The fixed vocabulary.
    #[must_use]
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// Compares each title with all cards of the catalogue in place of those that are retrieved: some milliseconds a title, and the oracle
    /// that `tests/oracle.rs` holds retrieval against.
    #[doc(hidden)]
    #[must_use]
    pub fn scanning(mut self) -> Self {
        self.scanning = true;
        self
    }

    /// The engine with the columns of its catalogue, for one title.
    #[inline]
    pub(crate) fn matcher<'r, 'a>(&'a self, view: &'r View<'a>) -> Matcher<'r, 'a> {
        Matcher {
            engine: self,
            catalogue: view,
        }
    }

    /// Reads a title and matches it.
    ///
    /// Makes a [`Scratch`] for this one title, about a fifth of the whole cost: where there are more titles than one, keep a scratch and call
    /// [`Engine::answer_with`].
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
        self.matcher(&self.catalogue.view())
            .answer(scratch, title, options)
    }

    /// Reads a title and does not match it: what the words state by themselves, in a fraction of the time of [`Engine::answer`].
    ///
    /// No card is looked for, so that the reading lacks the catalogue's opinion. [`Answer::parsed`] settles by the card that a title means which of two
    /// readings of the same words is right, which of several sets of one name is meant, how a name is written in full and what kind of
    /// listing it is; here the words alone decide.
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
        self.matcher(&self.catalogue.view())
            .evidence(scratch, title, options)
    }

    /// Runs the stages of [`Engine::answer`] up to `last` and stops: what benches and profiles take the cost of a stage from.
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
            self.matcher(&self.catalogue.view())
                .run(scratch, title, options, last);
        }
    }
}

impl<'a> Matcher<'_, 'a> {
    /// What every title is compared with.
    fn reference(&self) -> Reference<'_, 'a> {
        Reference {
            catalogue: self.catalogue,
            dictionary: &self.engine.dictionary,
            stats: &self.engine.stats,
        }
    }

    /// Collects the cards that a title is compared with, ascending.
    fn candidates(&self, query: &Query, out: &mut Candidates) {
        if self.scanning {
            out.cards.clear();
            out.cards.extend(0..self.catalogue.card_count() as u32);
        } else {
            retrieve(self.catalogue, query, out);
        }
    }

    /// What compares the clues of a title with cards.
    pub(crate) fn scorer<'s>(&'s self, query: &'s Query, line: &'s Line) -> Scorer<'s, 'a> {
        Scorer {
            catalogue: self.catalogue,
            weights: &self.weights,
            query,
            line,
            stats: &self.stats,
        }
    }

    fn answer(&self, scratch: &mut Scratch, title: &'a str, options: &Options) -> Answer<'a> {
        self.tokenise(scratch, title);
        let nil = self.run(scratch, title, options, Stage::Score);
        let Scratch {
            normalised,
            line,
            hits,
            numbers,
            grades,
            proposals,
            cover,
            query,
            memory,
            ranked,
            evidence,
            unread,
            ..
        } = scratch;
        // the first card is asked about even where it is not shown
        let shown = ranked
            .iter()
            .take(options.max_suggestions.max(1))
            .map(|r| r.card);
        evidence.fill(&self.scorer(query, line), shown, memory);
        let context = Context::new(normalised, line);
        weigh_rivals(proposals, cover);
        let (chosen, rivals) = (&cover.chosen[..], &cover.rivals[..]);
        unexplained(&context, chosen, unread);
        let findings = Findings {
            readings: Readings {
                reference: self.reference(),
                title,
                context,
                hits,
                numbers,
                grades,
                proposals,
                chosen,
                rivals,
                unread,
            },
            query,
            weights: &self.engine.weights,
            ranked,
            evidence,
            nil,
        };
        assemble::answer(&findings, &decide(&findings), options)
    }

    fn parse(&self, scratch: &mut Scratch, title: &'a str) -> Parsed<'a> {
        self.tokenise(scratch, title);
        self.run(scratch, title, &Options::new(), Stage::Read);
        let Scratch {
            normalised,
            line,
            hits,
            numbers,
            grades,
            proposals,
            cover,
            query,
            unread,
            ..
        } = scratch;
        let context = Context::new(normalised, line);
        // the kind of listing is decided by the clues
        query.clear();
        weigh_rivals(proposals, cover);
        unexplained(&context, &cover.chosen, unread);
        let readings = Readings {
            reference: self.reference(),
            title,
            context,
            hits,
            numbers,
            grades,
            proposals,
            chosen: &cover.chosen,
            rivals: &cover.rivals,
            unread,
        };
        ask(&readings, query);
        let findings = Findings {
            readings,
            query,
            weights: &self.engine.weights,
            ranked: &[],
            evidence: &EvidenceLists::default(),
            nil: 0.0,
        };
        let (kind, own_game) = kind(&findings);
        assemble::reading(&findings, kind, own_game)
    }

    #[cfg(feature = "train")]
    fn evidence(
        &self,
        scratch: &mut Scratch,
        title: &str,
        options: &Options,
    ) -> Vec<(String, Vec<(crate::score::features::Feature, f32)>)> {
        self.tokenise(scratch, title);
        self.run(scratch, title, options, Stage::Score);
        let scorer = self.scorer(&scratch.query, &scratch.line);
        let id = |card: u32| {
            self.catalogue
                .card_record(card)
                .map_or("", |c| self.catalogue.string(c.id))
                .to_owned()
        };
        let mut evidence = |card: u32| {
            let mut list = Vec::new();
            scorer.evidence(card, &mut scratch.memory, &mut list);
            list
        };
        scratch
            .candidates
            .cards
            .iter()
            .map(|&card| (id(card), evidence(card)))
            .collect()
    }

    /// The first stages, which need no catalogue.
    #[inline]
    pub(crate) fn tokenise(&self, scratch: &mut Scratch, title: &str) {
        normalise_into(title, &mut scratch.normalised);
        tokenize_into(&scratch.normalised, &mut scratch.line);
    }

    /// All stages behind [`Matcher::tokenise`] up to the ranking; returns the probability that the card is none of the catalogue's.
    pub(crate) fn run(
        &self,
        scratch: &mut Scratch,
        title: &str,
        options: &Options,
        last: Stage,
    ) -> f64 {
        let Scratch {
            normalised,
            line,
            tags,
            hits,
            numbers,
            grades,
            proposals,
            cover,
            query,
            candidates,
            memory,
            cores,
            ranked,
            ..
        } = scratch;
        let (grader_ends, shapes) = (&mut scratch.grader_ends, &mut scratch.shapes);
        let (name_starts, name_ends) = (&mut scratch.name_starts, &mut scratch.name_ends);
        let context = Context::new(normalised, line);

        tags.clear();
        self.dictionary.tag(normalised, title, line, tags);
        hits.clear();
        lookup::look_up(self.catalogue, &context, hits);
        if last <= Stage::Tag {
            return 1.0;
        }

        grader_ends.clear();
        grader_ends.extend(
            tags.iter()
                .filter(|t| matches!(t.tag, Tag::Grader(_)))
                .map(|t| t.end),
        );
        numbers.clear();
        number::read(self.catalogue, &context, grader_ends, numbers);
        let tagged = TaggedTitle {
            context: &context,
            dictionary: &self.dictionary,
            tags,
            hits,
        };
        grades.clear();
        grade::read(&tagged, grades);

        proposals.clear();
        number::propose(self.catalogue, &context, numbers, proposals);
        grade::propose(&tagged, grades, proposals);
        let beside = |kind: NumberKind| !matches!(kind, NumberKind::Dex | NumberKind::Total);
        shapes.clear();
        shapes.extend(
            numbers
                .iter()
                .filter(|n| beside(n.kind))
                .map(|n| (n.at as usize, n.end as usize)),
        );
        let near_number =
            |at: usize, end: usize| shapes.iter().any(|&(from, to)| from == end || to == at);
        lookup::propose(self.catalogue, &context, hits, &near_number, proposals);
        counts::propose(
            &context,
            &self.dictionary,
            tags,
            !grader_ends.is_empty(),
            proposals,
        );
        name_ends.clear();
        name_ends.extend(hits.iter().filter(|h| h.means.species).map(|h| h.end));
        name_starts.clear();
        name_starts.extend(hits.iter().filter(|h| h.means.species).map(|h| h.at));
        let says_japanese = tags.iter().any(|t| matches!(t.tag, Tag::Language(l) if language::is_japanese(&self.dictionary.languages[l as usize])));
        let around = Surroundings {
            grader: !grader_ends.is_empty(),
            name_ends,
            name_starts,
            near_number: &near_number,
            japanese: context.japanese || says_japanese,
        };
        words::propose(&context, &self.dictionary, tags, &around, proposals);
        let len = line.key().len();
        settle(len, proposals, cover);
        if last <= Stage::Read {
            return 1.0;
        }

        query.clear();
        let readings = Readings {
            reference: self.reference(),
            title,
            context,
            hits,
            numbers,
            grades,
            proposals,
            chosen: &cover.chosen,
            rivals: &[],
            unread: &[],
        };
        ask(&readings, query);
        if last <= Stage::Retrieve {
            self.candidates(query, candidates);
            return 1.0;
        }
        let mut nil = self.rank(line, query, candidates, memory, cores, ranked);
        // comparing words with all names is dear: only where something else says that this is our game
        let ours = cover.chosen.iter().any(|p| {
            matches!(p.value, Value::Word(tag) if self.dictionary.is_own_game(tag))
                || matches!(p.field, Field::Number | Field::Set)
        });
        if options.fuzzy
            && ours
            && (candidates.cards.is_empty() || nil > HARDLY_OURS)
            && !query.names.iter().any(|n| n.species && n.chosen)
        {
            search_fuzzily(
                self.catalogue,
                &self.speller,
                line,
                query,
                &mut scratch.misspelt,
            );
            nil = self.rank(line, query, candidates, memory, cores, ranked);
        }
        if let Some(top) = ranked.first().filter(|r| r.probability > HAS_OPINION) {
            overrule(self.catalogue, top.card, hits, numbers, proposals);
            settle(len, proposals, cover);
        }
        nil
    }

    /// Retrieves and scores the cards that `query` asks for; returns the probability that the card is none of the catalogue's.
    fn rank(
        &self,
        line: &Line,
        query: &mut Query,
        candidates: &mut Candidates,
        memory: &mut Memory,
        cores: &mut Vec<u32>,
        ranked: &mut Vec<Ranked>,
    ) -> f64 {
        self.candidates(query, candidates);
        compare_spellings(
            self.catalogue,
            &self.speller,
            line,
            &candidates.cards,
            query,
            cores,
        );
        query.alone = false;
        let alone = self.scorer(query, line).score(&candidates.cards, memory);
        let cards = self.catalogue.card_count();
        let nil = calibrate(
            &self.weights,
            cards,
            &candidates.cards,
            &memory.scores,
            ranked,
        );
        query.alone = alone;
        nil
    }
}

/// The answer for a title that is too long to be one.
fn too_long(title: &str) -> Answer<'_> {
    let mut end = SHOWN_BYTES;
    while !title.is_char_boundary(end) {
        end -= 1;
    }
    Answer {
        title: title[..end].into(),
        parsed: Parsed {
            kind: Kind::Other,
            ..Parsed::default()
        },
        outcome: Outcome {
            kind: OutcomeType::NotACard,
            confidence: Probability::new(1.0),
            ambiguous_on: Vec::new(),
            not_in_catalogue: Probability::new(1.0),
        },
        matches: Vec::new(),
        error: Some(TitleError::too_long(title.len() as u64)),
    }
}
