//! `GET /api/v2/cards`.

use super::shop::{CHARIZARD, FIRST_EDITION, UMBREON, UNPRICED};
use super::{Shop, each};
use crate::client::Call;
use crate::support::{Database, Service, on_each_database};
use serde_json::{Value, json};
use std::io::Read;
use titledex::internals::build::rows::Rows;
use titledex_server::market::extend_catalogue::extend_catalogue;
use titledex_server::market::load::{Cells, Import, Kind};

pub(super) const V2: &str = "/v2/cards";

/// The one card of an answer.
pub(super) fn only(body: &Value) -> &Value {
    let cards = body["data"].as_array().expect("there is a list");
    assert_eq!(cards.len(), 1, "{body}");
    &cards[0]
}

#[test]
fn card_is_found_by_marketplace_id() {
    on_each_database(|database| {
        let shop = Shop::on(database, "business");
        let (body, cost) = shop.ok(&format!("{V2}?marketplaceId={CHARIZARD}"));
        assert_eq!(cost, 1);
        let card = only(&body);
        assert_eq!(
            (&card["name"], &card["marketplaceId"], &card["cardNumber"]),
            (&json!("Charizard"), &json!(CHARIZARD), &json!("4/102"))
        );
        assert_eq!(
            (&card["setName"], &card["setId"], &card["setSlug"]),
            (&json!("Base Set"), &json!("base1"), &json!("base-set"))
        );
        assert_eq!(
            (
                &card["prices"]["market"],
                &card["prices"]["low"],
                &card["prices"]["currency"]
            ),
            (&json!(100), &json!(90), &json!("USD"))
        );
        assert_eq!(card["prices"]["updatedAt"], "2024-10-04T00:00:00Z");
        // foil and first editions are printings, sources and conditions are quotes
        assert_eq!(
            card["printings"][1],
            json!({"marketplaceId": FIRST_EDITION, "printing": "1st Edition Holofoil", "market": 1000, "low": 900, "sellers": 7, "updatedAt": "2024-10-04T00:00:00Z"})
        );
        let quotes: Vec<&Value> = card["prices"]["quotes"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|quote| &quote["condition"])
            .collect();
        assert_eq!(quotes, ["Near Mint", "Played"]);
        assert!(
            card.get("priceHistory").is_none()
                && card.get("auction").is_none()
                && card["prices"].get("eur").is_none(),
            "{card}"
        );
        // another printing of the same card: its own prices
        let (body, _) = shop.ok(&format!("{V2}?marketplaceId={FIRST_EDITION}"));
        assert_eq!(
            (
                &only(&body)["marketplaceId"],
                &only(&body)["prices"]["market"]
            ),
            (&json!(FIRST_EDITION), &json!(1000))
        );
        // of either tree, whatever the language
        let (body, _) = shop.ok(&format!("{V2}?marketplaceId={UMBREON}"));
        assert_eq!(
            (&only(&body)["language"], &only(&body)["printedName"]),
            (&json!("japanese"), &json!("ブラッキーVMAX"))
        );
        // an empty list is answered with an empty list, and costs nothing
        assert_eq!(
            shop.ok(&format!("{V2}?marketplaceId=nobody")),
            (json!({"data": [], "metadata": body_of_none(1)}), 0)
        );
    });
}

fn body_of_none(price: i64) -> Value {
    json!({"total": 0, "count": 0, "limit": 20, "offset": 0, "hasMore": false, "apiCallsConsumed":
        {"total": 0, "costPerCard": price, "breakdown": {"cards": 0, "history": 0, "auction": 0, "dataPoints": 0, "eur": 0}}})
}

#[test]
fn unknown_price_is_null() {
    let shop = Shop::open("free");
    let (body, _) = shop.ok(&format!(
        "{V2}?marketplaceId={UNPRICED}&includeBoth=true&includeEur=true"
    ));
    let card = only(&body);
    for member in ["market", "low", "sellers", "updatedAt"] {
        assert!(
            card["prices"][member].is_null() && card["prices"].get(member).is_some(),
            "{card}"
        );
    }
    assert!(card["prices"]["eur"]["market"].is_null());
    assert_eq!(
        (&card["priceHistory"]["points"], &card["auction"]),
        (&json!([]), &json!({}))
    );
}

#[test]
fn set_is_found_by_name_slug_code_or_id() {
    let shop = Shop::open("api");
    for set in [
        "set=Base%20Set",
        "set=base-set",
        "set=BASE-SET",
        "set=base1",
        "setId=base1",
    ] {
        let (body, cost) = shop.ok(&format!("{V2}?{set}&limit=3"));
        assert_eq!(
            (each(&body, "name"), cost),
            (
                vec![
                    "Card 1".to_owned(),
                    "Blastoise".to_owned(),
                    "Card 3".to_owned()
                ],
                3
            ),
            "{set}"
        );
        assert_eq!(
            (&body["metadata"]["total"], &body["metadata"]["hasMore"]),
            (&json!(26), &json!(true)),
            "{set}"
        );
    }
    // the same for Japanese ones: by name, printed name, code, alias and id
    for set in [
        "set=eevee-heroes",
        "set=%E3%82%A4%E3%83%BC%E3%83%96%E3%82%A4%E3%83%92%E3%83%BC%E3%83%AD%E3%83%BC%E3%82%BA",
        "set=s6a",
        "set=Eevee%20Heroes",
    ] {
        assert_eq!(
            each(
                &shop.ok(&format!("{V2}?{set}&language=japanese")).0,
                "marketplaceId"
            ),
            [UMBREON],
            "{set}"
        );
    }
    assert_eq!(
        each(&shop.ok(&format!("{V2}?setId=asia:S6a")).0, "marketplaceId"),
        [UMBREON]
    );
    // an id may be written as other catalogues write it
    for id in ["setId=swsh07", "setId=SWSH7", "set=swsh07"] {
        assert_eq!(
            shop.ok(&format!("{V2}?{id}")).0["metadata"]["total"],
            3,
            "{id}"
        );
    }
    let reply = shop.get(&format!("{V2}?setId=evolvng%20skyes"));
    assert_eq!(reply.status, 404);
    assert!(reply.text().contains("perhaps swsh7"), "{}", reply.text());
    let reply = shop.get(&format!("{V2}?set=evolvng%20skyes"));
    assert_eq!(
        (reply.status, reply.code()),
        (404, "unknown_set".to_owned())
    );
    assert!(reply.text().contains("evolving-skies"), "{}", reply.text());
    assert_eq!(
        shop.refused(&format!("{V2}?setId=base9")),
        (404, "unknown_set".to_owned(), "setId".to_owned())
    );
    assert_eq!(
        shop.refused(&format!("{V2}?set=jungle&setId=base1")).1,
        "conflicting_parameters"
    );
}

#[test]
fn search_is_read_like_a_title() {
    on_each_database(|database| {
        let shop = Shop::on(database, "api");
        let names = |query: &str| each(&shop.ok(&format!("{V2}?{query}")).0, "marketplaceId");
        for query in [
            "charizard%204/102%20psa%2010",
            "charzard%204/102",
            "Glurak%20base%20set",
            "chariz",
        ] {
            assert_eq!(names(&format!("search={query}"))[0], CHARIZARD, "{query}");
        }
        assert_eq!(
            names("search=umbreon%20alt%20art%20evolving%20skies")[0],
            "swsh7-215:card"
        );
        assert_eq!(names("search=umbreon%20vmax&language=japanese"), [UMBREON]);
        assert_eq!(
            names("search=%E3%83%96%E3%83%A9%E3%83%83%E3%82%AD%E3%83%BCVMAX&language=japanese"),
            [UMBREON]
        );
        assert_eq!(names("search=umbreon&set=base-set"), Vec::<String>::new());
        // of those that fit alike the most expensive comes first
        let alike = names("search=umbreon%20vmax");
        assert_eq!(alike[0], "swsh7-215:card", "{alike:?}");
        assert_eq!(shop.ok(&format!("{V2}?search=qqqqzzzz")).1, 0);
    });
}

#[test]
fn prices_filter_and_sort() {
    on_each_database(|database| {
        let shop = Shop::on(database, "api");
        let prices = |query: &str| {
            let (body, _) = shop.ok(&format!("{V2}?set=base-set&limit=100&{query}"));
            body["data"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|card| card["prices"]["market"].clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(prices("minPrice=24.5"), [json!(100), json!(25)]);
        assert_eq!(prices("minPrice=3&maxPrice=5"), [json!(3), json!(5)]);
        assert_eq!(prices("maxPrice=0"), Vec::<Value>::new());
        let dearest = prices("sortBy=price");
        assert_eq!(
            (&dearest[..3], dearest.last()),
            (&[json!(100), json!(25), json!(24)][..], Some(&Value::Null))
        );
        assert_eq!(prices("sortBy=price&sortOrder=desc"), dearest);
        let cheapest = prices("sortBy=price&sortOrder=asc");
        assert_eq!(
            (&cheapest[..3], cheapest.last()),
            (&[json!(1), json!(2), json!(3)][..], Some(&Value::Null))
        );
        assert_eq!(
            each(
                &shop
                    .ok(&format!("{V2}?search=umbreon&sortBy=price&sortOrder=asc"))
                    .0,
                "marketplaceId"
            )[0],
            "swsh7-189:card"
        );
        assert_eq!(
            each(
                &shop.ok(&format!("{V2}?search=umbreon&minPrice=1215")).0,
                "marketplaceId"
            ),
            ["swsh7-215:card"]
        );
        for (query, code, field) in [
            ("minPrice=-1", "invalid_value", "minPrice"),
            ("minPrice=1e3", "invalid_value", "minPrice"),
            ("minPrice=1.00001", "invalid_value", "minPrice"),
            ("maxPrice=", "invalid_value", "maxPrice"),
            (
                "minPrice=5&maxPrice=4",
                "conflicting_parameters",
                "minPrice",
            ),
            ("sortBy=age", "invalid_value", "sortBy"),
            ("sortBy=price&sortOrder=down", "invalid_value", "sortOrder"),
            ("sortOrder=asc", "missing_parameter", "sortBy"),
        ] {
            assert_eq!(
                shop.refused(&format!("{V2}?{query}")),
                (400, code.to_owned(), field.to_owned()),
                "{query}"
            );
        }
    });
}

#[test]
fn list_of_cards_has_pages() {
    let shop = Shop::open("api");
    let (body, cost) = shop.ok(V2);
    assert_eq!(
        (body["data"].as_array().map(Vec::len), cost),
        (Some(20), 20)
    );
    let metadata = &body["metadata"];
    assert_eq!(
        (
            &metadata["limit"],
            &metadata["offset"],
            &metadata["total"],
            &metadata["language"]
        ),
        (&json!(20), &json!(0), &json!(30), &json!("english"))
    );
    let mut all = Vec::new();
    for offset in [0, 7, 14, 21, 28] {
        all.extend(each(
            &shop.ok(&format!("{V2}?limit=7&offset={offset}")).0,
            "marketplaceId",
        ));
    }
    assert_eq!(
        all,
        each(&shop.ok(&format!("{V2}?limit=100")).0, "marketplaceId")
    );
    let (beyond, cost) = shop.ok(&format!("{V2}?offset=500"));
    assert_eq!(
        (
            &beyond["metadata"]["total"],
            &beyond["metadata"]["hasMore"],
            cost
        ),
        (&json!(30), &json!(false), 0)
    );
    let searched: Vec<String> = [0, 1, 2]
        .iter()
        .flat_map(|offset| {
            each(
                &shop
                    .ok(&format!("{V2}?search=umbreon&limit=1&offset={offset}"))
                    .0,
                "marketplaceId",
            )
        })
        .collect();
    assert_eq!(
        searched,
        each(&shop.ok(&format!("{V2}?search=umbreon")).0, "marketplaceId")
    );
    // a limit above the bound is cut to it
    let (body, _) = shop.ok(&format!("{V2}?limit=5000"));
    assert_eq!(body["metadata"]["limit"], 100);
    for (query, code) in [
        ("limit=0", "out_of_range"),
        ("limit=x", "invalid_value"),
        ("offset=-1", "out_of_range"),
    ] {
        assert_eq!(shop.refused(&format!("{V2}?{query}")).1, code, "{query}");
    }
}

#[test]
fn long_answers_are_compressed_for_who_asks() {
    let shop = Shop::open("api");
    let of = |path: &str, encoding: &str| {
        let call = Call::new("GET", format!("/api{path}")).key(&shop.holder.key);
        shop.service.send(&call.header("Accept-Encoding", encoding))
    };
    let plain = of(&format!("{V2}?limit=20"), "identity");
    assert!(plain.header("content-encoding").is_none() && plain.body.len() > 1_024);
    let packed = of(&format!("{V2}?limit=20"), "gzip");
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    // a cache must know, also from the answer to a caller who says nothing
    let silent = shop.get(&format!("{V2}?limit=20"));
    assert!(silent.header("content-encoding").is_none() && silent.body == plain.body);
    for reply in [&plain, &packed, &silent] {
        assert_eq!(reply.header("vary"), Some("accept-encoding"), "{reply:?}");
    }
    let mut text = String::new();
    flate2::read::GzDecoder::new(&packed.body[..])
        .read_to_string(&mut text)
        .expect("it is gzip");
    assert_eq!(text, plain.text());
    let brotli = of(&format!("{V2}?limit=20"), "br, gzip;q=0.5");
    assert_eq!(brotli.header("content-encoding"), Some("br"));
    assert!(brotli.body.len() * 3 < plain.body.len());
    // a small one fits a packet anyway
    let small = of("/v2/cards?search=qqqqzzzz", "gzip, br");
    assert!(small.header("content-encoding").is_none(), "{small:?}");
    let small = shop.get("/v2/cards?search=qqqqzzzz");
    assert!(small.header("vary").is_none(), "{small:?}");
}

#[test]
fn owned_is_a_boolean_and_changes_nothing() {
    let shop = Shop::open("api");
    let plain = shop.ok(&format!("{V2}?set=base-set&limit=2")).0;
    for owned in ["true", "false"] {
        assert_eq!(
            shop.ok(&format!("{V2}?set=base-set&limit=2&owned={owned}"))
                .0,
            plain
        );
    }
    assert_eq!(
        shop.refused(&format!("{V2}?owned=mine")),
        (400, "invalid_value".to_owned(), "owned".to_owned())
    );
}

#[test]
fn parameters_of_cards_are_validated() {
    let shop = Shop::open("api");
    for (query, code, field) in [
        ("Search=mew", "unknown_parameter", "Search"),
        ("marketplaceid=x", "unknown_parameter", "marketplaceid"),
        ("set=a&set=b", "duplicate_parameter", "set"),
        ("search=%20", "invalid_value", "search"),
        ("language=English", "invalid_value", "language"),
        ("language=french", "invalid_value", "language"),
        ("includeHistory=yes", "invalid_value", "includeHistory"),
        ("includeBoth=", "invalid_value", "includeBoth"),
    ] {
        assert_eq!(
            shop.refused(&format!("{V2}?{query}")),
            (400, code.to_owned(), field.to_owned()),
            "{query}"
        );
    }
    let post = shop.service.send(
        &Call::new("POST", "/api/v2/cards")
            .key(&shop.holder.key)
            .json("{}"),
    );
    assert_eq!(post.status, 405);
}

/// Search knows the cards of the index; one that is made of the store's too finds those, with their
/// sets.
#[test]
fn extended_catalogue_finds_cards_of_the_store() {
    let database = Database::sqlite();
    let shop = Shop::on(&database, "business");
    let index = shop.service.runtime().block_on(async {
        let store = &shop.service.server().app.store;
        let mut import = Import::begin(store, Kind::Cards, 0, None)
            .await
            .expect("it begins");
        for row in [
            "own-7:holo|Glitterzard|Home Made|own|7/10||english|Holo",
            "own-7:plain|Glitterzard|Home Made|own|7/10||english|Plain",
            "me07-120:holo|Umbreon ex|Velvet Orbit|me07|120/090||english|Holo",
            "me07-121:holo|Umbreon Moon Locket|Velvet Orbit|me07|121/090||english|Holo",
            "me07-122:holo|Team Rocket's Umbreon|Velvet Orbit|me07|122/090||english|Holo",
            "asia:M7-080:holo|ブラッキーex|ムーンサークル|asia:M7|080/070||japanese|Holo",
            "asia:M7-081:holo|ラティアス＆ラティオスGX|ムーンサークル|asia:M7|081/070||japanese|Holo",
        ] {
            let mut cells: Vec<&[u8]> = row.split('|').map(str::as_bytes).collect();
            cells.resize(Kind::Cards.columns().len(), b"");
            assert!(import.row(
                2,
                &Cells {
                    columns: Kind::Cards.columns(),
                    cells: &cells
                }
            ));
        }
        assert_eq!(import.finish(false).await.expect("it ends").errors, []);
        let mut rows = Rows::default();
        assert_eq!(
            extend_catalogue(store, &mut rows)
                .await
                .expect("it answers"),
            37
        );
        assert_eq!(
            extend_catalogue(store, &mut rows)
                .await
                .expect("it answers"),
            0
        );
        let card = |id: &str| {
            let found = rows.cards.iter().find(|card| card.id == id);
            found.unwrap_or_else(|| panic!("no {id}"))
        };
        // a name of species and marks is of that species; other words may be of an item
        assert_eq!(card("me07-120").subjects, [197]);
        assert_eq!(card("me07-122").subjects, [197]);
        assert_eq!(card("asia:M7-080").subjects, [197]);
        assert_eq!(card("asia:M7-081").subjects, [380, 381]);
        assert!(card("me07-121").subjects.is_empty());
        let own = card("own-7");
        assert_eq!(
            own.printings
                .iter()
                .map(|printing| printing.slug.as_str())
                .collect::<Vec<_>>(),
            [":holo", ":plain"]
        );
        titledex::internals::build::build(&rows, "own").expect("it is built")
    });
    let found = |shop: &Shop, query: &str| each(&shop.ok(&format!("{V2}?{query}")).0, "cardId");
    assert!(!found(&shop, "search=glitterzard+7/10").contains(&"own-7".to_owned()));
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("own.index");
    std::fs::write(&path, index).expect("writable");
    let Shop {
        service, holder, ..
    } = shop;
    service.stop();
    let shop = Shop {
        service: Service::with(&database, |settings| settings.catalogue = Some(path)),
        holder,
        _database: None,
    };
    for query in [
        "search=glitterzard+7/10",
        "search=gliterzard",
        "set=home+made&search=glitterzard",
    ] {
        assert_eq!(found(&shop, query), ["own-7"], "{query}");
    }
    // an imported set is found as a built-in one is: by species and set
    let umbreon = found(&shop, "search=umbreon+velvet+orbit");
    assert!(umbreon.contains(&"me07-120".to_owned()), "{umbreon:?}");
    assert!(
        umbreon.iter().all(|id| id.starts_with("me07-")),
        "{umbreon:?}"
    );
    assert_eq!(
        found(&shop, "search=umbreon+ex+velvet+orbit")[0],
        "me07-120"
    );
    let japanese = "search=%E3%83%96%E3%83%A9%E3%83%83%E3%82%AD%E3%83%BC+080/070&language=japanese";
    assert_eq!(found(&shop, japanese), ["asia:M7-080"]);
    assert_eq!(found(&shop, "search=charizard+4/102"), ["base1-4"]);
    assert_eq!(
        found(
            &shop,
            "search=%E3%83%96%E3%83%A9%E3%83%83%E3%82%AD%E3%83%BCVMAX&language=japanese"
        ),
        ["asia:S6a-095"]
    );
}
