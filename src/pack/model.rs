//! The walk over the records: the order in which they are stored, and the predictions of each
//! number.
//!
//! Numbers of strings, names and lists are assigned in the order of first sight, so "the next" is
//! the commonest prediction. The others are the last values met with the same name, list, set or
//! rarity.

use super::coder::{Coder, Latest, corrupt};
use super::tables::{Lists, Tables};
use super::{printed, strings};
use crate::catalogue::format::{LocalName, PrintingRecord, U24};
use crate::error::Error;
use zerocopy::little_endian::{U16, U32, U64};

use super::columns::Column as C;

/// The number of the next string to be seen first.
struct Sight(u32);

impl Sight {
    fn string(
        &mut self,
        coder: &mut Coder<'_>,
        column: C,
        value: U24,
        others: &[Option<u32>],
    ) -> Result<U24, Error> {
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
    if value <= U24::MAX {
        Ok(U24::new(value))
    } else {
        Err(corrupt("a number is too large"))
    }
}

pub(super) fn u24(
    coder: &mut Coder<'_>,
    column: C,
    value: U24,
    predicted: &[Option<u32>],
) -> Result<U24, Error> {
    three(coder.value(column as usize, value.get(), predicted)?)
}

pub(super) fn u16(
    coder: &mut Coder<'_>,
    column: C,
    value: U16,
    predicted: &[Option<u16>],
) -> Result<U16, Error> {
    coder
        .narrow(column as usize, value.get(), predicted)
        .map(U16::new)
}

fn u32(
    coder: &mut Coder<'_>,
    column: C,
    value: U32,
    predicted: &[Option<u32>],
) -> Result<U32, Error> {
    coder
        .value(column as usize, value.get(), predicted)
        .map(U32::new)
}

/// Gives a table as many rows as were written.
fn rows<T: Default + Clone>(
    coder: &mut Coder<'_>,
    table: &mut Vec<T>,
    column: C,
) -> Result<(), Error> {
    let rows = coder.rows(C::Rows as usize, table.len(), column as usize)?;
    if coder.reads() {
        table.resize(rows, T::default());
    }
    Ok(())
}

/// Tells all tables, or reads them into `tables`, which is empty then.
pub(super) fn walk<'p>(coder: &mut Coder<'p>, tables: &mut Tables) -> Result<(), Error> {
    let about = coder
        .bytes(C::About as usize, &std::mem::take(&mut tables.about))
        .to_vec();
    tables.about = about;
    let mut sight = Sight(1);
    named(coder, tables, &mut sight)?;
    sets(coder, tables, &mut sight)?;
    names(coder, tables, &mut sight)?;
    products(coder, tables, &mut sight)?;
    lists(coder, tables, &mut sight)?;
    market_ids(coder, tables)?;
    let predicted = strings::walk(coder, tables)?;
    printed::walk(coder, tables)?;
    if coder.reads() {
        strings::fill(tables, &predicted)?;
    }
    Ok(())
}

/// The names of a card.
#[inline(never)]
fn named(coder: &mut Coder<'_>, tables: &mut Tables, sight: &mut Sight) -> Result<(), Error> {
    rows(coder, &mut tables.cards, C::CardLocals)?;
    // of each list of local names: the list after it, and name and text of the card that had it
    // last. Numbers are assigned in order, so a valid one is at most the count of cards
    let most = tables.cards.len() + 2;
    let mut last: Latest<(u32, u32, u32)> = Latest::below(most);
    let mut texts: Latest<u32> = Latest::below(most);
    let (mut next_list, mut next_name, mut before) = (1, 0, 0);
    for card in &mut tables.cards {
        let mut of_before = last.get(before);
        let after = of_before.map(|one| one.0);
        card.locals = u24(coder, C::CardLocals, card.locals, &[Some(next_list), after])?;
        let locals = card.locals.get();
        if locals == next_list {
            next_list += 1;
        }
        of_before.get_or_insert_default().0 = locals;
        last.set(before, of_before.unwrap_or_default());
        let own = last.get(locals).filter(|one| one.2 != 0);
        card.name = u24(
            coder,
            C::CardName,
            card.name,
            &[Some(next_name), own.map(|one| one.1)],
        )?;
        let name = card.name.get();
        if name == next_name {
            next_name += 1;
        }
        card.id = sight.string(coder, C::CardId, card.id, &[])?;
        let by_name = texts.get(name);
        card.text = sight.string(
            coder,
            C::CardText,
            card.text,
            &[own.map(|one| one.2), by_name],
        )?;
        texts.set(name, card.text.get());
        last.set(
            locals,
            (
                last.get(locals).map_or(0, |one| one.0),
                name,
                card.text.get(),
            ),
        );
        before = locals;
    }
    Ok(())
}

#[inline(never)]
fn sets(coder: &mut Coder<'_>, tables: &mut Tables, sight: &mut Sight) -> Result<(), Error> {
    rows(coder, &mut tables.sets, C::SetId)?;
    let mut first = 0;
    let (mut series, mut released, mut region, mut game) = (0, 0, 0, 0);
    for set in &mut tables.sets {
        set.id = sight.string(coder, C::SetId, set.id, &[])?;
        set.code = sight.string(coder, C::SetCode, set.code, &[Some(set.id.get())])?;
        set.name = sight.string(coder, C::SetName, set.name, &[Some(set.id.get())])?;
        set.local_name = sight.string(
            coder,
            C::SetLocalName,
            set.local_name,
            &[Some(0), Some(set.name.get())],
        )?;
        set.series = sight.string(coder, C::SetSeries, set.series, &[Some(series)])?;
        set.first = u24(coder, C::SetFirst, set.first, &[Some(first)])?;
        set.count = u24(coder, C::SetCount, set.count, &[])?;
        set.released = u32(coder, C::SetReleased, set.released, &[Some(released)])?;
        set.official = u16(coder, C::SetOfficial, set.official, &[Some(0)])?;
        set.region = coder.narrow(C::SetRegion as usize, set.region, &[Some(region)])?;
        set.flags = coder.narrow(C::SetFlags as usize, set.flags, &[Some(0)])?;
        set.game = coder.narrow(C::SetGame as usize, set.game, &[Some(game)])?;
        first = set
            .first
            .get()
            .saturating_add(set.count.get())
            .min(U24::MAX);
        (series, released) = (set.series.get(), set.released.get());
        (region, game) = (set.region, set.game);
    }
    Ok(())
}

#[inline(never)]
fn names(coder: &mut Coder<'_>, tables: &mut Tables, sight: &mut Sight) -> Result<(), Error> {
    rows(coder, &mut tables.cores, C::CoreKey)?;
    rows(coder, &mut tables.names, C::NameText)?;
    let texts = texts_of_names(tables);
    let firsts = cores_of_names(coder, tables, &texts)?;
    for (core, first) in tables.cores.iter_mut().zip(firsts) {
        core.key = sight.string(coder, C::CoreKey, core.key, &[])?;
        core.text = sight.string(coder, C::CoreText, core.text, &[first])?;
        for subjects in &mut core.subjects {
            *subjects = u16(coder, C::CoreSubjects, *subjects, &[Some(0)])?;
        }
    }
    for (name, text) in tables.names.iter_mut().zip(texts) {
        name.text = sight.string(coder, C::NameText, name.text, &[Some(text)])?;
        name.rest = sight.string(coder, C::NameRest, name.rest, &[Some(0)])?;
        for half in &mut name.marks {
            *half = marks(coder, *half)?;
        }
    }
    Ok(())
}

/// The text of the first card with each name.
#[inline(never)]
fn texts_of_names(tables: &Tables) -> Vec<u32> {
    let mut texts = vec![0; tables.names.len()];
    for card in tables.cards.iter().rev() {
        if let Some(text) = texts.get_mut(card.name.get() as usize) {
            *text = card.text.get();
        }
    }
    texts
}

/// Tells the core of each name, and gives of each core the text of the first name with it.
#[inline(never)]
fn cores_of_names(
    coder: &mut Coder<'_>,
    tables: &mut Tables,
    texts: &[u32],
) -> Result<Vec<Option<u32>>, Error> {
    let mut firsts = vec![None; tables.cores.len()];
    // a core has a number from the first name with it
    let mut next_core = 0;
    for (name, &text) in tables.names.iter_mut().zip(texts) {
        name.core = u24(coder, C::NameCore, name.core, &[Some(next_core)])?;
        next_core += u32::from(name.core.get() == next_core);
        if let Some(first) = firsts.get_mut(name.core.get() as usize) {
            first.get_or_insert(text);
        }
    }
    Ok(firsts)
}

/// Half of the marks of a name.
#[inline(never)]
fn marks(coder: &mut Coder<'_>, half: U64) -> Result<U64, Error> {
    let [low, high] = [half.get() as u32, (half.get() >> 32) as u32];
    let [low, high] = [
        coder.value(C::NameMarks as usize, low, &[Some(0)])?,
        coder.value(C::NameMarks as usize, high, &[Some(0)])?,
    ];
    Ok(U64::new(u64::from(low) | u64::from(high) << 32))
}

#[inline(never)]
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
        first = product
            .first
            .get()
            .saturating_add(u32::from(product.count.get()));
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

/// Ids of marketplaces. A set's products are mostly numbered one after another, so each id is told
/// by its distance from the one before, and the next and the same are predicted.
#[inline(never)]
fn market_ids(coder: &mut Coder<'_>, tables: &mut Tables) -> Result<(), Error> {
    rows(coder, &mut tables.market_ids, C::MarketCard)?;
    let (mut card, mut printing) = (U24::MAX, 0u8);
    let (mut tcgplayer, mut cardmarket) = (0, 0);
    for one in &mut tables.market_ids {
        let next = card.wrapping_add(1) & U24::MAX;
        one.card = u24(coder, C::MarketCard, one.card, &[Some(next), Some(card)])?;
        let expected = if one.card.get() == card {
            printing.wrapping_add(1)
        } else {
            0
        };
        one.printing = coder.narrow(C::MarketPrinting as usize, one.printing, &[Some(expected)])?;
        (card, printing) = (one.card.get(), one.printing);
        one.tcgplayer = near(coder, C::MarketTcgplayer, one.tcgplayer, &mut tcgplayer)?;
        one.cardmarket = near(coder, C::MarketCardmarket, one.cardmarket, &mut cardmarket)?;
    }
    Ok(())
}

/// An id that is mostly close to the one `before` it; 0 means that there is no id, and leaves
/// `before` as it is.
fn near(coder: &mut Coder<'_>, column: C, value: U24, before: &mut u32) -> Result<U24, Error> {
    // 0 for none, then distances up and down in turn: 1 for the same, 2 for one more, 3 for one less
    let distance = i64::from(value.get()) - i64::from(*before);
    let told = match (value.get(), distance) {
        (0, _) => 0,
        (_, up) if up > 0 => up * 2,
        (_, down) => 1 - down * 2,
    };
    // both lie below 2^24
    let told = coder.value(column as usize, told as u32, &[Some(2), Some(1), Some(0)])?;
    let distance = match told {
        0 => return Ok(U24::new(0)),
        up if up % 2 == 0 => i64::from(up / 2),
        down => -i64::from(down / 2),
    };
    let value = u32::try_from(i64::from(*before) + distance)
        .map_err(|_| corrupt("a number is too small"))?;
    *before = value;
    three(value)
}

/// Walks lists: how many rows each has, and each row.
fn list<T: Default + Clone>(
    coder: &mut Coder<'_>,
    lists: &mut Lists<T>,
    column: C,
    mut row: impl FnMut(&mut Coder<'_>, usize, &mut T) -> Result<(), Error>,
) -> Result<(), Error> {
    let count = coder.rows(C::Rows as usize, lists.len(), column as usize)?;
    let given = std::mem::take(lists);
    for at in 0..count {
        let length = coder.value(column as usize, given.get(at).len() as u32, &[Some(1)])?;
        for place in 0..length as usize {
            let mut one = given.get(at).get(place).cloned().unwrap_or_default();
            row(coder, at, &mut one)?;
            lists.all.push(one);
        }
        lists.starts.push(U32::new(lists.all.len() as u32));
    }
    Ok(())
}

#[inline(never)]
fn lists(coder: &mut Coder<'_>, tables: &mut Tables, sight: &mut Sight) -> Result<(), Error> {
    printings(coder, tables, sight)?;
    locals(coder, tables, sight)?;
    numbers(coder, tables, sight)?;
    for (list, column) in [
        (&mut tables.rarities, C::Rarity),
        (&mut tables.languages, C::Language),
        (&mut tables.codes, C::Code),
        (&mut tables.games, C::Game),
    ] {
        rows(coder, list, column)?;
        for one in list {
            *one = sight.string(coder, column, *one, &[Some(0)])?;
        }
    }
    Ok(())
}

#[inline(never)]
fn printings(coder: &mut Coder<'_>, tables: &mut Tables, sight: &mut Sight) -> Result<(), Error> {
    list(
        coder,
        &mut tables.printings,
        C::PrintingCount,
        |coder, _, one: &mut PrintingRecord| {
            one.label = sight.string(coder, C::PrintingLabel, one.label, &[Some(0)])?;
            one.slug = sight.string(coder, C::PrintingSlug, one.slug, &[Some(0)])?;
            Ok(())
        },
    )
}

/// Names in other languages.
#[inline(never)]
fn locals(coder: &mut Coder<'_>, tables: &mut Tables, sight: &mut Sight) -> Result<(), Error> {
    // the text of the first card with each list: mostly the English name in it
    let mut texts: Latest<u32> = Latest::below(tables.cards.len() + 2);
    for card in tables.cards.iter().rev() {
        texts.set(card.locals.get(), card.text.get());
    }
    let mut before = 0;
    let mut at_before = usize::MAX;
    list(
        coder,
        &mut tables.locals,
        C::LocalCount,
        |coder, at, one: &mut LocalName| {
            let after = if at == at_before { before + 1 } else { 1 };
            one.language = coder.narrow(
                C::LocalLanguage as usize,
                one.language,
                &[Some(after as u8)],
            )?;
            (before, at_before) = (u32::from(one.language), at);
            one.name = sight.string(coder, C::LocalString, one.name, &[texts.get(at as u32)])?;
            Ok(())
        },
    )
}

/// Spellings of collector numbers.
#[inline(never)]
fn numbers(coder: &mut Coder<'_>, tables: &mut Tables, sight: &mut Sight) -> Result<(), Error> {
    list(
        coder,
        &mut tables.texts,
        C::NumberCount,
        |coder, _, one: &mut U24| {
            *one = sight.string(coder, C::NumberString, *one, &[])?;
            Ok(())
        },
    )
}
