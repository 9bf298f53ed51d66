//! `GET /api/v2/sealed-products`.

use super::options::{Consumed, Extras};
use super::records::{SaleShown, SealedShown};
use super::scope::Scope;
use super::{
    GAME_PARAMETER, ListMetadata, Listed, Market, Page, descending, language, price_bounds,
};
use crate::auth::Holder;
use crate::catalogue::Loaded;
use crate::credits::{Account, Endpoint, Meter};
use crate::error::ApiError;
use crate::market::{Day, Money};
use crate::parameters::Parameters;
use crate::plans::Plan;
use crate::routes::charging::{afford, charge, json};
use crate::store::market::{
    ItemRecord, Language, SealedName, SealedOrder, SealedQuery, SealedRecord, SealedSort,
};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use std::collections::HashMap;
use std::sync::Arc;
use titledex::Product;
use utoipa::ToSchema;

/// What a search costs at least: it compares all products, whatever it finds.
const LEAST_OF_SEARCH: i64 = 1;
/// The most sales shown of a product.
const MOST_SALES: usize = 50;
/// The filters of which a request for Japanese products needs one.
const FILTERS: [&str; 5] = ["marketplaceId", "search", "set", "setId", "productType"];

/// The other parameters.
const BESIDE: [&str; 11] = [
    "game",
    "minPrice",
    "maxPrice",
    "sortBy",
    "sortOrder",
    "includeHistory",
    "days",
    "historySource",
    "language",
    "limit",
    "offset",
];

/// What sealed products are sorted by.
#[derive(Clone, Copy, Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
enum SortSealed {
    Price,
    Name,
    ReleaseDate,
}

impl SortSealed {
    /// The parameters `sortBy` and `sortOrder` of sealed products.
    fn order(parameters: &Parameters) -> Result<Option<SealedOrder>, ApiError> {
        let sort = [Self::Price, Self::Name, Self::ReleaseDate]
            [parameters.word("sortBy", &["price", "name", "releaseDate"])?];
        let by = match sort {
            Self::Price => SealedSort::Price,
            Self::Name => SealedSort::Name,
            Self::ReleaseDate => SealedSort::Released,
        };
        let descending = descending(parameters, by != SealedSort::Name)?;
        Ok(descending.map(|descending| SealedOrder { by, descending }))
    }
}

/// What a query asks for.
struct Asked {
    search: Option<String>,
    scope: Scope,
    query: SealedQuery,
    page: Page,
    extras: Extras,
}

impl Asked {
    async fn of(market: &Market, uri: &Uri, plan: &Plan) -> Result<Self, ApiError> {
        let known: Vec<&str> = FILTERS.into_iter().chain(BESIDE).collect();
        let parameters = Parameters::of(uri, &known)?;
        let extras = Extras::of(&parameters, plan)?;
        let id = parameters.text("marketplaceId")?;
        let page = match super::page(&parameters)? {
            // all that it names
            _ if id.is_some() => Page::FIRST,
            page => page,
        };
        let search = parameters.search("search")?.map(str::to_owned);
        let product_type = parameters.text("productType")?.map(str::to_owned);
        let (min_price, max_price) = price_bounds(&parameters)?;
        let order = SortSealed::order(&parameters)?;
        let is_japanese = language(&parameters)? == Language::Japanese;
        if is_japanese && parameters.any(&FILTERS).is_none() {
            let message = format!(
                "language=japanese needs another filter: send one of {}",
                FILTERS.join(", ")
            );
            return Err(ApiError::bad("missing_parameter", message).field("search"));
        }
        let scope = Scope::of(market, &parameters).await?;
        // a product that the store does not have is asked for as it is called
        let own = match id {
            Some(id) => market.own_ids(&[id]).await?.concat().into_iter().next(),
            None => None,
        };
        let query = SealedQuery {
            language: scope.language,
            games: scope.games.clone(),
            marketplace_id: own.or(id.map(str::to_owned)),
            set: scope.set.as_ref().map(|set| set.key),
            product_type,
            min_price,
            max_price,
            order,
            limit: page.limit,
            offset: page.offset,
        };
        Ok(Self {
            search,
            scope,
            query,
            page,
            extras,
        })
    }

    /// How many products match, and those of the page.
    async fn products(
        &self,
        market: &Market,
        account: &Account,
    ) -> Result<(i64, Vec<SealedRecord>), ApiError> {
        let Some(words) = &self.search else {
            return Ok(market.store.sealed(&self.query).await?);
        };
        let turn = market.product_searches.take(account.id).await;
        let products = market.store.sealed_names(&self.query).await?;
        let (reader, words) = (market.reader.now(), words.clone());
        let is_sorted = self.query.order.is_some();
        let searching = tokio::task::spawn_blocking(move || {
            // kept until the thread is free, though nobody may wait for the answer any more
            let _turn = turn;
            let mut found = searched(&reader, &words, &products);
            if is_sorted {
                // they were read in the order of the query
                found.sort_unstable();
            }
            let item = |at: usize| products.get(at).map(|product| product.item);
            found.into_iter().filter_map(item).collect::<Vec<i64>>()
        });
        let found = searching.await.map_err(|_| ApiError::internal())?;
        let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
        let of_page = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
        let page = found.into_iter().skip(of_page(self.page.offset));
        let page: Vec<i64> = page.take(of_page(self.page.limit)).collect();
        let mut products: HashMap<i64, SealedRecord> = HashMap::with_capacity(page.len());
        for product in market.store.sealed_of(&page).await? {
            products.insert(product.item.key, product);
        }
        let products = page.iter().filter_map(|item| products.remove(item));
        Ok((total, products.collect()))
    }
}

/// The places of the products that a search means, best first.
fn searched(reader: &Loaded, words: &str, products: &[SealedName]) -> Vec<usize> {
    let known: Vec<Product<'_>> = products
        .iter()
        .map(|product| {
            let known = Product::new(&product.name, &product.product_type);
            match &product.set_id {
                Some(id) => known.set(id, &product.set_name),
                None => known,
            }
        })
        .collect();
    reader.search_products(words, &known)
}

/// Sealed products with their prices and recent sales.
///
/// A product costs 1 credit, with its price history 2; a `search` that finds none costs 1. With `language=japanese`, one of
/// `marketplaceId`, `search`, `set`, `setId` and `productType` must stand beside it.
#[utoipa::path(get, path = "/api/v2/sealed-products", operation_id = "listSealedProducts", tag = "market",
    params(
        ("marketplaceId" = Option<String>, Query, description = "One product, of any language unless one is sent", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("search" = Option<String>, Query, description = "Words of name, set and type, read like the title of a listing: in any language, misspelt, or short (`ETB`); at most 20", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("set" = Option<String>, Query, description = "A set by its name, slug or code; at most 20 words", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("setId" = Option<String>, Query, description = "A set by its id", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("productType" = Option<String>, Query, description = "The type of product, in any case: `Booster Box`", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("minPrice" = Option<String>, Query, description = "Products whose market price is at least this: a number with at most four decimals", pattern = r"^[0-9]{1,11}(\.[0-9]{1,4})?$"),
        ("maxPrice" = Option<String>, Query, description = "Products whose market price is at most this", pattern = r"^[0-9]{1,11}(\.[0-9]{1,4})?$"),
        ("sortBy" = inline(Option<SortSealed>), Query, description = "What to sort by; products without it come last"),
        ("sortOrder" = inline(Option<super::SortOrder>), Query, description = "The order, with `sortBy`: by default `desc` for price and releaseDate, `asc` for name"),
        ("includeHistory" = Option<bool>, Query, description = "With the price history; 1 credit more a product"),
        ("days" = Option<i64>, Query, description = "Days of history and sales, today the last of them; 30 by default. History has no more than the plan allows", minimum = 1, maximum = 3650),
        ("historySource" = Option<String>, Query, description = "With the history of this source's prices alone, as `prices.quotes` names it, in any case; by default the history of the headline price. Of a product that the source has no price of, the history is empty and costs nothing", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("game" = Option<String>, Query, description = GAME_PARAMETER, min_length = 1, max_length = 200),
        ("language" = Option<Language>, Query, description = "The language of the products; `english` by default, and with a set all that the set has"),
        ("limit" = Option<i64>, Query, description = "The most products; 20 by default, 100 at most: more is cut to that", minimum = 1),
        ("offset" = Option<i64>, Query, description = "Products to skip", minimum = 0, maximum = 1_000_000),
    ),
    responses((status = 200, description = "Sealed products", body = Listed<Vec<SealedShown<'static>>, Consumed>)))]
pub(crate) async fn list(
    State(market): State<Market>,
    Holder { account, .. }: Holder,
    uri: Uri,
) -> Result<Response, ApiError> {
    afford(&market.ledger, &account, Meter::V2).await?;
    let plan = account.plan.load_full();
    let asked = Asked::of(&market, &uri, &plan).await?;
    let (total, products) = asked.products(&market, &account).await?;
    answer(&market, &account, &asked, total, &products).await
}

async fn answer(
    market: &Market,
    account: &Arc<Account>,
    asked: &Asked,
    total: i64,
    products: &[SealedRecord],
) -> Result<Response, ApiError> {
    let extras = &asked.extras;
    let items: Vec<&ItemRecord> = products.iter().map(|product| &product.item).collect();
    let least = asked.search.as_ref().map_or(0, |_| LEAST_OF_SEARCH);
    let found = extras.found(market, &items).await?.at_least(least);
    let cost = extras.cost(found, false);
    let charge = charge(&market.ledger, account, Endpoint::Sealed, cost).await?;
    let today = market.ledger.clock().now().day();
    let keys: Vec<i64> = items.iter().map(|item| item.key).collect();
    let mut histories = extras.histories(market, &items, today).await?.into_iter();
    let quotes = market.store.quotes(&keys).await?;
    let mut sales = recent_sales(market, &keys, extras.sales_from(today), today).await?;
    let shown = products.iter().map(|product| {
        SealedShown::of(
            product,
            &quotes,
            sales.remove(&product.item.key).unwrap_or_default(),
            histories.next(),
            market.scheme,
        )
    });
    let data: Vec<SealedShown<'_>> = shown.collect();
    let metadata = ListMetadata::of(
        total,
        data.len(),
        asked.page,
        asked.scope.listed_language(),
        extras.consumed(found),
    );
    json(&Listed { data, metadata }, charge)
}

/// The newest sales of these items from a day to a day, by item.
async fn recent_sales(
    market: &Market,
    items: &[i64],
    from: i64,
    to: i64,
) -> Result<HashMap<i64, Vec<SaleShown>>, ApiError> {
    let mut sales: HashMap<i64, Vec<SaleShown>> = HashMap::new();
    for (item, day, price) in market.store.plain_sales(items, from, to).await? {
        let of_item = sales.entry(item).or_default();
        if of_item.len() < MOST_SALES {
            of_item.push(SaleShown {
                date: Day(day),
                price: Money(price),
            });
        }
    }
    Ok(sales)
}
