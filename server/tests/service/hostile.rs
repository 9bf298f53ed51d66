//! Hostile callers get an error or are dropped; others are answered and no account is charged.

use crate::client::Call;
use crate::support::{Holder, NOON, Service, TITLE, on_each_database, one_title};
use crate::watched::{metrics, value};
use crate::wire::{Wire, status};
use serde_json::json;
use std::time::Duration;
use titledex_server::clock::Moment;
use titledex_server::config::Settings;

/// The head of a request for parse-title that goes on with whatever a test adds.
pub(crate) fn head(holder: &Holder, more: &str) -> String {
    let key = &holder.key;
    format!(
        "POST /api/v2/parse-title HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n{more}"
    )
}

/// A request in whose place the next one may come.
pub(crate) fn whole(holder: &Holder) -> String {
    let body = one_title();
    head(
        holder,
        &format!("Content-Length: {}\r\n\r\n{body}", body.len()),
    )
}

/// It still answers.
pub(crate) fn lives(service: &Service, holder: &Holder) {
    assert_eq!(
        service.send(&Call::parse(&holder.key, one_title())).status,
        200
    );
}

fn patient(settings: &mut Settings) {
    settings.limits.header_time = Duration::from_secs(1);
    settings.limits.request_time = Duration::from_secs(1);
    settings.limits.write_time = Duration::from_secs(1);
}

/// One of the service's own counts.
pub(crate) fn count(service: &Service, name: &str) -> i64 {
    let value = value(&metrics(service), name);
    value.parse().expect("it is a whole number")
}

/// Waits until a count is `wanted`.
pub(crate) fn wait_for(service: &Service, name: &str, wanted: i64) {
    for _ in 0..10_000 {
        if count(service, name) == wanted {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{name} does not become {wanted}");
}

/// A head that arrives slowly and never ends, and a silent connection, even after an answer.
#[test]
fn incomplete_head_times_out() {
    let database = crate::support::Database::sqlite();
    let service = Service::with(&database, patient);
    let holder = service.account("site", "free");
    let silent = Wire::open(service.address);
    let kept = Wire::sent(service.address, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    let mut slow = Wire::sent(service.address, head(&holder, ""));
    while slow.send("X-More: 1\r\n") {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_ne!(status(&silent.rest()), Some(200));
    let kept = kept.rest();
    assert_eq!(
        (status(&kept), kept.matches("HTTP/1.1").count()),
        (Some(200), 1),
        "{kept}"
    );
    lives(&service, &holder);
    assert_eq!(service.charged(&holder), 1);
}

/// A body that comes byte by byte: 503, and nothing is charged.
#[test]
fn incomplete_body_times_out() {
    on_each_database(|database| {
        let service = Service::with(database, patient);
        let holder = service.account("site", "free");
        for length in [
            "Content-Length: 100000\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n",
        ] {
            let mut slow = Wire::sent(service.address, head(&holder, length));
            for _ in 0..5 {
                slow.send(if length.starts_with('C') {
                    "{"
                } else {
                    "1\r\n{\r\n"
                });
            }
            let answer = slow.rest();
            assert_eq!(status(&answer), Some(503), "{answer}");
            assert!(
                answer.contains("\"code\":\"timeout\"") && answer.contains("x-ratelimit-cost: 0"),
                "{answer}"
            );
        }
        lives(&service, &holder);
        assert_eq!(service.charged(&holder), 1);
        service.stop();
    });
}

/// If a reader stops reading or goes away, the connection ends and unwritten titles are refunded.
#[test]
fn unread_answers_of_a_stream_are_refunded() {
    on_each_database(|database| {
        let service = Service::with(database, |settings| {
            settings.limits.write_time = Duration::from_secs(1);
        });
        for goes in [true, false] {
            let holder = service.account(if goes { "goes" } else { "stays" }, "api");
            // far more than the system keeps for a reader
            let body = json!({"titles": vec!["Pikachu"; 1_000], "options": {"maxSuggestions": 50}})
                .to_string();
            let more = format!(
                "Accept: application/x-ndjson\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            let mut reader = Wire::narrow(service.address);
            reader.send(head(&holder, &more));
            assert_eq!(status(&reader.some()), Some(200));
            let kept = (!goes).then_some(reader);
            // the one that asks is the only one left
            wait_for(&service, "titledex_http_connections", 1);
            drop(kept);
            let charged = service.charged(&holder);
            assert!(charged > 0 && charged < 1_000, "{charged}");
            assert!(count(&service, "titledex_credits_refunded_total") > 0);
            let left = service.send(&Call::new("GET", "/api/v2/account").key(&holder.key));
            assert_eq!(left.number("x-ratelimit-daily-remaining"), 20_000 - charged);
        }
        service.stop();
    });
}

/// A body beyond the limit: refused by what it announces, or as soon as it is too long.
#[test]
fn oversize_body_is_refused() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    for length in ["1048577", "99999999999", "18446744073709551615"] {
        let answer = Wire::sent(
            service.address,
            head(&holder, &format!("Content-Length: {length}\r\n\r\n")),
        )
        .rest();
        // the largest does not fit an integer
        assert_eq!(
            status(&answer),
            Some(if length.len() < 20 { 413 } else { 431 }),
            "{length}: {answer}"
        );
    }
    let mut chunked = Wire::sent(
        service.address,
        head(&holder, "Transfer-Encoding: chunked\r\n\r\n"),
    );
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    for _ in 0..17 {
        chunked.send(&chunk);
    }
    let answer = chunked.rest();
    assert_eq!(status(&answer), Some(413), "{answer}");
    assert!(answer.contains("body_too_large"));
    lives(&service, &holder);
    assert_eq!(service.charged(&holder), 1);
}

/// Many headers, a long one, a long path.
#[test]
fn too_many_headers_are_refused() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    let many: String = (0..500).map(|at| format!("X-{at}: y\r\n")).collect();
    let long = format!("X-Long: {}\r\n", "y".repeat(200_000));
    let path = format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "y".repeat(200_000));
    for (request, wanted) in [
        (head(&holder, &format!("{many}\r\n")), 431),
        (head(&holder, &format!("{long}\r\n")), 431),
        (path, 414),
    ] {
        let answer = Wire::sent(service.address, request).rest();
        // if the server ended the connection before all was sent, its answer may be lost on the way
        assert!(
            status(&answer).is_none_or(|status| status == wanted || status == 431 || status == 400),
            "{wanted}: {answer}"
        );
    }
    lives(&service, &holder);
}

/// Bytes that are not HTTP are refused or dropped, and the next caller is answered.
#[test]
fn invalid_http_is_refused() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    let two_lengths = head(&holder, "Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}");
    let spaced = head(&holder, "Content-Length : 2\r\n\r\n{}");
    let cases: [&[u8]; 14] = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\0y\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x10\r\n\r\n",
        two_lengths.as_bytes(),
        spaced.as_bytes(),
    ];
    for bytes in cases {
        let wire = Wire::sent(service.address, bytes);
        wire.end_sending();
        let answer = wire.rest();
        assert!(
            status(&answer).is_none_or(|status| status == 400 || status == 404 || status == 505),
            "{bytes:?}: {answer}"
        );
    }
    // a chunk that lies about its length
    let lying = Wire::sent(
        service.address,
        head(
            &holder,
            "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n",
        ),
    )
    .rest();
    assert!(status(&lying).is_none_or(|status| status == 400), "{lying}");
    // one that goes away in the middle of its body
    let cut = Wire::sent(
        service.address,
        head(&holder, "Content-Length: 100\r\n\r\n{\"title\":"),
    );
    cut.end_sending();
    assert!(status(&cut.rest()).is_none_or(|status| status == 400));
    lives(&service, &holder);
    assert_eq!(service.charged(&holder), 1);
}

/// Pipelined requests are answered in order and charged; garbage after them ends the connection.
#[test]
fn garbage_after_requests_is_not_answered() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "api");
        let answers = Wire::sent(
            service.address,
            format!("{}\0nonsense\r\n\r\n", whole(&holder).repeat(20)),
        )
        .rest();
        assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 20, "{answers}");
        assert_eq!(answers.matches("HTTP/1.1 ").count(), 21);
        assert_eq!(answers.matches("HTTP/1.1 400").count(), 1);
        assert_eq!(service.charged(&holder), 20);
        service.stop();
    });
}

/// A caller that sends all, and then nothing more: answered and charged, or neither.
#[test]
fn half_closed_connection_is_charged_for_its_answer() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "api");
        let mut answered = 0;
        for _ in 0..20 {
            let wire = Wire::sent(service.address, whole(&holder));
            wire.end_sending();
            answered += i64::from(status(&wire.rest()) == Some(200));
        }
        assert_eq!(service.charged(&holder), answered);
        service.stop();
    });
}

/// Beyond the bound, connections wait until one ends.
#[test]
fn connections_are_limited() {
    let database = crate::support::Database::sqlite();
    let service = Service::with(&database, |settings| settings.limits.connections = 4);
    let holder = service.account("site", "free");
    let mut held: Vec<_> = (0..4).map(|_| Wire::open(service.address)).collect();
    // each of the four is being served: it is answered
    for wire in &mut held {
        wire.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
        assert_eq!(status(&wire.some()), Some(200));
    }
    let mut fifth = Wire::sent(service.address, whole(&holder));
    assert!(fifth.is_silent());
    held.pop();
    assert_eq!(status(&fifth.some()), Some(200));
}

/// Beyond the bound, requests get 503 and are not charged; health and metrics are answered.
#[test]
fn concurrent_requests_are_limited() {
    on_each_database(|database| {
        let service = Service::with(database, |settings| settings.limits.requests = 2);
        let holder = service.account("site", "free");
        let body = one_title();
        let (first, rest) = body.split_at(4);
        let begun = head(
            &holder,
            &format!(
                "Connection: close\r\nContent-Length: {}\r\n\r\n{first}",
                body.len()
            ),
        );
        let mut busy: Vec<_> = (0..2)
            .map(|_| Wire::sent(service.address, &begun))
            .collect();
        // a request in flight may still wait for its account
        wait_for(&service, "titledex_http_request_places_taken", 2);
        let refused = service.send(&Call::parse(&holder.key, one_title()));
        assert_eq!(
            (
                refused.status,
                refused.code().as_str(),
                refused.number("retry-after")
            ),
            (503, "overloaded", 1)
        );
        assert_eq!(refused.number("x-ratelimit-cost"), 0);
        assert_eq!(service.send(&Call::new("GET", "/healthz")).status, 200);
        assert_eq!(service.send(&Call::new("GET", "/readyz")).status, 200);
        for wire in &mut busy {
            wire.send(rest);
        }
        for wire in busy {
            assert_eq!(status(&wire.rest()), Some(200));
        }
        lives(&service, &holder);
        assert_eq!(service.charged(&holder), 3);
        service.stop();
    });
}

/// After a number of wrong keys in a minute an address gets 429. Right keys are still accepted.
#[test]
fn wrong_keys_are_limited() {
    on_each_database(|database| {
        let service = Service::with(database, |settings| settings.limits.wrong_keys = 5);
        let holder = service.account("site", "free");
        let wrong: Vec<String> = (0..5)
            .map(|at| format!("{}{at}", &holder.key[..holder.key.len() - 1]))
            .filter(|key| *key != holder.key)
            .collect();
        let guesses = [
            "nonsense".to_owned(),
            holder.key.replace("live", "admin"),
            format!("td_live_{}_{}", "A".repeat(10), "B".repeat(43)),
        ];
        for (at, key) in guesses.iter().chain(&wrong).chain(&guesses).enumerate() {
            let reply = service.send(&Call::parse(key, one_title()));
            assert_eq!(reply.status, if at < 5 { 401 } else { 429 }, "{at}");
            if at >= 5 {
                assert_eq!(
                    (reply.code().as_str(), reply.number("retry-after")),
                    ("too_many_wrong_keys", 50)
                );
            }
        }
        lives(&service, &holder);
        // without a key nothing is guessed
        assert_eq!(
            service
                .send(&Call::new("POST", "/api/v2/parse-title"))
                .status,
            401
        );
        service.clock.set(Moment::from_millis(NOON + 60_000));
        assert_eq!(
            service.send(&Call::parse("nonsense", one_title())).status,
            401
        );
        service.stop();
    });
}

/// Behind a trusted proxy each caller is counted apart. No other address is trusted.
#[test]
fn wrong_keys_are_counted_by_caller_address() {
    for trusted in [true, false] {
        let database = crate::support::Database::sqlite();
        let service = Service::with(&database, |settings| {
            let trusted = if trusted { "'127.0.0.0/8'" } else { "" };
            let text = format!("[limits]\nwrong-keys = 1\n[proxies]\ntrusted = [{trusted}]\n");
            let read = Settings::parse(&text).expect("it is right");
            (settings.limits, settings.proxies) = (read.limits, read.proxies);
        });
        let guess = |from: &str| {
            service
                .send(&Call::parse("nonsense", one_title()).header("X-Forwarded-For", from))
                .status
        };
        let seen = [
            guess("192.0.2.1"),
            guess("192.0.2.1"),
            guess("192.0.2.2"),
            guess("9.9.9.9, 192.0.2.2"),
        ];
        assert_eq!(
            seen,
            if trusted {
                [401, 429, 401, 429]
            } else {
                [401, 429, 429, 429]
            }
        );
    }
}

/// Limits: keys that a holder makes and revokes in a day, requests for the account in a minute.
#[test]
fn keys_made_a_day_are_limited() {
    on_each_database(|database| {
        let service = Service::with(database, |settings| {
            settings.limits.keys_a_day = 4;
            settings.limits.account_calls = 9;
        });
        let holder = service.account("site", "api");
        let make = || {
            service.send(
                &Call::new("POST", "/api/v2/account/keys")
                    .key(&holder.key)
                    .json(json!({"name": "another"}).to_string()),
            )
        };
        for _ in 0..3 {
            let made = make();
            assert_eq!(made.status, 201);
            let path = format!("/api/v2/account/keys/{}", made.json()["data"]["id"]);
            assert_eq!(
                service
                    .send(&Call::new("DELETE", path).key(&holder.key))
                    .status,
                200
            );
        }
        let refused = make();
        assert_eq!(
            (
                refused.status,
                refused.code().as_str(),
                refused.number("retry-after")
            ),
            (429, "key_limit", 43_200 - 10)
        );
        service.clock.set(Moment::from_millis(NOON + 86_400_000));
        assert_eq!(make().status, 201);
        let asked: Vec<_> = (0..9)
            .map(|_| service.send(&Call::new("GET", "/api/v2/account").key(&holder.key)))
            .collect();
        assert!(asked[..8].iter().all(|reply| reply.status == 200));
        assert_eq!(
            (
                asked[8].status,
                asked[8].code().as_str(),
                asked[8].number("retry-after")
            ),
            (429, "account_limit", 50)
        );
        lives(&service, &holder);
        let by_admin = service.ask(
            "POST",
            &format!("/accounts/{}/keys", holder.id),
            &json!({"name": TITLE}),
        );
        assert_eq!(by_admin.status, 201);
        service.stop();
    });
}
