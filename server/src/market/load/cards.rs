//! Imports cards and their printings, in the columns of the export.

use super::cell::{Cells, Column, Form, Wrong, needed, optional};
use super::keys;
use super::price::PriceColumns;
use super::prices::Prices;
use crate::market::load_index::{LoadIndex, NotPlaced, slug};
use crate::store::StoreError;
use crate::store::market::{CardRecord, ItemRecord, Loader, MarketplaceId, SetRecord};
use std::borrow::Cow;
use std::collections::HashMap;
use titledex::MarketIds;

/// The columns of card files.
pub(super) const COLUMNS: &[Column] = &[
    needed("marketplaceId").form(Form::Id),
    needed("name"),
    optional("setName"),
    needed("setId"),
    optional("cardNumber"),
    optional("rarity"),
    needed("language"),
    optional("printing"),
    optional("marketPrice").number(),
    optional("lowPrice").number(),
    optional("sellers").number(),
    optional("lastPriceUpdate"),
    keys::TCGPLAYER,
    keys::CARDMARKET,
];

/// The columns that state the price.
const PRICE: PriceColumns = PriceColumns {
    market: 8,
    low: 9,
    sellers: 10,
    moment: 11,
};

/// Printings buffered before they are written.
const HELD: usize = 1 << 16;

/// The cards not yet written.
#[derive(Debug)]
pub(super) struct Cards {
    sets: Vec<SetRecord>,
    /// By number, so that a card of several printings is written once.
    cards: HashMap<i64, CardRecord>,
    items: HashMap<i64, ItemRecord>,
    prices: Prices,
}

impl Default for Cards {
    fn default() -> Self {
        Self {
            sets: Vec::new(),
            cards: HashMap::new(),
            items: HashMap::new(),
            prices: Prices::of_export(),
        }
    }
}

impl Cards {
    pub(super) fn is_full(&self) -> bool {
        self.items.len() >= HELD || self.prices.is_full()
    }

    pub(super) fn row(&mut self, known: &mut LoadIndex, cells: &Cells<'_>) -> Result<(), Wrong> {
        let called = cells.id(0)?;
        let name = cells.needed(1)?;
        let set_id = cells.id(3)?;
        let game = known
            .games
            .open_of(set_id)
            .map_err(|what| cells.wrong(3, what))?;
        let language = cells.language(6)?;
        let (number, rarity) = (cells.text(4)?, cells.text(5)?);
        let price = PRICE.read(cells, known.today)?;
        let printing = cells.text(7)?.unwrap_or_default();
        let mut ids = keys::ids(cells, 12, 13)?;
        let id = match MarketplaceId::Own.product(called) {
            None => Cow::Borrowed(called),
            Some(product) => {
                ids = merged(ids, product);
                match known.sold_as(product, printing) {
                    Ok(id) => Cow::Owned(id.to_owned()),
                    Err(NotPlaced::Unknown) => Cow::Owned(own_id(set_id, number, printing)),
                    Err(several) => return Err(keys::not_placed(cells, 0, several)),
                }
            }
        };
        let (id, former) = known.present(id.as_ref());
        let id = id.as_ref();
        let Some((card_id, _)) = id
            .rsplit_once(':')
            .filter(|(card, printing)| !card.is_empty() && !printing.is_empty())
            .filter(|(card, _)| !known.games.is_prefix(card) && !known.has_card(id))
        else {
            return Err(cells.wrong(
                0,
                "names no printing: write the card's id, a colon and the printing",
            ));
        };
        if known.item(id).is_some_and(|item| item.sealed) {
            return Err(cells.wrong(
                0,
                "is a sealed product in the store: give the card another id",
            ));
        }
        let own = known
            .games
            .open_of(id)
            .map_err(|what| cells.wrong(0, what))?;
        if own != game {
            return Err(cells.wrong(
                0,
                format!("is of the game {own}, and its set {set_id} of {game}: write the ids of one game"),
            ));
        }
        // the row describes a card that is another by now: only its printings and prices count
        if former {
            if known.item(id).is_none() {
                let card = known.card(card_id, set_id, None);
                let item = known.printing(id, (card_id, card), language, printing, None);
                self.items.insert(item.key, item);
            }
            self.prices.restate(known, id, price);
            return Ok(());
        }
        let printed = is_printed(name).then(|| name.to_owned());
        let set_name = cells.text(2)?.unwrap_or(set_id);
        let (key, slug, there) = known.set(set_id, language, set_name, "");
        if !there {
            self.sets.push(SetRecord {
                key,
                id: set_id.to_owned(),
                game: game.to_owned(),
                language,
                slug,
                name: set_name.to_owned(),
                ..SetRecord::default()
            });
        }
        let card = known.card(card_id, set_id, None);
        self.cards.entry(card.key).or_insert_with(|| CardRecord {
            key: card.key,
            id: card_id.to_owned(),
            set_key: card.set_key,
            place: card.place,
            language,
            name: name.to_owned(),
            printed_name: printed,
            number: number.map(str::to_owned),
            rarity: rarity.map(str::to_owned),
            kind: None,
        });
        let mut item = known.printing(id, (card_id, card), language, printing, None);
        item.ids = ids;
        known.add_product(id, ids);
        self.items.insert(item.key, item);
        self.prices.restate(known, id, price);
        Ok(())
    }

    pub(super) async fn flush(&mut self, loader: &mut Loader) -> Result<(), StoreError> {
        loader.put_sets(&std::mem::take(&mut self.sets)).await?;
        let mut cards: Vec<_> = self.cards.drain().map(|(_, card)| card).collect();
        cards.sort_unstable_by_key(|card| card.key);
        keep_names(&mut cards, loader).await?;
        loader.put_cards(&cards).await?;
        let mut items: Vec<_> = self.items.drain().map(|(_, item)| item).collect();
        items.sort_unstable_by_key(|item| item.key);
        loader.put_items(&items).await?;
        self.prices.flush(loader).await
    }
}

/// Whether a name is the one that is printed on an Asian card, and not its English one: it has a
/// letter of Thai, Chinese, Japanese or Korean.
fn is_printed(name: &str) -> bool {
    name.contains(|letter| matches!(letter, '\u{e00}'..='\u{e7f}' | '\u{2e80}'..))
}

/// Gives cards of which a row states the printed name alone the English one that is known.
async fn keep_names(cards: &mut [CardRecord], loader: &mut Loader) -> Result<(), StoreError> {
    let printed = cards.iter().filter(|card| card.printed_name.is_some());
    let keys: Vec<i64> = printed.map(|card| card.key).collect();
    for (key, name) in loader.card_names(&keys).await? {
        let at = cards.binary_search_by_key(&key, |card| card.key);
        if let (false, Ok(at)) = (is_printed(&name), at) {
            cards[at].name = name;
        }
    }
    Ok(())
}

/// The ids of two sources; the first counts where both have one.
fn merged(first: MarketIds, second: MarketIds) -> MarketIds {
    let mut ids = first;
    ids.tcgplayer = ids.tcgplayer.or(second.tcgplayer);
    ids.cardmarket = ids.cardmarket.or(second.cardmarket);
    ids
}

/// The own id of a printing that only a marketplace has numbered: that of the catalogue's scheme,
/// which names a card of the catalogue where set and number are the catalogue's.
fn own_id(set: &str, number: Option<&str>, printing: &str) -> String {
    let number = number.unwrap_or_default();
    let digits = number.split('/').next().unwrap_or_default().trim();
    let printing = match slug(printing) {
        empty if empty.is_empty() => "normal".to_owned(),
        slug => slug,
    };
    format!("{set}-{digits}:{printing}")
}
