//! Section 5, Authentication, and the headers of section 4.

use crate::client::Call;
use crate::support::{Service, one_title};
use serde_json::json;

/// "Every request to v1 and v2 carries the header Authorization: Bearer <API_KEY>."
/// "A missing or invalid key yields 401."
#[test]
fn missing_or_invalid_key_yields_401() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    for path in [
        "/api/v2/parse-title",
        "/api/v2/account",
        "/api/v2/nothing",
        "/api/v1/sets",
        "/api/v1",
        "/api/admin/accounts",
        "/api",
    ] {
        let reply = service.send(&Call::new("GET", path));
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (401, "missing_key"),
            "{path}"
        );
        assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
    }
    let mut wrong = holder.key.clone();
    let last = if wrong.ends_with('x') { "y" } else { "x" };
    wrong.replace_range(wrong.len() - 1.., last);
    for key in [
        wrong.as_str(),
        "td_live_",
        "nonsense",
        &holder.key[..20],
        &holder.key.replace("live", "admin"),
    ] {
        let reply = service.send(&Call::parse(key, one_title()));
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (401, "invalid_key"),
            "{key}"
        );
        assert_eq!(reply.number("x-ratelimit-cost"), 0);
    }
    for value in [
        holder.key.clone(),
        format!("Basic {}", holder.key),
        "Bearer".to_owned(),
    ] {
        let call = Call::new("POST", "/api/v2/parse-title")
            .header("Authorization", value)
            .json(one_title());
        assert_eq!(service.send(&call).code(), "malformed_authorization");
    }
    assert_eq!(
        service.send(&Call::parse(&holder.key, one_title())).status,
        200
    );
}

/// "no endpoint reachable without a key but health, docs and the landing page"
#[test]
fn health_needs_no_key() {
    let (service, _database) = Service::start();
    assert_eq!(
        service.send(&Call::new("GET", "/healthz")).json(),
        json!({"status": "ok"})
    );
    let ready = service.send(&Call::new("GET", "/readyz"));
    assert_eq!(
        (ready.status, ready.json()["status"].as_str()),
        (200, Some("ready"))
    );
    let nothing = service.send(&Call::new("GET", "/nothing"));
    assert_eq!(
        (nothing.status, nothing.code().as_str()),
        (404, "not_found")
    );
}

/// "Every v2 response carries the headers X-Response-Time (milliseconds), X-RateLimit-Cost (credits
/// consumed by the request), X-RateLimit-Daily-Remaining and X-RateLimit-Minute-Remaining."
#[test]
fn every_v2_response_carries_its_headers() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    let key = holder.key.as_str();
    // with the cost, and the calls of the minute that are left: what is refused counts as one, and
    // what the account asks about itself as none
    let calls = [
        (200, 1, 59, Call::parse(key, one_title())),
        (200, 0, 59, Call::new("GET", "/api/v2/account").key(key)),
        (400, 0, 58, Call::parse(key, "{}")),
        (400, 0, 57, Call::parse(key, "{")),
        (401, 0, 0, Call::new("POST", "/api/v2/parse-title")),
        (403, 0, 0, Call::parse(&service.admin, one_title())),
        (404, 0, 56, Call::new("GET", "/api/v2/nothing").key(key)),
        (405, 0, 55, Call::new("GET", "/api/v2/parse-title").key(key)),
        (413, 0, 54, Call::parse(key, vec![b' '; 1_100_000])),
        (
            415,
            0,
            53,
            Call::new("POST", "/api/v2/parse-title").key(key),
        ),
    ];
    for (status, cost, left, call) in calls {
        let reply = service.send(&call);
        assert_eq!(reply.status, status, "{reply:?}");
        assert_eq!(reply.number("x-ratelimit-cost"), cost, "{status}");
        let known = status != 401 && status != 403;
        assert_eq!(
            reply.number("x-ratelimit-daily-remaining"),
            if known { 99 } else { 0 },
            "{status}"
        );
        assert_eq!(
            reply.number("x-ratelimit-minute-remaining"),
            left,
            "{status}"
        );
        let time: f64 = reply
            .header("x-response-time")
            .and_then(|time| time.parse().ok())
            .expect("it is a number");
        assert!(time >= 0.0);
        if status >= 400 {
            assert_eq!(
                reply.json()["error"]["requestId"].as_str(),
                reply.header("x-request-id")
            );
            assert_eq!(reply.header("content-type"), Some("application/json"));
        }
    }
    let method = service.send(&Call::new("GET", "/api/v2/parse-title").key(key));
    assert_eq!(method.header("allow"), Some("POST"));
}

/// "v1 rate-limit response headers (every response): X-RateLimit-Daily-Limit,
/// X-RateLimit-Daily-Remaining, X-RateLimit-Daily-Reset, X-RateLimit-Minute-Limit,
/// X-RateLimit-Minute-Remaining, X-RateLimit-Minute-Reset; values are integers, and the two Reset
/// values are timestamps." "v1 daily limits by plan: Free 200, …; all v1 plans 60 requests per
/// minute."
#[test]
fn every_v1_response_carries_its_headers() {
    let (service, _database) = Service::start();
    let second = crate::support::NOON / 1000;
    for (plan, daily) in [("free", 200), ("api", 20_000), ("enterprise", 200_000)] {
        let holder = service.account(plan, plan);
        let reply = service.send(&Call::new("GET", "/api/v1/nothing").key(&holder.key));
        assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"));
        assert_eq!(reply.number("x-ratelimit-daily-limit"), daily);
        assert_eq!(reply.number("x-ratelimit-daily-remaining"), daily);
        assert_eq!(
            reply.number("x-ratelimit-daily-reset"),
            (second / 86_400 + 1) * 86_400
        );
        assert_eq!(reply.number("x-ratelimit-minute-limit"), 60);
        // a refusal counts as a call
        assert_eq!(reply.number("x-ratelimit-minute-remaining"), 59);
        assert_eq!(
            reply.number("x-ratelimit-minute-reset"),
            (second / 60 + 1) * 60
        );
    }
    let unknown = service.send(&Call::new("GET", "/api/v1/nothing"));
    assert_eq!(
        (unknown.status, unknown.number("x-ratelimit-daily-limit")),
        (401, 0)
    );
}

/// A request id from a caller comes back if it is a plain word; else the request gets one.
#[test]
fn every_answer_has_a_request_id() {
    let (service, _database) = Service::start();
    let id = |value: &str| {
        let reply = service.send(&Call::new("GET", "/healthz").header("X-Request-Id", value));
        reply.header("x-request-id").expect("it has one").to_owned()
    };
    assert_eq!(id("abc-1.2_3:4"), "abc-1.2_3:4");
    for strange in ["", "a b", "<script>", &"x".repeat(65)] {
        let given = id(strange);
        assert!(given != strange && !given.is_empty());
    }
    assert_ne!(id(""), id(""));
}
