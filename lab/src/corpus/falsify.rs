//! Titles that state one attribute wrongly, of cards that all else names.

use super::deck::{Deck, Known};
use super::generate::{Generator, Plan};
use super::label::Stated;
use super::layout::Piece;
use super::random::Random;
use super::render::Writer;
use super::slot::Slot;
use titledex::internals::token::key_of;

/// Attributes that are stated wrongly.
const FALSE: [Slot; 6] = [
    Slot::Name,
    Slot::Number,
    Slot::Set,
    Slot::Year,
    Slot::Rarity,
    Slot::Edition,
];

/// Makes one of the pieces false of the card at `at`, and returns its slot. `None` if all else does
/// not name that card alone, or if another card agrees with what is then stated or with all of it
/// but one attribute: the title may mean that card.
pub(crate) fn falsify<'a>(
    generator: &Generator<'_, 'a>,
    writer: &mut Writer<'_, 'a>,
    plan: Plan,
    (at, card): (u32, &Known<'a>),
    pieces: &mut [Piece],
) -> Option<Slot> {
    let stated: Vec<usize> = (0..pieces.len())
        .filter(|&place| FALSE.contains(&pieces[place].slot))
        .collect();
    let place = *writer.random.pick(&stated)?;
    let slot = pieces[place].slot;
    let deck = &writer.from.deck;
    if writer.stated.without(slot).cards(deck, Some(at), false) != Ok(vec![at]) {
        return None;
    }
    let text = match slot {
        Slot::Number => number(writer, &pieces[place].text)?,
        Slot::Name => {
            let others = deck.of_core(card.facts.core);
            let other = *writer.random.pick(others)?;
            writer.field(slot, deck.cards.get(other as usize)?)?
        }
        _ => {
            let group = writer.group;
            let (_, other) = generator.draw(writer.random, group, plan)?;
            writer.field(slot, other)?
        }
    };
    // a seller who writes another name than the one that is printed may well have that card
    let mut others = FALSE
        .into_iter()
        .filter(|&other| other != Slot::Name && other != slot);
    let nobody = |stated: &Stated| agree(stated, deck) == 0;
    let clear = nobody(&writer.stated) && others.all(|other| nobody(&writer.stated.without(other)));
    if !clear || key_of(&text) == key_of(&pieces[place].text) {
        return None;
    }
    pieces[place].text = text;
    Some(slot)
}

/// How many cards of any language agree with what is stated; 1 if it states too little to tell.
fn agree(stated: &Stated, deck: &Deck<'_>) -> usize {
    let any = Stated {
        language: None,
        japanese_script: false,
        ..stated.clone()
    };
    any.cards(deck, None, true).map_or(1, |cards| cards.len())
}

/// The number with another digit, in itself or in its total.
fn number(writer: &mut Writer<'_, '_>, text: &str) -> Option<String> {
    let own = writer.stated.number.clone()?;
    match writer.stated.total.clone() {
        Some(total) if writer.random.chance(1, 2) => {
            let wrong = another_digit(writer.random, &total)?;
            let at = text.rfind(&total)?;
            writer.stated.total = Some(wrong.clone());
            Some(format!(
                "{}{wrong}{}",
                &text[..at],
                &text[at + total.len()..]
            ))
        }
        _ => {
            let wrong = another_digit(writer.random, &own)?;
            writer.stated.number = Some(wrong.clone());
            Some(text.replacen(&own, &wrong, 1))
        }
    }
}

/// A number one of whose digits is another one.
fn another_digit(random: &mut Random, number: &str) -> Option<String> {
    let digits: Vec<usize> = number
        .bytes()
        .enumerate()
        .filter(|(_, byte)| byte.is_ascii_digit())
        .map(|(at, _)| at)
        .collect();
    let at = *random.pick(&digits)?;
    let digit = random.index(10).to_string();
    let wrong = format!("{}{digit}{}", &number[..at], &number[at + 1..]);
    let value = |text: &str| text.trim_start_matches('0').to_owned();
    (value(&wrong) != value(number) && !value(&wrong).is_empty()).then_some(wrong)
}
