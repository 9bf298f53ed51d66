//! Imports sealed products, in the columns of the export.

use super::cell::{Cells, Column, Form, Wrong, needed, optional};
use super::keys;
use super::price::PriceColumns;
use super::prices::Prices;
use crate::market::load_index::LoadIndex;
use crate::store::StoreError;
use crate::store::market::{Loader, SealedRecord};
use std::collections::HashMap;

/// The columns of files of sealed products.
pub(super) const COLUMNS: &[Column] = &[
    needed("marketplaceId").form(Form::Id),
    needed("name"),
    optional("setName"),
    optional("setId"),
    needed("productType"),
    needed("language"),
    optional("marketPrice").number(),
    optional("lowPrice").number(),
    optional("sellers").number(),
    optional("lastPriceUpdate"),
    keys::TCGPLAYER,
    keys::CARDMARKET,
];

/// The columns that state the price.
const PRICE: PriceColumns = PriceColumns {
    market: 6,
    low: 7,
    sellers: 8,
    moment: 9,
};

/// Products buffered before they are written.
const HELD: usize = 1 << 16;

/// The sealed products not yet written.
#[derive(Debug)]
pub(super) struct Sealed {
    products: HashMap<i64, SealedRecord>,
    prices: Prices,
}

impl Default for Sealed {
    fn default() -> Self {
        Self {
            products: HashMap::new(),
            prices: Prices::of_export(),
        }
    }
}

impl Sealed {
    pub(super) fn is_full(&self) -> bool {
        self.products.len() >= HELD || self.prices.is_full()
    }

    pub(super) fn row(&mut self, known: &mut LoadIndex, cells: &Cells<'_>) -> Result<(), Wrong> {
        let (id, name, product_type) = (cells.id(0)?, cells.needed(1)?, cells.needed(4)?);
        let language = cells.language(5)?;
        let price = PRICE.read(cells, known.today)?;
        if known.item(id).is_some_and(|item| !item.sealed) {
            return Err(cells.wrong(0, "is a card in the store: give the product another id"));
        }
        let set_id = cells.text(3)?;
        // a product without a set, or of a set whose game its id leaves out
        let (at, of) = set_id.map_or((0, id), |set| (3, set));
        let game = known
            .games
            .open_of(of)
            .map_err(|what| cells.wrong(at, what))?;
        let game = game.to_owned();
        known
            .games
            .open_of(id)
            .map_err(|what| cells.wrong(0, what))?;
        let set_key = set_id.and_then(|id| known.set_key(id));
        if set_id.is_some() && set_key.is_none() {
            return Err(cells.wrong(
                3,
                "is not a set of the store: import the set first, or leave it empty",
            ));
        }
        let named = set_id
            .and_then(|id| known.set_name(id))
            .unwrap_or_default()
            .to_owned();
        let set_name = cells.text(2)?.map_or(named, str::to_owned);
        let mut item = known.sealed(id, language);
        item.ids = keys::ids(cells, 10, 11)?;
        known.add_product(id, item.ids);
        let sealed = SealedRecord {
            item,
            name: name.to_owned(),
            set_key,
            set_id: set_id.map(str::to_owned),
            set_name,
            game,
            product_type: product_type.to_owned(),
        };
        self.products.insert(sealed.item.key, sealed);
        self.prices.restate(known, id, price);
        Ok(())
    }

    pub(super) async fn flush(&mut self, loader: &mut Loader) -> Result<(), StoreError> {
        let mut products: Vec<_> = self.products.drain().map(|(_, product)| product).collect();
        products.sort_unstable_by_key(|product| product.item.key);
        loader.put_sealed(&products).await?;
        self.prices.flush(loader).await
    }
}
