//! `OP01-025`, `LOB-EN001`: numbers with the code of a set.

use super::read::{
    DIGITS_BEHIND_CODE, LONGEST, MAX_NUMBERS, Short, behind_dash, ends_word, open_left, reading,
};
use super::refute::{Refuted, refuted_by_code};
use super::said::Said;
use super::{NumberKind, NumberReading, unscanned_byte};
use crate::attributes::hit::Hit;
use crate::attributes::units::Numbered;
use crate::catalogue::Columns;
use crate::catalogue::format::{CardRecord, pack_number};
use crate::dictionary::{Game, Spoken, Tag, Tagged};
use crate::reading::context::Context;
use crate::reference::Reference;
use crate::token::Class;
use std::ops::Range;

/// The first letters of a code, which are the set's: in none of them a letter stands for a digit.
const LETTERS_OF_SET: usize = 2;

/// How many letters say the language of a code without a dash, the likeliest first.
const LANGUAGE: [usize; 2] = [2, 1];

/// `OP01-025`, `LOB-EN001`: numbers with the code of a set, of the games that the catalogue holds.
pub(super) fn codes(said: &Said<'_>, out: &mut Vec<NumberReading>) {
    let (context, reference) = (said.context, said.reference);
    let text = context.normalised.text();
    let mut from = 0;
    for (index, token) in context.line.tokens().iter().enumerate() {
        let at = token.norm as usize;
        // `OP11-018/OP11-114`
        let behind_code = at > 0 && at == from + 1 && text.as_bytes()[from] == b'/';
        let open = open_left(text.as_bytes(), at)
            && (!behind_dash(text.as_bytes(), at) || index > 0 && said.is_game(index - 1));
        let open = open || behind_code && !out.is_empty() || is_multiplied(context, index);
        // `YGO-OP01-EN021` of a shop
        let dash = text.as_bytes().get(token.norm_end as usize) == Some(&b'-');
        let open = open && !(dash && said.is_game(index));
        if at < from || out.len() >= MAX_NUMBERS || !open {
            continue;
        }
        if let Some((end, games)) = code_at(said, at) {
            // `EX-06` of a game whose numbers are no such codes
            let own = said.stated & reference.stats.games_of_folders(games);
            if said.stated != 0 && own == 0 {
                continue;
            }
            let mut found = reading(context, NumberKind::Prefixed, (at, end), None);
            let code = &text[at..end];
            found.coded = true;
            if let Some((letters, language)) = language_of_code(reference, code, games) {
                // no other game's numbers say the language
                let (before, behind) = (&code[..letters.start], &code[letters.end..]);
                let number: Short = Short::of([before, behind]);
                found.number = recoded(reference, (&code[..letters.end], behind), games)
                    .or_else(|| with_prefix(reference, (number.text(), language), games))
                    .unwrap_or_else(|| known_code(reference.catalogue, number.text()));
                found.games = reference.stats.games_of_folders(games);
                // letters and digits without a dash are seldom a code
                if !code.contains('-') && reference.catalogue.number(found.number).is_none() {
                    continue;
                }
            } else {
                found.number = known_code(reference.catalogue, code);
                found.of_stated = own != 0;
                found.patterns = match own {
                    0 => reference.stats.games_of_folders(games),
                    own => own,
                };
                // `S12a-205` of a card of another game
                let stats = reference.stats;
                let ours = || {
                    games & stats.folders_of_games(said.stated) != 0
                        || stats.folders.count_ones() == 1
                };
                let unknown = reference.catalogue.number(found.number).is_none();
                // `ST15-20` are two sets
                let code_known = || {
                    let refuted = refuted_by_code(reference.catalogue, found.number);
                    let digits = text[..end].bytes().rev().take_while(u8::is_ascii_digit);
                    refuted == Some(Refuted::Beyond)
                        || refuted.is_some() && digits.count() >= DIGITS_BEHIND_CODE
                };
                if unknown && (!ours() && !code_known() || begins_set(said, (at, end))) {
                    continue;
                }
            }
            out.push(found);
            from = end;
            if let Some(last) = last_of_range(reference.catalogue, context, (at, end)) {
                from = last.number_at.1 as usize;
                out.push(last);
            }
        }
    }
    // `OP01-094 SKU: OP06-333`
    let of_goods = |found: &NumberReading| {
        let (at, end) = found.number_at;
        said.numbered(at as usize, end as usize) == Some(Numbered::Goods)
    };
    if out.len() > 1 && !out.iter().all(of_goods) {
        out.retain(|found| !of_goods(found));
    }
}

/// The end of the number with a code that begins at byte `at` of the folded text, and the games that
/// have a pattern for it.
fn code_at(said: &Said<'_>, at: usize) -> Option<(usize, u32)> {
    let reference = said.reference;
    let text = said.context.normalised.text();
    let (end, games) = reference
        .dictionary
        .codes
        .find(text, at, reference.stats.codes)?;
    let whole = end - at < LONGEST && ends_word(text, end);
    if reference.stats.rated_codes != 0 {
        let packed = || pack_code(&text[at..end]);
        if !whole || reference.catalogue.number(packed()).is_none() {
            let shorter = before_rarity(said, at);
            return shorter.or(whole.then_some((end, games)));
        }
    }
    whole.then_some((end, games))
}

/// `TID/S53-E011SSP`: the end of the number that begins at byte `at`, of a game that prints the rarity
/// behind it, if letters that are a rarity follow.
fn before_rarity(said: &Said<'_>, at: usize) -> Option<(usize, u32)> {
    let (line, text) = (said.context.line, said.context.normalised.text());
    let (codes, games) = (
        &said.reference.dictionary.codes,
        said.reference.stats.rated_codes,
    );
    let rarity = |tag: &&Tagged| matches!(tag.tag, Tag::Rarity(_)) && tag.games & games != 0;
    let mut rarities = said.tags.iter().filter(rarity);
    rarities.find_map(|tag| {
        let (from, to) = line.norm_range(tag.at as usize, tag.end as usize);
        let behind = from > at && from - at < LONGEST && ends_word(text, to);
        let number = text.get(..from).filter(|_| behind)?;
        codes
            .find(number, at, games)
            .filter(|(end, _)| *end == from)
    })
}

/// Whether the last digits of a code, behind a space, begin the name of a set: `OP-07 500 Years in
/// the Future`.
fn begins_set(said: &Said<'_>, (at, end): (usize, usize)) -> bool {
    let line = said.context.line;
    let Some(space) = said.context.normalised.text()[at..end].rfind(' ') else {
        return false;
    };
    let (digits, end) = (line.key_at(at + space + 1), line.key_at(end));
    let begins = |hit: &Hit| hit.means.set && hit.at as usize == digits && hit.end as usize > end;
    said.hits.iter().any(begins)
}

/// `OP13-080-091`: the last of several numbers of a set, of which the first stands at `code` with
/// the set's code; if the catalogue has it.
fn last_of_range(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    code: (usize, usize),
) -> Option<NumberReading> {
    let text = context.normalised.text();
    let digits = |part: &str| part.bytes().take_while(u8::is_ascii_digit).count();
    let behind = text.get(code.1..)?.strip_prefix(['-', '~'])?;
    let first = text.get(code.0..code.1)?;
    let count = first.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (set, number) = first.split_at(first.len() - count);
    let closed =
        !behind[digits(behind)..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/');
    if digits(behind) != count
        || !closed
        || code.1 - code.0 >= LONGEST
        || behind[..count] <= *number
    {
        return None;
    }
    let from = code.1 + 1;
    let mut last = reading(context, NumberKind::Prefixed, (from, from + count), None);
    last.number = pack_code(Short::of([set, &behind[..count]]).text());
    last.coded = true;
    catalogue.number(last.number).map(|_| last)
}

/// `LDD-F056`: the number of the catalogue for that of a print of one language whose code, up to the
/// letters of the language, is another than its set's: `LOB-056`.
fn recoded(reference: &Reference<'_, '_>, (code, number): (&str, &str), games: u32) -> Option<u64> {
    let sets = folders_of(reference, games).flat_map(|game| game.sets_of_code(code));
    let mut numbers = sets.map(|set| pack_code(Short::of([set, number]).text()));
    numbers.find(|&number| reference.catalogue.number(number).is_some())
}

/// `KP01-JP001`, `RDKP01-JP001`: the number of the catalogue that begins with what the title leaves
/// out, `RD/` or its slash, where no card has one that is written as the code is, or only cards that
/// are not printed in its language: `B003-JP002`, beside a card `B3-02`; `AP01-JP020`, beside `AP01-020`
/// of a pack without Japanese cards.
fn with_prefix(
    reference: &Reference<'_, '_>,
    (code, language): (&str, &str),
    games: u32,
) -> Option<u64> {
    let catalogue = reference.catalogue;
    let further = reference.dictionary.spoken(language) == Spoken::Further;
    let regional = |card: &CardRecord| {
        let set = catalogue.set_record(card);
        set.is_some_and(|set| set.is_regional())
    };
    let written = |card: &CardRecord| {
        let text = catalogue.number_text(card);
        text.eq_ignore_ascii_case(code) && (!further || regional(card))
    };
    let as_written = |number: u32| {
        let mut cards = catalogue.cards_of_number(number).iter();
        cards.any(|card| catalogue.card_record(card.get()).is_some_and(written))
    };
    if catalogue.number(pack_code(code)).is_some_and(as_written) {
        return None;
    }
    let prefixes = folders_of(reference, games).flat_map(|game| &game.code_prefixes);
    let mut numbers = prefixes.map(|prefix| {
        let written = prefix.trim_end_matches('/');
        let rest = code.strip_prefix(written).unwrap_or(code);
        pack_code(Short::of([prefix.as_str(), rest]).text())
    });
    numbers.find(|&number| reference.catalogue.number(number).is_some())
}

/// The games that have the code which begins at byte `at` of a folded text and says a language, as
/// `OP14-EN015` does; `None` if there is no such code.
pub(crate) fn games_by_language(
    reference: &Reference<'_, '_>,
    text: &str,
    at: usize,
) -> Option<u32> {
    let codes = &reference.dictionary.codes;
    let (end, games) = codes.find(text, at, reference.stats.codes)?;
    language_of_code(reference, text.get(at..end)?, games)
        .filter(|_| ends_word(text, end))
        .map(|_| reference.stats.games_of_folders(games))
}

/// The games of the dictionary that have a bit in `games`.
fn folders_of<'d>(reference: &Reference<'_, 'd>, games: u32) -> impl Iterator<Item = &'d Game> {
    let folders = (0..).zip(&reference.dictionary.folders);
    folders
        .filter(move |(folder, _)| games & 1 << folder != 0)
        .map(|(_, game)| game)
}

/// Whether the catalogue has the number that a code is.
pub(crate) fn is_known(catalogue: &Columns<'_>, code: &str) -> bool {
    catalogue.number(pack_code(code)).is_some()
}

/// The number that a code is, or if the catalogue has none such, the one that is meant.
fn known_code(catalogue: &Columns<'_>, code: &str) -> u64 {
    let packed = pack_code(code);
    let mended = match catalogue.number(packed) {
        Some(_) => None,
        None => mended_code(catalogue, code),
    };
    mended.unwrap_or(packed)
}

/// `POTE-O03`, `RAO1-021`, `OPO5-O60`: the number that the catalogue has where one letter of a code
/// stands for a digit or a digit for a letter, or letters for digits all through it.
fn mended_code(catalogue: &Columns<'_>, code: &str) -> Option<u64> {
    let other = |byte: u8| match byte {
        b'0' => b'o',
        b'1' => b'i',
        _ => unscanned_byte(byte),
    };
    let known = |mended: &dyn Fn(usize, u8) -> u8| {
        let bytes = code.bytes().enumerate();
        let bytes = bytes.map(|(at, byte)| mended(at, byte));
        let packed = pack_code(bytes.collect::<Short>().text());
        catalogue.number(packed).is_some().then_some(packed)
    };
    let mut places =
        (0..code.len()).filter(|&at| other(code.as_bytes()[at]) != code.as_bytes()[at]);
    let one =
        places.find_map(|place| known(&|at, byte| if at == place { other(byte) } else { byte }));
    one.or_else(|| {
        known(&|at, byte| match at {
            0..LETTERS_OF_SET => byte,
            _ => unscanned_byte(byte),
        })
    })
}

/// Whether one of the codes that were read covers byte `at` of the folded text.
pub(super) fn in_code(readings: &[NumberReading], at: usize) -> bool {
    readings
        .iter()
        .any(|found| found.coded && (found.number_at.0..found.number_at.1).contains(&(at as u32)))
}

/// The language that the code of a number says.
pub(crate) fn language_of<'d>(
    reference: &Reference<'_, 'd>,
    context: &Context<'_>,
    number: &NumberReading,
) -> Option<&'d str> {
    let (from, to) = number.number_at;
    let code = context.normalised.text().get(from as usize..to as usize)?;
    // of any other number all games may have it
    (number.games != u32::MAX)
        .then(|| language_of_code(reference, code, reference.stats.codes))?
        .map(|(_, language)| language)
}

/// The letters of a code of one of `games` that say a language, and the language: those after the
/// dash, before the digits.
fn language_of_code<'d>(
    reference: &Reference<'_, 'd>,
    code: &str,
    games: u32,
) -> Option<(Range<usize>, &'d str)> {
    let from = |at: usize| {
        let part = code
            .get(at..)
            .filter(|part| !part.starts_with(|c: char| c.is_ascii_digit()))?;
        let mut folders = folders_of(reference, games);
        let (length, language) = folders.find_map(|game| game.code_language(part))?;
        Some((at..at + length, language))
    };
    if let Some(dash) = code.rfind('-') {
        return from(code.len() - code[dash + 1..].trim_start().len());
    }
    // `ROTDEN001`, `SDYE031`
    let letters = code.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let mut lengths = LANGUAGE.iter();
    lengths.find_map(|length| from(letters.checked_sub(*length)?))
}

/// A code as the catalogue packs it: with a dash between two digits, where a title has a space or
/// nothing.
fn pack_code(text: &str) -> u64 {
    // `AB50-064a`
    let letters = text.bytes().rev().take_while(u8::is_ascii_alphabetic);
    let (text, letters) = text.split_at(text.len() - letters.count());
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (head, number) = text.split_at(text.len() - digits);
    // `OP05119`: the number is the last three digits
    let (set, number) = number.split_at(digits.saturating_sub(DIGITS_BEHIND_CODE));
    let head: Short = head
        .bytes()
        .filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'/')
        .collect();
    // `OP02/093`; but the slash of `KW/021` is its number's
    let code = head.text().trim_end_matches('/');
    let numbered = code.ends_with(|c: char| c.is_ascii_digit());
    let set = Short::of([if numbered { code } else { head.text() }, set]);
    let between = set
        .text()
        .bytes()
        .last()
        .is_some_and(|byte| byte.is_ascii_digit());
    let dash = if between { "-" } else { "" };
    pack_number(Short::of([set.text(), dash, number, letters]).text())
}

/// Whether a count of copies stands right before token `index`: `4xBT12-031`.
fn is_multiplied(context: &Context<'_>, index: usize) -> bool {
    index > 1 && context.word(index - 1) == "x" && context.class(index - 2) == Some(Class::Digit)
}
