//! [`Playground`]: the built playground (`dist/playground`), read once at start and served at `/`.
//!
//! Only files that were there at start are served, by their exact path. No request reaches the file
//! system.

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// What the playground may load: files of its own origin and WebAssembly, the pictures that a
/// visitor may switch on (`pages/shops.json`), and no text as markup.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' https://tcgplayer-cdn.tcgplayer.com; connect-src 'self'; \
    worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types default";
/// The placeholder for the links to the service.
const LINKS_HERE: &str = "<!-- service -->";
const LINKS: &str = "<nav aria-label=\"Pages\"><a href=\"/sets\">Sets</a> <a href=\"/docs\">Documentation</a> \
    <a href=\"/dashboard\">Dashboard</a> <a href=\"/about\">About</a></nav> <form action=\"/search\" role=\"search\">\
    <input type=\"search\" name=\"q\" maxlength=\"200\" aria-label=\"Search cards and sets\" placeholder=\"Search cards and sets\"></form>";
/// File extensions and media types.
const TYPES: &[(&str, &str)] = &[
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("pack", "application/octet-stream"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("wasm", "application/wasm"),
    ("webmanifest", "application/manifest+json"),
];
/// The most of a folder, in MiB: all of it is held in memory, and a folder given by mistake must not
/// fill that. A playground with six games has about 57 MB, most of them packs, plain and after
/// brotli; `scripts/browser` keeps what it builds below half of this, so there is room for more games.
const MOST_MIB: u64 = 256;

/// Why a folder is not served.
#[derive(Debug)]
pub enum PlaygroundError {
    /// It cannot be read.
    Read(PathBuf, io::Error),
    /// It is not a built playground.
    Other(PathBuf, String),
}

impl fmt::Display for PlaygroundError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, _) => write!(
                out,
                "cannot read the playground {}: check the path and its permissions",
                path.display()
            ),
            Self::Other(path, what) => {
                write!(
                    out,
                    "{} is not a built playground ({what}): give the folder dist/playground that scripts/browser makes",
                    path.display()
                )
            }
        }
    }
}

impl std::error::Error for PlaygroundError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(_, error) => Some(error),
            Self::Other(..) => None,
        }
    }
}

/// A file as it is sent.
#[derive(Debug)]
struct File {
    kind: &'static str,
    bytes: Bytes,
    /// The same compressed with brotli, if the folder has that.
    brotli: Option<Bytes>,
    /// The hash of its bytes.
    tag: HeaderValue,
}

/// Files by their path from the root, without the first slash.
#[derive(Debug)]
pub struct Playground {
    files: HashMap<String, File>,
}

impl Playground {
    /// Reads a folder that `scripts/browser` made.
    ///
    /// # Errors
    /// If it cannot be read, or is something else.
    pub fn open(folder: &Path) -> Result<Self, PlaygroundError> {
        let other = |what: &str| PlaygroundError::Other(folder.to_owned(), what.to_owned());
        let mut found: HashMap<String, Vec<u8>> = HashMap::new();
        let mut left = MOST_MIB << 20;
        let mut folders = vec![(folder.to_owned(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            let failed = |error| PlaygroundError::Read(folder.clone(), error);
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let Ok(name) = entry.file_name().into_string() else {
                    continue;
                };
                let kind = entry.file_type().map_err(failed)?;
                let path = format!("{prefix}{name}");
                // links are skipped, because they may lead outside
                if kind.is_dir() {
                    folders.push((entry.path(), format!("{path}/")));
                } else if kind.is_file() {
                    let bytes = entry.metadata().map_err(failed)?.len();
                    left = left
                        .checked_sub(bytes)
                        .ok_or_else(|| other(&format!("it has more than {MOST_MIB} MiB")))?;
                    found.insert(path, fs::read(entry.path()).map_err(failed)?);
                }
            }
        }
        let index = found
            .remove("index.html")
            .ok_or_else(|| other("it has no index.html"))?;
        if !found.contains_key("titledex/titledex.wasm") {
            return Err(other("it has no titledex/titledex.wasm"));
        }
        let index = String::from_utf8(index).map_err(|_| other("its index.html is not UTF-8"))?;
        found.insert(
            "index.html".to_owned(),
            index.replace(LINKS_HERE, LINKS).into_bytes(),
        );
        let mut brotli: HashMap<String, Bytes> = HashMap::new();
        found.retain(|path, bytes| match path.strip_suffix(".br") {
            Some(path) => {
                brotli.insert(path.to_owned(), Bytes::from(std::mem::take(bytes)));
                false
            }
            None => true,
        });
        let files = found.into_iter().map(|(path, bytes)| {
            let file = File::new(&path, bytes, brotli.remove(&path));
            (path, file)
        });
        Ok(Self {
            files: files.collect(),
        })
    }

    /// The answer to a request for a path, if there is such a file. `/` is the page.
    pub(crate) fn answer(&self, path: &str, headers: &HeaderMap) -> Option<Response> {
        let path = path.strip_prefix('/')?;
        let file = self
            .files
            .get(if path.is_empty() { "index.html" } else { path })?;
        Some(file.answer(headers))
    }
}

impl File {
    fn new(path: &str, bytes: Vec<u8>, brotli: Option<Bytes>) -> Self {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let kind = TYPES
            .iter()
            .find(|(known, _)| *known == ending)
            .map_or("text/plain; charset=utf-8", |(_, kind)| kind);
        let tag: String = Sha256::digest(&bytes)
            .iter()
            .take(12)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let tag = HeaderValue::try_from(format!("W/\"{tag}\""))
            .unwrap_or(HeaderValue::from_static("W/\"\""));
        Self {
            kind,
            bytes: Bytes::from(bytes),
            brotli,
            tag,
        }
    }

    fn answer(&self, asked: &HeaderMap) -> Response {
        let words = |name| {
            asked
                .get_all(name)
                .iter()
                .filter_map(|value: &HeaderValue| value.to_str().ok())
                .flat_map(|text| text.split(','))
        };
        let known = words(&IF_NONE_MATCH).any(|tag| tag.trim().as_bytes() == self.tag.as_bytes());
        let takes_brotli = words(&ACCEPT_ENCODING)
            .any(|word| matches!(word.trim().split_once(';').unwrap_or((word.trim(), "")), ("br", q) if !q.trim().starts_with("q=0")));
        let brotli = self.brotli.as_ref().filter(|_| takes_brotli);
        let mut response = Response::new(match brotli {
            _ if known => Body::empty(),
            Some(bytes) => Body::from(bytes.clone()),
            None => Body::from(self.bytes.clone()),
        });
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.kind));
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        headers.insert(ETAG, self.tag.clone());
        // file names are the same in every version, so browsers must revalidate
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if self.brotli.is_some() {
            headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        }
        if brotli.is_some() && !known {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("br"));
        }
        response
    }
}
