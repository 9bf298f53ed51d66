//! Searches: pages of those that are filtered, and what a search of sealed products costs.

use super::{Shop, each};
use crate::support::{Database, on_each_database};
use serde_json::json;
use std::collections::BTreeSet;
use titledex::{Engine, Scratch, Within};
use titledex_server::market::Money;
use titledex_server::store::market::{
    CardRecord, Headline, ItemRecord, Language, SealedRecord, SetRecord,
};

/// A shop with all that a search for Charizard finds, at prices in no order of the search.
fn charizards(database: &Database) -> Shop {
    let shop = Shop::on(database, "enterprise");
    let engine = Engine::new(titledex_embedded::catalogue().expect("it opens"));
    let mut within = Within::new().most(1_000);
    within.language = Some("english");
    let found = engine.search(&mut Scratch::default(), "charizard", &within);
    assert!(found.len() > 60, "{}", found.len());
    let set = SetRecord {
        key: 700,
        id: "searched".to_owned(),
        game: "pokemon".to_owned(),
        slug: "searched".to_owned(),
        name: "Searched".to_owned(),
        ..SetRecord::default()
    };
    let ids = found.iter().filter(|id| !id.starts_with("base1-"));
    let (mut cards, mut items, mut headlines) = (Vec::new(), Vec::new(), Vec::new());
    for (at, id) in (0..).zip(ids) {
        let key = 700_000 + at;
        cards.push(CardRecord {
            key,
            id: (*id).to_owned(),
            set_key: set.key,
            place: at,
            name: "Charizard".to_owned(),
            rarity: Some(["Rare", "Promo"][usize::from(at % 3 == 0)].to_owned()),
            ..CardRecord::default()
        });
        items.push(ItemRecord {
            key: 3_000_000 + at,
            marketplace_id: format!("{id}:card"),
            card: Some(key),
            label: ["Normal", "Holofoil"][usize::from(at % 2 == 0)].to_owned(),
            ..ItemRecord::default()
        });
        headlines.push(Headline {
            item: 3_000_000 + at,
            market: Some(Money((at * 37 % 101) * 10_000)),
            updated: 86_400_000,
            ..Headline::default()
        });
    }
    let store = &shop.service.server().app.store;
    shop.service.runtime().block_on(async {
        let mut loader = store.load().await.expect("it begins");
        loader.put_sets(&[set]).await.expect("written");
        loader.put_cards(&cards).await.expect("written");
        loader.put_items(&items).await.expect("written");
        loader.put_headlines(&headlines).await.expect("written");
        loader.commit().await.expect("kept");
    });
    shop
}

/// Cards that fit alike are ordered by price, and a filter takes cards out of them: the order must be
/// the same whatever the page.
#[test]
fn pages_of_a_filtered_search_have_each_card_once() {
    on_each_database(|database| {
        let shop = charizards(database);
        for filter in [
            "",
            "&minPrice=50",
            "&maxPrice=40",
            "&printing=Holofoil",
            "&rarity=promo",
            "&sortBy=rarity",
            "&minPrice=20&sortBy=name",
        ] {
            let of = |page: &str| {
                shop.ok(&format!("/v2/cards?search=charizard{filter}{page}"))
                    .0
            };
            let whole = of("&limit=100");
            let total = whole["metadata"]["total"].as_u64().expect("a number");
            let whole = each(&whole, "cardId");
            assert_eq!(whole.len(), usize::try_from(total.min(100)).expect("few"));
            for size in [5, 20] {
                let mut walked = Vec::new();
                while walked.len() < whole.len() {
                    let page = of(&format!("&limit={size}&offset={}", walked.len()));
                    let page = each(&page, "cardId");
                    assert!(!page.is_empty(), "{filter}");
                    walked.extend(page);
                }
                walked.truncate(whole.len());
                assert_eq!(walked, whole, "{filter} by {size}");
            }
            let once: BTreeSet<&String> = whole.iter().collect();
            assert_eq!(once.len(), whole.len(), "{filter}");
        }
    });
}

/// More products than a search used to look at.
const PRODUCTS: i64 = 20_100;

#[test]
fn a_search_compares_every_sealed_product() {
    on_each_database(|database| {
        let shop = Shop::on(database, "api");
        let last = PRODUCTS - 1;
        let products: Vec<SealedRecord> = (0..PRODUCTS)
            .map(|at| SealedRecord {
                item: ItemRecord {
                    key: 4_000_000 + at,
                    marketplace_id: format!("many-{at}"),
                    language: Language::English,
                    ..ItemRecord::default()
                },
                name: match at {
                    0 => "Zap Theme Deck of Before".to_owned(),
                    at if at == last => "Zap Theme Deck".to_owned(),
                    at => format!("Bundle {at}"),
                },
                set_key: None,
                set_id: None,
                set_name: String::new(),
                game: "pokemon".to_owned(),
                product_type: if at % last == 0 {
                    "Theme Deck"
                } else {
                    "Bundle"
                }
                .to_owned(),
            })
            .collect();
        let store = &shop.service.server().app.store;
        shop.service.runtime().block_on(async {
            let mut loader = store.load().await.expect("it begins");
            loader.put_sealed(&products).await.expect("written");
            loader.commit().await.expect("kept");
        });
        let found = |query: &str| {
            let (body, cost) =
                shop.ok(&format!("/v2/sealed-products?search=zap+theme+deck{query}"));
            assert_eq!(body["metadata"]["total"], 2, "{query}");
            (each(&body, "marketplaceId"), cost)
        };
        let (one, other) = ("many-0".to_owned(), format!("many-{last}"));
        assert_eq!(found(""), (vec![one.clone(), other.clone()], 2));
        assert_eq!(found("&limit=1&offset=1"), (vec![other.clone()], 1));
        assert_eq!(found("&sortBy=name"), (vec![other, one], 2));
    });
}

/// What a search of products compares is the same whatever it finds.
#[test]
fn a_search_of_products_that_finds_none_costs_a_credit() {
    let shop = Shop::open("api");
    let (none, cost) = shop.ok("/v2/sealed-products?search=nothing");
    assert_eq!((&none["data"], cost), (&json!([]), 1));
    let consumed = &none["metadata"]["apiCallsConsumed"];
    assert_eq!(
        (&consumed["total"], &consumed["breakdown"]["cards"]),
        (&json!(1), &json!(0))
    );
    // neither more where it finds some, nor anything without words
    assert_eq!(shop.ok("/v2/sealed-products?search=tin").1, 1);
    assert_eq!(shop.ok("/v2/sealed-products?productType=nothing").1, 0);
    assert_eq!(shop.ok("/v2/cards?search=qqqqqq").1, 0);
}

/// An id says what is asked for, and `limit` and `offset` beside it nothing.
#[test]
fn page_beside_an_id_is_ignored() {
    let shop = Shop::open("api");
    for (list, id) in [
        ("cards", "base1-4"),
        ("sealed-products", "box:base1"),
        ("sealed-products", "box:base1&search=base+box"),
    ] {
        let (body, cost) = shop.ok(&format!("/v2/{list}?marketplaceId={id}&offset=7&limit=3"));
        let metadata = &body["metadata"];
        let said = ["total", "count", "limit", "offset", "hasMore"].map(|of| metadata[of].clone());
        let wanted = [json!(1), json!(1), json!(20), json!(0), json!(false)];
        assert_eq!((said, cost), (wanted, 1), "{list} {id}");
    }
}
