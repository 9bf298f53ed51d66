//! The sealed products of the store, and which of them a title names.

use super::words::words_of;
use crate::catalogue::Loaded;
use titledex::{Answer, Field, Options};

/// Kinds of the core that say nothing of which product it is.
const NEUTRAL: [&str; 6] = [
    "wrapped",
    "promo_sealed",
    "retail",
    "booster_weighed",
    "case",
    "packs_lot",
];
/// From this many letters on a word may have a slip, and from [`LONG`] on two.
const MEDIUM: usize = 4;
const LONG: usize = 8;

/// A sealed product of the store.
#[derive(Clone, Debug)]
pub struct Product {
    /// Its number in the store.
    pub item: i64,
    /// Its name.
    pub name: String,
    /// The id of its set.
    pub set_id: Option<String>,
    /// The name of its set.
    pub set_name: String,
    /// What it is: `Booster Box`.
    pub product_type: String,
    /// Its language: `english`.
    pub language: &'static str,
}

/// A product, as titles are compared with it.
#[derive(Debug)]
struct Entry {
    product: Product,
    set_words: Vec<String>,
    type_words: Vec<String>,
    /// The core's reading of its type, where it reads all of it.
    kind: Option<String>,
}

/// The sealed products of the store.
#[derive(Debug, Default)]
pub struct Products(Vec<Entry>);

/// A word for a kind of product in a title.
struct Kind<'a> {
    value: &'a str,
    words: usize,
    start: u32,
}

/// The words for kinds of products in a title.
fn kinds<'a>(answer: &'a Answer<'_>) -> Vec<Kind<'a>> {
    let spans = answer.parsed.spans.iter();
    spans
        .filter(|reading| reading.field == Field::Kind)
        .filter(|reading| !NEUTRAL.contains(&&*reading.value))
        .map(|reading| Kind {
            value: &reading.value,
            words: words_of(&reading.text)
                .iter()
                .filter(|word| word.parse::<u32>().is_err())
                .count(),
            start: reading.span.start,
        })
        .collect()
}

impl Products {
    /// Reads the products as the core reads titles.
    #[must_use]
    pub fn new(products: Vec<Product>, reader: &Loaded) -> Self {
        let entry = |product: Product| {
            let kind = {
                let answer = reader.answer(&product.product_type, &Options::default());
                let whole = words_of(&product.product_type).len();
                kinds(&answer)
                    .iter()
                    .find(|kind| kind.words == whole)
                    .map(|kind| kind.value.to_owned())
            };
            Entry {
                set_words: words_of(&product.set_name),
                type_words: words_of(&product.product_type),
                kind,
                product,
            }
        };
        Self(products.into_iter().map(entry).collect())
    }

    /// The product that a title names; none where several fit as well, or none does. `words` are
    /// the title's.
    #[must_use]
    pub fn find(&self, answer: &Answer<'_>, words: &[String]) -> Option<&Product> {
        let kinds = kinds(answer);
        let mut best: Option<(Fit, &Product)> = None;
        let mut tied = false;
        for entry in &self.0 {
            let Some(fit) = entry.fit(answer, &kinds, words) else {
                continue;
            };
            match &best {
                Some((other, _)) if fit < *other => {}
                Some((other, _)) if fit == *other => tied = true,
                _ => {
                    best = Some((fit, &entry.product));
                    tied = false;
                }
            }
        }
        best.filter(|_| !tied).map(|(_, product)| product)
    }
}

/// How well a product fits; more is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// The words for its kind.
    kind: usize,
    /// The core reads its set, rather than that its words are there.
    set_read: bool,
    set_words: usize,
    /// It is of the language of the title's words.
    language: bool,
    /// The words for its kind stand before those of others.
    first: bool,
}

impl Entry {
    fn fit(&self, answer: &Answer<'_>, kinds: &[Kind<'_>], words: &[String]) -> Option<Fit> {
        let parsed = &answer.parsed;
        let stated = parsed.language.as_deref();
        if stated.is_some_and(|language| language != self.product.language) {
            return None;
        }
        let set_read = parsed.set.as_ref().is_some_and(|set| {
            let alternatives = set.alternatives.iter().map(|id| &**id);
            let mut ids = std::iter::once(&*set.id).chain(alternatives);
            ids.any(|id| self.product.set_id.as_deref() == Some(id))
        });
        if !set_read && (self.set_words.is_empty() || !are_in(&self.set_words, words)) {
            return None;
        }
        let own = |kind: &&Kind<'_>| Some(kind.value) == self.kind.as_deref();
        let by_kind = kinds.iter().filter(own).map(|kind| kind.words).max();
        // words that the core reads as this kind, or that are the type's, misspelt ones too
        let by_words = are_in(&self.type_words, words).then_some(self.type_words.len());
        let found = by_kind.max(by_words)?;
        let others = || kinds.iter().filter(|kind| !own(kind));
        // a longer word for another kind names another product
        if others().any(|other| other.words > found) {
            return None;
        }
        let rival = others()
            .filter(|other| other.words == found)
            .map(|other| other.start)
            .min();
        let start = kinds.iter().filter(own).map(|kind| kind.start).min();
        Some(Fit {
            kind: found,
            set_read,
            set_words: self.set_words.len(),
            language: stated.is_some() || self.product.language == "english",
            first: match (start, rival) {
                (Some(start), Some(rival)) => start < rival,
                (None, Some(_)) => false,
                (_, None) => true,
            },
        })
    }
}

/// Whether each of `wanted` is among `words`, with a slip or two in long ones.
fn are_in(wanted: &[String], words: &[String]) -> bool {
    !wanted.is_empty()
        && wanted
            .iter()
            .all(|one| words.iter().any(|word| is_word(one, word)))
}

/// Whether a word is another, perhaps misspelt.
fn is_word(wanted: &str, word: &str) -> bool {
    if wanted == word {
        return true;
    }
    let slips = match wanted.chars().count() {
        LONG.. => 2,
        MEDIUM.. => 1,
        _ => return false,
    };
    wanted.chars().next() == word.chars().next()
        && wanted.bytes().all(|byte| !byte.is_ascii_digit())
        && distance(wanted, word, slips) <= slips
}

/// The edit distance of two words with swapped neighbours as one edit, or more than `most`.
fn distance(one: &str, other: &str, most: usize) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > most {
        return most + 1;
    }
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for (at, row) in rows.iter_mut().enumerate() {
        row[0] = at;
    }
    for (at, cell) in rows[0].iter_mut().enumerate() {
        *cell = at;
    }
    for i in 1..=one.len() {
        for j in 1..=other.len() {
            let differs = usize::from(one[i - 1] != other[j - 1]);
            let mut best = (rows[i - 1][j] + 1)
                .min(rows[i][j - 1] + 1)
                .min(rows[i - 1][j - 1] + differs);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::{Product, Products, distance, is_word};
    use crate::catalogue::Reader;
    use crate::market::listing::words::words_of;
    use titledex::Options;

    #[test]
    fn slips_are_counted() {
        assert_eq!(distance("evolving", "evolvng", 2), 1);
        assert_eq!(distance("booster", "bosoter", 2), 1);
        assert_eq!(distance("box", "elephant", 2), 3);
        assert!(is_word("booster", "boster") && is_word("evolving", "evolvnig"));
        assert!(
            !is_word("box", "bog") && !is_word("booster", "toaster") && !is_word("1999", "1998")
        );
    }

    #[test]
    fn titles_name_products() {
        let reader = Reader::open(None, &["pokemon".to_owned()])
            .expect("it opens")
            .now();
        let product = |item, set_id: &str, set_name: &str, product_type: &str, language| Product {
            item,
            name: format!("{set_name} {product_type}"),
            set_id: Some(set_id.to_owned()),
            set_name: set_name.to_owned(),
            product_type: product_type.to_owned(),
            language,
        };
        let products = Products::new(
            vec![
                product(1, "sv08", "Surging Sparks", "Booster Box", "english"),
                product(2, "sv08", "Surging Sparks", "Elite Trainer Box", "english"),
                product(3, "sv08", "Surging Sparks", "Booster Pack", "english"),
                product(4, "sv08", "Surging Sparks", "Booster Bundle", "english"),
                product(
                    5,
                    "sv08.5",
                    "Prismatic Evolutions",
                    "Surprise Box",
                    "english",
                ),
                product(6, "sv03.5", "151", "Ultra-Premium Collection", "english"),
                product(
                    7,
                    "asia:SV2a",
                    "Pokemon Card 151",
                    "Booster Box",
                    "japanese",
                ),
            ],
            &reader,
        );
        for (title, item) in [
            ("Pokemon Surging Sparks booster display 36 packs", Some(1)),
            ("surgng sparks bosoter box", Some(1)),
            ("Surging Sparks ETB factory sealed", Some(2)),
            ("SSP Elite Trainer Box with 9 booster packs", Some(2)),
            ("Surging Sparks Sleeved Booster Pack", None),
            ("Surging Sparks booster pack sealed", Some(3)),
            ("Surging Sparks Booster Bundle (6 packs)", Some(4)),
            ("Prismatic Evolutions Surprise Box", Some(5)),
            ("Prismatic Evolutions Booster Box", None),
            ("Pokemon 151 UPC sealed", Some(6)),
            ("ポケモンカード151 BOX 未開封", Some(7)),
            ("Pokemon 151 Booster Box Korean", None),
            ("Surging Sparks Build & Battle Box", None),
        ] {
            let answer = reader.answer(title, &Options::default());
            let found = products.find(&answer, &words_of(title));
            assert_eq!(found.map(|product| product.item), item, "{title}");
        }
    }
}
