//! `GET /api/v2/cards`.

use super::options::{Consumed, EXTRAS, Extras};
use super::records::{Additions, CardShown, Prices};
use super::scope::Scope;
use super::{
    GAME_PARAMETER, ListMetadata, Listed, MOST_FOUND, Market, Page, SortCards, found, graded,
    price_bounds,
};
use crate::auth::Holder;
use crate::credits::{Account, Endpoint, Meter};
use crate::error::ApiError;
use crate::market::stats::first_day;
use crate::parameters::Parameters;
use crate::plans::Plan;
use crate::routes::charging::{afford, charge, json};
use crate::store::market::{CardKind, CardQuery, CardWithPrintings, ItemRecord, Language};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use std::collections::HashMap;
use std::sync::Arc;

/// The most cards of a whole set: plain, with one addition, with more.
const AT_ONCE: [i64; 3] = [1_000, 500, 300];

/// Parameters that select cards, in addition to [`EXTRAS`].
const CHOOSING: [&str; 17] = [
    "set",
    "setId",
    "search",
    "minPrice",
    "maxPrice",
    "rarity",
    "printing",
    "cardType",
    "sortBy",
    "sortOrder",
    "limit",
    "offset",
    "marketplaceId",
    "game",
    "language",
    "fetchAllInSet",
    "owned",
];

/// What a query asks for.
struct Asked {
    /// The own ids of what `marketplaceId` names.
    own: Option<Vec<String>>,
    search: Option<String>,
    whole_set: bool,
    scope: Scope,
    /// What bounds and sorts them, beside set, games and language.
    filters: CardQuery,
    page: Page,
    extras: Extras,
}

impl Asked {
    async fn of(market: &Market, uri: &Uri, plan: &Plan) -> Result<Self, ApiError> {
        let known = CHOOSING.into_iter().chain(EXTRAS).collect::<Vec<_>>();
        let parameters = Parameters::of(uri, &known)?;
        let extras = Extras::of(&parameters, plan)?;
        let id = parameters.text("marketplaceId")?;
        let whole_set = parameters.flag("fetchAllInSet")?;
        if whole_set && parameters.any(&["set", "setId"]).is_none() {
            let message = "fetchAllInSet needs a set: send set or setId with it";
            return Err(ApiError::bad("missing_parameter", message).field("set"));
        }
        // ownership changes nothing, because the service keeps no collections
        parameters.flag("owned")?;
        let mut page = super::page(&parameters)?;
        if id.is_some() {
            // all that it names
            page = Page::FIRST;
        }
        if whole_set {
            let additions = usize::try_from(extras.price() - 1)
                .unwrap_or(0)
                .min(AT_ONCE.len() - 1);
            page = Page {
                limit: AT_ONCE[additions],
                offset: 0,
            };
        }
        let (min_price, max_price) = price_bounds(&parameters)?;
        let text = |name: &str| parameters.text(name).map(|text| text.map(str::to_owned));
        let kind = parameters.word("cardType", &CardKind::NAMES)?;
        let filters = CardQuery {
            min_price,
            max_price,
            rarity: text("rarity")?,
            printing: text("printing")?,
            kind: parameters.sent("cardType").map(|_| CardKind::ALL[kind]),
            order: SortCards::order(&parameters)?,
            ..CardQuery::default()
        };
        let search = parameters.search("search")?.map(str::to_owned);
        let scope = Scope::of(market, &parameters).await?;
        Ok(Self {
            own: match id {
                Some(id) => Some(market.own_ids(&[id]).await?.concat()),
                None => None,
            },
            search,
            whole_set,
            scope,
            filters,
            page,
            extras,
        })
    }

    fn query(&self) -> CardQuery {
        CardQuery {
            language: self.scope.language,
            games: self.scope.games.clone(),
            set: self.scope.set.as_ref().map(|set| set.key),
            limit: self.page.limit,
            offset: self.page.offset,
            ..self.filters.clone()
        }
    }

    /// The ids of the cards that words find.
    async fn found(
        &self,
        market: &Market,
        words: &str,
        shown: usize,
    ) -> Result<Vec<String>, ApiError> {
        let scope = &self.scope;
        let (games, set) = (scope.games.as_deref(), scope.set.as_ref());
        found(market, words, scope.language, games, set, shown).await
    }

    /// How many cards match, and those of the page.
    async fn cards(&self, market: &Market) -> Result<(i64, Vec<CardWithPrintings>), ApiError> {
        if let Some(own) = &self.own {
            let own: Vec<&str> = own.iter().map(String::as_str).collect();
            let mut cards = market.store.cards_with_marketplace_ids(&own).await?;
            let query = self.query();
            cards.retain(|card| query.admits(card));
            if let Some(words) = &self.search {
                let ids = self.found(market, words, MOST_FOUND).await?;
                cards.retain(|card| ids.contains(&card.card.id));
            }
            return Ok((count(&cards), cards));
        }
        let Some(words) = &self.search else {
            let query = self.query();
            let cards = market.store.cards(&query).await?;
            let seen = self.page.offset + count(&cards);
            // a page that is not full is the last one
            let last =
                count(&cards) < self.page.limit && (self.page.offset == 0 || !cards.is_empty());
            return Ok((
                if last {
                    seen
                } else {
                    market.store.count_cards(&query).await?
                },
                cards,
            ));
        };
        let page = |total: usize| {
            let from = usize::try_from(self.page.offset)
                .unwrap_or(usize::MAX)
                .min(total);
            from..from
                .saturating_add(usize::try_from(self.page.limit).unwrap_or(usize::MAX))
                .min(total)
        };
        let is_plain = self.filters == CardQuery::default();
        let end = self.page.offset.saturating_add(self.page.limit);
        let shown = if is_plain {
            usize::try_from(end).unwrap_or(usize::MAX)
        } else {
            // a filter takes cards out of it: the page may reach behind its end
            MOST_FOUND
        };
        let ids = self.found(market, words, shown).await?;
        if is_plain {
            let wanted: Vec<&str> = ids[page(ids.len())].iter().map(String::as_str).collect();
            let cards = in_order(market.store.cards_with_ids(&wanted).await?, &wanted);
            return Ok((i64::try_from(ids.len()).unwrap_or(i64::MAX), cards));
        }
        let wanted: Vec<&str> = ids.iter().map(String::as_str).collect();
        let sortable = market.store.sortable_cards(&wanted, &self.filters).await?;
        let mut sortable = in_order(sortable, &wanted);
        // those that are equal keep the order of the search
        sortable.sort_by(|one, other| self.filters.order.compare(one, other));
        let of_page = &sortable[page(sortable.len())];
        let shown: Vec<&str> = of_page.iter().map(|card| card.card.id.as_str()).collect();
        let cards = in_order(market.store.cards_with_ids(&shown).await?, &shown);
        Ok((count(&sortable), cards))
    }
}

fn count(cards: &[CardWithPrintings]) -> i64 {
    i64::try_from(cards.len()).unwrap_or(i64::MAX)
}

/// Cards in the order of their ids.
pub(super) fn in_order(cards: Vec<CardWithPrintings>, ids: &[&str]) -> Vec<CardWithPrintings> {
    let mut by_id: HashMap<String, CardWithPrintings> = cards
        .into_iter()
        .map(|card| (card.card.id.clone(), card))
        .collect();
    ids.iter().filter_map(|id| by_id.remove(*id)).collect()
}

/// Cards with their prices.
///
/// Without `search`, the catalogue's order: by set, then number. With it, what fits best comes
/// first, and at most 1,000 cards are found. A card costs 1 credit, and 1 more each for history,
/// graded sales, prices in EUR, and histories of more than 365 points; what matches nothing costs
/// nothing.
#[utoipa::path(get, path = "/api/v2/cards", operation_id = "listCards", tag = "market",
    params(
        ("set" = Option<String>, Query, description = "A set by its name, slug or code; at most 20 words", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("setId" = Option<String>, Query, description = "A set by its id", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("search" = Option<String>, Query, description = "Words, read like the title of a listing: names in eleven languages, numbers, sets, grades, in any order, misspelt or incomplete; at most 20", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("minPrice" = Option<String>, Query, description = "Cards whose leading printing's market price is at least this: a number with at most four decimals", pattern = r"^[0-9]{1,11}(\.[0-9]{1,4})?$"),
        ("maxPrice" = Option<String>, Query, description = "Cards whose leading printing's market price is at most this", pattern = r"^[0-9]{1,11}(\.[0-9]{1,4})?$"),
        ("rarity" = Option<String>, Query, description = "Cards of this rarity, as answers write it, in any case: `Rare Holo`", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("printing" = Option<String>, Query, description = "Cards that have this printing, as answers write it, in any case: `Reverse Holofoil`; what a label has in brackets may be left out", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("cardType" = inline(Option<CardKind>), Query, description = "Cards of this kind"),
        ("sortBy" = inline(Option<SortCards>), Query, description = "What to sort by; cards without it come last. Names and rarities are sorted by their bytes, numbers as people count"),
        ("sortOrder" = inline(Option<super::SortOrder>), Query, description = "The order, with `sortBy`: by default `desc` for price and releaseDate, `asc` for the others"),
        ("limit" = Option<i64>, Query, description = "The most cards; 20 by default, 100 at most: more is cut to that", minimum = 1),
        ("offset" = Option<i64>, Query, description = "Cards to skip", minimum = 0, maximum = 1_000_000),
        ("marketplaceId" = Option<String>, Query, description = "One card, of any language unless one is sent: by the id of one of its printings, its own id, or a marketplace's, as `42382`, `tcgplayer:42382`, `cardmarket:273700`. A product that is several cards answers them all. What is sent with it filters it", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("includeHistory" = Option<bool>, Query, description = "With the price history; 1 credit more a card"),
        ("includeAuction" = Option<bool>, Query, description = "With graded sales; 1 credit more a card"),
        ("includeBoth" = Option<bool>, Query, description = "With both"),
        ("includeEur" = Option<bool>, Query, description = "With prices on the European market; 1 credit more a card"),
        ("days" = Option<i64>, Query, description = "Days of history and graded sales, today the last of them; 30 by default. History has no more than the plan allows", minimum = 1, maximum = 3650),
        ("historySource" = Option<String>, Query, description = "With the history of this source's prices alone, as `prices.quotes` names it, in any case; by default the history of the headline price. Of a card that the source has no price of, the history is empty and costs nothing", min_length = 1, max_length = 200, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$"),
        ("maxDataPoints" = Option<i64>, Query, description = "The most points of a history; 365 by default, or as many as the plan allows if those are fewer. More cost 1 credit a card and need the plan business", minimum = 2, maximum = 3650),
        ("game" = Option<String>, Query, description = GAME_PARAMETER, min_length = 1, max_length = 200),
        ("language" = Option<Language>, Query, description = "The language of the cards; `english` by default, and with a set all that the set has"),
        ("fetchAllInSet" = Option<bool>, Query, description = "With `set` or `setId`: all its cards, up to 1,000; with one addition 500, with more 300. Counts as a call of the minute for ten cards, 30 at most"),
        ("owned" = Option<bool>, Query, description = "Has no effect, because the service keeps no collections"),
    ),
    responses((status = 200, description = "Cards", body = Listed<Vec<CardShown<'static>>, Consumed>)))]
pub(crate) async fn list(
    State(market): State<Market>,
    Holder { account, .. }: Holder,
    uri: Uri,
) -> Result<Response, ApiError> {
    afford(&market.ledger, &account, Meter::V2).await?;
    let plan = account.plan.load_full();
    let asked = Asked::of(&market, &uri, &plan).await?;
    let (total, cards) = asked.cards(&market).await?;
    answer(&market, &account, &asked, total, &cards).await
}

async fn answer(
    market: &Market,
    account: &Arc<Account>,
    asked: &Asked,
    total: i64,
    cards: &[CardWithPrintings],
) -> Result<Response, ApiError> {
    let extras = &asked.extras;
    let today = market.ledger.clock().now().day();
    let own = asked.own.as_deref().unwrap_or_default();
    let printed = |card| Some((card, CardWithPrintings::printing(card, own)?));
    let shown: Vec<(&CardWithPrintings, &ItemRecord)> = cards.iter().filter_map(printed).collect();
    let items: Vec<&ItemRecord> = shown.iter().map(|(_, item)| *item).collect();
    let found = extras.found(market, &items).await?;
    let charge = charge(
        &market.ledger,
        account,
        Endpoint::Cards,
        extras.cost(found, asked.whole_set),
    )
    .await?;
    let keys: Vec<i64> = items.iter().map(|item| item.key).collect();
    let mut histories = extras.histories(market, &items, today).await?.into_iter();
    let quotes = market.store.quotes(&keys).await?;
    let sales = if extras.auction {
        market
            .store
            .graded_sales(&keys, first_day(extras.sales_from(today), today), today)
            .await?
    } else {
        Vec::new()
    };
    let mut sales = graded::by_item(sales);
    let data: Vec<CardShown<'_>> = shown
        .into_iter()
        .map(|(card, item)| {
            let auction = extras.auction.then(|| {
                let sales = sales.remove(&item.key).unwrap_or_default();
                graded::by_name(&sales, extras.sales_from(today), today)
            });
            let history = histories.next();
            let prices = Prices::of(item, &quotes, extras.eur);
            CardShown::of(card, item, prices, Additions { history, auction }, market)
        })
        .collect();
    let metadata = ListMetadata::of(
        total,
        data.len(),
        asked.page,
        asked.scope.listed_language(),
        extras.consumed(found),
    );
    json(&Listed { data, metadata }, charge)
}
