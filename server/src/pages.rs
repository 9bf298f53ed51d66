//! [`Pages`]: the pages for people and the files that they load, all from the binary. Nothing on
//! them comes from another origin.

use crate::docs;
use crate::keys;
use crate::openapi::Document;
use axum::body::{Body, Bytes};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::Response;

/// What a page may load: its own origin's files, and nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The files: name, type, content.
const ASSETS: &[(&str, &str, &str)] = &[
    (
        "style.css",
        "text/css; charset=utf-8",
        include_str!("../pages/style.css"),
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
        "chart.js",
        "text/javascript; charset=utf-8",
        include_str!("../pages/chart.js"),
    ),
];

/// What the landing page says of the playground.
const PLAYGROUND: &str = "<p>Or try it <a href=\"/\">in the playground</a>: it reads titles in your browser, and sends them nowhere.</p>";
const NO_PLAYGROUND: &str = "<p>Titles can be read in a page too, without sending them anywhere: start the service with <code>--playground \
    dist/playground</code>, the folder that <code>scripts/browser</code> makes, and the playground is served here.</p>";

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
}

impl Pages {
    /// The pages of a service with this document.
    #[must_use]
    pub fn new(document: &Document) -> Self {
        let all: String = ASSETS.iter().map(|(_, _, content)| *content).collect();
        let version: String = keys::hash(&all)
            .iter()
            .take(6)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let page =
            |text: &str| Bytes::from(text.replace("{{assets}}", &format!("/assets/{version}")));
        let landing = include_str!("../pages/landing.html");
        let docs = include_str!("../pages/docs.html")
            .replace("{{contents}}", &docs::contents(&document.value).0)
            .replace("{{reference}}", &docs::reference(&document.value).0);
        Self {
            landing: page(&landing.replace("{{playground}}", NO_PLAYGROUND)),
            about: page(&landing.replace("{{playground}}", PLAYGROUND)),
            docs: page(&docs),
            dashboard: page(include_str!("../pages/dashboard.html")),
            review: page(include_str!("../pages/review.html")),
            version,
        }
    }

    /// The landing page. It mentions the playground if there is one.
    pub(crate) fn landing(&self, playground: bool) -> Response {
        page(if playground {
            &self.about
        } else {
            &self.landing
        })
    }

    /// The documentation of the API.
    pub(crate) fn docs(&self) -> Response {
        page(&self.docs)
    }

    /// The page of an account.
    pub(crate) fn dashboard(&self) -> Response {
        page(&self.dashboard)
    }

    /// The page where listings are reviewed.
    pub(crate) fn review(&self) -> Response {
        page(&self.review)
    }

    /// A page made for one request. Each pair replaces a placeholder, `{{name}}`, of the template.
    pub(crate) fn fill(&self, template: &str, parts: &[(&str, &str)]) -> Response {
        let text = template.replace("{{assets}}", &format!("/assets/{}", self.version));
        let text = parts.iter().fold(text, |text, (name, part)| {
            text.replace(&format!("{{{{{name}}}}}"), part)
        });
        page(&Bytes::from(text))
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

fn page(bytes: &Bytes) -> Response {
    let mut response = answer(bytes, "text/html; charset=utf-8", "no-cache");
    response
        .headers_mut()
        .insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}
