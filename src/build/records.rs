//! Rows → the records of an index.

use super::card::{
    Numbers, card_text, date, distinct, first_name, flags, index_of, local_aliases, natural,
};
use super::rows::{CardRow, Printing, SetRow, game_or_first};
use super::{BYTE, Builder, SHORT, WIDE, within};
use crate::catalogue::format::{
    CardRecord, CoreRecord, MOST_SUBJECTS, MarketRecord, NONE, NameRecord, SetRecord, U24,
    card_flag, set_flag,
};
use crate::catalogue::{Entry, EntryKind};
use crate::derive::pairs_of;
use crate::error::{Error, ErrorKind};
use crate::sort::{sort_by_cached_key, sort_by_key};
use crate::stats::is_of_promos;
use crate::token::key_of;
use crate::word_lists::{PROMO_WORDS, has};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use zerocopy::little_endian::{U16, U32, U64};

/// What a title says of games is a bit for each.
const MOST_GAMES: usize = 32;

/// The values that cards share, each once.
pub(super) struct Values<'r> {
    pub(super) numbers: Numbers<'r>,
    /// Rarities and rarity marks.
    pub(super) rarities: Vec<&'r str>,
    pub(super) languages: Vec<&'r str>,
    pub(super) codes: Vec<&'r str>,
    pub(super) products: Vec<&'r str>,
    pub(super) artists: Vec<&'r str>,
}

impl<'r> Values<'r> {
    /// Those of `cards`.
    ///
    /// # Errors
    /// [`ErrorKind::TooLarge`] if they are more than the format has numbers for.
    pub(super) fn of(cards: &[&'r CardRow]) -> Result<Values<'r>, Error> {
        let numbers = Numbers::of(
            cards
                .iter()
                .flat_map(|c| [c.number.as_str(), c.total.as_str()]),
        )?;

        let rarities = distinct(
            "rarities and rarity marks",
            BYTE,
            cards
                .iter()
                .flat_map(|c| [c.rarity.as_str(), c.mark.as_str()]),
        )?;
        let languages = distinct("languages", BYTE, cards.iter().map(|c| c.language.as_str()))?;
        let codes = distinct(
            "language codes",
            BYTE,
            cards.iter().flat_map(|c| &c.names).map(|n| n.0.as_str()),
        )?;
        let products = distinct("products", SHORT, cards.iter().map(|c| c.product.as_str()))?;
        let artists = distinct(
            "illustrators",
            SHORT,
            cards.iter().map(|c| c.illustrator.as_str()),
        )?;
        Ok(Values {
            numbers,
            rarities,
            languages,
            codes,
            products,
            artists,
        })
    }
}

/// Lists that cards share, each once; number 0 is the empty one.
pub(super) struct Distinct<'r, T> {
    pub(super) all: Vec<&'r [T]>,
    numbers: HashMap<&'r [T], u32>,
}

impl<'r, T: Eq + Hash> Distinct<'r, T> {
    fn new() -> Self {
        Distinct {
            all: vec![&[]],
            numbers: HashMap::from([(&[][..], 0)]),
        }
    }

    /// The number of `list`, given at first sight.
    fn number(&mut self, list: &'r [T]) -> u32 {
        *self.numbers.entry(list).or_insert_with(|| {
            self.all.push(list);
            (self.all.len() - 1) as u32
        })
    }
}

/// The lists of cards: their printings, and their names by language.
pub(super) struct Lists<'r> {
    pub(super) printings: Distinct<'r, Printing>,
    pub(super) locals: Distinct<'r, (String, String)>,
}

/// The cards of each name, and the cards of each core.
pub(super) struct Postings {
    core_cards: Vec<Vec<u32>>,
    name_counts: Vec<u32>,
    name_cores: Vec<u32>,
}

/// The records of cores, and what follows from them.
pub(super) struct Cores {
    pub(super) records: Vec<CoreRecord>,
    /// The cards of each.
    pub(super) cards: Vec<U24>,
    /// For each subject, by number from 1 on, its core; 0 for none.
    pub(super) subjects: Vec<U32>,
    /// Those of several subjects, by the first.
    pub(super) pairs: Vec<U24>,
}

/// `cards` in the order of their sets and numbers.
pub(super) fn in_order<'r>(
    cards: impl Iterator<Item = &'r CardRow>,
    set_numbers: &HashMap<String, u32>,
) -> Vec<&'r CardRow> {
    let mut cards: Vec<&CardRow> = cards.collect();
    sort_by_cached_key(&mut cards, |&c| {
        (
            set_numbers.get(&c.set).copied().unwrap_or(u32::MAX),
            natural(&c.number),
            c.id.as_str(),
        )
    });
    cards
}

/// The ids of `cards`, ascending.
///
/// # Errors
/// [`ErrorKind::Duplicate`] if two are the same.
pub(super) fn ids_of<'r>(cards: &[&'r CardRow]) -> Result<Vec<(&'r str, u32)>, Error> {
    let mut ids: Vec<(&str, u32)> = cards
        .iter()
        .enumerate()
        .map(|(i, c)| (c.id.as_str(), i as u32))
        .collect();
    ids.sort_unstable();
    if let Some(twin) = ids.windows(2).find(|w| w[0].0 == w[1].0) {
        return Err(Error::new(
            ErrorKind::Duplicate,
            format!("card `{}` is given twice", twin[0].0),
        ));
    }
    Ok(ids)
}

/// Whether the source or the set's name says that its cards are promos. Few sources give each card
/// that rarity.
fn is_promo(set: &SetRow) -> bool {
    let game = game_or_first(&set.game);
    let names = set.names.iter().map(|n| &n.1).chain([&set.english]);
    set.promos
        || names
            .flat_map(|name| name.split([' ', '(', ')']))
            .any(|word| has(PROMO_WORDS, game, word))
}

/// What marketplaces call the printings of `cards`, by card and printing.
///
/// # Errors
/// [`ErrorKind::TooLarge`] if an id, or the place of a printing that has one, is higher than the
/// format has numbers for.
pub(super) fn market_records(cards: &[&CardRow]) -> Result<Vec<MarketRecord>, Error> {
    let mut records = Vec::new();
    for (number, card) in (0..).zip(cards) {
        let sold = card.market_ids.iter().enumerate();
        for (place, ids) in sold.filter(|(_, ids)| !ids.is_empty()) {
            within("printings of one card with marketplace ids", place, BYTE)?;
            let id = |id: Option<u32>| {
                let id = id.unwrap_or(0);
                if id < NONE {
                    return Ok(U24::new(id));
                }
                let card = &card.id;
                let message = format!("card `{card}`: no marketplace has an id as high as {id}");
                Err(Error::new(ErrorKind::TooLarge, message))
            };
            records.push(MarketRecord {
                card: U24::new(number),
                printing: place as u8,
                tcgplayer: id(ids.tcgplayer)?,
                cardmarket: id(ids.cardmarket)?,
            });
        }
    }
    Ok(records)
}

impl Builder<'_> {
    /// The place of a set's region in its game; [`super::build_game`] refuses unknown ones.
    fn region(&self, set: &SetRow) -> u8 {
        self.game.region_called(&set.region).unwrap_or(0) as u8
    }

    /// The records of `cards`, the name of each, and the lists that they share.
    pub(super) fn card_records<'r>(
        &mut self,
        cards: &[&'r CardRow],
        values: &Values<'r>,
    ) -> Result<(Vec<CardRecord>, Vec<u32>, Lists<'r>), Error> {
        let mut lists = Lists {
            printings: Distinct::new(),
            locals: Distinct::new(),
        };
        // cards that share a name come by the thousand: what follows from it is worked out once
        let mut known_names = HashMap::new();
        let mut aliased: HashSet<(u32, &str, u32)> = HashSet::new();
        let mut records: Vec<CardRecord> = Vec::with_capacity(cards.len());
        let mut card_names: Vec<u32> = Vec::with_capacity(cards.len());
        for (index, card) in cards.iter().enumerate() {
            let name_number = self.name_of(card, &mut known_names);
            card_names.push(name_number);
            let printings = lists.printings.number(&card.printings);
            let locals = lists.locals.number(&card.names);
            if aliased.insert((locals, &card.english, name_number)) {
                for (quality, alias) in local_aliases(card) {
                    // `Karte`, the German name of a map, is what every German title says
                    let own = alias == card.english || alias == *first_name(&card.names, "en");
                    if !own && self.vocabulary.is_common(&key_of(&alias)) {
                        continue;
                    }
                    self.lexicon_add(
                        &alias,
                        Entry::new(EntryKind::Name, quality as u8, name_number),
                    );
                }
            }
            let (number, number_text) = values.numbers.of_text(&card.number);
            let (total, total_text) = values.numbers.of_text(&card.total);
            records.push(CardRecord {
                id: self.strings.get(&card.id),
                name: U24::new(name_number),
                locals: U24::new(locals),
                text: self.strings.get(card_text(card)),
                set: U24::new(self.set_numbers.get(&card.set).copied().unwrap_or(NONE)),
                number: U24::new(number),
                total: U24::new(total),
                product: U16::new(index_of(&values.products, &card.product) as u16),
                illustrator: U16::new(index_of(&values.artists, &card.illustrator) as u16),
                // more of them are refused below
                printings: U16::new(printings as u16),
                flags: U16::new(flags(card, self.game.category(&card.category))),
                number_text,
                total_text,
                hp: u8::try_from(card.hp / 10).unwrap_or(0),
                rarity: index_of(&values.rarities, &card.rarity) as u8,
                mark: index_of(&values.rarities, &card.mark) as u8,
                language: index_of(&values.languages, &card.language) as u8,
            });
            debug_assert_eq!(records.len(), index + 1);
        }
        within(
            "different lists of printings",
            lists.printings.all.len(),
            SHORT,
        )?;
        within(
            "different lists of local names",
            lists.locals.all.len(),
            WIDE,
        )?;
        Ok((records, card_names, lists))
    }

    /// The posting lists of names and cores for cards with these names.
    pub(super) fn postings(&self, card_names: &[u32]) -> Postings {
        let mut core_cards: Vec<Vec<u32>> = vec![Vec::new(); self.cores.len()];
        let mut name_counts = vec![0u32; self.names.len()];
        let name_cores: Vec<u32> = self
            .names
            .iter()
            .map(|(parts, _)| self.cores[&parts.core].0)
            .collect();
        for (card, &name) in card_names.iter().enumerate() {
            name_counts[name as usize] += 1;
            core_cards[name_cores[name as usize] as usize].push(card as u32);
        }
        Postings {
            core_cards,
            name_counts,
            name_cores,
        }
    }

    /// The games of all sets, in order.
    ///
    /// # Errors
    /// [`ErrorKind::TooLarge`] if they are more than the format has numbers for.
    pub(super) fn games(&self) -> Result<Vec<String>, Error> {
        let games: BTreeSet<&str> = self.sets.iter().map(SetRow::game).collect();
        within("games", games.len(), MOST_GAMES)?;
        Ok(games.into_iter().map(str::to_owned).collect())
    }

    /// The records of all sets.
    pub(super) fn set_records(
        &mut self,
        cards: &[&CardRow],
        records: &[CardRecord],
        games: &[String],
    ) -> Vec<SetRecord> {
        let regions: Vec<u8> = self.sets.iter().map(|set| self.region(set)).collect();
        let apart = regions.iter().any(|&region| region != 0);
        let japanese = |card: &&CardRow| !first_name(&card.names, "ja").is_empty();
        let named = cards.iter().any(japanese);
        let mut set_records: Vec<SetRecord> = Vec::with_capacity(self.sets.len());
        for (number, set) in self.sets.clone().iter().enumerate() {
            let first = records.partition_point(|r| (r.set.get() as usize) < number);
            let count = records[first..].partition_point(|r| r.set.get() as usize == number);
            let unprinted = count > 0
                && records[first..first + count]
                    .iter()
                    .all(|r| r.flags.get() & card_flag::UNPRINTED != 0);
            let promo = is_promo(set)
                || count > 0
                    && cards[first..first + count]
                        .iter()
                        .filter(|c| is_of_promos(&c.rarity) || c.total.contains('-'))
                        .count()
                        * 2
                        > count;
            // a game of several regions has sets of its Japanese cards; of another's cards the
            // source may lack the Japanese names
            let japanese_too = !apart && named;
            let folders = &self.dictionary.folders;
            let folder = folders.iter().position(|game| game.id == self.game.id);
            let coded = folder.is_some_and(|at| self.dictionary.codes.games() & 1 << at != 0);
            let english = [&set.english, first_name(&set.names, "en")]
                .into_iter()
                .find(|n| !n.is_empty())
                .cloned();
            let local = set
                .names
                .iter()
                .map(|n| &n.1)
                .find(|n| !n.is_empty())
                .cloned()
                .unwrap_or_default();
            set_records.push(SetRecord {
                id: self.strings.get(&set.id),
                code: self.strings.get(&set.code),
                name: self
                    .strings
                    .get(english.as_deref().unwrap_or(if local.is_empty() {
                        &set.id
                    } else {
                        &local
                    })),
                local_name: self.strings.get(first_name(&set.names, "ja")),
                series: self.strings.get(&set.series),
                first: U24::new(first as u32),
                count: U24::new(count as u32),
                released: U32::new(date(&set.released)),
                official: U16::new(set.official),
                region: regions[number],
                game: games
                    .iter()
                    .position(|game| game == set.game())
                    .unwrap_or(0) as u8,
                flags: [
                    (unprinted, set_flag::UNPRINTED),
                    (promo, set_flag::PROMO),
                    (japanese_too, set_flag::JAPANESE_TOO),
                    (self.game.reprints_keep_number, set_flag::REPRINTED),
                    (coded, set_flag::CODED),
                    (self.game.copies.contains(&set.id), set_flag::COPIES),
                ]
                .into_iter()
                .filter(|(holds, _)| *holds)
                .fold(0, |flags, (_, flag)| flags | flag),
            });
        }
        set_records
    }

    /// The records of all cores.
    pub(super) fn core_records(&mut self, records: &[CardRecord], of: &mut Postings) -> Cores {
        let mut core_records = vec![CoreRecord::default(); self.cores.len()];
        let mut postings: Vec<U24> = Vec::with_capacity(records.len());
        let mut subjects: Vec<U32> = vec![U32::new(0); MOST_SUBJECTS];
        let mut by_number: Vec<(String, u32, Vec<u16>)> = self
            .cores
            .iter()
            .map(|(key, (number, subjects))| {
                (key.clone(), *number, subjects.iter().copied().collect())
            })
            .collect();
        sort_by_key(&mut by_number, |c| c.1);
        let subject_names = self.subject_names();
        for (key, number, of_core) in by_number {
            let list = &mut of.core_cards[number as usize];
            // by number, so that those of one number are found in a long list by bisection
            sort_by_key(list, |&card| {
                (records[card as usize].printed_number(), card)
            });
            let mut record = CoreRecord {
                key: self.strings.get(&key),
                text: self
                    .strings
                    .get(&self.core_text(&subject_names, &key, number)),
                first: U24::new(postings.len() as u32),
                count: U24::new(list.len() as u32),
                ..CoreRecord::default()
            };
            for (slot, one) in record.subjects.iter_mut().zip(&of_core) {
                *slot = U16::new(*one);
            }
            if let [one] = of_core[..]
                && let Some(slot) = subjects.get_mut(one as usize)
            {
                *slot = U32::new(number + 1);
            }
            core_records[number as usize] = record;
            postings.extend(list.iter().map(|&card| U24::new(card)));
        }
        Cores {
            pairs: pairs_of(&core_records),
            records: core_records,
            cards: postings,
            subjects,
        }
    }

    /// The records of all names.
    pub(super) fn name_records(&mut self, of: &Postings) -> Vec<NameRecord> {
        self.names
            .iter()
            .zip(of.name_counts.iter().zip(&of.name_cores))
            .map(|((parts, text), (&count, &core))| NameRecord {
                text: self.strings.get(text),
                core: U24::new(core),
                rest: self.strings.get(&parts.rest),
                marks: [
                    U64::new(parts.marks.0 as u64),
                    U64::new((parts.marks.0 >> 64) as u64),
                ],
                cards: U24::new(count),
            })
            .collect()
    }
}
