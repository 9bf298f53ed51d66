//! The item that a row is about: by its own id, or by what a marketplace calls it.

use super::cell::{Cells, Column, Form, Wrong, optional};
use crate::market::load_index::{Item, LoadIndex, NotPlaced};
use crate::store::market::MarketplaceId;
use titledex::MarketIds;

/// The column of own ids, and of products of the marketplace whose ids are shown.
pub(super) const OWN: Column = optional("marketplaceId")
    .or(&["marketplace_id"])
    .form(Form::Id);
/// The column of TCGplayer's products.
pub(super) const TCGPLAYER: Column = optional("tcgplayerId")
    .or(&[
        "tcgplayer_id",
        "tcgPlayerId",
        "productId",
        "product_id",
        "ProductId",
    ])
    .number();
/// The column of Cardmarket's products.
pub(super) const CARDMARKET: Column = optional("cardmarketId")
    .or(&["cardmarket_id", "idProduct", "id_product"])
    .number();
/// The column of the printing's name, which tells the printings of one product apart.
pub(super) const PRINTING: Column =
    optional("printing").or(&["subTypeName", "sub_type_name", "variant", "finish"]);

/// The places of the columns that name an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys {
    pub(super) own: usize,
    pub(super) tcgplayer: usize,
    pub(super) cardmarket: usize,
    pub(super) printing: usize,
}

impl Keys {
    /// What names the item of a row, as texts that are the same for the same item.
    pub(super) fn texts<'c>(&self, cells: &Cells<'c>) -> Result<[&'c str; 4], Wrong> {
        let text = |at| Ok(cells.text(at)?.unwrap_or_default());
        Ok([
            text(self.own)?,
            text(self.tcgplayer)?,
            text(self.cardmarket)?,
            text(self.printing)?,
        ])
    }

    /// The item of a row. A marketplace's product that is several printings needs the name of one.
    pub(super) fn item(&self, known: &LoadIndex, cells: &Cells<'_>) -> Result<Item, Wrong> {
        let [own, tcgplayer, cardmarket, printing] = self.texts(cells)?;
        let (at, ids) = if !own.is_empty() {
            let open = known.games.open_of(own);
            open.map_err(|what| cells.wrong(self.own, what))?;
            if let Some(item) = known.item(own) {
                return Ok(*item);
            }
            (self.own, MarketplaceId::Own.product(own))
        } else if !tcgplayer.is_empty() {
            (self.tcgplayer, MarketplaceId::Tcgplayer.product(tcgplayer))
        } else if !cardmarket.is_empty() {
            (
                self.cardmarket,
                MarketplaceId::Cardmarket.product(cardmarket),
            )
        } else {
            return Err(cells.wrong(
                self.own,
                "is empty: write an item's id, or tcgplayerId or cardmarketId",
            ));
        };
        let Some(ids) = ids else {
            let printings = known.printings(own);
            return Err(if at == self.own && !printings.is_empty() {
                let printings = printings.join(", ");
                cells.wrong(
                    at,
                    format!("is a card: name one of its printings ({printings})"),
                )
            } else {
                not_placed(cells, at, NotPlaced::Unknown)
            });
        };
        let found = known.sold_as(ids, printing);
        let id = found.map_err(|reason| not_placed(cells, at, reason))?;
        let open = known.games.open_of(id);
        open.map_err(|what| cells.wrong(at, what))?;
        let item = known.item(id).copied();
        item.ok_or_else(|| not_placed(cells, at, NotPlaced::Unknown))
    }
}

/// Why the product of a cell is no item.
pub(super) fn not_placed(cells: &Cells<'_>, at: usize, reason: NotPlaced) -> Wrong {
    match reason {
        NotPlaced::Unknown => {
            cells.wrong(at, "is not in the store: import its card or product first")
        }
        NotPlaced::Several(items) => cells.wrong(
            at,
            format!(
                "is {} printings ({}): name one of them in the column printing",
                items.len(),
                items.join(", ")
            ),
        ),
    }
}

/// The marketplaces' ids that a row gives its own item.
pub(super) fn ids(
    cells: &Cells<'_>,
    tcgplayer: usize,
    cardmarket: usize,
) -> Result<MarketIds, Wrong> {
    let id = |at: usize| -> Result<u32, Wrong> {
        let count = cells.count(at)?.unwrap_or_default();
        u32::try_from(count).map_err(|_| cells.wrong(at, "is too large for a product's number"))
    };
    Ok(MarketIds::new(id(tcgplayer)?, id(cardmarket)?))
}
