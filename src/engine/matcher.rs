//! The stages of one title, in their order.

use super::rank::Near;
use super::{Matcher, Scratch, Stage};
use crate::answer::{Answer, Outcome, OutcomeType, Probability, TitleError};
use crate::assemble;
use crate::attributes::companion::wished_from;
use crate::attributes::game;
use crate::attributes::grade::{self, TaggedTitle};
use crate::attributes::hit::{Hit, Means, is_beside_hit, number_card_of_set};
use crate::attributes::kind::rule_out;
use crate::attributes::number::{self, NumberKind, NumberReading};
use crate::attributes::query::Query;
use crate::attributes::readings::Readings;
use crate::attributes::surroundings::Surroundings;
use crate::attributes::units::Units;
use crate::attributes::{language, mark, name, noise, quantity, set};
use crate::calibrate::Ranked;
use crate::catalogue::format::SetRecord;
use crate::clues::ask;
use crate::dictionary::{MOST_TOKENS, Tag, Tagged};
use crate::extract::{counts, glued, lookup, settle, unexplained, weigh_rivals, words};
use crate::findings::Findings;
use crate::normalise::normalise_into;
use crate::options::Options;
#[cfg(feature = "train")]
use crate::outcome::observe;
use crate::outcome::{decide, kind};
use crate::overrule::overrule;
use crate::parsed::{Kind, Parsed};
use crate::reading::Proposal;
use crate::reading::context::{Context, Script};
use crate::reference::Reference;
use crate::retrieve::Part;
use crate::score::{EvidenceLists, Scorer};
use crate::token::{Line, tokenize_into};

/// A candidate more likely than this has an opinion of the readings; if none is, names of the set
/// that is named are looked for.
const HAS_OPINION: f64 = 0.4;
/// The part of an overlong title that its answer shows, in bytes.
const SHOWN_BYTES: usize = 256;

impl<'a> Matcher<'_, 'a> {
    /// The data that every title is compared with.
    pub(super) fn reference(&self) -> Reference<'_, 'a> {
        Reference {
            catalogue: self.catalogue,
            dictionary: &self.engine.dictionary,
            stats: &self.engine.stats,
        }
    }

    /// Compares the clues of a title with cards.
    pub(crate) fn scorer<'s>(&'s self, query: &'s Query, line: &'s Line) -> Scorer<'s, 'a> {
        Scorer {
            catalogue: self.catalogue,
            weights: &self.weights,
            query,
            line,
            stats: &self.stats,
            arts: &self.arts,
        }
    }

    pub(super) fn answer(
        &self,
        scratch: &mut Scratch,
        title: &'a str,
        options: &Options,
    ) -> Answer<'a> {
        self.with_findings(scratch, title, options, |findings| {
            let decision = decide(findings, &self.engine.outcome_weights, options);
            assemble::answer(findings, decision, options)
        })
    }

    /// The signs of what is being sold, by their places, and the outcome if it is one card.
    #[cfg(feature = "train")]
    pub(super) fn signs(&self, scratch: &mut Scratch, title: &'a str) -> (Vec<f32>, OutcomeType) {
        self.with_findings(scratch, title, &Options::new(), observe)
    }

    /// Runs all stages of a title and hands their results on.
    fn with_findings<T>(
        &self,
        scratch: &mut Scratch,
        title: &'a str,
        options: &Options,
        ask: impl FnOnce(&Findings<'_, 'a>) -> T,
    ) -> T {
        self.tokenise(scratch, title);
        let nil = self.run(scratch, title, Stage::Score);
        let Scratch {
            line,
            query,
            memory,
            ranked,
            evidence,
            ..
        } = scratch;
        // the first card is needed even if it is not shown
        let shown = if options.brief {
            1
        } else {
            options.max_suggestions.max(1)
        };
        let shown = ranked.iter().take(shown).map(|r| r.card);
        evidence.fill(&self.scorer(query, line), shown, memory);
        compare(scratch, options.brief);
        let (readings, query, ranked, evidence) = self.read_of(scratch, title);
        ask(&Findings {
            readings,
            query,
            weights: &self.engine.weights,
            ranked,
            evidence,
            nil,
        })
    }

    /// The readings of a title in `scratch`, its clues, and the candidates with their evidence.
    fn read_of<'s, 't>(
        &'s self,
        scratch: &'s mut Scratch,
        title: &'t str,
    ) -> (
        Readings<'s, 't>,
        &'s mut Query,
        &'s [Ranked],
        &'s EvidenceLists,
    )
    where
        'a: 't,
    {
        let cover = &scratch.cover;
        let readings = Readings {
            reference: self.reference(),
            title,
            context: Context::new(&scratch.normalised, &scratch.line, scratch.script),
            hits: &scratch.hits,
            numbers: &scratch.numbers,
            grades: &scratch.grades,
            proposals: &scratch.proposals,
            chosen: &cover.chosen,
            rivals: &cover.rivals,
            unread: &scratch.unread,
        };
        (
            readings,
            &mut scratch.query,
            &scratch.ranked,
            &scratch.evidence,
        )
    }

    pub(super) fn parse(&self, scratch: &mut Scratch, title: &'a str) -> Parsed<'a> {
        self.tokenise(scratch, title);
        self.run(scratch, title, Stage::Read);
        // the kind of listing is decided by the clues
        self.ask(scratch, title);
        compare(scratch, false);
        let (readings, query, ..) = self.read_of(scratch, title);
        let findings = Findings {
            readings,
            query,
            weights: &self.engine.weights,
            ranked: &[],
            evidence: &EvidenceLists::default(),
            nil: None,
        };
        let kind = kind(&findings, &self.engine.outcome_weights);
        assemble::reading(&findings, kind, &Options::new())
    }

    #[cfg(feature = "train")]
    pub(super) fn evidence(
        &self,
        scratch: &mut Scratch,
        title: &str,
    ) -> Vec<(String, Vec<(crate::score::features::Feature, f32)>)> {
        self.tokenise(scratch, title);
        self.run(scratch, title, Stage::Score);
        // a fit learns from those, too, that are left out where they cannot count
        self.candidates(&scratch.query, Part::All, &mut scratch.candidates);
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

    /// Runs all stages after [`Matcher::tokenise`] up to the ranking; returns the probability that
    /// the catalogue lacks the card, if the title was compared with any.
    pub(crate) fn run(&self, scratch: &mut Scratch, title: &str, last: Stage) -> Option<f64> {
        let tagging = self.tag(scratch, title);
        if last <= Stage::Tag {
            return None;
        }
        let read = self.read(scratch, &tagging);
        if !read || last <= Stage::Read {
            return None;
        }
        self.ask(scratch, title);
        if last <= Stage::Retrieve {
            self.retrieve(scratch);
            return None;
        }
        let nil = self.search_cards(scratch);
        self.overrule(scratch);
        (!scratch.candidates.cards.is_empty()).then_some(nil)
    }

    /// Finds the words of the dictionaries and the names of the catalogue, and rules out what they
    /// rule out of each other.
    fn tag(&self, scratch: &mut Scratch, title: &str) -> Tagging {
        let Scratch {
            normalised,
            line,
            script,
            tags,
            hits,
            ..
        } = scratch;
        glued::cut(&self.reference(), line);
        *script = Script::of(line);
        let context = Context::new(normalised, line, *script);

        tags.clear();
        self.dictionary
            .tag(normalised, title, line, self.stats.folders, tags);
        let known = |code: &str| number::is_known(self.catalogue, code);
        self.dictionary
            .tag_codes(normalised, line, (self.stats.codes, &known), tags);
        hits.clear();
        lookup::look_up(&self.reference(), &context, hits);
        if self.fuzzy {
            let known = covered(line, tags, hits);
            self.dictionary
                .tag_misspelt(line, self.stats.folders, known, tags);
        }
        let wished = wished_from(&context, hits);
        if let Some(wished) = wished {
            tags.retain(|tag| tag.end <= wished);
            hits.retain(|hit| hit.end <= wished);
        }
        game::drop_codes_of_others(&self.reference(), &context, tags);
        let stated = game::stated(&self.reference(), tags, hits);
        game::keep_stated(&self.reference(), stated, hits);
        game::keep_words(&self.reference(), line, tags, hits);
        game::keep_own_sets(&self.reference(), stated, tags, hits);
        game::keep_goods(&self.reference(), (line, stated), tags, hits);
        noise::deny_names(&self.dictionary, line, tags, hits);
        rule_out(&self.reference(), &context, tags, hits);
        Tagging { stated, wished }
    }

    /// Reads numbers and grades, lets every attribute propose its readings, and settles them.
    /// Returns whether the words of counts are there, as they are in every build.
    fn read(&self, scratch: &mut Scratch, &Tagging { stated, wished }: &Tagging) -> bool {
        let Scratch {
            normalised,
            line,
            script,
            tags,
            hits,
            numbers,
            grades,
            proposals,
            cover,
            ..
        } = scratch;
        let (grader_ends, shapes) = (&mut scratch.grader_ends, &mut scratch.shapes);
        let (name_starts, name_ends) = (&mut scratch.name_starts, &mut scratch.name_ends);
        let context = Context::new(normalised, line, *script);
        // a test reads the file: see `Units::builtin`
        let Ok(units) = Units::builtin() else {
            return false;
        };
        let units = units.words_of(&context, &mut scratch.units);
        set::rule_out_amounts(&context, &units, hits);
        grader_ends.clear();
        let graders = TaggedTitle {
            context: &context,
            dictionary: &self.dictionary,
            tags,
            hits,
            units: &units,
        };
        let graders = tags.iter().filter(|tag| graders.is_grader(tag));
        grader_ends.extend(graders.map(|tag| tag.end));
        numbers.clear();
        number::read(
            &self.reference(),
            &context,
            &units,
            (tags, hits, stated),
            grader_ends,
            numbers,
        );
        if let Some(wished) = wished {
            numbers.retain(|number| number.end <= wished);
        }
        let mut stated = stated;
        if stated == 0 {
            stated = game::of_codes(&self.reference(), line, hits, numbers);
            game::keep_stated(&self.reference(), stated, hits);
        }
        let tagged = TaggedTitle {
            context: &context,
            dictionary: &self.dictionary,
            tags,
            hits,
            units: &units,
        };
        grades.clear();
        grade::read(&tagged, grades);

        proposals.clear();
        number::propose(self.catalogue, &context, (numbers, hits), proposals);
        grade::propose(&tagged, grades, proposals);
        shapes.clear();
        shapes.extend(
            numbers
                .iter()
                .filter(|n| !matches!(n.kind, NumberKind::Subject | NumberKind::Total))
                .map(|n| (n.at as usize, n.end as usize)),
        );
        self.propose_names(&tagged, stated, (numbers, shapes), proposals);
        let grader = !grader_ends.is_empty();
        counts::propose(
            &context,
            &units,
            &self.reference(),
            (tags, hits, grader),
            quantity::before_name(&self.reference(), &context, (tags, hits), stated),
            proposals,
        );
        let subjects = || hits.iter().filter(|hit| hit.means.subject);
        name_starts.clear();
        name_starts.extend(subjects().map(|hit| hit.at));
        name_ends.clear();
        name_ends.extend(subjects().map(|hit| hit.end));
        let names = [&name_starts[..], &name_ends[..]];
        self.propose_words(&tagged, stated, grader, (numbers, shapes), names, proposals);
        let len = line.key().len();
        settle(len, proposals, cover);
        let to_set = name::yields(
            self.catalogue,
            &context,
            (hits, numbers),
            &cover.chosen,
            proposals,
        );
        if name::yields_to_print(hits, &cover.chosen, proposals) || to_set {
            settle(len, proposals, cover);
        }
        true
    }

    /// Proposes names and sets, by what stands beside them. `shapes`: where numbers stand that may be
    /// a card's.
    fn propose_names(
        &self,
        tagged: &TaggedTitle<'_, '_>,
        stated: u32,
        (numbers, shapes): (&[NumberReading], &[(usize, usize)]),
        proposals: &mut Vec<Proposal>,
    ) {
        let &TaggedTitle {
            context,
            tags,
            hits,
            units,
            ..
        } = tagged;
        let line = context.line;
        let coded = numbers
            .iter()
            .any(|n| n.coded && self.catalogue.number(n.number).is_some());
        let small = stated != 0 && context.is_small();
        let near_set = |at: usize, end: usize| {
            is_beside_number(shapes, at, end)
                || game::is_code_beside(context, tags, small, (at, end))
        };
        let mark = |at: usize, end: usize| {
            let numbered = shapes.iter().any(|&(from, _)| from == end);
            mark::is_no_code(context, (tags, hits), (at, end), numbered)
        };
        let near = set::NearCode {
            held: &|hit| set::is_held(self.catalogue, line, hits, hit),
            number: &near_set,
            numbers: &|hit| {
                let next = line.token_at(hit.end as usize);
                number_card_of_set(self.catalogue, context, hits, next)
            },
            mark: &mark,
            affix: &|at, end| mark::is_affix(tags, (at, end)),
            money: &|at| units.are_money(line.token_at(at)),
            fraction: numbers.iter().find(|number| number.total_known),
        };
        lookup::propose(self.catalogue, context, hits, (&near, coded), proposals);
    }

    /// Proposes what the words of the dictionaries say, by what stands around them: `shapes`,
    /// and where names of subjects begin and end.
    fn propose_words(
        &self,
        tagged: &TaggedTitle<'_, '_>,
        stated: u32,
        grader: bool,
        (numbers, shapes): (&[NumberReading], &[(usize, usize)]),
        [name_starts, name_ends]: [&[u32]; 2],
        proposals: &mut Vec<Proposal>,
    ) {
        let &TaggedTitle {
            context,
            tags,
            hits,
            ..
        } = tagged;
        let says_japanese = || {
            tags.iter().any(|t| matches!(t.tag, Tag::Language(l) if language::is_japanese(&self.dictionary.languages[l as usize])))
        };
        let around = Surroundings {
            games: game::in_question(&self.reference(), stated, hits),
            grader,
            name_ends,
            name_starts,
            subject: hits
                .iter()
                .any(|h| name::is_printed_subject(self.catalogue, h)),
            near_number: &|at, end| is_beside_number(shapes, at, end),
            near_hit: &|at, end| is_beside_hit(context.line, hits, at, end),
            behind_set: &|word| {
                let games = self.stats.games_of_folders(word.games);
                let of_word = |set: &SetRecord| set.game_bit() & games != 0;
                let mut before = hits.iter().filter(|h| h.means.set && h.end == word.at);
                before.any(|h| self.catalogue.sets_named(h.place).any(of_word))
            },
            of_other: &|tag| {
                stated != 0 && self.dictionary.is_game(tag) && !self.stats.is_held_game(tag)
            },
            part: &|tag| game::is_part(&self.reference(), tag, hits),
            named_apart: &|at, end| {
                name::is_numbered_apart(self.catalogue, (hits, numbers), (at, end))
            },
            means: &|at, end| {
                let mut same = hits.iter().filter(|h| h.spans(at, end));
                same.next().map_or_else(Means::default, |h| h.means)
            },
            japanese: context.japanese || says_japanese(),
        };
        words::propose(context, &self.dictionary, tags, &around, proposals);
    }

    /// Makes the clues that cards are compared with.
    fn ask(&self, scratch: &mut Scratch, title: &str) {
        // those of the title before
        scratch.cover.rivals.clear();
        scratch.unread.clear();
        let (readings, query, ..) = self.read_of(scratch, title);
        query.clear();
        ask(&readings, query);
    }

    /// Finds the candidates alone.
    fn retrieve(&self, scratch: &mut Scratch) {
        let Scratch {
            line,
            query,
            candidates,
            ..
        } = scratch;
        let mut near = Near::default();
        let first = self.part(line, query, &mut near);
        let part = first.map_or(Part::All, |(sets, _)| Part::Near(sets));
        self.candidates(query, part, candidates);
    }

    /// Settles the readings again by the opinion of the best candidate.
    fn overrule(&self, scratch: &mut Scratch) {
        let Scratch {
            line,
            hits,
            numbers,
            proposals,
            cover,
            ranked,
            ..
        } = scratch;
        let len = line.key().len();
        if let Some(top) = ranked.first().filter(|r| r.probability > HAS_OPINION) {
            if overrule(self.catalogue, top.card, hits, numbers, proposals) {
                settle(len, proposals, cover);
            } else {
                cover.weigh(proposals);
            }
        }
    }
}

/// Whether a number that may be a card's is right beside these bytes of the key.
fn is_beside_number(shapes: &[(usize, usize)], at: usize, end: usize) -> bool {
    shapes.iter().any(|&(from, to)| from == end || to == at)
}

/// Finds what each chosen reading won over, but for a brief answer, and what no reading explains.
fn compare(scratch: &mut Scratch, brief: bool) {
    let Scratch {
        normalised,
        line,
        script,
        proposals,
        cover,
        unread,
        ..
    } = scratch;
    if brief {
        cover.rivals.clear();
    } else {
        weigh_rivals(proposals, cover);
    }
    let context = Context::new(normalised, line, *script);
    unexplained(&context, &cover.chosen, unread);
}

/// The first tokens of a title that words of the dictionary or names of the catalogue cover, a bit
/// each.
fn covered(line: &Line, tags: &[Tagged], hits: &[Hit]) -> u64 {
    let tagged = tags.iter().map(|tag| (tag.at, tag.end, tag.whole));
    let hits = hits.iter().map(|hit| (hit.at, hit.end, hit.whole));
    let mut covered = 0;
    for (at, end, _) in tagged.chain(hits).filter(|&(.., whole)| whole) {
        let first = line.token_at(at as usize);
        let last = line.token_at((end as usize).saturating_sub(1));
        let bits = |tokens: usize| (1u64 << tokens.min(MOST_TOKENS)) - 1;
        covered |= bits(last + 1) & !bits(first);
    }
    covered
}

/// What the words of a title say before its readings are settled.
struct Tagging {
    /// The games of the catalogue that it names, a bit each.
    stated: u32,
    /// Where words begin that somebody wishes for, and that are not sold.
    wished: Option<u32>,
}

/// The answer for a title that is too long to be one: what is for sale is not known.
pub(super) fn too_long(title: &str) -> Answer<'_> {
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
            confidence: Probability::new(0.0),
            ambiguous_on: Vec::new(),
            not_in_catalogue: Probability::new(1.0),
            evidence: Vec::new(),
        },
        conflicts: Vec::new(),
        matches: Vec::new(),
        error: Some(TitleError::too_long(title.len() as u64)),
    }
}
