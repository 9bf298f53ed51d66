//! What cards share: numbers, rarities, languages, products, illustrators, words of products.

use super::{Part, Shared, Texts, within};
use crate::catalogue::EntryKind;
use crate::catalogue::format::{ArtistRecord, NONE, ProductRecord, U24, pack_number};
use crate::error::Error;
use crate::pack::tables::Lists;
use crate::sort::sort_by;
use rustc_hash::FxHashMap;
use zerocopy::little_endian::{U16, U32};

const BYTE: usize = u8::MAX as usize;
const SHORT: usize = u16::MAX as usize;
/// What a title says of games is a bit for each.
const MOST_GAMES: usize = 32;

/// The values of all parts.
pub(super) struct Values<'p> {
    pub(super) rarities: Shared<'p>,
    pub(super) languages: Shared<'p>,
    pub(super) codes: Shared<'p>,
    pub(super) games: Shared<'p>,
    pub(super) products: Shared<'p>,
    pub(super) artists: Shared<'p>,
    /// The spellings of each number, by number.
    numbers: Vec<Vec<&'p str>>,
    /// The number of each spelling, and its place among those of the number.
    places: FxHashMap<&'p str, (u32, u8)>,
    /// For each part the number of each of its words of products.
    pub(super) words: Vec<Vec<u16>>,
    /// Cards that came with a product that has the word.
    pub(super) word_cards: Vec<U32>,
}

impl<'p> Values<'p> {
    pub(super) fn of(parts: &'p [Part]) -> Result<Values<'p>, Error> {
        fn texts<'p>(part: &'p Part, numbers: &'p [U24]) -> impl Iterator<Item = &'p str> {
            numbers.iter().map(|&number| part.text(number))
        }
        let rarities = parts
            .iter()
            .flat_map(|part| texts(part, &part.tables.rarities));
        let languages = parts
            .iter()
            .flat_map(|part| texts(part, &part.tables.languages));
        let codes = parts
            .iter()
            .flat_map(|part| texts(part, &part.tables.codes));
        let games = parts
            .iter()
            .flat_map(|part| texts(part, &part.tables.games));
        let products = parts.iter().flat_map(|part| {
            let products = part.tables.products.iter();
            products.map(|product| part.text(product.text))
        });
        let artists = parts.iter().flat_map(|part| {
            let artists = part.tables.artists.iter();
            artists.map(|artist| part.text(artist.name))
        });
        let (numbers, places) = numbers(parts)?;
        let (words, word_cards) = words(parts)?;
        Ok(Values {
            rarities: Shared::of("rarities and rarity marks", BYTE, rarities)?,
            languages: Shared::of("languages", BYTE, languages)?,
            codes: Shared::of("language codes", BYTE, codes)?,
            games: Shared::of("games", MOST_GAMES, games)?,
            products: Shared::of("products", SHORT, products)?,
            artists: Shared::of("illustrators", SHORT, artists)?,
            numbers,
            places,
            words,
            word_cards,
        })
    }

    /// The number of a spelling, and its place among those of the number.
    pub(super) fn number(&self, text: &str) -> (u32, u8) {
        self.places.get(text).copied().unwrap_or((NONE, 0))
    }

    /// The spellings of all numbers.
    pub(super) fn number_texts(&self, texts: &mut Texts) -> Lists<U24> {
        let mut lists = Lists::default();
        for spellings in &self.numbers {
            lists
                .all
                .extend(spellings.iter().map(|text| texts.get(text)));
            lists.starts.push(U32::new(lists.all.len() as u32));
        }
        lists
    }

    /// The records of products, and their words one after another.
    pub(super) fn products(
        &self,
        parts: &[Part],
        texts: &mut Texts,
    ) -> (Vec<ProductRecord>, Vec<U16>) {
        let mut records = vec![None; self.products.all.len()];
        let mut flat: Vec<U16> = Vec::new();
        for (part, words) in parts.iter().zip(&self.words) {
            for product in &part.tables.products {
                let text = part.text(product.text);
                let Some(slot @ None) = records.get_mut(self.products.place(text)) else {
                    continue;
                };
                let from = product.first.get() as usize;
                let to = from.saturating_add(usize::from(product.count.get()));
                let own = part.tables.product_words.get(from..to).unwrap_or(&[]);
                let first = flat.len();
                let moved = own
                    .iter()
                    .filter_map(|word| words.get(usize::from(word.get())));
                flat.extend(moved.map(|&word| U16::new(word)));
                *slot = Some(ProductRecord {
                    text: texts.get(text),
                    first: U32::new(first as u32),
                    count: U16::new((flat.len() - first) as u16),
                    year: product.year,
                });
            }
        }
        let records = records.into_iter().map(Option::unwrap_or_default);
        (records.collect(), flat)
    }

    /// The records of illustrators.
    pub(super) fn artists(&self, parts: &[Part], texts: &mut Texts) -> Vec<ArtistRecord> {
        let mut cards = vec![0; self.artists.all.len()];
        for part in parts {
            for artist in &part.tables.artists {
                if let Some(count) = cards.get_mut(self.artists.place(part.text(artist.name))) {
                    *count += artist.cards.get();
                }
            }
        }
        let all = self.artists.all.iter().zip(cards);
        all.map(|(name, cards)| ArtistRecord {
            name: texts.get(name),
            cards: U24::new(cards.min(U24::MAX)),
        })
        .collect()
    }
}

type Numbers<'p> = (Vec<Vec<&'p str>>, FxHashMap<&'p str, (u32, u8)>);

/// The spellings of each number, ascending.
fn numbers(parts: &[Part]) -> Result<Numbers<'_>, Error> {
    let mut all: Vec<(u64, &str)> = Vec::new();
    for part in parts {
        let texts = part.tables.texts.all.iter().map(|&text| part.text(text));
        all.extend(texts.map(|text| (pack_number(text), text)));
    }
    sort_by(&mut all, Ord::cmp);
    all.dedup();
    let all = all.chunk_by(|a, b| a.0 == b.0);
    let mut places = FxHashMap::default();
    let mut numbers = Vec::new();
    for (number, spellings) in (0..).zip(all) {
        within("spellings of one number", spellings.len(), BYTE)?;
        let spellings: Vec<&str> = spellings.iter().map(|(_, text)| *text).collect();
        let placed = spellings.iter().zip(0..);
        places.extend(placed.map(|(&text, which)| (text, (number, which))));
        numbers.push(spellings);
    }
    within("different numbers", numbers.len(), NONE as usize)?;
    Ok((numbers, places))
}

/// For each part the new numbers of its words of products, and the cards of each word. A word is
/// known by the keys that lead to it alone.
fn words(parts: &[Part]) -> Result<(Vec<Vec<u16>>, Vec<U32>), Error> {
    let mut by_key: FxHashMap<&str, usize> = FxHashMap::default();
    let mut cards: Vec<u32> = Vec::new();
    let mut moved = Vec::with_capacity(parts.len());
    for part in parts {
        let lexicon = &part.lexicon;
        let of_word = |pair: &&_| {
            let (_, _, entry): &(u32, u32, crate::catalogue::Entry) = pair;
            entry.kind() == EntryKind::Word
        };
        let groups = lexicon
            .pairs
            .chunk_by(|a, b| lexicon.key(a) == lexicon.key(b));
        let keys: Vec<(&str, usize)> = groups
            .filter_map(|group| {
                let mut of_key = group.iter().filter(of_word);
                let one = of_key.next()?;
                let alone = of_key.next().is_none();
                alone.then(|| (lexicon.key(one), one.2.id() as usize))
            })
            .collect();
        let mut numbers: Vec<Option<usize>> = vec![None; part.tables.word_cards.len()];
        for (key, word) in &keys {
            if let (Some(slot), Some(&known)) = (numbers.get_mut(*word), by_key.get(key)) {
                *slot = Some(known);
            }
        }
        for (slot, own) in numbers.iter_mut().zip(&part.tables.word_cards) {
            let number = *slot.get_or_insert_with(|| {
                cards.push(0);
                cards.len() - 1
            });
            if let Some(count) = cards.get_mut(number) {
                *count = count.saturating_add(own.get());
            }
        }
        for (key, word) in keys {
            if let Some(&Some(number)) = numbers.get(word) {
                by_key.insert(key, number);
            }
        }
        within("words of products", cards.len(), SHORT)?;
        let numbers = numbers.into_iter().flatten();
        moved.push(numbers.map(|number| number as u16).collect());
    }
    Ok((moved, cards.into_iter().map(U32::new).collect()))
}
