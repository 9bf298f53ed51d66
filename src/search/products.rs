//! A query → sealed products, which a catalogue of cards does not have: the caller names those that
//! it sells.

use crate::attributes::hit::{Hit, Means};
use crate::attributes::set;
use crate::catalogue::EntryKind;
use crate::dictionary::{Tag, Tagged};
use crate::engine::{Matcher, Scratch};
use crate::normalise::{Normalised, normalise_into};
use crate::options::MAX_TITLE_BYTES;
use crate::sort::sort_by_key;
use crate::spelling::{Spelling, allowed};
use crate::token::{Line, key_of, tokenize_into};
use std::cmp::Reverse;

// What agreement is worth, in words of the query.
/// The product's set is named.
const SET: i32 = 4;
/// Its type is named.
const TYPE: i32 = 3;
/// The most words of a query that are compared.
const MOST_WORDS: usize = 24;

/// What is known of a sealed product.
///
/// ```
/// let product = titledex::Product::new("Base Set Booster Pack", "Booster Pack").set("base1", "Base Set");
/// assert_eq!(product.set_id, Some("base1"));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Product<'p> {
    /// Its name.
    pub name: &'p str,
    /// Its type: `Booster Box`.
    pub product_type: &'p str,
    /// The id of its set, if it is of one.
    pub set_id: Option<&'p str>,
    /// The set's name.
    pub set_name: &'p str,
}

impl<'p> Product<'p> {
    /// A product of no set.
    #[must_use]
    pub const fn new(name: &'p str, product_type: &'p str) -> Product<'p> {
        Product {
            name,
            product_type,
            set_id: None,
            set_name: "",
        }
    }

    /// The product as one of a set.
    #[must_use]
    pub const fn set(mut self, id: &'p str, name: &'p str) -> Product<'p> {
        self.set_id = Some(id);
        self.set_name = name;
        self
    }
}

/// What a query says of products.
struct Wanted<'q> {
    /// Each word, folded, with its place in the key.
    words: Vec<(&'q str, u32, u32)>,
    /// Ids of the sets that are named, with the place of their words.
    sets: Vec<(&'q str, u32, u32)>,
    /// The types that are named, likewise.
    types: Vec<(u16, u32, u32)>,
}

impl Matcher<'_, '_> {
    /// The places of the products that a query means, best first; those that fit alike keep their
    /// order.
    pub(super) fn search_products(
        &self,
        scratch: &mut Scratch,
        query: &str,
        products: &[Product<'_>],
    ) -> Vec<usize> {
        if query.len() > MAX_TITLE_BYTES || query.trim().is_empty() {
            return Vec::new();
        }
        self.read_query(scratch, query);
        self.read_in_capitals(scratch, query);
        self.read_sets_of_digits(scratch);
        self.read_codes(scratch);
        if !scratch.query.unread.is_empty() && !scratch.query.sets.iter().any(|set| set.chosen) {
            self.mend_sets(scratch.line.key(), &mut scratch.query);
        }
        let wanted = self.wanted(scratch);
        let mut memory = (Normalised::default(), Line::default(), Vec::new());
        let mut fits: Vec<(usize, usize, i32)> = Vec::new();
        for (at, product) in products.iter().enumerate() {
            let (words, score) = self.compare_product(&wanted, product, &mut memory);
            if words > 0 {
                fits.push((at, words, score));
            }
        }
        let most = fits.iter().map(|(_, words, _)| *words).max().unwrap_or(0);
        // half of what was typed may say nothing of a product
        if most * 2 < wanted.words.len() {
            return Vec::new();
        }
        fits.retain(|(_, words, _)| *words == most);
        sort_by_key(&mut fits, |&(at, _, score)| (Reverse(score), at));
        fits.into_iter().map(|(at, ..)| at).collect()
    }

    /// Codes of sets in small letters, which in titles are words: `evs`.
    fn read_codes(&self, scratch: &mut Scratch) {
        let Scratch { line, query, .. } = scratch;
        if query.sets.iter().any(|set| set.chosen) {
            return;
        }
        for (at, end) in query.unread.clone() {
            let text = line.text(at as usize, end as usize);
            let place = self.catalogue.lexicon().get(text.as_bytes());
            let is_set = |place: &u32| self.sets_at(*place).next().is_some();
            if let Some(place) = place.filter(is_set) {
                let hit = Hit::whole((at, end), place, Means::SET);
                set::ask(self.catalogue, &hit, true, query);
                query.unread.retain(|word| *word != (at, end));
            }
        }
    }

    fn wanted<'q>(&'q self, scratch: &'q Scratch) -> Wanted<'q> {
        let (line, query) = (&scratch.line, &scratch.query);
        let mut words: Vec<(&str, u32, u32)> = Vec::new();
        let mut tokens = line.tokens().iter().peekable();
        while let Some(first) = tokens.next() {
            let mut end = first.end;
            while let Some(next) = tokens.next_if(|next| next.glued) {
                end = next.end;
            }
            if words.len() < MOST_WORDS {
                let text = line.text(first.at as usize, end as usize);
                words.push((text, first.at, end));
            }
        }
        let mut sets = Vec::new();
        for clue in query.sets.iter().filter(|set| set.chosen) {
            for entry in self.catalogue.entries(clue.place) {
                if entry.kind() != EntryKind::Set {
                    continue;
                }
                if let Some(set) = self.catalogue.sets.get(entry.id() as usize) {
                    sets.push((self.catalogue.string(set.id), clue.at, clue.end));
                }
            }
        }
        let inside_set = |tag: &&Tagged| {
            !sets
                .iter()
                .any(|(_, at, end)| *at <= tag.at && tag.end <= *end)
        };
        let types = types_of(&scratch.tags)
            .filter(inside_set)
            .filter_map(|tag| match tag.tag {
                Tag::Sealed(kind) => Some((kind, tag.at, tag.end)),
                _ => None,
            });
        Wanted {
            types: types.collect(),
            words,
            sets,
        }
    }

    /// How many of the words a product answers, and how well.
    fn compare_product(
        &self,
        wanted: &Wanted<'_>,
        product: &Product<'_>,
        (normalised, line, tags): &mut (Normalised, Line, Vec<Tagged>),
    ) -> (usize, i32) {
        let of_set = |(id, ..): &&(&str, u32, u32)| product.set_id == Some(*id);
        let set = wanted.sets.iter().find(of_set);
        if set.is_none() && !wanted.sets.is_empty() {
            return (0, 0);
        }
        normalise_into(product.product_type, normalised);
        tokenize_into(normalised, line);
        tags.clear();
        self.dictionary().tag(
            normalised,
            product.product_type,
            line,
            self.stats.folders,
            tags,
        );
        let own: Vec<Tag> = types_of(tags).map(|tag| tag.tag).collect();
        let named = |(kind, ..): &&(u16, u32, u32)| own.contains(&Tag::Sealed(*kind));
        let of_type: Vec<_> = wanted.types.iter().filter(named).collect();
        let texts = [product.name, product.product_type, product.set_name];
        let own: Vec<String> = texts
            .iter()
            .flat_map(|text| text.split_whitespace())
            .map(key_of)
            .collect();
        let confusions = self.speller.confusions;
        let near = |word: &str| {
            let typed = Spelling::of(confusions, word);
            let most = allowed(typed.len());
            own.iter().any(|own| {
                own.starts_with(word)
                    || most > 0.0
                        && confusions
                            .between(&typed, &Spelling::of(confusions, own), most)
                            .is_some()
            })
        };
        let within = |at: u32, end: u32, from: u32, to: u32| from <= at && end <= to;
        let answered = |&&(word, at, end): &&(&str, u32, u32)| {
            set.is_some_and(|(_, from, to)| within(at, end, *from, *to))
                || of_type
                    .iter()
                    .any(|(_, from, to)| within(at, end, *from, *to))
                || near(word)
        };
        let words = wanted.words.iter().filter(answered).count();
        let score = words as i32
            + if set.is_some() { SET } else { 0 }
            + if of_type.is_empty() { 0 } else { TYPE };
        (words, score)
    }
}

/// The types of products among tags: those that lie in no longer one.
fn types_of(tags: &[Tagged]) -> impl Iterator<Item = &Tagged> {
    let sealed = |tag: &&Tagged| tag.whole && matches!(tag.tag, Tag::Sealed(_));
    tags.iter().filter(sealed).filter(move |tag| {
        !tags.iter().filter(sealed).any(|other| {
            other.at <= tag.at && tag.end <= other.end && other.end - other.at > tag.end - tag.at
        })
    })
}
