//! `GET /api/v1/prices` and `GET /api/v1/sets`.

use super::shop::{CHARIZARD, FIRST_EDITION, UMBREON};
use super::{Shop, each};
use crate::client::Call;
use crate::support::on_each_database;
use serde_json::json;
use titledex_server::store::market::{CardRecord, ItemRecord};

impl Shop {
    /// Adds cards, each with its id, the key of its set and its number, and with a printing.
    fn add_numbered(&self, cards: &[(&str, i64, &str)]) {
        let card = |(at, (id, set, number)): (i64, &(&str, i64, &str))| CardRecord {
            key: 600_000 + at,
            id: (*id).to_owned(),
            set_key: *set,
            place: 900 + at,
            name: "Numbered".to_owned(),
            number: Some((*number).to_owned()),
            ..CardRecord::default()
        };
        let cards: Vec<_> = (0..).zip(cards).map(card).collect();
        let item = |card: &CardRecord| ItemRecord {
            key: card.key * 2,
            marketplace_id: format!("{}:card", card.id),
            card: Some(card.key),
            ..ItemRecord::default()
        };
        let items: Vec<_> = cards.iter().map(item).collect();
        let store = &self.service.server().app.store;
        self.service.runtime().block_on(async {
            let mut loader = store.load().await.expect("it begins");
            loader.put_cards(&cards).await.expect("written");
            loader.put_items(&items).await.expect("written");
            loader.commit().await.expect("kept");
        });
    }
}

#[test]
fn prices_are_filtered_by_name_set_number_and_id() {
    on_each_database(|database| {
        let shop = Shop::on(database, "api");
        shop.add_numbered(&[("swsh7-tg01", 3, "TG01/TG30"), ("base2-h4", 2, "H4")]);
        let ids = |query: &str| each(&shop.ok(&format!("/v1/prices?{query}")).0, "marketplaceId");
        assert_eq!(ids("name=CHARIZ"), [CHARIZARD]);
        assert_eq!(
            ids("name=umbreon"),
            [
                "swsh7-189:card",
                "swsh7-214:card",
                "swsh7-215:card",
                UMBREON
            ]
        );
        assert_eq!(
            ids("name=%E3%83%96%E3%83%A9%E3%83%83%E3%82%AD%E3%83%BC"),
            [UMBREON]
        );
        assert_eq!(ids("setId=base2"), ["base2-60:card", "base2-h4:card"]);
        assert_eq!(ids("setId=base1&number=4"), [CHARIZARD]);
        // as other catalogues write it, and in any case
        assert_eq!(ids("setId=swsh07").len(), 4);
        assert_eq!(ids("setId=BASE01&number=4"), [CHARIZARD]);
        assert_eq!(
            shop.refused("/v1/prices?setId=base11"),
            (404, "unknown_set".to_owned(), "setId".to_owned())
        );
        assert_eq!(ids("number=215/203"), ["swsh7-215:card"]);
        // in any case, before the slash or without one, as on each database
        for (number, found) in [
            ("tg01", &["swsh7-tg01:card"][..]),
            ("TG1", &["swsh7-tg01:card"]),
            ("TG01/tg30", &["swsh7-tg01:card"]),
            ("tg0", &[]),
            ("H4", &["base2-h4:card"]),
            ("h04", &["base2-h4:card"]),
            ("h", &[]),
            ("4/", &[]),
            ("%", &[]),
        ] {
            assert_eq!(
                ids(&format!("number={number}").replace('%', "%25")),
                found,
                "{number}"
            );
        }
        assert_eq!(ids("id=base1-4"), [CHARIZARD]);
        assert_eq!(ids(&format!("id={FIRST_EDITION}")), [FIRST_EDITION]);
        assert_eq!(ids("id=nobody"), Vec::<String>::new());
        // of an apostrophe alone nothing is compared
        for nothing in ["%25", "'", "%E2%80%99", "''"] {
            let found = ids(&format!("name={nothing}"));
            assert_eq!(found, Vec::<String>::new(), "{nothing}");
        }
        // zeros, accents and apostrophes are not typed, and English comes first
        assert_eq!(ids("number=95&setId=asia:S6a"), [UMBREON]);
        assert_eq!(ids("number=004&setId=base1"), [CHARIZARD]);
        assert_eq!(ids("name=umbr%C3%A9on").len(), 4);
        assert_eq!(
            ids("name=umbre'on").last().map(String::as_str),
            Some(UMBREON)
        );
    });
}

#[test]
fn prices_have_pages_of_fifty() {
    let shop = Shop::open("api");
    let (body, _) = shop.ok("/v1/prices");
    assert_eq!(
        body["metadata"],
        json!({"total": 31, "count": 31, "limit": 50, "page": 1, "pages": 1, "hasMore": false})
    );
    let (second, _) = shop.ok("/v1/prices?limit=10&page=2");
    assert_eq!(
        (&second["metadata"]["pages"], &second["metadata"]["hasMore"]),
        (&json!(4), &json!(true))
    );
    assert_eq!(
        each(&second, "marketplaceId"),
        each(&body, "marketplaceId")[10..20]
    );
    // every page that `hasMore` promises is there, and more than the bound is cut to it
    assert_eq!(
        shop.ok("/v1/prices?limit=1&page=31").0["metadata"]["count"],
        1
    );
    assert_eq!(
        shop.ok("/v1/prices?limit=10&page=4001").0["metadata"]["count"],
        0
    );
    assert_eq!(shop.ok("/v1/prices?limit=1000").0["metadata"]["limit"], 250);
    for (query, code) in [
        ("limit=0", "out_of_range"),
        ("page=0", "out_of_range"),
        ("page=x", "invalid_value"),
        ("set=base1", "unknown_parameter"),
    ] {
        assert_eq!(
            shop.refused(&format!("/v1/prices?{query}")).1,
            code,
            "{query}"
        );
    }
}

#[test]
fn base_address_may_end_in_v1() {
    let shop = Shop::open("free");
    let short = |path: &str| {
        let call = Call::new("GET", path).key(&shop.holder.key);
        shop.service.send(&call)
    };
    let reply = short("/v1/prices?setId=base1&number=4");
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(each(&reply.json(), "marketplaceId"), [CHARIZARD]);
    assert_eq!(reply.number("x-ratelimit-daily-limit"), 200);
    assert_eq!(short("/v1/sets").status, 200);
    assert_eq!(shop.service.send(&Call::new("GET", "/v1/sets")).status, 401);
    let other = short("/api/v3/cards");
    assert_eq!((other.status, other.code().as_str()), (404, "not_found"));
}

#[test]
fn v1_sets_are_filtered_by_name_and_sorted() {
    let shop = Shop::open("free");
    assert_eq!(
        each(&shop.ok("/v1/sets").0, "id"),
        ["swsh7", "asia:S6a", "base2", "base1"]
    );
    assert_eq!(
        each(&shop.ok("/v1/sets?sortBy=name&sortOrder=asc").0, "name"),
        ["Base Set", "Eevee Heroes", "Evolving Skies", "Jungle"]
    );
    assert_eq!(each(&shop.ok("/v1/sets?name=SKIES").0, "id"), ["swsh7"]);
    assert_eq!(each(&shop.ok("/v1/sets?name=b%C3%A0se").0, "id"), ["base1"]);
    assert_eq!(
        each(&shop.ok("/v1/sets?name=h'eroes").0, "id"),
        ["asia:S6a"]
    );
    for nothing in ["'", "%E2%80%99"] {
        let found = shop.ok(&format!("/v1/sets?name={nothing}")).0;
        assert_eq!(found["data"], json!([]), "{nothing}");
    }
    assert_eq!(shop.refused("/v1/sets?sortBy=price").1, "invalid_value");
    assert_eq!(shop.refused("/v1/sets?limit=5").1, "unknown_parameter");
}

#[test]
fn every_v1_request_costs_one() {
    let shop = Shop::open("free");
    let before = shop.get("/v1/sets");
    let after = shop.get("/v1/prices?setId=base1");
    assert_eq!(
        after.number("x-ratelimit-daily-remaining"),
        before.number("x-ratelimit-daily-remaining") - 1
    );
    assert_eq!(
        after.number("x-ratelimit-minute-remaining"),
        before.number("x-ratelimit-minute-remaining") - 1
    );
    assert_eq!(
        (
            after.number("x-ratelimit-daily-limit"),
            after.number("x-ratelimit-minute-limit")
        ),
        (200, 60)
    );
    assert!(after.header("x-ratelimit-cost").is_none());
    // sixty a minute
    let last = (2..60)
        .map(|_| shop.get("/v1/sets"))
        .last()
        .expect("there are some");
    assert_eq!(
        (last.status, last.number("x-ratelimit-minute-remaining")),
        (200, 0)
    );
    let refused = shop.get("/v1/sets");
    assert_eq!(
        (refused.status, refused.code()),
        (429, "minute_limit".to_owned())
    );
    // credits of v2 are another count
    assert_eq!(shop.service.charged(&shop.holder), 0);
}

#[test]
fn base_address_that_ends_in_v1_is_answered() {
    let shop = Shop::open("free");
    let get = |path: &str| {
        let call = Call::new("GET", path.to_owned());
        shop.service.send(&call.key(&shop.holder.key))
    };
    for path in ["/v1/prices?setId=base2", "/v1/sets?name=jungle"] {
        let (short, long) = (get(path), get(&format!("/api{path}")));
        assert_eq!((short.status, short.json()), (200, long.json()), "{path}");
        assert_eq!(
            short.number("x-ratelimit-daily-remaining") - 1,
            long.number("x-ratelimit-daily-remaining")
        );
    }
    assert_eq!(get("/v1/cards").status, 404);
    let without_key = shop
        .service
        .send(&Call::new("GET", "/v1/prices".to_owned()));
    assert_eq!(without_key.status, 401);
}
