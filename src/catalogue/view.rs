//! [`CardView`]: a card for people and programs, and facts about its index.

use super::Columns;
use super::format::{self, CardRecord, PrintingRecord, U24};
use crate::answer::MarketIds;
use serde::Serialize;

/// All that the catalogue knows of a card.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CardView<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its name, English if one is known.
    pub name: &'a str,
    /// Its names as printed.
    pub names: Vec<LocalView<'a>>,
    /// Id of its set.
    pub set_id: &'a str,
    /// Name of its set.
    pub set_name: &'a str,
    /// Collector number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<&'a str>,
    /// The text after the slash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<&'a str>,
    /// Rarity as the source names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rarity: Option<&'a str>,
    /// Rarity mark on Japanese cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rarity_mark: Option<&'a str>,
    /// Language of the region whose print it is: `english` where one card stands for the prints of all
    /// languages.
    pub language: &'a str,
    /// Release of its set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub released: Option<String>,
    /// Hit points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hp: Option<u16>,
    /// The illustrator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub illustrator: Option<&'a str>,
    /// The product that it came with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<&'a str>,
    /// Its printings.
    pub printings: Vec<PrintingView<'a>>,
}

/// A name as printed in one language.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct LocalView<'a> {
    /// The language code.
    pub language: &'a str,
    /// The name.
    pub name: &'a str,
}

/// A printing of a card.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PrintingView<'a> {
    /// Its id.
    pub marketplace_id: String,
    /// Its label; empty if the source gives none.
    pub printing: &'a str,
    /// What marketplaces call it.
    #[serde(skip_serializing_if = "MarketIds::is_empty")]
    pub ids: MarketIds,
}

impl<'a> Columns<'a> {
    /// Facts about the index, name and value.
    pub(crate) fn describe(&self) -> Vec<(&'static str, String)> {
        let per_card =
            |bytes: usize| format!("{:.1}", bytes as f64 / self.cards.len().max(1) as f64);
        let text = size_of_val(self.string_starts) + self.strings.len() + self.lexicon.size();
        vec![
            ("name", self.name().to_owned()),
            ("format", format::FORMAT.to_string()),
            ("cards", self.card_count().to_string()),
            ("games", self.games_with_cards()),
            ("sets", self.set_count().to_string()),
            ("printings", self.printing_count().to_string()),
            ("names", self.names.len().to_string()),
            ("lexicon keys", self.lexicon.keys().to_string()),
            ("bytes", self.bytes.to_string()),
            ("bytes a card", per_card(self.bytes)),
            // strings: their bytes, their starts, and the keys of the lexicon
            (
                "bytes a card beside its strings",
                per_card(self.bytes.saturating_sub(text)),
            ),
            ("string bytes", self.strings.len().to_string()),
            ("lexicon bytes", self.lexicon.size().to_string()),
        ]
    }

    /// The games with the number of cards of each: `pokemon 52174, onepiece 3040`.
    fn games_with_cards(&self) -> String {
        let mut cards = vec![0usize; self.games.len()];
        for set in self.sets {
            if let Some(count) = cards.get_mut(usize::from(set.game)) {
                *count += set.count.get() as usize;
            }
        }
        let game = |(id, count): (&U24, usize)| format!("{} {count}", self.string(*id));
        let games: Vec<String> = self.games.iter().zip(cards).map(game).collect();
        games.join(", ")
    }

    /// All that the catalogue knows of a card.
    pub(crate) fn card(&self, id: &str) -> Option<CardView<'a>> {
        let number = self.card_number(id)?;
        let card = self.card_record(number)?;
        let set = self.set_record(card)?;
        let text = |text: &'a str| Some(text).filter(|t| !t.is_empty());
        Some(CardView {
            id: self.string(card.id),
            name: self.string(card.text),
            names: self
                .locals(card)
                .iter()
                .map(|l| LocalView {
                    language: self.language_code(l.language),
                    name: self.string(l.name),
                })
                .collect(),
            set_id: self.string(set.id),
            set_name: self.string(set.name),
            number: text(self.number_text(card)),
            total: text(self.total_text(card)),
            rarity: Some(self.rarity(card.rarity)).filter(|t| !t.is_empty()),
            rarity_mark: Some(self.rarity(card.mark)).filter(|t| !t.is_empty()),
            language: self.language(card.language),
            released: (set.released.get() != 0).then(|| {
                let date = set.released.get();
                format!(
                    "{:04}-{:02}-{:02}",
                    date / 10_000,
                    date / 100 % 100,
                    date % 100
                )
            }),
            hp: (card.hp != 0).then_some(u16::from(card.hp) * 10),
            illustrator: self
                .artists
                .get(card.illustrator.get() as usize)
                .map(|a| self.string(a.name))
                .filter(|t| !t.is_empty()),
            product: Some(self.product(card)).filter(|t| !t.is_empty()),
            printings: self
                .printings(card)
                .iter()
                .enumerate()
                .map(|(place, p)| PrintingView {
                    marketplace_id: self.marketplace_id(card, p),
                    printing: self.string(p.label),
                    ids: self.market_ids(number, place),
                })
                .collect(),
        })
    }

    /// The ids of the printings that a marketplace calls so, each once, in the order of the index.
    pub(crate) fn sold_as(&self, ids: MarketIds) -> Vec<String> {
        let same = |own: Option<u32>, asked: Option<u32>| own.is_some() && own == asked;
        let mut found: Vec<String> = self
            .market_ids
            .iter()
            .filter(|record| {
                let own = record.ids();
                same(own.tcgplayer, ids.tcgplayer) || same(own.cardmarket, ids.cardmarket)
            })
            .filter_map(|record| {
                let card = self.card_record(record.card.get())?;
                let printing = self.printings(card).get(usize::from(record.printing))?;
                Some(self.marketplace_id(card, printing))
            })
            .collect();
        found.dedup();
        found
    }

    /// The id of a printing of `card`.
    pub(crate) fn marketplace_id(&self, card: &CardRecord, printing: &PrintingRecord) -> String {
        let slug = self.string(printing.slug);
        if slug.starts_with(':') {
            [self.string(card.id), slug].concat()
        } else {
            slug.to_owned()
        }
    }
}
