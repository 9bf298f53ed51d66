//! What items are called: their own ids, those of their cards, and those of marketplaces.

use super::records::ItemRecord;
use crate::store::bulk::{batches, places};
use crate::store::{Store, StoreError};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use titledex::MarketIds;

/// Which id of an item stands as its `marketplaceId`, and which marketplace's product a number
/// without its marketplace's name is: TCGplayer's, unless it is Cardmarket's that stand there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarketplaceId {
    /// Its own: `base1-4:unlimited-holofoil`.
    #[default]
    Own,
    /// Its product at TCGplayer, where one is known: `42382`.
    Tcgplayer,
    /// Its product at Cardmarket, where one is known: `273700`.
    Cardmarket,
}

impl MarketplaceId {
    /// The product that a text means; none for an item's own id.
    #[must_use]
    pub fn product(self, called: &str) -> Option<MarketIds> {
        let marketplace = match self {
            Self::Own | Self::Tcgplayer => "tcgplayer",
            Self::Cardmarket => "cardmarket",
        };
        MarketIds::named(called).or_else(|| MarketIds::named(&format!("{marketplace}:{called}")))
    }

    /// The id of `own` and `ids` that stands as `marketplaceId`.
    #[must_use]
    pub fn shown(self, own: &str, ids: MarketIds) -> Cow<'_, str> {
        let product = match self {
            Self::Own => None,
            Self::Tcgplayer => ids.tcgplayer,
            Self::Cardmarket => ids.cardmarket,
        };
        product.map_or(Cow::Borrowed(own), |id| Cow::Owned(id.to_string()))
    }

    /// The id of an item that stands as its `marketplaceId`.
    #[must_use]
    pub fn of(self, item: &ItemRecord) -> Cow<'_, str> {
        self.shown(&item.marketplace_id, item.ids)
    }
}

impl Store {
    /// Ids of cards, each that was merged into another as that one's, each once.
    pub async fn present_cards(&self, ids: Vec<String>) -> Result<Vec<String>, StoreError> {
        let ranked = ids.into_iter().map(|id| (id, 0)).collect();
        let present = self.present_ranked(ranked).await?;
        Ok(present.into_iter().map(|(id, _)| id).collect())
    }

    /// As [`Store::present_cards`], of ids with their ranks: the first of those that are one keeps
    /// its own.
    pub async fn present_ranked(
        &self,
        found: Vec<(String, u32)>,
    ) -> Result<Vec<(String, u32)>, StoreError> {
        let ids: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
        let mut present: HashMap<String, String> = HashMap::new();
        for ids in batches(&ids, 1) {
            let sql = format!(
                "SELECT f.id AS former, c.id FROM former_ids f JOIN cards c ON c.key = f.card \
                 WHERE f.id IN ({})",
                places(ids.len())
            );
            let rows = self.read.query_many(sql).bind_all(ids);
            present.extend(
                rows.all(|row| Ok((row.get("former")?, row.get("id")?)))
                    .await?,
            );
        }
        if present.is_empty() {
            return Ok(found);
        }
        let mut seen = HashSet::new();
        let named = found
            .into_iter()
            .map(|(id, rank)| (present.get(&id).cloned().unwrap_or(id), rank));
        Ok(named.filter(|(id, _)| seen.insert(id.clone())).collect())
    }

    /// The own ids of the items that are called so, for each of `called`: the item of that own id,
    /// the leading printing of the card of that id, or all items that a marketplace sells as that
    /// product, in the catalogue's order. An id that was merged into another is that one. Nothing is called so where the list is empty.
    pub async fn own_ids(
        &self,
        called: &[&str],
        scheme: MarketplaceId,
    ) -> Result<Vec<Vec<String>>, StoreError> {
        let products: Vec<Option<MarketIds>> = called.iter().map(|id| scheme.product(id)).collect();
        let texts: Vec<&str> = called
            .iter()
            .zip(&products)
            .filter(|(_, product)| product.is_none())
            .map(|(id, _)| *id)
            .collect();
        let numbers = |of: fn(&MarketIds) -> Option<u32>| -> Vec<i64> {
            let known = products.iter().flatten().filter_map(of);
            known.map(i64::from).collect()
        };
        let mut own: HashMap<String, Vec<String>> = HashMap::new();
        let mut add = |id: String, item: String| own.entry(id).or_default().push(item);
        for ids in batches(&texts, 4) {
            // the leading printing comes first, an item's own id counts alone
            let of = places(ids.len());
            let sql = format!(
                "SELECT marketplace_id AS called, marketplace_id FROM items \
                 WHERE marketplace_id IN ({of}) UNION ALL \
                 SELECT c.id AS called, i.marketplace_id FROM cards c \
                 JOIN items i ON i.card = c.key WHERE c.id IN ({of}) AND i.place = \
                 (SELECT MIN(place) FROM items o WHERE o.card = c.key) UNION ALL \
                 SELECT f.id AS called, i.marketplace_id FROM former_ids f \
                 JOIN items i ON i.key = f.item WHERE f.id IN ({of}) UNION ALL \
                 SELECT f.id AS called, i.marketplace_id FROM former_ids f \
                 JOIN items i ON i.card = f.card WHERE f.id IN ({of}) AND i.place = \
                 (SELECT MIN(place) FROM items o WHERE o.card = f.card)"
            );
            let query = self.read.query_many(sql);
            let query = (0..4).fold(query, |query, _| query.bind_all(ids));
            let rows = query.all(|row| Ok((row.get("called")?, row.get("marketplace_id")?)));
            rows.await?.into_iter().for_each(|(id, item)| add(id, item));
        }
        for (column, numbers) in [
            ("tcgplayer", numbers(|ids| ids.tcgplayer)),
            ("cardmarket", numbers(|ids| ids.cardmarket)),
        ] {
            for numbers in batches(&numbers, 1) {
                let sql = format!(
                    "SELECT {column} AS product, marketplace_id FROM items \
                     WHERE {column} IN ({}) ORDER BY key",
                    places(numbers.len())
                );
                let query = self.read.query_many(sql).bind_all(numbers);
                let rows = query.all(|row| {
                    let product: i64 = row.get("product")?;
                    Ok((format!("{column}:{product}"), row.get("marketplace_id")?))
                });
                rows.await?.into_iter().for_each(|(id, item)| add(id, item));
            }
        }
        let key = |(id, product): (&&str, &Option<MarketIds>)| match product {
            None => (*id).to_owned(),
            Some(ids) => match (ids.tcgplayer, ids.cardmarket) {
                (Some(id), _) => format!("tcgplayer:{id}"),
                (None, id) => format!("cardmarket:{}", id.unwrap_or_default()),
            },
        };
        let found = |of| own.get(&key(of)).cloned().unwrap_or_default();
        Ok(called.iter().zip(&products).map(found).collect())
    }
}
