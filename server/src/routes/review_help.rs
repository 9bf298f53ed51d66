//! What a person who reviews a listing needs to decide: how its title is read now, and cards by
//! their names.

use super::browse::in_order;
use super::charging::{Written, metered, written};
use super::responses::{self, Data};
use super::review::find;
use super::site::Site;
use crate::body;
use crate::catalogue::Reader;
use crate::error::ApiError;
use crate::parameters::Parameters;
use axum::Json;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use serde::Serialize;
use std::sync::Arc;
use titledex::{Answer, Options, Within};
use utoipa::ToSchema;

/// Cards that a search for a correction shows.
const FOUND: usize = 12;
/// Room for the reading of a title.
const READING_BYTES: usize = 6 * 1024;

/// How the title of a listing is read.
#[derive(Serialize, ToSchema)]
#[schema(as = ReviewReading)]
pub(super) struct Reading {
    /// What `titledex parse` prints for the title.
    #[schema(value_type = Answer<'static>)]
    data: Written,
}

/// A printing that a listing may be accepted as.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FoundPrinting {
    /// Its id.
    marketplace_id: String,
    /// The name of its card.
    name: String,
    /// The number of its card, as printed.
    card_number: String,
    /// The name of its set.
    set_name: String,
    /// The printing, such as `Holofoil`; empty where the card has one only.
    printing: String,
    /// The address of a picture of the card; null without the setting `market.card-images`.
    #[schema(required)]
    image: Option<String>,
}

/// How the title of a listing is read by the catalogue that is open now: spans, candidates and the
/// evidence for each. It costs nothing.
#[utoipa::path(get, path = "/api/admin/review/{id}/reading", operation_id = "readReview", tag = "admin",
    params(("id" = i64, Path, description = "The number of the listing", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The reading", body = Reading)))]
pub(super) async fn reading(
    State(site): State<Site>,
    State(reader): State<Arc<Reader>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    body::query(request.uri(), &[])?;
    let row = find(&site.store, responses::number(&id, "listing")?).await?;
    let mut data = Vec::with_capacity(READING_BYTES);
    reader
        .now()
        .answer(&row.listing.title, &Options::new())
        .write_json(&mut data);
    let data = Written(data);
    let body = written(&Reading { data }, READING_BYTES).map_err(|_| ApiError::internal())?;
    Ok(metered(body, "application/json", None))
}

/// Printings of cards by name, number or set, the best first: what a listing that was guessed wrong
/// may be accepted as. It costs nothing.
#[utoipa::path(get, path = "/api/admin/cards", operation_id = "findPrintings", tag = "admin",
    params(("search" = String, Query, description = "Words of a name, a number or a set", min_length = 1, max_length = 200)),
    responses((status = 200, description = "Printings of at most twelve cards", body = Data<Vec<FoundPrinting>>)))]
pub(super) async fn cards(
    State(site): State<Site>,
    State(reader): State<Arc<Reader>>,
    request: Request,
) -> Result<Json<Data<Vec<FoundPrinting>>>, ApiError> {
    let parameters = Parameters::of(request.uri(), &["search"])?;
    let words = parameters.search("search")?.ok_or_else(|| {
        let message = "send search: words of a name, a number or a set";
        ApiError::bad("missing_parameter", message).field("search")
    })?;
    let found = reader.now().search(words, &Within::new().most(FOUND));
    let ids = found.into_iter().map(|(id, _)| id).collect();
    let ids = site.store.present_cards(ids).await?;
    let mut printings = Vec::new();
    for card in in_order(&site, &ids).await? {
        let image = site.images.of_card(&card);
        printings.extend(card.printings.iter().map(|item| FoundPrinting {
            marketplace_id: item.marketplace_id.clone(),
            name: card.card.name.clone(),
            card_number: card.card.number.clone().unwrap_or_default(),
            set_name: card.set_name.clone(),
            printing: item.label.clone(),
            image: image.clone(),
        }));
    }
    Ok(Data::of(printings))
}
