//! The walk over the records: in what order they are told, and what each number is predicted by.
//!
//! Numbers of strings, names and lists are given in the order of first sight, so "the next" is the commonest prediction; the others are what
//! stood where the same name, list, set or rarity was met last.

use super::coder::{Coder, Map, corrupt};
use super::tables::{Lists, Strings, Tables};
use crate::catalogue::alike::mark_alternates;
use crate::catalogue::format::{CardRecord, LocalName, NONE, PrintingRecord, U24, card_flag};
use crate::error::Error;
use zerocopy::little_endian::{U16, U32, U64};

/// Columns, each with numbers of one kind. [`TEXTS`] and those after it have the strings, by the language of the names that they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Column {
    Rows,
    About,
    CardLocals,
    CardName,
    CardId,
    CardText,
    CardSet,
    CardNumber,
    CardNumberText,
    CardTotal,
    CardTotalText,
    CardProduct,
    CardIllustrator,
    CardPrintings,
    CardFlags,
    CardHp,
    CardRarity,
    CardMark,
    CardLanguage,
    SetId,
    SetCode,
    SetName,
    SetLocalName,
    SetSeries,
    SetFirst,
    SetCount,
    SetReleased,
    SetOfficial,
    SetAsia,
    SetFlags,
    CoreKey,
    CoreText,
    CoreFirst,
    CoreCount,
    CoreDex,
    NameText,
    NameCore,
    NameRest,
    NameMarks,
    NameCards,
    ProductText,
    ProductFirst,
    ProductCount,
    ProductYear,
    ProductWord,
    WordCards,
    ArtistName,
    ArtistCards,
    PrintingCount,
    PrintingLabel,
    PrintingSlug,
    LocalCount,
    LocalLanguage,
    LocalString,
    NumberCount,
    NumberString,
    Rarity,
    Language,
    Code,
    IdPredicted,
    LexiconKept,
    LexiconShared,
    LexiconRest,
    LexiconKind,
    LexiconId,
    Derived,
    Raw,
}

use Column as C;

/// The first column of strings.
pub(super) const TEXTS: usize = 80;
/// How many columns of strings there are: one for what is no name, then one a language, the last for all others.
const TEXT_COLUMNS: usize = 16;
/// How many columns there are: between the last of [`Column`] and [`TEXTS`] stand those of sections that are told as they are.
pub(super) const COLUMNS: usize = TEXTS + TEXT_COLUMNS;

/// The number of the next string to be seen first.
struct Sight(u32);

impl Sight {
    fn string(&mut self, coder: &mut Coder<'_>, column: Column, value: U24, others: &[Option<u32>]) -> Result<U24, Error> {
        let mut predicted = [Some(self.0), None, None, None];
        predicted[1..=others.len()].copy_from_slice(others);
        let value = coder.value(column as usize, value.get(), &predicted[..=others.len()])?;
        if value == self.0 {
            self.0 += 1;
        }
        three(value)
    }
}

fn three(value: u32) -> Result<U24, Error> {
    if value <= U24::MAX { Ok(U24::new(value)) } else { Err(corrupt("a number is too large")) }
}

fn u24(coder: &mut Coder<'_>, column: Column, value: U24, predicted: &[Option<u32>]) -> Result<U24, Error> {
    three(coder.value(column as usize, value.get(), predicted)?)
}

fn u16(coder: &mut Coder<'_>, column: Column, value: U16, predicted: &[Option<u16>]) -> Result<U16, Error> {
    coder.narrow(column as usize, value.get(), predicted).map(U16::new)
}

fn u32(coder: &mut Coder<'_>, column: Column, value: U32, predicted: &[Option<u32>]) -> Result<U32, Error> {
    coder.value(column as usize, value.get(), predicted).map(U32::new)
}

/// Gives a table as many rows as were written.
fn rows<T: Default + Clone>(coder: &mut Coder<'_>, table: &mut Vec<T>, column: Column) -> Result<(), Error> {
    let rows = coder.rows(C::Rows as usize, table.len(), column as usize)?;
    if coder.reads() {
        table.resize(rows, T::default());
    }
    Ok(())
}

/// Tells all tables, or reads them into `tables`, which is empty then.
pub(super) fn walk<'p>(coder: &mut Coder<'p>, tables: &mut Tables) -> Result<(), Error> {
    let about = coder.bytes(C::About as usize, &std::mem::take(&mut tables.about)).to_vec();
    tables.about = about;
    let mut sight = Sight(1);
    named(coder, tables, &mut sight)?;
    sets(coder, tables, &mut sight)?;
    names(coder, tables, &mut sight)?;
    products(coder, tables, &mut sight)?;
    lists(coder, tables, &mut sight)?;
    let predicted = strings(coder, tables)?;
    printed(coder, tables)?;
    counted(coder, tables)?;
    if coder.reads() {
        fill(tables, &predicted)?;
    }
    Ok(())
}

/// What a card is called.
fn named(coder: &mut Coder<'_>, tables: &mut Tables, sight: &mut Sight) -> Result<(), Error> {
    rows(coder, &mut tables.cards, C::CardLocals)?;
    // of each list of local names: the list after it, and name and text of the card that had it last
    let mut last: Map<u32, (u32, u32, u32)> = Map::default();
    let mut texts: Map<u32, u32> = Map::default();
    let (mut next_list, mut next_name, mut before) = (1, 0, 0);
    for card in &mut tables.cards {
        let after = last.get(&before).map(|one| one.0);
        card.locals = u24(coder, C::CardLocals, card.locals, &[Some(next_list), after])?;
        let locals = card.locals.get();
        if locals == next_list {
            next_list += 1;
        }
        last.entry(before).or_default().0 = locals;
        let own = last.get(&locals).copied().filter(|one| one.2 != 0);
        card.name = u24(coder, C::CardName, card.name, &[Some(next_name), own.map(|one| one.1)])?;
        let name = card.name.get();
        if name == next_name {
            next_name += 1;
        }
        card.id = sight.string(coder, C::CardId, card.id, &[])?;
        let by_name = texts.get(&name).copied();
        card.text = sight.string(coder, C::CardText, card.text, &[own.map(|one| one.2), by_name])?;
        texts.insert(name, card.text.get());
        let slot = last.entry(locals).or_default();
        (slot.1, slot.2) = (name, card.text.get());
        before = locals;
    }
    Ok(())
}

fn sets(coder: &mut Coder<'_>, tables: &mut Tables, sight: &mut Sight) -> Result<(), Error> {
    rows(coder, &mut tables.sets, C::SetId)?;
    let mut first = 0;
    let (mut series, mut released, mut asia) = (0, 0, 0);
    for set in &mut tables.sets {
        set.id = sight.string(coder, C::SetId, set.id, &[])?;
        set.code = sight.string(coder, C::SetCode, set.code, &[Some(set.id.get())])?;
        set.name = sight.string(coder, C::SetName, set.name, &[Some(set.id.get())])?;
        set.local_name = sight.string(coder, C::SetLocalName, set.local_name, &[Some(0), Some(set.name.get())])?;
        set.series = sight.string(coder, C::SetSeries, set.series, &[Some(series)])?;
        set.first = u24(coder, C::SetFirst, set.first, &[Some(first)])?;
        set.count = u24(coder, C::SetCount, set.count, &[])?;
        set.released = u32(coder, C::SetReleased, set.released, &[Some(released)])?;
        set.official = u16(coder, C::SetOfficial, set.official, &[Some(0)])?;
        set.asia = coder.narrow(C::SetAsia as usize, set.asia, &[Some(asia)])?;
        set.flags = coder.narrow(C::SetFlags as usize, set.flags, &[Some(0)])?;
        first = set.first.get().saturating_add(set.count.get()).min(U24::MAX);
        (series, released, asia) = (set.series.get(), set.released.get(), set.asia);
    }
    Ok(())
}

fn names(coder: &mut Coder<'_>, tables: &mut Tables, sight: &mut Sight) -> Result<(), Error> {
    rows(coder, &mut tables.cores, C::CoreKey)?;
    rows(coder, &mut tables.names, C::NameText)?;
    // a core has a number from the first name with it
    let mut next_core = 0;
    let mut texts = vec![0; tables.names.len()];
    for card in tables.cards.iter().rev() {
        if let Some(text) = texts.get_mut(card.name.get() as usize) {
            *text = card.text.get();
        }
    }
    let mut firsts = vec![None; tables.cores.len()];
    for (at, name) in tables.names.iter_mut().enumerate() {
        name.core = u24(coder, C::NameCore, name.core, &[Some(next_core)])?;
        next_core += u32::from(name.core.get() == next_core);
        if let Some(first) = firsts.get_mut(name.core.get() as usize) {
            first.get_or_insert(texts[at]);
        }
    }
    for (core, first) in tables.cores.iter_mut().zip(firsts) {
        core.key = sight.string(coder, C::CoreKey, core.key, &[])?;
        core.text = sight.string(coder, C::CoreText, core.text, &[first])?;
        for dex in &mut core.dex {
            *dex = u16(coder, C::CoreDex, *dex, &[Some(0)])?;
        }
    }
    for (name, text) in tables.names.iter_mut().zip(texts) {
        name.text = sight.string(coder, C::NameText, name.text, &[Some(text)])?;
        name.rest = sight.string(coder, C::NameRest, name.rest, &[Some(0)])?;
        for half in &mut name.marks {
            let [low, high] = [half.get() as u32, (half.get() >> 32) as u32];
            let [low, high] = [coder.value(C::NameMarks as usize, low, &[Some(0)])?, coder.value(C::NameMarks as usize, high, &[Some(0)])?];
            *half = U64::new(u64::from(low) | u64::from(high) << 32);
        }
    }
    Ok(())
}

fn products(coder: &mut Coder<'_>, tables: &mut Tables, sight: &mut Sight) -> Result<(), Error> {
    rows(coder, &mut tables.products, C::ProductText)?;
    rows(coder, &mut tables.product_words, C::ProductWord)?;
    rows(coder, &mut tables.word_cards, C::WordCards)?;
    rows(coder, &mut tables.artists, C::ArtistName)?;
    let mut first: u32 = 0;
    for product in &mut tables.products {
        product.text = sight.string(coder, C::ProductText, product.text, &[Some(0)])?;
        product.first = u32(coder, C::ProductFirst, product.first, &[Some(first)])?;
        product.count = u16(coder, C::ProductCount, product.count, &[])?;
        product.year = u16(coder, C::ProductYear, product.year, &[Some(0)])?;
        first = product.first.get().saturating_add(u32::from(product.count.get()));
    }
    for word in &mut tables.product_words {
        *word = u16(coder, C::ProductWord, *word, &[])?;
    }
    for cards in &mut tables.word_cards {
        *cards = u32(coder, C::WordCards, *cards, &[])?;
    }
    for artist in &mut tables.artists {
        artist.name = sight.string(coder, C::ArtistName, artist.name, &[Some(0)])?;
    }
    Ok(())
}

/// Walks lists: how many rows each has, and each row.
fn list<T: Default + Clone>(
    coder: &mut Coder<'_>,
    lists: &mut Lists<T>,
    column: Column,
    mut row: impl FnMut(&mut Coder<'_>, usize, &mut T) -> Result<(), Error>,
) -> Result<(), Error> {
    let count = coder.rows(C::Rows as usize, lists.len(), column as usize)?;
    let told = std::mem::take(lists);
    for at in 0..count {
        let length = coder.value(column as usize, told.get(at).len() as u32, &[Some(1)])?;
        for place in 0..length as usize {
            let mut one = told.get(at).get(place).cloned().unwrap_or_default();
            row(coder, at, &mut one)?;
            lists.all.push(one);
        }
        lists.starts.push(U32::new(lists.all.len() as u32));
    }
    Ok(())
}

fn lists(coder: &mut Coder<'_>, tables: &mut Tables, sight: &mut Sight) -> Result<(), Error> {
    list(coder, &mut tables.printings, C::PrintingCount, |coder, _, one: &mut PrintingRecord| {
        one.label = sight.string(coder, C::PrintingLabel, one.label, &[Some(0)])?;
        one.slug = sight.string(coder, C::PrintingSlug, one.slug, &[Some(0)])?;
        Ok(())
    })?;
    // the text of the first card with each list: mostly the English name in it
    let mut texts: Map<u32, u32> = Map::default();
    for card in &tables.cards {
        texts.entry(card.locals.get()).or_insert(card.text.get());
    }
    let mut before = 0;
    let mut at_before = usize::MAX;
    list(coder, &mut tables.locals, C::LocalCount, |coder, at, one: &mut LocalName| {
        let after = if at == at_before { before + 1 } else { 1 };
        one.language = coder.narrow(C::LocalLanguage as usize, one.language, &[Some(after as u8)])?;
        (before, at_before) = (u32::from(one.language), at);
        one.name = sight.string(coder, C::LocalString, one.name, &[texts.get(&(at as u32)).copied()])?;
        Ok(())
    })?;
    list(coder, &mut tables.texts, C::NumberCount, |coder, _, one: &mut U24| {
        *one = sight.string(coder, C::NumberString, *one, &[])?;
        Ok(())
    })?;
    for (list, column) in [(&mut tables.rarities, C::Rarity), (&mut tables.languages, C::Language), (&mut tables.codes, C::Code)] {
        rows(coder, list, column)?;
        for one in list {
            *one = sight.string(coder, column, *one, &[Some(0)])?;
        }
    }
    Ok(())
}

/// The id that a card has unless it is told: that of its set and its number.
fn usual_id(tables: &Tables, set: U24, number: U24) -> Vec<u8> {
    let set = tables.sets.get(set.get() as usize).map_or(U24::default(), |set| set.id);
    [tables.strings.bytes(set.get()), b"-", tables.strings.bytes(number.get())].concat()
}

/// The strings, but for the ids of cards that are as usual: those are empty until [`fill`]. Which cards have one is given back.
fn strings(coder: &mut Coder<'_>, tables: &mut Tables) -> Result<Vec<bool>, Error> {
    let mut usual: Vec<bool> = Vec::new();
    let mut left_out = vec![false; tables.strings.len()];
    if !coder.reads() {
        let is_usual = |card: &CardRecord| {
            usual_id(tables, card.set, tables.spelling(card.number, card.number_text)) == tables.strings.bytes(card.id.get())
        };
        usual = tables.cards.iter().map(is_usual).collect();
        for (card, _) in tables.cards.iter().zip(&usual).filter(|(_, usual)| **usual) {
            if let Some(slot) = left_out.get_mut(card.id.get() as usize) {
                *slot = true;
            }
        }
        // what is made from something that is itself left out is told
        for (card, usual) in tables.cards.iter().zip(&mut usual) {
            let set = tables.sets.get(card.set.get() as usize).map_or(U24::default(), |set| set.id);
            let parts = [set, tables.spelling(card.number, card.number_text)];
            *usual &= !parts.iter().any(|part| left_out.get(part.get() as usize) != Some(&false));
        }
        left_out.fill(false);
    }
    let strings = coder.value(C::Rows as usize, tables.strings.len() as u32, &[])? as usize;
    usual.resize(tables.cards.len(), false);
    for usual in &mut usual {
        *usual = coder.value(C::IdPredicted as usize, u32::from(*usual), &[Some(1), Some(0)])? != 0;
    }
    if coder.reads() {
        // each string is told with its end, or belongs to a card
        if strings > tables.cards.len() + coder.text_bytes(TEXTS) {
            return Err(corrupt("more strings than there are bytes"));
        }
        left_out = vec![false; strings];
    }
    for (card, _) in tables.cards.iter().zip(&usual).filter(|(_, usual)| **usual) {
        *left_out.get_mut(card.id.get() as usize).ok_or_else(|| corrupt("an id without a string"))? = true;
    }
    let mut classes = vec![0u8; left_out.len()];
    for local in tables.locals.all.iter().rev() {
        if let Some(class) = classes.get_mut(local.name.get() as usize) {
            *class = local.language.min(TEXT_COLUMNS as u8 - 2) + 1;
        }
    }
    let mut told = Strings { starts: Vec::with_capacity(left_out.len() + 1), bytes: Vec::new() };
    for (at, (left_out, class)) in left_out.iter().zip(classes).enumerate() {
        told.starts.push(U32::new(told.bytes.len() as u32));
        if !left_out {
            let text = coder.text(TEXTS + usize::from(class), tables.strings.bytes(at as u32))?;
            told.bytes.extend_from_slice(text);
        }
    }
    told.starts.push(U32::new(told.bytes.len() as u32));
    tables.strings = told;
    Ok(usual)
}

/// Puts in the ids that are as usual.
fn fill(tables: &mut Tables, usual: &[bool]) -> Result<(), Error> {
    let most = 64 * (tables.strings.bytes.len() + 16 * tables.cards.len() + 1024);
    let mut cards = vec![NONE; tables.strings.len()];
    for (at, (card, _)) in tables.cards.iter().zip(usual).enumerate().filter(|(_, (_, usual))| **usual) {
        cards[card.id.get() as usize] = at as u32;
    }
    let mut whole = Strings {
        starts: Vec::with_capacity(cards.len() + 1),
        bytes: Vec::with_capacity(tables.strings.bytes.len() + 12 * tables.cards.len()),
    };
    for (at, card) in cards.into_iter().enumerate() {
        whole.starts.push(U32::new(whole.bytes.len() as u32));
        match tables.cards.get(card as usize) {
            Some(card) => whole.bytes.extend(usual_id(tables, card.set, tables.spelling(card.number, card.number_text))),
            None => whole.bytes.extend_from_slice(tables.strings.bytes(at as u32)),
        }
        if whole.bytes.len() > most {
            return Err(corrupt("ids that are too long"));
        }
    }
    whole.starts.push(U32::new(whole.bytes.len() as u32));
    tables.strings = whole;
    Ok(())
}

/// The number after one as printed: `TG04` after `TG03`, `010` after `009`; the same where there is no digit.
fn after(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let end = bytes.iter().rposition(u8::is_ascii_digit).map_or(0, |last| last + 1);
    let start = bytes[..end].iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1);
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

/// What is printed on a card.
fn printed(coder: &mut Coder<'_>, tables: &mut Tables) -> Result<(), Error> {
    let mut cards = std::mem::take(&mut tables.cards);
    let texts: Map<&[u8], (u32, u8)> = (0..tables.texts.len())
        .flat_map(|number| {
            let strings = &tables.strings;
            let of = move |(which, text): (usize, &U24)| (strings.bytes(text.get()), (number as u32, which as u8));
            tables.texts.get(number).iter().enumerate().map(of).collect::<Vec<_>>()
        })
        .collect();
    let alike = alternates(coder, &mut cards)?;
    let mut set_at = 0;
    let mut before = CardRecord::default();
    let mut by_name: Map<(u32, u8), u16> = Map::default();
    let mut hps: Map<u32, u8> = Map::default();
    let mut marks: Map<(u32, u8), u8> = Map::default();
    let mut printings: Map<(u32, u8), u16> = Map::default();
    let mut flags: Map<(u16, bool, u32), u16> = Map::default();
    for (at, card) in (0u32..).zip(&mut cards) {
        while tables.sets.get(set_at + 1).is_some_and(|set| set.first.get() <= at) {
            set_at += 1;
        }
        card.set = u24(coder, C::CardSet, card.set, &[Some(set_at as u32)])?;
        let set = card.set.get();
        let same_set = card.set == before.set;
        let next = after(tables.strings.get(tables.spelling(before.number, before.number_text)));
        let following = texts.get(next.as_bytes()).copied().filter(|_| same_set && !next.is_empty());
        card.number = u24(coder, C::CardNumber, card.number, &[following.map(|n| n.0), Some(before.number.get())])?;
        let which = following.filter(|n| n.0 == card.number.get()).map_or(0, |n| n.1);
        card.number_text = coder.narrow(C::CardNumberText as usize, card.number_text, &[Some(which)])?;
        card.total = u24(coder, C::CardTotal, card.total, &[Some(before.total.get())])?;
        card.total_text = coder.narrow(
            C::CardTotalText as usize,
            card.total_text,
            &[Some(if card.total == before.total { before.total_text } else { 0 })],
        )?;
        card.language = coder.narrow(C::CardLanguage as usize, card.language, &[Some(before.language)])?;
        card.product = u16(coder, C::CardProduct, card.product, &[Some(before.product.get()), Some(0)])?;
        let name = card.name.get();
        card.hp = coder.narrow(C::CardHp as usize, card.hp, &[hps.get(&name).copied(), Some(0)])?;
        hps.insert(name, card.hp);
        let drew = by_name.get(&(name, card.hp)).copied();
        card.illustrator = u16(coder, C::CardIllustrator, card.illustrator, &[drew, Some(before.illustrator.get())])?;
        by_name.insert((name, card.hp), card.illustrator.get());
        card.rarity = coder.narrow(C::CardRarity as usize, card.rarity, &[Some(before.rarity)])?;
        let mark = marks.get(&(set, card.rarity)).copied();
        card.mark = coder.narrow(C::CardMark as usize, card.mark, &[mark, Some(before.mark), Some(0)])?;
        marks.insert((set, card.rarity), card.mark);
        let lists = printings.get(&(set, card.rarity)).copied();
        card.printings = u16(coder, C::CardPrintings, card.printings, &[lists, Some(before.printings.get())])?;
        printings.insert((set, card.rarity), card.printings.get());
        let above = tables.strings.get(tables.spelling(card.number, card.number_text)).parse::<u32>().ok()
            > tables.strings.get(tables.spelling(card.total, card.total_text)).parse::<u32>().ok();
        let kind = (card.printings.get(), above, name);
        let of_name = (u16::MAX, above, name);
        let known = [flags.get(&kind).copied(), flags.get(&of_name).copied(), Some(before.flags.get())];
        card.flags = u16(coder, C::CardFlags, card.flags, &known)?;
        flags.insert(kind, card.flags.get());
        flags.insert(of_name, card.flags.get());
        before = *card;
    }
    drop(texts);
    if alike {
        mark_alternates(&mut cards);
    }
    tables.cards = cards;
    Ok(())
}

/// Takes the flag of alternate art from all cards, if it follows from the others; whether it does.
fn alternates(coder: &mut Coder<'_>, cards: &mut [CardRecord]) -> Result<bool, Error> {
    let mut follows = true;
    if !coder.reads() {
        let mut marked = cards.to_vec();
        for card in &mut marked {
            card.flags &= !card_flag::ALTERNATE;
        }
        let plain = marked.clone();
        mark_alternates(&mut marked);
        follows = marked.iter().zip(cards.iter()).all(|(a, b)| a.flags == b.flags);
        if follows {
            cards.copy_from_slice(&plain);
        }
    }
    Ok(coder.value(C::Rows as usize, u32::from(follows), &[])? != 0)
}

/// Counts that stand beside what they count.
fn counted(coder: &mut Coder<'_>, tables: &mut Tables) -> Result<(), Error> {
    let mut of_name = vec![0u32; tables.names.len()];
    let mut of_core = vec![0u32; tables.cores.len()];
    let mut of_artist = vec![0u32; tables.artists.len()];
    for card in &tables.cards {
        let core = tables.names.get(card.name.get() as usize).map_or(usize::MAX, |name| name.core.get() as usize);
        let places =
            [of_name.get_mut(card.name.get() as usize), of_core.get_mut(core), of_artist.get_mut(usize::from(card.illustrator.get()))];
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
