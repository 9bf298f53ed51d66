//! The set of a card, by name, nickname, code or era.

use super::art::Art;
use super::hit::Hit;
use super::label::each_part;
use super::name::{LONG_THING, NameClue};
use super::number::{NumberClue, NumberKind, NumberReading};
use super::query::Query;
use super::readings::Readings;
use super::units::UnitWords;
use super::writer::Writer;
use super::year::YEARS;
use crate::catalogue::format::{CardRecord, NameRecord, SetRecord, pack_number, set_flag};
use crate::catalogue::{AliasKind, Columns, EntryKind, NameQuality};
use crate::dictionary::{Spoken, Tag, one_slip};
use crate::parsed::{Field, SetReading};
use crate::reading::context::Context;
use crate::reading::{Chosen, Proposal, Value};
use crate::reference::Reference;
use crate::sort::sort_few;
use crate::spelling::is_cut_off;
use crate::stats::CatalogueStats;
use crate::token::{Class, Line, Token, key_of};
use crate::word_lists::SET_NUMBERING;
use std::borrow::Cow;

// How sure words name a set, by the kind of alias.
/// Its name in some language, or a label's.
const NAMED: f32 = 1.25;
/// The same with a year at its end: it is worth no less than the rest and a year by themselves.
const NAMED_BY_YEAR: f32 = 1.6;
/// The name that sellers and collectors use.
const NICKNAME: f32 = 1.15;
/// Nicknames of at most this many Latin letters are short: likelier to be a set in capitals or next
/// to a number than elsewhere.
const SHORT_BYTES: usize = 4;
/// Beside a set in full, letters as few as these are some other abbreviation.
const LETTERS_OF_TAG: usize = 2;
const SHORT_IN_CAPITALS: f32 = 0.9;
const SHORT: f32 = 0.7;
/// A code with digits, of many letters, or with a dash in a Japanese title.
const LONG_CODE: f32 = 1.05;
/// A code that is a mark of names as well, behind a name or with no number behind it: `Gekkoga EX`.
const MARK: f32 = 0.0;
/// A code that counts money beside digits: `RM20`.
const MONEY: f32 = 0.0;
/// A code with a space in it: `カードe 1ED` is not `E1`.
const SPACED_CODE: f32 = 0.2;
/// The same where the letters are an era by themselves: `SWSH 11`.
const ERA_AND_NUMBER: f32 = 0.95;
const LETTERS_OF_ERA: usize = 2;
const DIGITS_IN_ERA: usize = 2;
/// The number of a set where the title does not say of which game: `Base Set 4/102`.
const NOT_NUMBERED: f32 = 0.0;
/// A code in capitals, in a title that states how many cards the set has; codes of fewer letters are
/// conditions and rarities as well: `HP`, `RR`.
const CODE_OF_TOTAL: f32 = 1.2;
/// The fewest letters of a code that is read in small letters or without words about sets.
pub(crate) const LEAST_CODE: usize = 3;
/// A code in capitals next to a number, or by itself in brackets; shops glue it to a Japanese name (`グレンアルマSVD`); in capitals
/// elsewhere; in small letters.
const CODE_BESIDE_NUMBER: f32 = 1.0;
const CODE_IN_BRACKETS: f32 = 1.0;
const CODE_IN_JAPANESE: f32 = 0.9;
const CODE: f32 = 0.45;
/// A code of three letters or more next to a number, in small letters or where all are capitals.
const PLAIN_BESIDE_NUMBER: f32 = 0.75;
const CODE_IN_SMALL_LETTERS: f32 = 0.15;
/// A shorter code in small letters is a word of anything.
const LETTERS_OF_SMALL: usize = 4;
/// A name of several sets, or of an era.
const FAMILY: f32 = 0.8;
/// A proposal above this weight becomes a clue even if it was not chosen, unless a longer set lies
/// around it.
const ASKED_UNCHOSEN: f32 = 0.5;

// What a set is worth as the one that is written, in bytes of its words.
/// It is the best candidate's.
const SET_OF_CARD: i32 = 100;
/// Taken off for each step from a name to a code.
const WORSE_ALIAS: i32 = 10;
/// Taken off for words that name an era as well: `Mega Evolution` beside `Pitch Black`.
const ERA_TOO: i32 = 50;
/// Confidence in a set whose name is misspelt; it has at least so many bytes and at most so many
/// words.
const MISSPELT: f32 = 0.8;
const LEAST_MISSPELT: usize = 6;
const MOST_WORDS: usize = 7;
/// Words that name this many sets name none.
const MAX_SETS: usize = 8;
/// The most alternatives that are shown.
const MAX_ALTERNATIVES: usize = 8;
const FAMILY_KIND: u8 = AliasKind::Family as u8;

/// Sets that some words may name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetClue {
    /// Place of the entries in the lexicon.
    pub(crate) place: u32,
    /// The best kind of alias among them: [`crate::catalogue::AliasKind`].
    pub(crate) kind: u8,
    /// Some of them only by their era: the words contradict no set of it.
    pub(crate) family: bool,
    /// The era is told set by set, those without a series too: any other set is of another.
    pub(crate) listed: bool,
    pub(crate) chosen: bool,
    /// Number of sets of that kind or better, and of any kind.
    pub(crate) sets: u16,
    pub(crate) all: u16,
    pub(crate) at: u32,
    pub(crate) end: u32,
}

impl SetClue {
    /// Whether the title names a set by these words, and not only its era.
    pub(crate) fn is_named(&self) -> bool {
        self.chosen && !self.family
    }

    /// The sets.
    pub(crate) fn ids<'c>(&self, catalogue: &'c Columns<'_>) -> impl Iterator<Item = u32> + 'c {
        let entries = catalogue.entries(self.place);
        let sets = entries.filter(|entry| entry.kind() == EntryKind::Set);
        sets.map(|entry| entry.id())
    }

    /// Whether `set` is one of them.
    fn may_be(&self, catalogue: &Columns<'_>, set: u32) -> bool {
        self.ids(catalogue).any(|own| own == set)
    }
}

/// A set of whose name a word of the title is a part: `Masquerade`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetPart {
    pub(crate) set: u32,
    /// The information in agreeing, in nats.
    pub(crate) nats: f32,
    pub(crate) at: u32,
    pub(crate) end: u32,
}

/// What stands beside letters of the title that may be the code of a set.
pub(crate) struct NearCode<'a> {
    /// Whether a collector number, or what makes them a code as well, is next to these bytes of the
    /// key.
    pub(crate) number: &'a dyn Fn(usize, usize) -> bool,
    /// Whether these bytes are a mark of names, behind a name or with no number behind them.
    pub(crate) mark: &'a dyn Fn(usize, usize) -> bool,
    /// Whether they are a mark of names wherever they stand.
    pub(crate) affix: &'a dyn Fn(usize, usize) -> bool,
    /// Whether the word at this byte of the key counts money beside digits: `RM20`.
    pub(crate) money: &'a dyn Fn(usize) -> bool,
    /// Whether the words of a set are right beside a name or last, and the set has a card of that name
    /// or of one before them.
    pub(crate) held: &'a dyn Fn(&Hit) -> bool,
    /// The number that the title states with a total that the catalogue has.
    pub(crate) fraction: Option<&'a NumberReading>,
}

/// Adds the printings of the sets that the title names, of games whose cards keep their numbers.
pub(crate) fn ask_printings(reference: &Reference<'_, '_>, query: &mut Query) {
    let catalogue = reference.catalogue;
    for clue in query.sets.iter().filter(|clue| clue.is_named()) {
        for id in clue.ids(catalogue) {
            let set = catalogue.sets.get(id as usize);
            if set.is_some_and(|set| set.flags & set_flag::REPRINTED != 0) {
                query
                    .sold
                    .extend(reference.stats.sold_in(catalogue, id, each_part));
            }
        }
    }
}

/// Whether `at..end` contains a space.
fn spaced(context: &Context<'_>, at: usize, end: usize) -> bool {
    let (first, last) = (
        context.line.token_at(at),
        context.line.token_at(end.saturating_sub(1)),
    );
    (first..last).any(|token| context.gap(token).contains(' '))
}

/// Whether a dash stands inside `at..end`: `S-P` are promos, `SP` a mark.
fn dashed(context: &Context<'_>, at: usize, end: usize) -> bool {
    let (first, last) = (
        context.line.token_at(at),
        context.line.token_at(end.saturating_sub(1)),
    );
    (first..last).any(|token| context.gap(token) == "-")
}

/// Whether `at..end` is all that stands between two brackets.
fn in_brackets(context: &Context<'_>, at: usize, end: usize) -> bool {
    let (first, last) = (
        context.line.token_at(at),
        context.line.token_at(end.saturating_sub(1)),
    );
    context.before(first).ends_with(['(', '[', '{'])
        && context.before(last + 1).starts_with([')', ']', '}'])
}

/// Whether a code and bare digits behind it are all that stands in a pair of brackets, in a title that
/// is not Japanese: `(AR 54)`.
fn is_bracketed_with_number(context: &Context<'_>, at: usize, end: usize) -> bool {
    let (code, number) = (context.line.token_at(at), context.line.token_at(end));
    !context.japanese
        && context.before(code).ends_with(['(', '['])
        && context.gap(code) == " "
        && context.class(number) == Some(Class::Digit)
        && context.before(number + 1).starts_with([')', ']'])
}

/// Whether words number the sets of a game: `Set 4`, `EN 4`.
fn is_numbered(text: &str) -> bool {
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    letters.len() < text.len() && SET_NUMBERING.contains(&letters)
}

/// Whether words end in the digits of a year: `Modern Masters 2017`, `Beginner's Edition 2 (2011)`.
fn ends_in_year(text: &str) -> bool {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let year = text.len().checked_sub(4).and_then(|at| text.get(at..));
    let year = year.and_then(|year| year.parse().ok());
    digits >= 4 && digits < text.len() && year.is_some_and(|year| YEARS.contains(&year))
}

/// Whether the words that were read as sets, and as no era, name sets of the further regions alone, or
/// a code among them names such a set and all other words do as well: `SV2a 055/165 Pokemon 151`.
pub(crate) fn is_regional(catalogue: &Columns<'_>, query: &Query) -> bool {
    let named = || query.sets.iter().filter(|set| set.is_named());
    let regional = |set: &&SetClue| catalogue.sets_named(set.place).all(SetRecord::is_regional);
    let of_all = |code: &SetClue| {
        let shares = |other: &SetClue| other.ids(catalogue).any(|set| code.may_be(catalogue, set));
        named().all(|other| regional(&other) || shares(other))
    };
    let mut codes = named().filter(|set| set.kind == AliasKind::Code as u8);
    named().next().is_some()
        && (named().all(|set| regional(&set)) || codes.any(|code| regional(&code) && of_all(code)))
}

/// Whether the words that were read as sets, and as no era, name sets of the first region alone.
pub(crate) fn is_first(catalogue: &Columns<'_>, query: &Query) -> bool {
    let mut named = query.sets.iter().filter(|set| set.is_named()).peekable();
    let first = |set: &SetRecord| !set.is_regional();
    named.peek().is_some() && named.all(|set| catalogue.sets_named(set.place).all(first))
}

/// Whether the title must err in the set: it states no number, or one without a total that a card of
/// its names has, the catalogue holds all cards of the sets that the words name, and none of them
/// bears a name of the title.
pub(crate) fn lacks_names(reference: &Reference<'_, '_>, query: &Query) -> bool {
    let (catalogue, stats) = (reference.catalogue, reference.stats);
    let printed = |name: &NameClue| {
        let long = name.subject || name.end - name.at >= LONG_THING;
        name.chosen && name.quality == NameQuality::Printed && long
    };
    let is_of_names = |clue: &NumberClue| {
        let plain = matches!(clue.kind, NumberKind::Hash | NumberKind::Bare);
        let mut names = query.names.iter();
        let printed = |number| names.any(|name| catalogue.core_prints(name.core, number, None));
        plain && clue.number.is_some_and(printed)
    };
    let mut clues = (query.sets.iter())
        .filter(|clue| clue.is_named())
        .peekable();
    if query.set_mark.is_some()
        || !query.numbers.iter().all(is_of_names)
        || clues.peek().is_none()
        || !query.names.iter().any(printed)
    {
        return false;
    }
    let whole = |set: u32| {
        let set = catalogue.sets.get(set as usize);
        let counts = set.map(|set| (set.count.get(), u32::from(set.official.get())));
        counts.is_some_and(|(held, printed)| printed > 0 && held >= printed)
    };
    // `Misty's Gyarados` is no `Gyarados`
    let bears = |name: &NameClue, record: &CardRecord| {
        let marks = catalogue.name_record(record).map(NameRecord::marks);
        name.name.is_none() || marks.is_some_and(|marks| name.marks.minus(marks).is_empty())
    };
    let holds = |set: u32| {
        let mut names = query.names.iter().filter(|name| name.chosen);
        names.any(|name| {
            let mut cards = catalogue.cards_of_set_and_core(set, name.core);
            cards.any(|(_, record)| bears(name, record))
        })
    };
    let lacks = |set: u32| {
        let mut parts = stats.related(set).iter();
        whole(set) && !holds(set) && !parts.any(|&part| holds(part))
    };
    clues.all(|clue| clue.ids(catalogue).all(lacks))
}

/// The most digits of a count of days or hours behind the name of a set.
const DIGITS_OF_TIME: usize = 2;

/// Says of names of sets that end in a number that they are none where a word for time stands behind
/// it: `Base Set 2 day shipping`.
pub(crate) fn rule_out_times(context: &Context<'_>, units: &UnitWords<'_>, hits: &mut [Hit]) {
    for hit in hits.iter_mut().filter(|hit| hit.means.set) {
        let behind = context.line.token_at(hit.end as usize);
        let counts = |number: usize| {
            let word = context.word(number);
            let few =
                word.len() <= DIGITS_OF_TIME && word.bytes().all(|byte| byte.is_ascii_digit());
            few && context
                .line
                .tokens()
                .get(number)
                .is_some_and(|token| token.at > hit.at)
        };
        if units.is_time(behind) && behind.checked_sub(1).is_some_and(counts) {
            hit.means.set = false;
        }
    }
}

/// Whether words name one or more sets in full, and no era.
pub(crate) fn is_in_full(catalogue: &Columns<'_>, hit: &Hit) -> bool {
    let mut sets = hit.sets(catalogue);
    hit.means.set
        && (hit.end - hit.at) as usize > SHORT_BYTES
        && sets.all(|entry| entry.quality() < FAMILY_KIND)
}

/// Factor for a set that is called after the card which the title names, beside another set.
const AFTER_CARD: f32 = 0.3;
/// A name or a set of fewer bytes says nothing of the words that name both.
const LEAST_OF_OTHER: u32 = 4;

/// Whether words that name a set in full are the only name of a card in the title, and others name
/// a set: `Yamato` in `Yamato OP16`.
fn is_called_after(catalogue: &Columns<'_>, hit: &Hit, hits: &[Hit]) -> bool {
    if !hit.means.name || !is_in_full(catalogue, hit) {
        return false;
    }
    let long = |other: &&Hit| other.whole && other.end - other.at >= LEAST_OF_OTHER;
    let apart = |other: &&Hit| long(other) && other.is_apart(hit.at, hit.end);
    let (mut names, mut sets) = (hits.iter().filter(apart), hits.iter().filter(apart));
    !names.any(|other| other.means.name) && sets.any(|other| other.means.set)
}

/// The name of a set that is the number of a card of another: `Natu 151 Paldean Fates`.
const NUMBER_OF_ANOTHER: f32 = 0.0;

/// Whether the name of a set is digits, and a card of another set that is named in full has them as
/// its number.
fn is_number_of_another(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    hit: &Hit,
    hits: &[Hit],
) -> bool {
    let text = context.line.text(hit.at as usize, hit.end as usize);
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let Some(number) = catalogue.number(pack_number(text)) else {
        return false;
    };
    let mut others = hits.iter().filter(|other| other.is_apart(hit.at, hit.end));
    others.any(|other| {
        let has = |set: &SetRecord| !catalogue.cards_of_set_numbered(set, number).is_empty();
        other.whole && is_in_full(catalogue, other) && catalogue.sets_named(other.place).any(has)
    })
}

/// Whether the name of an era is put together of the names of sets: `ソード＆シールド`.
fn joins_sets(catalogue: &Columns<'_>, hit: &Hit, hits: &[Hit]) -> bool {
    let part = |part: &&Hit| part.means.set && part.end - part.at < hit.end - hit.at;
    let mut sets = hit.sets(catalogue);
    sets.all(|entry| entry.quality() == FAMILY_KIND)
        && hits.iter().filter(part).any(|part| part.at == hit.at)
        && hits.iter().filter(part).any(|part| part.end == hit.end)
}

/// Whether words are letters and digits, two words, the first no mark of names and the beginning of
/// the set's id: the era and the number in it of `SWSH 11`.
fn is_era_and_number(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    hit: &Hit,
    near: &NearCode<'_>,
) -> bool {
    let (at, end) = (hit.at as usize, hit.end as usize);
    let line = context.line;
    let first = line.token_at(at);
    let words = first..line.token_at(end.saturating_sub(1)) + 1;
    let Some([era, number]) = line.tokens().get(words) else {
        return false;
    };
    let text = |token: &Token| line.text(token.at as usize, token.end as usize);
    let begins = |set: &SetRecord| {
        let head = catalogue.string(set.id).get(..text(era).len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(text(era)))
    };
    // `XY - 10`, `(XY 8)`: a set and a number
    let apart = context.gap(first) != " " || in_brackets(context, at, end);
    !apart
        && era.class == Class::Latin
        && number.class == Class::Digit
        && text(era).len() >= LETTERS_OF_ERA
        && text(number).len() <= DIGITS_IN_ERA
        && !(near.affix)(at, era.end as usize)
        && catalogue.sets_named(hit.place).any(begins)
}

/// Whether words that are a mark of names as well name sets of another total than the title states,
/// which have no card of its name by its number: `Delta Species` in `Rayquaza 14/110 (Delta Species)`.
fn is_mark_of_another(
    catalogue: &Columns<'_>,
    hit: &Hit,
    hits: &[Hit],
    near: &NearCode<'_>,
) -> bool {
    let Some(stated) = near.fraction else {
        return false;
    };
    let named = |core: u32| {
        let mut subjects = hits.iter().filter(|hit| hit.means.subject);
        subjects.any(|hit| hit.cores(catalogue).any(|own| own == core))
    };
    let holds = |set: &SetRecord| {
        let number = catalogue.number(stated.number);
        let cards = number.map_or(&[][..], |number| {
            catalogue.cards_of_set_numbered(set, number)
        });
        let mut records = cards
            .iter()
            .filter_map(|card| catalogue.card_record(card.get()));
        records.any(|card| {
            catalogue
                .name_record(card)
                .is_some_and(|name| named(name.core.get()))
        })
    };
    let other =
        |set: &SetRecord| ![0, stated.total_digits].contains(&set.official.get()) && !holds(set);
    (hit.end - hit.at) as usize > SHORT_BYTES
        && (near.affix)(hit.at as usize, hit.end as usize)
        && catalogue.sets_named(hit.place).all(other)
}

/// Confidence that the words name a set. Codes are words too, and count in capitals next to a
/// number. `hits` are those of the whole title; `set_in_full`: some of them name a set in full, or a
/// number does by its code.
pub(crate) fn quality(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    hit: &Hit,
    (hits, set_in_full): (&[Hit], bool),
    near: &NearCode<'_>,
) -> f32 {
    let words = quality_of_words(catalogue, context, hit, set_in_full, near);
    if is_number_of_another(catalogue, context, hit, hits) {
        return NUMBER_OF_ANOTHER;
    }
    if is_mark_of_another(catalogue, hit, hits, near) {
        return MARK;
    }
    if words < NAMED && joins_sets(catalogue, hit, hits) {
        NAMED
    } else if is_called_after(catalogue, hit, hits) {
        words * AFTER_CARD
    } else {
        words
    }
}

/// The same by the words alone, and how they are written.
fn quality_of_words(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    hit: &Hit,
    set_in_full: bool,
    near: &NearCode<'_>,
) -> f32 {
    let near_number = near.number;
    let (at, end) = (hit.at as usize, hit.end as usize);
    let text = context.line.text(at, end);
    let kinds = hit.sets(catalogue).map(|entry| entry.quality());
    let kind = kinds.min().unwrap_or(FAMILY_KIND);
    let digits = || text.bytes().any(|b| b.is_ascii_digit());
    let long = || {
        let class = context.class(context.line.token_at(at));
        text.len() > SHORT_BYTES || class.is_some_and(|class| class != Class::Latin)
    };
    let held = || text.len() >= LEAST_CODE && (near.held)(hit);
    match kind {
        0..=2 if text.len() <= SHORT_BYTES && text.is_ascii() && !digits() => {
            // `[FS] FireRed & LeafGreen`: for sale
            if set_in_full && text.len() <= LETTERS_OF_TAG && !near_number(at, end) {
                CODE_IN_SMALL_LETTERS
            } else if near_number(at, end) || context.line.is_upper(context.normalised, at, end) {
                SHORT_IN_CAPITALS
            } else {
                SHORT
            }
        }
        0 | 1 if ends_in_year(text) => NAMED_BY_YEAR,
        0 | 1 => NAMED,
        2 => NICKNAME,
        3 if is_numbered(text) && hit.games == u32::MAX => NOT_NUMBERED,
        3 if is_numbered(text) => LONG_CODE,
        // `Bronzor (AR 54)`, as Cardmarket writes a number
        3 if is_bracketed_with_number(context, at, end) && (near.held)(hit) => LONG_CODE,
        // `SAHAGIN FIN`
        3 if hit.means.name && held() => LONG_CODE,
        // `Maze of Ith DRK`: what the set has a card of is more than a mark
        3 if (near.mark)(at, end) && !held() => MARK,
        3 if !digits() && (near.money)(at) => MONEY,
        3 if spaced(context, at, end) && is_era_and_number(catalogue, context, hit, near) => {
            ERA_AND_NUMBER
        }
        // `カードe 1ED` is not `E1`
        3 if spaced(context, at, end) => SPACED_CODE,
        3 if long() || digits() => LONG_CODE,
        3 if is_code_of_total(catalogue, context, hit) => CODE_OF_TOTAL,
        3 => {
            let capitals = context.line.is_upper(context.normalised, at, end);
            match (
                capitals && context.capitals_say_code(),
                near_number(at, end),
            ) {
                (true, true) => CODE_BESIDE_NUMBER,
                (true, false) if set_in_full && text.len() <= LETTERS_OF_TAG => {
                    CODE_IN_SMALL_LETTERS
                }
                (true, false) if in_brackets(context, at, end) => CODE_IN_BRACKETS,
                // shops glue the code to the name: `グレンアルマSVD`
                (true, false) if context.japanese && dashed(context, at, end) => LONG_CODE,
                (true, false) if context.japanese && text.len() > 2 => CODE_IN_JAPANESE,
                (true, false) => CODE,
                // `Hop 133/159`: a card's name, and a total that its set has not
                (false, true) if hit.means.name && near.fraction.is_some() => CODE_IN_SMALL_LETTERS,
                (false, true) if text.len() > 2 => PLAIN_BESIDE_NUMBER,
                (false, true) if context.japanese && dashed(context, at, end) => {
                    PLAIN_BESIDE_NUMBER
                }
                // `yugioh rocket pilder abpf`: the game is named, and nothing is in capitals;
                // `dragapult fst`: the set has such a card
                (false, false)
                    if text.len() >= LETTERS_OF_SMALL
                        && hit.games != u32::MAX
                        && context.is_small()
                        || held() =>
                {
                    CODE
                }
                (false, _) => CODE_IN_SMALL_LETTERS,
            }
        }
        _ => FAMILY,
    }
}

/// Whether the code of a set is right beside a name or last in the title, and the set has a card of
/// that name or of one before it: `dragapult fst`, `EMA FORCE OF WILL`.
pub(crate) fn is_held(catalogue: &Columns<'_>, line: &Line, hits: &[Hit], code: &Hit) -> bool {
    // `mew` is a card as well
    if code.means.subject {
        return false;
    }
    let last = code.end as usize == line.key().len();
    // `Sahagin FIN`: half a name of a card, and less than the name beside it
    let less = |name: &Hit| !code.means.name || code.end - code.at < name.end - name.at;
    let named = |name: &&Hit| {
        let beside = name.end == code.at || name.at == code.end;
        (beside || last && name.end < code.at) && name.whole && name.means.name && less(name)
    };
    let has = |core: u32| {
        let mut sets = code.sets(catalogue);
        sets.any(|set| catalogue.has_core(set.id(), core))
    };
    hits.iter()
        .filter(named)
        .any(|name| name.cores(catalogue).any(has))
}

/// Whether words are the code of a set in capitals, and the title states the count printed on the cards
/// of that set: `148/214 LOT`.
#[inline(never)]
pub(crate) fn is_code_of_total(catalogue: &Columns<'_>, context: &Context<'_>, hit: &Hit) -> bool {
    let of_total = |set: &SetRecord| {
        let total = |token: usize| context.word(token).parse() == Ok(set.official.get());
        (2..context.line.tokens().len()).any(|token| context.word(token - 1) == "/" && total(token))
    };
    let (at, end) = (hit.at as usize, hit.end as usize);
    (LEAST_CODE..=SHORT_BYTES).contains(&(end - at))
        && hit
            .sets(catalogue)
            .any(|entry| entry.quality() == AliasKind::Code as u8)
        && context.line.is_upper(context.normalised, at, end)
        && catalogue.sets_named(hit.place).any(of_total)
}

/// Adds clues for the sets that the proposal may name, if it was chosen or no longer set lies
/// around it.
pub(crate) fn ask_proposal(
    catalogue: &Columns<'_>,
    stats: &CatalogueStats,
    hit: &Hit,
    proposal: &Proposal,
    (proposals, chosen): (&[Proposal], &Chosen),
    query: &mut Query,
) {
    let around = chosen.covering(hit.at).filter(|c| {
        c.field == Field::Set
            && c.at <= hit.at
            && hit.end <= c.end
            && (c.end - c.at) > (hit.end - hit.at)
    });
    // `Pokemon Jungle` is the name of a Japanese set, and the game and `Jungle`
    let game = around.is_some_and(|c| {
        c.end == hit.end
            && proposals.iter().any(|p| {
                // `Commander` of `Commander Legends` only hints at the game
                !p.weak
                    && p.at == c.at
                    && p.end == hit.at
                    && matches!(p.value, Value::Word(tag) if stats.is_held_game(tag))
            })
    });
    let unchosen = || {
        around.is_none()
            && proposal.weight > ASKED_UNCHOSEN
            && !counts_otherwise(catalogue, hit, chosen, query)
    };
    if proposal.chosen || game || unchosen() {
        ask(catalogue, hit, proposal.chosen || game, query);
    }
}

/// Whether words are read as a count that names no set: `70 HP` are hit points, and no `Holon Phantoms`;
/// `PSA 10 POP 1` counts slabs, but not beside the total of such a set: `PSA 10 POP 5 Pikachu 13/17`.
fn counts_otherwise(catalogue: &Columns<'_>, hit: &Hit, chosen: &Chosen, query: &Query) -> bool {
    let Some(reading) = chosen.covering(hit.at).filter(|c| c.at <= hit.at) else {
        return false;
    };
    let graded = || {
        let before = hit.at.checked_sub(1).and_then(|at| chosen.covering(at));
        before.is_some_and(|c| c.field == Field::Grade)
    };
    let of_total = |set: &SetRecord| {
        let official = set.official.get();
        official > 0
            && query
                .numbers
                .iter()
                .any(|clue| clue.total_digits == official)
    };
    match reading.field {
        Field::Hp => true,
        Field::Population => graded() && !catalogue.sets_named(hit.place).any(of_total),
        _ => false,
    }
}

/// Whether words that name a set are what is sold as well, or nothing: `拡張パック`.
fn is_common(proposals: &[Proposal], (at, end): (u32, u32)) -> bool {
    let mut same = proposals.iter().filter(|p| (p.at, p.end) == (at, end));
    same.any(|p| matches!(p.value, Value::Word(tag) if tag.is_of_listing()))
}

/// Whether some words that were read as a set, and may name `hit` no more than an era of other sets,
/// stand beside it: `スカーレット&バイオレット` beside `拡張パック`.
fn is_beside_another(readings: &Readings<'_, '_>, hit: &Hit) -> bool {
    let catalogue = readings.reference.catalogue;
    let mut others = readings
        .chosen
        .of(Field::Set)
        .filter_map(|p| match p.value {
            Value::Hit(at) if p.at != hit.at => readings.hits.get(at as usize),
            _ => None,
        });
    others.any(|other| {
        let mut sets = other.sets(catalogue).map(|entry| entry.id());
        let shared = sets.any(|set| hit.sets(catalogue).any(|own| own.id() == set));
        !shared && !is_common(readings.proposals, (other.at, other.end))
    })
}

/// Where a title names a set, drops what it names by words that are also what is sold, or nothing:
/// `拡張パック第4弾 闇、そして光へ` is the fourth expansion of a series, and none of those called so.
pub(crate) fn keep_own(readings: &Readings<'_, '_>, query: &mut Query) {
    let (proposals, chosen) = (readings.proposals, readings.chosen);
    if chosen.of(Field::Set).nth(1).is_none() {
        return;
    }
    let common = |clue: &SetClue| is_common(proposals, (clue.at, clue.end));
    let own = |clue: &SetClue| clue.is_named() && !common(clue);
    let named = query.sets.iter().any(own);
    let other = |clue: &SetClue| {
        let mut hits = readings.hits.iter();
        let hit = hits.find(|hit| hit.means.set && hit.spans(clue.at, clue.end));
        hit.is_some_and(|hit| is_beside_another(readings, hit))
    };
    query
        .sets
        .retain(|clue| !common(clue) || !named && !other(clue));
}

/// Where a title names a set whose cards bear the number and the mark of another, drops those:
/// `Lightning Bolt The List M10-146`.
pub(crate) fn keep_copies(catalogue: &Columns<'_>, query: &mut Query) {
    let copies = |clue: &SetClue| {
        let mut sets = clue.ids(catalogue);
        let copies = |set: u32| {
            let set = catalogue.sets.get(set as usize);
            set.is_some_and(|set| set.flags & set_flag::COPIES != 0)
        };
        clue.is_named() && sets.all(copies)
    };
    if query.sets.iter().any(copies) {
        query.sets.retain(copies);
        query.numbers.clear();
    }
}

/// Drops a code of several sets where the name of one of them is read as well: `XY7 SR Bandit Ring`.
pub(crate) fn drop_code(catalogue: &Columns<'_>, query: &mut Query) {
    let code = AliasKind::Code as u8;
    let sets = &query.sets;
    let dropped = sets.iter().position(|clue| {
        let settles = |name: &SetClue| {
            let names = name.is_named() && name.kind < code && name.sets < clue.sets;
            names && name.ids(catalogue).all(|set| clue.may_be(catalogue, set))
        };
        clue.kind == code && clue.sets > 1 && sets.iter().any(settles)
    });
    if let Some(at) = dropped {
        query.sets.remove(at);
        query.regional_set = is_regional(catalogue, query);
    }
}

/// The letters of an era and a space before the words of a set: `EX Delta Species`.
const ERA: u32 = 3;

/// Finds the mark that the words of a set are as well: `Delta Species`. Where another set is named
/// they are nothing but the mark, which is returned.
pub(crate) fn mark(proposals: &[Proposal], chosen: &Chosen, query: &mut Query) -> Option<u16> {
    let sets = || chosen.of(Field::Set);
    let mark = |set: &Proposal| {
        let same = |p: &&Proposal| p.end == set.end && set.at.abs_diff(p.at) <= ERA;
        proposals.iter().filter(same).find_map(|p| match p.value {
            Value::Word(Tag::Affix(mark)) => Some(mark),
            _ => None,
        })
    };
    let (set, found) = sets().find_map(|set| Some((set, mark(set)?)))?;
    match sets().count() {
        1 => {
            query.set_mark = Some(found);
            None
        }
        2 => {
            let words = (set.at, set.end);
            query.sets.retain(|clue| (clue.at, clue.end) != words);
            Some(found)
        }
        _ => None,
    }
}

/// Adds clues for the sets that a hit may name.
pub(crate) fn ask(catalogue: &Columns<'_>, hit: &Hit, chosen: bool, query: &mut Query) {
    let family = AliasKind::Family as u8;
    let (mut named, mut all, mut kind, mut listed) = (0u16, 0u16, family, false);
    for entry in hit.sets(catalogue) {
        let set = catalogue.sets.get(entry.id() as usize);
        // `Radiant Collection`: a part of other sets, and by itself of no card
        if chosen && set.is_some_and(|set| set.count.get() == 0) && entry.quality() < family {
            query.arts.add(Art::Collected);
        }
        listed |= entry.quality() == family
            && set.is_some_and(|set| catalogue.string(set.series).is_empty());
        named = named.saturating_add(u16::from(entry.quality() < family));
        all = all.saturating_add(1);
        kind = kind.min(entry.quality());
    }
    let sets = if named == 0 { all } else { named };
    query.sets.push(SetClue {
        place: hit.place,
        kind,
        family: named < all,
        listed,
        chosen,
        sets,
        all,
        at: hit.at,
        end: hit.end,
    });
}

/// The best candidate's set and where its name stands, if some words, not all of them explained,
/// are its name but for one slip.
fn misspelt<'t>(writer: &Writer<'_, '_, 't>) -> Option<(&'t SetRecord, (u32, u32))> {
    let readings = writer.readings;
    let catalogue = readings.reference.catalogue;
    let line = readings.context.line;
    let record = catalogue.set_record(writer.best?)?;
    let names = [record.name, record.local_name].map(|name| key_of(catalogue.string(name)));
    let tokens = line.tokens();
    for (first, from) in tokens.iter().enumerate() {
        for to in &tokens[first..(first + MOST_WORDS).min(tokens.len())] {
            let unread = tokens[first..]
                .iter()
                .take_while(|token| token.at < to.end)
                .any(|token| readings.chosen.overlapping(token.at, token.end).is_empty());
            let text = line.text(from.at as usize, to.end as usize);
            let alike = |name: &String| {
                name.len() >= LEAST_MISSPELT && one_slip(name.as_bytes(), text.as_bytes())
                    || is_cut_off(text, name)
            };
            if unread && names.iter().any(alike) {
                return Some((record, (from.at, to.end)));
            }
        }
    }
    None
}

/// The best candidate's set and where a word of its name stands, if the title has no more of it.
fn set_of_word<'t>(writer: &Writer<'_, '_, 't>) -> Option<(&'t SetRecord, (u32, u32))> {
    let catalogue = writer.readings.reference.catalogue;
    Some((catalogue.set_record(writer.best?)?, writer.set_word?))
}

/// Whether the title states a language in which a set was not printed: `Pikachu Japanese Sword & Shield`
/// says the era, and not the English set that is called so.
fn lacks_language(writer: &Writer<'_, '_, '_>, set: &SetRecord) -> bool {
    let spoken = |language: &str| writer.dictionary().spoken(language);
    let language = writer.parsed.language.as_deref();
    !set.is_regional() && language.is_some_and(|language| spoken(language) == Spoken::Further)
}

/// Writes the set that the words name: the best card's if it is among them.
pub(crate) fn write<'t>(writer: &mut Writer<'_, '_, 't>) {
    let readings = writer.readings;
    let chosen = readings.chosen;
    let catalogue = readings.reference.catalogue;
    let top = writer.best.map(|r| r.set.get());
    let mut best: Option<(i32, SetReading<'t>)> = None;
    let several = chosen.of(Field::Set).nth(1).is_some();
    for proposal in chosen.of(Field::Set) {
        let Value::Hit(at) = proposal.value else {
            continue;
        };
        let hit = &readings.hits[at as usize];
        if several
            && is_common(readings.proposals, (hit.at, hit.end))
            && is_beside_another(readings, hit)
        {
            continue;
        }
        let sets = hit.sets(catalogue);
        let mut sets: Vec<(u32, u8)> = sets.map(|e| (e.id(), e.quality())).collect();
        let era = sets.iter().any(|&(_, kind)| kind == FAMILY_KIND);
        // the best card's set first, then one of the region whose language is said, then the better
        // kind of alias: `Japanese XY Promo`
        let strange = |set: u32| {
            let record = catalogue.sets.get(set as usize);
            !era && record.is_some_and(|record| lacks_language(writer, record))
        };
        let order = |&(set, kind): &(u32, u8)| (Some(set) != top, strange(set), kind, set);
        sort_few(&mut sets, |a, b| order(a) < order(b));
        let Some(&(first, kind)) = sets.first() else {
            continue;
        };
        let Some(record) = catalogue.sets.get(first as usize) else {
            continue;
        };
        let ours = Some(first) == top;
        if era && !ours && lacks_language(writer, record) {
            continue;
        }
        let (name, id) = (catalogue.string(record.name), catalogue.string(record.id));
        let confidence = writer.confidence(proposal);
        writer.push(Field::Set, id, (hit.at, hit.end), confidence);
        let worth = i32::from(ours) * SET_OF_CARD
            - i32::from(kind) * WORSE_ALIAS
            - i32::from(era && !ours) * ERA_TOO
            + (hit.end - hit.at) as i32;
        if best.as_ref().is_none_or(|(w, _)| worth > *w)
            && (kind < FAMILY_KIND
                && (ours || sets.iter().filter(|s| s.1 < FAMILY_KIND).count() < MAX_SETS)
                || sets.len() == 1)
        {
            // the other sets of a series are not readings of its name
            let alternatives = sets[1..]
                .iter()
                .filter(|s| kind == FAMILY_KIND || s.1 < FAMILY_KIND)
                .take(MAX_ALTERNATIVES)
                .filter_map(|&(s, _)| catalogue.sets.get(s as usize))
                .map(|s| catalogue.string(s.id));
            best = Some((
                worth,
                SetReading {
                    name: name.into(),
                    id: id.into(),
                    alternatives: alternatives.map(Cow::from).collect(),
                },
            ));
        }
    }
    if best
        .as_ref()
        .is_none_or(|(worth, _)| *worth < SET_OF_CARD / 2)
        && let Some((record, span)) = misspelt(writer).or_else(|| set_of_word(writer))
    {
        let (name, id) = (catalogue.string(record.name), catalogue.string(record.id));
        writer.push(Field::Set, id, span, MISSPELT);
        let (name, id) = (name.into(), id.into());
        let alternatives = Vec::new();
        best = Some((
            SET_OF_CARD,
            SetReading {
                name,
                id,
                alternatives,
            },
        ));
    }
    // `098/SV-P`: the total is the code of the set
    let letters = |text: &str| !text.is_empty() && !text.bytes().any(|b| b.is_ascii_digit());
    let by_total = |record: &CardRecord| {
        writer.parsed.total.as_deref().is_some_and(|t| {
            (t.contains('-') || letters(t)) && catalogue.total_text(record).eq_ignore_ascii_case(t)
        })
    };
    // `OP05-119`, `RA01-EN008`: the code of the set that first had the card
    let by_code = |record: &CardRecord| {
        (writer.number).is_some_and(|reading| {
            reading.coded && catalogue.packed_number(record.number.get()) == Some(reading.number)
        })
    };
    let by_number = |record: &CardRecord, set: &SetRecord| {
        let number = writer.parsed.number.as_deref().unwrap_or("");
        set.flags & set_flag::PROMO != 0
            && number
                .bytes()
                .next()
                .is_some_and(|b| b.is_ascii_alphabetic())
            && catalogue.packed_number(record.number.get()) == Some(pack_number(number))
    };
    if let Some(record) = writer.best
        && let Some(set) = catalogue.set_record(record)
        && (by_total(record) || by_number(record, set) || best.is_none() && by_code(record))
    {
        let (name, id) = (catalogue.string(set.name), catalogue.string(set.id));
        best = Some((
            0,
            SetReading {
                name: name.into(),
                id: id.into(),
                alternatives: Vec::new(),
            },
        ));
    }
    writer.parsed.set = best.map(|(_, set)| set);
}
