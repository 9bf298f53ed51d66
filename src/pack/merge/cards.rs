//! Sets, cards, names and cores of all parts, in the order and with the numbers that a builder of
//! all their rows gives them.

use super::values::Values;
use super::{Part, Texts, within};
use crate::catalogue::format::{
    CardRecord, CoreRecord, LocalName, MarketRecord, NONE, NameRecord, PrintingRecord, SetRecord,
    U24,
};
use crate::error::{Error, ErrorKind};
use crate::pack::tables::Lists;
use crate::sort::{sort_by_cached_key, sort_by_key};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;
use zerocopy::little_endian::{U16, U32};

/// The most different lists of printings.
const MOST_PRINTINGS: usize = u16::MAX as usize;

/// The new numbers of what a part has, each under its own; [`NONE`] where it is left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Moved {
    pub(super) sets: Vec<u32>,
    pub(super) cards: Vec<u32>,
    pub(super) names: Vec<u32>,
    pub(super) cores: Vec<u32>,
}

/// The records of all parts.
#[derive(Default)]
pub(super) struct Cards {
    pub(super) sets: Vec<SetRecord>,
    pub(super) records: Vec<CardRecord>,
    pub(super) names: Vec<NameRecord>,
    pub(super) cores: Vec<CoreRecord>,
    pub(super) locals: Lists<LocalName>,
    pub(super) printings: Lists<PrintingRecord>,
    pub(super) market_ids: Vec<MarketRecord>,
    /// Of each part.
    pub(super) moved: Vec<Moved>,
}

/// Lists that cards share, each once; number 0 is the empty one.
struct Distinct<K, T> {
    numbers: FxHashMap<Vec<K>, u32>,
    lists: Lists<T>,
}

impl<K: Eq + Hash, T> Distinct<K, T> {
    fn new() -> Self {
        let mut lists = Lists::default();
        lists.starts.push(U32::new(0));
        Distinct {
            numbers: FxHashMap::from_iter([(Vec::new(), 0)]),
            lists,
        }
    }

    /// The number of a list, given at first sight.
    fn number(&mut self, key: Vec<K>, list: impl IntoIterator<Item = T>) -> u32 {
        let lists = &mut self.lists;
        *self.numbers.entry(key).or_insert_with(|| {
            lists.all.extend(list);
            lists.starts.push(U32::new(lists.all.len() as u32));
            (lists.len() - 1) as u32
        })
    }
}

/// The names and cores that were met.
#[derive(Default)]
struct Names<'p> {
    cores: FxHashMap<&'p str, u32>,
    /// Cores that parts write differently.
    disputed: FxHashSet<u32>,
    names: FxHashMap<(u32, u128, &'p str), u32>,
}

impl Cards {
    pub(super) fn of(
        parts: &[Part],
        values: &Values<'_>,
        texts: &mut Texts,
    ) -> Result<Cards, Error> {
        let mut cards = Cards {
            moved: parts.iter().map(unmoved).collect(),
            ..Cards::default()
        };
        let mut names = Names::default();
        let mut printings = Distinct::new();
        let mut locals = Distinct::new();
        for (of, place) in in_order(parts)? {
            let part = &parts[of];
            let Some(set) = part.tables.sets.get(place) else {
                continue;
            };
            let number = cards.sets.len() as u32;
            cards.moved[of].sets[place] = number;
            let first = cards.records.len() as u32;
            let from = set.first.get() as usize;
            let to = from.saturating_add(set.count.get() as usize);
            let own = part.tables.cards.get(from..to).unwrap_or(&[]);
            for (card, at) in own.iter().zip(from..) {
                cards.moved[of].cards[at] = cards.records.len() as u32;
                let name = cards.name(part, of, card.name, &mut names, texts);
                let (list, labels) = printings_of(part, card, texts);
                let printing = printings.number(list, labels);
                let (list, local) = locals_of(part, card, values, texts);
                let local = locals.number(list, local);
                let spelling = |number, which| part.text(part.tables.spelling(number, which));
                let (number_of, number_text) =
                    values.number(spelling(card.number, card.number_text));
                let (total, total_text) = values.number(spelling(card.total, card.total_text));
                cards.records.push(CardRecord {
                    id: texts.get(part.text(card.id)),
                    name: U24::new(name),
                    locals: U24::new(local),
                    text: texts.get(part.text(card.text)),
                    set: U24::new(number),
                    number: U24::new(number_of),
                    total: U24::new(total),
                    product: U16::new(place_of(part, card, Of::Product, values) as u16),
                    illustrator: U16::new(place_of(part, card, Of::Artist, values) as u16),
                    // more of them are refused below
                    printings: U16::new(printing as u16),
                    number_text,
                    total_text,
                    rarity: place_of(part, card, Of::Rarity, values) as u8,
                    mark: place_of(part, card, Of::Mark, values) as u8,
                    language: place_of(part, card, Of::Language, values) as u8,
                    ..*card
                });
            }
            let game = part.tables.games.get(usize::from(set.game));
            let game = game.map_or("", |&game| part.text(game));
            let mut moved = |text: U24| texts.get(part.text(text));
            cards.sets.push(SetRecord {
                id: moved(set.id),
                code: moved(set.code),
                name: moved(set.name),
                local_name: moved(set.local_name),
                series: moved(set.series),
                first: U24::new(first),
                count: U24::new(cards.records.len() as u32 - first),
                game: values.games.place(game) as u8,
                ..*set
            });
        }
        within("cards", cards.records.len(), NONE as usize)?;
        within("lists of printings", printings.lists.len(), MOST_PRINTINGS)?;
        (cards.printings, cards.locals) = (printings.lists, locals.lists);
        cards.refuse_twins(texts)?;
        cards.settle_cores(&names.disputed, texts);
        cards.count_names(parts);
        cards.sell(parts);
        Ok(cards)
    }

    /// The number of a card's name, given at first sight with that of its core.
    fn name<'p>(
        &mut self,
        part: &'p Part,
        of: usize,
        old: U24,
        known: &mut Names<'p>,
        texts: &mut Texts,
    ) -> u32 {
        let old = old.get() as usize;
        match self.moved[of].names.get(old) {
            Some(&NONE) => {}
            Some(&number) => return number,
            None => return NONE,
        }
        let tables = &part.tables;
        let Some((name, core)) = tables.names.get(old).and_then(|name| {
            let core = tables.cores.get(name.core.get() as usize)?;
            Some((name, core))
        }) else {
            return NONE;
        };
        let key = part.text(core.key);
        let number = *known.cores.entry(key).or_insert_with(|| {
            self.cores.push(CoreRecord {
                key: texts.get(key),
                text: texts.get(part.text(core.text)),
                ..CoreRecord::default()
            });
            self.cores.len() as u32 - 1
        });
        self.moved[of].cores[name.core.get() as usize] = number;
        let written = texts.get(part.text(core.text));
        let before = self.cores.get(number as usize).map(|core| core.text.get());
        if before != Some(written.get()) {
            known.disputed.insert(number);
        }
        if let Some(core_of) = self.cores.get_mut(number as usize)
            && core_of.subjects[0].get() == 0
            && core.subjects[0].get() != 0
        {
            // a subject is called so whoever else has its name
            core_of.subjects = core.subjects;
            core_of.text = texts.get(part.text(core.text));
        }
        let rest = part.text(name.rest);
        let parts_of = (number, name.marks().0, rest);
        let at = *known.names.entry(parts_of).or_insert_with(|| {
            self.names.push(NameRecord {
                text: texts.get(part.text(name.text)),
                core: U24::new(number),
                rest: texts.get(rest),
                marks: name.marks,
                cards: U24::new(0),
            });
            self.names.len() as u32 - 1
        });
        self.moved[of].names[old] = at;
        at
    }

    /// Refuses two sets or cards with one id.
    fn refuse_twins(&self, texts: &Texts) -> Result<(), Error> {
        let set = twin(self.sets.iter().map(|set| set.id));
        let card = twin(self.records.iter().map(|card| card.id));
        let (what, id) = match (set, card) {
            (Some(set), _) => ("set", set),
            (None, Some(card)) => ("card", card),
            (None, None) => return Ok(()),
        };
        let message = format!(
            "{what} `{}` is in two of the catalogues: open each card once",
            texts.of(id)
        );
        Err(Error::new(ErrorKind::Duplicate, message))
    }

    /// Writes cores that parts write differently as a builder does: as the name with the fewest
    /// other parts, of those the first. Subjects have names of their own.
    fn settle_cores(&mut self, disputed: &FxHashSet<u32>, texts: &Texts) {
        let mut plain: FxHashMap<u32, (usize, U24)> = FxHashMap::default();
        for name in &self.names {
            let core = name.core.get();
            if disputed.contains(&core) {
                let beside = name.marks().count() as usize + texts.of(name.rest).len();
                let best = plain.entry(core).or_insert((beside, name.text));
                if beside < best.0 {
                    *best = (beside, name.text);
                }
            }
        }
        for (core, (_, text)) in plain {
            let core = self.cores.get_mut(core as usize);
            if let Some(core) = core.filter(|core| core.subjects[0].get() == 0) {
                core.text = text;
            }
        }
    }

    /// Counts the cards of names and cores, and numbers the cards of each core.
    fn count_names(&mut self, parts: &[Part]) {
        for (part, moved) in parts.iter().zip(&self.moved) {
            for (name, &at) in part.tables.names.iter().zip(&moved.names) {
                if let Some(record) = self.names.get_mut(at as usize) {
                    record.cards = U24::new((record.cards.get() + name.cards.get()).min(U24::MAX));
                }
            }
        }
        for card in &self.records {
            let name = self.names.get(card.name.get() as usize);
            let core = name.and_then(|name| self.cores.get_mut(name.core.get() as usize));
            if let Some(core) = core {
                core.count = U24::new(core.count.get() + 1);
            }
        }
        let mut first = 0;
        for core in &mut self.cores {
            core.first = U24::new(first);
            first += core.count.get();
        }
    }

    /// What marketplaces call printings, by card and printing.
    fn sell(&mut self, parts: &[Part]) {
        for (part, moved) in parts.iter().zip(&self.moved) {
            let sold = part.tables.market_ids.iter().filter_map(|record| {
                let card = *moved.cards.get(record.card.get() as usize)?;
                (card != NONE).then_some(MarketRecord {
                    card: U24::new(card),
                    ..*record
                })
            });
            self.market_ids.extend(sold);
        }
        sort_by_key(&mut self.market_ids, |record| {
            (record.card.get(), record.printing)
        });
    }
}

/// The first number that comes again.
fn twin(mut ids: impl Iterator<Item = U24>) -> Option<U24> {
    let mut met = FxHashSet::default();
    ids.find(|id| !met.insert(id.get()))
}

/// Nothing of a part has a number yet.
fn unmoved(part: &Part) -> Moved {
    let tables = &part.tables;
    Moved {
        sets: vec![NONE; tables.sets.len()],
        cards: vec![NONE; tables.cards.len()],
        names: vec![NONE; tables.names.len()],
        cores: vec![NONE; tables.cores.len()],
    }
}

/// Part and place of all sets, in the order of a builder: those of further regions first, by release and id.
fn in_order(parts: &[Part]) -> Result<Vec<(usize, usize)>, Error> {
    let of_part = |(of, part): (usize, &Part)| {
        let places = 0..part.tables.sets.len();
        places.map(move |place| (of, place)).collect::<Vec<_>>()
    };
    let mut sets: Vec<(usize, usize)> = parts.iter().enumerate().flat_map(of_part).collect();
    within("sets", sets.len(), NONE as usize)?;
    sort_by_cached_key(&mut sets, |&(of, place)| {
        let set = &parts[of].tables.sets[place];
        let id = parts[of].text(set.id).to_owned();
        (!set.is_regional(), set.released.get(), id)
    });
    Ok(sets)
}

/// What a card shares with others.
#[derive(Clone, Copy)]
enum Of {
    Product,
    Artist,
    Rarity,
    Mark,
    Language,
}

/// The new place of what a card shares with others.
fn place_of(part: &Part, card: &CardRecord, of: Of, values: &Values<'_>) -> usize {
    let tables = &part.tables;
    let text = |all: &[U24], at: u8| all.get(usize::from(at)).map_or("", |&text| part.text(text));
    match of {
        Of::Product => {
            let product = tables.products.get(usize::from(card.product.get()));
            let text = product.map_or("", |product| part.text(product.text));
            values.products.place(text)
        }
        Of::Artist => {
            let artist = tables.artists.get(usize::from(card.illustrator.get()));
            let name = artist.map_or("", |artist| part.text(artist.name));
            values.artists.place(name)
        }
        Of::Rarity => values.rarities.place(text(&tables.rarities, card.rarity)),
        Of::Mark => values.rarities.place(text(&tables.rarities, card.mark)),
        Of::Language => values
            .languages
            .place(text(&tables.languages, card.language)),
    }
}

/// The printings of a card, and what tells their list from others.
fn printings_of(
    part: &Part,
    card: &CardRecord,
    texts: &mut Texts,
) -> (Vec<(u32, u32)>, Vec<PrintingRecord>) {
    let own = part.tables.printings.get(usize::from(card.printings.get()));
    let list: Vec<PrintingRecord> = own
        .iter()
        .map(|printing| PrintingRecord {
            label: texts.get(part.text(printing.label)),
            slug: texts.get(part.text(printing.slug)),
        })
        .collect();
    let key = list.iter().map(|one| (one.label.get(), one.slug.get()));
    (key.collect(), list)
}

/// The names of a card as printed, and what tells their list from others.
fn locals_of(
    part: &Part,
    card: &CardRecord,
    values: &Values<'_>,
    texts: &mut Texts,
) -> (Vec<(u8, u32)>, Vec<LocalName>) {
    let own = part.tables.locals.get(card.locals.get() as usize);
    let code = |at: u8| {
        let code = part.tables.codes.get(usize::from(at));
        code.map_or("", |&code| part.text(code))
    };
    let list: Vec<LocalName> = own
        .iter()
        .map(|local| LocalName {
            language: values.codes.place(code(local.language)) as u8,
            name: texts.get(part.text(local.name)),
        })
        .collect();
    let key = list.iter().map(|one| (one.language, one.name.get()));
    (key.collect(), list)
}
