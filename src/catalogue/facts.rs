//! [`CardFacts`] and [`SetFacts`]: every card and set of a catalogue in order, with what a
//! generator of titles or a price list needs besides [`Catalogue::card`].

use super::format::card_flag;
use super::{CardView, Catalogue};
use crate::dictionary::Category;

/// A card as [`Catalogue::facts`] gives it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CardFacts<'a> {
    /// The public view of the card.
    pub card: CardView<'a>,
    /// The code of its set (`swsh7`, `SV2a`); empty if it has none.
    pub set_code: &'a str,
    /// The name of its set as printed; empty if it is the English one or unknown.
    pub set_local_name: &'a str,
    /// The id of its game.
    pub game: &'a str,
    /// The region of its set, among those of its game; 0 is the first.
    pub region: u8,
    /// What it is to its game, where its source says so.
    pub category: Option<Category>,
    /// The number is printed on the card; else it is the source's own order.
    pub number_printed: bool,
    /// The English name is more than a candidate.
    pub name_sure: bool,
    /// Cards that show the same subject (or trainer, or item) have the same number here, whatever
    /// marks their names bear.
    pub core: u32,
    /// Its finishes and editions, and what else is known of it: bits of [`card_flag`].
    pub flags: u16,
    /// Numbers of the subjects that it shows, which old Japanese cards of Pokémon print in place of a
    /// number.
    pub subjects: Vec<u16>,
}

impl CardFacts<'_> {
    /// Whether its set is of another region than the first of its game.
    #[must_use]
    pub fn is_regional(&self) -> bool {
        self.region != 0
    }
}

/// A set as [`Catalogue::sets`] gives it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SetFacts<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its code (`swsh7`, `SV2a`); empty if it has none.
    pub code: &'a str,
    /// Its name, English if one is known.
    pub name: &'a str,
    /// Its name as printed; empty if it is the English one or unknown.
    pub local_name: &'a str,
    /// Its series; empty if unknown.
    pub series: &'a str,
    /// The id of its game.
    pub game: &'a str,
    /// Its region, among those of its game; 0 is the first. Each numbers its cards separately.
    pub region: u8,
    /// Release as year, month and day; what is unknown of it is 0.
    pub released: (u16, u8, u8),
    /// The count printed on its cards; 0 if there is none.
    pub official: u16,
    /// Number of its cards.
    pub cards: u32,
}

impl Catalogue {
    /// All sets in the order of the index, those without cards among them.
    #[doc(hidden)]
    pub fn sets(&self) -> impl Iterator<Item = SetFacts<'_>> {
        let columns = self.columns();
        columns.sets.iter().map(move |record| {
            let date = record.released.get();
            SetFacts {
                id: columns.string(record.id),
                code: columns.string(record.code),
                name: columns.string(record.name),
                local_name: columns.string(record.local_name),
                series: columns.string(record.series),
                game: columns.game(record),
                region: record.region,
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
    #[doc(hidden)]
    pub fn facts(&self) -> impl Iterator<Item = CardFacts<'_>> {
        let columns = self.columns();
        columns.cards.iter().filter_map(move |record| {
            let set = columns.set_record(record)?;
            let core = columns.name_record(record)?.core.get();
            let flag = |bit: u16| record.flags.get() & bit != 0;
            Some(CardFacts {
                card: columns.card(columns.string(record.id))?,
                set_code: columns.string(set.code),
                set_local_name: columns.string(set.local_name),
                game: columns.game(set),
                region: set.region,
                category: if flag(card_flag::RESOURCE) {
                    Some(Category::Resource)
                } else if flag(card_flag::SUBJECT) || record.hp != 0 {
                    Some(Category::Subject)
                } else {
                    None
                },
                number_printed: !flag(card_flag::UNPRINTED),
                name_sure: !flag(card_flag::UNSURE),
                core,
                flags: record.flags.get(),
                subjects: columns.cores.get(core as usize).map_or_else(Vec::new, |c| {
                    c.subjects
                        .iter()
                        .map(|d| d.get())
                        .filter(|d| *d != 0)
                        .collect()
                }),
            })
        })
    }

    /// Whether `key` (see [`crate::token::key_of`]) is a name, set, nickname, product word or
    /// illustrator of the catalogue.
    #[doc(hidden)]
    #[must_use]
    pub fn knows(&self, key: &str) -> bool {
        self.columns().lexicon().get(key.as_bytes()).is_some()
    }

    /// Hands on all such keys, with the places of their meanings, in no order that means anything.
    #[doc(hidden)]
    pub fn for_each_key(&self, found: impl FnMut(&[u8], u32)) {
        self.columns().lexicon().for_each(found);
    }
}
