//! The strings of a pack, without the ids that follow from set and number.

use super::coder::{Coder, corrupt};
use super::columns::{Column as C, TEXT_COLUMNS, TEXTS};
use super::tables::{Strings, Tables};
use crate::catalogue::format::{CardRecord, NONE, U24};
use crate::error::Error;
use zerocopy::little_endian::U32;

/// The usual parts of a card's id, joined by a dash: those of its set and its number. Only other
/// ids are stored.
fn usual_id(tables: &Tables, card: &CardRecord) -> [U24; 2] {
    let set = tables
        .sets
        .get(card.set.get() as usize)
        .map_or(U24::default(), |set| set.id);
    [set, tables.spelling(card.number, card.number_text)]
}

/// Writes the strings, except for card ids of the usual form: those are empty until [`fill`].
/// Returns which cards have one.
pub(super) fn walk(coder: &mut Coder<'_>, tables: &mut Tables) -> Result<Vec<bool>, Error> {
    let mut usual = if coder.reads() {
        Vec::new()
    } else {
        usual_ids(tables)
    };
    let strings = coder.value(C::Rows as usize, tables.strings.len() as u32, &[])? as usize;
    usual.resize(tables.cards.len(), false);
    predicted(coder, &mut usual)?;
    // each string that is read is stored with its end, or belongs to a card
    if coder.reads() && strings > tables.cards.len() + coder.text_bytes(TEXTS) {
        return Err(corrupt("more strings than there are bytes"));
    }
    let left_out = left_out(tables, strings, &usual)?;
    let columns = text_columns(tables, strings);
    tables.strings = texts(coder, &tables.strings, &left_out, &columns)?;
    Ok(usual)
}

/// Which cards have an id of the usual form that can be made of strings that are stored.
fn usual_ids(tables: &Tables) -> Vec<bool> {
    let mut left_out = vec![false; tables.strings.len()];
    let is_usual = |card: &CardRecord| {
        let [set, number] = usual_id(tables, card).map(|part| tables.strings.bytes(part.get()));
        [set, b"-", number].concat() == tables.strings.bytes(card.id.get())
    };
    let mut usual: Vec<bool> = tables.cards.iter().map(is_usual).collect();
    for (card, _) in tables.cards.iter().zip(&usual).filter(|(_, usual)| **usual) {
        if let Some(slot) = left_out.get_mut(card.id.get() as usize) {
            *slot = true;
        }
    }
    // what would be made from something that is left out itself is stored
    for (card, usual) in tables.cards.iter().zip(&mut usual) {
        *usual &= !usual_id(tables, card)
            .iter()
            .any(|part| left_out.get(part.get() as usize) != Some(&false));
    }
    usual
}

/// Tells of each card whether its id is of the usual form.
#[inline(never)]
fn predicted(coder: &mut Coder<'_>, usual: &mut [bool]) -> Result<(), Error> {
    for usual in usual {
        *usual = coder.value(
            C::IdPredicted as usize,
            u32::from(*usual),
            &[Some(1), Some(0)],
        )? != 0;
    }
    Ok(())
}

/// Of so many strings those that are ids of the usual form.
#[inline(never)]
fn left_out(tables: &Tables, strings: usize, usual: &[bool]) -> Result<Vec<bool>, Error> {
    let mut left_out = vec![false; strings];
    for (card, _) in tables.cards.iter().zip(usual).filter(|(_, usual)| **usual) {
        *left_out
            .get_mut(card.id.get() as usize)
            .ok_or_else(|| corrupt("an id without a string"))? = true;
    }
    Ok(left_out)
}

/// The column that each of so many strings is in, counted from [`TEXTS`].
#[inline(never)]
fn text_columns(tables: &Tables, strings: usize) -> Vec<u8> {
    let mut columns = vec![0u8; strings];
    for local in tables.locals.all.iter().rev() {
        if let Some(column) = columns.get_mut(local.name.get() as usize) {
            *column = local.language.min(TEXT_COLUMNS as u8 - 2) + 1;
        }
    }
    columns
}

/// Writes the strings but those that are `left_out`, which are empty in what is read.
#[inline(never)]
fn texts(
    coder: &mut Coder<'_>,
    strings: &Strings,
    left_out: &[bool],
    columns: &[u8],
) -> Result<Strings, Error> {
    let mut starts = Vec::with_capacity(left_out.len() + 1);
    let mut bytes: Vec<u8> = Vec::with_capacity(coder.text_bytes(TEXTS));
    for (at, (left_out, &column)) in left_out.iter().zip(columns).enumerate() {
        starts.push(U32::new(bytes.len() as u32));
        if !left_out {
            let text = coder.text(TEXTS + usize::from(column), strings.bytes(at as u32))?;
            bytes.extend_from_slice(text);
        }
    }
    starts.push(U32::new(bytes.len() as u32));
    Ok(Strings {
        starts,
        text: String::from_utf8(bytes).map_err(|_| corrupt("its strings are not UTF-8"))?,
    })
}

/// Puts in the ids that are as usual.
pub(super) fn fill(tables: &mut Tables, usual: &[bool]) -> Result<(), Error> {
    let most = 64 * (tables.strings.text.len() + 16 * tables.cards.len() + 1024);
    let mut cards = vec![NONE; tables.strings.len()];
    for (at, (card, _)) in tables
        .cards
        .iter()
        .zip(usual)
        .enumerate()
        .filter(|(_, (_, usual))| **usual)
    {
        cards[card.id.get() as usize] = at as u32;
    }
    let mut starts = Vec::with_capacity(cards.len() + 1);
    let mut text = String::with_capacity(tables.strings.text.len() + 12 * tables.cards.len());
    for (at, card) in (0..).zip(cards) {
        starts.push(U32::new(text.len() as u32));
        match tables.cards.get(card as usize) {
            Some(card) => {
                let [set, number] = usual_id(tables, card).map(|part| tables.strings.get(part));
                text.push_str(set);
                text.push('-');
                text.push_str(number);
            }
            None => text.push_str(tables.strings.get(U24::new(at))),
        }
        if text.len() > most {
            return Err(corrupt("ids that are too long"));
        }
    }
    starts.push(U32::new(text.len() as u32));
    tables.strings = Strings { starts, text };
    Ok(())
}
