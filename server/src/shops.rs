//! [`Shops`]: the pages of marketplaces by the ids that they give printings. Addresses are data:
//! `pages/shops.json`, which the playground and the extension read too.

use serde::Deserialize;
use std::collections::BTreeMap;
use titledex::MarketIds;

/// The marketplaces that are linked to.
#[derive(Clone, Debug, Default)]
pub struct Shops(Vec<Shop>);

#[derive(Clone, Debug, Deserialize)]
struct Shop {
    id: String,
    name: String,
    page: String,
    /// The game's part of an address, by our id of the game.
    #[serde(default)]
    games: BTreeMap<String, String>,
}

/// The page of a product.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link<'s> {
    pub(crate) name: &'s str,
    pub(crate) address: String,
}

impl Shops {
    /// The shops of this build, or none.
    #[must_use]
    pub fn new(linked: bool) -> Self {
        let all = || serde_json::from_str(include_str!("../pages/shops.json"));
        // a test reads the file
        Self(linked.then(all).and_then(Result::ok).unwrap_or_default())
    }

    /// The pages of a printing of a game at the shops that sell it.
    pub(crate) fn links(&self, ids: MarketIds, game: &str) -> Vec<Link<'_>> {
        let link = |shop| link(shop, ids, game);
        self.0.iter().filter_map(link).collect()
    }
}

fn link<'s>(shop: &'s Shop, ids: MarketIds, game: &str) -> Option<Link<'s>> {
    let id = match shop.id.as_str() {
        "tcgplayer" => ids.tcgplayer,
        "cardmarket" => ids.cardmarket,
        _ => None,
    }?;
    let place = if shop.games.is_empty() {
        ""
    } else {
        shop.games.get(game)?
    };
    let address = shop.page.replace("{game}", place);
    Some(Link {
        name: &shop.name,
        address: address.replace("{id}", &id.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::Shops;
    use titledex::MarketIds;

    #[test]
    fn printings_are_linked_by_their_ids() {
        let shops = Shops::new(true);
        let links = shops.links(MarketIds::new(42382, 273_699), "pokemon");
        let addresses: Vec<&str> = links.iter().map(|link| link.address.as_str()).collect();
        assert_eq!(
            addresses,
            [
                "https://www.tcgplayer.com/product/42382",
                "https://www.cardmarket.com/en/Pokemon/Products?idProduct=273699"
            ]
        );
        assert_eq!(shops.links(MarketIds::new(1, 2), "unknown").len(), 1);
        assert!(shops.links(MarketIds::default(), "pokemon").is_empty());
        assert!(
            Shops::new(false)
                .links(MarketIds::new(1, 2), "pokemon")
                .is_empty()
        );
    }
}
