//! Values that the builder derives from one card, and from numbers, dates and lists.

use super::{BYTE, WIDE, within};
use crate::attributes::edition::{FIRST, NO_RARITY, SHADOWLESS};
use crate::attributes::label::Label;
use crate::build::rows::CardRow;
use crate::build::vocabulary::ProductWord;
use crate::catalogue::NameQuality;
use crate::catalogue::format::{NONE, card_flag, pack_number};
use crate::derive::aliases_of;
use crate::dictionary::Category;
use crate::error::Error;
use crate::parsed::Finish;
use crate::sort::sort_by;
use crate::token::{Class, key_of};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use zerocopy::little_endian::U32;

/// All names of a card as they are looked up: as printed in each language, and as sellers cut them.
pub(super) fn local_aliases(card: &CardRow) -> Vec<(NameQuality, String)> {
    let mut out = Vec::new();
    for name in card
        .names
        .iter()
        .map(|n| n.1.as_str())
        .chain([card.english.as_str()])
        .filter(|n| !n.is_empty())
    {
        aliases_of(name, |quality, alias| out.push((quality, alias.to_owned())));
    }
    let german = first_name(&card.names, "de");
    if let Some(written) = without_umlauts(german) {
        aliases_of(&written, |quality, alias| {
            out.push((quality, alias.to_owned()))
        });
    }
    out
}

/// A German name as it is written where the keyboard has no umlauts: `Kräuter`, `Kraeuter`. `None`
/// if it has none.
pub(super) fn without_umlauts(name: &str) -> Option<String> {
    const LETTERS: [(char, &str); 6] = [
        ('ä', "ae"),
        ('ö', "oe"),
        ('ü', "ue"),
        ('Ä', "Ae"),
        ('Ö', "Oe"),
        ('Ü', "Ue"),
    ];
    let umlaut = |c: char| LETTERS.iter().find(|(letter, _)| *letter == c);
    name.contains(|c| umlaut(c).is_some()).then(|| {
        name.chars().fold(String::new(), |mut out, c| {
            match umlaut(c) {
                Some((_, letters)) => out.push_str(letters),
                None => out.push(c),
            }
            out
        })
    })
}

pub(super) fn first_name<'n>(names: &'n [(String, String)], language: &str) -> &'n String {
    static EMPTY: String = String::new();
    names
        .iter()
        .find(|n| n.0 == language)
        .map_or(&EMPTY, |n| &n.1)
}

/// The name that people read: English if one is known, else as printed.
pub(super) fn card_text(card: &CardRow) -> &str {
    let english = first_name(&card.names, "en");
    [&card.english, english, &card.english_derived]
        .into_iter()
        .find(|n| !n.is_empty())
        .or_else(|| card.names.first().map(|n| &n.1))
        .map_or("", String::as_str)
}

/// All different texts in order, the empty one first; an error if there are more than `most`.
pub(super) fn distinct<'t>(
    what: &str,
    most: usize,
    texts: impl Iterator<Item = &'t str>,
) -> Result<Vec<&'t str>, Error> {
    let all: Vec<&str> = texts
        .chain([""])
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    within(what, all.len(), most)?;
    Ok(all)
}

/// Place of `text` in a list made by [`distinct`].
pub(super) fn index_of(list: &[&str], text: &str) -> usize {
    list.binary_search(&text).unwrap_or(0)
}

/// All collector numbers and totals, and how each is printed.
pub(super) struct Numbers<'t> {
    /// By [`pack_number`], ascending.
    pub(super) packed: Vec<u64>,
    /// The spellings of each, in their order.
    pub(super) texts: Vec<Vec<&'t str>>,
    /// The number of each text, and its place among the spellings of that number.
    places: HashMap<&'t str, (u32, u8)>,
}

impl<'t> Numbers<'t> {
    pub(super) fn of(texts: impl Iterator<Item = &'t str>) -> Result<Numbers<'t>, Error> {
        let different: BTreeSet<&str> = texts.filter(|t| !t.is_empty()).collect();
        let mut all: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
        for text in different {
            all.entry(pack_number(text)).or_default().push(text);
        }
        within("different numbers", all.len(), WIDE)?;
        let mut places = HashMap::new();
        for (number, spellings) in all.values().enumerate() {
            within("spellings of one number", spellings.len(), BYTE)?;
            places.extend(
                spellings
                    .iter()
                    .enumerate()
                    .map(|(which, &text)| (text, (number as u32, which as u8))),
            );
        }
        let (packed, texts) = all.into_iter().unzip();
        Ok(Numbers {
            packed,
            texts,
            places,
        })
    }

    /// The number of `text` and which of its spellings it is; [`NONE`] for the empty text.
    pub(super) fn of_text(&self, text: &str) -> (u32, u8) {
        self.places.get(text).copied().unwrap_or((NONE, 0))
    }
}

/// The first year in a product's name; 0 if it has none.
pub(super) fn product_year(product: &str) -> u16 {
    let digits = product.split(|c: char| !c.is_ascii_digit());
    digits
        .filter(|d| d.len() == 4)
        .filter_map(|d| d.parse().ok())
        .find(|y| (1996..2100).contains(y))
        .unwrap_or(0)
}

/// The words of a product's name that may occur in a title: long Latin words, runs of kana or
/// kanji, and words that the dictionary knows in other languages.
pub(super) fn product_words(product: &str, known: &[ProductWord]) -> Vec<String> {
    let latin = product
        .split([' ', ',', '/', '(', ')'])
        .map(key_of)
        .filter(|w| w.is_ascii());
    let mut words: Vec<String> = latin
        .filter(|w| w.len() >= 5 && !w.bytes().any(|b| b.is_ascii_digit()))
        .collect();
    let line = crate::token::tokenize(&crate::normalise::normalise(product));
    let runs = line
        .tokens()
        .iter()
        .filter(|t| matches!(t.class, Class::Katakana | Class::Han));
    words.extend(
        runs.map(|t| line.text(t.at as usize, t.end as usize).to_owned())
            .filter(|w| w.chars().count() >= 3),
    );
    let key = key_of(product);
    let held = |word: &str| key.contains(word) && !(word == "glossy" && key.contains("nonglossy"));
    words.extend(
        known
            .iter()
            .filter(|w| held(&w.word))
            .map(|w| w.word.clone()),
    );
    sort_by(&mut words, String::cmp);
    words.dedup();
    words
}

pub(super) fn flags(card: &CardRow, category: Option<Category>) -> u16 {
    let mut flags = 0;
    if !card.printings.is_empty() && card.printings.iter().any(|p| !p.label.is_empty()) {
        flags |= card_flag::PRINTINGS;
    }
    for printing in &card.printings {
        let label = Label::of(&printing.label);
        flags |= match label.finish() {
            _ if label.is_silent() => 0,
            Finish::ReverseHolo => card_flag::REVERSE,
            Finish::Holo | Finish::Foil => card_flag::HOLO,
            Finish::NonHolo | Finish::NonFoil => card_flag::NORMAL,
        };
        for edition in label.editions() {
            flags |= match edition {
                FIRST => card_flag::FIRST,
                SHADOWLESS => card_flag::SHADOWLESS,
                NO_RARITY => card_flag::NO_RARITY,
                _ => 0,
            };
        }
        if label.has_set_logo() {
            flags |= card_flag::REVERSE;
        }
    }
    if let (Ok(number), Ok(total)) = (card.number.parse::<u32>(), card.total.parse::<u32>())
        && number > total
    {
        flags |= card_flag::ABOVE;
    }
    if !card.subjects.is_empty() || category == Some(Category::Subject) {
        flags |= card_flag::SUBJECT;
    }
    if category == Some(Category::Resource) {
        flags |= card_flag::RESOURCE;
    }
    if card.english_unsure {
        flags |= card_flag::UNSURE;
    }
    if !card.english_derived.is_empty() {
        flags |= card_flag::DERIVED;
    }
    if card.number_unprinted {
        flags |= card_flag::UNPRINTED;
    }
    flags
}

/// `yyyy-mm-dd` as yyyymmdd; missing parts are 0, and so is a year of more than four digits.
pub(super) fn date(text: &str) -> u32 {
    let mut parts = text
        .split(['-', '/', '.'])
        .map(|p| p.parse::<u32>().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    let year = Some(next()).filter(|year| *year <= 9_999).unwrap_or(0);
    year * 10_000 + next().min(12) * 100 + next().min(31)
}

/// Numbers in the order that people count: `2` before `10`, `TG1` after `999`.
pub(super) fn natural(number: &str) -> (bool, &str, u32, &str) {
    let digits = number
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(number.len());
    let (prefix, rest) = number.split_at(digits);
    let len = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    (
        !prefix.is_empty() || rest.is_empty(),
        prefix,
        rest[..len].parse().unwrap_or(0),
        &rest[len..],
    )
}

/// Joins lists into one, with the place at which each begins.
pub(super) fn flatten<T, R>(
    lists: &[impl AsRef<[T]>],
    mut record: impl FnMut(&T) -> R,
) -> (Vec<U32>, Vec<R>) {
    let mut starts = Vec::with_capacity(lists.len() + 1);
    let mut all = Vec::new();
    for list in lists {
        starts.push(U32::new(all.len() as u32));
        all.extend(list.as_ref().iter().map(&mut record));
    }
    starts.push(U32::new(all.len() as u32));
    (starts, all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn number_keeps_its_spellings() {
        let numbers =
            Numbers::of(["4", "004", "TG05", "tg5", "", "102"].into_iter()).expect("they are few");
        assert_eq!(numbers.packed.len(), 3);
        for text in ["4", "004", "TG05", "tg5", "102"] {
            let (number, which) = numbers.of_text(text);
            assert_eq!(numbers.packed[number as usize], pack_number(text));
            assert_eq!(numbers.texts[number as usize][which as usize], text);
        }
        assert_eq!(numbers.of_text(""), (NONE, 0));
    }

    #[test]
    fn too_many_values_are_refused() {
        let spellings: Vec<String> = (0..=BYTE)
            .map(|zeros| format!("{}4", "0".repeat(zeros)))
            .collect();
        let refused = Numbers::of(spellings.iter().map(String::as_str))
            .err()
            .map(|error| (error.kind(), error.to_string()));
        let (kind, message) = refused.expect("they are too many");
        assert_eq!(kind, ErrorKind::TooLarge);
        assert_eq!(
            message,
            "the catalogue has 256 spellings of one number, an index holds at most 255: divide it into several catalogues"
        );
        assert!(Numbers::of(spellings[1..].iter().map(String::as_str)).is_ok());
        assert_eq!(
            distinct("rarities", 2, ["a", "b"].into_iter()).map_err(|error| error.kind()),
            Err(ErrorKind::TooLarge)
        );
        assert_eq!(
            distinct("rarities", 3, ["b", "a", "b"].into_iter()),
            Ok(vec!["", "a", "b"])
        );
    }
}
