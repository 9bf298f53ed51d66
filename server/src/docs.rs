//! The OpenAPI document as HTML for people: the contents of the page `/docs`, whole before any script runs.

use crate::html::escape;
use serde_json::{Map, Value};
use std::fmt::Write;

/// A sentence with `code` between backticks.
fn sentence(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(at, part)| {
            if at % 2 == 1 {
                format!("<code>{}</code>", escape(part))
            } else {
                escape(part)
            }
        })
        .collect()
}

/// The first paragraph of a description: what follows it is a list that stands elsewhere.
fn first(value: &Value) -> String {
    sentence(
        value["description"]
            .as_str()
            .unwrap_or_default()
            .split("\n\n")
            .next()
            .unwrap_or_default(),
    )
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
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

/// The list of what the page has.
pub(crate) fn contents(document: &Value) -> String {
    let mut out = String::new();
    for (tag, operations) in operations(document) {
        let name = tag["name"].as_str().unwrap_or_default();
        let _ = write!(out, "<li><a href=\"#{name}\">{name}</a><ul>");
        for (method, path, operation) in operations {
            let id = operation["operationId"].as_str().unwrap_or_default();
            let _ = write!(
                out,
                "<li><a href=\"#{id}\"><b>{}</b> {}</a></li>",
                method.to_uppercase(),
                breakable(path)
            );
        }
        out.push_str("</ul></li>");
    }
    out
}

/// A path that may be broken at its slashes.
fn breakable(path: &str) -> String {
    escape(path).replace('/', "<wbr>/")
}

/// Operations, objects and errors.
pub(crate) fn reference(document: &Value) -> String {
    let mut out = String::new();
    for (tag, operations) in operations(document) {
        let name = tag["name"].as_str().unwrap_or_default();
        let _ = write!(
            out,
            "<section><h2 id=\"{name}\">{name}</h2><p>{}</p>",
            first(tag)
        );
        for (method, path, of) in operations {
            operation(document, method, path, of, &mut out);
        }
        out.push_str("</section>");
    }
    out.push_str("<section><h2 id=\"errors\">Errors</h2><p>All errors have one shape, <a href=\"#schema-ErrorBody\">ErrorBody</a>.</p>");
    let rows = crate::error::CODES.iter().map(|(status, code, meaning)| {
        [
            status.to_string(),
            format!("<code>{code}</code>"),
            sentence(meaning),
        ]
    });
    table(["status", "code", "meaning"], rows, &mut out);
    out.push_str("</section><section><h2 id=\"headers\">Headers of answers</h2>");
    let rows = entries(&document["components"]["headers"]);
    let rows = rows.map(|(name, header)| {
        [
            format!("<code>{name}</code>"),
            kind(&header["schema"]),
            first(header),
        ]
    });
    table(["header", "type", "meaning"], rows, &mut out);
    out.push_str("</section><section><h2 id=\"objects\">Objects</h2>");
    for (name, schema) in entries(&document["components"]["schemas"]) {
        // `Data_…` is an object with `data` and no more
        if !name.starts_with("Data_") {
            let _ = write!(
                out,
                "<h3 id=\"schema-{name}\">{name}</h3><p>{}</p>",
                first(schema)
            );
            object(schema, &mut out);
        }
    }
    out.push_str("</section>");
    out
}

fn table<const N: usize>(
    heads: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
    out: &mut String,
) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return;
    }
    out.push_str("<div class=\"wide\" tabindex=\"0\"><table><thead><tr>");
    for head in heads {
        let _ = write!(out, "<th scope=\"col\">{head}</th>");
    }
    out.push_str("</tr></thead><tbody>");
    for row in rows {
        let cells: String = row.iter().map(|cell| format!("<td>{cell}</td>")).collect();
        let _ = write!(out, "<tr>{cells}</tr>");
    }
    out.push_str("</tbody></table></div>");
}

/// What a value is, in words, with links to objects.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next())
    {
        return match name.strip_prefix("Data_") {
            Some(_) => "object".to_owned(),
            None => format!("<a href=\"#schema-{name}\">{name}</a>"),
        };
    }
    for part in ["oneOf", "anyOf", "allOf"] {
        if let Some(parts) = schema[part].as_array() {
            return parts
                .iter()
                .map(kind)
                .collect::<Vec<_>>()
                .join(if part == "allOf" { " and " } else { " or " });
        }
    }
    let named = match &schema["type"] {
        Value::String(name) if name == "array" => format!("array of {}", kind(&schema["items"])),
        Value::String(name) => name.clone(),
        Value::Array(names) => names
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join(" or "),
        _ => "anything".to_owned(),
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
    if limits.is_empty() {
        named
    } else {
        format!("{named}, {}", limits.join(", "))
    }
}

fn object(schema: &Value, out: &mut String) {
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<_> = values
            .iter()
            .filter_map(Value::as_str)
            .map(|value| format!("<code>{value}</code>"))
            .collect();
        let _ = write!(out, "<p>One of {}.</p>", values.join(", "));
        return;
    }
    let parts: Vec<&Value> = schema["allOf"].as_array().into_iter().flatten().collect();
    for part in parts.iter().filter(|part| part.get("$ref").is_some()) {
        let _ = write!(out, "<p>All of {}, and:</p>", kind(part));
    }
    let all: Vec<&Value> = parts
        .into_iter()
        .chain([schema])
        .filter(|part| part.get("properties").is_some())
        .collect();
    if all.is_empty() && schema["allOf"].is_null() {
        let _ = write!(out, "<p>{}</p>", kind(schema));
    }
    for schema in all {
        let required = |name: &str| {
            schema["required"]
                .as_array()
                .is_some_and(|names| names.iter().any(|known| known == name))
        };
        let rows = entries(&schema["properties"]).map(|(name, member)| {
            let must = if required(name) {
                ""
            } else {
                " <i>may be absent</i>"
            };
            [
                format!("<code>{name}</code>{must}"),
                kind(member),
                first(member),
            ]
        });
        table(["member", "type", "meaning"], rows, out);
    }
}

fn pretty(value: &Value) -> String {
    match value {
        Value::String(text) => escape(text),
        value => escape(&serde_json::to_string_pretty(value).unwrap_or_default()),
    }
}

fn operation(document: &Value, method: &str, path: &str, operation: &Value, out: &mut String) {
    let id = operation["operationId"].as_str().unwrap_or_default();
    let summary = sentence(operation["summary"].as_str().unwrap_or_default());
    let _ = write!(
        out,
        "<article><h3 id=\"{id}\"><b class=\"method\">{}</b> <code>{}</code></h3>",
        method.to_uppercase(),
        breakable(path)
    );
    let _ = write!(
        out,
        "<p>{summary}{}</p>",
        sentence(
            operation["description"]
                .as_str()
                .map(|text| format!(" {text}"))
                .unwrap_or_default()
                .as_str()
        )
    );
    let parameters: Vec<&Value> = operation["parameters"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    let text = |value: &Value| escape(value.as_str().unwrap_or_default());
    let rows = parameters.iter().map(|of| {
        [
            format!("<code>{}</code>", text(&of["name"])),
            format!("{}, {}", text(&of["in"]), kind(&of["schema"])),
            first(of),
        ]
    });
    table(["parameter", "type", "meaning"], rows, out);
    let body = &operation["requestBody"]["content"]["application/json"];
    if !body.is_null() {
        let _ = write!(out, "<p>Body: {}</p>", kind(&body["schema"]));
    }
    let example = entries(&body["examples"])
        .map(|(_, example)| &example["value"])
        .next();
    curl(method, path, operation, example, out);
    for (status, response) in
        entries(&operation["responses"]).filter(|(status, _)| status.starts_with('2'))
    {
        let _ = write!(out, "<p><b>{status}</b> {}", first(response));
        let schema = &response["content"]["application/json"]["schema"];
        let data = schema["$ref"]
            .as_str()
            .and_then(|path| path.rsplit('/').next())
            .map(|name| &document["components"]["schemas"][name]);
        match data
            .map(|data| &data["properties"]["data"])
            .filter(|data| !data.is_null())
        {
            Some(data) => out.push_str(&format!(": <code>data</code> is {}", kind(data))),
            None if !schema.is_null() => out.push_str(&format!(": {}", kind(schema))),
            None => {}
        }
        out.push_str("</p>");
    }
    let all = entries(&operation["responses"]).filter(|(status, _)| !status.starts_with('2'));
    let statuses: Vec<String> = all.map(|(status, _)| status.clone()).collect();
    if !statuses.is_empty() {
        let _ = write!(
            out,
            "<p>Errors: {} (<a href=\"#errors\">codes</a>)</p>",
            statuses.join(", ")
        );
    }
    for (_, response) in entries(&operation["responses"]) {
        for (_, content) in entries(&response["content"]) {
            for (_, example) in entries(&content["examples"]) {
                let (summary, value) = (text(&example["summary"]), pretty(&example["value"]));
                let _ = write!(
                    out,
                    "<details><summary>Example: {summary}</summary><pre tabindex=\"0\">{value}</pre></details>"
                );
            }
        }
    }
    form(id, method, path, &parameters, example, out);
    out.push_str("</article>");
}

fn curl(method: &str, path: &str, operation: &Value, example: Option<&Value>, out: &mut String) {
    let address = format!("http://127.0.0.1:8080{}", path.replace("{id}", "1"));
    let mut command = match method {
        "get" => format!("curl {address}"),
        "post" if example.is_some() => format!("curl {address}"),
        method => format!("curl -X {} {address}", method.to_uppercase()),
    };
    if operation.get("security").is_some() {
        command.push_str(" -H \"Authorization: Bearer $KEY\"");
    }
    if let Some(example) = example {
        let body = example.to_string().replace('\'', "'\\''");
        let _ = write!(
            command,
            " \\\n  -H 'Content-Type: application/json' -d '{body}'"
        );
    }
    let _ = write!(
        out,
        "<pre class=\"curl\" tabindex=\"0\">{}</pre>",
        escape(&command)
    );
}

/// A form that sends the request; a script of the page reads it.
fn form(
    id: &str,
    method: &str,
    path: &str,
    parameters: &[&Value],
    example: Option<&Value>,
    out: &mut String,
) {
    let _ = write!(
        out,
        "<details class=\"try\"><summary>Try it</summary><form data-method=\"{method}\" data-path=\"{path}\">"
    );
    for parameter in parameters {
        let (name, place) = (
            parameter["name"].as_str().unwrap_or_default(),
            parameter["in"].as_str().unwrap_or_default(),
        );
        let required = if place == "path" { " required" } else { "" };
        let _ = write!(
            out,
            "<label>{name} <input name=\"{name}\" data-in=\"{place}\" inputmode=\"numeric\" autocomplete=\"off\"{required}></label>"
        );
    }
    if let Some(example) = example {
        let _ = write!(
            out,
            "<label>Body <textarea name=\"body\" rows=\"6\" spellcheck=\"false\">{}</textarea></label>",
            pretty(example)
        );
    }
    let _ = write!(
        out,
        "<button>Send {} {}</button></form><output aria-label=\"Answer of {id}\"></output></details>",
        method.to_uppercase(),
        escape(path)
    );
}

#[cfg(test)]
mod tests {
    use super::{escape, kind, sentence};
    use serde_json::json;

    #[test]
    fn what_is_shown_is_no_markup() {
        assert_eq!(
            escape("<a href=\"x\">&"),
            "&lt;a href=&quot;x&quot;&gt;&amp;"
        );
        assert_eq!(
            sentence("write `<b>` here"),
            "write <code>&lt;b&gt;</code> here"
        );
    }

    #[test]
    fn a_type_is_said_in_words() {
        assert_eq!(
            kind(&json!({"type": "array", "items": {"type": "string"}})),
            "array of string"
        );
        assert_eq!(
            kind(&json!({"type": "integer", "minimum": 1, "maximum": 50})),
            "integer, ≥ 1, ≤ 50"
        );
        assert_eq!(
            kind(&json!({"$ref": "#/components/schemas/Answer"})),
            "<a href=\"#schema-Answer\">Answer</a>"
        );
    }
}
