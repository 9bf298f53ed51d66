//! [`CardFacts`] and [`SetFacts`]: every card and set of a catalogue in turn, with what beside [`Catalogue::card`] a maker of titles or a
//! price list must know.

use super::format::card_flag;
use super::{CardView, Catalogue};

/// A card as [`Catalogue::facts`] gives it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CardFacts<'a> {
    /// What anybody may know of it.
    pub card: CardView<'a>,
    /// The code of its set (`swsh7`, `SV2a`); empty where it has none.
    pub set_code: &'a str,
    /// The name of its set as printed; empty where it is the English one or unknown.
    pub set_local_name: &'a str,
    /// Its set belongs to the Asian catalogue, whose cards have numbers of their own.
    pub asia: bool,
    /// The number stands on the card; else it is the source's own order.
    pub number_printed: bool,
    /// The English name is more than a candidate.
    pub name_sure: bool,
    /// Cards that show the same species (or trainer, or item) have the same number here, whatever marks their names bear.
    pub core: u32,
    /// National Pokédex numbers of the species that it shows, which old Japanese cards print in place of a number.
    pub dex: Vec<u16>,
}

/// A set as [`Catalogue::sets`] gives it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SetFacts<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its code (`swsh7`, `SV2a`); empty where it has none.
    pub code: &'a str,
    /// Its name, English where one is known.
    pub name: &'a str,
    /// Its name as printed; empty where it is the English one or unknown.
    pub local_name: &'a str,
    /// Its series; empty where unknown.
    pub series: &'a str,
    /// It belongs to the Asian catalogue, whose cards have numbers of their own.
    pub asia: bool,
    /// Release as year, month and day; what is unknown of it is 0.
    pub released: (u16, u8, u8),
    /// The count printed on its cards; 0 where none is.
    pub official: u16,
    /// How many cards it has.
    pub cards: u32,
}

impl<'a> Catalogue<'a> {
    /// All sets in the order of the index, those without cards among them.
    pub fn sets(&self) -> impl Iterator<Item = SetFacts<'a>> + '_ {
        self.sets.iter().map(|record| {
            let date = record.released.get();
            SetFacts {
                id: self.string(record.id),
                code: self.string(record.code),
                name: self.string(record.name),
                local_name: self.string(record.local_name),
                series: self.string(record.series),
                asia: record.asia != 0,
                released: (
                    (date / 10_000) as u16,
                    (date / 100 % 100) as u8,
                    (date % 100) as u8,
                ),
                official: record.official.get(),
                cards: record.count.get(),
            }
        })
    }

    /// All cards in the order of the index.
    pub fn facts(&self) -> impl Iterator<Item = CardFacts<'a>> + '_ {
        self.cards.iter().filter_map(|record| {
            let set = self.set_record(record)?;
            let core = self.name_record(record)?.core.get();
            let flag = |bit: u16| record.flags.get() & bit != 0;
            Some(CardFacts {
                card: self.card(self.string(record.id))?,
                set_code: self.string(set.code),
                set_local_name: self.string(set.local_name),
                asia: set.asia != 0,
                number_printed: !flag(card_flag::UNPRINTED),
                name_sure: !flag(card_flag::UNSURE),
                core,
                dex: self.cores.get(core as usize).map_or_else(Vec::new, |c| {
                    c.dex.iter().map(|d| d.get()).filter(|d| *d != 0).collect()
                }),
            })
        })
    }

    /// Whether `key` (see [`crate::token::key_of`]) stands for a name, set, nickname, product word or illustrator of the catalogue.
    #[must_use]
    pub fn knows(&self, key: &str) -> bool {
        self.lexicon.get(key.as_bytes()).is_some()
    }
}
