//! How the records of the market are read from rows.

use super::records::{
    CardKind, CardRecord, CardWithPrintings, ItemRecord, Language, PopulationRecord, Quote,
    SealedRecord, SetRecord,
};
use crate::market::Money;
use crate::store::sql::Row;
use serde::de::DeserializeOwned;
use sqlx::Error;
use titledex::MarketIds;
/// The amount in a column.
pub(super) fn money(row: Row<'_>, name: &str) -> Result<Option<Money>, Error> {
    Ok(row.get::<Option<i64>>(name)?.map(Money))
}

/// What marketplaces call the item of a row.
pub(super) fn market_ids(row: Row<'_>) -> Result<MarketIds, Error> {
    let id = |name: &str| -> Result<u32, Error> {
        let id: Option<i64> = row.get(name)?;
        Ok(id.and_then(|id| u32::try_from(id).ok()).unwrap_or(0))
    };
    Ok(MarketIds::new(id("tcgplayer")?, id("cardmarket")?))
}

/// The language of which a column has the number.
pub(super) fn language(row: Row<'_>, name: &str) -> Result<Language, Error> {
    Ok(Language::of_number(row.get(name)?))
}

/// What a column holds as JSON.
pub(super) fn json<T: DeserializeOwned>(row: Row<'_>, name: &str) -> Result<T, Error> {
    let text: String = row.get(name)?;
    serde_json::from_str(&text).map_err(|error| Error::Decode(Box::new(error)))
}

impl SetRecord {
    /// The columns of a set.
    pub(super) const COLUMNS: &str = "key, id, game, language, slug, name, printed_name, code, series, released, printed_total, total, \
                                      legality, images";

    /// Reads [`Self::COLUMNS`].
    pub(super) fn read(row: Row<'_>) -> Result<Self, Error> {
        Ok(Self {
            key: row.get("key")?,
            id: row.get("id")?,
            game: row.get("game")?,
            language: language(row, "language")?,
            slug: row.get("slug")?,
            name: row.get("name")?,
            printed_name: row.get("printed_name")?,
            code: row.get("code")?,
            series: row.get("series")?,
            released: row.get("released")?,
            printed_total: row.get("printed_total")?,
            total: row.get("total")?,
            legality: row.get("legality")?,
            images: row.get("images")?,
        })
    }
}

impl ItemRecord {
    /// The columns of an item `i`.
    pub(super) const COLUMNS: &str = "i.key, i.marketplace_id, i.language, i.card, i.place, \
                                      i.label, i.market, i.low, i.sellers, i.updated, i.source, \
                                      i.headline_condition, \
                                      i.eur_market, i.eur_low, i.eur_updated, i.first_day, \
                                      i.last_day, i.tcgplayer, i.cardmarket";

    /// Reads [`Self::COLUMNS`].
    pub(super) fn read(row: Row<'_>) -> Result<Self, Error> {
        Ok(Self {
            key: row.get("key")?,
            marketplace_id: row.get("marketplace_id")?,
            language: language(row, "language")?,
            card: row.get("card")?,
            place: row.get("place")?,
            label: row.get("label")?,
            market: money(row, "market")?,
            low: money(row, "low")?,
            sellers: row.get("sellers")?,
            updated: row.get("updated")?,
            source: row.get("source")?,
            condition: row.get("headline_condition")?,
            eur_market: money(row, "eur_market")?,
            eur_low: money(row, "eur_low")?,
            eur_updated: row.get("eur_updated")?,
            first_day: row.get("first_day")?,
            last_day: row.get("last_day")?,
            ids: market_ids(row)?,
        })
    }
}

impl CardWithPrintings {
    /// The columns of a card `c` and its set `s`, beside those of a printing.
    pub(super) const COLUMNS: &str = "c.key AS card_key, c.id AS card_id, c.set_key, c.place AS \
                                      card_place, c.language AS card_language, c.name, \
                                      c.printed_name, c.number, c.rarity, c.kind, s.id AS set_id, s.name \
                                      AS set_name, s.slug AS set_slug, s.released \
                                      AS set_released, s.game";

    /// Reads [`Self::COLUMNS`] and the printing of the row, which is the card's first.
    pub(super) fn read(row: Row<'_>, printing: ItemRecord) -> Result<Self, Error> {
        Ok(Self {
            card: CardRecord {
                key: row.get("card_key")?,
                id: row.get("card_id")?,
                set_key: row.get("set_key")?,
                place: row.get("card_place")?,
                language: language(row, "card_language")?,
                name: row.get("name")?,
                printed_name: row.get("printed_name")?,
                number: row.get("number")?,
                rarity: row.get("rarity")?,
                kind: row
                    .get::<Option<String>>("kind")?
                    .and_then(|kind| CardKind::of_name(&kind)),
            },
            set_id: row.get("set_id")?,
            set_name: row.get("set_name")?,
            set_slug: row.get("set_slug")?,
            set_released: row.get("set_released")?,
            game: row.get("game")?,
            printings: vec![printing],
        })
    }
}

impl SealedRecord {
    /// The columns of a sealed product `d` and its set `s`, beside those of its item.
    pub(super) const COLUMNS: &str =
        "d.name, d.set_key, s.id AS set_id, d.set_name, d.game, d.product_type";

    /// Reads [`Self::COLUMNS`] and [`ItemRecord::COLUMNS`].
    pub(super) fn read(row: Row<'_>) -> Result<Self, Error> {
        Ok(Self {
            item: ItemRecord::read(row)?,
            name: row.get("name")?,
            set_key: row.get("set_key")?,
            set_id: row.get("set_id")?,
            set_name: row.get("set_name")?,
            game: row.get("game")?,
            product_type: row.get("product_type")?,
        })
    }
}

impl Quote {
    /// Reads a row of the table.
    pub(super) fn read(row: Row<'_>) -> Result<Self, Error> {
        Ok(Self {
            item: row.get("item")?,
            source: row.get("source")?,
            condition: row.get("condition")?,
            currency: row.get("currency")?,
            market: money(row, "market")?,
            low: money(row, "low")?,
            sellers: row.get("sellers")?,
            day: row.get("day")?,
        })
    }
}

impl PopulationRecord {
    /// The columns of a population `p` and its item `i`.
    pub(super) const COLUMNS: &str = "p.item, i.marketplace_id, i.tcgplayer, i.cardmarket, p.language, p.counts, p.confidence, p.score, p.fetched, p.updated";

    /// Reads [`Self::COLUMNS`].
    pub(super) fn read(row: Row<'_>) -> Result<Self, Error> {
        Ok(Self {
            item: row.get("item")?,
            marketplace_id: row.get("marketplace_id")?,
            ids: market_ids(row)?,
            language: language(row, "language")?,
            counts: json(row, "counts")?,
            confidence: row.get("confidence")?,
            score: money(row, "score")?,
            fetched: row.get("fetched")?,
            updated: row.get("updated")?,
        })
    }
}
