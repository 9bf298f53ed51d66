//! Collector numbers: `4/102`, `TG12/TG30`, `098/SV-P`, `SWSH020`, `#4`, `4 of 102`, `No.006`, and
//! a bare `4`.
//!
//! What only looks like a number (dates, odds, grade ranges, `1/1`) is left to other rules or to the
//! catalogue.

mod read;
mod shape;

pub(crate) use read::{is_bracketed_number, is_known, language_of, read};

use super::hit::Hit;
use super::language::Language;
use super::name::NameClue;
use super::query::Query;
use super::set::SetClue;
use super::writer::Writer;
use crate::catalogue::format::{
    CardRecord, NONE, SetRecord, U24, card_flag, pack_number, set_flag,
};
use crate::catalogue::{AliasKind, Columns, Entry};
use crate::math::information;
use crate::parsed::Field;
use crate::reading::context::Context;
use crate::reading::{Chosen, Proposal, Value};
use crate::reference::Reference;
use std::borrow::Cow;

// How sure a shape is a collector number.
/// With a total that the catalogue has, and with another.
const KNOWN_FRACTION: f32 = 2.0;
const FRACTION: f32 = 1.5;
/// With the total first, if a card of the name has it so.
const TURNED_FRACTION: f32 = 2.2;
/// Two shares of a whole make this: `60/40`.
const HUNDREDTHS: u16 = 100;
/// The best verdict.
const BEST_SCORE: u16 = 10;
/// With a total of ten or of one digit, if some card of the name has it: `4/10`.
const SMALL_FRACTION: f32 = 0.8;
/// `10/10`, `1/1`, `1/2`: a count or a verdict.
const COUNT: f32 = 0.1;
/// With letters, as the catalogue has it; the same next to a number with a total.
const PREFIXED: f32 = 1.1;
const PREFIXED_BESIDE_FRACTION: f32 = 0.5;
/// `#4`; the same next to a number with a total.
const HASH: f32 = 1.8;
const HASH_BESIDE_FRACTION: f32 = 0.8;
/// `No.006`.
const SUBJECT: f32 = 1.2;
/// Digits only.
const BARE: f32 = 0.1;
/// `(/187)`.
const TOTAL: f32 = 1.5;

/// Confidence in the number of a subject. It is chosen if nothing else is a number.
const SUBJECT_CONFIDENCE: f32 = 0.9;
/// Bonus for agreeing with the best candidate when one of several numbers is written. A shape is
/// worth at most 3.
const AGREES: i32 = 4;

/// The shape of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberKind {
    /// With a total: `4/102`, `4 of 102`.
    Fraction,
    /// With letters, no total: `SWSH020`, `TG12`.
    Prefixed,
    /// `#4`.
    Hash,
    /// `No.006`: a Pokédex number on old Japanese cards, else a collector number.
    Subject,
    /// Digits only.
    Bare,
    /// A total without a number: `(/187)`.
    Total,
}

/// A number that the title may state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberReading {
    pub(crate) kind: NumberKind,
    /// Packed number.
    pub(crate) number: u64,
    /// Packed total; 0 if there is none.
    pub(crate) total: u64,
    /// The number's bytes in the normalised text.
    pub(crate) number_at: (u32, u32),
    /// The total's bytes in the normalised text.
    pub(crate) total_at: (u32, u32),
    /// Bytes of the key that the reading covers.
    pub(crate) at: u32,
    pub(crate) end: u32,
    /// The digits of the number, for Pokédex numbers.
    pub(crate) digits: u16,
    /// The digits of the total; 0 if there is none.
    pub(crate) total_digits: u16,
    /// The total is one that the catalogue has.
    pub(crate) total_known: bool,
    /// It has letters for digits, as a scanner misreads them: `4/1O2`.
    pub(crate) scanned: bool,
    /// The total stands first: `102/15`.
    pub(crate) turned: bool,
    /// It begins with the code of a set, as a pattern of a game has it.
    pub(crate) coded: bool,
    /// The games of the catalogue whose cards can have it, a bit each.
    pub(crate) games: u32,
    /// The games whose pattern it has with the code of a set and no language, a bit each; where the
    /// title names some of them, those.
    pub(crate) patterns: u32,
    /// The title names them.
    pub(crate) of_stated: bool,
}

/// What a number that is read asks of the catalogue, and what the catalogue says of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberClue {
    pub(crate) kind: NumberKind,
    /// Its place among the catalogue's numbers; `None` if the catalogue has no such number.
    pub(crate) number: Option<u32>,
    pub(crate) total: Option<u32>,
    pub(crate) has_total: bool,
    pub(crate) digits: u16,
    /// The digits of the total.
    pub(crate) total_digits: u16,
    /// The games of the catalogue whose cards can have it, a bit each.
    pub(crate) games: u32,
    /// The games that have a card with it; all if the catalogue has one game.
    pub(crate) known_in: u32,
    /// The games that write their numbers so, with the code of a set, a bit each.
    pub(crate) patterns: u32,
    /// It is right next to a name or a set.
    pub(crate) beside: bool,
    /// Nothing of its own says that it is a number, neither a sign nor a total: `Promo 32`.
    pub(crate) unsigned: bool,
    /// Whether the catalogue refutes it together with the names of the title.
    pub(crate) refuted: Refuted,
    /// Information in agreeing, in nats: on number and total, on the total only, on the number
    /// only.
    pub(crate) idf_pair: f32,
    pub(crate) idf_total: f32,
    pub(crate) idf: f32,
}

impl NumberReading {
    /// Whether it is two shares of a whole: `60/40 centering`.
    pub(crate) fn is_share(&self) -> bool {
        self.kind == NumberKind::Fraction
            && self.digits + self.total_digits == HUNDREDTHS
            && (self.digits >= self.total_digits || self.turned)
    }

    /// Whether it may be a verdict of ten: `corners 9/10`.
    pub(crate) fn is_score(&self) -> bool {
        self.kind == NumberKind::Fraction && self.total_digits == BEST_SCORE
    }
}

/// The digits of a number that follow its letters or its code: `119` of `OP05-119`, which labels
/// print as `#119`.
pub(crate) fn digits_of(printed: &str) -> &str {
    let bytes = printed.as_bytes();
    let number = bytes
        .iter()
        .rposition(|&byte| byte == b'-')
        .map_or(0, |at| at + 1);
    let digits = bytes[number..].iter().position(u8::is_ascii_digit);
    digits.map_or("", |at| &printed[number + at..])
}

/// The digits that a scanner misreads as these letters.
pub(crate) fn unscanned(text: &str) -> String {
    text.chars()
        .map(|c| u8::try_from(c).map_or(c, |byte| unscanned_byte(byte).into()))
        .collect()
}

fn unscanned_byte(byte: u8) -> u8 {
    match byte {
        b'o' | b'O' => b'0',
        b'i' | b'l' | b'I' | b'L' => b'1',
        _ => byte,
    }
}

/// Whether some card of one of the names in the title has this number and total; some card at all,
/// if no name is read.
fn named_pair(catalogue: &Columns<'_>, hits: &[Hit], number: &NumberReading) -> bool {
    let pair = catalogue
        .number(number.number)
        .zip(catalogue.number(number.total));
    pair.is_some_and(|(n, t)| is_named(catalogue, hits, n, Some(t)))
}

/// Whether a card of one of the names in the title has a number, and the total if one is given; some
/// card at all, if no name is read.
#[inline(never)]
fn is_named(catalogue: &Columns<'_>, hits: &[Hit], number: u32, total: Option<u32>) -> bool {
    let mut named = hits.iter().filter(|hit| hit.means.subject).peekable();
    if named.peek().is_none() {
        let cards = match total {
            Some(total) => catalogue.cards_of_number_and_total(number, total),
            None => catalogue.cards_of_number(number),
        };
        return !cards.is_empty();
    }
    named.any(|hit| hit.prints(catalogue, number, total))
}

/// Whether a number is not the code of a set, or a card of one of the names in the title has it. The
/// code of a set that other words name as well is no number; `XY` of `XY01` is no other word.
fn named_number(catalogue: &Columns<'_>, hits: &[Hit], number: &NumberReading) -> bool {
    let same = |hit: &Hit| hit.spans(number.at, number.end);
    let Some(code) = hits.iter().find(|hit| hit.means.set && same(hit)) else {
        return true;
    };
    let sets = |hit: &Hit| hit.sets(catalogue);
    let by_other_words = |hit: &Hit| {
        let named = |entry: Entry| {
            entry.quality() < AliasKind::Code as u8
                && sets(code).any(|other| other.id() == entry.id())
        };
        hit.means.set && hit.is_apart(number.at, number.end) && sets(hit).any(named)
    };
    !hits.iter().any(by_other_words) && named_digits(catalogue, hits, number)
}

/// Whether the letters of a number are the code of a set, digits behind which number its cards, and
/// only other games have such a number, none of them of the title's names: `Delcatty LM 4`, where
/// Digimon has a card `LM-004`; but `Eevee/Snorlax GX SM169` is of the game of the two, whichever card
/// bears both. Nor is the code of a set of the games that the title names a number of
/// another: `Digimon EX5 booster display`.
fn is_of_other_game(catalogue: &Columns<'_>, hits: &[Hit], number: &NumberReading) -> bool {
    let begins = |hit: &&Hit| hit.means.set && hit.at == number.at && hit.end <= number.end;
    let mut codes = hits.iter().filter(begins).peekable();
    if codes.peek().is_none() {
        return false;
    }
    let place = catalogue.number(number.number);
    let games = place.map_or(number.games, |n| {
        known_in(catalogue, catalogue.cards_of_number(n))
    });
    let elsewhere = |hit: &Hit| {
        let mut sets = catalogue.sets_named(hit.place);
        sets.any(|set| set.game_bit() & games == 0)
    };
    codes.any(|hit| {
        if hit.end == number.end {
            hit.games & games == 0
        } else {
            elsewhere(hit)
                && !is_subject_of(catalogue, hits, games)
                && !named_digits(catalogue, hits, number)
        }
    })
}

/// Whether the title names a subject of one of these games.
fn is_subject_of(catalogue: &Columns<'_>, hits: &[Hit], games: u32) -> bool {
    let of_games = |core: u32| {
        let card = catalogue.cards_of_core(core).first();
        let card = card.and_then(|card| catalogue.card_record(card.get()));
        let set = card.and_then(|card| catalogue.set_record(card));
        set.is_some_and(|set| set.game_bit() & games != 0)
    };
    let mut subjects = hits.iter().filter(|hit| hit.means.subject && hit.whole);
    games != u32::MAX && subjects.any(|hit| hit.cores(catalogue).any(of_games))
}

/// Whether the letters of a number are the end of a name: `Meloetta ex 047`, where a set of another
/// game numbers its cards `EX-47`.
fn ends_name(hits: &[Hit], number: &NumberReading) -> bool {
    let within = |hit: &Hit| hit.at < number.at && number.at < hit.end && hit.end < number.end;
    hits.iter().any(|hit| hit.means.subject && within(hit))
}

/// Whether a fraction may be a day and a month: `31/12`. A number above so small a total is no card's.
fn is_day(number: &NumberReading) -> bool {
    const DAYS: std::ops::RangeInclusive<u16> = 1..=31;
    const MONTHS: std::ops::RangeInclusive<u16> = 1..=12;
    DAYS.contains(&number.digits)
        && MONTHS.contains(&number.total_digits)
        && number.digits > number.total_digits
}

/// Whether a card of one of the names in the title has this number, whatever its total.
fn named_digits(catalogue: &Columns<'_>, hits: &[Hit], number: &NumberReading) -> bool {
    let place = catalogue.number(number.number);
    place.is_some_and(|n| is_named(catalogue, hits, n, None))
}

/// Whether some card has this number and total.
fn known_pair(catalogue: &Columns<'_>, number: &NumberReading) -> bool {
    is_printed(catalogue, number.number, number.total)
}

/// The same of a packed number and a packed total.
fn is_printed(catalogue: &Columns<'_>, number: u64, total: u64) -> bool {
    let pair = catalogue.number(number).zip(catalogue.number(total));
    pair.is_some_and(|(n, t)| !catalogue.cards_of_number_and_total(n, t).is_empty())
}

/// Proposes the readings.
pub(crate) fn propose(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    (numbers, hits): (&[NumberReading], &[Hit]),
    out: &mut Vec<Proposal>,
) {
    let fractions = numbers.iter().any(|n| n.kind == NumberKind::Fraction);
    for (index, number) in numbers.iter().enumerate() {
        if number.end <= number.at {
            continue;
        }
        // `Crawling Dragon #2`
        let in_name = |hit: &Hit| hit.at < number.at && hit.end == number.end;
        if number.kind == NumberKind::Hash
            && hits
                .iter()
                .any(|hit| hit.means.name && hit.whole && in_name(hit))
        {
            continue;
        }
        let same = number.total != 0 && number.number == number.total && number.digits <= 3;
        let short = || {
            number.total_at.1 - number.total_at.0 == 1
                || number.total_digits == 10 && number.total == pack_number("10")
        };
        let small = same || number.is_share() || number.kind == NumberKind::Fraction && short();
        let quality = match number.kind {
            // `102/15`
            NumberKind::Fraction if number.turned => {
                let named = hits.iter().any(|hit| hit.means.subject);
                let written = NumberReading {
                    number: number.total,
                    total: number.number,
                    ..*number
                };
                if !named
                    || named_pair(catalogue, hits, &written)
                    || !named_pair(catalogue, hits, number)
                {
                    continue;
                }
                TURNED_FRACTION
            }
            // `10/10`, `1/1`, `1/2`: a count or a verdict, unless a card has it
            // `1/2 price`: the few sets of so few cards print `001/002`
            NumberKind::Fraction
                if (1..10).contains(&number.total_digits)
                    && number.total_at.1 - number.total_at.0 == 1 =>
            {
                COUNT
            }
            NumberKind::Fraction if small && !named_pair(catalogue, hits, number) => COUNT,
            // `until 31/12`
            NumberKind::Fraction
                if is_day(number)
                    && !known_pair(catalogue, number)
                    && !named_digits(catalogue, hits, number) =>
            {
                COUNT
            }
            NumberKind::Fraction if small => SMALL_FRACTION,
            NumberKind::Fraction if number.total_known => KNOWN_FRACTION,
            NumberKind::Fraction => FRACTION,
            // `Statitik SL11`: the code of a set, and another card's number
            NumberKind::Prefixed
                if ends_name(hits, number)
                    || !named_number(catalogue, hits, number)
                    || is_of_other_game(catalogue, hits, number) =>
            {
                COUNT
            }
            NumberKind::Prefixed if fractions => PREFIXED_BESIDE_FRACTION,
            NumberKind::Prefixed => PREFIXED,
            NumberKind::Hash if fractions => HASH_BESIDE_FRACTION,
            NumberKind::Hash => HASH,
            NumberKind::Subject => SUBJECT,
            NumberKind::Bare => BARE,
            NumberKind::Total => TOTAL,
        };
        out.push(Proposal::new(
            context.line,
            (number.at, number.end),
            Field::Number,
            Value::Number(index as u16),
            quality,
        ));
    }
}

/// Asks for a number that was chosen, or that lies free and is not doubtful.
pub(crate) fn ask_proposal(
    catalogue: &Columns<'_>,
    number: &NumberReading,
    proposal: &Proposal,
    chosen: &Chosen,
    query: &mut Query,
) {
    let doubtful = number.kind == NumberKind::Prefixed
        || number.kind != NumberKind::Bare && proposal.weight <= 0.0;
    let free = || {
        chosen
            .covering(number.at)
            .is_none_or(|c| c.at >= number.end)
    };
    if proposal.chosen || free() && !doubtful {
        // `Reverse Holo 61 Pokemon Delta Species`
        let beside = chosen.iter().any(|c| {
            use Field::{Edition, Finish, Game, Name, Set};
            matches!(c.field, Name | Set | Finish | Edition | Game)
                && (c.end == number.at || c.at == number.end)
        });
        ask(catalogue, number, beside, query);
    }
}

/// Finds out whether all numbers are bare digits, whether some are next to a name or a set, and
/// which of them the catalogue refutes.
pub(crate) fn settle(reference: &Reference<'_, '_>, query: &mut Query) {
    let catalogue = reference.catalogue;
    let bare = |n: &NumberClue| n.kind == NumberKind::Bare && n.number.is_some();
    query.bare_beside = query.numbers.iter().all(bare) && query.numbers.iter().any(|n| n.beside);
    let cards = catalogue.card_count().max(1) as f32;
    let mut numbers = std::mem::take(&mut query.numbers);
    join_total(catalogue, &mut numbers);
    for clue in &mut numbers {
        // `ST18-004` by itself is a card of the game that writes its numbers so, and not `ST18-04`
        if query.names.is_empty() && clue.patterns & clue.known_in != 0 {
            clue.games &= clue.patterns;
        }
        if let Some(number) = of_campaign(catalogue, query, clue) {
            let held = catalogue.cards_of_number(number).len();
            (clue.number, clue.total, clue.has_total) = (Some(number), None, false);
            clue.idf = information(cards, held as u32);
        } else if let Some((number, total)) = with_letters(catalogue, query, clue) {
            let pairs = catalogue.cards_of_number_and_total(number, total);
            (clue.number, clue.total) = (Some(number), Some(total));
            clue.idf_pair = information(cards, pairs.len() as u32);
        }
        if clue.kind == NumberKind::Hash && is_only_of_subject(catalogue, query, clue) {
            clue.kind = NumberKind::Subject;
        }
        clue.refuted = refuted(reference, query, clue);
        if clue.kind == NumberKind::Subject && is_subject_alone(catalogue, query, clue) {
            clue.number = None;
        }
        // `POP Series 1 Promo 32`: what no card of the set comes near is hardly a promo's number
        if clue.refuted == Refuted::Beyond && clue.kind == NumberKind::Hash && clue.unsigned {
            clue.kind = NumberKind::Bare;
        }
    }
    // no card of the name in the set that is named has it, and it is not the subject's
    numbers.retain(|clue| clue.kind != NumberKind::Subject || clue.refuted == Refuted::No);
    query.numbers = numbers;
}

/// Whether a number is that of a subject in the title, of which no card bears it, and a set is named:
/// `Lucario #448 Paldean Fates`. Else it may be of a card that is not held: `CoroCoro promo Wooper #194`.
fn is_only_of_subject(catalogue: &Columns<'_>, query: &Query, clue: &NumberClue) -> bool {
    let bears = |core: u32| {
        let number = clue.number;
        number.is_some_and(|number| catalogue.core_prints(core, number, None))
    };
    let mut names = query.names.iter().filter(|name| name.chosen);
    query.sets.iter().any(SetClue::is_named)
        && names.any(|name| catalogue.core_has_subject(name.core, clue.digits) && !bears(name.core))
}

/// Makes one number of two of which the second is the total of the first: `Starly #148 (/198)`.
fn join_total(catalogue: &Columns<'_>, numbers: &mut Vec<NumberClue>) {
    let [number, total] = &mut numbers[..] else {
        return;
    };
    if (number.kind, total.kind) != (NumberKind::Hash, NumberKind::Total) {
        return;
    }
    let pair = number.number.zip(total.total);
    let pairs = pair.map_or(0, |(n, t)| catalogue.cards_of_number_and_total(n, t).len());
    number.kind = NumberKind::Fraction;
    (number.total, number.has_total) = (total.total, total.has_total);
    (number.total_digits, number.idf_total) = (total.total_digits, total.idf_total);
    number.idf_pair = information(catalogue.card_count().max(1) as f32, pairs as u32);
    numbers.pop();
}

/// Whether the number of a subject is no card's: the title names sets or an era, none of which has a
/// card of its names with that number, as in `ガーディ No.058 旧裏`.
fn is_subject_alone(catalogue: &Columns<'_>, query: &Query, clue: &NumberClue) -> bool {
    let mut sets = chosen_sets(catalogue, query).peekable();
    let named = |card: &U24| {
        let card = catalogue.card_record(card.get());
        let name = card.and_then(|card| catalogue.name_record(card));
        name.is_some_and(|name| {
            let core = name.core.get();
            query.names.is_empty() || query.names.iter().any(|name| name.core == core)
        })
    };
    let prints = |set: &SetRecord| {
        let number = clue.number.filter(|_| set.flags & set_flag::UNPRINTED == 0);
        let own = number.map_or(&[][..], |n| catalogue.cards_of_set_numbered(set, n));
        own.iter().any(named)
    };
    sets.peek().is_some() && !sets.any(prints)
}

/// Letters that sources put behind the printed number of promos which came with a set: the stamped
/// ones of prereleases, and those of promo packs.
const CAMPAIGN_ENDINGS: [&str; 2] = ["s", "p"];

/// The number of a promo of the title's names whose source has it with a letter of its campaign, if
/// the title names the campaign: `207/269 Prerelease` is 207s.
fn of_campaign(catalogue: &Columns<'_>, query: &Query, clue: &NumberClue) -> Option<u32> {
    if !query.campaign || query.words.is_empty() || clue.digits == 0 {
        return None;
    }
    let meant = |card: &CardRecord| {
        let text = catalogue.number_text(card);
        let ending = text.trim_start_matches(|c: char| c.is_ascii_digit());
        text[..text.len() - ending.len()].parse() == Ok(clue.digits)
            && CAMPAIGN_ENDINGS.contains(&ending)
            && catalogue.shared_words(card, &query.words).is_some()
    };
    let cores = query
        .names
        .iter()
        .filter(|name| name.chosen)
        .map(|name| name.core);
    let cards = cores.flat_map(|core| catalogue.cards_of_core(core).iter());
    let mut cards = cards.filter_map(|card| catalogue.card_record(card.get()));
    cards.find(|card| meant(card)).map(|card| card.number.get())
}

/// The number and the total of a card of the title's names, if it prints those of `clue` behind
/// letters, and no card of the names prints them as they are stated: `19/30` for `TG19/TG30`. A card
/// of a set that the title names may, where another of the names prints them so: `Sylveon VMAX Trainer
/// Gallery 15/30`.
fn with_letters(catalogue: &Columns<'_>, query: &Query, clue: &NumberClue) -> Option<(u32, u32)> {
    if clue.kind != NumberKind::Fraction || clue.total_digits == 0 {
        return None;
    }
    let stated = clue.number.zip(clue.total);
    let taken = stated.is_some_and(|(number, total)| is_of_names(catalogue, query, number, total));
    let named = |card: &CardRecord| {
        let own = catalogue.set_record(card);
        own.is_some_and(|own| chosen_sets(catalogue, query).any(|set| set.first == own.first))
    };
    if taken && !names_lettered(catalogue, query) {
        return None;
    }
    // most totals end otherwise, which shows without a look at their cards
    let ends = |total: &U24| catalogue.number_may_end_in(total.get(), clue.total_digits);
    let lettered = |card: &&CardRecord| {
        let same = |printed: &str, digits: u16| {
            let own = digits_of(printed);
            own.len() < printed.len() && own.parse() == Ok(digits)
        };
        same(catalogue.total_text(card), clue.total_digits)
            && same(catalogue.number_text(card), clue.digits)
    };
    // a name may stand in a title a hundred times
    let names = query.names.iter().enumerate();
    let names = names.filter(|(_, name)| name.chosen);
    let first = |&(at, name): &(usize, &NameClue)| {
        let mut before = query.names[..at].iter();
        !before.any(|other| other.chosen && other.core == name.core)
    };
    let cores = names.filter(first).map(|(_, name)| name.core);
    let cards = cores.flat_map(|core| {
        let cards = catalogue.cards_of_core(core).iter();
        cards.zip(catalogue.totals_of_core(core))
    });
    let card = cards
        .filter(|(_, total)| ends(total))
        .filter_map(|(card, _)| catalogue.card_record(card.get()))
        .find(|card| lettered(card) && (!taken || named(card)))?;
    Some((card.number.get(), card.total.get()))
}

/// The sets that the words which were read as sets name.
fn chosen_sets<'c>(
    catalogue: &'c Columns<'_>,
    query: &'c Query,
) -> impl Iterator<Item = &'c SetRecord> {
    let chosen = query.sets.iter().filter(|set| set.chosen);
    chosen.flat_map(|set| catalogue.sets_named(set.place))
}

/// Whether the title names a set whose numbers begin with letters.
fn names_lettered(catalogue: &Columns<'_>, query: &Query) -> bool {
    chosen_sets(catalogue, query).any(|set| {
        let first = catalogue.card_record(set.first.get());
        first.is_some_and(|card| {
            let number = catalogue.number_text(card).as_bytes();
            number.first().is_some_and(u8::is_ascii_alphabetic)
        })
    })
}

/// Whether a card of one of the title's names prints this number and this total.
fn is_of_names(catalogue: &Columns<'_>, query: &Query, number: u32, total: u32) -> bool {
    let mut names = query.names.iter();
    names.any(|name| catalogue.core_prints(name.core, number, Some(total)))
}

/// Whether a title that says of its card that it is Japanese states the number and the total of an
/// international card of its names, a total that no Japanese set prints.
pub(crate) fn refutes_japanese(reference: &Reference<'_, '_>, query: &Query) -> bool {
    let catalogue = reference.catalogue;
    let refutes = |clue: &NumberClue| {
        let pair = clue.number.zip(clue.total);
        let named = pair.filter(|&(number, total)| {
            clue.total_digits != 0 && is_of_names(catalogue, query, number, total)
        });
        // the games that print the pair
        let games = named.map_or(0, |(number, total)| {
            known_in(
                catalogue,
                catalogue.cards_of_number_and_total(number, total),
            )
        });
        let sets = reference.stats.sets_of_total(clue.total_digits);
        let sets = sets.filter_map(|set| catalogue.sets.get(set as usize));
        let mut sets = sets.filter(|set| set.game_bit() & games != 0);
        // of Chinese and Indonesian sets some have the totals of English ones
        let japanese = |set: &SetRecord| {
            let first = catalogue.card_record(set.first.get());
            first.is_some_and(|card| Some(card.language) == reference.stats.japanese)
        };
        games != 0 && !sets.any(|set| set.is_regional() && japanese(set))
    };
    query.language == Language::Japanese && query.numbers.iter().any(refutes)
}

/// More cards than say anything of which games have a number.
const MANY_CARDS: usize = 64;

/// The games of the catalogue that have one of `cards`, a bit each; all if they are many, or none.
fn known_in(catalogue: &Columns<'_>, cards: &[U24]) -> u32 {
    if catalogue.game_count() <= 1 || cards.is_empty() || cards.len() > MANY_CARDS {
        return u32::MAX;
    }
    let set = |card: &U24| catalogue.set_record(catalogue.card_record(card.get())?);
    let sets = cards.iter().filter_map(set);
    sets.fold(0, |games, set| games | set.game_bit())
}

/// What the catalogue knows of a stated number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refuted {
    /// A card of this number may be missing in the catalogue, or bears the name.
    No,
    /// More than the last card that the catalogue has of such a set, by a few.
    Above,
    /// Far more than the cards of the sets that the total may mean: their total is not this card's.
    Beyond,
    /// Each set that the title may mean has the card of this number, by another name.
    Taken,
    /// No set has the total.
    NoTotal,
}

/// Finds out whether the catalogue refutes a number: by its total or by its own words the title
/// means sets, each of which has a card of that number, and none of them bears a name of the title.
/// Where a card is missing, it may be the one that is sold.
fn refuted(reference: &Reference<'_, '_>, query: &Query, clue: &NumberClue) -> Refuted {
    let catalogue = reference.catalogue;
    // of Chinese and Korean prints some are missing, but those of a set that is named have its
    // numbers; promos are numbered anew in each language
    let set = || {
        let named = query.sets.iter().filter(|set| set.is_named());
        let mut sets = named.flat_map(|set| catalogue.sets_named(set.place));
        sets.any(|set| set.flags & set_flag::PROMO == 0)
    };
    let regional = query.language == Language::Regional;
    // it is a promo's of the set's series
    if query.series_of_promo != 0 {
        return Refuted::No;
    }
    if query.names.iter().all(|name| !name.chosen) || regional && !set() {
        return Refuted::No;
    }
    let postings = clue
        .number
        .map_or(&[][..], |n| catalogue.cards_of_number(n));
    let named = |card: u32| {
        let core = catalogue
            .card_record(card)
            .and_then(|record| catalogue.name_record(record))
            .map(|name| name.core.get());
        query.names.iter().any(|name| Some(name.core) == core)
    };
    let promo = |card: u32| {
        let set = catalogue
            .card_record(card)
            .and_then(|record| catalogue.set_record(record));
        set.is_some_and(|set| set.flags & set_flag::PROMO != 0)
    };
    // the cards of the title's names that print the number
    let bearers = || {
        let of_core = |core| {
            clue.number
                .map_or(&[][..], |n| catalogue.cards_of_core_numbered(core, n))
        };
        query.names.iter().flat_map(move |name| of_core(name.core))
    };
    let taken = |taken: bool| if taken { Refuted::Taken } else { Refuted::No };
    let total = clue.total.filter(|_| clue.kind == NumberKind::Fraction);
    if let Some(total) = total {
        let stated = clue.number;
        if stated.is_some_and(|number| is_of_names(catalogue, query, number, total)) {
            return Refuted::No;
        }
        // `098/SV-P`
        if clue.total_digits == 0 {
            let cards = |number| catalogue.cards_of_number_and_total(number, total);
            return taken(stated.is_some_and(|number| !cards(number).is_empty()));
        }
    }
    let said = || {
        query
            .sets
            .iter()
            .filter(|set| set.is_named() && usize::from(set.sets) <= MOST_SETS)
            .flat_map(|set| catalogue.sets_named(set.place))
            .filter(|set| set.count.get() > 0 && set.flags & set_flag::UNPRINTED == 0)
    };
    // what the cards of a number say of it; `None` if no card has the number
    let borne = |bearers: &mut dyn Iterator<Item = u32>| {
        let mut bearers = bearers.peekable();
        bearers.peek()?;
        Some(taken(!bearers.any(named)))
    };
    // `None`: the set numbers its cards otherwise
    let judge = |set: &SetRecord| {
        let cards = set.cards();
        let own = clue
            .number
            .map_or(&[][..], |n| catalogue.cards_of_set_numbered(set, n));
        let printed = |card: &u32| {
            let record = catalogue.card_record(*card);
            record.is_some_and(|record| record.printed_number() != NONE)
        };
        let mut own = own.iter().map(|card| card.get()).filter(printed);
        if let Some(judged) = borne(&mut own) {
            return Some(judged);
        }
        // `SWSH Promo 232`: the cards of a series of promos say its letters before the digits
        let promos = set.flags & set_flag::PROMO != 0;
        let digits = |card: u32| {
            let record = catalogue.card_record(card)?;
            let text = catalogue.number_text(record);
            let text = if promos { digits_of(text) } else { text };
            text.parse::<u16>()
                .ok()
                .filter(|_| record.number.get() != NONE)
        };
        let same = |card: &u32| digits(*card) == Some(clue.digits);
        if promos && let Some(judged) = borne(&mut cards.clone().filter(same)) {
            return Some(judged);
        }
        // the last number of a set is hardly missing together with the ten before it
        let last = cards.filter_map(digits).max()?;
        Some(if clue.digits > last.saturating_add(FEW_MISSING) {
            Refuted::Beyond
        } else if clue.digits > last {
            Refuted::Above
        } else {
            Refuted::No
        })
    };
    // the weakest of all decides; of no set nothing is known
    let weakest = |all: &mut dyn Iterator<Item = &SetRecord>| {
        let mut weakest = None;
        for judged in all.filter_map(judge) {
            weakest = match (weakest, judged) {
                (_, Refuted::No) => return Refuted::No,
                (Some(Refuted::Above), _) | (_, Refuted::Above) => Some(Refuted::Above),
                (Some(Refuted::Beyond), _) | (_, Refuted::Beyond) => Some(Refuted::Beyond),
                _ => Some(Refuted::Taken),
            };
        }
        weakest.unwrap_or(Refuted::No)
    };
    match clue.kind {
        NumberKind::Fraction => {
            // a set of another game with that total says nothing
            let games = match query.games {
                0 => {
                    let names = query.names.iter().filter(|name| name.chosen);
                    names.fold(0, |games, name| {
                        games | reference.stats.games_of_core(catalogue, name.core)
                    })
                }
                stated => stated,
            };
            let may_be = |set: &&SetRecord| {
                let tree = match query.language {
                    Language::International => !set.is_regional(),
                    Language::Japanese => set.is_regional(),
                    _ => true,
                };
                let of_game = set.game_bit() & games != 0;
                tree && of_game && set.count.get() > 0
            };
            let said = || {
                let of_total = |set: &&SetRecord| set.official.get() == clue.total_digits;
                said().filter(of_total).filter(may_be)
            };
            if total.is_some() && said().next().is_some() {
                return weakest(&mut said());
            }
            let sets = reference.stats.sets_of_total(clue.total_digits);
            let sets = sets.filter_map(|set| catalogue.sets.get(set as usize));
            let mut sets = sets.filter(may_be);
            let few = sets.clone().nth(MOST_OF_TOTAL).is_none();
            match (sets.clone().next(), total) {
                (None, _) => Refuted::NoTotal,
                (Some(_), Some(_)) if few => weakest(&mut sets),
                (Some(_), _) => Refuted::No,
            }
        }
        NumberKind::Total => Refuted::No,
        // `No.25 Pikachu`, and `No.88 Zorua`, which a shop numbers so
        NumberKind::Subject => {
            let species = |name: &NameClue| catalogue.core_has_subject(name.core, clue.digits);
            if query.names.iter().any(species) {
                Refuted::No
            } else {
                weakest(&mut said())
            }
        }
        NumberKind::Prefixed => taken(!postings.is_empty() && bearers().next().is_none()),
        // `Magneton ETB Promo 159 Surging Sparks`: the set of the box, and the number of the promo
        NumberKind::Hash | NumberKind::Bare
            if query.promo && bearers().any(|card| promo(card.get())) =>
        {
            Refuted::No
        }
        // `Larvitar (Delta Species) #52`: no card of that set, but of the mark that it is called by
        NumberKind::Hash if query.set_mark.is_some() && bearers().next().is_some() => Refuted::No,
        NumberKind::Hash | NumberKind::Bare => weakest(&mut said()),
    }
}

/// A set whose last number lies this far below a stated one has no such card.
const FEW_MISSING: u16 = 10;
/// Words that name more sets than this name none in particular.
const MOST_SETS: usize = 8;
/// A total that more sets print than this means none in particular, and judging them would take as
/// long as all else. No total of the default catalogue is that of more than 22 sets.
const MOST_OF_TOTAL: usize = 64;

/// Adds the clue of a number.
fn ask(catalogue: &Columns<'_>, reading: &NumberReading, beside: bool, query: &mut Query) {
    let cards = catalogue.card_count().max(1) as f32;
    let number = catalogue.number(reading.number);
    let total = (reading.total != 0)
        .then(|| catalogue.number(reading.total))
        .flatten();
    let postings = number.map_or(&[][..], |n| catalogue.cards_of_number(n));
    let pairs = number
        .zip(total)
        .map_or(0, |(n, t)| catalogue.cards_of_number_and_total(n, t).len());
    query.numbers.push(NumberClue {
        kind: reading.kind,
        number,
        total,
        has_total: reading.total != 0,
        digits: reading.digits,
        total_digits: reading.total_digits,
        games: if reading.of_stated {
            reading.patterns
        } else {
            reading.games
        },
        known_in: known_in(catalogue, postings),
        patterns: reading.patterns,
        beside,
        unsigned: reading.end - reading.at == reading.number_at.1 - reading.number_at.0,
        refuted: Refuted::No,
        idf_pair: information(cards, pairs as u32),
        idf_total: information(cards, total.map_or(1, |t| catalogue.total_count(t))),
        idf: information(cards, postings.len() as u32),
    });
}

/// A number in capitals: most are of ASCII, whose letters need no table.
pub(crate) fn capitals(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_uppercase()
    } else {
        text.to_uppercase()
    }
}

/// The number: the one that the best card agrees with, else the best shape.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>) {
    let readings = writer.readings;
    let chosen = readings.chosen;
    let catalogue = readings.reference.catalogue;
    let text = readings.context.normalised.text();
    let top = writer
        .best
        .map(|r| (r.number.get(), r.flags.get() & card_flag::UNPRINTED != 0));
    let mut best: Option<(i32, usize)> = None;
    for proposal in chosen.iter() {
        let Value::Number(at) = proposal.value else {
            continue;
        };
        let reading = &readings.numbers[at as usize];
        let agrees =
            top.is_some_and(|(number, _)| catalogue.packed_number(number) == Some(reading.number));
        let unprinted = top.is_some_and(|(_, unprinted)| unprinted);
        let of_subject = unprinted
            || top.is_none()
            || !agrees
                && writer
                    .best
                    .is_some_and(|card| catalogue.is_subject(card, reading.digits));
        if reading.kind == NumberKind::Subject && of_subject {
            writer.push(
                Field::SubjectNumber,
                reading.digits.to_string(),
                (reading.at, reading.end),
                SUBJECT_CONFIDENCE,
            );
            continue;
        }
        let worth = i32::from(agrees) * AGREES
            + match reading.kind {
                NumberKind::Fraction => 3,
                NumberKind::Hash | NumberKind::Prefixed => 2,
                NumberKind::Subject => 1,
                NumberKind::Bare | NumberKind::Total => 0,
            };
        if best.is_none_or(|(w, _)| worth > w) {
            best = Some((worth, at as usize));
        }
        let confidence = writer.confidence(proposal);
        let (from, to) = reading.number_at;
        let value = capitals(text.get(from as usize..to as usize).unwrap_or(""));
        let value = if reading.scanned {
            unscanned(&value)
        } else {
            value
        };
        writer.push(Field::Number, value, (reading.at, reading.end), confidence);
    }
    if let Some((_, at)) = best {
        let reading = &readings.numbers[at];
        writer.number = Some(reading);
        let slice = |(from, to): (u32, u32)| {
            let part = text.get(from as usize..to as usize).unwrap_or("");
            let mut written = capitals(part.trim());
            if written.contains(' ') {
                written.retain(|c| c != ' ');
            }
            if reading.scanned {
                unscanned(&written)
            } else {
                written
            }
        };
        writer.parsed.number = Some(slice(reading.number_at))
            .filter(|n| !n.is_empty())
            .map(Cow::from);
        writer.parsed.total = Some(slice(reading.total_at))
            // `098/0...`, cut off
            .filter(|t| t.contains(|c| c != '0'))
            .map(Cow::from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;
    use crate::dictionary::Dictionary;
    use crate::stats::CatalogueStats;

    /// [`Columns::core_prints`] says what the cards of the number and the total say.
    #[test]
    fn cards_of_a_name_print_what_the_cards_of_a_number_do() {
        let catalogue =
            Catalogue::open(titledex_embedded::INDEX).expect("the embedded catalogue opens");
        let catalogue = catalogue.columns();
        let bears = |card: &U24, core: u32| {
            let record = catalogue.card_record(card.get());
            let name = record.and_then(|record| catalogue.name_record(record));
            name.is_some_and(|name| name.core.get() == core)
        };
        let mut before = 0;
        for record in catalogue.cards.iter().filter(|r| r.number.get() != NONE) {
            // the name of this card, and that of one before it, which seldom has the same number
            let core = catalogue.name_record(record).map_or(0, |n| n.core.get());
            let (number, total) = (record.number.get(), record.total.get());
            for core in [core, before] {
                let printed = catalogue.cards_of_number(number);
                let paired = catalogue.cards_of_number_and_total(number, total);
                assert_eq!(
                    catalogue.core_prints(core, number, None),
                    printed.iter().any(|card| bears(card, core))
                );
                assert_eq!(
                    catalogue.core_prints(core, number, Some(total)),
                    paired.iter().any(|card| bears(card, core))
                );
            }
            before = core;
        }
    }

    /// So no title of the default catalogue is judged by fewer sets than have its total.
    #[test]
    fn no_total_is_that_of_too_many_sets() {
        let catalogue =
            Catalogue::open(titledex_embedded::INDEX).expect("the embedded catalogue opens");
        let catalogue = catalogue.columns();
        let dictionary = Dictionary::builtin().expect("the files of this build load");
        let stats = CatalogueStats::of(&catalogue, &dictionary, u32::MAX);
        for total in 1..=u16::MAX {
            let own = |at: &u32| {
                catalogue
                    .sets
                    .get(*at as usize)
                    .map(|set| set.official.get())
            };
            let sets: Vec<u32> = stats.sets_of_total(total).collect();
            assert!(sets.iter().all(|set| own(set) == Some(total)), "{total}");
            assert!(sets.len() <= MOST_OF_TOTAL, "{total}: {} sets", sets.len());
        }
        let listed: usize = (0..=u16::MAX)
            .map(|total| stats.sets_of_total(total).count())
            .sum();
        assert_eq!(listed, catalogue.set_count());
    }
}
