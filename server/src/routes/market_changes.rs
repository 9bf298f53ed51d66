//! `/api/admin/changes`, `sales`, `prices`, `population` and `cards/merge`: what an administrator
//! corrects in the market, each a change that can be undone.

use super::market_shown::{Change, Changed, ItemPrices, Sale};
use super::responses::{self, Data};
use super::review::MOST_NUMBER;
use crate::app::App;
use crate::auth::Administrator;
use crate::body;
use crate::clock::{Clock, Moment};
use crate::error::ApiError;
use crate::limits::Limits;
use crate::market::{Day, Grader};
use crate::parameters::{Parameters, wrong};
use crate::store::market::{
    ChangeRow, Deleted, KnownPrices, MarketplaceId, Merge, MergeReport, Merged, PriceName,
    QuoteName, SaleRow, Undoing, Undone,
};
use crate::store::{Actor, Store};
use axum::Json;
use axum::extract::{FromRef, Path, Request, State};
use axum::http::StatusCode;
use serde::Deserialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Changes of a page by default, and the most.
const CHANGES: i64 = 50;
const MOST: i64 = 500;

/// What corrections need.
#[derive(Clone)]
pub(crate) struct Corrections {
    pub(crate) store: Store,
    /// The order of sources of headline prices.
    pub(crate) sources: Vec<String>,
    /// Which marketplace's product a number is.
    pub(crate) scheme: MarketplaceId,
}

impl FromRef<App> for Corrections {
    fn from_ref(app: &App) -> Self {
        Self {
            store: app.store.clone(),
            sources: app.settings.market.sources.clone(),
            scheme: app.settings.market.marketplace_id,
        }
    }
}

/// The body that merges cards.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MergeBody {
    /// The id of the card that becomes part of the other: `own-4`.
    #[schema(min_length = 1, max_length = 256)]
    pub(crate) from: String,
    /// The id of the card that stays: `base1-4`.
    #[schema(min_length = 1, max_length = 256)]
    pub(crate) into: String,
    /// What printings of the first are of the second, where their names do not tell:
    /// `{"plain": "unlimited-holofoil"}`.
    #[serde(default)]
    pub(crate) printings: BTreeMap<String, String>,
}

/// The own id of the item that is called so.
///
/// # Errors
/// 404 if no item has the id, 400 if several have it.
pub(crate) async fn one_item(
    store: &Store,
    called: &str,
    scheme: MarketplaceId,
) -> Result<String, ApiError> {
    if called.is_empty() || called.len() > 256 || called.contains(char::is_control) {
        return Err(no_item());
    }
    let own = store.own_ids(&[called], scheme).await?.concat();
    match own.as_slice() {
        [] => Err(no_item()),
        [one] => Ok(one.clone()),
        several => {
            let message = format!("is several printings: name one of {}", several.join(", "));
            Err(ApiError::bad("invalid_body", message).field("marketplaceId"))
        }
    }
}

/// 404: no item has the id.
pub(crate) fn no_item() -> ApiError {
    let message = "no card or product of the store has this id: check it";
    ApiError::new(StatusCode::NOT_FOUND, "not_found", message).field("marketplaceId")
}

impl Corrections {
    async fn item(&self, parameters: &Parameters) -> Result<String, ApiError> {
        let called = parameters.text("marketplaceId")?.ok_or_else(|| {
            ApiError::bad(
                "missing_parameter",
                "send marketplaceId: which item is meant",
            )
            .field("marketplaceId")
        })?;
        one_item(&self.store, called, self.scheme).await
    }

    /// The sales of an item.
    ///
    /// # Errors
    /// 404 if there is no such item.
    pub(crate) async fn sales(
        &self,
        called: &str,
        after: i64,
        limit: i64,
    ) -> Result<Vec<SaleRow>, ApiError> {
        let own = one_item(&self.store, called, self.scheme).await?;
        Ok(self.store.sales_of(&[own], after, limit).await?)
    }

    /// All that is known of the prices of an item.
    ///
    /// # Errors
    /// 404 if there is no such item.
    pub(crate) async fn prices(&self, called: &str) -> Result<KnownPrices, ApiError> {
        let own = one_item(&self.store, called, self.scheme).await?;
        self.store.known_prices(&own).await?.ok_or_else(no_item)
    }

    /// Removes a sale.
    ///
    /// # Errors
    /// 404 if there is no such sale.
    pub(crate) async fn delete_sale(
        &self,
        id: i64,
        by: Actor,
        now: Moment,
    ) -> Result<Changed, ApiError> {
        let deleted = self.store.delete_sale(id, by, now).await?;
        let (_, change) = deleted.ok_or_else(|| ApiError::not_found("sale", &id.to_string()))?;
        Ok(Changed { change })
    }

    /// Removes a price.
    ///
    /// # Errors
    /// 404 if there is no such item, or no such price.
    pub(crate) async fn delete_price(
        &self,
        mut price: PriceName,
        by: Actor,
        now: Moment,
    ) -> Result<Changed, ApiError> {
        price.item = one_item(&self.store, &price.item, self.scheme).await?;
        let deleted = self.store.delete_price(&price, &self.sources, by, now);
        deleted_or_not(
            deleted.await?,
            "price of this day, source, condition and currency",
        )
    }

    /// Removes what a grader counted, or what all did.
    ///
    /// # Errors
    /// 404 if there is no such item, or nothing was counted.
    pub(crate) async fn delete_population(
        &self,
        called: &str,
        grader: Option<Grader>,
        by: Actor,
        now: Moment,
    ) -> Result<Changed, ApiError> {
        let own = one_item(&self.store, called, self.scheme).await?;
        let deleted = self.store.delete_population(&own, grader, by, now).await?;
        deleted_or_not(deleted, "population of this item and grader")
    }

    /// Makes a card part of another.
    ///
    /// # Errors
    /// 404 if one of them is not there, 409 if they cannot be merged.
    pub(crate) async fn merge(
        &self,
        asked: MergeBody,
        by: Actor,
        now: Moment,
    ) -> Result<MergeReport, ApiError> {
        let hidden = |text: &str| text.contains(char::is_control) || text.len() > 256;
        let printings: Vec<(String, String)> = asked.printings.into_iter().collect();
        for (id, field) in [(&asked.from, "from"), (&asked.into, "into")] {
            if hidden(id) {
                return Err(ApiError::not_found("card", "").field(field));
            }
        }
        let merge = Merge {
            from: asked.from,
            into: asked.into,
            printings,
        };
        let refused = |message: &str| {
            Err(ApiError::new(
                StatusCode::CONFLICT,
                "not_mergeable",
                message,
            ))
        };
        match self
            .store
            .merge_cards(&merge, &self.sources, by, now)
            .await?
        {
            Merged::Done(report) => Ok(report),
            Merged::NoCard(id) => {
                let message = format!(
                    "there is no card {id}: write the id of a card of the store, such as base1-4"
                );
                Err(ApiError::new(StatusCode::NOT_FOUND, "not_found", message))
            }
            Merged::NoPrinting { card, printing } => {
                let shown: String = printing.chars().take(64).collect();
                let message = format!(
                    "{card} has no printing {shown:?}: write what stands after the colon of its id"
                );
                Err(ApiError::bad("invalid_body", message).field("printings"))
            }
            Merged::Same => refused("both are the same card: nothing was changed"),
            Merged::Languages => refused("the cards are of two languages: nothing was changed"),
        }
    }
}

fn deleted_or_not(deleted: Deleted, what: &str) -> Result<Changed, ApiError> {
    let missing = |message: String| Err(ApiError::new(StatusCode::NOT_FOUND, "not_found", message));
    match deleted {
        Deleted::Done(change) => Ok(Changed { change }),
        Deleted::Nothing => missing(format!("there is no {what}: list them")),
        Deleted::OtherDay(day) => missing(format!(
            "the price that is known of this source is of {}: name that day",
            Day(day)
        )),
    }
}

/// Undoes a change.
///
/// # Errors
/// 404 if there is no such change, 409 if it cannot be undone.
pub(crate) async fn undone(
    store: &Store,
    id: i64,
    which: Undoing,
    by: Actor,
    now: Moment,
) -> Result<ChangeRow, ApiError> {
    match store.undo(id, which, by, now).await? {
        Undone::Done(row) => Ok(row),
        Undone::NoChange => Err(ApiError::not_found("change", &id.to_string())),
        refused => Err(ApiError::new(
            StatusCode::CONFLICT,
            "not_undoable",
            format!("change {id} is not undone: {refused}"),
        )),
    }
}

/// Imports and what administrators did to the market, newest first.
#[utoipa::path(get, path = "/api/admin/changes", operation_id = "listChanges", tag = "admin",
    params(("limit" = Option<i64>, Query, description = "50 by default", minimum = 1, maximum = 500),
        ("before" = Option<i64>, Query, description = "Those before this number", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The changes", body = Data<Vec<Change>>)))]
pub(super) async fn changes(
    State(store): State<Store>,
    request: Request,
) -> Result<Json<Data<Vec<Change>>>, ApiError> {
    let parameters = Parameters::of(request.uri(), &["limit", "before"])?;
    let limit = parameters.whole("limit", 1..=MOST)?.unwrap_or(CHANGES);
    let before = parameters.whole("before", 1..=MOST_NUMBER)?;
    let rows = store
        .changes_before(before.unwrap_or(i64::MAX), limit)
        .await?;
    Ok(Data::<Change>::list(&rows))
}

/// Puts everything that a change altered back as it was: an import, a decision of a review, a
/// removal, a merge.
#[utoipa::path(post, path = "/api/admin/changes/{id}/undo", operation_id = "undoChange", tag = "admin",
    params(("id" = i64, Path, description = "The number of the change", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The change, undone", body = Data<Change>),
        (status = 409, description = "It was undone before, is too old, or later changes build on it")))]
pub(super) async fn undo(
    State(store): State<Store>,
    Administrator(by): Administrator,
    State(clock): State<Clock>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Change>>, ApiError> {
    body::query(request.uri(), &[])?;
    let id = responses::number(&id, "change")?;
    let row = undone(&store, id, Undoing::Any, by, clock.now()).await?;
    Ok(Data::of(Change::from(&row)))
}

/// The sales of a card's printing or a product, in the order in which they came.
#[utoipa::path(get, path = "/api/admin/sales", operation_id = "listSales", tag = "admin",
    params(("marketplaceId" = String, Query, description = "What was sold, by any of its ids", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("limit" = Option<i64>, Query, description = "50 by default", minimum = 1, maximum = 500),
        ("after" = Option<i64>, Query, description = "Those after this number", minimum = 0, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The sales", body = Data<Vec<Sale>>),
        (status = 404, description = "There is no such item")))]
pub(super) async fn sales(
    State(of): State<Corrections>,
    request: Request,
) -> Result<Json<Data<Vec<Sale>>>, ApiError> {
    let parameters = Parameters::of(request.uri(), &["marketplaceId", "limit", "after"])?;
    let limit = parameters.whole("limit", 1..=MOST)?.unwrap_or(CHANGES);
    let after = parameters.whole("after", 0..=MOST_NUMBER)?.unwrap_or(0);
    let own = of.item(&parameters).await?;
    let rows = of.store.sales_of(&[own], after, limit).await?;
    Ok(Data::<Sale>::list(&rows))
}

/// Removes a sale. Its listing stays known as one that is no sale, so that a later file does not
/// count it again.
#[utoipa::path(delete, path = "/api/admin/sales/{id}", operation_id = "deleteSale", tag = "admin",
    params(("id" = i64, Path, description = "The number of the sale", minimum = 1, maximum = 999_999_999_999_999_999i64)),
    responses((status = 200, description = "The change, which can be undone", body = Data<Changed>)))]
pub(super) async fn delete_sale(
    State(of): State<Corrections>,
    Administrator(by): Administrator,
    State(clock): State<Clock>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Data<Changed>>, ApiError> {
    body::query(request.uri(), &[])?;
    let id = responses::number(&id, "sale")?;
    Ok(Data::of(of.delete_sale(id, by, clock.now()).await?))
}

/// All that is known of the prices of a card's printing or a product.
#[utoipa::path(get, path = "/api/admin/prices", operation_id = "listPrices", tag = "admin",
    params(("marketplaceId" = String, Query, description = "The item, by any of its ids", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$")),
    responses((status = 200, description = "Its prices", body = Data<ItemPrices>),
        (status = 404, description = "There is no such item")))]
pub(super) async fn prices(
    State(of): State<Corrections>,
    request: Request,
) -> Result<Json<Data<ItemPrices>>, ApiError> {
    let parameters = Parameters::of(request.uri(), &["marketplaceId"])?;
    let own = of.item(&parameters).await?;
    let known = of.store.known_prices(&own).await?.ok_or_else(no_item)?;
    Ok(Data::of(ItemPrices::from(&known)))
}

/// Removes the price of a day: from the history, and where it is the headline or the last price of
/// its source, from these too. With `source` or `condition`, the last price of that source.
#[utoipa::path(delete, path = "/api/admin/prices", operation_id = "deletePrice", tag = "admin",
    params(("marketplaceId" = String, Query, description = "The item, by any of its ids", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("date" = String, Query, description = "The day of the price, from 1970 on", format = Date, pattern = "^(19[7-9]|[2-9][0-9]{2})[0-9]-[0-9]{2}-[0-9]{2}$"),
        ("source" = Option<String>, Query, description = "Whose it is", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("condition" = Option<String>, Query, description = "The condition that it is for", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("currency" = Option<String>, Query, description = "`USD` or `EUR`; `USD` by default", pattern = "^(USD|EUR)$")),
    responses((status = 200, description = "The change, which can be undone", body = Data<Changed>),
        (status = 404, description = "There is no such item, or no such price")))]
pub(super) async fn delete_price(
    State(of): State<Corrections>,
    Administrator(by): Administrator,
    State(clock): State<Clock>,
    request: Request,
) -> Result<Json<Data<Changed>>, ApiError> {
    let known = ["marketplaceId", "date", "source", "condition", "currency"];
    let parameters = Parameters::of(request.uri(), &known)?;
    let text = |name: &str| parameters.text(name).map(|text| text.map(str::to_owned));
    let date = parameters.sent("date").ok_or_else(|| {
        ApiError::bad("missing_parameter", "send date: the day of the price").field("date")
    })?;
    let day = Day::parse(date).ok_or_else(|| wrong("date", date, "a day as 2026-11-20"))?;
    let quote = match (text("source")?, text("condition")?) {
        (None, None) => None,
        (source, condition) => Some(QuoteName {
            source: source.unwrap_or_default(),
            condition: condition.unwrap_or_default(),
        }),
    };
    let price = PriceName {
        item: of.item(&parameters).await?,
        day: day.0,
        quote,
        eur: parameters.word("currency", &["USD", "EUR"])? == 1,
    };
    Ok(Data::of(of.delete_price(price, by, clock.now()).await?))
}

/// Removes what a grader counted of a card's printing, or what all did.
#[utoipa::path(delete, path = "/api/admin/population", operation_id = "deletePopulation", tag = "admin",
    params(("marketplaceId" = String, Query, description = "The printing, by any of its ids", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("grader" = Option<Grader>, Query, description = "The grader; all of them by default")),
    responses((status = 200, description = "The change, which can be undone", body = Data<Changed>),
        (status = 404, description = "There is no such item, or nothing was counted")))]
pub(super) async fn delete_population(
    State(of): State<Corrections>,
    Administrator(by): Administrator,
    State(clock): State<Clock>,
    request: Request,
) -> Result<Json<Data<Changed>>, ApiError> {
    let parameters = Parameters::of(request.uri(), &["marketplaceId", "grader"])?;
    let grader = match parameters.sent("grader") {
        None => None,
        Some(code) => Some(
            Grader::of_code(code).ok_or_else(|| wrong("grader", code, "GRADER_A to GRADER_D"))?,
        ),
    };
    let own = of.item(&parameters).await?;
    let changed = of.delete_population(&own, grader, by, clock.now()).await?;
    Ok(Data::of(changed))
}

/// Makes a card part of another: prices, sales, populations, marketplaces' ids and listings under
/// review become that one's, and its ids go on to answer. What the other card has stays.
#[utoipa::path(post, path = "/api/admin/cards/merge", operation_id = "mergeCards", tag = "admin",
    request_body = MergeBody,
    responses((status = 200, description = "What was merged", body = Data<MergeReport>),
        (status = 404, description = "There is no such card"),
        (status = 409, description = "They are one card, or of two languages")))]
pub(super) async fn merge_cards(
    State(of): State<Corrections>,
    Administrator(by): Administrator,
    State(clock): State<Clock>,
    State(limits): State<Limits>,
    request: Request,
) -> Result<Json<Data<MergeReport>>, ApiError> {
    let asked: MergeBody = body::of(limits.body_bytes, request).await?;
    Ok(Data::of(of.merge(asked, by, clock.now()).await?))
}
