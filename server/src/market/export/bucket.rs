//! [`Bucket`]: object storage that speaks S3. Callers fetch files of the export from it without
//! passing this service.
//!
//! `rusty-s3` signs the requests (AWS Signature Version 4, in the query) and this module sends
//! them: HTTP/1.1, with TLS if the endpoint has it. Each request has its own connection, since
//! there are about twelve a day.

use super::connection::connect;
use super::dataset::Dataset;
use super::files::{HOLDS, is_file_of, pieces};
use crate::clock::Moment;
use axum::body::{Body, Bytes};
use http_body_util::{BodyExt, Limited};
use hyper::client::conn::http1;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HOST};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use rusty_s3::actions::ListObjectsV2;
use rusty_s3::{Credentials, S3Action, UrlStyle};
use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;
use url::Url;

/// How long the address of an upload or a deletion holds. Making a file may take a part of it.
const SIGNED_FOR: Duration = Duration::from_secs(3_600);
/// The most bytes read of an answer. A list of a thousand names has about 300 kB.
const MOST_ANSWER: usize = 4 << 20;
/// The default time in which a request must be answered.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(300);
const CONTENT: &str = "application/gzip";

/// How a bucket is named in the settings.
#[derive(Debug, Default)]
pub(crate) struct Named {
    pub(crate) storage: String,
    pub(crate) endpoint: Option<String>,
    pub(crate) region: Option<String>,
    pub(crate) path_style: Option<bool>,
    pub(crate) timeout: Duration,
}

/// A bucket, and the prefix of the files in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    bucket: rusty_s3::Bucket,
    credentials: Credentials,
    /// The prefix of names: empty, or ending with a slash.
    prefix: String,
    timeout: Duration,
}

/// Why a request to a bucket failed.
#[derive(Debug)]
pub enum BucketError {
    /// It cannot be reached.
    Reach(io::Error),
    /// It does not speak HTTP as it should.
    Http(hyper::Error),
    /// It refused, and says why.
    Refused(StatusCode, String),
    /// It did not answer in time.
    Slow(Duration),
    /// Its answer is not understood.
    Answer(String),
}

impl fmt::Display for BucketError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reach(_) => out.write_str("it cannot be reached: check exports.endpoint"),
            Self::Http(_) => out.write_str("it does not answer as HTTP: check exports.endpoint"),
            Self::Refused(status, said) if said.is_empty() => write!(out, "it answered {status}"),
            Self::Refused(status, said) => {
                write!(
                    out,
                    "it answered {status}, {said}: check its name, exports.region, the keys and what they may do"
                )
            }
            Self::Slow(waited) => {
                write!(out, "it did not answer within {} seconds", waited.as_secs())
            }
            Self::Answer(_) => out.write_str("its list of objects is not understood"),
        }
    }
}

impl std::error::Error for BucketError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Reach(error) => Some(error),
            Self::Http(error) => Some(error),
            Self::Refused(..) | Self::Slow(_) | Self::Answer(_) => None,
        }
    }
}

impl From<hyper::Error> for BucketError {
    fn from(error: hyper::Error) -> Self {
        Self::Http(error)
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "s3://{}/{}", self.bucket.name(), self.prefix)
    }
}

impl Bucket {
    /// The bucket that settings name. Its keys, and what the settings leave out, come from the
    /// environment variables of AWS.
    ///
    /// # Errors
    /// A sentence that names the setting at fault.
    pub(crate) fn of(
        named: &Named,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, String> {
        let wrong = |what: &str| format!("exports.storage is {:?}: {what}", named.storage);
        let rest = named
            .storage
            .strip_prefix("s3://")
            .ok_or_else(|| wrong("write s3://BUCKET or s3://BUCKET/PREFIX, or leave it out"))?;
        let (name, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let plain = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        let prefix = prefix.trim_end_matches('/');
        let folders_are_plain = prefix.is_empty()
            || prefix
                .split('/')
                .all(|folder| plain(folder) && !folder.trim_matches('.').is_empty());
        if name.trim_matches('.').is_empty() || !plain(name) || !folders_are_plain {
            return Err(wrong(
                "bucket and folders are words of ASCII letters, digits, hyphens, underscores and points",
            ));
        }
        let set = |names: &[&str]| {
            names
                .iter()
                .find_map(|name| environment(name))
                .filter(|value| !value.is_empty())
        };
        let region = named
            .region
            .clone()
            .or_else(|| set(&["AWS_REGION", "AWS_DEFAULT_REGION"]));
        let given = named
            .endpoint
            .clone()
            .or_else(|| set(&["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]));
        let region = match (region, &given) {
            (Some(region), _) if plain(&region) => region,
            (Some(region), _) => {
                return Err(format!(
                    "exports.region is {region:?}: write one as eu-central-1"
                ));
            }
            // most servers other than Amazon's accept it
            (None, Some(_)) => "us-east-1".to_owned(),
            (None, None) => {
                return Err(
                    "exports.storage needs exports.region, or AWS_REGION in the environment"
                        .to_owned(),
                );
            }
        };
        // a certificate for *.s3.… does not cover names with a point
        let path_style = named
            .path_style
            .unwrap_or(given.is_some() || name.contains('.'));
        let endpoint = given.unwrap_or_else(|| format!("https://s3.{region}.amazonaws.com"));
        let unusable = |what: String| {
            format!(
                "exports.endpoint is {endpoint:?}: {what}: write one as https://s3.eu-central-1.amazonaws.com"
            )
        };
        let url = Url::parse(&endpoint).map_err(|error| unusable(error.to_string()))?;
        let style = if path_style {
            UrlStyle::Path
        } else {
            UrlStyle::VirtualHost
        };
        let bucket = rusty_s3::Bucket::new(url, style, name.to_owned(), region)
            .map_err(|error| unusable(error.to_string()))?;
        let (Some(key), Some(secret)) =
            (set(&["AWS_ACCESS_KEY_ID"]), set(&["AWS_SECRET_ACCESS_KEY"]))
        else {
            return Err("exports.storage needs the keys of the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment"
                .to_owned());
        };
        let credentials = match set(&["AWS_SESSION_TOKEN"]) {
            Some(token) => Credentials::new_with_token(key, secret, token),
            None => Credentials::new(key, secret),
        };
        let prefix = if prefix.is_empty() {
            String::new()
        } else {
            format!("{prefix}/")
        };
        Ok(Self {
            bucket,
            credentials,
            prefix,
            timeout: named.timeout,
        })
    }

    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Uploads a file under a new name.
    pub(super) async fn put(
        &self,
        part: &Path,
        name: &str,
        now: Moment,
    ) -> Result<(), BucketError> {
        let file = File::open(part).map_err(BucketError::Reach)?;
        let length = file.metadata().map_err(BucketError::Reach)?.len();
        let key = self.key(name);
        let mut action = self.bucket.put_object(Some(&self.credentials), &key);
        action.headers_mut().insert("content-type", CONTENT);
        let url = sign(&action, SIGNED_FOR, now);
        let request = Request::put(target(&url))
            .header(CONTENT_TYPE, CONTENT)
            .header(CONTENT_LENGTH, length);
        self.ask(&url, request, Body::from_stream(pieces(file)))
            .await
            .map(drop)
    }

    /// Removes the files of a dataset, except those to keep.
    pub(super) async fn sweep(
        &self,
        dataset: Dataset,
        kept: [Option<&str>; 2],
        now: Moment,
    ) -> Result<(), BucketError> {
        let mut list = self.bucket.list_objects_v2(Some(&self.credentials));
        list.with_prefix(self.key(&format!("{}-", dataset.name())));
        let url = sign(&list, SIGNED_FOR, now);
        let answer = self
            .ask(&url, Request::get(target(&url)), Body::empty())
            .await?;
        let text =
            std::str::from_utf8(&answer).map_err(|error| BucketError::Answer(error.to_string()))?;
        // files beyond the first thousand are removed the next time
        let found = ListObjectsV2::parse_response(text)
            .map_err(|error| BucketError::Answer(error.to_string()))?;
        for key in found.contents.iter().map(|object| object.key.as_str()) {
            let Some(name) = key
                .strip_prefix(&self.prefix)
                .filter(|name| is_file_of(name, dataset))
            else {
                continue;
            };
            if !kept.contains(&Some(name)) {
                let url = sign(
                    &self.bucket.delete_object(Some(&self.credentials), key),
                    SIGNED_FOR,
                    now,
                );
                self.ask(
                    &url,
                    Request::builder().method(Method::DELETE).uri(target(&url)),
                    Body::empty(),
                )
                .await?;
            }
        }
        Ok(())
    }

    /// The address at which a file is fetched, for [`HOLDS`] seconds.
    pub(super) fn address(&self, name: &str, now: Moment) -> String {
        let key = self.key(name);
        sign(
            &self.bucket.get_object(Some(&self.credentials), &key),
            Duration::from_secs(HOLDS.unsigned_abs()),
            now,
        )
        .to_string()
    }

    async fn ask(
        &self,
        url: &Url,
        request: hyper::http::request::Builder,
        body: Body,
    ) -> Result<Bytes, BucketError> {
        let asked = async {
            let stream = connect(url).await.map_err(BucketError::Reach)?;
            let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
            // the connection ends with the sender
            let connection = tokio::spawn(connection);
            let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
            let request = request
                .header(HOST, host)
                .body(body)
                .map_err(|error| BucketError::Answer(error.to_string()))?;
            let answer = sender.send_request(request).await;
            let (head, body) = answer?.into_parts();
            let body = Limited::new(body, MOST_ANSWER)
                .collect()
                .await
                .map_err(|error| BucketError::Answer(error.to_string()))?
                .to_bytes();
            connection.abort();
            if head.status.is_success() {
                Ok(body)
            } else {
                Err(BucketError::Refused(head.status, said(&body)))
            }
        };
        tokio::time::timeout(self.timeout, asked)
            .await
            .unwrap_or(Err(BucketError::Slow(self.timeout)))
    }
}

fn sign<'a>(action: &impl S3Action<'a>, holds: Duration, now: Moment) -> Url {
    let time = jiff::Timestamp::from_millisecond(now.millis()).unwrap_or_default();
    action.sign_with_time(holds, &time)
}

/// The target of a request, as in its first line.
fn target(url: &Url) -> &str {
    &url[url::Position::BeforePath..url::Position::AfterQuery]
}

/// The code and message in the XML of an error.
fn said(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let of = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        let (value, _) = rest.split_once("</")?;
        Some(
            value
                .chars()
                .filter(|letter| !letter.is_control())
                .take(200)
                .collect::<String>(),
        )
    };
    [of("Code"), of("Message")]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(": ")
}

#[cfg(test)]
mod tests;
