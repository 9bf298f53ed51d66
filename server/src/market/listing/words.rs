//! The words of `dictionaries/common/sales.csv`: what a title says of its sale.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The words, one subject a row; a link, as in `foreign.rs`.
const SALES: &str = include_str!("../../../dictionaries/sales.csv");
/// The most words of an alias.
const LONGEST: usize = 4;
/// How far apart, in words, two words may stand to belong together.
const NEAR: usize = 3;

/// What words of a title say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Nothing was sold: refunded, cancelled, returned, not paid.
    NoSale,
    /// A chance of a card.
    Chance,
    /// It may be a sale, but not of the plain thing.
    Doubtful,
    /// The product is not inside.
    Empty,
    /// Several products.
    Several,
    /// A language of the print.
    Language,
    /// A word for breaking, which counts beside [`Outcome::Slab`].
    Broken,
    /// A word for the slab.
    Slab,
    /// What follows comes with the card.
    Introduces,
    /// Counts products after a number.
    Unit,
    /// Counts packs after a number.
    PackUnit,
    /// A `kind` of the core that is no card.
    Goods,
    /// A status of what was sold.
    Sold,
    /// The words mean nothing here.
    Nothing,
}

impl Outcome {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "no_sale" => Self::NoSale,
            "chance" => Self::Chance,
            "doubtful" => Self::Doubtful,
            "empty" => Self::Empty,
            "several" => Self::Several,
            "language" => Self::Language,
            "broken" => Self::Broken,
            "slab" => Self::Slab,
            "introduces" => Self::Introduces,
            "unit" => Self::Unit,
            "pack_unit" => Self::PackUnit,
            "goods" => Self::Goods,
            "sold" => Self::Sold,
            "nothing" => Self::Nothing,
            _ => return None,
        })
    }
}

/// Where the words of a row count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Always,
    /// In titles that state a grade.
    Graded,
    /// In titles of sealed products.
    Sealed,
    /// In the column `status`, not in titles.
    Status,
    /// As the value of a `kind` reading, not in titles.
    Kind,
}

impl When {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "" => Self::Always,
            "graded" => Self::Graded,
            "sealed" => Self::Sealed,
            "status" => Self::Status,
            "kind" => Self::Kind,
            _ => return None,
        })
    }
}

/// A row.
#[derive(Debug)]
struct Row {
    canonical: String,
    outcome: Outcome,
    when: When,
}

/// All rows, by their words.
#[derive(Debug, Default)]
struct Vocabulary {
    rows: Vec<Row>,
    /// Rows by folded words, joined by blanks.
    by_words: HashMap<String, Vec<usize>>,
    /// Rows by words of a script without blanks, which may stand anywhere.
    anywhere: Vec<(String, usize)>,
    /// Rows that do not count in titles, by folded words.
    apart: HashMap<String, usize>,
    /// Rows that could not be read, for the test.
    unread: usize,
}

fn vocabulary() -> &'static Vocabulary {
    static READ: OnceLock<Vocabulary> = OnceLock::new();
    READ.get_or_init(|| Vocabulary::read(SALES))
}

impl Vocabulary {
    fn read(text: &str) -> Self {
        let mut vocabulary = Self::default();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        for record in reader.records() {
            let row = record.ok().and_then(|record| {
                let cell = |at: usize| record.get(at).map(str::to_owned);
                let row = Row {
                    canonical: cell(0)?,
                    outcome: Outcome::of(&cell(2)?)?,
                    when: When::of(&cell(3)?)?,
                };
                Some((row, cell(1)?))
            });
            let Some((row, words)) = row else {
                vocabulary.unread += 1;
                continue;
            };
            let at = vocabulary.rows.len();
            for alias in words.split('|') {
                let folded = words_of(alias).join(" ");
                match row.when {
                    When::Kind => drop(vocabulary.apart.insert(format!("kind {alias}"), at)),
                    When::Status => drop(vocabulary.apart.insert(folded, at)),
                    _ if folded.chars().any(without_blanks) && folded.chars().count() > 1 => {
                        vocabulary.anywhere.push((folded.replace(' ', ""), at));
                    }
                    _ => vocabulary.by_words.entry(folded).or_default().push(at),
                }
            }
            vocabulary.rows.push(row);
        }
        // longer ones first, so that they hide those inside them
        vocabulary
            .anywhere
            .sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        vocabulary
    }
}

/// Whether a script writes words without blanks between them.
fn without_blanks(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// The class of a letter: words end where it changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Asian,
}

/// The words of a text: compatibility forms, case, accents and apostrophes folded, split at all
/// else, and between letters, digits and scripts.
#[must_use]
pub fn words_of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = None;
    for letter in text.nfkd().filter(|letter| !is_combining_mark(*letter)) {
        if matches!(letter, '\'' | '’' | '‘' | '`') {
            continue;
        }
        let class = if without_blanks(letter) {
            Some(Class::Asian)
        } else if letter.is_numeric() {
            Some(Class::Digit)
        } else if letter.is_alphanumeric() {
            Some(Class::Letter)
        } else {
            None
        };
        if class.is_some() {
            if class != before {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(letter.to_lowercase());
            }
        }
        before = class;
    }
    words
}

/// What a title says, and where, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saying {
    /// What.
    pub outcome: Outcome,
    /// The name of its row.
    pub canonical: &'static str,
    /// Its first word.
    pub at: usize,
    /// After its last word.
    pub end: usize,
}

/// What the words of a title say of its sale.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// The words.
    pub words: Vec<String>,
    sayings: Vec<Saying>,
}

/// What is known of a title beside its words.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// It states a grade.
    pub graded: bool,
    /// It sells a sealed product.
    pub sealed: bool,
}

impl Said {
    /// Reads a title.
    #[must_use]
    pub fn of(title: &str, known: Known) -> Self {
        let vocabulary = vocabulary();
        let words = words_of(title);
        let counts = |row: &Row| match row.when {
            When::Always => true,
            When::Graded => known.graded,
            When::Sealed => known.sealed,
            When::Status | When::Kind => false,
        };
        let mut sayings = Vec::new();
        let mut say = |row: usize, at: usize, end: usize| {
            if let Some(row) = vocabulary.rows.get(row).filter(|row| counts(row)) {
                sayings.push(Saying {
                    outcome: row.outcome,
                    canonical: &row.canonical,
                    at,
                    end,
                });
                return true;
            }
            false
        };
        let mut at = 0;
        while at < words.len() {
            let longest = LONGEST.min(words.len() - at);
            let found = (1..=longest).rev().find_map(|count| {
                let text = words.get(at..at + count)?.join(" ");
                let rows = vocabulary.by_words.get(&text)?;
                let said = rows.iter().filter(|row| say(**row, at, at + count)).count();
                (said > 0).then_some(count)
            });
            at += found.unwrap_or(1);
        }
        for (at, word) in words.iter().enumerate() {
            if !word.chars().any(without_blanks) {
                continue;
            }
            let mut rest = word.clone();
            for (alias, row) in &vocabulary.anywhere {
                // an alias of two scripts goes on in the next words
                let fits = rest.contains(alias.as_str())
                    || alias.len() > word.len() && words[at..].concat().starts_with(alias);
                if fits && say(*row, at, at + 1) {
                    rest = rest.replace(alias.as_str(), " ");
                }
            }
        }
        Self { words, sayings }
    }

    /// What is said with this outcome.
    pub fn all(&self, outcome: Outcome) -> impl Iterator<Item = &Saying> {
        self.sayings
            .iter()
            .filter(move |saying| saying.outcome == outcome)
    }

    /// Whether anything with this outcome is said.
    #[must_use]
    pub fn says(&self, outcome: Outcome) -> bool {
        self.all(outcome).next().is_some()
    }

    /// Whether the slab is said to be broken.
    #[must_use]
    pub fn breaks_slab(&self) -> bool {
        let gap = |one: &Saying, other: &Saying| {
            one.at.max(other.at).saturating_sub(one.end.min(other.end))
        };
        self.all(Outcome::Broken).any(|broken| {
            self.all(Outcome::Slab)
                .any(|slab| gap(broken, slab) <= NEAR)
        })
    }

    /// Whether the word at `at` is introduced as something that comes with the card.
    #[must_use]
    pub fn is_introduced(&self, at: usize) -> bool {
        self.all(Outcome::Introduces)
            .any(|saying| saying.end <= at && at - saying.end < NEAR)
    }

    /// The first word of the bytes from `start` on of `title`, which this was read from.
    #[must_use]
    pub fn word_at(&self, title: &str, start: u32) -> usize {
        let before = title.get(..start as usize).unwrap_or(title);
        words_of(before).len()
    }

    /// Whether a number above one stands right before a unit, and not among the words `named`,
    /// such as those of a set.
    #[must_use]
    pub fn counts(&self, unit: Outcome, named: &[Range<usize>]) -> bool {
        self.all(unit).any(|saying| {
            let at = saying.at.checked_sub(1);
            let at = at.filter(|at| !named.iter().any(|words| words.contains(at)));
            at.and_then(|at| self.words.get(at))
                .and_then(|word| word.parse::<u32>().ok())
                .is_some_and(|number| number > 1)
        })
    }
}

/// Whether a `kind` of the core is no card.
#[must_use]
pub(super) fn is_goods(kind: &str) -> bool {
    vocabulary().apart.contains_key(&format!("kind {kind}"))
}

/// What the column `status` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It was sold.
    Sold,
    /// It was not, or the sale was undone.
    NoSale,
}

/// What a status says; none for a word that is not known.
#[must_use]
pub fn status(text: &str) -> Option<Status> {
    let vocabulary = vocabulary();
    let folded = words_of(text).join(" ");
    let title = || {
        vocabulary
            .by_words
            .get(&folded)
            .and_then(|rows| rows.first())
    };
    let anywhere = || {
        let found = vocabulary
            .anywhere
            .iter()
            .find(|(words, _)| *words == folded);
        found.map(|(_, row)| row)
    };
    let row = vocabulary
        .apart
        .get(&folded)
        .or_else(title)
        .or_else(anywhere)?;
    match vocabulary.rows.get(*row)?.outcome {
        Outcome::Sold => Some(Status::Sold),
        Outcome::NoSale => Some(Status::NoSale),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, Outcome, Said, Status, is_goods, status, vocabulary, words_of};

    fn said(title: &str) -> Said {
        let known = Known {
            graded: true,
            sealed: true,
        };
        Said::of(title, known)
    }

    #[test]
    fn every_row_is_read() {
        assert_eq!(vocabulary().unread, 0);
        assert!(vocabulary().rows.len() > 20);
    }

    #[test]
    fn words_are_folded() {
        assert_eq!(
            words_of("Pokémon’s 2BOX-未開封"),
            ["pokemons", "2", "box", "未開封"]
        );
        assert_eq!(
            words_of("ＰＳＡ１０ ﾎﾟｹﾓﾝ"),
            ["psa", "10", "ポケモン"].map(|w| words_of(w).concat())
        );
    }

    #[test]
    fn longer_phrases_hide_shorter_ones() {
        for title in [
            "No returns",
            "free returns!",
            "no refund",
            "返品不可",
            "Cracked Ice holo in case",
        ] {
            let said = said(title);
            assert!(
                !said.says(Outcome::NoSale) && !said.breaks_slab(),
                "{title}"
            );
        }
        for title in [
            "RETURNED by buyer",
            "order was cancelled",
            "返品 リザードン",
            "non-paying bidder",
            "キャンセル品",
        ] {
            assert!(said(title).says(Outcome::NoSale), "{title}");
        }
    }

    #[test]
    fn a_slab_is_broken_where_the_words_are_near() {
        assert!(said("PSA 9 slab is cracked").breaks_slab());
        assert!(said("cracked corner of the case, PSA 9").breaks_slab());
        assert!(!said("damaged card, sold for cheap as is, PSA 1 in new case").breaks_slab());
    }

    #[test]
    fn status_words_are_known_or_refused() {
        assert_eq!(status("Completed"), Some(Status::Sold));
        assert_eq!(status("REFUNDED"), Some(Status::NoSale));
        assert_eq!(status("キャンセル"), Some(Status::NoSale));
        assert_eq!(status("active"), Some(Status::NoSale));
        assert_eq!(status("maybe"), None);
        assert!(is_goods("accessory") && !is_goods("lot"));
    }
}
