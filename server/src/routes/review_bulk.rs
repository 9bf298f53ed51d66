//! `/api/admin/review/accept` and `/reject`: decisions about all sold listings that fit a filter.

use super::market_changes::{no_item, one_item};
use super::responses::Data;
use super::review::is_grade;
use crate::auth::Administrator;
use crate::body;
use crate::clock::{Clock, Moment};
use crate::error::ApiError;
use crate::limits::Limits;
use crate::market::Money;
use crate::market::money::UNIT;
use crate::parameters::{Parameters, wrong};
use crate::store::market::{
    BulkDecided, BulkVerdict, ListingKind, MOST_DECIDED, MarketplaceId, ReviewFilter,
};
use crate::store::{Actor, Store};
use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The parameters of a filter.
pub(super) const FILTERS: &[&str] = &[
    "reason",
    "set",
    "search",
    "kind",
    "currency",
    "minPrice",
    "maxPrice",
    "minConfidence",
    "maxConfidence",
];

/// The parameters of a filter, for the document.
#[derive(IntoParams, Deserialize)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "`filter` reads them; this describes them")]
pub(super) struct FilterParameters {
    /// Why they wait: an outcome of parse-title, `low_confidence`, `not_in_store`, `quantity`,
    /// `language`, `printing`, `doubtful`, `other_goods` or `other_item`
    #[param(min_length = 1, max_length = 200)]
    reason: Option<String>,
    /// The id of the set of the best guess
    #[param(min_length = 1, max_length = 200)]
    set: Option<String>,
    /// What stands in the title, in this order
    #[param(min_length = 1, max_length = 200)]
    search: Option<String>,
    /// What they seem to sell: `single` or `sealed`
    #[param(pattern = "^(single|sealed)$")]
    kind: Option<String>,
    /// The listing's currency
    #[param(pattern = "^[A-Z]{3}$")]
    currency: Option<String>,
    /// At least this was paid, in the listing's currency
    #[param(pattern = r"^[0-9]{1,11}(\.[0-9]{1,4})?$")]
    min_price: Option<String>,
    /// At most this was paid, in the listing's currency
    #[param(pattern = r"^[0-9]{1,11}(\.[0-9]{1,4})?$")]
    max_price: Option<String>,
    /// The best guess is at least as sure, from 0 to 1
    #[param(pattern = r"^(0|1|0\.[0-9]{1,4})$")]
    min_confidence: Option<String>,
    /// The best guess is at most as sure, from 0 to 1
    #[param(pattern = r"^(0|1|0\.[0-9]{1,4})$")]
    max_confidence: Option<String>,
}

/// The filter of a query, of open listings.
///
/// # Errors
/// 400 that names the parameter.
pub(super) fn filter(parameters: &Parameters) -> Result<ReviewFilter, ApiError> {
    let text = |name: &str| parameters.text(name).map(|text| text.map(str::to_owned));
    let price = |name: &str| {
        parameters.decimal::<Money>(name, "an amount with at most four decimals, such as 12.50")
    };
    let share = |name: &str| {
        let expecting = "a number from 0 to 1 with at most four decimals, such as 0.95";
        match parameters.decimal::<Money>(name, expecting)? {
            Some(share) if share.0 > UNIT => Err(wrong(name, &share.to_string(), expecting)),
            share => Ok(share),
        }
    };
    let kinds = [None, Some(ListingKind::Single), Some(ListingKind::Sealed)];
    let kind = match parameters.sent("kind") {
        None => 0,
        Some(_) => 1 + parameters.word("kind", &["single", "sealed"])?,
    };
    if let Some(currency) = parameters.sent("currency")
        && (currency.len() != 3 || !currency.bytes().all(|byte| byte.is_ascii_uppercase()))
    {
        return Err(wrong(
            "currency",
            currency,
            "three capital letters, such as EUR",
        ));
    }
    Ok(ReviewFilter {
        reason: text("reason")?,
        set: text("set")?,
        words: text("search")?,
        kind: kinds[kind],
        currency: text("currency")?,
        min_price: price("minPrice")?,
        max_price: price("maxPrice")?,
        min_confidence: share("minConfidence")?,
        max_confidence: share("maxConfidence")?,
        ..ReviewFilter::default()
    })
}

/// The body that accepts all listings that fit.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct AcceptAllBody {
    /// The id of the snapshot that the list showed.
    #[schema(min_length = 1, max_length = 64)]
    snapshot: String,
    /// What was sold in all of them; each one's best guess by default.
    #[schema(min_length = 1)]
    #[serde(default, deserialize_with = "body::stated")]
    marketplace_id: Option<String>,
    /// The grade of all of them, `GRADER_A_10`, or the empty text for raw cards; by default as read.
    #[schema(pattern = "^(GRADER_[ABCD]_(10|[1-9](_5)?|AUTH|QUALIFIED|PRISTINE|PERFECT))?$")]
    #[serde(default, deserialize_with = "body::stated")]
    grade: Option<String>,
}

/// The body that rejects all listings that fit.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RejectAllBody {
    /// The id of the snapshot that the list showed.
    #[schema(min_length = 1, max_length = 64)]
    snapshot: String,
}

/// What was decided about all listings that fit.
#[derive(Serialize, ToSchema)]
pub(crate) struct DecidedAll {
    /// The number of the change, by which it can be undone; null if nothing was decided.
    #[schema(required)]
    change: Option<i64>,
    /// How many listings were decided.
    decided: i64,
    /// How many were left because no card or product was guessed for them.
    skipped: i64,
}

/// Accepts all open listings that fit, up to 1,000, as sales. Nothing is decided if other listings
/// fit by now than those of the snapshot.
#[utoipa::path(post, path = "/api/admin/review/accept", operation_id = "acceptReviews", tag = "admin",
    params(FilterParameters), request_body = AcceptAllBody,
    responses((status = 200, description = "How many were accepted", body = Data<DecidedAll>),
        (status = 404, description = "There is no such card or product"),
        (status = 409, description = "Other listings fit by now: list them again")))]
pub(super) async fn accept(
    State(store): State<Store>,
    Administrator(by): Administrator,
    State(clock): State<Clock>,
    State(limits): State<Limits>,
    request: Request,
) -> Result<Json<Data<DecidedAll>>, ApiError> {
    let filter = filter(&Parameters::of(request.uri(), FILTERS)?)?;
    let asked: AcceptAllBody = body::with_query(limits.body_bytes, request).await?;
    let verdict = BulkVerdict::Accept {
        marketplace_id: asked.marketplace_id,
        grade: asked.grade,
    };
    let decided = decide_all(&store, &filter, verdict, &asked.snapshot, by, clock.now()).await?;
    Ok(Data::of(decided))
}

/// Rejects all open listings that fit, up to 1,000. Nothing is decided if other listings fit by now
/// than those of the snapshot.
#[utoipa::path(post, path = "/api/admin/review/reject", operation_id = "rejectReviews", tag = "admin",
    params(FilterParameters), request_body = RejectAllBody,
    responses((status = 200, description = "How many were rejected", body = Data<DecidedAll>),
        (status = 409, description = "Other listings fit by now: list them again")))]
pub(super) async fn reject(
    State(store): State<Store>,
    Administrator(by): Administrator,
    State(clock): State<Clock>,
    State(limits): State<Limits>,
    request: Request,
) -> Result<Json<Data<DecidedAll>>, ApiError> {
    let filter = filter(&Parameters::of(request.uri(), FILTERS)?)?;
    let asked: RejectAllBody = body::with_query(limits.body_bytes, request).await?;
    let verdict = BulkVerdict::Reject;
    let decided = decide_all(&store, &filter, verdict, &asked.snapshot, by, clock.now()).await?;
    Ok(Data::of(decided))
}

/// Decides about all open listings of a filter, if they are those of the snapshot.
///
/// # Errors
/// 400 or 404 if there is no such item or grade, 409 if other listings fit by now.
pub(crate) async fn decide_all(
    store: &Store,
    filter: &ReviewFilter,
    mut verdict: BulkVerdict,
    snapshot: &str,
    by: Actor,
    now: Moment,
) -> Result<DecidedAll, ApiError> {
    if let BulkVerdict::Accept {
        marketplace_id,
        grade,
    } = &mut verdict
    {
        if let Some(called) = marketplace_id {
            *called = one_item(store, called, MarketplaceId::Own).await?;
        }
        grade.as_deref().map_or(Ok(()), is_grade)?;
    }
    match store
        .decide_all(filter, &verdict, snapshot, by, now)
        .await?
    {
        BulkDecided::Done {
            change,
            decided,
            skipped,
        } => Ok(DecidedAll {
            change,
            decided,
            skipped,
        }),
        BulkDecided::NoItem => Err(no_item()),
        BulkDecided::Changed(now) => {
            let message = format!(
                "other listings fit by now than those of this snapshot: {} of them (at most {MOST_DECIDED} are decided at once); list them again",
                now.count
            );
            Err(ApiError::new(
                StatusCode::CONFLICT,
                "listings_changed",
                message,
            ))
        }
    }
}
