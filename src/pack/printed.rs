//! The printed attributes of cards, and their counts.

use super::coder::{Coder, Latest};
use super::columns::Column as C;
use super::model::{u16, u24};
use super::tables::Tables;
use crate::catalogue::format::{CardRecord, U24, card_flag};
use crate::derive::mark_prints;
use crate::error::Error;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The printed attributes of each card, then the number of cards with each.
pub(super) fn walk(coder: &mut Coder<'_>, tables: &mut Tables) -> Result<(), Error> {
    cards(coder, tables)?;
    counted(coder, tables)
}

/// The number that follows as printed: `TG04` after `TG03`, `010` after `009`; unchanged if there
/// is no digit.
fn after(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let end = bytes
        .iter()
        .rposition(u8::is_ascii_digit)
        .map_or(0, |last| last + 1);
    let start = bytes[..end]
        .iter()
        .rposition(|byte| !byte.is_ascii_digit())
        .map_or(0, |last| last + 1);
    for at in (start..end).rev() {
        if bytes[at] < b'9' {
            bytes[at] += 1;
            return String::from_utf8(bytes).unwrap_or_default();
        }
        bytes[at] = b'0';
    }
    if start < end {
        bytes.insert(start, b'1');
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Facts that follow from the spellings of collector numbers, by each spelling's place among all of
/// them.
struct Spellings {
    /// The number and spelling that come after one.
    following: Vec<Option<(u32, u8)>>,
    /// Its value as a number.
    values: Vec<Option<u32>>,
}

impl Spellings {
    fn of(tables: &Tables) -> Self {
        let all = (0..tables.texts.len()).flat_map(|number| {
            (0u8..)
                .zip(tables.texts.get(number))
                .map(move |(which, &text)| (text, number as u32, which))
        });
        let known: FxHashMap<&str, (u32, u8)> = all
            .map(|(text, number, which)| (tables.strings.get(text), (number, which)))
            .collect();
        let texts = || {
            tables
                .texts
                .all
                .iter()
                .map(|&text| tables.strings.get(text))
        };
        let next = |text: &str| {
            Some(after(text))
                .filter(|next| !next.is_empty())
                .and_then(|next| known.get(next.as_str()).copied())
        };
        Spellings {
            following: texts().map(next).collect(),
            values: texts().map(|text| text.parse().ok()).collect(),
        }
    }

    fn value(&self, at: Option<usize>) -> Option<u32> {
        self.values.get(at?).copied().flatten()
    }
}

/// The printed attributes of a card, column after column. Each has a small function of its own: a
/// browser compiles long-running code in the midst of it, and so has little to compile.
fn cards(coder: &mut Coder<'_>, tables: &mut Tables) -> Result<(), Error> {
    let mut cards = std::mem::take(&mut tables.cards);
    let spellings = Spellings::of(tables);
    let alike = prints(coder, &mut cards)?;
    sets(coder, tables, &mut cards)?;
    numbers(coder, tables, &spellings, &mut cards)?;
    totals(coder, &mut cards)?;
    products(coder, &mut cards)?;
    hands(coder, tables, &mut cards)?;
    rarities(coder, &mut cards)?;
    flags(coder, tables, &spellings, &mut cards)?;
    if alike {
        mark_prints(&mut cards);
    }
    tables.cards = cards;
    Ok(())
}

#[inline(never)]
fn sets(coder: &mut Coder<'_>, tables: &Tables, cards: &mut [CardRecord]) -> Result<(), Error> {
    let mut set_at = 0;
    for (at, card) in (0u32..).zip(cards) {
        while tables
            .sets
            .get(set_at + 1)
            .is_some_and(|set| set.first.get() <= at)
        {
            set_at += 1;
        }
        card.set = u24(coder, C::CardSet, card.set, &[Some(set_at as u32)])?;
    }
    Ok(())
}

#[inline(never)]
fn numbers(
    coder: &mut Coder<'_>,
    tables: &Tables,
    spellings: &Spellings,
    cards: &mut [CardRecord],
) -> Result<(), Error> {
    let mut before = CardRecord::default();
    for card in cards {
        let place = tables
            .spelling_at(before.number, before.number_text)
            .filter(|_| card.set == before.set);
        let following = place.and_then(|place| spellings.following.get(place).copied().flatten());
        card.number = u24(
            coder,
            C::CardNumber,
            card.number,
            &[following.map(|n| n.0), Some(before.number.get())],
        )?;
        let which = following
            .filter(|n| n.0 == card.number.get())
            .map_or(0, |n| n.1);
        card.number_text =
            coder.narrow(C::CardNumberText as usize, card.number_text, &[Some(which)])?;
        before = *card;
    }
    Ok(())
}

#[inline(never)]
fn totals(coder: &mut Coder<'_>, cards: &mut [CardRecord]) -> Result<(), Error> {
    let mut before = (U24::default(), 0);
    for card in cards {
        card.total = u24(coder, C::CardTotal, card.total, &[Some(before.0.get())])?;
        let text = if card.total == before.0 { before.1 } else { 0 };
        card.total_text =
            coder.narrow(C::CardTotalText as usize, card.total_text, &[Some(text)])?;
        before = (card.total, card.total_text);
    }
    Ok(())
}

#[inline(never)]
fn products(coder: &mut Coder<'_>, cards: &mut [CardRecord]) -> Result<(), Error> {
    let (mut language, mut product) = (0, 0);
    for card in cards {
        card.language = coder.narrow(C::CardLanguage as usize, card.language, &[Some(language)])?;
        card.product = u16(
            coder,
            C::CardProduct,
            card.product,
            &[Some(product), Some(0)],
        )?;
        (language, product) = (card.language, card.product.get());
    }
    Ok(())
}

/// Hit points, and who drew the card.
#[inline(never)]
fn hands(coder: &mut Coder<'_>, tables: &Tables, cards: &mut [CardRecord]) -> Result<(), Error> {
    let mut hps: Latest<u8> = Latest::below(tables.names.len());
    let mut artists: FxHashMap<(u32, u8), u16> = FxHashMap::default();
    let mut before = 0;
    for card in cards {
        let name = card.name.get();
        card.hp = coder.narrow(C::CardHp as usize, card.hp, &[hps.get(name), Some(0)])?;
        hps.set(name, card.hp);
        let drew = artists.entry((name, card.hp));
        let known = occupied(&drew);
        card.illustrator = u16(
            coder,
            C::CardIllustrator,
            card.illustrator,
            &[known, Some(before)],
        )?;
        before = card.illustrator.get();
        drew.insert_entry(before);
    }
    Ok(())
}

/// Rarities, and what cards of a rarity mostly have in their set.
#[inline(never)]
fn rarities(coder: &mut Coder<'_>, cards: &mut [CardRecord]) -> Result<(), Error> {
    let mut before = CardRecord::default();
    let (mut marks, mut printings) = ([None; 256], [None; 256]);
    for card in cards {
        if card.set != before.set {
            (marks, printings) = ([None; 256], [None; 256]);
        }
        card.rarity = coder.narrow(C::CardRarity as usize, card.rarity, &[Some(before.rarity)])?;
        let rarity = usize::from(card.rarity);
        card.mark = coder.narrow(
            C::CardMark as usize,
            card.mark,
            &[marks[rarity], Some(before.mark), Some(0)],
        )?;
        marks[rarity] = Some(card.mark);
        card.printings = u16(
            coder,
            C::CardPrintings,
            card.printings,
            &[printings[rarity], Some(before.printings.get())],
        )?;
        printings[rarity] = Some(card.printings.get());
        before = *card;
    }
    Ok(())
}

#[inline(never)]
fn flags(
    coder: &mut Coder<'_>,
    tables: &Tables,
    spellings: &Spellings,
    cards: &mut [CardRecord],
) -> Result<(), Error> {
    let mut flags: FxHashMap<(u16, bool, u32), u16> = FxHashMap::default();
    let mut flags_of_name = [false, true].map(|_| Latest::<u16>::below(tables.names.len()));
    let mut before = 0;
    for card in cards {
        let name = card.name.get();
        let [number, total] = [
            (card.number, card.number_text),
            (card.total, card.total_text),
        ]
        .map(|(number, which)| tables.spelling_at(number, which));
        let above = spellings.value(number) > spellings.value(total);
        let of_kind = flags.entry((card.printings.get(), above, name));
        let known = occupied(&of_kind);
        let of_name = &mut flags_of_name[usize::from(above)];
        card.flags = u16(
            coder,
            C::CardFlags,
            card.flags,
            &[known, of_name.get(name), Some(before)],
        )?;
        before = card.flags.get();
        of_kind.insert_entry(before);
        of_name.set(name, before);
    }
    Ok(())
}

fn occupied<K>(entry: &Entry<'_, K, u16>) -> Option<u16> {
    match entry {
        Entry::Occupied(known) => Some(*known.get()),
        Entry::Vacant(_) => None,
    }
}

/// Takes the flags that [`mark_prints`] gives from all cards, if they follow from the others; whether
/// they do.
fn prints(coder: &mut Coder<'_>, cards: &mut [CardRecord]) -> Result<bool, Error> {
    let mut follows = true;
    if !coder.reads() {
        let mut marked = cards.to_vec();
        for card in &mut marked {
            card.flags &= !(card_flag::ALTERNATE | card_flag::REPEATED);
        }
        let plain = marked.clone();
        mark_prints(&mut marked);
        follows = marked
            .iter()
            .zip(cards.iter())
            .all(|(a, b)| a.flags == b.flags);
        if follows {
            cards.copy_from_slice(&plain);
        }
    }
    Ok(coder.value(C::Rows as usize, u32::from(follows), &[])? != 0)
}

/// Counts stored with the records that they count.
#[inline(never)]
fn counted(coder: &mut Coder<'_>, tables: &mut Tables) -> Result<(), Error> {
    let mut of_name = vec![0u32; tables.names.len()];
    let mut of_core = vec![0u32; tables.cores.len()];
    let mut of_artist = vec![0u32; tables.artists.len()];
    for card in &tables.cards {
        let core = tables
            .names
            .get(card.name.get() as usize)
            .map_or(usize::MAX, |name| name.core.get() as usize);
        let places = [
            of_name.get_mut(card.name.get() as usize),
            of_core.get_mut(core),
            of_artist.get_mut(usize::from(card.illustrator.get())),
        ];
        for count in places.into_iter().flatten() {
            *count += 1;
        }
    }
    for (name, count) in tables.names.iter_mut().zip(of_name) {
        name.cards = u24(coder, C::NameCards, name.cards, &[Some(count)])?;
    }
    let mut first = 0;
    for (core, count) in tables.cores.iter_mut().zip(of_core) {
        core.first = u24(coder, C::CoreFirst, core.first, &[Some(first)])?;
        core.count = u24(coder, C::CoreCount, core.count, &[Some(count)])?;
        first = (core.first.get() + core.count.get()).min(U24::MAX);
    }
    for (artist, count) in tables.artists.iter_mut().zip(of_artist) {
        artist.cards = u24(coder, C::ArtistCards, artist.cards, &[Some(count)])?;
    }
    Ok(())
}
