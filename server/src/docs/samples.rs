//! A request as it is sent by a command and by three languages.

use serde_json::Value;
use std::fmt::Write;

/// Where the page's script puts the address that it was loaded from.
const HOST: &str = "http://127.0.0.1:8080";

/// The samples with the names of their languages.
pub(super) fn all(
    method: &str,
    path: &str,
    operation: &Value,
    body: Option<&Value>,
) -> [(&'static str, String); 4] {
    let request = Request {
        method: method.to_uppercase(),
        address: format!("{HOST}{}", path.replace("{id}", "1")),
        keyed: operation.get("security").is_some(),
        body,
    };
    [
        ("curl", request.curl()),
        ("Python", request.python()),
        ("JavaScript", request.javascript()),
        ("Rust", request.rust()),
    ]
}

struct Request<'d> {
    method: String,
    address: String,
    /// It needs a key.
    keyed: bool,
    body: Option<&'d Value>,
}

impl Request<'_> {
    fn curl(&self) -> String {
        let plain = self.method == "GET" || (self.method == "POST" && self.body.is_some());
        let mut command = if plain {
            format!("curl {}", self.address)
        } else {
            format!("curl -X {} {}", self.method, self.address)
        };
        if self.keyed {
            command.push_str(" -H \"Authorization: Bearer $KEY\"");
        }
        if let Some(body) = self.body {
            let body = body.to_string().replace('\'', "'\\''");
            // memory takes it
            let _ = write!(
                command,
                " \\\n  -H 'Content-Type: application/json' -d '{body}'"
            );
        }
        command
    }

    fn python(&self) -> String {
        let mut parts = vec![format!("\"{}\"", self.address)];
        if self.keyed {
            parts.push("headers={\"Authorization\": f\"Bearer {key}\"}".to_owned());
        }
        if let Some(body) = self.body {
            parts.push(format!("json={}", python(body)));
        }
        let method = self.method.to_lowercase();
        format!(
            "import requests\n\nanswer = requests.{method}(\n    {},\n).json()",
            parts.join(",\n    ")
        )
    }

    fn javascript(&self) -> String {
        let mut parts = Vec::new();
        if self.method != "GET" {
            parts.push(format!("method: \"{}\"", self.method));
        }
        let mut headers = Vec::new();
        if self.keyed {
            headers.push("Authorization: `Bearer ${key}`");
        }
        if self.body.is_some() {
            headers.push("\"Content-Type\": \"application/json\"");
        }
        if !headers.is_empty() {
            parts.push(format!("headers: {{ {} }}", headers.join(", ")));
        }
        if let Some(body) = self.body {
            parts.push(format!("body: JSON.stringify({body})"));
        }
        let options = if parts.is_empty() {
            String::new()
        } else {
            format!(", {{\n  {},\n}}", parts.join(",\n  "))
        };
        format!(
            "const response = await fetch(\"{}\"{options});\nconst answer = await response.json();",
            self.address
        )
    }

    fn rust(&self) -> String {
        let method = self.method.to_lowercase();
        let mut calls = vec![format!(".{method}(\"{}\")", self.address)];
        if self.keyed {
            calls.push(".bearer_auth(key)".to_owned());
        }
        if let Some(body) = self.body {
            calls.push(format!(".json(&serde_json::json!({body}))"));
        }
        calls.push(".send()?".to_owned());
        calls.push(".json()?;".to_owned());
        format!(
            "let answer: serde_json::Value = reqwest::blocking::Client::new()\n    {}",
            calls.join("\n    ")
        )
    }
}

/// JSON as Python writes it.
fn python(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Array(all) => {
            let all: Vec<String> = all.iter().map(python).collect();
            format!("[{}]", all.join(", "))
        }
        Value::Object(all) => {
            let all: Vec<String> = all
                .iter()
                .map(|(name, value)| format!("{}: {}", Value::from(name.as_str()), python(value)))
                .collect();
            format!("{{{}}}", all.join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::all;
    use serde_json::json;

    #[test]
    fn samples_send_key_and_body() {
        let body = json!({"title": "Farfetch'd", "options": {"fuzzyMatching": true}});
        let keyed = json!({"security": [{"key": []}]});
        let [curl, python, javascript, rust] =
            all("post", "/api/v2/parse-title", &keyed, Some(&body));
        assert!(
            curl.1.contains("Farfetch'\\''d") && !curl.1.contains("-X"),
            "{}",
            curl.1
        );
        assert!(
            python.1.contains("requests.post(") && python.1.contains("True"),
            "{}",
            python.1
        );
        assert!(
            javascript.1.contains("method: \"POST\"") && javascript.1.contains("Bearer ${key}")
        );
        assert!(
            rust.1.contains(".bearer_auth(key)") && rust.1.contains(".json(&serde_json::json!({")
        );
        let [curl, python, javascript, rust] = all("get", "/healthz", &json!({}), None);
        for (_, sample) in [curl, python, javascript, rust] {
            assert!(
                !sample.contains("Bearer") && sample.contains("/healthz"),
                "{sample}"
            );
        }
    }
}
