//! Section 4.4, `POST /api/v2/parse-title`, and the errors of section 7 that it can give.

use crate::client::Call;
use crate::support::{Service, TITLE, one_title, printed};
use serde_json::{Value, json};
use titledex::Options;

/// "Response: an object with a data member containing parsed (the extracted card attributes) and
/// matches (matching catalogue cards)", byte for byte what the command line prints.
#[test]
fn answer_equals_the_output_of_the_command() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "api");
    for title in [
        TITLE,
        "ピカチュウ 025/165 SV2a PSA10",
        "x",
        "Lot of 50 \"cards\" \\ \u{1f525}",
        "Glurak 4/102 Basis-Set NM",
    ] {
        let reply = service.send(&Call::parse(
            &holder.key,
            json!({"title": title}).to_string(),
        ));
        assert_eq!(reply.status, 200);
        let data = printed(title, &Options::default());
        assert!(
            reply
                .text()
                .starts_with(&format!("{{\"data\":{data},\"metadata\":{{")),
            "{}",
            reply.text()
        );
        let answer = reply.json();
        assert!(
            answer["data"]["parsed"].is_object()
                && answer["data"]["outcome"].is_object()
                && answer["data"]["matches"].is_array()
        );
        assert_eq!(
            answer["metadata"]["apiCallsConsumed"],
            json!({"total": 1, "breakdown": {"titles": 1}, "costPerTitle": 1})
        );
        assert_eq!(answer["metadata"]["coreVersion"], env!("CARGO_PKG_VERSION"));
        assert!(
            answer["metadata"]["catalogueVersion"]
                .as_str()
                .is_some_and(|version| !version.is_empty())
        );
    }
}

/// "options.fuzzyMatching boolean", "options.maxSuggestions integer", "options.includeConfidence
/// boolean", all optional; and `brief`, which is ours.
#[test]
fn each_option_takes_effect() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "api");
    let ask = |title: &str, options: Value| {
        let reply = service.send(&Call::parse(
            &holder.key,
            json!({"title": title, "options": options}).to_string(),
        ));
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.text().to_owned()
    };
    let usual = Options::default();
    let same = |answer: &str, title: &str, options: &Options| {
        answer.contains(&format!("\"data\":{},", printed(title, options)))
    };
    assert!(same(&ask("Pikachu", json!({})), "Pikachu", &usual));
    for most in [1, 3, 50] {
        assert!(same(
            &ask("Pikachu", json!({"maxSuggestions": most})),
            "Pikachu",
            &usual.clone().max_suggestions(most)
        ));
    }
    let misspelt = "Pokemon Charzard Base Set Holo";
    let (with, without) = (
        ask(misspelt, json!({"fuzzyMatching": true})),
        ask(misspelt, json!({"fuzzyMatching": false})),
    );
    assert!(same(&with, misspelt, &usual) && same(&without, misspelt, &usual.clone().fuzzy(false)));
    let unsaid = ask(TITLE, json!({"includeConfidence": false}));
    assert!(same(&unsaid, TITLE, &usual.clone().confidence(false)));
    let brief = ask(TITLE, json!({"brief": true}));
    assert!(same(&brief, TITLE, &usual.clone().brief(true)));
    assert_ne!(brief, ask(TITLE, json!({"brief": false})));
}

/// "400 invalid parameters": with a stable code, the member at fault, and its place in the body.
#[test]
fn invalid_body_reports_field_and_position() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    let long = "x".repeat(4097);
    let cases = [
        ("{\"title\":\"a\",}", "invalid_json", None, Some((1, 14))),
        (
            "{\n \"title\": \"a\n\"}",
            "invalid_json",
            None,
            Some((3, 1)),
        ),
        ("", "invalid_json", None, None),
        ("nonsense", "invalid_json", None, Some((1, 2))),
        ("{\"title\":\"a\"} x", "invalid_json", None, Some((1, 15))),
        (
            "{\"titles\":[\n\"a\",\n\"b\",\"c\",\n\"x\\ud800\",\n\"d\"]}",
            "invalid_json",
            Some("titles[3]"),
            Some((4, 9)),
        ),
        ("\"a\"", "wrong_type", None, None),
        ("[]", "wrong_type", None, None),
        ("null", "wrong_type", None, None),
        ("{}", "missing_title", Some("title"), None),
        (
            "{\"title\":null}",
            "wrong_type",
            Some("title"),
            Some((1, 13)),
        ),
        ("{\"title\":5}", "wrong_type", Some("title"), Some((1, 10))),
        ("{\"title\":[\"a\"]}", "wrong_type", Some("title"), None),
        ("{\"title\":\"\"}", "empty_title", Some("title"), None),
        ("{\"title\":\" \\t \"}", "empty_title", Some("title"), None),
        (
            &format!("{{\"title\":\"{long}\"}}"),
            "title_too_long",
            Some("title"),
            None,
        ),
        (
            "{\"Title\":\"a\"}",
            "unknown_option",
            Some("Title"),
            Some((1, 8)),
        ),
        (
            "{\"title\":\"a\",\"title\":\"b\"}",
            "duplicate_member",
            Some("title"),
            None,
        ),
        (
            "{\"title\":\"a\",\"titles\":[\"b\"]}",
            "title_and_titles",
            Some("titles"),
            None,
        ),
        ("{\"titles\":[]}", "empty_titles", Some("titles"), None),
        ("{\"titles\":\"a\"}", "wrong_type", Some("titles"), None),
        (
            "{\"title\":\"a\",\"options\":1}",
            "wrong_type",
            Some("options"),
            None,
        ),
        (
            "{\"title\":\"a\",\"options\":{\"fuzzyMatching\":\"yes\"}}",
            "wrong_type",
            Some("options.fuzzyMatching"),
            None,
        ),
        (
            "{\"title\":\"a\",\"options\":{\"includeConfidence\":1}}",
            "wrong_type",
            Some("options.includeConfidence"),
            None,
        ),
        (
            "{\"title\":\"a\",\"options\":{\"brief\":\"no\"}}",
            "wrong_type",
            Some("options.brief"),
            None,
        ),
        (
            "{\"title\":\"a\",\"options\":{\"maxSuggestions\":1.5}}",
            "wrong_type",
            Some("options.maxSuggestions"),
            None,
        ),
        (
            "{\"title\":\"a\",\"options\":{\"maxSuggestions\":\"5\"}}",
            "wrong_type",
            Some("options.maxSuggestions"),
            None,
        ),
        (
            "{\"title\":\"a\",\"options\":{\"maxSuggestions\":0}}",
            "out_of_range",
            Some("options.maxSuggestions"),
            None,
        ),
        (
            "{\"title\":\"a\",\"options\":{\"maxSuggestions\":51}}",
            "out_of_range",
            Some("options.maxSuggestions"),
            None,
        ),
        (
            "{\"title\":\"a\",\"options\":{\"maxSuggestions\":-1}}",
            "out_of_range",
            Some("options.maxSuggestions"),
            None,
        ),
        (
            "{\"title\":\"a\",\"options\":{\"maxSuggestions\":99999999999999999999}}",
            "out_of_range",
            Some("options.maxSuggestions"),
            None,
        ),
        (
            "{\"title\":\"a\",\"options\":{\"maxSuggestions\":5,\"maxSuggestions\":6}}",
            "duplicate_member",
            Some("options.maxSuggestions"),
            None,
        ),
        (
            "{\"title\":\"a\",\"options\":{\"fuzzymatching\":false}}",
            "unknown_option",
            Some("options.fuzzymatching"),
            Some((1, 39)),
        ),
        (
            "{\"titles\":[\"a\"],\"options\":{\"brief\":true,\"max_suggestions\":1}}",
            "unknown_option",
            Some("options.max_suggestions"),
            None,
        ),
    ];
    for (body, code, field, place) in cases {
        let reply = service.send(&Call::parse(&holder.key, body));
        let error = &reply.json()["error"];
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (400, code),
            "{body}: {error}"
        );
        assert_eq!(error["field"].as_str(), field, "{body}: {error}");
        if let Some((line, column)) = place {
            assert_eq!(
                error["position"],
                json!({"line": line, "column": column}),
                "{body}: {error}"
            );
        }
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|message| message.len() > 20 && !message.contains("serde")),
            "{error}"
        );
        // no bound of a machine's integers, which nobody sent
        assert!(!error.to_string().contains("922337"), "{error}");
        assert_eq!(reply.number("x-ratelimit-cost"), 0);
    }
    // bytes that are not UTF-8, where they are read and where they are skipped
    for (body, place) in [
        (&b"{\"t\xff"[..], (1, 4)),
        (
            &b"{\"title\":\"a\",\n\"options\":{\"x\":\"\xff\"}}"[..],
            (2, 17),
        ),
    ] {
        let reply = service.send(&Call::parse(&holder.key, body.to_vec()));
        let error = &reply.json()["error"];
        assert_eq!((reply.status, reply.code().as_str()), (400, "invalid_json"));
        assert_eq!(
            error["position"],
            json!({"line": place.0, "column": place.1})
        );
    }
    assert_eq!(service.charged(&holder), 0);
}

/// Deep nesting is refused, not followed.
#[test]
fn deeply_nested_json_is_refused() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    for open in ["[", "{\"a\":"] {
        let deep = open.repeat(100_000);
        for body in [
            deep.clone(),
            format!("{{\"title\":{deep}"),
            format!("{{\"titles\":[{deep}"),
            format!("{{\"options\":{deep}"),
        ] {
            assert_eq!(service.send(&Call::parse(&holder.key, body)).status, 400);
        }
    }
}

/// "Request query names are case-sensitive as written"; unknown ones are named.
#[test]
fn unknown_query_parameters_are_named() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    let mut call = Call::parse(&holder.key, one_title());
    call.path.push_str("?Title=a&title=b");
    let reply = service.send(&call);
    assert_eq!(
        (
            reply.status,
            reply.code().as_str(),
            &reply.json()["error"]["field"]
        ),
        (400, "unknown_parameter", &json!("Title"))
    );
    let usage = |query: &str| {
        service.send(&Call::new("GET", format!("/api/v2/account/usage{query}")).key(&holder.key))
    };
    assert_eq!(usage("?days=7").status, 200);
    assert_eq!(usage("?Days=7").code(), "unknown_parameter");
    assert_eq!(usage("?days=7&days=8").code(), "duplicate_parameter");
    assert_eq!(usage("?days=x").code(), "out_of_range");
}

/// "Request: header Content-Type: application/json", in UTF-8, of at most the configured size.
#[test]
fn body_is_json_of_limited_size() {
    let database = crate::support::Database::sqlite();
    let service = Service::with(&database, |settings| settings.limits.body_bytes = 100);
    let holder = service.account("site", "free");
    let kind = |kind: &str| {
        let call = Call::new("POST", "/api/v2/parse-title")
            .key(&holder.key)
            .header("Content-Type", kind);
        service.send(&Call {
            body: one_title().into_bytes(),
            ..call
        })
    };
    for right in [
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/json;charset=\"UTF-8\"",
    ] {
        assert_eq!(kind(right).status, 200, "{right}");
    }
    for wrong in [
        "text/plain",
        "application/json; charset=utf-16",
        "application/x-www-form-urlencoded",
        "",
    ] {
        assert_eq!(
            (kind(wrong).status, kind(wrong).code().as_str()),
            (415, "unsupported_media_type"),
            "{wrong}"
        );
    }
    let large = service.send(&Call::parse(
        &holder.key,
        json!({"title": "a".repeat(100)}).to_string(),
    ));
    assert_eq!(
        (large.status, large.code().as_str()),
        (413, "body_too_large")
    );
}

/// Extension: `titles`, one answer each in their order. An error in one is reported in its place
/// and not charged.
#[test]
fn batch_answers_keep_the_order_of_titles() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "api");
    let long = "x".repeat(5_000);
    let body = json!({"titles": [TITLE, "", "Glurak 4/102", 5, long, {"a": [1]}, null, TITLE]})
        .to_string();
    let reply = service.send(&Call::parse(&holder.key, body.clone()));
    assert_eq!((reply.status, reply.number("x-ratelimit-cost")), (200, 3));
    let answer = reply.json();
    let codes: Vec<_> = answer["data"]
        .as_array()
        .expect("it is one")
        .iter()
        .map(|item| item["error"]["code"].as_str())
        .collect();
    let wrong = Some("wrong_type");
    assert_eq!(
        codes,
        [
            None,
            Some("empty_title"),
            None,
            wrong,
            Some("title_too_long"),
            wrong,
            wrong,
            None
        ]
    );
    assert_eq!(answer["data"][3]["error"]["field"], "titles[3]");
    assert_eq!(
        (&answer["metadata"]["count"], &answer["metadata"]["errors"]),
        (&json!(8), &json!(5))
    );
    assert_eq!(answer["metadata"]["apiCallsConsumed"]["total"], 3);
    assert!(
        reply
            .text()
            .contains(&printed("Glurak 4/102", &Options::default()))
    );

    // what weighs nothing is not wanted
    let whole = Call::parse(&holder.key, body.clone());
    let accept = "application/json, application/x-ndjson;q=0";
    let whole = service.send(&whole.header("Accept", accept));
    assert_eq!(whole.header("content-type"), Some("application/json"));
    assert_eq!(whole.number("x-ratelimit-daily-remaining"), 20_000 - 6);

    let lines =
        service.send(&Call::parse(&holder.key, body).header("Accept", "application/x-ndjson"));
    assert_eq!(
        (lines.status, lines.header("content-type")),
        (200, Some("application/x-ndjson"))
    );
    assert_eq!(
        (
            lines.number("x-ratelimit-cost"),
            lines.number("x-ratelimit-daily-remaining")
        ),
        (3, 20_000 - 9)
    );
    assert!(lines.header("x-catalogue-version").is_some());
    let text: Vec<&str> = lines.text().split_terminator('\n').collect();
    assert_eq!(text.len(), 8);
    assert_eq!(text[0], printed(TITLE, &Options::default()));
    assert!(text[1].contains("empty_title") && text[7] == text[0]);
    assert_eq!(service.charged(&holder), 9);
}

/// Extension: at most 1,000 titles.
#[test]
fn batch_has_at_most_a_thousand_titles() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "api");
    let ask = |count: usize| {
        service.send(&Call::parse(
            &holder.key,
            json!({"titles": vec!["x"; count]}).to_string(),
        ))
    };
    let full = ask(1_000);
    assert_eq!(
        (
            full.status,
            full.number("x-ratelimit-cost"),
            full.number("x-ratelimit-minute-remaining")
        ),
        (200, 1_000, 270)
    );
    let over = ask(1_001);
    assert_eq!(
        (
            over.status,
            over.code().as_str(),
            over.number("x-ratelimit-cost")
        ),
        (400, "too_many_titles", 0)
    );
    let none = service.send(&Call::parse(
        &holder.key,
        json!({"titles": ["", 5]}).to_string(),
    ));
    assert_eq!((none.status, none.number("x-ratelimit-cost")), (200, 0));
}

/// Extension: what no marketplace has as a title costs more, so that a credit buys no more of the
/// service's time than others.
#[test]
fn long_titles_cost_a_credit_for_each_kilobyte() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    let ask = |body: serde_json::Value| {
        let reply = service.send(&Call::parse(&holder.key, body.to_string()));
        assert_eq!(reply.status, 200, "{reply:?}");
        let consumed = reply.json()["metadata"]["apiCallsConsumed"]["total"].clone();
        assert_eq!(consumed, reply.number("x-ratelimit-cost"));
        reply.number("x-ratelimit-cost")
    };
    for (bytes, credits) in [(1, 1), (1_024, 1), (1_025, 2), (3_072, 3), (4_096, 4)] {
        assert_eq!(ask(json!({"title": "a".repeat(bytes)})), credits, "{bytes}");
    }
    // bytes, not characters
    assert_eq!(ask(json!({"title": "\u{fdfa}".repeat(342)})), 2);
    let titles = ["a".repeat(10), "a".repeat(2_000), String::new()];
    assert_eq!(ask(json!({"titles": titles})), 3);
    // a batch is a call for ten credits, not titles
    let calls = || {
        let call = Call::new("GET", "/api/v2/account").key(&holder.key);
        service.send(&call).number("x-ratelimit-minute-remaining")
    };
    let before = calls();
    assert_eq!(ask(json!({"titles": vec!["a".repeat(4_000); 10]})), 40);
    assert_eq!(calls(), before - 4);
    assert_eq!(service.charged(&holder), 56);
}

/// Options of other services, or none by name, change nothing; ours in another spelling are refused
/// (`invalid_body_reports_field_and_position`).
#[test]
fn unknown_options_and_null_are_ignored() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    let plain = service.send(&Call::parse(&holder.key, r#"{"title":"Charizard 4/102"}"#));
    for options in [
        "null",
        "{}",
        r#"{"fuzzy":false,"threshold":0.5}"#,
        r#"{"fuzzyMatching":null}"#,
        r#"{"maxSuggestions":null}"#,
        r#"{"includeConfidence":null}"#,
        r#"{"brief":null}"#,
    ] {
        let body = format!(r#"{{"title":"Charizard 4/102","options":{options}}}"#);
        let reply = service.send(&Call::parse(&holder.key, body));
        assert_eq!(
            (reply.status, reply.json()),
            (200, plain.json()),
            "{options}"
        );
    }
}
