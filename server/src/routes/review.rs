//! `/api/admin/review`: sold listings that a person must review.

use super::market_changes::{no_item, one_item};
use super::responses::{self, Data};
use super::review_bulk::{FILTERS, FilterParameters, filter};
use crate::auth::Administrator;
use crate::body;
use crate::clock::{Clock, Moment};
use crate::error::ApiError;
use crate::images::Images;
use crate::limits::Limits;
use crate::market::day::iso;
use crate::market::{Day, GradeKey, Money};
use crate::parameters::Parameters;
use crate::store::market::{
    Candidate, Decided, MarketplaceId, ReviewFilter, ReviewRow, ReviewStatus, Verdict,
};
use crate::store::{Actor, Store};
use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// Listings of a page by default.
const LISTINGS: i64 = 50;
/// The most of them.
const MOST: i64 = 500;
/// The largest number of a listing or a change.
pub(super) const MOST_NUMBER: i64 = 999_999_999_999_999_999;

/// A sold listing under review, or reviewed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Review {
    /// Its number.
    id: i64,
    /// Its title.
    title: String,
    /// What was paid.
    price: Money,
    /// In which currency.
    currency: String,
    /// The day of the sale.
    #[schema(format = Date)]
    date: String,
    /// Its address.
    #[schema(required)]
    url: Option<String>,
    /// Why it is here: an outcome of parse-title, `low_confidence` or `not_in_store`.
    reason: String,
    /// The best guess, or what it was accepted as.
    #[schema(required)]
    marketplace_id: Option<String>,
    /// The name of that where it is a sealed product; null for a card.
    #[schema(required)]
    product: Option<String>,
    /// The grade; null for a raw card.
    #[schema(required)]
    grade: Option<String>,
    /// How sure the best guess is.
    #[schema(required)]
    confidence: Option<Money>,
    /// The cards that it may be, best first.
    candidates: Vec<CandidateShown>,
    /// Its status.
    status: ReviewStatus,
    /// When it was added.
    #[schema(format = DateTime)]
    created_at: String,
    /// When it was decided.
    #[schema(required, format = DateTime)]
    decided_at: Option<String>,
    /// The number of the change that decided, by which it can be undone.
    #[schema(required)]
    change: Option<i64>,
}

/// A card that a listing may be.
#[derive(Serialize, ToSchema)]
pub(crate) struct CandidateShown {
    #[serde(flatten)]
    of: Candidate,
    /// The address of its picture; null without the setting `market.card-images`, and for a card
    /// that the store lacks.
    #[schema(required)]
    image: Option<String>,
}

impl From<&ReviewRow> for Review {
    fn from(row: &ReviewRow) -> Self {
        let listing = &row.listing;
        Self {
            id: row.id,
            title: listing.title.clone(),
            price: listing.price,
            currency: listing.currency.clone(),
            date: Day(listing.day).to_string(),
            url: listing.url.clone(),
            reason: listing.reason.clone(),
            marketplace_id: row.marketplace_id.clone(),
            product: row.product.clone(),
            grade: Some(listing.grade.clone()).filter(|grade| !grade.is_empty()),
            confidence: listing.confidence.map(Money),
            candidates: listing
                .candidates
                .iter()
                .map(|candidate| CandidateShown {
                    of: candidate.clone(),
                    image: None,
                })
                .collect(),
            status: row.status,
            created_at: iso(listing.made),
            decided_at: row.decided.map(iso),
            change: row.decision,
        }
    }
}

/// Listings with the pictures of their candidates.
pub(super) async fn shown(
    store: &Store,
    images: &Images,
    rows: &[ReviewRow],
) -> Result<Vec<Review>, ApiError> {
    let mut reviews: Vec<Review> = rows.iter().map(Review::from).collect();
    if !images.are_of_cards() {
        return Ok(reviews);
    }
    let candidates = rows.iter().flat_map(|row| &row.listing.candidates);
    let mut ids: Vec<&str> = candidates.map(|of| of.marketplace_id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut pictures = HashMap::new();
    for card in store.cards_with_marketplace_ids(&ids).await? {
        let Some(picture) = images.of_card(&card) else {
            continue;
        };
        for item in &card.printings {
            pictures.insert(item.marketplace_id.clone(), picture.clone());
        }
    }
    for candidate in reviews.iter_mut().flat_map(|of| &mut of.candidates) {
        candidate.image = pictures.get(&candidate.of.marketplace_id).cloned();
    }
    Ok(reviews)
}

/// A page of listings.
#[derive(Serialize, ToSchema)]
pub(super) struct Reviews {
    /// The listings, oldest first.
    data: Vec<Review>,
    /// How many fit, of all pages.
    total: i64,
    /// What a call that decides about all of them decides about.
    snapshot: Snapshot,
}

/// The listings that fit, oldest first, up to 1,000.
#[derive(Serialize, ToSchema)]
#[schema(as = ReviewSnapshot)]
pub(super) struct Snapshot {
    /// How many.
    count: i64,
    /// The same as long as they are the same listings, with the same prices and guesses.
    id: String,
}

/// The body that accepts a listing.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct AcceptBody {
    /// What was sold; the best guess by default.
    #[schema(min_length = 1)]
    #[serde(default, deserialize_with = "body::stated")]
    pub(crate) marketplace_id: Option<String>,
    /// Its grade, `GRADER_A_10`, or the empty text for a raw card; by default as read.
    #[schema(pattern = "^(GRADER_[ABCD]_(10|[1-9](_5)?|AUTH|QUALIFIED|PRISTINE|PERFECT))?$")]
    #[serde(default, deserialize_with = "body::stated")]
    pub(crate) grade: Option<String>,
}

/// Listings that fit, oldest first.
#[utoipa::path(get, path = "/api/admin/review", operation_id = "listReview", tag = "admin",
    params(("status" = Option<ReviewStatus>, Query, description = "`open` by default"),
        FilterParameters,
        ("change" = Option<i64>, Query, description = "Those about which the change of this number decided", minimum = 1, maximum = 999_999_999_999_999_999i64),
        ("limit" = Option<i64>, Query, description = "50 by default", minimum = 1, maximum = 500),
        ("after" = Option<i64>, Query, description = "Those after this number", minimum = 0, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The listings", body = Reviews)))]
pub(super) async fn list(
    State(store): State<Store>,
    State(images): State<Arc<Images>>,
    request: Request,
) -> Result<Json<Reviews>, ApiError> {
    let known = [FILTERS, &["status", "change", "limit", "after"]].concat();
    let parameters = Parameters::of(request.uri(), &known)?;
    let statuses = [
        ReviewStatus::Open,
        ReviewStatus::Accepted,
        ReviewStatus::Rejected,
    ];
    let filter = ReviewFilter {
        status: statuses[parameters.word("status", &["open", "accepted", "rejected"])?],
        decision: parameters.whole("change", 1..=MOST_NUMBER)?,
        ..filter(&parameters)?
    };
    let limit = parameters.whole("limit", 1..=MOST)?.unwrap_or(LISTINGS);
    let after = parameters.whole("after", 0..=MOST_NUMBER)?.unwrap_or(0);
    let page = store.reviews(&filter, after, limit).await?;
    Ok(Json(Reviews {
        data: shown(&store, &images, &page.rows).await?,
        total: page.total,
        snapshot: Snapshot {
            count: page.snapshot.count,
            id: page.snapshot.id,
        },
    }))
}

/// One listing.
#[utoipa::path(get, path = "/api/admin/review/{id}", operation_id = "getReview", tag = "admin",
    params(("id" = i64, Path, description = "The number of the listing", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The listing", body = Data<Review>)))]
pub(super) async fn show(
    State(store): State<Store>,
    State(images): State<Arc<Images>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Review>>, ApiError> {
    body::query(request.uri(), &[])?;
    let row = find(&store, responses::number(&id, "listing")?).await?;
    one(&store, &images, row).await
}

/// Accepts a listing as a sale.
#[utoipa::path(post, path = "/api/admin/review/{id}/accept", operation_id = "acceptReview", tag = "admin",
    params(("id" = i64, Path, description = "The number of the listing", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    request_body = AcceptBody,
    responses((status = 200, description = "The listing, accepted", body = Data<Review>),
        (status = 409, description = "It was decided before")))]
pub(super) async fn accept(
    State(store): State<Store>,
    Administrator(by): Administrator,
    State(clock): State<Clock>,
    State(limits): State<Limits>,
    State(images): State<Arc<Images>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Review>>, ApiError> {
    let asked: AcceptBody = body::of(limits.body_bytes, request).await?;
    let row = accepted(
        &store,
        responses::number(&id, "listing")?,
        asked,
        by,
        clock.now(),
    )
    .await?;
    one(&store, &images, row).await
}

/// Rejects a listing that is no sale of a card.
#[utoipa::path(post, path = "/api/admin/review/{id}/reject", operation_id = "rejectReview", tag = "admin",
    params(("id" = i64, Path, description = "The number of the listing", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The listing, rejected", body = Data<Review>),
        (status = 409, description = "It was decided before")))]
pub(super) async fn reject(
    State(store): State<Store>,
    Administrator(by): Administrator,
    State(clock): State<Clock>,
    State(images): State<Arc<Images>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Review>>, ApiError> {
    body::query(request.uri(), &[])?;
    let number = responses::number(&id, "listing")?;
    let row = rejected(&store, number, by, clock.now()).await?;
    one(&store, &images, row).await
}

/// The answer that shows a listing.
async fn one(
    store: &Store,
    images: &Images,
    row: ReviewRow,
) -> Result<Json<Data<Review>>, ApiError> {
    let shown = shown(store, images, &[row]).await?.into_iter().next();
    shown.map(Data::of).ok_or_else(ApiError::internal)
}

/// The listing with a number.
pub(crate) async fn find(store: &Store, id: i64) -> Result<ReviewRow, ApiError> {
    store
        .review(id)
        .await?
        .ok_or_else(|| ApiError::not_found("listing", &id.to_string()))
}

/// Accepts a listing as the given card or as the best guess.
pub(crate) async fn accepted(
    store: &Store,
    id: i64,
    asked: AcceptBody,
    by: Actor,
    now: Moment,
) -> Result<ReviewRow, ApiError> {
    let row = find(store, id).await?;
    let Some(marketplace_id) = asked.marketplace_id.or(row.marketplace_id) else {
        let message = "no card of the store was guessed for this listing: say which it is";
        return Err(ApiError::bad("invalid_body", message).field("marketplaceId"));
    };
    let marketplace_id = one_item(store, &marketplace_id, MarketplaceId::Own).await?;
    if let Some(grade) = &asked.grade {
        is_grade(grade)?;
    }
    let grade = asked.grade.unwrap_or(row.listing.grade);
    done(
        store
            .decide(
                id,
                &Verdict::Accept {
                    marketplace_id,
                    grade,
                },
                by,
                now,
            )
            .await?,
        id,
    )
}

/// That a text is the key of a grade, or empty.
///
/// # Errors
/// 400 if it is not.
pub(super) fn is_grade(grade: &str) -> Result<(), ApiError> {
    if grade.is_empty() || grade.parse::<GradeKey>().is_ok() {
        return Ok(());
    }
    let message =
        "this is not a grade: write a key as GRADER_A_10, or the empty text for a raw card";
    Err(ApiError::bad("invalid_body", message).field("grade"))
}

/// Rejects a listing.
pub(crate) async fn rejected(
    store: &Store,
    id: i64,
    by: Actor,
    now: Moment,
) -> Result<ReviewRow, ApiError> {
    done(store.decide(id, &Verdict::Reject, by, now).await?, id)
}

fn done(decided: Decided, id: i64) -> Result<ReviewRow, ApiError> {
    match decided {
        Decided::Done(row) => Ok(*row),
        Decided::NoListing => Err(ApiError::not_found("listing", &id.to_string())),
        Decided::NoItem => Err(no_item()),
        Decided::Already(status) => {
            let word = if status == ReviewStatus::Accepted {
                "accepted"
            } else {
                "rejected"
            };
            Err(ApiError::new(
                StatusCode::CONFLICT,
                "already_decided",
                format!("this listing was {word} before: nothing was changed"),
            ))
        }
    }
}
