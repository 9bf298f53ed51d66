//! `/api/admin/import/{kind}`: files that an administrator sends to be imported.

use super::responses::Data;
use crate::auth::Administrator;
use crate::body::{self, discard};
use crate::error::ApiError;
use crate::limits::Limits;
use crate::market::intake::watch::hex;
use crate::market::intake::{Intake, IntakeError, Job, Options};
use crate::market::load::summary::{Outcome, Summary};
use crate::market::load::table::Renamed;
use crate::market::load::{FileError, Kind, Receipt};
use crate::parameters::{Parameters, wrong};
use crate::spool::{SpoolError, Spooled, spool};
use crate::store::Actor;
use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use axum::http::{HeaderMap, StatusCode};
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use titledex_command::source::Kind as Format;

/// The header of a request's own key.
const KEY: &str = "idempotency-key";
/// The longest such key.
const MOST_KEY: usize = 128;
/// Seconds after which a running import may have ended.
const AGAIN: i64 = 5;
const PARAMETERS: &[&str] = &[
    "strict",
    "dryRun",
    "ignoreColumns",
    "map",
    "confidence",
    "source",
    "name",
];

/// Imports a body of rows: CSV or TSV with a header, or JSON Lines, as it is or compressed with
/// gzip. Wrong rows are left out and shown, the first 100 of them; the others are kept, in one
/// transaction, under a number by which the import can be undone.
///
/// A request that is sent again is imported once: one with the same `Idempotency-Key`, or without
/// one and with the same content, kind and parameters, is answered by what became of the first, for
/// thirty days and unless that was undone. (Without a key, a content with wrong rows is imported
/// again.) One import runs at a time on all processes that share the database.
#[utoipa::path(post, path = "/api/admin/import/{kind}", operation_id = "importFile", tag = "admin",
    params(("kind" = inline(Kind), Path, description = "What the rows are"),
        ("strict" = Option<bool>, Query, description = "Keep nothing if a row is wrong"),
        ("dryRun" = Option<bool>, Query, description = "Check only"),
        ("ignoreColumns" = Option<bool>, Query, description = "Ignore unknown columns instead of refusing the body"),
        ("map" = Option<String>, Query, description = "Columns that the body calls otherwise: `marketPrice=Preis,lowPrice=Tief`", max_length = 2000),
        ("confidence" = Option<f64>, Query, description = "Sold listings that are matched with less go to review; 0.95 by default", minimum = 0, maximum = 1),
        ("source" = Option<String>, Query, description = "The source of prices whose rows name none, and whose ids those of sales are", min_length = 1, max_length = 80, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("name" = Option<String>, Query, description = "The name of the file, which the list of imports shows", min_length = 1, max_length = 80, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("Idempotency-Key" = Option<String>, Header, description = "A key of the sender's own for this import: 1 to 128 visible ASCII characters", min_length = 1, max_length = 128, pattern = "^[!-~]+$")),
    request_body(description = "The rows, with the columns of the kind; `Content-Encoding: gzip` if they are compressed",
        content((String = "text/csv"), (String = "text/tab-separated-values"), (String = "application/x-ndjson"), (String = "application/jsonl"))),
    responses((status = 200, description = "It was imported before, only checked, or nothing was kept: `outcome` says which", body = Data<Summary>),
        (status = 201, description = "It is imported", body = Data<Summary>),
        (status = 409, description = "The `Idempotency-Key` came with another content before")))]
pub(super) async fn import(
    State(intake): State<Arc<Intake>>,
    State(limits): State<Limits>,
    Administrator(by): Administrator,
    Path(kind): Path<String>,
    request: Request,
) -> Result<(StatusCode, Json<Data<Summary>>), ApiError> {
    let (parts, mut body) = request.into_parts();
    let asked = Asked::read(&kind, &parts.uri, &parts.headers);
    let asked = match asked {
        Ok(asked) => intake.check_free().await.map(|()| asked).map_err(refused),
        Err(error) => Err(error),
    };
    let most = intake.settings().body_bytes;
    let announced = parts.headers.get(CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let asked = asked.and_then(|asked| match announced {
        Some(bytes) if bytes > most => Err(too_large(most)),
        _ => Ok(asked),
    });
    let arriving = asked.and_then(|asked| match intake.arrive() {
        Some(place) => Ok((asked, place)),
        None => Err(busy()),
    });
    let (asked, place) = match arriving {
        Ok(arriving) => arriving,
        Err(error) => {
            // who waits for leave to send it sends nothing
            if !parts.headers.contains_key(EXPECT) {
                discard(body).await;
            }
            return Err(error);
        }
    };
    let folder = &intake.settings().folder;
    let came = spool(
        folder,
        most,
        limits.request_time,
        asked.salt.as_bytes(),
        &mut body,
    )
    .await;
    let spooled = match came {
        Ok(spooled) => spooled,
        Err(error) => return Err(not_arrived(error, most, body).await),
    };
    drop(place);
    let (job, file) = asked.job(spooled, by)?;
    let summary = intake.import(job, file).await.map_err(refused)?;
    let status = match summary.outcome {
        Outcome::Imported => StatusCode::CREATED,
        Outcome::Repeated | Outcome::Checked | Outcome::Refused => StatusCode::OK,
    };
    Ok((status, Data::of(summary)))
}

/// A request without its body.
struct Asked {
    kind: Kind,
    format: Format,
    /// `Content-Encoding: gzip`.
    packed: bool,
    options: Options,
    name: String,
    key: Option<String>,
    /// What makes the same bytes another import.
    salt: String,
}

impl Asked {
    fn read(kind: &str, uri: &axum::http::Uri, headers: &HeaderMap) -> Result<Self, ApiError> {
        let kind = Kind::named(kind).ok_or_else(|| {
            let known: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
            let shown: String = kind.chars().take(32).collect();
            let message = format!(
                "there is no kind of rows {shown:?}: known are {}",
                known.join(", ")
            );
            ApiError::new(StatusCode::NOT_FOUND, "not_found", message)
        })?;
        let parameters = Parameters::of(uri, PARAMETERS)?;
        let mut options = Options {
            strict: parameters.flag("strict")?,
            dry: parameters.flag("dryRun")?,
            lax: parameters.flag("ignoreColumns")?,
            source: parameters.name("source")?.map(str::to_owned),
            ..Options::default()
        };
        if let Some(map) = parameters.sent("map") {
            let renamed = map.split(',').map(str::parse::<Renamed>);
            options.map = renamed
                .collect::<Result<_, _>>()
                .map_err(|_| wrong("map", map, "COLUMN=HEADER, several with commas between"))?;
        }
        let confidence: Option<f64> = parameters.decimal("confidence", "a number from 0 to 1")?;
        if let Some(confidence) = confidence {
            if confidence > 1.0 {
                let message = "confidence is more than 1: send a number from 0 to 1";
                return Err(ApiError::bad("out_of_range", message).field("confidence"));
            }
            options.confidence = (confidence * 10_000.0).round() as i64;
        }
        let format = format(headers)?;
        Ok(Self {
            salt: format!("{}\n{format:?}\n{options:?}\n", kind.name()),
            kind,
            format,
            packed: is_packed(headers)?,
            name: parameters.name("name")?.unwrap_or("upload").to_owned(),
            key: key(headers)?,
            options,
        })
    }

    fn job(self, spooled: Spooled, by: Actor) -> Result<(Job, std::fs::File), ApiError> {
        let Spooled { file, digest } = spooled;
        let mut beginning = [0; 2];
        let read = file.read_at(&mut beginning, 0);
        if self.packed && (read.ok() != Some(2) || beginning != [0x1f, 0x8b]) {
            let message = "the body is not gzip: leave out Content-Encoding, or compress it";
            return Err(ApiError::bad("invalid_file", message));
        }
        let receipt = Receipt {
            name: match &self.key {
                Some(key) => format!("key:{key}"),
                None => format!("content:{}", hex(&digest)),
            },
            digest,
            by,
            even_with_wrong_rows: self.key.is_some(),
        };
        let job = Job::new(self.kind, self.format, self.name, self.options, receipt);
        Ok((job, file))
    }
}

/// How the rows are written.
fn format(headers: &HeaderMap) -> Result<Format, ApiError> {
    let named = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("");
    let (kind, parameters) = named.split_once(';').unwrap_or((named, ""));
    let utf8 = parameters
        .split(';')
        .filter_map(|parameter| parameter.trim().split_once('='))
        .filter(|(name, _)| name.eq_ignore_ascii_case("charset"))
        .all(|(_, value)| value.trim_matches('"').eq_ignore_ascii_case("utf-8"));
    match kind.trim().to_ascii_lowercase().as_str() {
        "text/csv" if utf8 => Ok(Format::Csv),
        "text/tab-separated-values" if utf8 => Ok(Format::Tsv),
        "application/x-ndjson" | "application/jsonl" if utf8 => Ok(Format::Jsonl),
        _ => Err(unsupported(format!(
            "the Content-Type is {named:?}: send rows in UTF-8 as text/csv, text/tab-separated-values or application/x-ndjson"
        ))),
    }
}

/// Whether the body is announced as gzip.
fn is_packed(headers: &HeaderMap) -> Result<bool, ApiError> {
    match body::coding(headers).as_deref() {
        None => Ok(false),
        Some("gzip" | "x-gzip") => Ok(true),
        Some(other) => Err(unsupported(format!(
            "the Content-Encoding is {other:?}: send the body as it is, or as gzip"
        ))),
    }
}

fn unsupported(message: String) -> ApiError {
    ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "unsupported_media_type",
        message,
    )
}

/// The sender's own key for the import.
fn key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(key) = headers.get(KEY) else {
        return Ok(None);
    };
    let text = key.to_str().unwrap_or("");
    let visible = text.bytes().all(|byte| byte.is_ascii_graphic());
    if text.is_empty() || text.len() > MOST_KEY || !visible {
        let message = format!(
            "the Idempotency-Key is not a word: send 1 to {MOST_KEY} visible ASCII characters"
        );
        return Err(ApiError::bad("invalid_value", message).field("Idempotency-Key"));
    }
    Ok(Some(text.to_owned()))
}

fn too_large(most: u64) -> ApiError {
    let message = format!(
        "the body is larger than {} MiB: compress it, divide it, or set imports.body-mib higher",
        most >> 20
    );
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", message)
}

fn busy() -> ApiError {
    let message = "another import runs: send this one again when it has ended";
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "import_running", message).retry_after(AGAIN)
}

/// The error of a body that did not arrive.
async fn not_arrived(error: SpoolError, most: u64, body: Body) -> ApiError {
    match error {
        SpoolError::TooLarge => {
            discard(body).await;
            too_large(most)
        }
        SpoolError::CutShort => ApiError::bad(
            "body_cut_short",
            "the body did not arrive whole, or paused for too long: send it again",
        ),
        SpoolError::File(error) => {
            tracing::error!(%error, "a body cannot be written into the folder of imports: see imports.folder");
            ApiError::internal()
        }
    }
}

/// The error of a file that was not imported.
fn refused(error: IntakeError) -> ApiError {
    match error {
        IntakeError::Busy => busy(),
        IntakeError::KeyReused => ApiError::new(
            StatusCode::CONFLICT,
            "key_reused",
            "this Idempotency-Key came with another content, kind or parameters before: send another key",
        ),
        IntakeError::File(FileError::Store(error)) => ApiError::database(&error),
        IntakeError::File(error @ FileError::TooLarge(_)) => ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "body_too_large",
            error.about("the body"),
        ),
        IntakeError::File(error @ FileError::Refused(_)) => {
            ApiError::bad("invalid_file", error.about("the body"))
        }
        IntakeError::File(FileError::Parameter(message)) => {
            ApiError::bad("invalid_value", message).field("map")
        }
        IntakeError::Changed | IntakeError::File(FileError::Read(_) | FileError::Write(..)) => {
            if let IntakeError::File(error) = &error {
                tracing::error!(%error, "an import failed");
            }
            ApiError::internal()
        }
    }
}
