//! [`Facts`]: the facts of a title that decide the kind of listing.

use super::named::{NamedSubjects, codes_of_names, commas, fractions_of_names, joins, priced};
use crate::attributes::label::Label;
use crate::attributes::name::{LONG_THING, NameClue};
use crate::attributes::number::{NumberClue, NumberKind, NumberReading};
use crate::attributes::printing::qualifier_key;
use crate::attributes::rarity;
use crate::attributes::set::SetClue;
use crate::calibrate::Ranked;
use crate::catalogue::format::{CardRecord, SetRecord, U24, set_flag};
use crate::catalogue::{Columns, NameQuality};
use crate::dictionary::{Dictionary, PrintingWord, Tag};
use crate::findings::Findings;
use crate::parsed::Field;
use crate::reading::{Chosen, Proposal, Value};
use crate::reference::Reference;
use crate::score::features::{Feature, Features, NAMED};
use crate::stats::CatalogueStats;
use crate::token::{Line, key_of};
use crate::word_lists::{PARTS_OF_PICTURE, SENTENCE_WORDS, WORDS_FOR_CARD, has};

/// The facts that decide the kind of listing.
pub(super) struct Facts<'a> {
    pub(super) dictionary: &'a Dictionary,
    pub(super) stats: &'a CatalogueStats,
    pub(super) line: &'a Line,
    pub(super) proposals: &'a [Proposal],
    /// Those that were chosen.
    pub(super) chosen: &'a Chosen,
    pub(super) numbers: &'a [NumberReading],
    pub(super) names: &'a [NameClue],
    sets: &'a [SetClue],
    /// Different subjects named and not explained by the best candidate, each place once.
    pub(super) subjects: usize,
    /// How many words and signs that join stand between names.
    pub(super) joins: usize,
    /// How many names stand right behind a comma.
    pub(super) commas: usize,
    /// Two names stand right before a price.
    pub(super) priced: bool,
    /// The title says a language of which the catalogue has no card, or a set.
    pub(super) unheld: bool,
    /// The best candidate's number is stated, not only its digits.
    pub(super) number_agrees: bool,
    /// All different subjects named.
    pub(super) all_subjects: usize,
    /// The numbers with codes or totals are of cards of several names, which the title has.
    pub(super) numbers_of_names: bool,
    /// A set of the catalogue is named.
    pub(super) set: bool,
    pub(super) graded: bool,
    pub(super) condition: bool,
    /// A rarity is stated.
    pub(super) rarity: bool,
    /// Several different ones are, by their letters: `SR SAR`.
    pub(super) rarities: bool,
    /// Probability of the best candidate.
    pub(super) top: f64,
    /// The best candidate is one of several cards that make one picture.
    pub(super) part: bool,
    /// Probability of all cards of its name together.
    pub(super) name: f64,
    /// The best candidate agrees in name and number.
    pub(super) solid: bool,
    /// The best candidate is nearly certain, and agrees in name and set.
    pub(super) placed: bool,
    /// Slabs with a grade.
    pub(super) grades: usize,
    /// A subject, or a card by nickname, is named.
    pub(super) named: bool,
    /// The title has no Japanese, Chinese or Korean letter.
    pub(super) latin: bool,
    /// A name of a card is read in Japanese, Chinese or Korean: few other things are called so.
    pub(super) own_script: bool,
    /// A mark of names or a rarity is read that few other games have.
    pub(super) own_words: bool,
    /// Words are read as the name of some card.
    pub(super) any_name: bool,
    /// Words are read as a name, and all are marks of names: `VMAX`.
    pub(super) only_marks: bool,
    /// A number is stated, with or without a total.
    pub(super) numbered: bool,
    /// Bare digits beside the set are the best candidate's number, and it is nearly certain.
    pub(super) found: bool,
    /// A number with a total that the catalogue has.
    pub(super) fraction: bool,
    pub(super) catalogue: &'a Columns<'a>,
    /// The best candidate.
    card: Option<&'a CardRecord>,
    /// The core of its name.
    pub(super) core: Option<u32>,
    /// Words that name nothing, as a share of the title.
    pub(super) unread: f32,
    /// Nothing but short words is read, as the name of a trainer or a thing or as a part of one, or as a
    /// number, and most of the title is not: `garden chair`, `Penny loafers`, `BMW E46`.
    pub(super) stray: bool,
}

/// Above this probability the best candidate is solid if it agrees in name and number.
const SOLID: f64 = 0.5;
/// Above this probability a candidate is nearly certain.
pub(super) const CERTAIN: f64 = 0.9;
/// Above this probability the catalogue confirms a trainer or a thing as a card's name.
const THING_NAMES: f64 = 0.4;
/// Names of more characters than this in Japanese, Chinese or Korean are hardly called so by
/// chance.
const SHORT_NAME: usize = 2;
/// Shorter marks of names are words of anything: `ex`.
const LEAST_MARK: u32 = 3;

/// Which say that set, number or digits agree.
const SET_IN_FULL: Features = Features::of(&[Feature::SetAgrees, Feature::CodeAgrees]);
const CODE: Features = Features::of(&[Feature::CodeAgrees]);
const NUMBER_IN_FULL: Features = Features::of(&[
    Feature::NumberTotalAgree,
    Feature::NumberAgrees,
    Feature::SubjectAgrees,
]);
const NICKNAME: Features = Features::of(&[Feature::NicknameCard]);
const NUMBER: Features = Features::of(&[
    Feature::NumberTotalAgree,
    Feature::NumberAgrees,
    Feature::DigitsAgree,
    Feature::SubjectAgrees,
]);
const DIGITS: Features = Features::of(&[Feature::BareAgrees]);

/// Whether words are the whole name of a trainer or a thing, and long: `Lysandre Labs`.
fn is_long_thing(name: &NameClue) -> bool {
    name.name.is_some() && name.quality == NameQuality::Printed && name.end - name.at >= LONG_THING
}

/// The kind of a product that is a pack.
pub(super) const PACK: &str = "booster_pack";

/// A rarity of at most so many bytes is written by its letters.
const LETTERS_OF_RARITY: u32 = 3;

/// Whether the title states several rarities by their letters.
fn several_rarities(findings: &Findings<'_, '_>) -> bool {
    let rarities = findings.readings.chosen.of(Field::Rarity);
    let mut letters = rarities.filter_map(|p| match p.value {
        Value::Word(Tag::Rarity(at)) if p.end - p.at <= LETTERS_OF_RARITY => Some(at),
        _ => None,
    });
    let first = letters.next();
    letters.any(|at| Some(at) != first)
}

/// Of some games, Simplified Chinese prints are cards of their own.
const SIMPLIFIED: &str = "simplified chinese";
const CHINESE: &str = "chinese";

/// What the chosen readings say together.
#[derive(Default)]
struct Said {
    /// A game that the catalogue holds, a set, or a number of a kind that is read only if some card
    /// has it.
    own: bool,
    /// See [`Facts`].
    unheld: bool,
    /// Words name a set of which the catalogue has no card.
    empty_set: bool,
    own_script: bool,
    own_words: bool,
    numbered: bool,
    /// A number is bare digits.
    bare: bool,
    fraction: bool,
}

impl Said {
    /// Goes through the chosen readings once.
    fn by(findings: &Findings<'_, '_>) -> Said {
        let Reference {
            catalogue,
            dictionary,
            stats,
        } = findings.readings.reference;
        // sellers say it of traditional prints, too, which the catalogue has and their set or number tells
        let chosen = findings.readings.chosen;
        let told = || chosen.has(Field::Set) || chosen.has(Field::Number);
        let held = || {
            let top = findings.ranked.first();
            let card = top.and_then(|top| catalogue.card_record(top.card));
            card.is_some_and(|card| {
                let set = catalogue.set_record(card);
                set.is_some_and(|set| set.game_bit() & stats.simplified_apart == 0)
                    || catalogue.language(card.language).contains(CHINESE) && told()
            })
        };
        let line = findings.readings.context.line;
        let mut said = Said::default();
        for p in findings.readings.chosen.iter() {
            match p.value {
                Value::Word(tag) => {
                    said.own |= stats.is_held_game(tag);
                    match tag {
                        Tag::Language(at) => {
                            let simplified = dictionary.languages[at as usize] == SIMPLIFIED;
                            said.unheld |= simplified && !held();
                        }
                        Tag::Affix(_) => said.own_words |= p.end - p.at >= LEAST_MARK,
                        Tag::Printing(_) => said.own_words |= p.field == Field::Treatment,
                        Tag::Rarity(at) => {
                            said.own_words |= !p.weak && rarity::is_telling(dictionary, at);
                        }
                        _ => {}
                    }
                }
                Value::Number(at) => {
                    let number = &findings.readings.numbers[at as usize];
                    // numbers with letters are read only if the catalogue has them
                    said.own |= number.total_known || number.kind == NumberKind::Prefixed;
                    let bare = number.kind == NumberKind::Bare;
                    said.numbered |= !bare;
                    said.bare |= bare;
                    said.fraction |= number.total_known;
                }
                Value::Hit(at) if p.field == Field::Set => {
                    said.own = true;
                    let hit = &findings.readings.hits[at as usize];
                    let mut sets = catalogue.sets_named(hit.place).peekable();
                    said.empty_set |= sets.peek().is_some() && sets.all(|set| set.count.get() == 0);
                }
                _ => said.own |= p.field == Field::Set,
            }
            if p.field == Field::Name && !line.is_ascii() {
                let text = line.text(p.at as usize, p.end as usize);
                said.own_script |= !text.is_ascii() && text.chars().count() > SHORT_NAME;
            }
        }
        said
    }
}

/// How far the best candidate agrees with the title; see [`Facts`].
struct Agreement {
    solid: bool,
    placed: bool,
    found: bool,
}

impl Agreement {
    /// `agrees` is the evidence for the best candidate, `others` how many subjects it does not explain.
    fn of(
        findings: &Findings<'_, '_>,
        said: &Said,
        (agrees, others): (Features, usize),
    ) -> Agreement {
        let top = findings.ranked.first();
        let certain = top.is_some_and(|top| top.probability > CERTAIN);
        let solid = top.is_some_and(|top| top.probability > SOLID)
            && agrees.any_of(NAMED)
            && (agrees.any_of(NUMBER_IN_FULL)
                // `Gold Star Latias Latios` is a nickname, and a further name
                || agrees.any_of(NICKNAME) && others == 0
                || agrees.any_of(SET_IN_FULL) && agrees.any_of(DIGITS))
            // a number and a word that is also a name somewhere need another sign of this game
            && said.own;
        let placed = certain && agrees.any_of(NAMED) && agrees.any_of(SET_IN_FULL);
        let bare = |clue: &NumberClue| clue.kind == NumberKind::Bare;
        let beside = |clue: &NumberClue| bare(clue) && clue.beside;
        // `SCR 52`: where nothing else is said, another reading of the code tells no other card
        let only = || {
            use Field::{Condition, Finish, Game, Language, Noise, Number, Set};
            let chosen = findings.readings.chosen;
            let says = |p: &Proposal| {
                matches!(
                    p.field,
                    Condition | Finish | Game | Language | Noise | Number | Set
                )
            };
            agrees.any_of(CODE) && findings.readings.unread.is_empty() && chosen.iter().all(says)
        };
        let likely = || top.is_some_and(|top| top.probability > SOLID);
        let numbers = &findings.query.numbers;
        let found = said.bare
            && (certain && numbers.iter().any(beside)
                || likely() && numbers.iter().any(bare) && only())
            && agrees.any_of(SET_IN_FULL)
            && agrees.any_of(DIGITS);
        Agreement {
            solid,
            placed,
            found,
        }
    }
}

/// Whether a card is one of several that make one picture.
fn is_part_of_picture(findings: &Findings<'_, '_>, card: &CardRecord) -> bool {
    let reference = &findings.readings.reference;
    let set = reference.catalogue.set_record(card);
    let game = set.map_or("", |set| reference.catalogue.game(set));
    let part = |bit: u16| {
        let mark = reference.dictionary.affixes.get(bit as usize);
        mark.is_some_and(|mark| has(PARTS_OF_PICTURE, game, &mark.name))
    };
    let name = reference.catalogue.name_record(card);
    name.is_some_and(|name| name.marks().bits().any(part))
}

/// Whether the title names sets in two places, one of which is the whole name of the best candidate:
/// `Time Spiral Urza's Saga`.
fn is_named_like_set(findings: &Findings<'_, '_>, card: Option<&CardRecord>) -> bool {
    let catalogue = findings.readings.reference.catalogue;
    let core = card.and_then(|card| Some(catalogue.name_record(card)?.core.get()));
    let sets = || findings.query.sets.iter().filter(|set| set.is_named());
    let mut names = findings.query.names.iter();
    names.any(|name| {
        Some(name.core) == core
            && sets().any(|set| (set.at, set.end) == (name.at, name.end))
            && sets().any(|set| set.end <= name.at || name.end <= set.at)
    })
}

/// The bytes of the words that name nothing.
fn unread_bytes(findings: &Findings<'_, '_>) -> u32 {
    let unread = findings.readings.unread.iter();
    unread.map(|span| span.end - span.start).sum()
}

/// Words that name nothing, as a share of the title's key.
fn unread_share(findings: &Findings<'_, '_>) -> f32 {
    let bytes = findings.readings.context.line.key().len().max(1);
    unread_bytes(findings) as f32 / bytes as f32
}

/// A shorter word stands in names by chance.
const LEAST_IN_NAME: u32 = 4;
/// A printed name of fewer bytes is a word of anything where most of a title is not read.
const LEAST_NAME: u32 = 8;
/// So many words that name nothing, none of them shorter, outweigh a long printed name.
const SEVERAL_WORDS: usize = 2;
const LEAST_WORD: u32 = 3;
/// The most bytes of a number with letters that is the code of anything.
const SHORT_CODE: u32 = 3;

/// Whether only names of things are read, parts of names or numbers with letters, and fewer of the title's
/// bytes than are not; beside a long name these are of several words.
fn is_stray(findings: &Findings<'_, '_>) -> bool {
    let readings = &findings.readings;
    let short_code = |p: &Proposal| match p.value {
        Value::Number(at) => {
            readings.numbers[at as usize].kind == NumberKind::Prefixed && p.end - p.at <= SHORT_CODE
        }
        _ => false,
    };
    let beside = |p: &Proposal| {
        let of_anything = [
            Field::Noise,
            Field::Year,
            Field::Origin,
            Field::Illustrator,
            Field::Quantity,
        ];
        of_anything.contains(&p.field) || p.field == Field::Condition && p.weak
    };
    let says = |p: &Proposal| p.field == Field::Name || short_code(p);
    let mut read = readings.chosen.iter();
    if readings.unread.is_empty() || !read.all(|p| says(p) || beside(p)) {
        return false;
    }
    let names = || findings.query.names.iter().filter(|name| name.chosen);
    let bytes = |of: &dyn Fn(&Proposal) -> bool| -> u32 {
        let read = readings.chosen.iter().filter(|p| of(p));
        read.map(|p| p.end - p.at).sum()
    };
    let named = bytes(&says);
    let mut unread = unread_bytes(findings);
    // `Please give me a discount`: a part of a name is worth less than words that say nothing
    if names().all(|name| name.quality == NameQuality::Derived) {
        unread += bytes(&beside);
    }
    // `Dark Ritual eyeshadow palette`: several words say more than one, which a name may lack
    let words = || readings.unread.iter();
    let several = words().filter(|word| word.end - word.start >= LEAST_WORD);
    let wordy = several.count() >= SEVERAL_WORDS;
    let long = |name: &NameClue| {
        let printed = name.name.is_some() && name.quality == NameQuality::Printed;
        printed && name.end - name.at >= LEAST_NAME
    };
    if named == 0 || names().any(|name| name.subject) {
        return false;
    }
    // `he was hit by a lightning bolt`
    let in_sentence = || {
        let tokens = readings.context.line.tokens().iter().enumerate();
        let mut tokens = tokens.filter(|(_, token)| {
            readings
                .chosen
                .covering(token.at)
                .is_none_or(|p| p.at > token.at)
        });
        tokens.any(|(at, _)| SENTENCE_WORDS.contains(&readings.context.word(at)))
    };
    unread > named && (wordy || !names().any(long)) || in_sentence()
}

impl<'f> Facts<'f> {
    /// Whether words stand in the name of the card that the code of a set and a number in the title
    /// say: `GFTP-EN056 Hieratic Seal of Banihsment` sells no seal. So does a card that a number with
    /// its total and a name with a slip say: `Sky Seal Stome 143/159`.
    pub(super) fn is_of_coded_name(&self, proposal: &Proposal) -> bool {
        // `Lotadd 32/108 lot`
        let long = proposal.end - proposal.at >= LEAST_IN_NAME;
        let named = || self.names.iter().any(|name| name.chosen);
        let misspelt = || long && self.solid && self.fraction && !named();
        if !self.code_agrees() && !misspelt() {
            return false;
        }
        let words = self.line.text(proposal.at as usize, proposal.end as usize);
        let has = |name: U24| key_of(self.catalogue.string(name)).contains(words);
        let name = self.card.and_then(|card| self.catalogue.name_record(card));
        let locals = self
            .card
            .map_or(&[][..], |card| self.catalogue.locals(card));
        name.is_some_and(|name| has(name.text)) || locals.iter().any(|local| has(local.name))
    }

    /// Whether words stand in the name of a set that is found in spite of a slip: `Metal Raider` says no
    /// metal card.
    pub(super) fn is_of_named_set(&self, proposal: &Proposal) -> bool {
        let longer = |set: &SetClue| set.end - set.at > proposal.end - proposal.at;
        let mut sets = self.sets.iter().filter(|set| set.is_named() && longer(set));
        sets.any(|set| set.at <= proposal.at && proposal.end <= set.end)
    }

    /// Whether words are the whole name of a trainer or a thing, and long.
    pub(super) fn names_long_thing(&self) -> bool {
        let mut names = self.names.iter();
        names.any(|name| name.chosen && !name.subject && is_long_thing(name))
    }

    /// Whether the title names one card by words that end in the word for a card: `DON!! card`.
    pub(super) fn names_a_card(&self) -> bool {
        let ends = |name: &NameClue| {
            let words = self.line.text(name.at as usize, name.end as usize);
            WORDS_FOR_CARD.iter().any(|word| words.ends_with(word))
        };
        let mut names = self.names.iter().filter(|name| name.chosen);
        self.one_at_most() && names.any(ends)
    }

    /// Collects the facts from the findings.
    pub(super) fn of<'t: 'f>(findings: &Findings<'f, 't>) -> Facts<'f> {
        let Reference {
            catalogue,
            dictionary,
            stats,
        } = findings.readings.reference;
        let top = findings.ranked.first();
        let core_of = |card: u32| catalogue.core_of_card(card);
        let core = top.and_then(|top| core_of(top.card));
        // prints that nothing tells apart are one name all the same
        let same_name = |r: &&Ranked| core.is_some() && core_of(r.card) == core;
        let named = findings.ranked.iter().filter(same_name);
        let name: f64 = named.map(|r| r.probability).sum();
        let joins = joins(findings);
        let subjects = NamedSubjects::of(findings, (core, name), joins);
        let said = Said::by(findings);
        let agrees: Features = findings.evidence.of(0).iter().collect();
        let agreement = Agreement::of(findings, &said, (agrees, subjects.others));
        let Agreement {
            solid,
            placed,
            found,
        } = agreement;
        // what such a card came with may be a set of its own, of which no card is listed
        let card = top.and_then(|t| catalogue.card_record(t.card));
        let reprinted = card
            .and_then(|card| catalogue.set_record(card))
            .is_some_and(|set| set.flags & set_flag::REPRINTED != 0);
        let names_card =
            |n: &NameClue| n.chosen && (n.subject || name > THING_NAMES || is_long_thing(n));
        let names = &findings.query.names;
        let slabs = findings.readings.grades.iter();
        let chosen = findings.readings.chosen;
        Facts {
            dictionary,
            stats,
            line: findings.readings.context.line,
            proposals: findings.readings.proposals,
            chosen,
            numbers: findings.readings.numbers,
            names,
            sets: &findings.query.sets,
            subjects: subjects.others,
            all_subjects: subjects.all,
            joins,
            commas: commas(findings),
            priced: priced(findings),
            part: card.is_some_and(|card| is_part_of_picture(findings, card)),
            // `Base Set 23/102 CS4-683`: a seller's own number looks like the code of such a set
            unheld: said.unheld
                || said.empty_set
                    && findings.query.sold.is_empty()
                    && !(solid && (placed || reprinted)),
            number_agrees: top.is_some() && agrees.any_of(NUMBER),
            name,
            numbers_of_names: codes_of_names(findings) || fractions_of_names(findings),
            set: chosen.has(Field::Set),
            graded: chosen.has(Field::Grade),
            // `new`, `nuova` is said of anything
            condition: chosen.of(Field::Condition).any(|p| !p.weak) || chosen.has(Field::Label),
            rarity: chosen.has(Field::Rarity),
            rarities: several_rarities(findings),
            top: top.map_or(0.0, |t| t.probability),
            solid,
            placed,
            grades: slabs.filter(|grade| grade.value.is_some()).count(),
            // a trainer or a thing names a card only if the catalogue agrees, or its name is a long one
            named: names.iter().any(names_card)
                || !findings.query.cards.is_empty()
                // what was taken for a set is a card of the other
                || placed && !chosen.has(Field::Kind) && is_named_like_set(findings, card),
            latin: !findings.readings.context.japanese && !findings.readings.context.hangul,
            own_script: said.own_script,
            own_words: said.own_words,
            any_name: chosen.has(Field::Name),
            only_marks: chosen.has(Field::Name)
                && (chosen.of(Field::Name)).all(|p| matches!(p.value, Value::Word(Tag::Affix(_)))),
            // `Lost Origin 130`: bare digits, with which the set has a card
            numbered: said.numbered || found && !chosen.has(Field::Kind),
            found,
            fraction: said.fraction,
            catalogue,
            card,
            core,
            unread: unread_share(findings),
            stray: is_stray(findings),
        }
    }

    /// The sets that the title names.
    fn named_sets(&self) -> impl Iterator<Item = &'f SetRecord> {
        let named = self.sets.iter().filter(|words| words.is_named());
        named.flat_map(|words| self.catalogue.sets_named(words.place))
    }

    /// Whether all sets that the title names are of promos, which are sold one by one.
    pub(super) fn are_promos(&self) -> bool {
        let mut sets = self.named_sets().peekable();
        sets.peek().is_some() && sets.all(|set| set.flags & set_flag::PROMO != 0)
    }

    /// Whether a card of a name that the title has prints the number; where it has no name, one of
    /// a set that it names.
    pub(super) fn is_of_title(&self, reading: &NumberReading) -> bool {
        let catalogue = self.catalogue;
        let number = catalogue.number(reading.number);
        number.is_some_and(|number| {
            let cards = |core: u32| catalogue.cards_of_core_numbered(core, number);
            let of_set = |set: &SetRecord| !catalogue.cards_of_set_numbered(set, number).is_empty();
            self.names.iter().any(|name| !cards(name.core).is_empty())
                || !self.any_name && self.named_sets().any(of_set)
        })
    }

    /// Whether a number is the whole of a set, and no card of a name that the title has: `64/64`.
    pub(super) fn counts_set(&self) -> bool {
        let mut fractions = self
            .numbers
            .iter()
            .filter(|n| n.kind == NumberKind::Fraction);
        fractions.any(|n| n.number == n.total && !self.is_of_name(n))
    }

    /// Whether a card of a name that the title has prints the number with its total.
    pub(super) fn is_of_name(&self, reading: &NumberReading) -> bool {
        let number = self.catalogue.number(reading.number);
        let total = self.catalogue.number(reading.total);
        number.zip(total).is_some_and(|(number, total)| {
            let mut names = self.names.iter();
            names.any(|name| self.catalogue.core_prints(name.core, number, Some(total)))
        })
    }

    /// Whether words for a product are a part of what the set is called that the title names, and
    /// whose card it names: one card of `Starter Deck 6: Absolute Justice`. Where the set is called
    /// after the card, the product is sold, and so is a pack. `word`: the product's in the dictionary.
    pub(super) fn is_of_product(&self, words: &Proposal, word: u16) -> bool {
        if self.dictionary.sealed[usize::from(word)] == PACK {
            return false;
        }
        let catalogue = self.catalogue;
        let of_set = |card: &CardRecord| {
            let set = catalogue.set_record(card)?;
            if !self.named_sets().any(|named| named.id == set.id) {
                return None;
            }
            let called = [set.name, set.local_name, set.series];
            let called = called.map(|name| key_of(catalogue.string(name)));
            let core = catalogue.name_record(card)?.core.get();
            let core = key_of(catalogue.string(catalogue.cores.get(core as usize)?.text));
            let words = self.line.text(words.at as usize, words.end as usize);
            let after = called.iter().any(|name| name.contains(&core));
            Some(!after && called.iter().any(|name| name.contains(words)))
        };
        self.card.and_then(of_set).unwrap_or(false)
    }

    /// Whether the best candidate is known in such a print.
    pub(super) fn is_printed(&self, word: &PrintingWord) -> bool {
        self.card.is_some_and(|card| {
            let labelled = self.catalogue.printings(card).iter().any(|printing| {
                let label = Label::of(self.catalogue.string(printing.label));
                let mut parts = label.parts();
                parts.any(|part| word.labels(&qualifier_key(part)))
            });
            let product = key_of(self.catalogue.product(card));
            labelled
                || product.contains(&key_of(&word.value))
                || word.labels.iter().any(|own| product.contains(own.as_str()))
        })
    }
}
