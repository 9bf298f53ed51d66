//! Logs and metrics for operators, and headers for browsers.

use crate::client::{Call, Reply};
use crate::support::{Service, one_title};
use crate::wire::{Wire, status};
use serde_json::json;
use titledex_server::config::Settings;

/// What `/metrics` says.
pub(crate) fn metrics(service: &Service) -> String {
    let reply = service.send(&Call::new("GET", "/metrics").key(&service.admin));
    assert_eq!(
        (reply.status, reply.header("content-type")),
        (200, Some("text/plain; version=0.0.4; charset=utf-8"))
    );
    reply.text().to_owned()
}

/// The value of the line that begins so.
pub(crate) fn value(text: &str, line: &str) -> String {
    let found = text
        .lines()
        .find_map(|of| of.strip_prefix(line)?.strip_prefix(' '));
    found
        .unwrap_or_else(|| panic!("no {line} in {text}"))
        .to_owned()
}

/// "Prometheus /metrics (latency histogram by route and outcome, credits, catalogue version)",
/// exact, and well-formed.
#[test]
fn metrics_count_requests_credits_and_leases() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    for _ in 0..3 {
        assert_eq!(
            service.send(&Call::parse(&holder.key, one_title())).status,
            200
        );
    }
    assert_eq!(service.send(&Call::parse(&holder.key, "{}")).status, 400);
    assert_eq!(
        service.send(&Call::parse("nonsense", one_title())).status,
        401
    );
    assert_eq!(
        service
            .send(&Call::parse(
                &holder.key,
                json!({"titles": vec!["x"; 98]}).to_string()
            ))
            .status,
        429
    );
    assert_eq!(service.send(&Call::new("GET", "/secret/title")).status, 404);
    let text = metrics(&service);
    let answered = |status: u16| {
        let labels = format!("route=\"/api/v2/parse-title\",method=\"POST\",status=\"{status}\"");
        (
            value(
                &text,
                &format!("titledex_http_request_duration_seconds_count{{{labels}}}"),
            ),
            value(
                &text,
                &format!("titledex_http_request_duration_seconds_bucket{{{labels},le=\"+Inf\"}}"),
            ),
        )
    };
    assert_eq!(
        [
            answered(200).0,
            answered(400).0,
            answered(401).0,
            answered(429).0
        ],
        ["3", "1", "1", "1"]
    );
    assert_eq!(answered(200).1, "3");
    let none = "titledex_http_request_duration_seconds_count{route=\"none\",method=\"GET\",status=\"404\"}";
    assert_eq!(value(&text, none), "1");
    for (name, wanted) in [
        ("titledex_credits_charged_total", "3"),
        ("titledex_credits_refunded_total", "0"),
        ("titledex_charges_refused_total", "1"),
        ("titledex_wrong_keys_total", "1"),
        ("titledex_store_errors_total", "0"),
        ("titledex_http_requests_in_flight", "1"),
        ("titledex_http_request_places_taken", "0"),
    ] {
        assert_eq!(value(&text, name), wanted, "{name}");
    }
    assert!(
        value(&text, "titledex_catalogue_cards")
            .parse::<u32>()
            .is_ok_and(|cards| cards > 50_000)
    );
    assert!(
        text.contains(&format!(
            "titledex_info{{catalogue=\"{}\"",
            service.server().app.reader.now().version
        )),
        "{text}"
    );
    assert!(
        value(&text, "process_resident_memory_bytes")
            .parse::<u64>()
            .is_ok_and(|bytes| bytes > 1 << 20)
    );
    assert!(!text.contains("secret"));
    // each line is a comment, or a name with labels and a number; each name is explained once,
    // before its values
    let mut explained = Vec::new();
    for line in text.lines() {
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let name = kind.split(' ').next().expect("it is named");
            assert!(!explained.contains(&name), "{name}");
            explained.push(name);
        } else if !line.starts_with("# HELP ") {
            let (name, number) = line.rsplit_once(' ').expect("it has a value");
            assert!(number.parse::<f64>().is_ok(), "{line}");
            let name = name.split('{').next().expect("it is named");
            let base = ["_bucket", "_sum", "_count"]
                .iter()
                .find_map(|end| name.strip_suffix(end))
                .unwrap_or(name);
            assert!(
                explained
                    .last()
                    .is_some_and(|last| *last == base || *last == name),
                "{line}"
            );
        }
    }
}

/// Metrics need an administrator's key, or the address that is set for them.
#[test]
fn metrics_need_an_administrators_key() {
    let database = crate::support::Database::sqlite();
    let service = Service::with(&database, |settings| {
        settings.metrics_listen = Some("127.0.0.1:0".to_owned())
    });
    let holder = service.account("site", "free");
    assert_eq!(
        service.send(&Call::new("GET", "/metrics")).code(),
        "missing_key"
    );
    assert_eq!(
        service
            .send(&Call::new("GET", "/metrics").key(&holder.key))
            .code(),
        "wrong_role"
    );
    let address = service.server().metrics_address.expect("it listens there");
    let answer = Wire::sent(
        address,
        "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    )
    .rest();
    assert!(
        status(&answer) == Some(200) && answer.contains("titledex_credits_charged_total 0"),
        "{answer}"
    );
    let other = Wire::sent(
        address,
        "GET /api/admin/plans HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    )
    .rest();
    assert_eq!(status(&other), Some(404), "{other}");
    service.stop();
}

/// Every answer binds browsers, errors and health among them.
#[test]
fn every_answer_has_security_headers() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    let calls = [
        Call::parse(&holder.key, one_title()),
        Call::parse(&holder.key, "{"),
        Call::parse(&holder.key, json!({"titles": ["x"]}).to_string())
            .header("Accept", "application/x-ndjson"),
        Call::parse("nonsense", one_title()),
        Call::new("GET", "/healthz"),
        Call::new("GET", "/nothing"),
        Call::new("GET", "/api/admin/plans").key(&service.admin),
        Call::new("DELETE", "/api/v2/account/keys/%ff").key(&holder.key),
        Call::new("GET", "/metrics"),
    ];
    for call in calls {
        let reply = service.send(&call);
        for (name, wanted) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("x-frame-options", "DENY"),
            ("cache-control", "no-store"),
            (
                "content-security-policy",
                "default-src 'none'; frame-ancestors 'none'",
            ),
        ] {
            assert_eq!(
                reply.header(name),
                Some(wanted),
                "{name} of {} {}",
                call.method,
                call.path
            );
        }
        assert!(
            !reply
                .headers
                .iter()
                .any(|(name, _)| name.starts_with("access-control") || name == "server")
        );
    }
}

/// A request id is the caller's, but never a key, since it is written to the log and the answer.
#[test]
fn key_is_not_accepted_as_request_id() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    for key in [&holder.key, &service.admin] {
        let reply =
            service.send(&Call::new("GET", "/healthz").header("X-Request-Id", key.as_str()));
        assert!(
            reply
                .header("x-request-id")
                .is_some_and(|id| !id.contains("td_"))
        );
    }
}

/// "CORS by configuration": off by default; else for the named origins, with preflight without a
/// key, and our headers exposed.
#[test]
fn cors_admits_only_configured_origins() {
    let preflight = |origin: &str| {
        let call = Call::new("OPTIONS", "/api/v2/parse-title").header("Origin", origin);
        call.header("Access-Control-Request-Method", "POST").header(
            "Access-Control-Request-Headers",
            "authorization,content-type",
        )
    };
    let origin = |reply: &Reply| {
        reply
            .header("access-control-allow-origin")
            .map(str::to_owned)
    };
    let shop = "https://shop.example";
    {
        let (service, _database) = Service::start();
        let reply = service.send(&preflight(shop));
        assert_eq!(
            (reply.status, origin(&reply), reply.header("vary")),
            (401, None, None)
        );
    }
    for (origins, lets_in_others) in [("'https://shop.example'", false), ("'*'", true)] {
        let database = crate::support::Database::sqlite();
        let service = Service::with(&database, |settings| {
            settings.cors = Settings::parse(&format!("[cors]\norigins = [{origins}]\n"))
                .expect("it is right")
                .cors;
        });
        let holder = service.account("site", "free");
        let allowed = Some(shop.to_owned());
        let asked = service.send(&preflight(shop));
        assert_eq!(
            (asked.status, origin(&asked), asked.header("vary")),
            (204, allowed.clone(), Some("Origin"))
        );
        assert!(
            asked
                .header("access-control-allow-methods")
                .is_some_and(|methods| methods.contains("POST"))
        );
        assert!(
            asked
                .header("access-control-allow-headers")
                .is_some_and(|names| names.contains("Authorization"))
        );
        assert_eq!(asked.header("access-control-allow-credentials"), None);
        assert_eq!(asked.number("x-ratelimit-cost"), 0);
        for (key, status) in [(holder.key.as_str(), 200), ("nonsense", 401)] {
            let reply = service.send(&Call::parse(key, one_title()).header("Origin", shop));
            assert_eq!((reply.status, origin(&reply)), (status, allowed.clone()));
            let exposed = reply
                .header("access-control-expose-headers")
                .expect("they are exposed");
            for (name, _) in reply
                .headers
                .iter()
                .filter(|(name, _)| name.starts_with("x-r"))
            {
                assert!(exposed.contains(name.as_str()), "{name}");
            }
        }
        let stranger = service.send(&preflight("https://other.example"));
        assert_eq!(stranger.status == 204, lets_in_others);
        assert_eq!(origin(&stranger).is_some(), lets_in_others);
        // a page may follow the redirect of the export
        let exposed = service.send(&Call::new("GET", "/api/v2/export").header("Origin", shop));
        let exposed = exposed.header("access-control-expose-headers");
        assert!(exposed.is_some_and(|names| names.contains("x-export-downloads-remaining")));
        let file = "/exports/cards-5.csv.gz?expires=1&signature=1";
        let asked = Call::new("OPTIONS", file).header("Origin", shop);
        let asked = service.send(&asked.header("Access-Control-Request-Method", "GET"));
        assert_eq!((asked.status, origin(&asked)), (204, allowed.clone()));
        let file = service.send(&Call::new("GET", file).header("Origin", shop));
        assert_eq!(
            (file.code().as_str(), origin(&file)),
            ("wrong_signature", allowed.clone())
        );
        // administrators do not work from pages of other origins
        let admin = service.send(
            &Call::new("GET", "/api/admin/plans")
                .key(&service.admin)
                .header("Origin", shop),
        );
        assert_eq!((admin.status, origin(&admin)), (200, None));
    }
}
