//! The examples of the OpenAPI document: real answers of a service.

use crate::client::{Call, Reply};
use crate::openapi::{hold, operations};
use crate::prices::shop;
use crate::support::{Holder, Service};
use serde_json::{Value, json};

/// Replaces the random parts of an answer: keys and their prefixes.
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

/// Examples by the ids of operations.
#[derive(Default)]
struct Examples(serde_json::Map<String, Value>);

impl Examples {
    fn add(&mut self, id: &str, name: &str, summary: &str, request: Value, reply: &Reply) {
        let kind = reply.header("content-type").expect("it has one");
        let mut response = if kind == "application/json" {
            reply.json()
        } else {
            json!(reply.text())
        };
        settled(&mut response);
        let made = json!({"name": name, "summary": summary, "request": request, "status": reply.status, "type": kind, "response": response});
        let list = self
            .0
            .entry(id)
            .or_insert_with(|| json!([]))
            .as_array_mut()
            .expect("it is one");
        list.push(made);
    }
}

/// The examples of the document are what the service answers.
#[test]
fn examples_equal_the_answers() {
    let (service, _database) = Service::start();
    shop::stock(&service);
    let holder = service.account("card shop", "api");
    let mut examples = Examples::default();
    read_titles(&service, &holder, &mut examples);
    service
        .runtime()
        .block_on(service.server().app.ledger.close());
    use_account(&service, &holder, &mut examples);
    administer_accounts(&service, &holder, &mut examples);
    administer_service(&service, &mut examples);
    let large = service.account("price site", "business");
    read_market(&service, &large, &mut examples);
    operate(&service, &mut examples);
    let Examples(examples) = examples;
    let text = serde_json::to_string_pretty(&examples).expect("it is JSON") + "\n";
    // every operation has one but the document's own, the metrics, which are never the same twice,
    // the export, whose answer has no body, and the review of sold listings and the corrections of
    // the market, which docs/MARKET.md shows
    let without = [
        "getDocument",
        "readMetrics",
        "getExport",
        "listReview",
        "getReview",
        "readReview",
        "findPrintings",
        "acceptReview",
        "rejectReview",
        "acceptReviews",
        "rejectReviews",
        "listChanges",
        "undoChange",
        "listSales",
        "deleteSale",
        "listPrices",
        "deletePrice",
        "deletePopulation",
        "mergeCards",
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

fn read_titles(service: &Service, holder: &Holder, examples: &mut Examples) {
    let id = |call: Call| call.header("X-Request-Id", "example-1");
    let one = json!({"title": "1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT", "options": {"maxSuggestions": 1}});
    examples.add(
        "parseTitle",
        "title",
        "one title",
        one.clone(),
        &service.send(&Call::parse(&holder.key, one.to_string())),
    );
    let many =
        json!({"titles": ["Pikachu 58/102 Base Set PSA 9", ""], "options": {"maxSuggestions": 1}});
    let reply = service.send(&Call::parse(&holder.key, many.to_string()));
    examples.add(
        "parseTitle",
        "titles",
        "a batch, one title of which is empty",
        many.clone(),
        &reply,
    );
    let reply = service
        .send(&Call::parse(&holder.key, many.to_string()).header("Accept", "application/x-ndjson"));
    examples.add(
        "parseTitle",
        "titles-as-lines",
        "the same batch with Accept: application/x-ndjson",
        many,
        &reply,
    );
    let wrong = json!({"title": "Pikachu 58/102", "maxSuggestions": 3});
    let reply = service.send(&id(Call::parse(&holder.key, wrong.to_string())));
    examples.add(
        "parseTitle",
        "unknown-option",
        "a member that is not known",
        Value::Null,
        &reply,
    );
    assert_eq!(reply.status, 400);
}

fn use_account(service: &Service, holder: &Holder, examples: &mut Examples) {
    let get = |path: &str| {
        service.send(&Call::new("GET", format!("/api/v2/account{path}")).key(&holder.key))
    };
    examples.add("getAccount", "account", "an account", Value::Null, &get(""));
    examples.add(
        "getUsage",
        "usage",
        "a day's usage",
        Value::Null,
        &get("/usage?days=7"),
    );
    examples.add(
        "getUsageByEndpoint",
        "endpoints",
        "a day's calls by endpoint",
        Value::Null,
        &get("/usage/endpoints?days=7"),
    );
    let body = json!({"name": "price bot"});
    let made = service.send(
        &Call::new("POST", "/api/v2/account/keys")
            .key(&holder.key)
            .json(body.to_string()),
    );
    examples.add("createKey", "key", "a key", body, &made);
    let number = made.json()["data"]["id"].clone();
    let gone = service
        .send(&Call::new("DELETE", format!("/api/v2/account/keys/{number}")).key(&holder.key));
    examples.add(
        "revokeKey",
        "revoked",
        "a key that is revoked",
        Value::Null,
        &gone,
    );
    examples.add(
        "listKeys",
        "keys",
        "two keys, one of them revoked",
        Value::Null,
        &get("/keys"),
    );
}

fn administer_accounts(service: &Service, holder: &Holder, examples: &mut Examples) {
    let body = json!({"name": "auction bot", "plan": "free"});
    examples.add(
        "createAccount",
        "account",
        "an account",
        body.clone(),
        &service.ask("POST", "/accounts", &body),
    );
    examples.add(
        "listAccounts",
        "accounts",
        "two accounts",
        Value::Null,
        &service.ask("GET", "/accounts", &Value::Null),
    );
    let one = format!("/accounts/{}", holder.id);
    examples.add(
        "getAnAccount",
        "account",
        "an account",
        Value::Null,
        &service.ask("GET", &one, &Value::Null),
    );
    let body = json!({"plan": "business"});
    examples.add(
        "setPlan",
        "plan",
        "another plan",
        body.clone(),
        &service.ask("PUT", &format!("{one}/plan"), &body),
    );
    let body = json!({"status": "active"});
    examples.add(
        "setAccountStatus",
        "same",
        "a status that it has already",
        body.clone(),
        &service.ask("PUT", &format!("{one}/status"), &body),
    );
    let body = json!({"name": "second"});
    examples.add(
        "createKeyOfAccount",
        "key",
        "a key",
        body.clone(),
        &service.ask("POST", &format!("{one}/keys"), &body),
    );
    examples.add(
        "listKeysOfAccount",
        "keys",
        "its keys",
        Value::Null,
        &service.ask("GET", &format!("{one}/keys"), &Value::Null),
    );
    examples.add(
        "getUsageOfAccount",
        "usage",
        "a day's usage",
        Value::Null,
        &service.ask("GET", &format!("{one}/usage"), &Value::Null),
    );
}

/// Administrators' keys, plans and the catalogue.
fn administer_service(service: &Service, examples: &mut Examples) {
    let body = json!({"name": "on call"});
    let made = service.ask("POST", "/keys", &body);
    examples.add("createAdminKey", "key", "a key", body, &made);
    examples.add(
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
    examples.add(
        "revokeAnyKey",
        "revoked",
        "a key that is revoked",
        Value::Null,
        &gone,
    );
    examples.add(
        "listPlans",
        "plans",
        "the plans",
        Value::Null,
        &service.ask("GET", "/plans", &Value::Null),
    );
    examples.add(
        "reloadCatalogue",
        "same",
        "the same catalogue as before",
        Value::Null,
        &service.ask("POST", "/catalogue/reload", &Value::Null),
    );
}

fn read_market(service: &Service, large: &Holder, examples: &mut Examples) {
    let market =
        |path: &str| service.send(&Call::new("GET", format!("/api{path}")).key(&large.key));
    let card = format!(
        "/v2/cards?marketplaceId={}&includeBoth=true&includeEur=true&days=3",
        shop::CHARIZARD
    );
    examples.add(
        "listCards",
        "card",
        "a card with all that there is",
        Value::Null,
        &market(&card),
    );
    examples.add(
        "listCards",
        "search",
        "a search",
        Value::Null,
        &market("/v2/cards?search=umbreon%20alt%20art&limit=1"),
    );
    examples.add(
        "listSets",
        "sets",
        "sets by name",
        Value::Null,
        &market("/v2/sets?search=base&limit=1"),
    );
    let sealed = "/v2/sealed-products?search=booster%20box&includeHistory=true&days=2";
    examples.add(
        "listSealedProducts",
        "products",
        "a box",
        Value::Null,
        &market(sealed),
    );
    let population = format!("/v2/population?marketplaceId={}", shop::CHARIZARD);
    examples.add(
        "listPopulations",
        "population",
        "a card's population",
        Value::Null,
        &market(&population),
    );
    examples.add(
        "listPopulations",
        "none",
        "a card without data",
        Value::Null,
        &market("/v2/population?marketplaceId=nobody"),
    );
    examples.add(
        "listPricesV1",
        "cards",
        "a card by its number",
        Value::Null,
        &market("/v1/prices?setId=base1&number=15"),
    );
    examples.add(
        "listSetsV1",
        "sets",
        "a set",
        Value::Null,
        &market("/v1/sets?name=jungle"),
    );
}

/// What whoever operates the service asks it.
fn operate(service: &Service, examples: &mut Examples) {
    examples.add(
        "isAlive",
        "alive",
        "it lives",
        Value::Null,
        &service.send(&Call::new("GET", "/healthz")),
    );
    examples.add(
        "isReady",
        "ready",
        "it can answer",
        Value::Null,
        &service.send(&Call::new("GET", "/readyz")),
    );
    let mut rates = Call::new("POST", "/api/admin/import/rates?name=rates.csv")
        .key(&service.admin)
        .header("Content-Type", "text/csv");
    rates.body = b"date,currency,usdPerUnit\n2024-10-03,JPY,0.007\n3.10.2024,EUR,1.1\n".to_vec();
    examples.add(
        "importFile",
        "rates",
        "two rows of rates, one of them wrong",
        Value::Null,
        &service.send(&rates),
    );
}
