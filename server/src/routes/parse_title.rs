//! `POST /api/v2/parse-title`.

use super::bodies::{Answering, Breakdown, Consumed, Item, ManyAnswers, Metadata, OneAnswer};
use super::charging::{Written, calls, charge, metered, written};
use super::titles::{self, Asked, ManyTitles, OneTitle, Title};
use crate::app::App;
use crate::auth::Holder;
use crate::body;
use crate::catalogue::{Loaded, Reader};
use crate::credits::{Charge, Cost, Ledger, Meter};
use crate::error::ApiError;
use crate::http::CATALOGUE_VERSION;
use crate::middleware::Metered;
use axum::body::{Body, Bytes};
use axum::extract::{FromRef, Request, State};
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use futures_util::stream;
use std::convert::Infallible;
use std::sync::Arc;
use titledex::Options;
use tokio::sync::Semaphore;

/// Credits of a title.
pub const COST_PER_TITLE: i64 = 1;
/// Titles of a batch that are read before other requests get a turn.
const TURN: usize = 16;
/// Room for an ordinary answer.
const ANSWER_BYTES: usize = 6 * 1024;
/// Room for the metadata of an answer.
const METADATA_BYTES: usize = 512;

/// What reading titles needs.
#[derive(Clone)]
pub struct TitleState {
    reader: Arc<Reader>,
    ledger: Arc<Ledger>,
    /// Room for batches whose whole answer is held in memory.
    batches: Arc<Semaphore>,
    body_bytes: usize,
}

impl FromRef<App> for TitleState {
    fn from_ref(app: &App) -> Self {
        Self {
            reader: Arc::clone(&app.reader),
            ledger: Arc::clone(&app.ledger),
            batches: Arc::clone(&app.batches),
            body_bytes: app.settings.limits.body_bytes,
        }
    }
}

/// Answers a title, or a batch.
#[utoipa::path(post, path = "/api/v2/parse-title", operation_id = "parseTitle", tag = "titles",
    request_body = Asked<'static>,
    responses(
        (status = 200, description = "What the title says and which cards it may be; for a batch, an array of answers and errors",
            content((Answering<'static> = "application/json"), (String = "application/x-ndjson"))),
        (status = 429, description = "Too few credits or calls are left"),
    ))]
pub async fn answer(
    State(state): State<TitleState>,
    Holder { account, .. }: Holder,
    request: Request,
) -> Result<Response, ApiError> {
    let (parts, bytes) = body::read(state.body_bytes, request).await?;
    body::query(&parts.uri, &[])?;
    match titles::read(&bytes)? {
        Asked::One(OneTitle { title, options }) => {
            let charge = charge(
                &state.ledger,
                &account,
                Meter::V2,
                Cost {
                    credits: COST_PER_TITLE,
                    calls: 1,
                },
            )
            .await?;
            Ok(metered(
                one(&state.reader.now(), &title, &options),
                "application/json",
                Some(charge),
            ))
        }
        Asked::Many(ManyTitles { titles, options }) => {
            let right = i64::try_from(titles.iter().filter(|title| title.is_ok()).count())
                .unwrap_or(i64::MAX);
            let charge = if right == 0 {
                None
            } else {
                Some(
                    charge(
                        &state.ledger,
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
                Ok(lines(&state.reader, titles, options, charge))
            } else {
                whole(&state, &titles, &options, charge).await
            }
        }
    }
}

/// The body of the answer to one title.
pub fn one(loaded: &Loaded, title: &str, options: &Options) -> Vec<u8> {
    let mut data = Vec::with_capacity(ANSWER_BYTES);
    // the object that `titledex parse` prints, by the same writer
    loaded.answer(title, options).write_json(&mut data);
    body(Answering::One(OneAnswer {
        data: Written(data),
        metadata: metadata(loaded, COST_PER_TITLE, None),
    }))
}

fn body(answer: Answering<'_>) -> Vec<u8> {
    let (Answering::One(OneAnswer { data, .. }) | Answering::Many(ManyAnswers { data, .. })) =
        &answer;
    let capacity = data.0.len() + METADATA_BYTES;
    written(&answer, capacity).expect("an answer has string keys only, and memory takes it")
}

/// `count` is of batches: titles and those that were not read.
fn metadata(loaded: &Loaded, credits: i64, count: Option<(usize, usize)>) -> Metadata<'_> {
    Metadata {
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
    }
}

/// A batch as one object.
async fn whole(
    state: &TitleState,
    titles: &[Title<'_>],
    options: &Options,
    charge: Option<Charge>,
) -> Result<Response, ApiError> {
    let _room = state
        .batches
        .acquire()
        .await
        .map_err(|_| ApiError::internal())?;
    let loaded = state.reader.now();
    let mut out = Vec::with_capacity(titles.len() * ANSWER_BYTES / 2);
    out.push(b'[');
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
    let body = body(Answering::Many(ManyAnswers {
        data: Written(out),
        metadata: metadata(&loaded, credits, Some((titles.len(), errors))),
    }));
    Ok(metered(body, "application/json", charge))
}

fn write_item(loaded: &Loaded, title: &Title<'_>, options: &Options, out: &mut Vec<u8>) {
    match title {
        Ok(title) => Item::Answer(Box::new(loaded.answer(title, options))),
        Err(error) => Item::refused(error),
    }
    .write(out);
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

/// A batch whose answers are streamed. If the caller disconnects, unread titles are refunded.
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

fn lines(
    reader: &Reader,
    titles: Vec<Title<'_>>,
    options: Options,
    charge: Option<Charge>,
) -> Response {
    let loaded = reader.now();
    let version = HeaderValue::try_from(&loaded.version);
    let titles: Vec<Title<'static>> = titles
        .into_iter()
        .map(|title| title.map(|title| title.into_owned().into()))
        .collect();
    let spent = charge.as_ref().map(|charge| Metered {
        cost: charge.cost(),
        balance: charge.balance(),
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
