//! The OpenAPI document as HTML for people: the contents of the page `/docs`, complete before any
//! script runs.

mod samples;

use crate::http::CODES;
use maud::{Markup, html};
use serde_json::{Map, Value};

/// The chapter that holders of keys need not see.
const ADMIN: &str = "admin";

/// A sentence with `code` between backticks.
fn sentence(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// The first paragraph of a description. The rest is a list that the page shows elsewhere.
fn first(value: &Value) -> Markup {
    let text = value["description"].as_str().unwrap_or_default();
    sentence(text.split("\n\n").next().unwrap_or_default())
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Method, path, and what the document says of it.
type Operation<'d> = (&'d str, &'d str, &'d Value);

/// All operations with method and path, tag by tag.
fn operations(document: &Value) -> Vec<(&Value, Vec<Operation<'_>>)> {
    let of = |tag: &Value| {
        let all = entries(&document["paths"]).flat_map(|(path, methods)| {
            entries(methods).map(move |(method, of)| (method, path, of))
        });
        all.filter(|(_, _, operation)| operation["tags"][0] == tag["name"])
            .map(|(method, path, of)| (method.as_str(), path.as_str(), of))
            .collect()
    };
    document["tags"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|tag| (tag, of(tag)))
        .collect()
}

/// The table of contents.
pub(crate) fn contents(document: &Value) -> Markup {
    html! {
        @for (tag, operations) in operations(document) {
            @let name = text(&tag["name"]);
            li {
                a href={ "#" (name) } { (capital(name)) }
                // administrators know where theirs are
                @if name != ADMIN { ul {
                    @for (method, path, operation) in operations {
                        li {
                            a href={ "#" (text(&operation["operationId"])) } {
                                b { (method.to_uppercase()) } " " (breakable(path))
                            }
                        }
                    }
                } }
            }
        }
    }
}

/// A path that may be broken at its slashes.
fn breakable(path: &str) -> Markup {
    html! {
        @for (at, part) in path.split('/').enumerate() {
            @if at > 0 { wbr; "/" }
            (part)
        }
    }
}

/// Operations, objects and errors.
pub(crate) fn reference(document: &Value) -> Markup {
    let codes = CODES.iter().map(|(status, code, meaning)| {
        [
            html! { (status) },
            html! { code { (code) } },
            sentence(meaning),
        ]
    });
    let headers = entries(&document["components"]["headers"]).map(|(name, header)| {
        [
            html! { code { (name) } },
            kind(&header["schema"]),
            first(header),
        ]
    });
    html! {
        @for (tag, operations) in operations(document) {
            @let name = text(&tag["name"]);
            section {
                h2 id=(name) { (capital(name)) }
                p { (first(tag)) }
                @if name == ADMIN {
                    details class="operation" {
                        summary { "For administrators" }
                        @for (method, path, of) in operations { (operation(document, method, path, of)) }
                    }
                } @else {
                    @for (method, path, of) in operations { (operation(document, method, path, of)) }
                }
            }
        }
        section {
            h2 id="errors" { "Errors" }
            p { "All errors have one shape, " a href="#schema-ErrorBody" { "ErrorBody" } "." }
            details class="operation" { summary { "All codes" } (table(["status", "code", "meaning"], codes)) }
        }
        section {
            h2 id="headers" { "Headers of answers" }
            details class="operation" { summary { "All headers" } (table(["header", "type", "meaning"], headers)) }
        }
        section {
            h2 id="objects" { "Objects" }
            // `Data_…` is an object with `data` and no more
            @for (name, schema) in entries(&document["components"]["schemas"]).filter(|(name, _)| !name.starts_with("Data_")) {
                details class="operation object" {
                    summary { h3 { (name) } }
                    div id={ "schema-" (name) } {
                        p { (first(schema)) }
                        (object(schema))
                    }
                }
            }
        }
    }
}

fn table<const N: usize>(heads: [&str; N], rows: impl Iterator<Item = [Markup; N]>) -> Markup {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return Markup::default();
    }
    html! {
        div class="wide" tabindex="0" {
            table {
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                tbody {
                    @for row in rows { tr { @for cell in row { td { (cell) } } } }
                }
            }
        }
    }
}

/// Markup with `between` between its parts.
fn joined(parts: impl Iterator<Item = Markup>, between: &str) -> Markup {
    html! {
        @for (at, part) in parts.enumerate() {
            @if at > 0 { (between) }
            (part)
        }
    }
}

/// The type of a value in words, with links to objects.
fn kind(schema: &Value) -> Markup {
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next())
    {
        return html! {
            @if name.starts_with("Data_") { "object" } @else { a href={ "#schema-" (name) } { (name) } }
        };
    }
    for (part, between) in [("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")] {
        if let Some(parts) = schema[part].as_array() {
            return joined(parts.iter().map(kind), between);
        }
    }
    let named = match &schema["type"] {
        Value::String(name) if name == "array" => html! { "array of " (kind(&schema["items"])) },
        Value::String(name) => html! { (name) },
        Value::Array(names) => joined(names.iter().map(|name| html! { (text(name)) }), " or "),
        _ => html! { "anything" },
    };
    let mut limits = Vec::new();
    let bounds = [
        ("minimum", "≥ "),
        ("maximum", "≤ "),
        ("maxLength", "characters ≤ "),
        ("minItems", "items ≥ "),
        ("maxItems", "items ≤ "),
    ];
    for (name, sign) in bounds {
        if !schema[name].is_null() {
            limits.push(format!("{sign}{}", schema[name]));
        }
    }
    if !schema["default"].is_null() {
        limits.push(format!("default {}", schema["default"]));
    }
    if let Some(format) = schema["format"]
        .as_str()
        .filter(|format| format.starts_with("date"))
    {
        limits.push(format.to_owned());
    }
    html! { (named) @for limit in limits { ", " (limit) } }
}

fn object(schema: &Value) -> Markup {
    if let Some(values) = schema["enum"].as_array() {
        let values = values.iter().filter_map(Value::as_str);
        let values = joined(values.map(|value| html! { code { (value) } }), ", ");
        return html! { p { "One of " (values) "." } };
    }
    let parts: Vec<&Value> = schema["allOf"].as_array().into_iter().flatten().collect();
    let with_members: Vec<&Value> = parts
        .iter()
        .copied()
        .chain([schema])
        .filter(|part| part.get("properties").is_some())
        .collect();
    html! {
        @for part in parts.iter().filter(|part| part.get("$ref").is_some()) {
            p { "All of " (kind(part)) ", and:" }
        }
        @if with_members.is_empty() && schema["allOf"].is_null() { p { (kind(schema)) } }
        @for schema in with_members { (members(schema)) }
    }
}

fn members(schema: &Value) -> Markup {
    let required = |name: &str| {
        schema["required"]
            .as_array()
            .is_some_and(|names| names.iter().any(|known| known == name))
    };
    let rows = entries(&schema["properties"]).map(|(name, member)| {
        let name = html! {
            code { (name) }
            @if !required(name) { " " i { "may be absent" } }
        };
        [name, kind(member), first(member)]
    });
    table(["member", "type", "meaning"], rows)
}

fn pretty(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => serde_json::to_string_pretty(value).unwrap_or_default(),
    }
}

fn operation(document: &Value, method: &str, path: &str, operation: &Value) -> Markup {
    let id = text(&operation["operationId"]);
    let parameters: Vec<&Value> = operation["parameters"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    let rows = parameters.iter().map(|of| {
        [
            html! { code { (text(&of["name"])) } },
            html! { (text(&of["in"])) ", " (kind(&of["schema"])) },
            first(of),
        ]
    });
    let body = &operation["requestBody"]["content"]["application/json"];
    let example = entries(&body["examples"])
        .map(|(_, example)| &example["value"])
        .next();
    let responses = &operation["responses"];
    let (answers, errors): (Vec<_>, Vec<_>) =
        entries(responses).partition(|(status, _)| status.starts_with('2'));
    let examples = entries(responses)
        .flat_map(|(_, response)| entries(&response["content"]))
        .flat_map(|(_, content)| entries(&content["examples"]));
    html! {
        details class="operation" {
            summary {
                h3 { b class="method" { (method.to_uppercase()) } " " code { (breakable(path)) } }
                " "
                span class="soft" { (sentence(text(&operation["summary"]))) }
            }
            article id=(id) {
            @if let Some(more) = operation["description"].as_str() { p { (sentence(more)) } }
            (table(["parameter", "type", "meaning"], rows))
            @if !body.is_null() { p { "Body: " (kind(&body["schema"])) } }
            @for (at, (language, sample)) in samples::all(method, path, operation, example).into_iter().enumerate() {
                details class="sample" name={ "sample-" (id) } open[at == 0] {
                    summary { (language) }
                    pre class="curl" tabindex="0" { (sample) }
                }
            }
            @for (status, response) in answers {
                p { b { (status) } " " (first(response)) (answered(document, response)) }
            }
            @if !errors.is_empty() {
                @let statuses = errors.iter().map(|(status, _)| html! { (status) });
                p { "Errors: " (joined(statuses, ", ")) " (" a href="#errors" { "codes" } ")" }
            }
            @for (_, example) in examples {
                details {
                    summary { "Example: " (text(&example["summary"])) }
                    pre tabindex="0" { (pretty(&example["value"])) }
                }
            }
            (form(id, method, path, &parameters, &operation["requestBody"]["content"]))
            }
        }
    }
}

/// A chapter's name as a heading.
fn capital(name: &str) -> String {
    let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
    first.to_uppercase() + rest
}

/// What an answer has.
fn answered(document: &Value, response: &Value) -> Markup {
    let schema = &response["content"]["application/json"]["schema"];
    let data = schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next())
        .map(|name| &document["components"]["schemas"][name]["properties"]["data"])
        .filter(|data| !data.is_null());
    html! {
        @if let Some(data) = data {
            ": " code { "data" } " is " (kind(data))
        } @else if !schema.is_null() {
            ": " (kind(schema))
        }
    }
}

/// Whether a parameter is a whole number.
fn is_whole(schema: &Value) -> bool {
    let kinds = [&schema["type"], &schema["type"][0]];
    kinds.iter().any(|kind| *kind == "integer")
}

/// A form that sends the request. A script of the page reads it.
fn form(id: &str, method: &str, path: &str, parameters: &[&Value], content: &Value) -> Markup {
    let json = &content["application/json"];
    let mut examples = entries(&json["examples"]).map(|(_, example)| pretty(&example["value"]));
    let example = examples.next().unwrap_or_default();
    let kinds: Vec<&str> = entries(content).map(|(kind, _)| kind.as_str()).collect();
    html! {
        details class="try" {
            summary { "Try it" }
            form data-method=(method) data-path=(path) {
                @for parameter in parameters {
                    @let (name, place) = (text(&parameter["name"]), text(&parameter["in"]));
                    label {
                        (name) " "
                        input name=(name) data-in=(place) inputmode=[is_whole(&parameter["schema"]).then_some("numeric")] autocomplete="off" required[place == "path"];
                    }
                }
                @if kinds.len() > 1 {
                    label {
                        "Content-Type "
                        select name="content-type" { @for kind in &kinds { option { (kind) } } }
                    }
                }
                @if !kinds.is_empty() {
                    label {
                        "Body "
                        textarea name="body" rows="6" spellcheck="false" data-kind=(kinds[0]) { (example) }
                    }
                }
                button { "Send " (method.to_uppercase()) " " (path) }
            }
            output aria-label={ "Answer of " (id) } {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{kind, sentence};
    use serde_json::json;

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            sentence("<a href=\"x\">&").into_string(),
            "&lt;a href=&quot;x&quot;&gt;&amp;"
        );
        assert_eq!(
            sentence("write `<b>` here").into_string(),
            "write <code>&lt;b&gt;</code> here"
        );
    }

    #[test]
    fn types_are_described_in_words() {
        assert_eq!(
            kind(&json!({"type": "array", "items": {"type": "string"}})).into_string(),
            "array of string"
        );
        assert_eq!(
            kind(&json!({"type": "integer", "minimum": 1, "maximum": 50})).into_string(),
            "integer, ≥ 1, ≤ 50"
        );
        assert_eq!(
            kind(&json!({"$ref": "#/components/schemas/Answer"})).into_string(),
            "<a href=\"#schema-Answer\">Answer</a>"
        );
    }
}
