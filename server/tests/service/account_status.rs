//! Accounts that are suspended, resumed and closed.

use crate::client::{Call, Reply};
use crate::support::{Holder, Service, on_each_database, one_title};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use titledex_server::store::{Actor, KeyRow};

fn set(service: &Service, holder: &Holder, status: &str) -> Reply {
    let path = format!("/accounts/{}/status", holder.id);
    service.ask("PUT", &path, &json!({"status": status, "reason": "unpaid"}))
}

fn parse(service: &Service, holder: &Holder) -> (u16, String) {
    let reply = service.send(&Call::parse(&holder.key, one_title()));
    let code = if reply.status == 200 {
        String::new()
    } else {
        reply.code()
    };
    (reply.status, code)
}

/// Asks until the answer is this one, as another process looks once a second; how many titles were
/// answered.
fn becomes(service: &Service, holder: &Holder, status: u16, code: &str) -> i64 {
    let began = Instant::now();
    let mut answered = 0;
    loop {
        let seen = parse(service, holder);
        answered += i64::from(seen.0 == 200);
        if seen == (status, code.to_owned()) {
            return answered;
        }
        let waits = began.elapsed() < Duration::from_secs(30);
        assert!(waits, "it never answers {status} {code}: {seen:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn keys(service: &Service, holder: &Holder) -> Vec<KeyRow> {
    let store = &service.server().app.store;
    service
        .runtime()
        .block_on(store.keys(Some(holder.id)))
        .expect("it answers")
}

/// A suspended account is refused with a code of its own by every process, others are not; credits
/// that were leased go back, those that were used stay, and it goes on where it was.
#[test]
fn suspended_account_is_refused_until_it_is_resumed() {
    on_each_database(|database| {
        let first = Service::on(database);
        let holder = first.account("site", "api");
        let other = first.account("other", "api");
        let mut second = Service::on(database);
        second.admin.clone_from(&first.admin);
        for service in [&first, &second, &second] {
            assert_eq!(parse(service, &holder).0, 200);
        }
        let suspended = set(&first, &holder, "suspended").json();
        assert_eq!(suspended["data"]["status"], "suspended");
        assert!(suspended["data"]["suspendedAt"].is_string(), "{suspended}");
        let refused = (403, "account_suspended".to_owned());
        assert_eq!(parse(&first, &holder), refused);
        let late = becomes(&second, &holder, 403, "account_suspended");
        // of all parts of the service, and of a process that starts later
        for path in ["/api/v2/account", "/api/v1/sets", "/api/admin/accounts"] {
            let reply = first.send(&Call::new("GET", path).key(&holder.key));
            assert_eq!((reply.status, reply.code()), refused, "{path}");
        }
        let third = Service::on(database);
        assert_eq!(parse(&third, &holder), refused);
        third.stop();
        // who does not have the whole key learns nothing
        let mut guess = holder.key.clone();
        guess.replace_range(
            guess.len() - 1..,
            if guess.ends_with('x') { "y" } else { "x" },
        );
        let guessed = first.send(&Call::parse(&guess, one_title()));
        assert_eq!(
            (guessed.status, guessed.code()),
            (401, "invalid_key".to_owned())
        );
        assert_eq!(parse(&first, &other).0, 200);
        // the leases of both processes are given back, and refusals cost nothing
        second.charged(&holder);
        assert_eq!(first.charged(&holder), 3 + late);
        let again = set(&first, &holder, "suspended").json();
        assert_eq!(
            again["data"]["suspendedAt"],
            suspended["data"]["suspendedAt"]
        );
        // an administrator may make a key meanwhile; it works afterwards
        let path = format!("/accounts/{}/keys", holder.id);
        let made = first.ask("POST", &path, &json!({"name": "later"}));
        assert_eq!(made.status, 201, "{made:?}");
        let active = set(&first, &holder, "active").json();
        assert_eq!(active["data"]["suspendedAt"], Value::Null);
        assert_eq!(parse(&first, &holder).0, 200);
        let after = becomes(&second, &holder, 200, "");
        second.charged(&holder);
        assert_eq!(first.charged(&holder), 4 + late + after);
        let deeds = first
            .runtime()
            .block_on(first.server().app.store.audit(0, 100))
            .expect("it answers");
        let of_status: Vec<_> = deeds
            .iter()
            .filter(|row| row.account == Some(holder.id) && row.deed.ends_with("account"))
            .map(|row| (row.deed.as_str(), row.detail.as_str()))
            .collect();
        assert_eq!(
            of_status,
            [
                ("create account", "site"),
                ("suspend account", "unpaid"),
                ("resume account", "unpaid")
            ]
        );
        assert!(deeds.iter().skip(1).all(|row| row.by != Actor::Operator));
        first.stop();
        second.stop();
    });
}

/// A request that was admitted ends as it would have, and is charged.
#[test]
fn request_under_way_is_answered_and_charged() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "api");
        let titles: Vec<String> = (1..=600).map(|n| format!("Pikachu {n}/102")).collect();
        let body = json!({ "titles": titles }).to_string();
        let reply = std::thread::scope(|scope| {
            let asked = scope.spawn(|| service.send(&Call::parse(&holder.key, body)));
            // its credits are leased before it is answered
            let began = Instant::now();
            while service.used(&holder) == (0, 0) && began.elapsed() < Duration::from_secs(30) {
                std::thread::yield_now();
            }
            assert_eq!(set(&service, &holder, "suspended").status, 200);
            asked.join().expect("it is answered")
        });
        assert_eq!(reply.status, 200);
        assert_eq!(service.charged(&holder), 600);
        assert_eq!(parse(&service, &holder).0, 403);
        service.stop();
    });
}

/// A closed account has no key that works, gets none, and stays closed; its name, usage and record
/// are kept.
#[test]
fn closed_account_keeps_what_accounting_needs() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "api");
        let path = format!("/accounts/{}", holder.id);
        let second = service.ask("POST", &format!("{path}/keys"), &json!({"name": "second"}));
        assert_eq!(second.status, 201);
        let revoked = second.json()["data"]["id"]
            .as_i64()
            .expect("it has a number");
        let gone = service.ask("DELETE", &format!("/keys/{revoked}"), &Value::Null);
        assert_eq!(gone.status, 200);
        let before = keys(&service, &holder);
        assert_eq!(parse(&service, &holder).0, 200);
        let other = Service::on(database);
        assert_eq!(parse(&other, &holder).0, 200);
        let later = service.clock.now().millis() + 1_000;
        service
            .clock
            .set(titledex_server::clock::Moment::from_millis(later));
        assert_eq!(set(&service, &holder, "suspended").status, 200);
        let closed = set(&service, &holder, "closed");
        assert_eq!(closed.json()["data"]["status"], "closed");
        assert_eq!(parse(&service, &holder), (401, "invalid_key".to_owned()));
        let late = becomes(&other, &holder, 401, "invalid_key");
        let after = keys(&service, &holder);
        assert_eq!(after.len(), 2);
        assert_eq!(after[0].revoked, Some(later));
        // one that was revoked before keeps its moment
        assert_eq!(after[1], before[1]);
        // what would change it is refused, and closing it again changes nothing
        for status in ["active", "suspended"] {
            assert_eq!(set(&service, &holder, status).code(), "account_closed");
        }
        assert_eq!(set(&service, &holder, "closed").text(), closed.text());
        let key = service.ask("POST", &format!("{path}/keys"), &json!({"name": "third"}));
        assert_eq!((key.status, key.code().as_str()), (409, "account_closed"));
        let plan = service.ask("PUT", &format!("{path}/plan"), &json!({"plan": "free"}));
        assert_eq!((plan.status, plan.code().as_str()), (409, "account_closed"));
        let body = json!({"name": "site", "plan": "free"});
        assert_eq!(service.ask("POST", "/accounts", &body).code(), "name_taken");
        // its usage is there, without what was leased and not spent
        other.charged(&holder);
        assert_eq!(service.charged(&holder), 2 + late);
        let usage = service.ask("GET", &format!("{path}/usage"), &Value::Null);
        assert_eq!(usage.json()["data"][0]["creditsUsed"], 2 + late);
        for body in [
            json!({"status": "gone"}),
            json!({}),
            json!({"status": "closed", "reason": " "}),
        ] {
            let reply = service.ask("PUT", &format!("{path}/status"), &body);
            assert_eq!(reply.status, 400, "{body}");
        }
        let missing = service.ask("PUT", "/accounts/77/status", &json!({"status": "closed"}));
        assert_eq!(missing.status, 404);
        other.stop();
        service.stop();
    });
}
