//! What makes a count, a measure or a price of bare digits: the words around them
//! (`dictionaries/common/units.csv`).

use crate::dictionary::load::rows;
use crate::error::{Error, ErrorKind};
use crate::reading::context::Context;
use crate::token::{Class, Line, key_of};
use crate::trie::{self, Columns};
use crate::word_lists::NUMBER_WORDS;
use once_cell::sync::OnceCell;
use std::collections::BTreeMap;

const COLUMNS: [&str; 4] = ["canonical", "words", "side", "note"];

// What a word or sign beside digits says: bits.
/// Before digits, after them, or glued to their end, it makes no collector number of them.
const BEFORE: u32 = 1;
const AFTER: u32 = 2;
const GLUED: u32 = 4;
/// After digits it is a time.
const TIME: u32 = 8;
/// After digits it counts copies: `3枚`.
const COPIES: u32 = 16;
/// After a count of cards, or a collector number: `10 cards`, `#84 cards`.
const CARDS: u32 = 32;
/// Before digits it counts copies, or ends a phrase that does: `qty 3`, `lot of 3`.
const COPIES_OF: u32 = 64;
/// A number in letters: `two copies`, `三枚`; or the first word of a phrase that is one: `pair of`.
const NUMBER: u32 = 128;
/// Beside digits they number a subject, not a card: `Pokédex #622`.
const SUBJECT: u32 = 256;

/// Before a fraction it says how many prints there are, and which this is: `serialized 012/500`.
const SERIAL: u32 = 512;
/// After a fraction it says the same: `012/500 serialized`.
const SERIALIZED: u32 = 8192;
/// Between two digits it makes a run of numbers: `1 through 16`, `001番から050番`.
const RUN: u32 = 1024;
/// Between a count and what it counts: `45 old cards`.
const QUALITY: u32 = 2048;
/// It begins a kanji word that behind digits says the same as by itself: `12月中旬出荷`.
const BEGINS: u32 = 4096;

/// After digits they are sold together: `20 sealed packs`.
const PRODUCTS: u32 = 16384;

/// Before digits it says that they are the most of something: `up to 20 cards`.
const LIMIT: u32 = 32768;

/// It is money.
const MONEY: u32 = 65536;
/// It says all by itself how many copies there are: `zweimal`.
const COUNT: u32 = 262_144;
/// After digits it says an amount, which no name of a set ends in: `2nd`, `2 available`.
const AMOUNT: u32 = 131_072;

/// What a word says of digits before it.
const BEHIND: u32 = AFTER | TIME | AMOUNT | COPIES | CARDS | SERIALIZED | PRODUCTS;

/// Between a count and the price of so many.
const FOR: &str = "for";
/// So many cards are sold together for one price, of those that the buyer chooses.
const SOLD_TOGETHER: std::ops::RangeInclusive<u32> = 2..=12;

/// Rows of words for time begin so.
const TIMES: &str = "time";

/// Words and signs beside which digits number no card.
#[derive(Debug)]
pub(crate) struct Units {
    /// What each word and sign says.
    words: Columns,
    /// For each first byte, and for each last one, a bit for each length of words that have it there,
    /// so that most words of titles are ruled out at once.
    lengths: [u64; 256],
    lengths_by_end: [u64; 256],
    /// The words before a count of copies, and those before a limit.
    copies_of: Phrases,
    limits: Phrases,
    /// Numbers in letters: the word, what must follow it, empty for a word that counts, and the
    /// number.
    numbers: Vec<(String, String, u32)>,
}

/// What digits number, if no card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbered {
    /// `Pokédex #622`.
    Subject,
    /// `SKU #40231`.
    Goods,
}

static BUILTIN: OnceCell<Units> = OnceCell::new();

/// Phrases of one word or two: the last word, and the one before it.
#[derive(Debug, Default)]
pub(crate) struct Phrases(Vec<(String, String)>);

impl Phrases {
    /// Adds a phrase as a dictionary has it; returns its last word.
    pub(crate) fn add(&mut self, phrase: &str) -> String {
        let (first, last) = phrase.split_once(' ').unwrap_or(("", phrase));
        let last = fold(last);
        self.0.push((last.clone(), fold(first)));
        last
    }

    /// How many words before token `index` are a phrase.
    #[inline(never)]
    pub(crate) fn before(&self, line: &Line, index: usize) -> Option<usize> {
        let word = |back: usize| {
            let token = index.checked_sub(back).and_then(|at| line.tokens().get(at));
            token.map_or("", |token| line.text(token.at as usize, token.end as usize))
        };
        let (last, first) = (word(1), word(2));
        let mut phrases = self.0.iter().filter(|phrase| phrase.0 == last);
        phrases.find_map(|phrase| match phrase.1.as_str() {
            "" => Some(1),
            before => (before == first).then_some(2),
        })
    }
}

/// A word as titles have it, or a sign, which is no part of a key.
fn fold(word: &str) -> String {
    let key = key_of(word);
    if key.is_empty() { word.to_owned() } else { key }
}

/// Whether the word before token `index` and the token stand in brackets of their own: `(118) [UDS]`
/// is a number and a set.
fn are_bracketed_apart(context: &Context<'_>, index: usize) -> bool {
    let gap = index
        .checked_sub(1)
        .map_or("", |before| context.gap(before));
    gap.starts_with([')', ']', '}']) && gap.ends_with(['(', '[', '{'])
}

impl Units {
    /// The words of this build.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`]. A test reads the file, so a released build never fails.
    pub(crate) fn builtin() -> Result<&'static Units, Error> {
        BUILTIN
            .get_or_try_init(|| Units::load(include_str!(concat!(env!("OUT_DIR"), "/units.csv"))))
    }

    fn load(text: &str) -> Result<Units, Error> {
        let mut words: BTreeMap<String, u32> = BTreeMap::new();
        let mut units = Units {
            words: Columns::default(),
            lengths: [0; 256],
            lengths_by_end: [0; 256],
            copies_of: Phrases::default(),
            limits: Phrases::default(),
            numbers: Vec::new(),
        };
        for row in rows("units.csv", text, &COLUMNS)? {
            let time = row.cell(0).starts_with(TIMES);
            let says = match row.cell(2) {
                "before" => BEFORE,
                "money before" => BEFORE | MONEY,
                "money after" => AFTER | MONEY | AMOUNT,
                "amount" => AFTER | AMOUNT,
                "after" if time => AFTER | TIME | AMOUNT,
                "after" => AFTER,
                "glued" => GLUED,
                "copies" => COPIES,
                "cards" => CARDS,
                "copies of" => COPIES_OF,
                "limit" => LIMIT,
                "number" => NUMBER,
                "count" => COUNT,
                "subject" => SUBJECT,
                "serial" => SERIAL,
                "serialized" => SERIALIZED,
                "run" => RUN,
                "products" => PRODUCTS,
                "quality" => QUALITY,
                "begins" => BEGINS | AFTER | TIME | AMOUNT,
                other => {
                    let message = format!(
                        "`side` is `{other}`: write `before`, `money before`, `after`, \
                         `money after`, `amount`, `glued`, `copies of`, `limit`, `copies`, \
                         `cards`, `number`, `count`, `subject`, `serial`, `serialized`, `run`, \
                         `products`, `quality` or `begins`"
                    );
                    return Err(wrong(row.line, &message));
                }
            };
            for word in row.list(1) {
                let word = match says {
                    COPIES_OF => units.copies_of.add(word),
                    LIMIT => units.limits.add(word),
                    NUMBER | COUNT => {
                        let number = row.cell(0).parse().map_err(|_| {
                            wrong(
                                row.line,
                                "the first cell of numbers in letters is the number",
                            )
                        })?;
                        let (word, then) = word.split_once(' ').unwrap_or((word, ""));
                        units.numbers.push((fold(word), fold(then), number));
                        fold(word)
                    }
                    _ => fold(word),
                };
                if let [first, ..] = *word.as_bytes()
                    && let [.., last] = *word.as_bytes()
                {
                    units.lengths[usize::from(first)] |= 1 << (word.len() % 64);
                    units.lengths_by_end[usize::from(last)] |= 1 << (word.len() % 64);
                }
                *words.entry(word).or_default() |= says;
            }
        }
        units.words = trie::build(&words.into_iter().collect::<Vec<_>>());
        Ok(units)
    }

    /// Whether a word behind a number says that it counts copies.
    pub(crate) fn mean_copies(&self, word: &str) -> bool {
        self.says(word.as_bytes()) & COPIES != 0
    }

    /// What a word says; 0 if the file does not have it.
    fn says(&self, word: &[u8]) -> u32 {
        let (&[first, ..], &[.., last]) = (word, word) else {
            return 0;
        };
        let lengths = self.lengths[usize::from(first)] & self.lengths_by_end[usize::from(last)];
        if lengths >> (word.len() % 64) & 1 == 0 {
            return 0;
        }
        self.words.trie().get(word).unwrap_or(0)
    }

    /// What the beginning of a kanji word says.
    fn begins(&self, word: &str) -> u32 {
        let first = word.chars().next().map_or(0, char::len_utf8);
        let says = self.says(&word.as_bytes()[..first]);
        if says & BEGINS != 0 {
            AFTER | TIME | AMOUNT
        } else {
            0
        }
    }

    /// The words of a title that are in the file. `says` is memory that is used again.
    pub(crate) fn words_of<'t>(
        &'t self,
        context: &'t Context<'t>,
        says: &'t mut Vec<u32>,
    ) -> UnitWords<'t> {
        let line = context.line;
        let words = line.tokens().iter().enumerate().map(|(index, token)| {
            let word = line.key().get(token.at as usize..token.end as usize);
            let says = word.map_or(0, |word| self.says(word));
            if says & BEHIND != 0 && are_bracketed_apart(context, index) {
                says & !BEHIND
            } else if says == 0 && token.class == Class::Han && token.glued {
                self.begins(line.text(token.at as usize, token.end as usize))
            } else {
                says
            }
        });
        says.clear();
        says.extend(words);
        UnitWords {
            units: self,
            context,
            says,
            all: says.iter().fold(0, |all, one| all | one),
        }
    }
}

/// The words of a title that are in the file of [`Units`].
pub(crate) struct UnitWords<'t> {
    units: &'t Units,
    context: &'t Context<'t>,
    /// What each token says.
    says: &'t [u32],
    /// What any of them says.
    all: u32,
}

impl UnitWords<'_> {
    /// What a token says; nothing outside of the title.
    #[inline]
    fn says(&self, token: usize) -> u32 {
        self.says.get(token).copied().unwrap_or(0)
    }

    /// What the token so many before `token` says.
    #[inline]
    fn says_before(&self, token: usize, back: usize) -> u32 {
        token.checked_sub(back).map_or(0, |at| self.says(at))
    }

    /// What a sign says. Signs are no tokens: they stand in the text right beside the digits.
    fn sign_says(&self, sign: Option<char>) -> u32 {
        let sign = sign.filter(|sign| !sign.is_alphanumeric() && *sign != ' ');
        sign.map_or(0, |sign| {
            self.units.says(sign.encode_utf8(&mut [0; 4]).as_bytes())
        })
    }

    /// What the sign before byte `at` of the folded text says.
    #[inline]
    fn sign_before(&self, at: usize) -> u32 {
        let text = &self.context.normalised.text()[..at];
        match text.as_bytes().last() {
            None | Some(b' ' | b'a'..=b'z' | b'0'..=b'9') => 0,
            _ => self.sign_says(text.chars().next_back()),
        }
    }

    /// What the sign at byte `at` of the folded text says.
    #[inline]
    fn sign_behind(&self, at: usize) -> u32 {
        let text = &self.context.normalised.text()[at..];
        match text.as_bytes().first() {
            None | Some(b' ' | b'a'..=b'z' | b'0'..=b'9') => 0,
            _ => self.sign_says(text.chars().next()),
        }
    }

    /// How many words before token `index` say that it counts copies: `lot of 3`. A sign counts as
    /// none.
    pub(crate) fn copies_of(&self, index: usize) -> Option<usize> {
        let before = self.says_before(index, 1);
        let phrase = (before & COPIES_OF != 0 && !self.counts_before(index, before))
            .then(|| self.units.copies_of.before(self.context.line, index))
            .flatten();
        phrase.or_else(|| {
            let token = self.context.line.tokens().get(index)?;
            (self.sign_before(token.norm as usize) & COPIES_OF != 0).then_some(0)
        })
    }

    /// Whether words before token `index` say that it is the most of something: `up to 20 cards`.
    pub(crate) fn is_limit(&self, index: usize) -> bool {
        self.says_before(index, 1) & LIMIT != 0
            && (self.units.limits.before(self.context.line, index)).is_some()
    }

    /// Whether token `index`, behind a fraction, makes a time of it: `24/48h`.
    pub(crate) fn is_time(&self, index: usize) -> bool {
        let Some(token) = self.context.line.tokens().get(index) else {
            return false;
        };
        let says = self.says(index);
        // `100S9` ends in the code of a set
        let code = self.context.glued_behind(index) == Some(Class::Digit);
        says & TIME != 0 || token.glued && says & GLUED != 0 && !code
    }

    /// The last number of a run that begins with the digits of token `index`, and its token:
    /// `1 through 16`, `SV001 through SV122`, `001番から050番まで`.
    pub(crate) fn run(&self, index: usize) -> Option<(u32, usize)> {
        if self.all & RUN == 0 {
            return None;
        }
        let context = self.context;
        let joins = |at: usize| self.says(at) & RUN != 0;
        let between = (index + 1..=index + 2).find(|&at| joins(at))?;
        let glued = |at: usize| context.line.tokens().get(at).is_some_and(|t| t.glued);
        // what stands between, but for letters of the numbers
        let counter = between == index + 1 || context.class(index + 1) == Some(Class::Han);
        let last = match context.class(between + 1)? {
            Class::Latin if glued(between + 2) => between + 2,
            _ => between + 1,
        };
        let number = context.word(last).parse().ok().filter(|_| counter)?;
        let measured = self.says(last + 1) & (AFTER | TIME) != 0;
        (!measured).then_some((number, last))
    }

    /// Whether the word before token `index`, which `says` that it counts copies, belongs to what stands
    /// before it, or is a code: `2 pz 4/102`, but `268/193 pz 2`; `PAR 4`.
    fn counts_before(&self, index: usize, says: u32) -> bool {
        let word = |back: usize| index.checked_sub(back);
        let counted = || {
            let digits = word(2).and_then(|at| self.context.class(at)) == Some(Class::Digit);
            let total = word(3).is_some_and(|at| self.context.word(at) == "/");
            digits && !total
        };
        let code = || {
            let token = word(1).and_then(|at| self.context.line.tokens().get(at));
            self.context.capitals_say_code()
                && token.is_some_and(|token| self.context.is_upper(token))
        };
        says & COPIES != 0 && counted() || says & NUMBER != 0 && code()
    }

    /// Whether token `index`, behind a count, says of what kind the things are that it counts.
    pub(crate) fn is_quality(&self, index: usize) -> bool {
        self.says(index) & QUALITY != 0
    }

    /// Whether token `index`, behind a number, says that it counts copies: `3枚`.
    pub(crate) fn are_copies(&self, index: usize) -> bool {
        self.says(index) & COPIES != 0
    }

    /// The copies that words from token `index` on count in letters, and the last of these tokens:
    /// `two copies`, `pair of`, `三枚`.
    pub(crate) fn spelt(&self, index: usize) -> Option<(u32, usize)> {
        let word = self.context.word(index);
        if self.says(index) & COUNT != 0 {
            let mut counts = self.units.numbers.iter();
            return counts
                .find(|(count, ..)| count == word)
                .map(|&(.., count)| (count, index));
        }
        if self.says(index) & NUMBER != 0 {
            let mut numbers = (self.units.numbers.iter()).filter(|(first, ..)| first == word);
            return numbers.find_map(|(_, then, number)| {
                let counts = if then.is_empty() {
                    self.says(index + 1) & (COPIES | CARDS) != 0
                } else {
                    then == self.context.word(index + 1)
                };
                counts.then_some((*number, index + 1))
            });
        }
        let (counter, last) = word.char_indices().next_back()?;
        if last.is_ascii() || self.units.says(&word.as_bytes()[counter..]) & COPIES == 0 {
            return None;
        }
        let mut numbers = self.units.numbers.iter();
        let number = numbers.find(|(first, ..)| *first == word[..counter])?;
        Some((number.2, index))
    }

    /// Whether any token may be a number in letters, or end with one.
    pub(crate) fn any_spelt(&self) -> bool {
        self.all & (NUMBER | COUNT) != 0 || !self.context.line.is_ascii()
    }

    /// The number that token `index` is in letters, by itself: `two`.
    pub(crate) fn in_letters(&self, index: usize) -> Option<u32> {
        let word = self.context.word(index);
        let number = |(first, then, _): &&(String, String, u32)| first == word && then.is_empty();
        (self.says(index) & NUMBER != 0)
            .then(|| self.units.numbers.iter().find(number))?
            .map(|(.., number)| *number)
    }

    /// Whether token `index` means several cards: `10 cards`.
    pub(crate) fn are_cards(&self, index: usize) -> bool {
        self.says(index) & CARDS != 0
    }

    /// Whether token `index` means several products: `20 sealed packs`.
    pub(crate) fn are_products(&self, index: usize) -> bool {
        self.says(index) & PRODUCTS != 0
    }

    /// Whether token `index` makes no count of the digits before it: `500円`.
    pub(crate) fn is_price(&self, index: usize) -> bool {
        self.says(index) & AFTER != 0
    }

    /// Whether token `index` counts money on either side of digits: `RM20`, `20RM`.
    pub(crate) fn are_money(&self, index: usize) -> bool {
        self.says(index) & (BEFORE | AFTER) == BEFORE | AFTER
    }

    /// What stands right before the digits of token `index` says of them, and what stands right behind.
    fn beside(&self, index: usize) -> (u32, u32) {
        let token = self.context.line.tokens().get(index);
        token.map_or((0, 0), |token| {
            (
                self.sign_before(token.norm as usize) | self.says_before(index, 1),
                self.sign_behind(token.norm_end as usize) | self.says(index + 1),
            )
        })
    }

    /// Whether the digits of token `index` are a price: `$2000`, `2000円`.
    pub(crate) fn are_of_price(&self, index: usize) -> bool {
        let (before, behind) = self.beside(index);
        let says = |said: u32, side: u32| said & (side | MONEY) == side | MONEY;
        // `Solitude (MH2) CHF 20`, `Solitude MH2 CHF 20`: of the digits behind it
        let of_next = || {
            self.context.gap(index).contains([')', ']'])
                || self.are_money(index + 1) && self.context.class(index + 2) == Some(Class::Digit)
        };
        says(before, BEFORE) || says(behind, AFTER) && !of_next()
    }

    /// Whether so many as token `index` says are sold together for a price: `any 3 for $5`; but
    /// `4/102 for $5`, `#12 for $5`.
    pub(crate) fn are_sold_for(&self, index: usize) -> bool {
        let context = self.context;
        let count = || context.word(index).parse().unwrap_or(0);
        context.word(index + 1) == FOR
            && context.class(index + 2) == Some(Class::Digit)
            && SOLD_TOGETHER.contains(&count())
            && self.are_of_price(index + 2)
            && context.before(index).trim().is_empty()
            && context.glued_before(index).is_none()
    }

    /// Whether the digits of token `index` are an amount, and the end of no name: `$2`, `2nd`,
    /// `2,000`, `2 available`.
    pub(crate) fn are_amount(&self, index: usize) -> bool {
        // `Gear 5 (ST21)`
        let together = || self.context.gap(index).trim().is_empty();
        self.are_of_price(index)
            || self.beside(index).1 & AMOUNT != 0 && together()
            || of_thousands(self.context, index)
    }

    /// Whether any token means several cards.
    pub(crate) fn any_cards(&self) -> bool {
        self.all & CARDS != 0
    }

    /// What a number from token `from` to token `to` is of, if a word beside it says so.
    pub(crate) fn numbers(&self, (from, to): (usize, usize)) -> Option<Numbered> {
        if (self.says_before(from, 1) | self.says(to + 1)) & SUBJECT != 0 {
            Some(Numbered::Subject)
        } else {
            self.is_said_before(from, BEFORE).then_some(Numbered::Goods)
        }
    }

    /// Whether the word before token `index`, or before `no.`, says one of these things:
    /// `item no. 5521`.
    fn is_said_before(&self, index: usize, things: u32) -> bool {
        self.says_before(index, 1) & things != 0
            || self.says_before(index, 2) & things != 0
                && (NUMBER_WORDS.contains(&self.context.word(index - 1))
                    || self.is_letter(index - 1))
    }

    /// Whether token `index` is one Latin letter: `stock number A-103`.
    fn is_letter(&self, index: usize) -> bool {
        self.context.class(index) == Some(Class::Latin) && self.context.word(index).len() == 1
    }

    /// Whether a fraction that begins with token `index` numbers one of so many prints:
    /// `serialized 012/500`, `serialized #12/500`, `serial no. 7/10`, `012/500 serialized`.
    pub(crate) fn are_serial(&self, index: usize) -> bool {
        if self.all & (SERIAL | SERIALIZED) == 0 {
            return false;
        }
        let behind =
            || self.context.word(index + 1) == "/" && self.says(index + 3) & SERIALIZED != 0;
        let behind_hash =
            || self.says_before(index, 2) & SERIAL != 0 && self.context.word(index - 1) == "#";
        self.is_said_before(index, SERIAL) || behind_hash() || behind()
    }

    /// Whether a word says that the prints are numbered.
    pub(crate) fn say_serialized(&self) -> bool {
        self.all & SERIALIZED != 0
    }

    /// Whether the digits of token `index` are a count, a measure or a price.
    pub(crate) fn around(&self, index: usize) -> bool {
        let context = self.context;
        let tokens = context.line.tokens();
        let Some(token) = tokens.get(index) else {
            return false;
        };
        let sign = self.sign_before(token.norm as usize);
        let next = tokens.get(index + 1);
        // `500+ sold`
        let plus =
            next.is_some_and(|next| next.class == Class::Mark) && context.word(index + 1) == "+";
        let after = self.says(index + 1 + usize::from(plus));
        // `20 sealed packs`
        let products = if after & QUALITY != 0 {
            self.says(index + 2)
        } else {
            after
        };
        let copies_of = (self.says_before(index, 1) | sign) & COPIES_OF != 0;
        sign & BEFORE != 0
            || self.is_said_before(index, BEFORE)
            || (after | self.sign_behind(token.norm_end as usize)) & (AFTER | COPIES) != 0
            || products & PRODUCTS != 0
            || after & GLUED != 0 && next.is_some_and(|next| next.glued)
            || copies_of && self.copies_of(index).is_some()
            || self.is_limit(index)
            || self.are_sold_for(index)
    }
}

/// Whether a token is a part of a price with a comma before its hundreds: `18%1,110`.
pub(crate) fn of_thousands(context: &Context<'_>, token: usize) -> bool {
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
        context.gap(left) == "," && are_thousands(context, left) && context.gap(left + 1) != ","
    };
    comma(token) || token > 0 && comma(token - 1)
}

/// The number whose thousands stand before a mark and end with token `last`, and its first token:
/// `1,000`, `1.000`.
pub(crate) fn thousands(context: &Context<'_>, last: usize) -> Option<(usize, u32)> {
    let first = last.checked_sub(1)?;
    let marked = matches!(context.gap(first), "," | ".") && are_thousands(context, first);
    let number = |token: usize| context.word(token).parse::<u32>().ok();
    marked
        .then(|| Some((first, number(first)? * 1000 + number(last)?)))
        .flatten()
}

/// Whether the digits of token `left` and of the next may be the thousands and the rest of a number.
fn are_thousands(context: &Context<'_>, left: usize) -> bool {
    let digits = |token: usize| context.class(token) == Some(Class::Digit);
    let thousands = context.word(left);
    context.word(left + 1).len() == 3
        && (1..=2).contains(&thousands.len())
        && !thousands.starts_with('0')
        && digits(left)
        && digits(left + 1)
}

fn wrong(line: u64, what: &str) -> Error {
    Error::new(
        ErrorKind::Dictionary,
        format!("dictionaries/common/units.csv:{line}: {what}"),
    )
}

#[cfg(test)]
mod tests {
    use super::{TIME, Units};

    #[test]
    fn file_of_this_build_loads_and_others_are_refused_with_their_line() {
        assert!(Units::builtin().is_ok_and(|units| units.says(b"hr") & TIME != 0));
        let error = Units::load("canonical,words,side,note\na,A,beneath,\n");
        let error = error.expect_err("there is no such side").to_string();
        assert!(error.contains("common/units.csv:2"), "{error}");
    }
}
