//! `POST /api/v2/parse-title`.

use super::bodies::{Answering, Breakdown, Consumed, Item, ManyAnswers, Metadata, OneAnswer};
use super::charging::{Written, afford, calls, charge, metered, written};
use super::titles::{self, Asked, ManyTitles, OneTitle, Title};
use crate::accept::accepts;
use crate::app::App;
use crate::auth::Holder;
use crate::body;
use crate::catalogue::{Frame, Loaded, Reader};
use crate::credits::{Charge, Cost, Endpoint, Ledger, Meter};
use crate::error::ApiError;
use crate::http::CATALOGUE_VERSION;
use crate::middleware::Metered;
use crate::shares::{Room, Share};
use axum::body::{Body, Bytes};
use axum::extract::{FromRef, Request, State};
use axum::http::{Extensions, HeaderMap, HeaderValue};
use axum::response::Response;
use futures_util::stream;
use std::convert::Infallible;
use std::sync::Arc;
use titledex::Options;

/// Credits of a title.
pub const COST_PER_TITLE: i64 = 1;
/// Bytes that a title has for its credit. A longer one costs a credit for each so many of them: no
/// marketplace has such titles, and reading them takes longer.
pub const BYTES_PER_CREDIT: usize = 1024;
/// Titles of a batch that are read before other requests get a turn.
const TURN: usize = 16;
/// Bytes of answers after which the next piece begins.
const PIECE: usize = 64 * 1024;
/// A batch whose answer is larger is streamed, so that no more than a piece of it waits for a slow
/// reader.
const WHOLE: usize = 256 * 1024;
/// Room for an ordinary answer.
const ANSWER_BYTES: usize = 6 * 1024;
/// Room for the metadata of an answer.
const METADATA_BYTES: usize = 512;
/// What stands for the data of an answer whose frame is written.
const DATA: &[u8] = b"[]";

/// What a title costs.
fn credits(title: &str) -> i64 {
    let parts = title.len().div_ceil(BYTES_PER_CREDIT).max(1);
    i64::try_from(parts).unwrap_or(i64::MAX) * COST_PER_TITLE
}

/// What titles cost, those that cannot be read left out.
fn credits_of(titles: &[Title<'_>]) -> i64 {
    let right = titles.iter().filter_map(|title| title.as_ref().ok());
    right.map(|title| credits(title)).sum()
}

/// What reading titles needs.
#[derive(Clone)]
pub struct TitleState {
    reader: Arc<Reader>,
    ledger: Arc<Ledger>,
    body_bytes: usize,
}

impl FromRef<App> for TitleState {
    fn from_ref(app: &App) -> Self {
        Self {
            reader: Arc::clone(&app.reader),
            ledger: Arc::clone(&app.ledger),
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
    afford(&state.ledger, &account, Meter::V2).await?;
    let (parts, bytes) = body::read(state.body_bytes, request).await?;
    body::query(&parts.uri, &[])?;
    match titles::read(&bytes)? {
        Asked::One(OneTitle { title, options }) => {
            let charge = charge(
                &state.ledger,
                &account,
                Endpoint::ParseTitle,
                Cost {
                    credits: credits(&title),
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
            let credits = credits_of(&titles);
            let charge = charge(
                &state.ledger,
                &account,
                Endpoint::ParseTitle,
                Cost {
                    credits,
                    // of titles that cannot be read, one
                    calls: calls(credits),
                },
            )
            .await?;
            let lines = wants_lines(&parts.headers);
            let batch = Batch::new(
                state.reader.now(),
                titles,
                options,
                lines,
                &parts.extensions,
            );
            if lines {
                let mut response = batch.stream(Vec::new(), charge, "application/x-ndjson");
                if let Ok(version) = HeaderValue::try_from(&state.reader.now().version) {
                    response.headers_mut().insert(CATALOGUE_VERSION, version);
                }
                Ok(response)
            } else {
                Ok(Box::pin(batch.answer(charge)).await)
            }
        }
    }
}

/// The body of the answer to one title.
pub fn one(loaded: &Loaded, title: &str, options: &Options) -> Vec<u8> {
    let other;
    let frame = match credits(title) {
        COST_PER_TITLE => loaded
            .title_frame
            .get_or_init(|| frame_of_one(loaded, COST_PER_TITLE)),
        credits => {
            other = frame_of_one(loaded, credits);
            &other
        }
    };
    let mut out = Vec::with_capacity(ANSWER_BYTES);
    out.extend_from_slice(&frame.begin);
    // the object that `titledex parse` prints, by the same writer
    loaded.answer(title, options).write_json(&mut out);
    out.extend_from_slice(&frame.end);
    out
}

/// What stands around the answer to one title of so many credits.
fn frame_of_one(loaded: &Loaded, credits: i64) -> Frame {
    frame(&Answering::One(OneAnswer {
        data: Written(DATA.to_vec()),
        metadata: metadata(loaded, credits, None),
    }))
}

/// What stands before and behind [`DATA`] in an answer.
fn frame(answer: &Answering<'_>) -> Frame {
    let whole = written(answer, METADATA_BYTES)
        .expect("an answer has string keys only, and memory takes it");
    let place = whole.windows(DATA.len()).position(|bytes| bytes == DATA);
    let (begin, end) = whole.split_at(place.expect("it was written"));
    Frame {
        begin: begin.to_vec(),
        end: end[DATA.len()..].to_vec(),
    }
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

fn write_item(loaded: &Loaded, title: &Title<'_>, options: &Options, out: &mut Vec<u8>) {
    match title {
        Ok(title) => Item::Answer(Box::new(loaded.answer(title, options))),
        Err(error) => Item::refused(error),
    }
    .write(out);
}

fn wants_lines(headers: &HeaderMap) -> bool {
    accepts(headers, "application/x-ndjson")
}

/// A batch of which a piece at a time is answered. If the caller disconnects, unread titles are
/// refunded.
struct Batch {
    loaded: Arc<Loaded>,
    titles: std::vec::IntoIter<Title<'static>>,
    options: Options,
    charge: Option<Charge>,
    /// For an answer as one object; otherwise it is lines.
    frame: Option<Frame>,
    /// Whether a title was answered.
    begun: bool,
    /// The batch is under way, and its titles take room, until all is written.
    _share: (Option<Share>, Option<Room>),
}

impl Batch {
    fn new(
        loaded: Arc<Loaded>,
        titles: Vec<Title<'_>>,
        options: Options,
        lines: bool,
        extensions: &Extensions,
    ) -> Self {
        let count = titles.len();
        let errors = titles.iter().filter(|title| title.is_err()).count();
        let credits = credits_of(&titles);
        let frame = (!lines).then(|| {
            let mut frame = frame(&Answering::Many(ManyAnswers {
                data: Written(DATA.to_vec()),
                metadata: metadata(&loaded, credits, Some((count, errors))),
            }));
            frame.begin.push(b'[');
            frame.end.insert(0, b']');
            frame
        });
        let titles: Vec<Title<'static>> = titles
            .into_iter()
            .map(|title| title.map(|title| title.into_owned().into()))
            .collect();
        Self {
            loaded,
            titles: titles.into_iter(),
            options,
            charge: None,
            frame,
            begun: false,
            _share: (extensions.get().cloned(), extensions.get().cloned()),
        }
    }

    /// The next piece, unless all is written.
    fn next(&mut self) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(PIECE + ANSWER_BYTES);
        if let Some(frame) = &mut self.frame {
            out.append(&mut frame.begin);
        }
        for title in self.titles.by_ref().take(TURN) {
            if self.frame.is_some() && std::mem::replace(&mut self.begun, true) {
                out.push(b',');
            }
            write_item(&self.loaded, &title, &self.options, &mut out);
            if self.frame.is_none() {
                out.push(b'\n');
            }
            if out.len() >= PIECE {
                break;
            }
        }
        if self.titles.as_slice().is_empty()
            && let Some(frame) = &mut self.frame
        {
            out.append(&mut frame.end);
        }
        (!out.is_empty()).then_some(out)
    }

    /// The answer as one object: whole, or streamed if it is large.
    async fn answer(mut self, charge: Charge) -> Response {
        let mut out = Vec::new();
        while let Some(mut piece) = self.next() {
            out.append(&mut piece);
            if out.len() > WHOLE {
                return self.stream(out, charge, "application/json");
            }
            tokio::task::yield_now().await;
        }
        metered(out, "application/json", Some(charge))
    }

    /// The answer in pieces, of which `first` is written.
    fn stream(mut self, first: Vec<u8>, charge: Charge, kind: &'static str) -> Response {
        let spent = Metered {
            cost: charge.cost(),
            balance: charge.balance(),
        };
        self.charge = Some(charge);
        let pieces = stream::unfold((first, self), |(first, mut batch)| async move {
            tokio::task::yield_now().await;
            let piece = if first.is_empty() {
                batch.next()?
            } else {
                first
            };
            Some((Ok::<_, Infallible>(Bytes::from(piece)), (Vec::new(), batch)))
        });
        let mut response = metered(Body::from_stream(pieces), kind, None);
        response.extensions_mut().insert(spent);
        response
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        if let Some(mut charge) = self.charge.take() {
            charge.refund(credits_of(self.titles.as_slice()));
            charge.keep();
        }
    }
}
