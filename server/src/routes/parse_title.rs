//! `POST /api/v2/parse-title`.

use super::bodies::{Answering, Asking, Breakdown, Consumed, Metadata};
use super::charging::{calls, charge, metered};
use super::titles::{self, Asked, Title};
use crate::app::App;
use crate::auth::Caller;
use crate::body;
use crate::catalogue::Loaded;
use crate::door::Metered;
use crate::error::ApiError;
use crate::ledger::{Charge, Cost, Meter};
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use futures_util::stream;
use std::convert::Infallible;
use std::sync::Arc;
use titledex::Options;

/// Credits of a title.
pub const COST_PER_TITLE: i64 = 1;
/// Titles of a batch that are read before other requests get their turn.
const TURN: usize = 16;
/// An ordinary answer fits.
const ANSWER_BYTES: usize = 6 * 1024;
/// The name and checksum of the catalogue, where the body has no metadata.
const CATALOGUE_VERSION: HeaderName = HeaderName::from_static("x-catalogue-version");

/// Answers a title, or a batch.
#[utoipa::path(post, path = "/api/v2/parse-title", operation_id = "parseTitle", tag = "titles",
    request_body = Asking,
    responses(
        (status = 200, description = "What the title says, and which cards it can be; of a batch, an array of answers and errors",
            content((Answering<'static> = "application/json"), (String = "application/x-ndjson"))),
        (status = 429, description = "Too few credits or calls are left"),
    ))]
pub async fn answer(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let (_, account) = caller.holder()?;
    let (parts, bytes) = body::read(&app, request).await?;
    body::query(&parts.uri, &[])?;
    let (asked, options) = titles::read(&bytes)?;
    match asked {
        Asked::One(title) => {
            let charge = charge(
                &app,
                &account,
                Meter::V2,
                Cost {
                    credits: COST_PER_TITLE,
                    calls: 1,
                },
            )
            .await?;
            Ok(metered(
                one(&app.reader.now(), &title, &options),
                "application/json",
                Some(charge),
            ))
        }
        Asked::Many(titles) => {
            let right = i64::try_from(titles.iter().filter(|title| title.is_ok()).count())
                .unwrap_or(i64::MAX);
            let charge = if right == 0 {
                None
            } else {
                Some(
                    charge(
                        &app,
                        &account,
                        Meter::V2,
                        Cost {
                            credits: right * COST_PER_TITLE,
                            calls: calls(right),
                        },
                    )
                    .await?,
                )
            };
            if wants_lines(&parts.headers) {
                Ok(lines(&app, titles, options, charge))
            } else {
                whole(&app, &titles, &options, charge).await
            }
        }
    }
}

/// The body of the answer to one title.
pub fn one(loaded: &Loaded, title: &str, options: &Options) -> Vec<u8> {
    let mut out = Vec::with_capacity(ANSWER_BYTES);
    out.extend_from_slice(b"{\"data\":");
    // the object that `titledex parse` prints, by the same writer
    loaded.answer(title, options).write_json(&mut out);
    write_metadata(loaded, COST_PER_TITLE, None, &mut out);
    out.push(b'}');
    out
}

/// `,"metadata":{…}`; `count` is of batches: titles and those that were not read.
fn write_metadata(loaded: &Loaded, credits: i64, count: Option<(usize, usize)>, out: &mut Vec<u8>) {
    let metadata = Metadata {
        catalogue_version: &loaded.version,
        core_version: env!("CARGO_PKG_VERSION"),
        count: count.map(|(count, _)| count),
        errors: count.map(|(_, errors)| errors),
        api_calls_consumed: Consumed {
            total: credits,
            breakdown: Breakdown {
                titles: credits / COST_PER_TITLE,
            },
            cost_per_title: COST_PER_TITLE,
        },
    };
    out.extend_from_slice(b",\"metadata\":");
    // writing to memory does not fail
    let _ = serde_json::to_writer(out, &metadata);
}

/// A batch as one object.
async fn whole(
    app: &App,
    titles: &[Title<'_>],
    options: &Options,
    charge: Option<Charge>,
) -> Result<Response, ApiError> {
    let _room = app
        .batches
        .acquire()
        .await
        .map_err(|_| ApiError::internal())?;
    let loaded = app.reader.now();
    let mut out = Vec::with_capacity(titles.len() * ANSWER_BYTES / 2);
    out.extend_from_slice(b"{\"data\":[");
    for (at, title) in titles.iter().enumerate() {
        if at > 0 {
            out.push(b',');
            if at % TURN == 0 {
                tokio::task::yield_now().await;
            }
        }
        write_item(&loaded, title, options, &mut out);
    }
    out.push(b']');
    let errors = titles.iter().filter(|title| title.is_err()).count();
    let credits = charge.as_ref().map_or(0, |charge| charge.cost().credits);
    write_metadata(&loaded, credits, Some((titles.len(), errors)), &mut out);
    out.push(b'}');
    Ok(metered(out, "application/json", charge))
}

fn write_item(loaded: &Loaded, title: &Title<'_>, options: &Options, out: &mut Vec<u8>) {
    match title {
        Ok(title) => loaded.answer(title, options).write_json(out),
        Err(error) => out.extend_from_slice(&error.json(None)),
    }
}

fn wants_lines(headers: &HeaderMap) -> bool {
    let accept = headers
        .get_all(ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    accept
        .map(|kind| kind.split(';').next().unwrap_or("").trim())
        .any(|kind| kind.eq_ignore_ascii_case("application/x-ndjson"))
}

/// A batch whose answers leave as they are made. Where the caller goes away, what was not made is refunded.
struct Lines {
    loaded: Arc<Loaded>,
    titles: std::vec::IntoIter<Title<'static>>,
    options: Options,
    charge: Option<Charge>,
}

impl Lines {
    fn next(&mut self) -> Option<Bytes> {
        let mut out = Vec::with_capacity(TURN * ANSWER_BYTES / 2);
        for title in self.titles.by_ref().take(TURN) {
            // an answer is always JSON: its keys are strings
            write_item(&self.loaded, &title, &self.options, &mut out);
            out.push(b'\n');
        }
        (!out.is_empty()).then(|| out.into())
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        if let Some(mut charge) = self.charge.take() {
            let unread = self
                .titles
                .as_slice()
                .iter()
                .filter(|title| title.is_ok())
                .count();
            charge.refund(i64::try_from(unread).unwrap_or(0) * COST_PER_TITLE);
            charge.keep();
        }
    }
}

fn lines(app: &App, titles: Vec<Title<'_>>, options: Options, charge: Option<Charge>) -> Response {
    let loaded = app.reader.now();
    let version = HeaderValue::try_from(&loaded.version);
    let titles: Vec<Title<'static>> = titles
        .into_iter()
        .map(|title| title.map(|title| title.into_owned().into()))
        .collect();
    let spent = charge.as_ref().map(|charge| Metered {
        cost: charge.cost(),
        standing: charge.standing(),
    });
    let lines = Lines {
        loaded,
        titles: titles.into_iter(),
        options,
        charge,
    };
    let body = stream::unfold(lines, |mut lines| async move {
        tokio::task::yield_now().await;
        lines
            .next()
            .map(|bytes| (Ok::<_, Infallible>(bytes), lines))
    });
    let mut response = metered(Body::from_stream(body), "application/x-ndjson", None);
    if let Some(spent) = spent {
        response.extensions_mut().insert(spent);
    }
    if let Ok(version) = version {
        response.headers_mut().insert(CATALOGUE_VERSION, version);
    }
    response
}
