//! Keys that expire, and the record of what administrators did.

use crate::client::Call;
use crate::support::{Service, on_each_database, one_title};
use serde_json::json;
use titledex_server::clock::Moment;
use titledex_server::keys::hash;
use titledex_server::store::{Actor, KeyMade, KeyToStore, LastKey};

const HOUR: i64 = 3_600_000;

/// A key works up to the moment that it was given, is then refused with a code of its own, and
/// takes no place among the keys that the plan allows.
#[test]
fn expired_key_is_refused() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "api");
        let make = |body: serde_json::Value| {
            service.send(
                &Call::new("POST", "/api/v2/account/keys")
                    .key(&holder.key)
                    .json(body.to_string()),
            )
        };
        let began = service.clock.now();
        let ends = titledex_server::market::day::iso(began.millis() + HOUR);
        let made = make(json!({"name": "short", "expiresAt": ends}));
        assert_eq!(made.status, 201, "{}", made.text());
        let made = made.json();
        assert_eq!(made["data"]["expiresAt"], json!(ends));
        let key = made["data"]["key"].as_str().expect("it is shown");
        let ask = || service.send(&Call::parse(key, one_title()));
        service
            .clock
            .set(Moment::from_millis(began.millis() + HOUR - 1));
        assert_eq!(ask().status, 200);
        service
            .clock
            .set(Moment::from_millis(began.millis() + HOUR));
        let refused = ask();
        assert_eq!(
            (refused.status, refused.code().as_str()),
            (401, "expired_key")
        );
        assert_eq!(refused.number("x-ratelimit-cost"), 0);
        // the plan allows five: the first, and four more beside the expired one
        for at in 0..4 {
            assert_eq!(make(json!({"name": format!("{at}")})).status, 201);
        }
        assert_eq!(make(json!({"name": "sixth"})).code(), "too_many_keys");
        // another server learns of it from the database
        let second = Service::on(database);
        second.clock.set(service.clock.now());
        assert_eq!(
            second.send(&Call::parse(key, one_title())).code(),
            "expired_key"
        );
        second.stop();
        for wrong in [
            "",
            "soon",
            "1999-01-01",
            "2030-02-30",
            "2030-01-31T00:00:00+01:00",
        ] {
            let reply = make(json!({"name": "x", "expiresAt": wrong}));
            assert_eq!(reply.code(), "invalid_value", "{wrong}");
        }
        assert_eq!(
            make(json!({"name": "x", "expiresAt": null})).code(),
            "invalid_body"
        );
        service.stop();
    });
}

/// A guess at an expired key is a wrong key like any other.
#[test]
fn expired_key_is_not_told_from_its_prefix() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "api");
    let ends = titledex_server::market::day::iso(service.clock.now().millis() + HOUR);
    let made = service.send(
        &Call::new("POST", "/api/v2/account/keys")
            .key(&holder.key)
            .json(json!({"name": "short", "expiresAt": ends}).to_string()),
    );
    let mut key = made.json()["data"]["key"]
        .as_str()
        .expect("it is shown")
        .to_owned();
    service
        .clock
        .set(Moment::from_millis(service.clock.now().millis() + HOUR));
    assert_eq!(
        service.send(&Call::parse(&key, one_title())).code(),
        "expired_key"
    );
    let last = if key.ends_with('x') { "y" } else { "x" };
    key.replace_range(key.len() - 1.., last);
    assert_eq!(
        service.send(&Call::parse(&key, one_title())).code(),
        "invalid_key"
    );
}

/// When all administrators' keys have expired, the next start makes another first key.
#[test]
fn expired_administrators_lock_nobody_out() {
    on_each_database(|database| {
        let service = Service::on(database);
        let (store, now) = (&service.server().app.store, service.clock.now());
        let first = |name: &'static str, text: &str, expires: Option<i64>, now: Moment| {
            let hash = hash(text);
            let key = KeyToStore {
                account: None,
                name,
                prefix: text,
                hash: &hash,
                most_today: None,
                replaces: None,
                expires,
                by: Actor::Operator,
            };
            service.runtime().block_on(async {
                match expires {
                    None => store
                        .create_first_admin_key(key, now)
                        .await
                        .expect("it answers"),
                    Some(_) => matches!(
                        store.create_key(key, &Default::default(), now).await,
                        Ok(KeyMade::Made(_))
                    ),
                }
            })
        };
        // the key that the service made at its start
        for key in service
            .runtime()
            .block_on(store.keys(None))
            .expect("it answers")
        {
            let revoked = store.revoke_key(key.id, LastKey::Revoked, Actor::Operator, now);
            service.runtime().block_on(revoked).expect("it answers");
        }
        assert!(first("short", "aaaaaaaaaa", Some(now.millis() + HOUR), now));
        assert!(!first("first", "bbbbbbbbbb", None, now));
        let later = Moment::from_millis(now.millis() + HOUR);
        assert!(first("first", "cccccccccc", None, later));
        service.stop();
    });
}

/// Each change is recorded once, with who asked for it, in the order in which they were made.
#[test]
fn deeds_are_recorded() {
    on_each_database(|database| {
        let service = Service::on(database);
        let account = service.ask(
            "POST",
            "/accounts",
            &json!({"name": "site", "plan": "free"}),
        );
        let account = account.json()["data"]["id"]
            .as_i64()
            .expect("it has a number");
        let path = format!("/accounts/{account}");
        let key = service
            .ask("POST", &format!("{path}/keys"), &json!({"name": "laptop"}))
            .json();
        let key = key["data"]["id"].as_i64().expect("it has a number");
        assert_eq!(
            service
                .ask("PUT", &format!("{path}/plan"), &json!({"plan": "api"}))
                .status,
            200
        );
        for _ in 0..2 {
            service
                .clock
                .set(Moment::from_millis(service.clock.now().millis() + 1));
            let revoked = service.ask("DELETE", &format!("/keys/{key}"), &json!(null));
            assert_eq!(revoked.status, 200);
        }
        // refused ones are no deeds
        assert_eq!(
            service
                .ask("PUT", &format!("{path}/plan"), &json!({"plan": "x"}))
                .status,
            400
        );
        assert_eq!(
            service
                .ask("PUT", "/accounts/77/plan", &json!({"plan": "api"}))
                .status,
            404
        );
        assert_eq!(
            service
                .ask(
                    "POST",
                    "/accounts",
                    &json!({"name": "site", "plan": "free"})
                )
                .status,
            409
        );
        assert_eq!(
            service
                .ask("POST", "/catalogue/reload", &json!(null))
                .status,
            200
        );
        let rows = service
            .runtime()
            .block_on(service.server().app.store.audit(0, 100));
        let rows = rows.expect("it answers");
        let (first, rest) = rows
            .split_first()
            .expect("the first key was made at the start");
        assert_eq!(
            (first.deed.as_str(), first.by),
            ("create key", Actor::Operator)
        );
        let admin = Actor::Key(first.subject.expect("it is a key's"));
        let version = &service.server().app.reader.now().version;
        let seen: Vec<_> = rest
            .iter()
            .map(|row| {
                (
                    row.deed.as_str(),
                    row.account,
                    row.subject,
                    row.detail.as_str(),
                )
            })
            .collect();
        assert_eq!(
            seen,
            [
                ("create account", Some(account), None, "site"),
                ("create key", Some(account), Some(key), "laptop"),
                ("set plan", Some(account), None, "api"),
                ("revoke key", Some(account), Some(key), "laptop"),
                ("reload catalogue", None, None, version.as_str()),
            ]
        );
        assert!(rest.iter().all(|row| row.by == admin));
        let after = service
            .runtime()
            .block_on(service.server().app.store.audit(first.id, 2));
        assert_eq!(after.expect("it answers"), rest[..2]);
        service.stop();
    });
}
