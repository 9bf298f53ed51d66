//! Orders and filters of cards, sets and sealed products.

use super::shop::{CHARIZARD, UMBREON};
use super::{Shop, each};
use crate::market::feed;
use crate::support::{Database, on_each_database};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use titledex_server::market::Money;
use titledex_server::market::load::{Import, Kind};
use titledex_server::store::market::{
    CardKind, CardOrder, CardQuery, CardRecord, CardSort, CardWithPrintings, ItemRecord, Language,
    SetRecord,
};

const SORTS: [CardSort; 6] = [
    CardSort::Catalogue,
    CardSort::Price,
    CardSort::Name,
    CardSort::Number,
    CardSort::Rarity,
    CardSort::Released,
];

/// A shop with cards of two more sets besides: some without a number, rarity or price, some alike.
fn shop(database: &Database) -> Shop {
    let shop = Shop::on(database, "enterprise");
    let mut rows = Vec::new();
    for at in 0..48 {
        let name = ["Zubat", "Abra", "abra", "Éclair"][at % 4];
        let number = ["", "2/90", "10/90", "TG3", "010"][at % 5];
        let rarity = ["", "Common", "Rare Holo"][at % 3];
        let set = ["mine1", "mine2"][at % 2];
        let printing = ["Normal", "Reverse Holofoil [star]"][at % 2];
        let price = if at % 4 == 1 {
            String::new()
        } else {
            format!("{}.5|||2024-10-01", at % 6)
        };
        rows.push(format!(
            "{set}-{at}:one|{name}|Set {set}|{set}|{number}|{rarity}|english|{printing}|{price}"
        ));
    }
    let sets = [
        "mine1|Set mine1|english|||Mine|2024-01",
        "mine2|Set mine2|english|||mine|",
    ];
    let store = &shop.service.server().app.store;
    shop.service.runtime().block_on(async {
        for (kind, rows) in [
            (Kind::Cards, rows),
            (Kind::Sets, sets.map(str::to_owned).to_vec()),
        ] {
            let now = 20_000 * 86_400_000;
            let mut import = Import::begin(store, kind, now, None)
                .await
                .expect("it begins");
            feed(&mut import, kind, &rows, u64::MAX).await;
            let report = import.finish(false).await.expect("it ends");
            assert_eq!(report.errors, [], "{kind:?}");
        }
    });
    shop
}

/// Queries of any language, set, game and filter, and sizes of a page.
fn queries() -> impl Strategy<Value = (CardQuery, i64)> {
    let of = |values: &[&'static str]| prop::option::of(prop::sample::select(values.to_vec()));
    let order = (prop::sample::select(SORTS.to_vec()), any::<bool>());
    let scope = (
        prop::option::of(prop::sample::select(Language::ALL.to_vec())),
        prop::option::weighted(0.2, prop::sample::select(vec![1_i64, 3, 4, 9_000])),
        prop::option::weighted(
            0.3,
            prop::sample::subsequence(vec!["magic", "pokemon"], 1..=2),
        ),
    );
    let filters = (
        prop::option::of(0_i64..8),
        prop::option::of(2_i64..20),
        of(&["common", "RARE HOLO", "Rare", "rare h'olo"]),
        of(&["normal", "reverse holofoil"]),
        prop::option::weighted(0.2, prop::sample::select(CardKind::ALL.to_vec())),
    );
    (order, scope, filters, 1_i64..30).prop_map(|((by, descending), scope, filters, page)| {
        let (language, set, games) = scope;
        let (least, most, rarity, printing, kind) = filters;
        let query = CardQuery {
            language,
            set,
            games: games.map(|games| games.into_iter().map(str::to_owned).collect()),
            min_price: least.map(|units| Money(units * 10_000)),
            max_price: most.map(|units| Money(units * 10_000)),
            rarity: rarity.map(str::to_owned),
            printing: printing.map(str::to_owned),
            kind,
            order: CardOrder { by, descending },
            limit: 1_000,
            ..CardQuery::default()
        };
        (query, page)
    })
}

impl Shop {
    /// Adds a card of another game.
    fn add_game(&self) {
        let set = SetRecord {
            key: 9_000,
            id: "magic:one".to_owned(),
            game: "magic".to_owned(),
            slug: "one".to_owned(),
            name: "One".to_owned(),
            ..SetRecord::default()
        };
        let card = CardRecord {
            key: 9_000_000,
            id: "magic:one-1".to_owned(),
            set_key: set.key,
            name: "Abra".to_owned(),
            rarity: Some("Common".to_owned()),
            kind: Some(CardKind::Energy),
            ..CardRecord::default()
        };
        let item = ItemRecord {
            key: 9_000_000,
            marketplace_id: "magic:one-1:foil".to_owned(),
            card: Some(card.key),
            label: "Normal".to_owned(),
            ..ItemRecord::default()
        };
        let store = &self.service.server().app.store;
        self.service.runtime().block_on(async {
            let mut loader = store.load().await.expect("it begins");
            loader.put_sets(&[set]).await.expect("written");
            loader.put_cards(&[card]).await.expect("written");
            loader.put_items(&[item]).await.expect("written");
            loader.commit().await.expect("kept");
        });
    }
}

/// Pages of any size have all cards of a query, none twice, in the order that is asked for; and what
/// the service decides of cards that it has read, as of a search, is what the database decides.
#[test]
fn pages_have_each_card_once_in_its_order() {
    on_each_database(|database| {
        let shop = shop(database);
        shop.add_game();
        let store = &shop.service.server().app.store;
        let runtime = shop.service.runtime();
        let everything = CardQuery {
            limit: 1_000,
            ..CardQuery::default()
        };
        let everything = runtime
            .block_on(store.cards(&everything))
            .expect("it answers");
        let mut runner = TestRunner::new(Config::with_cases(150));
        let walked = runner.run(&queries(), |(query, size)| {
            let all = runtime.block_on(store.cards(&query)).expect("it answers");
            let mut expected: Vec<i64> = everything
                .iter()
                .filter(|card| query.admits(card))
                .map(|card| card.card.key)
                .collect();
            let mut met: Vec<i64> = all.iter().map(|card| card.card.key).collect();
            let count = runtime.block_on(store.count_cards(&query));
            prop_assert_eq!(count.expect("it answers"), met.len() as i64);
            for pair in all.windows(2) {
                prop_assert!(query.order.compare(&pair[0], &pair[1]).is_le());
            }
            // with no more of a card than a search reads
            let whole = CardQuery {
                language: None,
                set: None,
                games: None,
                ..query.clone()
            };
            let ids: Vec<&str> = everything
                .iter()
                .map(|card| card.card.id.as_str())
                .collect();
            let sortable = runtime.block_on(store.sortable_cards(&ids, &whole));
            let sortable: BTreeMap<String, CardWithPrintings> = sortable
                .expect("it answers")
                .into_iter()
                .map(|card| (card.card.id.clone(), card))
                .collect();
            let admitted = everything.iter().filter(|card| whole.admits(card));
            let admitted: BTreeSet<&str> = admitted.map(|card| card.card.id.as_str()).collect();
            prop_assert_eq!(
                sortable.keys().map(String::as_str).collect::<BTreeSet<_>>(),
                admitted
            );
            for pair in all.windows(2) {
                let [one, other] = [0, 1].map(|at| &sortable[&pair[at].card.id]);
                prop_assert!(query.order.compare(one, other).is_le());
            }
            let mut walk = Vec::new();
            loop {
                let page = CardQuery {
                    limit: size,
                    offset: walk.len() as i64,
                    ..query.clone()
                };
                let page = runtime.block_on(store.cards(&page)).expect("it answers");
                walk.extend(page.iter().map(|card| card.card.key));
                if (page.len() as i64) < size {
                    break;
                }
            }
            prop_assert_eq!(&walk, &met);
            met.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(met, expected);
            Ok(())
        });
        walked.expect("every query holds");
    });
}

#[test]
fn cards_are_sorted_and_filtered() {
    on_each_database(|database| {
        let shop = shop(database);
        let names = |query: &str| each(&shop.ok(&format!("/v2/cards?{query}")).0, "name");
        let first = |query: &str| names(&format!("{query}&limit=3"));
        assert_eq!(
            first("setId=base1&sortBy=name"),
            ["Blastoise", "Card 1", "Card 10"]
        );
        assert_eq!(
            first("setId=base1&sortBy=name&sortOrder=desc"),
            ["Venusaur", "Charizard", "Card 9"]
        );
        assert_eq!(
            first("setId=base1&sortBy=number&sortOrder=desc"),
            ["Card 26", "Card 25", "Card 24"]
        );
        assert_eq!(first("sortBy=releaseDate")[0], "Zubat");
        // of a search, too: what has no rarity comes last
        let rarities = |order: &str| {
            let path = format!("/v2/cards?search=umbreon&sortBy=name&sortOrder={order}");
            each(&shop.ok(&path).0, "cardId")
        };
        let (up, down) = (rarities("asc"), rarities("desc"));
        assert_eq!(up.first().map(String::as_str), Some("swsh7-189"), "{up:?}");
        assert_eq!(down.last().map(String::as_str), Some("swsh7-189"));
        let total =
            |query: &str| shop.ok(&format!("/v2/cards?{query}")).0["metadata"]["total"].clone();
        assert_eq!(total("rarity=rare%20holo"), 16);
        assert_eq!(total("setId=mine2&printing=Reverse%20Holofoil"), 24);
        assert_eq!(total("setId=mine1&printing=Reverse%20Holofoil"), 0);
        assert_eq!(total("setId=base1&cardType=pokemon"), 26);
        assert_eq!(total("setId=base1&cardType=energy"), 0);
        let (card, _) = shop.ok(&format!("/v2/cards?marketplaceId={CHARIZARD}"));
        assert_eq!(card["data"][0]["cardType"], "pokemon");
        let (imported, _) = shop.ok("/v2/cards?marketplaceId=mine1-0:one");
        assert!(imported["data"][0]["cardType"].is_null());
        for (query, code) in [
            ("sortBy=age", "invalid_value"),
            ("cardType=coin", "invalid_value"),
            ("sortOrder=asc", "missing_parameter"),
        ] {
            assert_eq!(
                shop.refused(&format!("/v2/cards?{query}")).1,
                code,
                "{query}"
            );
        }
    });
}

/// What stands beside an id filters what the id names.
#[test]
fn an_id_may_stand_beside_filters() {
    let database = Database::sqlite();
    let shop = shop(&database);
    for (beside, found) in [
        ("set=base-set", 1),
        ("setId=base1&search=charizard", 1),
        ("setId=base1&fetchAllInSet=true", 1),
        ("search=blastoise", 0),
        ("setId=base2", 0),
        ("minPrice=50&maxPrice=150", 1),
        ("minPrice=150", 0),
        ("language=english", 1),
        ("language=japanese", 0),
    ] {
        let (body, cost) = shop.ok(&format!("/v2/cards?marketplaceId={CHARIZARD}&{beside}"));
        assert_eq!(body["metadata"]["total"], found, "{beside}");
        assert_eq!(cost, found, "{beside}");
    }
    let (body, _) = shop.ok(&format!("/v2/cards?marketplaceId={UMBREON}&search=umbreon"));
    assert_eq!(body["metadata"]["total"], 1);
    let (body, _) = shop.ok("/v2/cards?setId=base1&fetchAllInSet=true&search=charizard");
    assert_eq!(each(&body, "name"), ["Charizard"]);
    let (body, _) = shop.ok("/v2/sealed-products?marketplaceId=box:base1&search=box&set=base-set");
    assert_eq!(each(&body, "marketplaceId"), ["box:base1"]);
    let (body, _) = shop.ok("/v2/sealed-products?marketplaceId=box:base1&productType=tin");
    assert_eq!(body["data"], json!([]));
}

#[test]
fn sealed_products_are_sorted_and_bounded_by_price() {
    on_each_database(|database| {
        let shop = shop(database);
        let ids = |query: &str| {
            each(
                &shop.ok(&format!("/v2/sealed-products?{query}")).0,
                "marketplaceId",
            )
        };
        assert_eq!(ids("sortBy=price"), ["tin:eevee", "box:base1"]);
        assert_eq!(
            ids("sortBy=price&sortOrder=asc"),
            ["box:base1", "tin:eevee"]
        );
        assert_eq!(
            ids("sortBy=name&sortOrder=desc"),
            ["tin:eevee", "box:base1"]
        );
        // the tin has no set, and so no release
        assert_eq!(ids("sortBy=releaseDate"), ["box:base1", "tin:eevee"]);
        assert_eq!(
            ids("sortBy=releaseDate&sortOrder=asc"),
            ["box:base1", "tin:eevee"]
        );
        assert_eq!(ids("minPrice=90001"), ["tin:eevee"]);
        assert_eq!(ids("maxPrice=90000"), ["box:base1"]);
        assert_eq!(
            ids("search=base%20box&minPrice=1&sortBy=price"),
            ["box:base1"]
        );
        assert_eq!(
            shop.refused("/v2/sealed-products?minPrice=2&maxPrice=1").1,
            "conflicting_parameters"
        );
    });
}

#[test]
fn sets_are_filtered_by_series() {
    let database = Database::sqlite();
    let shop = shop(&database);
    let (sets, _) = shop.ok("/v2/sets?series=MINE&sortBy=name&sortOrder=asc");
    assert_eq!(each(&sets, "id"), ["mine1", "mine2"]);
    assert_eq!(shop.ok("/v2/sets?series=nobody").0["data"], json!([]));
}
