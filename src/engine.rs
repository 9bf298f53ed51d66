//! [`Engine`]: the stages in their order, for one title after another.

use crate::answer::{Answer, Outcome, OutcomeType, Probability, TitleError};
use crate::assemble;
use crate::catalogue::Catalogue;
use crate::catalogue::retrieve::retrieve;
use crate::dictionary::{self, Dictionary, Tag, Tagged};
use crate::error::Error;
use crate::extract::context::Context;
use crate::extract::grade::{self, GradeReading, Sight};
use crate::extract::lookup::{self, Hit};
use crate::extract::number::{self, NumberKind, NumberReading, NumberScratch};
use crate::extract::words::{self, Around};
use crate::extract::{Cover, Proposal, Value, quantity, settle};
use crate::normalise::{Normalised, normalise_into};
use crate::outcome::{self, Facts};
use crate::parsed::{Field, Kind, Parsed};
use crate::score::query::Query;
use crate::score::weights::{self, Weights};
use crate::score::{Ranked, Scorer};
use crate::token::{Class, Line, tokenize_into};

/// Titles longer than this are not read: no marketplace allows a tenth of it.
pub const MAX_TITLE_BYTES: usize = 4096;
/// So much of a title that is too long stands in its answer.
const SHOWN_BYTES: usize = 256;

/// What a caller may choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// At most so many matches.
    pub max_suggestions: usize,
    /// Look for misspelt names where no name is read.
    pub fuzzy: bool,
    /// Give probabilities; else they are 0.
    pub confidence: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_suggestions: 5, fuzzy: true, confidence: true }
    }
}

/// Memory that one title after another uses.
#[derive(Clone, Default)]
pub struct Scratch {
    normalised: Normalised,
    line: Line,
    tags: Vec<Tagged>,
    hits: Vec<Hit>,
    numbers: Vec<NumberReading>,
    number_scratch: NumberScratch,
    grades: Vec<GradeReading>,
    proposals: Vec<Proposal>,
    cover: Cover,
    query: Query,
    candidates: Vec<u32>,
    ranked: Vec<Ranked>,
}

/// Reads titles and matches them with one catalogue.
///
/// Built once and shared by threads; each thread brings its own [`Scratch`].
///
/// ```
/// use titledex::{Engine, Options};
/// let catalogue = titledex_embedded::catalogue()?;
/// let engine = Engine::new(catalogue)?;
/// let answer = engine.answer("1999 Pokemon Base Set Charizard 4/102 Holo PSA 9 MINT", &Options::default());
/// assert_eq!(answer.matches[0].card_id, "base1-4");
/// assert_eq!(answer.parsed.grade.unwrap().grader, "PSA");
/// # Ok::<(), titledex::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine<'a> {
    catalogue: Catalogue<'a>,
    dictionary: &'static Dictionary,
    weights: Weights,
    /// For each rarity word of the dictionary: the rarities of the catalogue that it may stand for.
    rarities: Vec<[u64; 4]>,
    /// How many cards each rarity of the catalogue has, as rarity or as mark.
    rarity_cards: Vec<u32>,
}

/// What the stages found, before it is written as an [`Answer`].
pub(crate) struct Found<'f, 'a> {
    pub(crate) engine: &'f Engine<'a>,
    pub(crate) context: Context<'f>,
    pub(crate) hits: &'f [Hit],
    pub(crate) numbers: &'f [NumberReading],
    pub(crate) grades: &'f [GradeReading],
    pub(crate) proposals: &'f [Proposal],
    pub(crate) query: &'f Query,
    pub(crate) ranked: &'f [Ranked],
    pub(crate) none: f64,
}

impl<'a> Engine<'a> {
    /// An engine for `catalogue`, with the vocabulary and weights of this build.
    ///
    /// # Errors
    /// Of kind [`crate::ErrorKind::Dictionary`] where a dictionary contradicts itself; a released build has none.
    pub fn new(catalogue: Catalogue<'a>) -> Result<Engine<'a>, Error> {
        let dictionary = dictionary::builtin()?;
        let weights = weights::builtin()?.clone();
        let mut rarities = vec![[0u64; 4]; dictionary.rarities.len()];
        for (word, bits) in dictionary.rarities.iter().zip(&mut rarities) {
            for number in 0..catalogue.rarity_count().min(256) {
                if word.catalogue.iter().any(|name| name == catalogue.rarity(number as u8)) {
                    bits[number / 64] |= 1 << (number % 64);
                }
            }
        }
        let mut rarity_cards = vec![0u32; catalogue.rarity_count().min(256)];
        for card in catalogue.cards {
            for number in [card.rarity, card.mark] {
                if let Some(count) = rarity_cards.get_mut(number as usize).filter(|_| number != 0) {
                    *count += 1;
                }
            }
        }
        Ok(Engine { catalogue, dictionary, weights, rarities, rarity_cards })
    }

    /// The catalogue.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue<'a> {
        &self.catalogue
    }

    /// The fixed vocabulary.
    #[must_use]
    pub fn dictionary(&self) -> &Dictionary {
        self.dictionary
    }

    pub(crate) fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Uses other weights.
    #[must_use]
    pub fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// Reads a title and matches it.
    #[must_use]
    pub fn answer(&self, title: &str, options: &Options) -> Answer {
        self.answer_with(&mut Scratch::default(), title, options)
    }

    /// As [`Engine::answer`], with memory of the caller's.
    #[must_use]
    pub fn answer_with(&self, scratch: &mut Scratch, title: &str, options: &Options) -> Answer {
        if title.len() > MAX_TITLE_BYTES {
            return too_long(title);
        }
        let none = self.run(scratch, title, options);
        let Scratch { normalised, line, hits, numbers, grades, proposals, query, ranked, .. } = scratch;
        let context = Context::new(title, normalised, line);
        let found = Found { engine: self, context, hits, numbers, grades, proposals, query, ranked, none };
        assemble::answer(&found, options)
    }

    /// Reads a title alone: what it states, without matching.
    #[must_use]
    pub fn parse(&self, title: &str) -> Parsed {
        self.answer(title, &Options { max_suggestions: 1, ..Options::default() }).parsed
    }

    /// All stages up to the ranking; returns the probability of "none of ours".
    fn run(&self, scratch: &mut Scratch, title: &str, options: &Options) -> f64 {
        let Scratch { normalised, line, tags, hits, numbers, number_scratch, grades, proposals, cover, query, candidates, ranked } = scratch;
        normalise_into(title, normalised);
        tokenize_into(normalised, line);
        let context = Context::new(title, normalised, line);

        tags.clear();
        self.dictionary.tag(normalised, title, line, tags);
        hits.clear();
        lookup::look_up(&self.catalogue, &context, hits);

        let grader_ends: Vec<u32> = tags.iter().filter(|t| matches!(t.tag, Tag::Grader(_))).map(|t| t.end).collect();
        numbers.clear();
        number::read(&self.catalogue, &context, &grader_ends, number_scratch, numbers);
        let sight = Sight { context: &context, dictionary: self.dictionary, tags, hits };
        grades.clear();
        grade::read(&sight, grades);

        proposals.clear();
        number::propose(&self.catalogue, &context, numbers, proposals);
        grade::propose(&sight, grades, proposals);
        let strong = |kind: NumberKind| matches!(kind, NumberKind::Fraction | NumberKind::Hash | NumberKind::Prefixed);
        let shapes: Vec<(usize, usize)> = numbers.iter().filter(|n| strong(n.kind) || n.kind == NumberKind::Bare).map(|n| (n.at as usize, n.end as usize)).collect();
        let near_number = |at: usize, end: usize| shapes.iter().any(|&(from, to)| from == end || to == at);
        lookup::propose(&self.catalogue, &context, hits, &near_number, proposals);
        quantity::propose(&context, self.dictionary, tags, !grader_ends.is_empty(), proposals);
        let name_ends: Vec<u32> = hits.iter().filter(|h| h.species).map(|h| h.end).collect();
        let name_starts: Vec<u32> = hits.iter().filter(|h| h.species).map(|h| h.at).collect();
        let says_japanese = tags.iter().any(|t| matches!(t.tag, Tag::Language(l) if self.dictionary.languages[l as usize] == "japanese"));
        let around = Around {
            grader: !grader_ends.is_empty(),
            name_ends: &name_ends,
            name_starts: &name_starts,
            near_number: &near_number,
            japanese: context.japanese || says_japanese,
        };
        words::propose(&context, self.dictionary, tags, &around, proposals);
        let len = line.key().len();
        settle(len, proposals, cover);

        query.clear();
        self.ask(&context, hits, numbers, proposals, tags, &around, query);
        retrieve(&self.catalogue, query, candidates);
        let scorer = Scorer { catalogue: &self.catalogue, weights: &self.weights, query, line };
        let mut none = scorer.rank(candidates, ranked);
        // an automaton for each word is dear: only where something else says that this is our game
        let ours = proposals.iter().any(|p| p.chosen && (matches!(p.value, Value::Word(Tag::Game(g)) if self.dictionary.games[g as usize].1 == "own") || matches!(p.field, Field::Number | Field::Set)));
        if options.fuzzy && ours && (candidates.is_empty() || none > 0.5) && !query.names.iter().any(|n| n.species && n.chosen) {
            self.search_fuzzily(line, query);
            retrieve(&self.catalogue, query, candidates);
            let scorer = Scorer { catalogue: &self.catalogue, weights: &self.weights, query, line };
            none = scorer.rank(candidates, ranked);
        }
        if let Some(top) = ranked.first().filter(|r| r.probability > 0.4) {
            self.overrule(top.card, hits, numbers, proposals);
            settle(len, proposals, cover);
        }
        none
    }

    /// Proposals → what the catalogue is asked.
    #[allow(clippy::too_many_arguments, reason = "one call, each a stage's result")]
    fn ask(
        &self,
        context: &Context<'_>,
        hits: &[Hit],
        numbers: &[NumberReading],
        proposals: &[Proposal],
        tags: &[Tagged],
        around: &Around<'_>,
        query: &mut Query,
    ) {
        use crate::catalogue::naming::Marks;
        use crate::score::query::{Edition, Finish, Language};
        let chosen: Vec<&Proposal> = proposals.iter().filter(|p| p.chosen).collect();
        let free = |at: u32, end: u32| !chosen.iter().any(|c| c.at < end && at < c.end);
        // `Japanese Base Set` names a set and a language
        let inside_set = |p: &Proposal| chosen.iter().any(|c| matches!(c.value, Value::Hit(_)) && c.at <= p.at && p.end <= c.end);
        let mut languages: Vec<&str> = Vec::new();
        let mut stated = Marks::default();
        for proposal in proposals {
            match proposal.value {
                Value::Hit(at) if proposal.field == Field::Name => {
                    let hit = &hits[at as usize];
                    let inside = chosen.iter().any(|c| {
                        matches!(c.value, Value::Hit(_)) && c.field == Field::Name && c.at <= hit.at && hit.end <= c.end && (c.end - c.at) > (hit.end - hit.at)
                    });
                    let thing = !hit.species && hit.end - hit.at < 5;
                    if proposal.chosen || !inside && !thing {
                        query.add_name(&self.catalogue, hit, proposal.chosen);
                    }
                }
                Value::Hit(at) if matches!(proposal.field, Field::Origin | Field::Illustrator) => {
                    let other = chosen.iter().any(|c| c.field == proposal.field && c.at <= proposal.at && proposal.end < c.end);
                    if !other && !hits[at as usize].name {
                        query.add_words(&self.catalogue, &hits[at as usize]);
                    }
                }
                Value::Hit(at) => {
                    let hit = &hits[at as usize];
                    let inside = chosen.iter().any(|c| {
                        c.field == Field::Set && c.at <= hit.at && hit.end <= c.end && (c.end - c.at) > (hit.end - hit.at)
                    });
                    if proposal.chosen || !inside && proposal.weight > 0.5 {
                        query.add_set(&self.catalogue, hit, proposal.chosen);
                    }
                }
                Value::Number(at) => {
                    let number = &numbers[at as usize];
                    if proposal.chosen || free(number.at, number.end) && number.kind != NumberKind::Prefixed {
                        query.add_number(&self.catalogue, number);
                    }
                }
                Value::Count(count) if proposal.chosen => match proposal.field {
                    Field::Year => query.years.push(count as u16),
                    Field::Hp => query.hp = (count / 10) as u8,
                    _ => {}
                },
                Value::Word(tag) => match (tag, proposal.chosen) {
                    (Tag::Affix(bit), true) => stated = stated.with(bit),
                    (Tag::Affix(bit), false) => query.doubted = query.doubted.with(bit),
                    (Tag::Language(at), false) if !proposal.weak && inside_set(proposal) => languages.push(&self.dictionary.languages[at as usize]),
                    (Tag::Language(at), true) if !proposal.weak => languages.push(&self.dictionary.languages[at as usize]),
                    (Tag::Rarity(at), true) => {
                        query.rarity = true;
                        for (all, one) in query.rarities.iter_mut().zip(self.rarities[at as usize]) {
                            *all |= one;
                        }
                        let word = self.dictionary.rarities[at as usize].value.as_str();
                        query.secret |= word.contains("Secret") || word.contains("Illustration") || word.contains("Hyper") || word.contains("Special Art");
                        query.promo |= word == "Promo";
                        query.alternate |= word == "Special Art";
                    }
                    (Tag::Printing(at), true) => {
                        let word = &self.dictionary.printings[at as usize];
                        let value = if word.field == Field::Finish { word.value.as_str() } else { word.implies.as_str() };
                        let finish = match value {
                            "holo" => Some(Finish::Holo),
                            "reverse holo" => Some(Finish::Reverse),
                            "non-holo" => Some(Finish::Plain),
                            _ => None,
                        };
                        // `reverse holo` beats the `holo` in `holo rare`
                        if finish.is_some() && query.finish != Some(Finish::Reverse) {
                            query.finish = finish;
                        }
                        if word.field == Field::Edition {
                            let edition = match word.value.as_str() {
                                "1st edition" => Some(Edition::First),
                                "unlimited" => Some(Edition::Unlimited),
                                "shadowless" => Some(Edition::Shadowless),
                                "no rarity" => Some(Edition::NoRarity),
                                _ => None,
                            };
                            query.edition = edition.or(query.edition);
                        }
                        query.alternate |= word.value == "alternate art";
                        query.secret |= word.field == Field::Treatment && matches!(word.value.as_str(), "full art" | "alternate art" | "rainbow" | "gold" | "special illustration" | "illustration rare" | "gold secret");
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        if query.rarity {
            let cards = self.catalogue.card_count().max(1) as f32;
            let like = self.rarity_cards.iter().enumerate().filter(|(n, _)| query.rarities[n / 64] & (1 << (n % 64)) != 0).map(|(_, c)| *c).sum::<u32>();
            query.rarity_idf = (cards / like.max(1) as f32).ln();
        }
        query.marks = stated;
        query.doubted = query.doubted.minus(stated);
        // a species in Chinese characters alone is in Chinese: its Japanese name is in kana
        let chinese = chosen.iter().any(|c| match c.value {
            Value::Hit(at) if c.field == Field::Name => {
                let hit = &hits[at as usize];
                hit.species && context.line.tokens().get(context.line.token_at(hit.at as usize)).is_some_and(|t| t.class == Class::Han)
            }
            _ => false,
        });
        let international = ["english", "german", "french", "italian", "spanish", "portuguese", "dutch", "polish", "russian"];
        query.language = match languages.first() {
            Some(&"japanese") => Language::Japanese,
            Some(l) if international.contains(l) => Language::International,
            Some(l) if l.contains("chinese") || matches!(*l, "korean" | "thai" | "indonesian") => Language::OtherAsian,
            _ if context.kana => Language::Japanese,
            _ if context.hangul => Language::OtherAsian,
            _ if context.japanese && chinese => Language::OtherAsian,
            _ if context.japanese => Language::Japanese,
            _ => Language::Unsaid,
        };
        // words that nothing explains, and pairs of them: `dark charizrd`
        for token in context.line.tokens() {
            let letters = matches!(token.class, Class::Latin | Class::Katakana | Class::Han | Class::Hangul);
            if letters && query.unread.len() < 12 && free(token.at, token.end) {
                query.unread.push((token.at, token.end));
            }
        }
        let _ = (tags, around);
    }

    /// Names within one edit of words that nothing explains.
    fn search_fuzzily(&self, line: &Line, query: &mut Query) {
        use fst::automaton::Levenshtein;
        use fst::{IntoStreamer, Streamer};
        let unread = query.unread.clone();
        for (at, end) in unread.into_iter().take(4) {
            let word = line.text(at as usize, end as usize);
            let letters = word.chars().count();
            let ascii = word.is_ascii();
            if letters < if ascii { 5 } else { 4 } || letters > 24 {
                continue;
            }
            let Ok(automaton) = Levenshtein::new(word, 1) else { continue };
            let mut stream = self.catalogue.lexicon().search(automaton).into_stream();
            let mut found = 0;
            while let Some((key, place)) = stream.next() {
                // the first letter of a word is hardly ever wrong
                if key.first() != line.key().get(at as usize) || found >= 8 {
                    continue;
                }
                let hit = Hit { at, end, place, whole: true, name: true, species: true, set: false, word: false, artist: false };
                let before = query.names.len();
                query.add_name(&self.catalogue, &hit, true);
                for clue in &mut query.names[before..] {
                    clue.quality = crate::catalogue::NameQuality::Misspelt;
                }
                found += usize::from(query.names.len() > before);
            }
        }
    }

    /// Adds the catalogue's opinion to the readings: what agrees with the best candidate gains, what contradicts it loses.
    fn overrule(&self, card: u32, hits: &[Hit], numbers: &[NumberReading], proposals: &mut [Proposal]) {
        use crate::catalogue::EntryKind;
        let Some(record) = self.catalogue.card_record(card) else { return };
        let Some(name) = self.catalogue.name_record(record) else { return };
        let (number, total) = (record.number.get(), record.total.get());
        for proposal in proposals.iter_mut() {
            let gain = match proposal.value {
                Value::Hit(at) if proposal.field == Field::Name => {
                    let entries = self.catalogue.entries(hits[at as usize].place);
                    entries
                        .map(|e| match e.kind() {
                            EntryKind::Name if e.id() == record.name.get() => 3.5,
                            EntryKind::Name => {
                                let other = self.catalogue.names.get(e.id() as usize);
                                match other {
                                    Some(o) if o.core == name.core => if o.marks().minus(name.marks()).count() > 0 { -2.0 } else { 2.0 },
                                    _ => 0.0,
                                }
                            }
                            EntryKind::Core if e.id() == name.core.get() => 2.0,
                            EntryKind::Card if e.id() == card => 4.0,
                            _ => 0.0,
                        })
                        .fold(None, |best: Option<f32>, gain| Some(best.map_or(gain, |b| if gain.abs() > b.abs() || gain > b { gain } else { b })))
                        .unwrap_or(0.0)
                }
                Value::Hit(_) if proposal.field != Field::Set => 0.0,
                Value::Hit(at) => {
                    let ours = self.catalogue.entries(hits[at as usize].place).any(|e| e.kind() == EntryKind::Set && e.id() == u32::from(record.set.get()));
                    if ours { 3.0 } else { -0.5 }
                }
                Value::Number(at) => {
                    let reading = &numbers[at as usize];
                    let same = self.catalogue.number(reading.number) == Some(number);
                    match reading.kind {
                        NumberKind::Fraction if same && (reading.total != 0 && self.catalogue.number(reading.total) == Some(total)) => 4.0,
                        NumberKind::Fraction if same => 2.0,
                        NumberKind::Bare if same => 3.0,
                        _ if same => 3.0,
                        _ => 0.0,
                    }
                }
                Value::Word(Tag::Affix(bit)) => {
                    if name.marks().0 >> bit.min(127) & 1 == 1 { 1.5 } else { -1.0 }
                }
                _ => 0.0,
            };
            proposal.weight += gain;
        }
    }

    pub(crate) fn facts<'f>(&'f self, found: &'f Found<'f, 'a>, unread: f32) -> Facts<'f> {
        let top = found.ranked.first();
        let record = top.and_then(|t| self.catalogue.card_record(t.card));
        let dex = record
            .and_then(|r| self.catalogue.name_record(r))
            .and_then(|n| self.catalogue.cores.get(n.core.get() as usize))
            .map_or([0; 3], |c| c.dex.map(|d| d.get()));
        let core = record.and_then(|r| self.catalogue.name_record(r)).map(|n| n.core.get());
        let mut others: Vec<u32> = Vec::new();
        let mut all: Vec<u32> = Vec::new();
        for clue in found.query.names.iter().filter(|n| n.chosen && n.species) {
            let stands = found.proposals.iter().any(|p| p.chosen && p.field == Field::Name && p.at == clue.at && p.end == clue.end);
            let Some(clue_core) = self.catalogue.cores.get(clue.core as usize) else { continue };
            let one = clue_core.dex[0].get();
            if !stands || one == 0 {
                continue;
            }
            if !all.contains(&u32::from(one)) {
                all.push(u32::from(one));
            }
            if Some(clue.core) != core && !dex.contains(&one) && !others.contains(&u32::from(one)) {
                others.push(u32::from(one));
            }
        }
        let solid = top.is_some_and(|t| {
            t.probability > 0.5 && {
                let scorer = Scorer { catalogue: &self.catalogue, weights: &self.weights, query: found.query, line: found.context.line };
                let evidence = scorer.evidence(t.card);
                use crate::score::features::Feature as F;
                let name = evidence.iter().any(|(f, _)| matches!(f, F::NameAgrees | F::NicknameCard | F::NameFuzzy));
                let number = evidence.iter().any(|(f, _)| matches!(f, F::NumberTotalAgree | F::NumberAgrees | F::DexAgrees | F::NicknameCard));
                // a number and a word that is a name somewhere are no card of this game without a sign of it
                let own = found.proposals.iter().any(|p| {
                    p.chosen
                        && match p.value {
                            Value::Word(Tag::Game(g)) => self.dictionary.games[g as usize].1 == "own",
                            Value::Number(n) => found.numbers[n as usize].total_known,
                            _ => p.field == Field::Set,
                        }
                });
                name && number && own
            }
        });
        let chosen = |field: Field| found.proposals.iter().any(|p| p.chosen && p.field == field);
        Facts {
            dictionary: self.dictionary,
            proposals: found.proposals,
            numbers: found.numbers,
            species: others.len(),
            all_species: all.len(),
            set: chosen(Field::Set),
            graded: chosen(Field::Grade),
            condition: chosen(Field::Condition),
            top: top.map_or(0.0, |t| t.probability),
            solid,
            fraction: found.proposals.iter().any(|p| p.chosen && matches!(p.value, Value::Number(n) if found.numbers[n as usize].total_known)),
            jumbo: record.is_some_and(|r| {
                let product = self.catalogue.card(self.catalogue.string(r.id)).and_then(|c| c.product).unwrap_or("");
                r.flags.get() & crate::catalogue::format::card_flag::JUMBO != 0 || product.to_lowercase().contains("jumbo") || product.contains("ジャンボ")
            }),
            unread,
        }
    }
}

/// The answer for a title that is too long to be one.
fn too_long(title: &str) -> Answer {
    let mut end = SHOWN_BYTES;
    while !title.is_char_boundary(end) {
        end -= 1;
    }
    Answer {
        title: title[..end].to_owned(),
        parsed: Parsed { kind: Kind::Other, ..Parsed::default() },
        outcome: Outcome {
            kind: OutcomeType::NotACard,
            confidence: Probability::new(1.0),
            ambiguous_on: Vec::new(),
            not_in_catalogue: Probability::new(1.0),
        },
        matches: Vec::new(),
        error: Some(TitleError::new("too_long", format!("the title has {} bytes; at most {MAX_TITLE_BYTES} are read", title.len()))),
    }
}

/// The signs of what is being sold, for [`assemble`].
pub(crate) fn signs(facts: &Facts<'_>) -> outcome::Signs {
    outcome::signs(facts)
}
