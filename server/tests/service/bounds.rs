//! One caller does not take the service from the others: heads, connections, bodies and answers are
//! bounded, and HTTP is read strictly.

use crate::client::Call;
use crate::hostile::{head, lives, wait_for, whole};
use crate::support::{Database, Service, on_each_database, one_title, printed};
use crate::wire::{Wire, connected, status};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use titledex::Options;
use titledex_server::config::Settings;

/// A connection from another address of this computer.
fn from(source: &str, to: SocketAddr) -> TcpStream {
    let stream = connected(to, |socket| {
        let source = format!("{source}:0").parse().expect("it is an address");
        socket.bind(source).expect("all of 127.0.0.0/8 is here");
    });
    let timeout = Some(Duration::from_secs(20));
    stream.set_read_timeout(timeout).expect("it can be set");
    stream
}

/// Whether `GET /healthz` is answered over this connection.
fn is_served(stream: &mut TcpStream) -> bool {
    let sent = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    let mut part = [0; 1024];
    sent.is_ok()
        && stream
            .read(&mut part)
            .is_ok_and(|read| part[..read].starts_with(b"HTTP/1.1 200"))
}

/// A head of up to 16 KiB is read; a longer one is refused, also before it is whole.
#[test]
fn head_is_at_most_16_kib() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    let of = |length: usize| {
        let begin = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Long: ";
        format!("{begin}{}\r\n\r\n", "y".repeat(length - begin.len() - 4))
    };
    for (length, wanted) in [(16_384, 200), (16_385, 431), (20_000, 431), (60_000, 431)] {
        let answer = Wire::sent(service.address, of(length)).rest();
        assert_eq!(status(&answer), Some(wanted), "{length}: {answer}");
    }
    let mut slow = Wire::open(service.address);
    for _ in 0..17 {
        slow.send("X".repeat(1_000));
    }
    let answer = slow.rest();
    // what is no request line is 400, and no later than its bound
    assert!(matches!(status(&answer), Some(400 | 431)), "{answer}");
    let mut slow = Wire::sent(service.address, &of(30_000)[..16_000]);
    assert!(slow.is_silent());
    slow.send("y".repeat(400));
    assert_eq!(status(&slow.rest()), Some(431));
    lives(&service, &holder);
}

/// Beyond the bound, connections of an address are closed, and those of others are served. Trusted
/// proxies are not counted.
#[test]
fn connections_of_an_address_are_bounded() {
    for trusted in [false, true] {
        let database = Database::sqlite();
        let service = Service::with(&database, |settings| {
            let proxies = if trusted {
                "trusted = ['127.0.0.1']"
            } else {
                ""
            };
            let file = format!("[limits]\naddress-connections = 4\n[proxies]\n{proxies}\n");
            let read = Settings::parse(&file).expect("it is right");
            (settings.limits, settings.proxies) = (read.limits, read.proxies);
        });
        let mut held: Vec<_> = (0..4).map(|_| from("127.0.0.1", service.address)).collect();
        assert!(held.iter_mut().all(is_served));
        assert_eq!(is_served(&mut from("127.0.0.1", service.address)), trusted);
        assert!(is_served(&mut from("127.0.0.2", service.address)));
        held.pop();
        let again = (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            is_served(&mut from("127.0.0.1", service.address))
        });
        assert!(again);
    }
}

/// Slow bodies of one account, more than all requests that are answered at once: others are
/// answered, and then the account itself.
#[test]
fn slow_bodies_hold_no_place_of_others() {
    on_each_database(|database| {
        let service = Service::with(database, |settings| {
            settings.limits.requests = 40;
            // longer than a busy machine takes to open all connections
            settings.limits.request_time = Duration::from_secs(60);
        });
        let (slow, other) = (
            service.account("slow", "api"),
            service.account("other", "free"),
        );
        let begun = head(&slow, "Content-Length: 1000\r\n\r\n{");
        let held: Vec<_> = (0..60)
            .map(|_| Wire::sent(service.address, &begun))
            .collect();
        wait_for(&service, "titledex_http_requests_in_flight", 61);
        for _ in 0..20 {
            lives(&service, &other);
        }
        drop(held);
        lives(&service, &slow);
        assert_eq!(service.charged(&slow), 1);
        service.stop();
    });
}

/// The answer to a batch that is large comes in pieces, and is the same; what is not taken is
/// refunded.
#[test]
fn large_answer_of_a_batch_is_streamed() {
    on_each_database(|database| {
        let service = Service::with(database, |settings| {
            settings.limits.write_time = Duration::from_secs(1);
        });
        let holder = service.account("site", "api");
        // an answer to it has nearly 256 KiB
        let long = "M3".repeat(2_000);
        let titles = [&[""][..], &[long.as_str(); 11]].concat();
        let body = json!({ "titles": titles }).to_string();
        let reply = service.send(&Call::parse(&holder.key, body.clone()));
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("transfer-encoding"), Some("chunked"));
        // 4,000 bytes cost four credits
        assert_eq!(reply.number("x-ratelimit-cost"), 4 * 11);
        let read = reply.json();
        let items = read["data"].as_array().expect("it is a list");
        assert_eq!(items.len(), 12);
        assert_eq!(items[0]["error"]["code"], "empty_title");
        let wanted: serde_json::Value =
            serde_json::from_str(&printed(&long, &Options::default())).expect("it is JSON");
        assert!(items[1..].iter().all(|item| *item == wanted));
        let metadata = &read["metadata"];
        assert_eq!(
            (&metadata["count"], &metadata["errors"]),
            (&json!(12), &json!(1))
        );
        assert_eq!(metadata["apiCallsConsumed"]["total"], 4 * 11);
        let mut reader = Wire::narrow(service.address);
        let titles = vec![long.as_str(); 200];
        let body = json!({ "titles": titles }).to_string();
        reader.send(head(
            &holder,
            &format!("Content-Length: {}\r\n\r\n{body}", body.len()),
        ));
        assert_eq!(status(&reader.some()), Some(200));
        wait_for(&service, "titledex_http_connections", 1);
        drop(reader);
        let charged = service.charged(&holder);
        assert!((4 * 12..4 * 210).contains(&charged), "{charged}");
        service.stop();
    });
}

/// What proxies differ on is refused, so that none of them is led to see other requests than the
/// service.
#[test]
fn ambiguous_requests_are_refused() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "api");
    let key = &holder.key;
    let body = one_title();
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let plain = "GET /healthz HTTP/1.1\r\nConnection: close\r\n";
    let cases = [
        format!("{plain}\r\n"),
        format!("{plain}Host: a\r\nHost: b\r\n\r\n"),
        format!("{plain}Host: evil\"<x>\r\n\r\n"),
        format!("{plain}Host: user@a\r\n\r\n"),
        head(
            &holder,
            &format!(
                "Authorization: Bearer {key}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            ),
        ),
        head(
            &holder,
            &format!("Transfer-Encoding: gzip, chunked\r\n\r\n{chunked}"),
        ),
        head(
            &holder,
            &format!("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n{chunked}"),
        ),
        "GET /healthz HTTP/1.1\nHost: x\n\n".to_owned(),
        "GET /healthz HTTP/1.1\r\nHost: x\n\r\n".to_owned(),
        "GET /healthz HTTP/1.1\r\nHost: x\r\n\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(),
    ];
    for request in cases {
        let answer = Wire::sent(service.address, &request).rest();
        assert_eq!(status(&answer), Some(400), "{request:?}: {answer}");
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    }
    // a request behind others, whose bodies were held together with it
    let late = format!(
        "{}{}GET /healthz HTTP/1.1\nHost: x\r\n\r\n",
        whole(&holder),
        whole(&holder)
    );
    let answer = Wire::sent(service.address, late).rest();
    assert_eq!(answer.matches("HTTP/1.1 200").count(), 2, "{answer}");
    assert_eq!(answer.matches("HTTP/1.1 400").count(), 1, "{answer}");
    // chunks are known, and end the connection
    let right = head(
        &holder,
        &format!(
            "Transfer-Encoding: chunked\r\n\r\n{chunked}{}",
            whole(&holder)
        ),
    );
    let answer = Wire::sent(service.address, right).rest();
    assert_eq!(answer.matches("HTTP/1.1 200").count(), 1, "{answer}");
    assert!(answer.contains("connection: close"));
    // HTTP/1.0 knows no Host
    let old = Wire::sent(service.address, "GET /healthz HTTP/1.0\r\n\r\n").rest();
    assert_eq!(status(&old), Some(200), "{old}");
    lives(&service, &holder);
    assert_eq!(service.charged(&holder), 4);
}

/// A query whose bytes are not UTF-8 is refused, and not read as something else.
#[test]
fn query_that_is_not_utf8_is_refused() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "api");
    for path in [
        "/api/v2/cards?search=%ff",
        "/api/v2/cards?limit=1&search=a%C3",
        "/api/v2/cards?%ff=1",
        "/api/v1/prices?name=%c3%28",
        "/api/v2/account/usage?days=%ed%a0%80",
        "/search?q=%ff",
        "/exports/cards-5.csv.gz?expires=1&signature=%FF",
    ] {
        let reply = service.send(&Call::new("GET", path).key(&holder.key));
        let met = (reply.status, reply.code());
        assert_eq!(met, (400, "invalid_query".to_owned()), "{path}");
    }
    for path in [
        "/api/v2/sets?search=pok%C3%A9mon",
        "/api/v2/sets?search=100%",
        "/search?q=%E3%83%94%E3%82%AB%E3%83%81%E3%83%A5%E3%82%A6",
    ] {
        let reply = service.send(&Call::new("GET", path).key(&holder.key));
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
    }
}

/// A body of JSON that says it is compressed is refused as such, whatever its bytes are.
#[test]
fn compressed_json_is_refused() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    let coded = |coding: &str| {
        let call = Call::parse(&holder.key, one_title()).header("Content-Encoding", coding);
        service.send(&call)
    };
    for right in ["identity", "Identity", "", "identity, identity"] {
        assert_eq!(coded(right).status, 200, "{right}");
    }
    for wrong in ["gzip", "br", "identity, gzip", "utf-8"] {
        let refused = coded(wrong);
        assert_eq!(
            (refused.status, refused.code().as_str()),
            (415, "unsupported_media_type"),
            "{wrong}"
        );
        assert!(refused.text().contains("uncompressed"), "{refused:?}");
    }
    assert_eq!(service.charged(&holder), 4);
}

/// What names the service's own address names that of the settings, which may be kept; else that of
/// the caller, which may not, by HTTPS if a trusted proxy says so.
#[test]
fn links_lead_to_the_address_of_the_settings_or_of_the_caller() {
    let settings = |text: &str| Settings::parse(text).expect("it is right");
    let cases = [
        ("", "http://shop.example", "no-store"),
        (
            "[proxies]\ntrusted = ['127.0.0.1']",
            "https://shop.example",
            "no-store",
        ),
        (
            "[exports]\nbase-url = 'https://prices.example/'",
            "https://prices.example",
            "max-age=3600",
        ),
    ];
    for (text, address, caching) in cases {
        let database = Database::sqlite();
        let service = Service::with(&database, |changed| {
            let read = settings(text);
            changed.proxies = read.proxies;
            changed.exports.storage.base_url = read.exports.storage.base_url;
        });
        for (path, wanted) in [
            ("/robots.txt", format!("Sitemap: {address}/sitemap.xml\n")),
            ("/sitemap.xml", format!("<loc>{address}/docs</loc>")),
        ] {
            let request = format!(
                "GET {path} HTTP/1.1\r\nHost: shop.example\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n"
            );
            let answer = Wire::sent(service.address, request).rest();
            assert!(answer.contains(&wanted), "{text}: {answer}");
            let caching = format!("cache-control: {caching}\r\n");
            assert!(answer.contains(&caching), "{text}: {answer}");
        }
        service.stop();
    }
}

/// A body that is refused before it was read: its caller, who first sends all of it, still gets the
/// answer.
#[test]
fn caller_that_still_sends_gets_its_answer() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    let body = " ".repeat(24 * 1024 * 1024);
    let large = service.send(&Call::parse(&holder.key, body));
    assert_eq!(
        (large.status, large.code().as_str()),
        (413, "body_too_large")
    );
    let body = " ".repeat(6 * 1024 * 1024);
    for _ in 0..5 {
        let large = service.send(&Call::parse(&holder.key, body.clone()));
        assert_eq!(
            (large.status, large.code().as_str()),
            (413, "body_too_large")
        );
        let unknown = service.send(&Call::parse("nonsense", body.clone()));
        assert_eq!(
            (unknown.status, unknown.code().as_str()),
            (401, "invalid_key")
        );
    }
    lives(&service, &holder);
}
