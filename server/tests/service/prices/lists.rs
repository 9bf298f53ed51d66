//! `GET /api/v2/sets` and `GET /api/v2/sealed-products`.

use super::{Shop, each};
use crate::support::on_each_database;
use serde_json::{Value, json};

#[test]
fn sets_are_listed_newest_first() {
    on_each_database(|database| {
        let shop = Shop::on(database, "free");
        let (body, cost) = shop.ok("/v2/sets");
        assert_eq!(
            (each(&body, "id"), cost),
            (
                vec!["swsh7".to_owned(), "base2".to_owned(), "base1".to_owned()],
                1
            )
        );
        let base = &body["data"][2];
        assert_eq!(
            (
                &base["releaseDate"],
                &base["printedTotal"],
                &base["legality"]
            ),
            (
                &json!("1999-01-09"),
                &json!(102),
                &json!({"unlimited": "legal"})
            )
        );
        assert_eq!(
            (&base["total"], &base["images"]),
            (
                &json!(102),
                &json!({"logo": "https://pictures.example/base1.png"})
            )
        );
        // what no import has said is left out
        let jungle = &body["data"][1];
        assert!(jungle.get("images").is_none() && jungle.get("legality").is_none());
        assert_eq!(
            each(
                &shop.ok("/v2/sets?sortBy=releaseDate&sortOrder=asc").0,
                "id"
            ),
            ["base1", "base2", "swsh7"]
        );
        assert_eq!(
            each(&shop.ok("/v2/sets?sortBy=name&sortOrder=asc").0, "name"),
            ["Base Set", "Evolving Skies", "Jungle"]
        );
        let (one, _) = shop.ok("/v2/sets?limit=1&offset=1");
        assert_eq!(
            (
                each(&one, "id"),
                &one["metadata"]["total"],
                &one["metadata"]["hasMore"]
            ),
            (vec!["base2".to_owned()], &json!(3), &json!(true))
        );
        assert_eq!(
            each(&shop.ok("/v2/sets?language=japanese").0, "printedName"),
            ["イーブイヒーローズ"]
        );
    });
}

#[test]
fn sets_are_searched_by_name_alias_and_code() {
    let shop = Shop::open("api");
    for query in [
        "evolving",
        "EVOLVING%20SKIES",
        "swsh7",
        "evolvng%20skies",
        "skies",
    ] {
        assert_eq!(
            each(&shop.ok(&format!("/v2/sets?search={query}")).0, "id"),
            ["swsh7"],
            "{query}"
        );
    }
    for query in [
        "s6a",
        "eevee%20heroes",
        "%E3%82%A4%E3%83%BC%E3%83%96%E3%82%A4",
    ] {
        assert_eq!(
            each(
                &shop
                    .ok(&format!("/v2/sets?language=japanese&search={query}"))
                    .0,
                "id"
            ),
            ["asia:S6a"],
            "{query}"
        );
    }
    let (none, cost) = shop.ok("/v2/sets?search=qqqqzzzz");
    assert_eq!((&none["data"], cost), (&json!([]), 1));
    for (query, code) in [
        ("sortBy=price", "invalid_value"),
        ("sortOrder=up", "invalid_value"),
        ("limit=0", "out_of_range"),
        ("language=german", "invalid_value"),
        ("name=x", "unknown_parameter"),
    ] {
        assert_eq!(
            shop.refused(&format!("/v2/sets?{query}")).1,
            code,
            "{query}"
        );
    }
}

#[test]
fn sealed_products_have_prices_and_recent_sales() {
    on_each_database(|database| {
        let shop = Shop::on(database, "api");
        let (body, cost) = shop.ok("/v2/sealed-products");
        assert_eq!(
            (each(&body, "marketplaceId"), cost),
            (vec!["box:base1".to_owned(), "tin:eevee".to_owned()], 2)
        );
        let product = &body["data"][0];
        assert_eq!(
            (
                &product["setId"],
                &product["setName"],
                &product["productType"]
            ),
            (&json!("base1"), &json!("Base Set"), &json!("Booster Box"))
        );
        assert_eq!(product["language"], "english");
        assert!(product["prices"].get("source").is_some());
        assert_eq!(
            (&product["prices"]["market"], &product["recentSales"]),
            (
                &json!(90_000),
                &json!([{"date": "2024-10-02", "price": 8000}])
            )
        );
        assert!(product.get("priceHistory").is_none() && body["data"][1]["setId"].is_null());
        let (one, cost) =
            shop.ok("/v2/sealed-products?marketplaceId=box:base1&includeHistory=true&days=90");
        assert_eq!(
            (one["data"][0]["recentSales"].as_array().map(Vec::len), cost),
            (Some(2), 2)
        );
        assert_eq!(
            one["data"][0]["priceHistory"]["points"]
                .as_array()
                .map(Vec::len),
            Some(40)
        );
        assert_eq!(shop.ok("/v2/sealed-products?marketplaceId=nothing"), {
            let (mut none, _) = shop.ok("/v2/sealed-products?productType=nothing");
            none["metadata"]
                .as_object_mut()
                .expect("an object")
                .remove("language");
            (none, 0)
        });
    });
}

#[test]
fn sealed_products_are_filtered_by_words_set_and_type() {
    let shop = Shop::open("api");
    let ids = |query: &str| {
        each(
            &shop.ok(&format!("/v2/sealed-products?{query}")).0,
            "marketplaceId",
        )
    };
    for words in [
        "booster%20base",
        "base%20set%20bb",
        "booster%20box%20base%20set",
        "bosster%20box%20bsae%20set",
    ] {
        assert_eq!(ids(&format!("search={words}")), ["box:base1"], "{words}");
    }
    assert_eq!(ids("search=TIN"), ["tin:eevee"]);
    assert_eq!(ids("search=100%25"), Vec::<String>::new());
    assert_eq!(ids("set=base-set"), ["box:base1"]);
    assert_eq!(ids("setId=base1&limit=1"), ["box:base1"]);
    assert_eq!(
        ids(
            "language=japanese&search=%E3%82%A4%E3%83%BC%E3%83%96%E3%82%A4%E3%83%92%E3%83%BC%E3%83%AD%E3%83%BC%E3%82%BA%20box"
        ),
        ["box:s6a"]
    );
    assert_eq!(ids("productType=booster%20box"), ["box:base1"]);
    assert_eq!(
        ids("language=japanese&productType=Booster%20Box"),
        ["box:s6a"]
    );
    assert_eq!(
        ids(
            "language=japanese&set=%E3%82%A4%E3%83%BC%E3%83%96%E3%82%A4%E3%83%92%E3%83%BC%E3%83%AD%E3%83%BC%E3%82%BA"
        ),
        ["box:s6a"]
    );
    for (query, status, code) in [
        ("set=nowhere", 404, "unknown_set"),
        ("includeAuction=true", 400, "unknown_parameter"),
        ("days=0", 400, "out_of_range"),
    ] {
        let (met, said, _) = shop.refused(&format!("/v2/sealed-products?{query}"));
        assert_eq!((met, said.as_str()), (status, code), "{query}");
    }
}

/// A set has what it has in every language; one that is sent beside it narrows it down, in every
/// list alike.
#[test]
fn language_beside_a_set_is_that_of_what_is_listed() {
    on_each_database(|database| {
        let shop = Shop::on(database, "api");
        let head =
            "marketplaceId,name,setName,setId,productType,language,marketPrice,lastPriceUpdate";
        let row = "box:base1-jp,Base Box,Base Set,base1,Booster Box,japanese,5,2024-10-03";
        shop.import("sealed", &format!("{head}\n{row}\n"));
        let head = "marketplaceId,name,setName,setId,cardNumber,language,printing";
        let row = "base1-900:card,Base Card,Base Set,base1,900,japanese,";
        shop.import("cards", &format!("{head}\n{row}\n"));
        for (list, english, japanese) in [
            ("cards", 26, "base1-900:card"),
            ("sealed-products", 1, "box:base1-jp"),
        ] {
            let of = |query: &str| {
                let (body, cost) = shop.ok(&format!("/v2/{list}?limit=100&{query}"));
                let ids = each(&body, "marketplaceId");
                assert_eq!(i64::try_from(ids.len()), Ok(cost), "{list} {query}");
                (ids, body["metadata"]["language"].clone())
            };
            for set in ["setId=base1", "set=base-set"] {
                let (ids, language) = of(set);
                assert_eq!(
                    (ids.len(), language),
                    (english + 1, json!("english")),
                    "{list} {set}"
                );
                let (ids, language) = of(&format!("{set}&language=english"));
                assert_eq!(
                    (ids.len(), language),
                    (english, json!("english")),
                    "{list} {set}"
                );
            }
            // a set's name is looked up in the language that is sent
            let (ids, language) = of("setId=base1&language=japanese");
            assert_eq!(
                (ids, language),
                (vec![japanese.to_owned()], json!("japanese")),
                "{list}"
            );
            let (ids, language) = of("setId=base1&language=chinese");
            assert_eq!((ids.len(), language), (0, json!("chinese")), "{list}");
            // an id names something of any language, unless one is sent
            let (ids, language) = of(&format!("marketplaceId={japanese}"));
            assert_eq!((ids.len(), language), (1, Value::Null), "{list}");
            let (ids, language) = of(&format!("marketplaceId={japanese}&language=chinese"));
            assert_eq!((ids.len(), language), (0, json!("chinese")), "{list}");
        }
    });
}

#[test]
fn japanese_sealed_products_need_another_filter() {
    let shop = Shop::open("api");
    for query in [
        "language=japanese",
        "language=japanese&limit=5",
        "language=japanese&includeHistory=true&days=7",
    ] {
        assert_eq!(
            shop.refused(&format!("/v2/sealed-products?{query}")),
            (400, "missing_parameter".to_owned(), "search".to_owned()),
            "{query}"
        );
    }
}
