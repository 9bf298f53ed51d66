//! Accounts, keys and plans: section 5 and the table of section 8.

use crate::client::Call;
use crate::support::{Holder, NOON, Service, at_once, on_each_database, one_title};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use titledex_server::clock::Moment;

fn make_key(holder: &Holder) -> Call {
    Call::new("POST", "/api/v2/account/keys")
        .key(&holder.key)
        .json(json!({"name": "another"}).to_string())
}

/// "Keys per account by plan: Free 1; API up to 5; Business unlimited; Enterprise up to 20", even
/// if many are made at once.
#[test]
fn plan_limits_the_keys_of_an_account() {
    on_each_database(|database| {
        let service = Service::on(database);
        for (plan, most) in [
            ("free", 1),
            ("api", 5),
            ("business", 30),
            ("enterprise", 20),
        ] {
            let holder = service.account(plan, plan);
            let replies = at_once(&vec![(service.address, make_key(&holder)); 29]);
            let made = replies.iter().filter(|reply| reply.status == 201).count();
            assert_eq!(made + 1, most, "{plan}");
            assert!(
                replies
                    .iter()
                    .filter(|reply| reply.status != 201)
                    .all(|reply| reply.status == 403 && reply.code() == "too_many_keys")
            );
            let keys = service
                .send(&Call::new("GET", "/api/v2/account/keys").key(&holder.key))
                .json();
            assert_eq!(keys["data"].as_array().map(Vec::len), Some(most));
        }
        service.stop();
    });
}

/// A key is shown once, found by its prefix, and revoked at once; another then takes its place.
#[test]
fn holder_makes_and_revokes_keys() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "api");
    let made = service.send(&make_key(&holder)).json();
    let (key, id) = (
        made["data"]["key"].as_str().expect("it is shown"),
        made["data"]["id"].as_i64().expect("it has a number"),
    );
    assert!(key.starts_with(made["data"]["prefix"].as_str().expect("it has one")));
    assert_eq!(service.send(&Call::parse(key, one_title())).status, 200);
    let list = service.send(&Call::new("GET", "/api/v2/account/keys").key(key));
    assert!(
        !list.text().contains(key) && list.text().contains("another"),
        "{}",
        list.text()
    );
    let revoke = |id: i64| {
        service.send(&Call::new("DELETE", format!("/api/v2/account/keys/{id}")).key(&holder.key))
    };
    assert!(revoke(id).json()["data"]["revokedAt"].is_string());
    assert_eq!(
        service.send(&Call::parse(key, one_title())).code(),
        "invalid_key"
    );
    let list = service.send(
        &Call::new("POST", "/api/v2/account/keys")
            .key(&holder.key)
            .json("[\"another\"]".to_owned()),
    );
    assert_eq!((list.status, list.code().as_str()), (400, "invalid_body"));
    let stranger = service.account("other", "free");
    assert_eq!(revoke(stranger.key_id).status, 404);
    assert_eq!(
        service
            .send(&Call::parse(&stranger.key, one_title()))
            .status,
        200
    );
    for path in ["x", "-1", "99999999999999999999", "0"] {
        assert_eq!(
            service
                .send(&Call::new("DELETE", format!("/api/v2/account/keys/{path}")).key(&holder.key))
                .status,
            404
        );
    }
    assert_eq!(
        service
            .send(&Call::new("DELETE", "/api/v2/account/keys/%ff").key(&holder.key))
            .code(),
        "bad_request"
    );
    assert_eq!(
        service
            .send(&Call::new("GET", "/api/admin/accounts").key(&holder.key))
            .code(),
        "wrong_role"
    );
}

/// A key that one server revokes is soon refused by the other, and one that it makes is known there
/// at once.
#[test]
fn keys_work_in_all_servers() {
    on_each_database(|database| {
        let first = Service::on(database);
        let second = Service::on(database);
        let holder = first.account("site", "free");
        assert_eq!(
            second
                .send(&Call::new("GET", "/api/v2/account").key(&holder.key))
                .status,
            200
        );
        assert_eq!(
            first
                .ask("DELETE", &format!("/keys/{}", holder.key_id), &Value::Null)
                .status,
            200
        );
        assert_eq!(
            first.send(&Call::parse(&holder.key, one_title())).status,
            401
        );
        let began = Instant::now();
        while second.send(&Call::parse(&holder.key, one_title())).status != 401 {
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "it is known for ever"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        first.stop();
        second.stop();
    });
}

/// An administrator makes accounts, sets plans and sees usage; the plan holds from the next request
/// on.
#[test]
fn administrator_sets_plans() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "free");
        let left = || {
            service
                .send(&Call::parse(&holder.key, one_title()))
                .number("x-ratelimit-daily-remaining")
        };
        assert_eq!(left(), 99);
        let path = format!("/accounts/{}/plan", holder.id);
        assert_eq!(
            service.ask("PUT", &path, &json!({"plan": "api"})).status,
            200
        );
        assert_eq!(left(), 20_000 - 2);
        assert_eq!(
            service.ask("PUT", &path, &json!({"plan": "gold"})).code(),
            "unknown_plan"
        );
        assert_eq!(
            service
                .ask("PUT", "/accounts/77/plan", &json!({"plan": "api"}))
                .status,
            404
        );
        assert_eq!(
            service
                .ask("POST", "/accounts", &json!({"name": "site", "plan": "api"}))
                .code(),
            "name_taken"
        );
        let odd = service.ask(
            "POST",
            "/accounts",
            &json!({"name": "b", "plan": "api", "color": 1}),
        );
        assert_eq!(
            (odd.code().as_str(), &odd.json()["error"]["field"]),
            ("invalid_body", &json!("color"))
        );
        let account = service
            .ask("GET", &format!("/accounts/{}", holder.id), &Value::Null)
            .json();
        assert_eq!(
            (&account["data"]["name"], &account["data"]["plan"]),
            (&json!("site"), &json!("api"))
        );
        assert_eq!(
            service.ask("GET", "/plans", &Value::Null).json()["data"]
                .as_array()
                .map(Vec::len),
            Some(4)
        );
        let usage = service
            .ask(
                "GET",
                &format!("/accounts/{}/usage", holder.id),
                &Value::Null,
            )
            .json();
        let day = &usage["data"][0];
        let charged =
            day["creditsUsed"].as_i64().unwrap_or(0) + day["creditsReserved"].as_i64().unwrap_or(0);
        assert!(charged >= 2 && day["date"] == "2024-10-04", "{usage}");
        service.stop();
    });
}

/// So often is looked whether calls are counted, a fifth of a second apart: each look is a request,
/// of which a minute allows so many.
const COUNTED_WITHIN: usize = 25;

/// A holder sees calls by day and endpoint: those that were answered, with what they cost.
#[test]
fn holder_sees_calls_by_endpoint() {
    on_each_database(|database| {
        let service = Service::on(database);
        let (holder, other) = (service.account("site", "api"), service.account("b", "api"));
        let get = |path: &str| service.send(&Call::new("GET", path).key(&holder.key));
        let batch = json!({"titles": ["Pikachu 58/102", "Charizard 4/102", ""]}).to_string();
        for body in [one_title(), batch] {
            let reply = service.send(&Call::parse(&holder.key, body));
            assert_eq!(reply.status, 200, "{reply:?}");
        }
        assert_eq!(get("/api/v2/sets").status, 200);
        // what is refused is no call, and what an account itself asks costs nothing
        assert_eq!(get("/api/v2/sets?what=1").status, 400);
        assert_eq!(
            service.send(&Call::parse(&other.key, one_title())).status,
            200
        );
        let written = || {
            service
                .runtime()
                .block_on(service.server().app.ledger.close())
        };
        let calls = || get("/api/v2/account/usage/endpoints").json()["data"].clone();
        let row = |endpoint: &str, calls: i64, credits: i64| json!({"date": "2024-10-04", "endpoint": endpoint, "calls": calls, "creditsUsed": credits});
        let sets = |calls| row("/api/v2/sets", calls, calls);
        let titles = row("/api/v2/parse-title", 2, 3);
        // a call counts when its answer has left, which a client may know before
        let counted = |rows: Value| {
            let came = (0..COUNTED_WITHIN).any(|_| {
                std::thread::sleep(Duration::from_millis(200));
                written();
                calls() == rows
            });
            assert!(came, "{} and not {rows}", calls());
        };
        counted(json!([titles, sets(1)]));
        // later calls are added to those that were written
        assert_eq!(get("/api/v2/sets").status, 200);
        counted(json!([titles, sets(2)]));
        for wrong in ["?days=0", "?days=x", "?Days=7"] {
            let reply = get(&format!("/api/v2/account/usage/endpoints{wrong}"));
            assert_eq!(reply.status, 400, "{wrong}");
        }
        service.stop();
    });
}

/// An administrator's key is replaced as an account's is: the old one works for another day.
#[test]
fn administrators_key_is_replaced() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "free");
        let replace = |replaced: i64| {
            let body = json!({"name": "second", "replaces": replaced});
            service.ask("POST", "/keys", &body)
        };
        let keys = service.ask("GET", "/keys", &Value::Null).json();
        let first = keys["data"][0]["id"].as_i64().expect("it has a number");
        // no administrator's key replaces an account's, and none of an account's an administrator's
        for wrong in [holder.key_id, 9_999] {
            let reply = replace(wrong);
            assert_eq!(
                (reply.status, reply.code()),
                (409, "not_replaceable".to_owned())
            );
            assert!(reply.text().contains("no administrator's key"), "{reply:?}");
        }
        let body = json!({"name": "theirs", "replaces": first}).to_string();
        let call = Call::new("POST", "/api/v2/account/keys").key(&holder.key);
        let reply = service.send(&call.json(body));
        assert_eq!(
            (reply.status, reply.code()),
            (409, "not_replaceable".to_owned())
        );
        let made = replace(first);
        assert_eq!(made.status, 201, "{made:?}");
        let next = made.json()["data"]["key"]
            .as_str()
            .expect("it is shown")
            .to_owned();
        let works = |key: &str| {
            let call = Call::new("GET", "/api/admin/plans").key(key);
            service.send(&call).status
        };
        assert_eq!((works(&service.admin), works(&next)), (200, 200));
        assert_eq!(replace(first).status, 409, "it is replaced once");
        service.clock.set(Moment::from_millis(NOON + 86_400_000));
        assert_eq!((works(&service.admin), works(&next)), (401, 200));
        service.stop();
    });
}

/// The holder of the one key that a plan allows can replace it: the old key works for another day.
#[test]
fn only_key_is_replaced_and_never_revoked() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "free");
        let replace = |key: &str, replaced: i64| {
            let body = json!({"name": "next", "replaces": replaced}).to_string();
            service.send(
                &Call::new("POST", "/api/v2/account/keys")
                    .key(key)
                    .json(body),
            )
        };
        let works = |key: &str| {
            service
                .send(&Call::new("GET", "/api/v2/account").key(key))
                .status
        };
        let revoke = |key: &str, id: i64| {
            let path = format!("/api/v2/account/keys/{id}");
            service.send(&Call::new("DELETE", path).key(key))
        };
        let refused = revoke(&holder.key, holder.key_id);
        assert_eq!(
            (refused.status, refused.code()),
            (409, "last_key".to_owned())
        );
        let stranger = service.account("other", "free");
        // the number of a key in a body is a value, and nothing that an address does not find
        let wrong = replace(&holder.key, stranger.key_id);
        assert_eq!(
            (wrong.status, wrong.code()),
            (409, "not_replaceable".to_owned())
        );
        let made = replace(&holder.key, holder.key_id);
        assert_eq!(made.status, 201, "{made:?}");
        let next = made.json()["data"]["key"]
            .as_str()
            .expect("it is shown")
            .to_owned();
        assert_eq!((works(&holder.key), works(&next)), (200, 200));
        // it counts no more, and is replaced once
        assert_eq!(service.send(&make_key(&holder)).code(), "too_many_keys");
        assert_eq!(replace(&next, holder.key_id).status, 409);
        let another = Service::on(database);
        another.clock.set(service.clock.now());
        let in_another = |key: &str| {
            another
                .send(&Call::new("GET", "/api/v2/account").key(key))
                .status
        };
        assert_eq!((in_another(&holder.key), in_another(&next)), (200, 200));
        for clock in [&service.clock, &another.clock] {
            clock.set(Moment::from_millis(NOON + 86_400_000));
        }
        assert_eq!((works(&holder.key), works(&next)), (401, 200));
        assert_eq!((in_another(&holder.key), in_another(&next)), (401, 200));
        another.stop();
        service.stop();
    });
}

/// The last administrator's key that works is not revoked over HTTP, where nobody could make
/// another, even if the last two are revoked at once.
#[test]
fn last_key_of_an_administrator_is_never_revoked() {
    on_each_database(|database| {
        let service = Service::on(database);
        let listed = service.ask("GET", "/keys", &Value::Null).json();
        let first = listed["data"][0]["id"].as_i64().expect("it has a number");
        let revoke = |id: i64| service.ask("DELETE", &format!("/keys/{id}"), &Value::Null);
        let make = |more: Value| {
            let mut body = json!({"name": "another"});
            body.as_object_mut()
                .expect("it is one")
                .extend(more.as_object().expect("it is one").clone());
            let made = service.ask("POST", "/keys", &body).json();
            let text = made["data"]["key"].as_str().expect("it is shown");
            (
                made["data"]["id"].as_i64().expect("it has a number"),
                text.to_owned(),
            )
        };
        let refused = revoke(first);
        assert_eq!((refused.status, refused.code().as_str()), (409, "last_key"));
        // one that has expired is no key to go on with
        make(json!({"expiresAt": "2024-10-04T13:00:00Z"}));
        service.clock.set(Moment::from_millis(NOON + 3_600_000));
        assert_eq!(revoke(first).code(), "last_key");
        // the last keys of accounts are revoked
        let holder = service.account("site", "free");
        assert_eq!(revoke(holder.key_id).status, 200);
        let (second, key) = make(json!({}));
        let delete = |id: i64, key: &str| {
            let call = Call::new("DELETE", format!("/api/admin/keys/{id}")).key(key);
            (service.address, call)
        };
        let replies = at_once(&[delete(first, &service.admin), delete(second, &key)]);
        let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
        statuses.sort_unstable();
        // the loser was the last key, or was revoked before it was looked at
        assert!(matches!(statuses[..], [200, 401 | 409]), "{replies:?}");
        let works = |key: &str| {
            let call = Call::new("GET", "/api/admin/keys").key(key);
            service.send(&call).status == 200
        };
        assert_ne!(works(&service.admin), works(&key));
        service.stop();
    });
}

/// Names that look like others, or act on who reads them, are refused as ids of imports are.
#[test]
fn names_have_only_characters_that_are_seen() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "api");
    for name in [
        "a\u{202e}b",
        "a\u{200b}b",
        "a\u{2066}b",
        "a\u{61c}b",
        "a\u{feff}b",
        "a\u{ad}b",
        "a\u{e0041}b",
        "a\nb",
        "a\0b",
        "\u{9b}31m",
        " ",
        "",
    ] {
        let body = json!({"name": name, "plan": "free"});
        let refused = service.ask("POST", "/accounts", &body);
        assert_eq!(
            (refused.status, refused.code().as_str()),
            (400, "invalid_name"),
            "{name:?}"
        );
        let key = Call::new("POST", "/api/v2/account/keys").key(&holder.key);
        let refused = service.send(&key.json(json!({"name": name}).to_string()));
        assert_eq!(
            (refused.status, refused.code().as_str()),
            (400, "invalid_name"),
            "{name:?}"
        );
    }
    for name in ["é ピカチュウ", "עברית", "☕\u{fe0f}", "e\u{301}"] {
        let made = service.ask("POST", "/accounts", &json!({"name": name, "plan": "free"}));
        assert_eq!(made.status, 201, "{made:?}");
        assert_eq!(made.json()["data"]["name"], name);
    }
}

/// Accounts and keys come in pages, and what has gone on counts: closed accounts, revoked keys.
#[test]
fn accounts_and_keys_are_listed_in_pages() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("a", "business");
        for name in ["b", "c"] {
            service.account(name, "free");
            let body = json!({"name": name});
            let path = format!("/accounts/{}/keys", holder.id);
            assert_eq!(service.ask("POST", &path, &body).status, 201);
            assert_eq!(service.ask("POST", "/keys", &body).status, 201);
        }
        for (path, names) in [
            ("/accounts".to_owned(), ["a", "b", "c"]),
            (format!("/accounts/{}/keys", holder.id), ["first", "b", "c"]),
            ("/keys".to_owned(), ["first", "b", "c"]),
        ] {
            for (query, from, to, limit) in [
                ("", 0, 3, 1_000),
                ("?limit=2", 0, 2, 2),
                ("?limit=2&offset=2", 2, 3, 2),
                ("?offset=9", 3, 3, 1_000),
                ("?limit=99999", 0, 3, 1_000),
            ] {
                let page = service.ask("GET", &format!("{path}{query}"), &Value::Null);
                let page = page.json();
                let shown: Vec<&str> = page["data"]
                    .as_array()
                    .expect("it is a list")
                    .iter()
                    .filter_map(|row| row["name"].as_str())
                    .collect();
                assert_eq!(shown, names[from..to], "{path}{query}");
                let offset = if query.contains("offset=9") { 9 } else { from };
                assert_eq!(
                    page["metadata"],
                    json!({"total": 3, "count": to - from, "limit": limit, "offset": offset, "hasMore": to < 3}),
                    "{path}{query}"
                );
            }
            for wrong in ["?limit=0", "?offset=-1", "?page=2"] {
                let refused = service.ask("GET", &format!("{path}{wrong}"), &Value::Null);
                assert_eq!(refused.status, 400, "{path}{wrong}");
            }
        }
        service.stop();
    });
}
