//! How sure words name a set.

use super::{FAMILY_KIND, LEAST_CODE};
use crate::attributes::hit::Hit;
use crate::attributes::number::NumberReading;
use crate::attributes::units::UnitWords;
use crate::attributes::year::YEARS;
use crate::catalogue::format::{SetRecord, pack_number};
use crate::catalogue::{AliasKind, Columns};
use crate::reading::context::Context;
use crate::token::{Class, Line, Token};
use crate::word_lists::SET_NUMBERING;

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
/// A code in capitals, in a title that states how many cards the set has, or any before the number of a
/// card of it that the title names; codes of fewer letters are conditions and rarities as well: `HP`,
/// `RR`.
const CODE_OF_TOTAL: f32 = 1.2;
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
    /// Whether digits behind the code of a set number a card of it that the title names.
    pub(crate) numbers: &'a dyn Fn(&Hit) -> bool,
    /// The number that the title states with a total that the catalogue has.
    pub(crate) fraction: Option<&'a NumberReading>,
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

/// The most digits of an amount behind the name of a set.
const DIGITS_OF_AMOUNT: usize = 2;

/// Says of names of sets that end in an amount that they are none: `Base Set 2 day shipping`,
/// `Base Set $2,000`, `Base Set 2nd print`. Digits that are the whole name are none if they are a price.
pub(crate) fn rule_out_amounts(context: &Context<'_>, units: &UnitWords<'_>, hits: &mut [Hit]) {
    for hit in hits.iter_mut().filter(|hit| hit.means.set) {
        let behind = context.line.token_at(hit.end as usize);
        let amount = |number: usize| {
            let begins = |token: &Token| token.at > hit.at;
            let token = context.line.tokens().get(number);
            context.class(number) == Some(Class::Digit)
                && if token.is_some_and(begins) {
                    context.word(number).len() <= DIGITS_OF_AMOUNT && units.are_amount(number)
                } else {
                    units.are_of_price(number)
                }
        };
        if behind.checked_sub(1).is_some_and(amount) {
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
/// the set's id, without its game and region: the era and the number in it of `SWSH 11`, `OP 4`.
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
        let id = catalogue.string(set.id);
        let own = id.rsplit(':').next().unwrap_or(id);
        let head = own.get(..text(era).len());
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
        // `silcoon lot 25`
        3 if held() && (near.numbers)(hit) => CODE_OF_TOTAL,
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
    let of_total = |set: &SetRecord| totals(context).any(|total| total == set.official.get());
    let (at, end) = (hit.at as usize, hit.end as usize);
    (LEAST_CODE..=SHORT_BYTES).contains(&(end - at))
        && hit
            .sets(catalogue)
            .any(|entry| entry.quality() == AliasKind::Code as u8)
        && context.line.is_upper(context.normalised, at, end)
        && catalogue.sets_named(hit.place).any(of_total)
}

/// The totals that the title states.
fn totals<'t>(context: &'t Context<'t>) -> impl Iterator<Item = u16> + 't {
    let behind = |token: &usize| context.word(token - 1) == "/";
    let tokens = (2..context.line.tokens().len()).filter(behind);
    tokens.filter_map(|token| context.word(token).parse().ok())
}

/// Whether the title states totals, and none of the sets that words name has one of them.
#[inline(never)]
pub(crate) fn is_of_other_total(catalogue: &Columns<'_>, context: &Context<'_>, hit: &Hit) -> bool {
    let of_none = |total: u16| {
        let mut sets = catalogue.sets_named(hit.place);
        sets.all(|set| set.official.get() != total)
    };
    let mut totals = totals(context).peekable();
    totals.peek().is_some() && totals.all(of_none)
}
