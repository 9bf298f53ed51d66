//! The OpenAPI document: what it says is what the service does.

use crate::client::{Call, Reply};
use crate::prices::shop;
use crate::support::{Service, one_title};
use serde_json::{Value, json};
use std::path::PathBuf;
use titledex_server::error::CODES;
use titledex_server::openapi::document;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Holds a file to `text`; UPDATE=1 writes it.
fn hold(name: &str, text: &str) {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(file(name), text).expect("it can be written");
    }
    let stands = std::fs::read_to_string(file(name)).unwrap_or_default();
    assert!(
        stands == text,
        "{name} is not what the code makes: see what changed by UPDATE=1 cargo test -p titledex-server openapi"
    );
}

/// The document in the repository is the one that is served.
#[test]
fn the_document_is_the_one_in_the_repository() {
    let (service, _database) = Service::start();
    let served = service.send(&Call::new("GET", "/openapi.json"));
    assert_eq!(
        (served.status, served.header("content-type")),
        (200, Some("application/json"))
    );
    assert_eq!(served.json()["openapi"], "3.1.0");
    hold("openapi.json", served.text());
}

/// What an answer has of chance: keys and their prefixes.
fn settled(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(settled),
        Value::Object(members) => {
            for (name, member) in members {
                match (name.as_str(), member.as_str()) {
                    ("key", Some(text)) if text.starts_with("td_") => {
                        let kind = if text.starts_with("td_live_") {
                            "td_live_"
                        } else {
                            "td_admin_"
                        };
                        *member = json!(format!("{kind}4fK9sQ2mXa_{}", "0".repeat(43)));
                    }
                    ("prefix", Some(text)) => {
                        *member = json!(format!(
                            "{}4fK9sQ2mXa",
                            if text.starts_with("td_live_") {
                                "td_live_"
                            } else {
                                "td_admin_"
                            }
                        ));
                    }
                    _ => settled(member),
                }
            }
        }
        _ => {}
    }
}

/// The examples of the document are what the service answers.
#[test]
fn examples_are_real_answers() {
    let (service, _database) = Service::start();
    shop::stock(&service);
    let holder = service.account("card shop", "api");
    let mut examples = serde_json::Map::new();
    let mut example = |id: &str, name: &str, summary: &str, request: Value, reply: &Reply| {
        let kind = reply.header("content-type").expect("it has one");
        let mut response = if kind == "application/json" {
            reply.json()
        } else {
            json!(reply.text())
        };
        settled(&mut response);
        let made = json!({"name": name, "summary": summary, "request": request, "status": reply.status, "type": kind, "response": response});
        let list = examples
            .entry(id)
            .or_insert_with(|| json!([]))
            .as_array_mut()
            .expect("it is one");
        list.push(made);
    };
    let id = |call: Call| call.header("X-Request-Id", "example-1");
    let one = json!({"title": "1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT", "options": {"maxSuggestions": 1}});
    example(
        "parseTitle",
        "title",
        "one title",
        one.clone(),
        &service.send(&Call::parse(&holder.key, one.to_string())),
    );
    let many =
        json!({"titles": ["Pikachu 58/102 Base Set PSA 9", ""], "options": {"maxSuggestions": 1}});
    let reply = service.send(&Call::parse(&holder.key, many.to_string()));
    example(
        "parseTitle",
        "titles",
        "a batch, one title of which is empty",
        many.clone(),
        &reply,
    );
    let reply = service
        .send(&Call::parse(&holder.key, many.to_string()).header("Accept", "application/x-ndjson"));
    example(
        "parseTitle",
        "titles-as-lines",
        "the same batch with Accept: application/x-ndjson",
        many,
        &reply,
    );
    let wrong = json!({"title": "Pikachu 58/102", "options": {"maxSuggestion": 3}});
    let reply = service.send(&id(Call::parse(&holder.key, wrong.to_string())));
    example(
        "parseTitle",
        "unknown-option",
        "an option that is not known",
        Value::Null,
        &reply,
    );
    assert_eq!(reply.status, 400);
    service
        .runtime()
        .block_on(service.server().app.ledger.close());
    let get = |path: &str| {
        service.send(&Call::new("GET", format!("/api/v2/account{path}")).key(&holder.key))
    };
    example("getAccount", "account", "an account", Value::Null, &get(""));
    example(
        "getUsage",
        "usage",
        "a day's usage",
        Value::Null,
        &get("/usage?days=7"),
    );
    let body = json!({"name": "price bot"});
    let made = service.send(
        &Call::new("POST", "/api/v2/account/keys")
            .key(&holder.key)
            .json(body.to_string()),
    );
    example("createKey", "key", "a key", body, &made);
    let number = made.json()["data"]["id"].clone();
    let gone = service
        .send(&Call::new("DELETE", format!("/api/v2/account/keys/{number}")).key(&holder.key));
    example(
        "revokeKey",
        "revoked",
        "a key that is revoked",
        Value::Null,
        &gone,
    );
    example(
        "listKeys",
        "keys",
        "two keys, one of them revoked",
        Value::Null,
        &get("/keys"),
    );
    let body = json!({"name": "auction bot", "plan": "free"});
    example(
        "createAccount",
        "account",
        "an account",
        body.clone(),
        &service.ask("POST", "/accounts", &body),
    );
    example(
        "listAccounts",
        "accounts",
        "two accounts",
        Value::Null,
        &service.ask("GET", "/accounts", &Value::Null),
    );
    let one = format!("/accounts/{}", holder.id);
    example(
        "getAnAccount",
        "account",
        "an account",
        Value::Null,
        &service.ask("GET", &one, &Value::Null),
    );
    let body = json!({"plan": "business"});
    example(
        "setPlan",
        "plan",
        "another plan",
        body.clone(),
        &service.ask("PUT", &format!("{one}/plan"), &body),
    );
    let body = json!({"name": "second"});
    example(
        "createKeyOfAccount",
        "key",
        "a key",
        body.clone(),
        &service.ask("POST", &format!("{one}/keys"), &body),
    );
    example(
        "listKeysOfAccount",
        "keys",
        "its keys",
        Value::Null,
        &service.ask("GET", &format!("{one}/keys"), &Value::Null),
    );
    example(
        "getUsageOfAccount",
        "usage",
        "a day's usage",
        Value::Null,
        &service.ask("GET", &format!("{one}/usage"), &Value::Null),
    );
    let body = json!({"name": "on call"});
    let made = service.ask("POST", "/keys", &body);
    example("createAdminKey", "key", "a key", body, &made);
    example(
        "listAdminKeys",
        "keys",
        "two keys",
        Value::Null,
        &service.ask("GET", "/keys", &Value::Null),
    );
    let gone = service.ask(
        "DELETE",
        &format!("/keys/{}", made.json()["data"]["id"]),
        &Value::Null,
    );
    example(
        "revokeAnyKey",
        "revoked",
        "a key that is revoked",
        Value::Null,
        &gone,
    );
    example(
        "listPlans",
        "plans",
        "the plans",
        Value::Null,
        &service.ask("GET", "/plans", &Value::Null),
    );
    example(
        "reloadCatalogue",
        "same",
        "the same catalogue as before",
        Value::Null,
        &service.ask("POST", "/catalogue/reload", &Value::Null),
    );
    let large = service.account("price site", "business");
    let market =
        |path: &str| service.send(&Call::new("GET", format!("/api{path}")).key(&large.key));
    let card = format!(
        "/v2/cards?marketplaceId={}&includeBoth=true&includeEur=true&days=3",
        shop::CHARIZARD
    );
    example(
        "listCards",
        "card",
        "a card with all that there is",
        Value::Null,
        &market(&card),
    );
    example(
        "listCards",
        "search",
        "a search",
        Value::Null,
        &market("/v2/cards?search=umbreon%20alt%20art&limit=1"),
    );
    example(
        "listSets",
        "sets",
        "sets by name",
        Value::Null,
        &market("/v2/sets?search=base&limit=1"),
    );
    let sealed = "/v2/sealed-products?search=booster%20box&includeHistory=true&days=2";
    example(
        "listSealedProducts",
        "products",
        "a box",
        Value::Null,
        &market(sealed),
    );
    let population = format!("/v2/population?marketplaceId={}", shop::CHARIZARD);
    example(
        "listPopulations",
        "population",
        "a card's population",
        Value::Null,
        &market(&population),
    );
    example(
        "listPopulations",
        "none",
        "a card without data",
        Value::Null,
        &market("/v2/population?marketplaceId=nobody"),
    );
    example(
        "listPricesV1",
        "cards",
        "a card by its number",
        Value::Null,
        &market("/v1/prices?setId=base1&number=15"),
    );
    example(
        "listSetsV1",
        "sets",
        "a set",
        Value::Null,
        &market("/v1/sets?name=jungle"),
    );
    example(
        "isAlive",
        "alive",
        "it lives",
        Value::Null,
        &service.send(&Call::new("GET", "/healthz")),
    );
    example(
        "isReady",
        "ready",
        "it can answer",
        Value::Null,
        &service.send(&Call::new("GET", "/readyz")),
    );
    let text = serde_json::to_string_pretty(&examples).expect("it is JSON") + "\n";
    // every operation has one but the document's own, the metrics, which are never the same twice, the export, whose answer has no body, and
    // the review of sold listings, which docs/MARKET.md shows
    let without = [
        "getDocument",
        "readMetrics",
        "getExport",
        "listReview",
        "getReview",
        "acceptReview",
        "rejectReview",
    ];
    for operation in operations() {
        let id = operation.2["operationId"].as_str().expect("it has one");
        assert!(
            without.contains(&id) || examples.contains_key(id),
            "{id} has no example"
        );
    }
    hold("src/openapi/examples.json", &text);
}

fn operations() -> Vec<(&'static str, &'static str, &'static Value)> {
    let paths = document().value["paths"]
        .as_object()
        .expect("there are some");
    let of = |(path, methods): (&'static String, &'static Value)| {
        methods
            .as_object()
            .expect("it has some")
            .iter()
            .map(|(method, of)| (method.as_str(), path.as_str(), of))
            .collect::<Vec<_>>()
    };
    paths.iter().flat_map(of).collect()
}

/// What the document lists is there, and what it does not list is not: a method that a path lacks there is refused here.
#[test]
fn the_document_has_the_routes_that_there_are() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "business");
    let all = operations();
    assert!(all.len() >= 20, "{}", all.len());
    for (_, path, _) in &all {
        for method in ["get", "post", "put", "delete", "patch"] {
            let known = all.iter().any(|(of, at, _)| at == path && *of == method);
            let upper: &'static str = match method {
                "get" => "GET",
                "post" => "POST",
                "put" => "PUT",
                "delete" => "DELETE",
                _ => "PATCH",
            };
            let key = if path.starts_with("/api/v") {
                &holder.key
            } else {
                &service.admin
            };
            let reply = service.send(
                &Call::new(upper, path.replace("{id}", "999999"))
                    .key(key)
                    .json("{}"),
            );
            assert_eq!(reply.status != 405, known, "{method} {path}: {reply:?}");
        }
    }
    // routes are added with their documents alone
    let source = include_str!("../../src/routes/mod.rs");
    assert!(
        !source.contains(".route("),
        "a route without a document: add it by routes!"
    );
}

/// Each operation has a summary, a tag and all answers that the door can give.
#[test]
fn operations_say_all_their_answers() {
    for (method, path, operation) in operations() {
        let place = format!("{method} {path}");
        assert!(
            operation["summary"].is_string() && operation["tags"][0].is_string(),
            "{place}"
        );
        assert!(
            operation.get("parameters").is_none_or(Value::is_array),
            "{place}"
        );
        if !path.starts_with("/api") && path != "/metrics" {
            assert!(operation["security"].is_null(), "{place}");
            continue;
        }
        assert_eq!(operation["security"], json!([{"key": []}]), "{place}");
        let mut statuses = vec!["400", "401", "403", "429", "500", "503"];
        if !operation["requestBody"].is_null() {
            statuses.extend(["413", "415"]);
        }
        if path.contains('{') {
            statuses.push("404");
        }
        for status in statuses {
            assert!(
                !operation["responses"][status].is_null(),
                "{place} {status}"
            );
        }
    }
}

/// Every member of an answer is described, and what may be left out is never null.
#[test]
fn objects_are_described() {
    fn look(name: &str, schema: &Value) {
        for part in schema["allOf"].as_array().into_iter().flatten() {
            look(name, part);
        }
        for (member, of) in schema["properties"].as_object().into_iter().flatten() {
            let required = schema["required"]
                .as_array()
                .is_some_and(|names| names.iter().any(|known| known == member));
            let nullable = of["type"]
                .as_array()
                .is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"));
            assert!(required || !nullable, "{name}.{member}");
            assert!(
                of["description"].is_string() || !of["$ref"].is_null(),
                "{name}.{member} is not described"
            );
        }
    }
    let schemas = document().value["components"]["schemas"]
        .as_object()
        .expect("there are some");
    assert!(
        schemas.contains_key("Answer") && schemas.contains_key("Evidence"),
        "{:?}",
        schemas.keys()
    );
    for (name, schema) in schemas {
        look(name, schema);
    }
    for name in [
        "OneTitle",
        "ManyTitles",
        "ReadingOptions",
        "KeyBody",
        "AccountBody",
        "PlanBody",
    ] {
        assert_eq!(schemas[name]["additionalProperties"], false, "{name}");
    }
}

/// Every reference leads somewhere: generators of clients refuse a document with one that does not.
#[test]
fn references_lead_somewhere() {
    fn look(value: &Value, seen: &mut usize) {
        if let Some(reference) = value["$ref"].as_str() {
            *seen += 1;
            let place = reference
                .strip_prefix('#')
                .expect("it lies in the document");
            assert!(document().value.pointer(place).is_some(), "{reference}");
        }
        for inner in value.as_array().into_iter().flatten() {
            look(inner, seen);
        }
        for inner in value
            .as_object()
            .into_iter()
            .flat_map(serde_json::Map::values)
        {
            look(inner, seen);
        }
    }
    let mut seen = 0;
    look(&document().value, &mut seen);
    assert!(seen > 100, "{seen}");
}

/// The page of documentation has each code too.
#[test]
fn the_codes_are_those_of_the_documentation() {
    let page = include_str!("../../../docs/SERVICE.md");
    for (status, code, _) in CODES {
        let line = page
            .lines()
            .find(|line| line.starts_with(&format!("| {status} |")))
            .unwrap_or_else(|| panic!("no {status}"));
        assert!(
            line.contains(&format!("`{code}`")),
            "docs/SERVICE.md: {status} {code}"
        );
    }
}

/// Pages are whole in themselves: no script or style inline, nothing of another origin, files that may be kept for ever.
#[test]
fn pages_load_nothing_from_elsewhere() {
    let (service, _database) = Service::start();
    for path in ["/", "/docs", "/dashboard", "/review"] {
        let page = service.send(&Call::new("GET", path));
        assert_eq!(
            (page.status, page.header("content-type")),
            (200, Some("text/html; charset=utf-8")),
            "{path}"
        );
        let policy = page.header("content-security-policy").expect("it has one");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'")
                && !policy.contains("unsafe"),
            "{policy}"
        );
        let text = page.text();
        assert!(
            !text.contains("{{")
                && !text.contains("<style")
                && !text.contains(" style=")
                && !text.contains("onclick="),
            "{path}"
        );
        assert_eq!(
            text.matches("<script").count(),
            text.matches("<script type=\"module\" src=\"/assets/")
                .count(),
            "{path}"
        );
        for link in text
            .split("href=\"")
            .chain(text.split("src=\""))
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
        {
            assert!(!link.contains("//"), "{path} links to {link}");
            if link.starts_with("/assets/") {
                let asset = service.send(&Call::new("GET", link));
                assert_eq!(asset.status, 200, "{link}");
                assert!(
                    asset
                        .header("cache-control")
                        .is_some_and(|value| value.contains("immutable")),
                    "{link}"
                );
            }
        }
    }
    assert_eq!(
        service
            .send(&Call::new("GET", "/assets/000000000000/style.css"))
            .code(),
        "not_found"
    );
    // pages cost nothing and show nothing without a key
    assert_eq!(
        service
            .send(&Call::parse("td_live_none", one_title()))
            .status,
        401
    );
}
