//! `SWSH020`, `TG12`, `SVP085`: numbers with letters and no total.

use super::read::{
    DIGITS_BEHIND_CODE, LONGEST, MAX_NUMBERS, Short, behind_dash, ends_word, open_left, open_right,
    pack_undashed, reading,
};
use super::said::Said;
use super::{NumberKind, NumberReading, known_pair, unscanned_byte};
use crate::catalogue::format::{SetRecord, pack_number, set_flag};
use crate::catalogue::{AliasKind, Columns, Entry, EntryKind};
use crate::normalise::UPPER;
use crate::reading::context::Context;

/// A word in capitals of at least this many letters may be the code of a set.
const LETTERS_OF_CODE: usize = 3;

/// The least letters of a number that others count on from.
const LETTERS_OF_RUN: usize = 2;

/// The least letters of a number in which letters may stand for digits: `SMl58`.
const LETTERS_OF_MENDED: usize = 2;

/// `SWSH020`, `TG12`, `H12`: letters and digits that the catalogue has as a number.
pub(super) fn prefixed(
    catalogue: &Columns<'_>,
    said: &Said<'_>,
    number: (usize, usize),
) -> Option<NumberReading> {
    let context = said.context;
    let text = context.normalised.text();
    let bytes = text.as_bytes();
    let (whole, mut number) = (number, number);
    let letter = bytes.get(number.0).is_some_and(u8::is_ascii_alphabetic);
    if !letter || !open_left(bytes, number.0) || behind_dash(bytes, number.0) {
        return None;
    }
    let open = open_right(bytes, number.1);
    let letters = text[number.0..number.1]
        .bytes()
        .take_while(u8::is_ascii_alphabetic)
        .count();
    // `SM 35 Black Star Promo`: with a space only where a promo is sold, or where the letters are
    // the code of the very set that numbers its cards so (`TG 26`)
    let spaced = bytes.get(number.0 + letters) == Some(&b' ');
    let known = |from: usize, to: usize| {
        let part = &text[from..to];
        let packed = if !spaced {
            Some(pack_undashed(part))
        } else if said.promo || numbers_begin_with(said, &part[..letters]) {
            let (letters, digits) = (&part[..letters], &part[letters + 1..]);
            Some(pack_number(Short::of([letters, digits]).text()))
        } else {
            None
        };
        packed.filter(|&packed| catalogue.number(packed).is_some())
    };
    // `ヤドン XY9` names the set, which English promos number `XY09`; so does `SV3 Booster Box`
    if set_code(catalogue, context, number) && (said.japanese || said.says_product_alone()) {
        return None;
    }
    let mut packed = known(number.0, number.1);
    if packed.is_none() || !open {
        match mended(catalogue, text, number.0) {
            Some((end, meant)) if packed.is_none() => (number.1, packed) = (end, Some(meant)),
            None if !open => return None,
            _ => {}
        }
    }
    if packed.is_none() {
        packed = Some(number.1 - 1)
            .filter(|&to| bytes[to].is_ascii_alphabetic())
            .and_then(|to| known(number.0, to));
        if packed.is_some() {
            number.1 -= 1;
        } else if behind_code(said, number, letters) {
            // `SVP085`, `OBF 223`, `evs198`: the code of a set, and a number
            let digits =
                number.0 + letters + usize::from(!bytes[number.0 + letters].is_ascii_digit());
            return Some(reading(context, NumberKind::Hash, (digits, number.1), None));
        } else {
            return None;
        }
    }
    // `PS4`
    if said.is_goods(whole.0, whole.1) {
        return None;
    }
    let mut found = reading(context, NumberKind::Prefixed, number, None);
    found.number = packed.unwrap_or(found.number);
    Some(found)
}

/// Reads the digits behind a number with letters that count on from it, each one more than the last,
/// and leave the letters out: `SWSH260 261 262`. Returns where they end, if there are any.
pub(super) fn run_on(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    first: &NumberReading,
    out: &mut Vec<NumberReading>,
) -> Option<usize> {
    let text = context.normalised.text();
    let (from, to) = (first.number_at.0 as usize, first.number_at.1 as usize);
    let written = text.get(from..to)?;
    let letters = written.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (letters, digits) = written.split_at(letters);
    let mut last: u16 = digits.parse().ok()?;
    let mut end = None;
    while out.len() < MAX_NUMBERS {
        let behind = end.unwrap_or(to);
        let gap = text[behind..].bytes().take_while(|b| b" ,&+".contains(b));
        let at = behind + gap.count();
        let length = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        let next = &text[at..at + length];
        let alone = at > behind
            && length == digits.len()
            && open_right(text.as_bytes(), at + length)
            && text.as_bytes().get(at + length) != Some(&b'/')
            && ends_word(text, at + length);
        if letters.len() < LETTERS_OF_RUN || !alone || next.parse() != Ok(last.saturating_add(1)) {
            break;
        }
        let number = pack_number(Short::of([letters, next]).text());
        if catalogue.number(number).is_none() {
            break;
        }
        let found = reading(context, NumberKind::Prefixed, (at, at + length), None);
        out.push(NumberReading { number, ..found });
        (last, end) = (last.saturating_add(1), Some(at + length));
    }
    end
}

/// `SWSHO85`, `SM2l4`: a number of letters and digits in which letters stand for digits. The word
/// that begins at `from`; its end, and the number that is meant.
fn mended(catalogue: &Columns<'_>, text: &str, from: usize) -> Option<(usize, u64)> {
    let word = text.get(from..)?;
    let length = word.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let word = word.get(..length).filter(|_| length <= LONGEST)?;
    let digit = |byte: &u8| byte.is_ascii_digit() || unscanned_byte(*byte).is_ascii_digit();
    let digits = word.bytes().rev().take_while(|byte| digit(byte)).count();
    if word[length - digits..]
        .bytes()
        .all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    // letters that also stand for digits may be the prefix's: the longest one that is known counts
    (LETTERS_OF_MENDED.max(length - digits)..length.saturating_sub(1)).find_map(|letters| {
        let (head, rest) = word.split_at(letters);
        let prefix = head.bytes().all(|byte| byte.is_ascii_alphabetic());
        let number: Short = head
            .bytes()
            .chain(rest.bytes().map(unscanned_byte))
            .collect();
        let packed = pack_undashed(number.text());
        (prefix && catalogue.number(packed).is_some()).then_some((from + length, packed))
    })
}

/// Whether the digits behind so many letters number a card of the set whose code the letters are: three
/// digits, or fewer that are glued to it: `BUS20`. Where the title names a subject, or the code is in small
/// letters or another word as well, the title names the card that has them: `LOT65`.
fn behind_code(said: &Said<'_>, (from, to): (usize, usize), letters: usize) -> bool {
    let (catalogue, context) = (said.reference.catalogue, said.context);
    let text = context.normalised.text();
    let code = (from, from + letters);
    let spaced = text.as_bytes()[code.1] == b' ';
    let digits = to - code.1 - usize::from(!text.as_bytes()[code.1].is_ascii_digit());
    // `Plains RTR 20x`: so many copies
    if text.as_bytes()[to - 1] == b'x' {
        return false;
    }
    match digits {
        DIGITS_BEHIND_CODE => {
            set_code(catalogue, context, code) || !spaced && is_code_of(said, (from, to), letters)
        }
        1.. if digits < DIGITS_BEHIND_CODE && !spaced => {
            let token = said.token_to(to);
            let word = || said.is_word(code) || !set_code(catalogue, context, code);
            let named = || said.names_numbered(&text[code.0..code.1], &text[code.1..to]);
            is_code_of(said, (from, to), letters)
                && !is_set_code(catalogue, &text[from..to])
                // `BRS10 packs`
                && !said.units.around(token)
                && !said.says_product_alone()
                && (named() || !said.names_subject() && !word())
        }
        _ => false,
    }
}

/// Whether letters that stand before digits and a space can only be of a number: they are the code of
/// no set, or of one whose numbers begin with them, of the games that the title names: `MRD 79` is a
/// number of Yu-Gi-Oh!, and in a title of Magic a set and its number.
fn numbers_begin_with(said: &Said<'_>, letters: &str) -> bool {
    let catalogue = said.reference.catalogue;
    let place = catalogue.lexicon().get(letters.as_bytes());
    // of `RC`, the catalogue has the cards in other sets
    let mut sets = place
        .into_iter()
        .flat_map(|place| catalogue.sets_named(place))
        .filter(|set| set.count.get() > 0)
        .filter(|set| said.stated == 0 || set.game_bit() & said.stated != 0)
        .peekable();
    let begins = |set: &SetRecord| {
        let first = catalogue.card_record(set.first.get());
        first.is_some_and(|card| {
            let number = catalogue.number_text(card);
            let head = number.get(..letters.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(letters))
        })
    };
    sets.peek().is_none() || sets.any(begins)
}

/// Whether letters in capitals are the code of a set.
fn set_code(catalogue: &Columns<'_>, context: &Context<'_>, (from, to): (usize, usize)) -> bool {
    let key = &context.normalised.text()[from..to];
    let upper = (from..to).all(|at| {
        key.as_bytes()[at - from].is_ascii_digit() || context.normalised.trait_at(at) & UPPER != 0
    });
    upper && key.len() >= LETTERS_OF_CODE && is_set_code(catalogue, key)
}

/// Whether a key is the code of a set.
fn is_set_code(catalogue: &Columns<'_>, key: &str) -> bool {
    let place = catalogue.lexicon().get(key.as_bytes());
    place.is_some_and(|place| catalogue.entries(place).any(is_code))
}

/// Whether an entry of the lexicon is the code of a set.
fn is_code(entry: Entry) -> bool {
    let code = || matches!(AliasKind::from_number(entry.quality()), AliasKind::Code);
    entry.kind() == EntryKind::Set && code()
}

/// Whether so many letters, small or not, are the code of a set of promos (`svp126`), or of a set that has
/// a card with the digits behind them: `evs198`.
fn is_code_of(said: &Said<'_>, (from, to): (usize, usize), letters: usize) -> bool {
    let catalogue = said.reference.catalogue;
    let (code, digits) = said.context.normalised.text()[from..to].split_at(letters);
    let place = Some(code.as_bytes())
        .filter(|code| code.len() >= LETTERS_OF_CODE)
        .and_then(|code| catalogue.lexicon().get(code));
    let has = |set: &SetRecord| {
        let number = catalogue.number(pack_number(digits));
        number.is_some_and(|number| !catalogue.cards_of_set_numbered(set, number).is_empty())
    };
    let means = |entry: Entry| {
        let set = Some(entry.id() as usize).filter(|_| entry.kind() == EntryKind::Set);
        set.and_then(|set| catalogue.sets.get(set))
            .is_some_and(|set| {
                let open = said.stated == 0 || set.game_bit() & said.stated != 0;
                open && (set.flags & set_flag::PROMO != 0 || is_code(entry) && has(set))
            })
    };
    place.is_some_and(|place| catalogue.entries(place).any(means))
}

/// `S-P147` for `147/S-P`: digits behind the series of a promo, if cards print it as their total.
pub(super) fn behind_series(said: &Said<'_>, digits: (usize, usize)) -> Option<NumberReading> {
    let (context, catalogue) = (said.context, said.reference.catalogue);
    let text = context.normalised.text();
    let before = text.get(..digits.0)?;
    let series = before.strip_suffix("-p")?;
    let letters = series.bytes().rev().take_while(u8::is_ascii_alphanumeric);
    let from = series.len() - letters.count();
    let mut found = reading(
        context,
        NumberKind::Fraction,
        digits,
        Some((from, digits.0)),
    );
    found.total_known = catalogue.number(found.total).is_some();
    (found.at, found.end) = (
        context.line.key_at(from) as u32,
        context.line.key_at(digits.1) as u32,
    );
    (from < series.len() && digits.1 - from < LONGEST && known_pair(catalogue, &found))
        .then_some(found)
}
