//! `GET /api/v2/sealed-products`.

use super::options::{Consumed, Extras};
use super::price_history::PriceHistory;
use super::records::{SaleShown, SealedShown};
use super::{ListMetadata, Listed, Market, Page, conflict, language, set};
use crate::auth::Holder;
use crate::credits::Meter;
use crate::error::ApiError;
use crate::market::{Day, Money};
use crate::parameters::Parameters;
use crate::routes::charging::{afford, charge, json};
use crate::store::market::{ItemRecord, Language, SealedQuery};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use std::collections::HashMap;

/// The most sales shown of a product.
const MOST_SALES: usize = 50;
/// The filters of which a request for Japanese products needs one.
const FILTERS: [&str; 5] = ["marketplaceId", "search", "set", "setId", "productType"];

/// Sealed products with their prices and recent sales.
///
/// A product costs 1 credit, with its price history 2. With `language=japanese`, one of
/// `marketplaceId`, `search`, `set`, `setId` and `productType` must stand beside it.
#[utoipa::path(get, path = "/api/v2/sealed-products", operation_id = "listSealedProducts", tag = "market",
    params(
        ("marketplaceId" = Option<String>, Query, description = "One product, of either tree", min_length = 1, max_length = 200),
        ("search" = Option<String>, Query, description = "Words that name, set and type contain, all of them, in any case; at most 20", min_length = 1, max_length = 200),
        ("set" = Option<String>, Query, description = "A set by its name, slug or code", min_length = 1, max_length = 200),
        ("setId" = Option<String>, Query, description = "A set by its id", min_length = 1, max_length = 200),
        ("productType" = Option<String>, Query, description = "The type of product, in any case: `Booster Box`", min_length = 1, max_length = 200),
        ("includeHistory" = Option<bool>, Query, description = "With the price history; 1 credit more a product"),
        ("days" = Option<i64>, Query, description = "Days of history and sales, today the last of them; 30 by default. History has no more than the plan allows", minimum = 1, maximum = 3650),
        ("language" = Option<Language>, Query, description = "The tree of the catalogue; `english` by default"),
        ("limit" = Option<i64>, Query, description = "The most products; 20 by default", minimum = 1, maximum = 100),
        ("offset" = Option<i64>, Query, description = "Products to skip", minimum = 0, maximum = 1_000_000),
    ),
    responses((status = 200, description = "Sealed products", body = Listed<Vec<SealedShown<'static>>, Consumed>)))]
pub(crate) async fn list(
    State(market): State<Market>,
    Holder { account, .. }: Holder,
    uri: Uri,
) -> Result<Response, ApiError> {
    afford(&market.ledger, &account, Meter::V2).await?;
    let known: Vec<&str> = FILTERS
        .into_iter()
        .chain(["includeHistory", "days", "language", "limit", "offset"])
        .collect();
    let parameters = Parameters::of(&uri, &known)?;
    let extras = Extras::of(&parameters, &account.plan.load_full())?;
    let page = Page::of(&parameters)?;
    let id = parameters.text("marketplaceId")?;
    if let Some(other) = parameters
        .any(&["search", "set", "setId", "productType"])
        .filter(|_| id.is_some())
    {
        return Err(conflict("marketplaceId", other));
    }
    let language = language(&parameters)?;
    if language == Language::Japanese && parameters.any(&FILTERS).is_none() {
        let message = format!(
            "language=japanese needs another filter: send one of {}",
            FILTERS.join(", ")
        );
        return Err(ApiError::bad("missing_parameter", message).field("search"));
    }
    let set = set(&market, &parameters, language).await?;
    let language = set.as_ref().map_or(language, |set| set.language);
    // a product that the store does not have is asked for as it is called
    let own = match id {
        Some(id) => market.own_ids(&[id]).await?.concat().into_iter().next(),
        None => None,
    };
    let query = SealedQuery {
        language: id.is_none().then_some(language),
        marketplace_id: own.or(id.map(str::to_owned)),
        set: set.map(|set| set.key),
        product_type: parameters.text("productType")?.map(str::to_owned),
        words: parameters
            .search("search")?
            .map(|text| text.split_whitespace().map(str::to_owned).collect())
            .unwrap_or_default(),
        limit: page.limit,
        offset: page.offset,
    };
    let (total, products) = market.store.sealed(&query).await?;
    let count = i64::try_from(products.len()).unwrap_or(i64::MAX);
    let charge = charge(
        &market.ledger,
        &account,
        Meter::V2,
        extras.cost(count, false),
    )
    .await?;
    let today = market.ledger.clock().now().day();
    let items: Vec<&ItemRecord> = products.iter().map(|product| &product.item).collect();
    let keys: Vec<i64> = items.iter().map(|item| item.key).collect();
    let histories = extras.histories(&market, &items, today).await?;
    let quotes = market.store.quotes(&keys).await?;
    let mut sales: HashMap<i64, Vec<SaleShown>> = HashMap::new();
    for (item, day, price) in market
        .store
        .plain_sales(&keys, extras.sales_from(today), today)
        .await?
    {
        let of_item = sales.entry(item).or_default();
        if of_item.len() < MOST_SALES {
            of_item.push(SaleShown {
                date: Day(day),
                price: Money(price),
            });
        }
    }
    let most = usize::try_from(extras.points).unwrap_or(usize::MAX);
    let shown = products.iter().enumerate().map(|(at, product)| {
        let history = histories
            .get(at)
            .map(|points| PriceHistory::of(points, extras.history_from(today), today, most));
        SealedShown::of(
            product,
            &quotes,
            sales.remove(&product.item.key).unwrap_or_default(),
            history,
            market.scheme,
        )
    });
    let data: Vec<SealedShown<'_>> = shown.collect();
    let metadata = ListMetadata::of(
        total,
        data.len(),
        page,
        query.language,
        extras.consumed(count),
    );
    json(&Listed { data, metadata }, charge)
}
