//! [`LoadIndex`]: the sets, cards and items of the store during an import. It gives new ones their
//! numbers, slugs and places.

mod former;
mod read;

use super::headline::{CONDITIONED, headline_rank, rank};
use crate::games::Games;
use crate::store::market::{ItemRecord, Language};
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;
use titledex::MarketIds;
use unicode_normalization::UnicodeNormalization;

/// A set, as an import needs it.
#[derive(Clone, Debug)]
struct Set {
    key: i64,
    language: Language,
    slug: String,
    name: String,
    /// The place of the next card.
    next: i64,
}

/// A card, as an import needs it.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// Its key in the store.
    pub key: i64,
    /// The key of its set in the store.
    pub set_key: i64,
    /// Its order within the set.
    pub place: i64,
    /// The place of its next printing.
    next: i64,
}

/// An item, as an import needs it.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// Its key in the store.
    pub key: i64,
    /// Its language.
    pub language: Language,
    /// It is a sealed product.
    pub sealed: bool,
    /// Its order among the printings of its card.
    pub place: i64,
    /// First and last day of its history.
    pub span: Option<(i64, i64)>,
    /// The rank of the source of its headline price.
    pub rank: u32,
}

/// Why a marketplace's product is no item of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotPlaced {
    /// No item has its number.
    Unknown,
    /// These have, and nothing tells which is meant.
    Several(Vec<String>),
}
/// The most printings of a card that a message names.
const PRINTINGS: usize = 8;
/// The rank of an item without a headline price.
pub const NO_HEADLINE: u32 = u32::MAX;
/// The sets, cards and items of the store.
#[derive(Debug, Default)]
pub struct LoadIndex {
    sets: HashMap<String, Set>,
    slugs: HashSet<(Language, String)>,
    /// The last count that made a slug of these words free, so that the next begins after it.
    counted: HashMap<(Language, String), u64>,
    cards: HashMap<String, Card>,
    items: HashMap<String, Item>,
    /// The ids of the items in order, from when the first is looked for until one is added.
    sorted: OnceLock<Vec<String>>,
    /// The own ids of the items that marketplaces sell as a product, by its number: TCGplayer's and
    /// Cardmarket's.
    products: [HashMap<u32, Vec<String>>; 2],
    next_set: i64,
    next_card: i64,
    next_item: i64,
    /// The day of the import. What is of a later one is refused.
    pub today: i64,
    /// What cards and items were called before they were merged, and what they are called now.
    former: HashMap<String, String>,
    /// The order of the sources of headline prices.
    sources: Vec<String>,
    /// Source and condition of headline prices, by item.
    headlines: HashMap<i64, (Option<String>, Option<String>)>,
    /// The games whose rows are taken.
    pub games: Games,
}

impl LoadIndex {
    /// States in which order sources give the headline price.
    pub fn set_sources(&mut self, sources: &[String]) {
        self.sources = sources.to_vec();
        for item in self.items.values_mut() {
            if let Some((source, condition)) = self.headlines.get(&item.key) {
                item.rank = rank(&self.sources, source.as_deref(), condition.as_deref());
            }
        }
    }

    /// The rank of a price as headline; the least counts. None for a price of a condition that is
    /// no headline.
    #[must_use]
    pub fn rank(&self, source: Option<&str>, condition: Option<&str>) -> Option<u32> {
        headline_rank(&self.sources, source, condition)
    }

    /// The key and slug of a set, and whether it existed. A new set gets new ones.
    pub fn set(
        &mut self,
        id: &str,
        language: Language,
        name: &str,
        code: &str,
    ) -> (i64, String, bool) {
        if let Some(set) = self.sets.get(id) {
            return (set.key, set.slug.clone(), true);
        }
        let slug = self.new_slug(language, [name, code, id]);
        let key = self.next_set;
        self.next_set += 1;
        self.sets.insert(
            id.to_owned(),
            Set {
                key,
                language,
                slug: slug.clone(),
                name: name.to_owned(),
                next: 0,
            },
        );
        (key, slug, false)
    }

    /// The new slug of a set that is in another language than this one, which it has from now on;
    /// `None` if it is in this one.
    pub fn move_set(&mut self, id: &str, language: Language, code: &str) -> Option<String> {
        let set = self.sets.get(id).filter(|set| set.language != language)?;
        let (old, name) = ((set.language, set.slug.clone()), set.name.clone());
        self.slugs.remove(&old);
        let slug = self.new_slug(language, [&name, code, id]);
        let set = self.sets.get_mut(id)?;
        (set.language, set.slug) = (language, slug.clone());
        Some(slug)
    }

    /// The number of the set with this id.
    #[must_use]
    pub fn set_key(&self, id: &str) -> Option<i64> {
        self.sets.get(id).map(|set| set.key)
    }

    /// The name of the set with this id.
    #[must_use]
    pub fn set_name(&self, id: &str) -> Option<&str> {
        self.sets.get(id).map(|set| set.name.as_str())
    }

    /// A slug that no set of the language has: from the name if that is free, otherwise with the
    /// code or the id appended.
    fn new_slug(&mut self, language: Language, [name, code, id]: [&str; 3]) -> String {
        let (name, code, id) = (slug(name), slug(code), slug(id));
        let joined = |one: &str, other: &str| {
            if one.is_empty() {
                other.to_owned()
            } else {
                format!("{one}-{other}")
            }
        };
        let of_id = joined(&name, &id);
        let candidates = [name.clone(), joined(&name, &code), of_id.clone()];
        let plain = candidates.into_iter().find(|slug| {
            !slug.is_empty() && !slug.ends_with('-') && self.slugs.insert((language, slug.clone()))
        });
        if let Some(slug) = plain {
            return slug;
        }
        let count = self.counted.entry((language, of_id)).or_insert(1);
        loop {
            *count += 1;
            let slug = joined(&name, &format!("{id}-{count}"));
            if self.slugs.insert((language, slug.clone())) {
                return slug;
            }
        }
    }

    /// The card with this id, which is added if it is new. `place` is its place within the set, if
    /// that is known.
    pub fn card(&mut self, id: &str, set_id: &str, place: Option<i64>) -> Card {
        let next_of_set = self.sets.get(set_id).map_or(0, |set| set.next);
        let set_key = self.sets.get(set_id).map_or(0, |set| set.key);
        let card = match self.cards.get_mut(id) {
            Some(card) => {
                card.place = place.unwrap_or(card.place);
                *card
            }
            None => {
                let card = Card {
                    key: self.next_card,
                    set_key,
                    place: place.unwrap_or(next_of_set),
                    next: 0,
                };
                self.next_card += 1;
                self.cards.insert(id.to_owned(), card);
                card
            }
        };
        if let Some(set) = self.sets.get_mut(set_id) {
            set.next = set.next.max(card.place + 1);
        }
        card
    }

    /// Whether there is a card with this id.
    #[must_use]
    pub fn has_card(&self, id: &str) -> bool {
        self.cards.contains_key(id)
    }

    /// The printing with this id, which is added if it is new. `place` is its place among the
    /// printings of its card, if that is known.
    pub fn printing(
        &mut self,
        id: &str,
        card: (&str, Card),
        language: Language,
        label: &str,
        place: Option<i64>,
    ) -> ItemRecord {
        let (card_id, card) = card;
        let next = self.cards.get(card_id).map_or(0, |card| card.next);
        self.sorted.take();
        let item = self.items.entry(id.to_owned()).or_insert_with(|| {
            self.next_item += 1;
            Item {
                key: self.next_item - 1,
                language,
                sealed: false,
                place: next,
                span: None,
                rank: NO_HEADLINE,
            }
        });
        item.place = place.unwrap_or(item.place);
        let item = *item;
        if let Some(card) = self.cards.get_mut(card_id) {
            card.next = card.next.max(item.place + 1);
        }
        ItemRecord {
            key: item.key,
            marketplace_id: id.to_owned(),
            language,
            card: Some(card.key),
            place: item.place,
            label: label.to_owned(),
            ..ItemRecord::default()
        }
    }

    /// The sealed product with this id, which is added if it is new.
    pub fn sealed(&mut self, id: &str, language: Language) -> ItemRecord {
        self.sorted.take();
        let item = *self.items.entry(id.to_owned()).or_insert_with(|| {
            self.next_item += 1;
            Item {
                key: self.next_item - 1,
                language,
                sealed: true,
                place: 0,
                span: None,
                rank: NO_HEADLINE,
            }
        });
        ItemRecord {
            key: item.key,
            marketplace_id: id.to_owned(),
            language,
            ..ItemRecord::default()
        }
    }

    /// The item with this id.
    #[must_use]
    pub fn item(&self, id: &str) -> Option<&Item> {
        self.items.get(id)
    }

    /// The ids of printings of the card with this id, a few of them; none if there is no such card.
    #[must_use]
    pub fn printings(&self, card: &str) -> Vec<&str> {
        let sorted = self.sorted.get_or_init(|| {
            let mut ids: Vec<String> = self.items.keys().cloned().collect();
            ids.sort_unstable();
            ids
        });
        let begin = format!("{card}:");
        let first = sorted.partition_point(|id| *id < begin);
        let slug = |id: &str| id.strip_prefix(&begin).map(|slug| !slug.contains(':'));
        let printing = |id: &&str| self.items.get(*id).is_some_and(|item| !item.sealed);
        sorted[first..]
            .iter()
            .map(String::as_str)
            .take_while(|id| slug(id) == Some(true))
            .take(PRINTINGS)
            .filter(printing)
            .collect()
    }

    /// Notes what marketplaces call an item.
    pub fn add_product(&mut self, id: &str, ids: MarketIds) {
        for (products, product) in self
            .products
            .iter_mut()
            .zip([ids.tcgplayer, ids.cardmarket])
        {
            let Some(product) = product else { continue };
            let items = products.entry(product).or_default();
            if !items.iter().any(|known| known == id) {
                items.push(id.to_owned());
            }
        }
    }

    /// The own id of the item that a marketplace sells as this product. Of several printings it is the one that
    /// `printing` names: `Holofoil` is `base1-4:unlimited-holofoil` unless a printing has that name
    /// alone.
    ///
    /// # Errors
    /// [`NotPlaced`], if no item is sold as it, or nothing tells which.
    pub fn sold_as(&self, ids: MarketIds, printing: &str) -> Result<&str, NotPlaced> {
        let products = self.products.iter().zip([ids.tcgplayer, ids.cardmarket]);
        let items = products
            .filter_map(|(products, product)| products.get(&product?))
            .next()
            .ok_or(NotPlaced::Unknown)?;
        let wanted = slug(printing);
        let last = |id: &str| id.rsplit(':').next().unwrap_or_default().to_owned();
        let named = |fits: &dyn Fn(&str) -> bool| {
            let mut found = items.iter().filter(|id| fits(&last(id)));
            found.next().filter(|_| found.next().is_none())
        };
        let ending = format!("-{wanted}");
        let one = match items.as_slice() {
            [one] => Some(one),
            _ if wanted.is_empty() => None,
            _ => named(&|name| name == wanted).or_else(|| named(&|name| name.ends_with(&ending))),
        };
        one.map(String::as_str)
            .ok_or_else(|| NotPlaced::Several(items.clone()))
    }

    /// The item with this id, to be changed.
    pub fn item_mut(&mut self, id: &str) -> Option<&mut Item> {
        self.items.get_mut(id)
    }

    /// How many items there are.
    #[must_use]
    pub fn items(&self) -> usize {
        self.items.len()
    }
}

impl From<&ItemRecord> for Item {
    fn from(item: &ItemRecord) -> Self {
        let span = item.first_day.zip(item.last_day);
        Self {
            key: item.key,
            language: item.language,
            sealed: item.card.is_none(),
            place: item.place,
            span,
            // of the same rank as any other until the order of sources is known
            rank: match (item.updated, &item.condition) {
                (None, _) => NO_HEADLINE,
                (Some(_), None) => 0,
                (Some(_), Some(_)) => CONDITIONED,
            },
        }
    }
}

/// A name for paths: lower-case ASCII letters and digits, with a hyphen in place of anything else.
#[must_use]
pub fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for letter in name.nfkd() {
        if letter.is_ascii_alphanumeric() {
            slug.push(letter.to_ascii_lowercase());
        } else if !matches!(letter, '\u{300}'..='\u{36f}' | '\'' | '’')
            && !slug.is_empty()
            && !slug.ends_with('-')
        {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

#[cfg(test)]
mod tests {
    use super::{Language, LoadIndex, slug};
    use std::collections::HashSet;

    #[test]
    fn slug_is_lower_case_ascii() {
        assert_eq!(slug("Scarlet & Violet—151"), "scarlet-violet-151");
        assert_eq!(slug("Pokémon GO"), "pokemon-go");
        assert_eq!(
            slug("McDonald's Collection 2019"),
            "mcdonalds-collection-2019"
        );
        assert_eq!(slug("メガ プロモカード"), "");
    }

    #[test]
    fn slugs_are_unique_within_a_language() {
        let mut known = LoadIndex {
            next_set: 1,
            ..LoadIndex::default()
        };
        let mut slug =
            |id: &str, language, name: &str, code: &str| known.set(id, language, name, code).1;
        assert_eq!(slug("a", Language::English, "Promos", "pr"), "promos");
        assert_eq!(slug("b", Language::English, "Promos", "xy"), "promos-xy");
        assert_eq!(slug("c", Language::English, "Promos", "xy"), "promos-c");
        assert_eq!(slug("d", Language::Japanese, "Promos", "xy"), "promos");
        assert_eq!(
            slug("asia:M-P", Language::Japanese, "プロモ", ""),
            "asia-m-p"
        );
        assert_eq!(slug("a", Language::English, "Other", ""), "promos");
    }

    /// Each takes one step: 20,000 of them, tried from the first count on, are 200 million.
    #[test]
    fn sets_without_a_latin_letter_are_counted() {
        let mut known = LoadIndex::default();
        let slugs: HashSet<String> = (0..20_000_u32)
            .map(|number| {
                let letter = |digit| char::from_u32(0x4e00 + digit).unwrap_or('夢');
                let id: String = [number / 100, number % 100].map(letter).iter().collect();
                known.set(&id, Language::Japanese, "プロモ", "").1
            })
            .collect();
        assert_eq!(slugs.len(), 20_000);
    }
}
