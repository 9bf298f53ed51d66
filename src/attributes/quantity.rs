//! The quantity: `x4`, `2x`, `10枚`, `6 reverse holo cards`, `lot of 12`, `two copies`.

use super::companion::{begins_goods, is_given};
use super::hit::Hit;
use super::number::is_bracketed_number;
use super::surroundings::{Count, push_count};
use super::units::{self, UnitWords};
use super::writer::Writer;
use super::year::YEARS;
use crate::catalogue::format::{SetRecord, pack_number};
use crate::dictionary::{Tag, Tagged};
use crate::parsed::Field;
use crate::reading::Proposal;
use crate::reading::context::{Context, ending};
use crate::reference::Reference;
use crate::token::{Class, Token};
use crate::word_lists::{ARTICLES, LENGTHS, ONE_CARD, TIMES_BEHIND, TOTALS_OF_COPIES};

/// The most cards of a game that a number at the start counts, but for multiples of ten: `3 Pokemon
/// Cards`, `60 Pokemon Cards`, but not `151 Pokemon Cards`.
const MOST_IN_FRONT: u32 = 20;
const ROUND_IN_FRONT: u32 = 10;
/// Multiples of this count cards of a game anywhere, as all numbers do where no card is named: `bulk 500
/// Pokemon cards`, `Paradox Rift 45 Pokemon cards`.
const ROUND: u32 = 50;
/// Confidence in a number with a word that counts: `x4`, `4 cards`, `lot of 4`.
const QUALITY: f32 = 1.4;
/// Confidence in `4x`, whose `x` may begin a word.
const BEFORE_X: f32 = 1.3;
/// Confidence in `(4)` at the start of a title: less than in a number, which it may be.
const IN_BRACKETS: f32 = 1.0;
/// The copies of one card that a number at the start of a title can count.
const COPIES_IN_FRONT: std::ops::RangeInclusive<u32> = 2..=12;
/// The copies of one card that a deck can have.
const COPIES_OF_DECK: std::ops::RangeInclusive<u32> = 1..=4;
/// Between the code of a set and a number stands the code of a language: `RA05-EN081`.
const LETTERS_OF_REGION: u32 = 2;
/// The most digits of a count, and the most beside an `x`.
const MOST_DIGITS: usize = 4;
const MOST_DIGITS_BESIDE_X: usize = 3;
/// The most copies that an `x` glued to a name counts.
const MOST_BEHIND_NAME: u32 = 99;
/// Digits of a number behind the code of a set, which may be a word of counts: `flamigo par 106`.
const DIGITS_OF_CODE: usize = 3;
/// The most digits of a count behind a sign that is no letter: `*4`.
const MOST_DIGITS_BEHIND_SIGN: usize = 2;

/// Fewer numbers in a row, and numbers above the last of any set, are no run of cards.
const LEAST_RUN: u32 = 5;
const MOST_NUMBERS: u32 = 400;

/// Between which of several copies is sold, and how many there are.
const OF: &str = "of";
/// Between two cells of a table.
const CELLS: &str = "\",\"";
/// What copies are.
const SAME: &str = "same";

/// Proposes a count of digits; `begins` as in [`propose_spelt`].
pub(crate) fn propose(
    count: &Count<'_, '_>,
    units: &UnitWords<'_>,
    begins: &dyn Fn(u32) -> bool,
    out: &mut Vec<Proposal>,
) {
    let Count {
        context,
        index,
        word,
        number,
        before,
        after,
        ..
    } = *count;
    if number < 1 || word.len() > MOST_DIGITS || word.len() > 1 && word.starts_with('0') {
        return;
    }
    // `copy 1 of 5 cards`: which of them
    if before == OF && index > 1 && context.class(index - 2) == Some(Class::Digit) {
        return;
    }
    beside_x(count, units, out);
    before_cards(count, units, out);
    before_qualities(count, units, begins, out);
    // `Numbers 1 through 16`
    if let Some((end, last)) = units.run(index)
        && end >= number + LEAST_RUN
        && end <= MOST_NUMBERS
    {
        let tokens = (index, last);
        let numbers = end - number + 1;
        push_count(context, Field::Quantity, tokens, (numbers, QUALITY), out);
    }
    // `380+ cards`
    if after == "+" && units.are_cards(index + 2) {
        count.push(Field::Quantity, (index, index + 2), QUALITY, out);
    }
    in_front(count, begins, out);
    // `Glumanda 18/149 4er`, and no `3er Blister`
    if TIMES_BEHIND.contains(&after)
        && COPIES_IN_FRONT.contains(&number)
        && context.glued_behind(index) == Some(Class::Latin)
        && matches!(
            context.class(index + 2),
            None | Some(Class::Digit | Class::Mark)
        )
    {
        count.push(Field::Quantity, (index, index + 1), QUALITY, out);
    }
    // `any 3 for $5`; but `PSA 9 for $50`
    if units.are_sold_for(index) && !count.is_behind_grader() {
        count.push(Field::Quantity, (index, index), QUALITY, out);
    }
    // `Goblin Dirigible Mirrodin 4-of`
    if after == OF && index > 0 && index + 2 == context.line.tokens().len() {
        count.push(Field::Quantity, (index, index + 1), IN_BRACKETS, out);
    }
    // `3 of the same card`
    if after == OF
        && number > 1
        && context.word(index + 2) == "the"
        && context.word(index + 3) == SAME
    {
        count.push(Field::Quantity, (index, index + 3), QUALITY, out);
    }
    // `*961` is a shop's mark; `par 5ban Graphics`
    if let Some(words) = units.copies_of(index)
        && (context.glued_behind(index) != Some(Class::Latin) || units.are_copies(index + 1))
        && (words > 0 || word.len() <= MOST_DIGITS_BEHIND_SIGN)
        && !(word.len() == DIGITS_OF_CODE && count.is_behind_set())
    {
        let counter = usize::from(units.are_copies(index + 1));
        let tokens = (index - words, index + counter);
        count.push(Field::Quantity, tokens, QUALITY, out);
    }
}

/// Proposes a count of cards with a mark behind its thousands, of which this token is the last:
/// `1,000 Yugioh cards`, `1.000 Karten`.
pub(crate) fn propose_thousands(
    count: &Count<'_, '_>,
    units: &UnitWords<'_>,
    out: &mut Vec<Proposal>,
) {
    let (context, index) = (count.context, count.index);
    let Some((first, number)) = units::thousands(context, index) else {
        return;
    };
    let next = index + 1;
    let said = units.are_cards(next) || units.are_copies(next);
    let described = || cards_described(&Count { number, ..*count }, units, count.longest?);
    if let Some(last) = said.then_some(next).or_else(described) {
        push_count(
            context,
            Field::Quantity,
            (first, last),
            (number, QUALITY),
            out,
        );
    }
}

/// Proposes a count beside an `x`: `x4`, `4x`.
fn beside_x(count: &Count<'_, '_>, units: &UnitWords<'_>, out: &mut Vec<Proposal>) {
    let Count {
        context,
        index,
        token,
        word,
        number,
        before,
        after,
        ..
    } = *count;
    if word.len() > MOST_DIGITS_BESIDE_X {
        return;
    }
    let tokens = context.line.tokens();
    if before == "x"
        && index > 0
        && (token.glued || context.gap(index - 1).trim().is_empty())
        && context.glued_before(index - 1) != Some(Class::Latin)
        // `LV.X 104`
        && !context.before(index - 1).ends_with('.')
        && !is_measure(context, index)
        && !is_behind_name_with_x(context, (index, number), units)
    {
        count.push(Field::Quantity, (index - 1, index), QUALITY, out);
    }
    let glued_after = tokens.get(index + 1).is_some_and(|t| t.glued);
    if after == "x"
        && (glued_after || context.gap(index).trim().is_empty())
        && (context.glued_behind(index + 1) != Some(Class::Latin)
            || context.glued_behind(index + 2) == Some(Class::Digit)
            || tokens.get(index + 2).is_some_and(|token| !token.upper))
        // `151 x4`; `4xBT12-031`, `3xAnna`
        && (glued_after || context.glued_behind(index + 1) != Some(Class::Digit))
        && !(context.class(index + 2) == Some(Class::Digit) && is_measure(context, index + 2))
    {
        count.push(Field::Quantity, (index, index + 1), BEFORE_X, out);
    }
}

/// Proposes a number before words for a lot: behind the game a round one, as in `One Piece 500 bulk`, and
/// any of which one card parts them, as in `40 card lot`.
pub(crate) fn propose_of_lot(
    count: &Count<'_, '_>,
    says_lot: &dyn Fn(Tag) -> bool,
    out: &mut Vec<Proposal>,
) {
    let (context, index) = (count.context, count.index);
    if count.number > 1 && ONE_CARD.contains(&count.after) {
        let lot = context.line.tokens().get(index + 2);
        let is_lot = |token: &Token| {
            let mut tags = count.tags.iter();
            tags.any(|tag| tag.at == token.at && says_lot(tag.tag))
        };
        let together =
            ["", " ", "-"].contains(&context.gap(index)) && context.gap(index + 1) == " ";
        let free = !matches!(count.before, "#" | "/") && context.glued_before(index).is_none();
        if together && free && lot.is_some_and(is_lot) {
            count.push(Field::Quantity, (index, index + 1), QUALITY, out);
        }
    }
    if count.number == 0 || !count.number.is_multiple_of(ROUND) || is_year(count.number) {
        return;
    }
    let game = |tag: &Tagged| matches!(tag.tag, Tag::Game(_)) && tag.end == count.token.at;
    let lot = |tag: &Tagged| tag.at == count.token.end && says_lot(tag.tag);
    let numbered = count.context.before(count.index).contains('#');
    if !numbered && count.tags.iter().any(game) && count.tags.iter().any(lot) {
        count.push(
            Field::Quantity,
            (count.index, count.index),
            IN_BRACKETS,
            out,
        );
    }
}

/// Whether a name or a grader begins with a token; `begins` as in [`propose_spelt`].
fn begins_at(context: &Context<'_>, token: usize, begins: &dyn Fn(u32) -> bool) -> bool {
    let token = context.line.tokens().get(token);
    token.is_some_and(|token| begins(token.at))
}

/// Whether a count is a year, not a round thousand: `2017 carte Pokémon`.
fn is_year(number: u32) -> bool {
    YEARS.contains(&number) && !number.is_multiple_of(1000)
}

/// Proposes a count of cards or copies: `4 cards`, `6 Reverse Holo Cards`.
fn before_cards(count: &Count<'_, '_>, units: &UnitWords<'_>, out: &mut Vec<Proposal>) {
    let Count {
        context,
        index,
        number,
        before,
        ..
    } = *count;
    let glued = context.glued_before(index) == Some(Class::Latin);
    // one `Card` after a number is not a count: `Undaunted #84 CARD`
    let counted = (before == "x" || !glued)
        // `EV07 114 carte pokémon`
        && !is_behind_code(context, index)
        // `(PAL 93) | Singles`
        && !context.gap(index).contains(['|', ')', ']']);
    // `268/193 pz 2`
    let copies = before != "/" && units.are_copies(index + 1);
    if counted && !is_year(number) && units.are_cards(index + 1) || copies {
        count.push(Field::Quantity, (index, index + 1), QUALITY, out);
    }
    if number > 1
        && before != "/"
        && before != "#"
        && !glued
        && !is_behind_code(context, index)
        && let Some(longest) = count.longest
        && let Some(cards) = cards_described(count, units, longest)
    {
        count.push(Field::Quantity, (index, cards), QUALITY, out);
    } else if counted && number > 1 && counts_cards_of_set(count, units) {
        count.push(Field::Quantity, (index, index), QUALITY, out);
    }
}

/// The token that says cards, behind the words for a printing, a rarity or a game of at most `longest` bytes
/// that follow a count: `6 Reverse Holo Cards`, `with 20 Pokemon cards`, `500+ Pokemon cards`.
fn cards_described(count: &Count<'_, '_>, units: &UnitWords<'_>, longest: u32) -> Option<usize> {
    let Count {
        context,
        tags,
        index,
        number,
        ..
    } = *count;
    let line = context.line;
    let plus = usize::from(count.after == "+");
    let from = line.tokens().get(index + 1 + plus)?.at;
    let in_front = index == 0 && (plus > 0 || context.gap(0) == " ");
    // `450-500 Pokemon cards`
    let range = || {
        context.before(index) == "-" && index > 0 && context.class(index - 1) == Some(Class::Digit)
    };
    let counts = || {
        in_front && (number <= MOST_IN_FRONT || number.is_multiple_of(ROUND_IN_FRONT))
            || (number.is_multiple_of(ROUND) || count.may_count_cards()) && !range()
            || begins_goods(line, index)
    };
    let of = |tag: Tag| match tag {
        Tag::Printing(_) | Tag::Rarity(_) => true,
        Tag::Game(_) => !is_year(number) && counts(),
        _ => false,
    };
    let words = ending(tags, from, from + longest).iter();
    words
        .filter(|t| t.at == from && of(t.tag))
        .map(|t| line.token_at(t.end as usize))
        .filter(|&cards| units.are_cards(cards))
        .max()
}

/// Whether the name of a set follows a count, in a title that names no card, and the word for cards
/// behind it, with the game between them or not: `60 Aquapolis Pokemon cards`, `45 Lost Origin cards`.
fn counts_cards_of_set(count: &Count<'_, '_>, units: &UnitWords<'_>) -> bool {
    let line = count.context.line;
    if !count.may_count_cards() {
        return false;
    }
    let cards = |end: u32| units.are_cards(line.token_at(end as usize));
    let of_game = |end: u32| {
        let next = line.tokens().get(line.token_at(end as usize));
        let is_game = |tag: &&Tagged| matches!(tag.tag, Tag::Game(_));
        let mut games = count.tags.iter().filter(is_game);
        next.is_some_and(|next| games.any(|tag| tag.at == next.at && cards(tag.end)))
    };
    let next = line.tokens().get(count.index + 1);
    let mut sets = count.hits.iter().filter(|hit| hit.means.set);
    next.is_some_and(|next| {
        sets.any(|set| set.at == next.at && (cards(set.end) || of_game(set.end)))
    })
}

/// Proposes a count before words that say how what is sold looks: `45 old cards`.
fn before_qualities(
    count: &Count<'_, '_>,
    units: &UnitWords<'_>,
    begins: &dyn Fn(u32) -> bool,
    out: &mut Vec<Proposal>,
) {
    let Count {
        context,
        index,
        number,
        before,
        ..
    } = *count;
    let qualities = (index + 1..).take_while(|&at| units.is_quality(at)).count();
    if number <= 1 || before == "/" || before == "#" || qualities == 0 {
        return;
    }
    let cards = index + 1 + qualities;
    if units.are_cards(cards) || units.are_copies(cards) {
        count.push(Field::Quantity, (index, cards), QUALITY, out);
    }
    // `2 identical Lugia`
    if index == 0 && COPIES_IN_FRONT.contains(&number) && begins_at(context, cards, begins) {
        count.push(Field::Quantity, (0, qualities), IN_BRACKETS, out);
    }
    // the number alone of `20 sealed packs`: the words are read as what is sold
    if units.are_products(cards) {
        count.push(Field::Quantity, (index, index), QUALITY, out);
    }
}

/// Proposes a count before the name of a card, most at the start of a title: `(4) Metapod 2/147`.
fn in_front(count: &Count<'_, '_>, begins: &dyn Fn(u32) -> bool, out: &mut Vec<Proposal>) {
    let Count {
        context,
        index,
        word,
        number,
        after,
        ..
    } = *count;
    let first = index == 0;
    let short = word.len() <= MOST_DIGITS_BESIDE_X && number > 1;
    // `(341)栄光の頌歌` is a shop's way to write a card's number
    let shop =
        || context.japanese && !context.gap(0).contains(' ') && word.len() == MOST_DIGITS_BESIDE_X;
    if first
        && short
        && context.before(0) == "("
        && context.gap(0).starts_with(')')
        && !shop()
        && !is_bracketed_number(context)
    {
        count.push(Field::Quantity, (index, index), IN_BRACKETS, out);
    }
    if first
        && (short && is_deck_line(context)
            || COPIES_IN_FRONT.contains(&number) && is_before_card(context))
        || count.before_name == Some(index) && COPIES_OF_DECK.contains(&number)
    {
        count.push(Field::Quantity, (index, index), IN_BRACKETS, out);
    }
    // `4 of Honedge`
    if first && COPIES_IN_FRONT.contains(&number) && after == OF && begins_at(context, 2, begins) {
        count.push(Field::Quantity, (0, 1), IN_BRACKETS, out);
    }
}

/// Proposes a count in letters: `two copies`, `pair of`, `三枚`; `begins` tells where a name or a grader
/// begins, before which the first word of a title may count: `two Crobat`, `a dozen Inkay`.
pub(crate) fn propose_spelt(
    context: &Context<'_>,
    index: usize,
    units: &UnitWords<'_>,
    begins: &dyn Fn(u32) -> bool,
    out: &mut Vec<Proposal>,
) {
    let first = || index == 0 || index == 1 && ARTICLES.contains(&context.word(0));
    let next = || context.line.tokens().get(index + 1).map(|token| token.at);
    // `PAR DE` is a code and a language, `par de` is a pair
    let code = || {
        let token = context.line.tokens().get(index);
        let capitals = |token: &Token| token.class == Class::Latin && context.is_upper(token);
        context.capitals_say_code() && token.is_some_and(capitals)
    };
    if let Some((number, last)) = units.spelt(index).filter(|_| !code()) {
        let tokens = (index, last);
        push_count(context, Field::Quantity, tokens, (number, QUALITY), out);
    } else if let Some(number) = units.in_letters(index)
        && let Some(words) = units.copies_of(index).filter(|words| *words > 0)
    {
        // `set of three`
        let tokens = (index - words, index);
        push_count(context, Field::Quantity, tokens, (number, QUALITY), out);
    } else if first()
        && let Some(number) = units.in_letters(index)
        && (index == 0 && is_before_card(context) || next().is_some_and(begins))
    {
        let tokens = (index, index);
        push_count(context, Field::Quantity, tokens, (number, IN_BRACKETS), out);
    }
}

/// Whether the first word stands before a card with number and total: `4 Spiritomb 116/192`, `Two
/// Jolteon 26/111`.
fn is_before_card(context: &Context<'_>) -> bool {
    let fraction = |at: usize| {
        context.class(at) == Some(Class::Digit)
            && context.word(at + 1) == "/"
            && context.class(at + 2) == Some(Class::Digit)
    };
    context.gap(0) == " "
        && context.class(1) == Some(Class::Latin)
        && (2..context.line.tokens().len()).any(fraction)
}

/// The token of digits that the title begins with, or has behind the word for its game, if the name
/// of a card or its code follows, and they are no collector number: all numbers of its game begin with
/// the code of a set (`3 Effect Veiler Yugioh`), or no card of the name has this one (`3 Powder Keg Urza's
/// Destiny`, `MTG 4 Vapor Snares`).
pub(crate) fn before_name(
    reference: &Reference<'_, '_>,
    context: &Context<'_>,
    (tags, hits): (&[Tagged], &[Hit]),
    stated: u32,
) -> Option<usize> {
    let tokens = context.line.tokens();
    let mut first = tokens.iter().take(2);
    let at = first.position(|token| token.class == Class::Digit)?;
    let [count, name, ..] = &tokens[at..] else {
        return None;
    };
    // `"4","2","Latch Seeker"`: of two counts the second is how many are for trade
    let cells = at == 0 && context.gap(0) == CELLS && context.gap(1) == CELLS;
    let second = tokens
        .get(2)
        .filter(|_| cells && name.class == Class::Digit);
    let name = second.unwrap_or(name);
    let behind_game = || {
        let first = (tokens[0].at, tokens[0].end);
        let game = |tag: &Tagged| matches!(tag.tag, Tag::Game(_)) && (tag.at, tag.end) == first;
        at == 0 || tags.iter().any(game)
    };
    let stats = reference.stats;
    let with_codes = || stats.games_of_folders(stats.codes);
    let coded = || stated != 0 && stated & !with_codes() == 0;
    let names = || {
        let at = |hit: &&Hit| hit.at == name.at && hit.whole && hit.means.name;
        hits.iter().filter(at)
    };
    let numbered = || {
        let catalogue = reference.catalogue;
        let digits = context.line.text(count.at as usize, count.end as usize);
        let number = catalogue.number(pack_number(digits));
        number.is_some_and(|number| names().any(|hit| hit.prints(catalogue, number, None)))
    };
    // `2 EB04-040 Flame Dragon Torch`, `3 RA05-EN081`: the code of a set, and digits
    let code = || {
        let of_game = |set: &SetRecord| set.game_bit() & with_codes() != 0;
        let of_games = |hit: &Hit| reference.catalogue.sets_named(hit.place).all(of_game);
        let of_set = |hit: &Hit| {
            let behind = context.line.token_at(hit.end as usize);
            let digits = |at: usize| context.class(at) == Some(Class::Digit);
            let region = tokens.get(behind).is_some_and(|token| {
                token.class == Class::Latin && token.end - token.at == LETTERS_OF_REGION
            });
            hit.at == name.at
                && hit.means.set
                && (digits(behind) || region && digits(behind + 1))
                && (coded() || stated == 0 && of_games(hit))
        };
        hits.iter().any(of_set)
    };
    // `2 YuGiOh - Phantom Rage: Joyous Melffys - PHRA-EN044`
    let order = || {
        let game = |tag: &&Tagged| matches!(tag.tag, Tag::Game(_)) && tag.at == name.at;
        let ends = |tag: &Tagged| context.before(context.line.token_at(tag.end as usize)) == " - ";
        at == 0 && tags.iter().filter(game).any(ends)
    };
    // `4,Appletun,Evolving Skies,121/203`: columns of a table that has the number in another
    let column = || {
        let fraction = |at: usize| context.word(at) == "/" && context.glued_before(at).is_some();
        at == 0 && matches!(context.gap(0), "," | ";") && (2..tokens.len()).any(fraction)
    };
    let named = || names().next().is_some();
    let before = matches!(context.gap(at), " " | ";" | CELLS)
        && behind_game()
        && (code() || order() || named() && (coded() || !numbered()));
    (before || column() && named()).then_some(at)
}

/// Whether the title is a line of a deck list, which ends with the code of a set and a number, and the
/// mark of a foil: `4 Oricorio PAF 113`, `3 Nico Robin OP01-017`, `2 Opt (M21) 59 *F*`.
fn is_deck_line(context: &Context<'_>) -> bool {
    let line = context.line;
    let all = line.tokens();
    let foil = context.before(all.len()).starts_with('*');
    let [_, .., before, code, number] = &all[..all.len() - usize::from(foil)] else {
        return false;
    };
    // `OP01`
    let digits = code.class == Class::Digit && code.glued;
    let code = if digits { before } else { code };
    number.class == Class::Digit
        && code.class == Class::Latin
        && !context.shouting
        && context.is_upper(code)
        && context.class(1) == Some(Class::Latin)
        && context.gap(0) == " "
}

/// Whether the `x` before a number ends the name of a card: `リザードンX 500円`, `リザードンX400`.
fn is_behind_name_with_x(
    context: &Context<'_>,
    (index, number): (usize, u32),
    units: &UnitWords<'_>,
) -> bool {
    let kana = context.glued_before(index - 1) == Some(Class::Katakana);
    kana && (number > MOST_BEHIND_NAME || units.is_price(index + 1))
}

/// Whether token `index`, behind an `x`, measures: `63x88`, `63 x 88 mm`; but `048/193x4` are copies.
fn is_measure(context: &Context<'_>, index: usize) -> bool {
    let glued = |at: usize| context.line.tokens().get(at).is_some_and(|t| t.glued);
    let digits = index >= 2 && context.class(index - 2) == Some(Class::Digit);
    let total = || index >= 3 && context.word(index - 3) == "/";
    let between = || glued(index) && glued(index - 1) && !total();
    digits && (between() || LENGTHS.contains(&context.word(index + 1)))
}

/// Whether letters with digits, the code of a set, stand before token `index`.
fn is_behind_code(context: &Context<'_>, index: usize) -> bool {
    let code = index.checked_sub(1);
    code.is_some_and(|code| {
        context.class(code) == Some(Class::Digit)
            && context.glued_before(code) == Some(Class::Latin)
    })
}

/// Writes a count that was chosen; the first of a title counts, but for what is given with a card,
/// or the one of all.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, count: u32) {
    let line = writer.readings.context.line;
    let text = line.text(proposal.at as usize, proposal.end as usize);
    if TOTALS_OF_COPIES.iter().any(|total| text.starts_with(total)) {
        writer.parsed.quantity = Some(count);
    } else if !is_given(line, proposal.at) {
        writer.parsed.quantity.get_or_insert(count);
    }
}
