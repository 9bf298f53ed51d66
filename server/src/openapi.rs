//! [`Document`]: the OpenAPI 3.1 document, made from the annotations and types of the handlers.
//!
//! Handlers describe themselves. What the middleware does with every request (keys, errors,
//! headers) is added here, once for all.

use crate::credits::Meter;
use crate::http::CODES;
use crate::parameters::MOST_TEXT;
use crate::plans::Plans;
use axum::body::Bytes;
use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi;

/// The examples of the document. They are real answers; a test compares them with the service.
const EXAMPLES: &str = include_str!("openapi/examples.json");
const ABOUT: &str = include_str!("openapi/about.md");
/// Headers: name, type, meaning.
const HEADERS: &[(&str, &str, &str)] = &[
    (
        "X-Request-Id",
        "string",
        "The id of the request: the caller's, where it is a word of up to 64 letters, digits and `-_.:`",
    ),
    (
        "X-Response-Time",
        "number",
        "Milliseconds until the head of the answer, with three decimals",
    ),
    (
        "X-RateLimit-Cost",
        "integer",
        "Credits that the request consumed; errors consume none",
    ),
    (
        "X-RateLimit-Daily-Remaining",
        "integer",
        "Credits left of the UTC day; 0 for unknown callers",
    ),
    (
        "X-RateLimit-Minute-Remaining",
        "integer",
        "Calls left of the minute; 0 for unknown callers",
    ),
    (
        "X-RateLimit-Daily-Limit",
        "integer",
        "Requests of a UTC day",
    ),
    (
        "X-RateLimit-Daily-Reset",
        "integer",
        "The second since 1970 in which the next day begins",
    ),
    (
        "X-RateLimit-Minute-Limit",
        "integer",
        "Requests of a minute",
    ),
    (
        "X-RateLimit-Minute-Reset",
        "integer",
        "The second since 1970 in which the next minute begins",
    ),
    (
        "Retry-After",
        "integer",
        "Seconds after which a retry may succeed",
    ),
    ("WWW-Authenticate", "string", "`Bearer`"),
    ("Allow", "string", "The methods that the path has"),
    (
        "X-Catalogue-Version",
        "string",
        "Name and checksum of the catalogue, where the body has no metadata",
    ),
];
/// The pattern of words in a query: not blank, no control characters.
const WORDS: &str = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$";
/// The statuses of errors: number, name, meaning.
const STATUSES: &[(u16, &str, &str)] = &[
    (400, "BadRequest", "The request is invalid"),
    (401, "Unauthorized", "There is no key, or an unknown one"),
    (403, "Forbidden", "The key, or its plan, does not allow it"),
    (404, "NotFound", "It does not exist"),
    (405, "MethodNotAllowed", "The path has no such method"),
    (409, "Conflict", "It cannot be done now"),
    (413, "ContentTooLarge", "The body is too large"),
    (
        415,
        "UnsupportedMediaType",
        "The body is not announced in a form that is read here",
    ),
    (429, "TooManyRequests", "Too few credits or calls are left"),
    (
        500,
        "InternalServerError",
        "The server failed; nothing was charged",
    ),
    (
        503,
        "ServiceUnavailable",
        "The server cannot answer now; nothing was charged",
    ),
];

/// The document.
#[derive(Debug)]
pub struct Document {
    /// As a value.
    pub value: Value,
    /// As it is served.
    pub json: Bytes,
}

impl Document {
    /// The document of a service with these handlers, plans and open games.
    #[must_use]
    pub fn new(api: &OpenApi, plans: &Plans, games: &[String]) -> Self {
        let value = completed(api, plans, games);
        let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
        text.push('\n');
        Self {
            value,
            json: text.into(),
        }
    }
}

/// The document of the handlers, with what is common to all of them.
fn completed(api: &OpenApi, plans: &Plans, games: &[String]) -> Value {
    let mut value = serde_json::to_value(api).unwrap_or_default();
    value["openapi"] = json!("3.1.0");
    value["info"] = json!({
        "title": "titledex", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT, "license": {"name": "MIT", "identifier": "MIT"},
    });
    value["servers"] = json!([{"url": "/"}]);
    value["tags"] = json!([
        {"name": "titles", "description": "Reading titles, with a holder's key"},
        {"name": "market", "description": "Cards, sets, sealed products and populations, with a holder's key"},
        {"name": "v1", "description": "The older version, counted in requests per day, not credits, with a holder's key"},
        {"name": "export", "description": "The daily export, by plan"},
        {"name": "account", "description": "The account of the key: what is left, its keys, its usage"},
        {"name": "admin", "description": "Accounts, keys, plans and the catalogue, with an administrator's key"},
        {"name": "health", "description": "Without a key"},
    ]);
    let examples: Value = serde_json::from_str(EXAMPLES).unwrap_or_default();
    if let Some(paths) = value["paths"].as_object_mut() {
        for (path, methods) in paths {
            for operation in methods
                .as_object_mut()
                .into_iter()
                .flat_map(Map::values_mut)
            {
                complete(path, operation, (&examples, games));
            }
        }
    }
    let components = &mut value["components"];
    components["headers"] = HEADERS
        .iter()
        .map(|(name, kind, meaning)| ((*name).to_owned(), header(name, kind, meaning)))
        .collect();
    components["responses"] = STATUSES
        .iter()
        .map(|(status, name, meaning)| ((*name).to_owned(), error(*status, meaning, None)))
        .collect();
    components["securitySchemes"] = json!({"key": {
        "type": "http", "scheme": "bearer",
        "description": "A holder's key, `td_live_…`, for `/api/v2`; an administrator's, `td_admin_…`, for `/api/admin`",
    }});
    if let Some(schemas) = components["schemas"].as_object_mut() {
        schemas.values_mut().for_each(never_null);
        // generic schemas are expanded everywhere, so their parts get names
        for (name, schema) in schemas.iter_mut() {
            let reference = |of: &str| json!({"$ref": format!("#/components/schemas/{of}")});
            if let Some((of, _)) = name
                .strip_prefix("Listed_Vec_")
                .and_then(|rest| rest.split_once('_'))
            {
                schema["properties"]["data"]["items"] = reference(of);
                schema["properties"]["data"]["description"] =
                    json!("What matches, one page of it.");
            }
            if let Some(credits) = name.strip_prefix("ListMetadata_") {
                schema["properties"]["apiCallsConsumed"] = reference(credits);
            }
            let (list, of) = match (name.strip_prefix("Data_Vec_"), name.strip_prefix("Data_")) {
                (Some(of), _) => (true, of),
                (None, Some(of)) => (false, of),
                (None, None) => continue,
            };
            let one = json!({"$ref": format!("#/components/schemas/{of}")});
            let data = if list {
                json!({"type": "array", "items": one, "description": "All of them."})
            } else {
                one
            };
            schema["properties"]["data"] = data;
        }
        let codes: Vec<_> = CODES.iter().map(|(_, code, _)| code).collect();
        schemas["Error"]["properties"]["code"]["enum"] = json!(codes);
        let plans: Vec<_> = plans.iter().map(|plan| &plan.name).collect();
        for body in ["AccountBody", "PlanBody"] {
            schemas[body]["properties"]["plan"]["enum"] = json!(plans);
        }
        let error = &mut schemas["TitleError"]["properties"]["code"];
        error["enum"] = json!(["too_long", "invalid_utf8"]);
    }
    value
}

fn header(name: &str, kind: &str, meaning: &str) -> Value {
    let schema = match kind {
        "integer" => json!({"type": "integer", "minimum": 0}),
        "number" => json!({"type": "number", "minimum": 0}),
        _ if name == "X-Request-Id" => json!({"type": "string", "minLength": 1, "maxLength": 64}),
        kind => json!({"type": kind}),
    };
    json!({"description": meaning, "required": true, "schema": schema})
}

/// References to the headers of an answer.
fn headers(status: u16, counted: Option<Meter>) -> Value {
    let mut names = vec!["X-Request-Id", "X-Response-Time"];
    match counted {
        Some(Meter::V2) => names.extend([
            "X-RateLimit-Cost",
            "X-RateLimit-Daily-Remaining",
            "X-RateLimit-Minute-Remaining",
        ]),
        Some(Meter::V1) => names.extend([
            "X-RateLimit-Daily-Limit",
            "X-RateLimit-Daily-Remaining",
            "X-RateLimit-Daily-Reset",
            "X-RateLimit-Minute-Limit",
            "X-RateLimit-Minute-Remaining",
            "X-RateLimit-Minute-Reset",
        ]),
        None => {}
    }
    match status {
        401 => names.push("WWW-Authenticate"),
        405 => names.push("Allow"),
        429 | 503 => names.push("Retry-After"),
        _ => {}
    }
    names
        .into_iter()
        .map(|name| {
            (
                name.to_owned(),
                json!({"$ref": format!("#/components/headers/{name}")}),
            )
        })
        .collect()
}

/// The description of an error response.
fn error(status: u16, meaning: &str, counted: Option<Meter>) -> Value {
    let codes = CODES.iter().filter(|(of, ..)| *of == status);
    let codes: Vec<String> = codes
        .map(|(_, code, meaning)| format!("- `{code}`: {meaning}"))
        .collect();
    json!({
        "description": format!("{meaning}.\n\n{}", codes.join("\n")),
        "headers": headers(status, counted),
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}},
    })
}

/// What the parameter `game` may be: these ids, with commas between them.
fn pattern_of(games: &[String]) -> String {
    let one = games.join("|");
    format!("^({one})(,({one}))*$")
}

/// Adds to an operation its examples, the games that it knows, and what the middleware does.
fn complete(path: &str, operation: &mut Value, (examples, games): (&Value, &[String])) {
    let keyed = path.starts_with("/api") || path == "/metrics";
    let versions = [("/api/v1", Meter::V1), ("/api/v2", Meter::V2)];
    let counted = versions
        .into_iter()
        .find(|(root, _)| path.starts_with(root))
        .map(|(_, meter)| meter);
    let id = operation["operationId"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let mut errors: Vec<u16> = Vec::new();
    if keyed {
        operation["security"] = json!([{"key": []}]);
        errors.extend([400, 401, 403, 429, 500, 503]);
    }
    let parameter = |name: &str| {
        operation["parameters"]
            .as_array()
            .is_some_and(|all| all.iter().any(|of| of["name"] == name))
    };
    if path.contains('{') || parameter("set") || parameter("setId") {
        errors.push(404);
    }
    if operation.get("requestBody").is_some() {
        errors.extend([413, 415]);
        operation["requestBody"]["required"] = json!(true);
    }
    for parameter in operation
        .get_mut("parameters")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        let of_games = parameter["name"] == "game";
        let schema = &mut parameter["schema"];
        if of_games {
            schema["pattern"] = json!(pattern_of(games));
        } else if schema["maxLength"] == MOST_TEXT {
            schema["pattern"] = json!(WORDS);
        }
    }
    let Some(responses) = operation["responses"].as_object_mut() else {
        return;
    };
    for status in errors {
        responses.entry(status.to_string()).or_insert(Value::Null);
    }
    for (status, response) in responses {
        let status: u16 = status.parse().unwrap_or_default();
        if let Some((_, name, meaning)) = STATUSES.iter().find(|(of, ..)| *of == status) {
            *response = if counted.is_some() {
                error(status, meaning, counted)
            } else {
                json!({"$ref": format!("#/components/responses/{name}")})
            };
            continue;
        }
        response["headers"] = headers(status, counted);
        if let Some(lines) = response.pointer_mut("/content/application~1x-ndjson") {
            lines["schema"] = json!({"type": "string", "description": "A line for each title of the batch: a `ParseTitleItem`"});
            response["headers"]["X-Catalogue-Version"] = json!({"description": HEADERS[HEADERS.len() - 1].2, "required": false, "schema": {"type": "string"}});
        }
    }
    for example in examples[&id].as_array().into_iter().flatten() {
        let name = example["name"].as_str().unwrap_or_default();
        let shown = |value: &Value| json!({"summary": example["summary"], "value": value});
        if !example["request"].is_null() {
            operation["requestBody"]["content"]["application/json"]["examples"][name] =
                shown(&example["request"]);
        }
        let status = example["status"].as_u64().unwrap_or_default().to_string();
        let kind = example["type"].as_str().unwrap_or("application/json");
        let response = &mut operation["responses"][&status];
        if response.get("content").is_some() {
            response["content"][kind]["examples"][name] = shown(&example["response"]);
        }
    }
    let revoke = match id.as_str() {
        "createKey" => "revokeKey",
        "createAdminKey" | "createKeyOfAccount" => "revokeAnyKey",
        _ => return,
    };
    operation["responses"]["201"]["links"] =
        json!({"revoke": {"operationId": revoke, "parameters": {"id": "$response.body#/data/id"}}});
}

/// The optional members of bodies that may be null, as clients send them that leave none out:
/// `options` of titles, and its members.
const MAY_BE_NULL: [&str; 5] = [
    "options",
    "fuzzyMatching",
    "maxSuggestions",
    "includeConfidence",
    "brief",
];

/// Removes `null` from the types of other optional members. Answers leave such members out, and bodies
/// with a null are refused.
fn never_null(schema: &mut Value) {
    for part in ["allOf", "oneOf", "anyOf"] {
        schema[part]
            .as_array_mut()
            .into_iter()
            .flatten()
            .for_each(never_null);
        if schema[part].is_null() {
            schema
                .as_object_mut()
                .and_then(|schema| schema.remove(part));
        }
    }
    let required: Vec<String> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|name| Some(name.as_str()?.to_owned()))
        .collect();
    if schema["required"].is_null() {
        schema
            .as_object_mut()
            .and_then(|schema| schema.remove("required"));
    }
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    for (name, property) in properties {
        if required.contains(name) || MAY_BE_NULL.contains(&name.as_str()) {
            // the description belongs to the nullable member as a whole
            let kinds = property.get_mut("oneOf").and_then(Value::as_array_mut);
            let said = kinds.into_iter().flatten().find_map(|kind| {
                let kind = kind.as_object_mut()?;
                kind.remove("description")
            });
            if let Some(said) = said {
                property["description"] = said;
            }
            continue;
        }
        if let Some(kinds) = property["type"].as_array_mut() {
            kinds.retain(|kind| kind != "null");
            if let [kind] = kinds.as_slice() {
                property["type"] = kind.clone();
            }
        }
        for part in ["oneOf", "anyOf"] {
            let Some(kinds) = property.get_mut(part).and_then(Value::as_array_mut) else {
                continue;
            };
            kinds.retain(|kind| kind["type"] != "null");
            if let [only] = kinds.as_slice() {
                let (only, said) = (only.clone(), property.get("description").cloned());
                *property = only;
                if let Some(said) = said {
                    property["description"] = said;
                }
            }
        }
        if property.get("type").is_some_and(Value::is_null) {
            property
                .as_object_mut()
                .and_then(|property| property.remove("type"));
        }
    }
}
