//! The cost of lists of cards.

use super::cards::V2;
use super::{Shop, each};
use crate::client::{Call, Reply};
use crate::support::on_each_database;
use serde_json::json;
use titledex_server::config::Settings;

/// The examples of the specification: 10 cards cost 10 credits, with history 20, with all data 30;
/// a set of 26 cards 26.
#[test]
fn cards_cost_one_credit_and_one_for_each_addition() {
    let shop = Shop::open("business");
    for (query, cost, price) in [
        ("limit=10", 10, 1),
        ("limit=10&includeHistory=true", 20, 2),
        ("limit=10&includeAuction=true", 20, 2),
        ("limit=10&includeBoth=true", 30, 3),
        (
            "limit=10&includeBoth=true&includeHistory=true&includeAuction=true",
            30,
            3,
        ),
        ("limit=10&includeHistory=false", 10, 1),
        ("limit=10&includeEur=true", 20, 2),
        ("limit=10&includeHistory=true&maxDataPoints=365", 20, 2),
        ("limit=10&includeHistory=true&maxDataPoints=366", 30, 3),
        ("limit=10&maxDataPoints=366", 10, 1),
        (
            "limit=10&includeBoth=true&includeEur=true&maxDataPoints=1000",
            50,
            5,
        ),
        ("set=base-set&fetchAllInSet=true", 26, 1),
    ] {
        let (body, charged) = shop.ok(&format!("{V2}?{query}"));
        let consumed = &body["metadata"]["apiCallsConsumed"];
        assert_eq!(
            (charged, &consumed["total"], &consumed["costPerCard"]),
            (cost, &json!(cost), &json!(price)),
            "{query}"
        );
    }
    assert_eq!(
        shop.service.charged(&shop.holder),
        10 + 20 + 20 + 30 + 30 + 10 + 20 + 20 + 30 + 10 + 50 + 26
    );
}

#[test]
fn whole_set_counts_one_call_for_ten_cards() {
    let shop = Shop::open("business");
    let before = shop
        .get("/v2/account")
        .number("x-ratelimit-minute-remaining");
    let reply = shop.get(&format!("{V2}?set=base-set&fetchAllInSet=true"));
    assert_eq!(reply.json()["data"].as_array().map(Vec::len), Some(26));
    assert_eq!(reply.json()["metadata"]["hasMore"], false);
    // ceil(26 / 10)
    assert_eq!(
        (
            reply.number("x-ratelimit-cost"),
            reply.number("x-ratelimit-minute-remaining")
        ),
        (26, before - 3)
    );
    let (dear, _) = shop.ok(&format!(
        "{V2}?setId=base1&fetchAllInSet=true&minPrice=20&sortBy=price&sortOrder=asc"
    ));
    assert_eq!(
        each(&dear, "name").first().map(String::as_str),
        Some("Card 20")
    );
    // a limit changes nothing beside it
    let whole = format!("{V2}?fetchAllInSet=True&set=base-set&limit=5&offset=0");
    assert_eq!(shop.ok(&whole).0["metadata"]["count"], 26);
    for (query, code, field) in [
        ("fetchAllInSet=true", "missing_parameter", "set"),
        (
            "fetchAllInSet=yes&set=base-set",
            "invalid_value",
            "fetchAllInSet",
        ),
    ] {
        assert_eq!(
            shop.refused(&format!("{V2}?{query}")),
            (400, code.to_owned(), field.to_owned()),
            "{query}"
        );
    }
}

#[test]
fn head_of_an_answer_costs_nothing() {
    on_each_database(|database| {
        let shop = Shop::on(database, "api");
        let head = |path: &str| {
            let call = Call::new("HEAD", format!("/api{path}"));
            shop.service.send(&call.key(&shop.holder.key))
        };
        for path in ["/v2/cards?limit=5", "/v2/sets", "/v1/prices"] {
            let reply = head(path);
            assert_eq!((reply.status, reply.body.len()), (200, 0), "{path}");
        }
        assert_eq!(
            head("/v2/cards?limit=5").header("x-ratelimit-cost"),
            Some("0")
        );
        assert_eq!(shop.service.charged(&shop.holder), 0);
        assert_eq!(shop.ok(&format!("{V2}?limit=5")).1, 5);
    });
}

#[test]
fn refusal_for_lack_of_credits_costs_nothing() {
    let shop = Shop::open("free");
    assert_eq!(shop.ok(&format!("{V2}?limit=30&includeBoth=true")).1, 90);
    let reply = shop.get(&format!("{V2}?limit=11"));
    assert_eq!(
        (reply.status, reply.code()),
        (429, "insufficient_credits".to_owned())
    );
    assert!(reply.number("retry-after") > 0 && reply.number("x-ratelimit-daily-remaining") == 10);
    // what there is of a search is charged, not what might be
    assert_eq!(shop.ok(&format!("{V2}?search=umbreon&limit=100")).1, 3);
    assert_eq!(shop.service.charged(&shop.holder), 93);
}

/// What is refused costs no credits and counts as a call of the minute, whatever it was refused for;
/// without calls, nothing is looked at to refuse it.
#[test]
fn refused_requests_count_as_calls() {
    on_each_database(|database| {
        let shop = Shop::on(database, "api");
        let many_words = vec!["x"; 21].join("+");
        let get = |path: &str| Call::new("GET", format!("/api{path}"));
        let parse = |body: &str| Call::new("POST", "/api/v2/parse-title").json(body);
        for (call, status) in [
            (get("/v2/cards?set=zzqqy"), 404),
            (get("/v2/cards?setId=zzqqy"), 404),
            (get(&format!("/v2/cards?set={many_words}")), 400),
            (get(&format!("/v2/cards?setId={many_words}")), 400),
            (get("/v2/cards?limit=0"), 400),
            (get("/v2/sealed-products?set=zzqqy"), 404),
            (get("/v2/sets?limit=0"), 400),
            (get("/v2/sets?game=chess"), 400),
            (get("/v2/population"), 403),
            (get("/v2/export"), 403),
            (get("/v2/nothing"), 404),
            (Call::new("DELETE", "/api/v2/cards"), 405),
            (Call::new("HEAD", "/api/v2/cards?setId=zzqqy"), 404),
            (parse("{"), 400),
            (parse(r#"{"title":""}"#), 400),
            (parse("{}").header("Content-Encoding", "br"), 415),
            (get("/v1/prices?setId=zzqqy"), 404),
            (get("/v1/prices?page=0"), 400),
            (get("/v1/sets?limit=5"), 400),
            // answered, of which nothing is charged
            (parse(r#"{"titles":["", " "]}"#), 200),
            (get("/v2/cards?marketplaceId=nobody"), 200),
        ] {
            let shown = format!("{} {}", call.method, call.path);
            let calls = |path: &str| shop.get(path).number("x-ratelimit-minute-remaining");
            let v1 = call.path.starts_with("/api/v1");
            // of v1 a request of its own says what is left, which counts as one
            let before = if v1 {
                calls("/v1/sets")
            } else {
                calls("/v2/account")
            };
            let reply = shop.service.send(&call.key(&shop.holder.key));
            assert_eq!(reply.status, status, "{shown}: {reply:?}");
            let left = reply.number("x-ratelimit-minute-remaining");
            assert_eq!(left, before - 1, "{shown}");
            assert_eq!(
                reply.header("x-ratelimit-cost").unwrap_or("0"),
                "0",
                "{shown}"
            );
        }
        // the account has a limit of its own
        let before = shop.get("/v2/account");
        let refused = shop.get("/v2/account?days=1");
        assert_eq!((before.status, refused.status), (200, 400));
        let left = |reply: &Reply| reply.number("x-ratelimit-minute-remaining");
        assert_eq!(left(&before), left(&refused));
        assert_eq!(shop.service.charged(&shop.holder), 0);
    });
}

#[test]
fn without_calls_no_request_is_looked_at() {
    on_each_database(|database| {
        let shop = Shop::with_settings(database, "free", |settings| {
            settings.plans =
                Settings::parse("[plans.free]\nminute-calls = 3\nv1-minute-requests = 3\n")
                    .expect("it is right")
                    .plans;
        });
        for path in ["/v2/cards?setId=zzqqy", "/v1/prices?setId=zzqqy"] {
            let statuses = [(); 5].map(|()| shop.get(path).status);
            assert_eq!(statuses, [404, 404, 404, 429, 429], "{path}");
            assert_eq!(shop.get(path).code(), "minute_limit", "{path}");
        }
        for path in [
            "/v2/sets?limit=0",
            "/v2/sealed-products?limit=0",
            "/v1/sets?limit=5",
        ] {
            assert_eq!(shop.get(path).code(), "minute_limit", "{path}");
        }
        let reply = shop.service.send(&Call::parse(&shop.holder.key, "{"));
        assert_eq!(reply.code(), "minute_limit");
    });
}
