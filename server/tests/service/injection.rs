//! Texts that would act on a database if they became part of a statement, in every place where a
//! caller may send text.

use crate::client::{Call, Reply};
use crate::openapi::{document, operations};
use crate::prices::shop::{self, CHARIZARD};
use crate::support::{Holder, Service, on_each_database};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use titledex_server::config::Settings;
use titledex_server::market::load::Kind;

/// Quotes, comments, places of both databases, and what stands for other letters in a pattern; each
/// with a word of its own, since names are given once.
const TEXTS: [&str; 7] = [
    "zqxj' OR ''='",
    "zqxk'; DROP TABLE accounts; --",
    "zqxv\" OR \"\"=\"",
    "zqxw') UNION SELECT NULL --",
    "zqxb $1 ? :a @b",
    "zqxf%_\\",
    "zqxp`;/* */ E'\\''",
];

/// Searches that the catalogue answers, to which `$1` is another word than `1`.
const SEARCHES: [&str; 3] = [
    "listCards: search",
    "listSets: search",
    "listSealedProducts: search",
];

/// The same text without its signs: what is answered to it is answered to the text.
fn harmless(text: &str) -> String {
    // what has a meaning of its own to the service stays: COLUMN=HEADER, set:card
    let sign = |c: char| c.is_ascii_punctuation() && !matches!(c, '=' | ':');
    let plain = |c: char| if sign(c) { ' ' } else { c };
    let plain: String = text.chars().map(plain).collect();
    plain.trim_end().to_owned()
}

/// A right body of each operation that takes JSON; each of its texts is replaced in turn.
fn bodies(operation: &str) -> Vec<Value> {
    let key = json!({"name": "a key", "expiresAt": "2030-01-31"});
    match operation {
        "createAccount" => vec![json!({"name": "an account", "plan": "free"})],
        "createKeyOfAccount" | "createAdminKey" | "createKey" => vec![key],
        "setPlan" => vec![json!({"plan": "api"})],
        "setAccountStatus" => vec![json!({"status": "active", "reason": "paid"})],
        "parseTitle" => vec![json!({"title": "a"}), json!({"titles": ["a"]})],
        "mergeCards" => {
            vec![json!({"from": "base1-4", "into": "base1-4", "printings": {"a": "b"}})]
        }
        "acceptReview" => vec![json!({"marketplaceId": CHARIZARD, "grade": "GRADER_A_10"})],
        "acceptReviews" => {
            vec![json!({"snapshot": "a", "marketplaceId": CHARIZARD, "grade": "GRADER_A_10"})]
        }
        "rejectReviews" => vec![json!({"snapshot": "a"})],
        other => panic!("{other} takes a body: write one of it here"),
    }
}

/// A right value of a parameter that an operation needs, or of a column.
fn right(name: &str) -> &'static str {
    match name {
        "marketplaceId" => CHARIZARD,
        "date" => "2024-10-01",
        "search" => "charizard",
        "name" => "Glitterzard",
        "setId" | "id" => "zq",
        "setName" => "Home Made",
        "cardNumber" => "7/10",
        "language" => "english",
        "printing" => "Holo",
        "productType" => "Tin",
        "marketPrice" | "price" | "rate" => "12.5",
        "currency" => "EUR",
        "grader" => "GRADER_A",
        "g10" => "5",
        "title" => "Charizard 4/102 Base Set PSA 9",
        _ => "",
    }
}

/// The bytes of a text in a path or a query.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The bodies in which one of the texts of `body`, or of the names of its members, is `text`.
fn replaced(body: &Value, text: &str) -> Vec<Value> {
    match body {
        Value::String(_) => vec![json!(text)],
        Value::Array(items) => items
            .iter()
            .enumerate()
            .flat_map(|(at, item)| {
                replaced(item, text).into_iter().map(move |one| {
                    let mut items = items.clone();
                    items[at] = one;
                    Value::Array(items)
                })
            })
            .collect(),
        Value::Object(members) => {
            let mut named = members.clone();
            named.insert(text.to_owned(), json!("a"));
            let with = |name: &String, one: Value| {
                let mut members = members.clone();
                members.insert(name.clone(), one);
                Value::Object(members)
            };
            let each = members.iter().flat_map(|(name, member)| {
                replaced(member, text)
                    .into_iter()
                    .map(move |one| with(name, one))
            });
            each.chain([Value::Object(named)]).collect()
        }
        _ => Vec::new(),
    }
}

/// A service with a small market, and what paths name.
struct Target {
    service: Service,
    holder: Holder,
    /// An account that may be changed.
    spare: i64,
    /// A listing under review.
    review: i64,
}

impl Target {
    fn key(&self, path: &str) -> &str {
        if path.starts_with("/api/v") {
            &self.holder.key
        } else {
            &self.service.admin
        }
    }

    /// An operation's path, its parameters replaced by what is there.
    fn path(&self, path: &str) -> String {
        let id = match path.strip_prefix("/api/admin/") {
            Some(rest) if rest.starts_with("accounts") => self.spare,
            Some(rest) if rest.starts_with("review") => self.review,
            _ => 999_999,
        };
        path.replace("{id}", &id.to_string())
            .replace("{kind}", "prices")
    }

    /// All requests that have `text` in a place of an operation, each with the name of the place.
    fn requests(&self, (method, path, operation): Operation, text: &str) -> Vec<(String, Call)> {
        let method: &'static str = match method {
            "get" => "GET",
            "post" => "POST",
            "put" => "PUT",
            "delete" => "DELETE",
            other => panic!("{other} is no method of these"),
        };
        let name = operation["operationId"].as_str().expect("it has a name");
        let of = |address: String| {
            let call = Call::new(method, address).key(self.key(path));
            let content = &operation["requestBody"]["content"];
            if content["application/json"].is_object() {
                return call.json(bodies(name)[0].to_string());
            }
            if content.is_null() {
                return call;
            }
            let rows = format!("marketplaceId,date,marketPrice\n{CHARIZARD},2024-10-01,90\n");
            Call {
                body: rows.into_bytes(),
                ..call.header("Content-Type", "text/csv")
            }
        };
        let parameters = operation["parameters"].as_array();
        let parameters: Vec<&Value> = parameters.into_iter().flatten().collect();
        let needed: String = parameters
            .iter()
            .filter(|one| one["in"] == "query" && one["required"] == true)
            .filter_map(|one| one["name"].as_str())
            .map(|name| format!("&{name}={}", encoded(right(name))))
            .collect();
        let without = |given: &str| {
            let parts = needed.split('&').filter(|part| !part.is_empty());
            let others = parts.filter(|part| !part.starts_with(&format!("{given}=")));
            others.map(|part| format!("&{part}")).collect::<String>()
        };
        let mut all = Vec::new();
        for parameter in parameters {
            let given = parameter["name"].as_str().expect("it has a name");
            let call = match parameter["in"].as_str() {
                Some("path") => {
                    of(path.replace(&format!("{{{given}}}"), &encoded(text)) + &first(&needed))
                }
                Some("query") => {
                    let query = format!("&{given}={}{}", encoded(text), without(given));
                    of(self.path(path) + &first(&query))
                }
                // a header has no blanks in a word
                Some("header") if given == "Idempotency-Key" => {
                    of(self.path(path)).header("Idempotency-Key", text.replace(' ', "/"))
                }
                other => panic!("{name}: {given} is in {other:?}"),
            };
            all.push((format!("{name}: {given}"), call));
        }
        if operation["requestBody"]["content"]["application/json"].is_object() {
            for body in bodies(name) {
                for (at, body) in replaced(&body, text).into_iter().enumerate() {
                    let call = Call::new(method, self.path(path) + &first(&needed))
                        .key(self.key(path))
                        .json(body.to_string());
                    all.push((format!("{name}: body {at}"), call));
                }
            }
        }
        all
    }

    /// Files of each kind, each cell of a right row replaced in turn.
    fn files(&self, text: &str) -> Vec<(String, Call)> {
        let file = |kind: &Kind| {
            let row = |at: usize| {
                let cells = kind.columns().iter().enumerate().map(|(place, column)| {
                    let cell = if place == at {
                        text
                    } else {
                        right(column.name)
                    };
                    (column.name.to_owned(), json!(cell))
                });
                let cells = cells.filter(|(_, cell)| cell != "");
                Value::Object(cells.collect::<Map<_, _>>()).to_string() + "\n"
            };
            let body: String = (0..kind.columns().len()).map(row).collect();
            let name = encoded(text);
            let path = format!(
                "/api/admin/import/{}?name={name}&source={name}",
                kind.name()
            );
            let mut call = Call::new("POST", path)
                .key(&self.service.admin)
                .header("Content-Type", "application/x-ndjson");
            call.body = body.into_bytes();
            (format!("import of {}", kind.name()), call)
        };
        Kind::ALL.iter().map(file).collect()
    }

    /// Pages and keys, of which the document says nothing.
    fn elsewhere(&self, text: &str) -> Vec<(String, Call)> {
        let text_in_path = encoded(text);
        let page = |path: String| (path.clone(), Call::new("GET", path));
        let key = Call::new("GET", "/api/v2/account").key(&format!("td_live_{text}"));
        vec![
            page(format!("/search?q={text_in_path}")),
            page(format!("/sets/{text_in_path}")),
            page(format!("/cards/{text_in_path}")),
            page(format!(
                "/exports/{text_in_path}?expires=1&signature={text_in_path}"
            )),
            ("a key".to_owned(), key),
        ]
    }
}

type Operation = (&'static str, &'static str, &'static Value);

/// A query of parameters that each begin with `&`.
fn first(parameters: &str) -> String {
    parameters.replacen('&', "?", 1)
}

/// What an answer is compared by: its status, its code, and how much was found.
fn met(reply: &Reply) -> (u16, Value, Vec<Value>) {
    let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let found = ["/metadata/total", "/total", "/data/right", "/data/wrong"]
        .iter()
        .filter_map(|place| body.pointer(place).cloned())
        .chain(body["data"].as_array().map(|rows| json!(rows.len())))
        .collect();
    // the same rows are imported once
    let status = if reply.status == 201 {
        200
    } else {
        reply.status
    };
    (status, body["error"]["code"].clone(), found)
}

/// Each place answers to such a text as it does to letters, no statement fails, and all is there.
#[test]
fn text_of_callers_never_becomes_a_statement() {
    on_each_database(|database| {
        let service = Service::with(database, |settings| {
            let plans = "[plans.business]\ndaily-credits = 1000000\nminute-calls = 1000000\nv1-minute-requests = 1000000\nv1-daily-requests = 1000000\n";
            settings.plans = Settings::parse(plans).expect("it is right").plans;
            settings.limits.account_calls = 1_000_000;
            settings.limits.keys_a_day = 1_000_000;
            settings.limits.wrong_keys = 1_000_000;
        });
        shop::stock(&service);
        let holder = service.account("site", "business");
        let spare = service.account("spare", "business").id;
        let mut sale = Call::new("POST", "/api/admin/import/sales")
            .key(&service.admin)
            .header("Content-Type", "text/csv");
        sale.body =
            b"title,price,currency,date\nCharizard 4/102 Base Set PSA 9 signed,500,USD,2024-10-01\n".to_vec();
        assert_eq!(service.send(&sale).status, 201);
        let waiting = service.ask("GET", "/review", &Value::Null).json();
        let review = waiting["data"][0]["id"].as_i64();
        let target = Target {
            holder,
            spare,
            review: review.unwrap_or_else(|| panic!("none waits: {waiting}")),
            service,
        };
        let service = &target.service;
        let everything = |text: &str| {
            let mut all: Vec<(String, Call)> = operations()
                .into_iter()
                .flat_map(|operation| target.requests(operation, text))
                .collect();
            all.extend(target.files(text));
            all.extend(target.elsewhere(text));
            all
        };
        let mut places = BTreeSet::new();
        for text in TEXTS {
            let plain = harmless(text);
            for ((place, call), (_, other)) in everything(text).into_iter().zip(everything(&plain))
            {
                let (reply, wanted) = (service.send(&call), service.send(&other));
                let said = || format!("{place}: {text}: {} {}", reply.text(), wanted.text());
                let (mut left, mut right) = (met(&reply), met(&wanted));
                if SEARCHES.contains(&place.as_str()) {
                    (left.2, right.2) = (Vec::new(), Vec::new());
                }
                assert_eq!(left, right, "{}", said());
                assert!(reply.status < 500, "{}", said());
                places.insert(place);
            }
        }
        assert!(places.len() > 150, "{}: {places:?}", places.len());
        let store = &service.server().app.store;
        assert_eq!(store.errors(), 0, "no statement failed");
        let accounts = service.ask("GET", "/accounts", &Value::Null).json();
        let names: Vec<&str> = accounts["data"]
            .as_array()
            .expect("it is a list")
            .iter()
            .filter_map(|account| account["name"].as_str())
            .collect();
        for text in TEXTS {
            assert!(
                names.contains(&text),
                "{text} is kept as it was sent: {names:?}"
            );
        }
        let sold = Call::new(
            "GET",
            format!("/api/v2/cards?marketplaceId={CHARIZARD}&includeBoth=true"),
        );
        let sold = service.send(&sold.key(&target.holder.key)).json();
        assert!(
            sold["data"][0]["auction"]["GRADER_A_10"].is_object(),
            "{sold}"
        );
        target.service.stop();
    });
}

/// Each member of a body that the document calls a text stands in the body of the test.
#[test]
fn bodies_of_the_test_have_every_text_of_the_document() {
    let mut texts = 0;
    for (_, path, operation) in operations() {
        let content = &operation["requestBody"]["content"]["application/json"];
        let name = operation["operationId"].as_str().expect("it has a name");
        let Some(schema) = content["schema"]["$ref"].as_str() else {
            continue;
        };
        let schema = schema.strip_prefix('#').expect("it lies in the document");
        let schema = document().value.pointer(schema).expect("it is there");
        let sent = bodies(name);
        let several = schema["oneOf"].as_array().into_iter().flatten();
        let several = several.filter_map(|of| of["$ref"].as_str()?.strip_prefix('#'));
        let parts = several.filter_map(|place| document().value.pointer(place));
        for part in parts.chain([schema]) {
            for (member, of) in part["properties"].as_object().into_iter().flatten() {
                let text = of["type"] == "string" || of["type"] == json!(["string", "null"]);
                let stands = sent.iter().any(|body| body.get(member).is_some());
                assert!(!text || stands, "{path} {name}: {member}");
                texts += usize::from(text);
            }
        }
    }
    assert!(texts > 15, "{texts}");
}
