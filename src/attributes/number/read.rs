//! Text → [`NumberReading`]s.

use super::shape::{self, Shape};
use super::{NumberKind, NumberReading, is_printed, known_pair, named_pair, unscanned_byte};
use crate::attributes::hit::Hit;
use crate::attributes::units::{Numbered, UnitWords};
use crate::attributes::{language, rarity};
use crate::catalogue::format::{SetRecord, U24, pack_number, set_flag};
use crate::catalogue::{AliasKind, Columns, EntryKind};
use crate::dictionary::{Game, GameKind, Tag, Tagged};
use crate::normalise::UPPER;
use crate::reading::context::{Context, ending, spanning};
use crate::reference::Reference;
use crate::token::Class;
use std::ops::Range;

/// More than any honest title has.
const MAX_NUMBERS: usize = 48;

/// The digits of a number that follows the code of a set: `SVP085`, `OBF 223`.
const DIGITS_BEHIND_CODE: usize = 3;
/// No set has so many cards that its total has so many digits.
const DIGITS_OF_THOUSANDS: usize = 4;
/// A word in capitals of at least this many letters may be the code of a set.
const LETTERS_OF_CODE: usize = 3;
/// A word for a promo has at least this many bytes; shorter ones are marks of a rarity.
const LETTERS_OF_PROMO: usize = 5;
/// The least letters of a number in which letters may stand for digits: `SMl58`.
const LETTERS_OF_MENDED: usize = 2;
/// The most digits of a number without any mark.
const DIGITS_ALONE: u32 = 3;
/// The total of a verdict.
const OF_TEN: &str = "10";
/// `#2021` and more digits are a year or an auction's number.
const DIGITS_BEHIND_HASH: usize = 3;

/// The kind of packs that a shop puts together, of which a fraction is a chance.
const REPACK: &str = "repack";

/// What the words of the title say of its numbers.
struct Said<'t> {
    context: &'t Context<'t>,
    units: &'t UnitWords<'t>,
    /// Words of the dictionary, in the order of their ends.
    tags: &'t [Tagged],
    /// Names and sets.
    hits: &'t [Hit],
    /// The games of the catalogue that the title names, a bit each.
    stated: u32,
    reference: &'t Reference<'t, 't>,
    /// The title says Japanese, or is in Japanese.
    japanese: bool,
    /// The title says promo.
    promo: bool,
    /// The token of a verdict out of ten.
    verdict: Option<usize>,
}

impl Said<'_> {
    /// Whether token `index` is a word for a game.
    fn is_game(&self, index: usize) -> bool {
        let token = self.context.line.tokens()[index];
        let mut tags = spanning(self.tags, token.at, token.end);
        tags.any(|tag| matches!(tag.tag, Tag::Game(_)))
    }

    /// Whether a word for a promo ends at byte `at` of the key.
    fn promo_before(&self, at: u32) -> bool {
        let mut tags = ending(self.tags, at, at).iter();
        tags.any(|tag| is_promo(self.reference, tag))
    }

    /// Whether a word for packs of a shop's own ends before byte `start` of the folded text.
    fn repack_before(&self, start: usize) -> bool {
        let at = self.context.line.key_at(start) as u32;
        let kinds = &self.reference.dictionary.kinds;
        let mut tags = ending(self.tags, at, at).iter();
        tags.any(|tag| matches!(tag.tag, Tag::Kind(kind) if kinds[kind as usize].0 == REPACK))
    }

    /// Whether the title says a sealed product, and no subject.
    fn says_product_alone(&self) -> bool {
        let mut tags = self.tags.iter();
        tags.any(|tag| matches!(tag.tag, Tag::Sealed(_)))
            && !self.hits.iter().any(|hit| hit.means.subject && hit.whole)
    }

    /// Whether bytes `start..end` of the folded text end words that say nothing of a card: `Old School
    /// 93/94`.
    fn is_in_noise(&self, start: usize, end: usize) -> bool {
        let line = self.context.line;
        let (at, end) = (line.key_at(start) as u32, line.key_at(end) as u32);
        let mut tags = ending(self.tags, end, end).iter();
        tags.any(|tag| tag.tag == Tag::Noise && tag.at < at)
    }

    /// Whether bytes `start..end` of the folded text are a mark of names or a rarity.
    fn is_mark(&self, start: usize, end: usize) -> bool {
        let line = self.context.line;
        let (at, end) = (line.key_at(start) as u32, line.key_at(end) as u32);
        let mut tags = spanning(self.tags, at, end);
        tags.any(|tag| matches!(tag.tag, Tag::Affix(_) | Tag::Rarity(_)))
    }

    /// Whether bytes `start..end` of the folded text are a word for other goods: `PS4`.
    fn is_goods(&self, start: usize, end: usize) -> bool {
        let line = self.context.line;
        let (at, end) = (line.key_at(start) as u32, line.key_at(end) as u32);
        let games = &self.reference.dictionary.games;
        let mut tags = spanning(self.tags, at, end);
        tags.any(|tag| match tag.tag {
            Tag::Game(game) => games[game as usize].kind == GameKind::Goods,
            _ => false,
        })
    }

    /// The token that ends at byte `end` of the folded text.
    fn token_to(&self, end: usize) -> usize {
        let line = self.context.line;
        line.token_at(line.key_at(end - 1))
    }

    /// Whether the fraction whose first digits are token `index` numbers one of so many prints, is two
    /// years or a month of one, or a verdict.
    fn is_no_number(&self, index: usize) -> bool {
        self.is_of_prints(index)
            || self.is_season(index)
            || self.is_of_year(index)
            || self.verdict == Some(index)
    }

    /// The token of the digits that end at byte `end` of the folded text, with a total of ten behind
    /// them, if they are a verdict: the title names a card, and none that has this number: `Lightning
    /// Bolt M11 condition 9/10`.
    fn verdict(&self, end: usize) -> Option<usize> {
        const TEN: u32 = 10;
        let token = self.token_to(end);
        let number = self.context.word(token);
        let counts = number.parse().is_ok_and(|n: u32| (1..=TEN).contains(&n));
        let names = || self.hits.iter().any(|hit| hit.whole && hit.means.name);
        (counts && names() && !self.named_have(number, Some(OF_TEN))).then_some(token)
    }

    /// Whether a card of a name that the title has bears this number, and the total if one is given.
    fn named_have(&self, number: &str, total: Option<&str>) -> bool {
        let catalogue = self.reference.catalogue;
        let known = |text| catalogue.number(pack_number(text));
        let (number, of) = (known(number), total.and_then(known));
        number
            .filter(|_| total.is_none() || of.is_some())
            .is_some_and(|number| {
                let mut names = self.hits.iter().filter(|hit| hit.means.name);
                names.any(|hit| hit.prints(catalogue, number, of))
            })
    }

    /// Whether what stands behind `#` is a shop's: `INV-0392`, as no number with letters has so many
    /// digits; or `R112`, a letter and a number that no card of a name in the title has.
    fn is_stock_mark(&self, text: &str) -> bool {
        let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
        let names = || self.hits.iter().any(|hit| hit.means.name);
        let unknown = || names() && !self.named_have(text, None);
        text.bytes().any(|byte| byte.is_ascii_alphabetic())
            && (digits > MOST_BEHIND_LETTERS || digits + 1 == text.len() && unknown())
    }

    /// Whether the digits of token `index` are a year or a month, and a year follows, of which no card
    /// is: `1999/2000`, `12/2023`.
    fn is_of_year(&self, index: usize) -> bool {
        const MONTHS: std::ops::RangeInclusive<u8> = 1..=12;
        let context = self.context;
        let year = |index: usize| {
            let word = context.word(index);
            word.len() == 4 && is_year(word.as_bytes()) && word.bytes().all(|b| b.is_ascii_digit())
        };
        let month = || {
            context
                .word(index)
                .parse()
                .is_ok_and(|m| MONTHS.contains(&m))
        };
        context.word(index + 1) == "/"
            && year(index + 2)
            && (year(index) || month())
            && self
                .reference
                .catalogue
                .number(pack_number(context.word(index + 2)))
                .is_none()
    }

    /// Whether the digits of token `index` number one of so many prints: a word beside them says so,
    /// or one elsewhere and no card has the fraction: `Serialized Ragavan #448/500`.
    fn is_of_prints(&self, index: usize) -> bool {
        let context = self.context;
        let catalogue = self.reference.catalogue;
        let printed = || {
            let packed = |index: usize| pack_number(context.word(index));
            is_printed(catalogue, packed(index), packed(index + 2))
        };
        self.units.are_serial(index)
            || self.units.say_serialized() && context.word(index + 1) == "/" && !printed()
    }

    /// Whether the digits of token `index` begin a season of the nineties, in a title of games that
    /// have no such card: `Old School 93/94 MTG`.
    fn is_season(&self, index: usize) -> bool {
        const YEARS: std::ops::Range<u32> = 93..99;
        let context = self.context;
        if self.stated == 0 || context.word(index + 1) != "/" {
            return false;
        }
        let (year, next) = (context.word(index), context.word(index + 2));
        let begins = |year: u32| YEARS.contains(&year) && next.parse() == Ok(year + 1);
        year.parse().is_ok_and(begins) && !self.stated_have(year, next)
    }

    /// Whether a card of the games that the title names has this number and total.
    fn stated_have(&self, number: &str, total: &str) -> bool {
        let catalogue = self.reference.catalogue;
        let number = catalogue.number(pack_number(number));
        let pair = number.zip(catalogue.number(pack_number(total)));
        let cards = pair.map_or(&[][..], |(number, total)| {
            catalogue.cards_of_number_and_total(number, total)
        });
        let set = |card: &U24| catalogue.set_record(catalogue.card_record(card.get())?);
        let mut sets = cards.iter().filter_map(set);
        sets.any(|set| set.game_bit() & self.stated != 0)
    }

    /// Whether a set that the title names has a card with the number at bytes `number` of the folded
    /// text; if the digits are likelier a year, one of a name that the title names.
    fn set_has(&self, number: (usize, usize)) -> bool {
        let catalogue = self.reference.catalogue;
        let digits = &self.context.normalised.text()[number.0..number.1];
        let Some(number) = catalogue.number(pack_number(digits)) else {
            return false;
        };
        let has = |set: &SetRecord| {
            let mut cards = catalogue.cards_of_set_numbered(set, number).iter();
            cards.any(|card| !is_year(digits.as_bytes()) || self.names(card.get()))
        };
        // `M21 228p`: promos of a set bear letters behind its numbers
        let lettered = digits.ends_with(|c: char| c.is_ascii_lowercase());
        let in_promos = |set: &SetRecord| {
            let first = catalogue.card_record(set.first.get());
            let related =
                first.map_or(&[][..], |card| self.reference.stats.related(card.set.get()));
            let mut related = related.iter();
            related.any(|&set| catalogue.sets.get(set as usize).is_some_and(&has))
        };
        let mut sets = self.hits.iter().filter(|hit| hit.means.set && hit.whole);
        sets.any(|hit| {
            let mut named = catalogue.sets_named(hit.place);
            named.any(|set| has(set) || lettered && in_promos(set))
        })
    }

    /// Whether a token is a word for time, and does not begin the name of a set: `73 Stunde der
    /// Wächter`.
    fn is_time(&self, token: usize) -> bool {
        self.units.is_time(token) && !self.begins_set(token)
    }

    /// Whether a token begins the name of a set of several words.
    fn begins_set(&self, token: usize) -> bool {
        let token = self.context.line.tokens().get(token);
        token.is_some_and(|token| {
            let longer = |hit: &Hit| hit.at == token.at && hit.end > token.end && hit.means.set;
            self.hits.iter().any(longer)
        })
    }

    /// Whether the title names a card.
    fn names(&self, card: u32) -> bool {
        let catalogue = self.reference.catalogue;
        let card = catalogue.card_record(card);
        let core = card.and_then(|card| Some(catalogue.name_record(card)?.core.get()));
        let mut names = self.hits.iter().filter(|hit| hit.means.name);
        names.any(|hit| hit.cores(catalogue).any(|named| Some(named) == core))
    }

    /// The end of a number that ends at byte `end` of the folded text, without the first letter of a
    /// condition that is glued to it: `#65NM`.
    fn without_condition(&self, end: usize) -> usize {
        let bytes = self.context.normalised.text().as_bytes();
        let letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
        if !letter(end - 1) || !letter(end) {
            return end;
        }
        let at = self.context.line.key_at(end - 1) as u32;
        let condition = |tag: &Tagged| tag.at == at && matches!(tag.tag, Tag::Condition(_));
        if self.tags.iter().any(condition) {
            end - 1
        } else {
            end
        }
    }

    /// What bytes `start..end` of the folded text number, if a word beside them says so.
    fn numbered(&self, start: usize, end: usize) -> Option<Numbered> {
        let line = self.context.line;
        let token = |at: usize| line.token_at(line.key_at(at));
        self.units.numbers((token(start), token(end - 1)))
    }
}

/// Whether a tag is a word for a promo; letters such as `P` are marks of a rarity.
fn is_promo(reference: &Reference<'_, '_>, tag: &Tagged) -> bool {
    let long = (tag.end - tag.at) as usize >= LETTERS_OF_PROMO;
    long && matches!(tag.tag, Tag::Rarity(word) if rarity::is_promo(reference.dictionary, word))
}

/// Finds all number shapes. `grader_ends` holds the key positions at which a grader's name ends,
/// `tags` the words of the dictionary, `hits` those of the catalogue, `stated` the games of the
/// catalogue that they name.
pub(crate) fn read(
    reference: &Reference<'_, '_>,
    context: &Context<'_>,
    units: &UnitWords<'_>,
    (tags, hits, stated): (&[Tagged], &[Hit], u32),
    grader_ends: &[u32],
    out: &mut Vec<NumberReading>,
) {
    let catalogue = reference.catalogue;
    let says = |tag: &Tagged| matches!(tag.tag, Tag::Language(at) if language::is_japanese(&reference.dictionary.languages[at as usize]));
    let mut said = Said {
        context,
        units,
        tags,
        hits,
        stated,
        reference,
        japanese: context.japanese || tags.iter().any(says),
        promo: tags.iter().any(|tag| is_promo(reference, tag)),
        verdict: None,
    };
    if reference.stats.codes != 0 {
        codes(&said, out);
    }
    let text = context.normalised.text();
    let bytes = text.as_bytes();
    let mut from = 0;
    let mut judged = false;
    while from < text.len() && out.len() < MAX_NUMBERS {
        let Some((shape, start, end)) = shape::find(text, from) else {
            break;
        };
        from = end.max(start + 1);
        // the first of a title alone, for each asks all names
        if let Shape::Fraction { number, total } = shape
            && !judged
            && &text[total.0..total.1] == OF_TEN
        {
            judged = true;
            said.verdict = said.verdict(number.1);
        }
        match shape {
            // `OP11-018/OP11-114`
            Shape::Fraction { number, total }
                if in_code(out, number.0) && in_code(out, total.0) =>
            {
                from = end.max(total.1);
            }
            Shape::Fraction { number, total } if said.is_no_number(said.token_to(number.1)) => {
                from = number.1.max(total.1);
            }
            Shape::Fraction { number, total } => {
                if let Some(reading) = fraction(&said, number, total, grader_ends) {
                    out.push(reading);
                    out.extend(turned(catalogue, &reading));
                } else {
                    // the part before the slash may still be a number with letters
                    from = number.1;
                    if let Some(reading) = prefixed(catalogue, &said, number) {
                        out.push(reading);
                    }
                }
            }
            // `#10 of 99`
            Shape::Hash { number } if matches!(shape::find(text, number.0), Some((Shape::Of { .. }, at, _)) if at == number.0) =>
            {
                from = number.0;
            }
            Shape::Hash { number } => {
                // `#EB01-007` is read as a code
                if in_code(out, number.0) {
                    continue;
                }
                let number = (number.0, with_ending(catalogue, text, number));
                let number = (number.0, said.without_condition(number.1));
                if said.is_stock_mark(&text[number.0..number.1]) {
                    continue;
                }
                let long = text[number.0..number.1].len() > DIGITS_BEHIND_HASH
                    && text[number.0..number.1].bytes().all(|b| b.is_ascii_digit());
                if open_right(bytes, number.1) && (!long || said.set_has(number)) {
                    let kind = match said.numbered(start, number.1) {
                        None => NumberKind::Hash,
                        Some(Numbered::Subject) => NumberKind::Subject,
                        Some(Numbered::Goods) => continue,
                    };
                    let mut reading = reading(context, kind, number, None);
                    reading.at = context.line.key_at(start) as u32;
                    out.push(reading);
                }
            }
            Shape::Of { number, total } => {
                // `listing 3 of 20`
                let listed = said.numbered(number.0, total.1) == Some(Numbered::Goods);
                if !listed && open_left(bytes, number.0) && open_right(bytes, total.1) {
                    let mut reading = reading(context, NumberKind::Fraction, number, Some(total));
                    reading.total_known = catalogue.number(reading.total).is_some();
                    out.push(reading);
                }
            }
            // `OP 10-075` is read as a code
            Shape::Dashed { number, .. } if in_code(out, number.0) => {}
            // `016-100`, of a card of that name
            Shape::Dashed { number, total } => {
                let open = open_left(bytes, number.0) && !behind_dash(bytes, number.0);
                let reading = reading(context, NumberKind::Fraction, number, Some(total));
                if open && ends_word(text, total.1) && named_pair(catalogue, hits, &reading) {
                    out.push(NumberReading {
                        total_known: true,
                        ..reading
                    });
                } else {
                    from = number.1;
                }
            }
            Shape::Subject { number } => {
                if bytes.get(number.1) == Some(&b'/') {
                    // `Nr. 23/102`
                    from = number.0;
                } else if open_left(bytes, start) && open_right(bytes, number.1) {
                    // `item no. 5521`
                    if said.numbered(start, number.1) == Some(Numbered::Goods) {
                        continue;
                    }
                    let mut reading = reading(context, NumberKind::Subject, number, None);
                    reading.at = context.line.key_at(start) as u32;
                    out.push(reading);
                } else if !open_left(bytes, start) {
                    from = start + 1;
                }
            }
            Shape::Letter { number, total } => {
                // the Unown of one set are numbered by letters
                let mut reading = reading(context, NumberKind::Fraction, number, Some(total));
                reading.total_known = true;
                if known_pair(catalogue, &reading)
                    && open_left(bytes, number.0)
                    && open_right(bytes, total.1)
                {
                    out.push(reading);
                } else {
                    from = number.1;
                }
            }
            Shape::Total { total } => {
                let mut reading =
                    reading(context, NumberKind::Total, (total.0, total.0), Some(total));
                (reading.number, reading.digits, reading.at) =
                    (0, 0, context.line.key_at(start) as u32);
                reading.total_known = catalogue.number(reading.total).is_some();
                out.push(reading);
            }
            Shape::Prefixed { number } => match prefixed(catalogue, &said, number) {
                Some(reading) => out.push(reading),
                // `holo4/102`, `mew#4`: letters that belong to no number hide one
                None => {
                    from = text[number.0..]
                        .find(|c: char| c.is_ascii_digit() || c == '#')
                        .map_or(end, |digit| number.0 + digit.max(1))
                }
            },
        }
    }
    scanned(catalogue, context, out);
    bare(&said, out);
}

/// `OP01-025`, `LOB-EN001`: numbers with the code of a set, of the games that the catalogue holds.
fn codes(said: &Said<'_>, out: &mut Vec<NumberReading>) {
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
            if let Some((letters, _)) = language_of_code(reference, code, games) {
                // no other game's numbers say the language
                let (before, behind) = (&code[..letters.start], &code[letters.end..]);
                let number: Short = Short::of([before, behind]);
                found.number = recoded(reference, (&code[..letters.end], behind), games)
                    .or_else(|| with_prefix(reference, number.text(), games))
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
                if unknown && (!ours() || begins_set(said, (at, end))) {
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
}

/// `LDD-F056`: the number of the catalogue for that of a print of one language whose code, up to the
/// letters of the language, is another than its set's: `LOB-056`.
fn recoded(reference: &Reference<'_, '_>, (code, number): (&str, &str), games: u32) -> Option<u64> {
    let sets = folders_of(reference, games).flat_map(|game| game.sets_of_code(code));
    let mut numbers = sets.map(|set| pack_code(Short::of([set, number]).text()));
    numbers.find(|&number| reference.catalogue.number(number).is_some())
}

/// `KP01-JP001`: the number of the catalogue that begins with what the title leaves out, `RD/`, where
/// it has none that begins as the code does.
fn with_prefix(reference: &Reference<'_, '_>, code: &str, games: u32) -> Option<u64> {
    if is_known(reference.catalogue, code) {
        return None;
    }
    let prefixes = folders_of(reference, games).flat_map(|game| &game.code_prefixes);
    let mut numbers = prefixes.map(|prefix| pack_code(Short::of([prefix.as_str(), code]).text()));
    numbers.find(|&number| reference.catalogue.number(number).is_some())
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

/// The first letters of a code, which are the set's: in none of them a letter stands for a digit.
const LETTERS_OF_SET: usize = 2;

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

/// Whether no letter or digit stands at byte `end`.
fn ends_word(text: &str, end: usize) -> bool {
    let behind = text.as_bytes().get(end);
    !behind.is_some_and(u8::is_ascii_alphanumeric)
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

/// Whether one of the codes that were read covers byte `at` of the folded text.
fn in_code(readings: &[NumberReading], at: usize) -> bool {
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

/// How many letters say the language of a code without a dash, the likeliest first.
const LANGUAGE: [usize; 2] = [2, 1];

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

/// A number rewritten in a buffer of its own.
type Short = crate::short::Short<LONGEST>;

/// No shape has a longer number or total, and longer codes are not read: of the games that are built
/// in the longest has 13 bytes, and a dash may be added.
const LONGEST: usize = 16;

/// `102/15` for `15/102`: the total stands first, if some card has the pair the other way round.
fn turned(catalogue: &Columns<'_>, reading: &NumberReading) -> Option<NumberReading> {
    let turned = NumberReading {
        number: reading.total,
        total: reading.number,
        number_at: reading.total_at,
        total_at: reading.number_at,
        digits: reading.total_digits,
        total_digits: reading.digits,
        total_known: true,
        turned: true,
        ..*reading
    };
    let possible = turned.digits < turned.total_digits && turned.digits > 0;
    (possible && known_pair(catalogue, &turned)).then_some(turned)
}

/// `4/1O2`, `2/l02`: letters for digits; `28_159`: what a file's name has for a slash; if some card
/// has the number and total that are meant.
fn scanned(catalogue: &Columns<'_>, context: &Context<'_>, out: &mut Vec<NumberReading>) {
    let text = context.normalised.text();
    let bytes = text.as_bytes();
    let like = |b: &u8| b.is_ascii_digit() || matches!(b, b'o' | b'i' | b'l');
    let marks = context
        .line
        .tokens()
        .iter()
        .filter(|token| token.class == Class::Mark);
    let slashes = marks
        .map(|mark| mark.norm as usize)
        .filter(|&at| bytes.get(at) == Some(&b'/'));
    let lines = text.match_indices('_').map(|(at, _)| at);
    for slash in slashes.chain(lines) {
        let from = slash - bytes[..slash].iter().rev().take_while(|b| like(b)).count();
        let to = slash + 1 + bytes[slash + 1..].iter().take_while(|b| like(b)).count();
        let part = &text[from..to];
        let (letters, digits) = (
            part.bytes().any(|b| b.is_ascii_alphabetic()),
            part.bytes().filter(u8::is_ascii_digit).count(),
        );
        let short = slash - from > 3 || to - slash > 4 || slash == from || to - slash < 3;
        if !letters && bytes[slash] == b'/'
            || digits < 2
            || short
            || out.len() >= MAX_NUMBERS
            || !open_left(bytes, from)
            || bytes.get(to).is_some_and(u8::is_ascii_alphanumeric)
        {
            continue;
        }
        let mut found = reading(
            context,
            NumberKind::Fraction,
            (from, slash),
            Some((slash + 1, to)),
        );
        found.total_known = true;
        // `I/28` is an Unown's
        if bytes[slash] == b'/' && known_pair(catalogue, &found) {
            continue;
        }
        let meant =
            |part: &str| pack_number(part.bytes().map(unscanned_byte).collect::<Short>().text());
        (found.number, found.total) = (meant(&text[from..slash]), meant(&text[slash + 1..to]));
        found.scanned = true;
        if known_pair(catalogue, &found) {
            // `23l/091` is no 23 with a letter behind it
            out.retain(|n| {
                n.kind != NumberKind::Fraction || n.end <= found.at || found.end <= n.at
            });
            out.push(found);
        }
    }
}

/// Whether byte `at` is not preceded by anything that would continue a number. A point behind a
/// letter ends a word: `n.078/198`.
fn open_left(bytes: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| bytes.get(at));
    match before(1) {
        Some(b'.') => before(2).is_some_and(u8::is_ascii_alphabetic),
        before => before.is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'/'),
    }
}

/// Whether a count of copies stands right before token `index`: `4xBT12-031`.
fn is_multiplied(context: &Context<'_>, index: usize) -> bool {
    index > 1 && context.word(index - 1) == "x" && context.class(index - 2) == Some(Class::Digit)
}

/// Whether byte `at` follows a dash that joins it to a letter or digit: the `P` of `XY-P 213`.
fn behind_dash(bytes: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| bytes.get(at));
    before(1) == Some(&b'-') && before(2).is_some_and(u8::is_ascii_alphanumeric)
}

/// Whether byte `at` does not continue a number.
fn open_right(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        None => true,
        Some(b'/' | b'.' | b',' | b'%') => {
            !bytes.get(at + 1).is_some_and(u8::is_ascii_digit) && bytes.get(at) != Some(&b'%')
        }
        Some(b) => !b.is_ascii_digit(),
    }
}

fn reading(
    context: &Context<'_>,
    kind: NumberKind,
    number: (usize, usize),
    total: Option<(usize, usize)>,
) -> NumberReading {
    let text = context.normalised.text();
    let space = text.as_bytes()[number.0..number.1].first() == Some(&b' ');
    let number = (number.0 + usize::from(space), number.1);
    let packed = |(from, to): (usize, usize)| pack_undashed(&text[from..to]);
    let digits = |(from, to): (usize, usize)| {
        let bytes = text[from..to].bytes().filter(u8::is_ascii_digit);
        bytes.fold(0u16, |n, b| {
            n.saturating_mul(10).saturating_add(u16::from(b - b'0'))
        })
    };
    let end = total.map_or(number.1, |t| t.1);
    NumberReading {
        kind,
        number: packed(number),
        total: total.map_or(0, |(from, to)| pack_number(&text[from..to])),
        number_at: (number.0 as u32, number.1 as u32),
        total_at: total.map_or((0, 0), |t| (t.0 as u32, t.1 as u32)),
        at: context.line.key_at(number.0) as u32,
        end: context.line.key_at(end) as u32,
        digits: digits(number),
        total_digits: total.map_or(0, digits),
        total_known: false,
        scanned: false,
        turned: false,
        coded: false,
        games: u32::MAX,
        patterns: 0,
        of_stated: false,
    }
}

/// `4/102`, `TG12/TG30`, `098/SV-P`; not dates, not grades out of ten.
fn fraction(
    said: &Said<'_>,
    mut number: (usize, usize),
    total: (usize, usize),
    grader_ends: &[u32],
) -> Option<NumberReading> {
    let (context, catalogue) = (said.context, said.reference.catalogue);
    let text = context.normalised.text();
    let bytes = text.as_bytes();
    if bytes.get(total.1) == Some(&b'/') && bytes.get(total.1 + 1).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    // `2500/2100`: attack and defence
    let thousands = |(from, to): (usize, usize)| {
        to - from == DIGITS_OF_THOUSANDS && bytes[from..to].iter().all(u8::is_ascii_digit)
    };
    if thousands(number) && thousands(total) {
        return None;
    }
    if said.is_in_noise(number.0, total.1) {
        return None;
    }
    // `1/50口`, `オリパ 1/50`: odds
    if text[total.1..].starts_with('口') || said.repack_before(number.0) {
        return None;
    }
    if !open_right(bytes, total.1)
        || bytes.get(total.1).is_some_and(u8::is_ascii_alphabetic)
            && text[total.0..total.1]
                .bytes()
                .any(|b| b.is_ascii_alphabetic())
    {
        return None;
    }
    let coded = behind_code(said, number, total);
    number.0 = coded.unwrap_or(number.0);
    // letters that form no number of the catalogue precede it by chance: `holo 4/102`,
    // `psa10 4/102`
    let letters = text[number.0..number.1]
        .bytes()
        .take_while(|b| !b.is_ascii_digit())
        .count();
    if coded.is_some() {
        // what stands before it is the code of a set
    } else if letters > 0 {
        let joined: Short = text[number.0..number.1]
            .bytes()
            .filter(|byte| !matches!(byte, b'-' | b' '))
            .collect();
        let joined = joined.text();
        let spaced = joined.len() < number.1 - number.0;
        let prefix = &joined[..joined.bytes().take_while(u8::is_ascii_alphabetic).count()];
        let same = text[total.0..total.1].starts_with(prefix);
        let known = catalogue.number(pack_number(joined)).is_some();
        // `TG38/TG30`, which no card has, is no number 38
        let series = same
            && catalogue
                .number(pack_number(&text[total.0..total.1]))
                .is_some();
        let printed = |total: &str| is_printed(catalogue, pack_number(joined), pack_number(total));
        // `TG 15 / 30`, of `TG30`
        let total_of_series = || {
            let total: Short = prefix
                .bytes()
                .chain(text[total.0..total.1].bytes())
                .collect();
            printed(total.text())
        };
        // `ガブリアスex006/165`: a mark of the name, if no card has it before these numbers
        let glued = || {
            !spaced
                && (!said.is_mark(number.0, number.0 + letters) || printed(&text[total.0..total.1]))
        };
        let belongs = series || known && (same || glued() || total_of_series());
        if !open_left(bytes, number.0) || !belongs {
            number.0 += letters;
            if number.0 > 0 && bytes[number.0 - 1].is_ascii_digit() {
                return None;
            }
        }
    } else if !open_left(bytes, number.0)
        && !bytes
            .get(number.0.wrapping_sub(1))
            .is_some_and(u8::is_ascii_alphabetic)
    {
        return None;
    }
    // a letter after the number belongs to it only if the catalogue has such a number
    if bytes[number.1 - 1].is_ascii_alphabetic()
        && catalogue
            .number(pack_number(&text[number.0..number.1]))
            .is_none()
    {
        number.1 -= 1;
    }
    let mut found = reading(context, NumberKind::Fraction, number, Some(total));
    let written = &text[total.0..total.1];
    found.total_known = catalogue.number(found.total).is_some();
    if !found.total_known && written.len() >= 2 && written.ends_with('p') && !written.contains('-')
    {
        // `098/SVP` or `098/SV P` for `098/SV-P`
        let dashed = pack_number(
            written
                .bytes()
                .take(written.len() - 1)
                .filter(|byte| *byte != b' ')
                .chain(*b"-p")
                .collect::<Short>()
                .text(),
        );
        if catalogue.number(dashed).is_some() {
            (found.total, found.total_known) = (dashed, true);
        }
    }
    let letters = |b: u8| b.is_ascii_alphabetic() || b == b' ';
    if (written.bytes().all(letters) || written.contains(' ')) && !found.total_known {
        return None;
    }
    // a score of TAG, or one of so many prints
    if found.total_digits == THOUSAND {
        return None;
    }
    // `24/48h`; but `097/069 HR` is a rarity, and `47/145 Stunde der Wächter` a set
    let behind = context.line.token_at(found.end as usize);
    let short = |(at, end): (u32, u32)| end - at <= DIGITS_OF_TIME;
    if short(found.number_at) && short(found.total_at) && said.is_time(behind) {
        return None;
    }
    // `PSA 9/10` is a range, `SGC 98/10` an old scale
    if grader_ends.contains(&found.at) && found.total == pack_number("10") {
        return None;
    }
    Some(found)
}

/// `s12113/098`: where a number begins behind the code of a set that ends in digits, if the set has
/// such a card.
fn behind_code(said: &Said<'_>, number: (usize, usize), total: (usize, usize)) -> Option<usize> {
    let end = number.1;
    // a digit at least is of the code
    if end - number.0 <= DIGITS_BEHIND_CODE {
        return None;
    }
    let text = said.context.normalised.text();
    let catalogue = said.reference.catalogue;
    let at = end.checked_sub(DIGITS_BEHIND_CODE)?;
    let before = text.get(..at)?.bytes().rev();
    let code = before.take_while(u8::is_ascii_alphanumeric).count();
    let (code, own) = (text.get(at - code..at)?, text.get(at..end)?);
    let letters = code.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if letters == 0 || letters == code.len() || !digits(&code[letters..]) || !digits(own) {
        return None;
    }
    let place = catalogue.lexicon().get(code.as_bytes())?;
    let (number, total) = (
        catalogue.number(pack_number(own))?,
        catalogue.number(pack_number(&text[total.0..total.1]))?,
    );
    let mut sets = catalogue.sets_named(place);
    let printed = |set: &SetRecord| {
        let cards = catalogue.cards_of_set_numbered(set, number).iter();
        let mut cards = cards.filter_map(|card| catalogue.card_record(card.get()));
        cards.any(|card| card.total.get() == total)
    };
    sets.any(printed).then_some(at)
}

/// `SWSH020`, `TG12`, `H12`: letters and digits that the catalogue has as a number.
fn prefixed(
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
        } else if number.1
            - number.0
            - letters
            - usize::from(!bytes[number.0 + letters].is_ascii_digit())
            == DIGITS_BEHIND_CODE
            && (set_code(catalogue, context, (number.0, number.0 + letters))
                || !spaced && promo_code(catalogue, &text[number.0..number.0 + letters]))
        {
            // `SVP085`, `OBF 223`: the code of a set, and a number
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
    let place = if upper && key.len() >= LETTERS_OF_CODE {
        catalogue.lexicon().get(key.as_bytes())
    } else {
        None
    };
    place.is_some_and(|p| {
        catalogue.entries(p).any(|e| {
            e.kind() == EntryKind::Set
                && matches!(AliasKind::from_number(e.quality()), AliasKind::Code)
        })
    })
}

/// Whether letters, small or not, are the code of a set of promos: `svp126`.
fn promo_code(catalogue: &Columns<'_>, letters: &str) -> bool {
    let place = Some(letters.as_bytes())
        .filter(|letters| letters.len() >= LETTERS_OF_CODE)
        .and_then(|letters| catalogue.lexicon().get(letters));
    let mut sets = place
        .into_iter()
        .flat_map(|place| catalogue.sets_named(place));
    sets.any(|set| set.flags & set_flag::PROMO != 0)
}

/// `S-P147` for `147/S-P`: digits behind the series of a promo, if cards print it as their total.
fn behind_series(said: &Said<'_>, digits: (usize, usize)) -> Option<NumberReading> {
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

/// Whether a token is what stands behind the point of a price: `.99`.
fn is_cents(context: &Context<'_>, token: usize) -> bool {
    let before = context.before(token);
    let point = before.strip_suffix('.');
    point.is_some_and(|rest| rest.is_empty() || rest.ends_with([' ', '$', '£', '€']))
}

/// Whether more digits stand behind a point at byte `end`, as in a date: `25.12.2023`.
fn is_dotted(context: &Context<'_>, end: usize) -> bool {
    let behind = &context.normalised.text().as_bytes()[end..];
    behind.first() == Some(&b'.') && behind.get(1).is_some_and(u8::is_ascii_digit)
}

/// Whether a token is a part of a price with a comma before its hundreds: `18%1,110`.
fn of_thousands(context: &Context<'_>, token: usize) -> bool {
    let text = context.normalised.text().as_bytes();
    let beside = context.line.tokens().get(token).is_some_and(|t| {
        let before = (t.norm as usize).checked_sub(1);
        text.get(t.norm_end as usize) == Some(&b',')
            || before.is_some_and(|at| text.get(at) == Some(&b','))
    });
    if !beside {
        return false;
    }
    let comma = |left: usize| {
        let (thousands, rest) = (context.word(left), context.word(left + 1));
        context.gap(left) == ","
            && context.class(left) == Some(Class::Digit)
            && context.class(left + 1) == Some(Class::Digit)
            && (1..=2).contains(&thousands.len())
            && !thousands.starts_with('0')
            && rest.len() == 3
            && context.gap(left + 1) != ","
    };
    comma(token) || token > 0 && comma(token - 1)
}

/// The most digits of a number that begins with letters.
const MOST_BEHIND_LETTERS: usize = 3;

/// Whether a token is a part of a time of day: `7:00`.
fn of_clock(context: &Context<'_>, token: usize) -> bool {
    let colon = |left: usize| {
        let digits = |token| context.class(token) == Some(Class::Digit);
        context.gap(left) == ":" && digits(left) && digits(left + 1)
    };
    colon(token) || token > 0 && colon(token - 1)
}

/// No set has so many cards: what is of so many is a score, or a serial number.
const THOUSAND: u16 = 1000;

/// Whether a token is the first number of `964/1000`.
fn of_thousand(context: &Context<'_>, token: usize) -> bool {
    let number = || context.word(token + 2).parse().unwrap_or(0);
    context.word(token + 1) == "/" && number() == THOUSAND
}

/// The most digits of a day, a month or a count of hours.
const DIGITS_OF_TIME: u32 = 2;

/// Whether four digits are likelier a year than the number of a card.
fn is_year(digits: &[u8]) -> bool {
    digits.starts_with(b"19") || digits.starts_with(b"20")
}

/// Whether the title begins with digits in brackets that are no count: `(195) Blitzle`, `(021) Houndoom`.
#[inline(never)]
pub(crate) fn is_bracketed_number(context: &Context<'_>) -> bool {
    const MOST_COPIES: u32 = 60;
    let word = context.word(0);
    let no_count = || word.parse().is_ok_and(|count: u32| count > MOST_COPIES);
    context.before(0).ends_with('(')
        && context.gap(0).starts_with(')')
        && (word.starts_with('0') || no_count())
}

/// Digits that no other shape has taken: `POKEMON GAME 4 CHARIZARD`.
fn bare(said: &Said<'_>, out: &mut Vec<NumberReading>) {
    let context = said.context;
    let taken = out.len();
    for (index, token) in context.line.tokens().iter().enumerate() {
        if out.len() >= MAX_NUMBERS {
            break;
        }
        if token.class != Class::Digit {
            continue;
        }
        let len = token.end - token.at;
        let word = context.word(index).as_bytes();
        let digits = (token.norm as usize, token.norm_end as usize);
        // `SLD 2311`: sets of many products
        let of_set = len == DIGITS_ALONE + 1 && said.set_has(digits);
        if len > DIGITS_ALONE + u32::from(word.first() == Some(&b'0') || of_set)
            || word.contains(&b'.')
            || is_cents(context, index)
            || is_dotted(context, token.norm_end as usize)
            || of_thousands(context, index)
        {
            continue;
        }
        if out[..taken]
            .iter()
            .any(|n| n.kind != NumberKind::Prefixed && n.at < token.end && token.at < n.end)
        {
            continue;
        }
        let end = || with_ending(said.reference.catalogue, context.normalised.text(), digits);
        // `PSTX 140p`: a number of the set that is named, and no measure
        let of_named_set = || {
            let end = end();
            end > digits.1 && said.set_has((digits.0, end))
        };
        // the fraction's first number, or its last
        let behind_slash = index > 1 && context.word(index - 1) == "/";
        let first = if behind_slash { index - 2 } else { index };
        if said.is_no_number(first)
            // `191 Hour of Devastation`
            || said.units.around(index)
                && !of_named_set()
                && !(said.units.is_price(index + 1) && said.begins_set(index + 1))
            // `9/5発売`
            || len <= DIGITS_OF_TIME
                && context.word(index + 2).len() <= DIGITS_OF_TIME as usize
                && context.word(index + 1) == "/"
                && said.is_time(index + 3)
            || of_thousand(context, index)
            || of_clock(context, index)
        {
            continue;
        }
        if index > 0 && token.glued && matches!(context.class(index - 1), Some(Class::Latin)) {
            out.extend(behind_series(
                said,
                (token.norm as usize, token.norm_end as usize),
            ));
            continue;
        }
        // `Black Star Promo 26`: digits behind the word are the promo's number
        // `イーブイ【P】{173}`: shops write numbers in braces
        let behind = context.normalised.text().get(token.norm_end as usize..);
        let braces = || {
            context.before(index).ends_with('{') && behind.is_some_and(|text| text.starts_with('}'))
        };
        // `062番`
        let counted = || word.len() == 3 && context.word(index + 1) == "番";
        let brackets = || index == 0 && is_bracketed_number(context);
        let kind = if of_set || said.promo_before(token.at) || braces() || counted() || brackets() {
            NumberKind::Hash
        } else if said.units.numbers((index, index)) == Some(Numbered::Subject) {
            NumberKind::Subject
        } else {
            NumberKind::Bare
        };
        out.push(reading(context, kind, (digits.0, end()), None));
    }
}

/// The end of a number with the letters or the mark that follow it, if the catalogue has such a
/// number: `45a`, `236★`, `288†`, `236s★`.
fn with_ending(catalogue: &Columns<'_>, text: &str, number: (usize, usize)) -> usize {
    let behind = text.get(number.1..).unwrap_or("");
    let part = |c: &char| c.is_ascii_lowercase() || matches!(c, '★' | '☆' | '†');
    let mut end = number.1;
    let mut longest = end;
    for c in behind.chars().take_while(part) {
        end += c.len_utf8();
        if end - number.0 >= LONGEST {
            break;
        }
        let word = |c: char| c.is_ascii_alphanumeric();
        let closed = !c.is_ascii_lowercase() || !text[end..].starts_with(word);
        let packed = || pack_number(&text[number.0..end]);
        if closed && catalogue.number(packed()).is_some() {
            longest = end;
        }
    }
    longest
}

/// A number as the catalogue packs it, without dashes, since sellers put them anywhere.
fn pack_undashed(text: &str) -> u64 {
    if text.as_bytes().contains(&b'-') {
        pack_number(
            text.bytes()
                .filter(|byte| *byte != b'-')
                .collect::<Short>()
                .text(),
        )
    } else {
        pack_number(text)
    }
}
