//! The OpenAPI document: what it says is what the service does.

use crate::client::Call;
use crate::support::{Service, one_title};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::LazyLock;
use titledex::internals::build::rows::FIRST_GAME;
use titledex_server::http::CODES;
use titledex_server::openapi::Document;
use titledex_server::plans::Plans;
use titledex_server::routes;

/// The document of a service with the default plans and games.
pub(crate) fn document() -> &'static Document {
    static DOCUMENT: LazyLock<Document> = LazyLock::new(|| {
        Document::new(&routes::api(), &Plans::default(), &[FIRST_GAME.to_owned()])
    });
    &DOCUMENT
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Holds a file to `text`; UPDATE=1 writes it.
pub(crate) fn hold(name: &str, text: &str) {
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
fn served_document_equals_the_file() {
    let (service, _database) = Service::start();
    let served = service.send(&Call::new("GET", "/openapi.json"));
    assert_eq!(
        (served.status, served.header("content-type")),
        (200, Some("application/json"))
    );
    assert_eq!(served.json()["openapi"], "3.1.0");
    hold("openapi.json", served.text());
}

pub(crate) fn operations() -> Vec<(&'static str, &'static str, &'static Value)> {
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

/// The documented methods exist, and all others are refused: a method that the document lacks for a
/// path gets 405 here.
#[test]
fn document_lists_exactly_the_routes() {
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
    // routes are added only together with their documents
    let source = include_str!("../../src/routes/mod.rs");
    assert!(
        !source.contains(".route("),
        "a route without a document: add it by routes!"
    );
}

/// Each operation has a summary, a tag and all answers that the middleware can give.
#[test]
fn operations_describe_all_their_answers() {
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
fn every_object_and_member_has_a_description() {
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
            let of_a_request = name == "ReadingOptions";
            assert!(required || of_a_request || !nullable, "{name}.{member}");
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
        "KeyBody",
        "AccountBody",
        "PlanBody",
    ] {
        assert_eq!(schemas[name]["additionalProperties"], false, "{name}");
    }
}

/// Every reference leads somewhere: generators of clients refuse a document with one that does not.
#[test]
fn references_resolve() {
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
fn documentation_lists_every_error_code() {
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

/// Pages are whole in themselves: no script or style inline, nothing of another origin, files that
/// may be kept for ever.
#[test]
fn pages_load_nothing_from_other_origins() {
    let (service, _database) = Service::start();
    for path in ["/", "/docs", "/dashboard", "/review", "/sets", "/search"] {
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

/// The form of an operation sends what the document says of it: an import has a header, and rows that
/// are no JSON.
#[test]
fn forms_have_headers_and_every_kind_of_body() {
    let (service, _database) = Service::start();
    let page = service.send(&Call::new("GET", "/docs"));
    let form = |path: &str| {
        let begin = format!("data-path=\"{path}\"");
        let (_, rest) = page.text().split_once(&begin).expect("it has a form");
        rest.split("</form>").next().unwrap_or_default().to_owned()
    };
    let import = form("/api/admin/import/{kind}");
    assert!(
        import.contains("name=\"Idempotency-Key\" data-in=\"header\""),
        "{import}"
    );
    assert!(import.contains("<textarea name=\"body\""), "{import}");
    for kind in [
        "text/csv",
        "text/tab-separated-values",
        "application/x-ndjson",
    ] {
        assert!(
            import.contains(&format!("<option>{kind}</option>")),
            "{import}"
        );
    }
    assert!(!import.contains("numeric"), "{import}");
    let title = form("/api/v2/parse-title");
    assert!(title.contains("data-kind=\"application/json\""), "{title}");
    assert!(!title.contains("<option>"), "{title}");
    let usage = form("/api/v2/account/usage");
    assert!(
        usage.contains("inputmode=\"numeric\"") && !usage.contains("<textarea"),
        "{usage}"
    );
}
