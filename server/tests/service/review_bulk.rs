//! Decisions about all listings that a filter shows.

use crate::merged::OTHER;
use crate::support::{Service, on_each_database};
use crate::undo::{Shelf, row};
use serde_json::{Value, json};
use std::sync::Arc;
use titledex_server::images::Images;
use titledex_server::market::load::Kind;

/// All that a filter shows is decided at once, unless other listings came; and it can be taken back.
#[test]
fn listings_are_decided_in_bulk() {
    on_each_database(|database| {
        let shelf = Shelf::on(database);
        let cards: Vec<String> = (0..2).map(|at| row(Kind::Cards, [at, 0, 0, 0])).collect();
        shelf.import(Kind::Cards, &cards);
        shelf.import(Kind::Cards, &[OTHER.to_owned()]);
        let sale = |price: u32, currency: &str, number: u32| {
            format!(
                "Rayquaza VMAX PSA 9|{price}|{currency}|2026-11-12|https://www.ebay.com/itm/4004000001{number:02}"
            )
        };
        let rows: Vec<String> = (0..6).map(|at| sale(10 + at, "USD", at)).collect();
        shelf.import(Kind::Sales, &rows);
        shelf.import(Kind::Sales, &[sale(12, "EUR", 40)]);
        shelf.import(
            Kind::Sales,
            &["Evolving Skies Booster Box sealed|500|USD|2026-11-12".to_owned()],
        );
        let before = shelf.everything();
        let service = Service::on(database);
        let list = |query: &str| {
            service
                .ask("GET", &format!("/review?{query}"), &Value::Null)
                .json()
        };
        assert_eq!(list("")["total"], 8);
        assert_eq!(list("kind=sealed")["total"], 1);
        assert_eq!(list("kind=single")["total"], 7);
        assert_eq!(list("reason=sealed")["total"], 1);
        assert_eq!(list("currency=EUR&minPrice=12&maxPrice=12")["total"], 1);
        assert_eq!(list("set=swsh7&kind=single")["total"], 7);
        assert_eq!(list("set=base1")["total"], 0);
        assert_eq!(list("search=vmax%20psa")["total"], 7);
        assert_eq!(list("search=booster&kind=sealed")["total"], 1);
        // what stands for other letters in a pattern stands for itself
        assert_eq!(list("search=%25")["total"], 0);
        assert_eq!(list("search=VMAX_PSA")["total"], 0);
        assert_eq!(list("minConfidence=0.999")["total"], 0);
        assert_eq!(list("maxConfidence=0.999&kind=single&limit=2")["total"], 7);
        for wrong in [
            "kind=box",
            "minPrice=x",
            "currency=usd",
            "change=0",
            "what=1",
            "limit=501",
        ] {
            let reply = service.ask("GET", &format!("/review?{wrong}"), &Value::Null);
            assert_eq!(reply.status, 400, "{wrong}");
        }
        let cheap = "kind=single&currency=USD&maxPrice=12";
        let shown = list(cheap);
        assert_eq!(
            (&shown["total"], &shown["snapshot"]["count"]),
            (&json!(3), &json!(3))
        );
        let snapshot = shown["snapshot"]["id"].clone();
        let accept = |body: Value| service.ask("POST", &format!("/review/accept?{cheap}"), &body);
        // one more came
        let import = shelf.import(Kind::Sales, &[sale(11, "USD", 50)]);
        let stale = accept(json!({"snapshot": snapshot}));
        assert_eq!(
            (stale.status, stale.code().as_str()),
            (409, "listings_changed")
        );
        shelf.undo(import);
        // one was corrected
        let import = shelf.import(Kind::Sales, &[sale(9, "USD", 0)]);
        assert_eq!(
            accept(json!({"snapshot": snapshot})).code(),
            "listings_changed"
        );
        shelf.undo(import);
        for wrong in [
            json!({}),
            json!({"snapshot": snapshot, "grade": "TEN"}),
            json!({"snapshot": snapshot, "all": true}),
        ] {
            assert_eq!(accept(wrong.clone()).status, 400, "{wrong}");
        }
        let nobody = accept(json!({"snapshot": snapshot, "marketplaceId": "nobody"}));
        assert_eq!(nobody.status, 404);
        assert_eq!(shelf.everything(), before);
        let done = accept(json!({"snapshot": snapshot, "grade": "GRADER_A_9"})).json();
        assert_eq!(done["data"]["decided"], 3, "{done}");
        let change = done["data"]["change"].as_i64().expect("it has a number");
        assert_eq!(shelf.sales("swsh7-111:holofoil").len(), 3);
        let accepted = list(&format!("status=accepted&change={change}"));
        assert_eq!(accepted["total"], 3);
        assert_eq!(accepted["data"][0]["change"], change);
        // rejected ones, and what has no guess is left by an acceptance
        let all = list("");
        let skipped = service.ask(
            "POST",
            "/review/accept",
            &json!({"snapshot": all["snapshot"]["id"]}),
        );
        assert_eq!(skipped.json()["data"]["skipped"], 1, "{skipped:?}");
        let rest = list("")["snapshot"]["id"].clone();
        let rejected = service
            .ask("POST", "/review/reject", &json!({"snapshot": rest}))
            .json();
        assert_eq!(rejected["data"]["decided"], 1);
        assert_eq!(list("")["total"], 0);
        let none = list("")["snapshot"]["id"].clone();
        let none = service
            .ask("POST", "/review/reject", &json!({"snapshot": none}))
            .json();
        assert_eq!(
            none["data"],
            json!({"change": null, "decided": 0, "skipped": 0})
        );
        let changes = service.ask("GET", "/changes?limit=3", &Value::Null).json();
        let undo = |id: &Value| service.ask("POST", &format!("/changes/{id}/undo"), &Value::Null);
        let kinds: Vec<&str> = changes["data"]
            .as_array()
            .expect("there are some")
            .iter()
            .map(|change| change["kind"].as_str().expect("it has one"))
            .collect();
        assert_eq!(kinds, ["reject", "accept", "accept"]);
        for change in changes["data"].as_array().expect("there are some") {
            assert_eq!(undo(&change["id"]).status, 200);
            let again = undo(&change["id"]);
            assert_eq!((again.status, again.code().as_str()), (409, "not_undoable"));
        }
        assert_eq!(undo(&json!(999)).status, 404);
        assert_eq!(shelf.everything(), before);
        service.stop();
    });
}

/// Whoever reviews a listing sees pictures of its candidates, how its title is read, and finds other
/// cards by name.
#[test]
fn listing_comes_with_pictures_and_evidence_and_cards_are_found() {
    on_each_database(|database| {
        let shelf = Shelf::on(database);
        let cards: Vec<String> = (0..2).map(|at| row(Kind::Cards, [at, 0, 0, 0])).collect();
        shelf.import(Kind::Cards, &cards);
        shelf.import(Kind::Cards, &[OTHER.to_owned()]);
        // there are several: the title is ambiguous
        let title = "Rayquaza VMAX PSA 9";
        shelf.import(
            Kind::Sales,
            &[format!(
                "{title}|10|USD|2026-11-12|https://www.ebay.com/itm/400400000101"
            )],
        );
        let first = |service: &Service| {
            let list = service.ask("GET", "/review", &Value::Null).json();
            assert_eq!(list["total"], 1, "{list}");
            list["data"][0].clone()
        };
        let plain = Service::on(database);
        let of = first(&plain);
        const CARD: &str = "swsh7-218:holofoil";
        let candidate = |of: &Value| {
            let all = of["candidates"].as_array();
            let all = all.unwrap_or_else(|| panic!("no candidates: {of}")).iter();
            let mut all = all.filter(|candidate| candidate["marketplaceId"] == CARD);
            all.next().expect("it may be this one").clone()
        };
        assert_eq!(candidate(&of)["image"], Value::Null, "{of}");
        let reading = plain.ask(
            "GET",
            &format!("/review/{}/reading", of["id"]),
            &Value::Null,
        );
        let reading = reading.json()["data"].clone();
        assert_eq!(reading["title"], title);
        assert!(
            reading["parsed"]["spans"][0]["field"].is_string(),
            "{reading}"
        );
        let found = |search: &str| plain.ask("GET", &format!("/cards{search}"), &Value::Null);
        let printings = found("?search=rayquaza%20vmax").json()["data"].clone();
        let ids: Vec<&Value> = printings
            .as_array()
            .expect("it is one")
            .iter()
            .map(|printing| &printing["marketplaceId"])
            .collect();
        assert!(ids.contains(&&json!(CARD)), "{printings}");
        assert_eq!(found("?search=zzzzqqq").json()["data"], json!([]));
        assert_eq!(found("").code(), "missing_parameter");
        let missing = plain.ask("GET", "/review/999/reading", &Value::Null);
        assert_eq!(missing.status, 404);
        // only the first start tells the administrator's key
        let key = plain.admin.clone();
        plain.stop();
        let mut pictured = Service::with(database, |settings| {
            let cards = "https://images.example/{cardId}.png";
            let images = Images::read(Some(cards), None).expect("it is right");
            settings.market.images = Arc::new(images);
        });
        pictured.admin = key;
        assert_eq!(
            candidate(&first(&pictured))["image"],
            "https://images.example/swsh7-218.png"
        );
        pictured.stop();
    });
}
