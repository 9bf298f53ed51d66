//! [`Pages`]: the pages for people and the files that they load, all from the binary. Nothing on
//! them comes from another origin.

use crate::docs;
use crate::keys;
use crate::market::Companies;
use crate::openapi::Document;
use axum::body::{Body, Bytes};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::Response;
use maud::html;

/// What a page may load: its own origin's files, and nothing inline. The settings may add origins
/// of pictures.
const POLICY: [&str; 2] = [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:",
    "; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
];
/// The pages of the head, and their names.
const HEAD: [(&str, &str); 4] = [
    ("/sets", "Sets"),
    ("/docs", "Documentation"),
    ("/dashboard", "Dashboard"),
    ("/about", "About"),
];
/// The files: name, type, content.
const ASSETS: &[(&str, &str, &str)] = &[
    (
        "tokens.css",
        "text/css; charset=utf-8",
        include_str!("../pages/tokens.css"),
    ),
    (
        "style.css",
        "text/css; charset=utf-8",
        include_str!("../pages/style.css"),
    ),
    (
        "theme.js",
        "text/javascript; charset=utf-8",
        include_str!("../pages/theme.js"),
    ),
    (
        "icon.svg",
        "image/svg+xml",
        include_str!("../pages/icon.svg"),
    ),
    (
        "here.js",
        "text/javascript; charset=utf-8",
        include_str!("../pages/here.js"),
    ),
    (
        "ask.js",
        "text/javascript; charset=utf-8",
        include_str!("../pages/ask.js"),
    ),
    (
        "key.js",
        "text/javascript; charset=utf-8",
        include_str!("../pages/key.js"),
    ),
    (
        "docs.js",
        "text/javascript; charset=utf-8",
        include_str!("../pages/docs.js"),
    ),
    (
        "dashboard.js",
        "text/javascript; charset=utf-8",
        include_str!("../pages/dashboard.js"),
    ),
    (
        "review.js",
        "text/javascript; charset=utf-8",
        include_str!("../pages/review.js"),
    ),
    (
        "reading.js",
        "text/javascript; charset=utf-8",
        include_str!("../pages/reading.js"),
    ),
    (
        "chart.js",
        "text/javascript; charset=utf-8",
        include_str!("../pages/chart.js"),
    ),
];

/// The beginning of every page, before its title.
const BEGIN: &str = include_str!("../pages/begin.html");

/// What the landing page says of the playground.
const PLAYGROUND: &str = "<p>Try it <a href=\"/\">in the playground</a>: it reads titles in your browser and sends them nowhere.</p>";
const NO_PLAYGROUND: &str = " If you run this service: started with <code>--playground</code> and the folder \
    <code>dist/playground</code> that <code>scripts/browser</code> makes, it serves a page that reads titles in the browser and sends them nowhere.";

/// The pages as they are served. Their files have a hash of all of them in their path, so browsers
/// may cache them forever.
#[derive(Debug)]
pub struct Pages {
    version: String,
    landing: Bytes,
    /// The landing page of a service with a playground.
    about: Bytes,
    docs: Bytes,
    dashboard: Bytes,
    review: Bytes,
    policy: HeaderValue,
}

impl Pages {
    /// The pages of a service with this document, these grading companies, and pictures from these
    /// origins.
    #[must_use]
    pub fn new(document: &Document, companies: &Companies, pictures: &[String]) -> Self {
        let all: String = ASSETS.iter().map(|(_, _, content)| *content).collect();
        let version: String = keys::hash(&all)
            .iter()
            .take(6)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let page = |path: &str, text: &str| {
            let text = text
                .replace("{{begin}}", BEGIN.trim_end())
                .replace("{{head}}", &head(path))
                .replace("{{graders}}", &companies.0.join(","));
            Bytes::from(text.replace("{{assets}}", &format!("/assets/{version}")))
        };
        let origins: String = pictures.iter().map(|origin| format!(" {origin}")).collect();
        let policy = HeaderValue::try_from(POLICY.join(&origins));
        let landed = |playground: &str, operator: &str| {
            include_str!("../pages/landing.html")
                .replace("{{playground}}", playground)
                .replace("{{operator}}", operator)
        };
        let docs = include_str!("../pages/docs.html")
            .replace("{{contents}}", &docs::contents(&document.value).0)
            .replace("{{reference}}", &docs::reference(&document.value).0);
        Self {
            landing: page("/about", &landed("", NO_PLAYGROUND)),
            about: page("/about", &landed(PLAYGROUND, "")),
            docs: page("/docs", &docs),
            dashboard: page("/dashboard", include_str!("../pages/dashboard.html")),
            review: page("/review", include_str!("../pages/review.html")),
            // addresses of pictures were checked to be printable ASCII
            policy: policy.unwrap_or(HeaderValue::from_static("default-src 'none'")),
            version,
        }
    }

    /// The landing page. It mentions the playground if there is one.
    pub(crate) fn landing(&self, playground: bool) -> Response {
        self.page(if playground {
            &self.about
        } else {
            &self.landing
        })
    }

    /// The documentation of the API.
    pub(crate) fn docs(&self) -> Response {
        self.page(&self.docs)
    }

    /// The page of an account.
    pub(crate) fn dashboard(&self) -> Response {
        self.page(&self.dashboard)
    }

    /// The page where listings are reviewed.
    pub(crate) fn review(&self) -> Response {
        self.page(&self.review)
    }

    /// A page made for one request, with the link to `path` marked. Each pair replaces a
    /// placeholder, `{{name}}`, of the template.
    pub(crate) fn fill(&self, template: &str, path: &str, parts: &[(&str, &str)]) -> Response {
        let text = template
            .replace("{{begin}}", BEGIN.trim_end())
            .replace("{{head}}", &head(path))
            .replace("{{assets}}", &format!("/assets/{}", self.version));
        self.page(&Bytes::from(filled(&text, parts)))
    }

    /// The icon, where browsers look for it by themselves.
    pub(crate) fn icon(&self) -> Response {
        let icon = Bytes::from_static(include_bytes!("../pages/icon.svg"));
        answer(&icon, "image/svg+xml", "max-age=86400")
    }

    fn page(&self, bytes: &Bytes) -> Response {
        let mut response = answer(bytes, "text/html; charset=utf-8", "no-cache");
        response
            .headers_mut()
            .insert(CONTENT_SECURITY_POLICY, self.policy.clone());
        response
    }

    /// A file that pages load, if `version` is the current one.
    pub(crate) fn asset(&self, version: &str, name: &str) -> Option<Response> {
        let (_, kind, content) = ASSETS
            .iter()
            .find(|(known, ..)| *known == name && version == self.version)?;
        Some(answer(
            &Bytes::from_static(content.as_bytes()),
            kind,
            "public, max-age=31536000, immutable",
        ))
    }
}

/// An answer of these bytes.
pub(crate) fn answer(bytes: &Bytes, kind: &'static str, caching: &'static str) -> Response {
    let mut response = Response::new(Body::from(bytes.clone()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    response
}

/// The head of each page: name, links, search, theme. The link to `path`, if there is one, is marked.
fn head(path: &str) -> String {
    let page = html! {
        header class="top" {
            div {
                a class="brand" href="/" { img src="{{assets}}/icon.svg" alt="" width="28" height="28"; "titledex" }
                nav aria-label="Pages" {
                    @for (of, name) in HEAD {
                        @if of == path { a href=(of) aria-current="page" { (name) } } @else { a href=(of) { (name) } }
                        " "
                    }
                }
                form action="/search" role="search" aria-label="From any page" {
                    input type="search" name="q" maxlength="200" aria-label="Search cards and sets" placeholder="Search";
                }
                button type="button" class="quiet" id="theme" hidden {}
            }
        }
    };
    page.0
}

/// A template in which each pair has replaced its placeholder, `{{name}}`. What replaced one is not
/// searched for others: it may be the name of a set.
fn filled(template: &str, parts: &[(&str, &str)]) -> String {
    let mut page = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once("{{") {
        page.push_str(before);
        let named = behind.split_once("}}").and_then(|(name, after)| {
            let (_, part) = parts.iter().find(|(part, _)| *part == name)?;
            Some((part, after))
        });
        match named {
            Some((part, after)) => {
                page.push_str(part);
                rest = after;
            }
            None => {
                page.push_str("{{");
                rest = behind;
            }
        }
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn what_replaces_a_placeholder_is_left_as_it_is() {
        let parts = [("title", "{{content}}"), ("content", "cards")];
        let template = "<h1>{{title}}</h1>{{content}} {{other}} {{";
        let page = "<h1>{{content}}</h1>cards {{other}} {{";
        assert_eq!(filled(template, &parts), page);
    }
}
